#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables with layouts of other programs, on which Apache Phoenix fails: each works here, or is rejected when it is defined.

README.md has the list, one test each. A relation over the raw bytes of the table replaces the other program: it writes bytes, and shows what is
there. The store is memory, or HBase if KVSQL_TEST_HBASE_URL is set; then the other program is a kvsqld of its own, with its own
definitions, and so can also write while ours is defined (one kvsqld refuses two schemas that could write one cell).
"""

import os
import struct
import sys
import zlib

import foreign
from foreign import support

KVSQL = None
OTHER = None
RUN = f"ft{os.getpid()}"


def literal(value):
    return f"x'{value.hex()}'"


class Table:
    """A table of another program: cells of one family, written and read as bytes."""

    columns = ("row", "qualifier", "v")
    family = "'f'"

    def __init__(self, name):
        self.name = f"{RUN}_{name}"

    def raw(self, statement, role):
        attributes = ", ".join(f"{column} BYTES{' KEY' if column != 'v' else ''}" for column in self.columns)
        OTHER.execute(f"DEFINE RELATION {self.name}_raw {{ {attributes} }} WITH (writes = plain); "
                      f"DEFINE PRIMARY SCHEMA {self.name}_cells FOR {self.name}_raw "
                      f"{{ TABLE '{self.name}', ROW row, FAMILY {self.family}, QUALIFIER qualifier, VALUE v }} {role}")
        try:
            return statement()
        finally:
            OTHER.execute(f"DROP RELATION {self.name}_raw")

    def put(self, *cells):
        rows = ", ".join("(" + ", ".join(map(literal, cell)) + ")" for cell in cells)
        self.raw(lambda: OTHER.execute(f"INSERT INTO {self.name}_raw VALUES {rows}"), "")

    def cells(self):
        shown = ", ".join(f"hex ({column})" for column in self.columns)
        rows = self.raw(lambda: OTHER.select(f"SELECT {shown} FROM {self.name}_raw"), "WITH (role = read)")
        return sorted(tuple(map(bytes.fromhex, row)) for row in rows)

    def define(self, attributes, layout, options="", kind="PRIMARY SCHEMA", schema="s", relation=True):
        if relation:
            KVSQL.execute(f"DEFINE RELATION {self.name} {{ {attributes} }} WITH (writes = plain)")
        KVSQL.execute(f"DEFINE {kind} {self.name}_{schema} FOR {self.name} {{ TABLE '{self.name}', {layout} }} {options}")

    def select(self, what, condition=""):
        return KVSQL.select(f"SELECT {what} FROM {self.name} {condition}")

    def plan(self, condition):
        return KVSQL.execute(f"EXPLAIN SELECT * FROM {self.name} WHERE {condition}")

    def execute(self, sql):
        return KVSQL.execute(sql.replace("%", self.name))


def test_separators():
    """Three parts between separators are three attributes."""
    table = Table("separators")
    table.put((b"eu|web|0001", b"v", b"a"), (b"eu|web|0002", b"v", b"b"), (b"us|app|0001", b"v", b"c"))
    table.define("region STRING KEY, kind STRING KEY, id STRING KEY, v STRING",
                 "ROW suffix('|'){region}:suffix('|'){kind}:id, FAMILY 'f', QUALIFIER 'v', VALUE v")
    support.equal(table.select("*", "ORDER BY region, kind, id"),
                  [["eu", "web", "0001", "a"], ["eu", "web", "0002", "b"], ["us", "app", "0001", "c"]])
    assert 'rows from "eu|web|" up to' in table.plan("region = 'eu' AND kind = 'web'")


def test_salt():
    """A salt by a known hash is declared; one by an unknown hash is an attribute; a wrong one is counted, never a second tuple."""
    def key(name):
        return bytes([zlib.crc32(name) % 8]) + name

    table = Table("salt")
    names = [b"ann", b"bob", b"cy", b"dora"]
    table.put(*((key(name), b"v", b"1") for name in names), (b"\x63ann", b"v", b"2"))
    table.define("who STRING KEY, v STRING", "ROW salt(8, crc32){who}:who, FAMILY 'f', QUALIFIER 'v', VALUE v")
    support.equal(table.select("*", "ORDER BY who"), [[name.decode(), "1"] for name in names])
    assert table.plan("who = 'bob'").count("\n    row ") == 1
    table.execute("INSERT INTO % VALUES ('ann', '3'), ('eve', '4')")
    support.equal(table.cells(), sorted([(key(name), b"v", b"1") for name in names[1:]]
                                        + [(key(b"ann"), b"v", b"3"), (key(b"eve"), b"v", b"4"), (b"\x63ann", b"v", b"2")]))
    assert table.name in KVSQL.execute("SHOW STATUS")
    unknown = Table("salt_unknown")
    unknown.put((b"\x63ann", b"v", b"2"), (b"\x05bob", b"v", b"3"))
    unknown.define("bucket INT KEY, who STRING KEY, v STRING", "ROW unsigned(1){bucket}:who, FAMILY 'f', QUALIFIER 'v', VALUE v")
    support.equal(unknown.select("*", "ORDER BY who"), [[99, "ann", "2"], [5, "bob", "3"]])


def test_bytes():
    """Bytes.toBytes of int, long, float and double, below zero too."""
    table = Table("bytes")
    numbers = [(-2, -3, -1.5, -2.25), (1, 2**40, 0.5, 1e100)]
    table.put(*((struct.pack(">i", i), b"v", struct.pack(">qfd", n, f, x)) for i, n, f, x in numbers))
    table.define("i INT KEY, l BIGINT, f FLOAT, d DOUBLE", "ROW i, FAMILY 'f', QUALIFIER 'v', VALUE l:f:d")
    support.equal([[i, n, float(f), float(x)] for i, n, f, x in table.select("*", "ORDER BY i")], [list(row) for row in numbers])
    support.equal(table.select("i", "WHERE i < 0"), [[-2]])
    table.execute("INSERT INTO % VALUES (-7, -8, -0.5, 2.5)")
    assert (struct.pack(">i", -7), b"v", struct.pack(">qfd", -8, -0.5, 2.5)) in table.cells()


def test_unsigned():
    """A uint32 of 2**31 and more."""
    table = Table("unsigned")
    numbers = [0, 2**31 - 1, 2**31, 2**32 - 1]
    table.put(*((struct.pack(">I", n), b"v", struct.pack(">H", n % 65536)) for n in numbers))
    table.define("n BIGINT KEY, low INT", "ROW unsigned(4){n}, FAMILY 'f', QUALIFIER 'v', VALUE unsigned(2){low}")
    support.equal(table.select("*", "ORDER BY n"), [[n, n % 65536] for n in numbers])
    support.equal(table.select("n", "WHERE n > 2147483647"), [[2**31], [2**32 - 1]])
    assert "implied by the ranges" in table.plan("n > 2147483647")
    refusal = KVSQL.refused(f"INSERT INTO {table.name} VALUES (4294967296, 0)")
    assert "does not fit unsigned(4)" in refusal, refusal


def test_packed():
    """A value of several fields, some of variable length, is several attributes."""
    table = Table("packed")
    table.put((b"k1", b"v", struct.pack(">Bi", 3, -5) + b"abc" + b"red;" + b"rest of it"))
    table.define("k STRING KEY, kind INT, n INT, code STRING, colour STRING, note STRING",
                 "ROW k, FAMILY 'f', QUALIFIER 'v', VALUE unsigned(1){kind}:n:fixed(3){code}:suffix(';'){colour}:note")
    support.equal(table.select("*"), [["k1", 3, -5, "abc", "red", "rest of it"]])
    table.execute("UPDATE % SET n = 6, colour = 'blue' WHERE k = 'k1'")
    support.equal(table.cells(), [(b"k1", b"v", struct.pack(">Bi", 3, 6) + b"abcblue;rest of it")])


def test_binary():
    """Binary of variable length before another part. A definition without a marker of its end is rejected."""
    table = Table("binary")
    table.put((b"\x03\x00\xff\x00tail", b"v", b"1"), (b"\x00tail", b"v", b"2"))
    table.define("b BYTES KEY, t STRING KEY, v STRING", "ROW size{b}:t, FAMILY 'f', QUALIFIER 'v', VALUE v")
    support.equal(table.select("hex (b), t, v", "ORDER BY v"), [["00ff00", "tail", "1"], ["", "tail", "2"]])
    KVSQL.execute(f"DEFINE RELATION {RUN}_open {{ b BYTES KEY, t STRING KEY }}")
    refusal = KVSQL.refused(f"DEFINE PRIMARY SCHEMA {RUN}_o FOR {RUN}_open {{ TABLE '{RUN}_o', ROW b:t, FAMILY 'f' }}")
    assert "cannot be split into its parts again" in refusal and "Two tuples would collide" in refusal, refusal


def test_hash():
    """A hash before the key: a known key needs one get."""
    import hashlib  # pylint: disable=import-outside-toplevel
    table = Table("hash")
    names = [b"ann", b"bob", b"cy"]
    table.put(*((hashlib.md5(name).digest()[:4] + name, b"v", b"1") for name in names))
    table.define("who STRING KEY, v STRING", "ROW hash(4){who}:who, FAMILY 'f', QUALIFIER 'v', VALUE v")
    plan = table.plan("who = 'bob'")
    assert plan.count("\n    row ") == 1 and "full scan" not in plan, plan
    support.equal(table.select("*", "WHERE who = 'bob'"), [["bob", "1"]])
    support.equal(table.select("who", "WHERE who IN ('ann', 'cy', 'nobody') ORDER BY who"), [["ann"], ["cy"]])


def test_writing():
    """Insert, update and delete in another program's table leave the cells that the program would have written."""
    table = Table("writing")
    table.put((b"a|1", b"v", b"one"), (b"a|2", b"v", b"two"), (b"b|1", b"v", b"three"))
    table.define("k STRING KEY, n INT KEY, v STRING", "ROW suffix('|'){k}:text{n}, FAMILY 'f', QUALIFIER 'v', VALUE v")
    table.execute("INSERT INTO % VALUES ('c', 7, 'new')")
    table.execute("UPDATE % SET v = 'TWO' WHERE k = 'a' AND n = 2")
    table.execute("UPDATE % SET n = 9 WHERE k = 'b'")
    table.execute("DELETE FROM % WHERE k = 'a' AND n = 1")
    support.equal(table.cells(), [(b"a|2", b"v", b"TWO"), (b"b|9", b"v", b"three"), (b"c|7", b"v", b"new")])


