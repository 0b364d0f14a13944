/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-statistics.c: ANALYZE, and plans that use its result.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/maintain/tuple-sample.h"
#include "core/plan/statistics-share.h"
#include "core/sql/parser.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

#include <math.h>

/* ---- the sample */

static KvsqlRelation *
parse_relation (const gchar *sql)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  KvsqlRelation *relation = kvsql_relation_new (&statement->define_relation, &error);

  g_assert_no_error (error);
  return relation;
}

static KvsqlRelation *
make_relation (void)
{
  return parse_relation ("DEFINE RELATION r { k INT KEY, few INT, rare INT, s STRING }");
}

/* Statistics of n tuples. */
static KvsqlStatistics *
make_statistics (const KvsqlRelation *relation, guint n)
{
  g_autoptr (KvsqlTupleSample) sample = kvsql_tuple_sample_new (relation);
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
      kvsql_tuple_sample_add (sample, batch);
    }
  return kvsql_tuple_sample_finish (sample, TRUE);
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
  g_autoptr (KvsqlStatistics) statistics = make_statistics (relation, 50000);
  KvsqlConstraint is_null = { .is_constrained = TRUE, .allows_null = TRUE };
  KvsqlConstraint nothing = { 0 };
  KvsqlValue common;
  guint n;

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
  g_assert_cmpuint (statistics->attributes[3].steps[0].value.bytes.size, ==, 64);
  assert_near (statistics->attributes[3].bytes, 200, 0);
  g_assert_cmpuint (statistics->attributes[0].n_steps, >, 45);
  g_assert_cmpuint (statistics->attributes[0].n_steps, <=, KVSQL_MAX_STEPS);
  g_assert_cmpuint (statistics->attributes[1].n_steps, ==, 4);
}

static void
test_small (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (KvsqlStatistics) none = make_statistics (relation, 0);
  g_autoptr (KvsqlStatistics) few = make_statistics (relation, 10);

  assert_near (share_of_range (none, 0, 1, 5), 1, 0);
  assert_near (few->attributes[0].distinct, 10, 0);
  assert_near (share_of_range (few, 0, 0, 4), 0.5, 1e-9);
  assert_near (share_of_range (few, 0, 3, 3), 0.1, 1e-9);
}

/* Between two steps of a histogram that lacks values. */
static void
test_between (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (KvsqlStatistics) self = kvsql_statistics_new (relation);
  KvsqlHistogramStep steps[]
      = { { .value = { .type = KVSQL_TYPE_INT, .integer = 0 }, .below = 0, .equal = 1 },
          { .value = { .type = KVSQL_TYPE_INT, .integer = 100 }, .below = 81, .equal = 19 } };

  self->n_sampled = 100;
  self->n_tuples = 1000;
  assert_near (share_of_range (self, 0, 0, 50), 0.1, 1e-9); /* without a histogram */
  assert_near (share_of_range (self, 0, 7, 7), 0.01, 1e-9);
  self->attributes[0] = (KvsqlAttributeStatistics){ .steps = steps, .n_steps = 2, .distinct = 50 };
  assert_near (share_of_range (self, 0, 0, 50), 0.41, 1e-9);
  assert_near (share_of_range (self, 0, 25, 75), 0.4, 1e-9);
  assert_near (share_of_range (self, 0, -9, 100), 1, 1e-9);
  assert_near (share_of_range (self, 0, -9, -1), 0.005, 1e-9);
  assert_near (share_of_range (self, 0, 100, 100), 0.19, 1e-9);
  assert_near (share_of_range (self, 0, 50, 50), 0.02, 1e-9);
}

static void
test_set (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (GHashTable) set = kvsql_statistics_set_new ();
  KvsqlStatistics *first = kvsql_statistics_new (relation);
  KvsqlStatistics *second = kvsql_statistics_new (relation);

  g_assert_null (kvsql_statistics_set_find (NULL, relation));
  g_assert_null (kvsql_statistics_set_find (set, relation));
  kvsql_statistics_set_insert (set, first);
  g_assert_true (kvsql_statistics_set_find (set, relation) == first);
  kvsql_statistics_set_insert (set, second);
  g_assert_true (kvsql_statistics_set_find (set, relation) == second);
  g_assert_cmpuint (g_hash_table_size (set), ==, 1);
}

