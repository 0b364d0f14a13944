/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clock.c: comparing with the registry's clock, and agreeing on the offset.
 */
#include "config.h"

#include "daemon/clock.h"
#include "daemon/time-bounds.h"

#include <stdio.h>

/* How often it is compared: while it is used, and else. */
#define BUSY_PERIOD_US (500 * 1000)
#define IDLE_PERIOD_US (5 * G_USEC_PER_SEC)
#define HOLD_US (IDLE_PERIOD_US + G_USEC_PER_SEC)
#define IDLE_AFTER_US (10 * G_USEC_PER_SEC)
#define CALL_TIMEOUT_US (5 * G_USEC_PER_SEC)
#define LAST_CALL_US (500 * 1000)
/* After a look that changed something or has to be repeated. */
#define AGAIN_US (20 * 1000)
/* So long after it has begun to look who else is there, a daemon may believe what it found. */
#define ALONE_US (1200 * 1000)
/* So long a daemon waits that others see it, until none believes itself alone. */
#define JOIN_US (ALONE_US + 300 * 1000)
/* Others that live renew the offset after a change of the leader; those that do not answer for so
 * long are not waited for. */
#define TAKE_OVER_US (3 * G_USEC_PER_SEC)
/* The ceiling's distance when it is set. A daemon that comes closer to it than half of that sets it
 * anew; one that starts waits for it to pass, if it is no farther. */
#define CEILING_MS 3000
/* Farther apart the bounds are worth another look at once, a few times: a machine that was busy for
 * a moment must not make every write wait. */
#define NARROW_US (10 * 1000)
#define MAX_WIDE 8
/* Farther apart they are waited for even by who is alone: else it would be so far ahead of who
 * comes next, which waits for JOIN_US only. */
#define ALONE_WIDE_US (200 * 1000)
/* What a write waits for a daemon that has just started. */
#define READY_TIMEOUT_US (10 * G_USEC_PER_SEC)

/* The entry in the registry. */
typedef struct
{
  gint64 offset_ms; /* of the common time from the registry's clock */
  gint64 term;      /* of the registry's clock */
  gint64 ceiling_ms;
} Entry;

struct _KvsqldClock
{
  KvsqldRegistry *registry;
  gint64 started_us;
  GThread *thread;
  GCancellable *stop;
  gboolean is_past_ceiling; /* the thread's; times up to the ceiling that was found have passed */
  gint64 held_us;           /* the thread's; until then the earlier bound follows no comparison */
  Entry entry;              /* the thread's; as it was read last */
  gint64 began_us; /* the thread's; when it first found a clock that others have to renew, or 0 */
  guint n_wide;    /* the thread's; looks in a row after which the bounds were far apart */
  GMutex mutex;    /* guards all below */
  GCond changed;
  gboolean is_stopping;
  gboolean is_known; /* @bounds say something */
  KvsqldTimeBounds bounds;
  gint64 ready_us; /* from then on times may be given out; 0: not known yet */
  gint64 alone_us; /* until then nobody else gives out times */
  guint n_others;
  gint64 used_us; /* when the clock was read last */
  gint64 compared_us;
  gchar *trouble;
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
  gint64 looked_us; /* before the others were counted */
  guint n_others;
} Look;

static gboolean
look (KvsqldClock *self, Look *out, const KvsqlCall *call, GError **error)
{
  g_autoptr (GPtrArray) daemons = NULL;

  out->looked_us = g_get_monotonic_time ();
  daemons = self->registry->klass->list_daemons (self->registry, call, error);
  if (daemons == NULL)
    return FALSE;
  out->n_others = 0;
  for (guint i = 0; i < daemons->len; i++)
    out->n_others += ((const KvsqldPeer *)daemons->pdata[i])->is_self ? 0 : 1;
  out->began_us = g_get_monotonic_time ();
  if (!self->registry->klass->read_clock (self->registry, &out->reading, call, error))
    return FALSE;
  out->ended_us = g_get_monotonic_time ();
  out->entry = (Entry){ .term = out->reading.term };
  return out->reading.text[0] == '\0' || entry_parse (out->reading.text, &out->entry, error);
}

/* *out_is_written is FALSE if somebody else was faster. */
static gboolean
entry_write (KvsqldClock *self, const Look *look, const KvsqlCall *call, gboolean *out_is_written,
             GError **error)
{
  g_autofree gchar *text = entry_print (&look->entry);

  return self->registry->klass->write_clock (self->registry, &look->reading, text, out_is_written,
                                             call, error);
}

static KvsqldTimeBounds
common_time (const Look *look)
{
  return kvsqld_time_bounds_of_reading (look->reading.server_ms + look->entry.offset_ms,
                                        look->began_us, look->ended_us);
}

