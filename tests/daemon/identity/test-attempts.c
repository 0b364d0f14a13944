/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-attempts.c: the delays of failed log-ins, and the bound of what is remembered.
 */
#include "config.h"

#include "daemon/identity/attempts.h"

#define SECOND G_TIME_SPAN_SECOND

static void
test_delays (void)
{
  static const gint64 expected_ms[] = { 100, 200, 400, 800, 1600, 3200, 3200, 3200 };
  KvsqldAttempts *attempts = kvsqld_attempts_new ();
  gint64 now = 1000 * SECOND;

  for (guint i = 0; i < G_N_ELEMENTS (expected_ms); i++)
    g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "a", now += SECOND), ==,
                     expected_ms[i] * 1000);
  g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "b", now), ==, 100000);
  /* a minute without a failure */
  g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "a", now + 61 * SECOND), ==, 100000);
  kvsqld_attempts_free (attempts);
}

/* Peers beyond the bound share a count, and forgotten ones make room. */
static void
test_bound (void)
{
  KvsqldAttempts *attempts = kvsqld_attempts_new ();
  gint64 now = 1000 * SECOND;

  for (guint i = 0; i < KVSQLD_ATTEMPTS_MAX_PEERS; i++)
    {
      g_autofree gchar *peer = g_strdup_printf ("%u", i);

      g_assert_cmpint (kvsqld_attempts_note_failure (attempts, peer, now), ==, 100000);
    }
  g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "x", now), ==, 100000);
  g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "y", now), ==, 200000);
  now += 61 * SECOND;
  g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "x", now), ==, 100000);
  g_assert_cmpint (kvsqld_attempts_note_failure (attempts, "y", now), ==, 100000);
  kvsqld_attempts_free (attempts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/identity/attempts/delays", test_delays);
  g_test_add_func ("/identity/attempts/bound", test_bound);
  return g_test_run ();
}
