# SPDX-License-Identifier: LGPL-2.1-or-later
"""bench.py: a run: its steps in order, and their results.

A store or a peer that fails is recorded, and the run continues with the others. Results from before an interruption are kept.
"""

import subprocess

import growth
import hbase
import phoenix
import postgresql
import processes
import progress
import rocksdb
import servers
import targets
import rounds

EXPECTED = (processes.Failure, servers.Failure, subprocess.SubprocessError, OSError)


class Bench:
    def __init__(self, options, folder, guard):
        self.options, self.folder, self.guard = options, folder, guard
        self.build, self.rows = options.build, options.rows
        self.stores = {}  # name → rounds.Rounds
        self.lines, self.memory, self.failures = [], {}, []
        self.progress = progress.Progress(self.plan())

    # ---- the steps, and their estimated time

    def wants(self, workload):
        return not self.options.only or self.options.only in workload.title

    def measuring_seconds(self, workloads):
        per_round = max(self.options.round_seconds, self.rows / 1_000_000)
        return [(workload.title, len(workload.variants) * (self.options.runs + 2) * per_round) for workload in workloads
                if self.wants(workload)]

    def loading_seconds(self):
        return (30 if "phoenix" in self.options.peers else 5) + self.rows / 15_000

    def plan(self):
        plan = []
        if "rocksdb" in self.options.stores:
            plan.append(("RocksDB: making the data", 3 + self.rows / 30_000))
            if "postgresql" in self.options.peers:
                plan.append(("PostgreSQL: starting, making the data", 5 + self.rows / 100_000))
            plan += [(f"RocksDB: {title}", seconds) for title, seconds in self.measuring_seconds(rocksdb.workloads())]
        if "growth" in self.options.stores:
            plan.append(("Growth: making the data", 10 + self.options.define_seconds + self.options.grow_to / 50_000))
            plan += [(f"Growth: {title}", seconds * 2) for title, seconds in self.measuring_seconds(growth.workloads(self.options.grow_to))]
        if "hbase" in self.options.stores:
            plan += [("HBase: starting", 30), ("HBase: making the data", self.loading_seconds()),
                     ("HBase: warming up", self.options.warm_seconds)]
            plan += [(f"HBase: {title}", 2 * seconds) for title, seconds in self.measuring_seconds(hbase.workloads(self.options.full))]
            if "phoenix" in self.options.peers:
                plan += [("Phoenix: making the data", 15 + self.rows / 8_000),
                         ("Phoenix: warming up", self.options.warm_seconds)]
                workloads = phoenix.workloads(self.options.full)
                plan += [(f"Phoenix: {title}", 4 * seconds) for title, seconds in self.measuring_seconds(workloads)]
        return plan

    # ---- the run

    def attempt(self, what, do, *arguments):
        """Returns the result of the call, or None after recording the failure."""
        try:
            return do(*arguments)
        except EXPECTED as failure:
            self.failures.append(f"{what}: {failure}")
            self.progress.note(f"{what} failed: {failure}")
            return None

    def measure(self, store, programs, workloads, make_lines):
        """@make_lines: returns the targets to judge, also if the measurement ends early."""
        measured = rounds.Rounds(store, programs, self.rows, self.options, self.progress)
        self.stores[store] = measured
        try:
            for workload in workloads:
                if self.wants(workload):
                    self.progress.begin(f"{store}: {workload.title}")
                    self.attempt(f"{store}: {workload.title}", measured.measure, workload)
        finally:
            self.remember_peaks(store, programs)
            judged = [line.judge(measured.get) for line in make_lines()]
            self.lines += [line for line in judged if line["measured"] or not self.options.only]

    def warm_up(self, store, programs, workloads):
        self.progress.begin(f"{store}: warming up")
        workloads = [workload for workload in workloads if self.wants(workload)]
        rounds.Rounds(store, programs, self.rows, self.options, self.progress).warm_up(workloads, self.options.warm_seconds)

    def remember_peaks(self, store, programs):
        for program in programs.values():
            for name, pids in program.servers.items():
                mib = sum(processes.memory_of(pid) for pid in pids())
                name = f"{name} ({store})" if name == "kvsqld" else name
                self.memory[name] = max(self.memory.get(name, 0), mib)

    def start_postgresql(self):
        self.progress.begin("PostgreSQL: starting, making the data")
        (port,) = servers.free_ports(1)
        return postgresql.start(self, port)

    def run_rocksdb(self):
        self.progress.begin("RocksDB: making the data")
        setup = rocksdb.Setup(self)
        setup.start()
        if "postgresql" in self.options.peers:
            setup.programs.update(self.attempt("PostgreSQL", self.start_postgresql) or {})
        self.measure(rocksdb.STORE, setup.programs, rocksdb.workloads(), targets.rocksdb)

    def run_growth(self):
        self.progress.begin("Growth: making the data")
        setup = growth.Setup(self)
        setup.start()
        setup.scan_once()
        self.measure(growth.STORE, setup.programs, growth.workloads(self.options.grow_to), lambda: growth.lines(setup))

    def begin_phoenix(self, cluster):
        peer = self.guard.add(phoenix.Peer(self, cluster))
        peer.begin()
        return peer

    def run_hbase(self):
        self.progress.begin("HBase: starting")
        cluster = self.guard.add(hbase.Cluster(self, with_phoenix="phoenix" in self.options.peers))
        cluster.start()
        self.progress.begin("HBase: making the data")
        peer = self.attempt("Phoenix", self.begin_phoenix, cluster) if cluster.with_phoenix else None
        setup = hbase.Setup(self)
        setup.start(cluster)
        if peer:
            self.progress.detail("Phoenix makes its tables")
            peer = self.attempt("Phoenix", peer.await_tables)
        workloads = hbase.workloads(self.options.full)
        self.warm_up(hbase.STORE, setup.programs, workloads)
        self.measure(hbase.STORE, setup.programs, workloads, targets.hbase)
        if peer:
            self.attempt("Phoenix", self.run_phoenix, peer, setup)

    def run_phoenix(self, peer, setup):
        self.progress.begin("Phoenix: making the data")
        programs = phoenix.start(self, peer, setup)
        workloads = phoenix.workloads(self.options.full)
        self.warm_up(phoenix.STORE, programs, workloads)
        self.measure(phoenix.STORE, programs, workloads, lambda: targets.phoenix(self.memory))

    def run(self, checkpoint):
        """@checkpoint is called after each store."""
        for name, do in (("rocksdb", self.run_rocksdb), ("growth", self.run_growth), ("hbase", self.run_hbase)):
            if name in self.options.stores:
                self.attempt(name, do)
                self.guard.stop_all()
                checkpoint()
        self.progress.finish()
        self.progress.clear()
