/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-changes.c: see the header.
 */
#include "config.h"

#include "core/write/checked-changes.h"

#include "core/catalog/catalog.h"
#include "core/write/checked-move.h"
#include "core/write/checked-write.h"
#include "core/write/write-log.h"

/* Of the work after the answer. What is not done by then is left to others. */
#define FINISH_US (30 * G_USEC_PER_SEC)

/* ---- the log */

static gboolean
begin (const KvsqlCheckedWriter *self, const KvsqlChange *changes, guint n, KvsqlLogEntry *out,
       GError **error)
{
  KvsqlWriteLog *log = kvsql_storage_get_log (self->storage);
  g_autofree KvsqlSlice *keys = g_new (KvsqlSlice, 2 * n);
  guint n_keys = 0;

  if (log == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                            "there is no log for the writes of relation \"%s\"",
                            self->entry->relation->name);
  for (guint i = 0; i < n; i++)
    {
      keys[n_keys++] = changes[i].before->key;
      if (changes[i].target != NULL)
        keys[n_keys++] = changes[i].target->key;
    }
  return kvsql_write_log_begin (log, self->relation_id, keys, n_keys, self->call, out, error);
}

/* What is left when all schemas have the tuples. */
typedef struct
{
  KvsqlStorage *storage;
  KvsqlCheckedClears *clears;
  KvsqlLogEntry entry; /* its keys are not valid any more */
  gboolean is_done;    /* the entry may be removed */
  gboolean holds_locks;
} Rest;

static void
finish (gpointer work)
{
  Rest *self = work;
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + FINISH_US };

  kvsql_checked_clears_run (self->clears, self->storage, self->holds_locks, &call);
  kvsql_write_log_end (kvsql_storage_get_log (self->storage), &self->entry, self->is_done, &call);
  kvsql_checked_clears_free (self->clears);
  g_free (self);
}

/* After the answer to the client. @clears: (transfer full) */
static void
end (KvsqlStorage *storage, KvsqlCheckedClears *clears, const KvsqlLogEntry *entry,
     gboolean is_done)
{
  Rest *rest = g_new (Rest, 1);

  *rest = (Rest){ .storage = storage, .clears = clears, .entry = *entry, .is_done = is_done };
  if (kvsql_storage_do_later (storage, finish, rest))
    return;
  rest->holds_locks = TRUE;
  finish (rest);
}

/* ---- changes */

static gboolean
move_all (const KvsqlCheckedWriter *self, KvsqlChange *changes, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (changes[i].target != NULL
        && !kvsql_checked_move (self, changes[i].before, changes[i].target, changes[i].new,
                                &changes[i].is_applied, error))
      return FALSE;
  return TRUE;
}

/* Those that keep their keys. */
static gboolean
write_all (const KvsqlCheckedWriter *self, KvsqlChange *changes, guint n, GError **error)
{
  g_autofree KvsqlCheckedChange *checked = g_new (KvsqlCheckedChange, n);
  guint n_checked = 0;
  gboolean ok;

  for (guint i = 0; i < n; i++)
    if (changes[i].target == NULL)
      checked[n_checked++]
          = (KvsqlCheckedChange){ .before = changes[i].before, .new = changes[i].new };
  ok = n_checked == 0 || kvsql_checked_apply (self, checked, n_checked, error);
  n_checked = 0;
  for (guint i = 0; i < n; i++)
    if (changes[i].target == NULL)
      changes[i].is_applied = checked[n_checked++].is_applied;
  return ok;
}

gboolean
kvsql_checked_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                             KvsqlChange *changes, guint n, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlCheckedClears) clears = kvsql_checked_clears_new ();
  const KvsqlCheckedWriter self = { .storage = storage,
                                    .entry = entry,
                                    .relation_id = entry->relation->id,
                                    .call = call,
                                    .clears = clears };
  g_autoptr (GError) failure = NULL;
  KvsqlLogEntry logged;

  for (guint i = 0; i < n; i++)
    changes[i].is_applied = FALSE;
  if (!begin (&self, changes, n, &logged, error))
    return FALSE;
  if (write_all (&self, changes, n, &failure))
    move_all (&self, changes, n, &failure);
  end (storage, g_steal_pointer (&clears), &logged,
       !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME));
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}
