/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-query.c: SELECT, VALUES, WITH and set operations.
 *
 * Outputs are called k1, k2, … in what is written, as PostgreSQL allows names twice.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate-private.h"

/* ---- outputs */

static void
add_output (GArray *columns, GString *out, const gchar *name, guint32 type, const gchar *sql)
{
  const KvsqldPgCatalogueColumn column = { name, type };

  g_array_append_val (columns, column);
  g_string_append_printf (out, "%s%s AS k%u", columns->len > 1 ? ", " : "", sql, columns->len);
}

/* Inside of a query, what is sent as a name is still its number. */
static gboolean
add_sent (KvsqldPgTranslator *self, GArray *columns, GString *out, const gchar *name,
          KvsqldPgExpression *value)
{
  if (self->depth <= 1 && !kvsqld_pg_write_output (self, value))
    return FALSE;
  add_output (columns, out, name, value->type, value->sql);
  return TRUE;
}

/* * and alias.* */
static gboolean
add_all (KvsqldPgTranslator *self, const gchar *alias, KvsqlSpan span, GArray *columns,
         GString *out)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < self->scope->items->len; i++)
    {
      const KvsqldPgScopeItem *item = self->scope->items->pdata[i];

      if (alias != NULL && strcmp (alias, item->alias) != 0)
        continue;
      is_found = TRUE;
      for (guint c = 0; c < item->columns->len; c++)
        {
          const KvsqldPgScopeColumn *column
              = &g_array_index (item->columns, KvsqldPgScopeColumn, c);

          KvsqldPgExpression value = { .type = column->type, .sql = column->sql };

          if (!column->is_hidden && (!column->is_merged || alias != NULL)
              && !add_sent (self, columns, out, column->name, &value))
            return FALSE;
        }
    }
  if (is_found)
    return TRUE;
  if (alias == NULL)
    {
      kvsql_error_set (&self->error, KVSQL_ERROR_SYNTAX, span,
                       "SELECT * with no tables specified is not valid");
      return FALSE;
    }
  kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, span,
                   "missing FROM-clause entry for table \"%s\"", alias);
  return kvsql_error_sqlstate (&self->error, "42P01");
}

/* AS name, or a name that cannot be anything else. */
static gboolean
read_output_name (KvsqldPgTranslator *self, const gchar **out)
{
  gboolean is_certain = kvsqld_pg_accept_word (self, "as");
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

  if (kvsqld_pg_token_is_name (token) && (is_certain || !kvsqld_pg_is_reserved (token)))
    {
      *out = token->text;
      self->at++;
      return TRUE;
    }
  return !is_certain || kvsqld_pg_fail_syntax (self);
}

static gboolean
read_output (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);
  KvsqldPgExpression value;
  const gchar *name;

  if (kvsqld_pg_accept_symbol (self, "*"))
    return add_all (self, NULL, token->span, columns, out);
  if (kvsqld_pg_token_is_name (token) && kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 1), ".")
      && kvsqld_pg_token_is_symbol (kvsqld_pg_next (self, 2), "*"))
    {
      self->at += 3;
      return add_all (self, token->text, token->span, columns, out);
    }
  if (!kvsqld_pg_read_expression (self, &value) || !kvsqld_pg_settle (self, &value))
    return FALSE;
  name = value.name != NULL ? value.name : "?column?";
  if (!read_output_name (self, &name))
    return FALSE;
  return add_sent (self, columns, out, name, &value);
}

static gboolean
read_outputs (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  gboolean returned_rows = self->returns_rows, ok;

  do
    {
      self->returns_rows = TRUE;
      ok = read_output (self, columns, out);
    }
  while (ok && kvsqld_pg_accept_symbol (self, ","));
  self->returns_rows = returned_rows;
  return ok;
}

/* ---- SELECT */

