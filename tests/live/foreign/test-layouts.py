#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Layouts of systems that do not run here, against the bytes in their documentation.

Each case has a definition and tuples with the cells that the system would have for them, typed from its documents or put together as
they say. The cells are written by a raw relation and read through the definition; then the tuples are written through the
definition, and the cells have to be the same. On memory, RocksDB, and HBase if KVSQL_TEST_HBASE_URL is set.
"""

import os
import struct
import sys

import foreign
from foreign import support

RUN = f"fl{os.getpid()}"


class Case:
    def __init__(self, name, attributes, layout, tuples, options=""):
        self.name, self.attributes, self.layout, self.tuples, self.options = name, attributes, layout, tuples, options


HOUR = bytes.fromhex("50E22700")  # of the row keys in OpenTSDB's user guide
TAGS = bytes.fromhex("000001000001000002000004")


def java_hash(data):
    """Arrays.hashCode (byte[])"""
    result = 1
    for byte in data:
        result = (31 * result + (byte if byte < 128 else byte - 256)) & 0xffffffff
    return result if result < 2**31 else result - 2**32


def tsdb_salt(metric, tags, buckets):
    """RowKey.prefixKeyWithSalt: the hash of metric and tags, without the time."""
    return bytes([abs(java_hash(metric + tags)) % buckets])


METRIC = bytes.fromhex("000001")
CASES = [
    # Hive, HBaseIntegration: "COLLECTION ITEMS TERMINATED BY '~'", mapping ':key,f:n,f:x'
    Case("hive_text", "f1 STRING KEY, f2 INT KEY, n BIGINT, x DOUBLE, b BOOLEAN",
         "ROW suffix('~'){f1}:text{f2}, FAMILY 'f', QUALIFIER attr_name[f1, f2], VALUE text{attr_value[f1, f2]}",
         [(("2024-02-29", 7, 258, "1.5", True), [(b"2024-02-29~7", b"n", b"258"), (b"2024-02-29~7", b"x", b"1.5"),
                                                (b"2024-02-29~7", b"b", b"true")]),
          (("a b", -7, None, "-2.25", None), [(b"a b~-7", b"x", b"-2.25")])]),
    # the same with '#b': "the form that HBase's Bytes class yields"
    Case("hive_binary", "f1 STRING KEY, f2 INT KEY, n BIGINT, i INT, x DOUBLE",
         "ROW suffix('~'){f1}:text{f2}, FAMILY 'f', QUALIFIER attr_name[f1, f2], VALUE attr_value[f1, f2]",
         [(("k", 1, -258, 7, "1.5"), [(b"k~1", b"n", struct.pack(">q", -258)), (b"k~1", b"i", struct.pack(">i", 7)),
                                     (b"k~1", b"x", struct.pack(">d", 1.5))])]),
    # Hive: a family mapped to map<string, int>
    Case("hive_map", "k STRING KEY, m MAP<STRING, INT>", "ROW k, FAMILY 'f', QUALIFIER map_key(m), VALUE text{map_value(m)}",
         [(("r1", '{"a":1,"b":-2}'), [(b"r1", b"a", b"1"), (b"r1", b"b", b"-2")])]),
    # OpenTSDB, HBase Schema: 000001 50E22700 000001 000001 and its neighbours
    Case("tsdb", "metric BIGINT KEY, at BIGINT KEY, tags BYTES KEY, v BIGINT",
         "ROW unsigned(3){metric}:bucket(3600){unsigned(4){at}}:tags, FAMILY 't', QUALIFIER offset(3600){unsigned(2, 4, 7){at}}, VALUE v",
         [((1, 1356998400, bytes.fromhex("000001000001"), 42),
           [(bytes.fromhex("00000150E22700000001000001"), b"\x00\x07", struct.pack(">q", 42))]),
          ((1, 1356998400 + 3599, TAGS, -1),
           [(bytes.fromhex("00000150E22700000001000001000002000004"), struct.pack(">H", 3599 << 4 | 7), struct.pack(">q", -1))]),
          ((1, 1357002000 + 1, TAGS, 2**40),
           [(bytes.fromhex("00000150E23510000001000001000002000004"), b"\x00\x17", struct.pack(">q", 2**40))])]),
    # with floats: flag 8 and length 4 is b, with length 8 f; and salted (tsd.storage.salt.buckets = 20)
    Case("tsdb_float", "metric BIGINT KEY, at BIGINT KEY, tags BYTES KEY, v FLOAT",
         "ROW unsigned(3){metric}:bucket(3600){unsigned(4){at}}:tags, FAMILY 't', QUALIFIER offset(3600){unsigned(2, 4, 11){at}}, VALUE v",
         [((1, 1356998401, TAGS, "4.5"), [(METRIC + HOUR + TAGS, b"\x00\x1b", struct.pack(">f", 4.5))])]),
    Case("tsdb_salted", "metric BIGINT KEY, at BIGINT KEY, tags BYTES KEY, v DOUBLE",
         "ROW salt(20, java){unsigned(3){metric}:tags}:unsigned(3){metric}:bucket(3600){unsigned(4){at}}:tags, FAMILY 't', "
         "QUALIFIER offset(3600){unsigned(2, 4, 15){at}}, VALUE v",
         [((1, 1356998410, TAGS, "4.5"),
           [(tsdb_salt(METRIC, TAGS, 20) + METRIC + HOUR + TAGS, b"\x00\xaf", struct.pack(">d", 4.5))])]),
    # Bigtable, "Manage row key schemas"
    Case("bigtable", "kind STRING KEY, country STRING KEY, maker STRING KEY, serial BYTES KEY, v STRING",
         "ROW suffix('#'){kind}:suffix('#'){country}:suffix('#'){maker}:serial, FAMILY 'f', QUALIFIER 'v', VALUE v",
         [(("phone", "india", "pke5preri2eru", b"8923695", "on"), [(b"phone#india#pke5preri2eru#8923695", b"v", b"on")]),
          (("phone", "india", "p", b"89#\x0023", "off"), [(b"phone#india#p#89#\x0023", b"v", b"off")])]),
    # ElectroDB, the mall stores of its documentation
    Case("electrodb", "city STRING KEY, mall STRING KEY, building STRING KEY, store STRING KEY, n INT KEY, rent STRING",
         "ROW '$mallstoredirectory#cityid_':suffix('#mallid_'){regexp('[^A-Z#]+'){city}}:regexp('[^A-Z#]+'){mall}, FAMILY 'f', "
         "QUALIFIER '$mallstore_1#buildingid_':suffix('#storeid_'){regexp('[^A-Z#]+'){building}}:suffix('#n_'){regexp('[^A-Z#]+'){store}}:"
         "text(4){n}, VALUE rent",
         [(("atlanta1", "eastpointe", "buildinga1", "lattelarrys", 47, "4500.00"),
           [(b"$mallstoredirectory#cityid_atlanta1#mallid_eastpointe",
             b"$mallstore_1#buildingid_buildinga1#storeid_lattelarrys#n_0047", b"4500.00")])]),
    # sign bit inverted, as Kudu, TiDB and Accumulo's lexicoders have it: MIN is 0, -1 is 7f…, 0 is 80…; a negative real has all bits inverted
    Case("flipped", "i INT KEY, l BIGINT KEY, s INT KEY, f FLOAT, d DOUBLE",
         "ROW flipped{i}:desc{flipped{l}}:flipped(2){s}, FAMILY 'f', QUALIFIER 'v', VALUE flipped{f}:flipped{d}",
         [((-2147483648, -1, 1, "1.0", "-1.0"),
           [(bytes.fromhex("00000000" "8000000000000000" "8001"), b"v", bytes.fromhex("bf800000" "400fffffffffffff"))]),
          ((0, 9223372036854775807, -32768, "-0.5", "0.5"),
           [(bytes.fromhex("80000000" "0000000000000000" "0000"), b"v", bytes.fromhex("40ffffff" "bfe0000000000000"))])]),
]


# OpenTSDB's CompactionQueue: qualifiers and values of an hour in one cell, and 00 after them, or 01 if seconds and milliseconds are mixed
ROW = METRIC + HOUR + TAGS


def tsdb_cells():
    """Cells of a row, and its points: a compacted cell, single ones, and one that is in both."""
    seconds = [(second, struct.pack(">b", second - 50)) for second in range(0, 100)]
    qualifiers = b"".join(struct.pack(">H", second << 4) for second, _ in seconds)
    cells = [(ROW, qualifiers, b"".join(value for _, value in seconds) + b"\x00"),
             (ROW, struct.pack(">HIH", 200 << 4 | 1, 0xf << 28 | 200001 << 6 | 11, 201 << 4 | 15),
              struct.pack(">hfd", -300, 4.5, 1e300) + b"\x01"),
             (ROW, struct.pack(">H", 99 << 4), struct.pack(">b", 49)),
             (ROW, struct.pack(">I", 0xf << 28 | 3599999 << 6 | 7), struct.pack(">q", 2**40))]
    points = [(second * 1000, second - 50) for second, _ in seconds] + [(200000, -300), (200001, 4.5), (201000, 1e300), (3599999, 2**40)]
    return cells, points


def check_compacted(kvsql):
    table = f"{RUN}_tsdb_compacted"
    cells, points = tsdb_cells()
    with Raw(kvsql, table, "t") as raw:
        insert(kvsql, raw, cells)
    kvsql.execute(f"DEFINE RELATION {table} {{ metric BIGINT KEY, at TIMESTAMP KEY, tags BYTES KEY, v DOUBLE }}; "
                  f"DEFINE PRIMARY SCHEMA {table}_s FOR {table} {{ TABLE '{table}', "
                  "ROW unsigned(3){metric}:bucket(3600000){seconds(4){at}}:tags, FAMILY 't', "
                  "QUALIFIER each{tsdb_offset{at}}, VALUE each{tsdb_value{v}} } WITH (role = read)")
    got = kvsql.select(f"SELECT CAST (extract (epoch FROM at) * 1000 AS BIGINT) - 1356998400000 AS ms, v FROM {table} WHERE metric = 1 ORDER BY at")
    foreign.equal_rows([[int(ms), float(value)] for ms, value in got], [[ms, float(value)] for ms, value in points])
    one = kvsql.select(f"SELECT v FROM {table} WHERE metric = 1 AND at = '2013-01-01T00:03:20.001Z' AND tags = x'{TAGS.hex()}'")
    foreign.equal_rows([[float(value) for value in row] for row in one], [[4.5]])
    # a page ends within a cell
    few = kvsql.select(f"SELECT v FROM {table} WHERE metric = 1 AND v >= 0 LIMIT 3 OFFSET 7")
    assert len(few) == 3, few
    kvsql.execute(f"DROP RELATION {table}")


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "'" + value + "'" if isinstance(value, str) else str(value)


def insert(kvsql, relation, rows):
    kvsql.execute(f"INSERT INTO {relation} VALUES " + ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows))


class Raw:
    """The cells of a table as bytes. The definition is dropped afterwards, as two schemas that write one cell are rejected."""

    def __init__(self, kvsql, table, family, role=""):
        self.kvsql, self.name = kvsql, f"{table}_raw"
        self.definition = (f"DEFINE RELATION {self.name} {{ row BYTES KEY, q BYTES KEY, v BYTES }} WITH (writes = plain); "
                           f"DEFINE PRIMARY SCHEMA {self.name}_s FOR {self.name} "
                           f"{{ TABLE '{table}', ROW row, FAMILY '{family}', QUALIFIER q, VALUE v }} {role}")

    def __enter__(self):
        self.kvsql.execute(self.definition)
        return self.name

    def __exit__(self, *unused):
        self.kvsql.execute(f"DROP RELATION {self.name}")


def shown(value):
    return value.hex() if isinstance(value, bytes) else str(value)


def check(kvsql, case):
    names = [part.split()[0] for part in case.attributes.replace("<STRING, ", "<STRING,").split(", ")]
    bytes_names = [name for name, part in zip(names, case.attributes.replace("<STRING, ", "<STRING,").split(", ")) if " BYTES" in part]
    items = ", ".join(f"hex ({name})" if name in bytes_names else name for name in names)
    family = "t" if case.name.startswith("tsdb") else "f"
    table = f"{RUN}_{case.name}"
    cells = sorted(cell for _, some in case.tuples for cell in some)
    with Raw(kvsql, table, family) as raw:
        insert(kvsql, raw, cells)
    kvsql.execute(f"DEFINE RELATION {table} {{ {case.attributes} }}; "
                  f"DEFINE PRIMARY SCHEMA {table}_s FOR {table} {{ TABLE '{table}', {case.layout} }}")
    wanted = sorted([shown(value) for value in row] for row, _ in case.tuples)
    got = sorted([shown(value) for value in row] for row in kvsql.select(f"SELECT {items} FROM {table}"))
    foreign.equal_rows([[normal(value) for value in row] for row in got], [[normal(value) for value in row] for row in wanted])
    # written from here
    kvsql.execute(f"DELETE FROM {table}")
    insert(kvsql, table, [row for row, _ in case.tuples])
    with Raw(kvsql, table, family, "WITH (role = read)") as raw:
        now = sorted(tuple(map(bytes.fromhex, row)) for row in kvsql.select(f"SELECT hex (row), hex (q), hex (v) FROM {raw}"))
    foreign.equal_rows(now, cells)
    kvsql.execute(f"DROP RELATION {table}")


def normal(text):
    """Numbers and JSON, however they are written."""
    try:
        return float(text)
    except ValueError:
        return text.replace("'", '"').replace(" ", "")


def main():
    stores = {"memory": "memory:", "rocksdb": f"rocksdb:{support.temporary_folder('rocksdb') / 'db'}"}
    if os.environ.get("KVSQL_TEST_HBASE_URL"):
        stores["hbase"] = os.environ["KVSQL_TEST_HBASE_URL"]
    sides = {name: foreign.Kvsql(url) for name, url in stores.items()}
    return support.run([(f"/foreign/layouts/{case.name.replace('_', '-')}/{store}", lambda case=case, side=side: check(side, case))
                        for store, side in sides.items() for case in CASES]
                       + [(f"/foreign/layouts/tsdb-compacted/{store}", lambda side=side: check_compacted(side)) for store, side in sides.items()])


if __name__ == "__main__":
    sys.exit(main())
