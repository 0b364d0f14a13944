/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * held-keys.c: an open-addressed set that is waited for.
 */
#include "config.h"

#include "core/exec/held-keys.h"

#include <string.h>

#define FIRST_SLOTS 64

void
kvsql_held_keys_init (KvsqlHeldKeys *self)
{
  *self = (KvsqlHeldKeys){ .n_slots = FIRST_SLOTS };
  self->slots = g_new0 (guint64, FIRST_SLOTS);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->given_back);
}

void
kvsql_held_keys_clear (KvsqlHeldKeys *self)
{
  g_clear_pointer (&self->slots, g_free);
  g_cond_clear (&self->given_back);
  g_mutex_clear (&self->mutex);
}

/* Where @key is, or would be put. */
static guint
find (const KvsqlHeldKeys *self, guint64 key)
{
  guint mask = self->n_slots - 1, slot = (guint)key & mask;

  while (self->slots[slot] != 0 && self->slots[slot] != key)
    slot = (slot + 1) & mask;
  return slot;
}

/* For one more: at most half of the slots are in use. */
static void
make_room (KvsqlHeldKeys *self)
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

/* Those behind it that were put there because it was in their place move up. (Knuth, The Art of
 * Computer Programming, volume 3, 6.4, algorithm R.) */
static void
remove_key (KvsqlHeldKeys *self, guint64 key)
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

/* With the mutex held. */
static void
take (KvsqlHeldKeys *self, guint64 key)
{
  while (self->slots[find (self, key)] != 0)
    {
      self->n_waiting++;
      g_cond_wait (&self->given_back, &self->mutex);
      self->n_waiting--;
    }
  make_room (self);
  self->slots[find (self, key)] = key;
  self->n_held++;
}

void
kvsql_held_keys_take (KvsqlHeldKeys *self, const guint64 *keys, guint n)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n; i++)
    take (self, keys[i]);
  g_mutex_unlock (&self->mutex);
}

void
kvsql_held_keys_give_back (KvsqlHeldKeys *self, const guint64 *keys, guint n)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n; i++)
    remove_key (self, keys[i]);
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->given_back);
  g_mutex_unlock (&self->mutex);
}