static void
accept (KvsqldClock *self, const Look *look, const KvsqldTimeBounds *bounds)
{
  gint64 now_us = g_get_monotonic_time ();

  self->entry = look->entry;
  self->began_us = 0;
  g_mutex_lock (&self->mutex);
  self->bounds = *bounds;
  self->is_known = TRUE;
  self->compared_us = look->ended_us;
  self->n_others = look->n_others;
  self->alone_us = look->n_others == 0 ? look->looked_us + ALONE_US : 0;
  if (self->ready_us == 0)
    self->ready_us = look->n_others == 0 ? now_us : now_us + JOIN_US;
  g_clear_pointer (&self->trouble, g_free);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/* FALSE: it pays to look again. */
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

/* Offsets for a common time that is no earlier than @time_us when the registry's clock was read. */
static gint64
offset_for (const Look *look, gint64 time_us)
{
  return (time_us + 999) / 1000 - look->reading.server_ms;
}

/* With another offset the common time may lie a little off. The others learn of it within a period;
 * until then nobody says that it is later than by the old one. */
static void
widen (KvsqldTimeBounds *self, const KvsqldTimeBounds *other)
{
  self->earliest_us = MIN (self->earliest_us, other->earliest_us);
  self->latest_us = MAX (self->latest_us, other->latest_us);
}

/* A daemon that knows the common time: the registry's clock has to agree, or the offset changes.
 * *out_is_done is FALSE if it is to look again. */
static gboolean
go_on (KvsqldClock *self, Look *look, const KvsqldTimeBounds *own, const KvsqlCall *call,
       gboolean *out_is_done, GError **error)
{
  KvsqldTimeBounds before = kvsqld_time_bounds_at (own, look->ended_us);
  KvsqldTimeBounds sample = common_time (look), both;
  gboolean is_new
      = look->entry.term != self->entry.term || look->entry.offset_ms != self->entry.offset_ms;

  *out_is_done = TRUE;
  if (look->entry.term == look->reading.term && is_new)
    {
      widen (&sample, &before);
      self->held_us = look->ended_us + HOLD_US;
      accept (self, look, &sample);
      return TRUE;
    }
  if (look->entry.term == look->reading.term && kvsqld_time_bounds_intersect (own, &sample, &both))
    {
      if (look->ended_us < self->held_us)
        both.earliest_us = before.earliest_us;
      accept (self, look, &both);
      return TRUE;
    }
  look->entry.offset_ms = offset_for (look, before.latest_us);
  look->entry.term = look->reading.term;
  *out_is_done = FALSE;
  return entry_write (self, look, call, &is_new, error);
}

/* Times up to the ceiling may have been given out by daemons that are gone, and if the registry's
 * clock has been set back since, it comes there again: soon, or else the offset makes up for it.
 * TRUE if it is to be waited for. */
static gboolean
pass_ceiling (Look *look, gboolean *out_is_changed)
{
  gint64 left_us = look->entry.ceiling_ms * 1000 - common_time (look).earliest_us;

  *out_is_changed = left_us > 2 * CEILING_MS * 1000;
  if (*out_is_changed)
    look->entry.offset_ms = offset_for (look, look->entry.ceiling_ms * 1000);
  return left_us > 0 && !*out_is_changed;
}

/* Beyond it no time is given out while the registry answers. */
static gboolean
is_near_ceiling (const Look *look, const KvsqldTimeBounds *bounds)
{
  return bounds->latest_us / 1000 + CEILING_MS / 2 > look->entry.ceiling_ms;
}

static void
raise_ceiling (Look *look, const KvsqldTimeBounds *bounds)
{
  look->entry.ceiling_ms = bounds->latest_us / 1000 + CEILING_MS;
}

/* A daemon that does not know the common time yet. */
static gboolean
begin (KvsqldClock *self, Look *look, const KvsqlCall *call, gboolean *out_is_done, GError **error)
{
  gboolean is_current = look->entry.term == look->reading.term, is_changed = FALSE;
  gboolean is_written = FALSE;
  KvsqldTimeBounds bounds;

  *out_is_done = FALSE;
  if (look->reading.text[0] == '\0')
    return entry_write (self, look, call, &is_written, error);
  if (self->began_us == 0)
    self->began_us = look->ended_us;
  /* the others know how the common time goes on */
  if (!is_current && look->n_others > 0 && look->ended_us - self->began_us < TAKE_OVER_US)
    return TRUE;
  if (!self->is_past_ceiling && (!is_current || look->n_others == 0)
      && pass_ceiling (look, &is_changed))
    return TRUE;
  self->is_past_ceiling = TRUE; /* what stands there from now on is ours */
  look->entry.term = look->reading.term;
  bounds = common_time (look);
  if (!is_current || is_changed || is_near_ceiling (look, &bounds))
    {
      raise_ceiling (look, &bounds);
      if (!entry_write (self, look, call, &is_written, error))
        return FALSE;
      if (!is_written)
        return TRUE;
    }
  accept (self, look, &bounds);
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

static gboolean
compare (KvsqldClock *self, const KvsqlCall *call, gboolean *out_is_done, GError **error)
{
  KvsqldTimeBounds own;
  gboolean is_known = get_bounds (self, &own), is_written;
  Look now;

  *out_is_done = FALSE;
  if (!look (self, &now, call, error))
    return FALSE;
  if (!is_known)
    return begin (self, &now, call, out_is_done, error);
  if (!go_on (self, &now, &own, call, out_is_done, error))
    return FALSE;
  if (!*out_is_done || !get_bounds (self, &own))
    return TRUE;
  *out_is_done = is_narrow (self, &own);
  if (!is_near_ceiling (&now, &own))
    return TRUE;
  raise_ceiling (&now, &own);
  return entry_write (self, &now, call, &is_written, error);
}

static void
note_trouble (KvsqldClock *self, const GError *error)
{
  g_mutex_lock (&self->mutex);
  g_free (self->trouble);
  self->trouble = g_strdup (error->message);
  g_mutex_unlock (&self->mutex);
}

/* FALSE: it is time to end. */
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
                                                                  : IDLE_PERIOD_US;
      goes_on = !self->is_stopping;
      if (!goes_on || !g_cond_wait_until (&self->changed, &self->mutex, now_us + period_us))
        break;
    }
  g_mutex_unlock (&self->mutex);
  return goes_on;
}

