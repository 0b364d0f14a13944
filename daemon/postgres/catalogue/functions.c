/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * functions.c: see functions.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/functions.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/sql/lexer.h"
#include "daemon/postgres/catalogue/array.h"
#include "daemon/postgres/catalogue/facts.h"

#define MAX_SERIES 100000
#define MAX_PATTERN 1000
#define MAX_SUBJECT 10000
#define MAX_NAME 1000

/* ---- values */

static KvsqlSlice
text_of (const KvsqlValue *value, KvsqlArena *arena)
{
  switch (value->type)
    {
    case KVSQL_TYPE_STRING:
      return value->bytes;
    case KVSQL_TYPE_NULL:
      return KVSQL_SLICE_EMPTY;
    case KVSQL_TYPE_DOUBLE:
      return kvsql_slice_from_text (kvsql_arena_printf (arena, "%.15g", value->real));
    default:
      return kvsql_slice_from_text (
          kvsql_arena_printf (arena, "%" G_GINT64_FORMAT, value->integer));
    }
}

static const gchar *
string_of (const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlSlice text = text_of (value, arena);

  return kvsql_arena_strndup (arena, (const gchar *)text.data ?: "", text.size);
}

static gint64
integer_of (const KvsqlValue *value)
{
  if (value->type == KVSQL_TYPE_DOUBLE)
    return (gint64)value->real;
  return value->type == KVSQL_TYPE_BIGINT ? value->integer : 0;
}

/* A place in a text or an array: sums of two are no more than 64 bits. */
static gint64
place_of (const KvsqlValue *value)
{
  return CLAMP (integer_of (value), G_MININT32, G_MAXINT32);
}

static gboolean
give_text (KvsqlSlice text, KvsqlValue *out)
{
  *out = text.data == NULL ? KVSQL_VALUE_NULL
                           : (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = text };
  return TRUE;
}

static gboolean
give_string (const gchar *text, KvsqlArena *arena, KvsqlValue *out)
{
  return give_text (kvsql_slice_from_text (kvsql_arena_strdup (arena, text)), out);
}

static gboolean
give_integer (gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = integer };
  return TRUE;
}

#define FUNCTION(name)                                                                             \
  static gboolean name (G_GNUC_UNUSED const KvsqlValue *arguments, G_GNUC_UNUSED guint n,          \
                        G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED KvsqlArena *arena,              \
                        G_GNUC_UNUSED KvsqlValue *out, G_GNUC_UNUSED GError **error)

/* ---- names */

gchar *
kvsqld_pg_quote_ident (const gchar *name)
{
  gboolean is_plain = g_ascii_islower (name[0]) || name[0] == '_';
  GString *out;

  for (const gchar *at = name; is_plain && *at != '\0'; at++)
    is_plain = g_ascii_islower (*at) || g_ascii_isdigit (*at) || *at == '_';
  if (is_plain && !kvsql_keyword_is_reserved (kvsql_keyword_find (name, strlen (name))))
    return g_strdup (name);
  out = g_string_new ("\"");
  for (const gchar *at = name; *at != '\0'; at++)
    {
      if (*at == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *at);
    }
  g_string_append_c (out, '"');
  return g_string_free (out, FALSE);
}

FUNCTION (quote_ident)
{
  g_autofree gchar *quoted = kvsqld_pg_quote_ident (string_of (&arguments[0], arena));

  return give_string (quoted, arena, out);
}

/* The parts of a name that may be qualified and quoted. */
static KvsqlSlice *
split_name (const gchar *text, KvsqlArena *arena, guint *out_n)
{
  KvsqlSlice *parts = kvsql_arena_array (arena, KvsqlSlice, strlen (text) + 1);

  *out_n = 0;
  if (strlen (text) > MAX_NAME) /* no object has such a name */
    text = "";
  for (;;)
    {
      gchar *part = kvsql_arena_alloc (arena, strlen (text) + 1);
      gsize size = 0;
      gboolean is_quoted = *text == '"';

      if (is_quoted)
        text++;
      for (; *text != '\0' && (is_quoted || *text != '.'); text++)
        {
          if (is_quoted && *text == '"' && *++text != '"')
            break;
          part[size++] = is_quoted ? *text : g_ascii_tolower (*text);
        }
      part[size] = '\0';
      parts[(*out_n)++] = kvsql_slice (part, size);
      if (*text != '.')
        return parts;
      text++;
    }
}

FUNCTION (name_of)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (string_of (&arguments[0], arena), arena, &n_parts);

  return give_text (parts[n_parts - 1], out);
}

FUNCTION (qualifier_of)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (string_of (&arguments[0], arena), arena, &n_parts);

  return n_parts < 2 || give_text (parts[n_parts - 2], out);
}

FUNCTION (parse_ident)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (string_of (&arguments[0], arena), arena, &n_parts);

  return give_text (kvsqld_pg_array_write (parts, n_parts, arena), out);
}

