/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * next-version.c: the anchor of a write, made from the anchor that it replaces.
 */
#include "config.h"

#include "core/anchor/anchor.h"

/* What a loaded version covers is not copied: its records are older tuples. */
static KvsqlAnchor
next_version (const KvsqlAnchor *before, KvsqlSlice tuple, gint64 timestamp)
{
  KvsqlAnchor next = { .timestamp = timestamp,
                       .previous = before->timestamp,
                       .is_pending = TRUE,
                       .is_live = tuple.size > 0,
                       .tuple = tuple };

  for (guint i = 0; i < before->n_loads; i++)
    if (kvsql_anchor_replaces_load (before, before->loads[i]))
      next.loads[next.n_loads++] = before->loads[i];
  return next;
}

static gboolean
has_room (const KvsqlAnchor *self)
{
  return self->n_old <= KVSQL_ANCHOR_MAX_OLD;
}

gboolean
kvsql_anchor_succeed (const KvsqlAnchor *before, KvsqlSlice tuple, gint64 timestamp,
                      KvsqlAnchor *out)
{
  *out = next_version (before, tuple, timestamp);
  return (!before->is_live || kvsql_anchor_add_old (out, before->tuple))
         && kvsql_anchor_add_all_old (out, before) && has_room (out);
}

void
kvsql_anchor_load (const KvsqlAnchor *before, KvsqlSlice tuple, gint64 timestamp, KvsqlAnchor *out)
{
  *out = (KvsqlAnchor){ .timestamp = timestamp,
                        .previous = before->timestamp,
                        .is_pending = TRUE,
                        .is_live = TRUE,
                        .is_loaded = TRUE,
                        .tuple = tuple };
  if (before->is_live)
    out->old[out->n_old++] = before->tuple;
}

gboolean
kvsql_anchor_begin_move (const KvsqlAnchor *before, KvsqlSlice moved_tuple,
                         KvsqlSlice expected_state, gint64 timestamp, KvsqlAnchor *out)
{
  *out = next_version (before, before->tuple, timestamp);
  out->is_moving = TRUE;
  out->moved_tuple = moved_tuple;
  out->expected_state = expected_state;
  return kvsql_anchor_add_all_old (out, before) && out->n_old < KVSQL_ANCHOR_MAX_OLD;
}

gboolean
kvsql_anchor_arrive (const KvsqlAnchor *before, const KvsqlAnchor *moving, KvsqlSlice source,
                     gint64 timestamp, KvsqlAnchor *out)
{
  *out = next_version (before, moving->moved_tuple, timestamp);
  out->arrival = moving->timestamp;
  out->source = source;
  return kvsql_anchor_add_all_old (out, before) && has_room (out);
}

gboolean
kvsql_anchor_end_move (const KvsqlAnchor *moving, gboolean is_moved, gint64 timestamp,
                       KvsqlAnchor *out)
{
  *out = next_version (moving, is_moved ? KVSQL_SLICE_EMPTY : moving->tuple, timestamp);
  return (!is_moved || kvsql_anchor_add_old (out, moving->tuple))
         && kvsql_anchor_add_all_old (out, moving) && has_room (out);
}
