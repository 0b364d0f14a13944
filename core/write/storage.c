/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * storage.c: tables that are known to exist.
 */
#include "config.h"

#include "core/catalog/schema.h"
#include "core/write/storage-private.h"

KvsqlStorage *
kvsql_storage_new (KvsqlStore *store)
{
  KvsqlStorage *self = g_new0 (KvsqlStorage, 1);

  self->store = store;
  g_mutex_init (&self->tables_mutex);
  g_mutex_init (&self->newest_mutex);
  kvsql_lock_table_init (&self->locks);
  for (guint i = 0; i < KVSQL_N_STRIPES; i++)
    self->stripes[i].newest = store->capabilities.newest_timestamp;
  self->tables
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  return self;
}

void
kvsql_storage_free (KvsqlStorage *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->tables);
  kvsql_lock_table_clear (&self->locks);
  g_mutex_clear (&self->newest_mutex);
  g_mutex_clear (&self->tables_mutex);
  g_free (self);
}

KvsqlStore *
kvsql_storage_get_store (const KvsqlStorage *self)
{
  return self->store;
}

void
kvsql_storage_set_log (KvsqlStorage *self, KvsqlWriteLog *log)
{
  self->log = log;
}

KvsqlWriteLog *
kvsql_storage_get_log (const KvsqlStorage *self)
{
  return self->log;
}

gboolean
kvsql_storage_is_dry (const KvsqlStorage *self)
{
  return (self->store->capabilities.flags & KVSQL_STORE_DRY) != 0;
}

/* ---- tables */

gboolean
kvsql_storage_ensure_table (KvsqlStorage *self, const KvsqlSchema *schema, KvsqlSlice table,
                            KvsqlSlice family, const KvsqlCall *call, GError **error)
{
  KvsqlTableSpec spec = { .name = table, .families = &family, .n_families = 1 };
  g_autoptr (GBytes) key = NULL;
  guint8 *bytes;
  gboolean is_known;

  if ((self->store->capabilities.flags & KVSQL_STORE_IMPLICIT_TABLES) != 0
      || !schema->options.create_tables)
    return TRUE;
  bytes = g_malloc (table.size + family.size + 1);
  memcpy (bytes, table.data, table.size);
  bytes[table.size] = 0;
  memcpy (bytes + table.size + 1, family.data, family.size);
  key = g_bytes_new_take (bytes, table.size + family.size + 1);

  g_mutex_lock (&self->tables_mutex);
  is_known = g_hash_table_contains (self->tables, key);
  g_mutex_unlock (&self->tables_mutex);
  if (is_known)
    return TRUE;
  spec.compression = schema->options.compression;
  spec.bloom = schema->options.bloom;
  spec.block_encoding = schema->options.block_encoding;
  spec.versions = schema->options.versions;
  spec.ttl_seconds = schema->options.ttl_seconds;
  spec.splits = schema->options.splits;
  spec.n_splits = schema->options.n_splits;
  if (!kvsql_store_ensure_table (self->store, &spec, call, NULL, error))
    return FALSE;
  g_mutex_lock (&self->tables_mutex);
  g_hash_table_add (self->tables, g_steal_pointer (&key));
  g_mutex_unlock (&self->tables_mutex);
  return TRUE;
}

void
kvsql_storage_forget_tables (KvsqlStorage *self)
{
  g_mutex_lock (&self->tables_mutex);
  g_hash_table_remove_all (self->tables);
  g_mutex_unlock (&self->tables_mutex);
}

/* ---- keys */
