# SPDX-License-Identifier: LGPL-2.1-or-later
"""adopted.py: tables, views and indexes of Phoenix that `kvsqlctl adopt phoenix` defines; both then read and write them.

tests() gives the tests, which test-phoenix.py runs on its Phoenix.
"""

import random

import foreign
from foreign import support
from phoenix_values import array_parameter, kvsql_literal, normal, phoenix_literal, value_of

SEED = 20261128
N_ROWS = 12
# of columns: what Phoenix calls them, and their types in kvsql
TYPES = {"VARCHAR": "STRING", "CHAR(3)": "STRING", "INTEGER": "INT", "BIGINT": "BIGINT", "SMALLINT": "INT", "TINYINT": "INT",
         "DECIMAL": "DECIMAL", "FLOAT": "FLOAT", "DOUBLE": "DOUBLE", "BOOLEAN": "BOOLEAN", "DATE": "TIMESTAMP", "TIME": "TIMESTAMP",
         "TIMESTAMP": "TIMESTAMP", "BINARY(4)": "BYTES", "VARBINARY": "BYTES", "UNSIGNED_INT": "BIGINT", "UNSIGNED_LONG": "BIGINT",
         "UNSIGNED_SMALLINT": "INT", "UNSIGNED_TINYINT": "INT", "UNSIGNED_FLOAT": "FLOAT", "UNSIGNED_DOUBLE": "DOUBLE",
         "UNSIGNED_DATE": "TIMESTAMP", "UNSIGNED_TIME": "TIMESTAMP", "UNSIGNED_TIMESTAMP": "TIMESTAMP"}
UNSIGNED = {"UNSIGNED_SMALLINT": 32767, "UNSIGNED_TINYINT": 127, "UNSIGNED_LONG": 2**63 - 1}
ALL_TYPES = [f"V{i} {name}" for i, name in enumerate(TYPES)]
ARRAY = " ARRAY"
ALL_ARRAYS = [f"L{i} {name}{ARRAY}" for i, name in enumerate(TYPES) if name != "VARBINARY"]  # of which Phoenix has no array


def type_here(kind):
    return f"LIST<{TYPES[kind.removesuffix(ARRAY)]}>" if kind.endswith(ARRAY) else TYPES[kind]


class Adopted:
    """@keys, @values: "NAME TYPE"; @clause: of the PRIMARY KEY; @relation: in kvsql."""

    def __init__(self, name, keys, values, clause=None, options="", create="TABLE", relation=None):
        self.name, self.options, self.create = name, options, create
        self.relation = relation or name
        self.keys, self.columns = [column.split(" ", 1) for column in keys], [column.split(" ", 1) for column in keys + values]
        self.clause = clause or ", ".join(name for name, _ in self.keys)

    def definition(self):
        columns = ", ".join(f"{name} {kind}{' NOT NULL' if [name, kind] in self.keys else ''}" for name, kind in self.columns)
        return f"CREATE {self.create} {self.name} ({columns}, CONSTRAINT PK PRIMARY KEY ({self.clause})) {self.options}"

    def names(self):
        return [name for name, _ in self.columns]

    def here(self):
        """Names of columns in kvsql: without families, unless two are the same."""
        short = [name.split(".")[-1] for name in self.names()]
        return [name.replace(".", "_") if short.count(last) > 1 else last for name, last in zip(self.names(), short)]


def lower(name):
    return '"' + name + '"'