/* The number that is the whole text; else NULL. */
FUNCTION (number_of)
{
  const gchar *text = string_of (&arguments[0], arena);

  if (*text == '\0' || strspn (text, "0123456789") != strlen (text))
    return TRUE;
  return give_integer ((gint64)g_ascii_strtoull (text, NULL, 10), out);
}

FUNCTION (fail)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE, "%s \"%s\" does not exist",
                   string_of (&arguments[1], arena), string_of (&arguments[2], arena));
  return kvsql_error_sqlstate (error, string_of (&arguments[0], arena));
}

/* ---- types */

static const gchar *
spell_type (const KvsqldPgTypeFacts *type)
{
  static const struct
  {
    guint32 oid;
    const gchar *name;
  } spellings[] = { { KVSQLD_PGT_BOOL, "boolean" },
                    { KVSQLD_PGT_CHAR, "\"char\"" },
                    { KVSQLD_PGT_INT8, "bigint" },
                    { KVSQLD_PGT_INT2, "smallint" },
                    { KVSQLD_PGT_INT4, "integer" },
                    { KVSQLD_PGT_FLOAT4, "real" },
                    { KVSQLD_PGT_FLOAT8, "double precision" },
                    { KVSQLD_PGT_BPCHAR, "character" },
                    { KVSQLD_PGT_VARCHAR, "character varying" },
                    { 1083, "time without time zone" },
                    { KVSQLD_PGT_TIMESTAMP, "timestamp without time zone" },
                    { KVSQLD_PGT_TIMESTAMPTZ, "timestamp with time zone" },
                    { 1266, "time with time zone" },
                    { 1562, "bit varying" } };

  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    if (spellings[i].oid == type->oid)
      return spellings[i].name;
  return type->name;
}

gchar *
kvsqld_pg_format_type (guint32 oid, gint64 modifier, gboolean has_modifier)
{
  const KvsqldPgTypeFacts *type = kvsqld_pg_facts_find_type (oid);
  const KvsqldPgTypeFacts *element;

  if (oid == 0)
    return g_strdup ("-");
  if (type == NULL)
    return g_strdup ("???");
  element = type->category == 'A' && type->size == -1 ? kvsqld_pg_facts_find_type (type->element)
                                                      : NULL;
  if (element != NULL)
    {
      g_autofree gchar *inner = kvsqld_pg_format_type (element->oid, modifier, has_modifier);

      return g_strconcat (inner, "[]", NULL);
    }
  if (has_modifier && modifier >= 4)
    {
      gint64 size = modifier - 4;

      if (oid == KVSQLD_PGT_VARCHAR || oid == KVSQLD_PGT_BPCHAR)
        return g_strdup_printf ("%s(%" G_GINT64_FORMAT ")", spell_type (type), size);
      if (oid == KVSQLD_PGT_NUMERIC)
        return g_strdup_printf ("numeric(%d,%d)", (gint)(size >> 16), (gint)(size & 0xffff));
    }
  /* without a limit the name would mean character(1) */
  return g_strdup (oid == KVSQLD_PGT_BPCHAR && has_modifier ? "bpchar" : spell_type (type));
}

FUNCTION (format_type)
{
  g_autofree gchar *name = NULL;

  if (kvsql_value_is_null (&arguments[0]))
    return TRUE;
  name = kvsqld_pg_format_type ((guint32)integer_of (&arguments[0]), integer_of (&arguments[1]),
                                !kvsql_value_is_null (&arguments[1]));
  return give_string (name, arena, out);
}

/* The type of a name as it is written in SQL; else NULL. */
FUNCTION (type_named)
{
  guint n_parts;
  const gchar *text = string_of (&arguments[0], arena);
  const KvsqlSlice *parts = split_name (text, arena, &n_parts);
  g_autofree gchar *name = NULL;
  const KvsqldPgTypeFacts *type;
  gboolean is_array = g_str_has_suffix (text, "[]");

  name = g_strndup ((const gchar *)parts[n_parts - 1].data,
                    parts[n_parts - 1].size - (is_array ? 2 : 0));
  type = kvsqld_pg_facts_find_type_name (name);
  for (guint32 oid = 16; type == NULL && oid < 2000; oid++)
    {
      const KvsqldPgTypeFacts *each = kvsqld_pg_facts_find_type (oid);

      if (each != NULL
          && (g_str_equal (spell_type (each), name)
              || (oid == KVSQLD_PGT_INT4 && g_str_equal (name, "int"))))
        type = each;
    }
  if (type == NULL)
    return TRUE;
  return give_integer (is_array ? type->array : type->oid, out);
}

