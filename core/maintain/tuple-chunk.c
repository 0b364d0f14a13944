/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-chunk.c: scans the primary from a position, and copies tuples.
 */
#include "config.h"

#include "core/maintain/tuple-chunk.h"

#include "core/plan/make-access-path.h"
#include "core/scan/scan-cut.h"
#include "core/scan/tuple-key.h"
#include "core/write/checked-current.h"

#define CHUNK_TUPLES 2000
#define CHUNK_BYTES (4 * 1024 * 1024)

KvsqlTupleChunk *
kvsql_tuple_chunk_new (void)
{
  KvsqlTupleChunk *self = g_new0 (KvsqlTupleChunk, 1);

  self->arena = kvsql_arena_new ();
  self->tuples = g_ptr_array_new ();
  self->timestamps = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
kvsql_tuple_chunk_free (KvsqlTupleChunk *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->tuples);
  g_array_unref (self->timestamps);
  kvsql_arena_free (self->arena);
  g_free (self);
}

void
kvsql_tuple_chunk_add (KvsqlTupleChunk *self, const KvsqlRelation *relation,
                       const KvsqlValue *tuple, gint64 timestamp)
{
  g_ptr_array_add (self->tuples, kvsql_tuple_dup (relation, tuple, self->arena));
  g_array_append_val (self->timestamps, timestamp);
}

/* ---- reading */

static gboolean
is_full (const KvsqlTupleChunk *self)
{
  return self->tuples->len >= CHUNK_TUPLES || kvsql_arena_get_size (self->arena) >= CHUNK_BYTES;
}

/* A full chunk ends at the end of its last tuple's row. Within a row tuples can only be counted,
 * and if some were deleted in the meantime, the next chunk would leave others out. */
static void
end_at_row (KvsqlTupleChunk *self, const KvsqlScanPosition *last)
{
  self->has_next = TRUE;
  self->next = kvsql_scan_position_dup (last, self->arena);
  self->next.n_done_in_row = G_MAXUINT32;
}

static gboolean
is_same_row (const KvsqlScanPosition *a, const KvsqlScanPosition *b)
{
  return kvsql_slice_equal (a->row, b->row) && kvsql_slice_equal (a->table, b->table);
}

/* @last: (inout): the position of the last tuple, in @arena. */
static void
add_batch (KvsqlTupleChunk *self, KvsqlTableScan *scan, const KvsqlRelation *relation,
           const KvsqlBatch *batch, KvsqlScanPosition *last, KvsqlArena *arena)
{
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];
  KvsqlScanPosition here;

  for (guint row = 0; row < batch->n_rows; row++)
    {
      if (is_full (self) && last->has_row && kvsql_table_scan_get_position (scan, row, &here)
          && !is_same_row (last, &here))
        {
          end_at_row (self, last);
          return;
        }
      for (guint a = 0; a < relation->n_attributes; a++)
        tuple[a] = kvsql_vector_get (&batch->columns[a], row);
      kvsql_tuple_chunk_add (self, relation, tuple, kvsql_table_scan_get_newest (scan, row));
      if (is_full (self) && !last->has_row && kvsql_table_scan_get_position (scan, row, &here))
        *last = kvsql_scan_position_dup (&here, arena);
    }
}

/* All tuples of the primary. */
static void
make_path (KvsqlStore *store, const KvsqlCatalogEntry *entry, KvsqlArena *arena,
           KvsqlAccessPath *out)
{
  KvsqlDisjunct *disjunct = kvsql_arena_array (arena, KvsqlDisjunct, 1);
  KvsqlDnf everything = { .disjuncts = disjunct, .n_disjuncts = 1 };

  disjunct->constraints = kvsql_arena_array (arena, KvsqlConstraint, KVSQL_MAX_ATTRIBUTES);
  kvsql_access_path_make (entry->schemas[0], &everything, &entry->relation->all,
                          &store->capabilities, arena, out);
}

gboolean
kvsql_primary_cut (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                   const KvsqlScanPosition *position, guint n_wanted, const KvsqlCall *call,
                   KvsqlArena *arena, KvsqlScanPart **out_parts, guint *out_n, GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);
  KvsqlAccessPath path;

  *out_n = 0;
  if (!kvsql_schema_has_tuple_rows (entry->schemas[0]))
    return TRUE;
  make_path (store, entry, arena, &path);
  return path.skip != NULL
         || kvsql_scan_cut (store, &path, &entry->relation->all, position, n_wanted, call, arena,
                            out_parts, out_n, error);
}

