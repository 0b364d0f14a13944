/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-connection.c: the line to kvsqld, who may use it, and what happens when it breaks.
 *
 * Calls take turns. Who has the turn owns the channel without the lock; the lock guards
 * the rest, so that setters and finalizers never wait for a call. After any failure that
 * leaves the line in doubt it is closed: answers carry no reliable tie to their question. A call
 * that was only begun leaves its answer on the line, to be read before anything is asked that does
 * not follow it.
 */
#include "config.h"

#include "client/kvsql-connection.h"

#include "client/connect.h"
#include "client/connection-private.h"
#include "client/error-private.h"
#include "client/service.h"

/* kvsqld ends a request in time by itself; this long after that we no longer believe in it. */
#define GRACE_US G_TIME_SPAN_SECOND
#define MAX_FORGOTTEN 64
#define HINT_UNKNOWN "If it was a write, it may or may not have happened."

/* A cursor or a prepared statement that nobody needs any more. */
typedef struct
{
  GBytes *cursor; /* NULL: a statement */
  gint64 statement_id;
  guint64 generation;
} Forgotten;

/* Belongs to who has the turn, until it is done. */
struct _KvsqlPending
{
  gatomicrefcount references; /* the connection's, until it is done, and the caller's */
  KvsqlCall call;             /* for its answer */
  gint32 sequence;
  gint64 patience_us; /* from when it was sent, or from the answer before it */
  gint64 deadline;
  gboolean is_done;
  gint64 number;
  GError *error; /* nullable */
};

struct _KvsqlConnection
{
  GObject parent;

  KvsqlUri *uri;
  KvsqlChannel *channel; /* belongs to who has the turn */
  guint host;            /* that answered last; likewise */
  GQueue pending;        /* KvsqlPending: answers that are still to come, in order; likewise */

  GMutex lock; /* guards what follows */
  GCond turn;
  guint n_waiting; /* for their turn */
  gboolean is_busy;
  gboolean is_open;
  gboolean close_wanted;
  guint64 generation; /* counts the lines that were opened */
  gchar *peer;
  KvsqlRequestOptions options;
  GArray *forgotten;
};

G_DEFINE_FINAL_TYPE (KvsqlConnection, kvsql_connection, G_TYPE_OBJECT)

static void
forgotten_clear (gpointer data)
{
  g_clear_pointer (&((Forgotten *)data)->cursor, g_bytes_unref);
}

static void
kvsql_connection_init (KvsqlConnection *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->turn);
  g_queue_init (&self->pending);
  self->options.timeout_ms = KVSQL_DEFAULT_TIMEOUT_MS;
  self->forgotten = g_array_new (FALSE, TRUE, sizeof (Forgotten));
  g_array_set_clear_func (self->forgotten, forgotten_clear);
}

static void
kvsql_connection_finalize (GObject *object)
{
  KvsqlConnection *self = KVSQL_CONNECTION (object);

  g_queue_clear_full (&self->pending, (GDestroyNotify)_kvsql_pending_free);
  _kvsql_channel_free (self->channel);
  _kvsql_uri_free (self->uri);
  g_array_unref (self->forgotten);
  g_free (self->peer);
  g_cond_clear (&self->turn);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (kvsql_connection_parent_class)->finalize (object);
}

static void
kvsql_connection_class_init (KvsqlConnectionClass *class)
{
  G_OBJECT_CLASS (class)->finalize = kvsql_connection_finalize;
}

gchar *
kvsql_get_default_uri (void)
{
  const gchar *uri = g_getenv ("KVSQL_URI");

  if (uri != NULL && *uri != '\0')
    return g_strdup (uri);
  if (g_file_test (KVSQL_DEFAULT_SOCKET, G_FILE_TEST_EXISTS))
    return g_strdup ("kvsql+unix://" KVSQL_DEFAULT_SOCKET);
  return g_strdup_printf ("kvsql://localhost:%d", KVSQL_DEFAULT_PORT);
}

KvsqlConnection *
kvsql_connection_new (const gchar *uri, GError **error)
{
  g_autofree gchar *default_uri = uri == NULL ? kvsql_get_default_uri () : NULL;
  KvsqlUri *parsed;
  KvsqlConnection *self;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  parsed = _kvsql_uri_parse (uri != NULL ? uri : default_uri, error);
  if (parsed == NULL)
    return NULL;
  self = g_object_new (KVSQL_TYPE_CONNECTION, NULL);
  self->uri = parsed;
  return self;
}