static KvsqlSlice
map_types (KvsqlSlice numbers, KvsqlArena *arena, GString *joined)
{
  guint n;
  KvsqlSlice *elements = kvsqld_pg_array_read (numbers, arena, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *name = NULL;

      if (elements[i].data == NULL)
        continue;
      name = g_strndup ((const gchar *)elements[i].data, elements[i].size);
      g_autofree gchar *spelt
          = kvsqld_pg_format_type ((guint32)g_ascii_strtoull (name, NULL, 10), 0, FALSE);

      elements[i] = kvsql_slice_from_text (kvsql_arena_strdup (arena, spelt));
      if (joined != NULL)
        g_string_append_printf (joined, "%s%s", i > 0 ? ", " : "", spelt);
    }
  return kvsqld_pg_array_write (elements, n, arena);
}

FUNCTION (type_names)
{
  return give_text (map_types (text_of (&arguments[0], arena), arena, NULL), out);
}

FUNCTION (join_types)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  map_types (text_of (&arguments[0], arena), arena, joined);
  return give_string (joined->str, arena, out);
}

/* ---- casts */

static gboolean
fail_input (const gchar *type, const gchar *text, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid input syntax for type %s: \"%.40s\"", type, text);
  return kvsql_error_sqlstate (error, "22P02");
}

FUNCTION (to_integer)
{
  g_autofree gchar *text = g_strstrip (g_strdup (string_of (&arguments[0], arena)));
  gchar *end;
  gint64 value = g_ascii_strtoll (text, &end, 10);

  if (*text == '\0' || *end != '\0')
    return fail_input ("integer", text, error);
  return give_integer (value, out);
}

FUNCTION (to_real)
{
  g_autofree gchar *text = g_strstrip (g_strdup (string_of (&arguments[0], arena)));
  gchar *end;
  gdouble value = g_ascii_strtod (text, &end);

  if (*text == '\0' || *end != '\0')
    return fail_input ("double precision", text, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = value };
  return TRUE;
}

FUNCTION (to_boolean)
{
  static const gchar *const yes[] = { "t", "true", "y", "yes", "on", "1", NULL };
  static const gchar *const no[] = { "f", "false", "n", "no", "off", "0", NULL };
  g_autofree gchar *text = g_ascii_strdown (string_of (&arguments[0], arena), -1);

  if (!g_strv_contains (yes, text) && !g_strv_contains (no, text))
    return fail_input ("boolean", text, error);
  return give_integer (g_strv_contains (yes, text), out);
}

/* ---- arrays */

/* FALSE with an error: it is no array. */
static gboolean
read_array (const KvsqlValue *value, KvsqlArena *arena, KvsqlSlice **out, guint *out_n,
            GError **error)
{
  KvsqlSlice text = text_of (value, arena);

  *out = kvsqld_pg_array_read (text, arena, out_n);
  if (*out != NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "malformed array literal: \"%.*s\"",
                   (gint)MIN (text.size, 40), (const gchar *)text.data);
  return kvsql_error_sqlstate (error, "22P02");
}

FUNCTION (array_of)
{
  KvsqlSlice *elements = kvsql_arena_array (arena, KvsqlSlice, n + 1);

  for (guint i = 0; i < n; i++)
    elements[i] = text_of (&arguments[i], arena);
  return give_text (kvsqld_pg_array_write (elements, n, arena), out);
}

FUNCTION (vector_array)
{
  guint n_elements;
  KvsqlSlice *elements;

  return read_array (&arguments[0], arena, &elements, &n_elements, error)
         && give_text (kvsqld_pg_array_write (elements, n_elements, arena), out);
}

/* kvsql_element (array, index, first index, is it a number) */
FUNCTION (element_of)
{
  guint n_elements;
  KvsqlSlice *elements;
  gint64 at = place_of (&arguments[1]) - place_of (&arguments[2]);

  if (!read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  if (at < 0 || at >= n_elements || elements[at].data == NULL)
    return TRUE;
  if (integer_of (&arguments[3]) == 0)
    return give_text (elements[at], out);
  return give_integer (
      g_ascii_strtoll (
          kvsql_arena_strndup (arena, (const gchar *)elements[at].data, elements[at].size), NULL,
          10),
      out);
}

FUNCTION (count_of)
{
  guint n_elements;
  KvsqlSlice *elements;

  return read_array (&arguments[0], arena, &elements, &n_elements, error)
         && give_integer (n_elements, out);
}

/* kvsql_array_cat (a, b, is a an array, is b an array) */
FUNCTION (array_cat)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));

  for (guint i = 0; i < 2; i++)
    {
      KvsqlSlice single = text_of (&arguments[i], arena), *elements = &single;
      guint n_elements = 1;

      if (integer_of (&arguments[2 + i]) != 0)
        {
          if (kvsql_value_is_null (&arguments[i]))
            continue;
          if (!read_array (&arguments[i], arena, &elements, &n_elements, error))
            return FALSE;
        }
      g_array_append_vals (all, elements, n_elements);
    }
  if (kvsql_value_is_null (&arguments[0]) && kvsql_value_is_null (&arguments[1]))
    return TRUE;
  return give_text (kvsqld_pg_array_write ((const KvsqlSlice *)all->data, all->len, arena), out);
}

