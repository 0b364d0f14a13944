/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * space.c: rejects puts when the disk is nearly full.
 *
 * RocksDB itself stops at the first write that fails, whose outcome is then unknown, and continues
 * when there is room for a memtable. The reserve prevents that: a rejected write has not happened,
 * and deletions are still accepted.
 */
#include "config.h"

#include <sys/statvfs.h>

#include "daemon/stores/rocksdb/store.h"

#define MAX_AGE_US (100 * 1000)
#define MEGABYTE (1024 * 1024)

void
kvsqld_rocksdb_space_init (KvsqldRocksdbStore *self)
{
  g_mutex_init (&self->space.lock);
}

void
kvsqld_rocksdb_space_clear (KvsqldRocksdbStore *self)
{
  g_mutex_clear (&self->space.lock);
}

/* If the file system does not report its free space, assume there is enough: RocksDB will
 * notice. */
static guint64
read_free_bytes (const gchar *path)
{
  struct statvfs disk;

  if (statvfs (path, &disk) != 0 || disk.f_blocks == 0)
    return G_MAXUINT64;
  return (guint64)disk.f_bavail * disk.f_frsize;
}

guint64
kvsqld_rocksdb_space_get_free (KvsqldRocksdbStore *self)
{
  gint64 now_us = g_get_monotonic_time ();
  guint64 free_bytes;

  g_mutex_lock (&self->space.lock);
  if (self->space.read_us == 0 || now_us - self->space.read_us >= MAX_AGE_US)
    {
      self->space.read_us = now_us;
      self->space.free_bytes = read_free_bytes (self->path);
    }
  free_bytes = self->space.free_bytes;
  g_mutex_unlock (&self->space.lock);
  return free_bytes;
}

gchar *
kvsqld_rocksdb_space_describe_lack (KvsqldRocksdbStore *self)
{
  guint64 min_free_bytes = self->space.min_free_bytes, free_bytes;

  if (min_free_bytes == 0)
    return NULL;
  free_bytes = kvsqld_rocksdb_space_get_free (self);
  if (free_bytes >= min_free_bytes)
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT
                          " MiB are free in \"%s\", less than min_free_mb=%" G_GUINT64_FORMAT,
                          free_bytes / MEGABYTE, self->path, min_free_bytes / MEGABYTE);
}

gboolean
kvsqld_rocksdb_space_check (KvsqldRocksdbStore *self, GError **error)
{
  g_autofree gchar *lack = kvsqld_rocksdb_space_describe_lack (self);

  if (lack == NULL)
    return TRUE;
  g_mutex_lock (&self->space.lock);
  self->space.n_refused++;
  g_mutex_unlock (&self->space.lock);
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "store \"rocksdb\" accepts no writes: %s", lack);
  return kvsql_error_hint (error, "Free space there: writing begins again by itself. Reading and "
                                  "DELETE go on.");
}

gboolean
kvsqld_rocksdb_space_check_for (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows,
                                guint n_rows, GError **error)
{
  for (guint i = 0; i < n_rows; i++)
    for (guint c = 0; c < rows[i].n_cells; c++)
      if (rows[i].cells[c].kind == KVSQL_MUTATION_PUT)
        return kvsqld_rocksdb_space_check (self, error);
  return TRUE;
}
