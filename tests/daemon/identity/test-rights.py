#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rights, through both front ends: what an ordinary role may do, what it may not, and what does not exist for it."""

import pathlib
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"),
                str(pathlib.Path(__file__).resolve().parents[1] / "postgres")]
import scram  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, ErrorCode  # noqa: E402 pylint: disable=wrong-import-position
from kvsql.ttypes import Column, Value  # noqa: E402 pylint: disable=wrong-import-position,import-error
from scram import refusal  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

DENIED = ("42501", 'permission denied for relation "t"')
ABSENT = ("42P01", 'relation "t" does not exist')

server = scram.Server("rights")


class Thrift:
    """A role on the Thrift front end."""

    def __init__(self, role, daemon=server):
        self.client = scram.log_in(("127.0.0.1", daemon.thrift), role, "x")

    def rows(self, sql):
        return self.client.rows(sql)

    def error(self, sql):
        error = refusal(lambda: self.client.query(sql))
        return error.sqlstate, error.message


class Postgres:
    """The same on PostgreSQL's: the daemon's own user may be each role over a UNIX socket."""

    def __init__(self, role, daemon=server):
        self.peer = wire.Peer(f"{daemon.directory}/.s.PGSQL.5433", begins=False)
        self.peer.send(wire.startup(user=role))
        self.peer.until("Z")

    def ask(self, sql):
        messages = self.peer.ask(wire.query(sql))
        errors = [(body["C"], body["M"]) for kind, body in messages if kind == "E"]
        return errors[0] if errors else None, [tuple(body) for kind, body in messages if kind == "D"]

    def rows(self, sql):
        error, rows = self.ask(sql)
        equal(error, None)
        return [tuple(None if value is None else value.decode() for value in row) for row in rows]

    def error(self, sql):
        return self.ask(sql)[0]


def administer(*statements, daemon=server):
    with Client(daemon.socket_path) as client:
        for sql in statements:
            rows = client.rows(sql)
    return rows


def begin(*grants):
    """Relation t, and roles ann (a member of staff) and bob, with these rights only."""
    for role in ("ann", "bob", "staff"):
        for relation in ("t", "other", "ads_x"):
            try:
                administer(f"DROP RELATION IF EXISTS {relation}")
            except Exception:  # pylint: disable=broad-except
                pass
    for role in ("ann", "bob", "staff"):
        administer(f"DROP ROLE IF EXISTS {role}")
    administer("CREATE TABLE t (a INT PRIMARY KEY, b INT, c TEXT)", "INSERT INTO t VALUES (1, 2, 'x'), (2, 3, 'y') ON CONFLICT DO NOTHING",
               "CREATE TABLE other (k INT PRIMARY KEY, v INT)", "CREATE ROLE ann LOGIN PASSWORD 'x'", "CREATE ROLE bob LOGIN PASSWORD 'x'",
               "CREATE ROLE staff ROLE ann", *grants)


# Statements that read attribute c, each in another clause.
READS_C = ["SELECT * FROM t", "SELECT c FROM t", "SELECT t.c FROM t", "SELECT x.c FROM t AS x", "SELECT a FROM t WHERE c = 'x'",
           "SELECT a FROM t ORDER BY c", "SELECT a FROM t ORDER BY length(c)", "SELECT max(c) FROM t", "SELECT count(c) FROM t",
           "SELECT a FROM t GROUP BY a HAVING max(c) = 'x'", "SELECT count(*) FROM t GROUP BY c", "SELECT DISTINCT c FROM t", "SELECT DISTINCT ON (c) a FROM t",
           "SELECT x.a FROM t x JOIN t y USING (c)", "SELECT x.a FROM t x NATURAL JOIN t y", "SELECT x.a FROM t x JOIN t y ON x.c = y.c",
           "SELECT x.a FROM t x LEFT JOIN t y ON x.a = y.b AND y.c = 'x'", "SELECT x.a FROM t x, t y WHERE y.c = 'x'",
           "SELECT a FROM t WHERE a IN (SELECT length(c) FROM t)", "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t y WHERE y.c = t.c)",
           "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t y WHERE y.b = length(t.c))", "SELECT (SELECT max(c) FROM t) AS m",
           "SELECT (SELECT max(y.c) FROM t y WHERE y.a = t.a) AS m FROM t", "SELECT q.a FROM (SELECT a, c FROM t) q",
           "WITH w AS (SELECT c FROM t) SELECT count(*) FROM w", "WITH w AS MATERIALIZED (SELECT c FROM t) SELECT count(*) FROM w",
           "SELECT row_number() OVER (ORDER BY c) FROM t", "SELECT sum(a) OVER (PARTITION BY c) FROM t", "SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY c)",
           "SELECT count(*) FILTER (WHERE c = 'x') FROM t", "SELECT CASE WHEN c = 'x' THEN 1 ELSE 2 END FROM t", "SELECT a FROM t WHERE c LIKE 'x%'",
           "SELECT a FROM t WHERE c IS NULL", "SELECT a FROM t WHERE c BETWEEN 'a' AND 'b'", "SELECT a FROM t WHERE c IN ('x', 'y')", "SELECT CAST(c AS INT) FROM t",
           "SELECT c FROM t UNION SELECT 'x'", "SELECT 'x' AS c INTERSECT SELECT c FROM t", "SELECT a FROM t WHERE NOT (c = 'x' OR a = 1)",
           "EXPLAIN SELECT c FROM t", "EXPLAIN ANALYZE SELECT c FROM t", "EXPLAIN (CALLS) SELECT c FROM t", "EXPLAIN (FORMAT JSON) SELECT * FROM t",
           "INSERT INTO other SELECT a, length(c) FROM t", "UPDATE other SET v = (SELECT max(length(c)) FROM t)",
           "UPDATE other SET v = length(t.c) FROM t WHERE t.a = other.k", "DELETE FROM other USING t WHERE t.c = 'x'",
           "UPDATE other SET v = 1 FROM t WHERE t.a = other.k RETURNING t.c", "SELECT n FROM t, generate_series(1, length(t.c)) AS n",
           "SELECT x.n FROM t, LATERAL (SELECT length(t.c) AS n) x", "SELECT x.c FROM t o, LATERAL (SELECT c FROM t WHERE t.a >= o.a) x",
           "DELETE FROM other WHERE k IN (SELECT length(c) FROM t)", "INSERT INTO other VALUES (1, (SELECT max(length(c)) FROM t))"]
READS_AB = ["SELECT a, b FROM t", "SELECT count(*) FROM t", "SELECT a FROM t WHERE b = 2 ORDER BY b", "SELECT x.a FROM t x JOIN t y ON x.a = y.b", "SELECT a AS c FROM t",
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t y WHERE y.b = t.a)", "SELECT 1 FROM t UNION SELECT b FROM t", "EXPLAIN SELECT a FROM t", "DESCRIBE t",
            "SHOW CREATE t", "SHOW SCHEMAS FOR t", "WITH w AS (SELECT a FROM t) SELECT * FROM w"]


def test_attributes():
    """Wherever the attribute is read; on both front ends; again and again, so that no cached plan lets it through."""
    begin("GRANT SELECT (a, b) ON t TO staff", "GRANT ALL ON other TO ann", "GRANT SELECT ON t TO bob")
    for door in (Thrift, Postgres):
        ann, bob = door("ann"), door("bob")
        for sql in READS_C:
            equal((sql, ann.error(sql)), (sql, DENIED))
        for sql in READS_AB:
            ann.rows(sql)
        for _ in range(3):
            bob.rows("SELECT c FROM t WHERE a = 1")
            equal(ann.error("SELECT c FROM t WHERE a = 1"), DENIED)


