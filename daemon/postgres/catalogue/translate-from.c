/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-from.c: FROM, and the names that it gives.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate-private.h"

/* ---- scopes */

KvsqldPgScope *
kvsqld_pg_push_scope (KvsqldPgTranslator *self)
{
  KvsqldPgScope *scope = kvsql_arena_alloc0 (self->arena, sizeof *scope);

  *scope = (KvsqldPgScope){ .items = g_ptr_array_new (),
                            .outer = self->scope,
                            .from = g_string_new (NULL),
                            .conditions = g_string_new (NULL) };
  g_ptr_array_add (self->scopes, scope);
  self->scope = scope;
  return scope;
}

void
kvsqld_pg_pop_scope (KvsqldPgTranslator *self)
{
  self->scope = self->scope->outer;
}

const KvsqldPgScopeColumn *
kvsqld_pg_lookup_column (const KvsqldPgScope *scope, const gchar *qualifier, const gchar *name,
                         guint *out_n)
{
  const KvsqldPgScopeColumn *found = NULL;

  *out_n = 0;
  for (guint i = 0; i < scope->items->len; i++)
    {
      const KvsqldPgScopeItem *item = scope->items->pdata[i];

      if (qualifier != NULL && strcmp (qualifier, item->alias) != 0)
        continue;
      for (guint c = 0; c < item->columns->len; c++)
        {
          const KvsqldPgScopeColumn *column
              = &g_array_index (item->columns, KvsqldPgScopeColumn, c);

          if (strcmp (column->name, name) == 0 && (qualifier != NULL || !column->is_merged))
            {
              found = found != NULL ? found : column;
              ++*out_n;
            }
        }
    }
  return found;
}

static gboolean
has_item (const KvsqldPgScope *scope, const gchar *alias)
{
  for (guint i = 0; i < scope->items->len; i++)
    if (strcmp (((KvsqldPgScopeItem *)scope->items->pdata[i])->alias, alias) == 0)
      return TRUE;
  return FALSE;
}

gboolean
kvsqld_pg_find_column (KvsqldPgTranslator *self, const gchar *schema, const gchar *qualifier,
                       const gchar *name, KvsqlSpan span, KvsqldPgExpression *out)
{
  gboolean is_known = qualifier == NULL;

  for (const KvsqldPgScope *scope = self->scope; scope != NULL; scope = scope->outer)
    {
      guint n;
      const KvsqldPgScopeColumn *column = kvsqld_pg_lookup_column (scope, qualifier, name, &n);

      if (n > 1)
        {
          kvsql_error_set (&self->error, KVSQL_ERROR_INVALID, span,
                           "column reference \"%s\" is ambiguous", name);
          return kvsql_error_sqlstate (&self->error, "42702");
        }
      if (column != NULL)
        {
          *out = (KvsqldPgExpression){ .sql = column->sql,
                                       .type = column->type,
                                       .name = column->name,
                                       .is_named = TRUE,
                                       .span = span };
          return TRUE;
        }
      is_known = is_known || has_item (scope, qualifier);
      if (qualifier != NULL && has_item (scope, qualifier))
        break;
    }
  if (!is_known)
    {
      kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, span,
                       "missing FROM-clause entry for table \"%s\"", qualifier);
      return kvsql_error_sqlstate (&self->error, "42P01");
    }
  if (qualifier != NULL)
    kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, span,
                     "column %s%s%s.%s does not exist", schema != NULL ? schema : "",
                     schema != NULL ? "." : "", qualifier, name);
  else
    kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, span, "column \"%s\" does not exist",
                     name);
  return kvsql_error_sqlstate (&self->error, "42703");
}

/* ---- items */

static KvsqldPgScopeItem *
new_item (KvsqldPgTranslator *self, const gchar *alias)
{
  KvsqldPgScopeItem *item = kvsql_arena_alloc0 (self->arena, sizeof *item);

  item->alias = alias;
  item->columns = g_array_new (FALSE, FALSE, sizeof (KvsqldPgScopeColumn));
  g_ptr_array_add (self->scope->items, item);
  return item;
}

