/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-systemd.c: notifications to the service manager and sockets from it, over a real
 * notification socket and real descriptors.
 */
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/systemd.h"

static void
test_notifications (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-notify-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "notify", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) manager = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_DATAGRAM,
                                              G_SOCKET_PROTOCOL_DEFAULT, NULL);
  gchar heard[256] = "";

  g_assert_true (g_socket_bind (manager, address, FALSE, NULL));
  g_setenv ("NOTIFY_SOCKET", path, TRUE);

  kvsqld_systemd_ready ();
  g_assert_cmpint (g_socket_receive (manager, heard, sizeof heard - 1, NULL, NULL), >, 0);
  g_assert_cmpstr (heard, ==, "READY=1");

  memset (heard, 0, sizeof heard);
  kvsqld_systemd_reloading ();
  g_assert_cmpint (g_socket_receive (manager, heard, sizeof heard - 1, NULL, NULL), >, 0);
  g_assert_true (g_str_has_prefix (heard, "RELOADING=1\nMONOTONIC_USEC="));

  memset (heard, 0, sizeof heard);
  kvsqld_systemd_status ("one\nREADY=%d", 2);
  g_assert_cmpint (g_socket_receive (manager, heard, sizeof heard - 1, NULL, NULL), >, 0);
  g_assert_cmpstr (heard, ==, "STATUS=one READY=2");

  g_unsetenv ("NOTIFY_SOCKET");
  g_unlink (path);
  g_rmdir (folder);
}

/* Descriptors from 3 on belong to the service manager, so only a separate process can use them. */
static void
take_over (const gchar *kind)
{
  g_autofree gchar *pid = g_strdup_printf ("%d", (gint)getpid ());
  g_autoptr (GArray) sockets = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) listener
      = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, 0);

  g_assert_true (g_socket_bind (listener, address, FALSE, NULL));
  g_assert_true (g_socket_listen (listener, NULL));
  if (strcmp (kind, "listener") == 0)
    g_assert_cmpint (dup2 (g_socket_get_fd (listener), 3), ==, 3);
  else
    g_assert_cmpint (dup2 (STDERR_FILENO, 3), ==, 3);
  g_setenv ("LISTEN_PID", pid, TRUE);
  g_setenv ("LISTEN_FDS", "1", TRUE);
  sockets = kvsqld_systemd_sockets (&error);

  if (strcmp (kind, "listener") == 0)
    {
      g_assert_no_error (error);
      g_assert_cmpuint (sockets->len, ==, 1);
      g_assert_cmpint (g_array_index (sockets, gint, 0), ==, 3);
      g_assert_cmpint (fcntl (3, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
      g_assert_null (g_getenv ("LISTEN_FDS"));
    }
  else
    {
      g_assert_null (sockets);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
    }
  _exit (0);
}

static void
test_sockets (gconstpointer kind)
{
  if (g_test_subprocess ())
    take_over (kind);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static gboolean
is_well (gpointer data)
{
  return data == NULL || g_atomic_int_get ((gint *)data) != 0;
}

/* Pings as long as all is well, and never after that. */
static void
test_watchdog (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-watchdog-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "notify", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) manager = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_DATAGRAM,
                                              G_SOCKET_PROTOCOL_DEFAULT, NULL);
  gint all_is_well = TRUE;
  gchar heard[256];
  guint source;

  g_assert_true (g_socket_bind (manager, address, FALSE, NULL));
  g_socket_set_blocking (manager, FALSE);
  g_setenv ("NOTIFY_SOCKET", path, TRUE);
  g_setenv ("WATCHDOG_USEC", "4000", TRUE);
  source = kvsqld_systemd_watchdog_start (is_well, &all_is_well);
  g_assert_cmpuint (source, !=, 0);
  for (guint n = 0; n < 3;)
    {
      g_main_context_iteration (NULL, TRUE);
      while (g_socket_receive (manager, heard, sizeof heard, NULL, NULL) > 0)
        n++;
    }
  all_is_well = FALSE;
  for (guint i = 0; i < 10; i++)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_socket_receive (manager, heard, sizeof heard, NULL, NULL), <=, 0);
  g_source_remove (source);
  g_unsetenv ("NOTIFY_SOCKET");
  g_unsetenv ("WATCHDOG_USEC");
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_no_sockets (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) sockets = kvsqld_systemd_sockets (&error);

  g_assert_no_error (error);
  g_assert_cmpuint (sockets->len, ==, 0);
  g_assert_cmpuint (kvsqld_systemd_watchdog_start (is_well, NULL), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/systemd/notifications", test_notifications);
  g_test_add_func ("/daemon/systemd/watchdog", test_watchdog);
  g_test_add_func ("/daemon/systemd/nothing-outside-systemd", test_no_sockets);
  g_test_add_data_func ("/daemon/systemd/takes-listening-sockets", "listener", test_sockets);
  g_test_add_data_func ("/daemon/systemd/refuses-other-descriptors", "other", test_sockets);
  return g_test_run ();
}
