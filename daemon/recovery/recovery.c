/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recovery.c: reads the entries of the log whose daemons have no session, and finishes the writes
 * of their keys, or writes their intents again.
 *
 * The log is read in the ranges between the daemons that are alive, because an entry of these is
 * none of the others' business, and there are many. An entry of this daemon is read only if the
 * outcome of one of its writes is not known.
 */
#include "config.h"

#include "daemon/recovery/recovery.h"

#include "core/write/blind-write.h"
#include "core/write/checked-write.h"
#include "core/write/write-log.h"
#include "daemon/cluster/holders.h"
#include "daemon/cluster/periodic.h"
#include "daemon/log/log.h"
#include "daemon/recovery/remains.h"

#define LONGEST_PERIOD_US (5 * G_USEC_PER_SEC)
/* A request to the registry or the store. */
#define CALL_US (20 * G_USEC_PER_SEC)

struct _KvsqldRecovery
{
  KvsqlStorage *storage;
  KvsqldDefinitions *definitions;
  gint64 late_us;
  GCancellable *stop;     /* of the thread; borrowed */
  KvsqldRemains *remains; /* of the thread */
  KvsqldPeriodic *looks;

  GMutex mutex; /* protects what follows; a leaf */
  KvsqldRecoveryStatus status;
  guint n_own_found; /* entries that this daemon has left, at the last look */
};

/* One look at the whole log. */
typedef struct
{
  KvsqldRecovery *recovery;
  KvsqlCatalog *catalog;
  GArray *holders;
  guint64 own_id;
  gint64 read_us; /* before @holders were read */
} Look;

static KvsqlCall
new_call (const KvsqldRecovery *self)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + CALL_US, .cancellable = self->stop };
}

/* ---- one entry */

static gboolean
is_blind (const KvsqlLogEntry *entry)
{
  return entry->intent.size > 0;
}

/* To write an intent again that is too old could bring deleted tuples back. */
static gboolean
finish_intent (const Look *look, const KvsqlCatalogEntry *relation, const KvsqlLogEntry *entry,
               guint *out_n, GError **error)
{
  KvsqlStorage *storage = look->recovery->storage;
  const KvsqlCall call = new_call (look->recovery);

  *out_n = 0;
  if (!kvsql_blind_is_outdated (storage, entry->intent))
    return kvsql_blind_finish (storage, relation, entry->intent, &call, out_n, error);
  kvsqld_log (
      G_LOG_LEVEL_WARNING, NULL,
      "a blind write of relation \"%s\" was left for longer than delete_grace_s, and is not "
      "finished: VERIFY SCHEMA shows what differs",
      relation->relation->name);
  return TRUE;
}

static gboolean
finish_keys (const Look *look, const KvsqlCatalogEntry *relation, const KvsqlLogEntry *entry,
             guint *out_n, GError **error)
{
  const KvsqlCall call = new_call (look->recovery);
  const KvsqlCheckedWriter writer = { .storage = look->recovery->storage,
                                      .entry = relation,
                                      .relation_id = entry->relation_id,
                                      .call = &call };

  return kvsql_checked_finish (&writer, entry->keys, entry->n_keys, out_n, error);
}

/* @relation: nullable. A relation that is gone has nothing to finish, unless its definition could
 * not be read. */
static gboolean
finish (const Look *look, const KvsqlCatalogEntry *relation, const KvsqlLogEntry *entry,
        GError **error)
{
  guint n;

  if (relation == NULL)
    return look->catalog->load_errors->len == 0
           || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                               "a write of a relation cannot be finished that has no definition, "
                               "or one with errors");
  if (!(is_blind (entry) ? finish_intent : finish_keys) (look, relation, entry, &n, error))
    return FALSE;
  g_mutex_lock (&look->recovery->mutex);
  look->recovery->status.n_finished += n;
  g_mutex_unlock (&look->recovery->mutex);
  return TRUE;
}

