/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.c: one byte of truth a row, a column at a time.
 *
 * A leaf is a loop over one vector; NULL is false there, which is enough because the binder left no
 * NOT.
 */
#include "config.h"

#include "core/exec/filter.h"

#include "core/base/decimal.h"

struct _KvsqlFilter
{
  const KvsqlPredicate *predicate;
  guint capacity; /* rows that there is room for */
  guint32 *selection;
  GPtrArray *scratch; /* one array of truths a level of nesting */
};

KvsqlFilter *
kvsql_filter_new (const KvsqlPredicate *predicate)
{
  KvsqlFilter *self = g_new0 (KvsqlFilter, 1);

  self->predicate = predicate;
  self->scratch = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
kvsql_filter_free (KvsqlFilter *self)
{
  if (self == NULL)
    return;
  g_free (self->selection);
  g_ptr_array_unref (self->scratch);
  g_free (self);
}

/* Batches grow while a scan goes on. */
static void
make_room (KvsqlFilter *self, guint capacity)
{
  g_free (self->selection);
  self->selection = g_new (guint32, capacity);
  g_ptr_array_set_size (self->scratch, 0);
  self->capacity = capacity;
}

static guint8 *
scratch_at (KvsqlFilter *self, guint depth)
{
  while (self->scratch->len <= depth)
    g_ptr_array_add (self->scratch, g_malloc (self->capacity));
  return self->scratch->pdata[depth];
}

/* ---- single values */

static gdouble
as_real (const KvsqlValue *value)
{
  switch (kvsql_type_get_class (value->type))
    {
    case KVSQL_CLASS_INTEGER:
      return value->integer;
    case KVSQL_CLASS_REAL:
      return value->real;
    default:
      return kvsql_decimal_to_double (value->bytes);
    }
}

/* Order of two values of types that the binder found comparable. */
static gint
compare_mixed (const KvsqlValue *a, const KvsqlValue *b)
{
  KvsqlTypeClass x = kvsql_type_get_class (a->type), y = kvsql_type_get_class (b->type);
  gboolean a_is_date = a->type == KVSQL_TYPE_DATE, b_is_date = b->type == KVSQL_TYPE_DATE;

  if (x == KVSQL_CLASS_INTEGER && y == KVSQL_CLASS_INTEGER && a_is_date != b_is_date)
    {
      gint64 left = a_is_date ? a->integer * KVSQL_MS_PER_DAY : a->integer;
      gint64 right = b_is_date ? b->integer * KVSQL_MS_PER_DAY : b->integer;
      return (left > right) - (left < right);
    }
  if (x == y && (a->type == KVSQL_TYPE_DECIMAL) == (b->type == KVSQL_TYPE_DECIMAL))
    return kvsql_value_compare (a, b);
  if (x != KVSQL_CLASS_REAL && y != KVSQL_CLASS_REAL)
    {
      /* an integer and a DECIMAL: exact, as text */
      const KvsqlValue *integer = x == KVSQL_CLASS_INTEGER ? a : b,
                       *decimal = x == KVSQL_CLASS_INTEGER ? b : a;
      gchar text[32];
      gint order;
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, integer->integer);
      order = kvsql_decimal_compare (kvsql_slice_from_text (text), decimal->bytes);
      return integer == a ? order : -order;
    }
  KvsqlValue left = { .type = KVSQL_TYPE_DOUBLE, .real = as_real (a) };
  KvsqlValue right = { .type = KVSQL_TYPE_DOUBLE, .real = as_real (b) };
  return kvsql_value_compare (&left, &right);
}

static gboolean
is_in (const KvsqlPredicate *predicate, const KvsqlValue *value)
{
  guint low = 0, high = predicate->n_values;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      gint order = kvsql_value_compare (&predicate->values[middle], value);
      if (order == 0)
        return TRUE;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return FALSE;
}

/* A leaf on one value of its attribute (and of the other one). */
static gboolean
leaf_admits (const KvsqlPredicate *predicate, const KvsqlValue *value, const KvsqlValue *other)
{
  if (predicate->kind == KVSQL_PREDICATE_CONSTANT)
    return predicate->truth;
  if (predicate->kind == KVSQL_PREDICATE_IS_NULL)
    return (kvsql_value_is_null (value) != FALSE) != predicate->is_negated;
  if (kvsql_value_is_null (value))
    return FALSE;
  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_COMPARE:
      return kvsql_operator_admits (predicate->op, kvsql_value_compare (value, &predicate->value));
    case KVSQL_PREDICATE_ATTRIBUTES:
      return !kvsql_value_is_null (other)
             && kvsql_operator_admits (predicate->op, compare_mixed (value, other));
    case KVSQL_PREDICATE_IN:
      return is_in (predicate, value) != predicate->is_negated;
    default:
      return kvsql_like_matches (predicate->like, value->bytes) != predicate->is_negated;
    }
}

gboolean
kvsql_predicate_admits (const KvsqlPredicate *predicate, const KvsqlValue *tuple)
{
  gboolean is_and = predicate->kind == KVSQL_PREDICATE_AND;

  if (!is_and && predicate->kind != KVSQL_PREDICATE_OR)
    return leaf_admits (predicate, &tuple[predicate->attribute], &tuple[predicate->other]);
  for (guint i = 0; i < predicate->n_children; i++)
    if (kvsql_predicate_admits (predicate->children[i], tuple) != is_and)
      return !is_and;
  return is_and;
}

