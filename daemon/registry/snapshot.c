/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * snapshot.c: what registries return: all entries at one epoch, and peers.
 */
#include "config.h"

#include "daemon/registry/registry.h"

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
