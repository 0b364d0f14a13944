/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-call.c: calls of functions, casts, and the names of types.
 *
 * The forms of standard SQL with keywords between a function's arguments become ordinary calls:
 * EXTRACT (year FROM x) is extract('year', x), TRIM (LEADING c FROM s) is ltrim(s, c).
 */
#include "config.h"

#include "core/base/duration.h"
#include "core/sql/parser-private.h"

static gboolean
parse_argument (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  return kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error);
}

static gboolean
parse_more_arguments (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  while (kvsql_parser_accept_symbol (self, ','))
    if (!parse_argument (self, expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
parse_arguments (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  expr->is_distinct = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DISTINCT);
  if (!expr->is_distinct)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ALL);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SELECT))
    return kvsql_parser_fail_subquery (self, error);
  return parse_argument (self, expr, error) && parse_more_arguments (self, expr, error);
}

static void
add_literal (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlValue value, KvsqlSpan span)
{
  KvsqlAstExpr *literal = kvsql_parser_expr_new (self, KVSQL_AST_LITERAL, span.offset);

  literal->span = span;
  literal->value = value;
  kvsql_parser_expr_add (self, expr, literal);
}

/* EXTRACT (field FROM time); else the arguments of an ordinary call. */
static gboolean
parse_extract (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlValue field = { .type = KVSQL_TYPE_STRING };
  KvsqlSpan span = self->token.span;

  if (kvsql_parser_peek (self).keyword != KVSQL_KEYWORD_FROM || !kvsql_parser_at_name (self))
    return parse_arguments (self, expr, error);
  field.bytes = kvsql_slice_from_text (kvsql_parser_take_word (self).text);
  add_literal (self, expr, field, span);
  kvsql_parser_advance (self);
  return parse_argument (self, expr, error);
}

/* POSITION (part IN text). */
static gboolean
parse_position (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_RANGE + 1, error))
    return FALSE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_IN))
    return kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_RANGE + 1, error);
  expr->children[0] = kvsql_parser_operators (self, expr->children[0], error);
  return expr->children[0] != NULL && parse_more_arguments (self, expr, error);
}

/* SUBSTRING (text [FROM start] [FOR length]). */
static gboolean
parse_substring (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlValue one = { .type = KVSQL_TYPE_BIGINT, .integer = 1 };

  if (!parse_argument (self, expr, error))
    return FALSE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FROM))
    {
      if (!parse_argument (self, expr, error))
        return FALSE;
    }
  else if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_FOR))
    add_literal (self, expr, one, self->token.span);
  else
    return parse_more_arguments (self, expr, error);
  return !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOR)
         || parse_argument (self, expr, error);
}

/* TRIM ([LEADING | TRAILING | BOTH] [characters] FROM text). */
static gboolean
parse_trim (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlAstExpr *characters;

  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_LEADING))
    expr->name.text = "ltrim";
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TRAILING))
    expr->name.text = "rtrim";
  else
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_BOTH);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FROM))
    return parse_argument (self, expr, error);
  if (!parse_argument (self, expr, error))
    return FALSE;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FROM))
    return parse_more_arguments (self, expr, error);
  if (!parse_argument (self, expr, error))
    return FALSE;
  characters = expr->children[0];
  expr->children[0] = expr->children[1];
  expr->children[1] = characters;
  return TRUE;
}

/* OVERLAY (text PLACING text FROM start [FOR length]). */
static gboolean
parse_overlay (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!parse_argument (self, expr, error))
    return FALSE;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_PLACING))
    return parse_more_arguments (self, expr, error);
  return parse_argument (self, expr, error)
         && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_FROM, error)
         && parse_argument (self, expr, error)
         && (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOR)
             || parse_argument (self, expr, error));
}

/* Whether the token is the name of an argument: name => value. */
static gboolean
at_named_argument (KvsqlParser *self)
{
  KvsqlToken next = kvsql_parser_peek (self);
  KvsqlSlice rest;

  if (self->token.kind != KVSQL_TOKEN_WORD || next.symbol != '=')
    return FALSE;
  rest = kvsql_lexer_get_text (&self->lexer, (KvsqlSpan){ next.span.offset, 2 });
  return rest.size == 2 && memcmp (rest.data, "=>", 2) == 0;
}