/* ---- vectors */

#define COMPARE_LOOP(array, constant)                                                              \
  switch (predicate->op)                                                                           \
    {                                                                                              \
    case KVSQL_OP_EQ:                                                                              \
      for (guint i = 0; i < n; i++)                                                                \
        truths[i] = (array)[i] == (constant);                                                      \
      break;                                                                                       \
    case KVSQL_OP_NE:                                                                              \
      for (guint i = 0; i < n; i++)                                                                \
        truths[i] = (array)[i] != (constant);                                                      \
      break;                                                                                       \
    case KVSQL_OP_LT:                                                                              \
      for (guint i = 0; i < n; i++)                                                                \
        truths[i] = (array)[i] < (constant);                                                       \
      break;                                                                                       \
    case KVSQL_OP_LE:                                                                              \
      for (guint i = 0; i < n; i++)                                                                \
        truths[i] = (array)[i] <= (constant);                                                      \
      break;                                                                                       \
    case KVSQL_OP_GT:                                                                              \
      for (guint i = 0; i < n; i++)                                                                \
        truths[i] = (array)[i] > (constant);                                                       \
      break;                                                                                       \
    default:                                                                                       \
      for (guint i = 0; i < n; i++)                                                                \
        truths[i] = (array)[i] >= (constant);                                                      \
      break;                                                                                       \
    }

static void
mask_nulls (const KvsqlVector *column, guint n, guint8 *truths)
{
  if (!column->has_nulls)
    return;
  for (guint i = 0; i < n; i++)
    if (kvsql_vector_is_null (column, i))
      truths[i] = 0;
}

static void
compare_slices (const KvsqlPredicate *predicate, const KvsqlVector *column, guint n, guint8 *truths)
{
  KvsqlSlice constant = predicate->value.bytes;

  if (predicate->op == KVSQL_OP_EQ)
    for (guint i = 0; i < n; i++)
      truths[i]
          = !kvsql_vector_is_null (column, i) && kvsql_slice_equal (column->slices[i], constant);
  else
    for (guint i = 0; i < n; i++)
      truths[i] = !kvsql_vector_is_null (column, i)
                  && kvsql_operator_admits (predicate->op,
                                            kvsql_slice_compare (column->slices[i], constant));
}

static void
row_by_row (const KvsqlPredicate *predicate, const KvsqlBatch *batch, guint8 *truths)
{
  KvsqlValue other = KVSQL_VALUE_NULL;

  for (guint i = 0; i < batch->n_rows; i++)
    {
      KvsqlValue value = kvsql_vector_get (&batch->columns[predicate->attribute], i);
      if (predicate->kind == KVSQL_PREDICATE_ATTRIBUTES)
        other = kvsql_vector_get (&batch->columns[predicate->other], i);
      truths[i] = leaf_admits (predicate, &value, &other);
    }
}

static void
run_leaf (const KvsqlPredicate *predicate, const KvsqlBatch *batch, guint8 *truths)
{
  const KvsqlVector *column = &batch->columns[predicate->attribute];
  guint n = batch->n_rows;

  if (predicate->kind == KVSQL_PREDICATE_CONSTANT)
    {
      memset (truths, predicate->truth != FALSE, n);
      return;
    }
  if (predicate->kind == KVSQL_PREDICATE_COMPARE
      && kvsql_type_get_class (column->type) == KVSQL_CLASS_INTEGER)
    {
      COMPARE_LOOP (column->integers, predicate->value.integer);
      mask_nulls (column, n, truths);
    }
  else if (predicate->kind == KVSQL_PREDICATE_COMPARE
           && (column->type == KVSQL_TYPE_STRING || column->type == KVSQL_TYPE_BYTES))
    compare_slices (predicate, column, n, truths);
  else
    row_by_row (predicate, batch,
                truths); /* reals too: NaN is a value with a place of its own in the order */
}

static void
run (KvsqlFilter *self, const KvsqlPredicate *predicate, const KvsqlBatch *batch, guint8 *truths,
     guint depth)
{
  guint8 *other;

  if (predicate->kind != KVSQL_PREDICATE_AND && predicate->kind != KVSQL_PREDICATE_OR)
    {
      run_leaf (predicate, batch, truths);
      return;
    }
  run (self, predicate->children[0], batch, truths, depth + 1);
  other = scratch_at (self, depth + 1);
  for (guint c = 1; c < predicate->n_children; c++)
    {
      run (self, predicate->children[c], batch, other, depth + 1);
      if (predicate->kind == KVSQL_PREDICATE_AND)
        for (guint i = 0; i < batch->n_rows; i++)
          truths[i] &= other[i];
      else
        for (guint i = 0; i < batch->n_rows; i++)
          truths[i] |= other[i];
    }
}

const guint32 *
kvsql_filter_run (KvsqlFilter *self, const KvsqlBatch *batch, guint *out_n)
{
  guint8 *truths;
  guint n = 0;

  *out_n = 0;
  if (batch->n_rows == 0) /* before the first room is made there is none to write to */
    return self->selection;
  if (batch->n_rows > self->capacity)
    make_room (self, batch->capacity);
  truths = scratch_at (self, 0);
  run (self, self->predicate, batch, truths, 0);
  for (guint i = 0; i < batch->n_rows; i++)
    {
      self->selection[n] = i;
      n += truths[i];
    }
  *out_n = n;
  return self->selection;
}
