/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lines.h: the lines of the text and CSV formats.
 *
 * A line ends as the first line of the data does: with a newline, a carriage return, or both. A
 * newline after a backslash (text) or in quotes (CSV) does not end it.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlCopy KvsqlCopy; /* core/sql/ast-copy.h */

typedef enum
{
  KVSQLD_PG_LINE_END_UNKNOWN,
  KVSQLD_PG_LINE_END_NL,
  KVSQLD_PG_LINE_END_CR,
  KVSQLD_PG_LINE_END_CRNL,
} KvsqldPgLineEnd;

/* Initialize with kvsqld_pg_lines_init(). */
typedef struct
{
  gboolean is_csv;
  guint8 quote, escape; /* of CSV; escape 0: it is the quote */
  gboolean is_special[256];
  KvsqldPgLineEnd end;
  guint64 number;     /* of the line that was read last; in it, of the line of the data */
  gsize at;           /* how far the line that is not whole was looked at */
  gboolean is_inside; /* that line has begun */
  gboolean is_quoted; /* within quotes */
  gboolean after_escape;
  gboolean is_done; /* \. has come: what follows is ignored */
} KvsqldPgLines;

typedef enum
{
  KVSQLD_PG_LINE_WHOLE,
  KVSQLD_PG_LINE_PART, /* more bytes are needed */
  KVSQLD_PG_LINE_NONE, /* the end of the data */
  KVSQLD_PG_LINE_BAD,
} KvsqldPgLineState;

void kvsqld_pg_lines_init (KvsqldPgLines *self, const KvsqlCopy *copy);

/**
 * kvsqld_pg_lines_next:
 * @bytes: all bytes after those that were used; after KVSQLD_PG_LINE_PART the same ones, and more
 * @is_last: no more bytes will come
 * @out_used: (out): the bytes of the line, with its end
 * @out_line: (out): the line without its end, borrowed from @bytes
 */
KvsqldPgLineState kvsqld_pg_lines_next (KvsqldPgLines *self, KvsqlSlice bytes, gboolean is_last,
                                        gsize *out_used, KvsqlSlice *out_line, GError **error);

G_END_DECLS
