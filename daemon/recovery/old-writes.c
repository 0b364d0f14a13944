/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * old-writes.c: see the header.
 */
#include "config.h"

#include "daemon/recovery/old-writes.h"

#include "core/write/write-log.h"
#include "daemon/cluster/holders.h"

#define FIRST_PAUSE_US (5 * G_TIME_SPAN_MILLISECOND)
#define LONGEST_PAUSE_US (200 * G_TIME_SPAN_MILLISECOND)
/* A request to the registry or the store after the call's deadline. */
#define CALL_US (20 * G_USEC_PER_SEC)

typedef struct
{
  const KvsqldOldWrites *old;
  KvsqlCall call;
  gint64 known_us; /* since then all daemons know the definitions */
  GArray *left;    /* (element-type KvsqlLogEntry) without keys; NULL: the log was not read yet */
} Wait;

/* FALSE with an error: not yet, or the registry or the store has not answered. */
typedef gboolean (*CheckFunc) (Wait *self, GError **error);

/* ---- daemons */

static gboolean
check_holders (Wait *self, GError **error)
{
  return kvsqld_holders_check_epoch (kvsqld_definitions_get_registry (self->old->definitions),
                                     self->old->epoch, &self->call, error);
}

/* ---- the log */

static gboolean
is_left (const GArray *left, const KvsqlLogEntry *entry)
{
  for (guint i = 0; left != NULL && i < left->len; i++)
    {
      const KvsqlLogEntry *other = &g_array_index (left, KvsqlLogEntry, i);

      if (other->daemon_id == entry->daemon_id && other->number == entry->number)
        return TRUE;
    }
  return left == NULL;
}

/* Keeps the entries of the first look that are still there. Later ones are of newer definitions. */
static gboolean
check_log (Wait *self, GError **error)
{
  KvsqlStorage *storage = self->old->storage;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) before = self->left;
  KvsqlLogEntry *entries;
  guint n;

  if (!kvsql_storage_ensure_anchors (storage, &self->call, error)
      || !kvsql_log_entries_read (kvsql_storage_get_store (storage), 0, G_MAXUINT64, &self->call,
                                  arena, &entries, &n, error))
    {
      g_steal_pointer (&before);
      return FALSE;
    }
  self->left = g_array_new (FALSE, FALSE, sizeof (KvsqlLogEntry));
  for (guint i = 0; i < n; i++)
    if (entries[i].relation_id == self->old->relation_id && is_left (before, &entries[i]))
      g_array_append_val (self->left, entries[i]);
  return self->left->len == 0
         || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                             "writes of the relation that are in the log are not finished")
         || kvsql_error_hint (error, "They will be: repeat the statement when SHOW STATUS counts "
                                     "no unfinished or late ones (late_request_s).");
}

static gboolean
check_late (Wait *self, GError **error)
{
  return g_get_monotonic_time () >= self->known_us + self->old->late_us
         || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                             "blind writes of the relation that are in no log may still be late")
         || kvsql_error_hint (error, "They are not after late_request_s: BACKFILL SCHEMA waits.");
}

/* ---- waiting */

/* If the deadline cuts the last look short, the error is that of the one before, which says what is
 * waited for. */
static gboolean
poll_until (Wait *self, CheckFunc check, gint64 deadline_us, GError **error)
{
  gint64 pause_us = FIRST_PAUSE_US;
  g_autoptr (GError) reason = NULL;

  for (;;)
    {
      g_autoptr (GError) failure = NULL;
      gint64 now = g_get_monotonic_time ();

      self->call.deadline_us = MIN (deadline_us, now + CALL_US);
      if (check (self, &failure))
        return TRUE;
      if (reason == NULL || g_get_monotonic_time () < self->call.deadline_us)
        {
          g_clear_error (&reason);
          reason = g_steal_pointer (&failure);
        }
      if (g_cancellable_is_cancelled (self->call.cancellable))
        return kvsql_call_check (&self->call, error);
      if (g_get_monotonic_time () + pause_us >= deadline_us)
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return FALSE;
        }
      g_usleep ((gulong)pause_us);
      pause_us = MIN (2 * pause_us, LONGEST_PAUSE_US);
    }
}

gboolean
kvsqld_old_writes_await (const KvsqldOldWrites *self, const KvsqlCall *call, GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);
  Wait wait = { .old = self, .call = *call };
  gboolean ok;

  if (!kvsqld_definitions_await (self->definitions, self->epoch, call, error))
    return FALSE;
  if ((store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return TRUE;
  if (!poll_until (&wait, check_holders, call->deadline_us, error))
    return FALSE;
  wait.known_us = g_get_monotonic_time ();
  ok = (self->relation_id == 0
        || poll_until (&wait, check_log, call->deadline_us + self->log_wait_us, error))
       && (self->late_us == 0
           || poll_until (&wait, check_late, call->deadline_us + self->log_wait_us, error));
  g_clear_pointer (&wait.left, g_array_unref);
  return ok;
}
