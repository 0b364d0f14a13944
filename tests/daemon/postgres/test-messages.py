#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""PostgreSQL's protocol, message by message: start-up, both protocols, states, limits, and bytes that no client sends."""

import pathlib
import random
import socket
import struct
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import Server  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

SSL, GSSENC = 80877103, 80877104
DEFINITIONS = """
DEFINE RELATION t { k INT KEY, s STRING, g BIGINT, d DOUBLE, f FLOAT, n DECIMAL, b BYTES, o BOOLEAN, z DATE, ts TIMESTAMP, m MAP<STRING, INT> };
DEFINE PRIMARY SCHEMA t_1 FOR t { TABLE 't', ROW k, FAMILY 'f', QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');
DEFINE RELATION w { k INT KEY, v STRING };
DEFINE PRIMARY SCHEMA w_1 FOR w { TABLE 'w', ROW k, FAMILY 'f', QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');
INSERT INTO t VALUES (1, 'one', 9000000000, 1.5e0, 0.1e0, 12.5, x'00ff', TRUE, '2024-02-29', '2024-02-29T12:34:56.5Z', '{"a": 1}'),
  (2, NULL, -1, 1e20, 1e7, -0.001, x'', FALSE, '0001-01-01', '1969-12-31T23:59:59.999Z', NULL);
"""
SLOW = "SELECT count(*) FROM w a CROSS JOIN w b CROSS JOIN w c CROSS JOIN w d WHERE a.v || b.v || c.v || d.v = 'x'"

server = Server()


def peer(**parameters):
    return wire.Peer(server.address, **parameters)


def kinds(messages):
    return "".join(kind for kind, _ in messages)


def error_of(messages):
    """The fields of the only error."""
    errors = [value for kind, value in messages if kind == "E"]
    equal(len(errors), 1)
    return errors[0]


def tags_of(messages):
    return [value for kind, value in messages if kind == "C"]


def notices_of(messages):
    return [(value["S"], value["C"]) for kind, value in messages if kind == "N"]


def data_of(messages):
    return [value for kind, value in messages if kind == "D"]


# ---- addresses