/* ---- taking turns */

static void
wake_waiters (GCancellable *cancellable, gpointer data)
{
  KvsqlConnection *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

static gboolean
set_no_turn (GError **error)
{
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_DEADLINE,
                                  "time ran out while another call had the connection");
}

static gboolean
take_turn (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable, GError **error)
{
  gboolean is_mine = FALSE, in_time = TRUE;
  /* Before the lock: the handler runs at once if it is cancelled already. */
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (wake_waiters), self, NULL)
                       : 0;

  g_mutex_lock (&self->lock);
  self->n_waiting++;
  while (self->is_busy && in_time && !g_cancellable_is_cancelled (cancellable))
    in_time = g_cond_wait_until (&self->turn, &self->lock, deadline);
  self->n_waiting--;
  if (!self->is_busy && !g_cancellable_is_cancelled (cancellable))
    is_mine = self->is_busy = TRUE;
  g_mutex_unlock (&self->lock);
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, handler);

  if (is_mine || g_cancellable_set_error_if_cancelled (cancellable, error))
    return is_mine;
  return set_no_turn (error);
}

/* Of the answer that comes next. Takes @error. */
static void
settle_pending (KvsqlConnection *self, GError *error)
{
  KvsqlPending *pending = g_queue_pop_head (&self->pending), *next;

  pending->error = error;
  pending->is_done = TRUE;
  _kvsql_pending_free (pending);
  next = g_queue_peek_head (&self->pending);
  if (next != NULL)
    next->deadline = g_get_monotonic_time () + next->patience_us;
}

static void
lose_pending (KvsqlConnection *self)
{
  while (!g_queue_is_empty (&self->pending))
    {
      GError *error = NULL;

      _kvsql_client_error_set (&error, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME,
                               "the connection was closed before kvsqld answered");
      _kvsql_client_error_hint (&error, HINT_UNKNOWN);
      settle_pending (self, error);
    }
}

static void
set_channel (KvsqlConnection *self, KvsqlChannel *channel)
{
  lose_pending (self);
  _kvsql_channel_free (self->channel);
  self->channel = channel;
  g_mutex_lock (&self->lock);
  self->is_open = channel != NULL;
  if (channel != NULL)
    self->generation++;
  g_free (self->peer);
  self->peer = channel != NULL ? g_strdup (channel->peer) : NULL;
  g_mutex_unlock (&self->lock);
}

static void
release_turn (KvsqlConnection *self)
{
  gboolean close_now;

  g_mutex_lock (&self->lock);
  close_now = self->close_wanted;
  self->close_wanted = FALSE;
  g_mutex_unlock (&self->lock);
  if (close_now)
    set_channel (self, NULL);

  g_mutex_lock (&self->lock);
  self->is_busy = FALSE;
  if (self->n_waiting > 0) /* to tell nobody is a system call, too */
    g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

/* ---- an answer that is still to come; with the turn */

/* The line is closed. Says what that means for what was asked. */
static void
explain_loss (const KvsqlCall *call, KvsqlCallOutcome outcome, GError *error)
{
  gboolean is_unavailable
      = g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);

  if (is_unavailable || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE))
    g_prefix_error (&error, "no answer from kvsqld: ");
  if (outcome == KVSQL_CALL_LOST && !call->is_repeatable && is_unavailable)
    {
      _kvsql_client_error_recode (error, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME);
      _kvsql_client_error_hint (&error, HINT_UNKNOWN);
    }
}

/* Whether a wait for the answer that is still to come ended for reasons of who waited. */
static gboolean
is_given_up (const KvsqlPending *pending, const GError *cause)
{
  return g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED)
         || (g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE)
             && g_get_monotonic_time () < pending->deadline);
}

/* Reads the answer that comes next. FALSE if it did not come in the time that its reader has: then
 * it may still come. */
