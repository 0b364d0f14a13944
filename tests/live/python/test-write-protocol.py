#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A kvsqld on HBase that does not know the write protocol of its registry in ZooKeeper only reads."""

import os
import re
import sys

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client, SqlError, fails  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, ErrorCode, Pair, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

REFUSAL = "this daemon cannot write: the daemons of its registry use write protocol {}, and it knows only write protocol {}"
WRITES = ["INSERT INTO t VALUES (3, 30)", "INSERT INTO t VALUES (1, 30) ON CONFLICT DO NOTHING",
          "UPDATE t SET v = v + 1 WHERE k = 1", "UPDATE t SET k = 7 WHERE k = 1", "DELETE FROM t WHERE k = 1",
          "DELETE FROM t", "INSERT INTO plain VALUES (1, 1)", "UPDATE plain SET v = v + 1 WHERE k = 1", "REPAIR SCHEMA t_s",
          "BACKFILL SCHEMA t_s", "DEFINE RELATION new { k INT KEY }", "ALTER RELATION t WITH (writes = plain)",
          "DEFINE SCHEMA t_n FOR t { TABLE 't_n', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' }"]


def status(client):
    return dict(client.rows("SHOW STATUS"))


class Protocols(Pair):
    def __init__(self):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        super().__init__(f"{url}{'&' if '?' in url else '?'}namespace=protocol{os.getpid()}")
        self.known = int(status(self.first)["write protocol"])
        self.first.query("DEFINE RELATION t { k INT KEY, v BIGINT } WITH (writes = checked)")
        self.first.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 't_p', ROW ordered{k}, FAMILY 'f', VALUE v }")
        self.first.query("DEFINE SCHEMA t_s FOR t { TABLE 't_s', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' }")
        self.first.query("DEFINE RELATION plain { k INT KEY, v BIGINT } WITH (writes = plain)")
        self.first.query("DEFINE PRIMARY SCHEMA plain_p FOR plain { TABLE 'plain', ROW ordered{k}, FAMILY 'f', VALUE v }")
        self.first.query("INSERT INTO t VALUES (1, 10), (2, 20)")

    def epoch_line(self):
        """("epoch 42", "writes 1")"""
        return re.search(r"^(epoch [0-9]+) (writes .*)$", self.zookeeper.shell("get", "/epoch"), re.MULTILINE).groups()

    def set_number(self, number):
        epoch, _ = self.epoch_line()
        self.zookeeper.shell("set", "/epoch", f"epoch {int(epoch.split()[1]) + 1} writes {number}")
        for client in (self.first, self.second):
            wait_for("both know the number", lambda c=client: status(c)["write protocol"] == str(number), SOON)

    def check_reads(self, client):
        support.equal(client.rows("SELECT k, v FROM t ORDER BY k"), [(1, 10), (2, 20)])
        support.equal(client.rows("SELECT k FROM t USING SCHEMA t_s WHERE v = 20"), [(2,)])
        client.rows("EXPLAIN (CALLS) INSERT INTO t VALUES (3, 30)")
        client.rows("VERIFY SCHEMA t_s")

    def check_refused(self, client, number):
        for statement in WRITES:
            error = fails(ErrorCode.READ_ONLY, client.query, statement)
            support.equal(error.message, REFUSAL.format(number, self.known))
            support.equal((error.sqlstate, error.retryable), ("25006", False))
            assert "Upgrade this daemon" in error.hint, error.hint
        self.check_reads(client)
        facts = status(client)
        support.equal(facts["this daemon may write"], "no: " + REFUSAL.format(number, self.known))
        support.equal(client.query("SHOW STATUS").warnings, [REFUSAL.format(number, self.known)])

    def check_writes(self, client):
        client.query("INSERT INTO t VALUES (3, 30)")
        client.query("UPDATE t SET v = 31 WHERE k = 3")
        client.query("DELETE FROM t WHERE k = 3")
        self.check_reads(client)

    # ---- the tests

    def check_new(self):
        support.equal(self.epoch_line()[1], f"writes {self.known}")
        self.check_writes(self.first)
        self.check_writes(self.second)

    def check_while_running(self):
        self.set_number(self.known + 1)
        for client in (self.first, self.second):
            self.check_refused(client, self.known + 1)
        wait_for("the log says it", lambda: "degraded: " + REFUSAL.format(self.known + 1, self.known)
                 in self.daemons[0].log.read_text(), 20)
        self.set_number(self.known)
        self.check_new()
        wait_for("the log says that, too", lambda: "all is well again" in self.daemons[0].log.read_text(), 20)

    def check_at_start(self):
        self.set_number(self.known + 1)
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        daemon = support.Daemon(f"{url}{'&' if '?' in url else '?'}namespace=protocol{os.getpid()}", self.zookeeper.url)
        with Client(("127.0.0.1", daemon.port)) as client:
            self.check_refused(client, self.known + 1)
            self.set_number(self.known)
            self.check_writes(client)
        support.equal(daemon.stop(), 0)

    def check_earlier_build(self):
        """A registry without a number gets it when all daemons have acknowledged the announcement."""
        epoch, _ = self.epoch_line()
        self.zookeeper.shell("set", "/epoch", str(int(epoch.split()[1]) + 1))
        for client in (self.first, self.second):
            wait_for("it writes again", lambda c=client: self.is_written(c), SOON)
        self.check_new()

    @staticmethod
    def is_written(client):
        try:
            client.query("INSERT INTO t VALUES (1, 10)")
            return status(client)["this daemon may write"] == "yes"
        except SqlError as error:
            support.equal(ErrorCode._VALUES_TO_NAMES[error.code], "UNAVAILABLE")  # pylint: disable=protected-access
            return False


def tests(pair):
    return [("/write-protocol/new-registry", pair.check_new), ("/write-protocol/while-running", pair.check_while_running),
            ("/write-protocol/at-start", pair.check_at_start), ("/write-protocol/earlier-build", pair.check_earlier_build),
            ("/write-protocol/stop", pair.stop_daemons)]


if __name__ == "__main__":
    sys.exit(run(Protocols, tests))
