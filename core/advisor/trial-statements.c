/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial-statements.c: the statements of a workload, for the copies.
 *
 * A statement is changed in its tree: the relations are the copies, under their old names as
 * aliases.
 */
#include "config.h"

#include "core/advisor/cost-model.h"
#include "core/advisor/planner.h"
#include "core/advisor/trial-private.h"
#include "core/sql/copy.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"
#include "core/sql/visit.h"

/* ---- relations */

typedef struct
{
  const KvsqlTrialMaker *maker;
  guint side;
  const KvsqlName *written; /* nullable: the relation of an INSERT, which has no alias */
  const gchar *copy;        /* of it */
} Renaming;

static const gchar *
find_copy (const Renaming *self, const KvsqlName *name)
{
  const KvsqlTrial *trial = self->maker->trial;

  for (guint i = 0; i < trial->n_relations; i++)
    {
      const KvsqlRelation *relation = self->maker->workload->relations[i].relation;

      if (kvsql_name_means (name, relation->name, relation->is_quoted))
        return trial->relations[i].copies[self->side];
    }
  return NULL;
}

/* @alias: (inout) (nullable): the old name, if there is none */
static void
rename_relation (const Renaming *self, KvsqlName *name, KvsqlName *alias)
{
  const gchar *copy = find_copy (self, name);

  if (copy == NULL)
    return;
  if (alias != NULL && alias->text == NULL)
    *alias = *name;
  *name = (KvsqlName){ .span = name->span, .text = copy };
}

static void
rename_source (KvsqlSource *source, gpointer data)
{
  rename_relation (data, &source->relation, &source->alias);
}

static void
rename_qualifier (KvsqlAstExpr *expr, gpointer data)
{
  const Renaming *self = data;

  if (self->written != NULL && expr->kind == KVSQL_AST_NAME && expr->qualifier.text != NULL
      && g_ascii_strcasecmp (expr->qualifier.text, self->written->text) == 0)
    expr->qualifier = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = self->copy };
}

static void
rename_all (const KvsqlTrialMaker *maker, guint side, KvsqlAstStatement *ast)
{
  Renaming self = { .maker = maker, .side = side };
  const KvsqlAstVisitor visitor
      = { .source = rename_source, .expr = rename_qualifier, .data = &self };
  const KvsqlName written
      = ast->kind == KVSQL_STATEMENT_INSERT ? ast->insert.relation : (KvsqlName){ .text = NULL };

  if (ast->kind == KVSQL_STATEMENT_INSERT)
    {
      rename_relation (&self, &ast->insert.relation, NULL);
      self.written = &written;
      self.copy = ast->insert.relation.text;
    }
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    rename_relation (&self, &ast->update.relation, &ast->update.alias);
  else if (ast->kind == KVSQL_STATEMENT_DELETE)
    rename_relation (&self, &ast->delete_.relation, &ast->delete_.alias);
  kvsql_statement_visit (ast, &visitor);
}

/* ---- texts */

typedef struct
{
  KvsqlArena *arena;
  KvsqlTrialText *out;
} Numbering;

/* $n of the text, by the parameters of the statement. */
static void
number_parameter (KvsqlAstExpr *expr, gpointer data)
{
  Numbering *self = data;
  KvsqlTrialText *out = self->out;
  guint n = 0;

  if (expr->kind != KVSQL_AST_PARAMETER)
    return;
  while (n < out->n_parameters && out->parameters[n] != expr->parameter)
    n++;
  if (n == out->n_parameters)
    *KVSQL_ARENA_ADD (self->arena, out->parameters, out->n_parameters) = expr->parameter;
  expr->name
      = (KvsqlName){ .span = KVSQL_SPAN_NONE,
                     .text = kvsql_arena_printf (self->arena, KVSQL_AST_NUMBERED "%u", n + 1) };
}

static void
make_text (const KvsqlTrialMaker *maker, const KvsqlAstStatement *ast, KvsqlTrialText *out)
{
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    {
      /* it changes the copy */
      KvsqlAstStatement *copy = (KvsqlAstStatement *)kvsql_statement_copy (ast, maker->arena);
      Numbering numbering = { maker->arena, out };
      const KvsqlAstVisitor visitor = { .expr = number_parameter, .data = &numbering };
      g_autoptr (GString) text = g_string_new (NULL);

      rename_all (maker, side, copy);
      kvsql_statement_visit (copy, &visitor);
      kvsql_print_statement (copy, text);
      out->sql[side] = kvsql_arena_strdup (maker->arena, text->str);
    }
}

