/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping-sets.h: writes out GROUP BY with ROLLUP, CUBE and GROUPING SETS as a list of sets.
 */
#pragma once

#include "core/base/arena.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Limits of PostgreSQL. */
#define KVSQL_MAX_GROUPING_SETS 4096
#define KVSQL_MAX_CUBE 12

typedef struct
{
  const guint *leaves; /* (array length=n): indices of leaves; one may be there several times */
  guint n;
} KvsqlGroupingSet;

typedef struct
{
  const KvsqlAstExpr **leaves; /* the expressions, in the order of the text */
  guint n_leaves;
  KvsqlGroupingSet *sets; /* one, with all leaves, if there is no ROLLUP and the like */
  guint n_sets;
} KvsqlGroupingSets;

/* Several elements of GROUP BY are multiplied: each set of one joined to each set of the next.
 * Equal sets are kept. @out points into @elements, and into @arena. */
gboolean kvsql_grouping_sets_write_out (KvsqlAstExpr *const *elements, guint n, KvsqlArena *arena,
                                        KvsqlGroupingSets *out,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether ROLLUP and the like are in GROUP BY: then some rows may be of no tuple. */
gboolean kvsql_grouping_sets_are_in (const KvsqlSelect *select);

G_END_DECLS
