/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-too-long.c: a write with a row key that the store does not take fails before it is decided.
 * If the log or an anchor had it, no daemon could ever finish it, and the tuple could not be
 * written any more.
 */
#include "config.h"

#include "core/write/checked-load.h"
#include "core/write/checked-move.h"
#include "core/write/checked-write.h"
#include "core/write/insert.h"
#include "tests/harness/assert.h"
#include "tests/write/version-daemon.h"

/* Rows of the second schema are longer than those of the primary, the log and the anchors. */
static const gchar *const checked[] = {
  "DEFINE RELATION r { k BIGINT KEY, w STRING }",
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE text{w} }",
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{w}:ordered{k}, FAMILY 'f' }",
};
static const gchar *const blind[] = {
  "DEFINE RELATION r { k STRING KEY, w BIGINT }",
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW text{k}, FAMILY 'f', VALUE ordered{w} }",
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW hash(md5, 16){k}:text{k}, FAMILY 'f', VALUE ordered{w} }",
};

typedef struct
{
  VersionWorld world;
  VersionDaemon daemon;
  KvsqlCatalog *catalog;
  KvsqlCheckedWriter writer;
  gchar *too_long;
} Fixture;

/* @data: the mode */
static void
set_up (Fixture *self, gconstpointer data)
{
  const KvsqlWriteMode mode = (KvsqlWriteMode)GPOINTER_TO_UINT (data);

  version_world_open (&self->world, 1);
  self->catalog = version_catalog_new (1, mode == KVSQL_WRITES_BLIND ? blind : checked,
                                       G_N_ELEMENTS (checked), mode);
  version_daemon_open_alone (&self->daemon, &self->world);
  self->writer = kvsql_checked_writer (self->daemon.storage,
                                       version_catalog_get_entry (self->catalog), NULL, NULL);
  self->too_long = g_strnfill (self->daemon.store->capabilities.max_row_bytes, 'w');
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_free (self->too_long);
  version_daemon_close (&self->daemon);
  kvsql_catalog_unref (self->catalog);
  version_world_close (&self->world);
}

static KvsqlValue
bigint (gint64 number)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

static KvsqlValue
string (const gchar *text)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (text) };
}

static void
read_tuple (const Fixture *self, const KvsqlValue *key, KvsqlArena *arena, KvsqlCheckedTuple *out)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_checked_read (&self->writer, &key, 1, arena, out, &error), error);
}

/* Nothing is in the log, or in a schema. */
static void
assert_nothing_was_written (const Fixture *self)
{
  static const gchar *const tables[] = { "p", "s" };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *cells = version_world_print (&self->world, tables, G_N_ELEMENTS (tables));
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry *entries;
  guint n;

  g_assert_cmpstr (cells, ==, "");
  assert_done (kvsql_log_entries_read (self->daemon.store, 0, G_MAXUINT64, NULL, arena, &entries,
                                       &n, &error),
               error);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_insert (Fixture *self, gconstpointer data)
{
  const gboolean is_blind = GPOINTER_TO_UINT (data) == KVSQL_WRITES_BLIND;
  const KvsqlValue values[2] = { is_blind ? string (self->too_long) : bigint (7),
                                 is_blind ? bigint (7) : string (self->too_long) };
  const KvsqlValue *tuples[] = { values };
  g_autoptr (GError) error = NULL;
  guint64 n;

  g_assert_false (
      kvsql_insert_run (self->daemon.storage, self->writer.entry, tuples, 1, NULL, &n, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  assert_nothing_was_written (self);
}

static void
test_load (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlValue tuple[2] = { bigint (7), string (self->too_long) };
  KvsqlCheckedTuple before, after;
  KvsqlCheckedChange change = { .before = &before, .new = tuple };
  g_autoptr (GError) error = NULL;

  read_tuple (self, tuple, arena, &before);
  g_assert_false (kvsql_checked_load (&self->writer, &change, 1, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_true (change.is_rejected);
  read_tuple (self, tuple, arena, &after);
  g_assert_cmpint (after.anchor.timestamp, ==, 0);
  assert_nothing_was_written (self);
}

/* The tuple stays where it is, and can be written. */
static void
test_move (Fixture *self, gconstpointer data)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlValue old[2] = { bigint (7), string ("a") };
  const KvsqlValue new[2] = { bigint (8), string (self->too_long) };
  const KvsqlValue *tuples[] = { old };
  KvsqlCheckedTuple before, target;
  g_autoptr (GError) error = NULL;
  gboolean is_applied;
  guint64 n;

  assert_done (
      kvsql_insert_run (self->daemon.storage, self->writer.entry, tuples, 1, NULL, &n, &error),
      error);
  read_tuple (self, old, arena, &before);
  read_tuple (self, new, arena, &target);
  g_assert_false (kvsql_checked_move (&self->writer, &before, &target, new, &is_applied, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_clear_error (&error);
  assert_done (
      kvsql_insert_run (self->daemon.storage, self->writer.entry, tuples, 1, NULL, &n, &error),
      error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, mode, function)                                                                  \
  g_test_add ("/too-long/" path, Fixture, GUINT_TO_POINTER (mode), set_up, function, tear_down)
  ADD ("checked/insert", KVSQL_WRITES_CHECKED, test_insert);
  ADD ("checked/load", KVSQL_WRITES_CHECKED, test_load);
  ADD ("checked/move", KVSQL_WRITES_CHECKED, test_move);
  ADD ("blind/insert", KVSQL_WRITES_BLIND, test_insert);
#undef ADD
  return g_test_run ();
}
