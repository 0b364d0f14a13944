#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random GROUP BY with ROLLUP, CUBE and GROUPING SETS, compared with PostgreSQL: the same rows, in order where ORDER BY is total.

Sets of sets, lists, expressions, aliases and positions, GROUP BY DISTINCT, GROUPING () in all clauses, HAVING, FILTER, DISTINCT, windows,
joins, and conditions on the columns of such a query in FROM. Some statements use what is not grouped: then both systems have to refuse.
KVSQL_TEST_GROUPING_SETS is the number of statements, KVSQL_TEST_SEED the seed of the first relations.
"""

import os
import random
import sys

sys.dont_write_bytecode = True

import comparison  # pylint: disable=wrong-import-position

joins = comparison.joins

STATEMENTS = int(os.environ.get("KVSQL_TEST_GROUPING_SETS", "500"))
SEED = int(os.environ.get("KVSQL_TEST_SEED", str(random.randrange(1 << 31))))
STATEMENTS_FOR_DATA = 100
AGGREGATES = ["count (*)", "sum (t.a)", "min (t.s)", "max (t.k)", "avg (t.b)", "count (DISTINCT t.a)", "count (*) FILTER (WHERE t.b > 2)",
              "string_agg (DISTINCT t.s, '-')", "sum (t.k) FILTER (WHERE t.s <> 'a')"]


class GroupingQuery:
    def __init__(self, rng):
        self.rng = rng
        self.source = rng.choice(["t", "t", "t", "t JOIN u ON t.a = u.a", "t LEFT JOIN u ON t.k = u.k", "(SELECT * FROM t WHERE a > 1) AS t"])
        pool = ["t.a", "t.b", "t.s", "t.k", "t.a + 1", "t.b % 2", "upper (t.s)", "coalesce (t.a, 0)"]
        if "u" in self.source.split():
            pool += ["u.a", "u.s", "u.c"]
        self.by = rng.sample(pool, rng.choice([1, 2, 2, 3, 3, 4]))

    def leaf(self):
        return self.rng.choice(self.by)

    def unit(self):
        if self.rng.random() < 0.2:
            return "(" + ", ".join(self.leaf() for _ in range(2)) + ")"
        return self.leaf()

    def units(self, most):
        return ", ".join(self.unit() for _ in range(self.rng.randrange(1, most + 1)))

    def element(self, depth):
        draw = self.rng.random()
        if draw < 0.3:
            return f"ROLLUP ({self.units(3)})"
        if draw < 0.5:
            return f"CUBE ({self.units(3)})"
        if draw < 0.75 and depth < 2:
            return f"GROUPING SETS ({', '.join(self.element(depth + 1) for _ in range(self.rng.randrange(1, 4)))})"
        return "()" if draw < 0.85 else self.unit()

    def grouping(self):
        return f"grouping ({', '.join(self.leaf() for _ in range(self.rng.randrange(1, 4)))})"

    def item(self):
        draw = self.rng.random()
        if draw < 0.35:
            return self.leaf()
        if draw < 0.5:
            return self.grouping()
        if draw < 0.6:
            return f"coalesce (CAST ({self.leaf()} AS TEXT), 'all')"
        if draw < 0.63:
            return "t.b"  # which may not be grouped
        return self.rng.choice(AGGREGATES)

    def text(self):
        rng = self.rng
        elements = [self.element(0) for _ in range(rng.choice([1, 1, 1, 2, 2]))]
        self.by = [each for each in self.by if any(each in element for element in elements)] or self.by
        items = [*dict.fromkeys(self.item() for _ in range(rng.randrange(1, 5))), self.grouping()]
        if rng.random() < 0.15:
            items.append(f"rank () OVER (PARTITION BY {self.grouping()} ORDER BY count (*))")
        text = f"SELECT {rng.choice(['', '', '', 'DISTINCT '])}{', '.join(items)} FROM {self.source}"
        if rng.random() < 0.3:
            text += f" WHERE t.a {rng.choice(['<', '>', '='])} {rng.randrange(7)}"
        text += f" GROUP BY {rng.choice(['', '', '', 'DISTINCT ', 'ALL '])}{', '.join(elements)}"
        if rng.random() < 0.25:
            text += " HAVING " + rng.choice([f"{self.grouping()} > 0", "count (*) > 1", f"{self.leaf()} IS NULL", "sum (t.a) > 3"])
        if rng.random() < 0.2:
            names = ", ".join(f"c{i}" for i in range(len(items)))
            column = rng.randrange(len(items))
            return f"SELECT * FROM ({text}) AS x ({names}) WHERE c{column} IS {rng.choice(['', 'NOT '])}NULL"
        if rng.random() < 0.4:
            text += " ORDER BY " + ", ".join(str(i + 1) for i in range(len(items)))
        return text


if __name__ == "__main__":
    sys.exit(comparison.compare_all("grouping-sets", GroupingQuery, STATEMENTS, STATEMENTS_FOR_DATA, SEED, 1 / 3))
