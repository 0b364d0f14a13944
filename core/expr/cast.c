/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cast.c: conversions between types.
 */
#include "config.h"

#include "core/expr/cast.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/base/json.h"

#include <math.h>

#define BIT(type) (G_GUINT64_CONSTANT (1) << KVSQL_TYPE_##type)
#define NUMBERS (BIT (INT) | BIT (BIGINT) | BIT (FLOAT) | BIT (DOUBLE) | BIT (DECIMAL))
#define TIMES (BIT (DATE) | BIT (TIMESTAMP) | BIT (TIME))
#define JSONS (BIT (JSON) | BIT (JSONB))
#define ALL                                                                                        \
  (NUMBERS | JSONS | TIMES | BIT (STRING) | BIT (BYTES) | BIT (BOOLEAN) | BIT (INTERVAL)           \
   | BIT (UUID))

/* The types that a type converts to, in addition to itself. */
static const struct
{
  guint64 implicit, assignment, explicit;
} casts[KVSQL_N_TYPES] = {
  [KVSQL_TYPE_STRING] = { 0, ALL, ALL },
  [KVSQL_TYPE_BYTES] = { 0, 0, BIT (STRING) },
  [KVSQL_TYPE_BOOLEAN] = { 0, 0, BIT (STRING) | BIT (INT) | BIT (BIGINT) },
  [KVSQL_TYPE_INT] = { NUMBERS & ~BIT (INT), NUMBERS | TIMES,
                       NUMBERS | BIT (STRING) | BIT (BOOLEAN) | TIMES | BIT (INTERVAL) },
  [KVSQL_TYPE_BIGINT] = { NUMBERS & ~(BIT (INT) | BIT (BIGINT)), NUMBERS | TIMES,
                          NUMBERS | BIT (STRING) | BIT (BOOLEAN) | TIMES | BIT (INTERVAL) },
  [KVSQL_TYPE_FLOAT] = { BIT (DOUBLE), NUMBERS, NUMBERS | BIT (STRING) },
  [KVSQL_TYPE_DOUBLE] = { 0, NUMBERS, NUMBERS | BIT (STRING) },
  [KVSQL_TYPE_DECIMAL] = { BIT (FLOAT) | BIT (DOUBLE), NUMBERS, NUMBERS | BIT (STRING) },
  [KVSQL_TYPE_DATE]
  = { BIT (TIMESTAMP), BIT (TIMESTAMP), BIT (STRING) | BIT (INT) | BIT (BIGINT) | BIT (TIMESTAMP) },
  [KVSQL_TYPE_TIMESTAMP] = { 0, BIT (TIME), BIT (STRING) | BIT (BIGINT) | BIT (DATE) | BIT (TIME) },
  [KVSQL_TYPE_TIME]
  = { BIT (INTERVAL), BIT (INTERVAL), BIT (STRING) | BIT (INT) | BIT (BIGINT) | BIT (INTERVAL) },
  [KVSQL_TYPE_INTERVAL]
  = { 0, BIT (TIME) | BIT (BIGINT), BIT (STRING) | BIT (TIME) | BIT (BIGINT) },
  [KVSQL_TYPE_UUID] = { 0, BIT (STRING), BIT (STRING) },
  [KVSQL_TYPE_JSON] = { 0, BIT (JSONB), BIT (STRING) | BIT (JSONB) },
  [KVSQL_TYPE_JSONB] = { 0, BIT (JSON), NUMBERS | BIT (STRING) | BIT (JSON) | BIT (BOOLEAN) },
};

/* Maps and lists convert to and from JSON text only. */
static gboolean
is_between_text_and_collection (KvsqlType from, KvsqlType to)
{
  return (from == KVSQL_TYPE_STRING && kvsql_type_is_collection (to))
         || (to == KVSQL_TYPE_STRING && kvsql_type_is_collection (from));
}

gboolean
kvsql_cast_is_implicit (KvsqlType from, KvsqlType to)
{
  return from == to || from == KVSQL_TYPE_NULL || (casts[from].implicit >> to & 1);
}

gboolean
kvsql_cast_is_possible (KvsqlType from, KvsqlType to)
{
  return from == to || from == KVSQL_TYPE_NULL || is_between_text_and_collection (from, to)
         || (casts[from].explicit >> to & 1);
}

gboolean
kvsql_cast_is_assignment (KvsqlType from, KvsqlType to)
{
  return from == to || from == KVSQL_TYPE_NULL
         || (from == KVSQL_TYPE_STRING && kvsql_type_is_collection (to))
         || (casts[from].assignment >> to & 1);
}

gboolean
kvsql_cast_common_type (KvsqlType a, KvsqlType b, KvsqlType *out)
{
  /* PostgreSQL computes a FLOAT with anything but a FLOAT as DOUBLE */
  gboolean has_float = (a == KVSQL_TYPE_FLOAT) != (b == KVSQL_TYPE_FLOAT);

  if (has_float && kvsql_type_is_number (a) && kvsql_type_is_number (b))
    *out = KVSQL_TYPE_DOUBLE;
  else if (kvsql_cast_is_implicit (a, b))
    *out = b;
  else if (kvsql_cast_is_implicit (b, a))
    *out = a;
  else
    return FALSE;
  return TRUE;
}

