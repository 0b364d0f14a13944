/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * constraints.c: CHECK, UNIQUE and FOREIGN KEY of new definitions, and ALTER … ADD CONSTRAINT.
 */
#include "config.h"

#include "core/engine/definitions-private.h"
#include "core/exec/select.h"
#include "core/plan/row-rules.h"
#include "core/sql/map-names.h"
#include "core/sql/options.h"
#include "core/sql/parser.h"

/* ---- names */

/* The attribute of a definition that a name means. -1: none. */
static gint
find_attribute (const KvsqlDefineRelation *relation, const KvsqlName *name)
{
  KvsqlNameChoice choice = kvsql_definition_choose (relation, name);

  return kvsql_name_choice_is_made (&choice) ? (gint)choice.index : -1;
}

typedef struct
{
  const KvsqlDefineRelation *relation;
  KvsqlAttributeSet used;
} Use;

/* A name becomes that of the attribute, without the name of the relation. What is unknown stays,
 * and is an error when the expression is bound. */
static gboolean
use_attribute (KvsqlAstExpr *name, gpointer data, G_GNUC_UNUSED GError **error)
{
  Use *self = data;
  gint found = find_attribute (self->relation, &name->name);

  if (found < 0
      || (name->qualifier.text != NULL
          && !kvsql_name_means (&name->qualifier, self->relation->name.text,
                                self->relation->name.is_quoted)))
    return TRUE;
  name->qualifier.text = NULL;
  name->name.text = self->relation->attributes[found].name.text;
  name->name.is_quoted = self->relation->attributes[found].name.is_quoted;
  name->name.is_double_quoted = FALSE;
  kvsql_attribute_set_add (&self->used, (guint)found);
  return TRUE;
}

static gboolean
is_taken (const KvsqlConstraintDefinition *constraints, guint n, const gchar *name)
{
  for (guint i = 0; i < n; i++)
    if (constraints[i].name.text != NULL
        && g_ascii_strcasecmp (constraints[i].name.text, name) == 0)
      return TRUE;
  return FALSE;
}

/* As in PostgreSQL: table_column_check, or table_check if there is not just one column. */
static KvsqlName
make_name (const KvsqlDefineRelation *relation, const KvsqlAttributeSet *used, KvsqlArena *arena)
{
  guint n = 0, attribute = 0;
  const gchar *stem, *name;

  for (guint i = 0; i < relation->n_attributes; i++)
    if (kvsql_attribute_set_has (used, i))
      {
        attribute = i;
        n++;
      }
  stem = n == 1 ? kvsql_arena_printf (arena, "%s_%s_check", relation->name.text,
                                      relation->attributes[attribute].name.text)
                : kvsql_arena_printf (arena, "%s_check", relation->name.text);
  name = stem;
  for (guint i = 1; is_taken (relation->constraints, relation->n_constraints, name); i++)
    name = kvsql_arena_printf (arena, "%s%u", stem, i);
  return (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = name };
}

/* ---- what there is not */

/* Whether the columns of UNIQUE contain the KEY, which is unique. */
static gboolean
is_implied (const KvsqlDefineRelation *relation, const KvsqlConstraintDefinition *constraint)
{
  KvsqlAttributeSet columns = { 0 };

  if (constraint->kind != KVSQL_CONSTRAINT_UNIQUE)
    return FALSE;
  for (guint i = 0; i < constraint->n_columns; i++)
    {
      gint found = find_attribute (relation, &constraint->columns[i]);
      if (found < 0)
        return FALSE;
      kvsql_attribute_set_add (&columns, (guint)found);
    }
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && !kvsql_attribute_set_has (&columns, i))
      return FALSE;
  return TRUE;
}

static gboolean
refuse (KvsqlDecision *self, const KvsqlConstraintDefinition *constraint, gboolean is_ignored,
        GError **error)
{
  gboolean is_unique = constraint->kind == KVSQL_CONSTRAINT_UNIQUE;

  if (is_ignored)
    {
      kvsql_result_page_warn (self->page,
                              is_unique ? "UNIQUE is ignored: nothing checks that values differ"
                                        : "a foreign key is ignored: nothing checks that there is "
                                          "a tuple in \"%s\"",
                              constraint->referenced.text);
      return TRUE;
    }
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, constraint->span,
                   is_unique ? "UNIQUE is not supported beyond the KEY"
                             : "foreign keys are not supported");
  return kvsql_error_hint (error, "Leave it out: the program that writes has to check it. WITH "
                                  "(constraints = 'ignore') leaves it out with a warning.");
}

/* ---- definitions */

