/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer.c: canonical text of statements, names and layouts. Expressions are in
 * printer-expression.c.
 */
#include "config.h"

#include "core/sql/printer.h"

#include "core/sql/lexer.h"
#include "core/sql/printer-private.h"

const gchar *
kvsql_field_get_name (KvsqlField field)
{
  static const gchar *const names[KVSQL_N_FIELDS] = {
    [KVSQL_FIELD_TABLE] = "TABLE",   [KVSQL_FIELD_ROW] = "ROW",
    [KVSQL_FIELD_FAMILY] = "FAMILY", [KVSQL_FIELD_QUALIFIER] = "QUALIFIER",
    [KVSQL_FIELD_VALUE] = "VALUE",
  };

  g_return_val_if_fail ((guint)field < KVSQL_N_FIELDS, "?");
  return names[field];
}

static void
append_back_quoted (const gchar *text, GString *out)
{
  g_string_append_c (out, '`');
  for (; *text != '\0'; text++)
    {
      if (*text == '`')
        g_string_append_c (out, '`');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '`');
}

void
kvsql_print_name (const KvsqlName *name, GString *out)
{
  gsize size = strlen (name->text);

  if (name->is_quoted || !kvsql_lexer_is_plain_name (name->text, size)
      || kvsql_keyword_is_reserved (kvsql_keyword_find (name->text, size)))
    append_back_quoted (name->text, out);
  else
    g_string_append_len (out, name->text, size);
}

/* Where the grammar takes reserved words as they are. */
static void
print_word (const KvsqlName *name, GString *out)
{
  if (name->is_quoted || !kvsql_lexer_is_plain_name (name->text, strlen (name->text)))
    append_back_quoted (name->text, out);
  else
    g_string_append (out, name->text);
}

void
kvsql_print_value (const KvsqlValue *value, GString *out)
{
  gint64 integer;

  if (value->type == KVSQL_TYPE_BOOLEAN)
    g_string_append (out, value->boolean ? "TRUE" : "FALSE");
  else
    kvsql_value_append_literal (value, out);
  /* digits alone would be read as a BIGINT */
  if (value->type == KVSQL_TYPE_DECIMAL
      && memchr (value->bytes.data, '.', value->bytes.size) == NULL
      && kvsql_decimal_to_int64 (value->bytes, &integer, NULL))
    g_string_append (out, ".0");
}

/* ---- layouts */

static void
print_arguments (const KvsqlLayoutNode *node, GString *out)
{
  for (guint i = 0; i < node->n_arguments; i++)
    {
      const KvsqlLayoutArgument *argument = &node->arguments[i];
      g_string_append (out, i == 0 ? "(" : ", ");
      if (argument->kind == KVSQL_ARGUMENT_NAME)
        kvsql_print_name (&argument->name, out);
      else
        kvsql_print_value (&argument->value, out);
    }
  if (node->n_arguments > 0)
    g_string_append_c (out, ')');
  else if (!node->has_list && !node->has_inner)
    g_string_append (out, "()");
}

static void
print_element (const KvsqlLayoutNode *node, GString *out)
{
  print_word (&node->name, out);
  print_arguments (node, out);
  if (node->has_list)
    {
      g_string_append_c (out, '[');
      for (guint i = 0; i < node->n_listed; i++)
        {
          g_string_append (out, i == 0 ? "" : ", ");
          print_word (&node->listed[i], out);
        }
      g_string_append_c (out, ']');
    }
  if (node->has_inner)
    {
      g_string_append_c (out, '{');
      kvsql_print_layout (&node->inner, out);
      g_string_append_c (out, '}');
    }
}

void
kvsql_print_layout_node (const KvsqlLayoutNode *node, GString *out)
{
  KvsqlValue constant = { .type = node->constant_is_bytes ? KVSQL_TYPE_BYTES : KVSQL_TYPE_STRING };

  switch (node->kind)
    {
    case KVSQL_LAYOUT_CONSTANT:
      constant.bytes = node->constant;
      kvsql_print_value (&constant, out);
      break;
    case KVSQL_LAYOUT_ATTRIBUTE:
      kvsql_print_name (&node->name, out);
      break;
    case KVSQL_LAYOUT_ELEMENT:
      print_element (node, out);
      break;
    }
}

void
kvsql_print_layout (const KvsqlLayoutSequence *layout, GString *out)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      if (i > 0)
        g_string_append (out, layout->is_list ? ", " : ":");
      kvsql_print_layout_node (&layout->nodes[i], out);
    }
}

