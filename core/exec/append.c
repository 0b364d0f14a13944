/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * append.c: see append.h.
 */
#include "config.h"

#include "core/exec/append.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlRowSource **inputs; /* NULL: freed, as it was at its end */
  guint n_inputs;
  guint current;
} Append;

static void
append_free (KvsqlRowSource *source)
{
  Append *self = (Append *)source;

  for (guint i = 0; i < self->n_inputs; i++)
    kvsql_row_source_free (self->inputs[i]);
  g_free (self->inputs);
  g_free (self);
}

/* Whether the next input has to be asked. The last one is kept: it gives the end. */
static gboolean
go_on (Append *self, KvsqlRowSlice *inout)
{
  if (!inout->is_end || self->current + 1 == self->n_inputs)
    return FALSE;
  g_assert (inout->n == 0);
  g_clear_pointer (&self->inputs[self->current++], kvsql_row_source_free);
  *inout = (KvsqlRowSlice){ 0 };
  return TRUE;
}

static gboolean
append_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Append *self = (Append *)source;

  do
    if (!kvsql_row_source_poll (self->inputs[self->current], demand, call, out, error))
      return FALSE;
  while (go_on (self, out));
  return TRUE;
}

static gboolean
append_skip (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Append *self = (Append *)source;

  do
    if (!kvsql_row_source_skip (self->inputs[self->current], demand, call, out, error))
      return FALSE;
  while (go_on (self, out));
  return TRUE;
}

static const KvsqlRowSourceClass append_class
    = { .next = append_next, .free = append_free, .skip = append_skip };

KvsqlRowSource *
kvsql_append_new (KvsqlRowSource *const *inputs, guint n)
{
  Append *self = g_new0 (Append, 1);

  g_assert (n > 0);
  self->base.klass = &append_class;
  self->inputs = g_memdup2 (inputs, n * sizeof *inputs);
  self->n_inputs = n;
  return &self->base;
}
