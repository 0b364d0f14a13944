/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-list-set.c: @>, <@ and && of lists: whether one has all elements, or any, of another one. The
 * number and order of equal elements do not matter, and NULL is equal to nothing. A part of a list.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

typedef struct
{
  KvsqlValue *values; /* ascending, without NULL */
  guint n;
  gboolean has_null;
} Set;

static gint
compare (gconstpointer a, gconstpointer b)
{
  return kvsql_value_compare (a, b);
}

/* Elements become values of @type. */
static gboolean
make_set (const KvsqlFunctionCall *call, const KvsqlValue *list, KvsqlType type, Set *out,
          GError **error)
{
  KvsqlValue *values;
  guint n;

  *out = (Set){ 0 };
  kvsql_list_split (list->type, list->bytes, call->arena, &values, &n);
  out->values = kvsql_arena_array (call->arena, KvsqlValue, n + 1);
  for (guint i = 0; i < n; i++)
    if (kvsql_value_is_null (&values[i]))
      out->has_null = TRUE;
    else if (!kvsql_cast_value (&values[i], type, call->arena, &out->values[out->n++], error))
      return FALSE;
  qsort (out->values, out->n, sizeof *out->values, compare);
  return kvsql_interrupt_poll (error);
}

static gboolean
make_sets (const KvsqlFunctionCall *call, const KvsqlValue *arguments, Set *sets, GError **error)
{
  KvsqlType a = kvsql_type_get_element (arguments[0].type),
            b = kvsql_type_get_element (arguments[1].type), type = a;

  if (a != b && !kvsql_cast_common_type (a, b, &type))
    return kvsql_function_fail (error, "elements of types %s and %s cannot be compared",
                                kvsql_type_get_name (a), kvsql_type_get_name (b));
  return make_set (call, &arguments[0], type, &sets[0], error)
         && make_set (call, &arguments[1], type, &sets[1], error);
}

static gboolean
has (const Set *self, const KvsqlValue *value)
{
  return self->n > 0
         && bsearch (value, self->values, self->n, sizeof *self->values, compare) != NULL;
}

static gboolean
set_boolean (gboolean boolean, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = boolean };
  return TRUE;
}

static gboolean
has_all (const Set *self, const Set *of)
{
  gboolean all = !of->has_null;

  for (guint i = 0; i < of->n && all; i++)
    all = has (self, &of->values[i]);
  return all;
}

static gboolean
list_contains (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  Set sets[2];

  return make_sets (call, arguments, sets, error)
         && set_boolean (has_all (&sets[0], &sets[1]), out);
}

static gboolean
list_contained (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  Set sets[2];

  return make_sets (call, arguments, sets, error)
         && set_boolean (has_all (&sets[1], &sets[0]), out);
}

static gboolean
list_overlaps (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  gboolean any = FALSE;
  Set sets[2];

  if (!make_sets (call, arguments, sets, error))
    return FALSE;
  for (guint i = 0; i < sets[1].n && !any; i++)
    any = has (&sets[0], &sets[1].values[i]);
  return set_boolean (any, out);
}

/* ---- parts */

static gboolean
slice (const KvsqlFunctionCall *call, const KvsqlValue *list, gint64 first, gint64 last,
       KvsqlValue *out)
{
  KvsqlValue *values;
  guint n;

  kvsql_list_split (list->type, list->bytes, call->arena, &values, &n);
  first = MAX (first, 1);
  last = MIN (last, (gint64)n);
  *out = (KvsqlValue){ .type = list->type };
  out->bytes = kvsql_list_join (values + (first <= last ? first - 1 : 0),
                                first <= last ? (guint)(last - first + 1) : 0, call->arena);
  return TRUE;
}

static gboolean
slice_between (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return slice (call, &arguments[0], arguments[1].integer, arguments[2].integer, out);
}

static gboolean
slice_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return slice (call, &arguments[0], arguments[1].integer, G_MAXINT64, out);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("@>", LIST, LIST, BOOLEAN, list_contains),
  KVSQL_FUNCTION_2 ("<@", LIST, LIST, BOOLEAN, list_contained),
  KVSQL_FUNCTION_2 ("&&", LIST, LIST, BOOLEAN, list_overlaps),
  KVSQL_FUNCTION_2 ("array_slice", LIST, BIGINT, LIST, slice_from),
  KVSQL_FUNCTION_3 ("array_slice", LIST, BIGINT, BIGINT, LIST, slice_between),
};

const KvsqlFunctionFamily kvsql_functions_list_set = { functions, G_N_ELEMENTS (functions) };
