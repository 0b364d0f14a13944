/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-match.c: LIKE, ILIKE, RLIKE and ~*: their operands, and their patterns if they are
 * constants.
 */
#include "config.h"

#include "core/expr/bind-private.h"
#include "core/expr/like.h"
#include "core/expr/regex.h"

/* STRING with STRING, or BYTES with BYTES. */
static gboolean
prepare_match (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **operands,
               const gchar *word, GError **error)
{
  KvsqlType type = operands[0]->type == KVSQL_TYPE_BYTES ? KVSQL_TYPE_BYTES : KVSQL_TYPE_STRING;

  for (guint i = 0; i < expr->n_children; i++)
    {
      /* a pattern for bytes may be written as text, of which the bytes are used */
      gboolean is_pattern = i > 0 && operands[i]->type == KVSQL_TYPE_STRING;
      if (operands[i]->type != type && operands[i]->type != KVSQL_TYPE_NULL && !is_pattern)
        {
          kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->op_span,
                           "operator does not exist: %s %s %s",
                           kvsql_type_get_name (operands[0]->type), word,
                           kvsql_type_get_name (operands[1]->type));
          kvsql_error_sqlstate (error, "42883");
          return kvsql_error_hint (error, "%s compares STRING or BYTES with a text pattern.", word);
        }
      if (operands[i]->type == KVSQL_TYPE_NULL)
        operands[i] = kvsql_expr_coerce (binder, operands[i], type, error);
      else
        operands[i] = kvsql_expr_default_to_string (binder, operands[i]);
    }
  return TRUE;
}

static gboolean
compile_like (const KvsqlBinder *binder, KvsqlExpr *self, GError **error)
{
  gint escape = '\\';

  for (guint i = 1; i < self->n_children; i++)
    if (!kvsql_expr_is_constant (self->children[i])
        || kvsql_value_is_null (&self->children[i]->value))
      return TRUE;
  if (self->n_children > 2 && !kvsql_like_escape (self->children[2]->value.bytes, &escape, error))
    return kvsql_error_at (error, self->children[2]->span);
  self->like = self->is_caseless ? kvsql_like_compile_caseless (self->children[1]->value.bytes,
                                                                escape, binder->arena, error)
                                 : kvsql_like_compile (self->children[1]->value.bytes, escape,
                                                       self->children[0]->type == KVSQL_TYPE_BYTES,
                                                       binder->arena, error);
  return self->like != NULL || kvsql_error_at (error, self->children[1]->span);
}

/* An invalid constant pattern is an error of the binder. */
static gboolean
check_regex (const KvsqlExpr *self, GError **error)
{
  const KvsqlExpr *pattern = self->children[1];
  gboolean matches;

  return !kvsql_expr_is_constant (pattern) || kvsql_value_is_null (&pattern->value)
         || kvsql_regex_matches (pattern->value.bytes, KVSQL_SLICE_EMPTY,
                                 self->children[0]->type == KVSQL_TYPE_BYTES, &matches, error)
         || kvsql_error_at (error, pattern->span);
}

/* Without regard to case: the text is compared in lower case, or the expression has (?i). */
static gboolean
ignore_case (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **operands,
             GError **error)
{
  KvsqlValue flag = { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("(?i)") };
  KvsqlExpr *parts[2];

  if (operands[0]->type == KVSQL_TYPE_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->op_span, "BYTES have no letter case")
           || kvsql_error_hint (error, "Write from_utf8 (…) to match them as text.");
  if (expr->kind == KVSQL_AST_LIKE)
    {
      operands[0] = kvsql_expr_call (binder, "lower", operands, 1, expr->children[0]->span,
                                     expr->op_span, error);
      return operands[0] != NULL;
    }
  parts[0] = kvsql_expr_constant (binder->arena, &flag, expr->children[1]->span);
  parts[1] = operands[1];
  operands[1]
      = kvsql_expr_call (binder, "||", parts, 2, expr->children[1]->span, expr->op_span, error);
  return operands[1] != NULL;
}

KvsqlExpr *
kvsql_expr_bind_match (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  gboolean is_like = expr->kind == KVSQL_AST_LIKE;
  const gchar *word = is_like             ? (expr->is_caseless ? "ILIKE" : "LIKE")
                      : expr->is_caseless ? "~*"
                                          : "RLIKE";
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *self;

  if (operands == NULL || !prepare_match (binder, expr, operands, word, error)
      || (expr->is_caseless && !ignore_case (binder, expr, operands, error)))
    return NULL;
  self = kvsql_expr_new (binder, is_like ? KVSQL_EXPR_LIKE : KVSQL_EXPR_RLIKE, KVSQL_TYPE_BOOLEAN,
                         expr->span, expr->n_children);
  memcpy (self->children, operands, expr->n_children * sizeof (gpointer));
  self->is_negated = expr->is_negated;
  self->is_caseless = is_like && expr->is_caseless;
  if (is_like ? !compile_like (binder, self, error) : !check_regex (self, error))
    return NULL;
  return kvsql_expr_fold (binder, self, error);
}
