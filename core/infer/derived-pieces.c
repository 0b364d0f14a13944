/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * derived-pieces.c: pieces that are computed from what follows: a salt, or bytes of a hash. A guess
 * is made only if it is right for every string, so it is hardly ever wrong.
 */
#include "config.h"

#include <math.h>

#include "core/base/hash.h"
#include "core/base/interrupt.h"
#include "core/infer/pieces.h"
#include "core/infer/text-value.h"
#include "core/layout/encoding/digest.h"

/* A guess that is right for all strings has to be that improbable. */
#define MIN_BITS 40

/* What is hashed, of what follows the derived bytes. */
typedef enum
{
  OF_ALL,
  OF_BEFORE, /* a separator */
  OF_AFTER,  /* the last separator */
  OF_FIRST,  /* bytes */
  OF_BUT_FIRST,
  OF_BUT_LAST,
} Part;

typedef struct
{
  Part part;
  guint number; /* the separator, or how many bytes */
} Target;

static const Target targets[] = {
  { OF_ALL, 0 },      { OF_BEFORE, 0 },   { OF_BEFORE, '|' },  { OF_BEFORE, '-' },
  { OF_BEFORE, '_' }, { OF_BEFORE, ':' }, { OF_BEFORE, '#' },  { OF_BEFORE, '/' },
  { OF_BEFORE, ',' }, { OF_BEFORE, ';' }, { OF_BEFORE, '.' },  { OF_BEFORE, '~' },
  { OF_BEFORE, '@' }, { OF_AFTER, 0 },    { OF_AFTER, '|' },   { OF_AFTER, '-' },
  { OF_AFTER, '_' },  { OF_AFTER, ':' },  { OF_AFTER, '#' },   { OF_FIRST, 8 },
  { OF_FIRST, 4 },    { OF_FIRST, 16 },   { OF_BUT_FIRST, 8 }, { OF_BUT_FIRST, 4 },
  { OF_BUT_LAST, 8 }, { OF_BUT_LAST, 4 },
};

static KvsqlSlice
find_part (KvsqlSlice rest, const Target *target)
{
  const guint8 *at = NULL;
  gsize number = MIN (target->number, rest.size);

  switch (target->part)
    {
    case OF_ALL:
      return rest;
    case OF_FIRST:
      return kvsql_slice (rest.data, number);
    case OF_BUT_FIRST:
      return kvsql_slice (rest.data + number, rest.size - number);
    case OF_BUT_LAST:
      return kvsql_slice (rest.data, rest.size - number);
    case OF_BEFORE:
      at = memchr (rest.data, (gint)target->number, rest.size);
      return at != NULL ? kvsql_slice (rest.data, (gsize)(at - rest.data)) : KVSQL_SLICE_EMPTY;
    default:
      at = memrchr (rest.data, (gint)target->number, rest.size);
      return at != NULL ? kvsql_slice (at + 1, (gsize)(rest.data + rest.size - at - 1))
                        : KVSQL_SLICE_EMPTY;
    }
}

/* How many different values the first @size bytes have: a constant is the hash of a constant by
 * chance. */
static guint
count_distinct (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  g_autoptr (GHashTable) distinct
      = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  KvsqlSlice *values = kvsql_infer_take (self, rests, size);

  for (guint i = 0; i < self->n; i++)
    g_hash_table_add (distinct, &values[i]);
  return g_hash_table_size (distinct);
}

static KvsqlInferKind
kind_of (const Target *target)
{
  if (target->part == OF_ALL)
    return KVSQL_INFER_OF_REST;
  return target->part == OF_AFTER || target->part == OF_BUT_FIRST ? KVSQL_INFER_OF_LAST
                                                                  : KVSQL_INFER_OF_NEXT;
}

static const gchar *
name_of (KvsqlDigest digest)
{
  return kvsql_digest_list ()[digest];
}

static void
offer (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size, KvsqlInferKind kind,
       const gchar *before, const gchar *after)
{
  const KvsqlInferPiece piece = { .kind = kind, .before = before, .after = after };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size), 0);
}

/* ---- a salt: one byte at the beginning of the row */

static gboolean
is_salt (const KvsqlInferSearch *self, const KvsqlSlice *rests, const Target *target,
         KvsqlDigest digest, guint n)
{
  for (guint i = 0; i < self->n; i++)
    {
      guint8 hash[KVSQL_DIGEST_MAX_SIZE];
      KvsqlSlice part = find_part (kvsql_slice (rests[i].data + 1, rests[i].size - 1), target);

      if (part.size == 0)
        return FALSE;
      kvsql_digest_compute (digest, part, hash);
      if (kvsql_digest_reduce (digest, hash, n) != rests[i].data[0])
        return FALSE;
    }
  return TRUE;
}

/* How many different parts are hashed: each is one trial, however often it comes. */
static guint
count_parts (const KvsqlInferSearch *self, const KvsqlSlice *rests, const Target *target)
{
  g_autoptr (GHashTable) distinct
      = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  KvsqlSlice *parts = kvsql_arena_array (self->arena, KvsqlSlice, self->n);

  for (guint i = 0; i < self->n; i++)
    {
      parts[i] = find_part (kvsql_slice (rests[i].data + 1, rests[i].size - 1), target);
      g_hash_table_add (distinct, &parts[i]);
    }
  return g_hash_table_size (distinct);
}

