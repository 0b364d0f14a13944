/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate-filter.c: evaluates a predicate column by column, with one byte of truth for each row.
 *
 * A leaf is a loop over one vector. NULL counts as false there; this is enough because the binder
 * has removed every NOT. In every AND and OR, expressions come last, for the rows that are still
 * open then: they cost more, and they must not fail for a row that another condition has excluded
 * (b <> 0 AND a / b > 1).
 */
#include "config.h"

#include "core/scan/predicate-filter.h"
#include "core/base/interrupt.h"

#include "core/base/decimal.h"
#include "core/base/memory.h"
#include "core/expr/evaluate.h"

/* Evaluators of more nodes together are not kept between batches: each node has memory of its own
 * for the values of a batch, in several pieces. Without a limit, 100,000 terms had 300 MiB, and
 * took longer to free than a client should wait after KILL. */
#define MAX_KEPT_NODES (1 << 16)

struct _KvsqlPredicateFilter
{
  const KvsqlPredicate *predicate;
  guint capacity; /* rows */
  guint32 *selection;
  guint32 *open;          /* rows for which an expression has to be evaluated */
  GPtrArray *scratch;     /* two arrays of truths for each level of nesting */
  GHashTable *evaluators; /* leaf -> KvsqlEvaluator *, made when it is first needed; NULL if there
                             are no expressions, or too many */
  gsize n_nodes;          /* of all expressions */
};

static gsize
count_nodes (const KvsqlPredicate *predicate)
{
  gsize n = predicate->kind == KVSQL_PREDICATE_EXPRESSION ? predicate->expr->size : 0;

  for (guint i = 0; i < predicate->n_children; i++)
    n += count_nodes (predicate->children[i]);
  return n;
}

/* To be released after its use. */
static KvsqlEvaluator *
acquire_evaluator (KvsqlPredicateFilter *self, const KvsqlPredicate *predicate)
{
  KvsqlEvaluator *evaluator;

  if (self->evaluators == NULL)
    return kvsql_evaluator_new (&predicate->expr, 1);
  evaluator = g_hash_table_lookup (self->evaluators, predicate);
  if (evaluator == NULL)
    {
      evaluator = kvsql_evaluator_new_sized (&predicate->expr, 1, self->n_nodes);
      g_hash_table_insert (self->evaluators, (gpointer)predicate, evaluator);
    }
  return evaluator;
}

static void
release_evaluator (KvsqlPredicateFilter *self, KvsqlEvaluator *evaluator)
{
  if (self->evaluators == NULL)
    kvsql_evaluator_free (evaluator);
}

KvsqlPredicateFilter *
kvsql_predicate_filter_new (const KvsqlPredicate *predicate)
{
  KvsqlPredicateFilter *self = kvsql_new0 (KvsqlPredicateFilter);

  self->predicate = predicate;
  self->scratch = g_ptr_array_new_with_free_func (g_free);
  if (predicate->has_expression)
    self->n_nodes = count_nodes (predicate);
  if (predicate->has_expression && self->n_nodes <= MAX_KEPT_NODES)
    self->evaluators
        = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)kvsql_evaluator_free);
  return self;
}

void
kvsql_predicate_filter_free (KvsqlPredicateFilter *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->evaluators, g_hash_table_unref);
  g_free (self->selection);
  g_free (self->open);
  g_ptr_array_unref (self->scratch);
  g_free (self);
}

/* Batches grow during a scan. */
static void
make_room (KvsqlPredicateFilter *self, guint capacity)
{
  g_free (self->selection);
  self->selection = g_new (guint32, capacity);
  if (self->predicate->has_expression)
    {
      g_free (self->open);
      self->open = g_new (guint32, capacity);
    }
  g_ptr_array_set_size (self->scratch, 0);
  self->capacity = capacity;
}

