#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Apache Phoenix and kvsql write each other's tables, on a HBase that runs Phoenix.

Both get the same tuples into tables of their own that Phoenix has made; the cells have to be the same byte for byte. Then each
reads, changes and deletes what the other has written.
"""

import atexit
import decimal
import os
import random
import sys

import adopted
import foreign
from foreign import documents, support
from phoenix_values import kvsql_literal, normal, phoenix_literal, value_of
from zoo import comparison, programs

SEED = int(os.environ.get("KVSQL_TEST_SEED") or 20240229)
N_RANDOM = 40


# ---- a table: its columns, what Phoenix calls their types, and the layout of its key

class Table:
    def __init__(self, name, keys, values, key_clause, layout, options=""):
        self.name, self.keys, self.values, self.layout = name, keys, values, layout
        self.columns = keys + values
        self.key_clause, self.options = key_clause, options

    def create(self, suffix):
        columns = ", ".join(f"{name} {phoenix}{' NOT NULL' if (name, _, phoenix) in self.keys else ''}"
                            for name, _, phoenix in self.columns)
        return (f"CREATE TABLE {self.name}{suffix} ({columns}, CONSTRAINT PK PRIMARY KEY ({self.key_clause})) "
                f"COLUMN_ENCODED_BYTES = 0{self.options}")

    def define(self, suffix):
        relation = f"{self.name}{suffix}"
        attributes = ", ".join(f"{name} {kind}{' KEY' if (name, kind, _) in self.keys else ''}" for name, kind, _ in self.columns)
        listed = ", ".join(name for name, _, _ in self.keys)
        return (f"DEFINE RELATION {relation} {{ {attributes} }} WITH (writes = plain); DEFINE PRIMARY SCHEMA {relation}_s FOR {relation} "
                f"{{ TABLE '{relation}', ROW {self.layout}, FAMILY '0', QUALIFIER attr_name[{listed}], "
                f"VALUE phoenix{{attr_value[{listed}]}} }} WITH (marker = '_0', marker_value = 'x', create_tables = false)")

    def names(self):
        return ", ".join(name for name, _, _ in self.columns)


def text_key(name):
    return f"suffix(x'00'){{phoenix{{{name}}}}}"


EVENTS = Table(
    "EVENTS",
    [("C", "STRING", "VARCHAR"), ("D", "TIMESTAMP", "DATE"), ("ID", "BIGINT", "BIGINT")],
    [("QTY", "INT", "INTEGER"), ("PRICE", "DECIMAL", "DECIMAL"), ("NOTE", "STRING", "VARCHAR"), ("F", "FLOAT", "FLOAT"),
     ("X", "DOUBLE", "DOUBLE"), ("OK", "BOOLEAN", "BOOLEAN"), ("SEEN", "TIMESTAMP", "DATE"), ("BIN", "BYTES", "VARBINARY")],
    "C, D, ID DESC", f"{text_key('C')}:phoenix{{D}}:desc{{phoenix{{ID}}}}")

SALTED_KEY = ":".join(f"desc{{{text_key(name)}}}" for name in ("WHO", "PRICE", "W"))
SALTED = Table(
    "SALTED",
    [("WHO", "STRING", "VARCHAR"), ("PRICE", "DECIMAL", "DECIMAL"), ("W", "STRING", "VARCHAR")],
    [("N", "INT", "INTEGER")],
    "WHO DESC, PRICE DESC, W DESC", f"salt(8, java){{{SALTED_KEY}}}:{SALTED_KEY}", ", SALT_BUCKETS = 8")

FIXED_KEY = "fixed(3, ' '){C}:desc{phoenix{I}}:unsigned(4){U}:flipped(2){SM}:flipped(1){TI}:desc{phoenix{D}}:phoenix{P}"
FIXED = Table(
    "FIXED",
    [("C", "STRING", "CHAR(3)"), ("I", "INT", "INTEGER"), ("U", "BIGINT", "UNSIGNED_INT"), ("SM", "INT", "SMALLINT"),
     ("TI", "INT", "TINYINT"), ("D", "DATE", "DATE"), ("P", "DECIMAL", "DECIMAL")],
    [("V", "BIGINT", "BIGINT")],
    "C, I DESC, U, SM, TI, D DESC, P", f"salt(5, java){{{FIXED_KEY}}}:{FIXED_KEY}", ", SALT_BUCKETS = 5")

TABLES = [EVENTS, SALTED, FIXED]


# ---- values

# Values of test_ranges(), so that every range has a tuple with any seed.
IN_RANGES = {
    "EVENTS": [lambda row: row[0] == "a" and row[1] < "2000-01-01", lambda row: "an" <= row[0] < "b"],
    "SALTED": [lambda row: row[0] == "ann" and -100 <= decimal.Decimal(row[1]) <= 12.5, lambda row: "an" < row[0] <= "bob"],
    "FIXED": [lambda row: row[0] == "a" and row[1] < 0, lambda row: "ab" <= row[0] < "b"],
}


def random_tuples(table, source, count):
    """Different keys, @count at least; values may be NULL."""
    tuples = {}
    while len(tuples) < count or not all(any(map(is_in, tuples.values())) for is_in in IN_RANGES[table.name]):
        row = [value_of(source, *column) for column in table.columns]
        for i in range(len(table.keys), len(row)):
            row[i] = None if source.random() < 0.2 else row[i]
        tuples[tuple(row[:len(table.keys)])] = row
    return list(tuples.values())


class Both:
    url = None
    java = None
    kvsql = None

    @classmethod
    def phoenix(cls, sql):
        return cls.java.ask("sql", sql)

    @classmethod
    def upsert(cls, table, suffix, tuples):
        for row in tuples:
            values = ", ".join(phoenix_literal(kind, value) for (_, kind, _), value in zip(table.columns, row))
            cls.phoenix(f"UPSERT INTO {table.name}{suffix} ({table.names()}) VALUES ({values})")

    @classmethod
    def insert(cls, table, suffix, tuples):
        rows = ", ".join("(" + ", ".join(kvsql_literal(kind, value) for (_, kind, _), value in zip(table.columns, row)) + ")"
                         for row in tuples)
        cls.kvsql.execute(f"INSERT INTO {table.name}{suffix} ({table.names()}) VALUES {rows}")

    @classmethod
    def read(cls, ask, table, suffix, condition=""):
        rows = ask(f"SELECT {table.names()} FROM {table.name}{suffix}{condition}")
        return normal_rows(table, rows)


def normal_rows(table, rows):
    return sorted(([normal(kind, value) for (_, kind, _), value in zip(table.columns, row)] for row in rows), key=repr)


# ---- tests

def test_bytes():
    """The same tuples are the same cells."""
    source = random.Random(SEED)
    print(f"# seed {SEED}")
    for table in TABLES:
        tuples = random_tuples(table, source, N_RANDOM)
        for suffix in ("_P", "_K"):
            Both.phoenix(table.create(suffix))
            Both.kvsql.execute(table.define(suffix))
        Both.upsert(table, "_P", tuples)
        Both.insert(table, "_K", tuples)
        foreign.equal_rows(Both.java.ask("cells", table.name + "_K"), Both.java.ask("cells", table.name + "_P"))
        wanted = normal_rows(table, tuples)
        for suffix in ("_P", "_K"):
            foreign.equal_rows(Both.read(Both.kvsql.select, table, suffix), wanted)
            foreign.equal_rows(Both.read(Both.phoenix, table, suffix), wanted)


def lookups(table, row):
    """WHERE that fixes the whole key."""
    return tuple(" WHERE " + " AND ".join(f"{name} = {literal(kind, value)}" for (name, kind, _), value in zip(table.keys, row))
                 for literal in (phoenix_literal, kvsql_literal))


def test_lookups():
    """Each finds the other's tuples by their keys; a whole key is one get here, a salted one too."""
    source = random.Random(SEED)
    for table in TABLES:
        for row in random_tuples(table, source, N_RANDOM)[:8]:
            wanted = normal_rows(table, [row])
            in_phoenix, here = lookups(table, row)
            foreign.equal_rows(Both.read(Both.phoenix, table, "_K", in_phoenix), wanted)
            foreign.equal_rows(Both.read(Both.kvsql.select, table, "_P", here), wanted)
            plan = Both.kvsql.execute(f"EXPLAIN SELECT * FROM {table.name}_P{here}")
            assert plan.count("\n    row \"") == 1 and "rows from" not in plan, plan


