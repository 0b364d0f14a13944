/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-write-protocol.c: a daemon that does not know the write protocol of its registry only reads.
 *
 * The store says that it has no atomic batches, as HBase. Other daemons are played by the test,
 * which writes the file of definitions, and the file of a daemon.
 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "daemon/cluster/slot-table.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define KNOWN G_STRINGIFY (KVSQLD_WRITE_PROTOCOL)
#define NEWER_NUMBER 99
#define NEWER G_STRINGIFY (NEWER_NUMBER)
#define SOON_US (20 * G_USEC_PER_SEC)

static const gchar definitions[]
    = "DEFINE RELATION r { k INT KEY, v BIGINT } WITH (writes = checked);"
      "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' };"
      "INSERT INTO r VALUES (1, 10), (2, 20)";

static gchar *
definitions_path (ServiceFixture *self)
{
  return g_build_filename (self->directory, "registry", "definitions", NULL);
}

static gchar *
read_definitions (ServiceFixture *self)
{
  g_autofree gchar *path = definitions_path (self);
  g_autoptr (GError) error = NULL;
  gchar *text;

  assert_done (g_file_get_contents (path, &text, NULL, &error), error);
  return text;
}

/* Makes a new epoch with that line as write protocol; "": without one. */
static void
set_protocol (ServiceFixture *self, const gchar *line)
{
  g_autofree gchar *path = definitions_path (self), *text = read_definitions (self);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 4);
  gboolean had_one = g_str_has_prefix (lines[2], "writes ");
  gint64 epoch = g_ascii_strtoll (lines[1] + strlen ("epoch "), NULL, 10);
  g_autofree gchar *changed
      = g_strdup_printf ("%s\nepoch %" G_GINT64_FORMAT "\n%s%s%s%s", lines[0], epoch + 1, line,
                         had_one ? "" : lines[2], had_one ? "" : "\n", lines[3]);
  g_autoptr (GError) error = NULL;

  assert_done (g_file_set_contents (path, changed, -1, &error), error);
}

static gboolean
has_protocol (ServiceFixture *self, guint number, gboolean is_announced)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);

  return catalog->write_protocol == number && catalog->is_protocol_announced == is_announced;
}

/* The watch needs the main loop. */
static void
run_until_protocol (ServiceFixture *self, guint number, gboolean is_announced)
{
  gint64 end_us = g_get_monotonic_time () + SOON_US;

  while (!has_protocol (self, number, is_announced))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static GError *
insert_columns (ServiceFixture *self)
{
  const gchar *const names[] = { "k", NULL };
  gint64 key = 9, affected = 0;
  KvsqlVector column = { .type = KVSQL_TYPE_BIGINT, .integers = &key };
  KvsqlBatch batch = { .n_rows = 1, .capacity = 1, .n_columns = 1, .columns = &column };
  GError *error = NULL;

  g_assert_false (
      kvsqld_service_insert_rows (self->service, NULL, "r", names, &batch, &affected, &error));
  return error;
}

static void
assert_status (ServiceFixture *self, const gchar *expected)
{
  g_autofree gchar *status = service_fixture_run (self, "SHOW STATUS");

  if (strstr (status, expected) == NULL)
    g_error ("no \"%s\" in:\n%s", expected, status);
}

static const gchar *const writes[] = {
  "INSERT INTO r VALUES (3, 30)",
  "INSERT INTO r VALUES (1, 30) ON CONFLICT DO UPDATE SET v = 31",
  "UPDATE r SET v = v + 1 WHERE k = 1",
  "UPDATE r SET k = 7 WHERE k = 1",
  "DELETE FROM r WHERE k = 1",
  "DELETE FROM r",
  "REPAIR SCHEMA s",
  "BACKFILL SCHEMA s",
  "EXPLAIN ANALYZE DELETE FROM r WHERE k = 1",
};
static const gchar *const changes[] = {
  "DEFINE RELATION r2 { k INT KEY }",
  "DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' }",
  "ALTER RELATION r ADD w STRING",
  "ALTER RELATION r WITH (writes = plain)",
  "COMMENT ON RELATION r IS 'c'",
  "DROP SCHEMA s",
};

static void
assert_reads (ServiceFixture *self)
{
  service_fixture_assert (self, "SELECT k, v FROM r ORDER BY k", "1|10\n2|20");
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA s WHERE v = 20", "2");
  g_free (service_fixture_run (self, "EXPLAIN DELETE FROM r WHERE k = 1"));
  g_free (service_fixture_run (self, "EXPLAIN (CALLS) INSERT INTO r VALUES (3, 30)"));
  g_free (service_fixture_run (self, "VERIFY SCHEMA s"));
  g_free (service_fixture_run (self, "DESCRIBE r"));
}

static const gchar unknown[]
    = "this daemon cannot write: the daemons of its registry use write protocol " NEWER
      ", and it knows "
      "only write protocol " KNOWN;

static void
assert_read_only (ServiceFixture *self)
{
  g_autoptr (GError) error = insert_columns (self);

  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY);
  g_assert_cmpstr (error->message, ==, unknown);
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), "Upgrade this daemon"));
  g_assert_cmpstr (kvsql_error_code_sqlstate (error->code), ==, "25006");
  g_assert_false (kvsql_error_code_is_retryable (error->code));
  for (guint i = 0; i < G_N_ELEMENTS (writes); i++)
    service_fixture_assert_fails (self, writes[i], KVSQL_ERROR_READ_ONLY, unknown);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    service_fixture_assert_fails (self, changes[i], KVSQL_ERROR_READ_ONLY, unknown);
  assert_reads (self);
  assert_status (self, "write protocol|" NEWER "\n");
  assert_status (self, "this daemon may write|no: this daemon cannot write");
  assert_status (self, "definitions can be changed|no\n");
}