static guint8 *
scratch_at (KvsqlPredicateFilter *self, guint index)
{
  while (self->scratch->len <= index)
    g_ptr_array_add (self->scratch, g_malloc (self->capacity));
  return self->scratch->pdata[index];
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

/* Compares two values of types that the binder found comparable. */
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
      /* an integer and a DECIMAL: compared as text, which is exact */
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

/* A leaf on one value of its attribute (and one of the other attribute). */
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
      return kvsql_values_contain (predicate->values, predicate->n_values, value)
             != predicate->is_negated;
    default:
      return kvsql_like_matches (predicate->like, value->bytes) != predicate->is_negated;
    }
}

static gboolean
expression_admits (const KvsqlPredicate *predicate, const KvsqlValue *tuple, KvsqlArena *arena,
                   gboolean *out_admits, GError **error)
{
  KvsqlValue value;

  if (!kvsql_expr_evaluate (predicate->expr, tuple, arena, &value, error))
    return FALSE;
  *out_admits = !kvsql_value_is_null (&value) && value.boolean;
  return TRUE;
}

gboolean
kvsql_predicate_admits (const KvsqlPredicate *predicate, const KvsqlValue *tuple, KvsqlArena *arena,
                        gboolean *out_admits, GError **error)
{
  gboolean is_and = predicate->kind == KVSQL_PREDICATE_AND;

  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (predicate->kind == KVSQL_PREDICATE_EXPRESSION)
    return expression_admits (predicate, tuple, arena, out_admits, error);
  *out_admits = is_and;
  if (!is_and && predicate->kind != KVSQL_PREDICATE_OR)
    {
      *out_admits = leaf_admits (predicate, &tuple[predicate->attribute], &tuple[predicate->other]);
      return TRUE;
    }
  for (guint late = 0; late < 2; late++)
    for (guint i = 0; i < predicate->n_children; i++)
      {
        if ((predicate->children[i]->has_expression != FALSE) != late)
          continue;
        if (!kvsql_predicate_admits (predicate->children[i], tuple, arena, out_admits, error))
          return FALSE;
        if ((*out_admits != FALSE) != is_and)
          return TRUE;
      }
  return TRUE;
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
    row_by_row (predicate, batch, truths); /* for reals, too: NaN has a place in the order */
}

/* ---- expressions */

/* The rows with @wanted set (NULL: all). NULL if these are all rows. */
static const guint32 *
open_rows (KvsqlPredicateFilter *self, const guint8 *wanted, guint n_rows, guint *out_n)
{
  guint n = 0;

  *out_n = n_rows;
  if (wanted == NULL)
    return NULL;
  for (guint i = 0; i < n_rows; i++)
    {
      self->open[n] = i;
      n += wanted[i];
    }
  *out_n = n;
  return n == n_rows ? NULL : self->open;
}

static gboolean
evaluate (KvsqlPredicateFilter *self, KvsqlEvaluator *evaluator, const KvsqlBatch *batch,
          const guint8 *wanted, guint8 *truths, GError **error)
{
  guint n;
  const guint32 *rows = open_rows (self, wanted, batch->n_rows, &n);
  const KvsqlVector *result;
  KvsqlBatch *out;

  if (!kvsql_evaluator_run (evaluator, batch, rows, n, &out, error))
    return FALSE;
  result = &out->columns[0];
  if (rows != NULL)
    memset (truths, 0, batch->n_rows);
  for (guint k = 0; k < n; k++)
    truths[rows != NULL ? rows[k] : k] = result->booleans[k] && !kvsql_vector_is_null (result, k);
  return TRUE;
}

static gboolean
run_expression (KvsqlPredicateFilter *self, const KvsqlPredicate *predicate,
                const KvsqlBatch *batch, const guint8 *wanted, guint8 *truths, GError **error)
{
  KvsqlEvaluator *evaluator = acquire_evaluator (self, predicate);
  gboolean ok = evaluate (self, evaluator, batch, wanted, truths, error);

  release_evaluator (self, evaluator);
  return ok;
}

/* ---- the tree */

static gboolean run (KvsqlPredicateFilter *self, const KvsqlPredicate *predicate,
                     const KvsqlBatch *batch, const guint8 *wanted, guint8 *truths, guint depth,
                     GError **error);

static void
connect (gboolean is_and, const guint8 *other, guint n, guint8 *truths)
{
  if (is_and)
    for (guint i = 0; i < n; i++)
      truths[i] &= other[i];
  else
    for (guint i = 0; i < n; i++)
      truths[i] |= other[i];
}

