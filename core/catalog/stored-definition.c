/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stored-definition.c: see the header.
 */
#include "config.h"

#include "core/catalog/stored-definition.h"

void
kvsql_definition_record_free (gpointer data)
{
  KvsqlDefinitionRecord *self = data;

  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->by);
  g_free (self->daemon);
  g_free (self->statement);
  g_free (self->text);
  g_free (self);
}
