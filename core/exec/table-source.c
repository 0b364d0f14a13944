/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table-source.c: gives the batches of a table scan.
 */
#include "config.h"

#include "core/base/memory.h"
#include "core/scan/store-tables.h"
#include "core/scan/table-scan.h"
#include "core/exec/table-source.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlTableSourceSetup setup;
  const KvsqlAccessPath *path;
  KvsqlTableScan *scan;
  guint n_rows;   /* of the last batch */
  guint64 n_read; /* tuples, or entries of an index */
} TableSource;

static void
open_scan (TableSource *self, const KvsqlScanPosition *position)
{
  const KvsqlTableSourceSetup *setup = &self->setup;

  self->scan
      = kvsql_table_scan_new (setup->store, self->path, kvsql_select_plan_get_scanned (setup->plan),
                              position, setup->row_hint, setup->max_bytes);
  kvsql_table_scan_watch (self->scan, setup->max_scan_rows, setup->counts);
  kvsql_table_scan_expect (self->scan, setup->expected_rows);
  if (setup->part.is_part)
    kvsql_table_scan_restrict (self->scan, &setup->part);
}

static gboolean
table_source_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                   KvsqlRowSlice *out, GError **error)
{
  TableSource *self = (TableSource *)source;
  KvsqlBatch *batch;

  if (!kvsql_table_scan_next (self->scan, call, &batch, error)
      || (batch->n_rows == 0 && self->n_read == 0
          && !kvsql_check_store_table (self->setup.plan->entry, self->setup.store, call, error)))
    return FALSE;
  kvsql_row_slice_set_batch (out, batch);
  self->n_rows = batch->n_rows;
  self->n_read += batch->n_rows;
  *(self->setup.plan->best->lookup_schema == NULL ? &self->setup.counts->tuples
                                                  : &self->setup.counts->index_entries)
      += batch->n_rows;
  return TRUE;
}

static gboolean
table_source_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  TableSource *self = (TableSource *)source;

  for (guint i = 0; i < n; i++)
    if (!kvsql_table_scan_get_position (self->scan, first + i, &out[i]))
      return FALSE;
  return TRUE;
}

static void
table_source_add_counts (const KvsqlRowSource *source, KvsqlAssemblerCounts *inout)
{
  KvsqlAssemblerCounts counts = { 0 };

  kvsql_table_scan_get_counts (((const TableSource *)source)->scan, &counts);
  kvsql_assembler_counts_add (inout, &counts);
}

static void
table_source_free (KvsqlRowSource *source)
{
  TableSource *self = (TableSource *)source;

  kvsql_table_scan_free (self->scan);
  g_free (self);
}

static const KvsqlRowSourceClass table_source_class = { .next = table_source_next,
                                                        .free = table_source_free,
                                                        .get_positions = table_source_get_positions,
                                                        .add_counts = table_source_add_counts };

KvsqlRowSource *
kvsql_table_source_new (const KvsqlTableSourceSetup *setup)
{
  TableSource *self = kvsql_new0 (TableSource);

  self->base.klass = &table_source_class;
  self->setup = *setup;
  self->path = setup->plan->best;
  open_scan (self, setup->position);
  self->setup.position = NULL; /* which may live shorter */
  return &self->base;
}

guint64
kvsql_table_source_get_n_read (const KvsqlRowSource *source)
{
  return ((const TableSource *)source)->n_read;
}

gboolean
kvsql_table_source_get_end (KvsqlRowSource *source, KvsqlScanPosition *out)
{
  TableSource *self = (TableSource *)source;

  return self->n_rows > 0 && kvsql_table_scan_get_position (self->scan, self->n_rows - 1, out);
}

gdouble
kvsql_table_source_guess_done (KvsqlRowSource *source, const KvsqlScanPosition *position,
                               const KvsqlCall *call)
{
  return kvsql_table_scan_guess_done (((TableSource *)source)->scan, position, call);
}

void
kvsql_table_source_stop (KvsqlRowSource *source)
{
  kvsql_table_scan_stop (((TableSource *)source)->scan);
}

void
kvsql_table_source_use_path (KvsqlRowSource *source, const KvsqlAccessPath *path)
{
  TableSource *self = (TableSource *)source;

  g_assert (self->n_read == 0 && path->schema == self->path->schema);
  kvsql_table_scan_free (self->scan);
  self->path = path;
  open_scan (self, NULL);
}

void
kvsql_table_source_restart (KvsqlRowSource *source)
{
  TableSource *self = (TableSource *)source;

  kvsql_table_scan_free (self->scan);
  open_scan (self, NULL);
  self->n_rows = 0;
  self->n_read = 0;
}
