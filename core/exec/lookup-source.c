/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lookup-source.c: see the header.
 */
#include "config.h"

#include "core/exec/lookup-source.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/plan/lookup-plan.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlLookupSetup setup;
  KvsqlArena *arena;           /* of the current keys and their plan */
  KvsqlRowSource *rows;        /* nullable: of the current keys */
  KvsqlAssemblerCounts counts; /* of earlier keys; the samples end with their rows */
} LookupSource;

static void
close_rows (LookupSource *self)
{
  KvsqlAssemblerCounts counts = { 0 };

  if (self->rows == NULL)
    return;
  kvsql_row_source_add_counts (self->rows, &counts);
  self->counts.cells += counts.cells;
  self->counts.undecodable += counts.undecodable;
  g_clear_pointer (&self->rows, kvsql_row_source_free);
}

static void
lookup_source_free (KvsqlRowSource *source)
{
  LookupSource *self = (LookupSource *)source;

  close_rows (self);
  kvsql_arena_free (self->arena);
  self->setup.free_data (self->setup.data);
  g_free (self);
}

static gboolean
lookup_source_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                    KvsqlRowSlice *out, GError **error)
{
  LookupSource *self = (LookupSource *)source;

  g_assert (self->rows != NULL);
  return kvsql_row_source_poll (self->rows, demand, call, out, error);
}

static void
lookup_source_add_counts (const KvsqlRowSource *source, KvsqlAssemblerCounts *inout)
{
  const LookupSource *self = (const LookupSource *)source;

  kvsql_assembler_counts_add (inout, &self->counts);
  if (self->rows != NULL)
    kvsql_row_source_add_counts (self->rows, inout);
}

static const KvsqlRowSourceClass lookup_source_class = { .next = lookup_source_next,
                                                         .free = lookup_source_free,
                                                         .add_counts = lookup_source_add_counts };

KvsqlRowSource *
kvsql_lookup_source_new (const KvsqlLookupSetup *setup)
{
  LookupSource *self = kvsql_new0 (LookupSource);

  self->base.klass = &lookup_source_class;
  self->setup = *setup;
  self->arena = kvsql_arena_new ();
  return &self->base;
}

gboolean
kvsql_lookup_source_set_keys (KvsqlRowSource *source, const KvsqlVector *const *keys,
                              const guint32 *rows, guint n, GError **error)
{
  LookupSource *self = (LookupSource *)source;
  const KvsqlLookupSetup *setup = &self->setup;
  KvsqlValue *values, *at;
  const KvsqlSelectPlan *plan;

  close_rows (self);
  kvsql_row_source_reset (source);
  kvsql_arena_reset (self->arena);
  values = at = kvsql_arena_array (self->arena, KvsqlValue, (gsize)n * setup->n_attributes);
  for (guint i = 0; i < n; i++)
    {
      guint k = 0;

      for (; k < setup->n_attributes && !kvsql_vector_is_null (keys[k], rows[i]); k++)
        at[k] = kvsql_vector_get (keys[k], rows[i]);
      at += k == setup->n_attributes ? k : 0;
    }
  plan = kvsql_lookup_plan_fill (setup->plan, setup->attributes, setup->n_attributes, values,
                                 (guint)(at - values) / setup->n_attributes, setup->capabilities,
                                 self->arena);
  if (!kvsql_interrupt_poll (error)) /* the ranges may be incomplete */
    return FALSE;
  self->rows = setup->open (plan, setup->data);
  return TRUE;
}