static gboolean
read_pending (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable, GError **error)
{
  const KvsqlPending *pending = g_queue_peek_head (&self->pending);
  KvsqlCallOutcome outcome = KVSQL_CALL_LOST;
  GError *cause = NULL;
  gssize n
      = _kvsql_channel_wait (self->channel, MIN (deadline, pending->deadline), cancellable, &cause);

  if (n < 0 && is_given_up (pending, cause))
    {
      if (cause->domain == G_IO_ERROR)
        g_propagate_error (error, cause);
      else
        {
          g_error_free (cause);
          set_no_turn (error);
        }
      return FALSE;
    }
  if (n > 0)
    outcome = _kvsql_channel_receive (self->channel, &pending->call, pending->sequence,
                                      g_get_monotonic_time () + GRACE_US, NULL, &cause);
  else if (n == 0)
    _kvsql_client_error_set (&cause, KVSQL_CLIENT_ERROR_UNAVAILABLE,
                             "the peer closed the connection");
  if (outcome == KVSQL_CALL_LOST)
    explain_loss (&pending->call, outcome, cause);
  settle_pending (self, cause);
  if (outcome == KVSQL_CALL_LOST)
    set_channel (self, NULL);
  return TRUE;
}

/* ---- opening; with the turn */

static gboolean
ensure_open (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable, GError **error)
{
  KvsqlChannel *channel;

  while (!g_queue_is_empty (&self->pending))
    if (!read_pending (self, deadline, cancellable, error))
      return FALSE;
  if (self->channel != NULL && _kvsql_channel_is_stale (self->channel))
    set_channel (self, NULL);
  if (self->channel != NULL)
    return TRUE;
  channel = _kvsql_connect (self->uri, &self->host, deadline, cancellable, error);
  if (channel != NULL)
    set_channel (self, channel);
  return channel != NULL;
}

/* ---- giving up what nobody needs; with the turn */

static gboolean
take_forgotten (KvsqlConnection *self, Forgotten *out)
{
  gboolean found;

  g_mutex_lock (&self->lock);
  found = self->forgotten->len > 0;
  if (found)
    {
      Forgotten *last = &g_array_index (self->forgotten, Forgotten, self->forgotten->len - 1);
      *out = *last;
      last->cursor = NULL;
      g_array_set_size (self->forgotten, self->forgotten->len - 1);
    }
  g_mutex_unlock (&self->lock);
  return found;
}

/* What kvsqld has to say about it is of no interest. FALSE: there was nothing. */
static gboolean
give_up_forgotten (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable)
{
  gboolean any = FALSE;
  Forgotten item;

  while (self->channel != NULL && take_forgotten (self, &item))
    {
      KvsqlCall call = item.cursor != NULL ? _kvsql_service_close_cursor (item.cursor)
                                           : _kvsql_service_close_statement (&item.statement_id);

      if (item.cursor != NULL || item.generation == self->generation)
        {
          KvsqlCallOutcome outcome
              = _kvsql_channel_call (self->channel, &call, deadline, cancellable, NULL);
          if (outcome != KVSQL_CALL_DONE && outcome != KVSQL_CALL_REFUSED)
            set_channel (self, NULL);
        }
      any = TRUE;
      forgotten_clear (&item);
    }
  return any;
}

static void
forget (KvsqlConnection *self, Forgotten item)
{
  g_mutex_lock (&self->lock);
  if (self->is_open && self->forgotten->len < MAX_FORGOTTEN)
    g_array_append_val (self->forgotten, item);
  else
    forgotten_clear (&item);
  g_mutex_unlock (&self->lock);
}

void
_kvsql_connection_forget_statement (KvsqlConnection *self, gint64 id, guint64 generation)
{
  forget (self, (Forgotten){ .statement_id = id, .generation = generation });
}

void
_kvsql_connection_forget_cursor (KvsqlConnection *self, GBytes *cursor)
{
  forget (self, (Forgotten){ .cursor = g_bytes_ref (cursor) });
}

/* ---- calling */

/* A line, the one of @generation if that is not 0. */
static gboolean
get_ready (KvsqlConnection *self, guint64 generation, gint64 deadline, GCancellable *cancellable,
           GError **error)
{
  if (!ensure_open (self, deadline, cancellable, error))
    return FALSE;
  if (give_up_forgotten (self, deadline, cancellable)
      && !ensure_open (self, deadline, cancellable, error))
    return FALSE;
  if (generation != 0 && generation != self->generation)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID,
                                    "the statement was prepared on a connection that is gone");
  return TRUE;
}