static void
assert_writes (ServiceFixture *self)
{
  assert_status (self, "write protocol|" KNOWN "\n");
  assert_status (self, "this daemon may write|yes\n");
  assert_status (self, "definitions can be changed|yes\n");
  service_fixture_script (self, "INSERT INTO r VALUES (3, 30); DELETE FROM r WHERE k = 3");
  assert_reads (self);
}

/* ---- cases */

static void
test_new_registry (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *before = NULL, *after = NULL;

  service_fixture_script (self, definitions);
  before = read_definitions (self);
  g_assert_nonnull (strstr (before, "\nwrites " KNOWN "\nrelation r 1\n"));
  assert_writes (self);
  service_fixture_script (self, "COMMENT ON RELATION r IS 'c'");
  after = read_definitions (self);
  g_assert_nonnull (strstr (after, "\nwrites " KNOWN "\n"));
}

/* Not only statements change the registry: jobs note their progress there. */
static void
assert_commit_refused (ServiceFixture *self)
{
  const KvsqlDefinitionChange change
      = { .kind = KVSQL_DEFINITION_BACKFILL, .name = "s", .text = "" };
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsqld_definitions_commit (self->service->definitions, catalog, &change, 1, NULL,
                                             NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY);
}

static void
test_while_it_runs (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, definitions);
  set_protocol (self, "writes " NEWER "\n");
  run_until_protocol (self, NEWER_NUMBER, FALSE);
  assert_read_only (self);
  assert_commit_refused (self);
  set_protocol (self, "writes " KNOWN "\n");
  run_until_protocol (self, KVSQLD_WRITE_PROTOCOL, FALSE);
  assert_writes (self);
  /* from the announcement on */
  set_protocol (self, "writes " NEWER " announced\n");
  run_until_protocol (self, NEWER_NUMBER, TRUE);
  service_fixture_assert_fails (self, writes[0], KVSQL_ERROR_READ_ONLY, unknown);
}

static void
test_at_start (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *text = NULL;

  self->limits.late_request_s = 1; /* the recovery looks four times a second */
  service_fixture_reopen (self);
  service_fixture_script (self, definitions);
  set_protocol (self, "writes " NEWER "\n");
  g_clear_pointer (&self->service, kvsqld_service_free);
  service_fixture_start (self);
  /* a store in memory is empty now */
  service_fixture_assert_fails (self, writes[0], KVSQL_ERROR_READ_ONLY, unknown);
  service_fixture_assert (self, "SELECT k FROM r", "");
  for (gint64 end_us = g_get_monotonic_time () + SOON_US;;)
    {
      g_autofree gchar *status = service_fixture_run (self, "SHOW STATUS");

      if (strstr (status, "unfinished statements cannot be finished|this daemon cannot write")
          != NULL)
        {
          g_assert_nonnull (strstr (status, "unfinished statements|not known yet\n"));
          break;
        }
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (10000);
    }
  text = read_definitions (self);
  g_assert_nonnull (strstr (text, "\nwrites " NEWER "\n"));
}