static gboolean
remove_entry (const Look *look, const KvsqlLogEntry *entry, GError **error)
{
  KvsqldRecovery *self = look->recovery;
  const KvsqlCall call = new_call (self);

  /* as in kvsql_checked_write_cells(): its definitions may be old */
  return kvsql_storage_may_write (self->storage, error)
         && kvsql_log_entries_remove (kvsql_storage_get_store (self->storage), entry, 1, &call,
                                      error);
}

static gboolean
handle_entry (const Look *look, const KvsqlLogEntry *entry, GError **error)
{
  KvsqldRecovery *self = look->recovery;
  gboolean is_own = entry->daemon_id == look->own_id;
  const KvsqlCatalogEntry *relation = kvsql_catalog_find_id (look->catalog, entry->relation_id);
  gboolean has_ended = is_own || kvsqld_holders_find (look->holders, entry->daemon_id) == NULL;
  KvsqldRemain *remain;
  gboolean is_last, is_done;

  if (is_own && kvsql_write_log_is_running (kvsql_storage_get_log (self->storage), entry->number))
    return TRUE;
  remain = kvsqld_remains_find (self->remains, entry, has_ended, look->read_us);
  if (look->read_us < remain->look_us)
    return TRUE;
  /* What is late of a blind write are the same cells again. A relation that is not known may be
   * new. */
  is_last = (is_blind (entry) && relation != NULL)
            || kvsqld_remain_is_last_look (self->remains, remain, look->read_us);
  is_done = finish (look, relation, entry, error);
  kvsqld_remains_note_look (self->remains, remain, is_done, look->read_us);
  return is_done && (!is_last || remove_entry (look, entry, error));
}

/* ---- the log */

/* The entries of some daemons. An entry that fails does not stop the others. */
static gboolean
handle_range (const Look *look, guint64 first_id, guint64 last_id, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlCall call = new_call (look->recovery);
  KvsqlLogEntry *entries;
  gboolean ok = TRUE;
  guint n;

  if (!kvsql_log_entries_read (kvsql_storage_get_store (look->recovery->storage), first_id, last_id,
                               &call, arena, &entries, &n, error))
    return FALSE;
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (look->recovery->stop); i++)
    ok = handle_entry (look, &entries[i], ok ? error : NULL) && ok;
  return ok;
}

/* Whether the daemon's entries are left to it. */
static gboolean
is_skipped (const Look *look, const KvsqldHolder *holder)
{
  if (holder->daemon_id == look->own_id)
    return kvsql_write_log_get_n_left (kvsql_storage_get_log (look->recovery->storage)) == 0;
  return holder->has_session;
}

static gboolean
handle_all (const Look *look, GError **error)
{
  guint64 first_id = 0;

  for (guint i = 0; i < look->holders->len; i++)
    {
      const KvsqldHolder *holder = &g_array_index (look->holders, KvsqldHolder, i);

      if (!is_skipped (look, holder))
        continue;
      if (holder->daemon_id > first_id
          && !handle_range (look, first_id, holder->daemon_id - 1, error))
        return FALSE;
      if (holder->daemon_id == G_MAXUINT64)
        return TRUE;
      first_id = holder->daemon_id + 1;
    }
  return handle_range (look, first_id, G_MAXUINT64, error);
}

