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

/* Whether a digit follows the first @size characters. */
static gboolean
are_before_digits (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    if (rests[i].size <= size || !g_ascii_isdigit ((gchar)rests[i].data[size]))
      return FALSE;
  return TRUE;
}

/* For each string that is cut at a dash although there is a stronger separator. */
#define BITS_OF_WEAKER 24.0
/* Fewer strings have letters in common by chance. */
#define MIN_STRINGS 4

/* What all strings begin with, and that up to its last punctuation: in user-10, user-11 the
 * constant is "user-". */
void
kvsql_infer_constants (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gsize size = common_size (self, rests), word = self->n < MIN_STRINGS ? 0 : size;
  const KvsqlInferPiece *last = self->now.n > 0 ? &self->now.pieces[self->now.n - 1] : NULL;

  if (last != NULL && last->kind == KVSQL_INFER_CONSTANT)
    return;
  if (self->n < MIN_STRINGS)
    {
      while (word < size && !g_ascii_isalnum ((gchar)rests[0].data[word]))
        word++;
      size = word;
    }
  /* numbers begin with their first digit, also if all have the same */
  if (are_before_digits (self, rests, size))
    while (size > 0 && g_ascii_isdigit ((gchar)rests[0].data[size - 1]))
      size--;
  word = MIN (word, size);
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
  return strchr ("-_:,~", byte) != NULL ? 1 : byte == '/' ? 20 : 40;
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
cut_at (const KvsqlInferSearch *self, const KvsqlSlice *rests, KvsqlSlice separator,
        KvsqlSlice *values, KvsqlSlice *after)
{
  for (guint i = 0; i < self->n; i++)
    {
      const guint8 *at = memmem (rests[i].data, rests[i].size, separator.data, separator.size);
      gsize size;

      if (at == NULL)
        return FALSE;
      size = (gsize)(at - rests[i].data);
      values[i] = kvsql_slice (rests[i].data, size);
      after[i] = kvsql_slice (at + separator.size, rests[i].size - size - separator.size);
    }
  return TRUE;
}

/* Whether the separator follows once more after each value. */
static gboolean
is_doubled (const KvsqlInferSearch *self, const KvsqlSlice *after, guint8 separator)
{
  for (guint i = 0; i < self->n; i++)
    if (after[i].size == 0 || after[i].data[0] != separator)
      return FALSE;
  return g_ascii_ispunct ((gchar)separator);
}

/* Whether all strings have a separator that is stronger than a dash, with text on both sides: then
 * the dash is a part of a value. */
static gboolean
have_stronger (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  static const guint8 strong[] = { 0, 1, 0x1f, '|', '#', ';', ':', '/' };

  for (guint s = 0; s < G_N_ELEMENTS (strong); s++)
    {
      guint n = 0;

      for (; n < self->n; n++)
        {
          const guint8 *at = memchr (rests[n].data, strong[s], rests[n].size);

          if (at == NULL || at == rests[n].data || at + 1 >= rests[n].data + rests[n].size
              || !g_ascii_isalnum ((gchar)at[1]) || !g_ascii_isalnum ((gchar)at[-1]))
            break;
        }
      if (n == self->n)
        return TRUE;
    }
  return FALSE;
}

static void
try_separator (KvsqlInferSearch *self, const KvsqlSlice *rests, guint8 byte)
{
  KvsqlSlice *values = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  KvsqlSlice *after = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  const guint8 bytes[] = { byte, byte };
  KvsqlInferPiece piece = { 0 };
  gsize size = 1;
  gdouble bits;

  /* what all have is a constant */
  if (!cut_at (self, rests, kvsql_slice (bytes, 1), values, after))
    return;
  if (is_doubled (self, after, byte)
      && !cut_at (self, rests, kvsql_slice (bytes, size = 2), values, after))
    return;
  if (are_equal (self, values) && self->n >= MIN_STRINGS)
    return;
  bits = kvsql_infer_text_value (self, values, &piece);
  piece.before = kvsql_arena_printf (self->arena, "suffix(%s){",
                                     kvsql_infer_literal (self->arena, kvsql_slice (bytes, size)));
  piece.after = "}";
  if (bits < 0)
    return;
  bits += self->n * bits_of_separator (byte);
  if (strchr ("-_", byte) != NULL && byte != 0 && have_stronger (self, rests))
    bits += BITS_OF_WEAKER * self->n;
  kvsql_infer_offer (self, &piece, after, bits);
}

void
kvsql_infer_separated_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  for (guint separator = 0; separator < 256; separator++)
    if (is_separator (separator) && memchr (rests[0].data, (gint)separator, rests[0].size) != NULL)
      try_separator (self, rests, (guint8)separator);
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

/* What numbers of that many digits are, if they are larger than others. */
static void
say_what (KvsqlInferPiece *piece, gint64 min, gint64 max)
{
  if (min > 600000000000 && max < 2500000000000)
    {
      piece->stem = "ms";
      piece->remark = "milliseconds since 1970";
    }
  else if (min > 946684800 && max < 2100000000)
    {
      piece->stem = "seconds";
      piece->remark = "seconds since 1970";
    }
  else if (min > G_MAXINT64 - 2500000000000)
    {
      piece->stem = "reversed_ms";
      piece->remark = "Long.MAX_VALUE minus milliseconds since 1970";
    }
}

/* Numbers in @size characters. Without zeros or a sign at their beginning, they might rather have
 * one size by chance. */
static void
offer_digits (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  KvsqlInferPiece piece = { .before = "", .after = "", .is_number = TRUE };
  gint64 min = G_MAXINT64, max = G_MININT64;
  gboolean is_padded = size >= 10;

  for (guint i = 0; i < self->n; i++)
    {
      g_autofree gchar *text = g_strndup ((const gchar *)rests[i].data, size);
      gint64 number = g_ascii_strtoll (text, NULL, 10);

      if (number == G_MAXINT64)
        return;
      is_padded |= text[text[0] == '-'] == '0';
      min = MIN (min, number);
      max = MAX (max, number);
    }
  piece.inner_before = kvsql_arena_printf (self->arena, "text(%u){", (guint)size);
  piece.inner_after = "}";
  piece.type = size <= 9 ? KVSQL_TYPE_INT : KVSQL_TYPE_BIGINT;
  piece.stem = "n";
  piece.min = min;
  piece.max = max;
  if (size >= 10)
    say_what (&piece, min, max);
  offer_fixed (self, rests, size, &piece,
               kvsql_infer_bits_of_range (self, min, max) + (is_padded ? 0 : 40 + 1.5 * self->n));
}

static void
offer_text_of (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  KvsqlSlice *values = kvsql_infer_take (self, rests, size);
  KvsqlInferPiece piece = { 0 };
  gdouble bits = kvsql_infer_text_value (self, values, &piece);

  if (bits < 0 || piece.type != KVSQL_TYPE_STRING || are_equal (self, values))
    return;
  piece.before = kvsql_arena_printf (self->arena, "fixed(%u){", (guint)size);
  piece.after = "}";
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size), bits);
}

