/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-index-lookup.c: reads through an index that does not hold all attributes.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static const gchar *const stores[] = { "memory:", "rocksdb" };

static void
open_service (ServiceFixture *self, const gchar *store)
{
  service_fixture_open (self, store);
  service_fixture_script (
      self, "DEFINE RELATION r { k INT KEY, v INT, w STRING, note STRING };"
            "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW k, FAMILY 'f', "
            "QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
            "DEFINE SCHEMA by_v FOR r { TABLE 'by_v', ROW v:k, FAMILY 'f', VALUE w };"
            "INSERT INTO r VALUES (1, 30, 'x', 'one'), (2, 20, 'y', 'two'), (3, 20, 'x', 'three'), "
            "(4, 10, 'x', 'four'), (5, 30, 'y', NULL)");
}

static void
put (ServiceFixture *self, KvsqlSlice table, KvsqlSlice row, KvsqlSlice qualifier, KvsqlSlice value)
{
  KvsqlMutation mutation = { .kind = KVSQL_MUTATION_PUT,
                             .table = table,
                             .row = row,
                             .family = S ("f"),
                             .qualifier = qualifier,
                             .value = value,
                             .timestamp = g_get_real_time () / 1000 + 1000 };
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsql_store_apply (self->service->store, &mutation, 1, NULL, &error));
  g_assert_no_error (error);
}

static void
assert_plan_says (ServiceFixture *self, const gchar *sql, const gchar *what)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL);
  g_autofree gchar *plan = service_fixture_run (self, explain);

  if (strstr (plan, what) == NULL)
    g_error ("\"%s\" is not in:\n%s", what, plan);
}

/* ---- results */

static void
test_answers (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  assert_plan_says (&fixture, "SELECT note FROM r WHERE v = 20", "read from schema by_v");
  assert_plan_says (&fixture, "SELECT note FROM r WHERE v = 20",
                    "looked up by key: note from schema base");
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 20", "2|two\n3|three");
  service_fixture_assert (&fixture, "SELECT * FROM r USING SCHEMA by_v",
                          "4|10|x|four\n2|20|y|two\n3|20|x|three\n1|30|x|one\n5|30|y|NULL");
  service_fixture_assert (&fixture, "SELECT note FROM r WHERE v IN (30, 10) LIMIT 2 OFFSET 1",
                          "one\nNULL");
  service_fixture_assert (&fixture, "SELECT k FROM r WHERE v >= 20 AND note LIKE 't%' ORDER BY k",
                          "2\n3");
  service_fixture_assert (&fixture, "SELECT note FROM r WHERE v = 11", "");
  service_fixture_close (&fixture);
}

static void
test_filter_before (gconstpointer store)
{
  static const gchar sql[] = "SELECT note FROM r WHERE v = 20 AND w = 'x' AND note <> 'two'";
  ServiceFixture fixture;

  open_service (&fixture, store);
  assert_plan_says (&fixture, sql, "checked on each entry: v = 20 AND w = 'x'\n");
  service_fixture_assert (&fixture, sql, "three");
  /* the index cannot decide one alternative, so it decides nothing of the OR */
  assert_plan_says (&fixture, "SELECT k FROM r WHERE v = 20 AND (w = 'x' OR note = 'two')",
                    "checked on each entry: v = 20\n");
  service_fixture_assert (&fixture, "SELECT k FROM r WHERE v = 20 AND (w = 'x' OR note = 'two')",
                          "2\n3");
  assert_plan_says (
      &fixture,
      "SELECT k FROM r WHERE v = 20 AND (w = 'x' AND note = 'a' OR w = 'y' AND note = "
      "'two')",
      "checked on each entry: v = 20 AND (w = 'x' OR w = 'y')\n");
  service_fixture_assert (
      &fixture,
      "SELECT k FROM r WHERE v = 20 AND (w = 'x' AND note = 'a' OR w = 'y' AND note = 'two')", "2");
  service_fixture_close (&fixture);
}

/* ---- entries of unfinished writes */

