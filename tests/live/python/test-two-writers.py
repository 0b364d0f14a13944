#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two kvsqld on one HBase write one new key at the same time: no acknowledged write is lost, and the schemas agree.

The requests of the second daemon to HBase are delayed, so that the first one writes between its timestamp and its put.
"""

import os
import re
import sys
import threading
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from relay import Relay  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import SqlError  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, Pair, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

FAR = 0.04  # s, a request of the second one takes to HBase
ROUNDS = 30
ATTEMPTS = 10


def run_known(daemon, statement):
    """The page of a statement; None if it is unknown whether the statement was executed."""
    try:
        return daemon.query(statement)
    except SqlError as error:
        if error.sqlstate != "40003":
            raise
        return None


class TwoWriters(Pair):
    def __init__(self):
        near = os.environ["KVSQL_TEST_HBASE_URL"]
        near += f"{'&' if '?' in near else '?'}namespace=writers{os.getpid()}"
        host, port = re.search("//([^:/]*):([0-9]*)", near).groups()
        self.relay = Relay(int(port))
        super().__init__(near, second_store=near.replace(f"//{host}:{port}", f"//127.0.0.1:{self.relay.port}"))
        self.first.query("DEFINE RELATION t { k STRING KEY, v INT } WITH (writes = plain)")
        self.first.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 't_p', ROW k, FAMILY 'f', VALUE ordered{v} }")
        self.first.query("DEFINE SCHEMA t_s FOR t { TABLE 't_s', ROW ordered{v}:k, FAMILY 'f', VALUE '' }")
        wait_for("the other daemon serves it", lambda: ("t_s",) in [row[:1] for row in self.second.rows("SHOW SCHEMAS")], SOON)
        self.alone = max(self.time_alone(number) for number in range(3))  # s, it takes from far
        self.first.query("DELETE FROM t")

    def time_alone(self, number):
        start = time.monotonic()
        self.write_from_far(f"alone{number}")
        return time.monotonic() - start

    def write_from_far(self, key):
        self.relay.ask_delay = FAR
        self.second_is_known = run_known(self.second, f"INSERT INTO t VALUES ('{key}', 2)") is not None
        self.relay.ask_delay = 0

    def both(self, number, key, statement):
        """The second daemon writes 2, and the first one another value: at the same time, or in the last rounds after it.

        How many tuples that wrote. If one of the outcomes is unknown, which a slow gateway can cause, all is done again."""
        for _ in range(ATTEMPTS):
            far = threading.Thread(target=self.write_from_far, args=(key,))
            far.start()
            time.sleep(2 * self.alone * number / (ROUNDS - 1))
            page = run_known(self.first, statement)
            far.join()
            if page is not None and self.second_is_known:
                return page.affected
            self.first.query(f"DELETE FROM t WHERE k = '{key}'")
        raise AssertionError(f"{ATTEMPTS} times in a row an outcome is unknown: {statement}")

    def check_first_come(self):
        """An INSERT that finds no tuple is ordered before the other write, not after it."""
        n_first = 0
        for number in range(ROUNDS):
            n_first += self.both(number, f"a{number}", f"INSERT INTO t VALUES ('a{number}', 1) ON CONFLICT DO NOTHING")
        support.equal(self.first.rows("SELECT k, v FROM t USING SCHEMA t_p WHERE v = 1"), [])
        print(f"# {n_first} of {ROUNDS} came first", flush=True)
        assert 0 < n_first < ROUNDS, "no writes at the same time"

    def check_addresses(self):
        """Of the earlier write, nothing remains in another schema."""
        for number in range(ROUNDS):
            self.both(number, f"b{number}", f"INSERT INTO t VALUES ('b{number}', 1)")
        tuples = self.first.rows("SELECT k, v FROM t USING SCHEMA t_p WHERE k >= 'b' ORDER BY k")
        support.equal(len(tuples), ROUNDS)
        support.equal(self.first.rows("SELECT k, v FROM t USING SCHEMA t_s WHERE k >= 'b' ORDER BY k"), tuples)


    def read(self, key):
        """The rows of the key in each schema."""
        return [self.first.rows(f"SELECT v FROM t USING SCHEMA {schema} WHERE k = '{key}'") for schema in ("t_p", "t_s")]

    def check_deleted(self):
        """The first daemon inserts the key and deletes it again, while the second one is about to insert it: the delete, which
        no one sees, does not hide the second tuple in one schema only."""
        n_found = n_unknown = 0
        for number in range(ROUNDS):
            key = f"c{number}"
            far = threading.Thread(target=self.write_from_far, args=(key,))
            far.start()
            time.sleep(2 * self.alone * number / (ROUNDS - 1))
            for statement in (f"INSERT INTO t VALUES ('{key}', 1)", f"DELETE FROM t WHERE k = '{key}'"):
                run_known(self.first, statement)
            far.join()
            primary, other = self.read(key)
            support.equal((number, other), (number, primary))
            n_found += len(primary)
            n_unknown += not self.second_is_known
        print(f"# {n_found} of {ROUNDS} came last, {n_unknown} unknown", flush=True)
        assert 0 < n_found < ROUNDS, "no writes at the same time"


def main():
    return run(TwoWriters, lambda pair: [
        ("/two-writers/first-come", pair.check_first_come),
        ("/two-writers/addresses", pair.check_addresses),
        ("/two-writers/deleted", pair.check_deleted),
        ("/two-writers/stop", pair.stop_daemons),
    ])


if __name__ == "__main__":
    sys.exit(main())
