/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.c: the pipeline of a SELECT, put together, and its rows to pages.
 *
 * scan, filter and outputs come first. Where nothing has to be gathered, rows go from there to the
 * page, no more being computed than are asked for, and the run can begin again behind any of them.
 * Otherwise groups, DISTINCT and order are steps behind them; a run begun again elsewhere computes
 * the answer again and passes over what was given out.
 */
#include "config.h"

#include "core/exec/aggregate.h"
#include "core/exec/distinct.h"
#include "core/exec/filter.h"
#include "core/exec/page-fill.h"
#include "core/exec/product.h"
#include "core/exec/project.h"
#include "core/exec/select.h"
#include "core/exec/sort.h"

#define FIRST_PAGE_CAPACITY 16

struct _KvsqlSelectRun
{
  const KvsqlSelectPlan *plan;
  KvsqlSelectLimits limits;
  KvsqlTupleScan *scan;        /* NULL: all was read, or there is no FROM */
  KvsqlAssemblerCounts counts; /* then */
  gchar **samples;             /* those of the counts, which lived as long as the scan */
  KvsqlProductRun *product;    /* NULL: the rows are the scan's tuples */
  KvsqlFilter *filter;

  KvsqlBatch *batch; /* the scan's */
  const guint32 *selection;
  guint n_selected;
  guint next; /* in the selection */
  gboolean is_scan_at_end;
  KvsqlBatch *nothing; /* without FROM: the one row, of no columns */
  gboolean is_begun;

  KvsqlEvaluator *outputs; /* of streamed tuples; NULL: they are plain attributes */

  KvsqlStep *step; /* what gathers; NULL: the answer is streamed */
  KvsqlKeyPart *order;
  const KvsqlBatch *rows; /* the step's */
  guint next_row;
  gboolean is_step_at_end;

  guint32 *numbers; /* 0, 1, … */
  guint n_numbers;

  guint64 n_skip; /* still to pass over */
  guint64 n_given;
};

/* ---- scan and filter */

/* Of no columns: once one row, then none. */
static gboolean
next_without_from (KvsqlSelectRun *self, const KvsqlCall *call, GError **error)
{
  if (!kvsql_call_check (call, error))
    return FALSE;
  if (self->batch == NULL)
    self->batch = self->nothing = kvsql_batch_new (NULL, 0, 1);
  self->batch->n_rows = self->is_begun ? 0 : 1;
  self->is_begun = TRUE;
  return TRUE;
}

static gboolean
next_batch (KvsqlSelectRun *self, const KvsqlCall *call, GError **error)
{
  if (self->plan->entry == NULL)
    return next_without_from (self, call, error);
  return self->product == NULL
             ? kvsql_tuple_scan_next (self->scan, call, &self->batch, error)
             : kvsql_product_run_next (self->product, self->scan, call, &self->batch, error);
}

/* The next tuples that satisfy the predicate; FALSE in *out_any at the end. */
static gboolean
next_selection (KvsqlSelectRun *self, const KvsqlCall *call, gboolean *out_any, GError **error)
{
  while (self->next == self->n_selected && !self->is_scan_at_end)
    {
      if (!next_batch (self, call, error))
        return FALSE;
      self->is_scan_at_end = self->batch->n_rows == 0;
      self->next = self->n_selected = 0;
      if (!kvsql_filter_run (self->filter, self->batch, &self->selection, &self->n_selected, error))
        return FALSE;
      if (self->limits.counts != NULL && self->scan != NULL)
        self->limits.counts->matched += self->n_selected;
    }
  *out_any = self->next < self->n_selected;
  return TRUE;
}

/* ---- the first step of those that gather */

typedef struct
{
  KvsqlStep base;
  KvsqlSelectRun *run;
  KvsqlEvaluator *exprs;
} Source;

