/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-graph.c: see the header.
 *
 * For two operators of the tree, one below the other, three laws say whether they may change
 * places: associativity, and the left and the right variant of "asscom". Where a law does not hold,
 * the upper operator gets a rule that forbids the change. A rule whose condition always holds
 * becomes a part of what the operator needs, from which the hyperedges are made.
 */
#include "config.h"

#include "core/plan/join-graph.h"

#include "core/base/interrupt.h"

/* ---- laws */

static gboolean
refuses (const KvsqlJoinOperator *self, const KvsqlInputSet *inputs)
{
  return kvsql_attribute_set_intersects (&self->refused, inputs);
}

/* (1 a 2) b 3 = 1 a (2 b 3) */
static gboolean
is_associative (const KvsqlJoinOperator *a, const KvsqlJoinOperator *b, const KvsqlInputSet *second)
{
  switch (a->kind)
    {
    case KVSQL_JOIN_TREE_INNER:
      return b->kind != KVSQL_JOIN_TREE_FULL;
    case KVSQL_JOIN_TREE_LEFT:
      return b->kind == KVSQL_JOIN_TREE_LEFT && refuses (b, second);
    case KVSQL_JOIN_TREE_FULL:
      return (b->kind == KVSQL_JOIN_TREE_LEFT
              || (b->kind == KVSQL_JOIN_TREE_FULL && refuses (a, second)))
             && refuses (b, second);
    default:
      return FALSE;
    }
}

/* (1 a 2) b 3 = (1 b 3) a 2 */
static gboolean
is_left_asscom (const KvsqlJoinOperator *a, const KvsqlJoinOperator *b, const KvsqlInputSet *first)
{
  switch (a->kind)
    {
    case KVSQL_JOIN_TREE_LEFT:
      return b->kind != KVSQL_JOIN_TREE_FULL || refuses (a, first);
    case KVSQL_JOIN_TREE_FULL:
      return (b->kind == KVSQL_JOIN_TREE_LEFT
              || (b->kind == KVSQL_JOIN_TREE_FULL && refuses (a, first)))
             && refuses (b, first);
    default:
      return b->kind != KVSQL_JOIN_TREE_FULL;
    }
}

/* 1 a (2 b 3) = 2 b (1 a 3) */
static gboolean
is_right_asscom (const KvsqlJoinOperator *a, const KvsqlJoinOperator *b, const KvsqlInputSet *third)
{
  if (a->kind != b->kind)
    return FALSE;
  return a->kind == KVSQL_JOIN_TREE_INNER
         || (a->kind == KVSQL_JOIN_TREE_FULL && refuses (a, third) && refuses (b, third));
}

/* ---- conflicts */

static KvsqlInputSet
unite (const KvsqlInputSet *a, const KvsqlInputSet *b)
{
  KvsqlInputSet both = *a;

  kvsql_attribute_set_add_all (&both, b);
  return both;
}

static KvsqlInputSet
intersect (const KvsqlInputSet *a, const KvsqlInputSet *b)
{
  KvsqlInputSet both = *a;

  kvsql_attribute_set_keep_all (&both, b);
  return both;
}

/* Where an input of @if_any is, those inputs of @side have to be that @below uses. */
static void
add_rule (KvsqlJoinOperator *self, const KvsqlJoinOperator *below, const KvsqlInputSet *if_any,
          const KvsqlInputSet *side, KvsqlArena *arena)
{
  KvsqlJoinRule rule = { *if_any, intersect (side, &below->used) };

  if (kvsql_attribute_set_is_empty (&rule.then_all))
    rule.then_all = *side;
  *KVSQL_ARENA_ADD (arena, self->rules, self->n_rules) = rule;
}

static void
add_rules (KvsqlJoinOperator *self, const KvsqlJoinOperator *below, KvsqlArena *arena)
{
  KvsqlInputSet inputs = unite (&below->left, &below->right);

  if (kvsql_attribute_set_contains (&self->left, &inputs))
    {
      if (!is_associative (below, self, &below->right))
        add_rule (self, below, &below->right, &below->left, arena);
      if (!is_left_asscom (below, self, &below->left))
        add_rule (self, below, &below->left, &below->right, arena);
    }
  else if (kvsql_attribute_set_contains (&self->right, &inputs))
    {
      if (!is_associative (self, below, &below->left))
        add_rule (self, below, &below->left, &below->right, arena);
      if (!is_right_asscom (self, below, &below->right))
        add_rule (self, below, &below->right, &below->left, arena);
    }
}

/* Rules that apply to each set that the operator needs are replaced by what they ask for. Returns
 * whether there was one. */
static gboolean
drop_rules (KvsqlJoinOperator *self, KvsqlInputSet *needed)
{
  guint n = 0;
  gboolean is_any_dropped = FALSE;

  for (guint i = 0; i < self->n_rules && kvsql_interrupt_tick (); i++)
    if (kvsql_attribute_set_intersects (&self->rules[i].if_any, needed))
      {
        kvsql_attribute_set_add_all (needed, &self->rules[i].then_all);
        is_any_dropped = TRUE;
      }
    else if (!kvsql_attribute_set_contains (needed, &self->rules[i].then_all))
      self->rules[n++] = self->rules[i];
  self->n_rules = n;
  return is_any_dropped;
}

