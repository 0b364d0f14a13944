/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-expression.c: expressions, by precedence climbing.
 *
 * Precedences are PostgreSQL's. A chain of ANDs or of ORs, with any parentheses, becomes a balanced
 * tree, so that a condition of thousands of terms is not deep. Every other tree is as deep as it is
 * written, and rejected beyond KVSQL_MAX_DEPTH. So functions that traverse the tree can recurse.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* A node with data that only the parser needs. */
typedef struct
{
  KvsqlAstExpr expr;
  guint height;
} Node;

KvsqlAstExpr *
kvsql_parser_expr_new (KvsqlParser *self, KvsqlAstKind kind, gint32 start)
{
  Node *node = kvsql_arena_new0 (self->arena, Node);

  node->expr.kind = kind;
  node->expr.span.offset = start;
  node->expr.op_span = KVSQL_SPAN_NONE;
  node->expr.name.span = KVSQL_SPAN_NONE;
  node->expr.cast_type.span = KVSQL_SPAN_NONE;
  node->height = 1;
  return &node->expr;
}

KvsqlAstExpr *
kvsql_parser_expr_finish (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  guint height = ((Node *)expr)->height - 1;

  for (guint i = 0; i < expr->n_children; i++)
    height = MAX (height, ((Node *)expr->children[i])->height);
  if (height >= KVSQL_MAX_DEPTH)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT,
                       expr->op_span.offset >= 0 ? expr->op_span : self->token.span,
                       "expression is nested more than %d levels deep", KVSQL_MAX_DEPTH);
      return NULL;
    }
  ((Node *)expr)->height = height + 1;
  self->tallest = MAX (self->tallest, height + 1);
  expr->span.length = self->previous_end - expr->span.offset;
  return expr;
}

void
kvsql_parser_expr_add (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlAstExpr *child)
{
  *KVSQL_PARSER_ADD (self, expr->children, expr->n_children) = child;
}

gboolean
kvsql_parser_expr_parse (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlPrecedence minimum,
                         GError **error)
{
  KvsqlAstExpr *child = kvsql_parser_binding (self, minimum, error);

  if (child == NULL)
    return FALSE;
  kvsql_parser_expr_add (self, expr, child);
  return TRUE;
}

/* ---- what an expression begins with */

KvsqlAstExpr *
kvsql_parser_literal_expr (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_LITERAL, self->token.span.offset);

  if (!kvsql_parser_literal (self, &expr->value, error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

static guint
find_or_add_parameter (KvsqlParser *self, const gchar *name)
{
  g_autofree gchar *key = g_ascii_strdown (name, -1);
  gpointer found;

  if (self->parameter_indexes == NULL)
    self->parameter_indexes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_lookup_extended (self->parameter_indexes, key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  g_hash_table_insert (self->parameter_indexes, g_steal_pointer (&key),
                       GUINT_TO_POINTER (self->n_parameters));
  *KVSQL_PARSER_ADD (self, self->parameter_names, self->n_parameters) = name;
  return self->n_parameters - 1;
}

/* All parameters of a statement are of one form. */
static gboolean
check_form (KvsqlParser *self, KvsqlParameterForm form, GError **error)
{
  if (self->parameter_form != KVSQL_PARAMETER_NONE && self->parameter_form != form)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "parameters ?, :name and $1 cannot be mixed in one statement");
  self->parameter_form = form;
  if (form == KVSQL_PARAMETER_NUMBERED || self->n_parameters < KVSQL_MAX_PARAMETERS)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->token.span,
                          "statement has more than %d parameters", KVSQL_MAX_PARAMETERS);
}

/* A statement with $n has all parameters up to $n, even if it does not use them. */
static KvsqlAstExpr *
parse_numbered_parameter (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_PARAMETER, self->token.span.offset);
  guint number;

  if (!check_form (self, KVSQL_PARAMETER_NUMBERED, error)
      || !kvsql_lexer_get_parameter (&self->lexer, &self->token, KVSQL_MAX_PARAMETERS, &number,
                                     error))
    return NULL;
  while (self->n_parameters < number)
    *KVSQL_PARSER_ADD (self, self->parameter_names, self->n_parameters) = NULL;
  expr->name.text = kvsql_arena_printf (self->arena, KVSQL_AST_NUMBERED "%u", number);
  expr->parameter = number - 1;
  kvsql_parser_advance (self);
  return kvsql_parser_expr_finish (self, expr, error);
}