def refusal_of(address):
    configuration = support.temporary_folder("refusal") / "conf"
    configuration.touch()
    done = subprocess.run([support.TOP_BUILD / "kvsqld", "--store=memory:", f"--config={configuration}", f"--postgres-listen={address}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=wire.SECONDS, check=False)
    return done.returncode, done.stdout.decode()


def test_addresses():
    for address, reason in {"tcp://127.0.0.1:5433": "a TCP address says how its clients prove who they are", "/tmp": "begins neither with",
                            "unix:///tmp/.s.PGSQL.x": "is called .s.PGSQL.PORT", "unix:///tmp/.s.PGSQL.0": "is called .s.PGSQL.PORT",
                            "unix://" + "/x" * 50: "has at most 107 bytes"}.items():
        status, output = refusal_of(address)
        assert status == 2 and reason in output and "hint: " in output, (address, status, output)
    folder = support.temporary_folder("port")
    own = support.Daemon(folder=folder, options=[f"--postgres-listen=unix://{folder}/.s.PGSQL.5434"])
    equal(wire.Peer(f"{folder}/.s.PGSQL.5434").rows("SELECT 1"), [["1"]])
    equal((folder / ".s.PGSQL.5434").stat().st_mode & 0o777, 0o660)
    equal(own.stop(), 0)
    assert not (folder / ".s.PGSQL.5434").exists()


# ---- start-up

def packet(code, body=b""):
    return struct.pack("!II", 8 + len(body), code) + body


def test_start():
    with peer(application_name="probe", TimeZone="Europe/Berlin", options="-c statement_timeout=5s") as one, peer() as two:
        equal(one.settings["server_version"], "14.0")
        for name, value in {"client_encoding": "UTF8", "DateStyle": "ISO, MDY", "integer_datetimes": "on", "TimeZone": "UTC",
                            "standard_conforming_strings": "on", "is_superuser": "off", "session_authorization": "test",
                            "application_name": "probe"}.items():
            equal(one.settings[name], value)
        assert one.key != two.key, one.key
        equal(one.rows("SHOW statement_timeout"), [["5s"]])
        equal(one.rows("SELECT current_database()"), [["postgres"]])
        assert any(row[2] == "probe" for row in one.rows("SHOW SESSIONS"))


def test_encryption_is_declined():
    with wire.Peer(server.address, begins=False) as one:
        for code in (SSL, GSSENC):
            one.send(packet(code))
            equal(one.bytes(1), b"N")
        one.send(wire.startup(user="test"))
        equal(one.until("Z")[-1], ("Z", "I"))
    with wire.Peer(server.address, begins=False) as one:
        one.send(packet(SSL), wire.startup(user="test"))  # inserted by another program?
        equal(error_of(one.rest())["C"], "08P01")


def refused(*packets):
    with wire.Peer(server.address, begins=False) as one:
        one.send(*packets)
        messages = one.rest()
        equal(kinds(messages), "E")
        equal(messages[0][1]["S"], "FATAL")
        return messages[0][1]["C"]


def test_bad_starts():
    equal(refused(wire.startup()), "28000")
    equal(refused(wire.startup(0x20000, user="test")), "0A000")
    equal(refused(wire.startup(user="test", replication="database")), "0A000")
    equal(refused(wire.startup(user="test", nosuch="1")), "42704")
    equal(refused(wire.startup(user="test", client_encoding="LATIN1")), "0A000")
    equal(refused(wire.startup(user="test", options="-c nosuch=1")), "42704")
    equal(refused(packet(0x30000, b"user\0")), "08P01")
    equal(refused(packet(0x30000, b"user\0\xff\0\0")), "08P01")
    for data in (b"\0\0\0\x03", b"\x40\0\0\0", b"\x16\x03\x01\x02\0\x01", b"GET / HTTP/1.1\r\n\r\n", packet(SSL) * 4):
        with wire.Peer(server.address, begins=False) as one:
            one.send(data)
            one.socket.settimeout(20)
            while one.more():
                pass


def test_negotiation():
    with wire.Peer(server.address, begins=False) as one:
        one.send(wire.startup(0x30002, **{"user": "test", "_pq_.x": "1"}))
        messages = one.until("Z")
        equal(messages[0], ("v", (0x30000, ["_pq_.x"])))
        equal(kinds(messages)[1], "R")


# ---- the simple protocol

def test_several_statements():
    with peer() as one:
        messages = one.ask(wire.query("SELECT k FROM t ORDER BY k; ; SELECT 'a;b' AS x -- ; \n; SHOW DateStyle"))
        equal(kinds(messages), "TDDCTDCTDCZ")
        equal(tags_of(messages), ["SELECT 2", "SELECT 1", "SHOW"])
        equal(kinds(one.ask(wire.query(""))), "IZ")
        equal(kinds(one.ask(wire.query(" ; -- nothing\n"))), "IZ")


def test_error_ends_the_text():
    with peer() as one:
        messages = one.ask(wire.query("INSERT INTO w VALUES (100, 'x'), (101, 'y'); SELECT 'ä', nosuch FROM t; DELETE FROM w"))
        equal(kinds(messages), "CENZ")
        equal(tags_of(messages), ["INSERT 0 2"])
        equal(error_of(messages)["P"], "58")  # in characters, from the start of the text
        equal(notices_of(messages), [("WARNING", "01000")])
        equal(one.rows("SELECT count(*) FROM w WHERE k >= 100"), [["2"]])
        equal(tags_of(one.ask(wire.query("DELETE FROM w WHERE k IN (100, 101)"))), ["DELETE 2"])


def test_tags():
    with peer() as one:
        for sql, tag in {
                "DEFINE RELATION x { k INT KEY }": "DEFINE RELATION",
                "DEFINE PRIMARY SCHEMA x_1 FOR x { TABLE 'x', ROW k, FAMILY 'f', QUALIFIER 'q', VALUE '' }": "DEFINE SCHEMA",
                "COMMENT ON RELATION x IS 'c'": "COMMENT",
                "ALTER RELATION x RENAME TO y": "ALTER RELATION",
                "DROP SCHEMA x_1": "DROP SCHEMA",
                "DROP RELATION y": "DROP RELATION",
                "CREATE TABLE x (k INT PRIMARY KEY, v TEXT)": "CREATE TABLE",
                "CREATE INDEX i ON x (v)": "CREATE INDEX",
                "DROP INDEX i": "DROP INDEX",
                "ALTER TABLE x ADD COLUMN u INT": "ALTER TABLE",
                "TRUNCATE TABLE x": "TRUNCATE TABLE",
                "DROP TABLE x": "DROP TABLE",
                "INSERT INTO w VALUES (200, 'a'), (201, 'b')": "INSERT 0 2",
                "UPDATE w SET v = 'c' WHERE k >= 200": "UPDATE 2",
                "DELETE FROM w WHERE k >= 200 RETURNING k": "DELETE 2",
                "SHOW RELATIONS": "SHOW",
                "DESCRIBE t": "DESCRIBE",
                "EXPLAIN SELECT * FROM t": "EXPLAIN",
                "SET application_name = 'x'": "SET",
                "RESET ALL": "RESET",
                "DISCARD ALL": "DISCARD ALL",
                "DEALLOCATE ALL": "DEALLOCATE ALL",
                "CLOSE ALL": "CLOSE CURSOR ALL"}.items():
            messages = one.ask(wire.query(sql))
            equal((sql, tags_of(messages)), (sql, [tag]))
        equal(one.ask(wire.query("EXPLAIN SELECT * FROM t"))[0][1][0][0], "QUERY PLAN")


def test_errors():
    with peer() as one:
        for sql, state in {"SELECT": "42601", "SELECT * FROM nosuch": "42P01", "SELECT nosuch FROM t": "42703", "SELECT nosuch (1)": "42883",
                           "CREATE TABLE t (k INT PRIMARY KEY)": "42P07", "ALTER TABLE t ADD COLUMN k INT": "42701", "SELECT x.k FROM t": "42P01",
                           "CREATE TABLE u (k INT PRIMARY KEY, k TEXT)": "42701", "SELECT 'x' + 1": "22P02", "COPY t TO '/nowhere'": "0A000",
                           "DECLARE c CURSOR FOR SELECT 1": "25P01", "DECLARE c SCROLL CURSOR FOR SELECT 1": "0A000", "MOVE c": "0A000",
                           "BEGIN; DECLARE c CURSOR FOR DELETE FROM t": "42601", "SELECT * FROM pg_catalog.nosuch": "42P01",
                           "SELECT nosuch FROM pg_class": "42703",
                           "SELECT k, pg_class FROM t WHERE k IN (1, 2)": "42703", "SELECT 1 FROM (SELECT 1 FROM pg_am WHERE true) a, pg_class, t": "0A000", "SELECT * FROM pg_class, t": "0A000",
                           "EXPLAIN SELECT * FROM pg_class": "0A000", "SELECT 'x ~ FROM pg_class": "42601",
                           "SET nosuch = 1": "42704", "SET client_encoding = 'LATIN1'": "0A000", "SET DateStyle = 'German'": "0A000",
                           "SET server_version = 15": "55P02", "SET extra_float_digits = 9": "22023", "SET ROLE x": "42704",
                           "SET": "42601", "BEGIN ISOLATION": "42601", "SAVEPOINT a": "25P01", "COMMIT AND CHAIN": "25P01",
                           "DEALLOCATE x": "26000", "CLOSE x": "34000", "SHOW nosuch": "42601", "CREATE TABLE x (k int UNIQUE)": "0A000",
                           }.items():
            messages = one.ask(wire.query(sql))
            equal((sql, error_of(messages)["C"]), (sql, state))
            equal((sql, kinds(messages)), (sql, "CEZ" if sql.startswith("BEGIN; ") else "EZ"))
            one.rows("ROLLBACK")
        assert "either the catalogue" in error_of(one.ask(wire.query("SELECT * FROM pg_class, t")))["H"]


# ---- blocks

def test_blocks():
    with peer() as one:
        def step(sql, tags, state, notices=()):
            messages = one.ask(wire.query(sql))
            equal((sql, tags_of(messages), messages[-1][1], notices_of(messages)), (sql, tags, state, list(notices)))
            return messages

        stays = [("WARNING", "01000")]
        step("BEGIN", ["BEGIN"], "T")
        step("BEGIN", ["BEGIN"], "T", [("WARNING", "25001")])
        step("INSERT INTO w VALUES (300, 'x')", ["INSERT 0 1"], "T")
        step("SELECT nosuch FROM w", [], "E")
        equal(error_of(step("SELECT 1", [], "E"))["C"], "25P02")
        messages = step("ROLLBACK", ["ROLLBACK"], "I", stays)
        assert "1 written or deleted tuple stays" in messages[0][1]["M"], messages
        equal(one.rows("SELECT count(*) FROM w WHERE k = 300"), [["1"]])
        step("ROLLBACK", ["ROLLBACK"], "I", [("WARNING", "25P01")])
        step("START TRANSACTION READ ONLY, ISOLATION LEVEL REPEATABLE READ", ["START TRANSACTION"], "T")
        equal(one.rows("SHOW TRANSACTION ISOLATION LEVEL"), [["repeatable read"]])
        equal(error_of(step("DELETE FROM w WHERE k = 300", [], "E"))["C"], "25006")
        step("COMMIT", ["ROLLBACK"], "I")
        step("BEGIN; SAVEPOINT a; DELETE FROM w WHERE k = 300; SAVEPOINT b; SELECT nosuch FROM w", ["BEGIN", "SAVEPOINT", "DELETE 1",
                                                                                                   "SAVEPOINT"], "E")
        equal(error_of(step("ROLLBACK TO nosuch", [], "E"))["C"], "3B001")
        step("ROLLBACK TO b", ["ROLLBACK"], "T")
        step("ROLLBACK TO SAVEPOINT a", ["ROLLBACK"], "T", stays)
        step("RELEASE a", ["RELEASE"], "T")
        step("COMMIT AND CHAIN", ["COMMIT"], "T")
        step("END", ["COMMIT"], "I")


def test_severities():
    with peer() as one:
        equal(notices_of(one.ask(wire.query("ROLLBACK"))), [("WARNING", "25P01")])
        for least in ("warning", "error"):
            one.rows(f"SET client_min_messages = {least}")
            equal(kinds(one.ask(wire.query("ROLLBACK"))), "NCZ" if least == "warning" else "CZ")
            equal(kinds(one.ask(wire.query("CREATE TABLE y (k INT PRIMARY KEY, v TEXT)"))), "CZ")
            one.rows("DROP TABLE y")
        equal(error_of(one.ask(wire.query("SET client_min_messages = fatal")))["C"], "22023")
        one.rows("RESET client_min_messages")
        equal(kinds(one.ask(wire.query("CREATE TABLE y (k INT PRIMARY KEY, v TEXT)"))), "NCZ")
        one.rows("DROP TABLE y")


def test_settings_of_blocks():
    with peer() as one:
        def setting():
            return one.rows("SHOW application_name")[0][0]

        one.rows("BEGIN; SET application_name = 'a'; SET LOCAL application_name = 'b'")
        equal(setting(), "b")
        messages = one.ask(wire.query("COMMIT"))
        equal([value for kind, value in messages if kind == "S"], [("application_name", "a")])
        one.rows("BEGIN; SET application_name TO c; ROLLBACK")
        equal(setting(), "a")
        equal(notices_of(one.ask(wire.query("SET LOCAL application_name = 'd'"))), [("WARNING", "25P01")])
        one.rows("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        equal(error_of(one.ask(wire.query("DELETE FROM w WHERE k = 1")))["C"], "25006")
        one.rows("RESET ALL")
        equal(setting(), "")
        equal(one.rows("SHOW TIME ZONE"), [["UTC"]])


def test_settings():
    """A setting has its effect, or none that a client could rely on; others are refused."""
    with peer() as one:
        for name, values in {"search_path": ["public", "pg_catalog, public", "''", '"$user", public', "DEFAULT"], "lock_timeout": ["0", "'0s'"],
                             "idle_in_transaction_session_timeout": ["0"], "row_security": ["off"], "synchronous_commit": ["off", "remote_apply"],
                             "IntervalStyle": ["iso_8601"], "extra_float_digits": ["-15", "3"], "TimeZone": ["'Etc/UTC'"]}.items():
            for value in values:
                equal((name, value, tags_of(one.ask(wire.query(f"SET {name} TO {value}")))), (name, value, ["SET"]))
        for name, values in {"search_path": ["tenant", "public, tenant"], "lock_timeout": ["'1s'"], "idle_in_transaction_session_timeout": ["5"],
                             "TimeZone": ["'Europe/Berlin'"], "DateStyle": ["German"]}.items():
            for value in values:
                error = error_of(one.ask(wire.query(f"SET {name} TO {value}")))
                equal((name, value, error["C"], "H" in error), (name, value, "0A000", True))
        for name, value in {"synchronous_commit": "maybe", "lock_timeout": "'x'", "IntervalStyle": "x", "statement_timeout": "'1 year'"}.items():
            equal((name, error_of(one.ask(wire.query(f"SET {name} TO {value}")))["C"]), (name, "22023"))
    equal(refused(wire.startup(user="test", options="-c search_path=tenant")), "0A000")
    equal(refused(wire.startup(user="test", options="-c TimeZone=Europe/Berlin")), "0A000")


# ---- the extended protocol

def test_prepared():
    with peer() as one:
        messages = one.ask(wire.parse("SELECT k, s FROM t WHERE k = $1", "q"), wire.describe("S", "q"),
                           wire.bind(["1"], statement="q"), wire.describe(), wire.execute(), wire.SYNC)
        equal(kinds(messages), "1tT2TDCZ")
        equal(messages[1][1], [23])
        equal(messages[2][1], [("k", 23, 4, -1, 0), ("s", 25, -1, -1, 0)])
        equal(data_of(messages), [[b"1", b"one"]])
        messages = one.ask(wire.bind([struct.pack("!i", 2)], statement="q", formats=[1], results=[1, 0]), wire.describe(),
                           wire.execute(), wire.SYNC)
        equal(messages[1][1], [("k", 23, 4, -1, 1), ("s", 25, -1, -1, 0)])
        equal(data_of(messages), [[b"\0\0\0\2", None]])
        equal(kinds(one.ask(wire.close("S", "q"), wire.close("P", "nosuch"), wire.SYNC)), "33Z")
        equal(error_of(one.ask(wire.bind(["1"], statement="q"), wire.SYNC))["C"], "26000")


def test_error_skips_to_sync():
    with peer() as one:
        one.send(wire.parse("SELECT nosuch FROM t"), wire.bind(), wire.execute(), wire.query("SELECT 1"), wire.SYNC, wire.query("SELECT 2"))
        equal(kinds(one.until("Z")), "EZ")
        equal(data_of(one.until("Z")), [[b"2"]])
        for messages, state in (((wire.bind(["1"]),), "26000"), ((wire.execute("nosuch"),), "34000"), ((wire.describe("X"),), "08P01"),
                                ((wire.parse("SELECT $1"), wire.bind()), "08P01"), ((wire.parse("SELECT 1; SELECT 2"),), "42601"),
                                ((wire.parse("SELECT $0"),), "42601"), ((wire.parse("SELECT $1", oids=[600]),), "0A000"),
                                ((wire.parse("SELECT 1", "a"), wire.parse("SELECT 1", "a")), "42P05"),
                                ((wire.parse("SELECT $1::x"),), "42704"), ((wire.parse("SELECT 1"), wire.bind(results=[2])), None),
                                ((wire.parse("SELECT k FROM t WHERE k = $1"), wire.bind(["x"])), "22P02"),
                                ((wire.parse("SELECT k FROM t WHERE k = $1"), wire.bind([b"12345"], formats=[1])), "22P03"),
                                ((wire.message("P", b"\0no end"),), "08P01"), ((wire.message("E", b"\0"),), "08P01")):
            answers = one.ask(*messages, wire.execute(), wire.SYNC)
            equal((messages, answers[-1][1]), (messages, "I"))
            if state is not None:
                equal((messages, error_of(answers)["C"]), (messages, state))
            else:
                error_of(answers)


def test_portals():
    with peer() as one:
        one.rows("INSERT INTO w (k, v) SELECT k + 1000, 'p' FROM t")
        parsed = wire.parse("SELECT k FROM t ORDER BY k")
        messages = one.ask(parsed, wire.bind(), wire.execute(rows=1), wire.execute(rows=1), wire.execute(rows=1), wire.SYNC)
        equal(kinds(messages), "12DsDsCZ")
        equal(tags_of(messages), ["SELECT 0"])
        equal(error_of(one.ask(wire.execute(), wire.SYNC))["C"], "34000")  # it has ended with its transaction
        one.rows("BEGIN")
        one.ask(parsed, wire.bind(portal="p"), wire.execute("p", 1), wire.SYNC)
        equal(error_of(one.ask(wire.bind(portal="p"), wire.SYNC))["C"], "42P03")
        one.rows("ROLLBACK; BEGIN")
        one.ask(parsed, wire.bind(portal="p"), wire.execute("p", 1), wire.SYNC)
        messages = one.ask(wire.execute("p"), wire.SYNC)
        equal((kinds(messages), tags_of(messages), messages[-1][1]), ("DCZ", ["SELECT 1"], "T"))
        one.rows("CLOSE p")
        equal(error_of(one.ask(wire.execute("p"), wire.SYNC))["C"], "34000")
        one.rows("ROLLBACK")
        messages = one.ask(wire.parse("DELETE FROM w WHERE k > 1000"), wire.bind(), wire.execute(), wire.execute(), wire.SYNC)
        equal((tags_of(messages), error_of(messages)["C"]), (["DELETE 2"], "55000"))


def test_cursors():
    with peer() as one:
        messages = one.ask(wire.query("BEGIN; DECLARE c CURSOR FOR\n SELECT nosuch FROM t"))
        equal(error_of(messages)["P"], "37")
        one.rows("ROLLBACK; BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT k FROM t ORDER BY k")
        for direction in ("PRIOR", "BACKWARD", "FIRST", "LAST", "ABSOLUTE 1", "RELATIVE 1", "-1", "0"):
            one.rows("SAVEPOINT s")
            equal((direction, error_of(one.ask(wire.query(f"FETCH {direction} FROM c")))["C"]), (direction, "0A000"))
            one.rows("ROLLBACK TO s")
        equal(one.rows("FETCH c; COMMIT"), [["1"]])
        equal(one.rows("FETCH ALL c"), [["2"]])
        equal(one.rows("CLOSE ALL"), [])
        equal(error_of(one.ask(wire.query("FETCH c")))["C"], "34000")
        one.rows("DECLARE c CURSOR WITH HOLD FOR SELECT 1 / (k - 1) FROM t ORDER BY k")
        equal(error_of(one.ask(wire.query("FETCH c")))["C"], "22012")
        equal(error_of(one.ask(wire.query("FETCH c")))["C"], "55000")  # not an empty result


def test_statements_of_the_session_are_prepared():
    with peer() as one:
        for sql, shape in {"BEGIN": "1tn2nCZ", "SHOW server_version": "1tT2TDCZ", "DISCARD PLANS": "1tn2nCZ", "ROLLBACK": "1tn2nNCZ",
                           "SELECT version()": "1tT2TDCZ", "SHOW SCHEMAS": "1tT2TDDCZ", "EXPLAIN SELECT 1": "1tT2TDCZ", "": "1tn2nIZ",
                           "INSERT INTO w VALUES ($1, $2) RETURNING k": "1tT2TDCZ"}.items():
            values = ["5", "x"] if "$1" in sql else []
            one.ask(wire.query("ROLLBACK"))
            messages = one.ask(wire.parse(sql), wire.describe("S"), wire.bind(values), wire.describe(), wire.execute(), wire.SYNC)
            equal((sql, kinds(messages)), (sql, shape))
        one.rows("ROLLBACK; DELETE FROM w WHERE k = 5")
        messages = one.ask(wire.parse("DISCARD ALL", "d"), wire.bind(statement="d", portal="d"), wire.execute("d"), wire.SYNC)
        equal(kinds(messages), "12CZ")
        equal(error_of(one.ask(wire.bind(statement="d"), wire.SYNC))["C"], "26000")


def test_refused_blocks():
    """transactions = 'refuse': a block that cannot be taken back has no writes."""
    with peer() as one:
        one.rows("SET transactions = 'refuse'; INSERT INTO w VALUES (31, 'x')")
        for sql in ("INSERT INTO w VALUES (32, 'x')", "UPDATE w SET v = 'y' WHERE k = 31", "DELETE FROM w WHERE k = 31", "CREATE TABLE never (k INT PRIMARY KEY)",
                    "COPY w FROM STDIN", "WITH i AS (SELECT 1) DELETE FROM w", "TRUNCATE w"):
            one.ask(wire.query("BEGIN"))
            error = error_of(one.ask(wire.query(sql)))
            equal((sql, error["C"], error["M"]), (sql, "0A000", "a transaction block cannot take back what it writes"))
            equal(kinds(one.ask(wire.query("ROLLBACK"))), "CZ")
        equal(one.rows("BEGIN; SELECT v FROM w WHERE k = 31; COMMIT")[-1:], [["x"]])
        one.ask(wire.query("BEGIN READ ONLY"))
        equal(error_of(one.ask(wire.query("DELETE FROM w WHERE k = 31")))["C"], "25006")
        one.rows("ROLLBACK; SET transactions = 'allow'; BEGIN; DELETE FROM w WHERE k = 31; COMMIT")
        equal(error_of(one.ask(wire.query("SET transactions = 'perhaps'")))["C"], "22023")


def test_executions_of_executions():
    """Parse prepares EXECUTE, too: of itself, or of another one that executes it."""
    with peer() as one:
        for name, other in (("a", "a"), ("b", "c"), ("c", "b")):
            equal(kinds(one.ask(wire.parse(f"EXECUTE {other}", name), wire.describe("S", name), wire.SYNC)), "1tnZ")
        for name in "abc":
            equal(error_of(one.ask(wire.query(f"EXECUTE {name}")))["C"], "0A000")
            equal(error_of(one.ask(wire.bind(statement=name), wire.execute(), wire.SYNC))["C"], "0A000")
        for sql, position in {"PREPARE p AS SELECT nosuch FROM t": "21", "PREPARE p (INT, nosuch) AS SELECT $1": "17",
                              " PREPARE p AS CREATE TABLE never (k INT PRIMARY KEY)": "15"}.items():
            equal((sql, error_of(one.ask(wire.query(sql)))["P"]), (sql, position))
        equal(error_of(one.ask(wire.query("PREPARE p (" + "int," * 65535 + "int) AS SELECT 1")))["C"], "54000")
        one.rows("PREPARE p AS SELECT s FROM t WHERE k = $1 / 0")
        assert "P" not in error_of(one.ask(wire.query("EXECUTE p (1)")))


def test_pipeline():
    with peer() as one:
        one.send(b"".join(wire.parse("SELECT $1", oids=[20]) + wire.bind([str(i)]) + wire.execute() + wire.SYNC for i in range(500)))
        for i in range(500):
            equal(data_of(one.until("Z")), [[str(i).encode()]])
        one.send(wire.parse("SELECT 1"), wire.FLUSH)
        equal(one.read()[0], "1")


# ---- types

def test_values():
    with peer() as one:
        texts = [[b"1", b"one", b"9000000000", b"1.5", b"0.1", b"12.5", b"\\x00ff", b"t", b"2024-02-29", b"2024-02-29 12:34:56.5", b'{"a":1}'],
                 [b"2", None, b"-1", b"1e+20", b"1e+07", b"-0.001", b"\\x", b"f", b"0001-01-01", b"1969-12-31 23:59:59.999", None]]
        sql = "SELECT * FROM t ORDER BY k"
        messages = one.ask(wire.query(sql))
        equal(data_of(messages), texts)
        equal([column[1:3] for column in messages[0][1]], [(23, 4), (25, -1), (20, 8), (701, 8), (700, 4), (1700, -1), (17, -1), (16, 1),
                                                           (1082, 4), (1114, 8), (114, -1)])
        first = data_of(one.ask(wire.parse(sql), wire.bind(results=[1]), wire.execute(), wire.SYNC))[0]
        equal(first, [struct.pack("!i", 1), b"one", struct.pack("!q", 9000000000), struct.pack("!d", 1.5), struct.pack("!f", 0.1),
                      struct.pack("!hhHhhh", 2, 0, 0, 1, 12, 5000), b"\0\xff", b"\1", struct.pack("!i", 8825),
                      struct.pack("!q", 762525296500000), b'{"a":1}'])
        # what was read goes back, in both formats, and is found by its value
        for i, name in enumerate(["k", "s", "g", "d", "f", "n", "b", "o", "z", "ts"]):
            find = wire.parse(f"SELECT k FROM t WHERE {name} = $1")
            equal((name, data_of(one.ask(find, wire.bind([first[i]], formats=[1]), wire.execute(), wire.SYNC))), (name, [[b"1"]]))
            equal((name, data_of(one.ask(find, wire.bind([texts[0][i]]), wire.execute(), wire.SYNC))), (name, [[b"1"]]))


def test_reals():
    with peer() as one:
        for real in (0.0, -0.0, 1.0, 0.1, 1e-4, 0.00012345, 1e-5, 123456.0, 1e14, 999999999999999.0, 1e15, 1234567890123456.7, 5e-324,
                     1.7976931348623157e308, float("nan"), float("inf"), float("-inf"), 1 / 3, 2.0 ** 53):
            ask = wire.parse("SELECT CAST($1 AS DOUBLE)", oids=[701]), wire.bind([struct.pack("!d", real)], formats=[1])
            shown = data_of(one.ask(*ask, wire.execute(), wire.SYNC))[0][0].decode()
            assert struct.pack("!d", float(shown)) == struct.pack("!d", real) or real != real, (real, shown)
            expected = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(real), None)
            equal((real, expected or shown), (real, shown))
        equal(one.rows("SELECT 1e15, 1e14, 1e-4, 1e-5, -0e0"), [["1e+15", "100000000000000", "0.0001", "1e-05", "-0"]])


def test_numerics():
    with peer() as one:
        rng = random.Random(1)
        numbers = ["0", "1", "-1", "0.0001", "10000", "99999999", "0.00000001", "-12345.678", "123456789012345678901234567890.5"]
        numbers += [f"{rng.randrange(-10**9, 10**9)}.{rng.randrange(1, 10**6)}".rstrip("0") for _ in range(50)]
        for number in numbers:
            ask = wire.parse("SELECT CAST($1 AS DECIMAL)", oids=[1700])
            binary = data_of(one.ask(ask, wire.bind([number], results=[1]), wire.execute(), wire.SYNC))[0][0]
            back = data_of(one.ask(ask, wire.bind([binary], formats=[1]), wire.execute(), wire.SYNC))[0][0]
            equal(back.decode(), number)
        for bad, state in ((b"", "08P01"), (b"\0" * 7, "08P01"), (struct.pack("!hhHh", 0, 0, 0xc000, 0), "22003"),
                           (struct.pack("!hhHhh", 1, 0, 0, 0, 10000), "22P03"), (struct.pack("!hhHh", -1, 0, 0, 0), "22P03"),
                           (struct.pack("!hhHh", 2, 0, 0, 0), "08P01"), (struct.pack("!hhHhh", 1, 32767, 0, 0, 1), "22P03")):
            answer = one.ask(ask, wire.bind([bad], formats=[1]), wire.execute(), wire.SYNC)
            equal((bad, error_of(answer)["C"]), (bad, state))


def test_uuid_and_json():
    with peer() as one:
        one.ask(wire.query("CREATE TABLE document (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), j JSON, b JSONB)"))
        text, raw = b"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", bytes.fromhex("a0eebc999c0b4ef8bb6d6bb9bd380a11")
        json, jsonb, printed = b'{"b":1,  "a":[1.50]}', b'{"bb":1,"a":1e2,"a":[1.50]}', b'{"a": [1.50], "bb": 1}'
        insert = wire.parse("INSERT INTO document VALUES ($1, $2, $3) RETURNING *", oids=[2950, 114, 3802])
        returned = one.ask(insert, wire.bind([raw, json, b"\1" + jsonb], formats=[1]), wire.execute(), wire.SYNC)
        equal(data_of(returned), [[text, json, printed]])
        # without types, and in text
        insert = wire.parse("INSERT INTO document VALUES ($1, $2, $3)")
        one.ask(insert, wire.bind([b"{00000000000000000000000000000001}", json, jsonb]), wire.execute(), wire.SYNC)
        messages = one.ask(wire.query("SELECT * FROM document ORDER BY id"))
        equal([column[1:3] for column in messages[0][1]], [(2950, 16), (114, -1), (3802, -1)])
        equal(data_of(messages), [[b"00000000-0000-0000-0000-000000000001", json, printed], [text, json, printed]])
        binary = one.ask(wire.parse("SELECT * FROM document WHERE id = $1"), wire.bind([raw], formats=[1], results=[1]), wire.execute(), wire.SYNC)
        equal(data_of(binary), [[raw, json, b"\1" + printed]])
        for name, oid, value in (("id", 2950, raw), ("id", 2950, text), ("id", 25, text.upper()), ("b", 3802, b"\1" + jsonb), ("b", 3802, jsonb)):
            find = wire.parse(f"SELECT count(*) FROM document WHERE {name} = $1", oids=[oid] if oid != 25 else [])
            is_binary = value[0] in (1, 0xa0)
            answer = one.ask(find, wire.bind([value], formats=[int(is_binary)]), wire.execute(), wire.SYNC)
            equal((name, value, data_of(answer)), (name, value, [[b"1" if name == "id" else b"2"]]))
        for oid, bad, state in ((2950, raw[:15], "08P01"), (2950, raw + b"x", "22P03"), (3802, b"", "08P01"), (3802, b"\2{}", "22P03"),
                                (3802, b"\1{", "22P02"), (3802, b"\1\xff", "22021")):
            answer = one.ask(wire.parse("SELECT $1::text", oids=[oid]), wire.bind([bad], formats=[1]), wire.execute(), wire.SYNC)
            equal((oid, bad, error_of(answer)["C"]), (oid, bad, state))
        for oid, bad in ((2950, b"x"), (114, b"{"), (3802, b"nul")):
            answer = one.ask(wire.parse("INSERT INTO document (id, j, b) VALUES ($1, $2, $3)", oids=[2950, 114, 3802]),
                             wire.bind([bad if oid == 2950 else text, bad if oid == 114 else b"1", bad if oid == 3802 else b"1"]),
                             wire.execute(), wire.SYNC)
            equal((oid, error_of(answer)["C"]), (oid, "22P02"))
        # a ? is an operator here
        equal(one.rows("SELECT b ? 'a', b ?| ARRAY['x'], b ?& '{a,bb}', j #>> '{a,0}', b @> '{\"bb\":1.0}' FROM document WHERE id = "
                       f"'{text.decode()}'"), [["t", "f", "t", "1.50", "t"]])
        equal(one.rows("SELECT jsonb_agg(b -> 'bb'), json_object_agg(substr(id::text, 1, 4), 1) FROM document"),
              [["[1, 1]", '{ "0000" : 1, "a0ee" : 1 }']])
        one.ask(wire.query("DROP TABLE document"))


def test_limited_types():
    with peer() as one:
        one.ask(wire.query("CREATE TABLE limited (k SMALLINT PRIMARY KEY, v VARCHAR(8), c CHAR(4), n NUMERIC(6, 2), w NUMERIC(5))"))
        returned = one.ask(wire.query("INSERT INTO limited VALUES (-7, 'cup', 'a1', 2, 3) RETURNING n, k"))
        equal(([column[1:4] for column in returned[0][1]], data_of(returned)), ([(1700, -1, (6 << 16 | 2) + 4), (21, 2, -1)], [[b"2.00", b"-7"]]))
        sql = "SELECT * FROM limited"
        messages = one.ask(wire.query(sql))
        equal([column[1:4] for column in messages[0][1]], [(21, 2, -1), (1043, -1, 12), (1042, -1, 8), (1700, -1, (6 << 16 | 2) + 4),
                                                           (1700, -1, (5 << 16) + 4)])
        equal(data_of(messages), [[b"-7", b"cup", b"a1", b"2.00", b"3"]])
        binary = data_of(one.ask(wire.parse(sql), wire.bind(results=[1]), wire.execute(), wire.SYNC))[0]
        equal(binary, [struct.pack("!h", -7), b"cup", b"a1", struct.pack("!hhHhh", 1, 0, 0, 2, 2), struct.pack("!hhHhh", 1, 0, 0, 0, 3)])
        # an expression has the type without the limit
        equal([column[1:4] for column in one.ask(wire.query("SELECT k + 0, n + 0, v || '' FROM limited"))[0][1]],
              [(23, 4, -1), (1700, -1, -1), (25, -1, -1)])


def test_types_of_parameters():
    with peer() as one:
        for sql, types in {"SELECT k FROM t WHERE g BETWEEN $1 AND $2 AND s LIKE $3 AND n IN ($4, 1) LIMIT $5": [20, 20, 25, 1700, 20],
                           "INSERT INTO t (k, z, ts, b, o) VALUES ($1, $2, $3, $4, $5)": [23, 1082, 1114, 17, 16],
                           "UPDATE t SET f = $1, d = d + $2 WHERE k = $3": [700, 701, 23],
                           "SELECT $1": [25], "SELECT $2, upper($1)": [25, 25]}.items():
            equal((sql, one.ask(wire.parse(sql), wire.describe("S"), wire.SYNC)[1][1]), (sql, types))
        messages = one.ask(wire.parse("SELECT $1, $2", oids=[20, 1082]), wire.describe("S"), wire.bind(["5", "2024-01-01 +00"], results=[1]),
                           wire.execute(), wire.SYNC)
        equal([column[1] for column in messages[2][1]], [20, 1082])
        equal(data_of(messages), [[struct.pack("!q", 5), struct.pack("!i", 8766)]])


# ---- cancel and limits

FILL = "INSERT INTO w VALUES " + ", ".join(f"({i}, 'v{i}')" for i in range(300))


def test_cancel():
    with peer() as one:
        one.rows(FILL)
        one.send(wire.query(SLOW))
        while not any(row[8] and "CROSS JOIN" in row[8] for row in peer().rows("SHOW STATEMENTS")):
            time.sleep(0.01)
        wire.cancel(server.address, (one.key[0], one.key[1] ^ 1))
        wire.cancel(server.address, (one.key[0] + 1000, one.key[1]))
        one.socket.settimeout(0.3)
        try:
            one.read()
            raise AssertionError("cancelled with another key")
        except socket.timeout:
            one.socket.settimeout(wire.SECONDS)
        wire.cancel(server.address, one.key)
        messages = one.until("Z")
        equal(error_of(messages)["C"], "57014")
        equal(error_of(messages)["M"], "canceling statement due to user request")
        equal(one.rows("SELECT 1"), [["1"]])
        one.rows("SET statement_timeout = 100")
        equal(error_of(one.ask(wire.query(SLOW)))["C"], "57014")
        one.rows("SET statement_timeout = 0")
        wire.cancel(server.address, one.key)  # nothing runs
        equal(one.rows("SELECT 1"), [["1"]])


MANY = "SELECT 1;" * support.size(100000, 20000)


def test_cancel_of_many():
    """Between the statements of a text, too, a client can cancel and an operator can end the session."""
    for ends in (False, True):
        with peer() as one, peer() as other:
            session = other.rows("SHOW SESSIONS")[-2][0]
            one.send(wire.query(MANY))
            one.read()
            if ends:
                other.rows(f"KILL SESSION {session}")
                messages = one.rest()
            else:
                wire.cancel(server.address, one.key)
                messages = one.until("Z")
            errors = [(value["S"], value["C"]) for kind, value in messages if kind == "E"]
            assert len(tags_of(messages)) < MANY.count(";"), len(messages)
            assert (errors[-1] == ("FATAL", "57P01")) if ends else (errors == [("ERROR", "57014")]), errors


def test_failed_block_has_no_executions():
    """A portal that was bound before the failure is not executed after it."""
    with peer() as one:
        one.ask(wire.query("BEGIN"))
        one.ask(wire.parse("INSERT INTO w VALUES (900, 'x')"), wire.bind(portal="p"), wire.SYNC)
        one.ask(wire.parse("SELECT k FROM w"), wire.bind(portal="q"), wire.execute("q", 1), wire.SYNC)
        one.ask(wire.query("SELECT nosuch"))
        for portal in "pq":
            messages = one.ask(wire.execute(portal, 1), wire.SYNC)
            equal((portal, kinds(messages), error_of(messages)["C"]), (portal, "EZ", "25P02"))
        equal(one.rows("ROLLBACK; SELECT k FROM w WHERE k = 900"), [])


def test_slow_reader():
    """A client that does not read blocks its own session only, and what it gets later is whole."""
    with peer() as slow, peer() as other:
        slow.send(wire.query("SELECT a.k, b.v, a.v || b.v || 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' FROM w a CROSS JOIN w b"))
        for _ in range(20):
            equal(other.rows("SELECT k FROM t WHERE k = 1"), [["1"]])
        messages = slow.until("Z")
        equal(tags_of(messages), [f"SELECT {len(data_of(messages))}"])
        assert len(data_of(messages)) >= 300 * 300


def warm_cursors(one):
    return int(dict(one.rows("SHOW STATUS"))["warm cursors"])


def test_gone_reader():
    """The daemon keeps nothing for a client that has gone in the middle of a result."""
    own = Server()
    with wire.Peer(own.address) as one:
        one.rows(DEFINITIONS + FILL)
        gone = [wire.Peer(own.address) for _ in range(5)]
        for each in gone:
            each.send(wire.query("SELECT a.k, a.v || b.v || lpad('x', 200, 'x') FROM w a CROSS JOIN w b"))
        for each in gone:
            each.bytes(1000)
            each.socket.close()
        waits = time.monotonic() + wire.SECONDS
        while warm_cursors(one) > 0 or len(one.rows("SHOW STATEMENTS")) > 1:
            assert time.monotonic() < waits, one.rows("SHOW STATUS")
            time.sleep(0.05)
    own.stop()


def closes(one):
    """The answers up to the end of the connection."""
    one.socket.settimeout(20)
    return one.rest()


def test_limits():
    own = Server("[limits]\nhandshake_timeout_ms = 300\nread_timeout_ms = 300\nidle_timeout_s = 1\nmax_message_bytes = 65536\n"
                 "max_connections = 2\nmax_connections_per_peer = 2\nreserved_connections = 1\nmax_session_statements = 5\n")
    with wire.Peer(own.address, begins=False) as one:  # says nothing
        equal(closes(one), [])
    with wire.Peer(own.address, begins=False) as one:  # half a packet
        one.send(b"\0\0\0\x20\0\3")
        equal(closes(one), [])
    with wire.Peer(own.address) as one:  # half a message
        one.send(wire.query("SELECT 1")[:8])
        equal(closes(one), [])
    with wire.Peer(own.address) as one:
        one.send(struct.pack("!cI", b"Q", 1 << 30))
        equal(error_of(closes(one))["C"], "08P01")
    with wire.Peer(own.address) as one:
        one.send(b"".join(wire.parse("SELECT 1", f"s{i}") for i in range(6)), wire.SYNC)
        messages = one.until("Z")
        equal((kinds(messages), error_of(messages)["C"]), ("11111EZ", "54000"))
        messages = closes(one)  # idle
        equal((kinds(messages), error_of(messages)["C"]), ("E", "57P05"))
    with wire.Peer(own.address) as one:
        one.rows("DEFINE RELATION w { k INT KEY, v STRING }; DEFINE PRIMARY SCHEMA w_1 FOR w { TABLE 'w', ROW k, FAMILY 'f', QUALIFIER 'v', "
                 "VALUE v } WITH (marker = x'00'); " + FILL)
    peers = []
    # one more than there are places: some are still those of connections above, and one whose statement has not begun can lose it
    while len(peers) < 100:
        peers.append(wire.Peer(own.address, begins=False))
        peers[-1].send(packet(SSL))
        equal(peers[-1].bytes(1), b"N")
        peers[-1].send(wire.startup(user="test"))
        messages = peers[-1].until("EZ")
        if kinds(messages)[-1] == "E":
            equal((kinds(messages), messages[0][1]["C"]), ("E", "53300"))
            break
        peers[-1].send(wire.query(SLOW))
        time.sleep(0.05)
    assert 3 <= len(peers) < 100, len(peers)
    for each in peers:
        each.socket.close()
    own.stop()


def test_many_portals():
    with peer() as one:
        one.send(wire.parse("SELECT 1"), b"".join(wire.bind(portal=f"p{i}") for i in range(1001)), wire.SYNC)
        messages = one.until("Z")
        equal((kinds(messages)[-3:], error_of(messages)["C"]), ("2EZ", "54000"))


def held_until(one, messages_of):
    """How often a session can do this until it holds too much."""
    for i in range(100):
        messages = one.ask(*messages_of(i), wire.SYNC)
        if "E" in kinds(messages):
            equal(error_of(messages)["C"], "54000")
            assert "this session" in error_of(messages)["M"], error_of(messages)
            return i
    raise AssertionError("the session holds more than its part of max_memory")


def test_memory_of_a_session():
    """What a session keeps is bounded together, by a sixteenth of max_memory."""
    own = Server("[limits]\nmax_memory = 67108864\n")
    large = "x" * (1 << 20)
    with wire.Peer(own.address) as other:
        other.rows(DEFINITIONS + FILL)
        other.ask(wire.parse("UPDATE w SET v = lpad('v', 10000, 'v') RETURNING k, v", "update"), wire.SYNC)
        for before, messages_of in {
                "SELECT 1": lambda i: [wire.parse(f"DISCARD PLANS -- {large}", f"s{i}")],
                "SELECT 2": lambda i: [wire.parse("SELECT 1", f"s{i}{large}")],
                "BEGIN": lambda i: [wire.parse("SELECT length($1)"), wire.bind([large], portal=f"p{i}")],
                "BEGIN READ WRITE": lambda i: [wire.parse("SELECT 1"), wire.bind(portal=f"p{i}{large}")],
                "SELECT 3": lambda i: [wire.parse(f"DECLARE c{i} CURSOR WITH HOLD FOR SELECT 1 -- {large}"), wire.bind(), wire.execute()],
                "START TRANSACTION": lambda i: [wire.parse("UPDATE w SET v = lpad('v', 10000, 'v') RETURNING k, v"), wire.bind(portal=f"p{i}"),
                                                wire.execute(f"p{i}", 1)]}.items():
            with wire.Peer(own.address) as one:
                one.ask(wire.query(before))
                n = held_until(one, messages_of)
                assert 1 <= n <= 5, (before, n)
                equal(other.rows("SELECT 1"), [["1"]])  # another session is not affected
                one.ask(wire.query("ROLLBACK"))
                one.rows("DISCARD ALL; " + before)
                equal((before, held_until(one, messages_of)), (before, n))
        with wire.Peer(own.address) as one:  # a page that was sent is not held
            one.rows("BEGIN")
            for i in range(100):
                equal(len(one.rows(f"DECLARE c{i} CURSOR WITH HOLD FOR SELECT * FROM w; FETCH 100 FROM c{i}")), 100)
            for sql, state in ((f"SET search_path = {large}", "54000"), ("SET search_path = " + ",".join("a" * 100000), "54000"),
                               (f"SAVEPOINT {large}", "54000"), ("SHOW " + ".".join("a" * 100000), "42601")):
                one.rows("ROLLBACK; BEGIN")
                equal((sql[:20], error_of(one.ask(wire.query(sql)))["C"]), (sql[:20], state))
    equal(own.stop(), 0)


def test_shutdown():
    own = Server()
    with wire.Peer(own.address) as one:
        threading.Thread(target=own.process.terminate).start()
        messages = closes(one)
        equal((kinds(messages), error_of(messages)["C"], error_of(messages)["S"]), ("E", "57P01", "FATAL"))
    equal(own.process.wait(wire.SECONDS), 0)


def test_shutdown_of_busy_clients():
    """Neither a client that sends one request after the other without a pause keeps a daemon alive, nor one that reads no answers."""
    own = Server("[limits]\ndrain_timeout_s = 8\n")
    storm = b"".join((wire.parse("SELECT 1"), wire.bind(), wire.execute(), wire.SYNC)) * 200
    with wire.Peer(own.address) as busy, wire.Peer(own.address) as deaf:
        deaf.rows(DEFINITIONS + FILL)
        deaf.send(wire.query("SELECT a.v || b.v || c.v FROM w a CROSS JOIN w b CROSS JOIN w c"))

        def repeat(function, *arguments):
            try:
                while function(*arguments) != b"":
                    pass
            except OSError:
                pass  # the end of the connection
        reader = threading.Thread(target=repeat, args=(busy.socket.recv, 1 << 20))
        sender = threading.Thread(target=repeat, args=(busy.send, storm))
        reader.start()
        sender.start()
        time.sleep(0.5)
        begin = time.monotonic()
        own.process.terminate()
        sender.join()
        took = time.monotonic() - begin
        assert took < 7, f"the busy client was told to end after {took} s"
        reader.join()
        equal(own.process.wait(wire.SECONDS), 0)
        took = time.monotonic() - begin
        assert took < 16, f"the daemon has ended after {took} s"


# ---- bytes that no client sends

def test_drips():
    with wire.Peer(server.address, begins=False) as one:
        for byte in wire.startup(user="test") + wire.query("SELECT 1") + wire.parse("SELECT 2") + wire.bind() + wire.execute() + wire.SYNC:
            one.send(bytes([byte]))
        equal(kinds(one.until("Z"))[-2:], "KZ")
        equal(data_of(one.until("Z")), [[b"1"]])
        equal(data_of(one.until("Z")), [[b"2"]])


def test_bad_messages():
    for data, state in ((b"\xff\0\0\0\4", "08P01"), (b"Q\0\0\0\3", "08P01"), (b"p\0\0\0\4", "08P01"), (b"Q\xff\xff\xff\xff", "08P01")):
        with peer() as one:
            one.send(data)
            messages = closes(one)
            equal((data, error_of(messages)["S"], error_of(messages)["C"]), (data, "FATAL", state))
    with peer() as one:
        equal(error_of(one.ask(wire.message("Q", b"SELECT 1")))["C"], "08P01")
        equal(error_of(one.ask(wire.message("F", b"")))["C"], "0A000")
        equal(kinds(one.ask(wire.message("d", b"x"), wire.message("c"), wire.query("SELECT 1"))), "TDCZ")
        equal(error_of(one.ask(wire.message("Q", b"SELECT '\xff'\0")))["C"], "42601")


CORPUS = [wire.query("SELECT * FROM t WHERE k = 1; SHOW ALL; BEGIN; SET application_name = 'x'; SAVEPOINT a"), wire.query("ROLLBACK"),
          wire.parse("SELECT k, s, n FROM t WHERE k = $1 OR n > $2 OR b = $3", "a", [23, 1700, 17]), wire.parse("SELECT $1, $2", "", [1082, 1114]),
          wire.bind([b"\0\0\0\1", struct.pack("!hhHhhh", 2, 0, 0, 1, 12, 5000), b"\0\xff"], "p", "a", [1], [1]),
          wire.bind(["2024-01-01 +00", "2024-01-01 00:00:00+02"]), wire.describe("S", "a"), wire.describe("P", "p"), wire.execute("p", 1),
          wire.execute(), wire.close("S", "a"), wire.SYNC, wire.FLUSH, wire.message("F", b"\0\0"), wire.query("DISCARD ALL")]


def mutated(rng):
    data = bytearray(b"".join(rng.choice(CORPUS) for _ in range(rng.randrange(1, 8))))
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(data))
        action = rng.randrange(4)
        if action == 0:
            data[at] = rng.choice((0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)))
        elif action == 1:
            del data[at:at + rng.randrange(1, 5)]
        elif action == 2:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 5)))
        else:
            data[at:at + 4] = struct.pack("!I", rng.choice((0, 4, 1 << 30, 0xffffffff, len(data))))
        if not data:
            break
    return bytes(data)


