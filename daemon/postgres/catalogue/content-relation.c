/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-relation.c: see content-private.h: relations, with their attributes and indexes.
 */
#include "config.h"

#include <string.h>

#include "core/sql/printer.h"
#include "daemon/postgres/catalogue/content-private.h"

/* ---- relations */

void
kvsqld_pg_row_begin_class (KvsqldPgContent *self, guint32 oid, const gchar *name, guint32 schema,
                           gchar kind, guint n_attributes)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", oid);
  kvsqld_pg_row_set_text (self, "relname", name);
  kvsqld_pg_row_set_number (self, "relnamespace", schema);
  kvsqld_pg_row_set_number (self, "relowner", KVSQLD_PG_OWNER);
  kvsqld_pg_row_set_number (self, "relam", kind == 'i' ? 403 : kind == 'r' ? 2 : 0);
  kvsqld_pg_row_set_number (self, "relfilenode", kind == 'v' ? 0 : oid);
  kvsqld_pg_row_set_number (self, "reltuples", kind == 'v' ? 0 : -1);
  kvsqld_pg_row_set_character (self, "relpersistence", 'p');
  kvsqld_pg_row_set_character (self, "relkind", kind);
  kvsqld_pg_row_set_number (self, "relnatts", n_attributes);
  kvsqld_pg_row_set_number (self, "relispopulated", TRUE);
  kvsqld_pg_row_set_character (self, "relreplident",
                               kind == 'r' && schema == KVSQLD_PG_PUBLIC ? 'd' : 'n');
}

const gchar *
kvsqld_pg_name_without_schema (const KvsqldPgTableFacts *table)
{
  const gchar *point = strchr (table->name, '.');

  return point != NULL ? point + 1 : table->name;
}

guint32
kvsqld_pg_schema_of_table (const KvsqldPgTableFacts *table)
{
  return strchr (table->name, '.') != NULL ? KVSQLD_PG_INFORMATION_SCHEMA : KVSQLD_PG_CATALOG;
}

/* What ANALYZE has counted; @unknown: it has not. */
static gint64
get_n_tuples (const KvsqldPgContent *self, const KvsqldPgRelation *relation, gint64 unknown)
{
  gint64 n = self->session->count_tuples (self->session->definitions, relation->entry->relation);

  return n >= 0 ? n : unknown;
}

/* As in PostgreSQL, an index has a page when it is new, and 0 tuples before ANALYZE. */
static void
fill_class (KvsqldPgContent *self)
{
  guint n_tables;
  const KvsqldPgTableFacts *tables = kvsqld_pg_facts_get_tables (&n_tables);

  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];

      kvsqld_pg_row_begin_class (self, relation->oid, relation->name, KVSQLD_PG_PUBLIC, 'r',
                                 relation->entry->relation->n_attributes);
      kvsqld_pg_row_set_number (self, "reltuples", get_n_tuples (self, relation, -1));
      kvsqld_pg_row_set_number (self, "relhasindex", relation->n_indexes > 0);
      kvsqld_pg_row_set_number (self, "relchecks", relation->entry->relation->n_checks);
      kvsqld_pg_row_set_number (self, "reltype", relation->row_type.oid);
      kvsqld_pg_row_insert (self);
      for (guint x = 0; x < relation->n_indexes; x++)
        {
          const KvsqldPgIndex *index = &relation->indexes[x];

          kvsqld_pg_row_begin_class (self, index->oid, index->name, KVSQLD_PG_PUBLIC, 'i',
                                     index->n_attributes);
          kvsqld_pg_row_set_number (self, "reltuples", get_n_tuples (self, relation, 0));
          kvsqld_pg_row_set_number (self, "relpages", 1);
          kvsqld_pg_row_insert (self);
        }
    }
  for (guint i = 0; i < n_tables; i++)
    {
      kvsqld_pg_row_begin_class (self, tables[i].oid, kvsqld_pg_name_without_schema (&tables[i]),
                                 kvsqld_pg_schema_of_table (&tables[i]), tables[i].kind,
                                 tables[i].n_columns);
      kvsqld_pg_row_set_number (self, "reltype", self->objects->row_types[i].oid);
      kvsqld_pg_row_insert (self);
    }
}

