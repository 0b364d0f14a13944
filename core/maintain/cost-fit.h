/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cost-fit.h: finds the costs of operations from measured times.
 *
 * A time is taken to be a sum: of each feature (requests, rows, bytes …) times its cost. The fit is
 * one whose largest relative error is small, without a negative cost. So a time of a microsecond
 * counts as much as one of a second, and no operation is estimated much worse than the others.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_COST_FEATURES 7

typedef struct
{
  gdouble features[KVSQL_COST_FEATURES];
  gdouble us; /* measured; above 0 */
} KvsqlCostPoint;

/**
 * kvsql_cost_fit:
 * @out: (out): the costs, one for each feature, none of them negative; the first is above 0
 * @out_worst: (out): the point with the largest relative error
 * @out_error: (out): that error: 0.1 if the fit is a tenth above or below the measured time
 *
 * Returns: %FALSE if no costs fit: there are too few points, or the first feature costs nothing
 */
gboolean kvsql_cost_fit (const KvsqlCostPoint *points, guint n, gdouble *out, guint *out_worst,
                         gdouble *out_error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
