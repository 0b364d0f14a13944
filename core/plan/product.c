/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * product.c: names, ranges and schemas of a FROM with several relations.
 *
 * A box over the attributes of all relations, cut down to those of one, is a box of that relation
 * in which each of its tuples lies that can be part of an answer. So the ranges of each relation
 * come from the same boxes.
 */
#include "config.h"

#include "core/plan/bind-private.h"
#include "core/plan/index.h"
#include "core/plan/product.h"

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
refuse_same_names (const KvsqlBinderRelation *relations, guint n, const KvsqlSource *last,
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

/* The attributes of all, under qualified names. */
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
kvsql_product_bind (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
                    KvsqlBinder *binder, GError **error)
{
  KvsqlArena *arena = binder->arena;
  KvsqlProduct *product = kvsql_arena_new0 (arena, KvsqlProduct);
  guint n = select->n_joined + 1, n_attributes = self->entry->relation->n_attributes;
  KvsqlBinderRelation *relations = kvsql_arena_array (arena, KvsqlBinderRelation, n);

  relations[0] = (KvsqlBinderRelation){ self->entry->relation, &select->from.alias, 0 };
  product->parts = kvsql_arena_array (arena, KvsqlProductPart, n);
  for (guint i = 1; i < n; i++)
    {
      const KvsqlSource *source = &select->joined[i - 1];
      KvsqlProductPart *part = &product->parts[product->n_parts++];

      part->entry = kvsql_plan_find_relation (catalog, &source->relation, error);
      if (part->entry == NULL)
        return FALSE;
      part->first = n_attributes;
      relations[i] = (KvsqlBinderRelation){ part->entry->relation, &source->alias, n_attributes };
      part->name = kvsql_binder_relation_name (&relations[i]);
      n_attributes += part->entry->relation->n_attributes;
      if (n_attributes > KVSQL_MAX_ATTRIBUTES)
        return too_wide (source, error);
      if (!refuse_same_names (relations, i + 1, source, error))
        return FALSE;
    }
  product->relations = relations;
  self->product = product;
  self->relation = binder->relation = make_relation (relations, n, n_attributes, arena);
  binder->relations = relations;
  binder->n_relations = n;
  return TRUE;
}

const KvsqlRelation *
kvsql_product_get_relation (const KvsqlSelectPlan *self, guint column)
{
  for (guint i = self->product->n_parts; i > 0; i--)
    if (column >= self->product->parts[i - 1].first)
      return self->product->parts[i - 1].entry->relation;
  return self->entry->relation;
}

/* ---- one of the others */

/* What is left of the boxes for the attributes from @first on. */
static KvsqlBoxes
cut_boxes (const KvsqlBoxes *all, guint first, KvsqlArena *arena)
{
  KvsqlBoxes cut = { .n_boxes = all->n_boxes };

  cut.boxes = kvsql_arena_array (arena, KvsqlBox, all->n_boxes);
  for (guint i = 0; i < all->n_boxes; i++)
    cut.boxes[i].constraints = all->boxes[i].constraints + first;
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
plan_part (const KvsqlSelectPlan *whole, const KvsqlProductPart *part, const KvsqlBinder *binder)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (binder->arena, KvsqlSelectPlan);
  guint n = part->entry->relation->n_attributes;

  self->entry = part->entry;
  self->relation = part->entry->relation;
  self->predicate = kvsql_predicate_new_constant (binder, TRUE, KVSQL_SPAN_NONE);
  self->boxes = cut_boxes (&whole->boxes, part->first, binder->arena);
  self->boxes.statistics = kvsql_statistics_set_find (binder->statistics, self->relation);
  self->limit = KVSQL_NO_LIMIT;
  self->needed = cut_attributes (&whole->needed, part->first, n);
  /* something must show that a tuple is there */
  kvsql_attribute_set_add_all (&self->needed, &self->relation->keys);
  self->items = kvsql_arena_array (binder->arena, guint, n);
  for (guint a = 0; a < n; a++)
    if (kvsql_attribute_set_has (&self->needed, a))
      self->items[self->n_items++] = a;
  return self;
}

gboolean
kvsql_product_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
                      const KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities,
                      GError **error)
{
  KvsqlProduct *product = self->product;

  for (guint i = 0; i < product->n_parts; i++)
    {
      KvsqlSelectPlan *plan = plan_part (self, &product->parts[i], binder);

      if (!kvsql_select_plan_choose (plan, catalog, &select->joined[i].using_schema, binder,
                                     capabilities, error))
        return FALSE;
      product->parts[i].plan = plan;
    }
  self->needed = cut_attributes (&self->needed, 0, self->entry->relation->n_attributes);
  self->boxes.is_exact = FALSE;
  product->scanned
      = kvsql_predicate_weaken (self->predicate, &self->entry->relation->all, binder->arena);
  return TRUE;
}
