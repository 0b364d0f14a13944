/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * operator-tree.c: makes one operator of each node of the plan, its input first.
 */
#include "config.h"

#include "core/exec/operator-tree.h"

#include "core/exec/aggregate.h"
#include "core/exec/append.h"
#include "core/exec/join.h"
#include "core/exec/distinct.h"
#include "core/exec/filter.h"
#include "core/exec/first-of-each.h"
#include "core/exec/gather.h"
#include "core/exec/index-lookup.h"
#include "core/exec/keys-once.h"
#include "core/exec/limit.h"
#include "core/exec/match.h"
#include "core/exec/lookup-source.h"
#include "core/exec/one-row.h"
#include "core/exec/operand.h"
#include "core/exec/project.h"
#include "core/exec/sort.h"
#include "core/exec/table-source.h"
#include "core/exec/function-source.h"
#include "core/exec/lateral-join.h"
#include "core/exec/values.h"
#include "core/exec/verify.h"
#include "core/exec/window.h"
#include "core/plan/plan-tree.h"

/* The operators of an operand of a set operation, from its first row on. */
struct _KvsqlOperandTree
{
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
  KvsqlSelectLimits limits;
  KvsqlOperatorTree tree;  /* root NULL: not opened yet */
  guint64 n_taken;         /* undecodable cells */
  guint64 *n_joined_taken; /* of the other relations */
};

/* What operators are made from. */
typedef struct
{
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
  const KvsqlSelectLimits *limits;     /* NULL in a part of a scan */
  const KvsqlSelectPosition *position; /* nullable */
  KvsqlTableSourceSetup table;
  KvsqlOperatorTree *tree;
  gboolean has_gather;   /* the input may give groups in place of rows */
  gboolean counts_given; /* the rows of each operator are counted */
} Builder;

static KvsqlRowSource *build (Builder *self, const KvsqlPlanNode *node);
static void init_tree (KvsqlOperatorTree *self, const KvsqlSelectPlan *plan, KvsqlStore *store,
                       const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position,
                       gboolean counts_given);

static KvsqlType *
types_of (KvsqlExpr *const *exprs, guint n)
{
  KvsqlType *types = g_new (KvsqlType, n + 1);

  for (guint i = 0; i < n; i++)
    types[i] = exprs[i]->type;
  return types;
}

static KvsqlSortLimits
sort_limits (const Builder *self)
{
  return (KvsqlSortLimits){ .memory_bytes = self->limits->sort_bytes,
                            .directory = self->limits->sort_directory,
                            .disk_bytes = self->limits->sort_disk_bytes };
}

/* ---- without a table */

static KvsqlRowSource *
build_one_row (Builder *self, KvsqlRowSource *input)
{
  return kvsql_one_row_new ();
}

static KvsqlRowSource *
build_values (Builder *self, KvsqlRowSource *input)
{
  return kvsql_values_new (self->plan);
}

static KvsqlRowSource *
build_function (Builder *self, KvsqlRowSource *input)
{
  return kvsql_function_source_new (self->plan->function);
}

/* ---- set operations */

static KvsqlRowSource *
open_operand (gpointer data, guint number)
{
  KvsqlOperandTree *self = &((KvsqlOperandTree *)data)[number];

  init_tree (&self->tree, self->plan, self->store, &self->limits, NULL, FALSE);
  self->n_joined_taken = g_new0 (guint64, self->tree.n_others);
  return self->tree.root;
}

/* Frees the operators below the roots, which keep the counts. */
static void
drop_inputs (KvsqlOperatorTree *self)
{
  if (self->root == NULL || self->root->input == NULL)
    return;
  self->table = NULL;
  kvsql_row_source_drop_input (self->root);
  for (guint i = 0; i < self->n_others; i++)
    drop_inputs (&self->others[i]);
  for (guint i = 0; i < self->n_operands; i++)
    drop_inputs (&self->operands[i].tree);
}

static void
close_operand (gpointer data, guint number)
{
  drop_inputs (&((KvsqlOperandTree *)data)[number].tree);
}

/* What an operand may use. Only the operators of the statement's own tree are counted one by
 * one. */