/* ---- the tuples that a write changes */

static KvsqlAstExpr *
make_name (const KvsqlTrialEditor *self, guint attribute)
{
  const KvsqlAttribute *of
      = &self->maker->workload->relations[self->out->relation].relation->attributes[attribute];
  KvsqlAstExpr *expr = kvsql_arena_new0 (self->maker->arena, KvsqlAstExpr);

  expr->kind = KVSQL_AST_NAME;
  expr->span = KVSQL_SPAN_NONE;
  expr->name = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = of->name, .is_quoted = of->is_quoted };
  return expr;
}

static KvsqlAstExpr *
make_binary (const KvsqlTrialEditor *self, KvsqlOperator op, KvsqlAstExpr *left,
             KvsqlAstExpr *right)
{
  KvsqlAstExpr *expr;

  if (left == NULL)
    return right;
  expr = kvsql_arena_new0 (self->maker->arena, KvsqlAstExpr);
  expr->kind = KVSQL_AST_BINARY;
  expr->op = op;
  expr->span = expr->op_span = KVSQL_SPAN_NONE;
  expr->n_children = 2;
  expr->children = kvsql_arena_array (self->maker->arena, KvsqlAstExpr *, 2);
  expr->children[0] = left;
  expr->children[1] = right;
  return expr;
}

/* The KEY of a row of VALUES; NULL: it does not have it all. */
static KvsqlAstExpr *
make_key (const KvsqlTrialEditor *self, const KvsqlInsert *insert, guint row)
{
  const KvsqlRelation *relation = self->maker->workload->relations[self->out->relation].relation;
  KvsqlAttributeSet found = { 0 };
  KvsqlAstExpr *key = NULL;

  for (guint i = 0; i < insert->n_attributes; i++)
    {
      guint attribute;

      if (insert->rows[row][i] == NULL
          || !kvsql_relation_find (relation, &insert->attributes[i], &attribute, NULL)
          || !relation->attributes[attribute].is_key)
        continue;
      kvsql_attribute_set_add (&found, attribute);
      key = make_binary (
          self, KVSQL_OP_AND, key,
          make_binary (self, KVSQL_OP_EQ, make_name (self, attribute), insert->rows[row][i]));
    }
  return kvsql_attribute_set_contains (&found, &relation->keys) ? key : NULL;
}

static KvsqlAstExpr *
make_keys (const KvsqlTrialEditor *self, const KvsqlInsert *insert)
{
  KvsqlAstExpr *keys = NULL;

  for (guint i = 0; i < insert->n_rows; i++)
    {
      KvsqlAstExpr *key = make_key (self, insert, i);

      if (key == NULL)
        return NULL;
      keys = make_binary (self, KVSQL_OP_OR, keys, key);
    }
  return keys;
}

/* SELECT of all attributes. */
static KvsqlAstStatement *
make_select (const KvsqlTrialEditor *self, const KvsqlName *relation, const KvsqlName *alias)
{
  const guint n = self->maker->workload->relations[self->out->relation].relation->n_attributes;
  KvsqlAstStatement *ast = kvsql_arena_new0 (self->maker->arena, KvsqlAstStatement);
  KvsqlSelect *select = &ast->select;

  ast->kind = KVSQL_STATEMENT_SELECT;
  ast->span = KVSQL_SPAN_NONE;
  select->items = kvsql_arena_array (self->maker->arena, KvsqlSelectItem, n);
  select->n_items = n;
  for (guint i = 0; i < n; i++)
    select->items[i].expr = make_name (self, i);
  select->from.relation = *relation;
  select->from.alias = *alias;
  return ast;
}

static void
make_touched (const KvsqlTrialEditor *self, const KvsqlName *relation, const KvsqlName *alias,
              KvsqlAstExpr *where, KvsqlOrderItem *order, guint n_order, KvsqlAstExpr *limit)
{
  KvsqlAstStatement *ast = make_select (self, relation, alias);

  ast->select.where = where;
  ast->select.order_by = order;
  ast->select.n_order_by = n_order;
  ast->select.limit = limit;
  make_text (self->maker, ast, &self->out->touched);
}

