/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-where.c: compares WHERE with the direct evaluation of the same expression.
 *
 * The planner transforms WHERE: it folds constants, reverses comparisons, and turns simple
 * conditions into disjuncts. None of this may change which rows satisfy it.
 */
#include "config.h"

#include "tests/expr/kit.h"
#include "tests/expr/random.h"

#include "core/scan/predicate-filter.h"
#include "core/plan/bind.h"
#include "core/plan/dnf.h"
#include "core/plan/explain.h"
#include "core/sql/parser.h"
#include "tests/harness/assert.h"

static const KvsqlAstExpr *
parse (Kit *kit, const gchar *where)
{
  g_autoptr (GError) error = NULL;
  const gchar *text = kvsql_arena_printf (kit->arena, "SELECT * FROM r WHERE %s", where);
  KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (text), kit->arena, &error);

  g_assert_no_error (error);
  return statement->select.where;
}

/* ---- the text that EXPLAIN shows, and whether ranges decide alone */

static const struct
{
  const gchar *where;
  const gchar *shown;
  gboolean is_exact;
} forms[] = {
  { "i < 2 * 3", "i < 6", TRUE },
  { "i + 1 <= 3", "i <= 2", TRUE },
  { "1 + i = 3", "i = 2", TRUE },
  { "i - 5 > 3", "i > 8", TRUE },
  { "5 - i > 3", "i < 2", TRUE },
  { "-i < 5", "i > -5", TRUE },
  { "-(i + 1) >= 5", "i <= -6", TRUE },
  { "3 < i + 1", "i > 2", TRUE },
  { "i + 1 < 2.5", "i <= 1", TRUE },
  { "i + 1.5 < 2", "i <= 0", TRUE },
  { "i + 1 = 2.5", "FALSE", TRUE },
  { "i + 1 < 3000000000", "i IS NOT NULL", TRUE },
  { "l + 1 > 9223372036854775807", "l > 9223372036854775806", TRUE },
  { "l - 1 > 9223372036854775807", "FALSE", TRUE },
  { "i + 1 BETWEEN 3 AND 5", "i >= 2 AND i <= 4", TRUE },
  { "NOT i + 1 < 3", "i >= 2", TRUE },
  { "n - 0.5 < 1", "n < 1.5", TRUE },
  { "y + 1 > '2024-03-01'", "y > '2024-02-29'", TRUE },
  { "z - 1000 <= TIMESTAMP '1970-01-01T00:00:01Z'", "z <= '1970-01-01T00:00:02.000Z'", TRUE },
  { "z - INTERVAL '1 day 1 s' <= TIMESTAMP '1970-01-01'", "z <= '1970-01-02T00:00:01.000Z'", TRUE },
  { "now () - z < INTERVAL '1 day'", "z > '2024-02-28T12:34:56.789Z'", TRUE },
  { "z - TIMESTAMP '1970-01-01' >= '1 mon'", "z >= '1970-01-31T00:00:00.000Z'", TRUE },
  { "z - INTERVAL '1 day' > TIMESTAMP '9999-12-31 12:00'", "FALSE", TRUE },
  { "INTERVAL '1 hour' + z > TIMESTAMP '1970-01-01 01:00'", "z > '1970-01-01T00:00:00.000Z'",
    TRUE },
  { "i IN (1, 1 + 1, '3')", "i IN (1, 2, 3)", TRUE },
  { "s = lower('ABC')", "s = 'abc'", TRUE },
  { "s LIKE 'a' || '%'", "s LIKE 'a%'", TRUE },
  { "s RLIKE '^abc'", "s LIKE 'abc%'", TRUE },
  { "s RLIKE '^ab*'", "s LIKE 'a%' AND s RLIKE '^ab*'", FALSE },
  { "s RLIKE '^a\\.b+'", "s LIKE 'a.b%' AND s RLIKE '^a\\.b+'", FALSE },
  { "s RLIKE '^a|b'", "s RLIKE '^a|b'", FALSE },
  { "s NOT RLIKE '^abc'", "s NOT RLIKE '^abc'", FALSE },
  { "s ~ '^abc'", "s LIKE 'abc%'", TRUE },
  { "s ~* '^abc'", "s RLIKE '(?i)^abc'", FALSE },
  { "s ~~ 'abc%'", "s LIKE 'abc%'", TRUE },
  { "s NOT ILIKE 'Abc%'", "s NOT ILIKE 'Abc%'", FALSE },
  { "i = 1 IS TRUE", "i = 1", TRUE },
  { "(i > 1 OR j = 2) IS FALSE", "i <= 1 AND j <> 2", TRUE },
  { "(i > 1) IS NOT TRUE", "i > 1 IS NOT TRUE", FALSE },
  { "(i > 1) IS UNKNOWN", "i > 1 IS NULL", FALSE },
  { "i IS NOT DISTINCT FROM 1", "i = 1", TRUE },
  { "NOT (1 IS DISTINCT FROM i)", "i = 1", TRUE },
  { "i IS DISTINCT FROM NULL", "i IS NOT NULL", TRUE },
  { "i IS DISTINCT FROM 1", "i IS DISTINCT FROM 1", FALSE },
  { "i IS DISTINCT FROM j + 1", "i IS DISTINCT FROM j + 1", FALSE },
  { "i BETWEEN SYMMETRIC 5 AND 2", "(i >= 5 AND i <= 2) OR (i >= 2 AND i <= 5)", TRUE },
  { "i = ANY (ARRAY[1, 2])", "i IN (1, 2)", TRUE },
  { "i <> ALL ('[1, 2]')", "i NOT IN (1, 2)", TRUE },
  { "NOT i = ANY ('[1, 2]')", "i NOT IN (1, 2)", TRUE },
  { "i > ALL (ARRAY[1, 2])", "i > 1 AND i > 2", TRUE },
  { "i = ANY (CAST ('[]' AS LIST<INT>))", "FALSE", TRUE },
  { "i = ANY (CAST (s AS LIST<INT>))", "i = ANY (CAST(s AS LIST<INT>))", FALSE },
  { "(i, j) = (1, 2)", "i = 1 AND j = 2", TRUE },
  { "(i, j) > (1, 2)", "i > 1 OR (i = 1 AND j > 2)", TRUE },
  { "(i, j) <= (1, 2)", "i < 1 OR (i = 1 AND j <= 2)", TRUE },
  { "(i, j) IN ((1, 2), (3, 4))", "(i = 1 AND j = 2) OR (i = 3 AND j = 4)", TRUE },
  { "NOT (i, j) = (1, 2)", "i <> 1 OR j <> 2", TRUE },
  { "y = current_date", "y = '2024-02-29'", TRUE },
  { "i * 2 = 4", "i * 2 = 4", FALSE },
  { "i + j = 4", "i + j = 4", FALSE },
  { "i + 1e0 = 4", "i + 1e0 = 4e0", FALSE },
  { "NOT (i * 2 = 4 OR o)", "i * 2 <> 4 AND o = FALSE", FALSE },
  { "length(s) > 3 AND i = 1", "length(s) > 3 AND i = 1", FALSE },
  { "r.i = 1", "i = 1", TRUE },
  { "TRUE AND i = 1", "TRUE AND i = 1", TRUE },
  { "l = 1e18", "l = 1e+18", FALSE },
  { "l = 1e15", "l = 1000000000000000", TRUE },
  { "s LIKE NULL", "FALSE", TRUE },
  { "coalesce(o, FALSE)", "coalesce(o, false)", FALSE },
};

