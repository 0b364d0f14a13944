#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random queries of WITH RECURSIVE, compared with PostgreSQL: the same rows, in order where the whole has an ORDER BY.

Walks over the relations of test-joins.py, by equalities of their columns: UNION, and UNION ALL up to some depth. The recursive term may be
any operand of a join, in a query in FROM, or itself a UNION; its types are sometimes other ones: then both systems have to refuse.
KVSQL_TEST_RECURSION is the number of statements, KVSQL_TEST_SEED the seed of the first relations.
"""

import os
import random
import sys

sys.dont_write_bytecode = True

import comparison  # pylint: disable=wrong-import-position

STATEMENTS = int(os.environ.get("KVSQL_TEST_RECURSION", "300"))
SEED = int(os.environ.get("KVSQL_TEST_SEED", str(random.randrange(1 << 31))))
STATEMENTS_FOR_DATA = 100
# relation -> its INT columns, as steps of a walk
STEPS = {"t": ["k", "a", "b"], "w": ["j", "b"]}


class Recursion:  # pylint: disable=too-few-public-methods
    """A random statement with a recursive query x (n, d): a number, and how many steps led to it."""

    def __init__(self, rng):
        self.rng = rng
        self.all = rng.random() < 0.5
        self.depth = rng.randrange(1, 5)
        self.has_depth = self.all or rng.random() < 0.3

    def column(self):
        name = self.rng.choice(list(STEPS))
        return name, self.rng.choice(STEPS[name]), self.rng.choice(STEPS[name])

    def columns(self, number, depth):
        return f"{number}, {depth}" if self.has_depth else number

    def first(self):
        name, column, other = self.column()
        if self.rng.random() < 0.3:
            return f"VALUES ({self.columns('1', '0')}), ({self.columns('3', '0')})"
        return f"SELECT {self.columns(column, '0')} FROM {name} WHERE {other} {self.rng.choice(['<', '=', '>'])} {self.rng.randrange(6)}"

    def source(self):
        return self.rng.choice(["x", "x", "x AS x", "(SELECT * FROM x) AS x", "(SELECT * FROM x WHERE n IS NOT NULL) AS x"])

    def step(self):
        name, column, other = self.column()
        number = f"y.{other}" if self.rng.random() < 0.9 else self.rng.choice([f"y.{other} + x.n", f"y.{other} % 5", "CAST (x.n AS BIGINT)"])
        on = f"y.{column} = x.n" + (f" AND y.{other} > 0" if self.rng.random() < 0.2 else "")
        joins = [f"{self.source()} JOIN {name} AS y ON {on}", f"{name} AS y JOIN {self.source()} ON {on}",
                 f"{self.source()}, {name} AS y"]
        join = self.rng.choice(joins)
        conditions = [on] if "," in join else []
        conditions += [f"x.d < {self.depth}"] if self.has_depth else ["y." + other + " BETWEEN 0 AND 20"]
        if self.rng.random() < 0.2:
            conditions.append(f"EXISTS (SELECT 1 FROM u WHERE u.k = y.{column})")
        distinct = self.rng.choice(["", "", "", "DISTINCT "])
        return f"SELECT {distinct}{self.columns(number, 'x.d + 1')} FROM {join} WHERE {' AND '.join(conditions)}"

    def text(self):
        names = "n, d" if self.has_depth else "n"
        recursive = f"x ({names}) AS ({self.first()} UNION {'ALL ' if self.all else ''}{self.step()})"
        queries = [f"SELECT * FROM x ORDER BY {'1, 2' if self.has_depth else '1'}", "SELECT n, count(*) FROM x GROUP BY n",
                   "SELECT p.n, q.n FROM x AS p JOIN x AS q ON p.n = q.n + 1", "SELECT k FROM t WHERE a IN (SELECT n FROM x)",
                   "SELECT u.k, x.n FROM u LEFT JOIN x ON x.n = u.a", "SELECT n FROM x UNION SELECT k FROM t"]
        return f"WITH RECURSIVE {recursive} {self.rng.choice(queries)}"


def main():
    return comparison.compare_all("recursion", Recursion, STATEMENTS, STATEMENTS_FOR_DATA, SEED, 0.3)


if __name__ == "__main__":
    sys.exit(main())
