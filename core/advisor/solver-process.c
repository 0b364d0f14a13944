/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver-process.c: see solver-process.h.
 *
 * The answer is written to a pipe: the bound, the items, the primaries.
 */
#include "config.h"

#include "core/advisor/solver-process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/interrupt.h"

#define EXTRA_SECONDS 2.0
#define POLL_MS 100

/* ---- the child */

static void
write_all (int fd, gconstpointer data, gsize size)
{
  const guint8 *at = data;

  while (size > 0)
    {
      gssize n = write (fd, at, size);

      if (n <= 0)
        return; /* the parent sees a short answer */
      at += n;
      size -= (gsize)n;
    }
}

static void
be_silent (void)
{
  int null = open ("/dev/null", O_RDWR);

  for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
    dup2 (null, fd);
}

static void
run_child (const KvsqlChoice *choice, const KvsqlSelection *start, gdouble seconds,
           KvsqlSolverFunction solve, int fd)
{
  KvsqlSelection *out = kvsql_selection_new (choice);
  gdouble bound = 0;

  be_silent ();
  if (solve (choice, start, seconds, out, &bound))
    {
      write_all (fd, &bound, sizeof bound);
      write_all (fd, out->chosen, choice->n_items * sizeof *out->chosen);
      write_all (fd, out->primary, choice->n_classes * sizeof *out->primary);
    }
}

/* ---- the parent */

static gboolean
read_all (int fd, gint64 deadline_us, gpointer data, gsize size)
{
  guint8 *at = data;

  while (size > 0)
    {
      struct pollfd poller = { .fd = fd, .events = POLLIN };
      gssize n;

      if (g_get_monotonic_time () > deadline_us || !kvsql_interrupt_check (NULL))
        return FALSE;
      if (poll (&poller, 1, POLL_MS) <= 0)
        continue;
      n = read (fd, at, size);
      if (n == 0 || (n < 0 && errno != EINTR))
        return FALSE;
      at += MAX (n, 0);
      size -= (gsize)MAX (n, 0);
    }
  return TRUE;
}

static gboolean
read_answer (int fd, const KvsqlChoice *choice, gint64 deadline_us, KvsqlSelection *out,
             gdouble *out_bound)
{
  return read_all (fd, deadline_us, out_bound, sizeof *out_bound)
         && read_all (fd, deadline_us, out->chosen, choice->n_items * sizeof *out->chosen)
         && read_all (fd, deadline_us, out->primary, choice->n_classes * sizeof *out->primary);
}

static void
end_child (pid_t child)
{
  kill (child, SIGKILL); /* if it has not ended */
  while (waitpid (child, NULL, 0) < 0 && errno == EINTR)
    ;
}

gboolean
kvsql_solver_process_run (const KvsqlChoice *choice, const KvsqlSelection *start, gdouble seconds,
                          KvsqlSolverFunction solve, KvsqlSelection *out, gdouble *out_bound,
                          GError **error)
{
  gint64 deadline_us
      = g_get_monotonic_time () + (gint64)((seconds + EXTRA_SECONDS) * G_USEC_PER_SEC);
  gboolean is_read;
  pid_t child;
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                            "no pipe for a solver: %s", g_strerror (errno));
  child = fork ();
  if (child == 0)
    {
      run_child (choice, start, seconds, solve, fds[1]);
      _exit (0);
    }
  close (fds[1]);
  is_read = child > 0 && read_answer (fds[0], choice, deadline_us, out, out_bound);
  close (fds[0]);
  if (child > 0)
    end_child (child);
  if (is_read || !kvsql_interrupt_check (error))
    return is_read;
  if (g_get_monotonic_time () > deadline_us)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the solver has not ended in time");
  return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                          "the solver has ended without a result");
}
