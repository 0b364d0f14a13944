/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-error.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/text-error.h"

void
kvsqlctl_text_error_clear (KvsqlctlTextError *self)
{
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->hint, g_free);
}

gboolean
kvsqlctl_text_error_set (KvsqlctlTextError *self, gsize position, gsize length, const gchar *hint,
                         const gchar *format, ...)
{
  va_list arguments;

  if (self->message != NULL)
    return FALSE;
  va_start (arguments, format);
  self->message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->hint = g_strdup (hint);
  self->position = position;
  self->length = length;
  return FALSE;
}
