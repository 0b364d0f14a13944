/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-dump.c: independent of the printer, so that tests can compare them.
 */
#include "config.h"

#include "tests/sql/ast-dump.h"

#include "core/sql/printer.h"

typedef struct
{
  GString *out;
  gboolean with_spans;
  gchar *indent;
} Dump;

static void
dump_span (Dump *dump, KvsqlSpan span)
{
  if (dump->with_spans && span.offset >= 0)
    g_string_append_printf (dump->out, "@%d+%d", span.offset, span.length);
}

/* NULL, or the text, `exact` in back-quotes. */
static void
dump_name (Dump *dump, const KvsqlName *name)
{
  if (name->text == NULL)
    g_string_append (dump->out, "-");
  else
    g_string_append_printf (dump->out,
                            name->is_quoted          ? "`%s`"
                            : name->is_double_quoted ? "\"%s\""
                                                     : "%s",
                            name->text);
  if (name->text != NULL)
    dump_span (dump, name->span);
}

static void
dump_bytes (Dump *dump, KvsqlSlice bytes)
{
  g_string_append_c (dump->out, '"');
  kvsql_append_readable (dump->out, bytes);
  g_string_append_c (dump->out, '"');
}

static void
dump_value (Dump *dump, const KvsqlValue *value)
{
  g_string_append (dump->out, kvsql_type_get_name (value->type));
  switch (value->type)
    {
    case KVSQL_TYPE_NULL:
      break;
    case KVSQL_TYPE_BOOLEAN:
      g_string_append (dump->out, value->boolean ? " true" : " false");
      break;
    case KVSQL_TYPE_BIGINT:
      g_string_append_printf (dump->out, " %" G_GINT64_FORMAT, value->integer);
      break;
    case KVSQL_TYPE_DOUBLE:
      g_string_append_printf (dump->out, " %.17g", value->real);
      break;
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_BYTES:
    case KVSQL_TYPE_DECIMAL:
      g_string_append_c (dump->out, ' ');
      dump_bytes (dump, value->bytes);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
dump_head (Dump *dump, const KvsqlAstExpr *expr)
{
  static const gchar *const kinds[] = {
    [KVSQL_AST_LITERAL] = "literal",
    [KVSQL_AST_PARAMETER] = "parameter",
    [KVSQL_AST_NAME] = "name",
    [KVSQL_AST_UNARY] = "unary",
    [KVSQL_AST_BINARY] = "binary",
    [KVSQL_AST_IN] = "in",
    [KVSQL_AST_BETWEEN] = "between",
    [KVSQL_AST_LIKE] = "like",
    [KVSQL_AST_RLIKE] = "rlike",
    [KVSQL_AST_IS_NULL] = "is-null",
    [KVSQL_AST_FUNCTION] = "call",
    [KVSQL_AST_CAST] = "cast",
    [KVSQL_AST_CASE] = "case",
    [KVSQL_AST_SUBSCRIPT] = "subscript",
    [KVSQL_AST_IS_TRUTH] = "is-truth",
    [KVSQL_AST_IS_DISTINCT] = "is-distinct",
    [KVSQL_AST_QUANTIFIED] = "quantified",
    [KVSQL_AST_ARRAY] = "array",
    [KVSQL_AST_ROW] = "row",
    [KVSQL_AST_GROUPING] = "grouping",
    [KVSQL_AST_EXISTS] = "exists",
    [KVSQL_AST_SUBQUERY] = "subquery",
    [KVSQL_AST_WINDOW] = "window",
  };

  g_string_append_printf (dump->out, "(%s%s%s%s%s%s%s%s%s", kinds[expr->kind],
                          expr->is_negated ? " negated" : "", expr->is_star ? " star" : "",
                          expr->is_distinct ? " distinct" : "",
                          expr->has_operand ? " with-operand" : "",
                          expr->has_else ? " with-else" : "", expr->is_caseless ? " caseless" : "",
                          expr->is_symmetric ? " symmetric" : "", expr->is_all ? " all" : "");
  if (expr->op != KVSQL_OP_NONE)
    g_string_append_printf (dump->out, " %s", kvsql_operator_get_text (expr->op));
}

static void dump_select (Dump *dump, const KvsqlSelect *self);

static void
dump_window (Dump *dump, const KvsqlAstWindow *self)
{
  static const gchar *const bounds[] = { "first", "preceding", "current", "following", "last" };
  static const gchar *const modes[] = { "range", "rows", "groups" };
  static const gchar *const exclusions[] = { "nothing", "row", "group", "ties" };

  g_string_append_c (dump->out, ' ');
  dump_name (dump, &self->name);
  g_string_append (dump->out, " base ");
  dump_name (dump, &self->base);
  g_string_append_printf (dump->out, " partition %u%s", self->n_partition,
                          self->has_copied_order ? " copied-order" : "");
  if (self->has_frame)
    g_string_append_printf (dump->out, " %s %s %s exclude-%s", modes[self->mode],
                            bounds[self->start], bounds[self->end], exclusions[self->exclusion]);
}

static void
dump_expr (Dump *dump, const KvsqlAstExpr *expr)
{
  static const gchar *const forms[] = { "empty", "rollup", "cube", "sets" };

  if (expr == NULL)
    {
      g_string_append_c (dump->out, '-');
      return;
    }
  dump_head (dump, expr);
  if (expr->kind == KVSQL_AST_LITERAL || expr->kind == KVSQL_AST_IS_TRUTH)
    {
      g_string_append_c (dump->out, ' ');
      dump_value (dump, &expr->value);
    }
  if (expr->kind == KVSQL_AST_GROUPING)
    g_string_append_printf (dump->out, " %s", forms[expr->grouping]);
  if (expr->kind == KVSQL_AST_PARAMETER)
    g_string_append_printf (dump->out, " %u", expr->parameter);
  if (expr->qualifier.text != NULL)
    {
      g_string_append (dump->out, " of ");
      dump_name (dump, &expr->qualifier);
    }
  if (expr->name.text != NULL)
    {
      g_string_append_c (dump->out, ' ');
      dump_name (dump, &expr->name);
    }
  for (guint i = 0; i < expr->n_order; i++)
    g_string_append_printf (dump->out, " %s%s%s",
                            expr->is_within_group ? "within-group-order" : "order",
                            expr->order[i].is_descending ? "-desc" : "",
                            expr->order[i].nulls == KVSQL_NULLS_FIRST  ? "-first"
                            : expr->order[i].nulls == KVSQL_NULLS_LAST ? "-last"
                                                                       : "");
  if (expr->has_filter)
    g_string_append (dump->out, " with-filter");
  if (expr->has_over)
    g_string_append (dump->out, " with-over");
  if (expr->window != NULL)
    dump_window (dump, expr->window);
  if (expr->cast_type.text != NULL)
    {
      g_string_append (dump->out, " as ");
      dump_name (dump, &expr->cast_type);
    }
  for (guint i = 0; i < expr->n_children; i++)
    {
      g_string_append_c (dump->out, ' ');
      dump_expr (dump, expr->children[i]);
    }
  if (expr->subquery != NULL)
    {
      Dump inner = { dump->out, dump->with_spans, "    " };
      dump_select (&inner, expr->subquery);
    }
  g_string_append_c (dump->out, ')');
  dump_span (dump, expr->span);
}

/* "\n", the indent, and @label: the start of each field. */
static void
begin (Dump *dump, const gchar *label)
{
  g_string_append_printf (dump->out, "\n%s%s: ", dump->indent, label);
}

static void
dump_name_field (Dump *dump, const gchar *label, const KvsqlName *name)
{
  begin (dump, label);
  dump_name (dump, name);
}

static void
dump_flag (Dump *dump, const gchar *label, gboolean value)
{
  if (value)
    g_string_append_printf (dump->out, "\n%s%s", dump->indent, label);
}

static void
dump_expr_field (Dump *dump, const gchar *label, const KvsqlAstExpr *expr)
{
  if (expr == NULL)
    return;
  begin (dump, label);
  dump_expr (dump, expr);
}

static void dump_sequence (Dump *dump, const KvsqlLayoutSequence *sequence);

static void
dump_arguments (Dump *dump, const KvsqlLayoutNode *node)
{
  for (guint i = 0; i < node->n_arguments; i++)
    {
      const KvsqlLayoutArgument *argument = &node->arguments[i];
      g_string_append (dump->out, " argument ");
      if (argument->kind == KVSQL_ARGUMENT_NAME)
        dump_name (dump, &argument->name);
      else
        dump_value (dump, &argument->value);
      dump_span (dump, argument->span);
    }
  if (node->has_list)
    g_string_append (dump->out, " list");
  for (guint i = 0; i < node->n_listed; i++)
    {
      g_string_append_c (dump->out, ' ');
      dump_name (dump, &node->listed[i]);
    }
}

static void
dump_node (Dump *dump, const KvsqlLayoutNode *node)
{
  switch (node->kind)
    {
    case KVSQL_LAYOUT_CONSTANT:
      g_string_append (dump->out, node->constant_is_bytes ? "(bytes " : "(text ");
      dump_bytes (dump, node->constant);
      break;
    case KVSQL_LAYOUT_ATTRIBUTE:
      g_string_append (dump->out, "(attribute ");
      dump_name (dump, &node->name);
      break;
    case KVSQL_LAYOUT_ELEMENT:
      g_string_append (dump->out, "(element ");
      dump_name (dump, &node->name);
      dump_arguments (dump, node);
      if (node->has_inner)
        {
          g_string_append (dump->out, " of ");
          dump_sequence (dump, &node->inner);
        }
      break;
    }
  g_string_append_c (dump->out, ')');
  dump_span (dump, node->span);
}

static void
dump_sequence (Dump *dump, const KvsqlLayoutSequence *sequence)
{
  g_string_append (dump->out, sequence->is_list ? "{list" : "{");
  for (guint i = 0; i < sequence->n_nodes; i++)
    {
      if (i > 0 || sequence->is_list)
        g_string_append_c (dump->out, ' ');
      dump_node (dump, &sequence->nodes[i]);
    }
  g_string_append_c (dump->out, '}');
  dump_span (dump, sequence->span);
}

static void
dump_names (Dump *dump, const gchar *label, const KvsqlName *names, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (dump->out, " %s ", label);
      dump_name (dump, &names[i]);
    }
}

static void
dump_constraints (Dump *dump, const KvsqlConstraintDefinition *constraints, guint n)
{
  static const gchar *const labels[] = { [KVSQL_CONSTRAINT_CHECK] = "check",
                                         [KVSQL_CONSTRAINT_UNIQUE] = "unique",
                                         [KVSQL_CONSTRAINT_FOREIGN] = "foreign-key" };

  for (guint i = 0; i < n; i++)
    {
      begin (dump, labels[constraints[i].kind]);
      if (constraints[i].name.text != NULL)
        dump_names (dump, "name", &constraints[i].name, 1);
      if (constraints[i].expr != NULL)
        dump_expr (dump, constraints[i].expr);
      dump_names (dump, "column", constraints[i].columns, constraints[i].n_columns);
      if (constraints[i].referenced.text != NULL)
        dump_names (dump, "references", &constraints[i].referenced, 1);
      dump_names (dump, "referenced", constraints[i].referenced_columns,
                  constraints[i].n_referenced_columns);
      dump_span (dump, constraints[i].span);
    }
}

static void
dump_sequence_options (Dump *dump, const KvsqlSequenceOptions *self)
{
  if (self->has_increment)
    g_string_append_printf (dump->out, " increment %" G_GINT64_FORMAT, self->increment);
  if (self->has_start)
    g_string_append_printf (dump->out, " start %" G_GINT64_FORMAT, self->start);
  if (self->has_minimum)
    g_string_append_printf (dump->out, " minimum %" G_GINT64_FORMAT, self->minimum);
  if (self->has_maximum)
    g_string_append_printf (dump->out, " maximum %" G_GINT64_FORMAT, self->maximum);
  if (self->type_name.text != NULL)
    dump_names (dump, "as", &self->type_name, 1);
  g_string_append (dump->out, self->is_cyclic ? " cyclic" : "");
  g_string_append (dump->out, self->resets_minimum ? " no-minimum" : "");
  g_string_append (dump->out, self->resets_maximum ? " no-maximum" : "");
  g_string_append (dump->out, self->resets_cycle ? " no-cycle" : "");
  g_string_append (dump->out, self->has_no_owner ? " no-owner" : "");
  g_string_append (dump->out, self->is_restarted ? " restart" : "");
  if (self->has_restart)
    g_string_append_printf (dump->out, " at %" G_GINT64_FORMAT, self->restart);
  if (self->owner.text == NULL)
    return;
  dump_names (dump, "owner", &self->owner, 1);
  dump_names (dump, "owner-attribute", &self->owner_attribute, 1);
}

static void
dump_attribute (Dump *dump, const KvsqlAttributeDefinition *attribute)
{
  dump_name (dump, &attribute->name);
  g_string_append_c (dump->out, ' ');
  dump_name (dump, &attribute->type_name);
  g_string_append_printf (dump->out, "%s%s", attribute->is_key ? " key" : "",
                          attribute->is_not_null ? " not-null" : "");
  if (attribute->default_value != NULL)
    {
      g_string_append (dump->out, " default ");
      dump_expr (dump, attribute->default_value);
    }
  if (!kvsql_value_is_null (&attribute->comment))
    {
      g_string_append (dump->out, " comment ");
      dump_value (dump, &attribute->comment);
    }
  if (attribute->identity != NULL)
    {
      g_string_append (dump->out, attribute->is_always ? " always" : " identity");
      dump_sequence_options (dump, attribute->identity);
    }
  dump_span (dump, attribute->span);
  dump_constraints (dump, attribute->constraints, attribute->n_constraints);
}

static void
dump_definition_comment (Dump *dump, const KvsqlValue *comment)
{
  if (kvsql_value_is_null (comment))
    return;
  begin (dump, "comment");
  dump_value (dump, comment);
}

static void
dump_options (Dump *dump, const KvsqlOptions *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      begin (dump, "option");
      dump_name (dump, &self->items[i].name);
      g_string_append (dump->out, self->items[i].value_is_name ? " word " : " ");
      dump_value (dump, &self->items[i].value);
      dump_span (dump, self->items[i].span);
    }
}

