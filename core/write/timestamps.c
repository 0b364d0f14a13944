/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * timestamps.c: the timestamp of a write.
 *
 * The order of writes to one key has to be kept. Within the daemon, the key's stripe remembers the
 * newest timestamp. Between daemons, the common clock is known only within two bounds. A write
 * takes the later bound as its timestamp, and is written after the earlier bound has reached this
 * timestamp. So a write that begins after this one is visible gets a timestamp that is not smaller.
 * (Google's Spanner, OSDI 2012, waits after the write; but its readers ask for a time, and our
 * readers see what is stored.)
 *
 * "Not smaller" is not enough: of two writes with the same timestamp each schema would keep the one
 * that reached it last, and the schemas would differ for good. So the later bound is rounded up to
 * the next timestamp that belongs to this daemon alone (daemon/cluster/slots.c), and a key never
 * gets the same timestamp twice. The wait is until that rounded timestamp, so the rule above still
 * holds.
 *
 * A tuple that replaces none has a third difficulty: what another daemon has put and deleted since
 * the timestamp was chosen cannot be seen, and its delete would hide the tuple. Such a write is
 * early: its timestamp is in the future when the store applies it, and the wait comes afterwards.
 */
#include "config.h"

#include "core/write/storage-private.h"

/* Cells with timestamps far in the future, from other writers, cannot be waited for. Neither can a
 * clock that has not been compared for hours. */
#define LONGEST_WAIT_US (2500 * 1000)
/* The bounds of the clock may become closer in the meantime. */
#define STEP_US (10 * 1000)
/* Many writes of one key, each later than the one before, run ahead of the clock. A daemon that is
 * alone waits for the clock only after this much: the next daemon that starts begins a little later
 * than that. */
#define LONGEST_AHEAD_US (1000 * 1000)
/* How far ahead an early timestamp is: twice as far after a write that was late, and a little less
 * after each that was not. */
#define SHORTEST_EARLY_US (2 * 1000)
#define LONGEST_EARLY_US (256 * 1000)
#define EARLY_STEPS 32

void
kvsql_storage_set_time (KvsqlStorage *self, KvsqlTimeFunc time, KvsqlStampFunc stamp, gpointer data)
{
  self->time = time;
  self->stamp = stamp;
  self->time_data = data;
}

gboolean
kvsql_storage_has_others (const KvsqlStorage *self)
{
  gint64 earliest_us, latest_us;

  if (self->time == NULL)
    return FALSE;
  self->time (&earliest_us, &latest_us, self->time_data);
  return earliest_us != G_MAXINT64;
}

gint64
kvsql_storage_get_past (const KvsqlStorage *self)
{
  gint64 earliest_us, latest_us;

  if (self->time == NULL)
    return g_get_real_time () / 1000;
  self->time (&earliest_us, &latest_us, self->time_data);
  return MIN (earliest_us, latest_us) / 1000;
}

static gint64
now (const KvsqlStorage *self)
{
  gint64 earliest_us, latest_us;

  if (self->time == NULL)
    return g_get_real_time () / 1000;
  self->time (&earliest_us, &latest_us, self->time_data);
  return latest_us / 1000;
}

/* A delete is remembered until its timestamp is as old as the grace. A request that begins now may
 * be late. */
gboolean
kvsql_storage_forgets_deletes (const KvsqlStorage *self, gint64 timestamp)
{
  return self->delete_grace_ms > 0
         && now (self) + self->late_ms >= timestamp + self->delete_grace_ms;
}

void
kvsql_storage_await (const KvsqlStorage *self, gint64 timestamp)
{
  gint64 earliest_us, latest_us, left_us;

  if (self->time == NULL)
    return;
  for (;;)
    {
      self->time (&earliest_us, &latest_us, self->time_data);
      if (earliest_us == G_MAXINT64)
        earliest_us = latest_us + LONGEST_AHEAD_US;
      left_us = earliest_us >= timestamp * 1000 ? 0 : timestamp * 1000 - earliest_us;
      if (left_us == 0 || left_us > LONGEST_WAIT_US)
        return;
      g_usleep ((gulong)MIN (left_us, STEP_US));
    }
}

gint64
kvsql_storage_next_timestamp_after (KvsqlStorage *self, const KvsqlKeyLocks *locks,
                                    gboolean deletes, gint64 newest, GError **error)
{
  /* a timestamp from the store itself (of an increment) may be this millisecond, too */
  gint64 clock = now (self) + (deletes && self->time != NULL ? 1 : 0);
  gint64 result = kvsql_storage_advance_newest (self, locks, clock, newest,
                                                deletes || self->stamp != NULL, error);

  if (result != 0)
    kvsql_storage_await (self, result);
  return result;
}

gint64
kvsql_storage_next_timestamp (KvsqlStorage *self, const KvsqlKeyLocks *locks, gboolean deletes,
                              GError **error)
{
  return kvsql_storage_next_timestamp_after (self, locks, deletes, 0, error);
}

gint64
kvsql_storage_checked_timestamp (KvsqlStorage *self, const KvsqlKeyLocks *locks, gint64 newest,
                                 GError **error)
{
  return kvsql_storage_advance_newest (self, locks, now (self), newest, TRUE, error);
}

/* ---- early timestamps */

gint64
kvsql_storage_early_timestamp (KvsqlStorage *self, const KvsqlKeyLocks *locks, gint64 newest,
                               GError **error)
{
  gint64 early_us = MAX (g_atomic_int_get (&self->early_us), SHORTEST_EARLY_US);
  gint64 clock = now (self) + 1 + early_us / 1000;

  return kvsql_storage_advance_newest (self, locks, clock, newest, TRUE, error);
}

gboolean
kvsql_storage_was_early (KvsqlStorage *self, gint64 timestamp)
{
  gint early_us = MAX (g_atomic_int_get (&self->early_us), SHORTEST_EARLY_US);
  gboolean result = now (self) < timestamp;

  /* other threads may change it, too: any of the results is good enough */
  g_atomic_int_set (&self->early_us, result ? early_us - early_us / EARLY_STEPS
                                            : MIN (early_us * 2, LONGEST_EARLY_US));
  return result;
}

gboolean
kvsql_storage_may_write (KvsqlStorage *self, GError **error)
{
  return self->stamp == NULL || self->stamp (1, self->time_data, error) != 0;
}