/* Adds the constraint to those of @inout, if it is one that is stored. */
static gboolean
add_constraint (KvsqlDecision *self, const KvsqlConstraintDefinition *written,
                KvsqlDefineRelation *inout, gboolean is_ignored, GError **error)
{
  KvsqlArena *arena = self->execution->binder.arena;
  KvsqlConstraintDefinition constraint = *written;
  Use use = { .relation = inout };

  if (inout->n_constraints == KVSQL_MAX_CONSTRAINTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, written->span,
                            "relation \"%s\" has more than %d constraints", inout->name.text,
                            KVSQL_MAX_CONSTRAINTS);
  if (constraint.kind != KVSQL_CONSTRAINT_CHECK)
    return is_implied (inout, written) || refuse (self, written, is_ignored, error);
  constraint.expr = kvsql_ast_map_names (written->expr, use_attribute, &use, arena, error);
  if (constraint.expr == NULL)
    return FALSE;
  if (constraint.name.text == NULL)
    constraint.name = make_name (inout, &use.used, arena);
  else if (is_taken (inout->constraints, inout->n_constraints, constraint.name.text))
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, constraint.name.span,
                            "constraint \"%s\" is defined twice", constraint.name.text);
  KVSQL_ARENA_ADD (arena, inout->constraints, inout->n_constraints)[0] = constraint;
  return TRUE;
}

static gboolean
add_constraints (KvsqlDecision *self, const KvsqlConstraintDefinition *written, guint n,
                 KvsqlDefineRelation *inout, gboolean is_ignored, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!add_constraint (self, &written[i], inout, is_ignored, error))
      return FALSE;
  return TRUE;
}

/* UNIQUE and REFERENCES after the type of a column are about this column. */
static gboolean
add_of_attribute (KvsqlDecision *self, KvsqlAttributeDefinition *attribute,
                  KvsqlDefineRelation *inout, gboolean is_ignored, GError **error)
{
  if (attribute->n_constraints > KVSQL_MAX_CONSTRAINTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, attribute->span,
                            "column \"%s\" has more than %d constraints", attribute->name.text,
                            KVSQL_MAX_CONSTRAINTS);
  for (guint i = 0; i < attribute->n_constraints; i++)
    {
      KvsqlConstraintDefinition constraint = attribute->constraints[i];

      constraint.columns = &attribute->name;
      constraint.n_columns = 1;
      if (!add_constraint (self, &constraint, inout, is_ignored, error))
        return FALSE;
    }
  attribute->constraints = NULL;
  attribute->n_constraints = 0;
  return TRUE;
}

gboolean
kvsql_decision_settle_constraints (KvsqlDecision *self, KvsqlDefineRelation *inout, GError **error)
{
  const KvsqlOption *option = kvsql_options_find (&inout->options, "constraints");
  gboolean is_ignored = option != NULL && kvsql_option_is_word (option, "ignore");
  const KvsqlConstraintDefinition *written = inout->constraints;
  guint n = inout->n_constraints;

  if (!kvsql_relation_check_size (inout, error))
    return FALSE;
  inout->constraints = NULL;
  inout->n_constraints = 0;
  for (guint i = 0; i < inout->n_attributes; i++)
    if (!add_of_attribute (self, &inout->attributes[i], inout, is_ignored, error))
      return FALSE;
  return add_constraints (self, written, n, inout, is_ignored, error);
}

/* ---- validity */

