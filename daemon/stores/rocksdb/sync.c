/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sync.c: sync=interval:MS: syncs the log to disk every MS milliseconds.
 *
 * A crash of the daemon loses nothing, because the kernel has each write before it is acknowledged.
 * A crash of the machine loses the writes since the last sync.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

static void
sync_once (KvsqldRocksdbStore *self)
{
  char *cause = NULL;

  rocksdb_flush_wal (self->db, 1, &cause);
  if (cause != NULL)
    kvsqld_rocksdb_note_write (self, cause); /* is reported until a write succeeds */
}

static gpointer
sync_until_over (gpointer data)
{
  KvsqldRocksdbStore *self = data;
  gboolean is_over = FALSE;

  while (!is_over)
    {
      gint64 end = g_get_monotonic_time () + self->sync.interval_ms * G_TIME_SPAN_MILLISECOND;

      g_mutex_lock (&self->sync.lock);
      while (!self->sync.is_over && g_cond_wait_until (&self->sync.ended, &self->sync.lock, end))
        continue;
      is_over = self->sync.is_over;
      g_mutex_unlock (&self->sync.lock);
      sync_once (self);
    }
  return NULL;
}

void
kvsqld_rocksdb_sync_init (KvsqldRocksdbStore *self)
{
  g_mutex_init (&self->sync.lock);
  g_cond_init (&self->sync.ended);
}

void
kvsqld_rocksdb_sync_start (KvsqldRocksdbStore *self)
{
  /* lives as long as the store, and is joined after its last sync, before the store is closed */
  if (self->sync.interval_ms > 0)
    self->sync.thread = g_thread_new ("rocksdb-sync", sync_until_over, self);
}

void
kvsqld_rocksdb_sync_stop (KvsqldRocksdbStore *self)
{
  if (self->sync.thread != NULL)
    {
      g_mutex_lock (&self->sync.lock);
      self->sync.is_over = TRUE;
      g_cond_signal (&self->sync.ended);
      g_mutex_unlock (&self->sync.lock);
      g_thread_join (self->sync.thread);
    }
  g_cond_clear (&self->sync.ended);
  g_mutex_clear (&self->sync.lock);
}
