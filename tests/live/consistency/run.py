# SPDX-License-Identifier: LGPL-2.1-or-later
"""run.py: clients use kvsqld while faults happen. Their requests and answers are recorded and checked.

  run --workload register --store rocksdb --fault kill --seconds 60 --seed 7
  run --check FILE.jsonl           checks a recorded history again

The history is saved in --out (default: a folder of the build). Exit status: 0 no violation, 1 violations.
"""

import argparse
import os
import pathlib
import random
import sys
import threading
import time

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "python")]
import support  # noqa: E402 pylint: disable=wrong-import-position
import faults  # noqa: E402 pylint: disable=wrong-import-position
from cluster import Cluster, ClusterSystem  # noqa: E402 pylint: disable=wrong-import-position
from checkers import CHECKERS  # noqa: E402 pylint: disable=wrong-import-position
from history import Recorder, load  # noqa: E402 pylint: disable=wrong-import-position
from system import GIVE_UP_MS, SETTING_UP_MS, TIMEOUT_MS, System  # noqa: E402 pylint: disable=wrong-import-position
from workloads import WORKLOADS, Refused, names  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position,wrong-import-order
from kvsql.ttypes import ErrorCode, SqlError  # noqa: E402
# pylint: disable-next=import-error,wrong-import-position,wrong-import-order
from thrift.transport.TTransport import TTransportException  # noqa: E402

# The errors that a client may get during a fault. Every other error is a bug.
NOT_DONE = {ErrorCode.UNAVAILABLE, ErrorCode.DEADLINE, ErrorCode.CONFLICT, ErrorCode.LIMIT}
MAYBE_DONE = {ErrorCode.UNKNOWN_OUTCOME, ErrorCode.STORE}
BROKEN = (TTransportException, OSError, EOFError)
RECOVERED = 180  # s; late_request_s, leases and looks at the log
FIRST_FAULT_S = 60
# The others notice that a daemon has ended when its session is over, which lasts 10 s, at their next look, 5 s later at most.
KILLING = ("kill", "restart")
NOTICED = 17  # s
SLACK_MS = 3000  # by which an answer may be late on a busy machine


class Worker(threading.Thread):
    """A sequence of clients: after a request with an unknown outcome, a client makes no further request, and a new client starts."""

    def __init__(self, run, index):
        super().__init__()
        self.run_, self.index = run, index
        self.random = random.Random(f"{run.options.seed}/{index}")
        self.n_lives = 0
        self.client = None

    @property
    def process(self):
        return self.index + self.n_lives * 1000

    def connect(self):
        while self.client is None and not self.run_.is_over.is_set():
            try:
                self.client = self.run_.system.connect(self.index)
            except BROKEN:
                self.run_.is_over.wait(0.02)  # polls, as there is no event when a daemon serves again
        return self.client is not None

    def reconnect(self):
        self.run_.system.forget(self.client)
        self.client = None

    def outcome(self, f, key, value):
        """(type, value, error) of the completion"""
        try:
            return "ok", self.run_.workload.carry_out(self.client, f, key, value), None
        except Refused:
            return "fail", None, None
        except SqlError as error:
            name = ErrorCode._VALUES_TO_NAMES.get(error.code, error.code)
            if error.code not in NOT_DONE | MAYBE_DONE:
                self.run_.complain(f"error {name}: {error.message}")
            return ("fail" if error.code in NOT_DONE else "info"), None, f"{name}: {error.message}"
        except BROKEN as error:
            self.reconnect()
            return "info", None, f"{type(error).__name__}: {error}"

    def carry_out(self, f, key, value):
        recorder = self.run_.recorder
        begin = time.monotonic()
        recorder.invoke(self.process, f, key, value)
        kind, result, error = self.outcome(f, key, value)
        recorder.complete(recorder.now(), self.process, kind, f, key, result, error)
        if time.monotonic() - begin > (max(TIMEOUT_MS, GIVE_UP_MS) + SLACK_MS) / 1000:
            self.run_.complain(f"an answer took {time.monotonic() - begin:.1f} s")
        self.run_.count(kind)
        if kind == "info":
            self.n_lives += 1
        return kind

    def run(self):
        try:
            while self.connect() and not self.run_.is_over.is_set():
                self.carry_out(*self.run_.workload.next(self.random))
        except Exception as error:  # pylint: disable=broad-except
            self.run_.complain(f"a client ended with {error!r}")
        if self.client is not None:
            self.reconnect()


