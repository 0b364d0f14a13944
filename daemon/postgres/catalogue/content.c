/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content.c: see content.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/content.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "daemon/postgres/catalogue/content-derived.h"
#include "daemon/postgres/catalogue/facts.h"
#include "daemon/postgres/catalogue/objects.h"

#define OWNER 10
#define CLASS_OF_RELATIONS 1259
#define NO_DATABASE_NUMBER 5
#define MAX_COLUMNS 64

/* A row that is built up by the names of its columns. */
typedef struct
{
  KvsqldPgDatabase *database;
  const KvsqldPgTableFacts *table;
  const gchar *insert;
  KvsqlArena *arena;
  KvsqlValue values[MAX_COLUMNS];
} Row;

typedef struct
{
  KvsqldPgDatabase *database;
  const KvsqlCatalog *definitions;
  const KvsqldPgCatalogueSession *session;
  const KvsqldPgObjects *objects;
  KvsqlArena *arena;
  Row row;
  GError *error;
} Content;

/* ---- rows */

/* Most columns cannot be NULL. */
static KvsqlValue
default_of (guint32 type)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type);

  switch (facts != NULL ? facts->category : 'U')
    {
    case 'N':
    case 'B':
      return type == KVSQLD_PGT_REGPROC
                 ? (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice ("-", 1) }
                 : (KvsqlValue){ .type = KVSQL_TYPE_BIGINT };
    case 'S':
    case 'Z':
      return type == KVSQLD_PGT_CHAR || type == KVSQLD_PGT_NAME
                 ? (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice ("", 0) }
                 : KVSQL_VALUE_NULL;
    default:
      return type == KVSQLD_PGT_XID ? (KvsqlValue){ .type = KVSQL_TYPE_BIGINT } : KVSQL_VALUE_NULL;
    }
}

static void
begin (Content *self)
{
  for (guint i = 0; i < self->row.table->n_columns; i++)
    self->row.values[i] = default_of (self->row.table->columns[i].type);
}

static KvsqlValue *
find (Content *self, const gchar *column)
{
  const KvsqldPgTableFacts *table = self->row.table;

  for (guint i = 0; i < table->n_columns; i++)
    if (strcmp (table->columns[i].name, column) == 0)
      return &self->row.values[i];
  g_critical ("%s has no column %s", table->name, column);
  return &self->row.values[0];
}

static void
set_number (Content *self, const gchar *column, gint64 number)
{
  *find (self, column) = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

static void
set_text (Content *self, const gchar *column, const gchar *text)
{
  *find (self, column) = text == NULL ? KVSQL_VALUE_NULL
                                      : (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                                                      .bytes = kvsql_slice_from_text (text) };
}

static void
set_character (Content *self, const gchar *column, gchar character)
{
  set_text (self, column,
            character != '\0' ? kvsql_arena_strndup (self->arena, &character, 1) : "");
}

static void
insert (Content *self)
{
  if (self->error == NULL && kvsql_interrupt_poll (&self->error)
      && !kvsqld_pg_database_write (self->database, self->row.insert, self->row.values,
                                    self->row.table->n_columns, &self->error))
    return;
}

/* ---- relations */

static void
add_class (Content *self, guint32 oid, const gchar *name, guint32 schema, gchar kind,
           guint n_attributes)
{
  begin (self);
  set_number (self, "oid", oid);
  set_text (self, "relname", name);
  set_number (self, "relnamespace", schema);
  set_number (self, "relowner", OWNER);
  set_number (self, "relam", kind == 'i' ? 403 : kind == 'r' ? 2 : 0);
  set_number (self, "relfilenode", kind == 'v' ? 0 : oid);
  set_number (self, "reltuples", kind == 'v' ? 0 : -1);
  set_character (self, "relpersistence", 'p');
  set_character (self, "relkind", kind);
  set_number (self, "relnatts", n_attributes);
  set_number (self, "relispopulated", TRUE);
  set_character (self, "relreplident", kind == 'r' && schema == KVSQLD_PG_PUBLIC ? 'd' : 'n');
}

static const gchar *
name_without_schema (const KvsqldPgTableFacts *table)
{
  const gchar *point = strchr (table->name, '.');

  return point != NULL ? point + 1 : table->name;
}

static guint32
schema_of_table (const KvsqldPgTableFacts *table)
{
  return strchr (table->name, '.') != NULL ? KVSQLD_PG_INFORMATION_SCHEMA : KVSQLD_PG_CATALOG;
}

static void
fill_class (Content *self)
{
  guint n_tables;
  const KvsqldPgTableFacts *tables = kvsqld_pg_facts_get_tables (&n_tables);

  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];

      add_class (self, relation->oid, relation->name, KVSQLD_PG_PUBLIC, 'r',
                 relation->entry->relation->n_attributes);
      set_number (self, "relhasindex", relation->n_indexes > 0);
      insert (self);
      for (guint x = 0; x < relation->n_indexes; x++)
        {
          const KvsqldPgIndex *index = &relation->indexes[x];

          add_class (self, index->oid, index->name, KVSQLD_PG_PUBLIC, 'i', index->n_attributes);
          insert (self);
        }
    }
  for (guint i = 0; i < n_tables; i++)
    {
      add_class (self, tables[i].oid, name_without_schema (&tables[i]),
                 schema_of_table (&tables[i]), tables[i].kind, tables[i].n_columns);
      insert (self);
    }
}

