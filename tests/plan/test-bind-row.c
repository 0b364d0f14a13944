/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-bind-row.c: a value of a column is stored or rejected exactly as the same single value is.
 */
#include "config.h"

#include <math.h>

#include "core/plan/bind.h"
#include "core/sql/parser.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static const KvsqlSlice texts[] = {
  S (""),
  S ("a"),
  S ("1"),
  S ("12345678"),
  S ("2024-02-29"),
  S ("a\0b"),
  S ("sixteen  \0  bytes"),
  S ("\xc3\xa9"),
  S ("eight by\xc3\xa9"),
  S ("\xff"),
  S ("eight by\xff"),
  S ("true"),
  S ("NaN"),
  S ("x'00'"),
};

static const gint64 integers[] = {
  0,
  1,
  -1,
  G_MAXINT32,
  G_MININT32,
  G_MAXINT32 + 1LL,
  G_MININT32 - 1LL,
  G_MAXINT64,
  G_MININT64,
  KVSQL_DATE_MIN,
  KVSQL_DATE_MIN - 1,
  KVSQL_DATE_MAX,
  KVSQL_DATE_MAX + 1,
  KVSQL_DATE_MIN *KVSQL_MS_PER_DAY,
  KVSQL_DATE_MIN *KVSQL_MS_PER_DAY - 1,
  (KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY,
  (KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY - 1,
};

static const gdouble reals[] = { 0.0, -0.0, 1.0, 0.1, -1e300, NAN, -NAN, INFINITY, -INFINITY };

static KvsqlRelation *
make_relation (KvsqlArena *arena)
{
  KvsqlAstStatement *statement = kvsql_parser_parse (
      S ("DEFINE RELATION r { ks STRING KEY, kb BYTES KEY, ko BOOLEAN KEY, ki INT KEY, "
         "kg BIGINT KEY, kf FLOAT KEY, kd DOUBLE KEY, kc DECIMAL KEY, ka DATE KEY, "
         "kt TIMESTAMP KEY, s STRING, b BYTES, o BOOLEAN, i INT, g BIGINT, f FLOAT, d DOUBLE, "
         "c DECIMAL, a DATE, t TIMESTAMP, n DOUBLE NOT NULL, m MAP<STRING, INT>, l LIST<INT> }"),
      arena, NULL);

  g_assert_nonnull (statement);
  return kvsql_relation_new (&statement->define_relation, NULL);
}

/* Bit by bit: -0 differs from 0, and NaNs differ from each other. */
static gboolean
is_same_value (const KvsqlValue *a, const KvsqlValue *b)
{
  if (a->type != b->type)
    return FALSE;
  switch (kvsql_type_get_class (a->type))
    {
    case KVSQL_CLASS_NONE:
      return TRUE;
    case KVSQL_CLASS_BOOLEAN:
      return a->boolean == b->boolean;
    case KVSQL_CLASS_SLICE:
      return kvsql_slice_equal (a->bytes, b->bytes);
    default:
      return a->integer == b->integer;
    }
}

/* Rows bound together give the same values as each row by itself. They are bound together only if
 * each of them can be stored without a conversion. */
static void
check_rows (const KvsqlVector *column, guint n_rows, const KvsqlRelation *relation, guint attribute,
            guint *n_taken)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlValue values[3 * G_N_ELEMENTS (integers)];

  for (guint first = 0; first <= n_rows; first++)
    for (guint n = 0; first + n <= n_rows; n++)
      {
        if (!kvsql_bind_take_rows (relation, attribute, column, first, n, values, 3))
          continue;
        *n_taken += n;
        for (guint i = 0; i < n; i++)
          {
            KvsqlValue value = kvsql_vector_get (column, first + i), expected;

            g_assert_true (
                kvsql_bind_convert (relation, attribute, &value, arena, &expected, NULL));
            g_assert_true (is_same_value (&values[3 * i], &expected));
          }
      }
}

/* Binds each row for each attribute. Returns: how often a row could be stored. */
static guint
check_column (const KvsqlVector *column, guint n_rows)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation = make_relation (arena);
  guint n_stored = 0, n_taken = 0;

  for (guint a = 0; a < relation->n_attributes; a++)
    check_rows (column, n_rows, relation, a, &n_taken);
  g_assert_true (n_taken > 0 || column->has_nulls
                 || (column->type != KVSQL_TYPE_STRING && column->type != KVSQL_TYPE_BIGINT
                     && column->type != KVSQL_TYPE_DOUBLE));
  for (guint a = 0; a < relation->n_attributes; a++)
    for (guint row = 0; row < n_rows; row++)
      {
        g_autoptr (GError) error = NULL, expected_error = NULL;
        KvsqlValue value = kvsql_vector_get (column, row), got, expected;
        gboolean ok = kvsql_bind_convert (relation, a, &value, arena, &expected, &expected_error);

        g_assert_cmpint (kvsql_bind_convert_row (relation, a, column, row, arena, &got, &error), ==,
                         ok);
        n_stored += ok;
        if (ok)
          g_assert_true (is_same_value (&got, &expected));
        else
          {
            g_assert_cmpstr (error->message, ==, expected_error->message);
            g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                             kvsql_error_get_hint (expected_error));
          }
      }
  kvsql_relation_unref (relation);
  return n_stored;
}

static void
test_texts (void)
{
  KvsqlVector column = { .type = KVSQL_TYPE_STRING, .data = (gpointer)texts };

  g_assert_cmpuint (check_column (&column, G_N_ELEMENTS (texts)), >, 0);
  column.type = KVSQL_TYPE_BYTES;
  g_assert_cmpuint (check_column (&column, G_N_ELEMENTS (texts)), >, 0);
}

static void
test_integers (void)
{
  KvsqlVector column = { .type = KVSQL_TYPE_BIGINT, .data = (gpointer)integers };

  g_assert_cmpuint (check_column (&column, G_N_ELEMENTS (integers)), >, 0);
  column.type = KVSQL_TYPE_INT;
  g_assert_cmpuint (check_column (&column, 5), >, 0);
  column.type = KVSQL_TYPE_DATE;
  g_assert_cmpuint (check_column (&column, 3), >, 0);
}

static void
test_reals (void)
{
  KvsqlVector column = { .type = KVSQL_TYPE_DOUBLE, .data = (gpointer)reals };

  g_assert_cmpuint (check_column (&column, G_N_ELEMENTS (reals)), >, 0);
}

static void
test_nulls (void)
{
  guint8 nulls[4] = { 0xff, 0xff, 0xff, 0xff };
  KvsqlVector column = {
    .type = KVSQL_TYPE_BIGINT, .data = (gpointer)integers, .nulls = nulls, .has_nulls = TRUE
  };

  g_assert_cmpuint (check_column (&column, 2), >, 0);
  column.type = KVSQL_TYPE_NULL;
  column.data = NULL;
  g_assert_cmpuint (check_column (&column, 2), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/bind-row/texts", test_texts);
  g_test_add_func ("/plan/bind-row/integers", test_integers);
  g_test_add_func ("/plan/bind-row/reals", test_reals);
  g_test_add_func ("/plan/bind-row/nulls", test_nulls);
  return g_test_run ();
}