class Run:
    """One workload under one fault."""

    def __init__(self, options):
        self.options = options
        self.is_over = threading.Event()
        self.has_happened = threading.Event()  # the fault
        self.lock = threading.Lock()
        self.complaints, self.counts = set(), {}
        prefix = f"c{os.getpid()}_{random.randrange(1 << 24):x}"
        self.system = (ClusterSystem(options.cluster, options.daemons, prefix) if options.cluster
                       else System(options.store, options.registry, options.daemons))
        self.workload = WORKLOADS[options.workload](prefix, self.system.is_atomic, options.writes)
        with self.system.connect(0, SETTING_UP_MS) as client:
            self.workload.define(client)
            self.await_definitions(client.rows("SHOW SCHEMAS"))
        self.system.tables = [f"{prefix}:{table}" for table in self.workload.tables]
        os.makedirs(options.out, exist_ok=True)
        store = "cluster" if options.cluster else options.store.split(":")[0]
        self.path = pathlib.Path(options.out) / f"{options.workload}-{store}-{options.writes}-{options.fault}-{options.seed}.jsonl"
        self.recorder = Recorder(self.path, workload=options.workload, store=store, fault=options.fault, seed=options.seed,
                                 seconds=options.seconds, clients=options.clients)

    def await_definitions(self, schemas):
        """Waits until all daemons have the definitions."""
        for index in range(1, len(self.system.daemons)):
            with self.system.connect(index, SETTING_UP_MS) as client:
                while client.rows("SHOW SCHEMAS") != schemas:
                    time.sleep(0.01)

    def complain(self, text):
        with self.lock:
            self.complaints.add(text)

    def count(self, kind):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    def await_rest(self):
        """Waits until no daemon executes a statement whose client was cut off: it may write between two of the last reads."""
        limit = time.monotonic() + 60
        for index in range(len(self.system.daemons)):
            while self.has_sessions(index):
                if time.monotonic() > limit:
                    self.complain(f"daemon {index} has sessions 60 s after their clients have left")
                    return
                time.sleep(0.01)

    def await_recovery(self):
        """Waits until what daemons have left unfinished is finished by others, and no request can be late any more."""
        if self.options.fault in KILLING:
            time.sleep(NOTICED)
        limit = time.monotonic() + RECOVERED
        for index in range(len(self.system.daemons)):
            while (left := self.count_left(index)) != ["0", "0"]:
                if time.monotonic() > limit:
                    self.complain(f"daemon {index} has {left} unfinished and late statements {RECOVERED} s after the last fault")
                    return
                time.sleep(0.1)

    def count_left(self, index):
        try:
            with self.system.connect(index, SETTING_UP_MS) as client:
                status = dict(client.rows("SHOW STATUS"))
        except BROKEN:
            return None
        return [status["unfinished statements"].split()[0], status["finished statements that may still be late"]]

    def has_sessions(self, index):
        """Whether the daemon serves another client, or does not serve yet after the last fault."""
        try:
            with self.system.connect(index, SETTING_UP_MS) as client:
                return len(client.rows("SHOW SESSIONS")) > 1
        except BROKEN:
            return True

    def read_all(self):
        """After the end of the faults, reads everything once more."""
        self.await_rest()
        if self.workload.is_checked:
            self.await_recovery()
        self.is_over.clear()
        reader = Worker(self, self.options.clients)
        self.read_each(reader, self.workload.last_reads())
        with self.system.connect(0, SETTING_UP_MS) as client:
            self.workload.mend(client)
        self.read_each(reader, self.workload.reads_of_mended())
        reader.reconnect()

    def read_each(self, reader, reads):
        for f, key, value in reads:
            limit = time.monotonic() + 60
            while not (reader.connect() and reader.carry_out(f, key, value) == "ok"):
                if time.monotonic() > limit:
                    self.complain(f"key {key} cannot be read 60 s after the last fault")
                    return

    def end(self):
        """After the time of the run. On a busy machine, a short one waits for its first fault."""
        self.has_happened.wait(FIRST_FAULT_S)
        self.is_over.set()

    def play(self):
        workers = [Worker(self, index) for index in range(self.options.clients)]
        timer = threading.Timer(self.options.seconds, self.end)
        for worker in workers:
            worker.start()
        timer.start()
        n_faults = faults.play(self.system, random.Random(self.options.seed), self.options.fault, self.recorder, self.is_over,
                               self.has_happened)
        timer.join()
        for worker in workers:
            worker.join()
        self.read_all()
        self.recorder.close()
        statuses = self.system.stop()
        if any(statuses):
            self.complain(f"kvsqld ended with {statuses}")
        return n_faults

    def check(self):
        """The list of violations."""
        n_faults = self.play()
        _, operations = load(self.path)
        found = CHECKERS[self.options.workload](operations) + sorted(self.complaints)
        if self.options.fault != "none" and n_faults == 0:
            found.append("the fault never happened")
        if not self.counts.get("ok"):
            found.append("nothing was done")
        print(f"# {self.path.stem}: {len(operations)} operations {self.counts}, "
              f"{n_faults} times {self.options.fault}, seed {self.options.seed}: {self.path}", flush=True)
        return found


