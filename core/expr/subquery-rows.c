/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-rows.c: see the header.
 */
#include "config.h"

#include "core/expr/subquery-rows.h"

#include "core/base/hash.h"
#include "core/base/interrupt.h"
#include "core/base/sort.h"

#include <math.h>

#define FIRST_BUCKETS 16

/* ---- keys */

static void
grow (KvsqlKeyTable *self, KvsqlArena *arena)
{
  KvsqlKeyNode **old = self->buckets;
  guint n_old = self->n_buckets;

  self->n_buckets = n_old == 0 ? FIRST_BUCKETS : 2 * n_old;
  self->buckets = kvsql_arena_array (arena, KvsqlKeyNode *, self->n_buckets);
  for (guint i = 0; i < n_old; i++)
    for (KvsqlKeyNode *node = old[i], *next; node != NULL; node = next)
      {
        KvsqlKeyNode **bucket
            = &self->buckets[kvsql_slice_hash (node->key) & (self->n_buckets - 1)];

        next = node->next;
        node->next = *bucket;
        *bucket = node;
      }
}

KvsqlKeyNode *
kvsql_key_table_find (const KvsqlKeyTable *self, KvsqlSlice key)
{
  KvsqlKeyNode *node
      = self->n == 0 ? NULL : self->buckets[kvsql_slice_hash (key) & (self->n_buckets - 1)];

  while (node != NULL && !kvsql_slice_equal (node->key, key))
    node = node->next;
  return node;
}

void
kvsql_key_table_add (KvsqlKeyTable *self, KvsqlKeyNode *node, KvsqlArena *arena)
{
  KvsqlKeyNode **bucket;

  if (self->n == self->n_buckets)
    grow (self, arena);
  bucket = &self->buckets[kvsql_slice_hash (node->key) & (self->n_buckets - 1)];
  node->next = *bucket;
  *bucket = node;
  self->n++;
}

static gdouble
normalize (gdouble real)
{
  if (real != real)
    return NAN;
  return real == 0 ? 0 : real; /* -0 equals 0 */
}

void
kvsql_key_append (GString *key, const KvsqlValue *value)
{
  gdouble real;
  guint64 size;

  g_string_append_c (key, value->type == KVSQL_TYPE_NULL ? 0 : 1);
  switch (kvsql_type_get_class (value->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      g_string_append_c (key, value->boolean ? 1 : 0);
      break;
    case KVSQL_CLASS_INTEGER:
      g_string_append_len (key, (const gchar *)&value->integer, sizeof value->integer);
      break;
    case KVSQL_CLASS_REAL:
      real = normalize (value->real);
      g_string_append_len (key, (const gchar *)&real, sizeof real);
      break;
    case KVSQL_CLASS_SLICE:
      size = value->bytes.size;
      g_string_append_len (key, (const gchar *)&size, sizeof size);
      g_string_append_len (key, (const gchar *)value->bytes.data, (gssize)value->bytes.size);
      break;
    case KVSQL_CLASS_NONE:
      break;
    }
}

/* ---- rows */

void
kvsql_subquery_rows_add (KvsqlSubqueryRows *self, const KvsqlValue *row, guint n_columns,
                         KvsqlArena *arena)
{
  if (self->n_rows == self->capacity)
    {
      KvsqlValue *old = self->values;

      self->capacity = MAX (2 * self->capacity, 1);
      self->values = kvsql_arena_array (arena, KvsqlValue, (gsize)self->capacity * n_columns);
      if (self->n_rows > 0)
        memcpy (self->values, old, (gsize)self->n_rows * n_columns * sizeof *old);
    }
  for (guint c = 0; c < n_columns; c++)
    self->values[(gsize)self->n_rows * n_columns + c] = kvsql_value_dup (&row[c], arena);
  self->n_rows++;
}

static gint
compare_values (gconstpointer a, gconstpointer b)
{
  return kvsql_value_compare (a, b);
}

/* The values of the only column, without NULLs, ascending. */
static void
sort_values (KvsqlSubqueryRows *self, KvsqlArena *arena)
{
  for (guint i = 0; i < self->n_rows; i++)
    if (!kvsql_value_is_null (&self->values[i]))
      {
        KvsqlValue value = self->values[i];

        self->values[i] = self->values[self->n_sorted];
        self->values[self->n_sorted++] = value;
      }
  kvsql_sort (self->values, self->n_sorted, sizeof *self->values, compare_values, arena);
}

static gboolean
has_null (const KvsqlValue *row, guint n_columns)
{
  for (guint c = 0; c < n_columns; c++)
    if (kvsql_value_is_null (&row[c]))
      return TRUE;
  return FALSE;
}

static void
append_row (GString *key, const KvsqlValue *row, guint n_columns)
{
  g_string_truncate (key, 0);
  for (guint c = 0; c < n_columns; c++)
    kvsql_key_append (key, &row[c]);
}

static void
swap_rows (KvsqlValue *a, KvsqlValue *b, guint n_columns)
{
  for (guint c = 0; c < n_columns; c++)
    {
      KvsqlValue value = a[c];

      a[c] = b[c];
      b[c] = value;
    }
}

/* The set of the rows without NULL. Only those with a NULL are looked at one by one. */
static void
make_set (KvsqlSubqueryRows *self, guint n_columns, KvsqlArena *arena)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (guint c = 0; self->n_rows > 0 && c < n_columns; c++)
    for (guint i = 0; i < self->n_rows; i++)
      if (self->values[(gsize)i * n_columns + c].type == KVSQL_TYPE_DECIMAL
          || self->values[(gsize)i * n_columns + c].type == KVSQL_TYPE_INTERVAL
          || self->values[(gsize)i * n_columns + c].type == KVSQL_TYPE_JSONB)
        return; /* its bytes do not tell what is equal */
  self->set = kvsql_arena_new0 (arena, KvsqlKeyTable);
  for (guint i = 0; i < self->n_rows && kvsql_interrupt_tick (); i++)
    {
      KvsqlValue *row = &self->values[(gsize)i * n_columns];
      KvsqlKeyNode *node;

      if (has_null (row, n_columns))
        {
          swap_rows (row, &self->values[(gsize)self->n_null++ * n_columns], n_columns);
          continue;
        }
      append_row (key, row, n_columns);
      if (kvsql_key_table_find (self->set, kvsql_slice (key->str, key->len)) != NULL)
        continue;
      node = kvsql_arena_new0 (arena, KvsqlKeyNode);
      node->key = kvsql_slice_dup (arena, kvsql_slice (key->str, key->len));
      kvsql_key_table_add (self->set, node, arena);
    }
}

