/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutation.h: changes of cells, and how they are grouped by row.
 *
 * A store gets the mutations of a call by row (KvsqlRowMutation), because it locks, sends and
 * applies a row as one. Code that encodes tuples makes them cell by cell (KvsqlMutation).
 * kvsql_mutation_rows_init() is the only place that sorts them.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_MUTATION_PUT,
  KVSQL_MUTATION_DELETE,     /* this cell */
  KVSQL_MUTATION_DELETE_ROW, /* every cell of the row; family and qualifier are empty */
} KvsqlMutationKind;

/* A change of a cell of some row, or of all of the row's cells. */
typedef struct
{
  KvsqlMutationKind kind;
  KvsqlSlice family;
  KvsqlSlice qualifier;
  KvsqlSlice value; /* puts */
  gint64 timestamp;
  gconstpointer tag; /* of the caller: stores do not use it */
} KvsqlCellMutation;

/* All changes of one row in a call. */
typedef struct
{
  KvsqlSlice table;
  KvsqlSlice row;
  const KvsqlCellMutation *cells; /* in the order in which they are applied */
  guint n_cells;                  /* >= 1 */
} KvsqlRowMutation;

/* A change of a cell, with the whole cell key. */
typedef struct
{
  KvsqlMutationKind kind;
  KvsqlSlice table;
  KvsqlSlice row;
  KvsqlSlice family;
  KvsqlSlice qualifier;
  KvsqlSlice value; /* puts */
  gint64 timestamp;
  gconstpointer tag; /* of the caller: stores do not use it */
} KvsqlMutation;

#define KVSQL_FEW_MUTATIONS 8

/* Mutations by row. May not be copied: @rows may point into the struct. */
typedef struct
{
  KvsqlRowMutation *rows; /* ascending by table, then row; each row once */
  guint n_rows;
  KvsqlCellMutation *cells; /* of all rows */
  KvsqlRowMutation few_rows[KVSQL_FEW_MUTATIONS];
  KvsqlCellMutation few_cells[KVSQL_FEW_MUTATIONS];
} KvsqlMutationRows;

/* Groups @mutations by row. Mutations of one row keep their order. The bytes are not copied. To be
 * cleared by kvsql_mutation_rows_clear(). */
void kvsql_mutation_rows_init (KvsqlMutationRows *self, const KvsqlMutation *mutations,
                               guint n_mutations);
void kvsql_mutation_rows_clear (KvsqlMutationRows *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlMutationRows, kvsql_mutation_rows_clear)

/* < 0, 0 or > 0: the order of two rows, by table, then row. */
gint kvsql_row_mutation_compare (const KvsqlRowMutation *a, const KvsqlRowMutation *b);

G_END_DECLS
