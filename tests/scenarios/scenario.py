# SPDX-License-Identifier: LGPL-2.1-or-later
"""scenario.py: the functions for steps.py of a scenario. README.md here explains how to write one.

A Scenario holds the environment (kvsqld and its store), a connection, and a SQLite database with the same data,
for the expected results.
"""

import datetime
import decimal
import importlib.util
import itertools
import pathlib
import re
import sqlite3
import subprocess
import sys
import time

import environment  # makes `support` importable
import support

support.use_thrift()

from client import Client, rows as rows_of  # noqa: E402 pylint: disable=wrong-import-position
# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import QueryOptions, SqlError, SqlType  # noqa: E402

ROWS_OF_A_STATEMENT = 1000
ROWS_BY_INSERT = 20_000  # further rows go through kvsqlctl import
EPOCH = datetime.date(1970, 1, 1)


# ---- values

def to_python(value, kind):
    """A value of a page in the form of SQLite, where dates and times are ISO text."""
    if value is None:
        return None
    if kind == SqlType.DECIMAL:
        return decimal.Decimal(value)
    if kind == SqlType.DATE:
        return (EPOCH + datetime.timedelta(days=value)).isoformat()
    if kind == SqlType.TIMESTAMP:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=value)
        return moment.isoformat(timespec="milliseconds") + "Z"
    return value


def to_sqlite(value):
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, datetime.date) else value


