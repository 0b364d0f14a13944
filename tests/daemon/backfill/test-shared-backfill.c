/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-shared-backfill.c: schemas on a store that other daemons may write to: what the steps of a
 * schema wait for, and BACKFILL, VERIFY and REPAIR of a relation whose writes are checked.
 */
#include "config.h"

#include "core/anchor/anchor.h"
#include "core/write/write-log.h"
#include "daemon/cluster/slot-table.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define STORE "rows"
#define DEFINE_R "DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH (writes = "
#define DEFINE_P                                                                                   \
  ");DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW text(3){k}, FAMILY 'f', VALUE text(3){v} };"
#define DEFINE_S "DEFINE SCHEMA s FOR r { TABLE 's', ROW text(3){v}:text(3){k}, FAMILY 'f' }"

static void
define (ServiceFixture *self, const gchar *mode)
{
  g_autofree gchar *sql = g_strconcat (DEFINE_R, mode, DEFINE_P, NULL);

  service_fixture_script (self, sql);
  service_fixture_script (self, "INSERT INTO r VALUES (1, 10), (2, 20), (3, 30)");
}

static void
assert_state (ServiceFixture *self, const gchar *expected)
{
  g_autofree gchar *text = service_fixture_run (self, "SHOW CREATE s");
  const gchar *state = strstr (text, "state = ");

  g_assert_cmpstr (state, ==, expected);
}

/* The last warning of a statement. (transfer full) */
static gchar *
run_with_warning (ServiceFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page->warnings);
  return g_strdup (page->warnings->pdata[page->warnings->len - 1]);
}

static void
backfill (ServiceFixture *self)
{
  g_autofree gchar *rows = service_fixture_run (self, "BACKFILL SCHEMA s");

  g_assert_nonnull (strstr (rows, "s|readable|"));
}

static void
apply (ServiceFixture *self, KvsqlMutationKind kind, const gchar *table, const gchar *row,
       const gchar *value, gint64 timestamp)
{
  const KvsqlMutation mutation = { .kind = kind,
                                   .table = kvsql_slice_from_text (table),
                                   .row = kvsql_slice_from_text (row),
                                   .family = kvsql_slice_from_text ("f"),
                                   .value = kvsql_slice_from_text (value),
                                   .timestamp = timestamp };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (self->service->store, &mutation, 1, NULL, &error), error);
}

static gint64
now_ms (void)
{
  return g_get_real_time () / 1000;
}

/* ---- waiting */

static void
change_holders (ServiceFixture *self, gboolean adds)
{
  KvsqldRegistry *registry = kvsqld_definitions_get_registry (self->service->definitions);
  gboolean is_written = FALSE;

  while (!is_written)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gchar *text = NULL, *changed = NULL;
      g_autoptr (KvsqldSlotTable) table = NULL;
      gint64 version;

      assert_done (registry->klass->read_slots (registry, &text, &version, NULL, &error), error);
      table = kvsqld_slot_table_parse (text, &error);
      g_assert_no_error (error);
      if (adds)
        {
          KvsqldSlotHolder *holder = kvsqld_slot_table_add (table);

          g_assert_true (kvsqld_slot_table_find_free (table, &holder->slot));
          holder->id = g_strdup ("00000000000000000000000000000000");
          holder->lease_s = 3600;
          holder->process = g_strdup ("elsewhere");
          holder->peer = g_strdup ("lost");
        }
      else
        kvsqld_slot_table_remove (
            table, kvsqld_slot_table_find (table, "00000000000000000000000000000000"));
      changed = kvsqld_slot_table_print (table);
      assert_done (
          registry->klass->write_slots (registry, version, changed, &is_written, NULL, &error),
          error);
    }
}

