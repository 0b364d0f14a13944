/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-types.c: see column-types.h.
 */
#include "config.h"

#include "core/infer/column-types.h"

#include <math.h>

#include "core/base/conversion.h"

typedef gboolean (*IsOf) (KvsqlSlice value, KvsqlType type);

/* ---- as bytes */

static gboolean
is_printable (KvsqlSlice value, KvsqlType type)
{
  for (gsize i = 0; i < value.size; i++)
    if (value.data[i] < 0x20 || value.data[i] == 0x7f)
      return FALSE;
  return g_utf8_validate ((const gchar *)value.data, (gssize)value.size, NULL);
}

static gboolean
is_boolean (KvsqlSlice value, KvsqlType type)
{
  return value.size == 1 && (value.data[0] == 0 || value.data[0] == 0xff);
}

static gboolean
is_int (KvsqlSlice value, KvsqlType type)
{
  return value.size == 4
         && ABS ((gint64)(gint32)kvsql_get_be32 (value.data)) < G_GINT64_CONSTANT (1) << 28;
}

static gboolean
is_time (KvsqlSlice value, KvsqlType type)
{
  gint64 ms = value.size == 8 ? (gint64)kvsql_get_be64 (value.data) : 0;

  return ms >= G_GINT64_CONSTANT (946684800000) && ms < G_GINT64_CONSTANT (2208988800000);
}

static gboolean
is_bigint (KvsqlSlice value, KvsqlType type)
{
  gint64 number = value.size == 8 ? (gint64)kvsql_get_be64 (value.data) : G_MAXINT64;

  return number > -(G_GINT64_CONSTANT (1) << 53) && number < G_GINT64_CONSTANT (1) << 53;
}

static gboolean
is_plausible (gdouble number)
{
  return number == 0 || (fabs (number) > 1e-12 && fabs (number) < 1e18);
}

gboolean
kvsql_infer_is_double (KvsqlSlice value)
{
  union
  {
    guint64 bits;
    gdouble number;
  } u = { .bits = value.size == 8 ? kvsql_get_be64 (value.data) : G_MAXUINT64 };

  return is_plausible (u.number);
}

static gboolean
is_double (KvsqlSlice value, KvsqlType type)
{
  return kvsql_infer_is_double (value);
}

static gboolean
is_float (KvsqlSlice value, KvsqlType type)
{
  union
  {
    guint32 bits;
    gfloat number;
  } u = { .bits = value.size == 4 ? kvsql_get_be32 (value.data) : G_MAXUINT32 };

  return is_plausible ((gdouble)u.number);
}

/* ---- as text */

static gboolean
is_text_of (KvsqlSlice value, KvsqlType type)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlValue parsed;

  if (value.size > 40 || !kvsql_value_parse (type, value, arena, &parsed, NULL))
    return FALSE;
  kvsql_value_append_text (&parsed, text);
  return kvsql_slice_equal (kvsql_slice (text->str, text->len), value);
}

/* ---- the first that fits all */

typedef struct
{
  KvsqlType type;
  IsOf is_of;
} Rule;

static const Rule rules[KVSQL_INFER_N_ENCODINGS][8] = {
  [KVSQL_INFER_AS_BYTES] = { { KVSQL_TYPE_STRING, is_printable },
                             { KVSQL_TYPE_BOOLEAN, is_boolean },
                             { KVSQL_TYPE_INT, is_int },
                             { KVSQL_TYPE_FLOAT, is_float },
                             { KVSQL_TYPE_TIMESTAMP, is_time },
                             { KVSQL_TYPE_BIGINT, is_bigint },
                             { KVSQL_TYPE_DOUBLE, is_double } },
  [KVSQL_INFER_AS_TEXT] = { { KVSQL_TYPE_INT, is_text_of },
                            { KVSQL_TYPE_BIGINT, is_text_of },
                            { KVSQL_TYPE_DECIMAL, is_text_of },
                            { KVSQL_TYPE_DATE, is_text_of },
                            { KVSQL_TYPE_TIMESTAMP, is_text_of },
                            { KVSQL_TYPE_BOOLEAN, is_text_of },
                            { KVSQL_TYPE_STRING, is_printable } },
};

static gboolean
fits (const Rule *rule, const KvsqlSlice *values, guint n)
{
  guint n_full = 0;

  for (guint i = 0; i < n; i++)
    if (values[i].size > 0)
      {
        n_full++;
        if (!rule->is_of (values[i], rule->type))
          return FALSE;
      }
  return n_full > 0;
}

KvsqlType
kvsql_infer_column_type (KvsqlInferEncoding encoding, const KvsqlSlice *values, guint n)
{
  const Rule *rule = rules[encoding];

  for (; rule->is_of != NULL; rule++)
    if (fits (rule, values, n))
      return rule->type;
  for (guint i = 0; i < n; i++)
    if (values[i].size > 0)
      return KVSQL_TYPE_BYTES;
  return KVSQL_TYPE_STRING;
}