static gboolean
try_salt (KvsqlInferSearch *self, const KvsqlSlice *rests, const Target *target, KvsqlDigest digest,
          guint max)
{
  for (guint n = max + 1; n <= 256; n++)
    if (self->n * log2 (n) >= MIN_BITS && is_salt (self, rests, target, digest, n)
        && count_distinct (self, rests, 1) * log2 (n) >= MIN_BITS / 4
        && count_parts (self, rests, target) * log2 (n) >= MIN_BITS)
      {
        offer (self, rests, 1, kind_of (target),
               kvsql_arena_printf (self->arena, "salt(%u, %s){", n, name_of (digest)), "}");
        self->is_certain = TRUE;
        return TRUE;
      }
  return FALSE;
}

void
kvsql_infer_salts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  guint max = 0;

  if (self->now.n > 0 || self->n < 2 || !kvsql_infer_have (self, rests, 2))
    return;
  for (guint i = 0; i < self->n; i++)
    max = MAX (max, rests[i].data[0]);
  if (max == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    for (guint digest = 0; kvsql_digest_list ()[digest] != NULL; digest++)
      if (!kvsql_interrupt_tick () || try_salt (self, rests, &targets[i], (KvsqlDigest)digest, max))
        return;
}

/* ---- bytes of a hash at the beginning of the row */

/* A guess: what is hashed, and how. */
typedef struct
{
  KvsqlDigest digest;
  gsize size; /* bytes of the hash */
  gboolean is_hex;
  gsize gap; /* bytes between the hash and what follows: 0 or 1 */
  const Target *target;
} Hash;

static gsize
prefix_of (const Hash *hash)
{
  return (hash->is_hex ? 2 : 1) * hash->size + hash->gap;
}

static gboolean
has_hash (KvsqlSlice row, const Hash *hash)
{
  gsize prefix = prefix_of (hash);
  KvsqlSlice part = find_part (kvsql_slice (row.data + prefix, row.size - prefix), hash->target);
  guint8 bytes[KVSQL_DIGEST_MAX_SIZE];
  g_autofree gchar *hex = NULL;

  if (part.size == 0)
    return FALSE;
  kvsql_digest_compute (hash->digest, part, bytes);
  if (!hash->is_hex)
    return memcmp (row.data, bytes, hash->size) == 0;
  hex = kvsql_hex (kvsql_slice (bytes, hash->size));
  return memcmp (row.data, hex, 2 * hash->size) == 0;
}

static gboolean
is_right (const KvsqlInferSearch *self, const KvsqlSlice *rows, const Hash *hash)
{
  gsize prefix = prefix_of (hash);

  if (8 * hash->size * self->n < MIN_BITS)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (!has_hash (rows[i], hash)
        || (hash->gap > 0 && rows[i].data[prefix - 1] != rows[0].data[prefix - 1]))
      return FALSE;
  return count_distinct (self, rows, prefix) * 8 * hash->size >= MIN_BITS;
}

static void
offer_hash (KvsqlInferSearch *self, const KvsqlSlice *rows, const Hash *hash)
{
  KvsqlArena *arena = self->arena;
  const gchar *before
      = kvsql_arena_printf (arena, hash->is_hex ? "hex{hash(%s, %u){" : "hash(%s, %u){",
                            name_of (hash->digest), (guint)hash->size);
  const gchar *after = hash->is_hex ? "}}" : "}";

  if (hash->gap > 0)
    after = kvsql_arena_printf (
        arena, "%s:%s", after,
        kvsql_infer_literal (arena, kvsql_slice (rows[0].data + prefix_of (hash) - 1, 1)));
  offer (self, rows, prefix_of (hash), kind_of (hash->target), before, after);
  self->is_certain = TRUE;
}

/* Of the longest hash that is right; fewer bytes of it are right, too. */
static gboolean
try_sizes (KvsqlInferSearch *self, const KvsqlSlice *rows, Hash *hash)
{
  for (hash->size = kvsql_digest_get_size (hash->digest); hash->size >= 1; hash->size--)
    if (kvsql_infer_have (self, rows, prefix_of (hash) + 1) && is_right (self, rows, hash))
      {
        offer_hash (self, rows, hash);
        return TRUE;
      }
  return FALSE;
}

static gboolean
try_forms (KvsqlInferSearch *self, const KvsqlSlice *rows, KvsqlDigest digest, const Target *target)
{
  for (guint is_hex = 0; is_hex < 2; is_hex++)
    for (gsize gap = 0; gap < 2 && kvsql_interrupt_spend (16); gap++)
      {
        Hash hash = { digest, 0, is_hex != 0, gap, target };

        if (try_sizes (self, rows, &hash))
          return TRUE;
      }
  return FALSE;
}

void
kvsql_infer_hashes (KvsqlInferSearch *self, const KvsqlSlice *rows)
{
  if (self->now.n > 0 || self->n < 2)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    for (guint digest = 0; kvsql_digest_list ()[digest] != NULL; digest++)
      if (try_forms (self, rows, (KvsqlDigest)digest, &targets[i]))
        return;
}
