/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-aggregate.c: compares groups and aggregates with sums that are computed one by one; special
 * values.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/exec/aggregate.h"
#include "core/exec/distinct.h"
#include "tests/exec/batch-source.h"

#define MIB ((gsize)1 << 20)

static const KvsqlSortLimits roomy = { .memory_bytes = 64 * MIB };
static const KvsqlSortLimits tight = { .memory_bytes = 64 * 1024, .disk_bytes = 64 * MIB };

static KvsqlValue
integer (KvsqlType type, gint64 value)
{
  return (KvsqlValue){ .type = type, .integer = value };
}

static KvsqlValue
real (KvsqlType type, gdouble value)
{
  return (KvsqlValue){ .type = type, .real = value };
}

static KvsqlValue
bytes (KvsqlType type, const gchar *value)
{
  return (KvsqlValue){ .type = type, .bytes = kvsql_slice_from_text (value) };
}

/* ---- one group */

static gchar *
text_of (KvsqlType type, const KvsqlValue *value)
{
  GString *text = g_string_new (kvsql_type_get_name (type));

  g_string_append_c (text, ' ');
  if (kvsql_value_is_null (value))
    g_string_append (text, "NULL");
  else
    kvsql_value_append_text (value, text);
  return g_string_free (text, FALSE);
}

static gboolean
fold (KvsqlPartialAggregate *self, const KvsqlBatch *rows, guint from, guint to, GError **error)
{
  kvsql_partial_aggregate_read_keys (self, rows);
  return kvsql_partial_aggregate_add_rows (self, rows, from, to, error);
}

/* Rows aggregated in up to three pieces, which are combined. */
static KvsqlPartialAggregate *
fold_pieces (const KvsqlAggregation *aggregation, const KvsqlBatch *rows, guint first, guint second,
             GError **error)
{
  const guint ends[] = { 0, first, second, rows->n_rows };
  g_autoptr (KvsqlPartialAggregate) all = kvsql_partial_aggregate_new (aggregation);

  for (guint i = 1; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (KvsqlPartialAggregate) piece = kvsql_partial_aggregate_new (aggregation);

      if (!fold (piece, rows, ends[i - 1], ends[i], error)
          || !kvsql_partial_aggregate_combine (all, piece, error))
        return NULL;
    }
  return g_steal_pointer (&all);
}

/* All ways to cut the rows give the same result. */
static void
check_pieces (const KvsqlAggregation *aggregation, const KvsqlBatch *rows, const gchar *wanted)
{
  KvsqlType type = aggregation->aggregates[0].type;
  g_autoptr (KvsqlBatch) result = kvsql_batch_new (&type, 1, 1);

  for (guint first = 0; first <= rows->n_rows; first++)
    for (guint second = first; second <= rows->n_rows; second++)
      {
        g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
        g_autoptr (GError) error = NULL;
        g_autoptr (KvsqlPartialAggregate) all
            = fold_pieces (aggregation, rows, first, second, &error);
        g_autofree gchar *text = NULL;
        KvsqlValue value;

        g_assert_no_error (error);
        kvsql_batch_reset (result);
        g_assert_true (kvsql_partial_aggregate_emit (all, 0, arena, result, 0, &error));
        value = kvsql_vector_get (&result->columns[0], 0);
        text = text_of (type, &value);
        g_assert_cmpstr (text, ==, wanted);
      }
}

