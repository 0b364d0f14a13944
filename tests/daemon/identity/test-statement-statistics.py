#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""SHOW and RESET STATEMENT STATISTICS through both front ends: whose statements a role sees, and that it sees no values."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"),
                str(pathlib.Path(__file__).resolve().parents[1] / "postgres")]
import scram  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

SHOW = "SHOW STATEMENT STATISTICS"
BY_KEY = "SELECT b FROM t WHERE a = $1"
INSERT = "INSERT INTO t VALUES ($1, $2)"

server = scram.Server("statistics")


class Thrift:
    """A role on the Thrift front end."""

    def __init__(self, role):
        self.client = scram.log_in(("127.0.0.1", server.thrift), role, "x")

    def rows(self, sql):
        """The rows of a statement."""
        return self.client.rows(sql)


class Postgres:
    """The same on PostgreSQL's: the daemon's own user may be each role over a UNIX socket."""

    def __init__(self, role):
        self.peer = wire.Peer(f"{server.directory}/.s.PGSQL.5433", begins=False)
        self.peer.send(wire.startup(user=role))
        self.peer.until("Z")

    def rows(self, sql):
        """The rows of a statement, as texts."""
        messages = self.peer.ask(wire.query(sql))
        equal([body["M"] for kind, body in messages if kind == "E"], [])
        return [tuple(None if value is None else value.decode() for value in body) for kind, body in messages if kind == "D"]


def administer(*statements):
    """Runs statements as the operator; the rows of the last one."""
    with Client(server.socket_path) as client:
        for sql in statements:
            rows = client.rows(sql)
    return rows


def calls(rows):
    """(role, text) -> calls"""
    return {(row[0], row[-1]): int(row[2]) for row in rows}


def begin():
    """Relation t, which ann and bob may use."""
    administer("DROP RELATION IF EXISTS t", "CREATE TABLE t (a INT PRIMARY KEY, b STRING)")
    for role in ("ann", "bob"):
        administer(f"DROP ROLE IF EXISTS {role}", f"CREATE ROLE {role} LOGIN PASSWORD 'x'", f"GRANT SELECT, INSERT ON t TO {role}")
    administer("RESET STATEMENT STATISTICS")


def check(door):
    """Through one front end."""
    begin()
    ann, bob = door("ann"), door("bob")
    ann.rows("INSERT INTO t VALUES (1, 'secret one'), (2, 'secret two')")
    for key in (1, 2, 3):
        ann.rows(f"SELECT b FROM t WHERE a = {key}")
    bob.rows("SELECT b FROM t WHERE a = 1")
    equal(calls(ann.rows(SHOW)), {("ann", BY_KEY): 3, ("ann", INSERT): 1})
    equal(calls(bob.rows(SHOW)), {("bob", BY_KEY): 1})
    every = administer(SHOW)
    equal(calls(every), {("ann", BY_KEY): 3, ("ann", INSERT): 1, ("bob", BY_KEY): 1})
    assert "secret" not in str(every), every
    rows = {row[-1]: row for row in every if row[0] == "ann"}
    equal(rows[BY_KEY][3:5], ("0", "2"))
    equal(rows[INSERT][3:5], ("0", "2"))

    bob.rows("RESET STATEMENT STATISTICS")
    equal(calls(administer(SHOW)), {("ann", BY_KEY): 3, ("ann", INSERT): 1})
    administer("RESET STATEMENT STATISTICS")
    equal(ann.rows(SHOW), [])


def test_thrift():
    """The Thrift front end."""
    check(Thrift)


def test_postgres():
    """PostgreSQL's front end, where RESET and SHOW are commands of the session, too."""
    check(Postgres)
    ann = Postgres("ann")
    equal(ann.rows("SHOW server_encoding"), [("UTF8",)])
    equal(ann.rows("RESET statement_timeout"), [])


sys.exit(support.run([("/daemon/statement-statistics/thrift", test_thrift), ("/daemon/statement-statistics/postgres", test_postgres)]))