/* The place of the FROM of the SELECT whose outputs begin here; 0: it has none. */
static guint
find_from (const KvsqldPgTranslator *self)
{
  static const gchar *const ends[]
      = { "union", "except", "intersect", "where", "group", "order", "limit", "having", NULL };
  gint depth = 0;

  for (guint i = self->at; i + 1 < self->n_tokens; i++)
    {
      const KvsqldPgToken *token = &self->tokens[i];

      if (kvsqld_pg_token_is_symbol (token, "(") || kvsqld_pg_token_is_symbol (token, "["))
        depth++;
      else if (kvsqld_pg_token_is_symbol (token, ")") || kvsqld_pg_token_is_symbol (token, "]"))
        depth--;
      if (depth < 0 || kvsqld_pg_token_is_symbol (token, ";"))
        return 0;
      if (depth > 0 || token->kind != KVSQLD_PG_TOKEN_WORD || i == self->at
          || kvsqld_pg_token_is_word (token - 1, "as")
          || kvsqld_pg_token_is_symbol (token - 1, "."))
        continue;
      if (strcmp (token->text, "from") == 0 && !kvsqld_pg_token_is_word (token - 1, "distinct"))
        return i;
      if (g_strv_contains (ends, token->text))
        return 0;
    }
  return 0;
}

/* GROUP BY a name is by a column, else by an output. */
static gboolean
read_group (KvsqldPgTranslator *self, const GArray *columns, GString *out)
{
  g_string_append (out, " GROUP BY ");
  for (;;)
    {
      const KvsqldPgToken *token = kvsqld_pg_next (self, 0);
      KvsqldPgExpression key;
      guint n = 0;

      if (token->kind == KVSQLD_PG_TOKEN_WORD && !kvsqld_pg_is_reserved (token)
          && kvsqld_pg_lookup_column (self->scope, NULL, token->text, &n) == NULL)
        for (guint c = 0; c < columns->len; c++)
          if (strcmp (g_array_index (columns, KvsqldPgCatalogueColumn, c).name, token->text) == 0)
            n = c + 1;
      if (n > 0 && kvsqld_pg_lookup_column (self->scope, NULL, token->text, &(guint){ 0 }) == NULL)
        {
          g_string_append_printf (out, "%u", n);
          self->at++;
        }
      else if (!kvsqld_pg_read_expression (self, &key))
        return FALSE;
      else
        g_string_append (out, key.sql);
      if (!kvsqld_pg_accept_symbol (self, ","))
        return TRUE;
      g_string_append (out, ", ");
    }
}

static gboolean
read_rest_of_select (KvsqldPgTranslator *self, const GArray *columns, GString *out)
{
  KvsqldPgExpression condition;

  if (self->scope->from->len > 0)
    g_string_append_printf (out, " FROM %s", self->scope->from->str);
  if (kvsqld_pg_accept_word (self, "where"))
    {
      if (!kvsqld_pg_read_condition (self, &condition))
        return FALSE;
      g_string_append_printf (out, " WHERE %s%s%s", condition.sql,
                              self->scope->conditions->len > 0 ? " AND " : "",
                              self->scope->conditions->str);
    }
  else if (self->scope->conditions->len > 0)
    g_string_append_printf (out, " WHERE %s", self->scope->conditions->str);
  if (kvsqld_pg_accept_word (self, "group"))
    {
      if (!kvsqld_pg_expect_word (self, "by") || !read_group (self, columns, out))
        return FALSE;
    }
  if (kvsqld_pg_accept_word (self, "having"))
    {
      if (!kvsqld_pg_read_condition (self, &condition))
        return FALSE;
      g_string_append_printf (out, " HAVING %s", condition.sql);
    }
  if (kvsqld_pg_at_word (self, "window"))
    return kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "WINDOW");
  return TRUE;
}

