/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * narrow.c: see the header.
 */
#include "config.h"

#include "core/exec/narrow.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/exec/table-source.h"
#include "core/plan/lookup-plan.h"

struct _KvsqlNarrow
{
  KvsqlNarrowSetup setup;
  KvsqlArena *arena;           /* of narrower plans */
  const KvsqlSelectPlan *plan; /* the narrowest one */
  KvsqlRowSource *table;       /* nullable: the scan that is narrowed */
};

typedef struct
{
  KvsqlRowSource base;
  KvsqlNarrow *narrow;
  KvsqlRowSource *rows; /* NULL: not opened yet */
} NarrowSource;

KvsqlNarrow *
kvsql_narrow_new (const KvsqlNarrowSetup *setup)
{
  KvsqlNarrow *self = g_new0 (KvsqlNarrow, 1);

  self->setup = *setup;
  self->arena = kvsql_arena_new ();
  self->plan = setup->plan;
  return self;
}

void
kvsql_narrow_free (KvsqlNarrow *self)
{
  if (self == NULL)
    return;
  if (self->setup.free_data != NULL)
    self->setup.free_data (self->setup.data);
  kvsql_arena_free (self->arena);
  g_free (self);
}

/* ---- a source that is opened late */

static gboolean
narrow_source_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                    KvsqlRowSlice *out, GError **error)
{
  NarrowSource *self = (NarrowSource *)source;
  const KvsqlNarrowSetup *setup = &self->narrow->setup;

  if (self->rows == NULL)
    self->rows = setup->open (self->narrow->plan, setup->data);
  return kvsql_row_source_poll (self->rows, demand, call, out, error);
}

static void
narrow_source_free (KvsqlRowSource *source)
{
  NarrowSource *self = (NarrowSource *)source;

  kvsql_row_source_free (self->rows);
  g_free (self);
}

static void
narrow_source_add_counts (const KvsqlRowSource *source, KvsqlAssemblerCounts *inout)
{
  const NarrowSource *self = (const NarrowSource *)source;

  if (self->rows != NULL)
    kvsql_row_source_add_counts (self->rows, inout);
}

static const KvsqlRowSourceClass narrow_source_class = { .next = narrow_source_next,
                                                         .free = narrow_source_free,
                                                         .add_counts = narrow_source_add_counts };

KvsqlRowSource *
kvsql_narrow_open (KvsqlNarrow *self)
{
  NarrowSource *source = kvsql_new0 (NarrowSource);

  source->base.klass = &narrow_source_class;
  source->narrow = self;
  return &source->base;
}

void
kvsql_narrow_watch (KvsqlNarrow *self, KvsqlRowSource *table)
{
  self->table = table;
}

/* ---- values */

/* The values without NULL: all, or the smallest and the largest one. */
static guint
collect (const KvsqlVector *column, guint n_rows, gboolean is_range, KvsqlValue *out)
{
  guint n = 0;

  for (guint row = 0; row < n_rows && kvsql_interrupt_tick (); row++)
    {
      KvsqlValue value;

      if (kvsql_vector_is_null (column, row))
        continue;
      value = kvsql_vector_get (column, row);
      if (!is_range || n == 0)
        out[n++] = value;
      if (is_range && n == 1)
        out[n++] = value;
      else if (is_range && kvsql_value_compare (&value, &out[0]) < 0)
        out[0] = value;
      else if (is_range && kvsql_value_compare (&value, &out[1]) > 0)
        out[1] = value;
    }
  return n;
}

gboolean
kvsql_narrow_add (KvsqlNarrow *self, guint attribute, const KvsqlVector *column, guint n_rows,
                  GError **error)
{
  gboolean is_range = n_rows > KVSQL_LOOKUP_VALUES;
  KvsqlValue *values = kvsql_arena_array (self->arena, KvsqlValue, is_range ? 2 : n_rows + 1);
  guint n = collect (column, n_rows, is_range, values);
  const KvsqlSelectPlan *plan = NULL;

  for (guint i = 0; i < n; i++) /* the rows may live shorter */
    values[i] = kvsql_value_dup (&values[i], self->arena);
  if (n > 0)
    plan = kvsql_lookup_plan_narrow (self->plan, attribute, values, n, is_range,
                                     self->setup.capabilities, self->arena);
  if (!kvsql_interrupt_poll (error)) /* values or ranges may be missing */
    return FALSE;
  if (plan == NULL)
    return TRUE;
  self->plan = plan;
  if (self->table != NULL)
    kvsql_table_source_use_path (self->table, plan->best);
  return TRUE;
}
