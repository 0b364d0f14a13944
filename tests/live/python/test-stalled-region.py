#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An HBase whose region server is stopped for longer than its gateways wait, and whose gateways are killed.

A gateway repeats a mutation that had no answer in time, and then answers "no" though it was applied. Two daemons increment
a tuple of each client, and one tuple of all clients. An acknowledged increment counts exactly once, one with an unknown
outcome at most once, and a tuple that only one client changes has no unknown outcomes.

KVSQL_TEST_SECONDS=300 for a longer run, with gateways that are killed and started again.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

LIVE = support.TOP_SOURCE / "tests" / "live"
sys.path.append(str(LIVE))
import servers  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = float(os.environ.get("KVSQL_TEST_SECONDS", "10"))
# How long a gateway waits for a region server, and how long that is stopped: shorter than HBase takes it for alive.
RPC_TIMEOUT_MS = 1000
STALL = 2.5
# On a busy machine few requests are made, and the stalls may hit none: then they go on for at most this long.
LONGEST = max(6 * SECONDS, 60)
N_CLIENTS = 4  # of each daemon
READY = 60
# Long enough that no statement fails because of a busy machine.
STATEMENT_TIMEOUT_MS = 120000
CONFIGURATION = f"[limits]\nrequest_timeout_ms = {STATEMENT_TIMEOUT_MS}\n"


