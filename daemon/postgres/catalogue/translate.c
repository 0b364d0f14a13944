/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate.c: see translate.h: tokens, names, and what a statement is.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate.h"

#include "core/base/interrupt.h"
#include "daemon/postgres/catalogue/translate-private.h"

#define MAX_SQL_BYTES (256 * 1024)

/* ---- tokens */

gboolean
kvsqld_pg_accept_word (KvsqldPgTranslator *self, const gchar *word)
{
  if (!kvsqld_pg_at_word (self, word))
    return FALSE;
  self->at++;
  return TRUE;
}

gboolean
kvsqld_pg_accept_symbol (KvsqldPgTranslator *self, const gchar *symbol)
{
  if (!kvsqld_pg_at_symbol (self, symbol))
    return FALSE;
  self->at++;
  return TRUE;
}

gboolean
kvsqld_pg_fail_syntax (KvsqldPgTranslator *self)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);

  if (self->error != NULL)
    return FALSE;
  if (token->kind == KVSQLD_PG_TOKEN_END)
    return kvsql_error_set (&self->error, KVSQL_ERROR_SYNTAX, token->span,
                            "syntax error at end of input");
  return kvsql_error_set (&self->error, KVSQL_ERROR_SYNTAX, token->span,
                          "syntax error at or near \"%.40s\"", token->text);
}

gboolean
kvsqld_pg_expect_word (KvsqldPgTranslator *self, const gchar *word)
{
  return kvsqld_pg_accept_word (self, word) || kvsqld_pg_fail_syntax (self);
}

gboolean
kvsqld_pg_expect_symbol (KvsqldPgTranslator *self, const gchar *symbol)
{
  return kvsqld_pg_accept_symbol (self, symbol) || kvsqld_pg_fail_syntax (self);
}

gboolean
kvsqld_pg_fail_unsupported (KvsqldPgTranslator *self, KvsqlSpan span, const gchar *what)
{
  if (self->error != NULL)
    return FALSE;
  return kvsql_error_set (&self->error, KVSQL_ERROR_UNSUPPORTED, span,
                          "%s is not supported in a query of the catalogue", what);
}

gboolean
kvsqld_pg_enter (KvsqldPgTranslator *self)
{
  if (self->error != NULL || !kvsql_interrupt_poll (&self->error))
    return FALSE;
  if (self->depth >= KVSQLD_PG_MAX_DEPTH
      || kvsql_arena_get_size (self->arena) > KVSQLD_PG_MAX_ARENA)
    return kvsql_error_set (&self->error, KVSQL_ERROR_LIMIT, kvsqld_pg_next (self, 0)->span,
                            "the query of the catalogue is too complex");
  self->depth++;
  return TRUE;
}

void
kvsqld_pg_leave (KvsqldPgTranslator *self)
{
  self->depth--;
}

const gchar *
kvsqld_pg_write (KvsqldPgTranslator *self, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (strlen (text) <= KVSQLD_PG_MAX_WRITTEN
      && kvsql_arena_get_size (self->arena) <= KVSQLD_PG_MAX_ARENA)
    return kvsql_arena_strdup (self->arena, text);
  if (self->error == NULL)
    kvsql_error_set (&self->error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                     "the query of the catalogue is too complex");
  return "";
}

const gchar *
kvsqld_pg_write_quoted (KvsqldPgTranslator *self, gchar quote, const gchar *text)
{
  gchar *quoted = kvsql_arena_alloc (self->arena, 2 * strlen (text) + 3), *at = quoted;

  *at++ = quote;
  for (; *text != '\0'; text++)
    {
      if (*text == quote)
        *at++ = quote;
      *at++ = *text;
    }
  *at++ = quote;
  *at = '\0';
  return quoted;
}

const gchar *
kvsqld_pg_make_name (KvsqldPgTranslator *self)
{
  return kvsqld_pg_write (self, "kv%u_", ++self->n_names);
}

