/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clock.c: compares with the registry's clock, and agrees on the offset.
 *
 * The thread compares again and again. It reads the live daemons, makes the next step for this
 * daemon's slot, and reads the clock's entry together with the registry's time. From this it
 * narrows the bounds of the common time, and changes the entry if the offset or the ceiling has to
 * change.
 */
#include "config.h"

#include "daemon/cluster/clock.h"
#include "daemon/cluster/time-bounds.h"

#include <stdio.h>

/* The period of comparisons while the clock is used, and while it is not. */
#define BUSY_PERIOD_US (500 * 1000)
#define IDLE_PERIOD_US (5 * G_USEC_PER_SEC)
#define HOLD_US (IDLE_PERIOD_US + G_USEC_PER_SEC)
#define IDLE_AFTER_US (10 * G_USEC_PER_SEC)
#define CALL_TIMEOUT_US (5 * G_USEC_PER_SEC)
#define LAST_CALL_US (500 * 1000)
/* The time to the next comparison, after one that changed something or has to be repeated. */
#define AGAIN_US (20 * 1000)
/* If there is no slot after this many comparisons, other daemons have to act first. */
#define MAX_WITHOUT_SLOT 250
/* After this time since it began to look for other daemons, a daemon may rely on the result. */
#define ALONE_US (1200 * 1000)
/* After this time other daemons see a new daemon, and none believes that it is alone. */
#define JOIN_US (ALONE_US + 300 * 1000)
/* Live daemons renew the offset after a change of the leader. If they do not within this time, they
 * are not waited for. */
#define TAKE_OVER_US (3 * G_USEC_PER_SEC)
/* The distance of the ceiling when it is set. A daemon that comes closer than half of that sets it
 * again. A daemon that starts waits for the ceiling to pass, if it is not farther away. */
#define CEILING_MS 3000
/* If the bounds are farther apart than this, the next comparison comes at once, a few times. So a
 * machine that was busy for a moment does not delay every write. */
#define NARROW_US (10 * 1000)
#define MAX_WIDE 8
/* If they are farther apart than this, even a daemon that is alone waits. Otherwise it would be too
 * far ahead of the next daemon, which waits only for JOIN_US. */
#define ALONE_WIDE_US (200 * 1000)
/* The longest time that a write waits for a daemon that has just started. */
#define READY_TIMEOUT_US (10 * G_USEC_PER_SEC)

/* The entry in the registry. */
typedef struct
{
  gint64 offset_ms; /* common time minus the registry's clock */
  gint64 term;      /* of the registry's clock */
  gint64 ceiling_ms;
} Entry;

struct _KvsqldClock
{
  KvsqldRegistry *registry;
  KvsqldSlots *slots;
  gint64 started_us;
  GThread *thread;
  GCancellable *stop;
  gboolean is_past_ceiling; /* of the thread; times up to the ceiling that was found have passed */
  gint64 held_us;  /* of the thread; until then comparisons do not move the earlier bound */
  Entry entry;     /* of the thread; as it was read last */
  gint64 idle_us;  /* the period while the clock is not used */
  gint64 began_us; /* of the thread; when it first found a clock that other daemons have to renew,
                      or 0 */
  guint n_wide;    /* of the thread; consecutive comparisons with bounds far apart */
  guint n_without; /* of the thread; consecutive comparisons without a slot */
  GMutex mutex;    /* protects all members below */
  GCond changed;
  gboolean is_stopping;
  gboolean is_known; /* @bounds are known */
  KvsqldTimeBounds bounds;
  gint64 ready_us; /* after this, timestamps may be used; 0: not known yet */
  gint64 alone_us; /* until then no other daemon uses timestamps */
  guint n_others;
  gint64 used_us; /* when the clock was read last */
  gint64 compared_us;
  gchar *last_error;
};

/* ---- the entry */

static gboolean
entry_parse (const gchar *text, Entry *out, GError **error)
{
  gchar rest;

  if (sscanf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "%c",
              &out->offset_ms, &out->term, &out->ceiling_ms, &rest)
      == 3)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "the entry \"clock\" of the registry is damaged");
  return kvsql_error_hint (error, "It holds an offset in milliseconds, a term and a time in "
                                  "milliseconds since 1970 that no write has passed.");
}

static gchar *
entry_print (const Entry *self)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                          self->offset_ms, self->term, self->ceiling_ms);
}

