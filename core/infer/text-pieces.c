/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-pieces.c: pieces of text: constants, values before a separator, values of a fixed size, and
 * the last value.
 */
#include "config.h"

#include "core/infer/pieces.h"
#include "core/infer/text-value.h"

/* ---- constants */

static gsize
common_size (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gsize size = rests[0].size;

  for (guint i = 1; i < self->n; i++)
    {
      gsize same = 0;

      while (same < size && same < rests[i].size && rests[i].data[same] == rests[0].data[same])
        same++;
      size = same;
    }
  return size;
}

static void
offer_constant (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  const KvsqlInferPiece piece
      = { .kind = KVSQL_INFER_CONSTANT,
          .before = kvsql_infer_literal (self->arena, kvsql_slice (rests[0].data, size)),
          .after = "" };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size), 8 * (gdouble)size);
}

/* What all strings begin with, and that up to its last punctuation: in user-10, user-11 the
 * constant is "user-". */
void
kvsql_infer_constants (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gsize size = common_size (self, rests), word = size;
  const KvsqlInferPiece *last = self->now.n > 0 ? &self->now.pieces[self->now.n - 1] : NULL;

  if (last != NULL && last->kind == KVSQL_INFER_CONSTANT)
    return;
  while (word > 0 && (g_ascii_isalnum (rests[0].data[word - 1]) || rests[0].data[word - 1] == 0))
    word--;
  if (word > 0)
    offer_constant (self, rests, word);
  if (size > word)
    offer_constant (self, rests, size);
}

/* ---- before a separator */

static gboolean
is_separator (guint byte)
{
  return byte < 0x80 ? !g_ascii_isalnum ((gchar)byte) : byte == 0xff;
}

/* Bits for each string: how rarely the byte separates values, instead of being in one. */
static gdouble
bits_of_separator (guint8 byte)
{
  if (byte < 0x20 || byte == 0xff || strchr ("|#;", byte) != NULL)
    return 0;
  return strchr ("-_:,~", byte) != NULL ? 1 : 20;
}

static gboolean
are_equal (const KvsqlInferSearch *self, const KvsqlSlice *values)
{
  for (guint i = 1; i < self->n; i++)
    if (!kvsql_slice_equal (values[i], values[0]))
      return FALSE;
  return TRUE;
}

static gboolean
cut_at (const KvsqlInferSearch *self, const KvsqlSlice *rests, guint8 separator, KvsqlSlice *values,
        KvsqlSlice *after)
{
  for (guint i = 0; i < self->n; i++)
    {
      const guint8 *at = memchr (rests[i].data, separator, rests[i].size);
      gsize size;

      if (at == NULL)
        return FALSE;
      size = (gsize)(at - rests[i].data);
      values[i] = kvsql_slice (rests[i].data, size);
      after[i] = kvsql_slice (at + 1, rests[i].size - size - 1);
    }
  return TRUE;
}

void
kvsql_infer_separated_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  KvsqlSlice *values = kvsql_arena_array (self->arena, KvsqlSlice, self->n);

  for (guint separator = 0; separator < 256; separator++)
    {
      KvsqlSlice *after;
      KvsqlInferPiece piece = { 0 };
      guint8 byte = (guint8)separator;
      gdouble bits;

      if (!is_separator (separator)
          || memchr (rests[0].data, (gint)separator, rests[0].size) == NULL)
        continue;
      after = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
      /* what all have is a constant */
      if (!cut_at (self, rests, byte, values, after) || are_equal (self, values))
        continue;
      bits = kvsql_infer_text_value (self, values, &piece);
      piece.before = kvsql_arena_printf (self->arena, "suffix(%s){",
                                         kvsql_infer_literal (self->arena, kvsql_slice (&byte, 1)));
      piece.after = "}";
      if (bits >= 0)
        kvsql_infer_offer (self, &piece, after, bits + self->n * bits_of_separator (byte));
    }
}

/* ---- of a fixed size */

static gsize
run_size (KvsqlSlice text, gboolean (*is_of) (gchar))
{
  gsize size = 0;

  while (size < text.size && is_of ((gchar)text.data[size]))
    size++;
  return size;
}

static gboolean
is_digit (gchar c)
{
  return g_ascii_isdigit (c);
}