static void
add_attribute (Content *self, guint32 relation, guint number, const gchar *name,
               KvsqldPgColumnType type)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type.oid);

  begin (self);
  set_number (self, "attrelid", relation);
  set_text (self, "attname", name);
  set_number (self, "atttypid", type.oid);
  set_number (self, "attstattarget", -1);
  set_number (self, "attlen", facts->size);
  set_number (self, "attnum", number);
  set_number (self, "attcacheoff", -1);
  set_number (self, "atttypmod", type.modifier);
  set_number (self, "attbyval", facts->is_by_value);
  set_character (self, "attalign", facts->align);
  set_character (self, "attstorage", facts->storage);
  set_number (self, "attislocal", TRUE);
  set_number (self, "attcollation", facts->collation);
}

static void
fill_attributes_of_relation (Content *self, const KvsqldPgRelation *relation)
{
  const KvsqlRelation *definition = relation->entry->relation;

  for (guint a = 0; a < definition->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &definition->attributes[a];

      if (attribute->is_hidden)
        continue;
      add_attribute (self, relation->oid, a + 1, attribute->name,
                     kvsqld_pg_column_type_of (attribute));
      set_number (self, "attnotnull", attribute->is_not_null);
      set_number (self, "atthasdef",
                  attribute->default_expr != NULL
                      || !kvsql_value_is_null (&attribute->default_value));
      insert (self);
    }
  for (guint x = 0; x < relation->n_indexes; x++)
    for (guint i = 0; i < relation->indexes[x].n_attributes; i++)
      {
        const KvsqlAttribute *attribute
            = &definition->attributes[relation->indexes[x].attributes[i]];

        add_attribute (self, relation->indexes[x].oid, i + 1, attribute->name,
                       kvsqld_pg_column_type_of (attribute));
        insert (self);
      }
}

static void
fill_attribute (Content *self)
{
  guint n_tables;
  const KvsqldPgTableFacts *tables = kvsqld_pg_facts_get_tables (&n_tables);

  for (guint i = 0; i < self->objects->n_relations; i++)
    fill_attributes_of_relation (self, &self->objects->relations[i]);
  for (guint i = 0; i < n_tables; i++)
    for (guint c = 0; c < tables[i].n_columns && self->error == NULL; c++)
      {
        add_attribute (self, tables[i].oid, c + 1, tables[i].columns[c].name,
                       (KvsqldPgColumnType){ tables[i].columns[c].type, -1 });
        insert (self);
      }
}

/* 'x'::text */
static void
fill_attrdef (Content *self)
{
  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];

      for (guint a = 0; a < relation->entry->relation->n_attributes; a++)
        {
          const KvsqlAttribute *attribute = &relation->entry->relation->attributes[a];
          g_autofree gchar *text = kvsqld_pg_default_of (attribute);

          if (text == NULL || attribute->is_hidden)
            continue;
          begin (self);
          set_number (self, "oid", relation->oid + a + 1);
          set_number (self, "adrelid", relation->oid);
          set_number (self, "adnum", a + 1);
          set_text (self, "adbin", text);
          insert (self);
        }
    }
}

static void
add_description (Content *self, guint32 oid, guint attribute, const gchar *text)
{
  if (text == NULL)
    return;
  begin (self);
  set_number (self, "objoid", oid);
  set_number (self, "classoid", CLASS_OF_RELATIONS);
  set_number (self, "objsubid", attribute);
  set_text (self, "description", text);
  insert (self);
}

static void
fill_description (Content *self)
{
  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];
      const KvsqlRelation *definition = relation->entry->relation;

      add_description (self, relation->oid, 0, definition->comment);
      for (guint a = 0; a < definition->n_attributes; a++)
        add_description (self, relation->oid, a + 1, definition->attributes[a].comment);
      for (guint x = 0; x < relation->n_indexes; x++)
        add_description (self, relation->indexes[x].oid, 0, relation->indexes[x].comment);
    }
}

/* ---- indexes */

