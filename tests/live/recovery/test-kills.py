#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Kills or stops kvsqld at every request of checked and blind writes on HBase, while another one writes the same keys.

The survivor finishes what was decided. Then all schemas have the same tuples, read without kvsqld, and each tuple is as it
was before the statement or as it is after it; after an answer, the latter.
"""

import os
import random
import re
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from admin import Admin  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, SqlError  # noqa: E402 pylint: disable=wrong-import-position
from killing_relay import DELAYS, HOWS, STOP, VERY_LATE  # noqa: E402 pylint: disable=wrong-import-position
from pair import wait_for  # noqa: E402 pylint: disable=wrong-import-position
from thrift.transport.TTransport import TTransportException  # noqa: E402 pylint: disable=wrong-import-position
from writers import AFTER_ANSWER, Writers, is_done, kill  # noqa: E402 pylint: disable=wrong-import-position

N_KILLS = int(os.environ.get("KVSQL_TEST_KILLS") or 60)
SEED = int(os.environ.get("KVSQL_TEST_SEED") or time.time())
AT_ONCE = 12
EVENT_SECONDS = 2  # between two events of tables
STOPS = 5  # one of so many is stopped, not killed
KEYS = 10  # of one kill
LATE_REQUEST_S = 20  # late requests of the relay are earlier than that, also on a busy machine
GRACE_S = 3600
CONFIGURATION = f"[kvsqld]\nlate_request_s = {LATE_REQUEST_S}\ndelete_grace_s = {GRACE_S}\n"
RECOVERED = 120  # s: the session of a killed daemon lasts 10 s, and the next look is 5 s later at most

DEFINITIONS = (
    "DEFINE RELATION e { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = checked)",
    "DEFINE PRIMARY SCHEMA e_p FOR e { TABLE 'e_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
    "DEFINE SCHEMA e_q FOR e { TABLE 'e_q', ROW hash(md5, 2){k}:text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
    "DEFINE SCHEMA e_s FOR e { TABLE 'e_s', ROW text(3){v}:text(6){k}, FAMILY 'f', VALUE text(9){w} }",
    "DEFINE RELATION b { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = blind)",
    "DEFINE PRIMARY SCHEMA b_p FOR b { TABLE 'b_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
    "DEFINE SCHEMA b_q FOR b { TABLE 'b_q', ROW hash(md5, 2){k}:text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
)

# Kinds of statements: the tuples before, by the distance of their keys from the first one; the statement; which tuples change
# together, and their values after it.
KINDS = {
    "insert": ({}, "INSERT INTO e VALUES ({0}, 2, 7)", [{0: (2, 7)}]),
    "replace": ({0: (1, 5)}, "INSERT INTO e VALUES ({0}, 2, 7)", [{0: (2, 7)}]),
    "update": ({0: (1, 5)}, "UPDATE e SET w = 7 WHERE k = {0}", [{0: (1, 7)}]),
    "move": ({0: (1, 5)}, "UPDATE e SET v = 2 WHERE k = {0}", [{0: (2, 5)}]),
    "key": ({0: (1, 5)}, "UPDATE e SET k = {1} WHERE k = {0}", [{0: None, 1: (1, 5)}]),
    "delete": ({0: (1, 5)}, "DELETE FROM e WHERE k = {0}", [{0: None}]),
    "rows": ({0: (1, 5), 1: (1, 6)}, "INSERT INTO e VALUES ({0}, 2, 7), ({1}, 3, 8), ({2}, 4, 9)",
             [{0: (2, 7)}, {1: (3, 8)}, {2: (4, 9)}]),
    "load": ({0: (1, 5), 1: (2, 6)}, "INSERT INTO e VALUES " + ", ".join(f"({{{i}}}, 2, 7)" for i in range(9)),
             [{i: (2, 7)} for i in range(9)]),
    "conflict": ({0: (1, 5)}, "INSERT INTO e VALUES ({0}, 2, 7) ON CONFLICT DO UPDATE SET v = 2", [{0: (2, 5)}]),
    "add": ({0: (1, 5)}, "UPDATE e SET w = w + 2 WHERE k = {0}", [{0: (1, 7)}]),
    "claim": ({0: (1, 5), 1: (1, 6), 2: (2, 7)}, "UPDATE e SET v = 2 WHERE k BETWEEN {0} AND {2} AND v = 1 LIMIT 2 RETURNING k, w",
              [{0: (2, 5)}, {1: (2, 6)}, {2: (2, 7)}]),
    "keys": ({0: (1, 5), 1: (1, 6)}, "UPDATE e SET k = k + 5 WHERE k IN ({0}, {1})", [{0: None, 5: (1, 5)}, {1: None, 6: (1, 6)}]),
    "delete rows": ({0: (1, 5), 1: (2, 6), 2: (1, 7)}, "DELETE FROM e WHERE k BETWEEN {0} AND {2}", [{0: None}, {1: None}, {2: None}]),
    "blind insert": ({}, "INSERT INTO b VALUES ({0}, 2, 7)", [{0: (2, 7)}]),
    "blind replace": ({0: (1, 5)}, "INSERT INTO b VALUES ({0}, 2, 7)", [{0: (2, 7)}]),
    "blind delete": ({0: (1, 5)}, "DELETE FROM b WHERE k = {0}", [{0: None}]),
    "blind delete rows": ({0: (1, 5), 1: (1, 6)}, "DELETE FROM b WHERE k BETWEEN {0} AND {1}", [{0: None}, {1: None}]),
    "blind rows": ({0: (1, 5), 1: (1, 6)}, "INSERT INTO b VALUES ({0}, 2, 7), ({1}, 3, 8), ({2}, 4, 9)",
                   [{0: (2, 7)}, {1: (3, 8)}, {2: (4, 9)}]),
}


def relation_of(kind):
    return "b" if kind.startswith("blind") else "e"


# The request that decides; INSERT reads in parallel before it, in any order. A load puts its anchors, a blind write the log.
DECISIONS = {kind: "put" if relation_of(kind) == "b" else "putMultiple" if kind == "load" else "checkAndMutate"
             for kind in KINDS}
# The other writer adds this to w, any number of times.
OTHER = 1000
STOPPED = 17  # s: the others have finished its write before it continues
OTHER_TUPLE = (4, 4)  # or puts this
OTHER_STATEMENTS = {"e": f"UPDATE e SET w = w + {OTHER} WHERE k = {{0}}",
                    "b": f"INSERT INTO b VALUES ({{0}}, {OTHER_TUPLE[0]}, {OTHER_TUPLE[1]})"}


class Kill:
    """One kill: of a daemon, at a request of a statement, with keys of its own."""

    def __init__(self, cluster, number, kind, step, how, has_rival):
        self.cluster, self.kind, self.step, self.how, self.has_rival = cluster, kind, step, how, has_rival
        self.relation = relation_of(kind)
        self.keys = [number * KEYS + i for i in range(KEYS)]
        self.before, statement, self.after = KINDS[kind]
        self.statement = statement.format(*self.keys)
        self.name = f"{kind}, {how} request {step}{', with a rival' if has_rival else ''}, keys from {self.keys[0]}"
        self.killed = threading.Event()
        self.is_acknowledged = False

    def run(self):
        for distance, (v, w) in self.before.items():
            statement = f"INSERT INTO {self.relation} VALUES ({self.keys[distance]}, {v}, {w})"
            wait_for("it is there", lambda each=statement: is_done(self.cluster.survivor(), each), RECOVERED)
        rival = threading.Thread(target=self.run_rival)
        daemon, relay = self.cluster.start_writer()
        relay.arm(self.step, self.how, lambda: self.stop(daemon) if self.how == STOP else self.kill(daemon))
        if self.has_rival:
            rival.start()
        try:
            with Client(("127.0.0.1", daemon.port), timeout_ms=2 * STOPPED * 1000) as client:
                client.query(self.statement)
            self.is_acknowledged = True
        except (TTransportException, OSError, EOFError, SqlError):
            pass
        self.killed.wait(AFTER_ANSWER)
        if self.how == STOP:
            time.sleep(AFTER_ANSWER)  # it does the rest of the write
        if self.has_rival:
            rival.join()
        self.kill(daemon, False)

    def kill(self, daemon, is_at_request=True):
        kill(daemon)
        if is_at_request:
            self.killed.set()

    def stop(self, daemon):
        daemon.process.send_signal(signal.SIGSTOP)
        threading.Timer(STOPPED, daemon.process.send_signal, [signal.SIGCONT]).start()
        self.killed.set()

    def run_rival(self):
        with self.cluster.survivor() as client:
            for _ in range(3):
                try:
                    client.query(OTHER_STATEMENTS[self.relation].format(*self.keys))
                except SqlError as error:
                    if error.sqlstate not in ("40001", "40003"):
                        raise

    def check(self, stored):
        """@stored: the tuples of each schema of each relation, by key."""
        found = [{key: tuples[key] for key in self.keys if key in tuples} for tuples in stored[self.relation]]
        if any(tuples != found[0] for tuples in found):
            return f"{self.name}: the schemas differ: {found}"
        for group in self.after:
            got = {distance: self.without_rival(found[0].get(self.keys[distance])) for distance in group}
            if self.relation == "b" and self.has_rival and got == {0: OTHER_TUPLE}:
                continue
            if got != group and (self.is_acknowledged or got != {distance: self.before.get(distance) for distance in group}):
                return f"{self.name}: {found[0]}{' after an answer' if self.is_acknowledged else ''}"
        return None

    @staticmethod
    def without_rival(tuple_):
        return tuple_ and (tuple_[0], tuple_[1] % OTHER)


class Cluster(Writers):
    def __init__(self):
        super().__init__("kills", DEFINITIONS, [f"INSERT INTO {relation} VALUES (999999, 1, 1)" for relation in "eb"], CONFIGURATION)

    def count_requests(self):
        """How many requests each kind of statement makes."""
        daemon, relay = self.start_writer()
        n = {}
        with Client(("127.0.0.1", daemon.port)) as client:
            for i, (kind, (before, statement, _)) in enumerate(KINDS.items()):
                keys = [900000 + i * KEYS + distance for distance in range(KEYS)]
                for distance, (v, w) in before.items():
                    client.query(f"INSERT INTO {relation_of(kind)} VALUES ({keys[distance]}, {v}, {w})")
                relay.arm()
                client.query(statement.format(*keys))
                time.sleep(AFTER_ANSWER / 4)
                methods = relay.disarm()
                print(f"# {kind}: {len(methods)} requests: {' '.join(methods)}", flush=True)
                n[kind] = len(methods)
        daemon.stop()
        return n

    def read_schemas(self):
        """The tuples of each schema of each relation, by key. A key that is in a schema twice is in no other like that."""
        moved = {}
        for row, value in self.cells("e_s"):
            moved.setdefault(int(row[3:]), []).append((int(row[:3]), int(value)))
        def primary(table):
            return {int(row): (int(value[:3]), int(value[3:])) for row, value in self.cells(table)}
        def hashed(table):
            return {int(row[2:]): (int(value[:3]), int(value[3:])) for row, value in self.cells(table)}
        return {"e": [primary("e_p"), hashed("e_q"), {key: each[0] if len(each) == 1 else each for key, each in moved.items()}],
                "b": [primary("b_p"), hashed("b_q")]}

    def read_anchors(self):
        """The tuples that the anchors have, by key (core/anchor/anchor.h, tuple-record.h)."""
        tuples = {}
        cells = self.read("kvsql_anchors")
        for (row, family, qualifier), (state, _) in cells.items():
            if qualifier == b"state" and state[1] & 2:
                payload = cells[row, family, b"load" + state[2:10] if state[1] & 8 else b"payload"][0]
                assert payload[0] == 1 and payload[1] & 1, payload
                values = re.findall(rb"[\x01-\x03]\x05\x08(.{8})", payload[4:3 + payload[2]], re.DOTALL)
                key, v, w = (int.from_bytes(value, "big", signed=True) for value in values)
                tuples[key] = (v, w)
        return tuples

    def count_log(self):
        """Without the places that are free."""
        return sum(value != b"\0" for _, value in self.cells("kvsql_log"))

    def status(self, name):
        with self.survivor() as client:
            return dict(client.rows("SHOW STATUS"))[name]


TABLES = ("e_p", "e_q", "e_s", "b_p", "b_q", "kvsql_anchors")
EVENTS = ("flush", "compact", "move")


class Administrator(threading.Thread):
    """Flushes, compacts and moves tables while daemons are killed. HBase may reject that."""

    def __init__(self, namespace):
        super().__init__()
        self.tables = [f"{namespace}:{table}" for table in (*TABLES, "kvsql_log")]
        self.random = random.Random(SEED)
        self.is_over = threading.Event()
        self.n = dict.fromkeys(EVENTS, 0)
        self.failure = None

    def run(self):
        try:
            admin = Admin(os.environ["KVSQL_TEST_HBASE_DIR"])
            while not self.is_over.wait(self.random.random() * 2 * EVENT_SECONDS):
                event = self.random.choice(EVENTS)
                self.n[event] += admin.ask(f"{event} {self.random.choice(self.tables)}").startswith("ok")
            admin.stop()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def stop(self):
        self.is_over.set()
        self.join()
        support.equal(self.failure, None)
        print(f"# tables meanwhile: {self.n}", flush=True)
        assert self.n["flush"] + self.n["compact"] > 0, self.n


class Kills:
    def __init__(self, cluster):
        self.cluster = cluster
        self.all = []

    def choose(self):
        n_requests = self.cluster.count_requests()
        def places(hows):
            steps = [(kind, step, how) for kind in KINDS for step in range(n_requests[kind]) for how in hows]
            random.shuffle(steps)
            return steps
        n_stops = N_KILLS // STOPS
        kills, stops = places(HOWS), places([STOP])
        decided = [(kind, DECISIONS[kind], VERY_LATE) for kind in KINDS]
        chosen = (decided + [stops[i % len(stops)] for i in range(n_stops)]
                  + [kills[i % len(kills)] for i in range(N_KILLS - n_stops - len(decided))])
        self.all = [Kill(self.cluster, number + 1, *step, has_rival=number >= len(decided) and random.random() < 0.5)
                    for number, step in enumerate(chosen)]
        print(f"# {len(kills)} places for a kill and {len(stops)} to stop, {len(chosen)} chosen", flush=True)

    def failures(self, kills):
        stored = self.cluster.read_schemas()
        return [failure for failure in (kill.check(stored) for kill in kills) if failure]

    def run_some(self, kills):
        threads = [threading.Thread(target=kill.run) for kill in kills]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        start = time.monotonic()
        while failures := self.failures(kills):
            if time.monotonic() > start + RECOVERED:
                raise AssertionError("\n".join(failures))
            time.sleep(0.5)
        print(f"# {self.count_killed(kills)} of {len(kills)} killed or stopped, all agree after "
              f"{time.monotonic() - start:.1f} s", flush=True)

    def check_kills(self):
        self.choose()
        administrator = Administrator(self.cluster.namespace)
        administrator.start()
        try:
            self.run_all()
        finally:
            administrator.stop()
        n_killed = self.count_killed(self.all)
        n_acknowledged = sum(kill.is_acknowledged for kill in self.all)
        print(f"# {n_killed} of {len(self.all)} killed or stopped; {n_acknowledged} statements had their answer", flush=True)
        assert n_killed > len(self.all) * 0.7, f"only {n_killed} of {len(self.all)}"

    def run_all(self):
        for first in range(0, len(self.all), AT_ONCE):
            self.run_some(self.all[first:first + AT_ONCE])

    @staticmethod
    def count_killed(kills):
        return sum(kill.killed.is_set() for kill in kills)

    def check_later(self):
        """When no request can be late any more, the log is empty, and anchors and schemas have the same tuples."""
        time.sleep(DELAYS[VERY_LATE])
        wait_for("the log is empty", lambda: self.cluster.count_log() == 0, RECOVERED)
        anchors, stored = self.cluster.read_anchors(), self.cluster.read_schemas()["e"][0]
        support.equal([(key, anchors.get(key), stored.get(key)) for kill in self.all if kill.relation == "e" for key in kill.keys
                       if anchors.get(key) != stored.get(key)], [])
        support.equal(self.failures(self.all), [])
        support.equal(self.cluster.status("unfinished statements"), "0")
        print(f"# {self.cluster.status('tuples finished for other statements')} tuples were finished", flush=True)

    def check_tables(self):
        """The tables that kvsqld has made remember deletes, and keep older versions of anchors."""
        admin = Admin(os.environ["KVSQL_TEST_HBASE_DIR"])
        for table in TABLES:
            answer = admin.ask(f"describe {self.cluster.namespace}:{table}")
            assert f"hbase.hstore.time.to.purge.deletes' => '{GRACE_S * 1000}'" in answer, answer
        assert "VERSIONS => '4'" in answer, answer
        admin.stop()

    def check_verify(self):
        with self.cluster.survivor() as client:
            for schema in ("e_q", "e_s", "b_q"):
                support.equal(client.rows(f"VERIFY SCHEMA {schema}"), [])


def main():
    random.seed(SEED)
    print(f"# KVSQL_TEST_SEED={SEED}", flush=True)
    cluster = None
    try:
        cluster = Cluster()
        kills = Kills(cluster)
        return support.run([("/kills/agree", kills.check_kills), ("/kills/later", kills.check_later),
                            ("/kills/verify", kills.check_verify), ("/kills/tables", kills.check_tables)])
    finally:
        if cluster is not None:
            cluster.close()


if __name__ == "__main__":
    sys.exit(main())
