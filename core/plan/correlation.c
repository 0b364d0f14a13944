/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * correlation.c: see the header.
 */
#include "config.h"

#include "core/plan/correlation.h"

#include "core/base/interrupt.h"
#include "core/plan/find-relation.h"
#include "core/plan/function-columns.h"
#include "core/schema/relation.h"

const KvsqlNameScope *
kvsql_source_get_scope (const KvsqlSelect *select, guint number, const KvsqlNameScope *around,
                        KvsqlSelect *left, KvsqlNameScope *scope)
{
  if (number == 0 || !kvsql_source_is_lateral (kvsql_select_get_source (select, number)))
    return around;
  *left = *select;
  left->n_joined = number - 1;
  *scope = (KvsqlNameScope){ left, around };
  return scope;
}

typedef struct
{
  const KvsqlCatalog *catalog;
  const KvsqlNameScope *outer; /* of the whole subquery */
  KvsqlAttributeSet *used;     /* nullable: collects those of @outer, and finds nothing */
} Search;

static gboolean uses_outer (const Search *self, const KvsqlSelect *select,
                            const KvsqlNameScope *around);

static gboolean source_has (const Search *self, const KvsqlSource *source,
                            const KvsqlAstExpr *name);

static gboolean
is_called (const KvsqlSource *source, const KvsqlName *name)
{
  const KvsqlName *own = source->alias.text != NULL ? &source->alias : &source->relation;

  return kvsql_name_match (name, own->text, own->is_quoted) != KVSQL_NAME_DIFFERS;
}

/* Whether an item is * or the star of the source. */
static gboolean
has_star_of (const KvsqlSelect *query, const KvsqlSource *source)
{
  for (guint i = 0; i < query->n_items && kvsql_interrupt_tick (); i++)
    if (query->items[i].expr == NULL
        && (query->items[i].star_of.text == NULL || is_called (source, &query->items[i].star_of)))
      return TRUE;
  return FALSE;
}

/* Each source is searched once, as nested queries with several stars would take long. */
static gboolean
stars_have (const Search *self, const KvsqlSelect *query, const KvsqlAstExpr *name)
{
  for (guint i = 0; query->from.relation.text != NULL && i <= query->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (query, i);

      if (has_star_of (query, source) && source_has (self, source, name))
        return TRUE;
    }
  return FALSE;
}

/* Whether a column of a derived table is called so. */
static gboolean
query_has (const Search *self, const KvsqlSelect *query, const KvsqlAstExpr *name)
{
  while (query->set != NULL || query->working_of != NULL)
    query = query->set != NULL ? query->set->operands[0] : query->working_of;
  if (query->function != NULL)
    return kvsql_function_columns_have (query, &name->name);
  for (guint i = 0; i < query->n_values; i++)
    {
      g_autofree gchar *column = g_strdup_printf ("column%u", i + 1);

      if (kvsql_name_match (&name->name, column, FALSE) != KVSQL_NAME_DIFFERS)
        return TRUE;
    }
  for (guint i = 0; i < query->n_items && kvsql_interrupt_tick (); i++)
    {
      const KvsqlSelectItem *item = &query->items[i];
      const KvsqlAstExpr *expr = item->expr;
      const KvsqlName *column
          = item->alias.text != NULL || expr == NULL ? &item->alias : &expr->name;

      if (expr != NULL && column->text != NULL
          && kvsql_name_match (&name->name, column->text, column->is_quoted) != KVSQL_NAME_DIFFERS)
        return TRUE;
    }
  return stars_have (self, query, name);
}

static gboolean
source_has (const Search *self, const KvsqlSource *source, const KvsqlAstExpr *name)
{
  const KvsqlCatalogEntry *entry;

  if (name->qualifier.text != NULL)
    return is_called (source, &name->qualifier);
  for (guint i = 0; i < source->n_columns; i++)
    if (kvsql_name_match (&name->name, source->columns[i].text, source->columns[i].is_quoted)
        != KVSQL_NAME_DIFFERS)
      return TRUE;
  if (source->query != NULL)
    return query_has (self, source->query, name);
  entry = kvsql_plan_find_relation (self->catalog, &source->relation, NULL);
  return entry != NULL && kvsql_relation_choose (entry->relation, &name->name).n > 0;
}

gboolean
kvsql_select_has_output (const KvsqlSelect *self, const KvsqlAstExpr *expr)
{
  for (guint i = 0; expr->kind == KVSQL_AST_NAME && i < self->n_items; i++)
    if (self->items[i].alias.text != NULL && expr->qualifier.text == NULL
        && kvsql_name_match (&expr->name, self->items[i].alias.text, self->items[i].alias.is_quoted)
               != KVSQL_NAME_DIFFERS)
      return TRUE;
  return FALSE;
}

static gboolean
scope_has (const Search *self, const KvsqlSelect *select, const KvsqlAstExpr *name)
{
  for (guint i = 0; select->from.relation.text != NULL && i <= select->n_joined; i++)
    if (source_has (self, kvsql_select_get_source (select, i), name))
      return TRUE;
  return FALSE;
}

