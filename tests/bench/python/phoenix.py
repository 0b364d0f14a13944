# SPDX-License-Identifier: LGPL-2.1-or-later
"""phoenix.py: Apache Phoenix on the HBase of the run, with its own driver and through its query server: set-up and workloads.

Its tables have its own layout; the tuples are the same. PACKED has a covered index on DAY, as our relation has a second schema.
"""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import time
from xml.sax.saxutils import escape

import hbase
import kvsqld
import processes
import rocksdb
import servers
from rounds import Variant, Workload

STORE = "Phoenix"
HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent / "BenchPhoenix.java"
QUERY_SERVER_VERSION = "6.0.0"
START_SECONDS = 120
TABLES = ("packed", "written", "indexed")
HEAP = 1024  # MiB, of a client and of the query server
# The query server has its own versions of these jars.
NOT_FOR_QUERY_SERVER = ("jetty-", "jersey-", "javax.servlet-api")


def live():
    """tests/live/hbase, for its jars and the options of the JVM."""
    loader = importlib.machinery.SourceFileLoader("live_hbase", str(hbase.LIVE))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("live_hbase", loader))
    loader.exec_module(module)
    return module


def missing():
    """The reason why it cannot be measured; None if it can. Fetches the jars, once."""
    reason = hbase.missing()
    if reason:
        return reason
    try:
        Jars()
    except (servers.Failure, OSError) as failure:
        return str(failure)
    return None


class Jars:
    def __init__(self):
        module = live()
        self.options = [word for word in module.JAVA if not word.startswith(("-XX:TieredStopAtLevel", "-XX:+UseSerialGC"))]
        self.hbase = module.jars(module.VERSIONS[0])
        self.phoenix = module.phoenix_jars()
        self.queryserver = module.fetched(f"phoenix-queryserver-{QUERY_SERVER_VERSION}", HERE.parent / "queryserver-jars.xml",
                                          f"Phoenix's query server {QUERY_SERVER_VERSION} with Maven (once, 30 MB)")

    def java(self, folders, *arguments):
        return [*self.options, "-cp", ":".join(str(folder) for folder in folders), *arguments]

    def of_query_server(self):
        server = [jar for jar in self.queryserver.glob("*.jar") if "client" not in jar.name]
        rest = [jar for folder in (self.phoenix, self.hbase) for jar in sorted(folder.glob("*.jar"))
                if not jar.name.startswith(NOT_FOR_QUERY_SERVER)]
        return server + rest

    def of_thin_client(self):
        return [jar for jar in self.queryserver.glob("*.jar") if "client" in jar.name] + [
            jar for pattern in ("slf4j-*.jar", "reload4j-*.jar") for jar in self.hbase.glob(pattern)]


