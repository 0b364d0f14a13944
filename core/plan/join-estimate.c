/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-estimate.c: see the header.
 */
#include "config.h"

#include "core/plan/join-estimate.h"

#include "core/base/interrupt.h"
#include "core/plan/estimate.h"

#include <math.h>

/* Distinct values of an attribute that nothing is known of. */
#define ASSUMED_DISTINCT 100.0
#define ASSUMED_POINT (1 / ASSUMED_DISTINCT)
#define ASSUMED_RANGE 0.1
/* Conditions that bound no attribute. */
#define ASSUMED_MATCH 0.05 /* LIKE '%x%' */
#define ASSUMED_CONDITION (1 / 3.0)
/* An anti join is not taken to give less of its rows. */
#define LEAST_ANTI_SHARE 0.1

/* ---- relations */

static gdouble
assumed_share (const KvsqlConstraint *constraint)
{
  gdouble share = constraint->allows_null ? ASSUMED_RANGE : 0;

  for (guint i = 0; i < constraint->n_intervals; i++)
    share += kvsql_interval_is_point (&constraint->intervals[i]) ? ASSUMED_POINT : ASSUMED_RANGE;
  return MIN (share, 1);
}

/* The largest number of tuples with the KEY values of the disjunct. */
static gdouble
count_keys (const KvsqlSelectPlan *plan, const KvsqlDisjunct *disjunct)
{
  const KvsqlAttributeSet *keys = &plan->entry->relation->keys;
  gdouble n = 1;

  for (gint a = kvsql_attribute_set_next (keys, -1); a >= 0; a = kvsql_attribute_set_next (keys, a))
    {
      const KvsqlConstraint *constraint = &disjunct->constraints[a];

      if (!constraint->is_constrained)
        return INFINITY;
      for (guint i = 0; i < constraint->n_intervals; i++)
        if (!kvsql_interval_is_point (&constraint->intervals[i]))
          return INFINITY;
      n *= constraint->n_intervals;
    }
  return n;
}

/* The share of the tuples that are read. */
static gdouble
assumed_share_of (const KvsqlSelectPlan *plan, const KvsqlDisjunct *disjunct)
{
  gdouble share = 1;

  for (guint a = 0; a < plan->entry->relation->n_attributes; a++)
    if (disjunct->constraints[a].is_constrained
        && !kvsql_attribute_set_has (&plan->best->bounded, a))
      share *= assumed_share (&disjunct->constraints[a]);
  return share;
}

static gdouble
estimate_disjunct (const KvsqlSelectPlan *plan, const KvsqlDisjunct *disjunct)
{
  const KvsqlStatistics *statistics = plan->dnf.statistics;
  gdouble rows;

  if (statistics != NULL && !kvsql_estimate_is_assumed (statistics))
    {
      KvsqlAttributeSet all;

      memset (&all, 0xff, sizeof all);
      rows = statistics->n_tuples * kvsql_estimate_known_share (statistics, disjunct, &all);
    }
  else
    rows = plan->best->rows * assumed_share_of (plan, disjunct);
  return MIN (rows, count_keys (plan, disjunct));
}

/* The share of tuples that satisfy the conditions without bounds. Those with bounds count as 1, and
 * so does an OR that has one. */
static gdouble
assumed_unbounded_share (const KvsqlPredicate *predicate)
{
  gdouble share = predicate->kind == KVSQL_PREDICATE_OR ? 0 : 1;

  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_LIKE:
      return predicate->is_negated || predicate->like->prefix_size > 0 ? 1 : ASSUMED_MATCH;
    case KVSQL_PREDICATE_ATTRIBUTES:
      return predicate->op == KVSQL_OP_EQ   ? ASSUMED_POINT
             : predicate->op == KVSQL_OP_NE ? 1
                                            : ASSUMED_CONDITION;
    case KVSQL_PREDICATE_EXPRESSION:
      return ASSUMED_CONDITION;
    case KVSQL_PREDICATE_AND:
      for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
        share *= assumed_unbounded_share (predicate->children[i]);
      return share;
    case KVSQL_PREDICATE_OR:
      for (guint i = 0; i < predicate->n_children && share < 1 && kvsql_interrupt_tick (); i++)
        share += assumed_unbounded_share (predicate->children[i]);
      return MIN (share, 1);
    default:
      return 1;
    }
}

/* No more than what is read. */
gdouble
kvsql_join_estimate_tuples (const KvsqlSelectPlan *plan)
{
  /* the predicate of the relation that is scanned has the conditions of its joins, too */
  const KvsqlPredicate *predicate
      = plan->join != NULL ? kvsql_join_plan_get_scanned (plan->join) : plan->predicate;
  gdouble rows = 0;

  if (plan->best->rows == 0)
    return 0;
  for (guint i = 0; i < plan->dnf.n_disjuncts && kvsql_interrupt_tick (); i++)
    rows += estimate_disjunct (plan, &plan->dnf.disjuncts[i]);
  if (predicate != NULL)
    rows *= assumed_unbounded_share (predicate);
  return CLAMP (rows, 1, MAX (plan->best->rows, 1));
}

gdouble
kvsql_join_estimate_distinct (const KvsqlSelectPlan *plan, guint attribute, gboolean *out_is_known)
{
  const KvsqlStatistics *statistics = plan->dnf.statistics;
  const KvsqlAttributeSet *keys = &plan->entry->relation->keys;
  gboolean is_known = statistics != NULL && !kvsql_estimate_is_assumed (statistics);

  if (out_is_known != NULL)
    *out_is_known = is_known;
  if (is_known)
    return MAX (statistics->attributes[attribute].distinct, 1);
  if (kvsql_attribute_set_next (keys, -1) == (gint)attribute
      && kvsql_attribute_set_next (keys, (gint)attribute) < 0)
    return kvsql_estimate_table_rows (statistics);
  return ASSUMED_DISTINCT;
}

/* ---- joins */

gdouble
kvsql_join_estimate_rows (KvsqlJoinTreeKind kind, gdouble left, gdouble right, gdouble share)
{
  gdouble rows = left * right * share, partners = MIN (right * share, 1);

  if (kind == KVSQL_JOIN_TREE_LEFT || kind == KVSQL_JOIN_TREE_FULL)
    rows = MAX (rows, left);
  if (kind == KVSQL_JOIN_TREE_FULL)
    rows = MAX (rows, right);
  if (kind == KVSQL_JOIN_TREE_SEMI)
    rows = left * partners;
  if (kind == KVSQL_JOIN_TREE_ANTI)
    rows = left * MAX (1 - partners, LEAST_ANTI_SHARE);
  return rows == 0 ? 0 : CLAMP (rows, 1, KVSQL_JOIN_MOST_ROWS);
}
