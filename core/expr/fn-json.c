/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-json.c: what reads JSON and JSONB: members, elements, paths, containment. In this table, LIST
 * means a list with any type of elements; the paths and keys are the texts of its elements.
 */
#include "config.h"

#include "core/expr/function.h"

#include "core/base/interrupt.h"
#include "core/expr/json-argument.h"

/* ---- results */

/* An item of an argument, as JSON. NULL: there is none. */
static gboolean
set_item (const KvsqlFunctionCall *call, const KvsqlJson *item, KvsqlValue *out)
{
  if (item != NULL)
    *out = (KvsqlValue){ .type = call->type, .bytes = item->text };
  return TRUE;
}

/* The same as text: a string without its quotes, and the null of JSON as NULL. */
static gboolean
set_text (const KvsqlFunctionCall *call, const KvsqlJson *item, KvsqlValue *out)
{
  if (item == NULL || item->kind == KVSQL_JSON_NULL)
    return TRUE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                       .bytes = item->kind == KVSQL_JSON_STRING
                                    ? kvsql_slice_dup (call->arena, item->string)
                                    : item->text };
  return TRUE;
}

static gboolean
set_boolean (gboolean truth, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = truth };
  return TRUE;
}

/* ---- one step */

static const KvsqlJson *
step (const KvsqlJson *self, const KvsqlValue *to)
{
  if (to->type == KVSQL_TYPE_STRING)
    return self->kind == KVSQL_JSON_OBJECT ? kvsql_json_find (self, to->bytes) : NULL;
  return self->kind == KVSQL_JSON_ARRAY ? kvsql_json_at (self, to->integer) : NULL;
}

static gboolean
get_item (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_item (call, step (&tree, &arguments[1]), out);
}

/* As in PostgreSQL, -> and ->> take a scalar JSONB for an array with one element. Subscripts and
 * paths do not. */
static const KvsqlJson *
element_of (const KvsqlValue *value, const KvsqlJson *self, const KvsqlValue *index)
{
  if (value->type == KVSQL_TYPE_JSONB && self->kind < KVSQL_JSON_ARRAY)
    return index->integer == 0 || index->integer == -1 ? self : NULL;
  return step (self, index);
}

static gboolean
get_element (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_item (call, element_of (&arguments[0], &tree, &arguments[1]), out);
}

static gboolean
get_element_text (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_text (call, element_of (&arguments[0], &tree, &arguments[1]), out);
}

static gboolean
get_text (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_text (call, step (&tree, &arguments[1]), out);
}

/* ---- paths */

/* A NULL in the path finds nothing. */
static const KvsqlJson *
walk (const KvsqlJson *self, const KvsqlJsonPath *path)
{
  gint64 index;

  for (guint i = 0; i < path->n; i++)
    if (path->is_null[i])
      return NULL;
  for (guint i = 0; i < path->n && self != NULL; i++)
    if (self->kind == KVSQL_JSON_OBJECT)
      self = kvsql_json_find (self, path->steps[i]);
    else if (self->kind == KVSQL_JSON_ARRAY && kvsql_json_path_index (path->steps[i], &index))
      self = kvsql_json_at (self, index);
    else
      self = NULL;
  return self;
}

static gboolean
get_path (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJsonPath path;
  KvsqlJson tree;

  kvsql_json_path_read (&arguments[1], scratch, &path);
  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_item (call, walk (&tree, &path), out);
}

static gboolean
get_path_text (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJsonPath path;
  KvsqlJson tree;

  kvsql_json_path_read (&arguments[1], scratch, &path);
  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_text (call, walk (&tree, &path), out);
}

/* ---- containment */

static gboolean contains (const KvsqlJson *self, const KvsqlJson *wanted);

/* A scalar that is equal, or an array or object of the same kind that contains it. */
static gboolean
has_element (const KvsqlJson *array, const KvsqlJson *wanted)
{
  gboolean is_scalar = wanted->kind < KVSQL_JSON_ARRAY;

  for (guint i = 0; i < array->n && kvsql_interrupt_tick (); i++)
    if (is_scalar ? kvsql_json_equal (&array->items[i], wanted)
                  : array->items[i].kind == wanted->kind && contains (&array->items[i], wanted))
      return TRUE;
  return FALSE;
}

/* Both are arrays or both are objects. */
static gboolean
contains (const KvsqlJson *self, const KvsqlJson *wanted)
{
  for (guint i = 0; i < wanted->n && kvsql_interrupt_tick (); i++)
    {
      const KvsqlJson *item = &wanted->items[i], *found;

      if (self->kind == KVSQL_JSON_ARRAY)
        {
          if (!has_element (self, item))
            return FALSE;
          continue;
        }
      found = kvsql_json_find (self, wanted->keys[i]);
      if (found == NULL || found->kind != item->kind
          || (item->kind < KVSQL_JSON_ARRAY ? !kvsql_json_equal (found, item)
                                            : !contains (found, item)))
        return FALSE;
    }
  return TRUE;
}

/* An array that is the whole value also contains a scalar. */
static gboolean
contains_root (const KvsqlJson *self, const KvsqlJson *wanted)
{
  if (self->kind == KVSQL_JSON_ARRAY && wanted->kind < KVSQL_JSON_ARRAY)
    return has_element (self, wanted);
  if (self->kind != wanted->kind)
    return FALSE;
  return self->kind < KVSQL_JSON_ARRAY ? kvsql_json_equal (self, wanted) : contains (self, wanted);
}

