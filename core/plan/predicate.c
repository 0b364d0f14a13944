/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate.c: constructs predicates, and collects their attributes.
 */
#include "config.h"

#include "core/plan/predicate-private.h"

#include "core/base/interrupt.h"

KvsqlPredicate *
kvsql_predicate_new (const KvsqlBinder *binder, KvsqlPredicateKind kind, KvsqlSpan span)
{
  KvsqlPredicate *self = kvsql_arena_new0 (binder->arena, KvsqlPredicate);

  self->kind = kind;
  self->span = span;
  return self;
}

KvsqlPredicate *
kvsql_predicate_new_constant (const KvsqlBinder *binder, gboolean truth, KvsqlSpan span)
{
  KvsqlPredicate *self = kvsql_predicate_new (binder, KVSQL_PREDICATE_CONSTANT, span);

  self->truth = truth;
  return self;
}

KvsqlPredicate *
kvsql_predicate_new_is_null (const KvsqlBinder *binder, guint attribute, gboolean is_negated,
                             KvsqlSpan span)
{
  KvsqlPredicate *self = kvsql_predicate_new (binder, KVSQL_PREDICATE_IS_NULL, span);

  self->attribute = attribute;
  self->is_negated = is_negated;
  return self;
}

KvsqlPredicate *
kvsql_predicate_new_compare (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                             KvsqlValue value, KvsqlSpan span)
{
  KvsqlPredicate *self = kvsql_predicate_new (binder, KVSQL_PREDICATE_COMPARE, span);

  /* No code after the binder converts a constant. */
  g_assert (value.type == binder->relation->attributes[attribute].type);
  g_assert (op >= KVSQL_OP_EQ && op <= KVSQL_OP_GE);
  self->attribute = attribute;
  self->op = op;
  self->value = value;
  return self;
}

KvsqlPredicate *
kvsql_predicate_new_pair (const KvsqlBinder *binder, KvsqlPredicateKind kind, KvsqlPredicate *a,
                          KvsqlPredicate *b, KvsqlSpan span)
{
  KvsqlPredicate *self = kvsql_predicate_new (binder, kind, span);

  if (a == NULL || b == NULL)
    return NULL;
  self->children = kvsql_arena_array (binder->arena, KvsqlPredicate *, 2);
  self->children[0] = a;
  self->children[1] = b;
  self->n_children = 2;
  self->has_expression = a->has_expression || b->has_expression;
  self->can_fail = a->can_fail || b->can_fail;
  return self;
}

KvsqlPredicate *
kvsql_predicate_new_all_or_none (const KvsqlBinder *binder, guint attribute, gboolean all,
                                 KvsqlSpan span)
{
  return all ? kvsql_predicate_new_is_null (binder, attribute, TRUE, span)
             : kvsql_predicate_new_constant (binder, FALSE, span);
}

static void
add_column (guint column, gpointer set)
{
  kvsql_attribute_set_add (set, column);
}

void
kvsql_predicate_collect (const KvsqlPredicate *self, KvsqlAttributeSet *out)
{
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    kvsql_predicate_collect (self->children[i], out);
  if (kvsql_predicate_has_attribute (self))
    kvsql_attribute_set_add (out, self->attribute);
  if (self->kind == KVSQL_PREDICATE_EXPRESSION)
    kvsql_expr_foreach_column (self->expr, add_column, out);
  if (self->kind == KVSQL_PREDICATE_ATTRIBUTES)
    kvsql_attribute_set_add (out, self->other);
}

const KvsqlPredicate *
kvsql_predicate_shift (const KvsqlPredicate *self, guint first, KvsqlArena *arena)
{
  KvsqlPredicate *copy = kvsql_arena_copy (arena, self, sizeof *self);

  copy->attribute -= self->attribute >= first ? first : 0;
  copy->other -= self->other >= first ? first : 0;
  if (self->expr != NULL)
    copy->expr = kvsql_expr_shift (self->expr, first, arena);
  copy->children = kvsql_arena_array (arena, KvsqlPredicate *, self->n_children);
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    copy->children[i] = (KvsqlPredicate *)kvsql_predicate_shift (self->children[i], first, arena);
  return copy;
}

