/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-move.c: see the header.
 */
#include "config.h"

#include "core/write/checked-move.h"

#include "core/write/apply.h"
#include "core/write/checked-cells.h"
#include "core/write/checked-settle.h"

/* What became of a move. */
typedef enum
{
  MOVED,
  TAKEN_BACK,
  MOVING,
  UNKNOWN,
} Fate;

/* Checks that every schema can hold the tuple, and makes its tables. */
static gboolean
prepare (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  const KvsqlAnchor trial = { .timestamp = 2 };

  return kvsql_checked_add_cells (self, &trial, tuple, NULL, arena, list, error)
         && kvsql_mutation_list_check (list, 0, self->storage, error)
         && kvsql_mutation_list_ensure_tables (list, self->storage, self->call, error);
}

/* Makes the old key's anchor moving. *out_begun: FALSE: it has changed, or there was no room. */
static gboolean
begin (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *before,
       const KvsqlCheckedTuple *target, const KvsqlValue *new, KvsqlArena *arena,
       KvsqlCheckedTuple *out, gboolean *out_begun, GError **error)
{
  gint64 timestamp = _kvsql_checked_timestamp (self, before->key, before->newest, error);

  *out_begun = FALSE;
  if (timestamp == 0)
    return FALSE;
  *out = *before;
  if (!kvsql_anchor_begin_move (&before->anchor, _kvsql_checked_record (self, new, arena),
                                _kvsql_checked_state (&target->anchor, arena), timestamp,
                                &out->anchor))
    return kvsql_checked_write_cells (self, before, 1, error);
  out->newest = timestamp;
  return _kvsql_checked_replace (self, before->key, _kvsql_checked_state (&before->anchor, arena),
                                 &out->anchor, out_begun, error);
}

/* Another daemon may have settled the move, and others may have written both keys since. */
static gboolean
look (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving, KvsqlSlice target_key,
      Fate *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSlice keys[] = { moving->key, target_key };
  KvsqlCheckedTuple found[2];

  if (!_kvsql_checked_read_anchors (self, keys, 2, arena, found, error))
    return FALSE;
  if (kvsql_anchor_is_arrival (&found[1].anchor, &moving->anchor))
    *out = MOVED;
  else if (found[0].anchor.timestamp == moving->anchor.timestamp)
    *out = MOVING;
  else if (found[0].anchor.previous == moving->anchor.timestamp)
    *out = found[0].anchor.is_live ? TAKEN_BACK : MOVED;
  else
    *out = UNKNOWN;
  return TRUE;
}

/* *out_is_put: the cells of the tuple at its new key were put here. */
static gboolean
settle (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving, KvsqlSlice target_key,
        Fate *out, gboolean *out_is_put, GError **error)
{
  *out_is_put = FALSE;
  for (;;)
    {
      g_autoptr (GError) failure = NULL;
      gboolean is_settled, is_moved;

      if (kvsql_checked_settle (self, moving, &is_settled, &is_moved, &failure) && is_settled)
        {
          *out = is_moved ? MOVED : TAKEN_BACK;
          *out_is_put = is_moved;
          return TRUE;
        }
      if (!kvsql_call_check (self->call, error) || !look (self, moving, target_key, out, error))
        return FALSE;
      if (*out != MOVING)
        return TRUE;
      if (failure != NULL && !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
}

/* Writes what the two anchors say now. @is_put: the cells of the tuple that has arrived are there.
 * That its old key is not moving any more does not say so: a load may have covered the move. */
static gboolean
finish (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving, const KvsqlSlice *keys,
        gboolean is_put, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple ends[2];
  guint n_to_put;

  if (!kvsql_checked_read_settled (self, keys, 2, arena, ends, error))
    return FALSE;
  n_to_put = is_put && kvsql_anchor_is_arrival (&ends[1].anchor, &moving->anchor) ? 1 : 2;
  return kvsql_checked_put_cells (self, ends, n_to_put, error)
         && kvsql_checked_clear (self, ends, 2, error);
}

/* The move has begun, so after any error another daemon can still decide it. */
static gboolean
fail_undecided (const GError *cause, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the tuple may or may not have got its new key: %s",
                   cause != NULL ? cause->message : "others have written both keys since");
  return kvsql_error_hint (error, "Read the data before you repeat the statement.");
}

gboolean
kvsql_checked_move (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *before,
                    const KvsqlCheckedTuple *target, const KvsqlValue *new, gboolean *out_applied,
                    GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSlice keys[] = { before->key, target->key };
  g_autoptr (GError) failure = NULL;
  KvsqlCheckedTuple moving;
  gboolean is_begun, is_put;
  Fate fate;

  *out_applied = FALSE;
  if (!prepare (self, new, error)
      || !begin (self, before, target, new, arena, &moving, &is_begun, error))
    return FALSE;
  if (!is_begun)
    return TRUE;
  if (!settle (self, &moving, target->key, &fate, &is_put, &failure) || fate == UNKNOWN)
    return fail_undecided (failure, error);
  if (!finish (self, &moving, keys, is_put, &failure))
    return kvsql_checked_fail_unfinished (failure, error);
  *out_applied = fate == MOVED;
  return TRUE;
}