/* `?`, or ':' and a word directly after it. */
static KvsqlAstExpr *
parse_parameter (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_PARAMETER, self->token.span.offset);
  gboolean is_named = kvsql_parser_at_symbol (self, ':');
  KvsqlToken first = self->token;

  if (!check_form (self, is_named ? KVSQL_PARAMETER_NAMED : KVSQL_PARAMETER_POSITIONAL, error))
    return NULL;
  kvsql_parser_advance (self);
  if (!is_named)
    {
      expr->parameter = self->n_parameters;
      *KVSQL_PARSER_ADD (self, self->parameter_names, self->n_parameters) = NULL;
      return kvsql_parser_expr_finish (self, expr, error);
    }
  if (self->token.kind != KVSQL_TOKEN_WORD || self->token.span.offset != self->previous_end)
    {
      kvsql_parser_fail_unexpected_at (self, &first, "an expression", NULL, error);
      kvsql_error_hint (error, "A parameter is written ?, :name or $1.");
      return NULL;
    }
  expr->name = kvsql_parser_take_word (self);
  expr->parameter = find_or_add_parameter (self, expr->name.text);
  return kvsql_parser_expr_finish (self, expr, error);
}

gboolean
kvsql_parser_fail_subquery (KvsqlParser *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                   "a subquery that is an argument needs parentheses of its own");
  return kvsql_error_hint (error, "Write f ((SELECT …)).");
}

/* One or more expressions, and @end. */
static gboolean
parse_list (KvsqlParser *self, KvsqlAstExpr *expr, gint end, GError **error)
{
  do
    if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_accept_symbol (self, end))
    return TRUE;
  return kvsql_parser_fail_unexpected (self, end == ']' ? "\",\" or \"]\"" : "\",\" or \")\"",
                                       kvsql_parser_operator_words, error);
}

/* (a, b): the token is the comma after @first. */
static KvsqlAstExpr *
parse_row (KvsqlParser *self, gint32 start, KvsqlAstExpr *first, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_ROW, start);

  kvsql_parser_expr_add (self, expr, first);
  kvsql_parser_advance (self);
  return parse_list (self, expr, ')', error) ? kvsql_parser_expr_finish (self, expr, error) : NULL;
}

/* ARRAY [a, b], ROW (a, b): the token is the word. */
static KvsqlAstExpr *
parse_constructor (KvsqlParser *self, KvsqlAstKind kind, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, kind, self->token.span.offset);
  gint end = kind == KVSQL_AST_ARRAY ? ']' : ')';

  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!(kind == KVSQL_AST_ARRAY && kvsql_parser_accept_symbol (self, end))
      && !parse_list (self, expr, end, error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

/* The SELECT in IN (…) or EXISTS (…). The height of its trees counts in the height of the enclosing
 * tree. */
static gboolean
parse_subquery (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  guint tallest = self->tallest;

  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return FALSE;
  self->tallest = 0;
  expr->subquery = kvsql_arena_new0 (self->arena, KvsqlSelect);
  if (!kvsql_parser_query (self, expr->subquery, error))
    return FALSE;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  ((Node *)expr)->height = self->tallest + 1;
  self->tallest = tallest;
  if (kvsql_parser_accept_symbol (self, ')'))
    return TRUE;
  return kvsql_parser_fail_unexpected (self, "\")\"", self->words_at_end, error);
}

static KvsqlAstExpr *
parse_exists (KvsqlParser *self, GError **error)
{
  static const gchar *const words[] = { "SELECT", NULL };
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_EXISTS, self->token.span.offset);

  expr->op_span = self->token.span;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!kvsql_parser_at_query (self))
    {
      kvsql_parser_fail_unexpected (self, "SELECT", words, error);
      return NULL;
    }
  if (!parse_subquery (self, expr, error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

/* (SELECT …): the token is the parenthesis. */
static KvsqlAstExpr *
parse_scalar (KvsqlParser *self, gint32 start, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_SUBQUERY, start);

  kvsql_parser_advance (self);
  return parse_subquery (self, expr, error) ? kvsql_parser_expr_finish (self, expr, error) : NULL;
}

static KvsqlAstExpr *
parse_parenthesised (KvsqlParser *self, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlAstExpr *expr;

  if (kvsql_parser_at_derived (self))
    return parse_scalar (self, start, error);
  kvsql_parser_advance (self);
  expr = kvsql_parser_expression (self, error);
  if (expr == NULL)
    return NULL;
  if (kvsql_parser_at_symbol (self, ','))
    return parse_row (self, start, expr, error);
  if (!kvsql_parser_accept_symbol (self, ')'))
    {
      kvsql_parser_fail_unexpected (self, "an operator or \")\"", kvsql_parser_operator_words,
                                    error);
      return NULL;
    }
  expr->span = kvsql_parser_span_from (self, start);
  return expr;
}

static gboolean
parse_when (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  static const gchar *const words[] = { "WHEN", "ELSE", "END", "AND", "OR", NULL };

  do
    {
      kvsql_parser_advance (self);
      if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error)
          || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_THEN, error)
          || !kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
        return FALSE;
    }
  while (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WHEN));
  expr->has_else = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ELSE);
  if (expr->has_else && !kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
    return FALSE;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_END))
    return kvsql_parser_fail_unexpected (self, expr->has_else ? "END" : "WHEN, ELSE or END", words,
                                         error);
  return TRUE;
}

