/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * round-trip.c: a request and its answer, through any gateway that can answer.
 *
 * These requests may be repeated: one that was not sent to its last byte, because a server does
 * nothing before it has read all of it; one that only reads; and puts and deletes, which contain
 * their timestamps, so that a repetition sets the same cells to the same values and hides nothing
 * that was written later. (HBase's own client, in the gateway, repeats those too.) An increment is
 * never sent again once it may have been done: its outcome is unknown. A mutation with a condition
 * is not repeated here: condition.c reads the row first.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

/* The number of gateways plus one, but at most this. */
#define MAX_ATTEMPTS 4u
/* With a deadline: attempts that fail at once leave time for more, because the pool waits longer
 * and longer before it tries a gateway again. At least the number of dead connections that one
 * outage may leave in the pool; bounded, so that a request that breaks every connection comes to an
 * end. */
#define MAX_QUICK_ATTEMPTS 64u
/* Between attempts to find a reachable gateway. */
#define MIN_PAUSE_US (20 * G_TIME_SPAN_MILLISECOND)
#define MAX_PAUSE_US (G_USEC_PER_SEC / 2)
/* For an answer that is not needed any more: keeping the connection is not worth a longer wait. */
#define DROP_TIMEOUT_US (G_USEC_PER_SEC / 4)

static const KvsqlCall endless = { 0 };

/* ---- transport */

gboolean
kvsqld_hbase_learn_transport (KvsqldHbaseStore *self, const KvsqlCall *call, GError **error)
{
  KvsqldT2Where where = KVSQLD_T2_ANYWHERE;
  KvsqldT2Transport transport;
  gint bits = KVSQLD_HBASE_TRANSPORT_KNOWN;

  if (g_atomic_int_get (&self->transport) != 0)
    return TRUE;
  if (!kvsqld_t2_pool_get_transport (self->pool, &transport))
    {
      KvsqldT2Connection *connection
          = kvsqld_t2_pool_take (self->pool, &where, call ?: &endless, error);

      if (connection == NULL)
        return FALSE;
      kvsqld_t2_pool_give (self->pool, where.gateway, connection, KVSQLD_T2_UNUSED, NULL);
      kvsqld_t2_pool_get_transport (self->pool, &transport);
    }
  bits |= (transport.is_framed ? KVSQLD_HBASE_FRAMED : 0)
          | (transport.is_compact ? KVSQLD_HBASE_COMPACT : 0);
  g_atomic_int_set (&self->transport, bits);
  return TRUE;
}

gboolean
kvsqld_hbase_is_framed (KvsqldHbaseStore *self)
{
  return (g_atomic_int_get (&self->transport) & KVSQLD_HBASE_FRAMED) != 0;
}

gboolean
kvsqld_hbase_begin (KvsqldHbaseStore *self, KvsqldT2Writer *request, const KvsqlCall *call,
                    GError **error)
{
  gint bits;

  if (!kvsqld_hbase_learn_transport (self, call, error))
    return FALSE;
  bits = g_atomic_int_get (&self->transport);
  kvsqld_t2_writer_init (request, (KvsqldT2Transport){ (bits & KVSQLD_HBASE_FRAMED) != 0,
                                                       (bits & KVSQLD_HBASE_COMPACT) != 0 });
  return TRUE;
}

void
kvsqld_hbase_pause (gint64 pause_us, const KvsqlCall *call)
{
  GPollFD descriptor = { .fd = -1 };

  if (call != NULL && call->deadline_us > 0)
    pause_us = MIN (pause_us, call->deadline_us - g_get_monotonic_time ());
  if (pause_us <= 0)
    return;
  if (call == NULL || !g_cancellable_make_pollfd (call->cancellable, &descriptor))
    {
      g_usleep ((gulong)pause_us);
      return;
    }
  g_poll (&descriptor, 1, (gint)(pause_us / 1000) + 1);
  g_cancellable_release_fd (call->cancellable);
}

/* ---- one attempt */

typedef struct
{
  const KvsqldT2Method *method;
  const KvsqldT2Writer *request;
  const KvsqlCall *call;
  KvsqldT2Reply *reply;
} RoundTrip;

typedef enum
{
  ANSWERED,
  NOT_ASKED, /* there was no connection */
  NOT_ANSWERED,
} Outcome;

static void
count_scanner (KvsqldT2Connection *connection, const RoundTrip *round_trip)
{
  if (round_trip->method == &kvsqld_t2_open_scanner && round_trip->reply->status == KVSQLD_T2_OK)
    kvsqld_t2_connection_add_scanners (connection, 1);
  else if (round_trip->method == &kvsqld_t2_close_scanner
           || (round_trip->method == &kvsqld_t2_get_scanner_rows
               && round_trip->reply->status == KVSQLD_T2_ILLEGAL_ARGUMENT))
    kvsqld_t2_connection_add_scanners (connection, -1);
}

/* Gives the connection back. Takes @failure. */
static gboolean
finish (KvsqldHbaseStore *self, const RoundTrip *round_trip, gint gateway,
        KvsqldT2Connection *connection, GError *failure, GError **error)
{
  KvsqldT2Condition condition = KVSQLD_T2_GOOD;
  g_autoptr (GError) unserved = NULL;

  if (failure == NULL)
    count_scanner (connection, round_trip);
  else
    condition = g_cancellable_is_cancelled (round_trip->call->cancellable) ? KVSQLD_T2_ABANDONED
                                                                           : KVSQLD_T2_BROKEN;
  if (failure == NULL && !kvsqld_hbase_check_served (round_trip->reply, &unserved))
    condition = KVSQLD_T2_UNSERVED;
  kvsqld_t2_pool_give (self->pool, gateway, connection, condition,
                       failure != NULL ? failure : unserved);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static Outcome
make_round_trip (KvsqldHbaseStore *self, const RoundTrip *round_trip, gint64 limit_us,
                 KvsqldT2Where *where, GError **error)
{
  KvsqldT2Connection *connection = kvsqld_t2_pool_take (self->pool, where, round_trip->call, error);
  GError *failure = NULL;

  if (connection == NULL)
    return NOT_ASKED;
  if (!kvsqld_t2_connection_call (connection, round_trip->method, round_trip->request, limit_us,
                                  round_trip->call, round_trip->reply, &failure))
    g_assert (failure != NULL);
  return finish (self, round_trip, where->gateway, connection, failure, error) ? ANSWERED
                                                                               : NOT_ANSWERED;
}

static gint64
limit_attempt (KvsqldHbaseStore *self, const RoundTrip *round_trip, gboolean is_last)
{
  gint64 deadline_us = round_trip->call->deadline_us;
  gint64 limit_us = g_get_monotonic_time () + self->timeout_us;

  if (round_trip->request->uses_full_deadline && deadline_us > 0)
    return deadline_us;
  if (!is_last && deadline_us > 0 && round_trip->method->effect != KVSQLD_T2_CHANGES)
    limit_us = MIN (limit_us, kvsqld_t2_pool_limit_attempt (self->pool, round_trip->call));
  return limit_us;
}

static gboolean
may_repeat (const RoundTrip *round_trip, const GError *failure)
{
  if (round_trip->call->deadline_us > 0 && g_get_monotonic_time () >= round_trip->call->deadline_us)
    return FALSE;
  return g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
         || (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME)
             && round_trip->method->effect == KVSQLD_T2_SETS);
}

/* If puts may have been done, it is worth waiting for a gateway that does them for certain. */
static gboolean
await_gateway (const RoundTrip *round_trip, const GError *failure, gint64 *pause_us)
{
  if (round_trip->call->deadline_us == 0
      || !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME)
      || !may_repeat (round_trip, failure))
    return FALSE;
  kvsqld_hbase_pause (*pause_us, round_trip->call);
  *pause_us = MIN (*pause_us * 2, MAX_PAUSE_US);
  return !g_cancellable_is_cancelled (round_trip->call->cancellable);
}

