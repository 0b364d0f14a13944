/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-list.c: functions of lists, as those of PostgreSQL's arrays. In this table, LIST means a list
 * with any type of elements, and NULL means the type of the elements of the first argument.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

typedef struct
{
  KvsqlValue *values;
  guint n;
} Items;

/* NULL counts as an empty list. @room: for further values. */
static Items
items_of (const KvsqlFunctionCall *call, const KvsqlValue *list, guint room)
{
  Items items = { NULL, 0 };
  KvsqlValue *values = NULL;

  if (!kvsql_value_is_null (list))
    kvsql_list_split (list->type, list->bytes, call->arena, &values, &items.n);
  items.values = kvsql_arena_array (call->arena, KvsqlValue, items.n + room + 1);
  if (items.n > 0)
    memcpy (items.values, values, items.n * sizeof (KvsqlValue));
  return items;
}

static gboolean
set_list (const KvsqlFunctionCall *call, KvsqlType type, const KvsqlValue *values, guint n,
          KvsqlValue *out, GError **error)
{
  if (n > KVSQL_COLLECTION_MAX_ELEMENTS)
    return kvsql_function_fail (error, "a list has at most %d elements",
                                KVSQL_COLLECTION_MAX_ELEMENTS);
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_list_join (values, n, call->arena) };
  return out->bytes.size <= KVSQL_FUNCTION_MAX_BYTES || kvsql_function_fail_too_long (error);
}

static gboolean
set_integer (gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = integer };
  return TRUE;
}

/* ---- joining */

static gboolean
array_append (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  Items items = items_of (call, &arguments[0], 1);

  items.values[items.n++] = arguments[1];
  return set_list (call, call->type, items.values, items.n, out, error);
}

/* The binder has put the list first. */
static gboolean
array_prepend (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  Items items = items_of (call, &arguments[0], 1);

  memmove (items.values + 1, items.values, items.n * sizeof (KvsqlValue));
  items.values[0] = arguments[1];
  return set_list (call, call->type, items.values, items.n + 1, out, error);
}

/* The elements of the second list become elements of the first one's type. */
static gboolean
array_cat (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  Items a, b = items_of (call, &arguments[1], 0);
  KvsqlType element = kvsql_type_get_element (call->type);

  if (kvsql_value_is_null (&arguments[0]) && kvsql_value_is_null (&arguments[1]))
    return TRUE;
  a = items_of (call, &arguments[0], b.n);
  for (guint i = 0; i < b.n; i++)
    {
      KvsqlValue *to = &a.values[a.n++];
      *to = KVSQL_VALUE_NULL;
      if (!kvsql_value_is_null (&b.values[i])
          && !kvsql_cast_value (&b.values[i], element, call->arena, to, error))
        return FALSE;
    }
  return set_list (call, call->type, a.values, a.n, out, error);
}

/* ---- searching */

static gboolean
array_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  gint64 n = kvsql_collection_get_size (arguments[0].type, arguments[0].bytes);

  return n == 0 || arguments[1].integer != 1 || set_integer (n, out);
}

/* There is one dimension, from 1; an empty list has none, as in PostgreSQL. */
static gboolean
array_lower (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  gint64 n = kvsql_collection_get_size (arguments[0].type, arguments[0].bytes);

  return n == 0 || arguments[1].integer != 1 || set_integer (1, out);
}

static gboolean
array_ndims (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return kvsql_collection_get_size (arguments[0].type, arguments[0].bytes) == 0
         || set_integer (1, out);
}

static gboolean
array_dims (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  gint64 n = kvsql_collection_get_size (arguments[0].type, arguments[0].bytes);
  g_autofree gchar *text = g_strdup_printf ("[1:%" G_GINT64_FORMAT "]", n);

  return n == 0 || kvsql_function_set_text (call, kvsql_slice (text, strlen (text)), out, error);
}

static gboolean
position_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 first,
               KvsqlValue *out)
{
  Items items = items_of (call, &arguments[0], 0);

  for (gint64 i = MAX (first, 1); i <= items.n; i++)
    if (kvsql_value_equal (&items.values[i - 1], &arguments[1]))
      return set_integer (i, out);
  return TRUE;
}

static gboolean
array_position (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  return position_from (call, arguments, 1, out);
}

static gboolean
array_position_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  if (kvsql_value_is_null (&arguments[2]))
    return kvsql_function_fail (error, "initial position must not be null");
  return position_from (call, arguments, arguments[2].integer, out);
}

