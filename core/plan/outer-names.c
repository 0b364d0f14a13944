/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * outer-names.c: see the header.
 */
#include "config.h"

#include "core/plan/outer-names.h"

#include "core/base/interrupt.h"
#include "core/plan/correlation.h"
#include "core/plan/group.h"

typedef struct
{
  const KvsqlOuterNames *names;
  KvsqlArena *arena;
  guint n_outer, n_own; /* names that were seen */
} Copying;

static gboolean copy_select (Copying *self, const KvsqlSelect *select, const KvsqlNameScope *around,
                             KvsqlSelect **out, GError **error);

static gboolean
is_own (const Copying *self, const KvsqlAstExpr *name, const KvsqlNameScope *scope)
{
  for (; scope != NULL; scope = scope->outer)
    if (kvsql_scope_has (self->names->catalog, scope->select, name))
      return TRUE;
  return FALSE;
}

/* In PostgreSQL, it is an aggregate of the statement around. */
static gboolean
reject_outer_aggregate (const KvsqlAstExpr *expr, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                          "an aggregate in a subquery cannot be of attributes of the statement "
                          "around it alone")
         || kvsql_error_hint (error, "Compute it in a query in FROM of that statement.");
}

/* Replaces *slot by a copy. */
static gboolean
copy (Copying *self, KvsqlAstExpr **slot, const KvsqlNameScope *scope, GError **error)
{
  const KvsqlAstExpr *expr = *slot;
  guint n_outer = self->n_outer, n_own = self->n_own;
  KvsqlAstExpr *out;

  if (expr == NULL)
    return TRUE;
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (expr->kind == KVSQL_AST_NAME && is_own (self, expr, scope))
    {
      self->n_own++;
      return TRUE;
    }
  if (expr->kind == KVSQL_AST_NAME || expr->kind == KVSQL_AST_OUTER)
    {
      self->n_outer++;
      *slot = self->names->replace (expr, self->names->data, error);
      return *slot != NULL;
    }
  if (expr->n_children == 0 && expr->subquery == NULL)
    return TRUE;
  *slot = out = kvsql_arena_copy (self->arena, expr, sizeof *expr);
  out->children
      = kvsql_arena_copy (self->arena, expr->children, expr->n_children * sizeof (gpointer));
  for (guint i = 0; i < out->n_children; i++)
    if (!copy (self, &out->children[i], scope, error))
      return FALSE;
  if (self->n_outer > n_outer && self->n_own == n_own && kvsql_group_find_aggregate (expr) == expr)
    return reject_outer_aggregate (expr, error);
  return expr->subquery == NULL || copy_select (self, expr->subquery, scope, &out->subquery, error);
}

/* A name of GROUP BY or ORDER BY may be that of an output. */
static gboolean
copy_output (Copying *self, KvsqlAstExpr **slot, const KvsqlNameScope *scope, GError **error)
{
  KvsqlAstExpr *out = *slot;

  if (out->kind != KVSQL_AST_GROUPING)
    return kvsql_select_has_output (scope->select, out) || copy (self, slot, scope, error);
  *slot = out = kvsql_arena_copy (self->arena, out, sizeof *out);
  out->children
      = kvsql_arena_copy (self->arena, out->children, out->n_children * sizeof (gpointer));
  for (guint i = 0; i < out->n_children; i++)
    if (!copy_output (self, &out->children[i], scope, error))
      return FALSE;
  return TRUE;
}

static gboolean
copy_join (Copying *self, KvsqlJoin **slot, const KvsqlNameScope *scope, GError **error)
{
  if (*slot == NULL)
    return TRUE;
  *slot = kvsql_arena_copy (self->arena, *slot, sizeof **slot);
  return copy_join (self, &(*slot)->left, scope, error)
         && copy_join (self, &(*slot)->right, scope, error)
         && copy (self, &(*slot)->on, scope, error);
}

