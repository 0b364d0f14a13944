/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial-values.c: where the values of a statement come from.
 *
 * A parameter that is compared with an attribute, or written into it, takes a value that some tuple
 * has there. What differs from call to call becomes a parameter, too: both sides get the same.
 */
#include "config.h"

#include "core/advisor/trial-private.h"
#include "core/expr/function.h"
#include "core/sql/visit.h"

/* LIMIT ? */
#define USUAL_LIMIT 10

/* ---- calls that differ */

/* A function whose result depends on more than its arguments. */
static gboolean
is_varying (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_FUNCTION
         && (kvsql_function_is_of_clock (expr->name.text)
             || kvsql_function_is_volatile (expr->name.text));
}

static gboolean
is_name (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_NAME;
}

/* Whether @is is so for a part of the expression. @expr: nullable */
static gboolean
has_part (const KvsqlAstExpr *expr, gboolean (*is) (const KvsqlAstExpr *))
{
  if (expr == NULL || is (expr))
    return expr != NULL;
  for (guint i = 0; i < expr->n_children; i++)
    if (has_part (expr->children[i], is))
      return TRUE;
  return FALSE;
}

KvsqlAstExpr *
kvsql_trial_new_parameter (KvsqlTrialEditor *self)
{
  KvsqlAstExpr *expr = kvsql_arena_new0 (self->maker->arena, KvsqlAstExpr);

  expr->kind = KVSQL_AST_PARAMETER;
  expr->span = KVSQL_SPAN_NONE;
  expr->parameter = self->ast->n_parameters++;
  return expr;
}

static gboolean
is_comparison (const KvsqlAstExpr *expr)
{
  return (expr->kind == KVSQL_AST_BINARY && expr->op >= KVSQL_OP_EQ && expr->op <= KVSQL_OP_GE)
         || expr->kind == KVSQL_AST_IN || expr->kind == KVSQL_AST_BETWEEN;
}

/* Of conditions: an attribute is compared with now () - INTERVAL '1 day'. */
static void
fix_condition (KvsqlTrialEditor *self, KvsqlAstExpr *expr)
{
  gboolean has_attribute = FALSE;

  if (expr == NULL)
    return;
  for (guint i = 0; i < expr->n_children; i++)
    if (expr->children[i] != NULL && expr->children[i]->kind == KVSQL_AST_NAME)
      has_attribute = TRUE;
  for (guint i = 0; i < expr->n_children; i++)
    if (has_attribute && is_comparison (expr) && has_part (expr->children[i], is_varying)
        && !has_part (expr->children[i], is_name))
      expr->children[i] = kvsql_trial_new_parameter (self);
    else
      fix_condition (self, expr->children[i]);
}

static void
fix_assignments (KvsqlTrialEditor *self, KvsqlAssignment *assignments, guint n)
{
  for (guint i = 0; i < n; i++)
    if (has_part (assignments[i].expr, is_varying))
      assignments[i].expr = kvsql_trial_new_parameter (self);
}

/* ---- INSERT */

static const KvsqlRelation *
get_written (const KvsqlTrialEditor *self)
{
  return self->maker->workload->relations[self->out->relation].relation;
}

/* Names the attributes that VALUES gives. */
static void
name_attributes (KvsqlTrialEditor *self, KvsqlInsert *insert)
{
  const KvsqlRelation *relation = get_written (self);

  if (insert->n_attributes > 0)
    return;
  for (guint i = 0; i < relation->n_attributes && insert->n_attributes < insert->n_values; i++)
    if (!relation->attributes[i].is_hidden)
      *KVSQL_ARENA_ADD (self->maker->arena, insert->attributes, insert->n_attributes)
          = (KvsqlName){ .span = KVSQL_SPAN_NONE,
                         .text = relation->attributes[i].name,
                         .is_quoted = relation->attributes[i].is_quoted };
}

static gint
find_column (const KvsqlTrialEditor *self, const KvsqlInsert *insert, guint attribute)
{
  for (guint i = 0; i < insert->n_attributes; i++)
    {
      guint found;

      if (kvsql_relation_find (get_written (self), &insert->attributes[i], &found, NULL)
          && found == attribute)
        return (gint)i;
    }
  return -1;
}

