/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run-counts.c: counts what is read from the store.
 */
#include "config.h"

#include "core/scan/run-counts.h"

void
kvsql_read_counts_add (KvsqlReadCounts *self, const KvsqlRows *rows, gint64 us)
{
  guint64 n_rows = 0, bytes = 0;

  for (guint i = 0; i < rows->n_rows; i++)
    {
      n_rows += rows->rows[i].n_cells
                > 0; /* a get also returns rows that do not exist, without cells */
      bytes += rows->rows[i].key.size;
    }
  for (guint i = 0; i < rows->n_cells; i++)
    {
      const KvsqlCell *cell = &rows->cells[i];

      bytes += cell->family.size + cell->qualifier.size + cell->value.size;
    }
  self->us += us;
  self->cells += rows->n_cells;
  self->rows += n_rows;
  self->bytes += bytes;
}

static void
add_reads (KvsqlReadCounts *self, const KvsqlReadCounts *other, gint sign)
{
  self->requests += sign * other->requests;
  self->seeks += sign * other->seeks;
  self->rows += sign * other->rows;
  self->cells += sign * other->cells;
  self->bytes += sign * other->bytes;
  self->us += sign * other->us;
}

static void
add_counts (KvsqlRunCounts *self, const KvsqlRunCounts *other, gint sign)
{
  add_reads (&self->scan, &other->scan, sign);
  add_reads (&self->lookup, &other->lookup, sign);
  add_reads (&self->anchors, &other->anchors, sign);
  self->replaced += sign * other->replaced;
  self->dropped += sign * other->dropped;
  self->repeated += sign * other->repeated;
  self->index_entries += sign * other->index_entries;
  self->index_entries_kept += sign * other->index_entries_kept;
  self->tuples += sign * other->tuples;
  self->matched += sign * other->matched;
  self->parts += sign * other->parts;
  for (guint i = 0; i < KVSQL_N_NODE_KINDS; i++)
    self->given[i] += sign * other->given[i];
  self->operators |= other->operators;
}

void
kvsql_run_counts_add (KvsqlRunCounts *self, const KvsqlRunCounts *other)
{
  add_counts (self, other, 1);
}

void
kvsql_run_counts_subtract (KvsqlRunCounts *self, const KvsqlRunCounts *other)
{
  add_counts (self, other, -1);
}

gboolean
kvsql_run_counts_check (const KvsqlRunCounts *self, guint64 max_rows, GError **error)
{
  if (max_rows == 0 || self->scan.rows + self->lookup.rows + self->anchors.rows <= max_rows)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the statement would read more than %" G_GUINT64_FORMAT " rows", max_rows);
  return kvsql_error_hint (error, "EXPLAIN shows what is read: bound the front of a key in the "
                                  "predicate, or raise max_scan_rows.");
}
