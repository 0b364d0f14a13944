/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join.c: see join.h.
 */
#include "config.h"

#include "core/advisor/join.h"

typedef struct
{
  KvsqlJoinRead *out;
  const KvsqlSelect *select;
} Reader;

/* ---- names */

/* ORDER BY and GROUP BY may use the name of an output. */
static gboolean
is_alias (const Reader *self, const KvsqlAstExpr *expr)
{
  for (guint i = 0; i < self->select->n_items && expr->qualifier.text == NULL; i++)
    {
      const KvsqlName *alias = &self->select->items[i].alias;

      if (alias->text != NULL && kvsql_name_means (&expr->name, alias->text, alias->is_quoted))
        return TRUE;
    }
  return FALSE;
}

/* Adds the attributes to what their relations have to give. Adds the bits of these relations to
 * @members. Names lose their qualifiers, parameters their names. */
static gboolean
add_names (const Reader *self, KvsqlAstExpr *expr, guint *members, GError **error)
{
  if (expr->subquery != NULL)
    return kvsql_shape_fail_unsupported (expr->span, "subqueries", error);
  if (expr->kind == KVSQL_AST_PARAMETER)
    expr->name.text = NULL;
  if (expr->kind == KVSQL_AST_NAME)
    {
      KvsqlScopePlace place;

      if (!kvsql_scope_find (&self->out->scope, &expr->qualifier, &expr->name, &place, NULL)
          && is_alias (self, expr))
        return TRUE;
      if (!kvsql_scope_find (&self->out->scope, &expr->qualifier, &expr->name, &place, error))
        return FALSE;
      kvsql_attribute_set_add (&self->out->members[place.member].needed, place.attribute);
      *members |= 1u << place.member;
      expr->qualifier.text = NULL;
    }
  for (guint i = 0; i < expr->n_children; i++)
    if (expr->children[i] != NULL && !add_names (self, expr->children[i], members, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_all_names (const Reader *self, KvsqlAstExpr *const *exprs, guint n, GError **error)
{
  guint members = 0;

  for (guint i = 0; i < n; i++)
    if (exprs[i] != NULL && !add_names (self, exprs[i], &members, error))
      return FALSE;
  return TRUE;
}

/* ---- conditions */

static gboolean
is_equality_of_names (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_EQ
         && expr->children[0]->kind == KVSQL_AST_NAME && expr->children[1]->kind == KVSQL_AST_NAME;
}

static void
add_edge (const Reader *self, KvsqlScopePlace a, KvsqlScopePlace b)
{
  kvsql_attribute_set_add (&self->out->members[a.member].needed, a.attribute);
  kvsql_attribute_set_add (&self->out->members[b.member].needed, b.attribute);
  *KVSQL_ARENA_ADD (self->out->arena, self->out->edges, self->out->n_edges)
      = (KvsqlJoinEdge){ { a, b } };
}

/* @filtered: bits: the members of which a condition leaves rows out. Those that an outer join keeps
 * are not among them. */
static gboolean
add_condition (const Reader *self, KvsqlAstExpr *expr, guint filtered, GError **error)
{
  KvsqlScopePlace places[2];
  guint members = 0;
  gboolean is_edge;

  if (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND)
    return add_condition (self, expr->children[0], filtered, error)
           && add_condition (self, expr->children[1], filtered, error);
  is_edge = is_equality_of_names (expr);
  for (guint i = 0; i < 2 && is_edge; i++)
    is_edge = kvsql_scope_find (&self->out->scope, &expr->children[i]->qualifier,
                                &expr->children[i]->name, &places[i], NULL);
  if (!add_names (self, expr, &members, error))
    return FALSE;
  if (is_edge && places[0].member != places[1].member)
    add_edge (self, places[0], places[1]);
  for (guint i = 0; i < self->out->scope.n_members; i++)
    if (members == 1u << i && (members & filtered) != 0)
      {
        KvsqlJoinMember *member = &self->out->members[i];
        *KVSQL_ARENA_ADD (self->out->arena, member->conditions, member->n_conditions) = expr;
      }
  return TRUE;
}

/* ---- FROM */

/* The first member of a side that has an attribute with the name. */
static gboolean
find_in_side (const Reader *self, guint side, const KvsqlName *name, KvsqlScopePlace *out)
{
  for (out->member = 0; out->member < self->out->scope.n_members; out->member++)
    if ((side & 1u << out->member) != 0
        && kvsql_relation_find (kvsql_scope_get_relation (&self->out->scope, out->member)->relation,
                                name, &out->attribute, NULL))
      return TRUE;
  return FALSE;
}

static gboolean
add_common (const Reader *self, guint left, guint right, const KvsqlName *name)
{
  KvsqlScopePlace a, b;
  gboolean is_common = find_in_side (self, left, name, &a) && find_in_side (self, right, name, &b);

  if (is_common)
    add_edge (self, a, b);
  return is_common;
}

static void
add_natural (const Reader *self, guint left, guint right)
{
  for (guint i = 0; i < self->out->scope.n_members; i++)
    {
      const KvsqlRelation *relation = kvsql_scope_get_relation (&self->out->scope, i)->relation;

      for (guint a = 0; (right & 1u << i) != 0 && a < relation->n_attributes; a++)
        {
          const KvsqlAttribute *attribute = &relation->attributes[a];
          const KvsqlName name = { .text = attribute->name, .is_quoted = attribute->is_quoted };

          (void)add_common (self, left, right, &name);
        }
    }
}

/* Rows of @kept are given without a partner, too. */
static void
keep (const Reader *self, guint kept, guint others)
{
  for (guint i = 0; i < self->out->scope.n_members; i++)
    if ((others & 1u << i) != 0)
      self->out->members[i].earlier |= kept;
}

/* *@out: the bits of the members below. */
static gboolean
add_join (const Reader *self, const KvsqlJoin *join, guint *out, GError **error)
{
  guint left, right, filtered;

  if (join->left == NULL)
    {
      *out = 1u << join->source;
      return TRUE;
    }
  if (join->kind == KVSQL_JOIN_FULL)
    return kvsql_shape_fail_unsupported (join->span, "FULL JOIN", error);
  if (!add_join (self, join->left, &left, error) || !add_join (self, join->right, &right, error))
    return FALSE;
  *out = left | right;
  filtered = join->kind == KVSQL_JOIN_LEFT ? right : join->kind == KVSQL_JOIN_RIGHT ? left : *out;
  if (filtered != *out)
    keep (self, *out & ~filtered, filtered);
  if (join->is_natural)
    add_natural (self, left, right);
  for (guint i = 0; i < join->n_names; i++)
    if (!add_common (self, left, right, &join->names[i]))
      return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, join->names[i].span,
                              "\"%s\" is not an attribute of both sides", join->names[i].text);
  return join->on == NULL || add_condition (self, join->on, filtered, error);
}

/* ---- SELECT */

static gboolean
add_items (const Reader *self, GError **error)
{
  KvsqlJoinRead *out = self->out;

  for (guint i = 0; i < self->select->n_items; i++)
    {
      const KvsqlSelectItem *item = &self->select->items[i];
      guint only = G_MAXUINT;

      if (item->expr != NULL && !add_all_names (self, &item->expr, 1, error))
        return FALSE;
      if (item->expr == NULL && item->star_of.text != NULL)
        {
          only = kvsql_scope_find_member (&out->scope, &item->star_of, error);
          if (only == G_MAXUINT)
            return FALSE;
        }
      for (guint m = 0; item->expr == NULL && m < out->scope.n_members; m++)
        if (only == G_MAXUINT || only == m)
          out->members[m].needed = kvsql_scope_get_relation (&out->scope, m)->relation->all;
    }
  return TRUE;
}

gboolean
kvsql_join_read (const KvsqlWorkload *workload, KvsqlAstStatement *statement, KvsqlArena *arena,
                 KvsqlJoinRead *out, GError **error)
{
  const KvsqlSelect *select = &statement->select;
  const Reader reader = { out, select };
  guint all;

  *out = (KvsqlJoinRead){ .arena = arena };
  if (select->n_joined + 1 > KVSQL_ADVISOR_MAX_JOINED)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span,
                            "the advisor takes joins of up to %d relations",
                            KVSQL_ADVISOR_MAX_JOINED);
  if (!kvsql_scope_make (workload, statement, arena, &out->scope, error)
      || !add_join (&reader, select->join, &all, error)
      || (select->where != NULL && !add_condition (&reader, select->where, all, error))
      || !add_items (&reader, error)
      || !add_all_names (&reader, select->group_by, select->n_group_by, error)
      || !add_all_names (&reader, &select->having, 1, error)
      || !add_all_names (&reader, select->distinct_on, select->n_distinct_on, error))
    return FALSE;
  for (guint i = 0; i < select->n_order_by; i++)
    if (!add_all_names (&reader, &select->order_by[i].expr, 1, error))
      return FALSE;
  return TRUE;
}