/* A side that the condition does not use is needed as a whole. */
static KvsqlInputSet
used_of_side (const KvsqlJoinOperator *self, const KvsqlInputSet *side)
{
  KvsqlInputSet used = intersect (side, &self->used);

  return kvsql_attribute_set_is_empty (&used) ? *side : used;
}

static void
set_needed (KvsqlJoinOperator *self)
{
  KvsqlInputSet left = used_of_side (self, &self->left), right = used_of_side (self, &self->right),
                needed = unite (&left, &right);

  while (drop_rules (self, &needed) && kvsql_interrupt_tick ())
    ;
  self->needed_left = intersect (&needed, &self->left);
  self->needed_right = intersect (&needed, &self->right);
}

void
kvsql_join_graph_find_conflicts (KvsqlJoinGraph *self, KvsqlArena *arena)
{
  for (guint i = 0; i < self->n_operators; i++)
    {
      KvsqlJoinOperator *upper = &self->operators[i];

      for (guint k = 0; k < self->n_operators && kvsql_interrupt_tick (); k++)
        if (upper->kind != KVSQL_JOIN_TREE_INNER
            || self->operators[k].kind != KVSQL_JOIN_TREE_INNER) /* all laws hold for these */
          add_rules (upper, &self->operators[k], arena);
      set_needed (upper);
    }
}

/* ---- pairs */

/* Whether a tree of joins of @inputs has applied the operator. */
static gboolean
is_applied (const KvsqlJoinOperator *self, const KvsqlInputSet *inputs)
{
  if (!kvsql_attribute_set_contains (inputs, &self->needed_left)
      || !kvsql_attribute_set_contains (inputs, &self->needed_right))
    return FALSE;
  for (guint i = 0; i < self->n_rules && kvsql_interrupt_tick (); i++)
    if (kvsql_attribute_set_intersects (&self->rules[i].if_any, inputs)
        && !kvsql_attribute_set_contains (inputs, &self->rules[i].then_all))
      return FALSE;
  return TRUE;
}

static gboolean
joins (const KvsqlJoinOperator *self, const KvsqlInputSet *left, const KvsqlInputSet *right)
{
  return kvsql_attribute_set_contains (left, &self->needed_left)
         && kvsql_attribute_set_contains (right, &self->needed_right);
}

/* Whether an inner join has a condition on both sets, or is the cross join of both. */
static gboolean
connects (const KvsqlJoinOperator *self, const KvsqlInputSet *a, const KvsqlInputSet *b)
{
  if (kvsql_attribute_set_is_empty (&self->used))
    return joins (self, a, b) || joins (self, b, a);
  return kvsql_attribute_set_intersects (&self->used, a)
         && kvsql_attribute_set_intersects (&self->used, b);
}

/* Whether the join of the sets, @both together, applies the operator. Most have no rules, and most
 * joins few inputs: then it is decided by the first word of the sets. */
static gboolean
is_applied_now (const KvsqlJoinGraph *self, const KvsqlJoinOperator *one, const KvsqlInputSet *a,
                const KvsqlInputSet *b, const KvsqlInputSet *both)
{
  guint64 needed = one->needed_left.bits[0] | one->needed_right.bits[0];

  if (self->n_inputs <= 64 && one->n_rules == 0)
    return (needed & ~both->bits[0]) == 0 && (needed & ~a->bits[0]) != 0
           && (needed & ~b->bits[0]) != 0;
  return is_applied (one, both) && !is_applied (one, a) && !is_applied (one, b);
}

gboolean
kvsql_join_graph_match (const KvsqlJoinGraph *self, const KvsqlInputSet *a, const KvsqlInputSet *b,
                        KvsqlJoinPair *out)
{
  KvsqlInputSet both = unite (a, b);
  const KvsqlJoinOperator *other = NULL; /* than inner */
  gboolean is_connected = FALSE;

  out->n_operators = 0;
  for (guint i = 0; i < self->n_operators && kvsql_interrupt_tick (); i++)
    {
      const KvsqlJoinOperator *one = &self->operators[i];

      if (!is_applied_now (self, one, a, b, &both))
        continue;
      if (one->kind != KVSQL_JOIN_TREE_INNER)
        other = one;
      else
        is_connected = is_connected || connects (one, a, b);
      if (!kvsql_attribute_set_is_empty (&one->used) || one->kind != KVSQL_JOIN_TREE_INNER)
        out->operators[out->n_operators++] = i;
    }
  out->kind = KVSQL_JOIN_TREE_INNER;
  out->is_swapped = FALSE;
  if (other == NULL)
    return is_connected;
  out->kind = other->kind;
  out->is_swapped = !joins (other, a, b);
  return out->n_operators == 1 && (!out->is_swapped || joins (other, b, a));
}
