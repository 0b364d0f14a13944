/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-frame.h: the rows of a frame, from row to row.
 */
#pragma once

#include "core/exec/window-current.h"
#include "core/plan/frame.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 from, to; /* not including @to */
} KvsqlRowSpan;

/* What is left of a frame: the rows before those that are excluded, the current row if only its
 * peers are excluded, and the rows after them. */
#define KVSQL_FRAME_SPANS 3

typedef struct
{
  const KvsqlFrame *frame;
  KvsqlKeyPart order; /* of RANGE with an offset: the sort key */
  KvsqlArena *arena;  /* of values */
  gboolean has_partition;
  guint64 partition; /* in which the bounds are */
  guint64 start, end;
  /* In the order of the rows; some are empty. Within a partition no start and no end of a span
   * moves backwards. */
  KvsqlRowSpan spans[KVSQL_FRAME_SPANS];
} KvsqlWindowFrame;

/* @frame must outlive it. @order: (nullable): the first sort key */
void kvsql_window_frame_init (KvsqlWindowFrame *self, const KvsqlFrame *frame,
                              const KvsqlKeyPart *order);
void kvsql_window_frame_clear (KvsqlWindowFrame *self);

/* Finds the frame of the current row. In all, it passes each row of a partition a constant number
 * of times. */
gboolean kvsql_window_frame_move (KvsqlWindowFrame *self, KvsqlWindowCurrent *current,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