static gchar *
aggregate_text (const gchar *name, gboolean is_distinct, KvsqlType type, const KvsqlValue *values,
                guint n, GError **error)
{
  g_autoptr (KvsqlBatch) rows = kvsql_batch_new (&type, 1, MAX (n, 1));
  g_autoptr (KvsqlBatch) result = NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAggregate aggregate
      = { .function = kvsql_aggregate_find (name), .argument = type, .is_distinct = is_distinct };
  KvsqlAggregation aggregation
      = { .types = &type, .n_inputs = 1, .aggregates = &aggregate, .n_aggregates = 1 };
  KvsqlValue value;
  gchar *text;

  aggregate.has_second = kvsql_aggregate_get_n_arguments (aggregate.function) > 1;
  g_assert_true (
      kvsql_aggregate_get_type (aggregate.function, type, KVSQL_SPAN_NONE, &aggregate.type, NULL));
  for (guint i = 0; i < n; i++)
    kvsql_vector_set (&rows->columns[0], i, &values[i]);
  rows->n_rows = n;
  result = batch_of_source (kvsql_aggregate_new (batch_source_new (rows, 3), &aggregation, &roomy),
                            arena, error);
  if (result == NULL)
    return NULL;
  g_assert_cmpuint (result->n_rows, ==, 1);
  value = kvsql_vector_get (&result->columns[0], 0);
  text = text_of (aggregate.type, &value);
  g_assert_true (kvsql_partial_aggregate_can_combine (&aggregation) == !is_distinct);
  if (!is_distinct)
    check_pieces (&aggregation, rows, text);
  return text;
}

static void
check (const gchar *name, KvsqlType type, const KvsqlValue *values, guint n, const gchar *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = aggregate_text (name, FALSE, type, values, n, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, wanted);
}

static void
test_empty (void)
{
  const KvsqlValue nothing[] = { KVSQL_VALUE_NULL, KVSQL_VALUE_NULL };

  for (guint n = 0; n <= 2; n += 2)
    {
      check ("count", KVSQL_TYPE_INT, nothing, n, "BIGINT 0");
      check ("sum", KVSQL_TYPE_INT, nothing, n, "BIGINT NULL");
      check ("sum", KVSQL_TYPE_BIGINT, nothing, n, "DECIMAL NULL");
      check ("sum", KVSQL_TYPE_DECIMAL, nothing, n, "DECIMAL NULL");
      check ("sum", KVSQL_TYPE_FLOAT, nothing, n, "FLOAT NULL");
      check ("avg", KVSQL_TYPE_INT, nothing, n, "DECIMAL NULL");
      check ("avg", KVSQL_TYPE_FLOAT, nothing, n, "DOUBLE NULL");
      check ("min", KVSQL_TYPE_STRING, nothing, n, "STRING NULL");
      check ("max", KVSQL_TYPE_DATE, nothing, n, "DATE NULL");
      check ("min", KVSQL_TYPE_DOUBLE, nothing, n, "DOUBLE NULL");
      check ("max", KVSQL_TYPE_BOOLEAN, nothing, n, "BOOLEAN NULL");
      check ("sum", KVSQL_TYPE_NULL, nothing, 0, "BIGINT NULL");
      check ("count", KVSQL_TYPE_NULL, nothing, 0, "BIGINT 0");
    }
}

static void
test_integers (void)
{
  const KvsqlValue values[]
      = { integer (KVSQL_TYPE_INT, 1), KVSQL_VALUE_NULL, integer (KVSQL_TYPE_INT, 2),
          integer (KVSQL_TYPE_INT, 2), integer (KVSQL_TYPE_INT, -7) };
  const KvsqlValue large[]
      = { integer (KVSQL_TYPE_BIGINT, G_MAXINT64), integer (KVSQL_TYPE_BIGINT, G_MAXINT64),
          integer (KVSQL_TYPE_BIGINT, 1) };
  const KvsqlValue small[]
      = { integer (KVSQL_TYPE_BIGINT, G_MININT64), integer (KVSQL_TYPE_BIGINT, G_MININT64) };

  check ("count", KVSQL_TYPE_INT, values, 5, "BIGINT 4");
  check ("sum", KVSQL_TYPE_INT, values, 5, "BIGINT -2");
  check ("avg", KVSQL_TYPE_INT, values, 5, "DECIMAL -0.5");
  check ("min", KVSQL_TYPE_INT, values, 5, "INT -7");
  check ("max", KVSQL_TYPE_INT, values, 5, "INT 2");
  check ("sum", KVSQL_TYPE_BIGINT, large, 3, "DECIMAL 18446744073709551615");
  check ("sum", KVSQL_TYPE_BIGINT, small, 2, "DECIMAL -18446744073709551616");
  check ("avg", KVSQL_TYPE_BIGINT, small, 2, "DECIMAL -9223372036854775808");
}