def test_ranges():
    """Ranges over numbers, times and text give what Phoenix gives, and are ranges of keys here."""
    for table, here, in_phoenix in [
            (EVENTS, "C = 'a' AND D < '2000-01-01'", "C = 'a' AND D < TO_DATE('2000-01-01', 'yyyy-MM-dd')"),
            (EVENTS, "C >= 'an' AND C < 'b'", None),
            (SALTED, "WHO = 'ann' AND PRICE BETWEEN -100 AND 12.5", None),
            (SALTED, "WHO > 'an' AND WHO <= 'bob'", None),
            (FIXED, "C = 'a' AND I < 0", None),
            (FIXED, "C >= 'ab' AND C < 'b'", None)]:
        for suffix in ("_P", "_K"):
            wanted = Both.read(Both.phoenix, table, suffix, f" WHERE {in_phoenix or here}")
            assert wanted, here
            foreign.equal_rows(Both.read(Both.kvsql.select, table, suffix, f" WHERE {here}"), wanted)
            plan = Both.kvsql.execute(f"EXPLAIN SELECT * FROM {table.name}{suffix} WHERE {here}")
            assert "full scan" not in plan and "implied by the ranges" in plan, plan


def test_changes():
    """Each sees the changes and deletions of the other."""
    table = EVENTS
    Both.kvsql.execute("INSERT INTO EVENTS_P (C, D, ID, QTY, NOTE) VALUES ('new', '2024-01-01', 1, 5, 'kvsql'), ('new', '2024-01-01', 2, 6, NULL)")
    support.equal(Both.phoenix("SELECT ID, QTY, NOTE FROM EVENTS_P WHERE C = 'new' ORDER BY D, ID"), [["1", "5", "kvsql"], ["2", "6", "\\N"]])
    Both.kvsql.execute("UPDATE EVENTS_P SET QTY = QTY + 1, NOTE = NULL WHERE C = 'new'")
    Both.phoenix("UPSERT INTO EVENTS_P (C, D, ID, NOTE) VALUES ('new', TO_DATE('2024-01-01', 'yyyy-MM-dd'), 2, 'phoenix')")
    support.equal(Both.phoenix("SELECT ID, QTY, NOTE FROM EVENTS_P WHERE C = 'new' ORDER BY D, ID"), [["1", "6", "\\N"], ["2", "7", "phoenix"]])
    support.equal(Both.kvsql.select("SELECT ID, QTY, NOTE FROM EVENTS_P WHERE C = 'new' ORDER BY ID"), [[1, 6, None], [2, 7, "phoenix"]])
    # A tuple of NULLs only exists through its marker, in both.
    Both.phoenix("UPSERT INTO EVENTS_P (C, D, ID) VALUES ('none', TO_DATE('2024-01-01', 'yyyy-MM-dd'), 1)")
    Both.kvsql.execute("INSERT INTO EVENTS_P (C, D, ID) VALUES ('none', '2024-01-01', 2)")
    support.equal(Both.phoenix("SELECT ID FROM EVENTS_P WHERE C = 'none' ORDER BY D, ID"), [["1"], ["2"]])
    support.equal(Both.kvsql.select("SELECT ID FROM EVENTS_P WHERE C = 'none' ORDER BY ID"), [[1], [2]])
    Both.kvsql.execute("DELETE FROM EVENTS_P WHERE C = 'new' AND ID = 1")
    Both.phoenix("DELETE FROM EVENTS_P WHERE C = 'none' AND ID = 1")
    support.equal(Both.phoenix("SELECT C, ID FROM EVENTS_P WHERE C IN ('new', 'none') ORDER BY C, ID"), [["new", "2"], ["none", "2"]])
    support.equal(Both.kvsql.select("SELECT C, ID FROM EVENTS_P WHERE C IN ('new', 'none') ORDER BY C, ID"), [["new", 2], ["none", 2]])
    foreign.equal_rows(Both.read(Both.phoenix, table, "_P"), Both.read(Both.kvsql.select, table, "_P"))