static gboolean
source_next (KvsqlStep *step, const KvsqlCall *call, const KvsqlBatch **out_batch, GError **error)
{
  Source *self = (Source *)step;
  KvsqlSelectRun *run = self->run;
  KvsqlBatch *output;
  gboolean any;

  if (!next_selection (run, call, &any, error)
      || !kvsql_evaluator_run (self->exprs, run->batch, run->selection, run->n_selected, &output,
                               error))
    return FALSE;
  run->next = run->n_selected;
  *out_batch = output;
  return TRUE;
}

static void
keep_counts (KvsqlSelectRun *self)
{
  kvsql_tuple_scan_get_counts (self->scan, &self->counts);
  self->samples = g_new0 (gchar *, self->counts.n_samples + 1);
  for (guint i = 0; i < self->counts.n_samples; i++)
    self->samples[i] = g_strdup (self->counts.samples[i]);
  self->counts.samples = (const gchar *const *)self->samples;
}

/* Whoever gathered frees its source: the store need not keep a scan open for a sorted answer. */
static void
source_free (KvsqlStep *step)
{
  Source *self = (Source *)step;

  if (self->run->scan != NULL)
    keep_counts (self->run);
  g_clear_pointer (&self->run->scan, kvsql_tuple_scan_free);
  kvsql_evaluator_free (self->exprs);
  g_free (self);
}

static const KvsqlStepClass source_class = { source_next, source_free };

static KvsqlStep *
new_source (KvsqlSelectRun *run, KvsqlExpr *const *exprs, guint n_exprs)
{
  Source *self = g_new0 (Source, 1);

  self->base.klass = &source_class;
  self->run = run;
  self->exprs = kvsql_evaluator_new (exprs, n_exprs);
  return &self->base;
}

/* ---- the pipeline */

static KvsqlType *
types_of (KvsqlExpr *const *exprs, guint n)
{
  KvsqlType *types = g_new (KvsqlType, n + 1);

  for (guint i = 0; i < n; i++)
    types[i] = exprs[i]->type;
  return types;
}

static KvsqlSortLimits
sort_limits (const KvsqlSelectRun *self)
{
  return (KvsqlSortLimits){ .memory_bytes = self->limits.sort_bytes,
                            .directory = self->limits.sort_directory,
                            .disk_bytes = self->limits.sort_disk_bytes };
}

static KvsqlStep *
add_groups (KvsqlSelectRun *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  const KvsqlGroups *groups = plan->groups;
  g_autofree KvsqlType *types = types_of (groups->inputs, groups->n_inputs);
  KvsqlAggregation aggregation = { .types = types,
                                   .n_inputs = groups->n_inputs,
                                   .n_groups = groups->n_groups,
                                   .aggregates = groups->aggregates,
                                   .n_aggregates = groups->n_aggregates };
  KvsqlSortLimits limits = sort_limits (self);
  KvsqlStep *step = new_source (self, groups->inputs, groups->n_inputs);

  step = kvsql_aggregate_new (step, &aggregation, &limits);
  return kvsql_project_new (step, plan->outputs, plan->n_outputs, groups->having);
}

static KvsqlStep *
add_order (KvsqlSelectRun *self, KvsqlStep *step, const KvsqlType *types)
{
  const KvsqlSelectPlan *plan = self->plan;
  KvsqlSortLimits limits = sort_limits (self);
  guint64 top = plan->limit > G_MAXUINT64 - plan->offset ? G_MAXUINT64 : plan->limit + plan->offset;

  self->order = g_new (KvsqlKeyPart, plan->n_sort);
  for (guint i = 0; i < plan->n_sort; i++)
    self->order[i] = (KvsqlKeyPart){ plan->sort[i].column, plan->sort[i].is_descending,
                                     plan->sort[i].nulls_first };
  return kvsql_sort_new (step, types, plan->n_outputs, self->order, plan->n_sort, top, &limits);
}

static void
build_steps (KvsqlSelectRun *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  g_autofree KvsqlType *types = types_of (plan->outputs, plan->n_outputs);
  KvsqlSortLimits limits = sort_limits (self);

  self->step = plan->groups != NULL ? add_groups (self)
                                    : new_source (self, plan->outputs, plan->n_outputs);
  if (plan->is_distinct)
    self->step = kvsql_distinct_new (self->step, types, plan->n_outputs, &limits);
  if (kvsql_select_plan_sorts (plan))
    self->step = add_order (self, self->step, types);
}

