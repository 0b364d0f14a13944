/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare-anchors.c: see the header.
 */
#include "config.h"

#include "core/maintain/compare-anchors.h"

#include "core/catalog/catalog.h"
#include "core/scan/checked-tuples.h"
#include "core/write/checked-current.h"

#define PORTION_ANCHORS 500

gboolean
kvsql_primary_has_anchors (const KvsqlSchema *schema, const KvsqlCatalogEntry *entry,
                           const KvsqlStorage *storage)
{
  return schema->is_primary && schema->cells[0].each == NULL
         && kvsql_entry_has_anchors (entry, storage);
}

/* ---- from the anchors to the rows */

/* The rows of the relation's anchors after @position. */
static KvsqlRowRange
rows_after (guint64 relation_id, const KvsqlScanPosition *position, KvsqlArena *arena)
{
  KvsqlBuffer start = { 0 }, stop = { 0 };

  if (position != NULL)
    {
      kvsql_buffer_append (&start, position->row.data, position->row.size);
      kvsql_buffer_append_byte (&start, 0);
    }
  else
    kvsql_anchor_append_part_start (relation_id, 0, &start);
  kvsql_anchor_append_part_start (relation_id, KVSQL_ANCHOR_PARTS, &stop);
  return (KvsqlRowRange){ .start = kvsql_buffer_move (&start, arena),
                          .stop = kvsql_buffer_move (&stop, arena) };
}

/* Adds the current tuples of these anchors to @chunk. */
static gboolean
add_tuples (const KvsqlAnchorSource *source, const KvsqlRows *rows, KvsqlTupleChunk *chunk,
            GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, rows->n_rows);
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, rows->n_rows);
  guint64 relation_id;

  for (guint i = 0; i < rows->n_rows; i++)
    if (!kvsql_anchor_parse_row (rows->rows[i].key, &relation_id, &keys[i]))
      return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                              "a row of the table of the anchors is none of an anchor");
  if (!kvsql_checked_tuples_decode (source, keys, rows, arena, found, error))
    return FALSE;
  for (guint i = 0; i < rows->n_rows; i++)
    if (found[i].tuple != NULL)
      kvsql_tuple_chunk_add (chunk, source->relation, found[i].tuple, found[i].newest);
  return TRUE;
}

static KvsqlScan *
scan_once (const KvsqlComparison *self, const KvsqlScanSpec *spec, const KvsqlRows **out,
           GError **error)
{
  g_autoptr (KvsqlScan) scan
      = kvsql_store_open_scan (kvsql_storage_get_store (self->storage), spec, self->call, error);

  return scan != NULL && kvsql_scan_next (scan, self->call, out, error) ? g_steal_pointer (&scan)
                                                                        : NULL;
}

/* Its first rows, which live as long as it. If the table was dropped, it is made again, and has no
 * rows. */
static KvsqlScan *
scan_anchors (const KvsqlComparison *self, const KvsqlScanSpec *spec, const KvsqlRows **out,
              GError **error)
{
  g_autoptr (GError) failure = NULL;
  KvsqlScan *scan = scan_once (self, spec, out, &failure);

  if (scan != NULL)
    return scan;
  if (kvsql_storage_remake_anchors (self->storage, failure, self->call))
    return scan_once (self, spec, out, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

gboolean
kvsql_compare_anchors (const KvsqlComparison *self, const KvsqlScanPosition *position,
                       KvsqlArena *arena, gboolean *out_has_next, KvsqlScanPosition *out_next,
                       guint64 *out_n, GError **error)
{
  const KvsqlAnchorSource source = { .store = kvsql_storage_get_store (self->storage),
                                     .relation = self->entry->relation,
                                     .relation_id = self->entry->relation->id,
                                     .call = self->call };
  const KvsqlRowRange range = rows_after (source.relation_id, position, arena);
  const KvsqlColumn family = { .family = KVSQL_ANCHOR_FAMILY, .whole_family = TRUE };
  const KvsqlScanSpec spec = { .table = KVSQL_ANCHOR_TABLE,
                               .ranges = &range,
                               .n_ranges = 1,
                               .columns = &family,
                               .n_columns = 1,
                               .row_hint = PORTION_ANCHORS,
                               .batch_rows = PORTION_ANCHORS };
  g_autoptr (KvsqlTupleChunk) chunk = kvsql_tuple_chunk_new ();
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows;

  *out_has_next = FALSE;
  *out_n = 0;
  if (!kvsql_storage_ensure_anchors (self->storage, self->call, error))
    return FALSE;
  kvsql_storage_get_ages (self->storage, &chunk->ages);
  scan = scan_anchors (self, &spec, &rows, error);
  if (scan == NULL)
    return FALSE;
  if (rows->n_rows == 0)
    return TRUE;
  *out_next
      = (KvsqlScanPosition){ .has_row = TRUE,
                             .row = kvsql_slice_dup (arena, rows->rows[rows->n_rows - 1].key) };
  *out_has_next = TRUE;
  if (!add_tuples (&source, rows, chunk, error))
    return FALSE;
  *out_n = chunk->tuples->len;
  return kvsql_compare_tuples (self, chunk, error);
}

/* ---- rows without an anchor */

static gboolean
make_anchors (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, GError **error)
{
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (self->storage, self->entry, self->call, NULL);
  const KvsqlValue *const *tuples = (const KvsqlValue *const *)chunk->tuples->pdata;
  KvsqlKeyLocks locks;
  gboolean ok;

  if (chunk->tuples->len == 0)
    return TRUE;
  if (!kvsql_lock_tuples (self->storage, self->entry->relation, tuples, chunk->tuples->len,
                          self->call, &locks, error))
    return FALSE;
  ok = kvsql_checked_rewrite (&writer, tuples, &g_array_index (chunk->timestamps, gint64, 0),
                              chunk->tuples->len, error);
  kvsql_storage_unlock_unchanged (self->storage, &locks);
  return ok;
}

static gboolean
compare_portion (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, guint first, guint n,
                 guint64 *inout_n, GError **error)
{
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (self->storage, self->entry, self->call, NULL);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTupleChunk) unanchored = kvsql_tuple_chunk_new ();
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, n);
  const gint64 *times = &g_array_index (chunk->timestamps, gint64, first);

  if (!kvsql_checked_read_current (&writer, (const KvsqlValue *const *)chunk->tuples->pdata + first,
                                   times, n, arena, found, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (found[i].anchor.timestamp == 0)
      kvsql_tuple_chunk_add (unanchored, self->entry->relation, chunk->tuples->pdata[first + i],
                             times[i]);
  *inout_n += unanchored->tuples->len;
  return !self->repairs || make_anchors (self, unanchored, error);
}

gboolean
kvsql_compare_unanchored (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, guint64 *out_n,
                          GError **error)
{
  *out_n = 0;
  for (guint first = 0; first < chunk->tuples->len; first += PORTION_ANCHORS)
    if (!kvsql_call_check (self->call, error)
        || !compare_portion (self, chunk, first, MIN (PORTION_ANCHORS, chunk->tuples->len - first),
                             out_n, error))
      return FALSE;
  return TRUE;
}