def test_index():
    """A schema in another order is updated by each write of kvsql, and tuples that others write without it are still read."""
    table = Table("index")
    table.define("k INT KEY, state STRING, v STRING", "ROW text(4){k}, FAMILY 'f', QUALIFIER 'v', VALUE suffix('|'){state}:v")
    KVSQL.execute(f"DEFINE SCHEMA {table.name}_state FOR {table.name} "
                  f"{{ TABLE '{table.name}_state', ROW suffix('|'){{state}}:text(4){{k}}, FAMILY 'f' }}")
    table.execute("INSERT INTO % VALUES (1, 'open', 'a'), (2, 'open', 'b'), (3, 'done', 'c')")
    table.execute("UPDATE % SET state = 'done' WHERE k = 1")
    table.execute("DELETE FROM % WHERE k = 2")
    table.execute("INSERT INTO % VALUES (4, 'open', 'd')")
    by_state = f"SELECT k FROM {table.name} USING SCHEMA {table.name}_state WHERE state = '%s' ORDER BY k"
    support.equal(KVSQL.select(by_state % "open"), [[4]])
    support.equal(KVSQL.select(by_state % "done"), [[1], [3]])
    if OTHER is KVSQL:
        return
    table.put((b"0001", b"v", b"open|changed by others"))  # past the index
    support.equal(KVSQL.select(f"SELECT k, v FROM {table.name} USING SCHEMA {table.name}_s WHERE state = 'open' ORDER BY k"),
                  [[1, "changed by others"], [4, "d"]])
    support.equal(KVSQL.select(f"SELECT v FROM {table.name} USING SCHEMA {table.name}_state WHERE state = 'done' ORDER BY k"),
                  [["c"]])  # never what is not so any more


