/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-value.c: see text-value.h.
 */
#include "config.h"

#include "core/infer/text-value.h"

#include "core/base/civil-date.h"
#include "core/base/conversion.h"

/* Whether all values are the text that a value of @type has. */
static gboolean
are_of_type (const KvsqlInferSearch *self, const KvsqlSlice *values, KvsqlType type, gint64 *min,
             gint64 *max)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  *min = G_MAXINT64;
  *max = G_MININT64;
  for (guint i = 0; i < self->n; i++)
    {
      KvsqlValue value;

      if (values[i].size == 0 || values[i].size > 30
          || !kvsql_value_parse (type, values[i], arena, &value, NULL))
        return FALSE;
      g_string_truncate (text, 0);
      kvsql_value_append_text (&value, text);
      if (!kvsql_slice_equal (kvsql_slice (text->str, text->len), values[i]))
        return FALSE;
      *min = MIN (*min, value.integer);
      *max = MAX (*max, value.integer);
    }
  return TRUE;
}

gboolean
kvsql_infer_are_dates (const KvsqlSlice *texts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      gint digits[8];
      gint64 days;

      for (guint d = 0; d < 8; d++)
        {
          digits[d] = g_ascii_digit_value ((gchar)texts[i].data[d]);
          if (digits[d] < 0)
            return FALSE;
        }
      gint year = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3];
      if (year < 1990 || year > 2050
          || !kvsql_date_from_civil (year, digits[4] * 10 + digits[5], digits[6] * 10 + digits[7],
                                     &days))
        return FALSE;
    }
  return TRUE;
}

/* yyyyMMdd, or yyyyMMddHHmmss */
static gboolean
are_dates_of_size (const KvsqlInferSearch *self, const KvsqlSlice *values, gsize size)
{
  for (guint i = 0; i < self->n; i++)
    {
      if (values[i].size != size)
        return FALSE;
      for (gsize b = 0; b < size; b++)
        if (!g_ascii_isdigit ((gchar)values[i].data[b]))
          return FALSE;
    }
  return kvsql_infer_are_dates (values, self->n);
}

gdouble
kvsql_infer_text_value (const KvsqlInferSearch *self, const KvsqlSlice *values,
                        KvsqlInferPiece *piece)
{
  static const struct
  {
    KvsqlType type;
    const gchar *stem;
  } types[] = { { KVSQL_TYPE_INT, "n" },
                { KVSQL_TYPE_BIGINT, "n" },
                { KVSQL_TYPE_DATE, "day" },
                { KVSQL_TYPE_TIMESTAMP, "at" } };
  gint64 min, max;

  piece->kind = KVSQL_INFER_ATTRIBUTE;
  if (are_dates_of_size (self, values, 8) || are_dates_of_size (self, values, 14))
    {
      gboolean is_day = values[0].size == 8;

      piece->inner_before = is_day ? "format('yyyyMMdd'){" : "format('yyyyMMddHHmmss'){";
      piece->inner_after = "}";
      piece->type = is_day ? KVSQL_TYPE_DATE : KVSQL_TYPE_TIMESTAMP;
      piece->stem = is_day ? "day" : "at";
      return (is_day ? 14 : 31) * (gdouble)self->n; /* of some decades */
    }
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (are_of_type (self, values, types[i].type, &min, &max))
      {
        piece->inner_before = "text{";
        piece->inner_after = "}";
        piece->type = types[i].type;
        piece->stem = types[i].stem;
        return kvsql_infer_bits_of_range (self, min, max);
      }
  for (guint i = 0; i < self->n; i++)
    if (!g_utf8_validate ((const gchar *)values[i].data, (gssize)values[i].size, NULL))
      return -1;
  piece->inner_before = piece->inner_after = "";
  piece->type = KVSQL_TYPE_STRING;
  piece->stem = "s";
  return kvsql_infer_bits_of_texts (self, values);
}

const gchar *
kvsql_infer_literal (KvsqlArena *arena, KvsqlSlice bytes)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean is_text = TRUE;

  for (gsize i = 0; i < bytes.size; i++)
    is_text &= bytes.data[i] >= 0x20 && bytes.data[i] < 0x7f;
  if (!is_text)
    {
      g_autofree gchar *hex = kvsql_hex (bytes);

      return kvsql_arena_printf (arena, "x'%s'", hex);
    }
  for (gsize i = 0; i < bytes.size; i++)
    {
      if (bytes.data[i] == '\'')
        g_string_append_c (out, '\'');
      g_string_append_c (out, (gchar)bytes.data[i]);
    }
  return kvsql_arena_printf (arena, "'%s'", out->str);
}
