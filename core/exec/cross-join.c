/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cross-join.c: one row for each tuple of the scan and each combination of the others.
 *
 * Combinations are numbered like the digits of a number: the last relation's tuples change fastest.
 */
#include "config.h"

#include "core/scan/predicate-filter.h"
#include "core/exec/result-builder.h"
#include "core/exec/cross-join.h"

#define ROWS_PER_PAGE 1000
#define BYTES_PER_PAGE (1024 * 1024)

/* Another relation's tuples, in memory. */
typedef struct
{
  KvsqlSelectRun *run;
  KvsqlBatch *tuples;  /* columns as the items of its plan */
  guint64 stride;      /* combinations between two tuples */
  gboolean is_counted; /* its counts were returned */
} Part;

struct _KvsqlCrossJoinRun
{
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
  KvsqlSelectLimits limits;
  KvsqlArena *arena; /* of the parts' bytes */
  Part *parts;
  gboolean is_loaded;
  guint64 n_combinations;

  KvsqlPredicateFilter *filter; /* nullable: of the scan's tuples */
  KvsqlBatch *tuples;           /* of the scan */
  const guint32 *selection;
  guint n_selected;
  guint next; /* row of the selection */
  guint64 combination;

  KvsqlBatch *batch;
  guint32 rows[KVSQL_BATCH_ROWS]; /* the tuples for the column that is being filled */
  guint32 first_rows[KVSQL_BATCH_ROWS];
  guint64 combinations[KVSQL_BATCH_ROWS];
};

static KvsqlBatch *
new_batch (const KvsqlSelectPlan *plan)
{
  const KvsqlCrossJoinPlan *cross_join = plan->cross_join;
  g_autofree KvsqlType *types = g_new0 (KvsqlType, plan->relation->n_attributes);

  for (guint a = 0; a < plan->entry->relation->n_attributes; a++)
    types[a] = kvsql_attribute_set_has (&plan->needed, a) ? plan->relation->attributes[a].type
                                                          : KVSQL_TYPE_NULL;
  for (guint p = 0; p < cross_join->n_parts; p++)
    for (guint i = 0; i < cross_join->parts[p].plan->n_items; i++)
      {
        guint column = cross_join->parts[p].first + cross_join->parts[p].plan->items[i];
        types[column] = plan->relation->attributes[column].type;
      }
  return kvsql_batch_new (types, plan->relation->n_attributes, KVSQL_BATCH_ROWS);
}

KvsqlCrossJoinRun *
kvsql_cross_join_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                          const KvsqlSelectLimits *limits)
{
  KvsqlCrossJoinRun *self = g_new0 (KvsqlCrossJoinRun, 1);

  self->plan = plan;
  self->store = store;
  self->limits = *limits;
  self->arena = kvsql_arena_new ();
  self->parts = g_new0 (Part, plan->cross_join->n_parts);
  if (plan->cross_join->scanned != NULL)
    self->filter = kvsql_predicate_filter_new (plan->cross_join->scanned);
  self->batch = new_batch (plan);
  return self;
}

void
kvsql_cross_join_run_free (KvsqlCrossJoinRun *self)
{
  if (self == NULL)
    return;
  for (guint p = 0; p < self->plan->cross_join->n_parts; p++)
    {
      kvsql_select_run_free (self->parts[p].run);
      kvsql_batch_free (self->parts[p].tuples);
    }
  g_free (self->parts);
  kvsql_predicate_filter_free (self->filter);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
  g_free (self);
}

gboolean
kvsql_cross_join_run_take_counts (KvsqlCrossJoinRun *self, guint part, KvsqlAssemblerCounts *out)
{
  Part *one = &self->parts[part];

  if (!self->is_loaded || one->is_counted)
    return FALSE;
  one->is_counted = TRUE;
  kvsql_select_run_get_counts (one->run, out);
  return TRUE;
}

/* ---- the other relations */

static gboolean
too_large (const KvsqlCrossJoinRun *self, const KvsqlCrossJoinPart *part, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the relations joined to \"%s\" need more than %" G_GSIZE_FORMAT
                   " MiB of memory, with \"%s\"",
                   self->plan->entry->relation->name, self->limits.sort_bytes >> 20,
                   part->entry->relation->name);
  return kvsql_error_hint (error, "Put the largest relation first in FROM, narrow what is read of "
                                  "the others, or raise sort_bytes in the daemon's "
                                  "configuration.");
}

static gsize
size_of (const KvsqlCrossJoinRun *self)
{
  gsize size = kvsql_arena_get_size (self->arena);

  for (guint p = 0; p < self->plan->cross_join->n_parts; p++)
    if (self->parts[p].tuples != NULL)
      size += (gsize)self->parts[p].tuples->capacity * self->parts[p].tuples->n_columns * 16;
  return size;
}

