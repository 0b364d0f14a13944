/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-session.c: keeps a ZooKeeper session alive, and the newest epoch up to date.
 *
 * One keeper thread makes one step after the other, as the state requires: open a handle, give it
 * up, read the epoch and set the watch, announce the epoch that this daemon serves. The library's
 * events only change the state and wake the keeper, so there are no chains of callbacks.
 *
 * A watch fires once. The keeper sets it and reads in one request, after every event and every
 * reconnection, so that read sees all changes in between.
 */
#include "config.h"

#include "daemon/registry/zookeeper-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "daemon/registry/registry-private.h"

#define FIRST_BACKOFF_US (100 * 1000)
#define LAST_BACKOFF_US (5 * G_USEC_PER_SEC)
/* For the keeper's own requests. The library detects a silent server in two thirds of the session's
 * time. */
#define REQUEST_US (KVSQLD_ZK_SESSION_MS * 1000)
/* A session that was away this long has ended on any live server. A new session also helps if the
 * servers have lost their data and reject a session that has seen newer data. */
#define GIVE_UP_US (3 * KVSQLD_ZK_SESSION_MS * 1000)

typedef enum
{
  STEP_WAIT,
  STEP_STOP,
  STEP_OPEN,
  STEP_CLOSE,
  STEP_LOOK,
  STEP_ACKNOWLEDGE,
} Step;

/* ---- reports to the main context ---- */

static gboolean
is_same_epoch (const KvsqldZkEpoch *a, const KvsqldZkEpoch *b)
{
  return a->epoch == b->epoch && a->protocol.number == b->protocol.number
         && a->protocol.is_announced == b->protocol.is_announced;
}

static gboolean
report (gpointer user_data)
{
  KvsqldZookeeper *self = user_data;
  KvsqldRegistryState state;
  gboolean has_changed, is_news;

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->report, g_source_unref);
  state = self->is_ready ? KVSQLD_REGISTRY_CONNECTED : KVSQLD_REGISTRY_AWAY;
  has_changed = self->is_ready && !is_same_epoch (&self->epoch, &self->reported);
  is_news = !self->is_stopping && (has_changed || state != self->reported_state);
  self->reported_state = state;
  if (has_changed)
    self->reported = self->epoch;
  g_mutex_unlock (&self->lock);

  if (is_news)
    self->watch (&self->parent, state, has_changed, self->user_data);
  return G_SOURCE_REMOVE;
}

static void
unref_data (gpointer data)
{
  _kvsqld_zk_unref (data);
}

/* The lock is held. Reports that have not been delivered yet are merged into one. */
static void
schedule_report (KvsqldZookeeper *self)
{
  if (self->watch == NULL || self->report != NULL || self->is_stopping)
    return;
  g_atomic_ref_count_inc (&self->references);
  self->report = g_idle_source_new ();
  g_source_set_priority (self->report, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->report, report, self, unref_data);
  g_source_attach (self->report, self->context);
}

/* ---- events, in the library's thread ---- */

/* The lock is held. */
static void
set_away (KvsqldZookeeper *self)
{
  if (!self->is_ready)
    return;
  self->is_ready = FALSE;
  self->away_since_us = g_get_monotonic_time ();
  schedule_report (self);
}