/* A registry of an earlier build gets the number from the first daemon that starts. */
static void
test_earlier_build (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *text = NULL;

  service_fixture_script (self, definitions);
  set_protocol (self, "");
  g_clear_pointer (&self->service, kvsqld_service_free);
  service_fixture_start (self);
  text = read_definitions (self);
  g_assert_nonnull (strstr (text, "\nwrites " KNOWN "\n"));
  service_fixture_script (self, "INSERT INTO r VALUES (1, 10), (2, 20)");
  assert_writes (self);
}

/* The file of another daemon, which has acknowledged an older epoch. */
static gint
make_daemon (ServiceFixture *self, gchar **out_path)
{
  static const gchar epoch[] = "00000000000000000001\n";
  gint fd;

  *out_path = g_build_filename (self->directory, "registry", "daemons", "1-00000001", NULL);
  fd = open (*out_path, O_RDWR | O_CREAT, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  g_assert_cmpint (write (fd, epoch, strlen (epoch)), ==, (gssize)strlen (epoch));
  return fd;
}

/* Nothing is written until the other daemon has acknowledged the announcement, or has ended. */
static void
test_announced (ServiceFixture *self, gconstpointer data)
{
  static const gchar refusal[]
      = "nothing is written now: the daemons of this registry change to write protocol " KNOWN;
  g_autofree gchar *path = NULL;
  g_autoptr (GError) error = NULL;
  gint fd;

  service_fixture_script (self, definitions);
  fd = make_daemon (self, &path);
  set_protocol (self, "");
  run_until_protocol (self, KVSQLD_WRITE_PROTOCOL, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (writes); i++)
    service_fixture_assert_fails (self, writes[i], KVSQL_ERROR_UNAVAILABLE, refusal);
  error = insert_columns (self);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  assert_reads (self);
  g_usleep (2 * G_USEC_PER_SEC); /* the daemon has tried to go on */
  g_assert_true (has_protocol (self, KVSQLD_WRITE_PROTOCOL, TRUE));
  assert_status (self, "write protocol|" KNOWN ", announced\n");
  assert_status (self, "daemon 1-00000001 uses the definitions of epoch 1");

  g_assert_cmpint (g_unlink (path), ==, 0);
  close (fd);
  run_until_protocol (self, KVSQLD_WRITE_PROTOCOL, FALSE);
  assert_writes (self);
}

/* Another daemon, which holds a slot and has no session, comes or leaves. */
static void
set_absent (ServiceFixture *self, gboolean is_there)
{
  static const gchar id[] = "00000000000000000000000000000007";
  KvsqldRegistry *registry = kvsqld_definitions_get_registry (self->service->definitions);
  gboolean is_written = FALSE;

  while (!is_written)
    {
      g_autofree gchar *text = NULL, *changed = NULL;
      g_autoptr (KvsqldSlotTable) table = NULL;
      g_autoptr (GError) error = NULL;
      gint64 version;

      assert_done (registry->klass->read_slots (registry, &text, &version, NULL, &error), error);
      table = kvsqld_slot_table_parse (text, &error);
      g_assert_no_error (error);
      if (is_there)
        {
          KvsqldSlotHolder *holder = kvsqld_slot_table_add (table);

          g_assert_true (kvsqld_slot_table_find_free (table, &holder->slot));
          holder->id = g_strdup (id);
          holder->lease_s = 3600;
          holder->process = g_strdup ("elsewhere");
          holder->peer = g_strdup ("away-1-1");
        }
      else
        kvsqld_slot_table_remove (table, kvsqld_slot_table_find (table, id));
      changed = kvsqld_slot_table_print (table);
      assert_done (
          registry->klass->write_slots (registry, version, changed, &is_written, NULL, &error),
          error);
    }
}

/* It may have lost the registry, and write by the protocol before until its lease is over. */
static void
test_lease (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, definitions);
  set_absent (self, TRUE);
  set_protocol (self, "");
  run_until_protocol (self, KVSQLD_WRITE_PROTOCOL, TRUE);
  g_usleep (2 * G_USEC_PER_SEC); /* the daemon has tried to go on */
  g_assert_true (has_protocol (self, KVSQLD_WRITE_PROTOCOL, TRUE));
  assert_status (self, "a daemon that cannot reach the registry may still write");
  set_absent (self, FALSE);
  run_until_protocol (self, KVSQLD_WRITE_PROTOCOL, FALSE);
  assert_writes (self);
}