FUNCTION (position_of)
{
  guint n_elements;
  KvsqlSlice *elements, wanted = text_of (&arguments[1], arena);

  if (!read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    if (elements[i].data != NULL && kvsql_slice_equal (elements[i], wanted))
      return give_integer (i + 1, out);
  return TRUE;
}

FUNCTION (join)
{
  guint n_elements;
  KvsqlSlice *elements, separator = text_of (&arguments[1], arena);
  KvsqlSlice instead = text_of (&arguments[2], arena);
  g_autoptr (GString) joined = g_string_new (NULL);
  gboolean is_first = TRUE;

  if (kvsql_value_is_null (&arguments[0]) || kvsql_value_is_null (&arguments[1]))
    return TRUE;
  if (!read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    {
      KvsqlSlice element = elements[i].data != NULL ? elements[i] : instead;

      if (element.data == NULL)
        continue;
      if (!is_first)
        g_string_append_len (joined, (const gchar *)separator.data, (gssize)separator.size);
      g_string_append_len (joined, (const gchar *)element.data, (gssize)element.size);
      is_first = FALSE;
    }
  return give_string (joined->str, arena, out);
}

FUNCTION (split)
{
  const gchar *text = string_of (&arguments[0], arena), *separator;
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));

  separator = string_of (&arguments[1], arena);
  while (*text != '\0')
    {
      const gchar *end = *separator != '\0' ? strstr (text, separator) : NULL;
      const KvsqlSlice part = kvsql_slice (text, end != NULL ? (gsize)(end - text) : strlen (text));

      g_array_append_val (parts, part);
      if (end == NULL)
        break;
      text = end + strlen (separator);
      if (*text == '\0')
        {
          const KvsqlSlice last = kvsql_slice ("", 0);

          g_array_append_val (parts, last);
        }
    }
  return give_text (kvsqld_pg_array_write ((const KvsqlSlice *)parts->data, parts->len, arena),
                    out);
}

/* Whether a comparison of @value with @element holds; both are numbers if both look so. */
static gboolean
holds (const gchar *operator, const KvsqlValue * value, KvsqlSlice element, KvsqlArena *arena)
{
  gint order;

  if (operator[0] == '~')
    return element.size <= MAX_PATTERN
           && g_regex_match_simple (
               kvsql_arena_strndup (arena, (const gchar *)element.data, element.size),
               string_of (value, arena), 0, 0);
  if (value->type == KVSQL_TYPE_BIGINT)
    {
      gint64 number = g_ascii_strtoll (
          kvsql_arena_strndup (arena, (const gchar *)element.data, element.size), NULL, 10);

      order = value->integer < number ? -1 : value->integer > number;
    }
  else
    order = kvsql_slice_compare (text_of (value, arena), element);
  if (g_str_equal (operator, "="))
    return order == 0;
  if (g_str_equal (operator, "<>") || g_str_equal (operator, "!="))
    return order != 0;
  if (operator[0] == '<')
    return order < 0 || (operator[1] == '=' && order == 0);
  return order > 0 || (operator[1] == '=' && order == 0);
}

static gboolean
quantify (const KvsqlValue *arguments, gboolean is_all, KvsqlArena *arena, KvsqlValue *out,
          GError **error)
{
  const gchar *operator= string_of (&arguments[0], arena);
  guint n_elements;
  KvsqlSlice *elements;
  gboolean has_null = FALSE;

  if (!read_array (&arguments[2], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    if (elements[i].data == NULL)
      has_null = TRUE;
    else if (holds (operator, & arguments[1], elements[i], arena) != is_all)
      return give_integer (!is_all, out);
  return has_null || give_integer (is_all, out);
}

FUNCTION (any) { return quantify (arguments, FALSE, arena, out, error); }

FUNCTION (all) { return quantify (arguments, TRUE, arena, out, error); }

/* ---- lists for json_each () */

static void
append_json (GString *out, KvsqlSlice element)
{
  if (element.data == NULL)
    {
      g_string_append (out, "null");
      return;
    }
  g_string_append_c (out, '"');
  for (gsize i = 0; i < element.size; i++)
    {
      guint8 c = element.data[i];

      if (c == '"' || c == '\\')
        g_string_append_c (out, '\\');
      if (c < 0x20)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_c (out, (gchar)c);
    }
  g_string_append_c (out, '"');
}

FUNCTION (list)
{
  guint n_elements;
  KvsqlSlice *elements;
  g_autoptr (GString) json = g_string_new ("[");

  if (!read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      append_json (json, elements[i]);
    }
  g_string_append_c (json, ']');
  return give_string (json->str, arena, out);
}

static gboolean
give_series (gint64 first, gint64 last, gint64 step, KvsqlArena *arena, KvsqlValue *out,
             GError **error)
{
  g_autoptr (GString) json = g_string_new ("[");
  guint n = 0;

  if (step == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "step size cannot equal zero");
      return kvsql_error_sqlstate (error, "22023");
    }
  for (gint64 i = first; step > 0 ? i <= last : i >= last; i += step)
    {
      if (n++ >= MAX_SERIES)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "a series in the catalogue has at most %d numbers", MAX_SERIES);
      g_string_append_printf (json, "%s%" G_GINT64_FORMAT, n > 1 ? "," : "", i);
      if (step > 0 ? i > G_MAXINT64 - step : i < G_MININT64 - step)
        break;
    }
  g_string_append_c (json, ']');
  return give_string (json->str, arena, out);
}

