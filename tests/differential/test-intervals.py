#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""INTERVAL and TIME, compared with PostgreSQL: the expressions of intervals.txt, and random ones.

KVSQL_TEST_INTERVALS is the number of random expressions, KVSQL_TEST_SEED their seed. Intervals, dates and times have
milliseconds at most, as a TIMESTAMP of kvsqld keeps no more. Doubles of products are those of PostgreSQL to the last digit.
"""

import importlib.util
import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("expressions", HERE / "test-expressions.py")
expressions = importlib.util.module_from_spec(specification)
specification.loader.exec_module(expressions)
joins, support = expressions.joins, expressions.support

N_RANDOM = int(os.environ.get("KVSQL_TEST_INTERVALS", "500"))
UNITS = ["year", "month", "week", "day", "hour", "minute", "second", "millisecond"]
PARTS = ["millennium", "century", "decade", "year", "quarter", "month", "day", "hour", "minute", "second", "milliseconds", "epoch"]


class Generator:
    def __init__(self, rng):
        self.rng = rng

    def number(self):
        return self.rng.choice(["0", "1", "-1", "2", "3", "-7", "0.5", "-1.25", "12", "0.1", "100"])

    def text(self):
        rng = self.rng
        form = rng.randrange(5)
        if form == 0:
            return f"{rng.randrange(-30, 30)} days {rng.choice(['', '-', '+'])}{rng.randrange(100):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
        if form == 1:
            return f"{rng.choice(['', '-'])}{rng.randrange(10)}-{rng.randrange(13)}"
        if form == 2:
            return f"P{rng.randrange(5)}Y{rng.randrange(20)}M{rng.randrange(-40, 40)}DT{rng.randrange(-40, 40)}H{rng.randrange(90)}M{rng.randrange(90)}.5S"
        chosen = sorted(rng.sample(UNITS, rng.randrange(1, 4)), key=UNITS.index)
        def number(unit):
            fraction = "" if unit == "millisecond" else rng.choice([".25", ".5", ".75"])
            return rng.choice([rng.randrange(-50, 50), rng.randrange(20), f"{rng.randrange(9)}{fraction}"])
        return " ".join(f"{number(unit)} {unit}" for unit in chosen) + rng.choice(["", "", "", " ago"])

    def interval(self, depth=2):
        rng = self.rng
        form = rng.randrange(11) if depth > 0 else 0
        if form == 1:
            return f"({self.interval(depth - 1)} {rng.choice('+-')} {self.interval(depth - 1)})"
        if form == 2:
            return f"({self.interval(depth - 1)} {rng.choice('*/')} {self.number()})"
        if form == 3:
            return f"(- {self.interval(depth - 1)})"
        if form == 4:
            return f"justify_{rng.choice(['hours', 'days', 'interval'])} ({self.interval(depth - 1)})"
        if form == 5:
            return f"date_trunc ('{rng.choice(PARTS)}', {self.interval(depth - 1)})"
        if form == 6:
            return f"({self.timestamp(depth - 1)} - {self.timestamp(depth - 1)})"
        if form == 7:
            return f"age ({self.timestamp(depth - 1)}, {self.timestamp(depth - 1)})"
        if form == 8:
            return f"({self.time(depth - 1)} - {self.time(depth - 1)})"
        return f"INTERVAL '{self.text()}'"

    def timestamp(self, depth=2):
        rng = self.rng
        form = rng.randrange(6) if depth > 0 else 0
        if form == 1:
            return f"({self.timestamp(depth - 1)} {rng.choice('+-')} INTERVAL '{self.text()}')"
        if form == 2:
            return f"(DATE '20{rng.randrange(30):02}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}' + {self.time(depth - 1)})"
        if form == 3:
            return f"date_bin (INTERVAL '{rng.randrange(1, 9)} {rng.choice(UNITS[3:])}', {self.timestamp(depth - 1)}, TIMESTAMP '2001-01-01 00:02:30')"
        day = rng.choice([1, 2, 15, 28, 29, 30, 31])
        month = rng.choice([1, 3, 5, 7, 8, 10, 12] if day == 31 else [*range(1, 13)])
        day = min(day, 28) if month == 2 else day
        return f"TIMESTAMP '{rng.randrange(1900, 2100)}-{month:02}-{day:02} {rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}.{rng.randrange(1000):03}'"

    def time(self, depth=2):
        rng = self.rng
        if depth > 0 and rng.random() < 0.4:
            return f"({self.time(depth - 1)} {rng.choice('+-')} INTERVAL '{self.text()}')"
        return f"TIME '{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}.{rng.randrange(1000):03}'"

    def statement(self):
        rng = self.rng
        form = rng.randrange(8)
        if form < 3:
            return f"SELECT {self.interval(3)}"
        if form == 3:
            return f"SELECT to_char ({self.timestamp()}, 'YYYY-MM-DD HH24:MI:SS.MS')"
        if form == 4:
            return f"SELECT {self.time()}"
        if form == 5:
            return f"SELECT {self.interval()} {rng.choice(['=', '<>', '<', '<=', '>', '>='])} {self.interval()}"
        if form == 6:
            return f"SELECT CAST (date_part ('{rng.choice(PARTS)}', {self.interval()}) AS NUMERIC)"
        values = ", ".join(f"({self.interval(1)})" for _ in range(rng.randrange(1, 6)))
        return f"SELECT {rng.choice(['sum', 'avg', 'min', 'max', 'count'])}({rng.choice(['', 'DISTINCT '])}i) FROM (VALUES {values}) AS v (i)"


def fixed():
    for line in (HERE / "intervals.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            left, _, right = line.partition(" ### ")
            yield expressions.statement_of(left), expressions.statement_of(right or left)


def check_plan(kvsqld):
    """now () and an interval are constants, so they limit the keys."""
    answer = kvsqld.run("DEFINE RELATION i { at TIMESTAMP KEY, b INT };\n"
                        "DEFINE PRIMARY SCHEMA i_1 FOR i { TABLE 'i', ROW ordered{at}, FAMILY 'f', VALUE b };\n"
                        "EXPLAIN SELECT * FROM i WHERE at >= now() - INTERVAL '1 hour' AND at < now() + INTERVAL '1' DAY;\n")
    if "rows from" in answer and "up to" in answer and "every row" not in answer and "checked on each tuple" not in answer:
        return True
    print("".join(f"# {line}\n" for line in answer.splitlines()))
    return False


def main():
    binaries = joins.postgresql.binaries_or_skip()
    folder = support.temporary_folder("intervals")
    folder.chmod(0o711)
    (folder / "postgresql").mkdir()
    kvsqld, postgresql = joins.Kvsqld(folder), joins.postgresql.PostgreSQL(binaries, folder / "postgresql")
    try:
        pairs = list(fixed())
        refused, different = expressions.compare(pairs, kvsqld, postgresql)
        generator = Generator(random.Random(joins.SEED))
        statements = [generator.statement() for _ in range(N_RANDOM)]
        refused_random, different_random = expressions.compare([(text, text) for text in statements], kvsqld, postgresql)
        is_range = check_plan(kvsqld)
    finally:
        kvsqld.stop()
        postgresql.stop()
    print(f"# seed {joins.SEED}: {len(pairs)} expressions, {refused} refused by both; {N_RANDOM} random, {refused_random} refused")
    print("1..3")
    print(f"{'ok' if different == 0 and refused < len(pairs) / 2 else 'not ok'} 1 /intervals/fixed")
    print(f"{'ok' if different_random == 0 and refused_random < N_RANDOM / 3 else 'not ok'} 2 /intervals/random")
    print(f"{'ok' if is_range else 'not ok'} 3 /intervals/range-of-keys")
    return 0 if different + different_random == 0 and is_range else 1


if __name__ == "__main__":
    sys.exit(main())
