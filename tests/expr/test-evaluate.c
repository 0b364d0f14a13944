/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-evaluate.c: compares the evaluation of batches and of single tuples, for random expressions
 * and rows.
 *
 * Both have the same values, or the batch fails exactly if one of its tuples does. The seed is
 * GLib's
 * (--seed).
 */
#include "config.h"

#include "tests/expr/kit.h"
#include "tests/expr/random.h"
#include "tests/harness/assert.h"

#include <stdlib.h>

/* Calls of malloc () are counted, to check that a run allocates nothing. */
static guint64 n_allocations;

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);

#ifdef __SANITIZE_ADDRESS__
#define IS_COUNTED FALSE /* the allocator is the sanitizer's */
#else
#define IS_COUNTED TRUE

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}
#endif

/* ---- both ways */

static gboolean
same (const KvsqlValue *a, const KvsqlValue *b)
{
  return kvsql_value_is_null (a) || kvsql_value_is_null (b)
             ? kvsql_value_is_null (a) && kvsql_value_is_null (b)
             : kvsql_value_equal (a, b);
}

static void
compare (Kit *kit, const gchar *text, const KvsqlExpr *expr, const KvsqlBatch *input,
         const guint32 *selection, guint n, const KvsqlBatch *out)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean any_fails = FALSE;

  for (guint k = 0; k < n; k++)
    {
      guint row = selection != NULL ? selection[k] : k;
      KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES], single, value;
      g_autoptr (GError) error = NULL;

      for (guint a = 0; a < input->n_columns; a++)
        tuple[a] = kvsql_vector_get (&input->columns[a], row);
      if (!kvsql_expr_evaluate (expr, tuple, arena, &single, &error))
        {
          any_fails = TRUE;
          continue;
        }
      if (out == NULL)
        continue;
      value = kvsql_vector_get (&out->columns[0], k);
      if (!same (&single, &value))
        g_error ("%s differs for row %u", text, row);
    }
  if (any_fails != (out == NULL))
    g_error ("%s: only one of the batch and its tuples fails", text);
}

static void
run_both (Kit *kit, const gchar *text, const KvsqlBatch *input, gsize n_nodes, guint64 *n_failed)
{
  g_autoptr (GError) error = NULL;
  KvsqlExpr *expr = kit_bind (kit, text, &error);
  g_autoptr (KvsqlEvaluator) evaluator = NULL;
  guint32 selection[200];
  guint n = 0;

  if (expr == NULL)
    {
      (*n_failed)++;
      return;
    }
  evaluator = kvsql_evaluator_new_sized (&expr, 1, n_nodes);
  for (guint i = 0; i < input->n_rows; i++)
    if (g_test_rand_int_range (0, 3) > 0)
      selection[n++] = i;
  for (guint round = 0; round < 2; round++)
    {
      KvsqlBatch *out = NULL;
      const guint32 *rows = round == 0 ? NULL : selection;
      guint n_rows = round == 0 ? input->n_rows : n;
      if (!kvsql_evaluator_run (evaluator, input, rows, n_rows, &out, NULL))
        out = NULL;
      else
        g_assert_cmpuint (out->n_rows, ==, n_rows);
      compare (kit, text, expr, input, rows, n_rows, out);
    }
}

static void
test_differential (void)
{
  guint n = g_test_slow () ? 200000 : 4000;
  guint64 n_failed = 0;

  for (guint i = 0; i < n; i++)
    {
      static const gchar roots[] = "oirsy";
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (KvsqlBatch) input = NULL;
      Kit kit;

      kit_open (&kit);
      input = random_batch (kit.relation, g_test_rand_int_range (1, 60));
      random_expression (text, roots[g_test_rand_int_range (0, 5)], g_test_rand_int_range (1, 5));
      run_both (&kit, text->str, input, i % 2 == 0 ? 1 : 1 << 17, &n_failed);
      kit_close (&kit);
    }
  /* binding fails for few of them */
  g_test_message ("%u expressions, %" G_GUINT64_FORMAT " refused", n, n_failed);
  g_assert_cmpuint (n_failed, <, n / 4);
}

/* ---- allocations */

static const gchar *const quiet[] = {
  "i + j * 2 - 7 % 3",
  "l + i",
  "(d + e) * 2.5e0 / 3",
  "i < j AND d > e OR NOT o",
  "CASE WHEN i > 3 THEN j WHEN o THEN i ELSE 0 END",
  "coalesce (i, j, 0)",
  "greatest (i, j, 5)",
  "i IN (1, 2, 7) AND s LIKE 'a%'",
  "y + 1 < z",
  "CAST (i AS DOUBLE) + d",
  "substr (s, 1, 2) = 'ab'",
  "n + p * 2",
};