void
kvsqld_pg_use_table (KvsqldPgTranslator *self, const gchar *name)
{
  for (guint i = 0; i < self->tables->len; i++)
    if (strcmp (self->tables->pdata[i], name) == 0)
      return;
  g_ptr_array_add (self->tables, (gpointer)name);
}

gboolean
kvsqld_pg_is_reserved (const KvsqldPgToken *token)
{
  static const gchar *const words[]
      = { "all",    "and",      "any",     "array",     "as",   "asc",      "between", "both",
          "case",   "cast",     "collate", "cross",     "desc", "distinct", "else",    "end",
          "except", "fetch",    "filter",  "for",       "from", "full",     "group",   "having",
          "ilike",  "in",       "inner",   "intersect", "into", "is",       "isnull",  "join",
          "left",   "like",     "limit",   "natural",   "not",  "notnull",  "nulls",   "offset",
          "on",     "operator", "or",      "order",     "over", "right",    "select",  "similar",
          "some",   "then",     "union",   "using",     "when", "where",    "window",  "with",
          NULL };

  return token->kind != KVSQLD_PG_TOKEN_QUOTED
         && (token->kind != KVSQLD_PG_TOKEN_WORD || g_strv_contains (words, token->text));
}

/* ---- is it of the catalogue */

/* Functions that the engine has not, and that tools call without FROM. */
static gboolean
is_function_of_catalogue (const gchar *name)
{
  static const gchar *const names[] = { "col_description",
                                        "current_schemas",
                                        "current_setting",
                                        "format_type",
                                        "has_any_column_privilege",
                                        "has_column_privilege",
                                        "has_database_privilege",
                                        "has_function_privilege",
                                        "has_schema_privilege",
                                        "has_sequence_privilege",
                                        "has_table_privilege",
                                        "inet_server_addr",
                                        "inet_server_port",
                                        "obj_description",
                                        "set_config",
                                        "shobj_description",
                                        "to_regclass",
                                        "to_regnamespace",
                                        "to_regtype",
                                        "txid_current",
                                        NULL };

  return g_str_has_prefix (name, "pg_") || g_strv_contains (names, name);
}

static gboolean
is_schema_of_catalogue (const gchar *name)
{
  return strcmp (name, "pg_catalog") == 0 || strcmp (name, "information_schema") == 0;
}

/* pg_catalog.setval ('s', 1), as pg_dump writes it: sequences are of the engine. */
static gboolean
is_function_of_sequence (const KvsqldPgToken *token)
{
  static const gchar *const names[] = { "currval", "lastval", "nextval", "setval", NULL };

  return token->kind == KVSQLD_PG_TOKEN_WORD && g_strv_contains (names, token->text)
         && kvsqld_pg_token_is_symbol (token + 1, "(");
}

/* The engine has them, too, but as texts, and not in FROM. */
static gboolean
is_name_of_session (const KvsqldPgToken *token)
{
  static const gchar *const names[] = { "current_catalog",
                                        "current_database",
                                        "current_role",
                                        "current_schema",
                                        "current_user",
                                        "session_user",
                                        "user",
                                        "version",
                                        NULL };

  return token->kind == KVSQLD_PG_TOKEN_WORD && g_strv_contains (names, token->text);
}

/* SELECT current_user, current_schema () AS s and the like, and nothing else. */
static gboolean
asks_for_session (const KvsqldPgToken *token)
{
  if (!kvsqld_pg_token_is_word (token, "select"))
    return FALSE;
  do
    {
      token++;
      if (!is_name_of_session (token))
        return FALSE;
      token++;
      if (kvsqld_pg_token_is_symbol (token, "(") && kvsqld_pg_token_is_symbol (token + 1, ")"))
        token += 2;
      if (kvsqld_pg_token_is_word (token, "as"))
        token++;
      if (kvsqld_pg_token_is_name (token) && !kvsqld_pg_is_reserved (token))
        token++;
    }
  while (kvsqld_pg_token_is_symbol (token, ","));
  if (kvsqld_pg_token_is_symbol (token, ";"))
    token++;
  return token->kind == KVSQLD_PG_TOKEN_END;
}

