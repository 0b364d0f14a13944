/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-clock.c: the common clock of daemons, with a registry whose own clock jumps.
 */
#include "config.h"

#include "daemon/cluster/clock.h"
#include "daemon/cluster/time-bounds.h"
#include "tests/contract/registry-probe.h"

#define N_ROUNDS 400
#define JUMP_EVERY 40
#define SLOW_US (300 * 1000)
#define PERIOD_US (500 * 1000) /* between two comparisons of a clock that is used */

/* A local registry, with another clock and other daemons. */
typedef struct
{
  KvsqldRegistry base;
  KvsqldRegistryClass klass;
  KvsqldRegistry *inner;
  gint64 shift_ms;
  gint64 term;
  gint n_daemons;
  gint n_slow;          /* slow answers */
  gint64 answered_us;   /* the end of the last slow answer */
  gint64 least_wait_us; /* between the last slow answers and the next ones */
} Shifted;

typedef struct
{
  gchar *url;
  Probe probe;
  Shifted registry;
} Fixture;

static gboolean
read_shifted (KvsqldRegistry *registry, KvsqldClockReading *out, const KvsqlCall *call,
              GError **error)
{
  Shifted *self = (Shifted *)registry;
  /* before the clock: a new leader's first answer is in its term */
  gint64 term = __atomic_load_n (&self->term, __ATOMIC_SEQ_CST);
  gint64 shift_ms = __atomic_load_n (&self->shift_ms, __ATOMIC_SEQ_CST);
  gint64 answered_us = __atomic_load_n (&self->answered_us, __ATOMIC_SEQ_CST);
  gint64 wait_us = g_get_monotonic_time () - answered_us;

  /* the first comparisons come at once in any case, until there is a slot */
  if (answered_us > 0 && g_atomic_int_get (&self->n_slow) < 2
      && wait_us < __atomic_load_n (&self->least_wait_us, __ATOMIC_SEQ_CST))
    __atomic_store_n (&self->least_wait_us, wait_us, __ATOMIC_SEQ_CST);
  if (!self->inner->klass->read_clock (self->inner, out, call, error))
    return FALSE;
  out->server_ms += shift_ms;
  out->term = term;
  if (g_atomic_int_get (&self->n_slow) > 0)
    {
      g_usleep (SLOW_US);
      __atomic_store_n (&self->answered_us, g_get_monotonic_time (), __ATOMIC_SEQ_CST);
      g_atomic_int_add (&self->n_slow, -1);
    }
  return TRUE;
}

static gboolean
write_shifted (KvsqldRegistry *registry, const KvsqldClockReading *reading, const gchar *text,
               gboolean *out_is_written, const KvsqlCall *call, GError **error)
{
  Shifted *self = (Shifted *)registry;

  return self->inner->klass->write_clock (self->inner, reading, text, out_is_written, call, error);
}

static gboolean
read_slots (KvsqldRegistry *registry, gchar **out_text, gint64 *out_version, const KvsqlCall *call,
            GError **error)
{
  Shifted *self = (Shifted *)registry;

  return self->inner->klass->read_slots (self->inner, out_text, out_version, call, error);
}

static gboolean
write_slots (KvsqldRegistry *registry, gint64 version, const gchar *text, gboolean *out_is_written,
             const KvsqlCall *call, GError **error)
{
  Shifted *self = (Shifted *)registry;

  return self->inner->klass->write_slots (self->inner, version, text, out_is_written, call, error);
}

static GPtrArray *
list_shifted (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  Shifted *self = (Shifted *)registry;
  GPtrArray *daemons = g_ptr_array_new_with_free_func (kvsqld_peer_free);

  for (gint i = 0; i < g_atomic_int_get (&self->n_daemons); i++)
    {
      KvsqldPeer *peer = g_new0 (KvsqldPeer, 1);
      peer->name = g_strdup_printf ("daemon%d", i);
      peer->is_self = i == 0;
      g_ptr_array_add (daemons, peer);
    }
  return daemons;
}