def test_mutations():
    rng = random.Random(support.seed())
    limit = time.monotonic() + support.size(3.0, 1.0)
    n = 0
    while time.monotonic() < limit:
        with peer() as one:
            try:
                one.send(mutated(rng))
                if rng.randrange(2):
                    one.send(mutated(rng))
                one.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has ended the connection
            for kind, value in one.rest():
                if kind == "E":
                    assert value["C"] != "XX000", value
        n += 1
    print(f"# {n} connections")
    equal(peer().rows("SELECT k FROM t WHERE k = 1"), [["1"]])
    equal(server.process.poll(), None)


def test_definitions_are_not_known_yet():
    """A kvsqld that has not reached its registry cannot say that there is no such relation."""
    with socket.socket() as nothing:
        nothing.bind(("127.0.0.1", 0))
        alone = Server(registry=f"zookeeper://127.0.0.1:{nothing.getsockname()[1]}/kvsql")
        with wire.Peer(alone.address) as one:
            for sql in ("SELECT a FROM missing", "INSERT INTO missing VALUES (1)"):
                equal(error_of(one.ask(wire.query(sql)))["C"], "08006")
        equal(alone.stop(), 0)


def test_end():
    """A sanitizer reports what was leaked when the daemon ends."""
    equal(server.stop(), 0)


TESTS = [test_addresses, test_start, test_encryption_is_declined, test_bad_starts, test_negotiation, test_several_statements, test_error_ends_the_text,
         test_tags, test_errors, test_blocks, test_severities, test_settings_of_blocks, test_settings, test_prepared, test_error_skips_to_sync, test_portals, test_cursors,
         test_statements_of_the_session_are_prepared, test_executions_of_executions, test_refused_blocks, test_pipeline, test_values, test_reals, test_numerics, test_uuid_and_json, test_limited_types, test_types_of_parameters,
         test_cancel, test_cancel_of_many, test_failed_block_has_no_executions, test_slow_reader, test_gone_reader, test_limits, test_many_portals, test_memory_of_a_session, test_shutdown,
         test_shutdown_of_busy_clients, test_drips, test_bad_messages, test_mutations,
         test_definitions_are_not_known_yet, test_end]

if __name__ == "__main__":
    with peer() as first:
        first.rows(DEFINITIONS)
    sys.exit(support.run([("/postgres/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS]))
