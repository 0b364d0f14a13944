/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * columns.h: the families and columns of sampled rows, and what their names say.
 */
#pragma once

#include "core/store/row-types.h"

G_BEGIN_DECLS

/* More qualifiers are rather values than names. */
#define KVSQL_INFER_MAX_COLUMNS 64

typedef struct
{
  KvsqlSlice qualifier;
  GArray *values; /* of KvsqlSlice: one of each row that has the column */
} KvsqlInferColumn;

typedef enum
{
  KVSQL_INFER_NAMES,  /* qualifiers are names of columns */
  KVSQL_INFER_IDS,    /* texts that are values: the keys of a map */
  KVSQL_INFER_VALUES, /* numbers, times, and what has parts */
} KvsqlInferQualifiers;

typedef struct
{
  KvsqlSlice family;
  guint n_rows; /* that have a cell of it */
  guint n_cells;
  GPtrArray *columns;  /* (element-type KvsqlInferColumn): by name, without the marker */
  gboolean has_marker; /* a cell in each row that says nothing but that the row is there */
  KvsqlSlice marker, marker_value;
  gboolean is_phoenix; /* qualifiers are the numbers of columns in Phoenix's catalogue */
} KvsqlInferFamily;

/* (transfer full) (element-type KvsqlInferFamily): that with the most cells first. Bytes are those
 * of @rows. */
GPtrArray *kvsql_infer_families (const KvsqlRows *rows);

KvsqlInferQualifiers kvsql_infer_family_qualifiers (const KvsqlInferFamily *self);
/* Whether these bytes are a name that needs no quotes. */
gboolean kvsql_infer_is_name (KvsqlSlice bytes);
/* The number of a column in Phoenix's encoding. */
guint kvsql_infer_phoenix_number (KvsqlSlice qualifier);

G_END_DECLS
