/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cells.h: what QUALIFIER and VALUE of a family may be.
 */
#pragma once

#include "core/infer/column-types.h"
#include "core/infer/columns.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_INFER_ONE_COLUMN, /* the qualifier is a constant */
  KVSQL_INFER_ATTRIBUTES, /* attr_name, attr_value */
  KVSQL_INFER_MAP,        /* map_key, map_value */
  KVSQL_INFER_EACH_CELL,  /* each cell is a tuple: qualifier and value have layouts */
} KvsqlInferCellsKind;

typedef struct
{
  KvsqlInferCellsKind kind;
  const KvsqlInferFamily *family;
  const KvsqlInferColumn *column;    /* of ONE_COLUMN */
  KvsqlInferLayout qualifier, value; /* of EACH_CELL; value: of ONE_COLUMN */
  KvsqlSlice prefix;                 /* of MAP: before all keys */
  KvsqlInferEncoding encoding;       /* of ATTRIBUTES, MAP */
  const KvsqlInferColumnType *types; /* of ATTRIBUTES: of each column; of MAP: one */
  gdouble bits;                      /* of a row, in the mean */
} KvsqlInferCells;

/* The schemas that together have the cells of a family: one, except with Phoenix's numbers of
 * columns. */
typedef struct
{
  const KvsqlInferCells *cells;
  guint n;
  gdouble bits; /* of a row, in the mean */
} KvsqlInferReading;

#define KVSQL_INFER_MAX_READINGS 6

/* @out: KVSQL_INFER_MAX_READINGS, the best first. They live in @arena and use @family. Returns
 * their number. */
guint kvsql_infer_read_cells (const KvsqlInferFamily *family, KvsqlArena *arena,
                              KvsqlInferReading *out);

/* At most 300 of the strings, from all over the array. */
KvsqlSlice *kvsql_infer_choose_strings (const GArray *all, KvsqlArena *arena, guint *out_n);

G_END_DECLS
