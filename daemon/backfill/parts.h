/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parts.h: the parts of the primary that workers read side by side, and how far each one is done.
 *
 * Threads: not locked, the caller holds a lock.
 */
#pragma once

#include "core/scan/scan-position.h"

G_BEGIN_DECLS

/* ---- chunks in progress (marks.c) */

/* Chunks of a part begin in the order of the primary, and end in any order. */
typedef struct _KvsqldMarks KvsqldMarks;
typedef struct _KvsqldMark KvsqldMark;

KvsqldMarks *kvsqld_marks_new (void);
void kvsqld_marks_free (KvsqldMarks *self);
/* @next: (nullable): the position after the chunk; NULL: the end. Borrowed until the chunk ends. */
KvsqldMark *kvsqld_marks_begin (KvsqldMarks *self, const KvsqlScanPosition *next, guint64 n_tuples);
void kvsqld_marks_end (KvsqldMarks *self, KvsqldMark *mark);
/* TRUE with the position before which all chunks have ended, if it has moved since the last call.
 * Without a row: the end. Bytes are valid until the next chunk ends. @out_n: tuples between the
 * last position and this one. */
gboolean kvsqld_marks_advance (KvsqldMarks *self, KvsqlScanPosition *out, guint64 *out_n);

/* ---- parts of the primary (parts.c) */

typedef struct _KvsqldParts KvsqldParts;
typedef struct _KvsqldPart KvsqldPart;

/* A part that is not done. */
typedef struct
{
  KvsqlScanPart rows;
  KvsqlScanPosition position; /* before which all is done; without a row: at its start */
} KvsqldPartProgress;

/* Copies it, with its bytes in @arena. */
KvsqldPartProgress kvsqld_part_progress_dup (const KvsqldPartProgress *self, KvsqlArena *arena);

/* @n: at least 1 */
KvsqldParts *kvsqld_parts_new (const KvsqldPartProgress *parts, guint n);
void kvsqld_parts_free (KvsqldParts *self); /* accepts NULL */
guint kvsqld_parts_count (const KvsqldParts *self);
/* A part that has more to read and that no other worker reads, until kvsqld_part_release() or
 * _return(). NULL: there is none; *out_is_over: no part has more to read. */
KvsqldPart *kvsqld_parts_take (KvsqldParts *self, gboolean *out_is_over);
/* What its worker reads next. May be called without the lock. */
const KvsqlScanPart *kvsqld_part_get_rows (const KvsqldPart *self);         /* (nullable): all */
const KvsqlScanPosition *kvsqld_part_get_position (const KvsqldPart *self); /* (nullable) */
/* After an error. */
void kvsqld_part_return (KvsqldPart *self);
/* After a chunk of @n_tuples was read. @next: (nullable): where the next one begins; NULL: there is
 * none. Returns: the mark of the chunk, for kvsqld_part_end() */
KvsqldMark *kvsqld_part_release (KvsqldPart *self, const KvsqlScanPosition *next, guint64 n_tuples);
/* The chunk of that mark was put. */
void kvsqld_part_end (KvsqldPart *self, KvsqldMark *mark);
/* TRUE with the parts that are not done, if more is done than at the last call. FALSE also if all
 * is done: there is nothing to resume. @inout_n: tuples that are done; bytes are in @arena */
gboolean kvsqld_parts_advance (KvsqldParts *self, KvsqlArena *arena, KvsqldPartProgress **out,
                               guint *out_n, guint64 *inout_n);
/* How much of the primary was read, 0 to 1, if rows are distributed evenly. */
gdouble kvsqld_parts_get_share (const KvsqldParts *self, const KvsqlRowRange *bounds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldParts, kvsqld_parts_free)

G_END_DECLS
