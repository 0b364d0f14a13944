/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.c: builds the pipeline of a SELECT, and turns its rows into pages.
 *
 * Scan, filter and outputs come first. Without a blocking operator, rows go from there to the page.
 * Only the rows that are asked for are computed, and the run can resume after each of them. If a
 * scan turns out to be long, its rest is cut into parts, which are filtered and computed in
 * parallel (parallel.h).
 *
 * Groups, DISTINCT and order are blocking operators after the outputs. A run with one of them that
 * is resumed in another daemon computes the result again, and skips the rows that were emitted.
 */
#include "config.h"

#include "core/exec/aggregate.h"
#include "core/base/memory.h"
#include "core/exec/distinct.h"
#include "core/scan/predicate-filter.h"
#include "core/exec/result-builder.h"
#include "core/exec/parallel.h"
#include "core/exec/partition.h"
#include "core/exec/cross-join.h"
#include "core/exec/project.h"
#include "core/exec/select.h"
#include "core/exec/sort.h"

#define FIRST_PAGE_CAPACITY 16
/* Tuples in a part, about: enough to be worth opening a scan, and few enough to be buffered. */
#define PART_TUPLES 32768
#define MAX_PARTS 256
/* If the number of tuples is not known. */
#define DEFAULT_PARTS 16
/* A statement with a LIMIT up to this reads a long scan without workers. */
#define SMALL_LIMIT 100000
/* Workers aggregate chunks as long as a group has at least this many rows on average. */
#define LEAST_ROWS_OF_GROUP 2
/* A chunk with at least 1 / SMALL_CHUNK of a page's rows is a page of its own. Smaller chunks are
 * put together. */
#define SMALL_CHUNK 8

struct _KvsqlSelectRun
{
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
  KvsqlSelectLimits limits;
  KvsqlTableScan *scan;          /* NULL: all was read, or there is no FROM */
  KvsqlAssemblerCounts counts;   /* of a scan that was freed */
  gchar **samples;               /* of @counts; those of the scan lived only as long as the scan */
  KvsqlCrossJoinRun *cross_join; /* NULL: the rows are the scan's tuples */
  KvsqlPredicateFilter *filter;

  KvsqlBatch *batch; /* of the scan */
  const guint32 *selection;
  guint n_selected;
  guint next; /* row of the selection */
  gboolean is_scan_at_end;
  KvsqlBatch *nothing; /* without FROM: one row without columns */
  gboolean is_begun;

  KvsqlRunCounts own_counts;
  guint64 n_read;          /* tuples, by the scan */
  guint64 next_cut;        /* when @n_read reaches this, the scan may be cut; 0: never */
  KvsqlParallel *parallel; /* reads the rest of the scan; NULL: there is none, or not yet */
  KvsqlPartChunk *chunk;   /* the last one of @parallel */
  guint n_done;            /* rows of @chunk that were emitted or skipped */
  guint page_rows;         /* the size of pages */
  guint n_last_rows;       /* of the last page */
  gsize page_bytes;
  KvsqlBatch *no_rows;        /* after the last chunk */
  KvsqlScanPosition position; /* after the last row before @chunk */
  KvsqlArena *position_arena; /* of the bytes of @position */

  KvsqlEvaluator *outputs; /* of streamed tuples; NULL: they are attributes */

  KvsqlRowSource *blocking; /* the last blocking operator; NULL: rows are streamed */
  KvsqlAggregation aggregation;
  KvsqlRowSource
      *aggregate; /* borrowed from @blocking: the operator directly after the source; nullable */
  gboolean is_aggregating; /* chunks of a long scan may have groups instead of rows */
  KvsqlKeyPart *order;
  const KvsqlBatch *rows; /* of @blocking, or else of the chunk */
  guint next_row;
  gboolean is_step_at_end;

  guint32 *numbers; /* 0, 1, … */
  guint n_numbers;

  guint64 n_skip; /* still to be skipped */
  guint64 n_emitted;
  KvsqlScanPart part;
};

/* ---- the scan */

/* If rows may be filtered out, the number of rows that are needed is not known. */
static gboolean
is_bounded (const KvsqlSelectPlan *plan)
{
  return plan->limit != KVSQL_NO_LIMIT && kvsql_select_plan_is_streaming (plan)
         && plan->best->is_exact;
}

