/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ranks.c: see ranks.h.
 */
#include "config.h"

#include "client/ctl/verify/ranks.h"

#include <math.h>
#include <stdlib.h>

static gint
compare_values (gconstpointer a, gconstpointer b)
{
  gdouble one = *(const gdouble *)a, other = *(const gdouble *)b;

  return one < other ? -1 : one > other;
}

gdouble
kvsqlctl_quantile (gdouble *values, guint n, gdouble share)
{
  guint at = (guint)MIN (ceil (share * n), n);

  qsort (values, n, sizeof *values, compare_values);
  if (n % 2 == 0 && share == 0.5)
    return (values[n / 2 - 1] + values[n / 2]) / 2;
  return values[MAX (at, 1) - 1];
}

typedef struct
{
  gdouble value;
  guint index;
} Ranked;

/* Ranks from 1. */
static gdouble *
make_ranks (const gdouble *values, guint n)
{
  g_autofree Ranked *sorted = g_new (Ranked, n);
  gdouble *ranks = g_new (gdouble, n);

  for (guint i = 0; i < n; i++)
    sorted[i] = (Ranked){ values[i], i };
  qsort (sorted, n, sizeof *sorted, compare_values); /* the value is the first member */
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && sorted[end].value == sorted[first].value;)
        end++;
      for (guint i = first; i < end; i++)
        ranks[sorted[i].index] = (first + 1 + end) / 2.0;
    }
  return ranks;
}

gdouble
kvsqlctl_rank_correlation (const gdouble *a, const gdouble *b, guint n)
{
  g_autofree gdouble *left = NULL, *right = NULL;
  gdouble mean = (n + 1) / 2.0, both = 0, one = 0, other = 0;

  if (n == 0) /* qsort() takes no NULL */
    return NAN;
  left = make_ranks (a, n);
  right = make_ranks (b, n);
  for (guint i = 0; i < n; i++)
    {
      both += (left[i] - mean) * (right[i] - mean);
      one += (left[i] - mean) * (left[i] - mean);
      other += (right[i] - mean) * (right[i] - mean);
    }
  return one > 0 && other > 0 ? both / sqrt (one * other) : NAN;
}