static void
set_up (Fixture *self, gconstpointer unused)
{
  self->url = probe_new_place ("local");
  probe_open (&self->probe, self->url);
  self->registry = (Shifted){
    .inner = self->probe.registry, .term = 1, .n_daemons = 1, .least_wait_us = G_MAXINT64
  };
  /* no other daemons: a local registry would count this one twice */
  self->registry.klass = (KvsqldRegistryClass){
    .read_clock = read_shifted,
    .write_clock = write_shifted,
    .read_slots = read_slots,
    .write_slots = write_slots,
    .list_daemons = list_shifted,
  };
  self->registry.base.klass = &self->registry.klass;
}

static void
tear_down (Fixture *self, gconstpointer unused)
{
  probe_close (&self->probe);
  probe_remove_place (self->url);
  g_free (self->url);
}

static void
jump (Fixture *self, gint64 shift_ms, gboolean is_other_leader)
{
  __atomic_store_n (&self->registry.shift_ms, shift_ms, __ATOMIC_SEQ_CST);
  if (is_other_leader)
    __atomic_fetch_add (&self->registry.term, 1, __ATOMIC_SEQ_CST);
}

static void
assert_known (KvsqldClock *clock)
{
  KvsqldClockStatus status;

  kvsqld_clock_get_status (clock, &status);
  g_assert_cmpstr (status.last_error, ==, NULL);
  g_assert_true (status.is_known);
  g_free (status.slot);
}

/* Like a write: takes the later bound, and ends when the earlier bound has reached it. */
static gint64
take (KvsqldClock *clock)
{
  gint64 earliest_us, latest_us;

  kvsqld_clock_read (&earliest_us, &latest_us, clock);
  g_assert_cmpint (earliest_us, >, 0);
  return latest_us / 1000;
}

static void
settle (KvsqldClock *clock, gint64 timestamp)
{
  gint64 earliest_us, latest_us;

  for (;;)
    {
      kvsqld_clock_read (&earliest_us, &latest_us, clock);
      if (earliest_us >= timestamp * 1000)
        return;
      g_usleep (100);
    }
}

/* ---- */

static void
test_arithmetic (void)
{
  KvsqldTimeBounds a = kvsqld_time_bounds_of_reading (5000, 100000, 100400);
  KvsqldTimeBounds b, c;

  g_assert_cmpint (a.at_us, ==, 100400);
  g_assert_cmpint (a.earliest_us, ==, 5000000);
  g_assert_cmpint (a.latest_us, >=, 5001400);
  g_assert_cmpint (a.latest_us, <=, 5001402);

  /* after a second they are 400 microseconds farther apart */
  b = kvsqld_time_bounds_at (&a, 1100400);
  g_assert_cmpint (b.earliest_us, >=, 5999798);
  g_assert_cmpint (b.earliest_us, <=, 5999800);
  g_assert_cmpint (b.latest_us - b.earliest_us - (a.latest_us - a.earliest_us), >=, 400);
  g_assert_cmpint (b.latest_us - b.earliest_us - (a.latest_us - a.earliest_us), <=, 404);

  /* read again: just before the millisecond was over */
  b = kvsqld_time_bounds_of_reading (5000, 100900, 100901);
  g_assert_true (kvsqld_time_bounds_intersect (&a, &b, &c));
  g_assert_cmpint (c.at_us, ==, 100901);
  g_assert_cmpint (c.earliest_us, >=, 5000499);
  g_assert_cmpint (c.latest_us, <=, 5001004);

  b = kvsqld_time_bounds_of_reading (9000, 100900, 100901);
  g_assert_false (kvsqld_time_bounds_intersect (&a, &b, &c));
}

/* Two daemons alternate. The later one never has the smaller timestamp, whatever the registry's
 * clock does. The common time runs like real time. */
