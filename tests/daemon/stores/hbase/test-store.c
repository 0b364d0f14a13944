/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-store.c: the HBase store with gateways that are unreachable, silent, slow or fail at the
 * worst moment. Tests with a working gateway run on a real one: test-live.c and the contract.
 */
#include "config.h"

#include "daemon/stores/hbase/health.h"
#include "daemon/stores/hbase/t2-requests.h"
#include "daemon/stores/hbase/transport.h"
#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

/* ---- gateways */

typedef enum
{
  GATEWAY_MUTE,   /* reads, and never answers */
  GATEWAY_CLOSES, /* closes at the first request, like a server with another transport */
  GATEWAY_DIES,   /* answers probes, closes at other requests */
  GATEWAY_BREAKS, /* answers probes, holds other requests until its manner changes, then closes */
  GATEWAY_SHUTS,  /* holds all requests, also probes, until its manner changes, then closes */
  GATEWAY_HOLDS,  /* answers probes at once, other requests when its manner changes */
  GATEWAY_WEB,    /* answers like a web server */
  GATEWAY_FAILS,  /* answers probes; to other requests answers that HBase could not be reached */
  GATEWAY_MAKES,  /* knows a table "t" from the second time on that it is to make it */
  GATEWAY_WORKS,  /* answers each request with the number 2 or an empty list */
} Manner;

/* A gateway is known to be stalled, or healthy again, before this. */
#define STALLED_US (60 * G_USEC_PER_SEC)
/* A call that must not wait for an answer returns before this, however slow the machine is. */
#define PROMPT_US (10 * G_USEC_PER_SEC)

typedef struct
{
  gint manner; /* a Manner; may change while it runs */
  GSocketListener *listener;
  guint16 port;
  GCancellable *ended;
  GThread *thread;
  GPtrArray *workers; /* of GThread*, the thread's own */
  gint n_accepted;
  gint n_held; /* requests */
  gint n_made; /* requests to make a table */
} Gateway;

typedef struct
{
  Gateway *gateway;
  GSocketConnection *connection;
} Visit;

/* The text of HBase's client in the gateway after it has used up its time. */
#define OUTAGE "Failed after attempts=4, exceptions: ConnectException: Connection refused"

/* TResult without cells. */
static void
write_empty_row (KvsqldT2Writer *writer)
{
  kvsqld_t2_writer_struct_field (writer, 0);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, 0);
  kvsqld_t2_writer_struct_end (writer);
}

/* One answer for all: an empty row for `get`, a number for the probe, nothing for writes. */
static void
write_answer (KvsqldT2Writer *writer, KvsqlSlice request)
{
  gsize name_size = kvsql_get_be32 (request.data + 4);
  g_autofree gchar *name = g_strndup ((const gchar *)request.data + 8, name_size);

  kvsqld_t2_writer_init (writer, (KvsqldT2Transport){ FALSE, FALSE });
  kvsqld_t2_writer_begin (writer, KVSQLD_T2_REPLY, name,
                          kvsql_get_be32 (request.data + 8 + name_size));
  if (strcmp (name, "getThriftServerType") == 0)
    kvsqld_t2_writer_i32_field (writer, 0, 2);
  else if (strcmp (name, "get") == 0)
    write_empty_row (writer);
  kvsqld_t2_writer_end (writer);
}