/* A daemon that has lost the registry may write without the schema, until its lease is over. */
static void
check_lost_daemon (ServiceFixture *self, const gchar *mode)
{
  g_autofree gchar *warning = NULL;

  define (self, mode);
  change_holders (self, TRUE);
  warning = run_with_warning (self, DEFINE_S);
  g_assert_cmpstr (warning, ==,
                   "schema \"s\" is not written yet: a daemon that cannot reach the registry may "
                   "still write");
  assert_state (self, "state = deleting)");
  change_holders (self, FALSE);
  backfill (self);
  assert_state (self, NULL);
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA s WHERE v > 10 ORDER BY k", "2\n3");
}

static void
test_lost_daemon_checked (ServiceFixture *self, gconstpointer data)
{
  check_lost_daemon (self, "checked");
}

static void
test_lost_daemon_plain (ServiceFixture *self, gconstpointer data)
{
  check_lost_daemon (self, "plain");
}

/* From the middle of the five seconds that DEFINE waits until after their end. */
static gpointer
hold_lock (gpointer path)
{
  gint fd;

  g_usleep (5 * G_USEC_PER_SEC / 2);
  fd = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_usleep (4 * G_USEC_PER_SEC);
  close (fd);
  return NULL;
}

/* The registry does not answer any more when the time is over: what DEFINE waited for is known. */
static void
test_locked_at_the_end (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *warning = NULL;
  g_autofree gchar *path
      = g_build_filename (self->registry_url + strlen ("local://"), "lock", NULL);
  GThread *thread;

  define (self, "checked");
  change_holders (self, TRUE);
  thread = g_thread_new ("lock", hold_lock, path);
  warning = run_with_warning (self, DEFINE_S);
  g_thread_join (thread);
  g_assert_cmpstr (warning, ==,
                   "schema \"s\" is not written yet: a daemon that cannot reach the registry may "
                   "still write");
  change_holders (self, FALSE);
}

static guint64
get_relation_id (ServiceFixture *self)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);

  return ((const KvsqlCatalogEntry *)catalog->entries->pdata[0])->relation->id;
}

/* A statement of a daemon that has ended is in the log until none of its requests can arrive. */
static void
test_late_write (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (KvsqlWriteLog) other = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *warning = NULL;
  const KvsqlSlice key = kvsql_slice_from_text ("no such key");
  KvsqlLogEntry entry;

  define (self, "checked");
  other = kvsql_write_log_new (self->service->store, 7);
  assert_done (
      kvsql_write_log_begin (other, get_relation_id (self) + 1, &key, 1, NULL, &entry, &error),
      error);
  service_fixture_script (self, DEFINE_S);
  assert_state (self, "state = building)");
  service_fixture_script (self, "DROP SCHEMA s");
  assert_done (kvsql_write_log_begin (other, get_relation_id (self), &key, 1, NULL, &entry, &error),
               error);
  warning = run_with_warning (self, DEFINE_S);
  g_assert_cmpstr (
      warning, ==,
      "schema \"s\" is not written yet: writes of the relation that are in the log are "
      "not finished");
  assert_state (self, "state = deleting)");
  kvsql_write_log_end (other, &entry, TRUE, NULL);
  backfill (self);
  assert_state (self, NULL);
}

/* A statement that began before may still read the schema. */
static void
test_drop (ServiceFixture *self, gconstpointer data)
{
  KvsqldDefinitions *definitions = self->service->definitions;
  g_autoptr (GError) error = NULL;
  KvsqlCatalog *used;

  define (self, "plain");
  service_fixture_script (self, DEFINE_S);
  backfill (self);
  used = kvsqld_definitions_enter (definitions);
  error = service_fixture_fail (self, "DROP SCHEMA s");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "the schema stays as it was: not all daemons know the definition yet: this "
                   "daemon runs a statement that began before the definition");
  assert_state (self, NULL);
  service_fixture_assert (self, "SELECT k FROM r USING SCHEMA s WHERE v > 10 ORDER BY k", "2\n3");
  kvsqld_definitions_leave (definitions, used);
  service_fixture_script (self, "DROP SCHEMA s");
  g_clear_error (&error);
  error = service_fixture_fail (self, "SHOW CREATE s");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME);
}