def test_filled():
    """A schema in another order for a table of another program is filled, then read, and changes none of its cells."""
    table = Table("filled")
    cells = [(b"a|1", b"v", b"x"), (b"a|2", b"v", b"y"), (b"b|1", b"v", b"y")]
    table.put(*cells)
    table.define("k STRING KEY, n INT KEY, v STRING", "ROW suffix('|'){k}:text{n}, FAMILY 'f', QUALIFIER 'v', VALUE v")
    KVSQL.execute(f"DEFINE SCHEMA {table.name}_by_v FOR {table.name} "
                  f"{{ TABLE '{table.name}_by_v', ROW suffix('|'){{v}}:suffix('|'){{k}}:text{{n}}, FAMILY 'f' }}")
    table.execute("BACKFILL SCHEMA %_by_v")
    support.equal(KVSQL.select(f"SELECT k, n FROM {table.name} USING SCHEMA {table.name}_by_v WHERE v = 'y' ORDER BY k"), [["a", 2], ["b", 1]])
    support.equal(table.cells(), cells)


def check_maintained(table, schema, count):
    """VERIFY finds @count differences of the schema, and REPAIR mends them."""
    for found in (count, 0):
        shown = KVSQL.execute(f"VERIFY SCHEMA {table.name}_{schema}")
        assert f"({found} rows)" in shown, shown
        KVSQL.execute(f"REPAIR SCHEMA {table.name}_{schema}")


