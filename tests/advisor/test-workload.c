/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-workload.c: the reader of workload files: numbers, weights, mixes, and errors with their
 * positions.
 */
#include "config.h"

#include "core/advisor/workload.h"

#include "core/base/error.h"

#include <string.h>

#define RELATION "DEFINE RELATION r { a INT KEY, b INT, weight INT, fresh BOOLEAN };\n"

static KvsqlWorkload *
read_text (const gchar *text, const gchar *mix)
{
  g_autoptr (GError) error = NULL;
  KvsqlWorkload *self = kvsql_workload_read (kvsql_slice_from_text (text), mix, &error);

  g_assert_no_error (error);
  return self;
}

static void
test_weights (void)
{
  static const gchar text[] = RELATION
      "WORKLOAD w; MIX one, `two` DEFAULT two;\n"
      "STATS r { ROWS 10, b DISTINCT 3 BYTES 2, weight BYTES 7 };\n"
      "GROUP g WEIGHT one 2, two 3.5 { SELECT b FROM r WHERE a = ?; SELECT a FROM r; };\n"
      "GROUP h WEIGHT one 4 { DELETE FROM r WHERE a = 1; };\n"
      "INSERT INTO r VALUES (?, ?, ?, ?) FRESH WEIGHT 1e1;\n"
      "SELECT weight FROM r WHERE fresh; UPDATE r SET weight = 1 WHERE a = ';' WEIGHT 2";
  g_autoptr (KvsqlWorkload) two = NULL, one = NULL;

  two = read_text (text, NULL);
  g_assert_cmpstr (two->name, ==, "w");
  g_assert_cmpstr (two->mix, ==, "two");
  g_assert_cmpuint (two->n_statements, ==, 5);
  g_assert_cmpfloat (two->statements[0].weight, ==, 3.5);
  g_assert_cmpuint (two->statements[2].number, ==, 4); /* 3 is not in the mix */
  g_assert_true (two->statements[2].is_fresh);
  g_assert_cmpfloat (two->statements[2].weight, ==, 10);
  g_assert_cmpfloat (two->statements[3].weight, ==, 1);
  g_assert_cmpstr (two->statements[3].text, ==, "SELECT weight FROM r WHERE fresh");
  g_assert_cmpfloat (two->statements[4].weight, ==, 2);
  g_assert_cmpfloat (kvsql_workload_get_distinct (&two->relations[0], 1), ==, 3);
  g_assert_cmpfloat (kvsql_workload_get_distinct (&two->relations[0], 0), ==, 10);
  g_assert_cmpfloat (kvsql_workload_get_bytes (&two->relations[0], 2), ==, 7);
  one = read_text (text, "one");
  g_assert_cmpuint (one->n_statements, ==, 6);
  g_assert_cmpfloat (one->statements[2].weight, ==, 4);
}

static const struct
{
  const gchar *text, *message, *at; /* at: where the position is; NULL: none */
} failures[] = {
  { "", "the workload has no statements", NULL },
  { RELATION "SELECT c FROM r", "attribute \"c\" does not exist", "c FROM" },
  { RELATION "SELECT a FROM s", "relation \"s\" does not exist", "s" },
  { RELATION RELATION, "relation \"r\" is defined twice", NULL },
  { RELATION "SELECT a FROM r WEIGHT 0", "the weight has to be above 0", "0" },
  { RELATION "SELECT a FROM r WEIGHT x 1", "mix \"x\" does not exist", "x 1" },
  { RELATION "SELECT a FROM r SLO 20 ms", "the advisor does not take SLO yet", "20 ms" },
  { RELATION "SELECT a FROM r, r AS s", "the advisor does not take joins yet", "SELECT" },
  { RELATION "SELECT a FROM r WHERE a IN (SELECT 1)", "the advisor does not take subqueries yet",
    "a IN" },
  { RELATION "SHOW STATUS", "a workload has only SELECT, INSERT, UPDATE and DELETE", "SHOW" },
  { RELATION "STATS r { ROWS 0 }", "the number of rows has to be above 0", "0 }" },
  { RELATION "STATS r { a }", "expected DISTINCT or BYTES, found \"}\"", "}" },
  { RELATION "STATS r { ROWS 1", "expected \"}\", found the end", NULL },
  { RELATION "GROUP g WEIGHT 1 { SELECT a FROM r", "the last group has no \"}\"", NULL },
  { RELATION "GROUP g { SELECT a FROM r; }", "expected WEIGHT, found \"{\"", "{ SELECT" },
  { "DEFINE SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f' }", "a workload defines relations only",
    "DEFINE" },
  { "SELECT a FROM r WHERE 'x", NULL, "'x" },
};

static void
test_errors (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autoptr (GError) error = NULL;
      const gchar *text = failures[i].text;
      KvsqlWorkload *self = kvsql_workload_read (kvsql_slice_from_text (text), NULL, &error);

      g_assert_null (self);
      g_assert_nonnull (error);
      g_test_message ("%s: %s", text, error->message);
      if (failures[i].message != NULL)
        g_assert_nonnull (strstr (error->message, failures[i].message));
      if (failures[i].at != NULL)
        g_assert_true (
            g_str_has_prefix (text + kvsql_error_get_span (error).offset, failures[i].at));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advisor/workload/weights", test_weights);
  g_test_add_func ("/advisor/workload/errors", test_errors);
  return g_test_run ();
}
