#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of anchors, or of the log, is dropped while kvsqld runs: both are made again, and the tuples have no anchors, as
those that were never written with checked writes. The next writes read the rows of the primary.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

import thrift2  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position
from hbase.ttypes import TTableName  # noqa: E402 pylint: disable=wrong-import-position
from kvsql.ttypes import QueryOptions  # noqa: E402 pylint: disable=import-error,wrong-import-position,wrong-import-order
from pair import wait_for  # noqa: E402 pylint: disable=wrong-import-position

PROBLEM = "unfinished statements cannot be finished"
NOTICED = 30  # s: the next look at the log


class Lost:
    def __init__(self):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        self.namespace = f"lost{os.getpid()}"
        self.daemon = support.Daemon(store=f"{url}{'&' if '?' in url else '?'}namespace={self.namespace}")
        self.client = Client(("127.0.0.1", self.daemon.port), timeout_ms=60000)
        self.hbase = thrift2.HBase(url)
        for definition in (
                "DEFINE RELATION e { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = checked)",
                "DEFINE PRIMARY SCHEMA e_p FOR e { TABLE 'e_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
                "DEFINE SCHEMA e_s FOR e { TABLE 'e_s', ROW text(3){v}:text(6){k}, FAMILY 'f', VALUE text(9){w} }",
                "INSERT INTO e VALUES (0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1)"):
            self.client.query(definition)

    def drop(self, table):
        name = TTableName(ns=self.namespace.encode(), qualifier=table.encode())
        self.hbase.call.disableTable(name)
        self.hbase.call.deleteTable(name)

    def check(self, expected):
        for schema in ("e_p", "e_s"):
            support.equal(self.client.rows(f"SELECT * FROM e USING SCHEMA {schema} WHERE k >= 0 ORDER BY k"), expected)
        support.equal(self.client.rows("VERIFY SCHEMA e_s"), [])

    def count_unanchored(self, verb):
        """How many tuples had no anchor, as VERIFY or REPAIR of the primary says."""
        page = self.client.query(f"{verb} SCHEMA e_p")
        while page.cursor is not None:
            page = self.client.call.fetch(page.cursor, QueryOptions())
        notes = [re.match(r"note: (\d+) tuples? had no anchor", note) for note in page.warnings]
        return sum(int(note[1]) for note in notes if note)

    def check_told(self):
        self.drop("kvsql_anchors")
        support.equal([self.count_unanchored(verb) for verb in ("VERIFY", "REPAIR", "VERIFY")], [4, 4, 0])
        self.check([(0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1)])

    def check_anchors(self):
        self.drop("kvsql_anchors")
        support.equal(self.client.query("UPDATE e SET v = v + 1 WHERE k < 3").affected, 3)
        support.equal(self.client.query("DELETE FROM e WHERE k = 2").affected, 1)
        self.check([(0, 2, 1), (1, 2, 1), (3, 1, 1)])

    def check_both(self):
        self.drop("kvsql_anchors")
        self.drop("kvsql_log")
        support.equal(self.client.query("INSERT INTO e VALUES (1, 5, 5), (2, 5, 5), (4, 5, 5)").affected, 3)
        support.equal(self.client.query("UPDATE e SET k = 9 WHERE k = 0").affected, 1)
        self.check([(1, 5, 5), (2, 5, 5), (3, 1, 1), (4, 5, 5), (9, 2, 1)])

    def check_recovery(self):
        self.drop("kvsql_log")
        wait_for("the next look at the log", lambda: PROBLEM in dict(self.client.rows("SHOW STATUS")), NOTICED)
        wait_for("the log is made again", lambda: PROBLEM not in dict(self.client.rows("SHOW STATUS")), NOTICED)


def main():
    lost = Lost()
    return support.run([("/lost-tables/told", lost.check_told), ("/lost-tables/anchors", lost.check_anchors), ("/lost-tables/both", lost.check_both),
                        ("/lost-tables/recovery", lost.check_recovery),
                        ("/lost-tables/stop", lambda: support.equal(lost.daemon.stop(), 0))])


if __name__ == "__main__":
    sys.exit(main())