static const gchar *const interval_arguments[]
    = { "years", "months", "weeks", "days", "hours", "mins", "secs", NULL };

/* The index of the argument's name, whose arrow is consumed, too; -1: there is none. */
static gint
take_argument_name (KvsqlParser *self, GError **error)
{
  for (gint i = 0; interval_arguments[i] != NULL; i++)
    if (kvsql_parser_at_word (self, interval_arguments[i]))
      {
        for (guint n = 0; n < 3; n++) /* the name, = and > */
          kvsql_parser_advance (self);
        return i;
      }
  kvsql_parser_fail_unexpected (self, "the name of an argument of make_interval",
                                interval_arguments, error);
  return -1;
}

/* make_interval (years => 1, secs => 1.5): those that are left out are 0. */
static gboolean
parse_make_interval (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlAstExpr *by_name[G_N_ELEMENTS (interval_arguments) - 1] = { NULL };
  const KvsqlValue zero = { .type = KVSQL_TYPE_BIGINT };
  guint n_given = 0, n_needed = 0;

  do
    {
      KvsqlSpan span = self->token.span;
      gint index;
      if (!at_named_argument (self) && n_needed == 0)
        {
          if (!parse_argument (self, expr, error))
            return FALSE;
          n_given = expr->n_children;
          continue;
        }
      index = take_argument_name (self, error);
      if (index < 0)
        return FALSE;
      if (by_name[index] != NULL || (guint)index < n_given)
        return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                                "argument \"%s\" is given more than once",
                                interval_arguments[index]);
      if (!parse_argument (self, expr, error))
        return FALSE;
      by_name[index] = expr->children[--expr->n_children];
      n_needed = MAX (n_needed, (guint)index + 1);
    }
  while (kvsql_parser_accept_symbol (self, ','));
  for (guint i = n_given; i < n_needed; i++)
    if (by_name[i] != NULL)
      kvsql_parser_expr_add (self, expr, by_name[i]);
    else
      add_literal (self, expr, zero, self->token.span);
  return TRUE;
}

/* The arguments of nextval () and the like, as PostgreSQL writes them: 'name'::regclass, which is
 * the name here. */
static gboolean
parse_sequence_arguments (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  const KvsqlAstExpr *name;

  if (!parse_arguments (self, expr, error))
    return FALSE;
  name = expr->children[0];
  if (name->kind == KVSQL_AST_CAST && g_ascii_strcasecmp (name->cast_type.text, "regclass") == 0
      && name->children[0]->kind == KVSQL_AST_LITERAL)
    expr->children[0] = name->children[0];
  return TRUE;
}

static gboolean
is_of_sequence (const gchar *function)
{
  static const gchar *const names[] = { "nextval", "currval", "setval" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (function, names[i]) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
parse_inside (KvsqlParser *self, KvsqlKeyword keyword, KvsqlAstExpr *expr, GError **error)
{
  if (kvsql_parser_at_symbol (self, ')'))
    return TRUE;
  expr->is_star = kvsql_parser_accept_symbol (self, '*');
  if (expr->is_star)
    return TRUE;
  if (g_ascii_strcasecmp (expr->name.text, "make_interval") == 0)
    return parse_make_interval (self, expr, error);
  if (is_of_sequence (expr->name.text))
    return parse_sequence_arguments (self, expr, error);
  switch (keyword)
    {
    case KVSQL_KEYWORD_EXTRACT:
      return parse_extract (self, expr, error);
    case KVSQL_KEYWORD_POSITION:
      return parse_position (self, expr, error);
    case KVSQL_KEYWORD_OVERLAY:
      return parse_overlay (self, expr, error);
    case KVSQL_KEYWORD_SUBSTRING:
      return parse_substring (self, expr, error);
    case KVSQL_KEYWORD_TRIM:
      return parse_trim (self, expr, error);
    default:
      return parse_arguments (self, expr, error);
    }
}

gboolean
kvsql_parser_call_order (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlOrderItem *items = NULL;
  guint n = 0;

  if (!kvsql_parser_order_by (self, &items, &n, error))
    return FALSE;
  expr->order = kvsql_arena_array (self->arena, KvsqlCallOrder, n + 1);
  expr->n_order = n;
  for (guint i = 0; i < n; i++)
    {
      kvsql_parser_expr_add (self, expr, items[i].expr);
      expr->order[i] = (KvsqlCallOrder){ items[i].is_descending, items[i].nulls };
    }
  return TRUE;
}

/* WITHIN GROUP (ORDER BY x) */
static gboolean
parse_within_group (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITHIN)
      || kvsql_parser_peek (self).keyword != KVSQL_KEYWORD_GROUP)
    return TRUE;
  if (expr->n_order > 0)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "ORDER BY is given twice, in the call and after WITHIN GROUP");
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  expr->is_within_group = TRUE;
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ORDER))
    return kvsql_parser_fail_unexpected (self, "ORDER BY", NULL, error);
  return kvsql_parser_call_order (self, expr, error)
         && kvsql_parser_expect_symbol (self, ')', error);
}