def test_documents():
    """Documents of another program have attributes, in an index, too; what no path names stays in them."""
    table = Table("documents")
    table.put((b"p1", b"doc", b'{ "name" : "ann", "age" : 30, "tags" : [ "x" ] }'), (b"p2", b"doc", b'{"age":25,"at":{"city":"Bern","zip":3000}}'),
              (b"p3", b"doc", b'{"name":"cem","age":null}'), (b"p4", b"doc", b"[1]"), (b"p5", b"doc", b'{"age": 30}'))
    table.define("id STRING KEY, name STRING, age INT, city STRING, rest JSONB",
                 "ROW id, FAMILY 'f', QUALIFIER 'doc', "
                 "VALUE json('$.name'){name}:json('$.age'){age}:json('$.at.city'){city}:json('$'){rest}")
    support.equal(table.select("id, name, age, city, rest", "ORDER BY id"),
                  [["p1", "ann", 30, None, {"tags": ["x"]}], ["p2", None, 25, "Bern", {"at": {"zip": 3000}}], ["p3", "cem", None, None, None],
                   ["p5", None, 30, None, None]])
    KVSQL.execute(f"DEFINE SCHEMA {table.name}_age FOR {table.name} {{ TABLE '{table.name}_age', ROW ordered{{age}}:id, FAMILY 'f' }}")
    table.execute("BACKFILL SCHEMA %_age")
    table.execute("UPDATE % SET age = age + 1, name = coalesce (name, 'new') WHERE age >= 25")
    table.execute("UPDATE % SET city = 'Genf' WHERE id = 'p3'")
    table.execute("DELETE FROM % WHERE id = 'p5'")
    table.execute("INSERT INTO % (id, age) VALUES ('p6', 31), ('p4', 32)")
    support.equal(KVSQL.select(f"SELECT id, name, age FROM {table.name} USING SCHEMA {table.name}_age WHERE age > 20 ORDER BY age, id"),
                  [["p2", "new", 26], ["p1", "ann", 31], ["p6", None, 31], ["p4", None, 32]])
    support.equal(table.cells(), [(b"p1", b"doc", b'{"name":"ann","age":31,"tags":["x"]}'),
                                  (b"p2", b"doc", b'{"name":"new","age":26,"at":{"city":"Bern","zip":3000}}'),
                                  (b"p3", b"doc", b'{"name":"cem","at":{"city":"Genf"}}'), (b"p4", b"doc", b'{"age":32}'),
                                  (b"p6", b"doc", b'{"age":31}')])
    check_maintained(table, "age", 0)
    if OTHER is not KVSQL:
        table.put((b"p1", b"doc", b'{ "age" : 50 }'), (b"p7", b"doc", b'{ "age" : 51 }'))
        check_maintained(table, "age", 3)  # one is the old cell of p1
        support.equal(KVSQL.select(f"SELECT id, age FROM {table.name} USING SCHEMA {table.name}_age WHERE age > 40 ORDER BY age"),
                      [["p1", 50], ["p7", 51]])


