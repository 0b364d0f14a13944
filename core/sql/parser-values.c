/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-values.c: VALUES as a query.
 */
#include "config.h"

#include "core/sql/parser-private.h"

static gboolean
parse_value (KvsqlParser *self, KvsqlAstExpr **out, GError **error)
{
  KvsqlToken next = kvsql_parser_peek (self);

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DEFAULT)
      && (next.symbol == ',' || next.symbol == ')'))
    return kvsql_parser_fail_unexpected (self, "an expression", NULL, error)
           || kvsql_error_hint (error,
                                "DEFAULT is the value of an attribute in INSERT and UPDATE.");
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

static gboolean
parse_row (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlAstExpr **row = NULL;
  guint n = 0;

  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    if (!kvsql_parser_check_items (self, "VALUES", n, error)
        || !parse_value (self, KVSQL_PARSER_ADD (self, row, n), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (!kvsql_parser_accept_symbol (self, ')'))
    return kvsql_parser_fail_unexpected (self, "\",\" or \")\"", kvsql_parser_operator_words,
                                         error);
  if (out->n_rows > 0 && n != out->n_values)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, kvsql_parser_span_from (self, start),
                            "VALUES has %u values in one row and %u in another", out->n_values, n);
  *KVSQL_PARSER_ADD (self, out->rows, out->n_rows) = row;
  out->n_values = n;
  return TRUE;
}

gboolean
kvsql_parser_values (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  kvsql_parser_advance (self);
  do
    if (!parse_row (self, out, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}