static void
dump_define_relation (Dump *dump, const KvsqlDefineRelation *self)
{
  dump_name_field (dump, "define-relation", &self->name);
  dump_flag (dump, "if-not-exists", self->if_not_exists);
  for (guint i = 0; i < self->n_attributes; i++)
    {
      begin (dump, "attribute");
      dump_attribute (dump, &self->attributes[i]);
    }
  dump_constraints (dump, self->constraints, self->n_constraints);
  dump_options (dump, &self->options);
  dump_definition_comment (dump, &self->comment);
}

static void
dump_define_schema (Dump *dump, const KvsqlDefineSchema *self)
{
  dump_name_field (dump, "define-schema", &self->name);
  dump_name_field (dump, "relation", &self->relation);
  dump_flag (dump, "primary", self->is_primary);
  dump_flag (dump, "if-not-exists", self->if_not_exists);
  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    {
      begin (dump, kvsql_field_get_name (i));
      g_string_append (dump->out, self->has_field[i] ? "" : "implied ");
      dump_sequence (dump, &self->fields[i]);
    }
  for (guint i = 0; i < self->n_lines; i++)
    {
      const KvsqlCellLine *line = &self->lines[i];

      begin (dump, "cell");
      dump_sequence (dump, &line->column);
      dump_sequence (dump, &line->value);
      dump_span (dump, line->span);
      dump_name_field (dump, "others", &line->others);
    }
  dump_name_field (dump, "timestamp", &self->timestamp);
  dump_options (dump, &self->options);
  dump_definition_comment (dump, &self->comment);
}