/* What comes after this daemon, and finds nobody else, need not wait. */
static void
lower_ceiling (KvsqldClock *self)
{
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LAST_CALL_US };
  KvsqldTimeBounds own;
  gboolean is_written;
  Look now;

  if (!get_bounds (self, &own) || !look (self, &now, &call, NULL) || now.n_others > 0
      || now.entry.term != self->entry.term)
    return;
  now.entry.ceiling_ms = kvsqld_time_bounds_at (&own, now.ended_us).latest_us / 1000 + 1;
  entry_write (self, &now, &call, &is_written, NULL);
}

static gpointer
run (gpointer data)
{
  KvsqldClock *self = data;
  gboolean is_done, has_failed;

  do
    {
      g_autoptr (GError) error = NULL;
      KvsqlCall call
          = { .deadline_us = g_get_monotonic_time () + CALL_TIMEOUT_US, .cancellable = self->stop };

      has_failed = !compare (self, &call, &is_done, &error);
      if (has_failed)
        note_trouble (self, error);
    }
  while (wait_a_while (self, is_done, has_failed));
  lower_ceiling (self);
  return NULL;
}

/* ---- life */

KvsqldClock *
kvsqld_clock_new (KvsqldRegistry *registry)
{
  KvsqldClock *self = g_new0 (KvsqldClock, 1);

  self->registry = registry;
  self->stop = g_cancellable_new ();
  self->used_us = self->started_us = g_get_monotonic_time ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("clock", run, self);
  return self;
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
  g_free (self->trouble);
  g_free (self);
}

/* ---- reading */

/* Under the lock. FALSE: it is not known, and this daemon has waited long enough. Once it is known,
 * the others learn of this daemon before long, and that is waited for. */
static gboolean
await_ready (KvsqldClock *self)
{
  gint64 end_us = self->started_us + READY_TIMEOUT_US;

  for (;;)
    {
      gint64 now_us = g_get_monotonic_time ();

      if (self->is_known && now_us >= self->ready_us)
        return TRUE;
      if (!self->is_known && now_us >= end_us)
        return FALSE;
      g_cond_wait_until (&self->changed, &self->mutex, self->is_known ? self->ready_us : end_us);
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

void
kvsqld_clock_get_status (KvsqldClock *self, KvsqldClockStatus *out)
{
  gint64 now_us = g_get_monotonic_time ();
  KvsqldTimeBounds now;

  g_mutex_lock (&self->mutex);
  now = kvsqld_time_bounds_at (&self->bounds, now_us);
  *out = (KvsqldClockStatus){ .is_known = self->is_known,
                              .ahead_us = now.latest_us - g_get_real_time (),
                              .uncertainty_us = now.latest_us - now.earliest_us,
                              .age_us = now_us - self->compared_us,
                              .n_others = self->n_others,
                              .trouble = g_strdup (self->trouble) };
  g_mutex_unlock (&self->mutex);
}
