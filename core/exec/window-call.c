/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-call.c: a function for each kind of call.
 */
#include "config.h"

#include "core/exec/window-call.h"

#include "core/exec/window-aggregate.h"
#include "core/exec/window-frame.h"

struct _KvsqlWindowEvaluator
{
  const KvsqlWindowCall *call;
  KvsqlWindowFrame frame;
  KvsqlWindowAggregate *aggregate; /* nullable */
  gboolean has_buckets;            /* of ntile, in the partition @partition */
  guint64 partition;
  KvsqlValue buckets;
};

KvsqlWindowEvaluator *
kvsql_window_evaluator_new (const KvsqlWindowCall *call, const KvsqlKeyPart *order)
{
  KvsqlWindowEvaluator *self = g_new0 (KvsqlWindowEvaluator, 1);

  self->call = call;
  kvsql_window_frame_init (&self->frame, &call->frame, order);
  if (call->function == KVSQL_WINDOW_AGGREGATE)
    self->aggregate = kvsql_window_aggregate_new (&call->aggregate);
  return self;
}

void
kvsql_window_evaluator_free (KvsqlWindowEvaluator *self)
{
  if (self == NULL)
    return;
  kvsql_window_frame_clear (&self->frame);
  kvsql_window_aggregate_free (self->aggregate);
  g_free (self);
}

/* ---- values of rows */

/* The bytes are in @arena. */
static gboolean
read_value (KvsqlWindowRows *rows, guint64 row, guint column, KvsqlArena *arena, KvsqlValue *out,
            GError **error)
{
  const KvsqlBatch *batch;
  const KvsqlWindowPlace *places;

  if (!kvsql_window_rows_get (rows, row, &batch, &places, error))
    return FALSE;
  *out = kvsql_vector_get (&batch->columns[column], row % KVSQL_BATCH_ROWS);
  *out = kvsql_value_dup (out, arena);
  return TRUE;
}

static gboolean
read_argument (const KvsqlWindowEvaluator *self, const KvsqlWindowCurrent *current, guint number,
               KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  return read_value (current->rows, current->row, self->call->arguments[number], arena, out, error);
}

static gboolean
fail_argument (const gchar *function, const gchar *sqlstate, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "argument of %s must be greater than zero", function);
  return kvsql_error_sqlstate (error, sqlstate);
}

/* ---- numbers of rows */

static gboolean
compute_rank (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current, KvsqlArena *arena,
              KvsqlValue *out, GError **error)
{
  const KvsqlWindowPlace *place = &current->place;

  out->type = KVSQL_TYPE_BIGINT;
  switch (self->call->function)
    {
    case KVSQL_WINDOW_ROW_NUMBER:
      out->integer = (gint64)(current->row - place->partition) + 1;
      return TRUE;
    case KVSQL_WINDOW_RANK:
      out->integer = (gint64)(place->peers - place->partition) + 1;
      return TRUE;
    default:
      out->integer = (gint64)place->group + 1;
      return TRUE;
    }
}

static gboolean
compute_share (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current, KvsqlArena *arena,
               KvsqlValue *out, GError **error)
{
  guint64 partition = current->place.partition, end, peers_end;

  out->type = KVSQL_TYPE_DOUBLE;
  if (!kvsql_window_current_find_end (current, &end, error))
    return FALSE;
  if (self->call->function == KVSQL_WINDOW_PERCENT_RANK)
    {
      out->real = end - partition <= 1 ? 0
                                       : (gdouble)(current->place.peers - partition)
                                             / (gdouble)(end - partition - 1);
      return TRUE;
    }
  if (!kvsql_window_current_find_peers_end (current, &peers_end, error))
    return FALSE;
  out->real = (gdouble)(peers_end - partition) / (gdouble)(end - partition);
  return TRUE;
}

/* The number of buckets is that of the first row of the partition. The first buckets have one row
 * more than the others. */
static gboolean
compute_ntile (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current, KvsqlArena *arena,
               KvsqlValue *out, GError **error)
{
  guint64 partition = current->place.partition, end, n, size, n_larger, row;

  if (!self->has_buckets || self->partition != partition)
    {
      if (!read_argument (self, current, 0, arena, &self->buckets, error))
        return FALSE;
      self->has_buckets = TRUE;
      self->partition = partition;
    }
  *out = self->buckets;
  if (kvsql_value_is_null (out))
    return TRUE;
  if (out->integer <= 0)
    return fail_argument ("ntile", "22014", error);
  if (!kvsql_window_current_find_end (current, &end, error))
    return FALSE;
  n = (guint64)out->integer;
  size = (end - partition) / n;
  n_larger = (end - partition) % n;
  row = current->row - partition;
  out->integer = row < n_larger * (size + 1)
                     ? (gint64)(row / (size + 1)) + 1
                     : (gint64)((row - n_larger * (size + 1)) / size + n_larger) + 1;
  return TRUE;
}

/* ---- values of other rows */

