/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * conversion.c: values of texts, and values of another type.
 */
#include "config.h"

#include "core/base/conversion.h"

#include "core/base/array-text.h"
#include "core/base/collection.h"
#include "core/base/decimal.h"
#include "core/base/duration.h"

#include <math.h>

gboolean
kvsql_value_parse (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out,
                   GError **error)
{
  KvsqlValue value = { .type = type };

  if (!kvsql_type_is_collection (type))
    return kvsql_value_parse_scalar (type, text, arena, out, error);
  if (kvsql_type_is_list (type) && kvsql_array_text_is_one (text)
          ? !kvsql_array_text_parse (type, text, arena, &value.bytes, error)
          : !kvsql_collection_parse (type, text, arena, &value.bytes, error))
    return FALSE;
  *out = value;
  return TRUE;
}

static gboolean
no_conversion (const KvsqlValue *value, KvsqlType type, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_TYPE, KVSQL_SPAN_NONE, "%s cannot be stored as %s",
                          kvsql_type_get_name (value->type), kvsql_type_get_name (type));
}

static gboolean
to_integer (const KvsqlValue *value, KvsqlType type, KvsqlValue *out, GError **error)
{
  g_autofree gchar *text = NULL;
  gint64 integer = 0;
  gboolean fits = TRUE;

  switch (value->type)
    {
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      integer = value->integer;
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      {
        /* PostgreSQL rounds halves of doubles to even. */
        gdouble rounded = rint (value->real);
        fits = rounded >= -9223372036854775808.0 && rounded < 9223372036854775808.0;
        integer = fits ? (gint64)rounded : 0;
        break;
      }
    case KVSQL_TYPE_DECIMAL:
      fits = kvsql_decimal_to_int64 (value->bytes, &integer, NULL);
      break;
    case KVSQL_TYPE_INTERVAL:
      {
        /* milliseconds, as of two times */
        KvsqlDuration duration = kvsql_duration_from_text (value->bytes);
        __int128 ms = kvsql_duration_get_total (&duration) / 1000;
        integer = (gint64)ms;
        fits = integer == ms;
        break;
      }
    default:
      return no_conversion (value, type, error);
    }
  if (fits && kvsql_type_has_integer (type, integer))
    {
      *out = (KvsqlValue){ .type = type, .integer = integer };
      return TRUE;
    }
  text = kvsql_value_to_text (value);
  return kvsql_value_fail_range (type, text, error);
}

static gboolean
to_real (const KvsqlValue *value, KvsqlType type, KvsqlValue *out, GError **error)
{
  gboolean is_lost = FALSE;
  gdouble real;

  switch (value->type)
    {
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      real = value->integer;
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      real = value->real;
      break;
    case KVSQL_TYPE_DECIMAL:
      real = kvsql_decimal_to_double (value->bytes);
      is_lost = isinf (real)
                || (real == 0 && !kvsql_slice_equal (value->bytes, KVSQL_SLICE_LITERAL ("0")));
      break;
    default:
      return no_conversion (value, type, error);
    }
  if (type == KVSQL_TYPE_FLOAT)
    {
      gdouble narrow = (gfloat)real;
      is_lost = is_lost || (isinf (narrow) && !isinf (real)) || (narrow == 0 && real != 0);
      real = narrow;
    }
  if (is_lost)
    {
      g_autofree gchar *text = kvsql_value_to_text (value);
      return kvsql_value_fail_range (type, text, error);
    }
  *out = (KvsqlValue){ .type = type, .real = real };
  return TRUE;
}

static gboolean
to_decimal (const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  g_autofree gchar *text = NULL;

  if (!kvsql_type_is_number (value->type))
    return no_conversion (value, KVSQL_TYPE_DECIMAL, error);
  text = kvsql_value_to_text (value);
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_parse (kvsql_slice_from_text (text), arena, &out->bytes, error);
}

/* The time of day; of an INTERVAL what is left of whole days. */
static gboolean
to_clock (const KvsqlValue *value, KvsqlValue *out, GError **error)
{
  gint64 ms;

  if (value->type == KVSQL_TYPE_TIMESTAMP)
    ms = value->integer - kvsql_day_of_time (value->integer) * KVSQL_MS_PER_DAY;
  else if (value->type == KVSQL_TYPE_INTERVAL)
    {
      gint64 us = kvsql_duration_from_text (value->bytes).us % KVSQL_US_PER_DAY;
      ms = kvsql_us_to_ms (us < 0 ? us + KVSQL_US_PER_DAY : us);
    }
  else
    return no_conversion (value, KVSQL_TYPE_TIME, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIME, .integer = ms };
  return TRUE;
}

static gboolean
to_duration (const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  KvsqlDuration duration = { 0 };

  if (value->type != KVSQL_TYPE_TIME)
    return no_conversion (value, KVSQL_TYPE_INTERVAL, error);
  duration.us = value->integer * 1000;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INTERVAL,
                       .bytes = kvsql_duration_to_text (&duration, arena) };
  return TRUE;
}

gboolean
kvsql_value_convert (const KvsqlValue *value, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                     GError **error)
{
  if (kvsql_value_is_null (value) || value->type == type)
    {
      *out = *value;
      return TRUE;
    }
  if (value->type == KVSQL_TYPE_STRING)
    return kvsql_value_parse (type, value->bytes, arena, out, error);
  switch (type)
    {
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      return to_integer (value, type, out, error);
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      return to_real (value, type, out, error);
    case KVSQL_TYPE_DECIMAL:
      return to_decimal (value, arena, out, error);
    case KVSQL_TYPE_TIME:
      return to_clock (value, out, error);
    case KVSQL_TYPE_INTERVAL:
      return to_duration (value, arena, out, error);
    case KVSQL_TYPE_JSON:
    case KVSQL_TYPE_JSONB:
      return kvsql_type_is_json (value->type)
                 ? kvsql_value_parse (type, value->bytes, arena, out, error)
                 : no_conversion (value, type, error);
    case KVSQL_TYPE_TIMESTAMP:
      if (value->type != KVSQL_TYPE_DATE)
        return no_conversion (value, type, error);
      *out = (KvsqlValue){ .type = type, .integer = value->integer * KVSQL_MS_PER_DAY };
      return TRUE;
    case KVSQL_TYPE_STRING:
      if (value->type != KVSQL_TYPE_UUID)
        return no_conversion (value, type, error);
      *out = (KvsqlValue){ .type = type, .bytes = value->bytes };
      return TRUE;
    default:
      return no_conversion (value, type, error);
    }
}