static KvsqlAstExpr *
parse_case (KvsqlParser *self, GError **error)
{
  static const gchar *const words[] = { "WHEN", NULL };
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_CASE, self->token.span.offset);

  kvsql_parser_advance (self);
  expr->has_operand = !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WHEN);
  if (expr->has_operand && !kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
    return NULL;
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WHEN))
    {
      kvsql_parser_fail_unexpected (self, "WHEN", words, error);
      return NULL;
    }
  if (!parse_when (self, expr, error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

/* After a name: a point and the name that it qualifies. */
static KvsqlAstExpr *
parse_qualified (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  kvsql_parser_advance (self);
  expr->qualifier = expr->name;
  if (kvsql_parser_at_symbol (self, '*'))
    {
      kvsql_parser_fail_unexpected (self, "the name of an attribute", NULL, error);
      kvsql_error_hint (error, "All attributes of a relation are an item of SELECT or RETURNING.");
      return NULL;
    }
  if (!kvsql_parser_name (self, "the name of an attribute", &expr->name, error))
    return NULL;
  if (kvsql_parser_at_symbol (self, '.') || kvsql_parser_at_symbol (self, '('))
    {
      kvsql_parser_fail_unexpected (self, NULL, NULL, error);
      kvsql_error_hint (error, "Only an attribute's name is qualified, by the name or the alias of "
                               "its relation.");
      return NULL;
    }
  return kvsql_parser_expr_finish (self, expr, error);
}

/* pg_catalog.f (…), as programs write functions of PostgreSQL. */
static void
skip_pg_catalog (KvsqlParser *self)
{
  KvsqlLexer lexer = self->lexer;

  if (!kvsql_parser_at_word (self, "PG_CATALOG") || kvsql_lexer_next (&lexer, NULL).symbol != '.'
      || kvsql_lexer_next (&lexer, NULL).kind != KVSQL_TOKEN_WORD
      || kvsql_lexer_next (&lexer, NULL).symbol != '(')
    return;
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
}

/* A name, a function call, or a form that begins with a word that is a name elsewhere. */
static KvsqlAstExpr *
parse_word (KvsqlParser *self, GError **error)
{
  KvsqlKeyword keyword;
  KvsqlToken next;
  KvsqlAstExpr *expr;

  kvsql_parser_skip_public (self, TRUE);
  skip_pg_catalog (self);
  keyword = self->token.keyword;
  next = kvsql_parser_peek (self);

  if (next.symbol == '(' && keyword == KVSQL_KEYWORD_EXISTS)
    return parse_exists (self, error);
  if (next.symbol == '[' && keyword == KVSQL_KEYWORD_ARRAY)
    return parse_constructor (self, KVSQL_AST_ARRAY, error);
  if (next.symbol == '(' && keyword == KVSQL_KEYWORD_ROW)
    return parse_constructor (self, KVSQL_AST_ROW, error);
  if (kvsql_parser_at_typed_literal (self))
    return kvsql_parser_typed_literal (self, error);
  if (next.symbol == '(')
    return kvsql_parser_call (self, error);
  expr = kvsql_parser_expr_new (self, KVSQL_AST_NAME, self->token.span.offset);
  expr->name = kvsql_parser_take_word (self);
  if (kvsql_parser_at_symbol (self, '.'))
    return parse_qualified (self, expr, error);
  return kvsql_parser_expr_finish (self, expr, error);
}

static KvsqlAstExpr *
parse_unary (KvsqlParser *self, KvsqlOperator op, KvsqlPrecedence precedence, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_UNARY, self->token.span.offset);

  expr->op = op;
  expr->op_span = self->token.span;
  kvsql_parser_advance (self);
  if (!kvsql_parser_expr_parse (self, expr, precedence, error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

static KvsqlAstExpr *
no_expression (KvsqlParser *self, GError **error)
{
  kvsql_parser_fail_unexpected (self, "an expression", NULL, error);
  if (self->token.kind == KVSQL_TOKEN_WORD)
    {
      const gchar *word = kvsql_keyword_get_text (self->token.keyword);
      kvsql_error_hint (error, "%s is a reserved word; as a name it goes in back-quotes.", word);
    }
  return NULL;
}

static KvsqlAstExpr *
parse_symbol (KvsqlParser *self, GError **error)
{
  switch (self->token.symbol)
    {
    case '(':
      return parse_parenthesised (self, error);
    case '-':
      return parse_unary (self, KVSQL_OP_NEGATE, KVSQL_PRECEDENCE_UNARY, error);
    case KVSQL_SYMBOL_MATCH:
      return parse_unary (self, KVSQL_OP_BIT_NOT, KVSQL_PRECEDENCE_CONCATENATE + 1, error);
    case '+':
      kvsql_parser_advance (self);
      return kvsql_parser_binding (self, KVSQL_PRECEDENCE_UNARY, error);
    case '?':
    case ':':
      return parse_parameter (self, error);
    default:
      return no_expression (self, error);
    }
}

/* CURRENT_TIMESTAMP, a call without parentheses. */
static KvsqlAstExpr *
parse_bare_call (KvsqlParser *self, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_FUNCTION, self->token.span.offset);

  expr->name = kvsql_parser_take_word (self);
  if (kvsql_parser_at_symbol (self, '('))
    {
      kvsql_parser_fail_unexpected (self, NULL, NULL, error);
      kvsql_error_hint (error, "Write %s alone.", expr->name.text);
      return NULL;
    }
  return kvsql_parser_expr_finish (self, expr, error);
}

static gboolean
at_bare_call (const KvsqlParser *self)
{
  static const KvsqlKeyword keywords[]
      = { KVSQL_KEYWORD_CURRENT_DATE,   KVSQL_KEYWORD_CURRENT_TIMESTAMP, KVSQL_KEYWORD_LOCALTIME,
          KVSQL_KEYWORD_LOCALTIMESTAMP, KVSQL_KEYWORD_CURRENT_USER,      KVSQL_KEYWORD_CURRENT_ROLE,
          KVSQL_KEYWORD_SESSION_USER };

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (kvsql_parser_at_keyword (self, keywords[i]))
      return TRUE;
  return FALSE;
}

static KvsqlAstExpr *
parse_primary (KvsqlParser *self, GError **error)
{
  if (kvsql_parser_at_name (self))
    return parse_word (self, error);
  if (kvsql_parser_at_literal (self))
    return kvsql_parser_literal_expr (self, error);
  if (self->token.kind == KVSQL_TOKEN_SYMBOL)
    return parse_symbol (self, error);
  if (self->token.kind == KVSQL_TOKEN_PARAMETER)
    return parse_numbered_parameter (self, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NOT))
    return parse_unary (self, KVSQL_OP_NOT, KVSQL_PRECEDENCE_NOT, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CASE))
    return parse_case (self, error);
  if (at_bare_call (self))
    return parse_bare_call (self, error);
  return no_expression (self, error);
}

/* ---- what may follow an operand */

typedef struct
{
  KvsqlAstKind kind;
  KvsqlOperator op;
  KvsqlPrecedence precedence;
  gboolean is_negated; /* NOT precedes the keyword; or !~ and the like */
  gboolean is_caseless;
} Infix;

static Infix
infix_of_symbol (gint symbol)
{
#define BINARY(op, precedence)                                                                     \
  ((Infix){ KVSQL_AST_BINARY, KVSQL_OP_##op, KVSQL_PRECEDENCE_##precedence, FALSE, FALSE })
#define MATCH(kind, is_negated, is_caseless)                                                       \
  ((Infix){ KVSQL_AST_##kind, KVSQL_OP_NONE, KVSQL_PRECEDENCE_CONCATENATE, is_negated,             \
            is_caseless })
  switch (symbol)
    {
    case '=':
      return BINARY (EQ, COMPARISON);
    case KVSQL_SYMBOL_NOT_EQUAL:
      return BINARY (NE, COMPARISON);
    case '<':
      return BINARY (LT, COMPARISON);
    case KVSQL_SYMBOL_LESS_EQUAL:
      return BINARY (LE, COMPARISON);
    case '>':
      return BINARY (GT, COMPARISON);
    case KVSQL_SYMBOL_GREATER_EQUAL:
      return BINARY (GE, COMPARISON);
    case KVSQL_SYMBOL_CONCATENATE:
      return BINARY (CONCATENATE, CONCATENATE);
    case '+':
      return BINARY (ADD, ADD);
    case '-':
      return BINARY (SUBTRACT, ADD);
    case '*':
      return BINARY (MULTIPLY, MULTIPLY);
    case '/':
      return BINARY (DIVIDE, MULTIPLY);
    case '%':
      return BINARY (MODULO, MULTIPLY);
    case '^':
      return BINARY (POWER, POWER);
    case KVSQL_SYMBOL_JSON_GET:
      return BINARY (JSON_GET, CONCATENATE);
    case KVSQL_SYMBOL_JSON_GET_TEXT:
      return BINARY (JSON_GET_TEXT, CONCATENATE);
    case KVSQL_SYMBOL_JSON_PATH:
      return BINARY (JSON_PATH, CONCATENATE);
    case KVSQL_SYMBOL_JSON_PATH_TEXT:
      return BINARY (JSON_PATH_TEXT, CONCATENATE);
    case KVSQL_SYMBOL_JSON_REMOVE:
      return BINARY (JSON_REMOVE, CONCATENATE);
    case KVSQL_SYMBOL_CONTAINS:
      return BINARY (CONTAINS, CONCATENATE);
    case KVSQL_SYMBOL_CONTAINED:
      return BINARY (CONTAINED, CONCATENATE);
    case KVSQL_SYMBOL_OVERLAPS:
      return BINARY (OVERLAPS, CONCATENATE);
    case '?': /* where an operand may begin, it is a parameter */
      return BINARY (HAS_KEY, CONCATENATE);
    case KVSQL_SYMBOL_HAS_ANY_KEY:
      return BINARY (HAS_ANY_KEY, CONCATENATE);
    case KVSQL_SYMBOL_HAS_ALL_KEYS:
      return BINARY (HAS_ALL_KEYS, CONCATENATE);
    case '&':
      return BINARY (BIT_AND, CONCATENATE);
    case '|':
      return BINARY (BIT_OR, CONCATENATE);
    case '#':
      return BINARY (BIT_XOR, CONCATENATE);
    case KVSQL_SYMBOL_SHIFT_LEFT:
      return BINARY (SHIFT_LEFT, CONCATENATE);
    case KVSQL_SYMBOL_SHIFT_RIGHT:
      return BINARY (SHIFT_RIGHT, CONCATENATE);
    case '[':
      return (Infix){ KVSQL_AST_SUBSCRIPT, KVSQL_OP_NONE, KVSQL_PRECEDENCE_PRIMARY, FALSE, FALSE };
    case KVSQL_SYMBOL_MATCH:
      return MATCH (RLIKE, FALSE, FALSE);
    case KVSQL_SYMBOL_MATCH_CASELESS:
      return MATCH (RLIKE, FALSE, TRUE);
    case KVSQL_SYMBOL_NOT_MATCH:
      return MATCH (RLIKE, TRUE, FALSE);
    case KVSQL_SYMBOL_NOT_MATCH_CASELESS:
      return MATCH (RLIKE, TRUE, TRUE);
    case KVSQL_SYMBOL_LIKE:
      return MATCH (LIKE, FALSE, FALSE);
    case KVSQL_SYMBOL_LIKE_CASELESS:
      return MATCH (LIKE, FALSE, TRUE);
    case KVSQL_SYMBOL_NOT_LIKE:
      return MATCH (LIKE, TRUE, FALSE);
    case KVSQL_SYMBOL_NOT_LIKE_CASELESS:
      return MATCH (LIKE, TRUE, TRUE);
    default:
      return (Infix){ 0 };
    }
}

static Infix
infix_of_keyword (KvsqlKeyword keyword)
{
#define PREDICATE(kind, precedence)                                                                \
  ((Infix){ KVSQL_AST_##kind, KVSQL_OP_NONE, KVSQL_PRECEDENCE_##precedence, FALSE, FALSE })
  switch (keyword)
    {
    case KVSQL_KEYWORD_AND:
      return BINARY (AND, AND);
    case KVSQL_KEYWORD_OR:
      return BINARY (OR, OR);
    case KVSQL_KEYWORD_IS:
      return PREDICATE (IS_NULL, IS);
    case KVSQL_KEYWORD_IN:
      return PREDICATE (IN, RANGE);
    case KVSQL_KEYWORD_BETWEEN:
      return PREDICATE (BETWEEN, RANGE);
    case KVSQL_KEYWORD_LIKE:
      return PREDICATE (LIKE, RANGE);
    case KVSQL_KEYWORD_ILIKE:
      return (Infix){ KVSQL_AST_LIKE, KVSQL_OP_NONE, KVSQL_PRECEDENCE_RANGE, FALSE, TRUE };
    case KVSQL_KEYWORD_RLIKE:
      return PREDICATE (RLIKE, RANGE);
    default:
      return (Infix){ 0 };
    }
}

/* An alias may be called "at". */
static gboolean
at_time_zone (KvsqlParser *self)
{
  KvsqlToken next;

  if (!kvsql_parser_at_word (self, "AT"))
    return FALSE;
  next = kvsql_parser_peek (self);
  return kvsql_parser_is_word (self, &next, "TIME");
}

/* Precedence 0: no operator. NOT needs one more token of look-ahead: `a DEFAULT 1 NOT NULL`. */
static Infix
current_infix (KvsqlParser *self)
{
  Infix infix;

  if (kvsql_parser_at_symbol (self, ':') && kvsql_parser_peek (self).symbol == ':'
      && kvsql_parser_peek (self).span.offset == self->token.span.offset + 1)
    return (Infix){ KVSQL_AST_CAST, KVSQL_OP_NONE, KVSQL_PRECEDENCE_PRIMARY, FALSE, FALSE };
  if (self->token.kind == KVSQL_TOKEN_SYMBOL)
    return infix_of_symbol (self->token.symbol);
  if (at_time_zone (self))
    return (Infix){ KVSQL_AST_FUNCTION, KVSQL_OP_NONE, KVSQL_PRECEDENCE_ZONE, FALSE, FALSE };
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NOT))
    return infix_of_keyword (self->token.keyword);
  infix = infix_of_keyword (kvsql_parser_peek (self).keyword);
  if (infix.precedence != KVSQL_PRECEDENCE_RANGE)
    return (Infix){ 0 };
  infix.is_negated = TRUE;
  return infix;
}

static gboolean
parse_in_list (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  if (kvsql_parser_at_enclosed_query (self))
    return parse_subquery (self, expr, error);
  return parse_list (self, expr, ')', error);
}

static gboolean
parse_is_distinct (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  expr->kind = KVSQL_AST_IS_DISTINCT;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_FROM, error))
    return FALSE;
  expr->op_span = kvsql_parser_span_from (self, expr->op_span.offset);
  return kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_IS + 1, error);
}

