/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-point-plan.c: repeated SELECTs of one row give the same result from the pattern of their
 * plan as from a new plan: tuples and errors, for all sorts of values.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

#include <math.h>

typedef struct
{
  const gchar *fields; /* of the primary schema, from ROW on */
  const gchar *tail;   /* of SELECT * FROM r: two parameters */
  gboolean is_kept;
} Case;

#define REST ", FAMILY 'f', VALUE x:ordered{d}:v"

static const Case cases[] = {
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b = ?", TRUE },
  { "ROW suffix('-'){a}:b" REST, "AS t WHERE ? = t.a AND t.b = ?", TRUE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b = ? LIMIT 1", TRUE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b = ? LIMIT 0", TRUE },
  { "ROW suffix('-'){a}:b" REST, "USING SCHEMA s WHERE a = ? AND b = ?", TRUE },
  { "ROW 'p':b:a" REST, "WHERE a = ? AND b = ?", TRUE },
  { "ROW suffix('-'){a}:b, FAMILY 'f', QUALIFIER attr_name['a', 'b'], VALUE attr_value['a', 'b']",
    "WHERE a = ? AND b = ?", TRUE },
  { "ROW suffix('-'){a}:x, FAMILY 'f', VALUE b:ordered{d}:v", "WHERE a = ? AND x = ?", TRUE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = :p AND b = :q AND v = :p", TRUE },
  /* not one row, or not by parameters alone */
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b > ?", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? OR b = ?", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND x = ?", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b = ? + 1", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b = ? AND v = 'one'", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND a = ? AND b = 1", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = 'x' AND b = ? LIMIT ?", FALSE },
  { "ROW suffix('-'){a}:b" REST, "WHERE a = ? AND b = ? ORDER BY d, x", FALSE },
  /* bytes that may not round-trip, and columns that contain values */
  { "ROW hash(crc32, 2){a}:suffix('-'){a}:b" REST, "WHERE a = ? AND b = ?", FALSE },
  { "ROW suffix('-'){a}, FAMILY 'f', QUALIFIER b, VALUE x:ordered{d}:v", "WHERE a = ? AND b = ?",
    FALSE },
};

/* Values of a parameter. The pattern is made with the first ones. */
static const KvsqlValue values[] = {
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"x", 1 } },
  { .type = KVSQL_TYPE_BIGINT, .integer = 1 },
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"y", 1 } },
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"one", 3 } },
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"x-y", 3 } },
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"", 0 } },
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"\xff", 1 } },
  { .type = KVSQL_TYPE_STRING, .bytes = { (const guint8 *)"2", 1 } },
  { .type = KVSQL_TYPE_BIGINT, .integer = 2 },
  { .type = KVSQL_TYPE_BIGINT, .integer = -1 },
  { .type = KVSQL_TYPE_BIGINT, .integer = G_MAXINT64 },
  { .type = KVSQL_TYPE_DOUBLE, .real = 1.0 },
  { .type = KVSQL_TYPE_DOUBLE, .real = 1.5 },
  { .type = KVSQL_TYPE_DOUBLE, .real = -0.0 },
  { .type = KVSQL_TYPE_DOUBLE, .real = NAN },
  { .type = KVSQL_TYPE_DECIMAL, .bytes = { (const guint8 *)"1.0", 3 } },
  { .type = KVSQL_TYPE_BYTES, .bytes = { (const guint8 *)"x", 1 } },
  { .type = KVSQL_TYPE_DATE, .integer = 1 },
  { .type = KVSQL_TYPE_NULL },
};

static void
define (ServiceFixture *self, const gchar *fields)
{
  gboolean x_is_key = strstr (fields, "}:x") != NULL;
  g_autofree gchar *relation = g_strdup_printf (
      "DEFINE RELATION r { a STRING KEY, b INT %s, x DOUBLE %s, d DATE, v STRING "
      "NOT NULL }",
      x_is_key ? "NOT NULL" : "KEY", x_is_key ? "KEY" : "NOT NULL");
  g_autofree gchar *schema
      = g_strdup_printf ("DEFINE PRIMARY SCHEMA s FOR r { TABLE 'r', %s }", fields);

  service_fixture_script (self, relation);
  service_fixture_script (self, schema);
  service_fixture_script (self, "INSERT INTO r VALUES ('x', 1, 1, NULL, 'one'), "
                                "('x', 2, 1.5, '2024-01-02', 'two'), ('y', 1, 0, NULL, 'three'), "
                                "('', 1, 1, NULL, 'four'), ('y', -1, 1.5, NULL, 'five'), "
                                "('one', 1, 1, NULL, 'one')");
}