TABLES = [
    Adopted("A_TYPES", ["K BIGINT"], ALL_TYPES),
    Adopted("A_KEYS", ["A VARCHAR", "B DECIMAL", "C CHAR(3)", "D UNSIGNED_INT", "E SMALLINT", "F TIMESTAMP", "G VARCHAR"], ["V INTEGER"],
            "A DESC, B, C DESC, D, E DESC, F DESC, G"),
    Adopted("A_ONE", ["K VARCHAR"], ["V INTEGER", "W VARCHAR"], options="COLUMN_ENCODED_BYTES = 1"),
    Adopted("A_THREE", ["K VARCHAR"], ["V INTEGER", "W VARCHAR"], options="COLUMN_ENCODED_BYTES = 3"),
    Adopted("A_FOUR", ["K VARCHAR"], ["V INTEGER", "W VARCHAR"], options="COLUMN_ENCODED_BYTES = 4"),
    Adopted("A_NAMED", ["K VARCHAR"], ["V INTEGER", "W VARCHAR"], options="COLUMN_ENCODED_BYTES = 0"),
    Adopted("A_SALTED", ["A VARCHAR", "N BIGINT"], ["V VARCHAR"], "A, N DESC", "SALT_BUCKETS = 5"),
    Adopted("A_FAMILIES", ["K BIGINT"], ["F1.V INTEGER", "F2.V VARCHAR", "F2.W DOUBLE", "X DATE"]),
    Adopted("OTHER.A_SCHEMA", ["K BIGINT"], ["V VARCHAR"], relation="OTHER_A_SCHEMA"),
    Adopted("A_ROWS", ["K BIGINT"], ["V VARCHAR"], create="IMMUTABLE TABLE", options="IMMUTABLE_STORAGE_SCHEME = ONE_CELL_PER_COLUMN"),
    Adopted("A_TENANTS", ["TENANT VARCHAR", "K BIGINT"], ["V VARCHAR"], options="MULTI_TENANT = true"),
    Adopted("A_STAMPED", ["D DATE", "K BIGINT"], ["V VARCHAR"], "D ROW_TIMESTAMP, K"),
    Adopted("A_LOWER", [lower("k") + " VARCHAR"], [lower("it's") + " INTEGER"]),
    Adopted("A_INDEXED", ["D DATE", "K BIGINT"], ["N INTEGER", "S VARCHAR", "B BIGINT", "C CHAR(3)"]),
    Adopted("A_BOTH", ["K VARCHAR"], ["N INTEGER", "S VARCHAR"], options="SALT_BUCKETS = 3"),
    Adopted("A_VIEWED", ["K VARCHAR"], ["V INTEGER", "W VARCHAR"]),
    Adopted("A_CELL", ["K BIGINT"], ALL_TYPES, create="IMMUTABLE TABLE"),
    Adopted("A_CELLS", ["K VARCHAR"], ["F1.V INTEGER", "F2.V VARCHAR", "F1.W BIGINT"], create="IMMUTABLE TABLE",
            options="COLUMN_ENCODED_BYTES = 1"),
    Adopted("A_CELL_FOUR", ["A VARCHAR", "N BIGINT"], ["V INTEGER", "W VARCHAR"], "A, N DESC", create="IMMUTABLE TABLE",
            options="COLUMN_ENCODED_BYTES = 4, SALT_BUCKETS = 3"),
    Adopted("A_CELL_INDEXED", ["K BIGINT"], ["N INTEGER", "S VARCHAR", "B BIGINT"], create="IMMUTABLE TABLE"),
    Adopted("A_ARRAYS", ["K BIGINT"], ALL_ARRAYS),
    Adopted("A_CELL_ARRAYS", ["K BIGINT"], ALL_ARRAYS + ["Z VARCHAR"], create="IMMUTABLE TABLE"),
    Adopted("A_ARRAYS_INDEXED", ["K BIGINT"], ["N INTEGER", "L INTEGER ARRAY", "S VARCHAR ARRAY"]),
]
INDEXES = {
    "A_BY_K": "A_INDEXED (K) INCLUDE (N, S, B, C)",
    "A_BY_N": "A_INDEXED (N) INCLUDE (S)",
    "A_BY_S": "A_INDEXED (S DESC, B)",
    "A_BY_C": "A_INDEXED (C)",
    "A_BOTH_N": "A_BOTH (N DESC) INCLUDE (S)",
    "A_CELL_N": "A_CELL_INDEXED (N) INCLUDE (B, S)",
    "A_CELL_S": "A_CELL_INDEXED (S)",
    "A_ARRAYS_N": "A_ARRAYS_INDEXED (N) INCLUDE (L, S)",
}
# conditions on A_INDEXED that each index serves
INDEXED = {"A_BY_K": "K > 0", "A_BY_N": "N BETWEEN -7 AND 7", "A_BY_S": "S = 'ann'", "A_BY_C": "C = 'ab'"}
NOT_POSSIBLE = {
    "A_CELL_LISTS": ("CREATE IMMUTABLE TABLE A_CELL_LISTS (K BIGINT NOT NULL PRIMARY KEY, L INTEGER ARRAY, V INTEGER)",
                     "column L is type 9000: its bytes are in its attribute"),
    "A_LOCAL": ("CREATE LOCAL INDEX A_LOCAL ON A_ONE (V)", "local index"),
    "A_EXPRESSION": ("CREATE INDEX A_EXPRESSION ON A_FOUR (UPPER(W))", "expression"),
    "A_LISTS": ("CREATE TABLE A_LISTS (K BIGINT NOT NULL PRIMARY KEY, L INTEGER ARRAY, V INTEGER)",
                "column L is type 9000: its bytes are in the attribute other_cells"),
    "A_LISTED": ("CREATE TABLE A_LISTED (K VARCHAR NOT NULL PRIMARY KEY, L INTEGER ARRAY, V INTEGER)",
                 "column L is type 9000, and is left out"),
    "A_LISTED_V": ("CREATE LOCAL INDEX A_LISTED_V ON A_LISTED (V)", "local index"),
    "A_COVERED": ("CREATE TABLE A_COVERED (K BIGINT NOT NULL PRIMARY KEY, L INTEGER ARRAY, V INTEGER)", "type 9000"),
    "A_COVERED_V": ("CREATE INDEX A_COVERED_V ON A_COVERED (V) INCLUDE (L)", "-- A_COVERED"),
    "A_ARRAY_KEY": ("CREATE TABLE A_ARRAY_KEY (K BIGINT NOT NULL, L INTEGER ARRAY, V INTEGER, CONSTRAINT PK PRIMARY KEY (K, L))",
                    "column L of its key is INTEGER ARRAY"),
}
# columns that get a type of which kvsql does not know
UNKNOWN = {"A_CELL_LISTS": "L", "A_LISTS": "L", "A_LISTED": "L", "A_COVERED": "L", "A_COVERED_V": "0:L"}
# why tables are only for reading
ONLY_READ = {"A_STAMPED": "a ROW_TIMESTAMP", "A_ONE": "an index would not be written", "A_FOUR": "an index would not be written",
             "A_LISTED": "an index would not be written", "A_COVERED": "an index includes a column", "A_VIEWED": "a view has columns of its own",
             "A_MAPPED": "it is a view of a table"}


