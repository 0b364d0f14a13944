/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-table.h: the rows of one side of a join, in memory, found by the hash of their keys.
 *
 * A key with a NULL has no partner. Keys of types that differ are found by a hash that equal values
 * share; the caller compares them. Without keys, each row is a candidate.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

typedef struct _KvsqlJoinTable KvsqlJoinTable;

/* No row. */
#define KVSQL_NO_ROW G_MAXUINT32

/* A part of the key. */
typedef struct
{
  guint column;      /* of the rows */
  KvsqlType other;   /* the type of the values that are searched */
  gboolean is_exact; /* equal values have equal bytes: the table compares them */
} KvsqlJoinTableKey;

/* @types: of the columns of the rows */
KvsqlJoinTable *kvsql_join_table_new (const KvsqlType *types, guint n_columns,
                                      const KvsqlJoinTableKey *keys, guint n_keys);
void kvsql_join_table_free (KvsqlJoinTable *self); /* accepts NULL */

/* Copies rows of @batch. @columns: (array): the column of @batch for each column of the table.
 * FALSE without an error: there would be too many rows to number. */
gboolean kvsql_join_table_add (KvsqlJoinTable *self, const KvsqlBatch *batch, const guint *columns,
                               const guint32 *rows, guint n);
/* Makes the table ready to be searched. No rows can be added any more. FALSE with an error if the
 * thread is interrupted. */
gboolean kvsql_join_table_finish (KvsqlJoinTable *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The hash of row @row of @keys (array), of either side. FALSE: a part of the key is NULL. */
gboolean kvsql_join_table_hash (const KvsqlJoinTable *self, const KvsqlVector *const *keys,
                                guint32 row, guint64 seed, guint64 *out);

const KvsqlBatch *kvsql_join_table_get_rows (const KvsqlJoinTable *self);
gsize kvsql_join_table_get_size (const KvsqlJoinTable *self); /* bytes */

/* The first row whose exact keys equal those of row @row of @keys, and whose others may, in the
 * order in which rows were added; then the next one. @keys: (array): the columns of the node's
 * keys.
 */
guint32 kvsql_join_table_first (const KvsqlJoinTable *self, const KvsqlVector *const *keys,
                                guint32 row);
guint32 kvsql_join_table_next (const KvsqlJoinTable *self, const KvsqlVector *const *keys,
                               guint32 row, guint32 last);

G_END_DECLS