/* TIOError. */
static void
write_failure (KvsqldT2Writer *writer, KvsqlSlice request, KvsqlSlice message)
{
  gsize name_size = kvsql_get_be32 (request.data + 4);
  g_autofree gchar *name = g_strndup ((const gchar *)request.data + 8, name_size);

  kvsqld_t2_writer_init (writer, (KvsqldT2Transport){ FALSE, FALSE });
  kvsqld_t2_writer_begin (writer, KVSQLD_T2_REPLY, name,
                          kvsql_get_be32 (request.data + 8 + name_size));
  kvsqld_t2_writer_struct_field (writer, 1);
  kvsqld_t2_writer_binary_field (writer, 1, message);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

static gboolean
asks (KvsqlSlice request, const gchar *method)
{
  return request.size > 8 + strlen (method)
         && memcmp (request.data + 8, method, strlen (method)) == 0;
}

/* A gateway whose HBase makes the table for another client: the message of TableExistsException is
 * the name of the table alone, as is that of TableNotFoundException. */
static void
write_answer_about_table (Gateway *self, KvsqldT2Writer *writer, KvsqlSlice request)
{
  gboolean is_to_make = asks (request, "createTable");
  gint n_made = is_to_make ? g_atomic_int_add (&self->n_made, 1) : g_atomic_int_get (&self->n_made);

  if (is_to_make || n_made < 2)
    {
      write_failure (writer, request, S ("t"));
      return;
    }
  kvsqld_t2_writer_init (writer, (KvsqldT2Transport){ FALSE, FALSE });
  kvsqld_t2_writer_begin (writer, KVSQLD_T2_REPLY, "getTableDescriptor",
                          kvsql_get_be32 (request.data + 8 + strlen ("getTableDescriptor")));
  kvsqld_t2_writer_struct_field (writer, 0);
  kvsqld_t2_writer_struct_field (writer, 1);
  kvsqld_t2_writer_binary_field (writer, 2, S ("t"));
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, 1);
  kvsqld_t2_writer_struct_begin (writer);
  kvsqld_t2_writer_binary_field (writer, 1, S ("f"));
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

static void
hold (Gateway *self, Manner manner)
{
  g_atomic_int_inc (&self->n_held);
  while (g_atomic_int_get (&self->manner) == (gint)manner
         && !g_cancellable_is_cancelled (self->ended))
    g_usleep (1000);
}

static void
await_held (Gateway *self)
{
  while (g_atomic_int_get (&self->n_held) == 0)
    g_usleep (1000);
}

static gboolean
is_probe (KvsqlSlice request)
{
  return asks (request, "getThriftServerType");
}

static gboolean
serve_one (Visit *visit)
{
  g_auto (KvsqldT2Writer) answer = { 0 };
  guint8 request[4096];
  Manner manner;
  gssize n = g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (visit->connection)),
                                  request, sizeof request, visit->gateway->ended, NULL);

  manner = (Manner)g_atomic_int_get (&visit->gateway->manner);
  if (n <= 8 || manner == GATEWAY_CLOSES
      || (manner == GATEWAY_DIES && !is_probe (kvsql_slice (request, (gsize)n))))
    return FALSE;
  if (manner == GATEWAY_MUTE)
    return TRUE;
  if (manner == GATEWAY_SHUTS)
    {
      hold (visit->gateway, manner);
      return FALSE;
    }
  if ((manner == GATEWAY_HOLDS || manner == GATEWAY_BREAKS)
      && !is_probe (kvsql_slice (request, (gsize)n)))
    {
      hold (visit->gateway, manner);
      if (manner == GATEWAY_BREAKS)
        return FALSE;
    }
  if (manner == GATEWAY_FAILS && !is_probe (kvsql_slice (request, (gsize)n)))
    write_failure (&answer, kvsql_slice (request, (gsize)n), S (OUTAGE));
  else if (manner == GATEWAY_MAKES && !is_probe (kvsql_slice (request, (gsize)n)))
    write_answer_about_table (visit->gateway, &answer, kvsql_slice (request, (gsize)n));
  else if (manner == GATEWAY_WEB)
    kvsql_buffer_append_slice (&answer.bytes, S ("HTTP/1.1 400 Bad Request\r\n\r\n"));
  else
    write_answer (&answer, kvsql_slice (request, (gsize)n));
  return g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (visit->connection)),
                                    answer.bytes.data, answer.bytes.size, NULL,
                                    visit->gateway->ended, NULL);
}

static gpointer
serve (gpointer data)
{
  Visit *visit = data;

  while (serve_one (visit))
    ;
  g_object_unref (visit->connection);
  g_free (visit);
  return NULL;
}

static gpointer
accept_visitors (gpointer data)
{
  Gateway *gateway = data;
  GSocketConnection *connection;

  while ((connection = g_socket_listener_accept (gateway->listener, NULL, gateway->ended, NULL)))
    {
      Visit *visit = g_new0 (Visit, 1);

      g_atomic_int_inc (&gateway->n_accepted);
      visit->gateway = gateway;
      visit->connection = connection;
      g_ptr_array_add (gateway->workers, g_thread_new ("visit", serve, visit));
    }
  return NULL;
}