void
kvsqld_pg_row_begin_attribute (KvsqldPgContent *self, guint32 relation, guint number,
                               const gchar *name, KvsqldPgColumnType type)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type.oid);

  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "attrelid", relation);
  kvsqld_pg_row_set_text (self, "attname", name);
  kvsqld_pg_row_set_number (self, "atttypid", type.oid);
  kvsqld_pg_row_set_number (self, "attstattarget", -1);
  kvsqld_pg_row_set_number (self, "attlen", facts->size);
  kvsqld_pg_row_set_number (self, "attnum", number);
  kvsqld_pg_row_set_number (self, "attcacheoff", -1);
  kvsqld_pg_row_set_number (self, "atttypmod", type.modifier);
  kvsqld_pg_row_set_number (self, "attbyval", facts->is_by_value);
  kvsqld_pg_row_set_character (self, "attalign", facts->align);
  kvsqld_pg_row_set_character (self, "attstorage", facts->storage);
  kvsqld_pg_row_set_number (self, "attislocal", TRUE);
  kvsqld_pg_row_set_number (self, "attcollation", facts->collation);
}

/* The numbers of attributes have no gaps for clients: a hidden one is as if it was dropped. */
static void
add_dropped (KvsqldPgContent *self, guint32 relation, guint number)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "attrelid", relation);
  kvsqld_pg_row_set_text (
      self, "attname", kvsql_arena_printf (self->arena, "........pg.dropped.%u........", number));
  kvsqld_pg_row_set_number (self, "attnum", number);
  kvsqld_pg_row_set_number (self, "atttypmod", -1);
  kvsqld_pg_row_set_number (self, "attisdropped", TRUE);
  kvsqld_pg_row_insert (self);
}

static void
fill_attributes_of_relation (KvsqldPgContent *self, const KvsqldPgRelation *relation)
{
  const KvsqlRelation *definition = relation->entry->relation;

  for (guint a = 0; a < definition->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &definition->attributes[a];

      if (attribute->is_hidden)
        {
          add_dropped (self, relation->oid, a + 1);
          continue;
        }
      kvsqld_pg_row_begin_attribute (self, relation->oid, a + 1, attribute->name,
                                     kvsqld_pg_column_type_of (attribute->type, &attribute->limit));
      kvsqld_pg_row_set_number (self, "attnotnull", attribute->is_not_null);
      if (kvsqld_pg_is_identity (self->definitions, attribute))
        kvsqld_pg_row_set_character (self, "attidentity", 'd');
      else
        kvsqld_pg_row_set_number (self, "atthasdef",
                                  attribute->default_expr != NULL
                                      || !kvsql_value_is_null (&attribute->default_value));
      kvsqld_pg_row_insert (self);
    }
  for (guint x = 0; x < relation->n_indexes; x++)
    for (guint i = 0; i < relation->indexes[x].n_attributes; i++)
      {
        const KvsqlAttribute *attribute
            = &definition->attributes[relation->indexes[x].attributes[i]];

        kvsqld_pg_row_begin_attribute (
            self, relation->indexes[x].oid, i + 1, attribute->name,
            kvsqld_pg_column_type_of (attribute->type, &attribute->limit));
        kvsqld_pg_row_insert (self);
      }
}

static void
fill_attribute (KvsqldPgContent *self)
{
  guint n_tables;
  const KvsqldPgTableFacts *tables = kvsqld_pg_facts_get_tables (&n_tables);

  for (guint i = 0; i < self->objects->n_relations; i++)
    fill_attributes_of_relation (self, &self->objects->relations[i]);
  for (guint i = 0; i < n_tables; i++)
    for (guint c = 0; c < tables[i].n_columns && self->error == NULL; c++)
      {
        kvsqld_pg_row_begin_attribute (self, tables[i].oid, c + 1, tables[i].columns[c].name,
                                       (KvsqldPgColumnType){ tables[i].columns[c].type, -1 });
        kvsqld_pg_row_insert (self);
      }
}

guint32
kvsqld_pg_number_of_default (const KvsqldPgRelation *relation, guint attribute)
{
  return relation->oid + attribute + 1;
}

/* 'x'::text */
static void
fill_attrdef (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];

      for (guint a = 0; a < relation->entry->relation->n_attributes; a++)
        {
          const KvsqlAttribute *attribute = &relation->entry->relation->attributes[a];
          g_autofree gchar *text = kvsqld_pg_default_of (attribute);

          if (text == NULL || attribute->is_hidden
              || kvsqld_pg_is_identity (self->definitions, attribute))
            continue;
          kvsqld_pg_row_begin (self);
          kvsqld_pg_row_set_number (self, "oid", kvsqld_pg_number_of_default (relation, a));
          kvsqld_pg_row_set_number (self, "adrelid", relation->oid);
          kvsqld_pg_row_set_number (self, "adnum", a + 1);
          kvsqld_pg_row_set_text (self, "adbin", text);
          kvsqld_pg_row_insert (self);
        }
    }
}

