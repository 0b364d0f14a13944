/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-checked-alone.c: what one daemon does where a checked write meets a limit, or a table that
 * was dropped. test-checked-write.c has several daemons.
 */
#include "config.h"

#include "core/write/checked-cells.h"
#include "core/write/checked-load.h"
#include "core/write/checked-move.h"
#include "core/write/checked-write.h"
#include "core/write/insert.h"
#include "tests/harness/assert.h"
#include "tests/write/checked-statements.h"

typedef struct
{
  VersionWorld world;
  VersionDaemon daemon;
  KvsqlCatalog *catalog;
  KvsqlCheckedWriter writer;
  KvsqlStoreClass changed; /* of the store, for a while */
  const KvsqlStoreClass *whole;
  guint n_conditions, n_anchor_reads, n_row_reads;
} Fixture;

static Fixture *observed; /* by the functions of its store */

static void
set_up (Fixture *self, gconstpointer data)
{
  version_world_open (&self->world, 1);
  self->catalog = checked_catalog_new ();
  version_daemon_open_alone (&self->daemon, &self->world);
  self->writer = kvsql_checked_writer (self->daemon.storage,
                                       version_catalog_get_entry (self->catalog), NULL, NULL);
  self->whole = self->daemon.store->klass;
  self->changed = *self->whole;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  version_daemon_close (&self->daemon);
  kvsql_catalog_unref (self->catalog);
  version_world_close (&self->world);
}

static gboolean
read_first (const Fixture *self, KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  const SampleTuple tuple = tuple_of (0, 1);
  const KvsqlValue *key = tuple.values;

  return kvsql_checked_read (&self->writer, &key, 1, arena, out, error);
}

static gboolean
write_first (const Fixture *self, gint64 v, gboolean *out_applied, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  SampleTuple tuple = tuple_of (0, 1);
  KvsqlCheckedTuple before;
  KvsqlCheckedChange change = { .before = &before, .new = tuple.values };
  gboolean ok;

  tuple.values[1].integer = v;
  if (!read_first (self, arena, &before, error))
    return FALSE;
  ok = kvsql_checked_apply (&self->writer, &change, 1, error);
  *out_applied = change.is_applied;
  return ok;
}

static gboolean
refuse_cells (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
              GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "no gateway");
}

/* Writes are decided and not finished, until the anchor has no room for older tuples. Then the next
 * one has to finish first what is there, and only decides when it is tried again. */
