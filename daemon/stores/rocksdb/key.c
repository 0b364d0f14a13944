/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key.c: encodes and decodes keys, eight bytes at a time.
 */
#include "config.h"

#include "daemon/stores/rocksdb/key.h"

#include "core/base/text.h"

#define ZERO_IN_ROW 0xff
#define END_OF_ROW 0x01
#define FOUR_ZEROS G_GUINT64_CONSTANT (0xff00ff00ff00ff00)

void
kvsqld_rocksdb_key_add_table (KvsqlBuffer *out, guint32 table)
{
  kvsql_put_be32 (kvsql_buffer_extend (out, KVSQLD_ROCKSDB_TABLE_BYTES), table);
}

/* Copies up to the next zero byte or @end, and returns its address. May write up to seven bytes
 * more. */
static inline const guint8 *
copy_to_zero (const guint8 *from, const guint8 *end, guint8 *to)
{
  for (; end - from >= (gssize)sizeof (guint64); from += sizeof (guint64), to += sizeof (guint64))
    {
      guint64 zeros = kvsql_text_zeros (kvsql_get_le64 (from));

      /* Bytes after the zero are overwritten later. */
      memcpy (to, from, sizeof (guint64));
      if (zeros != 0)
        return from + __builtin_ctzll (zeros) / 8;
    }
  while (from < end && *from != 0)
    *to++ = *from++;
  return from;
}

static inline void
put_le64 (guint8 *to, guint64 word)
{
  word = GUINT64_TO_LE (word);
  memcpy (to, &word, sizeof word);
}

/* The last @n bytes of the row, fewer than eight, with FF bytes above them. */
static inline guint64
last_word (KvsqlSlice row, gsize n)
{
  guint64 word = ~G_GUINT64_CONSTANT (0) << (8 * n);

  if (row.size >= sizeof word)
    return word | kvsql_get_le64 (row.data + row.size - sizeof word) >> (8 * (sizeof word - n));
  for (gsize i = 0; i < n; i++)
    word |= (guint64)row.data[row.size - n + i] << (8 * i);
  return word;
}

/* Copies eight bytes at a time up to the first zero among them, then escapes the zeros that follow.
 * Room for the worst case, all bytes zero, is allocated first, and for the bytes that are written
 * too far and overwritten later. */
void
kvsqld_rocksdb_key_add_row (KvsqlBuffer *out, guint32 table, KvsqlSlice row)
{
  gsize room = KVSQLD_ROCKSDB_TABLE_BYTES + 2 * row.size + 2 * sizeof (guint64);
  guint8 *begin = kvsql_buffer_extend (out, room), *to = begin + KVSQLD_ROCKSDB_TABLE_BYTES;
  gsize left = row.size;

  kvsql_put_be32 (begin, table);
  while (left > 0)
    {
      gsize n = MIN (left, sizeof (guint64)), n_before = n, n_zeros = 0;
      guint64 word
          = n == sizeof word ? kvsql_get_le64 (row.data + row.size - left) : last_word (row, n);
      guint64 zeros = kvsql_text_zeros (word);

      put_le64 (to, word);
      if (zeros != 0)
        {
          n_before = (gsize)__builtin_ctzll (zeros) / 8;
          word >>= 8 * n_before;
          n_zeros = word != 0 ? (gsize)__builtin_ctzll (word) / 8 : n - n_before;
          put_le64 (to + n_before, FOUR_ZEROS);
          put_le64 (to + n_before + sizeof word, FOUR_ZEROS);
        }
      to += n_before + 2 * n_zeros;
      left -= n_before + n_zeros;
    }
  *to++ = 0;
  *to++ = END_OF_ROW;
  out->size -= room - (gsize)(to - begin);
}

