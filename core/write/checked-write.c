/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-write.c: see the header.
 */
#include "config.h"

#include "core/write/checked-write.h"

#include "core/scan/read-by-keys.h"
#include "core/write/checked-cells.h"
#include "core/write/checked-settle.h"
#include "core/write/checked-steps.h"

/* ---- reading */

/* A tuple without an anchor becomes an older tuple of its first anchor. */
void
kvsql_checked_adopt (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                     KvsqlTupleMap *rows, KvsqlArena *arena, KvsqlCheckedTuple *out)
{
  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *tuple
          = out[i].anchor.timestamp == 0 ? kvsql_tuple_map_find (rows, keys[i]) : NULL;

      if (tuple == NULL)
        continue;
      out[i].tuple = kvsql_tuple_dup (self->entry->relation, tuple, arena);
      out[i].anchor.is_live = TRUE;
      out[i].anchor.tuple = _kvsql_checked_record (self, tuple, arena);
      out[i].newest = kvsql_tuple_map_get_times (rows, tuple).newest;
    }
}

gboolean
kvsql_checked_adopt_stored (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                            KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  g_autofree const KvsqlValue **missing = g_new (const KvsqlValue *, n);
  g_autoptr (KvsqlTupleMap) rows = NULL;
  guint n_missing = 0;

  for (guint i = 0; i < n; i++)
    if (out[i].anchor.timestamp == 0)
      missing[n_missing++] = keys[i];
  if (n_missing == 0)
    return TRUE;
  rows = kvsql_tuple_map_new (relation, 0);
  if (!kvsql_read_primary_by_keys (kvsql_storage_get_store (self->storage), self->entry, missing,
                                   n_missing, &relation->all, self->call, rows, error))
    return FALSE;
  kvsql_checked_adopt (self, keys, n, rows, arena, out);
  return TRUE;
}

gboolean
kvsql_checked_read (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                    KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  KvsqlSlice *bytes = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    bytes[i] = kvsql_checked_key (self, keys[i], arena);
  return kvsql_storage_ensure_anchors (self->storage, self->call, error)
         && kvsql_checked_read_settled (self, bytes, n, arena, out, error)
         && kvsql_checked_adopt_stored (self, keys, n, arena, out, error);
}

gboolean
kvsql_checked_is_unchanged (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *before,
                            gboolean *out_unchanged, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple now;

  if (!_kvsql_checked_read_anchors (self, &before->key, 1, arena, &now, error))
    return FALSE;
  *out_unchanged = now.anchor.timestamp == before->anchor.timestamp;
  return TRUE;
}

/* ---- what others have left */

gboolean
kvsql_checked_finish (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n, guint *out_n,
                      GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, n);

  *out_n = 0;
  /* The second time all anchors are read after all moves were settled. The first time, a tuple may
   * have arrived at a key that was read before, from one that was read after. */
  if (!kvsql_checked_read_settled (self, keys, n, arena, found, error)
      || !kvsql_checked_read_settled (self, keys, n, arena, found, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    *out_n += found[i].anchor.is_pending;
  return kvsql_checked_write_cells (self, found, n, error);
}

/* ---- changes */

/* Step 2 */
typedef struct
{
  const KvsqlCheckedWriter *writer;
  KvsqlCheckedStep *steps;
} Decisions;

static gboolean
decide (gpointer data, guint index, GError **error)
{
  const Decisions *self = data;
  const KvsqlCheckedStep *step = &self->steps[index];
  const KvsqlCheckedTuple *before = step->change->before;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if (_kvsql_checked_replace (self->writer, before->key,
                              _kvsql_checked_state (&before->anchor, arena), &step->anchor,
                              &step->change->is_applied, error))
    return TRUE;
  step->change->is_applied = FALSE;
  return FALSE;
}

gboolean
kvsql_checked_apply (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n,
                     GError **error)
{
  g_auto (KvsqlCheckedSteps) steps = { 0 };
  Decisions decisions = { .writer = self };
  GError *undecided = NULL, *unfinished = NULL;
  gboolean ok;

  if (!kvsql_checked_steps_prepare (&steps, self, changes, n, FALSE, error))
    return FALSE;
  decisions.steps = steps.steps;
  ok = kvsql_store_run_tasks (kvsql_storage_get_store (self->storage), steps.n, decide, &decisions,
                              &undecided);
  /* also if a later change has failed */
  if (!kvsql_checked_steps_finish (&steps, self, &unfinished))
    g_clear_error (&undecided);
  if (unfinished == NULL && ok)
    return TRUE;
  g_propagate_error (error, unfinished != NULL ? unfinished : undecided);
  return FALSE;
}