static gboolean
check_checks (const KvsqlBinder *binder, const KvsqlConstraintDefinition *constraints, guint n,
              const KvsqlRelation *relation, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (constraints[i].kind == KVSQL_CONSTRAINT_CHECK
        && kvsql_row_rules_bind_check (binder, relation, constraints[i].expr, error) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
check_attribute (const KvsqlBinder *binder, const KvsqlAttributeDefinition *written,
                 const KvsqlRelation *relation, guint attribute, GError **error)
{
  const KvsqlAttribute *is = &relation->attributes[attribute];

  return (is->default_expr == NULL || written->default_value == NULL
          || kvsql_row_rules_bind_default (binder, is, written->default_value, error) != NULL)
         && check_checks (binder, written->constraints, written->n_constraints, relation, error);
}

gboolean
kvsql_decision_check_rules (KvsqlDecision *self, const KvsqlDefineRelation *written,
                            const KvsqlRelation *relation, GError **error)
{
  const KvsqlBinder *binder = &self->execution->binder;

  for (guint i = 0; i < written->n_attributes; i++)
    if (!check_attribute (binder, &written->attributes[i], relation, i, error))
      return FALSE;
  return check_checks (binder, written->constraints, written->n_constraints, relation, error);
}

/* ---- ALTER */

gboolean
kvsql_decision_settle_alter (KvsqlDecision *self, KvsqlAlter *inout, GError **error)
{
  KvsqlArena *arena = self->execution->binder.arena;
  const KvsqlCatalogEntry *entry;
  KvsqlAstStatement *statement;
  KvsqlDefineRelation *definition;
  guint n_before;
  gboolean ok;

  if (inout->what != KVSQL_ALTER_CONSTRAIN && inout->attribute.n_constraints == 0)
    return TRUE;
  entry = kvsql_catalog_find (self->execution->catalog, &inout->relation, error);
  statement = entry == NULL ? NULL
                            : kvsql_parser_parse_definition (
                                kvsql_slice_from_text (entry->relation->text), arena, error);
  if (statement == NULL)
    return FALSE;
  definition = &statement->define_relation;
  n_before = definition->n_constraints;
  if (inout->what == KVSQL_ALTER_ADD)
    KVSQL_ARENA_ADD (arena, definition->attributes, definition->n_attributes)[0] = inout->attribute;
  ok = inout->what == KVSQL_ALTER_ADD
           ? add_of_attribute (self, &inout->attribute, definition,
                               entry->relation->ignores_constraints, error)
           : add_constraint (self, &inout->constraint, definition,
                             entry->relation->ignores_constraints, error);
  if (!ok)
    return FALSE;
  inout->attribute.n_constraints = definition->n_constraints - n_before;
  if (inout->attribute.n_constraints > 0)
    inout->attribute.constraints = definition->constraints + n_before;
  return TRUE;
}

/* Reads the tuples until one does not satisfy the check. */
static gboolean
find_violation (const KvsqlDecision *self, const KvsqlAlter *alter, gboolean *out_found,
                GError **error)
{
  const KvsqlExecution *execution = self->execution;
  KvsqlArena *arena = execution->binder.arena;
  KvsqlAstExpr one = { .kind = KVSQL_AST_LITERAL,
                       .span = KVSQL_SPAN_NONE,
                       .value = { .type = KVSQL_TYPE_BIGINT, .integer = 1 } };
  KvsqlAstExpr *checked = alter->attribute.constraints[0].expr;
  KvsqlAstExpr violated = { .kind = KVSQL_AST_UNARY,
                            .span = checked->span,
                            .op_span = checked->span,
                            .op = KVSQL_OP_NOT,
                            .children = &checked,
                            .n_children = 1 };
  KvsqlSelectItem item = { .span = KVSQL_SPAN_NONE, .expr = &one };
  const KvsqlSelect select = { .items = &item,
                               .n_items = 1,
                               .from = { .relation = alter->relation },
                               .where = &violated,
                               .limit = &one };
  const KvsqlSelectPlan *plan = kvsql_execution_plan_select (execution, &select, error);
  g_autoptr (KvsqlSelectRun) run = NULL;
  g_autoptr (KvsqlBatch) page = NULL;
  gboolean has_more;

  if (plan == NULL)
    return FALSE;
  run = kvsql_select_run_new (plan, kvsql_execution_get_store (execution), &execution->limits,
                              NULL);
  if (!kvsql_select_run_page (run, 1, 1, execution->call, arena, &page, &has_more, error))
    return FALSE;
  *out_found = page->n_rows > 0;
  return TRUE;
}

static gboolean
check_tuples (const KvsqlDecision *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_catalog_lookup (self->execution->catalog, &alter->relation);
  gboolean is_violated = FALSE;

  if (alter->what != KVSQL_ALTER_CONSTRAIN || alter->is_not_valid
      || alter->attribute.n_constraints == 0 || entry->n_schemas == 0
      || !entry->schemas[0]->is_primary)
    return TRUE;
  if (!find_violation (self, alter, &is_violated, error))
    return FALSE;
  if (!is_violated)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, alter->constraint.span,
                   "check constraint \"%s\" of relation \"%s\" is violated by some tuple",
                   alter->attribute.constraints[0].name.text, entry->relation->name);
  kvsql_error_sqlstate (error, "23514");
  return kvsql_error_hint (error, "NOT VALID after it checks only what is written from now on.");
}

gboolean
kvsql_decision_check_alter (KvsqlDecision *self, const KvsqlAlter *written,
                            const KvsqlAlter *settled, const KvsqlRelation *relation,
                            GError **error)
{
  const KvsqlBinder *binder = &self->execution->binder;
  const KvsqlAstExpr *value = written->attribute.default_value;
  const KvsqlName *name
      = written->what == KVSQL_ALTER_ADD ? &written->attribute.name : &written->name;
  guint attribute;

  if (value != NULL
      && (!kvsql_relation_find (relation, name, &attribute, error)
          || (relation->attributes[attribute].default_expr != NULL
              && kvsql_row_rules_bind_default (binder, &relation->attributes[attribute], value,
                                               error)
                     == NULL)))
    return FALSE;
  if (written->what == KVSQL_ALTER_CONSTRAIN
      && !check_checks (binder, &written->constraint, 1, relation, error))
    return FALSE;
  return check_checks (binder, written->attribute.constraints, written->attribute.n_constraints,
                       relation, error)
         && check_tuples (self, settled, error);
}
