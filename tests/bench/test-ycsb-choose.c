/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-ycsb-choose.c: the distributions are those of YCSB.
 */
#include "config.h"

#include "tests/bench/ycsb-choose.h"

#define N_RECORDS 1000
#define N_DRAWN 200000

static void
draw (YcsbDistribution distribution, guint *counts)
{
  YcsbChooser chooser;

  ycsb_chooser_init (&chooser, distribution, N_RECORDS, 0, 1);
  for (guint i = 0; i < N_DRAWN; i++)
    {
      guint64 record = ycsb_chooser_next (&chooser, N_RECORDS);
      g_assert_cmpuint (record, <, N_RECORDS);
      counts[record]++;
    }
}

static void
assert_share (guint count, gdouble share)
{
  g_assert_cmpfloat_with_epsilon ((gdouble)count / N_DRAWN, share, share / 20);
}

/* FNV-1a of eight zero bytes, as in YCSB. */
static void
test_keys (void)
{
  gchar key[32];

  ycsb_key (0, key);
  g_assert_cmpstr (key, ==, "user6284781860667377211");
  ycsb_key (1, key);
  g_assert_cmpstr (key, ==, "user8517097267634966620");
}

static void
test_uniform (void)
{
  guint counts[N_RECORDS] = { 0 }, in_first_half = 0;

  draw (YCSB_UNIFORM, counts);
  for (guint i = 0; i < N_RECORDS / 2; i++)
    in_first_half += counts[i];
  assert_share (in_first_half, 0.5);
}

/* The most popular record is the one at the hash of 0, the next one that at the hash of 1. */
static void
test_zipfian (void)
{
  guint counts[N_RECORDS] = { 0 };

  draw (YCSB_ZIPFIAN, counts);
  g_assert_cmpuint (counts[ycsb_hash (0) % N_RECORDS], >, N_DRAWN / 27);
  assert_share (counts[ycsb_hash (0) % N_RECORDS], 1 / 26.469 + 0.0006);
  g_assert_cmpuint (counts[ycsb_hash (1) % N_RECORDS], >, N_DRAWN / 54);
}

/* zeta(1000, 0.99) = 7.7289… */
static void
test_latest (void)
{
  guint counts[N_RECORDS] = { 0 };

  draw (YCSB_LATEST, counts);
  assert_share (counts[N_RECORDS - 1], 1 / 7.7289);
  assert_share (counts[N_RECORDS - 2], 0.5035 / 7.7289);
  g_assert_cmpuint (counts[0], <, N_DRAWN / 1000);
}

/* Records that are inserted during the run: the newest is the most popular one. */
static void
test_latest_grows (void)
{
  YcsbChooser chooser;
  guint n_newest = 0;

  ycsb_chooser_init (&chooser, YCSB_LATEST, 10, 0, 1);
  for (guint i = 0; i < N_DRAWN; i++)
    n_newest += ycsb_chooser_next (&chooser, N_RECORDS) == N_RECORDS - 1;
  assert_share (n_newest, 1 / 7.7289);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/ycsb/keys", test_keys);
  g_test_add_func ("/bench/ycsb/uniform", test_uniform);
  g_test_add_func ("/bench/ycsb/zipfian", test_zipfian);
  g_test_add_func ("/bench/ycsb/latest", test_latest);
  g_test_add_func ("/bench/ycsb/latest-grows", test_latest_grows);
  return g_test_run ();
}