static void
dump_order_by (Dump *dump, const KvsqlOrderItem *items, guint n)
{
  static const gchar *const nulls[] = { "", " nulls first", " nulls last" };

  for (guint i = 0; i < n; i++)
    {
      dump_expr_field (dump, items[i].is_descending ? "order-by-descending" : "order-by",
                       items[i].expr);
      g_string_append (dump->out, nulls[items[i].nulls]);
    }
}

static void
dump_alias (Dump *dump, const KvsqlName *alias)
{
  if (alias->text != NULL)
    dump_name_field (dump, "alias", alias);
}

static void
dump_items (Dump *dump, const gchar *label, const KvsqlSelectItem *items, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      begin (dump, label);
      dump_expr (dump, items[i].expr);
      if (items[i].star_of.text != NULL)
        dump_name (dump, &items[i].star_of);
      dump_span (dump, items[i].span);
      g_string_append (dump->out, " alias ");
      dump_name (dump, &items[i].alias);
    }
}

static void
dump_source (Dump *dump, const gchar *label, const KvsqlSource *self)
{
  dump_name_field (dump, label, &self->relation);
  dump_flag (dump, "lateral", self->is_lateral);
  if (self->query != NULL)
    {
      Dump inner = { dump->out, dump->with_spans, "    " };
      dump_select (&inner, self->query);
    }
  for (guint i = 0; i < self->n_columns; i++)
    dump_name_field (dump, "column", &self->columns[i]);
  dump_alias (dump, &self->alias);
  dump_name_field (dump, "using", &self->using_schema);
}

