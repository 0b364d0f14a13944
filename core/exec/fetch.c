/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fetch.c: entries are filtered, their tuples' addresses encoded, read in one request a table, and
 * put back into the entries' order.
 */
#include "config.h"

#include "core/exec/fetch.h"
#include "core/exec/filter.h"
#include "core/exec/tuple-map.h"
#include "core/exec/tuple-scan.h"
#include "core/plan/cells.h"

#include <stdlib.h>

struct _KvsqlFetch
{
  KvsqlStore *store;
  const KvsqlCandidate *candidate;
  const KvsqlRelation *relation;
  KvsqlAttributeSet read; /* what is asked of the primary: also what the index holds, to compare */
  KvsqlFilter *filter;    /* nullable */

  const KvsqlBatch *entries;
  const guint32 *selection; /* NULL: all entries */
  guint n_selected;
  guint next;

  KvsqlArena *arena;    /* of the entries under way and their addresses */
  KvsqlTupleMap *found; /* by key */
  KvsqlBatch *batch;    /* its bytes are those of @found */
  guint entry_of[KVSQL_ROWS_PER_GET];
  KvsqlAssemblerCounts cells;
  guint64 max_rows;
  KvsqlRunCounts *counts;
};

KvsqlFetch *
kvsql_fetch_new (KvsqlStore *store, const KvsqlCandidate *candidate,
                 const KvsqlAttributeSet *wanted)
{
  KvsqlFetch *self = g_new0 (KvsqlFetch, 1);
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  self->store = store;
  self->candidate = candidate;
  self->relation = candidate->schema->relation;
  self->read = *wanted;
  kvsql_attribute_set_add_all (&self->read, &candidate->schema->holds);
  if (candidate->index_predicate != NULL)
    self->filter = kvsql_filter_new (candidate->index_predicate);
  for (guint a = 0; a < self->relation->n_attributes; a++)
    types[a] = kvsql_attribute_set_has (wanted, a) ? self->relation->attributes[a].type
                                                   : KVSQL_TYPE_NULL;
  self->arena = kvsql_arena_new ();
  self->found = kvsql_tuple_map_new (self->relation, 0);
  self->batch = kvsql_batch_new (types, self->relation->n_attributes, KVSQL_ROWS_PER_GET);
  return self;
}

void
kvsql_fetch_free (KvsqlFetch *self)
{
  if (self == NULL)
    return;
  kvsql_filter_free (self->filter);
  kvsql_arena_free (self->arena);
  kvsql_tuple_map_free (self->found);
  kvsql_batch_free (self->batch);
  g_free (self);
}

void
kvsql_fetch_watch (KvsqlFetch *self, guint64 max_rows, KvsqlRunCounts *counts)
{
  self->max_rows = max_rows;
  self->counts = counts;
}

void
kvsql_fetch_set_entries (KvsqlFetch *self, const KvsqlBatch *entries)
{
  self->entries = entries;
  self->selection = NULL;
  self->n_selected = entries->n_rows;
  self->next = 0;
  /* it only saves fetches: the whole predicate is checked on what was fetched */
  if (self->filter != NULL
      && !kvsql_filter_run (self->filter, entries, &self->selection, &self->n_selected, NULL))
    {
      self->selection = NULL;
      self->n_selected = entries->n_rows;
    }
  self->counts->entries += entries->n_rows;
  self->counts->entries_kept += self->n_selected;
}

guint
kvsql_fetch_get_entry (const KvsqlFetch *self, guint tuple)
{
  return self->entry_of[tuple];
}

void
kvsql_fetch_get_counts (const KvsqlFetch *self, KvsqlAssemblerCounts *out)
{
  *out = self->cells;
}

static guint
get_row (const KvsqlFetch *self, guint index)
{
  return self->selection == NULL ? index : self->selection[index];
}

static const KvsqlValue *
get_entry (KvsqlFetch *self, guint row)
{
  KvsqlValue *entry = kvsql_arena_array (self->arena, KvsqlValue, self->relation->n_attributes);

  for (guint a = 0; a < self->relation->n_attributes; a++)
    entry[a] = kvsql_vector_get (&self->entries->columns[a], row);
  return entry;
}

/* ---- addresses */

typedef struct
{
  KvsqlSlice table;
  KvsqlSlice row;
} Address;

static gboolean
encode (KvsqlFetch *self, const KvsqlSequence *field, const KvsqlEncoder *encoder, KvsqlSlice *out)
{
  g_autoptr (GError) unused = NULL;
  KvsqlBuffer buffer = { 0 };
  gboolean ok = kvsql_sequence_encode (field, encoder, &buffer, &unused);

  if (ok)
    *out = kvsql_slice_dup (self->arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return ok;
}

/* Where the primary has an entry's tuple. An address that cannot be encoded has never been written.
 */
static void
add_addresses (KvsqlFetch *self, const KvsqlValue *entry, GArray *out)
{
  const KvsqlSchema *primary = self->candidate->fetch_schema;
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

/* Sorted addresses as what a scan reads. */
static void
plan_gets (KvsqlFetch *self, GArray *addresses, KvsqlCandidate *out)
{
  KvsqlRowRange *ranges = kvsql_arena_array (self->arena, KvsqlRowRange, addresses->len + 1);
  KvsqlPlanTable *table = NULL;
  const Address *last = NULL;

  *out = (KvsqlCandidate){ .schema = self->candidate->fetch_schema, .is_usable = TRUE };
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
keep (KvsqlFetch *self, const KvsqlBatch *batch)
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
read_tuples (KvsqlFetch *self, GArray *addresses, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlTupleScan) scan = NULL;
  KvsqlAssemblerCounts counts;
  KvsqlCandidate gets;
  KvsqlBatch *batch;

  plan_gets (self, addresses, &gets);
  if (gets.n_tables == 0)
    return TRUE;
  scan = kvsql_tuple_scan_new (self->store, &gets, &self->read, NULL, 0, 0);
  kvsql_tuple_scan_watch_fetch (scan, self->max_rows, self->counts);
  do
    {
      if (!kvsql_tuple_scan_next (scan, call, &batch, error))
        return FALSE;
      keep (self, batch);
    }
  while (batch->n_rows > 0);
  kvsql_tuple_scan_get_counts (scan, &counts);
  self->cells.cells += counts.cells;
  self->cells.unparsable += counts.unparsable;
  return TRUE;
}

static gboolean
says_the_same (const KvsqlFetch *self, const KvsqlValue *entry, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->candidate->schema->holds, a)
        && !kvsql_value_equal (&entry[a], &tuple[a]))
      return FALSE;
  return TRUE;
}

static void
give (KvsqlFetch *self, guint row, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->batch->n_columns; a++)
    if (self->batch->columns[a].type != KVSQL_TYPE_NULL)
      kvsql_vector_set (&self->batch->columns[a], self->batch->n_rows, &tuple[a]);
  self->entry_of[self->batch->n_rows++] = row;
}

static gboolean
fetch_some (KvsqlFetch *self, const KvsqlCall *call, GError **error)
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
      if (tuple != NULL && says_the_same (self, entries[i], tuple))
        give (self, get_row (self, first + i), tuple);
    }
  return TRUE;
}

gboolean
kvsql_fetch_next (KvsqlFetch *self, const KvsqlCall *call, KvsqlBatch **out_batch, GError **error)
{
  kvsql_batch_reset (self->batch);
  while (self->batch->n_rows == 0 && self->next < self->n_selected)
    if (!fetch_some (self, call, error))
      return FALSE;
  *out_batch = self->batch;
  return TRUE;
}