/* IS [NOT] NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM. */
static gboolean
parse_is (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  static const gchar *const words[]
      = { "NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM", "NOT", NULL };

  expr->is_negated = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NOT);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NULL))
    return TRUE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DISTINCT))
    return parse_is_distinct (self, expr, error);
  expr->kind = KVSQL_AST_IS_TRUTH;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_UNKNOWN))
    return TRUE;
  expr->value = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN };
  expr->value.boolean = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TRUE);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TRUE)
      || kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FALSE))
    return TRUE;
  return kvsql_parser_fail_unexpected (self,
                                       expr->is_negated
                                           ? "NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM"
                                           : "NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM or NOT",
                                       words, error);
}

/* The operand after an infix of precedence CONCATENATE must bind tighter than that. */
static KvsqlPrecedence
above_match (KvsqlPrecedence precedence)
{
  return precedence == KVSQL_PRECEDENCE_CONCATENATE ? precedence + 1 : KVSQL_PRECEDENCE_RANGE + 1;
}

static gboolean
at_quantifier (const KvsqlParser *self)
{
  return (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ANY)
          || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SOME)
          || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ALL))
         && kvsql_parser_peek (self).symbol == '(';
}

/* = ANY (SELECT …) is IN, <> ALL (SELECT …) is NOT IN. */
static gboolean
parse_quantified_subquery (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (expr->op == (expr->is_all ? KVSQL_OP_NE : KVSQL_OP_EQ))
    {
      expr->kind = KVSQL_AST_IN;
      expr->op = KVSQL_OP_NONE;
      expr->is_negated = expr->is_all;
      expr->is_all = FALSE;
    }
  return parse_subquery (self, expr, error);
}

