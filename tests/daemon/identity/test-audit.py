#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The audit log: what it has, what it never has, and that it can be switched off."""

import os
import pathlib
import pwd
import signal
import socket
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "live" / "python"), str(TESTS / "daemon" / "postgres")]
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position
from scram import Server, log_in, refusal  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

ON = "[log]\nlevel = error\naudit = on\n"
PASSWORD = "top secret"
USER = f"user {pwd.getpwuid(os.geteuid()).pw_name}"  # as in SHOW SESSIONS


class Audit:
    """The lines that a server has written since the last look."""

    def __init__(self, server):
        self.server, self.n = server, 0

    def lines(self, peer=USER):
        """Without the peer, which is the same in all of them."""
        whole = [line.split("audit: ", 1)[1] for line in self.server.log.read_text().splitlines() if " audit: " in line]
        new, self.n = [line.partition(" peer=") for line in whole[self.n:]], len(whole)
        equal([of for _, _, of in new], [f'"{peer}"'] * len(new))
        return [line for line, _, _ in new]


def root(server):
    return wire.Peer(f"{server.directory}/.s.PGSQL.5433", user="root")


def fails(peer, sql, state):
    [error] = [value for kind, value in peer.ask(wire.query(sql)) if kind == "E"]
    equal((sql, error["C"]), (sql, state))


def test_lines():
    server = Server("audit", configuration=ON)
    audit = Audit(server)
    with root(server) as admin:
        admin.rows("CREATE TABLE pay (k INT PRIMARY KEY, s TEXT)")
        admin.rows("INSERT INTO pay VALUES (1, 'x')")
        admin.rows(f"CREATE USER ann PASSWORD '{PASSWORD}'")
        admin.rows("GRANT SELECT (k) ON pay TO ann")
        fails(admin, "CREATE TABLE pay (k INT PRIMARY KEY)", "42P07")
        equal(audit.lines(), ["log-in ok by root", "definition ok by root: CREATE TABLE pay (k INT PRIMARY KEY, s TEXT)",
                              "role ok by root: CREATE USER ann PASSWORD ?", "right ok by root: GRANT SELECT (k) ON pay TO ann",
                              "definition 42P07 by root: CREATE TABLE pay (k INT PRIMARY KEY)"])
        ann = log_in(("127.0.0.1", server.thrift), "ann", PASSWORD)
        equal(audit.lines("127.0.0.1"), ["log-in ok by ann"])
        for statement in ("SELECT s FROM pay WHERE s = 'hidden'", "DROP RELATION pay", "CREATE USER bob PASSWORD 'hidden'", "SELECT * FROM nosuch"):
            refusal(lambda statement=statement: ann.query(statement))
        ann.query("SELECT k FROM pay")
        lines = audit.lines("127.0.0.1")
        equal([line.partition(":")[2] for line in lines],
              [" SELECT s FROM pay WHERE s = ?", " DROP RELATION pay", " CREATE USER bob PASSWORD ?", " SELECT * FROM nosuch"])
        assert all(line.startswith("refused 42") and " by ann:" in line for line in lines), lines
        ann.query(f"ALTER ROLE ann PASSWORD '{PASSWORD} 2'")
        equal(audit.lines("127.0.0.1"), ["role ok by ann: ALTER ROLE ann PASSWORD ?"])
        refusal(lambda: log_in(("127.0.0.1", server.thrift), "ann", PASSWORD))
        equal(audit.lines("127.0.0.1"), ["log-in 28P01 by ann"])
        admin.rows("CREATE ROLE root SUPERUSER LOGIN")
        admin.rows("ALTER RELATION pay OWNER TO ann")
        admin.rows("REVOKE SELECT (k) ON pay FROM ann")
        admin.rows("DROP TABLE pay")
        equal([line.split()[0] for line in audit.lines()], ["role", "right", "right", "definition"])
    with root(server) as admin:
        admin.rows("SELECT 1")
        equal(audit.lines(), ["log-in ok by root"])
        fails(admin, "KILL 99999", "42704")
        equal(audit.lines(), ["operation 42704 by root: KILL ?"])
    text = server.log.read_text()
    assert PASSWORD not in text and "hidden" not in text, text
    equal(server.stop(), 0)


