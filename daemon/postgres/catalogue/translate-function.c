/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-function.c: PostgreSQL's functions as patterns of SQLite's SQL.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate-private.h"

#define BOOL KVSQLD_PGT_BOOL
#define INT4 KVSQLD_PGT_INT4
#define INT8 KVSQLD_PGT_INT8
#define NAME KVSQLD_PGT_NAME
#define OID KVSQLD_PGT_OID
#define TEXT KVSQLD_PGT_TEXT

/* The number of the relation with this name. */
#define NUMBER_OF(name)                                                                            \
  "(SELECT kv_.oid FROM {pg_class} kv_ JOIN {pg_namespace} kvn_ ON kvn_.oid = kv_.relnamespace "   \
  "WHERE kv_.relname = kvsql_name (" name ") AND kvn_.nspname = coalesce (kvsql_qualifier (" name  \
  "), kvn_.nspname) AND (kvsql_qualifier (" name ") IS NOT NULL OR kvn_.oid IN (11, 2200)))"

/* Whether the session has one of the rights, as 'SELECT, INSERT', on a relation, which is a name or
 * a number. @place: on the whole of it, or on a column. Relations of the catalogue can be read. */
#define HAS_RIGHT(relation, place, rights)                                                         \
  "(SELECT CASE WHEN kvc_.relnamespace <> 2200 THEN instr (upper (" rights                         \
  "), 'SELECT') > 0 ELSE EXISTS (SELECT 1 FROM {kvsql_right} kvr_ WHERE kvr_.oid = kvc_.oid "      \
  "AND " place " AND instr (',' || replace (upper (" rights                                        \
  "), ' ', '') || ',', ',' || kvr_.name || "                                                       \
  "',') > 0) END FROM {pg_class} kvc_ WHERE kvc_.oid = CASE typeof (" relation                     \
  ") WHEN 'text' THEN " NUMBER_OF (relation) " ELSE " relation " END)"
#define OF_TABLE "kvr_.attnum = 0"
#define OF_COLUMN(column)                                                                          \
  "kvr_.attnum IN (0, CASE typeof (" column ") WHEN 'text' THEN (SELECT kva_.attnum FROM "         \
  "{pg_attribute} kva_ WHERE kva_.attrelid = kvc_.oid AND kva_.attname = " column ") ELSE " column \
  " END)"

/* Those of a function are next to each other. All names in a pattern begin with kv, as arguments
 * name columns of the query. */
