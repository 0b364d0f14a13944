/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.c: batches of the scan to pages of the answer.
 *
 * Without ORDER BY tuples stream from the scan to the page. With it they are gathered, sorted once
 * (stable: equal ones keep the order of the scan) and given out page by page; a run begun again
 * elsewhere sorts again and passes over what was given out.
 */
#include "config.h"

#include "core/exec/filter.h"
#include "core/exec/select.h"

#define FIRST_PAGE_CAPACITY 16

struct _KvsqlSelectRun
{
  const KvsqlSelectPlan *plan;
  KvsqlTupleScan *scan;
  KvsqlFilter *filter;
  gsize sort_bytes;

  KvsqlBatch *batch; /* the scan's */
  const guint32 *selection;
  guint n_selected;
  guint next; /* in the selection */
  gboolean is_scan_at_end;

  guint64 n_skip; /* still to pass over */
  guint64 n_given;
  guint64 n_behind; /* tuples passed or given since the run's scan position */

  KvsqlArena *sort_arena; /* NULL: not sorted */
  KvsqlValue **sorted;
  guint n_sorted;
  guint next_sorted;
};

KvsqlSelectRun *
kvsql_select_run_new (const KvsqlSelectPlan *plan, KvsqlStore *store,
                      const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position)
{
  KvsqlSelectRun *self = g_new0 (KvsqlSelectRun, 1);
  /* where rows may be rejected, how many will be needed is not known */
  gboolean is_bounded
      = plan->limit != KVSQL_NO_LIMIT && !kvsql_select_plan_sorts (plan) && plan->chosen->is_proved;
  guint64 hint = is_bounded ? plan->limit + plan->offset : 0;

  self->plan = plan;
  self->sort_bytes = limits->sort_bytes;
  self->scan
      = kvsql_tuple_scan_new (store, plan->chosen, &plan->needed,
                              position == NULL ? NULL : &position->scan, hint, limits->sort_bytes);
  self->filter = kvsql_filter_new (plan->predicate);
  self->n_skip = position == NULL ? plan->offset : position->n_skip;
  self->n_given = position == NULL ? 0 : position->n_given;
  return self;
}

void
kvsql_select_run_free (KvsqlSelectRun *self)
{
  if (self == NULL)
    return;
  kvsql_tuple_scan_free (self->scan);
  kvsql_filter_free (self->filter);
  kvsql_arena_free (self->sort_arena);
  g_free (self->sorted);
  g_free (self);
}

void
kvsql_select_run_get_counts (const KvsqlSelectRun *self, KvsqlAssemblerCounts *out)
{
  kvsql_tuple_scan_get_counts (self->scan, out);
}

/* The next tuples that satisfy the predicate; FALSE in *out_any at the end. */
static gboolean
next_selection (KvsqlSelectRun *self, const KvsqlCall *call, gboolean *out_any, GError **error)
{
  while (self->next == self->n_selected && !self->is_scan_at_end)
    {
      if (!kvsql_tuple_scan_next (self->scan, call, &self->batch, error))
        return FALSE;
      self->is_scan_at_end = self->batch->n_rows == 0;
      self->next = self->n_selected = 0;
      if (!kvsql_filter_run (self->filter, self->batch, &self->selection, &self->n_selected, error))
        return FALSE;
    }
  *out_any = self->next < self->n_selected;
  return TRUE;
}

/* ---- ORDER BY */

static gint
compare_tuples (gconstpointer x, gconstpointer y, gpointer user_data)
{
  const KvsqlValue *a = *(KvsqlValue *const *)x, *b = *(KvsqlValue *const *)y;
  const KvsqlSelectPlan *plan = user_data;

  for (guint i = 0; i < plan->n_sort; i++)
    {
      const KvsqlSortKey *key = &plan->sort[i];
      const KvsqlValue *left = &a[key->attribute], *right = &b[key->attribute];
      gboolean left_is_null = kvsql_value_is_null (left),
               right_is_null = kvsql_value_is_null (right);
      /* NULL counts as the greatest: last when ascending, first when descending */
      gint order = left_is_null || right_is_null
                       ? (left_is_null != FALSE) - (right_is_null != FALSE)
                       : kvsql_value_compare (left, right);
      if (order != 0)
        return key->is_descending ? -order : order;
    }
  return 0;
}