/* FROM is read first, as its names are those of the outputs. */
static gboolean
read_select (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  guint from, outputs, after = 0;
  gboolean is_empty;

  g_string_append (out, "SELECT ");
  if (kvsqld_pg_accept_word (self, "distinct"))
    {
      if (kvsqld_pg_at_word (self, "on"))
        return kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "DISTINCT ON");
      g_string_append (out, "DISTINCT ");
    }
  else
    kvsqld_pg_accept_word (self, "all");
  is_empty = kvsqld_pg_at_word (self, "from") && self->scope->outer != NULL;
  from = is_empty ? self->at : find_from (self);
  outputs = self->at;
  if (from > 0)
    {
      self->at = from + 1;
      if (!kvsqld_pg_read_from (self))
        return FALSE;
      after = self->at;
      self->at = outputs;
    }
  /* EXISTS (SELECT FROM …) */
  if (is_empty)
    add_sent (self, columns, out, "?column?",
              &(KvsqldPgExpression){ .sql = "1", .type = KVSQLD_PGT_INT4 });
  else if (!read_outputs (self, columns, out))
    return FALSE;
  if (from > 0 && self->at != from)
    return kvsqld_pg_fail_syntax (self);
  if (from > 0)
    self->at = after;
  return read_rest_of_select (self, columns, out);
}

static gboolean
read_values (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  gboolean is_first = TRUE;

  do
    {
      g_autoptr (GArray) row = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression));

      if (!kvsqld_pg_expect_symbol (self, "(") || !kvsqld_pg_read_list (self, ")", row))
        return FALSE;
      if (!is_first && row->len != columns->len)
        return kvsql_error_set (&self->error, KVSQL_ERROR_SYNTAX, kvsqld_pg_next (self, 0)->span,
                                "VALUES lists must all be the same length");
      g_string_append (out, is_first ? "SELECT " : " UNION ALL SELECT ");
      for (guint i = 0; i < row->len; i++)
        {
          KvsqldPgExpression *value = &g_array_index (row, KvsqldPgExpression, i);

          if (!kvsqld_pg_settle (self, value))
            return FALSE;
          if (is_first)
            {
              const KvsqldPgCatalogueColumn column
                  = { kvsqld_pg_write (self, "column%u", i + 1), value->type };

              g_array_append_val (columns, column);
            }
          g_string_append_printf (out, "%s%s AS k%u", i > 0 ? ", " : "", value->sql, i + 1);
        }
      is_first = FALSE;
    }
  while (kvsqld_pg_accept_symbol (self, ","));
  return TRUE;
}

/* ---- set operations */

/* SELECT, VALUES, TABLE, or a query in parentheses. */
static gboolean
read_arm (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  const gchar *sql;
  g_autoptr (GArray) inner = NULL;

  if (kvsqld_pg_accept_word (self, "select"))
    return read_select (self, columns, out);
  if (kvsqld_pg_accept_word (self, "values"))
    return read_values (self, columns, out);
  if (!kvsqld_pg_accept_symbol (self, "("))
    return kvsqld_pg_fail_syntax (self);
  if (!kvsqld_pg_read_query (self, &sql, &inner) || !kvsqld_pg_expect_symbol (self, ")"))
    return FALSE;
  g_array_append_vals (columns, inner->data, inner->len);
  g_string_append_printf (out, "SELECT * FROM (%s)", sql);
  return TRUE;
}

/* An arm in a scope of its own, which is left open for ORDER BY. */
static gboolean
read_scoped_arm (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  kvsqld_pg_push_scope (self);
  return read_arm (self, columns, out);
}

static gboolean
unify_arms (KvsqldPgTranslator *self, GArray *columns, const GArray *others, KvsqlSpan span)
{
  if (columns->len != others->len)
    return kvsql_error_set (&self->error, KVSQL_ERROR_SYNTAX, span,
                            "each UNION query must have the same number of columns");
  for (guint i = 0; i < columns->len; i++)
    {
      KvsqldPgCatalogueColumn *column = &g_array_index (columns, KvsqldPgCatalogueColumn, i);
      guint32 other = g_array_index (others, KvsqldPgCatalogueColumn, i).type;

      /* NULL is text, until another arm says what it is */
      if (column->type == KVSQLD_PGT_TEXT && other != KVSQLD_PGT_TEXT)
        column->type = other;
    }
  return TRUE;
}

