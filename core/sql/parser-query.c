/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-query.c: SELECT, and the clauses that it shares with INSERT, UPDATE and DELETE.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* Operators first: what may follow an expression; the clauses of SELECT in their order. */
static const gchar *const select_words[]
    = { "AND",   "OR",     "NOT",   "IS",     "IN",     "BETWEEN", "LIKE",
        "RLIKE", "USING",  "WHERE", "GROUP",  "HAVING", "WINDOW",  "ORDER",
        "LIMIT", "OFFSET", "WITH",  "ESCAPE", "ASC",    "DESC",    NULL };

gboolean
kvsql_parser_clause (KvsqlParser *self, KvsqlKeyword keyword, KvsqlAstExpr **out, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, keyword))
    return TRUE;
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

static gboolean
parse_nulls (KvsqlParser *self, KvsqlNullsOrder *out, GError **error)
{
  static const gchar *const words[] = { "FIRST", "LAST", NULL };

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NULLS))
    return TRUE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FIRST))
    *out = KVSQL_NULLS_FIRST;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_LAST))
    *out = KVSQL_NULLS_LAST;
  else
    return kvsql_parser_fail_unexpected (self, "FIRST or LAST", words, error);
  return TRUE;
}

gboolean
kvsql_parser_order_by (KvsqlParser *self, KvsqlOrderItem **out, guint *n, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ORDER))
    return TRUE;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error))
    return FALSE;
  do
    {
      KvsqlOrderItem *item;
      if (!kvsql_parser_check_items (self, "ORDER BY", *n, error))
        return FALSE;
      item = KVSQL_PARSER_ADD (self, *out, *n);
      item->expr = kvsql_parser_expression (self, error);
      if (item->expr == NULL)
        return FALSE;
      item->is_descending = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DESC);
      if (!item->is_descending)
        kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ASC);
      if (!parse_nulls (self, &item->nulls, error))
        return FALSE;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* Whether the token can follow the name of the statement's relation. */
static gboolean
ends_relation (const KvsqlToken *token)
{
  switch (token->keyword)
    {
    case KVSQL_KEYWORD_USING:
    case KVSQL_KEYWORD_WHERE:
    case KVSQL_KEYWORD_GROUP:
    case KVSQL_KEYWORD_HAVING:
    case KVSQL_KEYWORD_WINDOW:
    case KVSQL_KEYWORD_ORDER:
    case KVSQL_KEYWORD_LIMIT:
    case KVSQL_KEYWORD_OFFSET:
    case KVSQL_KEYWORD_WITH:
    case KVSQL_KEYWORD_ON:
    case KVSQL_KEYWORD_RETURNING:
    case KVSQL_KEYWORD_SET:
    case KVSQL_KEYWORD_UNION:
    case KVSQL_KEYWORD_INTERSECT:
    case KVSQL_KEYWORD_EXCEPT:
      return TRUE;
    default:
      return token->kind == KVSQL_TOKEN_END || token->symbol == ';' || token->symbol == ')';
    }
}

/* An alias without AS: not a keyword, nor a misspelt keyword. */
static gboolean
at_alias (const KvsqlParser *self)
{
  KvsqlToken next;

  if (self->token.kind == KVSQL_TOKEN_QUOTED_NAME)
    return TRUE;
  if (self->token.kind != KVSQL_TOKEN_WORD
      || (self->token.keyword != KVSQL_KEYWORD_NONE
          && !kvsql_parser_is_window_word (self->token.keyword))
      || kvsql_parser_is_unsupported_clause (self, NULL) || kvsql_parser_at_fetch (self))
    return FALSE;
  next = kvsql_parser_peek (self);
  return ends_relation (&next) || kvsql_parser_suggest (self, &self->token, select_words) == NULL;
}

gboolean
kvsql_parser_alias (KvsqlParser *self, KvsqlName *out, GError **error)
{
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_AS))
    return kvsql_parser_name (self, "an alias", out, error);
  if (at_alias (self))
    *out = kvsql_parser_take_word (self);
  return TRUE;
}

gboolean
kvsql_parser_relation (KvsqlParser *self, KvsqlName *out, KvsqlName *out_alias, GError **error)
{
  if (kvsql_parser_at_symbol (self, '('))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                       "this statement changes one relation");
      return kvsql_error_hint (error, "UPDATE … FROM and DELETE … USING read others.");
    }
  return kvsql_parser_written_relation (self, out, error)
         && kvsql_parser_alias (self, out_alias, error);
}

