/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-statements.c: see the header.
 */
#include "config.h"

#include "core/plan/blind-statements.h"

static gboolean
fail (const KvsqlRelation *relation, KvsqlSpan span, const gchar *what, const gchar *instead,
      GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                   "%s depends on the stored tuple, and writes of relation \"%s\" are blind: they "
                   "do not read it",
                   what, relation->name);
  return kvsql_error_hint (error,
                           "%s, or use checked writes: ALTER RELATION %s WITH (writes = checked).",
                           instead, relation->name);
}

static gboolean
is_blind (const KvsqlRelation *relation)
{
  return relation->writes == KVSQL_WRITES_BLIND;
}

gboolean
kvsql_blind_check_insert (const KvsqlRelation *relation, const KvsqlInsert *statement,
                          GError **error)
{
  if (!is_blind (relation) || statement->on_conflict == KVSQL_CONFLICT_REPLACE)
    return TRUE;
  return fail (relation, statement->conflict_span, "ON CONFLICT",
               "Leave it out, so that INSERT replaces the tuple", error);
}

gboolean
kvsql_blind_check_update (const KvsqlRelation *relation, const KvsqlUpdate *statement,
                          GError **error)
{
  return !is_blind (relation)
         || fail (relation, statement->relation.span, "UPDATE", "INSERT the whole tuple", error);
}

/* ---- DELETE */

/* The first attribute that is not KEY. (nullable) */
static const KvsqlAstExpr *
find_other (const KvsqlRelation *relation, const KvsqlAstExpr *expr)
{
  guint attribute;

  if (expr == NULL)
    return NULL;
  if (expr->kind == KVSQL_AST_NAME && kvsql_relation_find (relation, &expr->name, &attribute, NULL)
      && !relation->attributes[attribute].is_key)
    return expr;
  for (guint i = 0; i < expr->n_children; i++)
    {
      const KvsqlAstExpr *found = find_other (relation, expr->children[i]);

      if (found != NULL)
        return found;
    }
  return NULL;
}

gboolean
kvsql_blind_check_delete (const KvsqlRelation *relation, const KvsqlDelete *statement,
                          const KvsqlPredicate *predicate, GError **error)
{
  KvsqlAttributeSet used = { 0 };
  const KvsqlAstExpr *other;

  if (!is_blind (relation))
    return TRUE;
  if (statement->from != NULL)
    return fail (relation, statement->from->join->span, "USING of a DELETE",
                 "DELETE by KEY attributes alone", error);
  if (statement->limit != NULL)
    return fail (relation, statement->limit->span, "LIMIT of a DELETE", "Leave it out", error);
  if (statement->n_returning > 0)
    return fail (relation, statement->returning[0].span, "RETURNING of a DELETE", "Leave it out",
                 error);
  kvsql_predicate_collect (predicate, &used);
  if (kvsql_attribute_set_contains (&relation->keys, &used))
    return TRUE;
  other = find_other (relation, statement->where);
  return fail (relation, (other != NULL ? other : statement->where)->span,
               "a condition on an attribute that is not KEY", "DELETE by KEY attributes alone",
               error);
}
