/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.c: the aggregates by name, their types, and COUNT.
 */
#include "config.h"

#include "core/expr/aggregate-private.h"

typedef enum
{
  COUNT,
  SUM,
  MIN,
  MAX,
  AVG,
} Kind;

struct _KvsqlAggregateFunction
{
  const gchar *name;
  Kind kind;
};

static const KvsqlAggregateFunction functions[] = {
  { "count", COUNT }, { "sum", SUM }, { "min", MIN }, { "max", MAX }, { "avg", AVG },
};

const KvsqlAggregateFunction *
kvsql_aggregate_find (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_ascii_strcasecmp (functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

void
kvsql_aggregate_add_names (GPtrArray *names)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    g_ptr_array_add (names, (gpointer)functions[i].name);
}

const gchar *
kvsql_aggregate_get_name (const KvsqlAggregateFunction *self)
{
  return self->name;
}

gboolean
kvsql_aggregate_takes_star (const KvsqlAggregateFunction *self)
{
  return self->kind == COUNT;
}

gboolean
kvsql_aggregate_counts_duplicates (const KvsqlAggregateFunction *self)
{
  return self->kind != MIN && self->kind != MAX;
}

/* KVSQL_TYPE_NULL: such values have no sum. */
static KvsqlType
sum_type (KvsqlType argument)
{
  switch (argument)
    {
    case KVSQL_TYPE_NULL:
    case KVSQL_TYPE_INT:
      return KVSQL_TYPE_BIGINT;
    case KVSQL_TYPE_BIGINT:
    case KVSQL_TYPE_DECIMAL:
      return KVSQL_TYPE_DECIMAL;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      return argument;
    default:
      return KVSQL_TYPE_NULL;
    }
}

static KvsqlType
average_type (KvsqlType argument)
{
  KvsqlType sum = sum_type (argument);

  if (sum == KVSQL_TYPE_BIGINT)
    return KVSQL_TYPE_DECIMAL;
  return sum == KVSQL_TYPE_FLOAT ? KVSQL_TYPE_DOUBLE : sum;
}

gboolean
kvsql_aggregate_get_type (const KvsqlAggregateFunction *self, KvsqlType argument, KvsqlSpan span,
                          KvsqlType *out_type, GError **error)
{
  switch (self->kind)
    {
    case COUNT:
      *out_type = KVSQL_TYPE_BIGINT;
      return TRUE;
    case MIN:
    case MAX:
      *out_type = argument == KVSQL_TYPE_NULL ? KVSQL_TYPE_STRING : argument;
      if (!kvsql_type_is_collection (argument))
        return TRUE;
      kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "there is no %s of %s", self->name,
                       kvsql_type_get_name (argument));
      return kvsql_error_hint (error, "Maps and lists have no order; one of their values may.");
    default:
      *out_type = self->kind == SUM ? sum_type (argument) : average_type (argument);
      if (*out_type != KVSQL_TYPE_NULL)
        return TRUE;
      kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "there is no %s of %s", self->name,
                       kvsql_type_get_name (argument));
      return kvsql_error_hint (error, "%s takes numbers; CAST makes one of a text.", self->name);
    }
}

/* ---- COUNT */

static gboolean
count_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  gint64 *counts = self->states;

  if (values == NULL || (!values->has_nulls && values->type != KVSQL_TYPE_NULL))
    for (guint i = 0; i < n; i++)
      counts[groups[rows == NULL ? i : rows[i]]]++;
  else
    for (guint i = 0; i < n; i++)
      {
        guint row = rows == NULL ? i : rows[i];
        counts[groups[row]] += !kvsql_vector_is_null (values, row);
      }
  return TRUE;
}

static gboolean
count_merge (KvsqlAccumulator *self, gpointer state, gpointer from, GError **error)
{
  *(gint64 *)state += *(const gint64 *)from;
  return TRUE;
}

static gboolean
count_get (const KvsqlAccumulator *self, gconstpointer state, KvsqlArena *arena, KvsqlValue *out,
           GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = *(const gint64 *)state };
  return TRUE;
}

