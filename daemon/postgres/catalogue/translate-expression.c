/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-expression.c: expressions, by the precedence of their operators.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate-private.h"

/* As in PostgreSQL, from the weakest to the strongest. */
enum
{
  LEVEL_OR = 1,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_IS,
  LEVEL_COMPARISON,
  LEVEL_IN,
  LEVEL_OTHER,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_POWER,
  LEVEL_SIGN,
};

static gboolean read_level (KvsqldPgTranslator *self, gint least, KvsqldPgExpression *out);

/* ---- small parts */

gboolean
kvsqld_pg_read_list (KvsqldPgTranslator *self, const gchar *end, GArray *out)
{
  if (kvsqld_pg_accept_symbol (self, end))
    return TRUE;
  do
    {
      KvsqldPgExpression value;

      if (!kvsqld_pg_read_expression (self, &value))
        return FALSE;
      g_array_append_val (out, value);
    }
  while (kvsqld_pg_accept_symbol (self, ","));
  return kvsqld_pg_expect_symbol (self, end);
}

gboolean
kvsqld_pg_read_condition (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  return kvsqld_pg_read_expression (self, out) && kvsqld_pg_coerce (self, out, KVSQLD_PGT_BOOL);
}

/* The type is that of the first value that has one. */
static gboolean
unify_all (KvsqldPgTranslator *self, GArray *values, guint32 *out_type)
{
  *out_type = KVSQLD_PGT_UNKNOWN;
  for (guint i = 0; i < values->len && *out_type == KVSQLD_PGT_UNKNOWN; i++)
    *out_type = g_array_index (values, KvsqldPgExpression, i).type;
  if (*out_type == KVSQLD_PGT_UNKNOWN)
    *out_type = KVSQLD_PGT_TEXT;
  for (guint i = 0; i < values->len; i++)
    if (!kvsqld_pg_coerce (self, &g_array_index (values, KvsqldPgExpression, i), *out_type))
      return FALSE;
  return TRUE;
}

static const gchar *
join_values (KvsqldPgTranslator *self, const GArray *values)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            g_array_index (values, KvsqldPgExpression, i).sql);
  return kvsqld_pg_write (self, "%s", out->str);
}

static gboolean
is_at_query (const KvsqldPgTranslator *self)
{
  return kvsqld_pg_at_word (self, "select") || kvsqld_pg_at_word (self, "with")
         || kvsqld_pg_at_word (self, "values");
}

/* A query in parentheses, of which the first has been read. */
static gboolean
read_subquery (KvsqldPgTranslator *self, const gchar **out_sql, KvsqldPgCatalogueColumn *out_column)
{
  g_autoptr (GArray) columns = NULL;

  if (!kvsqld_pg_read_query (self, out_sql, &columns) || !kvsqld_pg_expect_symbol (self, ")"))
    return FALSE;
  *out_column = g_array_index (columns, KvsqldPgCatalogueColumn, 0);
  return TRUE;
}

static gboolean
read_scalar_subquery (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  KvsqldPgCatalogueColumn column;
  const gchar *sql;

  if (!read_subquery (self, &sql, &column))
    return FALSE;
  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "(%s)", sql),
                               .type = column.type,
                               .name = strcmp (column.name, "?column?") != 0 ? column.name : NULL,
                               .is_named = TRUE };
  return TRUE;
}

/* ---- sorting */

gboolean
kvsqld_pg_read_direction (KvsqldPgTranslator *self, GString *out)
{
  gboolean is_descending = kvsqld_pg_accept_word (self, "desc"), is_last = !is_descending;

  if (!is_descending)
    kvsqld_pg_accept_word (self, "asc");
  if (kvsqld_pg_accept_word (self, "nulls"))
    {
      is_last = kvsqld_pg_accept_word (self, "last");
      if (!is_last && !kvsqld_pg_expect_word (self, "first"))
        return FALSE;
    }
  g_string_append_printf (out, "%s NULLS %s", is_descending ? " DESC" : "",
                          is_last ? "LAST" : "FIRST");
  return TRUE;
}

gboolean
kvsqld_pg_read_order (KvsqldPgTranslator *self, GString *out, GArray *keys, GString *directions)
{
  do
    {
      g_autoptr (GString) direction = g_string_new (NULL);
      KvsqldPgExpression key;

      if (!kvsqld_pg_read_expression (self, &key) || !kvsqld_pg_settle (self, &key)
          || !kvsqld_pg_read_direction (self, direction))
        return FALSE;
      g_string_append_printf (out, "%s%s%s", out->len > 0 ? ", " : "", key.sql, direction->str);
      if (keys != NULL)
        g_array_append_val (keys, key);
      if (directions != NULL)
        g_string_append_c (directions, strstr (direction->str, " DESC") != NULL ? 'd' : 'a');
    }
  while (kvsqld_pg_accept_symbol (self, ","));
  return TRUE;
}

/* ---- CASE, CAST, ARRAY, EXISTS */