/* Whether the token begins the words of a join. */
static gboolean
at_join_words (const KvsqlParser *self)
{
  switch (self->token.keyword)
    {
    case KVSQL_KEYWORD_JOIN:
    case KVSQL_KEYWORD_INNER:
    case KVSQL_KEYWORD_CROSS:
    case KVSQL_KEYWORD_LEFT:
    case KVSQL_KEYWORD_RIGHT:
    case KVSQL_KEYWORD_FULL:
    case KVSQL_KEYWORD_NATURAL:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Whether the token begins a join with another relation. */
static gboolean
at_join (const KvsqlParser *self)
{
  return kvsql_parser_at_symbol (self, ',') || at_join_words (self);
}

gboolean
kvsql_parser_one_relation (KvsqlParser *self, KvsqlName *out, KvsqlName *out_alias, GError **error)
{
  if (!kvsql_parser_relation (self, out, out_alias, error))
    return FALSE;
  if (!at_join (self))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                   "this statement changes one relation");
  return kvsql_error_hint (error, "UPDATE … FROM and DELETE … USING read others.");
}

/* ---- SELECT */

gboolean
kvsql_parser_at_using_timestamp (const KvsqlParser *self)
{
  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_USING)
         && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_TIMESTAMP;
}

/* WITH [NO] DATA of CREATE TABLE AS, which comes after the query. */
static gboolean
at_with_data (KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;
  KvsqlParser next = { .lexer = lexer, .token = kvsql_lexer_next (&lexer, NULL) };

  next.lexer = lexer;
  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH)
         && (kvsql_parser_at_word (&next, "DATA") || kvsql_parser_at_word (&next, "NO"));
}

/* FALSE with an error if the token begins a clause that is too late or repeated. */
static gboolean
check_clause_order (KvsqlParser *self, GError **error)
{
  static const KvsqlKeyword clauses[]
      = { KVSQL_KEYWORD_USING,  KVSQL_KEYWORD_WHERE,  KVSQL_KEYWORD_GROUP,
          KVSQL_KEYWORD_HAVING, KVSQL_KEYWORD_WINDOW, KVSQL_KEYWORD_ORDER,
          KVSQL_KEYWORD_LIMIT,  KVSQL_KEYWORD_OFFSET, KVSQL_KEYWORD_WITH };

  for (guint i = 0; i < G_N_ELEMENTS (clauses); i++)
    if (kvsql_parser_at_keyword (self, clauses[i]) && !kvsql_parser_at_using_timestamp (self)
        && !kvsql_parser_at_with_schema (self) && !at_with_data (self))
      {
        kvsql_parser_fail_unexpected (self, NULL, NULL, error);
        return kvsql_error_hint (error,
                                 "%s is given twice, or too late: the order is USING SCHEMA, "
                                 "WHERE, GROUP BY, HAVING, WINDOW, ORDER BY, LIMIT, OFFSET, WITH "
                                 "VERIFIED.",
                                 kvsql_keyword_get_text (clauses[i]));
      }
  return TRUE;
}

/* A word before the next item is an alias, even if it is that of a clause. */
static gboolean
at_unsupported_clause (const KvsqlParser *self)
{
  KvsqlToken next;

  if (!kvsql_parser_is_unsupported_clause (self, NULL))
    return FALSE;
  next = kvsql_parser_peek (self);
  return next.symbol != ',' && next.keyword != KVSQL_KEYWORD_FROM;
}

/* In SELECT 1 OFFSET 2 the word is not an alias, though it can be one elsewhere. */
static gboolean
at_clause_without_from (const KvsqlParser *self)
{
  KvsqlToken next = kvsql_parser_peek (self);

  return ends_relation (&self->token) && next.symbol != ',' && next.keyword != KVSQL_KEYWORD_FROM
         && !ends_relation (&next);
}

/* "*" or "relation.*" */
static gboolean
accept_star (KvsqlParser *self, KvsqlSelectItem *out)
{
  KvsqlLexer lexer;

  if (kvsql_parser_accept_symbol (self, '*'))
    return TRUE;
  kvsql_parser_skip_public (self, TRUE);
  lexer = self->lexer;
  if (!kvsql_parser_at_name (self) || kvsql_lexer_next (&lexer, NULL).symbol != '.'
      || kvsql_lexer_next (&lexer, NULL).symbol != '*')
    return FALSE;
  out->star_of = kvsql_parser_take_word (self);
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  return TRUE;
}

