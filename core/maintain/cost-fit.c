/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cost-fit.c: weighted least squares of relative errors, again and again: a point with a large
 * error weighs more in the next round (Lawson 1961). In each round, each set of features that cost
 * something is tried, as there are few, and negative costs are refused.
 */
#include "config.h"

#include "core/maintain/cost-fit.h"

#include <math.h>
#include <string.h>

#define N KVSQL_COST_FEATURES
#define N_ROUNDS 30
/* A point without an error keeps this part of its weight. */
#define LEAST_WEIGHT 0.05
/* A pivot that is so small: features depend on each other. */
#define LEAST_PIVOT 1e-12

/* Solves a system of n equations in place; column n is the right side. FALSE: it has no solution.
 */
static gboolean
solve (gdouble a[N][N + 1], guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint best = i;

      for (guint row = i + 1; row < n; row++)
        if (fabs (a[row][i]) > fabs (a[best][i]))
          best = row;
      if (fabs (a[best][i]) < LEAST_PIVOT)
        return FALSE;
      for (guint column = 0; column <= n; column++)
        {
          gdouble swapped = a[i][column];

          a[i][column] = a[best][column];
          a[best][column] = swapped;
        }
      for (guint row = 0; row < n; row++)
        {
          gdouble factor = row == i ? 0 : a[row][i] / a[i][i];

          for (guint column = i; column <= n; column++)
            a[row][column] -= factor * a[i][column];
        }
    }
  for (guint i = 0; i < n; i++)
    a[i][n] /= a[i][i];
  return TRUE;
}

/* The least squares if the features of @set cost something and no other does. The features are
 * scaled, so that pivots can be compared. */
static gboolean
fit_set (const KvsqlCostPoint *points, const gdouble *weights, guint n_points, guint set,
         const gdouble *scales, gdouble *out)
{
  gdouble a[N][N + 1] = { 0 };
  guint columns[N], n = 0;

  for (guint f = 0; f < N; f++)
    if ((set >> f & 1) != 0)
      columns[n++] = f;
  for (guint p = 0; p < n_points; p++)
    for (guint i = 0; i < n; i++)
      {
        gdouble x = weights[p] * points[p].features[columns[i]] / scales[columns[i]] / points[p].us;

        for (guint j = 0; j < n; j++)
          a[i][j] += x * points[p].features[columns[j]] / scales[columns[j]] / points[p].us;
        a[i][n] += x;
      }
  if (!solve (a, n))
    return FALSE;
  memset (out, 0, N * sizeof *out);
  for (guint i = 0; i < n; i++)
    {
      if (!(a[i][n] > 0))
        return FALSE;
      out[columns[i]] = a[i][n] / scales[columns[i]];
    }
  return TRUE;
}

static gdouble
get_error (const KvsqlCostPoint *point, const gdouble *costs)
{
  gdouble us = 0;

  for (guint f = 0; f < N; f++)
    us += point->features[f] * costs[f];
  return fabs (us - point->us) / point->us;
}

/* So that the scaled features have a square sum of 1. */
static void
find_scales (const KvsqlCostPoint *points, guint n, gdouble *out)
{
  for (guint f = 0; f < N; f++)
    {
      gdouble sum = 0;

      for (guint p = 0; p < n; p++)
        sum += pow (points[p].features[f] / points[p].us, 2);
      out[f] = sum > 0 ? sqrt (sum) : 1;
    }
}

/* The best set of features. FALSE: there is none. */
static gboolean
fit (const KvsqlCostPoint *points, const gdouble *weights, guint n, const gdouble *scales,
     gdouble *out)
{
  gdouble costs[N], best = INFINITY;

  for (guint set = 1; set < 1u << N; set += 2) /* with the first feature */
    {
      gdouble sum = 0;

      if (!fit_set (points, weights, n, set, scales, costs))
        continue;
      for (guint p = 0; p < n; p++)
        sum += weights[p] * pow (get_error (&points[p], costs), 2);
      if (sum >= best)
        continue;
      best = sum;
      memcpy (out, costs, sizeof costs);
    }
  return best < INFINITY;
}

static guint
find_worst (const KvsqlCostPoint *points, guint n, const gdouble *costs)
{
  guint worst = 0;

  for (guint p = 1; p < n; p++)
    if (get_error (&points[p], costs) > get_error (&points[worst], costs))
      worst = p;
  return worst;
}

gboolean
kvsql_cost_fit (const KvsqlCostPoint *points, guint n, gdouble *out, guint *out_worst,
                gdouble *out_error)
{
  g_autofree gdouble *weights = g_new (gdouble, n);
  gdouble costs[N], scales[N];

  *out_error = INFINITY;
  find_scales (points, n, scales);
  for (guint p = 0; p < n; p++)
    weights[p] = 1;
  for (guint round = 0; round < N_ROUNDS && fit (points, weights, n, scales, costs); round++)
    {
      guint worst = find_worst (points, n, costs);
      gdouble error = get_error (&points[worst], costs), sum = 0;

      if (error < *out_error)
        {
          *out_error = error;
          *out_worst = worst;
          memcpy (out, costs, sizeof costs);
        }
      for (guint p = 0; p < n; p++)
        {
          weights[p] *= LEAST_WEIGHT + get_error (&points[p], costs) / MAX (error, 1e-12);
          sum += weights[p];
        }
      for (guint p = 0; p < n; p++)
        weights[p] *= n / sum;
    }
  return *out_error < INFINITY;
}
