/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-gap.c: a stretch of deleted cells is stepped over once, and from then on jumped over.
 *
 * RocksDB remembers each deletion until a compaction drops it, and an iterator steps
 * over every one of them: the front of a queue gets slower with each that is taken.
 * Whoever had to step over many to find the first cell of a range puts one deletion
 * of the whole stretch over them, over which iterators jump. It deletes nothing: that
 * nothing is there is looked up again while nobody writes.
 */
#include "config.h"

#include "daemon/stores/rocksdb-store.h"

#define MOST_REMEMBERED 64
#define PAUSE_US (100 * 1000) /* each ends in a flush, and too many small files are slow, too */

typedef struct
{
  KvsqlSlice start;
  KvsqlSlice end;
} Gap;

static GPrivate counters = G_PRIVATE_INIT ((GDestroyNotify)rocksdb_perfcontext_destroy);

/* Deletions that this thread has stepped over so far, while they are counted. */
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
kvsqld_rocksdb_gaps_init (KvsqldRocksdbStore *self)
{
  g_mutex_init (&self->gaps.lock);
  self->gaps.ends = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_bytes_unref);
}

void
kvsqld_rocksdb_gaps_clear (KvsqldRocksdbStore *self)
{
  g_hash_table_unref (self->gaps.ends);
  g_mutex_clear (&self->gaps.lock);
}

/* Under rows.all: whether there is no cell in it. */
static gboolean
is_empty (KvsqldRocksdbStore *self, const Gap *gap)
{
  g_autoptr (rocksdb_readoptions_t) options = rocksdb_readoptions_create ();
  g_autoptr (rocksdb_iterator_t) iterator = NULL;
  char *cause = NULL;
  gboolean ok;

  rocksdb_readoptions_set_total_order_seek (options, 1);
  rocksdb_readoptions_set_iterate_upper_bound (options, (const char *)gap->end.data, gap->end.size);
  iterator = rocksdb_create_iterator (self->db, options);
  kvsqld_rocksdb_iterator_seek (iterator, gap->start);
  ok = !rocksdb_iter_valid (iterator);
  rocksdb_iter_get_error (iterator, &cause);
  ok = ok && cause == NULL;
  rocksdb_free (cause);
  return ok;
}

/* Deletions that are still in memory are stepped over nevertheless; in a file those that are
 * covered are left out. Nobody waits for it. */
static void
flush (KvsqldRocksdbStore *self)
{
  rocksdb_flushoptions_t *options = rocksdb_flushoptions_create ();
  char *cause = NULL;

  rocksdb_flushoptions_set_wait (options, 0);
  rocksdb_flush (self->db, options, &cause);
  rocksdb_flushoptions_destroy (options);
  kvsqld_rocksdb_check_write (self, cause, NULL); /* the reader's answer does not depend on it */
}

/* It goes to the log without a sync: if it is lost, somebody finds the stretch again. */
static void
cover (KvsqldRocksdbStore *self, const Gap *gap)
{
  rocksdb_writeoptions_t *options = rocksdb_writeoptions_create ();
  g_autoptr (rocksdb_writebatch_t) batch = rocksdb_writebatch_create ();
  char *cause = NULL;

  rocksdb_writebatch_delete_range (batch, (const char *)gap->start.data, gap->start.size,
                                   (const char *)gap->end.data, gap->end.size);
  rocksdb_write (self->db, options, batch, &cause);
  rocksdb_writeoptions_destroy (options);
  if (!kvsqld_rocksdb_check_write (self, cause, NULL))
    return;
  g_atomic_int_inc (&self->gaps.n_covered);
  flush (self);
}

/* A queue's gaps follow each other. Each begins where the last one ended, so that there is one
 * deletion over each place and not as many as there were gaps. */
static GBytes *
begin_behind_last (KvsqldRocksdbStore *self, guint32 table, Gap *gap)
{
  GBytes *last = g_hash_table_lookup (self->gaps.ends, GUINT_TO_POINTER (table));
  KvsqlSlice end = KVSQL_SLICE_EMPTY;

  if (last != NULL)
    end.data = g_bytes_get_data (g_bytes_ref (last), &end.size);
  if (last != NULL && kvsql_slice_compare (gap->start, end) < 0
      && kvsql_slice_compare (end, gap->end) < 0)
    gap->start = end;
  if (g_hash_table_size (self->gaps.ends) >= MOST_REMEMBERED)
    g_hash_table_remove_all (self->gaps.ends);
  g_hash_table_replace (self->gaps.ends, GUINT_TO_POINTER (table),
                        g_bytes_new (gap->end.data, gap->end.size));
  return last;
}

void
kvsqld_rocksdb_cover_gap (KvsqldRocksdbStore *self, guint32 table, KvsqlSlice start, KvsqlSlice end)
{
  Gap gap = { start, end };
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (GBytes) last = NULL; /* owns where the gap begins */

  if (kvsql_slice_compare (start, end) >= 0 || !kvsqld_rocksdb_space_check (self, NULL))
    return;
  if (!g_mutex_trylock (&self->gaps.lock))
    return; /* somebody is at it */
  if (now_us < self->gaps.next_us)
    {
      g_mutex_unlock (&self->gaps.lock);
      return;
    }
  last = begin_behind_last (self, table, &gap);
  kvsqld_fair_lock_take (&self->rows.all);
  if (is_empty (self, &gap))
    cover (self, &gap);
  kvsqld_fair_lock_release (&self->rows.all);
  self->gaps.next_us = g_get_monotonic_time () + PAUSE_US;
  g_mutex_unlock (&self->gaps.lock);
}