static void
add_column (KvsqlTrialEditor *self, KvsqlInsert *insert, guint attribute)
{
  const KvsqlAttribute *of = &get_written (self)->attributes[attribute];
  KvsqlArena *arena = self->maker->arena;
  const guint n = insert->n_attributes;
  KvsqlName *names = kvsql_arena_array (arena, KvsqlName, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = insert->attributes[i];
  names[n] = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = of->name, .is_quoted = of->is_quoted };
  insert->attributes = names;
  insert->n_attributes = n + 1;
  for (guint r = 0; r < insert->n_rows; r++)
    {
      KvsqlAstExpr **row = kvsql_arena_array (arena, KvsqlAstExpr *, n + 1);

      for (guint i = 0; i < n; i++)
        row[i] = insert->rows[r][i];
      row[n] = kvsql_trial_new_parameter (self);
      insert->rows[r] = row;
    }
  insert->n_values = n + 1;
}

/* The copies lack a DEFAULT that varies. */
static void
fix_insert (KvsqlTrialEditor *self, KvsqlInsert *insert)
{
  const KvsqlRelation *relation = get_written (self);

  name_attributes (self, insert);
  for (guint r = 0; r < insert->n_rows; r++)
    for (guint i = 0; i < insert->n_values; i++)
      {
        guint attribute;
        gboolean is_default
            = insert->rows[r][i] == NULL
              && kvsql_relation_find (relation, &insert->attributes[i], &attribute, NULL)
              && relation->attributes[attribute].default_expr != NULL;

        if (is_default || has_part (insert->rows[r][i], is_varying))
          insert->rows[r][i] = kvsql_trial_new_parameter (self);
      }
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].default_expr != NULL && find_column (self, insert, a) < 0)
      add_column (self, insert, a);
  fix_assignments (self, insert->assignments, insert->n_assignments);
}

/* ---- a statement */

static void
fix_joins (KvsqlTrialEditor *self, KvsqlJoin *join)
{
  if (join == NULL || join->left == NULL)
    return;
  fix_condition (self, join->on);
  fix_joins (self, join->left);
  fix_joins (self, join->right);
}

static void
note_varying (KvsqlAstExpr *expr, gpointer data)
{
  if (is_varying (expr))
    *(const gchar **)data = expr->name.text;
}

static gboolean
is_in_list (const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_items; i++)
    if (has_part (select->items[i].expr, is_varying))
      return TRUE;
  return FALSE;
}

gboolean
kvsql_trial_fix_values (KvsqlTrialEditor *self)
{
  KvsqlAstStatement *ast = self->ast;
  const gchar *left = NULL;
  const KvsqlAstVisitor visitor = { .expr = note_varying, .data = &left };

  self->n_given = ast->n_parameters;
  if (ast->kind == KVSQL_STATEMENT_SELECT)
    {
      fix_condition (self, ast->select.where);
      fix_joins (self, ast->select.join);
      self->varies = is_in_list (&ast->select);
    }
  else if (ast->kind == KVSQL_STATEMENT_INSERT)
    fix_insert (self, &ast->insert);
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    {
      fix_assignments (self, ast->update.assignments, ast->update.n_assignments);
      fix_condition (self, ast->update.where);
    }
  else
    fix_condition (self, ast->delete_.where);
  kvsql_statement_visit (ast, &visitor);
  return left == NULL || self->varies
         || kvsql_trial_refuse (
             self, kvsql_arena_printf (self->maker->arena,
                                       "the result of %s () differs from call to call", left));
}

/* ---- parameters */

static gboolean
find_place (const KvsqlTrialEditor *self, const KvsqlAstExpr *expr, KvsqlScopePlace *out)
{
  return expr != NULL && expr->kind == KVSQL_AST_NAME
         && kvsql_scope_find (&self->scope, &expr->qualifier, &expr->name, out, NULL);
}