/* After a comparison operator: ANY (list). */
static gboolean
parse_quantified (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  expr->kind = KVSQL_AST_QUANTIFIED;
  expr->is_all = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ALL);
  kvsql_parser_advance (self);
  expr->op_span = kvsql_parser_span_from (self, expr->op_span.offset);
  kvsql_parser_advance (self);
  if (kvsql_parser_at_enclosed_query (self))
    return parse_quantified_subquery (self, expr, error);
  if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
    return FALSE;
  if (kvsql_parser_accept_symbol (self, ')'))
    return TRUE;
  if (kvsql_parser_at_symbol (self, ','))
    return kvsql_parser_fail_unexpected (self, "one list", NULL, error)
           || kvsql_error_hint (error, "Write ANY (ARRAY[…]), or IN (…).");
  return kvsql_parser_fail_unexpected (self, "\")\"", kvsql_parser_operator_words, error);
}

/* BETWEEN SYMMETRIC a AND b. The word is a name if an operator or AND follows; - and + are signs,
 * and ? is a parameter. */
static gboolean
accept_symmetric (KvsqlParser *self)
{
  KvsqlToken next = kvsql_parser_peek (self);
  gboolean is_sign = next.symbol == '-' || next.symbol == '+' || next.symbol == '?';

  return next.keyword != KVSQL_KEYWORD_AND && next.symbol != '.'
         && (is_sign || infix_of_symbol (next.symbol).precedence == 0)
         && kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_SYMMETRIC);
}

