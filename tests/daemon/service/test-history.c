/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-history.c: SHOW HISTORY, RESTORE and SHOW DAEMONS on a running service.
 *
 * A change is one version, so the versions of a test are counted from its first statement.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "tests/harness/service-fixture.h"

#define DEFINE_R                                                                                   \
  "DEFINE RELATION r { k STRING KEY, v INT, w STRING };" /* version 1 */                           \
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW k, FAMILY 'f', QUALIFIER attr_name[k], "         \
  "VALUE attr_value[k] };"                                                           /* 2 */       \
  "DEFINE SCHEMA i FOR r { TABLE 'i', ROW v:k, FAMILY 'f', QUALIFIER '', VALUE '' }" /* 3 */

/* A column of SHOW HISTORY, its values joined by blanks. */
static gchar *
history_column (ServiceFixture *self, const gchar *sql, guint column)
{
  g_autofree gchar *all = service_fixture_run (self, sql);
  g_auto (GStrv) rows = g_strsplit (all, "\n", -1);
  GString *out = g_string_new (NULL);

  for (guint i = 0; rows[i] != NULL && rows[i][0] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (rows[i], "|", -1);

      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", cells[column]);
    }
  return g_string_free (out, FALSE);
}

static void
assert_column (ServiceFixture *self, const gchar *sql, guint column, const gchar *expected)
{
  g_autofree gchar *got = history_column (self, sql, column);

  g_assert_cmpstr (got, ==, expected);
}

enum
{
  COLUMN_VERSION,
  AT,
  COLUMN_NAME,
  COLUMN_KIND,
  COLUMN_CHANGE,
  COLUMN_BY,
  COLUMN_DAEMON,
  COLUMN_STATEMENT,
  COLUMN_DEFINITION,
};

static void
test_show (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *daemon = g_strdup_printf ("%s-%d", g_get_host_name (), (gint)getpid ());
  g_autofree gchar *user = g_strdup_printf (" user %s", g_get_user_name ());
  g_autofree gchar *peer = g_strdup_printf ("user %u", (guint)getuid ());
  const KvsqldRequest request = { .peer = peer };
  KvsqlResultPage *page;
  g_autoptr (GError) error = NULL;

  service_fixture_script (self, DEFINE_R);
  page = kvsqld_service_query (self->service, &request, kvsql_slice_from_text (" DROP SCHEMA i "),
                               NULL, 0, &error);
  g_assert_no_error (error);
  kvsql_result_page_free (page);
  assert_column (self, "SHOW HISTORY", COLUMN_VERSION, "1 2 3 4");
  assert_column (self, "SHOW HISTORY", COLUMN_NAME, "r p i i");
  assert_column (self, "SHOW HISTORY", COLUMN_KIND, "relation schema schema schema");
  assert_column (self, "SHOW HISTORY", COLUMN_CHANGE, "defined defined defined dropped");
  assert_column (self, "SHOW HISTORY FOR I", COLUMN_VERSION, "3 4");
  assert_column (self, "SHOW HISTORY FOR r", COLUMN_DEFINITION,
                 "DEFINE RELATION r { k STRING KEY, v INT, w STRING }");
  assert_column (self, "SHOW HISTORY FOR i", COLUMN_STATEMENT,
                 "DEFINE SCHEMA i FOR r { TABLE 'i', ROW v:k, FAMILY 'f', QUALIFIER '', VALUE '' } "
                 "DROP SCHEMA i");
  assert_column (self, "SHOW HISTORY FOR never", COLUMN_VERSION, "");
  assert_column (self, "SHOW HISTORY FOR r", COLUMN_DAEMON, daemon);
  assert_column (self, "SHOW HISTORY FOR i", COLUMN_BY, user);
}

/* Pages of @max_rows; their versions, with pages joined by "; ". */
static gchar *
history_in_pages (ServiceFixture *self, const gchar *sql, guint max_rows, gboolean changes_between)
{
  const KvsqldRequest request = { .max_rows = max_rows };
  GString *out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page->columns);
  while (TRUE)
    {
      g_autoptr (GBytes) cursor = g_steal_pointer (&page->cursor);

      g_assert_cmpuint (page->rows->n_rows, <=, max_rows);
      for (guint i = 0; i < page->rows->n_rows; i++)
        {
          KvsqlValue value = kvsql_vector_get (&page->rows->columns[COLUMN_VERSION], i);

          g_string_append_printf (out, "%.*s ", (gint)value.bytes.size, value.bytes.data);
        }
      if (cursor == NULL)
        return g_string_free (out, FALSE);
      if (changes_between)
        g_free (service_fixture_run (self, "COMMENT ON SCHEMA i IS 'x'"));
      changes_between = FALSE;
      g_string_append (out, "; ");
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (
          self->service, &request,
          kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor)), &error);
      g_assert_no_error (error);
      g_assert_null (page->columns);
    }
}

