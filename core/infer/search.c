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
#define MAX_OFFERS 6000
/* So many strings tell a layout. */
#define MAX_STRINGS 300
/* A place is searched again if it was reached more cheaply than so many times before. */
#define MAX_ARRIVALS 3

typedef struct
{
  gdouble bits[MAX_ARRIVALS]; /* ascending; G_MAXDOUBLE: none */
} Arrivals;

static gboolean
are_empty (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  for (guint i = 0; i < self->n; i++)
    if (rests[i].size > 0)
      return FALSE;
  return TRUE;
}

/* ---- the best layouts */

static gboolean
is_same_piece (const KvsqlInferPiece *a, const KvsqlInferPiece *b)
{
  return a->kind == b->kind && g_strcmp0 (a->before, b->before) == 0
         && g_strcmp0 (a->inner_before, b->inner_before) == 0
         && g_strcmp0 (a->inner_after, b->inner_after) == 0 && g_strcmp0 (a->after, b->after) == 0
         && a->type == b->type;
}

static gboolean
is_same (const KvsqlInferLayout *a, const KvsqlInferLayout *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (!is_same_piece (&a->pieces[i], &b->pieces[i]))
      return FALSE;
  return TRUE;
}

static void
keep (KvsqlInferSearch *self)
{
  guint at = self->n_best;

  for (guint i = 0; i < self->n_best; i++)
    if (is_same (&self->best[i], &self->now))
      return;
  while (at > 0 && self->best[at - 1].bits > self->now.bits)
    at--;
  if (at == KVSQL_INFER_MAX_LAYOUTS)
    return;
  self->n_best = MIN (self->n_best + 1, KVSQL_INFER_MAX_LAYOUTS);
  for (guint i = self->n_best - 1; i > at; i--)
    self->best[i] = self->best[i - 1];
  self->best[at] = self->now;
}

static gboolean
is_too_long (const KvsqlInferSearch *self)
{
  return self->n_best == KVSQL_INFER_MAX_LAYOUTS
         && self->now.bits >= self->best[self->n_best - 1].bits;
}

/* ---- places: what is left of all strings. Several beginnings of a layout lead to one place, and
 * what follows is the same for all of them. */

static gint64
place_of (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  guint64 hash = KVSQL_HASH_FIXED_SEED;

  for (guint i = 0; i < self->n; i++)
    hash = kvsql_hash (hash | 1, &rests[i].size, sizeof rests[i].size);
  return (gint64)hash;
}

/* FALSE: it was reached more cheaply several times. */
static gboolean
arrive (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gint64 place = place_of (self, rests);
  Arrivals *arrivals = g_hash_table_lookup (self->arrivals, &place);
  guint at = MAX_ARRIVALS;

  if (arrivals == NULL)
    {
      gint64 *key = kvsql_arena_new0 (self->arena, gint64);

      *key = place;
      arrivals = kvsql_arena_new0 (self->arena, Arrivals);
      for (guint i = 0; i < MAX_ARRIVALS; i++)
        arrivals->bits[i] = G_MAXDOUBLE;
      g_hash_table_insert (self->arrivals, key, arrivals);
    }
  while (at > 0 && arrivals->bits[at - 1] > self->now.bits)
    at--;
  if (at == MAX_ARRIVALS)
    return FALSE;
  for (guint i = MAX_ARRIVALS - 1; i > at; i--)
    arrivals->bits[i] = arrivals->bits[i - 1];
  arrivals->bits[at] = self->now.bits;
  return TRUE;
}

static void
search (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  if (is_too_long (self))
    return;
  if (are_empty (self, rests))
    {
      keep (self);
      return;
    }
  if (!arrive (self, rests))
    return;
  for (guint i = 0; self->finders[i] != NULL && self->now.n < KVSQL_INFER_MAX_PIECES
                    && self->n_offers < MAX_OFFERS && kvsql_interrupt_tick ();
       i++)
    {
      self->is_certain = FALSE;
      self->finders[i](self, rests);
      if (self->is_certain)
        break;
    }
  self->is_certain = FALSE;
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

guint
kvsql_infer_search (const KvsqlInferFunc *finders, const KvsqlSlice *strings, guint n,
                    KvsqlArena *arena, KvsqlInferLayout *out)
{
  g_autoptr (GHashTable) arrivals = g_hash_table_new (g_int64_hash, g_int64_equal);
  KvsqlInferSearch self
      = { .finders = finders, .arena = arena, .n = n, .best = out, .arrivals = arrivals };

  search (&self, strings);
  return self.n_best;
}

KvsqlSlice *
kvsql_infer_choose_strings (const GArray *all, KvsqlArena *arena, guint *out_n)
{
  guint n = MIN (all->len, MAX_STRINGS);
  KvsqlSlice *out = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    out[i] = g_array_index (all, KvsqlSlice, (guint)((guint64)i * all->len / n));
  *out_n = n;
  return out;
}

/* ---- for pieces */

gdouble
kvsql_infer_bits_of_range (const KvsqlInferSearch *self, gint64 min, gint64 max)
{
  /* of numbers near 2^63, doubles would be equal */
  gdouble range = (gdouble)((guint64)max - (guint64)min) + 1;
  gdouble largest = MAX (fabs ((gdouble)min), fabs ((gdouble)max));

  gdouble bounds = log2 (fabs ((gdouble)min) + 2) + log2 (fabs ((gdouble)max) + 2);

  /* the bounds have to be told, too; or each number tells its own size */
  return MIN (4 + 1.5 * bounds + self->n * log2 (range), self->n * (log2 (largest + 2) + 6));
}

/* How many bits a character has, in the smallest class that has all of them. */
static gdouble
bits_of_characters (const KvsqlSlice *values, guint n)
{
  gboolean has_letters = FALSE, has_others = FALSE, has_binary = FALSE, has_digits = FALSE;
  gboolean has_dashes = FALSE;

  for (guint i = 0; i < n; i++)
    for (gsize b = 0; b < values[i].size; b++)
      {
        guint8 byte = values[i].data[b];

        has_digits |= g_ascii_isdigit (byte);
        has_letters |= g_ascii_isalpha (byte);
        /* dashes are in names, too */
        has_dashes |= byte == '-' || byte == '_';
        has_others |= !g_ascii_isalnum (byte) && byte >= 0x20 && byte != '-' && byte != '_';
        has_binary |= byte < 0x20 || byte == 0x7f;
      }
  if (has_binary || has_others)
    return has_binary ? 8 : 6.6;
  return (has_letters && has_digits ? 5.2 : has_letters ? 4.8 : 3.4) + (has_dashes ? 0.3 : 0);
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

KvsqlSlice *
kvsql_infer_take (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  KvsqlSlice *out = kvsql_arena_array (self->arena, KvsqlSlice, self->n);

  for (guint i = 0; i < self->n; i++)
    out[i] = kvsql_slice (rests[i].data, size);
  return out;
}

KvsqlSlice *
kvsql_infer_take_all (const KvsqlInferSearch *self)
{
  return kvsql_arena_array (self->arena, KvsqlSlice, self->n);
}

gboolean
kvsql_infer_have (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    if (rests[i].size < size)
      return FALSE;
  return TRUE;
}

gboolean
kvsql_infer_have_one_size (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  for (guint i = 1; i < self->n; i++)
    if (rests[i].size != rests[0].size)
      return FALSE;
  return TRUE;
}

gboolean
kvsql_infer_are_printable (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    for (gsize b = 0; b < size; b++)
      if (rests[i].data[b] < 0x20 || rests[i].data[b] >= 0x7f)
        return FALSE;
  return TRUE;
}