/* Whether the first bound of a slice is left out: m[:key] has a parameter. */
static gboolean
at_open_slice (KvsqlParser *self)
{
  KvsqlToken next;

  if (!kvsql_parser_at_symbol (self, ':'))
    return FALSE;
  next = kvsql_parser_peek (self);
  return next.kind != KVSQL_TOKEN_WORD || next.span.offset > self->token.span.offset + 1;
}

/* a[n], m['key']; a[n:m], a[n:] and a[:m] are a way to write array_slice (a, n, m). */
static gboolean
parse_subscript (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (at_open_slice (self))
    {
      KvsqlAstExpr *first
          = kvsql_parser_expr_new (self, KVSQL_AST_LITERAL, self->token.span.offset);

      first->value = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = 1 };
      kvsql_parser_expr_add (self, expr, first);
    }
  else if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
    return FALSE;
  if (kvsql_parser_accept_symbol (self, ':'))
    {
      expr->kind = KVSQL_AST_FUNCTION;
      expr->name = (KvsqlName){ .text = "array_slice", .span = expr->op_span };
      expr->op_span = KVSQL_SPAN_NONE;
      if (!kvsql_parser_at_symbol (self, ']')
          && !kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
        return FALSE;
    }
  return kvsql_parser_expect_symbol (self, ']', error);
}

