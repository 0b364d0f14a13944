/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-decimal-postgresql.c: compares functions of DECIMAL with PostgreSQL's functions of numeric.
 *
 * The calls and results are in decimal-postgresql.txt, or in the file that is named on the command
 * line. postgresql-decimals.py creates such a file with a PostgreSQL.
 */
#include "config.h"

#include "core/base/decimal-sum.h"

static const gchar *path;

static gboolean
call (const gchar *function, gchar **arguments, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  KvsqlSlice a = kvsql_slice_from_text (arguments[0]);
  KvsqlSlice b = arguments[1] != NULL ? kvsql_slice_from_text (arguments[1]) : KVSQL_SLICE_EMPTY;

  if (g_str_equal (function, "avg"))
    {
      g_autoptr (KvsqlDecimalSum) sum = kvsql_decimal_sum_new ();
      for (guint i = 0; arguments[i] != NULL; i++)
        kvsql_decimal_sum_add (sum, kvsql_slice_from_text (arguments[i]));
      return kvsql_decimal_sum_get_average (sum, g_strv_length (arguments), arena, out, error);
    }
  if (g_str_equal (function, "exp"))
    return kvsql_decimal_exp (a, arena, out, error);
  if (g_str_equal (function, "ln"))
    return kvsql_decimal_ln (a, arena, out, error);
  if (g_str_equal (function, "log10"))
    return kvsql_decimal_log (KVSQL_SLICE_LITERAL ("10"), a, arena, out, error);
  if (g_str_equal (function, "log"))
    return kvsql_decimal_log (a, b, arena, out, error);
  if (g_str_equal (function, "power"))
    return kvsql_decimal_power (a, b, arena, out, error);
  if (g_str_equal (function, "sqrt"))
    return kvsql_decimal_sqrt (a, arena, out, error);
  g_assert_cmpstr (function, ==, "divide");
  return kvsql_decimal_divide (a, b, arena, out, error);
}

static void
check_line (const gchar *line)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_auto (GStrv) words = g_strsplit (line, " ", -1), arguments = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlSlice result;

  g_assert_cmpuint (g_strv_length (words), ==, 3);
  arguments = g_strsplit (words[1], ",", -1);
  if (!call (words[0], arguments, arena, &result, &error))
    result = KVSQL_SLICE_LITERAL ("error");
  if (kvsql_slice_equal (result, kvsql_slice_from_text (words[2])))
    return;
  g_test_message ("%s (%s): %.*s, not %s", words[0], words[1], (gint)result.size, result.data,
                  words[2]);
  g_test_fail ();
}

static void
test_table (void)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (; lines[n] != NULL && lines[n][0] != '\0'; n++)
    check_line (lines[n]);
  g_assert_cmpuint (n, >, 1000);
}

/* Arguments with too many digits for the file. */
static void
test_limits (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlSlice out;

  g_assert_false (kvsql_decimal_exp (KVSQL_SLICE_LITERAL ("2400"), arena, &out, &error));
  g_assert_cmpstr (error->message, ==, "DECIMAL has more than 1000 digits");
  g_clear_error (&error);
  g_assert_true (kvsql_decimal_exp (KVSQL_SLICE_LITERAL ("2301"), arena, &out, &error));
  g_assert_cmpuint (out.size, ==, 1000);
  g_assert_true (kvsql_decimal_exp (KVSQL_SLICE_LITERAL ("-99999999999"), arena, &out, &error));
  g_assert_true (kvsql_slice_equal (out, KVSQL_SLICE_LITERAL ("0")));
  g_assert_false (kvsql_decimal_power (KVSQL_SLICE_LITERAL ("1.1"),
                                       KVSQL_SLICE_LITERAL ("99999999999999999999"), arena, &out,
                                       &error));
  g_assert_cmpstr (error->message, ==, "DECIMAL has more than 1000 digits");
  g_clear_error (&error);
  g_assert_false (kvsql_decimal_power (KVSQL_SLICE_LITERAL ("1.1"),
                                       KVSQL_SLICE_LITERAL ("2147483647"), arena, &out, &error));
  g_clear_error (&error);
  g_assert_true (kvsql_decimal_power (KVSQL_SLICE_LITERAL ("0.5"),
                                      KVSQL_SLICE_LITERAL ("99999999999999999999"), arena, &out,
                                      &error));
  g_assert_true (kvsql_slice_equal (out, KVSQL_SLICE_LITERAL ("0")));
}

int
main (int argc, char **argv)
{
  g_autofree gchar *given = NULL;

  g_test_init (&argc, &argv, NULL);
  given = argc > 1 ? g_strdup (argv[1])
                   : g_test_build_filename (G_TEST_DIST, "base", "decimal-postgresql.txt", NULL);
  path = given;
  g_test_add_func ("/base/decimal/as-postgresql", test_table);
  g_test_add_func ("/base/decimal/limits-of-functions", test_limits);
  return g_test_run ();
}
