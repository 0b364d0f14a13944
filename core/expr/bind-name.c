/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-name.c: resolves names to attributes of the statement's relation, or of one of several.
 */
#include "config.h"

#include "core/expr/bind-private.h"
#include "core/expr/uses.h"
#include "core/sql/ast.h"
#include "core/schema/relation.h"

/* A relation with an alias is called by its alias only, as in PostgreSQL. */
static KvsqlNameMatch
match_relation_name (const KvsqlRelation *relation, const KvsqlName *alias,
                     const KvsqlName *qualifier)
{
  return alias != NULL && alias->text != NULL
             ? kvsql_name_match (qualifier, alias->text, alias->is_quoted)
             : kvsql_name_match (qualifier, relation->name, relation->is_quoted);
}

const gchar *
kvsql_binder_relation_name (const KvsqlBinderRelation *self)
{
  return self->alias != NULL && self->alias->text != NULL ? self->alias->text
                                                          : self->relation->name;
}

const KvsqlAttribute *
kvsql_binder_get_attribute (const KvsqlBinder *self, guint attribute)
{
  for (guint i = 0; i < self->n_relations; i++)
    if (attribute >= self->relations[i].first
        && attribute - self->relations[i].first < self->relations[i].relation->n_attributes)
      return &self->relations[i].relation->attributes[attribute - self->relations[i].first];
  return &self->relation->attributes[attribute];
}

/* ---- one relation */

static gboolean
check_qualifier (const KvsqlBinder *binder, const KvsqlName *qualifier, GError **error)
{
  gboolean has_alias = binder->alias != NULL && binder->alias->text != NULL;

  if (match_relation_name (binder->relation, binder->alias, qualifier) != KVSQL_NAME_DIFFERS)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, qualifier->span,
                          "\"%s\" is not the relation of this statement", qualifier->text)
         || kvsql_error_sqlstate (error, "42P01")
         || kvsql_error_hint (error, "Its attributes are written %s.attribute.",
                              has_alias ? binder->alias->text : binder->relation->name);
}

/* ---- several */

static gchar *
list_names (const KvsqlBinder *binder)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < binder->n_relations; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            kvsql_binder_relation_name (&binder->relations[i]));
  return g_string_free (out, FALSE);
}

/* Whether FROM has the relation, but not below the join whose ON is bound. */
static gboolean
is_elsewhere (const KvsqlBinder *binder, const KvsqlName *qualifier)
{
  for (guint i = 0; i < binder->n_all_relations; i++)
    {
      const KvsqlBinderRelation *one = &binder->all_relations[i];

      if (match_relation_name (one->relation, one->alias, qualifier) != KVSQL_NAME_DIFFERS)
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_relation (const KvsqlBinder *binder, const KvsqlName *qualifier,
               const KvsqlBinderRelation **out, GError **error)
{
  g_autofree gchar *names = NULL;
  KvsqlNameChoice choice = { 0 };

  for (guint i = 0; i < binder->n_relations; i++)
    {
      const KvsqlBinderRelation *one = &binder->relations[i];
      kvsql_name_choice_offer (&choice, match_relation_name (one->relation, one->alias, qualifier),
                               i);
    }
  *out = &binder->relations[choice.index];
  if (kvsql_name_choice_is_made (&choice))
    return TRUE;
  names = list_names (binder);
  if (is_elsewhere (binder, qualifier))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, qualifier->span,
                            "\"%s\" cannot be used in this ON: it is not a relation of the join",
                            qualifier->text)
           || kvsql_error_hint (error, "The relations of this join are %s.", names);
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, qualifier->span,
                          "\"%s\" is not a relation of this statement", qualifier->text)
         || kvsql_error_sqlstate (error, "42P01")
         || kvsql_error_hint (error, "FROM names %s.", names);
}

static gboolean
find_qualified (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint *out, GError **error)
{
  const KvsqlBinderRelation *one;

  if (!find_relation (binder, &expr->qualifier, &one, error)
      || !kvsql_relation_find (one->relation, &expr->name, out, error))
    return FALSE;
  *out += one->first;
  return TRUE;
}

static gboolean
fail_ambiguous (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const KvsqlBinderColumn *first,
                const KvsqlBinderColumn *last, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "attribute \"%s\" is ambiguous",
                   expr->name.text);
  if (first->relation == KVSQL_MERGED_COLUMN || last->relation == KVSQL_MERGED_COLUMN)
    return kvsql_error_hint (error, "Say whose it is: relation.%s.", expr->name.text);
  if (first->relation == last->relation)
    return kvsql_error_hint (error, "Spell it exactly as one of the attributes.");
  return kvsql_error_hint (
      error, "Say whose it is: %s.%s or %s.%s.",
      kvsql_binder_relation_name (&binder->relations[first->relation]), expr->name.text,
      kvsql_binder_relation_name (&binder->relations[last->relation]), expr->name.text);
}

