/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.c: the pipeline of a SELECT, put together, and its rows to pages.
 *
 * scan, filter and outputs come first. Where nothing has to be gathered, rows go from there to the
 * page, no more being computed than are asked for, and the run can begin again behind any of them.
 * What a scan that turns out to be long has still to read is cut in parts, which are filtered and
 * computed side by side (parallel.h).
 * Otherwise groups, DISTINCT and order are steps behind them; a run begun again elsewhere computes
 * the answer again and passes over what was given out.
 */
#include "config.h"

#include "core/exec/aggregate.h"
#include "core/base/memory.h"
#include "core/exec/distinct.h"
#include "core/exec/filter.h"
#include "core/exec/page-fill.h"
#include "core/exec/parallel.h"
#include "core/exec/partition.h"
#include "core/exec/product.h"
#include "core/exec/project.h"
#include "core/exec/select.h"
#include "core/exec/sort.h"

#define FIRST_PAGE_CAPACITY 16
/* Parts of about so many tuples: enough to be worth opening a scan, few enough to be kept. */
#define PART_TUPLES 32768
#define MAX_PARTS 256
/* Where it is not known how many tuples there are. */
#define DEFAULT_PARTS 16
/* A statement that needs no more tuples than these of a long scan reads them itself. */
#define SMALL_LIMIT 100000
/* Chunks are folded into groups by who reads them as long as a group has so many rows or more. */
#define LEAST_ROWS_OF_GROUP 2
/* A chunk of so small a part of a page waits for others. */
#define SMALL_CHUNK 8

struct _KvsqlSelectRun
{
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
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

  KvsqlRunCounts own_counts;
  guint64 n_read;          /* tuples, by the scan */
  guint64 next_cut;        /* when it has read so many, it may be cut; 0: never */
  KvsqlParallel *parallel; /* what the scan has left over; NULL: nothing, or not yet */
  KvsqlPartChunk *chunk;   /* the last one */
  guint n_done;            /* of its rows: given out, or passed over */
  guint page_rows;         /* how large pages are */
  guint n_last_rows;       /* of the page before */
  gsize page_bytes;
  KvsqlBatch *no_rows;        /* behind it */
  KvsqlScanPosition position; /* behind all rows before the chunk */
  KvsqlArena *position_arena; /* of its bytes */

  KvsqlEvaluator *outputs; /* of streamed tuples; NULL: they are plain attributes */

  KvsqlStep *step; /* what gathers; NULL: the answer is streamed */
  KvsqlAggregation aggregation;
  KvsqlStep *aggregate; /* borrowed: of @step, the one behind the source; nullable */
  gboolean is_folding;  /* chunks of a long scan may come as groups */
  KvsqlKeyPart *order;
  const KvsqlBatch *rows; /* the step's; without one, the chunk's */
  guint next_row;
  gboolean is_step_at_end;

  guint32 *numbers; /* 0, 1, … */
  guint n_numbers;

  guint64 n_skip; /* still to pass over */
  guint64 n_given;
  KvsqlScanPart part;
};

/* ---- the scan */

/* Where rows may be rejected, how many will be needed is not known. */
static gboolean
is_bounded (const KvsqlSelectPlan *plan)
{
  return plan->limit != KVSQL_NO_LIMIT && kvsql_select_plan_is_streaming (plan)
         && plan->chosen->is_proved;
}

/* How many rows will be wanted in one piece; 0: as many as there are. */
static guint64
rows_in_sight (const KvsqlSelectPlan *plan, const KvsqlSelectLimits *limits)
{
  if (is_bounded (plan))
    return plan->limit + plan->offset;
  /* what comes then is read in parts */
  return limits->n_helpers > 0 ? limits->serial_rows : 0;
}

static KvsqlTupleScan *
new_scan (const KvsqlSelectPlan *plan, KvsqlStore *store, const KvsqlSelectLimits *limits,
          const KvsqlSelectPosition *position)
{
  KvsqlTupleScan *scan = kvsql_tuple_scan_new (store, plan->chosen, &plan->needed,
                                               position == NULL ? NULL : &position->scan,
                                               rows_in_sight (plan, limits), limits->sort_bytes);

  kvsql_tuple_scan_watch (scan, limits->max_scan_rows, limits->counts);
  kvsql_tuple_scan_expect (scan,
                           is_bounded (plan) ? plan->limit + plan->offset : limits->expected_rows);
  if (position != NULL)
    kvsql_tuple_scan_restrict (scan, &position->part);
  return scan;
}

