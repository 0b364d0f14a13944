/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scope.c: see scope.h.
 */
#include "config.h"

#include "core/advisor/scope.h"

#include "core/advisor/workload-private.h"

/* ---- relations */

static gboolean
add_source (KvsqlScope *self, const KvsqlSource *source, GError **error)
{
  guint relation;

  if (source->query != NULL)
    return kvsql_shape_fail_source (source, source->relation.span, error);
  relation = kvsql_workload_find_relation (self->workload, &source->relation, error);
  if (relation == G_MAXUINT)
    return FALSE;
  self->members[self->n_members++] = (KvsqlScopeMember){
    .name = source->alias.text != NULL ? &source->alias : &source->relation,
    .relation = relation,
  };
  return TRUE;
}

gboolean
kvsql_scope_make (const KvsqlWorkload *workload, const KvsqlAstStatement *statement,
                  KvsqlArena *arena, KvsqlScope *out, GError **error)
{
  gboolean is_select = statement->kind == KVSQL_STATEMENT_SELECT;
  const guint n = is_select ? statement->select.n_joined + 1 : 1;
  const KvsqlName *name = kvsql_shape_find_relation (statement, error);
  KvsqlSource only = { .query = NULL };

  if (name == NULL)
    return FALSE;
  only.relation = *name;
  *out = (KvsqlScope){ .workload = workload };
  out->members = kvsql_arena_array (arena, KvsqlScopeMember, n);
  for (guint i = 0; i < n; i++)
    if (!add_source (out, is_select ? kvsql_select_get_source (&statement->select, i) : &only,
                     error))
      return FALSE;
  if (!is_select)
    out->members[0].name = name;
  return TRUE;
}

const KvsqlWorkloadRelation *
kvsql_scope_get_relation (const KvsqlScope *self, guint member)
{
  return &self->workload->relations[self->members[member].relation];
}

/* ---- names */

guint
kvsql_scope_find_member (const KvsqlScope *self, const KvsqlName *name, GError **error)
{
  for (guint i = 0; i < self->n_members; i++)
    if (kvsql_name_means (name, self->members[i].name->text, self->members[i].name->is_quoted))
      return i;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "\"%s\" is not in FROM",
                   name->text);
  return G_MAXUINT;
}

/* The first one: whether a name is ambiguous is for the planner to say. */
static gboolean
find_anywhere (const KvsqlScope *self, const KvsqlName *name, KvsqlScopePlace *out, GError **error)
{
  for (out->member = 0; out->member < self->n_members; out->member++)
    if (kvsql_relation_find (kvsql_scope_get_relation (self, out->member)->relation, name,
                             &out->attribute, NULL))
      return TRUE;
  return kvsql_relation_find (kvsql_scope_get_relation (self, 0)->relation, name, &out->attribute,
                              error);
}

gboolean
kvsql_scope_find (const KvsqlScope *self, const KvsqlName *qualifier, const KvsqlName *name,
                  KvsqlScopePlace *out, GError **error)
{
  if (qualifier->text == NULL)
    return find_anywhere (self, name, out, error);
  out->member = kvsql_scope_find_member (self, qualifier, error);
  return out->member != G_MAXUINT
         && kvsql_relation_find (kvsql_scope_get_relation (self, out->member)->relation, name,
                                 &out->attribute, error);
}