static void
assert_pages (ServiceFixture *self, const gchar *sql, guint max_rows, gboolean changes_between,
              const gchar *expected)
{
  g_autofree gchar *got = history_in_pages (self, sql, max_rows, changes_between);

  g_assert_cmpstr (got, ==, expected);
}

/* DROP RELATION is one version of three records. */
static void
test_pages (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R ";DROP RELATION r;" DEFINE_R);
  assert_pages (self, "SHOW HISTORY", 9, FALSE, "1 2 3 4 4 4 5 6 7 ");
  assert_pages (self, "SHOW HISTORY", 4, FALSE, "1 2 3 4 ; 4 4 5 6 ; 7 ");
  assert_pages (self, "SHOW HISTORY FOR i", 1, FALSE, "3 ; 4 ; 7 ");
  assert_pages (self, "SHOW HISTORY", 5, TRUE, "1 2 3 4 4 ; 4 5 6 7 8 ");
}

/* A page ends after the record that reaches its limit of bytes. */
static void
test_pages_of_bytes (ServiceFixture *self, gconstpointer data)
{
  const KvsqldServiceLimits limits = { .page_bytes = 20000 };
  g_autofree gchar *long_text = g_strnfill (15000, 'x');
  g_autofree gchar *comment = g_strdup_printf ("COMMENT ON RELATION r IS '%s'", long_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;

  service_fixture_script (self, DEFINE_R);
  for (guint i = 0; i < 10; i++)
    {
      comment[strlen (comment) - 2] = (gchar)('a' + i);
      g_free (service_fixture_run (self, comment));
    }
  kvsqld_service_set_limits (self->service, &limits);
  page = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text ("SHOW HISTORY"), NULL, 0,
                               &error);
  g_assert_no_error (error);
  g_assert_nonnull (page->cursor);
  g_assert_cmpuint (page->rows->n_rows, <, 12);
  assert_column (self, "SHOW HISTORY", COLUMN_VERSION, "1 2 3 4 5 6 7 8 9 10 11 12 13");
}

static void
assert_comment_refused (ServiceFixture *self, const gchar *format, const gchar *what)
{
  g_autofree gchar *long_text = g_strnfill (16 * 1024 + 1, 'x');
  g_auto (GStrv) parts = g_strsplit (format, "%", 2);
  g_autofree gchar *refused = g_strconcat (parts[0], "'", long_text, "'", parts[1], NULL);
  g_autofree gchar *accepted = g_strconcat (parts[0], "'", long_text + 1, "'", parts[1], NULL);
  g_autofree gchar *message
      = g_strdup_printf ("the comment on %s has 16385 bytes, more than the limit of 16384", what);

  service_fixture_assert_fails (self, refused, KVSQL_ERROR_LIMIT, message);
  g_free (service_fixture_run (self, accepted));
}

static void
test_long_comments (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R);
  assert_comment_refused (self, "COMMENT ON RELATION r IS %", "relation \"r\"");
  assert_comment_refused (self, "COMMENT ON ATTRIBUTE r.v IS %", "attribute \"v\"");
  assert_comment_refused (self, "COMMENT ON SCHEMA i IS %", "schema \"i\"");
  assert_comment_refused (self, "ALTER RELATION r ADD z INT COMMENT %", "attribute \"z\"");
  assert_comment_refused (self, "DEFINE RELATION s { k INT KEY } COMMENT %", "relation \"s\"");
  assert_comment_refused (self, "DEFINE RELATION t { k INT KEY COMMENT % }", "attribute \"k\"");
  assert_comment_refused (self,
                          "DEFINE SCHEMA j FOR r { TABLE 'j', ROW v:k, FAMILY 'f', QUALIFIER '', "
                          "VALUE '' } COMMENT %",
                          "schema \"j\"");
}

