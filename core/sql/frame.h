/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * frame.h: which rows a window function sees: those between two bounds, counted in rows, in values
 * of ORDER BY, or in groups of rows with equal values (peers).
 */
#pragma once

typedef enum
{
  KVSQL_FRAME_RANGE,
  KVSQL_FRAME_ROWS,
  KVSQL_FRAME_GROUPS,
} KvsqlFrameMode;

/* In the order in which the bounds may follow each other. */
typedef enum
{
  KVSQL_BOUND_FIRST,     /* UNBOUNDED PRECEDING */
  KVSQL_BOUND_PRECEDING, /* offset PRECEDING */
  KVSQL_BOUND_CURRENT,   /* CURRENT ROW */
  KVSQL_BOUND_FOLLOWING, /* offset FOLLOWING */
  KVSQL_BOUND_LAST,      /* UNBOUNDED FOLLOWING */
} KvsqlFrameBound;

typedef enum
{
  KVSQL_EXCLUDE_NOTHING, /* EXCLUDE NO OTHERS */
  KVSQL_EXCLUDE_ROW,     /* the current row */
  KVSQL_EXCLUDE_GROUP,   /* the current row and its peers */
  KVSQL_EXCLUDE_TIES,    /* its peers */
} KvsqlFrameExclusion;

/* An offset belongs to a bound that is PRECEDING or FOLLOWING. */
static inline int
kvsql_frame_bound_has_offset (KvsqlFrameBound bound)
{
  return bound == KVSQL_BOUND_PRECEDING || bound == KVSQL_BOUND_FOLLOWING;
}
