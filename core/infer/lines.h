/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lines.h: the lines of a CELLS block: what each column of one or several families holds.
 */
#pragma once

#include "core/infer/column-types.h"
#include "core/infer/columns.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_INFER_LINE_COLUMN, /* one attribute, in an encoding */
  KVSQL_INFER_LINE_LAYOUT, /* the value has a layout */
  KVSQL_INFER_LINE_MAP,    /* an entry of a map for each column */
  KVSQL_INFER_LINE_MARKER, /* the same bytes in all rows */
} KvsqlInferLineKind;

typedef struct
{
  KvsqlInferLineKind kind;
  const KvsqlInferFamily *family;
  KvsqlSlice qualifier;           /* of MAP: what all have before their keys */
  guint n_columns;                /* of MAP */
  gboolean has_no_empty;          /* of MAP: the empty qualifier is another line */
  KvsqlInferEncoding encoding;    /* of COLUMN, MAP */
  KvsqlInferColumnType type;      /* of COLUMN, MAP */
  gboolean has_empty;             /* of COLUMN: a value of no bytes is NULL */
  const KvsqlInferLayout *layout; /* of LAYOUT */
  KvsqlSlice value;               /* of MARKER */
} KvsqlInferLine;

typedef struct
{
  const KvsqlInferLine *lines; /* (array length=n) */
  guint n;
  guint n_other_columns; /* OTHERS has them */
  gdouble bits;          /* of a row of each family, in the mean */
} KvsqlInferLines;

typedef struct
{
  guint n_rows;             /* that have to be tuples */
  gboolean may_have_others; /* whether OTHERS may have cells */
  KvsqlArena *arena;
} KvsqlInferLinesOptions;

/* @layout: (nullable): of the values of the only column. Everything lives in the arena and uses
 * @family and @layout. FALSE: the family has no columns of which that can be said: its cells are
 * tuples. */
gboolean kvsql_infer_lines_of_family (const KvsqlInferFamily *family,
                                      const KvsqlInferLayout *layout,
                                      const KvsqlInferLinesOptions *options, KvsqlInferLines *out);
/* All of them in one block. If they are too many, OTHERS has the last ones. */
void kvsql_infer_lines_join (const KvsqlInferLines *families, guint n, KvsqlArena *arena,
                             KvsqlInferLines *out);
gboolean kvsql_infer_lines_have_family (const KvsqlInferLines *self,
                                        const KvsqlInferFamily *family);

G_END_DECLS