/* The first place decides: a parameter may be named twice. */
static void
set_parameter (KvsqlTrialEditor *self, const KvsqlAstExpr *expr, KvsqlTrialKind kind,
               const KvsqlScopePlace *place, guint tuple)
{
  KvsqlTrialParameter *parameter;

  if (expr == NULL || expr->kind != KVSQL_AST_PARAMETER || self->is_bound[expr->parameter])
    return;
  self->is_bound[expr->parameter] = TRUE;
  parameter = &self->out->parameters[expr->parameter];
  parameter->kind = kind;
  parameter->relation = self->scope.members[place->member].relation;
  parameter->attribute = place->attribute;
  parameter->tuple = tuple;
}

static void
set_number (KvsqlTrialEditor *self, const KvsqlAstExpr *expr, gint64 number)
{
  if (expr == NULL || expr->kind != KVSQL_AST_PARAMETER || self->is_bound[expr->parameter])
    return;
  self->is_bound[expr->parameter] = TRUE;
  self->out->parameters[expr->parameter]
      = (KvsqlTrialParameter){ .kind = KVSQL_TRIAL_NUMBER, .number = number };
}

static gboolean
is_range (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_BINARY && expr->op >= KVSQL_OP_LT && expr->op <= KVSQL_OP_GE;
}

/* Whether another part of the condition bounds the attribute from the other side. */
static gboolean
has_bound (const KvsqlTrialEditor *self, const KvsqlAstExpr *condition,
           const KvsqlScopePlace *place, gboolean is_upper)
{
  KvsqlScopePlace found;

  if (condition == NULL)
    return FALSE;
  if (condition->kind == KVSQL_AST_BINARY && condition->op == KVSQL_OP_AND)
    return has_bound (self, condition->children[0], place, is_upper)
           || has_bound (self, condition->children[1], place, is_upper);
  if (!is_range (condition))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (find_place (self, condition->children[i], &found) && found.member == place->member
        && found.attribute == place->attribute)
      return ((condition->op == KVSQL_OP_LT || condition->op == KVSQL_OP_LE) != (i == 1))
             == is_upper;
  return FALSE;
}

/* @child: which one of the comparison; the attribute is child @at */
static void
bind_compared (KvsqlTrialEditor *self, const KvsqlAstExpr *expr, guint at, guint child,
               const KvsqlScopePlace *place)
{
  const KvsqlAstExpr *value = expr->children[child];
  gboolean is_upper = FALSE, has_both = TRUE;

  if (value->kind != KVSQL_AST_PARAMETER || self->is_bound[value->parameter])
    return;
  if (expr->kind == KVSQL_AST_BETWEEN)
    is_upper = child == 2;
  else if (is_range (expr))
    {
      is_upper = (expr->op == KVSQL_OP_LT || expr->op == KVSQL_OP_LE) != (at == 1);
      has_both = has_bound (self, self->condition, place, !is_upper);
    }
  else
    {
      set_parameter (self, value, KVSQL_TRIAL_VALUE, place,
                     expr->kind == KVSQL_AST_IN ? child - 1 : 0);
      return;
    }
  set_parameter (self, value, is_upper ? KVSQL_TRIAL_UPPER : KVSQL_TRIAL_LOWER, place, 0);
  self->out->parameters[value->parameter].has_both = has_both;
}

/* An attribute in the expression, but not in another condition of an AND or OR. */
static gboolean
find_any_place (const KvsqlTrialEditor *self, const KvsqlAstExpr *expr, KvsqlScopePlace *out)
{
  if (expr == NULL)
    return FALSE;
  if (find_place (self, expr, out))
    return TRUE;
  for (guint i = 0; i < expr->n_children; i++)
    if (find_any_place (self, expr->children[i], out))
      return TRUE;
  return FALSE;
}

/* Parameters that are not bound yet, in the whole expression. */
static void
bind_rest (KvsqlTrialEditor *self, const KvsqlAstExpr *expr, const KvsqlScopePlace *place,
           guint tuple)
{
  if (expr == NULL)
    return;
  set_parameter (self, expr, KVSQL_TRIAL_VALUE, place, tuple);
  for (guint i = 0; i < expr->n_children; i++)
    bind_rest (self, expr->children[i], place, tuple);
}

