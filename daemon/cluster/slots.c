/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slots.c: acquires, keeps and releases a slot.
 *
 * The slot in use (@held) may at any time be less than the slot in the table, never more: a daemon
 * goes by a larger number of slots before it writes that into the table, and by a smaller one
 * afterwards.
 */
#include "config.h"

#include "daemon/cluster/slots.h"

#include "daemon/cluster/holders.h"
#include "daemon/cluster/process-id.h"
#include "daemon/registry/registry-private.h"
#include "daemon/cluster/slot-table.h"

#include <string.h>

/* Monotonic clocks of two machines differ by less than this part of the lease. */
#define SAFE_PART 8
/* The last timestamp of a daemon may be ahead of the clock, but by no more than half of this
 * (core/write/timestamps.c). A timestamp that is further ahead has other reasons. */
#define AHEAD_MS 2000
#define FAR_AHEAD_MS 5000
/* The table is written after this many parts of the lease in which a holder was not seen. */
#define UNSEEN_PARTS 16
#define LONGEST_PERIOD_US (5 * G_USEC_PER_SEC)

typedef struct
{
  gboolean is_held;
  guint slot;
  guint n_slots;
  gint64 confirmed_us; /* the last time that the table had the slot and the session lasted */
} Held;

/* Another holder that has no session. */
typedef struct
{
  gint64 since_us; /* the time from which this daemon saw it without one */
  gint64 unseen_s; /* the value in the table at that time */
} Absence;

struct _KvsqldSlots
{
  KvsqldRegistry *registry;
  gint64 lease_s;
  gchar *id;
  gchar *process;
  GHashTable *absences; /* of the thread that makes steps; by id: Absence */
  gboolean has_held;    /* of the same thread: this is not the first slot */

  GMutex mutex; /* protects all members below; a leaf */
  Held held;
  gint64 past_ms;    /* timestamps up to this are not used */
  gint64 newest_ms;  /* the newest used timestamp, except those far in the future */
  gchar *last_error; /* the last failure; nullable */
  KvsqldReadyFunc ready;
  gpointer ready_data;
};

/* ---- construction */

static gchar *
new_id (void)
{
  return g_strdup_printf ("%08x%08x%08x%08x", g_random_int (), g_random_int (), g_random_int (),
                          g_random_int ());
}

KvsqldSlots *
kvsqld_slots_new (KvsqldRegistry *registry, gint64 lease_s)
{
  KvsqldSlots *self = g_new0 (KvsqldSlots, 1);

  self->registry = registry;
  self->lease_s = lease_s != 0 ? lease_s : KVSQLD_DEFAULT_LEASE_S;
  self->id = new_id ();
  self->process = kvsqld_process_id_new ();
  self->absences = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_init (&self->mutex);
  return self;
}