/* The rows of @wanted (NULL: all) for which an OR is not yet true. */
static void
still_false (const guint8 *wanted, const guint8 *truths, guint n, guint8 *out)
{
  for (guint i = 0; i < n; i++)
    out[i] = !truths[i] & (wanted == NULL || wanted[i]);
}

static gboolean
run_child (KvsqlPredicateFilter *self, const KvsqlPredicate *predicate, guint child,
           const KvsqlBatch *batch, const guint8 *wanted, guint8 *truths, guint depth,
           GError **error)
{
  gboolean is_and = predicate->kind == KVSQL_PREDICATE_AND;
  guint8 *other = scratch_at (self, 2 * depth + 1);

  if (predicate->children[child]->has_expression)
    {
      guint8 *open = truths;
      if (!is_and)
        {
          open = scratch_at (self, 2 * depth + 2);
          still_false (wanted, truths, batch->n_rows, open);
        }
      wanted = open;
    }
  if (!run (self, predicate->children[child], batch, wanted, other, depth + 1, error))
    return FALSE;
  connect (is_and, other, batch->n_rows, truths);
  return TRUE;
}

static gboolean
run_connective (KvsqlPredicateFilter *self, const KvsqlPredicate *predicate,
                const KvsqlBatch *batch, const guint8 *wanted, guint8 *truths, guint depth,
                GError **error)
{
  gboolean is_and = predicate->kind == KVSQL_PREDICATE_AND;
  guint first = 0;

  /* the first child without an expression writes its truths directly */
  while (first < predicate->n_children && predicate->children[first]->has_expression)
    first++;
  if (first == predicate->n_children)
    memset (truths, is_and, batch->n_rows);
  else if (!run (self, predicate->children[first], batch, wanted, truths, depth + 1, error))
    return FALSE;
  for (guint c = 0; c < predicate->n_children; c++)
    if (c != first && !predicate->children[c]->has_expression
        && !run_child (self, predicate, c, batch, wanted, truths, depth, error))
      return FALSE;
  if (!predicate->has_expression)
    return TRUE;
  if (is_and && wanted != NULL)
    connect (TRUE, wanted, batch->n_rows, truths);
  for (guint c = 0; c < predicate->n_children; c++)
    if (predicate->children[c]->has_expression
        && !run_child (self, predicate, c, batch, wanted, truths, depth, error))
      return FALSE;
  return TRUE;
}

/* @wanted: 1 for the rows to evaluate, NULL: all. Truths of other rows have no meaning. */
static gboolean
run (KvsqlPredicateFilter *self, const KvsqlPredicate *predicate, const KvsqlBatch *batch,
     const guint8 *wanted, guint8 *truths, guint depth, GError **error)
{
  if (!kvsql_interrupt_spend (1 + batch->n_rows / 64) && !kvsql_interrupt_check (error))
    return FALSE;
  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_AND:
    case KVSQL_PREDICATE_OR:
      return run_connective (self, predicate, batch, wanted, truths, depth, error);
    case KVSQL_PREDICATE_EXPRESSION:
      return run_expression (self, predicate, batch, wanted, truths, error);
    default:
      run_leaf (predicate, batch, truths);
      return TRUE;
    }
}

gboolean
kvsql_predicate_filter_run (KvsqlPredicateFilter *self, const KvsqlBatch *batch,
                            const guint32 **out_rows, guint *out_n, GError **error)
{
  guint8 *truths;
  guint n = 0;

  *out_n = 0;
  *out_rows = self->selection;
  if (batch->n_rows == 0) /* there is no memory before the first batch with rows */
    return TRUE;
  if (batch->n_rows > self->capacity)
    make_room (self, batch->capacity);
  truths = scratch_at (self, 0);
  if (!run (self, self->predicate, batch, NULL, truths, 0, error))
    return FALSE;
  for (guint i = 0; i < batch->n_rows; i++)
    {
      self->selection[n] = i;
      n += truths[i];
    }
  *out_rows = self->selection;
  *out_n = n;
  return TRUE;
}
