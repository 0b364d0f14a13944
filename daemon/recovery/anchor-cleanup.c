/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor-cleanup.c: which daemon removes anchors, when, and how old they have to be.
 *
 * The version T of an anchor was chosen by a statement that may be late: so it is there late_s
 * after T at the latest. What began before that has no effect any more after late_s once more.
 * grace_s is more than late_s, so an age of both is enough, and the difference is room for the
 * duration of statements and for the errors of clocks. It is also long enough for the delete
 * markers of the tuple's cells, which HBase forgets after grace_s: after that, no late put of the
 * tuple can arrive that would need them.
 *
 * A pass begins with a look at the log, and a wait, until no request can arrive that was under way
 * at that time (kvsql_dead_anchors_find_limit()). So a daemon removes nothing in its first late_s,
 * either. Before it came, the daemons may have used an earlier write protocol, in which the anchor
 * of a deleted tuple was cleared without a condition.
 */
#include "config.h"

#include "daemon/recovery/anchor-cleanup.h"

#include "daemon/cluster/holders.h"
#include "daemon/cluster/periodic.h"
#include "daemon/recovery/anchor-pass.h"

/* After the look at the log, late_s begins when a request is given up. Where grace_s gives less
 * room than that, its room is enough. */
#define LONGEST_REQUEST_S 600
#define LONGEST_PERIOD_US G_TIME_SPAN_MINUTE
/* Of a step. A change of definitions waits for it. */
#define CALL_US (3 * G_TIME_SPAN_SECOND)
/* After a step there is a pause, so many times as long: statements come first. */
#define PAUSE_FACTOR 3
#define SHORTEST_PAUSE_US (10 * G_TIME_SPAN_MILLISECOND)
#define WAIT_US (50 * G_TIME_SPAN_MILLISECOND)

struct _KvsqldAnchorCleanup
{
  KvsqlStorage *storage;
  KvsqldDefinitions *definitions;
  guint64 own_id;
  KvsqldAnchorTimes times;
  KvsqldPeriodic *looks; /* NULL: off */

  /* of the thread */
  KvsqldAnchorPass pass;
  gboolean has_pass;
  gint64 next_us; /* monotonic: a pass is due, or its next step */

  GMutex mutex; /* protects what follows; a leaf */
  KvsqldAnchorCleanupStatus status;
};

/* ---- whether it is this daemon's turn */

static gboolean
is_first (const GArray *holders, guint64 id)
{
  for (guint i = 0; i < holders->len; i++)
    {
      const KvsqldHolder *holder = &g_array_index (holders, KvsqldHolder, i);

      if (holder->has_session)
        return holder->daemon_id == id;
    }
  return FALSE;
}

static gboolean
find_state (KvsqldAnchorCleanup *self, const KvsqlCatalog *catalog, const KvsqlCall *call,
            KvsqldCleanupState *out, GError **error)
{
  g_autoptr (GArray) holders = NULL;

  *out = KVSQLD_CLEANUP_WAITS;
  if (!kvsqld_definitions_may_write (self->definitions, catalog, error))
    return FALSE;
  if (g_get_monotonic_time () < self->next_us)
    return TRUE;
  holders = kvsqld_holders_read (kvsqld_definitions_get_registry (self->definitions), call, error);
  if (holders == NULL)
    return FALSE;
  *out = is_first (holders, self->own_id) ? KVSQLD_CLEANUP_RUNS : KVSQLD_CLEANUP_ELSEWHERE;
  return TRUE;
}

/* ---- steps */

static void
end_pass (KvsqldAnchorCleanup *self)
{
  self->has_pass = FALSE;
  self->next_us = g_get_monotonic_time () + self->times.interval_s * G_USEC_PER_SEC;
}

/* A look at the log, and the wait after it. */
static gboolean
begin_pass (KvsqldAnchorCleanup *self, const KvsqldAnchorStep *step, GError **error)
{
  gint64 room_s = MIN (self->times.grace_s - self->times.late_s, LONGEST_REQUEST_S);
  gint64 age_ms = (self->times.grace_s + self->times.late_s) * 1000;

  if (!kvsqld_anchor_pass_begin (&self->pass, self->storage, age_ms, step->call, error))
    return FALSE;
  self->has_pass = TRUE;
  self->next_us = g_get_monotonic_time () + (self->times.late_s + room_s) * G_USEC_PER_SEC;
  return TRUE;
}

static gboolean
run_step (KvsqldAnchorCleanup *self, KvsqldAnchorStep *step, GError **error)
{
  if (!self->has_pass)
    return begin_pass (self, step, error);
  if (kvsqld_anchor_pass_step (&self->pass, step, error))
    return TRUE;
  /* a table may have been dropped */
  self->has_pass = !g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  return FALSE;
}