/* ---- text */

static void
assert_same (const KvsqlAttributeStatistics *a, const KvsqlAttributeStatistics *b)
{
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  g_assert_cmpuint (a->n_nulls, ==, b->n_nulls);
  assert_near (a->distinct, b->distinct, 0);
  assert_near (a->bytes, b->bytes, 0);
  for (guint i = 0; i < a->n_steps; i++)
    {
      g_assert_cmpuint (a->steps[i].below, ==, b->steps[i].below);
      g_assert_cmpuint (a->steps[i].equal, ==, b->steps[i].equal);
      g_assert_true (kvsql_value_equal (&a->steps[i].value, &b->steps[i].value));
    }
}

static void
test_text (void)
{
  g_autoptr (KvsqlRelation) relation = make_relation ();
  g_autoptr (KvsqlRelation) altered = parse_relation (
      "DEFINE RELATION r { few INT, k INT KEY, rare BIGINT, new STRING, s STRING }");
  g_autoptr (KvsqlStatistics) self = make_statistics (relation, 5000), again = NULL, other = NULL;
  g_autofree gchar *text = kvsql_statistics_print (self, relation);
  g_autoptr (GError) error = NULL;

  again = kvsql_statistics_parse (text, relation, &error);
  g_assert_no_error (error);
  assert_near (again->n_tuples, 5000, 0);
  g_assert_cmpuint (again->n_sampled, ==, KVSQL_SAMPLE_TUPLES);
  g_assert_cmpint (again->made_us, ==, self->made_us);
  for (guint a = 0; a < 4; a++)
    assert_same (&self->attributes[a], &again->attributes[a]);

  other = kvsql_statistics_parse (text, altered, &error);
  g_assert_no_error (error);
  assert_same (&self->attributes[0], &other->attributes[1]);
  assert_same (&self->attributes[1], &other->attributes[0]);
  assert_same (&self->attributes[3], &other->attributes[4]);
  for (guint a = 2; a < 4; a++)
    {
      g_assert_cmpuint (other->attributes[a].n_steps, ==, 0);
      assert_near (other->attributes[a].distinct, KVSQL_ASSUMED_VALUES, 0);
    }
}

/* Values of each type read back; a text with a NUL has no histogram. */
static void
test_types (void)
{
  g_autoptr (KvsqlRelation) relation = parse_relation (
      "DEFINE RELATION r { b BOOLEAN KEY, i INT, l BIGINT, f FLOAT, d DOUBLE, n DECIMAL, s STRING, "
      "y BYTES, t TIMESTAMP, a DATE, c TIME, u UUID, j JSON, m MAP<STRING, INT>, z "
      "STRING }");
  static const gchar *const texts[] = { "true",
                                        "-2147483648",
                                        "9223372036854775807",
                                        "0.1",
                                        "1e-300",
                                        "-123456789012345678901234567890.123",
                                        "\xc3\xa4\"\\ '\t",
                                        "x'00ff'",
                                        "2024-02-29T12:00:00.001Z",
                                        "0001-01-01",
                                        "23:59:59.999",
                                        "00112233-4455-6677-8899-aabbccddeeff",
                                        "[1, 2]",
                                        "{\"a\":1}",
                                        "a" };
  g_autoptr (KvsqlTupleSample) sample = kvsql_tuple_sample_new (relation);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlStatistics) self = NULL, again = NULL;
  g_autoptr (KvsqlBatch) batch = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  KvsqlType types[G_N_ELEMENTS (texts)];

  for (guint a = 0; a < G_N_ELEMENTS (texts); a++)
    types[a] = relation->attributes[a].type;
  batch = kvsql_batch_new (types, G_N_ELEMENTS (texts), 1);
  kvsql_batch_reset (batch);
  for (guint a = 0; a < G_N_ELEMENTS (texts); a++)
    {
      KvsqlValue value;

      g_assert_true (
          kvsql_value_parse (types[a], kvsql_slice_from_text (texts[a]), arena, &value, &error));
      if (a == G_N_ELEMENTS (texts) - 1)
        value.bytes = kvsql_slice ("a\0b", 3);
      kvsql_vector_set (&batch->columns[a], 0, &value);
    }
  batch->n_rows = 1;
  kvsql_tuple_sample_add (sample, batch);
  self = kvsql_tuple_sample_finish (sample, TRUE);
  text = kvsql_statistics_print (self, relation);
  again = kvsql_statistics_parse (text, relation, &error);
  g_assert_no_error (error);
  for (guint a = 0; a < G_N_ELEMENTS (texts) - 1; a++)
    {
      g_assert_cmpuint (self->attributes[a].n_steps, ==, a < 12 ? 1 : 0);
      assert_near (self->attributes[a].distinct, 1, 0);
      assert_same (&self->attributes[a], &again->attributes[a]);
    }
  g_assert_cmpuint (self->attributes[14].n_steps, ==, 1);
  g_assert_cmpuint (again->attributes[14].n_steps, ==, 0);
}