/* [AS] alias [(a, b)]; an alias is needed for what has no name. */
static gboolean
read_alias (KvsqldPgTranslator *self, KvsqldPgScopeItem *item)
{
  gboolean is_certain = kvsqld_pg_accept_word (self, "as");
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

  if (kvsqld_pg_token_is_name (token) && !kvsqld_pg_is_reserved (token))
    {
      item->alias = token->text;
      self->at++;
    }
  else if (is_certain)
    return kvsqld_pg_fail_syntax (self);
  if (item->alias == NULL || !kvsqld_pg_at_symbol (self, "("))
    return TRUE;
  self->at++;
  for (guint i = 0;; i++)
    {
      token = kvsqld_pg_next (self, 0);
      if (!kvsqld_pg_token_is_name (token) || i >= item->columns->len)
        return kvsqld_pg_fail_syntax (self);
      g_array_index (item->columns, KvsqldPgScopeColumn, i).name = token->text;
      self->at++;
      /* the types of AS t (a int, b text) */
      if (!kvsqld_pg_accept_symbol (self, ","))
        return kvsqld_pg_expect_symbol (self, ")");
    }
}

/* Columns that are written as alias.column. */
static void
set_columns (KvsqldPgTranslator *self, KvsqldPgScopeItem *item, const gchar *written,
             const KvsqldPgCatalogueColumn *columns, guint n_columns)
{
  for (guint i = 0; i < n_columns; i++)
    {
      const KvsqldPgScopeColumn column = { .name = columns[i].name,
                                           .sql = kvsqld_pg_write (self, "%s.k%u", written, i + 1),
                                           .type = columns[i].type };

      g_array_append_val (item->columns, column);
    }
}

static gboolean
read_subquery (KvsqldPgTranslator *self)
{
  const gchar *written = kvsqld_pg_make_name (self), *sql;
  g_autoptr (GArray) columns = NULL;
  KvsqldPgScopeItem *item;
  KvsqlSpan span = kvsqld_pg_next (self, 0)->span;
  KvsqldPgScope *scope = self->scope;

  if (!kvsqld_pg_read_query (self, &sql, &columns) || !kvsqld_pg_expect_symbol (self, ")"))
    return FALSE;
  self->scope = scope;
  item = new_item (self, NULL);
  set_columns (self, item, written, (const KvsqldPgCatalogueColumn *)columns->data, columns->len);
  if (!read_alias (self, item))
    return FALSE;
  if (item->alias == NULL)
    return kvsql_error_set (&self->error, KVSQL_ERROR_SYNTAX, span,
                            "subquery in FROM must have an alias");
  g_string_append_printf (self->scope->from, "(%s) AS %s", sql, written);
  return TRUE;
}

static gboolean
fail_relation (KvsqldPgTranslator *self, const gchar *schema, const gchar *name, KvsqlSpan span)
{
  if (schema == NULL || strcmp (schema, "public") == 0)
    {
      kvsql_error_set (&self->error, KVSQL_ERROR_UNSUPPORTED, span,
                       "\"%s\" is no relation of the catalogue", name);
      return kvsql_error_hint (&self->error, "A query reads either the catalogue (pg_catalog, "
                                             "information_schema) or relations of kvsql.");
    }
  kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, span,
                   "relation \"%s.%s\" does not exist", schema, name);
  return kvsql_error_sqlstate (&self->error, "42P01");
}

static gboolean
read_common_name (KvsqldPgTranslator *self, const gchar *name)
{
  for (const KvsqldPgCommon *common = self->commons; common != NULL; common = common->next)
    if (strcmp (common->name, name) == 0)
      {
        const gchar *written = kvsqld_pg_make_name (self);
        KvsqldPgScopeItem *item = new_item (self, name);

        set_columns (self, item, written, common->columns, common->n_columns);
        g_string_append_printf (self->scope->from, "%s AS %s", common->written, written);
        return read_alias (self, item);
      }
  return FALSE;
}

/* Columns that every relation of PostgreSQL has. */
static void
add_hidden (KvsqldPgScopeItem *item, const gchar *name, const gchar *sql, guint32 type)
{
  const KvsqldPgScopeColumn column = { .name = name, .sql = sql, .type = type, .is_hidden = TRUE };

  g_array_append_val (item->columns, column);
}