/* FALSE without an error: there is none. @out: in SQLite */
static const gchar *
accept_set_operator (KvsqldPgTranslator *self)
{
  const gchar *operator= kvsqld_pg_accept_word (self, "union") ? "UNION"
  : kvsqld_pg_accept_word (self, "except")                     ? "EXCEPT"
  : kvsqld_pg_accept_word (self, "intersect")                  ? "INTERSECT"
                                                               : NULL;

  if (operator== NULL)
    return NULL;
  if (kvsqld_pg_accept_word (self, "all"))
    {
      if (strcmp (operator, "UNION") != 0)
        kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "EXCEPT ALL");
      return "UNION ALL";
    }
  kvsqld_pg_accept_word (self, "distinct");
  return operator;
}

/* The arms after the first, from left to right. */
static gboolean
read_other_arms (KvsqldPgTranslator *self, GArray *columns, GString *out, guint *out_n)
{
  const gchar *operator;

  while ((operator= accept_set_operator (self)) != NULL && self->error == NULL)
    {
      g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (KvsqldPgCatalogueColumn));
      KvsqlSpan span = kvsqld_pg_next (self, 0)->span;

      if (strcmp (operator, "INTERSECT") == 0 && *out_n > 1)
        return kvsqld_pg_fail_unsupported (self, span, "INTERSECT after UNION");
      g_string_append_printf (out, " %s ", operator);
      kvsqld_pg_pop_scope (self);
      if (!read_scoped_arm (self, others, out) || !unify_arms (self, columns, others, span))
        return FALSE;
      ++*out_n;
    }
  return self->error == NULL;
}

/* ---- ORDER BY, LIMIT */

/* The number of the output of this name, if the next token is that name and nothing else. */
static guint
find_output (const KvsqldPgTranslator *self, const GArray *columns)
{
  static const gchar *const followers[]
      = { "asc", "desc", "nulls", "limit", "offset", "fetch", "for", NULL };
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0), *after = kvsqld_pg_next (self, 1);

  if (!kvsqld_pg_token_is_name (token)
      || !(after->kind == KVSQLD_PG_TOKEN_END || kvsqld_pg_token_is_symbol (after, ",")
           || kvsqld_pg_token_is_symbol (after, ")") || kvsqld_pg_token_is_symbol (after, ";")
           || (after->kind == KVSQLD_PG_TOKEN_WORD && g_strv_contains (followers, after->text))))
    return 0;
  for (guint i = 0; i < columns->len; i++)
    if (strcmp (g_array_index (columns, KvsqldPgCatalogueColumn, i).name, token->text) == 0)
      return i + 1;
  return 0;
}

static gboolean
read_order_by (KvsqldPgTranslator *self, const GArray *columns, gboolean is_compound, GString *out)
{
  g_string_append (out, " ORDER BY ");
  do
    {
      guint output = find_output (self, columns);
      KvsqldPgExpression key;

      if (output > 0)
        {
          g_string_append_printf (out, "%u", output);
          self->at++;
        }
      else if (is_compound && kvsqld_pg_next (self, 0)->kind != KVSQLD_PG_TOKEN_NUMBER)
        return kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span,
                                           "ORDER BY an expression after UNION");
      else if (!kvsqld_pg_read_expression (self, &key))
        return FALSE;
      else
        g_string_append (out, key.sql);
      if (!kvsqld_pg_read_direction (self, out))
        return FALSE;
      g_string_append (out, ", ");
    }
  while (kvsqld_pg_accept_symbol (self, ","));
  g_string_truncate (out, out->len - 2);
  return TRUE;
}

