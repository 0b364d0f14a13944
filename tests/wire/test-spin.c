/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-spin.c: when a wait is spent awake, and for how long.
 */
#include "config.h"

#include "idl/wire/spin.h"

#define HOUR_US (60 * 60 * G_TIME_SPAN_SECOND)

static gboolean
can_be_awake (void)
{
  if (g_get_num_processors () >= 2)
    return TRUE;
  g_test_skip ("a single processor");
  return FALSE;
}

/* A sleep that took no time, or an hour. */
static void
sleep_once (KvsqlSpin *spin, gboolean is_long)
{
  g_assert_false (_kvsql_spin_begin (spin));
  spin->began_us = g_get_monotonic_time () - (is_long ? HOUR_US : 0);
  _kvsql_spin_wake (spin);
}

static gboolean
is_awake (KvsqlSpin *spin)
{
  gboolean is_awake = _kvsql_spin_begin (spin);

  if (is_awake)
    _kvsql_spin_rest (spin, TRUE);
  return is_awake;
}

/* Whoever runs this may be kept from running for longer than a short sleep takes. */
static void
become_hopeful (KvsqlSpin *spin)
{
  guint n = 0;

  for (; !is_awake (spin); n++)
    {
      g_assert_cmpuint (n, <, 1000);
      spin->began_us = g_get_monotonic_time ();
      _kvsql_spin_wake (spin);
    }
}

static void
test_never (void)
{
  KvsqlSpin spin = { 0 };

  for (guint i = 0; i < 100; i++)
    sleep_once (&spin, FALSE);
}

/* Where bytes come soon, and no longer where they do not. */
static void
test_hope (void)
{
  KvsqlSpin spin = { .limit_us = 10 };
  guint n_in_vain = 0;

  if (!can_be_awake ())
    return;
  for (guint i = 0; i < 100; i++)
    sleep_once (&spin, TRUE);
  become_hopeful (&spin);
  for (guint i = 0; i < 100; i++)
    g_assert_true (is_awake (&spin));
  for (; _kvsql_spin_begin (&spin); n_in_vain++)
    _kvsql_spin_rest (&spin, FALSE);
  g_assert_cmpuint (n_in_vain, >, 1);
  g_assert_cmpuint (n_in_vain, <, 10);
  for (guint i = 0; i < 100; i++)
    sleep_once (&spin, TRUE);
  become_hopeful (&spin);
}

static void
test_limit (void)
{
  KvsqlSpin spin = { .limit_us = 1000 };
  gint64 began_us;
  guint n = 0;

  if (!can_be_awake ())
    return;
  become_hopeful (&spin);
  g_assert_true (_kvsql_spin_begin (&spin));
  began_us = spin.began_us;
  for (; _kvsql_spin_goes_on (&spin); n++)
    g_assert_cmpint (spin.began_us, ==, began_us); /* a sleep that follows is told from there */
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (spin.now_us - began_us, >=, 1000);
  spin.now_us = began_us + 999;
  g_assert_true (_kvsql_spin_goes_on (&spin));
  spin.now_us = began_us + 1000;
  g_assert_false (_kvsql_spin_goes_on (&spin));
  _kvsql_spin_rest (&spin, FALSE);
}

/* Not more than one in two processors. */
static void
test_most (void)
{
  guint n_processors = g_get_num_processors (), n_awake = 0;
  g_autofree KvsqlSpin *spins = g_new0 (KvsqlSpin, n_processors);

  if (!can_be_awake ())
    return;
  for (guint i = 0; i < n_processors; i++)
    {
      spins[i].limit_us = 1000;
      become_hopeful (&spins[i]);
    }
  while (n_awake < n_processors && _kvsql_spin_begin (&spins[n_awake]))
    n_awake++;
  g_assert_cmpuint (n_awake, ==, n_processors / 2);
  for (guint i = 0; i < n_awake; i++)
    _kvsql_spin_rest (&spins[i], TRUE);
  g_assert_true (is_awake (&spins[n_awake]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/spin/never", test_never);
  g_test_add_func ("/wire/spin/hope", test_hope);
  g_test_add_func ("/wire/spin/limit", test_limit);
  g_test_add_func ("/wire/spin/most", test_most);
  return g_test_run ();
}