/* Undoes ALTER and COMMENT, with the schemas that they changed. */
static void
test_undo_alter (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R ";INSERT INTO r VALUES ('a', 1, 'x');"
                                         "ALTER RELATION r RENAME k TO key;" /* 4 */
                                         "ALTER RELATION r ADD z INT;"       /* 5 */
                                         "COMMENT ON RELATION r IS 'text';"  /* 6 */
                                         "INSERT INTO r VALUES ('b', 2, 'y', 3)");
  service_fixture_assert (self, "SELECT key, v, z FROM r WHERE v = 2", "b|2|3");
  g_free (service_fixture_run (self, "RESTORE RELATION r TO VERSION 1"));
  service_fixture_assert (self, "SELECT k, v, w FROM r ORDER BY k", "a|1|x\nb|2|y");
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA i WHERE v = 2", "b");
  assert_column (self, "SHOW HISTORY FOR i", COLUMN_VERSION, "3 4 7");
  service_fixture_assert (self, "RESTORE RELATION r TO VERSION 1", "");
  assert_column (self, "SHOW HISTORY FOR i", COLUMN_VERSION, "3 4 7");
  g_free (service_fixture_run (self, "RESTORE RELATION r TO VERSION 6"));
  service_fixture_assert (self, "SELECT key, z FROM r ORDER BY key", "a|NULL\nb|3");
}

static void
test_undo_drop (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R ";INSERT INTO r VALUES ('a', 1, 'x'), ('b', 2, 'y');"
                                         "ALTER RELATION r ADD z INT;" /* 4 */
                                         "DROP RELATION r");           /* 5 */
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 5", KVSQL_ERROR_INVALID,
                                "in version 5 relation \"r\" was dropped");
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 2", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"r\" has no version 2");
  g_free (service_fixture_run (self, "RESTORE RELATION r TO VERSION 4"));
  service_fixture_assert (self, "SELECT k, v, w, z FROM r ORDER BY k", "a|1|x|NULL\nb|2|y|NULL");
  /* The index may have missed writes while it was not defined. */
  service_fixture_assert (self, "SHOW SCHEMAS FOR r",
                          "p|r|yes|'t'|k|readable|\ni|r|no|'i'|v:k|building, needs BACKFILL|");
  g_free (service_fixture_run (self, "BACKFILL SCHEMA i"));
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA i WHERE v = 2", "b");
}

static void
test_schema (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R ";COMMENT ON SCHEMA i IS 'by v';" /* 4 */
                                         "COMMENT ON SCHEMA i IS NULL");   /* 5 */
  g_free (service_fixture_run (self, "RESTORE SCHEMA i TO VERSION 4"));    /* 6 */
  service_fixture_assert (self, "SHOW CREATE i",
                          "DEFINE SCHEMA i FOR r { TABLE 'i', ROW v:k, FAMILY 'f', QUALIFIER '', "
                          "VALUE '' } COMMENT 'by v'");
  service_fixture_script (self, "DROP SCHEMA i;" /* 7 */
                                "DEFINE SCHEMA i FOR r { TABLE 'i', ROW suffix('-'){w}:k, "
                                "FAMILY 'f', QUALIFIER '', VALUE '' }"); /* 8 */
  service_fixture_assert_fails (self, "RESTORE SCHEMA i TO VERSION 4", KVSQL_ERROR_DEFINITION,
                                "schema \"i\" was another then: what was written since could not "
                                "be read, as ROW differs");
  service_fixture_script (self, "DROP SCHEMA i; RESTORE SCHEMA i TO VERSION 4");
  service_fixture_assert (self, "SHOW CREATE i",
                          "DEFINE SCHEMA i FOR r { TABLE 'i', ROW v:k, FAMILY 'f', QUALIFIER '', "
                          "VALUE '' } COMMENT 'by v'");
  service_fixture_assert_fails (self, "RESTORE SCHEMA i TO VERSION 1", KVSQL_ERROR_UNKNOWN_NAME,
                                "schema \"i\" has no version 1");
}