static gboolean
find_anywhere (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint *out, GError **error)
{
  const KvsqlBinderColumn *first = NULL, *last = NULL;
  g_autofree gchar *names = NULL;
  KvsqlNameChoice best = { 0 };

  for (guint i = 0; i < binder->n_columns; i++)
    {
      const KvsqlBinderColumn *one = &binder->columns[i];
      KvsqlNameMatch match = kvsql_name_match (&expr->name, one->name, one->is_quoted);

      if (match == KVSQL_NAME_DIFFERS || match < best.match)
        continue;
      first = match > best.match ? one : first;
      last = one;
      kvsql_name_choice_offer (&best, match, one->attribute);
    }
  if (best.n > 1)
    return fail_ambiguous (binder, expr, first, last, error);
  if (best.n == 1)
    {
      *out = best.index;
      return TRUE;
    }
  names = list_names (binder);
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, expr->span,
                          "none of %s has an attribute \"%s\"", names, expr->name.text)
         || kvsql_error_sqlstate (error, "42703") || kvsql_name_hint (&expr->name, NULL, error);
}

/* For a SELECT without FROM, whose relation has no attributes. */
static gboolean
fail_without_from (const KvsqlAstExpr *expr, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, expr->span,
                          "there is no FROM whose attribute \"%s\" could be", expr->name.text)
         || kvsql_error_sqlstate (error, "42703")
         || kvsql_error_hint (error, "Say FROM which relation, or put text in single quotes: '%s'.",
                              expr->name.text);
}

gboolean
kvsql_binder_find_relation (const KvsqlBinder *binder, const KvsqlName *qualifier,
                            const KvsqlBinderRelation **out, GError **error)
{
  *out = NULL;
  return binder->n_relations > 0 ? find_relation (binder, qualifier, out, error)
                                 : check_qualifier (binder, qualifier, error);
}

/* ---- scopes */

static gboolean
find_here (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint *out_attribute,
           GError **error)
{
  if (binder->relation->n_attributes == 0)
    return fail_without_from (expr, error);
  if (binder->n_relations > 0)
    return expr->qualifier.text != NULL ? find_qualified (binder, expr, out_attribute, error)
                                        : find_anywhere (binder, expr, out_attribute, error);
  if (expr->qualifier.text != NULL && !check_qualifier (binder, &expr->qualifier, error))
    return FALSE;
  return kvsql_relation_find (binder->relation, &expr->name, out_attribute, error);
}

/* Whether FROM of the scope decides what the name means: it has the relation of the qualifier, or
 * an attribute with the name. */
static gboolean
has_name (const KvsqlBinder *binder, const KvsqlAstExpr *expr)
{
  gboolean has = FALSE;

  for (guint i = 0; i < binder->n_relations && expr->qualifier.text != NULL && !has; i++)
    has = match_relation_name (binder->relations[i].relation, binder->relations[i].alias,
                               &expr->qualifier)
          != KVSQL_NAME_DIFFERS;
  for (guint i = 0; i < binder->n_columns && expr->qualifier.text == NULL && !has; i++)
    has = kvsql_name_match (&expr->name, binder->columns[i].name, binder->columns[i].is_quoted)
          != KVSQL_NAME_DIFFERS;
  return has;
}

/* Of a subquery, if no scope has the name. */
static gboolean
fail_in_subquery (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  g_autofree gchar *own = list_names (binder);
  g_autoptr (GString) around = g_string_new (NULL);

  for (const KvsqlBinder *scope = binder->outer; scope != NULL; scope = scope->outer)
    {
      g_autofree gchar *names = list_names (scope);

      g_string_append_printf (around, "%s%s", around->len > 0 ? ", " : "", names);
    }
  if (expr->qualifier.text != NULL)
    kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, expr->qualifier.span,
                     "\"%s\" is a relation neither of this subquery nor of a statement around it",
                     expr->qualifier.text);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, expr->span,
                     "neither this subquery nor a statement around it has an attribute \"%s\"",
                     expr->name.text);
  kvsql_error_sqlstate (error, expr->qualifier.text != NULL ? "42P01" : "42703");
  kvsql_error_hint (error, "The relations of the subquery are %s, those around it %s.", own,
                    around->str);
  return expr->qualifier.text == NULL && kvsql_name_hint (&expr->name, NULL, error);
}

/* ---- uses */

