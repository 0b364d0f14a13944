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
#include "core/infer/shared-rows.h"
#include "core/infer/statements.h"

/* Families that are described. */
#define MAX_FAMILIES 8
#define MAX_DEFINITIONS 8
/* How much longer the other of two forms is: one relation, or one for each family. So little that
 * it is the next reading. */
#define BITS_OF_FORM 0.1

typedef struct
{
  KvsqlInferContext context;
  KvsqlInferLayout rows[KVSQL_INFER_MAX_LAYOUTS];
  guint n_rows;
  KvsqlInferCells readings[MAX_FAMILIES][KVSQL_INFER_MAX_READINGS];
  guint n_readings[MAX_FAMILIES];
  guint n_families;
  /* Several families in one relation, and relations of the families that cannot be in it: */
  KvsqlInferCells joined;
  const KvsqlInferCells *together[MAX_FAMILIES];
  guint n_together; /* 0: there are no several families */
  gboolean shares_rows;
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
      guint n = kvsql_infer_read_cells (families->pdata[i], families->len == 1, self->context.arena,
                                        self->readings[self->n_families]);

      self->n_readings[self->n_families] = n;
      self->n_families += n > 0;
    }
}

/* ---- several families in one relation */

static gboolean
find_lines (const Inference *self, guint i, gboolean may_have_others, KvsqlInferLines *out)
{
  const KvsqlInferCells *best = &self->readings[i][0];
  const KvsqlInferLinesOptions options
      = { self->context.rows->n_rows, may_have_others, self->context.arena };

  if (!kvsql_infer_lines_of_family (
          best->family, best->kind == KVSQL_INFER_ONE_COLUMN ? &best->value : NULL, &options, out))
    return FALSE;
  /* so that only the rows decide which of the two forms is first */
  out->bits = MIN (out->bits, best->bits);
  return TRUE;
}

/* The lines of those families that can have lines. OTHERS would have the cells of the others, too,
 * so it is used only where these are none. Returns their number. */
static guint
collect_lines (Inference *self, gboolean may_have_others, KvsqlInferLines *out)
{
  guint n = 0;

  self->n_together = 1;
  for (guint i = 0; i < self->n_families && kvsql_interrupt_tick (); i++)
    if (find_lines (self, i, may_have_others, &out[n]))
      n++;
    else
      self->together[self->n_together++] = &self->readings[i][0];
  return n;
}

static gboolean
is_read (const Inference *self, const KvsqlInferFamily *family)
{
  for (guint i = 0; i < self->n_families; i++)
    if (self->readings[i][0].family == family)
      return TRUE;
  return FALSE;
}

/* Columns of the families that are not described. */
static guint
count_other_columns (const Inference *self)
{
  const GPtrArray *families = self->context.families;
  guint n = 0;

  for (guint i = 0; i < families->len; i++)
    if (!is_read (self, families->pdata[i]))
      n += ((const KvsqlInferFamily *)families->pdata[i])->columns->len;
  return n;
}

static void
join_families (Inference *self)
{
  KvsqlInferLines lines[MAX_FAMILIES];
  guint n = collect_lines (self, TRUE, lines);

  if (self->n_together > 1)
    n = collect_lines (self, FALSE, lines);
  self->joined = (KvsqlInferCells){ .kind = KVSQL_INFER_LINES };
  kvsql_infer_lines_join (lines, n, self->context.arena, &self->joined.lines);
  if (n < 2 || self->joined.lines.n == 0)
    {
      self->n_together = 0;
      return;
    }
  self->joined.family = self->joined.lines.lines[0].family;
  self->joined.bits = self->joined.lines.bits;
  if (self->n_together == 1)
    self->joined.lines.n_other_columns += count_other_columns (self);
  self->together[0] = &self->joined;
  self->shares_rows = kvsql_infer_share_rows (&self->joined.lines, self->context.rows);
}

static void
add_together (const Inference *self, const KvsqlInferLayout *row, GPtrArray *out)
{
  KvsqlInferredDefinition *definition
      = kvsql_infer_write_statements (&self->context, row, self->together, self->n_together);

  definition->bits += self->shares_rows ? 0 : BITS_OF_FORM;
  g_ptr_array_add (out, definition);
}

/* ---- a relation for each family */

static void
add_definition (const Inference *self, const KvsqlInferLayout *row, const KvsqlInferCells *first,
                GPtrArray *out)
{
  const KvsqlInferCells *families[MAX_FAMILIES] = { first };
  KvsqlInferredDefinition *definition;

  for (guint i = 1; i < self->n_families; i++)
    families[i] = &self->readings[i][0];
  definition = kvsql_infer_write_statements (&self->context, row, families, self->n_families);
  definition->bits += self->n_together > 0 && self->shares_rows ? BITS_OF_FORM : 0;
  g_ptr_array_add (out, definition);
}

/* Every row layout with every reading of the cells. Where a bucket and an offset may be one time,
 * that is a reading of its own. */
static void
combine (const Inference *self, GPtrArray *out)
{
  for (guint r = 0; r < self->n_rows; r++)
    {
      if (self->n_together > 0)
        add_together (self, &self->rows[r], out);
      for (guint c = 0; c < self->n_readings[0] && kvsql_interrupt_tick (); c++)
        {
          KvsqlInferLayout row = self->rows[r];
          KvsqlInferCells cells = self->readings[0][c];

          add_definition (self, &self->rows[r], &self->readings[0][c], out);
          if (kvsql_infer_join_bucket (&row, &cells, self->context.arena))
            {
              cells.bits -= KVSQL_INFER_BUCKET_BITS;
              add_definition (self, &row, &cells, out);
            }
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
  if (self->n_families > 1)
    join_families (self);
  if (self->n_families > 0)
    combine (self, out);
  g_ptr_array_sort (out, compare_definitions);
  if (out->len > MAX_DEFINITIONS)
    g_ptr_array_set_size (out, MAX_DEFINITIONS);
  return out;
}
