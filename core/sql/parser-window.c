/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-window.c: OVER after a call, and the clause WINDOW.
 *
 * OVER name stays open until the clause WINDOW is parsed, which comes later. Then the call gets the
 * definition's node, which all calls OVER that name share.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* SQLSTATE 42P20, windowing_error. */
static gboolean
fail (KvsqlSpan span, const gchar *message, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "%s", message);
  kvsql_error_sqlstate (error, "42P20");
  return hint == NULL ? FALSE : kvsql_error_hint (error, "%s", hint);
}

gboolean
kvsql_parser_is_window_word (KvsqlKeyword keyword)
{
  switch (keyword)
    {
    case KVSQL_KEYWORD_CURRENT:
    case KVSQL_KEYWORD_EXCLUDE:
    case KVSQL_KEYWORD_FOLLOWING:
    case KVSQL_KEYWORD_GROUPS:
    case KVSQL_KEYWORD_NO:
    case KVSQL_KEYWORD_OTHERS:
    case KVSQL_KEYWORD_OVER:
    case KVSQL_KEYWORD_PARTITION:
    case KVSQL_KEYWORD_PRECEDING:
    case KVSQL_KEYWORD_RANGE:
    case KVSQL_KEYWORD_ROWS:
    case KVSQL_KEYWORD_TIES:
    case KVSQL_KEYWORD_UNBOUNDED:
      return TRUE;
    default:
      return FALSE;
    }
}

/* ---- the frame */

static gboolean
at_frame (const KvsqlParser *self)
{
  return kvsql_parser_at_keyword (self, KVSQL_KEYWORD_RANGE)
         || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ROWS)
         || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_GROUPS);
}

/* PRECEDING or FOLLOWING after UNBOUNDED or an offset. */
static gboolean
parse_direction (KvsqlParser *self, gboolean *out_is_following, GError **error)
{
  static const gchar *const words[] = { "PRECEDING", "FOLLOWING", NULL };

  *out_is_following = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOLLOWING);
  return *out_is_following || kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_PRECEDING)
         || kvsql_parser_fail_unexpected (self, "PRECEDING or FOLLOWING", words, error);
}

static gboolean
parse_bound (KvsqlParser *self, KvsqlAstExpr *expr, KvsqlFrameBound *out, GError **error)
{
  gboolean is_following;

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_CURRENT)
      && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_ROW)
    {
      kvsql_parser_advance (self);
      kvsql_parser_advance (self);
      *out = KVSQL_BOUND_CURRENT;
      return TRUE;
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_UNBOUNDED))
    {
      kvsql_parser_advance (self);
      if (!parse_direction (self, &is_following, error))
        return FALSE;
      *out = is_following ? KVSQL_BOUND_LAST : KVSQL_BOUND_FIRST;
      return TRUE;
    }
  /* above AND, which is between the bounds */
  if (!kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_RANGE + 1, error)
      || !parse_direction (self, &is_following, error))
    return FALSE;
  *out = is_following ? KVSQL_BOUND_FOLLOWING : KVSQL_BOUND_PRECEDING;
  return TRUE;
}

static gboolean
check_bounds (const KvsqlAstWindow *window, gboolean is_between, GError **error)
{
  KvsqlSpan span = window->frame_span;

  if (window->start == KVSQL_BOUND_LAST)
    return fail (span, "frame start cannot be UNBOUNDED FOLLOWING", NULL, error);
  if (window->end == KVSQL_BOUND_FIRST)
    return fail (span, "frame end cannot be UNBOUNDED PRECEDING", NULL, error);
  if (window->start == KVSQL_BOUND_CURRENT && window->end == KVSQL_BOUND_PRECEDING)
    return fail (span, "frame starting from current row cannot have preceding rows", NULL, error);
  if (window->start == KVSQL_BOUND_FOLLOWING && window->end < KVSQL_BOUND_FOLLOWING)
    return is_between ? fail (span, "frame starting from following row cannot have preceding rows",
                              NULL, error)
                      : fail (span, "frame starting from following row cannot end with current row",
                              "Write BETWEEN … FOLLOWING AND … FOLLOWING.", error);
  return TRUE;
}

static gboolean
parse_exclusion (KvsqlParser *self, KvsqlFrameExclusion *out, GError **error)
{
  static const gchar *const words[] = { "CURRENT", "GROUP", "TIES", "NO", NULL };

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_EXCLUDE))
    return TRUE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_GROUP))
    *out = KVSQL_EXCLUDE_GROUP;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TIES))
    *out = KVSQL_EXCLUDE_TIES;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CURRENT))
    {
      *out = KVSQL_EXCLUDE_ROW;
      return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_ROW, error);
    }
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NO))
    return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_OTHERS, error);
  else
    return kvsql_parser_fail_unexpected (self, "CURRENT ROW, GROUP, TIES or NO OTHERS", words,
                                         error);
  return TRUE;
}