/* The number of rows that will be asked for in one go; 0: all. */
static guint64
rows_wanted (const KvsqlSelectPlan *plan, const KvsqlSelectLimits *limits)
{
  if (is_bounded (plan))
    return plan->limit + plan->offset;
  /* the rest is read in parts */
  return limits->n_workers > 0 ? limits->serial_rows : 0;
}

static KvsqlTableScan *
new_scan (const KvsqlSelectPlan *plan, KvsqlStore *store, const KvsqlSelectLimits *limits,
          const KvsqlSelectPosition *position)
{
  KvsqlTableScan *scan = kvsql_table_scan_new (store, plan->best, &plan->needed,
                                               position == NULL ? NULL : &position->scan,
                                               rows_wanted (plan, limits), limits->sort_bytes);

  kvsql_table_scan_watch (scan, limits->max_scan_rows, limits->counts);
  kvsql_table_scan_expect (scan,
                           is_bounded (plan) ? plan->limit + plan->offset : limits->expected_rows);
  if (position != NULL)
    kvsql_table_scan_restrict (scan, &position->part);
  return scan;
}

/* Starts at the beginning of the part of @position (nullable), or after its row. */
static void
begin_scan (KvsqlSelectRun *self, const KvsqlSelectPosition *position)
{
  const KvsqlSelectPlan *plan = self->plan;

  if (plan->entry != NULL)
    self->scan = new_scan (plan, self->store, &self->limits, position);
  self->n_read = self->next_cut = 0;
  if (self->limits.n_workers > 0 && (position == NULL || !position->part.is_part)
      && kvsql_select_can_be_cut (plan))
    self->next_cut = MAX (self->limits.serial_rows, 1);
  self->is_scan_at_end = FALSE;
  self->batch = NULL;
  self->next = self->n_selected = 0;
}

/* ---- scan and filter */

/* One row without columns, then none. */
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
  return self->cross_join == NULL
             ? kvsql_table_scan_next (self->scan, call, &self->batch, error)
             : kvsql_cross_join_run_next (self->cross_join, self->scan, call, &self->batch, error);
}

/* ---- long scans */

/* The outputs of each tuple, before any blocking operator. */
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
             : self->plan->limit - MIN (self->n_emitted, self->plan->limit);
}

/* Whether the scan, between two batches, has turned out to be long and is worth cutting. */
static gboolean
is_long (const KvsqlSelectRun *self)
{
  return self->next_cut > 0 && self->n_read >= self->next_cut
         && (self->blocking != NULL || rows_allowed (self) >= SMALL_LIMIT);
}

/* The number of parts for the rest after @position. */
static guint
count_parts (KvsqlSelectRun *self, const KvsqlScanPosition *position, const KvsqlCall *call)
{
  gdouble done = kvsql_table_scan_guess_done (self->scan, position, call);
  gdouble left = (gdouble)self->n_read * (1 - done) / MAX (done, 1e-9);

  if (done < 0)
    return DEFAULT_PARTS;
  return (guint)CLAMP (left / (gdouble)MIN (PART_TUPLES, self->limits.serial_rows), 1, MAX_PARTS);
}

static void
save_position (KvsqlSelectRun *self, const KvsqlScanPosition *position)
{
  KvsqlArena *arena = kvsql_arena_new ();

  self->position = *position;
  self->position.table = kvsql_slice_dup (arena, position->table);
  self->position.row = kvsql_slice_dup (arena, position->row);
  kvsql_arena_free (self->position_arena);
  self->position_arena = arena;
}

/* Leaves the rest after the last batch to workers and this thread, if it is long. */
static gboolean
cut_rest (KvsqlSelectRun *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlParallelLimits limits = { .workers = self->limits.workers,
                                 .n_workers = self->limits.n_workers,
                                 .buffer_bytes = self->limits.ahead_bytes };
  KvsqlScanPosition position;
  KvsqlPartOutput output;
  KvsqlScanPart *parts;
  guint n_wanted, n_parts;

  self->next_cut = 0;
  if (!kvsql_table_scan_get_position (self->scan, self->batch->n_rows - 1, &position))
    return TRUE;
  n_wanted = count_parts (self, &position, call);
  if (!kvsql_select_cut (self->plan, self->store, &position, n_wanted, call, arena, &parts,
                         &n_parts, error))
    return FALSE;
  if (n_parts == 0)
    return TRUE;
  save_position (self, &position);
  describe_output (self, &output);
  self->parallel
      = kvsql_parallel_new (&output, parts, n_parts, &position, &limits, call, self->limits.counts);
  if (self->blocking == NULL)
    kvsql_parallel_set_chunks (self->parallel, self->page_rows, self->page_bytes);
  kvsql_parallel_set_aggregating (self->parallel, self->is_aggregating);
  self->no_rows = kvsql_batch_new (output.types, output.n_columns, 1);
  g_free (output.types);
  self->limits.counts->scan.rows--; /* the last row is read again, to resume after its tuple */
  kvsql_table_scan_stop (self->scan);
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
      save_position (self, &position);
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

/* The next tuples. *out_any is FALSE at the end, or if the rest comes in chunks. */
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
      if (!kvsql_predicate_filter_run (self->filter, self->batch, &self->selection,
                                       &self->n_selected, error))
        return FALSE;
      if (self->scan != NULL)
        self->limits.counts->matched += self->n_selected;
    }
  *out_any = self->next < self->n_selected;
  return TRUE;
}