def test_nothing():
    """A relation without any right is like one that does not exist: same errors, same hints, nothing in lists."""
    begin("GRANT SELECT ON other TO ann")
    statements = ["SELECT * FROM {0}", "INSERT INTO {0} VALUES (1, 2, 'x')", "UPDATE {0} SET b = 1", "DELETE FROM {0}", "TRUNCATE {0}", "DROP TABLE {0}", "DESCRIBE {0}",
                  "DROP TABLE IF EXISTS {0}", "ALTER TABLE {0} ADD COLUMN d INT", "ANALYZE {0}", "EXPLAIN SELECT * FROM {0}", "EXPLAIN (CALLS) SELECT * FROM {0}",
                  "SHOW CREATE {0}", "SHOW HISTORY FOR {0}", "SHOW SCHEMAS FOR {0}", "COMMENT ON RELATION {0} IS 'x'", "CREATE INDEX ON {0} (b)",
                  "SELECT 1 FROM other WHERE EXISTS (SELECT 1 FROM {0})", "SELECT 1 FROM other, LATERAL (SELECT 1 FROM {0} WHERE k > 0) x", "GRANT SELECT ON {0} TO PUBLIC", "SHOW GRANTS ON {0}", "ALTER TABLE {0} OWNER TO ann",
                  "DEFINE SCHEMA s FOR {0} {{ TABLE 'x', ROW text{{a}}, FAMILY 'f' }}", "BACKFILL SCHEMA {0}_pkey", "VERIFY SCHEMA {0}_pkey", "REPAIR SCHEMA {0}_pkey",
                  "DROP SCHEMA {0}_pkey", "DESCRIBE {0}_pkey", "SELECT * FROM other USING SCHEMA {0}_pkey", "RESTORE RELATION {0} TO VERSION 1"]
    ann = Thrift("ann")

    def blur(text, name):
        return text.replace(f'"{name}"', '"…"').replace(f'"{name}_pkey"', '"…_pkey"')

    def answer(sql, name):
        try:
            return blur(str(ann.client.query(sql.format(name)).warnings), name)
        except scram.SqlError as error:
            return error.code, error.sqlstate, blur(error.message, name), error.hint, error.detail

    for sql in statements:
        equal((sql, answer(sql, "t")), (sql, answer(sql, "u")))
    for sql in ("SHOW RELATIONS", "SHOW SCHEMAS"):
        equal([row[0] for row in ann.rows(sql)], ["other" if sql == "SHOW RELATIONS" else "other_pkey"])
    equal(refusal(lambda: ann.client.query("SELECT * FROM othe")).hint, 'Did you mean "other"?')
    equal(ann.rows("SHOW TABLES"), [])
    equal([row for row in ann.rows("SHOW STATUS") if "schema" in row[0]], [])
    equal(len(administer("SHOW RELATIONS")), 2)


def test_views():
    """A role that selects from a view needs the rights on what the view reads."""
    begin()
    administer("CREATE VIEW seen AS SELECT a FROM t", "CREATE VIEW more AS SELECT s.a, t.c FROM seen s JOIN t ON t.a = s.a")
    absent = ("42P01", 'relation "seen" does not exist')
    try:
        for door in (Thrift, Postgres):
            ann = door("ann")
            for sql in ("SELECT * FROM seen", "SELECT 1 WHERE EXISTS (SELECT 1 FROM seen)", "EXPLAIN SELECT * FROM seen"):
                equal((sql, ann.error(sql)), (sql, absent))
            equal(ann.error("DESCRIBE seen"), ("42P01", 'relation "seen" does not exist'))
            equal(ann.rows("SHOW VIEWS"), [])
        administer("GRANT SELECT (a) ON t TO ann")
        for door in (Thrift, Postgres):
            ann = door("ann")
            ann.rows("SELECT * FROM seen")
            equal(len(ann.rows("SHOW VIEWS")), 2)
            equal(ann.error("SELECT * FROM more"), DENIED)
            equal(ann.error("DROP VIEW seen"), ("42501", 'permission denied for view "seen"'))
            equal(ann.error("CREATE OR REPLACE VIEW seen AS SELECT 1 AS a"), ("42501", "permission denied to define relations"))
    finally:
        administer("DROP VIEW seen CASCADE")


def test_catalogue():
    """PostgreSQL's catalogue has no relation that does not exist for the role, also where another role has asked the same before."""
    begin()
    sql = "SELECT relname FROM pg_catalog.pg_class WHERE relname = 't'"
    equal(Postgres("ann").rows(sql), [])
    administer("GRANT SELECT (a) ON t TO ann")
    equal(Postgres("bob").rows(sql), [])
    ann = Postgres("ann")
    equal(ann.rows(sql), [("t",)])
    administer("REVOKE SELECT (a) ON t FROM ann")
    equal(ann.rows(sql), [])
    names = "SELECT relname FROM pg_class WHERE relnamespace = 2200 ORDER BY 1"
    administer("CREATE SEQUENCE numbers", "CREATE VIEW seen AS SELECT a FROM t", "CREATE VIEW hidden AS SELECT * FROM other",
               "GRANT SELECT (a) ON t TO ann", "GRANT USAGE ON SEQUENCE numbers TO bob")
    equal(Postgres("ann").rows(names), [("seen",), ("t",), ("t_pkey",)])
    equal(Postgres("ann").rows("SELECT viewname FROM pg_views WHERE schemaname = 'public'"), [("seen",)])
    equal(Postgres("bob").rows(names), [("numbers",)])
    equal(Postgres("bob").rows("SELECT sequencename FROM pg_sequences"), [("numbers",)])
    privileges = ("SELECT has_table_privilege('t', 'SELECT'), has_any_column_privilege('t', 'SELECT'), has_column_privilege('t', 'a', 'SELECT'), "
                  "has_column_privilege('t'::regclass, 2::smallint, 'SELECT'), has_table_privilege('t'::regclass::oid, 'INSERT, DELETE'), "
                  "has_table_privilege('seen', 'SELECT'), has_table_privilege('pg_class', 'SELECT')")
    equal(Postgres("ann").rows(privileges), [("f", "t", "t", "f", "f", "t", "t")])
    administer("GRANT SELECT, DELETE ON t TO ann")
    equal(Postgres("ann").rows(privileges), [("t", "t", "t", "t", "t", "t", "t")])
    administer("REVOKE SELECT, DELETE ON t FROM ann")
    equal(Postgres("bob").rows("SELECT has_sequence_privilege('numbers', 'USAGE'), has_sequence_privilege('numbers', 'UPDATE'), has_table_privilege('t', 'SELECT')"),
          [("t", "f", None)])
    administer("DROP VIEW seen", "DROP VIEW hidden", "REVOKE ALL ON SEQUENCE numbers FROM bob", "DROP SEQUENCE numbers", "REVOKE SELECT (a) ON t FROM ann")


def test_writes():
    begin("GRANT SELECT ON other TO ann")
    for door in (Thrift, Postgres):
        ann = door("ann")
        cases = [("INSERT", ["INSERT INTO t VALUES (8, 1, 'x') ON CONFLICT DO NOTHING"]),
                 ("UPDATE", ["UPDATE t SET b = 1"]), ("DELETE", ["DELETE FROM t"]), ("TRUNCATE", ["TRUNCATE t"]),
                 ("UPDATE (b)", ["UPDATE t SET b = 1"]), ("INSERT (a, b)", ["INSERT INTO t (a, b) VALUES (8, 1) ON CONFLICT DO NOTHING"])]
        everything = sorted({sql for _, each in cases for sql in each}
                            | {"UPDATE t SET b = 1, c = 'z'", "INSERT INTO t (a, b) VALUES (9, 1) ON CONFLICT (a) DO UPDATE SET b = 7"})
        for right, allowed in cases:
            administer(f"GRANT {right} ON t TO ann")
            for sql in everything:
                covered = right.split(" ")[0] == "INSERT" and sql.startswith("INSERT INTO t (a, b) VALUES (8")
                if sql in allowed or covered or (right == "UPDATE" and sql == "UPDATE t SET b = 1, c = 'z'"):
                    ann.rows(sql)
                else:
                    equal((right, sql, ann.error(sql)), (right, sql, DENIED))
            administer(f"REVOKE {right} ON t FROM ann")
        equal(ann.error("DELETE FROM t"), ABSENT)


