#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""COPY of kvsqld and of PostgreSQL: the same statements and data, in portions of several sizes, give the same messages and tuples; errors have
the same texts and contexts. Then what only kvsqld says, clients, KILL, time-outs and rights; and mutated data, which crashes nothing.
"""

import asyncio
import datetime
import decimal
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import PORT, Server  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position
from wire import SYNC, bind, describe, execute, message, parse, query  # noqa: E402 pylint: disable=wrong-import-position

support.use_packages("postgres", ["psycopg", "psycopg2", "asyncpg", "pg8000"], ["psycopg[binary]", "psycopg2-binary", "asyncpg", "pg8000"])
import asyncpg  # noqa: E402 pylint: disable=wrong-import-position
import psycopg  # noqa: E402 pylint: disable=wrong-import-position
import psycopg2  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 60
SEED = int(os.environ.get("KVSQL_TEST_SEED", time.time()))
MUTATIONS = int(os.environ.get("KVSQL_TEST_COPY_MUTATIONS", 1500))
TABLES = """CREATE TABLE t (k INT PRIMARY KEY, s TEXT, n BIGINT, d DOUBLE PRECISION, o BOOLEAN, z DATE, v VARCHAR(5), m SMALLINT);
CREATE TABLE one (a TEXT PRIMARY KEY);
CREATE TABLE two (k INT PRIMARY KEY, s TEXT NOT NULL DEFAULT 'x');
CREATE TABLE many (k INT PRIMARY KEY, s TEXT);
CREATE TABLE kinds (k INT PRIMARY KEY, b BYTEA, n NUMERIC, ts TIMESTAMP, f REAL)"""
NAMES_OF_TABLES = ["t", "one", "two", "many", "kinds"]
DONE = message("c")


def data(body):
    return message("d", body if isinstance(body, bytes) else body.encode())


def fail(reason):
    return message("f", wire.text(reason))


def binary(*rows, header=b"PGCOPY\n\xff\r\n\0" + bytes(8), trailer=b"\xff\xff"):
    def field(value):
        return struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value
    return header + b"".join(struct.pack("!h", len(row)) + b"".join(map(field, row)) for row in rows) + trailer


def int4(value):
    return struct.pack("!i", value)


ROWS = "1\tone\t9000000000\t1.5\tt\t2024-02-29\tabc\t7\n2\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\n3\t\t-1\t1e20\tf\t0001-01-01\tä€\t-3\n"
CSV = "1,one,2\n2,\"a,\"\"b\"\"\nnext\",\n3,,\"4\"\n"
SIMPLE = "COPY two FROM STDIN"

# (statement, data); what is copied is compared, and emptied again.
IN = [
    ("COPY t FROM STDIN", ROWS),
    ("copy t from stdin", ROWS.rstrip("\n")),
    ("COPY t FROM STDOUT", ROWS),
    ("COPY t FROM STDIN", ROWS.replace("\n", "\r\n")),
    ("COPY t FROM STDIN", ROWS.replace("\n", "\r")),
    ("COPY t FROM STDIN", ""),
    ("COPY t (s, k) FROM STDIN", "a\\tb\\\\c\\nd\\x41\\101\\é\t1\n\\\\N\t2\nline\\\nbreak\t3\n\\.\nrubbish\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\n2\tb\\.\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\n\\.x\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\n\\.\r\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\n2\tb\r\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\r\n2\tb\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\r2\tb\n"),
    ("COPY t (k, s) FROM STDIN WITH (FORMAT csv)", "1,a\r\n2,b\n"),
    ("COPY t (k, s) FROM STDIN WITH (FORMAT csv)", "1,a\n2,b\r\n"),
    ("COPY t (k, s) FROM STDIN WITH (FORMAT csv)", "1,a\r2,b\n3,c\r"),
    ("COPY t (k, s, n) FROM STDIN", "1\ta\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\n2\tb\tc\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\nx\tb\n"),
    ("COPY t (k, s) FROM STDIN", "1\ta\n\n"),
    ("COPY t (k, d) FROM STDIN", "1\t1.5\n2\tnone\n"),
    ("COPY t (k, o) FROM STDIN", "1\tyes\n2\tmaybe\n"),
    ("COPY t (k, z) FROM STDIN", "1\t2024-02-29\n2\t2023-02-29\n"),
    ("COPY t (k, v) FROM STDIN", "1\tabcde\n2\tabcdef\n"),
    ("COPY t (k, m) FROM STDIN", "1\t32767\n2\t32768\n"),
    ("COPY t (k, n) FROM STDIN", "99999999999\t1\n"),
    ("COPY t (k, s) FROM STDIN", b"1\ta\n2\t\xff\n"),
    ("COPY t (k, s) FROM STDIN", b"1\ta\n2\tx\0y\n"),
    ("COPY t (k, s) FROM STDIN", "1\t" + "ä" * 80 + "\t3\n"),
    ("COPY t (k, n) FROM STDIN", "1\t" + "ä" * 80 + "\n"),
    ("COPY t (k, s) FROM STDIN WITH (DELIMITER ';', NULL 'nil')", "1;nil\n2;nil2\n3;\\nil\n"),
    ("COPY t (k, s) FROM STDIN WITH DELIMITER AS E'\\t' NULL AS E'\\\\N'", "1\t\\N\n2\tx\n"),
    ("COPY t (k, s) FROM STDIN DELIMITER '|' NULL AS ''", "1|\n2|x\n"),
    ("COPY t (k, s) FROM STDIN (HEADER)", "a\tb\tc\n1\tx\n"),
    ("COPY t (k, s) FROM STDIN (HEADER true, FORMAT text)", "a\tb\tc\n1\tx\n"),
    ("COPY t (k, s) FROM STDIN (HEADER off)", "1\tx\n"),
    ("COPY t (k, s) FROM STDIN (HEADER MATCH)", "k\ts\n1\tx\n"),
    ("COPY t (k, s) FROM STDIN (HEADER match, FORMAT 'csv')", "k,t\n1,x\n"),
    ("COPY t (k, s) FROM STDIN (HEADER MATCH, FORMAT csv)", "k\n1,x\n"),
    ("COPY t (k, s) FROM STDIN (HEADER MATCH, FORMAT csv)", ",s\n1,x\n"),
    ("COPY t (k, s, n) FROM STDIN WITH CSV", CSV),
    ("COPY t (k, s, n) FROM STDIN CSV HEADER", "x,y,z\n" + CSV),
    ("COPY t (k, s, n) FROM STDIN WITH (FORMAT csv, HEADER)", "x,y,z\r\n" + CSV.replace("\n", "\r\n")),
    ("COPY t (k, s) FROM STDIN CSV", "1,\"open\n2,b\n"),
    ("COPY t (k, s) FROM STDIN CSV", "1,\"a\n\nb\"\n2,c,d\n"),
    ("COPY t (k, s) FROM STDIN CSV", "1,\"a\"b\"c\"\n2,\\.\n\\.\n3,d\n"),
    ("COPY t (k, s) FROM STDIN CSV", "1,\\N\n2,\"\"\n3,\n4, \n"),
    ("COPY t (k, s) FROM STDIN CSV QUOTE '''' DELIMITER ';' ESCAPE '\\'", "1;'a\\'b\\\\c\\d'\n2;\"x\"\n"),
    ("COPY t (k, s) FROM STDIN (FORMAT csv, ESCAPE '\\')", "1,\"a\\\"b\"\n2,\"c\\\\\"\n3,\"d\"\n"),
    ("COPY t (k, s, v) FROM STDIN (FORMAT csv, FORCE_NOT_NULL (s), FORCE_NULL (v))", "1,,\"\"\n2,\"\",\n"),
    ("COPY t (k, s, v) FROM STDIN CSV FORCE NOT NULL s, v", "1,,\n"),
    ("COPY t (k, s) FROM STDIN (FORMAT csv, NULL 'NULL')", "1,NULL\n2,\"NULL\"\n"),
    ("COPY t (k, s) FROM STDIN (FORMAT csv, ENCODING 'utf8')", "1,ä\n"),
    ("COPY one FROM STDIN", "\n"),
    ("COPY one FROM STDIN", "a\nb\n\\.\n"),
    ("COPY one FROM STDIN CSV", "a\n\"\\.\"\n\\.\nb\n"),
    (SIMPLE, "1\ta\n2\t\\N\n"),
    ("COPY two (k) FROM STDIN", "1\n2\n"),
    ("COPY two (s) FROM STDIN", "a\n"),
    (SIMPLE, "1\ta\n1\tb\n"),
    ("COPY t FROM STDIN (FREEZE false)", ""),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one"), (int4(2), b""))),
    ("COPY two FROM STDIN BINARY", binary((int4(1), b"one"), trailer=b"")),
    ("COPY two (s, k) FROM STDIN WITH BINARY", binary((b"one", int4(1)))),
    ("COPY t (k, o, z, d, m) FROM STDIN (FORMAT binary)",
     binary((int4(1), b"\1", int4(8825), struct.pack("!d", -0.5), struct.pack("!h", 3)), (int4(2), None, None, None, None))),
    ("COPY kinds FROM STDIN (FORMAT binary)",
     binary((int4(1), b"\0\xff", struct.pack("!hhHhhh", 2, 0, 0, 1, 12, 5000), struct.pack("!q", 762525296500000), struct.pack("!f", 0.5)))),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one"), (int4(2),))),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one"), (b"\0\0\0", b"x"))),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one"), (int4(2), b"\xff"))),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one"))[:-6]),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one")) + b"x"),
    ("COPY two FROM STDIN (FORMAT binary)", b"PGCOPY\n\xff\r\nx" + bytes(8)),
    ("COPY two FROM STDIN (FORMAT binary)", b"1\tone\n"),
    ("COPY two FROM STDIN (FORMAT binary)", b""),
    ("COPY two FROM STDIN (FORMAT binary)", binary(header=b"PGCOPY\n\xff\r\n\0" + bytes([0, 1, 0, 0, 0, 0, 0, 0]))),
    ("COPY two FROM STDIN (FORMAT binary)", binary(header=b"PGCOPY\n\xff\r\n\0" + bytes([1, 0, 0, 0, 0, 0, 0, 0]))),
    ("COPY two FROM STDIN (FORMAT binary)", binary((int4(1), b"one"), header=b"PGCOPY\n\xff\r\n\0" + bytes([0, 0, 0, 0, 0, 0, 0, 3]) + b"abc")),
    ("COPY two FROM STDIN (FORMAT binary)", binary() + b""),
]

# Statements that are refused before any data.
REFUSED = [
    "COPY nosuch FROM STDIN", "COPY two (nosuch) FROM STDIN", "COPY two (k, k) FROM STDIN", "COPY two FROM", "COPY two STDIN", "COPY",
    "COPY two FROM STDIN WITH (FORMAT xml)", "COPY two FROM STDIN (NOSUCH 1)", "COPY two FROM STDIN (FORMAT csv, FORMAT csv)",
    "COPY two FROM STDIN CSV CSV", "COPY two FROM STDIN (DELIMITER 'ab')", "COPY two FROM STDIN (DELIMITER E'\\n')",
    "COPY two FROM STDIN (DELIMITER 'a')", "COPY two FROM STDIN (FORMAT csv, QUOTE ',')", "COPY two FROM STDIN (QUOTE '''')",
    "COPY two FROM STDIN (ESCAPE '''')", "COPY two FROM STDIN (FORMAT csv, QUOTE 'ab')", "COPY two FROM STDIN (FORMAT csv, ESCAPE 'ab')",
    "COPY two FROM STDIN (NULL 'a\tb')", "COPY two FROM STDIN (FORMAT csv, NULL '\"')", "COPY two FROM STDIN (NULL E'a\\nb')",
    "COPY two FROM STDIN (FORMAT binary, DELIMITER ',')", "COPY two FROM STDIN (FORMAT binary, NULL '')", "COPY two FROM STDIN (FORMAT binary, HEADER)",
    "COPY two TO STDOUT (HEADER MATCH)", "COPY two FROM STDIN (HEADER maybe)", "COPY two FROM STDIN (FORMAT csv, FORCE_QUOTE (s))",
    "COPY two TO STDOUT (FORMAT csv, FORCE_NULL (s))", "COPY two TO STDOUT (FORMAT csv, FORCE_NOT_NULL (s))", "COPY two TO STDOUT (FORCE_QUOTE (s))",
    "COPY two FROM STDIN (FORMAT csv, FORCE_NULL (nosuch))", "COPY two TO STDOUT (FORMAT csv, FORCE_QUOTE (nosuch))",
    "COPY two TO STDOUT (FORCE_NULL (s))", "COPY nosuch TO STDOUT", "COPY two (nosuch) TO STDOUT", "COPY (SELECT nosuch FROM two) TO STDOUT",
    "COPY (SELECT 1) FROM STDIN", "BEGIN READ ONLY; COPY two FROM STDIN",
]

OUT = [
    "COPY t TO STDOUT", "COPY t (s, k) TO STDOUT", "COPY t TO STDOUT CSV HEADER", "COPY t (k, s) TO STDOUT (HEADER)", "COPY t TO STDIN",
    "COPY (SELECT k, s FROM t WHERE k > 1 ORDER BY k DESC) TO STDOUT", "COPY (SELECT k AS \"a,b\", s FROM t ORDER BY k) TO STDOUT CSV HEADER",
    "COPY (WITH x AS (SELECT k FROM t) SELECT k FROM x ORDER BY k) TO STDOUT", "COPY (VALUES (1, 'a'), (2, NULL)) TO STDOUT",
    "COPY (SELECT k FROM t WHERE k = 99) TO STDOUT", "COPY (SELECT k FROM t WHERE k = 99) TO STDOUT (FORMAT csv, HEADER)",
    "COPY t (k, s) TO STDOUT (FORMAT csv, DELIMITER ';', NULL 'nil', QUOTE '''', ESCAPE '\\')", "COPY t (k, s) TO STDOUT (FORMAT csv, FORCE_QUOTE *)",
    "COPY t (k, s) TO STDOUT CSV FORCE QUOTE s", "COPY t (k, s, v) TO STDOUT (FORMAT csv, FORCE_QUOTE (s, v))",
    "COPY t (s) TO STDOUT CSV", "COPY t (s) TO STDOUT (DELIMITER 'é')", "COPY t (s, v) TO STDOUT (DELIMITER '|', NULL '')",
    "COPY t TO STDOUT (FORMAT binary)", "COPY (SELECT k FROM t WHERE k = 99) TO STDOUT (FORMAT binary)", "COPY kinds TO STDOUT", "COPY kinds TO STDOUT CSV",
    "COPY kinds TO STDOUT (FORMAT binary)", "COPY (SELECT relname FROM pg_class WHERE relname = 't') TO STDOUT",
]
STRINGS = ["plain", None, "", "tab\there", "back\\slash", "new\nline", "return\rhere", "quote\"s'", "comma,semi;pipe|", "\\.", "nil", "\b\f\v\x01", "ä€😀"]


# ---- comparisons

def shape_of(kind, value):
    if kind == "E":
        return kind, value["S"], value["C"], value.get("W")
    if kind == "N":
        return kind, value["S"], value["C"]
    return kind, value


def text_of(answers):
    return [value["M"] for kind, value in answers if kind == "E"]


def is_of_both(answer):
    """kvsqld says more: what stays."""
    return answer[0] not in "SN"


def joined(answers):
    """CopyData may come in any portions."""
    result = []
    for answer in answers:
        if answer[0] == "d" and result and result[-1][0] == "d":
            result[-1] = ("d", result[-1][1] + answer[1])
        else:
            result.append(answer)
    return result


def copy_in(peer, statement, *messages):
    peer.send(query(statement))
    answers = peer.until("GZ")
    if answers[-1][0] == "G":
        peer.send(*messages, DONE)
        answers += peer.until("Z")
    return answers


def portions(body, size):
    body = body if isinstance(body, bytes) else body.encode()
    return [data(body[i:i + size]) for i in range(0, len(body), size)] if size else [data(body)]


def table_of(statement):
    return statement.split()[1]


# Errors of the engine have texts of their own, some another SQLSTATE, and those of a batch no text in their context.
OWN_TEXT = {"22P02", "22P03", "22003", "22007", "22008", "23502", "23505", "42P01", "42703", "42601", "42701", "42000", "0A000", "22001", "22021",
            "42P10", "25006", "08P01", "55000"}
SQLSTATES = {"22008": "22P02", "42701": "42000"}
OF_A_BATCH = {"23502", "23505", "22001", "22003"}
AT_ONCE = "COPY two (s) FROM STDIN"  # an attribute without a value is an error before there is data


def expected_of(answers):
    for kind, *rest in (shape_of(*each) for each in joined([each for each in answers if is_of_both(each)])):
        if kind == "E":
            severity, state, context = rest
            if state in OF_A_BATCH and context is not None:
                context = context.partition(":")[0].partition(", column")[0]
            rest = severity, SQLSTATES.get(state, state), context
        yield kind, *rest


def same(expected, got, statement, body):
    left = list(expected_of(expected))
    right = list(expected_of(got))
    if statement == AT_ONCE:
        left = [left[-2][:-1] + (None,), left[-1]]
    texts = {value["C"] for kind, value in expected if kind == "E"} & OWN_TEXT
    if left != right or (text_of(expected) != text_of(got) and not texts):
        print(f"# {statement!r} {body!r}\n#   PostgreSQL: {left} {text_of(expected)}\n#   kvsqld:     {right} {text_of(got)}")
        return False
    return True


def compare_in(ours, theirs):
    bad = 0
    for statement, body in IN:
        for size in (0, 1, 7):
            contents = []
            answers = [copy_in(peer, statement, *portions(body, size)) for peer in (theirs, ours)]
            bad += not same(*answers, statement, body)
            for peer in (theirs, ours):
                contents.append(sorted(map(repr, peer.rows(f"SELECT * FROM {table_of(statement)}"))))
                peer.rows(f"TRUNCATE {table_of(statement)}")
            if contents[0] != contents[1]:
                bad += 1
                print(f"# {statement!r} {body!r}\n#   PostgreSQL: {contents[0]}\n#   kvsqld:     {contents[1]}")
    return bad


def compare_others(ours, theirs):
    bad = 0
    for peer in (ours, theirs):
        for i, text in enumerate(STRINGS, 1):
            peer.ask(parse("INSERT INTO t (k, s, n, d, o, z, m) VALUES ($1, $2, -5, 0.1, true, '2024-02-29', $1)", oids=[23]), bind([str(i), text]),
                     execute(), SYNC)
        peer.rows("INSERT INTO kinds VALUES (1, '\\x00ff', 12.5, '2024-02-29 12:34:56.5', 0.1), (2, NULL, -0.001, NULL, NULL)")
    for statement in OUT + REFUSED:
        answers = []
        for peer in (theirs, ours):
            answers.append(peer.ask(query(statement)))
            if answers[-1][-1][1] != "I":
                peer.ask(query("ROLLBACK"))
        bad += not same(*answers, statement, None)
    return bad


EXTENDED = [
    # the COPY, its data and Sync in one pipeline; Flush and Sync are ignored while the data comes
    [parse(SIMPLE), bind(), describe(), execute(), SYNC, data("1\ta\n"), wire.FLUSH, data("2\tb\n"), DONE, SYNC],
    [parse(SIMPLE), bind(), execute(), data("x\ta\n"), data("2\tb\n"), DONE, SYNC],
    [parse(SIMPLE), bind(), execute(), data("5\ta\n"), fail("no more"), SYNC],
    [parse("COPY (SELECT k FROM two ORDER BY k) TO STDOUT"), describe("S"), bind(), describe(), execute(), execute(), SYNC],
    [parse("SELECT 1 AS x"), bind(), execute(), parse(SIMPLE), bind(), execute(), data("7\ta\n"), DONE, parse("SELECT 2 AS x"), bind(), execute(), SYNC],
    # several statements in a text
    [query("SELECT 1 AS x; COPY two FROM STDIN; SELECT k FROM two ORDER BY k; COPY one FROM STDIN"), data("11\ta\n"), DONE, data("A\n"), DONE],
    [query("COPY two FROM STDIN; SELECT 1 AS x"), data("12\ta\tb\n"), data("13\ta\n"), DONE],
    [query("BEGIN"), ],
    [query(SIMPLE), data("14\ta\n"), fail("stop")],
    [query("SELECT 1 AS x")],
    [query("ROLLBACK")],
    [query(SIMPLE), fail("at once")],
    [query(SIMPLE), data("1"), fail("in a line")],
    [data("nothing"), DONE, fail("nothing"), query("SELECT 1 AS x")],
    [query("COPY two TO STDOUT; COPY two (k) TO STDOUT")],
]


def compare_extended(ours, theirs):
    bad = 0
    for messages in EXTENDED:
        answers = []
        for peer in (theirs, ours):
            peer.send(*messages)
            answers.append(peer.until("Z"))
        bad += not same(*answers, messages, None)
    return bad


def test_compared():
    binaries = postgresql.binaries_or_skip()
    folder = support.temporary_folder("copy")
    folder.chmod(0o711)
    (folder / "postgresql").mkdir()
    other = postgresql.PostgreSQL(binaries, folder / "postgresql")
    bad = 0
    try:
        for compare in (compare_in, compare_others, compare_extended):
            with wire.Peer(server.address) as ours, wire.Peer(("127.0.0.1", other.port)) as theirs:
                for peer in (ours, theirs):
                    for table in NAMES_OF_TABLES:
                        peer.ask(query(f"TRUNCATE {table}"))
                    if peer is theirs:
                        peer.ask(query(TABLES))
                bad += compare(ours, theirs)
    finally:
        other.stop()
    with wire.Peer(server.address) as peer:
        for table in NAMES_OF_TABLES:
            peer.rows(f"TRUNCATE {table}")
    equal(bad, 0)


# ---- what is kvsqld's own

def failure_of(answers):
    [error] = [value for kind, value in answers if kind == "E"]
    return error


def numbers(first, last, end="\n"):
    return "".join(f"{i}\tv{i}{end}" for i in range(first, last))


def test_what_stays():
    """A thousand rows are written at a time: an error says how many stay, and so does a warning, as of other statements."""
    with wire.Peer(server.address) as peer:
        answers = copy_in(peer, "COPY many FROM STDIN", data(numbers(0, 2500)), data("x\ty\n"))
        error = failure_of(answers)
        equal((error["C"], error["D"], error["W"]),
              ("22P02", "2000 tuples had been written before.", 'COPY many, line 2501, column k: "x"'))
        equal([value["M"] for kind, value in answers if kind == "N"], ["nothing was taken back: 2000 written or deleted tuples stay"])
        equal(peer.rows("SELECT count(*) FROM many"), [["2000"]])
        peer.rows("DELETE FROM many WHERE k = 1999")
        # the rows of the last batch are those of lines 1001 to 2000
        error = failure_of(copy_in(peer, "COPY many FROM STDIN", data(numbers(5000, 6000)), data(numbers(6000, 6300)), data("10\tagain\n")))
        equal((error["C"], error["D"], error["W"]), ("23505", "1000 tuples had been written before.", "COPY many, line 1301"))
        equal(peer.rows("SELECT count(*) FROM many"), [["2999"]])
        peer.ask(query("BEGIN"))
        equal(copy_in(peer, "COPY many FROM STDIN", data(numbers(8000, 8003)))[-2:], [("C", "COPY 3"), ("Z", "T")])
        equal([value["M"] for kind, value in peer.ask(query("ROLLBACK")) if kind == "N"],
              ["nothing was taken back: 3 written or deleted tuples stay"])
        peer.rows("TRUNCATE many")


def test_refused():
    """What is not there says so."""
    cases = [("COPY two FROM '/etc/passwd'", "0A000", "psql's \\copy reads and writes files of the client."),
             ("COPY two TO PROGRAM 'cat'", "0A000", "psql's \\copy reads and writes files of the client."),
             ("COPY two FROM STDIN (ENCODING 'latin1')", "0A000", "Convert the data to UTF8."),
             ("COPY two FROM STDIN WHERE k > 1", "0A000", None),
             ("COPY (DELETE FROM two RETURNING k) TO STDOUT", "42601", None),
             ("COPY (SELECT k FROM two WHERE k = $1) TO STDOUT", "42P02", "Write the values into the query."),
             ("EXPLAIN COPY two TO STDOUT", "42601", "EXPLAIN the query of COPY (…) TO STDOUT."),
             ("DECLARE c CURSOR WITH HOLD FOR COPY two TO STDOUT", "42601", None)]
    with wire.Peer(server.address) as peer:
        for statement, state, hint in cases:
            error = failure_of(peer.ask(query(statement)))
            equal((statement, error["C"]), (statement, state))
            if hint is not None:
                equal(error["H"], hint)
        error = failure_of(peer.ask(query("COPY (SELECT k, nosuch FROM two) TO STDOUT")))
        equal(error["P"], "17")


def test_other_messages():
    """Another message than data ends the connection, as the stream cannot be trusted any more."""
    with wire.Peer(server.address) as peer:
        peer.send(query(SIMPLE))
        peer.until("G")
        peer.send(query("SELECT 1"))
        [(kind, error)] = peer.rest()
        equal((kind, error["S"], error["C"]), ("E", "FATAL", "08P01"))


def test_large_rows():
    """A row may be large, up to a bound; and rows that are not whole are kept within it."""
    with wire.Peer(server.address) as peer:
        value = "x" * 3_000_000
        equal(copy_in(peer, "COPY many FROM STDIN", *portions(f"1\t{value}\n2\tb\n", 65536))[-2], ("C", "COPY 2"))
        equal(peer.rows("SELECT length(s) FROM many ORDER BY k"), [["3000000"], ["1"]])
        equal(len(b"".join(value for kind, value in peer.ask(query("COPY many TO STDOUT")) if kind == "d")), 3_000_007)
        peer.rows("TRUNCATE many")
        error = failure_of(copy_in(peer, "COPY many FROM STDIN", *[data("y" * 1_000_000)] * 18))
        equal((error["C"], error["W"]), ("54000", "COPY many, line 1"))


def test_ends():
    """KILL of the session, a cancel, statement_timeout and a client that is gone end a COPY that waits for data."""
    with wire.Peer(server.address) as other:
        with wire.Peer(server.address, application_name="slow") as peer:
            peer.send(query(SIMPLE))
            peer.until("G")
            [session] = [row[0] for row in other.rows("SHOW SESSIONS") if "slow" in row]
            other.rows(f"KILL SESSION {session}")
            answers = peer.rest()
            equal([(kind, value["S"], value["C"]) for kind, value in answers], [("E", "FATAL", "57P01")])
        with wire.Peer(server.address) as peer:
            peer.send(query(SIMPLE))
            peer.until("G")
            wire.cancel(server.address, peer.key)
            peer.send(data("1\ta\n"))
            equal(failure_of(peer.until("Z"))["C"], "57014")
            peer.rows("SET statement_timeout = 50")
            peer.send(query(SIMPLE))
            peer.until("G")
            time.sleep(0.1)
            peer.send(data("1\ta\n"))
            error = failure_of(peer.until("Z"))
            equal((error["C"], error["M"]), ("57014", "canceling statement due to statement timeout"))
        with wire.Peer(server.address) as peer:
            peer.send(query(SIMPLE), data("1\ta\n"))
            peer.until("G")
        equal(other.rows("SELECT * FROM two"), [])


def test_rights():
    """COPY FROM needs INSERT, COPY TO needs SELECT; for each batch again."""
    folder = support.temporary_folder("copyrights")
    own = support.Daemon(folder=folder, options=[f"--postgres-listen=unix://{folder}"])
    address = f"{folder}/.s.PGSQL.{PORT}"
    with wire.Peer(address, user="root") as admin:
        for statement in ("CREATE TABLE r (k INT PRIMARY KEY, s TEXT)", "CREATE USER boss SUPERUSER", "CREATE USER ann"):
            admin.rows(statement)
        with wire.Peer(address, user="ann") as ann:
            equal(failure_of(ann.ask(query("COPY r FROM STDIN")))["C"], "42P01")
            admin.rows("GRANT SELECT (k) ON r TO ann")
            equal(failure_of(ann.ask(query("COPY r FROM STDIN")))["C"], "42501")
            equal(failure_of(ann.ask(query("COPY r TO STDOUT")))["C"], "42501")
            equal(ann.ask(query("COPY r (k) TO STDOUT"))[-2], ("C", "COPY 0"))
            admin.rows("GRANT INSERT ON r TO ann")
            equal(copy_in(ann, "COPY r FROM STDIN", data("1\ta\n"))[-2], ("C", "COPY 1"))
            ann.send(query("COPY r FROM STDIN"))
            ann.until("G")
            ann.send(data(numbers(10, 1010)))
            admin.rows("REVOKE INSERT ON r FROM ann")
            ann.send(data(numbers(2000, 3000)), DONE)
            equal(failure_of(ann.until("Z"))["C"], "42501")
    equal(own.stop(), 0)


# ---- clients

def test_psql():
    if shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    folder = support.temporary_folder("copyfiles")
    (folder / "in.csv").write_text("k,s\n1,\"a,b\"\n2,\n")
    script = f"""\\copy two from '{folder}/in.csv' with (format csv, header match, force_not_null (s))
