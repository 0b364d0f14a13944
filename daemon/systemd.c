/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * systemd.c: sd_notify, socket activation and the watchdog.
 */
#include "config.h"

#include "daemon/systemd.h"

#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

void
kvsqld_systemd_ready (void)
{
  sd_notify (0, "READY=1");
}

void
kvsqld_systemd_reloading (void)
{
  sd_notifyf (0, "RELOADING=1\nMONOTONIC_USEC=%" G_GINT64_FORMAT, g_get_monotonic_time ());
}

void
kvsqld_systemd_stopping (void)
{
  sd_notify (0, "STOPPING=1");
}

void
kvsqld_systemd_status (const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_strdelimit (text, "\n", ' ');
  sd_notifyf (0, "STATUS=%s", text);
}

GArray *
kvsqld_systemd_sockets (GError **error)
{
  g_autoptr (GArray) sockets = g_array_new (FALSE, FALSE, sizeof (gint));
  const int n_descriptors = sd_listen_fds (1);

  if (n_descriptors < 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "could not take over sockets from the service manager: %s",
                       g_strerror (-n_descriptors));
      return NULL;
    }
  for (int fd = SD_LISTEN_FDS_START; fd < SD_LISTEN_FDS_START + n_descriptors; fd++)
    {
      if (sd_is_socket (fd, AF_UNSPEC, SOCK_STREAM, 1) <= 0)
        {
          kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                           "descriptor %d from the service manager is no listening stream socket",
                           fd);
          return NULL;
        }
      g_array_append_val (sockets, fd);
    }
  return g_steal_pointer (&sockets);
}

typedef struct
{
  KvsqldIsWell is_well;
  gpointer data;
} Watch;

static gboolean
ping_watchdog (gpointer user_data)
{
  const Watch *watch = user_data;

  if (watch->is_well (watch->data))
    sd_notify (0, "WATCHDOG=1");
  return G_SOURCE_CONTINUE;
}

guint
kvsqld_systemd_watchdog_start (KvsqldIsWell is_well, gpointer data)
{
  const Watch watch = { is_well, data };
  guint64 interval_us = 0;

  if (sd_watchdog_enabled (0, &interval_us) <= 0)
    return 0;
  ping_watchdog ((gpointer)&watch);
  return g_timeout_add_full (G_PRIORITY_DEFAULT, (guint)MAX (1, interval_us / 2 / 1000),
                             ping_watchdog, g_memdup2 (&watch, sizeof watch), g_free);
}
