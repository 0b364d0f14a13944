#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The anchors of deleted tuples are removed while clients of three kvsqld write the same keys again, and daemons are killed.

Each client has keys of its own and knows what they may have. Afterwards all schemas, read without kvsqld, have that; VERIFY finds
nothing; and there is an anchor for each tuple and for nothing else.
"""

import collections
import os
import random
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

import thrift2  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, SqlError  # noqa: E402 pylint: disable=wrong-import-position
from pair import ZooKeeper, wait_for  # noqa: E402 pylint: disable=wrong-import-position
from thrift.transport.TTransport import TTransportException  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = int(os.environ.get("KVSQL_TEST_SECONDS") or 80)
SEED = int(os.environ.get("KVSQL_TEST_SEED") or time.time())
DAEMONS = 3
CLIENTS = 4  # of each daemon
KEYS = 16  # of each client
LATE_REQUEST_S, GRACE_S, INTERVAL_S = 4, 5, 1
CONFIGURATION = (f"[kvsqld]\nlate_request_s = {LATE_REQUEST_S}\ndelete_grace_s = {GRACE_S}\n"
                 f"anchor_cleanup_interval_s = {INTERVAL_S}\ntimestamp_lease_s = 10\n")
# Of a key, at most: so its anchor can go. It has to be as old as configured; older, while the log has entries of a killed daemon.
PAUSE_S = 60
BETWEEN_KILLS_S = 16
SETTLED = 120  # s: the session of a killed daemon lasts 10 s, its lease 10 s, and its late requests as configured
DEFINITIONS = (
    "DEFINE RELATION e { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = checked)",
    "DEFINE PRIMARY SCHEMA e_p FOR e { TABLE 'e_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
    "DEFINE SCHEMA e_s FOR e { TABLE 'e_s', ROW text(3){v}:text(6){k}, FAMILY 'f', VALUE text(9){w} }",
)
# of no daemon that is there, of no certain outcome, of a lost race
GOES_ON = ("08006", "40003", "40001")


class Writer(threading.Thread):
    """Writes its keys through one daemon after the other. @may: what each key may have; more than one if that is not known."""

    def __init__(self, cleanup, number):
        super().__init__()
        self.cleanup, self.number = cleanup, number
        self.random = random.Random(f"{SEED} {number}")
        self.may = {number * KEYS + i: {None} for i in range(KEYS)}
        self.rests = {key: 0.0 for key in self.may}
        self.failure = None
        self.outcomes = collections.Counter()

    def run(self):
        try:
            while not self.cleanup.is_stopping:
                self.connect()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def connect(self):
        try:
            with Client(("127.0.0.1", self.cleanup.daemons[self.number % DAEMONS].port), timeout_ms=60000) as client:
                while not self.cleanup.is_stopping:
                    self.write(client)
        except (TTransportException, OSError, EOFError):
            time.sleep(0.1)

    def write(self, client):
        now = time.monotonic()
        keys = [key for key in self.may if self.rests[key] < now]
        if not keys:
            time.sleep(0.05)
            return
        kind = self.random.choice(("insert", "insert", "load", "conflict", "update", "move", "move", "delete", "delete"))
        v, w = self.random.randrange(1, 9), self.random.randrange(1000)
        getattr(self, kind)(client, keys, (v, w))

    def execute(self, client, statement, keys, change):
        """@change: of a tuple or None; keys that change are unknown until the answer is there."""
        after = {key: {change(key, before) for before in self.may[key]} for key in keys}
        before = {key: self.may[key] for key in keys}
        for key in keys:
            self.may[key] = before[key] | after[key]
        try:
            client.query(statement)
        except SqlError as error:
            if error.sqlstate not in GOES_ON:
                raise
            self.outcomes[error.sqlstate] += 1
            return
        self.outcomes["done"] += 1
        for key in keys:
            self.may[key] = after[key]

    def insert(self, client, keys, tuple_):
        key = self.random.choice(keys)
        self.execute(client, f"INSERT INTO e VALUES ({key}, {tuple_[0]}, {tuple_[1]})", [key], lambda *_: tuple_)

    def load(self, client, keys, tuple_):
        values = ", ".join(f"({key}, {tuple_[0]}, {tuple_[1]})" for key in keys)
        self.execute(client, f"INSERT INTO e VALUES {values}", keys, lambda *_: tuple_)

    def conflict(self, client, keys, tuple_):
        key = self.random.choice(keys)
        self.execute(client, f"INSERT INTO e VALUES ({key}, {tuple_[0]}, {tuple_[1]}) ON CONFLICT DO UPDATE SET v = 9", [key],
                     lambda _, before: before and (9, before[1]) or tuple_)

    def update(self, client, keys, tuple_):
        key = self.random.choice(keys)
        self.execute(client, f"UPDATE e SET v = {tuple_[0]} WHERE k = {key}", [key],
                     lambda _, before: before and (tuple_[0], before[1]))

    def move(self, client, keys, _):
        """From a key that certainly has a tuple to one that certainly has none."""
        sources = [key for key in keys if len(self.may[key]) == 1 and None not in self.may[key]]
        targets = [key for key in keys if self.may[key] == {None}]
        if not sources or not targets:
            return
        source, target = self.random.choice(sources), self.random.choice(targets)
        moved, = self.may[source]
        self.execute(client, f"UPDATE e SET k = {target} WHERE k = {source}", [source, target],
                     lambda key, _: moved if key == target else None)

    def delete(self, client, keys, _):
        some = self.random.sample(keys, min(len(keys), self.random.randrange(1, 4)))
        self.execute(client, f"DELETE FROM e WHERE k IN ({', '.join(map(str, some))})", some, lambda *_: None)
        for key in some[:max(0, len(keys) - KEYS // 2)]:  # half of the keys are in use
            self.rests[key] = time.monotonic() + self.random.random() * PAUSE_S


class Cleanup:
    def __init__(self):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        self.namespace = f"cleanup{os.getpid()}"
        self.url = f"{url}{'&' if '?' in url else '?'}namespace={self.namespace}"
        self.hbase_url = url
        self.zookeeper = ZooKeeper()
        self.daemons = [self.start() for _ in range(DAEMONS)]
        self.is_stopping = False
        self.n_kills = self.n_removed = 0
        for definition in DEFINITIONS:
            self.client(0).query(definition)
        self.writers = [Writer(self, number) for number in range(DAEMONS * CLIENTS)]

    def start(self):
        return support.Daemon(store=self.url, registry=self.zookeeper.url, configuration=CONFIGURATION)

    def client(self, number):
        return Client(("127.0.0.1", self.daemons[number].port), timeout_ms=60000)

    def status(self, number):
        with self.client(number) as client:
            return dict(client.rows("SHOW STATUS"))

    def count_removed(self, numbers):
        return sum(int(self.status(number)["anchors of deleted tuples removed"]) for number in numbers)

    def kill_one(self, number):
        """Any of them; another one comes in its place."""
        self.n_removed += self.count_removed([number])
        daemon = self.daemons[number]
        daemon.process.kill()
        daemon.process.wait()
        self.daemons[number] = self.start()
        self.n_kills += 1

    def cells(self, table):
        """By a connection of its own: HBase ends one that is idle."""
        return thrift2.HBase(self.hbase_url).cells(f"{self.namespace}:{table}".encode())

    def read(self):
        """The tuples of each schema, by key."""
        def cells(table):
            return [(row, value) for (row, _, _), (value, _) in self.cells(table).items()]
        secondary = {}
        for row, value in cells("e_s"):
            secondary.setdefault(int(row[3:]), []).append((int(row[:3]), int(value)))
        return ({int(row): (int(value[:3]), int(value[3:])) for row, value in cells("e_p")},
                {key: each[0] if len(each) == 1 else each for key, each in secondary.items()})

    def anchor_rows(self):
        return {row for row, _, _ in self.cells("kvsql_anchors")}

    def count_log(self):
        return sum(value != b"\0" for value, _ in self.cells("kvsql_log").values())

    def check_writes(self):
        for writer in self.writers:
            writer.start()
        chooser = random.Random(SEED)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            time.sleep(BETWEEN_KILLS_S)
            self.kill_one(chooser.randrange(DAEMONS))
        self.is_stopping = True
        for writer in self.writers:
            writer.join()
        for writer in self.writers:
            if writer.failure is not None:
                raise writer.failure
        removed = self.n_removed + self.count_removed(range(DAEMONS))
        outcomes = sum((writer.outcomes for writer in self.writers), collections.Counter())
        print(f"# statements: {dict(outcomes)}; {self.n_kills} daemons killed, {removed} anchors removed meanwhile", flush=True)
        assert removed > 0 and outcomes["done"] > sum(outcomes.values()) / 2, outcomes

    def check_tuples(self):
        wait_for("the log is empty", lambda: self.count_log() == 0, SETTLED)
        primary, secondary = self.read()
        support.equal(secondary, primary)
        wrong = [(key, primary.get(key), may) for writer in self.writers for key, may in writer.may.items()
                 if primary.get(key) not in may]
        support.equal(wrong, [])
        certain = sum(len(may) == 1 for writer in self.writers for may in writer.may.values())
        print(f"# {len(primary)} tuples, {certain} of {DAEMONS * CLIENTS * KEYS} keys are certain", flush=True)
        assert primary and certain > DAEMONS * CLIENTS * KEYS / 2

    def check_anchors(self):
        """One for each tuple."""
        tuples = len(self.read()[0])
        print(f"# {tuples} tuples, {len(self.anchor_rows())} anchors", flush=True)
        wait_for("the anchors of deleted tuples are gone", lambda: len(self.anchor_rows()) <= tuples, SETTLED)
        support.equal(len(self.anchor_rows()), tuples)

    def check_verify(self):
        with self.client(0) as client:
            support.equal(client.rows("VERIFY SCHEMA e_s"), [])
            primary = self.read()[0]
            rows = client.rows("SELECT k, v, w FROM e WITH VERIFIED")
            support.equal({int(k): (int(v), int(w)) for k, v, w in rows}, primary)

    def is_done(self, statement):
        """A daemon that was killed may still be waited for."""
        try:
            with self.client(0) as client:
                client.query(statement)
            return True
        except SqlError as error:
            if error.sqlstate != "08006":
                raise
            return False

    def check_dropped(self):
        """A relation that is dropped leaves no anchors."""
        for statement in ("DROP SCHEMA e_s", "DROP SCHEMA e_p", "DROP RELATION e"):
            wait_for(statement, lambda statement=statement: self.is_done(statement), SETTLED)
        wait_for("no anchor is left", lambda: not self.anchor_rows(), SETTLED)


def main():
    print(f"# KVSQL_TEST_SEED={SEED}", flush=True)
    cleanup = None
    try:
        cleanup = Cleanup()
        return support.run([("/anchor-cleanup/writes", cleanup.check_writes), ("/anchor-cleanup/tuples", cleanup.check_tuples),
                            ("/anchor-cleanup/anchors", cleanup.check_anchors), ("/anchor-cleanup/verify", cleanup.check_verify),
                            ("/anchor-cleanup/dropped", cleanup.check_dropped)])
    finally:
        if cleanup is not None:
            cleanup.is_stopping = True
            cleanup.zookeeper.command("stop")


if __name__ == "__main__":
    sys.exit(main())
