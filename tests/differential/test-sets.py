#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random UNION, INTERSECT and EXCEPT [ALL], compared with PostgreSQL: the same rows, in order where ORDER BY is total.

Operations are nested up to three deep, with and without parentheses, also in FROM, over the relations of test-joins.py. Columns have number
types that differ between operands, literals without a type and NULLs. A few operands have other types or numbers of columns: then
both systems have to refuse. KVSQL_TEST_SETS is the number of statements, KVSQL_TEST_SEED the seed of the first relations.
"""

import os
import random
import sys

sys.dont_write_bytecode = True

import comparison  # pylint: disable=wrong-import-position

joins = comparison.joins

STATEMENTS = int(os.environ.get("KVSQL_TEST_SETS", "600"))
SEED = int(os.environ.get("KVSQL_TEST_SEED", str(random.randrange(1 << 31))))
STATEMENTS_FOR_DATA = 200
CLASSES = {"number": joins.NUMBERS, "text": ("STRING",), "time": ("DATE", "TIMESTAMP")}
LITERALS = {
    "number": ["1", "2", "4", "2.5", "3e0", "'1'", "NULL", "CAST (NULL AS INT)", "CAST (2 AS BIGINT)"],
    "text": ["'a'", "'b'", "''", "NULL", "CAST (1 AS TEXT)"],
    "time": ["DATE '2024-01-01'", "DATE '2024-01-02'", "TIMESTAMP '2024-01-02 12:00:00'", "NULL", "'2024-01-02'"],
}


class SetQuery:
    """A random query. @classes: of its columns."""

    def __init__(self, rng):
        self.rng = rng
        self.classes = [rng.choice(["number", "number", "text", "time"]) for _ in range(rng.choice([1, 1, 2, 3]))]

    def item(self, name, kind):
        """An expression over relation @name, of class @kind if there is one."""
        if self.rng.random() < 0.004:
            kind = self.rng.choice(list(CLASSES))
        columns = [column for column, type_ in joins.RELATIONS[name] if type_ in CLASSES[kind]] if name else []
        if not columns or self.rng.random() < 0.15:
            return self.rng.choice(LITERALS[kind])
        column = self.rng.choice(columns)
        if kind == "number" and self.rng.random() < 0.2:
            return self.rng.choice([f"{column} + 1", f"coalesce ({column}, 1)", f"- {column}"])
        return column

    def where(self, name):
        column, kind = self.rng.choice(joins.RELATIONS[name])
        if self.rng.random() < 0.2:
            return f" WHERE {column} IS NOT NULL"
        return f" WHERE {column} {self.rng.choice(['=', '<', '>=', '<>'])} {joins.value(self.rng, kind)}"

    def leaf(self):
        name = self.rng.choice([*joins.RELATIONS, *joins.RELATIONS, None])
        items = [self.item(name, kind) for kind in self.classes]
        if self.rng.random() < 0.004:
            items.append("1")
        text = ("SELECT DISTINCT " if self.rng.random() < 0.1 else "SELECT ") + ", ".join(items)
        if name is None:
            return text
        text += f" FROM {name}"
        if self.rng.random() < 0.5:
            text += self.where(name)
        if self.rng.random() < 0.05 and self.classes[0] == "number":
            grouped = ", ".join(["count(*)", *(self.rng.choice(LITERALS[kind]) for kind in self.classes[1:])])
            text = f"SELECT {grouped} FROM {name} GROUP BY {joins.RELATIONS[name][1][0]}"
        return text

    def order(self):
        """A total order: all columns."""
        positions = self.rng.sample(range(1, len(self.classes) + 1), len(self.classes))
        words = ["", " DESC", " NULLS FIRST", " DESC NULLS LAST"]
        return " ORDER BY " + ", ".join(f"{position}{self.rng.choice(words)}" for position in positions)

    def end(self):
        text = self.order()
        if self.rng.random() < 0.6:
            text += f" LIMIT {self.rng.randrange(5)}"
        if self.rng.random() < 0.3:
            text += f" OFFSET {self.rng.randrange(3)}"
        return text

    def derived(self, depth):
        """A query in FROM: of any query, or of named columns with a condition on them."""
        if depth > 0 and self.rng.random() < 0.5:
            return f"SELECT * FROM ({self.query(depth - 1)}{self.rng.choice(['', self.end()])}) AS x"
        name = self.rng.choice(list(joins.RELATIONS))
        items = ", ".join(f"{self.item(name, kind)} AS c{i}" for i, kind in enumerate(self.classes))
        columns = [f"x.c{i}" for i in range(len(self.classes))]
        text = f"SELECT {', '.join(columns)} FROM (SELECT {items} FROM {name}) x"
        return text + self.rng.choice(["", f" WHERE {columns[-1]} IS NOT NULL", " GROUP BY " + ", ".join(columns)])

    def operand(self, depth):
        text = self.query(depth)
        draw = self.rng.random()
        if draw < 0.2:
            return f"({text}{self.end()})"
        return f"({text})" if draw < 0.5 else text

    def query(self, depth):
        if self.rng.random() < 0.1:
            return self.derived(depth)
        if depth == 0 or self.rng.random() < 0.2:
            return self.leaf()
        text = self.operand(depth - 1)
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            word = self.rng.choice(["UNION", "UNION", "INTERSECT", "EXCEPT"]) + self.rng.choice(["", " ALL", " DISTINCT"])
            text += f" {word} {self.operand(depth - 1)}"
        return text

    def text(self):
        if self.rng.random() < 0.1:
            self.classes = ["number"]
            # alone, a literal without a type is compared as a number here, and as a text there
            return f"SELECT k, a FROM t WHERE a IN ({self.operand(2)} UNION {self.operand(1)}) ORDER BY 1, 2"
        return self.query(3) + (self.end() if self.rng.random() < 0.5 else "")


if __name__ == "__main__":
    sys.exit(comparison.compare_all("sets", SetQuery, STATEMENTS, STATEMENTS_FOR_DATA, SEED, 1 / 2))
