/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-blind-recovery.c: a daemon finds intents of blind writes that another one has left in the
 * log.
 */
#include "config.h"

#include "core/write/blind-write.h"
#include "core/write/write-log.h"
#include "daemon/monitor/metrics-text.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define SOON_US (60 * G_USEC_PER_SEC)
#define DEAD 77 /* no daemon has this id */
#define OLD 1000

static const gchar definitions[]
    = "DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH (writes = blind);"
      "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE ordered{v} };"
      "DEFINE SCHEMA s FOR r { TABLE 's', ROW 's':ordered{k}, FAMILY 'f', VALUE ordered{v} };"
      "INSERT INTO r VALUES (1, 10), (2, 20)";

static gint n_warnings; /* atomic; of intents that are too old */

static GLogWriterOutput
count_warnings (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (g_strcmp0 (fields[i].key, "MESSAGE") == 0
        && g_str_has_prefix (fields[i].value, "a blind write of relation \"r\" was left"))
      {
        g_atomic_int_inc (&n_warnings);
        return G_LOG_WRITER_HANDLED;
      }
  return g_log_writer_default (level, fields, n_fields, data);
}

static const KvsqlCatalogEntry *
get_relation (const KvsqlCatalog *catalog)
{
  return catalog->entries->pdata[0];
}

/* The id of the relation. */
static guint64
define (ServiceFixture *self)
{
  g_autoptr (KvsqlCatalog) catalog = NULL;

  service_fixture_script (self, definitions);
  catalog = kvsqld_definitions_get (self->service->definitions);
  return get_relation (catalog)->relation->id;
}

/* As a daemon does that ends after it has logged the write. */
static void
leave (ServiceFixture *self, KvsqlWriteLog *log, guint64 relation_id, gint64 k, gint64 v,
       gint64 timestamp)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);
  const KvsqlValue tuple[] = { { .type = KVSQL_TYPE_BIGINT, .integer = k },
                               { .type = KVSQL_TYPE_BIGINT, .integer = v } };
  const KvsqlValue *tuples[] = { tuple };
  const KvsqlBlindWrite write
      = { .tuples = tuples, .n = 1, .is_delete = v == 0, .timestamp = timestamp };
  g_autoptr (GError) error = NULL;
  KvsqlBuffer intent = { 0 };
  KvsqlLogEntry entry;
  guint next = 0;

  kvsql_blind_intent_append (get_relation (catalog)->relation, &write, 1000, &next, &intent);
  assert_done (kvsql_write_log_begin_intent (log, relation_id, kvsql_buffer_slice (&intent), NULL,
                                             &entry, &error),
               error);
  kvsql_buffer_clear (&intent);
}

static guint
count_left (ServiceFixture *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry *entries;
  guint n;

  assert_done (
      kvsql_log_entries_read (self->service->store, DEAD, DEAD, NULL, arena, &entries, &n, &error),
      error);
  return n;
}

static void
test_left (ServiceFixture *self, gconstpointer data)
{
  const gint64 now = g_get_real_time () / 1000, until_us = g_get_monotonic_time () + SOON_US;
  g_autoptr (KvsqlWriteLog) log = NULL;
  g_autofree gchar *status = NULL;
  guint64 id;

  id = define (self);
  log = kvsql_write_log_new (self->service->store, DEAD);
  leave (self, log, id, 1, 11, now + 2000);
  leave (self, log, id, 2, 0, now + 2000);
  /* older than what tables remember of deletes; and of a relation that may be new */
  leave (self, log, id, 3, 30, OLD);
  leave (self, log, id + 1, 4, 40, now + 2000);
  while (count_left (self) > 1)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (20000);
    }
  g_assert_cmpint (g_atomic_int_get (&n_warnings), ==, 1);
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA p", "1|11");
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA s", "1|11");
  status = service_fixture_run (self, "SHOW STATUS");
  g_assert_nonnull (strstr (status, "unfinished statements|0\n"));
}

#define MINUTES_AGO 120000 /* ms */

/* An intent that no daemon can read, as it is in the log since @begun_ms. */
static void
leave_damaged (ServiceFixture *self, guint64 relation_id, gint64 begun_ms)
{
  guint8 row[12] = { 0 }, value[33] = { 3 };
  const KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                              .table = KVSQL_LOG_TABLE,
                              .row = { row, sizeof row },
                              .family = KVSQL_LOG_FAMILY,
                              .qualifier = KVSQL_SLICE_LITERAL ("keys"),
                              .value = { value, sizeof value },
                              .timestamp = begun_ms };
  g_autoptr (GError) error = NULL;

  kvsql_put_be64 (row, DEAD);
  kvsql_put_be64 (value + 1, 1);
  kvsql_put_be64 (value + 9, relation_id);
  kvsql_put_be64 (value + 17, (guint64)g_get_real_time () / 1000); /* T */
  memset (value + 25, 0xff, sizeof value - 25);
  assert_done (kvsql_store_apply (self->service->store, &put, 1, NULL, &error), error);
}

