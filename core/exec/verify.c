/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.c: see the header.
 */
#include "config.h"

#include "core/exec/verify.h"

#include "core/base/memory.h"
#include "core/scan/verified-tuples.h"

/* Anchors of the first request. A LIMIT may end the query before more are needed. */
#define FIRST_ANCHORS KVSQL_ROWS_PER_GET
/* Of one answer, about: an anchor is as large as its tuple. */
#define MAX_ANSWER_BYTES (4 * 1024 * 1024)

typedef struct
{
  KvsqlRowSource base;
  const KvsqlRelation *relation;
  KvsqlVerifier verifier;
  KvsqlAttributeSet compared; /* attributes that show whether a tuple was replaced */
  gboolean reads_entries;     /* of an index */
  guint64 max_rows;
  KvsqlRunCounts *counts;
  guint n_at_once; /* of the next request */

  KvsqlArena *arena; /* of the current rows and their anchors */
  KvsqlBatch *batch;
  guint input_of[KVSQL_ANCHORS_PER_GET]; /* the number of the input's row of each of @batch */
} Verify;

static void
verify_free (KvsqlRowSource *source)
{
  Verify *self = (Verify *)source;

  kvsql_arena_free (self->arena);
  kvsql_batch_free (self->batch);
  g_free (self);
}

/* ---- rows */

static const KvsqlValue **
get_scanned (Verify *self, const KvsqlRowSlice *slice)
{
  const KvsqlValue **tuples = kvsql_arena_array (self->arena, const KvsqlValue *, slice->n);

  for (guint i = 0; i < slice->n; i++)
    {
      KvsqlValue *tuple = kvsql_arena_array (self->arena, KvsqlValue, self->relation->n_attributes);

      for (guint a = 0; a < self->relation->n_attributes; a++)
        tuple[a] = kvsql_vector_get (&slice->batch->columns[a], slice->rows[i]);
      tuples[i] = tuple;
    }
  return tuples;
}

static gboolean
is_same (const Verify *self, const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint i = 0; a != b && i < self->relation->n_attributes; i++)
    if (kvsql_attribute_set_has (&self->compared, i) && !kvsql_value_equal (&a[i], &b[i]))
      return FALSE;
  return TRUE;
}

static void
emit (Verify *self, guint number, const KvsqlValue *tuple)
{
  for (guint a = 0; a < self->batch->n_columns; a++)
    if (self->batch->columns[a].type != KVSQL_TYPE_NULL)
      kvsql_vector_set (&self->batch->columns[a], self->batch->n_rows, &tuple[a]);
  self->input_of[self->batch->n_rows++] = number;
}

/* Large tuples: fewer in the next request. */
static void
adapt (Verify *self, guint64 n_bytes)
{
  if (n_bytes > MAX_ANSWER_BYTES)
    self->n_at_once = MAX (self->n_at_once / 2, 1);
  else if (n_bytes < MAX_ANSWER_BYTES / 4)
    self->n_at_once = MIN (self->n_at_once * 2, KVSQL_ANCHORS_PER_GET);
}

/* Fills the batch with the current tuples of @slice. */
static gboolean
verify (Verify *self, const KvsqlRowSlice *slice, const KvsqlCall *call, GError **error)
{
  const KvsqlValue **scanned = get_scanned (self, slice), **current;
  guint64 bytes_before = self->counts->anchors.bytes;

  current = kvsql_arena_array (self->arena, const KvsqlValue *, slice->n);
  if (!kvsql_verified_tuples_read (&self->verifier, call, scanned, slice->n, self->arena, current,
                                   error)
      || !kvsql_run_counts_check (self->counts, self->max_rows, error))
    return FALSE;
  for (guint i = 0; i < slice->n; i++)
    {
      if (current[i] != NULL)
        emit (self, i, current[i]);
      self->counts->dropped += current[i] == NULL;
      self->counts->replaced += current[i] != NULL && !is_same (self, scanned[i], current[i]);
    }
  adapt (self, self->counts->anchors.bytes - bytes_before);
  return TRUE;
}

/* ---- the operator */

static gboolean
verify_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Verify *self = (Verify *)source;
  KvsqlRowDemand wanted = kvsql_row_demand_all;
  KvsqlRowSlice slice;

  wanted.max_rows = wanted.max_copied = self->n_at_once;
  if (!kvsql_row_source_poll (self->base.input, &wanted, call, &slice, error))
    return FALSE;
  g_assert (slice.n <= G_N_ELEMENTS (self->input_of) && slice.columns == NULL);
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  if (slice.n > 0 && !verify (self, &slice, call, error))
    return FALSE;
  kvsql_row_slice_set_batch (out, self->batch);
  out->is_end = slice.is_end;
  if (self->reads_entries)
    {
      self->counts->index_entries_kept += slice.n;
      self->counts->tuples += out->n;
    }
  return TRUE;
}

static gboolean
verify_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  Verify *self = (Verify *)source;

  g_assert (first + n <= self->batch->n_rows);
  for (guint i = 0; i < n; i++)
    if (!kvsql_row_source_get_positions (self->base.input, self->input_of[first + i], 1, &out[i]))
      return FALSE;
  return TRUE;
}

static const KvsqlRowSourceClass verify_class
    = { .next = verify_next, .free = verify_free, .get_positions = verify_get_positions };

/* A scan may read only some entries of a map. */
static KvsqlAttributeSet
compared_attributes (const KvsqlSelectPlan *plan)
{
  KvsqlAttributeSet compared = *kvsql_select_plan_get_scanned (plan);
  const KvsqlRelation *relation = plan->entry->relation;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_type_is_map (relation->attributes[a].type) && kvsql_attribute_set_has (&compared, a))
      kvsql_attribute_set_remove (&compared, a);
  return compared;
}

KvsqlRowSource *
kvsql_verify_new (KvsqlRowSource *input, const KvsqlSelectPlan *plan, KvsqlStore *store,
                  guint64 max_scan_rows, KvsqlRunCounts *counts)
{
  Verify *self = kvsql_new0 (Verify);
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  self->base.klass = &verify_class;
  self->base.input = input;
  self->relation = plan->entry->relation;
  self->verifier = (KvsqlVerifier){ .store = store,
                                    .entry = plan->entry,
                                    .schema = plan->best->schema,
                                    .scanned = kvsql_select_plan_get_scanned (plan),
                                    .counts = &counts->anchors };
  self->compared = compared_attributes (plan);
  self->reads_entries = plan->best->lookup_schema != NULL;
  self->max_rows = max_scan_rows;
  self->counts = counts;
  self->n_at_once = FIRST_ANCHORS;
  for (guint a = 0; a < self->relation->n_attributes; a++)
    types[a] = kvsql_attribute_set_has (&plan->needed, a) ? self->relation->attributes[a].type
                                                          : KVSQL_TYPE_NULL;
  self->arena = kvsql_arena_new ();
  self->batch = kvsql_batch_new (types, self->relation->n_attributes, KVSQL_ANCHORS_PER_GET);
  return &self->base;
}
