/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clock.c: the newest timestamp of any cell of the store.
 *
 * It is also recorded on disk, but not with each batch: the recorded timestamp is ahead of the
 * newest by some time, and is written to the log before any cell that is newer. So after a crash it
 * may be too high, which costs a few unnecessary comparisons, but never too low.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

#define MARGIN_MS 1000

static const char record_key[] = { 0, 0, 0, 0, 'C' };

void
kvsqld_rocksdb_clock_init (KvsqldRocksdbStore *self)
{
  g_rw_lock_init (&self->clock.lock);
}

void
kvsqld_rocksdb_clock_clear (KvsqldRocksdbStore *self)
{
  g_rw_lock_clear (&self->clock.lock);
}

gboolean
kvsqld_rocksdb_clock_load (KvsqldRocksdbStore *self, GError **error)
{
  g_autoptr (rocksdb_pinnableslice_t) record = NULL;
  char *cause = NULL;
  size_t size = 0;
  const char *bytes;

  record = rocksdb_get_pinned (self->db, self->read_options, record_key, sizeof record_key, &cause);
  if (!kvsqld_rocksdb_check (cause, "read the newest timestamp of store \"rocksdb\"", error))
    return FALSE;
  bytes = record != NULL ? rocksdb_pinnableslice_value (record, &size) : NULL;
  if (size == KVSQLD_ROCKSDB_TIMESTAMP_BYTES)
    self->clock.recorded = (gint64)kvsql_get_be64 ((const guint8 *)bytes);
  else if (size != 0)
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "the newest timestamp of store \"rocksdb\" is damaged");
  self->clock.newest = self->clock.recorded;
  return TRUE;
}

static gboolean
record (KvsqldRocksdbStore *self, gint64 timestamp, GError **error)
{
  guint8 bytes[KVSQLD_ROCKSDB_TIMESTAMP_BYTES];
  gint64 ahead = timestamp > G_MAXINT64 - MARGIN_MS ? G_MAXINT64 : timestamp + MARGIN_MS;
  g_autoptr (rocksdb_writebatch_t) batch = rocksdb_writebatch_create ();
  char *cause = NULL;

  kvsql_put_be64 (bytes, (guint64)ahead);
  rocksdb_writebatch_put (batch, record_key, sizeof record_key, (const char *)bytes, sizeof bytes);
  rocksdb_write (self->db, self->write_options, batch, &cause);
  if (!kvsqld_rocksdb_check_write (self, cause, error))
    return FALSE;
  self->clock.recorded = ahead;
  return TRUE;
}

gboolean
kvsqld_rocksdb_clock_raise (KvsqldRocksdbStore *self, gint64 timestamp, gint64 *out_before,
                            GError **error)
{
  gboolean ok = TRUE;

  g_rw_lock_writer_lock (&self->clock.lock);
  if (timestamp > self->clock.recorded)
    ok = record (self, timestamp, error);
  if (ok)
    {
      *out_before = self->clock.newest;
      self->clock.newest = MAX (self->clock.newest, timestamp);
    }
  g_rw_lock_writer_unlock (&self->clock.lock);
  return ok;
}
