/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-schema-options.c: roles, undecodable cells, and derived elements on a running service.
 *
 * Cells that none of the schemas would write come from a relation of raw bytes over the same table,
 * which is dropped before the tested schema is defined.
 */
#include "config.h"

#include "core/catalog/options.h"
#include "core/sql/ast-definition.h"
#include "tests/harness/service-fixture.h"

#include <string.h>

/* Writes cells into table "t", family "f". */
static void
write_raw (ServiceFixture *fixture, const gchar *rows)
{
  g_autofree gchar *insert = g_strdup_printf ("INSERT INTO raw VALUES %s", rows);

  service_fixture_script (fixture,
                          "DEFINE RELATION raw { k BYTES KEY, q BYTES KEY, v BYTES };"
                          "DEFINE PRIMARY SCHEMA raw_cells FOR raw { TABLE 't', ROW k, FAMILY 'f', "
                          "QUALIFIER q, VALUE v }");
  g_free (service_fixture_run (fixture, insert));
  g_free (service_fixture_run (fixture, "DROP RELATION raw"));
}

/* The lines of SHOW STATUS about undecodable cells. */
static gchar *
status_of_cells (ServiceFixture *fixture)
{
  g_autofree gchar *all = service_fixture_run (fixture, "SHOW STATUS");
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "cells that fit no layout")
        || g_str_has_prefix (lines[i], "such a cell"))
      g_string_append_printf (text, "%s\n", lines[i]);
  return g_string_free (text, FALSE);
}

/* ---- splits */

static gboolean
read_splits (const gchar *text, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  KvsqlOption option = {
    .name = { .text = "splits" },
    .value = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (text) },
  };
  KvsqlDefineSchema definition = { .options = { .items = &option, .n = 1 } };

  return kvsql_schema_options_read (&definition, arena, out, error);
}

static void
test_splits (void)
{
  static const struct
  {
    const guint8 *bytes;
    gsize size;
  } expected[] = {
    { (const guint8 *)"g", 1 },
    { (const guint8 *)"\0,\xff", 3 },
    { (const guint8 *)"a\\x", 3 },
  };
  static const gchar *const bad[] = { "a,,b", "\\", "\\x", "\\x0", "\\xg0", "\\n", "a,\\x1" };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlSchemaOptions options;

  g_assert_true (read_splits ("g,\\x00\\x2c\\xFF,a\\\\x", arena, &options, &error));
  g_assert_cmpuint (options.n_splits, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpmem (options.splits[i].data, options.splits[i].size, expected[i].bytes,
                     expected[i].size);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (read_splits (bad[i], arena, &options, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEFINITION);
      g_clear_error (&error);
    }
}

/* ---- cells that fit no layout */

static void
test_undecodable_are_counted (void)
{
  ServiceFixture fixture;
  g_autofree gchar *status = NULL;

  service_fixture_open (&fixture, NULL);
  /* crc32 ("abc") = 352441c2 */
  write_raw (&fixture, "(x'35616263', '', 'good'), (x'36616263', '', 'wrong hash'),"
                       "(x'35616263', 'other', 'another column'), ('x', '', 'short')");
  service_fixture_script (
      &fixture, "DEFINE RELATION r { a STRING KEY, v STRING };"
                "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW hash(crc32, 1){a}:a, FAMILY 'f', "
                "VALUE v }");
  service_fixture_assert (&fixture, "SELECT * FROM r", "abc|good");
  service_fixture_assert (&fixture, "SELECT v FROM r", "good");
  /* Reads the tuple's one cell by its name, and so does not read the other cell. */
  service_fixture_assert (&fixture, "SELECT * FROM r WHERE a = 'abc'", "abc|good");
  status = status_of_cells (&fixture);
  g_assert_cmpstr (
      status, ==,
      "cells that fit no layout, schema s|6\n"
      "such a cell|table \"t\", row \"5abc\", column \"f:other\": the schema has no such column\n"
      "such a cell|table \"t\", row \"6abc\", column \"f:\": what is derived does not follow from "
      "the rest\n"
      "such a cell|table \"t\", row \"x\", column \"f:\": what is derived does not follow from the "
      "rest\n");
  service_fixture_close (&fixture);
}

/* A sorted result frees its scan before its first row is emitted, but not the scan's counts. */
static void
test_undecodable_are_counted_when_sorted (void)
{
  ServiceFixture fixture;
  g_autofree gchar *status = NULL;

  service_fixture_open (&fixture, NULL);
  write_raw (&fixture, "('5', '', 'b'), ('x', '', 'no number'), ('7', '', 'a')");
  service_fixture_script (&fixture,
                          "DEFINE RELATION r { a INT KEY, v STRING };"
                          "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW text{a}, FAMILY 'f', "
                          "VALUE v }");
  service_fixture_assert (&fixture, "SELECT v FROM r ORDER BY v", "a\nb");
  status = status_of_cells (&fixture);
  g_assert_cmpstr (status, ==,
                   "cells that fit no layout, schema s|1\n"
                   "such a cell|table \"t\", row \"x\", column \"f:\": the row key does not fit "
                   "ROW\n");
  service_fixture_close (&fixture);
}

static void
test_undecodable_may_fail (void)
{
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;
  const gchar *detail;

  service_fixture_open (&fixture, NULL);
  write_raw (&fixture, "('a', '', x'00000001'), ('b', '', 'many')");
  service_fixture_script (&fixture,
                          "DEFINE RELATION r { a STRING KEY, v INT };"
                          "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', VALUE "
                          "text{v} } WITH (unparsable = fail)"); /* the older name */
  error = service_fixture_fail (&fixture, "SELECT * FROM r WHERE a = 'a'");
  g_assert_cmpstr (error->message, ==, "a cell fits no layout of schema \"s\"");
  g_assert_cmpint (error->code, ==, KVSQL_ERROR_VALUE);
  detail = kvsql_error_get_detail (error);
  g_assert_cmpstr (detail, ==,
                   "It is in table \"t\", row \"a\", column \"f:\": the value does not fit VALUE.");
  service_fixture_close (&fixture);
}

/* Cells of another schema are not undecodable. */
static void
test_neighbours_are_skipped (void)
{
  ServiceFixture fixture;
  g_autofree gchar *status = NULL;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture,
      "DEFINE RELATION one { a INT KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA s1 FOR one { TABLE 't', ROW a, FAMILY 'f', QUALIFIER '1', VALUE v } "
      "WITH (undecodable = fail);"
      "DEFINE RELATION two { b STRING KEY, v INT };"
      "DEFINE PRIMARY SCHEMA s2 FOR two { TABLE 't', ROW b, FAMILY 'f', QUALIFIER '2', VALUE v };"
      "INSERT INTO one VALUES (1, 'x'); INSERT INTO two VALUES ('y', 2)");
  service_fixture_assert (&fixture, "SELECT * FROM one", "1|x");
  service_fixture_assert (&fixture, "SELECT * FROM two", "y|2");
  status = status_of_cells (&fixture);
  g_assert_cmpstr (status, ==, "");
  service_fixture_close (&fixture);
}

