/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-hbase-store.c: the HBase store without an HBase: URLs, what exceptions mean, and gateways
 * that are away, mute, deaf, slow or die at the worst moment. What needs a gateway that works
 * is tested against a real one: test-hbase-live.c and the contract.
 */
#include "config.h"

#include "daemon/stores/hbase/errors.h"
#include "daemon/stores/hbase/health.h"
#include "daemon/stores/hbase/t2-requests.h"
#include "daemon/stores/hbase/transport.h"
#include "daemon/stores/hbase/url.h"
#include "daemon/stores/stores.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

/* ---- URLs */

static void
test_url (void)
{
  g_auto (KvsqldHbaseUrl) url = { 0 };
  const KvsqldT2Endpoint *second;

  g_assert_true (kvsqld_hbase_url_parse (
      "hbase://one,[::1]:9999?framed=true&protocol=compact&namespace=n_1&pool=3&timeout_ms=1500"
      "&idle_s=9",
      &url, NULL));
  g_assert_cmpuint (url.endpoints->len, ==, 2);
  g_assert_cmpstr (((KvsqldT2Endpoint *)url.endpoints->pdata[0])->address, ==, "one:9090");
  second = url.endpoints->pdata[1];
  g_assert_cmpstr (second->address, ==, "[::1]:9999");
  g_assert_true (url.transport.is_framed && url.transport.is_compact);
  g_assert_cmpuint (url.candidates, ==, 8);
  g_assert_cmpstr (url.namespace_name, ==, "n_1");
  g_assert_cmpuint (url.pool_size, ==, 3);
  g_assert_cmpint (url.timeout_us, ==, 1500000);
  g_assert_cmpint (url.idle_us, ==, 9 * G_USEC_PER_SEC);
}

static void
test_url_defaults (void)
{
  g_auto (KvsqldHbaseUrl) url = { 0 };

  g_assert_true (kvsqld_hbase_url_parse ("hbase://localhost:1/", &url, NULL));
  g_assert_cmpuint (url.candidates, ==, 63);
  g_assert_null (url.namespace_name);
  g_assert_cmpuint (url.pool_size, ==, 16);
  g_assert_cmpint (url.timeout_us, ==, 30 * G_USEC_PER_SEC);
}