static Gateway *
gateway_start (Manner manner)
{
  Gateway *gateway = g_new0 (Gateway, 1);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any_port = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GError) error = NULL;

  gateway->manner = manner;
  gateway->listener = g_socket_listener_new ();
  g_assert_true (g_socket_listener_add_address (gateway->listener, any_port, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_TCP, NULL, &address, &error));
  gateway->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  gateway->ended = g_cancellable_new ();
  gateway->workers = g_ptr_array_new ();
  gateway->thread = g_thread_new ("gateway", accept_visitors, gateway);
  return gateway;
}

static void
gateway_stop (Gateway *gateway)
{
  g_cancellable_cancel (gateway->ended);
  g_thread_join (gateway->thread);
  for (guint i = 0; i < gateway->workers->len; i++)
    g_thread_join (gateway->workers->pdata[i]);
  g_ptr_array_unref (gateway->workers);
  g_object_unref (gateway->listener);
  g_object_unref (gateway->ended);
  g_free (gateway);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Gateway, gateway_stop)

static KvsqlStore *
open_store (const Gateway *gateway, const gchar *settings)
{
  g_autofree gchar *url = g_strdup_printf ("hbase://127.0.0.1:%u?%s", gateway->port, settings);
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (url, &error);

  g_assert_no_error (error);
  return store;
}

/* ---- facts */

static void
append_fact (const KvsqlFact *fact, gpointer data)
{
  GString *facts = data;

  if (fact->group != NULL)
    g_string_append_printf (facts, "%s %s, ", fact->group, fact->item);
  g_string_append_printf (facts, "%s: ", fact->name);
  if (fact->kind == KVSQL_FACT_TEXT)
    g_string_append_printf (facts, "%s\n", fact->text);
  else
    g_string_append_printf (facts, "%" G_GINT64_FORMAT "\n", fact->number);
}

static gboolean
has_fact (KvsqlStore *store, const Gateway *gateway, const gchar *expected)
{
  g_autoptr (GString) facts = g_string_new ("\n");
  g_autofree gchar *line
      = g_strdup_printf ("\ngateway 127.0.0.1:%u, %s\n", gateway->port, expected);

  kvsql_store_report (store, append_fact, facts);
  g_test_message ("%s", facts->str);
  return strstr (facts->str, line) != NULL;
}

static void
assert_fact (KvsqlStore *store, const Gateway *gateway, const gchar *expected)
{
  g_assert_true (has_fact (store, gateway, expected));
}

static KvsqlCall
call_within (gint64 milliseconds)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + milliseconds * 1000 };
}

static gboolean
put_one (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  const KvsqlMutation put = { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("q"), S ("v"), 1 };

  return kvsql_store_apply (store, &put, 1, call, error);
}

static void
test_unreachable (void)
{
  Gateway *gateway = gateway_start (GATEWAY_WORKS);
  g_autofree gchar *url = g_strdup_printf ("hbase://127.0.0.1:%u", gateway->port);
  g_autofree gchar *address = g_strdup_printf ("at 127.0.0.1:%u: ", gateway->port);
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, NULL);
  g_autoptr (GError) error = NULL;

  gateway_stop (gateway);
  g_assert_false (kvsql_store_ping (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "could not reach"));
  g_assert_nonnull (strstr (error->message, address));
  g_clear_error (&error);
  g_assert_false (put_one (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
}

static void
assert_hint (Manner manner, const gchar *settings, const gchar *hint)
{
  g_autoptr (Gateway) gateway = gateway_start (manner);
  g_autoptr (KvsqlStore) store = open_store (gateway, settings);
  g_autoptr (GError) error = NULL;

  g_assert_false (put_one (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_test_message ("%s: %s", error->message, kvsql_error_get_hint (error));
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), hint));
}

/* A server with another transport either closes the connection at once or never answers: both give
 * a hint. */
static void
test_wrong_transport (void)
{
  static const gchar settings[] = "timeout_ms=200&framed=true&protocol=binary";

  assert_hint (GATEWAY_CLOSES, settings, "Check framed=true&protocol=binary");
  assert_hint (GATEWAY_MUTE, settings, "Check framed=true&protocol=binary");
  assert_hint (GATEWAY_CLOSES, "", "Is it a Thrift2 server");
  assert_hint (GATEWAY_WEB, "framed=false&protocol=binary", "It speaks transport=http");
}