def default_folder():
    return support.TOP_BUILD / "tests" / "live" / "consistency" / "recorded"


def parse(arguments):
    """Also used by the tests, which run for fewer seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", choices=[*WORKLOADS, "all"], default="all")
    parser.add_argument("--store", default="rocksdb", help="rocksdb, memory (of the run alone), or a URL")
    parser.add_argument("--registry", help="a URL; needed for several daemons")
    parser.add_argument("--cluster", action="store_true",
                        help="start an HBase with two gateways and a ZooKeeper of three servers, and break those, too")
    parser.add_argument("--tls", action="store_true", help="with --cluster: to its gateways over HTTPS")
    parser.add_argument("--writes", choices=["plain", "checked"], default="plain", help="of the relations, on HBase")
    parser.add_argument("--daemons", type=int, default=1)
    parser.add_argument("--fault", choices=[*faults.CLUSTER_FAULTS, "all"], default="none")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each workload and fault")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--out", default=str(default_folder()))
    parser.add_argument("--check", metavar="FILE", help="only check this history")
    options = parser.parse_args(arguments)
    if options.fault not in (*faults.FAULTS, "all") and not options.cluster:
        parser.error(f"--fault {options.fault} needs --cluster")
    return options


def run_all(options):
    """(workload, fault, violations) of each run."""
    options.cluster = Cluster(options.tls) if options.cluster else None
    is_plain = options.writes == "plain" and (options.cluster is not None or options.store.startswith("hbase"))
    every = names(False) if is_plain else WORKLOADS
    for workload in every if options.workload == "all" else [options.workload]:
        known = faults.CLUSTER_FAULTS if options.cluster else faults.FAULTS
        for fault in known if options.fault == "all" else [options.fault]:
            one = argparse.Namespace(**{**vars(options), "workload": workload, "fault": fault})
            yield workload, fault, Run(one).check()


def main():
    options = parse(sys.argv[1:])
    if options.check:
        run, operations = load(options.check)
        results = [(run["workload"], run.get("fault"), CHECKERS[run["workload"]](operations))]
    else:
        results = run_all(options)
    is_well = True
    for workload, fault, reasons in results:
        for reason in reasons[:20]:
            print(f"{workload}, {fault}: {reason}")
        print(f"{workload}, {fault}: {'well' if not reasons else f'{len(reasons)} things wrong'}", flush=True)
        is_well = is_well and not reasons
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
