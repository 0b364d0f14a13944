/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-statistics.c: ANALYZE, and plans that use its result.
 */
#include "config.h"

#include "core/plan/statistics.h"
#include "core/sql/parser.h"

#include "tests/harness/service-fixture.h"

#include <math.h>

/* ---- the sample */

static KvsqlRelation *
make_relation (void)
{
  static const gchar sql[] = "DEFINE RELATION r { k INT KEY, few INT, rare INT, s STRING }";
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  KvsqlRelation *relation = kvsql_relation_new (&statement->define_relation, &error);

  g_assert_no_error (error);
  return relation;
}

static void
fill (KvsqlStatistics *statistics, const KvsqlRelation *relation, guint n)
{
  KvsqlType types[4];
  g_autoptr (KvsqlBatch) batch = NULL;
  g_autofree gchar *text = g_strnfill (200, 'x');

  for (guint a = 0; a < 4; a++)
    types[a] = relation->attributes[a].type;
  batch = kvsql_batch_new (types, 4, 1);
  for (guint i = 0; i < n; i++)
    {
      KvsqlValue values[] = { { .type = KVSQL_TYPE_INT, .integer = i },
                              { .type = KVSQL_TYPE_INT, .integer = i % 4 },
                              { .type = KVSQL_TYPE_INT, .integer = 1 },
                              { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice (text, 200) } };
      if (i % 2 == 0)
        values[2] = KVSQL_VALUE_NULL;
      kvsql_batch_reset (batch);
      for (guint a = 0; a < 4; a++)
        kvsql_vector_set (&batch->columns[a], 0, &values[a]);
      batch->n_rows = 1;
      kvsql_statistics_add (statistics, batch);
    }
  kvsql_statistics_finish (statistics, TRUE);
}

static gdouble
share_of_range (const KvsqlStatistics *statistics, guint attribute, gint64 low, gint64 high)
{
  KvsqlInterval interval = { .low = { .type = KVSQL_TYPE_INT, .integer = low },
                             .high = { .type = KVSQL_TYPE_INT, .integer = high },
                             .has_low = TRUE,
                             .has_high = TRUE };
  KvsqlConstraint constraint = { .is_constrained = TRUE, .intervals = &interval, .n_intervals = 1 };

  return kvsql_statistics_get_share (statistics, attribute, &constraint);
}

static void
assert_near (gdouble got, gdouble expected, gdouble tolerance)
{
  if (fabs (got - expected) > tolerance)
    g_error ("%g is not %g", got, expected);
}

static void
test_sample (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (KvsqlStatistics) statistics = kvsql_statistics_new (relation);
  KvsqlConstraint is_null = { .is_constrained = TRUE, .allows_null = TRUE };
  KvsqlConstraint nothing = { 0 };
  KvsqlValue common;
  guint n;

  fill (statistics, relation, 50000);
  g_assert_cmpuint (statistics->n_sampled, ==, KVSQL_SAMPLE_TUPLES);
  assert_near (statistics->n_tuples, 50000, 0);
  assert_near (statistics->attributes[0].distinct, 50000, 0);
  assert_near (statistics->attributes[1].distinct, 4, 0);
  /* more than three standard deviations of the sample */
  assert_near (share_of_range (statistics, 0, 0, 24999), 0.5, 0.08);
  assert_near (share_of_range (statistics, 0, 7, 7), 1 / 50000.0, 1e-9);
  assert_near (share_of_range (statistics, 1, 2, 2), 0.25, 0.07);
  assert_near (share_of_range (statistics, 1, 2, 3), 0.5, 0.08);
  assert_near (kvsql_statistics_get_share (statistics, 2, &is_null), 0.5, 0.08);
  assert_near (kvsql_statistics_get_share (statistics, 2, &nothing), 1, 0);
  g_assert_true (kvsql_statistics_get_most_common (statistics, 2, &common, &n));
  g_assert_cmpint (common.integer, ==, 1);
  g_assert_false (kvsql_statistics_get_most_common (statistics, 0, &common, &n));
  g_assert_cmpuint (statistics->attributes[3].values[0].bytes.size, ==, 64);
}

static void
test_small (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (KvsqlStatistics) none = kvsql_statistics_new (relation), few = NULL;

  kvsql_statistics_finish (none, TRUE);
  assert_near (share_of_range (none, 0, 1, 5), 1, 0);
  few = kvsql_statistics_new (relation);
  fill (few, relation, 10);
  assert_near (few->attributes[0].distinct, 10, 0);
  assert_near (share_of_range (few, 0, 0, 4), 0.5, 1e-9);
  assert_near (share_of_range (few, 0, 3, 3), 0.1, 1e-9);
}

