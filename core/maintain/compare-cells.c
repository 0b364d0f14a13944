/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare-cells.c: compares the stored cells of a schema with the cells that tuples should have
 * there.
 *
 * Each cell is decoded alone. It gives a key, and if its cell key has more attributes, possibly
 * also the cell keys of the tuple in the primary. That tuple, encoded under the schema, has the
 * cell or does not have it.
 */
#include "config.h"

#include "core/maintain/compare.h"
#include "core/layout/map-cells.h"
#include "core/layout/sequence.h"
#include "core/plan/make-access-path.h"
#include "core/scan/map-gather.h"
#include "core/scan/read-by-keys.h"
#include "core/write/apply.h"
#include "core/write/blind-write.h"
#include "core/write/checked-current.h"

#define PORTION_CELLS 1000
#define PAUSE_US 50000

/* Cells whose tuples are to be looked up. */
typedef struct
{
  const KvsqlComparison *comparison;
  KvsqlBatch *scratch; /* one row */
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
  KvsqlTupleChunk *tuples;  /* the attributes of each cell's tuple that the cell gives */
  KvsqlMutationList *cells; /* as puts, one for each tuple of @tuples */
} Cells;

static void
cells_clear (Cells *self)
{
  kvsql_batch_free (self->scratch);
  kvsql_tuple_chunk_free (self->tuples);
  kvsql_mutation_list_free (self->cells);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cells, cells_clear)

/* ---- decoding */

static KvsqlBatch *
new_scratch (const KvsqlSchema *schema)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  for (guint a = 0; a < schema->n_columns; a++)
    types[a] = schema->columns->attributes[a].type;
  return kvsql_batch_new (types, schema->n_columns, 1);
}

/* Decodes all fields, so that a cell of another schema is not taken for one of this schema. */
static gboolean
decode (Cells *self, const KvsqlCellLayout *layout, KvsqlSlice table, KvsqlSlice row,
        const KvsqlCell *cell)
{
  const KvsqlSchema *schema = self->comparison->schema;
  KvsqlDecoder decoder
      = { .batch = self->scratch, .arena = self->tuples->arena, .slots = self->slots };

  kvsql_batch_reset (self->scratch);
  if (layout->is_others
      && kvsql_cell_layouts_have_name (schema->cells, schema->n_cells, cell->family,
                                       cell->qualifier, &decoder))
    return FALSE;
  return kvsql_sequence_decode (layout->fields[KVSQL_FIELD_TABLE], table, &decoder)
         && kvsql_sequence_decode (layout->fields[KVSQL_FIELD_ROW], row, &decoder)
         && kvsql_cell_decode_column (layout, cell->family, cell->qualifier, &decoder)
         && kvsql_sequence_decode (layout->fields[KVSQL_FIELD_VALUE], cell->value, &decoder)
         && (layout->derived == NULL
             || kvsql_derived_finish (layout->derived, schema->relation, &decoder));
}

/* Keeps attributes of the cell key only: the value says nothing about the tuple's cell keys. */
static void
set_tuple (Cells *self, const KvsqlCellLayout *layout)
{
  const KvsqlSchema *schema = self->comparison->schema;
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];

  for (guint a = 0; a < schema->relation->n_attributes; a++)
    tuple[a] = kvsql_attribute_set_has (&layout->attributes, a)
                       && (kvsql_attribute_set_has (&schema->cell_key_attributes, a)
                           || schema->relation->attributes[a].is_key)
                       && !kvsql_attribute_set_has (&schema->map_attributes, a)
                   ? kvsql_vector_get (&self->scratch->columns[a], 0)
                   : KVSQL_VALUE_NULL;
  kvsql_tuple_chunk_add (self->tuples, schema->relation, tuple, 0);
}

static KvsqlMutation
dup_cell (KvsqlArena *arena, const KvsqlSchema *schema, KvsqlSlice table, KvsqlSlice row,
          const KvsqlCell *cell)
{
  return (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                          .table = kvsql_slice_dup (arena, table),
                          .row = kvsql_slice_dup (arena, row),
                          .family = kvsql_slice_dup (arena, cell->family),
                          .qualifier = kvsql_slice_dup (arena, cell->qualifier),
                          .timestamp = cell->timestamp,
                          .tag = schema };
}

/* A cell of another schema is skipped. */
static void
add_cell (Cells *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell)
{
  const KvsqlSchema *schema = self->comparison->schema;

  for (guint c = 0; c < schema->n_cells; c++)
    if (decode (self, &schema->cells[c], table, row, cell))
      {
        KvsqlMutation put = dup_cell (self->cells->arena, schema, table, row, cell);

        set_tuple (self, &schema->cells[c]);
        g_array_append_val (self->cells->mutations, put);
        return;
      }
}

/* ---- lookup */

static void
add_primary_tuple (const KvsqlValue *tuple, gint64 timestamp, gpointer data)
{
  gpointer *both = data;

  kvsql_tuple_chunk_add (both[0], both[1], tuple, timestamp);
}

