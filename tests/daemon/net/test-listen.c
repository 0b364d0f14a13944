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
  } cases[] = {
    { "tcp://127.0.0.1:5797", NULL, "127.0.0.1", 5797 },
    { "tcp://localhost:0", NULL, "localhost", 0 },
    { "tcp://[::1]:65535", NULL, "::1", 65535 },
    { "unix:///run/kvsql/kvsqld.sock", "/run/kvsql/kvsqld.sock", NULL, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqldListenAddress) address = kvsqld_listen_address_parse (cases[i].text, &error);
      g_autofree gchar *printed = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (address->path, ==, cases[i].path);
      g_assert_cmpstr (address->host, ==, cases[i].host);
      g_assert_cmpuint (address->port, ==, cases[i].port);
      printed = kvsqld_listen_address_to_string (address);
      g_assert_cmpstr (printed, ==, cases[i].text);
    }
}

static void
test_bad (void)
{
  g_autofree gchar *long_path = g_strnfill (120, 'p');
  g_autofree gchar *long_address = g_strconcat ("unix:///", long_path, NULL);
  const gchar *const cases[] = {
    "",           "5797",       "127.0.0.1:5797", "tcp://",     "tcp://:1",    "tcp://h",
    "tcp://h:",   "tcp://h:-1", "tcp://h:65536",  "tcp://h: 1", "tcp://::1:1", "tcp://[::1:1",
    "tcp://[]:1", "tcp://[:1",  "unix://run/x",   "unix://",    "udp://h:1",   long_address,
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
