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
append_quoted (const gchar *text, gchar quote, GString *out)
{
  g_string_append_c (out, quote);
  for (; *text != '\0'; text++)
    {
      if (*text == quote)
        g_string_append_c (out, quote);
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, quote);
}

void
kvsql_print_name (const KvsqlName *name, GString *out)
{
  gsize size = strlen (name->text);

  if (name->is_store_table)
    g_string_append (out, name->text);
  else if (name->is_double_quoted)
    append_quoted (name->text, '"', out);
  else if (name->is_quoted || !kvsql_lexer_is_plain_name (name->text, size)
           || kvsql_keyword_is_reserved (kvsql_keyword_find (name->text, size)))
    append_quoted (name->text, '`', out);
  else
    g_string_append_len (out, name->text, size);
}

void
kvsql_print_type (const KvsqlName *name, GString *out)
{
  if (!name->is_quoted && !name->is_double_quoted && strpbrk (name->text, "<( ") != NULL)
    g_string_append (out, name->text);
  else
    kvsql_print_name (name, out);
}

/* For places in which the grammar accepts reserved words without quotes. */
static void
print_word (const KvsqlName *name, GString *out)
{
  if (name->is_quoted || !kvsql_lexer_is_plain_name (name->text, strlen (name->text)))
    append_quoted (name->text, '`', out);
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
  /* digits without a point would be parsed as a BIGINT */
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

void
kvsql_print_cell_line (const KvsqlCellLine *line, GString *out)
{
  if (line->others.text != NULL)
    {
      g_string_append (out, "OTHERS = ");
      kvsql_print_name (&line->others, out);
      return;
    }
  kvsql_print_layout (&line->column, out);
  /* an attribute of this name, after RENAME, is not the keyword */
  if (line->column.n_nodes == 1 && line->column.nodes[0].kind == KVSQL_LAYOUT_ATTRIBUTE
      && g_ascii_strcasecmp (line->column.nodes[0].name.text, "OTHERS") == 0
      && !line->column.nodes[0].name.is_quoted)
    g_string_append (out, ":''");
  g_string_append (out, " = ");
  kvsql_print_layout (&line->value, out);
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

void
kvsql_print_attribute (const KvsqlAttributeDefinition *attribute, GString *out)
{
  kvsql_print_name (&attribute->name, out);
  g_string_append_c (out, ' ');
  kvsql_print_type (&attribute->type_name, out);
  if (attribute->is_key)
    g_string_append (out, " KEY");
  if (attribute->is_not_null)
    g_string_append (out, " NOT NULL");
  if (attribute->default_value != NULL)
    {
      g_string_append (out, " DEFAULT ");
      kvsql_print_expression (attribute->default_value, out);
    }
  kvsql_print_identity (attribute, out);
  if (!kvsql_value_is_null (&attribute->label))
    {
      g_string_append (out, " LABEL ");
      kvsql_print_value (&attribute->label, out);
    }
  kvsql_print_constraints (attribute->constraints, attribute->n_constraints, " ", " ", out);
  print_comment (&attribute->comment, out);
}

void
kvsql_print_options (const KvsqlOptions *self, GString *out)
{
  for (guint i = 0; i < self->n; i++)
    {
      const KvsqlOption *option = &self->items[i];
      g_string_append (out, i == 0 ? " WITH (" : ", ");
      kvsql_print_name (&option->name, out);
      g_string_append (out, " = ");
      if (option->value_is_name)
        g_string_append_len (out, (const gchar *)option->value.bytes.data,
                             option->value.bytes.size);
      else
        kvsql_print_value (&option->value, out);
    }
  if (self->n > 0)
    g_string_append_c (out, ')');
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
      kvsql_print_attribute (&self->attributes[i], out);
    }
  kvsql_print_constraints (self->constraints, self->n_constraints,
                           self->n_attributes > 0 ? ", " : " { ", ", ", out);
  g_string_append (out, " }");
  kvsql_print_options (&self->options, out);
  print_comment (&self->comment, out);
}

static void
print_define_schema (const KvsqlDefineSchema *self, const gchar *verb, GString *out)
{
  const gchar *separator = " { ";

  g_string_append_printf (out, "%s%s", verb, self->is_primary ? " PRIMARY SCHEMA " : " SCHEMA ");
  if (self->if_not_exists)
    g_string_append (out, "IF NOT EXISTS ");
  kvsql_print_name (&self->name, out);
  if (self->relation.text != NULL)
    {
      g_string_append (out, " FOR ");
      kvsql_print_name (&self->relation, out);
    }
  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    if (self->has_field[i])
      {
        g_string_append_printf (out, "%s%s ", separator, kvsql_field_get_name (i));
        kvsql_print_layout (&self->fields[i], out);
        separator = ", ";
      }
  for (guint i = 0; i < self->n_lines; i++)
    {
      g_string_append (out, i == 0 ? ", CELLS { " : ", ");
      kvsql_print_cell_line (&self->lines[i], out);
    }
  if (self->n_lines > 0)
    g_string_append (out, " }");
  if (self->timestamp.text != NULL)
    {
      g_string_append (out, ", TIMESTAMP ");
      kvsql_print_name (&self->timestamp, out);
    }
  g_string_append (out, " }");
  kvsql_print_options (&self->options, out);
  print_comment (&self->comment, out);
}

/* ---- the small statements */

static void
print_drop (const KvsqlDrop *self, GString *out)
{
  g_string_append (out, self->is_index      ? "DROP INDEX "
                        : self->is_view     ? "DROP VIEW "
                        : self->is_sequence ? "DROP SEQUENCE "
                        : self->is_schema   ? "DROP SCHEMA "
                                            : "DROP RELATION ");
  if (self->if_exists)
    g_string_append (out, "IF EXISTS ");
  kvsql_print_name (&self->name, out);
  for (guint i = 0; i < self->n_others; i++)
    {
      g_string_append (out, ", ");
      kvsql_print_name (&self->others[i], out);
    }
  g_string_append (out, self->is_cascade ? " CASCADE" : "");
}

static void
print_restore (const KvsqlRestore *self, GString *out)
{
  g_string_append (out, self->is_schema ? "RESTORE SCHEMA " : "RESTORE RELATION ");
  kvsql_print_name (&self->name, out);
  g_string_append_printf (out, " TO VERSION %" G_GINT64_FORMAT, self->version);
}

static void
print_show (const KvsqlShow *self, GString *out)
{
  static const gchar *const texts[] = {
    [KVSQL_SHOW_RELATIONS] = "SHOW RELATIONS",
    [KVSQL_SHOW_SCHEMAS] = "SHOW SCHEMAS",
    [KVSQL_SHOW_STATUS] = "SHOW STATUS",
    [KVSQL_SHOW_SESSIONS] = "SHOW SESSIONS",
    [KVSQL_SHOW_DAEMONS] = "SHOW DAEMONS",
    [KVSQL_SHOW_HISTORY] = "SHOW HISTORY",
    [KVSQL_SHOW_STATEMENTS] = "SHOW STATEMENTS",
    [KVSQL_SHOW_CREATE] = "SHOW CREATE",
    [KVSQL_SHOW_VIEWS] = "SHOW VIEWS",
    [KVSQL_SHOW_ROLES] = "SHOW ROLES",
    [KVSQL_SHOW_TABLES] = "SHOW TABLES",
    [KVSQL_SHOW_GRANTS] = "SHOW GRANTS",
    [KVSQL_SHOW_STATISTICS] = "SHOW STATEMENT STATISTICS",
  };

  g_string_append (out, texts[self->what]);
  if (self->pattern != NULL)
    {
      g_string_append (out, " LIKE ");
      append_quoted (self->pattern, '\'', out);
    }
  if (self->name.text == NULL)
    return;
  g_string_append (out, self->what == KVSQL_SHOW_CREATE ? " " : self->is_on ? " ON " : " FOR ");
  kvsql_print_name (&self->name, out);
  if (self->limit > 0)
    g_string_append_printf (out, " LIMIT %" G_GINT64_FORMAT, self->limit);
}

static void
print_added_key (const KvsqlAlter *self, GString *out)
{
  g_string_append (out, " ADD ");
  if (self->name.text != NULL)
    {
      g_string_append (out, "CONSTRAINT ");
      kvsql_print_name (&self->name, out);
      g_string_append_c (out, ' ');
    }
  g_string_append (out, "PRIMARY KEY (");
  for (guint i = 0; i < self->n_key; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      kvsql_print_name (&self->key[i], out);
    }
  g_string_append_c (out, ')');
}

static void
print_alter (const KvsqlAlter *self, GString *out)
{
  const gchar *word = self->is_table ? "COLUMN" : "ATTRIBUTE";

  g_string_append (out, self->is_table ? "ALTER TABLE " : "ALTER RELATION ");
  kvsql_print_name (&self->relation, out);
  switch (self->what)
    {
    case KVSQL_ALTER_ADD:
      g_string_append_printf (out, " ADD %s ", word);
      kvsql_print_attribute (&self->attribute, out);
      break;
    case KVSQL_ALTER_DROP:
      g_string_append_printf (out, " DROP %s ", word);
      kvsql_print_name (&self->name, out);
      break;
    case KVSQL_ALTER_RENAME:
      g_string_append (out, " RENAME");
      if (self->name.text != NULL)
        {
          g_string_append_printf (out, " %s ", word);
          kvsql_print_name (&self->name, out);
        }
      g_string_append (out, " TO ");
      kvsql_print_name (&self->new_name, out);
      break;
    case KVSQL_ALTER_SET_DEFAULT:
      g_string_append_printf (out, " ALTER %s ", word);
      kvsql_print_name (&self->name, out);
      if (self->attribute.identity != NULL)
        {
          g_string_append (out, " ADD");
          kvsql_print_identity (&self->attribute, out);
          break;
        }
      g_string_append (out,
                       self->attribute.default_value != NULL ? " SET DEFAULT " : " DROP DEFAULT");
      if (self->attribute.default_value != NULL)
        kvsql_print_expression (self->attribute.default_value, out);
      break;
    case KVSQL_ALTER_OPTIONS:
      kvsql_print_options (&self->options, out);
      break;
    case KVSQL_ALTER_ADD_KEY:
      print_added_key (self, out);
      break;
    case KVSQL_ALTER_CONSTRAIN:
      g_string_append (out, " ADD ");
      kvsql_print_constraint (&self->constraint, out);
      g_string_append (out, self->is_not_valid ? " NOT VALID" : "");
      break;
    case KVSQL_ALTER_RELEASE:
      g_string_append_printf (out, " DROP CONSTRAINT %s", self->if_exists ? "IF EXISTS " : "");
      kvsql_print_name (&self->name, out);
      break;
    case KVSQL_ALTER_OWNER:
      g_string_append (out, " OWNER TO ");
      kvsql_print_name (&self->new_name, out);
      break;
    }
}

static void
print_comment_on (const KvsqlComment *self, GString *out)
{
  g_string_append (out, "COMMENT ON ");
  g_string_append (out, self->is_schema                ? "SCHEMA "
                        : self->attribute.text != NULL ? "ATTRIBUTE "
                                                       : "RELATION ");
  kvsql_print_name (&self->name, out);
  if (self->attribute.text != NULL)
    {
      g_string_append_c (out, '.');
      kvsql_print_name (&self->attribute, out);
    }
  g_string_append (out, " IS ");
  kvsql_print_value (&self->text, out);
}

static void
print_maintain (const KvsqlAstStatement *statement, GString *out)
{
  g_string_append (out, statement->kind == KVSQL_STATEMENT_BACKFILL ? "BACKFILL SCHEMA "
                        : statement->kind == KVSQL_STATEMENT_VERIFY ? "VERIFY SCHEMA "
                                                                    : "REPAIR SCHEMA ");
  kvsql_print_name (&statement->maintain.schema, out);
  if (statement->maintain.limit == NULL)
    return;
  g_string_append (out, " LIMIT ");
  kvsql_print_expression (statement->maintain.limit, out);
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
  for (guint i = 0; i < self->n_schemas; i++)
    print_define_schema (&self->schemas[i], " WITH", out);
}

void
kvsql_print_statement (const KvsqlAstStatement *statement, GString *out)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_DEFINE_RELATION:
      print_define_relation (&statement->define_relation, out);
      break;
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
      print_define_schema (&statement->define_schema, "DEFINE", out);
      break;
    case KVSQL_STATEMENT_CREATE_TABLE:
      kvsql_print_create_table (&statement->create_table, out);
      break;
    case KVSQL_STATEMENT_CREATE_INDEX:
      kvsql_print_create_index (&statement->create_index, out);
      break;
    case KVSQL_STATEMENT_CREATE_VIEW:
      kvsql_print_create_view (&statement->create_view, out);
      break;
    case KVSQL_STATEMENT_CREATE_SEQUENCE:
      kvsql_print_create_sequence (&statement->create_sequence, out);
      break;
    case KVSQL_STATEMENT_ROLE:
      kvsql_print_role (&statement->role, out);
      break;
    case KVSQL_STATEMENT_GRANT:
      kvsql_print_grant (&statement->grant, out);
      break;
    case KVSQL_STATEMENT_SET_ROLE:
      kvsql_print_set_role (&statement->set_role, out);
      break;
    case KVSQL_STATEMENT_DROP:
      print_drop (&statement->drop, out);
      break;
    case KVSQL_STATEMENT_RESTORE:
      print_restore (&statement->restore, out);
      break;
    case KVSQL_STATEMENT_SHOW:
      print_show (&statement->show, out);
      break;
    case KVSQL_STATEMENT_KILL:
      g_string_append_printf (out, "KILL %s%" G_GINT64_FORMAT,
                              statement->kill.is_session ? "SESSION " : "", statement->kill.id);
      break;
    case KVSQL_STATEMENT_COPY:
      kvsql_print_copy (&statement->copy, out);
      break;
    case KVSQL_STATEMENT_DESCRIBE:
      g_string_append (out, "DESCRIBE ");
      kvsql_print_name (&statement->describe.name, out);
      break;
    case KVSQL_STATEMENT_INSERT:
      kvsql_print_insert (&statement->insert, out);
      break;
    case KVSQL_STATEMENT_SELECT:
      kvsql_print_select (&statement->select, out);
      break;
    case KVSQL_STATEMENT_UPDATE:
      kvsql_print_update (&statement->update, out);
      break;
    case KVSQL_STATEMENT_DELETE:
      kvsql_print_delete (&statement->delete_, out);
      break;
    case KVSQL_STATEMENT_TRUNCATE:
      kvsql_print_truncate (&statement->truncate, out);
      break;
    case KVSQL_STATEMENT_EXPLAIN:
      print_explain (&statement->explain, out);
      break;
    case KVSQL_STATEMENT_ALTER:
      print_alter (&statement->alter, out);
      break;
    case KVSQL_STATEMENT_COMMENT:
      print_comment_on (&statement->comment, out);
      break;
    case KVSQL_STATEMENT_ANALYZE:
      g_string_append (out, "ANALYZE ");
      kvsql_print_name (&statement->analyze.relation, out);
      break;
    case KVSQL_STATEMENT_RESET:
      g_string_append (out, "RESET STATEMENT STATISTICS");
      break;
    case KVSQL_STATEMENT_CALIBRATE:
      g_string_append (out, "CALIBRATE");
      break;
    case KVSQL_STATEMENT_BACKUP:
      g_string_append (out, "BACKUP TO ");
      kvsql_print_value (&statement->backup.name, out);
      break;
    case KVSQL_STATEMENT_BACKFILL:
    case KVSQL_STATEMENT_VERIFY:
    case KVSQL_STATEMENT_REPAIR:
      print_maintain (statement, out);
      break;
    }
}