def test_what_a_write_reads():
    """WHERE, SET, RETURNING and ON CONFLICT read."""
    begin("GRANT UPDATE, INSERT, DELETE, SELECT (a) ON t TO ann", "INSERT INTO t VALUES (9, 9, 'z')")
    ann = Thrift("ann")
    for sql in ("UPDATE t SET b = 1 WHERE c = 'x'", "UPDATE t SET b = length(c)", "UPDATE t SET b = b + 1", "UPDATE t SET b = 1 RETURNING b", "UPDATE t SET b = 1 RETURNING *",
                "DELETE FROM t WHERE c = 'x'", "DELETE FROM t WHERE a = 1 RETURNING c", "INSERT INTO t VALUES (9, 1, 'x') ON CONFLICT DO UPDATE SET b = t.b + 1",
                "INSERT INTO t VALUES (9, 1, 'x') ON CONFLICT DO UPDATE SET b = 1 WHERE t.c = 'x'", "INSERT INTO t VALUES (50, 1, 'x') RETURNING b",
                "INSERT INTO t VALUES (50, 1, 'x') RETURNING *", "UPDATE t SET b = (SELECT max(y.b) FROM t y)", "UPDATE t SET b = 1 ORDER BY c LIMIT 1",
                "UPDATE t SET b = 1 FROM t y WHERE y.b = t.a", "DELETE FROM t USING t y WHERE y.a = t.a RETURNING y.c", "UPDATE t SET b = y.b FROM t y WHERE y.a = t.a",
                "DELETE FROM t WHERE EXISTS (SELECT 1 FROM t y WHERE y.c = t.c)", "EXPLAIN UPDATE t SET b = 1 WHERE c = 'x'",
                "EXPLAIN ANALYZE DELETE FROM t WHERE c = 'x'", "EXPLAIN (CALLS) DELETE FROM t WHERE c = 'x'"):
        equal((sql, ann.error(sql)), (sql, DENIED))
    for sql in ("UPDATE t SET b = 1", "UPDATE t SET b = 1 WHERE a = 1", "UPDATE t SET b = 1 WHERE a = 1 RETURNING a", "DELETE FROM t WHERE a = 2",
                "UPDATE t SET b = y.a FROM t y WHERE y.a = t.a RETURNING y.a",
                "INSERT INTO t VALUES (9, 1, 'x') ON CONFLICT (a) DO UPDATE SET b = excluded.b", "INSERT INTO t VALUES (51, 1, 'x') RETURNING a"):
        ann.rows(sql)
    administer("DROP TABLE other", "DEFINE RELATION other { k INT KEY, v INT }",
               "DEFINE PRIMARY SCHEMA others FOR other { TABLE 'other', ROW ordered{k}, FAMILY 'f', QUALIFIER 'v', VALUE ordered{v} }",
               "GRANT INSERT (k, v) ON other TO ann")
    error = refusal(lambda: ann.client.query("INSERT INTO other VALUES (1, 2)"))
    equal((error.sqlstate, "would replace whole tuples" in error.hint), ("42501", True))
    administer("GRANT INSERT ON other TO ann")
    ann.rows("INSERT INTO other VALUES (1, 2)")


def test_values_that_are_there():
    """Neither errors nor EXPLAIN show attributes of tuples that the role may not read."""
    begin("DROP TABLE other", "CREATE TABLE other (k INT, c TEXT, b INT CHECK (b > 0), PRIMARY KEY (k, c))", "CREATE INDEX ON other (c)",
          "INSERT INTO other VALUES (1, 'hidden', 2), (2, 'hidden', 3)", "GRANT SELECT (k, b), UPDATE (k, b), INSERT, DELETE, TRUNCATE ON other TO ann")
    for door in (Thrift, Postgres):
        ann = door("ann")
        equal(ann.error("UPDATE other SET b = -1 WHERE k = 1")[0], "23514")
        equal(ann.error("UPDATE other SET k = 2 WHERE k = 1"), ("23505", "there is a tuple with the same key already"))
        for sql in ("EXPLAIN INSERT INTO other VALUES (1, 'x', 1)", "EXPLAIN (CALLS) INSERT INTO other VALUES (1, 'x', 1)",
                    "EXPLAIN (CALLS) UPDATE other SET b = 4", "EXPLAIN (CALLS, FORMAT JSON) DELETE FROM other", "EXPLAIN (CALLS) TRUNCATE other"):
            equal((sql, ann.error(sql)), (sql, ("42501", 'permission denied for relation "other"')))
        ann.rows("EXPLAIN UPDATE other SET b = 4 WHERE k = 1")
    # a cursor has the key of a row, where the next page begins
    client = Thrift("ann").client
    cursor = client.query("SELECT k FROM other USING SCHEMA other_c_idx", maxRows=1).cursor
    assert b"hidden" not in cursor and b"other" in cursor, cursor
    equal(client.call.fetch(cursor, None).nrows, 1)
    error = refusal(lambda: Thrift("ann").client.query("UPDATE other SET b = -1 WHERE k = 1"))
    equal(error.detail, "The role may not read the whole row, so it is not shown.")
    administer("GRANT SELECT ON other TO ann")
    assert "hidden" in refusal(lambda: Thrift("ann").client.query("UPDATE other SET b = -1 WHERE k = 1")).detail
    assert "hidden" in Thrift("ann").error("UPDATE other SET k = 2 WHERE k = 1")[1]


def test_set_role_ends():
    """With DISCARD ALL, as poolers send it, and with ROLLBACK, as any setting."""
    begin()
    ann = Postgres("ann")
    for statements, user in {"SET ROLE staff; DISCARD ALL": "ann", "BEGIN; SET ROLE staff; ROLLBACK": "ann", "BEGIN; SET ROLE staff; COMMIT": "staff",
                             "BEGIN; RESET ROLE; ROLLBACK": "staff", "BEGIN; RESET ROLE; SELECT nosuch; ROLLBACK": "staff", "RESET ROLE": "ann"}.items():
        for sql in statements.split("; "):
            ann.ask(sql)
        equal((statements, ann.rows("SELECT current_user")), (statements, [(user,)]))


def test_other_calls():
    """What Thrift has in addition to statements as text: prepared statements, rows by columns, EXPLAIN, parts."""
    begin("GRANT SELECT, INSERT ON t TO ann")
    ann = Thrift("ann")
    call = ann.client.call
    statement = call.prepare("SELECT c FROM t WHERE a = ?").id
    writes = call.prepare("INSERT INTO t VALUES (?, 1, 'x') ON CONFLICT DO NOTHING").id
    columns = [Column(i=[70]), Column(i=[1]), Column(s=["x"])]
    for _ in range(3):
        call.execute(statement, [Value(i=1)], None)
        call.execute(writes, [Value(i=60)], None)
    call.insertRows("t", ["a", "b", "c"], 1, columns, None)
    calls = [lambda: call.execute(statement, [Value(i=1)], None), lambda: call.execute(writes, [Value(i=61)], None),
             lambda: call.insertRows("t", ["a", "b", "c"], 1, columns, None), lambda: call.prepare("SELECT c FROM t"), lambda: call.prepare("DELETE FROM t"),
             lambda: call.explain("SELECT c FROM t", [], False, None), lambda: call.explain("SELECT c FROM t", [], True, None)]
    administer("REVOKE SELECT, INSERT ON t FROM ann")
    for each in calls:
        error = refusal(each)
        equal((error.code, error.message), (ErrorCode.UNKNOWN_NAME, ABSENT[1]))
    administer("GRANT SELECT (a) ON t TO ann")
    for each in calls:
        equal(refusal(each).message, DENIED[1])
    administer("GRANT INSERT (a, b) ON t TO ann")
    equal(refusal(calls[2]).message, DENIED[1])


def test_cursors():
    """A page after REVOKE is given, as in PostgreSQL. Another role gets none: its rights count."""
    begin("GRANT SELECT ON t TO ann")
    ann, bob = Thrift("ann"), Thrift("bob")
    cursor = ann.client.query("SELECT a FROM t", maxRows=1).cursor
    equal(refusal(lambda: bob.client.call.fetch(cursor, None)).message, ABSENT[1])
    cursor = ann.client.query("SELECT a FROM t", maxRows=1).cursor
    administer("REVOKE SELECT ON t FROM ann")
    equal(ann.client.call.fetch(cursor, None).nrows, 1)
    equal(ann.error("SELECT a FROM t"), ABSENT)


