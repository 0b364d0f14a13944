/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join.h: the conditions of a join.
 *
 * What a relation of a join has to give: some attributes of the tuples that satisfy the conditions
 * on it alone, all of them or those that an equality finds.
 */
#pragma once

#include "core/advisor/scope.h"

G_BEGIN_DECLS

#define KVSQL_ADVISOR_MAX_JOINED 8 /* relations: all their orders are compared */

typedef struct
{
  KvsqlAttributeSet needed;
  KvsqlAstExpr **conditions; /* on this relation alone */
  guint n_conditions;
  guint earlier; /* bits: members that come before it, as an outer join keeps their rows */
} KvsqlJoinMember;

/* An equality between two members. */
typedef struct
{
  KvsqlScopePlace sides[2];
} KvsqlJoinEdge;

typedef struct
{
  KvsqlScope scope;
  KvsqlArena *arena;
  KvsqlJoinMember members[KVSQL_ADVISOR_MAX_JOINED];
  KvsqlJoinEdge *edges;
  guint n_edges;
} KvsqlJoinRead;

/* Reads a SELECT with joins. @out lives in @arena, and points into the statement, whose names lose
 * their qualifiers, and whose parameters lose their names. */
gboolean kvsql_join_read (const KvsqlWorkload *workload, KvsqlAstStatement *statement,
                          KvsqlArena *arena, KvsqlJoinRead *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
