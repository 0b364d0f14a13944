# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random queries in kvsqld and in PostgreSQL: the same rows, in order where the whole has an ORDER BY.

The systems and the relations are those of test-joins.py.
"""

import importlib.util
import pathlib
import random

SPEC = importlib.util.spec_from_file_location("joins", pathlib.Path(__file__).with_name("test-joins.py"))
joins = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(joins)


def is_ordered(statement):
    """Whether the whole has an ORDER BY: it is after the last parenthesis."""
    return " ORDER BY " in statement[statement.rfind(")") + 1:]


def rows_in_order(lines):
    return [tuple(joins.normal(field) for field in line.split("\t")) for line in lines[1:] if line]


def compare(statements, seed, kvsqld, postgresql):
    expected = list(joins.answers(postgresql.run(joins.script_of(statements))))
    got = list(joins.answers(kvsqld.run(joins.script_of(statements))))
    refused, n_rows, different = 0, 0, 0
    if len(got) <= len(statements):
        print("# kvsqld's last answer is to:", statements[max(len(got) - 1, 0)], got[-1] if got else "")
    assert len(expected) == len(got) == len(statements) + 1, (len(expected), len(got), len(statements))
    for statement, (right, right_lines), (answer, lines) in zip(statements, expected, got):
        refused += right is None
        n_rows += 0 if right is None else len(right[1])
        is_same = (right is None) == (answer is None) and (right is None or right[1] == answer[1])
        if is_same and right is not None and is_ordered(statement):
            is_same = rows_in_order(right_lines) == rows_in_order(lines)
        if is_same:
            continue
        different += 1
        print(f"# seed {seed}: {statement}\n#   PostgreSQL: {right_lines[:12]}\n#   kvsqld: {lines[:12]}")
    return refused, n_rows, different


def compare_all(name, query, n, n_for_data, seed, refused_at_most):  # pylint: disable=too-many-arguments
    """Prints TAP, and returns the exit status. @query: a class with text (), made of a random.Random; @n: statements; @n_for_data: of
    one set of relations; @refused_at_most: the part that both systems may refuse."""
    def run(kvsqld, postgresql):
        totals = [0, 0, 0]
        for number in range(0, n, n_for_data):
            rng = random.Random(seed + number)
            joins.load(rng, kvsqld, postgresql)
            statements = [query(rng).text() for _ in range(min(n_for_data, n - number))]
            totals = [sum(pair) for pair in zip(totals, compare(statements, seed + number, kvsqld, postgresql))]
        return totals

    totals = joins.with_systems(name, run)
    print(f"# seed {seed}: {n} statements, {totals[0]} refused by both, {totals[1]} rows, {totals[2]} different")
    is_good = totals[0] < n * refused_at_most and totals[1] > 0 and totals[2] == 0
    print(f"1..1\n{'ok' if is_good else 'not ok'} 1 /{name}/postgresql")
    return 0 if is_good else 1