static void
test_set (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (KvsqlStatistics) first = kvsql_statistics_new (relation);
  g_autoptr (KvsqlStatistics) second = kvsql_statistics_new (relation);
  g_autoptr (GHashTable) one = kvsql_statistics_set_add (NULL, first);
  g_autoptr (GHashTable) two = kvsql_statistics_set_add (one, second);

  g_assert_null (kvsql_statistics_set_find (NULL, relation));
  g_assert_true (kvsql_statistics_set_find (one, relation) == first);
  g_assert_true (kvsql_statistics_set_find (two, relation) == second);
  g_assert_cmpuint (g_hash_table_size (two), ==, 1);
}

/* ---- plans */

static void
assert_reads (ServiceFixture *self, const gchar *sql, const gchar *schema)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL);
  g_autofree gchar *plan = service_fixture_run (self, explain);
  g_autofree gchar *what = g_strdup_printf ("read from schema %s (", schema);

  if (strstr (plan, what) == NULL)
    g_error ("\"%s\" is not in:\n%s", what, plan);
}

static void
insert (ServiceFixture *self, guint n)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES ");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%s(%u, '%s', 'name %u', %u)", i > 0 ? ", " : "", i,
                            i % 50 == 0 ? "rare" : "common", i % 1000, i % 10);
  service_fixture_script (self, sql->str);
}

static void
test_choice (void)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION r { k INT KEY, kind STRING, name STRING, v INT };"
                "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW k, FAMILY 'f', "
                "VALUE size{kind}:size{name}:v };"
                "DEFINE SCHEMA by_kind FOR r { TABLE 'by_kind', ROW suffix(x'00'){kind}:k, FAMILY "
                "'f', VALUE size{name}:v };"
                "DEFINE SCHEMA by_name FOR r { TABLE 'by_name', ROW suffix(x'00'){name}:k, FAMILY "
                "'f', VALUE size{kind}:v };"
                "DEFINE SCHEMA by_v FOR r { TABLE 'by_v', ROW v:k, FAMILY 'f' }");
  insert (&fixture, 3000);
  /* nothing is known: both equalities count the same, and an index is better than a scan */
  assert_reads (&fixture, "SELECT * FROM r WHERE kind = 'common' AND name = 'name 7'", "by_kind");
  assert_reads (&fixture, "SELECT name FROM r WHERE v = 3", "by_v");
  service_fixture_script (&fixture, "ANALYZE r");
  assert_reads (&fixture, "SELECT * FROM r WHERE kind = 'common' AND name = 'name 7'", "by_name");
  /* looking up a tenth of all tuples costs less than reading all … */
  assert_reads (&fixture, "SELECT name FROM r WHERE v = 3", "by_v");
  /* … but looking up half of them costs more */
  assert_reads (&fixture, "SELECT name FROM r WHERE v < 5", "base");
  assert_reads (&fixture, "SELECT * FROM r WHERE kind = 'rare' AND v < 9", "by_kind");
  /* an order from the keys is better if the first tuples are found soon */
  assert_reads (&fixture, "SELECT * FROM r WHERE kind = 'common' ORDER BY name LIMIT 3", "by_name");
  /* after a definition has changed, nothing is known again */
  service_fixture_script (&fixture, "ALTER RELATION r ALTER v SET DEFAULT 7");
  assert_reads (&fixture, "SELECT * FROM r WHERE kind = 'common' AND name = 'name 7'", "by_kind");
  service_fixture_close (&fixture);
}

static void
test_answer (void)
{
  g_autoptr (GError) error = NULL;
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION t { k INT KEY, v STRING };"
                "DEFINE PRIMARY SCHEMA t_k FOR t { TABLE 't', ROW k, FAMILY 'f', QUALIFIER "
                "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');");
  service_fixture_assert (&fixture, "ANALYZE t",
                          "k|0|0.0 %|NULL|NULL|NULL|NULL\nv|0|0.0 %|NULL|NULL|NULL|NULL");
  service_fixture_script (&fixture, "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, NULL)");
  service_fixture_assert (&fixture, "ANALYZE t",
                          "k|4|0.0 %|1|4|NULL|NULL\nv|2|25.0 %|a|b|a|50.0 %");
  error = service_fixture_fail (&fixture, "ANALYZE nothing");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/statistics/sample", test_sample);
  g_test_add_func ("/exec/statistics/small", test_small);
  g_test_add_func ("/exec/statistics/set", test_set);
  g_test_add_func ("/exec/statistics/choice", test_choice);
  g_test_add_func ("/exec/statistics/answer", test_answer);
  return g_test_run ();
}