/* Like PostgreSQL 15, without zeros at the end. */
static void
test_averages (void)
{
  const KvsqlValue thirds[]
      = { integer (KVSQL_TYPE_INT, 1), integer (KVSQL_TYPE_INT, 2), integer (KVSQL_TYPE_INT, 2) };
  const KvsqlValue negative[] = { integer (KVSQL_TYPE_INT, -1), integer (KVSQL_TYPE_INT, -2),
                                  integer (KVSQL_TYPE_INT, -2) };
  const KvsqlValue large[] = { integer (KVSQL_TYPE_INT, 100000), integer (KVSQL_TYPE_INT, 100001),
                               integer (KVSQL_TYPE_INT, 100001) };
  const KvsqlValue little[]
      = { integer (KVSQL_TYPE_INT, 1), integer (KVSQL_TYPE_INT, 0), integer (KVSQL_TYPE_INT, 0) };
  const KvsqlValue decimals[]
      = { bytes (KVSQL_TYPE_DECIMAL, "0.1"), bytes (KVSQL_TYPE_DECIMAL, "0.25"),
          bytes (KVSQL_TYPE_DECIMAL, "-3") };

  check ("avg", KVSQL_TYPE_INT, thirds, 3, "DECIMAL 1.6666666666666667");
  check ("avg", KVSQL_TYPE_INT, negative, 3, "DECIMAL -1.6666666666666667");
  check ("avg", KVSQL_TYPE_INT, large, 3, "DECIMAL 100000.666666666667");
  check ("avg", KVSQL_TYPE_INT, little, 3, "DECIMAL 0.33333333333333333333");
  check ("sum", KVSQL_TYPE_DECIMAL, decimals, 3, "DECIMAL -2.65");
  check ("avg", KVSQL_TYPE_DECIMAL, decimals, 3, "DECIMAL -0.88333333333333333333");
  check ("max", KVSQL_TYPE_DECIMAL, decimals, 3, "DECIMAL 0.25");
  check ("min", KVSQL_TYPE_DECIMAL, decimals, 3, "DECIMAL -3");
}

static void
test_reals (void)
{
  const gdouble pieces[] = { 1e16, 1, -1e16, 1e-3, 0.1, 0.2, 0.3, -0.1, 1e308, -1e308 };
  KvsqlValue values[G_N_ELEMENTS (pieces)];
  const KvsqlValue zeros[] = { real (KVSQL_TYPE_DOUBLE, 0.0), real (KVSQL_TYPE_DOUBLE, -0.0) };
  const KvsqlValue special[] = { real (KVSQL_TYPE_DOUBLE, NAN), real (KVSQL_TYPE_DOUBLE, 5),
                                 real (KVSQL_TYPE_DOUBLE, INFINITY) };
  const KvsqlValue floats[]
      = { real (KVSQL_TYPE_FLOAT, 0.5), real (KVSQL_TYPE_FLOAT, 0.25), real (KVSQL_TYPE_FLOAT, 3) };

  /* the sum is the same in every order */
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    values[i] = real (KVSQL_TYPE_DOUBLE, pieces[i]);
  for (guint round = 0; round < 100; round++)
    {
      guint a = g_test_rand_int_range (0, 8), b = g_test_rand_int_range (0, 8);
      KvsqlValue held = values[a];
      values[a] = values[b];
      values[b] = held;
      check ("sum", KVSQL_TYPE_DOUBLE, values, G_N_ELEMENTS (pieces), "DOUBLE 1.501");
    }
  check ("min", KVSQL_TYPE_DOUBLE, zeros, 2, "DOUBLE -0");
  check ("max", KVSQL_TYPE_DOUBLE, zeros, 2, "DOUBLE 0");
  check ("max", KVSQL_TYPE_DOUBLE, special, 3, "DOUBLE NaN");
  check ("min", KVSQL_TYPE_DOUBLE, special, 3, "DOUBLE 5");
  check ("sum", KVSQL_TYPE_DOUBLE, special, 3, "DOUBLE NaN");
  check ("sum", KVSQL_TYPE_DOUBLE, special + 1, 2, "DOUBLE Infinity");
  check ("sum", KVSQL_TYPE_FLOAT, floats, 3, "FLOAT 3.75");
  check ("avg", KVSQL_TYPE_FLOAT, floats, 3, "DOUBLE 1.25");
}