static gboolean
read_table (KvsqldPgTranslator *self, const gchar *schema, const gchar *name, KvsqlSpan span)
{
  gboolean is_information = schema != NULL && strcmp (schema, "information_schema") == 0;
  const KvsqldPgTableFacts *table = NULL;
  const gchar *written = kvsqld_pg_make_name (self);
  KvsqldPgScopeItem *item;

  if (is_information)
    table = kvsqld_pg_facts_find_table (kvsqld_pg_write (self, "information_schema.%s", name));
  else if ((schema == NULL || strcmp (schema, "pg_catalog") == 0) && strchr (name, '.') == NULL)
    table = kvsqld_pg_facts_find_table (name);
  if (table == NULL || table->oid == 0)
    return fail_relation (self, schema, name, span);
  kvsqld_pg_use_table (self, table->name);
  item = new_item (self, name);
  item->schema = is_information ? schema : "pg_catalog";
  for (guint i = 0; i < table->n_columns; i++)
    {
      const KvsqldPgScopeColumn column
          = { .name = table->columns[i].name,
              .sql = kvsqld_pg_write (self, "%s.\"%s\"", written, table->columns[i].name),
              .type = table->columns[i].type };

      g_array_append_val (item->columns, column);
    }
  add_hidden (item, "tableoid", kvsqld_pg_write (self, "%u", table->oid), KVSQLD_PGT_OID);
  add_hidden (item, "xmin", "0", KVSQLD_PGT_XID);
  g_string_append_printf (self->scope->from, "\"%s\" AS %s", table->name, written);
  return read_alias (self, item);
}

static gboolean
read_call (KvsqldPgTranslator *self, const gchar *name, KvsqlSpan span)
{
  KvsqldPgScopeItem *item = new_item (self, name);
  guint n;

  if (!kvsqld_pg_read_call_in_from (self, name, span, item))
    return FALSE;
  n = item->columns->len;
  if (!read_alias (self, item))
    return FALSE;
  /* the only column of a function is called as the function */
  if (n == 1 && strcmp (g_array_index (item->columns, KvsqldPgScopeColumn, 0).name, name) == 0)
    g_array_index (item->columns, KvsqldPgScopeColumn, 0).name = item->alias;
  return TRUE;
}

static gboolean read_joins (KvsqldPgTranslator *self);

static gboolean
read_item (KvsqldPgTranslator *self)
{
  const KvsqldPgToken *token;
  const gchar *schema = NULL;

  kvsqld_pg_accept_word (self, "lateral");
  kvsqld_pg_accept_word (self, "only");
  if (kvsqld_pg_accept_symbol (self, "("))
    {
      if (kvsqld_pg_at_word (self, "select") || kvsqld_pg_at_word (self, "with")
          || kvsqld_pg_at_word (self, "values"))
        return read_subquery (self);
      g_string_append_c (self->scope->from, '(');
      if (!read_joins (self) || !kvsqld_pg_expect_symbol (self, ")"))
        return FALSE;
      g_string_append_c (self->scope->from, ')');
      return TRUE;
    }
  token = kvsqld_pg_next (self, 0);
  if (!kvsqld_pg_token_is_name (token) || kvsqld_pg_is_reserved (token))
    return kvsqld_pg_fail_syntax (self);
  self->at++;
  /* A database before the schema is the session's: there is only one. */
  for (guint i = 0; i < 2 && kvsqld_pg_accept_symbol (self, "."); i++)
    {
      schema = token->text;
      token = kvsqld_pg_next (self, 0);
      if (!kvsqld_pg_token_is_name (token))
        return kvsqld_pg_fail_syntax (self);
      self->at++;
    }
  if (kvsqld_pg_at_symbol (self, "("))
    return read_call (self, token->text, token->span);
  if (schema == NULL && (read_common_name (self, token->text) || self->error != NULL))
    return self->error == NULL;
  return read_table (self, schema, token->text, token->span);
}

/* ---- joins */