class PointsTable(Table):
    """OpenTSDB's, with metric 1 and without tags."""

    family = "'t'"
    row = bytes.fromhex("00000150e22700")  # 2013-01-01T00:00:00Z

    def put_points(self, values):
        """As OpenTSDB's compaction: seconds of the hour and values of one byte, in one cell."""
        self.put((self.row, b"".join(struct.pack(">H", second << 4) for second in values),
                  b"".join(struct.pack(">b", value) for value in values.values()) + (b"\x00" if len(values) > 1 else b"")))

    def by_value(self):
        return KVSQL.select(f"SELECT extract (minute FROM at) * 60 + extract (second FROM at), v FROM {self.name} "
                            f"USING SCHEMA {self.name}_v WHERE v > -100 ORDER BY v")


def test_points():
    """Points of OpenTSDB in compacted cells are found by their values, in a schema that is filled, compared and mended."""
    table = PointsTable("points")
    table.put_points({0: 5, 1: -3, 7: 9})
    table.put_points({3: 1})
    cells = table.cells()
    KVSQL.execute(f"DEFINE RELATION {table.name} {{ metric BIGINT KEY, at TIMESTAMP KEY, tags BYTES KEY, v BIGINT }} WITH (writes = plain); "
                  f"DEFINE PRIMARY SCHEMA {table.name}_s FOR {table.name} {{ TABLE '{table.name}', "
                  "ROW unsigned(3){metric}:bucket(3600000){seconds(4){at}}:tags, FAMILY 't', "
                  "QUALIFIER each{tsdb_offset{at}}, VALUE each{tsdb_value{v}} } WITH (role = read); "
                  f"DEFINE SCHEMA {table.name}_v FOR {table.name} {{ TABLE '{table.name}_v', "
                  "ROW ordered{v}:unsigned(3){metric}:seconds(4){at}:tags, FAMILY 'f' }; "
                  f"BACKFILL SCHEMA {table.name}_v")
    support.equal([[float(second), v] for second, v in table.by_value()], [[1.0, -3], [3.0, 1], [0.0, 5], [7.0, 9]])
    check_maintained(table, "v", 0)
    support.equal(table.cells(), cells)
    refusal = KVSQL.refused(f"INSERT INTO {table.name} VALUES (1, '2013-01-01T00:00:09Z', x'', 1)")
    assert "is only read" in refusal, refusal
    if OTHER is not KVSQL:
        table.put_points({8: 2, 9: 4})
        check_maintained(table, "v", 2)
        support.equal([[float(second), v] for second, v in table.by_value()], [[1.0, -3], [3.0, 1], [8.0, 2], [9.0, 4], [0.0, 5], [7.0, 9]])


class MixedTable(Table):
    """Cells in several families."""

    columns = ("row", "family", "qualifier", "v")
    family = "family"


