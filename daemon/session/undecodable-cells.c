/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * undecodable-cells.c: see undecodable-cells.h. A list is enough: few statements have undecodable
 * cells, and these read few tables.
 */
#include "config.h"

#include "daemon/session/undecodable-cells.h"

typedef struct
{
  gchar *where;     /* the table, as shown to the user */
  guint64 n;        /* counted here */
  guint64 n_before; /* counted by the cursor before this one. Partly the same cells, because a scan
                       reads ahead of the page. */
} Table;

struct _KvsqldUndecodableCells
{
  GArray *tables; /* Table */
};

static void
clear_table (gpointer table)
{
  g_free (((Table *)table)->where);
}

void
kvsqld_undecodable_cells_free (KvsqldUndecodableCells *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->tables);
  g_free (self);
}

/* (transfer full) @where */
static void
add (KvsqldUndecodableCells **self, gchar *where, guint64 n, guint64 n_before)
{
  Table new = { .where = where, .n = n, .n_before = n_before };

  if (*self == NULL)
    {
      *self = g_new0 (KvsqldUndecodableCells, 1);
      (*self)->tables = g_array_new (FALSE, FALSE, sizeof (Table));
      g_array_set_clear_func ((*self)->tables, clear_table);
    }
  for (guint i = 0; i < (*self)->tables->len; i++)
    {
      Table *table = &g_array_index ((*self)->tables, Table, i);

      if (strcmp (table->where, where) != 0)
        continue;
      table->n += n;
      table->n_before += n_before;
      g_free (where);
      return;
    }
  g_array_append_val ((*self)->tables, new);
}

static gchar *
describe (const KvsqlSchema *schema)
{
  g_autofree gchar *table = NULL;

  if (!schema->has_constant_table)
    return g_strdup_printf ("the tables of schema \"%s\"", schema->name);
  table = kvsql_readable (schema->table);
  return g_strdup_printf ("table \"%s\"", table);
}

void
kvsqld_undecodable_cells_add (KvsqldUndecodableCells **self, const KvsqlSchema *schema, guint64 n)
{
  if (n > 0)
    add (self, describe (schema), n, 0);
}

void
kvsqld_undecodable_cells_resume (KvsqldUndecodableCells **self, const KvsqlSchema *schema,
                                 guint64 n)
{
  if (n > 0)
    add (self, describe (schema), 0, n);
}

void
kvsqld_undecodable_cells_move (KvsqldUndecodableCells **self, KvsqldUndecodableCells *from)
{
  for (guint i = 0; from != NULL && i < from->tables->len; i++)
    {
      Table *table = &g_array_index (from->tables, Table, i);

      add (self, g_steal_pointer (&table->where), table->n, table->n_before);
    }
  kvsqld_undecodable_cells_free (from);
}

static guint64
count (const Table *self)
{
  return MAX (self->n, self->n_before);
}

guint64
kvsqld_undecodable_cells_count (const KvsqldUndecodableCells *self)
{
  guint64 n = 0;

  for (guint i = 0; self != NULL && i < self->tables->len; i++)
    n += count (&g_array_index (self->tables, Table, i));
  return n;
}

void
kvsqld_undecodable_cells_note (const KvsqldUndecodableCells *self, KvsqlResultPage *page)
{
  for (guint i = 0; self != NULL && i < self->tables->len; i++)
    {
      const Table *table = &g_array_index (self->tables, Table, i);
      guint64 n = count (table);

      kvsql_result_page_note (page, "%s%" G_GUINT64_FORMAT " %s of %s %s no layout; SHOW STATUS",
                              table->n_before > 0 ? "at least " : "", n, n == 1 ? "cell" : "cells",
                              table->where, n == 1 ? "fits" : "fit");
    }
}
