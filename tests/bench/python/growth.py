# SPDX-License-Identifier: LGPL-2.1-or-later
"""growth.py: costs of kvsqld with more rows, relations, schemas and connections, and its memory, on RocksDB.

Memory is the peak of resident memory, including the block cache of 16 MiB, with default settings otherwise. For idle connections it
is the resident memory once they are idle.
"""

import subprocess
import time

import figures
import kvsqld
import processes
from targets import Line
from rounds import Variant, Workload

STORE = "Growth"
SMALLEST = 10_000
N_AROUND = 1_000
FLAT = 1.1
NO_MORE = 1.05  # equal, within the precision of a measurement
STORE_OPTIONS = "sync=false&cache_mb=16"
MORE_SCHEMAS = """
DEFINE SCHEMA {0}_d FOR {0} {{ TABLE '{0}_d', ROW day:suffix('-'){{cust}}:id, FAMILY 'f', QUALIFIER 'e', VALUE price:qty:note }};
DEFINE SCHEMA {0}_i FOR {0} {{ TABLE '{0}_i', ROW id:suffix('-'){{cust}}:day, FAMILY 'f', QUALIFIER 'e', VALUE price:qty:note }};
"""
IDLE_AFTER = 3  # seconds until kvsqld treats a connection as idle
ROOM = "max_connections = 1100\nmax_connections_per_peer = 1100\nidle_timeout_s = 86400"


def sizes(most):
    """10,000, 100,000 and so on, up to @most."""
    size, found = SMALLEST, []
    while size < most:
        found.append(size)
        size *= 10
    return found + [max(most, SMALLEST)]


class Setup:
    def __init__(self, bench):
        self.bench, self.folder = bench, bench.folder / "growth"
        self.programs, self.memory = {}, {}
        self.sizes = sizes(bench.options.grow_to)
        self.n_relations = 0

    def daemon(self, name):
        return self.bench.guard.add(kvsqld.Daemon(
            self.bench.build, self.folder / name, f"rocksdb://{self.folder}/{name}/data?{STORE_OPTIONS}", ROOM))

    def client(self, daemon, rows):
        return self.bench.guard.add(kvsqld.client(self.bench.build, daemon, rows))

    def say(self, text):
        self.bench.progress.detail(text)

    def fill(self, daemon, table, rows):
        self.say(f"{table}: {rows:,} rows")
        daemon.execute(kvsqld.EVENTS.format(table, kvsqld.PACKED))
        client = self.client(daemon, rows)
        client.run("bulk", table, 0, rows // 1000)
        self.bench.guard.stop(client)

    def restarted(self, daemon, name):
        """Restarts the daemon after a compaction, so that memory of the load does not count."""
        self.bench.guard.stop(daemon)
        subprocess.run([str(self.bench.build / "tests/bench/bench-store"), "--compact", str(self.folder / name / "data")], check=True)
        return self.daemon(name)

    def start(self):
        self.folder.mkdir()
        self.start_sizes()
        self.start_alone()
        self.start_among_relations()
        self.start_among_connections()

    def start_sizes(self):
        daemon = self.daemon("sizes")
        for size in self.sizes:
            self.fill(daemon, f"g{size}", size)
        self.main = self.restarted(daemon, "sizes")
        for size in self.sizes:
            self.programs[f"size {size}"] = self.client(self.main, size)

    def start_alone(self):
        daemon = self.daemon("alone")
        self.fill(daemon, "packed", SMALLEST)
        self.programs["alone"] = self.client(self.restarted(daemon, "alone"), SMALLEST)

    def start_among_relations(self):
        daemon = self.daemon("relations")
        self.fill(daemon, "packed", SMALLEST)
        self.define_relations(daemon)
        daemon = self.restarted(daemon, "relations")
        self.programs["among relations"] = self.client(daemon, SMALLEST)
        self.programs["among relations"].run("execute", "packed", 0, 100)
        self.memory["relations"] = processes.memory_of(daemon.pid)

    def define_relations(self, daemon):
        """As many as the time allows. The line of the result has the number."""
        limit = time.monotonic() + self.bench.options.define_seconds
        while self.n_relations < N_AROUND and time.monotonic() < limit:
            self.say(f"{self.n_relations:,} relations with 3 schemas each")
            names = [f"r{i}" for i in range(self.n_relations, self.n_relations + 10)]
            daemon.execute("".join(kvsqld.EVENTS.format(name, kvsqld.PACKED) + MORE_SCHEMAS.format(name) for name in names))
            self.n_relations += len(names)

    def start_among_connections(self):
        daemon = self.daemon("connections")
        self.fill(daemon, "packed", SMALLEST)
        daemon = self.restarted(daemon, "connections")
        self.say(f"{N_AROUND:,} connections")
        self.client(daemon, SMALLEST).run("hold", "-", 0, N_AROUND)
        time.sleep(IDLE_AFTER)
        self.memory["connections"] = processes.memory_of(daemon.pid, "VmRSS")
        self.programs["among connections"] = self.client(daemon, SMALLEST)

    def scan_once(self):
        """Scans the largest table page by page, with a client that keeps no page."""
        largest = self.sizes[-1]
        client = self.client(self.main, largest)
        processes.forget_peak(self.main.pid)
        client.run("scan", f"g{largest}", 0, 1)
        self.memory["scan"] = processes.memory_of(self.main.pid)
        self.memory["client"] = processes.memory_of(client.process.pid)
        self.bench.guard.stop(client)


def workloads(most):
    def by_size(command):
        return [Variant(f"{size:,} rows", f"size {size}", command, f"g{size}") for size in sizes(most)]
    return [
        Workload("scan, by rows of the table", "row", by_size("scan")),
        Workload("point select, by rows of the table", "call", by_size("execute")),
        Workload("point select, by what surrounds it", "call", [
            Variant("alone", "alone", "execute", "packed"),
            Variant("among relations", "among relations", "execute", "packed"),
            Variant("among connections", "among connections", "execute", "packed")]),
    ]


def mib(store, what, bound, value):
    return Line(store, what, f"< {bound} MiB", bound, True, lambda get: figures.summary([value]) if value else None, unit=" MiB")


def flat(store, workload, base, grown, bound, key):
    return Line(store, f"{workload}: {grown} against {base}", f"≤ {bound:g}×", bound, True,
                lambda get: figures.ratio(get(workload, grown), get(workload, base), key=key))


def lines(setup, store=STORE):
    least, most = f"{setup.sizes[0]:,} rows", f"{setup.sizes[-1]:,} rows"
    around = "point select, by what surrounds it"
    return [
        mib(store, f"kvsqld, scan of {most}", 64, setup.memory.get("scan")),
        mib(store, f"client, scan of {most}", 32, setup.memory.get("client")),
        mib(store, f"kvsqld, {N_AROUND:,} idle connections", 64, setup.memory.get("connections")),
        mib(store, f"kvsqld, {setup.n_relations:,} relations with 3 schemas each", 64, setup.memory.get("relations")),
        flat(store, around, "alone", "among relations", NO_MORE, "p50"),
        flat(store, around, "alone", "among connections", FLAT, "p50"),
        flat(store, "scan, by rows of the table", least, most, FLAT, "us"),
        flat(store, "point select, by rows of the table", least, most, FLAT, "p50"),
    ]
