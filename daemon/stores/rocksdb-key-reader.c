/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-key-reader.c: what of a key is not as it was in the one before.
 */
#include "config.h"

#include "daemon/stores/rocksdb-key-reader.h"

void
kvsqld_rocksdb_key_reader_clear (KvsqldRocksdbKeyReader *self)
{
  kvsql_buffer_clear (&self->key);
  kvsql_buffer_clear (&self->row);
}

/* What is there stays. */
static void
make_room (KvsqlBuffer *buffer, gsize size)
{
  if (buffer->capacity < size)
    {
      gsize kept = buffer->size;

      kvsql_buffer_extend (buffer, size - kept);
      buffer->size = kept;
    }
}

gboolean
kvsqld_rocksdb_key_reader_read_on (KvsqldRocksdbKeyReader *self, KvsqlSlice key, gsize n_same)
{
  if (key.size < KVSQLD_ROCKSDB_TABLE_BYTES)
    return FALSE;
  make_room (&self->key, key.size);
  make_room (&self->row, key.size);
  if (n_same < self->stretch.key || self->stretch.key == 0)
    self->stretch = KVSQLD_ROCKSDB_KEY_START;
  memcpy (self->key.data + n_same, key.data + n_same, key.size - n_same);
  self->key.size = key.size;
  if (kvsqld_rocksdb_key_read_on (key, self->row.data, &self->stretch, &self->end))
    return TRUE;
  self->key.size = 0; /* nothing is known of the next key */
  return FALSE;
}