/* From the beginning of what @position (nullable) is restricted to, or behind it. */
static void
begin_scan (KvsqlSelectRun *self, const KvsqlSelectPosition *position)
{
  const KvsqlSelectPlan *plan = self->plan;

  if (plan->entry != NULL)
    self->scan = new_scan (plan, self->store, &self->limits, position);
  self->n_read = self->next_cut = 0;
  if (self->limits.n_helpers > 0 && (position == NULL || !position->part.is_part)
      && kvsql_select_can_be_cut (plan))
    self->next_cut = MAX (self->limits.serial_rows, 1);
  self->is_scan_at_end = FALSE;
  self->batch = NULL;
  self->next = self->n_selected = 0;
}

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

/* ---- a scan that is long */

/* What is wanted of each tuple, before anything is gathered. */
static void
describe_output (const KvsqlSelectRun *self, KvsqlPartOutput *out)
{
  const KvsqlSelectPlan *plan = self->plan;
  gboolean is_streaming = kvsql_select_plan_is_streaming (plan);

  *out = (KvsqlPartOutput){ .plan = plan,
                            .store = self->store,
                            .n_columns = plan->n_items,
                            .wants_positions = is_streaming,
                            .max_scan_rows = self->limits.max_scan_rows,
                            .sort_bytes = self->limits.sort_bytes };
  if (plan->groups != NULL)
    {
      out->exprs = plan->groups->inputs;
      out->n_columns = plan->groups->n_inputs;
      out->aggregation = &self->aggregation;
    }
  else if (!is_streaming || !kvsql_select_plan_is_plain (plan))
    {
      out->exprs = plan->outputs;
      out->n_columns = is_streaming ? plan->n_items : plan->n_outputs;
    }
  out->types = g_new (KvsqlType, out->n_columns + 1);
  for (guint i = 0; i < out->n_columns; i++)
    out->types[i] = out->exprs != NULL ? out->exprs[i]->type : kvsql_select_plan_get_type (plan, i);
}

static guint64
rows_allowed (const KvsqlSelectRun *self)
{
  return self->plan->limit == KVSQL_NO_LIMIT
             ? G_MAXUINT64
             : self->plan->limit - MIN (self->n_given, self->plan->limit);
}

/* Whether the scan, between two batches, has turned out to be long, and is worth being cut. */
static gboolean
is_long (const KvsqlSelectRun *self)
{
  return self->next_cut > 0 && self->n_read >= self->next_cut
         && (self->step != NULL || rows_allowed (self) >= SMALL_LIMIT);
}

/* Of what lies behind @position. */
static guint
count_parts (KvsqlSelectRun *self, const KvsqlScanPosition *position, const KvsqlCall *call)
{
  gdouble done = kvsql_tuple_scan_guess_done (self->scan, position, call);
  gdouble left = (gdouble)self->n_read * (1 - done) / MAX (done, 1e-9);

  if (done < 0)
    return DEFAULT_PARTS;
  return (guint)CLAMP (left / (gdouble)MIN (PART_TUPLES, self->limits.serial_rows), 1, MAX_PARTS);
}

static void
keep_position (KvsqlSelectRun *self, const KvsqlScanPosition *position)
{
  KvsqlArena *arena = kvsql_arena_new ();

  self->position = *position;
  self->position.table = kvsql_slice_dup (arena, position->table);
  self->position.row = kvsql_slice_dup (arena, position->row);
  kvsql_arena_free (self->position_arena);
  self->position_arena = arena;
}

/* Leaves what lies behind the last batch to helpers and itself, if it is much. */
static gboolean
cut_rest (KvsqlSelectRun *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlParallelLimits limits = { .helpers = self->limits.helpers,
                                 .n_helpers = self->limits.n_helpers,
                                 .buffer_bytes = self->limits.ahead_bytes };
  KvsqlScanPosition position;
  KvsqlPartOutput output;
  KvsqlScanPart *parts;
  guint n_wanted, n_parts;

  self->next_cut = 0;
  if (!kvsql_tuple_scan_get_position (self->scan, self->batch->n_rows - 1, &position))
    return TRUE;
  n_wanted = count_parts (self, &position, call);
  if (!kvsql_select_cut (self->plan, self->store, &position, n_wanted, call, arena, &parts,
                         &n_parts, error))
    return FALSE;
  if (n_parts == 0)
    return TRUE;
  keep_position (self, &position);
  describe_output (self, &output);
  self->parallel
      = kvsql_parallel_new (&output, parts, n_parts, &position, &limits, call, self->limits.counts);
  if (self->step == NULL)
    kvsql_parallel_set_chunks (self->parallel, self->page_rows, self->page_bytes);
  kvsql_parallel_set_folding (self->parallel, self->is_folding);
  self->no_rows = kvsql_batch_new (output.types, output.n_columns, 1);
  g_free (output.types);
  self->limits.counts->scan.rows--; /* the last row will be read again, to go on behind its tuple */
  kvsql_tuple_scan_stop (self->scan);
  self->is_scan_at_end = TRUE;
  self->next = self->n_selected = 0;
  return TRUE;
}

