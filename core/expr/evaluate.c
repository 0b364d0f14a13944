/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate.c: evaluates expressions for batches.
 *
 * Each node has a column of results, all of one length. Row i of every column belongs to row i of
 * the result. A node is computed for a list of rows (NULL: all), so that a branch of CASE, or the
 * rest of an AND, is computed, and can fail, only for the rows that need it. Constants are columns
 * that are filled once. A column of the input is that column itself, or its selected rows.
 *
 * The memory is a column for each node. To limit it, large expressions are computed in blocks of
 * fewer rows than the batch has.
 */
#include "config.h"

#include "core/expr/evaluate-private.h"

#include "core/base/account.h"
#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/base/interrupt.h"

typedef struct _Node Node;
struct _Node
{
  const KvsqlExpr *expr;
  Node **children;
  KvsqlVector vector;
  KvsqlBatch *storage; /* nullable: owns the vector's memory */
  guint32 *rows[2];    /* of CASE, AND, OR, COALESCE: undecided rows, and the rows of a branch */
  gboolean is_ready;   /* COLUMN: set in this run; CONSTANT: set since its memory was allocated */
};

struct _KvsqlEvaluator
{
  GPtrArray *nodes;
  GPtrArray *columns;    /* the nodes of columns, by column number; entries may be NULL */
  KvsqlAccount *account; /* nullable: counts the nodes; batches count themselves */
  gsize node_bytes;
  Node **roots;
  guint n_roots;
  KvsqlBatch result;
  KvsqlBatch *storage; /* nullable: the results of several blocks */
  KvsqlArena *arena;
  guint block_rows;        /* the rows computed at a time: a multiple of 8 */
  guint capacity;          /* of the nodes */
  const KvsqlBatch *input; /* of this run */
  const guint32 *selection;
  guint first; /* of this block */
  guint n_rows;
};

/* ---- making */

static void
node_free (gpointer data)
{
  Node *self = data;

  kvsql_batch_free (self->storage);
  g_free (self->rows[0]);
  g_free (self->rows[1]);
  g_free (self->children);
  g_free (self);
}

static Node **
find_column (const KvsqlEvaluator *self, guint column)
{
  if (column >= self->columns->len)
    g_ptr_array_set_size (self->columns, (gint)column + 1);
  return (Node **)&self->columns->pdata[column];
}

static Node *
add_node (KvsqlEvaluator *self, const KvsqlExpr *expr)
{
  gboolean is_column = expr->kind == KVSQL_EXPR_COLUMN;
  Node *node;

  if (is_column && *find_column (self, expr->column) != NULL)
    return *find_column (self, expr->column);
  node = g_new0 (Node, 1);
  node->expr = expr;
  node->children = g_new0 (Node *, expr->n_children + 1);
  self->node_bytes += sizeof (Node) + (expr->n_children + 1) * sizeof (Node *);
  g_ptr_array_add (self->nodes, node);
  if (is_column)
    *find_column (self, expr->column) = node;
  for (guint i = 0; i < expr->n_children; i++)
    node->children[i] = add_node (self, expr->children[i]);
  return node;
}

/* The values of all nodes together, about 16 bytes each. */
#define MAX_VALUES (1 << 20)

KvsqlEvaluator *
kvsql_evaluator_new (KvsqlExpr *const *exprs, guint n_exprs)
{
  gsize size = 0;

  for (guint i = 0; i < n_exprs; i++)
    size += exprs[i]->size;
  return kvsql_evaluator_new_sized (exprs, n_exprs, size);
}

KvsqlEvaluator *
kvsql_evaluator_new_sized (KvsqlExpr *const *exprs, guint n_exprs, gsize n_nodes)
{
  KvsqlEvaluator *self = g_new0 (KvsqlEvaluator, 1);

  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->columns = g_ptr_array_new ();
  self->arena = kvsql_arena_new ();
  self->roots = g_new0 (Node *, n_exprs + 1);
  self->n_roots = n_exprs;
  self->result.columns = g_new0 (KvsqlVector, n_exprs + 1);
  self->result.n_columns = n_exprs;
  self->block_rows = MAX (MAX_VALUES / MAX (n_nodes, 1) / 8 * 8, 8);
  for (guint i = 0; i < n_exprs; i++)
    self->roots[i] = add_node (self, exprs[i]);
  self->account = kvsql_account_ref (kvsql_account_get_current ());
  kvsql_account_add (self->account, (gssize)self->node_bytes);
  return self;
}