FUNCTION (series)
{
  return give_series (integer_of (&arguments[0]), integer_of (&arguments[1]),
                      integer_of (&arguments[2]), arena, out, error);
}

FUNCTION (subscripts)
{
  guint n_elements;
  KvsqlSlice *elements, text = text_of (&arguments[0], arena);
  gint first = text.size > 0 && text.data[0] == '{' ? 1 : 0;

  return read_array (&arguments[0], arena, &elements, &n_elements, error)
         && give_series (first, first + (gint64)n_elements - 1, 1, arena, out, error);
}

FUNCTION (keywords)
{
  g_autoptr (GString) json = g_string_new ("[");

#define APPEND(WORD, is_reserved)                                                                  \
  g_string_append_printf (json, "%s\"" #WORD "\"", json->len > 1 ? "," : "");
  KVSQL_KEYWORDS (APPEND)
#undef APPEND
  g_string_append_c (json, ']');
  g_string_ascii_down (json);
  return give_string (json->str, arena, out);
}

/* ---- patterns */

static GRegex *
compile (const KvsqlValue *pattern, gboolean ignores_case, KvsqlArena *arena, GError **error)
{
  const gchar *text = string_of (pattern, arena);
  g_autoptr (GError) inner = NULL;
  GRegex *regex;

  if (strlen (text) > MAX_PATTERN)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "a regular expression in the catalogue has at most %d bytes", MAX_PATTERN);
      return NULL;
    }
  regex = g_regex_new (text, ignores_case ? G_REGEX_CASELESS : 0, 0, &inner);
  if (regex == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid regular expression: %s",
                       inner->message);
      kvsql_error_sqlstate (error, "2201B");
    }
  return regex;
}

static gboolean
match (const KvsqlValue *value, const KvsqlValue *pattern, gboolean ignores_case, KvsqlArena *arena,
       gboolean *out, GError **error)
{
  g_autoptr (GRegex) regex = compile (pattern, ignores_case, arena, error);
  const gchar *subject = string_of (value, arena);

  if (regex == NULL)
    return FALSE;
  if (strlen (subject) > MAX_SUBJECT)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "a text to be matched has at most %d bytes", MAX_SUBJECT);
  *out = g_utf8_validate (subject, -1, NULL) && g_regex_match (regex, subject, 0, NULL);
  return kvsql_interrupt_check (error); /* a match may take long */
}

FUNCTION (regex)
{
  gboolean matches;

  return match (&arguments[0], &arguments[1], integer_of (&arguments[2]) != 0, arena, &matches,
                error)
         && give_integer (matches, out);
}

FUNCTION (regexp_replace)
{
  const gchar *flags = string_of (&arguments[3], arena);
  g_autoptr (GRegex) regex = compile (&arguments[1], strchr (flags, 'i') != NULL, arena, error);
  const gchar *subject = string_of (&arguments[0], arena);
  g_autofree gchar *replaced = NULL;
  g_autoptr (GMatchInfo) found = NULL;

  if (regex == NULL)
    return FALSE;
  if (strlen (subject) > MAX_SUBJECT || !g_utf8_validate (subject, -1, NULL))
    return give_string (subject, arena, out);
  if (strchr (flags, 'g') != NULL)
    replaced = g_regex_replace (regex, subject, -1, 0, string_of (&arguments[2], arena), 0, NULL);
  else if (g_regex_match (regex, subject, 0, &found))
    {
      gint start, end;
      g_autofree gchar *with
          = g_match_info_expand_references (found, string_of (&arguments[2], arena), NULL);

      g_match_info_fetch_pos (found, 0, &start, &end);
      replaced
          = g_strdup_printf ("%.*s%s%s", start, subject, with != NULL ? with : "", subject + end);
    }
  return give_string (replaced != NULL ? replaced : subject, arena, out);
}

/* Without recursion: % is tried again one byte further. */
static gboolean
is_like (const gchar *text, const gchar *pattern)
{
  const gchar *retry_pattern = NULL, *retry_text = NULL;

  while (*text != '\0')
    {
      const gchar *literal = *pattern == '\\' && pattern[1] != '\0' ? pattern + 1 : pattern;

      if (*pattern == '%')
        {
          retry_pattern = ++pattern;
          retry_text = text;
        }
      else if (*pattern == '_')
        {
          pattern++;
          text = g_utf8_next_char (text);
        }
      else if (*literal == *text && *pattern != '\0')
        {
          pattern = literal + 1;
          text++;
        }
      else if (retry_pattern != NULL)
        {
          pattern = retry_pattern;
          text = ++retry_text;
        }
      else
        return FALSE;
    }
  while (*pattern == '%')
    pattern++;
  return *pattern == '\0';
}