/* A call, or the first half of it. */
typedef KvsqlCallOutcome (*Perform) (KvsqlChannel *channel, const KvsqlCall *call, gint64 deadline,
                                     GCancellable *cancellable, GError **error);

static gboolean
perform_once (KvsqlConnection *self, Perform operation, const KvsqlCall *call, guint64 generation,
              gint64 deadline, GCancellable *cancellable, gboolean *out_may_repeat, GError **error)
{
  g_autoptr (GError) cause = NULL;
  guint64 before = self->generation;
  KvsqlCallOutcome outcome;

  *out_may_repeat = FALSE;
  if (!get_ready (self, generation, deadline, cancellable, error))
    return FALSE;
  outcome = operation (self->channel, call, deadline, cancellable, &cause);
  if (outcome == KVSQL_CALL_DONE)
    return TRUE;
  if (outcome != KVSQL_CALL_REFUSED)
    {
      /* Only an old line may have died of age; a new one that breaks will break again. */
      *out_may_repeat
          = before == self->generation && generation == 0
            && (outcome == KVSQL_CALL_UNSENT || call->is_repeatable)
            && g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
      set_channel (self, NULL);
      explain_loss (call, outcome, cause);
    }
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

static gint64
call_patience (KvsqlConnection *self)
{
  return (gint64)_kvsql_connection_get_options (self).timeout_ms * G_TIME_SPAN_MILLISECOND
         + GRACE_US;
}

static gint64
call_deadline (KvsqlConnection *self)
{
  return g_get_monotonic_time () + call_patience (self);
}

/* With the turn. What was certainly not done because an old line had died is done over a new one.
 */
static gboolean
perform (KvsqlConnection *self, Perform operation, const KvsqlCall *call, guint64 generation,
         gint64 deadline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) cause = NULL;
  gboolean may_repeat = FALSE;
  gboolean ok = perform_once (self, operation, call, generation, deadline, cancellable, &may_repeat,
                              &cause);

  if (!ok && may_repeat)
    {
      g_clear_error (&cause);
      ok = perform_once (self, operation, call, generation, deadline, cancellable, &may_repeat,
                         &cause);
    }
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&cause));
  return ok;
}

gboolean
_kvsql_connection_call (KvsqlConnection *self, const KvsqlCall *call, guint64 *generation,
                        GCancellable *cancellable, GError **error)
{
  gint64 deadline = call_deadline (self);
  gboolean ok;

  if (!take_turn (self, deadline, cancellable, error))
    return FALSE;
  ok = perform (self, _kvsql_channel_call, call, generation != NULL ? *generation : 0, deadline,
                cancellable, error);
  if (ok && generation != NULL)
    *generation = self->generation;
  release_turn (self);
  return ok;
}

/* ---- calling by halves */

static gboolean
read_number (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  return thrift_protocol_read_i64 (THRIFT_PROTOCOL (protocol), data, error) >= 0;
}

static KvsqlPending *
pending_new (const KvsqlCall *call, gint32 sequence, gint64 patience_us)
{
  KvsqlPending *self = g_new0 (KvsqlPending, 1);

  g_atomic_ref_count_init (&self->references);
  self->call = (KvsqlCall){
    .name = call->name, .answer_type = T_I64, .read = read_number, .data = &self->number
  };
  self->sequence = sequence;
  self->patience_us = patience_us;
  self->deadline = g_get_monotonic_time () + patience_us;
  return self;
}

void
_kvsql_pending_free (KvsqlPending *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_error (&self->error);
  g_free (self);
}

/* Over the line as it is. Not to be cancelled: half a request would cost the answers before it. */
static gboolean
send_behind (KvsqlConnection *self, const KvsqlCall *call, gint64 deadline, GError **error)
{
  KvsqlCallOutcome outcome = _kvsql_channel_send (self->channel, call, deadline, NULL, error);

  if (outcome != KVSQL_CALL_DONE)
    set_channel (self, NULL);
  return outcome == KVSQL_CALL_DONE;
}

