/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutation.c: see the header.
 */
#include "config.h"

#include "core/store/mutation.h"

static inline gint
compare_slices (KvsqlSlice a, KvsqlSlice b)
{
  return a.data == b.data && a.size == b.size ? 0 : kvsql_slice_compare (a, b);
}

gint
kvsql_row_mutation_compare (const KvsqlRowMutation *a, const KvsqlRowMutation *b)
{
  gint order = compare_slices (a->table, b->table);

  return order != 0 ? order : compare_slices (a->row, b->row);
}

/* The order of the mutation's row and of the last row; > 0: the mutation's row is a new one. */
static inline gint
compare_with_last (const KvsqlMutationRows *self, const KvsqlMutation *mutation)
{
  const KvsqlRowMutation *last = &self->rows[self->n_rows - 1];
  gint order = compare_slices (mutation->table, last->table);

  return order != 0 ? order : compare_slices (mutation->row, last->row);
}

static inline void
add (KvsqlMutationRows *self, const KvsqlMutation *mutation, guint n_before, gboolean is_new_row)
{
  KvsqlCellMutation *cell = &self->cells[n_before];

  *cell = (KvsqlCellMutation){ .kind = mutation->kind,
                               .family = mutation->family,
                               .qualifier = mutation->qualifier,
                               .value = mutation->value,
                               .timestamp = mutation->timestamp,
                               .tag = mutation->tag };
  if (is_new_row)
    self->rows[self->n_rows++]
        = (KvsqlRowMutation){ .table = mutation->table, .row = mutation->row, .cells = cell };
  self->rows[self->n_rows - 1].n_cells++;
}

/* FALSE: the mutations are not in the order of their rows. */
static gboolean
add_sorted (KvsqlMutationRows *self, const KvsqlMutation *mutations, guint n_mutations)
{
  for (guint i = 0; i < n_mutations; i++)
    {
      gint order = i == 0 ? 1 : compare_with_last (self, &mutations[i]);

      if (order < 0)
        return FALSE;
      add (self, &mutations[i], i, order > 0);
    }
  return TRUE;
}

static gint
compare_pointed_to (gconstpointer a, gconstpointer b, gpointer unused)
{
  const KvsqlMutation *x = *(const KvsqlMutation *const *)a;
  const KvsqlMutation *y = *(const KvsqlMutation *const *)b;
  gint order = compare_slices (x->table, y->table);

  return order != 0 ? order : compare_slices (x->row, y->row);
}

static void
sort_and_add (KvsqlMutationRows *self, const KvsqlMutation *mutations, guint n_mutations)
{
  g_autofree const KvsqlMutation **sorted = g_new (const KvsqlMutation *, n_mutations);

  for (guint i = 0; i < n_mutations; i++)
    sorted[i] = &mutations[i];
  /* this sort is stable */
  g_qsort_with_data (sorted, (gint)n_mutations, sizeof *sorted, compare_pointed_to, NULL);
  self->n_rows = 0;
  for (guint i = 0; i < n_mutations; i++)
    add (self, sorted[i], i, i == 0 || compare_with_last (self, sorted[i]) != 0);
}

void
kvsql_mutation_rows_init (KvsqlMutationRows *self, const KvsqlMutation *mutations,
                          guint n_mutations)
{
  gboolean are_few = n_mutations <= KVSQL_FEW_MUTATIONS;

  self->n_rows = 0;
  self->rows = are_few ? self->few_rows : g_new (KvsqlRowMutation, n_mutations);
  self->cells = are_few ? self->few_cells : g_new (KvsqlCellMutation, n_mutations);
  if (!add_sorted (self, mutations, n_mutations))
    sort_and_add (self, mutations, n_mutations);
}

void
kvsql_mutation_rows_clear (KvsqlMutationRows *self)
{
  if (self->rows == self->few_rows)
    return;
  g_free (self->rows);
  g_free (self->cells);
}
