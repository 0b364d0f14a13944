/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index-lookup.c: encodes the cell keys of the tuples of index entries, reads these in one request
 * for each table, and gives the tuples in the order of the entries.
 */
#include "config.h"

#include "core/exec/index-lookup.h"

#include "core/base/memory.h"
#include "core/layout/sequence.h"
#include "core/plan/cells.h"
#include "core/scan/table-scan.h"
#include "core/scan/tuple-map.h"

#include <stdlib.h>

typedef struct
{
  KvsqlRowSource base;
  KvsqlStore *store;
  const KvsqlAccessPath *path;
  const KvsqlRelation *relation;
  KvsqlAttributeSet read; /* attributes that are read from the primary: with those of the index, to
                             compare them */
  guint64 max_rows;
  KvsqlRunCounts *counts;

  KvsqlArena *arena;                  /* of the current entries and their cell keys */
  KvsqlTupleMap *found;               /* by key */
  KvsqlBatch *batch;                  /* its bytes are those of @found */
  guint entry_of[KVSQL_ROWS_PER_GET]; /* the number of the entry of each tuple of @batch */
  KvsqlAssemblerCounts cells;
} IndexLookup;

static void
index_lookup_free (KvsqlRowSource *source)
{
  IndexLookup *self = (IndexLookup *)source;

  kvsql_arena_free (self->arena);
  kvsql_tuple_map_free (self->found);
  kvsql_batch_free (self->batch);
  g_free (self);
}

/* The values of a row of @batch. */
static const KvsqlValue *
get_entry (IndexLookup *self, const KvsqlBatch *batch, guint row)
{
  KvsqlValue *entry = kvsql_arena_array (self->arena, KvsqlValue, self->relation->n_attributes);

  for (guint a = 0; a < self->relation->n_attributes; a++)
    entry[a] = kvsql_vector_get (&batch->columns[a], row);
  return entry;
}

/* ---- cell keys */

typedef struct
{
  KvsqlSlice table;
  KvsqlSlice row;
} Address;

static gboolean
encode (IndexLookup *self, const KvsqlSequence *field, const KvsqlEncoder *encoder, KvsqlSlice *out)
{
  g_autoptr (GError) unused = NULL;
  KvsqlBuffer buffer = { 0 };
  gboolean ok = kvsql_sequence_encode (field, encoder, &buffer, &unused);

  if (ok)
    *out = kvsql_slice_dup (self->arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return ok;
}

/* Adds the cell keys of an entry's tuple in the primary. A cell key that cannot be encoded was
 * never written. */
static void
add_addresses (IndexLookup *self, const KvsqlValue *entry, GArray *out)
{
  const KvsqlSchema *primary = self->path->lookup_schema;
  KvsqlEncoder encoder = { .relation = self->relation, .schema = primary->name, .tuple = entry };
  guint n = primary->is_row_local ? 1 : primary->n_cells;

  for (guint c = 0; c < n; c++)
    {
      const KvsqlCellLayout *cell = &primary->cells[c];
      Address address;

      if (encode (self, cell->fields[KVSQL_FIELD_TABLE], &encoder, &address.table)
          && encode (self, cell->fields[KVSQL_FIELD_ROW], &encoder, &address.row)
          && address.table.size > 0)
        g_array_append_val (out, address);
    }
}

static int
compare_addresses (const void *x, const void *y)
{
  const Address *a = x, *b = y;
  gint order = kvsql_slice_compare (a->table, b->table);

  return order != 0 ? order : kvsql_slice_compare (a->row, b->row);
}

static KvsqlRowRange
point (KvsqlArena *arena, KvsqlSlice row)
{
  guint8 *bytes = kvsql_arena_alloc (arena, row.size + 1);

  if (row.size > 0)
    memcpy (bytes, row.data, row.size);
  bytes[row.size] = 0;
  return (KvsqlRowRange){ kvsql_slice (bytes, row.size), kvsql_slice (bytes, row.size + 1) };
}

/* Turns sorted cell keys into what a scan reads. */
static void
plan_gets (IndexLookup *self, GArray *addresses, KvsqlAccessPath *out)
{
  KvsqlRowRange *ranges = kvsql_arena_array (self->arena, KvsqlRowRange, addresses->len + 1);
  KvsqlPlanTable *table = NULL;
  const Address *last = NULL;

  *out = (KvsqlAccessPath){ .schema = self->path->lookup_schema, .is_usable = TRUE };
  out->n_columns
      = kvsql_schema_choose_columns (out->schema, &self->read, self->arena, &out->columns);
  out->tables = kvsql_arena_array (self->arena, KvsqlPlanTable, addresses->len + 1);
  if (addresses->len > 1)
    qsort (addresses->data, addresses->len, sizeof (Address), compare_addresses);
  for (guint i = 0; i < addresses->len; i++)
    {
      const Address *address = &g_array_index (addresses, Address, i);

      if (last != NULL && compare_addresses (last, address) == 0)
        continue;
      if (last == NULL || !kvsql_slice_equal (last->table, address->table))
        {
          table = &out->tables[out->n_tables++];
          *table = (KvsqlPlanTable){ .table = address->table, .ranges = ranges };
        }
      table->n_ranges++;
      *ranges++ = point (self->arena, address->row);
      last = address;
    }
}

/* ---- reading */

static void
add_primary_tuples (IndexLookup *self, const KvsqlBatch *batch)
{
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlValue *tuple;
      for (guint a = 0; a < batch->n_columns; a++)
        values[a] = kvsql_vector_get (&batch->columns[a], row);
      tuple = kvsql_tuple_map_obtain (self->found, values, NULL);
      for (guint a = 0; a < batch->n_columns; a++)
        if (!self->relation->attributes[a].is_key && kvsql_attribute_set_has (&self->read, a))
          kvsql_tuple_map_set (self->found, tuple, a, &values[a]);
    }
}