static void
test_texts (void)
{
  const KvsqlValue values[]
      = { bytes (KVSQL_TYPE_STRING, "pear"), bytes (KVSQL_TYPE_STRING, ""),
          bytes (KVSQL_TYPE_STRING, "a longer one than the first"),
          bytes (KVSQL_TYPE_STRING, "zebra"), bytes (KVSQL_TYPE_STRING, "apple") };

  check ("min", KVSQL_TYPE_STRING, values, 5, "STRING ");
  check ("max", KVSQL_TYPE_STRING, values, 5, "STRING zebra");
  check ("max", KVSQL_TYPE_STRING, values, 3, "STRING pear");
  check ("count", KVSQL_TYPE_STRING, values, 5, "BIGINT 5");
}

static void
test_distinct_aggregates (void)
{
  const KvsqlValue values[]
      = { integer (KVSQL_TYPE_INT, 5), integer (KVSQL_TYPE_INT, 5), KVSQL_VALUE_NULL,
          integer (KVSQL_TYPE_INT, 7), integer (KVSQL_TYPE_INT, 5), KVSQL_VALUE_NULL };
  const struct
  {
    const gchar *name;
    const gchar *wanted;
  } cases[] = { { "count", "BIGINT 2" }, { "sum", "BIGINT 12" }, { "avg", "DECIMAL 6" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *text
          = aggregate_text (cases[i].name, TRUE, KVSQL_TYPE_INT, values, 6, NULL);
      g_assert_cmpstr (text, ==, cases[i].wanted);
    }
}

/* The pieces are in range, but their sum is not. */
static void
test_merge_refused (void)
{
  static const struct
  {
    KvsqlType type;
    KvsqlType result;
    KvsqlValue value;
  } cases[] = {
    { KVSQL_TYPE_DOUBLE, KVSQL_TYPE_DOUBLE, { .type = KVSQL_TYPE_DOUBLE, .real = 1e308 } },
    { KVSQL_TYPE_INT, KVSQL_TYPE_BIGINT, { .type = KVSQL_TYPE_INT, .integer = G_MAXINT64 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlType type = cases[i].type;
      const KvsqlAggregate aggregate
          = { .function = kvsql_aggregate_find ("sum"), .argument = type, .type = cases[i].result };
      const KvsqlAggregation aggregation
          = { .types = &type, .n_inputs = 1, .aggregates = &aggregate, .n_aggregates = 1 };
      g_autoptr (KvsqlBatch) rows = kvsql_batch_new (&type, 1, 2);
      g_autoptr (GError) error = NULL;

      for (guint row = 0; row < 2; row++)
        kvsql_vector_set (&rows->columns[0], row, &cases[i].value);
      rows->n_rows = 2;
      g_assert_null (fold_pieces (&aggregation, rows, 1, 1, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
    }
}

static void
test_refused (void)
{
  const KvsqlAggregateFunction *sum = kvsql_aggregate_find ("SUM");
  const KvsqlValue large[] = { real (KVSQL_TYPE_DOUBLE, 1e308), real (KVSQL_TYPE_DOUBLE, 1e308) };
  g_autoptr (GError) type_error = NULL;
  g_autoptr (GError) range_error = NULL;
  KvsqlType type;

  g_assert_null (kvsql_aggregate_find ("median"));
  g_assert_false (
      kvsql_aggregate_get_type (sum, KVSQL_TYPE_STRING, KVSQL_SPAN_NONE, &type, &type_error));
  g_assert_error (type_error, KVSQL_ERROR, KVSQL_ERROR_TYPE);
  g_assert_null (aggregate_text ("sum", FALSE, KVSQL_TYPE_DOUBLE, large, 2, &range_error));
  g_assert_error (range_error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
}

/* ---- groups */

#define N_ROWS 20000
#define N_NAMES 700

static gint
order_of_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const KvsqlVector *names = user_data;

  return (gint)names->integers[*(const guint *)a] - (gint)names->integers[*(const guint *)b];
}

/* @rows: a name, 0 or -0, and a number that depends on the name. The first two columns are the
 * group. */
static void
check_groups (const KvsqlBatch *rows, const guint *counts, guint n_found,
              const KvsqlSortLimits *limits)
{
  KvsqlType types[] = { KVSQL_TYPE_STRING, KVSQL_TYPE_DOUBLE, KVSQL_TYPE_BIGINT };
  const KvsqlAggregate aggregates[] = { { .function = kvsql_aggregate_find ("count"),
                                          .column = KVSQL_NO_COLUMN,
                                          .type = KVSQL_TYPE_BIGINT },
                                        { .function = kvsql_aggregate_find ("sum"),
                                          .column = 2,
                                          .argument = KVSQL_TYPE_BIGINT,
                                          .type = KVSQL_TYPE_DECIMAL,
                                          .is_distinct = FALSE },
                                        { .function = kvsql_aggregate_find ("count"),
                                          .column = 2,
                                          .argument = KVSQL_TYPE_BIGINT,
                                          .type = KVSQL_TYPE_BIGINT,
                                          .is_distinct = TRUE },
                                        { .function = kvsql_aggregate_find ("min"),
                                          .column = 2,
                                          .argument = KVSQL_TYPE_BIGINT,
                                          .type = KVSQL_TYPE_BIGINT,
                                          .is_distinct = FALSE } };
  KvsqlAggregation aggregation = {
    .types = types, .n_inputs = 3, .n_groups = 2, .aggregates = aggregates, .n_aggregates = 4
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree guint *order = g_new (guint, n_found);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlBatch) result = batch_of_source (
      kvsql_aggregate_new (batch_source_new (rows, 777), &aggregation, limits), arena, &error);
  gint64 last = -1;

  g_assert_no_error (error);
  g_assert_cmpuint (result->n_rows, ==, n_found);
  for (guint g = 0; g < n_found; g++)
    order[g] = g;
  g_qsort_with_data (order, n_found, sizeof (guint), order_of_names, &result->columns[5]);
  for (guint i = 0; i < n_found; i++)
    {
      guint g = order[i], name = (guint)result->columns[5].integers[g];
      g_autofree gchar *sum = g_strdup_printf ("%u", counts[name] * name);
      KvsqlValue value = kvsql_vector_get (&result->columns[3], g);

      g_assert_cmpint (name, >, last);
      last = name;
      g_assert_true (kvsql_vector_is_null (&result->columns[0], g) == (name == 0));
      g_assert_false (signbit (result->columns[1].reals[g]));
      g_assert_cmpint (result->columns[2].integers[g], ==, counts[name]);
      g_assert_true (kvsql_slice_equal (value.bytes, kvsql_slice_from_text (sum)));
      g_assert_cmpint (result->columns[4].integers[g], ==, 1);
    }
}

/* Aggregated in pieces, the groups are the same, and in the same order. */
static void
check_merged_groups (const KvsqlBatch *rows)
{
  KvsqlType types[] = { KVSQL_TYPE_STRING, KVSQL_TYPE_DOUBLE, KVSQL_TYPE_BIGINT };
  const KvsqlType results[]
      = { KVSQL_TYPE_STRING, KVSQL_TYPE_DOUBLE, KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING };
  const KvsqlAggregate aggregates[] = { { .function = kvsql_aggregate_find ("count"),
                                          .column = KVSQL_NO_COLUMN,
                                          .type = KVSQL_TYPE_BIGINT },
                                        { .function = kvsql_aggregate_find ("max"),
                                          .column = 0,
                                          .argument = KVSQL_TYPE_STRING,
                                          .type = KVSQL_TYPE_STRING,
                                          .is_distinct = FALSE } };
  const KvsqlAggregation aggregation = {
    .types = types, .n_inputs = 3, .n_groups = 2, .aggregates = aggregates, .n_aggregates = 2
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlPartialAggregate) expected = kvsql_partial_aggregate_new (&aggregation);
  g_autoptr (KvsqlPartialAggregate) merged = NULL;
  g_autoptr (KvsqlBatch) pair = kvsql_batch_new (results, 4, 2);
  g_autoptr (GError) error = NULL;
  gint32 first = g_test_rand_int_range (0, N_ROWS / 2);

  g_assert_true (fold (expected, rows, 0, rows->n_rows, &error));
  merged
      = fold_pieces (&aggregation, rows, first, g_test_rand_int_range (first, N_ROWS + 1), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_partial_aggregate_get_n_groups (merged), ==,
                    kvsql_partial_aggregate_get_n_groups (expected));
  for (guint32 g = 0; g < kvsql_partial_aggregate_get_n_groups (expected); g++)
    {
      kvsql_batch_reset (pair);
      g_assert_true (kvsql_partial_aggregate_emit (expected, g, arena, pair, 0, &error));
      g_assert_true (kvsql_partial_aggregate_emit (merged, g, arena, pair, 1, &error));
      for (guint c = 0; c < 4; c++)
        {
          KvsqlValue a = kvsql_vector_get (&pair->columns[c], 0),
                     b = kvsql_vector_get (&pair->columns[c], 1);
          g_autofree gchar *wanted = text_of (results[c], &a), *got = text_of (results[c], &b);

          g_assert_cmpstr (got, ==, wanted);
        }
    }
}

static void
test_groups (void)
{
  const KvsqlType types[] = { KVSQL_TYPE_STRING, KVSQL_TYPE_DOUBLE, KVSQL_TYPE_BIGINT };
  g_autoptr (KvsqlBatch) rows = kvsql_batch_new (types, 3, N_ROWS);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  guint counts[N_NAMES] = { 0 }, n_found = 0;

  for (guint row = 0; row < N_ROWS; row++)
    {
      guint name = g_test_rand_int_range (0, N_NAMES);
      KvsqlValue text = { .type = KVSQL_TYPE_STRING };
      KvsqlValue sign = real (KVSQL_TYPE_DOUBLE, g_test_rand_bit () ? 0.0 : -0.0);

      text.bytes = kvsql_slice_from_text (kvsql_arena_printf (arena, "name %u", name));
      if (name == 0)
        text = KVSQL_VALUE_NULL;
      kvsql_vector_set (&rows->columns[0], row, &text);
      kvsql_vector_set (&rows->columns[1], row, &sign);
      rows->columns[2].integers[row] = name;
      n_found += counts[name]++ == 0;
    }
  rows->n_rows = N_ROWS;
  check_groups (rows, counts, n_found, &roomy);
  check_groups (rows, counts, n_found, &tight);
  check_merged_groups (rows);
}

static void
check_distinct (const KvsqlSortLimits *limits, guint n_numbers)
{
  const KvsqlType types[] = { KVSQL_TYPE_INT, KVSQL_TYPE_STRING };
  g_autoptr (KvsqlBatch) rows = kvsql_batch_new (types, 2, n_numbers * 6);
  g_autoptr (KvsqlBatch) result = NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree guint *seen = g_new0 (guint, n_numbers);

  for (guint row = 0; row < n_numbers * 6; row++)
    {
      KvsqlValue number = integer (KVSQL_TYPE_INT, row % n_numbers);
      KvsqlValue text
          = (row / n_numbers) % 2 == 0 ? KVSQL_VALUE_NULL : bytes (KVSQL_TYPE_STRING, "x");
      kvsql_vector_set (&rows->columns[0], row, &number);
      kvsql_vector_set (&rows->columns[1], row, &text);
    }
  rows->n_rows = n_numbers * 6;
  result = batch_of_source (kvsql_distinct_new (batch_source_new (rows, 100), types, 2, limits),
                            arena, NULL);
  g_assert_cmpuint (result->n_rows, ==, n_numbers * 2);
  for (guint row = 0; row < result->n_rows; row++)
    {
      guint bit = kvsql_vector_is_null (&result->columns[1], row) ? 1 : 2;
      gint64 number = result->columns[0].integers[row];
      g_assert_cmpuint (seen[number] & bit, ==, 0);
      seen[number] |= bit;
    }
}

static void
test_distinct (void)
{
  check_distinct (&roomy, 7);
  check_distinct (&roomy, 5000);
  check_distinct (&tight, 7);
  check_distinct (&tight, 5000);
}

static void
test_limit (void)
{
  const KvsqlSortLimits small = { .memory_bytes = MIB };
  KvsqlType type = KVSQL_TYPE_INT;
  KvsqlAggregation aggregation = { .types = &type, .n_inputs = 1, .n_groups = 1 };
  g_autoptr (KvsqlBatch) rows = kvsql_batch_new (&type, 1, 50000);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) group_error = NULL;
  g_autoptr (GError) distinct_error = NULL;

  for (guint row = 0; row < 50000; row++)
    rows->columns[0].integers[row] = row;
  rows->n_rows = 50000;
  g_assert_null (
      batch_of_source (kvsql_aggregate_new (batch_source_new (rows, 1000), &aggregation, &small),
                       arena, &group_error));
  g_assert_error (group_error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (kvsql_error_get_hint (group_error));
  g_assert_null (
      batch_of_source (kvsql_distinct_new (batch_source_new (rows, 1000), &type, 1, &small), arena,
                       &distinct_error));
  g_assert_error (distinct_error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

/* One group whose distinct values do not fit into memory: a temporary file does not help. */
static void
test_distinct_aggregate_limit (void)
{
  const KvsqlAggregate aggregate = { .function = kvsql_aggregate_find ("count"),
                                     .column = 1,
                                     .argument = KVSQL_TYPE_INT,
                                     .type = KVSQL_TYPE_BIGINT,
                                     .is_distinct = TRUE };
  KvsqlType types[] = { KVSQL_TYPE_INT, KVSQL_TYPE_INT };
  KvsqlAggregation aggregation = {
    .types = types, .n_inputs = 2, .n_groups = 1, .aggregates = &aggregate, .n_aggregates = 1
  };
  g_autoptr (KvsqlBatch) rows = kvsql_batch_new (types, 2, 50000);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;

  for (guint row = 0; row < 50000; row++)
    {
      rows->columns[0].integers[row] = row < 5000 ? row : 99999;
      rows->columns[1].integers[row] = row;
    }
  rows->n_rows = 50000;
  g_assert_null (batch_of_source (
      kvsql_aggregate_new (batch_source_new (rows, 1000), &aggregation, &tight), arena, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

/* Of 1, 2, 2, 5, and NULLs: each way to cut the rows gives the same. */
static void
test_moments (void)
{
  const KvsqlValue integers[]
      = { integer (KVSQL_TYPE_INT, 1), KVSQL_VALUE_NULL, integer (KVSQL_TYPE_INT, 2),
          integer (KVSQL_TYPE_INT, 2), integer (KVSQL_TYPE_INT, 5) };
  const KvsqlValue reals[] = { real (KVSQL_TYPE_DOUBLE, 1), real (KVSQL_TYPE_DOUBLE, 3),
                               real (KVSQL_TYPE_DOUBLE, 1), real (KVSQL_TYPE_DOUBLE, 3) };

  check ("var_pop", KVSQL_TYPE_INT, integers, 5, "DECIMAL 2.25");
  check ("stddev_pop", KVSQL_TYPE_INT, integers, 5, "DECIMAL 1.5");
  check ("variance", KVSQL_TYPE_INT, integers, 5, "DECIMAL 3");
  check ("stddev", KVSQL_TYPE_INT, integers, 5, "DECIMAL 1.7320508075688773");
  check ("var_samp", KVSQL_TYPE_INT, integers, 1, "DECIMAL NULL");
  check ("var_pop", KVSQL_TYPE_INT, integers, 1, "DECIMAL 0");
  check ("var_pop", KVSQL_TYPE_DOUBLE, reals, 4, "DOUBLE 1");
  check ("stddev_pop", KVSQL_TYPE_DOUBLE, reals, 4, "DOUBLE 1");
  check ("stddev", KVSQL_TYPE_DOUBLE, reals, 1, "DOUBLE NULL");
  check ("regr_sxy", KVSQL_TYPE_DOUBLE, reals, 4, "DOUBLE 4"); /* of the column with itself */
  check ("corr", KVSQL_TYPE_DOUBLE, reals, 4, "DOUBLE 1");
  check ("regr_count", KVSQL_TYPE_DOUBLE, reals, 4, "BIGINT 4");
}

static void
test_collected (void)
{
  const KvsqlValue values[] = { bytes (KVSQL_TYPE_STRING, "b"), KVSQL_VALUE_NULL,
                                bytes (KVSQL_TYPE_STRING, "a"), bytes (KVSQL_TYPE_STRING, "b") };
  const KvsqlValue truths[] = { { .type = KVSQL_TYPE_BOOLEAN, .boolean = TRUE },
                                KVSQL_VALUE_NULL,
                                { .type = KVSQL_TYPE_BOOLEAN, .boolean = FALSE } };

  check ("array_agg", KVSQL_TYPE_STRING, values, 4, "LIST<STRING> [\"b\",null,\"a\",\"b\"]");
  check ("array_agg", KVSQL_TYPE_STRING, values, 0, "LIST<STRING> NULL");
  check ("string_agg", KVSQL_TYPE_STRING, values, 4, "STRING baabb"); /* separated by themselves */
  check ("mode", KVSQL_TYPE_STRING, values, 4, "STRING b");
  check ("percentile_disc", KVSQL_TYPE_STRING, values, 4, "STRING NULL"); /* no part */
  check ("bool_and", KVSQL_TYPE_BOOLEAN, truths, 3, "BOOLEAN false");
  check ("every", KVSQL_TYPE_BOOLEAN, truths, 2, "BOOLEAN true");
  check ("bool_or", KVSQL_TYPE_BOOLEAN, truths, 3, "BOOLEAN true");
}

/* All values of one group are kept, and counted. */
static void
test_collected_limit (void)
{
  KvsqlType type = KVSQL_TYPE_INT;
  const KvsqlAggregate aggregate = { .function = kvsql_aggregate_find ("array_agg"),
                                     .argument = KVSQL_TYPE_INT,
                                     .type = KVSQL_TYPE_LIST + KVSQL_TYPE_INT - 1 };
  KvsqlAggregation aggregation
      = { .types = &type, .n_inputs = 1, .aggregates = &aggregate, .n_aggregates = 1 };
  g_autoptr (KvsqlBatch) rows = kvsql_batch_new (&type, 1, 50000);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;

  for (guint row = 0; row < 50000; row++)
    rows->columns[0].integers[row] = row;
  rows->n_rows = 50000;
  g_assert_null (batch_of_source (
      kvsql_aggregate_new (batch_source_new (rows, 1000), &aggregation, &tight), arena, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/aggregate/empty", test_empty);
  g_test_add_func ("/exec/aggregate/integers", test_integers);
  g_test_add_func ("/exec/aggregate/averages", test_averages);
  g_test_add_func ("/exec/aggregate/reals", test_reals);
  g_test_add_func ("/exec/aggregate/texts", test_texts);
  g_test_add_func ("/exec/aggregate/distinct-aggregates", test_distinct_aggregates);
  g_test_add_func ("/exec/aggregate/moments", test_moments);
  g_test_add_func ("/exec/aggregate/collected", test_collected);
  g_test_add_func ("/exec/aggregate/collected-limit", test_collected_limit);
  g_test_add_func ("/exec/aggregate/refused", test_refused);
  g_test_add_func ("/exec/aggregate/merge-refused", test_merge_refused);
  g_test_add_func ("/exec/aggregate/groups", test_groups);
  g_test_add_func ("/exec/aggregate/distinct", test_distinct);
  g_test_add_func ("/exec/aggregate/limit", test_limit);
  g_test_add_func ("/exec/aggregate/distinct-aggregate-limit", test_distinct_aggregate_limit);
  return g_test_run ();
}
