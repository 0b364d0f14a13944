#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes facts-*.c: the columns of PostgreSQL's catalogue, the rows that are the same everywhere, and the functions that kvsqld has.

Usage: generate.py POSTGRESQL KVSQLD, both as psql's argument -d, to a PostgreSQL 15 and to a kvsqld. What version 14 has not, which
kvsqld reports, is left out.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WIDTH = 92
SINCE_15 = {"pg_database.datlocprovider", "pg_database.daticulocale", "pg_database.datcollversion", "pg_collation.colliculocale",
            "pg_constraint.confdelsetcols", "pg_index.indnullsnotdistinct", "pg_publication_rel.prqual", "pg_publication_rel.prattrs",
            "pg_subscription.subtwophasestate", "pg_subscription.subdisableonerr", "pg_subscription.subskiplsn"}
RELATIONS_SINCE_15 = {"pg_publication_namespace", "pg_parameter_acl", "pg_stat_recovery_prefetch", "pg_ident_file_mappings",
                      "pg_stat_subscription_stats"}
# Domains of information_schema are sent as their types.
COLUMNS = """
SELECT n.nspname, c.relname, c.oid, c.relkind, string_agg(a.attname || ':' || coalesce(b.typname, t.typname), ' ' ORDER BY a.attnum)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype
WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v') AND a.attnum > 0
  AND NOT (c.relname || '.' || a.attname = ANY ('{%s}')) AND NOT (c.relname = ANY ('{%s}')) AND c.relname !~ '^_'
GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2""" % (",".join(SINCE_15), ",".join(RELATIONS_SINCE_15))
TYPES = """FROM pg_type t WHERE typnamespace = 11 AND typtype <> 'c'
  AND NOT EXISTS (SELECT 1 FROM pg_type e WHERE e.oid = t.typelem AND e.typtype = 'c')"""
USED = """(SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze]::oid[]) %s)""" % TYPES
PROCEDURE = """oid, proname, pronamespace, proowner, prolang, procost, prorows, provariadic, prosupport, prokind, prosecdef, proleakproof,
proisstrict, proretset, provolatile, proparallel, pronargs, pronargdefaults, prorettype, proargtypes, proallargtypes, proargmodes,
proargnames, pg_get_expr(proargdefaults, 0), protrftypes, prosrc"""
# The last column is the line of pg_get_functiondef () between those with LANGUAGE and AS.
DESCRIPTION = """oid, pg_get_function_arguments(oid), pg_get_function_identity_arguments(oid), pg_get_function_result(oid),
CASE WHEN prolang = 12 AND prokind = 'f' THEN coalesce(substring(pg_get_functiondef(oid) FROM E'\\n LANGUAGE internal\\n ([^\\n]*)\\nAS '), '') END"""
# A call with NULL of each type; where a type may be any, an INTEGER. Its name is quoted where it is a word of the grammar.
CALLS = """
WITH typed AS (SELECT oid, kind, name, result, string_agg('NULL::' || type, ', ' ORDER BY i) AS arguments FROM (
  SELECT p.oid, p.prokind AS kind, p.proname AS name, t.i,
    regexp_replace(format_type(t.type, NULL), '^"?any(element|nonarray|compatible|compatiblenonarray)?"?$', 'integer') AS type,
    regexp_replace(format_type(prorettype, NULL), '^any(element|nonarray|compatible|compatiblenonarray)$', 'integer') AS result
  FROM pg_proc p LEFT JOIN unnest(p.proargtypes) WITH ORDINALITY AS t(type, i) ON true
  WHERE p.pronamespace = 11 AND p.prokind <> 'p') AS arguments GROUP BY 1, 2, 3, 4)
SELECT oid, regexp_replace(result, '^any(compatible)?array$', 'integer[]'), called || '('
  || regexp_replace(coalesce(arguments, ''), 'any(compatible)?array', 'integer[]', 'g') || ')' || CASE kind WHEN 'w' THEN ' OVER ()' ELSE '' END
FROM typed, LATERAL (VALUES (name), ('"' || name || '"')) AS names(called) ORDER BY oid"""
ROWS = {
    "pg_am": "SELECT * FROM pg_am WHERE amname IN ('heap', 'btree')",
    "pg_collation": "SELECT oid, collname, collnamespace, collowner, collprovider, collisdeterministic, collencoding, collcollate, "
                    "collctype, collversion FROM pg_collation WHERE oid IN (100, 950, 951)",
    "pg_language": "SELECT * FROM pg_language WHERE lanname IN ('internal', 'sql')",
    "pg_range": "SELECT * FROM pg_range ORDER BY rngtypid",
    "pg_tablespace": "SELECT * FROM pg_tablespace ORDER BY oid",
    "pg_type": f"SELECT * {TYPES} ORDER BY oid",
}