/* Rows, or the error without its position, because texts of different length are compared.
 * (transfer full) */
static gchar *
describe (KvsqlResultPage *taken, GError *error)
{
  g_autoptr (KvsqlResultPage) page = taken;
  g_autoptr (GString) out = g_string_new (NULL);

  if (page != NULL)
    service_fixture_append_page (page, out);
  else
    g_string_printf (out, "%d: %s", error->code, error->message);
  g_clear_error (&error);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gchar *
query (ServiceFixture *self, const gchar *sql, const KvsqlValue *parameters)
{
  GError *error = NULL;
  KvsqlResultPage *page = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql),
                                                parameters, 2, &error);

  return describe (page, error);
}

static gchar *
execute (ServiceFixture *self, gint64 id, const KvsqlValue *parameters)
{
  GError *error = NULL;
  KvsqlResultPage *page = kvsqld_service_execute (self->service, NULL, id, parameters, 2, &error);

  return describe (page, error);
}

/* A text that was never used before. */
static gchar *
plan_without_cache (ServiceFixture *self, const gchar *sql, const KvsqlValue *parameters)
{
  static guint n_spaces;
  g_autofree gchar *text = g_strdup_printf ("%s%*s", sql, ++n_spaces, "");

  return query (self, text, parameters);
}

static void
check_values (ServiceFixture *self, const gchar *sql, gint64 id)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    for (guint j = 0; j < G_N_ELEMENTS (values); j++)
      {
        KvsqlValue parameters[] = { values[i], values[j] };
        g_autofree gchar *expected = plan_without_cache (self, sql, parameters);
        g_autofree gchar *asked = query (self, sql, parameters);
        g_autofree gchar *executed = execute (self, id, parameters);

        if (strcmp (asked, expected) != 0 || strcmp (executed, expected) != 0)
          g_error ("%s with values %u and %u: got %s and %s, expected %s", sql, i, j, asked,
                   executed, expected);
      }
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM r %s", test->tail);
  g_autoptr (GError) error = NULL;
  KvsqldPrepared *prepared;
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  define (&fixture, test->fields);
  prepared = kvsqld_service_prepare (fixture.service, NULL, kvsql_slice_from_text (sql), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    g_free (execute (&fixture, prepared->id, values));
  g_assert_cmpuint (kvsqld_plan_cache_get_size (fixture.service->plans), ==, test->is_kept);
  check_values (&fixture, sql, prepared->id);
  kvsqld_prepared_free (prepared);
  service_fixture_close (&fixture);
}

/* The statement may be closed, and its relation may change, while its pattern is cached. */
static void
test_gone (void)
{
  static const gchar sql[] = "SELECT v FROM r WHERE a = ? AND b = ?";
  const KvsqlValue *parameters = values;
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  define (&fixture, "ROW suffix('-'){a}:b, FAMILY 'f', VALUE x:ordered{d}:v");
  for (guint round = 0; round < 4; round++)
    {
      g_autoptr (GError) error = NULL;
      KvsqldPrepared *prepared
          = kvsqld_service_prepare (fixture.service, NULL, kvsql_slice_from_text (sql), &error);

      g_assert_no_error (error);
      for (guint i = 0; i < 3; i++)
        {
          g_autofree gchar *got = execute (&fixture, prepared->id, parameters);
          g_assert_cmpstr (got, ==, round < 2 ? "one" : "other");
        }
      g_assert_true (kvsqld_service_close_statement (fixture.service, NULL, prepared->id, &error));
      kvsqld_prepared_free (prepared);
      if (round == 1)
        service_fixture_script (
            &fixture, "DROP SCHEMA s; DROP RELATION r;"
                      "DEFINE RELATION r { a STRING KEY, b BIGINT KEY, v STRING };"
                      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 'q', ROW b:a, FAMILY 'f', VALUE v };"
                      "INSERT INTO r VALUES ('x', 1, 'other')");
    }
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/daemon/point-plan/%u", i);
      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/daemon/point-plan/gone", test_gone);
  return g_test_run ();
}