static void
on_session_event (zhandle_t *handle, int type, int state, const char *path, void *context)
{
  KvsqldZookeeper *self = context;

  if (type != ZOO_SESSION_EVENT)
    return;
  g_mutex_lock (&self->lock);
  if (state == ZOO_CONNECTED_STATE)
    {
      self->is_linked = TRUE;
      self->must_read_epoch = TRUE;
      self->retry_at_us = 0;
    }
  else
    {
      self->is_linked = FALSE;
      set_away (self);
      self->is_expired |= state == ZOO_EXPIRED_SESSION_STATE || state == ZOO_AUTH_FAILED_STATE;
    }
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
on_epoch_event (zhandle_t *handle, int type, int state, const char *path, void *context)
{
  KvsqldZookeeper *self = context;

  if (type == ZOO_SESSION_EVENT) /* every watcher gets these, too */
    return;
  g_mutex_lock (&self->lock);
  self->must_read_epoch = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
on_log (const char *message)
{
  g_debug ("zookeeper: %s", message);
}

/* ---- failures ---- */

/* The lock is held, as in the next function. */
static void
set_last_error (KvsqldZookeeper *self, const gchar *last_error)
{
  g_free (self->last_error);
  self->last_error = g_strdup (last_error);
}

/* Between half the pause and all of it, so that daemons that lost their server together do not
 * reconnect together. */
static void
back_off (KvsqldZookeeper *self)
{
  gint64 half_us = self->backoff_us / 2;

  self->retry_at_us
      = g_get_monotonic_time () + half_us + g_random_int_range (0, (gint32)half_us + 1);
  self->backoff_us = MIN (self->backoff_us * 2, LAST_BACKOFF_US);
}

static void
step_failed (KvsqldZookeeper *self, const gchar *last_error)
{
  g_mutex_lock (&self->lock);
  set_last_error (self, last_error);
  back_off (self);
  g_mutex_unlock (&self->lock);
}

gboolean
_kvsqld_zk_is_link_failure (gint rc)
{
  return rc == ZCONNECTIONLOSS || rc == ZOPERATIONTIMEOUT || rc == ZCLOSING || rc == ZINVALIDSTATE
         || rc == ZSESSIONEXPIRED || rc == ZSESSIONMOVED;
}

gboolean
_kvsqld_zk_fail (KvsqldZookeeper *self, gint rc, const gchar *what, GError **error)
{
  gboolean is_away = _kvsqld_zk_is_link_failure (rc) || rc == ZTHROTTLEDOP;

  kvsql_error_set (error, is_away ? KVSQL_ERROR_UNAVAILABLE : KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "could not %s in ZooKeeper at %s: %s", what, self->servers, zerror (rc));
  if (rc == ZNOAUTH && self->auth != NULL)
    kvsql_error_hint (error, "The nodes belong to another user, or the password is another: see "
                             "auth_file or auth in the registry's URL.");
  else if (rc == ZNOAUTH)
    kvsql_error_hint (error, "The nodes belong to a user: add ?auth_file=FILE to the registry's "
                             "URL, a file that holds digest:user:password.");
  return FALSE;
}

/* With a hint, for the status. */
static void
step_failed_by (KvsqldZookeeper *self, const GError *error)
{
  const gchar *hint = kvsql_error_get_hint (error);
  g_autofree gchar *last_error = g_strdup_printf (
      "%s%s%s", error->message, hint != NULL ? ". " : "", hint != NULL ? hint : "");

  step_failed (self, last_error);
}

/* ---- opening and closing handles ---- */

static void
open_handle (KvsqldZookeeper *self)
{
  zhandle_t *handle;

  g_mutex_lock (&self->lock);
  self->is_expired = FALSE;
  self->acknowledged = -1;
  self->generation++;
  g_mutex_unlock (&self->lock);

  /* without the lock, because it looks up names, and events may come before it returns */
  handle = zookeeper_init2 (self->servers, on_session_event, KVSQLD_ZK_SESSION_MS, NULL, self,
                            ZOO_NO_LOG_CLIENTENV, on_log);
  if (handle == NULL)
    {
      g_autofree gchar *last_error = g_strdup_printf (
          "could not look for ZooKeeper at %s: %s", self->servers,
          errno == EINVAL || errno == ENOENT ? "unknown host" : g_strerror (errno));
      step_failed (self, last_error);
      return;
    }
  /* before other threads have the handle, so their requests come after it */
  if (self->auth != NULL)
    zoo_add_auth (handle, "digest", self->auth, (int)strlen (self->auth), NULL, NULL);
  g_mutex_lock (&self->lock);
  self->handle = handle;
  self->opened_at_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
}

static void
close_handle (KvsqldZookeeper *self)
{
  zhandle_t *handle;

  g_mutex_lock (&self->lock);
  handle = g_steal_pointer (&self->handle);
  set_away (self);
  if (!self->is_expired)
    self->abandoned = self->generation;
  back_off (self);
  g_mutex_unlock (&self->lock);

  /* joins the library's threads, which may be waiting for the lock */
  if (handle != NULL)
    zookeeper_close (handle);
  _kvsqld_zk_abandon_requests (self);

  g_mutex_lock (&self->lock);
  self->is_linked = FALSE; /* whatever an event has set in the meantime */
  self->must_read_epoch = FALSE;
  g_mutex_unlock (&self->lock);
}

/* ---- the epoch ---- */

/* "epoch 42 writes 1"; of earlier builds: "42". */
static gboolean
parse_first_line (const gchar *line, KvsqldZkEpoch *out)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 3);
  guint n_words = g_strv_length (words);

  *out = (KvsqldZkEpoch){ 0 };
  if (n_words == 1)
    return g_ascii_string_to_signed (words[0], 10, 0, G_MAXINT64, &out->epoch, NULL);
  return n_words == 3 && strcmp (words[0], "epoch") == 0
         && g_ascii_string_to_signed (words[1], 10, 0, G_MAXINT64, &out->epoch, NULL)
         && _kvsqld_write_protocol_parse (words[2], &out->protocol);
}

