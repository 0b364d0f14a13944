/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-with.c: WITH name AS (query), …: queries that FROM can name.
 *
 * A name in FROM becomes the query, as if it were written there in parentheses. So the names are
 * known to the parser only. All uses share one tree. What the statement would have as a text, with
 * all queries written out, is limited as its text is: a query that uses another one twice doubles
 * it.
 */
#include "config.h"

#include "core/sql/parser-private.h"
#include "core/sql/recursive-query.h"

/* A name is looked for among all of them. */
#define MAX_QUERIES 1000

struct _KvsqlWithQuery
{
  const KvsqlWithQuery *outer; /* nullable: defined before it */
  KvsqlSource source;          /* its name, query and columns */
  guint height;
  gsize n_bytes;     /* with the queries that it uses written out */
  gboolean is_open;  /* of WITH RECURSIVE, while it is parsed: it can name itself */
  guint n_recursive; /* how often it does */
};

static gboolean
is_name_of (const KvsqlWithQuery *self, const KvsqlName *name)
{
  const KvsqlName *own = &self->source.relation;

  return own->is_quoted || name->is_quoted ? g_str_equal (own->text, name->text)
                                           : g_ascii_strcasecmp (own->text, name->text) == 0;
}

/* ---- uses */

static gboolean
check_size (KvsqlParser *self, const KvsqlWithQuery *used, KvsqlSpan span, GError **error)
{
  self->n_with_bytes += used->n_bytes;
  self->tallest = MAX (self->tallest, used->height);
  if (self->tallest > KVSQL_MAX_DEPTH)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                            "query is nested more than %d levels deep", KVSQL_MAX_DEPTH);
  if (self->n_with_bytes <= KVSQL_MAX_STATEMENT_BYTES)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                   "with its WITH queries written out, the statement is longer than %d bytes",
                   KVSQL_MAX_STATEMENT_BYTES);
  return kvsql_error_hint (error,
                           "A query that uses another one several times is that much longer.");
}

/* Names after the alias replace the first ones of the definition. */
static void
merge_columns (KvsqlParser *self, const KvsqlSource *defined, KvsqlSource *out)
{
  for (guint i = out->n_columns; i < defined->n_columns; i++)
    *KVSQL_PARSER_ADD (self, out->columns, out->n_columns) = defined->columns[i];
}

static void
use_itself (KvsqlParser *self, const KvsqlWithQuery *used, KvsqlSpan span, KvsqlSource *out)
{
  ((KvsqlWithQuery *)used)->n_recursive++;
  out->query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  out->query->working_of = used->source.query;
  out->relation.span = span;
}

gboolean
kvsql_parser_use_with (KvsqlParser *self, KvsqlSource *out, GError **error)
{
  const KvsqlWithQuery *used = self->with;
  KvsqlSpan span = out->relation.span;

  while (used != NULL && !is_name_of (used, &out->relation))
    used = used->outer;
  if (used == NULL)
    return TRUE;
  if (out->alias.text != NULL)
    out->relation = out->alias;
  out->alias = (KvsqlName){ 0 };
  if (used->is_open)
    use_itself (self, used, span, out);
  else
    {
      out->query = used->source.query;
      out->query->n_uses++;
    }
  if (!kvsql_parser_columns (self, out, error))
    return FALSE;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_USING)
      && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_SCHEMA)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, self->token.span,
                            "USING SCHEMA is for relations, and this is a query of WITH");
  merge_columns (self, &used->source, out);
  return check_size (self, used, span, error);
}

/* ---- definitions */

/* NOT MATERIALIZED is what is done in any case. */
static gboolean
parse_hint (KvsqlParser *self, gboolean *out, GError **error)
{
  static const gchar *const words[] = { "MATERIALIZED", NULL };
  gboolean is_negated = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NOT);

  *out = FALSE;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_MATERIALIZED))
    return !is_negated || kvsql_parser_fail_unexpected (self, "MATERIALIZED", words, error);
  *out = !is_negated;
  return TRUE;
}

static gboolean
reject_write (KvsqlParser *self, GError **error)
{
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_INSERT)
      && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_UPDATE)
      && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DELETE))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                   "%s is not possible in WITH: its queries only read",
                   kvsql_keyword_get_text (self->token.keyword));
  return kvsql_error_hint (error, "Send two statements.");
}

static gboolean
parse_query (KvsqlParser *self, KvsqlWithQuery *out, GError **error)
{
  guint tallest = self->tallest;
  gsize n_bytes = self->n_with_bytes;
  gint32 start = self->token.span.offset;
  gboolean is_materialized;

  if (!parse_hint (self, &is_materialized, error) || !kvsql_parser_expect_symbol (self, '(', error)
      || !reject_write (self, error) || !kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return FALSE;
  self->tallest = 0;
  self->n_with_bytes = 0;
  if (!kvsql_parser_query (self, out->source.query, error)
      || !kvsql_parser_expect_symbol (self, ')', error))
    return FALSE;
  if (out->n_recursive > 0)
    out->source.query->recursive_name = out->source.relation;
  if (!kvsql_recursive_query_check (out->source.query, error))
    return FALSE;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  out->source.query->is_materialized = is_materialized;
  out->height = self->tallest + 1;
  out->n_bytes = self->n_with_bytes + kvsql_parser_span_from (self, start).length;
  self->tallest = tallest;
  self->n_with_bytes = n_bytes;
  return TRUE;
}

/* @first: before this list */
static gboolean
reject_same_name (const KvsqlWithQuery *query, const KvsqlWithQuery *first, GError **error)
{
  const KvsqlName *name = &query->source.relation;

  for (const KvsqlWithQuery *other = query->outer; other != first; other = other->outer)
    if (is_name_of (other, name))
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                              "WITH query name \"%s\" specified more than once", name->text);
  return TRUE;
}

/* RECURSIVE is no keyword, and may be the name of a query. */
static gboolean
accept_recursive (KvsqlParser *self)
{
  KvsqlToken next = kvsql_parser_peek (self);

  if (!kvsql_parser_at_word (self, "RECURSIVE") || next.keyword == KVSQL_KEYWORD_AS
      || next.symbol == '(')
    return FALSE;
  kvsql_parser_advance (self);
  return TRUE;
}

gboolean
kvsql_parser_with (KvsqlParser *self, GError **error)
{
  const KvsqlWithQuery *first = self->with;
  gboolean is_recursive;
  guint n = 0;

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH))
    return TRUE;
  is_recursive = accept_recursive (self);
  do
    {
      KvsqlWithQuery *query = kvsql_arena_new0 (self->arena, KvsqlWithQuery);

      if (++n > MAX_QUERIES)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->token.span,
                                "WITH has more than %d queries", MAX_QUERIES);
      query->outer = self->with;
      query->source.query = kvsql_arena_new0 (self->arena, KvsqlSelect);
      if (!kvsql_parser_name (self, "the name of a query", &query->source.relation, error)
          || !reject_same_name (query, first, error)
          || !kvsql_parser_columns (self, &query->source, error)
          || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AS, error))
        return FALSE;
      query->is_open = is_recursive;
      self->with = is_recursive ? query : self->with;
      if (!parse_query (self, query, error))
        return FALSE;
      query->is_open = FALSE;
      self->with = query;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

gboolean
kvsql_parser_at_with (const KvsqlParser *self)
{
  KvsqlToken next = kvsql_parser_peek (self);

  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH)
         && next.keyword != KVSQL_KEYWORD_VERIFIED
         && (next.kind == KVSQL_TOKEN_WORD || next.kind == KVSQL_TOKEN_QUOTED_NAME);
}