static gboolean
is_logical (const KvsqlAstExpr *expr)
{
  return (expr->kind == KVSQL_AST_BINARY && (expr->op == KVSQL_OP_AND || expr->op == KVSQL_OP_OR))
         || (expr->kind == KVSQL_AST_UNARY && expr->op == KVSQL_OP_NOT);
}

/* Bottom up: a parameter has to do with the attribute that is nearest to it. */
static void
bind_expr (KvsqlTrialEditor *self, const KvsqlAstExpr *expr)
{
  KvsqlScopePlace place;

  if (expr == NULL)
    return;
  for (guint at = 0; is_comparison (expr) && at < MIN (expr->n_children, 2); at++)
    if (find_place (self, expr->children[at], &place))
      for (guint i = 0; i < expr->n_children; i++)
        if (i != at)
          bind_compared (self, expr, at, i, &place);
  if (expr->kind == KVSQL_AST_LIKE && find_place (self, expr->children[0], &place))
    set_parameter (self, expr->children[1], KVSQL_TRIAL_PATTERN, &place, 0);
  for (guint i = 0; i < expr->n_children; i++)
    bind_expr (self, expr->children[i]);
  if (!is_logical (expr) && find_any_place (self, expr, &place))
    bind_rest (self, expr, &place, 0);
}

static void
bind_condition (KvsqlTrialEditor *self, const KvsqlAstExpr *condition)
{
  self->condition = condition;
  bind_expr (self, condition);
}

static void
bind_joins (KvsqlTrialEditor *self, const KvsqlJoin *join)
{
  if (join == NULL || join->left == NULL)
    return;
  bind_expr (self, join->on);
  bind_joins (self, join->left);
  bind_joins (self, join->right);
}

/* They are written: of another tuple than that of the condition. */
static void
bind_assignments (KvsqlTrialEditor *self, const KvsqlAssignment *assignments, guint n)
{
  KvsqlScopePlace place = { .member = 0 };

  for (guint i = 0; i < n; i++)
    if (assignments[i].expr != NULL
        && kvsql_relation_find (get_written (self), &assignments[i].name, &place.attribute, NULL))
      {
        set_parameter (self, assignments[i].expr, KVSQL_TRIAL_VALUE, &place, 1);
        bind_expr (self, assignments[i].expr);
        bind_rest (self, assignments[i].expr, &place, 1);
      }
}

/* How well values of a type can be made that no tuple has; 0: not at all. */
static guint
rate_fresh (KvsqlType type)
{
  static const KvsqlType types[] = { KVSQL_TYPE_DATE,  KVSQL_TYPE_DOUBLE, KVSQL_TYPE_DECIMAL,
                                     KVSQL_TYPE_BYTES, KVSQL_TYPE_STRING, KVSQL_TYPE_TIMESTAMP,
                                     KVSQL_TYPE_INT,   KVSQL_TYPE_UUID,   KVSQL_TYPE_BIGINT };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i] == type)
      return i + 1;
  return 0;
}

/* Whether the KEY of a row has to be new: the workload says so, or it would be refused otherwise,
 * or it has a number or UUID that was made for it. */
static gboolean
must_be_fresh (const KvsqlTrialEditor *self, const KvsqlInsert *insert, const KvsqlAstExpr *key)
{
  return self->from->is_fresh
         || (get_written (self)->is_unique && insert->on_conflict == KVSQL_CONFLICT_REPLACE)
         || key->parameter >= self->n_given;
}

/* The column of a KEY that gets a new value; G_MAXUINT: none can, or need. */
static guint
choose_fresh (const KvsqlTrialEditor *self, const KvsqlInsert *insert, KvsqlAstExpr **row)
{
  const KvsqlRelation *relation = get_written (self);
  guint best = G_MAXUINT, best_rate = 0, attribute;

  for (guint i = 0; i < insert->n_attributes; i++)
    if (row[i] != NULL && row[i]->kind == KVSQL_AST_PARAMETER
        && kvsql_relation_find (relation, &insert->attributes[i], &attribute, NULL)
        && relation->attributes[attribute].is_key && must_be_fresh (self, insert, row[i])
        && rate_fresh (relation->attributes[attribute].type) > best_rate)
      {
        best = i;
        best_rate = rate_fresh (relation->attributes[attribute].type);
      }
  return best;
}

