/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-chain.c: a AND b AND c …, and OR: a tree that is as low as it can be, so that 100,000
 * terms are not too deep.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/sql/parser-private.h"

typedef struct
{
  KvsqlOperator op;
  KvsqlAstExpr **terms;
  guint n_terms;
  KvsqlSpan *operators; /* operators[i] precedes terms[i + 1] */
  guint n_operators;
} Chain;

static void
add_terms (KvsqlParser *self, Chain *chain, KvsqlAstExpr *expr)
{
  if (expr->kind != KVSQL_AST_BINARY || expr->op != chain->op)
    {
      *KVSQL_PARSER_ADD (self, chain->terms, chain->n_terms) = expr;
      return;
    }
  add_terms (self, chain, expr->children[0]);
  *KVSQL_PARSER_ADD (self, chain->operators, chain->n_operators) = expr->op_span;
  add_terms (self, chain, expr->children[1]);
}

static KvsqlAstExpr *
balance (KvsqlParser *self, const Chain *chain, guint from, guint to, GError **error)
{
  guint middle = from + (to - from + 1) / 2;
  KvsqlAstExpr *expr, *left, *right;

  if (to - from == 1)
    return chain->terms[from];
  if (!kvsql_interrupt_poll (error))
    return NULL;
  left = balance (self, chain, from, middle, error);
  right = left == NULL ? NULL : balance (self, chain, middle, to, error);
  if (right == NULL)
    return NULL;
  expr = kvsql_parser_expr_new (self, KVSQL_AST_BINARY, left->span.offset);
  expr->op = chain->op;
  expr->op_span = chain->operators[middle - 1];
  kvsql_parser_expr_add (self, expr, left);
  kvsql_parser_expr_add (self, expr, right);
  if (kvsql_parser_expr_finish (self, expr, error) == NULL)
    return NULL;
  expr->span.length = right->span.offset + right->span.length - left->span.offset;
  return expr;
}

KvsqlAstExpr *
kvsql_parser_chain (KvsqlParser *self, KvsqlOperator op, KvsqlPrecedence precedence,
                    KvsqlAstExpr *left, GError **error)
{
  KvsqlKeyword keyword = self->token.keyword;
  Chain chain = { .op = op };

  add_terms (self, &chain, left);
  while (kvsql_parser_at_keyword (self, keyword))
    {
      KvsqlAstExpr *term;
      *KVSQL_PARSER_ADD (self, chain.operators, chain.n_operators) = self->token.span;
      kvsql_parser_advance (self);
      term = kvsql_parser_binding (self, precedence + 1, error);
      if (term == NULL)
        return NULL;
      add_terms (self, &chain, term);
    }
  return balance (self, &chain, 0, chain.n_terms, error);
}
