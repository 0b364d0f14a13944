/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-value.c: see text-value.h.
 */
#include "config.h"

#include "core/infer/text-value.h"

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
      if (type == KVSQL_TYPE_DECIMAL)
        continue;
      *min = MIN (*min, value.integer);
      *max = MAX (*max, value.integer);
    }
  return TRUE;
}

gdouble
kvsql_infer_text_value (const KvsqlInferSearch *self, const KvsqlSlice *values,
                        KvsqlInferPiece *piece)
{
  static const struct
  {
    KvsqlType type;
    const gchar *stem;
  } types[] = { { KVSQL_TYPE_INT, "n" }, { KVSQL_TYPE_BIGINT, "n" }, { KVSQL_TYPE_DECIMAL, "x" } };
  gint64 min, max;

  piece->kind = KVSQL_INFER_ATTRIBUTE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (are_of_type (self, values, types[i].type, &min, &max))
      {
        piece->inner_before = "text{";
        piece->inner_after = "}";
        piece->type = types[i].type;
        piece->stem = types[i].stem;
        if (types[i].type == KVSQL_TYPE_DECIMAL)
          return kvsql_infer_bits_of_texts (self, values);
        piece->is_number = TRUE;
        piece->min = min;
        piece->max = max;
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
