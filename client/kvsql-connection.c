/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-connection.c: turns of threads on the channel, and recovery when the channel breaks.
 *
 * Calls take turns. The thread that has the turn owns the channel without the lock; the lock guards
 * the other members, so that setters and finalizers never wait for a call. A failure after which
 * the next bytes on the channel are unknown closes the channel, because only their order relates
 * answers to requests. The answer to a request of _kvsql_connection_begin() stays unread until the
 * next request that does not follow it.
 */
#include "config.h"

#include "client/kvsql-connection.h"

#include "client/connect.h"
#include "client/connection-calls.h"
#include "client/connection-private.h"
#include "client/error-private.h"

/* kvsqld ends a request at its timeout. If it has not answered this long after, it is taken for
 * dead. */
#define GRACE_US G_TIME_SPAN_SECOND
#define MAX_FORGOTTEN 4096
/* Timeout of the requests that close cursors and statements in kvsqld when a connection is
 * closed. */
#define CLOSE_TIMEOUT_US (G_TIME_SPAN_SECOND / 2)
#define HINT_UNKNOWN "If it was a write, it may or may not have happened."

/* The socket of a kvsqld of the same build. */
#define BUILT_SOCKET RUNSTATEDIR "/kvsql/kvsqld.sock"

/* A cursor or a prepared statement that is not used any more, but still open in kvsqld. */
typedef struct
{
  GBytes *cursor; /* NULL: a statement */
  gint64 statement_id;
  guint64 generation;
} Forgotten;

/* Owned by the thread that has the turn, until is_done. */
struct _KvsqlPending
{
  gatomicrefcount references; /* one of the connection until is_done, one of the caller */
  KvsqlMessageCall call;      /* describes the answer */
  gint32 sequence;
  gint64 timeout_us; /* starts when the request was sent, or when the answer before it was read */
  gint64 deadline;
  gboolean is_done;
  gint64 number;
  GError *error; /* nullable */
};

struct _KvsqlConnection
{
  GObject parent;

  KvsqlUri *uri;
  KvsqlChannel *channel; /* owned by the thread that has the turn */
  guint host;            /* index of the host that answered last; same owner */
  GQueue pending;        /* KvsqlPending: requests without an answer, in order; same owner */

  GMutex lock; /* guards the members below */
  GCond turn;
  guint n_waiting; /* threads that wait for their turn */
  gboolean is_busy;
  gboolean is_open;
  gboolean close_wanted;
  guint64 generation; /* number of channels opened so far */
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

static void close_channel (KvsqlConnection *self);

static void
kvsql_connection_finalize (GObject *object)
{
  KvsqlConnection *self = KVSQL_CONNECTION (object);

  close_channel (self);
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
  if (g_file_test (BUILT_SOCKET, G_FILE_TEST_EXISTS))
    return g_strdup ("kvsql+unix://" BUILT_SOCKET);
  return g_strdup ("kvsql+unix://" KVSQL_DEFAULT_SOCKET);
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

KvsqlConnection *
kvsql_connection_new_like (KvsqlConnection *model)
{
  KvsqlConnection *self;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (model), NULL);
  self = g_object_new (KVSQL_TYPE_CONNECTION, NULL);
  self->uri = _kvsql_uri_parse (model->uri->uri, NULL); /* it was parsed before */
  if (model->uri->password != NULL)
    kvsql_connection_set_password (self, model->uri->password);
  return self;
}

gboolean
kvsql_connection_needs_password (KvsqlConnection *self)
{
  g_return_val_if_fail (KVSQL_IS_CONNECTION (self), FALSE);
  return _kvsql_connect_needs_password (self->uri);
}

void
kvsql_connection_set_password (KvsqlConnection *self, const gchar *password)
{
  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_return_if_fail (password != NULL);
  g_free (self->uri->password);
  self->uri->password = g_strdup (password);
}

/* ---- turns */

static void
wake_waiters (GCancellable *cancellable, gpointer data)
{
  KvsqlConnection *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

static gboolean
set_turn_timeout (GError **error)
{
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_DEADLINE,
                                  "time ran out while another call had the connection");
}

static gboolean
take_turn (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable, GError **error)
{
  gboolean is_mine = FALSE, in_time = TRUE;
  /* Connect before locking: if it is already cancelled, the handler runs at once. */
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
  return set_turn_timeout (error);
}

/* Ends the oldest request, with @error if that is not NULL. Takes @error. */
static void
end_pending (KvsqlConnection *self, GError *error)
{
  KvsqlPending *pending = g_queue_pop_head (&self->pending), *next;

  pending->error = error;
  pending->is_done = TRUE;
  _kvsql_pending_free (pending);
  next = g_queue_peek_head (&self->pending);
  if (next != NULL)
    next->deadline = g_get_monotonic_time () + next->timeout_us;
}

static void
fail_pending (KvsqlConnection *self)
{
  while (!g_queue_is_empty (&self->pending))
    {
      GError *error = NULL;

      _kvsql_client_error_set (&error, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME,
                               "the connection was closed before kvsqld answered");
      _kvsql_client_error_hint (&error, HINT_UNKNOWN);
      end_pending (self, error);
    }
}

static void
set_channel (KvsqlConnection *self, KvsqlChannel *channel)
{
  fail_pending (self);
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
    close_channel (self);

  g_mutex_lock (&self->lock);
  self->is_busy = FALSE;
  if (self->n_waiting > 0) /* without waiters a broadcast would be a useless system call */
    g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

/* ---- a missing answer; holding the turn */

/* Adapts the error of a closed channel to what is known about the request. */
static void
explain_loss (const KvsqlMessageCall *call, KvsqlMessageOutcome outcome, GError *error)
{
  gboolean is_unavailable
      = g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);

  if (is_unavailable || g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE))
    g_prefix_error (&error, "no answer from kvsqld: ");
  if (outcome == KVSQL_MESSAGE_LOST && !call->is_repeatable && is_unavailable)
    {
      _kvsql_client_error_recode (error, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME);
      _kvsql_client_error_hint (&error, HINT_UNKNOWN);
    }
}