static gboolean
is_letter (gchar c)
{
  return g_ascii_isalpha (c);
}

/* Whether a byte that is not printable follows. */
static gboolean
are_before_bytes (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    if (rests[i].size <= size || (rests[i].data[size] >= 0x20 && rests[i].data[size] < 0x7f))
      return FALSE;
  return TRUE;
}

/* The size of the numbers at the beginning, with their signs; 0: they differ. */
static gsize
equal_number_size (const KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gsize size = 0;

  for (guint i = 0; i < self->n; i++)
    {
      gsize sign = rests[i].size > 0 && rests[i].data[0] == '-';
      gsize n = run_size (kvsql_slice (rests[i].data + sign, rests[i].size - sign), is_digit);

      if (n == 0 || (i > 0 && n + sign != size))
        return 0;
      size = n + sign;
    }
  return size;
}

void
kvsql_infer_fixed_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gsize n_digits = equal_number_size (self, rests);
  gsize n_hex = equal_run_size (self, rests, is_hex);
  gsize n_letters = equal_run_size (self, rests, is_letter);

  if (self->n < MIN_STRINGS)
    return;
  if (n_digits > 0 && n_digits <= 19)
    offer_digits (self, rests, n_digits);
  if (n_hex >= 8 && n_hex > n_digits)
    offer_text_of (self, rests, n_hex);
  if (n_letters > 0 && n_letters <= 4
      && (are_before_digits (self, rests, n_letters) || are_before_bytes (self, rests, n_letters)))
    offer_text_of (self, rests, n_letters);
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