static void
dump_join (Dump *dump, const KvsqlJoin *self)
{
  static const gchar *const kinds[] = { "inner", "left", "right", "full" };

  if (self->left == NULL)
    {
      g_string_append_printf (dump->out, "%u", self->source);
      return;
    }
  g_string_append_printf (dump->out, "(%s%s%s", self->is_comma ? "comma " : "",
                          self->is_natural ? "natural " : "", kinds[self->kind]);
  dump_span (dump, self->span);
  g_string_append_c (dump->out, ' ');
  dump_join (dump, self->left);
  g_string_append_c (dump->out, ' ');
  dump_join (dump, self->right);
  if (self->on != NULL)
    {
      g_string_append (dump->out, " on ");
      dump_expr (dump, self->on);
    }
  for (guint i = 0; i < self->n_names; i++)
    {
      g_string_append (dump->out, i == 0 ? " using " : " ");
      dump_name (dump, &self->names[i]);
    }
  g_string_append_c (dump->out, ')');
}

static void
dump_select (Dump *dump, const KvsqlSelect *self)
{
  static const gchar *const kinds[] = { "union", "intersect", "except" };

  if (self->set != NULL)
    {
      begin (dump, kinds[self->set->kind]);
      dump_flag (dump, "all", self->set->is_all);
      for (guint i = 0; i < self->set->n_operands; i++)
        {
          g_string_append (dump->out, i == 0 ? "(" : " (");
          dump_select (dump, self->set->operands[i]);
          g_string_append_c (dump->out, ')');
        }
    }
  else if (self->function != NULL)
    {
      dump_name_field (dump, "function", &self->function->name);
      dump_flag (dump, "ordinality", self->function->has_ordinality);
    }
  else
    dump_source (dump, "select-from", &self->from);
  for (guint i = 0; i < self->n_rows * self->n_values; i++)
    dump_expr_field (dump, "value", self->rows[i / self->n_values][i % self->n_values]);
  for (guint i = 0; i < self->n_joined; i++)
    dump_source (dump, "joined", &self->joined[i]);
  if (self->join != NULL)
    {
      begin (dump, "join");
      dump_join (dump, self->join);
    }
  dump_flag (dump, "distinct", self->is_distinct);
  for (guint i = 0; i < self->n_distinct_on; i++)
    dump_expr_field (dump, "distinct-on", self->distinct_on[i]);
  dump_items (dump, "item", self->items, self->n_items);
  dump_expr_field (dump, "where", self->where);
  if (self->is_group_distinct)
    begin (dump, "group-distinct");
  for (guint i = 0; i < self->n_group_by; i++)
    dump_expr_field (dump, "group-by", self->group_by[i]);
  dump_expr_field (dump, "having", self->having);
  for (guint i = 0; i < self->n_windows; i++)
    dump_expr_field (dump, "window", self->windows[i]);
  dump_order_by (dump, self->order_by, self->n_order_by);
  dump_expr_field (dump, "limit", self->limit);
  dump_expr_field (dump, "offset", self->offset);
  dump_flag (dump, "verified", self->is_verified);
}