static gboolean
is_hex (gchar c)
{
  return g_ascii_isdigit (c) || (c >= 'a' && c <= 'f');
}

/* The size of the run at the beginning of every string; 0: they differ. */
static gsize
equal_run_size (const KvsqlInferSearch *self, const KvsqlSlice *rests, gboolean (*is_of) (gchar))
{
  gsize size = run_size (rests[0], is_of);

  for (guint i = 1; i < self->n; i++)
    if (run_size (rests[i], is_of) != size)
      return 0;
  return size;
}

static void
offer_fixed (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size, KvsqlInferPiece *piece,
             gdouble bits)
{
  piece->kind = KVSQL_INFER_ATTRIBUTE;
  piece->inner_before = piece->inner_before ?: "";
  piece->inner_after = piece->inner_after ?: "";
  kvsql_infer_offer (self, piece, kvsql_infer_skip (self, rests, size), bits);
}

static void
offer_digits (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  KvsqlInferPiece piece = { .before = "", .after = "" };
  gint64 min = G_MAXINT64, max = G_MININT64;

  for (guint i = 0; i < self->n; i++)
    {
      g_autofree gchar *text = g_strndup ((const gchar *)rests[i].data, size);
      gint64 number = g_ascii_strtoll (text, NULL, 10);

      min = MIN (min, number);
      max = MAX (max, number);
    }
  if ((size == 8 || size == 14) && kvsql_infer_are_dates (rests, self->n))
    {
      piece.inner_before = size == 8 ? "format('yyyyMMdd'){" : "format('yyyyMMddHHmmss'){";
      piece.type = size == 8 ? KVSQL_TYPE_DATE : KVSQL_TYPE_TIMESTAMP;
      piece.stem = size == 8 ? "day" : "at";
    }
  else
    {
      piece.inner_before = kvsql_arena_printf (self->arena, "text(%u){", (guint)size);
      piece.type = size <= 9 ? KVSQL_TYPE_INT : KVSQL_TYPE_BIGINT;
      piece.stem = size == 13 && min > 600000000000 && max < 2500000000000 ? "ms" : "n";
    }
  piece.inner_after = "}";
  offer_fixed (self, rests, size, &piece, kvsql_infer_bits_of_range (self, min, max));
}

static void
offer_text_of (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  KvsqlSlice *values = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  KvsqlInferPiece piece = { 0 };
  gdouble bits;

  for (guint i = 0; i < self->n; i++)
    values[i] = kvsql_slice (rests[i].data, size);
  bits = kvsql_infer_text_value (self, values, &piece);
  if (bits < 0)
    return;
  if (piece.type == KVSQL_TYPE_STRING)
    piece.before = kvsql_arena_printf (self->arena, "fixed(%u){", (guint)size);
  piece.after = piece.before != NULL ? "}" : "";
  piece.before = piece.before ?: "";
  if (piece.type == KVSQL_TYPE_STRING || piece.type == KVSQL_TYPE_DATE)
    kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size), bits);
}

void
kvsql_infer_fixed_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  static const gsize dates = 10; /* 2024-02-29 */
  gsize n_digits = equal_run_size (self, rests, is_digit);
  gsize n_hex = equal_run_size (self, rests, is_hex);

  if (n_digits > 0 && n_digits <= 18)
    offer_digits (self, rests, n_digits);
  /* a date goes on with a time */
  if (n_digits > 8 && n_digits <= 18 && kvsql_infer_are_dates (rests, self->n))
    offer_digits (self, rests, 8);
  if (n_hex >= 8 && n_hex > n_digits)
    offer_text_of (self, rests, n_hex);
  if (kvsql_infer_have (self, rests, dates) && rests[0].data[4] == '-')
    offer_text_of (self, rests, dates);
}

/* ---- the last value */

void
kvsql_infer_open_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  KvsqlInferPiece piece = { .before = "", .after = "" };
  KvsqlSlice *nothing = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  gdouble bits = kvsql_infer_text_value (self, rests, &piece);

  for (guint i = 0; i < self->n; i++)
    nothing[i] = KVSQL_SLICE_EMPTY;
  if (bits >= 0)
    kvsql_infer_offer (self, &piece, nothing, bits);
}
