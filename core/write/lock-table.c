/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lock-table.c: an open-addressed set, with waiting.
 */
#include "config.h"

#include "core/write/lock-table.h"

#include <string.h>

#define FIRST_SLOTS 64

void
kvsql_lock_table_init (KvsqlLockTable *self)
{
  *self = (KvsqlLockTable){ .n_slots = FIRST_SLOTS };
  self->slots = g_new0 (guint64, FIRST_SLOTS);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->released);
}

void
kvsql_lock_table_clear (KvsqlLockTable *self)
{
  g_clear_pointer (&self->slots, g_free);
  g_cond_clear (&self->released);
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

static void
acquire_one (KvsqlLockTable *self, guint64 key)
{
  while (self->slots[find (self, key)] != 0)
    {
      self->n_waiting++;
      g_cond_wait (&self->released, &self->mutex);
      self->n_waiting--;
    }
  add_key (self, key);
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

void
kvsql_lock_table_acquire (KvsqlLockTable *self, const guint64 *keys, guint n)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n; i++)
    acquire_one (self, keys[i]);
  g_mutex_unlock (&self->mutex);
}

void
kvsql_lock_table_release (KvsqlLockTable *self, const guint64 *keys, guint n)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n; i++)
    remove_key (self, keys[i]);
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->released);
  g_mutex_unlock (&self->mutex);
}