static void
test_jumps (Fixture *self, gconstpointer unused)
{
  gint64 shifts_ms[] = { 60000, -60000, 0, 3600000, -1 };
  KvsqldClock *clocks[2];
  gint64 last, first, before_us, begun_us, before_last_us = 0, ended_us = 0;

  self->registry.n_daemons = 2;
  clocks[0] = kvsqld_clock_new (&self->registry.base, 0);
  clocks[1] = kvsqld_clock_new (&self->registry.base, 0);
  last = take (clocks[0]);
  take (clocks[1]);
  assert_known (clocks[0]);
  assert_known (clocks[1]);
  /* A busy machine may stop the test before and after it takes a time: it was taken in between. */
  last = g_get_real_time () / 1000;
  before_us = g_get_monotonic_time ();
  first = take (clocks[0]);
  begun_us = g_get_monotonic_time ();
  g_assert_cmpint (first, >, last - 1000);
  g_assert_cmpint (first, <, g_get_real_time () / 1000 + 1000);
  last = first;
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      KvsqldClock *clock = clocks[i % 2];
      gint64 now;

      if (i % JUMP_EVERY == 0)
        jump (self, shifts_ms[i / JUMP_EVERY % G_N_ELEMENTS (shifts_ms)], i / JUMP_EVERY % 2 == 0);
      before_last_us = g_get_monotonic_time ();
      now = take (clock);
      ended_us = g_get_monotonic_time ();
      g_assert_cmpint (now, >=, last);
      settle (clock, now);
      last = now;
      g_usleep (i % 7 == 0 ? 100000 : 0);
    }
  g_assert_cmpint (last - first, >, (before_last_us - begun_us) / 1000 - 500);
  g_assert_cmpint (last - first, <, (ended_us - before_us) / 1000 + 500);
  kvsqld_clock_free (clocks[0]);
  kvsqld_clock_free (clocks[1]);
}

/* If the first answers are slow, the time has wide bounds, and is read again at once: not after a
 * whole period. On a busy machine one of the waits may be longer, and so may be the time until the
 * bounds are narrow. */
static void
test_slow_start (Fixture *self, gconstpointer unused)
{
  gint64 earliest_us, latest_us, end_us = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  KvsqldClock *clock;

  self->registry.n_daemons = 2;
  self->registry.n_slow = 7;
  clock = kvsqld_clock_new (&self->registry.base, 0);
  do
    {
      g_usleep (1000);
      kvsqld_clock_read (&earliest_us, &latest_us, clock);
    }
  while (latest_us - earliest_us >= SLOW_US / 2 && g_get_monotonic_time () < end_us);
  g_assert_cmpint (latest_us - earliest_us, <, SLOW_US / 2);
  g_assert_cmpint (g_atomic_int_get (&self->registry.n_slow), ==, 0);
  kvsqld_clock_free (clock);
  g_assert_cmpint (self->registry.least_wait_us, <, PERIOD_US / 2);
}

/* Answers that are always slow, as from a busy disk: the bounds are wide, but they soon hold the
 * common time, and a later daemon still has the later timestamp. */
static void
test_slow (Fixture *self, gconstpointer unused)
{
  KvsqldClock *clocks[2];
  gint64 last = 0;

  self->registry.n_daemons = 2;
  self->registry.n_slow = G_MAXINT;
  for (guint i = 0; i < 2; i++)
    clocks[i] = kvsqld_clock_new (&self->registry.base, 0);
  for (guint i = 0; i < 6; i++)
    {
      gint64 now = take (clocks[i % 2]);

      assert_known (clocks[i % 2]);
      g_assert_cmpint (now, >=, last);
      settle (clocks[i % 2], now);
      last = now;
    }
  for (guint i = 0; i < 2; i++)
    kvsqld_clock_free (clocks[i]);
}

/* A daemon that is alone does not wait. A later daemon uses no timestamps before the first one
 * knows of it. */
