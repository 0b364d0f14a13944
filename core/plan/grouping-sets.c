/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping-sets.c: see the header.
 */
#include "config.h"

#include "core/plan/grouping-sets.h"

#include "core/base/interrupt.h"
#include "core/sql/parser.h"

typedef struct
{
  KvsqlGroupingSet *sets;
  guint n;
} Sets;

typedef struct
{
  KvsqlArena *arena;
  KvsqlGroupingSets *out;
} Writing;

/* SQLSTATE 54001, statement_too_complex. */
static gboolean
check_number (guint64 n, KvsqlSpan span, GError **error)
{
  if (n <= KVSQL_MAX_GROUPING_SETS)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, span, "too many grouping sets present (maximum %d)",
                   KVSQL_MAX_GROUPING_SETS);
  kvsql_error_sqlstate (error, "54001");
  return kvsql_error_hint (error, "Elements of GROUP BY are multiplied: GROUPING SETS lists only "
                                  "the sets that you need.");
}

static gboolean
check_cube (const KvsqlAstExpr *expr, GError **error)
{
  if (expr->n_children <= KVSQL_MAX_CUBE)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, expr->span, "CUBE is limited to %d elements",
                   KVSQL_MAX_CUBE);
  return kvsql_error_sqlstate (error, "54011");
}

static void
add_leaf (Writing *self, const KvsqlAstExpr *expr)
{
  *KVSQL_ARENA_ADD (self->arena, self->out->leaves, self->out->n_leaves) = expr;
}

/* One set: an expression, or those of a list in parentheses. */
static KvsqlGroupingSet
write_unit (Writing *self, const KvsqlAstExpr *expr)
{
  guint first = self->out->n_leaves, n;
  guint *leaves;

  if (expr->kind != KVSQL_AST_ROW)
    add_leaf (self, expr);
  for (guint i = 0; expr->kind == KVSQL_AST_ROW && i < expr->n_children; i++)
    add_leaf (self, expr->children[i]);
  n = self->out->n_leaves - first;
  leaves = kvsql_arena_array (self->arena, guint, n);
  for (guint i = 0; i < n; i++)
    leaves[i] = first + i;
  return (KvsqlGroupingSet){ leaves, n };
}

/* Those of @units whose bit is set in @chosen. */
static KvsqlGroupingSet
unite (const Writing *self, const KvsqlGroupingSet *units, guint n, guint64 chosen)
{
  guint *leaves;
  guint size = 0;

  for (guint i = 0; i < n; i++)
    size += chosen >> i & 1 ? units[i].n : 0;
  leaves = kvsql_arena_array (self->arena, guint, size + 1);
  size = 0;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; (chosen >> i & 1) && k < units[i].n; k++)
      leaves[size++] = units[i].leaves[k];
  return (KvsqlGroupingSet){ leaves, size };
}

static KvsqlGroupingSet *
write_units (Writing *self, const KvsqlAstExpr *expr)
{
  KvsqlGroupingSet *units = kvsql_arena_array (self->arena, KvsqlGroupingSet, expr->n_children + 1);

  for (guint i = 0; i < expr->n_children; i++)
    units[i] = write_unit (self, expr->children[i]);
  return units;
}

/* The leaves of the units follow one another: a set is a beginning of them. */
static gboolean
write_rollup (Writing *self, const KvsqlAstExpr *expr, Sets *out, GError **error)
{
  guint first = self->out->n_leaves, n_all;
  KvsqlGroupingSet *units;
  guint *all;

  if (!check_number ((guint64)expr->n_children + 1, expr->span, error))
    return FALSE;
  units = write_units (self, expr);
  n_all = self->out->n_leaves - first;
  all = kvsql_arena_array (self->arena, guint, n_all + 1);
  for (guint i = 0; i < n_all; i++)
    all[i] = first + i;
  out->n = expr->n_children + 1;
  out->sets = kvsql_arena_array (self->arena, KvsqlGroupingSet, out->n);
  for (guint i = 0; i < out->n; i++)
    {
      out->sets[i] = (KvsqlGroupingSet){ all, n_all };
      n_all -= i < expr->n_children ? units[expr->n_children - 1 - i].n : 0;
    }
  return TRUE;
}

