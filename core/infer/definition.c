/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definition.c: see definition.h.
 */
#include "config.h"

#include "core/infer/definition.h"

#include "core/base/interrupt.h"
#include "core/infer/buckets.h"
#include "core/infer/cells.h"
#include "core/infer/pieces.h"
#include "core/infer/statements.h"

/* Families with relations of their own. */
#define MAX_FAMILIES 8
#define MAX_DEFINITIONS 8

typedef struct
{
  KvsqlInferContext context;
  KvsqlInferLayout rows[KVSQL_INFER_MAX_LAYOUTS];
  guint n_rows;
  KvsqlInferReading readings[MAX_FAMILIES][KVSQL_INFER_MAX_READINGS];
  guint n_readings[MAX_FAMILIES];
  guint n_families;
} Inference;

static gint
compare_definitions (gconstpointer a, gconstpointer b)
{
  const KvsqlInferredDefinition *x = *(const KvsqlInferredDefinition *const *)a;
  const KvsqlInferredDefinition *y = *(const KvsqlInferredDefinition *const *)b;

  return (x->bits > y->bits) - (x->bits < y->bits);
}

static void
find_row_layouts (Inference *self)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  const KvsqlRows *rows = self->context.rows;
  KvsqlSlice *strings;
  guint n;

  for (guint i = 0; i < rows->n_rows; i++)
    g_array_append_val (keys, rows->rows[i].key);
  strings = kvsql_infer_choose_strings (keys, self->context.arena, &n);
  self->n_rows = kvsql_infer_layouts (strings, n, self->context.arena, self->rows);
}

static void
find_readings (Inference *self)
{
  const GPtrArray *families = self->context.families;

  for (guint i = 0; i < MIN (families->len, MAX_FAMILIES) && kvsql_interrupt_tick (); i++)
    {
      guint n = kvsql_infer_read_cells (families->pdata[i], self->context.arena,
                                        self->readings[self->n_families]);

      self->n_readings[self->n_families] = n;
      self->n_families += n > 0;
    }
}

static void
add_definition (const Inference *self, const KvsqlInferLayout *row, const KvsqlInferReading *first,
                GPtrArray *out)
{
  const KvsqlInferReading *families[MAX_FAMILIES] = { first };

  for (guint i = 1; i < self->n_families; i++)
    families[i] = &self->readings[i][0];
  g_ptr_array_add (out,
                   kvsql_infer_write_statements (&self->context, row, families, self->n_families));
}

/* Every row layout with every reading of the cells. Where a bucket and an offset may be one time,
 * that is a reading of its own. */
static void
combine (const Inference *self, GPtrArray *out)
{
  for (guint r = 0; r < self->n_rows; r++)
    for (guint c = 0; c < self->n_readings[0] && kvsql_interrupt_tick (); c++)
      {
        KvsqlInferLayout row = self->rows[r];
        KvsqlInferCells cells = self->readings[0][c].cells[0];
        KvsqlInferReading joined = { &cells, 1, self->readings[0][c].bits };

        add_definition (self, &self->rows[r], &self->readings[0][c], out);
        if (kvsql_infer_join_bucket (&row, &cells, self->context.arena))
          {
            joined.bits -= KVSQL_INFER_BUCKET_BITS;
            add_definition (self, &row, &joined, out);
          }
      }
}

GPtrArray *
kvsql_infer_definitions (const gchar *table, const gchar *name, const KvsqlRows *rows)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GPtrArray) families = kvsql_infer_families (rows);
  g_autofree Inference *self = g_new0 (Inference, 1);
  GPtrArray *out = g_ptr_array_new_with_free_func (kvsql_inferred_definition_free);

  self->context = (KvsqlInferContext){ table, name, rows, families, arena };
  find_row_layouts (self);
  find_readings (self);
  if (self->n_families > 0)
    combine (self, out);
  g_ptr_array_sort (out, compare_definitions);
  if (out->len > MAX_DEFINITIONS)
    g_ptr_array_set_size (out, MAX_DEFINITIONS);
  return out;
}
