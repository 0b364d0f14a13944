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

static void
test_rates (void)
{
  static const gchar text[] = RELATION "GROUP g RATE 120/s { SELECT b FROM r SLO 20ms; };\n"
                                       "SELECT b FROM r WHERE a = ? SLO 1.5 s RATE 6/min;\n"
                                       "SELECT b FROM r WHERE a = 7 RATE 3;\n"
                                       "INSERT INTO r VALUES (?, ?, ?, ?) WEIGHT 2 FRESH;\n"
                                       "STATS r { b BYTES 3 DISTINCT 4 }";
  g_autoptr (KvsqlWorkload) self = read_text (text, NULL);

  g_assert_cmpfloat (self->statements[0].weight, ==, 120);
  g_assert_cmpfloat (self->statements[0].slo, ==, 0.02);
  g_assert_cmpfloat (self->statements[1].weight, ==, 0.1);
  g_assert_cmpfloat (self->statements[1].slo, ==, 1.5);
  g_assert_cmpfloat (self->statements[2].weight, ==, 3);
  g_assert_true (self->statements[3].is_fresh);
  g_assert_cmpfloat (self->statements[3].weight, ==, 2);
  g_assert_cmpfloat (kvsql_workload_get_bytes (&self->relations[0], 1), ==, 3);
  g_assert_cmpfloat (kvsql_workload_get_distinct (&self->relations[0], 1), ==, 4);
}

/* Statements of one shape are one to the search, those with another SLO or text maybe not. */
static void
test_merge (void)
{
  static const gchar text[] = RELATION "SELECT b FROM r WHERE a = 1 WEIGHT 2;\n"
                                       "SELECT b FROM r WHERE a = 2 WEIGHT 3;\n"
                                       "SELECT b FROM r WHERE a > 2 WEIGHT 5;\n"
                                       "SELECT b FROM r WHERE a = 2 SLO 1s WEIGHT 7";
  g_autoptr (KvsqlWorkload) self = read_text (text, NULL);

  g_assert_cmpuint (self->statements[1].first, ==, 1);
  g_assert_cmpfloat (self->statements[1].total, ==, 3);
  kvsql_workload_merge (self, FALSE);
  g_assert_cmpuint (self->statements[1].first, ==, 0);
  g_assert_cmpfloat (self->statements[0].total, ==, 5);
  g_assert_cmpfloat (self->statements[1].total, ==, 0);
  g_assert_cmpuint (self->statements[2].first, ==, 2);
  g_assert_cmpuint (self->statements[3].first, ==, 3);
  kvsql_workload_merge (self, TRUE);
  g_assert_cmpuint (self->statements[1].first, ==, 1);
  g_assert_cmpfloat (self->statements[0].total, ==, 2);
}

/* ---- joins */

#define SHOP                                                                                       \
  "DEFINE RELATION person { id BIGINT KEY, name STRING, town STRING };"                            \
  "DEFINE RELATION sale { id BIGINT KEY, who BIGINT, day DATE, amount INT };"                      \
  "STATS person { ROWS 1000, town DISTINCT 10 };"                                                  \
  "STATS sale { ROWS 100000, who DISTINCT 1000, day DISTINCT 1000 };"

static const struct
{
  const gchar *join;
  const gchar *parts; /* how often, and what */
} joins[] = {
  { "SELECT name, amount FROM person AS p JOIN sale AS s ON s.who = p.id WHERE day = :day",
    "1 SELECT who, day, amount FROM sale WHERE (day = ?)\n"
    "100 SELECT id, name FROM person WHERE id = ?" },
  { "SELECT p.*, s.id FROM person p, sale s WHERE who = p.id AND p.id = $1 AND amount > $2",
    "1 SELECT id, name, town FROM person WHERE (id = ?)\n"
    "1 SELECT id, who, amount FROM sale WHERE (amount > ?) AND who = ?" },
  /* all of a small relation, once, and not again for each row */
  { "SELECT town, sum(amount) FROM person JOIN sale ON who = person.id GROUP BY town",
    "1 SELECT id, town FROM person\n1 SELECT who, amount FROM sale" },
  /* rows of person are kept: it is read first, and ON leaves none of them out */
  { "SELECT 1 FROM person p LEFT JOIN sale s ON p.id = s.id AND p.town = 'x' AND s.day = ?",
    "1 SELECT id, town FROM person\n1 SELECT id, day FROM sale WHERE (day = ?)" },
  { "SELECT count(*) FROM sale NATURAL JOIN person WHERE sale.id = 5",
    "1 SELECT id FROM sale WHERE (id = 5)\n1 SELECT id FROM person WHERE id = ?" },
};