static const KvsqldPgFunctionPattern patterns[] = {
  /* the session */
  { "current_catalog", 0, NAME, "kvsql_session ('database')" },
  { "current_database", 0, NAME, "kvsql_session ('database')" },
  { "current_role", 0, NAME, "kvsql_session ('role')" },
  { "current_schema", 0, NAME, "'public'" },
  { "current_schemas", 1, KVSQLD_PGT_NAME_ARRAY,
    "CASE $1 WHEN 1 THEN '{pg_catalog,public}' ELSE '{public}' END" },
  { "current_setting", 1, TEXT, "kvsql_setting ($1, 0)" },
  { "current_setting", 2, TEXT, "kvsql_setting ($1, $2)" },
  { "current_user", 0, NAME, "kvsql_session ('role')" },
  { "session_user", 0, NAME, "kvsql_session ('user')" },
  { "set_config", 3, TEXT, "kvsql_set_config ($1, $2, $3)" },
  { "user", 0, NAME, "kvsql_session ('role')" },
  { "version", 0, TEXT, "kvsql_session ('version')" },
  { "pg_backend_pid", 0, INT4, "CAST (kvsql_session ('process') AS INTEGER)" },
  { "pg_my_temp_schema", 0, OID, "0" },
  { "pg_is_in_recovery", 0, BOOL, "0" },
  { "pg_is_other_temp_schema", 1, BOOL, "0" },
  { "pg_client_encoding", 0, NAME, "'UTF8'" },
  { "getdatabaseencoding", 0, NAME, "'UTF8'" },
  { "inet_server_addr", 0, TEXT, "NULL" },
  { "inet_server_port", 0, INT4, "NULL" },
  { "inet_client_addr", 0, TEXT, "NULL" },
  { "inet_client_port", 0, INT4, "NULL" },
  { "now", 0, KVSQLD_PGT_TIMESTAMPTZ, "strftime ('%Y-%m-%d %H:%M:%f+00')" },
  { "current_timestamp", 0, KVSQLD_PGT_TIMESTAMPTZ, "strftime ('%Y-%m-%d %H:%M:%f+00')" },
  { "current_date", 0, KVSQLD_PGT_DATE, "date ()" },

  /* objects */
  { "pg_encoding_to_char", 1, NAME, "CASE $1 WHEN 6 THEN 'UTF8' ELSE '' END" },
  { "pg_char_to_encoding", 1, INT4,
    "CASE WHEN upper ($1) IN ('UTF8', 'UTF-8') THEN 6 ELSE -1 END" },
  { "pg_get_userbyid", 1, NAME,
    "coalesce ((SELECT kv_.rolname FROM {pg_roles} kv_ WHERE kv_.oid = $1), 'unknown (OID=' || $1 "
    "|| ')')" },
  { "pg_table_is_visible", 1, BOOL,
    "(SELECT kv_.relnamespace IN (11, 2200) FROM {pg_class} kv_ WHERE kv_.oid = $1)" },
  { "pg_type_is_visible", 1, BOOL,
    "(SELECT kv_.typnamespace IN (11, 2200) FROM {pg_type} kv_ WHERE kv_.oid = $1)" },
  { "pg_function_is_visible", 1, BOOL, "(SELECT 1 FROM {pg_proc} kv_ WHERE kv_.oid = $1)" },
  { "pg_operator_is_visible", 1, BOOL, "1" },
  { "pg_opclass_is_visible", 1, BOOL, "1" },
  { "pg_opfamily_is_visible", 1, BOOL, "1" },
  { "pg_collation_is_visible", 1, BOOL, "1" },
  { "pg_conversion_is_visible", 1, BOOL, "1" },
  { "pg_statistics_obj_is_visible", 1, BOOL, "1" },
  { "pg_ts_config_is_visible", 1, BOOL, "1" },
  { "pg_ts_dict_is_visible", 1, BOOL, "1" },
  { "pg_ts_parser_is_visible", 1, BOOL, "1" },
  { "pg_ts_template_is_visible", 1, BOOL, "1" },
  { "pg_relation_is_publishable", 1, BOOL, "0" },
  { "pg_relation_is_updatable", 2, INT4,
    "(SELECT CASE kv_.relkind WHEN 'r' THEN 28 ELSE 0 END FROM {pg_class} kv_ WHERE kv_.oid = "
    "$1)" },
  { "pg_column_is_updatable", 3, BOOL,
    "(SELECT kv_.relkind = 'r' FROM {pg_class} kv_ WHERE kv_.oid = $1)" },
  { "to_regclass", 1, KVSQLD_PGT_REGCLASS, NUMBER_OF ("$1") },
  { "to_regtype", 1, KVSQLD_PGT_REGTYPE, "kvsql_type ($1)" },
  { "to_regnamespace", 1, KVSQLD_PGT_REGNAMESPACE,
    "(SELECT kv_.oid FROM {pg_namespace} kv_ WHERE kv_.nspname = kvsql_name ($1))" },
  /* the second one is the type of the rows of a relation, of an array of them, or a domain */
  { "format_type", 2, TEXT,
    "coalesce (nullif (kvsql_format_type ($1, $2), '?' || '?' || '?'), (SELECT CASE WHEN "
    "kvt_.typnamespace IN (11, 2200) THEN '' ELSE 'information_schema.' END || kvsql_quote_ident "
    "(coalesce ((SELECT kve_.typname FROM {pg_type} kve_ WHERE kve_.oid = kvt_.typelem), "
    "kvt_.typname)) || CASE WHEN kvt_.typelem <> 0 THEN '[]' ELSE '' END FROM {pg_type} kvt_ WHERE "
    "kvt_.oid = $1), CASE WHEN $1 IS NOT NULL THEN '?' || '?' || '?' END)" },
  { "obj_description", 1, TEXT,
    "(SELECT kv_.description FROM {pg_description} kv_ WHERE kv_.objoid = $1 AND kv_.objsubid = "
    "0)" },
  { "obj_description", 2, TEXT,
    "(SELECT kv_.description FROM {pg_description} kv_ WHERE kv_.objoid = $1 AND kv_.objsubid = 0 "
    "AND $2 = 'pg_class')" },
  { "col_description", 2, TEXT,
    "(SELECT kv_.description FROM {pg_description} kv_ WHERE kv_.objoid = $1 AND kv_.objsubid = $2 "
    "AND $2 > 0)" },
  { "shobj_description", 2, TEXT, "NULL" },

  /* definitions */
  { "pg_get_expr", 2, TEXT, "$1" },
  { "pg_get_expr", 3, TEXT, "$1" },
  { "pg_get_indexdef", 1, TEXT,
    "(SELECT kv_.head || 'public.' || kv_.tail FROM {kvsql_index} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_indexdef", 3, TEXT,
    "(SELECT CASE WHEN $2 > 0 THEN kvsql_element (kv_.names, $2, 1, 0) WHEN $3 THEN kv_.head || "
    "kv_.tail ELSE kv_.head || 'public.' || kv_.tail END FROM {kvsql_index} kv_ WHERE kv_.oid = "
    "$1)" },
  { "pg_get_constraintdef", 1, TEXT,
    "(SELECT kv_.definition FROM {kvsql_constraint} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_constraintdef", 2, TEXT,
    "(SELECT kv_.definition FROM {kvsql_constraint} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_viewdef", 1, TEXT, "(SELECT kv_.definition FROM {kvsql_view} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_viewdef", 2, TEXT, "(SELECT kv_.definition FROM {kvsql_view} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_ruledef", 1, TEXT, "NULL" },
  { "pg_get_ruledef", 2, TEXT, "NULL" },
  { "pg_get_triggerdef", 1, TEXT, "NULL" },
  { "pg_get_triggerdef", 2, TEXT, "NULL" },
  { "pg_get_partkeydef", 1, TEXT, "NULL" },
  { "pg_get_serial_sequence", 2, TEXT,
    "(SELECT 'public.' || kvsql_quote_ident (kvs_.relname) FROM {pg_depend} kvd_ JOIN {pg_class} "
    "kvs_ ON kvs_.oid = kvd_.objid JOIN {pg_class} kvc_ ON kvc_.oid = kvd_.refobjid JOIN "
    "{pg_attribute} kva_ ON kva_.attrelid = kvc_.oid AND kva_.attnum = kvd_.refobjsubid WHERE "
    "kvc_.relname = kvsql_name ($1) AND kva_.attname = $2 AND kvs_.relkind = 'S')" },
  { "pg_get_statisticsobjdef", 1, TEXT, "NULL" },
  { "pg_get_statisticsobjdef_columns", 1, TEXT, "NULL" },
  { "pg_get_function_arguments", 1, TEXT,
    "(SELECT kv_.arguments FROM {kvsql_function} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_function_identity_arguments", 1, TEXT,
    "(SELECT kv_.identity_arguments FROM {kvsql_function} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_function_result", 1, TEXT,
    "(SELECT kv_.result FROM {kvsql_function} kv_ WHERE kv_.oid = $1)" },
  { "pg_get_functiondef", 1, TEXT,
    "(SELECT 'CREATE OR REPLACE FUNCTION pg_catalog.' || kvsql_quote_ident (kv_.proname) || '(' || "
    "kvf_.arguments || ')' || char (10) || ' RETURNS ' || kvf_.result || char (10) || "
    "' LANGUAGE internal' || char (10) || CASE kvf_.options WHEN '' THEN '' ELSE ' ' || "
    "kvf_.options || char (10) END || 'AS $function$' || kv_.prosrc || '$function$' || char (10) "
    "FROM {pg_proc} kv_ JOIN {kvsql_function} kvf_ ON kvf_.oid = kv_.oid WHERE kv_.oid = $1)" },
  { "pg_tablespace_location", 1, TEXT, "CASE WHEN $1 IS NOT NULL THEN '' END" },

  /* sizes, which the store does not tell; counts are those of ANALYZE */
  { "pg_relation_size", 1, INT8, "NULL" },
  { "pg_relation_size", 2, INT8, "NULL" },
  { "pg_table_size", 1, INT8, "NULL" },
  { "pg_indexes_size", 1, INT8, "NULL" },
  { "pg_total_relation_size", 1, INT8, "NULL" },
  { "pg_database_size", 1, INT8, "NULL" },
  { "pg_tablespace_size", 1, INT8, "NULL" },
  { "pg_size_pretty", 1, TEXT, "$1 || ' bytes'" },
  { "pg_stat_get_live_tuples", 1, INT8,
    "(SELECT CAST (max (kv_.reltuples, 0) AS INTEGER) FROM {pg_class} kv_ WHERE kv_.oid = $1)" },
  { "pg_stat_get_numscans", 1, INT8, "NULL" },

  /* rights */
  { "acldefault", 2, TEXT, "NULL" },
  { "has_any_column_privilege", 2, BOOL, HAS_RIGHT ("$1", "1", "$2") },
  { "has_any_column_privilege", 3, BOOL, HAS_RIGHT ("$2", "1", "$3") },
  { "has_column_privilege", 3, BOOL, HAS_RIGHT ("$1", OF_COLUMN ("$2"), "$3") },
  { "has_column_privilege", 4, BOOL, HAS_RIGHT ("$2", OF_COLUMN ("$3"), "$4") },
  { "has_database_privilege", 2, BOOL, "1" },
  { "has_database_privilege", 3, BOOL, "1" },
  { "has_function_privilege", 2, BOOL, "1" },
  { "has_function_privilege", 3, BOOL, "1" },
  { "has_schema_privilege", 2, BOOL, "1" },
  { "has_schema_privilege", 3, BOOL, "1" },
  { "has_sequence_privilege", 2, BOOL, HAS_RIGHT ("$1", OF_TABLE, "$2") },
  { "has_sequence_privilege", 3, BOOL, HAS_RIGHT ("$2", OF_TABLE, "$3") },
  { "has_table_privilege", 2, BOOL, HAS_RIGHT ("$1", OF_TABLE, "$2") },
  { "has_table_privilege", 3, BOOL, HAS_RIGHT ("$2", OF_TABLE, "$3") },
  { "has_type_privilege", 2, BOOL, "1" },
  { "pg_has_role", 2, BOOL, "1" },
  { "pg_has_role", 3, BOOL, "1" },

  /* arrays */
  { "array_remove", 2, KVSQLD_PGT_TEXT_ARRAY, "kvsql_array_remove ($1, $2)" },

  /* text */
  { "ascii", 1, INT4, "unicode ($1)" },
  { "btrim", 1, TEXT, "trim ($1)" },
  { "btrim", 2, TEXT, "trim ($1, $2)" },
  { "char_length", 1, INT4, "length ($1)" },
  { "character_length", 1, INT4, "length ($1)" },
  { "chr", 1, TEXT, "char ($1)" },
  { "left", 2, TEXT, "substr ($1, 1, $2)" },
  { "length", 1, INT4, "length ($1)" },
  { "lower", 1, TEXT, "kvsql_lower ($1)" },
  { "ltrim", 1, TEXT, "ltrim ($1)" },
  { "ltrim", 2, TEXT, "ltrim ($1, $2)" },
  { "octet_length", 1, INT4, "length (CAST ($1 AS BLOB))" },
  { "quote_ident", 1, TEXT, "kvsql_quote_ident ($1)" },
  { "quote_literal", 1, TEXT, "quote (CAST ($1 AS TEXT))" },
  { "regexp_replace", 3, TEXT, "kvsql_regexp_replace ($1, $2, $3, '')" },
  { "regexp_replace", 4, TEXT, "kvsql_regexp_replace ($1, $2, $3, $4)" },
  { "replace", 3, TEXT, "replace ($1, $2, $3)" },
  { "right", 2, TEXT, "substr ($1, -$2, $2)" },
  { "rtrim", 1, TEXT, "rtrim ($1)" },
  { "rtrim", 2, TEXT, "rtrim ($1, $2)" },
  { "split_part", 3, TEXT, "coalesce (kvsql_element (kvsql_split ($1, $2), $3, 1, 0), '')" },
  { "starts_with", 2, BOOL, "kvsql_starts ($1, $2, 0)" },
  { "strpos", 2, INT4, "instr ($1, $2)" },
  { "substr", 2, TEXT, "kvsql_substring ($1, $2, NULL)" },
  { "substr", 3, TEXT, "kvsql_substring ($1, $2, $3)" },
  { "substring", 2, TEXT, "kvsql_substring ($1, $2, NULL)" },
  { "substring", 3, TEXT, "kvsql_substring ($1, $2, $3)" },
  { "upper", 1, TEXT, "kvsql_upper ($1)" },

  /* arrays */
  { "array_append", 2, 0, "kvsql_array_cat ($1, $2, 1, 0)" },
  { "array_cat", 2, 0, "kvsql_array_cat ($1, $2, 1, 1)" },
  { "array_length", 2, INT4, "nullif (kvsql_count ($1), 0)" },
  { "array_lower", 2, INT4, "CASE WHEN kvsql_count ($1) > 0 THEN 1 END" },
  { "array_ndims", 1, INT4, "CASE WHEN kvsql_count ($1) > 0 THEN 1 END" },
  { "array_position", 2, INT4, "kvsql_position ($1, $2)" },
  { "array_to_string", 2, TEXT, "kvsql_join ($1, $2, NULL)" },
  { "array_to_string", 3, TEXT, "kvsql_join ($1, $2, $3)" },
  { "array_upper", 2, INT4, "nullif (kvsql_count ($1), 0)" },
  { "cardinality", 1, INT4, "kvsql_count ($1)" },
  { "parse_ident", 1, KVSQLD_PGT_TEXT_ARRAY, "kvsql_parse_ident ($1)" },
  { "string_to_array", 2, KVSQLD_PGT_TEXT_ARRAY, "kvsql_split ($1, $2)" },

  /* numbers */
  { "abs", 1, 0, "abs ($1)" },
  { "ceil", 1, KVSQLD_PGT_FLOAT8,
    "CAST (CAST ($1 AS INTEGER) + ($1 > CAST ($1 AS INTEGER)) AS REAL)" },
  { "floor", 1, KVSQLD_PGT_FLOAT8,
    "CAST (CAST ($1 AS INTEGER) - ($1 < CAST ($1 AS INTEGER)) AS REAL)" },
  { "mod", 2, 0, "$1 % $2" },
  { "round", 1, KVSQLD_PGT_NUMERIC, "round ($1)" },

  /* windows */
  { "row_number", 0, INT8, "row_number ()" },
  { "rank", 0, INT8, "rank ()" },
  { "dense_rank", 0, INT8, "dense_rank ()" },
};

const KvsqldPgFunctionPattern *
kvsqld_pg_find_pattern (const gchar *name, guint n_arguments, gboolean *out_exists)
{
  *out_exists = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (strcmp (patterns[i].name, name) == 0)
      {
        *out_exists = TRUE;
        if (patterns[i].n_arguments == n_arguments)
          return &patterns[i];
      }
  return NULL;
}
