/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial-refuse.c: why a statement cannot be tried.
 */
#include "config.h"

#include "core/advisor/trial-private.h"

gboolean
kvsql_trial_refuse (KvsqlTrialEditor *self, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->out->reason = kvsql_arena_strdup (self->maker->arena, text);
  return FALSE;
}