def test_what_does_not_fit():
    """A row of Phoenix that kvsql cannot decode is skipped and counted, and no other row is lost."""
    Both.phoenix("CREATE TABLE LOOSE (A VARCHAR NOT NULL, B VARCHAR, V INTEGER, CONSTRAINT PK PRIMARY KEY (A, B)) COLUMN_ENCODED_BYTES = 0")
    Both.kvsql.execute(
        "DEFINE RELATION loose { A STRING KEY, B STRING KEY, V INT } WITH (writes = plain); DEFINE PRIMARY SCHEMA loose_s FOR loose "
        "{ TABLE 'LOOSE', ROW suffix(x'00'){phoenix{A}}:regexp('[^\\x00]+'){phoenix{B}}, FAMILY '0', QUALIFIER attr_name[A, B], "
        "VALUE phoenix{attr_value[A, B]} } WITH (marker = '_0', marker_value = 'x', create_tables = false)")
    Both.phoenix("UPSERT INTO LOOSE VALUES ('a', 'b', 1)")
    Both.phoenix("UPSERT INTO LOOSE VALUES ('only', NULL, 2)")
    support.equal(Both.kvsql.select("SELECT * FROM loose"), [["a", "b", 1]])
    assert "loose_s" in Both.kvsql.execute("SHOW STATUS"), Both.kvsql.execute("SHOW STATUS")
    refusal = Both.kvsql.refused("INSERT INTO loose VALUES ('x', '', 3)")
    assert "Phoenix takes '' as NULL" in refusal, refusal  # sooner than that it does not match the regexp


