# SPDX-License-Identifier: LGPL-2.1-or-later
"""rocksdb.py: kvsqld on RocksDB beside RocksDB's C API, and what is measured there."""

import shutil
import subprocess

import kvsqld
import processes
from turns import Party, Work

STORE = "RocksDB"


def load(bench, daemon, tables):
    program = kvsqld.client(bench.build, daemon, bench.rows)
    for table in tables:
        program.run("bulk", table, 0, bench.rows // 1000)
    program.stop()


class Setup:
    """Two databases with the same tuples, both compacted: kvsqld's, and one of the raw program's own."""

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
            ("packed", kvsqld.PACKED), ("cells", kvsqld.CELLS), ("written", kvsqld.PACKED), ("imported", kvsqld.PACKED),
            ("twice", kvsqld.PACKED))) + kvsqld.BY_DAY.format("twice"))
        load(bench, daemon, ("packed", "cells"))
        bench.guard.stop(daemon)
        subprocess.run([str(bench.build / "tests/bench/bench-store"), "--compact", str(data)], check=True)
        shutil.copytree(data, self.folder / "copy")
        shutil.copytree(data, self.folder / "single-data")
        shutil.copytree(self.folder / "loader/registry", self.folder / "single/registry")
        self.start_programs(data)

    def client(self, daemon):
        return self.bench.guard.add(kvsqld.client(self.bench.build, daemon, self.bench.rows))

    def start_single(self):
        """One that reads a long scan by one thread."""
        url = f"rocksdb://{self.folder}/single-data?sync=false"
        try:
            return self.daemon("single", url, "scan_workers = 1")
        except processes.Failure:
            return self.daemon("single", url)  # an older kvsqld, which has no more

    def start_programs(self, data):
        bench = self.bench
        # The registry goes with the data.
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


def works():
    """Labels: raw is RocksDB's C API, store our store without kvsqld."""
    return [
        Work("point select", "call", [
            Party("empty RPC", "kvsqld", "hello", "-"), Party("raw", "raw", "raw-get", "packed"),
            Party("store", "raw", "store-get", "packed"), Party("kvsqld", "kvsqld", "execute", "packed"),
            Party("kvsqld, text", "kvsqld", "query", "packed"), Party("postgresql", "postgresql", "execute", "packed")]),
        Work("point selects, 16 connections", "call", [
            Party("empty RPC", "kvsqld", "hello", "-", 16), Party("raw", "raw", "raw-get", "packed", 16),
            Party("kvsqld", "kvsqld", "execute", "packed", 16), Party("postgresql", "postgresql", "execute", "packed", 16)],
             same_rows=True),
        Work("IN list of 100 keys", "call", [
            Party("raw", "raw", "raw-multi-get", "packed"), Party("kvsqld", "kvsqld", "in", "packed"),
            Party("postgresql", "postgresql", "in", "packed")],
             same_rows=True),
        Work("range of 1,000 rows", "row", [
            Party("raw", "raw", "raw-range", "packed"), Party("store", "raw", "store-range", "packed"),
            Party("kvsqld", "kvsqld", "range", "packed"), Party("postgresql", "postgresql", "range", "packed")],
             same_rows=True),
        Work("scan of all rows", "row", [
            Party("raw", "raw", "raw-scan", "packed"), Party("store", "raw", "store-scan", "packed"),
            Party("kvsqld", "kvsqld", "scan", "packed"), Party("kvsqld, one thread", "kvsqld one thread", "scan", "packed"),
            Party("postgresql", "postgresql", "scan", "packed")],
             same_rows=True),
        Work("aggregated in the daemon", "table row", [
            Party("raw", "raw", "raw-scan", "packed"), Party("kvsqld", "kvsqld", "group", "packed"),
            Party("kvsqld, one thread", "kvsqld one thread", "group", "packed"),
            Party("kvsqld, count", "kvsqld", "count", "packed"), Party("postgresql", "postgresql", "group", "packed")]),
        Work("filter that keeps 1 %", "table row", [
            Party("raw", "raw", "raw-filter", "packed"), Party("kvsqld", "kvsqld", "filter", "packed"),
            Party("kvsqld, one thread", "kvsqld one thread", "filter", "packed"),
            Party("postgresql", "postgresql", "filter", "packed")],
             same_rows=True),
        Work("bulk insert, batches of 1,000", "row", [
            Party("raw", "raw", "raw-bulk", "written"), Party("store", "raw", "store-bulk", "written"),
            Party("kvsqld", "kvsqld", "bulk", "written"), Party("kvsqld, two schemas", "kvsqld", "bulk", "twice"),
            Party("kvsqlctl import", "import", "import", "imported"),
            Party("postgresql", "postgresql", "bulk", "written"), Party("postgresql, COPY", "postgresql", "copy", "copied")],
             writes=True, most_calls=200),
        Work("single-row insert", "call", [
            Party("empty RPC", "kvsqld", "hello", "-"), Party("raw", "raw", "raw-put", "written"),
            Party("store", "raw", "store-put", "written"), Party("kvsqld", "kvsqld", "insert", "written"),
            Party("postgresql", "postgresql", "insert", "written")], writes=True),
        Work("single-row insert, to the disk", "call", [
            Party("empty RPC", "kvsqld", "hello", "-"), Party("raw", "raw", "raw-put-sync", "synced"),
            Party("kvsqld", "kvsqld synced", "insert", "synced"),
            Party("postgresql", "postgresql synced", "insert", "synced")], writes=True),
        Work("point select, five cells", "call", [
            Party("raw", "raw", "raw-get", "cells"), Party("store", "raw", "store-get", "cells"),
            Party("kvsqld", "kvsqld", "execute", "cells")],
             same_rows=True),
        Work("scan of all rows, five cells", "row", [
            Party("raw", "raw", "raw-scan", "cells"), Party("store", "raw", "store-scan", "cells"),
            Party("kvsqld", "kvsqld", "scan", "cells")],
             same_rows=True),
    ]
