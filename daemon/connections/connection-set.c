/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection-set.c: see connection-set.h.
 */
#include "config.h"

#include "daemon/connections/connection-set.h"

/* The largest number of connections without a place that wait for the answer that refuses them. */
#define MAX_REFUSED 256

struct _KvsqldConnectionSet
{
  GMutex lock;
  GCond ended;
  gboolean is_stopping;
  GHashTable *connections; /* set of KvsqldConnectionEntry */
  guint n_open;            /* not freed yet */
  guint n_refused;         /* of them without a place */
  KvsqldAdmission *admission;
  KvsqldConnectionStatus totals;
};

KvsqldConnectionSet *
kvsqld_connection_set_new (void)
{
  KvsqldConnectionSet *self = g_new0 (KvsqldConnectionSet, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  self->connections = g_hash_table_new (NULL, NULL);
  self->admission = kvsqld_admission_new ();
  return self;
}

void
kvsqld_connection_set_free (KvsqldConnectionSet *self)
{
  g_hash_table_unref (self->connections);
  kvsqld_admission_free (self->admission);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self);
}

/* ---- coming and going */

static gboolean
is_running (gpointer owner)
{
  KvsqldConnectionEntry *entry = owner;

  return entry->session != NULL ? kvsqld_session_is_running (entry->session) : entry->is_busy;
}

/* With the lock held. NULL: it got a place. */
static const gchar *
find_place (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry,
            const KvsqldConnectionLimits *limits, GCancellable **out_displaced)
{
  const KvsqldAdmissionBounds bounds
      = { .max = limits->max_connections,
          .max_of_peer = limits->max_connections_per_peer,
          .reserved = limits->reserved_connections,
          .idle_us = limits->full_idle_timeout_ms * G_TIME_SPAN_MILLISECOND,
          .is_running = is_running };
  KvsqldPlace *displaced;
  const gchar *obstacle = kvsqld_admission_enter (self->admission, &entry->place, &bounds,
                                                  g_get_monotonic_time (), &displaced);

  if (displaced != NULL)
    {
      *out_displaced = g_object_ref (((KvsqldConnectionEntry *)displaced->owner)->cancellable);
      self->totals.n_displaced++;
    }
  return obstacle;
}

gboolean
kvsqld_connection_set_add (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry,
                           const KvsqldConnectionLimits *limits, gboolean can_refuse,
                           GCancellable **out_displaced)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *out_displaced = NULL;
  if (self->is_stopping)
    return FALSE;
  entry->refused_for = find_place (self, entry, limits, out_displaced);
  if (entry->refused_for == NULL)
    self->totals.n_accepted++;
  else
    {
      self->totals.n_refused++;
      if (!can_refuse || self->n_refused >= MAX_REFUSED)
        return FALSE;
      self->n_refused++;
    }
  g_hash_table_add (self->connections, entry);
  self->n_open++;
  return TRUE;
}

/* With the lock held. */
static void
add_bytes (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry)
{
  guint64 bytes_in = kvsql_transport_get_bytes_in (entry->transport);
  guint64 bytes_out = kvsql_transport_get_bytes_out (entry->transport);

  self->totals.bytes_in += bytes_in - entry->bytes_in;
  self->totals.bytes_out += bytes_out - entry->bytes_out;
  entry->bytes_in = bytes_in;
  entry->bytes_out = bytes_out;
}

void
kvsqld_connection_set_remove (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry,
                              gboolean is_clean)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  add_bytes (self, entry);
  if (entry->is_busy)
    self->totals.n_busy--;
  if (!is_clean)
    self->totals.n_dropped++;
  kvsqld_admission_leave (self->admission, &entry->place);
  if (entry->refused_for != NULL)
    self->n_refused--;
  g_hash_table_remove (self->connections, entry);
}

void
kvsqld_connection_set_note_ended (KvsqldConnectionSet *self)
{
  g_mutex_lock (&self->lock);
  self->n_open--;
  g_cond_broadcast (&self->ended);
  g_mutex_unlock (&self->lock);
}

/* ---- requests */

gboolean
kvsqld_connection_set_note_waiting (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (entry->is_busy)
    {
      entry->is_busy = FALSE;
      self->totals.n_busy--;
      kvsqld_admission_touch (self->admission, &entry->place, g_get_monotonic_time ());
    }
  add_bytes (self, entry);
  return !self->is_stopping && entry->place.is_held;
}

/* A request may arrive at the moment at which the connection is told to end or loses its place. */
gboolean
kvsqld_connection_set_note_busy (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->is_stopping || !entry->place.is_held)
    return FALSE;
  entry->is_busy = TRUE;
  self->totals.n_busy++;
  self->totals.n_requests++;
  return TRUE;
}

/* ---- the end */

void
kvsqld_connection_set_stop (KvsqldConnectionSet *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->is_stopping = TRUE;
}

void
kvsqld_connection_set_cancel (KvsqldConnectionSet *self,
                              gboolean (*is_chosen) (const KvsqldConnectionEntry *entry))
{
  g_autoptr (GPtrArray) cancellables = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer key;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->connections);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (is_chosen (key))
      g_ptr_array_add (cancellables, g_object_ref (((KvsqldConnectionEntry *)key)->cancellable));
  g_mutex_unlock (&self->lock);
  /* Without the lock: cancelling runs callbacks. */
  for (guint i = 0; i < cancellables->len; i++)
    g_cancellable_cancel (g_ptr_array_index (cancellables, i));
}

gboolean
kvsqld_connection_set_await_end (KvsqldConnectionSet *self, gint64 until_us)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->n_open > 0)
    g_cond_wait_until (&self->ended, &self->lock, until_us);
  return self->n_open == 0;
}

void
kvsqld_connection_set_get_status (KvsqldConnectionSet *self, KvsqldConnectionStatus *out)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *out = self->totals;
  out->n_connections = kvsqld_admission_count (self->admission);
}
