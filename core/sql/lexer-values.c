/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lexer-values.c: the values of literals.
 */
#include "config.h"

#include "core/sql/lexer.h"

#include <math.h>

#include "core/base/decimal.h"
#include "core/base/interrupt.h"
#include "core/sql/escaped-text.h"

KvsqlSlice
kvsql_lexer_get_string (const KvsqlLexer *self, const KvsqlToken *token, KvsqlArena *arena)
{
  const guint8 *from = self->text + token->span.offset;
  const guint8 *end = from + token->span.length - 1;
  guint8 quote = *from;
  guint8 *text = kvsql_arena_alloc (arena, token->span.length);
  gsize size = 0, unused;

  if (quote == 'e' || quote == 'E')
    {
      (void)kvsql_escaped_text_read (kvsql_slice (from + 2, token->span.length - 3), text, &size,
                                     &unused, &unused);
      text[size] = '\0';
      return kvsql_slice (text, size);
    }
  for (from++; from < end && kvsql_interrupt_tick_byte (size); from++)
    {
      text[size++] = *from;
      if (*from == quote)
        from++;
    }
  text[size] = '\0';
  return kvsql_slice (text, size);
}

KvsqlSlice
kvsql_lexer_get_bytes (const KvsqlLexer *self, const KvsqlToken *token, KvsqlArena *arena)
{
  const guint8 *digits = self->text + token->span.offset + 2;
  gsize size = (token->span.length - 3) / 2;
  guint8 *bytes = kvsql_arena_alloc (arena, size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = g_ascii_xdigit_value (digits[2 * i]) << 4 | g_ascii_xdigit_value (digits[2 * i + 1]);
  return kvsql_slice (bytes, size);
}

static gboolean
read_integer (KvsqlSlice digits, gboolean is_negative, gint64 *out)
{
  guint64 limit = is_negative ? (guint64)G_MAXINT64 + 1 : G_MAXINT64, magnitude = 0;

  for (gsize i = 0; i < digits.size; i++)
    {
      guint8 digit = digits.data[i] - '0';
      if (magnitude > (limit - digit) / 10)
        return FALSE;
      magnitude = magnitude * 10 + digit;
    }
  *out = is_negative ? (gint64)(0 - magnitude) : (gint64)magnitude;
  return TRUE;
}

static gboolean
read_real (KvsqlSlice text, gboolean is_negative, gdouble *out)
{
  g_autofree gchar *copy = g_strndup ((const gchar *)text.data, text.size);
  gdouble value = g_ascii_strtod (copy, NULL);

  /* only a number whose digits are all zero may be zero */
  if (isinf (value) || (value == 0 && strcspn (copy, "123456789") < strcspn (copy, "eE")))
    return FALSE;
  *out = is_negative ? -value : value;
  return TRUE;
}

gboolean
kvsql_lexer_get_number (const KvsqlLexer *self, const KvsqlToken *token, gboolean is_negative,
                        KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  KvsqlSlice text = kvsql_lexer_get_text (self, token->span), decimal;
  KvsqlValue value = KVSQL_VALUE_NULL;

  if (token->kind == KVSQL_TOKEN_INTEGER && read_integer (text, is_negative, &value.integer))
    value.type = KVSQL_TYPE_BIGINT;
  else if (token->kind == KVSQL_TOKEN_REAL)
    {
      value.type = KVSQL_TYPE_DOUBLE;
      if (!read_real (text, is_negative, &value.real))
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, token->span,
                                "\"%.*s\" is out of range for type DOUBLE",
                                (gint)MIN (text.size, 40), (const gchar *)text.data)
               || kvsql_error_sqlstate (error, "22003");
    }
  else
    {
      value.type = KVSQL_TYPE_DECIMAL;
      if (!kvsql_decimal_parse (text, arena, &decimal, error))
        return kvsql_error_at (error, token->span);
      value.bytes = decimal;
      if (is_negative && !kvsql_slice_equal (decimal, KVSQL_SLICE_LITERAL ("0")))
        value.bytes = kvsql_slice_from_text (
            kvsql_arena_printf (arena, "-%.*s", (gint)decimal.size, (const gchar *)decimal.data));
    }
  *out = value;
  return TRUE;
}

gboolean
kvsql_lexer_get_parameter (const KvsqlLexer *self, const KvsqlToken *token, guint most, guint *out,
                           GError **error)
{
  KvsqlSlice text = kvsql_lexer_get_text (self, token->span);
  guint64 number = 0;

  for (gsize i = 1; i < text.size && number <= most; i++)
    number = number * 10 + (guint64)(text.data[i] - '0');
  if (number == 0)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, token->span, "there is no parameter $0")
           || kvsql_error_hint (error, "The first one is $1.");
  if (number > most)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, token->span,
                            "statement has more than %u parameters", most);
  *out = (guint)number;
  return TRUE;
}
