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
  BOOL_AND,
  BOOL_OR,
  BITS,
  VARIANCE,
  REGRESSION,
  COLLECT,
} Kind;

struct _KvsqlAggregateFunction
{
  const gchar *name;
  Kind kind;
  guint detail; /* of BITS, REGRESSION and COLLECT; VARIANCE: IS_SAMPLE, IS_ROOT */
};

#define IS_SAMPLE 1
#define IS_ROOT 2

static const KvsqlAggregateFunction functions[] = {
  { "count", COUNT, 0 },
  { "sum", SUM, 0 },
  { "min", MIN, 0 },
  { "max", MAX, 0 },
  { "avg", AVG, 0 },
  { "bool_and", BOOL_AND, 0 },
  { "every", BOOL_AND, 0 },
  { "bool_or", BOOL_OR, 0 },
  { "bit_and", BITS, KVSQL_BITS_AND },
  { "bit_or", BITS, KVSQL_BITS_OR },
  { "bit_xor", BITS, KVSQL_BITS_XOR },
  { "variance", VARIANCE, IS_SAMPLE },
  { "var_samp", VARIANCE, IS_SAMPLE },
  { "var_pop", VARIANCE, 0 },
  { "stddev", VARIANCE, IS_SAMPLE | IS_ROOT },
  { "stddev_samp", VARIANCE, IS_SAMPLE | IS_ROOT },
  { "stddev_pop", VARIANCE, IS_ROOT },
  { "corr", REGRESSION, KVSQL_REGRESSION_CORR },
  { "covar_pop", REGRESSION, KVSQL_REGRESSION_COVAR_POP },
  { "covar_samp", REGRESSION, KVSQL_REGRESSION_COVAR_SAMP },
  { "regr_count", REGRESSION, KVSQL_REGRESSION_COUNT },
  { "regr_sxx", REGRESSION, KVSQL_REGRESSION_SXX },
  { "regr_syy", REGRESSION, KVSQL_REGRESSION_SYY },
  { "regr_sxy", REGRESSION, KVSQL_REGRESSION_SXY },
  { "regr_avgx", REGRESSION, KVSQL_REGRESSION_AVGX },
  { "regr_avgy", REGRESSION, KVSQL_REGRESSION_AVGY },
  { "regr_r2", REGRESSION, KVSQL_REGRESSION_R2 },
  { "regr_slope", REGRESSION, KVSQL_REGRESSION_SLOPE },
  { "regr_intercept", REGRESSION, KVSQL_REGRESSION_INTERCEPT },
  { "string_agg", COLLECT, KVSQL_COLLECT_STRING },
  { "array_agg", COLLECT, KVSQL_COLLECT_ARRAY },
  { "json_agg", COLLECT, KVSQL_COLLECT_JSON_ARRAY },
  { "jsonb_agg", COLLECT, KVSQL_COLLECT_JSON_ARRAY },
  { "json_object_agg", COLLECT, KVSQL_COLLECT_JSON_OBJECT },
  { "jsonb_object_agg", COLLECT, KVSQL_COLLECT_JSON_OBJECT },
  { "percentile_cont", COLLECT, KVSQL_COLLECT_CONTINUOUS },
  { "percentile_disc", COLLECT, KVSQL_COLLECT_DISCRETE },
  { "mode", COLLECT, KVSQL_COLLECT_MODE },
};

