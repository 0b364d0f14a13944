/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content.c: see content.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/content.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "daemon/postgres/catalogue/content-derived.h"
#include "daemon/postgres/catalogue/content-private.h"

#define NO_DATABASE_NUMBER 5

/* ---- what there is one of */

static void
fill_namespace (KvsqldPgContent *self)
{
  static const struct
  {
    guint32 oid;
    const gchar *name;
  } schemas[] = { { KVSQLD_PG_CATALOG, "pg_catalog" },
                  { 99, "pg_toast" },
                  { KVSQLD_PG_PUBLIC, "public" },
                  { KVSQLD_PG_INFORMATION_SCHEMA, "information_schema" } };

  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      kvsqld_pg_row_begin (self);
      kvsqld_pg_row_set_number (self, "oid", schemas[i].oid);
      kvsqld_pg_row_set_text (self, "nspname", schemas[i].name);
      kvsqld_pg_row_set_number (self, "nspowner", KVSQLD_PG_OWNER);
      kvsqld_pg_row_insert (self);
    }
}

static void
fill_database (KvsqldPgContent *self)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", NO_DATABASE_NUMBER);
  kvsqld_pg_row_set_text (self, "datname", self->session->database);
  kvsqld_pg_row_set_number (self, "datdba", KVSQLD_PG_OWNER);
  kvsqld_pg_row_set_number (self, "encoding", 6);
  kvsqld_pg_row_set_number (self, "datallowconn", TRUE);
  kvsqld_pg_row_set_number (self, "datconnlimit", -1);
  kvsqld_pg_row_set_number (self, "dattablespace", 1663);
  kvsqld_pg_row_set_text (self, "datcollate", "C.UTF-8");
  kvsqld_pg_row_set_text (self, "datctype", "C.UTF-8");
  kvsqld_pg_row_insert (self);
}

static void
add_role (KvsqldPgContent *self, guint32 oid, const gchar *name, gboolean is_admin,
          gboolean may_log_in, gint64 connection_limit)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", oid);
  kvsqld_pg_row_set_text (self, "rolname", name);
  kvsqld_pg_row_set_number (self, "rolsuper", is_admin);
  kvsqld_pg_row_set_number (self, "rolinherit", TRUE);
  kvsqld_pg_row_set_number (self, "rolcreaterole", is_admin);
  kvsqld_pg_row_set_number (self, "rolcreatedb", is_admin);
  kvsqld_pg_row_set_number (self, "rolcanlogin", may_log_in);
  kvsqld_pg_row_set_number (self, "rolreplication", is_admin);
  kvsqld_pg_row_set_number (self, "rolbypassrls", is_admin);
  kvsqld_pg_row_set_number (self, "rolconnlimit", connection_limit);
  kvsqld_pg_row_set_text (self, "rolpassword", "********");
  kvsqld_pg_row_insert (self);
}

/* While there are no roles, the owner of all is whom the client calls itself. */
static void
fill_roles (KvsqldPgContent *self)
{
  if (self->definitions->roles == NULL)
    {
      add_role (self, KVSQLD_PG_OWNER, self->session->user, TRUE, TRUE, -1);
      return;
    }
  add_role (self, KVSQLD_PG_OWNER, "kvsql", TRUE, FALSE, -1);
  for (guint i = 0; i < self->objects->n_roles; i++)
    {
      const KvsqldPgRole *role = &self->objects->roles[i];

      add_role (self, role->oid, role->role->name, role->role->is_admin, role->role->may_log_in,
                role->role->limits[KVSQL_ROLE_LIMIT_CONNECTIONS]);
    }
}

static void
fill_settings (KvsqldPgContent *self)
{
  const gchar *const *names = self->session->list_settings (self->session->settings);

  for (; *names != NULL; names++)
    {
      const gchar *value = self->session->get_setting (self->session->settings, *names);

      kvsqld_pg_row_begin (self);
      kvsqld_pg_row_set_text (self, "name", *names);
      kvsqld_pg_row_set_text (self, "setting", value);
      kvsqld_pg_row_set_text (self, "vartype", "string");
      kvsqld_pg_row_set_text (self, "context", "user");
      kvsqld_pg_row_set_text (self, "source", "session");
      kvsqld_pg_row_set_text (self, "boot_val", value);
      kvsqld_pg_row_set_text (self, "reset_val", value);
      kvsqld_pg_row_insert (self);
    }
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_text (self, "name", "max_index_keys");
  kvsqld_pg_row_set_text (self, "setting", "32");
  kvsqld_pg_row_set_text (self, "vartype", "integer");
  kvsqld_pg_row_set_text (self, "context", "internal");
  kvsqld_pg_row_insert (self);
}

/* ---- tables */

static const KvsqldPgFiller fillers[] = {
  { "pg_database", fill_database },
  { "pg_namespace", fill_namespace },
  { "pg_roles", fill_roles },
  { "pg_settings", fill_settings },
  { NULL, NULL },
};

/* A value of facts-rows.c. */
static KvsqlValue
value_of (const gchar *text, guint32 type, KvsqlArena *arena)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type);

  if (strcmp (text, "\\N") == 0)
    return KVSQL_VALUE_NULL;
  if (type == KVSQLD_PGT_BOOL)
    return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = text[0] == 't' };
  if (facts->category == 'N' && type != KVSQLD_PGT_REGPROC && type != KVSQLD_PGT_FLOAT4)
    return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = g_ascii_strtoll (text, NULL, 10) };
  if (type == KVSQLD_PGT_FLOAT4)
    return (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = g_ascii_strtod (text, NULL) };
  return (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                       .bytes = kvsql_slice_from_text (kvsql_arena_strdup (arena, text)) };
}

