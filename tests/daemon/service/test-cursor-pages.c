/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-cursor-pages.c: pages after the first: cached cursors after their definitions have changed,
 * and the columns in the first page of a part.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#define N_ROWS 8

static void
open_service (ServiceFixture *self)
{
  service_fixture_open (self, NULL);
  service_fixture_fill (self, N_ROWS, "v");
  service_fixture_script (
      self, "DEFINE RELATION other { k INT KEY };"
            "DEFINE PRIMARY SCHEMA other_k FOR other { TABLE 'other', ROW k, FAMILY 'f' };"
            "INSERT INTO other VALUES (1), (2)");
}

static KvsqlResultPage *
query (ServiceFixture *self, const gchar *sql)
{
  KvsqldRequest request = { .max_rows = 2 };
  g_autoptr (GError) error = NULL;
  KvsqlResultPage *page = kvsqld_service_query (self->service, &request,
                                                kvsql_slice_from_text (sql), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page->cursor);
  return page;
}

static KvsqlResultPage *
fetch (ServiceFixture *self, GBytes *cursor, GError **error)
{
  KvsqldRequest request = { .max_rows = 2 };
  gsize size;
  const guint8 *data = g_bytes_get_data (cursor, &size);

  return kvsqld_service_fetch (self->service, &request, kvsql_slice (data, size), error);
}

/* Each kind of change to a relation that the cursor reads, while the cursor is cached. */
static void
test_changed (void)
{
  static const struct
  {
    const gchar *sql, *change;
  } cases[] = {
    { "SELECT k FROM r", "DROP RELATION r" },
    { "SELECT k FROM r ORDER BY v", "DROP SCHEMA r_k" },
    { "SELECT k FROM r",
      "DROP RELATION r; DEFINE RELATION r { k INT KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r2', ROW k, FAMILY 'f', VALUE v }" },
    { "SELECT r.k FROM r, other", "DROP RELATION other" },
    { "SELECT k FROM r WHERE k IN (SELECT k FROM r)", "ALTER RELATION r ALTER v SET DEFAULT 'x'" },
    /* another relation, although it looks the same */
    { "SELECT k FROM r WHERE k < 4",
      "DROP RELATION r; DEFINE RELATION r { k INT KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r', ROW k, FAMILY 'f', VALUE v }" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ServiceFixture fixture;
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) first = NULL, second = NULL;

      open_service (&fixture);
      first = query (&fixture, cases[i].sql);
      service_fixture_script (&fixture, cases[i].change);
      second = fetch (&fixture, first->cursor, &error);
      if (second != NULL)
        g_test_message ("it went on: %s; %s", cases[i].sql, cases[i].change);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
      g_assert_cmpstr (error->message, ==,
                       "the definitions that this cursor depends on have changed");
      g_assert_cmpstr (kvsql_error_get_hint (error), ==, "Run the statement again.");
      service_fixture_close (&fixture);
    }
}

static void
test_unchanged (void)
{
  static const gchar *const changes[]
      = { "DROP RELATION other", "DEFINE RELATION third { k INT KEY }",
          "DEFINE SCHEMA r_v FOR r { TABLE 'r_v', ROW suffix(x'00'){v}:k, FAMILY 'f' }" };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) first = query (&fixture, "SELECT k FROM r WHERE k < 4"),
                                  second = NULL;

      service_fixture_script (&fixture, changes[i]);
      second = fetch (&fixture, first->cursor, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (second->rows->n_rows, ==, 2);
      g_assert_null (second->columns);
    }
  service_fixture_close (&fixture);
}

/* The first page of each part has its columns, like the first page of a query; no later page
 * has. */
static void
test_parts (void)
{
  ServiceFixture fixture;
  g_autoptr (GPtrArray) cursors = NULL;
  g_autoptr (GError) error = NULL;
  guint n_rows = 0;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture,
      "DEFINE RELATION r { k INT KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r', ROW salt(4){k}:k, FAMILY 'f', VALUE v };"
      "INSERT INTO r VALUES (1, 'a'), (2, 'a'), (3, 'a'), (4, 'a'), (5, 'a'), (6, 'a'), "
      "(7, 'a'), (8, 'a'), (9, 'a'), (10, 'a'), (11, 'a'), (12, 'a'), (13, 'a')");
  cursors = kvsqld_service_partition (fixture.service, NULL,
                                      kvsql_slice_from_text ("SELECT k, v AS w FROM r WHERE k > 0"),
                                      NULL, 0, 4, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cursors->len, >, 0);
  for (guint i = 0; i < cursors->len; i++)
    {
      g_autoptr (KvsqlResultPage) page = fetch (&fixture, cursors->pdata[i], &error);

      g_assert_no_error (error);
      g_assert_nonnull (page->columns);
      g_assert_cmpuint (page->n_columns, ==, 2);
      g_assert_cmpstr (page->columns[1].name, ==, "w");
      g_assert_cmpint (page->columns[0].type, ==, KVSQL_TYPE_INT);
      g_assert_cmpstr (page->columns[0].relation, ==, "r");
      while (page->cursor != NULL)
        {
          KvsqlResultPage *next = fetch (&fixture, page->cursor, &error);

          g_assert_no_error (error);
          g_assert_null (next->columns);
          n_rows += page->rows->n_rows;
          kvsql_result_page_free (page);
          page = next;
        }
      n_rows += page->rows->n_rows;
    }
  g_assert_cmpuint (n_rows, ==, 13);
  service_fixture_close (&fixture);
}

/* Each way to run a statement reports how many parameters it has, and how many were passed. */
static void
test_parameter_counts (void)
{
  static const KvsqlValue two[2] = { { .type = KVSQL_TYPE_BIGINT, .integer = 1 } };
  static const gchar *const statements[]
      = { "SELECT k FROM r WHERE k = ?", "EXPLAIN SELECT k FROM r WHERE k = ?" };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < 2; i++)
    for (guint n = 0; n <= 2; n += 2)
      for (guint call = 0; call < 3; call++)
        {
          KvsqlSlice sql = kvsql_slice_from_text (statements[i]);
          g_autofree gchar *message
              = g_strdup_printf ("the statement has 1 parameters, but %u were given", n);
          g_autofree gchar *text = NULL;
          g_autofree gchar *json = NULL;
          g_autoptr (GError) error = NULL;

          if (call == 0)
            g_assert_null (kvsqld_service_query (fixture.service, NULL, sql, two, n, &error));
          else if (call == 1)
            g_assert_null (
                kvsqld_service_partition (fixture.service, NULL, sql, two, n, 2, &error));
          else
            g_assert_false (kvsqld_service_explain (fixture.service, NULL, sql, two, n, FALSE,
                                                    &text, &json, &error));
          g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
          g_assert_cmpstr (error->message, ==, message);
        }
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cursor-pages/changed", test_changed);
  g_test_add_func ("/cursor-pages/unchanged", test_unchanged);
  g_test_add_func ("/cursor-pages/parts", test_parts);
  g_test_add_func ("/cursor-pages/parameter-counts", test_parameter_counts);
  return g_test_run ();
}