static void
dump_assignments (Dump *dump, const KvsqlAssignment *assignments, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      dump_name_field (dump, "set", &assignments[i].name);
      g_string_append (dump->out, " to ");
      dump_expr (dump, assignments[i].expr);
    }
}

static void
dump_insert (Dump *dump, const KvsqlInsert *self)
{
  static const gchar *const actions[] = { "replace", "nothing", "update" };

  dump_name_field (dump, "insert-into", &self->relation);
  for (guint i = 0; i < self->n_attributes; i++)
    dump_name_field (dump, "attribute", &self->attributes[i]);
  for (guint i = 0; i < self->n_rows; i++)
    {
      begin (dump, "row");
      for (guint j = 0; j < self->n_values; j++)
        {
          g_string_append (dump->out, j == 0 ? "" : " ");
          dump_expr (dump, self->rows[i][j]);
        }
    }
  if (self->select != NULL)
    dump_select (dump, self->select);
  if (self->on_conflict != KVSQL_CONFLICT_REPLACE)
    {
      begin (dump, "on-conflict");
      g_string_append (dump->out, actions[self->on_conflict]);
    }
  for (guint i = 0; i < self->n_conflict_attributes; i++)
    dump_name_field (dump, "conflict-attribute", &self->conflict_attributes[i]);
  dump_assignments (dump, self->assignments, self->n_assignments);
  dump_expr_field (dump, "conflict-where", self->conflict_where);
  dump_expr_field (dump, "using-timestamp", self->using_timestamp);
  dump_items (dump, "returning", self->returning, self->n_returning);
}

/* FROM of an UPDATE, or USING of a DELETE. @self: nullable */
static void
dump_read (Dump *dump, const KvsqlSelect *self)
{
  for (guint i = 0; self != NULL && i < self->n_joined; i++)
    dump_source (dump, "joined", &self->joined[i]);
  if (self == NULL)
    return;
  begin (dump, "join");
  dump_join (dump, self->join);
}

static void
dump_update (Dump *dump, const KvsqlUpdate *self)
{
  dump_name_field (dump, "update", &self->relation);
  dump_alias (dump, &self->alias);
  dump_assignments (dump, self->assignments, self->n_assignments);
  dump_read (dump, self->from);
  dump_expr_field (dump, "where", self->where);
  dump_order_by (dump, self->order_by, self->n_order_by);
  dump_expr_field (dump, "limit", self->limit);
  dump_expr_field (dump, "using-timestamp", self->using_timestamp);
  dump_items (dump, "returning", self->returning, self->n_returning);
}

static void
dump_delete (Dump *dump, const KvsqlDelete *self)
{
  dump_name_field (dump, "delete-from", &self->relation);
  dump_alias (dump, &self->alias);
  dump_read (dump, self->from);
  dump_expr_field (dump, "where", self->where);
  dump_order_by (dump, self->order_by, self->n_order_by);
  dump_expr_field (dump, "limit", self->limit);
  dump_expr_field (dump, "using-timestamp", self->using_timestamp);
  dump_items (dump, "returning", self->returning, self->n_returning);
}

static void
dump_alter (Dump *dump, const KvsqlAlter *self)
{
  static const gchar *const labels[] = {
    [KVSQL_ALTER_ADD] = "add",
    [KVSQL_ALTER_DROP] = "drop",
    [KVSQL_ALTER_RENAME] = "rename",
    [KVSQL_ALTER_SET_DEFAULT] = "default",
    [KVSQL_ALTER_CONSTRAIN] = "constrain",
    [KVSQL_ALTER_RELEASE] = "release",
    [KVSQL_ALTER_OWNER] = "owner",
    [KVSQL_ALTER_ADD_KEY] = "key",
  };

  dump_name_field (dump, self->is_table ? "alter-table" : "alter", &self->relation);
  if (self->what == KVSQL_ALTER_OPTIONS)
    {
      dump_options (dump, &self->options);
      return;
    }
  begin (dump, labels[self->what]);
  if (self->what == KVSQL_ALTER_ADD)
    dump_attribute (dump, &self->attribute);
  else if (self->what == KVSQL_ALTER_CONSTRAIN)
    dump_constraints (dump, &self->constraint, 1);
  else
    dump_name (dump, &self->name);
  dump_flag (dump, "not-valid", self->is_not_valid);
  dump_flag (dump, "if-exists", self->if_exists);
  if (self->what == KVSQL_ALTER_RENAME)
    dump_name_field (dump, "to", &self->new_name);
  if (self->what == KVSQL_ALTER_OWNER)
    dump_name_field (dump, "owner", &self->new_name);
  if (self->what == KVSQL_ALTER_SET_DEFAULT && self->attribute.identity != NULL)
    dump_attribute (dump, &self->attribute);
  else if (self->what == KVSQL_ALTER_SET_DEFAULT)
    dump_expr_field (dump, "value", self->attribute.default_value);
  dump_names (dump, "column", self->key, self->n_key);
}

