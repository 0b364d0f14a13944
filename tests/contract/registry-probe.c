/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry-probe.c: see registry-probe.h.
 */
#include "config.h"

#include "tests/contract/registry-probe.h"

#include <glib/gstdio.h>
#include <string.h>

gchar *
probe_new_place (const gchar *scheme)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *directory = NULL;
  const gchar *server = g_getenv ("KVSQL_TEST_ZOOKEEPER_URL");

  if (strcmp (scheme, "zookeeper") == 0)
    {
      if (server != NULL)
        return g_strdup_printf ("%s/kvsql-test/%08x%08x", server, g_random_int (), g_random_int ());
      g_test_skip ("KVSQL_TEST_ZOOKEEPER_URL is not set: no ZooKeeper to test with");
      return NULL;
    }
  directory = g_dir_make_tmp ("kvsql-registry-XXXXXX", &error);
  g_assert_no_error (error);
  return g_strconcat ("local://", directory, NULL);
}

void
probe_remove_place (const gchar *url)
{
  const gchar *path;
  const gchar *name;
  GDir *directory;

  if (!g_str_has_prefix (url, "local://"))
    return;
  path = url + strlen ("local://");
  directory = g_dir_open (path, 0, NULL);
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree gchar *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_clear_pointer (&directory, g_dir_close);
  g_rmdir (path);
}

static void
on_report (KvsqldRegistry *registry, KvsqldRegistryState state, gboolean definitions_changed,
           gpointer user_data)
{
  Probe *self = user_data;

  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  self->state = state;
  self->n_reports++;
  if (definitions_changed)
    self->n_changes++;
}

void
probe_open (Probe *self, const gchar *url)
{
  g_autoptr (GError) error = NULL;

  *self = (Probe){ .state = KVSQLD_REGISTRY_AWAY };
  self->registry = kvsqld_registry_open (url, on_report, self, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->registry);
}

void
probe_close (Probe *self)
{
  g_clear_pointer (&self->registry, kvsqld_registry_close);
}

static gboolean
set_flag (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

gboolean
probe_run_until (Probe *self, gboolean (*is_true) (Probe *self), guint timeout_ms)
{
  gboolean is_late = FALSE;
  guint timer = g_timeout_add (timeout_ms, set_flag, &is_late);

  while (!is_late && !is_true (self))
    g_main_context_iteration (NULL, TRUE);
  if (!is_late)
    g_source_remove (timer);
  return is_true (self);
}

KvsqlCall
probe_call (guint timeout_ms)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + timeout_ms * (gint64)1000 };
}

KvsqldSnapshot *
probe_load (Probe *self)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  KvsqldSnapshot *snapshot = self->registry->klass->load (self->registry, &call, &error);

  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
  return snapshot;
}

gint64
probe_define (Probe *self, const gchar *name, const gchar *text)
{
  g_autoptr (KvsqldSnapshot) snapshot = probe_load (self);
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, name, text };
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  gint64 epoch = -1;

  self->registry->klass->commit (self->registry, snapshot->epoch, &change, 1, NULL, &call, &epoch,
                                 &error);
  g_assert_no_error (error);
  g_assert_cmpint (epoch, ==, snapshot->epoch + 1);
  return epoch;
}

const KvsqldEntry *
probe_find (const KvsqldSnapshot *snapshot, KvsqlDefinitionKind kind, const gchar *name)
{
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == kind && strcmp (snapshot->entries[i].name, name) == 0)
      return &snapshot->entries[i];
  return NULL;
}
