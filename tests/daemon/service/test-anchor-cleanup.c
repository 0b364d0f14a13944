/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-anchor-cleanup.c: a daemon removes the anchors of deleted tuples, and of relations that are
 * not defined any more.
 *
 * The store says that it has no atomic batches, as HBase.
 */
#include "config.h"

#include <string.h>

#include "core/anchor/anchor.h"
#include "core/write/write-log.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define SOON_US (30 * G_USEC_PER_SEC)
#define LATE_S 1
#define GRACE_S 2
/* A pass has certainly removed by then what it may. */
#define LONG_S 10

static const gchar definitions[]
    = "DEFINE RELATION r { k INT KEY, v BIGINT } WITH (writes = checked);"
      "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' };"
      "INSERT INTO r VALUES (1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (6, 60), (7, 70), (8, 80),"
      " (9, 90)";

static void
start (ServiceFixture *self, gint64 interval_s)
{
  self->limits.late_request_s = LATE_S;
  self->limits.delete_grace_s = GRACE_S;
  self->limits.anchor_cleanup_interval_s = interval_s;
  service_fixture_reopen (self);
}

static gboolean
has_status (ServiceFixture *self, const gchar *expected)
{
  g_autofree gchar *status = service_fixture_run (self, "SHOW STATUS");

  return strstr (status, expected) != NULL;
}

static void
run_until_status (ServiceFixture *self, const gchar *expected)
{
  gint64 end_us = g_get_monotonic_time () + SOON_US;

  while (!has_status (self, expected))
    {
      if (g_get_monotonic_time () >= end_us)
        {
          g_autofree gchar *status = service_fixture_run (self, "SHOW STATUS");

          g_error ("no \"%s\" in:\n%s", expected, status);
        }
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
}

static guint
count_anchors (const ServiceFixture *self)
{
  const KvsqlRowRange all = { 0 };
  const KvsqlScanSpec spec = { .table = KVSQL_ANCHOR_TABLE, .ranges = &all, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (self->service->store, &spec, NULL, &error);
  const KvsqlRows *rows;
  guint n = 0;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      n += rows->n_rows;
    }
  while (rows->n_rows > 0);
  return n;
}

static void
run_for (gint64 seconds)
{
  gint64 end_us = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;

  while (g_get_monotonic_time () < end_us)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
}

static guint64
count_passes (const ServiceFixture *self)
{
  KvsqldAnchorCleanupStatus status;

  kvsqld_anchor_cleanup_get_status (self->service->cleanup, &status);
  g_free (status.last_error);
  return status.n_passes;
}

/* Until a pass has ended that began when what is there now was old enough. */
static void
run_until_old (const ServiceFixture *self)
{
  gint64 end_us = g_get_monotonic_time () + SOON_US;
  guint64 n;

  run_for (GRACE_S + LATE_S);
  for (n = count_passes (self) + 2; count_passes (self) < n; run_for (1))
    g_assert_cmpint (g_get_monotonic_time (), <, end_us);
}

/* ---- cases */

static void
test_deleted_tuples (ServiceFixture *self, gconstpointer data)
{
  gint64 deleted_us;

  start (self, 1);
  service_fixture_script (self, definitions);
  deleted_us = g_get_monotonic_time ();
  service_fixture_script (self, "DELETE FROM r WHERE k >= 6; UPDATE r SET k = 15 WHERE k = 5");
  g_assert_cmpuint (count_anchors (self), ==, 10);
  run_until_status (self, "anchors of deleted tuples removed|5\n");
  g_assert_cmpint (g_get_monotonic_time () - deleted_us, >=, (GRACE_S + LATE_S) * G_USEC_PER_SEC);
  g_assert_cmpuint (count_anchors (self), ==, 5);
  service_fixture_script (self, "INSERT INTO r VALUES (6, 66); UPDATE r SET k = 5 WHERE k = 15");
  service_fixture_assert (self, "SELECT k, v FROM r ORDER BY k WITH VERIFIED",
                          "1|10\n2|20\n3|30\n4|40\n5|50\n6|66");
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA s WHERE v = 66", "6");
  g_assert_cmpuint (count_anchors (self), ==, 7);
}

/* While a statement is in the log, anchors of later DELETEs stay. */
static void
test_logged (ServiceFixture *self, gconstpointer data)
{
  const KvsqlSlice key = KVSQL_SLICE_LITERAL ("key");
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry entry;

  start (self, 1);
  service_fixture_script (self, definitions);
  assert_done (kvsql_write_log_begin (self->service->log, 1, &key, 1, NULL, &entry, &error), error);
  service_fixture_script (self, "DELETE FROM r");
  run_until_old (self);
  g_assert_cmpuint (count_anchors (self), ==, 9);
  kvsql_write_log_end (self->service->log, &entry, TRUE, NULL);
  run_until_status (self, "anchors of deleted tuples removed|9\n");
}

static void
test_undefined_relations (ServiceFixture *self, gconstpointer data)
{
  start (self, 1);
  service_fixture_script (self, definitions);
  service_fixture_script (self, "DEFINE RELATION q { k INT KEY } WITH (writes = checked);"
                                "DEFINE PRIMARY SCHEMA q_p FOR q { TABLE 'q', ROW ordered{k}, "
                                "FAMILY 'f', VALUE '' };"
                                "INSERT INTO q VALUES (1), (2)");
  service_fixture_script (self, "DROP SCHEMA s; DROP SCHEMA p; DROP RELATION r");
  run_until_status (self, "anchors of undefined relations removed|9\n");
  run_until_status (self, "anchor cleanup|completed");
  g_assert_cmpuint (count_anchors (self), ==, 2);
}

static void
test_off (ServiceFixture *self, gconstpointer data)
{
  start (self, 0);
  service_fixture_script (self, definitions);
  service_fixture_script (self, "DELETE FROM r");
  run_for (LONG_S);
  g_assert_true (has_status (self, "anchor cleanup|off\n"));
  g_assert_cmpuint (count_anchors (self), ==, 9);
}

/* Makes a new epoch with a write protocol that the daemon does not know. */
static void
forbid_writes (ServiceFixture *self)
{
  g_autofree gchar *path = g_build_filename (self->directory, "registry", "definitions", NULL);
  g_autofree gchar *text = NULL, *changed = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  assert_done (g_file_get_contents (path, &text, NULL, &error), error);
  lines = g_strsplit (text, "\n", 4);
  changed = g_strdup_printf ("%s\nepoch %" G_GINT64_FORMAT "\nwrites %u\n%s", lines[0],
                             g_ascii_strtoll (lines[1] + strlen ("epoch "), NULL, 10) + 1,
                             KVSQLD_WRITE_PROTOCOL + 1, lines[3]);
  assert_done (g_file_set_contents (path, changed, -1, &error), error);
}

static void
test_read_only (ServiceFixture *self, gconstpointer data)
{
  start (self, 1);
  service_fixture_script (self, definitions);
  service_fixture_script (self, "DELETE FROM r");
  forbid_writes (self);
  run_until_status (self, "anchors cannot be removed|this daemon cannot write");
  run_for (LONG_S);
  g_assert_cmpuint (count_anchors (self), ==, 9);
}

static void
commit (ServiceFixture *self, const gchar *name, const gchar *text)
{
  const KvsqlDefinitionChange change
      = { .kind = KVSQL_DEFINITION_RELATION, .name = name, .text = text };
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);
  g_autoptr (GError) error = NULL;

  assert_done (kvsqld_definitions_commit (self->service->definitions, catalog, &change, 1, NULL,
                                          NULL, &error),
               error);
}

