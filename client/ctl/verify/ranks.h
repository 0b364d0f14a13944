/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ranks.h: medians, and how well two lists agree in their order.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The value below which the share of all values lies, without interpolation; 0.5 of an even number:
 * the mean of both in the middle. @values: sorted by the function; n > 0 */
gdouble kvsqlctl_quantile (gdouble *values, guint n, gdouble share);

/* Spearman's rank correlation: that of Pearson between the ranks, where equal values have the mean
 * of their ranks. NAN: there are less than two pairs, or all values of a list are equal. */
gdouble kvsqlctl_rank_correlation (const gdouble *a, const gdouble *b, guint n);

G_END_DECLS
