/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * functions-array.c: functions of arrays and lists, and aggregates.
 */
#include "config.h"

#include "daemon/postgres/catalogue/functions-private.h"

#include <string.h>

#include "core/sql/lexer.h"
#include "daemon/postgres/catalogue/array.h"

#define MAX_SERIES 100000

/* ---- arrays */

gboolean
_kvsqld_pg_read_array (const KvsqlValue *value, KvsqlArena *arena, KvsqlSlice **out, guint *out_n,
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

  return _kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error)
         && give_text (kvsqld_pg_array_write (elements, n_elements, arena), out);
}

/* kvsql_element (array, index, first index, is it a number) */
FUNCTION (element_of)
{
  guint n_elements;
  KvsqlSlice *elements;
  gint64 at = place_of (&arguments[1]) - place_of (&arguments[2]);

  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
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

  return _kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error)
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
          if (!_kvsqld_pg_read_array (&arguments[i], arena, &elements, &n_elements, error))
            return FALSE;
        }
      g_array_append_vals (all, elements, n_elements);
    }
  if (kvsql_value_is_null (&arguments[0]) && kvsql_value_is_null (&arguments[1]))
    return TRUE;
  return give_text (kvsqld_pg_array_write ((const KvsqlSlice *)all->data, all->len, arena), out);
}

FUNCTION (array_remove)
{
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  guint n_elements;
  KvsqlSlice *elements, removed = text_of (&arguments[1], arena);

  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    if (!kvsql_slice_equal (elements[i], removed)
        || (elements[i].data == NULL) != (removed.data == NULL))
      g_array_append_val (kept, elements[i]);
  return give_text (kvsqld_pg_array_write ((const KvsqlSlice *)kept->data, kept->len, arena), out);
}

FUNCTION (position_of)
{
  guint n_elements;
  KvsqlSlice *elements, wanted = text_of (&arguments[1], arena);

  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
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
  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
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

  if (!_kvsqld_pg_read_array (&arguments[2], arena, &elements, &n_elements, error))
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

  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
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

  return _kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error)
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

const KvsqldPgFunctionEntry _kvsqld_pg_functions_of_arrays[] = {
  { "kvsql_all", 3, TRUE, all },
  { "kvsql_any", 3, TRUE, any },
  { "kvsql_array", -1, FALSE, array_of },
  { "kvsql_array_cat", 4, FALSE, array_cat },
  { "kvsql_array_remove", 2, TRUE, array_remove },
  { "kvsql_count", 1, TRUE, count_of },
  { "kvsql_element", 4, TRUE, element_of },
  { "kvsql_join", 3, FALSE, join },
  { "kvsql_keywords", 0, FALSE, keywords },
  { "kvsql_list", 1, TRUE, list },
  { "kvsql_position", 2, TRUE, position_of },
  { "kvsql_series", 3, TRUE, series },
  { "kvsql_split", 2, TRUE, split },
  { "kvsql_subscripts", 1, TRUE, subscripts },
  { "kvsql_vector_array", 1, TRUE, vector_array },
  { NULL, 0, FALSE, NULL },
};

const KvsqldPgAggregateEntry _kvsqld_pg_aggregates_of_arrays[] = {
  { "kvsql_array_agg", array_agg },
  { "kvsql_string_agg", string_agg },
  { NULL, NULL },
};
