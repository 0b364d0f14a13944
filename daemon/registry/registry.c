/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry.c: the table of the kinds of registry, and snapshots.
 *
 * A new kind is one new file and one line in the table.
 */
#include "config.h"

#include "daemon/registry/registry.h"

#include <string.h>

#include "daemon/registry/registry-private.h"

static const struct
{
  const gchar *prefix;
  KvsqldRegistry *(*open) (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                           GError **error);
} schemes[] = {
  { "local:", _kvsqld_local_registry_open },
  { "zookeeper:", _kvsqld_zookeeper_registry_open },
};

KvsqldRegistry *
kvsqld_registry_open (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                      GError **error)
{
  g_return_val_if_fail (url != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_has_prefix (url, schemes[i].prefix))
      return schemes[i].open (url, watch, user_data, error);

  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "registry \"%s\" is of no known kind", url);
  kvsql_error_hint (error, "Write local:///directory or zookeeper://host:port/path.");
  return NULL;
}

void
kvsqld_registry_close (KvsqldRegistry *self)
{
  if (self != NULL)
    self->klass->close (self);
}

KvsqldSnapshot *
kvsqld_snapshot_new (gint64 epoch, guint n_entries)
{
  KvsqldSnapshot *self = g_new0 (KvsqldSnapshot, 1);

  self->epoch = epoch;
  self->n_entries = n_entries;
  self->entries = g_new0 (KvsqldEntry, n_entries);
  return self;
}

void
kvsqld_snapshot_free (KvsqldSnapshot *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_entries; i++)
    {
      g_free (self->entries[i].name);
      g_free (self->entries[i].text);
    }
  g_free (self->entries);
  g_free (self);
}

void
kvsqld_peer_free (gpointer data)
{
  KvsqldPeer *self = data;

  g_free (self->name);
  g_free (self);
}
