/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scope.h: the relations of a statement, and what the names in it mean.
 */
#pragma once

#include "core/advisor/workload.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlName *name; /* in the statement: the alias, or that of the relation */
  guint relation;        /* in the workload */
} KvsqlScopeMember;

typedef struct
{
  const KvsqlWorkload *workload;
  KvsqlScopeMember *members; /* in the order of FROM */
  guint n_members;
} KvsqlScope;

typedef struct
{
  guint member;
  guint attribute; /* of its relation */
} KvsqlScopePlace;

/* The relations of a SELECT, UPDATE or DELETE. All must be relations of the workload:
 * KVSQL_ERROR_UNSUPPORTED for queries, functions and set operations. Lives in @arena. */
gboolean kvsql_scope_make (const KvsqlWorkload *workload, const KvsqlAstStatement *statement,
                           KvsqlArena *arena, KvsqlScope *out,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

const KvsqlWorkloadRelation *kvsql_scope_get_relation (const KvsqlScope *self, guint member);

/* The member with this name; G_MAXUINT with an error: there is none. */
guint kvsql_scope_find_member (const KvsqlScope *self, const KvsqlName *name, GError **error);
/* What a name of a statement means; of several attributes, the first one. @qualifier: its text may
 * be NULL */
gboolean kvsql_scope_find (const KvsqlScope *self, const KvsqlName *qualifier,
                           const KvsqlName *name, KvsqlScopePlace *out,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
