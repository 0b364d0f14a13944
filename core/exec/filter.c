/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.c: selects rows of the input's batches. Nothing is copied.
 */
#include "config.h"

#include "core/exec/filter.h"

#include "core/base/memory.h"
#include "core/scan/predicate-filter.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlPredicateFilter *predicate;
  guint64 *n_matched;
  const guint32 *selection;
} Filter;

static void
filter_free (KvsqlRowSource *source)
{
  Filter *self = (Filter *)source;

  kvsql_predicate_filter_free (self->predicate);
  g_free (self);
}

static gboolean
filter_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Filter *self = (Filter *)source;

  if (!kvsql_row_source_poll (self->base.input, &kvsql_row_demand_all, call, out, error))
    return FALSE;
  if (out->n == 0)
    return TRUE;
  g_assert (out->n == out->batch->n_rows);
  if (!kvsql_predicate_filter_run (self->predicate, out->batch, &self->selection, &out->n, error))
    return FALSE;
  g_assert (out->n <= out->batch->n_rows);
  g_assert (out->n == 0 || self->selection[out->n - 1] < out->batch->n_rows);
  out->rows = self->selection;
  if (self->n_matched != NULL)
    *self->n_matched += out->n;
  return TRUE;
}

static gboolean
filter_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  Filter *self = (Filter *)source;

  for (guint i = 0; i < n; i++)
    if (!kvsql_row_source_get_positions (self->base.input, self->selection[first + i], 1, &out[i]))
      return FALSE;
  return TRUE;
}

static const KvsqlRowSourceClass filter_class
    = { .next = filter_next, .free = filter_free, .get_positions = filter_get_positions };

KvsqlRowSource *
kvsql_filter_new (KvsqlRowSource *input, const KvsqlPredicate *predicate, guint64 *n_matched)
{
  Filter *self = kvsql_new0 (Filter);

  self->base.klass = &filter_class;
  self->base.input = input;
  self->predicate = kvsql_predicate_filter_new (predicate);
  self->n_matched = n_matched;
  return &self->base;
}
