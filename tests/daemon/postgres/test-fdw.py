#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A PostgreSQL server uses kvsqld's relations as foreign tables, by postgres_fdw: each statement gives what it gives on tables of its own.

psycopg is of PyPI, in a virtual environment in the cache folder. Without PostgreSQL the test is skipped.
"""

import getpass
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

BINARIES = postgresql.binaries_or_skip()
if not list(pathlib.Path("/usr/share/postgresql").glob("*/extension/postgres_fdw.control")):
    support.skip_all("PostgreSQL has no postgres_fdw")
support.use_packages("sqlalchemy", ["sqlalchemy", "psycopg", "asyncpg"], ["sqlalchemy>=2", "psycopg[binary]", "asyncpg"])
import psycopg  # noqa: E402 pylint: disable=wrong-import-position
from server import PORT, ScramServer  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

TABLES = ["CREATE TABLE dept (id INT PRIMARY KEY, name TEXT NOT NULL)",
          "CREATE TABLE emp (id BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL, dept INT, pay NUMERIC(10, 2), born DATE, seen TIMESTAMP(3), "
          "ok BOOLEAN, doc JSONB, u UUID, d DOUBLE PRECISION, b BYTEA)"]
ROWS = ["INSERT INTO dept VALUES (1, 'a'), (2, 'b'), (3, 'c')",
        "INSERT INTO emp SELECT g, 'n' || g, NULLIF (g % 4, 3), g * 1.5, DATE '2020-01-01' + g::int, TIMESTAMP '2020-01-01 00:00:00' + "
        "g * INTERVAL '1.5 hours', NULLIF (g % 3, 2) = 0, jsonb_build_object ('a', g, 'b', ARRAY['x']), CASE WHEN g % 5 = 0 THEN "
        "'00000000-0000-0000-0000-000000000001'::uuid END, g / 3.0, decode (to_hex (g + 16), 'hex') FROM generate_series (1, 200) AS s (g)"]
# Each is executed on the tables of PostgreSQL and on the foreign ones, with their rows changed by those before.
STATEMENTS = """
SELECT count(*), count(dept), sum(id), min(born), max(seen) FROM emp
SELECT * FROM emp ORDER BY id LIMIT 5
SELECT * FROM emp WHERE id IN (7, 8, 500)
SELECT name, pay FROM emp WHERE pay > 290 ORDER BY pay DESC
SELECT name FROM emp WHERE born BETWEEN '2020-01-05' AND '2020-01-08' ORDER BY born
SELECT id FROM emp WHERE seen < '2020-01-01 10:00:00' AND NOT ok ORDER BY id
SELECT id FROM emp WHERE dept IS NULL AND id < 40 ORDER BY id
SELECT id FROM emp WHERE dept IS DISTINCT FROM 1 AND id < 20 ORDER BY id
SELECT id FROM emp WHERE (dept, id) > (2, 190) ORDER BY id
SELECT id FROM emp WHERE id = ANY (ARRAY[2, 3, 5]) ORDER BY id
SELECT id FROM emp WHERE NOT (id <> ALL (ARRAY[2, 3]) OR ok) ORDER BY id
SELECT name FROM emp WHERE name LIKE 'n1_' OR name LIKE '%99' ORDER BY name COLLATE "C"
SELECT name FROM emp WHERE name ~ '^n4' AND name ILIKE 'N4%' AND upper (name) <> 'N44' ORDER BY id
SELECT id, length (name), abs (dept - 2), coalesce (u::text, '-') FROM emp WHERE id < 7 ORDER BY 1
SELECT id, CASE WHEN dept = 1 THEN 'one' WHEN dept = 2 THEN 'two' ELSE 'else' END FROM emp WHERE id < 7 ORDER BY 1
SELECT doc ->> 'a', doc -> 'b' FROM emp WHERE doc ->> 'a' = '17'
SELECT id FROM emp WHERE u = '00000000-0000-0000-0000-000000000001' AND id < 30 ORDER BY id
SELECT id, b, d FROM emp WHERE b = decode ('1a', 'hex')
SELECT date_trunc ('month', born) AS month, count(*) FROM emp GROUP BY 1 ORDER BY 1
SELECT extract (day FROM born), count(*) FROM emp GROUP BY 1 HAVING count(*) > 6 ORDER BY 1
SELECT dept, count(*), sum(d), avg(id), max(name) FROM emp GROUP BY dept ORDER BY dept
SELECT dept, ok, count(*) FILTER (WHERE id > 50) FROM emp GROUP BY 1, 2 ORDER BY 1, 2
SELECT string_agg (name, ',' ORDER BY id) FROM emp WHERE id < 6
SELECT DISTINCT dept FROM emp ORDER BY 1
SELECT e.name, d.name FROM emp e JOIN dept d ON e.dept = d.id WHERE e.pay > 295 ORDER BY e.id
SELECT d.name, count(e.id) FROM dept d LEFT JOIN emp e ON e.dept = d.id GROUP BY d.name ORDER BY 1
SELECT e.id FROM emp e LEFT JOIN dept d ON d.id = e.dept WHERE d.id IS NULL ORDER BY 1 LIMIT 3
SELECT count(*) FROM emp a JOIN emp b ON a.id = b.id + 1 AND a.dept = b.dept
SELECT name FROM dept WHERE EXISTS (SELECT FROM emp WHERE emp.dept = dept.id AND pay > 299) ORDER BY 1
SELECT name FROM dept WHERE id IN (SELECT dept FROM emp WHERE id < 3) ORDER BY 1
SELECT id, rank () OVER (PARTITION BY dept ORDER BY pay DESC) FROM emp WHERE id > 190 ORDER BY 1
WITH x AS (SELECT dept, max(pay) AS p FROM emp GROUP BY dept) SELECT e.id FROM emp e JOIN x ON e.pay = x.p ORDER BY 1
SELECT id FROM emp WHERE id < 4 UNION ALL SELECT id FROM dept ORDER BY 1
INSERT INTO dept VALUES (4, 'd'), (5, 'e') RETURNING *
INSERT INTO dept VALUES (1, 'x')
INSERT INTO dept VALUES (6, NULL)
INSERT INTO dept VALUES (1, 'x') ON CONFLICT DO NOTHING
UPDATE dept SET name = upper (name) WHERE id > 3 RETURNING *
UPDATE emp SET pay = pay + 1 WHERE dept = 1 AND name LIKE 'n1%'
SELECT sum(pay)::float8 FROM emp
DELETE FROM dept WHERE id = 5
DELETE FROM dept USING emp WHERE dept.id = emp.dept AND emp.id = 50 RETURNING dept.id
SELECT * FROM dept ORDER BY id
TRUNCATE dept
SELECT count(*) FROM dept
"""


class Servers:
    """A PostgreSQL with the same tables twice: of its own, and of a kvsqld in which it logs in by SCRAM."""

    def __init__(self):
        self.kvsqld = ScramServer()
        self.postgres = postgresql.PostgreSQL(BINARIES, support.temporary_folder("fdw-postgres"))
        with psycopg.connect(host=self.kvsqld.directory, port=PORT, user=getpass.getuser(), autocommit=True) as direct:
            for statement in ("CREATE ROLE ann LOGIN PASSWORD 's3cret'", *TABLES, "GRANT ALL ON dept TO ann", "GRANT ALL ON emp TO ann"):
                direct.execute(statement)
        self.connection = psycopg.connect(host="127.0.0.1", port=self.postgres.port, user="test", dbname="postgres", autocommit=True)
        for statement in ("CREATE SCHEMA own", "SET search_path = own", *TABLES, *ROWS, "SET search_path = public", "CREATE SCHEMA kvsql",
                          "CREATE EXTENSION postgres_fdw",
                          "CREATE SERVER kvsqld FOREIGN DATA WRAPPER postgres_fdw "
                          f"OPTIONS (host '127.0.0.1', port '{self.kvsqld.postgres}', dbname 'any')",
                          "CREATE USER MAPPING FOR test SERVER kvsqld OPTIONS (user 'ann', password 's3cret')",
                          "IMPORT FOREIGN SCHEMA public FROM SERVER kvsqld INTO kvsql",
                          "INSERT INTO kvsql.dept SELECT * FROM own.dept", "INSERT INTO kvsql.emp SELECT * FROM own.emp"):
            self.connection.execute(statement)

    def run(self, schema, statement):
        """The rows and their number, or the SQLSTATE."""
        self.connection.execute(f"SET search_path = {schema}, public")
        try:
            cursor = self.connection.execute(statement)
        except psycopg.Error as error:
            return error.sqlstate
        return cursor.rowcount, cursor.fetchall() if cursor.description else []

    def stop(self):
        self.connection.close()
        self.postgres.stop()
        self.kvsqld.stop()


def main():
    servers = Servers()

    def test_import():
        columns = """SELECT table_name, ordinal_position, column_name, data_type, character_maximum_length, numeric_precision, numeric_scale,
                            datetime_precision, is_nullable
                     FROM information_schema.columns WHERE table_schema = '{}' ORDER BY 1, 2"""
        equal(servers.run("public", columns.format("kvsql")), servers.run("public", columns.format("own")))

    def test_statements():
        for statement in STATEMENTS.strip().splitlines():
            equal((statement, servers.run("kvsql", statement)), (statement, servers.run("own", statement)))

    def test_pushed_down():
        """kvsqld gets the conditions, groups and, by its estimates, joins."""
        for statement, sent in (("SELECT name FROM emp WHERE pay > 10", "WHERE ((pay > 10"), ("SELECT dept, sum(id) FROM emp GROUP BY 1", "GROUP BY 1")):
            plan = "\n".join(row[0] for row in servers.run("kvsql", f"EXPLAIN (VERBOSE, COSTS OFF) {statement}")[1])
            assert sent in plan, plan

    def test_tuple_by_tuple():
        """PostgreSQL reads and locks what it does not send as one statement, and names tuples by their place."""
        equal(servers.run("kvsql", "UPDATE emp SET name = d.name FROM (VALUES (1, 'x'), (2, 'y')) AS d (id, name) WHERE d.id = emp.dept"), "0A000")

    def test_block():
        """The cursors of several scans, and a block with writes, which stay."""
        connection = servers.connection
        connection.execute("SET search_path = kvsql")
        connection.execute("BEGIN")
        connection.execute("DECLARE c CURSOR FOR SELECT id FROM emp ORDER BY id")
        equal(connection.execute("FETCH 2 FROM c").fetchall(), [(1,), (2,)])
        connection.execute("INSERT INTO dept VALUES (10, 'j')")
        equal(connection.execute("SELECT count(*) FROM emp").fetchall(), [(200,)])
        equal(connection.execute("FETCH 2 FROM c").fetchall(), [(3,), (4,)])
        connection.execute("COMMIT")
        equal(servers.run("kvsql", "SELECT * FROM dept"), (1, [(10, "j")]))

    try:
        return support.run([("/postgres/fdw/import", test_import), ("/postgres/fdw/statements", test_statements),
                            ("/postgres/fdw/pushed-down", test_pushed_down), ("/postgres/fdw/tuple-by-tuple", test_tuple_by_tuple),
                            ("/postgres/fdw/block", test_block)])
    finally:
        servers.stop()


if __name__ == "__main__":
    sys.exit(main())
