/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dead-anchors.h: removes anchors that no writer needs any more: those of deleted tuples, and those
 * of relations that are not defined any more.
 *
 * The anchor of a deleted tuple says no more than that there is none, as its absence does, once
 * nothing can arrive that was begun by an older version of it. That is so when its T is older than
 * a time before which
 *
 *   - no request has begun that may still have an effect;
 *   - no entry of the log has begun. So no tuple is moving whose move expects what was before T.
 *
 * So @before has to be chosen (kvsql_dead_anchors_find_limit()). What began later knows T, or that
 * there is no anchor:
 *
 *   - a compare-and-set from version T fails if the anchor has been removed, and the writer reads
 *     that there is none;
 *   - a move to this key that expects version T is taken back, and tried again;
 *   - a load that knows version T puts a newer one. The removal deletes nothing newer than T;
 *   - a daemon that finishes the DELETE clears the anchor with a condition (checked-cells.h);
 *   - a reader finds no anchor, and reads the row, which is not there.
 *
 * The removal is a compare-and-set from version T, too, and deletes at T. Nothing relies on the
 * markers of these deletes: HBase may forget them at its next major compaction.
 *
 * tests/model/anchor.pml and move.pml are the models (REMOVE).
 *
 * Threads: any. Several removers at the same time do no harm.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

typedef struct
{
  /* If no definition has the relation, its entry is NULL: all its anchors are removed then. */
  KvsqlCheckedWriter writer;
  gint64 before; /* only anchors with a smaller T, and no newer cells */
} KvsqlDeadAnchors;

/**
 * kvsql_dead_anchors_find_limit:
 * @age_ms: so long after a version of an anchor was chosen, it is there, and no request has an
 * effect any more that began before it was
 * @out: for KvsqlDeadAnchors.before, not now but when no request has an effect any more that began
 * before this call
 *
 * Reads the whole log, as what is in it may still have an effect. A move that has just left it may
 * have been met by others, whose requests are on their way.
 */
gboolean kvsql_dead_anchors_find_limit (KvsqlStorage *storage, gint64 age_ms, const KvsqlCall *call,
                                        gint64 *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_dead_anchors_find_relation:
 * @from: the smallest id
 * @out: of the first relation from there on that has anchors, whether it is defined or not; 0:
 * there is none
 */
gboolean kvsql_dead_anchors_find_relation (KvsqlStorage *storage, guint64 from,
                                           const KvsqlCall *call, guint64 *out,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_dead_anchors_remove:
 * @first, @n: these parts of the relation's rows (KVSQL_ANCHOR_PARTS)
 * @out_n: how many anchors were removed, also if there is an error
 *
 * The store selects the anchors, if it can. A DELETE that is not finished is finished; its anchor
 * is left to the next call.
 */
gboolean kvsql_dead_anchors_remove (const KvsqlDeadAnchors *self, guint32 first, guint32 n,
                                    guint64 *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