\\copy two (k, s) from stdin
3	c
4	d\\te
\\.
\\copy two to '{folder}/out.csv' csv header
\\copy (select s from two where k > 2 order by k) to stdout
\\copy two to '{folder}/out.bin' (format binary)
TRUNCATE two;
\\copy two from '{folder}/out.bin' (format binary)
COPY two TO STDOUT;
COPY two FROM '/nosuch';
"""
    done = subprocess.run(["psql", "-X", "-h", server.directory, "-p", str(PORT), "-U", "me", "-d", "me"], input=script, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    equal(done.stdout.splitlines(), [
        "COPY 2", "COPY 2", "COPY 4", "c", "d\\te", "COPY 4", "TRUNCATE TABLE", "COPY 4", "1\ta,b", "2\t", "3\tc", "4\td\\te",
        "ERROR:  COPY FROM a file of the server is not supported", "LINE 1: COPY two FROM '/nosuch';", "                      ^",
        "HINT:  psql's \\copy reads and writes files of the client."])
    equal((folder / "out.csv").read_text(), 'k,s\n1,"a,b"\n2,""\n3,c\n4,d\te\n')
    with wire.Peer(server.address) as peer:
        peer.rows("TRUNCATE two")


def test_psycopg2():
    folder = support.temporary_folder("psycopg2")
    (folder / "in").write_text("1\ta\n2\t\\N\n")
    connection = psycopg2.connect(host=server.directory, port=PORT, user="me", dbname="me")
    with connection.cursor() as cursor:
        with open(folder / "in", encoding="utf-8") as file:
            cursor.copy_from(file, "many", columns=("k", "s"))
        equal(cursor.rowcount, 2)
        with open(folder / "in", encoding="utf-8") as file:
            cursor.copy_expert("COPY one FROM STDIN CSV DELIMITER '|'", file, size=3)
        with open(folder / "out", "w", encoding="utf-8") as file:
            cursor.copy_to(file, "many")
            cursor.copy_expert("COPY (SELECT a FROM one ORDER BY a) TO STDOUT CSV HEADER", file)
    connection.commit()
    connection.close()
    equal((folder / "out").read_text(), "1\ta\n2\t\\N\na\n1\ta\n2\t\\N\n")
    with wire.Peer(server.address) as peer:
        peer.rows("TRUNCATE many")
        peer.rows("TRUNCATE one")


RECORDS = [(i, bytes([i % 256]), decimal.Decimal(i) / 8, datetime.datetime(2024, 2, 29, 12, 0, 0, 1000 * (i % 1000)), float(i)) for i in range(3000)]


def test_psycopg3():
    with psycopg.connect(host=server.directory, port=PORT, user="me", dbname="me", autocommit=True) as connection, connection.cursor() as cursor:
        for binary_format in (False, True):
            with cursor.copy(f"COPY kinds FROM STDIN (FORMAT {'binary' if binary_format else 'text'})") as copy:
                if binary_format:
                    copy.set_types(["int4", "bytea", "numeric", "timestamp", "float4"])
                for record in RECORDS:
                    copy.write_row(record)
            equal(cursor.statusmessage, f"COPY {len(RECORDS)}")
            with cursor.copy(f"COPY (SELECT * FROM kinds ORDER BY k) TO STDOUT (FORMAT {'binary' if binary_format else 'text'})") as copy:
                copy.set_types(["int4", "bytea", "numeric", "timestamp", "float4"])
                equal(list(copy.rows()), RECORDS)
            cursor.execute("TRUNCATE kinds")
        try:
            with cursor.copy("COPY kinds (k) FROM STDIN") as copy:
                copy.write_row((1,))
                raise ZeroDivisionError("of the program")
        except ZeroDivisionError:
            pass
        equal(cursor.execute("SELECT count(*) FROM kinds").fetchall(), [(0,)])
        with connection.pipeline():
            cursor.execute("SELECT 1 AS x")


def test_asyncpg():
    async def run():
        connection = await asyncpg.connect(host=server.directory, port=PORT, user="me", database="me", ssl=False, timeout=SECONDS)
        equal(await connection.copy_records_to_table("kinds", records=RECORDS, columns=["k", "b", "n", "ts", "f"]), f"COPY {len(RECORDS)}")
        rows = await connection.fetch("SELECT * FROM kinds ORDER BY k")
        equal([tuple(row) for row in rows], RECORDS)
        folder = support.temporary_folder("asyncpg")
        equal(await connection.copy_from_table("kinds", columns=["k"], output=str(folder / "out"), format="csv", header=True), f"COPY {len(RECORDS)}")
        equal(len((folder / "out").read_text().splitlines()), len(RECORDS) + 1)
        equal(await connection.copy_from_query("SELECT k FROM kinds WHERE k < $1", 3, output=str(folder / "few")), "COPY 3")
        equal(await connection.copy_to_table("many", source=str(folder / "few"), columns=["k"]), "COPY 3")
        await connection.close()

    asyncio.run(run())
    with wire.Peer(server.address) as peer:
        peer.rows("TRUNCATE kinds")
        peer.rows("TRUNCATE many")


# ---- hostile data

def mutate(body, source):
    body = bytearray(body)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(body) + 1)
        what = source.randrange(4)
        if what == 0:
            body[at:at] = bytes([source.choice(b"\\\n\r\"\t,.\0\xff'x1")])
        elif what == 1:
            del body[at:at + source.randint(1, 5)]
        elif what == 2 and at < len(body):
            body[at] = source.randrange(256)
        else:
            body[at:at] = body[at:at + 20]
    return bytes(body)


def test_mutated():
    """Whatever the data are, they are copied or refused, and the session goes on."""
    source = random.Random(SEED)
    cases = [(statement, body if isinstance(body, bytes) else body.encode()) for statement, body in IN]
    with wire.Peer(server.address) as peer:
        for _ in range(MUTATIONS):
            statement, body = source.choice(cases)
            body = mutate(body, source)
            answers = copy_in(peer, statement, *portions(body, source.choice([0, 1, 3, 10])))
            equal(answers[-1], ("Z", "I"))
            assert [kind for kind, _ in answers if kind in "EC"] in (["E"], ["C"]), (statement, body, answers)
            errors = [value for kind, value in answers if kind == "E"]
            assert not errors or errors[0]["C"] != "XX000", (statement, body, errors)
        for table in ("t", "one", "two", "kinds"):
            peer.rows(f"TRUNCATE {table}")
    equal(server.process.poll(), None)


TESTS = [test_compared, test_what_stays, test_refused, test_other_messages, test_large_rows, test_ends, test_rights, test_psql, test_psycopg2,
         test_psycopg3, test_asyncpg, test_mutated]

server = Server()

if __name__ == "__main__":
    print(f"# seed {SEED}")
    with wire.Peer(server.address) as first:
        for definition in TABLES.split(";"):
            first.rows(definition)
    sys.exit(support.run([("/postgres/copy/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS]))