static void
test_forms (void)
{
  Kit kit;

  kit_open (&kit);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GString) shown = g_string_new (NULL);
      KvsqlPredicate *predicate
          = kvsql_bind_predicate (&kit.binder, parse (&kit, forms[i].where), &error);
      KvsqlDnf dnf;

      g_assert_no_error (error);
      kvsql_predicate_append_text (predicate, kit.relation, shown);
      kvsql_dnf_from_predicate (predicate, kit.relation->n_attributes, kit.arena, &dnf);
      if (strcasecmp (shown->str, forms[i].shown) != 0 || dnf.is_exact != forms[i].is_exact)
        {
          g_test_message ("%s: %s%s", forms[i].where, shown->str, dnf.is_exact ? "" : ", checked");
          g_test_fail ();
        }
    }
  kit_close (&kit);
}

/* ---- random predicates */

static gboolean
is_in_dnf (const KvsqlDnf *dnf, const KvsqlValue *tuple, guint n_attributes)
{
  for (guint b = 0; b < dnf->n_disjuncts; b++)
    {
      gboolean admits = TRUE;
      for (guint a = 0; a < n_attributes && admits; a++)
        admits = kvsql_constraint_admits (&dnf->disjuncts[b].constraints[a], &tuple[a]);
      if (admits)
        return TRUE;
    }
  return FALSE;
}

