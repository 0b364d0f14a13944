#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""HBase's Java client and kvsql write each other's tables: Bytes and OrderedBytes, all types, both orders, NULL."""

import os
import sys

import foreign
from foreign import support

TABLE = f"java{os.getpid()}"
# Three layouts of one relation in one table; their rows begin differently.
DEFINITIONS = """
DEFINE RELATION {name} {{ name STRING KEY, l BIGINT KEY, i INT, f FLOAT, d DOUBLE, b BOOLEAN, n DECIMAL, s STRING }} WITH (writes = plain);
DEFINE PRIMARY SCHEMA {name}_bytes FOR {name}
  {{ TABLE '{name}', ROW ordered{{name}}:desc{{ordered{{l}}}}, FAMILY 'f', QUALIFIER attr_name[name, l], VALUE attr_value[name, l] }};
DEFINE SCHEMA {name}_up FOR {name}
  {{ TABLE '{name}', ROW 'up-':ordered{{name}}:desc{{ordered{{l}}}}, FAMILY 'f', QUALIFIER 'v',
    VALUE ordered{{i}}:ordered{{f}}:ordered{{d}}:ordered{{b}}:ordered{{n}}:ordered{{s}} }};
DEFINE SCHEMA {name}_down FOR {name}
  {{ TABLE '{name}', ROW 'down-':ordered{{name}}:desc{{ordered{{l}}}}, FAMILY 'f', QUALIFIER 'v',
    VALUE desc{{ordered{{i}}}}:desc{{ordered{{f}}}}:desc{{ordered{{d}}}}:desc{{ordered{{b}}}}:desc{{ordered{{n}}}}:desc{{ordered{{s}}}} }};
"""
# What Foreign.java writes, in the order of the keys: name, then l descending.
TUPLES = [
    ("edge", 9223372036854775807, 2147483647, 3.4028235e38, 1.7976931348623157e308, True, "99999999999999999999.5", "z"),
    ("edge", -9223372036854775808, -2147483648, -3.4028235e38, -1.7976931348623157e308, False, "-0.001", None),
    ("one", 1, 1, 1.5, 2.5, True, "1", ""),
    ("one", -1, -1, -1.5, -2.5, False, "-1.25", "\u00e9\u20ac"),
    ("ones", 0, 0, 0.0, 0.0, False, "0", "after one"),
]


def normal(row):
    """A tuple of numbers and text, in one form for both programs."""
    name, l, i, f, d, b, n, s = row
    return (name, int(l), int(i), float(f), float(d), b in (True, "true"), str(n).rstrip("0").rstrip(".") if "." in str(n) else str(n),
            None if s == "\\N" else s)


def literal(value):
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


class Both:
    kvsql = None
    java = None


def test_read():
    """Tuples of the Java program are read, through each layout."""
    Both.java.ask("create", TABLE, "f")
    Both.kvsql.execute(DEFINITIONS.format(name=TABLE))
    Both.java.ask("write", TABLE)
    for schema in ("bytes", "up", "down"):
        got = Both.kvsql.select(f"SELECT name, l, i, f, d, b, n, s FROM {TABLE} USING SCHEMA {TABLE}_{schema} ORDER BY name, l DESC")
        support.equal([normal(row) for row in got], TUPLES)


def test_ranges():
    """Keys are found by key ranges, not by a full scan."""
    query = f"SELECT i FROM {TABLE} WHERE name = 'one' AND l < 1"
    assert "full scan" not in Both.kvsql.execute("EXPLAIN " + query)
    support.equal(Both.kvsql.select(query), [[-1]])
    support.equal(Both.kvsql.select(f"SELECT s FROM {TABLE} WHERE name = 'edge' AND l = -9223372036854775808"), [[None]])


def test_write():
    """kvsql writes the same tuples as the same cells, byte for byte, and the Java program reads the same."""
    other = TABLE + "k"
    Both.kvsql.execute(DEFINITIONS.format(name=other))
    values = ", ".join("(" + ", ".join(literal(value) for value in row[:6]) + f", {row[6]}, {literal(row[7])})" for row in TUPLES)
    Both.kvsql.execute(f"INSERT INTO {other} (name, l, i, f, d, b, n, s) VALUES {values}")
    foreign.equal_rows(Both.java.ask("cells", other), Both.java.ask("cells", TABLE))
    foreign.equal_rows(Both.java.ask("read", other), Both.java.ask("read", TABLE))
    support.equal([normal([row[1], row[3], row[2], *row[4:]]) for row in Both.java.ask("read", other) if row[0] == "up"], TUPLES)


def test_change():
    """kvsql changes a tuple of the Java program in all three layouts, and deletes it."""
    Both.kvsql.execute(f"UPDATE {TABLE} SET i = 77, s = NULL WHERE name = 'one' AND l = 1")
    changed = [row for row in Both.java.ask("read", TABLE) if row[1] == "one" and row[3] == "1"]
    support.equal([(row[0], row[2], row[7]) for row in changed],
                  [("bytes", "77", "1"), ("down", "77", "1"), ("up", "77", "1")])
    support.equal({row[8] for row in changed}, {"\\N"})
    Both.kvsql.execute(f"DELETE FROM {TABLE} WHERE name = 'one'")
    support.equal(sorted({row[1] for row in Both.java.ask("read", TABLE)}), ["edge", "ones"])


def main():
    url, folder = os.environ.get("KVSQL_TEST_HBASE_URL"), os.environ.get("KVSQL_TEST_HBASE_DIR")
    if not url or not folder:
        support.skip_all("KVSQL_TEST_HBASE_URL and KVSQL_TEST_HBASE_DIR are not set; see CONTRIBUTING.md")
    foreign.need_java()
    Both.java = foreign.Java(folder)
    Both.kvsql = foreign.Kvsql(url)
    return support.run([
        ("/foreign/hbase-client/read", test_read),
        ("/foreign/hbase-client/ranges", test_ranges),
        ("/foreign/hbase-client/write", test_write),
        ("/foreign/hbase-client/change", test_change),
    ])


if __name__ == "__main__":
    sys.exit(main())
