/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * snapshot.c: what registries return: all entries at one epoch, and peers. The next epoch.
 */
#include "config.h"

#include "daemon/registry/registry-private.h"

#include <string.h>

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

/* ---- changes ---- */

static void
apply_change (GHashTable *entries, const KvsqlDefinitionChange *change, gint64 epoch)
{
  g_autofree gchar *key = g_strdup_printf ("%d %s", change->kind, change->name);
  KvsqldEntry *entry;

  if (change->text == NULL)
    {
      g_hash_table_remove (entries, key);
      return;
    }
  entry = g_new0 (KvsqldEntry, 1);
  entry->kind = change->kind;
  entry->name = g_strdup (change->name);
  entry->text = g_strdup (change->text);
  entry->version = epoch;
  g_hash_table_replace (entries, g_steal_pointer (&key), entry);
}

static void
entry_free (gpointer data)
{
  KvsqldEntry *entry = data;

  g_free (entry->name);
  g_free (entry->text);
  g_free (entry);
}

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

/* Entries sorted by kind and name, so that two snapshots can be compared with diff. */
static KvsqldSnapshot *
snapshot_from_table (GHashTable *entries, gint64 epoch)
{
  guint n;
  g_autofree const gchar **keys = (const gchar **)g_hash_table_get_keys_as_array (entries, &n);
  KvsqldSnapshot *snapshot = kvsqld_snapshot_new (epoch, n);

  qsort (keys, n, sizeof *keys, compare_keys);
  for (guint i = 0; i < n; i++)
    {
      KvsqldEntry *entry = g_hash_table_lookup (entries, keys[i]);

      snapshot->entries[i] = *entry;
      entry->name = NULL;
      entry->text = NULL;
    }
  return snapshot;
}

KvsqldSnapshot *
_kvsqld_snapshot_change (const KvsqldSnapshot *old, const KvsqlDefinitionChange *changes,
                         guint n_changes)
{
  g_autoptr (GHashTable) entries
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  KvsqldSnapshot *snapshot;

  for (guint i = 0; i < old->n_entries; i++)
    {
      const KvsqldEntry *entry = &old->entries[i];
      KvsqlDefinitionChange same = { entry->kind, entry->name, entry->text };

      apply_change (entries, &same, entry->version);
    }
  for (guint i = 0; i < n_changes; i++)
    apply_change (entries, &changes[i], old->epoch + 1);
  snapshot = snapshot_from_table (entries, old->epoch + 1);
  snapshot->protocol = old->protocol;
  return snapshot;
}