static gboolean
array_positions (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  Items items = items_of (call, &arguments[0], 0);
  guint n = 0;

  if (kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (guint i = 0; i < items.n; i++)
    if (kvsql_value_equal (&items.values[i], &arguments[1]))
      set_integer (i + 1, &items.values[n++]);
  return set_list (call, (KvsqlType)(KVSQL_TYPE_LIST + KVSQL_TYPE_INT - 1), items.values, n, out,
                   error);
}

/* ---- changing */

static gboolean
array_remove (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  Items items = items_of (call, &arguments[0], 0);
  guint n = 0;

  if (kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (guint i = 0; i < items.n; i++)
    if (!kvsql_value_equal (&items.values[i], &arguments[1]))
      items.values[n++] = items.values[i];
  return set_list (call, call->type, items.values, n, out, error);
}

static gboolean
array_replace (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  Items items = items_of (call, &arguments[0], 0);

  if (kvsql_value_is_null (&arguments[0]))
    return TRUE;
  for (guint i = 0; i < items.n; i++)
    if (kvsql_value_equal (&items.values[i], &arguments[1]))
      items.values[i] = arguments[2];
  return set_list (call, call->type, items.values, items.n, out, error);
}

static gboolean
trim_array (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  Items items = items_of (call, &arguments[0], 0);

  if (arguments[1].integer < 0 || arguments[1].integer > items.n)
    return kvsql_function_fail_as (error, "2202E",
                                   "number of elements to trim must be between 0 and %u", items.n);
  return set_list (call, call->type, items.values, items.n - (guint)arguments[1].integer, out,
                   error);
}

/* ---- text */

/* @null_text: (nullable): for elements that are NULL, which are left out otherwise */
static gboolean
join (const KvsqlFunctionCall *call, const KvsqlValue *list, KvsqlSlice separator,
      const KvsqlValue *null_text, KvsqlValue *out, GError **error)
{
  Items items = items_of (call, list, 0);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_first = TRUE;

  for (guint i = 0; i < items.n && text->len <= KVSQL_FUNCTION_MAX_BYTES; i++)
    {
      const KvsqlValue *value
          = kvsql_value_is_null (&items.values[i]) ? null_text : &items.values[i];
      if (value == NULL)
        continue;
      if (!is_first)
        g_string_append_len (text, (const gchar *)separator.data, separator.size);
      is_first = FALSE;
      kvsql_value_append_text (value, text);
    }
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static gboolean
array_to_string (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  return join (call, &arguments[0], arguments[1].bytes, NULL, out, error);
}

static gboolean
array_to_string_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                      GError **error)
{
  if (kvsql_value_is_null (&arguments[0]) || kvsql_value_is_null (&arguments[1]))
    return TRUE;
  return join (call, &arguments[0], arguments[1].bytes,
               kvsql_value_is_null (&arguments[2]) ? NULL : &arguments[2], out, error);
}

/* The end of the part that begins at @at. Without a separator, each character is a part. */
static gsize
end_of_part (KvsqlSlice text, gsize at, const KvsqlValue *separator)
{
  const guint8 *found = NULL;

  if (kvsql_value_is_null (separator))
    {
      at++;
      while (at < text.size && (text.data[at] & 0xc0) == 0x80)
        at++;
      return at;
    }
  if (separator->bytes.size > 0)
    found = memmem (text.data + at, text.size - at, separator->bytes.data, separator->bytes.size);
  return found == NULL ? text.size : (gsize)(found - text.data);
}

static gboolean
split (const KvsqlFunctionCall *call, KvsqlSlice text, const KvsqlValue *separator,
       const KvsqlValue *null_text, KvsqlValue *out, GError **error)
{
  gsize step = kvsql_value_is_null (separator) ? 0 : separator->bytes.size;
  KvsqlValue *values = NULL;
  gboolean is_open = text.size > 0; /* an empty text has no parts */
  guint n = 0;

  for (gsize at = 0; is_open && n <= KVSQL_COLLECTION_MAX_ELEMENTS && kvsql_interrupt_tick ();)
    {
      gsize end = end_of_part (text, at, separator);
      KvsqlValue part
          = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice (text.data + at, end - at) };
      gboolean is_null = null_text != NULL && kvsql_value_equal (&part, null_text);
      *KVSQL_ARENA_ADD (call->arena, values, n) = is_null ? KVSQL_VALUE_NULL : part;
      is_open = step > 0 ? end < text.size : end < text.size && kvsql_value_is_null (separator);
      at = end + step;
    }
  return set_list (call, call->type, values, n, out, error);
}

static gboolean
string_to_array (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  return kvsql_value_is_null (&arguments[0])
         || split (call, arguments[0].bytes, &arguments[1], NULL, out, error);
}

static gboolean
string_to_array_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                      GError **error)
{
  return kvsql_value_is_null (&arguments[0])
         || split (call, arguments[0].bytes, &arguments[1],
                   kvsql_value_is_null (&arguments[2]) ? NULL : &arguments[2], out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("||", LIST, LIST, LIST, array_cat, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("||", LIST, NULL, LIST, array_append, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("array_append", LIST, NULL, LIST, array_append, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("array_prepend", LIST, NULL, LIST, array_prepend, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("array_cat", LIST, LIST, LIST, array_cat, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("array_length", LIST, INT, INT, array_length, NULL, TRUE),
  KVSQL_FUNCTION_2 ("array_upper", LIST, INT, INT, array_length, NULL, TRUE),
  KVSQL_FUNCTION_2 ("array_lower", LIST, INT, INT, array_lower, NULL, TRUE),
  KVSQL_FUNCTION_1 ("array_ndims", LIST, INT, array_ndims, NULL, TRUE),
  KVSQL_FUNCTION_1 ("array_dims", LIST, STRING, array_dims),
  KVSQL_FUNCTION_2 ("array_position", LIST, NULL, INT, array_position, .takes_nulls = TRUE),
  KVSQL_FUNCTION_3 ("array_position", LIST, NULL, INT, INT, array_position_from,
                    .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("array_positions", LIST, NULL, INT_LIST, array_positions, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("array_remove", LIST, NULL, LIST, array_remove, .takes_nulls = TRUE),
  KVSQL_FUNCTION_3 ("array_replace", LIST, NULL, NULL, LIST, array_replace, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("trim_array", LIST, INT, LIST, trim_array),
  KVSQL_FUNCTION_2 ("array_to_string", LIST, STRING, STRING, array_to_string),
  KVSQL_FUNCTION_3 ("array_to_string", LIST, STRING, STRING, STRING, array_to_string_with,
                    .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("string_to_array", STRING, STRING, LIST, string_to_array, .takes_nulls = TRUE),
  KVSQL_FUNCTION_3 ("string_to_array", STRING, STRING, STRING, LIST, string_to_array_with,
                    .takes_nulls = TRUE),
};

const KvsqlFunctionFamily kvsql_functions_list = { functions, G_N_ELEMENTS (functions) };
