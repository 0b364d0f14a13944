/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-verify-parts.c: medians and rank correlations of kvsqlctl advise --verify.
 */
#include "config.h"

#include <math.h>

#include "client/ctl/verify/ranks.h"

static void
test_quantile (void)
{
  gdouble odd[] = { 5, 1, 3 }, even[] = { 4, 1, 3, 2 }, many[100], one[] = { 7 };

  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = (i * 37) % 100 + 1;
  g_assert_cmpfloat (kvsqlctl_quantile (odd, 3, 0.5), ==, 3);
  g_assert_cmpfloat (kvsqlctl_quantile (even, 4, 0.5), ==, 2.5);
  g_assert_cmpfloat (kvsqlctl_quantile (many, 100, 0.95), ==, 95);
  g_assert_cmpfloat (kvsqlctl_quantile (many, 100, 1), ==, 100);
  g_assert_cmpfloat (kvsqlctl_quantile (one, 1, 0.95), ==, 7);
}

static void
test_order (void)
{
  const gdouble a[] = { 1, 20, 300, 4000 }, same[] = { 2, 3, 5, 8 }, reversed[] = { 9, 8, 7, 6 };
  const gdouble equal[] = { 1, 1, 1, 1 };

  /* only the order counts */
  g_assert_cmpfloat_with_epsilon (kvsqlctl_rank_correlation (a, same, 4), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (kvsqlctl_rank_correlation (a, reversed, 4), -1, 1e-12);
  g_assert_true (isnan (kvsqlctl_rank_correlation (a, equal, 4)));
  g_assert_true (isnan (kvsqlctl_rank_correlation (a, same, 1)));
  g_assert_true (isnan (kvsqlctl_rank_correlation (NULL, NULL, 0)));
}

/* Without ties, 1 - 6 Σd² / (n (n² - 1)): the ten people of the article of Wikipedia, IQ and hours
 * of television. */
static void
test_known (void)
{
  const gdouble iq[] = { 106, 100, 86, 101, 99, 103, 97, 113, 112, 110 };
  const gdouble hours[] = { 7, 27, 2, 50, 28, 29, 20, 12, 6, 17 };

  g_assert_cmpfloat_with_epsilon (kvsqlctl_rank_correlation (iq, hours, 10), -29.0 / 165, 1e-12);
}

/* Equal values share the mean of their ranks: 1, 2.5, 2.5, 4 against 1, 2, 3, 4. */
static void
test_ties (void)
{
  const gdouble a[] = { 1, 2, 2, 3 }, b[] = { 10, 20, 30, 40 };

  g_assert_cmpfloat_with_epsilon (kvsqlctl_rank_correlation (a, b, 4), 4.5 / sqrt (4.5 * 5), 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ctl/verify/quantile", test_quantile);
  g_test_add_func ("/ctl/verify/order", test_order);
  g_test_add_func ("/ctl/verify/known", test_known);
  g_test_add_func ("/ctl/verify/ties", test_ties);
  return g_test_run ();
}
