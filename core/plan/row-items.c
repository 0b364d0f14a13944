/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-items.c: see the header.
 */
#include "config.h"

#include "core/plan/row-items.h"

#include "core/base/interrupt.h"
#include "core/expr/row-function.h"
#include "core/plan/function-plan.h"
#include "core/plan/group.h"
#include "core/plan/subquery.h"
#include "core/sql/copy.h"
#include "core/sql/printer.h"
#include "core/sql/visit.h"

typedef struct
{
  KvsqlArena *arena;
  GError **error;
  gboolean has_failed;

  /* of the present SELECT */
  KvsqlSelect *select;
  const KvsqlAstExpr *first; /* NULL: no such call was found yet */
  gchar *text;               /* of it */
  KvsqlName name;            /* of its source, and of the column */
} Mover;

/* ---- calls */

static gboolean
is_call (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_FUNCTION && !expr->name.is_quoted && !expr->has_over
         && kvsql_ast_get_n_arguments (expr) > 0 && kvsql_function_plan_knows (expr->name.text);
}

static gboolean
has_call (const KvsqlAstExpr *expr)
{
  if (is_call (expr))
    return TRUE;
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    if (expr->children[i] != NULL && has_call (expr->children[i]))
      return TRUE;
  return FALSE;
}

static gboolean
fail (const Mover *self, const KvsqlAstExpr *call, const gchar *message)
{
  kvsql_error_set (self->error, KVSQL_ERROR_UNSUPPORTED, call->span, "%s: %s", call->name.text,
                   message);
  return kvsql_error_hint (self->error, "Write it in FROM: FROM r, LATERAL %s (…) AS x.",
                           call->name.text);
}

static gboolean
check_call (const Mover *self, const KvsqlAstExpr *call)
{
  const KvsqlRowFunction *function = kvsql_row_function_find (call->name.text);

  if (function != NULL
          ? function->n_columns > 1
          : call->n_children > 1 && g_ascii_strcasecmp (call->name.text, "unnest") == 0)
    return fail (self, call, "a function with several columns is no value");
  for (guint i = 0; i < call->n_children; i++)
    if (call->children[i] != NULL && has_call (call->children[i]))
      return fail (self, call, "a function of rows in the arguments of another one");
  return TRUE;
}

/* Makes a call the name of the column. Calls that are the same have one source. */
static gboolean
replace (Mover *self, KvsqlAstExpr *call)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_print_expression (call, text);
  if (self->first == NULL)
    {
      self->first = kvsql_arena_copy (self->arena, call, sizeof *call);
      self->text = kvsql_arena_strndup (self->arena, text->str, text->len);
      self->name = (KvsqlName){ .span = call->span, .is_quoted = TRUE };
      self->name.text = kvsql_arena_printf (self->arena, "%s()", call->name.text);
    }
  else if (strcmp (self->text, text->str) != 0)
    return fail (self, call, "two functions of rows among the items of one SELECT");
  *call = (KvsqlAstExpr){ .kind = KVSQL_AST_NAME,
                          .span = call->span,
                          .op_span = KVSQL_SPAN_NONE,
                          .name = self->name,
                          .qualifier = self->name };
  call->cast_type.span = KVSQL_SPAN_NONE;
  return TRUE;
}

static gboolean
replace_calls (Mover *self, KvsqlAstExpr *expr)
{
  if (is_call (expr))
    return check_call (self, expr) && replace (self, expr);
  for (guint i = 0; i < expr->n_children; i++)
    if (expr->children[i] != NULL && !replace_calls (self, expr->children[i]))
      return FALSE;
  return kvsql_interrupt_poll (self->error);
}

/* ---- FROM */

static KvsqlJoin *
new_leaf (const Mover *self, guint source)
{
  KvsqlJoin *leaf = kvsql_arena_new0 (self->arena, KvsqlJoin);

  leaf->source = source;
  return leaf;
}

static KvsqlSource
make_source (const Mover *self)
{
  KvsqlSelect *query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  KvsqlSource source = { .relation = self->name, .query = query, .is_lateral = TRUE };

  query->function = kvsql_arena_new0 (self->arena, KvsqlTableFunction);
  query->function->name = self->first->name;
  query->function->alias = self->name;
  query->n_rows = 1;
  query->rows = kvsql_arena_copy (self->arena, &self->first->children, sizeof query->rows[0]);
  query->n_values = self->first->n_children;
  source.columns = kvsql_arena_copy (self->arena, &self->name, sizeof self->name);
  source.n_columns = 1;
  return source;
}

static void
add_source (const Mover *self)
{
  KvsqlSelect *select = self->select;
  KvsqlSource source = make_source (self);
  KvsqlSource *joined;
  KvsqlJoin *join;

  if (select->from.relation.text == NULL)
    {
      source.is_lateral = FALSE;
      select->from = source;
      return;
    }
  joined = kvsql_arena_array (self->arena, KvsqlSource, select->n_joined + 1);
  if (select->n_joined > 0)
    memcpy (joined, select->joined, select->n_joined * sizeof *joined);
  joined[select->n_joined++] = source;
  select->joined = joined;
  join = kvsql_arena_new0 (self->arena, KvsqlJoin);
  join->span = self->first->span;
  join->left = select->join != NULL ? select->join : new_leaf (self, 0);
  join->right = new_leaf (self, select->n_joined);
  select->join = join;
}

