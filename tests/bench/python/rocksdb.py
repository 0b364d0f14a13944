# SPDX-License-Identifier: LGPL-2.1-or-later
"""rocksdb.py: kvsqld on RocksDB, compared with RocksDB's C API: set-up and workloads."""

import shutil
import subprocess

import kvsqld
import processes
from rounds import Variant, Workload

STORE = "RocksDB"


def load(bench, daemon, tables):
    program = kvsqld.client(bench.build, daemon, bench.rows)
    for table in tables:
        program.run("bulk", table, 0, bench.rows // 1000)
    program.stop()


class Setup:
    """Two databases with the same tuples, both compacted: one of kvsqld, and one of the raw program."""

    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.folder / "rocksdb"
        self.programs = {}

    def daemon(self, name, url, settings=""):
        return self.bench.guard.add(kvsqld.Daemon(self.bench.build, self.folder / name, url, settings))

    def start(self):
        bench, data = self.bench, self.folder / "data"
        self.folder.mkdir()
        daemon = self.daemon("loader", f"rocksdb://{data}?sync=false")
        daemon.execute("".join(kvsqld.EVENTS.format(name, layout) for name, layout in (
            ("packed", kvsqld.PACKED), ("cells", kvsqld.CELLS), ("lines", kvsqld.LINES), ("written", kvsqld.PACKED),
            ("imported", kvsqld.PACKED), ("twice", kvsqld.PACKED))) + kvsqld.BY_DAY.format("twice"))
        load(bench, daemon, ("packed", "cells", "lines"))
        bench.guard.stop(daemon)
        subprocess.run([str(bench.build / "tests/bench/bench-store"), "--compact", str(data)], check=True)
        shutil.copytree(data, self.folder / "copy")
        shutil.copytree(data, self.folder / "single-data")
        shutil.copytree(self.folder / "loader/registry", self.folder / "single/registry")
        self.start_programs(data)

    def client(self, daemon):
        return self.bench.guard.add(kvsqld.client(self.bench.build, daemon, self.bench.rows))

    def start_single(self):
        """A kvsqld that reads a long scan with one thread."""
        url = f"rocksdb://{self.folder}/single-data?sync=false"
        try:
            return self.daemon("single", url, "scan_workers = 1")
        except processes.Failure:
            return self.daemon("single", url)  # an older kvsqld, which always has one

    def start_programs(self, data):
        bench = self.bench
        # The registry belongs to the data.
        self.main = self.daemon("loader", f"rocksdb://{data}?sync=false")
        self.programs["kvsqld"] = self.client(self.main)
        self.programs["kvsqld one thread"] = self.client(self.start_single())
        synced = self.daemon("synced", f"rocksdb://{self.folder}/synced/data?sync=true")
        synced.execute(kvsqld.EVENTS.format("synced", kvsqld.PACKED))
        self.programs["kvsqld synced"] = self.client(synced)
        self.programs["raw"] = bench.guard.add(processes.Program(
            [bench.build / "tests/bench/bench-store", f"rocksdb://{self.folder}/copy?sync=false", bench.rows,
             self.folder / "raw"]))
        self.programs["import"] = kvsqld.Importer(bench.build, self.main, self.folder)


def workloads():
    """Labels: raw is RocksDB's C API, store is kvsql's store without kvsqld."""
    return [
        Workload("point select", "call", [
            Variant("empty RPC", "kvsqld", "hello", "-"), Variant("raw", "raw", "raw-get", "packed"),
            Variant("store", "raw", "store-get", "packed"), Variant("kvsqld", "kvsqld", "execute", "packed"),
            Variant("kvsqld, text", "kvsqld", "query", "packed"), Variant("postgresql", "postgresql", "execute", "packed")]),
        Workload("point selects, 16 connections", "call", [
            Variant("empty RPC", "kvsqld", "hello", "-", 16), Variant("raw", "raw", "raw-get", "packed", 16),
            Variant("kvsqld", "kvsqld", "execute", "packed", 16), Variant("postgresql", "postgresql", "execute", "packed", 16)],
             same_rows=True),
        Workload("IN list of 100 keys", "call", [
            Variant("raw", "raw", "raw-multi-get", "packed"), Variant("kvsqld", "kvsqld", "in", "packed"),
            Variant("postgresql", "postgresql", "in", "packed")],
             same_rows=True),
        Workload("range of 1,000 rows", "row", [
            Variant("raw", "raw", "raw-range", "packed"), Variant("store", "raw", "store-range", "packed"),
            Variant("kvsqld", "kvsqld", "range", "packed"), Variant("postgresql", "postgresql", "range", "packed")],
             same_rows=True),
        Workload("scan of all rows", "row", [
            Variant("raw", "raw", "raw-scan", "packed"), Variant("store", "raw", "store-scan", "packed"),
            Variant("kvsqld", "kvsqld", "scan", "packed"), Variant("kvsqld, one thread", "kvsqld one thread", "scan", "packed"),
            Variant("postgresql", "postgresql", "scan", "packed")],
             same_rows=True),
        Workload("aggregated in the daemon", "table row", [
            Variant("raw", "raw", "raw-scan", "packed"), Variant("kvsqld", "kvsqld", "group", "packed"),
            Variant("kvsqld, one thread", "kvsqld one thread", "group", "packed"),
            Variant("kvsqld, count", "kvsqld", "count", "packed"), Variant("postgresql", "postgresql", "group", "packed")]),
        Workload("filter that keeps 1 %", "table row", [
            Variant("raw", "raw", "raw-filter", "packed"), Variant("kvsqld", "kvsqld", "filter", "packed"),
            Variant("kvsqld, one thread", "kvsqld one thread", "filter", "packed"),
            Variant("postgresql", "postgresql", "filter", "packed")],
             same_rows=True),
        Workload("bulk insert, batches of 1,000", "row", [
            Variant("raw", "raw", "raw-bulk", "written"), Variant("store", "raw", "store-bulk", "written"),
            Variant("kvsqld", "kvsqld", "bulk", "written"), Variant("kvsqld, two schemas", "kvsqld", "bulk", "twice"),
            Variant("kvsqlctl import", "import", "import", "imported"),
            Variant("postgresql", "postgresql", "bulk", "written"), Variant("postgresql, COPY", "postgresql", "copy", "copied")],
             writes=True, most_calls=200),
        Workload("single-row insert", "call", [
            Variant("empty RPC", "kvsqld", "hello", "-"), Variant("raw", "raw", "raw-put", "written"),
            Variant("store", "raw", "store-put", "written"), Variant("kvsqld", "kvsqld", "insert", "written"),
            Variant("postgresql", "postgresql", "insert", "written")], writes=True),
        Workload("single-row insert, to the disk", "call", [
            Variant("empty RPC", "kvsqld", "hello", "-"), Variant("raw", "raw", "raw-put-sync", "synced"),
            Variant("kvsqld", "kvsqld synced", "insert", "synced"),
            Variant("postgresql", "postgresql synced", "insert", "synced")], writes=True),
        Workload("point select, five cells", "call", [
            Variant("raw", "raw", "raw-get", "cells"), Variant("store", "raw", "store-get", "cells"),
            Variant("kvsqld", "kvsqld", "execute", "cells")],
             same_rows=True),
        Workload("scan of all rows, five cells", "row", [
            Variant("raw", "raw", "raw-scan", "cells"), Variant("store", "raw", "store-scan", "cells"),
            Variant("kvsqld", "kvsqld", "scan", "cells"), Variant("kvsqld, CELLS", "kvsqld", "scan", "lines")],
             same_rows=True),
    ]
