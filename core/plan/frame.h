/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * frame.h: the frame of a call with OVER: which rows of the partition it sees from a row.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlFrameMode mode;
  KvsqlFrameBound start, end;
  KvsqlFrameExclusion exclusion;
  /* of bounds that have one, not negative. ROWS and GROUPS: BIGINT. RANGE: BIGINT for an integer or
   * a DATE, which is a number of days; DECIMAL; DOUBLE for a real */
  KvsqlValue start_offset, end_offset;
} KvsqlFrame;

/* RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW, if there is no frame clause. */
extern const KvsqlFrame kvsql_frame_default;

/**
 * kvsql_frame_bind:
 * @window: a KVSQL_AST_WINDOW
 * @order: the type of its first sort key; KVSQL_TYPE_NULL: it has no ORDER BY
 *
 * Errors have the SQLSTATEs of PostgreSQL: 42P20 for a frame that its window cannot have, 22013 for
 * a negative offset.
 */
gboolean kvsql_frame_bind (const KvsqlBinder *binder, const KvsqlAstExpr *window, KvsqlType order,
                           KvsqlFrame *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