static void
dump_comment (Dump *dump, const KvsqlComment *self)
{
  dump_name_field (dump, self->is_schema ? "comment-on-schema" : "comment-on", &self->name);
  if (self->attribute.text != NULL)
    dump_name_field (dump, "attribute", &self->attribute);
  begin (dump, "text");
  dump_value (dump, &self->text);
}

static void
dump_show (Dump *dump, const KvsqlShow *self)
{
  static const gchar *const labels[] = {
    [KVSQL_SHOW_RELATIONS] = "show-relations",   [KVSQL_SHOW_SCHEMAS] = "show-schemas",
    [KVSQL_SHOW_STATUS] = "show-status",         [KVSQL_SHOW_SESSIONS] = "show-sessions",
    [KVSQL_SHOW_DAEMONS] = "show-daemons",       [KVSQL_SHOW_HISTORY] = "show-history",
    [KVSQL_SHOW_STATEMENTS] = "show-statements", [KVSQL_SHOW_CREATE] = "show-create",
    [KVSQL_SHOW_ROLES] = "show-roles",           [KVSQL_SHOW_VIEWS] = "show-views",
    [KVSQL_SHOW_GRANTS] = "show-grants",         [KVSQL_SHOW_STATISTICS] = "show-statistics",
  };

  dump_name_field (dump, labels[self->what], &self->name);
  dump_flag (dump, "on", self->is_on);
}

static void
dump_grantees (Dump *dump, const gchar *label, const KvsqlName *names, guint n)
{
  static const KvsqlName public = { .span = KVSQL_SPAN_NONE, .text = "PUBLIC" };

  for (guint i = 0; i < n; i++)
    dump_name_field (dump, label, names[i].text != NULL ? &names[i] : &public);
}

static void
dump_role (Dump *dump, const KvsqlRoleStatement *self)
{
  static const gchar *const labels[] = { [KVSQL_ROLE_CREATE] = "create-role",
                                         [KVSQL_ROLE_ALTER] = "alter-role",
                                         [KVSQL_ROLE_DROP] = "drop-role",
                                         [KVSQL_ROLE_DROP_OWNED] = "drop-owned",
                                         [KVSQL_ROLE_REASSIGN_OWNED] = "reassign-owned" };

  if (self->name.text != NULL)
    dump_name_field (dump, labels[self->action], &self->name);
  else
    begin (dump, labels[self->action]);
  dump_flag (dump, "cascade", self->is_cascade);
  dump_flag (dump, "if-exists", self->if_exists);
  dump_flag (dump, "login", self->log_in == KVSQL_ROLE_YES);
  dump_flag (dump, "nologin", self->log_in == KVSQL_ROLE_NO);
  dump_flag (dump, "superuser", self->admin == KVSQL_ROLE_YES);
  dump_flag (dump, "nosuperuser", self->admin == KVSQL_ROLE_NO);
  if (self->password_span.offset >= 0)
    {
      begin (dump, "password");
      dump_value (dump, &self->password);
    }
  if (self->until_span.offset >= 0)
    {
      begin (dump, "until");
      dump_value (dump, &self->until);
    }
  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    if (self->limit_spans[i].offset >= 0)
      {
        begin (dump, "limit");
        g_string_append_printf (dump->out, "%u %" G_GINT64_FORMAT, i, self->limits[i]);
      }
  if (self->memory.type == KVSQL_TYPE_STRING)
    {
      begin (dump, "memory");
      dump_value (dump, &self->memory);
    }
  dump_grantees (dump, "member", self->members, self->n_members);
  dump_grantees (dump, "admin", self->admins, self->n_admins);
  dump_grantees (dump, "group", self->groups, self->n_groups);
  for (guint i = 0; i < self->n_patterns; i++)
    {
      begin (dump, "pattern");
      dump_value (dump, &self->patterns[i]);
    }
}