/* ---- definitions */

static void
print_comment (const KvsqlValue *comment, GString *out)
{
  if (kvsql_value_is_null (comment))
    return;
  g_string_append (out, " COMMENT ");
  kvsql_print_value (comment, out);
}

static void
print_attribute (const KvsqlAttributeDefinition *attribute, GString *out)
{
  kvsql_print_name (&attribute->name, out);
  g_string_append_c (out, ' ');
  kvsql_print_name (&attribute->type_name, out);
  if (attribute->is_key)
    g_string_append (out, " KEY");
  if (attribute->is_not_null)
    g_string_append (out, " NOT NULL");
  if (attribute->default_value != NULL)
    {
      g_string_append (out, " DEFAULT ");
      kvsql_print_expression (attribute->default_value, out);
    }
  print_comment (&attribute->comment, out);
}

static void
print_define_relation (const KvsqlDefineRelation *self, GString *out)
{
  g_string_append (out, "DEFINE RELATION ");
  if (self->if_not_exists)
    g_string_append (out, "IF NOT EXISTS ");
  kvsql_print_name (&self->name, out);
  for (guint i = 0; i < self->n_attributes; i++)
    {
      g_string_append (out, i == 0 ? " { " : ", ");
      print_attribute (&self->attributes[i], out);
    }
  g_string_append (out, " }");
  print_comment (&self->comment, out);
}

static void
print_options (const KvsqlDefineSchema *self, GString *out)
{
  for (guint i = 0; i < self->n_options; i++)
    {
      const KvsqlOption *option = &self->options[i];
      g_string_append (out, i == 0 ? " WITH (" : ", ");
      kvsql_print_name (&option->name, out);
      g_string_append (out, " = ");
      if (option->value_is_name)
        g_string_append_len (out, (const gchar *)option->value.bytes.data,
                             option->value.bytes.size);
      else
        kvsql_print_value (&option->value, out);
    }
  if (self->n_options > 0)
    g_string_append_c (out, ')');
}

static void
print_define_schema (const KvsqlDefineSchema *self, GString *out)
{
  const gchar *separator = " { ";

  g_string_append (out, self->is_primary ? "DEFINE PRIMARY SCHEMA " : "DEFINE SCHEMA ");
  if (self->if_not_exists)
    g_string_append (out, "IF NOT EXISTS ");
  kvsql_print_name (&self->name, out);
  g_string_append (out, " FOR ");
  kvsql_print_name (&self->relation, out);
  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    if (self->has_field[i])
      {
        g_string_append_printf (out, "%s%s ", separator, kvsql_field_get_name (i));
        kvsql_print_layout (&self->fields[i], out);
        separator = ", ";
      }
  if (self->timestamp.text != NULL)
    {
      g_string_append (out, ", TIMESTAMP ");
      kvsql_print_name (&self->timestamp, out);
    }
  g_string_append (out, " }");
  print_options (self, out);
  print_comment (&self->comment, out);
}

/* ---- the small statements */

static void
print_drop (const KvsqlDrop *self, GString *out)
{
  g_string_append (out, self->is_schema ? "DROP SCHEMA " : "DROP RELATION ");
  if (self->if_exists)
    g_string_append (out, "IF EXISTS ");
  kvsql_print_name (&self->name, out);
}

static void
print_show (const KvsqlShow *self, GString *out)
{
  static const gchar *const texts[] = {
    [KVSQL_SHOW_RELATIONS] = "SHOW RELATIONS",
    [KVSQL_SHOW_SCHEMAS] = "SHOW SCHEMAS",
    [KVSQL_SHOW_STATUS] = "SHOW STATUS",
    [KVSQL_SHOW_CREATE] = "SHOW CREATE",
  };

  g_string_append (out, texts[self->what]);
  if (self->name.text == NULL)
    return;
  g_string_append (out, self->what == KVSQL_SHOW_SCHEMAS ? " FOR " : " ");
  kvsql_print_name (&self->name, out);
}

static void
print_explain (const KvsqlExplain *self, GString *out)
{
  static const gchar *const formats[] = {
    [KVSQL_EXPLAIN_TEXT] = NULL,
    [KVSQL_EXPLAIN_JSON] = "FORMAT JSON",
    [KVSQL_EXPLAIN_DOT] = "FORMAT DOT",
  };
  const gchar *format = formats[self->format];

  g_string_append (out, self->is_analyze ? "EXPLAIN ANALYZE " : "EXPLAIN ");
  if (format != NULL || self->has_calls)
    g_string_append_printf (out, "(%s%s%s) ", format != NULL ? format : "",
                            format != NULL && self->has_calls ? ", " : "",
                            self->has_calls ? "CALLS" : "");
  kvsql_print_statement (self->statement, out);
}

