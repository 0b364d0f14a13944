/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cells.h: what QUALIFIER and VALUE of a family, or CELLS of one or several, may be.
 */
#pragma once

#include "core/infer/column-types.h"
#include "core/infer/columns.h"
#include "core/infer/lines.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_INFER_ONE_COLUMN, /* the qualifier is a constant */
  KVSQL_INFER_ATTRIBUTES, /* attr_name, attr_value */
  KVSQL_INFER_MAP,        /* map_key, map_value */
  KVSQL_INFER_EACH_CELL,  /* each cell is a tuple: qualifier and value have layouts */
  KVSQL_INFER_LINES,      /* CELLS: a line for each column */
} KvsqlInferCellsKind;

/* The cells of one relation. */
typedef struct
{
  KvsqlInferCellsKind kind;
  const KvsqlInferFamily *family;    /* of LINES: the first one */
  const KvsqlInferColumn *column;    /* of ONE_COLUMN */
  KvsqlInferLayout qualifier, value; /* of EACH_CELL; value: of ONE_COLUMN */
  KvsqlSlice prefix;                 /* of MAP: before all keys */
  KvsqlInferEncoding encoding;       /* of ATTRIBUTES, MAP */
  const KvsqlInferColumnType *types; /* of ATTRIBUTES: of each column; of MAP: one */
  KvsqlInferLines lines;             /* of LINES */
  gdouble bits;                      /* of a row, in the mean */
} KvsqlInferCells;

#define KVSQL_INFER_MAX_READINGS 6

/* @is_only: the table has no other family. @out: KVSQL_INFER_MAX_READINGS, the best first. They
 * live in @arena and use @family. Returns their number. */
guint kvsql_infer_read_cells (const KvsqlInferFamily *family, gboolean is_only, KvsqlArena *arena,
                              KvsqlInferCells *out);

gboolean kvsql_infer_cells_have_family (const KvsqlInferCells *self,
                                        const KvsqlInferFamily *family);

G_END_DECLS
