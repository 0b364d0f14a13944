/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-view.c: see content-private.h: views.
 */
#include "config.h"

#include "core/sql/ast.h"
#include "daemon/postgres/catalogue/content-private.h"

static const KvsqldPgViewColumn *
list_columns (const KvsqldPgContent *self, const KvsqldPgView *view, guint *out_n)
{
  return self->session->list_view_columns (self->session->definitions, view->view, self->arena,
                                           out_n);
}

static void
fill_class (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_views && self->error == NULL; i++)
    {
      const KvsqldPgView *view = &self->objects->views[i];
      guint n;

      list_columns (self, view, &n);
      kvsqld_pg_row_begin_class (self, view->oid, view->name, KVSQLD_PG_PUBLIC, 'v', n);
      kvsqld_pg_row_set_number (self, "reltype", view->row_type.oid);
      kvsqld_pg_row_set_number (self, "relhasrules", TRUE);
      kvsqld_pg_row_insert (self);
    }
}

static void
fill_attribute (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_views && self->error == NULL; i++)
    {
      guint n;
      const KvsqldPgViewColumn *columns = list_columns (self, &self->objects->views[i], &n);

      for (guint c = 0; c < n; c++)
        {
          kvsqld_pg_row_begin_attribute (self, self->objects->views[i].oid, c + 1, columns[c].name,
                                         columns[c].type);
          kvsqld_pg_row_insert (self);
        }
    }
}

/* PostgreSQL writes the query in its own form, and ends it with a semicolon. */
static void
fill_definition (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_views; i++)
    {
      const KvsqldPgView *view = &self->objects->views[i];
      const KvsqlSlice text = view->view->definition->query_text;

      kvsqld_pg_row_begin (self);
      kvsqld_pg_row_set_number (self, "oid", view->oid);
      kvsqld_pg_row_set_text (
          self, "definition",
          kvsql_arena_printf (self->arena, " %.*s;", (int)text.size, (const gchar *)text.data));
      kvsqld_pg_row_insert (self);
    }
}

/* PostgreSQL keeps a view's query as a rule, which depends on what the query reads. */
static void
fill_rules (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_views; i++)
    {
      const KvsqldPgView *view = &self->objects->views[i];

      kvsqld_pg_row_begin (self);
      kvsqld_pg_row_set_number (self, "oid", view->rule_oid);
      kvsqld_pg_row_set_text (self, "rulename", "_RETURN");
      kvsqld_pg_row_set_number (self, "ev_class", view->oid);
      kvsqld_pg_row_set_character (self, "ev_type", '1');
      kvsqld_pg_row_set_character (self, "ev_enabled", 'O');
      kvsqld_pg_row_set_number (self, "is_instead", TRUE);
      kvsqld_pg_row_insert (self);
    }
}

/* The numbers of relations and views by their definitions. What the session may not see has none.
 */
static GHashTable *
list_numbers (const KvsqldPgContent *self)
{
  const KvsqldPgObjects *objects = self->objects;
  GHashTable *numbers = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < objects->n_relations; i++)
    g_hash_table_insert (numbers, (gpointer)objects->relations[i].entry,
                         GUINT_TO_POINTER (objects->relations[i].oid));
  for (guint i = 0; i < objects->n_views; i++)
    g_hash_table_insert (numbers, (gpointer)objects->views[i].view,
                         GUINT_TO_POINTER (objects->views[i].oid));
  return numbers;
}

static void
add_uses (KvsqldPgContent *self, const KvsqldPgView *view, GHashTable *numbers)
{
  for (guint i = 0; i < view->view->uses->len; i++)
    {
      const KvsqlName *name = view->view->uses->pdata[i];
      gconstpointer used = kvsql_catalog_lookup (self->definitions, name);
      guint32 number;

      if (used == NULL)
        used = kvsql_catalog_lookup_view (self->definitions, name);
      number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, used));
      if (number != 0)
        kvsqld_pg_row_insert_dependency (self, KVSQLD_PG_CLASS_OF_RULES, view->rule_oid, number, 0,
                                         'n');
    }
}

static void
fill_depend (KvsqldPgContent *self)
{
  g_autoptr (GHashTable) numbers = list_numbers (self);

  for (guint i = 0; i < self->objects->n_views && self->error == NULL; i++)
    {
      const KvsqldPgView *view = &self->objects->views[i];

      kvsqld_pg_row_insert_dependency (self, KVSQLD_PG_CLASS_OF_RULES, view->rule_oid, view->oid, 0,
                                       'i');
      add_uses (self, view, numbers);
    }
}

const KvsqldPgFiller kvsqld_pg_view_fillers[] = {
  { "kvsql_view", fill_definition }, { "pg_attribute", fill_attribute }, { "pg_class", fill_class },
  { "pg_depend", fill_depend },      { "pg_rewrite", fill_rules },       { NULL, NULL },
};