class Peer:
    """Clients and the query server."""

    def __init__(self, bench, cluster):
        self.bench, self.cluster, self.jars = bench, cluster, Jars()
        self.folder = bench.folder / "phoenix"
        self.folder.mkdir()
        self.zookeeper = cluster.live("zk")
        self.environment = hbase.java_environment(HEAP, bench.options.full)
        self.process = None

    # ---- programs

    def compile(self):
        subprocess.run(["javac", "-d", str(self.folder), str(SOURCE)], check=True)

    def log(self, name):
        return open(self.bench.folder / f"{name}.log", "ab")

    def thick_command(self):
        conf = self.cluster.folder / "hbase" / "conf"
        return self.jars.java([self.folder, conf, f"{self.jars.hbase}/*", f"{self.jars.phoenix}/*"], "BenchPhoenix",
                              f"jdbc:phoenix:{self.zookeeper}", str(self.bench.rows))

    def thin_command(self):
        return self.jars.java([self.folder, *self.jars.of_thin_client()], "BenchPhoenix",
                              f"jdbc:phoenix:thin:url=http://127.0.0.1:{self.port};serialization=PROTOBUF", str(self.bench.rows))

    def client(self, name, command, pids):
        with self.log(name) as log:
            return self.bench.guard.add(processes.Program(command, servers={**pids, **self.cluster.servers()}, log=log,
                                                              environment=self.environment))

    # ---- the query server

    def configure(self):
        settings = {"hbase.zookeeper.quorum": "127.0.0.1", "hbase.zookeeper.property.clientPort": self.zookeeper.split(":")[1],
                    "phoenix.queryserver.http.port": self.port, "phoenix.queryserver.jmxjsonendpoint.disabled": "true",
                    "hbase.defaults.for.version.skip": "true"}
        conf = self.folder / "conf"
        conf.mkdir()
        conf.joinpath("log4j.properties").write_text(live().LOGGING)
        conf.joinpath("hbase-site.xml").write_text('<?xml version="1.0"?>\n<configuration>\n' + "".join(
            f"<property><name>{escape(name)}</name><value>{escape(str(value))}</value></property>\n"
            for name, value in settings.items()) + "</configuration>\n")
        return conf

    def start_query_server(self):
        (self.port,) = servers.free_ports(1)
        command = self.jars.java([self.configure(), *self.jars.of_query_server()],
                                 "org.apache.phoenix.queryserver.server.QueryServer")
        with self.log("queryserver") as log:
            self.process = processes.start(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                           env=self.environment)
        processes.await_true(self.answers, START_SECONDS, "the query server's start")

    def answers(self):
        if self.process.poll() is not None:
            raise processes.Failure("the query server does not start:\n"
                                    + (self.bench.folder / "queryserver.log").read_text(errors="replace")[-2000:])
        return bool(servers.listening_inodes(self.port))

    def stop(self):
        if self.process:
            processes.end(self.process)

    # ---- the data

    def begin(self):
        """Creates Phoenix's system tables and the tables of the run, while other programs load theirs."""
        self.compile()
        self.thick = self.client("phoenix", self.thick_command(), {})
        for table in TABLES:
            self.thick.send("create", table)

    def await_tables(self):
        for _ in TABLES:
            self.thick.receive()
        return self

    def load(self):
        for command, table, calls in (("bulk", "packed", self.bench.rows // 1000), ("index", "packed", 1), ("index", "indexed", 1)):
            self.bench.progress.detail(f"{command} {table}")
            self.thick.run(command, table, 0, calls)


class Starter:
    """Each call is the whole life of a client: it starts, connects, and reads one tuple."""

    def __init__(self, command, environment=None):
        self.command, self.environment, self.servers = command, environment, {}

    def run(self, command, table, first, calls, threads=1):
        walls = []
        for call in range(calls):
            start = time.monotonic_ns()
            program = processes.Program(self.command, environment=self.environment, log=subprocess.DEVNULL)
            program.log = None
            rows = program.run(command, table, first + call, 1)["rows"]
            walls.append(time.monotonic_ns() - start)
            program.stop()
        return {"rows": rows * calls, "calls": calls, "wall": sum(walls), "cpu": 0, "p50": sorted(walls)[calls // 2],
                "p99": max(walls), "servers": {}}


def start(bench, peer, setup):
    """Phoenix's programs, and those of kvsqld from @setup."""
    peer.load()
    setup.main.execute(kvsqld.EVENTS.format("by_day", kvsqld.PACKED) + kvsqld.BY_DAY.format("by_day"))
    rocksdb.load(bench, setup.main, ["by_day"])
    peer.start_query_server()
    thin = peer.client("thin", peer.thin_command(), {"query server": lambda: [peer.process.pid]})
    return {"kvsqld": setup.programs["kvsqld"], "phoenix": peer.thick, "query server": thin,
            "start kvsqld": Starter([bench.build / "tests/bench/bench-client", setup.main.uri, bench.rows]),
            "start phoenix": Starter(peer.thick_command(), peer.environment),
            "start thin": Starter(peer.thin_command(), peer.environment)}


def workloads(is_full):
    """Without @is_full, only the workloads with a target."""
    def all_three(command, table):
        return [Variant("phoenix", "phoenix", command, table), Variant("query server", "query server", command, table),
                Variant("kvsqld", "kvsqld", command, table)]
    asked = [
        Workload("point select", "call", all_three("execute", "packed"), same_rows=True),
        Workload("scan of all rows", "row", all_three("scan", "packed"), same_rows=True),
        Workload("query by DAY, second schema", "row", [
            Variant("phoenix", "phoenix", "day", "packed"), Variant("query server", "query server", "day", "packed"),
            Variant("kvsqld", "kvsqld", "day", "by_day")], same_rows=True),
        Workload("bulk insert, batches of 1,000", "row", [
            *all_three("bulk", "written"), Variant("phoenix, covered index", "phoenix", "bulk", "indexed"),
            Variant("kvsqld, two schemas", "kvsqld", "bulk", "twice")], writes=True, most_calls=50),
        Workload("client start to first row", "call", [
            Variant("phoenix", "start phoenix", "execute", "packed"), Variant("query server", "start thin", "execute", "packed"),
            Variant("kvsqld", "start kvsqld", "execute", "packed")], most_runs=5 if is_full else 1,
             is_cold=True),
    ]
    more = [
        Workload("IN list of 100 keys", "call", all_three("in", "packed"), same_rows=True),
        Workload("range of 1,000 rows", "row", all_three("range", "packed"), same_rows=True),
        Workload("aggregated by day", "table row", all_three("group", "packed"), same_rows=True),
        Workload("single-row insert", "call", all_three("insert", "written"), writes=True),
    ]
    return asked + (more if is_full else [])
