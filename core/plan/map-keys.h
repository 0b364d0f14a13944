/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-keys.h: which entries of maps a query looks at.
 *
 * Where it looks at a map only as m['k'], and the map has a cell for each entry, these cells are
 * all that has to be read of it.
 */
#pragma once

#include "core/plan/predicate.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean is_whole;  /* it is looked at as a whole, or at too many entries */
  gboolean is_strict; /* no tuple satisfies the predicate that lacks one certain entry */
  KvsqlSlice *keys;   /* ascending and distinct */
  guint n_keys;
} KvsqlMapKeys;

/* By attribute; NULL if @relation has no maps. */
KvsqlMapKeys *kvsql_map_keys_new (const KvsqlRelation *relation, KvsqlArena *arena);
/* What else is looked at; @self may be NULL. An expression over tuples. */
void kvsql_map_keys_add_expression (KvsqlMapKeys *self, const KvsqlExpr *expr, KvsqlArena *arena);
void kvsql_map_keys_add_predicate (KvsqlMapKeys *self, const KvsqlPredicate *predicate,
                                   KvsqlArena *arena);

G_END_DECLS
