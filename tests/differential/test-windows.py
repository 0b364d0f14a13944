#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random window functions, compared with PostgreSQL: the same rows, in order where ORDER BY is total.

Partitions and orders with ties and NULLs, all modes, bounds and exclusions of frames, FILTER, WINDOW, joins, GROUP BY and queries in FROM.
A call whose result depends on the order of peers has a total order. A few statements are wrong: then both systems have to refuse.
KVSQL_TEST_WINDOWS is the number of statements, KVSQL_TEST_SEED the seed of the first relations.
"""

import os
import random
import sys

sys.dont_write_bytecode = True

import comparison  # pylint: disable=wrong-import-position

joins = comparison.joins

STATEMENTS = int(os.environ.get("KVSQL_TEST_WINDOWS", "500"))
SEED = int(os.environ.get("KVSQL_TEST_SEED", str(random.randrange(1 << 31))))
STATEMENTS_FOR_DATA = 250
joins.RELATIONS = {
    "t": [("k", "INT"), ("p", "INT"), ("q", "STRING"), ("n", "INT"), ("b", "BIGINT"), ("m", "DECIMAL"), ("f", "DOUBLE"), ("z", "DATE")],
    "u": [("j", "INT"), ("n", "INT"), ("s", "STRING")],
}
joins.ANALYZED = "t"
joins.LAYOUTS = """
DEFINE PRIMARY SCHEMA t_1 FOR t { TABLE 't', ROW ordered{k}, FAMILY 'f', QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');
DEFINE SCHEMA t_p FOR t { TABLE 't_p', ROW ordered{p}:ordered{n}:k, FAMILY 'f' };
DEFINE SCHEMA t_n FOR t { TABLE 't_n', ROW ordered{n}:k, FAMILY 'f', QUALIFIER attr_name[k, n], VALUE attr_value[k, n] } WITH (marker = x'00');
DEFINE PRIMARY SCHEMA u_1 FOR u { TABLE 'u', ROW ordered{j}, FAMILY 'f', QUALIFIER attr_name[j], VALUE attr_value[j] } WITH (marker = x'00');
"""
ORDERS = ["", "", " DESC", " NULLS FIRST", " DESC NULLS LAST", " ASC"]
EXCLUSIONS = ["", "", "", " EXCLUDE NO OTHERS", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"]
# by the class of their argument
AGGREGATES = {
    "number": ["sum", "avg", "min", "max", "count", "variance", "stddev_pop"],
    "text": ["min", "max", "count"],
}
NUMBERS = ("INT", "BIGINT", "DECIMAL", "DOUBLE")


def rows(rng, name):
    """Rows with few different values, and sometimes NULL. All queries read t, which is not empty."""
    for key in rng.sample(range(80), rng.choice([1 if name == "t" else 0, 1, 5, 20, 40])):
        yield [str(key), *("NULL" if rng.random() < 0.2 else joins.value(rng, kind) for _, kind in joins.RELATIONS[name][1:])]


joins.rows = rows


def rank_of(bound):
    """The bounds of a frame are in the order of their ranks."""
    return ["UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"].index(bound.lstrip("0123456789+ "))


class WindowQuery:
    """A random statement. @columns: names and types that expressions can use; @keys: those that order rows totally."""

    def __init__(self, rng):
        self.rng = rng
        self.windows = []
        draw = rng.random()
        if draw < 0.7:
            self.source, self.columns, self.keys = "t", list(joins.RELATIONS["t"]), ["k"]
        elif draw < 0.9:
            self.source = rng.choice(["t JOIN u USING (n)", "t LEFT JOIN u ON t.n = u.n AND s <> ''", "t, u"])
            self.columns = [(f"{name}.{column}" if column == "n" and "USING" not in self.source else column, kind)
                            for name in "tu" for column, kind in joins.RELATIONS[name]]
            self.keys = ["k", "j"]
        else:
            self.source = "(SELECT k, p, n, m, row_number () OVER (ORDER BY p, k) AS r FROM t WHERE n > 0) AS x"
            self.columns, self.keys = [("k", "INT"), ("p", "INT"), ("n", "INT"), ("m", "DECIMAL"), ("r", "BIGINT")], ["k"]

    def column(self, *kinds):
        names = [name for name, kind in self.columns if not kinds or kind in kinds]
        return self.rng.choice(names)

    def expression(self):
        draw = self.rng.random()
        if draw < 0.15:
            return f"{self.column('INT', 'BIGINT', 'DECIMAL')} + 1"
        if draw < 0.25:
            return f"coalesce ({self.column('INT')}, 2)"
        return self.column()

    def keys_of(self, n):
        return [self.expression() + self.rng.choice(ORDERS) for _ in range(n)]

    def offset(self):
        return self.rng.choice(["0", "1", "2", "3", "1 + 1", "7"])

    def bound(self, is_start):
        kinds = ["UNBOUNDED", "PRECEDING", "CURRENT ROW", "FOLLOWING"]
        kind = self.rng.choice(kinds)
        if kind == "UNBOUNDED":
            kind += " PRECEDING" if is_start else " FOLLOWING"
        return f"{self.offset()} {kind}" if kind in ("PRECEDING", "FOLLOWING") else kind

    def frame(self, modes):
        mode = self.rng.choice(modes)
        bounds = [self.bound(True), self.bound(False)]
        # most frames are possible
        while self.rng.random() < 0.98 and rank_of(bounds[0]) > rank_of(bounds[1]):
            bounds = [self.bound(True), self.bound(False)]
        text = f"{mode} BETWEEN {bounds[0]} AND {bounds[1]}"
        if rank_of(bounds[0]) <= 2 and self.rng.random() < 0.2:
            text = f"{mode} {bounds[0]}"
        return " " + text + self.rng.choice(EXCLUSIONS)

    def partition(self):
        n = self.rng.choice([0, 1, 1, 2])
        return "PARTITION BY " + ", ".join(self.expression() for _ in range(n)) if n else ""

    def window(self, is_total):
        """A definition, in which the order of all rows is known if @is_total."""
        parts = self.partition()
        draw = self.rng.random()
        if not is_total and draw < 0.25:  # RANGE with offsets
            order = self.column(*NUMBERS) + self.rng.choice(ORDERS)
            return f"{parts} ORDER BY {order}{self.frame(['RANGE'])}"
        keys = self.keys_of(self.rng.choice([0, 1, 1, 2]))
        if is_total:
            keys += [key + self.rng.choice(["", " DESC"]) for key in self.keys]
        if keys:
            parts += " ORDER BY " + ", ".join(keys)
        if draw < 0.65 and (keys or draw < 0.3):
            modes = ["ROWS", "GROUPS"] if is_total else ["GROUPS"]
            if keys and draw < 0.6:
                parts += self.frame(modes)
        return parts

    def over(self, is_total):
        if self.windows and self.rng.random() < 0.4:
            totals = [(name, text) for name, text, total in self.windows if total or not is_total]
            if totals:
                name, text = self.rng.choice(totals)
                if "BETWEEN" in text or "ROWS" in text or "GROUPS" in text or self.rng.random() < 0.7:
                    return f"OVER {name}"
                return f"OVER ({name})"
        return f"OVER ({self.window(is_total)})"

    def aggregate(self):
        column = self.rng.choice(self.columns)
        name = self.rng.choice(AGGREGATES["number" if column[1] in NUMBERS else "text"])
        text = "count (*)" if self.rng.random() < 0.15 else f"{name} ({column[0]})"
        if self.rng.random() < 0.2:
            text += f" FILTER (WHERE {self.column('INT')} {self.rng.choice(['<', '>', '='])} {self.rng.randrange(5)})"
        return text + " " + self.over(self.rng.random() < 0.5)

    def call(self):
        draw = self.rng.random()
        if draw < 0.45:
            return self.aggregate()
        if draw < 0.6:
            return f"{self.rng.choice(['rank', 'dense_rank', 'percent_rank', 'cume_dist'])} () {self.over(False)}"
        if draw < 0.7:
            return f"{self.rng.choice(['row_number ()', 'ntile (3)', 'ntile (7)'])} {self.over(True)}"
        column = self.column()
        if draw < 0.85:
            name = self.rng.choice(["lag", "lead"])
            arguments = self.rng.choice(["", ", 1", ", 2", ", 0", ", -1", f", {self.column('INT')}", ", NULL"])
            if arguments and self.rng.random() < 0.4:
                arguments += f", {column}"
            return f"{name} ({column}{arguments}) {self.over(True)}"
        if draw < 0.88:
            return f"{self.rng.choice(['string_agg (q, chr (44))', 'string_agg (CAST (z AS TEXT), q)'])} {self.over(True)}" if self.source == "t" else "1"
        name = self.rng.choice(["first_value", "last_value", "nth_value"])
        return f"{name} ({column}{', 2' if name == 'nth_value' else ''}) {self.over(True)}"

    def wrong(self):
        """A statement that has to be refused, if it is not by chance possible."""
        return self.rng.choice([
            f"SELECT k FROM t WHERE rank () {self.over(False)} > 1",
            f"SELECT k FROM t GROUP BY row_number () {self.over(False)}",
            f"SELECT count (*) FROM t HAVING count (*) {self.over(False)} > 1",
            f"SELECT sum (rank () {self.over(False)}) FROM t",
            "SELECT rank () OVER w FROM t",
            "SELECT rank () OVER (w ORDER BY k) FROM t WINDOW w AS (ORDER BY p)",
            "SELECT rank () OVER (w PARTITION BY k) FROM t WINDOW w AS (ORDER BY p)",
            "SELECT rank () OVER (w) FROM t WINDOW w AS (ORDER BY p ROWS 1 PRECEDING)",
            "SELECT sum (n) OVER (ORDER BY k ROWS -1 PRECEDING) FROM t",
            "SELECT sum (n) OVER (ORDER BY q RANGE 1 PRECEDING) FROM t",
            "SELECT sum (n) OVER (ORDER BY p, n RANGE 1 PRECEDING) FROM t",
            "SELECT sum (n) OVER (GROUPS 1 PRECEDING) FROM t",
            "SELECT sum (n) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM t",
            "SELECT rank () FROM t", "SELECT upper (q) OVER () FROM t", "SELECT count (DISTINCT n) OVER () FROM t",
            "SELECT 1 FROM t WINDOW w AS (ORDER BY missing)", "SELECT ntile (0) OVER (ORDER BY k) FROM t",
        ])

    def grouped(self):
        key = self.rng.choice(["p", "q", "n"])
        order = f"ORDER BY sum (n){self.rng.choice(ORDERS)}, {key}"
        calls = [f"rank () OVER (ORDER BY count (*){self.rng.choice(ORDERS)})", f"sum (sum (n)) OVER ({order})",
                 f"sum (count (*)) OVER ({order} ROWS {self.offset()} PRECEDING)", f"lag (max (n)) OVER ({order})",
                 f"count (*) OVER (PARTITION BY count (*))"]
        text = f"SELECT {key}, sum (n), {', '.join(self.rng.sample(calls, 2))} FROM t GROUP BY {key}"
        return text + self.rng.choice(["", " HAVING count (*) > 1"]) + f" ORDER BY {key}"

    def distinct_on(self):
        """The first rows by a total order; sometimes ORDER BY does not fit."""
        on = [self.expression() for _ in range(self.rng.choice([1, 1, 2]))]
        order = self.rng.sample(on, len(on))
        if self.rng.random() < 0.1:
            order.insert(0, self.expression())
        keys = [key + self.rng.choice(ORDERS) for key in [*order, *(self.expression() for _ in range(self.rng.choice([0, 1])))]]
        items = self.rng.sample([*self.keys, *on, self.expression(), self.call()], 2)
        text = f"SELECT DISTINCT ON ({', '.join(on)}) {', '.join(items)} FROM {self.source} ORDER BY {', '.join([*keys, *self.keys])}"
        return text + (f" LIMIT {self.rng.randrange(5)} OFFSET {self.rng.randrange(3)}" if self.rng.random() < 0.4 else "")

    def text(self):
        draw = self.rng.random()
        if draw < 0.04:
            return self.wrong()
        if draw > 0.92:
            return self.distinct_on()
        if draw < 0.12:
            return self.grouped()
        for name in self.rng.sample(["w1", "w2"], self.rng.choice([0, 0, 1, 2])):
            is_total = self.rng.random() < 0.6
            self.windows.append((name, self.window(is_total), is_total))
        items = [*self.keys, *(self.call() for _ in range(self.rng.choice([1, 1, 2, 3])))]
        if self.rng.random() < 0.1:
            items.append(f"coalesce ({self.call()}, NULL)")
        text = f"SELECT {', '.join(items)} FROM {self.source}"
        if self.rng.random() < 0.2:
            text += f" WHERE {self.column('INT')} {self.rng.choice(['<', '>', '<>'])} {self.rng.randrange(5)}"
        if self.windows:
            text += " WINDOW " + ", ".join(f"{name} AS ({definition})" for name, definition, _ in self.windows)
        if self.rng.random() < 0.6:
            text += " ORDER BY " + ", ".join([*self.keys_of(self.rng.choice([0, 1])), *self.keys])
            if self.rng.random() < 0.3:
                text += f" LIMIT {self.rng.randrange(8)}"
        return text


if __name__ == "__main__":
    sys.exit(comparison.compare_all("windows", WindowQuery, STATEMENTS, STATEMENTS_FOR_DATA, SEED, 1 / 3))
