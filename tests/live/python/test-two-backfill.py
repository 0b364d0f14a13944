#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two kvsqld on one ZooKeeper and one HBase: one adds a schema and fills it while tuples change through the other."""

import os
import re
import sys

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

import changes  # noqa: E402 pylint: disable=wrong-import-position
from pair import Pair, is_served, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

TUPLES = 30000


def store():
    """A separate namespace."""
    url = os.environ["KVSQL_TEST_HBASE_URL"]
    return f"{url}{'&' if '?' in url else '?'}namespace=two{os.getpid()}"


class TwoBackfill(Pair):
    def __init__(self):
        super().__init__(store())
        self.acknowledged = []

    def check_filled(self):
        """No write of the other daemon is missing, and no old cell remains."""
        changes.load(self.first, TUPLES)
        wait_for("the other daemon serves it", lambda: is_served(self.second, "filled"), 5)
        changers = changes.start(self.daemons[1].port, TUPLES)
        self.await_changes(changers)
        changes.add_schema(self.first)
        support.equal(self.first.rows("BACKFILL SCHEMA filled_s")[-1][1], "readable")
        self.await_changes(changers)
        changes.stop(changers)
        for client in (self.first, self.second):
            support.equal(client.rows("VERIFY SCHEMA filled_s"), [])
            self.check_plan(client)
        changes.check(self.second, changers, TUPLES)
        self.acknowledged = changers

    def check_killed(self):
        """The daemon that fills is killed, and the other continues at its last position."""
        count = changes.begin_filling(self.first, "filled_t", TUPLES, lambda: changes.noted(self.second, "filled_t"))
        self.daemons[0].process.kill()
        self.daemons[0].process.wait()  # a process that has ended, and was not waited for, may still write
        before = changes.noted(self.second, "filled_t")
        n_put, warnings = changes.go_on(self.second, "filled_t")
        support.equal(len(warnings), 1)
        assert re.match(r"note: an earlier BACKFILL had put \d+ tuples", warnings[0]), warnings
        assert before < n_put <= count, (before, n_put, count)
        support.equal(self.second.rows("VERIFY SCHEMA filled_t"), [])
        changes.check(self.second, self.acknowledged, count, ("filled_p", "filled_t"))

    @staticmethod
    def await_changes(changers):
        counts = [len(changer.known) for changer in changers]
        wait_for("all changers have changed tuples", lambda: all(len(changer.known) > count + 5 for changer, count
                                                         in zip(changers, counts)), 60)

    @staticmethod
    def check_plan(client):
        plan = client.rows("EXPLAIN SELECT k FROM filled WHERE n = 5")[0][0]
        assert "read from schema filled_s" in plan.splitlines()[0], plan


def main():
    return run(TwoBackfill, lambda pair: [
        ("/two-backfill/filled-while-the-other-writes", pair.check_filled),
        ("/two-backfill/the-other-goes-on", pair.check_killed),
        ("/two-backfill/stop", lambda: support.equal(pair.daemons[1].stop(), 0)),
    ])


if __name__ == "__main__":
    sys.exit(main())
