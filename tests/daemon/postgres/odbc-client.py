#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""odbc-client.py PORT: what programs do with psqlODBC, by pyodbc. Each step prints one line: its name, and what it gives or its SQLSTATE."""

import datetime
import decimal
import json
import sys
import uuid

import pyodbc

OPTIONS = "Driver=PostgreSQL Unicode;Servername=127.0.0.1;Port={};Database=postgres;Uid=test;SSLmode=disable;BoolsAsChar=0;MaxVarcharSize=300;"
INSTANT = datetime.datetime(2024, 7, 1, 12, 0, 0, 123000)


def plain(value):
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, decimal.Decimal):
        return str(value.normalize())
    if isinstance(value, (pyodbc.Row, list, tuple)):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def step(name, work):
    try:
        result = plain(work())
    except pyodbc.Error as error:
        result = {"error": error.args[0]}
    print(name, json.dumps(result, ensure_ascii=False), sep="\t", flush=True)


class Session:
    def __init__(self, port, options="", autocommit=True):
        self.connection = pyodbc.connect(OPTIONS.format(port) + options, autocommit=autocommit)
        self.cursor = self.connection.cursor()

    def rows(self, sql, *values):
        return lambda: self.cursor.execute(sql, *values).fetchall()

    def described(self, sql, *values):
        """The name, type, size, digits and whether it may be NULL, of each column, and the rows."""
        def run():
            cursor = self.cursor.execute(sql, *values)
            return [[each[0], each[1].__name__, *each[3:]] for each in cursor.description], cursor.fetchall()
        return run

    def count(self, sql, *values):
        return lambda: self.cursor.execute(sql, *values).rowcount


def use_statements(session):
    cursor = session.cursor
    step("create", session.count(
        "CREATE TABLE account (id int PRIMARY KEY, name varchar(20) NOT NULL, sum numeric(10,2), born date, seen timestamp, ok boolean, d double precision, "
        "f real, big bigint, small smallint, b bytea, u uuid, at time, note text)"))
    step("index", session.count("CREATE INDEX account_name ON account (name)"))
    step("insert", session.count("INSERT INTO account VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", 1, "ann", decimal.Decimal("12.50"), datetime.date(2024, 2, 29),
                                 INSTANT, True, 1.5, 0.25, 9007199254740993, -7, b"\0\xff", uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
                                 datetime.time(12, 34, 56), "ä€😀"))
    step("insert nulls", session.count("INSERT INTO account (id, name, sum, note) VALUES (?,?,?,?)", 2, "bob", None, None))
    step("select", session.described("SELECT * FROM account ORDER BY id"))
    step("where", session.rows("SELECT id FROM account WHERE name = ? AND big > ? AND d < ?", "ann", 5, 2.5))
    step("times", session.rows("SELECT id FROM account WHERE seen = ? AND born = ?", INSTANT, datetime.date(2024, 2, 29)))
    step("bytes", session.rows("SELECT id FROM account WHERE b = ?", b"\0\xff"))
    step("null", session.rows("SELECT id FROM account WHERE sum IS NULL OR name = ?", None))
    step("like", session.rows("SELECT name FROM account WHERE name LIKE ? ORDER BY 1", "%n%"))
    step("escapes", session.rows("SELECT {fn ucase(name)}, {fn length(name)}, {d '2024-02-29'}, {ts '2024-02-29 01:02:03'} FROM account ORDER BY id"))
    step("aggregates", session.described("SELECT count(*) AS n, sum(big) AS s, max(seen) AS m, avg(d) AS a, min(name) AS o FROM account"))
    step("expressions", session.described("SELECT id + 1 AS a, name || 'x' AS b, sum * 2 AS c, d / 2 AS e, ok AS f, CAST (id AS text) AS g FROM account ORDER BY id"))
    step("many", lambda: cursor.executemany("INSERT INTO account (id, name, d) VALUES (?,?,?)", [(i, f"n{i}", i / 4) for i in range(10, 60)]))
    step("counted", session.rows("SELECT count(*), max(id), sum(d) FROM account"))
    step("in parts", lambda: (cursor.execute("SELECT id FROM account ORDER BY id"), cursor.fetchmany(3), cursor.fetchone(), len(cursor.fetchall()))[1:])
    step("long text", lambda: len(cursor.execute("SELECT repeat('x', 100000)").fetchone()[0]))
    step("update", session.count("UPDATE account SET d = d + ?, seen = ? WHERE id >= ?", 1, INSTANT, 58))
    step("updated", session.rows("SELECT id, d, seen FROM account WHERE id > 57 ORDER BY id"))
    step("returning", session.rows("UPDATE account SET d = ? WHERE id = ? RETURNING id, d", 7, 59))
    step("upsert", session.count("INSERT INTO account (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name", 2, "bea"))
    step("delete", session.count("DELETE FROM account WHERE id >= ?", 50))
    step("no such column", session.rows("SELECT nosuch FROM account"))
    step("no such table", session.rows("SELECT 1 FROM nosuch"))
    step("syntax", session.rows("SELECT FROM WHERE"))
    step("duplicate", session.count("INSERT INTO account (id, name) VALUES (1, 'x')"))
    step("not null", session.count("INSERT INTO account (id) VALUES (90)"))
    step("too long", session.count("INSERT INTO account (id, name) VALUES (90, ?)", "x" * 21))
    step("division by zero", session.rows("SELECT 1 / 0"))
    step("bad number", session.rows("SELECT CAST (? AS int)", "x"))
    step("after errors", session.rows("SELECT name FROM account WHERE id = 2"))
    step("several", lambda: (cursor.execute("SELECT 1 AS a; SELECT 2 AS b"), cursor.fetchall(), cursor.nextset(), cursor.fetchall())[1:])