static gboolean
has_logged_relation (const KvsqlCatalog *catalog)
{
  for (guint i = 0; i < catalog->entries->len; i++)
    if (((const KvsqlCatalogEntry *)catalog->entries->pdata[i])->relation->id != 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_intent_late (const KvsqldRecovery *self, gint64 now_us)
{
  gint64 lost_us = kvsql_write_log_get_lost_us (kvsql_storage_get_log (self->storage));

  return lost_us != 0 && now_us < lost_us + self->late_us;
}

static gboolean
look_once (KvsqldRecovery *self, KvsqlCatalog *catalog, GError **error)
{
  const KvsqlCall call = new_call (self);
  KvsqlWriteLog *log = kvsql_storage_get_log (self->storage);
  const guint n_left = kvsql_write_log_get_n_left (log);
  Look look = { .recovery = self,
                .catalog = catalog,
                .own_id = kvsql_write_log_get_daemon_id (log),
                .read_us = g_get_monotonic_time () };
  g_autoptr (GArray) holders = NULL;
  g_autoptr (GError) failure = NULL;
  guint n_found;

  if (!has_logged_relation (catalog))
    return TRUE;
  if (!kvsqld_definitions_may_write (self->definitions, catalog, error))
    return FALSE;
  holders = kvsqld_holders_read (kvsqld_definitions_get_registry (self->definitions), &call, error);
  if (holders == NULL || !kvsql_storage_ensure_anchors (self->storage, &call, error))
    return FALSE;
  look.holders = holders;
  if (!handle_all (&look, &failure))
    {
      kvsql_storage_remake_anchors (self->storage, failure, &call); /* for the next look */
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  kvsqld_remains_forget_others (self->remains);
  /* an entry may never have reached the log, or may have been removed without an answer; but an
   * intent that gets there late has to be found */
  if (is_intent_late (self, look.read_us))
    return TRUE;
  n_found = kvsqld_remains_count_of (self->remains, look.own_id);
  kvsql_write_log_forget_left (log, n_left - MIN (n_left, n_found));
  return TRUE;
}

/* ---- the thread */

static void
set_status (KvsqldRecovery *self, const GError *failure)
{
  KvsqlWriteLog *log = kvsql_storage_get_log (self->storage);
  guint n_own = kvsqld_remains_count_of (self->remains, kvsql_write_log_get_daemon_id (log));
  guint n, n_undone;
  gint64 oldest_ms;

  kvsqld_remains_count (self->remains, &n, &n_undone, &oldest_ms);
  g_mutex_lock (&self->mutex);
  self->status.is_known = self->status.is_known || failure == NULL;
  self->status.n_left = n_undone;
  self->status.n_watched = n - n_undone;
  self->n_own_found = n_own;
  self->status.oldest_ms = oldest_ms;
  g_free (self->status.last_error);
  self->status.last_error = failure != NULL ? g_strdup (failure->message) : NULL;
  g_mutex_unlock (&self->mutex);
}

static void
run_look (GCancellable *stop, gpointer data)
{
  KvsqldRecovery *self = data;
  /* a look counts as a statement that uses these definitions */
  KvsqlCatalog *catalog = kvsqld_definitions_enter (self->definitions);
  g_autoptr (GError) failure = NULL;

  self->stop = stop;
  if (!look_once (self, catalog, &failure) && g_cancellable_is_cancelled (stop))
    g_clear_error (&failure);
  kvsqld_definitions_leave (self->definitions, catalog);
  set_status (self, failure);
}

KvsqldRecovery *
kvsqld_recovery_new (KvsqlStorage *storage, KvsqldDefinitions *definitions, gint64 late_s)
{
  KvsqldRecovery *self = g_new0 (KvsqldRecovery, 1);

  self->storage = storage;
  self->definitions = definitions;
  self->late_us = late_s * G_USEC_PER_SEC;
  self->remains = kvsqld_remains_new (late_s * G_USEC_PER_SEC);
  g_mutex_init (&self->mutex);
  self->looks = kvsqld_periodic_new (
      "recovery", MIN (LONGEST_PERIOD_US, late_s * G_USEC_PER_SEC / 4), TRUE, run_look, self);
  return self;
}

void
kvsqld_recovery_free (KvsqldRecovery *self)
{
  if (self == NULL)
    return;
  kvsqld_periodic_free (self->looks);
  kvsqld_remains_free (self->remains);
  g_mutex_clear (&self->mutex);
  g_free (self->status.last_error);
  g_free (self);
}

void
kvsqld_recovery_get_status (KvsqldRecovery *self, KvsqldRecoveryStatus *out)
{
  guint n_own = kvsql_write_log_get_n_left (kvsql_storage_get_log (self->storage));

  g_mutex_lock (&self->mutex);
  *out = self->status;
  out->last_error = g_strdup (self->status.last_error);
  /* those of this daemon that no look has found yet */
  if (n_own > self->n_own_found)
    {
      out->n_left += n_own - self->n_own_found;
      if (out->oldest_ms == 0)
        out->oldest_ms = g_get_real_time () / 1000;
    }
  g_mutex_unlock (&self->mutex);
}
