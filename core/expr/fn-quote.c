/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-quote.c: names and values as parts of statements, and format ().
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/conversion.h"
#include "core/expr/function.h"
#include "core/sql/lexer.h"

static void
append_quoted (KvsqlSlice text, gchar quote, GString *out)
{
  g_string_append_c (out, quote);
  for (gsize i = 0; i < text.size; i++)
    {
      if (text.data[i] == (guint8)quote)
        g_string_append_c (out, quote);
      g_string_append_c (out, (gchar)text.data[i]);
    }
  g_string_append_c (out, quote);
}

static void
append_name (KvsqlSlice name, GString *out)
{
  const gchar *text = (const gchar *)name.data;

  if (kvsql_lexer_needs_quotes (text, name.size))
    append_quoted (name, '"', out);
  else
    g_string_append_len (out, text, (gssize)name.size);
}

static gboolean
quote_ident (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_name (arguments[0].bytes, text);
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static gboolean
quote_literal (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_quoted (arguments[0].bytes, '\'', text);
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static gboolean
quote_nullable (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  if (!kvsql_value_is_null (&arguments[0]))
    return quote_literal (call, arguments, out, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("NULL") };
  return TRUE;
}

/* ---- format */

/* Of a width or a position: a result of so many characters is too long. */
#define MAX_NUMBER (KVSQL_FUNCTION_MAX_BYTES + 1)

/* % [position $] [-] [width | * | * position $] type */
typedef struct
{
  const gchar *at, *end;
  const KvsqlValue *values; /* texts or NULL */
  guint n_values;
  KvsqlArena *arena;
  guint next; /* the value that is used if no position is given, from 0 */
} Format;

static gboolean
read_number (Format *self, gint64 *out)
{
  const gchar *start = self->at;

  *out = 0;
  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    *out = MIN (*out * 10 + (*self->at - '0'), MAX_NUMBER);
  return self->at > start;
}

static gboolean
take_value (Format *self, gint64 position, const KvsqlValue **out, GError **error)
{
  if (position == 0)
    return kvsql_function_fail_as (
        error, "22023", "format specifies argument 0, but arguments are numbered from 1");
  if (position > self->n_values)
    return kvsql_function_fail_as (error, "22023", "too few arguments for format()");
  *out = &self->values[position - 1];
  self->next = (guint)position;
  return TRUE;
}

/* number $, or nothing: the next value. */
static gboolean
read_position (Format *self, gint64 *out)
{
  const gchar *start = self->at;

  if (read_number (self, out) && self->at < self->end && *self->at == '$')
    {
      self->at++;
      return TRUE;
    }
  self->at = start;
  *out = self->next + 1;
  return FALSE;
}

/* The values are texts by now, so that the width is one, too. */
static gboolean
parse_width (const Format *self, const KvsqlValue *text, gint64 *out, GError **error)
{
  KvsqlValue value;

  if (!kvsql_value_convert (text, KVSQL_TYPE_INT, self->arena, &value, error))
    return FALSE;
  *out = CLAMP (value.integer, -MAX_NUMBER, MAX_NUMBER);
  return TRUE;
}

static gboolean
read_width (Format *self, gboolean *is_left, gint64 *out, GError **error)
{
  const KvsqlValue *value;
  gint64 position;

  *out = 0;
  *is_left = FALSE;
  while (self->at < self->end && *self->at == '-')
    {
      *is_left = TRUE;
      self->at++;
    }
  if (self->at == self->end || *self->at != '*')
    {
      read_number (self, out);
      return TRUE;
    }
  self->at++;
  read_position (self, &position);
  if (!take_value (self, position, &value, error))
    return FALSE;
  if (!kvsql_value_is_null (value) && !parse_width (self, value, out, error))
    return FALSE;
  *is_left = *is_left || *out < 0;
  *out = ABS (*out);
  return TRUE;
}

static gboolean
append_value (gchar type, const KvsqlValue *value, GString *out, GError **error)
{
  gboolean is_null = kvsql_value_is_null (value);

  if (type == 'I' && is_null)
    return kvsql_function_fail_as (error, "22004",
                                   "null values cannot be formatted as an SQL identifier");
  if (type == 'I')
    append_name (value->bytes, out);
  else if (type == 'L' && is_null)
    g_string_append (out, "NULL");
  else if (type == 'L')
    append_quoted (value->bytes, '\'', out);
  else if (!is_null)
    g_string_append_len (out, (const gchar *)value->bytes.data, value->bytes.size);
  return TRUE;
}

/* After the % of a specifier that is not %%. */
static gboolean
append_specifier (Format *self, GString *out, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const KvsqlValue *value;
  gint64 position, width;
  gboolean is_left, has_position = read_position (self, &position);
  glong missing;

  if (!read_width (self, &is_left, &width, error))
    return FALSE;
  if (self->at == self->end)
    {
      kvsql_function_fail_as (error, "22023", "unterminated format() type specifier");
      return kvsql_error_hint (error, "For a single \"%%\" use \"%%%%\".");
    }
  if (strchr ("sIL", *self->at) == NULL)
    {
      kvsql_function_fail_as (error, "22023", "unrecognized format() type specifier \"%.*s\"",
                              (gint)(g_utf8_next_char (self->at) - self->at), self->at);
      return kvsql_error_hint (error, "For a single \"%%\" use \"%%%%\".");
    }
  if (!take_value (self, has_position ? position : self->next + 1, &value, error)
      || !append_value (*self->at++, value, text, error))
    return FALSE;
  missing = width - g_utf8_strlen (text->str, text->len);
  for (glong i = 0; i < missing && !is_left; i++)
    g_string_append_c (out, ' ');
  g_string_append_len (out, text->str, text->len);
  for (glong i = 0; i < missing && is_left; i++)
    g_string_append_c (out, ' ');
  return out->len <= KVSQL_FUNCTION_MAX_BYTES || kvsql_function_fail_too_long (error);
}

static gboolean
format_values (const KvsqlFunctionCall *call, KvsqlSlice pattern, const KvsqlValue *values, guint n,
               KvsqlValue *out, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Format format = { .values = values, .n_values = n, .arena = call->arena };

  format.at = pattern.size > 0 ? (const gchar *)pattern.data : "";
  format.end = format.at + pattern.size;
  while (format.at < format.end)
    {
      gchar c = *format.at++;
      if (c != '%')
        g_string_append_c (text, c);
      else if (format.at < format.end && *format.at == '%')
        g_string_append_c (text, *format.at++);
      else if (!append_specifier (&format, text, error))
        return FALSE;
    }
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static gboolean
format_alone (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return format_values (call, arguments[0].bytes, NULL, 0, out, error);
}

/* The binder has made a list of the texts of the values. */
static gboolean
format_list (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlValue *values;
  guint n;

  kvsql_list_split (arguments[1].type, arguments[1].bytes, call->arena, &values, &n);
  return format_values (call, arguments[0].bytes, values, n, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("quote_ident", STRING, STRING, quote_ident),
  KVSQL_FUNCTION_1 ("quote_literal", STRING, STRING, quote_literal),
  KVSQL_FUNCTION_1 ("quote_nullable", STRING, STRING, quote_nullable, .takes_nulls = TRUE),
  KVSQL_FUNCTION_1 ("format", STRING, STRING, format_alone),
  KVSQL_FUNCTION_2 ("format", STRING, LIST, STRING, format_list),
};

const KvsqlFunctionFamily kvsql_functions_quote = { functions, G_N_ELEMENTS (functions) };