/* ---- INSERT, SELECT, DELETE */

static void
print_insert (const KvsqlInsert *self, GString *out)
{
  g_string_append (out, "INSERT INTO ");
  kvsql_print_name (&self->relation, out);
  for (guint i = 0; i < self->n_attributes; i++)
    {
      g_string_append (out, i == 0 ? " (" : ", ");
      kvsql_print_name (&self->attributes[i], out);
    }
  g_string_append (out, self->n_attributes > 0 ? ") VALUES " : " VALUES ");
  for (guint i = 0; i < self->n_rows; i++)
    {
      g_string_append (out, i == 0 ? "(" : ", (");
      kvsql_print_expressions (self->rows[i], self->n_values, out);
      g_string_append_c (out, ')');
    }
}

static void
print_clause (const gchar *keyword, const KvsqlAstExpr *expr, GString *out)
{
  if (expr == NULL)
    return;
  g_string_append (out, keyword);
  kvsql_print_expression (expr, out);
}

static void
print_order_by (const KvsqlOrderItem *items, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? " ORDER BY " : ", ");
      kvsql_print_expression (items[i].expr, out);
      if (items[i].is_descending)
        g_string_append (out, " DESC");
    }
}

static void
print_item (const KvsqlSelectItem *item, GString *out)
{
  if (item->expr == NULL)
    g_string_append_c (out, '*');
  else
    kvsql_print_expression (item->expr, out);
  if (item->alias.text != NULL)
    {
      g_string_append (out, " AS ");
      kvsql_print_name (&item->alias, out);
    }
}

static void
print_select (const KvsqlSelect *self, GString *out)
{
  g_string_append (out, self->is_distinct ? "SELECT DISTINCT " : "SELECT ");
  for (guint i = 0; i < self->n_items; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      print_item (&self->items[i], out);
    }
  g_string_append (out, " FROM ");
  kvsql_print_name (&self->relation, out);
  if (self->using_schema.text != NULL)
    {
      g_string_append (out, " USING SCHEMA ");
      kvsql_print_name (&self->using_schema, out);
    }
  print_clause (" WHERE ", self->where, out);
  if (self->n_group_by > 0)
    {
      g_string_append (out, " GROUP BY ");
      kvsql_print_expressions (self->group_by, self->n_group_by, out);
    }
  print_clause (" HAVING ", self->having, out);
  print_order_by (self->order_by, self->n_order_by, out);
  print_clause (" LIMIT ", self->limit, out);
  print_clause (" OFFSET ", self->offset, out);
}

static void
print_delete (const KvsqlDelete *self, GString *out)
{
  g_string_append (out, "DELETE FROM ");
  kvsql_print_name (&self->relation, out);
  print_clause (" WHERE ", self->where, out);
  print_order_by (self->order_by, self->n_order_by, out);
  print_clause (" LIMIT ", self->limit, out);
}

void
kvsql_print_statement (const KvsqlStatement *statement, GString *out)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_DEFINE_RELATION:
      print_define_relation (&statement->define_relation, out);
      break;
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
      print_define_schema (&statement->define_schema, out);
      break;
    case KVSQL_STATEMENT_DROP:
      print_drop (&statement->drop, out);
      break;
    case KVSQL_STATEMENT_SHOW:
      print_show (&statement->show, out);
      break;
    case KVSQL_STATEMENT_DESCRIBE:
      g_string_append (out, "DESCRIBE ");
      kvsql_print_name (&statement->describe.name, out);
      break;
    case KVSQL_STATEMENT_INSERT:
      print_insert (&statement->insert, out);
      break;
    case KVSQL_STATEMENT_SELECT:
      print_select (&statement->select, out);
      break;
    case KVSQL_STATEMENT_DELETE:
      print_delete (&statement->delete_, out);
      break;
    case KVSQL_STATEMENT_EXPLAIN:
      print_explain (&statement->explain, out);
      break;
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_ALTER:
    case KVSQL_STATEMENT_COMMENT:
    case KVSQL_STATEMENT_ANALYZE:
      break;
    }
}