static gboolean
read_tuples (IndexLookup *self, GArray *addresses, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlAssemblerCounts counts;
  KvsqlAccessPath gets;
  KvsqlBatch *batch;

  plan_gets (self, addresses, &gets);
  if (gets.n_tables == 0)
    return TRUE;
  scan = kvsql_table_scan_new (self->store, &gets, &self->read, NULL, 0, 0);
  kvsql_table_scan_watch_lookup (scan, self->max_rows, self->counts);
  do
    {
      if (!kvsql_table_scan_next (scan, call, &batch, error))
        return FALSE;
      add_primary_tuples (self, batch);
    }
  while (batch->n_rows > 0);
  kvsql_table_scan_get_counts (scan, &counts);
  self->cells.cells += counts.cells;
  self->cells.undecodable += counts.undecodable; /* the samples end with the scan */
  return TRUE;
}

static gboolean
agrees_with_entry (const IndexLookup *self, const KvsqlValue *entry, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->path->schema->holds, a)
        && !kvsql_value_equal (&entry[a], &tuple[a]))
      return FALSE;
  return TRUE;
}

static void
emit_tuple (IndexLookup *self, guint entry, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->batch->n_columns; a++)
    if (self->batch->columns[a].type != KVSQL_TYPE_NULL)
      kvsql_vector_set (&self->batch->columns[a], self->batch->n_rows, &tuple[a]);
  self->entry_of[self->batch->n_rows++] = entry;
}

/* Fills the batch with the tuples of @slice, which has at most KVSQL_ROWS_PER_GET entries. */
static gboolean
look_up (IndexLookup *self, const KvsqlRowSlice *slice, const KvsqlCall *call, GError **error)
{
  g_autoptr (GArray) addresses = g_array_new (FALSE, FALSE, sizeof (Address));
  const KvsqlValue *entries[KVSQL_ROWS_PER_GET];

  g_assert (slice->n <= G_N_ELEMENTS (entries) && slice->columns == NULL);
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  kvsql_tuple_map_clear (self->found);
  for (guint i = 0; i < slice->n; i++)
    {
      entries[i] = get_entry (self, slice->batch, slice->rows[i]);
      add_addresses (self, entries[i], addresses);
    }
  if (!read_tuples (self, addresses, call, error))
    return FALSE;
  for (guint i = 0; i < slice->n; i++)
    {
      const KvsqlValue *tuple = kvsql_tuple_map_find (self->found, entries[i]);
      if (tuple != NULL && agrees_with_entry (self, entries[i], tuple))
        emit_tuple (self, i, tuple);
    }
  return TRUE;
}

/* ---- the operator */

/* One request for each call: a LIMIT may end the query before all entries are looked up. */
static gboolean
index_lookup_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                   KvsqlRowSlice *out, GError **error)
{
  IndexLookup *self = (IndexLookup *)source;
  KvsqlRowDemand wanted = kvsql_row_demand_all;
  KvsqlRowSlice slice;

  wanted.max_rows = wanted.max_copied = KVSQL_ROWS_PER_GET;
  if (!kvsql_row_source_poll (self->base.input, &wanted, call, &slice, error)
      || !look_up (self, &slice, call, error))
    return FALSE;
  kvsql_row_slice_set_batch (out, self->batch);
  out->is_end = slice.is_end;
  self->counts->index_entries_kept += slice.n;
  self->counts->tuples += out->n;
  return TRUE;
}

static gboolean
index_lookup_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  IndexLookup *self = (IndexLookup *)source;

  g_assert (first + n <= self->batch->n_rows);
  for (guint i = 0; i < n; i++)
    if (!kvsql_row_source_get_positions (self->base.input, self->entry_of[first + i], 1, &out[i]))
      return FALSE;
  return TRUE;
}

static void
index_lookup_add_counts (const KvsqlRowSource *source, KvsqlAssemblerCounts *inout)
{
  kvsql_assembler_counts_add (inout, &((const IndexLookup *)source)->cells);
}

static const KvsqlRowSourceClass index_lookup_class = { .next = index_lookup_next,
                                                        .free = index_lookup_free,
                                                        .get_positions = index_lookup_get_positions,
                                                        .add_counts = index_lookup_add_counts };

KvsqlRowSource *
kvsql_index_lookup_new (KvsqlRowSource *input, const KvsqlSelectPlan *plan, KvsqlStore *store,
                        guint64 max_scan_rows, KvsqlRunCounts *counts)
{
  IndexLookup *self = kvsql_new0 (IndexLookup);
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  g_assert (plan->best->lookup_schema != NULL && plan->best->lookup_schema->is_primary);
  /* tuples are found by key: the index has all of it */
  g_assert (kvsql_attribute_set_contains (&plan->best->schema->holds,
                                          &plan->best->schema->relation->keys));
  self->base.klass = &index_lookup_class;
  self->base.input = input;
  self->store = store;
  self->path = plan->best;
  self->relation = plan->best->schema->relation;
  self->read = plan->needed;
  kvsql_attribute_set_add_all (&self->read, &self->path->schema->holds);
  self->max_rows = max_scan_rows;
  self->counts = counts;
  for (guint a = 0; a < self->relation->n_attributes; a++)
    types[a] = kvsql_attribute_set_has (&plan->needed, a) ? self->relation->attributes[a].type
                                                          : KVSQL_TYPE_NULL;
  self->arena = kvsql_arena_new ();
  self->found = kvsql_tuple_map_new (self->relation, 0);
  self->batch = kvsql_batch_new (types, self->relation->n_attributes, KVSQL_ROWS_PER_GET);
  return &self->base;
}
