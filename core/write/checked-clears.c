/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-clears.c: see the header.
 */
#include "config.h"

#include "core/write/checked-clears.h"

#include "core/anchor/anchor.h"

/* The statement that has changed an anchor releases its lock in a moment. */
#define MAX_PAUSES 5
#define FIRST_PAUSE_US 500

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
  *KVSQL_ARENA_ADD (self->arena, self->clears, self->n)
      = (KvsqlCheckedClear){ .key = kvsql_slice_dup (self->arena, clear->key),
                             .row = kvsql_slice_dup (self->arena, clear->row),
                             .state = kvsql_slice_dup (self->arena, clear->state),
                             .timestamp = clear->timestamp };
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

static void
put_states (const KvsqlMutation *puts, guint n, KvsqlStorage *storage, const KvsqlCall *call)
{
  if (!kvsql_store_apply (kvsql_storage_get_store (storage), puts, n, call, NULL))
    return;
}

/* Clears those of the @n clears whose keys are not locked. Returns how many are left, which come
 * first then. */
static guint
clear_unlocked (const KvsqlCheckedClear **clears, guint n, KvsqlStorage *storage,
                const KvsqlCall *call)
{
  g_autofree KvsqlKeyLocks *locks = g_new0 (KvsqlKeyLocks, n);
  g_autofree KvsqlMutation *puts = g_new (KvsqlMutation, n);
  guint n_locked = 0, n_left = 0;

  for (guint i = 0; i < n; i++)
    {
      kvsql_key_locks_add (&locks[n_locked], clears[i]->key);
      if (kvsql_storage_try_lock (storage, &locks[n_locked]))
        puts[n_locked++] = put_of (clears[i]);
      else
        {
          kvsql_key_locks_clear (&locks[n_locked]);
          clears[n_left++] = clears[i];
        }
    }
  put_states (puts, n_locked, storage, call);
  for (guint i = 0; i < n_locked; i++)
    kvsql_storage_unlock_unchanged (storage, &locks[i]);
  return n_left;
}

static void
clear_soon (const KvsqlCheckedClears *self, KvsqlStorage *storage, const KvsqlCall *call)
{
  g_autofree const KvsqlCheckedClear **left = g_new (const KvsqlCheckedClear *, self->n);
  guint n_left = self->n;

  for (guint i = 0; i < n_left; i++)
    left[i] = &self->clears[i];
  for (guint i = 0; n_left > 0 && i < MAX_PAUSES && kvsql_call_check (call, NULL); i++)
    {
      if (i > 0)
        g_usleep (FIRST_PAUSE_US << i);
      n_left = clear_unlocked (left, n_left, storage, call);
    }
}

void
kvsql_checked_clears_run (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                          gboolean holds_locks, const KvsqlCall *call)
{
  g_autofree KvsqlMutation *puts = NULL;

  if (!holds_locks)
    {
      clear_soon (self, storage, call);
      return;
    }
  puts = g_new (KvsqlMutation, self->n);
  for (guint i = 0; i < self->n; i++)
    puts[i] = put_of (&self->clears[i]);
  put_states (puts, self->n, storage, call);
}