def literal(value):
    """A Python value as SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return repr(value) if "e" in repr(value) else repr(value) + "e0"
    if isinstance(value, (int, decimal.Decimal)):
        return str(value)
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "'" + str(value).replace("'", "''") + "'"


def csv_value(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return literal(value)
    if isinstance(value, (int, float, decimal.Decimal, datetime.date)):
        return str(value)
    return '"' + value.replace('"', '""') + '"'


def csv_line(row):
    """A row in the format of kvsqlctl import: an empty field is NULL, a field in quotes is text."""
    return ",".join(map(csv_value, row)) + "\n"


def comparable(row):
    """SQLite has neither DECIMAL nor BOOLEAN, and computes in doubles: numbers are compared to six digits after the point."""
    return tuple(f"{decimal.Decimal(value):.6f}" if isinstance(value, (int, float, decimal.Decimal)) else value
                 for value in row)


def statements_of(text):
    """The statements of a script, without the comments before them."""
    found, part = [], ""
    for line in text.splitlines(keepends=True):
        if not part and (not line.strip() or line.startswith("--")):
            continue
        part += line
        if sqlite3.complete_statement(part):
            found.append(part.strip().rstrip(";"))
            part = ""
    if part:
        raise AssertionError(f"no semicolon after: {part}")
    return found


def is_explained(statement):
    return re.match(r"(SELECT|INSERT|UPDATE|DELETE)\b", statement, re.I) is not None


def comment_of(text):
    """The comment at the beginning of a script."""
    lines = itertools.takewhile(lambda line: line.startswith("--"), text.splitlines())
    return "\n".join(line[2:].strip() for line in lines)


def readable(seconds):
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


class Result:
    """The result of a statement: rows (or None), the number of changed tuples (or None), seconds."""

    def __init__(self, rows, affected, seconds):
        self.rows = rows
        self.affected = affected
        self.seconds = seconds


class Scenario:
    """One scenario in one environment."""

    def __init__(self, folder, scale, place, out=sys.stdout):
        self.folder = pathlib.Path(folder)
        self.scale = scale
        self.environment = place
        self.out = out
        self.figures = {}
        self.generate = load(self.folder / "generate.py")
        self.client = self.connect()
        self.sqlite = sqlite3.connect(place.folder / "expected.sqlite", isolation_level=None)
        self.sqlite.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")

    def connect(self, daemon=None):
        """One more connection; use one in each thread."""
        return Client((daemon or self.environment.daemons[0]).socket_path, timeout_ms=environment.HOUR_MS)

    # ---- output

    def print(self, text=""):
        print(text, file=self.out, flush=True)

    def paragraph(self, text):
        """Prints a paragraph."""
        self.print(f"\n{text}")

    def figure(self, name, value, unit=""):
        """Prints and records a measured value."""
        self.figures[name] = value
        self.print(f"  {name}: {value:,.1f} {unit}".rstrip() if isinstance(value, float) else f"  {name}: {value:,} {unit}".rstrip())

    # ---- statements

    def run(self, sql, *parameters, client=None):
        """Runs a statement, and fetches all pages."""
        client = client or self.client
        begun = time.perf_counter()
        page = client.query(sql, *parameters)
        info, affected = page.info or [], page.affected
        rows = rows_of(page) if info else None
        while page.cursor is not None:
            page = client.call.fetch(page.cursor, QueryOptions())
            rows += rows_of(page)
        seconds = time.perf_counter() - begun
        if rows is not None:
            rows = [tuple(to_python(value, column.type) for value, column in zip(row, info)) for row in rows]
        return Result(rows, affected, seconds)

    def explain(self, sql):
        return self.client.call.explain(sql, [], False, None).text

    def statement(self, name):
        """The last statement of NAME.sql."""
        return statements_of((self.folder / f"{name}.sql").read_text())[-1]

    def define(self, name="schema.sql"):
        """Runs the definitions with kvsqlctl. Warnings are part of its output."""
        self.print(f"  {name}")
        self.environment.ctl("exec", "--file", str(self.folder / name))

    def load(self, relation, columns, rows):
        """Writes the rows of an iterable to a relation, and to SQLite's table of the same name."""
        self.sqlite.execute(f"CREATE TABLE IF NOT EXISTS {relation} ({', '.join(columns)})")
        insert = f"INSERT INTO {relation} VALUES ({', '.join('?' * len(columns))})"
        begun, n_rows, rows = time.perf_counter(), 0, iter(rows)
        importing = None
        self.sqlite.execute("BEGIN")
        while batch := list(itertools.islice(rows, ROWS_OF_A_STATEMENT)):
            self.sqlite.executemany(insert, [list(map(to_sqlite, row)) for row in batch])
            if n_rows == ROWS_BY_INSERT:
                importing = self.start_import(relation, columns)
            if importing:
                importing.stdin.writelines(map(csv_line, batch))
            else:
                values = ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in batch)
                self.client.query(f"INSERT INTO {relation} ({', '.join(columns)}) VALUES {values}")
            n_rows += len(batch)
        self.sqlite.execute("COMMIT")
        if importing:
            self.end_import(importing)
        seconds = time.perf_counter() - begun
        self.print(f"  {n_rows:,} tuples into {relation} in {readable(seconds)}, {n_rows / seconds:,.0f} a second")

    def start_import(self, relation, columns):
        """Later rows go through a pipe to kvsqlctl import."""
        command = self.environment.ctl_command("import", "--format", "csv", "--no-header", "--columns", ",".join(columns),
                                         "--batch", "5000", relation)
        return subprocess.Popen(**command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def end_import(self, importing):
        text = importing.communicate()[0]
        if importing.returncode != 0:
            raise AssertionError(f"kvsqlctl import: status {importing.returncode}\n{text}")

    # ---- comparing

    def step(self, name, explain=None):
        """Runs NAME.sql: prints its comment, compares its plans with NAME.explain (or another) and its results
        with NAME.answer.sql. Returns a Result for each statement."""
        text = (self.folder / f"{name}.sql").read_text()
        self.paragraph(comment_of(text) or name)
        expected_plan = self.folder / f"{explain or name}.explain"
        plans, results = "", []
        for statement in statements_of(text):
            if expected_plan.exists() and is_explained(statement):
                plans += self.explain(statement) + "\n"
            results.append(self.run(statement))
        last = results[-1]
        outcome = f"{len(last.rows):,} rows" if last.rows is not None else f"{last.affected or 0:,} tuples"
        seconds = sum(result.seconds for result in results)
        self.print(f"  {name}.sql: {outcome} in {readable(seconds)}")
        if expected_plan.exists():
            self.same_plan(name, plans, expected_plan.read_text())
        if (self.folder / f"{name}.answer.sql").exists():
            self.same_answers(name, statements_of(text), results)
        return results

    def same_plan(self, name, plan, expected):
        """Every expected line appears, in this order. … matches any text."""
        rest = iter(line.strip() for line in plan.splitlines())
        for line in expected.splitlines():
            pattern = ".*".join(map(re.escape, line.strip().split("…")))
            if line.strip() and not any(re.fullmatch(pattern, each) for each in rest):
                raise AssertionError(f"{name}: EXPLAIN should contain\n  {line.strip()}\nbut is\n{plan}")
        self.print("  EXPLAIN is as expected")

    def same_answers(self, name, statements, results):
        """Compares each statement if both scripts have the same number, else only the last ones."""
        answers = [self.sqlite_run(sql) for sql in statements_of((self.folder / f"{name}.answer.sql").read_text())]
        if len(answers) != len(results):
            answers, results, statements = answers[-1:], results[-1:], statements[-1:]
        for statement, result, answer in zip(statements, results, answers):
            if answer in ([], 0):
                raise AssertionError(f"an empty result proves nothing: {statement}")
            if result.rows is None:
                support.equal((statement, result.affected or 0), (statement, answer))
            else:
                self.same_rows(statement, result.rows, answer)
        self.print("  the result is the same as SQLite's")

    def sqlite_run(self, sql):
        """Runs a statement in SQLite. Returns its rows, or the number of changed rows."""
        cursor = self.sqlite.execute(sql)
        return cursor.fetchall() if cursor.description else cursor.rowcount

    def same_rows(self, what, actual, expected):
        actual, expected = ([comparable(row) for row in rows] for rows in (actual, expected))
        if not re.search(r"\bORDER\s+BY\b", what, re.I):
            actual, expected = sorted(actual, key=repr), sorted(expected, key=repr)
        for number, (one, other) in enumerate(itertools.zip_longest(actual, expected), 1):
            if one != other:
                raise AssertionError(f"row {number} of {what}\nis {one}\nand should be {other} "
                                     f"({len(actual)} rows, expected {len(expected)})")


def load(path):
    """A scenario's generate.py or steps.py, which all have the same names."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names():
    """The names of all scenarios: the folders with a steps.py."""
    return sorted(path.parent.name for path in environment.HERE.glob("*/steps.py"))


def run(name, scale=None, store="rocksdb", keep=False, out=sys.stdout):
    """Runs one. Returns its figures. @scale: tuples, "full", or None for the size of a test."""
    folder = environment.HERE / name
    module = load(folder / "steps.py")
    small = getattr(module, "SMALL_ON_HBASE", module.SMALL) if store == "hbase" else module.SMALL
    scale = module.FULL if scale == "full" else scale or small
    place = environment.Environment(store, keep)
    scenario = Scenario(folder, scale, place, out)
    scenario.print(f"== {name}: about {scale:,} tuples, {store} ==")
    begun = time.perf_counter()
    try:
        module.run(scenario)
    finally:
        scenario.sqlite.close()
        place.close()
    scenario.print(f"\n{name}: all as expected, {readable(time.perf_counter() - begun)}")
    return scenario.figures