# Key columns, the clause, the layout of the row; keys that have the row key of Phoenix's NULL, and keys that have not.
EMPTY_KEYS = [
    ("NONE_LAST", "A VARCHAR, B VARCHAR, C VARCHAR", "A, B, C", f"{text_key('A')}:{text_key('B')}:phoenix{{C}}",
     [("a", "", "c"), ("", "b", "c"), ("", "", "c")], [("a", "b", ""), ("a", "", ""), ("", "b", "")]),
    ("NONE_OPTIONAL", "A VARCHAR, B VARCHAR, C VARCHAR", "A, B, C", "phoenix{A}:optional(x'00'){phoenix{B}:optional(x'00'){phoenix{C}}}",
     [("a", "", "c"), ("", "b", "c"), ("", "", "c"), ("a", "b", ""), ("a", "", ""), ("", "b", "")], []),
    ("NONE_DESC", "A VARCHAR, B VARCHAR, C VARCHAR", "A DESC, B DESC, C DESC", ":".join(f"desc{{{text_key(name)}}}" for name in "ABC"),
     [], [("a", "", "c"), ("", "b", "c"), ("a", "b", ""), ("a", "", "")]),
    ("NONE_AFTER_DESC", "A VARCHAR, B VARCHAR, C VARCHAR", "A, B DESC, C", f"{text_key('A')}:desc{{{text_key('B')}}}:phoenix{{C}}",
     [("a", "b", ""), ("", "b", "c")], [("a", "", "c")]),
    ("NONE_AFTER_FIXED", "A BIGINT NOT NULL, B VARCHAR", "A, B", "phoenix{A}:phoenix{B}", [(7, ""), (7, "b")], []),
]


def test_empty_keys():
    """'' as a key is Phoenix's NULL: with the same row key there is one row, and elsewhere '' is rejected."""
    for name, columns, clause, layout, equal, refused in EMPTY_KEYS:
        keys = [column.split()[0] for column in columns.split(", ")]
        attributes = ", ".join(f"{key} {'BIGINT' if f'{key} BIGINT' in columns else 'STRING'} KEY" for key in keys)
        Both.phoenix(f"CREATE TABLE {name} ({columns}, V INTEGER, CONSTRAINT PK PRIMARY KEY ({clause})) COLUMN_ENCODED_BYTES = 0")
        Both.kvsql.execute(
            f"DEFINE RELATION {name} {{ {attributes}, V INT }} WITH (writes = plain); DEFINE PRIMARY SCHEMA {name}_s FOR {name} "
            f"{{ TABLE '{name}', ROW {layout}, FAMILY '0', QUALIFIER attr_name[{', '.join(keys)}], "
            f"VALUE phoenix{{attr_value[{', '.join(keys)}]}} }} WITH (marker = '_0', marker_value = 'x', create_tables = false)")
        for number, key in enumerate(equal + refused):
            Both.phoenix(f"UPSERT INTO {name} VALUES ({', '.join(map(literal_or_null, key))}, {number})")
            statement = f"INSERT INTO {name} VALUES ({', '.join(map(repr, key))}, {number + 100})"
            if key in equal:
                Both.kvsql.execute(statement)
            else:
                refusal = Both.kvsql.refused(statement)
                assert "is empty, which has no form" in refusal and "two rows of one primary key" in refusal, refusal
        wanted = ([[str(number + 100)] for number in range(len(equal))]
                  + [[str(number)] for number in range(len(equal), len(equal + refused))])
        foreign.equal_rows(sorted(Both.phoenix(f"SELECT V FROM {name}")), sorted(wanted))
        foreign.equal_rows(sorted(Both.kvsql.select(f"SELECT V FROM {name}")), sorted([number + 100] for number in range(len(equal))))


