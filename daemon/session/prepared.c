/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepared.c: see the header.
 */
#include "config.h"

#include "daemon/session/prepared.h"

#include "core/sql/ast.h"
#include "daemon/session/statements.h"

KvsqldPrepared *
kvsqld_prepared_new (gint64 id, KvsqldParsed *parsed)
{
  KvsqldPrepared *self = g_new0 (KvsqldPrepared, 1);

  self->id = id;
  self->parsed = kvsqld_parsed_ref (parsed);
  self->n_parameters = parsed->statement->n_parameters;
  self->parameter_names = parsed->statement->parameter_names;
  self->parameter_types = g_new0 (KvsqlType, self->n_parameters);
  for (guint i = 0; parsed->parameter_types != NULL && i < self->n_parameters; i++)
    self->parameter_types[i] = parsed->parameter_types[i];
  self->parameter_limits = parsed->parameter_limits;
  self->n_columns = parsed->n_columns;
  self->columns = parsed->columns;
  return self;
}

void
kvsqld_prepared_free (KvsqldPrepared *self)
{
  if (self == NULL)
    return;
  g_free (self->parameter_types);
  kvsqld_parsed_unref (self->parsed);
  g_free (self);
}