/* What a daemon leaves that ends in the middle of DROP SCHEMA. */
static void
test_drop_interrupted (ServiceFixture *self, gconstpointer data)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC };
  g_autofree gchar *pause = NULL, *other = NULL;
  g_autoptr (GError) error = NULL;

  define (self, "checked");
  service_fixture_script (self, DEFINE_S);
  backfill (self);
  assert_done (kvsqld_schema_stop_reading (self->service->definitions, "s", &call, &pause, &error),
               error);
  assert_state (self, "state = building)");
  service_fixture_script (self, "UPDATE r SET v = 40 WHERE k = 1");
  backfill (self);
  service_fixture_assert (self, "VERIFY SCHEMA s", "");
  /* it is another one by now */
  assert_done (kvsqld_schema_stop_reading (self->service->definitions, "s", &call, &other, &error),
               error);
  kvsqld_schema_read_again (self->service->definitions, "s", pause);
  assert_state (self, "state = building)");
  kvsqld_schema_read_again (self->service->definitions, "s", other);
  assert_state (self, NULL);
}

/* ---- anchors */

/* The rows of the primary may be older than the anchors. */
static void
test_backfill (ServiceFixture *self, gconstpointer data)
{
  define (self, "checked");
  service_fixture_script (self, "UPDATE r SET v = 11 WHERE k = 1; DELETE FROM r WHERE k = 2");
  /* late puts of the tuples before, which nothing hides here */
  apply (self, KVSQL_MUTATION_PUT, "p", "001", "010", now_ms () + 1000);
  apply (self, KVSQL_MUTATION_PUT, "p", "002", "020", now_ms () + 1000);
  /* without an anchor */
  apply (self, KVSQL_MUTATION_PUT, "p", "004", "040", now_ms ());
  service_fixture_script (self, DEFINE_S);
  backfill (self);
  service_fixture_assert (self, "SELECT k, v FROM r USING SCHEMA s ORDER BY k", "1|11\n3|30\n4|40");
}

/* In a table that has cells of the schema already. */
static void
test_rebuild (ServiceFixture *self, gconstpointer data)
{
  define (self, "checked");
  apply (self, KVSQL_MUTATION_PUT, "s", "030003", "wrong", now_ms () + 1000);
  apply (self, KVSQL_MUTATION_PUT, "s", "099009", "", now_ms ());
  service_fixture_script (self, "UPDATE r SET v = 11 WHERE k = 1; DELETE FROM r WHERE k = 2");
  apply (self, KVSQL_MUTATION_PUT, "p", "001", "010", now_ms () + 1000);
  service_fixture_script (self, DEFINE_S);
  assert_state (self, "state = rebuilding)");
  backfill (self);
  service_fixture_assert (self, "SELECT k, v FROM r USING SCHEMA s ORDER BY k", "1|11\n3|30");
  service_fixture_assert (self, "VERIFY SCHEMA s", "");
}

static void
assert_verify (ServiceFixture *self, const gchar *statement, const gchar *const *expected)
{
  g_autofree gchar *rows = service_fixture_run (self, statement);
  g_auto (GStrv) lines = g_strsplit (rows, "\n", -1);

  g_test_message ("%s", rows);
  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length ((gchar **)expected));
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_true (g_str_has_prefix (lines[i], expected[i]));
}