/* As in the middle of ALTER RELATION … WITH (writes = …). */
static void
test_paused (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (KvsqlCatalog) catalog = NULL;
  g_autoptr (GString) text = NULL;

  start (self, 1);
  service_fixture_script (self, definitions);
  service_fixture_script (self, "DELETE FROM r");
  catalog = kvsqld_definitions_get (self->service->definitions);
  text = g_string_new (((KvsqlCatalogEntry *)catalog->entries->pdata[0])->relation->text);
  g_assert_cmpuint (g_string_replace (text, "writes = checked",
                                      "writes = paused, pause = x'0102030405060708'", 1),
                    ==, 1);
  commit (self, "r", text->str);
  run_until_old (self);
  g_assert_cmpuint (count_anchors (self), ==, 9);
}

/* A relation that seems to be undefined may be one whose definition cannot be read. */
static void
test_unreadable (ServiceFixture *self, gconstpointer data)
{
  start (self, 1);
  service_fixture_script (self, definitions);
  commit (self, "q", "DEFINE RELATION q {");
  service_fixture_script (self, "DROP SCHEMA s; DROP SCHEMA p; DROP RELATION r");
  run_until_old (self);
  g_assert_cmpuint (count_anchors (self), ==, 9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func)                                                                            \
  g_test_add ("/anchor-cleanup/" name, ServiceFixture, "rows", service_fixture_set_up, func,       \
              service_fixture_tear_down)
  ADD ("deleted-tuples", test_deleted_tuples);
  ADD ("logged", test_logged);
  ADD ("undefined-relations", test_undefined_relations);
  ADD ("off", test_off);
  ADD ("read-only", test_read_only);
  ADD ("paused", test_paused);
  ADD ("unreadable", test_unreadable);
  return g_test_run ();
}