/* @alias_token: set to the token of an alias without AS */
static gboolean
parse_item (KvsqlParser *self, KvsqlSelectItem *out, KvsqlToken *alias_token, GError **error)
{
  gint32 start = self->token.span.offset;

  alias_token->kind = KVSQL_TOKEN_END;
  if (!accept_star (self, out))
    {
      out->expr = kvsql_parser_expression (self, error);
      if (out->expr == NULL)
        return FALSE;
      if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_AS))
        {
          if (!kvsql_parser_name (self, "an alias", &out->alias, error))
            return FALSE;
        }
      else if (kvsql_parser_at_name (self) && !at_unsupported_clause (self)
               && !at_clause_without_from (self) && !kvsql_parser_at_fetch (self))
        {
          *alias_token = self->token;
          out->alias = kvsql_parser_take_word (self);
        }
    }
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
has_star (const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_items; i++)
    if (select->items[i].expr == NULL)
      return TRUE;
  return FALSE;
}

static gboolean
parse_items (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  static const gchar *const from[] = { "FROM", NULL };
  static const gchar *const words[]
      = { "FROM", "AS", "AND", "OR", "IS", "IN", "BETWEEN", "LIKE", "RLIKE", NULL };
  KvsqlToken alias;

  if (kvsql_parser_at_word (self, "TOP") && kvsql_parser_peek (self).kind == KVSQL_TOKEN_INTEGER)
    return !kvsql_parser_is_unsupported_clause (self, error);
  do
    {
      if (out->n_items > 0 && kvsql_parser_at_keyword (self, KVSQL_KEYWORD_FROM))
        {
          kvsql_parser_fail_unexpected (self, "an expression", NULL, error);
          return kvsql_error_hint (error, "Remove the comma before FROM.");
        }
      if (!kvsql_parser_check_items (self, "SELECT", out->n_items, error)
          || !parse_item (self, KVSQL_PARSER_ADD (self, out->items, out->n_items), &alias, error))
        return FALSE;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_FROM)
      || ((ends_relation (&self->token) || kvsql_parser_at_fetch (self)) && !has_star (out)))
    return TRUE;
  /* SELECT a FORM r: the misspelt FROM was parsed as an alias */
  if (self->token.kind != KVSQL_TOKEN_ERROR && kvsql_parser_suggest (self, &alias, from) != NULL)
    return kvsql_parser_fail_unexpected_at (self, &alias, "FROM", from, error);
  return kvsql_parser_fail_unexpected (self, "\",\" or FROM", words, error);
}

gboolean
kvsql_parser_returning (KvsqlParser *self, KvsqlSelectItem **out, guint *n, GError **error)
{
  KvsqlToken alias;

  do
    if (!kvsql_parser_check_items (self, "RETURNING", *n, error)
        || !parse_item (self, KVSQL_PARSER_ADD (self, *out, *n), &alias, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

/* ---- FROM */

static KvsqlJoin *parse_joins (KvsqlParser *self, KvsqlSelect *select, GError **error);

/* USING (…) belongs to the join. */
static gboolean
parse_source (KvsqlParser *self, KvsqlSource *out, GError **error)
{
  out->is_lateral = kvsql_parser_at_lateral (self);
  if (out->is_lateral)
    kvsql_parser_advance (self);
  if (kvsql_parser_at_derived (self))
    return kvsql_parser_derived (self, out, error);
  if (kvsql_parser_at_store_table (self))
    return kvsql_parser_store_table (self, &out->relation, error)
           && kvsql_parser_alias (self, &out->alias, error);
  if (kvsql_parser_at_table_function (self))
    return kvsql_parser_table_function (self, out, error);
  if (!kvsql_parser_name (self, "the name of a relation", &out->relation, error)
      || !kvsql_parser_alias (self, &out->alias, error)
      || !kvsql_parser_use_with (self, out, error))
    return FALSE;
  return out->query != NULL || kvsql_parser_at_using_timestamp (self)
         || (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_USING)
             && kvsql_parser_peek (self).symbol == '(')
         || !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_USING)
         || (kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SCHEMA, error)
             && kvsql_parser_name (self, "the name of a schema", &out->using_schema, error));
}

/* A join in parentheses. */
static KvsqlJoin *
parse_group (KvsqlParser *self, KvsqlSelect *select, GError **error)
{
  KvsqlJoin *join = NULL;

  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return NULL;
  kvsql_parser_advance (self);
  join = parse_joins (self, select, error);
  if (join == NULL || !kvsql_parser_expect_symbol (self, ')', error))
    return NULL;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_AS) && !at_alias (self))
    return join;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                   "an alias of a join is not supported");
  kvsql_error_hint (error, "Give its relations aliases.");
  return NULL;
}

