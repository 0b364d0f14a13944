/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * series.c: see the header.
 */
#include "config.h"

#include "core/expr/series.h"

#include "core/base/decimal.h"
#include "core/base/duration.h"

/* ---- whole numbers */

static gint
sign_of_integer (const KvsqlValue *step)
{
  return (step->integer > 0) - (step->integer < 0);
}

static gboolean
add_integer (const KvsqlValue *value, const KvsqlValue *step, KvsqlArena *arena, KvsqlValue *out,
             gboolean *out_is_end, GError **error)
{
  *out = *value;
  *out_is_end = __builtin_add_overflow (value->integer, step->integer, &out->integer)
                || (value->type == KVSQL_TYPE_INT
                    && (out->integer > G_MAXINT32 || out->integer < G_MININT32));
  return TRUE;
}

/* ---- decimals */

static gint
sign_of_decimal (const KvsqlValue *step)
{
  return kvsql_decimal_compare (step->bytes, kvsql_slice_from_text ("0"));
}

static gboolean
add_decimal (const KvsqlValue *value, const KvsqlValue *step, KvsqlArena *arena, KvsqlValue *out,
             gboolean *out_is_end, GError **error)
{
  *out = *value;
  *out_is_end = FALSE;
  return kvsql_decimal_add (value->bytes, step->bytes, arena, &out->bytes, error);
}

/* ---- times */

static gint
sign_of_interval (const KvsqlValue *step)
{
  const KvsqlDuration duration = kvsql_duration_from_text (step->bytes);
  __int128 total = kvsql_duration_get_total (&duration);

  return (total > 0) - (total < 0);
}

/* From the value before, so a month later than the 31st may stay on an earlier day. */
static gboolean
add_interval (const KvsqlValue *value, const KvsqlValue *step, KvsqlArena *arena, KvsqlValue *out,
              gboolean *out_is_end, GError **error)
{
  const KvsqlDuration duration = kvsql_duration_from_text (step->bytes);

  *out = *value;
  *out_is_end = !kvsql_duration_move_time (&duration, value->integer, &out->integer);
  return TRUE;
}

/* ---- kinds */

static const KvsqlSeriesClass classes[] = {
  { KVSQL_TYPE_INT, KVSQL_TYPE_INT, sign_of_integer, add_integer },
  { KVSQL_TYPE_BIGINT, KVSQL_TYPE_BIGINT, sign_of_integer, add_integer },
  { KVSQL_TYPE_DECIMAL, KVSQL_TYPE_DECIMAL, sign_of_decimal, add_decimal },
  { KVSQL_TYPE_TIMESTAMP, KVSQL_TYPE_INTERVAL, sign_of_interval, add_interval },
};

const KvsqlSeriesClass *
kvsql_series_find (KvsqlType type, KvsqlType step_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i].type == type
        && (classes[i].step_type == step_type
            || (step_type == KVSQL_TYPE_NULL && classes[i].step_type == type)))
      return &classes[i];
  return NULL;
}

KvsqlValue
kvsql_series_get_default_step (const KvsqlSeriesClass *self, KvsqlArena *arena)
{
  KvsqlValue step = { .type = self->step_type, .integer = 1 };

  if (self->step_type == KVSQL_TYPE_DECIMAL)
    step.bytes = kvsql_decimal_from_int64 (1, arena);
  return step;
}