static KvsqlSelectLimits
limits_of_operand (const Builder *self, const KvsqlSetOperand *operand)
{
  KvsqlSelectLimits limits = *self->limits;

  limits.counts_given = FALSE;
  limits.joins = NULL;
  limits.expected_rows = 0; /* known for all operands together only */
  if (limits.operands != NULL)
    limits.operands += operand->number + 1;
  return limits;
}

/* @inputs: (transfer full) */
static KvsqlRowSource *
match_operands (Builder *self, KvsqlRowSource *const inputs[2])
{
  const KvsqlSetPlan *set = self->plan->set;
  g_autofree KvsqlType *types = types_of (set->operands[0].columns, self->plan->n_items);
  const KvsqlMatching matching = { .types = types,
                                   .n_columns = self->plan->n_items,
                                   .keeps_matches = set->kind == KVSQL_SET_INTERSECT,
                                   .is_all = set->is_all };
  const KvsqlSortLimits limits = sort_limits (self);

  return kvsql_match_new (inputs[0], inputs[1], &matching, &limits);
}

static KvsqlRowSource *
build_set (Builder *self, KvsqlRowSource *input)
{
  const KvsqlSetPlan *set = self->plan->set;
  KvsqlOperatorTree *tree = self->tree;
  g_autofree KvsqlRowSource **inputs = g_new (KvsqlRowSource *, set->n_operands);
  KvsqlOperandOpener opener = { .open = open_operand, .close = close_operand };
  gboolean is_union = set->kind == KVSQL_SET_UNION;
  /* a filter takes all rows of a batch at once */
  gboolean is_dense = !is_union || kvsql_select_plan_is_derived (self->plan);

  tree->n_operands = set->n_operands;
  opener.data = tree->operands = g_new0 (KvsqlOperandTree, tree->n_operands);
  for (guint i = 0; i < tree->n_operands; i++)
    {
      const KvsqlSetOperand *operand = &set->operands[i];

      tree->operands[i].plan = operand->plan;
      tree->operands[i].store = self->store;
      tree->operands[i].limits = limits_of_operand (self, operand);
      inputs[i] = kvsql_operand_new (set, i, &opener, is_dense);
      if (self->limits->operands != NULL)
        inputs[i]->n_given_in_total = &self->limits->operands[operand->number];
    }
  return is_union ? kvsql_append_new (inputs, tree->n_operands) : match_operands (self, inputs);
}

/* ---- tuples */

static KvsqlRowSource *
build_table (Builder *self, KvsqlRowSource *input)
{
  self->tree->table = kvsql_table_source_new (&self->table);
  return self->tree->table;
}

static KvsqlRowSource *
build_entry_filter (Builder *self, KvsqlRowSource *input)
{
  return kvsql_filter_new (input, self->plan->best->index_predicate, NULL);
}

static KvsqlRowSource *
build_index_lookup (Builder *self, KvsqlRowSource *input)
{
  return kvsql_index_lookup_new (input, self->plan, self->store, self->table.max_scan_rows,
                                 self->table.counts);
}

static KvsqlRowSource *
build_verify (Builder *self, KvsqlRowSource *input)
{
  return kvsql_verify_new (input, self->plan, self->store, self->table.max_scan_rows,
                           self->table.counts);
}

static KvsqlRowSource *
build_scanned_filter (Builder *self, KvsqlRowSource *input)
{
  return kvsql_filter_new (input, kvsql_join_plan_get_scanned (self->plan->join), NULL);
}

/* ---- joins */

/* What the plans of a lookup join are run with. */
typedef struct
{
  KvsqlStore *store;
  const KvsqlSelectLimits *limits;
} LookupData;

static KvsqlRowSource *
open_lookup (const KvsqlSelectPlan *plan, gpointer data)
{
  const LookupData *self = data;
  KvsqlOperatorTree tree;

  init_tree (&tree, plan, self->store, self->limits, NULL, FALSE);
  return tree.root;
}

/* The join that looks up the relation. */
static const KvsqlJoinNode *
find_lookup (const KvsqlJoinNode *node, guint leaf)
{
  const KvsqlJoinNode *found;

  if (node->probe == NULL)
    return NULL;
  if (node->build->probe == NULL && node->build->leaf == leaf)
    return node;
  found = find_lookup (node->probe, leaf);
  return found != NULL ? found : find_lookup (node->build, leaf);
}