/* The KEY is that of a tuple, the other values are those of another one. */
static void
bind_row (KvsqlTrialEditor *self, const KvsqlInsert *insert, guint number)
{
  KvsqlAstExpr **row = insert->rows[number];
  const guint fresh = choose_fresh (self, insert, row);
  KvsqlScopePlace place = { .member = 0 };

  for (guint i = 0; i < insert->n_attributes; i++)
    {
      gboolean is_key;

      if (row[i] == NULL
          || !kvsql_relation_find (get_written (self), &insert->attributes[i], &place.attribute,
                                   NULL))
        continue;
      is_key = get_written (self)->attributes[place.attribute].is_key;
      if (i == fresh)
        set_parameter (self, row[i], KVSQL_TRIAL_FRESH, &place, 2 * number);
      else
        bind_rest (self, row[i], &place, 2 * number + (is_key ? 0 : 1));
    }
}

static void
bind_items (KvsqlTrialEditor *self, const KvsqlSelectItem *items, guint n)
{
  for (guint i = 0; i < n; i++)
    bind_expr (self, items[i].expr);
}

/* A count in HAVING: what no attribute says anything about. */
static void
bind_having (KvsqlTrialEditor *self, const KvsqlAstExpr *expr)
{
  bind_expr (self, expr);
  for (guint i = 0; expr != NULL && i < expr->n_children; i++)
    bind_having (self, expr->children[i]);
  set_number (self, expr, 1);
}

static void
bind_select (KvsqlTrialEditor *self, const KvsqlSelect *select)
{
  bind_condition (self, select->where);
  bind_joins (self, select->join);
  bind_having (self, select->having);
  bind_items (self, select->items, select->n_items);
  for (guint i = 0; i < select->n_group_by; i++)
    bind_expr (self, select->group_by[i]);
  for (guint i = 0; i < select->n_order_by; i++)
    bind_expr (self, select->order_by[i].expr);
  set_number (self, select->limit, USUAL_LIMIT);
  set_number (self, select->offset, 0);
}

static void
bind_statement (KvsqlTrialEditor *self)
{
  const KvsqlAstStatement *ast = self->ast;

  if (ast->kind == KVSQL_STATEMENT_SELECT)
    bind_select (self, &ast->select);
  else if (ast->kind == KVSQL_STATEMENT_INSERT)
    {
      for (guint i = 0; i < ast->insert.n_rows; i++)
        bind_row (self, &ast->insert, i);
      bind_assignments (self, ast->insert.assignments, ast->insert.n_assignments);
      bind_condition (self, ast->insert.conflict_where);
      bind_items (self, ast->insert.returning, ast->insert.n_returning);
      set_number (self, ast->insert.using_timestamp, g_get_real_time () / 1000);
    }
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    {
      bind_condition (self, ast->update.where);
      bind_assignments (self, ast->update.assignments, ast->update.n_assignments);
      set_number (self, ast->update.limit, USUAL_LIMIT);
      bind_items (self, ast->update.returning, ast->update.n_returning);
      set_number (self, ast->update.using_timestamp, g_get_real_time () / 1000);
    }
  else
    {
      bind_condition (self, ast->delete_.where);
      set_number (self, ast->delete_.limit, USUAL_LIMIT);
      bind_items (self, ast->delete_.returning, ast->delete_.n_returning);
      set_number (self, ast->delete_.using_timestamp, g_get_real_time () / 1000);
    }
}

gboolean
kvsql_trial_bind_parameters (KvsqlTrialEditor *self)
{
  KvsqlTrialStatement *out = self->out;

  out->n_parameters = self->ast->n_parameters;
  out->parameters = kvsql_arena_array (self->maker->arena, KvsqlTrialParameter, out->n_parameters);
  self->is_bound = kvsql_arena_array (self->maker->arena, gboolean, out->n_parameters);
  bind_statement (self);
  for (guint i = 0; i < out->n_parameters; i++)
    if (!self->is_bound[i])
      return kvsql_trial_refuse (
          self, kvsql_arena_printf (self->maker->arena,
                                    "nothing says which values parameter %u has", i + 1));
  return TRUE;
}