/* What a registry may hold instead. */
static void
test_damaged (void)
{
  static const gchar *const texts[] = {
    "",
    "1",
    "{}",
    "{\"tuples\": 1, \"sampled\": 1, \"made\": 1}",
    "{\"tuples\": -1, \"sampled\": 1, \"made\": 1, \"attributes\": []}",
    "{\"tuples\": 1, \"sampled\": 1001, \"made\": 1, \"attributes\": []}",
    "{\"tuples\": 1, \"sampled\": \"1\", \"made\": 1, \"attributes\": []}",
    "{\"tuples\": 1, \"sampled\": 1, \"made\": 1, \"attributes\": [1]}",
    "{\"tuples\": 1, \"sampled\": 1, \"made\": 1, \"attributes\": [{\"name\": 1}]}",
    "{\"tuples\": 1, \"sampled\": 1, \"made\": 1, \"attributes\": [{\"name\": \"k\", \"type\": "
    "\"INT\"}]}",
  };
  static const gchar *const steps[] = { "1",
                                        "[1, 0, 1]",
                                        "[\"1\", 0]",
                                        "[\"x\", 0, 1]",
                                        "[\"1\", -1, 1]",
                                        "[\"1\", 0, 11]",
                                        "[\"1\", 4294967296, 1]",
                                        "[\"1\", 0, 1.5]",
                                        "[\"1\", [], 1]",
                                        "[\"2\", 0, 1, \"1\", 1, 1]",
                                        "[\"1\", 0, 2, \"2\", 1, 1]",
                                        "[null, 0, 1]" };
  g_autoptr (KvsqlRelation) relation = make_relation ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsql_statistics_parse (texts[i], relation, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
    }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gchar *text = g_strdup_printf (
          "{\"tuples\": 10, \"sampled\": 10, \"made\": 1, \"attributes\": [{\"name\": \"k\", "
          "\"type\": \"INT\", \"nulls\": 0, \"distinct\": 1, \"bytes\": 1, \"steps\": %s}]}",
          steps[i]);

      g_assert_null (kvsql_statistics_parse (text, relation, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
    }
}

/* A relation with many attributes and long texts: the entry stays within its limit. */
static void
test_wide (void)
{
  g_autoptr (GString) sql = g_string_new ("DEFINE RELATION r { k INT KEY");
  g_autoptr (KvsqlStatistics) self = NULL, again = NULL;
  g_autoptr (KvsqlTupleSample) sample = NULL;
  g_autoptr (KvsqlRelation) relation = NULL;
  g_autoptr (KvsqlBatch) batch = NULL;
  g_autofree KvsqlType *types = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;

  for (guint a = 1; a < KVSQL_MAX_ATTRIBUTES; a++)
    g_string_append_printf (sql, ", a%u STRING", a);
  g_string_append (sql, " }");
  relation = parse_relation (sql->str);
  sample = kvsql_tuple_sample_new (relation);
  types = g_new (KvsqlType, relation->n_attributes);
  for (guint a = 0; a < relation->n_attributes; a++)
    types[a] = relation->attributes[a].type;
  batch = kvsql_batch_new (types, relation->n_attributes, 1);
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree gchar *value
          = g_strdup_printf ("%04u\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"", i);

      kvsql_batch_reset (batch);
      kvsql_vector_set (&batch->columns[0], 0,
                        &(KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = i });
      for (guint a = 1; a < relation->n_attributes; a++)
        kvsql_vector_set (
            &batch->columns[a], 0,
            &(KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (value) });
      batch->n_rows = 1;
      kvsql_tuple_sample_add (sample, batch);
    }
  self = kvsql_tuple_sample_finish (sample, TRUE);
  text = kvsql_statistics_print (self, relation);
  g_assert_cmpuint (strlen (text), <=, KVSQL_STATISTICS_MAX_BYTES);
  again = kvsql_statistics_parse (text, relation, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->attributes[0].n_steps, >=, 6);
  assert_near (again->attributes[1].distinct, 1000, 0);
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
assert_rows (ServiceFixture *self, const gchar *relation, const gchar *rows)
{
  g_autofree gchar *explain = g_strdup_printf ("EXPLAIN SELECT * FROM %s", relation);
  g_autofree gchar *plan = service_fixture_run (self, explain);

  if (strstr (plan, rows) == NULL)
    g_error ("\"%s\" is not in:\n%s", rows, plan);
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
                          "k|0|0.0 %|NULL|NULL|NULL|NULL|NULL\nv|0|0.0 %|NULL|NULL|NULL|NULL|NULL");
  assert_rows (&fixture, "t", "about 1 row)");
  service_fixture_script (&fixture, "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, NULL)");
  service_fixture_assert (&fixture, "ANALYZE t",
                          "k|4|0.0 %|NULL|1|4|NULL|NULL\nv|2|25.0 %|1.0|a|b|a|50.0 %");
  error = service_fixture_fail (&fixture, "ANALYZE nothing");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME);
  service_fixture_close (&fixture);
}

