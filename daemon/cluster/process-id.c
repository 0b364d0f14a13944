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

/* The fields of /proc/PID/stat that are used, counted from the third one. */
#define STATE 1
#define N_THREADS 18
#define START 20

typedef struct
{
  guint64 start;      /* ticks from the boot to its start; 0: not known */
  gboolean has_ended; /* but its parent has not waited for it */
} ProcessState;

static ProcessState
read_state (gint pid)
{
  g_autofree gchar *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) words = NULL;
  const gchar *rest;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return (ProcessState){ 0 };
  /* the name, in parentheses, may contain spaces; the fields after it begin with the third */
  rest = strrchr (text, ')');
  if (rest == NULL)
    return (ProcessState){ 0 };
  words = g_strsplit (rest + 1, " ", START + 2);
  if (g_strv_length (words) <= START)
    return (ProcessState){ 0 };
  /* with other threads, only its first thread has ended */
  return (ProcessState){ .start = g_ascii_strtoull (words[START], NULL, 10),
                         .has_ended = g_str_equal (words[STATE], "Z")
                                      && g_ascii_strtoull (words[N_THREADS], NULL, 10) <= 1 };
}

gchar *
kvsqld_process_id_new (void)
{
  g_autofree gchar *place = read_place ();
  gint pid = getpid ();

  return g_strdup_printf ("%s%d.%" G_GUINT64_FORMAT, *place != '\0' ? place : "unknown.0.", pid,
                          read_state (pid).start);
}

gboolean
kvsqld_process_id_has_ended (const gchar *id)
{
  g_autofree gchar *place = read_place ();
  ProcessState now;
  guint64 started;
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
  now = read_state ((gint)pid);
  return started != 0 && now.start != 0 && (now.start != started || now.has_ended);
}