static void
test_dies_during_write (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_DIES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GError) error = NULL;

  g_assert_false (put_one (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_nonnull (kvsql_error_get_hint (error));
}

/* A read is repeated once, on a new connection, which fails too. */
static void
test_dies_during_read (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_DIES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_store_ping (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpint (g_atomic_int_get (&gateway->n_accepted), >=, 2);
}

/* The late reply must not be taken for the answer to the next request, which gets a new
 * connection. */
static void
test_late_reply (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_HOLDS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  KvsqlCall soon = call_within (300);
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_store_ping (store, &soon, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, PROMPT_US);
  g_clear_error (&error);
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  g_assert_true (kvsql_store_ping (store, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_atomic_int_get (&gateway->n_accepted), >=, 2);
}

static void
test_write_past_deadline (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_HOLDS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  KvsqlCall soon = call_within (300);
  g_autoptr (GError) error = NULL;

  g_assert_false (put_one (store, &soon, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
}

typedef struct
{
  Gateway *gateway;
  GCancellable *cancellable;
} Canceller;

static gpointer
cancel_when_held (gpointer data)
{
  const Canceller *self = data;

  await_held (self->gateway);
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_HOLDS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqlCall call = { .cancellable = cancellable };
  Canceller canceller = { gateway, cancellable };
  GThread *thread = g_thread_new ("cancel", cancel_when_held, &canceller);
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_store_ping (store, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, PROMPT_US);
  g_thread_join (thread);
}

static gpointer
ping_in_thread (gpointer store)
{
  return GINT_TO_POINTER (kvsql_store_ping (store, NULL, NULL));
}

/* One connection for two callers: the second one waits for it, but not past its deadline. */
static void
test_full_pool (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_HOLDS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "pool=1");
  GThread *thread = g_thread_new ("ping", ping_in_thread, store);
  g_autoptr (GError) error = NULL;
  KvsqlCall soon;

  await_held (gateway);
  soon = call_within (100);
  g_assert_false (kvsql_store_ping (store, &soon, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_nonnull (strstr (error->message, "one of 1 connections"));
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  g_assert_true (kvsql_store_ping (store, NULL, NULL));
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
  g_assert_cmpint (g_atomic_int_get (&gateway->n_accepted), ==, 1);
}

static void
test_second_gateway (void)
{
  g_autoptr (Gateway) bad = gateway_start (GATEWAY_CLOSES);
  g_autoptr (Gateway) good = gateway_start (GATEWAY_WORKS);
  g_autofree gchar *url
      = g_strdup_printf ("hbase://127.0.0.1:%u,127.0.0.1:%u?pool=4", bad->port, good->port);
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 10; i++)
    {
      g_assert_true (put_one (store, NULL, &error));
      g_assert_no_error (error);
    }
  g_assert_cmpint (g_atomic_int_get (&good->n_accepted), ==, 1);
}

static gboolean
count_one (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  gint64 value;

  return kvsql_store_increment (store, S ("t"), S ("r"), S ("f"), S ("q"), 1, call, &value, error);
}

static KvsqlStore *
open_pair (const Gateway *first, const Gateway *second)
{
  g_autofree gchar *url
      = g_strdup_printf ("hbase://127.0.0.1:%u,127.0.0.1:%u", first->port, second->port);

  return kvsqld_store_open (url, NULL);
}

/* A put uses the other gateway within its deadline, whichever was tried first; later puts use it at
 * once. */
static void
test_one_of_two_hangs (void)
{
  g_autoptr (Gateway) first = gateway_start (GATEWAY_WORKS);
  g_autoptr (Gateway) second = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_pair (first, second);
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&first->manner, GATEWAY_MUTE);
  for (guint i = 0; i < 10; i++)
    {
      KvsqlCall soon = call_within (2000);

      g_assert_true (put_one (store, &soon, &error));
      g_assert_no_error (error);
    }
}

/* An increment that may have been done is not repeated, not even through the other gateway. */
static void
test_increment_is_not_repeated (void)
{
  g_autoptr (Gateway) first = gateway_start (GATEWAY_HOLDS);
  g_autoptr (Gateway) second = gateway_start (GATEWAY_HOLDS);
  g_autoptr (KvsqlStore) store = open_pair (first, second);
  g_autoptr (GError) error = NULL;
  KvsqlCall soon = call_within (500);

  g_assert_false (count_one (store, &soon, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_cmpint (g_atomic_int_get (&first->n_held) + g_atomic_int_get (&second->n_held), ==, 1);
}

/* ---- health of a gateway */

static void
await_fact (KvsqlStore *store, const Gateway *gateway, const gchar *expected)
{
  gint64 limit_us = g_get_monotonic_time () + PROMPT_US;

  while (!has_fact (store, gateway, expected) && g_get_monotonic_time () < limit_us)
    g_usleep (1000);
  assert_fact (store, gateway, expected);
}

static gpointer
put_soon (gpointer store)
{
  KvsqlCall soon = call_within (PROMPT_US / 1000);
  GError *error = NULL;

  put_one (store, &soon, &error);
  return error;
}

/* A put that may have been done is done for certain after a gateway has recovered, even if all of
 * them are broken in between. */
static void
test_put_waits_for_gateway (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_BREAKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "framed=false&protocol=binary");
  GThread *thread = g_thread_new ("put", put_soon, store);
  GError *error;

  await_held (gateway);
  g_atomic_int_set (&gateway->manner, GATEWAY_CLOSES);
  await_fact (store, gateway, "state: broken");
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  error = g_thread_join (thread);
  g_assert_no_error (error);
}

/* The pool notices the recovery of a broken gateway without a request. */
static void
test_recovery (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_CLOSES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");

  g_assert_false (put_one (store, NULL, NULL));
  assert_fact (store, gateway, "state: broken");
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  await_fact (store, gateway, "state: healthy");
  g_assert_true (put_one (store, NULL, NULL));
}

/* A probe that began before the call says nothing about the gateway now: the call tries it again.
 */
static void
test_older_probe_fails (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_CLOSES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "framed=false&protocol=binary");
  GThread *thread;
  GError *error;

  g_assert_false (put_one (store, NULL, NULL));
  g_atomic_int_set (&gateway->manner, GATEWAY_SHUTS);
  await_held (gateway); /* the pool's own probe */
  thread = g_thread_new ("put", put_soon, store);
  g_usleep (G_USEC_PER_SEC / 10);
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  error = g_thread_join (thread);
  g_assert_no_error (error);
}

static gpointer
put_in_thread (gpointer store)
{
  for (guint i = 0; i < 20; i++)
    put_one (store, NULL, NULL);
  return NULL;
}

/* However many callers there are, an unreachable gateway is tried at most ten times a second. */
static void
test_no_hammering (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_CLOSES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "framed=false&protocol=binary");
  GThread *threads[8];
  gint64 begun_us;
  gint before, most;

  g_assert_false (put_one (store, NULL, NULL));
  before = g_atomic_int_get (&gateway->n_accepted);
  begun_us = g_get_monotonic_time ();
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("put", put_in_thread, store);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  /* The pool's own probes are counted in addition. */
  most = 10 + (gint)((g_get_monotonic_time () - begun_us) / (G_USEC_PER_SEC / 10)) * 3 / 2;
  g_test_message ("%d connections", g_atomic_int_get (&gateway->n_accepted) - before);
  g_assert_cmpint (g_atomic_int_get (&gateway->n_accepted) - before, <=, most);
}

static void
test_idle_connections_are_closed (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "idle_s=1");

  g_assert_true (put_one (store, NULL, NULL));
  assert_fact (store, gateway, "connections idle: 1");
  await_fact (store, gateway, "connections idle: 0");
}

static void
test_health (void)
{
  g_autoptr (GError) error = g_error_new (KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE, "gone");
  KvsqldT2Health health;
  gint64 last = 0;

  kvsqld_t2_health_init (&health);
  kvsqld_t2_health_fail (&health, 1000, error);
  g_assert_cmpint (health.state, ==, KVSQLD_T2_SUSPECT);
  g_assert_cmpint (health.probe_us, ==, 1000);
  for (guint i = 0; i < 12; i++)
    {
      kvsqld_t2_health_fail_probe (&health, 1000, 1000, 0, error);
      g_assert_cmpint (health.probe_us, >=, last);
      last = health.probe_us;
    }
  g_assert_cmpint (health.state, ==, KVSQLD_T2_FAULTY);
  g_assert_cmpint (last, <=, 60 * G_USEC_PER_SEC);
  /* Two daemons do not probe at the same moment. */
  kvsqld_t2_health_fail_probe (&health, 1000, 1000, 1023, error);
  g_assert_cmpint (health.probe_us, >, last + G_USEC_PER_SEC);
  /* One request at first, then more with each answer, and with time. */
  kvsqld_t2_health_pass_probe (&health, 1000);
  g_assert_cmpint (health.state, ==, KVSQLD_T2_HEALTHY);
  g_assert_cmpuint (kvsqld_t2_health_get_allowance (&health, 1000), ==, 1);
  kvsqld_t2_health_succeed (&health);
  g_assert_cmpuint (kvsqld_t2_health_get_allowance (&health, 1000), ==, 2);
  g_assert_cmpuint (kvsqld_t2_health_get_allowance (&health, 1000 + G_USEC_PER_SEC), ==, 52);
  g_assert_cmpuint (health.n_in_a_row, ==, 0);
  kvsqld_t2_health_clear (&health);
}

/* The gateway answers, but HBase does not: only a read from it shows that. */
static void
test_stalled_health (void)
{
  g_autoptr (GError) error = g_error_new (KVSQL_ERROR, KVSQL_ERROR_DEADLINE, "no answer");
  KvsqldT2Health health;
  gint64 now_us = 1000;

  kvsqld_t2_health_init (&health);
  kvsqld_t2_health_fail (&health, now_us, error);
  kvsqld_t2_health_fail (&health, now_us, error);
  g_assert_false (kvsqld_t2_health_must_read (&health));
  kvsqld_t2_health_fail (&health, now_us, error);
  g_assert_true (kvsqld_t2_health_must_read (&health));
  /* A successful plain probe proves nothing now, but an answered request proves recovery. */
  kvsqld_t2_health_pass_probe (&health, now_us);
  g_assert_cmpint (health.state, ==, KVSQLD_T2_SUSPECT);
  kvsqld_t2_health_succeed (&health);
  kvsqld_t2_health_fail_read (&health, now_us, 0, error);
  g_assert_cmpint (health.state, ==, KVSQLD_T2_HEALTHY);

  for (guint i = 0; i < 3; i++)
    kvsqld_t2_health_fail (&health, now_us, error);
  /* The pauses grow up to six seconds. */
  for (guint i = 0; i < 12; i++)
    {
      kvsqld_t2_health_fail_read (&health, now_us, 1023, error);
      g_assert_cmpint (health.state, ==, KVSQLD_T2_STALLED);
      g_assert_cmpint (health.probe_us - now_us, <=, 6 * G_USEC_PER_SEC);
    }
  g_assert_cmpint (health.probe_us - now_us, >, 5 * G_USEC_PER_SEC);
  kvsqld_t2_health_pass_probe (&health, now_us);
  g_assert_cmpint (health.state, ==, KVSQLD_T2_STALLED);
  kvsqld_t2_health_pass_read (&health, now_us);
  g_assert_cmpint (health.state, ==, KVSQLD_T2_HEALTHY);
  g_assert_cmpuint (kvsqld_t2_health_get_allowance (&health, now_us), ==, 1);
  g_assert_false (kvsqld_t2_health_must_read (&health));
  kvsqld_t2_health_clear (&health);
}

/* Makes several consecutive requests without an answer. */
static void
hurry (KvsqlStore *store)
{
  for (guint i = 0; i < 3; i++)
    {
      KvsqlCall soon = call_within (100);

      g_assert_false (kvsql_store_ping (store, &soon, NULL));
    }
}

/* Makes requests without an answer until a probe fails, too. On a slow machine the plain probe may
 * have timed out; then waits for the next one. */
static void
stall (KvsqlStore *store, const Gateway *gateway)
{
  gint64 limit_us = g_get_monotonic_time () + STALLED_US;

  while (!has_fact (store, gateway, "state: stalled") && g_get_monotonic_time () < limit_us)
    {
      KvsqlCall soon = call_within (100);

      g_assert_false (kvsql_store_ping (store, &soon, NULL));
    }
  assert_fact (store, gateway, "state: stalled");
}

/* The next probe is made within six seconds. */
static void
await_recovery (KvsqlStore *store, const Gateway *gateway)
{
  gint64 limit_us = g_get_monotonic_time () + STALLED_US;

  while (!has_fact (store, gateway, "state: healthy") && g_get_monotonic_time () < limit_us)
    g_usleep (1000);
  assert_fact (store, gateway, "state: healthy");
}

static void
assert_fails_early (KvsqlStore *store)
{
  KvsqlCall late = call_within (20000);
  gint64 begun_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  g_assert_false (put_one (store, &late, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "HBase does not answer: "));
  g_assert_nonnull (strstr (error->message, " requests in a row through the Thrift server at "));
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), "The Thrift server itself answers"));
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, PROMPT_US);
}