static gboolean
write_cube (Writing *self, const KvsqlAstExpr *expr, Sets *out, GError **error)
{
  KvsqlGroupingSet *units;

  if (!check_cube (expr, error))
    return FALSE;
  units = write_units (self, expr);
  out->n = 1U << expr->n_children;
  out->sets = kvsql_arena_array (self->arena, KvsqlGroupingSet, out->n);
  for (guint i = 0; i < out->n && kvsql_interrupt_tick (); i++)
    out->sets[i] = unite (self, units, expr->n_children, out->n - 1 - i);
  return TRUE;
}

static gboolean write_element (Writing *self, const KvsqlAstExpr *expr, Sets *out, GError **error);

static gboolean
write_sets (Writing *self, const KvsqlAstExpr *expr, Sets *out, GError **error)
{
  for (guint i = 0; i < expr->n_children; i++)
    {
      Sets inner = { 0 };

      if (!kvsql_interrupt_poll (error) || !write_element (self, expr->children[i], &inner, error)
          || !check_number ((guint64)out->n + inner.n, expr->span, error))
        return FALSE;
      for (guint k = 0; k < inner.n; k++)
        *KVSQL_ARENA_ADD (self->arena, out->sets, out->n) = inner.sets[k];
    }
  return TRUE;
}

static gboolean
write_element (Writing *self, const KvsqlAstExpr *expr, Sets *out, GError **error)
{
  KvsqlGroupingForm form = expr->kind == KVSQL_AST_GROUPING ? expr->grouping : KVSQL_GROUPING_EMPTY;

  if (form == KVSQL_GROUPING_SETS)
    return write_sets (self, expr, out, error);
  if (form == KVSQL_GROUPING_ROLLUP)
    return write_rollup (self, expr, out, error);
  if (form == KVSQL_GROUPING_CUBE)
    return write_cube (self, expr, out, error);
  *KVSQL_ARENA_ADD (self->arena, out->sets, out->n)
      = expr->kind == KVSQL_AST_GROUPING ? (KvsqlGroupingSet){ 0 } : write_unit (self, expr);
  return TRUE;
}

/* Number @number of the product of @all. The sets of the last element change fastest. */
static KvsqlGroupingSet
combine (const Writing *self, const Sets *all, guint n, guint number)
{
  guint *chosen = kvsql_arena_array (self->arena, guint, n + 1);
  guint *leaves;
  guint size = 0;

  for (guint i = n; i-- > 0;)
    {
      chosen[i] = number % all[i].n;
      number /= all[i].n;
      size += all[i].sets[chosen[i]].n;
    }
  leaves = kvsql_arena_array (self->arena, guint, size + 1);
  size = 0;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlGroupingSet *set = &all[i].sets[chosen[i]];

      for (guint k = 0; k < set->n && kvsql_interrupt_tick (); k++)
        leaves[size++] = set->leaves[k];
    }
  return (KvsqlGroupingSet){ leaves, size };
}

gboolean
kvsql_grouping_sets_write_out (KvsqlAstExpr *const *elements, guint n, KvsqlArena *arena,
                               KvsqlGroupingSets *out, GError **error)
{
  Writing self = { arena, out };
  Sets *all = kvsql_arena_array (arena, Sets, n + 1);
  guint n_sets = 1;

  *out = (KvsqlGroupingSets){ 0 };
  for (guint i = 0; i < n; i++)
    {
      if (!write_element (&self, elements[i], &all[i], error)
          || !check_number ((guint64)n_sets * all[i].n, elements[i]->span, error))
        return FALSE;
      n_sets *= all[i].n;
      if (out->n_leaves > KVSQL_MAX_ITEMS)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, elements[i]->span,
                                "GROUP BY has more than %d items", KVSQL_MAX_ITEMS);
    }
  out->sets = kvsql_arena_array (arena, KvsqlGroupingSet, n_sets);
  for (; out->n_sets < n_sets; out->n_sets++)
    {
      if (!kvsql_interrupt_poll (error))
        return FALSE;
      out->sets[out->n_sets] = combine (&self, all, n, out->n_sets);
    }
  return kvsql_interrupt_check (error);
}

gboolean
kvsql_grouping_sets_are_in (const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_group_by; i++)
    if (select->group_by[i]->kind == KVSQL_AST_GROUPING)
      return TRUE;
  return FALSE;
}
