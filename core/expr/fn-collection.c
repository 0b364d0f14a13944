/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-collection.c: elements of maps and lists. In this table MAP and LIST stand for those of any
 * element, and a result of type NULL for the element's type.
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

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("[]", MAP, STRING, NULL, map_element, NULL, TRUE),
  KVSQL_FUNCTION_2 ("[]", LIST, BIGINT, NULL, list_element, NULL, TRUE),
  KVSQL_FUNCTION_1 ("cardinality", MAP, INT, cardinality, NULL, TRUE),
  KVSQL_FUNCTION_1 ("cardinality", LIST, INT, cardinality, NULL, TRUE),
};

const KvsqlFunctionFamily kvsql_functions_collection = { functions, G_N_ELEMENTS (functions) };
