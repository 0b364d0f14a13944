/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * interrupt.c: Ctrl-C cancels the running statement.
 *
 * g_cancellable_cancel() must not be called from a signal handler, and the main thread is busy with
 * the statement. So another thread waits for SIGINT. The handler in the main thread only interrupts
 * the reading of a line.
 */
#include "config.h"

#include "client/ctl/terminal/interrupt.h"

#include <signal.h>
#include <unistd.h>

static GMutex lock;
static GCancellable *current; /* guarded by lock */
static volatile sig_atomic_t was_interrupted;
static int wake_up[2] = { -1, -1 };

static void
on_signal (int number)
{
  static const char byte = 0;
  ssize_t ignored G_GNUC_UNUSED;

  was_interrupted = 1;
  ignored = write (wake_up[1], &byte, 1);
}

static gpointer
wait_for_signals (gpointer data)
{
  char byte;

  while (read (wake_up[0], &byte, 1) == 1)
    {
      g_mutex_lock (&lock);
      if (current != NULL)
        g_cancellable_cancel (current);
      g_mutex_unlock (&lock);
    }
  return NULL;
}

static void
catch_signals (const int *signals, guint n)
{
  struct sigaction action
      = { .sa_handler
          = on_signal }; /* no SA_RESTART: SIGINT must interrupt the reading of a line */
  sigset_t all, before;

  if (pipe (wake_up) != 0)
    return;
  sigemptyset (&all);
  for (guint i = 0; i < n; i++)
    sigaddset (&all, signals[i]);
  /* Lives as long as the program. It inherits the mask, so signals go to the main thread. */
  pthread_sigmask (SIG_BLOCK, &all, &before);
  g_thread_unref (g_thread_new ("interrupt", wait_for_signals, NULL));
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  for (guint i = 0; i < n; i++)
    {
      struct sigaction now;

      /* nohup ignores SIGHUP */
      if (signals[i] == SIGINT
          || (sigaction (signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN))
        sigaction (signals[i], &action, NULL);
    }
}

void
kvsqlctl_interrupt_catch (void)
{
  static const int signals[] = { SIGINT };

  catch_signals (signals, G_N_ELEMENTS (signals));
}

void
kvsqlctl_interrupt_catch_ends (void)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

  catch_signals (signals, G_N_ELEMENTS (signals));
}

void
kvsqlctl_interrupt_set_target (GCancellable *target)
{
  g_mutex_lock (&lock);
  g_set_object (&current, target);
  g_mutex_unlock (&lock);
}

gboolean
kvsqlctl_interrupt_take (void)
{
  gboolean taken = was_interrupted != 0;

  was_interrupted = 0;
  return taken;
}
