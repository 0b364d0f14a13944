/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * one-row.c: gives its row once.
 */
#include "config.h"

#include "core/exec/one-row.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlBatch *batch;
  gboolean is_given;
} OneRow;

static void
one_row_free (KvsqlRowSource *source)
{
  OneRow *self = (OneRow *)source;

  kvsql_batch_free (self->batch);
  g_free (self);
}

static gboolean
one_row_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
              KvsqlRowSlice *out, GError **error)
{
  OneRow *self = (OneRow *)source;

  if (!kvsql_call_check (call, error))
    return FALSE;
  self->batch->n_rows = self->is_given ? 0 : 1;
  self->is_given = TRUE;
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass one_row_class = { .next = one_row_next, .free = one_row_free };

KvsqlRowSource *
kvsql_one_row_new (void)
{
  OneRow *self = g_new0 (OneRow, 1);

  self->base.klass = &one_row_class;
  self->batch = kvsql_batch_new (NULL, 0, 1);
  return &self->base;
}
