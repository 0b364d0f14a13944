/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-url.c: the URLs of the HBase store, and the meaning of HBase's exceptions.
 */
#include "config.h"

#include "daemon/stores/hbase/errors.h"
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
      "&idle_s=9&pause_ms=20",
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
  g_assert_cmpint (url.pause_us, ==, 20000);
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

/* An option that is valid only with TLS selects TLS; so does a login, unless plain HTTP is
 * configured. */
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
    const gchar *message; /* a part of it */
  } cases[] = {
    { "http://x", "does not begin with hbase://" },
    { "hbase://", "no address in store URL" },
    { "hbase://a,,b", "bad address \"\"" },
    { "hbase://a:0", "bad address" },
    { "hbase://::1:9090",
      "bad address \"::1:9090\" in store URL \"hbase://::1:9090\": an IPv6 host needs brackets" },
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
    { "hbase://a?pause_ms=60001", "from 0 to 60000" },
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
    { KVSQLD_T2_IO_ERROR, "java.io.IOException: Zookeeper LIST could not be completed in 10000 ms",
      &kvsqld_t2_get_multiple, KVSQL_ERROR_UNAVAILABLE,
      "HBase could not answer: java.io.IOException: Zookeeper LIST could not be completed in "
      "10000 ms" },
    { KVSQLD_T2_IO_ERROR,
      "Failed 2 actions: org.apache.hadoop.hbase.NotServingRegionException: 2 times",
      &kvsqld_t2_put_multiple, KVSQL_ERROR_UNKNOWN_OUTCOME,
      "the write may or may not have been done: Failed 2 actions: "
      "org.apache.hadoop.hbase.NotServingRegionException: 2 times" },
    { KVSQLD_T2_IO_ERROR, "Attempted to increment field: Field is not a long, it's 0 bytes wide",
      &kvsqld_t2_increment, KVSQL_ERROR_STORE,
      "the cell is not a counter: its value is not 8 bytes long" },
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
  return g_test_run ();
}