static KvsqlRowSource *
build_lookup (Builder *self, const KvsqlJoinPart *part, guint leaf)
{
  const KvsqlJoinNode *node = find_lookup (self->plan->join->root, leaf);
  LookupData *data = g_new (LookupData, 1);
  KvsqlLookupSetup setup = { .plan = part->plan,
                             .attributes = node->looked_up,
                             .n_attributes = node->n_looked_up,
                             .capabilities = &self->store->capabilities,
                             .open = open_lookup,
                             .data = data,
                             .free_data = g_free };

  *data = (LookupData){ self->store, self->limits };
  return kvsql_lookup_source_new (&setup);
}

/* Whether a join narrows the scan of the relation. */
static gboolean
is_narrowed (const KvsqlJoinNode *node, guint leaf)
{
  return node->probe != NULL
         && ((node->narrows && node->narrowed_leaf == leaf) || is_narrowed (node->probe, leaf)
             || is_narrowed (node->build, leaf));
}

static void
build_narrows (Builder *self)
{
  const KvsqlJoinPlan *join = self->plan->join;
  KvsqlOperatorTree *tree = self->tree;

  tree->n_narrows = join->n_parts + 1;
  tree->narrows = g_new0 (KvsqlNarrow *, tree->n_narrows);
  for (guint leaf = 0; leaf < tree->n_narrows; leaf++)
    {
      KvsqlNarrowSetup setup = { .plan = leaf == 0 ? self->plan : join->parts[leaf - 1].plan,
                                 .capabilities = &self->store->capabilities };
      LookupData *data;

      if (!is_narrowed (join->root, leaf))
        continue;
      if (leaf > 0)
        {
          setup.open = open_lookup;
          setup.data = data = g_new (LookupData, 1);
          setup.free_data = g_free;
          *data = (LookupData){ self->store, self->limits };
        }
      tree->narrows[leaf] = kvsql_narrow_new (&setup);
      if (leaf == 0)
        kvsql_narrow_watch (tree->narrows[leaf], tree->table);
    }
}

static void
build_query (Builder *self, const KvsqlJoinPart *part, KvsqlOperatorTree *out)
{
  KvsqlSelectLimits *limits = g_memdup2 (self->limits, sizeof *limits);

  limits->joins = NULL;
  limits->expected_rows = 0;
  if (limits->operands != NULL)
    limits->operands += part->first_number;
  init_tree (out, part->plan, self->store, limits, NULL, FALSE);
  out->limits = limits;
}

/* The rows of the relations other than the first. */
static void
build_others (Builder *self)
{
  const KvsqlJoinPlan *join = self->plan->join;
  KvsqlOperatorTree *tree = self->tree;

  tree->n_others = join->n_parts;
  tree->others = g_new0 (KvsqlOperatorTree, tree->n_others);
  for (guint i = 0; i < tree->n_others; i++)
    {
      const KvsqlJoinPart *part = &join->parts[i];

      if (part->is_looked_up)
        tree->others[i].root = build_lookup (self, part, i + 1);
      else if (tree->narrows[i + 1] != NULL)
        tree->others[i].root = kvsql_narrow_open (tree->narrows[i + 1]);
      else if (part->query != NULL)
        build_query (self, part, &tree->others[i]);
      else
        init_tree (&tree->others[i], part->plan, self->store, self->limits, NULL, FALSE);
    }
}

static KvsqlRowSource *build_join_node (Builder *self, const KvsqlJoinNode *node,
                                        KvsqlRowSource *first);

static guint
find_item (const KvsqlJoinPart *part, guint attribute)
{
  guint i = 0;

  while (part->plan->items[i] != attribute)
    i++;
  return i;
}