/* ---- comparing */

/* One look at the registry. */
typedef struct
{
  KvsqldClockReading reading;
  Entry entry;
  gint64 began_us;
  gint64 ended_us;
  gint64 looked_us; /* before the other daemons were counted */
  guint n_others;   /* live ones */
  guint
      n_holders; /* other daemons that may use timestamps, though the registry does not list them */
} Comparison;

/* Reads the other daemons. */
static GPtrArray *
read_daemons (KvsqldClock *self, Comparison *out, const KvsqlCall *call, GError **error)
{
  GPtrArray *daemons;

  *out = (Comparison){ .looked_us = g_get_monotonic_time () };
  daemons = self->registry->klass->list_daemons (self->registry, call, error);
  for (guint i = 0; daemons != NULL && i < daemons->len; i++)
    out->n_others += ((const KvsqldPeer *)daemons->pdata[i])->is_self ? 0 : 1;
  return daemons;
}

/* Reads the time. */
static gboolean
read_clock (KvsqldClock *self, Comparison *out, const KvsqlCall *call, GError **error)
{
  out->began_us = g_get_monotonic_time ();
  if (!self->registry->klass->read_clock (self->registry, &out->reading, call, error))
    return FALSE;
  out->ended_us = g_get_monotonic_time ();
  out->entry = (Entry){ .term = out->reading.term };
  return out->reading.text[0] == '\0' || entry_parse (out->reading.text, &out->entry, error);
}

/* *out_is_written is FALSE if another daemon wrote the entry first. */
static gboolean
entry_write (KvsqldClock *self, const Comparison *comparison, const KvsqlCall *call,
             gboolean *out_is_written, GError **error)
{
  g_autofree gchar *text = entry_print (&comparison->entry);

  return self->registry->klass->write_clock (self->registry, &comparison->reading, text,
                                             out_is_written, call, error);
}

static KvsqldTimeBounds
common_time (const Comparison *comparison)
{
  return kvsqld_time_bounds_of_reading (comparison->reading.server_ms + comparison->entry.offset_ms,
                                        comparison->began_us, comparison->ended_us);
}