/* "1 2", or "{1,2}" */
static const gchar *
join_numbers (Content *self, const KvsqldPgIndex *index, gboolean is_array, gint constant)
{
  g_autoptr (GString) out = g_string_new (is_array ? "{" : "");

  for (guint i = 0; i < index->n_attributes; i++)
    g_string_append_printf (out, "%s%d", i > 0 ? (is_array ? "," : " ") : "",
                            constant >= 0 ? constant : (gint)index->attributes[i] + 1);
  if (is_array)
    g_string_append_c (out, '}');
  return kvsql_arena_strdup (self->arena, out->str);
}

typedef void (*AddIndex) (Content *self, const KvsqldPgRelation *relation,
                          const KvsqldPgIndex *index);

static void
for_each_index (Content *self, AddIndex add)
{
  for (guint i = 0; i < self->objects->n_relations; i++)
    for (guint x = 0; x < self->objects->relations[i].n_indexes; x++)
      add (self, &self->objects->relations[i], &self->objects->relations[i].indexes[x]);
}

static void
add_index (Content *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  begin (self);
  set_number (self, "indexrelid", index->oid);
  set_number (self, "indrelid", relation->oid);
  set_number (self, "indnatts", index->n_attributes);
  set_number (self, "indnkeyatts", index->n_attributes);
  set_number (self, "indisunique", index->is_primary);
  set_number (self, "indisprimary", index->is_primary);
  set_number (self, "indimmediate", TRUE);
  set_number (self, "indisvalid", index->is_valid);
  set_number (self, "indisready", TRUE);
  set_number (self, "indislive", TRUE);
  set_text (self, "indkey", join_numbers (self, index, FALSE, -1));
  set_text (self, "indcollation", join_numbers (self, index, FALSE, 0));
  set_text (self, "indclass", join_numbers (self, index, FALSE, 0));
  set_text (self, "indoption", join_numbers (self, index, FALSE, 0));
  insert (self);
}

static void
fill_index (Content *self)
{
  for_each_index (self, add_index);
}

static void
add_constraint (Content *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  if (!index->is_primary)
    return;
  begin (self);
  set_number (self, "oid", index->constraint_oid);
  set_text (self, "conname", index->name);
  set_number (self, "connamespace", KVSQLD_PG_PUBLIC);
  set_character (self, "contype", 'p');
  set_number (self, "convalidated", TRUE);
  set_number (self, "conrelid", relation->oid);
  set_number (self, "conindid", index->oid);
  set_character (self, "confupdtype", ' ');
  set_character (self, "confdeltype", ' ');
  set_character (self, "confmatchtype", ' ');
  set_number (self, "conislocal", TRUE);
  set_number (self, "connoinherit", TRUE);
  set_text (self, "conkey", join_numbers (self, index, TRUE, -1));
  insert (self);
}

static void
fill_constraint (Content *self)
{
  for_each_index (self, add_constraint);
}

/* The attributes as they are written in a definition, and as an array. */
static const gchar *
join_names (Content *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index,
            gboolean is_array)
{
  g_autoptr (GString) out = g_string_new (is_array ? "{" : "(");

  for (guint i = 0; i < index->n_attributes; i++)
    {
      const KvsqlAttribute *attribute
          = &relation->entry->relation->attributes[index->attributes[i]];
      g_autofree gchar *quoted = kvsqld_pg_quote_ident (attribute->name);

      g_string_append_printf (out, "%s%s", i > 0 ? (is_array ? "," : ", ") : "", quoted);
    }
  g_string_append_c (out, is_array ? '}' : ')');
  return kvsql_arena_strdup (self->arena, out->str);
}

static void
add_index_text (Content *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  g_autofree gchar *name = kvsqld_pg_quote_ident (index->name);
  g_autofree gchar *on = kvsqld_pg_quote_ident (relation->name);

  begin (self);
  set_number (self, "oid", index->oid);
  set_text (self, "names", join_names (self, relation, index, TRUE));
  set_text (self, "head",
            kvsql_arena_printf (self->arena, "CREATE %sINDEX %s ON ",
                                index->is_primary ? "UNIQUE " : "", name));
  set_text (self, "tail",
            kvsql_arena_printf (self->arena, "%s USING btree %s", on,
                                join_names (self, relation, index, FALSE)));
  insert (self);
}

static void
fill_index_texts (Content *self)
{
  for_each_index (self, add_index_text);
}

static void
add_constraint_text (Content *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  if (!index->is_primary)
    return;
  begin (self);
  set_number (self, "oid", index->constraint_oid);
  set_text (self, "definition",
            kvsql_arena_printf (self->arena, "PRIMARY KEY %s",
                                join_names (self, relation, index, FALSE)));
  insert (self);
}

