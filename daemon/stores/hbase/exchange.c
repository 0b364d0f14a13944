/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * exchange.c: a request and its answer, over whichever gateway can give it.
 *
 * What may be repeated: a request that was not sent to its last byte, since a server does nothing
 * before it has read all of it; one that only reads; and puts and deletes, which carry their
 * timestamps, so that a second time sets the same cells to the same values, and hides nothing that
 * was written later. (HBase's own client, in the gateway, repeats those too.) An increment, or a
 * change with a condition, is never sent again once it may have been done: its outcome is unknown.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

/* One more than there are gateways, but no more than this. */
#define MAX_ATTEMPTS 4u
/* Where there is a deadline: ways that break at once leave time for more, since the pool waits ever
 * longer before it tries them again. No fewer than the connections that one outage may have left
 * behind in the pool; a request that breaks whatever gets it comes to an end. */
#define MAX_QUICK_ATTEMPTS 64u
/* For an answer that nobody wants: a connection is not worth more. */
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

/* ---- one attempt */

typedef struct
{
  const KvsqldT2Method *method;
  const KvsqldT2Writer *request;
  const KvsqlCall *call;
  KvsqldT2Reply *reply;
} Exchange;

typedef enum
{
  ANSWERED,
  NOT_ASKED, /* there was no connection */
  NOT_ANSWERED,
} Outcome;

static void
count_scanner (KvsqldT2Connection *connection, const Exchange *exchange)
{
  if (exchange->method == &kvsqld_t2_open_scanner && exchange->reply->status == KVSQLD_T2_OK)
    kvsqld_t2_connection_add_scanners (connection, 1);
  else if (exchange->method == &kvsqld_t2_close_scanner
           || (exchange->method == &kvsqld_t2_get_scanner_rows
               && exchange->reply->status == KVSQLD_T2_ILLEGAL_ARGUMENT))
    kvsqld_t2_connection_add_scanners (connection, -1);
}

/* Gives the connection back; @failure is handed on. */
static gboolean
finish (KvsqldHbaseStore *self, const Exchange *exchange, gint gateway,
        KvsqldT2Connection *connection, GError *failure, GError **error)
{
  KvsqldT2Condition condition = KVSQLD_T2_GOOD;

  if (failure == NULL)
    count_scanner (connection, exchange);
  else
    condition = g_cancellable_is_cancelled (exchange->call->cancellable) ? KVSQLD_T2_ABANDONED
                                                                         : KVSQLD_T2_BROKEN;
  kvsqld_t2_pool_give (self->pool, gateway, connection, condition, failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static Outcome
exchange_once (KvsqldHbaseStore *self, const Exchange *exchange, gint64 limit_us,
               KvsqldT2Where *where, GError **error)
{
  KvsqldT2Connection *connection = kvsqld_t2_pool_take (self->pool, where, exchange->call, error);
  GError *failure = NULL;

  if (connection == NULL)
    return NOT_ASKED;
  kvsqld_t2_connection_call (connection, exchange->method, exchange->request, limit_us,
                             exchange->call, exchange->reply, &failure);
  return finish (self, exchange, where->gateway, connection, failure, error) ? ANSWERED
                                                                             : NOT_ANSWERED;
}

static gint64
limit_attempt (KvsqldHbaseStore *self, const Exchange *exchange, gboolean is_last)
{
  gint64 deadline_us = exchange->call->deadline_us;
  gint64 limit_us = g_get_monotonic_time () + self->timeout_us;

  if (exchange->request->is_patient && deadline_us > 0)
    return deadline_us;
  if (!is_last && deadline_us > 0 && exchange->method->effect != KVSQLD_T2_CHANGES)
    limit_us = MIN (limit_us, kvsqld_t2_pool_limit_attempt (self->pool, exchange->call));
  return limit_us;
}

static gboolean
may_repeat (const Exchange *exchange, const GError *failure)
{
  if (exchange->call->deadline_us > 0 && g_get_monotonic_time () >= exchange->call->deadline_us)
    return FALSE;
  return g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
         || (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME)
             && exchange->method->effect == KVSQLD_T2_SETS);
}

/* Keeps in @failure what says most: that a write may have been done, else what came last. */
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
exchange_somewhere (KvsqldHbaseStore *self, const Exchange *exchange, KvsqldT2Where *where,
                    GError **error)
{
  guint n_shared = MIN (kvsqld_t2_pool_get_size (self->pool) + 1, MAX_ATTEMPTS);
  guint n_attempts = exchange->call->deadline_us > 0 ? MAX_QUICK_ATTEMPTS : n_shared;
  g_autoptr (GError) failure = NULL;

  for (guint i = 1; i <= n_attempts; i++)
    {
      gint64 limit_us = limit_attempt (self, exchange, i >= n_shared);
      GError *latest = NULL;
      Outcome outcome;

      *where = KVSQLD_T2_ANYWHERE;
      outcome = exchange_once (self, exchange, limit_us, where, &latest);
      if (outcome == ANSWERED)
        return TRUE;
      keep_failure (&failure, latest);
      /* Who gets no connection has waited for one already. */
      if (outcome == NOT_ASKED || !may_repeat (exchange, failure))
        break;
      g_atomic_int_inc (&self->counters.n_repeated);
    }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
kvsqld_hbase_exchange (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                       const KvsqldT2Writer *request, KvsqldT2Where *where, const KvsqlCall *call,
                       KvsqldT2Reply *reply, GError **error)
{
  const Exchange exchange
      = { .method = method, .request = request, .call = call ?: &endless, .reply = reply };

  if (where->serial == 0)
    return exchange_somewhere (self, &exchange, where, error);
  /* Who must ask there has another way as well: a new scanner. */
  return exchange_once (self, &exchange, limit_attempt (self, &exchange, FALSE), where, error)
         == ANSWERED;
}

gboolean
kvsqld_hbase_request (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                      const KvsqldT2Writer *request, KvsqlSlice table, const KvsqlCall *call,
                      KvsqldT2Reply *reply, GError **error)
{
  KvsqldT2Where anywhere = KVSQLD_T2_ANYWHERE;

  if (!kvsqld_hbase_exchange (self, method, request, &anywhere, call, reply, error))
    return FALSE;
  return reply->status == KVSQLD_T2_OK || kvsqld_hbase_fail (reply, method, table, error);
}

/* ---- asked now, answered later */

void
kvsqld_hbase_ask_ahead (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                        const KvsqldT2Writer *request, const KvsqldT2Where *where,
                        KvsqldHbaseAhead *out_ahead)
{
  KvsqldT2Connection *connection = kvsqld_t2_pool_take_ahead (self->pool, where);

  *out_ahead = (KvsqldHbaseAhead){ NULL };
  if (connection == NULL)
    return;
  /* One that was closed while it lay idle is no failure of the gateway's. */
  if (kvsqld_t2_connection_is_usable (connection) && kvsqld_t2_connection_ask (connection, request))
    *out_ahead = (KvsqldHbaseAhead){ connection, where->gateway, method, request };
  else
    kvsqld_t2_pool_give (self->pool, where->gateway, connection, KVSQLD_T2_ABANDONED, NULL);
}

gboolean
kvsqld_hbase_await_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead, const KvsqlCall *call,
                          KvsqldT2Reply *reply, GError **error)
{
  const Exchange exchange = {
    .method = ahead->method, .request = ahead->request, .call = call ?: &endless, .reply = reply
  };
  KvsqldT2Connection *connection = g_steal_pointer (&ahead->connection);
  GError *failure = NULL;

  kvsqld_t2_connection_await (connection, exchange.method, exchange.request,
                              limit_attempt (self, &exchange, FALSE), exchange.call, reply,
                              &failure);
  return finish (self, &exchange, ahead->gateway, connection, failure, error);
}

void
kvsqld_hbase_drop_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + DROP_TIMEOUT_US };
  g_auto (KvsqldT2Reply) reply = { 0 };
  const Exchange exchange
      = { .method = ahead->method, .request = ahead->request, .call = &call, .reply = &reply };
  KvsqldT2Connection *connection = g_steal_pointer (&ahead->connection);
  g_autoptr (GError) failure = NULL;

  if (connection == NULL)
    return;
  if (kvsqld_t2_connection_await (connection, exchange.method, exchange.request, call.deadline_us,
                                  &call, &reply, &failure))
    finish (self, &exchange, ahead->gateway, connection, NULL, NULL);
  else
    kvsqld_t2_pool_give (self->pool, ahead->gateway, connection, KVSQLD_T2_ABANDONED, NULL);
}
