/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-result.c: memory for the results of functions, and its bounds.
 */
#include "config.h"

#include "core/expr/function.h"

gboolean
kvsql_function_fail_too_long (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "result is longer than %d MiB",
                          KVSQL_FUNCTION_MAX_BYTES >> 20);
}

gpointer
kvsql_function_allocate (const KvsqlFunctionCall *call, gsize size, GError **error)
{
  if (size > KVSQL_FUNCTION_MAX_BYTES)
    {
      kvsql_function_fail_too_long (error);
      return NULL;
    }
  if (kvsql_arena_get_size (call->arena) + size > 16ULL * KVSQL_FUNCTION_MAX_BYTES)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "results of a function need more than %d MiB",
                       16 * (KVSQL_FUNCTION_MAX_BYTES >> 20));
      return NULL;
    }
  return kvsql_arena_alloc (call->arena, size + 1);
}

gboolean
kvsql_function_set_text (const KvsqlFunctionCall *call, KvsqlSlice text, KvsqlValue *out,
                         GError **error)
{
  guint8 *copy = kvsql_function_allocate (call, text.size, error);

  if (copy == NULL)
    return FALSE;
  if (text.size > 0)
    memcpy (copy, text.data, text.size);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice (copy, text.size) };
  return TRUE;
}
