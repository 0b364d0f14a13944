/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * series.h: the values of generate_series(): start, start + step, and so on, up to the end.
 *
 * A kind of series is a type of values with a type of steps, and one line of the table in series.c.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

typedef struct _KvsqlSeriesClass
{
  KvsqlType type, step_type;
  /* The sign of @step. */
  gint (*get_sign) (const KvsqlValue *step);
  /* *out: @value + @step, in @arena; *out_is_end: it is beyond the last value of the type */
  gboolean (*add) (const KvsqlValue *value, const KvsqlValue *step, KvsqlArena *arena,
                   KvsqlValue *out, gboolean *out_is_end, GError **error);
} KvsqlSeriesClass;

/* @step_type: KVSQL_TYPE_NULL: there is no step, and it is 1. NULL: there is no such series. */
const KvsqlSeriesClass *kvsql_series_find (KvsqlType type, KvsqlType step_type);

/* The step of a series without one. */
KvsqlValue kvsql_series_get_default_step (const KvsqlSeriesClass *self, KvsqlArena *arena);

G_END_DECLS
