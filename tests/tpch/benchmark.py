# SPDX-License-Identifier: LGPL-2.1-or-later
"""benchmark.py: TPC-H on several systems: queries, comparison, times."""

import dataclasses
import datetime
import decimal
import statistics
import time

import systems
from systems import psycopg

QUERIES = range(1, 23)
# Rows with equal values in ORDER BY may come in any order: its columns in those queries.
ORDER_COLUMNS = {3: (1, 2), 5: (1,), 10: (2,), 11: (1,), 18: (4, 3)}
HAS_NO_ORDER = {6, 14, 17, 19}
# Averages and quotients: Phoenix gives another number of digits of them than PostgreSQL.
QUOTIENTS = {1: (6, 7, 8), 8: (1,), 14: (0,), 17: (0,)}
LAYOUTS = (systems.SCHEMAS, systems.INDEXES_AND_TABLES)


def query(number, scale, system=systems.Kvsqld):
    """The text of a query. Only the fraction of Q11 depends on the scale factor."""
    text = systems.statements_of(system.query_file(number).read_text(encoding="utf-8"))[0]
    return text.replace(":fraction", f"{decimal.Decimal('0.0001') / decimal.Decimal(str(scale)):f}")


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
    except (psycopg.Error, systems.Error) as error:
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


def day_of(milliseconds):
    return datetime.date(1970, 1, 1) + datetime.timedelta(milliseconds=int(milliseconds))


def as_postgresql(number, rows, expected):
    """Phoenix's rows, with the expected quotients where they differ by less than the last digit that both have. Of Q3, Phoenix gives
    the dates as milliseconds."""
    def chosen(column, value, other):
        if isinstance(other, datetime.date) and isinstance(value, decimal.Decimal):
            return day_of(value)
        if column not in QUOTIENTS.get(number, ()) or value is None or other is None:
            return value
        last = max(each.as_tuple().exponent for each in (value, other))
        return other if abs(value - other) < decimal.Decimal(1).scaleb(last) else value

    if len(rows) != len(expected):
        return rows
    return [tuple(chosen(column, *values) for column, values in enumerate(zip(row, other))) for row, other in zip(rows, expected)]


def differences(name, rows, expected, at_most=4):
    """Some rows that only one of both has."""
    lines = []
    for what, these, those in ((f"only {name}", rows, expected), ("only PostgreSQL", expected, rows)):
        lines += [f"{what}: {row}" for row in these if row not in those][:at_most]
    return lines or [f"another order: {rows[:at_most]}, expected {expected[:at_most]}"]


def explain(system, connection, text):
    with connection.cursor() as cursor:
        return "\n".join(str(row[0]) for row in cursor.execute(f"{system.EXPLAIN} {text}").fetchall())
