# SPDX-License-Identifier: LGPL-2.1-or-later
"""benchmark.py: TPC-H on kvsqld and on PostgreSQL: definitions, rows, queries, comparison, times."""

import dataclasses
import decimal
import pathlib
import statistics
import time

import data
import systems
from systems import psycopg

HERE = pathlib.Path(__file__).resolve().parent
QUERIES = range(1, 23)
# Rows with equal values in ORDER BY may come in any order: its columns in those queries.
ORDER_COLUMNS = {3: (1, 2), 5: (1,), 10: (2,), 11: (1,), 18: (4, 3)}
HAS_NO_ORDER = {6, 14, 17, 19}
INDEXES_AND_TABLES, SCHEMAS = "tables", "schemas"
LAYOUTS = (SCHEMAS, INDEXES_AND_TABLES)


def script(name):
    return (HERE / name).read_text(encoding="utf-8")


def query(number, scale):
    """The text of a query. Only the fraction of Q11 depends on the scale factor."""
    text = systems.statements_of(script(f"queries/{number}.sql"))[0]
    return text.replace(":fraction", f"{decimal.Decimal('0.0001') / decimal.Decimal(str(scale)):f}")


def prepare(system, files, layout=INDEXES_AND_TABLES):
    """Defines and fills the relations."""
    if layout == SCHEMAS:
        system.run_script(script("schemas.sql"))
    else:
        system.run_script(script("tables.sql"))
        system.run_script(script("indexes.sql"))
    for table, file in files.items():
        system.load(table, file)
    system.analyze(files)


def plain(value):
    """CHAR(n) is filled up with blanks in PostgreSQL only."""
    return value.rstrip(" ") if isinstance(value, str) else value


@dataclasses.dataclass
class Answer:
    """What a system answered: rows or an error, and the seconds of each run."""
    rows: list = None
    error: str = None
    seconds: list = dataclasses.field(default_factory=list)

    @property
    def best(self):
        return min(self.seconds) if self.seconds else None

    @property
    def median(self):
        return statistics.median(self.seconds) if self.seconds else None


def ask(connection, text, answer):
    """Runs a query once more."""
    begun = time.perf_counter()
    try:
        with connection.cursor() as cursor:
            rows = cursor.execute(text).fetchall()
    except psycopg.Error as error:
        answer.error = str(error)
        return
    answer.seconds.append(time.perf_counter() - begun)
    answer.rows = [tuple(map(plain, row)) for row in rows]


def is_same(number, rows, expected):
    """Numbers are compared exactly; rows in order as far as ORDER BY says it."""
    if rows is None or expected is None:
        return False
    if number in ORDER_COLUMNS:
        columns = ORDER_COLUMNS[number]
        ordered = [[tuple(row[column] for column in columns) for row in each] for each in (rows, expected)]
        return ordered[0] == ordered[1] and sorted(rows) == sorted(expected)
    return rows == expected


def differences(rows, expected, at_most=4):
    """Some rows that only one of both has."""
    lines = []
    for what, these, those in (("only kvsqld", rows, expected), ("only PostgreSQL", expected, rows)):
        lines += [f"{what}: {row}" for row in these if row not in those][:at_most]
    return lines or [f"another order: {rows[:at_most]}, expected {expected[:at_most]}"]


def explain(connection, text):
    with connection.cursor() as cursor:
        return "\n".join(row[0] for row in cursor.execute(f"EXPLAIN ANALYZE {text}").fetchall())
