/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-remains.c: when the keys of an entry of the log are looked at, and when it may be removed.
 */
#include "config.h"

#include "daemon/recovery/remains.h"

#define S G_USEC_PER_SEC
#define LATE_S 100
#define START (1000 * S)

static const KvsqlLogEntry entry = { .daemon_id = 7, .number = 3, .begun_ms = 5000 };

static KvsqldRemain *
find (KvsqldRemains *self, gboolean has_ended, gint64 now_us)
{
  return kvsqld_remains_find (self, &entry, has_ended, now_us);
}

/* Looks whenever it is time, once a second, and counts. @until_us: that time is not included */
static guint
count_looks (KvsqldRemains *self, gboolean has_ended, gint64 from_us, gint64 until_us)
{
  guint n = 0;

  for (gint64 now_us = from_us; now_us < until_us; now_us += S)
    {
      KvsqldRemain *remain = find (self, has_ended, now_us);

      if (now_us < remain->look_us)
        continue;
      g_assert_false (kvsqld_remain_is_last_look (self, remain, now_us));
      kvsqld_remains_note_look (self, remain, TRUE, now_us);
      n++;
    }
  return n;
}

/* At once, then after growing pauses, and for the last time when no request can arrive. */
static void
test_looks (void)
{
  g_autoptr (KvsqldRemains) self = kvsqld_remains_new (LATE_S * S);
  gint64 last_us = START + LATE_S * S;
  KvsqldRemain *remain = find (self, TRUE, START);

  g_assert_cmpint (remain->look_us, ==, START);
  g_assert_cmpuint (count_looks (self, TRUE, START, last_us), ==, 8); /* 0, 1, 2, 4 … 64 s */
  remain = find (self, TRUE, last_us);
  g_assert_cmpint (remain->look_us, ==, last_us);
  g_assert_true (kvsqld_remain_is_last_look (self, remain, last_us));
}

/* A daemon without a session may still write: the time begins when it has ended. */
static void
test_without_session (void)
{
  g_autoptr (KvsqldRemains) self = kvsqld_remains_new (LATE_S * S);
  gint64 ended_us = START + 10 * LATE_S * S, last_us = ended_us + LATE_S * S;
  KvsqldRemain *remain;

  g_assert_cmpuint (count_looks (self, FALSE, START, ended_us), ==, 11);
  count_looks (self, TRUE, ended_us, last_us);
  remain = find (self, TRUE, last_us);
  g_assert_true (kvsqld_remain_is_last_look (self, remain, last_us));
  /* it was only away */
  remain = find (self, FALSE, last_us + S);
  g_assert_false (kvsqld_remain_is_last_look (self, remain, last_us + S));
  remain = find (self, TRUE, last_us + 2 * S);
  g_assert_false (kvsqld_remain_is_last_look (self, remain, last_us + 3 * S));
}

static void
test_failed_look (void)
{
  g_autoptr (KvsqldRemains) self = kvsqld_remains_new (LATE_S * S);
  KvsqldRemain *remain = find (self, TRUE, START);
  guint n, n_undone;
  gint64 oldest_ms;

  kvsqld_remains_note_look (self, remain, FALSE, START + 50 * S);
  g_assert_cmpint (remain->look_us, ==, START + 51 * S);
  kvsqld_remains_count (self, &n, &n_undone, &oldest_ms);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (n_undone, ==, 1);
  g_assert_cmpint (oldest_ms, ==, entry.begun_ms);
  kvsqld_remains_note_look (self, remain, TRUE, START + 51 * S);
  kvsqld_remains_count (self, &n, &n_undone, &oldest_ms);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (n_undone, ==, 0);
  g_assert_cmpint (oldest_ms, ==, 0);
}

static void
test_forget (void)
{
  g_autoptr (KvsqldRemains) self = kvsqld_remains_new (LATE_S * S);
  guint n, n_undone;
  gint64 oldest_ms;

  find (self, TRUE, START);
  g_assert_cmpuint (kvsqld_remains_count_of (self, entry.daemon_id), ==, 1);
  g_assert_cmpuint (kvsqld_remains_count_of (self, entry.daemon_id + 1), ==, 0);
  kvsqld_remains_forget_others (self);
  kvsqld_remains_count (self, &n, &n_undone, &oldest_ms);
  g_assert_cmpuint (n, ==, 1);
  kvsqld_remains_forget_others (self);
  kvsqld_remains_count (self, &n, &n_undone, &oldest_ms);
  g_assert_cmpuint (n, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remains/looks", test_looks);
  g_test_add_func ("/remains/without-session", test_without_session);
  g_test_add_func ("/remains/failed-look", test_failed_look);
  g_test_add_func ("/remains/forget", test_forget);
  return g_test_run ();
}