/* Rows of the next chunk; none at the end. */
static gboolean
next_chunk (KvsqlSelectRun *self, const KvsqlCall *call, const KvsqlBatch **out_rows,
            GError **error)
{
  KvsqlScanPosition position;

  if (self->n_done > 0)
    {
      kvsql_part_chunk_get_position (self->chunk, self->n_done - 1, &position);
      keep_position (self, &position);
    }
  self->n_done = 0;
  g_clear_pointer (&self->chunk, kvsql_part_chunk_free);
  *out_rows = self->no_rows;
  if (!kvsql_parallel_next (self->parallel, call, &self->chunk, error))
    return FALSE;
  if (self->chunk != NULL)
    *out_rows = self->chunk->rows;
  return TRUE;
}

/* ---- tuples that satisfy the predicate */

/* The next ones; FALSE in *out_any at the end, or if the rest comes in chunks. */
static gboolean
next_selection (KvsqlSelectRun *self, const KvsqlCall *call, gboolean *out_any, GError **error)
{
  *out_any = FALSE;
  while (self->next == self->n_selected && !self->is_scan_at_end)
    {
      if (is_long (self) && !cut_rest (self, call, error))
        return FALSE;
      if (self->parallel != NULL)
        return TRUE;
      if (!next_batch (self, call, error))
        return FALSE;
      self->is_scan_at_end = self->batch->n_rows == 0;
      self->n_read += self->batch->n_rows;
      self->next = self->n_selected = 0;
      if (!kvsql_filter_run (self->filter, self->batch, &self->selection, &self->n_selected, error))
        return FALSE;
      if (self->scan != NULL)
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

/* Reads all once more, as rows: what was folded cannot be sorted. Counts are of this time. */
static void
begin_again (KvsqlSelectRun *self)
{
  kvsql_aggregate_forget (self->aggregate);
  g_clear_pointer (&self->chunk, kvsql_part_chunk_free);
  g_clear_pointer (&self->parallel, kvsql_parallel_free);
  g_clear_pointer (&self->no_rows, kvsql_batch_free);
  g_clear_pointer (&self->scan, kvsql_tuple_scan_free);
  *self->limits.counts = (KvsqlRunCounts){ 0 };
  self->is_folding = FALSE;
  begin_scan (self, NULL);
}

/* Of the chunk. */
static gboolean
take_groups (KvsqlSelectRun *self, GError **error)
{
  const KvsqlPartChunk *chunk = self->chunk;
  gboolean is_full;

  if (!kvsql_aggregate_merge (self->aggregate, chunk->groups, error))
    return FALSE;
  is_full = kvsql_aggregate_is_full (self->aggregate);
  if (is_full
      || kvsql_group_fold_get_n (chunk->groups) > chunk->counts.matched / LEAST_ROWS_OF_GROUP)
    kvsql_parallel_set_folding (self->parallel, FALSE);
  if (is_full && kvsql_parallel_has_groups (self->parallel))
    begin_again (self);
  return TRUE;
}

static gboolean
source_next (KvsqlStep *step, const KvsqlCall *call, const KvsqlBatch **out_batch, GError **error)
{
  Source *self = (Source *)step;
  KvsqlSelectRun *run = self->run;
  KvsqlBatch *output;
  gboolean any;

  do
    {
      if (run->parallel == NULL && !next_selection (run, call, &any, error))
        return FALSE;
      if (run->parallel == NULL)
        break;
      if (!next_chunk (run, call, out_batch, error))
        return FALSE;
      if (run->chunk == NULL || run->chunk->groups == NULL)
        return TRUE;
      if (!take_groups (run, error))
        return FALSE;
    }
  while (TRUE);
  if (!kvsql_evaluator_run (self->exprs, run->batch, run->selection, run->n_selected, &output,
                            error))
    return FALSE;
  run->next = run->n_selected;
  *out_batch = output;
  return TRUE;
}

/* Of the scan, and of the parts. */
static void
keep_counts (KvsqlSelectRun *self)
{
  KvsqlAssemblerCounts counts;

  kvsql_select_run_get_counts (self, &counts);
  self->samples = g_new0 (gchar *, counts.n_samples + 1);
  for (guint i = 0; i < counts.n_samples; i++)
    self->samples[i] = g_strdup (counts.samples[i]);
  self->counts = counts;
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
  g_clear_pointer (&self->run->chunk, kvsql_part_chunk_free);
  g_clear_pointer (&self->run->parallel, kvsql_parallel_free);
  kvsql_evaluator_free (self->exprs);
  g_free (self);
}

static const KvsqlStepClass source_class = { source_next, source_free };

static KvsqlStep *
new_source (KvsqlSelectRun *run, KvsqlExpr *const *exprs, guint n_exprs)
{
  Source *self = kvsql_new0 (Source);

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
  KvsqlSortLimits limits = sort_limits (self);
  KvsqlStep *source = new_source (self, groups->inputs, groups->n_inputs);

  self->aggregation = (KvsqlAggregation){ .types = types_of (groups->inputs, groups->n_inputs),
                                          .n_inputs = groups->n_inputs,
                                          .n_groups = groups->n_groups,
                                          .aggregates = groups->aggregates,
                                          .n_aggregates = groups->n_aggregates };
  self->aggregate = kvsql_aggregate_new (source, &self->aggregation, &limits);
  self->is_folding = kvsql_group_fold_can_merge (&self->aggregation);
  return kvsql_project_new (self->aggregate, plan->outputs, plan->n_outputs, groups->having);
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

KvsqlSelectRun *
kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                      const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position)
{
  KvsqlSelectRun *self = kvsql_new0 (KvsqlSelectRun);
  gboolean is_streaming = kvsql_select_plan_is_streaming (plan);

  self->plan = plan;
  self->store = store;
  self->limits = *limits;
  if (self->limits.counts == NULL)
    self->limits.counts = &self->own_counts;
  begin_scan (self, position);
  if (plan->product != NULL)
    self->product = kvsql_product_run_new (plan, store, limits);
  self->filter = kvsql_filter_new (plan->predicate);
  self->n_skip = position == NULL ? plan->offset : position->n_skip;
  self->n_given = position == NULL ? 0 : position->n_given;
  if (position != NULL)
    self->part = position->part;
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
  kvsql_part_chunk_free (self->chunk);
  kvsql_batch_free (self->no_rows);
  kvsql_parallel_free (self->parallel);
  kvsql_arena_free (self->position_arena);
  kvsql_tuple_scan_free (self->scan);
  kvsql_filter_free (self->filter);
  kvsql_batch_free (self->nothing);
  kvsql_evaluator_free (self->outputs);
  g_strfreev (self->samples);
  g_free (self->aggregation.types);
  g_free (self->order);
  g_free (self->numbers);
  g_free (self);
}

guint64
kvsql_select_run_get_n_rows (const KvsqlSelectRun *self)
{
  return self->limits.counts->scan.rows;
}

void
kvsql_select_run_get_counts (const KvsqlSelectRun *self, KvsqlAssemblerCounts *out)
{
  KvsqlAssemblerCounts parts;

  *out = self->counts;
  if (self->scan != NULL)
    kvsql_tuple_scan_get_counts (self->scan, out);
  if (self->parallel == NULL)
    return;
  kvsql_parallel_get_misfits (self->parallel, &parts);
  out->cells += parts.cells;
  out->unparsable += parts.unparsable;
  if (out->n_samples == 0)
    {
      out->samples = parts.samples;
      out->n_samples = parts.n_samples;
    }
}

gboolean
kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part, KvsqlAssemblerCounts *out)
{
  return kvsql_product_run_take_counts (self->product, part, out);
}

/* ---- pages */

/* As large as the one before was; but a chunk of a parallel scan may take its place. */
static KvsqlBatch *
new_page (const KvsqlSelectRun *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->n_items);

  for (guint i = 0; i < plan->n_items; i++)
    types[i] = kvsql_select_plan_get_type (plan, i);
  return kvsql_batch_new (types, plan->n_items,
                          self->parallel != NULL ? FIRST_PAGE_CAPACITY
                                                 : MAX (FIRST_PAGE_CAPACITY, self->n_last_rows));
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

/* Whether rows are taken from self->rows, not from the scan's batch. */
static gboolean
comes_dense (const KvsqlSelectRun *self)
{
  return self->step != NULL || self->parallel != NULL;
}

/* How many rows there are to give or pass over; 0 at the end. */
static gboolean
rows_ready (KvsqlSelectRun *self, const KvsqlCall *call, guint *out_n, GError **error)
{
  gboolean any;

  if (self->step == NULL && self->parallel == NULL)
    {
      if (!next_selection (self, call, &any, error))
        return FALSE;
      *out_n = self->n_selected - self->next;
      if (self->parallel == NULL)
        return TRUE;
    }
  if (!self->is_step_at_end && (self->rows == NULL || self->next_row == self->rows->n_rows))
    {
      if (!(self->step != NULL ? kvsql_step_next (self->step, call, &self->rows, error)
                               : next_chunk (self, call, &self->rows, error)))
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
  if (!comes_dense (self))
    self->next += n;
  else
    self->next_row += n;
  if (self->chunk != NULL && self->step == NULL)
    self->n_done += n;
}

static gboolean
copy_rows (KvsqlSelectRun *self, guint n, KvsqlArena *arena, KvsqlBatch *page, gsize *bytes,
           GError **error)
{
  KvsqlBatch *output;

  if (comes_dense (self))
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

/* A chunk that nothing was taken of becomes the page. */
static gboolean
can_hand_over (const KvsqlSelectRun *self, const KvsqlBatch *page)
{
  return page->n_rows == 0 && self->chunk != NULL && self->step == NULL && self->n_done == 0
         && self->n_skip == 0 && self->next_row == 0 && self->rows->n_rows <= self->page_rows
         && self->rows->n_rows <= rows_allowed (self);
}

static void
hand_over (KvsqlSelectRun *self, KvsqlArena *arena, KvsqlBatch **page, gsize *bytes)
{
  guint n = self->rows->n_rows;

  kvsql_batch_free (*page);
  *page = g_steal_pointer (&self->chunk->rows);
  *bytes += self->chunk->n_bytes;
  kvsql_arena_adopt (arena, g_steal_pointer (&self->chunk->arena));
  self->rows = self->no_rows;
  self->n_done = n;
  self->n_given += n;
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
           KvsqlArena *arena, KvsqlBatch **inout_page, gboolean *out_has_more, GError **error)
{
  gsize bytes = 0;

  *out_has_more = FALSE;
  while ((*inout_page)->n_rows < max_rows && bytes < max_bytes)
    {
      KvsqlBatch *page = *inout_page;
      guint ready;
      guint64 n;

      if (rows_allowed (self) == 0)
        return TRUE;
      if (!rows_ready (self, call, &ready, error))
        return FALSE;
      if (ready == 0)
        return TRUE;
      if (can_hand_over (self, page))
        {
          hand_over (self, arena, inout_page, &bytes);
          /* The next chunk shall become a page, too. */
          if ((*inout_page)->n_rows >= max_rows / SMALL_CHUNK)
            break;
          continue;
        }
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
  g_autoptr (KvsqlBatch) page = new_page (self);

  self->page_rows = max_rows;
  self->page_bytes = max_bytes;
  if (self->parallel != NULL && self->step == NULL)
    kvsql_parallel_set_chunks (self->parallel, max_rows, max_bytes);
  if (!fill_page (self, max_rows, max_bytes, call, arena, &page, out_has_more, error))
    return FALSE;
  self->n_last_rows = page->n_rows;
  *out_page = g_steal_pointer (&page);
  return TRUE;
}

/* The place behind the last row that was given out, or passed over; FALSE: there is none. */
static gboolean
get_place (KvsqlSelectRun *self, KvsqlScanPosition *out)
{
  if (self->step != NULL || self->product != NULL)
    return FALSE;
  if (self->parallel == NULL)
    return self->scan != NULL && self->next > 0
           && kvsql_tuple_scan_get_position (self->scan, self->selection[self->next - 1], out);
  if (self->n_done > 0)
    kvsql_part_chunk_get_position (self->chunk, self->n_done - 1, out);
  else
    *out = self->position;
  return TRUE;
}

gdouble
kvsql_select_run_guess_done (KvsqlSelectRun *self, const KvsqlCall *call)
{
  KvsqlScanPosition place;
  gdouble done = -1;

  if (self->plan->limit != KVSQL_NO_LIMIT && self->plan->limit > 0)
    done = (gdouble)self->n_given / (gdouble)self->plan->limit;
  if (get_place (self, &place))
    done = MAX (done, kvsql_tuple_scan_guess_done (self->scan, &place, call));
  return done;
}

void
kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena, KvsqlSelectPosition *out)
{
  *out = (KvsqlSelectPosition){ .n_given = self->n_given, .part = self->part };
  if (get_place (self, &out->scan))
    {
      out->scan.table = kvsql_slice_dup (arena, out->scan.table);
      out->scan.row = kvsql_slice_dup (arena, out->scan.row);
      out->n_skip = self->n_skip;
      return;
    }
  out->n_skip = self->plan->offset + self->n_given;
}