KvsqlTupleChunk *
kvsql_tuple_chunk_read (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                        const KvsqlScanPart *part, const KvsqlScanPosition *position,
                        gsize max_bytes, const KvsqlCall *call, GError **error)
{
  const KvsqlRelation *relation = entry->relation;
  KvsqlStore *store = kvsql_storage_get_store (storage);
  g_autoptr (KvsqlTupleChunk) self = kvsql_tuple_chunk_new ();
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlScanPosition last = { 0 };
  KvsqlAccessPath path;
  KvsqlBatch *batch;

  kvsql_storage_get_ages (storage, &self->ages);
  make_path (store, entry, arena, &path);
  scan = kvsql_table_scan_new (store, &path, &relation->all, position, 0, max_bytes);
  if (part != NULL)
    kvsql_table_scan_restrict (scan, part);
  kvsql_table_scan_allow_missing_tables (scan);
  do
    {
      if (!kvsql_table_scan_next (scan, call, &batch, error))
        return NULL;
      add_batch (self, scan, relation, batch, &last, arena);
    }
  while (batch->n_rows > 0 && !self->has_next);
  return g_steal_pointer (&self);
}

/* ---- writes since */

typedef struct
{
  KvsqlTupleChunk *out;
  const KvsqlRelation *relation;
} Refresh;

static void
add_again (const KvsqlValue *tuple, gint64 timestamp, gpointer data)
{
  Refresh *refresh = data;

  kvsql_tuple_chunk_add (refresh->out, refresh->relation, tuple, timestamp);
}

gboolean
kvsql_tuple_chunk_refresh (KvsqlTupleChunk *self, guint first, guint n, KvsqlStorage *storage,
                           const KvsqlCatalogEntry *entry, const KvsqlCall *call,
                           gboolean *out_untouched, KvsqlTupleChunk *out, GError **error)
{
  g_autofree const KvsqlValue **touched = g_new (const KvsqlValue *, n);
  Refresh refresh = { out, entry->relation };
  KvsqlBuffer key = { 0 };
  guint n_touched = 0;

  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *tuple = self->tuples->pdata[first + i];

      key.size = 0;
      kvsql_tuple_append_key (entry->relation, tuple, &key);
      out_untouched[i]
          = kvsql_storage_is_untouched (storage, &self->ages, kvsql_buffer_slice (&key));
      if (!out_untouched[i])
        touched[n_touched++] = tuple;
    }
  kvsql_buffer_clear (&key);
  return n_touched == 0
         || kvsql_read_primary_again (kvsql_storage_get_store (storage), entry, touched, n_touched,
                                      call, add_again, &refresh, error);
}

/* ---- anchors */

gboolean
kvsql_tuple_chunk_add_current (KvsqlTupleChunk *self, const KvsqlTupleChunk *from, guint first,
                               guint n, gboolean takes_rows, KvsqlStorage *storage,
                               const KvsqlCatalogEntry *entry, const KvsqlCall *call,
                               GError **error)
{
  const KvsqlCheckedWriter writer = kvsql_checked_writer (storage, entry, call, NULL);
  const gint64 *times = &g_array_index (from->timestamps, gint64, first);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, n);

  if (n == 0)
    return TRUE;
  if (!kvsql_checked_read_current (&writer, (const KvsqlValue *const *)from->tuples->pdata + first,
                                   times, n, arena, found, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (found[i].tuple != NULL && (takes_rows || found[i].anchor.timestamp != 0))
      kvsql_tuple_chunk_add (self, entry->relation, found[i].tuple, found[i].newest);
  return TRUE;
}

/* ---- share */

static gboolean
find_end (KvsqlStore *store, KvsqlSlice table, gboolean is_last, const KvsqlCall *call,
          KvsqlArena *arena, KvsqlSlice *out)
{
  KvsqlRowRange all = { .start = KVSQL_SLICE_EMPTY };
  KvsqlScanSpec spec = { .table = table,
                         .ranges = &all,
                         .n_ranges = 1,
                         .is_reversed = is_last,
                         .row_limit = 1,
                         .batch_rows = 1 };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, call, NULL);
  const KvsqlRows *rows;

  if (scan == NULL || !kvsql_scan_next (scan, call, &rows, NULL) || rows->n_rows == 0)
    return FALSE;
  *out = kvsql_slice_dup (arena, rows->rows[0].key);
  return TRUE;
}

gboolean
kvsql_primary_bounds (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlCall *call,
                      KvsqlArena *arena, KvsqlRowRange *out)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);
  const KvsqlSchema *primary = entry->schemas[0];

  return primary->has_constant_table && (store->capabilities.flags & KVSQL_STORE_REVERSE_SCAN) != 0
         && find_end (store, primary->table, FALSE, call, arena, &out->start)
         && find_end (store, primary->table, TRUE, call, arena, &out->stop);
}
