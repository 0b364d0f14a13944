#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A schema is added to a relation with checked or blind writes on HBase, while clients of two kvsqld write and move tuples, and
further kvsqld are killed in the middle of their writes. Afterwards VERIFY finds nothing, and all schemas have the same tuples.
"""

import os
import random
import re
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client, SqlError  # noqa: E402 pylint: disable=wrong-import-position
from pair import ZooKeeper, wait_for  # noqa: E402 pylint: disable=wrong-import-position
from relay import Relay  # noqa: E402 pylint: disable=wrong-import-position
from thrift.transport.TTransport import TTransportException  # noqa: E402 pylint: disable=wrong-import-position

ROUNDS = int(os.environ.get("KVSQL_TEST_ROUNDS") or 3)
SEED = int(os.environ.get("KVSQL_TEST_SEED") or time.time())
TUPLES = 3000
KEYS = 300  # that are written all the time
CLIENTS = 2  # of each daemon
VICTIM_CLIENTS = 3
LATE_REQUEST_S = 5
CONFIGURATION = f"[kvsqld]\nlate_request_s = {LATE_REQUEST_S}\n"
FILLED = 180  # s: the session of a killed daemon lasts 10 s, and its late requests as configured
SETTLED = 90  # s
FAR = 2.5  # s, until a request of a slow daemon reaches HBase
CHECKED, BLIND = "checked", "blind"
LAYOUTS = {CHECKED: "TABLE '{0}', ROW text(3){{v}}:text(6){{k}}, FAMILY 'f', VALUE text(9){{w}}",
           BLIND: "TABLE '{0}', ROW '{0}':text(6){{k}}, FAMILY 'f', VALUE text(3){{v}}:text(9){{w}}"}
DEFINITIONS = (
    "DEFINE RELATION e {{ k BIGINT KEY, v BIGINT, w BIGINT }} WITH (writes = {0})",
    "DEFINE PRIMARY SCHEMA e_p FOR e {{ TABLE 'e_p', ROW text(6){{k}}, FAMILY 'f', VALUE text(3){{v}}:text(9){{w}} }}",
)


class Writer(threading.Thread):
    """Writes keys that others write, too. Its daemon may be killed, and then it ends."""

    def __init__(self, daemon, seed, mode):
        super().__init__()
        self.mode = mode
        self.address = ("127.0.0.1", daemon.port)
        self.random = random.Random(seed)
        self.is_stopping = self.may_end = False
        self.n = 0
        self.failure = None

    def run(self):
        try:
            with Client(self.address, timeout_ms=60000) as client:
                while not self.is_stopping:
                    self.write(client)
                    self.n += 1
        except (TTransportException, OSError, EOFError) as error:
            self.failure = None if self.may_end else error
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def statement(self):
        key, other = self.random.randrange(KEYS), self.random.randrange(KEYS)
        v, w = self.random.randrange(1, 9), self.random.randrange(1000)
        whole = (
            f"INSERT INTO e VALUES ({key}, {v}, {w})",
            f"INSERT INTO e VALUES ({key}, {v}, {w}), ({other}, {v}, {w})",
            f"DELETE FROM e WHERE k = {key}",
        )
        return self.random.choice(whole if self.mode == BLIND else (
            *whole,
            f"UPDATE e SET v = {v} WHERE k = {key}",
            f"UPDATE e SET w = {w} WHERE k = {key}",
            f"UPDATE e SET k = {other} WHERE k = {key}",
        ))

    def write(self, client):
        try:
            client.query(self.statement())
        except SqlError as error:
            if error.sqlstate not in ("40001", "40003", "23505", "08006"):
                raise


class Filling:
    def __init__(self, mode):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        self.mode = mode
        self.url = f"{url}{'&' if '?' in url else '?'}namespace=filling{mode}{os.getpid()}"
        self.zookeeper = ZooKeeper()
        self.daemons = [self.start() for _ in range(2)]
        self.random = random.Random(SEED)
        self.is_stopping = False
        self.n_kills = 0
        for definition in DEFINITIONS:
            self.client(0).query(definition.format(mode))
        for first in range(0, TUPLES, 500):
            values = ", ".join(f"({k}, {k % 8 + 1}, {k})" for k in range(first, first + 500))
            self.client(0).query(f"INSERT INTO e VALUES {values}")

    def start(self):
        return support.Daemon(store=self.url, registry=self.zookeeper.url, configuration=CONFIGURATION)

    def client(self, number):
        return Client(("127.0.0.1", self.daemons[number].port), timeout_ms=60000)

    def kill_daemons(self):
        """One after the other begins to write and is killed."""
        while not self.is_stopping:
            victim = self.start()
            writers = [Writer(victim, self.random.random(), self.mode) for _ in range(VICTIM_CLIENTS)]
            for writer in writers:
                writer.may_end = True
                writer.start()
            time.sleep(0.3 + self.random.random())
            victim.process.kill()
            victim.process.wait()
            for writer in writers:
                writer.join()
                support.equal(writer.failure, None)
            self.n_kills += 1

    def state(self, schema):
        return self.client(0).rows(f"SHOW CREATE {schema}")[0][0].partition("state = ")[2]

    def fill(self, schema, number):
        """From either daemon; a job that has failed is begun again by the other one."""
        until = time.monotonic() + FILLED
        while True:
            try:
                with self.client(number) as client:
                    rows = client.rows(f"BACKFILL SCHEMA {schema}")
                support.equal(rows[-1][1], "readable")
                return
            except SqlError as error:
                assert error.sqlstate == "08006" and time.monotonic() < until, error
                print(f"# {error.message}", flush=True)
                number = 1 - number

    def unfinished(self):
        rows = dict(row[:2] for row in self.client(1).rows("SHOW STATUS"))
        return [rows[name] for name in ("unfinished statements", "finished statements that may still be late")]

    def check(self, schemas):
        tuples = self.client(1).rows("SELECT k, v, w FROM e USING SCHEMA e_p WHERE k >= 0 ORDER BY k")
        for schema in schemas:
            for number in range(2):
                support.equal(self.client(number).rows(f"VERIFY SCHEMA {schema}"), [])
            support.equal(self.client(1).rows(f"SELECT k, v, w FROM e USING SCHEMA {schema} WHERE k >= 0 ORDER BY k"), tuples)
        return len(tuples)

    def check_filled(self):
        schemas = []
        for number in range(ROUNDS):
            schema = f"e_{number}"
            writers = [Writer(self.daemons[i % 2], self.random.random(), self.mode) for i in range(2 * CLIENTS)]
            killer = threading.Thread(target=self.kill_daemons)
            self.is_stopping = False
            for thread in (*writers, killer):
                thread.start()
            time.sleep(1)
            start = time.monotonic()
            with self.client(number % 2) as client:
                client.query(f"DEFINE SCHEMA {schema} FOR e {{ {LAYOUTS[self.mode].format(schema)} }}")
            defined = time.monotonic() - start
            time.sleep(2)
            self.is_stopping = True
            killer.join()
            self.fill(schema, 1 - number % 2)
            filled = time.monotonic() - start
            time.sleep(1)
            for writer in writers:
                writer.is_stopping = True
            for writer in writers:
                writer.join()
            support.equal([writer.failure for writer in writers if writer.failure], [])
            schemas.append(schema)
            wait_for("all writes are finished", lambda: self.unfinished()[0].startswith("0"), SETTLED)
            n = self.check(schemas)
            print(f"# {schema}: defined in {defined:.1f} s, readable after {filled:.1f} s; {sum(writer.n for writer in writers)} "
                  f"writes, {self.n_kills} daemons killed, {n} tuples", flush=True)

    def check_dropped(self):
        """No reader finds tuples that are not up to date. The schema is defined again over its table."""
        writers = [Writer(self.daemons[i % 2], self.random.random(), self.mode) for i in range(2 * CLIENTS)]
        for writer in writers:
            writer.start()
        with self.client(0) as client:
            client.query("DROP SCHEMA e_0")
            time.sleep(1)
            client.query(f"DEFINE SCHEMA e_0 FOR e {{ {LAYOUTS[self.mode].format('e_0')} }}")
        self.fill("e_0", 1)
        for writer in writers:
            writer.is_stopping = True
        for writer in writers:
            writer.join()
        support.equal([writer.failure for writer in writers if writer.failure], [])
        self.check(["e_0"])

    def check_empty(self):
        """An INSERT that began before DEFINE SCHEMA puts the relation's first tuple after it."""
        port = int(re.search("//[^:/]*:([0-9]*)", self.url)[1])
        relay = Relay(port)
        far = support.Daemon(store=self.url.replace(f":{port}", f":{relay.port}"), registry=self.zookeeper.url,
                             configuration=CONFIGURATION)
        with self.client(0) as client, Client(("127.0.0.1", far.port), timeout_ms=60000) as late:
            client.query(f"DEFINE RELATION first {{ k BIGINT KEY, v BIGINT }} WITH (writes = {self.mode})")
            client.query("DEFINE PRIMARY SCHEMA first_p FOR first { TABLE 'first_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v} }")
            wait_for("the other daemon writes it", lambda: self.accepts(late, "INSERT INTO first VALUES (1, 1)"), SETTLED)
            client.query("DELETE FROM first WHERE k = 1")
            relay.ask_delay = FAR
            insert = threading.Thread(target=late.query, args=("INSERT INTO first VALUES (2, 2)",))
            insert.start()
            time.sleep(FAR / 2)
            page = client.query("DEFINE SCHEMA first_s FOR first { TABLE 'first_s', ROW text(3){k}, FAMILY 'f', VALUE text(3){v} }")
            if insert.is_alive():
                assert any("is not read yet" in warning for warning in page.warnings or []), page.warnings
            insert.join()
            relay.ask_delay = 0
            wait_for("it is readable", lambda: self.state("first_s") == "", FILLED)
            support.equal(client.rows("SELECT k, v FROM first USING SCHEMA first_s WHERE k >= 0"), [(2, 2)])
            support.equal(client.rows("VERIFY SCHEMA first_s"), [])
        support.equal(far.stop(), 0)

    @staticmethod
    def accepts(client, statement):
        try:
            client.query(statement)
        except SqlError as error:
            assert error.sqlstate in ("42P01", "42000", "08006"), error
            return False
        return True

    def stop(self):
        for daemon in self.daemons:
            support.equal(daemon.stop(), 0)
        self.zookeeper.command("stop")


def main():
    print(f"# KVSQL_TEST_SEED={SEED}", flush=True)
    tests = []
    for mode in (CHECKED, BLIND):
        # blind writes of one row are in no log: the first BACKFILL waits for late_request_s
        filling = Filling(mode)
        tests += [(f"/filling/{mode}/filled-while-daemons-are-killed", filling.check_filled),
                  (f"/filling/{mode}/dropped-and-defined-again", filling.check_dropped), (f"/filling/{mode}/empty-relation", filling.check_empty),
                  (f"/filling/{mode}/stop", filling.stop)]
    return support.run(tests)


if __name__ == "__main__":
    sys.exit(main())
