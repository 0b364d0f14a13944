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
  gboolean has_entry;  /* FALSE: it has ended before */
  KvsqlLogEntry entry; /* its keys are not valid any more */
  gboolean is_done;    /* the entry may be removed */
} Remainder;

static void
free_remainder (Remainder *self)
{
  kvsql_checked_clears_free (self->clears);
  g_free (self);
}

static void
end_entries (gpointer *work, guint n, const KvsqlCall *call)
{
  KvsqlWriteLog *log = kvsql_storage_get_log (((const Remainder *)work[0])->storage);
  g_autofree KvsqlLogEntry *done = g_new (KvsqlLogEntry, n);
  guint n_done = 0;

  for (guint i = 0; i < n; i++)
    {
      const Remainder *remainder = work[i];

      if (!remainder->has_entry)
        continue;
      if (remainder->is_done)
        done[n_done++] = remainder->entry;
      else
        kvsql_write_log_end (log, &remainder->entry, FALSE, call);
    }
  kvsql_write_log_end_done (log, done, n_done, call);
}

static void finish_later (gpointer *work, guint n);

static void
try_again (KvsqlStorage *storage, KvsqlCheckedClears *clears)
{
  Remainder *remainder = g_new (Remainder, 1);

  *remainder = (Remainder){ .storage = storage, .clears = clears };
  if (!kvsql_storage_do_later (storage, finish_later, remainder))
    free_remainder (remainder);
}

/* A KvsqlWorkFunc. */
static void
finish_later (gpointer *work, guint n)
{
  const Remainder *first = work[0];
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + FINISH_US };
  KvsqlCheckedClears *locked;

  for (guint i = 1; i < n; i++)
    kvsql_checked_clears_add_all (first->clears, ((const Remainder *)work[i])->clears);
  locked = kvsql_checked_clears_run (first->clears, first->storage, &call);
  end_entries (work, n, &call);
  if (locked != NULL)
    try_again (first->storage, locked);
  for (guint i = 0; i < n; i++)
    free_remainder (work[i]);
}

static void
finish_now (Remainder *self)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + FINISH_US };
  gpointer work = self;

  kvsql_checked_clears_run_locked (self->clears, self->storage, &call);
  end_entries (&work, 1, &call);
  free_remainder (self);
}

gboolean
kvsql_checked_end (KvsqlStorage *storage, KvsqlCheckedClears *clears, const KvsqlLogEntry *entry,
                   GError *failure, GError **error)
{
  Remainder *remainder = g_new (Remainder, 1);

  *remainder = (Remainder){ .storage = storage,
                            .clears = clears,
                            .has_entry = TRUE,
                            .entry = *entry,
                            .is_done = !g_error_matches (failure, KVSQL_ERROR,
                                                         KVSQL_ERROR_UNKNOWN_OUTCOME) };
  if (!kvsql_storage_do_later (storage, finish_later, remainder))
    finish_now (remainder);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