def hbase(*arguments):
    return subprocess.run([sys.executable, str(LIVE / "hbase"), *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


class Counter(threading.Thread):
    """A client that adds one to its own tuple and to that of all, again and again."""

    def __init__(self, connection, key, is_over):
        super().__init__(daemon=True)
        self.connection = connection
        self.keys = (key, "all")
        self.is_over = is_over
        self.n_done = dict.fromkeys(self.keys, 0)
        self.n_unknown = dict.fromkeys(self.keys, 0)
        self.mistakes = []

    def run(self):
        try:
            while not self.is_over.is_set():
                for key in self.keys:
                    self.add(key)
        except Exception as error:  # pylint: disable=broad-except
            self.mistakes.append(repr(error))

    def add(self, key):
        try:
            self.n_done[key] += self.connection.query(f"UPDATE t SET n = n + 1 WHERE k = '{key}'").affected
        except client.SqlError as error:
            if error.code == client.ErrorCode.UNKNOWN_OUTCOME:
                self.n_unknown[key] += 1
            elif error.code not in (client.ErrorCode.UNAVAILABLE, client.ErrorCode.DEADLINE):
                raise


class Stage:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.folder = support.temporary_folder("stalled")
        hbase("start", self.folder, "--distributed", "--gateways", 0)
        settings = ("--set", f"hbase.rpc.timeout={RPC_TIMEOUT_MS}")
        urls = [hbase("gateway", self.folder, *settings) for _ in range(2)]
        self.gateways = [servers.Server(self.folder / f"gateway{number}") for number in (1, 2)]
        self.region_server = servers.Server(self.folder / "regionserver1")
        authority = ",".join(url.split("//")[1].split("?")[0] for url in urls)
        registry = f"zookeeper://{hbase('zk', self.folder)}/kvsql"
        self.daemons = [support.Daemon(store=f"hbase://{authority}?framed=false&protocol=binary", registry=registry,
                                       configuration=CONFIGURATION) for _ in range(2)]
        self.first = self.connect(0)
        self.counters = []

    def connect(self, index):
        return client.Client(("127.0.0.1", self.daemons[index].port), timeout_ms=2 * STATEMENT_TIMEOUT_MS)

    def define(self):
        self.first.query("DEFINE RELATION t { k STRING KEY, n INT }")
        self.first.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 't_p', ROW k, FAMILY 'f', VALUE ordered{n} }")
        self.first.query("DEFINE SCHEMA t_s FOR t { TABLE 't_s', ROW ordered{n}:k, FAMILY 'f', VALUE '' }")
        second = self.connect(1)
        limit = time.monotonic() + READY
        while ("t_s",) not in [row[:1] for row in second.rows("SHOW SCHEMAS")]:
            assert time.monotonic() < limit, "the other daemon does not serve the schema"
            time.sleep(0.05)

    def stall(self):
        self.region_server.send(signal.SIGSTOP)
        time.sleep(STALL)
        self.region_server.send(signal.SIGCONT)

    def kill_gateway(self, gateway):
        gateway.send(signal.SIGKILL)
        while gateway.is_running():
            time.sleep(0.01)

    def start_gateway(self, gateway):
        known = gateway.read()
        gateway.start(known["command"], known["port"], framed=known["framed"], compact=known["compact"], http=known["http"],
                      tls=known["tls"])
        gateway.wait_until_ready(lambda port: True, READY)

    def disturb(self):
        """Stops the region server for most of the time; sometimes a gateway is killed, and started again."""
        begun = time.monotonic()
        end = begun + SECONDS
        number = 0
        while time.monotonic() < end or (self.count_doubts() == 0 and time.monotonic() < begun + LONGEST):
            time.sleep(self.random.uniform(0.2, 1))
            self.stall()
            number += 1
            if number % 3 == 0:
                gateway = self.random.choice(self.gateways)
                self.kill_gateway(gateway)
                time.sleep(self.random.uniform(0, 1))
                self.start_gateway(gateway)

    def check_counts(self):
        self.define()
        is_over = threading.Event()
        keys = [f"k{number}" for number in range(2 * N_CLIENTS)]
        for key in [*keys, "all"]:
            self.first.query(f"INSERT INTO t VALUES ('{key}', 0)")
        self.counters = [Counter(self.connect(number % 2), key, is_over) for number, key in enumerate(keys)]
        for counter in self.counters:
            counter.start()
        self.disturb()
        is_over.set()
        for counter in self.counters:
            counter.join()
        support.equal([mistake for counter in self.counters for mistake in counter.mistakes], [])
        found = dict(self.first.rows("SELECT k, n FROM t USING SCHEMA t_p"))
        for key in [*keys, "all"]:
            done = sum(counter.n_done.get(key, 0) for counter in self.counters)
            unknown = sum(counter.n_unknown.get(key, 0) for counter in self.counters)
            print(f"# {key}: {found[key]} counted, {done} acknowledged, {unknown} unknown", flush=True)
        for key in [*keys, "all"]:
            done = sum(counter.n_done.get(key, 0) for counter in self.counters)
            unknown = sum(counter.n_unknown.get(key, 0) for counter in self.counters)
            assert done <= found[key] <= done + unknown, f"{key} is {found[key]} after {done} (and {unknown} unknown)"
            assert done > 0, f"nothing was counted in {key}"
            if key != "all":
                support.equal(unknown, 0)

    def count_doubts(self):
        doubts = 0
        for index in (0, 1):
            with self.connect(index) as connection:
                doubts += int(dict(connection.rows("SHOW STATUS"))["store: answers doubted"])
        return doubts

    def check_doubts(self):
        """The fault happened: there were answers without an outcome, and kvsqld read the row to verify them."""
        doubts = self.count_doubts()
        print(f"# {doubts} answers doubted", flush=True)
        assert doubts > 0

    def check_schemas(self):
        """A tuple without unknown outcomes is the same in both schemas, and appears once."""
        unsure = {key for counter in self.counters for key, n in counter.n_unknown.items() if n > 0}

        def sure(schema):
            rows = self.first.rows(f"SELECT k, n FROM t USING SCHEMA {schema}")
            return sorted(row for row in rows if row[0] not in unsure)
        support.equal(sure("t_s"), sure("t_p"))

    def stop(self):
        for daemon in self.daemons:
            daemon.stop()
        hbase("stop", self.folder)


def main():
    global client  # pylint: disable=global-statement
    if not os.environ.get("KVSQL_TEST_HBASE_URL"):
        support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")
    stage = None
    try:
        import client  # pylint: disable=import-outside-toplevel,redefined-outer-name
        stage = Stage(support.seed())
        return support.run([
            ("/stalled-region/each-increment-counts-once", stage.check_counts),
            ("/stalled-region/answers-were-doubted", stage.check_doubts),
            ("/stalled-region/schemas-agree", stage.check_schemas),
        ])
    except support.Skip as reason:
        return support.skip_all(str(reason))
    finally:
        if stage is not None:
            stage.stop()


if __name__ == "__main__":
    sys.exit(main())