void
kvsql_evaluator_free (KvsqlEvaluator *self)
{
  if (self == NULL)
    return;
  kvsql_account_add (self->account, -(gssize)self->node_bytes);
  kvsql_account_unref (self->account);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->columns);
  kvsql_batch_free (self->storage);
  kvsql_arena_free (self->arena);
  g_free (self->roots);
  g_free (self->result.columns);
  g_free (self);
}

/* ---- memory */

static void
node_allocate (Node *self, guint capacity)
{
  KvsqlType type = self->expr->type;

  kvsql_batch_free (self->storage);
  self->storage = kvsql_batch_new (&type, 1, capacity);
  self->vector = self->storage->columns[0];
}

static gboolean
needs_rows (const KvsqlExpr *expr)
{
  return expr->kind == KVSQL_EXPR_CASE || expr->kind == KVSQL_EXPR_AND
         || expr->kind == KVSQL_EXPR_OR || expr->kind == KVSQL_EXPR_COALESCE;
}

static void
fill_constant (Node *self, guint capacity)
{
  for (guint i = 0; i < capacity; i++)
    kvsql_vector_set (&self->vector, i, &self->expr->value);
}

static gboolean
make_room (KvsqlEvaluator *self, guint capacity, GError **error)
{
  self->capacity = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = self->nodes->pdata[i];
      if (!kvsql_interrupt_spend (8) && !kvsql_interrupt_check (error))
        return FALSE;
      g_clear_pointer (&node->storage, kvsql_batch_free);
      if (node->expr->kind == KVSQL_EXPR_COLUMN)
        continue; /* only if there is a selection */
      node_allocate (node, capacity);
      if (node->expr->kind == KVSQL_EXPR_CONSTANT && node->expr->type != KVSQL_TYPE_NULL)
        fill_constant (node, capacity);
      if (!needs_rows (node->expr))
        continue;
      for (guint r = 0; r < 2; r++)
        {
          g_free (node->rows[r]);
          node->rows[r] = g_new (guint32, capacity);
        }
    }
  self->capacity = capacity;
  return TRUE;
}

/* Clears nulls, and points the vector to its own memory. */
static void
node_reset (Node *self, guint n_rows)
{
  self->vector = self->storage->columns[0];
  if (self->expr->type != KVSQL_TYPE_NULL)
    memset (self->vector.nulls, 0, (n_rows + 7) / 8);
}

/* ---- columns of the input */

#define GATHER(array)                                                                              \
  for (guint i = 0; i < n; i++)                                                                    \
  self->vector.array[i] = input->array[selection[i]]

static void
gather (Node *self, const KvsqlVector *input, const guint32 *selection, guint n)
{
  node_reset (self, n);
  switch (kvsql_type_get_class (input->type))
    {
    case KVSQL_CLASS_NONE:
      return;
    case KVSQL_CLASS_BOOLEAN:
      GATHER (booleans);
      break;
    case KVSQL_CLASS_INTEGER:
      GATHER (integers);
      break;
    case KVSQL_CLASS_REAL:
      GATHER (reals);
      break;
    case KVSQL_CLASS_SLICE:
      GATHER (slices);
      break;
    }
  if (!input->has_nulls)
    return;
  for (guint i = 0; i < n; i++)
    if (kvsql_vector_is_null (input, selection[i]))
      kvsql_vector_set_null (&self->vector, i);
}