static const KvsqlAccumulatorClass count_class
    = { sizeof (gint64), count_add, count_merge, count_get, NULL };

/* ---- accumulators */

static const KvsqlAccumulatorClass *
sum_class (KvsqlType argument, gboolean is_average)
{
  switch (kvsql_type_get_class (argument))
    {
    case KVSQL_CLASS_REAL:
      return &kvsql_accumulator_sum_real;
    case KVSQL_CLASS_SLICE:
      return &kvsql_accumulator_sum_decimal;
    default:
      return is_average || argument == KVSQL_TYPE_BIGINT ? &kvsql_accumulator_sum_wide
                                                         : &kvsql_accumulator_sum_small;
    }
}

static const KvsqlAccumulatorClass *
minmax_class (KvsqlType argument)
{
  switch (kvsql_type_get_class (argument))
    {
    case KVSQL_CLASS_REAL:
      return &kvsql_accumulator_minmax_real;
    case KVSQL_CLASS_SLICE:
      return &kvsql_accumulator_minmax_slice;
    default:
      return &kvsql_accumulator_minmax_integer;
    }
}

KvsqlAccumulator *
kvsql_accumulator_new (const KvsqlAggregateFunction *function, KvsqlType argument)
{
  KvsqlAccumulator *self = g_new0 (KvsqlAccumulator, 1);

  self->is_average = function->kind == AVG;
  self->is_maximum = function->kind == MAX;
  if (!kvsql_aggregate_get_type (function, argument, KVSQL_SPAN_NONE, &self->type, NULL))
    g_assert_not_reached ();
  if (function->kind == COUNT)
    self->klass = &count_class;
  else if (function->kind == MIN || function->kind == MAX)
    self->klass = minmax_class (argument);
  else
    self->klass = sum_class (argument, self->is_average);
  return self;
}

void
kvsql_accumulator_free (KvsqlAccumulator *self)
{
  if (self == NULL)
    return;
  for (guint32 g = 0; self->klass->clear != NULL && g < self->n_groups; g++)
    self->klass->clear ((guint8 *)self->states + g * self->klass->state_size);
  g_free (self->states);
  g_free (self);
}

void
kvsql_accumulator_reserve (KvsqlAccumulator *self, guint32 n_groups)
{
  gsize size = self->klass->state_size;

  if (n_groups > self->capacity)
    {
      gsize capacity = MAX (n_groups, MIN ((guint64)self->capacity * 2, G_MAXUINT32));
      self->states = g_realloc (self->states, capacity * size);
      self->capacity = (guint32)capacity;
    }
  if (n_groups > self->n_groups)
    {
      memset ((guint8 *)self->states + self->n_groups * size, 0,
              (n_groups - self->n_groups) * size);
      self->n_groups = n_groups;
    }
}

gboolean
kvsql_accumulator_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
                       const guint32 *groups, guint n, GError **error)
{
  g_assert (n == 0 || self->n_groups > 0);
  g_assert (values != NULL || self->klass == &count_class); /* only rows can be counted without */
  if (values != NULL && values->type == KVSQL_TYPE_NULL)
    return TRUE; /* all values are NULL */
  return self->klass->add (self, values, rows, groups, n, error);
}

gboolean
kvsql_accumulator_merge (KvsqlAccumulator *self, KvsqlAccumulator *from, const guint32 *groups,
                         GError **error)
{
  gsize size = self->klass->state_size;

  g_assert (from != self && from->klass == self->klass && from->type == self->type);
  for (guint32 g = 0; g < from->n_groups; g++)
    if (!self->klass->merge (self, (guint8 *)self->states + groups[g] * size,
                             (guint8 *)from->states + g * size, error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_accumulator_get (const KvsqlAccumulator *self, guint32 group, KvsqlArena *arena,
                       KvsqlValue *out, GError **error)
{
  g_assert (group < self->n_groups);
  return self->klass->get (self, (const guint8 *)self->states + group * self->klass->state_size,
                           arena, out, error);
}

gsize
kvsql_accumulator_get_size (const KvsqlAccumulator *self)
{
  return self->capacity * self->klass->state_size + self->extra_bytes;
}
