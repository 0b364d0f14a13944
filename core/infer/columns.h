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
  gboolean has_phoenix_types; /* a family of the table has Phoenix's marker */
  gboolean is_phoenix;        /* qualifiers are the numbers of columns in Phoenix's catalogue */
} KvsqlInferFamily;

/* (transfer full) (element-type KvsqlInferFamily): that with the most cells first. Bytes are those
 * of @rows. */
GPtrArray *kvsql_infer_families (const KvsqlRows *rows);

/* Appends the qualifier and all values of each column (element-type KvsqlInferColumn). */
void kvsql_infer_collect_columns (const GPtrArray *columns, GArray *qualifiers, GArray *values);
/* What all have in common, up to a sign that is no letter or digit. @qualifiers: at least one */
KvsqlSlice kvsql_infer_common_prefix (const GArray *qualifiers);

KvsqlInferQualifiers kvsql_infer_family_qualifiers (const KvsqlInferFamily *self);
/* Whether they differ in digits only, or are as long as each other: user_17, 5f3a9c. */
gboolean kvsql_infer_family_has_one_shape (const KvsqlInferFamily *self);
/* Whether the qualifiers are texts, so that they can be keys of a map. */
gboolean kvsql_infer_family_has_texts (const KvsqlInferFamily *self);
/* Text without control characters, which may be a name or an id, and has a letter or none. */
gboolean kvsql_infer_is_text (KvsqlSlice bytes);
gboolean kvsql_infer_has_letter (KvsqlSlice bytes);
/* Whether these bytes are a name that needs no quotes. */
gboolean kvsql_infer_is_name (KvsqlSlice bytes);
/* The number of a column in Phoenix's encoding. */
guint kvsql_infer_phoenix_number (KvsqlSlice qualifier);

G_END_DECLS