static void
accept (KvsqldClock *self, const Comparison *comparison, const KvsqldTimeBounds *bounds)
{
  gint64 now_us = g_get_monotonic_time ();

  self->entry = comparison->entry;
  self->began_us = 0;
  g_mutex_lock (&self->mutex);
  self->bounds = *bounds;
  self->is_known = TRUE;
  self->compared_us = comparison->ended_us;
  self->n_others = comparison->n_others;
  self->alone_us = comparison->n_others == 0 && comparison->n_holders == 0
                       ? comparison->looked_us + ALONE_US
                       : 0;
  if (self->ready_us == 0)
    self->ready_us = comparison->n_others == 0 ? now_us : now_us + JOIN_US;
  g_clear_pointer (&self->last_error, g_free);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/* FALSE: another comparison is worthwhile. */
static gboolean
is_narrow (KvsqldClock *self, const KvsqldTimeBounds *bounds)
{
  if (bounds->latest_us - bounds->earliest_us <= NARROW_US)
    self->n_wide = 0;
  else if (self->n_wide < MAX_WIDE)
    {
      self->n_wide++;
      return FALSE;
    }
  return TRUE;
}

/* The offset for a common time of at least @time_us when the registry's clock was read. */
static gint64
offset_for (const Comparison *comparison, gint64 time_us)
{
  return (time_us + 999) / 1000 - comparison->reading.server_ms;
}

/* With a new offset the common time may change a little. The other daemons learn of it within a
 * period. Until then the earlier bound stays at or below the old common time. */
static void
widen (KvsqldTimeBounds *self, const KvsqldTimeBounds *other)
{
  self->earliest_us = MIN (self->earliest_us, other->earliest_us);
  self->latest_us = MAX (self->latest_us, other->latest_us);
}

/* For a daemon that knows the common time: the registry's clock has to agree with it, or the offset
 * is changed. *out_is_done is FALSE if another comparison is needed. */
static gboolean
compare_with_own (KvsqldClock *self, Comparison *comparison, const KvsqldTimeBounds *own,
                  const KvsqlCall *call, gboolean *out_is_done, GError **error)
{
  KvsqldTimeBounds before = kvsqld_time_bounds_at (own, comparison->ended_us);
  KvsqldTimeBounds sample = common_time (comparison), both;
  gboolean is_new = comparison->entry.term != self->entry.term
                    || comparison->entry.offset_ms != self->entry.offset_ms;

  *out_is_done = TRUE;
  if (comparison->entry.term == comparison->reading.term && is_new)
    {
      widen (&sample, &before);
      self->held_us = comparison->ended_us + HOLD_US;
      accept (self, comparison, &sample);
      return TRUE;
    }
  if (comparison->entry.term == comparison->reading.term
      && kvsqld_time_bounds_intersect (own, &sample, &both))
    {
      if (comparison->ended_us < self->held_us)
        both.earliest_us = before.earliest_us;
      accept (self, comparison, &both);
      return TRUE;
    }
  comparison->entry.offset_ms = offset_for (comparison, before.latest_us);
  comparison->entry.term = comparison->reading.term;
  *out_is_done = FALSE;
  return entry_write (self, comparison, call, &is_new, error);
}

/* Times up to the ceiling may have been used by daemons that are gone. If the registry's clock has
 * been set back since, it reaches these times again: soon, or the offset is increased. TRUE if the
 * ceiling is to be waited for. */
static gboolean
pass_ceiling (Comparison *comparison, gboolean *out_is_changed)
{
  gint64 left_us = comparison->entry.ceiling_ms * 1000 - common_time (comparison).earliest_us;

  *out_is_changed = left_us > 2 * CEILING_MS * 1000;
  if (*out_is_changed)
    comparison->entry.offset_ms = offset_for (comparison, comparison->entry.ceiling_ms * 1000);
  return left_us > 0 && !*out_is_changed;
}

/* Times after the ceiling are not used while the registry answers. */
static gboolean
is_near_ceiling (const Comparison *comparison, const KvsqldTimeBounds *bounds)
{
  return bounds->latest_us / 1000 + CEILING_MS / 2 > comparison->entry.ceiling_ms;
}

static void
raise_ceiling (Comparison *comparison, const KvsqldTimeBounds *bounds)
{
  comparison->entry.ceiling_ms = bounds->latest_us / 1000 + CEILING_MS;
}

/* For a daemon that does not know the common time yet. */
static gboolean
begin (KvsqldClock *self, Comparison *comparison, const KvsqlCall *call, gboolean *out_is_done,
       GError **error)
{
  gboolean is_current = comparison->entry.term == comparison->reading.term, is_changed = FALSE;
  gboolean is_written = FALSE;
  KvsqldTimeBounds bounds;

  *out_is_done = FALSE;
  if (comparison->reading.text[0] == '\0')
    return entry_write (self, comparison, call, &is_written, error);
  if (self->began_us == 0)
    self->began_us = comparison->ended_us;
  /* the other daemons know how the common time continues */
  if (!is_current && comparison->n_others > 0
      && comparison->ended_us - self->began_us < TAKE_OVER_US)
    return TRUE;
  if (!self->is_past_ceiling && (!is_current || comparison->n_others == 0)
      && pass_ceiling (comparison, &is_changed))
    return TRUE;
  self->is_past_ceiling = TRUE; /* the ceiling that is written from now on is ours */
  comparison->entry.term = comparison->reading.term;
  bounds = common_time (comparison);
  if (!is_current || is_changed || is_near_ceiling (comparison, &bounds))
    {
      raise_ceiling (comparison, &bounds);
      if (!entry_write (self, comparison, call, &is_written, error))
        return FALSE;
      if (!is_written)
        return TRUE;
    }
  accept (self, comparison, &bounds);
  *out_is_done = is_narrow (self, &bounds);
  return TRUE;
}

/* ---- the thread */

static gboolean
get_bounds (KvsqldClock *self, KvsqldTimeBounds *out)
{
  gboolean is_known;

  g_mutex_lock (&self->mutex);
  *out = self->bounds;
  is_known = self->is_known;
  g_mutex_unlock (&self->mutex);
  return is_known;
}

/* The common clock can be compared without a slot. FALSE: there is more to do soon. */
static gboolean
step_slot (KvsqldClock *self, const GPtrArray *daemons, Comparison *comparison,
           const KvsqlCall *call)
{
  gboolean is_done = FALSE;
  KvsqldTimeBounds own;
  gint64 latest_us = get_bounds (self, &own)
                         ? kvsqld_time_bounds_at (&own, g_get_monotonic_time ()).latest_us
                         : 0;

  if (!kvsqld_slots_step (self->slots, daemons, comparison->looked_us, latest_us / 1000, call,
                          &comparison->n_holders, &is_done, NULL))
    comparison->n_holders = 1; /* not known: counts as one */
  self->n_without = is_done ? 0 : self->n_without + 1;
  return is_done || self->n_without > MAX_WITHOUT_SLOT;
}

static gboolean
compare_clock (KvsqldClock *self, Comparison *comparison, const KvsqlCall *call,
               gboolean *out_is_done, GError **error)
{
  KvsqldTimeBounds own;
  gboolean is_known = get_bounds (self, &own), is_written;

  *out_is_done = FALSE;
  if (!read_clock (self, comparison, call, error))
    return FALSE;
  if (!is_known)
    return begin (self, comparison, call, out_is_done, error);
  if (!compare_with_own (self, comparison, &own, call, out_is_done, error))
    return FALSE;
  if (!*out_is_done || !get_bounds (self, &own))
    return TRUE;
  *out_is_done = is_narrow (self, &own);
  if (!is_near_ceiling (comparison, &own))
    return TRUE;
  raise_ceiling (comparison, &own);
  return entry_write (self, comparison, call, &is_written, error);
}

static gboolean
compare (KvsqldClock *self, const KvsqlCall *call, gboolean *out_is_done, GError **error)
{
  Comparison comparison;
  g_autoptr (GPtrArray) daemons = read_daemons (self, &comparison, call, error);
  gboolean has_slot;

  if (daemons == NULL)
    return FALSE;
  has_slot = step_slot (self, daemons, &comparison, call);
  if (!compare_clock (self, &comparison, call, out_is_done, error))
    return FALSE;
  *out_is_done = *out_is_done && has_slot;
  return TRUE;
}

static void
record_last_error (KvsqldClock *self, const GError *error)
{
  g_mutex_lock (&self->mutex);
  g_free (self->last_error);
  self->last_error = g_strdup (error->message);
  g_mutex_unlock (&self->mutex);
}

/* FALSE: the thread has to end. */
static gboolean
wait_a_while (KvsqldClock *self, gboolean is_done, gboolean has_failed)
{
  gint64 now_us = g_get_monotonic_time ();
  gboolean goes_on;

  g_mutex_lock (&self->mutex);
  for (;;)
    {
      gint64 period_us = !is_done && !has_failed                  ? AGAIN_US
                         : now_us - self->used_us < IDLE_AFTER_US ? BUSY_PERIOD_US
                                                                  : self->idle_us;
      goes_on = !self->is_stopping;
      if (!goes_on || !g_cond_wait_until (&self->changed, &self->mutex, now_us + period_us))
        break;
    }
  g_mutex_unlock (&self->mutex);
  return goes_on;
}

/* A daemon that starts after this one, and finds no other, need not wait. */
static void
lower_ceiling (KvsqldClock *self, const KvsqlCall *call)
{
  g_autoptr (GPtrArray) daemons = NULL;
  KvsqldTimeBounds own;
  gboolean is_written;
  Comparison now;

  if (!get_bounds (self, &own))
    return;
  daemons = read_daemons (self, &now, call, NULL);
  if (daemons == NULL || now.n_others > 0 || !read_clock (self, &now, call, NULL)
      || now.entry.term != self->entry.term)
    return;
  now.entry.ceiling_ms = kvsqld_time_bounds_at (&own, now.ended_us).latest_us / 1000 + 1;
  entry_write (self, &now, call, &is_written, NULL);
}

static void
remove_daemon (KvsqldClock *self)
{
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LAST_CALL_US };

  kvsqld_slots_release (self->slots, &call);
  lower_ceiling (self, &call);
}