static gboolean
read_case (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  g_autoptr (GArray) results = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression));
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  g_autoptr (GString) sql = g_string_new ("(CASE");
  KvsqldPgExpression operand, condition, result;
  gboolean has_operand = !kvsqld_pg_at_word (self, "when"), has_else;
  guint32 type;

  if (has_operand
      && (!kvsqld_pg_read_expression (self, &operand) || !kvsqld_pg_settle (self, &operand)))
    return FALSE;
  while (kvsqld_pg_accept_word (self, "when"))
    {
      if (!kvsqld_pg_read_expression (self, &condition)
          || !kvsqld_pg_coerce (self, &condition, has_operand ? operand.type : KVSQLD_PGT_BOOL)
          || !kvsqld_pg_expect_word (self, "then") || !kvsqld_pg_read_expression (self, &result))
        return FALSE;
      g_ptr_array_add (conditions, (gpointer)condition.sql);
      g_array_append_val (results, result);
    }
  has_else = kvsqld_pg_accept_word (self, "else");
  if (has_else)
    {
      if (!kvsqld_pg_read_expression (self, &result))
        return FALSE;
      g_array_append_val (results, result);
    }
  if (!kvsqld_pg_expect_word (self, "end") || !unify_all (self, results, &type))
    return FALSE;
  if (has_operand)
    g_string_append_printf (sql, " %s", operand.sql);
  for (guint i = 0; i < conditions->len; i++)
    g_string_append_printf (sql, " WHEN %s THEN %s", (const gchar *)conditions->pdata[i],
                            g_array_index (results, KvsqldPgExpression, i).sql);
  *out = (KvsqldPgExpression){ .type = type, .name = "case" };
  if (has_else)
    {
      const KvsqldPgExpression *last
          = &g_array_index (results, KvsqldPgExpression, results->len - 1);

      g_string_append_printf (sql, " ELSE %s", last->sql);
      if (last->is_named)
        {
          out->name = last->name;
          out->is_named = TRUE;
        }
    }
  out->sql = kvsqld_pg_write (self, "%s END)", sql->str);
  return TRUE;
}

static gboolean
cast_to (KvsqldPgTranslator *self, KvsqldPgExpression *inout, guint32 type, const gchar *type_name)
{
  if (!inout->is_named)
    inout->name = type_name;
  return kvsqld_pg_cast (self, inout, type);
}

static gboolean
read_cast (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const gchar *type_name;
  guint32 type;

  return kvsqld_pg_expect_symbol (self, "(") && kvsqld_pg_read_expression (self, out)
         && kvsqld_pg_expect_word (self, "as") && kvsqld_pg_read_type (self, &type, &type_name)
         && kvsqld_pg_expect_symbol (self, ")") && cast_to (self, out, type, type_name);
}

static guint32
array_of (guint32 element)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (element);

  return facts != NULL && facts->array != 0 ? facts->array : KVSQLD_PGT_TEXT_ARRAY;
}

/* ARRAY[…] and ARRAY (SELECT …) */
static gboolean
read_array (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression));
  KvsqldPgCatalogueColumn column;
  const gchar *sql;
  guint32 type;

  *out = (KvsqldPgExpression){ .name = "array", .is_named = TRUE };
  if (kvsqld_pg_accept_symbol (self, "("))
    {
      if (!read_subquery (self, &sql, &column))
        return FALSE;
      out->type = array_of (column.type);
      out->sql = kvsqld_pg_write (
          self, "coalesce ((SELECT kvsql_array_agg ('', k1) FROM (%s)), '{}')", sql);
      return TRUE;
    }
  if (!kvsqld_pg_expect_symbol (self, "[") || !kvsqld_pg_read_list (self, "]", values)
      || !unify_all (self, values, &type))
    return FALSE;
  out->type = array_of (type);
  out->sql = kvsqld_pg_write (self, "kvsql_array (%s)", join_values (self, values));
  return TRUE;
}

static gboolean
read_exists (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  KvsqldPgCatalogueColumn column;
  const gchar *sql;

  if (!kvsqld_pg_expect_symbol (self, "(") || !read_subquery (self, &sql, &column))
    return FALSE;
  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "EXISTS (%s)", sql),
                               .type = KVSQLD_PGT_BOOL,
                               .name = "exists",
                               .is_named = TRUE };
  return TRUE;
}

/* ---- names */

/* a, a.b, a.b.c, or a call. */
static gboolean
read_name (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const gchar *parts[3] = { 0 };
  KvsqlSpan span = kvsqld_pg_next (self, 0)->span;
  const KvsqldPgToken *token;
  guint n = 0;

  do
    {
      token = kvsqld_pg_next (self, 0);
      if (!kvsqld_pg_token_is_name (token) || n >= G_N_ELEMENTS (parts))
        return kvsqld_pg_fail_syntax (self);
      parts[n++] = token->text;
      self->at++;
    }
  while (kvsqld_pg_accept_symbol (self, "."));
  span.length = token->span.offset + token->span.length - span.offset;
  if (kvsqld_pg_at_symbol (self, "("))
    return kvsqld_pg_read_call (self, parts[n - 1], span, out);
  if (n == 1 && token->kind == KVSQLD_PG_TOKEN_WORD
      && kvsqld_pg_find_bare_call (self, parts[0], out))
    return TRUE;
  return kvsqld_pg_find_column (self, n == 3 ? parts[0] : NULL, n > 1 ? parts[n - 2] : NULL,
                                parts[n - 1], span, out);
}

