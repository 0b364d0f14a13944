/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-reader.c: see key-reader.h.
 */
#include "config.h"

#include "daemon/stores/rocksdb/key-reader.h"

void
kvsqld_rocksdb_key_reader_clear (KvsqldRocksdbKeyReader *self)
{
  kvsql_buffer_clear (&self->key);
  kvsql_buffer_clear (&self->row);
}

/* Grows the buffer; its bytes stay. */
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
  if (n_same < self->run_start.key || self->run_start.key == 0)
    self->run_start = KVSQLD_ROCKSDB_KEY_START;
  memcpy (self->key.data + n_same, key.data + n_same, key.size - n_same);
  self->key.size = key.size;
  if (kvsqld_rocksdb_key_read_on (key, self->row.data, &self->run_start, &self->end))
    return TRUE;
  self->key.size = 0; /* nothing can be reused for the next key */
  return FALSE;
}
