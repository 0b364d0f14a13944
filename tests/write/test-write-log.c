/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-write-log.c: entries of the log of writes, and the places that they leave.
 */
#include "config.h"

#include "core/store/memory.h"
#include "core/write/write-log.h"
#include "tests/harness/assert.h"

#define DAEMON 7
#define RELATION 9

typedef struct
{
  KvsqlStore *store;
  KvsqlWriteLog *log;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->store = kvsql_memory_store_new ();
  self->log = kvsql_write_log_new (self->store, DAEMON);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  kvsql_write_log_free (self->log);
  kvsql_store_close (self->store);
}

static KvsqlLogEntry
begin (Fixture *self, KvsqlSlice key)
{
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry entry;

  assert_done (kvsql_write_log_begin (self->log, RELATION, &key, 1, NULL, &entry, &error), error);
  return entry;
}

/* "2 at 0: b, …": the numbers, places and keys of the entries of all daemons. */
static void
assert_log (Fixture *self, const gchar *expected)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) got = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry *entries;
  guint n;

  assert_done (
      kvsql_log_entries_read (self->store, 0, G_MAXUINT64, NULL, arena, &entries, &n, &error),
      error);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlLogEntry *entry = &entries[i];

      g_assert_cmpuint (entry->daemon_id, ==, DAEMON);
      g_assert_cmpuint (entry->relation_id, ==, RELATION);
      g_string_append_printf (got, "%s%" G_GUINT64_FORMAT " at %u:", i > 0 ? ", " : "",
                              entry->number, entry->place);
      for (guint k = 0; k < entry->n_keys; k++)
        g_string_append_printf (got, " %.*s", (gint)entry->keys[k].size,
                                (const gchar *)entry->keys[k].data);
      if (entry->intent.size > 0)
        g_string_append_printf (got, " = %.*s", (gint)entry->intent.size,
                                (const gchar *)entry->intent.data);
    }
  g_assert_cmpstr (got->str, ==, expected);
}

static guint
count_rows (Fixture *self)
{
  const KvsqlRowRange all = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = KVSQL_LOG_TABLE, .ranges = &all, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (self->store, &spec, NULL, NULL);
  const KvsqlRows *rows;
  guint n = 0;

  do
    {
      g_assert_true (kvsql_scan_next (scan, NULL, &rows, NULL));
      n += rows->n_rows;
    }
  while (rows->n_rows > 0);
  return n;
}

/* As many rows as there were writes at the same time. */
static void
test_places (Fixture *self, gconstpointer data)
{
  KvsqlLogEntry a = begin (self, KVSQL_SLICE_LITERAL ("a"));
  KvsqlLogEntry b = begin (self, KVSQL_SLICE_LITERAL ("b"));

  assert_log (self, "1 at 0: a, 2 at 1: b");
  kvsql_write_log_end (self->log, &a, TRUE, NULL);
  assert_log (self, "2 at 1: b");
  g_assert_false (kvsql_write_log_is_running (self->log, a.number));
  for (guint i = 0; i < 100; i++)
    {
      gint64 before = a.begun_ms;

      a = begin (self, KVSQL_SLICE_LITERAL ("c"));
      g_assert_cmpint (a.begun_ms, >, before);
      g_assert_cmpuint (a.place, ==, 0);
      kvsql_write_log_end (self->log, &a, TRUE, NULL);
    }
  assert_log (self, "2 at 1: b");
  kvsql_write_log_end (self->log, &b, TRUE, NULL);
  assert_log (self, "");
  g_assert_cmpuint (count_rows (self), ==, 2);
  g_assert_cmpuint (kvsql_write_log_get_n_left (self->log), ==, 0);
}

static void
test_end_done (Fixture *self, gconstpointer data)
{
  KvsqlLogEntry entries[3];

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    entries[i] = begin (self, KVSQL_SLICE_LITERAL ("a"));
  kvsql_write_log_end_done (self->log, entries, 2, NULL);
  assert_log (self, "3 at 2: a");
  g_assert_false (kvsql_write_log_is_running (self->log, entries[1].number));
  g_assert_true (kvsql_write_log_is_running (self->log, entries[2].number));
  kvsql_write_log_end_done (self->log, entries, 0, NULL);
  assert_log (self, "3 at 2: a");
  g_assert_cmpuint (kvsql_write_log_get_n_left (self->log), ==, 0);
}

static gboolean
begin_intent (Fixture *self, KvsqlLogEntry *out, GError **error)
{
  return kvsql_write_log_begin_intent (self->log, RELATION, KVSQL_SLICE_LITERAL ("all of it"), NULL,
                                       out, error);
}