static void
test_join (Fixture *self, gconstpointer unused)
{
  gint64 earliest_us, latest_us;
  KvsqldClock *first = kvsqld_clock_new (&self->registry.base, 0), *second;

  kvsqld_clock_read (&earliest_us, &latest_us, first);
  assert_known (first);
  g_assert_cmpint (earliest_us, ==, G_MAXINT64);
  g_atomic_int_set (&self->registry.n_daemons, 2);
  second = kvsqld_clock_new (&self->registry.base, 0);
  kvsqld_clock_read (&earliest_us, &latest_us, second);
  g_assert_cmpint (earliest_us, <, G_MAXINT64);
  kvsqld_clock_read (&earliest_us, &latest_us, first);
  g_assert_cmpint (earliest_us, <, G_MAXINT64);
  kvsqld_clock_free (first);
  kvsqld_clock_free (second);
}

static void
test_set_back (Fixture *self, gconstpointer is_other_leader)
{
  gint64 shifts_ms[] = { -2000, -3600000 };
  gint64 last = 0;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (shifts_ms); i++)
    {
      KvsqldClock *clock = kvsqld_clock_new (&self->registry.base, 0);
      gint64 now = take (clock);

      assert_known (clock);
      g_assert_cmpint (now, >, last);
      g_usleep (20000);
      last = take (clock);
      kvsqld_clock_free (clock);
      jump (self, shifts_ms[i % G_N_ELEMENTS (shifts_ms)], is_other_leader != NULL);
    }
}

static void
write_entry (Fixture *self, const gchar *text)
{
  KvsqldClockReading reading;
  gboolean is_written;

  g_assert_true (
      self->registry.inner->klass->read_clock (self->registry.inner, &reading, NULL, NULL));
  g_assert_true (self->registry.inner->klass->write_clock (self->registry.inner, &reading, text,
                                                           &is_written, NULL, NULL));
  g_assert_true (is_written);
}

/* A daemon that was killed leaves a ceiling in the near future. */
static void
test_after_kill (Fixture *self, gconstpointer unused)
{
  gint64 ceiling_ms = g_get_real_time () / 1000 + 1500;
  g_autofree gchar *text = g_strdup_printf ("0 1 %" G_GINT64_FORMAT, ceiling_ms);
  KvsqldClock *clock;

  write_entry (self, text);
  clock = kvsqld_clock_new (&self->registry.base, 0);
  g_assert_cmpint (take (clock), >=, ceiling_ms);
  assert_known (clock);
  /* that time has really passed */
  g_assert_cmpint (g_get_real_time () / 1000, >=, ceiling_ms - 100);
  kvsqld_clock_free (clock);
}

static void
test_damaged (Fixture *self, gconstpointer unused)
{
  KvsqldClock *clock;
  KvsqldClockStatus status;
  gint64 before_ms, now_ms;

  write_entry (self, "noon");
  clock = kvsqld_clock_new (&self->registry.base, 0);
  before_ms = g_get_real_time () / 1000;
  now_ms = take (clock); /* after the longest wait of a write */
  g_assert_cmpint (now_ms, >=, before_ms);
  g_assert_cmpint (now_ms, <=, g_get_real_time () / 1000);
  kvsqld_clock_get_status (clock, &status);
  g_assert_false (status.is_known);
  g_assert_cmpstr (status.last_error, ==, "the entry \"clock\" of the registry is damaged");
  g_free (status.slot);
  g_free (status.last_error);
  kvsqld_clock_free (clock);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/arithmetic", test_arithmetic);
  g_test_add ("/clock/jumps", Fixture, NULL, set_up, test_jumps, tear_down);
  g_test_add ("/clock/slow-start", Fixture, NULL, set_up, test_slow_start, tear_down);
  g_test_add ("/clock/slow", Fixture, NULL, set_up, test_slow, tear_down);
  g_test_add ("/clock/join", Fixture, NULL, set_up, test_join, tear_down);
  g_test_add ("/clock/set-back/same", Fixture, NULL, set_up, test_set_back, tear_down);
  g_test_add ("/clock/set-back/other-leader", Fixture, "yes", set_up, test_set_back, tear_down);
  g_test_add ("/clock/after-kill", Fixture, NULL, set_up, test_after_kill, tear_down);
  g_test_add ("/clock/damaged", Fixture, NULL, set_up, test_damaged, tear_down);
  return g_test_run ();
}