static void
fill_constraint_texts (Content *self)
{
  for_each_index (self, add_constraint_text);
}

/* ---- what there is one of */

static void
fill_namespace (Content *self)
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
      begin (self);
      set_number (self, "oid", schemas[i].oid);
      set_text (self, "nspname", schemas[i].name);
      set_number (self, "nspowner", OWNER);
      insert (self);
    }
}

static void
fill_database (Content *self)
{
  begin (self);
  set_number (self, "oid", NO_DATABASE_NUMBER);
  set_text (self, "datname", self->session->database);
  set_number (self, "datdba", OWNER);
  set_number (self, "encoding", 6);
  set_number (self, "datallowconn", TRUE);
  set_number (self, "datconnlimit", -1);
  set_number (self, "dattablespace", 1663);
  set_text (self, "datcollate", "C.UTF-8");
  set_text (self, "datctype", "C.UTF-8");
  insert (self);
}

static void
add_role (Content *self, guint32 oid, const gchar *name, gboolean is_admin, gboolean may_log_in,
          gint64 connection_limit)
{
  begin (self);
  set_number (self, "oid", oid);
  set_text (self, "rolname", name);
  set_number (self, "rolsuper", is_admin);
  set_number (self, "rolinherit", TRUE);
  set_number (self, "rolcreaterole", is_admin);
  set_number (self, "rolcreatedb", is_admin);
  set_number (self, "rolcanlogin", may_log_in);
  set_number (self, "rolreplication", is_admin);
  set_number (self, "rolbypassrls", is_admin);
  set_number (self, "rolconnlimit", connection_limit);
  set_text (self, "rolpassword", "********");
  insert (self);
}

/* While there are no roles, the owner of all is whom the client calls itself. */
static void
fill_roles (Content *self)
{
  if (self->definitions->roles == NULL)
    {
      add_role (self, OWNER, self->session->user, TRUE, TRUE, -1);
      return;
    }
  add_role (self, OWNER, "kvsql", TRUE, FALSE, -1);
  for (guint i = 0; i < self->objects->n_roles; i++)
    {
      const KvsqldPgRole *role = &self->objects->roles[i];

      add_role (self, role->oid, role->role->name, role->role->is_admin, role->role->may_log_in,
                role->role->limits[KVSQL_ROLE_LIMIT_CONNECTIONS]);
    }
}

static void
fill_settings (Content *self)
{
  const gchar *const *names = self->session->list_settings (self->session->settings);

  for (; *names != NULL; names++)
    {
      const gchar *value = self->session->get_setting (self->session->settings, *names);

      begin (self);
      set_text (self, "name", *names);
      set_text (self, "setting", value);
      set_text (self, "vartype", "string");
      set_text (self, "context", "user");
      set_text (self, "source", "session");
      set_text (self, "boot_val", value);
      set_text (self, "reset_val", value);
      insert (self);
    }
  begin (self);
  set_text (self, "name", "max_index_keys");
  set_text (self, "setting", "32");
  set_text (self, "vartype", "integer");
  set_text (self, "context", "internal");
  insert (self);
}

/* ---- tables */

static const struct
{
  const gchar *name;
  void (*fill) (Content *self);
} fillers[] = {
  { "kvsql_constraint", fill_constraint_texts },
  { "kvsql_index", fill_index_texts },
  { "pg_attrdef", fill_attrdef },
  { "pg_attribute", fill_attribute },
  { "pg_class", fill_class },
  { "pg_constraint", fill_constraint },
  { "pg_database", fill_database },
  { "pg_description", fill_description },
  { "pg_index", fill_index },
  { "pg_namespace", fill_namespace },
  { "pg_roles", fill_roles },
  { "pg_settings", fill_settings },
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
fill_with_facts (Content *self)
{
  const KvsqldPgTableFacts *table = self->row.table;

  for (const KvsqldPgRowFacts *row = kvsqld_pg_row_facts; row->relation != NULL; row++)
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
      insert (self);
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
create (Content *self)
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

static gboolean
fill (Content *self)
{
  if (!create (self))
    return FALSE;
  fill_with_facts (self);
  for (guint i = 0; i < G_N_ELEMENTS (fillers); i++)
    if (strcmp (fillers[i].name, self->row.table->name) == 0)
      {
        g_autoptr (KvsqldPgObjects) objects
            = kvsqld_pg_objects_new (self->definitions, self->session->authority, self->arena);

        self->objects = objects;
        fillers[i].fill (self);
        self->objects = NULL;
      }
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
  Content self = { .database = database, .definitions = definitions, .session = session };
  gboolean ok;

  if (g_hash_table_contains (made, name))
    return TRUE;
  if (table->n_columns > MAX_COLUMNS)
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
