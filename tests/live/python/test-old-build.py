#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A kvsqld of before checked writes cannot use a registry together with this one.

KVSQL_TEST_OLD_KVSQLD is that program; `tests/thorough old-build` builds it.
"""

import os
import sys

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

OLD = os.environ.get("KVSQL_TEST_OLD_KVSQLD")
if not OLD or not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_OLD_KVSQLD or KVSQL_TEST_HBASE_URL is not set; see tests/thorough")

from client import Client, SqlError, fails  # noqa: E402 pylint: disable=wrong-import-position
from pair import ErrorCode, ZooKeeper, wait_for  # noqa: E402 pylint: disable=wrong-import-position

REJECTED = 'node "/epoch" in ZooKeeper holds no number'
STATEMENTS = ["SELECT * FROM r", "INSERT INTO r VALUES (1, 1)", "INSERT INTO plain VALUES (1, 1)",
              "DEFINE RELATION other { k INT KEY }", "DROP RELATION plain"]


class Session:
    zookeeper = None
    number = 0

    @classmethod
    def place(cls):
        """The store and the registry of a test: a namespace and a path that nothing else uses."""
        cls.number += 1
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        return (f"{url}{'&' if '?' in url else '?'}namespace=old{os.getpid()}_{cls.number}",
                f"{cls.zookeeper.url}/{cls.number}")


def start(place, program=None):
    daemon = support.Daemon(*place, program=program, is_earlier=program is not None)
    return daemon, Client(("127.0.0.1", daemon.port))


def status(client):
    return dict(client.rows("SHOW STATUS"))


def define(client):
    client.query("DEFINE RELATION plain { k INT KEY, v BIGINT }")
    client.query("DEFINE PRIMARY SCHEMA plain_p FOR plain { TABLE 'plain', ROW ordered{k}, FAMILY 'f', VALUE v }")


def check_shut_out(client):
    """An old kvsqld has nothing of the registry."""
    wait_for("it rejects the registry", lambda: REJECTED in status(client)["registry answers"], 40)
    for statement in STATEMENTS:
        error = fails(ErrorCode.UNAVAILABLE, client.query, statement)
        print(f"# {statement}: {error.message}")


def is_written(client, statement):
    try:
        client.query(statement)
        return True
    except SqlError as error:
        support.equal(ErrorCode._VALUES_TO_NAMES[error.code], "UNAVAILABLE")  # pylint: disable=protected-access
        return False


def test_old_one_comes():
    place = Session.place()
    daemon, client = start(place)
    define(client)
    client.query("DEFINE RELATION r { k INT KEY, v BIGINT } WITH (writes = checked)")
    client.query("DEFINE PRIMARY SCHEMA r_p FOR r { TABLE 'r_p', ROW ordered{k}, FAMILY 'f', VALUE v }")
    client.query("INSERT INTO r VALUES (1, 10)")
    old_daemon, old_client = start(place, OLD)
    check_shut_out(old_client)
    support.equal(len(client.rows("SHOW DAEMONS")), 1)
    client.query("INSERT INTO plain VALUES (1, 10)")
    client.query("UPDATE r SET v = 11 WHERE k = 1")
    client.query("DEFINE SCHEMA r_s FOR r { TABLE 'r_s', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' }")
    for _ in range(200):
        if not client.query("BACKFILL SCHEMA r_s").cursor:
            break
    check_shut_out(old_client)
    support.equal(client.rows("SELECT k, v FROM r"), [(1, 11)])
    support.equal(client.rows("SELECT k, v FROM plain"), [(1, 10)])
    for each in (daemon, old_daemon):
        each.stop()


def test_old_one_is_there():
    place = Session.place()
    old_daemon, old_client = start(place, OLD)
    define(old_client)
    old_client.query("INSERT INTO plain VALUES (1, 10)")
    daemon, client = start(place)
    # the old one has not acknowledged the announcement, and never will
    error = fails(ErrorCode.UNAVAILABLE, client.query, "INSERT INTO plain VALUES (2, 20)")
    assert "change to write protocol" in error.message, error.message
    support.equal(client.rows("SELECT k, v FROM plain"), [(1, 10)])
    wait_for("SHOW STATUS names it", lambda: "uses the definitions of epoch" in status(client)["this daemon may write"], 20)
    wait_for("it rejects the registry", lambda: REJECTED in status(old_client)["registry answers"], 40)
    fails(ErrorCode.UNAVAILABLE, old_client.query, "DEFINE RELATION other { k INT KEY }")
    support.equal(old_daemon.stop(), 0)
    wait_for("the new one writes", lambda: is_written(client, "INSERT INTO plain VALUES (2, 20)"), 40)
    old_daemon, old_client = start(place, OLD)
    check_shut_out(old_client)
    client.query("INSERT INTO plain VALUES (3, 30)")
    support.equal(client.rows("SELECT k, v FROM plain ORDER BY k"), [(1, 10), (2, 20), (3, 30)])
    for each in (daemon, old_daemon):
        each.stop()


def main():
    Session.zookeeper = ZooKeeper()
    try:
        return support.run([("/old-build/comes-later", test_old_one_comes), ("/old-build/is-there", test_old_one_is_there)])
    finally:
        Session.zookeeper.command("stop")


if __name__ == "__main__":
    sys.exit(main())