KvsqlPredicate *
kvsql_predicate_replace_columns (const KvsqlPredicate *self, KvsqlExpr *const *columns,
                                 KvsqlArena *arena)
{
  KvsqlPredicate *copy = kvsql_arena_copy (arena, self, sizeof *self);

  if (kvsql_predicate_has_attribute (self))
    copy->attribute = columns[self->attribute]->column;
  if (self->kind == KVSQL_PREDICATE_ATTRIBUTES)
    copy->other = columns[self->other]->column;
  if (self->expr != NULL)
    copy->expr = kvsql_expr_replace_columns (self->expr, columns, arena);
  copy->children = kvsql_arena_array (arena, KvsqlPredicate *, self->n_children);
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    copy->children[i] = kvsql_predicate_replace_columns (self->children[i], columns, arena);
  return copy;
}

KvsqlPredicate *
kvsql_predicate_unite (KvsqlPredicate *const *predicates, guint n, KvsqlArena *arena)
{
  KvsqlPredicate *both;

  if (n <= 1)
    return n == 0 ? NULL : predicates[0];
  both = kvsql_arena_new0 (arena, KvsqlPredicate);
  both->kind = KVSQL_PREDICATE_AND;
  both->span = predicates[0]->span;
  both->children = kvsql_arena_copy (arena, predicates, n * sizeof *predicates);
  both->n_children = n;
  for (guint i = 0; i < n; i++)
    {
      both->has_expression = both->has_expression || predicates[i]->has_expression;
      both->can_fail = both->can_fail || predicates[i]->can_fail;
    }
  return both;
}

const KvsqlPredicate *
kvsql_predicate_and (const KvsqlPredicate *a, const KvsqlPredicate *b, KvsqlArena *arena)
{
  KvsqlPredicate *both[2] = { (KvsqlPredicate *)a, (KvsqlPredicate *)b };

  if (a->kind == KVSQL_PREDICATE_CONSTANT && a->truth)
    return b;
  if (b->kind == KVSQL_PREDICATE_CONSTANT && b->truth)
    return a;
  return kvsql_predicate_unite (both, 2, arena);
}

/* ---- weaker predicates */

static const KvsqlPredicate *
weaken_and (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes, KvsqlArena *arena)
{
  KvsqlPredicate *result = kvsql_arena_copy (arena, predicate, sizeof *predicate);

  result->children = kvsql_arena_array (arena, KvsqlPredicate *, predicate->n_children);
  result->n_children = 0;
  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *child
          = kvsql_predicate_weaken (predicate->children[i], attributes, arena);
      if (child != NULL)
        result->children[result->n_children++] = (KvsqlPredicate *)child;
    }
  if (result->n_children > 1)
    return result;
  return result->n_children == 1 ? result->children[0] : NULL;
}

static const KvsqlPredicate *
weaken_or (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes, KvsqlArena *arena)
{
  KvsqlPredicate *result = kvsql_arena_copy (arena, predicate, sizeof *predicate);

  result->children = kvsql_arena_array (arena, KvsqlPredicate *, predicate->n_children);
  for (guint i = 0; i < predicate->n_children; i++)
    {
      if (!kvsql_interrupt_tick ())
        return NULL;
      result->children[i]
          = (KvsqlPredicate *)kvsql_predicate_weaken (predicate->children[i], attributes, arena);
      if (result->children[i] == NULL)
        return NULL;
    }
  return result;
}

const KvsqlPredicate *
kvsql_predicate_weaken (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes,
                        KvsqlArena *arena)
{
  KvsqlAttributeSet used = { 0 };

  kvsql_predicate_collect (predicate, &used);
  /* a leaf that can fail is evaluated only on rows that satisfy the whole predicate */
  if (kvsql_attribute_set_contains (attributes, &used) && !predicate->can_fail)
    return predicate->kind == KVSQL_PREDICATE_CONSTANT && predicate->truth ? NULL : predicate;
  /* without NOT, a weaker leaf makes the tree weaker */
  if (predicate->kind == KVSQL_PREDICATE_AND)
    return weaken_and (predicate, attributes, arena);
  if (predicate->kind == KVSQL_PREDICATE_OR)
    return weaken_or (predicate, attributes, arena);
  return NULL;
}