static void
append_page (KvsqlCrossJoinRun *self, Part *part, const KvsqlBatch *page)
{
  for (guint i = 0; i < page->n_rows; i++)
    self->rows[i] = i;
  kvsql_result_builder_append (part->tuples, page, NULL, self->rows, page->n_rows, self->arena);
}

static gboolean
load_part (KvsqlCrossJoinRun *self, guint number, const KvsqlCall *call, GError **error)
{
  const KvsqlCrossJoinPart *planned = &self->plan->cross_join->parts[number];
  Part *part = &self->parts[number];
  g_autofree KvsqlType *types = g_new (KvsqlType, planned->plan->n_items);
  gboolean has_more = TRUE;

  for (guint i = 0; i < planned->plan->n_items; i++)
    types[i] = kvsql_select_plan_get_type (planned->plan, i);
  part->tuples = kvsql_batch_new (types, planned->plan->n_items, 16);
  part->run = kvsql_select_run_new (planned->plan, self->store, &self->limits, NULL);
  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (part->run, ROWS_PER_PAGE, BYTES_PER_PAGE, call, arena, &page,
                                  &has_more, error))
        return FALSE;
      append_page (self, part, page);
      if (size_of (self) > self->limits.sort_bytes)
        return too_large (self, planned, error);
    }
  return TRUE;
}

static gboolean
load (KvsqlCrossJoinRun *self, const KvsqlCall *call, GError **error)
{
  guint n = self->plan->cross_join->n_parts;

  self->n_combinations = 1;
  for (guint p = n; p > 0; p--)
    {
      Part *part = &self->parts[p - 1];

      if (!load_part (self, p - 1, call, error))
        return FALSE;
      part->stride = self->n_combinations;
      if (__builtin_mul_overflow (self->n_combinations, (guint64)part->tuples->n_rows,
                                  &self->n_combinations))
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "the product of the relations has too many rows");
    }
  self->is_loaded = TRUE;
  return TRUE;
}

/* ---- rows */

/* The next tuples of the scan that can be part of a result row; none at the end. */
static gboolean
next_tuples (KvsqlCrossJoinRun *self, KvsqlTableScan *scan, const KvsqlCall *call, GError **error)
{
  do
    {
      if (!kvsql_table_scan_next (scan, call, &self->tuples, error))
        return FALSE;
      self->next = 0;
      self->n_selected = self->tuples->n_rows;
      self->selection = NULL;
      if (self->filter != NULL
          && !kvsql_predicate_filter_run (self->filter, self->tuples, &self->selection,
                                          &self->n_selected, error))
        return FALSE;
    }
  while (self->n_selected == 0 && self->tuples->n_rows > 0);
  return TRUE;
}

/* Chooses the tuples of the next rows. */
static guint
choose_rows (KvsqlCrossJoinRun *self)
{
  guint n = 0;

  while (n < KVSQL_BATCH_ROWS && self->next < self->n_selected)
    {
      self->first_rows[n] = self->selection != NULL ? self->selection[self->next] : self->next;
      self->combinations[n++] = self->combination++;
      if (self->combination == self->n_combinations)
        {
          self->combination = 0;
          self->next++;
        }
    }
  return n;
}

static void
fill_column (KvsqlCrossJoinRun *self, guint column, const KvsqlVector *from, const guint32 *rows,
             guint n)
{
  KvsqlVector *to = &self->batch->columns[column];

  for (guint i = 0; i < n; i++)
    {
      KvsqlValue value = kvsql_vector_get (from, rows[i]);
      kvsql_vector_set (to, i, &value);
    }
}

static void
fill_part (KvsqlCrossJoinRun *self, guint number, guint n)
{
  const KvsqlCrossJoinPart *planned = &self->plan->cross_join->parts[number];
  const Part *part = &self->parts[number];

  for (guint i = 0; i < n; i++)
    self->rows[i] = (guint32)(self->combinations[i] / part->stride % part->tuples->n_rows);
  for (guint i = 0; i < planned->plan->n_items; i++)
    fill_column (self, planned->first + planned->plan->items[i], &part->tuples->columns[i],
                 self->rows, n);
}

gboolean
kvsql_cross_join_run_next (KvsqlCrossJoinRun *self, KvsqlTableScan *scan, const KvsqlCall *call,
                           KvsqlBatch **out_batch, GError **error)
{
  guint n;

  if (!kvsql_call_check (call, error) || (!self->is_loaded && !load (self, call, error)))
    return FALSE;
  kvsql_batch_reset (self->batch);
  *out_batch = self->batch;
  if (self->n_combinations == 0)
    return TRUE;
  if (self->next == self->n_selected && !next_tuples (self, scan, call, error))
    return FALSE;
  n = choose_rows (self);
  for (guint a = 0; a < self->plan->entry->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->plan->needed, a))
      fill_column (self, a, &self->tuples->columns[a], self->first_rows, n);
  for (guint p = 0; p < self->plan->cross_join->n_parts; p++)
    fill_part (self, p, n);
  self->batch->n_rows = n;
  return TRUE;
}
