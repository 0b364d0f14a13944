# SPDX-License-Identifier: LGPL-2.1-or-later
"""story.py: what play.py of a scenario is written with; README.md here says how a scenario is made.

A Story holds the stage (kvsqld and its store), a connection, and a SQLite database with the same data,
which says what the right answers are.
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

import stage  # makes `support` importable
import support

support.use_thrift()

from client import Client, rows as rows_of  # noqa: E402 pylint: disable=wrong-import-position
# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import QueryOptions, SqlError, SqlType  # noqa: E402

ROWS_OF_A_STATEMENT = 1000
ROWS_BY_INSERT = 20_000  # more go through kvsqlctl import
EPOCH = datetime.date(1970, 1, 1)


# ---- values

def to_python(value, kind):
    """A value of a page as text of it would be in SQLite: dates and times are ISO text there."""
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
    """A row as kvsqlctl import reads it: nothing is NULL, and what is in quotes is text."""
    return ",".join(map(csv_value, row)) + "\n"


def comparable(row):
    """SQLite knows neither DECIMAL nor BOOLEAN, and computes in doubles: numbers are compared to six digits behind the point."""
    return tuple(f"{decimal.Decimal(value):.6f}" if isinstance(value, (int, float, decimal.Decimal)) else value
                 for value in row)


def statements_of(text):
    """The statements of a script, without the comments in front of each."""
    found, part = [], ""
    for line in text.splitlines(keepends=True):
        if not part and (not line.strip() or line.startswith("--")):
            continue
        part += line
        if sqlite3.complete_statement(part):
            found.append(part.strip().rstrip(";"))
            part = ""
    if part:
        raise AssertionError(f"no semicolon behind: {part}")
    return found


def is_explained(statement):
    return re.match(r"(SELECT|INSERT|UPDATE|DELETE)\b", statement, re.I) is not None


def comment_of(text):
    """The comment that a script begins with."""
    lines = itertools.takewhile(lambda line: line.startswith("--"), text.splitlines())
    return "\n".join(line[2:].strip() for line in lines)


def readable(seconds):
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


class Result:
    """What a statement gave: rows (or None), how many tuples it changed (or None), seconds."""

    def __init__(self, rows, affected, seconds):
        self.rows = rows
        self.affected = affected
        self.seconds = seconds


class Story:
    """One scenario on one stage."""

    def __init__(self, folder, scale, on, out=sys.stdout):
        self.folder = pathlib.Path(folder)
        self.scale = scale
        self.stage = on
        self.out = out
        self.figures = {}
        self.generate = load(self.folder / "generate.py")
        self.client = self.connect()
        self.sqlite = sqlite3.connect(on.folder / "expected.sqlite", isolation_level=None)
        self.sqlite.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")

    def connect(self, daemon=None):
        """One more connection; use one in each thread."""
        return Client((daemon or self.stage.daemons[0]).socket_path, timeout_ms=stage.HOUR_MS)

    # ---- telling

    def say(self, text=""):
        print(text, file=self.out, flush=True)

    def tell(self, text):
        """A paragraph of the story."""
        self.say(f"\n{text}")

    def figure(self, name, value, unit=""):
        """A measured value, for the summary."""
        self.figures[name] = value
        self.say(f"  {name}: {value:,.1f} {unit}".rstrip() if isinstance(value, float) else f"  {name}: {value:,} {unit}".rstrip())

    # ---- doing

    def run(self, sql, *parameters, client=None):
        """One statement, all pages."""
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
        return self.client.call.explain(sql, [], False).text

    def statement(self, name):
        """The last one of NAME.sql."""
        return statements_of((self.folder / f"{name}.sql").read_text())[-1]

    def define(self, name="schema.sql"):
        """The definitions, by kvsqlctl; what they warn of is part of the answer."""
        self.say(f"  {name}")
        self.stage.ctl("exec", "--file", str(self.folder / name))

    def load(self, relation, columns, rows):
        """Writes the rows of an iterable, and keeps them in SQLite's table of the same name."""
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
        self.say(f"  {n_rows:,} tuples into {relation} in {readable(seconds)}, {n_rows / seconds:,.0f} a second")

    def start_import(self, relation, columns):
        """The rows behind the first go through a pipe into kvsqlctl import."""
        command = self.stage.ctl_command("import", "--format", "csv", "--no-header", "--columns", ",".join(columns),
                                         "--batch", "5000", relation)
        return subprocess.Popen(**command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def end_import(self, importing):
        text = importing.communicate()[0]
        if importing.returncode != 0:
            raise AssertionError(f"kvsqlctl import: status {importing.returncode}\n{text}")

    # ---- comparing

    def step(self, name, explain=None):
        """Plays NAME.sql: tells its comment, checks its plans against NAME.explain (or another) and its answers
        against NAME.answer.sql. Returns a Result for each statement."""
        text = (self.folder / f"{name}.sql").read_text()
        self.tell(comment_of(text) or name)
        expected_plan = self.folder / f"{explain or name}.explain"
        plans, results = "", []
        for statement in statements_of(text):
            if expected_plan.exists() and is_explained(statement):
                plans += self.explain(statement) + "\n"
            results.append(self.run(statement))
        last = results[-1]
        outcome = f"{len(last.rows):,} rows" if last.rows is not None else f"{last.affected or 0:,} tuples"
        seconds = sum(result.seconds for result in results)
        self.say(f"  {name}.sql: {outcome} in {readable(seconds)}")
        if expected_plan.exists():
            self.same_plan(name, plans, expected_plan.read_text())
        if (self.folder / f"{name}.answer.sql").exists():
            self.same_answers(name, statements_of(text), results)
        return results

    def same_plan(self, name, plan, expected):
        """Every line that was expected is there, in that order; … stands for anything."""
        rest = iter(line.strip() for line in plan.splitlines())
        for line in expected.splitlines():
            pattern = ".*".join(map(re.escape, line.strip().split("…")))
            if line.strip() and not any(re.fullmatch(pattern, each) for each in rest):
                raise AssertionError(f"{name}: EXPLAIN was expected to say\n  {line.strip()}\nand says\n{plan}")
        self.say("  EXPLAIN says what was expected")

    def same_answers(self, name, statements, results):
        """Statement by statement if SQLite has as many of them to run, else the last ones."""
        answers = [self.sqlite_run(sql) for sql in statements_of((self.folder / f"{name}.answer.sql").read_text())]
        if len(answers) != len(results):
            answers, results, statements = answers[-1:], results[-1:], statements[-1:]
        for statement, result, answer in zip(statements, results, answers):
            if answer in ([], 0):
                raise AssertionError(f"an answer that is empty proves nothing: {statement}")
            if result.rows is None:
                support.equal((statement, result.affected or 0), (statement, answer))
            else:
                self.same_rows(statement, result.rows, answer)
        self.say("  the answer is the one that SQLite gives")

    def sqlite_run(self, sql):
        """Its rows, or how many it changed."""
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
    """A scenario's generate.py or play.py, which all have the same names."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names():
    """All scenarios: the folders with a play.py."""
    return sorted(path.parent.name for path in stage.HERE.glob("*/play.py"))


def play(name, scale=None, store="rocksdb", keep=False, out=sys.stdout):
    """Plays one; its figures. @scale: tuples, "full", or None for the size that a test has."""
    folder = stage.HERE / name
    module = load(folder / "play.py")
    small = getattr(module, "SMALL_ON_HBASE", module.SMALL) if store == "hbase" else module.SMALL
    scale = module.FULL if scale == "full" else scale or small
    on = stage.Stage(store, keep)
    story = Story(folder, scale, on, out)
    story.say(f"== {name}: about {scale:,} tuples, {store} ==")
    begun = time.perf_counter()
    try:
        module.play(story)
    finally:
        story.sqlite.close()
        on.close()
    story.say(f"\n{name}: all as expected, {readable(time.perf_counter() - begun)}")
    return story.figures