/* A relation or derived table, or a join in parentheses. */
static KvsqlJoin *
parse_operand (KvsqlParser *self, KvsqlSelect *select, GError **error)
{
  gboolean is_first = select->from.relation.text == NULL;
  KvsqlSource *source;
  KvsqlJoin *join;

  if (kvsql_parser_at_symbol (self, '(') && !kvsql_parser_at_derived (self))
    return parse_group (self, select, error);
  if (!kvsql_parser_check_items (self, "FROM", select->n_joined, error))
    return NULL;
  source = is_first ? &select->from : KVSQL_PARSER_ADD (self, select->joined, select->n_joined);
  join = kvsql_arena_new0 (self->arena, KvsqlJoin);
  join->source = is_first ? 0 : select->n_joined;
  return parse_source (self, source, error) ? join : NULL;
}

static gboolean
parse_names (KvsqlParser *self, KvsqlJoin *join, GError **error)
{
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    if (!kvsql_parser_check_items (self, "USING", join->n_names, error)
        || !kvsql_parser_name (self, "the name of an attribute",
                               KVSQL_PARSER_ADD (self, join->names, join->n_names), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_expect_symbol (self, ')', error);
}

/* ON predicate, or USING (…). */
static gboolean
parse_condition (KvsqlParser *self, KvsqlJoin *join, GError **error)
{
  static const gchar *const words[] = { "ON", "USING", NULL };

  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_USING))
    return parse_names (self, join, error);
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ON))
    {
      kvsql_parser_fail_unexpected (self, "ON or USING", words, error);
      return kvsql_error_hint (error, "JOIN wants a condition; CROSS JOIN has none.");
    }
  join->on = kvsql_parser_expression (self, error);
  return join->on != NULL;
}

static KvsqlJoinKind
parse_kind (KvsqlParser *self)
{
  static const KvsqlKeyword keywords[]
      = { KVSQL_KEYWORD_INNER, KVSQL_KEYWORD_LEFT, KVSQL_KEYWORD_RIGHT, KVSQL_KEYWORD_FULL };

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (kvsql_parser_accept_keyword (self, keywords[i]))
      {
        if (i != KVSQL_JOIN_INNER)
          kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_OUTER);
        return i;
      }
  return KVSQL_JOIN_INNER;
}

/* The words of a join, its right side and its condition. */
static KvsqlJoin *
parse_join (KvsqlParser *self, KvsqlSelect *select, KvsqlJoin *left, GError **error)
{
  KvsqlJoin *join = kvsql_arena_new0 (self->arena, KvsqlJoin);
  gint32 start = self->token.span.offset;
  gboolean is_cross = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CROSS);

  join->left = left;
  if (!is_cross)
    {
      join->is_natural = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NATURAL);
      join->kind = parse_kind (self);
    }
  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_JOIN, error))
    return NULL;
  join->span = kvsql_parser_span_from (self, start);
  join->right = parse_operand (self, select, error);
  /* a JOIN b JOIN c ON p ON q */
  while (!is_cross && !join->is_natural && join->right != NULL && at_join_words (self))
    join->right = parse_join (self, select, join->right, error);
  if (join->right == NULL
      || (!is_cross && !join->is_natural && !parse_condition (self, join, error)))
    return NULL;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  return join;
}

static KvsqlJoin *
parse_joins (KvsqlParser *self, KvsqlSelect *select, GError **error)
{
  KvsqlJoin *join = parse_operand (self, select, error);

  while (join != NULL && at_join_words (self))
    join = parse_join (self, select, join, error);
  return join;
}

/* FALSE with an error at the rest of a join that there is not. */
static gboolean
check_end_of_joins (KvsqlParser *self, GError **error)
{
  gboolean is_on = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ON)
                   && kvsql_parser_peek (self).keyword != KVSQL_KEYWORD_CONFLICT;
  gboolean is_using = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_USING)
                      && kvsql_parser_peek (self).symbol == '(';

  if (is_on || is_using)
    {
      kvsql_parser_fail_unexpected (self, NULL, NULL, error);
      return kvsql_error_hint (error, "A condition belongs to a JOIN. CROSS JOIN and NATURAL JOIN "
                                      "have none.");
    }
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OUTER))
    return TRUE;
  kvsql_parser_fail_unexpected (self, NULL, NULL, error);
  return kvsql_error_hint (error, "An outer join is a LEFT, RIGHT or FULL JOIN.");
}