/* What only goes with TLS means TLS; so does a login, unless plain HTTP is asked for. */
static void
test_url_transports (void)
{
  static const struct
  {
    const gchar *settings;
    const gchar *transport;
  } cases[] = {
    { "transport=http", "transport=http" },
    { "transport=https", "transport=https" },
    { "tls_ca=/ca.pem", "transport=https" },
    { "transport=auto&tls_verify=ca", "transport=https" },
    { "auth_file=/login", "transport=https" },
    { "auth_file=/login&transport=http", "transport=http" },
    { "path=/hbase&transport=http", "transport=http" },
    { "framed=true&protocol=compact", "framed=true&protocol=compact" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (KvsqldHbaseUrl) url = { 0 };
      g_autofree gchar *text = g_strconcat ("hbase://a?", cases[i].settings, NULL);
      g_autofree gchar *transport = NULL;

      g_assert_true (kvsqld_hbase_url_parse (text, &url, NULL));
      transport = kvsqld_t2_transport_print (url.transport);
      g_assert_cmpstr (transport, ==, cases[i].transport);
      g_assert_cmpuint (url.candidates, ==, kvsqld_t2_transport_bit (url.transport));
    }
}

static void
test_url_tls (void)
{
  g_auto (KvsqldHbaseUrl) url = { 0 };

  g_assert_true (kvsqld_hbase_url_parse (
      "hbase://a?tls_ca=/a%26b.pem&tls_cert=/c.pem&tls_key=/k.pem&tls_verify=ca&path=/hbase", &url,
      NULL));
  g_assert_cmpstr (url.http.ca_file, ==, "/a&b.pem");
  g_assert_cmpstr (url.http.cert_file, ==, "/c.pem");
  g_assert_cmpstr (url.http.key_file, ==, "/k.pem");
  g_assert_cmpstr (url.http.path, ==, "/hbase");
  g_assert_cmpint (url.http.verify, ==, KVSQLD_T2_VERIFY_CA);
}

static void
test_bad_urls (void)
{
  static const struct
  {
    const gchar *url;
    const gchar *message; /* a piece of it */
  } cases[] = {
    { "http://x", "does not begin with hbase://" },
    { "hbase://", "no address in store URL" },
    { "hbase://a,,b", "bad address \"\"" },
    { "hbase://a:0", "bad address" },
    { "hbase://a:99999", "bad address" },
    { "hbase://a?framd=true", "unknown key \"framd\"" },
    { "hbase://a?framed", "bad value of \"framed\"" },
    { "hbase://a?framed=yes", "true, false or auto expected" },
    { "hbase://a?protocol=json", "binary, compact or auto expected" },
    { "hbase://a?transport=tls", "socket, http, https or auto expected" },
    { "hbase://a?tls_verify=yes", "full, ca or none expected" },
    { "hbase://a?tls_ca=", "bad value of \"tls_ca\"" },
    { "hbase://a?path=x", "a path that begins with a slash" },
    { "hbase://a?transport=http&tls_ca=/ca.pem", "contradict each other" },
    { "hbase://a?transport=https&framed=false", "contradict each other" },
    { "hbase://a?transport=socket&path=/x", "contradict each other" },
    { "hbase://a?tls_key=/key.pem", "contradict each other" },
    { "hbase://a?namespace=a-b", "letters, digits" },
    { "hbase://a?namespace=", "letters, digits" },
    { "hbase://a?pool=0", "from 1 to 1000" },
    { "hbase://a?idle_s=0", "from 1 to 86400" },
    { "hbase://a?pool=3&timeout_ms=-1", "from 1 to 86400000" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsqld_store_open (cases[i].url, NULL));
      g_assert_null (kvsqld_hbase_store_open (cases[i].url, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

static void
test_suggestion (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsqld_hbase_store_open ("hbase://a?framd=true", &error));
  g_assert_cmpstr (kvsql_error_get_hint (error), ==, "Did you mean \"framed\"?");
}

/* ---- exceptions, in the words of HBase 2.6 */

#define FAMILY                                                                                     \
  "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException: Column family zz does not "   \
  "exist in region n7:x,,1700000000000.0123456789abcdef. in table 'n7:x', {NAME => 'f'}\n\tat "    \
  "org.apache.hadoop.hbase.regionserver.HRegion.checkFamily(HRegion.java:1)\n"

static void
test_exceptions (void)
{
  static const struct
  {
    KvsqldT2Status status;
    const gchar *text;
    const KvsqldT2Method *method;
    KvsqlErrorCode code;
    const gchar *message;
  } cases[] = {
    { KVSQLD_T2_IO_ERROR, "n7:x", &kvsqld_t2_get_multiple, KVSQL_ERROR_STORE,
      "table \"n7:x\" does not exist in the store" },
    { KVSQLD_T2_IO_ERROR, "Failed 1 action: n7:x: 1 time, servers with issues: null",
      &kvsqld_t2_put_multiple, KVSQL_ERROR_STORE, "table \"n7:x\" does not exist in the store" },
    { KVSQLD_T2_IO_ERROR, FAMILY, &kvsqld_t2_get_multiple, KVSQL_ERROR_STORE,
      "column family \"zz\" does not exist in table \"n7:x\" of the store" },
    { KVSQLD_T2_IO_ERROR, "n7:x is disabled.", &kvsqld_t2_get_multiple, KVSQL_ERROR_STORE,
      "table \"n7:x\" is disabled in the store" },
    { KVSQLD_T2_IO_ERROR, "org.apache.hadoop.hbase.NamespaceNotFoundException: n7\n\tat x",
      &kvsqld_t2_create_table, KVSQL_ERROR_STORE,
      "the namespace of table \"n7:x\" does not exist in the store" },
    { KVSQLD_T2_IO_ERROR, "Failed after attempts=16, exceptions:\n2026 SocketTimeoutException",
      &kvsqld_t2_get_multiple, KVSQL_ERROR_UNAVAILABLE,
      "HBase could not answer: Failed after attempts=16, exceptions: 2026 SocketTimeoutException" },
    { KVSQLD_T2_IO_ERROR,
      "Failed 2 actions: org.apache.hadoop.hbase.NotServingRegionException: 2 times",
      &kvsqld_t2_put_multiple, KVSQL_ERROR_UNKNOWN_OUTCOME,
      "the write may or may not have been done: Failed 2 actions: "
      "org.apache.hadoop.hbase.NotServingRegionException: 2 times" },
    { KVSQLD_T2_IO_ERROR, "Attempted to increment field: Field is not a long, it's 0 bytes wide",
      &kvsqld_t2_increment, KVSQL_ERROR_STORE,
      "the cell is no counter: its value is not 8 bytes long" },
    { KVSQLD_T2_APPLICATION_ERROR, "Internal error processing getMultiple", &kvsqld_t2_get_multiple,
      KVSQL_ERROR_STORE, "HBase refused getMultiple: Internal error processing getMultiple" },
    { KVSQLD_T2_IO_ERROR, "", &kvsqld_t2_get_multiple, KVSQL_ERROR_STORE,
      "HBase refused getMultiple: " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqldT2Reply reply
          = { .status = cases[i].status, .message = kvsql_slice_from_text (cases[i].text) };
      g_autoptr (GError) error = NULL;

      g_assert_false (kvsqld_hbase_fail (&reply, cases[i].method, S ("n7:x"), &error));
      g_assert_cmpstr (error->message, ==, cases[i].message);
      g_assert_true (g_error_matches (error, KVSQL_ERROR, (gint)cases[i].code));
    }
}

static void
test_hostile_message (void)
{
  static const gchar bytes[] = "a\n\xff\xfe b";
  g_autofree gchar *huge = g_strnfill (1 << 20, 'x');
  g_autofree gchar *clean = kvsqld_hbase_clean_message (S (bytes));
  g_autofree gchar *cut = kvsqld_hbase_clean_message (kvsql_slice_from_text (huge));

  g_assert_true (g_utf8_validate (clean, -1, NULL));
  g_assert_null (strchr (clean, '\n'));
  g_assert_cmpuint (strlen (cut), <, 1000);
}

/* ---- gateways that misbehave */

typedef enum
{
  GATEWAY_MUTE,   /* reads, and never answers */
  GATEWAY_CLOSES, /* closes at the first request, as one of another transport does */
  GATEWAY_DIES,   /* answers probes, closes at other requests */
  GATEWAY_HOLDS,  /* answers probes at once, others when it is of another manner */
  GATEWAY_WEB,    /* answers as a web server does */
  GATEWAY_WORKS,  /* answers each request with the number 2 or an empty list */
} Manner;

/* What must not wait for an answer is back before this, however busy the machine is. */
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
} Gateway;

typedef struct
{
  Gateway *gateway;
  GSocketConnection *connection;
} Visit;

/* One answer for all: a list for listNamespaces, a number for the probe, nothing for writes. */
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
  else if (strcmp (name, "listNamespaces") == 0)
    kvsqld_t2_writer_list_field (writer, 0, KVSQLD_T2_STRING, 0);
  kvsqld_t2_writer_end (writer);
}

static void
hold (Gateway *self)
{
  g_atomic_int_inc (&self->n_held);
  while (g_atomic_int_get (&self->manner) == GATEWAY_HOLDS
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
  static const gchar name[] = "getThriftServerType";

  return request.size > 8 + strlen (name) && memcmp (request.data + 8, name, strlen (name)) == 0;
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
  if (manner == GATEWAY_HOLDS && !is_probe (kvsql_slice (request, (gsize)n)))
    hold (visit->gateway);
  if (manner == GATEWAY_WEB)
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
test_nobody_listens (void)
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

/* A server of another transport either hangs up at once or never answers: both give a hint. */
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

/* A read is tried once more, on a new connection; that dies too. */
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

/* The late reply must not become the answer to the next request: that one gets a new connection. */
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

/* One connection for two: the second caller waits for it, but no longer than he wants. */
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

/* A put finds the other one within its deadline, however it had chosen; later ones do at once. */
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

/* What may have been counted is not counted again, not even by the other gateway. */
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

/* ---- what is thought of a gateway */

static void
await_fact (KvsqlStore *store, const Gateway *gateway, const gchar *expected)
{
  gint64 limit_us = g_get_monotonic_time () + PROMPT_US;

  while (!has_fact (store, gateway, expected) && g_get_monotonic_time () < limit_us)
    g_usleep (1000);
  assert_fact (store, gateway, expected);
}

/* Nobody has to ask a broken gateway for the pool to see that it is back. */
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

static gpointer
put_in_thread (gpointer store)
{
  for (guint i = 0; i < 20; i++)
    put_one (store, NULL, NULL);
  return NULL;
}

/* However many ask, a gateway that is away is tried no more often than ten times a second. */
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
  /* Probes of the pool's own come on top. */
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
      kvsqld_t2_health_fail_probe (&health, 1000, 0, error);
      g_assert_cmpint (health.probe_us, >=, last);
      last = health.probe_us;
    }
  g_assert_cmpint (health.state, ==, KVSQLD_T2_FAULTY);
  g_assert_cmpint (last, <=, 60 * G_USEC_PER_SEC);
  /* Two daemons do not come back at the same moment. */
  kvsqld_t2_health_fail_probe (&health, 1000, 1023, error);
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

/* A name may have an address on which nobody listens (::1) before the right one. */
static void
test_host_name (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autofree gchar *url = g_strdup_printf ("hbase://localhost:%u", gateway->port);
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, NULL);
  g_autoptr (GError) error = NULL;

  kvsql_store_ping (store, NULL, &error);
  g_assert_no_error (error);
}

/* A connection that the gateway closed while it was idle is noticed before a write is sent on it.
 */
static void
test_restarted_gateway (void)
{
  g_autoptr (Gateway) gateway = gateway_start (GATEWAY_WORKS);
  g_autoptr (KvsqlStore) store = open_store (gateway, "");
  g_autoptr (GError) error = NULL;

  g_assert_true (put_one (store, NULL, NULL));
  /* Ends the visit, but not the listener. */
  g_cancellable_cancel (gateway->ended);
  g_thread_join (gateway->thread); /* knows all workers only once it has ended */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hbase/url/all-keys", test_url);
  g_test_add_func ("/hbase/url/defaults", test_url_defaults);
  g_test_add_func ("/hbase/url/transports", test_url_transports);
  g_test_add_func ("/hbase/url/tls", test_url_tls);
  g_test_add_func ("/hbase/url/bad", test_bad_urls);
  g_test_add_func ("/hbase/url/suggestion", test_suggestion);
  g_test_add_func ("/hbase/errors/exceptions", test_exceptions);
  g_test_add_func ("/hbase/errors/hostile-message", test_hostile_message);
  g_test_add_func ("/hbase/gateway/nobody-listens", test_nobody_listens);
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
  g_test_add_func ("/hbase/gateway/recovery", test_recovery);
  g_test_add_func ("/hbase/gateway/no-hammering", test_no_hammering);
  g_test_add_func ("/hbase/gateway/idle-connections-are-closed", test_idle_connections_are_closed);
  g_test_add_func ("/hbase/health", test_health);
  g_test_add_func ("/hbase/gateway/host-name", test_host_name);
  g_test_add_func ("/hbase/gateway/restarted", test_restarted_gateway);
  g_test_add_func ("/hbase/gateway/facts", test_facts);
  return g_test_run ();
}
