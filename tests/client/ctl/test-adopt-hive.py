#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl adopt hive on the DDL in the folder hive: what it prints, and what the definitions read and write.

The cells are those that Hive's HBase handler writes for the tuples. hive/NAME.kvsql has the script for hive/NAME.sql, and
hive/errors.txt the errors. With KVSQL_UPDATE_GOLDEN=1 they are written.
"""

import json
import pathlib
import re
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import adopting  # noqa: E402 pylint: disable=wrong-import-position
from adopting import equal, support  # noqa: E402 pylint: disable=wrong-import-position

TEXTS = adopting.Texts("hive")
STORES = ["memory:", "rocksdb:"]


# ---- tables

class Table:
    """@cells: of the tuples, as Hive writes them: (row, "family:qualifier", value). @tuples: as they are inserted and shown.
    @others: further cells that Hive reads, too, and @other_tuples what it shows. @reason: why it is only read."""

    def __init__(self, file, relation, store, cells, tuples, others=(), other_tuples=(), reason=None):  # pylint: disable=too-many-arguments
        self.file, self.relation, self.store, self.cells, self.tuples = file, relation, store, cells, tuples
        self.others, self.other_tuples, self.reason = list(others), list(other_tuples), reason


def number(form, value):
    return struct.pack(">" + form, value)


TABLES = [
    Table("pages", "pages", "web:pages",
          [(b"example.org/", "cf:hits", b"-7"), (b"example.org/", "cf:score", b"1.0E10"), (b"example.org/", "cf:ratio", b"0.25"),
           (b"example.org/", "cf:seen", b"2024-02-29 12:34:56.5"), (b"example.org/", "cf:day", b"2024-02-29"),
           (b"example.org/", "cf:price", b"12.50"), (b"example.org/", "cf:new", b"true"), (b"example.org/", "cf:level", b"-128"),
           (b"example.org/", "cf:title", "é".encode()), (b"example.org/", "cf:lang", b"e "), (b"example.org/", "cf:digest", b"AP8="),
           (b"second", "cf:score", b"100.0"), (b"second", "cf:seen", b"1969-12-31 23:59:59"), (b"second", "cf:price", b"-0.05"),
           (b"second", "cf:title", b"")],
          [{"url": "example.org/", "hits": -7, "score": 1e10, "ratio": 0.25, "seen": "2024-02-29T12:34:56.500Z", "day": "2024-02-29",
            "price": 12.5, "is_new": True, "level": -128, "title": "é", "lang": "e", "digest": b"\0\xff"},
           {"url": "second", "hits": None, "score": 100, "ratio": None, "seen": "1969-12-31T23:59:59.000Z", "day": None,
            "price": -0.05, "is_new": None, "level": None, "title": "", "lang": None, "digest": None}],
          # of other releases and programs
          [(b"x", "cf:score", b"1e3"), (b"x", "cf:ratio", b"NaN"), (b"x", "cf:seen", b"2024-02-29 12:00:00.0"), (b"x", "cf:price", b"3.5"),
           (b"x", "cf:title", b"\\N")],
          [{"url": "x", "hits": None, "score": 1000, "ratio": "NaN", "seen": "2024-02-29T12:00:00.000Z", "day": None, "price": 3.5,
            "is_new": None, "level": None, "title": None, "lang": None, "digest": None}]),
    Table("sensors", "plant_sensors", "sensors",
          [(number("q", -1), "v:n", number("i", -2)), (number("q", -1), "v:small", number("h", -3)), (number("q", -1), "v:tiny", number("b", -4)),
           (number("q", -1), "v:on", b"\1"), (number("q", -1), "v:f", number("f", 0.5)), (number("q", -1), "v:d", number("d", -1e300)),
           (number("q", -1), "v:raw", b"\0\xff"), (number("q", -1), "m:name", b"n"), (number("q", -1), "m:t", b"42"),
           (number("q", 7), "v:on", b"\0"), (number("q", 7), "v:raw", b"")],
          [{"id": -1, "n": -2, "small": -3, "tiny": -4, "on_": True, "f": 0.5, "d": -1e300, "raw": b"\0\xff", "name": "n", "as_text": 42},
           {"id": 7, "n": None, "small": None, "tiny": None, "on_": False, "f": None, "d": None, "raw": b"", "name": None, "as_text": None}],
          [(number("q", 8), "v:on", b"\xff")],
          [{"id": 8, "n": None, "small": None, "tiny": None, "on_": True, "f": None, "d": None, "raw": None, "name": None, "as_text": None}]),
    Table("mixed", "shop_orders", "shop.orders",
          [(number("i", 5), "o:day", b"2024-02-29"), (number("i", 5), "o:ok", b"\1"), (number("i", 5), "p:total", b"0.000"),
           (number("i", 5), "p:note", b"it's; \\x")],
          [{"day": "2024-02-29", "n": 5, "ok": True, "total": 0, "note": "it's; \\x"}]),
    Table("composite", "delimited_example", "delimited_example",
          [(b"a b~-7~2024-02-29", "f:c1", b"v"), (b"~0~0001-01-01", "f:c1", b"")],
          [{"f1": "a b", "f2": -7, "day": "2024-02-29", "value": "v"}, {"f1": "", "f2": 0, "day": "0001-01-01", "value": ""}]),
    Table("maps", "maps", "maps",
          [(b"r1", "t:a", b"1"), (b"r1", "t:b c", b"-2"), (b"r1", "u:at_", b"2024-02-29 00:00:00"), (b"r1", "u:at_x", b"2024-02-29 00:00:00.001"),
           (b"r1", "v:on", b"\1"), (b"r2", "v:off", b"\0")],
          [{"row_key": "r1", "tags": {"a": 1, "b c": -2}, "times": {"at_": "2024-02-29T00:00:00.000Z", "at_x": "2024-02-29T00:00:00.001Z"},
            "flags": {"on": True}},
           {"row_key": "r2", "tags": None, "times": None, "flags": {"off": False}}]),
    Table("hidden", "hidden", "hidden",
          [(b"1", "cf:tag_x", b"1"), (b"1", "cf:tag_y", b"2")],
          [{"tags": {"x": 1, "y": 2}, "row_key": 1}]),
    Table("shared-family", "shared_family", "shared_family",
          [(b"k", "f:name", b"1"), (b"k", "f:n", b"2"), (b"k", "f:tag_", b"3"), (b"k", "f:tag_mai", b"4"), (b"k", "f:tag_main", b"5"),
           (b"k", "f:tag_main2", b"6"), (b"k", "f:tag", b"7"), (b"k", "f:na", b"8"), (b"k", "f:names", b"9"), (b"k", "f:x", b"10"),
           (b"k", "f:", b"11")],
          [{"k": "k", "name": "1", "nick": "2", "tags": {"tag_": "3", "tag_mai": "4", "tag_main2": "6"}, "tag_main": "5",
            "rest": {"": "11", "na": "8", "names": "9", "tag": "7", "x": "10"}}]),
    Table("nested", "nested", "nested",
          [(b"1", "a:place", b"Main St\x027\x021.5\x03-2.0"), (b"1", "a:tags", b"a\x02b"), (b"1", "a:counts", b"x\x031\x02y\x032"),
           (b"1", "e:start", b"1\x042\x043"),
           (b"2", "a:place", b"\x02\x02\x030.001")],
          [{"id": 1, "place_street": "Main St", "place_no": 7, "place_geo_lat": 1.5, "place_geo_lon": -2, "tags": "a\x02b",
            "counts": "x\x031\x02y\x032", "events": {"start": "1\x042\x043"}},
           {"id": 2, "place_street": "", "place_no": None, "place_geo_lat": None, "place_geo_lon": 0.001, "tags": None, "counts": None,
            "events": None}]),
    Table("beeline", "ops_hosts", "ops.hosts", [(b"h", "m:cpu", number("d", 0.75))], [{"host": "h", "cpu": 0.75}]),
    Table("others", "implicit", "implicit", [(b"h", "f:v", b"1")], [{"k": "h", "v": 1}]),
    Table("java-key", "java_key", "HBase_Custom", [(b"\0\xff", "cf:string", b"v")], [{"key": b"\0\xff", "value": "v"}],
          reason="a class of Java makes the keys"),
    Table("limits", "escaped", "escaped", [(b"k", "f:v", b"a\\,b"), (b"l", "f:v", b"")], [{"k": "k", "v": "a\\,b"}, {"k": "l", "v": None}],
          reason="Hive writes text with escapes"),
    Table("limits", "fixed_time", "fixed_time", [(b"k", "f:v", b"v")], [{"k": "k", "v": "v"}], reason="all that Hive writes has the time of hbase.put.timestamp"),
    Table("limits", "left_out", "left_out", [(b"k", "f:n", b"2")], [{"k": "k", "n": 2}],
          reason="a DELETE would leave the cells of column u"),
    Table("limits", "avro", "avro", [(b"k", "f:doc", b"\0"), (b"k", "g:x", b"\1")], [{"k": "k", "doc": b"\0", "docs": {"x": "x'01'"}}]),
    Table("stamped", "stamped_wide", "stamped_wide", [(b"1", "cf:a", b"x"), (b"1", "cf:b", b"y")], [{"key": 1, "a": "x", "b": "y"}],
          reason="a column is the time of the cells, too"),
]


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, dict):
        value = json.dumps(value)
    return str(value) if isinstance(value, (int, float)) else "'" + value.replace("'", "''") + "'"


def normal(value):
    """A value as kvsqlctl shows it in JSON."""
    if isinstance(value, bytes):
        return value.hex()
    return sorted(value.items()) if isinstance(value, dict) else value


def normal_rows(rows):
    return sorted(([(name, normal(value)) for name, value in row.items()] for row in rows), key=repr)


class Client:
    """kvsqlctl on a kvsqld of its own."""

    def __init__(self, store):
        folder = support.temporary_folder("adopt-hive")
        self.daemon = support.Daemon(folder=folder, store=store + (str(folder / "store") if store == "rocksdb:" else ""))
        self.uri = f"kvsql+unix://{self.daemon.socket_path}"

    def run(self, *arguments, status=0, text=None):
        return TEXTS.run(*arguments, status=status, text=text, uri=self.uri)

    def execute(self, sql):
        return self.run("exec", "--file", "-", text=sql)

    def rows(self, sql):
        return [json.loads(line) for line in self.run("--format", "ndjson", "exec", sql).splitlines()]

    def put_cells(self, table, cells):
        self.execute(f"DEFINE RELATION raw {{ r BYTES KEY, f STRING KEY, q BYTES KEY, v BYTES }}; DEFINE PRIMARY SCHEMA raw_1 FOR raw "
                     f"{{ TABLE '{table}', ROW r, FAMILY f, QUALIFIER q, VALUE v }}; DELETE FROM raw;")
        for row, column, value in cells:
            family, qualifier = column.split(":", 1)
            self.execute(f"INSERT INTO raw VALUES (x'{row.hex()}', '{family}', x'{qualifier.encode().hex()}', x'{value.hex()}');")
        self.execute("DROP RELATION raw;")

    def cells(self, table):
        rows = self.rows(f"SELECT hex (row) AS r, family AS f, hex (qualifier) AS q, hex (value) AS v FROM TABLE '{table}'")
        return sorted((bytes.fromhex(row["r"]), row["f"] + ":" + bytes.fromhex(row["q"]).decode(), bytes.fromhex(row["v"])) for row in rows)

    def adopt(self, table, *options):
        """Only the table of that name: a file may have several."""
        name = re.sub(r"^(plant|shop|ops)_", "", table.relation)
        self.run("adopt", "hive", "--apply", "--table", name, *options, table.file + ".sql")

    def end(self):
        equal(self.daemon.stop(), 0)


def check_reads(client, table):
    client.put_cells(table.store, table.cells + table.others)
    before = client.cells(table.store)
    client.adopt(table)
    equal(normal_rows(client.rows(f"SELECT * FROM {table.relation}")), normal_rows(table.tuples + table.other_tuples))
    equal(client.cells(table.store), before)
    assert "is only read" in client.run("exec", f"DELETE FROM {table.relation}", status=1)
    client.execute(f"DROP RELATION {table.relation};")


def check_writes(client, table):
    client.put_cells(table.store, [])
    client.adopt(table, "--writable")
    for row in table.tuples:
        client.execute(f"INSERT INTO {table.relation} ({', '.join(row)}) VALUES ({', '.join(map(literal, row.values()))});")
    equal(client.cells(table.store), sorted(table.cells))
    equal(normal_rows(client.rows(f"SELECT * FROM {table.relation}")), normal_rows(table.tuples))
    client.execute(f"DELETE FROM {table.relation};")
    equal(client.cells(table.store), [])


def check_only_read(client, table):
    name = table.relation
    shown = client.run("adopt", "hive", "--writable", "--table", name, table.file + ".sql")
    assert f"-- only for reading: {table.reason}" in shown.split(f"-- default.{name}\n")[1].split("\n\n")[0], shown
    assert "role = read" in shown, shown


def test_tables(store):
    def test():
        client = Client(store)
        for table in TABLES:
            try:
                check_reads(client, table)
                if table.reason is None:
                    check_writes(client, table)
                else:
                    check_only_read(client, table)
            except AssertionError as error:
                raise AssertionError(f"{table.relation}: {error}") from error
        client.end()
    return test


def test_timestamps():
    """:timestamp of a row of one cell."""
    client = Client("memory:")
    client.execute("DEFINE RELATION raw { r STRING KEY, v STRING }; DEFINE PRIMARY SCHEMA raw_1 FOR raw { TABLE 'stamped', ROW r, "
                   "FAMILY 'cf', QUALIFIER 'string', VALUE v }; INSERT INTO raw VALUES ('7', 'a') USING TIMESTAMP 1709208000000;")
    client.run("adopt", "hive", "--apply", "stamped.sql", "--table", "stamped")
    equal(client.rows("SELECT * FROM stamped"), [{"key": 7, "value": "a", "time": "2024-02-29T12:00:00.000Z"}])
    client.end()


def test_refused():
    """What Hive would read as another value is not written."""
    client = Client("memory:")
    client.put_cells("web:pages", [])
    client.run("adopt", "hive", "--apply", "--writable", "pages.sql")
    for column, value, message in [("title", "'\\N'", "which means NULL"), ("level", "200", "check constraint"),
                                   ("lang", "'abc'", "too long"), ("title", "NULL", "")]:
        assert message in client.run("exec", f"INSERT INTO pages (url, {column}) VALUES ('u', {value})", status=1)
    equal(client.rows("SELECT count (*) AS n FROM pages"), [{"n": 0}])
    client.end()


def test_other_forms():
    """Texts of other releases are found by conditions, and updated."""
    for store in STORES:
        client = Client(store)
        table = TABLES[0]
        client.put_cells(table.store, table.cells + table.others)
        client.adopt(table, "--writable")
        condition = "score = 1000 AND price = 3.5 AND seen = '2024-02-29T12:00:00Z'"
        equal(client.rows(f"SELECT url FROM pages WHERE {condition}"), [{"url": "x"}])
        equal(client.rows("SELECT url FROM pages WHERE price > 3.4 AND price < 3.6"), [{"url": "x"}])
        client.execute(f"UPDATE pages SET price = price + 1, score = score + 1 WHERE {condition};")
        equal([cell for cell in client.cells(table.store) if cell[0] == b"x" and cell[1] in ("cf:price", "cf:score")],
              [(b"x", "cf:price", b"4.50"), (b"x", "cf:score", b"1001.0")])
        client.end()


# ---- scripts

def test_scripts():
    names = sorted(path.stem for path in TEXTS.folder.glob("*.sql"))
    assert {table.file for table in TABLES} <= set(names)
    for name in names:
        TEXTS.compare(name + ".kvsql", TEXTS.run("adopt", "hive", name + ".sql"))


def test_documented():
    """The example of the documents."""
    section = (support.TOP_SOURCE / "docs/other-systems.md").read_text().split("\n## Hive\n")[1]
    ddl, script = re.findall(r"```sql\n(.*?)```", section, re.S)[:2]
    equal(TEXTS.run("adopt", "hive", "-", text=ddl).rstrip(), script.rstrip())


def test_files():
    """Several files, the standard input, and a pattern."""
    both = TEXTS.run("adopt", "hive", "hidden.sql", "-", text=(TEXTS.folder / "mixed.sql").read_text())
    equal(both, TEXTS.run("adopt", "hive", "hidden.sql") + TEXTS.run("adopt", "hive", "mixed.sql"))
    equal(TEXTS.run("adopt", "hive", "hidden.sql", "mixed.sql", "--table", "shop.*"), TEXTS.run("adopt", "hive", "mixed.sql"))
    equal(TEXTS.run("adopt", "hive", "mixed.sql", "--table", "x*", status=1), "kvsqlctl: the DDL of Hive has no table of that name here\n")
    equal(TEXTS.run("adopt", "hive", "-", text="", status=1), "kvsqlctl: the DDL of Hive has no tables here\n")
    assert "No such file" in TEXTS.run("adopt", "hive", "not-there.sql", status=1)
    assert "more than 64 MiB" in TEXTS.run("adopt", "hive", "/dev/zero", status=1)
    assert "missing file" in TEXTS.run("adopt", "hive", status=2)
    assert "expected one of: phoenix" in TEXTS.run("adopt", "impala", status=2)


def test_nothing_is_changed():
    """An error in the last file: nothing is defined."""
    client = Client("memory:")
    client.run("adopt", "hive", "--apply", "hidden.sql", "-", text="CREATE TABLE x (k text) STORED BY 'HBaseStorageHandler'", status=1)
    equal(client.rows("SHOW RELATIONS"), [])
    client.end()


def test_errors():
    """Each case is "== name", the DDL, "--" and the error."""
    path = TEXTS.folder / "errors.txt"
    out = []
    for block in path.read_text().split("\n== ")[1:]:
        name, rest = block.split("\n", 1)
        ddl = rest.split("\n--\n", 1)[0]
        out.append(f"\n== {name}\n{ddl}\n--\n{TEXTS.run('adopt', 'hive', '-', text=ddl, status=1)}")
    TEXTS.compare("errors.txt", path.read_text().split("\n== ")[0] + "".join(out))


def test_hostile():
    """Nothing of a name, comment or text becomes a statement of its own."""
    drop = "'; DROP RELATION raw; --"
    ddl = (f"CREATE TABLE `n\n{drop}` (`k\n{drop}` string COMMENT \"{drop}\", `v``\n{drop}` int) COMMENT \"\n{drop}\" STORED BY 'HBaseStorageHandler' "
           f"WITH SERDEPROPERTIES ('hbase.columns.mapping'=\":key,f:q\n{drop}\", 'serialization.null.format'=\"{drop}\", "
           f"'hbase.table.name'=\"t{drop}\");")
    client = Client("memory:")
    client.put_cells("t", [])
    client.execute("DEFINE RELATION raw { r BYTES KEY, v BYTES }; DEFINE PRIMARY SCHEMA raw_1 FOR raw { TABLE 't', ROW r, FAMILY 'f', VALUE v };")
    script = client.run("adopt", "hive", "-", text=ddl)
    client.execute(script)
    equal(len(client.rows("SHOW RELATIONS")), 2)
    client.end()


def test_large():
    """Deep types, long names, many statements and columns end in time."""
    hbase = "STORED BY 'HBaseStorageHandler' WITH SERDEPROPERTIES ('hbase.columns.mapping'=':key"
    deep = "array<" * 100000
    assert "in more than 24 others" in TEXTS.run("adopt", "hive", "-", text=f"CREATE TABLE t (k string, v {deep}) {hbase},f:v');", status=1)
    names = ",".join(f"f:{'x' * 300}{i}" for i in range(20))
    columns = ", ".join(f"c{i} int" for i in range(20))
    shown = TEXTS.run("adopt", "hive", "-", text=f"CREATE TABLE t (k string, m map<string,int>, {columns}) {hbase},f:,{names}');")
    assert "column m is left out: the names of the other columns of its family are too long" in shown, shown
    wide = ", ".join(f"c{i} int" for i in range(300))
    shown = TEXTS.run("adopt", "hive", "-", text=f"CREATE TABLE t (k string, {wide}) {hbase}{''.join(f',f:c{i}' for i in range(300))}');")
    assert "it has more than 256 attributes" in shown, shown
    equal(TEXTS.run("adopt", "hive", "-", text="SELECT 1;\n" * 20000).count("skipped: SELECT"), 20000)


if __name__ == "__main__":
    TESTS = [(name[5:], test) for name, test in list(globals().items()) if name.startswith("test_") and name != "test_tables"]
    TESTS += [("tables-" + store.rstrip(":"), test_tables(store)) for store in STORES]
    sys.exit(support.run([("/ctl/adopt-hive/" + name, test) for name, test in TESTS]))