gboolean
_kvsqld_zk_parse_epoch (const KvsqldZkReply *reply, KvsqldZkEpoch *out, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (reply->data, "\n", 2);

  if (lines[0] != NULL && parse_first_line (lines[0], out))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "node \"/epoch\" in ZooKeeper has no epoch");
  return kvsql_error_hint (error,
                           "If a newer kvsqld has written it, upgrade this one. Otherwise "
                           "set it to \"epoch N writes %d\", with N larger than it ever was.",
                           KVSQLD_WRITE_PROTOCOL);
}

/* The first lines of the node, up to its own commit. */
static GString *
print_first_lines (const KvsqldZkEpoch *self, const gchar *commit_id)
{
  GString *text = g_string_new (NULL);
  g_autofree gchar *protocol = _kvsqld_write_protocol_print (&self->protocol);

  if (self->protocol.number == 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT "\n", self->epoch);
  else
    g_string_append_printf (text, "epoch %" G_GINT64_FORMAT " %s\n", self->epoch, protocol);
  if (commit_id != NULL)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " %s\n", self->epoch, commit_id);
  return text;
}

gchar *
_kvsqld_zk_print_epoch (const KvsqldZkEpoch *self, const KvsqldZkReply *old, const gchar *commit_id)
{
  GString *text = print_first_lines (self, commit_id);
  g_auto (GStrv) lines = g_strsplit (old != NULL ? old->data : "", "\n", -1);
  guint n_old = MIN (g_strv_length (lines), KVSQLD_ZK_HISTORY);

  for (guint i = 1; i < n_old; i++)
    if (lines[i][0] != '\0')
      g_string_append_printf (text, "%s\n", lines[i]);
  return g_string_free (text, FALSE);
}

