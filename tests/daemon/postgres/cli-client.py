#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cli-client.py PORT: what pgcli asks for its completion, its commands, and statements. Each step prints one line: its name, and what it gives."""

import datetime
import decimal
import json
import sys

import psycopg
from pgcli.pgexecute import PGExecute
from pgspecial.main import PGSpecial

STATEMENTS = {
    "create": "CREATE TABLE account (id int PRIMARY KEY, \"Full name\" varchar(20) NOT NULL, sum numeric(10,2), seen timestamp DEFAULT now(), ok boolean)",
    "comment": "COMMENT ON COLUMN account.sum IS 'in euros'",
    "index": "CREATE INDEX account_sum ON account (sum)",
    "view": "CREATE VIEW rich AS SELECT id, sum FROM account WHERE sum > 10",
    "insert": "INSERT INTO account (id, \"Full name\", sum) VALUES (1, 'ann', 12.50), (2, 'bob', NULL)",
    "select": "SELECT id, \"Full name\", sum, ok FROM account ORDER BY id",
    "several": "SELECT 1 AS a; SELECT 'x' AS b",
    "begin": "BEGIN",
    "in a block": "SELECT count(*) FROM account",
    "commit": "COMMIT",
    "no such column": "SELECT nosuch FROM account",
    "syntax": "SELECT FROM WHERE",
    "duplicate": "INSERT INTO account (id, \"Full name\") VALUES (1, 'x')",
    "update": "UPDATE account SET ok = TRUE WHERE id = 1",
    "view's rows": "SELECT * FROM rich",
}
COMMANDS = ["\\dt", "\\dv", "\\di", "\\d account", "\\d+ rich", "\\d nosuch", "\\dt a*", "\\dn", "\\du nosuch", "\\sv rich", "\\dD", "\\dE"]


def plain(value):
    if isinstance(value, decimal.Decimal):
        return str(value.normalize())
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return str(value)
    if isinstance(value, (list, tuple)) or hasattr(value, "__next__"):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def step(name, work):
    try:
        result = plain(work())
    except psycopg.Error as error:
        result = {"error": error.sqlstate}
    print(name, json.dumps(result, ensure_ascii=False), sep="\t", flush=True)


def main():
    executor = PGExecute("postgres", "test", "", "127.0.0.1", sys.argv[1], "")
    special = PGSpecial()

    def run(statement):
        """Title, rows, headers and status of each result."""
        return [[title, list(rows) if rows else rows, headers, status]
                for title, rows, headers, status, *_ in executor.run(statement, special)]

    for name, statement in STATEMENTS.items():
        step(name, lambda statement=statement: run(statement))
    step("search path", executor.search_path)
    step("schemata", lambda: [name for name in executor.schemata() if not name.startswith("pg_toast")])
    step("tables", lambda: sorted(each for each in executor.tables() if each[0] == "public"))
    step("views", lambda: sorted(each for each in executor.views() if each[0] == "public"))
    step("columns", lambda: sorted(each for each in executor.table_columns() if each[0] == "public"))
    step("columns of views", lambda: sorted(each for each in executor.view_columns() if each[0] == "public"))
    step("foreign keys", lambda: executor.foreignkeys())
    step("functions", lambda: [str(each) for each in executor.functions() if each.schema_name == "public"])
    step("types", lambda: sorted(each for each in executor.datatypes() if each[0] == "public"))
    step("casing", lambda: sorted(set(executor.casing()) & {"account", "Full", "name"}))
    step("databases", lambda: "postgres" in executor.databases())
    step("view definition", lambda: executor.view_definition("rich").split("AS", 1)[0])
    step("time zone", executor.get_timezone)
    for command in COMMANDS:
        step(command, lambda command=command: run(command))
    step("explain", lambda: len(executor.run("SELECT 1", special, explain_mode=False).__next__()))
    step("drop", lambda: run("DROP VIEW rich; DROP TABLE account"))


if __name__ == "__main__":
    main()
