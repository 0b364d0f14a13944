/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * facts.h: what PostgreSQL's catalogue has in every database: its relations with their columns, and
 * its types.
 *
 * Threads: any. The tables are made once, and live as long as the process.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers of types that the translation knows by itself. */
typedef enum
{
  KVSQLD_PGT_BOOL = 16,
  KVSQLD_PGT_BYTEA = 17,
  KVSQLD_PGT_CHAR = 18,
  KVSQLD_PGT_NAME = 19,
  KVSQLD_PGT_INT8 = 20,
  KVSQLD_PGT_INT2 = 21,
  KVSQLD_PGT_INT2VECTOR = 22,
  KVSQLD_PGT_INT4 = 23,
  KVSQLD_PGT_REGPROC = 24,
  KVSQLD_PGT_TEXT = 25,
  KVSQLD_PGT_OID = 26,
  KVSQLD_PGT_XID = 28,
  KVSQLD_PGT_CID = 29,
  KVSQLD_PGT_OIDVECTOR = 30,
  KVSQLD_PGT_JSON = 114,
  KVSQLD_PGT_FLOAT4 = 700,
  KVSQLD_PGT_FLOAT8 = 701,
  KVSQLD_PGT_UNKNOWN = 705,
  KVSQLD_PGT_INT2_ARRAY = 1005,
  KVSQLD_PGT_NAME_ARRAY = 1003,
  KVSQLD_PGT_INT4_ARRAY = 1007,
  KVSQLD_PGT_TEXT_ARRAY = 1009,
  KVSQLD_PGT_OID_ARRAY = 1028,
  KVSQLD_PGT_BPCHAR = 1042,
  KVSQLD_PGT_VARCHAR = 1043,
  KVSQLD_PGT_DATE = 1082,
  KVSQLD_PGT_TIME = 1083,
  KVSQLD_PGT_TIMESTAMP = 1114,
  KVSQLD_PGT_TIMESTAMPTZ = 1184,
  KVSQLD_PGT_NUMERIC = 1700,
  KVSQLD_PGT_REGPROCEDURE = 2202,
  KVSQLD_PGT_REGCLASS = 2205,
  KVSQLD_PGT_REGTYPE = 2206,
  KVSQLD_PGT_REGTYPE_ARRAY = 2211,
  KVSQLD_PGT_RECORD = 2249,
  KVSQLD_PGT_ANYARRAY = 2277,
  KVSQLD_PGT_VOID = 2278,
  KVSQLD_PGT_UUID = 2950,
  KVSQLD_PGT_JSONB = 3802,
  KVSQLD_PGT_REGNAMESPACE = 4089,
  KVSQLD_PGT_REGROLE = 4096,
} KvsqldPgTypeNumber;

typedef struct
{
  guint32 oid;
  const gchar *name;
  gint16 size; /* -1: it varies */
  gchar category;
  guint32 element; /* 0: it has none */
  guint32 array;   /* 0: there is none */
  gboolean is_by_value;
  gchar align;
  gchar storage;
  guint32 collation; /* 0: none */
} KvsqldPgTypeFacts;

typedef struct
{
  const gchar *name;
  guint32 type;
} KvsqldPgColumnFacts;

typedef struct
{
  const gchar *name; /* with "information_schema." for those of that schema */
  guint32 oid;       /* 0: the relation is no part of the catalogue, but helps to build it */
  gchar kind;        /* 'r' or 'v' */
  KvsqldPgColumnFacts *columns;
  guint n_columns;
} KvsqldPgTableFacts;

/* The type of a column. */
typedef struct
{
  guint32 oid;
  gint32 modifier; /* -1: none */
} KvsqldPgColumnType;

/* NULL: there is none. */
const KvsqldPgTypeFacts *kvsqld_pg_facts_find_type (guint32 oid);
const KvsqldPgTypeFacts *kvsqld_pg_facts_find_type_name (const gchar *name);
const KvsqldPgTableFacts *kvsqld_pg_facts_find_table (const gchar *name);

/* All relations of the catalogue, in the order of their names. */
const KvsqldPgTableFacts *kvsqld_pg_facts_get_tables (guint *out_n);

/* The type of the elements of an array or vector; 0: it is none. */
guint32 kvsqld_pg_facts_get_element (guint32 oid);

/* Numbers, also those of objects, without regproc, which is its name here. */
gboolean kvsqld_pg_is_integer (guint32 type);
gboolean kvsqld_pg_is_real (guint32 type);
gboolean kvsqld_pg_is_text (guint32 type);
gboolean kvsqld_pg_is_array (guint32 type); /* or a vector */
/* Numbers that are sent as the name of their object. */
gboolean kvsqld_pg_is_reference (guint32 type);

/* ---- the texts of which the tables are made */

typedef struct
{
  const gchar *name;
  guint32 oid;
  gchar kind;
  const gchar *columns; /* "name:type", separated by blanks */
} KvsqldPgRelationFacts;

typedef struct
{
  const gchar *relation;
  const gchar *values; /* in PostgreSQL's text format, separated by tabulators; \N: NULL, as what
                           is missing at the end */
} KvsqldPgRowFacts;

extern const KvsqldPgRelationFacts kvsqld_pg_relation_facts[];
extern const KvsqldPgRowFacts kvsqld_pg_row_facts[];
extern const KvsqldPgRowFacts kvsqld_pg_function_facts[]; /* pg_proc and kvsql_function */

G_END_DECLS
