#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl adopt on catalogues that this program writes, also on ones that Phoenix would not write.

tests/live/foreign/adopted.py has a live Phoenix.
"""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import adopting  # noqa: E402 pylint: disable=wrong-import-position
from adopting import equal, support  # noqa: E402 pylint: disable=wrong-import-position

TABLE, COLUMN, KEY = {"TABLE_TYPE": b"u"}, {"DATA_TYPE": b"\x80\x00\x00\x04", "ORDINAL_POSITION": b"\x80\x00\x00\x02"}, {
    "DATA_TYPE": b"\x80\x00\x00\x0c", "ORDINAL_POSITION": b"\x80\x00\x00\x01", "KEY_SEQ": b"\x80\x01"}
DEFINED = """-- {name}
DEFINE RELATION `{name}` {{
    `K` STRING KEY,
    `V` INT }}
  WITH (writes = plain);
DEFINE PRIMARY SCHEMA `{name}_PK` FOR `{name}`
  {{ TABLE '{name}',
    ROW phoenix{{`K`}},
    CELLS {{
    '0':'V' = phoenix{{`V`}},
    '0':'_0' = 'x' }} }}
  WITH (role = read, create_tables = false);

"""


def key(*parts):
    return b"\0".join(part.encode("utf-8", "surrogateescape") for part in parts)


def table(name, tenant="", schema="", **columns):
    """The rows of a table with a key K and a column V."""
    return {key(tenant, schema, name): {**TABLE, **columns}, key(tenant, schema, name, "K"): KEY, key(tenant, schema, name, "V", "0"): COLUMN}


class Catalogue:
    """A kvsqld whose store has a table SYSTEM.CATALOG with these rows."""

    def __init__(self, rows, name="SYSTEM.CATALOG"):
        self.daemon = support.Daemon()
        self.uri = f"kvsql+unix://{self.daemon.socket_path}"
        self.run("exec", "DEFINE RELATION cells { r BYTES KEY, q STRING KEY, v BYTES }; DEFINE PRIMARY SCHEMA cells_s FOR cells "
                         f"{{ TABLE '{name}', ROW r, FAMILY '0', QUALIFIER q, VALUE v }}")
        values = [f"(x'{row.hex()}', '{name}', x'{value.hex()}')" for row, columns in rows.items() for name, value in columns.items()]
        for i in range(0, len(values), 1000):
            self.run("exec", "INSERT INTO cells VALUES " + ", ".join(values[i:i + 1000]))

    def run(self, *arguments, status=0):
        return adopting.run(*arguments, status=status, uri=self.uri)

    def end(self):
        equal(self.daemon.stop(), 0)


def test_script():
    catalogue = Catalogue({**table("A"), **table("B")})
    equal(catalogue.run("adopt", "phoenix"), DEFINED.format(name="A") + DEFINED.format(name="B"))
    equal(catalogue.run("adopt", "phoenix", "--table", "B"), DEFINED.format(name="B"))
    assert "no table of that name" in catalogue.run("adopt", "phoenix", "--table", "C", status=1)
    catalogue.end()


def test_no_phoenix():
    catalogue = Catalogue(table("CATALOG", schema="SYSTEM", TABLE_TYPE=b"s"))
    assert "no tables" in catalogue.run("adopt", "phoenix", status=1)
    catalogue.end()
    daemon = support.Daemon()
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), "-c", f"kvsql+unix://{daemon.socket_path}", "adopt", "phoenix"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=adopting.SECONDS, check=False)
    equal((done.returncode, "no Apache Phoenix has used it" in done.stdout), (1, True))
    equal(daemon.stop(), 0)


def test_namespaces():
    """With mapping of schemas to namespaces, the catalogue has another name, and so have the tables."""
    catalogue = Catalogue({**table("A", schema="S", IS_NAMESPACE_MAPPED=b"\x01"), **table("B")}, "SYSTEM:CATALOG")
    shown = catalogue.run("adopt", "phoenix")
    assert "-- S.A\nDEFINE RELATION `S_A`" in shown and "{ TABLE 'S:A'," in shown and "{ TABLE 'B'," in shown, shown
    catalogue.end()


def key_columns(*columns):
    """The rows of a table K whose key has these columns: (number of the type, sort order, whether it may be NULL)."""
    rows = {key("", "", "K"): TABLE, key("", "", "K", "V", "0"): COLUMN}
    for i, (number, order, is_nullable) in enumerate(columns):
        rows[key("", "", "K", "ABCDE"[i])] = {"DATA_TYPE": (2**31 + number).to_bytes(4, "big"), "ORDINAL_POSITION": (2**31 + 1 + i).to_bytes(4, "big"),
                                              "KEY_SEQ": (2**15 + 1 + i).to_bytes(2, "big"), "SORT_ORDER": (2**31 + order).to_bytes(4, "big"),
                                              "NULLABLE": (2**31 + is_nullable).to_bytes(4, "big")}
    return rows


def test_null_keys():
    """Phoenix leaves out NULL at the end of a key. Not all columns are NULL, so the first one stays."""
    text, number, decimal, ascending, descending = 12, -5, 3, 2, 1
    for columns, row, left_out in (
            ([(text, ascending, 1)] * 3, "phoenix{`A`}:optional(x'00'){phoenix{`B`}:optional(x'00'){phoenix{`C`}}}", ""),
            ([(text, ascending, 1), (text, ascending, 0)], "suffix(x'00'){phoenix{`A`}}:phoenix{`B`}", ""),
            ([(text, ascending, 1)], "phoenix{`A`}", ""),
            ([(number, ascending, 0), (text, ascending, 1), (text, ascending, 1)], "phoenix{`A`}:phoenix{`B`}:optional(x'00'){phoenix{`C`}}", ""),
            ([(decimal, ascending, 1), (text, ascending, 1)], "phoenix{`A`}:optional(x'00'){phoenix{`B`}}", "A"),
            ([(text, descending, 1), (text, ascending, 1)], "desc{suffix(x'00'){phoenix{`A`}}}:phoenix{`B`}", "A"),
            ([(text, ascending, 0), (text, descending, 1)], "suffix(x'00'){phoenix{`A`}}:desc{suffix(x'00'){phoenix{`B`}}}", "B"),
            ([(text, ascending, 0), (text, ascending, 1), (number, ascending, 1)], "suffix(x'00'){phoenix{`A`}}:suffix(x'00'){phoenix{`B`}}:phoenix{`C`}", "C")):
        catalogue = Catalogue(key_columns(*columns))
        shown = catalogue.run("adopt", "phoenix")
        assert f"ROW {row},\n" in shown, (columns, shown)
        equal([line.split()[2] for line in shown.splitlines() if "left out" in line], list(left_out))
        catalogue.run("adopt", "phoenix", "--apply")
        catalogue.end()


def index_rows(kind):
    """The rows of a table with a key of two texts and a column V, and of an index of it: (V DESC)."""
    text = {"DATA_TYPE": (2**31 + 12).to_bytes(4, "big")}
    rows = {**key_columns((12, 2, 1), (12, 2, 1)), key("", "", "K", "V", "0"): {**COLUMN, **text},
            key("", "", "I"): {"TABLE_TYPE": b"i", "DATA_TABLE_NAME": b"K", "INDEX_TYPE": kind}}
    for i, (name, order) in enumerate((("0:V", 1), (":A", 2), (":B", 2))):
        rows[key("", "", "I", name)] = {**text, "ORDINAL_POSITION": (2**31 + 1 + i).to_bytes(4, "big"), "KEY_SEQ": (2**15 + 1 + i).to_bytes(2, "big"),
                                        "SORT_ORDER": (2**31 + order).to_bytes(4, "big"), "NULLABLE": (2**31 + 1).to_bytes(4, "big")}
    return rows


def test_index():
    """A NULL of a DESC column is 00, and no text begins with it there, so that a text may follow. The rows of an uncovered index are 02."""
    for kind, empty in ((b"\x01", "x'01'"), (b"\x03", "x'02'")):
        catalogue = Catalogue(index_rows(kind))
        shown = catalogue.run("adopt", "phoenix")
        assert "ROW null(x'00'){desc{suffix(x'00'){phoenix{`V`}}}}:phoenix{`A`}:optional(x'00'){phoenix{`B`}}," in shown, shown
        assert f"'0':'_0' = {empty} }} }}" in shown, shown
        assert "K: defined" in catalogue.run("adopt", "phoenix", "--apply")
        catalogue.end()


def test_views():
    viewed = {key("", "", "W", "", "A"): {"LINK_TYPE": b"\x02"}}
    catalogue = Catalogue({**table("A"), **table("T", tenant="one", TABLE_TYPE=b"v"), **viewed,
                           key("", "", "W"): {"TABLE_TYPE": b"v", "VIEW_STATEMENT": b"SELECT * FROM A WHERE V = 5"}})
    shown = catalogue.run("adopt", "phoenix")
    assert "-- W\nCREATE VIEW `W` AS SELECT * FROM `A` WHERE V = 5;\n\n" in shown, shown
    assert "-- T\n-- not possible: it is a view of the tenant one\n" in shown, shown
    catalogue.end()


def test_hostile():
    """Nothing of a name or condition becomes a statement of its own."""
    drop = "\nDROP RELATION cells;\n"
    rows = {**table("N" + drop), **table("Q`'\"" + drop), **table("A"),
            key("", "", "V", "", "A"): {"LINK_TYPE": b"\x02"},
            key("", "", "V"): {"TABLE_TYPE": b"v", "VIEW_STATEMENT": b"SELECT * FROM A WHERE V = 5; DROP RELATION cells"},
            key("", "", "A", "X" + drop, "0"): {"DATA_TYPE": b"\x80\x00\x0b\xbc", "ORDINAL_POSITION": b"\x80\x00\x00\x03"}}
    catalogue = Catalogue(rows)
    script = support.temporary_folder("adopt") / "script"
    script.write_text(catalogue.run("adopt", "phoenix"))
    assert "its condition has a semicolon" in script.read_text(), script.read_text()
    catalogue.run("exec", "--file", str(script))
    assert catalogue.run("exec", "SELECT count(*) FROM cells"), "cells was dropped"
    catalogue.end()


def test_odd():
    """Rows that Phoenix would not write are skipped, or say why nothing is defined."""
    odd = {b"\0": {"TABLE_TYPE": b"u"}, b"\xff\xfe": {"TABLE_TYPE": b""}, key("", "", "COLUMN", "BEFORE", "HEAD"): COLUMN,
           key("", "", "LONG"): {"TABLE_TYPE": b"u", "SALT_BUCKETS": b"\x80" * 9, "IMMUTABLE_STORAGE_SCHEME": b""},
           key("", "", "NOKEY"): TABLE, key("", "", "NOKEY", "V", "0"): {}, key("", "", "PARTS", "1", "2", "3", "4"): COLUMN,
           key("", "", "TYPE"): TABLE, key("", "", "TYPE", "K"): {**KEY, "DATA_TYPE": b"\x7f\xff\xff\xff"}}
    catalogue = Catalogue(odd)
    shown = catalogue.run("adopt", "phoenix")
    assert "-- TYPE\n-- not possible: column K of its key is type -1\n" in shown, shown
    for name in ("LONG", "NOKEY"):
        assert f"-- {name}\n-- not possible: it has no key\n" in shown, shown
    catalogue.end()


def test_many():
    rows = {}
    for i in range(2000):
        rows.update(table(f"T{i:04}"))
    catalogue = Catalogue(rows)
    equal(catalogue.run("adopt", "phoenix").count("DEFINE PRIMARY SCHEMA"), 2000)
    catalogue.end()


if __name__ == "__main__":
    sys.exit(support.run([("/ctl/adopt/" + name[5:], test) for name, test in list(globals().items()) if name.startswith("test_")]))
