/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * storage.c: tables that are known to exist.
 */
#include "config.h"

#include "core/anchor/anchor.h"
#include "core/catalog/schema.h"
#include "core/write/storage-private.h"
#include "core/write/write-log.h"

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

void
kvsql_storage_set_later (KvsqlStorage *self, KvsqlLaterFunc later, gpointer data)
{
  self->later = later;
  self->later_data = data;
}

gboolean
kvsql_storage_do_later (KvsqlStorage *self, KvsqlWorkFunc run, gpointer work)
{
  return self->later != NULL && self->later (run, work, self->later_data);
}

KvsqlKeyForecast *
kvsql_storage_get_forecast (KvsqlStorage *self)
{
  return &self->forecast;
}

void
kvsql_storage_set_delete_grace (KvsqlStorage *self, gint64 grace_ms)
{
  self->delete_grace_ms = grace_ms;
}

void
kvsql_storage_set_late (KvsqlStorage *self, gint64 late_ms)
{
  self->late_ms = late_ms;
}

gint64
kvsql_storage_get_late (const KvsqlStorage *self)
{
  return self->late_ms;
}

gboolean
kvsql_storage_is_dry (const KvsqlStorage *self)
{
  return (self->store->capabilities.flags & KVSQL_STORE_DRY) != 0;
}

/* ---- tables */

/* The name of a table and its family. */
static GBytes *
make_table_key (const KvsqlTableSpec *spec)
{
  KvsqlBuffer key = { 0 };

  kvsql_buffer_append_slice (&key, spec->name);
  kvsql_buffer_append_byte (&key, 0);
  kvsql_buffer_append_slice (&key, spec->families[0]);
  return g_bytes_new_take (key.data, key.size);
}

/* A table with one family. */
static gboolean
ensure (KvsqlStorage *self, const KvsqlTableSpec *spec, const KvsqlCall *call, GError **error)
{
  g_autoptr (GBytes) key = NULL;
  gboolean is_known;

  if ((self->store->capabilities.flags & KVSQL_STORE_IMPLICIT_TABLES) != 0)
    return TRUE;
  key = make_table_key (spec);
  g_mutex_lock (&self->tables_mutex);
  is_known = g_hash_table_contains (self->tables, key);
  g_mutex_unlock (&self->tables_mutex);
  if (is_known)
    return TRUE;
  if (!kvsql_store_ensure_table (self->store, spec, call, NULL, error))
    return FALSE;
  g_mutex_lock (&self->tables_mutex);
  g_hash_table_add (self->tables, g_steal_pointer (&key));
  g_mutex_unlock (&self->tables_mutex);
  return TRUE;
}

gboolean
kvsql_storage_ensure_table (KvsqlStorage *self, const KvsqlSchema *schema, KvsqlSlice table,
                            KvsqlSlice family, const KvsqlCall *call, GError **error)
{
  const KvsqlSchemaOptions *options = &schema->options;
  const KvsqlTableSpec spec = {
    .name = table,
    .families = &family,
    .n_families = 1,
    .compression = options->compression,
    .bloom = options->bloom,
    .block_encoding = options->block_encoding,
    .versions = options->versions,
    .ttl_seconds = options->ttl_seconds,
    .delete_grace_ms = self->delete_grace_ms,
    .splits = options->splits,
    .n_splits = options->n_splits,
    .must_exist = !options->create_tables,
  };

  /* A checked write is decided before its cells are put: a table that is missing must not be found
   * only then. */
  if (!options->create_tables && schema->relation->writes == KVSQL_WRITES_PLAIN)
    return TRUE;
  return ensure (self, &spec, call, error);
}

gboolean
kvsql_storage_ensure_anchors (KvsqlStorage *self, const KvsqlCall *call, GError **error)
{
  const KvsqlSlice anchor_family = KVSQL_ANCHOR_FAMILY, log_family = KVSQL_LOG_FAMILY;
  const KvsqlTableSpec specs[] = { {
                                       .name = KVSQL_ANCHOR_TABLE,
                                       .families = &anchor_family,
                                       .n_families = 1,
                                       .versions = KVSQL_ANCHOR_VERSIONS,
                                       .delete_grace_ms = self->delete_grace_ms,
                                   },
                                   {
                                       .name = KVSQL_LOG_TABLE,
                                       .families = &log_family,
                                       .n_families = 1,
                                   } };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    if (!ensure (self, &specs[i], call, error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_storage_remake_anchors (KvsqlStorage *self, const GError *failure, const KvsqlCall *call)
{
  if (!g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE))
    return FALSE;
  kvsql_storage_forget_tables (self);
  return kvsql_storage_ensure_anchors (self, call, NULL);
}

void
kvsql_storage_forget_tables (KvsqlStorage *self)
{
  g_mutex_lock (&self->tables_mutex);
  g_hash_table_remove_all (self->tables);
  g_mutex_unlock (&self->tables_mutex);
}

/* ---- keys */