/* ---- the source of the blocking operators */

typedef struct
{
  KvsqlRowSource base;
  KvsqlSelectRun *run;
  KvsqlEvaluator *exprs;
} Source;

/* Reads all again, as rows, because groups cannot be sorted. Counts start again, too. */
static void
restart_with_rows (KvsqlSelectRun *self)
{
  kvsql_aggregate_forget (self->aggregate);
  g_clear_pointer (&self->chunk, kvsql_part_chunk_free);
  g_clear_pointer (&self->parallel, kvsql_parallel_free);
  g_clear_pointer (&self->no_rows, kvsql_batch_free);
  g_clear_pointer (&self->scan, kvsql_table_scan_free);
  *self->limits.counts = (KvsqlRunCounts){ 0 };
  self->is_aggregating = FALSE;
  begin_scan (self, NULL);
}

/* Combines the groups of the chunk with those of the aggregate. */
static gboolean
combine_groups (KvsqlSelectRun *self, GError **error)
{
  const KvsqlPartChunk *chunk = self->chunk;
  gboolean is_full;

  if (!kvsql_aggregate_merge (self->aggregate, chunk->groups, error))
    return FALSE;
  is_full = kvsql_aggregate_is_full (self->aggregate);
  if (is_full
      || kvsql_partial_aggregate_get_n_groups (chunk->groups)
             > chunk->counts.matched / LEAST_ROWS_OF_GROUP)
    kvsql_parallel_set_aggregating (self->parallel, FALSE);
  if (is_full && kvsql_parallel_has_groups (self->parallel))
    restart_with_rows (self);
  return TRUE;
}