def test_define():
    """DEFINE on tables of a pattern; the role that defines a relation owns it."""
    begin("GRANT DEFINE ON TABLES LIKE 'ads\\_%' TO staff")
    for sql in ("CREATE TABLE mine (k INT PRIMARY KEY)", "DEFINE RELATION mine { k INT KEY }", "CREATE TABLE mine AS SELECT 1 AS k"):
        equal(Thrift("bob").error(sql), ("42501", "permission denied to define relations"))
    ann = Thrift("ann")
    equal(ann.error("CREATE TABLE mine (k INT PRIMARY KEY)"), ("42501", "permission denied for the store's table \"mine\""))
    assert "mine" not in [row[0] for row in administer("SHOW TABLES")]
    ann.rows("CREATE TABLE ads_x (k INT PRIMARY KEY, v INT, w INT)")
    ann.rows("CREATE INDEX ads_x_v ON ads_x (v)")
    ann.rows("INSERT INTO ads_x VALUES (1, 2, 3)")
    denied = ("42501", "permission denied for the store's table \"t\"")
    equal(ann.error("DEFINE SCHEMA thief FOR ads_x { TABLE 't', ROW text{k}, FAMILY 'f', QUALIFIER 'q', VALUE text{v} } WITH (role = read)"), denied)
    equal(ann.error("DEFINE SCHEMA thief FOR ads_x { TABLE text{v}, ROW text{k}, FAMILY 'f', QUALIFIER 'q' }")[0], "42501")
    for sql in ("SELECT * FROM TABLE 't'", "DESCRIBE TABLE 't'", "SHOW CREATE TABLE 't'", "SELECT count(*) FROM t, TABLE 't' AS x"):
        assert ann.error(sql) in (denied, ABSENT), (sql, ann.error(sql))
    equal(ann.error("SELECT * FROM TABLE 'nosuch'"), ("42501", "permission denied for the store's table \"nosuch\""))
    equal(len(ann.rows("SELECT * FROM TABLE 'ads_x'")), 3)
    assert [row[0] for row in ann.rows("SHOW TABLES")][0] == "ads_x"
    equal(Thrift("bob").rows("SHOW TABLES"), [])
    administer("GRANT SELECT (v) ON ads_x TO bob")
    equal(Thrift("bob").rows("SELECT v FROM ads_x"), [(2,)])
    for sql in ("DROP TABLE ads_x", "ALTER TABLE ads_x DROP COLUMN w", "ANALYZE ads_x", "COMMENT ON RELATION ads_x IS 'x'", "CREATE INDEX ON ads_x (w)",
                "SHOW HISTORY FOR ads_x", "VERIFY SCHEMA ads_x_v", "DROP INDEX ads_x_v", "ALTER TABLE ads_x OWNER TO bob"):
        equal((sql, Thrift("bob").error(sql)), (sql, ("42501", "must be owner of relation \"ads_x\"")))
    for sql in ("ANALYZE ads_x", "COMMENT ON RELATION ads_x IS 'x'", "SHOW HISTORY FOR ads_x", "VERIFY SCHEMA ads_x_v", "ALTER TABLE ads_x ADD COLUMN z INT",
                "ALTER TABLE ads_x RENAME TO ads_y", "SELECT * FROM ads_y"):
        ann.rows(sql)
    equal(Thrift("bob").rows("SELECT v FROM ads_y"), [(2,)])
    ann.rows("ALTER TABLE ads_y OWNER TO staff")
    equal(refusal(lambda: administer("DROP ROLE staff")).sqlstate, "2BP01")
    ann.rows("DROP TABLE ads_y")
    equal([row for row in administer("SHOW GRANTS") if row[2] in ("ads_x", "ads_y")], [])


def test_grant_options():
    begin("GRANT SELECT ON t TO ann WITH GRANT OPTION")
    ann, bob = Thrift("ann"), Thrift("bob")
    equal(ann.error("GRANT UPDATE ON t TO bob"), DENIED)
    ann.rows("GRANT SELECT ON t TO bob WITH GRANT OPTION")
    bob.rows("GRANT SELECT ON t TO PUBLIC")
    bob.rows("GRANT SELECT ON t TO ann WITH GRANT OPTION")
    equal(refusal(lambda: administer("REVOKE SELECT ON t FROM ann")).sqlstate, "2BP01")
    equal(len(bob.rows("SELECT * FROM t")), 2)
    administer("REVOKE GRANT OPTION FOR SELECT ON t FROM ann CASCADE")
    equal(len(ann.rows("SELECT * FROM t")), 2)
    equal(bob.error("SELECT * FROM t"), ABSENT)
    equal([row for row in administer("SHOW GRANTS ON t")], [("ann", "SELECT", "t", "no", None)])
    equal(refusal(lambda: administer("GRANT SELECT ON t TO PUBLIC WITH GRANT OPTION")).sqlstate, "0LP01")
    equal(refusal(lambda: administer("GRANT SELECT ON t TO nosuch")).message, 'role "nosuch" does not exist')
    equal(refusal(lambda: administer("GRANT SELECT (nosuch) ON t TO ann")).message, 'attribute "nosuch" does not exist in relation "t"')


def test_members():
    begin("GRANT SELECT ON t TO staff")
    ann, bob = Thrift("ann"), Thrift("bob")
    equal(len(ann.rows("SELECT * FROM t")), 2)
    equal(bob.error("GRANT staff TO bob"), ("42501", 'must have admin option on role "staff"'))
    equal(bob.error("SET ROLE staff"), ("42501", 'permission denied to set role "staff"'))
    administer("GRANT staff TO ann WITH ADMIN OPTION")
    ann.rows("GRANT staff TO bob")
    equal(len(bob.rows("SELECT * FROM t")), 2)
    equal(ann.error("GRANT ann TO staff")[0], "42501")
    equal(refusal(lambda: administer("GRANT ann TO staff")).sqlstate, "0LP01")
    bob.rows("SET ROLE staff")
    equal(len(bob.rows("SELECT * FROM t")), 2)
    administer("REVOKE staff FROM bob")
    equal(bob.error("SELECT * FROM t"), ("42501", 'permission denied to act as role "staff"'))
    bob.rows("RESET ROLE")
    equal(bob.error("SELECT * FROM t"), ABSENT)
    administer("CREATE ROLE chief SUPERUSER ROLE ann")
    equal(ann.error("CREATE ROLE x")[0], "42501")
    ann.rows("SET ROLE chief")
    ann.rows("CREATE ROLE x")
    ann.rows("DROP ROLE x")
    ann.rows("SET ROLE NONE")
    equal(ann.error("GRANT chief TO bob"), ("42501", 'must be superuser to grant or revoke role "chief"'))
    administer("DROP ROLE chief")


def test_current_user():
    begin()
    ann = Postgres("ann")
    ann.rows("SET ROLE staff")
    equal([ann.rows(f"SELECT {name}") for name in ("current_user", "session_user")], [[("staff",)], [("ann",)]])
    ann.rows("RESET ROLE")
    equal(ann.rows("SELECT current_user"), [("ann",)])
    equal(ann.error("SET SESSION AUTHORIZATION bob")[0], "0A000")
    begin("GRANT DEFINE ON TABLES LIKE '%' TO staff")
    for door in (Thrift, Postgres):
        ann, bob = door("ann"), door("bob")
        ann.rows("SET ROLE staff")
        equal(ann.rows("SELECT current_user AS a, CURRENT_ROLE AS b, session_user AS c"), [("staff", "staff", "ann")])
        ann.rows("CREATE TABLE ads_x (a INT PRIMARY KEY, who STRING DEFAULT current_user, CHECK (who <> session_user))")
        ann.rows("GRANT INSERT, SELECT ON ads_x TO bob")
        ann.rows("INSERT INTO ads_x (a) VALUES (1)")
        equal(bob.error("INSERT INTO ads_x (a) VALUES (2)")[0], "23514")
        bob.rows("INSERT INTO ads_x VALUES (3, upper (current_user))")
        ann.rows("CREATE VIEW mine AS SELECT a, current_user AS u FROM ads_x WHERE lower (who) = current_user")
        equal([str(value) for value in ann.rows("SELECT * FROM mine")[0]], ["1", "staff"])
        ann.rows("RESET ROLE")
        equal(ann.rows("SELECT * FROM mine"), [])
        administer("DROP VIEW mine")
        ann.rows("DROP TABLE ads_x")