/* HBase hangs: the gateway is stalled after its probe has failed, and no request is sent. */
static void
test_hbase_hangs (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_HOLDS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "timeout_ms=1000");

  stall (store, gateway);
  assert_fails_early (store);
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  await_recovery (store, gateway);
  assert_fact (store, gateway, "unanswered in a row: 0");
  g_assert_true (put_one (store, NULL, NULL));
}

/* The gateway answers that it cannot reach HBase, each time after a long wait. */
static void
test_hbase_is_away (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_FAILS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GError) error = NULL;

  stall (store, gateway);
  assert_fails_early (store);
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  await_recovery (store, gateway);
  g_assert_true (put_one (store, NULL, &error));
  g_assert_no_error (error);
}

/* "It exists" is no error of a request to make a table, even if it cannot be described yet. */
static void
test_table_is_made_by_another (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_MAKES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = S ("t"), .families = &family, .n_families = 1 };
  gboolean is_created = TRUE;
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsql_store_ensure_table (store, &spec, NULL, &is_created, &error));
  g_assert_no_error (error);
  g_assert_false (is_created);
  g_assert_cmpint (g_atomic_int_get (&gateway->n_made), ==, 2);
}

/* Callers with short deadlines do not make HBase unavailable to others. */
static void
test_hurry (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&gateway->manner, GATEWAY_HOLDS);
  hurry (store);
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  g_assert_true (put_one (store, NULL, &error));
  g_assert_no_error (error);
  await_fact (store, gateway, "state: healthy");
}

