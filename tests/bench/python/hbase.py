# SPDX-License-Identifier: LGPL-2.1-or-later
"""hbase.py: kvsqld on a live HBase beside a hand-written client of the same gateway, and what is measured there.

HBase and the gateway are those of tests/live. The gateway speaks the compact protocol, to both. In a full run they have both of
Java's compilers, as a server in use has; a quick one leaves them the first, which is soon warm.
"""

import os
import pathlib
import re
import shutil
import subprocess

import kvsqld
import processes
import rocksdb
from turns import Party, Work

STORE = "HBase"
LIVE = pathlib.Path(__file__).resolve().parents[2] / "live" / "hbase"
START_SECONDS = 900  # the first time Maven fetches the jars
# The raw client's connections are kept from work to work; a gateway closes them after a minute otherwise.
GATEWAY_SETTINGS = ["--set", "hbase.thrift.server.socket.read.timeout=86400000"]
# The JVM takes these over what stands in its command line.
JAVA = "-Xmx{heap}m -XX:TieredStopAtLevel={level}"


def java_environment(heap, is_full):
    return {**os.environ, "_JAVA_OPTIONS": JAVA.format(heap=heap, level=4 if is_full else 1)}


def missing():
    """Why it cannot take part; None if it can."""
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


def works(is_full):
    """Labels: raw is a client of the gateway written by hand. 8 calls of scan-part read the table once. Without @is_full those that a
    target is about."""
    parts = {"threads": 4, "calls": 8}
    asked = [
        Work("point select", "call", [
            Party("empty RPC", "kvsqld", "hello", "-"), Party("raw", "raw", "get", "packed"),
            Party("kvsqld", "kvsqld", "execute", "packed"), Party("kvsqld, text", "kvsqld", "query", "packed")]),
        Work("point selects, 16 connections", "call", [
            Party("raw", "raw", "get", "packed", 16), Party("kvsqld", "kvsqld", "execute", "packed", 16)],
             same_rows=True),
        Work("IN list of 100 keys", "call", [
            Party("raw", "raw", "multi-get", "packed"), Party("kvsqld", "kvsqld", "in", "packed")],
             same_rows=True),
        Work("range of 1,000 rows", "row", [
            Party("raw", "raw", "range", "packed"), Party("kvsqld", "kvsqld", "range", "packed")],
             same_rows=True),
        Work("scan of all rows", "row", [
            Party("raw", "raw", "scan", "packed"), Party("raw, 4 connections", "raw", "scan-part", "packed", **parts),
            Party("kvsqld", "kvsqld", "scan", "packed")],
             same_rows=True),
        Work("aggregated in the daemon", "table row", [
            Party("raw", "raw", "scan", "packed"), Party("raw, 4 connections", "raw", "scan-part", "packed", **parts),
            Party("raw, keys only", "raw", "keys", "packed"), Party("kvsqld", "kvsqld", "group", "packed"),
            Party("kvsqld, count", "kvsqld", "count", "packed")]),
        Work("filter that keeps 1 %", "table row", [
            Party("raw", "raw", "filter", "cells"), Party("kvsqld", "kvsqld", "filter", "cells"),
            Party("kvsqld, packed", "kvsqld", "filter", "packed")],
             same_rows=True),
        Work("bulk insert, batches of 1,000", "row", [
            Party("raw", "raw", "bulk", "raw"), Party("raw, 4 connections", "raw", "bulk", "raw", 4),
            Party("kvsqld", "kvsqld", "bulk", "written"), Party("kvsqld, 4 connections", "kvsqld", "bulk", "written", 4),
            Party("kvsqld, two schemas", "kvsqld", "bulk", "twice")], writes=True, most_calls=100),
        Work("single-row insert", "call", [
            Party("empty RPC", "kvsqld", "hello", "-"), Party("raw", "raw", "put", "raw"),
            Party("kvsqld", "kvsqld", "insert", "written")], writes=True),
    ]
    more = [
        Work("scan of all rows, five cells", "row", [
            Party("raw", "raw", "scan", "cells"), Party("raw, 4 connections", "raw", "scan-part", "cells", **parts),
            Party("kvsqld", "kvsqld", "scan", "cells")],
             same_rows=True),
    ]
    return asked + (more if is_full else [])