def literal_or_null(value):
    return "NULL" if value == "" else repr(value)


# A covered index of Phoenix's, and the schema that is the same cells.
INDEXES = [
    ("BY_DAY", "(D)", f"phoenix{{D}}:{text_key('C')}:desc{{phoenix{{ID}}}}", "D >= {day}"),
    ("BY_ID", "(ID, D DESC)", "phoenix{ID}:desc{phoenix{D}}:phoenix{C}", "ID >= -9223372036854775807"),
]
INDEXED = Table("INDEXED", EVENTS.keys, EVENTS.values, EVENTS.key_clause, EVENTS.layout)


def check_indexes():
    """Each schema has what the primary has, and each index what the table has, without a row that had to be repaired."""
    for name, _, _, condition in INDEXES:
        here, in_phoenix = (condition.format(day=day) for day in ("'1900-01-01'", "TO_DATE('1900-01-01', 'yyyy-MM-dd')"))
        cells = Both.java.ask("cells", name)
        wanted = normal_rows(INDEXED, Both.phoenix(f"SELECT /*+ NO_INDEX */ {INDEXED.names()} FROM INDEXED WHERE {in_phoenix}"))
        query = f"SELECT /*+ INDEX(INDEXED {name}) */ {INDEXED.names()} FROM INDEXED WHERE {in_phoenix}"
        plan = Both.phoenix(f"EXPLAIN {query}")
        assert any(f"OVER {name}" in line[0] for line in plan), plan
        foreign.equal_rows(normal_rows(INDEXED, Both.phoenix(query)), wanted)
        foreign.equal_rows(Both.java.ask("cells", name), cells)
        for schema in ("INDEXED_s", name + "_s"):
            foreign.equal_rows(
                normal_rows(INDEXED, Both.kvsql.select(f"SELECT {INDEXED.names()} FROM INDEXED USING SCHEMA {schema} WHERE {here}")), wanted)
        assert len(wanted) == Both.kvsql.select("SELECT count(*) FROM INDEXED USING SCHEMA INDEXED_s")[0][0] > 0, wanted


def test_index():
    """A covered index of Phoenix declared as a schema: both find the tuples of both through it."""
    source = random.Random(SEED)
    tuples = random_tuples(EVENTS, source, 2 * N_RANDOM)
    first, second = tuples[:N_RANDOM], tuples[N_RANDOM:]
    included = ", ".join(name for name, _, _ in INDEXED.values)
    listed = ", ".join(name for name, _, _ in INDEXED.keys)
    Both.phoenix(INDEXED.create(""))
    for name, columns, _, _ in INDEXES:
        Both.phoenix(f"CREATE INDEX {name} ON INDEXED {columns} INCLUDE ({included})")
    Both.kvsql.execute(INDEXED.define(""))
    Both.upsert(INDEXED, "", first)
    for name, _, layout, _ in INDEXES:
        Both.kvsql.execute(
            f"DEFINE SCHEMA {name}_s FOR INDEXED {{ TABLE '{name}', ROW {layout}, FAMILY '0', QUALIFIER '0:':attr_name[{listed}], "
            f"VALUE phoenix{{attr_value[{listed}]}} }} WITH (marker = '_0', marker_value = x'01', create_tables = false)")
        before = Both.java.ask("cells", name)
        Both.kvsql.execute(f"BACKFILL SCHEMA {name}_s")
        foreign.equal_rows(Both.java.ask("cells", name), before)
    Both.insert(INDEXED, "", second)
    check_indexes()
    Both.kvsql.execute("UPDATE INDEXED SET QTY = 17, NOTE = NULL, PRICE = PRICE + 1 WHERE ID >= 0")
    check_indexes()
    Both.phoenix("UPSERT INTO INDEXED (C, D, ID, QTY, NOTE) SELECT C, D, ID, 18, 'phoenix' FROM INDEXED WHERE ID < 10")
    check_indexes()
    Both.kvsql.execute("DELETE FROM INDEXED WHERE C = 'ann'")
    Both.phoenix("DELETE FROM INDEXED WHERE C = 'an'")
    check_indexes()
    # the deleted keys, written again by the other one
    Both.insert(INDEXED, "", [row for row in tuples if row[0] == "an"])
    Both.upsert(INDEXED, "", [row for row in tuples if row[0] == "ann"])
    check_indexes()