def test_sessions():
    """A role sees its own sessions and statements, and may end them."""
    begin()
    ann, second, bob = Thrift("ann"), Thrift("ann"), Thrift("bob")
    for each in (ann, second, bob):
        each.rows("SELECT 1 AS one")
    own = [row[0] for row in ann.rows("SHOW SESSIONS")]
    assert len(own) >= 2, own
    assert not set(own) & {row[0] for row in bob.rows("SHOW SESSIONS")}
    equal(bob.error(f"KILL SESSION {own[0]}"), ("42704", f"there is no session {own[0]}"))
    equal(len(ann.rows("SHOW STATEMENTS")), 1)
    ann.rows(f"KILL SESSION {max(own)}")
    equal(len(administer("SHOW SESSIONS")) > len(own), True)
    # SET ROLE does not show the session of another to the members of that role
    administer("CREATE ROLE chief SUPERUSER LOGIN PASSWORD 'x'")
    administer("GRANT staff TO bob")
    chief, ann = Thrift("chief"), Thrift("ann")
    others = set()
    for each in (chief, bob):
        each.rows("SET ROLE staff")
        others |= {row[0] for row in each.rows("SHOW SESSIONS")}
    equal(len(others), 2)
    assert not others & {row[0] for row in ann.rows("SHOW SESSIONS")}
    administer("GRANT chief TO ann")
    assert not others & {row[0] for row in ann.rows("SHOW SESSIONS")}
    for session in others:
        equal(ann.error(f"KILL SESSION {session}")[0], "42704")
    administer("DROP ROLE chief")


def test_connection_limit():
    administer("CREATE ROLE cyd LOGIN PASSWORD 'x' CONNECTION LIMIT 2")
    several = [Thrift("cyd") for _ in range(3)]
    for each in several[:2]:
        each.rows("SELECT 1 AS one")
    error = refusal(lambda: several[2].client.query("SELECT 1"))
    equal((error.code, error.sqlstate, error.message, error.hint),
          (ErrorCode.LIMIT, "53300", 'too many connections for role "cyd"', "Its CONNECTION LIMIT is 2."))
    peer = wire.Peer(f"{server.directory}/.s.PGSQL.5433", begins=False)
    peer.send(wire.startup(user="cyd"))
    body = peer.until("E")[-1][1]
    equal((body["S"], body["C"], body["M"]), ("FATAL", "53300", 'too many connections for role "cyd"'))
    several[0].client.__exit__()
    end = time.monotonic() + 20
    while True:
        try:
            equal(several[2].rows("SELECT 1 AS one"), [(1,)])
            break
        except scram.SqlError:
            assert time.monotonic() < end, "the place of a connection that has ended stays taken"
            time.sleep(0.01)
    administer("DROP ROLE cyd")


