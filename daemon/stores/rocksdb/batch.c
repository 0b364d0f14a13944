/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * batch.c: see batch.h.
 *
 * Allocates the room of a record once, for all of its parts.
 */
#include "config.h"

#include "daemon/stores/rocksdb/batch.h"

#include "daemon/stores/rocksdb/key.h"

#define HEAD_BYTES 12
#define COUNT_AT 8
#define MAX_SIZE_BYTES 5 /* of a size of 32 bits, in groups of seven */

/* Kinds of records. */
#define DELETION 0x00
#define PUT 0x01
#define RANGE_DELETION 0x0f

void
kvsqld_rocksdb_batch_clear (KvsqldRocksdbBatch *self)
{
  kvsql_buffer_clear (&self->bytes);
  self->n_records = 0;
}

void
kvsqld_rocksdb_batch_reserve (KvsqldRocksdbBatch *self, guint n_records, gsize size)
{
  gsize before = self->bytes.size;

  kvsql_buffer_extend (&self->bytes,
                       HEAD_BYTES + size + (gsize)n_records * (1 + 2 * MAX_SIZE_BYTES));
  self->bytes.size = before;
}

static inline guint8 *
put_size (guint8 *to, gsize size)
{
  for (; size > 0x7f; size >>= 7)
    *to++ = (guint8)(size | 0x80);
  *to++ = (guint8)size;
  return to;
}

static inline guint8 *
put_slice (guint8 *to, KvsqlSlice slice)
{
  to = put_size (to, slice.size);
  kvsql_copy_bytes (to, slice.data, slice.size);
  return to + slice.size;
}

/* Allocates a record whose keys and values have @size bytes, and writes its kind. The header with
 * the number of records is written last. */
static inline guint8 *
begin_record (KvsqldRocksdbBatch *self, guint8 kind, gsize size)
{
  gsize head = self->bytes.size == 0 ? HEAD_BYTES : 0;
  guint8 *at = kvsql_buffer_extend (&self->bytes, head + 1 + 2 * MAX_SIZE_BYTES + size) + head;

  *at = kind;
  self->n_records++;
  return at + 1;
}

static inline void
end_record (KvsqldRocksdbBatch *self, const guint8 *end)
{
  self->bytes.size = (gsize)(end - self->bytes.data);
}

void
kvsqld_rocksdb_batch_put (KvsqldRocksdbBatch *self, KvsqlSlice key, gint64 timestamp,
                          KvsqlSlice value)
{
  gsize size = KVSQLD_ROCKSDB_TIMESTAMP_BYTES + value.size;
  guint8 *to = begin_record (self, PUT, key.size + size);

  to = put_slice (to, key);
  to = put_size (to, size);
  kvsql_put_be64 (to, (guint64)timestamp);
  to += KVSQLD_ROCKSDB_TIMESTAMP_BYTES;
  kvsql_copy_bytes (to, value.data, value.size);
  end_record (self, to + value.size);
}

void
kvsqld_rocksdb_batch_delete (KvsqldRocksdbBatch *self, KvsqlSlice key)
{
  end_record (self, put_slice (begin_record (self, DELETION, key.size), key));
}

void
kvsqld_rocksdb_batch_delete_range (KvsqldRocksdbBatch *self, KvsqlSlice first, KvsqlSlice end)
{
  guint8 *to = begin_record (self, RANGE_DELETION, first.size + end.size);

  end_record (self, put_slice (put_slice (to, first), end));
}

KvsqlSlice
kvsqld_rocksdb_batch_finish (KvsqldRocksdbBatch *self)
{
  guint32 count = GUINT32_TO_LE (self->n_records);

  if (self->bytes.size == 0)
    kvsql_buffer_extend (&self->bytes, HEAD_BYTES);
  memset (self->bytes.data, 0, COUNT_AT);
  memcpy (self->bytes.data + COUNT_AT, &count, sizeof count);
  return kvsql_buffer_slice (&self->bytes);
}
