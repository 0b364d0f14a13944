/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group-table.c: open addressing. A slot holds a key's number; keys are compared only if 32 bits of
 * their hashes agree.
 *
 * Each table has a random seed, so that a client cannot choose keys that collide.
 */
#include "config.h"

#include "core/exec/group-table.h"

#include "core/base/account.h"
#include "core/base/hash.h"

#define FIRST_SLOTS 256
#define EMPTY G_MAXUINT32

typedef struct
{
  KvsqlSlice key;
  guint32 hash;
} Entry;

struct _KvsqlGroupTable
{
  KvsqlArena *arena; /* of the keys */
  GArray *entries;   /* of Entry, by number */
  guint32 *slots;
  guint32 n_slots; /* a power of two */
  guint64 seed;
  KvsqlAccount *account; /* nullable: counts slots and entries */
};

/* Of the slots, and of the entries that they have room for. */
static gssize
size_of_slots (guint32 n_slots)
{
  return (gssize)n_slots * sizeof (guint32) + (gssize)n_slots / 2 * sizeof (Entry);
}

KvsqlGroupTable *
kvsql_group_table_new (void)
{
  KvsqlGroupTable *self = g_new0 (KvsqlGroupTable, 1);

  self->arena = kvsql_arena_new ();
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->n_slots = FIRST_SLOTS;
  self->slots = g_malloc (self->n_slots * sizeof (guint32));
  memset (self->slots, 0xff, self->n_slots * sizeof (guint32));
  self->seed = (guint64)g_random_int () << 32 | g_random_int ();
  self->account = kvsql_account_ref (kvsql_account_get_current ());
  kvsql_account_add (self->account, size_of_slots (self->n_slots));
  return self;
}

void
kvsql_group_table_free (KvsqlGroupTable *self)
{
  if (self == NULL)
    return;
  kvsql_account_add (self->account, -size_of_slots (self->n_slots));
  kvsql_account_unref (self->account);
  kvsql_arena_free (self->arena);
  g_array_unref (self->entries);
  g_free (self->slots);
  g_free (self);
}

guint32
kvsql_group_table_get_n (const KvsqlGroupTable *self)
{
  return self->entries->len;
}

gsize
kvsql_group_table_get_size (const KvsqlGroupTable *self)
{
  return kvsql_arena_get_size (self->arena) + self->entries->len * sizeof (Entry)
         + self->n_slots * sizeof (guint32);
}

static guint32
hash_key (const KvsqlGroupTable *self, KvsqlSlice key)
{
  return (guint32)kvsql_hash (self->seed, key.data, key.size);
}

static void
grow (KvsqlGroupTable *self)
{
  g_assert (self->n_slots
            <= G_MAXUINT32 / 2); /* else no slot would be left, and a search endless */
  kvsql_account_add (self->account, size_of_slots (self->n_slots)); /* as much again */
  self->n_slots *= 2;
  self->slots = g_realloc (self->slots, self->n_slots * sizeof (guint32));
  memset (self->slots, 0xff, self->n_slots * sizeof (guint32));
  for (guint32 number = 0; number < self->entries->len; number++)
    {
      guint32 slot = g_array_index (self->entries, Entry, number).hash & (self->n_slots - 1);
      while (self->slots[slot] != EMPTY)
        slot = (slot + 1) & (self->n_slots - 1);
      self->slots[slot] = number;
    }
}

/* The slot of the key, or the free slot for it. */
static guint32
find_slot (const KvsqlGroupTable *self, KvsqlSlice key, guint32 hash)
{
  guint32 slot = hash & (self->n_slots - 1);

  for (; self->slots[slot] != EMPTY; slot = (slot + 1) & (self->n_slots - 1))
    {
      const Entry *known = &g_array_index (self->entries, Entry, self->slots[slot]);
      if (known->hash == hash && kvsql_slice_equal (known->key, key))
        break;
    }
  return slot;
}

gboolean
kvsql_group_table_find (const KvsqlGroupTable *self, KvsqlSlice key, guint32 *out)
{
  *out = self->slots[find_slot (self, key, hash_key (self, key))];
  return *out != EMPTY;
}

guint32
kvsql_group_table_add (KvsqlGroupTable *self, KvsqlSlice key, gboolean *out_is_new)
{
  Entry entry = { .hash = hash_key (self, key) };
  guint32 slot;

  if (self->entries->len >= self->n_slots / 2)
    grow (self);
  slot = find_slot (self, key, entry.hash);
  *out_is_new = self->slots[slot] == EMPTY;
  if (*out_is_new)
    {
      entry.key = kvsql_slice_dup (self->arena, key);
      self->slots[slot] = self->entries->len;
      g_array_append_val (self->entries, entry);
    }
  return self->slots[slot];
}
