#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Expressions, compared with PostgreSQL: the same values, and errors for the same ones.

expressions.txt, and json.txt for UUID and JSON, have one expression a line, and after " ### " how PostgreSQL writes it, if differently. Lines that begin with
"SELECT" are statements over the tables below. Then there are random predicates over these tables. KVSQL_TEST_EXPRESSIONS
is their number, KVSQL_TEST_SEED their seed.
"""

import importlib.util
import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("joins", HERE / "test-joins.py")
joins = importlib.util.module_from_spec(specification)
specification.loader.exec_module(joins)
support = joins.support

PREDICATES = int(os.environ.get("KVSQL_TEST_EXPRESSIONS", "300"))
SEED = joins.SEED

TABLES = """
CREATE TABLE e (a INT, b INT, c INT, s TEXT, o BOOLEAN, d NUMERIC, f DOUBLE PRECISION, z TIMESTAMP(3), PRIMARY KEY (a, b));
"""
DEFINITIONS = """
DEFINE RELATION e { a INT KEY, b INT KEY, c INT, s STRING, o BOOLEAN, d DECIMAL, f DOUBLE, z TIMESTAMP };
DEFINE PRIMARY SCHEMA e_1 FOR e { TABLE 'e', ROW ordered{a}:ordered{b}, FAMILY 'f', QUALIFIER attr_name[a, b], VALUE attr_value[a, b] }
  WITH (marker = x'00');
