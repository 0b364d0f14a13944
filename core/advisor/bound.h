/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bound.h: a lower bound of the cost of a choice.
 *
 * With given primaries the problem is the uncapacitated facility location problem: items are
 * facilities, groups are customers. The bound is Erlenkotter's dual ascent (DUALOC, 1978): each
 * group pays a price, which rises as long as no item gets more from the groups that prefer it than
 * it costs. The sum of the prices is a lower bound. A limit of the size is moved into the costs,
 * with a price for each byte (Lagrangian relaxation).
 */
#pragma once

#include "core/advisor/choice.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_ITEM_FREE,
  KVSQL_ITEM_IN,
  KVSQL_ITEM_OUT,
} KvsqlItemState;

typedef struct
{
  const KvsqlChoice *choice;
  gdouble *costs;  /* n_groups × n_items: of a group by an item, with the given primaries */
  gdouble *least;  /* by item: its cost, and of the groups that it alone triggers */
  gdouble *slack;  /* by item, after the ascent */
  gdouble *prices; /* by group */
  gdouble byte_price;
} KvsqlBound;

KvsqlBound *kvsql_bound_new (const KvsqlChoice *choice);
void kvsql_bound_free (KvsqlBound *self); /* accepts NULL */

/* @primary: (array length=n_classes): KVSQL_NO_ITEM: not decided; plans with any primary count */
void kvsql_bound_set_primaries (KvsqlBound *self, const guint *primary);
/* No selection with these items costs less. Sets slack and prices. */
gdouble kvsql_bound_compute (KvsqlBound *self, const KvsqlItemState *states);
/* Finds a price for a byte that gives a high bound. */
void kvsql_bound_find_byte_price (KvsqlBound *self, const KvsqlItemState *states);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlBound, kvsql_bound_free)

G_END_DECLS
