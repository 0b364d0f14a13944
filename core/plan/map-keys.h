/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-keys.h: which entries of maps a query reads.
 *
 * If a query reads a map only as m['k'], and the map has a cell for each entry, the scan reads only
 * the cells of these entries.
 */
#pragma once

#include "core/plan/predicate.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean is_whole;  /* the query needs the whole map, or too many entries */
  gboolean is_strict; /* each tuple that satisfies the predicate has some known entry */
  KvsqlSlice *keys;   /* ascending and distinct */
  guint n_keys;
} KvsqlMapKeys;

/* Returns an array by attribute; NULL if @relation has no maps. */
KvsqlMapKeys *kvsql_map_keys_new (const KvsqlRelation *relation, KvsqlArena *arena);
/* Adds the entries that an expression over tuples, or a predicate, reads. @self: (nullable) */
void kvsql_map_keys_add_expression (KvsqlMapKeys *self, const KvsqlExpr *expr, KvsqlArena *arena);
void kvsql_map_keys_add_predicate (KvsqlMapKeys *self, const KvsqlPredicate *predicate,
                                   KvsqlArena *arena);

G_END_DECLS
