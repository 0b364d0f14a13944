/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-rows.h: the rows of a subquery for one list of outer values, and comparisons with them.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/value.h"
#include "core/sql/operator.h"

G_BEGIN_DECLS

/* A table of keys, whose nodes are the first members of other structs. All memory is of an arena.
 */
typedef struct _KvsqlKeyNode KvsqlKeyNode;
struct _KvsqlKeyNode
{
  KvsqlKeyNode *next;
  KvsqlSlice key;
};

typedef struct
{
  KvsqlKeyNode **buckets;
  guint n_buckets, n;
} KvsqlKeyTable;

KvsqlKeyNode *kvsql_key_table_find (const KvsqlKeyTable *self, KvsqlSlice key);
void kvsql_key_table_add (KvsqlKeyTable *self, KvsqlKeyNode *node, KvsqlArena *arena);

/* Appends bytes that are equal for equal values of one type. DECIMALs that are equal may have
 * different bytes. */
void kvsql_key_append (GString *key, const KvsqlValue *value);

typedef enum
{
  KVSQL_TRUTH_FALSE,
  KVSQL_TRUTH_UNKNOWN,
  KVSQL_TRUTH_TRUE,
} KvsqlTruth;

typedef struct
{
  KvsqlValue *values; /* row by row */
  guint n_rows, capacity;
  gboolean is_ready;
  guint n_sorted;     /* of one column: the values that are not NULL, which come first, ascending */
  KvsqlKeyTable *set; /* nullable: of several columns: the rows without NULL */
  guint n_null;       /* with a set: the rows with a NULL, which come first */
} KvsqlSubqueryRows;

/* @row: is copied into @arena */
void kvsql_subquery_rows_add (KvsqlSubqueryRows *self, const KvsqlValue *row, guint n_columns,
                              KvsqlArena *arena);

/* operands op ANY (rows), by SQL's rules for NULL. Rows are sorted at the first call. */
KvsqlTruth kvsql_subquery_rows_any (KvsqlSubqueryRows *self, KvsqlOperator op,
                                    const KvsqlValue *operands, guint n_columns, KvsqlArena *arena);

/* NOT @truth. */
static inline KvsqlTruth
kvsql_truth_not (KvsqlTruth truth)
{
  return (KvsqlTruth)(KVSQL_TRUTH_TRUE - truth);
}

G_END_DECLS