/* ---- literals */

static gboolean
read_string (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const gchar *text = kvsqld_pg_next (self, 0)->text;

  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write_quoted (self, '\'', text),
                               .type = KVSQLD_PGT_UNKNOWN,
                               .literal = text,
                               .span = kvsqld_pg_next (self, 0)->span };
  self->at++;
  return TRUE;
}

static gboolean
read_number (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const gchar *text = kvsqld_pg_next (self, 0)->text;
  gboolean is_integer = strspn (text, "0123456789") == strlen (text);
  guint64 value = g_ascii_strtoull (text, NULL, 10);

  *out = (KvsqldPgExpression){ .sql = text,
                               .type = !is_integer || value > G_MAXINT64 ? KVSQLD_PGT_NUMERIC
                                       : value > G_MAXINT32              ? KVSQLD_PGT_INT8
                                                                         : KVSQLD_PGT_INT4,
                               .span = kvsqld_pg_next (self, 0)->span };
  self->at++;
  return TRUE;
}

static gboolean
read_parameter (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);
  guint32 type;

  if (self->parameters->len < token->number)
    g_array_set_size (self->parameters, token->number);
  type = g_array_index (self->parameters, guint32, token->number - 1);
  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "?%u", token->number),
                               .type = type != 0 ? type : KVSQLD_PGT_UNKNOWN,
                               .span = token->span };
  /* a regclass and the like is read as its name */
  if (out->type == KVSQLD_PGT_UNKNOWN || kvsqld_pg_is_reference (out->type))
    {
      out->type = KVSQLD_PGT_UNKNOWN;
      out->parameter = token->number;
    }
  self->at++;
  return TRUE;
}

static gboolean
read_constant (KvsqldPgTranslator *self, const gchar *sql, guint32 type, KvsqldPgExpression *out)
{
  *out = (KvsqldPgExpression){ .sql = sql, .type = type, .span = kvsqld_pg_next (self, 0)->span };
  self->at++;
  return TRUE;
}

/* ( … ): a query, a row, or an expression. */
static gboolean
read_parentheses (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  g_autoptr (GArray) values = NULL;

  if (is_at_query (self))
    return read_scalar_subquery (self, out);
  values = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression));
  if (!kvsqld_pg_read_list (self, ")", values))
    return FALSE;
  if (values->len == 0)
    return kvsqld_pg_fail_syntax (self);
  *out = g_array_index (values, KvsqldPgExpression, 0);
  if (values->len == 1)
    {
      out->chain = NULL;
      return TRUE;
    }
  for (guint i = 0; i < values->len; i++)
    if (!kvsqld_pg_settle (self, &g_array_index (values, KvsqldPgExpression, i)))
      return FALSE;
  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "(%s)", join_values (self, values)),
                               .type = KVSQLD_PGT_RECORD,
                               .name = "row" };
  return TRUE;
}

/* A name of a type before a string: DATE '2024-02-29'. */
static gboolean
is_at_typed_string (const KvsqldPgTranslator *self)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

  return token->kind == KVSQLD_PG_TOKEN_WORD
         && kvsqld_pg_next (self, 1)->kind == KVSQLD_PG_TOKEN_STRING
         && kvsqld_pg_facts_find_type_name (token->text) != NULL;
}

static gboolean
read_typed_string (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const gchar *type_name;
  guint32 type;

  return kvsqld_pg_read_type (self, &type, &type_name) && read_string (self, out)
         && cast_to (self, out, type, type_name);
}

static gboolean
read_primary (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

  switch (token->kind)
    {
    case KVSQLD_PG_TOKEN_STRING:
      return read_string (self, out);
    case KVSQLD_PG_TOKEN_NUMBER:
      return read_number (self, out);
    case KVSQLD_PG_TOKEN_PARAMETER:
      return read_parameter (self, out);
    case KVSQLD_PG_TOKEN_QUOTED:
      return read_name (self, out);
    case KVSQLD_PG_TOKEN_SYMBOL:
      return kvsqld_pg_accept_symbol (self, "(") ? read_parentheses (self, out)
                                                 : kvsqld_pg_fail_syntax (self);
    case KVSQLD_PG_TOKEN_END:
      return kvsqld_pg_fail_syntax (self);
    default:
      break;
    }
  if (strcmp (token->text, "null") == 0)
    return read_constant (self, "NULL", KVSQLD_PGT_UNKNOWN, out);
  if (strcmp (token->text, "true") == 0)
    return read_constant (self, "1", KVSQLD_PGT_BOOL, out);
  if (strcmp (token->text, "false") == 0)
    return read_constant (self, "0", KVSQLD_PGT_BOOL, out);
  if (kvsqld_pg_accept_word (self, "case"))
    return read_case (self, out);
  if (kvsqld_pg_accept_word (self, "cast"))
    return read_cast (self, out);
  if (kvsqld_pg_accept_word (self, "array"))
    return read_array (self, out);
  if (kvsqld_pg_accept_word (self, "exists"))
    return read_exists (self, out);
  if (strcmp (token->text, "row") == 0 && kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 1), "("))
    {
      self->at += 2;
      return read_parentheses (self, out);
    }
  if (is_at_typed_string (self))
    return read_typed_string (self, out);
  /* left and right are functions, too */
  if (kvsqld_pg_is_reserved (token) && !kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 1), "("))
    return kvsqld_pg_fail_syntax (self);
  return read_name (self, out);
}