gint64
_kvsqld_zk_find_commit (const KvsqldZkReply *reply, const gchar *commit_id, gint64 *out_oldest)
{
  g_auto (GStrv) lines = g_strsplit (reply->data, "\n", -1);

  *out_oldest = G_MAXINT64;
  for (guint i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    {
      gchar *id = NULL;
      gint64 epoch = g_ascii_strtoll (lines[i], &id, 10);

      if (*id != ' ')
        continue;
      if (strcmp (id + 1, commit_id) == 0)
        return epoch;
      *out_oldest = MIN (*out_oldest, epoch);
    }
  return -1;
}

/* Waits for a batch of the keeper's own. FALSE: the error is in last_error. */
static gboolean
keeper_wait (KvsqldZookeeper *self, KvsqldZkBatch *batch)
{
  if (_kvsqld_zk_batch_wait (batch, g_get_monotonic_time () + REQUEST_US, self->stop))
    return TRUE;
  step_failed (self, "ZooKeeper does not answer");
  return FALSE;
}

/* Makes the nodes that lead to the root, and those below it. Existing nodes stay as they are. */
static gboolean
create_tree (KvsqldZookeeper *self)
{
  static const gchar *const folders[]
      = { "/relations", "/schemas", "/backfills", "/roles", "/rights", "/daemons", "/history" };
  g_auto (GStrv) steps = g_strsplit (self->root, "/", -1);
  guint n_steps = self->root[0] != '\0' ? g_strv_length (steps) - 1 : 0;
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (n_steps + G_N_ELEMENTS (folders) + 1);
  g_autoptr (GString) path = g_string_new (NULL);
  g_autofree gchar *epoch = NULL;
  KvsqldZkEpoch new = self->epoch;
  guint n = 0;

  for (guint i = 1; i <= n_steps; i++)
    {
      g_string_append_printf (path, "/%s", steps[i]);
      _kvsqld_zk_create_absolute (self, batch, n++, path->str, "", 0, ZOO_PERSISTENT);
    }
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    _kvsqld_zk_create (self, batch, n++, folders[i], "", 0, ZOO_PERSISTENT);
  /* if the node was removed, daemons that know the old number must see another one */
  new.epoch++;
  if (new.protocol.number < KVSQLD_WRITE_PROTOCOL)
    new.protocol = (KvsqldWriteProtocol){ .number = KVSQLD_WRITE_PROTOCOL };
  epoch = _kvsqld_zk_print_epoch (&new, NULL, NULL);
  _kvsqld_zk_create (self, batch, n++, "/epoch", epoch, (gint)strlen (epoch), ZOO_PERSISTENT);
  if (!keeper_wait (self, batch))
    return FALSE;

  for (guint i = 0; i < n; i++)
    if (batch->replies[i].rc != ZOK && batch->replies[i].rc != ZNODEEXISTS)
      {
        g_autoptr (GError) error = NULL;

        _kvsqld_zk_fail (self, batch->replies[i].rc, "make the registry's nodes", &error);
        step_failed_by (self, error);
        return FALSE;
      }
  return TRUE;
}

static void
epoch_was_read (KvsqldZookeeper *self, const KvsqldZkEpoch *epoch)
{
  g_mutex_lock (&self->lock);
  self->epoch = *epoch;
  self->is_ready = self->is_linked;
  self->backoff_us = FIRST_BACKOFF_US;
  set_last_error (self, NULL);
  schedule_report (self);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* The reply that sets the watch and has the epoch's node, or NULL after a failure. */
static KvsqldZkBatch *
read_epoch_watched (KvsqldZookeeper *self)
{
  for (guint attempt = 0; attempt < 2; attempt++)
    {
      g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (1);
      gint rc;

      _kvsqld_zk_get_watched (self, batch, 0, "/epoch", on_epoch_event);
      if (!keeper_wait (self, batch))
        return NULL;
      rc = batch->replies[0].rc;
      if (rc == ZOK)
        return g_steal_pointer (&batch);
      if (rc != ZNONODE || attempt > 0)
        {
          g_autoptr (GError) error = NULL;

          _kvsqld_zk_fail (self, rc, "read the epoch", &error);
          step_failed_by (self, error);
          return NULL;
        }
      if (!create_tree (self))
        return NULL;
    }
  return NULL;
}

static void
read_epoch (KvsqldZookeeper *self)
{
  g_autoptr (KvsqldZkBatch) batch = NULL;
  g_autoptr (GError) error = NULL;
  KvsqldZkEpoch epoch;

  g_mutex_lock (&self->lock);
  self->must_read_epoch = FALSE;
  g_mutex_unlock (&self->lock);

  batch = read_epoch_watched (self);
  if (batch != NULL && _kvsqld_zk_parse_epoch (&batch->replies[0], &epoch, &error))
    {
      epoch_was_read (self, &epoch);
      return;
    }
  if (error != NULL)
    step_failed_by (self, error);
  g_mutex_lock (&self->lock);
  self->must_read_epoch = TRUE;
  set_away (self);
  g_mutex_unlock (&self->lock);
}

/* ---- the ephemeral node ---- */

/* The session is part of the name, because the node of an ended session may still exist. */
static gchar *
daemon_path (KvsqldZookeeper *self)
{
  gchar name[256] = "";
  g_autofree gchar *host = NULL;
  gint64 id = 0;

  if (gethostname (name, sizeof name - 1) != 0 || !g_utf8_validate (name, -1, NULL))
    g_strlcpy (name, "unknown", sizeof name);
  host = _kvsqld_registry_escape (name);
  g_mutex_lock (&self->lock);
  if (self->handle != NULL)
    id = zoo_client_id (self->handle)->client_id;
  g_mutex_unlock (&self->lock);
  return g_strdup_printf ("/daemons/%s-%d-%" G_GINT64_MODIFIER "x", host, (gint)getpid (), id);
}

static void
send_acknowledgement (KvsqldZookeeper *self)
{
  g_autofree gchar *path = daemon_path (self);
  g_autofree gchar *text = NULL;
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (2);
  gint64 epoch;
  gint rc;

  g_mutex_lock (&self->lock);
  epoch = self->wanted_epoch;
  g_mutex_unlock (&self->lock);

  /* both at once: the second one sets the node if it existed before */
  text = g_strdup_printf ("%" G_GINT64_FORMAT "\n", epoch);
  _kvsqld_zk_create (self, batch, 0, path, text, (gint)strlen (text), ZOO_EPHEMERAL);
  _kvsqld_zk_set (self, batch, 1, path, text, (gint)strlen (text), -1);
  if (!keeper_wait (self, batch))
    return;
  rc = batch->replies[1].rc;
  if (rc != ZOK)
    {
      g_autoptr (GError) error = NULL;

      _kvsqld_zk_fail (self, rc, "tell the epoch", &error);
      step_failed_by (self, error);
      return;
    }
  g_mutex_lock (&self->lock);
  self->acknowledged = epoch;
  g_cond_broadcast (&self->changed);
  self->backoff_us = FIRST_BACKOFF_US;
  if (self->is_ready)
    set_last_error (self, NULL);
  g_mutex_unlock (&self->lock);
}

/* ---- the keeper ---- */

/* The lock is held: the next step, and when (0: at once, G_MAXINT64: nothing to wait for). */
static Step
next_step (KvsqldZookeeper *self, gint64 *out_at_us)
{
  *out_at_us = 0;
  if (self->is_stopping)
    return STEP_STOP;
  if (self->is_expired && self->handle != NULL)
    return STEP_CLOSE;
  *out_at_us = self->retry_at_us;
  if (self->handle == NULL)
    return STEP_OPEN;
  if (!self->is_linked)
    {
      *out_at_us = MAX (self->away_since_us, self->opened_at_us) + GIVE_UP_US;
      return STEP_CLOSE;
    }
  if (self->must_read_epoch)
    return STEP_LOOK;
  if (self->wanted_epoch != self->acknowledged)
    return STEP_ACKNOWLEDGE;
  *out_at_us = G_MAXINT64;
  return STEP_WAIT;
}

static Step
wait_for_step (KvsqldZookeeper *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  while (TRUE)
    {
      gint64 at_us;
      Step step = next_step (self, &at_us);

      if (step != STEP_WAIT && at_us <= g_get_monotonic_time ())
        return step;
      if (at_us == G_MAXINT64)
        g_cond_wait (&self->changed, &self->lock);
      else
        g_cond_wait_until (&self->changed, &self->lock, at_us);
    }
}

static gpointer
run_keeper (gpointer data)
{
  KvsqldZookeeper *self = data;

  while (TRUE)
    switch (wait_for_step (self))
      {
      case STEP_OPEN:
        open_handle (self);
        break;
      case STEP_CLOSE:
        close_handle (self);
        break;
      case STEP_LOOK:
        read_epoch (self);
        break;
      case STEP_ACKNOWLEDGE:
        send_acknowledgement (self);
        break;
      case STEP_STOP:
        close_handle (self);
        return NULL;
      case STEP_WAIT:
        break;
      }
}

/* ---- for callers ---- */

static void
wake_session (GCancellable *cancellable, gpointer user_data)
{
  KvsqldZookeeper *self = user_data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* The lock is held. */
static gboolean
wait_until_ready (KvsqldZookeeper *self, gint64 end_us, gint64 max_away_us,
                  GCancellable *cancellable)
{
  while (!self->is_ready && !g_cancellable_is_cancelled (cancellable))
    {
      gint64 until_us = MIN (end_us, self->away_since_us + max_away_us);

      if (g_get_monotonic_time () >= until_us)
        return FALSE;
      g_cond_wait_until (&self->changed, &self->lock, until_us);
    }
  return self->is_ready && !g_cancellable_is_cancelled (cancellable);
}

gboolean
_kvsqld_zk_await_ready (KvsqldZookeeper *self, gint64 end_us, gint64 max_away_us,
                        GCancellable *cancellable, GError **error)
{
  g_autofree gchar *last_error = NULL;
  gulong handler = 0;
  gboolean is_ready;

  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (wake_session), self, NULL);
  g_mutex_lock (&self->lock);
  is_ready = wait_until_ready (self, end_us, max_away_us, cancellable);
  last_error = g_strdup (self->last_error);
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);

  if (is_ready)
    return TRUE;
  if (g_cancellable_is_cancelled (cancellable))
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                            "waiting for ZooKeeper was cancelled");
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "ZooKeeper at %s cannot be reached%s%s", self->servers,
                   last_error != NULL ? ": " : "", last_error != NULL ? last_error : "");
  return kvsql_error_hint (error, "Definitions can be changed again once it is back.");
}