static void
test_stale (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  /* an old entry of tuple 1, an entry of a deleted tuple, and one with another w */
  put (&fixture, S ("by_v"), S ("\0\0\0\x28\0\0\0\x01"), S (""), S ("x"));
  put (&fixture, S ("by_v"), S ("\0\0\0\x28\0\0\0\x4d"), S (""), S ("x"));
  put (&fixture, S ("by_v"), S ("\0\0\0\x14\0\0\0\x02"), S (""), S ("z"));
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 40", "");
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v IN (30, 40)", "1|one\n5|NULL");
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 20", "3|three");
  /* the primary is newer than the index */
  put (&fixture, S ("base"), S ("\0\0\0\x03"), S ("v"), S ("\0\0\0\x63"));
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 20", "");
  service_fixture_assert (&fixture, "SELECT k, v FROM r USING SCHEMA base WHERE k = 3", "3|99");
  service_fixture_close (&fixture);
}

static void
test_foreign_cells (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  put (&fixture, S ("base"), S ("\0\0\0\x02"), S ("unknown"), S ("?"));
  put (&fixture, S ("base"), S ("\0\0\0\x02"), S ("v"), S ("not four bytes"));
  /* the value of v is undecodable, so v is NULL in the tuple, and the entry is dropped */
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 20", "3|three");
  service_fixture_close (&fixture);
}

/* ---- many */

static void
insert_many (ServiceFixture *self, guint n)
{
  GString *sql = g_string_new ("INSERT INTO r VALUES ");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%s(%u, %u, 'w%u', 'note %u')", i > 0 ? ", " : "", 1000 + i,
                            100 + i % 7, i % 3, i);
  service_fixture_script (self, sql->str);
  g_string_free (sql, TRUE);
}

static void
append_expected (guint n, guint v, GString *out)
{
  for (guint i = 0; i < n; i++)
    if (i % 7 == v)
      g_string_append_printf (out, "%s%u|note %u", out->len > 0 ? "\n" : "", 1000 + i, i);
}

/* Pages of @page_rows; from the cached cursor, or from the token alone. */
static gchar *
read_pages (ServiceFixture *self, const gchar *sql, guint page_rows, gboolean is_cold)
{
  KvsqldRequest request = { .max_rows = page_rows };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);
  GString *out = g_string_new (NULL);

  for (;;)
    {
      g_autoptr (GBytes) cursor = NULL;
      KvsqlSlice token;

      g_assert_no_error (error);
      g_assert_cmpuint (page->rows->n_rows, <=, page_rows);
      service_fixture_append_page (page, out);
      if (page->cursor == NULL)
        return g_string_free (out, FALSE);
      cursor = g_bytes_ref (page->cursor);
      token = kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor));
      if (is_cold)
        g_assert_true (kvsqld_service_close_cursor (self->service, token, &error));
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (self->service, &request, token, &error);
    }
}

static void
test_pages (gconstpointer store)
{
  static const gchar sql[] = "SELECT k, note FROM r WHERE v IN (101, 102, 104)";
  ServiceFixture fixture;
  g_autoptr (GString) expected = g_string_new (NULL);

  open_service (&fixture, store);
  insert_many (&fixture, 1500);
  append_expected (1500, 1, expected);
  append_expected (1500, 2, expected);
  append_expected (1500, 4, expected);
  assert_plan_says (&fixture, sql, "looked up by key");
  for (guint i = 0; i < 6; i++)
    {
      static const guint sizes[] = { 37, 100, 10000 };
      g_autofree gchar *got = read_pages (&fixture, sql, sizes[i / 2], i % 2);
      g_assert_true (g_str_equal (got, expected->str));
    }
  service_fixture_close (&fixture);
}

static void
test_delete (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  insert_many (&fixture, 700);
  assert_plan_says (&fixture, "DELETE FROM r WHERE v = 103 AND note LIKE 'note %'",
                    "looked up by key: note");
  service_fixture_script (&fixture, "DELETE FROM r WHERE v = 103 AND note LIKE 'note %'");
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 103", "");
  service_fixture_assert (&fixture, "SELECT k FROM r USING SCHEMA base WHERE v = 103", "");
  service_fixture_script (&fixture, "DELETE FROM r WHERE v = 20 AND note = 'two'");
  service_fixture_assert (&fixture, "SELECT k, note FROM r WHERE v = 20", "3|three");
  service_fixture_close (&fixture);
}