FUNCTION (like)
{
  const gchar *text = string_of (&arguments[0], arena), *pattern = string_of (&arguments[1], arena);

  if (strlen (text) > MAX_SUBJECT || strlen (pattern) > MAX_SUBJECT
      || !g_utf8_validate (text, -1, NULL))
    return give_integer (FALSE, out);
  if (integer_of (&arguments[2]) != 0)
    {
      g_autofree gchar *lower = g_utf8_strdown (text, -1);
      g_autofree gchar *lower_pattern = g_utf8_strdown (pattern, -1);

      return give_integer (is_like (lower, lower_pattern), out);
    }
  return give_integer (is_like (text, pattern), out);
}

/* A pattern with another escape character than a backslash. */
FUNCTION (escape)
{
  const gchar *pattern = string_of (&arguments[0], arena);
  const gchar *character = string_of (&arguments[1], arena);
  g_autoptr (GString) escaped = g_string_new (NULL);

  for (; *pattern != '\0'; pattern++)
    if (*pattern == *character && pattern[1] != '\0')
      g_string_append_printf (escaped, "\\%c", *++pattern);
    else if (*pattern == '\\')
      g_string_append (escaped, "\\\\");
    else
      g_string_append_c (escaped, *pattern);
  return give_string (escaped->str, arena, out);
}

FUNCTION (starts)
{
  return give_integer (
      g_str_has_prefix (string_of (&arguments[0], arena), string_of (&arguments[1], arena)), out);
}

/* ---- other texts */

FUNCTION (upper)
{
  g_autofree gchar *changed = g_utf8_strup (string_of (&arguments[0], arena), -1);

  return give_string (changed, arena, out);
}

FUNCTION (lower)
{
  g_autofree gchar *changed = g_utf8_strdown (string_of (&arguments[0], arena), -1);

  return give_string (changed, arena, out);
}

/* By a pattern: its first group, or all. */
static gboolean
give_part (const KvsqlValue *arguments, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  g_autoptr (GRegex) regex = compile (&arguments[1], FALSE, arena, error);
  g_autoptr (GMatchInfo) found = NULL;
  const gchar *subject = string_of (&arguments[0], arena);

  if (regex == NULL)
    return FALSE;
  if (strlen (subject) > MAX_SUBJECT || !g_utf8_validate (subject, -1, NULL)
      || !g_regex_match (regex, subject, 0, &found))
    return TRUE;
  g_autofree gchar *part = g_match_info_fetch (found, g_regex_get_capture_count (regex) > 0);
  return give_string (part != NULL ? part : "", arena, out);
}

FUNCTION (substring)
{
  const gchar *text = string_of (&arguments[0], arena);
  gint64 first = place_of (&arguments[1]), size, end;

  if (kvsql_value_is_null (&arguments[0]) || kvsql_value_is_null (&arguments[1]))
    return TRUE;
  if (arguments[1].type == KVSQL_TYPE_STRING)
    return give_part (arguments, arena, out, error);
  size = g_utf8_strlen (text, -1);
  end = size + 1;
  if (!kvsql_value_is_null (&arguments[2]))
    end = CLAMP (first + place_of (&arguments[2]), 1, end);
  first = MAX (first, 1);
  if (first >= end)
    return give_string ("", arena, out);
  text = g_utf8_offset_to_pointer (text, first - 1);
  return give_text (
      kvsql_slice (text, (gsize)(g_utf8_offset_to_pointer (text, end - first) - text)), out);
}

FUNCTION (concat)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (joined, string_of (&arguments[i], arena));
  return give_string (joined->str, arena, out);
}

