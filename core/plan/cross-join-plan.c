/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cross-join-plan.c: names, ranges and schemas of a FROM with several relations.
 *
 * The DNF of the predicate is over the attributes of all relations. Reduced to the attributes of
 * one relation, it admits each tuple of this relation that can be part of the result. So the ranges
 * of each relation come from the same DNF.
 */
#include "config.h"

#include "core/plan/bind-private.h"
#include "core/plan/cross-join-plan.h"
#include "core/plan/find-relation.h"
#include "core/plan/index.h"
#include "core/plan/path-choice.h"

/* ---- names */

static gboolean
is_same_name (const KvsqlBinderRelation *a, const KvsqlBinderRelation *b)
{
  KvsqlName name
      = { .text = kvsql_binder_relation_name (a),
          .is_quoted = a->alias->text != NULL ? a->alias->is_quoted : a->relation->is_quoted };
  const gchar *other = kvsql_binder_relation_name (b);

  return kvsql_name_means (&name, other,
                           b->alias->text != NULL ? b->alias->is_quoted : b->relation->is_quoted);
}

static gboolean
reject_same_names (const KvsqlBinderRelation *relations, guint n, const KvsqlSource *last,
                   GError **error)
{
  KvsqlSpan span = last->alias.text != NULL ? last->alias.span : last->relation.span;

  for (guint i = 0; i + 1 < n; i++)
    if (is_same_name (&relations[i], &relations[n - 1]))
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "FROM has \"%s\" twice",
                              kvsql_binder_relation_name (&relations[i]))
             || kvsql_error_hint (error, "Give one of them an alias: FROM %s AS x.",
                                  relations[n - 1].relation->name);
  return TRUE;
}