/* ---- the registry */

static guint
count_statistics (ServiceFixture *self)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);

  return g_hash_table_size (catalog->statistics);
}

/* They outlive the daemon, other daemons have them, and changes of definitions leave them. */
static void
test_kept (void)
{
  ServiceFixture fixture, another;

  service_fixture_open (&fixture, "rocksdb");
  service_fixture_script (&fixture, "CREATE TABLE t (k INT PRIMARY KEY, v INT)");
  for (guint i = 0; i < 7; i++)
    {
      g_autofree gchar *insert = g_strdup_printf ("INSERT INTO t VALUES (%u, %u)", i, i % 2);
      service_fixture_script (&fixture, insert);
    }
  service_fixture_script (&fixture, "ANALYZE t");
  assert_rows (&fixture, "t", "about 7 rows");
  service_fixture_reopen (&fixture);
  assert_rows (&fixture, "t", "about 7 rows");
  another = fixture;
  another.store_url = "memory:";
  another.directory = NULL;
  service_fixture_start (&another);
  assert_rows (&another, "t", "about 7 rows");
  kvsqld_service_free (another.service);

  service_fixture_script (&fixture, "ALTER RELATION t ADD w STRING; ALTER RELATION t DROP v");
  assert_rows (&fixture, "t", "about 7 rows");
  service_fixture_script (&fixture, "ALTER TABLE t RENAME TO u");
  assert_rows (&fixture, "u", "about 7 rows");
  g_assert_cmpuint (count_statistics (&fixture), ==, 1);
  service_fixture_script (&fixture, "CREATE TABLE t (k INT PRIMARY KEY)");
  g_assert_cmpuint (count_statistics (&fixture), ==, 1);
  service_fixture_script (&fixture, "DROP RELATION u");
  g_assert_cmpuint (count_statistics (&fixture), ==, 0);
  service_fixture_script (&fixture, "CREATE TABLE u (k INT PRIMARY KEY, v INT)");
  g_assert_cmpuint (count_statistics (&fixture), ==, 0);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/statistics/sample", test_sample);
  g_test_add_func ("/exec/statistics/small", test_small);
  g_test_add_func ("/exec/statistics/between", test_between);
  g_test_add_func ("/exec/statistics/set", test_set);
  g_test_add_func ("/exec/statistics/text", test_text);
  g_test_add_func ("/exec/statistics/types", test_types);
  g_test_add_func ("/exec/statistics/damaged", test_damaged);
  g_test_add_func ("/exec/statistics/wide", test_wide);
  g_test_add_func ("/exec/statistics/choice", test_choice);
  g_test_add_func ("/exec/statistics/answer", test_answer);
  g_test_add_func ("/exec/statistics/kept", test_kept);
  return g_test_run ();
}