FUNCTION (concat_ws)
{
  g_autoptr (GString) joined = g_string_new (NULL);
  gboolean is_first = TRUE;

  if (n == 0 || kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (guint i = 1; i < n; i++)
    if (!kvsql_value_is_null (&arguments[i]))
      {
        if (!is_first)
          g_string_append (joined, string_of (&arguments[0], arena));
        g_string_append (joined, string_of (&arguments[i], arena));
        is_first = FALSE;
      }
  return give_string (joined->str, arena, out);
}

/* %s, %I, %L and %% */
FUNCTION (format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint next = 1;

  if (n == 0 || kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (const gchar *at = string_of (&arguments[0], arena); *at != '\0'; at++)
    {
      const gchar *value;

      if (*at != '%' || at[1] == '\0')
        {
          g_string_append_c (text, *at);
          continue;
        }
      at++;
      if (*at == '%')
        {
          g_string_append_c (text, '%');
          continue;
        }
      if (strchr ("sIL", *at) == NULL || next >= n)
        {
          kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                           next >= n ? "too few arguments for format()"
                                     : "unrecognized format() type specifier");
          return kvsql_error_sqlstate (error, "22023");
        }
      value = string_of (&arguments[next++], arena);
      if (*at == 's')
        g_string_append (text, value);
      else if (*at == 'I')
        {
          g_autofree gchar *quoted = kvsqld_pg_quote_ident (value);

          g_string_append (text, quoted);
        }
      else
        {
          g_auto (GStrv) parts = g_strsplit (value, "'", -1);
          g_autofree gchar *doubled = g_strjoinv ("''", parts);

          g_string_append_printf (text, "'%s'", doubled);
        }
    }
  return give_string (text->str, arena, out);
}

static gint
compare (const KvsqlValue *a, const KvsqlValue *b, KvsqlArena *arena)
{
  if (a->type == KVSQL_TYPE_BIGINT && b->type == KVSQL_TYPE_BIGINT)
    return a->integer < b->integer ? -1 : a->integer > b->integer;
  return kvsql_slice_compare (text_of (a, arena), text_of (b, arena));
}

static gboolean
choose (const KvsqlValue *arguments, guint n, gint sign, KvsqlArena *arena, KvsqlValue *out)
{
  for (guint i = 0; i < n; i++)
    if (!kvsql_value_is_null (&arguments[i])
        && (kvsql_value_is_null (out) || sign * compare (&arguments[i], out, arena) > 0))
      *out = arguments[i];
  return TRUE;
}

FUNCTION (greatest) { return choose (arguments, n, 1, arena, out); }

FUNCTION (least) { return choose (arguments, n, -1, arena, out); }

/* ---- the session */

FUNCTION (session)
{
  const KvsqldPgCatalogueSession *self = data;
  const gchar *what = string_of (&arguments[0], arena);

  if (g_str_equal (what, "user"))
    return give_string (self->user, arena, out);
  if (g_str_equal (what, "database"))
    return give_string (self->database, arena, out);
  if (g_str_equal (what, "version"))
    return give_string (self->version, arena, out);
  return give_string (kvsql_arena_printf (arena, "%u", self->process_id), arena, out);
}

/* What drivers and tools ask for, and SHOW has not. */
static const struct
{
  const gchar *name, *value;
} constants[] = {
  { "default_table_access_method", "heap" },
  { "default_tablespace", "" },
  { "lc_collate", "C.UTF-8" },
  { "lc_ctype", "C.UTF-8" },
  { "max_identifier_length", "63" },
  { "max_index_keys", "32" },
};

static const gchar *
find_setting (const KvsqldPgCatalogueSession *session, const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    if (g_str_equal (constants[i].name, name))
      return constants[i].value;
  return session->get_setting (session->settings, name);
}

FUNCTION (setting)
{
  const gchar *name = string_of (&arguments[0], arena), *value = find_setting (data, name);

  if (value != NULL)
    return give_string (value, arena, out);
  if (integer_of (&arguments[1]) != 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "unrecognized configuration parameter \"%s\"", name);
  return kvsql_error_sqlstate (error, "42704");
}

FUNCTION (set_config)
{
  const KvsqldPgCatalogueSession *self = data;
  const gchar *name = string_of (&arguments[0], arena);
  const gchar *value = string_of (&arguments[1], arena);

  if (!self->set_setting (self->settings, name, value, integer_of (&arguments[2]) != 0, error))
    return FALSE;
  return give_string (value, arena, out);
}

/* ---- aggregates */

typedef struct
{
  const KvsqlValue *rows;
  const gchar *directions;
  guint n_arguments;
  guint first_key;
  KvsqlArena *arena;
} Sorting;

static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  const guint *at = a, *bt = b;

  for (guint k = sorting->first_key; k < sorting->n_arguments; k++)
    {
      const KvsqlValue *x = &sorting->rows[*at * sorting->n_arguments + k];
      const KvsqlValue *y = &sorting->rows[*bt * sorting->n_arguments + k];
      gint order = kvsql_value_is_null (x) || kvsql_value_is_null (y)
                       ? kvsql_value_is_null (x) - kvsql_value_is_null (y)
                       : compare (x, y, sorting->arena);

      if (order != 0)
        return sorting->directions[k - sorting->first_key] == 'd' ? -order : order;
    }
  return *at < *bt ? -1 : *at > *bt;
}

/* The numbers of the rows, in the order of their keys, which follow the first @first_key
 * arguments. */
static guint *
sort_rows (const KvsqlValue *rows, guint n_rows, guint n_arguments, guint first_key,
           KvsqlArena *arena)
{
  Sorting sorting = { rows, string_of (&rows[0], arena), n_arguments, first_key, arena };
  guint *order = kvsql_arena_array (arena, guint, n_rows);

  for (guint i = 0; i < n_rows; i++)
    order[i] = i;
  if (n_arguments > first_key)
    g_qsort_with_data (order, (gint)n_rows, sizeof *order, compare_rows, &sorting);
  return order;
}