gboolean
kvsql_cast_check_comparable (KvsqlType type, gboolean needs_order, KvsqlSpan span, GError **error)
{
  if (type != KVSQL_TYPE_JSON)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "could not identify an %s operator for type JSON",
                   needs_order ? "ordering" : "equality");
  kvsql_error_sqlstate (error, "42883");
  return kvsql_error_hint (error, KVSQL_CAST_JSON_HINT);
}

gboolean
kvsql_cast_check_time (KvsqlType type, gint64 integer, GError **error)
{
  if (kvsql_type_has_integer (type, integer))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s out of range",
                          kvsql_type_get_name (type))
         || kvsql_error_sqlstate (error, "22008")
         || kvsql_error_hint (error, type == KVSQL_TYPE_TIME
                                         ? "Times of day are from 00:00:00 to 24:00:00."
                                         : "Years run from 0001 to 9999.");
}

static gboolean
to_text (const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_value_append_text (value, text);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                       .bytes = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len)) };
  return TRUE;
}

/* Days or milliseconds. */
static gboolean
to_time (const KvsqlValue *value, KvsqlType type, KvsqlValue *out, GError **error)
{
  gint64 integer = value->integer;

  if (value->type == KVSQL_TYPE_TIMESTAMP && type == KVSQL_TYPE_DATE)
    integer = kvsql_day_of_time (integer);
  else if (value->type == KVSQL_TYPE_DATE && type == KVSQL_TYPE_TIMESTAMP)
    integer *= KVSQL_MS_PER_DAY;
  *out = (KvsqlValue){ .type = type, .integer = integer };
  return kvsql_cast_check_time (type, integer, error);
}

/* Milliseconds. */
static gboolean
to_duration (const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  KvsqlDuration duration = { 0 };

  *out = (KvsqlValue){ .type = KVSQL_TYPE_INTERVAL };
  if (__builtin_mul_overflow (value->integer, (gint64)1000, &duration.us))
    return kvsql_duration_fail_range (error);
  out->bytes = kvsql_duration_to_text (&duration, arena);
  return TRUE;
}

static gboolean
to_boolean (const KvsqlValue *value, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = value->integer != 0 };
  return TRUE;
}

/* Only a number becomes a number, and only true and false a BOOLEAN. */
static gboolean
from_jsonb (const KvsqlValue *value, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
            GError **error)
{
  static const gchar *const kinds[] = {
    [KVSQL_JSON_NULL] = "null",      [KVSQL_JSON_STRING] = "string",
    [KVSQL_JSON_NUMBER] = "numeric", [KVSQL_JSON_BOOLEAN] = "boolean",
    [KVSQL_JSON_ARRAY] = "array",    [KVSQL_JSON_OBJECT] = "object",
  };
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlValue decimal = { .type = KVSQL_TYPE_DECIMAL };
  KvsqlJson tree;

  if (!kvsql_json_read (value->bytes, scratch, &tree, error))
    return FALSE;
  if (tree.kind == KVSQL_JSON_BOOLEAN && type == KVSQL_TYPE_BOOLEAN)
    {
      *out = (KvsqlValue){ .type = type, .boolean = tree.n != 0 };
      return TRUE;
    }
  if (tree.kind == KVSQL_JSON_NUMBER && type != KVSQL_TYPE_BOOLEAN)
    return kvsql_decimal_parse (tree.string, arena, &decimal.bytes, error)
           && kvsql_value_convert (&decimal, type, arena, out, error);
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "cannot cast jsonb %s to type %s",
                   kinds[tree.kind], kvsql_type_get_name (type));
  return kvsql_error_sqlstate (error, "22023");
}

gboolean
kvsql_cast_value (const KvsqlValue *value, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                  GError **error)
{
  KvsqlTypeClass from = kvsql_type_get_class (value->type);
  KvsqlValue plain = *value;

  if (value->type == type || value->type == KVSQL_TYPE_STRING)
    return kvsql_value_convert (value, type, arena, out, error);
  if (value->type == KVSQL_TYPE_JSONB
      && (kvsql_type_is_number (type) || type == KVSQL_TYPE_BOOLEAN))
    return from_jsonb (value, type, arena, out, error);
  if (type == KVSQL_TYPE_STRING)
    return to_text (value, arena, out);
  if (value->type == KVSQL_TYPE_TIMESTAMP && type == KVSQL_TYPE_TIME)
    return kvsql_value_convert (value, type, arena, out, error);
  if (from == KVSQL_CLASS_INTEGER && kvsql_type_is_time (type))
    return to_time (value, type, out, error);
  if (from == KVSQL_CLASS_INTEGER && type == KVSQL_TYPE_INTERVAL)
    return to_duration (value, arena, out, error);
  if (from == KVSQL_CLASS_INTEGER && type == KVSQL_TYPE_BOOLEAN)
    return to_boolean (value, out);
  if (from == KVSQL_CLASS_BOOLEAN)
    plain = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = value->boolean != FALSE };
  else if (from == KVSQL_CLASS_INTEGER) /* also days and milliseconds */
    plain.type = KVSQL_TYPE_BIGINT;
  return kvsql_value_convert (&plain, type, arena, out, error);
}
