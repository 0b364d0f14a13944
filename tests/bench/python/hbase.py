# SPDX-License-Identifier: LGPL-2.1-or-later
"""hbase.py: kvsqld on a live HBase, compared with a hand-written client of the same gateway: set-up and workloads.

HBase and the gateway are those of tests/live. The gateway uses the compact protocol for both clients. A full run has both of Java's
compilers, as in production. A quick run has only the first one, which warms up fast.
"""

import os
import pathlib
import re
import shutil
import subprocess

import kvsqld
import processes
import rocksdb
from rounds import Variant, Workload

STORE = "HBase"
LIVE = pathlib.Path(__file__).resolve().parents[2] / "live" / "hbase"
START_SECONDS = 900  # the first time Maven fetches the jars
# The raw client's connections stay open between workloads. By default a gateway closes them after a minute.
GATEWAY_SETTINGS = ["--set", "hbase.thrift.server.socket.read.timeout=86400000"]
# In the JVM, these options override those of its command line.
JAVA = "-Xmx{heap}m -XX:TieredStopAtLevel={level}"


def java_environment(heap, is_full):
    return {**os.environ, "_JAVA_OPTIONS": JAVA.format(heap=heap, level=4 if is_full else 1)}


def missing():
    """The reason why it cannot be measured; None if it can."""
    cache = pathlib.Path(os.environ.get("KVSQL_CACHE") or pathlib.Path.home() / ".cache" / "kvsql")
    if not shutil.which("java"):
        return "there is no java: apt-get install default-jdk-headless"
    if not shutil.which("mvn") and not list(cache.glob("hbase-*/complete")):
        return "its jars are not in the cache, and there is no mvn to fetch them: apt-get install maven"
    return None


class Cluster:
    """ZooKeeper, master and region server in one JVM, and a gateway."""

    def __init__(self, bench, with_phoenix):
        self.folder = bench.folder / "hbase"
        self.log = bench.folder / "hbase.log"
        self.with_phoenix = with_phoenix
        heap = 600 + bench.rows // (300 if with_phoenix else 600)  # of each JVM, MiB
        self.environment = java_environment(heap, bench.options.full)

    def live(self, command, *more):
        with open(self.log, "ab") as log:
            done = subprocess.run([str(LIVE), command, str(self.folder), *more], check=False, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment, timeout=START_SECONDS)
        if done.returncode != 0:
            raise processes.Failure(f"tests/live/hbase {command}:\n" + self.log.read_text(errors="replace")[-3000:])
        return done.stdout.strip()

    def start(self):
        self.url = self.live("start", "--compact", *GATEWAY_SETTINGS, *(["--phoenix"] if self.with_phoenix else []))
        self.port = re.search(r":(\d+)\?", self.url).group(1)
        self.hbase_pid, self.gateway_pid = (int(self.live("pid", name)) for name in ("hbase", "gateway1"))

    def servers(self):
        return {"gateway": lambda: [self.gateway_pid], "HBase": lambda: [self.hbase_pid]}

    def stop(self):
        self.live("stop")


class Setup:
    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.folder / "on-hbase"
        self.programs = {}

    def start(self, cluster):
        bench = self.bench
        self.folder.mkdir()
        self.main = bench.guard.add(kvsqld.Daemon(bench.build, self.folder, cluster.url))
        for name, layout in (("packed", kvsqld.PACKED), ("cells", kvsqld.CELLS), ("written", kvsqld.PACKED),
                             ("raw", kvsqld.PACKED), ("twice", kvsqld.PACKED)):
            self.main.execute(kvsqld.EVENTS.format(name, layout))
        self.main.execute(kvsqld.BY_DAY.format("twice"))
        rocksdb.load(bench, self.main, ("packed", "cells"))
        client = kvsqld.client(bench.build, self.main, bench.rows)
        client.servers.update(cluster.servers())
        self.programs["kvsqld"] = bench.guard.add(client)
        self.programs["raw"] = bench.guard.add(processes.Program(
            [bench.build / "tests/bench/bench-hbase", cluster.port, "compact", bench.rows], servers=cluster.servers()))


def workloads(is_full):
    """Labels: raw is a hand-written client of the gateway. 8 calls of scan-part read the table once. Without @is_full, only the
    workloads with a target."""
    parts = {"threads": 4, "calls": 8}
    asked = [
        Workload("point select", "call", [
            Variant("empty RPC", "kvsqld", "hello", "-"), Variant("raw", "raw", "get", "packed"),
            Variant("kvsqld", "kvsqld", "execute", "packed"), Variant("kvsqld, text", "kvsqld", "query", "packed")]),
        Workload("point selects, 16 connections", "call", [
            Variant("raw", "raw", "get", "packed", 16), Variant("kvsqld", "kvsqld", "execute", "packed", 16)],
             same_rows=True),
        Workload("IN list of 100 keys", "call", [
            Variant("raw", "raw", "multi-get", "packed"), Variant("kvsqld", "kvsqld", "in", "packed")],
             same_rows=True),
        Workload("range of 1,000 rows", "row", [
            Variant("raw", "raw", "range", "packed"), Variant("kvsqld", "kvsqld", "range", "packed")],
             same_rows=True),
        Workload("scan of all rows", "row", [
            Variant("raw", "raw", "scan", "packed"), Variant("raw, 4 connections", "raw", "scan-part", "packed", **parts),
            Variant("kvsqld", "kvsqld", "scan", "packed")],
             same_rows=True),
        Workload("aggregated in the daemon", "table row", [
            Variant("raw", "raw", "scan", "packed"), Variant("raw, 4 connections", "raw", "scan-part", "packed", **parts),
            Variant("raw, keys only", "raw", "keys", "packed"), Variant("kvsqld", "kvsqld", "group", "packed"),
            Variant("kvsqld, count", "kvsqld", "count", "packed")]),
        Workload("filter that keeps 1 %", "table row", [
            Variant("raw", "raw", "filter", "cells"), Variant("kvsqld", "kvsqld", "filter", "cells"),
            Variant("kvsqld, packed", "kvsqld", "filter", "packed")],
             same_rows=True),
        Workload("bulk insert, batches of 1,000", "row", [
            Variant("raw", "raw", "bulk", "raw"), Variant("raw, 4 connections", "raw", "bulk", "raw", 4),
            Variant("kvsqld", "kvsqld", "bulk", "written"), Variant("kvsqld, 4 connections", "kvsqld", "bulk", "written", 4),
            Variant("kvsqld, two schemas", "kvsqld", "bulk", "twice")], writes=True, most_calls=100),
        Workload("single-row insert", "call", [
            Variant("empty RPC", "kvsqld", "hello", "-"), Variant("raw", "raw", "put", "raw"),
            Variant("raw, checkAndMutate", "raw", "check-and-put", "raw"),
            Variant("kvsqld", "kvsqld", "insert", "written")], writes=True),
        Workload("single-row inserts, 16 connections", "call", [
            Variant("raw", "raw", "put", "raw", 16), Variant("raw, checkAndMutate", "raw", "check-and-put", "raw", 16)], writes=True),
    ]
    more = [
        Workload("scan of all rows, five cells", "row", [
            Variant("raw", "raw", "scan", "cells"), Variant("raw, 4 connections", "raw", "scan-part", "cells", **parts),
            Variant("kvsqld", "kvsqld", "scan", "cells")],
             same_rows=True),
    ]
    return asked + (more if is_full else [])