static gboolean
read_count (KvsqldPgTranslator *self, const gchar **out)
{
  KvsqldPgExpression value;

  if (!kvsqld_pg_read_expression (self, &value)
      || !kvsqld_pg_coerce (self, &value, KVSQLD_PGT_INT8))
    return FALSE;
  *out = value.sql;
  return TRUE;
}

/* LIMIT n, OFFSET n and FETCH FIRST n ROWS ONLY, in any order. */
static gboolean
read_limit (KvsqldPgTranslator *self, GString *out)
{
  const gchar *limit = NULL, *offset = NULL;

  for (;;)
    {
      if (kvsqld_pg_accept_word (self, "limit"))
        {
          if (!kvsqld_pg_accept_word (self, "all") && !read_count (self, &limit))
            return FALSE;
        }
      else if (kvsqld_pg_accept_word (self, "offset"))
        {
          if (!read_count (self, &offset))
            return FALSE;
          if (!kvsqld_pg_accept_word (self, "rows"))
            kvsqld_pg_accept_word (self, "row");
        }
      else if (kvsqld_pg_accept_word (self, "fetch"))
        {
          limit = "1";
          if (!kvsqld_pg_accept_word (self, "first") && !kvsqld_pg_expect_word (self, "next"))
            return FALSE;
          if (kvsqld_pg_next (self, 0)->kind != KVSQLD_PG_TOKEN_WORD && !read_count (self, &limit))
            return FALSE;
          if ((!kvsqld_pg_accept_word (self, "rows") && !kvsqld_pg_expect_word (self, "row"))
              || !kvsqld_pg_expect_word (self, "only"))
            return FALSE;
        }
      else
        break;
    }
  if (limit != NULL)
    g_string_append_printf (out, " LIMIT coalesce (%s, -1)", limit);
  else if (offset != NULL)
    g_string_append (out, " LIMIT -1");
  if (offset != NULL)
    g_string_append_printf (out, " OFFSET coalesce (%s, 0)", offset);
  if (kvsqld_pg_at_word (self, "for"))
    return kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "FOR UPDATE");
  return TRUE;
}

/* ---- WITH */

/* (a, b) after the name of a common query. */
static gboolean
read_names (KvsqldPgTranslator *self, GPtrArray *out)
{
  if (!kvsqld_pg_accept_symbol (self, "("))
    return TRUE;
  do
    {
      if (!kvsqld_pg_token_is_name (kvsqld_pg_next (self, 0)))
        return kvsqld_pg_fail_syntax (self);
      g_ptr_array_add (out, (gpointer)kvsqld_pg_next (self, 0)->text);
      self->at++;
    }
  while (kvsqld_pg_accept_symbol (self, ","));
  return kvsqld_pg_expect_symbol (self, ")");
}

static KvsqldPgCommon *
add_common (KvsqldPgTranslator *self, const gchar *name, const gchar *written,
            const GArray *columns, const GPtrArray *names)
{
  KvsqldPgCommon *common = kvsql_arena_alloc0 (self->arena, sizeof *common);

  *common = (KvsqldPgCommon){
    .name = name, .written = written, .n_columns = columns->len, .next = self->commons
  };
  common->columns = kvsql_arena_array (self->arena, KvsqldPgCatalogueColumn, columns->len);
  for (guint i = 0; i < columns->len; i++)
    {
      common->columns[i] = g_array_index (columns, KvsqldPgCatalogueColumn, i);
      if (i < names->len)
        common->columns[i].name = names->pdata[i];
    }
  self->commons = common;
  return common;
}

/* The query of WITH RECURSIVE may name itself in every arm but the first. */
static gboolean
read_recursive (KvsqldPgTranslator *self, const gchar *name, const gchar *written,
                const GPtrArray *names, GString *out)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (KvsqldPgCatalogueColumn));
  guint n_arms = 1;
  gboolean ok = kvsqld_pg_enter (self) && read_scoped_arm (self, columns, out);

  if (!ok)
    return FALSE;
  add_common (self, name, written, columns, names);
  ok = read_other_arms (self, columns, out, &n_arms);
  kvsqld_pg_pop_scope (self);
  kvsqld_pg_leave (self);
  if (ok && kvsqld_pg_accept_word (self, "order"))
    return kvsqld_pg_expect_word (self, "by") && read_order_by (self, columns, n_arms > 1, out);
  return ok;
}