static gboolean
is_place_of_relation (const KvsqldPgToken *before, gboolean is_in_from)
{
  return kvsqld_pg_token_is_word (before, "from") || kvsqld_pg_token_is_word (before, "join")
         || kvsqld_pg_token_is_word (before, "table") || kvsqld_pg_token_is_word (before, "only")
         || (is_in_from
             && (kvsqld_pg_token_is_symbol (before, ",")
                 || kvsqld_pg_token_is_symbol (before, "(")));
}

static gboolean
is_name_of_catalogue (const KvsqldPgToken *token, gboolean is_first, gboolean is_in_from)
{
  const KvsqldPgToken *before = is_first ? NULL : token - 1, *after = token + 1;

  if (is_schema_of_catalogue (token->text) && kvsqld_pg_token_is_symbol (after, "."))
    return !is_function_of_sequence (after + 1);
  if (before != NULL && kvsqld_pg_token_is_symbol (before, "."))
    return FALSE;
  if (token->kind == KVSQLD_PG_TOKEN_WORD && kvsqld_pg_token_is_symbol (after, "("))
    return is_function_of_catalogue (token->text)
           || (before != NULL && is_place_of_relation (before, is_in_from)
               && is_name_of_session (token));
  if (before != NULL && kvsqld_pg_token_is_symbol (before, "::"))
    return token->kind == KVSQLD_PG_TOKEN_WORD && g_str_has_prefix (token->text, "reg");
  return before != NULL && is_place_of_relation (before, is_in_from)
         && !kvsqld_pg_token_is_symbol (after, ".") && strchr (token->text, '.') == NULL
         && g_str_has_prefix (token->text, "pg_")
         && kvsqld_pg_facts_find_table (token->text) != NULL;
}

/* Most statements have none of these texts. */
static gboolean
may_be_of_catalogue (KvsqlSlice sql)
{
  static const gchar *const texts[]
      = { "pg_",         "information_schema", "col_description", "current_",   "format_type",
          "has_",        "inet_server",        "obj_description", "set_config", "reg",
          "select user", "session_user",       "txid_current",    "version" };

  for (gsize i = 0; i < sql.size; i++)
    {
      gchar first = (gchar)(sql.data[i] | 0x20);

      if (sql.data[i] != '_' && strchr ("picfhiosrtv", first) == NULL)
        continue;
      for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
        if (texts[t][0] == first && strlen (texts[t]) <= sql.size - i
            && g_ascii_strncasecmp ((const gchar *)sql.data + i, texts[t], strlen (texts[t])) == 0)
          return TRUE;
    }
  return FALSE;
}

/* Whether the names after @token are in FROM, so that one after a comma is of a relation. @outer:
 * (inout): one bit for each parenthesis that is open, whether it was opened in FROM */
static gboolean
goes_on_in_from (const KvsqldPgToken *token, gboolean is_in_from, guint64 *outer)
{
  static const gchar *const begins[] = { "from", "join", NULL };
  static const gchar *const ends[] = { "select", "where",  "group", "order",     "having", "on",
                                       "using",  "values", "limit", "returning", NULL };

  if (kvsqld_pg_token_is_symbol (token, "("))
    *outer = *outer << 1 | is_in_from;
  else if (kvsqld_pg_token_is_symbol (token, ")"))
    {
      is_in_from = *outer & 1;
      *outer >>= 1;
    }
  if (token->kind != KVSQLD_PG_TOKEN_WORD)
    return is_in_from;
  return g_strv_contains (begins, token->text)
         || (is_in_from && !g_strv_contains (ends, token->text));
}