static void
append_plain (GString *out)
{
  static const gchar *const plain[] = {
    "i = 1",
    "i + 1 > 2",
    "i IN (1, 2, 7)",
    "-i <= 1",
    "l < 100",
    "l = 1e18",
    "d < 1.5",
    "f = 1.5",
    "n >= 1.5e0",
    "n + 1 < 2",
    "s LIKE 'a%'",
    "s RLIKE '^a'",
    "s > 'a'",
    "y < '2024-02-29'",
    "o",
    "NOT o",
    "i IS NULL",
    "i NOT IN (1)",
    "i <> j",
    "s IS NOT NULL",
    "y + 1 > '2020-01-01'",
    "i BETWEEN 0 AND 7",
  };

  g_string_append (out, plain[g_test_rand_int_range (0, G_N_ELEMENTS (plain))]);
}

static void
append_predicate (GString *out, guint depth)
{
  switch (depth == 0 ? g_test_rand_int_range (0, 2) : g_test_rand_int_range (0, 6))
    {
    case 0:
      random_expression (out, 'o', 2);
      return;
    case 1:
    case 2:
      append_plain (out);
      return;
    case 3:
      g_string_append (out, "NOT (");
      append_predicate (out, depth - 1);
      g_string_append_c (out, ')');
      return;
    default:
      g_string_append_c (out, '(');
      append_predicate (out, depth - 1);
      g_string_append (out, g_test_rand_int_range (0, 2) ? ") AND (" : ") OR (");
      append_predicate (out, depth - 1);
      g_string_append_c (out, ')');
    }
}

typedef struct
{
  guint n_compared, n_true;
} Counts;

static void
check_rows (Kit *kit, const gchar *text, const KvsqlExpr *expr, const KvsqlPredicate *predicate,
            const KvsqlBatch *input, Counts *counts)
{
  g_autoptr (KvsqlPredicateFilter) filter = kvsql_predicate_filter_new (predicate);
  g_autoptr (GError) error = NULL;
  KvsqlDnf dnf;
  const guint32 *rows;
  guint n, next = 0;

  kvsql_dnf_from_predicate (predicate, kit->relation->n_attributes, kit->arena, &dnf);
  if (!kvsql_predicate_filter_run (filter, input, &rows, &n, &error))
    g_error ("%s: %s", text, error->message);
  for (guint row = 0; row < input->n_rows; row++)
    {
      KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES], value;
      gboolean wanted, admits, is_filtered = next < n && rows[next] == row;

      for (guint a = 0; a < input->n_columns; a++)
        tuple[a] = kvsql_vector_get (&input->columns[a], row);
      ignore_result (kvsql_expr_evaluate (expr, tuple, kit->arena, &value, NULL));
      wanted = !kvsql_value_is_null (&value) && value.boolean;
      assert_done (kvsql_predicate_admits (predicate, tuple, kit->arena, &admits, &error), error);
      if ((admits != FALSE) != wanted || is_filtered != wanted)
        g_error ("%s: row %u: expression %d, tuple %d, batch %d", text, row, wanted, admits,
                 is_filtered);
      if (dnf.is_exact ? wanted != is_in_dnf (&dnf, tuple, input->n_columns)
                       : wanted && !is_in_dnf (&dnf, tuple, input->n_columns))
        g_error ("%s: row %u is on the wrong side of the boxes", text, row);
      next += is_filtered;
      counts->n_true += wanted;
    }
  counts->n_compared++;
}

