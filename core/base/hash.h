/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hash.h: the hash function of all hash tables in memory.
 *
 * The value depends on the seed, the program and the byte order of the machine, so it must neither
 * be stored nor sent. Elements of layouts, whose hashes are stored, have
 * core/layout/encoding/digest.h. Tables whose keys are C strings, GBytes or pointers use the
 * functions of GLib.
 *
 * All bits of a hash are equally good: a table may take the lower or the upper ones.
 *
 * Where a client chooses the keys, it must not be able to choose keys that collide. So a seed is
 * secret there: kvsqld calls kvsql_hash_randomize() when it starts, and a table may have a random
 * seed of its own. It is not a cryptographic hash: a client that sees hashes could find the seed.
 *
 * The algorithm: for each eight bytes a multiplication of 64 by 64 bits, whose two halves are
 * XORed ("folded multiply"), as in wyhash (https://github.com/wangyi-fudan/wyhash) and in the
 * fallback of aHash (https://github.com/tkaitchuck/aHash). The multiplier is the seed, so that the
 * differences that two keys cause are not known either.
 */
#pragma once

#include <glib.h>
#include <string.h>

#include "core/base/slice.h"

G_BEGIN_DECLS

/* Odd, with evenly distributed bits: 2^64 divided by the golden ratio. A seed that is not secret.
 */
#define KVSQL_HASH_FIXED_SEED G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

/* The seed of kvsql_slice_hash(). Fixed, so that tests and benchmarks repeat, until
 * kvsql_hash_randomize(). */
extern guint64 kvsql_hash_seed;

/* Makes that seed random. Only before the first table and the first thread. */
void kvsql_hash_randomize (void);

static inline guint64
kvsql_hash_fold (guint64 a, guint64 b)
{
  unsigned __int128 product = (unsigned __int128)a * b;

  return (guint64)product ^ (guint64)(product >> 64);
}

/* Less than eight bytes as a word that differs for different bytes of the same size. */
static inline guint64
kvsql_hash_short_word (const guint8 *bytes, gsize size)
{
  guint32 first, last;

  if (size >= 4)
    {
      memcpy (&first, bytes, 4);
      memcpy (&last, bytes + size - 4, 4);
      return (guint64)first << 32 | last;
    }
  return size == 0 ? 0 : (guint64)bytes[0] << 16 | (guint64)bytes[size / 2] << 8 | bytes[size - 1];
}

/**
 * kvsql_hash:
 * @seed: evenly distributed bits: %KVSQL_HASH_FIXED_SEED, a random number, or the hash of the bytes
 *   before these, for a hash of several pieces
 * @bytes: (nullable): may be %NULL if @size is 0
 * @size: their number
 */
static inline guint64
kvsql_hash (guint64 seed, gconstpointer bytes, gsize size)
{
  const guint8 *at = bytes;
  guint64 hash = seed, word;

  if (size >= 8)
    {
      const guint8 *last = at + size - 8; /* may overlap the word before it */

      for (; at < last; at += 8)
        {
          memcpy (&word, at, 8);
          hash = kvsql_hash_fold (hash ^ word, seed | 1);
        }
      memcpy (&word, last, 8);
    }
  else
    word = kvsql_hash_short_word (at, size);
  hash = kvsql_hash_fold (hash ^ word, seed | 1);
  /* not XORed to the first word, which a client could choose so that it undoes that */
  return kvsql_hash_fold (hash ^ size, KVSQL_HASH_FIXED_SEED);
}

static inline guint64
kvsql_slice_hash (KvsqlSlice slice)
{
  return kvsql_hash (kvsql_hash_seed, slice.data, slice.size);
}

/* For a GHashTable whose keys are pointers to KvsqlSlice. */
guint kvsql_slice_hash_func (gconstpointer slice);
gboolean kvsql_slice_equal_func (gconstpointer a, gconstpointer b);

G_END_DECLS