/* ---- what follows a primary expression */

static gboolean
read_subscript (KvsqldPgTranslator *self, KvsqldPgExpression *inout)
{
  gboolean is_vector = inout->type == KVSQLD_PGT_INT2VECTOR || inout->type == KVSQLD_PGT_OIDVECTOR;
  guint32 element = kvsqld_pg_facts_get_element (inout->type);
  KvsqldPgExpression index;

  if (!kvsqld_pg_is_array (inout->type) && inout->type != KVSQLD_PGT_NAME)
    {
      kvsql_error_set (&self->error, KVSQL_ERROR_TYPE, kvsqld_pg_next (self, 0)->span,
                       "cannot subscript this type, as it is no array");
      return kvsql_error_sqlstate (&self->error, "42804");
    }
  if (!kvsqld_pg_read_expression (self, &index)
      || !kvsqld_pg_coerce (self, &index, KVSQLD_PGT_INT4))
    return FALSE;
  if (kvsqld_pg_at_symbol (self, ":"))
    return kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "a slice of an array");
  if (!kvsqld_pg_expect_symbol (self, "]"))
    return FALSE;
  if (inout->type == KVSQLD_PGT_NAME) /* a name has characters, from 0 on */
    {
      inout->type = KVSQLD_PGT_CHAR;
      inout->sql = kvsqld_pg_write (self, "substr (%s, (%s) + 1, 1)", inout->sql, index.sql);
      return TRUE;
    }
  inout->type = element != 0                           ? element
                : inout->type == KVSQLD_PGT_INT2VECTOR ? KVSQLD_PGT_INT2
                                                       : KVSQLD_PGT_OID;
  inout->sql = kvsqld_pg_write (self, "kvsql_element (%s, %s, %d, %d)", inout->sql, index.sql,
                                is_vector ? 0 : 1, kvsqld_pg_is_integer (inout->type));
  return TRUE;
}

/* (composite).field; .x and .n are those of _pg_expandarray(). */
static gboolean
read_field (KvsqldPgTranslator *self, KvsqldPgExpression *inout)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

  if (inout->type != KVSQLD_PGT_RECORD || !kvsqld_pg_token_is_name (token)
      || (strcmp (token->text, "x") != 0 && strcmp (token->text, "n") != 0))
    return kvsqld_pg_fail_syntax (self);
  self->at++;
  inout->sql = kvsqld_pg_write (self, "json_extract (%s, '$.%s')", inout->sql, token->text);
  inout->type = strcmp (token->text, "x") == 0 ? KVSQLD_PGT_INT2 : KVSQLD_PGT_INT4;
  inout->name = token->text;
  inout->is_named = TRUE;
  return TRUE;
}

static gboolean
read_postfix (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  const gchar *type_name;
  guint32 type;

  if (!read_primary (self, out))
    return FALSE;
  for (;;)
    {
      if (kvsqld_pg_accept_symbol (self, "::"))
        {
          if (!kvsqld_pg_read_type (self, &type, &type_name)
              || !cast_to (self, out, type, type_name))
            return FALSE;
        }
      else if (kvsqld_pg_accept_symbol (self, "["))
        {
          if (!read_subscript (self, out))
            return FALSE;
        }
      else if (kvsqld_pg_accept_symbol (self, "."))
        {
          if (!read_field (self, out))
            return FALSE;
        }
      else if (kvsqld_pg_accept_word (self, "collate"))
        {
          /* all sort by their bytes */
          if (!kvsqld_pg_token_is_name (kvsqld_pg_next (self, 0)))
            return kvsqld_pg_fail_syntax (self);
          self->at++;
          if (kvsqld_pg_accept_symbol (self, "."))
            self->at++;
        }
      else
        return self->error == NULL;
    }
}

/* ---- operators */

static gboolean
fail_operator (KvsqldPgTranslator *self, const gchar *operator, KvsqlSpan span)
{
  kvsql_error_set (&self->error, KVSQL_ERROR_UNSUPPORTED, span,
                   "operator %s is not supported in a query of the catalogue", operator);
  return kvsql_error_sqlstate (&self->error, "42883");
}