/* Parses the operands after the operator's keyword, which is consumed. */
static gboolean
parse_predicate (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlPrecedence above, GError **error)
{

  switch (expr->kind)
    {
    case KVSQL_AST_IN:
      return parse_in_list (self, expr, error);
    case KVSQL_AST_IS_NULL:
      return parse_is (self, expr, error);
    case KVSQL_AST_BETWEEN:
      expr->is_symmetric = accept_symmetric (self);
      return kvsql_parser_expr_parse (self, expr, above, error)
             && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AND, error)
             && kvsql_parser_expr_parse (self, expr, above, error);
    case KVSQL_AST_LIKE:
      return kvsql_parser_expr_parse (self, expr, above, error)
             && (above != KVSQL_PRECEDENCE_RANGE + 1
                 || !kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ESCAPE)
                 || kvsql_parser_expr_parse (self, expr, above, error));
    case KVSQL_AST_CAST: /* a::type */
      return kvsql_parser_declared_type (self, &expr->cast_type, error);
    case KVSQL_AST_SUBSCRIPT:
      return parse_subscript (self, expr, error);
    default:
      return kvsql_parser_expr_parse (self, expr, above, error);
    }
}

static KvsqlAstExpr *
parse_infix (KvsqlParser *self, const Infix *infix, KvsqlAstExpr *left, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, infix->kind, left->span.offset);
  gint32 start = self->token.span.offset;

  expr->op = infix->op;
  expr->is_negated = infix->is_negated;
  expr->is_caseless = infix->is_caseless;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_NOT) || infix->kind == KVSQL_AST_CAST)
    kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  expr->op_span = kvsql_parser_span_from (self, start);
  kvsql_parser_expr_add (self, expr, left);
  if (infix->precedence == KVSQL_PRECEDENCE_COMPARISON && at_quantifier (self))
    {
      if (!parse_quantified (self, expr, error))
        return NULL;
    }
  else if (infix->kind == KVSQL_AST_BINARY
               ? !kvsql_parser_expr_parse (self, expr, infix->precedence + 1, error)
               : !parse_predicate (self, expr, above_match (infix->precedence), error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

/* a AT TIME ZONE z is timezone (z, a). */
static KvsqlAstExpr *
parse_time_zone (KvsqlParser *self, KvsqlAstExpr *left, GError **error)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_FUNCTION, left->span.offset);
  gint32 start = self->token.span.offset;

  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!kvsql_parser_accept_word (self, "ZONE"))
    {
      kvsql_parser_fail_unexpected (self, "ZONE", NULL, error);
      return NULL;
    }
  expr->name = (KvsqlName){ .text = "timezone", .span = kvsql_parser_span_from (self, start) };
  if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_ZONE + 1, error))
    return NULL;
  kvsql_parser_expr_add (self, expr, left);
  return kvsql_parser_expr_finish (self, expr, error);
}