def value_for(source, name, kind):
    if kind.endswith(ARRAY):
        return list_for(source, name, kind.removesuffix(ARRAY))
    if kind in UNSIGNED:
        return source.choice([0, 1, UNSIGNED[kind], source.randint(0, UNSIGNED[kind])])
    if kind.startswith("UNSIGNED_") and TYPES[kind] in ("FLOAT", "DOUBLE"):
        return source.choice([0.5, 1.5, 100.25])
    if kind.startswith("UNSIGNED_") and TYPES[kind] == "TIMESTAMP":
        return source.choice(["2024-02-29T12:34:56.789Z", "1970-01-01T00:00:00.000Z"])
    if kind == "BINARY(4)":
        return bytes(source.randrange(256) for _ in range(4))
    return value_of(source, name, TYPES[kind], kind)


def list_for(source, name, kind):
    """In Phoenix, only elements without a fixed size are NULL."""
    may_be_null = kind in ("VARCHAR", "DECIMAL")
    elements = [None if may_be_null and source.random() < 0.3 else value_for(source, name, kind) for _ in range(source.choice([1, 2, 3, 7]))]
    return elements + source.choice([0, 0, 0, 2, 255, 300]) * [None] + elements if may_be_null else elements


def in_phoenix(kind, value):
    if kind.endswith(ARRAY):
        return "?"
    literal = phoenix_literal(TYPES[kind], value)
    kind = kind.removeprefix("UNSIGNED_")
    return literal.replace("TO_DATE", "TO_" + kind) if kind in ("TIME", "TIMESTAMP") else literal