static gint
level_of_symbol (const gchar *symbol)
{
  static const gchar *const comparisons[] = { "=", "<", ">", "<=", ">=", "<>", "!=", NULL };

  if (g_strv_contains (comparisons, symbol))
    return LEVEL_COMPARISON;
  if (strcmp (symbol, "+") == 0 || strcmp (symbol, "-") == 0)
    return LEVEL_SUM;
  if (strcmp (symbol, "*") == 0 || strcmp (symbol, "/") == 0 || strcmp (symbol, "%") == 0)
    return LEVEL_PRODUCT;
  if (strcmp (symbol, "^") == 0)
    return LEVEL_POWER;
  return strchr ("()[],;.:", symbol[0]) != NULL ? 0 : LEVEL_OTHER;
}

/* The operator at the next token, which is not read. @out_n: its tokens. 0: there is none. */
static gint
look_at_operator (const KvsqldPgTranslator *self, const gchar **out, guint *out_n)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);
  guint n;

  *out_n = 1;
  *out = token->text;
  if (token->kind == KVSQLD_PG_TOKEN_SYMBOL)
    return level_of_symbol (token->text);
  if (!kvsqld_pg_token_is_word (token, "operator")
      || !kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 1), "("))
    return 0;
  n = kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 3), ".") ? 4 : 2;
  *out = kvsqld_pg_next (self, n)->text;
  *out_n = n + 2;
  return LEVEL_OTHER;
}

/* (a AND b AND c): the operands of one operator are in one pair of parentheses, as SQLite's parser
 * has a stack of bounded depth. */
static void
write_binary (KvsqldPgTranslator *self, KvsqldPgExpression *left, const gchar *operator,
              const KvsqldPgExpression * right, guint32 type)
{
  gboolean is_chained = left->chain != NULL && strcmp (left->chain, operator) == 0;
  gsize size = strlen (left->sql);

  left->sql = is_chained ? kvsqld_pg_write (self, "%.*s %s %s)", (gint)(size - 1),
                                            left->sql, operator, right->sql)
                         : kvsqld_pg_write (self, "(%s %s %s)", left->sql, operator, right->sql);
  left->chain = operator;
  left->type = type;
  left->name = NULL;
  left->is_named = FALSE;
  left->literal = NULL;
  left->parameter = 0;
}

/* What SQLite has as a number is a text for ||. */
static gboolean
make_text (KvsqldPgTranslator *self, KvsqldPgExpression *inout)
{
  return (inout->type != KVSQLD_PGT_BOOL && !kvsqld_pg_is_reference (inout->type))
         || kvsqld_pg_cast (self, inout, KVSQLD_PGT_TEXT);
}

static gboolean
concatenate (KvsqldPgTranslator *self, KvsqldPgExpression *left, KvsqldPgExpression *right)
{
  guint32 type = kvsqld_pg_is_array (left->type)    ? left->type
                 : kvsqld_pg_is_array (right->type) ? right->type
                                                    : 0;

  if (type != 0)
    {
      guint32 element = kvsqld_pg_facts_get_element (type);
      gboolean is_left = kvsqld_pg_is_array (left->type) || left->type == KVSQLD_PGT_UNKNOWN;
      gboolean is_right = kvsqld_pg_is_array (right->type) || right->type == KVSQLD_PGT_UNKNOWN;

      if (!kvsqld_pg_coerce (self, left, is_left ? type : element)
          || !kvsqld_pg_coerce (self, right, is_right ? type : element))
        return FALSE;
      left->sql = kvsqld_pg_write (self, "kvsql_array_cat (%s, %s, %d, %d)", left->sql, right->sql,
                                   is_left, is_right);
      left->type = type;
      left->chain = left->name = NULL;
      left->is_named = FALSE;
      return TRUE;
    }
  if (!kvsqld_pg_settle (self, left) || !kvsqld_pg_settle (self, right))
    return FALSE;
  if (!make_text (self, left) || !make_text (self, right))
    return FALSE;
  write_binary (self, left, "||", right, KVSQLD_PGT_TEXT);
  return TRUE;
}

/* Patterns: ~ and LIKE by their operators. */
static const gchar *
find_match (const gchar *operator, gboolean * out_negated)
{
  static const struct
  {
    const gchar *operator, * function;
  } matches[] = { { "~", "kvsql_regex (%s, %s, 0)" },
                  { "~*", "kvsql_regex (%s, %s, 1)" },
                  { "~~", "kvsql_like (%s, %s, 0)" },
                  { "~~*", "kvsql_like (%s, %s, 1)" },
                  { "^@", "kvsql_starts (%s, %s, 0)" } };

  *out_negated = operator[0] == '!';
  for (guint i = 0; i < G_N_ELEMENTS (matches); i++)
    if (strcmp (matches[i].operator, operator+ * out_negated) == 0)
      return matches[i].function;
  return NULL;
}

