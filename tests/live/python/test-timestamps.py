#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Several kvsqld on one HBase never give out the same timestamp: all schemas of a tuple keep the same write.

KVSQL_TEST_INSERTS=20000 for a long run of the contested INSERTs.
"""

import os
import re
import sys
import threading
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from clocks import Clock  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, ErrorCode, Pair, SqlError, is_served, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

INSERTS = int(os.environ.get("KVSQL_TEST_INSERTS", "2000"))
FEW = min(INSERTS, 400)
PAIRS = 4  # of clients that write one key at the same time, one through each daemon
LEASE = 10  # s, the shortest that is allowed
SCHEMAS = ("cells", "packed", "split")


def store():
    """A separate namespace."""
    url = os.environ["KVSQL_TEST_HBASE_URL"]
    return f"{url}{'&' if '?' in url else '?'}namespace=stamp{os.getpid()}"


def slot_of(client):
    """(slot, number of slots)"""
    text = dict(client.rows("SHOW STATUS"))["timestamp slot"]
    found = re.match(r"([0-9]+) of ([0-9]+), confirmed [0-9.]+ s ago$", text)
    assert found, text
    return int(found[1]), int(found[2])


class Timestamps(Pair):
    def __init__(self):
        self.clocks = [Clock(), Clock()]
        super().__init__(store(), wrappers=[clock.wrapper for clock in self.clocks])
        self.next_key = 0
        self.first.query("DEFINE RELATION t { k INT KEY, a INT, b STRING, c INT } WITH (writes = plain)")
        self.schema("PRIMARY ", "cells", "QUALIFIER attr_name['k'], VALUE attr_value['k']")
        self.schema("", "packed", "QUALIFIER 'all', VALUE ordered{a}:ordered{b}:ordered{c}")
        self.schema("", "split", "QUALIFIER attr_name['k'], VALUE attr_value['k']")
        self.await_schemas(self.second)

    def schema(self, kind, name, cells):
        self.first.query(f"DEFINE {kind}SCHEMA t_{name} FOR t {{ TABLE 't_{name}', ROW fixed(4){{k}}, FAMILY 'f', {cells} }}")

    @staticmethod
    def await_schemas(client):
        wait_for("the daemon serves them", lambda: ("t_split",) in [row[:1] for row in client.rows("SHOW SCHEMAS")], SOON)

    def start(self, configuration="", wrapper=()):
        daemon = support.Daemon(store=store(), registry=self.zookeeper.url, configuration=configuration, wrapper=wrapper)
        with Client(("127.0.0.1", daemon.port)) as client:
            wait_for("it serves", lambda: is_served(client, "t"), 30)
            self.await_schemas(client)
        return daemon

    # ---- what is written

    def contest(self, n_inserts, daemons, disturb=lambda: None):
        """Each key is written once through each of the daemons, at the same time, under a disturbance. Returns the keys."""
        failures = []
        keys = range(self.next_key, self.next_key + n_inserts // len(daemons))
        self.next_key = keys.stop

        def write(index, number, barrier, client):
            try:
                for key in keys[index::PAIRS]:
                    barrier.wait(60)
                    # every second tuple has a NULL: its cell is deleted
                    text = "NULL" if (key + number) % 2 else f"'w{number}'"
                    client.query(f"INSERT INTO t VALUES ({key}, {number}, {text}, {number})")
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)
                barrier.abort()
            client.transport.close()

        threads = []
        for index in range(PAIRS):
            barrier = threading.Barrier(len(daemons))
            for number, daemon in enumerate(daemons):
                threads.append(threading.Thread(target=write, args=(index, number, barrier, Client(("127.0.0.1", daemon.port)))))
        for thread in threads:
            thread.start()
        disturb()
        for thread in threads:
            thread.join()
        support.equal(failures, [])
        return keys

    def compare(self, keys):
        """All schemas, tuple by tuple. Nothing is repaired before."""
        found = []
        for schema in SCHEMAS:
            rows = self.first.rows(f"SELECT k, a, b, c FROM t USING SCHEMA t_{schema} WHERE k >= {keys.start} AND k < {keys.stop}")
            found.append({row[0]: row[1:] for row in rows})
        support.equal([len(each) for each in found], [len(keys)] * len(SCHEMAS))
        different = {key: [each[key] for each in found] for key in keys if any(each[key] != found[0][key] for each in found)}
        print(f"# {len(keys)} contested keys, {len(different)} differ", flush=True)
        support.equal(dict(list(different.items())[:5]), {})

    # ---- the tests

    def check_contested(self):
        """Plain INSERTs of the same keys at the same time."""
        begin = time.monotonic()
        keys = self.contest(INSERTS, self.daemons)
        print(f"# {INSERTS} INSERTs in {time.monotonic() - begin:.1f} s", flush=True)
        self.compare(keys)

    def check_set_back(self):
        """The clocks of the machines are set back and forth."""
        def disturb():
            for seconds in (-60, 3600, -3600, 0):
                for clock in self.clocks:
                    clock.set(seconds)
                time.sleep(0.2)
        self.compare(self.contest(FEW, self.daemons, disturb))

    def check_apart(self):
        """Both run on one machine, and hold different slots of the same number of slots."""
        slots = [slot_of(client) for client in (self.first, self.second)]
        support.equal([n for _, n in slots], [4, 4])
        assert slots[0] != slots[1], slots

    def check_growth(self):
        """Three more daemons join while two write, write, too, and leave again."""
        more = []
        self.compare(self.contest(2 * FEW, self.daemons, lambda: more.extend(self.start() for _ in range(3))))
        clients = [self.first, self.second, *(Client(("127.0.0.1", daemon.port)) for daemon in more)]
        self.compare(self.contest(FEW, [*self.daemons, *more]))
        wait_for("all go by eight slots", lambda: all(slot_of(client)[1] == 8 for client in clients), 30)
        support.equal(len({slot_of(client)[0] for client in clients}), 5)
        for client in clients[2:]:
            client.transport.close()
        for daemon in more:
            support.equal(daemon.stop(), 0)
        wait_for("these are less again", lambda: all(slot_of(client)[1] == 4 for client in (self.first, self.second)), 30)
        self.compare(self.contest(FEW, self.daemons))

    def check_restart(self):
        """One ends and starts again with a slow clock, while the other one writes the same keys."""
        for seconds in (0, -3600):
            self.clocks[1].set(seconds)
            self.second.transport.close()
            support.equal(self.daemons[1].stop(), 0)
            self.daemons[1] = self.start(wrapper=self.clocks[1].wrapper)
            self.second = Client(("127.0.0.1", self.daemons[1].port))
            self.compare(self.contest(FEW, self.daemons))

    def check_lease(self):
        """Without the registry a daemon writes until its lease ends. It reads all the time, and writes again when the registry answers."""
        daemon = self.start(f"[kvsqld]\ntimestamp_lease_s = {LEASE}\n")
        refused = []

        def is_refused(client):
            try:
                client.query("INSERT INTO t VALUES (-1, 1, 'x', 1)")
                return False
            except SqlError as error:
                refused.append(error)
                return True

        with Client(("127.0.0.1", daemon.port)) as client:
            assert not is_refused(client)
            self.zookeeper.command("kill")
            begin = time.monotonic()
            assert not is_refused(client), refused
            wait_for("it writes no more", lambda: is_refused(client), 60)
            assert time.monotonic() - begin > LEASE / 2, time.monotonic() - begin
            error = refused[-1]
            support.equal((error.code, error.sqlstate), (ErrorCode.UNAVAILABLE, "08006"))
            assert error.message.startswith("nothing is written: this daemon may no longer give out timestamps, because the registry "
                                            "has not confirmed its slot for "), error.message
            for statement in ("UPDATE t SET a = 2 WHERE k = -1", "DELETE FROM t WHERE k = -1", "REPAIR SCHEMA t_packed"):
                try:
                    client.query(statement)
                    assert statement.startswith("REPAIR"), f"{statement} was not refused"
                except SqlError as failure:
                    support.equal((statement, failure.sqlstate), (statement, "08006"))
            support.equal(client.rows("SELECT a, b FROM t WHERE k = -1"), [(1, "x")])
            assert dict(client.rows("SHOW STATUS"))["timestamp slot"].endswith(": too long, writes are refused")
            # the others have a longer one
            assert not is_refused(self.first), refused
            self.zookeeper.command("restart")
            wait_for("it writes again", lambda: not is_refused(client), 60)
            slot_of(client)
        support.equal(daemon.stop(), 0)
        self.compare(self.contest(FEW, self.daemons))


def main():
    return run(Timestamps, lambda pair: [
        ("/timestamps/contested", pair.check_contested),
        ("/timestamps/apart", pair.check_apart),
        ("/timestamps/set-back", pair.check_set_back),
        ("/timestamps/growth", pair.check_growth),
        ("/timestamps/restart", pair.check_restart),
        ("/timestamps/lease", pair.check_lease),
        ("/timestamps/stop", pair.stop_daemons),
    ])


if __name__ == "__main__":
    sys.exit(main())