static void
note_use (KvsqlUses *self, const KvsqlRelation *relation, guint attribute, KvsqlArena *arena)
{
  guint i = 0;

  while (i < self->n && self->all[i].relation != relation)
    i++;
  if (i == self->n)
    *KVSQL_ARENA_ADD (arena, self->all, self->n) = (KvsqlUse){ .relation = relation };
  kvsql_attribute_set_add (&self->all[i].attributes, attribute);
}

void
kvsql_binder_note_use (const KvsqlBinder *self, guint attribute)
{
  if (self->uses == NULL)
    return;
  for (guint i = 0; i < self->n_relations; i++)
    if (attribute >= self->relations[i].first
        && attribute - self->relations[i].first < self->relations[i].relation->n_attributes)
      {
        note_use (self->uses, self->relations[i].relation, attribute - self->relations[i].first,
                  self->arena);
        return;
      }
  /* a column that a join computes has noted those that it is computed from */
  if (self->n_relations == 0 && attribute < self->relation->n_attributes)
    note_use (self->uses, self->relation, attribute, self->arena);
}

/* ---- all scopes */

static gboolean
find_and_note (const KvsqlBinder *scope, const KvsqlAstExpr *expr, guint *out_attribute,
               GError **error)
{
  if (!find_here (scope, expr, out_attribute, error))
    return FALSE;
  kvsql_binder_note_use (scope, *out_attribute);
  return TRUE;
}

static gboolean
find_in_scopes (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint *out_attribute,
                GError **error)
{
  if (expr->column > 0)
    {
      *out_attribute = expr->column - 1;
      kvsql_binder_note_use (binder, *out_attribute);
      return TRUE;
    }
  if (binder->outer == NULL)
    return find_and_note (binder, expr, out_attribute, error);
  for (const KvsqlBinder *scope = binder; scope != NULL; scope = scope->outer)
    if (has_name (scope, expr))
      return find_and_note (scope, expr, out_attribute, error);
  if (expr->qualifier.text != NULL && is_elsewhere (binder, &expr->qualifier))
    return find_and_note (binder, expr, out_attribute, error);
  return fail_in_subquery (binder, expr, error);
}

/* The attribute of a scope that has JSON and this name; NULL: none. */
static const KvsqlAttribute *
find_json (const KvsqlBinder *scope, const KvsqlName *name)
{
  guint i;

  if (scope->n_relations == 0)
    return scope->relation != NULL && kvsql_relation_find (scope->relation, name, &i, NULL)
                   && kvsql_type_is_json (scope->relation->attributes[i].type)
               ? &scope->relation->attributes[i]
               : NULL;
  for (i = 0; i < scope->n_columns; i++)
    {
      const KvsqlBinderColumn *one = &scope->columns[i];
      const KvsqlAttribute *attribute;

      if (one->relation == KVSQL_MERGED_COLUMN
          || kvsql_name_match (name, one->name, one->is_quoted) == KVSQL_NAME_DIFFERS)
        continue;
      attribute = kvsql_binder_get_attribute (scope, one->attribute);
      if (kvsql_type_is_json (attribute->type))
        return attribute;
    }
  return NULL;
}

/* j.a, where j is not a relation but a document. */
static void
hint_at_json (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  const KvsqlAttribute *found = NULL;

  if (expr->qualifier.text == NULL || is_elsewhere (binder, &expr->qualifier))
    return;
  for (const KvsqlBinder *scope = binder; scope != NULL && found == NULL; scope = scope->outer)
    {
      if (has_name (scope, expr))
        return;
      found = find_json (scope, &expr->qualifier);
    }
  if (found != NULL)
    kvsql_error_hint (error,
                      "\"%s\" is an attribute of type %s: write %s -> '%s', or %s ->> '%s' for "
                      "text.",
                      found->name, kvsql_type_get_name (found->type), expr->qualifier.text,
                      expr->name.text, expr->qualifier.text, expr->name.text);
}

gboolean
kvsql_binder_find_attribute (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                             guint *out_attribute, GError **error)
{
  if (find_in_scopes (binder, expr, out_attribute, error))
    return TRUE;
  hint_at_json (binder, expr, error);
  return FALSE;
}

gboolean
kvsql_binder_spells_attribute (const KvsqlBinder *binder, const gchar *name)
{
  const KvsqlName exact = { .text = name, .is_quoted = TRUE };

  if (binder->n_relations == 0)
    return kvsql_relation_choose (binder->relation, &exact).n > 0;
  for (guint i = 0; i < binder->n_relations; i++)
    if (kvsql_relation_choose (binder->relations[i].relation, &exact).n > 0)
      return TRUE;
  return FALSE;
}