static void
test_no_room (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL, *expected = NULL;
  gboolean is_applied;

  self->changed.apply = refuse_cells;
  self->daemon.store->klass = &self->changed;
  for (guint i = 0; i <= KVSQL_ANCHOR_MAX_OLD; i++)
    {
      g_assert_false (write_first (self, 10 + i, &is_applied, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
      g_clear_error (&error);
    }
  g_assert_false (write_first (self, 1, &is_applied, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_clear_error (&error);
  self->daemon.store->klass = self->whole;
  assert_done (write_first (self, 1, &is_applied, &error), error);
  g_assert_false (is_applied);
  assert_done (write_first (self, 1, &is_applied, &error), error);
  g_assert_true (is_applied);
  cells = checked_world_print (&self->world);
  expected = checked_world_print_expected (&self->world, self->writer.entry, (State){ { 1, 0 } });
  g_assert_cmpstr (cells, ==, expected);
}

/* The table of the anchors is dropped after a load has put them, and is made again. */
static gboolean
forget_anchors (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows,
                const KvsqlCall *call, GError **error)
{
  return TRUE;
}

/* What the load has put is not there: it may not say that it was replaced. */
static void
test_dropped_anchors (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  const SampleTuple tuple = tuple_of (0, 2);
  KvsqlCheckedTuple before;
  KvsqlCheckedChange change = { .before = &before, .new = tuple.values };

  assert_done (read_first (self, arena, &before, &error), error);
  self->changed.apply = forget_anchors;
  self->daemon.store->klass = &self->changed;
  g_assert_false (kvsql_checked_load (&self->writer, &change, 1, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_false (change.is_applied);
  self->daemon.store->klass = self->whole;
}

/* The third condition of a move is that of the old key, which then has no tuple any more. */
static gboolean
look_at_end_of_move (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                     guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  if (++observed->n_conditions == 3)
    {
      g_autofree gchar *seen = checked_world_print (&observed->world);
      g_autofree gchar *expected = checked_world_print_expected (
          &observed->world, observed->writer.entry, (State){ { 1, 1 } });

      g_assert_cmpstr (seen, ==, expected);
    }
  return observed->whole->check_and_apply (store, check, cells, n_cells, call, out_applied, error);
}

/* While a tuple moves, a scan finds it at both keys, and never at none, also if the daemon ends. */
static void
test_move_is_seen (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL, *expected = NULL;
  const SampleTuple old = tuple_of (0, 1), new = tuple_of (1, 1);
  const KvsqlValue *keys[] = { old.values, new.values };
  KvsqlCheckedTuple ends[2];
  gboolean is_applied;

  assert_done (write_first (self, 1, &is_applied, &error), error);
  assert_done (kvsql_checked_read (&self->writer, keys, 2, arena, ends, &error), error);
  observed = self;
  self->changed.check_and_apply = look_at_end_of_move;
  self->daemon.store->klass = &self->changed;
  assert_done (
      kvsql_checked_move (&self->writer, &ends[0], &ends[1], new.values, &is_applied, &error),
      error);
  g_assert_true (is_applied);
  g_assert_cmpuint (self->n_conditions, >=, 3);
  self->daemon.store->klass = self->whole;
  cells = checked_world_print (&self->world);
  expected = checked_world_print_expected (&self->world, self->writer.entry, (State){ { 0, 1 } });
  g_assert_cmpstr (cells, ==, expected);
}

/* The daemon ends before the old key leaves the move. */
static gboolean
end_before_last_step (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                      guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  *out_applied = FALSE;
  if (++observed->n_conditions >= 3)
    return refuse_cells (store, NULL, 0, call, error);
  return observed->whole->check_and_apply (store, check, cells, n_cells, call, out_applied, error);
}

/* A tuple has arrived at its new key, where a reader has seen it. A load that began before replaces
 * it there. The old key, which has not left the move, may not get it back. */
static void
test_load_covers_arrival (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL, *expected = NULL;
  const SampleTuple old = tuple_of (0, 1), new = tuple_of (1, 1), loaded = tuple_of (1, 3);
  const KvsqlValue *keys[] = { old.values, new.values };
  KvsqlCheckedTuple ends[2], seen;
  KvsqlCheckedChange change = { .before = &ends[1], .new = loaded.values };
  gboolean is_applied;

  assert_done (write_first (self, 1, &is_applied, &error), error);
  assert_done (kvsql_checked_read (&self->writer, keys, 2, arena, ends, &error), error);
  observed = self;
  self->changed.check_and_apply = end_before_last_step;
  self->daemon.store->klass = &self->changed;
  g_assert_false (
      kvsql_checked_move (&self->writer, &ends[0], &ends[1], new.values, &is_applied, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_clear_error (&error);
  self->daemon.store->klass = self->whole;
  assert_done (_kvsql_checked_read_anchors (&self->writer, &ends[1].key, 1, arena, &seen, &error),
               error);
  g_assert_true (seen.anchor.is_live && seen.anchor.arrival != 0);
  assert_done (kvsql_checked_load (&self->writer, &change, 1, &error), error);
  g_assert_true (change.is_applied);
  assert_done (kvsql_checked_read (&self->writer, keys, 2, arena, ends, &error), error);
  g_assert_null (ends[0].tuple);
  g_assert_cmpuint (content_of (ends[1].tuple), ==, 3);
  /* as recovery does, by the entry in the log */
  assert_done (kvsql_checked_write_cells (&self->writer, ends, 2, &error), error);
  cells = checked_world_print (&self->world);
  expected = checked_world_print_expected (&self->world, self->writer.entry, (State){ { 0, 3 } });
  g_assert_cmpstr (cells, ==, expected);
}

static void
test_timestamp_is_refused (Fixture *self, gconstpointer data)
{
  const SampleTuple tuple = tuple_of (0, 1);
  const KvsqlValue *tuples[] = { tuple.values };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL;
  guint64 n;

  g_assert_false (kvsql_insert_run_at (self->daemon.storage, self->writer.entry, tuples, 1, 1000,
                                       NULL, &n, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  cells = checked_world_print (&self->world);
  g_assert_cmpstr (cells, ==, "");
}

static gboolean
count_condition (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                 guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  observed->n_conditions++;
  return observed->whole->check_and_apply (store, check, cells, n_cells, call, out_applied, error);
}

static gboolean
count_read (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
            const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call, KvsqlArena *arena,
            KvsqlRows *out_rows, GError **error)
{
  if (kvsql_slice_equal (table, KVSQL_ANCHOR_TABLE))
    observed->n_anchor_reads++;
  else
    observed->n_row_reads++;
  return observed->whole->multi_get (store, table, keys, n_keys, columns, n_columns, call, arena,
                                     out_rows, error);
}

/* Inserts the tuple of a key, which needs so many requests. */
static void
insert (Fixture *self, guint key, Content content, guint n_anchor_reads, guint n_row_reads,
        guint n_conditions)
{
  const SampleTuple tuple = tuple_of (key, content);
  const KvsqlValue *tuples[] = { tuple.values };
  g_autoptr (GError) error = NULL;
  guint64 n;

  self->n_anchor_reads = self->n_row_reads = self->n_conditions = 0;
  assert_done (
      kvsql_insert_run (self->daemon.storage, self->writer.entry, tuples, 1, NULL, &n, &error),
      error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (self->n_anchor_reads, ==, n_anchor_reads);
  g_assert_cmpuint (self->n_row_reads, ==, n_row_reads);
  g_assert_cmpuint (self->n_conditions, ==, n_conditions);
}

static void
expect_keys (Fixture *self, gboolean are_new)
{
  for (guint i = 0; i < 100; i++)
    kvsql_key_forecast_learn (kvsql_storage_get_forecast (self->daemon.storage),
                              self->writer.relation_id, are_new, !are_new);
}

/* What an INSERT reads depends on what the INSERTs before it have found; what it writes does not.
 */
static void
test_forecast (Fixture *self, gconstpointer data)
{
  g_autofree gchar *cells = NULL, *expected = NULL;

  observed = self;
  self->changed.check_and_apply = count_condition;
  self->changed.multi_get = count_read;
  self->daemon.store->klass = &self->changed;
  insert (self, 0, 1, 1, 1, 1);
  expect_keys (self, TRUE);
  insert (self, 1, 1, 0, 1, 1);
  /* its row is there: then its anchor is read, too */
  insert (self, 1, 2, 1, 1, 1);
  expect_keys (self, FALSE);
  insert (self, 0, 2, 1, 0, 1);
  cells = checked_world_print (&self->world);
  expected = checked_world_print_expected (&self->world, self->writer.entry, (State){ { 2, 2 } });
  g_assert_cmpstr (cells, ==, expected);
}

/* A deleted tuple has no row, but an anchor, which may not be replaced as if there was none. */
static void
test_wrong_forecast (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL, *expected = NULL;
  KvsqlCheckedTuple before;
  KvsqlCheckedChange change = { .before = &before };

  observed = self;
  self->changed.check_and_apply = count_condition;
  self->changed.multi_get = count_read;
  self->daemon.store->klass = &self->changed;
  insert (self, 0, 1, 1, 1, 1);
  assert_done (read_first (self, arena, &before, &error), error);
  assert_done (kvsql_checked_apply (&self->writer, &change, 1, &error), error);
  g_assert_true (change.is_applied);
  expect_keys (self, TRUE);
  insert (self, 0, 2, 1, 2, 2);
  cells = checked_world_print (&self->world);
  expected = checked_world_print_expected (&self->world, self->writer.entry, (State){ { 2, 0 } });
  g_assert_cmpstr (cells, ==, expected);
}

static gboolean
is_pending (const Fixture *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlCheckedTuple found;

  assert_done (read_first (self, arena, &found, &error), error);
  return found.anchor.is_pending;
}

/* An anchor whose key is locked is cleared when it is free again, if that is not for ever. */
static void
test_locked_clear (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlCheckedClears) clears = kvsql_checked_clears_new ();
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const SampleTuple tuple = tuple_of (0, 1);
  g_autoptr (GError) error = NULL;
  KvsqlKeyLocks locks = { 0 };
  gboolean is_applied;
  guint n_attempts = 0;

  self->writer.clears = clears;
  assert_done (write_first (self, 1, &is_applied, &error), error);
  g_assert_true (is_pending (self));
  kvsql_key_locks_add (&locks, kvsql_checked_key (&self->writer, tuple.values, arena));
  assert_done (kvsql_storage_lock (self->daemon.storage, &locks, NULL, &error), error);
  for (KvsqlCheckedClears *left = clears; left != NULL; n_attempts++)
    {
      KvsqlCheckedClears *next = kvsql_checked_clears_run (left, self->daemon.storage, NULL);

      if (left != clears)
        kvsql_checked_clears_free (left);
      left = next;
    }
  g_assert_cmpuint (n_attempts, >, 10);
  g_assert_true (is_pending (self));
  kvsql_storage_unlock (self->daemon.storage, &locks);
  g_assert_null (kvsql_checked_clears_run (clears, self->daemon.storage, NULL));
  g_assert_false (is_pending (self));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/checked-alone/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("no-room", test_no_room);
  ADD ("dropped-anchors", test_dropped_anchors);
  ADD ("move-is-seen", test_move_is_seen);
  ADD ("load-covers-arrival", test_load_covers_arrival);
  ADD ("timestamp-is-refused", test_timestamp_is_refused);
  ADD ("forecast", test_forecast);
  ADD ("wrong-forecast", test_wrong_forecast);
  ADD ("locked-clear", test_locked_clear);
#undef ADD
  return g_test_run ();
}