/* The columns of one name on both sides of a join are one, that of the left side. */
static gboolean
merge (KvsqldPgTranslator *self, const gchar *name, guint first_left, guint first_right,
       KvsqlSpan span, GString *condition)
{
  GPtrArray *items = self->scope->items;
  KvsqldPgScopeColumn *left = NULL, *right = NULL;

  for (guint i = first_left; i < items->len; i++)
    {
      GArray *columns = ((KvsqldPgScopeItem *)items->pdata[i])->columns;

      for (guint c = 0; c < columns->len; c++)
        {
          KvsqldPgScopeColumn *column = &g_array_index (columns, KvsqldPgScopeColumn, c);

          if (strcmp (column->name, name) != 0 || column->is_merged)
            continue;
          if (i < first_right)
            left = column;
          else
            right = column;
        }
    }
  if (left == NULL || right == NULL)
    {
      kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, span,
                       "column \"%s\" specified in USING clause does not exist in %s table", name,
                       left == NULL ? "left" : "right");
      return kvsql_error_sqlstate (&self->error, "42703");
    }
  right->is_merged = TRUE;
  g_string_append_printf (condition, "%s%s = %s", condition->len > 0 ? " AND " : "", left->sql,
                          right->sql);
  return TRUE;
}

static gboolean
read_using (KvsqldPgTranslator *self, guint first_left, guint first_right, GString *condition)
{
  if (!kvsqld_pg_expect_symbol (self, "("))
    return FALSE;
  do
    {
      const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

      if (!kvsqld_pg_token_is_name (token))
        return kvsqld_pg_fail_syntax (self);
      self->at++;
      if (!merge (self, token->text, first_left, first_right, token->span, condition))
        return FALSE;
    }
  while (kvsqld_pg_accept_symbol (self, ","));
  return kvsqld_pg_expect_symbol (self, ")");
}

static gboolean
read_join_condition (KvsqldPgTranslator *self, guint first_left, guint first_right)
{
  g_autoptr (GString) condition = g_string_new (NULL);
  KvsqldPgExpression value;

  if (kvsqld_pg_accept_word (self, "using"))
    {
      if (!read_using (self, first_left, first_right, condition))
        return FALSE;
    }
  else
    {
      if (!kvsqld_pg_expect_word (self, "on") || !kvsqld_pg_read_condition (self, &value))
        return FALSE;
      g_string_append (condition, value.sql);
    }
  g_string_append_printf (self->scope->from, " ON %s", condition->str);
  return TRUE;
}

/* FALSE without an error: there is no join here. */
static const gchar *
accept_join (KvsqldPgTranslator *self)
{
  const gchar *kind;

  if (kvsqld_pg_at_word (self, "natural"))
    {
      kvsqld_pg_fail_unsupported (self, kvsqld_pg_next (self, 0)->span, "NATURAL JOIN");
      return NULL;
    }
  if (kvsqld_pg_accept_word (self, "join"))
    return "JOIN";
  kind = kvsqld_pg_accept_word (self, "inner")   ? "JOIN"
         : kvsqld_pg_accept_word (self, "cross") ? "CROSS JOIN"
         : kvsqld_pg_accept_word (self, "left")  ? "LEFT JOIN"
         : kvsqld_pg_accept_word (self, "right") ? "RIGHT JOIN"
         : kvsqld_pg_accept_word (self, "full")  ? "FULL JOIN"
                                                 : NULL;
  if (kind == NULL)
    return NULL;
  kvsqld_pg_accept_word (self, "outer");
  return kvsqld_pg_expect_word (self, "join") ? kind : NULL;
}

/* An item with the joins that follow it. */
static gboolean
read_joins (KvsqldPgTranslator *self)
{
  guint first_left = self->scope->items->len;
  const gchar *kind;

  if (!kvsqld_pg_enter (self) || !read_item (self))
    return FALSE;
  while ((kind = accept_join (self)) != NULL)
    {
      guint first_right = self->scope->items->len;

      g_string_append_printf (self->scope->from, " %s ", kind);
      if (!read_item (self)
          || (strcmp (kind, "CROSS JOIN") != 0
              && !read_join_condition (self, first_left, first_right)))
        return FALSE;
    }
  kvsqld_pg_leave (self);
  return self->error == NULL;
}

gboolean
kvsqld_pg_read_from (KvsqldPgTranslator *self)
{
  for (;;)
    {
      if (!read_joins (self))
        return FALSE;
      if (!kvsqld_pg_accept_symbol (self, ","))
        return TRUE;
      g_string_append (self->scope->from, ", ");
    }
}