gboolean
_kvsqld_zk_get_session_id (KvsqldRegistry *registry, clientid_t *out_id)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->handle == NULL || !self->is_linked)
    return FALSE;
  *out_id = *zoo_client_id (self->handle);
  return TRUE;
}

void
_kvsqld_zk_session_start (KvsqldZookeeper *self)
{
  zoo_set_debug_level (ZOO_LOG_LEVEL_WARN);
  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->requests);
  self->context = g_main_context_ref_thread_default ();
  self->stop = g_cancellable_new ();
  self->epoch.epoch = -1;
  self->wanted_epoch = -1;
  self->acknowledged = -1;
  self->reported.epoch = -1;
  self->reported_state = KVSQLD_REGISTRY_AWAY;
  self->away_since_us = g_get_monotonic_time ();
  self->backoff_us = FIRST_BACKOFF_US;
  /* lives as long as the session, which joins it when it stops */
  self->keeper = g_thread_new ("zk-keeper", run_keeper, self);
}

void
_kvsqld_zk_session_stop (KvsqldZookeeper *self)
{
  GSource *source;

  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  source = g_steal_pointer (&self->report);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_cancellable_cancel (self->stop);
  g_thread_join (self->keeper);
  if (source != NULL)
    {
      g_source_destroy (source);
      g_source_unref (source);
    }
}

void
_kvsqld_zk_unref (KvsqldZookeeper *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->servers);
  g_free (self->root);
  g_free (self->auth);
  g_main_context_unref (self->context);
  g_object_unref (self->stop);
  g_clear_pointer (&self->secret, g_bytes_unref);
  g_free (self->last_error);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}
