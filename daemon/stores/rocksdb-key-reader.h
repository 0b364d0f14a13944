/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-key-reader.h: rows of keys that come one after the other.
 *
 * Of two keys in sequence mostly only the ends differ. The reader keeps the last key and its row,
 * finds out how far the next one is the same, and takes apart only what is not. Begins zeroed
 * ({0}).
 *
 * Keys that are alike differ in nothing but the last eight bytes of the row, or fewer, none of
 * which is zero: such a row is the last one with these bytes in place of its own, and the reader
 * can stay where it is until other keys come.
 */
#pragma once

#include "core/base/text.h"
#include "daemon/stores/rocksdb-key.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlBuffer key; /* the last one */
  KvsqlBuffer row; /* of it; capacity for all of the key */
  KvsqldRocksdbKeyPlace stretch;
  KvsqldRocksdbKeyPlace end; /* of the row's prefix, and of the row */
} KvsqldRocksdbKeyReader;

void kvsqld_rocksdb_key_reader_clear (KvsqldRocksdbKeyReader *self);

/* How many bytes @key and the last key begin with in common. */
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
      /* once more the end of what was the same, so that no byte is looked at alone */
      difference = kvsql_get_le64 (last + n - 8) ^ kvsql_get_le64 (key.data + n - 8);
      return difference == 0 ? n : n - 8 + __builtin_ctzll (difference) / 8;
    }
  while (i < n && last[i] == key.data[i])
    i++;
  return i;
}

gboolean kvsqld_rocksdb_key_reader_read_on (KvsqldRocksdbKeyReader *self, KvsqlSlice key,
                                            gsize n_same); /* the slow path of the next one */

/* Reads @key, of which the first @n_same bytes are the last key's: its row and where that ends are
 * then in @self. FALSE: no row ends in it. */
G_GNUC_WARN_UNUSED_RESULT static inline gboolean
kvsqld_rocksdb_key_reader_read (KvsqldRocksdbKeyReader *self, KvsqlSlice key, gsize n_same)
{
  gsize n = key.size, row_ends = self->end.key - 2, tail = n - row_ends;
  guint8 *last = self->key.data;
  guint64 difference;

  /* Numbers that count up: nothing differs but bytes of the row behind its last zero byte. */
  if (n != self->key.size || n < 8 || tail > 8 || n_same < self->stretch.key)
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

/* The row of the last key that was read; until the next one. */
static inline KvsqlSlice
kvsqld_rocksdb_key_reader_row (const KvsqldRocksdbKeyReader *self)
{
  return kvsql_slice (self->row.data, self->end.row);
}

/* ---- keys that are alike */

/* The last @n bytes of eight that end at @end, at most eight, as a number. */
static inline guint64
kvsqld_rocksdb_key_reader_last_bytes (const guint8 *end, gsize n)
{
  return kvsql_get_le64 (end - 8) >> (64 - 8 * n);
}

/* Whether one of the @n bytes before @end is zero, at most eight of the eight or more that lie
 * there. Those before them are made other than zero. */
static inline gboolean
kvsqld_rocksdb_key_reader_has_zero (const guint8 *end, gsize n)
{
  guint64 others = n < 8 ? (G_GUINT64_CONSTANT (1) << (64 - 8 * n)) - 1 : 0;

  return kvsql_text_zeros (kvsql_get_le64 (end - 8) | others) != 0;
}

/* Whether @key and the last key are alike. Those of columns with long names are held for others. */
static inline gboolean
kvsqld_rocksdb_key_reader_is_alike (const KvsqldRocksdbKeyReader *self, KvsqlSlice key)
{
  const guint8 *last = self->key.data;
  gsize from = self->stretch.key, to = self->end.key - 2, n_behind = key.size - to;

  return key.size == self->key.size && self->end.key >= 8 + 2 && from < to && to - from <= 8
         && n_behind <= 8
         && kvsqld_rocksdb_key_reader_last_bytes (key.data + key.size, n_behind)
                == kvsqld_rocksdb_key_reader_last_bytes (last + key.size, n_behind)
         && kvsql_same_bytes (last, key.data, from)
         && !kvsqld_rocksdb_key_reader_has_zero (key.data + to, to - from);
}

/* Writes the row of a key that is alike; as many bytes as the last row. */
static inline void
kvsqld_rocksdb_key_reader_write_alike (const KvsqldRocksdbKeyReader *self, KvsqlSlice key,
                                       guint8 *at)
{
  gsize same = self->stretch.row, size = self->end.row;

  /* what stands before the few bytes that matter is written over then */
  if (size >= 8 && size - same <= 8)
    memcpy (at + size - 8, key.data + self->end.key - 2 - 8, 8);
  else
    memcpy (at + same, key.data + self->stretch.key, size - same);
  kvsql_copy_bytes (at, self->row.data, same);
}

/* The last key is from now on the one, alike, that had @row. */
static inline void
kvsqld_rocksdb_key_reader_go_to_alike (KvsqldRocksdbKeyReader *self, KvsqlSlice row)
{
  gsize same = self->stretch.row;

  memcpy (self->row.data + same, row.data + same, row.size - same);
  memcpy (self->key.data + self->stretch.key, row.data + same, row.size - same);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbKeyReader, kvsqld_rocksdb_key_reader_clear)

G_END_DECLS
