/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tombstones.c: covers a range of tombstones with one range tombstone.
 *
 * RocksDB keeps a tombstone for each deletion until a compaction drops it, and an iterator steps
 * over every one of them: reading the start of a queue gets slower with each item that is removed.
 * A scan that had to step over many tombstones to find the first cell of a range writes one range
 * tombstone over them, which iterators jump over. It deletes no cell: that the range is empty is
 * checked again while no write can run.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

#define MAX_REMEMBERED 64
#define PAUSE_US                                                                                   \
  (100 * 1000) /* each range ends in a flush, and too many small files are slow, too */

typedef struct
{
  KvsqlSlice start;
  KvsqlSlice end;
} TombstoneRange;

static GPrivate counters = G_PRIVATE_INIT ((GDestroyNotify)rocksdb_perfcontext_destroy);

/* Tombstones that this thread has stepped over so far, while they are counted. */
static guint64
n_skipped (void)
{
  rocksdb_perfcontext_t *mine = g_private_get (&counters);

  if (mine == NULL)
    {
      mine = rocksdb_perfcontext_create ();
      g_private_set (&counters, mine);
    }
  return rocksdb_perfcontext_metric (mine, rocksdb_internal_delete_skipped_count);
}

guint64
kvsqld_rocksdb_skipped_begin (void)
{
  rocksdb_set_perf_level (rocksdb_enable_count);
  return n_skipped ();
}

guint64
kvsqld_rocksdb_skipped_end (guint64 begin)
{
  guint64 count = n_skipped () - begin;

  rocksdb_set_perf_level (rocksdb_disable);
  return count;
}

void
kvsqld_rocksdb_count_nothing (void)
{
  static _Thread_local gboolean is_told;

  if (is_told)
    return;
  is_told = TRUE;
  rocksdb_set_perf_level (rocksdb_disable);
}

void
kvsqld_rocksdb_tombstones_init (KvsqldRocksdbStore *self)
{
  g_mutex_init (&self->tombstones.lock);
  self->tombstones.ends = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_bytes_unref);
}

void
kvsqld_rocksdb_tombstones_clear (KvsqldRocksdbStore *self)
{
  g_hash_table_unref (self->tombstones.ends);
  g_mutex_clear (&self->tombstones.lock);
}

/* Whether the range contains no cell. With rows.all held. */
static gboolean
is_empty (KvsqldRocksdbStore *self, const TombstoneRange *range)
{
  g_autoptr (rocksdb_readoptions_t) options = rocksdb_readoptions_create ();
  g_autoptr (rocksdb_iterator_t) iterator = NULL;
  char *cause = NULL;
  gboolean ok;

  rocksdb_readoptions_set_total_order_seek (options, 1);
  rocksdb_readoptions_set_iterate_upper_bound (options, (const char *)range->end.data,
                                               range->end.size);
  iterator = rocksdb_create_iterator (self->db, options);
  kvsqld_rocksdb_iterator_seek (iterator, range->start);
  ok = !rocksdb_iter_valid (iterator);
  rocksdb_iter_get_error (iterator, &cause);
  ok = ok && cause == NULL;
  rocksdb_free (cause);
  return ok;
}

/* Iterators still step over tombstones in memory; a flush drops the covered ones. Does not wait for
 * the end of the flush. */
static void
flush (KvsqldRocksdbStore *self)
{
  rocksdb_flushoptions_t *options = rocksdb_flushoptions_create ();
  char *cause = NULL;

  rocksdb_flushoptions_set_wait (options, 0);
  rocksdb_flush (self->db, options, &cause);
  rocksdb_flushoptions_destroy (options);
  kvsqld_rocksdb_note_write (self, cause); /* the caller's read does not depend on it */
}

/* Written to the log without a sync: if it is lost, a later scan finds the range again. */
static void
cover (KvsqldRocksdbStore *self, const TombstoneRange *range)
{
  rocksdb_writeoptions_t *options = rocksdb_writeoptions_create ();
  g_autoptr (rocksdb_writebatch_t) batch = rocksdb_writebatch_create ();
  char *cause = NULL;

  rocksdb_writebatch_delete_range (batch, (const char *)range->start.data, range->start.size,
                                   (const char *)range->end.data, range->end.size);
  rocksdb_write (self->db, options, batch, &cause);
  rocksdb_writeoptions_destroy (options);
  if (!kvsqld_rocksdb_check_write (self, cause, NULL))
    return;
  g_atomic_int_inc (&self->tombstones.n_covered);
  flush (self);
}

/* The ranges of a queue follow each other. Each one begins where the last one ended, so that range
 * tombstones do not overlap. */
static GBytes *
begin_after_last (KvsqldRocksdbStore *self, guint32 table, TombstoneRange *range)
{
  GBytes *last = g_hash_table_lookup (self->tombstones.ends, GUINT_TO_POINTER (table));
  KvsqlSlice end = KVSQL_SLICE_EMPTY;

  if (last != NULL)
    end.data = g_bytes_get_data (g_bytes_ref (last), &end.size);
  if (last != NULL && kvsql_slice_compare (range->start, end) < 0
      && kvsql_slice_compare (end, range->end) < 0)
    range->start = end;
  if (g_hash_table_size (self->tombstones.ends) >= MAX_REMEMBERED)
    g_hash_table_remove_all (self->tombstones.ends);
  g_hash_table_replace (self->tombstones.ends, GUINT_TO_POINTER (table),
                        g_bytes_new (range->end.data, range->end.size));
  return last;
}

void
kvsqld_rocksdb_cover_tombstones (KvsqldRocksdbStore *self, guint32 table, KvsqlSlice start,
                                 KvsqlSlice end)
{
  TombstoneRange range = { start, end };
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (GBytes) last = NULL; /* owner of the start of the range */

  if (kvsql_slice_compare (start, end) >= 0 || !kvsqld_rocksdb_space_check (self, NULL))
    return;
  if (!g_mutex_trylock (&self->tombstones.lock))
    return; /* another thread covers a range now */
  if (now_us < self->tombstones.next_us)
    {
      g_mutex_unlock (&self->tombstones.lock);
      return;
    }
  last = begin_after_last (self, table, &range);
  kvsqld_fair_lock_acquire (&self->rows.all);
  if (is_empty (self, &range))
    cover (self, &range);
  kvsqld_fair_lock_release (&self->rows.all);
  self->tombstones.next_us = g_get_monotonic_time () + PAUSE_US;
  g_mutex_unlock (&self->tombstones.lock);
}
