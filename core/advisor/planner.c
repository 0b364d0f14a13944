/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * planner.c: see planner.h.
 *
 * The first candidate, with the KEY as its row, is the primary of the catalog. A lookup costs the
 * same in any other one that it is possible in, so one catalog is enough.
 */
#include "config.h"

#include "core/advisor/planner.h"

#include "core/advisor/plan-values.h"
#include "core/advisor/schema-text.h"
#include "core/base/interrupt.h"
#include "core/plan/select-planner.h"
#include "core/plan/write-plan.h"
#include "core/sql/parser.h"

#include <math.h>
#include <stdlib.h>

/* Those of the RocksDB store, with the costs of the workload. */
static KvsqlStoreCapabilities
get_capabilities (const KvsqlWorkload *workload)
{
  return (KvsqlStoreCapabilities){ .flags = KVSQL_STORE_REVERSE_SCAN | KVSQL_STORE_ATOMIC_BATCH
                                            | KVSQL_STORE_IMPLICIT_TABLES | KVSQL_STORE_ONE_VERSION,
                                   .filters = KVSQL_FILTER_VALUES,
                                   .max_row_bytes = 65535,
                                   .max_value_bytes = 1 << 30,
                                   .costs = workload->costs };
}

/* (transfer full) */
static GHashTable *
make_statistics (const KvsqlScope *scope)
{
  GHashTable *set = kvsql_statistics_set_new ();

  for (guint i = 0; i < scope->n_members; i++)
    {
      KvsqlStatistics *statistics = kvsql_scope_get_relation (scope, i)->statistics;

      if (statistics != NULL)
        kvsql_statistics_set_insert (set, kvsql_statistics_ref (statistics));
    }
  return set;
}

/* The plan of what the statement reads. It lives in @arena. @known: (nullable): types for
 * parameters of which no attribute says anything; @places: (out): those that their places have */
static const KvsqlSelectPlan *
plan_once (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
           const KvsqlCatalog *catalog, KvsqlArena *arena, KvsqlPlanValues *values,
           const KvsqlType *known, KvsqlType **places, GError **error)
{
  const KvsqlSelectPlan *plan = NULL;
  const KvsqlWritePlan *write = NULL;
  const KvsqlStoreCapabilities capabilities = get_capabilities (workload);
  KvsqlScope scope;
  KvsqlBinder binder = { .arena = arena, .now = 1 };
  KvsqlAstStatement *ast
      = kvsql_parser_parse (kvsql_slice_from_text (statement->text), arena, error);

  if (ast == NULL || !kvsql_scope_make (workload, ast, arena, &scope, error))
    return NULL;
  *values = (KvsqlPlanValues){ .arena = arena };
  kvsql_plan_values_set (values, ast, &scope);
  if (known != NULL)
    (void)kvsql_plan_values_set_others (values, known);
  *places = kvsql_arena_array (arena, KvsqlType, values->n);
  for (guint i = 0; i < values->n; i++)
    (*places)[i] = KVSQL_TYPE_NULL;
  binder.place_types = *places;
  binder.parameters = values->items;
  binder.n_parameters = values->n;
  binder.statistics = make_statistics (&scope);
  if (ast->kind == KVSQL_STATEMENT_SELECT)
    plan = kvsql_select_plan_make (catalog, &ast->select, &binder, &capabilities, error);
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    write = kvsql_update_plan_make (catalog, &ast->update, &binder, &capabilities, error);
  else
    write = kvsql_remove_plan_make (catalog, &ast->delete_, &binder, &capabilities, error);
  g_clear_pointer (&binder.statistics, g_hash_table_unref);
  return write != NULL ? write->find : plan;
}

static gboolean
has_all (const KvsqlPlanValues *values)
{
  for (guint i = 0; i < values->n; i++)
    if (kvsql_value_is_null (&values->items[i]))
      return FALSE;
  return TRUE;
}

/* If parameters have no value, the planner says first which types their places have. For those that
 * it does not know, as of a % ?, a number is tried, and a text. */
