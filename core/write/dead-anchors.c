/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dead-anchors.c: see the header.
 *
 * Anchors have whole tuples, and most are not dead. So only the cells with their states are
 * scanned, and the store selects them by their first bytes. Of those that it returns, the rows are
 * read.
 */
#include "config.h"

#include "core/write/dead-anchors.h"

#include "core/write/checked-write.h"
#include "core/write/write-log.h"

#define BATCH_ROWS 500

/* ---- how old they have to be */

gboolean
kvsql_dead_anchors_find_limit (KvsqlStorage *storage, gint64 age_ms, const KvsqlCall *call,
                               gint64 *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *entries;
  gint64 begun_ms = kvsql_storage_get_past (storage);
  guint n;

  if (!kvsql_log_entries_read (kvsql_storage_get_store (storage), 0, G_MAXUINT64, call, arena,
                               &entries, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    begun_ms = MIN (begun_ms, entries[i].begun_ms);
  *out = begun_ms - age_ms;
  return TRUE;
}

/* ---- bytes */

static KvsqlSlice
part_start (guint64 relation_id, guint32 part, KvsqlArena *arena)
{
  KvsqlBuffer row = { 0 };

  kvsql_anchor_append_part_start (relation_id, part, &row);
  return kvsql_buffer_move (&row, arena);
}

static KvsqlRowRange
dead_states (gboolean is_pending, gint64 before, KvsqlArena *arena)
{
  KvsqlBuffer start = { 0 }, stop = { 0 };

  kvsql_anchor_append_first_dead_state (is_pending, 0, &start);
  kvsql_anchor_append_first_dead_state (is_pending, before, &stop);
  return (KvsqlRowRange){ .start = kvsql_buffer_move (&start, arena),
                          .stop = kvsql_buffer_move (&stop, arena) };
}

/* ---- relations */

gboolean
kvsql_dead_anchors_find_relation (KvsqlStorage *storage, guint64 from, const KvsqlCall *call,
                                  guint64 *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlRowRange range = { .start = part_start (from, 0, arena) };
  const KvsqlColumn column = { .family = KVSQL_ANCHOR_FAMILY, .qualifier = KVSQL_ANCHOR_STATE };
  const KvsqlScanSpec spec = { .table = KVSQL_ANCHOR_TABLE,
                               .ranges = &range,
                               .n_ranges = 1,
                               .columns = &column,
                               .n_columns = 1,
                               .row_limit = 1,
                               .row_hint = 1,
                               .batch_rows = 1 };
  g_autoptr (KvsqlScan) scan
      = kvsql_store_open_scan (kvsql_storage_get_store (storage), &spec, call, error);
  const KvsqlRows *rows;
  KvsqlSlice key;

  *out = 0;
  if (scan == NULL || !kvsql_scan_next (scan, call, &rows, error))
    return FALSE;
  return rows->n_rows == 0 || kvsql_anchor_parse_row (rows->rows[0].key, out, &key)
         || kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                             "a row of the table of the anchors is none of an anchor");
}

/* ---- removing */

/* Anchors that are to be removed, as they were read. */
typedef struct
{
  const KvsqlDeadAnchors *dead;
  KvsqlArena *arena;
  KvsqlRows rows;   /* whole */
  guint *removable; /* indices of @rows */
  guint n_removable;
  KvsqlSlice *unfinished; /* keys of DELETEs that are not finished */
  guint n_unfinished;
  gint n_removed; /* atomic: tasks add to it */
} Batch;

static const KvsqlCell *
cells_of (const Batch *self, const KvsqlRow *row)
{
  return self->rows.cells + row->first_cell;
}

static const KvsqlCell *
find_state (const KvsqlCell *cells, guint n)
{
  for (guint i = 0; i < n; i++)
    if (kvsql_slice_equal (cells[i].qualifier, KVSQL_ANCHOR_STATE))
      return &cells[i];
  return NULL;
}

/* Also a load may have put a payload that is newer than the state which was read. */
static gboolean
is_old (const KvsqlDeadAnchors *self, const KvsqlCell *cells, guint n)
{
  const KvsqlCell *state = find_state (cells, n);

  if (state == NULL || state->timestamp >= self->before)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (cells[i].timestamp > state->timestamp)
      return FALSE;
  return TRUE;
}

/* A damaged anchor is left to the next reader of its key, who reports it. */
static void
sort_row (Batch *self, guint index)
{
  const KvsqlRow *row = &self->rows.rows[index];
  const KvsqlCell *cells = cells_of (self, row);
  guint64 relation_id;
  KvsqlAnchor anchor;
  KvsqlSlice key;

  if (!is_old (self->dead, cells, row->n_cells))
    return;
  if (self->dead->writer.entry == NULL)
    {
      self->removable[self->n_removable++] = index;
      return;
    }
  if (!kvsql_anchor_read (cells, row->n_cells, &anchor) || anchor.is_live
      || !kvsql_anchor_parse_row (row->key, &relation_id, &key))
    return;
  if (anchor.is_pending)
    self->unfinished[self->n_unfinished++] = key;
  else
    self->removable[self->n_removable++] = index;
}

static gboolean
remove_row (gpointer data, guint index, GError **error)
{
  Batch *self = data;
  const KvsqlRow *row = &self->rows.rows[self->removable[index]];
  const KvsqlCell *cells = cells_of (self, row), *state = find_state (cells, row->n_cells);
  const KvsqlCheck check = { .kind = KVSQL_CHECK_EQUAL,
                             .table = KVSQL_ANCHOR_TABLE,
                             .row = row->key,
                             .family = KVSQL_ANCHOR_FAMILY,
                             .qualifier = KVSQL_ANCHOR_STATE,
                             .value = state->value };
  g_autofree KvsqlCellMutation *deletes = g_new (KvsqlCellMutation, row->n_cells);
  g_autoptr (GError) failure = NULL;
  gboolean is_removed;

  for (guint i = 0; i < row->n_cells; i++)
    deletes[i] = (KvsqlCellMutation){ .kind = KVSQL_MUTATION_DELETE,
                                      .family = cells[i].family,
                                      .qualifier = cells[i].qualifier,
                                      .timestamp = state->timestamp };
  if (kvsql_store_check_and_apply (kvsql_storage_get_store (self->dead->writer.storage), &check,
                                   deletes, row->n_cells, self->dead->writer.call, &is_removed,
                                   &failure))
    g_atomic_int_add (&self->n_removed, is_removed);
  /* of an unknown outcome: if it is still there, it is found again */
  else if (!g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_rows (Batch *self, const KvsqlRows *found, GError **error)
{
  const KvsqlColumn family = { .family = KVSQL_ANCHOR_FAMILY, .whole_family = TRUE };
  const KvsqlCheckedWriter *writer = &self->dead->writer;
  KvsqlSlice *keys = kvsql_arena_array (self->arena, KvsqlSlice, found->n_rows);

  for (guint i = 0; i < found->n_rows; i++)
    keys[i] = found->rows[i].key;
  return kvsql_store_multi_get (kvsql_storage_get_store (writer->storage), KVSQL_ANCHOR_TABLE, keys,
                                found->n_rows, &family, 1, writer->call, self->arena, &self->rows,
                                error);
}

static gboolean
remove_found (const KvsqlDeadAnchors *self, const KvsqlRows *found, guint64 *n_removed,
              GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  Batch batch = { .dead = self,
                  .arena = arena,
                  .removable = kvsql_arena_array (arena, guint, found->n_rows),
                  .unfinished = kvsql_arena_array (arena, KvsqlSlice, found->n_rows) };
  guint n_finished;
  gboolean ok;

  if (!read_rows (&batch, found, error))
    return FALSE;
  for (guint i = 0; i < batch.rows.n_rows; i++)
    sort_row (&batch, i);
  /* a daemon that may not write removes nothing, either */
  if (!kvsql_storage_may_write (self->writer.storage, error))
    return FALSE;
  ok = kvsql_store_run_tasks (kvsql_storage_get_store (self->writer.storage), batch.n_removable,
                              remove_row, &batch, error);
  *n_removed += (guint64)batch.n_removed;
  return ok
         && (batch.n_unfinished == 0
             || kvsql_checked_finish (&self->writer, batch.unfinished, batch.n_unfinished,
                                      &n_finished, error));
}

/* ---- scanning */

static KvsqlScan *
open_scan (const KvsqlDeadAnchors *self, guint32 first, guint32 n, KvsqlArena *arena,
           GError **error)
{
  const guint64 id = self->writer.relation_id;
  const KvsqlRowRange range
      = { .start = part_start (id, first, arena), .stop = part_start (id, first + n, arena) };
  const KvsqlColumn column = { .family = KVSQL_ANCHOR_FAMILY, .qualifier = KVSQL_ANCHOR_STATE };
  const KvsqlRowRange states[]
      = { dead_states (FALSE, self->before, arena), dead_states (TRUE, self->before, arena) };
  const KvsqlFilterTerm term = { .family = KVSQL_ANCHOR_FAMILY,
                                 .qualifier = KVSQL_ANCHOR_STATE,
                                 .ranges = states,
                                 .n_ranges = G_N_ELEMENTS (states) };
  const KvsqlFilterClause clause = { .terms = &term, .n_terms = 1 };
  const KvsqlFilter filter = { .clauses = &clause, .n_clauses = 1 };
  const KvsqlScanSpec spec = { .table = KVSQL_ANCHOR_TABLE,
                               .ranges = &range,
                               .n_ranges = 1,
                               .columns = &column,
                               .n_columns = 1,
                               .filter = self->writer.entry != NULL ? &filter : NULL,
                               .batch_rows = BATCH_ROWS };

  return kvsql_store_open_scan (kvsql_storage_get_store (self->writer.storage), &spec,
                                self->writer.call, error);
}

gboolean
kvsql_dead_anchors_remove (const KvsqlDeadAnchors *self, guint32 first, guint32 n, guint64 *out_n,
                           GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *found;

  g_return_val_if_fail (n > 0 && first + n <= KVSQL_ANCHOR_PARTS, FALSE);
  *out_n = 0;
  if (self->before <= 0)
    return TRUE;
  scan = open_scan (self, first, n, arena, error);
  if (scan == NULL)
    return FALSE;
  do
    if (!kvsql_scan_next (scan, self->writer.call, &found, error)
        || (found->n_rows > 0 && !remove_found (self, found, out_n, error)))
      return FALSE;
  while (found->n_rows > 0);
  return TRUE;
}