class Running:
    """A statement of a role on the Thrift front end that runs until kill()."""

    def __init__(self, role, sql):
        self.session = Thrift(role)
        self.thread = threading.Thread(target=lambda: refusal(lambda: self.session.client.query(sql)))
        self.thread.start()

    @staticmethod
    def find(memory=0):
        """Its number, once it has so many bytes."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for row in administer("SHOW STATEMENTS"):
                if "generate_series" in (row[8] or "") and int(row[6]) >= memory:
                    return row[0]
            time.sleep(0.01)
        raise AssertionError("the statement does not run")

    def kill(self):
        administer(f"KILL {self.find()}")
        self.thread.join()


ENDLESS = "SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b WHERE a + b < 0"


def test_statement_limit():
    administer("CREATE ROLE cyd LOGIN PASSWORD 'x' STATEMENT LIMIT 1")
    doors = [Thrift("cyd"), Postgres("cyd")]
    running = Running("cyd", ENDLESS)
    running.find()
    for door in doors:
        equal(door.error("SELECT 1"), ("53400", 'too many statements of role "cyd" run already'))
        equal(len(door.rows("SHOW STATEMENTS")), 2)
    administer("ALTER ROLE cyd STATEMENT LIMIT 2")
    for door in doors:
        door.rows("SELECT 1 AS one")
    administer("ALTER ROLE cyd STATEMENT LIMIT 1")
    running.kill()
    for door in doors:
        door.rows("SELECT 1 AS one")
    administer("DROP ROLE cyd")


def test_memory_limit():
    """Of all statements of a role together: what one of them may have depends on how many run."""
    administer("CREATE ROLE cyd LOGIN PASSWORD 'x'")
    sql = "SELECT max(length(s)) FROM (SELECT repeat('x', 100000) || n AS s FROM generate_series(1, 40) n ORDER BY s) q"
    doors = [Thrift("cyd"), Postgres("cyd")]
    for limit, ok in (("'1MB'", False), ("'64MB'", True), (-1, True)):
        administer(f"ALTER ROLE cyd MEMORY LIMIT {limit}")
        for door in doors:
            error = None if ok else door.error(sql)
            equal((limit, error and error[0]), (limit, None if ok else "53200"))
            if ok:
                door.rows(sql)
            else:
                assert error[1].startswith('the statements of role "cyd" together need more than 1 MiB of memory'), error
    equal([row[7] for row in administer("SHOW ROLES") if row[0] == "cyd"], [None])
    administer("ALTER ROLE cyd MEMORY LIMIT '15MB'")
    for door in doors:
        door.rows(sql)
    running = Running("cyd", "SELECT count(*) FROM (SELECT repeat('x', 100000) || n AS s FROM generate_series(1, 35) n) x, generate_series(1, 1000000000) b WHERE length(s) + b < 0")
    running.find(memory=3 << 20)
    for door in doors:
        equal(door.error(sql)[0], "53200")
    running.kill()
    for door in doors:
        door.rows(sql)
    administer("DROP ROLE cyd")


def test_row_limit():
    """Of what a statement returns or writes, in all its pages and portions."""
    begin("CREATE ROLE cyd LOGIN PASSWORD 'x' ROW LIMIT 10 ROLE ann IN ROLE staff", "GRANT ALL ON other TO staff",
          "INSERT INTO other SELECT n, n FROM generate_series(1, 20) n")
    result = ("53400", 'the result has more than 10 rows, the row limit of role "cyd"')
    written = ("53400", 'the statement writes more than 10 tuples, the row limit of role "cyd"')
    values = ", ".join(f"({n}, 0)" for n in range(101, 112))
    for door in (Thrift, Postgres):
        cyd = door("cyd")
        equal(len(cyd.rows("SELECT * FROM other WHERE k <= 10")), 10)
        equal(cyd.rows("SELECT count(*) FROM other")[0][0] in (20, "20"), True)
        for sql, error in (("SELECT * FROM other WHERE k <= 11", result), ("SELECT n FROM generate_series(1, 11) n", result),
                           (f"INSERT INTO other VALUES {values}", written), ("INSERT INTO other SELECT n, 0 FROM generate_series(101, 111) n", written),
                           (f"INSERT INTO other VALUES {values} ON CONFLICT DO NOTHING", written), ("UPDATE other SET v = -1", written),
                           ("UPDATE other SET k = k + 1000 WHERE k <= 11", written), ("DELETE FROM other", written), ("DELETE FROM other WHERE k > 0 RETURNING k", written)):
            equal((sql, cyd.error(sql)), (sql, error))
        cyd.rows("SET ROLE staff")
        equal(cyd.error("SELECT * FROM other"), result)
        administer("DELETE FROM other", "INSERT INTO other SELECT n, n FROM generate_series(1, 20) n")
        for sql in ("UPDATE other SET v = -1 WHERE k <= 10", "DELETE FROM other WHERE k > 10", "INSERT INTO other SELECT n, n FROM generate_series(11, 20) n"):
            cyd.rows(sql)
        equal(len(door("ann").rows("SELECT * FROM other")), 20)  # a member does not get its limits
    cyd = Thrift("cyd")
    page = cyd.client.query("SELECT k FROM other", maxRows=6)
    equal(refusal(lambda: cyd.client.call.fetch(page.cursor, None)).sqlstate, "53400")
    equal(refusal(lambda: cyd.client.call.fetch(page.cursor, None)).sqlstate, "53400")  # from the token
    columns = [Column(i=list(range(201, 212))), Column(i=[0] * 11)]
    equal(refusal(lambda: cyd.client.call.insertRows("other", ["k", "v"], 11, columns, None)).sqlstate, "53400")
    equal(administer("SELECT count(*) FROM other WHERE k > 100"), [(0,)])
    administer("ALTER ROLE cyd ROW LIMIT 1500")
    peer = Postgres("cyd").peer
    peer.send(wire.query("COPY other FROM STDIN"))
    peer.until("G")
    peer.send(wire.message("d", b"".join(b"%d\t0\n" % n for n in range(1001, 3001))) + wire.message("c", b""))
    error = [body for kind, body in peer.until("Z") if kind == "E"][0]
    equal((error["C"], error["D"]), ("53400", "1000 tuples had been written before."))
    administer("DROP ROLE cyd")


def test_limits_of_superusers():
    administer("CREATE ROLE cyd LOGIN SUPERUSER PASSWORD 'x' CONNECTION LIMIT 0 STATEMENT LIMIT 1 MEMORY LIMIT '1MB' ROW LIMIT 1")
    equal([row[5:9] for row in administer("SHOW ROLES") if row[0] == "cyd"], [("0", "1", "1MB", "1")])
    equal(len(Thrift("cyd").rows("SELECT n FROM generate_series(1, 3) n")), 3)
    administer("DROP ROLE cyd")
    for sql, message in (("ROW LIMIT 0", "a row limit is a whole number of at least 1, or -1 for none"), ("MEMORY LIMIT 1000", "a memory limit is at least 1 MiB, or -1 for none"),
                         ("MEMORY LIMIT '64'", "this is not a size"), ("MEMORY LIMIT '9999999TB'", "this is not a size"),
                         ("STATEMENT LIMIT -2", "a statement limit is a whole number of at least 1, or -1 for none"),
                         ("ROW LIMIT 1 ROW LIMIT 2", "ROW LIMIT is given twice")):
        equal((sql, refusal(lambda sql=sql: administer(f"CREATE ROLE x {sql}")).message), (sql, message))


def value(rows):
    return int(rows[0][0])


def test_sequences():
    """nextval needs USAGE or UPDATE, currval USAGE or SELECT, setval UPDATE. Without any right there is no such sequence."""
    begin()
    administer("CREATE SEQUENCE numbers", "CREATE SEQUENCE \"Odd\" INCREMENT BY 2")
    needs = {"SELECT nextval('numbers') AS n": {"USAGE", "UPDATE"}, "SELECT currval('numbers') AS n": {"USAGE", "SELECT"},
             "SELECT setval('numbers', 7) AS n": {"UPDATE"}}
    for door in (Thrift, Postgres):
        ann = door("ann")
        for sql in [*needs, "DROP SEQUENCE numbers", "ALTER SEQUENCE numbers RESTART", "GRANT USAGE ON SEQUENCE numbers TO bob"]:
            equal((sql, ann.error(sql)), (sql, ("42P01", 'sequence "numbers" does not exist')))
        ann.rows("DROP SEQUENCE IF EXISTS numbers")
        ann.rows("ALTER SEQUENCE IF EXISTS numbers RESTART")
        for right in ("USAGE", "SELECT", "UPDATE"):
            administer("GRANT ALL ON SEQUENCE numbers TO ann")
            ann.rows("SELECT nextval('numbers') AS n")
            administer("REVOKE ALL ON SEQUENCE numbers FROM ann", f"GRANT {right} ON SEQUENCE numbers TO staff")
            for sql, rights in needs.items():
                if right in rights:
                    ann.rows(sql)
                else:
                    equal((right, sql, ann.error(sql)), (right, sql, ("42501", 'permission denied for sequence "numbers"')))
            for sql in ("DROP SEQUENCE numbers", "ALTER SEQUENCE numbers RESTART", "ALTER SEQUENCE numbers OWNER TO ann"):
                equal((sql, ann.error(sql)), (sql, ("42501", 'must be owner of sequence "numbers"')))
            equal(ann.error(f"GRANT {right} ON SEQUENCE numbers TO bob"), ("42501", 'permission denied for sequence "numbers"'))
            administer(f"REVOKE {right} ON SEQUENCE numbers FROM staff")
    ann = Thrift("ann")
    administer("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO staff WITH GRANT OPTION")
    equal([value(ann.rows(f"SELECT nextval('\"Odd\"') AS n")) for _ in range(2)], [1, 3])
    ann.rows("GRANT USAGE ON SEQUENCE \"Odd\" TO bob")
    equal([row for row in administer("SHOW GRANTS FOR bob")], [("bob", "USAGE", "sequence Odd", "no", "staff")])
    equal(refusal(lambda: administer("DROP ROLE bob")).detail, "rights on sequence Odd")
    administer("REVOKE USAGE ON SEQUENCE \"Odd\", numbers FROM staff CASCADE")
    equal(Thrift("bob").error("SELECT nextval('\"Odd\"')"), ("42P01", 'sequence "Odd" does not exist'))
    equal(ann.error("SELECT last_value FROM numbers"), ("42P01", 'sequence "numbers" does not exist'))
    administer("GRANT USAGE ON SEQUENCE numbers TO ann")
    equal(ann.error("SELECT last_value FROM numbers"), ("42501", 'permission denied for sequence "numbers"'))
    administer("GRANT SELECT ON SEQUENCE numbers TO ann")
    equal(ann.rows("SELECT log_cnt, is_called FROM numbers"), [(0, True)])
    administer("REVOKE ALL ON SEQUENCE numbers FROM ann")
    for sql, message in (("GRANT INSERT ON SEQUENCE numbers TO ann", "this is not a right on sequences"), ("GRANT USAGE ON t TO ann", "USAGE is a right on sequences, not on relations"),
                         ("GRANT USAGE ON SEQUENCE nosuch TO ann", 'sequence "nosuch" does not exist'),
                         ("GRANT SELECT ON ALL TABLES IN SCHEMA other TO ann", 'syntax error at or near "other", expected public')):
        equal((sql, refusal(lambda sql=sql: administer(sql)).message), (sql, message))
    administer("DROP SEQUENCE numbers", "DROP SEQUENCE \"Odd\"")
    equal([row for row in administer("SHOW HISTORY") if row[3] == "sequence rights"][-1][4], "dropped")


def test_sequences_of_attributes():
    """INSERT into a relation with SERIAL needs a right on its sequence, and one with an identity attribute needs none. Both follow the relation's owner."""
    begin("GRANT DEFINE ON TABLES LIKE '%' TO staff")
    ann, bob = Thrift("ann"), Thrift("bob")
    ann.rows("CREATE TABLE ads_x (a SERIAL PRIMARY KEY, b INT)")
    ann.rows("CREATE TABLE ads_y (a INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b INT)")
    for relation in ("ads_x", "ads_y"):
        ann.rows(f"GRANT SELECT, INSERT ON {relation} TO bob")
        ann.rows(f"INSERT INTO {relation} (b) VALUES (1)")
    for door in (Thrift, Postgres):
        equal(door("bob").error("INSERT INTO ads_x (b) VALUES (2)"), ("42P01", 'sequence "ads_x_a_seq" does not exist'))
    bob.rows("INSERT INTO ads_y (b) VALUES (2), (3)")
    equal(bob.error("SELECT setval('ads_y_a_seq', 70)"), ("42P01", 'sequence "ads_y_a_seq" does not exist'))
    ann.rows("GRANT USAGE ON SEQUENCE ads_x_a_seq TO bob")
    bob.rows("INSERT INTO ads_x (b) VALUES (2), (3)")
    equal(len(bob.rows("SELECT * FROM ads_x")), 3)
    ann.rows("REVOKE INSERT ON ads_y FROM bob")
    equal(bob.error("SELECT nextval('ads_y_a_seq')"), ("42P01", 'sequence "ads_y_a_seq" does not exist'))
    equal(ann.error("ALTER SEQUENCE ads_x_a_seq OWNER TO staff"), ("0A000", 'cannot change owner of sequence "ads_x_a_seq"'))
    equal(ann.error("ALTER SEQUENCE ads_y_a_seq OWNED BY NONE"), ("0A000", "cannot change ownership of identity sequence"))
    ann.rows("ALTER TABLE ads_x OWNER TO staff")
    equal([row[:3] for row in administer("SHOW GRANTS FOR staff") if row[1] == "OWNER"], [("staff", "OWNER", "ads_x"), ("staff", "OWNER", "sequence ads_x_a_seq")])
    equal([row[:3] for row in administer("SHOW GRANTS FOR bob") if "seq" in row[2]], [("bob", "USAGE", "sequence ads_x_a_seq")])
    ann.rows("CREATE SEQUENCE own")
    equal(ann.error("ALTER SEQUENCE own OWNED BY ads_x.b"), ("55000", "sequence must have same owner as table it is linked to"))
    ann.rows("ALTER SEQUENCE own OWNED BY ads_y.b")
    equal(ann.error("ALTER SEQUENCE own OWNER TO bob"), ("42501", 'must be member of role "bob"'))
    ann.rows("ALTER SEQUENCE own OWNER TO staff")
    for sql in ("DROP TABLE ads_x", "DROP TABLE ads_y", "DROP SEQUENCE own"):
        ann.rows(sql)
    equal([row for row in administer("SHOW GRANTS") if "seq" in row[2]], [])