void
kvsqld_rocksdb_key_add_column (KvsqlBuffer *out, KvsqlSlice family, KvsqlSlice qualifier)
{
  guint8 *to = kvsql_buffer_extend (out, family.size + 1 + qualifier.size);

  kvsql_copy_bytes (to, family.data, family.size);
  to[family.size] = 0;
  kvsql_copy_bytes (to + family.size + 1, qualifier.data, qualifier.size);
}

/* Sets the high bit of each byte that is zero, and of no other. */
static inline guint64
exact_zeros (guint64 word)
{
  return ~(((word & ~KVSQL_BYTES_HIGH) + ~KVSQL_BYTES_HIGH) | word | ~KVSQL_BYTES_HIGH);
}

/* The first zero byte that is not followed by FF ends the row; 01 must follow it. The byte after a
 * zero byte is never zero itself, so all zero bytes of a word can be tested together. RocksDB asks
 * this for each key of a file, more than once. */
gsize
kvsqld_rocksdb_key_find_row (KvsqlSlice key)
{
  const guint8 *end = key.data + key.size, *at = key.data + KVSQLD_ROCKSDB_TABLE_BYTES;

  if (key.size < KVSQLD_ROCKSDB_TABLE_BYTES)
    return 0;
  for (; end - at > (gssize)sizeof (guint64); at += sizeof (guint64))
    {
      guint64 ends = exact_zeros (kvsql_get_le64 (at)) & ~exact_zeros (~kvsql_get_le64 (at + 1));

      if (ends == 0)
        continue;
      at += __builtin_ctzll (ends) / 8;
      return at[1] == END_OF_ROW ? (gsize)(at + 2 - key.data) : 0;
    }
  for (; end - at >= 2; at++)
    if (at[0] == 0 && at[1] != ZERO_IN_ROW)
      return at[1] == END_OF_ROW ? (gsize)(at + 2 - key.data) : 0;
  return 0;
}

/* Small numbers are mostly zero bytes: four escaped zeros at a time, then single ones. */
static inline void
skip_zeros (const guint8 **from, const guint8 *end, guint8 **to)
{
  const guint8 *at = *from;

  for (; end - at >= 8 && kvsql_get_le64 (at) == FOUR_ZEROS; at += 8, *to += 4)
    memset (*to, 0, 4);
  for (; end - at >= 2 && at[0] == 0 && at[1] == ZERO_IN_ROW; at += 2)
    *(*to)++ = 0;
  *from = at;
}

gboolean
kvsqld_rocksdb_key_read_on (KvsqlSlice key, guint8 *row, KvsqldRocksdbKeyPlace *run_start,
                            KvsqldRocksdbKeyPlace *out_end)
{
  const guint8 *from = key.data + run_start->key, *end = key.data + key.size;
  guint8 *to = row + run_start->row;

  for (;;)
    {
      const guint8 *zero = copy_to_zero (from, end, to);

      *run_start = (KvsqldRocksdbKeyPlace){ (gsize)(from - key.data), (gsize)(to - row) };
      if (end - zero < 2)
        return FALSE;
      to += zero - from;
      from = zero + 2;
      if (zero[1] == END_OF_ROW)
        break;
      if (zero[1] != ZERO_IN_ROW)
        return FALSE;
      *to++ = 0;
      skip_zeros (&from, end, &to);
    }
  *out_end = (KvsqldRocksdbKeyPlace){ (gsize)(from - key.data), (gsize)(to - row) };
  return TRUE;
}

gboolean
kvsqld_rocksdb_key_read_row (KvsqlSlice key, guint8 *at, gsize *out_row_size, gsize *out_row_end)
{
  KvsqldRocksdbKeyPlace run_start = KVSQLD_ROCKSDB_KEY_START, end;

  if (key.size < KVSQLD_ROCKSDB_TABLE_BYTES
      || !kvsqld_rocksdb_key_read_on (key, at, &run_start, &end))
    return FALSE;
  *out_row_size = end.row;
  *out_row_end = end.key;
  return TRUE;
}
