/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * joined-write.c: see the header.
 */
#include "config.h"

#include "core/plan/joined-write.h"

#include "core/plan/join-plan.h"
#include "core/plan/key-list.h"
#include "core/plan/select-planner.h"
#include "core/plan/subquery-runner.h"

/* ---- names and conditions */

/* FROM, and an item that uses no attribute. */
static KvsqlSelect
select_nothing (const KvsqlSelect *from, KvsqlArena *arena)
{
  const KvsqlValue one = { .type = KVSQL_TYPE_BIGINT, .integer = 1 };
  KvsqlSelect select = *from;

  select.items = kvsql_arena_new0 (arena, KvsqlSelectItem);
  select.items[0].expr = kvsql_subquery_make_literal (&one, from->join->span, arena);
  select.items[0].span = from->join->span;
  select.n_items = 1;
  return select;
}

static void
note_written (guint column, gpointer data)
{
  guint *lowest = data;

  *lowest = MIN (*lowest, column);
}

/* A lateral query that uses the tuple would have to be run again under its lock. */
static gboolean
check_lateral (const KvsqlSelectPlan *bound, const KvsqlSelect *from, GError **error)
{
  const KvsqlRelation *written = bound->entry->relation;

  for (guint i = 0; i < bound->join->n_parts; i++)
    {
      const KvsqlSelectPlan *query = bound->join->parts[i].query;
      const KvsqlName *name = &from->joined[i].relation;
      guint lowest = G_MAXUINT;

      for (guint k = 0; query != NULL && query->lateral != NULL && k < query->lateral->n_arguments;
           k++)
        kvsql_expr_foreach_column (query->lateral->arguments[k], note_written, &lowest);
      if (lowest >= written->n_attributes)
        continue;
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, name->span,
                       "\"%s\" uses attributes of relation \"%s\", which is written", name->text,
                       written->name);
      kvsql_error_sqlstate (error, "42P10");
      return kvsql_error_hint (error,
                               "Join it in WHERE, or name the relation in FROM again, with an "
                               "alias.");
    }
  return TRUE;
}

/* Attributes of the tuple that conditions with subqueries use, and that can be compared. */
static void
add_compared (const KvsqlSelectPlan *bound, KvsqlAttributeSet *out)
{
  const KvsqlRelation *written = bound->entry->relation;
  KvsqlAttributeSet used = bound->needed;

  kvsql_join_plan_collect (bound->join, &used);
  for (guint a = 0; a < written->n_attributes; a++)
    if (kvsql_attribute_set_has (&used, a)
        && !kvsql_type_is_collection (written->attributes[a].type))
      kvsql_attribute_set_add (out, a);
}

KvsqlJoinedWrite *
kvsql_joined_write_bind (const KvsqlBinding *binding, const KvsqlSelect *from,
                         const KvsqlAstExpr *where, const KvsqlBinder *outer, GError **error)
{
  KvsqlArena *arena = outer->arena;
  KvsqlJoinedWrite *self = kvsql_arena_new0 (arena, KvsqlJoinedWrite);
  KvsqlSelect *select = kvsql_arena_new0 (arena, KvsqlSelect);

  *select = select_nothing (from, arena);
  self->bound = kvsql_select_bind (binding, select, outer, error);
  if (self->bound == NULL || !check_lateral (self->bound, from, error)
      || !kvsql_group_reject_aggregates (where, "WHERE", error))
    return NULL;
  self->recheck = kvsql_bind_predicate (self->bound->binder, where, error);
  if (self->recheck == NULL)
    return NULL;
  if (from->where != NULL)
    add_compared (self->bound, &self->compared);
  return self;
}

const KvsqlBinder *
kvsql_joined_write_get_binder (const KvsqlJoinedWrite *self)
{
  return self->bound->binder;
}

/* ---- the plan */

/* @column of FROM, whatever it is called. */
static void
add_item (KvsqlSelect *select, guint column, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlSelectItem *item = KVSQL_ARENA_ADD (arena, select->items, select->n_items);

  *item = (KvsqlSelectItem){ .expr = kvsql_arena_new0 (arena, KvsqlAstExpr), .span = span };
  item->expr->kind = KVSQL_AST_NAME;
  item->expr->span = span;
  item->expr->name = (KvsqlName){ .span = span, .text = "", .is_quoted = TRUE };
  item->expr->column = column + 1;
}

/* The item at position @n of the list. */
static void
add_distinct (KvsqlSelect *select, gint64 n, KvsqlSpan span, KvsqlArena *arena)
{
  const KvsqlValue position = { .type = KVSQL_TYPE_BIGINT, .integer = n };

  *KVSQL_ARENA_ADD (arena, select->distinct_on, select->n_distinct_on)
      = kvsql_subquery_make_literal (&position, span, arena);
}

/* The KEY first. */
static void
add_items (KvsqlSelect *select, const KvsqlAttributeSet *keys, const KvsqlAttributeSet *columns,
           KvsqlSpan span, KvsqlArena *arena)
{
  for (gint a = kvsql_attribute_set_next (keys, -1); a >= 0; a = kvsql_attribute_set_next (keys, a))
    {
      add_item (select, a, span, arena);
      add_distinct (select, select->n_items, span, arena);
    }
  for (gint c = kvsql_attribute_set_next (columns, -1); c >= 0;
       c = kvsql_attribute_set_next (columns, c))
    if (!kvsql_attribute_set_has (keys, c))
      add_item (select, c, span, arena);
}

KvsqlSelectPlan *
kvsql_joined_write_plan (const KvsqlJoinedWrite *self, const KvsqlBinding *binding,
                         const KvsqlSelect *from, const KvsqlAstExpr *where,
                         const KvsqlAttributeSet *used, const KvsqlBinder *outer, GError **error)
{
  KvsqlArena *arena = outer->arena;
  const KvsqlRelation *written = self->bound->entry->relation;
  KvsqlSelect *select = kvsql_arena_copy (arena, from, sizeof *from);
  KvsqlAttributeSet columns = self->compared;
  KvsqlBinder binder = *outer;
  KvsqlSelectPlan *plan;

  binder.uses = NULL; /* that the KEY is read needs no right; the rest was noted before */
  kvsql_attribute_set_add_all (&columns, used);
  /* cell keys of the tuple may depend on each attribute that is part of one */
  for (guint i = 0; i < self->bound->entry->n_schemas; i++)
    kvsql_attribute_set_add_all (&columns, &self->bound->entry->schemas[i]->cell_key_attributes);
  kvsql_predicate_collect (self->recheck, &columns);
  add_items (select, &written->keys, &columns, from->join->span, arena);
  select->where = where == NULL ? from->where
                  : from->where == NULL
                      ? (KvsqlAstExpr *)where
                      : kvsql_key_list_and ((KvsqlAstExpr *)where, from->where, arena);
  plan = kvsql_select_bind (binding, select, &binder, error);
  if (plan == NULL)
    return NULL;
  plan->scans_first = TRUE;
  plan->sorts_tuples = FALSE; /* a sort reads all rows before the first tuple is written */
  return kvsql_select_plan_choose_all (binding, plan, error) ? plan : NULL;
}

/* ---- tuples that are read again */

gboolean
kvsql_joined_write_is_same (const KvsqlJoinedWrite *self, const KvsqlValue *found,
                            const KvsqlValue *tuple)
{
  for (gint a = kvsql_attribute_set_next (&self->compared, -1); a >= 0;
       a = kvsql_attribute_set_next (&self->compared, a))
    if (!kvsql_value_equal (&found[a], &tuple[a]))
      return FALSE;
  return TRUE;
}