static const KvsqlSelectPlan *
make_plan (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
           const KvsqlCatalog *catalog, KvsqlArena *arena, GError **error)
{
  static const KvsqlType guesses[] = { KVSQL_TYPE_NULL, KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING };
  KvsqlType *known = NULL, *places = NULL;
  KvsqlPlanValues first, values;
  const KvsqlSelectPlan *plan
      = plan_once (workload, statement, catalog, arena, &first, NULL, &places, error);

  for (guint g = 0; plan != NULL && g < G_N_ELEMENTS (guesses); g++)
    {
      const KvsqlSelectPlan *better;
      KvsqlType *types = kvsql_arena_array (arena, KvsqlType, first.n);

      values = first;
      values.items = kvsql_arena_copy (arena, first.items, first.n * sizeof *first.items);
      for (guint i = 0; i < first.n; i++)
        {
          types[i] = known != NULL && known[i] != KVSQL_TYPE_NULL ? known[i] : places[i];
          types[i] = types[i] != KVSQL_TYPE_NULL ? types[i] : guesses[g];
        }
      if (!kvsql_plan_values_set_others (&values, types))
        continue;
      better = plan_once (workload, statement, catalog, arena, &values, types, &places, NULL);
      if (better != NULL && has_all (&values))
        return better;
      known = better != NULL ? types : known;
      plan = better != NULL ? better : plan;
    }
  return plan;
}

/* ---- a catalog of candidates */

static KvsqlCatalog *
new_catalog (const KvsqlRelation *relation)
{
  KvsqlCatalog *catalog = kvsql_catalog_new (1);

  kvsql_catalog_add_definition (catalog, NULL, relation->text);
  return catalog;
}

/* FALSE: its layout cannot be defined. */
static gboolean
add_design (KvsqlCatalog *catalog, const KvsqlDesign *design, KvsqlRelation *relation, guint number)
{
  g_autofree gchar *name = g_strdup_printf ("d%u", number);
  g_autofree gchar *text = kvsql_design_to_text (design, relation, name, number == 0);
  guint n_errors = catalog->load_errors->len;

  kvsql_catalog_add_definition (catalog, NULL, text);
  return catalog->load_errors->len == n_errors;
}

/* The first candidate stays in any case. Leaves out candidates that cannot be defined, and those
 * for which there was no time. */
static KvsqlCatalog *
make_catalog (KvsqlRelation *relation, KvsqlDesigns *designs)
{
  KvsqlCatalog *catalog = new_catalog (relation);
  guint n = 0;

  for (guint i = 0; i < designs->n && (n == 0 || kvsql_interrupt_tick ()); i++)
    if (add_design (catalog, &designs->items[i], relation, n) || i == 0)
      {
        designs->items[n] = designs->items[i];
        designs->items[n].number = n;
        n++;
      }
  designs->n = n;
  return catalog;
}

/* ---- costs */

/* A part of a join that is looked up shares its requests with other lookups, as in
 * kvsql_join_cost_lookup (). */
static gdouble
get_path_cost (const KvsqlStoreCosts *costs, const KvsqlAccessPath *path, gdouble repeats)
{
  gdouble requests = path->requests * kvsql_store_costs_get_range (costs);

  if (!(repeats > 1))
    return path->cost;
  return MAX (path->cost - requests, 0) + costs->get
         + requests / MIN (repeats, KVSQL_NAMED_ROWS_PER_GET);
}

static void
take_costs (const KvsqlStoreCosts *costs, const KvsqlSelectPlan *plan, gdouble repeats,
            KvsqlPlannedCosts *out)
{
  for (guint i = 0; i < plan->n_paths; i++)
    {
      const KvsqlAccessPath *path = &plan->paths[i];
      guint number = (guint)strtoul (path->schema->name + 1, NULL, 10);

      if (!path->is_usable)
        continue;
      *(path->lookup_schema != NULL ? &out->looked_up[number] : &out->alone[number])
          = get_path_cost (costs, path, repeats);
      out->changed = MIN (out->changed, MAX (path->rows, 1));
    }
}

/* The position of the error in the file. */
static gboolean
fail_at (const KvsqlWorkloadStatement *statement, GError **error)
{
  KvsqlSpan span = error != NULL ? kvsql_error_get_span (*error) : KVSQL_SPAN_NONE;

  span.offset = span.offset >= 0 ? span.offset + statement->span.offset : statement->span.offset;
  return kvsql_error_move (error, span);
}