DEFINE SCHEMA e_c FOR e { TABLE 'e_c', ROW ordered{c}:ordered{a}:ordered{b}, FAMILY 'f' };
"""


def rows(rng):
    def maybe(text):
        return "NULL" if rng.random() < 0.2 else text
    for a in range(6):
        for b in rng.sample(range(6), 4):
            yield ", ".join([str(a), str(b), maybe(str(rng.randrange(5))), maybe(rng.choice(["'a'", "'Ab'", "'aB'", "'b_'", "''", "'é'", "'É'"])),
                             maybe(rng.choice(["TRUE", "FALSE"])), maybe(rng.choice(["0", "1.5", "-2.25", "10"])),
                             maybe(rng.choice(["0", "1.5", "-2.25", "10"])),
                             maybe(f"TIMESTAMP '2024-0{rng.randrange(1, 9)}-1{rng.randrange(9)} 0{rng.randrange(9)}:30:15'")])


class Predicate:
    def __init__(self, rng):
        self.rng = rng

    def integer(self):
        return self.rng.choice(["a", "b", "c", "a + b", *[str(n) for n in range(-1, 6)], "NULL"])

    def text(self):
        return self.rng.choice(["s", "'a'", "'AB'", "'%b%'", "'É'", "'b!_'", "'^a'", "'B$'"])

    def truth(self, depth):
        return self.rng.choice(["o", self.comparison(), self.any(depth - 1) if depth > 0 else "o"])

    def row(self, n):
        return "(" + ", ".join(self.integer() for _ in range(n)) + ")"

    def key_row(self, n):
        return "(" + ", ".join(["a", "b", "c"][:n]) + ")"

    def operator(self):
        return self.rng.choice(["=", "<>", "<", "<=", ">", ">="])

    def comparison(self):
        return f"{self.integer()} {self.operator()} {self.integer()}"

    def any(self, depth):
        rng = self.rng
        n = rng.choice([2, 2, 3])
        left = self.key_row(n) if rng.random() < 0.6 else self.row(n)
        word = rng.choice(["", "NOT "])
        values = ", ".join(self.integer() for _ in range(rng.randrange(1, 4)))
        form = rng.randrange(12)
        if form == 0:
            return f"({self.truth(depth)}) IS {word}{rng.choice(['TRUE', 'FALSE', 'UNKNOWN'])}"
        if form == 1:
            return f"{self.integer()} IS {word}DISTINCT FROM {self.integer()}"
        if form == 2:
            return f"s {word}ILIKE {self.text()}" + rng.choice(["", "", " ESCAPE '!'"])
        if form == 3:
            return f"{self.text()} {rng.choice(['~', '~*', '!~', '!~*', '~~', '!~~', '~~*', '!~~*'])} {self.text()}"
        if form == 4:
            return f"{self.integer()} {word}BETWEEN SYMMETRIC {self.integer()} AND {self.integer()}"
        if form == 5:
            return f"{self.integer()} {self.operator()} {rng.choice(['ANY', 'SOME', 'ALL'])} (CAST (ARRAY[{values}] AS INT[]))"
        if form in (6, 7, 8):
            return f"{left} {self.operator()} {self.row(n)}"
        if form == 9:
            return f"{left} {word}IN ({', '.join(self.row(n) for _ in range(rng.randrange(1, 5)))})"
        if form == 10:
            return f"{left} IS {word}DISTINCT FROM {self.row(n)}"
        if depth > 0:
            return f"({self.any(depth - 1)} {rng.choice(['AND', 'OR'])} {self.any(depth - 1)})"
        return f"{left} {word}BETWEEN {self.row(n)} AND {self.row(n)}"

    def statement(self):
        condition = self.any(2)
        if self.rng.random() < 0.2:
            return f"SELECT a, b, CAST ({condition} AS TEXT) FROM e"
        return f"SELECT a, b FROM e WHERE {'NOT ' if self.rng.random() < 0.15 else ''}({condition})"


def statement_of(text):
    return text if text.startswith("SELECT") else f"SELECT CAST ({text} AS TEXT)"


def fixed():
    for name in ("expressions.txt", "json.txt"):
        for line in (HERE / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                left, _, right = line.partition(" ### ")
                yield statement_of(left), statement_of(right or left)


def values(output):
    """The answers, without the headers, which have other names."""
    for answer, lines in joins.answers(output):
        yield None if answer is None else answer[1], lines


def unescaped(answer):
    """kvsqlctl writes a backslash in a value as two."""
    return None if answer is None else sorted(tuple(field.replace("\\\\", "\\") for field in row) for row in answer)


def compare(pairs, kvsqld, postgresql):
    got = [(unescaped(answer), lines) for answer, lines in values(kvsqld.run(joins.script_of([pair[0] for pair in pairs])))]
    expected = list(values(postgresql.run(joins.script_of([pair[1] for pair in pairs]))))
    assert len(got) == len(expected) == len(pairs) + 1, (len(got), len(expected), len(pairs))
    refused, different = 0, 0
    for pair, (answer, lines), (right, right_lines) in zip(pairs, got, expected):
        refused += right is None
        if answer != right:
            different += 1
            print(f"# {pair[0]}\n#   PostgreSQL: {right_lines[:8]}\n#   kvsqld: {lines[:8]}")
    return refused, different


def load(kvsqld, postgresql):
    rng = random.Random(SEED)
    script = "".join(f"INSERT INTO e VALUES ({row});\n" for row in rows(rng))
    for system, definitions in ((kvsqld, DEFINITIONS), (postgresql, TABLES)):
        output = system.run(definitions + script)
        assert "rror" not in output, output
    return rng


def main():
    binaries = joins.postgresql.binaries_or_skip()
    folder = support.temporary_folder("expressions")
    folder.chmod(0o711)
    (folder / "postgresql").mkdir()
    kvsqld, postgresql = joins.Kvsqld(folder), joins.postgresql.PostgreSQL(binaries, folder / "postgresql")
    try:
        rng = load(kvsqld, postgresql)
        pairs = list(fixed())
        refused, different = compare(pairs, kvsqld, postgresql)
        statements = [Predicate(rng).statement() for _ in range(PREDICATES)]
        refused_random, different_random = compare([(text, text) for text in statements], kvsqld, postgresql)
    finally:
        kvsqld.stop()
        postgresql.stop()
    print(f"# seed {SEED}: {len(pairs)} expressions, {refused} refused by both; {PREDICATES} predicates, {refused_random} refused")
    print("1..2")
    print(f"{'ok' if different == 0 and refused < len(pairs) / 3 else 'not ok'} 1 /expressions/fixed")
    print(f"{'ok' if different_random == 0 and refused_random < PREDICATES / 3 else 'not ok'} 2 /expressions/predicates")
    return 0 if different + different_random == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
