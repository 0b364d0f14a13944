/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-host-port.c: HOST:PORT, good and bad.
 */
#include "config.h"

#include "daemon/net/host-port.h"

static void
test_good (void)
{
  static const struct
  {
    const gchar *text;
    const gchar *host;
    guint16 port;
    const gchar *printed;
  } cases[] = {
    { "127.0.0.1:5797", "127.0.0.1", 5797, "127.0.0.1:5797" },
    { "a-1.example.org:1", "a-1.example.org", 1, "a-1.example.org:1" },
    { "localhost", "localhost", 9090, "localhost:9090" },
    { "[::1]:65535", "::1", 65535, "[::1]:65535" },
    { "[::1]", "::1", 9090, "[::1]:9090" },
    { "[fe80::1%eth0]:22", "fe80::1%eth0", 22, "[fe80::1%eth0]:22" },
    { "m\xc3\xbcnchen:7", "m\xc3\xbcnchen", 7, "m\xc3\xbcnchen:7" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *host = NULL, *printed = NULL;
      guint16 port;

      g_assert_cmpstr (kvsqld_host_port_parse (cases[i].text, 1, 9090, &host, &port), ==, NULL);
      g_assert_cmpstr (host, ==, cases[i].host);
      g_assert_cmpuint (port, ==, cases[i].port);
      printed = kvsqld_host_port_print (host, port);
      g_assert_cmpstr (printed, ==, cases[i].printed);
    }
}

static void
test_bad (void)
{
  static const struct
  {
    const gchar *text;
    const gchar *problem;
  } cases[] = {
    { "", "it does not end in a port from 1 to 65535" },
    { "h", "it does not end in a port from 1 to 65535" },
    { "[::1]", "it does not end in a port from 1 to 65535" },
    { "h:", "it does not end in a port from 1 to 65535" },
    { "h:0", "it does not end in a port from 1 to 65535" },
    { "h:-1", "it does not end in a port from 1 to 65535" },
    { "h:+1", "it does not end in a port from 1 to 65535" },
    { "h: 1", "it does not end in a port from 1 to 65535" },
    { "h:65536", "it does not end in a port from 1 to 65535" },
    { "h:http", "it does not end in a port from 1 to 65535" },
    { "h:18446744073709551617", "it does not end in a port from 1 to 65535" },
    { "::1:1", "an IPv6 host needs brackets" },
    { "[::1:1", "the bracket is not closed" },
    { "[:1", "the bracket is not closed" },
    { "[::1]x:1", "the bracket is not closed" },
    { ":1", "the host is missing" },
    { "[]:1", "the host is missing" },
    { "a b:1", "the host has a character that no host has" },
    { "user@a:1", "the host has a character that no host has" },
    { "a/b:1", "the host has a character that no host has" },
    { "a\n:1", "the host has a character that no host has" },
    { "[[::1]]:1", "the host has a character that no host has" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gchar *host = NULL;
      guint16 port = 0;

      g_test_message ("\"%s\"", cases[i].text);
      g_assert_cmpstr (
          kvsqld_host_port_parse (cases[i].text, 1, KVSQLD_PORT_REQUIRED, &host, &port), ==,
          cases[i].problem);
      g_assert_null (host);
      g_assert_cmpuint (port, ==, 0);
    }
}

static void
test_least_and_default (void)
{
  g_autofree gchar *host = NULL;
  guint16 port;

  g_assert_cmpstr (kvsqld_host_port_parse ("h:0", 0, KVSQLD_PORT_REQUIRED, &host, &port), ==, NULL);
  g_assert_cmpuint (port, ==, 0);
  g_clear_pointer (&host, g_free);
  g_assert_cmpstr (kvsqld_host_port_parse ("h:x", 0, 9090, &host, &port), ==,
                   "it does not end in a port from 0 to 65535");
  g_assert_cmpstr (kvsqld_host_port_parse ("", 1, 9090, &host, &port), ==, "the host is missing");
  g_assert_cmpstr (kvsqld_host_port_parse ("::1", 1, 9090, &host, &port), ==,
                   "an IPv6 host needs brackets");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/host-port/good", test_good);
  g_test_add_func ("/daemon/host-port/bad", test_bad);
  g_test_add_func ("/daemon/host-port/least-and-default", test_least_and_default);
  return g_test_run ();
}
