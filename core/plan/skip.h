/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip.h: reading a table from one front of its keys to the next.
 *
 * Where the predicate leaves the first elements of ROW open but bounds later ones, the rows wanted
 * lie side by side behind each front there is. What fronts there are is found while reading:
 * behind the last wanted row of one, the next row of the table tells the next. So the answer
 * depends on no statistics; only whether this is cheaper than reading everything does.
 */
#pragma once

#include "core/plan/boxes.h"
#include "core/plan/row-ranges.h"

G_BEGIN_DECLS

typedef struct _KvsqlCandidate KvsqlCandidate;

typedef struct _KvsqlSkip
{
  const KvsqlSequence *row; /* ROW of all cells */
  guint n_front;            /* the first elements, which are skipped over: a front (front.h) */
  gboolean *is_open;        /* [n_front]: not the same in all rows */
  KvsqlRowRange *behind;    /* what is read behind each front: disjoint, ascending; an empty stop is
                               the end of the front's rows */
  guint n_behind;
  gboolean is_known; /* by the type, or by statistics; else every row is taken for a front */
  gdouble n_fronts;  /* estimated */
  gdouble matching;  /* rows behind all of them, estimated */
} KvsqlSkip;

/* Rows that are read at once to find the next front, while fronts have many rows: as few as make no
 * difference beside the request. */
guint kvsql_skip_get_window (const KvsqlStoreCapabilities *capabilities);

/* What seeking for the fronts of @rows rows wanted adds to them. */
gdouble kvsql_skip_get_cost (const KvsqlSkip *self, gdouble rows,
                             const KvsqlStoreCapabilities *capabilities);

/**
 * kvsql_candidate_make_skip:
 * @self: with ranges and an estimate
 * @out: (out): the same, skipping
 *
 * Returns: %FALSE if there is nothing to skip over
 */
gboolean kvsql_candidate_make_skip (const KvsqlCandidate *self, const KvsqlBoxes *boxes,
                                    const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                                    KvsqlCandidate *out);

G_END_DECLS
