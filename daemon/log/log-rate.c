/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * log-rate.c: see log-rate.h.
 */
#include "config.h"

#include "daemon/log/log-rate.h"

gboolean
kvsqld_log_rate_admit (KvsqldLogRate *self, gint64 now_us, gchar **out_note)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  *out_note = NULL;
  if (now_us >= self->until_us)
    {
      self->until_us = now_us + KVSQLD_LOG_RATE_INTERVAL_US;
      self->n_lines = 0;
    }
  if (self->n_lines >= KVSQLD_LOG_RATE_LINES)
    {
      self->n_left_out++;
      return FALSE;
    }
  self->n_lines++;
  *out_note = self->n_left_out > 0
                  ? g_strdup_printf (" (%u lines like this were left out)", self->n_left_out)
                  : g_strdup ("");
  self->n_left_out = 0;
  return TRUE;
}