static void
assert_sharing (ServiceFixture *fixture, const gchar *schema, const gchar *expected)
{
  g_autofree gchar *sql = g_strdup_printf ("DESCRIBE %s", schema);
  g_autofree gchar *text = service_fixture_run (fixture, sql);
  const gchar *found = strstr (text, "SHARING|");

  g_assert_nonnull (found);
  g_assert_cmpstr (found, ==, expected);
}

/* Only schemas that are not written may share cells. A table of its own or a constant keeps a
 * schema apart. */
static void
test_sharing (void)
{
  static const gchar nothing[] = "SHARING||shares cells with no other schema";
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture,
      "DEFINE RELATION one { a STRING KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA s1 FOR one { TABLE 't', ROW 'x':a, FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA other FOR one { TABLE 't', ROW 'y':a, FAMILY 'f', VALUE v };"
      "DEFINE RELATION two { b STRING KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA s2 FOR two { TABLE 't', ROW b, FAMILY 'f', QUALIFIER 'q', VALUE v } "
      "WITH (role = read)");
  assert_sharing (&fixture, "s1", nothing);
  assert_sharing (&fixture, "s2", nothing);
  service_fixture_script (
      &fixture,
      "DEFINE SCHEMA again FOR one { TABLE 't', ROW a, FAMILY 'f', VALUE v } WITH (role = read);"
      "DEFINE RELATION three { c INT KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA s3 FOR three { TABLE prefix('u'){text{c}}, ROW 'x', FAMILY 'f', VALUE "
      "v };"
      "DEFINE RELATION four { d INT KEY, v STRING };"
      "DEFINE PRIMARY SCHEMA s4 FOR four { TABLE 't', ROW d, FAMILY 'f', VALUE v } "
      "WITH (role = read)");
  assert_sharing (&fixture, "s3", nothing);
  assert_sharing (&fixture, "s1",
                  "SHARING|again (read only)|may share cells, such as table \"t\", row \"x\", "
                  "column \"f:\"\n"
                  "SHARING|s4 of four (read only)|may share cells, such as table \"t\", row "
                  "\"xaaa\", column \"f:\"");
  assert_sharing (&fixture, "again",
                  "SHARING|other (written)|may share cells, for this schema is only read, such as "
                  "table \"t\", row \"y\", column \"f:\"\n"
                  "SHARING|s1 (written)|may share cells, for this schema is only read, such as "
                  "table \"t\", row \"x\", column \"f:\"\n"
                  "SHARING|s4 of four (read only)|may share cells, such as table \"t\", row "
                  "\"aaaa\", column \"f:\"");
  service_fixture_close (&fixture);
}