static void
test_definitions_change (void)
{
  KvsqldRequest request = { .max_rows = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL, next = NULL;
  ServiceFixture fixture;
  KvsqlSlice token;

  open_service (&fixture, "rocksdb");
  page = kvsqld_service_query (fixture.service, &request, S ("SELECT note FROM r WHERE v = 20"),
                               NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_nonnull (page->cursor);
  token = kvsql_slice (g_bytes_get_data (page->cursor, NULL), g_bytes_get_size (page->cursor));
  ignore_result (kvsqld_service_close_cursor (fixture.service, token, NULL));
  /* another primary for the same index */
  service_fixture_script (
      &fixture, "DROP SCHEMA by_v; DROP SCHEMA base;"
                "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'other', ROW k, FAMILY 'f', "
                "QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
                "DEFINE SCHEMA by_v FOR r { TABLE 'by_v', ROW v:k, FAMILY 'f', VALUE w }");
  next = kvsqld_service_fetch (fixture.service, NULL, token, &error);
  g_assert_null (next);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
  service_fixture_close (&fixture);
}

/* ---- primaries of other shapes */

static void
test_shapes (gconstpointer store)
{
  static const gchar *const primaries[] = {
    "TABLE 'base', ROW k, FAMILY 'f', VALUE size{w}:size{note}:v",
    "TABLE 'base_':text{k}, ROW 'row', FAMILY 'f', VALUE size{w}:size{note}:v",
    "TABLE 'base', ROW 'all', FAMILY 'f', QUALIFIER k, VALUE size{w}:size{note}:v",
    "TABLE 'base', ROW k:attr_name[k], FAMILY 'f', VALUE attr_value[k]",
    /* the tuple's cell keys depend on an attribute that the index holds, too */
    "TABLE 'base', ROW suffix('-'){w}:k, FAMILY 'f', VALUE size{note}:v",
  };

  for (guint i = 0; i < G_N_ELEMENTS (primaries); i++)
    {
      ServiceFixture fixture;
      g_autofree gchar *primary
          = g_strdup_printf ("DEFINE PRIMARY SCHEMA base FOR r { %s }", primaries[i]);

      service_fixture_open (&fixture, store);
      service_fixture_script (&fixture,
                              "DEFINE RELATION r { k INT KEY, v INT, w STRING, note STRING }");
      service_fixture_script (&fixture, primary);
      service_fixture_script (
          &fixture, "DEFINE SCHEMA by_v FOR r { TABLE 'by_v', ROW v:k, FAMILY 'f', VALUE w };"
                    "INSERT INTO r VALUES (1, 30, 'x', 'one'), (2, 20, 'y', 'two'), "
                    "(3, 20, 'x', 'three'), (4, 10, 'x', 'four')");
      service_fixture_assert (&fixture, "SELECT k, note, w, v FROM r USING SCHEMA by_v",
                              "4|four|x|10\n2|two|y|20\n3|three|x|20\n1|one|x|30");
      service_fixture_script (&fixture, "DELETE FROM r WHERE k = 3");
      service_fixture_assert (&fixture, "SELECT note FROM r USING SCHEMA by_v WHERE v = 20", "two");
      service_fixture_close (&fixture);
    }
}

/* The primary's rows begin with an attribute that the index does not hold: no index lookup is
 * possible. */
static void
test_unreachable (void)
{
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture,
      "DEFINE RELATION r { k INT KEY, v INT, w STRING, note STRING };"
      "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW suffix('-'){note}:k, FAMILY 'f', "
      "VALUE size{w}:v };"
      "DEFINE SCHEMA by_v FOR r { TABLE 'by_v', ROW v:k, FAMILY 'f', VALUE w }");
  assert_plan_says (&fixture, "SELECT note FROM r WHERE v = 20", "read from schema base");
  error = service_fixture_fail (&fixture, "SELECT note FROM r USING SCHEMA by_v");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *name;
    GTestDataFunc test;
  } tests[] = {
    { "answers", test_answers }, { "filter-before", test_filter_before },
    { "stale", test_stale },     { "foreign-cells", test_foreign_cells },
    { "pages", test_pages },     { "delete", test_delete },
    { "shapes", test_shapes },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (stores); s++)
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        g_autofree gchar *path
            = g_strdup_printf ("/exec/fetch/%s/%s", s == 0 ? "memory" : "rocksdb", tests[i].name);
        g_test_add_data_func (path, stores[s], tests[i].test);
      }
  g_test_add_func ("/exec/fetch/definitions-change", test_definitions_change);
  g_test_add_func ("/exec/fetch/unreachable", test_unreachable);
  return g_test_run ();
}