/* ROWS | RANGE | GROUPS bound [EXCLUDE …], or BETWEEN bound AND bound. */
static gboolean
parse_frame (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlAstWindow *window = expr->window;
  gint32 start = self->token.span.offset;
  gboolean is_between;

  window->has_frame = TRUE;
  window->mode = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ROWS)     ? KVSQL_FRAME_ROWS
                 : kvsql_parser_at_keyword (self, KVSQL_KEYWORD_GROUPS) ? KVSQL_FRAME_GROUPS
                                                                        : KVSQL_FRAME_RANGE;
  kvsql_parser_advance (self);
  is_between = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_BETWEEN);
  if (!parse_bound (self, expr, &window->start, error)
      || (is_between
          && (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AND, error)
              || !parse_bound (self, expr, &window->end, error))))
    return FALSE;
  window->frame_span = kvsql_parser_span_from (self, start);
  return check_bounds (window, is_between, error)
         && parse_exclusion (self, &window->exclusion, error);
}

/* ---- windows */

static gboolean
parse_partition (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_PARTITION))
    return TRUE;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error))
    return FALSE;
  do
    if (!kvsql_parser_check_items (self, "PARTITION BY", expr->n_children, error)
        || !kvsql_parser_expr_parse (self, expr, KVSQL_PRECEDENCE_LOWEST, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  expr->window->n_partition = expr->n_children;
  return TRUE;
}

/* Whether the name of another window begins the definition. */
static gboolean
at_base (const KvsqlParser *self)
{
  return kvsql_parser_at_name (self) && !at_frame (self)
         && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_PARTITION);
}

/* A window could contain itself. */
static gboolean
check_no_call (const KvsqlParser *self, guint first, GError **error)
{
  return self->n_open == first
         || fail (self->open[first]->span, "window functions are not allowed in window definitions",
                  "Compute them in a query in FROM.", error);
}

/* ([name] [PARTITION BY …] [ORDER BY …] [frame]). @start: of the whole node */
static KvsqlAstExpr *
parse_definition (KvsqlParser *self, gint32 start, GError **error)
{
  guint first = self->n_open;
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_WINDOW, start);
  KvsqlAstWindow *window = expr->window = kvsql_arena_new0 (self->arena, KvsqlAstWindow);

  window->end = KVSQL_BOUND_CURRENT;
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return NULL;
  if (at_base (self))
    window->base = kvsql_parser_take_word (self);
  if (window->base.text != NULL && kvsql_parser_at_keyword (self, KVSQL_KEYWORD_PARTITION))
    {
      g_autofree gchar *message = g_strdup_printf (
          "cannot override PARTITION BY clause of window \"%s\"", window->base.text);
      fail (self->token.span, message, NULL, error);
      return NULL;
    }
  if (!parse_partition (self, expr, error) || !kvsql_parser_call_order (self, expr, error)
      || (at_frame (self) && !parse_frame (self, expr, error))
      || !check_no_call (self, first, error) || !kvsql_parser_expect_symbol (self, ')', error))
    return NULL;
  return kvsql_parser_expr_finish (self, expr, error);
}

/* OVER name: what is known before the clause WINDOW. */
static KvsqlAstExpr *
take_reference (KvsqlParser *self)
{
  KvsqlAstExpr *expr = kvsql_parser_expr_new (self, KVSQL_AST_WINDOW, self->token.span.offset);

  expr->window = kvsql_arena_new0 (self->arena, KvsqlAstWindow);
  expr->span = self->token.span;
  expr->window->name = kvsql_parser_take_word (self);
  return expr;
}

gboolean
kvsql_parser_over (KvsqlParser *self, KvsqlAstExpr *expr, GError **error)
{
  KvsqlToken next = kvsql_parser_peek (self);
  KvsqlAstExpr *window;

  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OVER)
      || (next.symbol != '(' && next.kind != KVSQL_TOKEN_QUOTED_NAME
          && (next.kind != KVSQL_TOKEN_WORD || kvsql_keyword_is_reserved (next.keyword))))
    return TRUE;
  kvsql_parser_advance (self);
  if (!kvsql_parser_check_items (self, "SELECT", self->n_open, error))
    return FALSE;
  window = kvsql_parser_at_symbol (self, '(')
               ? parse_definition (self, self->token.span.offset, error)
               : take_reference (self);
  if (window == NULL)
    return FALSE;
  kvsql_parser_expr_add (self, expr, window);
  expr->has_over = TRUE;
  self->has_over = TRUE;
  *KVSQL_PARSER_ADD (self, self->open, self->n_open) = expr;
  return TRUE;
}

