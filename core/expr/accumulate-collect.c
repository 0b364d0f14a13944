/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-collect.c: aggregates that need all values of a group: string_agg, array_agg,
 * json_agg, json_object_agg and their JSONB forms, percentile_cont, percentile_disc and mode.
 *
 * The values, and those of ORDER BY, are kept until the result is computed. Without ORDER BY they
 * are in the order of the rows.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"
#include "core/base/sort.h"
#include "core/expr/aggregate-private.h"
#include "core/expr/function.h"
#include "core/expr/json-argument.h"
#include "core/expr/json-build.h"

#include <math.h>

/* Elements of @width () values: the value, the second argument, and the values of ORDER BY. */
typedef struct
{
  KvsqlValue *values; /* in the accumulator's arena */
  guint n_values;
} Collected;

static guint
width (const KvsqlAccumulator *self)
{
  return 1 + (self->call.has_second != FALSE) + self->call.n_order;
}

/* ---- collecting */

static KvsqlValue
value_of (const KvsqlBatch *batch, guint column, guint row)
{
  const KvsqlVector *values = &batch->columns[column];

  return values->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (values, row)
             ? KVSQL_VALUE_NULL
             : kvsql_vector_get (values, row);
}

static gboolean
collect (KvsqlAccumulator *self, Collected *state, const KvsqlValue *value, GError **error)
{
  if (state->n_values == G_MAXINT32)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "%s of too many values",
                            self->name);
  *KVSQL_ARENA_ADD (self->arena, state->values, state->n_values)
      = kvsql_value_dup (value, self->arena);
  return TRUE;
}