/* @first: the rows of the first relation */
static void
set_side (Builder *self, const KvsqlJoinNode *side, KvsqlRowSource *first, KvsqlJoinInput *out)
{
  const KvsqlJoinPart *part
      = side->probe == NULL && side->leaf > 0 ? &self->plan->join->parts[side->leaf - 1] : NULL;
  guint first_column = side->probe == NULL && part == NULL ? self->plan->join->first : 0;
  guint n = side->probe != NULL ? self->plan->relation->n_attributes
            : part == NULL      ? self->plan->join->relations[0].relation->n_attributes
            : part->attributes != NULL
                ? self->plan->join->relations[side->leaf].relation->n_attributes
                : part->plan->n_items;

  out->rows = build_join_node (self, side, first);
  out->is_owned = side->probe != NULL && !side->has_first;
  out->sources = g_new (guint, n + 1);
  out->targets = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      guint target = part == NULL               ? first_column + i
                     : part->attributes != NULL ? part->first + i
                                                : part->first + part->plan->items[i];

      if (!kvsql_attribute_set_has (&side->columns, target))
        continue;
      out->sources[out->n]
          = part != NULL && part->attributes != NULL ? find_item (part, part->attributes[i]) : i;
      out->targets[out->n++] = target;
    }
}

/* Whether the order of a join is that of the result, on which ORDER BY and cursors may rely. */
static gboolean
gives_order_of_join (const KvsqlSelectPlan *plan)
{
  return plan->groups == NULL && !kvsql_select_plan_sorts (plan);
}

static KvsqlRowSource *
build_join_node (Builder *self, const KvsqlJoinNode *node, KvsqlRowSource *first)
{
  KvsqlJoinSetup setup
      = { .limits = sort_limits (self), .keeps_order = gives_order_of_join (self->plan) };

  if (node->probe == NULL)
    return node->leaf == 0 ? first : self->tree->others[node->leaf - 1].root;
  if (self->limits->joins != NULL)
    setup.counts = &self->limits->joins[node->number];
  if (node->narrows)
    setup.narrow = self->tree->narrows[node->narrowed_leaf];
  set_side (self, node->probe, first, &setup.probe);
  set_side (self, node->build, first, &setup.build);
  return (node->lateral != NULL ? kvsql_lateral_join_new : kvsql_join_new) (self->plan, node,
                                                                            &setup);
}

static KvsqlRowSource *
build_join (Builder *self, KvsqlRowSource *input)
{
  build_narrows (self);
  build_others (self);
  return build_join_node (self, self->plan->join->root, input);
}

static KvsqlRowSource *
build_filter (Builder *self, KvsqlRowSource *input)
{
  return kvsql_filter_new (input, self->plan->predicate,
                           self->plan->entry == NULL ? NULL : &self->table.counts->matched);
}

static KvsqlRowSource *
build_keys_once (Builder *self, KvsqlRowSource *input)
{
  return kvsql_keys_once_new (input, self->plan, self->table.counts);
}

static KvsqlRowSource *
build_project (Builder *self, KvsqlRowSource *input)
{
  guint n;
  KvsqlExpr *const *exprs = kvsql_plan_tree_get_tuple_exprs (self->plan, &n);

  if (exprs != NULL)
    return kvsql_project_new (input, exprs, n, NULL);
  kvsql_row_source_choose_columns (input, self->plan->items);
  return input;
}

/* ---- tuples in parallel */

static KvsqlRowSource *
open_part (const KvsqlPartOutput *output, const KvsqlScanPart *part,
           const KvsqlScanPosition *position, KvsqlRunCounts *counts)
{
  const KvsqlPlanNode *node = output->plan->root;
  KvsqlOperatorTree tree;
  Builder builder = { .plan = output->plan,
                      .store = output->store,
                      .table = { .plan = output->plan,
                                 .store = output->store,
                                 .position = position,
                                 .part = *part,
                                 .expected_rows = G_MAXUINT64,
                                 .max_scan_rows = output->max_scan_rows,
                                 .max_bytes = output->max_bytes,
                                 .counts = counts },
                      .tree = &tree,
                      .counts_given = output->counts_given };

  while (node->kind != KVSQL_NODE_GATHER)
    {
      node = node->input;
      g_assert (node != NULL); /* only a plan that can be cut is read in parts */
    }
  return build (&builder, node->input);
}

static KvsqlType *
types_of_tuples (const KvsqlSelectPlan *plan, guint *out_n)
{
  KvsqlExpr *const *exprs = kvsql_plan_tree_get_tuple_exprs (plan, out_n);
  KvsqlType *types;

  if (exprs != NULL)
    return types_of (exprs, *out_n);
  types = g_new (KvsqlType, *out_n);
  for (guint i = 0; i < *out_n; i++)
    types[i] = kvsql_select_plan_get_type (plan, i);
  return types;
}