/* FILTER (WHERE condition) */
static gboolean
parse_filter (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_FILTER)
      || kvsql_parser_peek (self).symbol != '(')
    return TRUE;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_WHERE, error)
      || !parse_argument (self, expr, error) || !kvsql_parser_expect_symbol (self, ')', error))
    return FALSE;
  expr->has_filter = TRUE;
  return TRUE;
}

static KvsqlAstExpr *
parse_cast (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_CAST, self->token.span.offset);

  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!parse_argument (self, expr, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AS, error)
      || !kvsql_parser_declared_type (self, &expr->cast_type, error)
      || !kvsql_parser_expect_symbol (self, ')', error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

KvsqlAstExpr *
kvsql_parser_call (KvsqlParser *self, GError **error)
{
  KvsqlKeyword keyword = self->token.keyword;
  KvsqlAstExpr *expr;

  if (keyword == KVSQL_KEYWORD_CAST)
    return parse_cast (self, error);
  expr = kvsql_parser_expr_new (self, KVSQL_AST_FUNCTION, self->token.span.offset);
  expr->name = kvsql_parser_take_word (self);
  kvsql_parser_make_defined (&expr->name); /* "now" () is now () */
  kvsql_parser_advance (self);
  if (!parse_inside (self, keyword, expr, error) || !kvsql_parser_call_order (self, expr, error))
    return NULL;
  if (!kvsql_parser_accept_symbol (self, ')'))
    {
      kvsql_parser_fail_unexpected (self, expr->is_star ? "\")\"" : "\",\" or \")\"",
                                    kvsql_parser_operator_words, error);
      return NULL;
    }
  if (!parse_within_group (self, expr, error) || !parse_filter (self, expr, error)
      || !kvsql_parser_over (self, expr, error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

/* ---- types */

static gboolean
is_collection (const gchar *type)
{
  static const gchar *const collections[] = { "MAP", "LIST", "ARRAY", "SET", "STRUCT" };

  for (guint i = 0; i < G_N_ELEMENTS (collections); i++)
    if (g_ascii_strcasecmp (type, collections[i]) == 0)
      return TRUE;
  return FALSE;
}

/* MAP<STRING, T>, LIST<T>: the name in the canonical form of types. */
static gboolean
parse_collection (KvsqlParser *self, const KvsqlName *kind, KvsqlName *out, GError **error)
{
  KvsqlName key = { .text = NULL }, element;
  gboolean is_map = g_ascii_strcasecmp (kind->text, "MAP") == 0;

  kvsql_parser_advance (self);
  if (is_map
      && (!kvsql_parser_name (self, "STRING, the type of the keys", &key, error)
          || !kvsql_parser_expect_symbol (self, ',', error)))
    return FALSE;
  if (!kvsql_parser_name (self, "the type of the elements", &element, error)
      || !kvsql_parser_expect_symbol (self, '>', error))
    return FALSE;
  out->text = is_map ? kvsql_arena_printf (self->arena, "MAP<%s, %s>", key.text, element.text)
                     : kvsql_arena_printf (self->arena, "LIST<%s>", element.text);
  out->span = kvsql_parser_span_from (self, kind->span.offset);
  return TRUE;
}

/* WITH TIME ZONE; another word after WITH does not belong to the type. */
static gboolean
at_with_time (const KvsqlParser *self)
{
  static const gchar time[] = "TIME";
  KvsqlSlice next;

  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH))
    return FALSE;
  next = kvsql_lexer_get_text (&self->lexer, kvsql_parser_peek (self).span);
  return next.size == strlen (time)
         && g_ascii_strncasecmp ((const gchar *)next.data, time, next.size) == 0;
}

/* WITH and WITHOUT TIME ZONE */
static gboolean
parse_time_zone (KvsqlParser *self, KvsqlName *inout, GError **error)
{
  const gboolean is_timestamp = g_ascii_strcasecmp (inout->text, "TIMESTAMP") == 0;
  const gboolean has_zone = at_with_time (self);

  if (inout->is_quoted || (!is_timestamp && g_ascii_strcasecmp (inout->text, "TIME") != 0)
      || (!has_zone && !kvsql_parser_at_word (self, "WITHOUT")))
    return TRUE;
  kvsql_parser_advance (self);
  if (!kvsql_parser_accept_word (self, "TIME"))
    return kvsql_parser_fail_unexpected (self, "TIME ZONE", NULL, error);
  if (!kvsql_parser_accept_word (self, "ZONE"))
    return kvsql_parser_fail_unexpected (self, "ZONE", NULL, error);
  if (has_zone)
    inout->text = is_timestamp ? "TIMESTAMPTZ" : "TIMETZ";
  inout->span = kvsql_parser_span_from (self, inout->span.offset);
  return TRUE;
}

/* The types of SQL whose names have two words. */
static void
parse_long_name (KvsqlParser *self, KvsqlName *inout)
{
  static const struct
  {
    const gchar *first, *second, *name;
  } long_names[] = {
    { "DOUBLE", "PRECISION", "DOUBLE" },
    { "CHARACTER", "VARYING", "VARCHAR" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (long_names) && !inout->is_quoted; i++)
    if (g_ascii_strcasecmp (inout->text, long_names[i].first) == 0
        && kvsql_parser_accept_word (self, long_names[i].second))
      {
        inout->text = long_names[i].name;
        inout->span = kvsql_parser_span_from (self, inout->span.offset);
      }
}

static const gchar *const interval_fields[]
    = { "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", NULL };

static const gchar *
take_field (KvsqlParser *self)
{
  for (guint i = 0; interval_fields[i] != NULL; i++)
    if (kvsql_parser_at_word (self, interval_fields[i]))
      {
        kvsql_parser_advance (self);
        return interval_fields[i];
      }
  return NULL;
}

/* (n): digits after the point of seconds. *inout has n appended. */
static gboolean
parse_precision (KvsqlParser *self, const gchar **inout, GError **error)
{
  KvsqlSlice digits;

  if (!kvsql_parser_accept_symbol (self, '('))
    return TRUE;
  digits = kvsql_lexer_get_text (&self->lexer, self->token.span);
  if (self->token.kind != KVSQL_TOKEN_INTEGER || digits.size != 1 || digits.data[0] > '6')
    return kvsql_parser_fail_unexpected (self, "a number from 0 to 6", NULL, error);
  *inout = kvsql_arena_printf (self->arena, "%s(%c)", *inout, digits.data[0]);
  kvsql_parser_advance (self);
  return kvsql_parser_expect_symbol (self, ')', error);
}

static gboolean
fail_fields (KvsqlParser *self, gint32 start, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, kvsql_parser_span_from (self, start),
                   "an INTERVAL has no such fields");
  return kvsql_error_hint (error, "Fields are one of YEAR, MONTH, DAY, HOUR, MINUTE and SECOND, "
                                  "YEAR TO MONTH, or two of DAY TO SECOND.");
}

gboolean
kvsql_parser_interval_fields (KvsqlParser *self, KvsqlName *out, GError **error)
{
  gint32 start = self->token.span.offset;
  const gchar *first = take_field (self), *last = NULL, *text = out->text;
  KvsqlDurationFields fields;
  guint digits;

  if (first != NULL)
    text = kvsql_arena_printf (self->arena, "%s %s", text, first);
  if (first != NULL && kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TO))
    {
      last = take_field (self);
      if (last == NULL)
        return kvsql_parser_fail_unexpected (self, "a field of an INTERVAL", interval_fields,
                                             error);
      text = kvsql_arena_printf (self->arena, "%s TO %s", text, last);
    }
  if (!kvsql_duration_fields_parse (text + strlen (out->text), &fields, &digits))
    return fail_fields (self, start, error);
  if ((first == NULL || (fields & KVSQL_DURATION_SECOND) != 0)
      && !parse_precision (self, &text, error))
    return FALSE;
  out->text = text;
  out->span = kvsql_parser_span_from (self, out->span.offset);
  return TRUE;
}

/* [], [3], ARRAY and ARRAY[3] after a type. As in PostgreSQL, the size has no effect. */
static gboolean
accept_array (KvsqlParser *self)
{
  gboolean is_array = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ARRAY);
  KvsqlLexer lexer = self->lexer;
  KvsqlToken token;

  if (!kvsql_parser_at_symbol (self, '['))
    return is_array;
  token = kvsql_lexer_next (&lexer, NULL);
  if (token.kind == KVSQL_TOKEN_INTEGER)
    token = kvsql_lexer_next (&lexer, NULL);
  if (token.symbol != ']')
    return is_array;
  while (!kvsql_parser_accept_symbol (self, ']'))
    kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
parse_type (KvsqlParser *self, KvsqlName *out, GError **error)
{
  KvsqlName name;

  if (!kvsql_parser_name (self, "a type", &name, error))
    return FALSE;
  name.is_double_quoted = FALSE; /* pg_dump --quote-all-identifiers: "text" is no other type */
  *out = name;
  parse_long_name (self, out);
  if (!parse_time_zone (self, out, error))
    return FALSE;
  if (!name.is_quoted && g_ascii_strcasecmp (name.text, "INTERVAL") == 0)
    return kvsql_parser_interval_fields (self, out, error);
  if (kvsql_parser_at_symbol (self, '<') && is_collection (name.text))
    return parse_collection (self, &name, out, error);
  if (accept_array (self))
    {
      out->text = kvsql_arena_printf (self->arena, "LIST<%s>", out->text);
      out->span = kvsql_parser_span_from (self, name.span.offset);
    }
  return TRUE;
}

gboolean
kvsql_parser_type_name (KvsqlParser *self, KvsqlName *out, GError **error)
{
  if (!parse_type (self, out, error))
    return FALSE;
  if (!kvsql_parser_at_symbol (self, '('))
    return TRUE;
  kvsql_parser_fail_unexpected (self, NULL, NULL, error);
  return kvsql_error_hint (error,
                           "A length or precision is possible in the definition of an attribute "
                           "only: write %s.",
                           out->text);
}

/* The next number of a limit, which is appended to @text. */
static gboolean
parse_limit (KvsqlParser *self, GString *text, GError **error)
{
  KvsqlSlice digits = kvsql_lexer_get_text (&self->lexer, self->token.span);

  if (self->token.kind != KVSQL_TOKEN_INTEGER)
    return kvsql_parser_fail_unexpected (self, "a number", NULL, error);
  g_string_append_len (text, (const gchar *)digits.data, (gssize)digits.size);
  kvsql_parser_advance (self);
  return TRUE;
}

gboolean
kvsql_parser_declared_type (KvsqlParser *self, KvsqlName *out, GError **error)
{
  g_autoptr (GString) text = NULL;

  if (!parse_type (self, out, error))
    return FALSE;
  if (strchr (out->text, '<') != NULL || !kvsql_parser_accept_symbol (self, '('))
    return TRUE;
  text = g_string_new ("(");
  if (!parse_limit (self, text, error))
    return FALSE;
  if (kvsql_parser_accept_symbol (self, ','))
    {
      g_string_append_c (text, ',');
      if (!parse_limit (self, text, error))
        return FALSE;
    }
  if (!kvsql_parser_expect_symbol (self, ')', error) || !parse_time_zone (self, out, error))
    return FALSE;
  out->text = kvsql_arena_printf (self->arena, "%s%s)", out->text, text->str);
  out->span = kvsql_parser_span_from (self, out->span.offset);
  return TRUE;
}
