/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * activity.c: the list of sessions, and the statement that each one runs.
 *
 * A late KILL must not hit the next statement. So a fired cancellable is dropped with its
 * statement, and it is fired only while the statement is known to run.
 */
#include "config.h"

#include "daemon/session/activity.h"

#include "daemon/net/peer-name.h"
#include "daemon/session/statement-shape.h"

struct _KvsqldActivity
{
  KvsqlCount last_session;
  KvsqlCount last_statement;
  GMutex mutex;
  GPtrArray *sessions;      /* by id: new ones come at the end */
  KvsqldSessionEnded ended; /* nullable */
  gpointer user_data;
};

struct _KvsqldSession
{
  KvsqldActivity *activity;
  gint64 id;
  gchar *peer;
  gint64 since_ms;
  GCancellable *connection; /* nullable */
  gulong handler;
  KvsqldRoleUsage *role_usage; /* nullable; of the thread of its statements */
  gboolean is_used;            /* of that thread, too */

  GMutex mutex; /* protects what follows */
  gchar *client;
  gchar *role;
  gint64 n_statements;
  gint64 n_errors;
  gboolean is_cancelled; /* statements that begin later are cancelled, too */
  gboolean is_ended;
  GCancellable *cancellable; /* of the running statement, or of the next one */
  gint64 statement;          /* 0: none */
  gint64 began_us;
  gint64 deadline_us;
  KvsqlSlice sql;
  const KvsqlUsage *usage;
  gchar *killed_by;
};

KvsqldActivity *
kvsqld_activity_new (void)
{
  KvsqldActivity *self = g_new0 (KvsqldActivity, 1);

  g_mutex_init (&self->mutex);
  self->sessions = g_ptr_array_new ();
  return self;
}

void
kvsqld_activity_free (KvsqldActivity *self)
{
  if (self == NULL)
    return;
  g_assert (self->sessions->len == 0);
  g_ptr_array_unref (self->sessions);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_activity_set_ended (KvsqldActivity *self, KvsqldSessionEnded ended, gpointer user_data)
{
  self->ended = ended;
  self->user_data = user_data;
}

/* ---- a session's life */

static void
on_connection_cancelled (GCancellable *connection, gpointer user_data)
{
  KvsqldSession *self = user_data;
  g_autoptr (GCancellable) running = NULL;

  g_mutex_lock (&self->mutex);
  self->is_cancelled = TRUE;
  running = g_object_ref (self->cancellable);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (running);
}

KvsqldSession *
kvsqld_session_new (KvsqldActivity *activity, const gchar *peer, GCancellable *connection)
{
  KvsqldSession *self = g_new0 (KvsqldSession, 1);

  g_mutex_init (&self->mutex);
  self->activity = activity;
  self->peer = g_strdup (peer);
  self->since_ms = g_get_real_time () / 1000;
  self->cancellable = g_cancellable_new ();
  if (connection != NULL)
    {
      self->connection = g_object_ref (connection);
      self->handler
          = g_cancellable_connect (connection, G_CALLBACK (on_connection_cancelled), self, NULL);
    }
  g_mutex_lock (&activity->mutex);
  self->id = ++activity->last_session;
  g_ptr_array_add (activity->sessions, self);
  g_mutex_unlock (&activity->mutex);
  return self;
}

void
kvsqld_session_end (KvsqldSession *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->activity->mutex);
  g_ptr_array_remove (self->activity->sessions, self);
  g_mutex_unlock (&self->activity->mutex);
  if (self->activity->ended != NULL)
    self->activity->ended (self->id, self->activity->user_data);
  if (self->connection != NULL)
    g_cancellable_disconnect (self->connection, self->handler);
  g_clear_object (&self->connection);
  kvsqld_role_usage_leave (self->role_usage);
  g_object_unref (self->cancellable);
  g_free (self->killed_by);
  g_free (self->client);
  g_free (self->role);
  g_free (self->peer);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_session_set_client (KvsqldSession *self, const gchar *name)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_free (self->client);
  self->client = g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), 64));
}

void
kvsqld_session_set_role (KvsqldSession *self, const gchar *role)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (g_strcmp0 (self->role, role) == 0)
    return;
  g_free (self->role);
  self->role = g_strdup (role);
}

gboolean
kvsqld_session_note_use (KvsqldSession *self)
{
  gboolean is_first = !self->is_used;

  self->is_used = TRUE;
  return is_first;
}

void
kvsqld_session_set_role_usage (KvsqldSession *self, KvsqldRoleUsage *usage)
{
  kvsqld_role_usage_leave (self->role_usage);
  self->role_usage = usage;
}

KvsqldRoleUsage *
kvsqld_session_get_role_usage (const KvsqldSession *self)
{
  return self->role_usage;
}

gint64
kvsqld_session_get_id (const KvsqldSession *self)
{
  return self->id;
}

gchar *
kvsqld_session_describe (KvsqldSession *self)
{
  g_autofree gchar *peer = kvsqld_peer_name (self->peer); /* may block, so not under the lock */
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_strdup_printf ("session %" G_GINT64_FORMAT " (%s, %s)", self->id,
                          self->client == NULL ? "unnamed" : self->client, peer);
}

gboolean
kvsqld_session_is_running (KvsqldSession *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->statement != 0;
}

gboolean
kvsqld_session_is_ended (KvsqldSession *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->is_ended;
}

/* ---- its statements */