/* A definition that makes stored tuples unreadable is rejected, and nothing changes. */
static void
test_refused (ServiceFixture *self, gconstpointer data)
{
  static const struct
  {
    const gchar *definition;
    const gchar *message;
  } cases[] = {
    { "k INT KEY, v INT", "attribute \"k\" had another type then" },
    { "k STRING KEY, v STRING", "attribute \"v\" had another type then" },
    { "k STRING KEY, v INT NOT NULL", "attribute \"v\" was NOT NULL then, and may be NULL now" },
    { "k STRING KEY, v INT, x INT NOT NULL",
      "attribute \"x\" was NOT NULL then: the tuples that are there have no value for it" },
    { "k STRING KEY, v INT KEY", "attribute \"v\" is part of the key either now or then" },
    { "k STRING, v INT, k2 STRING KEY", "attribute \"k\" is part of the key either now or then" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *old
          = g_strdup_printf ("DEFINE RELATION q%u { %s }", i, cases[i].definition);
      g_autofree gchar *new = g_strdup_printf (
          "DROP RELATION q%u; DEFINE RELATION q%u { k STRING KEY, v INT };"
          "DEFINE PRIMARY SCHEMA q%u_p FOR q%u { TABLE 'q%u', ROW k, FAMILY 'f', QUALIFIER "
          "attr_name[k], VALUE attr_value[k] }",
          i, i, i, i, i);
      g_autofree gchar *restore
          = g_strdup_printf ("RESTORE RELATION q%u TO VERSION %u", i, 4 * i + 1);

      service_fixture_script (self, old);
      service_fixture_script (self, new);
      service_fixture_assert_fails (self, restore, KVSQL_ERROR_DEFINITION, cases[i].message);
    }
}

/* Cells carry the names of attributes that have cells of their own. */
static void
test_refused_name (ServiceFixture *self, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autofree gchar *script
          = g_strdup_printf ("DROP RELATION IF EXISTS r;"                       /* nothing; 3 */
                             "DEFINE RELATION r { %1$s STRING KEY, a STRING };" /* 1; 4 */
                             "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW size{a}:%1$s, FAMILY "
                             "'f', QUALIFIER attr_name[a], VALUE attr_value[a] }",
                             i == 0 ? "k" : "l");

      service_fixture_script (self, script);
    }
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 1", KVSQL_ERROR_DEFINITION,
                                "attribute \"l\" had another name then, and cells carry its name");
}

/* Names and tables that are in use again. */
static void
test_taken (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (
      self, DEFINE_R ";DROP RELATION r;" /* 4 */
                     "DEFINE RELATION other { k STRING KEY };"
                     "DEFINE PRIMARY SCHEMA i FOR other { TABLE 'o', ROW k, FAMILY 'f', QUALIFIER "
                     "'', VALUE '' }");
  service_fixture_assert (self, "SHOW HISTORY FOR missing", "");
  service_fixture_assert_fails (self, "RESTORE SCHEMA p TO VERSION 2", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"r\" does not exist");
  service_fixture_assert_fails (self, "RESTORE SCHEMA i TO VERSION 3", KVSQL_ERROR_DEFINITION,
                                "schema \"i\" was of another relation then, \"r\"");
  g_free (service_fixture_run (self, "DROP RELATION other"));
  service_fixture_script (
      self,
      "DEFINE RELATION other { k STRING KEY };"
      "DEFINE PRIMARY SCHEMA o FOR other { TABLE 't', ROW k, FAMILY 'f', QUALIFIER 'v', VALUE "
      "'' }");
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 1", KVSQL_ERROR_DEFINITION,
                                "schemas \"p\" and \"o\" could write the same cell");
}

static void
test_daemons (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *before = service_fixture_run (self, "SHOW DAEMONS");
  g_autofree gchar *after = NULL;

  g_assert_true (g_str_has_suffix (before, "|0|ok"));
  g_free (service_fixture_run (self, "DEFINE RELATION r { k STRING KEY }"));
  after = service_fixture_run (self, "SHOW DAEMONS");
  g_assert_true (g_str_has_suffix (after, "|1|ok"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *path;
    void (*run) (ServiceFixture *self, gconstpointer data);
  } tests[] = {
    { "/history/show", test_show },
    { "/history/pages", test_pages },
    { "/history/pages-of-bytes", test_pages_of_bytes },
    { "/history/long-comments", test_long_comments },
    { "/history/restore/undoes-alter", test_undo_alter },
    { "/history/restore/undoes-drop", test_undo_drop },
    { "/history/restore/schema", test_schema },
    { "/history/restore/refused", test_refused },
    { "/history/restore/refused-name", test_refused_name },
    { "/history/restore/taken", test_taken },
    { "/history/daemons", test_daemons },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, ServiceFixture, NULL, service_fixture_set_up, tests[i].run,
                service_fixture_tear_down);
  return g_test_run ();
}