const KvsqlAggregateFunction *
kvsql_aggregate_find (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_ascii_strcasecmp (functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

gboolean
kvsql_aggregate_is_grouping (const gchar *name)
{
  return g_ascii_strcasecmp (name, "grouping") == 0;
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
  return self->kind != MIN && self->kind != MAX && self->kind != BOOL_AND && self->kind != BOOL_OR;
}

static gboolean
collects (const KvsqlAggregateFunction *self, KvsqlCollect what)
{
  return self->kind == COLLECT && self->detail == (guint)what;
}

guint
kvsql_aggregate_get_n_arguments (const KvsqlAggregateFunction *self)
{
  if (collects (self, KVSQL_COLLECT_MODE))
    return 0;
  return self->kind == REGRESSION || collects (self, KVSQL_COLLECT_STRING)
                 || collects (self, KVSQL_COLLECT_JSON_OBJECT)
             ? 2
             : 1;
}

gboolean
kvsql_aggregate_is_ordered_set (const KvsqlAggregateFunction *self)
{
  return self->kind == COLLECT && self->detail >= KVSQL_COLLECT_CONTINUOUS;
}

gboolean
kvsql_aggregate_keeps_form (const KvsqlAggregateFunction *self)
{
  return self->kind == SUM || self->kind == MIN || self->kind == MAX
         || collects (self, KVSQL_COLLECT_DISCRETE) || collects (self, KVSQL_COLLECT_MODE);
}

static gboolean
makes_json (const KvsqlAggregateFunction *self)
{
  return collects (self, KVSQL_COLLECT_JSON_ARRAY) || collects (self, KVSQL_COLLECT_JSON_OBJECT);
}

gboolean
kvsql_aggregate_takes_nulls (const KvsqlAggregateFunction *self)
{
  return collects (self, KVSQL_COLLECT_ARRAY) || makes_json (self);
}

gboolean
kvsql_aggregate_pairs_any (const KvsqlAggregateFunction *self)
{
  return collects (self, KVSQL_COLLECT_JSON_OBJECT);
}

gboolean
kvsql_aggregate_has_order (const KvsqlAggregateFunction *self)
{
  return collects (self, KVSQL_COLLECT_ARRAY) || collects (self, KVSQL_COLLECT_STRING)
         || makes_json (self);
}

KvsqlType
kvsql_aggregate_get_wanted (const KvsqlAggregateFunction *self, KvsqlType argument)
{
  gboolean is_real = self->kind == REGRESSION || collects (self, KVSQL_COLLECT_CONTINUOUS);

  if (is_real && (kvsql_type_is_number (argument) || argument == KVSQL_TYPE_NULL))
    return KVSQL_TYPE_DOUBLE;
  if (collects (self, KVSQL_COLLECT_STRING) && argument == KVSQL_TYPE_NULL)
    return KVSQL_TYPE_STRING;
  return argument;
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
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_INTERVAL:
      return KVSQL_TYPE_INTERVAL;
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

/* KVSQL_TYPE_NULL: there is no result for such values. */
static KvsqlType
collected_type (const KvsqlAggregateFunction *self, KvsqlType argument)
{
  KvsqlType type = argument == KVSQL_TYPE_NULL ? KVSQL_TYPE_STRING : argument;

  if (collects (self, KVSQL_COLLECT_JSON_OBJECT)
      && (kvsql_type_is_collection (argument) || kvsql_type_is_json (argument)))
    return KVSQL_TYPE_NULL;
  if (makes_json (self))
    return g_str_has_prefix (self->name, "jsonb") ? KVSQL_TYPE_JSONB : KVSQL_TYPE_JSON;
  if (kvsql_type_is_collection (argument))
    return KVSQL_TYPE_NULL;
  switch ((KvsqlCollect)self->detail)
    {
    case KVSQL_COLLECT_STRING:
      return type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_BYTES ? type : KVSQL_TYPE_NULL;
    case KVSQL_COLLECT_ARRAY:
      return (KvsqlType)(KVSQL_TYPE_LIST + type - 1);
    case KVSQL_COLLECT_CONTINUOUS:
      return argument == KVSQL_TYPE_DOUBLE ? argument : KVSQL_TYPE_NULL;
    default:
      return type;
    }
}

static KvsqlType
result_type (const KvsqlAggregateFunction *self, KvsqlType argument)
{
  switch (self->kind)
    {
    case SUM:
      return sum_type (argument);
    case AVG:
      return average_type (argument);
    case VARIANCE:
      return average_type (argument) == KVSQL_TYPE_DECIMAL || argument == KVSQL_TYPE_NULL
                 ? average_type (argument)
             : kvsql_type_get_class (argument) == KVSQL_CLASS_REAL ? KVSQL_TYPE_DOUBLE
                                                                   : KVSQL_TYPE_NULL;
    case REGRESSION:
      if (argument != KVSQL_TYPE_DOUBLE)
        return KVSQL_TYPE_NULL;
      return self->detail == KVSQL_REGRESSION_COUNT ? KVSQL_TYPE_BIGINT : KVSQL_TYPE_DOUBLE;
    case BITS:
      return argument == KVSQL_TYPE_NULL                                   ? KVSQL_TYPE_INT
             : argument == KVSQL_TYPE_INT || argument == KVSQL_TYPE_BIGINT ? argument
                                                                           : KVSQL_TYPE_NULL;
    case BOOL_AND:
    case BOOL_OR:
      return argument == KVSQL_TYPE_BOOLEAN || argument == KVSQL_TYPE_NULL ? KVSQL_TYPE_BOOLEAN
                                                                           : KVSQL_TYPE_NULL;
    default:
      return collected_type (self, argument);
    }
}

static gboolean
hint_type (const KvsqlAggregateFunction *self, KvsqlType argument, GError **error)
{
  if (self->kind == BOOL_AND || self->kind == BOOL_OR)
    return kvsql_error_hint (error, "%s takes conditions.", self->name);
  if (self->kind == BITS)
    return kvsql_error_hint (error, "%s takes whole numbers: INT and BIGINT.", self->name);
  if (collects (self, KVSQL_COLLECT_JSON_OBJECT))
    return kvsql_error_hint (error, "A key is a single value: of JSON, take a part as text with "
                                    "->>.");
  if (self->kind == COLLECT && kvsql_type_is_collection (argument))
    return kvsql_error_hint (error, "%s takes single values.", self->name);
  if (collects (self, KVSQL_COLLECT_STRING))
    return kvsql_error_hint (error, "Write CAST (… AS STRING).");
  return kvsql_error_hint (error, "%s takes numbers; CAST makes one of a text.", self->name);
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
      if (!kvsql_type_is_collection (argument) && !kvsql_type_is_json (argument))
        return TRUE;
      kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "there is no %s of %s", self->name,
                       kvsql_type_get_name (argument));
      kvsql_error_sqlstate (error, "42883");
      if (kvsql_type_is_json (argument))
        return kvsql_error_hint (error, "Take a part of it, and CAST it.");
      return kvsql_error_hint (error, "Maps and lists have no order; one of their values may.");
    default:
      *out_type = result_type (self, argument);
      if (*out_type != KVSQL_TYPE_NULL)
        return TRUE;
      kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "there is no %s of %s", self->name,
                       kvsql_type_get_name (argument));
      kvsql_error_sqlstate (error, "42883");
      return hint_type (self, argument, error);
    }
}