KvsqlPending *
_kvsql_connection_begin (KvsqlConnection *self, const KvsqlCall *call, const KvsqlPending *after,
                         GCancellable *cancellable, GError **error)
{
  gint64 patience_us = call_patience (self), deadline = g_get_monotonic_time () + patience_us;
  KvsqlPending *pending = NULL;
  gboolean is_sent;

  if (!take_turn (self, deadline, cancellable, error))
    return NULL;
  if (after == NULL)
    is_sent = perform (self, _kvsql_channel_send, call, 0, deadline, cancellable, error);
  else
    is_sent
        = g_queue_peek_tail (&self->pending) == after && send_behind (self, call, deadline, error);
  if (is_sent)
    {
      pending = pending_new (call, self->channel->sequence, patience_us);
      g_atomic_ref_count_inc (&pending->references);
      g_queue_push_tail (&self->pending, pending);
    }
  release_turn (self);
  return pending;
}

gboolean
_kvsql_connection_finish (KvsqlConnection *self, KvsqlPending *pending, gint64 *out_number,
                          gboolean *out_is_over, GCancellable *cancellable, GError **error)
{
  *out_is_over = FALSE;
  if (!take_turn (self, pending->deadline + GRACE_US, cancellable, error))
    return FALSE;
  while (!pending->is_done && read_pending (self, pending->deadline, cancellable, error))
    ;
  *out_is_over = pending->is_done;
  release_turn (self);
  if (!*out_is_over)
    return FALSE;
  if (pending->error == NULL)
    {
      *out_number = pending->number;
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&pending->error));
  return FALSE;
}

/* ---- the public part of it */

gboolean
kvsql_connection_open (KvsqlConnection *self, GCancellable *cancellable, GError **error)
{
  gint64 deadline;
  gboolean ok;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  deadline = call_deadline (self);
  if (!take_turn (self, deadline, cancellable, error))
    return FALSE;
  ok = ensure_open (self, deadline, cancellable, error);
  release_turn (self);
  return ok;
}

void
kvsql_connection_close (KvsqlConnection *self)
{
  gboolean is_mine;

  g_return_if_fail (KVSQL_IS_CONNECTION (self));

  g_mutex_lock (&self->lock);
  is_mine = !self->is_busy;
  self->is_busy = TRUE;
  self->close_wanted = TRUE;
  g_array_set_size (self->forgotten, 0);
  g_mutex_unlock (&self->lock);
  if (is_mine)
    release_turn (self);
}

gboolean
kvsql_connection_is_open (KvsqlConnection *self)
{
  gboolean is_open;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), FALSE);
  g_mutex_lock (&self->lock);
  is_open = self->is_open;
  g_mutex_unlock (&self->lock);
  return is_open;
}

gchar *
kvsql_connection_get_peer (KvsqlConnection *self)
{
  gchar *peer;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  g_mutex_lock (&self->lock);
  peer = g_strdup (self->peer);
  g_mutex_unlock (&self->lock);
  return peer;
}

const gchar *
kvsql_connection_get_uri (KvsqlConnection *self)
{
  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), NULL);
  return self->uri->uri;
}

KvsqlRequestOptions
_kvsql_connection_get_options (KvsqlConnection *self)
{
  KvsqlRequestOptions options;

  g_mutex_lock (&self->lock);
  options = self->options;
  g_mutex_unlock (&self->lock);
  return options;
}

void
kvsql_connection_set_timeout (KvsqlConnection *self, guint timeout_ms)
{
  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_return_if_fail (timeout_ms > 0);
  g_mutex_lock (&self->lock);
  self->options.timeout_ms = timeout_ms;
  g_mutex_unlock (&self->lock);
}

guint
kvsql_connection_get_timeout (KvsqlConnection *self)
{
  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), 0);
  return _kvsql_connection_get_options (self).timeout_ms;
}

void
kvsql_connection_set_page_size (KvsqlConnection *self, guint max_rows, guint max_bytes)
{
  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_mutex_lock (&self->lock);
  self->options.max_rows = max_rows;
  self->options.max_bytes = max_bytes;
  g_mutex_unlock (&self->lock);
}

void
kvsql_connection_set_progress (KvsqlConnection *self, gboolean progress)
{
  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_mutex_lock (&self->lock);
  self->options.wants_progress = progress;
  g_mutex_unlock (&self->lock);
}

void
kvsql_connection_set_read_only (KvsqlConnection *self, gboolean read_only)
{
  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_mutex_lock (&self->lock);
  self->options.is_read_only = read_only;
  g_mutex_unlock (&self->lock);
}