gboolean
kvsqld_pg_is_of_catalogue (KvsqlSlice sql)
{
  g_autoptr (KvsqlArena) arena = NULL;
  const KvsqldPgToken *tokens;
  gboolean is_in_from = FALSE;
  guint64 outer = 0;
  guint n;

  if (!may_be_of_catalogue (sql))
    return FALSE;
  arena = kvsql_arena_new ();
  tokens = kvsqld_pg_tokens_read (sql, TRUE, arena, &n, NULL);
  if (tokens != NULL && asks_for_session (tokens))
    return TRUE;
  for (guint i = 0; tokens != NULL && i + 1 < n; i++)
    {
      is_in_from = goes_on_in_from (&tokens[i], is_in_from, &outer);
      if (kvsqld_pg_token_is_name (&tokens[i])
          && is_name_of_catalogue (&tokens[i], i == 0, is_in_from))
        return TRUE;
    }
  return FALSE;
}

/* ---- a statement */

static void
free_scope (gpointer data)
{
  KvsqldPgScope *scope = data;

  for (guint i = 0; i < scope->items->len; i++)
    g_array_unref (((KvsqldPgScopeItem *)scope->items->pdata[i])->columns);
  g_ptr_array_unref (scope->items);
  g_string_free (scope->from, TRUE);
  g_string_free (scope->conditions, TRUE);
}

static void
set_parameters (KvsqldPgTranslator *self, KvsqldPgTranslation *out)
{
  guint32 *types = kvsql_arena_array (self->arena, guint32, self->parameters->len);

  for (guint i = 0; i < self->parameters->len; i++)
    {
      guint32 type = g_array_index (self->parameters, guint32, i);

      types[i] = type != 0 && type != KVSQLD_PGT_UNKNOWN ? type : KVSQLD_PGT_TEXT;
    }
  out->parameters = types;
  out->n_parameters = self->parameters->len;
}

static void
set_tables (KvsqldPgTranslator *self, KvsqldPgTranslation *out)
{
  const gchar **tables = kvsql_arena_array (self->arena, const gchar *, self->tables->len + 1);

  for (guint i = 0; i < self->tables->len; i++)
    tables[i] = self->tables->pdata[i];
  tables[self->tables->len] = NULL;
  out->tables = tables;
}

static gboolean
read_statement (KvsqldPgTranslator *self, KvsqldPgTranslation *out)
{
  g_autoptr (GArray) columns = NULL;
  KvsqldPgCatalogueColumn *copies;

  if (!kvsqld_pg_read_query (self, &out->sql, &columns))
    return FALSE;
  kvsqld_pg_accept_symbol (self, ";");
  if (kvsqld_pg_next (self, 0)->kind != KVSQLD_PG_TOKEN_END)
    return kvsqld_pg_fail_syntax (self);
  copies = kvsql_arena_array (self->arena, KvsqldPgCatalogueColumn, columns->len);
  memcpy (copies, columns->data, columns->len * sizeof *copies);
  out->columns = copies;
  out->n_columns = columns->len;
  set_parameters (self, out);
  set_tables (self, out);
  return self->error == NULL;
}

gboolean
kvsqld_pg_translate (KvsqlSlice sql, const guint32 *oids, guint n_oids, KvsqlArena *arena,
                     KvsqldPgTranslation *out, GError **error)
{
  KvsqldPgTranslator self = { .arena = arena };
  gboolean ok;

  *out = (KvsqldPgTranslation){ 0 };
  if (sql.size > MAX_SQL_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "a query of the catalogue has at most %d bytes", MAX_SQL_BYTES);
  self.tokens = kvsqld_pg_tokens_read (sql, FALSE, arena, &self.n_tokens, error);
  if (self.tokens == NULL)
    return FALSE;
  self.scopes = g_ptr_array_new_with_free_func (free_scope);
  self.tables = g_ptr_array_new ();
  self.parameters = g_array_new (FALSE, TRUE, sizeof (guint32));
  if (n_oids > 0)
    g_array_append_vals (self.parameters, oids, n_oids);
  ok = read_statement (&self, out);
  g_ptr_array_unref (self.scopes);
  g_ptr_array_unref (self.tables);
  g_array_unref (self.parameters);
  if (ok)
    return TRUE;
  if (self.error == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, KVSQL_SPAN_NONE, "syntax error");
  g_propagate_error (error, self.error);
  return FALSE;
}
