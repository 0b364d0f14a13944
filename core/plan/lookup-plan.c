/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lookup-plan.c: see the header.
 */
#include "config.h"

#include "core/plan/lookup-plan.h"

#include "core/plan/index.h"
#include "core/plan/make-access-path.h"
#include "core/plan/plan-tree.h"
#include "core/plan/predicate-private.h"

/* ---- the predicate */

typedef struct
{
  const guint *attributes;
  guint n_attributes;
  KvsqlBinder binder;
} Maker;

static gint
compare_tuples (gconstpointer a, gconstpointer b, gpointer data)
{
  const Maker *self = data;
  const KvsqlValue *x = a, *y = b;

  for (guint i = 0; i < self->n_attributes; i++)
    {
      gint order = kvsql_value_compare (&x[i], &y[i]);
      if (order != 0)
        return order;
    }
  return 0;
}

/* Sorts the tuples and drops repeated ones. */
static guint
sort_tuples (Maker *self, KvsqlValue *values, guint n_tuples)
{
  gsize size = self->n_attributes * sizeof *values;
  guint n = 0;

  g_qsort_with_data (values, (gint)n_tuples, size, compare_tuples, self);
  for (guint i = 0; i < n_tuples; i++)
    {
      KvsqlValue *tuple = values + (gsize)i * self->n_attributes;
      KvsqlValue *to = values + (gsize)n * self->n_attributes;

      if (n > 0 && compare_tuples (to - self->n_attributes, tuple, self) == 0)
        continue;
      memmove (to, tuple, size);
      n++;
    }
  return n;
}

static KvsqlPredicate *
make_tuple (const Maker *self, const KvsqlValue *tuple)
{
  KvsqlPredicate *all = kvsql_predicate_new (&self->binder, KVSQL_PREDICATE_AND, KVSQL_SPAN_NONE);

  all->children = kvsql_arena_array (self->binder.arena, KvsqlPredicate *, self->n_attributes);
  for (guint i = 0; i < self->n_attributes; i++)
    all->children[all->n_children++] = kvsql_predicate_new_compare (
        &self->binder, self->attributes[i], KVSQL_OP_EQ, tuple[i], KVSQL_SPAN_NONE);
  return all;
}

static KvsqlPredicate *
make_predicate (Maker *self, KvsqlValue *values, guint n_tuples)
{
  guint n = sort_tuples (self, values, n_tuples);
  KvsqlPredicate *any;

  if (n == 0)
    return kvsql_predicate_new_constant (&self->binder, FALSE, KVSQL_SPAN_NONE);
  if (n == 1)
    return make_tuple (self, values);
  if (self->n_attributes == 1)
    {
      any = kvsql_predicate_new (&self->binder, KVSQL_PREDICATE_IN, KVSQL_SPAN_NONE);
      any->attribute = self->attributes[0];
      any->values = values;
      any->n_values = n;
      return any;
    }
  any = kvsql_predicate_new (&self->binder, KVSQL_PREDICATE_OR, KVSQL_SPAN_NONE);
  any->children = kvsql_arena_array (self->binder.arena, KvsqlPredicate *, n);
  for (guint i = 0; i < n; i++)
    any->children[any->n_children++] = make_tuple (self, values + (gsize)i * self->n_attributes);
  return any;
}

/* ---- the plan */

static void
make_path (const KvsqlSelectPlan *plan, const KvsqlSchema *schema,
           const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena, KvsqlAccessPath *out)
{
  kvsql_access_path_make (schema, &plan->dnf, &plan->needed, capabilities, arena, out);
  if (!out->is_usable)
    kvsql_access_path_make_index (schema, plan->entry->schemas[0], &plan->dnf, plan->predicate,
                                  &plan->needed, capabilities, arena, out);
  if (out->is_usable && plan->is_verified)
    kvsql_access_path_verify (out, capabilities);
}

/* The DNF keeps of a product that is too large only the side with fewer disjuncts, which may bound
 * no key. There the values alone give the ranges. */
static void
make_dnf (const KvsqlSelectPlan *base, const Maker *maker, const KvsqlPredicate *found,
          const KvsqlPredicate *whole, KvsqlDnf *out)
{
  guint n_found = found->kind == KVSQL_PREDICATE_OR ? found->n_children : 1;
  gboolean is_small = n_found * base->dnf.n_disjuncts <= KVSQL_MAX_DISJUNCTS;

  kvsql_dnf_from_predicate (is_small ? whole : found, base->relation->n_attributes,
                            maker->binder.arena, out);
  out->is_exact = out->is_exact && is_small;
  out->statistics = base->dnf.statistics;
}

