/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-evaluate.c: batches against single tuples, on random expressions over random rows.
 *
 * Both must give the same values, or the batch an error exactly if one of its tuples does. The
 * seed is GLib's (--seed).
 */
#include "config.h"

#include "tests/expr/kit.h"

#include <math.h>
#include <stdlib.h>

/* malloc () is counted, so that a run can be shown to allocate nothing. */
static guint64 n_allocations;

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);

#ifndef __SANITIZE_ADDRESS__
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

/* ---- random rows */

static KvsqlValue
random_value (Kit *kit, KvsqlType type)
{
  static const gint64 integers[] = { 0, 1, -1, 2, 7, 100, G_MAXINT32, G_MININT32 };
  static const gdouble reals[] = { 0, -0.0, 1.5, -2.25, 1e10, 1e-10, 3 };
  static const gchar *const texts[] = { "", "a", "ab", "b%", "añ", "12", "zz top" };
  static const gchar *const decimals[]
      = { "0", "1.5", "-2.25", "100", "0.001", "123456789012345678901" };
  KvsqlValue value = { .type = type };

  if (g_test_rand_int_range (0, 5) == 0)
    return KVSQL_VALUE_NULL;
  switch (type)
    {
    case KVSQL_TYPE_BOOLEAN:
      value.boolean = g_test_rand_int_range (0, 2);
      break;
    case KVSQL_TYPE_INT:
      value.integer = integers[g_test_rand_int_range (0, G_N_ELEMENTS (integers))];
      break;
    case KVSQL_TYPE_BIGINT:
      value.integer = integers[g_test_rand_int_range (0, G_N_ELEMENTS (integers))]
                      * (g_test_rand_int_range (0, 8) == 0 ? 1000000000LL : 1);
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      value.real = (gfloat)reals[g_test_rand_int_range (0, G_N_ELEMENTS (reals))];
      break;
    case KVSQL_TYPE_DECIMAL:
      value.bytes
          = kvsql_slice_from_text (decimals[g_test_rand_int_range (0, G_N_ELEMENTS (decimals))]);
      break;
    case KVSQL_TYPE_DATE:
      value.integer = g_test_rand_int_range (-1000, 30000);
      break;
    case KVSQL_TYPE_TIMESTAMP:
      value.integer = g_test_rand_int_range (-1000, 30000) * 12345678LL;
      break;
    default:
      value.bytes = kvsql_slice_from_text (texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))]);
      break;
    }
  return value;
}

static KvsqlBatch *
random_batch (Kit *kit, guint n_rows)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  KvsqlBatch *batch;

  for (guint a = 0; a < kit->relation->n_attributes; a++)
    types[a] = kit->relation->attributes[a].type;
  batch = kvsql_batch_new (types, kit->relation->n_attributes, n_rows);
  for (guint row = 0; row < n_rows; row++)
    for (guint a = 0; a < kit->relation->n_attributes; a++)
      {
        KvsqlValue value = random_value (kit, types[a]);
        kvsql_vector_set (&batch->columns[a], row, &value);
      }
  batch->n_rows = n_rows;
  return batch;
}

/* ---- random expressions; types mostly fit */

static void append (GString *out, gchar kind, guint depth);

static void
append_format (GString *out, const gchar *format, guint depth)
{
  for (const gchar *p = format; *p != '\0'; p++)
    if (*p == '$')
      append (out, *++p, depth - 1);
    else
      g_string_append_c (out, *p);
}

/* $o a truth, $i a whole number, $r any number, $s a text, $y a date */
static const gchar *const truths[] = { "($i = $i)",
                                       "($r < $r)",
                                       "($s >= $s)",
                                       "($o AND $o)",
                                       "($o OR $o)",
                                       "(NOT $o)",
                                       "($i IS NULL)",
                                       "($s IS NOT NULL)",
                                       "($i IN (1, $i, NULL))",
                                       "($i NOT IN (1, 2, 7))",
                                       "($r BETWEEN $r AND $r)",
                                       "($s LIKE 'a%')",
                                       "($s LIKE $s)",
                                       "($s NOT RLIKE '^a.?$')",
                                       "CASE WHEN $o THEN $o ELSE $o END",
                                       "($y < $y)",
                                       "coalesce($o, $o)",
                                       "($o <> $o)",
                                       "starts_with($s, $s)",
                                       "($o AND 10 / $i > 1)",
                                       "($i <> 0 AND 100 / $i > 1)" };
