/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-condition.c: relations and conditions of joins, and estimates of them.
 */
#include "config.h"

#include "core/plan/join-order-private.h"

#include "core/base/interrupt.h"
#include "core/plan/estimate.h"
#include "core/plan/join-estimate.h"

/* Whether equal values have equal bytes. */
gboolean
_kvsql_join_is_exact (KvsqlType a, KvsqlType b)
{
  return a == b && kvsql_type_has_one_form (a);
}

/* Whether it is an equality by which a hash finds partners. */
gboolean
_kvsql_join_is_equality (const KvsqlJoinOrdering *self, const KvsqlPredicate *condition)
{
  const KvsqlAttribute *attributes = self->plan->relation->attributes;

  return condition->kind == KVSQL_PREDICATE_ATTRIBUTES && condition->op == KVSQL_OP_EQ
         && !kvsql_type_is_collection (attributes[condition->attribute].type)
         && !kvsql_type_is_collection (attributes[condition->other].type)
         && !kvsql_type_is_json (attributes[condition->attribute].type);
}

/* ---- relations */

const KvsqlJoinPart *
_kvsql_join_get_part (const KvsqlJoinOrdering *self, guint leaf)
{
  return leaf == 0 ? self->first : &self->plan->join->parts[leaf - 1];
}

/* The plan that reads the relation; NULL: it is a query. */
const KvsqlSelectPlan *
_kvsql_join_get_plan (const KvsqlJoinOrdering *self, guint leaf)
{
  if (leaf == 0)
    return self->plan->entry != NULL ? self->plan : NULL;
  return self->plan->join->parts[leaf - 1].query != NULL ? NULL
                                                         : self->plan->join->parts[leaf - 1].plan;
}

gdouble
_kvsql_join_estimate_query (const KvsqlSelectPlan *plan, guint leaf)
{
  return kvsql_select_plan_estimate_rows (leaf == 0 ? plan->set->operands[0].plan
                                                    : plan->join->parts[leaf - 1].query);
}

/* ---- estimates */

/* Distinct values of a column. @out_is_known: (nullable) */
gdouble
_kvsql_join_estimate_column (const KvsqlJoinOrdering *self, guint column, gboolean *out_is_known)
{
  guint leaf = self->leaves[column];
  const KvsqlSelectPlan *plan = leaf == G_MAXUINT ? NULL : _kvsql_join_get_plan (self, leaf);

  if (plan != NULL)
    return kvsql_join_estimate_distinct (
        plan,
        leaf == 0 ? column
                  : kvsql_join_part_get_attribute (_kvsql_join_get_part (self, leaf), column),
        out_is_known);
  if (out_is_known != NULL)
    *out_is_known = FALSE;
  return leaf == G_MAXUINT ? 1 : MAX (_kvsql_join_estimate_query (self->plan, leaf), 1);
}

/* Whether the equalities have all attributes of the KEY of the relation. */
static gboolean
equates_key (const KvsqlJoinOrdering *self, const KvsqlProblemOperator *edge, guint leaf)
{
  const KvsqlSelectPlan *plan = _kvsql_join_get_plan (self, leaf);
  KvsqlAttributeSet equated = { 0 };

  if (plan == NULL)
    return FALSE;
  for (guint i = 0; i < edge->n && kvsql_interrupt_tick (); i++)
    if (_kvsql_join_is_equality (self, edge->conditions[i]))
      {
        guint columns[] = { edge->conditions[i]->attribute, edge->conditions[i]->other };

        for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
          if (self->leaves[columns[c]] == leaf)
            kvsql_attribute_set_add (&equated,
                                     columns[c] - self->plan->join->relations[leaf].first);
      }
  return _kvsql_join_get_part (self, leaf)->attributes == NULL
         && kvsql_attribute_set_contains (&equated, &plan->entry->relation->keys);
}

void
_kvsql_join_estimate_operator (const KvsqlJoinProblem *self, KvsqlProblemOperator *edge,
                               const KvsqlInputSet *used)
{
  const KvsqlJoinOrdering *ordering = self->ordering;

  gdouble equal = 1, rest = 1, tuples = 0;

  for (guint i = 0; i < edge->n && kvsql_interrupt_tick (); i++)
    if (_kvsql_join_is_equality (ordering, edge->conditions[i]))
      {
        edge->n_equalities++;
        equal /= MAX (_kvsql_join_estimate_column (ordering, edge->conditions[i]->attribute, NULL),
                      _kvsql_join_estimate_column (ordering, edge->conditions[i]->other, NULL));
      }
    else
      rest *= KVSQL_JOIN_OTHER_SHARE;
  for (gint i = kvsql_attribute_set_next (used, -1); i >= 0 && edge->n_equalities > 0;
       i = kvsql_attribute_set_next (used, i))
    {
      const KvsqlJoinProblemInput *input = &self->inputs[i];

      if (input->inner == NULL && equates_key (ordering, edge, input->tree->leaf))
        tuples
            = MAX (tuples, kvsql_estimate_table_rows (
                               _kvsql_join_get_plan (ordering, input->tree->leaf)->dnf.statistics));
    }
  edge->share = (tuples > 0 ? 1 / MAX (tuples, 1) : equal) * rest; /* at most one has the KEY */
}