static gboolean
keep_tuple (KvsqlSelectRun *self, GPtrArray *kept, guint row, GError **error)
{
  KvsqlValue *tuple = kvsql_arena_array (self->sort_arena, KvsqlValue, self->batch->n_columns);

  for (guint a = 0; a < self->batch->n_columns; a++)
    {
      KvsqlValue value = kvsql_vector_get (&self->batch->columns[a], row);
      tuple[a] = kvsql_value_dup (&value, self->sort_arena);
    }
  g_ptr_array_add (kept, tuple);
  if (kvsql_arena_get_size (self->sort_arena) <= self->sort_bytes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "ORDER BY needs more than %" G_GSIZE_FORMAT " MiB", self->sort_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate, leave ORDER BY out, or raise sort_bytes "
                                  "in the daemon's configuration.");
}

static gboolean
sort_all (KvsqlSelectRun *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  gboolean any;

  self->sort_arena = kvsql_arena_new ();
  for (;;)
    {
      if (!next_selection (self, call, &any, error))
        return FALSE;
      if (!any)
        break;
      for (; self->next < self->n_selected; self->next++)
        if (!keep_tuple (self, kept, self->selection[self->next], error))
          return FALSE;
    }
  g_ptr_array_sort_with_data (kept, compare_tuples, (gpointer)self->plan);
  self->n_sorted = kept->len;
  self->sorted = (KvsqlValue **)g_ptr_array_steal (kept, NULL);
  return TRUE;
}

/* ---- pages */

static gsize
value_size (const KvsqlValue *value)
{
  return kvsql_type_get_class (value->type) == KVSQL_CLASS_SLICE ? value->bytes.size + 4 : 8;
}

static KvsqlBatch *
new_page (const KvsqlSelectPlan *plan)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->n_items);

  for (guint i = 0; i < plan->n_items; i++)
    types[i] = plan->entry->relation->attributes[plan->items[i]].type;
  return kvsql_batch_new (types, plan->n_items, FIRST_PAGE_CAPACITY);
}

static void
make_room (KvsqlBatch *page, guint n_rows)
{
  if (n_rows > page->capacity)
    kvsql_batch_reserve (page, MAX (n_rows, page->capacity * 2));
}

/* Bytes of a column's values, all copied in one piece. */
static gsize
copy_slices (const KvsqlVector *from, const guint32 *rows, guint n, KvsqlArena *arena,
             KvsqlSlice *to)
{
  gsize size = 0;
  guint8 *at;

  for (guint i = 0; i < n; i++)
    if (!kvsql_vector_is_null (from, rows[i]))
      size += from->slices[rows[i]].size;
  at = kvsql_arena_alloc (arena, size);
  for (guint i = 0; i < n; i++)
    {
      KvsqlSlice slice
          = kvsql_vector_is_null (from, rows[i]) ? KVSQL_SLICE_EMPTY : from->slices[rows[i]];
      if (slice.size > 0)
        memcpy (at, slice.data, slice.size);
      to[i] = kvsql_slice (at, slice.size);
      at += slice.size;
    }
  return size + 4 * n;
}

#define COPY(member)                                                                               \
  for (guint i = 0; i < n; i++)                                                                    \
  to->member[at + i] = from->member[rows[i]]

