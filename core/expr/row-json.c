/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-json.c: functions in FROM that take a JSON apart: a row for each member or element.
 */
#include "config.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/expr/row-function.h"

static const gchar *
describe (KvsqlJsonKind kind)
{
  return kind == KVSQL_JSON_OBJECT  ? "an object"
         : kind == KVSQL_JSON_ARRAY ? "an array"
                                    : "a scalar";
}

static gboolean
begin (const KvsqlRowFunction *self, const KvsqlValue *arguments, KvsqlJsonKind kind,
       KvsqlArena *arena, gpointer *out_state, guint *out_n, GError **error)
{
  KvsqlJson *tree = kvsql_arena_new0 (arena, KvsqlJson);

  if (!kvsql_json_read (arguments[0].bytes, arena, tree, error))
    return FALSE;
  if (tree->kind != kind)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s takes %s, not %s", self->name,
                       describe (kind), describe (tree->kind));
      return kvsql_error_sqlstate (error, "22023");
    }
  *out_state = tree;
  *out_n = tree->n;
  return TRUE;
}

static gboolean
begin_object (const KvsqlRowFunction *self, const KvsqlValue *arguments, guint n_arguments,
              KvsqlArena *arena, gpointer *out_state, guint *out_n, GError **error)
{
  return begin (self, arguments, KVSQL_JSON_OBJECT, arena, out_state, out_n, error);
}

static gboolean
begin_array (const KvsqlRowFunction *self, const KvsqlValue *arguments, guint n_arguments,
             KvsqlArena *arena, gpointer *out_state, guint *out_n, GError **error)
{
  return begin (self, arguments, KVSQL_JSON_ARRAY, arena, out_state, out_n, error);
}

/* As text, a string has no quotes, and the null of JSON is NULL. */
static KvsqlValue
item_value (const KvsqlJson *item, KvsqlType type)
{
  if (type != KVSQL_TYPE_STRING)
    return (KvsqlValue){ .type = type, .bytes = item->text };
  if (item->kind == KVSQL_JSON_NULL)
    return KVSQL_VALUE_NULL;
  return (KvsqlValue){ .type = type,
                       .bytes = item->kind == KVSQL_JSON_STRING ? item->string : item->text };
}

static void
get_member (const KvsqlRowFunction *self, gpointer state, guint row, KvsqlValue *out)
{
  const KvsqlJson *tree = state;

  out[0] = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = tree->keys[row] };
  if (self->n_columns > 1)
    out[1] = item_value (&tree->items[row], self->columns[1].type);
}

static void
get_element (const KvsqlRowFunction *self, gpointer state, guint row, KvsqlValue *out)
{
  const KvsqlJson *tree = state;

  out[0] = item_value (&tree->items[row], self->columns[0].type);
}

#define KEY                                                                                        \
  {                                                                                                \
    "key", KVSQL_TYPE_STRING, TRUE                                                                 \
  }
#define VALUE(value_type)                                                                          \
  {                                                                                                \
    "value", KVSQL_TYPE_##value_type, KVSQL_TYPE_##value_type != KVSQL_TYPE_STRING                 \
  }
#define MEMBERS(name, type, value_type)                                                            \
  {                                                                                                \
    name, 1, { KVSQL_TYPE_##type }, { KEY, VALUE (value_type) }, 2, begin_object, get_member       \
  }
#define KEYS(name, type)                                                                           \
  {                                                                                                \
    name, 1, { KVSQL_TYPE_##type }, { { NULL, KVSQL_TYPE_STRING, TRUE } }, 1, begin_object,        \
        get_member                                                                                 \
  }
#define ELEMENTS(name, type, value_type)                                                           \
  {                                                                                                \
    name, 1, { KVSQL_TYPE_##type }, { VALUE (value_type) }, 1, begin_array, get_element            \
  }

static const KvsqlRowFunction functions[] = {
  MEMBERS ("json_each", JSON, JSON),
  MEMBERS ("jsonb_each", JSONB, JSONB),
  MEMBERS ("json_each_text", JSON, STRING),
  MEMBERS ("jsonb_each_text", JSONB, STRING),
  KEYS ("json_object_keys", JSON),
  KEYS ("jsonb_object_keys", JSONB),
  ELEMENTS ("json_array_elements", JSON, JSON),
  ELEMENTS ("jsonb_array_elements", JSONB, JSONB),
  ELEMENTS ("json_array_elements_text", JSON, STRING),
  ELEMENTS ("jsonb_array_elements_text", JSONB, STRING),
};

const KvsqlRowFunctionFamily kvsql_row_functions_json = { functions, G_N_ELEMENTS (functions) };