static gboolean
containment (const KvsqlValue *outer, const KvsqlValue *inner, KvsqlValue *out, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson self, wanted;

  return kvsql_json_read (outer->bytes, scratch, &self, error)
         && kvsql_json_read (inner->bytes, scratch, &wanted, error)
         && set_boolean (contains_root (&self, &wanted), out) && kvsql_interrupt_poll (error);
}

static gboolean
json_contains (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return containment (&arguments[0], &arguments[1], out, error);
}

static gboolean
json_contained (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  return containment (&arguments[1], &arguments[0], out, error);
}

/* ---- keys */

/* A key of an object, a string of an array, or the string that is the whole value. */
static gboolean
has_key (const KvsqlJson *self, KvsqlSlice key)
{
  const KvsqlJson wanted = kvsql_json_string (key);

  switch (self->kind)
    {
    case KVSQL_JSON_OBJECT:
      return kvsql_json_find (self, key) != NULL;
    case KVSQL_JSON_ARRAY:
      return has_element (self, &wanted);
    default:
      return kvsql_json_equal (self, &wanted);
    }
}

static gboolean
json_has_key (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  return kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
         && set_boolean (has_key (&tree, arguments[1].bytes), out);
}

static gboolean
has_keys (const KvsqlValue *arguments, gboolean wants_all, KvsqlValue *out, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJsonPath keys;
  KvsqlJson tree;
  gboolean result = wants_all;

  kvsql_json_path_read (&arguments[1], scratch, &keys);
  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  for (guint i = 0; i < keys.n && result == wants_all && kvsql_interrupt_tick (); i++)
    if (!keys.is_null[i])
      result = has_key (&tree, keys.steps[i]);
  return set_boolean (result, out) && kvsql_interrupt_poll (error);
}

static gboolean
json_has_any_key (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  return has_keys (arguments, FALSE, out, error);
}

static gboolean
json_has_all_keys (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return has_keys (arguments, TRUE, out, error);
}

/* ---- facts */

static gboolean
json_typeof (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  static const gchar *const names[] = {
    [KVSQL_JSON_NULL] = "null",     [KVSQL_JSON_STRING] = "string",
    [KVSQL_JSON_NUMBER] = "number", [KVSQL_JSON_BOOLEAN] = "boolean",
    [KVSQL_JSON_ARRAY] = "array",   [KVSQL_JSON_OBJECT] = "object",
  };
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                       .bytes = kvsql_slice_from_text (names[tree.kind]) };
  return TRUE;
}

static gboolean
json_array_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  if (tree.kind != KVSQL_JSON_ARRAY)
    {
      kvsql_function_fail (error, "cannot get array length of a %s",
                           tree.kind == KVSQL_JSON_OBJECT ? "non-array" : "scalar");
      return kvsql_error_sqlstate (error, "22023");
    }
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = tree.n };
  return TRUE;
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("->", JSON, STRING, JSON, get_item),
  KVSQL_FUNCTION_2 ("->", JSON, INT, JSON, get_element),
  KVSQL_FUNCTION_2 ("->", JSONB, STRING, JSONB, get_item),
  KVSQL_FUNCTION_2 ("->", JSONB, INT, JSONB, get_element),
  KVSQL_FUNCTION_2 ("[]", JSONB, STRING, JSONB, get_item),
  KVSQL_FUNCTION_2 ("[]", JSONB, INT, JSONB, get_item),
  KVSQL_FUNCTION_2 ("->>", JSON, STRING, STRING, get_text),
  KVSQL_FUNCTION_2 ("->>", JSON, INT, STRING, get_element_text),
  KVSQL_FUNCTION_2 ("->>", JSONB, STRING, STRING, get_text),
  KVSQL_FUNCTION_2 ("->>", JSONB, INT, STRING, get_element_text),
  KVSQL_FUNCTION_2 ("#>", JSON, LIST, JSON, get_path),
  KVSQL_FUNCTION_2 ("#>", JSONB, LIST, JSONB, get_path),
  KVSQL_FUNCTION_2 ("#>>", JSON, LIST, STRING, get_path_text),
  KVSQL_FUNCTION_2 ("#>>", JSONB, LIST, STRING, get_path_text),
  KVSQL_FUNCTION_2 ("json_extract_path", JSON, LIST, JSON, get_path),
  KVSQL_FUNCTION_2 ("jsonb_extract_path", JSONB, LIST, JSONB, get_path),
  KVSQL_FUNCTION_2 ("json_extract_path_text", JSON, LIST, STRING, get_path_text),
  KVSQL_FUNCTION_2 ("jsonb_extract_path_text", JSONB, LIST, STRING, get_path_text),
  KVSQL_FUNCTION_2 ("@>", JSONB, JSONB, BOOLEAN, json_contains),
  KVSQL_FUNCTION_2 ("<@", JSONB, JSONB, BOOLEAN, json_contained),
  KVSQL_FUNCTION_2 ("?", JSONB, STRING, BOOLEAN, json_has_key),
  KVSQL_FUNCTION_2 ("?|", JSONB, LIST, BOOLEAN, json_has_any_key),
  KVSQL_FUNCTION_2 ("?&", JSONB, LIST, BOOLEAN, json_has_all_keys),
  KVSQL_FUNCTION_1 ("json_typeof", JSON, STRING, json_typeof),
  KVSQL_FUNCTION_1 ("jsonb_typeof", JSONB, STRING, json_typeof),
  KVSQL_FUNCTION_1 ("json_array_length", JSON, INT, json_array_length),
  KVSQL_FUNCTION_1 ("jsonb_array_length", JSONB, INT, json_array_length),
};

const KvsqlFunctionFamily kvsql_functions_json = { functions, G_N_ELEMENTS (functions) };