void
kvsqld_slots_free (KvsqldSlots *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_free (self->process);
  g_free (self->last_error);
  g_hash_table_unref (self->absences);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

guint64
kvsqld_slots_get_daemon_id (const KvsqldSlots *self)
{
  return kvsqld_slot_holder_id_to_daemon_id (self->id);
}

gint64
kvsqld_slots_get_period (const KvsqldSlots *self)
{
  return MIN (self->lease_s * G_USEC_PER_SEC / 4, LONGEST_PERIOD_US);
}

/* ---- the slot in use */

static void
hold (KvsqldSlots *self, const KvsqldSlotHolder *mine, gint64 past_ms, gint64 confirmed_us)
{
  g_mutex_lock (&self->mutex);
  /* other daemons used timestamps that belong to this one from now on */
  if (!self->held.is_held || mine->n_slots < self->held.n_slots)
    self->past_ms = MAX (self->past_ms, past_ms);
  self->held = (Held){
    .is_held = TRUE, .slot = mine->slot, .n_slots = mine->n_slots, .confirmed_us = confirmed_us
  };
  g_clear_pointer (&self->last_error, g_free);
  g_mutex_unlock (&self->mutex);
}

static void
drop (KvsqldSlots *self)
{
  g_mutex_lock (&self->mutex);
  self->held.is_held = FALSE;
  g_mutex_unlock (&self->mutex);
}

/* From now on uses only timestamps of the larger number of slots. Returns the newest one used
 * before. */
static gint64
narrow (KvsqldSlots *self, guint n_slots)
{
  gint64 newest_ms;

  g_mutex_lock (&self->mutex);
  if (self->held.is_held)
    self->held.n_slots = MAX (self->held.n_slots, n_slots);
  newest_ms = self->newest_ms;
  g_mutex_unlock (&self->mutex);
  return newest_ms;
}

static void
record_last_error (KvsqldSlots *self, const GError *error)
{
  g_mutex_lock (&self->mutex);
  g_free (self->last_error);
  self->last_error = g_strdup (error->message);
  g_mutex_unlock (&self->mutex);
}

/* ---- one step */

typedef struct
{
  KvsqldSlotTable *table;
  const GPtrArray *daemons;
  const gchar *own_peer;
  gint64 latest_ms;
  gboolean is_changed;
  gboolean waits_for_time; /* the next step can be made when the time is known */
} Step;

static gboolean
is_alive (const Step *step, const KvsqldSlotHolder *holder)
{
  return kvsqld_daemons_have (step->daemons, holder->peer);
}

static const gchar *
find_own_peer (const GPtrArray *daemons)
{
  for (guint i = 0; i < daemons->len; i++)
    if (((const KvsqldPeer *)daemons->pdata[i])->is_self)
      return ((const KvsqldPeer *)daemons->pdata[i])->name;
  return NULL;
}

/* The number of slots is not changed again until all live daemons go by it. */
static gboolean
is_followed (const Step *step)
{
  for (guint i = 0; i < step->table->holders->len; i++)
    {
      const KvsqldSlotHolder *holder = step->table->holders->pdata[i];

      if (holder->n_slots != step->table->n_slots && is_alive (step, holder))
        return FALSE;
    }
  return TRUE;
}

static void
follow (KvsqldSlots *self, Step *step, KvsqldSlotHolder *mine)
{
  gint64 newest_ms = narrow (self, step->table->n_slots);

  step->table->past_ms = MAX (step->table->past_ms, newest_ms);
  mine->n_slots = step->table->n_slots;
  step->is_changed = TRUE;
}

/* Whether this daemon may go by the smaller number of slots, which gives it more timestamps: no
 * holder uses one of them. */
static gboolean
can_widen (const Step *step, const KvsqldSlotHolder *mine)
{
  for (guint i = 0; i < step->table->holders->len; i++)
    {
      const KvsqldSlotHolder *holder = step->table->holders->pdata[i];
      guint n = MIN (holder->n_slots, step->table->n_slots);

      if (holder != mine && holder->slot % n == mine->slot % n)
        return FALSE;
    }
  return mine->slot < step->table->n_slots;
}

/* Whether the timestamps of daemons that are gone are all in the past. Then a daemon that takes
 * them over need not wait. */
static gboolean
has_passed (const Step *step)
{
  return step->latest_ms > step->table->past_ms;
}

static void
confirm_slot (KvsqldSlots *self, Step *step, KvsqldSlotHolder *mine)
{
  KvsqldSlotTable *table = step->table;
  guint unused;

  if (strcmp (mine->peer, step->own_peer) != 0 || mine->unseen_s != 0)
    {
      g_free (mine->peer);
      mine->peer = g_strdup (step->own_peer);
      mine->unseen_s = 0;
      step->is_changed = TRUE;
    }
  if (mine->n_slots < table->n_slots)
    follow (self, step, mine);
  else if (mine->n_slots > table->n_slots && has_passed (step) && can_widen (step, mine))
    {
      mine->n_slots = table->n_slots;
      step->is_changed = TRUE;
    }
  if (!is_followed (step))
    return;
  if (!kvsqld_slot_table_find_free (table, &unused) && table->n_slots < KVSQLD_MAX_SLOTS)
    {
      table->n_slots *= 2;
      follow (self, step, mine);
    }
  else if (has_passed (step) && kvsqld_slot_table_can_shrink (table))
    {
      table->n_slots /= 2;
      step->is_changed = TRUE;
    }
}

void
kvsqld_slots_set_ready (KvsqldSlots *self, KvsqldReadyFunc ready, gpointer data)
{
  g_mutex_lock (&self->mutex);
  self->ready = ready;
  self->ready_data = data;
  g_mutex_unlock (&self->mutex);
}

static gboolean
check_ready (KvsqldSlots *self, const KvsqlCall *call, GError **error)
{
  KvsqldReadyFunc ready;
  gpointer data;

  g_mutex_lock (&self->mutex);
  ready = self->ready;
  data = self->ready_data;
  g_mutex_unlock (&self->mutex);
  return ready == NULL || !self->has_held || ready (data, call, error);
}

/* NULL: no slot yet. */
static KvsqldSlotHolder *
acquire_slot (KvsqldSlots *self, Step *step)
{
  KvsqldSlotHolder *mine;
  guint slot;

  if (!kvsqld_slot_table_find_free (step->table, &slot))
    {
      if (is_followed (step) && step->table->n_slots < KVSQLD_MAX_SLOTS)
        {
          step->table->n_slots *= 2;
          step->is_changed = TRUE;
        }
      return NULL;
    }
  mine = kvsqld_slot_table_add (step->table);
  mine->slot = slot;
  mine->id = g_strdup (self->id);
  mine->lease_s = self->lease_s;
  mine->process = g_strdup (self->process);
  mine->peer = g_strdup (step->own_peer);
  step->is_changed = TRUE;
  return mine;
}

/* TRUE if the holder uses no more timestamps. The daemon that measures an absence writes it to the
 * table. The others then begin again from there, so that no second counts twice. */
static gboolean
count_absence (KvsqldSlots *self, Step *step, KvsqldSlotHolder *holder)
{
  Absence *absence = g_hash_table_lookup (self->absences, holder->id);
  gint64 now_us = g_get_monotonic_time (), elapsed_s;

  if (kvsqld_process_id_has_ended (holder->process))
    return TRUE;
  if (absence == NULL || absence->unseen_s != holder->unseen_s)
    {
      absence = g_new (Absence, 1);
      *absence = (Absence){ .since_us = now_us, .unseen_s = holder->unseen_s };
      g_hash_table_replace (self->absences, g_strdup (holder->id), absence);
    }
  elapsed_s = (now_us - absence->since_us) / G_USEC_PER_SEC;
  if (holder->unseen_s + elapsed_s >= holder->lease_s)
    return TRUE;
  if (elapsed_s > holder->lease_s / UNSEEN_PARTS)
    {
      holder->unseen_s += elapsed_s;
      step->is_changed = TRUE;
    }
  return FALSE;
}

static void
remove_holder (KvsqldSlots *self, Step *step, KvsqldSlotHolder *holder)
{
  step->waits_for_time = step->waits_for_time || step->latest_ms == 0;
  if (step->latest_ms == 0)
    return;
  step->table->past_ms = MAX (step->table->past_ms, step->latest_ms + AHEAD_MS);
  g_hash_table_remove (self->absences, holder->id);
  kvsqld_slot_table_remove (step->table, holder);
  step->is_changed = TRUE;
}

static void
update_absences (KvsqldSlots *self, Step *step)
{
  for (guint i = step->table->holders->len; i > 0; i--)
    {
      KvsqldSlotHolder *holder = step->table->holders->pdata[i - 1];

      if (strcmp (holder->id, self->id) == 0)
        continue;
      if (is_alive (step, holder))
        g_hash_table_remove (self->absences, holder->id);
      else if (count_absence (self, step, holder))
        remove_holder (self, step, holder);
    }
}

static gboolean
save (KvsqldSlots *self, const Step *step, gint64 version, const KvsqlCall *call,
      gboolean *out_is_written, GError **error)
{
  g_autofree gchar *text = NULL;

  *out_is_written = TRUE;
  if (!step->is_changed)
    return TRUE;
  text = kvsqld_slot_table_print (step->table);
  return self->registry->klass->write_slots (self->registry, version, text, out_is_written, call,
                                             error);
}

static KvsqldSlotTable *
load (KvsqldSlots *self, gint64 *out_version, const KvsqlCall *call, GError **error)
{
  g_autofree gchar *text = NULL;

  if (!self->registry->klass->read_slots (self->registry, &text, out_version, call, error))
    return NULL;
  return kvsqld_slot_table_parse (text, error);
}

static gboolean
step_once (KvsqldSlots *self, const GPtrArray *daemons, gint64 looked_us, gint64 latest_ms,
           const KvsqlCall *call, guint *out_n_holders, gboolean *out_is_done, GError **error)
{
  g_autoptr (KvsqldSlotTable) table = NULL;
  Step step = { .daemons = daemons, .own_peer = find_own_peer (daemons), .latest_ms = latest_ms };
  KvsqldSlotHolder *mine;
  gboolean is_written;
  gint64 version;

  if (step.own_peer == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "the registry does not list this daemon yet");
  table = load (self, &version, call, error);
  if (table == NULL)
    return FALSE;
  step.table = table;
  update_absences (self, &step);
  mine = kvsqld_slot_table_find (table, self->id);
  if (mine != NULL)
    confirm_slot (self, &step, mine);
  else
    {
      drop (self);
      if (!check_ready (self, call, error))
        return FALSE;
      mine = acquire_slot (self, &step);
    }
  if (!save (self, &step, version, call, &is_written, error))
    return FALSE;
  if (is_written && mine != NULL)
    {
      hold (self, mine, table->past_ms, looked_us);
      self->has_held = TRUE;
    }
  *out_n_holders = table->holders->len - (mine != NULL ? 1 : 0);
  *out_is_done = is_written && mine != NULL && !step.waits_for_time;
  if (mine == NULL && !step.is_changed && table->n_slots == KVSQLD_MAX_SLOTS)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "all %d slots are held, by daemons that live or whose lease is not "
                            "over",
                            KVSQLD_MAX_SLOTS);
  return TRUE;
}