def random_rows(table, source):
    """Some with the same key replace one another."""
    rows = {}
    for _ in range(N_ROWS):
        row = [value_for(source, name, "UNSIGNED_DATE" if "ROW_TIMESTAMP" in table.clause and kind == "DATE" else kind)
               for name, kind in table.columns]
        for i in range(len(table.keys), len(row)):
            row[i] = None if source.random() < 0.2 else row[i]
        rows[tuple(row[:len(table.keys)])] = row
    return list(rows.values())


def upsert(both, table, rows):
    names = ", ".join(table.names())
    for row in rows:
        values = ", ".join(in_phoenix(kind, value) for (_, kind), value in zip(table.columns, row))
        arrays = [array_parameter(kind.removesuffix(ARRAY), value) for (_, kind), value in zip(table.columns, row) if kind.endswith(ARRAY)]
        both.java.ask("arrays", f"UPSERT INTO {table.name} ({names}) VALUES ({values})", *arrays)


def insert(both, table, rows):
    values = ", ".join("(" + ", ".join(kvsql_literal(type_here(kind), value) for (_, kind), value in zip(table.columns, row)) + ")"
                       for row in rows)
    both.kvsql.execute(f"INSERT INTO {table.relation} ({', '.join(table.here())}) VALUES {values}")


def normal_value(kind, value):
    """Phoenix fills the elements of a CHAR ARRAY with blanks, up to the longest one."""
    result = normal(type_here(kind), value)
    return [each.rstrip(" ") for each in result] if kind == "CHAR(3) ARRAY" and result else result


def normal_rows(table, rows):
    return sorted(([normal_value(kind, value) for (_, kind), value in zip(table.columns, row)] for row in rows), key=repr)


# Phoenix 5.2.1 leaves the cell of a column that becomes NULL in a covered index, and its own filters find it there.
NO_INDEX = "/*+ NO_INDEX */ "


def compare(both, table, condition="", hint=NO_INDEX, schema=""):
    """Both find the same. Returns the rows."""
    found = normal_rows(table, both.kvsql.select(f"SELECT {', '.join(table.here())} FROM {table.relation}{schema}{condition}"))
    foreign.equal_rows(found, normal_rows(table, both.phoenix(f"SELECT {hint}{', '.join(table.names())} FROM {table.name}{condition}")))
    return found


# keys whose columns may be NULL, and their indexes; A, B and C are in each
NULL_KEYS = {
    "N_TEXT": "A VARCHAR, B VARCHAR, C VARCHAR{} PRIMARY KEY (A, B, C)",
    "N_SALTED": "A VARCHAR, B VARCHAR, C VARCHAR{} PRIMARY KEY (A, B, C)",
    "N_FIXED": "A BIGINT NOT NULL, B VARCHAR, C VARCHAR{} PRIMARY KEY (A, B, C)",
    "N_MIDDLE": "A VARCHAR NOT NULL, B VARCHAR, C INTEGER NOT NULL{} PRIMARY KEY (A, B, C)",
    "N_DESC": "A VARCHAR NOT NULL, B VARCHAR, C VARCHAR{} PRIMARY KEY (A DESC, B, C)",
}
NULL_INDEXES = {"N": "N", "S": "S", "B": "B, S", "CN": "C, N", "SD": "S DESC", "A": "A, S", "U": "S"}
NULL_CONDITIONS = {"N": "N >= 0", "S": "S = 'ann'", "B": "B = 'x'", "CN": "C = 'a'", "SD": "S = 'bob'", "A": "S = 'ann'", "U": "S = 'ann'"}


