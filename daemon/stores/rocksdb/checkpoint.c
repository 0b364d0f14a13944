/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checkpoint.c: copies the database as of one moment, while it is read and written.
 *
 * The files of tables never change, so on the same file system they are hard-linked, not copied.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

#define ALWAYS_FLUSH 0 /* always flush: then the log need not be copied */

gboolean
kvsqld_rocksdb_checkpoint (KvsqlStore *store, const gchar *directory, const KvsqlCall *call,
                           GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  g_autofree gchar *what = g_strdup_printf ("copy store \"rocksdb\" to \"%s\"", directory);
  rocksdb_checkpoint_t *checkpoint;
  char *cause = NULL;

  if (!kvsqld_rocksdb_space_check (self, error))
    return FALSE;
  checkpoint = rocksdb_checkpoint_object_create (self->db, &cause);
  if (!kvsqld_rocksdb_check (cause, what, error))
    return FALSE;
  rocksdb_checkpoint_create (checkpoint, directory, ALWAYS_FLUSH, &cause);
  rocksdb_checkpoint_object_destroy (checkpoint);
  return kvsqld_rocksdb_check (cause, what, error);
}