def test_add_key():
    """ADD PRIMARY KEY copies the table: its owner and the rights on it stay, also those on columns, and the copy leaves none."""
    begin("GRANT DEFINE ON TABLES LIKE '%' TO staff")
    ann, bob = Thrift("ann"), Thrift("bob")
    ann.rows("CREATE TABLE ads_x (a INT, b INT, c SERIAL)")
    ann.rows("INSERT INTO ads_x (a, b) VALUES (1, 2)")
    ann.rows("GRANT SELECT (b, c) ON ads_x TO bob")
    equal(bob.error("ALTER TABLE ads_x ADD PRIMARY KEY (a)"), ("42501", 'must be owner of relation "ads_x"'))
    before = administer("SHOW GRANTS")
    ann.rows("ALTER TABLE ads_x ADD PRIMARY KEY (a)")
    equal([row for row in administer("SHOW GRANTS")], [row for row in before if "rowid" not in row[2]])
    equal(bob.rows("SELECT b, c FROM ads_x"), [(2, 1)])
    equal(bob.error("SELECT a FROM ads_x")[0], "42501")
    ann.rows("DROP TABLE ads_x")
    equal([row for row in administer("SHOW GRANTS") if "ads" in row[2]], [])


def test_truncate():
    """TRUNCATE of several tables needs the right on all of them, and RESTART IDENTITY that on the sequences. Otherwise nothing is changed."""
    begin("GRANT DEFINE ON TABLES LIKE '%' TO staff")
    ann = Thrift("ann")
    for relation in ("ads_x", "ads_y"):
        ann.rows(f"CREATE TABLE {relation} (a SERIAL PRIMARY KEY, b INT)")
        ann.rows(f"INSERT INTO {relation} (b) VALUES (1), (2)")
    ann.rows("GRANT SELECT, TRUNCATE ON ads_x TO bob")
    ann.rows("GRANT SELECT ON ads_y TO bob")
    for door in (Thrift, Postgres):
        bob = door("bob")
        equal(bob.error("TRUNCATE ads_x, ads_y"), ("42501", 'permission denied for relation "ads_y"'))
        equal(bob.error("TRUNCATE ads_x RESTART IDENTITY")[0], "42P01")
    equal([len(ann.rows(f"SELECT * FROM {relation}")) for relation in ("ads_x", "ads_y")], [2, 2])
    ann.rows("GRANT TRUNCATE ON ads_y TO bob")
    ann.rows("GRANT UPDATE ON SEQUENCE ads_x_a_seq TO bob")
    equal(bob.error("TRUNCATE ads_x, ads_y RESTART IDENTITY")[0], "42P01")
    equal(len(ann.rows("SELECT * FROM ads_x")), 2)
    Thrift("bob").rows("TRUNCATE ads_x RESTART IDENTITY")
    Thrift("bob").rows("TRUNCATE ads_x, ads_y")
    equal([ann.rows(f"INSERT INTO {relation} (b) VALUES (1) RETURNING a") for relation in ("ads_x", "ads_y")], [[(1,)], [(3,)]])
    for relation in ("ads_x", "ads_y"):
        ann.rows(f"DROP TABLE {relation}")


def test_sequences_of_other_owners():
    """A DEFAULT may name any sequence. It does not make that of another role go with the relation, or to its new owner."""
    begin("GRANT DEFINE ON TABLES LIKE '%' TO staff", "GRANT DEFINE ON TABLES LIKE 'bob%' TO bob")
    ann, bob = Thrift("ann"), Thrift("bob")
    ann.rows("CREATE TABLE ads_x (a SERIAL PRIMARY KEY, b INT)")
    ann.rows("ALTER TABLE ads_x ALTER COLUMN a DROP DEFAULT")
    for end in ("ALTER TABLE bob_t OWNER TO robbers", "DROP TABLE bob_t"):
        administer("CREATE ROLE robbers")
        administer("GRANT robbers TO bob")
        bob.rows("CREATE TABLE bob_t (a INT PRIMARY KEY, b INT DEFAULT nextval('ads_x_a_seq'))")
        bob.rows(end)
        equal([row[:3] for row in administer("SHOW GRANTS") if "seq" in row[2]], [("ann", "OWNER", "sequence ads_x_a_seq")])
        administer("DROP OWNED BY robbers")
        administer("DROP ROLE robbers")
    calls = " + ".join(f"nextval('bob_{i}')" for i in range(3))
    for i in range(3):
        bob.rows(f"CREATE SEQUENCE bob_{i}")
    bob.rows(f"CREATE TABLE bob_t (a INT PRIMARY KEY, b INT DEFAULT {calls})")
    for i in range(3):
        bob.rows(f"ALTER SEQUENCE bob_{i} OWNED BY bob_t.b")
    equal(bob.error("DROP TABLE bob_t"), ("54000", 'relation "bob_t" has 3 sequences, too many for one statement'))
    bob.rows("ALTER TABLE bob_t ALTER COLUMN b DROP DEFAULT")
    bob.rows("DROP TABLE bob_t")
    for i in range(3):
        bob.rows(f"DROP SEQUENCE bob_{i}")
    ann.rows("DROP TABLE ads_x")
    ann.rows("DROP SEQUENCE ads_x_a_seq")


def test_identity_of_another_owner():
    """A DEFAULT that names the sequence of another role's identity gives no right to it."""
    begin("GRANT DEFINE ON TABLES LIKE 'idt%' TO staff", "GRANT DEFINE ON TABLES LIKE 'bob%' TO bob")
    ann, bob = Thrift("ann"), Thrift("bob")
    ann.rows("CREATE TABLE idt (a INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b INT)")
    bob.rows("CREATE TABLE bob_t (a INT PRIMARY KEY, b INT DEFAULT nextval('idt_a_seq'))")
    equal(bob.error("SELECT nextval('idt_a_seq')")[0], "42P01")
    equal(bob.error("INSERT INTO bob_t VALUES (1)")[0], "42P01")
    administer("GRANT INSERT ON idt TO bob")
    bob.rows("INSERT INTO idt (b) VALUES (1)")
    bob.rows("DROP TABLE bob_t")
    ann.rows("DROP TABLE idt")


def test_alter_sequence():
    """What PostgreSQL does, except that numbers that were leased are not given again without RESTART."""
    administer("CREATE SEQUENCE s START WITH 5 MAXVALUE 1000")

    def take(n=1):
        with Client(server.socket_path) as client:
            return [client.rows("SELECT nextval('s') AS n")[0][0] for _ in range(n)]

    equal(take(2), [5, 6])
    for sql, numbers in (("RESTART", [5, 6]), ("RESTART WITH 40", [40, 41]), ("RESTART 8", [8, 9]), ("INCREMENT BY 10 RESTART 20", [20, 30]),
                         ("INCREMENT 1 MINVALUE 3 START 4 RESTART", [4, 5]), ("MAXVALUE 4 START 4 RESTART", [4]), ("NO MAXVALUE", [5, 6]),
                         ("MAXVALUE 6 CYCLE RESTART 5", [5, 6, 3, 4]), ("NO CYCLE AS SMALLINT RESTART 6", [6]), ("INCREMENT -1", [5, 4, 3])):
        administer(f"ALTER SEQUENCE s {sql}")
        equal((sql, take(len(numbers))), (sql, numbers))
    for sql, message in (("INCREMENT 0", "INCREMENT must not be zero"), ("MINVALUE 10", "MINVALUE must be less than MAXVALUE"),
                         ("RESTART 99", "RESTART value (99) cannot be greater than MAXVALUE (6)"), ("START 1", "START value (1) cannot be less than MINVALUE (3)"),
                         ("AS SMALLINT MAXVALUE 40000", "MINVALUE or MAXVALUE is out of range for the type"), ("AS TEXT", "a sequence is of type SMALLINT, INT or BIGINT")):
        error = refusal(lambda sql=sql: administer(f"ALTER SEQUENCE s {sql}"))
        equal((sql, error.sqlstate, error.message), (sql, "22023", message))
    equal(refusal(lambda: administer("ALTER SEQUENCE nosuch RESTART")).sqlstate, "42P01")
    administer("ALTER SEQUENCE s INCREMENT 1 NO MAXVALUE RESTART 10")
    equal(take(), [10])
    error = refusal(lambda: administer("ALTER SEQUENCE s MAXVALUE 20"))
    equal((error.message.endswith(") cannot be greater than MAXVALUE (20)"), error.hint), (True, "Daemons have leased the numbers before that. Use RESTART."))
    administer("DROP SEQUENCE s")