/* Appends the rows of one column; returns their size in bytes. */
static gsize
copy_column (const KvsqlVector *from, const guint32 *rows, guint n, KvsqlArena *arena,
             KvsqlVector *to, guint at)
{
  gsize size = 8 * n;

  switch (kvsql_type_get_class (from->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      COPY (booleans);
      break;
    case KVSQL_CLASS_INTEGER:
      COPY (integers);
      break;
    case KVSQL_CLASS_REAL:
      COPY (reals);
      break;
    case KVSQL_CLASS_SLICE:
      size = copy_slices (from, rows, n, arena, to->slices + at);
      break;
    case KVSQL_CLASS_NONE:
      break;
    }
  if (from->has_nulls)
    for (guint i = 0; i < n; i++)
      if (kvsql_vector_is_null (from, rows[i]))
        kvsql_vector_set_null (to, at + i);
  return size;
}

static gsize
copy_rows (KvsqlSelectRun *self, guint n, KvsqlArena *arena, KvsqlBatch *page)
{
  gsize size = 0;

  make_room (page, page->n_rows + n);
  for (guint i = 0; i < self->plan->n_items; i++)
    size += copy_column (&self->batch->columns[self->plan->items[i]], self->selection + self->next,
                         n, arena, &page->columns[i], page->n_rows);
  page->n_rows += n;
  return size;
}

static guint64
rows_allowed (const KvsqlSelectRun *self)
{
  return self->plan->limit == KVSQL_NO_LIMIT
             ? G_MAXUINT64
             : self->plan->limit - MIN (self->n_given, self->plan->limit);
}

static void
advance (KvsqlSelectRun *self, guint n)
{
  self->next += n;
  self->n_behind += n;
}

static gboolean
stream_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
             KvsqlArena *arena, KvsqlBatch *page, gboolean *out_has_more, GError **error)
{
  gsize bytes = 0;
  gboolean any;

  *out_has_more = TRUE;
  while (page->n_rows < max_rows && bytes < max_bytes)
    {
      guint64 n;

      if (rows_allowed (self) == 0)
        {
          *out_has_more = FALSE;
          return TRUE;
        }
      if (!next_selection (self, call, &any, error))
        return FALSE;
      if (!any)
        {
          *out_has_more = FALSE;
          return TRUE;
        }
      n = MIN (self->n_skip, self->n_selected - self->next);
      self->n_skip -= n;
      advance (self, n);
      n = MIN (MIN (rows_allowed (self), self->n_selected - self->next), max_rows - page->n_rows);
      /* large values: look at the size more often than once a batch */
      n = MIN (n, MAX (1, (max_bytes - bytes) / 4096));
      if (n == 0)
        continue;
      bytes += copy_rows (self, n, arena, page);
      advance (self, n);
      self->n_given += n;
    }
  *out_has_more = rows_allowed (self) > 0;
  return TRUE;
}

static gboolean
sorted_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, KvsqlArena *arena,
             KvsqlBatch *page, gboolean *out_has_more)
{
  gsize bytes = 0;
  guint64 n = MIN (self->n_skip, self->n_sorted - self->next_sorted);

  self->n_skip -= n;
  self->n_behind += n;
  self->next_sorted += n;
  while (page->n_rows < max_rows && bytes < max_bytes && self->next_sorted < self->n_sorted
         && rows_allowed (self) > 0)
    {
      const KvsqlValue *tuple = self->sorted[self->next_sorted++];

      make_room (page, page->n_rows + 1);
      for (guint i = 0; i < self->plan->n_items; i++)
        {
          KvsqlValue value = kvsql_value_dup (&tuple[self->plan->items[i]], arena);
          kvsql_vector_set (&page->columns[i], page->n_rows, &value);
          bytes += value_size (&value);
        }
      page->n_rows++;
      self->n_given++;
      self->n_behind++;
    }
  *out_has_more = self->next_sorted < self->n_sorted && rows_allowed (self) > 0;
  return TRUE;
}

gboolean
kvsql_select_run_page (KvsqlSelectRun *self, guint max_rows, gsize max_bytes, const KvsqlCall *call,
                       KvsqlArena *arena, KvsqlBatch **out_page, gboolean *out_has_more,
                       GError **error)
{
  g_autoptr (KvsqlBatch) page = new_page (self->plan);
  gboolean ok = TRUE;

  if (kvsql_select_plan_sorts (self->plan) && self->sort_arena == NULL)
    ok = sort_all (self, call, error);
  if (ok && kvsql_select_plan_sorts (self->plan))
    ok = sorted_page (self, max_rows, max_bytes, arena, page, out_has_more);
  else if (ok)
    ok = stream_page (self, max_rows, max_bytes, call, arena, page, out_has_more, error);
  if (ok)
    *out_page = g_steal_pointer (&page);
  return ok;
}

void
kvsql_select_run_get_position (KvsqlSelectRun *self, KvsqlArena *arena, KvsqlSelectPosition *out)
{
  *out = (KvsqlSelectPosition){ .n_given = self->n_given };
  /* behind the last tuple that was given out (or passed over) of this batch */
  if (!kvsql_select_plan_sorts (self->plan) && self->next > 0
      && kvsql_tuple_scan_get_position (self->scan, self->selection[self->next - 1], &out->scan))
    {
      out->scan.table = kvsql_slice_dup (arena, out->scan.table);
      out->scan.row = kvsql_slice_dup (arena, out->scan.row);
      out->n_skip = self->n_skip;
      return;
    }
  out->n_skip = self->plan->offset + self->n_given;
}