# They need the name of a sequence as a constant.
WITH_SEQUENCE = "'currval', 'nextval', 'setval'"


def ask(connection, sql):
    return subprocess.run(["psql", "-X", "-d", connection, "-At", "-F", "\t", "-P", "null=\\N", "-c", sql], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def functions(postgresql, kvsqld):
    """The numbers of PostgreSQL's functions that kvsqld has with these types."""
    calls = [row.split("\t") for row in ask(postgresql, CALLS)]
    script = "".join(f"\\echo '# {oid}'\nSELECT {call} \\gdesc\n" for oid, _, call in calls)
    answers = subprocess.run(["psql", "-X", "-d", kvsqld, "-At", "-F", "\t"], check=False, text=True, input=script, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout.splitlines()
    found, results, oid = set(), {oid: result for oid, result, _ in calls}, None
    for line in answers:
        if line.startswith("# "):
            oid = line[2:]
        elif line.split("\t")[-1] == results[oid]:
            found.add(int(oid))
    return sorted(found)


def literal(text, indent):
    """The text as strings of C, none of them longer than a line."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    lines = []
    while text:
        size = WIDTH - indent
        if " " in text[:size] and len(text) > size:
            size = text[:size].rindex(" ") + 1
        while text[size - 1:size] == "\\":
            size -= 1
        lines.append(f'"{text[:size]}"')
        text = text[size:]
    return ("\n" + " " * indent).join(lines)


def write(name, comment, lines):
    head = f"/* SPDX-License-Identifier: LGPL-2.1-or-later\n *\n * {name}: {comment} Written by generate.py.\n */\n"
    body = ["/* clang-format off */", *lines, "/* clang-format on */"]
    (HERE / name).write_text(head + '#include "config.h"\n\n#include "daemon/postgres/catalogue/facts.h"\n\n' + "\n".join(body) + "\n")


def row_lines(postgresql, name, sql):
    lines = []
    for row in ask(postgresql, sql):
        lines += [f'  {{ "{name}",', "    " + literal(re.sub(r"(\t\\N)+$", "", row), 4) + " },"]
    return lines


def main():
    postgresql, kvsqld = sys.argv[1:]
    lines = ["const KvsqldPgRelationFacts kvsqld_pg_relation_facts[] = {"]
    for row in ask(postgresql, COLUMNS):
        schema, name, oid, kind, columns = row.split("\t")
        prefix = "" if schema == "pg_catalog" else schema + "."
        lines += [f'  {{ "{prefix}{name}", {oid}, \'{kind}\',', "    " + literal(columns, 4) + " },"]
    write("facts-relations.c", "the columns of the catalogue's relations.", lines + ["  { 0 },", "};"])
    lines = ["const KvsqldPgRowFacts kvsqld_pg_row_facts[] = {"]
    for name, sql in ROWS.items():
        lines += row_lines(postgresql, name, sql)
    write("facts-rows.c", "rows of the catalogue that are the same in every database.", lines + ["  { 0 },", "};"])
    numbers = ", ".join(str(oid) for oid in functions(postgresql, kvsqld))
    listed = f"FROM pg_proc WHERE oid IN {USED} OR oid IN ({numbers}) OR proname IN ({WITH_SEQUENCE}) ORDER BY oid"
    lines = ["const KvsqldPgRowFacts kvsqld_pg_function_facts[] = {",
             *row_lines(postgresql, "pg_proc", f"SELECT {PROCEDURE} {listed}"),
             *row_lines(postgresql, "kvsql_function", f"SELECT {DESCRIPTION} {listed}")]
    write("facts-functions.c", "the functions of types, and those of statements.", lines + ["  { 0 },", "};"])


if __name__ == "__main__":
    main()
