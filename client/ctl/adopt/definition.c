/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definition.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/definition.h"

KvsqlctlDefinition *
kvsqlctl_definition_new (void)
{
  KvsqlctlDefinition *self = g_new0 (KvsqlctlDefinition, 1);

  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->statements = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
kvsqlctl_definition_free (KvsqlctlDefinition *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->notes);
  g_ptr_array_unref (self->statements);
  g_free (self);
}

void
kvsqlctl_definition_note (KvsqlctlDefinition *self, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

void
kvsqlctl_definition_take (KvsqlctlDefinition *self, gchar *statement)
{
  g_ptr_array_add (self->statements, statement);
}