/* ---- roles */

static void
test_read_only (void)
{
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;

  service_fixture_open (&fixture, NULL);
  write_raw (&fixture, "('a', '', x'00000001')");
  service_fixture_script (&fixture,
                          "DEFINE RELATION r { a STRING KEY, v INT };"
                          "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', VALUE v } "
                          "WITH (role = read)");
  service_fixture_assert (&fixture, "SELECT * FROM r", "a|1");
  error = service_fixture_fail (&fixture, "INSERT INTO r VALUES ('b', 2)");
  g_assert_cmpstr (error->message, ==,
                   "relation \"r\" is only read: its primary schema \"s\" has role = read");
  g_clear_error (&error);
  error = service_fixture_fail (&fixture, "DELETE FROM r WHERE a = 'a'");
  g_assert_cmpstr (error->message, ==,
                   "relation \"r\" is only read: its primary schema \"s\" has role = read");
  service_fixture_assert (&fixture, "SELECT * FROM r", "a|1");
  service_fixture_close (&fixture);
}

static void
test_write_only (void)
{
  ServiceFixture fixture;
  g_autofree gchar *plan = NULL;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION r { a STRING KEY, b STRING KEY };"
                "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW suffix('-'){a}:b, FAMILY 'f' };"
                "DEFINE SCHEMA w FOR r { TABLE 'w', ROW suffix('-'){b}:a, FAMILY 'f' } "
                "WITH (role = write);"
                "INSERT INTO r VALUES ('x', 'y')");
  plan = service_fixture_run (&fixture, "EXPLAIN SELECT * FROM r WHERE b = 'y'");
  g_assert_nonnull (strstr (plan, "read from schema s"));
  g_assert_nonnull (strstr (plan, "it is not read, having role = write"));
  service_fixture_assert (&fixture, "SELECT * FROM r WHERE b = 'y'", "x|y");
  service_fixture_assert (&fixture, "SELECT * FROM r USING SCHEMA w WHERE b = 'y'", "x|y");
  g_free (service_fixture_run (&fixture, "DELETE FROM r WHERE a = 'x'"));
  service_fixture_assert (&fixture, "SELECT * FROM r USING SCHEMA w", "");
  service_fixture_close (&fixture);
}

static void
test_shadow (void)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION r { a STRING KEY, v STRING };"
                "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', VALUE v };"
                "DEFINE SCHEMA w FOR r { TABLE 'w', ROW a, FAMILY 'f', VALUE fixed(2){v} } "
                "WITH (role = shadow);"
                "INSERT INTO r VALUES ('x', 'ab'), ('y', 'abc'), ('z', 'cd')");
  service_fixture_assert (&fixture, "SELECT * FROM r ORDER BY a", "x|ab\ny|abc\nz|cd");
  service_fixture_assert (&fixture, "SELECT * FROM r USING SCHEMA w ORDER BY a", "x|ab\nz|cd");
  g_free (service_fixture_run (&fixture, "INSERT INTO r VALUES ('x', 'long')"));
  service_fixture_assert (&fixture, "SELECT * FROM r USING SCHEMA w ORDER BY a", "z|cd");
  service_fixture_close (&fixture);
}

/* A table may have another schema if that schema is never written. */
static void
test_a_second_look (void)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION r { a STRING KEY, v INT };"
                "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', VALUE v };"
                "DEFINE RELATION bytes { k BYTES KEY, v BYTES };"
                "DEFINE PRIMARY SCHEMA look FOR bytes { TABLE 't', ROW k, FAMILY 'f', VALUE v } "
                "WITH (role = read);"
                "INSERT INTO r VALUES ('a', 1)");
  service_fixture_assert (&fixture, "SELECT * FROM bytes", "x'61'|x'00000001'");
  service_fixture_close (&fixture);
}

/* ---- the timestamps of cells */

