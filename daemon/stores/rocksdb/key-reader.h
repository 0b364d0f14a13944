/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-reader.h: decodes the rows of keys that are read in sequence.
 *
 * Consecutive keys mostly differ only at their ends. The reader keeps the last key and its decoded
 * row, compares the next key with it, and decodes only the part that differs. Start with zeroed
 * memory ({0}).
 *
 * Keys of the same shape differ only in the last eight bytes of the row, or fewer, none of which is
 * zero. The row of such a key is the last row with these bytes replaced. The reader need not be
 * updated for each of them; once at the end is enough.
 */
#pragma once

#include "core/base/text.h"
#include "daemon/stores/rocksdb/key.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlBuffer key; /* the last key */
  KvsqlBuffer row; /* its decoded row; has capacity for all of the key */
  KvsqldRocksdbKeyPlace run_start;
  KvsqldRocksdbKeyPlace end; /* end of the row's prefix in the key, and of the row */
} KvsqldRocksdbKeyReader;

void kvsqld_rocksdb_key_reader_clear (KvsqldRocksdbKeyReader *self);

/* The number of bytes that @key and the last key have in common at the start. */
static inline gsize
kvsqld_rocksdb_key_reader_compare (const KvsqldRocksdbKeyReader *self, KvsqlSlice key)
{
  const guint8 *last = self->key.data;
  gsize n = MIN (self->key.size, key.size), i = 0;
  guint64 difference;

  for (; i + 8 <= n; i += 8)
    {
      difference = kvsql_get_le64 (last + i) ^ kvsql_get_le64 (key.data + i);
      if (difference != 0)
        return i + __builtin_ctzll (difference) / 8;
    }
  if (n >= 8)
    {
      /* the last eight bytes, which overlap what was compared, so that no loop over single bytes is
       * needed */
      difference = kvsql_get_le64 (last + n - 8) ^ kvsql_get_le64 (key.data + n - 8);
      return difference == 0 ? n : n - 8 + __builtin_ctzll (difference) / 8;
    }
  while (i < n && last[i] == key.data[i])
    i++;
  return i;
}

gboolean kvsqld_rocksdb_key_reader_read_on (KvsqldRocksdbKeyReader *self, KvsqlSlice key,
                                            gsize n_same); /* the slow path of the next function */

/* Decodes @key, whose first @n_same bytes are those of the last key. @self then has its row and the
 * ends. FALSE: no row ends in it. */
G_GNUC_WARN_UNUSED_RESULT static inline gboolean
kvsqld_rocksdb_key_reader_read (KvsqldRocksdbKeyReader *self, KvsqlSlice key, gsize n_same)
{
  gsize n = key.size, row_ends = self->end.key - 2, tail = n - row_ends;
  guint8 *last = self->key.data;
  guint64 difference;

  /* Fast path, for increasing numbers: only bytes of the row after its last zero byte differ. */
  if (n != self->key.size || n < 8 || tail > 8 || n_same < self->run_start.key)
    return kvsqld_rocksdb_key_reader_read_on (self, key, n_same);
  difference = kvsql_get_le64 (last + n - 8) ^ kvsql_get_le64 (key.data + n - 8);
  if (difference >> (64 - 8 * tail) != 0)
    return kvsqld_rocksdb_key_reader_read_on (self, key, n_same);
  for (gsize i = n_same; i < row_ends; i++)
    {
      if (key.data[i] == 0)
        return kvsqld_rocksdb_key_reader_read_on (self, key, n_same);
      last[i] = key.data[i];
      self->row.data[self->end.row - (row_ends - i)] = key.data[i];
    }
  return TRUE;
}

/* The row of the last key; valid until the next read. */
static inline KvsqlSlice
kvsqld_rocksdb_key_reader_row (const KvsqldRocksdbKeyReader *self)
{
  return kvsql_slice (self->row.data, self->end.row);
}

/* ---- keys of the same shape */

/* The @n last bytes before @end, at most eight, as a number. At least eight bytes must precede
 * @end. */
static inline guint64
kvsqld_rocksdb_key_reader_last_bytes (const guint8 *end, gsize n)
{
  return kvsql_get_le64 (end - 8) >> (64 - 8 * n);
}

/* Whether one of the @n bytes before @end is zero; @n is at most eight, and at least eight bytes
 * precede @end. The other bytes of the word are made nonzero. */
static inline gboolean
kvsqld_rocksdb_key_reader_has_zero (const guint8 *end, gsize n)
{
  guint64 others = n < 8 ? (G_GUINT64_CONSTANT (1) << (64 - 8 * n)) - 1 : 0;

  return kvsql_text_zeros (kvsql_get_le64 (end - 8) | others) != 0;
}

/* Whether @key has the same shape as the last key. FALSE also for columns with long names. */
static inline gboolean
kvsqld_rocksdb_key_reader_has_same_shape (const KvsqldRocksdbKeyReader *self, KvsqlSlice key)
{
  const guint8 *last = self->key.data;
  gsize from = self->run_start.key, to = self->end.key - 2, n_column = key.size - to;

  return key.size == self->key.size && self->end.key >= 8 + 2 && from < to && to - from <= 8
         && n_column <= 8
         && kvsqld_rocksdb_key_reader_last_bytes (key.data + key.size, n_column)
                == kvsqld_rocksdb_key_reader_last_bytes (last + key.size, n_column)
         && kvsql_same_bytes (last, key.data, from)
         && !kvsqld_rocksdb_key_reader_has_zero (key.data + to, to - from);
}

/* Writes the row of a key of the same shape. It has as many bytes as the last row. */
static inline void
kvsqld_rocksdb_key_reader_write_same_shape (const KvsqldRocksdbKeyReader *self, KvsqlSlice key,
                                            guint8 *at)
{
  gsize same = self->run_start.row, size = self->end.row;

  /* copies eight bytes in any case; the ones before the differing bytes are overwritten below */
  if (size >= 8 && size - same <= 8)
    memcpy (at + size - 8, key.data + self->end.key - 2 - 8, 8);
  else
    memcpy (at + same, key.data + self->run_start.key, size - same);
  kvsql_copy_bytes (at, self->row.data, same);
}

/* Makes the key of the same shape that has @row the last key. */
static inline void
kvsqld_rocksdb_key_reader_go_to_same_shape (KvsqldRocksdbKeyReader *self, KvsqlSlice row)
{
  gsize same = self->run_start.row;

  memcpy (self->row.data + same, row.data + same, row.size - same);
  memcpy (self->key.data + self->run_start.key, row.data + same, row.size - same);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbKeyReader, kvsqld_rocksdb_key_reader_clear)

G_END_DECLS
