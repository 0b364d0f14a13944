/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepared.c: see the header.
 */
#include "config.h"

#include "daemon/session/prepared.h"

void
kvsqld_prepared_free (KvsqldPrepared *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_parameters; i++)
    g_free (self->parameter_names[i]);
  g_free (self->parameter_names);
  g_free (self->parameter_types);
  kvsql_result_columns_free (self->columns, self->n_columns);
  g_free (self);
}