/* A lost connection says nothing about HBase: the gateway is broken, not stalled, and a caller that
 * needs it tries it again. */
static void
test_probe_is_lost (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_DIES);
  g_autoptr (KvsqlStore) store = open_store (gateway, "framed=false&protocol=binary");
  gint64 limit_us;

  for (guint i = 0; i < 4; i++)
    g_assert_false (kvsql_store_ping (store, NULL, NULL));
  await_fact (store, gateway, "state: broken");
  g_atomic_int_set (&gateway->manner, GATEWAY_WORKS);
  /* A request that arrives while a probe fails is rejected. */
  limit_us = g_get_monotonic_time () + PROMPT_US;
  while (!put_one (store, NULL, NULL))
    g_assert_cmpint (g_get_monotonic_time (), <, limit_us);
}

/* A stalled gateway gets no requests while another one is healthy. */
static void
test_one_of_two_is_stalled (void)
{
  g_autoptr (Gateway) first = gateway_start (GATEWAY_WORKS);
  g_autoptr (Gateway) second = gateway_start (GATEWAY_WORKS);
  g_autofree gchar *url = g_strdup_printf ("hbase://127.0.0.1:%u,127.0.0.1:%u?timeout_ms=2000",
                                           first->port, second->port);
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, NULL);
  gint64 limit_us = g_get_monotonic_time () + STALLED_US;
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&first->manner, GATEWAY_HOLDS);
  while (!has_fact (store, first, "state: stalled") && g_get_monotonic_time () < limit_us)
    {
      KvsqlCall soon = call_within (20000);

      g_assert_true (put_one (store, &soon, &error));
      g_assert_no_error (error);
    }
  assert_fact (store, first, "state: stalled");
  for (guint i = 0; i < 20; i++)
    g_assert_true (put_one (store, NULL, NULL));
}

