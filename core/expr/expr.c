/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * expr.c: queries about expressions.
 */
#include "config.h"

#include "core/expr/expr.h"

#include "core/base/interrupt.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

void
kvsql_expr_foreach_column (const KvsqlExpr *self, void (*each) (guint column, gpointer data),
                           gpointer data)
{
  if (self->kind == KVSQL_EXPR_COLUMN)
    each (self->column, data);
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    kvsql_expr_foreach_column (self->children[i], each, data);
}

KvsqlExpr *
kvsql_expr_shift (const KvsqlExpr *self, guint first, KvsqlArena *arena)
{
  KvsqlExpr *copy = kvsql_arena_copy (arena, self, sizeof *self);

  if (self->kind == KVSQL_EXPR_COLUMN)
    copy->column -= first;
  copy->children = kvsql_arena_array (arena, KvsqlExpr *, self->n_children);
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    copy->children[i] = kvsql_expr_shift (self->children[i], first, arena);
  return copy;
}

KvsqlExpr *
kvsql_expr_replace_columns (const KvsqlExpr *self, KvsqlExpr *const *columns, KvsqlArena *arena)
{
  KvsqlExpr *copy;

  if (self->kind == KVSQL_EXPR_COLUMN)
    return columns[self->column];
  copy = kvsql_arena_copy (arena, self, sizeof *self);
  copy->children = kvsql_arena_array (arena, KvsqlExpr *, self->n_children);
  copy->size = 1;
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    {
      copy->children[i] = kvsql_expr_replace_columns (self->children[i], columns, arena);
      copy->size += copy->children[i]->size;
    }
  return copy;
}

/* A conversion to a wider type, which cannot fail. DECIMAL to a real may overflow. */
static gboolean
is_safe_cast (const KvsqlExpr *self)
{
  KvsqlType from = self->children[0]->type;

  return self->type == KVSQL_TYPE_STRING
         || (kvsql_cast_is_implicit (from, self->type) && from != KVSQL_TYPE_DECIMAL);
}

gboolean
kvsql_expr_can_fail (const KvsqlExpr *self)
{
  if ((self->kind == KVSQL_EXPR_CALL && !self->function->never_fails)
      || (self->kind == KVSQL_EXPR_CAST && !is_safe_cast (self)) || self->kind == KVSQL_EXPR_RLIKE
      || self->kind == KVSQL_EXPR_QUANTIFIED || self->kind == KVSQL_EXPR_LIST
      || self->kind == KVSQL_EXPR_SUBQUERY || (self->kind == KVSQL_EXPR_LIKE && self->like == NULL))
    return TRUE;
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    if (kvsql_expr_can_fail (self->children[i]))
      return TRUE;
  return FALSE;
}

gboolean
kvsql_expr_is_volatile (const KvsqlExpr *self)
{
  if (self->kind == KVSQL_EXPR_CALL && self->function->is_volatile)
    return TRUE;
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    if (kvsql_expr_is_volatile (self->children[i]))
      return TRUE;
  return FALSE;
}