def null_key_indexes(name):
    """All of one table: Phoenix takes a second for each."""
    return NULL_INDEXES if name == "N_TEXT" else {"S": "S"}


def null_key_rows(name):
    """Each combination of values and NULL in the key, but not NULL in all of it."""
    firsts = [1, -2] if name == "N_FIXED" else ["a", "ab"] + ([None] if name in ("N_TEXT", "N_SALTED") else [])
    rows = [[a, b, c] for a in firsts for b in ("x", "y z", None) for c in ([5, -5] if name == "N_MIDDLE" else ["a", "x", None])]
    rows = [row for row in rows if row != [None, None, None]]
    return [[*row, [None, 7, 0][i % 3], [None, "ann", "bob", ""][i % 4] or None] for i, row in enumerate(rows)]


def null_key_select(both, name, condition="", hint=NO_INDEX, schema=""):
    """Both find the same; a NULL in the key is '' here. Returns the rows."""
    found = [[None if value == "" else value for value in row] for row in both.kvsql.select(f"SELECT A, B, C, N, S FROM {name}{schema}{condition}")]
    wanted = [[None if value == "\\N" else value for value in row] for row in both.phoenix(f"SELECT {hint}A, B, C, N, S FROM {name}{condition}")]
    foreign.equal_rows(sorted(([None if value is None else str(value) for value in row] for row in found), key=repr), sorted(wanted, key=repr))
    return wanted


def compare_null_keys(both, name, indexes):
    assert null_key_select(both, name)
    for index in indexes:
        condition, name_of = NULL_CONDITIONS[index], f"{name}_{index}"
        assert null_key_select(both, name, f" WHERE {condition}", f"/*+ INDEX({name} {name_of}) */ ", f" USING SCHEMA {name_of}")


def forget_type(both, table, column):
    """As if a later Phoenix had made the column. This one has the table in its cache."""
    key = f"\0\0{table}\0{column}\0000".encode()
    both.java.ask("put", "SYSTEM.CATALOG", key.hex(), "0", b"DATA_TYPE".hex(), (9000 + 2**31).to_bytes(4, "big").hex())


def cells(both):
    return {name: both.java.ask("cells", name) for name in [*(table.name for table in TABLES), *INDEXES]}


def compare_indexed(both, indexes):
    """Phoenix finds the same through each index, and kvsql through @indexes."""
    table = next(table for table in TABLES if table.name == "A_INDEXED")
    for index, condition in INDEXED.items():
        found = compare(both, table, " WHERE " + condition, f"/*+ INDEX(A_INDEXED {index}) */ ")
        assert found, (index, condition)
        if index in indexes:
            foreign.equal_rows(compare(both, table, " WHERE " + condition, schema=f" USING SCHEMA {index}"), found)