static KvsqlTupleScan *
new_scan (const KvsqlSelectPlan *plan, KvsqlStore *store, const KvsqlSelectLimits *limits,
          const KvsqlSelectPosition *position)
{
  /* where rows may be rejected, how many will be needed is not known */
  gboolean is_bounded = plan->limit != KVSQL_NO_LIMIT && kvsql_select_plan_is_streaming (plan)
                        && plan->chosen->is_proved;
  KvsqlTupleScan *scan = kvsql_tuple_scan_new (
      store, plan->chosen, &plan->needed, position == NULL ? NULL : &position->scan,
      is_bounded ? plan->limit + plan->offset : 0, limits->sort_bytes);

  kvsql_tuple_scan_watch (scan, limits->max_scan_rows, limits->counts);
  return scan;
}

KvsqlSelectRun *
kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                      const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position)
{
  KvsqlSelectRun *self = g_new0 (KvsqlSelectRun, 1);
  gboolean is_streaming = kvsql_select_plan_is_streaming (plan);

  self->plan = plan;
  self->limits = *limits;
  if (plan->entry != NULL)
    self->scan = new_scan (plan, store, limits, position);
  if (plan->product != NULL)
    self->product = kvsql_product_run_new (plan, store, limits);
  self->filter = kvsql_filter_new (plan->predicate);
  self->n_skip = position == NULL ? plan->offset : position->n_skip;
  self->n_given = position == NULL ? 0 : position->n_given;
  if (!is_streaming)
    build_steps (self);
  else if (!kvsql_select_plan_is_plain (plan))
    self->outputs = kvsql_evaluator_new (plan->outputs, plan->n_items);
  return self;
}

void
kvsql_select_run_free (KvsqlSelectRun *self)
{
  if (self == NULL)
    return;
  kvsql_step_free (self->step);
  kvsql_product_run_free (self->product);
  kvsql_tuple_scan_free (self->scan);
  kvsql_filter_free (self->filter);
  kvsql_batch_free (self->nothing);
  kvsql_evaluator_free (self->outputs);
  g_strfreev (self->samples);
  g_free (self->order);
  g_free (self->numbers);
  g_free (self);
}

void
kvsql_select_run_get_counts (const KvsqlSelectRun *self, KvsqlAssemblerCounts *out)
{
  if (self->scan != NULL)
    kvsql_tuple_scan_get_counts (self->scan, out);
  else
    *out = self->counts;
}

gboolean
kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part, KvsqlAssemblerCounts *out)
{
  return kvsql_product_run_take_counts (self->product, part, out);
}

/* ---- pages */

static KvsqlBatch *
new_page (const KvsqlSelectPlan *plan)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->n_items);

  for (guint i = 0; i < plan->n_items; i++)
    types[i] = kvsql_select_plan_get_type (plan, i);
  return kvsql_batch_new (types, plan->n_items, FIRST_PAGE_CAPACITY);
}

static guint64
rows_allowed (const KvsqlSelectRun *self)
{
  return self->plan->limit == KVSQL_NO_LIMIT
             ? G_MAXUINT64
             : self->plan->limit - MIN (self->n_given, self->plan->limit);
}

/* first, first + 1, … */
static const guint32 *
numbers_from (KvsqlSelectRun *self, guint first, guint n)
{
  if (first + n > self->n_numbers)
    {
      self->n_numbers = MAX (first + n, KVSQL_BATCH_ROWS);
      self->numbers = g_renew (guint32, self->numbers, self->n_numbers);
      for (guint i = 0; i < self->n_numbers; i++)
        self->numbers[i] = i;
    }
  return self->numbers + first;
}

