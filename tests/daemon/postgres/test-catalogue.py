#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The catalogue as its clients see it: what psql shows, and the answers to the statements that clients send, are those of PostgreSQL.

catalogue-statements.json has statements that clients sent to PostgreSQL 15, by client; {kv} is the number of the table kv.
Without PostgreSQL the test is skipped.
"""

import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import PORT, Server  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 60
DEFINITIONS = [
    "CREATE TABLE visit (day DATE PRIMARY KEY, page VARCHAR(20) NOT NULL DEFAULT 'x', seen TIMESTAMP, n BIGINT, \"Big\" TEXT)",
    "CREATE INDEX visit_page ON visit (page)",
    "CREATE TABLE kv (shop INT, n INT, v TEXT, p NUMERIC(10, 2), b BYTEA, o BOOLEAN, d DOUBLE PRECISION, f REAL, s SMALLINT, "
    "c CHAR(3), PRIMARY KEY (shop, n))",
    "COMMENT ON RELATION kv IS 'pairs'",
    "COMMENT ON ATTRIBUTE kv.v IS 'the value'",
]
SHOWN = ["\\d", "\\d visit", "\\d kv", "\\d+ kv", "\\d kv_pkey", "\\d visit_page", "\\dt", "\\dt k*", "\\dt+ nosuch", "\\di", "\\dv", "\\ds",
         "\\du", "\\df", "\\dT", "\\dp", "\\d nosuch", "\\d \"Kv\"", "\\dn nosuch", "\\dt public.*", "\\dd", "\\dD", "\\des"]
# Rows, names and types of these are the same. PostgreSQL has a check for each NOT NULL in table_constraints.
QUERIES = [
    "SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 2",
    "SELECT column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, numeric_precision, "
    "numeric_scale, datetime_precision, udt_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, 2",
    "SELECT * FROM information_schema.key_column_usage WHERE table_name IN ('kv', 'visit') ORDER BY table_name, ordinal_position",
    "SELECT * FROM information_schema.table_constraints WHERE constraint_type = 'PRIMARY KEY' AND table_schema = 'public' ORDER BY 3",
    "SELECT schema_name FROM information_schema.schemata ORDER BY 1",
    "SELECT tablename, hasindexes FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT 'kv'::regclass::text, 'pg_class'::regclass::oid, 'int4'::regtype, 1043::regtype::text, 'character varying'::regtype::oid",
    "SELECT 'nosuch'::regclass",
    "SELECT to_regclass('nosuch') IS NULL, to_regclass('public.kv')::text",
    "SELECT nosuch FROM pg_class",
    "SELECT c.nosuch FROM pg_class c",
    "SELECT x.oid FROM pg_class c",
    "SELECT 1 FROM pg_catalog.nosuch",
    "SELECT oid FROM pg_class, pg_type",
    "SELECT nosuch(1) FROM pg_class",
    "SELECT 1 FROM pg_class WHERE oid = 'x'",
    "SELECT FROM WHERE pg_class",
    "SELECT pg_class.oid AS a, relname b, count(*), 1, 'x', true, oid::text, CASE WHEN true THEN 1 END, coalesce(relname, 'x'), "
    "ARRAY[1, 2], (SELECT typname FROM pg_type LIMIT 1), EXISTS (SELECT 1), upper(relname), NULL, oid::regclass, 1 + 1, current_user "
    "FROM pg_class WHERE relname = 'kv' GROUP BY 1, 2, oid, relname",
    "SELECT relname FROM pg_class WHERE relname ~ '^k' AND relname !~ 'pkey$' AND relname ~* 'KV' AND relname LIKE 'k_' AND relname ILIKE 'K%'",
    "SELECT relname FROM pg_class WHERE relname OPERATOR(pg_catalog.~) '^(kv)$' COLLATE pg_catalog.default",
    "SELECT attname FROM pg_attribute WHERE attrelid = 'kv'::regclass AND attnum = ANY (ARRAY[1, 3]) ORDER BY attnum DESC",
    "SELECT attname FROM pg_attribute WHERE attrelid = 'kv'::regclass AND attnum > 0 AND attname <> ALL ('{shop,n}') ORDER BY attnum",
    "SELECT array_agg(attname ORDER BY attnum), string_agg(attname, ',' ORDER BY attnum DESC) FROM pg_attribute WHERE attrelid = "
    "'kv'::regclass AND attnum > 0",
    "SELECT array_to_string(ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = 'kv'::regclass AND attnum > 0 ORDER BY attnum), E'\\n')",
    "SELECT indkey, indkey[0], indkey[1], indkey[9], array_length(conkey, 1), conkey, conkey[1] FROM pg_index JOIN pg_constraint ON "
    "conindid = indexrelid WHERE indrelid = 'kv'::regclass",
    "SELECT unnest(conkey) AS k, generate_subscripts(conkey, 1) AS i FROM pg_constraint WHERE conname = 'kv_pkey' ORDER BY 2",
    "SELECT k.attnum, k.ord FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY AS k(attnum, ord) WHERE conname = 'kv_pkey' ORDER BY 2",
    "SELECT * FROM generate_series(1, 5, 2) AS s(i)",
    "SELECT (information_schema._pg_expandarray(indkey)).n FROM pg_index WHERE indrelid = 'kv'::regclass",
    "SELECT * FROM unnest(current_schemas(true))",
    "SELECT substring('abcdef' from 2 for 3), trim(both '\"' from '\"x\"'), position('c' in 'abc'), quote_ident('A b'), quote_literal('it''s'), "
    "split_part('a.b', '.', 2), left('abc', 2), right('abc', 2), strpos('abc', 'c'), pg_typeof(1), pg_typeof('x'::text)",
    "SELECT format_type(atttypid, atttypmod), atttypid::regtype FROM pg_attribute WHERE attrelid = 'kv'::regclass AND attnum > 0 ORDER BY attnum",
    "SELECT relkind, count(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace GROUP BY relkind HAVING count(*) > 1 ORDER BY n",
    "SELECT relname, row_number() OVER (PARTITION BY relkind ORDER BY relname) FROM pg_class WHERE relnamespace = 2200 ORDER BY 1",
    "SELECT relname FROM pg_class WHERE relname = 'kv' UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'public' ORDER BY 1",
    "WITH t AS (SELECT relname AS a FROM pg_class WHERE relname IN ('kv', 'visit')) SELECT a FROM t ORDER BY a DESC LIMIT 1 OFFSET 1",
    "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT i, (SELECT count(*) FROM pg_am WHERE false) FROM r",
    "SELECT relname FROM pg_class JOIN pg_description ON objoid = pg_class.oid AND objsubid = 0 AND description = 'pairs'",
    "SELECT obj_description('kv'::regclass, 'pg_class'), col_description('kv'::regclass, 3)",
    "SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS v(x, y), pg_am WHERE amname = 'heap' ORDER BY x",
    "SELECT current_setting('server_encoding'), current_setting('nosuch', true)",
    "SELECT current_setting('nosuch.x')",
    "SELECT has_table_privilege('kv', 'SELECT'), has_schema_privilege('public', 'USAGE')",
    "SELECT a.attname, d.adbin IS NULL, pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid "
    "AND d.adnum = a.attnum WHERE a.attrelid = 'visit'::regclass AND a.attnum > 0 ORDER BY a.attnum",
    "SELECT typname, typlen, typbyval, typelem, typarray, typinput, typdelim FROM pg_type WHERE typname IN ('int4', '_text', 'name') ORDER BY 1",
    "SELECT rngtypid, rngsubtype FROM pg_range ORDER BY 1",
]
PARAMETERS = [
    ("SELECT relname FROM pg_class WHERE relkind = ANY ($1) AND relnamespace = $2 ORDER BY 1", ["{r,i}", "2200"]),
    ("SELECT relname FROM pg_class WHERE relname = $1 OR oid = $2", ["kv", "0"]),
    ("SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > $2 ORDER BY attnum LIMIT $3", ["visit", "0", "2"]),
    ("SELECT typname FROM pg_type WHERE oid = any ($1::oid[]) ORDER BY oid", ["{16,25}"]),
    ("SELECT relname FROM pg_class WHERE relname LIKE $1 AND relhasindex = $2 ORDER BY 1", ["k%", "t"]),
]
# What recorded statements ask for and kvsql has not, or has otherwise.
DIFFERENT = {
    "pg_size_pretty": "the size of a relation is not known",
    "pg_get_userbyid(n.nspowner)": "the owner of public is not pg_database_owner",
    "pg_extension e": "there are no extensions",
    "s.source <> 'default'": "other settings",
    "'now'::": "pg_proc has the functions of types only",
    "pg_get_functiondef": "pg_proc has the functions of types only",
    "t.typtype = 'd'": "information_schema has no domains",
    "then (select CASE when base_type.oid": "information_schema has no domains",
    "t.typrelid = 0 OR": "relations have no row types",
    "pg_catalog.array_in": "relations have no row types",
    "WITH ranges AS": "relations have no row types",
    "tmp.CARDINALITY": "the number of tuples is not known",
    "pg_database d ORDER BY 1": "there is one database",
    "proallargtypes": "pg_proc has the functions of types only",
    "pg_stat_get_numscans": "there are no statistics of scans",
}

NUMBERS = ("SELECT oid, relname FROM pg_class WHERE relnamespace = 2200 UNION ALL SELECT oid, conname || ' constraint' FROM pg_constraint "
           "UNION ALL SELECT oid, rolname || ' role' FROM pg_roles UNION ALL SELECT oid, 'adbin' FROM pg_attrdef "
           "UNION ALL SELECT oid, nspname FROM pg_namespace")


class Side:
    """A server with its psql."""

    def __init__(self, address, host, port):
        self.peer = wire.Peer(address)
        self.options = ["-h", host, "-p", str(port), "-U", "test", "-d", "postgres"]
        self.names = {}

    def define(self, relation, attribute):
        for definition in DEFINITIONS:
            definition = definition.replace("RELATION", relation).replace("ATTRIBUTE", attribute)
            errors = [value for kind, value in self.peer.ask(wire.query(definition)) if kind == "E"]
            assert not errors, (definition, errors)
        self.names = {number.encode(): name for number, name in self.peer.rows(NUMBERS)}

    def show(self, command):
        return subprocess.run(["psql", "-X", *self.options, "-c", command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, check=False).stdout

    def ask(self, sql, values=()):
        """SQLSTATE, or the types of parameters, the columns and the rows, with the names of objects for their numbers."""
        answers = self.peer.ask(wire.parse(sql), wire.describe("S"), wire.SYNC)
        # without modifiers: those of information_schema are those of its domains
        described = [[(*each[:3], each[4]) for each in value] if kind == "T" else value for kind, value in answers if kind in "tTn"]
        if not any(kind == "E" for kind, _ in answers):
            values = list(values) + [None] * (len(described[0]) - len(values))
            answers = self.peer.ask(wire.parse(sql), wire.bind(values), wire.execute(), wire.SYNC)
        errors = [value["C"] for kind, value in answers if kind == "E"]
        if errors:
            return errors[0]
        rows = [[self.names.get(value, value) for value in row] for kind, row in answers if kind == "D"]
        if "order by" not in sql.lower():
            rows.sort(key=repr)
        return described, rows


def differ(sql, mine, theirs):
    print(f"# {sql[:400]}\n#   kvsqld:     {str(mine)[:2000]}\n#   PostgreSQL: {str(theirs)[:2000]}")


def main():
    folder = support.temporary_folder("catalogue")
    binaries = postgresql.binaries_or_skip()
    other = postgresql.PostgreSQL(binaries, folder)
    server = Server()
    mine, theirs = Side(server.address, server.directory, PORT), Side(("127.0.0.1", other.port), "127.0.0.1", other.port)
    mine.define("RELATION", "ATTRIBUTE")
    theirs.define("TABLE", "COLUMN")
    results = []

    def compare(sql, ours, others):
        results.append(ours == others)
        if ours != others:
            differ(sql, ours, others)

    def test_psql():
        for command in SHOWN:
            compare(command, mine.show(command), theirs.show(command))

    def test_queries():
        for sql in QUERIES:
            compare(sql, mine.ask(sql), theirs.ask(sql))

    def test_parameters():
        for sql, values in PARAMETERS:
            compare(sql, mine.ask(sql, values), theirs.ask(sql, values))

    def test_recorded():
        for statements in json.loads((HERE / "catalogue-statements.json").read_text()).values():
            for sql in statements:
                if any(part in sql for part in DIFFERENT):
                    continue
                answers = []
                for side in (mine, theirs):
                    number = next(key for key, name in side.names.items() if name == "kv").decode()
                    answers.append(side.ask(sql.replace("{kv}", number)))
                compare(re.sub(r"\s+", " ", sql), *answers)

    def all_equal(test):
        def run():
            results.clear()
            test()
            equal((len(results), results.count(False)), (len(results), 0))
        return run

    try:
        return support.run([("/postgres/catalogue/" + test.__name__.removeprefix("test_"), all_equal(test))
                            for test in (test_psql, test_queries, test_parameters, test_recorded)])
    finally:
        theirs.peer.socket.close()  # PostgreSQL waits for its clients
        other.stop()
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
