/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-collection.c: elements of maps and lists. In this table, MAP and LIST mean a map or list with
 * any type of elements, and NULL means the type of the elements of the first argument.
 */
#include "config.h"

#include "core/expr/function.h"

#include "core/base/collection.h"

static gboolean
map_element (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  kvsql_map_get (arguments[0].type, arguments[0].bytes, arguments[1].bytes, call->arena, out);
  return TRUE;
}

static gboolean
list_element (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  kvsql_list_get (arguments[0].type, arguments[0].bytes, arguments[1].integer, call->arena, out);
  return TRUE;
}

static gboolean
cardinality (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT,
                       .integer
                       = kvsql_collection_get_size (arguments[0].type, arguments[0].bytes) };
  return TRUE;
}

/* @map with @value under @key, or without that entry if there is no @value. */
static gboolean
replace_entry (const KvsqlFunctionCall *call, const KvsqlValue *map, KvsqlSlice key,
               const KvsqlValue *value, KvsqlValue *out, GError **error)
{
  KvsqlMapEntry *entries, *changed;
  guint n, n_changed = 0;

  kvsql_map_split (map->type, map->bytes, call->arena, &entries, &n);
  changed = kvsql_arena_array (call->arena, KvsqlMapEntry, n + 1);
  for (guint i = 0; i < n; i++)
    if (!kvsql_slice_equal (entries[i].key, key))
      changed[n_changed++] = entries[i];
  if (value != NULL)
    changed[n_changed++] = (KvsqlMapEntry){ .key = key, .value = *value };
  if (n_changed > KVSQL_COLLECTION_MAX_ELEMENTS)
    return kvsql_function_fail (error, "a map has at most %d entries",
                                KVSQL_COLLECTION_MAX_ELEMENTS);
  *out = (KvsqlValue){ .type = map->type,
                       .bytes = kvsql_map_join (changed, n_changed, call->arena) };
  return out->bytes.size <= KVSQL_FUNCTION_MAX_BYTES || kvsql_function_fail_too_long (error);
}

/* A map that is NULL counts as empty, and the value of an entry can be NULL. */
static gboolean
map_put (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  KvsqlValue map = arguments[0];

  if (kvsql_value_is_null (&arguments[1]))
    return kvsql_function_fail (error, "the key of a map's entry is NULL");
  if (kvsql_value_is_null (&map))
    map = (KvsqlValue){ .type = call->type, .bytes = kvsql_slice_from_text ("{}") };
  return replace_entry (call, &map, arguments[1].bytes, &arguments[2], out, error);
}

static gboolean
map_remove (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return replace_entry (call, &arguments[0], arguments[1].bytes, NULL, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("[]", MAP, STRING, NULL, map_element, NULL, TRUE),
  KVSQL_FUNCTION_2 ("[]", LIST, BIGINT, NULL, list_element, NULL, TRUE),
  KVSQL_FUNCTION_1 ("cardinality", MAP, INT, cardinality, NULL, TRUE),
  KVSQL_FUNCTION_1 ("cardinality", LIST, INT, cardinality, NULL, TRUE),
  KVSQL_FUNCTION_3 ("map_put", MAP, STRING, NULL, MAP, map_put, .takes_nulls = TRUE),
  KVSQL_FUNCTION_2 ("map_remove", MAP, STRING, MAP, map_remove, NULL, TRUE),
};

const KvsqlFunctionFamily kvsql_functions_collection = { functions, G_N_ELEMENTS (functions) };