/* Keeps the more important error in @failure: that a write may have been done, else the latest. */
static void
keep_failure (GError **failure, GError *latest)
{
  if (g_error_matches (*failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    {
      g_error_free (latest);
      return;
    }
  g_clear_error (failure);
  *failure = latest;
}

static gboolean
repeat_round_trip (KvsqldHbaseStore *self, const RoundTrip *round_trip, KvsqldT2Where *where,
                   GError **error)
{
  guint n_shared = MIN (kvsqld_t2_pool_get_size (self->pool) + 1, MAX_ATTEMPTS);
  guint n_attempts = round_trip->call->deadline_us > 0 ? MAX_QUICK_ATTEMPTS : n_shared;
  gint64 pause_us = MIN_PAUSE_US;
  g_autoptr (GError) failure = NULL;

  for (guint i = 1; i <= n_attempts;)
    {
      gint64 limit_us = limit_attempt (self, round_trip, i >= n_shared);
      GError *latest = NULL;
      Outcome outcome;

      *where = KVSQLD_T2_ANYWHERE;
      outcome = make_round_trip (self, round_trip, limit_us, where, &latest);
      if (outcome == ANSWERED)
        return TRUE;
      keep_failure (&failure, latest);
      /* If there was no connection, the pool has already waited for one. */
      if (outcome == NOT_ASKED ? !await_gateway (round_trip, failure, &pause_us)
                               : !may_repeat (round_trip, failure))
        break;
      if (outcome == NOT_ASKED)
        continue;
      i++;
      g_atomic_int_inc (&self->counters.n_repeated);
    }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
kvsqld_hbase_round_trip (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                         const KvsqldT2Writer *request, KvsqldT2Where *where, const KvsqlCall *call,
                         KvsqldT2Reply *reply, GError **error)
{
  const RoundTrip round_trip
      = { .method = method, .request = request, .call = call ?: &endless, .reply = reply };

  if (where->serial == 0)
    return repeat_round_trip (self, &round_trip, where, error);
  /* The caller of a required connection has an alternative: a new scanner. */
  return make_round_trip (self, &round_trip, limit_attempt (self, &round_trip, FALSE), where, error)
         == ANSWERED;
}

gboolean
kvsqld_hbase_request (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                      const KvsqldT2Writer *request, KvsqlSlice table, const KvsqlCall *call,
                      KvsqldT2Reply *reply, GError **error)
{
  KvsqldT2Where anywhere = KVSQLD_T2_ANYWHERE;

  if (!kvsqld_hbase_round_trip (self, method, request, &anywhere, call, reply, error))
    return FALSE;
  return reply->status == KVSQLD_T2_OK || kvsqld_hbase_fail (reply, method, table, error);
}

/* ---- requests ahead of their answers */

void
kvsqld_hbase_ask_ahead (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                        const KvsqldT2Writer *request, const KvsqldT2Where *where,
                        KvsqldHbaseAhead *out_ahead)
{
  KvsqldT2Connection *connection = kvsqld_t2_pool_take_ahead (self->pool, where);

  *out_ahead = (KvsqldHbaseAhead){ NULL };
  if (connection == NULL)
    return;
  /* A connection that was closed while idle is not a failure of the gateway. */
  if (kvsqld_t2_connection_is_usable (connection) && kvsqld_t2_connection_ask (connection, request))
    *out_ahead = (KvsqldHbaseAhead){ connection, where->gateway, method, request };
  else
    kvsqld_t2_pool_give (self->pool, where->gateway, connection, KVSQLD_T2_ABANDONED, NULL);
}

gboolean
kvsqld_hbase_await_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead, const KvsqlCall *call,
                          KvsqldT2Reply *reply, GError **error)
{
  const RoundTrip round_trip = {
    .method = ahead->method, .request = ahead->request, .call = call ?: &endless, .reply = reply
  };
  KvsqldT2Connection *connection = g_steal_pointer (&ahead->connection);
  GError *failure = NULL;

  if (!kvsqld_t2_connection_await (connection, round_trip.method, round_trip.request,
                                   limit_attempt (self, &round_trip, FALSE), round_trip.call, reply,
                                   &failure))
    g_assert (failure != NULL);
  return finish (self, &round_trip, ahead->gateway, connection, failure, error);
}

void
kvsqld_hbase_drop_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + DROP_TIMEOUT_US };
  g_auto (KvsqldT2Reply) reply = { 0 };
  const RoundTrip round_trip
      = { .method = ahead->method, .request = ahead->request, .call = &call, .reply = &reply };
  KvsqldT2Connection *connection = g_steal_pointer (&ahead->connection);
  g_autoptr (GError) failure = NULL;

  if (connection == NULL)
    return;
  if (kvsqld_t2_connection_await (connection, round_trip.method, round_trip.request,
                                  call.deadline_us, &call, &reply, &failure))
    finish (self, &round_trip, ahead->gateway, connection, NULL, NULL);
  else
    kvsqld_t2_pool_give (self->pool, ahead->gateway, connection, KVSQLD_T2_ABANDONED, NULL);
}