def define(name, attributes, row, keys):
    return (f"DEFINE RELATION {name} {{ {attributes} }} WITH (writes = plain); DEFINE PRIMARY SCHEMA {name}_s FOR {name} "
            f"{{ TABLE '{name}', ROW {row}, FAMILY '0', QUALIFIER attr_name[{keys}], VALUE phoenix{{attr_value[{keys}]}} }} "
            f"WITH (marker = '_0', marker_value = 'x', create_tables = false)")


def test_what_goes_wrong():
    """Phoenix fails on the writes that docs/other-systems.md warns of."""
    Both.phoenix("CREATE TABLE MISSED (A VARCHAR NOT NULL, V INTEGER, CONSTRAINT PK PRIMARY KEY (A)) COLUMN_ENCODED_BYTES = 0")
    Both.phoenix("CREATE INDEX MISSED_V ON MISSED (V)")
    Both.kvsql.execute(define("MISSED", "A STRING KEY, V INT", "phoenix{A}", "A"))
    Both.kvsql.execute("INSERT INTO MISSED VALUES ('kvsql', 1)")
    support.equal(Both.phoenix("SELECT /*+ NO_INDEX */ A FROM MISSED WHERE V = 1"), [["kvsql"]])
    support.equal(Both.phoenix("SELECT A FROM MISSED WHERE V = 1"), [])

    Both.phoenix("CREATE TABLE STAMPED (D DATE NOT NULL, A BIGINT NOT NULL, V INTEGER, CONSTRAINT PK PRIMARY KEY (D ROW_TIMESTAMP, A)) "
                 "COLUMN_ENCODED_BYTES = 0")
    Both.kvsql.execute(define("STAMPED", "D TIMESTAMP KEY, A BIGINT KEY, V INT", "phoenix{D}:phoenix{A}", "D, A"))
    Both.kvsql.execute("INSERT INTO STAMPED VALUES ('2024-01-01', 1, 1)")
    Both.phoenix("UPSERT INTO STAMPED VALUES (TO_DATE('2024-01-01', 'yyyy-MM-dd'), 2, 2)")
    support.equal(Both.kvsql.select("SELECT A FROM STAMPED ORDER BY A"), [[1], [2]])
    support.equal(Both.phoenix("SELECT A FROM STAMPED WHERE D < TO_DATE('2024-01-02', 'yyyy-MM-dd')"), [["2"]])


def test_zoo():
    """kvsqlctl infer finds the definitions of tables of Phoenix from their cells."""
    for table in programs.PHOENIX:
        rows, tuples = programs.phoenix_table(table)
        Both.phoenix(f"CREATE TABLE {table.name} {table.statement}")
        for row in rows:
            Both.phoenix(f"UPSERT INTO {table.name} VALUES ({', '.join(map(str, row))})")
        place, script = comparison.look_at(Both.url, comparison.Table(table.name, tuples))
        assert place == 1, (place, script[:2000])


def test_tutorial():
    documents.check("docs/phoenix-tables.md", documents.Runner(Both.kvsql.environment["KVSQL_URI"], {}, Both.phoenix))


def main():
    if os.environ.get("KVSQL_TEST_HBASE_URL") is None:
        support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")
    foreign.need_java()
    complete = support.CACHE / "phoenix-5.2.1" / "complete"
    if not complete.exists() and not os.environ.get("KVSQL_TEST_INSTALL"):
        support.skip_all("the jars of Phoenix are not in the cache; ./check fetches them")
    folder = support.temporary_folder("phoenix")
    atexit.register(foreign.hbase, "stop", folder)
    Both.url = url = foreign.hbase("start", folder, "--phoenix")
    Both.java = foreign.Java(folder, "--phoenix")
    Both.kvsql = foreign.Kvsql(url)
    return support.run([
        ("/foreign/phoenix/bytes", test_bytes),
        ("/foreign/phoenix/lookups", test_lookups),
        ("/foreign/phoenix/ranges", test_ranges),
        ("/foreign/phoenix/changes", test_changes),
        ("/foreign/phoenix/what-does-not-fit", test_what_does_not_fit),
        ("/foreign/phoenix/empty-keys", test_empty_keys),
        ("/foreign/phoenix/index", test_index),
        ("/foreign/phoenix/what-goes-wrong", test_what_goes_wrong),
        *adopted.tests(Both),
        ("/foreign/phoenix/zoo", test_zoo),
        ("/foreign/phoenix/tutorial", test_tutorial),
    ])


if __name__ == "__main__":
    sys.exit(main())
