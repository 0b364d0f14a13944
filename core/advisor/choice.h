/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * choice.h: which of many items to choose so that the total cost is least.
 *
 * The problem without names: an item is a candidate schema. It has a cost (its upkeep) and a size.
 * A group is something that has to be read: it takes the cheapest of its plans whose items are
 * chosen. A conditional group has to be read only if one of its triggers is chosen. Each class (a
 * relation) has one chosen item in the role of its primary, which plans may require.
 *
 * Lists live in the arena of the maker.
 */
#pragma once

#include <glib.h>

#include "core/base/arena.h"

G_BEGIN_DECLS

#define KVSQL_NO_ITEM G_MAXUINT

typedef struct
{
  guint class;
  gdouble cost;
  gdouble size;
  gboolean can_be_primary;
} KvsqlChoiceItem;

typedef struct
{
  gdouble cost;  /* of one execution */
  guint item;    /* that has to be chosen */
  guint primary; /* the item that has to be the primary; KVSQL_NO_ITEM: any */
} KvsqlChoicePlan;

typedef struct
{
  gdouble weight;
  guint class;
  KvsqlChoicePlan *plans; /* ascending by cost; there is one for each possible primary, or for the
                             only trigger */
  guint n_plans;
  gboolean is_conditional;
  guint *triggers;
  guint n_triggers;
} KvsqlChoiceGroup;

typedef struct
{
  KvsqlChoiceItem *items;
  guint n_items;
  KvsqlChoiceGroup *groups;
  guint n_groups;
  guint n_classes;
  gdouble size_limit; /* INFINITY: none */
  guint count_limit;  /* of each class; G_MAXUINT: none */
  gint64 deadline_us; /* of solvers, by g_get_monotonic_time (); 0: none */
} KvsqlChoice;

/* A set of items. */
typedef struct
{
  gboolean *chosen; /* (array length=n_items) */
  guint *primary;   /* (array length=n_classes) */
  gdouble cost;
  guint n_chosen;
  gdouble size;
} KvsqlSelection;

static inline gboolean
kvsql_choice_is_late (const KvsqlChoice *self)
{
  return self->deadline_us > 0 && g_get_monotonic_time () > self->deadline_us;
}

KvsqlSelection *kvsql_selection_new (const KvsqlChoice *choice);
void kvsql_selection_free (KvsqlSelection *self); /* accepts NULL */
void kvsql_selection_copy (KvsqlSelection *self, const KvsqlSelection *from,
                           const KvsqlChoice *choice);

/* The best plan of a group; NULL: none of the chosen items has one. */
const KvsqlChoicePlan *kvsql_selection_find_plan (const KvsqlSelection *self,
                                                  const KvsqlChoiceGroup *group);
gboolean kvsql_selection_is_read (const KvsqlSelection *self, const KvsqlChoiceGroup *group);
/* Sets cost, count and size. The cost is INFINITY if a group has no plan, or a limit is exceeded.
 */
void kvsql_selection_evaluate (KvsqlSelection *self, const KvsqlChoice *choice);
/* Negative if @a is better: by cost, then by count, then by size. Costs that differ by rounding
 * only are equal. */
gint kvsql_selection_compare (const KvsqlSelection *a, const KvsqlSelection *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSelection, kvsql_selection_free)

G_END_DECLS