static void
make_inserted (const KvsqlTrialEditor *self, const KvsqlInsert *insert)
{
  const KvsqlName none = { .text = NULL };
  KvsqlAstExpr *keys = make_keys (self, insert);
  KvsqlAstStatement *ast;

  if (keys == NULL)
    return;
  make_touched (self, &insert->relation, &none, keys, NULL, 0, NULL);
  ast = kvsql_arena_new0 (self->maker->arena, KvsqlAstStatement);
  ast->kind = KVSQL_STATEMENT_DELETE;
  ast->span = KVSQL_SPAN_NONE;
  ast->delete_.relation = insert->relation;
  ast->delete_.where = keys;
  make_text (self->maker, ast, &self->out->removed);
}

static gboolean
assigns_key (const KvsqlTrialEditor *self)
{
  const KvsqlRelation *relation = self->maker->workload->relations[self->out->relation].relation;

  return self->ast->kind == KVSQL_STATEMENT_UPDATE
         && kvsql_attribute_set_intersects (&self->from->shape.assigned, &relation->keys);
}

static gboolean
make_write_texts (KvsqlTrialEditor *self)
{
  const KvsqlAstStatement *ast = self->ast;

  if (assigns_key (self))
    return kvsql_trial_refuse (self, "it changes the KEY");
  if (ast->kind == KVSQL_STATEMENT_INSERT)
    make_inserted (self, &ast->insert);
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    make_touched (self, &ast->update.relation, &ast->update.alias, ast->update.where,
                  ast->update.order_by, ast->update.n_order_by, ast->update.limit);
  else if (ast->kind == KVSQL_STATEMENT_DELETE)
    make_touched (self, &ast->delete_.relation, &ast->delete_.alias, ast->delete_.where,
                  ast->delete_.order_by, ast->delete_.n_order_by, ast->delete_.limit);
  return TRUE;
}

/* ---- costs of writes */

static void
set_write_costs (KvsqlTrialEditor *self)
{
  const KvsqlAdvice *advice = self->maker->advice;
  const KvsqlCostModel *model = advice->problem->model;
  const KvsqlWorkload *workload = self->maker->workload;
  KvsqlTrialStatement *out = self->out;
  KvsqlDesigns today = { 0 };

  kvsql_designs_add_given (workload, out->relation, self->maker->arena, &today);
  for (guint i = 0; i < today.n; i++)
    out->write_cost[0] += model->write (workload, self->from, &today.items[i]).cost;
  for (guint i = 0; i < advice->n_schemas; i++)
    if (advice->schemas[i].design->relation == out->relation)
      out->write_cost[1] += model->write (workload, self->from, advice->schemas[i].design).cost;
  out->changed = out->is_explained ? workload->planned[self->from->first].changed : 1;
}

/* ---- a statement */

static gboolean
edit (KvsqlTrialEditor *self)
{
  KvsqlTrialStatement *out = self->out;

  if (!kvsql_trial_fix_values (self) || !kvsql_trial_bind_parameters (self)
      || !kvsql_trial_find_answer (self))
    return FALSE;
  out->is_write = self->ast->kind != KVSQL_STATEMENT_SELECT;
  out->is_explained = self->ast->kind != KVSQL_STATEMENT_INSERT;
  if (out->is_write && !make_write_texts (self))
    return FALSE;
  if (out->is_write)
    set_write_costs (self);
  make_text (self->maker, self->ast, &out->statement);
  return TRUE;
}

void
kvsql_trial_add_statement (KvsqlTrialMaker *maker, const KvsqlWorkloadStatement *from)
{
  KvsqlTrialStatement *out
      = KVSQL_ARENA_ADD (maker->arena, maker->trial->statements, maker->trial->n_statements);
  KvsqlTrialEditor self = { .maker = maker, .from = from, .out = out };
  g_autoptr (GError) error = NULL;

  *out = (KvsqlTrialStatement){ .number = from->number,
                                .weight = from->weight,
                                .text = kvsql_arena_strdup (maker->arena, from->text),
                                .relation = from->relation };
  /* again: the tree of a join was changed when it was split */
  self.ast = kvsql_parser_parse (kvsql_slice_from_text (out->text), maker->arena, &error);
  if (self.ast == NULL
      || !kvsql_scope_make (maker->workload, self.ast, maker->arena, &self.scope, &error))
    {
      kvsql_trial_refuse (&self, kvsql_arena_strdup (maker->arena, error->message));
      return;
    }
  edit (&self);
}
