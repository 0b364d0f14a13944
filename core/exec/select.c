/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.c: turns the rows of a plan's operators into pages.
 *
 * Without a blocking operator the run can resume after each row. A run with one of them that is
 * resumed in another daemon computes the result again, and skips the rows that were emitted.
 */
#include "config.h"

#include "core/exec/select.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/exec/limit.h"
#include "core/exec/part-scan.h"
#include "core/exec/result-builder.h"
#include "core/exec/table-source.h"

#define FIRST_PAGE_CAPACITY 16
/* A chunk with at least 1 / SMALL_CHUNK of a page's rows is a page of its own. Smaller chunks are
 * put together. */
#define SMALL_CHUNK 8

struct _KvsqlSelectRun
{
  const KvsqlSelectPlan *plan;
  KvsqlSelectLimits limits;
  KvsqlRunCounts own_counts;
  KvsqlOperatorTree operators;
  KvsqlScanPart part;
  guint n_last_rows;       /* of the last page, if they were copied */
  guint n_last_slice;      /* rows that the operators gave last */
  guint64 *n_joined_taken; /* by relation: undecodable cells that were returned */
};

KvsqlSelectRun *
kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                      const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position)
{
  KvsqlSelectRun *self = kvsql_new0 (KvsqlSelectRun);

  self->plan = plan;
  self->limits = *limits;
  if (self->limits.counts == NULL)
    self->limits.counts = &self->own_counts;
  if (position != NULL)
    self->part = position->part;
  kvsql_operator_tree_init (&self->operators, plan, store, &self->limits, position);
  self->n_joined_taken = g_new0 (guint64, self->operators.n_others);
  return self;
}

/* Adds the undecodable cells of all relations. */
static void
add_undecodable (const KvsqlSelectRun *self)
{
  KvsqlAssemblerCounts counts;

  if (self->limits.undecodable == NULL)
    return;
  kvsql_select_run_get_counts (self, &counts);
  for (guint i = 0; i < self->operators.n_others; i++)
    kvsql_row_source_add_counts (self->operators.others[i].root, &counts);
  *self->limits.undecodable += counts.undecodable;
}

void
kvsql_select_run_free (KvsqlSelectRun *self)
{
  if (self == NULL)
    return;
  add_undecodable (self);
  kvsql_operator_tree_clear (&self->operators);
  g_free (self->n_joined_taken);
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
  *out = (KvsqlAssemblerCounts){ 0 };
  kvsql_row_source_add_counts (self->operators.root, out);
}

gboolean
kvsql_select_run_take_joined_counts (KvsqlSelectRun *self, guint part, KvsqlAssemblerCounts *out)
{
  guint64 n_before = self->n_joined_taken[part];

  *out = (KvsqlAssemblerCounts){ 0 };
  kvsql_row_source_add_counts (self->operators.others[part].root, out);
  self->n_joined_taken[part] = out->undecodable;
  out->undecodable -= n_before;
  return out->undecodable > 0;
}

void
kvsql_select_run_take_operand_counts (KvsqlSelectRun *self, KvsqlUndecodableFunc func,
                                      gpointer data)
{
  kvsql_operator_tree_take_undecodable (&self->operators, func, data);
}

/* ---- pages */

/* As large as the last page. A chunk will replace it if one replaced the last one. */
static KvsqlBatch *
new_page (const KvsqlSelectRun *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->n_items);

  for (guint i = 0; i < plan->n_items; i++)
    types[i] = kvsql_select_plan_get_type (plan, i);
  return kvsql_batch_new (types, plan->n_items, MAX (FIRST_PAGE_CAPACITY, self->n_last_rows));
}

/* The rows of a chunk become the page. */
static void
hand_over (KvsqlPartChunk *chunk, KvsqlArena *arena, KvsqlBatch **page, gsize *bytes)
{
  g_assert ((*page)->n_rows == 0 && chunk->rows->n_columns == (*page)->n_columns);
  kvsql_batch_free (*page);
  *page = g_steal_pointer (&chunk->rows);
  *bytes += chunk->n_bytes;
  kvsql_arena_adopt (arena, g_steal_pointer (&chunk->arena));
}

