/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-end.c: see the header.
 */
#include "config.h"

#include "core/write/checked-end.h"

/* Of the work after the answer. What is not done by then is left to others. */
#define FINISH_US (30 * G_USEC_PER_SEC)

gboolean
kvsql_checked_log (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                   KvsqlLogEntry *out, GError **error)
{
  KvsqlWriteLog *log = kvsql_storage_get_log (self->storage);
  g_autoptr (GError) failure = NULL;

  if (log == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                            "there is no log for checked writes");
  if (kvsql_write_log_begin (log, self->relation_id, keys, n, self->call, out, &failure))
    return TRUE;
  if (kvsql_storage_remake_anchors (self->storage, failure, self->call))
    return kvsql_write_log_begin (log, self->relation_id, keys, n, self->call, out, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
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

gboolean
kvsql_checked_end (KvsqlStorage *storage, KvsqlCheckedClears *clears, const KvsqlLogEntry *entry,
                   GError *failure, GError **error)
{
  Rest *rest = g_new (Rest, 1);

  *rest = (Rest){ .storage = storage,
                  .clears = clears,
                  .entry = *entry,
                  .is_done = !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME) };
  if (!kvsql_storage_do_later (storage, finish, rest))
    {
      rest->holds_locks = TRUE;
      finish (rest);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