static void
dump_grant (Dump *dump, const KvsqlGrantStatement *self)
{
  begin (dump, self->is_revoke ? "revoke" : "grant");
  g_string_append_printf (dump->out, "%d", (gint)self->object);
  dump_flag (dump, "option", self->has_option);
  dump_flag (dump, "cascade", self->is_cascade);
  for (guint i = 0; i < self->n_rights; i++)
    {
      begin (dump, "right");
      g_string_append_printf (dump->out, "%u", self->rights[i].rights);
      dump_grantees (dump, "attribute", self->rights[i].attributes, self->rights[i].n_attributes);
    }
  dump_grantees (dump, "object", self->objects, self->n_objects);
  dump_flag (dump, "all", self->is_on_all);
  for (guint i = 0; i < self->n_patterns; i++)
    {
      begin (dump, "pattern");
      dump_value (dump, &self->patterns[i]);
    }
  dump_grantees (dump, "grantee", self->grantees, self->n_grantees);
  if (self->granted_by.text != NULL)
    dump_name_field (dump, "granted-by", &self->granted_by);
}

static void
dump_create_table (Dump *dump, const KvsqlCreateTable *self)
{
  begin (dump, "create-table");
  dump_define_relation (dump, &self->relation);
  for (guint i = 0; i < self->n_key; i++)
    dump_name_field (dump, "key", &self->key[i]);
  if (self->query == NULL)
    return;
  dump_names (dump, "columns", self->columns, self->n_columns);
  dump_flag (dump, "empty", self->is_empty);
  dump_select (dump, self->query);
}

static void
dump_create_sequence (Dump *dump, const KvsqlCreateSequence *self)
{
  dump_name_field (dump, self->is_alter ? "alter-sequence" : "create-sequence", &self->name);
  dump_flag (dump, "if-not-exists", self->if_not_exists);
  dump_flag (dump, "if-exists", self->if_exists);
  if (self->new_owner.text != NULL)
    dump_name_field (dump, "owner", &self->new_owner);
  dump_sequence_options (dump, &self->options);
}

static void
dump_create_index (Dump *dump, const KvsqlCreateIndex *self)
{
  dump_name_field (dump, "create-index", &self->name);
  dump_flag (dump, "if-not-exists", self->if_not_exists);
  dump_name_field (dump, "relation", &self->relation);
  for (guint i = 0; i < self->n_columns; i++)
    {
      dump_name_field (dump, "column", &self->columns[i].name);
      dump_flag (dump, "descending", self->columns[i].is_descending);
    }
  for (guint i = 0; i < self->n_included; i++)
    dump_name_field (dump, "include", &self->included[i]);
}

static void
dump_create_view (Dump *dump, const KvsqlCreateView *self)
{
  dump_name_field (dump, "create-view", &self->name);
  dump_flag (dump, "replace", self->is_replacement);
  for (guint i = 0; i < self->n_columns; i++)
    dump_name_field (dump, "column", &self->columns[i]);
  dump_select (dump, self->query);
}

static void
dump_copy_columns (Dump *dump, const gchar *option, const KvsqlCopyColumns *self)
{
  if (self->is_all)
    dump_flag (dump, option, TRUE);
  for (guint i = 0; i < self->n_names; i++)
    dump_name_field (dump, option, &self->names[i]);
}

static void
dump_copy (Dump *dump, const KvsqlCopy *self)
{
  static const gchar *const formats[] = { "text", "csv", "binary" };

  begin (dump, self->is_from ? "copy-from" : "copy-to");
  g_string_append_printf (dump->out, "%s header %d delimiter 0x%02x quote 0x%02x escape 0x%02x",
                          formats[self->format], (gint)self->header, (guint8)self->delimiter,
                          (guint8)self->quote, (guint8)self->escape);
  begin (dump, "null");
  g_string_append (dump->out, self->null);
  if (self->query != NULL)
    dump_select (dump, self->query);
  else
    dump_name_field (dump, "relation", self->relation);
  for (guint i = 0; i < self->n_attributes; i++)
    dump_name_field (dump, "attribute", &self->attributes[i]);
  dump_copy_columns (dump, "force-quote", &self->force_quote);
  dump_copy_columns (dump, "force-not-null", &self->force_not_null);
  dump_copy_columns (dump, "force-null", &self->force_null);
}

static void dump_statement (Dump *dump, const KvsqlAstStatement *statement);

static void
dump_explain (Dump *dump, const KvsqlExplain *self)
{
  static const gchar *const formats[] = { "text", "json", "dot" };
  Dump inner = { dump->out, dump->with_spans, "  " };

  begin (dump, "explain");
  g_string_append_printf (dump->out, "%s%s%s", formats[self->format],
                          self->is_analyze ? " analyze" : "", self->has_calls ? " calls" : "");
  dump_statement (&inner, self->statement);
  for (guint i = 0; i < self->n_schemas; i++)
    dump_define_schema (&inner, &self->schemas[i]);
}