static gboolean
array_agg (const KvsqlValue *rows, guint n_rows, guint n_arguments, KvsqlArena *arena,
           KvsqlValue *out, G_GNUC_UNUSED GError **error)
{
  const guint *order = sort_rows (rows, n_rows, n_arguments, 2, arena);
  KvsqlSlice *elements = kvsql_arena_array (arena, KvsqlSlice, n_rows);

  for (guint i = 0; i < n_rows; i++)
    elements[i] = text_of (&rows[order[i] * n_arguments + 1], arena);
  return give_text (kvsqld_pg_array_write (elements, n_rows, arena), out);
}

static gboolean
string_agg (const KvsqlValue *rows, guint n_rows, guint n_arguments, KvsqlArena *arena,
            KvsqlValue *out, G_GNUC_UNUSED GError **error)
{
  const guint *order = sort_rows (rows, n_rows, n_arguments, 3, arena);
  g_autoptr (GString) joined = g_string_new (NULL);
  gboolean is_first = TRUE;

  for (guint i = 0; i < n_rows; i++)
    {
      const KvsqlValue *row = &rows[order[i] * n_arguments];

      if (kvsql_value_is_null (&row[1]))
        continue;
      if (!is_first)
        g_string_append (joined, string_of (&row[2], arena));
      g_string_append (joined, string_of (&row[1], arena));
      is_first = FALSE;
    }
  return is_first || give_string (joined->str, arena, out);
}

/* ---- all of them */

static const struct
{
  const gchar *name;
  gint n_arguments;
  gboolean is_strict;
  KvsqldPgFunction function;
} functions[] = {
  { "kvsql_all", 3, TRUE, all },
  { "kvsql_any", 3, TRUE, any },
  { "kvsql_array", -1, FALSE, array_of },
  { "kvsql_array_cat", 4, FALSE, array_cat },
  { "kvsql_boolean", 1, TRUE, to_boolean },
  { "kvsql_concat", -1, FALSE, concat },
  { "kvsql_concat_ws", -1, FALSE, concat_ws },
  { "kvsql_count", 1, TRUE, count_of },
  { "kvsql_element", 4, TRUE, element_of },
  { "kvsql_escape", 2, TRUE, escape },
  { "kvsql_fail", 3, TRUE, fail },
  { "kvsql_format", -1, FALSE, format },
  { "kvsql_format_type", 2, FALSE, format_type },
  { "kvsql_greatest", -1, FALSE, greatest },
  { "kvsql_integer", 1, TRUE, to_integer },
  { "kvsql_join", 3, FALSE, join },
  { "kvsql_join_types", 1, TRUE, join_types },
  { "kvsql_keywords", 0, FALSE, keywords },
  { "kvsql_least", -1, FALSE, least },
  { "kvsql_like", 3, TRUE, like },
  { "kvsql_list", 1, TRUE, list },
  { "kvsql_lower", 1, TRUE, lower },
  { "kvsql_name", 1, TRUE, name_of },
  { "kvsql_number", 1, TRUE, number_of },
  { "kvsql_parse_ident", 1, TRUE, parse_ident },
  { "kvsql_position", 2, TRUE, position_of },
  { "kvsql_qualifier", 1, TRUE, qualifier_of },
  { "kvsql_quote_ident", 1, TRUE, quote_ident },
  { "kvsql_real", 1, TRUE, to_real },
  { "kvsql_regex", 3, TRUE, regex },
  { "kvsql_regexp_replace", 4, TRUE, regexp_replace },
  { "kvsql_series", 3, TRUE, series },
  { "kvsql_session", 1, TRUE, session },
  { "kvsql_set_config", 3, TRUE, set_config },
  { "kvsql_setting", 2, TRUE, setting },
  { "kvsql_split", 2, TRUE, split },
  { "kvsql_starts", 3, TRUE, starts },
  { "kvsql_subscripts", 1, TRUE, subscripts },
  { "kvsql_substring", 3, FALSE, substring },
  { "kvsql_type", 1, TRUE, type_named },
  { "kvsql_type_names", 1, TRUE, type_names },
  { "kvsql_upper", 1, TRUE, upper },
  { "kvsql_vector_array", 1, TRUE, vector_array },
};

gboolean
kvsqld_pg_functions_add (KvsqldPgDatabase *database, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (!kvsqld_pg_database_add_function (database, functions[i].name, functions[i].n_arguments,
                                          functions[i].is_strict, functions[i].function, error))
      return FALSE;
  return kvsqld_pg_database_add_aggregate (database, "kvsql_array_agg", array_agg, error)
         && kvsqld_pg_database_add_aggregate (database, "kvsql_string_agg", string_agg, error);
}
