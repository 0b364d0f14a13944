/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-oracles.c: the advisor with NoSE's cost model, compared with what NoSE answers.
 *
 * The numbers are those of NoSE (costs in seconds, bytes) for the same relation, statements and
 * weights. Ours may be better, as a row key serves more than one statement here; where NoSE's
 * answer is known to be the best, ours has to be equal.
 */
#include "config.h"

#include "core/advisor/advise.h"

#include <json-glib/json-glib.h>
#include <math.h>

#define EPSILON 1e-9

static const gchar head[]
    = "DEFINE RELATION user { id STRING KEY, firstname STRING, lastname STRING, password STRING,"
      "  email STRING };"
      "STATS user { ROWS 10000, id BYTES 16, firstname DISTINCT 500 BYTES 10,"
      "  lastname DISTINCT 800 BYTES 10, password BYTES 15, email BYTES 23 };";

#define Q1 "SELECT id, firstname, lastname, password FROM user WHERE id = ?;"
#define Q2 "SELECT id, firstname, lastname, password FROM user WHERE firstname = ?;"
#define Q3 "SELECT email FROM user WHERE lastname = ?;"
#define Q4 "SELECT id, email FROM user WHERE firstname = ? AND lastname = ?;"
#define Q5 "SELECT id FROM user WHERE lastname = ? AND firstname > ? ORDER BY firstname LIMIT 10;"
#define UP "UPDATE user SET lastname = ?, password = ? WHERE id = ?"
#define IN "INSERT INTO user (id, firstname, lastname, password, email) VALUES (?, ?, ?, ?, ?)"

typedef struct
{
  const gchar *name;
  const gchar *statements;
  gdouble limit;    /* bytes; 0: none */
  gdouble cost;     /* NoSE's, or ours where it is better */
  gdouble bytes;    /* 0: not compared: our primary has all attributes */
  gboolean is_best; /* cost and bytes are equal; else NoSE's are an upper bound */
} Oracle;

static const Oracle oracles[] = {
  { "C1", Q1, 0, 0.009220552, 510000, TRUE },
  { "C2", Q1 Q2, 0, 0.018663583, 1020000, TRUE },
  { "C2b", Q1 Q2, 900000, 0.054122907, 770000, TRUE },
  /* NoSE has no answer; a scan of the primary is always one */
  { "C2c", Q1 Q2, 700000, 0.135523034, 510000, TRUE },
  { "C3-covering", Q1 Q2 UP " WEIGHT 1;", 0, 0.054542351, 1020000, TRUE },
  { "C3-index", Q1 Q2 UP " WEIGHT 2;", 0, 0.080781123, 770000, TRUE },
  { "C3-more", Q1 Q2 UP " WEIGHT 5;", 0, 0.120768447, 770000, TRUE },
  { "C3-most", Q1 Q2 UP " WEIGHT 100;", 0, 1.387033707, 770000, TRUE },
  /* around the weight at which the two lines cross */
  { "C3-before", Q1 Q2 UP " WEIGHT 1.572;", 0, 0.075065007, 1020000, TRUE },
  { "C3-after", Q1 Q2 UP " WEIGHT 1.573;", 0, 0.075089593, 770000, TRUE },
  { "C4", Q1 Q2 Q3 IN ";", 0, 0.068006117, 0, TRUE },
  { "C5", Q4, 0, 0.009209136, 590000, TRUE },
  /* NoSE: 1.351562966 with two */
  { "C6b", Q2 Q4 IN " WEIGHT 50;", 0, 0.685107566, 740000, TRUE },
  { "C7", Q5, 0, 0.009223480, 360000, TRUE },
  { "C8", Q1 Q2 Q3 Q4 Q5 UP ";" IN ";", 0, 0.146195952, 1840000, TRUE },
  { "C8-1800000", Q1 Q2 Q3 Q4 Q5 UP ";" IN ";", 1800000, 1.17944976, 0, FALSE },
};

static gchar *
advise (const gchar *text, gdouble limit, const gchar *solver)
{
  KvsqlAdviseOptions options = { .cost_model = "nose", .format = "json" };
  g_auto (KvsqlAdviseError) error = { 0 };
  gchar *advice;

  options.storage_limit = limit;
  options.solver = solver;
  advice = kvsql_advise (text, strlen (text), &options, NULL, &error);
  if (advice == NULL)
    g_test_message ("%s", error.message);
  g_assert_nonnull (advice);
  return advice;
}

/* The weighted costs of the statements are the cost of all. */
static void
check_sum (JsonObject *root, gdouble cost)
{
  JsonArray *statements = json_object_get_array_member (root, "statements");
  gdouble sum = 0;

  for (guint i = 0; i < json_array_get_length (statements); i++)
    {
      JsonObject *statement = json_array_get_object_element (statements, i);

      sum += json_object_get_double_member (statement, "weight")
             * json_object_get_double_member (statement, "cost");
      g_assert_cmpint (json_object_get_int_member (statement, "number"), ==, (gint64)i + 1);
      g_assert_cmpstr (json_object_get_string_member (statement, "plan"), !=, "");
    }
  g_assert_cmpfloat_with_epsilon (sum, cost, EPSILON);
}