def test_owned():
    """DROP OWNED and REASSIGN OWNED, by a member of the role, in one change."""
    begin("GRANT SELECT ON t TO staff WITH GRANT OPTION", "GRANT DEFINE ON TABLES LIKE '%' TO staff")
    ann, bob = Thrift("ann"), Thrift("bob")
    ann.rows("GRANT SELECT ON t TO bob")
    for sql in ("CREATE TABLE ads_x (a SERIAL PRIMARY KEY, b INT)", "CREATE TABLE ads_y (a INT PRIMARY KEY, b INT DEFAULT nextval('ads_x_a_seq'))",
                "CREATE SEQUENCE own", "CREATE VIEW pairs AS SELECT x.a FROM ads_x x JOIN ads_y y ON x.a = y.a", "GRANT SELECT ON ads_x TO bob"):
        ann.rows(sql)
    for sql, message in (("DROP OWNED BY ann", "permission denied to drop objects"), ("REASSIGN OWNED BY ann TO bob", "permission denied to reassign objects"),
                         ("REASSIGN OWNED BY bob TO ann", "permission denied to reassign objects")):
        equal((sql, bob.error(sql)), (sql, ("42501", message)))
    equal(bob.error("DROP OWNED BY nosuch"), ("42704", 'role "nosuch" does not exist'))
    equal(refusal(lambda: administer("DROP ROLE ann")).detail, "owner of relation ads_x; owner of relation ads_y; owner of sequence ads_x_a_seq; owner of sequence own")
    pg = Postgres("ann").peer
    equal([body for kind, body in pg.ask(wire.query("REASSIGN OWNED BY ann TO staff")) if kind == "C"], ["REASSIGN OWNED"])
    equal([row[2] for row in administer("SHOW GRANTS FOR staff") if row[1] == "OWNER"], ["ads_x", "ads_y", "sequence ads_x_a_seq", "sequence own"])
    equal(len(bob.rows("SELECT * FROM ads_x")), 0)
    equal(ann.error("DROP OWNED BY staff"), ("2BP01", 'relation "ads_x" is used by view "pairs"'))
    ann.rows("DROP OWNED BY staff CASCADE")
    equal([row for row in administer("SHOW GRANTS") if row[0] in ("ann", "bob", "staff") or "ads" in row[2]], [("ann", "MEMBER", "staff", "no", None)])
    equal([row[0] for row in administer("SHOW RELATIONS") if row[0].startswith("ads")], [])
    equal(refusal(lambda: administer("SELECT nextval('own')")).sqlstate, "42P01")
    administer("DROP ROLE staff", "REASSIGN OWNED BY ann TO bob")
    begin("ALTER TABLE t OWNER TO ann", "CREATE SEQUENCE used", "ALTER SEQUENCE used OWNER TO bob", "ALTER TABLE t ALTER COLUMN b SET DEFAULT nextval('used')")
    equal(Thrift("bob").error("DROP OWNED BY bob"), ("2BP01", 'a DEFAULT of relation "t" uses sequence "used"'))
    administer("DROP OWNED BY ann, bob")
    equal([row[0] for row in administer("SHOW RELATIONS") if row[0] == "t"], [])


def test_all_tables():
    """ON ALL TABLES: those on which the role may grant the rights."""
    begin("GRANT SELECT ON t TO staff WITH GRANT OPTION", "ALTER TABLE other OWNER TO ann")
    ann = Thrift("ann")
    equal(ann.client.query("GRANT SELECT ON ALL TABLES IN SCHEMA public TO bob").warnings, ["note: the rights on 2 relations were changed"])
    equal(ann.client.query("GRANT INSERT ON ALL TABLES IN SCHEMA public TO bob").warnings, ["note: the rights on 1 relation were changed"])
    equal(sorted(row[1:3] for row in administer("SHOW GRANTS FOR bob")), [("INSERT", "other"), ("SELECT", "other"), ("SELECT", "t")])
    administer("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM staff CASCADE", "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM bob")
    equal(administer("SHOW GRANTS FOR bob"), [])


def test_without_log_in():
    """auth=none: the rights of PUBLIC, as soon as there are roles."""
    begin("GRANT SELECT (a) ON t TO PUBLIC")
    with Client(("127.0.0.1", server.port)) as client:
        equal(len(client.rows("SELECT a FROM t")), 2)
        equal(refusal(lambda: client.query("SELECT * FROM t")).message, DENIED[1])
        equal(refusal(lambda: client.query("SELECT * FROM other")).message, 'relation "other" does not exist')
        for sql in ("CREATE ROLE x", "GRANT SELECT ON t TO PUBLIC", "CREATE TABLE x (a INT PRIMARY KEY)", "SELECT * FROM TABLE 't'", "BACKUP TO 'x'", "CALIBRATE", "SHOW HISTORY"):
            equal((sql, refusal(lambda sql=sql: client.query(sql)).sqlstate), (sql, "42501"))


def test_two_daemons():
    """A GRANT on one daemon counts on the others of its registry."""
    begin("GRANT SELECT ON other TO ann")
    registry = f"local://{server.folder}/registry"
    second = scram.Server("rights-2", registry=registry)
    ann = Thrift("ann", second)
    equal(ann.error("SELECT * FROM t"), ABSENT)
    for grant, sees in (("GRANT SELECT ON t TO ann", True), ("REVOKE SELECT ON t FROM ann", False)):
        administer(grant)
        end = time.monotonic() + 20
        while (len(ann.rows("SHOW RELATIONS")) == 2) != sees:
            assert time.monotonic() < end, "it does not count on the other daemon"
            time.sleep(0.01)
    equal(ann.error("SELECT * FROM t"), ABSENT)
    equal(second.stop(), 0)


def test_restart():
    """Rights are read from the registry again."""
    begin("GRANT SELECT (a) ON t TO ann WITH GRANT OPTION", "GRANT DEFINE ON TABLES LIKE '%' TO bob", "GRANT staff TO bob WITH ADMIN OPTION", "ALTER TABLE other OWNER TO staff",
          "CREATE ROLE `Other Role`", "GRANT ALL ON t TO `Other Role`", "ALTER ROLE bob CONNECTION LIMIT 3 MEMORY LIMIT '64MB' ROW LIMIT 7")
    second = scram.Server("rights-3", registry=f"local://{server.folder}/registry")
    equal(administer("SHOW GRANTS", daemon=second), administer("SHOW GRANTS"))
    equal(administer("SHOW ROLES", daemon=second), administer("SHOW ROLES"))
    equal(second.stop(), 0)
    administer("REVOKE ALL ON t FROM `Other Role`", "DROP ROLE `Other Role`", "ALTER TABLE other OWNER TO admin")


TESTS = [test_attributes, test_nothing, test_views, test_catalogue, test_writes, test_what_a_write_reads, test_values_that_are_there, test_set_role_ends, test_other_calls, test_cursors, test_define,
         test_grant_options, test_members, test_current_user, test_sessions, test_connection_limit,
         test_statement_limit, test_memory_limit, test_row_limit, test_limits_of_superusers,
         test_sequences, test_sequences_of_attributes, test_add_key, test_truncate, test_sequences_of_other_owners, test_identity_of_another_owner, test_alter_sequence, test_owned, test_all_tables, test_without_log_in, test_two_daemons, test_restart]

if __name__ == "__main__":
    administer("CREATE ROLE admin LOGIN SUPERUSER PASSWORD 'x'")
    sys.exit(support.run([("/rights/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS]))