/* Joins, with commas between them. NULL: an error */
static KvsqlJoin *
parse_list (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  KvsqlJoin *join = parse_joins (self, out, error);

  while (join != NULL && kvsql_parser_at_symbol (self, ','))
    {
      KvsqlJoin *both = kvsql_arena_new0 (self->arena, KvsqlJoin);

      both->is_comma = TRUE;
      both->span = self->token.span;
      kvsql_parser_advance (self);
      both->left = join;
      both->right = parse_joins (self, out, error);
      join = both->right == NULL ? NULL : both;
    }
  return join != NULL && check_end_of_joins (self, error) ? join : NULL;
}

static gboolean
parse_from (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  KvsqlJoin *join;

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FROM))
    return TRUE;
  join = parse_list (self, out, error);
  if (join == NULL)
    return FALSE;
  out->join = out->n_joined > 0 ? join : NULL;
  return TRUE;
}

gboolean
kvsql_parser_read_relations (KvsqlParser *self, KvsqlKeyword keyword, const KvsqlName *relation,
                             const KvsqlName *alias, KvsqlSelect **out, GError **error)
{
  KvsqlSelect *select;
  KvsqlJoin *join;

  if (!kvsql_parser_at_keyword (self, keyword) || kvsql_parser_at_using_timestamp (self))
    return TRUE;
  select = *out = kvsql_arena_new0 (self->arena, KvsqlSelect);
  select->from.relation = *relation;
  select->from.alias = *alias;
  join = select->join = kvsql_arena_new0 (self->arena, KvsqlJoin);
  join->is_comma = TRUE;
  join->span = self->token.span;
  join->left = kvsql_arena_new0 (self->arena, KvsqlJoin);
  kvsql_parser_advance (self);
  join->right = parse_list (self, select, error);
  return join->right != NULL;
}

/* ---- the other clauses */

gboolean
kvsql_parser_at_with_verified (const KvsqlParser *self)
{
  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH)
         && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_VERIFIED;
}

static gboolean
parse_with_verified (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  static const gchar *const words[] = { "VERIFIED", NULL };
  gint32 start = self->token.span.offset;

  if (kvsql_parser_at_with_schema (self) || at_with_data (self)
      || !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH))
    return TRUE;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_VERIFIED))
    return kvsql_parser_fail_unexpected (self, "VERIFIED", words, error);
  out->is_verified = TRUE;
  out->verified_span = kvsql_parser_span_from (self, start);
  return TRUE;
}

/* ON (…) after DISTINCT. */
static gboolean
parse_distinct_on (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  if (!out->is_distinct || !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ON)
      || kvsql_parser_peek (self).symbol != '(')
    return TRUE;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  out->is_distinct = FALSE;
  do
    {
      KvsqlAstExpr *expr = kvsql_parser_expression (self, error);
      if (expr == NULL
          || !kvsql_parser_check_items (self, "DISTINCT ON", out->n_distinct_on, error))
        return FALSE;
      *KVSQL_PARSER_ADD (self, out->distinct_on, out->n_distinct_on) = expr;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_expect_symbol (self, ')', error);
}

gboolean
kvsql_parser_select_body (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  guint first = self->n_open;
  gboolean had_over = self->has_over, is_parsed;

  self->has_over = FALSE;
  kvsql_parser_advance (self);
  out->is_distinct = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DISTINCT);
  if (!out->is_distinct)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ALL);
  is_parsed = parse_distinct_on (self, out, error) && parse_items (self, out, error)
              && parse_from (self, out, error)
              && kvsql_parser_clause (self, KVSQL_KEYWORD_WHERE, &out->where, error)
              && kvsql_parser_group_by (self, out, error)
              && kvsql_parser_clause (self, KVSQL_KEYWORD_HAVING, &out->having, error)
              && kvsql_parser_windows (self, out, error)
              && kvsql_parser_close_windows (self, out, first, error);
  out->has_over = self->has_over;
  self->has_over = self->has_over || had_over;
  return is_parsed;
}

gboolean
kvsql_parser_select_end (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  guint first = self->n_open;
  gboolean had_over = self->has_over;

  self->has_over = FALSE;
  if (!kvsql_parser_order_by (self, &out->order_by, &out->n_order_by, error)
      || !kvsql_parser_limit (self, out, error) || !parse_with_verified (self, out, error)
      || !kvsql_parser_close_windows (self, out, first, error))
    return FALSE;
  out->has_over = out->has_over || self->has_over;
  self->has_over = self->has_over || had_over;
  self->words_at_end = select_words;
  return check_clause_order (self, error);
}