static gboolean
read_common (KvsqldPgTranslator *self, gboolean is_recursive, GString *out)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) body = g_string_new (NULL);
  const gchar *written = kvsqld_pg_make_name (self), *sql;
  KvsqldPgCommon *common;

  if (!kvsqld_pg_token_is_name (token))
    return kvsqld_pg_fail_syntax (self);
  self->at++;
  if (!read_names (self, names) || !kvsqld_pg_expect_word (self, "as"))
    return FALSE;
  if (kvsqld_pg_accept_word (self, "not") || kvsqld_pg_at_word (self, "materialized"))
    {
      if (!kvsqld_pg_expect_word (self, "materialized"))
        return FALSE;
    }
  if (!kvsqld_pg_expect_symbol (self, "("))
    return FALSE;
  if (is_recursive && !kvsqld_pg_at_word (self, "with"))
    {
      if (!read_recursive (self, token->text, written, names, body))
        return FALSE;
      common = self->commons;
    }
  else
    {
      g_autoptr (GArray) columns = NULL;

      if (!kvsqld_pg_read_query (self, &sql, &columns))
        return FALSE;
      g_string_append (body, sql);
      common = add_common (self, token->text, written, columns, names);
    }
  if (!kvsqld_pg_expect_symbol (self, ")"))
    return FALSE;
  g_string_append_printf (out, "%s (", written);
  for (guint i = 0; i < common->n_columns; i++)
    g_string_append_printf (out, "%sk%u", i > 0 ? ", " : "", i + 1);
  g_string_append_printf (out, ") AS (%s)", body->str);
  return TRUE;
}

static gboolean
read_with (KvsqldPgTranslator *self, GString *out)
{
  gboolean is_recursive = kvsqld_pg_accept_word (self, "recursive");

  g_string_append (out, is_recursive ? "WITH RECURSIVE " : "WITH ");
  for (;;)
    {
      if (!read_common (self, is_recursive, out))
        return FALSE;
      if (!kvsqld_pg_accept_symbol (self, ","))
        break;
      g_string_append (out, ", ");
    }
  g_string_append_c (out, ' ');
  return TRUE;
}

/* ---- a whole query */

static gboolean
read_body (KvsqldPgTranslator *self, GArray *columns, GString *out)
{
  KvsqldPgScope *outer = self->scope;
  guint n_arms = 1;
  gboolean ok = read_scoped_arm (self, columns, out)
                && read_other_arms (self, columns, out, &n_arms)
                && (!kvsqld_pg_accept_word (self, "order")
                    || (kvsqld_pg_expect_word (self, "by")
                        && read_order_by (self, columns, n_arms > 1, out)))
                && read_limit (self, out);

  self->scope = outer;
  return ok;
}

gboolean
kvsqld_pg_read_query (KvsqldPgTranslator *self, const gchar **out_sql, GArray **out_columns)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (KvsqldPgCatalogueColumn));
  g_autoptr (GString) out = g_string_new (NULL);
  KvsqldPgCommon *commons = self->commons;
  gboolean returned_rows = self->returns_rows, ok;

  if (!kvsqld_pg_enter (self))
    return FALSE;
  self->returns_rows = FALSE;
  ok = (!kvsqld_pg_accept_word (self, "with") || read_with (self, out))
       && read_body (self, columns, out);
  self->returns_rows = returned_rows;
  self->commons = commons;
  kvsqld_pg_leave (self);
  if (!ok)
    return FALSE;
  *out_sql = kvsqld_pg_write (self, "%s", out->str);
  *out_columns = g_steal_pointer (&columns);
  return self->error == NULL;
}