static void
test_joins (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (joins); i++)
    {
      g_autofree gchar *text = g_strconcat (SHOP, "SELECT 1 FROM sale;", joins[i].join,
                                            " WEIGHT 2; SELECT 2 FROM person", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlWorkload) workload
          = kvsql_workload_read (kvsql_slice_from_text (text), NULL, &error);
      g_autoptr (GString) parts = g_string_new (NULL);

      g_assert_no_error (error);
      g_assert_cmpuint (workload->n_joins, ==, 1);
      g_assert_cmpstr (workload->joins[0].whole.text, ==, joins[i].join);
      for (guint k = 1; k + 1 < workload->n_statements; k++)
        {
          const KvsqlWorkloadStatement *part = &workload->statements[k];

          g_assert_cmpuint (part->number, ==, 2);
          g_assert_cmpuint (part->join, ==, 0);
          g_assert_cmpfloat (part->weight, ==, 2 * part->repeats);
          g_string_append_printf (parts, "%s%g %s", k > 1 ? "\n" : "", part->repeats, part->text);
        }
      g_assert_cmpstr (parts->str, ==, joins[i].parts);
    }
}

/* ---- errors */

#define SCHEMA " DEFINE "
#define LAYOUT "FOR q { TABLE 't', ROW a, FAMILY 'f' };"

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
  { RELATION "SELECT a FROM r WEIGHT 1e300", "the weight is too large", "1e300" },
  { RELATION "SELECT a FROM r WEIGHT -1", "syntax error at or near \"-\"", "-1" },
  { RELATION "SELECT a FROM r WEIGHT nan", NULL, NULL },
  { RELATION "SELECT a FROM r RATE 5/fortnight", "expected s, min, h or d", "fortnight" },
  { RELATION "SELECT a FROM r SLO 20 parsecs", "SLO has to be a time above 0", "20 parsecs" },
  { RELATION "SELECT a FROM r SLO 0ms", "SLO has to be a time above 0", "0ms" },
  { RELATION "SELECT a FROM r SLO 2ms SLO 3ms", "expected the end of the statement", "SLO 3ms" },
  { RELATION "STATS r { ROWS 1e16 }", "the number of rows is too large", "1e16" },
  { RELATION "STATS r { b DISTINCT 2 BYTES 0 }", "the number of bytes has to be above 0", "0 }" },
  { RELATION "SELECT 1 FROM r FULL JOIN r AS s USING (a)",
    "the advisor does not take FULL JOIN yet", "FULL" },
  { RELATION "SELECT r.a FROM r, r AS s WHERE s.c = 1", "attribute \"c\" does not exist", "c = 1" },
  { RELATION "SELECT t.a FROM r, r AS s", "\"t\" is not in FROM", "t.a" },
  { RELATION "SELECT 1 FROM r JOIN r AS s USING (c)", "\"c\" is not an attribute of both sides",
    "c)" },
  { RELATION "SELECT 1 FROM r, (SELECT 1) AS s", "the advisor does not take subqueries yet", "s" },
  { RELATION "SELECT 1 FROM r, unnest(r.b) AS u (v)",
    "the advisor does not take functions in FROM yet", "u (v)" },
  { RELATION "SELECT 1 FROM unnest('{1}') AS u", "the advisor does not take functions in FROM yet",
    "SELECT" },
  { RELATION "SELECT a + UNNEST(b) FROM r",
    "the advisor does not take functions of rows in a SELECT yet", "SELECT" },
  { RELATION "SELECT 1 FROM r a, r b, r c, r d, r e, r f, r g, r h, r i",
    "the advisor takes joins of up to 8 relations", "SELECT" },
  { RELATION "SELECT 1 FROM r, r AS s SLO 20ms", "the advisor does not take an SLO of a join yet",
    "20ms" },
  { RELATION "UPDATE r SET b = 1 FROM r AS s", "the advisor does not take joins yet", "UPDATE" },
  { RELATION "SELECT a FROM r WHERE a IN (SELECT 1)", "the advisor does not take subqueries yet",
    "a IN" },
  { RELATION "SHOW STATUS", "a workload has only SELECT, INSERT, UPDATE and DELETE", "SHOW" },
  { RELATION "STATS r { ROWS 0 }", "the number of rows has to be above 0", "0 }" },
  { RELATION "COSTS 5", "expected costs as text, in single quotes, found \"5\"", "5" },
  { RELATION "COSTS 'get=1'", "the measured costs of a store are damaged: \"get=1\"", "'get=1'" },
  { RELATION "STATS r { a }", "expected DISTINCT or BYTES, found \"}\"", "}" },
  { RELATION "STATS r { ROWS 1", "expected \"}\", found the end", NULL },
  { RELATION "GROUP g WEIGHT 1 { SELECT a FROM r", "the last group has no \"}\"", NULL },
  { RELATION "GROUP g { SELECT a FROM r; }", "expected WEIGHT, found \"{\"", "{ SELECT" },
  { "DEFINE SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f' }", "relation \"r\" does not exist",
    "r {" },
  { "CREATE VIEW v AS SELECT 1", "a workload has only SELECT, INSERT, UPDATE and DELETE",
    "CREATE" },
  { "DEFINE RELATION q { a INT KEY };" SCHEMA "PRIMARY SCHEMA s " LAYOUT SCHEMA "SCHEMA s " LAYOUT,
    "schema \"s\" is defined twice", "s FOR" },
  { "DEFINE RELATION q { a INT KEY };" SCHEMA "PRIMARY SCHEMA s " LAYOUT SCHEMA
    "PRIMARY SCHEMA t " LAYOUT,
    "relation \"q\" has two primary schemas", "t FOR" },
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

