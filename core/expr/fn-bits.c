/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-bits.c: single bytes and bits of BYTES, counted from 0; the lowest bit of a byte is first. The
 * trimming of bytes. The bits of whole numbers.
 */
#include "config.h"

#include "core/expr/function.h"

static gboolean
set_integer (KvsqlType type, gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = type, .integer = integer };
  return TRUE;
}

/* @n: the number of bytes or bits. SQLSTATE 2202E, array_subscript_error. */
static gboolean
check_index (gint64 index, guint64 n, GError **error)
{
  if (index >= 0 && (guint64)index < n)
    return TRUE;
  kvsql_function_fail (error, "index %" G_GINT64_FORMAT " out of valid range, 0..%" G_GINT64_FORMAT,
                       index, (gint64)n - 1);
  return kvsql_error_sqlstate (error, "2202E");
}

/* A copy that can be changed. */
static guint8 *
copy_bytes (const KvsqlFunctionCall *call, KvsqlSlice bytes, KvsqlValue *out, GError **error)
{
  guint8 *copy = kvsql_function_allocate (call, bytes.size, error);

  if (copy == NULL)
    return NULL;
  memcpy (copy, bytes.data, bytes.size);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = kvsql_slice (copy, bytes.size) };
  return copy;
}

static gboolean
get_byte (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  KvsqlSlice bytes = arguments[0].bytes;

  return check_index (arguments[1].integer, bytes.size, error)
         && set_integer (KVSQL_TYPE_INT, bytes.data[arguments[1].integer], out);
}

static gboolean
set_byte (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  guint8 *bytes;

  if (!check_index (arguments[1].integer, arguments[0].bytes.size, error))
    return FALSE;
  bytes = copy_bytes (call, arguments[0].bytes, out, error);
  if (bytes == NULL)
    return FALSE;
  bytes[arguments[1].integer] = (guint8)arguments[2].integer;
  return TRUE;
}

static gboolean
get_bit (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  KvsqlSlice bytes = arguments[0].bytes;
  gint64 n = arguments[1].integer;

  return check_index (n, (guint64)bytes.size * 8, error)
         && set_integer (KVSQL_TYPE_INT, bytes.data[n / 8] >> (n % 8) & 1, out);
}

static gboolean
set_bit (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  gint64 n = arguments[1].integer;
  guint8 *bytes;

  if (!check_index (n, (guint64)arguments[0].bytes.size * 8, error))
    return FALSE;
  if (arguments[2].integer != 0 && arguments[2].integer != 1)
    return kvsql_function_fail_as (error, "22023", "new bit must be 0 or 1");
  bytes = copy_bytes (call, arguments[0].bytes, out, error);
  if (bytes == NULL)
    return FALSE;
  bytes[n / 8] &= (guint8) ~(1U << (n % 8));
  bytes[n / 8] |= (guint8)(arguments[2].integer << (n % 8));
  return TRUE;
}

static gboolean
bit_count (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gint64 n = 0;

  for (gsize i = 0; i < arguments[0].bytes.size; i++)
    n += __builtin_popcount (arguments[0].bytes.data[i]);
  return set_integer (KVSQL_TYPE_BIGINT, n, out);
}

/* ---- trimming */

static gboolean
trim (const KvsqlValue *arguments, gboolean at_start, gboolean at_end, KvsqlValue *out)
{
  KvsqlSlice bytes = arguments[0].bytes, set = arguments[1].bytes;

  while (at_start && bytes.size > 0 && set.size > 0
         && memchr (set.data, bytes.data[0], set.size) != NULL)
    bytes = kvsql_slice (bytes.data + 1, bytes.size - 1);
  while (at_end && bytes.size > 0 && set.size > 0
         && memchr (set.data, bytes.data[bytes.size - 1], set.size) != NULL)
    bytes.size--;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = bytes };
  return TRUE;
}

static gboolean
trim_both (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return trim (arguments, TRUE, TRUE, out);
}

static gboolean
trim_left (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return trim (arguments, TRUE, FALSE, out);
}

static gboolean
trim_right (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return trim (arguments, FALSE, TRUE, out);
}

/* ---- the bits of whole numbers */

#define NUMBER_BITS(name, expression)                                                              \
  static gboolean name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,                \
                        KvsqlValue *out, GError **error)                                           \
  {                                                                                                \
    const gint64 a = arguments[0].integer, b = arguments[1].integer;                               \
    return set_integer (arguments[0].type, (expression), out);                                     \
  }

NUMBER_BITS (bits_and, a &b)
NUMBER_BITS (bits_or, a | b)
NUMBER_BITS (bits_xor, a ^ b)
/* As in PostgreSQL on usual processors, the count is taken modulo the number of bits. */
NUMBER_BITS (int_left, (gint32)((guint32)a << (b & 31)))
NUMBER_BITS (int_right, (gint32)a >> (b & 31))
NUMBER_BITS (bigint_left, (gint64)((guint64)a << (b & 63)))
NUMBER_BITS (bigint_right, a >> (b & 63))

static gboolean
bits_not (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  return set_integer (arguments[0].type, ~arguments[0].integer, out);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("&", INT, INT, INT, bits_and),
  KVSQL_FUNCTION_2 ("&", BIGINT, BIGINT, BIGINT, bits_and),
  KVSQL_FUNCTION_2 ("|", INT, INT, INT, bits_or),
  KVSQL_FUNCTION_2 ("|", BIGINT, BIGINT, BIGINT, bits_or),
  KVSQL_FUNCTION_2 ("#", INT, INT, INT, bits_xor),
  KVSQL_FUNCTION_2 ("#", BIGINT, BIGINT, BIGINT, bits_xor),
  KVSQL_FUNCTION_2 ("<<", INT, INT, INT, int_left),
  KVSQL_FUNCTION_2 ("<<", BIGINT, BIGINT, BIGINT, bigint_left),
  KVSQL_FUNCTION_2 (">>", INT, INT, INT, int_right),
  KVSQL_FUNCTION_2 (">>", BIGINT, BIGINT, BIGINT, bigint_right),
  KVSQL_FUNCTION_1 ("~", INT, INT, bits_not),
  KVSQL_FUNCTION_1 ("~", BIGINT, BIGINT, bits_not),
  KVSQL_FUNCTION_2 ("trim", BYTES, BYTES, BYTES, trim_both, NULL, TRUE),
  KVSQL_FUNCTION_2 ("btrim", BYTES, BYTES, BYTES, trim_both, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ltrim", BYTES, BYTES, BYTES, trim_left, NULL, TRUE),
  KVSQL_FUNCTION_2 ("rtrim", BYTES, BYTES, BYTES, trim_right, NULL, TRUE),
  KVSQL_FUNCTION_2 ("get_byte", BYTES, INT, INT, get_byte),
  KVSQL_FUNCTION_3 ("set_byte", BYTES, INT, INT, BYTES, set_byte),
  KVSQL_FUNCTION_2 ("get_bit", BYTES, BIGINT, INT, get_bit),
  KVSQL_FUNCTION_3 ("set_bit", BYTES, BIGINT, INT, BYTES, set_bit),
  KVSQL_FUNCTION_1 ("bit_count", BYTES, BIGINT, bit_count, NULL, TRUE),
};

const KvsqlFunctionFamily kvsql_functions_bits = { functions, G_N_ELEMENTS (functions) };