/* ---- items */

static gboolean
merges_columns (const KvsqlJoin *join)
{
  return join != NULL && join->left != NULL
         && (join->is_natural || join->n_names > 0 || merges_columns (join->left)
             || merges_columns (join->right));
}

/* A * means the sources that were there before. */
static gboolean
name_stars (Mover *self)
{
  KvsqlSelect *select = self->select;
  KvsqlSelectItem *items
      = kvsql_arena_array (self->arena, KvsqlSelectItem, select->n_items * (select->n_joined + 1));
  guint n = 0;

  for (guint i = 0; i < select->n_items; i++)
    {
      const KvsqlSelectItem *item = &select->items[i];

      if (item->expr != NULL || item->star_of.text != NULL)
        {
          items[n++] = *item;
          continue;
        }
      if (merges_columns (select->join))
        return fail (self, self->first, "a * of a join with USING");
      for (guint s = 0; s <= select->n_joined; s++)
        {
          const KvsqlSource *source = kvsql_select_get_source (select, s);

          items[n] = *item;
          items[n++].star_of = source->alias.text != NULL ? source->alias : source->relation;
        }
    }
  select->items = items;
  select->n_items = n;
  return TRUE;
}

static gboolean
check_clauses (const Mover *self)
{
  const KvsqlSelect *select = self->select;

  if (select->n_group_by > 0 || select->having != NULL || select->has_over)
    return fail (self, self->first, "a SELECT with GROUP BY, HAVING or windows");
  for (guint i = 0; i < select->n_items; i++)
    if (select->items[i].expr != NULL
        && !kvsql_group_reject_aggregates (select->items[i].expr,
                                           "a SELECT with a function of rows", self->error))
      return FALSE;
  return TRUE;
}

/* A column has the name that it would have with the call in place: that of the function, as in
 * PostgreSQL, or the text. */
static void
name_item (const Mover *self, KvsqlSelectItem *item)
{
  g_autoptr (GString) name = g_string_new (NULL);
  const KvsqlAstExpr *named = item->expr;

  if (item->alias.text != NULL || !has_call (named))
    return;
  if (named->kind == KVSQL_AST_CAST)
    named = named->children[0];
  if (is_call (named))
    g_string_ascii_down (g_string_append (name, named->name.text));
  else if (named->kind != KVSQL_AST_FUNCTION && named->kind != KVSQL_AST_CASE)
    kvsql_print_expression (item->expr, name);
  else
    return; /* these are named without regard to their arguments */
  item->alias = (KvsqlName){ .text = kvsql_arena_strndup (self->arena, name->str, name->len),
                             .is_quoted = TRUE,
                             .span = item->expr->span };
}

static gboolean
move (Mover *self, KvsqlSelect *select)
{
  self->select = select;
  self->first = NULL;
  for (guint i = 0; i < select->n_items; i++)
    if (select->items[i].expr != NULL)
      {
        name_item (self, &select->items[i]);
        if (!replace_calls (self, select->items[i].expr))
          return FALSE;
      }
  if (self->first == NULL)
    return TRUE;
  for (guint i = 0; i < select->n_order_by; i++)
    if (!replace_calls (self, select->order_by[i].expr))
      return FALSE;
  if (!check_clauses (self) || !name_stars (self))
    return FALSE;
  add_source (self);
  return TRUE;
}

/* ---- statements */

gboolean
kvsql_row_items_are_in (const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_items; i++)
    if (select->items[i].expr != NULL && has_call (select->items[i].expr))
      return TRUE;
  return FALSE;
}

typedef struct
{
  gboolean is_found;
} Search;

static void
look_in_select (KvsqlSelect *select, gpointer data)
{
  Search *self = data;

  self->is_found = self->is_found || kvsql_row_items_are_in (select);
}

static void
enter_select (KvsqlSelect *select, gpointer data)
{
  Mover *self = data;

  self->has_failed = self->has_failed || !move (self, select);
}

gboolean
kvsql_row_items_are_possible (const KvsqlAstStatement *statement)
{
  const KvsqlSelect *select = &statement->select;

  if (kvsql_subqueries_are_possible (statement))
    return TRUE;
  if (statement->kind != KVSQL_STATEMENT_SELECT)
    return FALSE;
  if (select->set != NULL)
    return TRUE;
  for (guint i = 0; i <= select->n_joined; i++)
    if (kvsql_select_get_source (select, i)->query != NULL)
      return TRUE;
  return kvsql_row_items_are_in (select);
}

const KvsqlAstStatement *
kvsql_row_items_move (const KvsqlAstStatement *statement, KvsqlArena *arena, GError **error)
{
  Mover mover = { .arena = arena, .error = error };
  Search search = { FALSE };
  KvsqlAstVisitor visitor = { .select = look_in_select, .data = &search };
  KvsqlAstStatement *copy;

  if (!kvsql_row_items_are_possible (statement))
    return statement;
  kvsql_statement_visit ((KvsqlAstStatement *)statement, &visitor);
  if (!search.is_found)
    return statement;
  copy = (KvsqlAstStatement *)kvsql_statement_copy (statement, arena);
  visitor = (KvsqlAstVisitor){ .select = enter_select, .data = &mover };
  kvsql_statement_visit (copy, &visitor);
  return !mover.has_failed && kvsql_interrupt_poll (error) ? copy : NULL;
}