/* @base with the values in its predicate, and without a path. */
static KvsqlSelectPlan *
add_values (const KvsqlSelectPlan *base, Maker *maker, KvsqlValue *values, guint n_tuples)
{
  KvsqlArena *arena = maker->binder.arena;
  KvsqlSelectPlan *self = kvsql_arena_copy (arena, base, sizeof *base);
  KvsqlPredicate *found = make_predicate (maker, values, n_tuples);
  gboolean is_open = base->predicate->kind == KVSQL_PREDICATE_CONSTANT && base->predicate->truth;

  self->predicate
      = is_open ? found
                : kvsql_predicate_new_pair (&maker->binder, KVSQL_PREDICATE_AND, found,
                                            (KvsqlPredicate *)base->predicate, KVSQL_SPAN_NONE);
  make_dnf (base, maker, found, self->predicate, &self->dnf);
  self->best = NULL;
  return self;
}

/* Some value of the attribute, for an estimate. */
static KvsqlValue
some_value (const KvsqlRelation *relation, guint attribute)
{
  KvsqlValue value = { .type = relation->attributes[attribute].type };

  if (kvsql_type_get_class (value.type) == KVSQL_CLASS_SLICE)
    value.bytes = kvsql_slice_from_text ("1");
  else if (kvsql_type_get_class (value.type) == KVSQL_CLASS_INTEGER)
    value.integer = 1;
  return value;
}

/* What the predicate says of other attributes: it may refuse the value of an estimate. */
static const KvsqlPredicate *
predicate_of_others (const KvsqlSelectPlan *part, const Maker *maker)
{
  KvsqlAttributeSet others = { 0 };
  const KvsqlPredicate *predicate;

  for (guint a = 0; a < part->relation->n_attributes; a++)
    kvsql_attribute_set_add (&others, a);
  for (guint i = 0; i < maker->n_attributes; i++)
    kvsql_attribute_set_remove (&others, maker->attributes[i]);
  predicate = kvsql_predicate_weaken (part->predicate, &others, maker->binder.arena);
  return predicate != NULL ? predicate
                           : kvsql_predicate_new_constant (&maker->binder, TRUE, KVSQL_SPAN_NONE);
}

/* Whether ranges of the path depend on one of the attributes. */
static gboolean
is_bounded_by (const KvsqlAccessPath *path, const guint *attributes, guint n_attributes)
{
  for (guint i = 0; i < n_attributes; i++)
    if (kvsql_attribute_set_has (&path->bounded, attributes[i]))
      return !path->is_full_scan;
  return FALSE;
}

KvsqlSelectPlan *
kvsql_lookup_plan_new (const KvsqlSelectPlan *part, const guint *attributes, guint n_attributes,
                       const KvsqlSchema *using_schema, const KvsqlStoreCapabilities *capabilities,
                       KvsqlArena *arena)
{
  Maker maker = { attributes, n_attributes, { .relation = part->relation, .arena = arena } };
  KvsqlValue *values = kvsql_arena_array (arena, KvsqlValue, n_attributes);
  KvsqlAccessPath *paths = kvsql_arena_array (arena, KvsqlAccessPath, part->entry->n_schemas);
  KvsqlSelectPlan base = *part, *self;
  guint n = 0;

  for (guint i = 0; i < n_attributes; i++)
    values[i] = some_value (part->relation, attributes[i]);
  base.predicate = predicate_of_others (part, &maker);
  self = add_values (&base, &maker, values, 1);
  for (guint i = 0; i < part->entry->n_schemas; i++)
    {
      const KvsqlSchema *schema = part->entry->schemas[i];

      if (using_schema != NULL ? schema != using_schema : !kvsql_schema_is_readable (schema))
        continue;
      make_path (self, schema, capabilities, arena, &paths[n]);
      if (paths[n].is_usable && is_bounded_by (&paths[n], attributes, n_attributes)
          && (self->best == NULL || kvsql_access_path_compare (&paths[n], self->best) < 0))
        self->best = &paths[n];
      n++;
    }
  if (self->best == NULL)
    return NULL;
  self->paths = paths;
  self->n_paths = n;
  self->predicate = part->predicate;
  self->dnf = part->dnf;
  self->root = kvsql_plan_tree_new (self, arena);
  return self;
}