static gpointer
run (gpointer data)
{
  KvsqldClock *self = data;
  gboolean is_done = FALSE, has_failed;

  do
    {
      g_autoptr (GError) error = NULL;
      KvsqlCall call
          = { .deadline_us = g_get_monotonic_time () + CALL_TIMEOUT_US, .cancellable = self->stop };

      has_failed = !compare (self, &call, &is_done, &error);
      if (has_failed)
        record_last_error (self, error);
    }
  while (wait_a_while (self, is_done, has_failed));
  remove_daemon (self);
  return NULL;
}

/* ---- construction */

KvsqldClock *
kvsqld_clock_new (KvsqldRegistry *registry, gint64 lease_s)
{
  KvsqldClock *self = g_new0 (KvsqldClock, 1);

  self->registry = registry;
  self->slots = kvsqld_slots_new (registry, lease_s);
  self->idle_us = MIN (IDLE_PERIOD_US, kvsqld_slots_get_period (self->slots));
  self->stop = g_cancellable_new ();
  self->used_us = self->started_us = g_get_monotonic_time ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  /* lives as long as the clock, and is joined before the slots are freed */
  self->thread = g_thread_new ("clock", run, self);
  return self;
}

void
kvsqld_clock_set_ready (KvsqldClock *self, KvsqldReadyFunc ready, gpointer data)
{
  kvsqld_slots_set_ready (self->slots, ready, data);
}

