/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-derived.c: see content-derived.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/content-derived.h"

#include <string.h>

#define DATABASE "kvsql_session ('database')"
/* Relations with their schemas. */
#define CLASSES "pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"

static const KvsqldPgDerived derived[] = {
  { "pg_authid",
    { "pg_roles" },
    "INSERT INTO pg_authid (oid, rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, "
    "rolcanlogin, rolreplication, rolbypassrls, rolconnlimit) SELECT oid, rolname, rolsuper, "
    "rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, "
    "rolconnlimit FROM pg_roles" },
  { "pg_user",
    { "pg_roles" },
    "INSERT INTO pg_user (usename, usesysid, usecreatedb, usesuper, userepl, usebypassrls, passwd) "
    "SELECT rolname, oid, rolcreatedb, rolsuper, 0, 0, rolpassword FROM pg_roles WHERE "
    "rolcanlogin" },
  { "pg_tables",
    { "pg_class", "pg_namespace", "pg_roles" },
    "INSERT INTO pg_tables (schemaname, tablename, tableowner, hasindexes, hasrules, hastriggers, "
    "rowsecurity) SELECT n.nspname, c.relname, r.rolname, c.relhasindex, 0, 0, 0 FROM " CLASSES
    " JOIN pg_roles r ON r.oid = c.relowner WHERE c.relkind = 'r'" },
  { "pg_views",
    { "pg_class", "pg_namespace", "pg_roles", "kvsql_view" },
    "INSERT INTO pg_views (schemaname, viewname, viewowner, definition) SELECT n.nspname, "
    "c.relname, r.rolname, v.definition FROM " CLASSES
    " JOIN pg_roles r ON r.oid = c.relowner JOIN kvsql_view v ON v.oid = c.oid" },
  { "pg_sequences",
    { "pg_class", "pg_namespace", "pg_roles", "pg_sequence" },
    "INSERT INTO pg_sequences (schemaname, sequencename, sequenceowner, data_type, start_value, "
    "min_value, max_value, increment_by, cycle, cache_size) SELECT n.nspname, c.relname, "
    "r.rolname, s.seqtypid, s.seqstart, s.seqmin, s.seqmax, s.seqincrement, s.seqcycle, "
    "s.seqcache FROM " CLASSES
    " JOIN pg_roles r ON r.oid = c.relowner JOIN pg_sequence s ON s.seqrelid = c.oid" },
  { "pg_indexes",
    { "pg_class", "pg_index", "kvsql_index" },
    "INSERT INTO pg_indexes (schemaname, tablename, indexname, indexdef) SELECT 'public', "
    "c.relname, i.relname, d.head || 'public.' || d.tail FROM pg_index x JOIN pg_class c ON c.oid "
    "= x.indrelid JOIN pg_class i ON i.oid = x.indexrelid JOIN kvsql_index d ON d.oid = i.oid" },
  { "pg_stat_user_tables",
    { "pg_class" },
    "INSERT INTO pg_stat_user_tables (relid, schemaname, relname, n_live_tup) SELECT oid, "
    "'public', relname, max (reltuples, 0) FROM pg_class WHERE relkind = 'r' AND relnamespace = "
    "2200" },
  { "pg_stat_user_indexes",
    { "pg_class", "pg_index" },
    "INSERT INTO pg_stat_user_indexes (relid, indexrelid, schemaname, relname, indexrelname) "
    "SELECT c.oid, i.oid, 'public', c.relname, i.relname FROM pg_index x JOIN pg_class c ON c.oid "
    "= "
    "x.indrelid JOIN pg_class i ON i.oid = x.indexrelid WHERE c.relnamespace = 2200" },
  { "pg_statio_all_tables",
    { "pg_class", "pg_namespace" },
    "INSERT INTO pg_statio_all_tables (relid, schemaname, relname) SELECT c.oid, n.nspname, "
    "c.relname FROM " CLASSES " WHERE c.relkind = 'r'" },

  { "information_schema.schemata",
    { "pg_namespace", "pg_roles" },
    "INSERT INTO \"information_schema.schemata\" (catalog_name, schema_name, schema_owner) "
    "SELECT " DATABASE
    ", n.nspname, r.rolname FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner" },
  { "information_schema.tables",
    { "pg_class", "pg_namespace" },
    "INSERT INTO \"information_schema.tables\" (table_catalog, table_schema, table_name, "
    "table_type, is_insertable_into, is_typed) SELECT " DATABASE ", n.nspname, c.relname, CASE "
    "c.relkind WHEN 'v' THEN 'VIEW' ELSE 'BASE TABLE' END, CASE c.relkind WHEN 'v' THEN 'NO' ELSE "
    "'YES' END, 'NO' FROM " CLASSES " WHERE c.relkind IN ('r', 'v')" },
  { "information_schema.views",
    { "pg_class", "pg_namespace", "kvsql_view" },
    "INSERT INTO \"information_schema.views\" (table_catalog, table_schema, table_name, "
    "view_definition, check_option, is_updatable, is_insertable_into, is_trigger_updatable, "
    "is_trigger_deletable, is_trigger_insertable_into) SELECT " DATABASE ", n.nspname, c.relname, "
    "v.definition, 'NONE', 'NO', 'NO', 'NO', 'NO', 'NO' FROM " CLASSES
    " LEFT JOIN kvsql_view v ON v.oid = c.oid WHERE c.relkind = 'v'" },
  { "information_schema.sequences",
    { "pg_class", "pg_namespace", "pg_sequence", "pg_depend" },
    "INSERT INTO \"information_schema.sequences\" (sequence_catalog, sequence_schema, "
    "sequence_name, data_type, numeric_precision, numeric_precision_radix, numeric_scale, "
    "start_value, minimum_value, maximum_value, increment, cycle_option) SELECT " DATABASE
    ", n.nspname, c.relname, kvsql_format_type (s.seqtypid, NULL), 64, 2, 0, s.seqstart, "
    "s.seqmin, s.seqmax, s.seqincrement, CASE s.seqcycle WHEN 1 THEN 'YES' ELSE 'NO' END "
    "FROM " CLASSES
    " JOIN pg_sequence s ON s.seqrelid = c.oid WHERE NOT EXISTS (SELECT 1 FROM pg_depend "
    "d WHERE d.objid = c.oid AND d.deptype = 'i')" },
  { "information_schema.columns",
    { "pg_class", "pg_namespace", "pg_attribute", "pg_attrdef", "pg_type", "pg_depend",
      "pg_sequence" },
    "INSERT INTO \"information_schema.columns\" (table_catalog, table_schema, table_name, "
    "column_name, ordinal_position, column_default, is_nullable, data_type, "
    "character_maximum_length, character_octet_length, numeric_precision, "
    "numeric_precision_radix, numeric_scale, datetime_precision, udt_catalog, udt_schema, "
    "udt_name, dtd_identifier, is_self_referencing, is_identity, identity_generation, "
    "identity_start, identity_increment, identity_maximum, identity_minimum, identity_cycle, "
    "is_generated, "
    "is_updatable, collation_catalog, collation_schema, collation_name) SELECT " DATABASE
    ", n.nspname, c.relname, a.attname, a.attnum, (SELECT d.adbin FROM pg_attrdef d WHERE "
    "d.adrelid = a.attrelid AND d.adnum = a.attnum), CASE a.attnotnull WHEN 1 THEN 'NO' ELSE 'YES' "
    "END, CASE WHEN t.typelem <> 0 AND t.typlen = -1 THEN 'ARRAY' ELSE kvsql_format_type "
    "(a.atttypid, NULL) END, CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN "
    "a.atttypmod - 4 END, CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN 4 * "
    "(a.atttypmod - 4) WHEN a.atttypid IN (25, 1042, 1043) THEN 1073741824 END, CASE a.atttypid "
    "WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 700 THEN 24 WHEN 701 THEN 53 WHEN 1700 "
    "THEN CASE WHEN a.atttypmod > 4 THEN (a.atttypmod - 4) >> 16 END END, CASE WHEN a.atttypid IN "
    "(21, 23, 20, 700, 701) THEN 2 WHEN a.atttypid = 1700 THEN 10 END, CASE WHEN a.atttypid IN "
    "(21, "
    "23, 20) THEN 0 WHEN a.atttypid = 1700 AND a.atttypmod > 4 THEN (a.atttypmod - 4) & 65535 END, "
    "CASE WHEN a.atttypid = 1082 THEN 0 WHEN a.atttypid IN (1083, 1114, 1184) THEN CASE WHEN "
    "a.atttypmod >= 0 THEN a.atttypmod ELSE 6 END END, " DATABASE
    ", 'pg_catalog', t.typname, a.attnum, 'NO', CASE a.attidentity WHEN '' THEN 'NO' ELSE "
    "'YES' END, CASE a.attidentity WHEN 'd' THEN 'BY DEFAULT' END, s.seqstart, s.seqincrement, "
    "s.seqmax, s.seqmin, CASE s.seqcycle WHEN 1 THEN 'YES' ELSE 'NO' END, 'NEVER', CASE c.relkind "
    "WHEN 'r' THEN "
    "'YES' ELSE 'NO' END, CASE a.attcollation WHEN 950 THEN " DATABASE " END, CASE a.attcollation "
    "WHEN 950 THEN 'pg_catalog' END, CASE a.attcollation WHEN 950 THEN 'C' END FROM " CLASSES
    " JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN "
    "pg_depend d ON d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype = 'i' LEFT JOIN "
    "pg_sequence s ON s.seqrelid = d.objid WHERE c.relkind IN ('r', 'v')" },
  { "information_schema.table_constraints",
    { "pg_class", "pg_namespace", "pg_constraint" },
    "INSERT INTO \"information_schema.table_constraints\" (constraint_catalog, constraint_schema, "
    "constraint_name, table_catalog, table_schema, table_name, constraint_type, is_deferrable, "
    "initially_deferred, enforced) SELECT " DATABASE ", n.nspname, k.conname, " DATABASE
    ", n.nspname, c.relname, CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'CHECK' END, 'NO', "
    "'NO', 'YES' FROM " CLASSES " JOIN pg_constraint k ON k.conrelid = c.oid" },
  { "information_schema.check_constraints",
    { "pg_namespace", "pg_constraint" },
    "INSERT INTO \"information_schema.check_constraints\" (constraint_catalog, "
    "constraint_schema, constraint_name, check_clause) SELECT " DATABASE ", n.nspname, k.conname, "
    "k.conbin FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace WHERE k.contype "
    "= 'c'" },
  { "information_schema.key_column_usage",
    { "pg_class", "pg_namespace", "pg_constraint", "pg_attribute" },
    "INSERT INTO \"information_schema.key_column_usage\" (constraint_catalog, constraint_schema, "
    "constraint_name, table_catalog, table_schema, table_name, column_name, ordinal_position) "
    "SELECT " DATABASE ", n.nspname, k.conname, " DATABASE ", n.nspname, c.relname, a.attname, "
    "j.key + 1 FROM " CLASSES " JOIN pg_constraint k ON k.conrelid = c.oid JOIN json_each "
    "(kvsql_list (k.conkey)) j JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = CAST "
    "(j.value AS INTEGER)" },
  { "information_schema.constraint_column_usage",
    { "pg_class", "pg_namespace", "pg_constraint", "pg_attribute" },
    "INSERT INTO \"information_schema.constraint_column_usage\" (table_catalog, table_schema, "
    "table_name, column_name, constraint_catalog, constraint_schema, constraint_name) "
    "SELECT " DATABASE ", n.nspname, c.relname, a.attname, " DATABASE
    ", n.nspname, k.conname FROM " CLASSES
    " JOIN pg_constraint k ON k.conrelid = c.oid JOIN json_each (kvsql_list (k.conkey)) j JOIN "
    "pg_attribute a ON a.attrelid = c.oid AND a.attnum = CAST (j.value AS INTEGER)" },
  { "information_schema.enabled_roles",
    { "pg_roles" },
    "INSERT INTO \"information_schema.enabled_roles\" (role_name) SELECT rolname FROM pg_roles" },
  { "information_schema.information_schema_catalog_name",
    { NULL },
    "INSERT INTO \"information_schema.information_schema_catalog_name\" VALUES (" DATABASE ")" },
};

const KvsqldPgDerived *
kvsqld_pg_derived_find (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (derived); i++)
    if (strcmp (derived[i].name, name) == 0)
      return &derived[i];
  return NULL;
}
