/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-type.c: see content-private.h: the types of the rows of relations and views, and the
 * domains of information_schema. What all databases have is in facts-rows.c.
 */
#include "config.h"

#include <string.h>

#include "daemon/postgres/catalogue/content-private.h"

typedef struct
{
  const gchar *name;
  guint32 schema;
  KvsqldPgRowType numbers;
} Type;

static void
begin (KvsqldPgContent *self, const Type *type, const gchar *name, gchar kind, gchar category)
{
  kvsqld_pg_row_begin (self);
  kvsqld_pg_row_set_text (self, "typname", name);
  kvsqld_pg_row_set_number (self, "typnamespace", type->schema);
  kvsqld_pg_row_set_number (self, "typowner", KVSQLD_PG_OWNER);
  kvsqld_pg_row_set_number (self, "typlen", -1);
  kvsqld_pg_row_set_character (self, "typtype", kind);
  kvsqld_pg_row_set_character (self, "typcategory", category);
  kvsqld_pg_row_set_number (self, "typisdefined", TRUE);
  kvsqld_pg_row_set_character (self, "typdelim", ',');
  kvsqld_pg_row_set_character (self, "typalign", 'd');
  kvsqld_pg_row_set_character (self, "typstorage", 'x');
  kvsqld_pg_row_set_number (self, "typtypmod", -1);
}

/* input, output, receive, send */
static void
set_functions (KvsqldPgContent *self, const gchar *const *names)
{
  kvsqld_pg_row_set_text (self, "typinput", names[0]);
  kvsqld_pg_row_set_text (self, "typoutput", names[1]);
  kvsqld_pg_row_set_text (self, "typreceive", names[2]);
  kvsqld_pg_row_set_text (self, "typsend", names[3]);
}

static void
add_array (KvsqldPgContent *self, const Type *type)
{
  static const gchar *const functions[] = { "array_in", "array_out", "array_recv", "array_send" };

  begin (self, type, kvsql_arena_printf (self->arena, "_%s", type->name), 'b', 'A');
  kvsqld_pg_row_set_number (self, "oid", type->numbers.array);
  kvsqld_pg_row_set_number (self, "typelem", type->numbers.oid);
  kvsqld_pg_row_set_text (self, "typsubscript", "array_subscript_handler");
  kvsqld_pg_row_set_text (self, "typanalyze", "array_typanalyze");
  set_functions (self, functions);
  kvsqld_pg_row_insert (self);
}

/* ---- rows */

static void
add_row_type (KvsqldPgContent *self, const Type *type, guint32 relation)
{
  static const gchar *const functions[]
      = { "record_in", "record_out", "record_recv", "record_send" };

  begin (self, type, type->name, 'c', 'C');
  kvsqld_pg_row_set_number (self, "oid", type->numbers.oid);
  kvsqld_pg_row_set_number (self, "typrelid", relation);
  kvsqld_pg_row_set_number (self, "typarray", type->numbers.array);
  set_functions (self, functions);
  kvsqld_pg_row_insert (self);
  add_array (self, type);
}

static void
fill_row_types (KvsqldPgContent *self)
{
  guint n_tables;
  const KvsqldPgTableFacts *tables = kvsqld_pg_facts_get_tables (&n_tables);

  for (guint i = 0; i < self->objects->n_relations; i++)
    {
      const KvsqldPgRelation *relation = &self->objects->relations[i];
      const Type type = { relation->name, KVSQLD_PG_PUBLIC, relation->row_type };

      add_row_type (self, &type, relation->oid);
    }
  for (guint i = 0; i < self->objects->n_views; i++)
    {
      const KvsqldPgView *view = &self->objects->views[i];
      const Type type = { view->name, KVSQLD_PG_PUBLIC, view->row_type };

      add_row_type (self, &type, view->oid);
    }
  for (guint i = 0; i < n_tables; i++)
    {
      const Type type = { kvsqld_pg_name_without_schema (&tables[i]),
                          kvsqld_pg_schema_of_table (&tables[i]), self->objects->row_types[i] };

      add_row_type (self, &type, tables[i].oid);
    }
}

/* ---- domains of information_schema */

typedef struct
{
  const gchar *name;
  guint32 base;
  gint modifier;
  const gchar *output, *send; /* functions of the base */
  const gchar *value;         /* nullable: the default */
} Domain;

static void
begin_domain (KvsqldPgContent *self, const Type *type, const Domain *domain)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (domain->base);
  const gchar *functions[] = { "domain_in", domain->output, "domain_recv", domain->send };

  begin (self, type, type->name, 'd', facts->category);
  kvsqld_pg_row_set_number (self, "oid", type->numbers.oid);
  kvsqld_pg_row_set_number (self, "typlen", facts->size);
  kvsqld_pg_row_set_number (self, "typbyval", facts->is_by_value);
  kvsqld_pg_row_set_number (self, "typarray", type->numbers.array);
  kvsqld_pg_row_set_character (self, "typalign", facts->align);
  kvsqld_pg_row_set_character (self, "typstorage", facts->storage);
  kvsqld_pg_row_set_number (self, "typbasetype", domain->base);
  kvsqld_pg_row_set_number (self, "typtypmod", domain->modifier);
  kvsqld_pg_row_set_number (self, "typcollation", facts->collation != 0 ? 950 : 0);
  kvsqld_pg_row_set_text (self, "typdefault", domain->value);
  set_functions (self, functions);
}

static void
fill_domains (KvsqldPgContent *self)
{
  static const Domain domains[] = {
    { "cardinal_number", KVSQLD_PGT_INT4, -1, "int4out", "int4send", NULL },
    { "character_data", KVSQLD_PGT_VARCHAR, -1, "varcharout", "varcharsend", NULL },
    { "sql_identifier", KVSQLD_PGT_NAME, -1, "nameout", "namesend", NULL },
    { "time_stamp", KVSQLD_PGT_TIMESTAMPTZ, 2, "timestamptz_out", "timestamptz_send",
      "CURRENT_TIMESTAMP(2)" },
    { "yes_or_no", KVSQLD_PGT_VARCHAR, 7, "varcharout", "varcharsend", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    {
      const gchar *name = domains[i].name;
      const Type type
          = { name,
              KVSQLD_PG_INFORMATION_SCHEMA,
              { kvsqld_pg_objects_choose_number (self->objects, "domain ", name),
                kvsqld_pg_objects_choose_number (self->objects, "array domain ", name) } };

      begin_domain (self, &type, &domains[i]);
      kvsqld_pg_row_insert (self);
      add_array (self, &type);
    }
}

const KvsqldPgFiller kvsqld_pg_type_fillers[] = {
  { "pg_type", fill_row_types },
  { "pg_type", fill_domains },
  { NULL, NULL },
};