/* Whether a wait for an answer ended because of the waiting caller, not because of the channel. */
static gboolean
is_given_up (const KvsqlPending *pending, const GError *cause)
{
  return g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED)
         || (g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE)
             && g_get_monotonic_time () < pending->deadline);
}

/* Reads the next answer. FALSE: the caller's time was over before it arrived; it may still
 * arrive. */
static gboolean
read_pending (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable, GError **error)
{
  const KvsqlPending *pending = g_queue_peek_head (&self->pending);
  KvsqlMessageOutcome outcome = KVSQL_MESSAGE_LOST;
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
          set_turn_timeout (error);
        }
      return FALSE;
    }
  if (n > 0)
    outcome = _kvsql_channel_receive (self->channel, &pending->call, pending->sequence,
                                      g_get_monotonic_time () + GRACE_US, NULL, &cause);
  else if (n == 0)
    _kvsql_client_error_set (&cause, KVSQL_CLIENT_ERROR_UNAVAILABLE,
                             "the peer closed the connection");
  if (outcome == KVSQL_MESSAGE_LOST)
    explain_loss (&pending->call, outcome, cause);
  end_pending (self, cause);
  if (outcome == KVSQL_MESSAGE_LOST)
    set_channel (self, NULL);
  return TRUE;
}

/* ---- opening; holding the turn */

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

/* ---- closing unused cursors and statements; holding the turn */

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

/* Ignores the answers of kvsqld. FALSE: there was nothing to close. */
static gboolean
close_forgotten (KvsqlConnection *self, gint64 deadline, GCancellable *cancellable)
{
  gboolean any = FALSE;
  Forgotten item;

  while (self->channel != NULL && take_forgotten (self, &item))
    {
      KvsqlMessageCall call = item.cursor != NULL
                                  ? _kvsql_call_close_cursor (item.cursor)
                                  : _kvsql_call_close_statement (&item.statement_id);

      if (item.cursor != NULL || item.generation == self->generation)
        {
          KvsqlMessageOutcome outcome
              = _kvsql_channel_call (self->channel, &call, deadline, cancellable, NULL);
          if (outcome != KVSQL_MESSAGE_DONE && outcome != KVSQL_MESSAGE_REFUSED)
            set_channel (self, NULL);
        }
      any = TRUE;
      forgotten_clear (&item);
    }
  return any;
}

/* Cursors stay open in kvsqld after their connection is closed. So first closes the forgotten ones;
 * not if answers are missing, because a close cannot wait for those. */
static void
close_channel (KvsqlConnection *self)
{
  if (self->channel != NULL && g_queue_is_empty (&self->pending)
      && !_kvsql_channel_is_stale (self->channel))
    close_forgotten (self, g_get_monotonic_time () + CLOSE_TIMEOUT_US, NULL);
  set_channel (self, NULL);
  g_mutex_lock (&self->lock);
  g_array_set_size (self->forgotten, 0);
  g_mutex_unlock (&self->lock);
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

/* Opens a channel if there is none. Fails if @generation is not 0 and its channel is gone. */
static gboolean
get_ready (KvsqlConnection *self, guint64 generation, gint64 deadline, GCancellable *cancellable,
           GError **error)
{
  if (!ensure_open (self, deadline, cancellable, error))
    return FALSE;
  if (close_forgotten (self, deadline, cancellable)
      && !ensure_open (self, deadline, cancellable, error))
    return FALSE;
  if (generation != 0 && generation != self->generation)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID,
                                    "the statement was prepared on a connection that is gone");
  return TRUE;
}