gboolean
kvsqld_slots_step (KvsqldSlots *self, const GPtrArray *daemons, gint64 looked_us, gint64 latest_ms,
                   const KvsqlCall *call, guint *out_n_holders, gboolean *out_is_done,
                   GError **error)
{
  GError *failure = NULL;

  *out_is_done = FALSE;
  if (step_once (self, daemons, looked_us, latest_ms, call, out_n_holders, out_is_done, &failure))
    return TRUE;
  record_last_error (self, failure);
  g_propagate_error (error, failure);
  return FALSE;
}

void
kvsqld_slots_release (KvsqldSlots *self, const KvsqlCall *call)
{
  gboolean is_written = FALSE;

  drop (self);
  while (!is_written && kvsql_call_check (call, NULL))
    {
      gint64 version;
      g_autoptr (KvsqldSlotTable) table = load (self, &version, call, NULL);
      KvsqldSlotHolder *mine = table != NULL ? kvsqld_slot_table_find (table, self->id) : NULL;
      Step step = { .table = table, .is_changed = TRUE };

      if (mine == NULL)
        return;
      kvsqld_slot_table_remove (table, mine);
      table->past_ms = MAX (table->past_ms, self->newest_ms);
      if (!save (self, &step, version, call, &is_written, NULL))
        return;
    }
}