static void
note (KvsqldAnchorCleanup *self, KvsqldCleanupState state, const KvsqldAnchorStep *step,
      const GError *failure)
{
  KvsqldAnchorCleanupStatus *status = &self->status;
  gboolean is_over = state == KVSQLD_CLEANUP_RUNS && self->has_pass && self->pass.is_over;
  gboolean is_begun = state == KVSQLD_CLEANUP_RUNS && g_get_monotonic_time () < self->next_us;

  g_mutex_lock (&self->mutex);
  if (is_over || is_begun || failure != NULL)
    status->state = KVSQLD_CLEANUP_WAITS;
  else if (state != KVSQLD_CLEANUP_WAITS) /* before its time it is not known whose turn it is */
    status->state = state;
  status->relation_id = self->pass.relation_id;
  status->percent = kvsqld_anchor_pass_get_percent (&self->pass);
  status->n_dead += step->n_dead;
  status->n_orphaned += step->n_orphaned;
  if (is_over)
    {
      status->n_passes++;
      status->last_ms = g_get_real_time () / 1000;
    }
  g_free (status->last_error);
  status->last_error = failure != NULL ? g_strdup (failure->message) : NULL;
  g_mutex_unlock (&self->mutex);
}

/* TRUE: there is another step. */
static gboolean
look_once (KvsqldAnchorCleanup *self, GCancellable *stop)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + CALL_US, .cancellable = stop };
  /* a step counts as a statement that uses these definitions */
  KvsqlCatalog *catalog = kvsqld_definitions_enter (self->definitions);
  KvsqldAnchorStep step = { .storage = self->storage,
                            .registry = kvsqld_definitions_get_registry (self->definitions),
                            .catalog = catalog,
                            .call = &call };
  g_autoptr (GError) failure = NULL;
  KvsqldCleanupState state;
  gboolean ok = find_state (self, catalog, &call, &state, &failure)
                && (state != KVSQLD_CLEANUP_RUNS || run_step (self, &step, &failure));

  if (!ok && g_cancellable_is_cancelled (stop))
    g_clear_error (&failure);
  kvsqld_definitions_leave (self->definitions, catalog);
  note (self, state, &step, failure);
  if (state == KVSQLD_CLEANUP_ELSEWHERE || (self->has_pass && self->pass.is_over))
    end_pass (self);
  return ok && self->has_pass && g_get_monotonic_time () >= self->next_us;
}

static void
pause_after (gint64 took_us, GCancellable *stop)
{
  gint64 until_us = g_get_monotonic_time () + MAX (PAUSE_FACTOR * took_us, SHORTEST_PAUSE_US);

  while (!g_cancellable_is_cancelled (stop) && g_get_monotonic_time () < until_us)
    g_usleep ((gulong)MIN (until_us - g_get_monotonic_time () + 1, WAIT_US));
}

static void
look (GCancellable *stop, gpointer data)
{
  gint64 begun_us = g_get_monotonic_time ();

  while (!g_cancellable_is_cancelled (stop) && look_once (data, stop))
    {
      pause_after (g_get_monotonic_time () - begun_us, stop);
      begun_us = g_get_monotonic_time ();
    }
}

/* ---- construction */

KvsqldAnchorCleanup *
kvsqld_anchor_cleanup_new (KvsqlStorage *storage, KvsqldDefinitions *definitions, guint64 own_id,
                           const KvsqldAnchorTimes *times)
{
  KvsqldAnchorCleanup *self = g_new0 (KvsqldAnchorCleanup, 1);

  self->storage = storage;
  self->definitions = definitions;
  self->own_id = own_id;
  self->times = *times;
  g_mutex_init (&self->mutex);
  if (times->interval_s == 0)
    return self;
  self->status.state = KVSQLD_CLEANUP_WAITS;
  self->looks = kvsqld_periodic_new ("anchor-cleanup",
                                     MIN (LONGEST_PERIOD_US, times->interval_s * G_USEC_PER_SEC),
                                     TRUE, look, self);
  return self;
}

void
kvsqld_anchor_cleanup_free (KvsqldAnchorCleanup *self)
{
  if (self == NULL)
    return;
  kvsqld_periodic_free (self->looks);
  g_mutex_clear (&self->mutex);
  g_free (self->status.last_error);
  g_free (self);
}

void
kvsqld_anchor_cleanup_get_status (KvsqldAnchorCleanup *self, KvsqldAnchorCleanupStatus *out)
{
  g_mutex_lock (&self->mutex);
  *out = self->status;
  out->last_error = g_strdup (self->status.last_error);
  g_mutex_unlock (&self->mutex);
}