void
kvsqld_clock_free (KvsqldClock *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_stopping = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->stop);
  g_thread_join (self->thread);
  g_object_unref (self->stop);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  kvsqld_slots_free (self->slots);
  g_free (self->last_error);
  g_free (self);
}

/* ---- reading */

/* The lock is held. FALSE: the time is not known, and this daemon has waited long enough. After the
 * time is known, it waits until other daemons see this one, and for the slot, which comes at about
 * the same time. */
static gboolean
await_ready (KvsqldClock *self)
{
  gint64 end_us = self->started_us + READY_TIMEOUT_US;

  for (;;)
    {
      gint64 now_us = g_get_monotonic_time ();
      gboolean is_ready = self->is_known && now_us >= self->ready_us;

      if (now_us >= end_us ? is_ready || !self->is_known
                           : is_ready && kvsqld_slots_is_held (self->slots))
        return is_ready;
      g_cond_wait_until (&self->changed, &self->mutex,
                         self->is_known && !is_ready ? self->ready_us : end_us);
    }
}

void
kvsqld_clock_read (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer clock)
{
  KvsqldClock *self = clock;
  gint64 now_us;

  g_mutex_lock (&self->mutex);
  now_us = g_get_monotonic_time ();
  if (now_us - self->used_us > IDLE_AFTER_US)
    g_cond_broadcast (&self->changed);
  self->used_us = now_us;
  if (await_ready (self))
    {
      KvsqldTimeBounds bounds;
      now_us = g_get_monotonic_time ();
      bounds = kvsqld_time_bounds_at (&self->bounds, now_us);
      *out_earliest_us
          = now_us < self->alone_us && bounds.latest_us - bounds.earliest_us <= ALONE_WIDE_US
                ? G_MAXINT64
                : bounds.earliest_us;
      *out_latest_us = bounds.latest_us;
    }
  else
    {
      *out_latest_us = g_get_real_time ();
      *out_earliest_us = G_MAXINT64;
    }
  g_mutex_unlock (&self->mutex);
}

gint64
kvsqld_clock_stamp (gint64 at_least, gpointer clock, GError **error)
{
  KvsqldClock *self = clock;
  KvsqldTimeBounds bounds;
  gint64 latest_us = get_bounds (self, &bounds)
                         ? kvsqld_time_bounds_at (&bounds, g_get_monotonic_time ()).latest_us
                         : g_get_real_time ();

  return kvsqld_slots_next_timestamp (self->slots, at_least, latest_us / 1000, error);
}

guint64
kvsqld_clock_get_daemon_id (const KvsqldClock *self)
{
  return kvsqld_slots_get_daemon_id (self->slots);
}

void
kvsqld_clock_get_status (KvsqldClock *self, KvsqldClockStatus *out)
{
  g_autofree gchar *slot = kvsqld_slots_describe (self->slots);
  gint64 now_us = g_get_monotonic_time ();
  KvsqldTimeBounds now;

  g_mutex_lock (&self->mutex);
  now = kvsqld_time_bounds_at (&self->bounds, now_us);
  *out = (KvsqldClockStatus){ .is_known = self->is_known,
                              .ahead_us = now.latest_us - g_get_real_time (),
                              .uncertainty_us = now.latest_us - now.earliest_us,
                              .age_us = now_us - self->compared_us,
                              .n_others = self->n_others,
                              .slot = g_steal_pointer (&slot),
                              .last_error = g_strdup (self->last_error) };
  g_mutex_unlock (&self->mutex);
}