/* A part is not cut further. */
static gboolean
is_gathering (const Builder *self)
{
  return self->limits->n_workers > 0 && (self->position == NULL || !self->position->part.is_part);
}

static KvsqlRowSource *
build_gather (Builder *self, KvsqlRowSource *input)
{
  KvsqlPartOutput output = { .open = open_part,
                             .plan = self->plan,
                             .store = self->store,
                             .max_scan_rows = self->limits->max_scan_rows,
                             .counts_given = self->counts_given,
                             .max_bytes = self->limits->sort_bytes,
                             .wants_positions = kvsql_select_plan_is_streaming (self->plan) };

  if (!is_gathering (self))
    return input;
  self->has_gather = TRUE;
  output.types = types_of_tuples (self->plan, &output.n_columns);
  return kvsql_gather_new (input, self->tree->table, &output, self->limits);
}

/* ---- groups, order */

/* Those of the grouping expressions, the marks, and the arguments of aggregates. */
static KvsqlType *
types_of_groups (const KvsqlGroups *groups)
{
  guint n_by = groups->n_groups - groups->n_marks;
  KvsqlType *types = g_new (KvsqlType, groups->n_inputs + groups->n_marks + 1);

  for (guint i = 0; i < groups->n_inputs; i++)
    types[i < n_by ? i : i + groups->n_marks] = groups->inputs[i]->type;
  for (guint m = 0; m < groups->n_marks; m++)
    types[n_by + m] = KVSQL_TYPE_INT;
  return types;
}

static KvsqlRowSource *
build_aggregate (Builder *self, KvsqlRowSource *input)
{
  const KvsqlGroups *groups = self->plan->groups;
  g_autofree KvsqlType *types = types_of_groups (groups);
  const KvsqlAggregation aggregation = { .types = types,
                                         .n_inputs = groups->n_inputs + groups->n_marks,
                                         .n_groups = groups->n_groups,
                                         .sets = groups->sets,
                                         .n_sets = groups->n_sets,
                                         .n_marks = groups->n_marks,
                                         .aggregates = groups->aggregates,
                                         .n_aggregates = groups->n_aggregates };
  const KvsqlSortLimits limits = sort_limits (self);

  return self->has_gather ? kvsql_aggregate_new_gathering (input, &aggregation, &limits)
                          : kvsql_aggregate_new (input, &aggregation, &limits);
}

static KvsqlRowSource *
build_group_project (Builder *self, KvsqlRowSource *input)
{
  const KvsqlSelectPlan *plan = self->plan;
  const KvsqlWindows *windows = plan->windows;

  return kvsql_project_new (input, windows != NULL ? windows->inputs : plan->outputs,
                            windows != NULL ? windows->n_inputs : plan->n_outputs,
                            plan->groups->having);
}

static KvsqlRowSource *
sort_rows (KvsqlRowSource *input, const KvsqlType *types, guint n_types, const KvsqlSortKey *keys,
           guint n_keys, guint64 top, const KvsqlSortLimits *limits)
{
  g_autofree KvsqlKeyPart *order = g_new (KvsqlKeyPart, n_keys);

  for (guint i = 0; i < n_keys; i++)
    order[i] = (KvsqlKeyPart){ keys[i].column, keys[i].is_descending, keys[i].nulls_first };
  return kvsql_sort_new (input, types, n_types, order, n_keys, top, limits);
}

/* The windows one after the other, each after the sort that it needs. */
static KvsqlRowSource *
build_window (Builder *self, KvsqlRowSource *input)
{
  const KvsqlWindows *windows = self->plan->windows;
  g_autofree KvsqlType *types = types_of (windows->inputs, windows->n_inputs);
  const KvsqlSortLimits limits = sort_limits (self);

  for (guint i = 0; i < windows->n_windows; i++)
    {
      const KvsqlWindow *window = &windows->windows[i];

      if (window->n_sort > 0 && (i > 0 || !kvsql_select_plan_scans_for_window (self->plan)))
        input = sort_rows (input, types, windows->n_inputs, window->sort, window->n_sort,
                           G_MAXUINT64, &limits);
      input = kvsql_window_new (input, types, windows->n_inputs, window, &limits);
      for (guint k = 0; k < window->n_calls; k++)
        types[window->calls[k].column] = window->calls[k].type;
    }
  return input;
}