static gboolean
source_next (KvsqlRowSource *source, const KvsqlCall *call, const KvsqlBatch **out_batch,
             GError **error)
{
  Source *self = (Source *)source;
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
      if (!combine_groups (run, error))
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

/* Copies the counts of the scan and of the parts, which are freed. */
static void
save_counts (KvsqlSelectRun *self)
{
  KvsqlAssemblerCounts counts;

  kvsql_select_run_get_counts (self, &counts);
  self->samples = g_new0 (gchar *, counts.n_samples + 1);
  for (guint i = 0; i < counts.n_samples; i++)
    self->samples[i] = g_strdup (counts.samples[i]);
  self->counts = counts;
  self->counts.samples = (const gchar *const *)self->samples;
}

/* A blocking operator frees its source, so that the store need not keep a scan open for a sorted
 * result. */
static void
source_free (KvsqlRowSource *source)
{
  Source *self = (Source *)source;

  if (self->run->scan != NULL)
    save_counts (self->run);
  g_clear_pointer (&self->run->scan, kvsql_table_scan_free);
  g_clear_pointer (&self->run->chunk, kvsql_part_chunk_free);
  g_clear_pointer (&self->run->parallel, kvsql_parallel_free);
  kvsql_evaluator_free (self->exprs);
  g_free (self);
}

static const KvsqlRowSourceClass source_class = { source_next, source_free };

static KvsqlRowSource *
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

static KvsqlRowSource *
add_groups (KvsqlSelectRun *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  const KvsqlGroups *groups = plan->groups;
  KvsqlSortLimits limits = sort_limits (self);
  KvsqlRowSource *source = new_source (self, groups->inputs, groups->n_inputs);

  self->aggregation = (KvsqlAggregation){ .types = types_of (groups->inputs, groups->n_inputs),
                                          .n_inputs = groups->n_inputs,
                                          .n_groups = groups->n_groups,
                                          .aggregates = groups->aggregates,
                                          .n_aggregates = groups->n_aggregates };
  self->aggregate = kvsql_aggregate_new (source, &self->aggregation, &limits);
  self->is_aggregating = kvsql_partial_aggregate_can_combine (&self->aggregation);
  return kvsql_project_new (self->aggregate, plan->outputs, plan->n_outputs, groups->having);
}

static KvsqlRowSource *
add_order (KvsqlSelectRun *self, KvsqlRowSource *source, const KvsqlType *types)
{
  const KvsqlSelectPlan *plan = self->plan;
  KvsqlSortLimits limits = sort_limits (self);
  guint64 top = plan->limit > G_MAXUINT64 - plan->offset ? G_MAXUINT64 : plan->limit + plan->offset;

  self->order = g_new (KvsqlKeyPart, plan->n_sort);
  for (guint i = 0; i < plan->n_sort; i++)
    self->order[i] = (KvsqlKeyPart){ plan->sort[i].column, plan->sort[i].is_descending,
                                     plan->sort[i].nulls_first };
  return kvsql_sort_new (source, types, plan->n_outputs, self->order, plan->n_sort, top, &limits);
}

static void
build_steps (KvsqlSelectRun *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  g_autofree KvsqlType *types = types_of (plan->outputs, plan->n_outputs);
  KvsqlSortLimits limits = sort_limits (self);

  self->blocking = plan->groups != NULL ? add_groups (self)
                                        : new_source (self, plan->outputs, plan->n_outputs);
  if (plan->is_distinct)
    self->blocking = kvsql_distinct_new (self->blocking, types, plan->n_outputs, &limits);
  if (kvsql_select_plan_sorts (plan))
    self->blocking = add_order (self, self->blocking, types);
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
  if (plan->cross_join != NULL)
    self->cross_join = kvsql_cross_join_run_new (plan, store, limits);
  self->filter = kvsql_predicate_filter_new (plan->predicate);
  self->n_skip = position == NULL ? plan->offset : position->n_skip;
  self->n_emitted = position == NULL ? 0 : position->n_emitted;
  if (position != NULL)
    self->part = position->part;
  if (!is_streaming)
    build_steps (self);
  else if (!kvsql_select_plan_is_plain (plan))
    self->outputs = kvsql_evaluator_new (plan->outputs, plan->n_items);
  return self;
}

static void
add_undecodable (const KvsqlSelectRun *self)
{
  KvsqlAssemblerCounts counts;

  if (self->limits.undecodable == NULL)
    return;
  kvsql_select_run_get_counts (self, &counts);
  *self->limits.undecodable += counts.undecodable;
}

void
kvsql_select_run_free (KvsqlSelectRun *self)
{
  if (self == NULL)
    return;
  add_undecodable (self);
  kvsql_row_source_free (self->blocking);
  kvsql_cross_join_run_free (self->cross_join);
  kvsql_part_chunk_free (self->chunk);
  kvsql_batch_free (self->no_rows);
  kvsql_parallel_free (self->parallel);
  kvsql_arena_free (self->position_arena);
  kvsql_table_scan_free (self->scan);
  kvsql_predicate_filter_free (self->filter);
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
    kvsql_table_scan_get_counts (self->scan, out);
  if (self->parallel == NULL)
    return;
  kvsql_parallel_get_counts (self->parallel, &parts);
  out->cells += parts.cells;
  out->undecodable += parts.undecodable;
  if (out->n_samples == 0)
    {
      out->samples = parts.samples;
      out->n_samples = parts.n_samples;
    }
}

gboolean
kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part, KvsqlAssemblerCounts *out)
{
  return kvsql_cross_join_run_take_counts (self->cross_join, part, out);
}

/* ---- pages */

/* As large as the last page. A chunk of a parallel scan may replace it. */
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

/* Whether rows come from self->rows, not from the scan's batch. */
static gboolean
has_dense_rows (const KvsqlSelectRun *self)
{
  return self->blocking != NULL || self->parallel != NULL;
}

