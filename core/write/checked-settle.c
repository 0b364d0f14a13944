/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-settle.c: see the header.
 */
#include "config.h"

#include "core/write/checked-settle.h"

#include "core/write/checked-cells.h"

static gboolean
fail_no_room (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "an anchor of a tuple that moves has too many older tuples");
}

/* Replaces the anchor of the new key, if it has the expected state. *out_replaced: FALSE: it has
 * changed, and is to be read again. */
static gboolean
arrive (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving, KvsqlCheckedTuple *target,
        gboolean *out_replaced, GError **error)
{
  gint64 timestamp = _kvsql_checked_timestamp (self, target->key, target->newest, error);
  KvsqlAnchor arrived;

  if (timestamp == 0)
    return FALSE;
  if (!kvsql_anchor_arrive (&target->anchor, &moving->anchor, moving->key, timestamp, &arrived))
    return fail_no_room (error);
  if (!_kvsql_checked_replace (self, target->key, moving->anchor.expected_state, &arrived,
                               out_replaced, error))
    return FALSE;
  if (*out_replaced)
    target->anchor = arrived;
  return TRUE;
}

/* *out_is_moved: the tuple is at the new key, @out. FALSE: it never will be. */
static gboolean
decide (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving, KvsqlArena *arena,
        KvsqlCheckedTuple *out, gboolean *out_is_moved, GError **error)
{
  const KvsqlValue *moved_tuple;
  KvsqlSlice key;

  if (!_kvsql_checked_read_record (self, moving->anchor.moved_tuple, arena, &moved_tuple, error))
    return FALSE;
  key = kvsql_checked_key (self, moved_tuple, arena);
  do
    {
      if (!_kvsql_checked_read_anchors (self, &key, 1, arena, out, error))
        return FALSE;
      *out_is_moved = kvsql_anchor_is_arrival (&out->anchor, &moving->anchor);
      if (*out_is_moved
          || !kvsql_slice_equal (_kvsql_checked_state (&out->anchor, arena),
                                 moving->anchor.expected_state))
        return TRUE;
      out->tuple = moved_tuple;
      if (!arrive (self, moving, out, out_is_moved, error))
        return FALSE;
    }
  while (!*out_is_moved);
  return TRUE;
}

gboolean
kvsql_checked_settle (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving,
                      gboolean *out_is_settled, gboolean *out_is_moved, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple target;
  KvsqlAnchor ended;
  gint64 timestamp;

  *out_is_settled = FALSE;
  if (!decide (self, moving, arena, &target, out_is_moved, error))
    return FALSE;
  if (*out_is_moved && !kvsql_checked_put_cells (self, &target, 1, error))
    return FALSE;
  timestamp = _kvsql_checked_timestamp (self, moving->key, moving->newest, error);
  if (timestamp == 0)
    return FALSE;
  if (!kvsql_anchor_end_move (&moving->anchor, *out_is_moved, timestamp, &ended))
    return fail_no_room (error);
  return _kvsql_checked_replace (self, moving->key, _kvsql_checked_state (&moving->anchor, arena),
                                 &ended, out_is_settled, error);
}

/* A load has covered the move of this anchor: what it replaced need not be moved, but the mover's
 * request may still arrive. So the move is decided, if it still can be. */
static gboolean
settle_covered (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *found, KvsqlArena *arena,
                gboolean *out_any, GError **error)
{
  KvsqlCheckedTuple moving = *found, target;
  const KvsqlValue *moved_tuple;
  gboolean is_replaced;
  KvsqlSlice key;

  moving.anchor.timestamp = found->anchor.checked;
  if (!_kvsql_checked_read_record (self, found->anchor.moved_tuple, arena, &moved_tuple, error))
    return FALSE;
  key = kvsql_checked_key (self, moved_tuple, arena);
  if (!_kvsql_checked_read_anchors (self, &key, 1, arena, &target, error))
    return FALSE;
  if (!kvsql_slice_equal (_kvsql_checked_state (&target.anchor, arena),
                          found->anchor.expected_state))
    return TRUE;
  *out_any = TRUE;
  return arrive (self, &moving, &target, &is_replaced, error);
}

/* Settles the move at this key, or the one from which its tuple has arrived. *out_any is set if
 * there was one. */
static gboolean
settle_key (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *found, KvsqlArena *arena,
            gboolean *out_any, GError **error)
{
  KvsqlCheckedTuple source = *found;
  g_autoptr (GError) failure = NULL;
  gboolean is_settled, is_moved;

  if (!found->anchor.is_pending)
    return TRUE;
  if (!found->anchor.is_moving && !found->anchor.covers_move)
    {
      if (found->anchor.arrival == 0)
        return TRUE;
      if (!_kvsql_checked_read_anchors (self, &found->anchor.source, 1, arena, &source, error))
        return FALSE;
      if (!source.anchor.is_moving || !kvsql_anchor_is_arrival (&found->anchor, &source.anchor))
        return TRUE;
    }
  *out_any = !found->anchor.covers_move;
  if (found->anchor.covers_move
          ? settle_covered (self, found, arena, out_any, &failure)
          : kvsql_checked_settle (self, &source, &is_settled, &is_moved, &failure))
    return TRUE;
  /* what has become of it, is read */
  if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* All keys are read again, because the end of a move changes the anchors of two of them. */
gboolean
kvsql_checked_settle_all (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                          KvsqlArena *arena, KvsqlCheckedTuple *tuples, GError **error)
{
  for (;;)
    {
      gboolean any = FALSE;

      for (guint i = 0; i < n; i++)
        if (!settle_key (self, &tuples[i], arena, &any, error))
          return FALSE;
      if (!any)
        return TRUE;
      if (!kvsql_call_check (self->call, error)
          || !_kvsql_checked_read_anchors (self, keys, n, arena, tuples, error))
        return FALSE;
    }
}

gboolean
kvsql_checked_read_settled (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                            KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  return _kvsql_checked_read_anchors (self, keys, n, arena, out, error)
         && kvsql_checked_settle_all (self, keys, n, arena, out, error);
}