/* A name may have an unreachable address (::1) before the right one. */
static void
test_host_name (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autofree gchar *url = g_strdup_printf ("hbase://localhost:%u", gateway->port);
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, NULL);
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_ping (store, NULL, &error), error);
}

/* A connection that the gateway closed while it was idle is noticed before a write is sent on
 * it. */
static void
test_restarted_gateway (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GError) error = NULL;

  g_assert_true (put_one (store, NULL, NULL));
  /* Ends the connections, but not the listener. */
  g_cancellable_cancel (gateway->ended);
  g_thread_join (gateway->thread); /* the list of workers is complete only after it has ended */
  g_thread_join (gateway->workers->pdata[0]);
  g_ptr_array_set_size (gateway->workers, 0);
  g_cancellable_reset (gateway->ended);
  gateway->thread = g_thread_new ("gateway", accept_visitors, gateway);

  g_assert_true (put_one (store, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_atomic_int_get (&gateway->n_accepted), ==, 2);
}

static void
test_facts (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");

  assert_fact (store, gateway, "requests: 0");
  g_assert_true (put_one (store, NULL, NULL));
  assert_fact (store, gateway, "state: healthy");
  assert_fact (store, gateway, "connections in use: 0");
  assert_fact (store, gateway, "connections idle: 1");
  assert_fact (store, gateway, "requests: 1");
  assert_fact (store, gateway, "failures: 0");
}