static gboolean
read_rows (const Cells *self, KvsqlTupleChunk *out, GError **error)
{
  const KvsqlComparison *comparison = self->comparison;
  gpointer both[] = { out, comparison->entry->relation };

  return kvsql_read_primary_again (kvsql_storage_get_store (comparison->storage), comparison->entry,
                                   (const KvsqlValue *const *)self->tuples->tuples->pdata,
                                   self->tuples->tuples->len, comparison->call, add_primary_tuple,
                                   both, error);
}

/* What is decided and not finished may have left cells of older tuples. The rows are read before
 * the anchors, as they count only if there is no anchor. */
static gboolean
read_current (const Cells *self, KvsqlTupleChunk *out, GError **error)
{
  const KvsqlComparison *comparison = self->comparison;
  const KvsqlCatalogEntry *entry = comparison->entry;
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (comparison->storage, entry, comparison->call, NULL);
  const KvsqlTupleChunk *keys = self->tuples;
  g_autoptr (KvsqlTupleChunk) rows = kvsql_tuple_chunk_new ();

  return read_rows (self, rows, error)
         && kvsql_checked_finish_rows (&writer, (const KvsqlValue *const *)keys->tuples->pdata,
                                       keys->tuples->len, error)
         && kvsql_tuple_chunk_add_current (out, keys, 0, keys->tuples->len, FALSE,
                                           comparison->storage, entry, comparison->call, error)
         && kvsql_tuple_chunk_add_current (out, rows, 0, rows->tuples->len, TRUE,
                                           comparison->storage, entry, comparison->call, error);
}

/* The cells that the present tuples should have in the schema. */
static KvsqlMutationList *
expected_cells (const Cells *self, gboolean reads_anchors, GError **error)
{
  const KvsqlComparison *comparison = self->comparison;
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autoptr (KvsqlTupleChunk) current = kvsql_tuple_chunk_new ();

  if (!(reads_anchors ? read_current : read_rows) (self, current, error))
    return NULL;
  for (guint i = 0; i < current->tuples->len; i++)
    if (!kvsql_mutation_list_add_old (list, comparison->schema, current->tuples->pdata[i], error))
      return NULL;
  return g_steal_pointer (&list);
}

/* Keeps the cells that belong to no tuple and that still exist. A cell with another timestamp by
 * now may be that of a tuple that was written after it was looked for. */
static gboolean
keep_extras (Cells *self, gboolean reads_anchors, GError **error)
{
  g_autoptr (KvsqlMutationList) expected = expected_cells (self, reads_anchors, error);
  g_autoptr (KvsqlMutationList) extras = NULL, stored = NULL;
  g_autoptr (KvsqlTupleChunk) tuples = kvsql_tuple_chunk_new ();
  const KvsqlRelation *relation = self->comparison->entry->relation;

  if (expected == NULL)
    return FALSE;
  extras = kvsql_mutation_list_new ();
  for (guint i = 0; i < self->cells->mutations->len; i++)
    {
      const KvsqlMutation *cell = &g_array_index (self->cells->mutations, KvsqlMutation, i);
      KvsqlCell bytes
          = { .family = cell->family, .qualifier = cell->qualifier, .timestamp = cell->timestamp };
      KvsqlMutation copy;

      if (kvsql_mutation_list_find_put (expected, cell) != NULL)
        continue;
      copy = dup_cell (extras->arena, cell->tag, cell->table, cell->row, &bytes);
      g_array_append_val (extras->mutations, copy);
      kvsql_tuple_chunk_add (tuples, relation, self->tuples->tuples->pdata[i], 0);
    }
  if (extras->mutations->len > 0)
    stored = kvsql_stored_cells (self->comparison, extras, error);
  if (extras->mutations->len > 0 && stored == NULL)
    return FALSE;
  for (guint i = extras->mutations->len; i-- > 0;)
    {
      KvsqlMutation *cell = &g_array_index (extras->mutations, KvsqlMutation, i);
      const KvsqlMutation *there = kvsql_mutation_list_find_put (stored, cell);
      if (there != NULL && there->timestamp == cell->timestamp)
        continue;
      g_array_remove_index (extras->mutations, i);
      g_ptr_array_remove_index (tuples->tuples, i);
      g_array_remove_index (tuples->timestamps, i);
    }
  kvsql_mutation_list_free (self->cells);
  self->cells = g_steal_pointer (&extras);
  kvsql_tuple_chunk_free (self->tuples);
  self->tuples = g_steal_pointer (&tuples);
  return TRUE;
}

static gboolean
report_extras (Cells *self, GError **error)
{
  const KvsqlComparison *comparison = self->comparison;

  for (guint i = 0; i < self->cells->mutations->len; i++)
    {
      KvsqlMutation *cell = &g_array_index (self->cells->mutations, KvsqlMutation, i);
      g_autofree gchar *place = kvsql_cell_print (cell);
      g_autofree gchar *what = g_strdup_printf ("%s is of no tuple", place);

      if (comparison->func != NULL)
        comparison->func (KVSQL_DIFFERENCE_EXTRA, self->tuples->tuples->pdata[i], what,
                          comparison->data);
      cell->kind = KVSQL_MUTATION_DELETE;
    }
  return !comparison->repairs
         || kvsql_mutation_list_apply (self->cells, comparison->storage, comparison->call, error);
}