/* A relation with the attributes of all relations, under qualified names. */
static KvsqlRelation *
make_relation (const KvsqlBinderRelation *relations, guint n, guint n_attributes, KvsqlArena *arena)
{
  KvsqlRelation *self = kvsql_arena_new0 (arena, KvsqlRelation);
  g_autoptr (GString) names = g_string_new (NULL);

  self->attributes = kvsql_arena_array (arena, KvsqlAttribute, n_attributes);
  for (guint i = 0; i < n; i++)
    {
      const gchar *name = kvsql_binder_relation_name (&relations[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
      for (guint a = 0; a < relations[i].relation->n_attributes; a++)
        {
          KvsqlAttribute *attribute = &self->attributes[self->n_attributes++];
          g_autofree gchar *qualified = NULL;

          *attribute = relations[i].relation->attributes[a];
          qualified = g_strdup_printf ("%s.%s", name, attribute->name);
          attribute->name = kvsql_arena_strdup (arena, qualified);
        }
    }
  g_assert (self->n_attributes == n_attributes); /* the numbers of columns */
  self->name = kvsql_arena_strdup (arena, names->str);
  return self;
}

static gboolean
too_wide (const KvsqlSource *last, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, last->relation.span,
                          "the relations of FROM have more than %d attributes together",
                          KVSQL_MAX_ATTRIBUTES);
}

gboolean
kvsql_cross_join_plan_bind (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                            const KvsqlSelect *select, KvsqlBinder *binder, GError **error)
{
  KvsqlArena *arena = binder->arena;
  KvsqlCrossJoinPlan *cross_join = kvsql_arena_new0 (arena, KvsqlCrossJoinPlan);
  guint n = select->n_joined + 1, n_attributes = self->entry->relation->n_attributes;
  KvsqlBinderRelation *relations = kvsql_arena_array (arena, KvsqlBinderRelation, n);

  relations[0] = (KvsqlBinderRelation){ self->entry->relation, &select->from.alias, 0 };
  cross_join->parts = kvsql_arena_array (arena, KvsqlCrossJoinPart, n);
  for (guint i = 1; i < n; i++)
    {
      const KvsqlSource *source = &select->joined[i - 1];
      KvsqlCrossJoinPart *part = &cross_join->parts[cross_join->n_parts++];

      part->entry = kvsql_plan_find_relation (catalog, &source->relation, error);
      if (part->entry == NULL)
        return FALSE;
      part->first = n_attributes;
      relations[i] = (KvsqlBinderRelation){ part->entry->relation, &source->alias, n_attributes };
      part->name = kvsql_binder_relation_name (&relations[i]);
      n_attributes += part->entry->relation->n_attributes;
      if (n_attributes > KVSQL_MAX_ATTRIBUTES)
        return too_wide (source, error);
      if (!reject_same_names (relations, i + 1, source, error))
        return FALSE;
    }
  cross_join->relations = relations;
  self->cross_join = cross_join;
  self->relation = binder->relation = make_relation (relations, n, n_attributes, arena);
  binder->relations = relations;
  binder->n_relations = n;
  return TRUE;
}

/* ---- other relations */

/* The DNF reduced to the attributes from @first on. */
static KvsqlDnf
cut_dnf (const KvsqlDnf *all, guint first, KvsqlArena *arena)
{
  KvsqlDnf cut = { .n_disjuncts = all->n_disjuncts };

  cut.disjuncts = kvsql_arena_array (arena, KvsqlDisjunct, all->n_disjuncts);
  for (guint i = 0; i < all->n_disjuncts; i++)
    cut.disjuncts[i].constraints = all->disjuncts[i].constraints + first;
  return cut;
}

static KvsqlAttributeSet
cut_attributes (const KvsqlAttributeSet *all, guint first, guint n)
{
  KvsqlAttributeSet cut = { 0 };

  for (guint a = 0; a < n; a++)
    if (kvsql_attribute_set_has (all, first + a))
      kvsql_attribute_set_add (&cut, a);
  return cut;
}

static KvsqlSelectPlan *
plan_part (const KvsqlSelectPlan *whole, const KvsqlCrossJoinPart *part, const KvsqlBinder *binder)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (binder->arena, KvsqlSelectPlan);
  guint n = part->entry->relation->n_attributes;

  g_assert (part->first + n <= whole->relation->n_attributes);
  self->entry = part->entry;
  self->relation = part->entry->relation;
  self->predicate = kvsql_predicate_new_constant (binder, TRUE, KVSQL_SPAN_NONE);
  self->dnf = cut_dnf (&whole->dnf, part->first, binder->arena);
  self->dnf.statistics = kvsql_statistics_set_find (binder->statistics, self->relation);
  self->limit = KVSQL_NO_LIMIT;
  self->is_verified = whole->is_verified;
  self->needed = cut_attributes (&whole->needed, part->first, n);
  /* at least one attribute has to show that the tuple exists */
  kvsql_attribute_set_add_all (&self->needed, &self->relation->keys);
  self->items = kvsql_arena_array (binder->arena, guint, n);
  for (guint a = 0; a < n; a++)
    if (kvsql_attribute_set_has (&self->needed, a))
      self->items[self->n_items++] = a;
  return self;
}

gboolean
kvsql_cross_join_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                              const KvsqlSelect *select, const KvsqlBinder *binder,
                              const KvsqlStoreCapabilities *capabilities, GError **error)
{
  KvsqlCrossJoinPlan *cross_join = self->cross_join;

  for (guint i = 0; i < cross_join->n_parts; i++)
    {
      KvsqlSelectPlan *plan = plan_part (self, &cross_join->parts[i], binder);

      if (!kvsql_select_plan_choose (plan, catalog, &select->joined[i].using_schema, binder,
                                     capabilities, error))
        return FALSE;
      cross_join->parts[i].plan = plan;
    }
  self->needed = cut_attributes (&self->needed, 0, self->entry->relation->n_attributes);
  self->dnf.is_exact = FALSE;
  cross_join->scanned
      = kvsql_predicate_weaken (self->predicate, &self->entry->relation->all, binder->arena);
  return TRUE;
}
