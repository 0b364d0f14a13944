/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-spin.c: when a wait spins, and for how long.
 */
#include "config.h"

#include "idl/wire/spin.h"

#define HOUR_US (60 * 60 * G_TIME_SPAN_SECOND)

static gboolean
can_spin (void)
{
  if (g_get_num_processors () >= 2)
    return TRUE;
  g_test_skip ("a single processor");
  return FALSE;
}

/* A block that took no time, or an hour. */
static void
sleep_once (KvsqlSpin *spin, gboolean is_long)
{
  g_assert_false (_kvsql_spin_begin (spin));
  spin->began_us = g_get_monotonic_time () - (is_long ? HOUR_US : 0);
  _kvsql_spin_end_block (spin);
}

static gboolean
is_spinning (KvsqlSpin *spin)
{
  gboolean is_spinning = _kvsql_spin_begin (spin);

  if (is_spinning)
    _kvsql_spin_end (spin, TRUE);
  return is_spinning;
}

/* The machine may not run this test for longer than a short block takes. */
static void
earn_credit (KvsqlSpin *spin)
{
  guint n = 0;

  for (; !is_spinning (spin); n++)
    {
      g_assert_cmpuint (n, <, 1000);
      spin->began_us = g_get_monotonic_time ();
      _kvsql_spin_end_block (spin);
    }
}

static void
test_never (void)
{
  KvsqlSpin spin = { 0 };

  for (guint i = 0; i < 100; i++)
    sleep_once (&spin, FALSE);
}

/* Waits spin if they are short, and stop to spin if they are not. */
static void
test_credit (void)
{
  KvsqlSpin spin = { .limit_us = 10 };
  guint n_fruitless = 0;

  if (!can_spin ())
    return;
  for (guint i = 0; i < 100; i++)
    sleep_once (&spin, TRUE);
  earn_credit (&spin);
  for (guint i = 0; i < 100; i++)
    g_assert_true (is_spinning (&spin));
  for (; _kvsql_spin_begin (&spin); n_fruitless++)
    _kvsql_spin_end (&spin, FALSE);
  g_assert_cmpuint (n_fruitless, >, 1);
  g_assert_cmpuint (n_fruitless, <, 10);
  for (guint i = 0; i < 100; i++)
    sleep_once (&spin, TRUE);
  earn_credit (&spin);
}

static void
test_limit (void)
{
  KvsqlSpin spin = { .limit_us = 1000 };
  gint64 began_us;
  guint n = 0;

  if (!can_spin ())
    return;
  earn_credit (&spin);
  g_assert_true (_kvsql_spin_begin (&spin));
  began_us = spin.began_us;
  for (; _kvsql_spin_goes_on (&spin); n++)
    g_assert_cmpint (
        spin.began_us, ==,
        began_us); /* the time of a block that follows counts from the start of the spin */
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (spin.now_us - began_us, >=, 1000);
  spin.now_us = began_us + 999;
  g_assert_true (_kvsql_spin_goes_on (&spin));
  spin.now_us = began_us + 1000;
  g_assert_false (_kvsql_spin_goes_on (&spin));
  _kvsql_spin_end (&spin, FALSE);
}

/* At most one thread in two processors spins. */
static void
test_most (void)
{
  guint n_processors = g_get_num_processors (), n_spinning = 0;
  g_autofree KvsqlSpin *spins = g_new0 (KvsqlSpin, n_processors);

  if (!can_spin ())
    return;
  for (guint i = 0; i < n_processors; i++)
    {
      spins[i].limit_us = 1000;
      earn_credit (&spins[i]);
    }
  while (n_spinning < n_processors && _kvsql_spin_begin (&spins[n_spinning]))
    n_spinning++;
  g_assert_cmpuint (n_spinning, ==, n_processors / 2);
  for (guint i = 0; i < n_spinning; i++)
    _kvsql_spin_end (&spins[i], TRUE);
  g_assert_true (is_spinning (&spins[n_spinning]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/spin/never", test_never);
  g_test_add_func ("/wire/spin/credit", test_credit);
  g_test_add_func ("/wire/spin/limit", test_limit);
  g_test_add_func ("/wire/spin/most", test_most);
  return g_test_run ();
}
