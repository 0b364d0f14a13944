/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-cost-fit.c: costs from times that are known sums.
 */
#include "config.h"

#include "core/maintain/cost-fit.h"

#include <math.h>

/* Rows, requests, ranges, cells, bytes, reads by key, their bytes. */
static void
make_points (KvsqlCostPoint *points, guint n, const gdouble *costs, gdouble noise)
{
  for (guint i = 0; i < n; i++)
    {
      gdouble rows = pow (10, g_test_rand_int_range (0, 5));
      gdouble bytes = rows * g_test_rand_int_range (10, 3000);
      gboolean is_get = i % 3 == 0;

      points[i] = (KvsqlCostPoint){
        .features = { is_get ? 0 : rows, 1, !is_get, rows * g_test_rand_int_range (0, 8),
                      is_get ? 0 : bytes, is_get ? rows : 0, is_get ? bytes : 0 },
      };
      for (guint f = 0; f < KVSQL_COST_FEATURES; f++)
        points[i].us += points[i].features[f] * costs[f];
      points[i].us *= 1 + noise * g_test_rand_double_range (-1, 1);
    }
}

static void
assert_costs (const gdouble *costs, gdouble noise, gdouble tolerance)
{
  KvsqlCostPoint points[60];
  gdouble out[KVSQL_COST_FEATURES], error;
  guint worst;

  make_points (points, G_N_ELEMENTS (points), costs, noise);
  g_assert_true (kvsql_cost_fit (points, G_N_ELEMENTS (points), out, &worst, &error));
  g_assert_cmpuint (worst, <, G_N_ELEMENTS (points));
  g_assert_cmpfloat (error, <=, noise * 2 + 1e-6);
  for (guint f = 0; f < KVSQL_COST_FEATURES; f++)
    {
      g_test_message ("%g: %g", costs[f], out[f]);
      g_assert_cmpfloat (out[f], >=, 0);
      g_assert_cmpfloat (fabs (out[f] - costs[f]), <=, tolerance * costs[f] + 1e-9);
    }
}

static void
test_exact (void)
{
  assert_costs ((const gdouble[]){ 0.121, 0.2, 3.8, 0.05, 0.00052, 3.0, 0.001 }, 0, 1e-5);
  assert_costs ((const gdouble[]){ 2, 400, 100, 0.5, 0.004, 40, 0.01 }, 0, 1e-5);
  assert_costs ((const gdouble[]){ 1e-3, 1e4, 0, 0, 0, 1, 0 }, 0, 1e-3);
}

static void
test_noise (void)
{
  assert_costs ((const gdouble[]){ 2, 500, 300, 3, 0.02, 40, 0.01 }, 0.02, 0.3);
}

/* A cost is never negative: what would be below 0 is 0. */
static void
test_negative (void)
{
  KvsqlCostPoint points[40];
  gdouble out[KVSQL_COST_FEATURES], error;
  guint worst;

  make_points (points, G_N_ELEMENTS (points), (const gdouble[]){ 2, 500, 100, 0, 0, 40, 0.01 }, 0);
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    points[i].us *= points[i].features[3] > 0 ? 0.9 : 1; /* further cells seem to save time */
  g_assert_true (kvsql_cost_fit (points, G_N_ELEMENTS (points), out, &worst, &error));
  for (guint f = 0; f < KVSQL_COST_FEATURES; f++)
    g_assert_cmpfloat (out[f], >=, 0);
  g_assert_cmpfloat (out[0], >, 0);
  g_assert_cmpfloat (error, <, 0.3);
}

/* Too few points, and rows that cost nothing. */
static void
test_none (void)
{
  KvsqlCostPoint points[4] = { { .us = 5 }, { .us = 5 }, { .us = 5 }, { .us = 5 } };
  gdouble out[KVSQL_COST_FEATURES], error;
  guint worst;

  g_assert_false (kvsql_cost_fit (points, 0, out, &worst, &error));
  g_assert_false (kvsql_cost_fit (points, 4, out, &worst, &error));
  for (guint i = 0; i < 4; i++)
    points[i] = (KvsqlCostPoint){ .features = { i + 1, 1 }, .us = 100 - i };
  g_assert_false (kvsql_cost_fit (points, 4, out, &worst, &error) && out[0] > 0 && error < 0.01);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/maintain/cost-fit/exact", test_exact);
  g_test_add_func ("/maintain/cost-fit/noise", test_noise);
  g_test_add_func ("/maintain/cost-fit/negative", test_negative);
  g_test_add_func ("/maintain/cost-fit/none", test_none);
  return g_test_run ();
}