/* The number of rows that can be emitted or skipped; 0 at the end. */
static gboolean
rows_ready (KvsqlSelectRun *self, const KvsqlCall *call, guint *out_n, GError **error)
{
  gboolean any;

  if (self->blocking == NULL && self->parallel == NULL)
    {
      if (!next_selection (self, call, &any, error))
        return FALSE;
      *out_n = self->n_selected - self->next;
      if (self->parallel == NULL)
        return TRUE;
    }
  if (!self->is_step_at_end && (self->rows == NULL || self->next_row == self->rows->n_rows))
    {
      if (!(self->blocking != NULL
                ? kvsql_row_source_next (self->blocking, call, &self->rows, error)
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
  if (!has_dense_rows (self))
    self->next += n;
  else
    self->next_row += n;
  if (self->chunk != NULL && self->blocking == NULL)
    self->n_done += n;
}

static gboolean
copy_rows (KvsqlSelectRun *self, guint n, KvsqlArena *arena, KvsqlBatch *page, gsize *bytes,
           GError **error)
{
  KvsqlBatch *output;

  if (has_dense_rows (self))
    *bytes += kvsql_result_builder_append (page, self->rows, NULL,
                                           numbers_from (self, self->next_row, n), n, arena);
  else if (self->outputs == NULL)
    *bytes += kvsql_result_builder_append (page, self->batch, self->plan->items,
                                           self->selection + self->next, n, arena);
  else if (kvsql_evaluator_run (self->outputs, self->batch, self->selection + self->next, n,
                                &output, error))
    *bytes += kvsql_result_builder_append (page, output, NULL, numbers_from (self, 0, n), n, arena);
  else
    return FALSE;
  return TRUE;
}

/* A chunk becomes the page if none of its rows was emitted or skipped. */
static gboolean
can_hand_over (const KvsqlSelectRun *self, const KvsqlBatch *page)
{
  return page->n_rows == 0 && self->chunk != NULL && self->blocking == NULL && self->n_done == 0
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
  self->n_emitted += n;
}

/* Whether there may be more rows. A blocking operator knows exactly. */
static gboolean
find_has_more (KvsqlSelectRun *self, const KvsqlCall *call, gboolean *out_has_more, GError **error)
{
  guint ready = 1;

  if (rows_allowed (self) > 0 && self->blocking != NULL && !rows_ready (self, call, &ready, error))
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
          /* the next chunk is to become a page, too */
          if ((*inout_page)->n_rows >= max_rows / SMALL_CHUNK)
            break;
          continue;
        }
      n = MIN (self->n_skip, ready);
      self->n_skip -= n;
      advance (self, n);
      n = MIN (MIN (rows_allowed (self), ready - n), max_rows - page->n_rows);
      /* large values: check the size more often than once for each batch */
      n = MIN (n, MAX (1, (max_bytes - bytes) / 4096));
      if (n == 0)
        continue;
      if (!copy_rows (self, n, arena, page, &bytes, error))
        return FALSE;
      advance (self, n);
      self->n_emitted += n;
    }
  return find_has_more (self, call, out_has_more, error);
}

gboolean
kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
                       KvsqlArena *arena, KvsqlBatch **out_page, gboolean *out_has_more,
                       GError **error)
{
  g_autoptr (KvsqlBatch) page = new_page (self);

  self->page_rows = max_rows;
  self->page_bytes = max_bytes;
  if (self->parallel != NULL && self->blocking == NULL)
    kvsql_parallel_set_chunks (self->parallel, max_rows, max_bytes);
  if (!fill_page (self, max_rows, max_bytes, call, arena, &page, out_has_more, error))
    return FALSE;
  self->n_last_rows = page->n_rows;
  *out_page = g_steal_pointer (&page);
  return TRUE;
}

/* The position after the last row that was emitted or skipped. FALSE: there is none. */
static gboolean
get_place (KvsqlSelectRun *self, KvsqlScanPosition *out)
{
  if (self->blocking != NULL || self->cross_join != NULL)
    return FALSE;
  if (self->parallel == NULL)
    return self->scan != NULL && self->next > 0
           && kvsql_table_scan_get_position (self->scan, self->selection[self->next - 1], out);
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
    done = (gdouble)self->n_emitted / (gdouble)self->plan->limit;
  if (get_place (self, &place))
    done = MAX (done, kvsql_table_scan_guess_done (self->scan, &place, call));
  return done;
}

void
kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena, KvsqlSelectPosition *out)
{
  *out = (KvsqlSelectPosition){ .n_emitted = self->n_emitted, .part = self->part };
  if (get_place (self, &out->scan))
    {
      out->scan.table = kvsql_slice_dup (arena, out->scan.table);
      out->scan.row = kvsql_slice_dup (arena, out->scan.row);
      out->n_skip = self->n_skip;
      return;
    }
  out->n_skip = self->plan->offset + self->n_emitted;
}
