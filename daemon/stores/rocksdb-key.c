/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-key.c: keys to and from their parts. memchr() does the work: few rows contain zero bytes.
 */
#include "config.h"

#include "daemon/stores/rocksdb-key.h"

#define ZERO_IN_ROW 0xff
#define END_OF_ROW 0x01

void
kvsqld_rocksdb_key_add_table (KvsqlBuffer *out, guint32 table)
{
  kvsql_put_be32 (kvsql_buffer_extend (out, KVSQLD_ROCKSDB_TABLE_BYTES), table);
}

void
kvsqld_rocksdb_key_add_row (KvsqlBuffer *out, guint32 table, KvsqlSlice row)
{
  static const guint8 zero[] = { 0, ZERO_IN_ROW }, end[] = { 0, END_OF_ROW };

  kvsqld_rocksdb_key_add_table (out, table);
  while (row.size > 0)
    {
      const guint8 *at = memchr (row.data, 0, row.size);
      gsize size = at != NULL ? (gsize)(at - row.data) : row.size;

      kvsql_buffer_append (out, row.data, size);
      if (at == NULL)
        break;
      kvsql_buffer_append (out, zero, sizeof zero);
      row = kvsql_slice (at + 1, row.size - size - 1);
    }
  kvsql_buffer_append (out, end, sizeof end);
}

void
kvsqld_rocksdb_key_add_column (KvsqlBuffer *out, KvsqlSlice family, KvsqlSlice qualifier)
{
  kvsql_buffer_append_slice (out, family);
  kvsql_buffer_append_byte (out, 0);
  kvsql_buffer_append_slice (out, qualifier);
}

gboolean
kvsqld_rocksdb_key_parse (KvsqlSlice key, KvsqldRocksdbKey *out)
{
  const guint8 *end = key.data + key.size, *at = key.data + KVSQLD_ROCKSDB_TABLE_BYTES;
  gsize n_zeros = 0;

  if (key.size < KVSQLD_ROCKSDB_TABLE_BYTES)
    return FALSE;
  for (;; at += 2, n_zeros++)
    {
      at = memchr (at, 0, (gsize)(end - at));
      if (at == NULL || end - at < 2)
        return FALSE;
      if (at[1] == END_OF_ROW)
        break;
      if (at[1] != ZERO_IN_ROW)
        return FALSE;
    }
  out->row_end = (gsize)(at + 2 - key.data);
  out->n_zeros = n_zeros;
  at = memchr (at + 2, 0, (gsize)(end - at - 2));
  if (at == NULL)
    return FALSE;
  out->family_end = (gsize)(at - key.data);
  return TRUE;
}

void
kvsqld_rocksdb_key_copy_row (KvsqlSlice key, const KvsqldRocksdbKey *parts, guint8 *at)
{
  const guint8 *from = key.data + KVSQLD_ROCKSDB_TABLE_BYTES;
  const guint8 *end = key.data + parts->row_end - 2;

  while (from < end)
    {
      const guint8 *zero = memchr (from, 0, (gsize)(end - from));
      gsize size = (gsize)((zero != NULL ? zero + 1 : end) - from);

      memcpy (at, from, size);
      at += size;
      from += zero != NULL ? size + 1 : size;
    }
}