/* They take the places of keys, too. */
static void
test_intents (Fixture *self, gconstpointer data)
{
  KvsqlLogEntry a = begin (self, KVSQL_SLICE_LITERAL ("a")), b;
  g_autoptr (GError) error = NULL;

  assert_done (begin_intent (self, &b, &error), error);
  assert_log (self, "1 at 0: a, 2 at 1: = all of it");
  kvsql_write_log_end (self->log, &a, TRUE, NULL);
  assert_done (begin_intent (self, &a, &error), error);
  assert_log (self, "3 at 0: = all of it, 2 at 1: = all of it");
  kvsql_write_log_end (self->log, &a, TRUE, NULL);
  kvsql_write_log_end (self->log, &b, TRUE, NULL);
  assert_log (self, "");
  g_assert_cmpint (kvsql_write_log_get_lost_us (self->log), ==, 0);
}

static gboolean
lose (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
      GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE, "no answer");
}

static gboolean
refuse (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
        GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "no gateway");
}

/* An intent that may still arrive is remembered: it has to be found then. */
static void
test_lost_intent (Fixture *self, gconstpointer data)
{
  const KvsqlStoreClass *whole = self->store->klass;
  KvsqlStoreClass broken = *whole;
  gint64 before_us = g_get_monotonic_time ();
  KvsqlLogEntry entry;

  self->store->klass = &broken;
  broken.apply = refuse;
  g_assert_false (begin_intent (self, &entry, NULL));
  g_assert_cmpint (kvsql_write_log_get_lost_us (self->log), ==, 0);
  broken.apply = lose;
  g_assert_false (begin_intent (self, &entry, NULL));
  g_assert_cmpint (kvsql_write_log_get_lost_us (self->log), >=, before_us);
  g_assert_cmpuint (kvsql_write_log_get_n_left (self->log), ==, 2);
  self->store->klass = whole;
}

/* Another entry at its place would hide it. */
static void
test_unknown_outcome (Fixture *self, gconstpointer data)
{
  KvsqlLogEntry a = begin (self, KVSQL_SLICE_LITERAL ("a")), b;

  kvsql_write_log_end (self->log, &a, FALSE, NULL);
  g_assert_cmpuint (kvsql_write_log_get_n_left (self->log), ==, 1);
  b = begin (self, KVSQL_SLICE_LITERAL ("b"));
  assert_log (self, "1 at 0: a, 2 at 1: b");
  assert_done (kvsql_log_entries_remove (self->store, &a, 1, NULL, NULL), NULL);
  assert_log (self, "2 at 1: b");
  kvsql_write_log_end (self->log, &b, TRUE, NULL);
  b = begin (self, KVSQL_SLICE_LITERAL ("c"));
  assert_log (self, "3 at 1: c");
}

/* An entry that is removed late does not take a newer one with it. */
static void
test_removed_late (Fixture *self, gconstpointer data)
{
  KvsqlLogEntry a = begin (self, KVSQL_SLICE_LITERAL ("a")), b;

  kvsql_write_log_end (self->log, &a, TRUE, NULL);
  b = begin (self, KVSQL_SLICE_LITERAL ("b"));
  g_assert_cmpuint (b.place, ==, a.place);
  assert_done (kvsql_log_entries_remove (self->store, &a, 1, NULL, NULL), NULL);
  assert_log (self, "2 at 0: b");
}

static void
test_damaged (Fixture *self, gconstpointer data)
{
  const KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                              .table = KVSQL_LOG_TABLE,
                              .row = KVSQL_SLICE_LITERAL ("daemon idpla"),
                              .family = KVSQL_LOG_FAMILY,
                              .qualifier = KVSQL_SLICE_LITERAL ("keys"),
                              .value = KVSQL_SLICE_LITERAL ("\x02number"),
                              .timestamp = 1 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry *entries;
  guint n;

  g_assert_true (kvsql_store_apply (self->store, &put, 1, NULL, NULL));
  g_assert_false (
      kvsql_log_entries_read (self->store, 0, G_MAXUINT64, NULL, arena, &entries, &n, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/write-log/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("places", test_places);
  ADD ("unknown-outcome", test_unknown_outcome);
  ADD ("intents", test_intents);
  ADD ("lost-intent", test_lost_intent);
  ADD ("removed-late", test_removed_late);
  ADD ("end-done", test_end_done);
  ADD ("damaged", test_damaged);
#undef ADD
  return g_test_run ();
}