/* ---- COUNT */

static gboolean
count_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  gint64 *counts = self->states;
  gint sign = kvsql_accumulator_get_sign (self);

  if (values == NULL || (!values->has_nulls && values->type != KVSQL_TYPE_NULL))
    for (guint i = 0; i < n; i++)
      counts[groups[rows == NULL ? i : rows[i]]] += sign;
  else
    for (guint i = 0; i < n; i++)
      {
        guint row = rows == NULL ? i : rows[i];
        counts[groups[row]] += kvsql_vector_is_null (values, row) ? 0 : sign;
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
    = { sizeof (gint64), count_add, count_merge, count_get, NULL, NULL, TRUE };

/* ---- accumulators */

static const KvsqlAccumulatorClass *
sum_class (KvsqlType argument, gboolean is_average)
{
  if (argument == KVSQL_TYPE_INTERVAL || argument == KVSQL_TYPE_TIME)
    return &kvsql_accumulator_sum_interval;
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

static const KvsqlAccumulatorClass *
class_of (const KvsqlAggregateFunction *function, KvsqlType argument)
{
  switch (function->kind)
    {
    case COUNT:
      return &count_class;
    case MIN:
    case MAX:
    case BOOL_AND:
    case BOOL_OR:
      return minmax_class (argument);
    case BITS:
      return &kvsql_accumulator_bits;
    case VARIANCE:
      return kvsql_type_get_class (argument) == KVSQL_CLASS_REAL
                 ? &kvsql_accumulator_variance_real
                 : &kvsql_accumulator_variance_exact;
    case REGRESSION:
      return &kvsql_accumulator_regression;
    case COLLECT:
      return &kvsql_accumulator_collect;
    default:
      return sum_class (argument, function->kind == AVG);
    }
}

KvsqlAccumulator *
kvsql_accumulator_new (const KvsqlAggregate *call)
{
  const KvsqlAggregateFunction *function = call->function;
  KvsqlAccumulator *self = g_new0 (KvsqlAccumulator, 1);

  self->call = *call;
  self->is_average = function->kind == AVG;
  self->is_maximum = function->kind == MAX || function->kind == BOOL_OR;
  self->is_sample = function->kind == VARIANCE && (function->detail & IS_SAMPLE) != 0;
  self->is_root = function->kind == VARIANCE && (function->detail & IS_ROOT) != 0;
  self->bits = (KvsqlBits)function->detail;
  self->regression = (KvsqlRegression)function->detail;
  self->collected = (KvsqlCollect)function->detail;
  self->name = function->name;
  self->takes_nulls = kvsql_aggregate_takes_nulls (function);
  self->is_ordered_set = kvsql_aggregate_is_ordered_set (function);
  if (!kvsql_aggregate_get_type (function, call->argument, KVSQL_SPAN_NONE, &self->type, NULL))
    g_assert_not_reached ();
  self->klass = class_of (function, call->argument);
  if (self->klass == &kvsql_accumulator_collect)
    self->arena = kvsql_arena_new ();
  return self;
}

void
kvsql_accumulator_free (KvsqlAccumulator *self)
{
  if (self == NULL)
    return;
  for (guint32 g = 0; self->klass->clear != NULL && g < self->n_groups; g++)
    self->klass->clear ((guint8 *)self->states + g * self->klass->state_size);
  kvsql_arena_free (self->arena);
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
kvsql_accumulator_add (KvsqlAccumulator *self, const KvsqlBatch *batch, const guint32 *rows,
                       const guint32 *groups, guint n, GError **error)
{
  const KvsqlVector *values
      = self->call.column == KVSQL_NO_COLUMN ? NULL : &batch->columns[self->call.column];

  if (self->klass->add == NULL)
    return self->klass->add_rows (self, batch, rows, groups, n, error);
  g_assert (n == 0 || self->n_groups > 0);
  g_assert (values != NULL || self->klass == &count_class); /* only rows can be counted without */
  if (values != NULL && values->type == KVSQL_TYPE_NULL)
    return TRUE; /* all values are NULL */
  return self->klass->add (self, values, rows, groups, n, error);
}

gboolean
kvsql_accumulator_can_remove (const KvsqlAccumulator *self)
{
  /* the digits of an average depend on those of its values, which a sum does not keep apart */
  return self->klass->can_remove
         && !(self->is_average && self->klass == &kvsql_accumulator_sum_decimal);
}

gboolean
kvsql_accumulator_remove (KvsqlAccumulator *self, const KvsqlBatch *batch, const guint32 *rows,
                          const guint32 *groups, guint n, GError **error)
{
  gboolean is_removed;

  g_assert (kvsql_accumulator_can_remove (self));
  self->is_removing = TRUE;
  is_removed = kvsql_accumulator_add (self, batch, rows, groups, n, error);
  self->is_removing = FALSE;
  return is_removed;
}

void
kvsql_accumulator_reset (KvsqlAccumulator *self)
{
  gsize size = self->klass->state_size;

  for (guint32 g = 0; self->klass->clear != NULL && g < self->n_groups; g++)
    self->klass->clear ((guint8 *)self->states + g * size);
  memset (self->states, 0, self->n_groups * size);
  self->extra_bytes = 0;
  if (self->arena != NULL)
    kvsql_arena_reset (self->arena);
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
  return self->capacity * self->klass->state_size + self->extra_bytes
         + (self->arena == NULL ? 0 : kvsql_arena_get_size (self->arena));
}