static const gchar *const integers[] = { "($i + $i)",
                                         "($i - $i)",
                                         "($i * $i)",
                                         "($i / $i)",
                                         "($i % $i)",
                                         "(- $i)",
                                         "abs($i)",
                                         "length($s)",
                                         "CASE $i WHEN $i THEN $i WHEN 1 THEN $i END",
                                         "coalesce($i, $i)",
                                         "nullif($i, $i)",
                                         "greatest($i, $i, $i)",
                                         "least($i, $i)",
                                         "CAST ($r AS INT)",
                                         "($y - $y)",
                                         "year($y)",
                                         "CASE WHEN $i <> 0 THEN 5 / $i ELSE 0 END",
                                         "mod($i, $i)" };
static const gchar *const numbers[] = { "($r + $r)",
                                        "($r - $r)",
                                        "($r * $r)",
                                        "($r / $r)",
                                        "$i",
                                        "round($r)",
                                        "coalesce($r, $i)",
                                        "CASE WHEN $o THEN $r ELSE $i END",
                                        "sqrt(abs($r))",
                                        "CAST ($s AS DOUBLE)" };
static const gchar *const texts[]
    = { "($s || $s)",        "($s || $i)",          "upper($s)",
        "substr($s, $i, 2)", "CAST ($r AS STRING)", "CASE WHEN $o THEN $s END",
        "coalesce($s, 'x')", "lpad($s, 3, '-')",    "concat($s, $i, $o)",
        "trim($s)",          "replace($s, 'a', $s)" };
static const gchar *const dates[]
    = { "($y + $i)", "($y - 1)", "least($y, $y)", "CAST (date_trunc('month', $y) AS DATE)" };

static const struct
{
  gchar kind;
  const gchar *leaves[8];
  const gchar *const *inner;
  guint n_inner;
} kinds[] = {
  { 'o', { "o", "TRUE", "FALSE", "NULL", "o" }, truths, G_N_ELEMENTS (truths) },
  { 'i', { "i", "j", "l", "m", "7", "0", "NULL" }, integers, G_N_ELEMENTS (integers) },
  { 'r', { "f", "d", "e", "n", "p", "1.5", "2e0" }, numbers, G_N_ELEMENTS (numbers) },
  { 's', { "s", "t", "'a'", "'añb'", "NULL" }, texts, G_N_ELEMENTS (texts) },
  { 'y', { "y", "DATE '2024-02-29'" }, dates, G_N_ELEMENTS (dates) },
};

static void
append (GString *out, gchar kind, guint depth)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      guint n_leaves = 0;
      if (kinds[k].kind != kind)
        continue;
      while (n_leaves < G_N_ELEMENTS (kinds[k].leaves) && kinds[k].leaves[n_leaves] != NULL)
        n_leaves++;
      if (depth == 0 || g_test_rand_int_range (0, 4) == 0)
        g_string_append (out, kinds[k].leaves[g_test_rand_int_range (0, n_leaves)]);
      else
        append_format (out, kinds[k].inner[g_test_rand_int_range (0, kinds[k].n_inner)], depth);
    }
}

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
      input = random_batch (&kit, g_test_rand_int_range (1, 60));
      append (text, roots[g_test_rand_int_range (0, 5)], g_test_rand_int_range (1, 5));
      run_both (&kit, text->str, input, i % 2 == 0 ? 1 : 1 << 17, &n_failed);
      kit_close (&kit);
    }
  /* few are refused while they are bound */
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
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("the allocator is AddressSanitizer's");
#else
  for (guint i = 0; i < G_N_ELEMENTS (quiet); i++)
    {
      g_autoptr (KvsqlBatch) input = NULL;
      g_autoptr (KvsqlEvaluator) evaluator = NULL;
      g_autoptr (GError) error = NULL;
      guint64 before;
      KvsqlBatch *out;
      KvsqlExpr *expr;
      Kit kit;

      kit_open (&kit);
      input = random_batch (&kit, 100);
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
#endif
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
      kvsql_evaluator_run (evaluator, input, NULL, 10, &out, &error);
      g_assert_no_error (error);
      kit_close (&kit);
    }
}

/* nullif (nullif (…)) has both its operands twice: refused before it is too large to evaluate. */
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
