/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-current.c: see the header.
 */
#include "config.h"

#include "core/write/checked-current.h"

#include "core/catalog/catalog.h"
#include "core/write/checked-end.h"
#include "core/write/checked-write.h"

gboolean
kvsql_entry_has_anchors (const KvsqlCatalogEntry *entry, const KvsqlStorage *storage)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);

  return entry->relation->mode == KVSQL_WRITES_CHECKED
         && (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0;
}

static KvsqlSlice *
list_keys (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows, guint n,
           KvsqlArena *arena)
{
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    keys[i] = kvsql_checked_key (self, rows[i], arena);
  return keys;
}

gboolean
kvsql_checked_read_current (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows,
                            const gint64 *times, guint n, KvsqlArena *arena, KvsqlCheckedTuple *out,
                            GError **error)
{
  const KvsqlSlice *keys = list_keys (self, rows, n, arena);

  if (!kvsql_storage_ensure_anchors (self->storage, self->call, error)
      || !_kvsql_checked_read_anchors (self, keys, n, arena, out, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (out[i].anchor.timestamp == 0)
      {
        out[i].tuple = rows[i];
        out[i].newest = times[i];
      }
  return TRUE;
}

gboolean
kvsql_checked_finish_rows (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows, guint n,
                           GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  guint n_finished;

  return n == 0
         || (kvsql_storage_ensure_anchors (self->storage, self->call, error)
             && kvsql_checked_finish (self, list_keys (self, rows, n, arena), n, &n_finished,
                                      error));
}

/* ---- writing again */

static gboolean
write_again (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows, const gint64 *times,
             guint n, KvsqlArena *arena, GError **error)
{
  KvsqlCheckedTuple *before = kvsql_arena_array (arena, KvsqlCheckedTuple, n);
  g_autofree KvsqlCheckedChange *changes = g_new (KvsqlCheckedChange, n);
  guint n_changes = 0;

  if (!kvsql_checked_read (self, rows, n, arena, before, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (before[i].tuple == NULL)
        continue;
      before[i].newest = MAX (before[i].newest, times[i]);
      changes[n_changes++]
          = (KvsqlCheckedChange){ .before = &before[i], .new = before[i].tuple, .is_whole = TRUE };
    }
  return n_changes == 0 || kvsql_checked_apply (self, changes, n_changes, error);
}

gboolean
kvsql_checked_rewrite (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows,
                       const gint64 *times, guint n, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedWriter writer = *self;
  GError *failure = NULL;
  KvsqlLogEntry logged;

  if (n == 0)
    return TRUE;
  if (!kvsql_storage_ensure_anchors (self->storage, self->call, error)
      || !kvsql_checked_log (self, list_keys (self, rows, n, arena), n, &logged, error))
    return FALSE;
  writer.clears = kvsql_checked_clears_new ();
  if (!write_again (&writer, rows, times, n, arena, &failure))
    g_assert (failure != NULL);
  return kvsql_checked_end (self->storage, writer.clears, &logged, failure, error);
}