def use_catalogue(session):
    cursor = session.cursor
    step("tables", lambda: [row[2:4] for row in cursor.tables(table="account%", schema="public")])
    step("views", lambda: [row[2:4] for row in cursor.tables(schema="public", tableType="VIEW")])
    # without the numbers of the table and the column, which end a row
    step("columns", lambda: [list(row)[2:18] for row in cursor.columns(table="account")])
    step("primary key", lambda: [row[2:5] for row in cursor.primaryKeys("account")])
    step("statistics", lambda: sorted(list(row)[3:9] for row in cursor.statistics("account", unique=False) if row[5] is not None))
    step("foreign keys", lambda: cursor.foreignKeys("account").fetchall())
    step("best row", lambda: [row[1:3] for row in cursor.rowIdColumns("account")])
    step("types", lambda: sorted({row[0] for row in cursor.getTypeInfo()} & {"int4", "int8", "text", "bool", "date", "numeric", "bytea", "uuid"}))
    step("product", lambda: session.connection.getinfo(pyodbc.SQL_DBMS_NAME))
    step("quote", lambda: session.connection.getinfo(pyodbc.SQL_IDENTIFIER_QUOTE_CHAR))


def use_transactions(port):
    session = Session(port, autocommit=False)
    step("block: insert", session.count("INSERT INTO account (id, name) VALUES (100, 'block')"))
    step("block: commit", session.connection.commit)
    step("block: error", session.rows("SELECT nosuch FROM account"))
    step("block: rollback", session.connection.rollback)
    step("block: after", session.rows("SELECT name FROM account WHERE id = 100"))
    session.connection.commit()
    session.connection.close()


def use_cursors(port):
    """The driver reads with DECLARE and FETCH."""
    session = Session(port, "UseDeclareFetch=1;Fetch=7;")
    step("cursor: rows", lambda: [row[0] for row in session.cursor.execute("SELECT id FROM account ORDER BY id")])
    step("cursor: parameter", session.rows("SELECT count(*) FROM account WHERE id > ?", 20))
    session.connection.close()


def main():
    port = int(sys.argv[1])
    session = Session(port)
    use_statements(session)
    use_catalogue(session)
    use_transactions(port)
    use_cursors(port)
    step("drop", session.count("DROP TABLE account"))


if __name__ == "__main__":
    main()
