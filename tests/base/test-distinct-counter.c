/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-distinct-counter.c: estimates of HyperLogLog, and the true numbers.
 */
#include "config.h"

#include "core/base/distinct-counter.h"
#include "core/base/hash.h"

#include <math.h>

static void
test_estimate (void)
{
  static const guint64 numbers[]
      = { 0, 1, 2, 10, 100, 1000, 4096, 8000, 10240, 15000, 20000, 100000, 1000000 };
  KvsqlDistinctCounter counter = { 0 };
  guint64 n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      gdouble estimate, expected = (gdouble)numbers[i];

      for (; n < numbers[i]; n++)
        for (guint repeat = 0; repeat < 2; repeat++)
          kvsql_distinct_counter_add (&counter, kvsql_hash (KVSQL_HASH_FIXED_SEED, &n, sizeof n));
      estimate = kvsql_distinct_counter_estimate (&counter);
      g_test_message ("%.0f: %.1f", expected, estimate);
      /* four standard errors */
      g_assert_cmpfloat (fabs (estimate - expected), <=, 4 * 0.0163 * expected + 0.01);
    }
}

/* All registers full: the estimate is a number still. */
static void
test_full (void)
{
  KvsqlDistinctCounter counter;

  memset (counter.ranks, 53, sizeof counter.ranks);
  g_assert_cmpfloat (kvsql_distinct_counter_estimate (&counter), >, 1e18);
  g_assert_false (isnan (kvsql_distinct_counter_estimate (&counter)));
}

/* The rank is one more than the number of zeros before the first one of the 52 upper bits. */
static void
test_ranks (void)
{
  for (guint bit = 12; bit < 64; bit++)
    {
      KvsqlDistinctCounter counter = { 0 };

      kvsql_distinct_counter_add (&counter, G_GUINT64_CONSTANT (1) << bit | 7);
      g_assert_cmpuint (counter.ranks[7], ==, 64 - bit);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/distinct-counter/estimate", test_estimate);
  g_test_add_func ("/base/distinct-counter/full", test_full);
  g_test_add_func ("/base/distinct-counter/ranks", test_ranks);
  return g_test_run ();
}