/* A call, or its first half. */
typedef KvsqlMessageOutcome (*Perform) (KvsqlChannel *channel, const KvsqlMessageCall *call,
                                        gint64 deadline, GCancellable *cancellable, GError **error);

static gboolean
perform_once (KvsqlConnection *self, Perform operation, const KvsqlMessageCall *call,
              guint64 generation, gint64 deadline, GCancellable *cancellable,
              gboolean *out_may_repeat, GError **error)
{
  g_autoptr (GError) cause = NULL;
  guint64 before = self->generation;
  KvsqlMessageOutcome outcome;

  *out_may_repeat = FALSE;
  if (!get_ready (self, generation, deadline, cancellable, error))
    return FALSE;
  outcome = operation (self->channel, call, deadline, cancellable, &cause);
  if (outcome == KVSQL_MESSAGE_DONE)
    return TRUE;
  if (outcome != KVSQL_MESSAGE_REFUSED)
    {
      /* An old channel may have been closed while it was idle. A new one that breaks would break
       * again. */
      *out_may_repeat
          = before == self->generation && generation == 0
            && (outcome == KVSQL_MESSAGE_UNSENT || call->is_repeatable)
            && g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
      set_channel (self, NULL);
      explain_loss (call, outcome, cause);
    }
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

static gint64
call_timeout (KvsqlConnection *self)
{
  return (gint64)_kvsql_connection_get_options (self).timeout_ms * G_TIME_SPAN_MILLISECOND
         + GRACE_US;
}

static gint64
call_deadline (KvsqlConnection *self)
{
  return g_get_monotonic_time () + call_timeout (self);
}

/* The caller has the turn. If an old channel had died and the request was certainly not executed,
 * repeats it over a new channel. */
static gboolean
perform (KvsqlConnection *self, Perform operation, const KvsqlMessageCall *call, guint64 generation,
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
_kvsql_connection_call (KvsqlConnection *self, const KvsqlMessageCall *call, guint64 *generation,
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

/* ---- calls in two halves */

static gboolean
read_number (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  return thrift_protocol_read_i64 (THRIFT_PROTOCOL (protocol), data, error) >= 0;
}

static KvsqlPending *
pending_new (const KvsqlMessageCall *call, gint32 sequence, gint64 timeout_us)
{
  KvsqlPending *self = g_new0 (KvsqlPending, 1);

  g_atomic_ref_count_init (&self->references);
  self->call = (KvsqlMessageCall){
    .name = call->name, .answer_type = T_I64, .read = read_number, .data = &self->number
  };
  self->sequence = sequence;
  self->timeout_us = timeout_us;
  self->deadline = g_get_monotonic_time () + timeout_us;
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

/* Sends over the open channel. Not cancellable: half a request would lose the answers before it. */
static gboolean
send_following (KvsqlConnection *self, const KvsqlMessageCall *call, gint64 deadline,
                GError **error)
{
  KvsqlMessageOutcome outcome = _kvsql_channel_send (self->channel, call, deadline, NULL, error);

  if (outcome != KVSQL_MESSAGE_DONE)
    set_channel (self, NULL);
  return outcome == KVSQL_MESSAGE_DONE;
}

KvsqlPending *
_kvsql_connection_begin (KvsqlConnection *self, const KvsqlMessageCall *call,
                         const KvsqlPending *after, GCancellable *cancellable, GError **error)
{
  gint64 timeout_us = call_timeout (self), deadline = g_get_monotonic_time () + timeout_us;
  KvsqlPending *pending = NULL;
  gboolean is_sent;

  if (!take_turn (self, deadline, cancellable, error))
    return NULL;
  if (after == NULL)
    is_sent = perform (self, _kvsql_channel_send, call, 0, deadline, cancellable, error);
  else
    is_sent = g_queue_peek_tail (&self->pending) == after
              && send_following (self, call, deadline, error);
  if (is_sent)
    {
      pending = pending_new (call, self->channel->sequence, timeout_us);
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

/* ---- public functions */

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

void
kvsql_connection_set_verified_reads (KvsqlConnection *self, gboolean verified)
{
  g_return_if_fail (KVSQL_IS_CONNECTION (self));
  g_mutex_lock (&self->lock);
  self->options.is_verified = verified;
  g_mutex_unlock (&self->lock);
}
