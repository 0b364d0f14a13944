/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * process-id.c: the boot, the namespace of process numbers, the number, and the start time.
 *
 * Numbers of processes are used again, so the start time (in ticks since the boot) is part of a
 * process's name. Numbers have a meaning only within one namespace of one boot.
 */
#include "config.h"

#include "daemon/cluster/process-id.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "BOOT.NAMESPACE." of this process; "" if the system does not provide it. */
static gchar *
read_place (void)
{
  g_autofree gchar *boot = NULL;
  struct stat namespace;

  if (!g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL)
      || stat ("/proc/self/ns/pid", &namespace) != 0)
    return g_strdup ("");
  g_strstrip (boot);
  return g_strdup_printf ("%s.%" G_GUINT64_FORMAT ".", boot, (guint64) namespace.st_ino);
}

/* Ticks from the boot to the start of a process; 0: not known. */
static guint64
read_start (gint pid)
{
  g_autofree gchar *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) words = NULL;
  const gchar *rest;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  /* the name, in parentheses, may contain spaces; the fields after it begin with the third */
  rest = strrchr (text, ')');
  if (rest == NULL)
    return 0;
  words = g_strsplit (rest + 1, " ", 22);
  return g_strv_length (words) > 20 ? g_ascii_strtoull (words[20], NULL, 10) : 0;
}

gchar *
kvsqld_process_id_new (void)
{
  g_autofree gchar *place = read_place ();
  gint pid = getpid ();

  return g_strdup_printf ("%s%d.%" G_GUINT64_FORMAT, *place != '\0' ? place : "unknown.0.", pid,
                          read_start (pid));
}

gboolean
kvsqld_process_id_has_ended (const gchar *id)
{
  g_autofree gchar *place = read_place ();
  guint64 started, starts;
  gchar *rest;
  gint64 pid;

  if (*place == '\0' || !g_str_has_prefix (id, place))
    return FALSE;
  pid = g_ascii_strtoll (id + strlen (place), &rest, 10);
  if (pid <= 0 || pid > G_MAXINT || *rest != '.')
    return FALSE;
  started = g_ascii_strtoull (rest + 1, NULL, 10);
  /* unlike reading /proc, this does not depend on permissions */
  if (kill ((pid_t)pid, 0) != 0 && errno == ESRCH)
    return TRUE;
  starts = read_start ((gint)pid);
  return started != 0 && starts != 0 && starts != started;
}