static void
test_allocations (void)
{
  for (guint i = 0; IS_COUNTED && i < G_N_ELEMENTS (quiet); i++)
    {
      g_autoptr (KvsqlBatch) input = NULL;
      g_autoptr (KvsqlEvaluator) evaluator = NULL;
      g_autoptr (GError) error = NULL;
      guint64 before;
      KvsqlBatch *out;
      KvsqlExpr *expr;
      Kit kit;

      kit_open (&kit);
      input = random_batch (kit.relation, 100);
      for (guint row = 0; row < 100; row++) /* small numbers: nothing fails */
        for (guint a = 0; a < input->n_columns; a++)
          if (kvsql_type_get_class (input->columns[a].type) == KVSQL_CLASS_INTEGER)
            input->columns[a].integers[row] = row + 1;
          else if (kvsql_type_get_class (input->columns[a].type) == KVSQL_CLASS_REAL)
            input->columns[a].reals[row] = row + 1;
          else if (input->columns[a].type == KVSQL_TYPE_DECIMAL)
            input->columns[a].slices[row] = KVSQL_SLICE_LITERAL ("12.5");
      expr = kit_bind (&kit, quiet[i], &error);
      g_assert_no_error (error);
      evaluator = kvsql_evaluator_new (&expr, 1);
      g_assert_true (kvsql_evaluator_run (evaluator, input, NULL, 100, &out, &error));
      before = n_allocations;
      for (guint run = 0; run < 10; run++)
        g_assert_true (kvsql_evaluator_run (evaluator, input, NULL, 100, &out, &error));
      if (n_allocations != before)
        g_test_message ("%s", quiet[i]);
      g_assert_cmpuint (n_allocations - before, ==, 0);
      kit_close (&kit);
    }
  if (!IS_COUNTED)
    g_test_skip ("the allocator is AddressSanitizer's");
}

/* ---- branches that are not taken */

static void
test_lazy (void)
{
  static const gchar *const safe[] = {
    "CASE WHEN i <> 0 THEN 10 / i ELSE 0 END",
    "i = 0 OR 10 / i >= 0",
    "i <> 0 AND 10 / i >= 0",
    "coalesce (CASE WHEN i = 0 THEN 1 END, 10 / i)",
    "CASE i WHEN 0 THEN 0 ELSE 10 / i END",
    "CASE WHEN i <> 0 THEN CASE WHEN 10 / i > 3 THEN 1 ELSE 2 END ELSE 1 END",
  };

  for (guint i = 0; i < G_N_ELEMENTS (safe); i++)
    {
      KvsqlType types[3] = { KVSQL_TYPE_INT, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_INT };
      g_autoptr (KvsqlBatch) input = kvsql_batch_new (types, 3, 10);
      g_autoptr (KvsqlEvaluator) evaluator = NULL;
      g_autoptr (GError) error = NULL;
      KvsqlBatch *out;
      KvsqlExpr *expr;
      Kit kit;

      kit_open (&kit);
      for (guint row = 0; row < 10; row++)
        input->columns[2].integers[row] = row % 3;
      input->n_rows = 10;
      expr = kit_bind (&kit, safe[i], &error);
      g_assert_no_error (error);
      evaluator = kvsql_evaluator_new (&expr, 1);
      assert_done (kvsql_evaluator_run (evaluator, input, NULL, 10, &out, &error), error);
      kit_close (&kit);
    }
}

/* nullif (nullif (…)) has both its operands twice: it is rejected before it is too large to
 * evaluate. */
static void
test_size (void)
{
  g_autoptr (GString) text = g_string_new ("i");
  g_autoptr (GError) error = NULL;
  Kit kit;

  kit_open (&kit);
  for (guint i = 0; i < 60; i++)
    {
      g_string_prepend (text, "nullif (");
      g_string_append (text, ", 3)");
    }
  g_assert_null (kit_bind (&kit, text->str, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  kit_close (&kit);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expr/evaluate/differential", test_differential);
  g_test_add_func ("/expr/evaluate/allocations", test_allocations);
  g_test_add_func ("/expr/evaluate/lazy", test_lazy);
  g_test_add_func ("/expr/evaluate/size", test_size);
  return g_test_run ();
}
