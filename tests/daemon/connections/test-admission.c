/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-admission.c: who gets a place where there is none; and how many lines are logged about it.
 */
#include "config.h"

#include "daemon/log/log-rate.h"
#include "daemon/connections/admission.h"

#define SECOND G_TIME_SPAN_SECOND

typedef struct
{
  KvsqldPlace place;
  gboolean is_running;
} Peer;

static gboolean
is_running (gpointer owner)
{
  return ((Peer *)owner)->is_running;
}

static const KvsqldAdmissionBounds bounds = {
  .max = 4, .max_of_peer = 3, .reserved = 4, .idle_us = 10 * SECOND, .is_running = is_running
};

static const gchar *
enter (KvsqldAdmission *admission, Peer *peer, const gchar *name, gint64 now_us,
       Peer **out_displaced)
{
  KvsqldPlace *displaced;
  const gchar *obstacle;

  peer->place = (KvsqldPlace){ .owner = peer,
                               .peer = name,
                               .is_local = g_str_has_prefix (name, "user"),
                               .is_operator = g_str_equal (name, "user 0") };
  obstacle = kvsqld_admission_enter (admission, &peer->place, &bounds, now_us, &displaced);
  *out_displaced = displaced == NULL ? NULL : displaced->owner;
  g_assert_cmpint (peer->place.is_held, ==, obstacle == NULL);
  return obstacle;
}

static void
must_enter (KvsqldAdmission *admission, Peer *peer, const gchar *name, gint64 now_us)
{
  Peer *displaced;

  g_assert_null (enter (admission, peer, name, now_us, &displaced));
  g_assert_null (displaced);
}

static void
fill (KvsqldAdmission *admission, Peer *peers)
{
  for (guint i = 0; i < 4; i++)
    must_enter (admission, &peers[i], i < 3 ? "10.0.0.1" : "10.0.0.2", i);
}

static void
leave_all (KvsqldAdmission *admission, Peer *peers, guint n)
{
  for (guint i = 0; i < n; i++)
    kvsqld_admission_leave (admission, &peers[i].place);
  g_assert_cmpuint (kvsqld_admission_count (admission), ==, 0);
  kvsqld_admission_free (admission);
}

static void
test_reserved (void)
{
  KvsqldAdmission *admission = kvsqld_admission_new ();
  Peer peers[10] = { 0 };
  Peer *displaced;

  fill (admission, peers);
  g_assert_cmpstr (enter (admission, &peers[4], "10.0.0.3", SECOND, &displaced), ==,
                   "max_connections");
  /* UNIX sockets have half of the reserved places, the operator all of them */
  must_enter (admission, &peers[4], "user 1000", SECOND);
  must_enter (admission, &peers[5], "user 1000", SECOND);
  g_assert_cmpstr (enter (admission, &peers[6], "user 1000", SECOND, &displaced), ==,
                   "max_connections");
  must_enter (admission, &peers[6], "user 0", SECOND);
  must_enter (admission, &peers[7], "user 0", SECOND);
  g_assert_cmpuint (kvsqld_admission_count (admission), ==, 8);
  /* and one that is not in use is given to it at once */
  peers[4].is_running = TRUE;
  g_assert_null (enter (admission, &peers[8], "user 0", SECOND, &displaced));
  g_assert_true (displaced == &peers[5]);
  g_assert_cmpuint (kvsqld_admission_count (admission), ==, 8);
  leave_all (admission, peers, 9);
}

static void
test_longest_unused_gives_place (void)
{
  KvsqldAdmission *admission = kvsqld_admission_new ();
  Peer peers[7] = { 0 };
  Peer *displaced;

  fill (admission, peers);
  kvsqld_admission_touch (admission, &peers[0].place, 5 * SECOND);
  peers[1].is_running = TRUE;
  g_assert_cmpstr (enter (admission, &peers[4], "10.0.0.3", 9 * SECOND, &displaced), ==,
                   "max_connections");
  g_assert_null (displaced);
  g_assert_null (enter (admission, &peers[4], "10.0.0.3", 11 * SECOND, &displaced));
  g_assert_true (displaced == &peers[2]);
  g_assert_false (peers[2].place.is_held);
  g_assert_null (enter (admission, &peers[5], "10.0.0.3", 11 * SECOND, &displaced));
  g_assert_true (displaced == &peers[3]);
  g_assert_cmpstr (enter (admission, &peers[6], "10.0.0.3", 11 * SECOND, &displaced), ==,
                   "max_connections");
  leave_all (admission, peers, 7);
}

/* A peer that has all of its places takes none from others. */
static void
test_peer_takes_its_own (void)
{
  KvsqldAdmission *admission = kvsqld_admission_new ();
  Peer peers[5] = { 0 };
  Peer *displaced;

  must_enter (admission, &peers[3], "10.0.0.2", 0);
  for (guint i = 0; i < 3; i++)
    must_enter (admission, &peers[i], "10.0.0.1", 1 + i);
  g_assert_cmpstr (enter (admission, &peers[4], "10.0.0.1", SECOND, &displaced), ==,
                   "max_connections");
  g_assert_null (enter (admission, &peers[4], "10.0.0.1", 11 * SECOND, &displaced));
  g_assert_true (displaced == &peers[0]);
  kvsqld_admission_leave (admission, &peers[3].place);
  g_assert_cmpstr (enter (admission, &peers[0], "10.0.0.1", 11 * SECOND, &displaced), ==, NULL);
  g_assert_true (displaced == &peers[1]);
  leave_all (admission, peers, 5);
}

static void
test_log_rate (void)
{
  KvsqldLogRate rate = KVSQLD_LOG_RATE_INIT;
  guint n_lines = 0;

  for (guint i = 0; i < 47000; i++)
    {
      g_autofree gchar *note = NULL;

      n_lines += kvsqld_log_rate_admit (&rate, SECOND + i, &note);
      g_assert_cmpstr (note, ==, n_lines == i + 1 ? "" : NULL);
    }
  g_assert_cmpuint (n_lines, ==, KVSQLD_LOG_RATE_LINES);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree gchar *note = NULL;

      g_assert_true (kvsqld_log_rate_admit (&rate, 12 * SECOND, &note));
      g_assert_cmpstr (note, ==, i == 0 ? " (46990 lines like this were left out)" : "");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/admission/reserved", test_reserved);
  g_test_add_func ("/daemon/admission/longest-unused-gives-place", test_longest_unused_gives_place);
  g_test_add_func ("/daemon/admission/peer-takes-its-own", test_peer_takes_its_own);
  g_test_add_func ("/daemon/admission/log-rate", test_log_rate);
  return g_test_run ();
}
