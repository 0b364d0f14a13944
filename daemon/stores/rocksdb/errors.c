/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * errors.c: RocksDB's errors as those of kvsqld, and the last error of a write.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

#define MEGABYTE (1024 * 1024)

gboolean
kvsqld_rocksdb_check (gchar *cause, const gchar *what, GError **error)
{
  if (cause == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "could not %s: %s", what, cause);
  rocksdb_free (cause);
  return FALSE;
}

static gboolean
no_space (KvsqldRocksdbStore *self, GError **error)
{
  kvsql_error_set (
      error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
      "could not write to store \"rocksdb\": no space is left in \"%s\" (%" G_GUINT64_FORMAT
      " MiB are free)",
      self->path, kvsqld_rocksdb_space_get_free (self) / MEGABYTE);
  return kvsql_error_hint (error, "Free at least 64 MiB there: some seconds later the store writes "
                                  "again by itself. Reading goes on.");
}

static void
record_last_error (KvsqldRocksdbStore *self, const gchar *cause)
{
  if (cause == NULL && g_atomic_pointer_get (&self->last_error.text) == NULL)
    return;
  g_mutex_lock (&self->last_error.lock);
  g_free (self->last_error.text);
  g_atomic_pointer_set (&self->last_error.text, g_strdup (cause));
  g_mutex_unlock (&self->last_error.lock);
}

void
kvsqld_rocksdb_note_write (KvsqldRocksdbStore *self, gchar *cause)
{
  record_last_error (self, cause);
  if (cause != NULL)
    rocksdb_free (cause);
}

/* After a failed write to the log, the batch may still be found when the log is read again. */
gboolean
kvsqld_rocksdb_check_write (KvsqldRocksdbStore *self, gchar *cause, GError **error)
{
  gboolean is_full;

  record_last_error (self, cause);
  if (cause == NULL)
    return TRUE;
  is_full = strstr (cause, g_strerror (ENOSPC)) != NULL || strstr (cause, "NoSpace") != NULL;
  if (!is_full)
    kvsql_error_set (error,
                     g_str_has_prefix (cause, "IO error") ? KVSQL_ERROR_UNKNOWN_OUTCOME
                                                          : KVSQL_ERROR_STORE,
                     KVSQL_SPAN_NONE, "could not write to store \"rocksdb\": %s", cause);
  rocksdb_free (cause);
  if (is_full)
    return no_space (self, error);
  return kvsql_error_hint (error,
                           "The disk may be failing; restart the daemon after that is mended.");
}