static void
dump_statement (Dump *dump, const KvsqlAstStatement *statement)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_DEFINE_RELATION:
      dump_define_relation (dump, &statement->define_relation);
      break;
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
      dump_define_schema (dump, &statement->define_schema);
      break;
    case KVSQL_STATEMENT_CREATE_TABLE:
      dump_create_table (dump, &statement->create_table);
      break;
    case KVSQL_STATEMENT_CREATE_SEQUENCE:
      dump_create_sequence (dump, &statement->create_sequence);
      break;
    case KVSQL_STATEMENT_CREATE_INDEX:
      dump_create_index (dump, &statement->create_index);
      break;
    case KVSQL_STATEMENT_TRUNCATE:
      begin (dump, statement->truncate.restarts_sequences ? "truncate-restart" : "truncate");
      for (guint i = 0; i < statement->truncate.n_relations; i++)
        dump_name_field (dump, "relation", &statement->truncate.relations[i]);
      break;
    case KVSQL_STATEMENT_CREATE_VIEW:
      dump_create_view (dump, &statement->create_view);
      break;
    case KVSQL_STATEMENT_ROLE:
      dump_role (dump, &statement->role);
      break;
    case KVSQL_STATEMENT_GRANT:
      dump_grant (dump, &statement->grant);
      break;
    case KVSQL_STATEMENT_SET_ROLE:
      begin (dump, "set-role");
      g_string_append_printf (dump->out, "%d", (gint)statement->set_role.what);
      if (statement->set_role.name.text != NULL)
        dump_name_field (dump, "role", &statement->set_role.name);
      break;
    case KVSQL_STATEMENT_DROP:
      dump_name_field (dump,
                       statement->drop.is_index    ? "drop-index"
                       : statement->drop.is_view   ? "drop-view"
                       : statement->drop.is_schema ? "drop-schema"
                                                   : "drop-relation",
                       &statement->drop.name);
      dump_names (dump, "others", statement->drop.others, statement->drop.n_others);
      dump_flag (dump, "if-exists", statement->drop.if_exists);
      dump_flag (dump, "cascade", statement->drop.is_cascade);
      break;
    case KVSQL_STATEMENT_RESTORE:
      dump_name_field (dump, statement->restore.is_schema ? "restore-schema" : "restore-relation",
                       &statement->restore.name);
      begin (dump, "version");
      g_string_append_printf (dump->out, "%" G_GINT64_FORMAT, statement->restore.version);
      break;
    case KVSQL_STATEMENT_SHOW:
      dump_show (dump, &statement->show);
      break;
    case KVSQL_STATEMENT_COPY:
      dump_copy (dump, &statement->copy);
      break;
    case KVSQL_STATEMENT_KILL:
      begin (dump, statement->kill.is_session ? "kill-session" : "kill");
      g_string_append_printf (dump->out, "%" G_GINT64_FORMAT, statement->kill.id);
      break;
    case KVSQL_STATEMENT_DESCRIBE:
      dump_name_field (dump, "describe", &statement->describe.name);
      break;
    case KVSQL_STATEMENT_INSERT:
      dump_insert (dump, &statement->insert);
      break;
    case KVSQL_STATEMENT_SELECT:
      dump_select (dump, &statement->select);
      break;
    case KVSQL_STATEMENT_UPDATE:
      dump_update (dump, &statement->update);
      break;
    case KVSQL_STATEMENT_ALTER:
      dump_alter (dump, &statement->alter);
      break;
    case KVSQL_STATEMENT_COMMENT:
      dump_comment (dump, &statement->comment);
      break;
    case KVSQL_STATEMENT_ANALYZE:
      dump_name_field (dump, "analyze", &statement->analyze.relation);
      break;
    case KVSQL_STATEMENT_RESET:
      begin (dump, "reset-statistics");
      break;
    case KVSQL_STATEMENT_CALIBRATE:
      begin (dump, "calibrate");
      break;
    case KVSQL_STATEMENT_BACKUP:
      begin (dump, "backup");
      dump_value (dump, &statement->backup.name);
      break;
    case KVSQL_STATEMENT_BACKFILL:
      dump_name_field (dump, "backfill", &statement->maintain.schema);
      break;
    case KVSQL_STATEMENT_VERIFY:
      dump_name_field (dump, "verify", &statement->maintain.schema);
      dump_expr_field (dump, "limit", statement->maintain.limit);
      break;
    case KVSQL_STATEMENT_REPAIR:
      dump_name_field (dump, "repair", &statement->maintain.schema);
      break;
    case KVSQL_STATEMENT_DELETE:
      dump_delete (dump, &statement->delete_);
      break;
    case KVSQL_STATEMENT_EXPLAIN:
      dump_explain (dump, &statement->explain);
      break;
    }
  for (guint i = 0; i < statement->n_parameters; i++)
    {
      begin (dump, "parameter");
      g_string_append (dump->out,
                       statement->parameter_names[i] != NULL ? statement->parameter_names[i] : "?");
    }
}

void
ast_dump_statement (const KvsqlAstStatement *statement, gboolean with_spans, GString *out)
{
  Dump dump = { out, with_spans, "" };
  gsize start = out->len;

  dump_statement (&dump, statement);
  g_string_erase (out, start, 1); /* the first newline */
  g_string_append_c (out, '\n');
}

gchar *
ast_dump (const KvsqlAstStatement *statement)
{
  GString *out = g_string_new (NULL);

  ast_dump_statement (statement, FALSE, out);
  return g_string_free (out, FALSE);
}
