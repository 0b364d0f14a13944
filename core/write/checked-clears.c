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
                             .before = kvsql_slice_dup (self->arena, clear->before),
                             .after = kvsql_slice_dup (self->arena, clear->after),
                             .timestamp = clear->timestamp };
}

static void
replace_state (const KvsqlCheckedClear *clear, KvsqlStore *store, const KvsqlCall *call)
{
  const KvsqlCheck check = { .kind = KVSQL_CHECK_EQUAL,
                             .table = KVSQL_ANCHOR_TABLE,
                             .row = clear->row,
                             .family = KVSQL_ANCHOR_FAMILY,
                             .qualifier = KVSQL_ANCHOR_STATE,
                             .value = clear->before };
  const KvsqlCellMutation put = { .kind = KVSQL_MUTATION_PUT,
                                  .family = KVSQL_ANCHOR_FAMILY,
                                  .qualifier = KVSQL_ANCHOR_STATE,
                                  .value = clear->after,
                                  .timestamp = clear->timestamp };
  gboolean is_replaced;

  if (!kvsql_store_check_and_apply (store, &check, &put, 1, call, &is_replaced, NULL))
    return;
}

static gboolean
lock_soon (KvsqlStorage *storage, KvsqlKeyLocks *locks)
{
  for (guint i = 0; i < MAX_PAUSES; i++)
    {
      if (kvsql_storage_try_lock (storage, locks))
        return TRUE;
      g_usleep (FIRST_PAUSE_US << i);
    }
  return FALSE;
}

static void
run_one (const KvsqlCheckedClear *clear, KvsqlStorage *storage, const KvsqlCall *call)
{
  KvsqlKeyLocks locks = { 0 };

  kvsql_key_locks_add (&locks, clear->key);
  if (lock_soon (storage, &locks))
    {
      replace_state (clear, kvsql_storage_get_store (storage), call);
      kvsql_storage_unlock_unchanged (storage, &locks);
    }
  else
    kvsql_key_locks_clear (&locks);
}

void
kvsql_checked_clears_run (const KvsqlCheckedClears *self, KvsqlStorage *storage,
                          gboolean holds_locks, const KvsqlCall *call)
{
  for (guint i = 0; i < self->n && kvsql_call_check (call, NULL); i++)
    if (holds_locks)
      replace_state (&self->clears[i], kvsql_storage_get_store (storage), call);
    else
      run_one (&self->clears[i], storage, call);
}