static void
insert_description (KvsqldPgContent *self, guint32 class, guint32 oid, guint attribute,
                    const gchar *text)
{
  if (text == NULL)
    return;
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "objoid", oid);
  kvsqld_pg_row_set_number (self, "classoid", class);
  kvsqld_pg_row_set_number (self, "objsubid", attribute);
  kvsqld_pg_row_set_text (self, "description", text);
  kvsqld_pg_row_insert (self);
}

static void
add_description (KvsqldPgContent *self, guint32 oid, guint attribute, const gchar *text)
{
  insert_description (self, KVSQLD_PG_CLASS_OF_RELATIONS, oid, attribute, text);
}

static void
fill_description (KvsqldPgContent *self)
{
  insert_description (self, KVSQLD_PG_CLASS_OF_NAMESPACES, KVSQLD_PG_PUBLIC, 0,
                      "standard public schema");
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
join_numbers (KvsqldPgContent *self, const KvsqldPgIndex *index, gboolean is_array, gint constant)
{
  g_autoptr (GString) out = g_string_new (is_array ? "{" : "");

  for (guint i = 0; i < index->n_attributes; i++)
    g_string_append_printf (out, "%s%d", i > 0 ? (is_array ? "," : " ") : "",
                            constant >= 0 ? constant : (gint)index->attributes[i] + 1);
  if (is_array)
    g_string_append_c (out, '}');
  return kvsql_arena_strdup (self->arena, out->str);
}

typedef void (*AddIndex) (KvsqldPgContent *self, const KvsqldPgRelation *relation,
                          const KvsqldPgIndex *index);

static void
for_each_index (KvsqldPgContent *self, AddIndex add)
{
  for (guint i = 0; i < self->objects->n_relations; i++)
    for (guint x = 0; x < self->objects->relations[i].n_indexes; x++)
      add (self, &self->objects->relations[i], &self->objects->relations[i].indexes[x]);
}

static void
add_index (KvsqldPgContent *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "indexrelid", index->oid);
  kvsqld_pg_row_set_number (self, "indrelid", relation->oid);
  kvsqld_pg_row_set_number (self, "indnatts", index->n_attributes);
  kvsqld_pg_row_set_number (self, "indnkeyatts", index->n_attributes);
  kvsqld_pg_row_set_number (self, "indisunique", index->is_primary);
  kvsqld_pg_row_set_number (self, "indisprimary", index->is_primary);
  kvsqld_pg_row_set_number (self, "indimmediate", TRUE);
  kvsqld_pg_row_set_number (self, "indisvalid", index->is_valid);
  kvsqld_pg_row_set_number (self, "indisready", TRUE);
  kvsqld_pg_row_set_number (self, "indislive", TRUE);
  kvsqld_pg_row_set_text (self, "indkey", join_numbers (self, index, FALSE, -1));
  kvsqld_pg_row_set_text (self, "indcollation", join_numbers (self, index, FALSE, 0));
  kvsqld_pg_row_set_text (self, "indclass", join_numbers (self, index, FALSE, 0));
  kvsqld_pg_row_set_text (self, "indoption", join_numbers (self, index, FALSE, 0));
  kvsqld_pg_row_insert (self);
}

static void
fill_index (KvsqldPgContent *self)
{
  for_each_index (self, add_index);
}

static void
begin_constraint (KvsqldPgContent *self, const KvsqldPgRelation *relation, guint32 oid,
                  const gchar *name, gchar kind)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", oid);
  kvsqld_pg_row_set_text (self, "conname", name);
  kvsqld_pg_row_set_number (self, "connamespace", KVSQLD_PG_PUBLIC);
  kvsqld_pg_row_set_character (self, "contype", kind);
  kvsqld_pg_row_set_number (self, "convalidated", TRUE);
  kvsqld_pg_row_set_number (self, "conrelid", relation->oid);
  kvsqld_pg_row_set_character (self, "confupdtype", ' ');
  kvsqld_pg_row_set_character (self, "confdeltype", ' ');
  kvsqld_pg_row_set_character (self, "confmatchtype", ' ');
  kvsqld_pg_row_set_number (self, "conislocal", TRUE);
}