static gboolean
copy_operands (Copying *self, KvsqlSetOperation **slot, const KvsqlNameScope *around,
               GError **error)
{
  KvsqlSetOperation *set = *slot;

  if (set == NULL)
    return TRUE;
  *slot = set = kvsql_arena_copy (self->arena, set, sizeof *set);
  set->operands
      = kvsql_arena_copy (self->arena, set->operands, set->n_operands * sizeof (gpointer));
  for (guint i = 0; i < set->n_operands; i++)
    if (!copy_select (self, set->operands[i], around, &set->operands[i], error))
      return FALSE;
  return TRUE;
}

/* Queries in FROM do not see the names of that FROM, unless they are lateral. */
static gboolean
copy_sources (Copying *self, KvsqlSelect *out, const KvsqlNameScope *around, GError **error)
{
  out->joined = kvsql_arena_copy (self->arena, out->joined, out->n_joined * sizeof *out->joined);
  for (guint i = 0; i <= out->n_joined; i++)
    {
      KvsqlSource *source = i == 0 ? &out->from : &out->joined[i - 1];
      KvsqlSelect left;
      KvsqlNameScope scope;

      if (source->query != NULL
          && !copy_select (self, source->query,
                           kvsql_source_get_scope (out, i, around, &left, &scope), &source->query,
                           error))
        return FALSE;
    }
  return TRUE;
}

/* Of VALUES. */
static gboolean
copy_rows (Copying *self, KvsqlSelect *out, const KvsqlNameScope *scope, GError **error)
{
  out->rows = kvsql_arena_copy (self->arena, out->rows, out->n_rows * sizeof *out->rows);
  for (guint i = 0; i < out->n_rows; i++)
    {
      out->rows[i]
          = kvsql_arena_copy (self->arena, out->rows[i], out->n_values * sizeof *out->rows[i]);
      for (guint j = 0; j < out->n_values; j++)
        if (!copy (self, &out->rows[i][j], scope, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
copy_lists (Copying *self, KvsqlSelect *out, const KvsqlNameScope *scope, GError **error)
{
  out->items = kvsql_arena_copy (self->arena, out->items, out->n_items * sizeof *out->items);
  for (guint i = 0; i < out->n_items; i++)
    if (!copy (self, &out->items[i].expr, scope, error))
      return FALSE;
  out->distinct_on
      = kvsql_arena_copy (self->arena, out->distinct_on, out->n_distinct_on * sizeof (gpointer));
  for (guint i = 0; i < out->n_distinct_on; i++)
    if (!copy_output (self, &out->distinct_on[i], scope, error))
      return FALSE;
  out->group_by
      = kvsql_arena_copy (self->arena, out->group_by, out->n_group_by * sizeof (gpointer));
  for (guint i = 0; i < out->n_group_by; i++)
    if (!copy_output (self, &out->group_by[i], scope, error))
      return FALSE;
  out->order_by
      = kvsql_arena_copy (self->arena, out->order_by, out->n_order_by * sizeof *out->order_by);
  for (guint i = 0; i < out->n_order_by && out->set == NULL; i++)
    if (!copy_output (self, &out->order_by[i].expr, scope, error))
      return FALSE;
  return TRUE;
}

static gboolean
copy_select (Copying *self, const KvsqlSelect *select, const KvsqlNameScope *around,
             KvsqlSelect **slot, GError **error)
{
  const KvsqlNameScope scope = { select, around };
  KvsqlSelect *out = *slot = kvsql_arena_copy (self->arena, select, sizeof *select);

  return copy_operands (self, &out->set, around, error)
         && (out->rows == NULL || copy_rows (self, out, &scope, error))
         && copy_sources (self, out, around, error) && copy_join (self, &out->join, &scope, error)
         && copy_lists (self, out, &scope, error) && copy (self, &out->where, &scope, error)
         && copy (self, &out->having, &scope, error) && copy (self, &out->limit, &scope, error)
         && copy (self, &out->offset, &scope, error);
}

KvsqlSelect *
kvsql_outer_names_replace (const KvsqlOuterNames *self, const KvsqlSelect *select, guint *out_n,
                           GError **error)
{
  Copying copying = { .names = self, .arena = self->arena };
  KvsqlSelect *out;

  if (!copy_select (&copying, select, NULL, &out, error))
    return NULL;
  *out_n = copying.n_outer;
  return out;
}
