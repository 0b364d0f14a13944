#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The same messages to kvsqld and to PostgreSQL: types, formats, values, tags, SQLSTATEs and states have to be the same.

Each step is a list of messages up to ReadyForQuery. Texts of errors are not compared, and what is intended to differ is named in
its step, as what kvsqld answers instead.
"""

import pathlib
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import Server  # noqa: E402 pylint: disable=wrong-import-position
from wire import SYNC, bind, close, describe, execute, parse, query  # noqa: E402 pylint: disable=wrong-import-position

TABLE = ("CREATE TABLE t (k INT PRIMARY KEY, s TEXT, g BIGINT, d DOUBLE PRECISION, f FLOAT4, n DECIMAL, b BYTEA, o BOOLEAN, z DATE, "
         "ts TIMESTAMP, tm TIME)")
INSERT = "INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
ROWS = [["1", "one", "9000000000", "1.5", "0.1", "12.5", "\\x00ff", "t", "2024-02-29", "2024-02-29 12:34:56.5", "12:34:56.5"],
        ["2", None, "-1", "1e+20", "1e+07", "-0.001", "\\x", "f", "0001-01-01", "1969-12-31 23:59:59.999", "24:00:00"],
        ["3", "ä'\"\\", "0", "-0", "NaN", "0", "\\x5c", None, "9999-12-31", "2000-01-01 00:00:00", "00:00:00"],
        ["4", "", "-9223372036854775808", "5e-324", "-Infinity", "123456789012345678901234567890.123", None, None, None, None, None],
        ["5", "x", "1", "123456789012345680", "1.17549435e-38", "10000", "abc\\\\\\001", "yes", "2000-01-01", "1970-01-01 00:00:00.007", "1:02 PM"]]


def step(*messages, differs=None):
    return messages, differs


STEPS = [
    step(query(TABLE)),
    *(step(parse(INSERT), describe("S"), bind(row), describe(), execute(), SYNC) for row in ROWS),
    step(parse(INSERT), bind(ROWS[0]), execute(), SYNC),
    step(query("INSERT INTO t (k) VALUES (1) ON CONFLICT DO NOTHING")),
    step(query("UPDATE t SET k = 2 WHERE k = 1")),
    step(query("CREATE INDEX ON t (s)")),
    step(query("DROP INDEX t_s_idx"), differs=[("N", "WARNING", "01000"), ("C", "DROP INDEX"), ("Z", "I")]),  # the cells stay
    step(query("CREATE TABLE u (k INT PRIMARY KEY, v TEXT)")),
    step(query("INSERT INTO u VALUES (1, 'a'), (2, NULL)")),
    step(query("UPDATE u SET v = x.s FROM (VALUES (1, 'b'), (1, 'b')) AS x (k, s) WHERE x.k = u.k RETURNING u.k, u.v, x.s")),
    step(query("DELETE FROM u USING (VALUES (2)) AS x (k) WHERE x.k = u.k")),
    step(query("SELECT s.i, x.j FROM generate_series(1, 3) AS s (i), LATERAL (SELECT s.i * 2 AS j) AS x ORDER BY i")),
    step(parse("SELECT i FROM generate_series(1, $1::INT) WITH ORDINALITY AS s (n, i)"), describe("S"), bind(["3"]), execute(), SYNC),
    step(query("ANALYZE u")),
    step(parse("ANALYZE u"), describe("S"), bind(), describe(), execute(), SYNC),
    step(query("TRUNCATE u")),
    step(query("CREATE TABLE limited (k INT PRIMARY KEY, s SMALLINT, v VARCHAR(5), c CHAR(3), z TIMESTAMPTZ, n NUMERIC(5, 2))")),
    step(parse("INSERT INTO limited VALUES ($1, $2, $3, $4, $5, $6)"), describe("S"),
         bind([struct.pack("!i", 1), struct.pack("!h", -7), b"abc", b"x", struct.pack("!q", 0), struct.pack("!hhHhh", 1, 0, 0, 0, 1)],
              formats=[1]), execute(), SYNC),
    step(parse("UPDATE limited SET s = $1, v = $2, c = $3, z = $4 WHERE s = $5 AND v = $6 AND c = $7 AND z = $8 AND n > $9"), describe("S"), SYNC),
    step(parse("SELECT $1::smallint AS s, $2::varchar(5) AS v, $3::timestamptz AS z FROM limited WHERE s IN ($4, $5)"), describe("S"), SYNC),
    step(query("SELECT k, s, v, n FROM limited")),
    step(query("ALTER TABLE u ADD COLUMN c TEXT")),
    step(query("DROP TABLE u"), differs=[("N", "WARNING", "01000"), ("C", "DROP TABLE"), ("Z", "I")]),
    step(query("SELECT * FROM t ORDER BY k")),
    step(parse("SELECT * FROM t ORDER BY k"), describe("S"), bind(results=[1]), describe(), execute(), SYNC),
    *(step(parse("SELECT ts - $1 AS i, tm + $2::interval AS j, age (ts, $1) AS a, avg (tm) OVER () AS v FROM t WHERE tm >= $3 ORDER BY k",
                 oids=types),
           describe("S"), bind(values, formats=[form], results=[form]), describe(), execute(), SYNC)
      for form, types, values in [
          (0, [1114, 1186, 1083], ["2000-01-01 00:00:00", "1 mon -1 days +02:03:04.5", "12:00"]),
          (0, [1114, 0, 0], ["1999-12-31 00:00:00", "P1DT2H", "00:00"]),
          (1, [1114, 1186, 1083], [struct.pack("!q", 86400000000), struct.pack("!qii", -3600000000, 5, -14), struct.pack("!q", 500000)])]),
    step(parse("SELECT $1 AS i", oids=[1186]), describe("S"), bind([struct.pack("!qii", 2 ** 63 - 1, 2 ** 31 - 1, -2 ** 31)], formats=[1], results=[1]),
         execute(), SYNC),
    step(parse("SELECT $1 AS i", oids=[1186]), bind([b"\0" * 15], formats=[1]), execute(), SYNC),
    step(parse("SELECT $1 AS t", oids=[1083]), bind([b"\0" * 9], formats=[1]), execute(), SYNC),
    step(parse("SELECT $1 AS t", oids=[1083]), bind([struct.pack("!q", 86400000001)], formats=[1]), execute(), SYNC),
    step(parse("SELECT k, s FROM t WHERE k > $1 ORDER BY k", "a"), bind([struct.pack("!i", 1)], "p", "a", [1], [1, 0]), describe("P", "p"),
         execute("p", 2), execute("p", 2), execute("p", 2), SYNC),
    step(describe("S", "a"), SYNC),
    step(parse("SELECT 1", "a"), SYNC),
    step(close("S", "a"), close("S", "a"), SYNC),
    step(describe("S", "a"), SYNC),
    step(execute("p"), SYNC),
    step(bind(["1"], statement="nosuch"), SYNC),
    step(query("")),
    step(query(";;")),
    step(parse(""), describe("S"), bind(), describe(), execute(), SYNC),
    step(query("SELECT k FROM t WHERE k = 99")),
    step(query("UPDATE t SET s = 'y' WHERE k IN (5, 6)")),
    step(query("UPDATE t SET s = 'y' WHERE k = 5 RETURNING k, s")),
    step(query("DELETE FROM t WHERE k = 99")),
    step(parse("DELETE FROM t WHERE k = $1 RETURNING g"), describe("S"), bind(["99"]), describe(), execute(), SYNC),
    # names of outputs
    step(query("SELECT 1, 'x', 1 + 2, -1, NULL, k, t.k, k + 1, (k), k = 1, k IN (1, 2), k BETWEEN 1 AND 2, s LIKE 'x', NOT o, o IS NULL FROM t WHERE k = 1")),
    step(query("SELECT count(*), max(k), lower('X'), coalesce(1, 2), nullif(1, 2), greatest(1, 2), abs(-1), count(*) + 1 FROM t")),
    step(query("SELECT CASE WHEN k = 1 THEN 2 END, CASE WHEN k = 1 THEN 2 ELSE k END, CASE WHEN k = 1 THEN 2 ELSE 3 END FROM t WHERE k = 1")),
    step(query("SELECT CAST (1 AS INT), 1::bigint, CAST (k AS BIGINT), CAST ('1' AS TEXT), '2024-02-29'::date, CAST (k + 1 AS TEXT), TRUE, "
               "DATE '2024-02-29', CAST (lower('X') AS TEXT) FROM t WHERE k = 1")),
    step(query("SELECT EXISTS (SELECT k FROM t WHERE k = 1), (SELECT s FROM t WHERE k = 1), (SELECT max(k) FROM t), (SELECT 1) AS x")),
    step(query("SELECT 1, *, 2 FROM (SELECT k AS a, s AS b FROM t WHERE k = 1) x")),
    step(query("SELECT 1 UNION ALL SELECT 2 ORDER BY 1")),
    step(query("VALUES (1, 'a')")),
    step(query("UPDATE t SET s = 'y' WHERE k = 5 RETURNING k + 1, s")),
    step(parse("SELECT k + $1, $2::text FROM t WHERE k = 1"), describe("S"), bind(["1", "x"]), describe(), execute(), SYNC),
    step(query("SELECT nosuch FROM t")),
    step(query("SELECT * FROM nosuch")),
    step(query("SELECT k FORM t")),
    step(query("SELECT k FROM t; SELECT nosuch FROM t; SELECT 1")),
    step(query("SELECT k FROM t WHERE k = 'x'")),
    step(parse("SELECT 1; SELECT 2"), SYNC),
    step(parse("SELECT k FROM t WHERE k = $1"), bind(["x"]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE k = $1"), bind(["99999999999"]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE z = $1"), bind(["2024-02-29 +00"]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE ts = $1", oids=[1184]), bind(["2024-02-29 14:34:56.5+02"]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE n = $1 OR b = $2 OR o = $3 ORDER BY k"), describe("S"),
         bind([struct.pack("!hhHhh", 1, 1, 0, 0, 1), b"\0\xff", b"\0"], formats=[1, 1, 1], results=[1]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE g = $1"), bind([b"\0\0"], formats=[1]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE g = $1"), bind([b"\0" * 9], formats=[1]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE n = $1"), bind([b"\0" * 7], formats=[1]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE ts = $1 OR z = $2"), describe("S"), bind([struct.pack("!q", 762525296500000), struct.pack("!i", 0)],
                                                                              formats=[1]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE d = $1 OR f = $2 ORDER BY k"), bind([struct.pack("!d", 1e20), struct.pack("!f", 0.1)], formats=[1],
                                                                          results=[1]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE d = $1 OR f = $2 ORDER BY k"), bind(["1e20", "0.1"]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE k = $1"), bind([]), execute(), SYNC),
    step(parse("SELECT k FROM t LIMIT $1"), describe("S"), bind(["2"]), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE s LIKE $1 AND k BETWEEN $2 AND $3 AND d < $4"), describe("S"), SYNC),
    step(parse("UPDATE t SET d = d + $1, z = $2, o = $3 WHERE k = $4"), describe("S"), SYNC),
    step(parse("SELECT CAST ($1 AS INT) AS a, $2 AS b"), describe("S"), bind(["1", "x"], results=[1]), execute(), SYNC),
    step(bind(results=[2]), SYNC),
    step(describe("X"), SYNC),
    step(query("BEGIN")),
    step(query("BEGIN")),
    step(parse("SELECT k FROM t ORDER BY k"), bind(portal="c"), execute("c", 2), SYNC),
    step(execute("c", 1), SYNC),
    step(bind(portal="c"), SYNC),
    step(query("SELECT 1 AS x")),
    step(parse("SELECT 1 AS x"), SYNC),
    step(query("SAVEPOINT a")),
    step(query("ROLLBACK")),
    step(query("ROLLBACK")),
    step(query("COMMIT")),
    step(query("START TRANSACTION READ ONLY")),
    step(query("DELETE FROM t")),
    step(query("COMMIT")),
    step(query("BEGIN; SAVEPOINT a; SELECT nosuch FROM t")),
    step(query("ROLLBACK TO b")),
    step(query("ROLLBACK TO a; SELECT 1 AS x; RELEASE a; RELEASE a")),
    step(query("END")),
    step(query("SAVEPOINT a")),
    step(query("COMMIT AND CHAIN")),
    step(query("BEGIN; COMMIT AND CHAIN")),
    step(query("ROLLBACK AND NO CHAIN")),
    step(query("SET application_name = 'x'")),
    step(query("SHOW application_name")),
    step(query("SHOW TRANSACTION ISOLATION LEVEL; SHOW DateStyle; SHOW TIME ZONE; SHOW standard_conforming_strings")),
    step(query("BEGIN ISOLATION LEVEL SERIALIZABLE; SHOW transaction_isolation; COMMIT; SHOW transaction_isolation")),
    step(query("BEGIN; SET LOCAL application_name = 'y'; SHOW application_name; COMMIT")),
    step(query("SHOW application_name")),
    step(query("SET LOCAL application_name = 'y'")),
    step(query("SET TRANSACTION READ ONLY")),
    step(query("SET nosuch = 1")),
    step(query("SET extra_float_digits = 99")),
    step(query("SET server_version = '15'")),
    step(query("RESET application_name")),
    step(query("DISCARD ALL")),
    step(query("DEALLOCATE ALL; CLOSE ALL")),
    step(query("DEALLOCATE nosuch")),
    step(query("WITH w AS (SELECT 900 AS i) INSERT INTO t (k) SELECT i FROM w; WITH w AS (SELECT 900 AS i) UPDATE t SET s = 'w' FROM w WHERE k = i")),
    step(parse("WITH w AS (SELECT 900 AS i), v AS (SELECT i FROM w) DELETE FROM t USING v WHERE k = v.i RETURNING s"), describe("S"), bind(), execute(), SYNC),
    step(query("WITH w AS (SELECT 1 AS insert) SELECT w.insert FROM w; WITH w (i) AS (VALUES (1)) TABLE w")),
    # PREPARE and EXECUTE as statements
    step(query("PREPARE p (int, text, numeric, date) AS SELECT $1 + 1, $2 || 'x', $3 + 0.25, $4")),
    step(query("EXECUTE p (1, 'a', 1.5, '2024-02-29'); EXECUTE p (1 + 1, upper('b') || 'c', NULL, DATE '2024-03-01')")),
    step(query("EXECUTE p (1)")),
    step(query("EXECUTE p ('x', 'a', 1, '2024-02-29')")),
    step(query("EXECUTE p (1, 'a', 1, '2024-02-30')")),
    step(query("PREPARE p AS SELECT 1")),
    step(parse("", "p"), SYNC),
    step(describe("S", "p"), SYNC),
    step(bind(["1", "b", "2", "2024-01-01"], statement="p"), describe(), execute(), SYNC),
    step(parse("EXECUTE p (7, 'z', 1, '2024-01-01')"), describe("S"), bind(results=[1]), describe(), execute(), SYNC),
    step(parse("SELECT k FROM t WHERE k > $1 ORDER BY k", "q", [23]), SYNC),
    step(query("EXECUTE q (3)")),
    step(query("PREPARE w (int, text) AS INSERT INTO t (k, s) VALUES ($1, $2) RETURNING s")),
    step(query("EXECUTE w (77, 'new')")),
    step(query("EXECUTE w (77, 'again')")),
    step(query("PREPARE x AS DELETE FROM t WHERE k = $1")),
    step(query("EXECUTE x (77); EXECUTE x (77)")),
    step(query("PREPARE v AS VALUES (1, 'a')")),
    step(query("BEGIN; EXECUTE v; SELECT nosuch FROM t")),
    step(query("EXECUTE v")),
    step(query("ROLLBACK; EXECUTE v")),
    step(query("PREPARE y AS CREATE TABLE never (k INT PRIMARY KEY)")),
    step(query("PREPARE y (nosuch) AS SELECT $1")),
    step(query("PREPARE y AS SELECT nosuch FROM t")),
    step(query("PREPARE y (int AS SELECT $1")),
    step(query("EXECUTE nosuch (1)")),
    step(query("EXECUTE v ()")),
    step(query("DEALLOCATE PREPARE v; EXECUTE v")),
    step(query("DISCARD ALL")),
    step(query("EXECUTE p (1, 'a', 1, '2024-02-29')")),
    step(query("CLOSE nosuch")),
    step(query("BEGIN; DISCARD ALL")),
    step(query("ROLLBACK")),
    step(query("BEGIN FOO")),
    step(parse("ROLLBACK"), describe("S"), bind(), describe(), execute(), SYNC),
    step(parse("SHOW application_name"), describe("S"), bind(results=[1]), describe(), execute(), SYNC),
    step(query("DECLARE c CURSOR FOR SELECT k FROM t")),
    step(query("BEGIN")),
    step(query("DECLARE c NO SCROLL CURSOR FOR SELECT k, s FROM t ORDER BY k; FETCH c; FETCH FORWARD 2 FROM c; FETCH 1 IN c")),
    step(parse("FETCH ALL FROM c"), describe("S"), bind(results=[1]), describe(), execute(), SYNC),
    step(query("FETCH NEXT c; CLOSE c")),
    step(query("FETCH c")),
    step(query("ROLLBACK")),
    step(query("BEGIN; DECLARE c CURSOR FOR SELECT k FROM t ORDER BY k")),
    step(describe("P", "c"), execute("c", 1), SYNC),
    step(query("DECLARE c CURSOR FOR SELECT k FROM t")),
    step(query("ROLLBACK")),
    step(query("FETCH c")),
    step(query("BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT k FROM t ORDER BY k; FETCH 2 FROM c; COMMIT")),
    step(query("FETCH 1 FROM c")),
    step(query("CLOSE c")),
    step(query("BEGIN")),
    step(parse("DECLARE c CURSOR FOR SELECT k FROM t WHERE k > $1 ORDER BY k"), describe("S"), bind(["2"]), describe(), execute(), SYNC),
    step(query("FETCH ALL c; COMMIT")),
    step(query("BEGIN; DECLARE c CURSOR FOR SELECT nosuch FROM t")),
    step(query("ROLLBACK")),
    step(query("DECLARE c CURSOR")),
    step(query("FETCH")),
    step(parse("SELECT k FROM t WHERE k = 1"), bind(), execute(rows=1), execute(rows=1), execute(), SYNC),
    step(parse("DELETE FROM t WHERE k = 77"), bind(), execute(), execute(), SYNC),
]


def shape_of(kind, value):
    """What has to be the same of a message."""
    if kind in "EN":
        return kind, value["S"], value["C"]
    if kind == "T":
        # names of settings' columns are text in both; a precision of a timestamp is no business of ours
        return kind, [(name, oid, size, form) for name, oid, size, _, form in value]
    return kind, value


def is_note(each):
    """kvsqld says more than PostgreSQL: where the tuples of a table are."""
    return each[0] == "N" and each[1]["S"] == "NOTICE"


def transcript(peer, messages):
    return [shape_of(*each) for each in peer.ask(*messages) if each[0] != "S" and not is_note(each)]


def compare(kvsqld, other):
    differences = 0
    for number, (messages, differs) in enumerate(STEPS, 1):
        expected = transcript(other, messages)
        got = transcript(kvsqld, messages)
        if got != (expected if differs is None else differs):
            differences += 1
            print(f"# step {number}: {messages!r}\n#   PostgreSQL: {expected}\n#   kvsqld:     {got}")
    return differences


def main():
    binaries = postgresql.binaries_or_skip()
    folder = support.temporary_folder("compare")
    folder.chmod(0o711)
    (folder / "postgresql").mkdir()
    server, other = Server(), postgresql.PostgreSQL(binaries, folder / "postgresql")
    try:
        with wire.Peer(server.address) as ours, wire.Peer(("127.0.0.1", other.port)) as theirs:
            differences = compare(ours, theirs)
    finally:
        other.stop()
    print(f"# {len(STEPS)} steps, {differences} different")
    print(f"1..1\n{'ok' if differences == 0 else 'not ok'} 1 /postgres/same-messages")
    return 0 if differences == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