static void
check_schemas (JsonObject *root)
{
  JsonArray *schemas = json_object_get_array_member (root, "schemas");
  guint n_primaries = 0;

  for (guint i = 0; i < json_array_get_length (schemas); i++)
    {
      JsonObject *schema = json_array_get_object_element (schemas, i);
      guint n = json_array_get_length (json_object_get_array_member (schema, "row"))
                + json_array_get_length (json_object_get_array_member (schema, "value"));

      if (!json_object_get_boolean_member (schema, "primary"))
        continue;
      n_primaries++;
      g_assert_cmpuint (n, ==, 5);
    }
  g_assert_cmpuint (n_primaries, ==, 1);
}

static void
check_oracle (const Oracle *oracle, const gchar *solver)
{
  g_autofree gchar *text = g_strconcat (head, oracle->statements, NULL);
  g_autofree gchar *advice = advise (text, oracle->limit, solver);
  g_autoptr (JsonNode) node = json_from_string (advice, NULL);
  JsonObject *root = json_node_get_object (node);
  gdouble cost = json_object_get_double_member (root, "cost");
  gdouble bytes = json_object_get_double_member (root, "bytes");

  g_test_message ("%s: cost %.12g, bytes %.0f", oracle->name, cost, bytes);
  g_assert_cmpfloat (cost, <=, oracle->cost + EPSILON);
  if (oracle->is_best)
    g_assert_cmpfloat_with_epsilon (cost, oracle->cost, EPSILON);
  if (oracle->bytes > 0)
    g_assert_cmpfloat (bytes, ==, oracle->bytes);
  if (oracle->limit > 0)
    g_assert_cmpfloat (bytes, <=, oracle->limit);
  g_assert_cmpfloat (json_object_get_double_member (root, "gap"), ==, 0);
  check_sum (root, cost);
  check_schemas (root);
}

static void
test_builtin (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (oracles); i++)
    check_oracle (&oracles[i], "builtin");
}

static void
test_cbc (void)
{
#ifdef HAVE_CBC
  for (guint i = 0; i < G_N_ELEMENTS (oracles); i++)
    check_oracle (&oracles[i], "cbc");
#else
  g_test_skip ("built without CBC");
#endif
}

/* The curve rises in bytes and falls in costs, from the primary alone to no limit. */
static void
test_curve (void)
{
  static const gchar statements[] = Q1 Q2 Q3 Q4 Q5 UP ";" IN ";";
  g_autofree gchar *text = g_strconcat (head, statements, NULL), *picture = NULL;
  KvsqlAdviseOptions options = { .cost_model = "nose", .format = "json", .with_curve = TRUE };
  g_auto (KvsqlAdviseError) error = { 0 };
  g_autofree gchar *advice = kvsql_advise (text, strlen (text), &options, &picture, &error);
  g_autoptr (JsonNode) node = json_from_string (advice, NULL);
  JsonObject *root = json_node_get_object (node);
  JsonArray *curve = json_object_get_array_member (root, "curve");
  guint n = json_array_get_length (curve);

  g_assert_cmpuint (n, >, 3);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *point = json_array_get_object_element (curve, i);
      JsonObject *before = json_array_get_object_element (curve, i > 0 ? i - 1 : 0);

      g_assert_true (i == 0
                     || json_object_get_double_member (point, "bytes")
                            > json_object_get_double_member (before, "bytes"));
      g_assert_true (i == 0
                     || json_object_get_double_member (point, "cost")
                            < json_object_get_double_member (before, "cost"));
    }
  g_assert_cmpfloat (
      json_object_get_double_member (json_array_get_object_element (curve, 0), "bytes"), ==,
      740000);
  g_assert_cmpfloat_with_epsilon (
      json_object_get_double_member (json_array_get_object_element (curve, n - 1), "cost"),
      json_object_get_double_member (root, "cost"), EPSILON);
  g_assert_true (g_str_has_prefix (picture, "<svg "));
}

/* The rows that each kind of range reads are a tenth of all, about. */
static void
test_ranges (void)
{
  static const gchar text[]
      = "WORKLOAD ranges; DEFINE RELATION r { k INT KEY, v INT };"
        "STATS r { ROWS 100000, k DISTINCT 100000, v DISTINCT 1000 };"
        "SELECT k FROM r WHERE v > ?; SELECT k FROM r WHERE ? > v;"
        "SELECT k FROM r WHERE v BETWEEN ? AND ?; SELECT k FROM r WHERE v >= ? AND v < ?;"
        "SELECT k FROM r WHERE ? <= v AND k <> ? AND ? >= v;";
  KvsqlAdviseOptions options = { .format = "json" };
  g_auto (KvsqlAdviseError) error = { 0 };
  g_autofree gchar *advice = kvsql_advise (text, strlen (text), &options, NULL, &error);
  g_autoptr (JsonNode) node = json_from_string (advice, NULL);
  JsonArray *statements = json_object_get_array_member (json_node_get_object (node), "statements");
  guint n = json_array_get_length (statements);

  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *statement = json_array_get_object_element (statements, i);
      const gchar *plan = strstr (json_object_get_string_member (statement, "plan"), ", ");
      gdouble rows = g_ascii_strtod (plan + 2, NULL);

      g_test_message ("%s", json_object_get_string_member (statement, "plan"));
      g_assert_cmpfloat (rows, >=, 9000);
      g_assert_cmpfloat (rows, <=, 11000);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advisor/oracles/ranges", test_ranges);
  g_test_add_func ("/advisor/oracles/builtin", test_builtin);
  g_test_add_func ("/advisor/oracles/cbc", test_cbc);
  g_test_add_func ("/advisor/oracles/curve", test_curve);
  return g_test_run ();
}