GCancellable *
kvsqld_session_begin (KvsqldSession *self, KvsqlSlice sql, const KvsqlUsage *usage,
                      gint64 deadline_us, gint64 *out_id)
{
  gint64 id = __atomic_add_fetch (&self->activity->last_statement, 1, __ATOMIC_RELAXED);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->statement = id;
  self->began_us = g_get_monotonic_time ();
  self->sql = sql;
  self->usage = usage;
  self->deadline_us = deadline_us;
  *out_id = id;
  return g_object_ref (self->cancellable);
}

void
kvsqld_session_set_text (KvsqldSession *self, KvsqlSlice sql)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->sql = sql;
}

gchar *
kvsqld_session_finish (KvsqldSession *self, gboolean ok)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->statement = 0;
  self->sql = KVSQL_SLICE_EMPTY;
  self->usage = NULL;
  self->n_statements++;
  self->n_errors += !ok;
  if (self->killed_by != NULL && !self->is_cancelled)
    {
      g_object_unref (self->cancellable);
      self->cancellable = g_cancellable_new ();
    }
  return g_steal_pointer (&self->killed_by);
}

/* ---- KILL */

/* The caller holds the session's lock. Returns: (transfer full) (nullable): the cancellable to
 * fire */
static GCancellable *
kill_running (KvsqldSession *self, const gchar *who)
{
  if (self->statement == 0)
    return NULL;
  if (self->killed_by == NULL)
    self->killed_by = g_strdup (who);
  return g_object_ref (self->cancellable);
}

void
kvsqld_session_cancel (KvsqldSession *self)
{
  g_autoptr (GCancellable) running = NULL;

  g_mutex_lock (&self->mutex);
  running = kill_running (self, "its client");
  g_mutex_unlock (&self->mutex);
  if (running != NULL)
    g_cancellable_cancel (running);
}

gboolean
kvsqld_activity_kill_statement (KvsqldActivity *self, gint64 id, const gchar *who)
{
  g_autoptr (GCancellable) running = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->sessions->len && running == NULL; i++)
    {
      KvsqldSession *session = self->sessions->pdata[i];

      g_mutex_lock (&session->mutex);
      if (session->statement == id)
        running = kill_running (session, who);
      g_mutex_unlock (&session->mutex);
    }
  g_mutex_unlock (&self->mutex);
  if (running != NULL)
    g_cancellable_cancel (running);
  return running != NULL;
}

gboolean
kvsqld_activity_kill_session (KvsqldActivity *self, gint64 id, const gchar *who)
{
  g_autoptr (GCancellable) fired = NULL;
  gboolean is_found = FALSE;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->sessions->len && !is_found; i++)
    {
      KvsqldSession *session = self->sessions->pdata[i];

      if (session->id != id)
        continue;
      is_found = TRUE;
      g_mutex_lock (&session->mutex);
      session->is_ended = TRUE;
      fired = kill_running (session, who);
      if (fired == NULL && session->connection != NULL)
        fired = g_object_ref (session->connection);
      g_mutex_unlock (&session->mutex);
    }
  g_mutex_unlock (&self->mutex);
  if (fired != NULL)
    g_cancellable_cancel (fired);
  return is_found;
}

/* ---- listing */

static void
info_free (gpointer data)
{
  KvsqldSessionInfo *self = data;

  g_free (self->peer);
  g_free (self->client);
  g_free (self->role);
  g_free (self->text);
  g_free (self);
}

static KvsqldSessionInfo *
describe (KvsqldSession *self, gint64 now_us)
{
  KvsqldSessionInfo *info = g_new0 (KvsqldSessionInfo, 1);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  info->id = self->id;
  info->peer = g_strdup (self->peer);
  info->client = g_strdup (self->client);
  info->role = g_strdup (self->role);
  info->since_ms = self->since_ms;
  info->n_statements = self->n_statements;
  info->n_errors = self->n_errors;
  info->statement = self->statement;
  if (self->statement == 0)
    return info;
  info->text = self->sql.size == 0 ? NULL : kvsqld_statement_shape (self->sql);
  info->elapsed_us = now_us - self->began_us;
  info->n_store_calls = kvsql_count_get (&self->usage->n_calls);
  info->n_rows_read = kvsql_count_get (&self->usage->n_rows);
  info->n_bytes = (gint64)kvsql_account_get_used (self->usage->account);
  info->is_killed = self->killed_by != NULL;
  return info;
}

GPtrArray *
kvsqld_activity_list (KvsqldActivity *self)
{
  GPtrArray *infos = g_ptr_array_new_with_free_func (info_free);
  gint64 now_us = g_get_monotonic_time ();
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  for (guint i = 0; i < self->sessions->len; i++)
    g_ptr_array_add (infos, describe (self->sessions->pdata[i], now_us));
  return infos;
}

guint
kvsqld_activity_count (KvsqldActivity *self, guint *out_n_running)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  *out_n_running = 0;
  for (guint i = 0; i < self->sessions->len; i++)
    {
      KvsqldSession *session = self->sessions->pdata[i];

      g_mutex_lock (&session->mutex);
      *out_n_running += session->statement != 0;
      g_mutex_unlock (&session->mutex);
    }
  return self->sessions->len;
}

gint64
kvsqld_activity_get_first_deadline (KvsqldActivity *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gint64 first_us = 0;

  for (guint i = 0; i < self->sessions->len; i++)
    {
      KvsqldSession *session = self->sessions->pdata[i];

      g_mutex_lock (&session->mutex);
      if (session->statement != 0 && (first_us == 0 || session->deadline_us < first_us))
        first_us = session->deadline_us;
      g_mutex_unlock (&session->mutex);
    }
  return first_us;
}
