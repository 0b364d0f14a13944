# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqld.py: daemons of a run, their clients, and the relations that are measured."""

import datetime
import os
import signal
import subprocess
import time

import processes

EVENTS = """
DEFINE RELATION {0} {{ cust STRING KEY, day DATE KEY, id BIGINT KEY, price DOUBLE, qty INT, note STRING }} WITH (writes = plain);
DEFINE PRIMARY SCHEMA {0}_s FOR {0} {{ TABLE '{0}', ROW suffix('-'){{cust}}:day:id, {1} }};
"""
PACKED = "FAMILY 'f', QUALIFIER 'e', VALUE price:qty:note"
CELLS = "FAMILY 'f', QUALIFIER attr_name['cust'], VALUE attr_value['cust']"
LINES = "CELLS { 'f':'day' = day, 'f':'id' = id, 'f':'price' = price, 'f':'qty' = qty, 'f':'note' = note }"
BY_DAY = """
DEFINE SCHEMA {0}_d FOR {0} {{ TABLE '{0}_d', ROW day:suffix('-'){{cust}}:id, FAMILY 'f', QUALIFIER 'e', VALUE price:qty:note }};
"""


class Daemon:
    """A kvsqld on a free port of loopback. @settings: lines of its [limits]."""

    spin_us = None  # of all daemons, and of clients with their URI; None: the default

    def __init__(self, build, folder, store, settings=""):
        self.build, self.folder = build, folder
        folder.mkdir(exist_ok=True)
        configuration = folder / "conf"
        spin = "" if self.spin_us is None else f"spin_us={self.spin_us}"
        configuration.write_text(f"[limits]\n{settings}\n{spin}\n")
        with open(folder / "log", "ab") as log:
            self.process = processes.start(
                [build / "kvsqld", f"--config={configuration}", f"--store={store}",
                 f"--registry=local://{folder}/registry", "--listen=tcp://127.0.0.1:0?auth=none"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on"):
            processes.end(self.process)
            raise processes.Failure("kvsqld does not start:\n" + (folder / "log").read_text())
        self.uri = "kvsql://" + line.strip().rsplit("tcp://", 1)[1] + (f"?{spin}" if spin else "")

    @property
    def pid(self):
        return self.process.pid

    def execute(self, script):
        done = subprocess.run([str(self.build / "kvsqlctl"), f"--connect={self.uri}", "exec", script], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise processes.Failure(f"kvsqlctl: {done.stdout}")
        return done.stdout

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        processes.end(self.process)


def client(build, daemon, rows):
    return processes.Program([build / "tests/bench/bench-client", daemon.uri, rows],
                             servers={"kvsqld": lambda: [daemon.pid]})


class Importer:
    """kvsqlctl import, as one of the programs: bulks of 1,000 rows from a CSV file."""

    def __init__(self, build, daemon, folder):
        self.command = [str(build / "kvsqlctl"), f"--connect={daemon.uri}", "import"]
        self.daemon, self.path = daemon, folder / "events.csv"
        self.next_number = {}
        self.servers = {"kvsqld": lambda: [daemon.pid]}

    numbers = processes.Program.numbers

    def write(self, first, calls):
        start = datetime.date(2024, 1, 1)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("cust,day,id,price,qty,note\n")
            for number in range(first * 1000, (first + calls) * 1000):
                file.write(f"i{number // 1000:08},{start + datetime.timedelta(number % 365)},{number},{number % 9973 / 100},"
                           f"{number % 100},note {number}\n")

    def run(self, _, table, first, calls, threads=1):
        self.write(first, calls)
        before = processes.cpu_of(self.daemon.pid)
        start = time.monotonic_ns()
        process = processes.start([*self.command, table, self.path, "--restart"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic_ns() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise processes.Failure(f"kvsqlctl import: status {process.returncode}")
        return {"rows": calls * 1000, "calls": calls, "wall": wall, "cpu": int((usage.ru_utime + usage.ru_stime) * 1e9),
                "p50": wall // calls, "p99": wall // calls,
                "servers": {"kvsqld": processes.cpu_of(self.daemon.pid) - before}}