/* Whether there may be more rows. With a blocking operator this is known exactly. */
static gboolean
find_has_more (KvsqlSelectRun *self, const KvsqlCall *call, gboolean *out_has_more, GError **error)
{
  KvsqlRowSource *limit = self->operators.root;

  *out_has_more = !kvsql_limit_is_reached (limit);
  return !*out_has_more || kvsql_select_plan_is_streaming (self->plan)
         || kvsql_row_source_peek (limit, call, out_has_more, error);
}

static gboolean
fill_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
           KvsqlArena *arena, KvsqlBatch **inout_page, gboolean *out_has_more, GError **error)
{
  KvsqlRowDemand demand
      = { .max_in_total = G_MAXUINT64, .page_rows = max_rows, .page_bytes = max_bytes };
  KvsqlRowSource *root = self->operators.root;
  gsize bytes = 0;

  *out_has_more = FALSE;
  while ((*inout_page)->n_rows < max_rows && bytes < max_bytes)
    {
      KvsqlBatch *page = *inout_page;
      KvsqlRowSlice slice;

      demand.max_rows = max_rows - page->n_rows;
      /* large values: check the size more often than once for each batch */
      demand.max_copied = (guint)MIN (MAX (1, (max_bytes - bytes) / 4096), G_MAXUINT);
      if (!kvsql_row_source_next (root, &demand, call, &slice, error))
        return FALSE;
      if (slice.n == 0)
        return kvsql_interrupt_poll (error);
      g_assert (slice.n <= demand.max_rows);
      if (slice.chunk == NULL || page->n_rows > 0)
        kvsql_row_source_keep (
            root, kvsql_row_slice_count_fitting (&slice, page->n_columns, max_bytes - bytes),
            &slice);
      self->n_last_slice = slice.n;
      self->n_last_rows += slice.chunk == NULL ? slice.n : 0;
      if (slice.chunk != NULL && page->n_rows == 0)
        {
          hand_over (slice.chunk, arena, inout_page, &bytes);
          /* the next chunk is to become a page, too */
          if ((*inout_page)->n_rows >= max_rows / SMALL_CHUNK)
            break;
        }
      else
        bytes += kvsql_result_builder_append (page, slice.batch, slice.columns, slice.rows, slice.n,
                                              arena);
    }
  /* else values may be missing in what was copied */
  return kvsql_interrupt_poll (error) && find_has_more (self, call, out_has_more, error);
}

gboolean
kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
                       KvsqlArena *arena, KvsqlBatch **out_page, gboolean *out_has_more,
                       GError **error)
{
  g_autoptr (KvsqlBatch) page = new_page (self);

  self->n_last_rows = 0;
  if (!fill_page (self, max_rows, max_bytes, call, arena, &page, out_has_more, error))
    return FALSE;
  *out_page = g_steal_pointer (&page);
  return TRUE;
}

/* ---- positions */

/* The position after the last row that was emitted. FALSE: there is none. */
static gboolean
get_place (KvsqlSelectRun *self, KvsqlScanPosition *out)
{
  return self->n_last_slice > 0
         && kvsql_row_source_get_positions (self->operators.root, self->n_last_slice - 1, 1, out);
}

gdouble
kvsql_select_run_guess_done (KvsqlSelectRun *self, const KvsqlCall *call)
{
  guint64 n_emitted = kvsql_limit_get_n_given (self->operators.root);
  KvsqlScanPosition place;
  gdouble done = -1;

  if (self->plan->limit != KVSQL_NO_LIMIT && self->plan->limit > 0)
    done = (gdouble)n_emitted / (gdouble)self->plan->limit;
  if (get_place (self, &place))
    done = MAX (done, kvsql_table_source_guess_done (self->operators.table, &place, call));
  return done;
}

void
kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena, KvsqlSelectPosition *out)
{
  guint64 n_emitted = kvsql_limit_get_n_given (self->operators.root);

  *out = (KvsqlSelectPosition){ .n_emitted = n_emitted, .part = self->part };
  if (get_place (self, &out->scan))
    {
      out->scan.table = kvsql_slice_dup (arena, out->scan.table);
      out->scan.row = kvsql_slice_dup (arena, out->scan.row);
      out->n_skip = kvsql_limit_get_n_skip (self->operators.root);
      return;
    }
  out->n_skip = self->plan->offset + n_emitted;
}