static void
await_status (ServiceFixture *self, const gchar *line)
{
  const gint64 until_us = g_get_monotonic_time () + SOON_US;
  g_autofree gchar *status = NULL;

  while (status == NULL || strstr (status, line) == NULL)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (20000);
      g_free (status);
      status = service_fixture_run (self, "SHOW STATUS");
    }
}

/* A statement that cannot be finished: SHOW STATUS and the metrics say so, and since when. */
static void
test_unfinished (ServiceFixture *self, gconstpointer data)
{
  static const KvsqldConnectionStatus no_connections;
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autofree gchar *metrics = NULL;
  guint64 id;

  id = define (self);
  leave_damaged (self, id, g_get_real_time () / 1000 - MINUTES_AGO);
  await_status (self, "unfinished statements|1\n");
  await_status (self, "unfinished statements cannot be finished|an intent of relation \"r\" in the "
                      "log of writes is damaged\n");
  page = kvsqld_service_query (self->service, NULL, KVSQL_SLICE_LITERAL ("SHOW STATUS"), NULL, 0,
                               &error);
  assert_done (page != NULL, error);
  g_assert_nonnull (page->warnings);
  g_assert_true (g_pattern_match_simple ("a statement has not been finished for 1?? s (1 in all): "
                                         "schemas may differ in its tuples",
                                         page->warnings->pdata[0]));
  metrics = kvsqld_metrics_print (self->service, &no_connections);
  g_assert_nonnull (strstr (metrics, "\nkvsqld_unfinished_statements 1\n"));
  g_assert_nonnull (strstr (metrics, "\nkvsqld_unfinished_statement_age_seconds 1"));
}

/* What this daemon has left counts at once, before a look at the log has found it. */
static void
test_own (ServiceFixture *self, gconstpointer data)
{
  static const guint8 damaged[] = { 0xff, 0xff, 0xff };
  KvsqlWriteLog *log = kvsql_storage_get_log (self->service->storage);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *before = NULL, *after = NULL;
  KvsqlLogEntry entry;
  guint64 id;

  id = define (self);
  await_status (self, "unfinished statements|0\n");
  assert_done (kvsql_write_log_begin_intent (log, id, kvsql_slice (damaged, sizeof damaged), NULL,
                                             &entry, &error),
               error);
  before = service_fixture_run (self, "SHOW STATUS");
  g_assert_nonnull (strstr (before, "unfinished statements|0\n"));
  kvsql_write_log_end (log, &entry, FALSE, NULL);
  after = service_fixture_run (self, "SHOW STATUS");
  g_assert_nonnull (strstr (after, "unfinished statements|1\noldest unfinished statement|0 s\n"));
}

/* Writes of one row are in no log, so a second schema waits for those that may be late. A third one
 * does not: then all writes are in the log. */
static void
test_late (ServiceFixture *self, gconstpointer data)
{
  const gint64 late_ms = 1500;
  gint64 began_us;

  service_fixture_script (self,
                          "DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH (writes = blind);"
                          "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY "
                          "'f', VALUE ordered{v} }; INSERT INTO r VALUES (1, 10), (2, 20)");
  kvsql_storage_set_late (self->service->storage, late_ms);
  began_us = g_get_monotonic_time ();
  service_fixture_script (self, "DEFINE SCHEMA s FOR r { TABLE 's', ROW k, FAMILY 'f', VALUE v };"
                                "INSERT INTO r VALUES (2, 21), (3, 30); DELETE FROM r WHERE k = 1");
  g_free (service_fixture_run (self, "BACKFILL SCHEMA s"));
  g_assert_cmpint (g_get_monotonic_time () - began_us, >=, late_ms * 1000);
  kvsql_storage_set_late (self->service->storage, 3600 * 1000);
  service_fixture_script (self, "DEFINE SCHEMA u FOR r { TABLE 'u', ROW 'u':k, FAMILY 'f', VALUE v "
                                "}");
  g_free (service_fixture_run (self, "BACKFILL SCHEMA u"));
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA s ORDER BY k", "2|21\n3|30");
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA u ORDER BY k", "2|21\n3|30");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  g_log_set_writer_func (count_warnings, NULL, NULL);
  g_test_add ("/blind-recovery/left", ServiceFixture, "rows", service_fixture_set_up, test_left,
              service_fixture_tear_down);
  g_test_add ("/blind-recovery/unfinished", ServiceFixture, "rows", service_fixture_set_up,
              test_unfinished, service_fixture_tear_down);
  g_test_add ("/blind-recovery/own", ServiceFixture, "rows", service_fixture_set_up, test_own,
              service_fixture_tear_down);
  g_test_add ("/blind-recovery/late", ServiceFixture, "rows", service_fixture_set_up, test_late,
              service_fixture_tear_down);
  return g_test_run ();
}
