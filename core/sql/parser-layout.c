/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-layout.c: layouts, elements joined by ':'.
 *
 * The parser has no list of elements: core/layout knows which exist, and checks their arguments.
 */
#include "config.h"

#include "core/sql/parser-private.h"

static gboolean parse_sequence (KvsqlParser *self, gboolean is_inner, KvsqlLayoutSequence *out,
                                GError **error);

static gboolean
parse_argument (KvsqlParser *self, KvsqlLayoutArgument *out, GError **error)
{
  gint32 start = self->token.span.offset;

  if (kvsql_parser_at_literal (self))
    {
      out->kind = KVSQL_ARGUMENT_VALUE;
      if (!kvsql_parser_literal (self, &out->value, error))
        return FALSE;
    }
  else if (kvsql_parser_at_name (self))
    {
      out->kind = KVSQL_ARGUMENT_NAME;
      out->name = kvsql_parser_take_word (self);
    }
  else
    return kvsql_parser_fail_unexpected (self, "a literal or a name", NULL, error);
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
parse_arguments (KvsqlParser *self, KvsqlLayoutNode *node, GError **error)
{
  if (!kvsql_parser_accept_symbol (self, '(') || kvsql_parser_accept_symbol (self, ')'))
    return TRUE;
  do
    if (!parse_argument (self, KVSQL_PARSER_ADD (self, node->arguments, node->n_arguments), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_accept_symbol (self, ')'))
    return TRUE;
  return kvsql_parser_fail_unexpected (self, "\",\" or \")\"", NULL, error);
}

/* k1, `k1` or 'k1'. A string that is not a plain name compares exactly, as a name in back-quotes.
 */
static gboolean
parse_listed (KvsqlParser *self, KvsqlName *out, GError **error)
{
  KvsqlSlice text;

  if (self->token.kind == KVSQL_TOKEN_WORD || self->token.kind == KVSQL_TOKEN_QUOTED_NAME)
    {
      *out = kvsql_parser_take_word (self);
      return TRUE;
    }
  if (self->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (self, "the name of an attribute", NULL, error);
  text = kvsql_lexer_get_string (&self->lexer, &self->token, self->arena);
  if (text.size == 0 || memchr (text.data, '\0', text.size) != NULL)
    return kvsql_parser_fail_unexpected (self, "the name of an attribute", NULL, error);
  out->span = self->token.span;
  out->text = (const gchar *)text.data;
  out->is_quoted = !kvsql_lexer_is_plain_name (out->text, text.size);
  kvsql_parser_advance (self);
  return TRUE;
}

static gboolean
parse_list (KvsqlParser *self, KvsqlLayoutNode *node, GError **error)
{
  node->has_list = kvsql_parser_accept_symbol (self, '[');
  if (!node->has_list || kvsql_parser_accept_symbol (self, ']'))
    return TRUE;
  do
    if (!parse_listed (self, KVSQL_PARSER_ADD (self, node->listed, node->n_listed), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_accept_symbol (self, ']'))
    return TRUE;
  return kvsql_parser_fail_unexpected (self, "\",\" or \"]\"", NULL, error);
}

static gboolean
parse_inner (KvsqlParser *self, KvsqlLayoutNode *node, GError **error)
{
  node->has_inner = kvsql_parser_accept_symbol (self, '{');
  if (!node->has_inner)
    return TRUE;
  if (!parse_sequence (self, TRUE, &node->inner, error))
    return FALSE;
  if (kvsql_parser_accept_symbol (self, '}'))
    return TRUE;
  if (kvsql_parser_at_symbol (self, ':') || kvsql_parser_at_symbol (self, ','))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "\":\" and \",\" cannot be mixed between one pair of braces");
  return kvsql_parser_fail_unexpected (self,
                                       node->inner.n_nodes == 1 ? "\":\", \",\" or \"}\""
                                       : node->inner.is_list    ? "\",\" or \"}\""
                                                                : "\":\" or \"}\"",
                                       NULL, error);
}

static gboolean
no_element (KvsqlParser *self, GError **error)
{
  kvsql_parser_fail_unexpected (self, "an element of a layout", NULL, error);
  if (self->token.kind == KVSQL_TOKEN_INTEGER || self->token.kind == KVSQL_TOKEN_DECIMAL)
    kvsql_error_hint (error, "A constant is written 'text' or x'00ff'.");
  else if (self->token.kind == KVSQL_TOKEN_WORD)
    kvsql_error_hint (error, "%s is a reserved word; as a name it goes in back-quotes.",
                      kvsql_keyword_get_text (self->token.keyword));
  return FALSE;
}

/* A word before ( [ or { is the name of an element, even a reserved word: null('-'){a}. */
static gboolean
at_element (const KvsqlParser *self)
{
  gint next = kvsql_parser_peek (self).symbol;

  return next == '(' || next == '[' || next == '{';
}

static gboolean
parse_named (KvsqlParser *self, KvsqlLayoutNode *out, GError **error)
{
  if (!at_element (self))
    {
      if (!kvsql_parser_at_name (self))
        return no_element (self, error);
      out->kind = KVSQL_LAYOUT_ATTRIBUTE;
      out->name = kvsql_parser_take_word (self);
      return TRUE;
    }
  out->kind = KVSQL_LAYOUT_ELEMENT;
  out->name = kvsql_parser_take_word (self);
  return parse_arguments (self, out, error) && parse_list (self, out, error)
         && parse_inner (self, out, error);
}

static gboolean
parse_node (KvsqlParser *self, KvsqlLayoutNode *out, GError **error)
{
  gint32 start = self->token.span.offset;

  switch (self->token.kind)
    {
    case KVSQL_TOKEN_STRING:
      out->kind = KVSQL_LAYOUT_CONSTANT;
      out->constant = kvsql_lexer_get_string (&self->lexer, &self->token, self->arena);
      kvsql_parser_advance (self);
      break;
    case KVSQL_TOKEN_BYTES:
      out->kind = KVSQL_LAYOUT_CONSTANT;
      out->constant = kvsql_lexer_get_bytes (&self->lexer, &self->token, self->arena);
      out->constant_is_bytes = TRUE;
      kvsql_parser_advance (self);
      break;
    case KVSQL_TOKEN_WORD:
    case KVSQL_TOKEN_QUOTED_NAME:
      if (!parse_named (self, out, error))
        return FALSE;
      break;
    default:
      return no_element (self, error);
    }
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
parse_nodes (KvsqlParser *self, gboolean is_inner, KvsqlLayoutSequence *out, GError **error)
{
  gint separator = ':';
  gint32 start = self->token.span.offset;

  do
    {
      if (!parse_node (self, KVSQL_PARSER_ADD (self, out->nodes, out->n_nodes), error))
        return FALSE;
      if (is_inner && out->n_nodes == 1 && kvsql_parser_at_symbol (self, ','))
        {
          separator = ',';
          out->is_list = TRUE;
        }
    }
  while (kvsql_parser_accept_symbol (self, separator));
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
parse_sequence (KvsqlParser *self, gboolean is_inner, KvsqlLayoutSequence *out, GError **error)
{
  gboolean result;

  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return FALSE;
  result = parse_nodes (self, is_inner, out, error);
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  return result;
}

gboolean
kvsql_parser_layout (KvsqlParser *self, KvsqlLayoutSequence *out, GError **error)
{
  return parse_sequence (self, FALSE, out, error);
}
