/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * path-choice.c: makes the access paths of all schemas, and compares their costs.
 */
#include "config.h"

#include "core/plan/path-choice.h"

#include "core/base/interrupt.h"
#include "core/plan/index.h"
#include "core/plan/make-access-path.h"
#include "core/plan/make-skip-plan.h"
#include "core/plan/plan-tree.h"

/* The number of tuples that the statement needs. */
static guint64
rows_needed (const KvsqlSelectPlan *self)
{
  if (self->join != NULL || self->groups != NULL || self->windows != NULL || self->is_distinct
      || self->n_distinct_on > 0 || (self->n_sort > 0 && !self->sorts_tuples))
    return KVSQL_NO_LIMIT;
  return self->limit < KVSQL_NO_LIMIT - self->offset ? self->limit + self->offset : KVSQL_NO_LIMIT;
}

/* The order that the scan may return: that of the first window, or that of ORDER BY. */
static const KvsqlSortKey *
get_order (const KvsqlSelectPlan *self, guint *out_n)
{
  const KvsqlWindow *first = self->windows == NULL ? NULL : &self->windows->windows[0];

  if (first != NULL)
    *out_n = self->windows->sorts_tuples && self->join == NULL ? first->n_sort : 0;
  else
    *out_n = self->sorts_tuples ? self->n_sort : 0;
  return first != NULL ? first->sort : self->sort;
}

/* What is known of the tuples that are needed. */
static const KvsqlPredicate *
get_predicate (const KvsqlSelectPlan *self)
{
  static const KvsqlPredicate truth = { .kind = KVSQL_PREDICATE_CONSTANT, .truth = TRUE };

  if (self->join == NULL)
    return self->predicate;
  return self->join->scanned != NULL ? kvsql_join_plan_get_scanned (self->join) : &truth;
}

/* Compares the ways to read a schema: in the order of ORDER BY or with a sort, with all ranges or
 * with a skip scan. */
static void
choose_way (const KvsqlSelectPlan *self, KvsqlAccessPath *path, const KvsqlBinder *binder,
            const KvsqlStoreCapabilities *capabilities)
{
  guint n_sort;
  const KvsqlSortKey *sort = get_order (self, &n_sort);
  KvsqlAccessPath skipping;
  gboolean can_skip
      = kvsql_access_path_make_skip (path, &self->dnf, capabilities, binder->arena, &skipping);

  kvsql_access_path_apply_order (path, &self->dnf, sort, n_sort, rows_needed (self), capabilities,
                                 binder->arena);
  if (!can_skip)
    return;
  kvsql_access_path_apply_order (&skipping, &self->dnf, sort, n_sort, rows_needed (self),
                                 capabilities, binder->arena);
  if (skipping.skip->is_known && kvsql_access_path_compare (&skipping, path) < 0)
    {
      skipping.other_cost = path->cost;
      *path = skipping;
      return;
    }
  path->other_skip = skipping.skip;
  path->other_cost = skipping.cost;
}

/* What the scan relies on. */
static void
assert_path (const KvsqlAccessPath *path, const KvsqlRelation *relation)
{
  g_assert (path->is_usable && path->schema->relation == relation);
  g_assert (path->lookup_schema == NULL
            || (path->lookup_schema->is_primary && path->lookup_schema->relation == relation));
  g_assert (!path->has_open_table || path->n_tables <= 1); /* the ranges of all listed tables */
  g_assert (!path->is_exact || path->index_predicate == NULL);
  g_assert (!path->is_reversed || path->gives_order);
  g_assert (path->n_cells > 0 && path->n_cells <= path->schema->n_cells);
  for (guint t = 0; t < path->n_tables; t++)
    kvsql_row_ranges_assert (path->tables[t].ranges, path->tables[t].n_ranges);
  if (path->skip == NULL)
    return;
  g_assert (!path->is_exact && path->filter == NULL);
  g_assert (path->skip->n_prefix > 0 && path->skip->n_prefix < path->skip->row->n_elements);
  g_assert (path->skip->n_suffixes > 0);
  kvsql_row_ranges_assert (path->skip->suffixes, path->skip->n_suffixes);
}

gboolean
kvsql_select_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                          const KvsqlName *using_schema, const KvsqlBinder *binder,
                          const KvsqlStoreCapabilities *capabilities, GError **error)
{
  const KvsqlSchema *forced = NULL;

  if (using_schema != NULL && using_schema->text != NULL)
    {
      forced = kvsql_catalog_find_schema (catalog, using_schema, error);
      if (forced == NULL)
        return FALSE;
      if (forced->relation != self->entry->relation)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, using_schema->span,
                                "schema \"%s\" is not of relation \"%s\"", forced->name,
                                self->entry->relation->name);
      if (!kvsql_schema_is_filled (forced))
        {
          kvsql_error_set (error, KVSQL_ERROR_INVALID, using_schema->span,
                           "schema \"%s\" cannot be read yet: it may lack tuples", forced->name);
          return kvsql_error_hint (error, "Fill it with BACKFILL SCHEMA %s.", forced->name);
        }
    }
  self->n_paths = self->entry->n_schemas;
  self->paths = kvsql_arena_array (binder->arena, KvsqlAccessPath, self->n_paths);
  for (guint i = 0; i < self->n_paths; i++)
    {
      KvsqlAccessPath *path = &self->paths[i];
      kvsql_access_path_make (self->entry->schemas[i], &self->dnf, &self->needed, capabilities,
                              binder->arena, path);
      if (!path->is_usable)
        kvsql_access_path_make_index (self->entry->schemas[i], self->entry->schemas[0], &self->dnf,
                                      get_predicate (self), &self->needed, capabilities,
                                      binder->arena, path);
      if (path->is_usable && self->is_verified)
        kvsql_access_path_verify (path, capabilities);
      if (path->is_usable)
        choose_way (self, path, binder, capabilities);
      if (!path->is_usable || (forced != NULL && path->schema != forced)
          || (forced == NULL && !kvsql_schema_is_readable (path->schema)))
        continue;
      if (self->best == NULL || kvsql_access_path_compare (path, self->best) < 0)
        self->best = path;
    }
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (self->best != NULL)
    {
      assert_path (self->best, self->entry->relation); /* not interrupted: all ranges are sorted */
      self->root = kvsql_plan_tree_new (self, binder->arena);
      return TRUE;
    }
  for (guint i = 0; forced != NULL && i < self->n_paths; i++)
    if (self->paths[i].schema == forced)
      return kvsql_error_set (
          error, KVSQL_ERROR_INVALID, using_schema->span,
          "schema \"%s\" does not hold attribute \"%s\"", forced->name,
          self->entry->relation->attributes[self->paths[i].missing_attribute].name);
  return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                          "no schema holds what the statement needs");
}

gboolean
kvsql_select_plan_use_schema (KvsqlSelectPlan *self, KvsqlSlice schema, KvsqlArena *arena)
{
  if (self->entry == NULL)
    return schema.size == 0;
  for (guint i = 0; i < self->n_paths; i++)
    if (self->paths[i].is_usable
        && kvsql_slice_equal (schema, kvsql_slice_from_text (self->paths[i].schema->name)))
      {
        self->best = &self->paths[i];
        assert_path (self->best, self->entry->relation);
        self->root = kvsql_plan_tree_new (self, arena);
        return TRUE;
      }
  return FALSE;
}