/* How many rows there are to give or pass over; 0 at the end. */
static gboolean
rows_ready (KvsqlSelectRun *self, const KvsqlCall *call, guint *out_n, GError **error)
{
  gboolean any;

  if (self->step == NULL)
    {
      if (!next_selection (self, call, &any, error))
        return FALSE;
      *out_n = self->n_selected - self->next;
      return TRUE;
    }
  if (!self->is_step_at_end && (self->rows == NULL || self->next_row == self->rows->n_rows))
    {
      if (!kvsql_step_next (self->step, call, &self->rows, error))
        return FALSE;
      self->next_row = 0;
      self->is_step_at_end = self->rows->n_rows == 0;
    }
  *out_n = self->rows->n_rows - self->next_row;
  return TRUE;
}

static void
advance (KvsqlSelectRun *self, guint n)
{
  if (self->step == NULL)
    self->next += n;
  else
    self->next_row += n;
}

static gboolean
copy_rows (KvsqlSelectRun *self, guint n, KvsqlArena *arena, KvsqlBatch *page, gsize *bytes,
           GError **error)
{
  KvsqlBatch *output;

  if (self->step != NULL)
    *bytes += kvsql_page_append (page, self->rows, NULL, numbers_from (self, self->next_row, n), n,
                                 arena);
  else if (self->outputs == NULL)
    *bytes += kvsql_page_append (page, self->batch, self->plan->items, self->selection + self->next,
                                 n, arena);
  else if (kvsql_evaluator_run (self->outputs, self->batch, self->selection + self->next, n,
                                &output, error))
    *bytes += kvsql_page_append (page, output, NULL, numbers_from (self, 0, n), n, arena);
  else
    return FALSE;
  return TRUE;
}

/* Whether there may be more. What was gathered is there: then it is known. */
static gboolean
look_ahead (KvsqlSelectRun *self, const KvsqlCall *call, gboolean *out_has_more, GError **error)
{
  guint ready = 1;

  if (rows_allowed (self) > 0 && self->step != NULL && !rows_ready (self, call, &ready, error))
    return FALSE;
  *out_has_more = rows_allowed (self) > 0 && ready > 0;
  return TRUE;
}

static gboolean
fill_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
           KvsqlArena *arena, KvsqlBatch *page, gboolean *out_has_more, GError **error)
{
  gsize bytes = 0;

  *out_has_more = FALSE;
  while (page->n_rows < max_rows && bytes < max_bytes)
    {
      guint ready;
      guint64 n;

      if (rows_allowed (self) == 0)
        return TRUE;
      if (!rows_ready (self, call, &ready, error))
        return FALSE;
      if (ready == 0)
        return TRUE;
      n = MIN (self->n_skip, ready);
      self->n_skip -= n;
      advance (self, n);
      n = MIN (MIN (rows_allowed (self), ready - n), max_rows - page->n_rows);
      /* large values: look at the size more often than once a batch */
      n = MIN (n, MAX (1, (max_bytes - bytes) / 4096));
      if (n == 0)
        continue;
      if (!copy_rows (self, n, arena, page, &bytes, error))
        return FALSE;
      advance (self, n);
      self->n_given += n;
    }
  return look_ahead (self, call, out_has_more, error);
}

gboolean
kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
                       KvsqlArena *arena, KvsqlBatch **out_page, gboolean *out_has_more,
                       GError **error)
{
  g_autoptr (KvsqlBatch) page = new_page (self->plan);

  if (!fill_page (self, max_rows, max_bytes, call, arena, page, out_has_more, error))
    return FALSE;
  *out_page = g_steal_pointer (&page);
  return TRUE;
}

void
kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena, KvsqlSelectPosition *out)
{
  *out = (KvsqlSelectPosition){ .n_given = self->n_given };
  /* behind the last tuple that was given out (or passed over) of this batch */
  if (self->step == NULL && self->scan != NULL && self->product == NULL && self->next > 0
      && kvsql_tuple_scan_get_position (self->scan, self->selection[self->next - 1], &out->scan))
    {
      out->scan.table = kvsql_slice_dup (arena, out->scan.table);
      out->scan.row = kvsql_slice_dup (arena, out->scan.row);
      out->n_skip = self->n_skip;
      return;
    }
  out->n_skip = self->plan->offset + self->n_given;
}
