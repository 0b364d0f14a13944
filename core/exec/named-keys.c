/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * named-keys.c: the products of the points of boxes.
 */
#include "config.h"

#include "core/exec/named-keys.h"
#include "core/exec/tuple-map.h"

#define MAX_NAMED_KEYS 10000

/* The number of keys that a box names one by one, or 0 if it leaves any key attribute open or asks
 * for more. */
static gsize
count_keys (const KvsqlRelation *relation, const KvsqlBox *box, gboolean may_filter)
{
  gsize n = 1;

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlConstraint *constraint = &box->constraints[a];
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

/* Key number @index of the product of a box's points. */
static KvsqlValue *
nth_key (const KvsqlRelation *relation, const KvsqlBox *box, gsize index, KvsqlArena *arena)
{
  KvsqlValue *key = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);

  for (guint a = relation->n_attributes; a-- > 0;)
    if (relation->attributes[a].is_key)
      {
        key[a] = box->constraints[a].intervals[index % box->constraints[a].n_intervals].low;
        index /= box->constraints[a].n_intervals;
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

  if (!may_filter && !plan->boxes.is_exact)
    return NULL;
  for (guint b = 0; b < plan->boxes.n_boxes; b++)
    {
      gsize n_of_box = count_keys (relation, &plan->boxes.boxes[b], may_filter);
      n += n_of_box;
      if (n_of_box == 0 || n > MAX_NAMED_KEYS)
        return NULL;
    }
  seen = kvsql_tuple_map_new (relation, 0);
  keys = kvsql_arena_array (arena, const KvsqlValue *, n + 1);
  *out_n = 0;
  for (guint b = 0; b < plan->boxes.n_boxes; b++)
    {
      const KvsqlBox *box = &plan->boxes.boxes[b];
      for (gsize i = 0, n_of_box = count_keys (relation, box, may_filter); i < n_of_box; i++)
        {
          KvsqlValue *key = nth_key (relation, box, i, arena);
          if (kvsql_tuple_map_find (seen, key) != NULL)
            continue;
          kvsql_tuple_map_obtain (seen, key, NULL);
          keys[(*out_n)++] = key;
        }
    }
  return keys;
}