static gboolean
evaluates (const KvsqlExpr *expr, const KvsqlBatch *input)
{
  g_autoptr (KvsqlEvaluator) evaluator = kvsql_evaluator_new ((KvsqlExpr *const *)&expr, 1);
  KvsqlBatch *out;

  return kvsql_evaluator_run (evaluator, input, NULL, input->n_rows, &out, NULL);
}

static void
test_random (void)
{
  guint n = g_test_slow () ? 200000 : 6000;
  Counts counts = { 0 };

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (KvsqlBatch) input = NULL;
      const KvsqlAstExpr *ast;
      KvsqlPredicate *predicate;
      KvsqlExpr *expr;
      Kit kit;

      kit_open (&kit);
      input = random_batch (kit.relation, g_test_rand_int_range (1, 60));
      append_predicate (text, g_test_rand_int_range (0, 4));
      ast = parse (&kit, text->str);
      predicate = kvsql_bind_predicate (&kit.binder, ast, NULL);
      expr = kvsql_expr_bind_boolean (&kit.binder, ast, "WHERE", NULL);
      if (predicate != NULL && expr != NULL && evaluates (expr, input))
        check_rows (&kit, text->str, expr, predicate, input, &counts);
      kit_close (&kit);
    }
  g_test_message ("%u of %u compared, %u rows true", counts.n_compared, n, counts.n_true);
  g_assert_cmpuint (counts.n_compared, >, n / 4);
}

/* ---- errors of rows */

static void
test_order_of_evaluation (void)
{
  static const gchar *const safe[] = {
    "10 / i > 1 AND i <> 0",
    "i <> 0 AND 10 / i > 1",
    "i = 0 OR 10 / i > 1",
    "10 / i > 1 OR i = 0",
    "NOT (i = 0 OR 10 / i <= 1)",
    "i <> 0 AND (j = 5 OR 10 / i > 1)",
    "(i = 0 OR i = 99) OR (i <> 0 AND 10 / i > 1)",
    "i > 0 AND (10 / i > 1 AND j = 5 OR 10 / i < 1)",
  };
  Kit kit;

  kit_open (&kit);
  for (guint i = 0; i < G_N_ELEMENTS (safe) + 1; i++)
    {
      gboolean is_safe = i < G_N_ELEMENTS (safe);
      const gchar *text = is_safe ? safe[i] : "10 / i > 1";
      g_autoptr (GError) error = NULL;
      KvsqlPredicate *predicate = kvsql_bind_predicate (&kit.binder, parse (&kit, text), &error);
      g_autoptr (KvsqlPredicateFilter) filter = kvsql_predicate_filter_new (predicate);
      g_autoptr (KvsqlBatch) input = random_batch (kit.relation, 50);
      const guint32 *rows;
      guint n;

      for (guint row = 0; row < 50; row++)
        {
          KvsqlValue value = { .type = KVSQL_TYPE_INT, .integer = row % 7 };
          kvsql_vector_clear_null (&input->columns[2], row);
          kvsql_vector_set (&input->columns[2], row, &value);
        }
      ignore_result (kvsql_predicate_filter_run (filter, input, &rows, &n, &error));
      if (is_safe)
        g_assert_no_error (error);
      else
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
      if (!is_safe)
        g_assert_cmpint (kvsql_error_get_span (error).length, ==, strlen ("10 / i"));
    }
  kit_close (&kit);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expr/where/forms", test_forms);
  g_test_add_func ("/expr/where/random", test_random);
  g_test_add_func ("/expr/where/order-of-evaluation", test_order_of_evaluation);
  return g_test_run ();
}
