/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-listen.c: listening addresses, good and bad.
 */
#include "config.h"

#include <string.h>

#include "daemon/net/listen.h"

static void
test_good (void)
{
  static const struct
  {
    const gchar *text;
    const gchar *path;
    const gchar *host;
    guint16 port;
    KvsqldAuth auth;
  } cases[] = {
    { "tcp://127.0.0.1:5797?auth=none", NULL, "127.0.0.1", 5797, KVSQLD_AUTH_NONE },
    { "tcp://127.9.9.9:1?auth=none", NULL, "127.9.9.9", 1, KVSQLD_AUTH_NONE },
    { "tcp://localhost:0?auth=none", NULL, "localhost", 0, KVSQLD_AUTH_NONE },
    { "tcp://[::1]:65535?auth=none", NULL, "::1", 65535, KVSQLD_AUTH_NONE },
    { "tcp://h:1?auth=scram", NULL, "h", 1, KVSQLD_AUTH_SCRAM },
    { "tcp://h:1?auth=scram&tls=required", NULL, "h", 1, KVSQLD_AUTH_SCRAM },
    { "tcp://h:1?tls=optional&auth=scram", NULL, "h", 1, KVSQLD_AUTH_SCRAM },
    { "tcp://h:1?auth=scram&tls=off", NULL, "h", 1, KVSQLD_AUTH_SCRAM },
    { "tcp://h:1?auth=scram&tls=required&client_cert=verify", NULL, "h", 1, KVSQLD_AUTH_SCRAM },
    { "tcp://h:1?auth=cert&tls=required", NULL, "h", 1, KVSQLD_AUTH_CERT },
    { "tcp://h:1?auth=none&allow_insecure=true", NULL, "h", 1, KVSQLD_AUTH_NONE },
    { "tcp://0.0.0.0:1?allow_insecure=true&auth=none", NULL, "0.0.0.0", 1, KVSQLD_AUTH_NONE },
    { "unix:///run/kvsql/kvsqld.sock", "/run/kvsql/kvsqld.sock", NULL, 0, KVSQLD_AUTH_PEER },
    { "unix:///a?auth=peer", "/a", NULL, 0, KVSQLD_AUTH_PEER },
    { "unix:///a?auth=scram", "/a", NULL, 0, KVSQLD_AUTH_SCRAM },
    { "unix:///a?auth=none", "/a", NULL, 0, KVSQLD_AUTH_NONE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqldListenAddress) address = kvsqld_listen_address_parse (cases[i].text, &error);
      g_autofree gchar *printed = NULL, *bare = g_strdup (cases[i].text);

      g_assert_no_error (error);
      g_assert_cmpstr (address->path, ==, cases[i].path);
      g_assert_cmpstr (address->host, ==, cases[i].host);
      g_assert_cmpuint (address->port, ==, cases[i].port);
      g_assert_cmpint (address->auth, ==, cases[i].auth);
      printed = kvsqld_listen_address_to_string (address);
      bare[strcspn (bare, "?")] = '\0';
      g_assert_cmpstr (printed, ==, bare);
    }
}

static void
test_bad (void)
{
  g_autofree gchar *long_path = g_strnfill (120, 'p');
  g_autofree gchar *long_address = g_strconcat ("unix:///", long_path, NULL);
  const gchar *const cases[] = {
    "",
    "5797",
    "127.0.0.1:5797",
    "tcp://",
    "tcp://:1",
    "tcp://h",
    "tcp://h:",
    "tcp://h:-1",
    "tcp://h:65536",
    "tcp://h: 1",
    "tcp://::1:1",
    "tcp://[::1:1",
    "tcp://[]:1",
    "tcp://[:1",
    "unix://run/x",
    "unix://",
    "udp://h:1",
    long_address,
    /* who may connect is not said, or wrongly */
    "tcp://127.0.0.1:5797",
    "tcp://[::1]:1",
    "tcp://localhost:1?",
    "tcp://h:1?auth=none",
    "tcp://0.0.0.0:1?auth=none",
    "tcp://[::]:1?auth=none&allow_insecure=false",
    "tcp://127.0.0.1:1?auth=peer",
    "tcp://127.0.0.1:1?auth=cert",
    "tcp://127.0.0.1:1?auth=cert&tls=optional",
    "tcp://127.0.0.1:1?auth=scram&client_cert=verify",
    "tcp://127.0.0.1:1?auth=scram&tls=required&client_cert=no",
    "tcp://127.0.0.1:1?auth=scram&tls=yes",
    "tcp://127.0.0.1:1?auth=scram&tls=off&tls=required",
    "tcp://0.0.0.0:1?auth=none&tls=required",
    "unix:///a?tls=required",
    "unix:///a?auth=cert",
    "tcp://127.0.0.1:1?auth=",
    "tcp://127.0.0.1:1?auth=none&auth=scram",
    "tcp://h:1?allow_insecure=true",
    "tcp://127.0.0.1:1?auth=none&x=y",
    "unix:///a?x",
    "tcp://127.0.0.1.evil:1?auth=none",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsqld_listen_address_parse (cases[i], &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i]));
      g_assert_nonnull (kvsql_error_get_hint (error));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/listen/good-addresses", test_good);
  g_test_add_func ("/daemon/listen/bad-addresses-are-named", test_bad);
  return g_test_run ();
}