/* lag and lead: a value at a distance from the current row. */
static gboolean
compute_neighbour (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current, KvsqlArena *arena,
                   KvsqlValue *out, GError **error)
{
  gint64 distance = 1;
  guint64 row;
  gboolean is_inside;

  if (self->call->n_arguments > 1)
    {
      if (!read_argument (self, current, 1, arena, out, error))
        return FALSE;
      if (kvsql_value_is_null (out))
        return TRUE;
      distance = out->integer; /* an INT */
    }
  if (self->call->function == KVSQL_WINDOW_LAG)
    distance = -distance;
  row = current->row + (guint64)distance;
  is_inside = distance >= 0 || current->row - current->place.partition >= (guint64)-distance;
  if (distance > 0 && !kvsql_window_current_has (current, row, &is_inside, error))
    return FALSE;
  *out = KVSQL_VALUE_NULL;
  if (is_inside)
    return read_value (current->rows, row, self->call->arguments[0], arena, out, error);
  return self->call->n_arguments < 3 || read_argument (self, current, 2, arena, out, error);
}

/* The row at @position of the frame, from 0. FALSE: the frame has fewer rows. */
static gboolean
find_in_frame (const KvsqlWindowFrame *frame, guint64 position, guint64 *out)
{
  for (guint i = 0; i < KVSQL_FRAME_SPANS; i++)
    {
      guint64 n = frame->spans[i].to - frame->spans[i].from;

      *out = frame->spans[i].from + position;
      if (position < n)
        return TRUE;
      position -= n;
    }
  return FALSE;
}

static gboolean
find_last (const KvsqlWindowFrame *frame, guint64 *out)
{
  for (guint i = KVSQL_FRAME_SPANS; i > 0; i--)
    if (frame->spans[i - 1].from < frame->spans[i - 1].to)
      {
        *out = frame->spans[i - 1].to - 1;
        return TRUE;
      }
  return FALSE;
}

static gboolean
compute_in_frame (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current, KvsqlArena *arena,
                  KvsqlValue *out, GError **error)
{
  guint64 row, position = 0;
  gboolean any;

  if (!kvsql_window_frame_move (&self->frame, current, error))
    return FALSE;
  if (self->call->function == KVSQL_WINDOW_NTH_VALUE)
    {
      if (!read_argument (self, current, 1, arena, out, error))
        return FALSE;
      if (kvsql_value_is_null (out))
        return TRUE;
      if (out->integer <= 0)
        return fail_argument ("nth_value", "22016", error);
      position = (guint64)out->integer - 1;
    }
  any = self->call->function == KVSQL_WINDOW_LAST_VALUE
            ? find_last (&self->frame, &row)
            : find_in_frame (&self->frame, position, &row);
  *out = KVSQL_VALUE_NULL;
  return !any || read_value (current->rows, row, self->call->arguments[0], arena, out, error);
}

static gboolean
compute_aggregate (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current, KvsqlArena *arena,
                   KvsqlValue *out, GError **error)
{
  return kvsql_window_frame_move (&self->frame, current, error)
         && kvsql_window_aggregate_compute (self->aggregate, &self->frame, current, arena, out,
                                            error);
}

/* ---- the interface */

static gboolean (*const kinds[]) (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current,
                                  KvsqlArena *arena, KvsqlValue *out, GError **error)
    = {
        [KVSQL_WINDOW_ROW_NUMBER] = compute_rank,      [KVSQL_WINDOW_RANK] = compute_rank,
        [KVSQL_WINDOW_DENSE_RANK] = compute_rank,      [KVSQL_WINDOW_PERCENT_RANK] = compute_share,
        [KVSQL_WINDOW_CUME_DIST] = compute_share,      [KVSQL_WINDOW_NTILE] = compute_ntile,
        [KVSQL_WINDOW_LAG] = compute_neighbour,        [KVSQL_WINDOW_LEAD] = compute_neighbour,
        [KVSQL_WINDOW_FIRST_VALUE] = compute_in_frame, [KVSQL_WINDOW_LAST_VALUE] = compute_in_frame,
        [KVSQL_WINDOW_NTH_VALUE] = compute_in_frame,   [KVSQL_WINDOW_AGGREGATE] = compute_aggregate,
      };

gboolean
kvsql_window_evaluator_compute (KvsqlWindowEvaluator *self, KvsqlWindowCurrent *current,
                                KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  *out = KVSQL_VALUE_NULL;
  return kinds[self->call->function](self, current, arena, out, error);
}

void
kvsql_window_evaluator_begin_batch (KvsqlWindowEvaluator *self)
{
  if (self->aggregate != NULL)
    kvsql_window_aggregate_forget_result (self->aggregate);
}

guint64
kvsql_window_evaluator_get_first (const KvsqlWindowEvaluator *self,
                                  const KvsqlWindowCurrent *current)
{
  gboolean grows = self->call->frame.start == KVSQL_BOUND_FIRST
                   && self->call->frame.exclusion == KVSQL_EXCLUDE_NOTHING;

  switch (self->call->function)
    {
    case KVSQL_WINDOW_LAG:
    case KVSQL_WINDOW_LEAD: /* the distance may be negative, and differ from row to row */
      return self->call->n_arguments > 1 || current->row == current->place.partition
                 ? current->place.partition
                 : current->row;
    case KVSQL_WINDOW_FIRST_VALUE:
    case KVSQL_WINDOW_NTH_VALUE:
    case KVSQL_WINDOW_LAST_VALUE:
      return MIN (self->frame.start, current->row);
    case KVSQL_WINDOW_AGGREGATE: /* a frame that grows gives no row back */
      return grows ? MIN (current->row, self->frame.end)
                   : MIN (current->row, MIN (self->frame.start,
                                             kvsql_window_aggregate_get_first (self->aggregate)));
    default:
      return current->row;
    }
}