gboolean
kvsql_scope_has (const KvsqlCatalog *catalog, const KvsqlSelect *select, const KvsqlAstExpr *name)
{
  const Search self = { .catalog = catalog };

  return scope_has (&self, select, name);
}

static void
collect (const Search *self, const KvsqlAstExpr *name)
{
  const KvsqlCatalogEntry *entry
      = kvsql_plan_find_relation (self->catalog, &self->outer->select->from.relation, NULL);
  const KvsqlNameChoice choice = kvsql_relation_choose (entry->relation, &name->name);

  if (choice.n > 0)
    kvsql_attribute_set_add (self->used, choice.index);
}

/* Whether the name belongs to a statement around the whole subquery. */
static gboolean
is_outer (const Search *self, const KvsqlAstExpr *name, const KvsqlNameScope *scope)
{
  gboolean is_around = FALSE;

  for (; scope != NULL; scope = scope->outer)
    {
      is_around = is_around || scope == self->outer;
      if (!scope_has (self, scope->select, name))
        continue;
      if (self->used == NULL)
        return is_around;
      if (scope == self->outer)
        collect (self, name);
      return FALSE;
    }
  return FALSE;
}

static gboolean
expr_uses_outer (const Search *self, const KvsqlAstExpr *expr, const KvsqlNameScope *scope)
{
  if (expr == NULL || !kvsql_interrupt_tick ())
    return FALSE;
  if (expr->kind == KVSQL_AST_NAME)
    return is_outer (self, expr, scope);
  for (guint i = 0; i < expr->n_children; i++)
    if (expr_uses_outer (self, expr->children[i], scope))
      return TRUE;
  return expr->subquery != NULL && uses_outer (self, expr->subquery, scope);
}

/* GROUP BY, HAVING and ORDER BY may use the name of an output. */
static gboolean
output_uses_outer (const Search *self, const KvsqlAstExpr *expr, const KvsqlNameScope *scope)
{
  gboolean found = FALSE;

  if (expr->kind != KVSQL_AST_GROUPING)
    return !kvsql_select_has_output (scope->select, expr) && expr_uses_outer (self, expr, scope);
  for (guint i = 0; i < expr->n_children && !found; i++)
    found = output_uses_outer (self, expr->children[i], scope);
  return found;
}

static gboolean
join_uses_outer (const Search *self, const KvsqlJoin *join, const KvsqlNameScope *scope)
{
  return join != NULL
         && (expr_uses_outer (self, join->on, scope) || join_uses_outer (self, join->left, scope)
             || join_uses_outer (self, join->right, scope));
}

static gboolean
uses_outer (const Search *self, const KvsqlSelect *select, const KvsqlNameScope *around)
{
  const KvsqlNameScope scope = { select, around };
  gboolean found = expr_uses_outer (self, select->where, &scope)
                   || join_uses_outer (self, select->join, &scope)
                   || expr_uses_outer (self, select->having, &scope)
                   || expr_uses_outer (self, select->limit, &scope)
                   || expr_uses_outer (self, select->offset, &scope);

  /* neither sees the names of this FROM, unless it is lateral */
  for (guint i = 0; select->set != NULL && i < select->set->n_operands && !found; i++)
    found = uses_outer (self, select->set->operands[i], around);
  for (guint i = 0; i <= select->n_joined && !found; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);
      KvsqlSelect left;
      KvsqlNameScope inner;

      found = source->query != NULL
              && uses_outer (self, source->query,
                             kvsql_source_get_scope (select, i, around, &left, &inner));
    }
  for (guint i = 0; i < select->n_rows * select->n_values && !found; i++)
    found
        = expr_uses_outer (self, select->rows[i / select->n_values][i % select->n_values], &scope);
  for (guint i = 0; i < select->n_items && !found; i++)
    found = expr_uses_outer (self, select->items[i].expr, &scope);
  for (guint i = 0; i < select->n_group_by && !found; i++)
    found = output_uses_outer (self, select->group_by[i], &scope);
  for (guint i = 0; i < select->n_order_by && !found && select->set == NULL; i++)
    found = output_uses_outer (self, select->order_by[i].expr, &scope);
  return found;
}

gboolean
kvsql_select_is_correlated (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                            const KvsqlNameScope *outer)
{
  const Search self = { .catalog = catalog, .outer = outer };

  return outer != NULL && uses_outer (&self, select, outer);
}

gboolean
kvsql_expr_uses_outer (const KvsqlCatalog *catalog, const KvsqlAstExpr *expr,
                       const KvsqlNameScope *scope, const KvsqlNameScope *outer)
{
  const Search self = { .catalog = catalog, .outer = outer };

  return outer != NULL && expr_uses_outer (&self, expr, scope);
}

void
kvsql_subquery_collect_outer (const KvsqlCatalog *catalog, const KvsqlAstExpr *expr,
                              const KvsqlNameScope *outer, KvsqlAttributeSet *out)
{
  const Search self = { catalog, outer, out };

  (void)expr_uses_outer (&self, expr, outer);
}
