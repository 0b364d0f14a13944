/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lock-table.c: an open-addressed set, with a queue of those that wait.
 */
#include "config.h"

#include "core/write/lock-table.h"

#include <string.h>

#define FIRST_SLOTS 64
/* How often a caller that waits looks whether it was killed. */
#define LOOK_US (50 * G_TIME_SPAN_MILLISECOND)

/* A caller that waits, on its stack. */
typedef struct
{
  GList link; /* in KvsqlLockTable.waiting */
  guint64 key;
  GCond granted;
  gboolean is_granted;
} Waiter;

void
kvsql_lock_table_init (KvsqlLockTable *self)
{
  *self = (KvsqlLockTable){ .n_slots = FIRST_SLOTS };
  self->slots = g_new0 (guint64, FIRST_SLOTS);
  g_queue_init (&self->waiting);
  g_mutex_init (&self->mutex);
}

void
kvsql_lock_table_clear (KvsqlLockTable *self)
{
  g_clear_pointer (&self->slots, g_free);
  g_mutex_clear (&self->mutex);
}

/* The slot of @key, or the free slot for it. */
static guint
find (const KvsqlLockTable *self, guint64 key)
{
  guint mask = self->n_slots - 1, slot = (guint)key & mask;

  while (self->slots[slot] != 0 && self->slots[slot] != key)
    slot = (slot + 1) & mask;
  return slot;
}

/* Makes room for one more key: at most half of the slots are in use. */
static void
make_room (KvsqlLockTable *self)
{
  guint64 *old = self->slots;
  guint n_old = self->n_slots;

  if (2 * (self->n_held + 1) <= n_old)
    return;
  self->n_slots *= 2;
  self->slots = g_new0 (guint64, self->n_slots);
  for (guint i = 0; i < n_old; i++)
    if (old[i] != 0)
      self->slots[find (self, old[i])] = old[i];
  g_free (old);
}

/* Keys after the removed one that could not get their own slot because of it are moved up. (Knuth,
 * The Art of Computer Programming, volume 3, 6.4, algorithm R.) */
static void
remove_key (KvsqlLockTable *self, guint64 key)
{
  guint mask = self->n_slots - 1, free_slot = find (self, key);

  for (guint slot = (free_slot + 1) & mask; self->slots[slot] != 0; slot = (slot + 1) & mask)
    {
      guint home = (guint)self->slots[slot] & mask;

      if (((slot - home) & mask) < ((slot - free_slot) & mask))
        continue;
      self->slots[free_slot] = self->slots[slot];
      free_slot = slot;
    }
  self->slots[free_slot] = 0;
  self->n_held--;
}

/* The mutex is held, as for the next one. */
static void
add_key (KvsqlLockTable *self, guint64 key)
{
  make_room (self);
  self->slots[find (self, key)] = key;
  self->n_held++;
}

/* Gives the key to the caller that has waited longest for it. */
static void
grant_free_keys (KvsqlLockTable *self)
{
  for (GList *link = self->waiting.head, *next; link != NULL; link = next)
    {
      Waiter *waiter = link->data;

      next = link->next;
      if (self->slots[find (self, waiter->key)] != 0)
        continue;
      add_key (self, waiter->key);
      waiter->is_granted = TRUE;
      g_queue_unlink (&self->waiting, link);
      g_cond_signal (&waiter->granted);
    }
}

static void
release (KvsqlLockTable *self, const guint64 *keys, guint n)
{
  for (guint i = 0; i < n; i++)
    remove_key (self, keys[i]);
  grant_free_keys (self);
}

static gboolean
check_waiting (const KvsqlCall *call, GError **error)
{
  return kvsql_call_check (call, error)
         || kvsql_error_detail (error, "It waited for a key that another statement was writing.");
}

static gboolean
wait_for (KvsqlLockTable *self, guint64 key, const KvsqlCall *call, GError **error)
{
  Waiter waiter = { .key = key };
  gboolean ok = TRUE;

  waiter.link.data = &waiter;
  g_cond_init (&waiter.granted);
  g_queue_push_tail_link (&self->waiting, &waiter.link);
  while (ok && !waiter.is_granted)
    {
      g_cond_wait_until (&waiter.granted, &self->mutex, g_get_monotonic_time () + LOOK_US);
      ok = waiter.is_granted || call == NULL || check_waiting (call, error);
    }
  if (!ok)
    g_queue_unlink (&self->waiting, &waiter.link);
  g_cond_clear (&waiter.granted);
  return ok;
}

static gboolean
acquire_one (KvsqlLockTable *self, guint64 key, const KvsqlCall *call, GError **error)
{
  if (self->slots[find (self, key)] != 0)
    return wait_for (self, key, call, error);
  add_key (self, key);
  return TRUE;
}

gboolean
kvsql_lock_table_try (KvsqlLockTable *self, guint64 key)
{
  gboolean is_free;

  g_mutex_lock (&self->mutex);
  is_free = self->slots[find (self, key)] == 0;
  if (is_free)
    add_key (self, key);
  g_mutex_unlock (&self->mutex);
  return is_free;
}

gboolean
kvsql_lock_table_acquire (KvsqlLockTable *self, const guint64 *keys, guint n, const KvsqlCall *call,
                          GError **error)
{
  guint n_acquired = 0;

  g_mutex_lock (&self->mutex);
  while (n_acquired < n && acquire_one (self, keys[n_acquired], call, error))
    n_acquired++;
  if (n_acquired < n)
    release (self, keys, n_acquired);
  g_mutex_unlock (&self->mutex);
  return n_acquired == n;
}

void
kvsql_lock_table_release (KvsqlLockTable *self, const guint64 *keys, guint n)
{
  g_mutex_lock (&self->mutex);
  release (self, keys, n);
  g_mutex_unlock (&self->mutex);
}