def test_tables():
    """Each statement that reads a table of the store by its name has a line with it; relations have none."""
    server = Server("audittables", configuration=ON)
    audit = Audit(server)
    with root(server) as admin:
        admin.rows("CREATE TABLE pay (k INT PRIMARY KEY, s TEXT)")
        admin.rows("INSERT INTO pay VALUES (1, 'x'), (2, 'y')")
        admin.rows("CREATE VIEW seen AS SELECT row FROM TABLE 'pay'")
        audit.lines()
        reads = ["SHOW TABLES", "DESCRIBE TABLE 'pay'", "SHOW CREATE TABLE 'pay'", "SELECT row FROM TABLE 'pay' LIMIT 1",
                 "EXPLAIN SELECT row FROM TABLE 'pay'", "SELECT k FROM pay WHERE EXISTS (SELECT row FROM TABLE 'pay')",
                 "INSERT INTO pay SELECT 3, family FROM TABLE 'pay' LIMIT 1", "SELECT count (*) FROM seen"]
        for sql in reads:
            admin.rows(sql)
        equal([line.replace("?", "1") for line in audit.lines()],
              ["table ok by root: " + sql.replace(" 3,", " 1,") for sql in reads])
        for sql in ("SELECT k FROM pay", "SHOW SCHEMAS", "DESCRIBE pay", "SHOW CREATE pay", "EXPLAIN SELECT k FROM pay"):
            admin.rows(sql)
        fails(admin, "SELECT row FROM TABLE 'nosuch'", "42704")
        equal(audit.lines(), ["table 42704 by root: SELECT row FROM TABLE 'nosuch'"])
        admin.rows(f"CREATE USER ann PASSWORD '{PASSWORD}'")
        admin.rows("GRANT DEFINE ON TABLES LIKE 'x%' TO ann")
        audit.lines()
    ann = log_in(("127.0.0.1", server.thrift), "ann", PASSWORD)
    for sql in ("SELECT row FROM TABLE 'pay'", "EXPLAIN SELECT row FROM TABLE 'pay'", "SHOW CREATE TABLE 'pay'", "DESCRIBE TABLE 'pay'"):
        error = refusal(lambda sql=sql: ann.query(sql))
        equal((error.sqlstate, error.message), ("42501", "permission denied for the store's table \"pay\""))
    lines = audit.lines("127.0.0.1")
    equal([line.partition(":")[0] for line in lines], ["log-in ok by ann"] + ["refused 42501 by ann"] * 4)
    equal(server.stop(), 0)


def test_names():
    """A user of a UNIX socket has its name everywhere, also where it logs in as another role."""
    folder = support.temporary_folder("names")
    path = f"{folder}/scram.sock"
    server = support.Daemon(folder=folder, configuration="[log]\nlevel = info\naudit = on\n", options=[f"--listen=unix://{path}?auth=scram"])
    audit = Audit(server)
    with Client(server.socket_path) as admin:
        equal([row[1] for row in admin.rows("SHOW SESSIONS")], [USER])
        admin.query(f"CREATE USER ann PASSWORD '{PASSWORD}'")
    equal(audit.lines(), ["log-in ok by root", "role ok by root: CREATE USER ann PASSWORD ?"])
    log_in(path, "ann", PASSWORD)
    refusal(lambda: log_in(path, "ann", "wrong"))
    equal(audit.lines(), ["log-in ok by ann", "log-in 28P01 by ann"])
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(server.socket_path)
        peer.sendall(b"\xff" * 100)
        equal(peer.recv(1), b"")
    equal(server.stop(), 0)
    text = server.log.read_text()
    assert f'log-in as "ann" from {USER} failed' in text and f"connection of {USER} dropped: " in text, text


def test_switch():
    """It is off without the setting, and can be switched while running."""
    server = Server("auditoff")
    audit = Audit(server)
    with root(server) as admin:
        admin.rows("CREATE TABLE a (k INT PRIMARY KEY)")
        equal(audit.lines(), [])
        (server.folder / "kvsqld.conf").write_text(ON)
        server.process.send_signal(signal.SIGHUP)
        for i in range(1000):
            admin.rows(f"CREATE TABLE b{i} (k INT PRIMARY KEY)")
            if audit.lines():
                break
        else:
            raise AssertionError("it stays off")
    equal(server.stop(), 0)


if __name__ == "__main__":
    sys.exit(support.run([("/identity/audit/lines", test_lines), ("/identity/audit/tables", test_tables),
                          ("/identity/audit/names", test_names),
                          ("/identity/audit/switch", test_switch)]))