/* The anchors decide: a row that is older than its anchor is no reason to change a schema. */
static void
test_repair (ServiceFixture *self, gconstpointer data)
{
  static const gchar *const differences[]
      = { "missing|k = 2|", "different|k = 3|", "extra|k = 9|", NULL };

  define (self, "checked");
  service_fixture_script (self, DEFINE_S);
  backfill (self);
  service_fixture_script (self, "UPDATE r SET v = 11 WHERE k = 1");
  apply (self, KVSQL_MUTATION_PUT, "p", "001", "010", now_ms () + 1000);
  service_fixture_assert (self, "VERIFY SCHEMA s", "");
  service_fixture_assert (self, "REPAIR SCHEMA s", "");
  apply (self, KVSQL_MUTATION_DELETE, "s", "020002", "", now_ms ());
  apply (self, KVSQL_MUTATION_PUT, "s", "030003", "wrong", now_ms () + 1000);
  apply (self, KVSQL_MUTATION_PUT, "s", "099009", "", now_ms ());
  assert_verify (self, "VERIFY SCHEMA s", differences);
  assert_verify (self, "REPAIR SCHEMA s", differences);
  service_fixture_assert (self, "VERIFY SCHEMA s", "");
  service_fixture_assert (self, "SELECT k, v FROM r USING SCHEMA s ORDER BY k", "1|11\n2|20\n3|30");
}

/* ---- a write that is decided and not finished */

/* Makes the anchor of key 1 pending: no cell of its last write has reached a schema. */
static void
make_pending (ServiceFixture *self)
{
  KvsqlStore *store = self->service->store;
  const KvsqlRowRange all = { .start = KVSQL_SLICE_EMPTY };
  const KvsqlScanSpec spec = { .table = KVSQL_ANCHOR_TABLE, .ranges = &all, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT, .table = KVSQL_ANCHOR_TABLE };
  const KvsqlRows *rows;
  guint8 state[64];

  g_assert_no_error (error);
  assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
  for (guint i = 0; i < rows->n_cells; i++)
    if (kvsql_slice_equal (rows->cells[i].qualifier, KVSQL_ANCHOR_STATE))
      {
        const KvsqlCell *cell = &rows->cells[i];

        g_assert_cmpuint (cell->value.size, <=, sizeof state);
        memcpy (state, cell->value.data, cell->value.size);
        state[1] |= 1;
        put.row = rows->rows[0].key;
        put.family = cell->family;
        put.qualifier = cell->qualifier;
        put.value = kvsql_slice (state, cell->value.size);
        put.timestamp = cell->timestamp;
        break;
      }
  assert_done (kvsql_store_apply (store, &put, 1, NULL, &error), error);
}

/* VERIFY finishes it, and finds nothing. */
static void
test_unfinished (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R "checked" DEFINE_P "INSERT INTO r VALUES (1, 10)");
  service_fixture_script (self, DEFINE_S);
  backfill (self);
  service_fixture_script (self, "UPDATE r SET v = 11 WHERE k = 1");
  kvsqld_later_free (g_steal_pointer (&self->service->later)); /* the anchor is cleared by now */
  kvsql_storage_set_later (self->service->storage, NULL, NULL);
  make_pending (self);
  apply (self, KVSQL_MUTATION_DELETE, "s", "011001", "", now_ms () + 1000);
  apply (self, KVSQL_MUTATION_PUT, "s", "010001", "", now_ms () - 60000);
  service_fixture_assert (self, "VERIFY SCHEMA s", "");
  service_fixture_assert (self, "SELECT k, v FROM r USING SCHEMA s", "1|11");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/shared-backfill/" path, ServiceFixture, STORE, service_fixture_set_up, function,   \
              service_fixture_tear_down)
  ADD ("lost-daemon/checked", test_lost_daemon_checked);
  ADD ("lost-daemon/plain", test_lost_daemon_plain);
  ADD ("locked-at-the-end", test_locked_at_the_end);
  ADD ("late-write", test_late_write);
  ADD ("drop", test_drop);
  ADD ("drop-interrupted", test_drop_interrupted);
  ADD ("backfill", test_backfill);
  ADD ("rebuild", test_rebuild);
  ADD ("repair", test_repair);
  ADD ("unfinished", test_unfinished);
#undef ADD
  return g_test_run ();
}