static KvsqlRowSource *
build_window_project (Builder *self, KvsqlRowSource *input)
{
  return kvsql_project_new (input, self->plan->outputs, self->plan->n_outputs, NULL);
}

static KvsqlRowSource *
build_distinct (Builder *self, KvsqlRowSource *input)
{
  g_autofree KvsqlType *types = types_of (self->plan->outputs, self->plan->n_outputs);
  const KvsqlSortLimits limits = sort_limits (self);

  return kvsql_distinct_new (input, types, self->plan->n_outputs, &limits);
}

static KvsqlRowSource *
build_sort (Builder *self, KvsqlRowSource *input)
{
  const KvsqlSelectPlan *plan = self->plan;
  g_autofree KvsqlType *types = types_of (plan->outputs, plan->n_outputs);
  const KvsqlSortLimits limits = sort_limits (self);
  guint64 top = plan->limit > G_MAXUINT64 - plan->offset || plan->n_distinct_on > 0
                    ? G_MAXUINT64
                    : plan->limit + plan->offset;

  return sort_rows (input, types, plan->n_outputs, plan->sort, plan->n_sort, top, &limits);
}

static KvsqlRowSource *
build_first_of_each (Builder *self, KvsqlRowSource *input)
{
  return kvsql_first_of_each_new (input, self->plan->distinct_on, self->plan->n_distinct_on);
}

static KvsqlRowSource *
build_limit (Builder *self, KvsqlRowSource *input)
{
  const KvsqlSelectPosition *position = self->position;

  return kvsql_limit_new (input, self->plan->limit,
                          position == NULL ? self->plan->offset : position->n_skip,
                          position == NULL ? 0 : position->n_emitted);
}

/* ---- the tree */

static KvsqlRowSource *(*const builders[]) (Builder *self, KvsqlRowSource *input) = {
  [KVSQL_NODE_ONE_ROW] = build_one_row,
  [KVSQL_NODE_VALUES] = build_values,
  [KVSQL_NODE_FUNCTION] = build_function,
  [KVSQL_NODE_SET] = build_set,
  [KVSQL_NODE_TABLE_SCAN] = build_table,
  [KVSQL_NODE_ENTRY_FILTER] = build_entry_filter,
  [KVSQL_NODE_INDEX_LOOKUP] = build_index_lookup,
  [KVSQL_NODE_VERIFY] = build_verify,
  [KVSQL_NODE_SCANNED_FILTER] = build_scanned_filter,
  [KVSQL_NODE_SCANNED_ONCE] = build_keys_once,
  [KVSQL_NODE_JOIN] = build_join,
  [KVSQL_NODE_FILTER] = build_filter,
  [KVSQL_NODE_KEYS_ONCE] = build_keys_once,
  [KVSQL_NODE_PROJECT] = build_project,
  [KVSQL_NODE_GATHER] = build_gather,
  [KVSQL_NODE_AGGREGATE] = build_aggregate,
  [KVSQL_NODE_GROUP_PROJECT] = build_group_project,
  [KVSQL_NODE_WINDOW] = build_window,
  [KVSQL_NODE_WINDOW_PROJECT] = build_window_project,
  [KVSQL_NODE_DISTINCT] = build_distinct,
  [KVSQL_NODE_SORT] = build_sort,
  [KVSQL_NODE_FIRST_OF_EACH] = build_first_of_each,
  [KVSQL_NODE_LIMIT] = build_limit,
};

/* A node that needs no operator of its own gives its input. */
static KvsqlRowSource *
build (Builder *self, const KvsqlPlanNode *node)
{
  KvsqlRowSource *input = node->input == NULL ? NULL : build (self, node->input);
  KvsqlRowSource *source = builders[node->kind](self, input);

  /* a gather may give groups in place of rows */
  if (self->counts_given && source != input && node->kind != KVSQL_NODE_GATHER)
    {
      source->n_given_in_total = &self->table.counts->given[node->kind];
      self->table.counts->operators |= 1u << node->kind;
    }
  return source;
}

/* If rows may be filtered out, the number of tuples that are needed is not known; 0. */
static guint64
tuples_needed (const KvsqlSelectPlan *plan)
{
  gboolean is_known = plan->limit != KVSQL_NO_LIMIT && kvsql_select_plan_is_streaming (plan)
                      && plan->best->is_exact;

  return is_known ? plan->limit + plan->offset : 0;
}