/* A job that began before. */
static void
test_backfill (ServiceFixture *self, gconstpointer data)
{
  gint64 end_us = g_get_monotonic_time () + SOON_US;
  KvsqldBackfillState state;
  gboolean is_known;

  service_fixture_script (self, definitions);
  service_fixture_script (self, "DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW ordered{v}:ordered{k}, "
                                "FAMILY 'f', VALUE '' }");
  set_protocol (self, "writes " NEWER "\n");
  run_until_protocol (self, NEWER_NUMBER, FALSE);
  kvsqld_backfills_start (self->service->backfills, "s2");
  is_known = kvsqld_backfills_wait (self->service->backfills, "s2", end_us, &state);
  g_assert_true (is_known && !state.is_running);
  g_assert_error (state.error, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY);
  g_assert_cmpstr (state.error->message, ==, unknown);
  kvsqld_backfill_state_clear (&state);

  set_protocol (self, "writes " KNOWN "\n");
  run_until_protocol (self, KVSQLD_WRITE_PROTOCOL, FALSE);
  g_free (service_fixture_run (self, "BACKFILL SCHEMA s2"));
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA s2 WHERE v = 20", "2");
}

static gpointer
insert_paused (gpointer self)
{
  return service_fixture_fail (self, "INSERT INTO q VALUES (1, 10)");
}

/* A statement that waits for the end of a pause has newer definitions afterwards. */
static void
test_paused (ServiceFixture *self, gconstpointer data)
{
  const KvsqlDefinitionChange pause
      = { .kind = KVSQL_DEFINITION_RELATION,
          .name = "q",
          .text = "DEFINE RELATION q { k INT KEY, v BIGINT } WITH (writes = paused, pause = "
                  "x'0102030405060708')" };
  g_autoptr (KvsqlCatalog) catalog = NULL;
  g_autoptr (GError) error = NULL, failure = NULL;
  GThread *thread;

  service_fixture_script (self, "DEFINE RELATION q { k INT KEY, v BIGINT };"
                                "DEFINE PRIMARY SCHEMA q_p FOR q { TABLE 'q_p', ROW ordered{k}, "
                                "FAMILY 'f', VALUE v }");
  catalog = kvsqld_definitions_get (self->service->definitions);
  assert_done (kvsqld_definitions_commit (self->service->definitions, catalog, &pause, 1, NULL,
                                          NULL, &error),
               error);
  thread = g_thread_new ("insert", insert_paused, self);
  while (kvsql_count_get (&self->service->n_running) == 0)
    g_usleep (1000);
  g_usleep (100000); /* it waits */
  set_protocol (self, "writes " NEWER "\n");
  run_until_protocol (self, NEWER_NUMBER, FALSE);
  failure = g_thread_join (thread);
  g_assert_error (failure, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY);
}

/* Where no other daemon writes to the store, there is nothing to agree on. */
static void
test_atomic_store (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *text = NULL, *status = NULL;

  service_fixture_script (self, definitions);
  text = read_definitions (self);
  g_assert_null (strstr (text, "\nwrites"));
  set_protocol (self, "writes " NEWER "\n");
  run_until_protocol (self, NEWER_NUMBER, FALSE);
  service_fixture_script (self, "INSERT INTO r VALUES (3, 30); COMMENT ON RELATION r IS 'c'");
  status = service_fixture_run (self, "SHOW STATUS");
  g_assert_null (strstr (status, "write protocol"));
  g_free (text);
  text = read_definitions (self);
  g_assert_nonnull (strstr (text, "\nwrites " NEWER "\n"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *path, *store;
    void (*run) (ServiceFixture *self, gconstpointer data);
  } tests[] = {
    { "/write-protocol/new-registry", "rows", test_new_registry },
    { "/write-protocol/while-it-runs", "rows", test_while_it_runs },
    { "/write-protocol/at-start", "rows", test_at_start },
    { "/write-protocol/earlier-build", "rows", test_earlier_build },
    { "/write-protocol/announced", "rows", test_announced },
    { "/write-protocol/lease", "rows", test_lease },
    { "/write-protocol/backfill", "rows", test_backfill },
    { "/write-protocol/paused", "rows", test_paused },
    { "/write-protocol/atomic-store", "memory:", test_atomic_store },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, ServiceFixture, tests[i].store, service_fixture_set_up, tests[i].run,
                service_fixture_tear_down);
  return g_test_run ();
}
