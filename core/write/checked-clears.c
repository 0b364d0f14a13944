/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-clears.c: see the header.
 */
#include "config.h"

#include "core/write/checked-clears.h"

#include "core/base/hash.h"

/* A key is locked by a statement that will have replaced the anchor, or by one on another relation
 * with the same key. */
#define MAX_ATTEMPTS 20

struct _KvsqlCheckedClears
{
  KvsqlArena *arena;
  KvsqlCheckedClear *clears;
  guint n;
};

KvsqlCheckedClears *
kvsql_checked_clears_new (void)
{
  KvsqlCheckedClears *self = g_new0 (KvsqlCheckedClears, 1);

  self->arena = kvsql_arena_new ();
  return self;
}

void
kvsql_checked_clears_free (KvsqlCheckedClears *self)
{
  if (self == NULL)
    return;
  kvsql_arena_free (self->arena);
  g_free (self);
}

void
kvsql_checked_clears_add (KvsqlCheckedClears *self, const KvsqlCheckedClear *clear)
{
  KvsqlCheckedClear *copy = KVSQL_ARENA_ADD (self->arena, self->clears, self->n);

  *copy = *clear;
  copy->key = kvsql_slice_dup (self->arena, clear->key);
  copy->row = kvsql_slice_dup (self->arena, clear->row);
  copy->state = kvsql_slice_dup (self->arena, clear->state);
  for (guint i = 0; i < copy->n_replaced_loads; i++)
    copy->replaced_loads[i] = kvsql_slice_dup (self->arena, clear->replaced_loads[i]);
}

void
kvsql_checked_clears_add_all (KvsqlCheckedClears *self, const KvsqlCheckedClears *more)
{
  for (guint i = 0; i < more->n; i++)
    kvsql_checked_clears_add (self, &more->clears[i]);
}

static KvsqlMutation
put_of (const KvsqlCheckedClear *clear)
{
  return (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                          .table = KVSQL_ANCHOR_TABLE,
                          .row = clear->row,
                          .family = KVSQL_ANCHOR_FAMILY,
                          .qualifier = KVSQL_ANCHOR_STATE,
                          .value = clear->state,
                          .timestamp = clear->timestamp };
}

static KvsqlMutation
delete_of (const KvsqlCheckedClear *clear, guint index)
{
  return (KvsqlMutation){ .kind = KVSQL_MUTATION_DELETE,
                          .table = KVSQL_ANCHOR_TABLE,
                          .row = clear->row,
                          .family = KVSQL_ANCHOR_FAMILY,
                          .qualifier = clear->replaced_loads[index],
                          .timestamp = clear->timestamp - 1 };
}

/* Puts and deletes are two requests: one for both would be one for each row. */
static void
clear_all (const KvsqlCheckedClear *const *clears, guint n, KvsqlStorage *storage,
           const KvsqlCall *call)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);
  g_autofree KvsqlMutation *puts = g_new (KvsqlMutation, n);
  g_autoptr (GArray) deletes = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));

  for (guint i = 0; i < n; i++)
    {
      puts[i] = put_of (clears[i]);
      for (guint j = 0; j < clears[i]->n_replaced_loads; j++)
        {
          const KvsqlMutation mutation = delete_of (clears[i], j);

          g_array_append_val (deletes, mutation);
        }
    }
  if (kvsql_store_apply (store, puts, n, call, NULL) && deletes->len > 0
      && !kvsql_store_apply (store, (const KvsqlMutation *)(gpointer)deletes->data, deletes->len,
                             call, NULL))
    return;
}

/* Clears those of the @n clears whose keys are not locked. (transfer full) (nullable): the others
 */
static KvsqlCheckedClears *
clear_unlocked (const KvsqlCheckedClear *const *clears, guint n, KvsqlStorage *storage,
                const KvsqlCall *call)
{
  g_autofree KvsqlKeyLocks *locks = g_new0 (KvsqlKeyLocks, n);
  g_autofree const KvsqlCheckedClear **locked = g_new (const KvsqlCheckedClear *, n);
  KvsqlCheckedClears *others = NULL;
  guint n_locked = 0;

  for (guint i = 0; i < n; i++)
    {
      kvsql_key_locks_add (&locks[n_locked], clears[i]->key);
      if (kvsql_storage_try_lock (storage, &locks[n_locked]))
        {
          locked[n_locked++] = clears[i];
          continue;
        }
      kvsql_key_locks_clear (&locks[n_locked]);
      if (clears[i]->n_attempts >= MAX_ATTEMPTS)
        continue;
      if (others == NULL)
        others = kvsql_checked_clears_new ();
      kvsql_checked_clears_add (others, clears[i]);
      others->clears[others->n - 1].n_attempts++;
    }
  if (n_locked > 0)
    clear_all (locked, n_locked, storage, call);
  for (guint i = 0; i < n_locked; i++)
    kvsql_storage_unlock_unchanged (storage, &locks[i]);
  return others;
}

/* The newest version of each anchor: it has taken over what the others have left. */
static guint
list_newest (const KvsqlCheckedClears *self, const KvsqlCheckedClear **out)
{
  g_autoptr (GHashTable) newest = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    {
      const KvsqlCheckedClear *clear = &self->clears[i];
      const KvsqlCheckedClear **place = g_hash_table_lookup (newest, &clear->row);

      if (place == NULL)
        {
          out[n] = clear;
          g_hash_table_insert (newest, (gpointer)&clear->row, &out[n++]);
        }
      else if (clear->timestamp > (*place)->timestamp)
        *place = clear;
    }
  return n;
}

void
kvsql_checked_clears_run_locked (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                                 const KvsqlCall *call)
{
  g_autofree const KvsqlCheckedClear **clears = g_new (const KvsqlCheckedClear *, self->n);
  guint n = list_newest (self, clears);

  if (n > 0)
    clear_all (clears, n, storage, call);
}

KvsqlCheckedClears *
kvsql_checked_clears_run (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                          const KvsqlCall *call)
{
  g_autofree const KvsqlCheckedClear **clears = g_new (const KvsqlCheckedClear *, self->n);
  guint n = list_newest (self, clears);

  return clear_unlocked (clears, n, storage, call);
}