/* ---- comparisons */

static KvsqlTruth
truth_of (gboolean truth)
{
  return truth ? KVSQL_TRUTH_TRUE : KVSQL_TRUTH_FALSE;
}

/* Whether some of the values, which are ascending, satisfies @op: the least or the greatest one
 * decides. */
static gboolean
is_any_value (const KvsqlSubqueryRows *self, KvsqlOperator op, const KvsqlValue *operand)
{
  const KvsqlValue *first = self->values, *last = first + self->n_sorted - 1;

  if (self->n_sorted == 0)
    return FALSE;
  if (op == KVSQL_OP_EQ)
    return kvsql_values_contain (first, self->n_sorted, operand);
  return kvsql_operator_admits (op, kvsql_value_compare (operand, first))
         || kvsql_operator_admits (op, kvsql_value_compare (operand, last));
}

static KvsqlTruth
any_value (KvsqlSubqueryRows *self, KvsqlOperator op, const KvsqlValue *operand)
{
  if (self->n_rows == 0)
    return KVSQL_TRUTH_FALSE;
  if (kvsql_value_is_null (operand))
    return KVSQL_TRUTH_UNKNOWN;
  if (is_any_value (self, op, operand))
    return KVSQL_TRUTH_TRUE;
  return self->n_sorted < self->n_rows ? KVSQL_TRUTH_UNKNOWN : KVSQL_TRUTH_FALSE;
}

/* The first pair that is not equal decides. Of = and <>, any pair does, after an unknown one,
 * too. */
static KvsqlTruth
compare_row (KvsqlOperator op, const KvsqlValue *a, const KvsqlValue *b, guint n_columns)
{
  gboolean is_equality = op == KVSQL_OP_EQ || op == KVSQL_OP_NE, is_unknown = FALSE;
  gint order;

  for (guint c = 0; c < n_columns; c++)
    {
      if (kvsql_value_is_null (&a[c]) || kvsql_value_is_null (&b[c]))
        {
          if (!is_equality)
            return KVSQL_TRUTH_UNKNOWN;
          is_unknown = TRUE;
          continue;
        }
      order = kvsql_value_compare (&a[c], &b[c]);
      if (order != 0)
        return truth_of (kvsql_operator_admits (op, order));
    }
  return is_unknown ? KVSQL_TRUTH_UNKNOWN : truth_of (kvsql_operator_admits (op, 0));
}

static KvsqlTruth
any_row (const KvsqlSubqueryRows *self, KvsqlOperator op, const KvsqlValue *operands,
         guint n_columns)
{
  guint n = self->n_rows;
  KvsqlTruth truth = KVSQL_TRUTH_FALSE;

  if (self->set != NULL && op == KVSQL_OP_EQ && !has_null (operands, n_columns))
    {
      g_autoptr (GString) key = g_string_new (NULL);

      append_row (key, operands, n_columns);
      if (kvsql_key_table_find (self->set, kvsql_slice (key->str, key->len)) != NULL)
        return KVSQL_TRUTH_TRUE;
      n = self->n_null;
    }
  for (guint i = 0; i < n && truth != KVSQL_TRUTH_TRUE && kvsql_interrupt_tick (); i++)
    truth = MAX (truth, compare_row (op, operands, &self->values[(gsize)i * n_columns], n_columns));
  return truth;
}

KvsqlTruth
kvsql_subquery_rows_any (KvsqlSubqueryRows *self, KvsqlOperator op, const KvsqlValue *operands,
                         guint n_columns, KvsqlArena *arena)
{
  if (!self->is_ready && n_columns == 1)
    sort_values (self, arena);
  else if (!self->is_ready)
    make_set (self, n_columns, arena);
  self->is_ready = TRUE;
  return n_columns == 1 ? any_value (self, op, operands) : any_row (self, op, operands, n_columns);
}
