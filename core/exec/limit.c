/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * limit.c: skips rows, then asks the input for no more rows than the limit leaves.
 */
#include "config.h"

#include "core/base/memory.h"
#include "core/exec/limit.h"

typedef struct
{
  KvsqlRowSource base;
  guint64 limit;
  guint64 n_skip;
  guint64 n_taken; /* from the input: given, or still in base.left */
} Limit;

static void
limit_free (KvsqlRowSource *source)
{
  g_free (source);
}

static guint64
count_given (const Limit *self)
{
  return self->n_taken - self->base.left.n;
}

static guint64
rows_left (const Limit *self)
{
  return self->limit == G_MAXUINT64 ? G_MAXUINT64
                                    : self->limit - MIN (count_given (self), self->limit);
}

static gboolean
limit_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
            KvsqlRowSlice *out, GError **error)
{
  Limit *self = (Limit *)source;
  KvsqlRowDemand own = *demand;

  own.max_in_total = MIN (own.max_in_total, rows_left (self));
  out->is_end = own.max_in_total == 0;
  while (self->n_skip > 0 && !out->is_end)
    {
      own.max_rows = (guint)MIN (self->n_skip, G_MAXUINT);
      if (!kvsql_row_source_skip (self->base.input, &own, call, out, error))
        return FALSE;
      g_assert (out->n <= self->n_skip);
      self->n_skip -= out->n;
      out->n = 0;
    }
  if (out->is_end)
    return TRUE;
  own.max_rows = (guint)MIN (demand->max_rows, own.max_in_total);
  if (!kvsql_row_source_poll (self->base.input, &own, call, out, error))
    return FALSE;
  g_assert (out->n <= own.max_rows); /* the limit is kept by asking */
  self->n_taken += out->n;
  return TRUE;
}

static gboolean
limit_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  return kvsql_row_source_get_positions (source->input, first, n, out);
}

static const KvsqlRowSourceClass limit_class
    = { .next = limit_next, .free = limit_free, .get_positions = limit_get_positions };

KvsqlRowSource *
kvsql_limit_new (KvsqlRowSource *input, guint64 limit, guint64 n_skip, guint64 n_given)
{
  Limit *self = kvsql_new0 (Limit);

  self->base.klass = &limit_class;
  self->base.input = input;
  self->limit = limit;
  self->n_skip = n_skip;
  self->n_taken = n_given;
  return &self->base;
}

guint64
kvsql_limit_get_n_skip (const KvsqlRowSource *self)
{
  return ((const Limit *)self)->n_skip;
}

guint64
kvsql_limit_get_n_given (const KvsqlRowSource *self)
{
  return count_given ((const Limit *)self);
}

gboolean
kvsql_limit_is_reached (const KvsqlRowSource *self)
{
  return rows_left ((const Limit *)self) == 0;
}
