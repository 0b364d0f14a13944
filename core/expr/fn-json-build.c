/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-json-build.c: JSON of other values. bind-json.c gives these functions their arguments: a value
 * of any type, or a list with the JSON of each argument.
 */
#include "config.h"

#include "core/expr/function.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/expr/json-argument.h"
#include "core/expr/json-build.h"

/* ---- one value */

static gboolean
to_json (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_json_append_value (&arguments[0], text);
  return kvsql_json_set_text (call, text, out, error);
}

/* ---- several values */

static gboolean
build_array (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  g_autoptr (GString) text = g_string_new ("[");
  KvsqlValue *values;
  guint n;

  kvsql_list_split (arguments[0].type, arguments[0].bytes, call->arena, &values, &n);
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    kvsql_json_build_element (&values[i], i, FALSE, text);
  g_string_append_c (text, ']');
  return kvsql_json_set_text (call, text, out, error);
}

static gboolean
build_object (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  g_autoptr (GString) text = g_string_new ("{");
  KvsqlValue *values;
  guint n;

  kvsql_list_split (arguments[0].type, arguments[0].bytes, call->arena, &values, &n);
  for (guint i = 0; i + 1 < n && kvsql_interrupt_tick (); i += 2)
    if (!kvsql_json_build_member (&values[i], &values[i + 1], i, text, error))
      return FALSE;
  g_string_append_c (text, '}');
  return kvsql_json_set_text (call, text, out, error);
}

/* ---- texts */

static gboolean
fail (GError **error, const gchar *sqlstate, const gchar *message)
{
  kvsql_function_fail (error, "%s", message);
  return kvsql_error_sqlstate (error, sqlstate);
}

/* The values become strings. */
static gboolean
append_texts (const KvsqlJsonPath *keys, guint key_step, const KvsqlJsonPath *values, guint first,
              GString *out, GError **error)
{
  guint step = key_step;

  g_string_append_c (out, '{');
  for (guint k = 0, v = first; k < keys->n && kvsql_interrupt_tick (); k += step, v += step)
    {
      if (keys->is_null[k])
        return fail (error, "22004", "null value not allowed for object key");
      g_string_append (out, k > 0 ? ", " : "");
      kvsql_json_append_string (keys->steps[k], out);
      g_string_append (out, " : ");
      if (values->is_null[v])
        g_string_append (out, "null");
      else
        kvsql_json_append_string (values->steps[v], out);
    }
  g_string_append_c (out, '}');
  return TRUE;
}

static gboolean
object_of_list (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlJsonPath list;

  kvsql_json_path_read (&arguments[0], scratch, &list);
  if (list.n % 2 != 0)
    return fail (error, "2202E", "array must have even number of elements");
  return append_texts (&list, 2, &list, 1, text, error)
         && kvsql_json_set_text (call, text, out, error);
}

static gboolean
object_of_lists (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlJsonPath keys, values;

  kvsql_json_path_read (&arguments[0], scratch, &keys);
  kvsql_json_path_read (&arguments[1], scratch, &values);
  if (keys.n != values.n)
    return fail (error, "2202E", "mismatched array dimensions");
  return append_texts (&keys, 1, &values, 0, text, error)
         && kvsql_json_set_text (call, text, out, error);
}

#define TO_JSON(type)                                                                              \
  KVSQL_FUNCTION_1 ("to_json", type, JSON, to_json),                                               \
      KVSQL_FUNCTION_1 ("to_jsonb", type, JSONB, to_json)

static const KvsqlFunction functions[] = {
  TO_JSON (STRING),
  TO_JSON (BYTES),
  TO_JSON (BOOLEAN),
  TO_JSON (INT),
  TO_JSON (BIGINT),
  TO_JSON (FLOAT),
  TO_JSON (DOUBLE),
  TO_JSON (DECIMAL),
  TO_JSON (DATE),
  TO_JSON (TIMESTAMP),
  TO_JSON (MAP),
  TO_JSON (LIST),
  TO_JSON (UUID),
  TO_JSON (JSON),
  TO_JSON (JSONB),
  KVSQL_FUNCTION_1 ("array_to_json", LIST, JSON, to_json),
  KVSQL_FUNCTION_1 ("json_build_array", LIST, JSON, build_array),
  KVSQL_FUNCTION_1 ("jsonb_build_array", LIST, JSONB, build_array),
  KVSQL_FUNCTION_1 ("json_build_object", LIST, JSON, build_object),
  KVSQL_FUNCTION_1 ("jsonb_build_object", LIST, JSONB, build_object),
  KVSQL_FUNCTION_1 ("json_object", LIST, JSON, object_of_list),
  KVSQL_FUNCTION_2 ("json_object", LIST, LIST, JSON, object_of_lists),
  KVSQL_FUNCTION_1 ("jsonb_object", LIST, JSONB, object_of_list),
  KVSQL_FUNCTION_2 ("jsonb_object", LIST, LIST, JSONB, object_of_lists),
};

const KvsqlFunctionFamily kvsql_functions_json_build = { functions, G_N_ELEMENTS (functions) };