def tests(both):
    source = random.Random(SEED)

    def test_read():
        """What Phoenix has, and has written, is found, and no byte is changed."""
        for table in TABLES:
            both.phoenix(table.definition())
        for name, columns in INDEXES.items():
            both.phoenix(f"CREATE INDEX {name} ON {columns}")
        for statement, _ in NOT_POSSIBLE.values():
            both.phoenix(statement)
        both.phoenix("CREATE VIEW A_VIEW AS SELECT * FROM A_ONE WHERE V > 0")
        both.phoenix("CREATE VIEW A_WIDER (MORE INTEGER) AS SELECT * FROM A_VIEWED WHERE W = 'ann'")
        both.java.ask("create", "A_MAPPED", "f")
        both.java.ask("put", "A_MAPPED", b"k".hex(), "f", b"v".hex(), b"text".hex())
        both.phoenix('CREATE VIEW A_MAPPED (K VARCHAR PRIMARY KEY, "f"."v" VARCHAR)')
        both.phoenix("UPSERT INTO A_LISTED VALUES ('one', ARRAY[1, 2], 3)")
        for name in ("A_LISTS", "A_COVERED", "A_CELL_LISTS"):
            both.phoenix(f"UPSERT INTO {name} VALUES (1, ARRAY[1, 2], 3)")
        for table in TABLES:
            rows = random_rows(table, source)
            if table.name == "A_INDEXED":
                rows += [["2024-02-29T12:34:56.789Z", 5, 7, "ann", 1, "ab"], ["2024-02-29T12:34:56.789Z", 6, -7, None, None, None]]
            upsert(both, table, rows)
        for name, column in UNKNOWN.items():
            forget_type(both, name, column)
        before = cells(both)
        shown = both.kvsql.run("adopt", "phoenix", "--table", "*A_*")
        for name, (_, reason) in NOT_POSSIBLE.items():
            assert reason in shown, (name, reason, shown)
        assert "its own column MORE is left out" in shown, shown
        support.equal(both.kvsql.run("adopt", "phoenix", "--table", "*A_*", "--apply").count(": defined"), len(TABLES) + 7)
        for table in TABLES:
            support.equal(len(compare(both, table)) > 0, True)
        compare_indexed(both, INDEXED)
        support.equal(both.kvsql.select("SELECT K, v FROM A_MAPPED"), [["k", "text"]])
        support.equal(both.kvsql.select("SELECT * FROM A_LISTED"), [["one", 3]])
        support.equal(both.kvsql.select("SELECT K FROM A_COVERED WHERE V = 3"), [[1]])
        support.equal(both.kvsql.select("SELECT * FROM A_CELL_LISTS"), [[1, "8000000180000002", 3]])
        support.equal(both.kvsql.select("SELECT K FROM A_VIEW ORDER BY K"), both.phoenix("SELECT K FROM A_VIEW ORDER BY K"))
        assert "role = read" in both.kvsql.refused("INSERT INTO A_ONE VALUES ('new', 1, 'x')")
        support.equal(cells(both), before)

    def test_unknown_type():
        """A column without a type here keeps its bytes."""
        (key, value, other), = both.kvsql.select("SELECT K, V, other_cells FROM A_LISTS")
        support.equal((key, value), (1, 3))
        support.equal(list(other.values()), ["x'8000000180000002'"])

    def test_written():
        """Each finds what the other writes, through the indexes, too."""
        for table in TABLES:
            both.kvsql.execute(f"DROP RELATION {table.relation} CASCADE")
        shown = both.kvsql.run("adopt", "phoenix", "--table", "*A_*", "--writable")
        for name, reason in ONLY_READ.items():
            assert "only for reading: " + reason in shown.split(f"-- {name}\n")[1].split("\n\n")[0], (name, shown)
        support.equal(shown.count("only for reading"), len(ONLY_READ))
        for table in TABLES:
            both.kvsql.run("adopt", "phoenix", "--table", table.name, "--apply", "--writable")
            if table.name in ONLY_READ:
                continue
            insert(both, table, random_rows(table, source))
            compare(both, table)
            upsert(both, table, random_rows(table, source))
            compare(both, table)
        both.kvsql.execute("BACKFILL SCHEMA A_BY_S; BACKFILL SCHEMA A_BY_C")
        compare_indexed(both, ("A_BY_S", "A_BY_C"))
        both.kvsql.execute("UPDATE A_INDEXED SET N = 3, S = 'ann', C = NULL WHERE K > 100; DELETE FROM A_INDEXED WHERE S = 'bob'")
        compare_indexed(both, ("A_BY_S", "A_BY_C"))
        both.phoenix("UPSERT INTO A_INDEXED (D, K, N, B, C) SELECT D, K, 4, NULL, 'ab' FROM A_INDEXED WHERE K < 0")
        compare_indexed(both, ("A_BY_S", "A_BY_C"))

    def test_one_cell():
        """A cell of all columns has the same bytes, and columns come and go."""
        table = next(table for table in TABLES if table.name == "A_CELL")
        rows = random_rows(table, source)
        insert(both, table, rows)
        before = both.java.ask("cells", table.name)
        upsert(both, table, rows)
        support.equal(both.java.ask("cells", table.name), before)

        both.phoenix("CREATE IMMUTABLE TABLE A_CHANGED (K BIGINT NOT NULL PRIMARY KEY, V VARCHAR, W INTEGER)")
        both.phoenix("UPSERT INTO A_CHANGED VALUES (1, 'a', 1)")
        both.phoenix("ALTER TABLE A_CHANGED ADD X VARCHAR")
        both.phoenix("UPSERT INTO A_CHANGED VALUES (2, 'b', 2, 'x')")
        both.phoenix("ALTER TABLE A_CHANGED DROP COLUMN V")
        both.phoenix(f"UPSERT INTO A_CHANGED VALUES (3, 3, '{'long' * 9000}')")
        both.kvsql.run("adopt", "phoenix", "--table", "A_CHANGED", "--apply", "--writable")
        both.kvsql.execute(f"INSERT INTO A_CHANGED VALUES (4, NULL, 'z'), (5, 5, '{'long' * 9000}')")
        both.kvsql.execute("UPDATE A_CHANGED SET W = W + 10 WHERE K < 4")
        wanted = [[1, 11, None], [2, 12, "x"], [3, 13, "long" * 9000], [4, None, "z"], [5, 5, "long" * 9000]]
        support.equal(both.kvsql.select("SELECT K, W, X FROM A_CHANGED ORDER BY K"), wanted)
        support.equal(both.phoenix("SELECT K, W, X FROM A_CHANGED ORDER BY K"),
                      [["\\N" if value is None else str(value) for value in row] for row in wanted])

    def test_arrays():
        """Arrays of all types have the same bytes, and what Phoenix's functions make of them is read."""
        for table in TABLES:
            if not table.name.endswith("_ARRAYS"):
                continue
            for write, write_again in ((insert, upsert), (upsert, insert)):
                rows = random_rows(table, source)
                write(both, table, rows)
                before = both.java.ask("cells", table.name)
                write_again(both, table, rows)
                foreign.equal_rows(both.java.ask("cells", table.name), before)
                compare(both, table)

        table = next(table for table in TABLES if table.name == "A_ARRAYS_INDEXED")
        both.phoenix("UPSERT INTO A_ARRAYS_INDEXED VALUES (1001, 5, ARRAY[1, 2], ARRAY['a', NULL, NULL, 'b'])")
        both.kvsql.execute("INSERT INTO A_ARRAYS_INDEXED VALUES (1002, 5, '[3]', '[\"c\", null, \"d\"]')")
        for i, (numbers, texts) in enumerate([("ARRAY_APPEND(L, 9)", "ARRAY_APPEND(S, 'z')"), ("ARRAY_PREPEND(9, L)", "ARRAY_PREPEND('z', S)"),
                                              ("ARRAY_CAT(L, ARRAY[7, 8])", "ARRAY_CAT(S, ARRAY['y', 'z'])")]):
            both.phoenix(f"UPSERT INTO A_ARRAYS_INDEXED SELECT K + {10 * (i + 1)}, N, {numbers}, {texts} FROM A_ARRAYS_INDEXED WHERE K IN (1001, 1002)")
        support.equal(len(compare(both, table, " WHERE K > 1000 AND K < 2000")), 8)
        support.equal(both.kvsql.select("SELECT L, S FROM A_ARRAYS_INDEXED WHERE K = 1032"), [[[3, 7, 8], ["c", None, "d", "y", "z"]]])
        support.equal(both.kvsql.select("SELECT K FROM A_ARRAYS_INDEXED WHERE S[4] = 'b' AND K > 1000 ORDER BY K"), [[1001], [1011], [1031]])
        support.equal(both.phoenix("SELECT K FROM A_ARRAYS_INDEXED WHERE S[4] = 'b' AND K > 1000 ORDER BY K"), [["1001"], ["1011"], ["1031"]])
        assert compare(both, table, " WHERE N >= -2147483647", "/*+ INDEX(A_ARRAYS_INDEXED A_ARRAYS_N) */ ")
        for value, reason in (("'[]'", "Phoenix takes an empty array as NULL"), ("'[1, null]'", "only elements of VARCHAR and DECIMAL can be NULL")):
            refusal = both.kvsql.refused(f"INSERT INTO A_ARRAYS_INDEXED (K, L) VALUES (3000, {value})")
            assert reason in refusal, refusal

    def test_null_keys():
        """NULL in a key, which Phoenix leaves out at its end, is read, found through indexes, and written."""
        for name, columns in NULL_KEYS.items():
            both.phoenix(f"CREATE TABLE {name} ({columns.format(', N INTEGER, S VARCHAR, CONSTRAINT PK')})"
                         + (" SALT_BUCKETS = 3" if name == "N_SALTED" else ""))
            for index, listed in null_key_indexes(name).items():
                both.phoenix(f"CREATE {'UNCOVERED ' if index == 'U' else ''}INDEX {name}_{index} ON {name} ({listed})")
            for row in null_key_rows(name):
                values = ", ".join("NULL" if value is None else repr(value) for value in row)
                both.phoenix(f"UPSERT INTO {name} VALUES ({values})")
        shown = both.kvsql.run("adopt", "phoenix", "--table", "N_*", "--apply")
        assert "left out" not in shown, shown
        before = {name: both.java.ask("cells", name) for name in NULL_KEYS}
        for name in NULL_KEYS:
            support.equal(len(null_key_select(both, name)), len(null_key_rows(name)))
            compare_null_keys(both, name, null_key_indexes(name))
            plan = both.kvsql.execute(f"EXPLAIN SELECT N FROM {name} WHERE A = {1 if name == 'N_FIXED' else repr('a')} AND B = 'x' AND "
                                      f"C = {5 if name == 'N_MIDDLE' else repr('')}")
            support.equal((plan.count("\n    row \""), "rows from" in plan.split("Not chosen")[0]), (1, False))
        both.kvsql.execute("; ".join(f"DROP RELATION {name} CASCADE" for name in NULL_KEYS))
        for name in NULL_KEYS:
            both.kvsql.run("adopt", "phoenix", "--table", name, "--apply", "--writable")
            rows = ", ".join("(" + ", ".join("''" if value is None and i < 3 else "NULL" if value is None else repr(value)
                                             for i, value in enumerate(row)) + ")" for row in null_key_rows(name))
            both.kvsql.execute(f"INSERT INTO {name} VALUES {rows}")
            support.equal([line[:2] for line in both.java.ask("cells", name)], [line[:2] for line in before[name]])
            both.kvsql.execute("; ".join(f"BACKFILL SCHEMA {name}_{index}" for index in null_key_indexes(name)))
            both.kvsql.execute(f"UPDATE {name} SET N = 8, S = 'ann' WHERE B = 'x'; DELETE FROM {name} WHERE B = 'y z' AND N = 7")
            both.phoenix(f"DELETE FROM {name} WHERE B IS NULL AND N = 0")
            compare_null_keys(both, name, null_key_indexes(name))

    return [("/foreign/phoenix/adopted/" + test.__name__.removeprefix("test_"), test) for test in (
        test_read, test_unknown_type, test_written, test_one_cell, test_arrays, test_null_keys)]