static gboolean
match (KvsqldPgTranslator *self, KvsqldPgExpression *left, KvsqldPgExpression *right,
       const gchar *function, gboolean is_negated)
{
  /* the first %s of the pattern is the value, the second the pattern */
  g_auto (GStrv) parts = g_strsplit (function, "%s", 3);

  if (!kvsqld_pg_settle (self, left) || !kvsqld_pg_settle (self, right))
    return FALSE;
  left->sql = kvsqld_pg_write (self, "%s%s%s%s%s%s%s", is_negated ? "(NOT " : "", parts[0],
                               left->sql, parts[1], right->sql, parts[2], is_negated ? ")" : "");
  left->type = KVSQLD_PGT_BOOL;
  left->chain = left->name = NULL;
  left->is_named = FALSE;
  return TRUE;
}

static guint32
type_of_arithmetic (guint32 a, guint32 b)
{
  if (kvsqld_pg_is_real (a) || kvsqld_pg_is_real (b))
    return a == KVSQLD_PGT_FLOAT8 || b == KVSQLD_PGT_FLOAT8 ? KVSQLD_PGT_FLOAT8
                                                            : KVSQLD_PGT_NUMERIC;
  if (a == KVSQLD_PGT_INT8 || b == KVSQLD_PGT_INT8)
    return KVSQLD_PGT_INT8;
  return a == KVSQLD_PGT_INT2 && b == KVSQLD_PGT_INT2 ? KVSQLD_PGT_INT2 : KVSQLD_PGT_INT4;
}

/* A function is compared with a number by its own. */
static gboolean
compare_numbers (KvsqldPgTranslator *self, KvsqldPgExpression *a, const KvsqldPgExpression *b)
{
  return a->type != KVSQLD_PGT_REGPROC || !kvsqld_pg_is_integer (b->type)
         || kvsqld_pg_cast (self, a, KVSQLD_PGT_OID);
}

static gboolean
combine (KvsqldPgTranslator *self, KvsqldPgExpression *left, const gchar *operator,
         KvsqldPgExpression * right, gint level, KvsqlSpan span)
{
  static const gchar *const arithmetic[] = { "+", "-", "*", "/", "%", "&", "|", "<<", ">>", NULL };
  gboolean is_negated;
  const gchar *function = find_match (operator, & is_negated);

  if (strcmp (operator, "||") == 0)
    return concatenate (self, left, right);
  if (function != NULL)
    return match (self, left, right, function, is_negated);
  if (level == LEVEL_COMPARISON || level_of_symbol (operator) == LEVEL_COMPARISON)
    {
      if (!kvsqld_pg_unify (self, left, right) || !compare_numbers (self, left, right)
          || !compare_numbers (self, right, left))
        return FALSE;
      write_binary (self, left, operator, right, KVSQLD_PGT_BOOL);
      left->chain = NULL;
      return TRUE;
    }
  if (!g_strv_contains (arithmetic, operator))
    return fail_operator (self, operator, span);
  if (!kvsqld_pg_coerce (self, left,
                         kvsqld_pg_is_integer (right->type) ? right->type : KVSQLD_PGT_INT4)
      || !kvsqld_pg_coerce (self, right, left->type))
    return FALSE;
  write_binary (self, left, operator, right, type_of_arithmetic (left->type, right->type));
  if (strcmp (operator, "+") != 0 && strcmp (operator, "*") != 0)
    left->chain = NULL;
  return TRUE;
}

/* ---- op ANY (…), op ALL (…) */

static gboolean
read_quantified (KvsqldPgTranslator *self, KvsqldPgExpression *left, const gchar *operator,
                 gboolean is_all, KvsqlSpan span)
{
  KvsqldPgCatalogueColumn column;
  KvsqldPgExpression array;
  const gchar *sql;
  guint32 element;
  gboolean is_equal = strcmp (operator, "=") == 0;

  if (is_at_query (self))
    {
      if (is_equal == is_all || (is_all && level_of_symbol (operator) != LEVEL_COMPARISON))
        return kvsqld_pg_fail_unsupported (self, span, "this comparison with a query");
      if (!read_subquery (self, &sql, &column) || !kvsqld_pg_coerce (self, left, column.type))
        return FALSE;
      left->sql = kvsqld_pg_write (self, "(%s %sIN (%s))", left->sql, is_all ? "NOT " : "", sql);
    }
  else
    {
      if (!kvsqld_pg_read_expression (self, &array)
          || !kvsqld_pg_coerce (
              self, &array,
              array_of (left->type == KVSQLD_PGT_UNKNOWN ? KVSQLD_PGT_TEXT : left->type))
          || !kvsqld_pg_expect_symbol (self, ")"))
        return FALSE;
      element = kvsqld_pg_facts_get_element (array.type);
      if (!kvsqld_pg_coerce (self, left, element != 0 ? element : KVSQLD_PGT_INT4))
        return FALSE;
      left->sql = kvsqld_pg_write (self, "kvsql_%s ('%s', %s, %s)",
                                   is_all ? "all" : "any", operator, left->sql, array.sql);
    }
  left->type = KVSQLD_PGT_BOOL;
  left->chain = left->name = NULL;
  left->is_named = FALSE;
  return self->error == NULL;
}

/* ---- IS, IN, BETWEEN, LIKE */

