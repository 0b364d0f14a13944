/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * named-keys.c: the cross product of the point lookups of disjuncts.
 */
#include "config.h"

#include "core/scan/named-keys.h"
#include "core/scan/tuple-map.h"

#define MAX_NAMED_KEYS 10000

/* The number of keys that a disjunct names one by one. 0 if it leaves a key attribute open, or has
 * too many. */
static gsize
count_keys (const KvsqlRelation *relation, const KvsqlDisjunct *disjunct, gboolean may_filter)
{
  gsize n = 1;

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlConstraint *constraint = &disjunct->constraints[a];
      if (!relation->attributes[a].is_key)
        {
          if (constraint->is_constrained && !may_filter)
            return 0;
          continue;
        }
      if (!constraint->is_constrained)
        return 0;
      for (guint i = 0; i < constraint->n_intervals; i++)
        if (!kvsql_interval_is_point (&constraint->intervals[i]))
          return 0;
      n *= constraint->n_intervals;
      if (n > MAX_NAMED_KEYS)
        return 0;
    }
  return n;
}

/* Key number @index of the cross product of a disjunct's point lookups. */
static KvsqlValue *
nth_key (const KvsqlRelation *relation, const KvsqlDisjunct *disjunct, gsize index,
         KvsqlArena *arena)
{
  KvsqlValue *key = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);

  for (guint a = relation->n_attributes; a-- > 0;)
    if (relation->attributes[a].is_key)
      {
        key[a]
            = disjunct->constraints[a].intervals[index % disjunct->constraints[a].n_intervals].low;
        index /= disjunct->constraints[a].n_intervals;
      }
  return key;
}

const KvsqlValue **
kvsql_named_keys (const KvsqlSelectPlan *plan, gboolean may_filter, KvsqlArena *arena, guint *out_n)
{
  const KvsqlRelation *relation = plan->entry->relation;
  g_autoptr (KvsqlTupleMap) seen = NULL;
  const KvsqlValue **keys;
  gsize n = 0;

  if (!may_filter && !plan->dnf.is_exact)
    return NULL;
  for (guint b = 0; b < plan->dnf.n_disjuncts; b++)
    {
      gsize n_of_disjunct = count_keys (relation, &plan->dnf.disjuncts[b], may_filter);
      n += n_of_disjunct;
      if (n_of_disjunct == 0 || n > MAX_NAMED_KEYS)
        return NULL;
    }
  seen = kvsql_tuple_map_new (relation, 0);
  keys = kvsql_arena_array (arena, const KvsqlValue *, n + 1);
  *out_n = 0;
  for (guint b = 0; b < plan->dnf.n_disjuncts; b++)
    {
      const KvsqlDisjunct *disjunct = &plan->dnf.disjuncts[b];
      for (gsize i = 0, n_of_disjunct = count_keys (relation, disjunct, may_filter);
           i < n_of_disjunct; i++)
        {
          KvsqlValue *key = nth_key (relation, disjunct, i, arena);
          if (kvsql_tuple_map_find (seen, key) != NULL)
            continue;
          kvsql_tuple_map_obtain (seen, key, NULL);
          keys[(*out_n)++] = key;
        }
    }
  return keys;
}
