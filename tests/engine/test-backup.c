/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-backup.c: BACKUP copies the store and definitions of one epoch, or leaves nothing.
 *
 * The store in memory has no copies, so it gets a checkpoint() that only makes a folder.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "core/engine/backup.h"
#include "core/store/store.h"
#include "tests/engine/engine-fixture.h"

static const gchar *const definitions[] = { NULL };

typedef struct
{
  EngineFixture engine;
  KvsqlStoreClass klass;
  gchar *directory;
  gint64 epoch;     /* of the definitions */
  guint n_changes;  /* of them, that are still to come: one at each checkpoint */
  guint n_copies;   /* of the store */
  gboolean is_full; /* the store cannot be copied */
} Fixture;

static Fixture *checkpointed; /* the fixture of the running test */

static gboolean
checkpoint (KvsqlStore *store, const gchar *directory, const KvsqlCall *call, GError **error)
{
  Fixture *self = checkpointed;

  self->n_copies++;
  if (self->n_changes > 0)
    {
      self->n_changes--;
      self->epoch++;
    }
  if (self->is_full)
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "no space");
  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  return TRUE;
}

static gboolean
copy_definitions (const gchar *folder, gint64 *out_epoch, gpointer data, GError **error)
{
  Fixture *self = data;

  if (folder != NULL)
    g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  *out_epoch = self->epoch;
  return TRUE;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  engine_fixture_open (&self->engine, definitions);
  self->klass = *self->engine.store->klass;
  self->klass.checkpoint = checkpoint;
  self->engine.store->klass = &self->klass;
  self->engine.execution.data = self;
  self->engine.execution.copy_definitions = copy_definitions;
  self->directory = g_dir_make_tmp ("kvsql-test-XXXXXX", NULL);
  self->epoch = 7;
  checkpointed = self;
}

static void
remove_folder (const gchar *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree gchar *each = g_build_filename (path, name, NULL);
      remove_folder (each);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  engine_fixture_close (&self->engine);
  remove_folder (self->directory);
  g_free (self->directory);
}

static gboolean
has (const Fixture *self, const gchar *name)
{
  g_autofree gchar *path = g_build_filename (self->directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

static KvsqlResultPage *
run (Fixture *self, const gchar *sql, GError **error)
{
  return kvsql_execute_backup (&self->engine.execution, engine_fixture_parse (&self->engine, sql),
                               self->directory, error);
}

static void
assert_fails (Fixture *self, const gchar *sql, gint code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (run (self, sql, &error));
  g_assert_error (error, KVSQL_ERROR, code);
}

static void
test_copies (Fixture *self, gconstpointer data)
{
  g_autofree gchar *expected = g_strdup_printf ("%s/b.1|9", self->directory);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;

  self->n_changes = 2;
  page = run (self, "BACKUP TO 'b.1'", &error);
  g_assert_no_error (error);
  engine_fixture_assert_page (page, expected);
  g_assert_cmpuint (self->n_copies, ==, 3);
  g_assert_true (has (self, "b.1/data") && has (self, "b.1/registry"));
  g_assert_false (has (self, "b.1.part"));
  assert_fails (self, "BACKUP TO 'b.1'", KVSQL_ERROR_ALREADY_EXISTS);
}

static void
test_failures (Fixture *self, gconstpointer data)
{
  static const gchar *const names[] = { "", ".b", "a/b", "ä" };
  g_autofree gchar *part = g_build_filename (self->directory, "other.part", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("BACKUP TO '%s'", names[i]);
      assert_fails (self, sql, KVSQL_ERROR_INVALID);
    }
  g_assert_null (kvsql_execute_backup (&self->engine.execution,
                                       engine_fixture_parse (&self->engine, "BACKUP TO 'b'"), NULL,
                                       &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNSUPPORTED);
  g_assert_cmpint (g_mkdir (part, 0700), ==, 0);
  assert_fails (self, "BACKUP TO 'other'", KVSQL_ERROR_CONFLICT);
  g_assert_cmpuint (self->n_copies, ==, 0);

  self->is_full = TRUE;
  assert_fails (self, "BACKUP TO 'b'", KVSQL_ERROR_STORE);
  self->is_full = FALSE;
  self->n_changes = G_MAXUINT;
  assert_fails (self, "BACKUP TO 'b'", KVSQL_ERROR_CONFLICT);
  g_assert_false (has (self, "b") || has (self, "b.part"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/engine/backup/copies", Fixture, NULL, set_up, test_copies, tear_down);
  g_test_add ("/engine/backup/failures", Fixture, NULL, set_up, test_failures, tear_down);
  return g_test_run ();
}
