/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-write.c: see the header.
 */
#include "config.h"

#include "core/write/checked-write.h"

#include "core/scan/read-by-keys.h"
#include "core/write/apply.h"
#include "core/write/checked-cells.h"
#include "core/write/checked-settle.h"

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

/* The anchor of a change; *out_has_room: FALSE: the write before it has to be finished first. */
static gboolean
make_anchor (const KvsqlCheckedWriter *self, const KvsqlCheckedChange *change, KvsqlArena *arena,
             KvsqlAnchor *out, gboolean *out_has_room, GError **error)
{
  const KvsqlCheckedTuple *before = change->before;
  gint64 timestamp = _kvsql_checked_timestamp (self, before->key, before->newest, error);
  KvsqlSlice record
      = change->new != NULL ? _kvsql_checked_record (self, change->new, arena) : KVSQL_SLICE_EMPTY;

  *out_has_room = kvsql_anchor_succeed (&before->anchor, record, timestamp, out);
  return timestamp != 0;
}

/* If the write before was finished, only what differs. */
static const KvsqlValue *
get_finished (const KvsqlCheckedChange *change)
{
  const KvsqlCheckedTuple *before = change->before;

  return change->is_whole || before->anchor.timestamp == 0 || before->anchor.is_pending
             ? NULL
             : before->tuple;
}

/* A change on its way. */
typedef struct
{
  KvsqlCheckedChange *change;
  KvsqlSlice state; /* that the anchor must have still */
  KvsqlAnchor anchor;
  guint first, n; /* its mutations in the list */
} Step;

/* Step 1 of a list of changes: makes anchors and cells. What a schema cannot hold is not decided.
 * A change whose anchor has no room is left out: first, what it waits for is finished. */
static gboolean
prepare (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n, KvsqlArena *arena,
         KvsqlMutationList *list, Step *steps, guint *out_n, GError **error)
{
  *out_n = 0;
  for (guint i = 0; i < n; i++)
    {
      Step *step = &steps[*out_n];
      const KvsqlCheckedTuple *before = changes[i].before;
      gboolean has_room;

      *step = (Step){ .change = &changes[i],
                      .state = _kvsql_checked_state (&before->anchor, arena),
                      .first = list->mutations->len };
      if (!make_anchor (self, &changes[i], arena, &step->anchor, &has_room, error)
          || (!has_room && !kvsql_checked_write_cells (self, before, 1, error)))
        return FALSE;
      if (has_room
          && !kvsql_checked_add_cells (self, &step->anchor, changes[i].new,
                                       get_finished (&changes[i]), arena, list, error))
        {
          changes[i].is_rejected = TRUE;
          return FALSE;
        }
      step->n = list->mutations->len - step->first;
      *out_n += has_room;
    }
  return kvsql_mutation_list_ensure_tables (list, self->storage, self->call, error);
}

/* Step 2 */
typedef struct
{
  const KvsqlCheckedWriter *writer;
  Step *steps;
} Decisions;

static gboolean
decide (gpointer data, guint index, GError **error)
{
  const Decisions *self = data;
  const Step *step = &self->steps[index];

  if (_kvsql_checked_replace (self->writer, step->change->before->key, step->state, &step->anchor,
                              &step->change->is_applied, error))
    return TRUE;
  step->change->is_applied = FALSE;
  return FALSE;
}

/* Removes the cells of changes that are not applied. */
static void
remove_lost (KvsqlMutationList *list, const Step *steps, guint n)
{
  for (guint i = n; i > 0; i--)
    if (!steps[i - 1].change->is_applied && steps[i - 1].n > 0)
      kvsql_mutation_list_remove (list, steps[i - 1].first, steps[i - 1].n);
}

/* Step 5, of what is done now */
static void
clear (const KvsqlCheckedWriter *self, const Step *steps, guint n)
{
  g_autoptr (KvsqlCheckedClears) own = self->clears == NULL ? kvsql_checked_clears_new () : NULL;

  for (guint i = 0; i < n; i++)
    if (steps[i].change->is_applied)
      _kvsql_checked_add_clear (self, steps[i].change->before->key, &steps[i].anchor,
                                self->clears ?: own);
  if (own != NULL)
    kvsql_checked_clears_run (own, self->storage, TRUE, self->call);
}

/* Steps 3 to 5. */
static gboolean
write_decided (const KvsqlCheckedWriter *self, const Step *steps, guint n, KvsqlMutationList *list,
               GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (!kvsql_mutation_list_apply (list, self->storage, self->call, &failure))
    {
      for (guint i = 0; i < n; i++)
        steps[i].change->is_applied = FALSE;
      return kvsql_checked_fail_unfinished (failure, error);
    }
  clear (self, steps, n);
  return TRUE;
}

gboolean
kvsql_checked_apply (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n,
                     GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  Decisions decisions = { .writer = self, .steps = kvsql_arena_array (arena, Step, n) };
  Step *steps = decisions.steps;
  GError *undecided = NULL, *unfinished = NULL;
  gboolean ok;
  guint n_steps;

  for (guint i = 0; i < n; i++)
    changes[i].is_applied = changes[i].is_rejected = FALSE;
  if (!prepare (self, changes, n, arena, list, steps, &n_steps, error))
    return FALSE;
  ok = kvsql_store_run_tasks (kvsql_storage_get_store (self->storage), n_steps, decide, &decisions,
                              &undecided);
  remove_lost (list, steps, n_steps);
  /* also if a later change has failed */
  if (!write_decided (self, steps, n_steps, list, &unfinished))
    g_clear_error (&undecided);
  if (unfinished == NULL && ok)
    return TRUE;
  g_propagate_error (error, unfinished != NULL ? unfinished : undecided);
  return FALSE;
}