static gboolean
read_is (KvsqldPgTranslator *self, KvsqldPgExpression *left)
{
  gboolean is_negated = kvsqld_pg_accept_word (self, "not");
  const gchar *not = is_negated ? "NOT " : "";

  if (kvsqld_pg_accept_word (self, "null"))
    {
      if (!kvsqld_pg_settle (self, left))
        return FALSE;
      left->sql = kvsqld_pg_write (self, "(%s IS %sNULL)", left->sql, not );
    }
  else if (kvsqld_pg_at_word (self, "true") || kvsqld_pg_at_word (self, "false")
           || kvsqld_pg_at_word (self, "unknown"))
    {
      const gchar *value = kvsqld_pg_at_word (self, "true")    ? "1"
                           : kvsqld_pg_at_word (self, "false") ? "0"
                                                               : "NULL";

      self->at++;
      if (!kvsqld_pg_coerce (self, left, KVSQLD_PGT_BOOL))
        return FALSE;
      left->sql = kvsqld_pg_write (self, "(%s IS %s%s)", left->sql, not, value);
    }
  else
    {
      KvsqldPgExpression right;

      if (!kvsqld_pg_expect_word (self, "distinct") || !kvsqld_pg_expect_word (self, "from")
          || !read_level (self, LEVEL_IS + 1, &right) || !kvsqld_pg_unify (self, left, &right))
        return FALSE;
      left->sql
          = kvsqld_pg_write (self, "(%s IS %s%s)", left->sql, is_negated ? "" : "NOT ", right.sql);
    }
  left->type = KVSQLD_PGT_BOOL;
  left->chain = left->name = NULL;
  left->is_named = FALSE;
  return TRUE;
}

static gboolean
read_in (KvsqldPgTranslator *self, KvsqldPgExpression *left, gboolean is_negated)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression));
  KvsqldPgCatalogueColumn column;
  const gchar *sql;

  if (!kvsqld_pg_expect_symbol (self, "("))
    return FALSE;
  if (is_at_query (self))
    {
      if (!read_subquery (self, &sql, &column) || !kvsqld_pg_coerce (self, left, column.type))
        return FALSE;
    }
  else
    {
      guint32 type = left->type;

      if (!kvsqld_pg_read_list (self, ")", values))
        return FALSE;
      if (type == KVSQLD_PGT_UNKNOWN && !unify_all (self, values, &type))
        return FALSE;
      if (!kvsqld_pg_coerce (self, left, type))
        return FALSE;
      for (guint i = 0; i < values->len; i++)
        if (!kvsqld_pg_coerce (self, &g_array_index (values, KvsqldPgExpression, i), type))
          return FALSE;
      sql = join_values (self, values);
      if (left->type == KVSQLD_PGT_RECORD)
        sql = kvsqld_pg_write (self, "VALUES %s", sql);
    }
  left->sql = kvsqld_pg_write (self, "(%s %sIN (%s))", left->sql, is_negated ? "NOT " : "", sql);
  return TRUE;
}

static gboolean
read_between (KvsqldPgTranslator *self, KvsqldPgExpression *left, gboolean is_negated)
{
  KvsqldPgExpression low, high;

  if (!read_level (self, LEVEL_OTHER, &low) || !kvsqld_pg_expect_word (self, "and")
      || !read_level (self, LEVEL_OTHER, &high) || !kvsqld_pg_unify (self, left, &low)
      || !kvsqld_pg_coerce (self, &high, left->type))
    return FALSE;
  left->sql = kvsqld_pg_write (self, "(%s %sBETWEEN %s AND %s)", left->sql,
                               is_negated ? "NOT " : "", low.sql, high.sql);
  return TRUE;
}

static gboolean
read_like (KvsqldPgTranslator *self, KvsqldPgExpression *left, gboolean ignores_case,
           gboolean is_negated)
{
  KvsqldPgExpression pattern, escape;

  if (!read_level (self, LEVEL_OTHER, &pattern))
    return FALSE;
  if (kvsqld_pg_accept_word (self, "escape"))
    {
      if (!read_level (self, LEVEL_OTHER, &escape) || !kvsqld_pg_settle (self, &escape)
          || !kvsqld_pg_settle (self, &pattern))
        return FALSE;
      pattern.sql = kvsqld_pg_write (self, "kvsql_escape (%s, %s)", pattern.sql, escape.sql);
    }
  return match (self, left, &pattern,
                ignores_case ? "kvsql_like (%s, %s, 1)" : "kvsql_like (%s, %s, 0)", is_negated);
}

/* NOT IN and the like: the word after NOT decides. */
static gboolean
is_at_test (const KvsqldPgTranslator *self)
{
  static const gchar *const words[] = { "in", "between", "like", "ilike", "similar", NULL };
  const KvsqldPgToken *token = kvsqld_pg_next (self, kvsqld_pg_at_word (self, "not") ? 1 : 0);

  return token->kind == KVSQLD_PG_TOKEN_WORD && g_strv_contains (words, token->text);
}

