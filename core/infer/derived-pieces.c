/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * derived-pieces.c: pieces that are computed from what follows: a salt, or bytes of a hash. A guess
 * is made only if it is right for every string, so it is hardly ever wrong.
 */
#include "config.h"

#include "core/infer/pieces.h"
#include "core/infer/text-value.h"
#include "core/layout/encoding/digest.h"

/* Fewer strings could be so by chance. */
#define MIN_STRINGS 8

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

static gboolean
is_first (const KvsqlInferSearch *self)
{
  return self->now.n == 0 && self->n >= MIN_STRINGS;
}

/* ---- a salt: one byte at the beginning of the row */

static gboolean
is_salt (const KvsqlInferSearch *self, const KvsqlSlice *rests, KvsqlDigest digest, guint n)
{
  for (guint i = 0; i < self->n; i++)
    {
      guint8 hash[KVSQL_DIGEST_MAX_SIZE];

      kvsql_digest_compute (digest, kvsql_slice (rests[i].data + 1, rests[i].size - 1), hash);
      if (kvsql_digest_reduce (digest, hash, n) != rests[i].data[0])
        return FALSE;
    }
  return TRUE;
}

void
kvsql_infer_salts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  guint max = 0;

  if (!is_first (self) || !kvsql_infer_have (self, rests, 2))
    return;
  for (guint i = 0; i < self->n; i++)
    max = MAX (max, rests[i].data[0]);
  for (guint digest = 0; max > 0 && kvsql_digest_list ()[digest] != NULL; digest++)
    for (guint n = max + 1; n <= 256; n++)
      if (is_salt (self, rests, (KvsqlDigest)digest, n))
        {
          offer (
              self, rests, 1, KVSQL_INFER_OF_REST,
              kvsql_arena_printf (self->arena, "salt(%u, %s){", n, name_of ((KvsqlDigest)digest)),
              "}");
          return;
        }
}

/* ---- bytes of a hash at the beginning of the row */

/* A guess: what is hashed, and how. */
typedef struct
{
  KvsqlDigest digest;
  gsize size; /* bytes of the hash */
  gboolean is_hex;
  gsize gap;      /* bytes between the hash and what is hashed: 0 or 1 */
  gint separator; /* what is hashed ends there; -1: with the row */
} Hash;

static gsize
prefix_of (const Hash *hash)
{
  return (hash->is_hex ? 2 : 1) * hash->size + hash->gap;
}

static KvsqlSlice
hashed_part (KvsqlSlice row, const Hash *hash)
{
  gsize prefix = prefix_of (hash);
  KvsqlSlice rest = kvsql_slice (row.data + prefix, row.size - prefix);
  const guint8 *at = hash->separator >= 0 ? memchr (rest.data, hash->separator, rest.size) : NULL;

  return at != NULL ? kvsql_slice (rest.data, (gsize)(at - rest.data)) : rest;
}

static gboolean
has_hash (KvsqlSlice row, const Hash *hash)
{
  guint8 bytes[KVSQL_DIGEST_MAX_SIZE];
  g_autofree gchar *hex = NULL;

  kvsql_digest_compute (hash->digest, hashed_part (row, hash), bytes);
  if (!hash->is_hex)
    return memcmp (row.data, bytes, hash->size) == 0;
  hex = kvsql_hex (kvsql_slice (bytes, hash->size));
  return memcmp (row.data, hex, 2 * hash->size) == 0;
}

static gboolean
is_right (const KvsqlInferSearch *self, const KvsqlSlice *rows, const Hash *hash)
{
  gsize prefix = prefix_of (hash);

  for (guint i = 0; i < self->n; i++)
    if (!has_hash (rows[i], hash)
        || (hash->gap > 0 && rows[i].data[prefix - 1] != rows[0].data[prefix - 1]))
      return FALSE;
  return TRUE;
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
  offer (self, rows, prefix_of (hash),
         hash->separator < 0 ? KVSQL_INFER_OF_REST : KVSQL_INFER_OF_NEXT, before, after);
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
try_forms (KvsqlInferSearch *self, const KvsqlSlice *rows, KvsqlDigest digest)
{
  static const gint separators[] = { -1, 0, '|', '-', '_', ':', '#', '/', ',', ';', '.', '~' };

  for (guint is_hex = 0; is_hex < 2; is_hex++)
    for (gsize gap = 0; gap < 2; gap++)
      for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
        {
          Hash hash = { digest, 0, is_hex != 0, gap, separators[i] };

          if (try_sizes (self, rows, &hash))
            return TRUE;
        }
  return FALSE;
}

void
kvsql_infer_hashes (KvsqlInferSearch *self, const KvsqlSlice *rows)
{
  if (!is_first (self))
    return;
  for (guint digest = 0; kvsql_digest_list ()[digest] != NULL; digest++)
    if (try_forms (self, rows, (KvsqlDigest)digest))
      return;
}