KvsqlSelectPlan *
kvsql_lookup_plan_fill (const KvsqlSelectPlan *lookup, const guint *attributes, guint n_attributes,
                        KvsqlValue *values, guint n_tuples,
                        const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  Maker maker = { attributes, n_attributes, { .relation = lookup->relation, .arena = arena } };
  KvsqlSelectPlan *self = add_values (lookup, &maker, values, n_tuples);
  KvsqlAccessPath *path = kvsql_arena_new0 (arena, KvsqlAccessPath);

  make_path (self, lookup->best->schema, capabilities, arena, path);
  g_assert (path->is_usable); /* it does not depend on values */
  self->best = path;
  self->root = kvsql_plan_tree_new (self, arena);
  return self;
}

/* ---- narrower ranges */

static KvsqlPredicate *
make_range (const Maker *maker, const KvsqlValue *bounds)
{
  KvsqlPredicate *low = kvsql_predicate_new_compare (&maker->binder, maker->attributes[0],
                                                     KVSQL_OP_GE, bounds[0], KVSQL_SPAN_NONE),
                 *high = kvsql_predicate_new_compare (&maker->binder, maker->attributes[0],
                                                      KVSQL_OP_LE, bounds[1], KVSQL_SPAN_NONE);

  return kvsql_predicate_new_pair (&maker->binder, KVSQL_PREDICATE_AND, low, high, KVSQL_SPAN_NONE);
}

/* What is checked on the tuples of the relation alone. */
static const KvsqlPredicate *
own_predicate (const KvsqlSelectPlan *plan, const Maker *maker)
{
  const KvsqlPredicate *own
      = plan->join == NULL ? plan->predicate : kvsql_join_plan_get_scanned (plan->join);

  return own != NULL ? own : kvsql_predicate_new_constant (&maker->binder, TRUE, KVSQL_SPAN_NONE);
}

/* @plan with a path of the same schema for @found, too. */
static KvsqlSelectPlan *
narrow (const KvsqlSelectPlan *plan, const Maker *maker, KvsqlPredicate *found,
        const KvsqlStoreCapabilities *capabilities)
{
  KvsqlArena *arena = maker->binder.arena;
  KvsqlSelectPlan *self = kvsql_arena_copy (arena, plan, sizeof *plan);
  KvsqlAccessPath *path = kvsql_arena_new0 (arena, KvsqlAccessPath);
  KvsqlSelectPlan base = *plan;

  base.relation = plan->entry->relation; /* of a join, that of the scan */
  self->predicate = kvsql_predicate_and (found, own_predicate (plan, maker), arena);
  make_dnf (&base, maker, found, self->predicate, &self->dnf);
  if (plan->join != NULL)
    self->dnf.is_exact = FALSE;
  make_path (self, plan->best->schema, capabilities, arena, path);
  g_assert (path->is_usable); /* it does not depend on values */
  path->gives_order = plan->best->gives_order;
  path->is_for_merge = plan->best->is_for_merge;
  self->best = path;
  return self;
}

gboolean
kvsql_lookup_plan_can_narrow (const KvsqlSelectPlan *plan, guint attribute,
                              const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  const KvsqlRelation *relation = plan->entry->relation;
  Maker maker = { &attribute, 1, { .relation = relation, .arena = arena } };
  KvsqlValue value = some_value (relation, attribute);
  KvsqlSelectPlan base = *plan;
  const KvsqlAccessPath *path = plan->best;

  if (path->has_open_table || path->n_tables != 1 || path->is_reversed || path->skip != NULL)
    return FALSE;
  /* its own predicate may refuse the value */
  base.join = NULL;
  base.predicate = kvsql_predicate_new_constant (&maker.binder, TRUE, KVSQL_SPAN_NONE);
  base.dnf.n_disjuncts = 1;
  path = narrow (&base, &maker, make_predicate (&maker, &value, 1), capabilities)->best;
  return is_bounded_by (path, &attribute, 1);
}

KvsqlSelectPlan *
kvsql_lookup_plan_narrow (const KvsqlSelectPlan *plan, guint attribute, KvsqlValue *values, guint n,
                          gboolean is_range, const KvsqlStoreCapabilities *capabilities,
                          KvsqlArena *arena)
{
  Maker maker = { &attribute, 1, { .relation = plan->entry->relation, .arena = arena } };
  KvsqlPredicate *found
      = is_range ? make_range (&maker, values) : make_predicate (&maker, values, n);
  KvsqlSelectPlan *self = narrow (plan, &maker, found, capabilities);

  if (self->best->n_tables > 1 || self->best->has_open_table
      || self->best->cost >= plan->best->cost)
    return NULL;
  if (plan->join == NULL)
    self->root = kvsql_plan_tree_new (self, arena);
  return self;
}