/* The rows of @input from @first on, which is a multiple of 8, because of the bits of nulls. */
static KvsqlVector
vector_from (const KvsqlVector *input, guint first)
{
  KvsqlVector result = *input;

  g_assert (first % 8 == 0);
  if (first == 0 || input->type == KVSQL_TYPE_NULL)
    return result;
  result.nulls += first / 8;
  switch (kvsql_type_get_class (input->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      result.booleans += first;
      break;
    case KVSQL_CLASS_INTEGER:
      result.integers += first;
      break;
    case KVSQL_CLASS_REAL:
      result.reals += first;
      break;
    case KVSQL_CLASS_SLICE:
      result.slices += first;
      break;
    case KVSQL_CLASS_NONE:
      break;
    }
  return result;
}

static void
run_column (KvsqlEvaluator *self, Node *node)
{
  const KvsqlVector *input = &self->input->columns[node->expr->column];

  if (node->is_ready)
    return;
  node->is_ready = TRUE;
  g_assert (node->expr->column < self->input->n_columns);
  g_assert (input->type == node->expr->type); /* the binder knew the type of the column */
  if (self->selection == NULL)
    {
      node->vector = vector_from (input, self->first);
      return;
    }
  if (node->storage == NULL)
    node_allocate (node, self->capacity);
  gather (node, input, self->selection + self->first, self->n_rows);
}

/* ---- operands that are all computed */

static void
take_nulls (Node *self, const Node *operand, guint n_rows)
{
  if (!operand->vector.has_nulls)
    return;
  for (guint i = 0; i < (n_rows + 7) / 8; i++)
    self->vector.nulls[i] |= operand->vector.nulls[i];
  self->vector.has_nulls = TRUE;
}

/* Row by row, with the function's body for one row. */
static gboolean
run_each (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  guint n_children = node->expr->n_children;
  KvsqlValue some[8], *arguments = some;

  if (n_children > G_N_ELEMENTS (some))
    arguments = kvsql_arena_array (self->arena, KvsqlValue, n_children);
  for (guint k = 0; k < n; k++)
    {
      guint row = rows != NULL ? rows[k] : k;
      KvsqlValue value;
      for (guint c = 0; c < n_children; c++)
        arguments[c] = kvsql_vector_get (&node->children[c]->vector, row);
      if (!kvsql_expr_apply (node->expr, arguments, self->arena, &value, error))
        return FALSE;
      kvsql_vector_set (&node->vector, row, &value);
    }
  return TRUE;
}

static gboolean
run_call (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  const KvsqlFunction *function = node->expr->function;
  const KvsqlVector *arguments[KVSQL_FUNCTION_MAX_ARGUMENTS];

  if (function->rows == NULL)
    return run_each (self, node, rows, n, error);
  for (guint i = 0; i < function->n_arguments; i++)
    {
      arguments[i] = &node->children[i]->vector;
      take_nulls (node, node->children[i], self->n_rows);
    }
  if (function->rows (arguments, rows, n, &node->vector))
    return TRUE;
  return run_each (self, node, rows, n, error); /* finds the row that fails, and sets the error */
}

/* Fast path for conversions that only change the type, or an integer to a real. */
static gboolean
run_cast (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  const KvsqlVector *from = &node->children[0]->vector;
  KvsqlType type = node->expr->type;

  if ((from->type == KVSQL_TYPE_INT && type == KVSQL_TYPE_BIGINT)
      || (from->type == KVSQL_TYPE_FLOAT && type == KVSQL_TYPE_DOUBLE))
    {
      node->vector = *from;
      node->vector.type = type;
      return TRUE;
    }
  if ((from->type != KVSQL_TYPE_INT && from->type != KVSQL_TYPE_BIGINT)
      || type != KVSQL_TYPE_DOUBLE)
    return run_each (self, node, rows, n, error);
  take_nulls (node, node->children[0], self->n_rows);
  for (guint k = 0; k < n; k++)
    {
      guint row = rows != NULL ? rows[k] : k;
      if (!kvsql_vector_is_null (from, row))
        node->vector.reals[row] = from->integers[row];
    }
  return TRUE;
}

/* ---- comparison */

#define COMPARE_INTEGERS(op)                                                                       \
  for (guint i = 0; i < n; i++)                                                                    \
  r[i] = a[i] op b[i]

static void
compare_integers (const Node *node, guint n)
{
  const gint64 *a = node->children[0]->vector.integers, *b = node->children[1]->vector.integers;
  guint8 *r = node->vector.booleans;

  switch (node->expr->op)
    {
    case KVSQL_OP_EQ:
      COMPARE_INTEGERS (==);
      break;
    case KVSQL_OP_NE:
      COMPARE_INTEGERS (!=);
      break;
    case KVSQL_OP_LT:
      COMPARE_INTEGERS (<);
      break;
    case KVSQL_OP_LE:
      COMPARE_INTEGERS (<=);
      break;
    case KVSQL_OP_GT:
      COMPARE_INTEGERS (>);
      break;
    default:
      COMPARE_INTEGERS (>=);
      break;
    }
}

/* PostgreSQL's order: NaN is equal to itself and greater than all numbers. */
static inline gint
order_of_reals (gdouble a, gdouble b)
{
  if (G_UNLIKELY (a != a || b != b))
    return (a != a) - (b != b);
  return (a > b) - (a < b);
}

static inline gint
order_at (const KvsqlVector *a, const KvsqlVector *b, KvsqlTypeClass type_class, guint row)
{
  switch (type_class)
    {
    case KVSQL_CLASS_BOOLEAN:
      return a->booleans[row] - b->booleans[row];
    case KVSQL_CLASS_INTEGER:
      return (a->integers[row] > b->integers[row]) - (a->integers[row] < b->integers[row]);
    case KVSQL_CLASS_REAL:
      return order_of_reals (a->reals[row], b->reals[row]);
    default:
      return kvsql_type_compare_slices (a->type, a->slices[row], b->slices[row]);
    }
}

static void
run_compare (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n)
{
  const KvsqlVector *a = &node->children[0]->vector, *b = &node->children[1]->vector;
  KvsqlTypeClass type_class = kvsql_type_get_class (a->type);

  take_nulls (node, node->children[0], self->n_rows);
  take_nulls (node, node->children[1], self->n_rows);
  if (type_class == KVSQL_CLASS_INTEGER && rows == NULL && !node->vector.has_nulls)
    {
      compare_integers (node, n);
      return;
    }
  for (guint k = 0; k < n; k++)
    {
      guint row = rows != NULL ? rows[k] : k;
      if (!kvsql_vector_is_null (&node->vector, row))
        node->vector.booleans[row]
            = kvsql_operator_admits (node->expr->op, order_at (a, b, type_class, row));
    }
}

/* ---- truth */

static void
run_not (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n)
{
  const KvsqlVector *operand = &node->children[0]->vector;

  take_nulls (node, node->children[0], self->n_rows);
  for (guint k = 0; k < n; k++)
    {
      guint row = rows != NULL ? rows[k] : k;
      node->vector.booleans[row] = kvsql_vector_is_null (operand, row) || !operand->booleans[row];
    }
}

static void
run_is_null (Node *node, const guint32 *rows, guint n)
{
  const KvsqlVector *operand = &node->children[0]->vector;

  for (guint k = 0; k < n; k++)
    {
      guint row = rows != NULL ? rows[k] : k;
      gboolean is_null = operand->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (operand, row);
      node->vector.booleans[row] = (is_null != FALSE) != node->expr->is_negated;
    }
}

static gboolean run (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n,
                     GError **error);

/* Combines the value of @operand into the result of @row. Returns TRUE if a later operand can still
 * change the result: FALSE decides AND, TRUE decides OR. */
static inline gboolean
connect_row (Node *node, const KvsqlVector *operand, guint row, guint8 neutral)
{
  if (kvsql_vector_is_null (operand, row))
    kvsql_vector_set_null (&node->vector, row);
  else if (operand->booleans[row] != neutral)
    {
      kvsql_vector_clear_null (&node->vector, row);
      node->vector.booleans[row] = !neutral;
      return FALSE;
    }
  return TRUE;
}

static gboolean
run_connective (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  guint8 neutral = node->expr->kind == KVSQL_EXPR_AND;
  guint32 *open = node->rows[0];

  for (guint k = 0; k < n; k++)
    node->vector.booleans[rows != NULL ? rows[k] : k] = neutral;
  for (guint c = 0; c < node->expr->n_children && n > 0; c++)
    {
      const KvsqlVector *operand = &node->children[c]->vector;
      guint n_open = 0;
      if (!run (self, node->children[c], rows, n, error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        {
          guint row = rows != NULL ? rows[k] : k;
          open[n_open] = row;
          n_open += connect_row (node, operand, row, neutral);
        }
      /* for all rows, in order, the list is NULL */
      rows = n_open == self->n_rows ? NULL : open;
      n = n_open;
    }
  return TRUE;
}

/* ---- branches */

static void
copy_row (KvsqlVector *to, const KvsqlVector *from, guint row)
{
  if (from->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (from, row))
    {
      kvsql_vector_set_null (to, row);
      return;
    }
  switch (kvsql_type_get_class (to->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      to->booleans[row] = from->booleans[row];
      break;
    case KVSQL_CLASS_INTEGER:
      to->integers[row] = from->integers[row];
      break;
    case KVSQL_CLASS_REAL:
      to->reals[row] = from->reals[row];
      break;
    case KVSQL_CLASS_SLICE:
      to->slices[row] = from->slices[row];
      break;
    case KVSQL_CLASS_NONE:
      break;
    }
}

static gboolean
run_branch (KvsqlEvaluator *self, Node *node, Node *branch, const guint32 *rows, guint n,
            GError **error)
{
  if (n == 0)
    return TRUE;
  if (!run (self, branch, rows, n, error))
    return FALSE;
  for (guint k = 0; k < n; k++)
    copy_row (&node->vector, &branch->vector, rows != NULL ? rows[k] : k);
  return TRUE;
}

static gboolean
run_case (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  guint32 *open = node->rows[0], *taken = node->rows[1];

  for (guint c = 0; c + 1 < node->expr->n_children && n > 0; c += 2)
    {
      const KvsqlVector *when = &node->children[c]->vector;
      guint n_open = 0, n_taken = 0;
      if (!run (self, node->children[c], rows, n, error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        {
          guint row = rows != NULL ? rows[k] : k;
          gboolean is_true = !kvsql_vector_is_null (when, row) && when->booleans[row];
          taken[n_taken] = row;
          n_taken += is_true;
          open[n_open] = row;
          n_open += !is_true;
        }
      if (!run_branch (self, node, node->children[c + 1], taken, n_taken, error))
        return FALSE;
      rows = open;
      n = n_open;
    }
  return run_branch (self, node, node->children[node->expr->n_children - 1], rows, n, error);
}

static gboolean
run_coalesce (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  guint32 *open = node->rows[0];

  for (guint c = 0; c < node->expr->n_children && n > 0; c++)
    {
      const KvsqlVector *operand = &node->children[c]->vector;
      guint n_open = 0;
      if (!run (self, node->children[c], rows, n, error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        {
          guint row = rows != NULL ? rows[k] : k;
          gboolean is_null = kvsql_vector_is_null (operand, row);
          kvsql_vector_clear_null (&node->vector, row);
          copy_row (&node->vector, operand, row);
          open[n_open] = row;
          n_open += is_null != FALSE;
        }
      rows = open;
      n = n_open;
    }
  return TRUE;
}

/* ---- the tree */

static gboolean
run_operation (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  for (guint i = 0; i < node->expr->n_children; i++)
    if (!run (self, node->children[i], rows, n, error))
      return FALSE;
  switch (node->expr->kind)
    {
    case KVSQL_EXPR_CALL:
      return run_call (self, node, rows, n, error);
    case KVSQL_EXPR_CAST:
      return run_cast (self, node, rows, n, error);
    case KVSQL_EXPR_COMPARE:
      run_compare (self, node, rows, n);
      return TRUE;
    case KVSQL_EXPR_NOT:
      run_not (self, node, rows, n);
      return TRUE;
    case KVSQL_EXPR_IS_NULL:
      run_is_null (node, rows, n);
      return TRUE;
    default:
      return run_each (self, node, rows, n, error);
    }
}

/* Computes @node for the @n rows of @rows, or if that is NULL for rows 0 to n - 1. */
static gboolean
run (KvsqlEvaluator *self, Node *node, const guint32 *rows, guint n, GError **error)
{
  if (node->expr->kind == KVSQL_EXPR_CONSTANT)
    return TRUE;
  if (!kvsql_interrupt_spend (1 + n / 64) && !kvsql_interrupt_check (error))
    return FALSE;
  if (node->expr->kind == KVSQL_EXPR_COLUMN)
    {
      run_column (self, node);
      return TRUE;
    }
  node_reset (node, self->n_rows);
  switch (node->expr->kind)
    {
    case KVSQL_EXPR_AND:
    case KVSQL_EXPR_OR:
      return run_connective (self, node, rows, n, error);
    case KVSQL_EXPR_CASE:
      return run_case (self, node, rows, n, error);
    case KVSQL_EXPR_COALESCE:
      return run_coalesce (self, node, rows, n, error);
    default:
      return run_operation (self, node, rows, n, error);
    }
}

static gboolean
run_block (KvsqlEvaluator *self, guint first, guint n, GError **error)
{
  g_assert (n <= self->capacity); /* of the nodes and of their lists of rows */
  self->first = first;
  self->n_rows = n;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = self->nodes->pdata[i];
      node->is_ready = FALSE;
    }
  for (guint i = 0; i < self->n_roots; i++)
    if (n > 0 && !run (self, self->roots[i], NULL, n, error))
      return FALSE;
  return TRUE;
}

/* Allocates memory for the results of several blocks. */
static void
reserve_results (KvsqlEvaluator *self, guint n)
{
  if (self->storage == NULL || self->storage->capacity < n)
    {
      g_autofree KvsqlType *types = g_new (KvsqlType, self->n_roots + 1);
      kvsql_batch_free (self->storage);
      for (guint i = 0; i < self->n_roots; i++)
        types[i] = self->roots[i]->expr->type;
      self->storage = kvsql_batch_new (types, self->n_roots, n);
    }
  kvsql_batch_reset (self->storage);
}

static void
gather_results (KvsqlEvaluator *self, guint first, guint n)
{
  for (guint i = 0; i < self->n_roots; i++)
    for (guint row = 0; row < n && self->roots[i]->expr->type != KVSQL_TYPE_NULL; row++)
      {
        KvsqlValue value = kvsql_vector_get (&self->roots[i]->vector, row);
        kvsql_vector_set (&self->storage->columns[i], first + row, &value);
      }
}

static gboolean
run_blocks (KvsqlEvaluator *self, guint n, GError **error)
{
  reserve_results (self, n);
  for (guint first = 0; first < n; first += self->block_rows)
    {
      guint n_rows = MIN (self->block_rows, n - first);
      if (!run_block (self, first, n_rows, error))
        return FALSE;
      gather_results (self, first, n_rows);
    }
  memcpy (self->result.columns, self->storage->columns, self->n_roots * sizeof (KvsqlVector));
  return TRUE;
}

gboolean
kvsql_evaluator_run (KvsqlEvaluator *self, const KvsqlBatch *input, const guint32 *selection,
                     guint n, KvsqlBatch **out, GError **error)
{
  guint capacity = MIN (MAX (n, KVSQL_BATCH_ROWS), self->block_rows);

  g_assert (input == NULL || n <= input->n_rows);
  g_assert (selection == NULL || n == 0 || (input != NULL && selection[n - 1] < input->n_rows));
  kvsql_arena_reset (self->arena);
  if (capacity > self->capacity && !make_room (self, capacity, error))
    return FALSE;
  self->input = input;
  self->selection = selection;
  if (n > self->block_rows)
    {
      if (!run_blocks (self, n, error))
        return FALSE;
    }
  else
    {
      if (!run_block (self, 0, n, error))
        return FALSE;
      for (guint i = 0; i < self->n_roots; i++)
        {
          self->result.columns[i] = self->roots[i]->vector;
          self->result.columns[i].type = self->roots[i]->expr->type;
        }
    }
  self->result.n_rows = self->result.capacity = n;
  *out = &self->result;
  return TRUE;
}