static void
set_up_table (Builder *self)
{
  const KvsqlSelectPlan *plan = self->plan;
  const KvsqlSelectLimits *limits = self->limits;
  guint64 needed = tuples_needed (plan);

  self->table = (KvsqlTableSourceSetup){
    .plan = plan,
    .store = self->store,
    .position = self->position == NULL ? NULL : &self->position->scan,
    .row_hint = needed,
    .expected_rows = needed > 0 ? needed : limits->expected_rows,
    .max_scan_rows = limits->max_scan_rows,
    .max_bytes = limits->sort_bytes,
  };
  if (self->position != NULL)
    self->table.part = self->position->part;
  /* the rest is read in parts */
  if (needed == 0 && limits->n_workers > 0)
    self->table.row_hint = limits->serial_rows;
}

static void
init_tree (KvsqlOperatorTree *self, const KvsqlSelectPlan *plan, KvsqlStore *store,
           const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position,
           gboolean counts_given)
{
  Builder builder = { .plan = plan,
                      .store = store,
                      .limits = limits,
                      .position = position,
                      .tree = self,
                      .counts_given = counts_given };

  *self = (KvsqlOperatorTree){ 0 };
  if (plan->entry != NULL)
    set_up_table (&builder);
  builder.table.counts = limits->counts;
  self->root = build (&builder, plan->root);
  g_assert ((plan->entry == NULL) == (self->table == NULL)); /* positions are those of the table */
  g_assert (plan->root->kind == KVSQL_NODE_LIMIT);           /* which counts the rows of pages */
}

void
kvsql_operator_tree_init (KvsqlOperatorTree *self, const KvsqlSelectPlan *plan, KvsqlStore *store,
                          const KvsqlSelectLimits *limits, const KvsqlSelectPosition *position)
{
  init_tree (self, plan, store, limits, position, limits->counts_given);
}

void
kvsql_operator_tree_clear (KvsqlOperatorTree *self)
{
  kvsql_row_source_free (self->root);
  for (guint i = 0; i < self->n_others; i++)
    kvsql_operator_tree_clear (&self->others[i]);
  g_free (self->others);
  for (guint i = 0; i < self->n_narrows; i++)
    kvsql_narrow_free (self->narrows[i]);
  g_free (self->narrows);
  for (guint i = 0; i < self->n_operands; i++)
    {
      kvsql_operator_tree_clear (&self->operands[i].tree);
      g_free (self->operands[i].n_joined_taken);
    }
  g_free (self->operands);
  g_free (self->limits);
  *self = (KvsqlOperatorTree){ 0 };
}

/* ---- undecodable cells */

static void
take (KvsqlRowSource *rows, const KvsqlSchema *schema, guint64 *inout_taken,
      KvsqlUndecodableFunc func, gpointer data)
{
  KvsqlAssemblerCounts counts = { 0 };
  guint64 n_before = *inout_taken;

  kvsql_row_source_add_counts (rows, &counts);
  *inout_taken = counts.undecodable;
  if (counts.undecodable > n_before)
    func (schema, counts.undecodable - n_before, counts.samples, counts.n_samples, data);
}

void
kvsql_operator_tree_take_undecodable (KvsqlOperatorTree *self, KvsqlUndecodableFunc func,
                                      gpointer data)
{
  for (guint i = 0; i < self->n_operands; i++)
    {
      KvsqlOperandTree *operand = &self->operands[i];
      const KvsqlSelectPlan *plan = operand->plan;

      if (operand->tree.root == NULL)
        continue;
      if (plan->entry != NULL)
        take (operand->tree.root, plan->best->schema, &operand->n_taken, func, data);
      for (guint k = 0; k < operand->tree.n_others; k++)
        if (plan->join->parts[k].query == NULL)
          take (operand->tree.others[k].root, plan->join->parts[k].plan->best->schema,
                &operand->n_joined_taken[k], func, data);
      kvsql_operator_tree_take_undecodable (&operand->tree, func, data);
    }
  for (guint i = 0; i < self->n_others; i++)
    kvsql_operator_tree_take_undecodable (&self->others[i], func, data);
}