/* Without the time for all, the primary alone. */
static gboolean
cost_statement (KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
                const KvsqlCatalog *catalog, guint n, KvsqlPlannedCosts *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) problem = NULL;
  const KvsqlSelectPlan *plan;

  out->alone = kvsql_arena_array (workload->arena, gdouble, n);
  out->looked_up = kvsql_arena_array (workload->arena, gdouble, n);
  out->changed = INFINITY;
  for (guint i = 0; i < n; i++)
    out->alone[i] = out->looked_up[i] = INFINITY;
  plan = make_plan (workload, statement, catalog, arena, &problem);
  if (plan != NULL)
    take_costs (&workload->costs, plan, statement->repeats, out);
  if (plan != NULL || !kvsql_interrupt_check (NULL))
    return plan != NULL;
  g_propagate_error (error, g_steal_pointer (&problem));
  return fail_at (statement, error);
}

/* Not interrupted, and with the first candidate alone. */
static gboolean
cost_primary (KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
              KvsqlDesigns *designs, KvsqlPlannedCosts *out, GError **error)
{
  KvsqlRelation *relation = workload->relations[statement->relation].relation;
  g_autoptr (KvsqlCatalog) catalog = NULL;
  KvsqlInterrupt interrupt;
  gboolean ok;

  kvsql_interrupt_enter (&interrupt, NULL, NULL);
  catalog = new_catalog (relation);
  ok = add_design (catalog, &designs->items[0], relation, 0)
       && cost_statement (workload, statement, catalog, designs->n, out, error);
  kvsql_interrupt_leave (&interrupt);
  return ok;
}

gboolean
kvsql_planner_cost (KvsqlWorkload *workload, guint relation, KvsqlDesigns *designs, GError **error)
{
  KvsqlWorkloadRelation *of = &workload->relations[relation];
  g_autoptr (KvsqlCatalog) catalog = make_catalog (of->relation, designs);
  gboolean is_late = FALSE;

  if (of->statistics == NULL)
    {
      of->statistics = kvsql_plan_statistics_new (of);
      of->free_statistics = (GDestroyNotify)kvsql_statistics_unref;
    }
  for (guint i = 0; i < workload->n_statements; i++)
    {
      const KvsqlWorkloadStatement *statement = &workload->statements[i];
      KvsqlPlannedCosts *out = &workload->planned[i];

      if (statement->relation != relation || statement->first != i
          || statement->shape.kind == KVSQL_STATEMENT_INSERT)
        continue;
      if (cost_statement (workload, statement, catalog, designs->n, out, error))
        continue;
      if ((error != NULL && *error != NULL)
          || !cost_primary (workload, statement, designs, out, error))
        return FALSE;
      is_late = TRUE;
    }
  if (is_late)
    designs->n = 1; /* the others can do nothing for some statements */
  return TRUE;
}

/* ---- a plan */

static const gchar *
get_method (const KvsqlJoinNode *node)
{
  return node->looked_up != NULL  ? "look up"
         : node->n_merge_keys > 0 ? "merge with"
         : node->n_keys > 0       ? "hash join with"
                                  : "compare with all of";
}

static void
add_read (const KvsqlAccessPath *path, const KvsqlJoinNode *join, KvsqlPlanned *out)
{
  out->reads[out->n_reads++] = (KvsqlPlannedRead){
    .joined = join != NULL ? get_method (join) : NULL,
    .is_looked_up = join != NULL && join->looked_up != NULL,
    .schema = path->schema->name,
    .lookup = path->lookup_schema != NULL ? path->lookup_schema->name : NULL,
    .rows = path->rows,
    .is_full_scan = path->is_full_scan,
    .skips = path->skip != NULL,
  };
}

/* @join: (nullable): whose build side the node is */
static void
add_node (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, const KvsqlJoinNode *join,
          KvsqlPlanned *out)
{
  if (node->probe == NULL)
    {
      add_read (node->leaf == 0 ? plan->best : plan->join->parts[node->leaf - 1].plan->best, join,
                out);
      return;
    }
  add_node (plan, node->probe, join, out);
  add_node (plan, node->build, node, out);
}

gboolean
kvsql_planner_plan (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
                    const KvsqlCatalog *catalog, KvsqlPlanned *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSelectPlan *plan = make_plan (workload, statement, catalog, arena, error);

  if (plan == NULL)
    return fail_at (statement, error);
  *out = (KvsqlPlanned){ .sorts = kvsql_select_plan_sorts (plan) };
  if (plan->join != NULL)
    add_node (plan, plan->join->root, NULL, out);
  else
    add_read (plan->best, NULL, out);
  out->cost = plan->join != NULL ? plan->join->root->cost : plan->best->cost;
  return TRUE;
}