/* After it, a write that has left a cell by now is known to the primary. */
static gboolean
await_writes (const Cells *self, gboolean has_anchors, GError **error)
{
  const KvsqlComparison *comparison = self->comparison;
  const KvsqlStore *store = kvsql_storage_get_store (comparison->storage);

  if (kvsql_entry_is_blind (comparison->entry, &store->capabilities))
    return kvsql_blind_finish_all (comparison->storage, comparison->entry, comparison->call, error);
  if (!has_anchors)
    g_usleep (PAUSE_US);
  return TRUE;
}

static gboolean
look_up (Cells *self, GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->comparison->storage);
  gboolean is_shared = (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0;
  gboolean has_anchors
      = kvsql_entry_has_anchors (self->comparison->entry, self->comparison->storage);

  /* each cell of the primary is of the tuple in its row */
  if (!keep_extras (self, self->comparison->schema->is_primary, error))
    return FALSE;
  if (self->cells->mutations->len > 0 && is_shared
      && (!await_writes (self, has_anchors, error) || !keep_extras (self, has_anchors, error)))
    return FALSE;
  return self->cells->mutations->len == 0 || report_extras (self, error);
}

static gboolean
look_up_locked (Cells *self, GError **error)
{
  const KvsqlComparison *comparison = self->comparison;
  KvsqlKeyLocks locks;
  gboolean ok;

  if (self->cells->mutations->len == 0)
    return TRUE;
  if (!kvsql_lock_tuples (comparison->storage, comparison->entry->relation,
                          (const KvsqlValue *const *)self->tuples->tuples->pdata,
                          self->tuples->tuples->len, comparison->call, &locks, error))
    return FALSE;
  ok = look_up (self, error);
  kvsql_storage_unlock_unchanged (comparison->storage, &locks);
  kvsql_mutation_list_free (self->cells);
  self->cells = kvsql_mutation_list_new ();
  kvsql_tuple_chunk_free (self->tuples);
  self->tuples = kvsql_tuple_chunk_new ();
  return ok;
}

/* ---- the pass */

static gboolean
add_row_cells (Cells *self, KvsqlSlice table, const KvsqlRows *rows, const KvsqlRow *row,
               GError **error)
{
  for (guint c = 0; c < row->n_cells; c++)
    {
      add_cell (self, table, row->key, &rows->cells[row->first_cell + c]);
      if (self->cells->mutations->len >= PORTION_CELLS && !look_up_locked (self, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_compare_cells (const KvsqlComparison *self, const KvsqlScanPosition *position,
                     KvsqlArena *arena, gboolean *out_has_next, KvsqlScanPosition *out_next,
                     guint64 *out_n, GError **error)
{
  KvsqlConstraint none[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlDisjunct disjunct = { .constraints = none };
  KvsqlDnf everything = { .disjuncts = &disjunct, .n_disjuncts = 1 };
  KvsqlStore *store = kvsql_storage_get_store (self->storage);
  g_autoptr (KvsqlArena) plan_arena = kvsql_arena_new ();
  g_autoptr (KvsqlTableScan) scan = NULL;
  g_auto (Cells) cells = { .comparison = self };
  KvsqlAccessPath path;
  const KvsqlRows *rows;
  KvsqlSlice table;

  cells.scratch = new_scratch (self->schema);
  cells.tuples = kvsql_tuple_chunk_new ();
  cells.cells = kvsql_mutation_list_new ();
  *out_has_next = FALSE;
  *out_n = 0;
  kvsql_access_path_make (self->schema, &everything, &self->schema->holds, &store->capabilities,
                          plan_arena, &path);
  scan = kvsql_table_scan_new (store, &path, &self->schema->holds, position, PORTION_CELLS, 0);
  kvsql_table_scan_allow_missing_tables (scan);
  while (!*out_has_next)
    {
      if (!kvsql_table_scan_next_rows (scan, self->call, &table, &rows, error))
        return FALSE;
      if (rows == NULL)
        break;
      for (guint i = 0; i < rows->n_rows; i++)
        {
          const KvsqlRow *row = &rows->rows[i];
          if (position != NULL && kvsql_slice_equal (row->key, position->row)
              && kvsql_slice_equal (table, position->table))
            continue;
          *out_n += row->n_cells;
          if (!add_row_cells (&cells, table, rows, row, error))
            return FALSE;
          *out_next = (KvsqlScanPosition){ .has_row = TRUE, .table = table, .row = row->key };
        }
      if (*out_n >= PORTION_CELLS)
        {
          *out_next = kvsql_scan_position_dup (out_next, arena);
          *out_has_next = TRUE;
        }
    }
  return look_up_locked (&cells, error);
}