def test_families():
    """Two families, each column encoded in its own way, a column for each tag, and columns that the definition does not name."""
    table = MixedTable("families")
    table.put((b"m1", b"info", b"name", b"ann"), (b"m1", b"info", b"age", b"30"), (b"m1", b"stats", b"hits", struct.pack(">q", 5)),
              (b"m1", b"stats", b"tag:vip", b"yes"), (b"m1", b"info", b"\x00old", b"?"), (b"m2", b"info", b"name", b"bob"),
              (b"m2", b"info", b"age", b"many"), (b"m3", b"stats", b"hits", struct.pack(">q", -1)))
    KVSQL.execute(f"DEFINE RELATION {table.name} {{ id STRING KEY, name STRING, age INT, hits BIGINT, tags MAP<STRING, STRING>, "
                  f"rest MAP<STRING, BYTES> }} WITH (writes = plain); "
                  f"DEFINE PRIMARY SCHEMA {table.name}_s FOR {table.name} {{ TABLE '{table.name}', ROW id, CELLS {{ 'info':'name' = name, "
                  f"'info':'age' = text{{age}}, 'stats':'hits' = hits, 'stats':'tag:':map_key(tags) = map_value(tags), OTHERS = rest }} }}")
    rows = table.select("id, name, age, hits, tags['vip'], rest", "ORDER BY id")
    support.equal(rows, [["m1", "ann", 30, 5, "yes", {"info:\\x00old": "x'3f'"}], ["m2", "bob", None, None, None, None],
                         ["m3", None, None, -1, None, None]])
    KVSQL.execute(f"DEFINE SCHEMA {table.name}_hits FOR {table.name} {{ TABLE '{table.name}_hits', ROW ordered{{hits}}:id, FAMILY 'f' }}")
    table.execute("BACKFILL SCHEMA %_hits")
    check_maintained(table, "hits", 0)
    table.execute("UPDATE % SET hits = coalesce (hits, 0) + 1, age = 31 WHERE id IN ('m1', 'm2')")
    support.equal(KVSQL.select(f"SELECT id FROM {table.name} USING SCHEMA {table.name}_hits WHERE hits > 0 ORDER BY hits"), [["m2"], ["m1"]])
    table.execute("DELETE FROM % WHERE id = 'm3'")
    support.equal(table.cells(), [(b"m1", b"info", b"\x00old", b"?"), (b"m1", b"info", b"age", b"31"), (b"m1", b"info", b"name", b"ann"),
                                  (b"m1", b"stats", b"hits", struct.pack(">q", 6)), (b"m1", b"stats", b"tag:vip", b"yes"),
                                  (b"m2", b"info", b"age", b"31"), (b"m2", b"info", b"name", b"bob"),
                                  (b"m2", b"stats", b"hits", struct.pack(">q", 1))])
    check_maintained(table, "hits", 0)
    if OTHER is not KVSQL:
        table.put((b"m1", b"stats", b"hits", struct.pack(">q", 60)), (b"m4", b"info", b"name", b"dora"), (b"m4", b"stats", b"hits", struct.pack(">q", 7)))
        check_maintained(table, "hits", 3)  # one is the old cell of m1
        support.equal(KVSQL.select(f"SELECT id, hits FROM {table.name} USING SCHEMA {table.name}_hits WHERE hits > 0 ORDER BY hits"),
                      [["m2", 1], ["m4", 7], ["m1", 60]])


def test_definition_and_drop():
    """A definition over data adds no cell and hides none; DROP deletes none."""
    table = Table("definition")
    cells = [(b"a|1", b"v", b"one"), (b"a|2", b"v", b"two"), (b"odd", b"w", b"no layout has this")]
    table.put(*cells)
    definition = ("k STRING KEY, n INT KEY, v STRING", "ROW suffix('|'){k}:text{n}, FAMILY 'f', QUALIFIER 'v', VALUE v")
    for options in ("WITH (role = read)", "", "WITH (create_tables = false)"):
        table.define(*definition, options)
        support.equal(table.cells(), cells)
        support.equal(table.select("*", "ORDER BY n"), [["a", 1, "one"], ["a", 2, "two"]])
        table.execute("DROP SCHEMA %_s")
        support.equal(table.cells(), cells)
        table.execute("DROP RELATION %")
        support.equal(table.cells(), cells)
    table.define(*definition)
    table.execute("DROP RELATION %")  # with its schema
    support.equal(table.cells(), cells)


def test_read_only():
    """With role = read nothing can be written by mistake."""
    table = Table("readonly")
    table.put((b"a|1", b"v", b"one"))
    table.define("k STRING KEY, n INT KEY, v STRING", "ROW suffix('|'){k}:text{n}, FAMILY 'f', QUALIFIER 'v', VALUE v", "WITH (role = read)")
    for sql in ("INSERT INTO % VALUES ('c', 7, 'new')", "UPDATE % SET v = 'x'", "DELETE FROM %"):
        refusal = KVSQL.refused(sql.replace("%", table.name))
        assert "is only read" in refusal, refusal
    support.equal(table.cells(), [(b"a|1", b"v", b"one")])


def main():
    global KVSQL, OTHER  # pylint: disable=global-statement
    url = os.environ.get("KVSQL_TEST_HBASE_URL")
    KVSQL = foreign.Kvsql(url or "memory:")
    OTHER = foreign.Kvsql(url) if url else KVSQL
    tests = [test_separators, test_salt, test_bytes, test_unsigned, test_packed, test_binary, test_hash, test_writing, test_index,
             test_filled, test_documents, test_points, test_families, test_definition_and_drop, test_read_only]
    return support.run([(f"/foreign/tables/{test.__name__[5:].replace('_', '-')}", test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