static void
fill_with_facts (KvsqldPgContent *self, const KvsqldPgRowFacts *rows)
{
  const KvsqldPgTableFacts *table = self->row.table;

  for (const KvsqldPgRowFacts *row = rows; row->relation != NULL; row++)
    {
      g_auto (GStrv) texts = NULL;
      guint n;

      if (strcmp (row->relation, table->name) != 0 || self->error != NULL)
        continue;
      texts = g_strsplit (row->values, "\t", -1);
      n = g_strv_length (texts);
      for (guint i = 0; i < table->n_columns; i++)
        self->row.values[i]
            = i < n ? value_of (texts[i], table->columns[i].type, self->arena) : KVSQL_VALUE_NULL;
      kvsqld_pg_row_insert (self);
    }
}

static const gchar *
affinity_of (guint32 type)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type);

  if (type == KVSQLD_PGT_REGPROC)
    return "TEXT";
  if (type == KVSQLD_PGT_FLOAT4 || type == KVSQLD_PGT_FLOAT8 || type == KVSQLD_PGT_NUMERIC)
    return "REAL";
  return facts->category == 'N' || facts->category == 'B' || type == KVSQLD_PGT_XID ? "INTEGER"
                                                                                    : "TEXT";
}

static gboolean
create (KvsqldPgContent *self)
{
  const KvsqldPgTableFacts *table = self->row.table;
  g_autoptr (GString) sql = g_string_new (NULL);
  g_autoptr (GString) marks = g_string_new (NULL);
  gboolean has_oid = FALSE;

  g_string_append_printf (sql, "CREATE TABLE \"%s\" (", table->name);
  for (guint i = 0; i < table->n_columns; i++)
    {
      g_string_append_printf (sql, "%s\"%s\" %s", i > 0 ? ", " : "", table->columns[i].name,
                              affinity_of (table->columns[i].type));
      g_string_append (marks, i > 0 ? ", ?" : "?");
      has_oid = has_oid || strcmp (table->columns[i].name, "oid") == 0;
    }
  g_string_append (sql, ")");
  self->row.insert
      = kvsql_arena_printf (self->arena, "INSERT INTO \"%s\" VALUES (%s)", table->name, marks->str);
  if (!kvsqld_pg_database_write (self->database, sql->str, NULL, 0, &self->error))
    return FALSE;
  if (!has_oid)
    return TRUE;
  g_string_printf (sql, "CREATE INDEX \"by_oid_%s\" ON \"%s\" (oid)", table->name, table->name);
  return kvsqld_pg_database_write (self->database, sql->str, NULL, 0, &self->error);
}

/* Objects are made when a relation is the first to need them. */
static void
fill_from (KvsqldPgContent *self, const KvsqldPgFiller *list)
{
  for (; list->name != NULL; list++)
    if (strcmp (list->name, self->row.table->name) == 0)
      {
        if (self->objects == NULL)
          self->objects = kvsqld_pg_objects_new (self->definitions, self->session, self->arena);
        list->fill (self);
      }
}

static gboolean
fill (KvsqldPgContent *self)
{
  if (!create (self))
    return FALSE;
  fill_with_facts (self, kvsqld_pg_row_facts);
  fill_with_facts (self, kvsqld_pg_function_facts);
  fill_from (self, fillers);
  fill_from (self, kvsqld_pg_relation_fillers);
  fill_from (self, kvsqld_pg_right_fillers);
  fill_from (self, kvsqld_pg_view_fillers);
  fill_from (self, kvsqld_pg_sequence_fillers);
  fill_from (self, kvsqld_pg_type_fillers);
  g_clear_pointer (&self->objects, kvsqld_pg_objects_free);
  /* what was interrupted lacks rows */
  return self->error == NULL && kvsql_interrupt_check (&self->error);
}

gboolean
kvsqld_pg_content_add (KvsqldPgDatabase *database, GHashTable *made, const gchar *name,
                       const KvsqlCatalog *definitions, const KvsqldPgCatalogueSession *session,
                       GError **error)
{
  const KvsqldPgTableFacts *table = kvsqld_pg_facts_find_table (name);
  const KvsqldPgDerived *derived = kvsqld_pg_derived_find (name);
  g_autoptr (KvsqlArena) arena = NULL;
  KvsqldPgContent self = { .database = database, .definitions = definitions, .session = session };
  gboolean ok;

  if (g_hash_table_contains (made, name))
    return TRUE;
  if (table->n_columns > KVSQLD_PG_MAX_COLUMNS)
    return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE, "%s has too many columns",
                            name);
  for (guint i = 0; derived != NULL && derived->sources[i] != NULL; i++)
    if (!kvsqld_pg_content_add (database, made, derived->sources[i], definitions, session, error))
      return FALSE;
  arena = kvsql_arena_new ();
  self.arena = arena;
  self.row.table = table;
  ok = fill (&self)
       && (derived == NULL
           || kvsqld_pg_database_write (database, derived->sql, NULL, 0, &self.error));
  if (ok)
    g_hash_table_add (made, (gpointer)table->name);
  else
    g_propagate_error (error, self.error);
  return ok;
}