static void
test_timestamps_of_cells (void)
{
  ServiceFixture fixture;
  g_autofree gchar *text = NULL;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION w { k STRING KEY, v INT };"
                "DEFINE PRIMARY SCHEMA w_cells FOR w { TABLE 't', ROW k, FAMILY 'f', VALUE v };"
                "DEFINE RELATION r { k STRING KEY, v INT, at TIMESTAMP };"
                "DEFINE PRIMARY SCHEMA look FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v, "
                "TIMESTAMP at } WITH (role = read);"
                "INSERT INTO w VALUES ('a', 1) USING TIMESTAMP 1709208000000;"
                "INSERT INTO w VALUES ('b', 2) USING TIMESTAMP 1709208000001");
  service_fixture_assert (&fixture, "SELECT * FROM r ORDER BY k",
                          "a|1|2024-02-29T12:00:00.000Z\nb|2|2024-02-29T12:00:00.001Z");
  service_fixture_assert (&fixture, "SELECT k FROM r WHERE at > '2024-02-29T12:00:00Z'", "b");
  text = service_fixture_run (&fixture, "SHOW CREATE look");
  g_assert_nonnull (strstr (text, "TIMESTAMP at"));
  service_fixture_close (&fixture);
}

/* ---- wide rows */

static guint
count_rows (ServiceFixture *fixture, const gchar *sql)
{
  g_autofree gchar *rows = service_fixture_run (fixture, sql);
  g_auto (GStrv) lines = g_strsplit (rows, "\n", -1);

  return g_strv_length (lines);
}

static void
test_wide_rows (void)
{
  ServiceFixture fixture;
  g_autofree gchar *plan = NULL;
  g_autoptr (GString) insert = g_string_new ("INSERT INTO p VALUES ");

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture,
      "DEFINE RELATION p { metric STRING KEY, ts TIMESTAMP KEY, v DOUBLE };"
      "DEFINE PRIMARY SCHEMA wide FOR p { TABLE 'tsdb', "
      "ROW suffix('-'){metric}:bucket(3600000){ts}, FAMILY 't', QUALIFIER offset(3600000){ts}, "
      "VALUE v }");
  for (guint i = 0; i < 200; i++)
    g_string_append_printf (insert, "%s('cpu', %" G_GINT64_FORMAT ", %u)", i > 0 ? ", " : "",
                            (gint64)i * 600000 - 3600000, i);
  g_free (service_fixture_run (&fixture, insert->str));
  g_assert_cmpuint (count_rows (&fixture, "SELECT ts FROM p"), ==, 200);
  service_fixture_assert (
      &fixture, "SELECT v FROM p WHERE metric = 'cpu' AND ts = '1970-01-01T00:10:00Z'", "7");
  service_fixture_assert (&fixture,
                          "SELECT v FROM p WHERE metric = 'cpu' AND ts >= '1969-12-31T23:50:00Z' "
                          "AND ts < '1970-01-01T00:20:00Z' ORDER BY v",
                          "5\n6\n7");
  plan = service_fixture_run (&fixture, "EXPLAIN SELECT v FROM p WHERE metric = 'cpu' AND ts = "
                                        "'1970-01-01T00:10:00Z'");
  g_assert_nonnull (strstr (plan, "row \"cpu-\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\""));
  g_assert_nonnull (strstr (plan, "t:\\x00\\x00\\x00\\x00\\x00\\x09'\\xc0"));
  g_free (service_fixture_run (&fixture, "DELETE FROM p WHERE ts < '1970-01-01'"));
  g_assert_cmpuint (count_rows (&fixture, "SELECT ts FROM p"), ==, 194);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/schema-options/splits", test_splits);
  g_test_add_func ("/daemon/schema-options/undecodable-are-counted", test_undecodable_are_counted);
  g_test_add_func ("/daemon/schema-options/undecodable-are-counted-when-sorted",
                   test_undecodable_are_counted_when_sorted);
  g_test_add_func ("/daemon/schema-options/undecodable-may-fail", test_undecodable_may_fail);
  g_test_add_func ("/daemon/schema-options/neighbours-are-skipped", test_neighbours_are_skipped);
  g_test_add_func ("/daemon/schema-options/sharing", test_sharing);
  g_test_add_func ("/daemon/schema-options/read-only", test_read_only);
  g_test_add_func ("/daemon/schema-options/write-only", test_write_only);
  g_test_add_func ("/daemon/schema-options/shadow", test_shadow);
  g_test_add_func ("/daemon/schema-options/a-second-look", test_a_second_look);
  g_test_add_func ("/daemon/schema-options/timestamps-of-cells", test_timestamps_of_cells);
  g_test_add_func ("/daemon/schema-options/wide-rows", test_wide_rows);
  return g_test_run ();
}
