/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-pieces.c: dates and times that are written as text, in the forms that programs use.
 */
#include "config.h"

#include "core/infer/pieces.h"
#include "core/infer/text-value.h"

/* '0': a digit. All else is itself. */
typedef struct
{
  const gchar *shape;
  const gchar *layout; /* around the attribute's name */
  KvsqlType type;
  gboolean is_certain; /* nothing else looks like this */
  gboolean has_offset; /* +09:00 follows, the same in all strings */
} Form;

#define UTC "the text has no zone: it is taken as UTC"

/* Longer forms first. */
static const Form forms[] = {
  { "0000-00-00T00:00:00.000Z", "text{", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000-00-00T00:00:00.000", "format('yyyy-MM-dd''T''HH:mm:ss.SSS", KVSQL_TYPE_TIMESTAMP, TRUE,
    TRUE },
  { "0000-00-00 00:00:00.000", "format('yyyy-MM-dd HH:mm:ss.SSS", KVSQL_TYPE_TIMESTAMP, TRUE,
    TRUE },
  { "0000-00-00T00:00:00Z", "format('yyyy-MM-dd''T''HH:mm:ss''Z'''){", KVSQL_TYPE_TIMESTAMP, TRUE,
    FALSE },
  { "0000-00-00T00:00:00", "format('yyyy-MM-dd''T''HH:mm:ss", KVSQL_TYPE_TIMESTAMP, TRUE, TRUE },
  { "0000-00-00 00:00:00", "format('yyyy-MM-dd HH:mm:ss", KVSQL_TYPE_TIMESTAMP, TRUE, TRUE },
  { "0000/00/00 00:00:00", "format('yyyy/MM/dd HH:mm:ss'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "00000000T000000Z", "format('yyyyMMdd''T''HHmmss''Z'''){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "00000000T000000", "format('yyyyMMdd''T''HHmmss'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "00000000-000000", "format('yyyyMMdd-HHmmss'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000-00-00T00:00", "format('yyyy-MM-dd''T''HH:mm'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000-00-00 00:00", "format('yyyy-MM-dd HH:mm'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000-00-00T00", "format('yyyy-MM-dd''T''HH'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000-00-00-00", "format('yyyy-MM-dd-HH'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000/00/00/00", "format('yyyy/MM/dd/HH'){", KVSQL_TYPE_TIMESTAMP, TRUE, FALSE },
  { "0000-00-00", "text{", KVSQL_TYPE_DATE, TRUE, FALSE },
  { "0000/00/00", "format('yyyy/MM/dd'){", KVSQL_TYPE_DATE, TRUE, FALSE },
  { "0000.00.00", "format('yyyy.MM.dd'){", KVSQL_TYPE_DATE, TRUE, FALSE },
  { "00000000000000000", "format('yyyyMMddHHmmssSSS'){", KVSQL_TYPE_TIMESTAMP, FALSE, FALSE },
  { "00000000000000", "format('yyyyMMddHHmmss'){", KVSQL_TYPE_TIMESTAMP, FALSE, FALSE },
  { "000000000000", "format('yyyyMMddHHmm'){", KVSQL_TYPE_TIMESTAMP, FALSE, FALSE },
  { "0000000000", "format('yyyyMMddHH'){", KVSQL_TYPE_TIMESTAMP, FALSE, FALSE },
  { "00000000", "format('yyyyMMdd'){", KVSQL_TYPE_DATE, FALSE, FALSE },
  { "0000-00", "format('yyyy-MM'){", KVSQL_TYPE_DATE, TRUE, FALSE },
  { "000000", "format('yyyyMM'){", KVSQL_TYPE_DATE, FALSE, FALSE },
};

/* The fields, in their order, each with its greatest value. */
static const struct
{
  guint n_digits;
  guint min, max;
} fields[] = { { 4, 1990, 2050 }, { 2, 1, 12 }, { 2, 1, 31 }, { 2, 0, 23 },
               { 2, 0, 59 },      { 2, 0, 59 }, { 3, 0, 999 } };

static gboolean
has_shape (KvsqlSlice text, const gchar *shape)
{
  gsize size = strlen (shape), field = 0;
  guint value = 0, n_digits = 0;

  if (text.size < size)
    return FALSE;
  for (gsize i = 0; i < size; i++)
    {
      if (shape[i] != '0' && text.data[i] != (guint8)shape[i])
        return FALSE;
      if (shape[i] != '0')
        continue;
      if (!g_ascii_isdigit ((gchar)text.data[i]))
        return FALSE;
      value = value * 10 + (guint)g_ascii_digit_value ((gchar)text.data[i]);
      if (++n_digits < fields[field].n_digits)
        continue;
      if (value < fields[field].min || value > fields[field].max)
        return FALSE;
      field++;
      value = n_digits = 0;
    }
  return TRUE;
}

static gboolean
is_digit_at (KvsqlSlice text, gsize at)
{
  return text.size > at && g_ascii_isdigit ((gchar)text.data[at]);
}

/* +09:00 */
static gboolean
has_same_offset (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize at)
{
  const guint8 *first = rests[0].data + at;

  for (guint i = 0; i < self->n; i++)
    if (rests[i].size < at + 6 || memcmp (rests[i].data + at, first, 6) != 0)
      return FALSE;
  return (first[0] == '+' || first[0] == '-') && is_digit_at (rests[0], at + 1)
         && is_digit_at (rests[0], at + 2) && first[3] == ':' && is_digit_at (rests[0], at + 4)
         && is_digit_at (rests[0], at + 5);
}

/* What follows a whole time tells that it goes on: a fraction that no form has, or a zone that
 * differs. */
static gboolean
goes_on (KvsqlSlice text, const Form *form)
{
  gsize at = strlen (form->shape);
  guint8 next = text.size > at ? text.data[at] : 0;

  if (is_digit_at (text, at) && !form->is_certain)
    return FALSE;
  if (is_digit_at (text, at))
    return TRUE;
  if (form->type == KVSQL_TYPE_DATE)
    return (next == 'T' || next == ' ') && is_digit_at (text, at + 1) && is_digit_at (text, at + 2);
  return (next == '.' || next == '+' || next == ':') && is_digit_at (text, at + 1);
}

static gboolean
fits_all (const KvsqlInferSearch *self, const KvsqlSlice *rests, const Form *form,
          gboolean has_offset)
{
  for (guint i = 0; i < self->n; i++)
    if (!has_shape (rests[i], form->shape) || (!has_offset && goes_on (rests[i], form)))
      return FALSE;
  return TRUE;
}

/* The digits of a time as one number. */
static gint64
number_of (KvsqlSlice text, const Form *form)
{
  gint64 number = 0;

  for (gsize i = 0; form->shape[i] != '\0'; i++)
    if (form->shape[i] == '0')
      number = number * 10 + g_ascii_digit_value ((gchar)text.data[i]);
  return number;
}

/* Fewer than those of the digits as a number: a number is rarely a time by chance. */
static gdouble
bits_of (const KvsqlInferSearch *self, const KvsqlSlice *rests, const Form *form)
{
  gsize size = strlen (form->shape);
  gdouble each = form->type == KVSQL_TYPE_DATE ? (size < 8 ? 9 : 14)
                 : size >= 23 || size == 17    ? 41
                                               : 31;
  gint64 min = G_MAXINT64, max = 0;

  for (guint i = 0; i < self->n; i++)
    {
      gint64 number = number_of (rests[i], form);

      min = MIN (min, number);
      max = MAX (max, number);
    }
  return MIN (each * self->n, kvsql_infer_bits_of_range (self, min, max)) - 2.0 * self->n;
}

/* Milliseconds: the values are multiples of it. */
static gint64
step_of (const Form *form)
{
  gsize n = 0;

  for (const gchar *c = form->shape; *c != '\0'; c++)
    n += *c == '0';
  return n == 8 ? 86400000 : n == 10 ? 3600000 : n == 12 ? 60000 : 0;
}

static void
offer_form (KvsqlInferSearch *self, const KvsqlSlice *rests, const Form *form, gboolean has_offset)
{
  gsize size = strlen (form->shape);
  gboolean has_end = g_str_has_suffix (form->layout, "{");
  KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                            .before = "",
                            .inner_before = form->layout,
                            .inner_after = "}",
                            .after = "",
                            .type = form->type,
                            .stem = form->type == KVSQL_TYPE_DATE ? "day" : "at" };

  piece.step = step_of (form);
  if (has_offset)
    piece.inner_before = kvsql_arena_printf (self->arena, "%s''%.6s''', '%.6s'){", form->layout,
                                             (const gchar *)rests[0].data + size,
                                             (const gchar *)rests[0].data + size);
  else if (!has_end)
    piece.inner_before = kvsql_arena_printf (self->arena, "%s'){", form->layout);
  if (form->type == KVSQL_TYPE_TIMESTAMP && !has_offset && strchr (form->shape, 'Z') == NULL)
    piece.remark = UTC;
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size + (has_offset ? 6 : 0)),
                     bits_of (self, rests, form));
}

/* All of the strings are the same: rather a constant. */
static gboolean
are_equal_texts (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  for (guint i = 1; i < self->n; i++)
    if (memcmp (rests[i].data, rests[0].data, size) != 0)
      return FALSE;
  return self->n > 1;
}

void
kvsql_infer_times (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  gboolean has_day = FALSE; /* then it is no month */

  if (!is_digit_at (rests[0], 3) || !kvsql_infer_have (self, rests, 6))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      const Form *form = &forms[i];
      gboolean has_offset = form->has_offset && has_same_offset (self, rests, strlen (form->shape));

      if (!fits_all (self, rests, form, has_offset)
          || are_equal_texts (self, rests, strlen (form->shape))
          || (has_day && strlen (form->shape) < 8))
        continue;
      has_day = TRUE;
      offer_form (self, rests, form, has_offset);
      self->is_certain = form->is_certain;
      if (self->is_certain)
        return;
    }
}