/* The qualifier and the value of a cell are short enough, but not both together: that is known
 * before it is written, so that no write is decided that cannot be made. */
static void
test_cell_is_too_large (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autofree gchar *text = g_strnfill (6 << 20, 'v');
  const KvsqlSlice half = kvsql_slice_from_text (text);
  const KvsqlMutation puts[]
      = { { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("q"), half, 1 },
          { KVSQL_MUTATION_PUT, S ("t"), S ("s"), S ("f"), half, half, 1 } };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_check (store, puts, 1, &error), error);
  g_assert_false (kvsql_store_check (store, puts, 2, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_false (kvsql_store_apply (store, puts, 2, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hbase/gateway/unreachable", test_unreachable);
  g_test_add_func ("/hbase/gateway/wrong-transport", test_wrong_transport);
  g_test_add_func ("/hbase/gateway/dies-during-write", test_dies_during_write);
  g_test_add_func ("/hbase/gateway/dies-during-read", test_dies_during_read);
  g_test_add_func ("/hbase/gateway/late-reply", test_late_reply);
  g_test_add_func ("/hbase/gateway/write-past-deadline", test_write_past_deadline);
  g_test_add_func ("/hbase/gateway/cancel", test_cancel);
  g_test_add_func ("/hbase/gateway/full-pool", test_full_pool);
  g_test_add_func ("/hbase/gateway/second-of-two", test_second_gateway);
  g_test_add_func ("/hbase/gateway/one-of-two-hangs", test_one_of_two_hangs);
  g_test_add_func ("/hbase/gateway/increment-is-not-repeated", test_increment_is_not_repeated);
  g_test_add_func ("/hbase/gateway/put-waits-for-gateway", test_put_waits_for_gateway);
  g_test_add_func ("/hbase/gateway/recovery", test_recovery);
  g_test_add_func ("/hbase/gateway/older-probe-fails", test_older_probe_fails);
  g_test_add_func ("/hbase/gateway/no-hammering", test_no_hammering);
  g_test_add_func ("/hbase/gateway/idle-connections-are-closed", test_idle_connections_are_closed);
  g_test_add_func ("/hbase/health", test_health);
  g_test_add_func ("/hbase/health/stalled", test_stalled_health);
  g_test_add_func ("/hbase/gateway/hbase-hangs", test_hbase_hangs);
  g_test_add_func ("/hbase/gateway/hbase-is-unreachable", test_hbase_is_away);
  g_test_add_func ("/hbase/gateway/short-deadlines", test_hurry);
  g_test_add_func ("/hbase/gateway/one-of-two-is-stalled", test_one_of_two_is_stalled);
  g_test_add_func ("/hbase/gateway/probe-is-lost", test_probe_is_lost);
  g_test_add_func ("/hbase/gateway/host-name", test_host_name);
  g_test_add_func ("/hbase/gateway/restarted", test_restarted_gateway);
  g_test_add_func ("/hbase/gateway/facts", test_facts);
  g_test_add_func ("/hbase/gateway/table-is-made-by-another", test_table_is_made_by_another);
  g_test_add_func ("/hbase/gateway/cell-is-too-large", test_cell_is_too_large);
  return g_test_run ();
}