/* The primary stays always, others if they are named. */
static void
test_keep (void)
{
  static const gchar text[]
      = "DEFINE RELATION q { a INT KEY, b INT };"
        "DEFINE PRIMARY SCHEMA p FOR q { TABLE 'p', ROW a, FAMILY 'f', VALUE b };"
        "DEFINE SCHEMA s FOR q { TABLE 's', ROW b:a, FAMILY 'f' };"
        "DEFINE SCHEMA t FOR q { TABLE 't', ROW b:a, FAMILY 'f' };"
        "SELECT a FROM q WHERE b = 1";
  static const gchar *const named[] = { "T", NULL }, *const unknown[] = { "tt", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlWorkload) self = kvsql_workload_read (kvsql_slice_from_text (text), NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (self->n_schemas, ==, 3);
  g_assert_true (self->schemas[0].is_kept);
  g_assert_true (kvsql_workload_keep (self, named, FALSE, &error));
  g_assert_false (self->schemas[1].is_kept);
  g_assert_true (self->schemas[2].is_kept);
  g_assert_false (kvsql_workload_keep (self, unknown, FALSE, &error));
  g_assert_cmpstr (error->message, ==, "schema \"tt\" to be kept does not exist");
  g_assert_cmpstr (kvsql_error_get_hint (error), ==, "Did you mean \"t\"?");
  g_clear_error (&error);
  g_assert_true (kvsql_workload_keep (self, NULL, TRUE, &error));
  g_assert_true (self->schemas[1].is_kept);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advisor/workload/weights", test_weights);
  g_test_add_func ("/advisor/workload/rates", test_rates);
  g_test_add_func ("/advisor/workload/merge", test_merge);
  g_test_add_func ("/advisor/workload/keep", test_keep);
  g_test_add_func ("/advisor/workload/errors", test_errors);
  g_test_add_func ("/advisor/workload/joins", test_joins);
  return g_test_run ();
}
