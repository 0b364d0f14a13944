/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shared-rows.c: see shared-rows.h.
 */
#include "config.h"

#include "core/infer/shared-rows.h"

#include "core/base/hash.h"
#include "core/base/interrupt.h"

typedef struct
{
  guint n_keys, n_rows; /* keys: a row counts once for each family */
  guint n_most;         /* rows of the largest family */
} Count;

static GHashTable *
collect_names (const KvsqlInferLines *lines, Count *out)
{
  GHashTable *names = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);

  for (guint i = 0; i < lines->n; i++)
    {
      const KvsqlInferFamily *family = lines->lines[i].family;

      g_hash_table_add (names, (gpointer)&family->family);
      out->n_most = MAX (out->n_most, family->n_rows);
    }
  return names;
}

/* Cells are sorted by family. */
static void
count_row (const KvsqlRows *rows, const KvsqlRow *row, GHashTable *names, Count *out)
{
  guint n_before = out->n_keys;

  for (guint i = 0; i < row->n_cells && kvsql_interrupt_tick (); i++)
    {
      const KvsqlCell *cell = &rows->cells[row->first_cell + i];

      if (i == 0 || !kvsql_slice_equal (cell->family, cell[-1].family))
        out->n_keys += g_hash_table_contains (names, &cell->family);
    }
  out->n_rows += out->n_keys > n_before;
}

gboolean
kvsql_infer_share_rows (const KvsqlInferLines *lines, const KvsqlRows *rows)
{
  Count count = { 0 };
  g_autoptr (GHashTable) names = collect_names (lines, &count);

  for (guint i = 0; i < rows->n_rows; i++)
    count_row (rows, &rows->rows[i], names, &count);
  /* at most all keys of the smaller families are those of rows that were counted before */
  return (count.n_keys - count.n_rows) * 2 >= count.n_keys - count.n_most;
}
