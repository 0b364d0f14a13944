/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * current-tuples.c: see the header.
 */
#include "config.h"

#include "core/write/current-tuples.h"

#include "core/scan/read-by-keys.h"
#include "core/schema/relation-options.h"
#include "core/write/blind-write.h"
#include "core/write/checked-cells.h"
#include "core/write/checked-write.h"
#include "core/write/each-write.h"

gboolean
kvsql_entry_is_checked (const KvsqlCatalogEntry *entry, const KvsqlStoreCapabilities *capabilities)
{
  return entry->relation->writes == KVSQL_WRITES_CHECKED
         && (capabilities->flags & KVSQL_STORE_ATOMIC_BATCH) == 0;
}

static gboolean
is_checked (const KvsqlCatalogEntry *entry, const KvsqlStorage *storage)
{
  return kvsql_entry_is_checked (entry, &kvsql_storage_get_store (storage)->capabilities);
}

gboolean
kvsql_entry_check_timestamp (const KvsqlCatalogEntry *entry, const KvsqlStorage *storage,
                             gint64 timestamp, GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);
  const gchar *mode = kvsql_write_mode_get_name (entry->relation->mode);

  if (timestamp != 0 && kvsql_entry_shares_cells (entry))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "relation \"%s\" cannot be written with a timestamp: several tuples "
                            "share a cell",
                            entry->relation->name)
           || kvsql_error_hint (error, "Leave USING TIMESTAMP out. The cell has one timestamp.");
  if (timestamp == 0
      || !(is_checked (entry, storage) || kvsql_entry_is_blind (entry, &store->capabilities)))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "relation \"%s\" cannot be written with a timestamp: its writes are %s",
                   entry->relation->name, mode);
  return kvsql_error_hint (error,
                           "Leave USING TIMESTAMP out, or ALTER RELATION %s WITH (writes = plain). "
                           "The timestamps of %s writes say in which order they were made.",
                           entry->relation->name, mode);
}

gboolean
kvsql_current_tuples_read (KvsqlCurrentTuples *self, KvsqlStorage *storage,
                           const KvsqlCatalogEntry *entry, const KvsqlValue *const *keys, guint n,
                           const KvsqlAttributeSet *wanted, const KvsqlCall *call, GError **error)
{
  *self = (KvsqlCurrentTuples){ .writer = kvsql_checked_writer (storage, entry, call, NULL) };
  if (!is_checked (entry, storage))
    {
      self->map = kvsql_tuple_map_new (entry->relation, 0);
      return kvsql_read_primary_by_keys (kvsql_storage_get_store (storage), entry, keys, n, wanted,
                                         call, self->map, error);
    }
  self->arena = kvsql_arena_new ();
  self->checked = kvsql_arena_array (self->arena, KvsqlCheckedTuple, n);
  return kvsql_checked_read (&self->writer, keys, n, self->arena, self->checked, error);
}

void
kvsql_current_tuples_clear (KvsqlCurrentTuples *self)
{
  kvsql_tuple_map_free (self->map);
  kvsql_arena_free (self->arena);
  *self = (KvsqlCurrentTuples){ 0 };
}

const KvsqlValue *
kvsql_current_tuples_get (const KvsqlCurrentTuples *self, guint index, const KvsqlValue *key)
{
  return self->checked != NULL ? self->checked[index].tuple : kvsql_tuple_map_find (self->map, key);
}

gboolean
kvsql_current_tuples_finish (const KvsqlCurrentTuples *self, guint index, GError **error)
{
  g_autoptr (GError) failure = NULL;

  return self->checked == NULL
         || kvsql_checked_write_cells (&self->writer, &self->checked[index], 1, &failure)
         || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                             "another statement's write of the tuple could not be finished: %s",
                             failure->message);
}

const KvsqlCheckedTuple *
kvsql_current_tuples_get_checked (const KvsqlCurrentTuples *self, guint index)
{
  return self->checked != NULL ? &self->checked[index] : NULL;
}
