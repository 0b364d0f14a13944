/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * search.c: see search.h.
 */
#include "config.h"

#include "core/infer/search.h"

#include <math.h>

#include "core/base/hash.h"
#include "core/base/interrupt.h"

/* What it takes to say which piece is next. */
#define BITS_PER_PIECE 24
#define MAX_OFFERS 20000

static gboolean
are_empty (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  for (guint i = 0; i < self->n; i++)
    if (rests[i].size > 0)
      return FALSE;
  return TRUE;
}

static void
search (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  if (self->now.bits >= self->best.bits)
    return;
  if (are_empty (self, rests))
    {
      self->best = self->now;
      return;
    }
  for (guint i = 0; self->finders[i] != NULL && self->now.n < KVSQL_INFER_MAX_PIECES
                    && self->n_offers < MAX_OFFERS && kvsql_interrupt_tick ();
       i++)
    self->finders[i](self, rests);
}

void
kvsql_infer_offer (KvsqlInferSearch *self, const KvsqlInferPiece *piece, const KvsqlSlice *rests,
                   gdouble bits)
{
  gdouble before = self->now.bits;

  self->n_offers++;
  self->now.pieces[self->now.n++] = *piece;
  self->now.bits += BITS_PER_PIECE + bits;
  search (self, rests);
  self->now.n--;
  self->now.bits = before;
}

gboolean
kvsql_infer_search (const KvsqlInferFunc *finders, const KvsqlSlice *strings, guint n,
                    KvsqlArena *arena, KvsqlInferLayout *out)
{
  KvsqlInferSearch self
      = { .finders = finders, .arena = arena, .n = n, .best = { .bits = G_MAXDOUBLE } };

  search (&self, strings);
  *out = self.best;
  return out->bits < G_MAXDOUBLE;
}

/* ---- for pieces */

gdouble
kvsql_infer_bits_of_range (const KvsqlInferSearch *self, gint64 min, gint64 max)
{
  gdouble range = (gdouble)max - (gdouble)min + 1;

  /* the bounds have to be told, too */
  return 64 + self->n * log2 (range);
}

/* How many bits a character has, in the smallest class that has all of them. */
static gdouble
bits_of_characters (const KvsqlSlice *values, guint n)
{
  gboolean has_letters = FALSE, has_others = FALSE, has_binary = FALSE, has_digits = FALSE;

  for (guint i = 0; i < n; i++)
    for (gsize b = 0; b < values[i].size; b++)
      {
        guint8 byte = values[i].data[b];

        has_digits |= g_ascii_isdigit (byte);
        has_letters |= g_ascii_isalpha (byte);
        has_others |= !g_ascii_isalnum (byte) && byte >= 0x20;
        has_binary |= byte < 0x20 || byte == 0x7f;
      }
  return has_binary                  ? 8
         : has_others                ? 6.6
         : has_letters && has_digits ? 5.2
         : has_letters               ? 4.8
                                     : 3.4;
}

gdouble
kvsql_infer_bits_of_texts (const KvsqlInferSearch *self, const KvsqlSlice *values)
{
  g_autoptr (GHashTable) distinct
      = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  gdouble each = bits_of_characters (values, self->n), all = 0, list = 0;

  for (guint i = 0; i < self->n; i++)
    {
      /* and where it ends */
      gdouble bits = each * (gdouble)values[i].size + 4;

      all += bits;
      if (g_hash_table_add (distinct, (gpointer)&values[i]))
        list += bits;
    }
  return MIN (all, list + self->n * log2 (g_hash_table_size (distinct)));
}

KvsqlSlice *
kvsql_infer_skip (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  KvsqlSlice *out = kvsql_arena_array (self->arena, KvsqlSlice, self->n);

  for (guint i = 0; i < self->n; i++)
    out[i] = kvsql_slice (rests[i].data + size, rests[i].size - size);
  return out;
}

gboolean
kvsql_infer_have (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    if (rests[i].size < size)
      return FALSE;
  return TRUE;
}