/* ---- timestamps */

/* The lock is held. */
static gint64
get_age (const KvsqldSlots *self)
{
  return g_get_monotonic_time () - self->held.confirmed_us;
}

static gboolean
is_lease_over (const KvsqldSlots *self)
{
  gint64 lease_us = self->lease_s * G_USEC_PER_SEC;

  return get_age (self) > lease_us - lease_us / SAFE_PART;
}

static void
set_no_slot (const KvsqldSlots *self, GError **error)
{
  const gchar *before = self->last_error != NULL ? ": " : "";
  const gchar *last_error = self->last_error != NULL ? self->last_error : "";

  if (self->held.is_held)
    kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                     "nothing is written: this daemon may no longer give out timestamps, because "
                     "the registry has not confirmed its slot for %" G_GINT64_FORMAT " s%s%s",
                     get_age (self) / G_USEC_PER_SEC, before, last_error);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                     "nothing is written: this daemon has no slot to give out timestamps%s%s",
                     before, last_error);
  kvsql_error_hint (error, "It writes again once it has reached the registry; another daemon that "
                           "reaches it can write now.");
}

gint64
kvsqld_slots_next_timestamp (KvsqldSlots *self, gint64 at_least, gint64 latest_ms, GError **error)
{
  gint64 timestamp = 0;

  g_mutex_lock (&self->mutex);
  if (!self->held.is_held || is_lease_over (self))
    set_no_slot (self, error);
  else
    {
      timestamp = kvsqld_slot_next (self->held.slot, self->held.n_slots,
                                    MAX (at_least, self->past_ms + 1));
      if (timestamp <= latest_ms + FAR_AHEAD_MS)
        self->newest_ms = MAX (self->newest_ms, timestamp);
    }
  g_mutex_unlock (&self->mutex);
  return timestamp;
}

gboolean
kvsqld_slots_is_held (KvsqldSlots *self)
{
  gboolean is_held;

  g_mutex_lock (&self->mutex);
  is_held = self->held.is_held;
  g_mutex_unlock (&self->mutex);
  return is_held;
}

gchar *
kvsqld_slots_describe (KvsqldSlots *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gdouble age_s = (gdouble)get_age (self) / G_USEC_PER_SEC;

  if (!self->held.is_held)
    return g_strdup_printf ("none, writes are refused%s%s", self->last_error != NULL ? ": " : "",
                            self->last_error != NULL ? self->last_error : "");
  return g_strdup_printf ("%u of %u, confirmed %.1f s ago%s", self->held.slot, self->held.n_slots,
                          age_s, is_lease_over (self) ? ": too long, writes are refused" : "");
}