/* ---- the climb */

/* a = 1 && b = 2 is a = (1 && b) = 2. */
static KvsqlAstExpr *
fail_comparison_chain (KvsqlParser *self, const KvsqlAstExpr *left, GError **error)
{
  const KvsqlAstExpr *last = left->children[left->n_children - 1];
  gboolean is_and = last != NULL && last->kind == KVSQL_AST_BINARY && last->op == KVSQL_OP_OVERLAPS;

  kvsql_parser_fail_unexpected (self, "AND, OR or the end of the comparison", NULL, error);
  kvsql_error_hint (error, is_and ? "Did you mean \"AND\" in place of \"&&\"?"
                                  : "Comparisons do not chain: write a < b AND b < c, or use "
                                    "parentheses.");
  return NULL;
}

static KvsqlAstExpr *
parse_operators (KvsqlParser *self, KvsqlAstExpr *left, KvsqlPrecedence minimum, GError **error)
{
  KvsqlPrecedence previous = KVSQL_PRECEDENCE_LOWEST;

  for (;;)
    {
      Infix infix = current_infix (self);
      if (infix.precedence == 0 || infix.precedence < minimum)
        return left;
      /* an operand with a higher precedence must not consume a following operator that binds looser
       */
      if (infix.precedence == previous
          && (previous == KVSQL_PRECEDENCE_COMPARISON || previous == KVSQL_PRECEDENCE_RANGE))
        return fail_comparison_chain (self, left, error);
      if (infix.op == KVSQL_OP_AND || infix.op == KVSQL_OP_OR)
        left = kvsql_parser_chain (self, infix.op, infix.precedence, left, error);
      else if (infix.kind == KVSQL_AST_FUNCTION)
        left = parse_time_zone (self, left, error);
      else
        left = parse_infix (self, &infix, left, error);
      if (left == NULL)
        return NULL;
      previous = infix.precedence;
    }
}

KvsqlAstExpr *
kvsql_parser_operators (KvsqlParser *self, KvsqlAstExpr *left, GError **error)
{
  return parse_operators (self, left, KVSQL_PRECEDENCE_LOWEST, error);
}

KvsqlAstExpr *
kvsql_parser_binding (KvsqlParser *self, KvsqlPrecedence minimum, GError **error)
{
  KvsqlAstExpr *expr;

  if (!kvsql_parser_enter (self, KVSQL_PARSER_HALF_LEVEL, error))
    return NULL;
  expr = parse_primary (self, error);
  if (expr != NULL)
    expr = parse_operators (self, expr, minimum, error);
  kvsql_parser_leave (self, KVSQL_PARSER_HALF_LEVEL);
  return expr;
}

KvsqlAstExpr *
kvsql_parser_expression (KvsqlParser *self, GError **error)
{
  return kvsql_parser_binding (self, KVSQL_PRECEDENCE_LOWEST, error);
}

const gchar *const kvsql_parser_operator_words[]
    = { "AND", "OR", "NOT", "IS", "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "ESCAPE", NULL };