/* ---- names of windows */

/* A name without quotes is the same in any case. */
static gboolean
is_same_name (const KvsqlName *a, const KvsqlName *b)
{
  gboolean is_exact = a->is_quoted || a->is_double_quoted || b->is_quoted || b->is_double_quoted;

  return is_exact ? g_str_equal (a->text, b->text) : g_ascii_strcasecmp (a->text, b->text) == 0;
}

static KvsqlAstExpr *
find_window (const KvsqlSelect *select, const KvsqlName *name)
{
  for (guint i = 0; i < select->n_windows; i++)
    if (is_same_name (name, &select->windows[i]->window->name))
      return select->windows[i];
  return NULL;
}

static KvsqlAstExpr *
require_window (const KvsqlSelect *select, const KvsqlName *name, GError **error)
{
  KvsqlAstExpr *found = find_window (select, name);

  if (found != NULL)
    return found;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "window \"%s\" does not exist",
                   name->text);
  kvsql_error_sqlstate (error, "42704");
  kvsql_error_hint (
      error, "The clause WINDOW, after HAVING, defines it: WINDOW %s AS (ORDER BY …).", name->text);
  return NULL;
}

/* Puts what is copied from @base before the children that @expr has. */
static gboolean
copy_base (KvsqlParser *self, KvsqlAstExpr *expr, const KvsqlAstExpr *base, GError **error)
{
  KvsqlAstWindow *window = expr->window;
  KvsqlAstExpr **own = expr->children;
  guint n_own = expr->n_children, n_order = base->n_order;
  g_autofree gchar *frame = g_strdup_printf (
      "cannot copy window \"%s\" because it has a frame clause", base->window->name.text);
  g_autofree gchar *order = g_strdup_printf ("cannot override ORDER BY clause of window \"%s\"",
                                             base->window->name.text);

  if (base->window->has_frame)
    return fail (window->base.span, frame, "Write OVER and the name, without parentheses.", error);
  if (n_order > 0 && expr->n_order > 0)
    return fail (expr->children[0]->span, order, NULL, error);
  expr->children = NULL;
  expr->n_children = 0;
  for (guint i = 0; i < base->window->n_partition + n_order; i++)
    kvsql_parser_expr_add (self, expr, base->children[i]);
  for (guint i = 0; i < n_own; i++)
    kvsql_parser_expr_add (self, expr, own[i]);
  window->n_partition = base->window->n_partition;
  if (n_order == 0)
    return TRUE;
  window->has_copied_order = TRUE;
  expr->order = base->order;
  expr->n_order = n_order;
  return TRUE;
}

static gboolean
resolve_base (KvsqlParser *self, const KvsqlSelect *select, KvsqlAstExpr *window, GError **error)
{
  const KvsqlAstExpr *base;

  if (window->window->base.text == NULL)
    return TRUE;
  base = require_window (select, &window->window->base, error);
  return base != NULL && copy_base (self, window, base, error);
}

gboolean
kvsql_parser_close_windows (KvsqlParser *self, const KvsqlSelect *select, guint first,
                            GError **error)
{
  for (guint i = first; i < self->n_open; i++)
    {
      KvsqlAstExpr *call = self->open[i];
      KvsqlAstExpr **window = &call->children[call->n_children - 1];

      if ((*window)->window->name.text == NULL)
        {
          if (!resolve_base (self, select, *window, error))
            return FALSE;
          continue;
        }
      *window = require_window (select, &(*window)->window->name, error);
      if (*window == NULL)
        return FALSE;
    }
  self->n_open = first;
  return TRUE;
}

static gboolean
parse_named (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlAstExpr *window;
  KvsqlName name;

  if (!kvsql_parser_check_items (self, "WINDOW", out->n_windows, error)
      || !kvsql_parser_name (self, "the name of a window", &name, error))
    return FALSE;
  if (find_window (out, &name) != NULL)
    {
      g_autofree gchar *message = g_strdup_printf ("window \"%s\" is already defined", name.text);
      return fail (name.span, message, NULL, error);
    }
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AS, error))
    return FALSE;
  window = parse_definition (self, start, error);
  if (window == NULL || !resolve_base (self, out, window, error))
    return FALSE;
  window->window->name = name;
  *KVSQL_PARSER_ADD (self, out->windows, out->n_windows) = window;
  return TRUE;
}

gboolean
kvsql_parser_windows (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WINDOW))
    return TRUE;
  do
    if (!parse_named (self, out, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}