static gboolean
read_test (KvsqldPgTranslator *self, KvsqldPgExpression *left)
{
  gboolean is_negated = kvsqld_pg_accept_word (self, "not"), ok;

  if (kvsqld_pg_accept_word (self, "in"))
    ok = read_in (self, left, is_negated);
  else if (kvsqld_pg_accept_word (self, "between"))
    ok = read_between (self, left, is_negated);
  else if (kvsqld_pg_accept_word (self, "like"))
    return read_like (self, left, FALSE, is_negated);
  else if (kvsqld_pg_accept_word (self, "ilike"))
    return read_like (self, left, TRUE, is_negated);
  else
    return kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "SIMILAR TO");
  left->type = KVSQLD_PGT_BOOL;
  left->chain = left->name = NULL;
  left->is_named = FALSE;
  return ok;
}

/* ---- by level */

static gboolean
read_prefix (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  if (kvsqld_pg_accept_word (self, "not"))
    {
      if (!read_level (self, LEVEL_NOT, out) || !kvsqld_pg_coerce (self, out, KVSQLD_PGT_BOOL))
        return FALSE;
      *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "(NOT %s)", out->sql),
                                   .type = KVSQLD_PGT_BOOL };
      return TRUE;
    }
  if (kvsqld_pg_at_symbol (self, "-") || kvsqld_pg_at_symbol (self, "+"))
    {
      const gchar *sign = kvsqld_pg_next (self, 0)->text;

      self->at++;
      if (!read_level (self, LEVEL_SIGN, out) || !kvsqld_pg_coerce (self, out, KVSQLD_PGT_INT4))
        return FALSE;
      *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "(%s %s)", sign, out->sql),
                                   .type = out->type };
      return TRUE;
    }
  return read_postfix (self, out);
}

static gboolean
read_logical (KvsqldPgTranslator *self, KvsqldPgExpression *left, const gchar *operator, gint level)
{
  KvsqldPgExpression right;

  if (!read_level (self, level + 1, &right) || !kvsqld_pg_coerce (self, left, KVSQLD_PGT_BOOL)
      || !kvsqld_pg_coerce (self, &right, KVSQLD_PGT_BOOL))
    return FALSE;
  write_binary (self, left, operator, & right, KVSQLD_PGT_BOOL);
  return TRUE;
}

static gboolean
read_binary (KvsqldPgTranslator *self, KvsqldPgExpression *left, const gchar *operator, gint level)
{
  KvsqlSpan span = kvsqld_pg_next (self, 0)->span;
  KvsqldPgExpression right;
  gboolean is_all = kvsqld_pg_at_word (self, "all");

  if ((is_all || kvsqld_pg_at_word (self, "any") || kvsqld_pg_at_word (self, "some"))
      && kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 1), "("))
    {
      self->at += 2;
      return read_quantified (self, left, operator, is_all, span);
    }
  return read_level (self, level + 1, &right)
         && combine (self, left, operator, & right, level, span);
}

/* One operator with what follows it. *out_done: there is none of this level. */
static gboolean
read_next (KvsqldPgTranslator *self, gint least, KvsqldPgExpression *left, gboolean *out_done)
{
  const gchar *operator;
  guint n;
  gint level;

  if (least <= LEVEL_OR && kvsqld_pg_accept_word (self, "or"))
    return read_logical (self, left, "OR", LEVEL_OR);
  if (least <= LEVEL_AND && kvsqld_pg_accept_word (self, "and"))
    return read_logical (self, left, "AND", LEVEL_AND);
  if (least <= LEVEL_IS && kvsqld_pg_accept_word (self, "is"))
    return read_is (self, left);
  if (least <= LEVEL_IS && kvsqld_pg_accept_word (self, "isnull"))
    {
      write_binary (self, left, "IS", &(KvsqldPgExpression){ .sql = "NULL" }, KVSQLD_PGT_BOOL);
      return TRUE;
    }
  if (least <= LEVEL_IS && kvsqld_pg_accept_word (self, "notnull"))
    {
      write_binary (self, left, "IS NOT", &(KvsqldPgExpression){ .sql = "NULL" }, KVSQLD_PGT_BOOL);
      return TRUE;
    }
  if (least <= LEVEL_IN && is_at_test (self))
    return read_test (self, left);
  level = look_at_operator (self, &operator, & n);
  if (level >= least && level > 0)
    {
      self->at += n;
      return read_binary (self, left, operator, level);
    }
  *out_done = TRUE;
  return TRUE;
}

static gboolean
read_level (KvsqldPgTranslator *self, gint least, KvsqldPgExpression *out)
{
  gboolean is_done = FALSE;

  if (!kvsqld_pg_enter (self) || !read_prefix (self, out))
    return FALSE;
  while (!is_done)
    if (!read_next (self, least, out, &is_done))
      return FALSE;
  kvsqld_pg_leave (self);
  return self->error == NULL;
}

gboolean
kvsqld_pg_read_expression (KvsqldPgTranslator *self, KvsqldPgExpression *out)
{
  return read_level (self, LEVEL_OR, out);
}
