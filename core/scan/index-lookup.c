/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index-lookup.c: filters index entries, encodes the cell keys of their tuples, reads these in one
 * request for each table, and gives the tuples in the order of the entries.
 */
#include "config.h"

#include "core/scan/index-lookup.h"
#include "core/scan/predicate-filter.h"
#include "core/scan/tuple-map.h"
#include "core/scan/table-scan.h"
#include "core/plan/cells.h"

#include <stdlib.h>

struct _KvsqlIndexLookup
{
  KvsqlStore *store;
  const KvsqlAccessPath *path;
  const KvsqlRelation *relation;
  KvsqlAttributeSet read; /* attributes that are read from the primary: with those of the index, to
                             compare them */
  KvsqlPredicateFilter *filter; /* nullable */

  const KvsqlBatch *entries;
  const guint32 *selection; /* NULL: all entries */
  guint n_selected;
  guint next;

  KvsqlArena *arena;    /* of the current entries and their cell keys */
  KvsqlTupleMap *found; /* by key */
  KvsqlBatch *batch;    /* its bytes are those of @found */
  guint entry_of[KVSQL_ROWS_PER_GET];
  KvsqlAssemblerCounts cells;
  guint64 max_rows;
  KvsqlRunCounts *counts;
};

KvsqlIndexLookup *
kvsql_index_lookup_new (KvsqlStore *store, const KvsqlAccessPath *path,
                        const KvsqlAttributeSet *wanted)
{
  KvsqlIndexLookup *self = g_new0 (KvsqlIndexLookup, 1);
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  self->store = store;
  self->path = path;
  self->relation = path->schema->relation;
  self->read = *wanted;
  kvsql_attribute_set_add_all (&self->read, &path->schema->holds);
  if (path->index_predicate != NULL)
    self->filter = kvsql_predicate_filter_new (path->index_predicate);
  for (guint a = 0; a < self->relation->n_attributes; a++)
    types[a] = kvsql_attribute_set_has (wanted, a) ? self->relation->attributes[a].type
                                                   : KVSQL_TYPE_NULL;
  self->arena = kvsql_arena_new ();
  self->found = kvsql_tuple_map_new (self->relation, 0);
  self->batch = kvsql_batch_new (types, self->relation->n_attributes, KVSQL_ROWS_PER_GET);
  return self;
}

void
kvsql_index_lookup_free (KvsqlIndexLookup *self)
{
  if (self == NULL)
    return;
  kvsql_predicate_filter_free (self->filter);
  kvsql_arena_free (self->arena);
  kvsql_tuple_map_free (self->found);
  kvsql_batch_free (self->batch);
  g_free (self);
}

void
kvsql_index_lookup_watch (KvsqlIndexLookup *self, guint64 max_rows, KvsqlRunCounts *counts)
{
  self->max_rows = max_rows;
  self->counts = counts;
}

void
kvsql_index_lookup_set_entries (KvsqlIndexLookup *self, const KvsqlBatch *entries)
{
  self->entries = entries;
  self->selection = NULL;
  self->n_selected = entries->n_rows;
  self->next = 0;
  /* it only saves reads: the whole predicate is checked on the tuples */
  if (self->filter != NULL
      && !kvsql_predicate_filter_run (self->filter, entries, &self->selection, &self->n_selected,
                                      NULL))
    {
      self->selection = NULL;
      self->n_selected = entries->n_rows;
    }
  self->counts->index_entries += entries->n_rows;
  self->counts->index_entries_kept += self->n_selected;
}

guint
kvsql_index_lookup_get_entry (const KvsqlIndexLookup *self, guint tuple)
{
  return self->entry_of[tuple];
}

static guint
get_row (const KvsqlIndexLookup *self, guint index)
{
  return self->selection == NULL ? index : self->selection[index];
}

static const KvsqlValue *
get_entry (KvsqlIndexLookup *self, guint row)
{
  KvsqlValue *entry = kvsql_arena_array (self->arena, KvsqlValue, self->relation->n_attributes);

  for (guint a = 0; a < self->relation->n_attributes; a++)
    entry[a] = kvsql_vector_get (&self->entries->columns[a], row);
  return entry;
}

/* ---- cell keys */

typedef struct
{
  KvsqlSlice table;
  KvsqlSlice row;
} Address;

static gboolean
encode (KvsqlIndexLookup *self, const KvsqlSequence *field, const KvsqlEncoder *encoder,
        KvsqlSlice *out)
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
add_addresses (KvsqlIndexLookup *self, const KvsqlValue *entry, GArray *out)
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
plan_gets (KvsqlIndexLookup *self, GArray *addresses, KvsqlAccessPath *out)
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
add_primary_tuples (KvsqlIndexLookup *self, const KvsqlBatch *batch)
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
read_tuples (KvsqlIndexLookup *self, GArray *addresses, const KvsqlCall *call, GError **error)
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
  self->cells.undecodable += counts.undecodable;
  return TRUE;
}

static gboolean
agrees_with_entry (const KvsqlIndexLookup *self, const KvsqlValue *entry, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->path->schema->holds, a)
        && !kvsql_value_equal (&entry[a], &tuple[a]))
      return FALSE;
  return TRUE;
}

static void
emit_tuple (KvsqlIndexLookup *self, guint row, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->batch->n_columns; a++)
    if (self->batch->columns[a].type != KVSQL_TYPE_NULL)
      kvsql_vector_set (&self->batch->columns[a], self->batch->n_rows, &tuple[a]);
  self->entry_of[self->batch->n_rows++] = row;
}

static gboolean
fetch_some (KvsqlIndexLookup *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (GArray) addresses = g_array_new (FALSE, FALSE, sizeof (Address));
  const KvsqlValue *entries[KVSQL_ROWS_PER_GET];
  guint first = self->next, n = MIN (self->n_selected - first, KVSQL_ROWS_PER_GET);

  kvsql_arena_reset (self->arena);
  kvsql_tuple_map_clear (self->found);
  for (guint i = 0; i < n; i++)
    {
      entries[i] = get_entry (self, get_row (self, first + i));
      add_addresses (self, entries[i], addresses);
    }
  if (!read_tuples (self, addresses, call, error))
    return FALSE;
  self->next += n;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *tuple = kvsql_tuple_map_find (self->found, entries[i]);
      if (tuple != NULL && agrees_with_entry (self, entries[i], tuple))
        emit_tuple (self, get_row (self, first + i), tuple);
    }
  return TRUE;
}

gboolean
kvsql_index_lookup_next (KvsqlIndexLookup *self, const KvsqlCall *call, KvsqlBatch **out_batch,
                         GError **error)
{
  kvsql_batch_reset (self->batch);
  while (self->batch->n_rows == 0 && self->next < self->n_selected)
    if (!fetch_some (self, call, error))
      return FALSE;
  *out_batch = self->batch;
  return TRUE;
}