static void
add_constraint (KvsqldPgContent *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  if (!index->is_primary)
    return;
  begin_constraint (self, relation, index->constraint_oid, index->name, 'p');
  kvsqld_pg_row_set_number (self, "conindid", index->oid);
  kvsqld_pg_row_set_number (self, "connoinherit", TRUE);
  kvsqld_pg_row_set_text (self, "conkey", join_numbers (self, index, TRUE, -1));
  kvsqld_pg_row_insert (self);
}

/* (transfer full) */
static gchar *
print_check (const KvsqlRowCheck *check)
{
  GString *out = g_string_new ("(");

  kvsql_print_expression (check->expr, out);
  return g_string_free (g_string_append_c (out, ')'), FALSE);
}

typedef void (*AddCheck) (KvsqldPgContent *self, const KvsqldPgRelation *relation, guint32 oid,
                          const KvsqlRowCheck *check);

static void
for_each_check (KvsqldPgContent *self, AddCheck add)
{
  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];

      for (guint c = 0; c < relation->entry->relation->n_checks; c++)
        add (self, relation, relation->check_oids[c], &relation->entry->relation->checks[c]);
    }
}

static void
add_check (KvsqldPgContent *self, const KvsqldPgRelation *relation, guint32 oid,
           const KvsqlRowCheck *check)
{
  g_autofree gchar *text = print_check (check);

  begin_constraint (self, relation, oid, check->name, 'c');
  kvsqld_pg_row_set_text (self, "conbin", text);
  kvsqld_pg_row_insert (self);
}

static void
fill_constraint (KvsqldPgContent *self)
{
  for_each_index (self, add_constraint);
  for_each_check (self, add_check);
}

/* The attributes as they are written in a definition, and as an array. */
static const gchar *
join_names (KvsqldPgContent *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index,
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
add_index_text (KvsqldPgContent *self, const KvsqldPgRelation *relation, const KvsqldPgIndex *index)
{
  g_autofree gchar *name = kvsqld_pg_quote_ident (index->name);
  g_autofree gchar *on = kvsqld_pg_quote_ident (relation->name);

  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", index->oid);
  kvsqld_pg_row_set_text (self, "names", join_names (self, relation, index, TRUE));
  kvsqld_pg_row_set_text (self, "head",
                          kvsql_arena_printf (self->arena, "CREATE %sINDEX %s ON ",
                                              index->is_primary ? "UNIQUE " : "", name));
  kvsqld_pg_row_set_text (self, "tail",
                          kvsql_arena_printf (self->arena, "%s USING btree %s", on,
                                              join_names (self, relation, index, FALSE)));
  kvsqld_pg_row_insert (self);
}

static void
fill_index_texts (KvsqldPgContent *self)
{
  for_each_index (self, add_index_text);
}

static void
add_constraint_text (KvsqldPgContent *self, const KvsqldPgRelation *relation,
                     const KvsqldPgIndex *index)
{
  if (!index->is_primary)
    return;
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", index->constraint_oid);
  kvsqld_pg_row_set_text (self, "definition",
                          kvsql_arena_printf (self->arena, "PRIMARY KEY %s",
                                              join_names (self, relation, index, FALSE)));
  kvsqld_pg_row_insert (self);
}

static void
add_check_text (KvsqldPgContent *self, G_GNUC_UNUSED const KvsqldPgRelation *relation, guint32 oid,
                const KvsqlRowCheck *check)
{
  g_autofree gchar *text = print_check (check);

  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_number (self, "oid", oid);
  kvsqld_pg_row_set_text (self, "definition", kvsql_arena_printf (self->arena, "CHECK %s", text));
  kvsqld_pg_row_insert (self);
}

static void
fill_constraint_texts (KvsqldPgContent *self)
{
  for_each_index (self, add_constraint_text);
  for_each_check (self, add_check_text);
}

const KvsqldPgFiller kvsqld_pg_relation_fillers[] = {
  { "kvsql_constraint", fill_constraint_texts },
  { "kvsql_index", fill_index_texts },
  { "pg_attrdef", fill_attrdef },
  { "pg_attribute", fill_attribute },
  { "pg_class", fill_class },
  { "pg_constraint", fill_constraint },
  { "pg_description", fill_description },
  { "pg_index", fill_index },
  { NULL, NULL },
};