static gboolean
collect_row (KvsqlAccumulator *self, Collected *state, const KvsqlBatch *batch, guint row,
             GError **error)
{
  KvsqlValue value = value_of (batch, self->call.column, row);

  if (kvsql_value_is_null (&value) && !self->takes_nulls)
    return TRUE;
  if (!collect (self, state, &value, error))
    return FALSE;
  if (self->call.has_second)
    {
      value = value_of (batch, self->call.second, row);
      if (!collect (self, state, &value, error))
        return FALSE;
    }
  for (guint i = 0; i < self->call.n_order; i++)
    {
      value = value_of (batch, self->call.order[i].column, row);
      if (!collect (self, state, &value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
collect_add (KvsqlAccumulator *self, const KvsqlBatch *batch, const guint32 *rows,
             const guint32 *groups, guint n, GError **error)
{
  Collected *states = self->states;

  for (guint i = 0; i < n; i++)
    {
      guint row = rows == NULL ? i : rows[i];
      if (!kvsql_interrupt_poll (error)
          || !collect_row (self, &states[groups[row]], batch, row, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
collect_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Collected *state = opaque, *from = other;

  for (guint i = 0; i < from->n_values; i++)
    if (!kvsql_interrupt_poll (error) || !collect (self, state, &from->values[i], error))
      return FALSE;
  return TRUE;
}

/* ---- order */

typedef struct
{
  const KvsqlAccumulator *owner;
  const KvsqlValue *values;
} Element;

/* NULLs are as large as possible, unless NULLS FIRST or LAST says something else. */
static gint
compare_one (const KvsqlValue *a, const KvsqlValue *b, gboolean is_descending, gboolean nulls_first)
{
  gboolean a_is_null = kvsql_value_is_null (a), b_is_null = kvsql_value_is_null (b);
  gint order;

  if (a_is_null || b_is_null)
    return a_is_null == b_is_null ? 0 : (a_is_null != FALSE) == (nulls_first != FALSE) ? -1 : 1;
  order = kvsql_value_compare (a, b);
  return is_descending ? -order : order;
}

/* With ORDER BY, equal elements stay in the order of the rows, unless they are distinct pairs. */
static gint
compare_arguments (const Element *a, const Element *b)
{
  const KvsqlAggregate *call = &a->owner->call;
  gint order;

  if (call->n_order > 0 && !call->is_distinct)
    return 0;
  order = compare_one (a->values, b->values, call->is_descending, FALSE);
  return order == 0 && call->has_second ? compare_one (&a->values[1], &b->values[1], FALSE, FALSE)
                                        : order;
}

static gint
compare_elements (gconstpointer left, gconstpointer right)
{
  const Element *a = left, *b = right;
  const KvsqlAggregate *call = &a->owner->call;
  guint first = 1 + (call->has_second != FALSE);

  for (guint i = 0; i < call->n_order; i++)
    {
      const KvsqlAggregateOrder *part = &call->order[i];
      gint order = compare_one (&a->values[first + i], &b->values[first + i], part->is_descending,
                                part->nulls_first);
      if (order != 0)
        return order;
    }
  return compare_arguments (a, b);
}

/* In order, if the result depends on one. Distinct values are in order, as in PostgreSQL. */
static Element *
elements_of (const KvsqlAccumulator *self, const Collected *state, KvsqlArena *arena, guint *out_n)
{
  guint step = width (self), n = state->n_values / step;
  Element *elements = kvsql_arena_array (arena, Element, n + 1);

  for (guint i = 0; i < n; i++)
    elements[i] = (Element){ self, state->values + (gsize)i * step };
  if (self->call.n_order > 0 || self->call.is_distinct || self->is_ordered_set)
    kvsql_sort (elements, n, sizeof *elements, compare_elements, arena);
  *out_n = n;
  return elements;
}

/* ---- results */

static gboolean
string_get (const KvsqlAccumulator *self, const Element *elements, guint n, KvsqlArena *arena,
            KvsqlValue *out, GError **error)
{
  KvsqlFunctionCall call = { .arena = arena, .type = self->type };
  gsize size = 0;
  guint8 *text;

  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *separator = &elements[i].values[1];
      size += elements[i].values[0].bytes.size;
      size += i == 0 || kvsql_value_is_null (separator) ? 0 : separator->bytes.size;
    }
  text = kvsql_function_allocate (&call, size, error);
  if (text == NULL)
    return FALSE;
  size = 0;
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    for (guint part = i == 0; part < 2; part++)
      {
        const KvsqlValue *value = &elements[i].values[1 - part];
        if (kvsql_value_is_null (value) || value->bytes.size == 0)
          continue;
        memcpy (text + size, value->bytes.data, value->bytes.size);
        size += value->bytes.size;
      }
  *out = (KvsqlValue){ .type = self->type, .bytes = kvsql_slice (text, size) };
  return TRUE;
}

static gboolean
array_get (const KvsqlAccumulator *self, const Element *elements, guint n, KvsqlArena *arena,
           KvsqlValue *out, GError **error)
{
  KvsqlValue *values;

  if (n > KVSQL_COLLECTION_MAX_ELEMENTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "array_agg of more than %d values", KVSQL_COLLECTION_MAX_ELEMENTS);
  values = kvsql_arena_array (arena, KvsqlValue, n);
  for (guint i = 0; i < n; i++)
    values[i] = elements[i].values[0];
  *out = (KvsqlValue){ .type = self->type, .bytes = kvsql_list_join (values, n, arena) };
  return out->bytes.size <= KVSQL_FUNCTION_MAX_BYTES || kvsql_function_fail_too_long (error);
}

/* json_agg and json_object_agg: with PostgreSQL's blanks. */
static gboolean
json_get (const KvsqlAccumulator *self, const Element *elements, guint n, KvsqlArena *arena,
          KvsqlValue *out, GError **error)
{
  KvsqlFunctionCall call = { .arena = arena, .type = self->type };
  gboolean is_object = self->collected == KVSQL_COLLECT_JSON_OBJECT;
  g_autoptr (GString) text = g_string_new (is_object ? "{ " : "[");

  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *values = elements[i].values;

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (text->len > KVSQL_FUNCTION_MAX_BYTES)
        return kvsql_function_fail_too_long (error);
      if (!is_object)
        kvsql_json_build_element (&values[0], i, TRUE, text);
      else if (!kvsql_json_build_member (&values[0], &values[1], i, text, error))
        return FALSE;
    }
  g_string_append (text, is_object ? " }" : "]");
  return kvsql_json_set_text (&call, text, out, error);
}

/* The value at a part of the way from the first to the last one; between two, in proportion. */
static void
continuous_get (const Element *elements, guint n, gdouble fraction, KvsqlValue *out)
{
  gdouble place = fraction * (n - 1), below = floor (place), above = ceil (place);
  gdouble low = elements[(guint)below].values[0].real, high = elements[(guint)above].values[0].real;

  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE,
                       .real = below == above ? low : low + (high - low) * (place - below) };
}

static void
mode_get (const Element *elements, guint n, KvsqlValue *out)
{
  guint longest = 0;

  for (guint i = 0, start = 0; i < n; i++)
    {
      if (kvsql_value_compare (&elements[start].values[0], &elements[i].values[0]) != 0)
        start = i;
      if (i - start + 1 > longest)
        {
          longest = i - start + 1;
          *out = elements[i].values[0];
        }
    }
}

static gboolean
ordered_get (const KvsqlAccumulator *self, const Element *elements, guint n, KvsqlValue *out)
{
  const KvsqlValue *fraction = &self->call.fraction;

  if (self->collected == KVSQL_COLLECT_MODE)
    mode_get (elements, n, out);
  else if (kvsql_value_is_null (fraction))
    return TRUE;
  else if (self->collected == KVSQL_COLLECT_CONTINUOUS)
    continuous_get (elements, n, fraction->real, out);
  else
    *out = elements[MAX ((guint)ceil (fraction->real * n), 1) - 1].values[0];
  return TRUE;
}

static gboolean
collect_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
             GError **error)
{
  const Collected *state = opaque;
  Element *elements;
  guint n;

  *out = KVSQL_VALUE_NULL;
  if (state->n_values == 0)
    return TRUE;
  elements = elements_of (self, state, arena, &n);
  switch (self->collected)
    {
    case KVSQL_COLLECT_STRING:
      return string_get (self, elements, n, arena, out, error);
    case KVSQL_COLLECT_ARRAY:
      return array_get (self, elements, n, arena, out, error);
    case KVSQL_COLLECT_JSON_ARRAY:
    case KVSQL_COLLECT_JSON_OBJECT:
      return json_get (self, elements, n, arena, out, error);
    default:
      if (!ordered_get (self, elements, n, out))
        return FALSE;
      *out = kvsql_value_dup (out, arena);
      return TRUE;
    }
}

const KvsqlAccumulatorClass kvsql_accumulator_collect
    = { sizeof (Collected), NULL, collect_merge, collect_get, NULL, collect_add };
