/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepared.c: see the header.
 */
#include "config.h"

#include "daemon/session/prepared.h"

KvsqldPrepared *
kvsqld_prepared_new (const gchar *const *names, guint n_parameters,
                     const KvsqlResultColumn *columns, guint n_columns)
{
  KvsqldPrepared *self = g_new0 (KvsqldPrepared, 1);

  self->n_parameters = n_parameters;
  self->parameter_names = g_new0 (gchar *, n_parameters + 1);
  self->parameter_types = g_new0 (KvsqlType, n_parameters + 1);
  for (guint i = 0; i < n_parameters; i++)
    self->parameter_names[i] = g_strdup (names[i]);
  self->arena = kvsql_arena_new ();
  self->columns = kvsql_result_columns_copy (columns, n_columns, self->arena);
  self->n_columns = n_columns;
  return self;
}

void
kvsqld_prepared_free (KvsqldPrepared *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_parameters; i++)
    g_free (self->parameter_names[i]);
  g_free (self->parameter_names);
  g_free (self->parameter_types);
  kvsql_arena_free (self->arena);
  g_free (self);
}
