/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-store-table.c: tables of the store, by their names there: TABLE 't', and SHOW TABLES.
 */
#include "config.h"

#include "core/sql/parser-private.h"
#include "core/sql/printer-private.h"

/* More than any store allows that is useful. A definition of the table is kept for each name. */
#define MAX_NAME_BYTES 1024

gboolean
kvsql_parser_at_store_table (const KvsqlParser *self)
{
  KvsqlTokenKind next;

  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TABLE))
    return FALSE;
  next = kvsql_parser_peek (self).kind;
  return next == KVSQL_TOKEN_STRING || next == KVSQL_TOKEN_BYTES;
}

gboolean
kvsql_parser_store_table (KvsqlParser *self, KvsqlName *out, GError **error)
{
  g_autoptr (GString) text = g_string_new ("TABLE ");
  gint32 start = self->token.span.offset;
  KvsqlValue name;

  kvsql_parser_advance (self);
  if (!kvsql_parser_literal (self, &name, error))
    return FALSE;
  out->span = kvsql_parser_span_from (self, start);
  if (name.bytes.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, out->span,
                            "the name of a table is not empty");
  if (name.bytes.size > MAX_NAME_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, out->span,
                            "the name of a table that is read by its name has at most %d bytes",
                            MAX_NAME_BYTES);
  kvsql_print_value (&name, text);
  out->text = kvsql_arena_strdup (self->arena, text->str);
  out->is_store_table = TRUE;
  return TRUE;
}

gboolean
kvsql_parser_written_relation (KvsqlParser *self, KvsqlName *out, GError **error)
{
  if (!kvsql_parser_at_store_table (self))
    return kvsql_parser_name (self, "the name of a relation", out, error);
  if (!kvsql_parser_store_table (self, out, error))
    return FALSE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, out->span,
                   "a table of the store can only be read by its name");
  return kvsql_error_hint (error, "Define a relation with a schema of this table to write it.");
}

gboolean
kvsql_parser_show_tables (KvsqlParser *self, KvsqlShow *out, GError **error)
{
  static const gchar *const words_at_end[] = { "LIKE", NULL };
  KvsqlValue pattern;

  out->what = KVSQL_SHOW_TABLES;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_LIKE))
    {
      self->expected_at_end = "LIKE or the end of the statement";
      self->words_at_end = words_at_end;
      return TRUE;
    }
  if (self->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (self, "a pattern in quotes", NULL, error);
  if (!kvsql_parser_literal (self, &pattern, error))
    return FALSE;
  out->pattern
      = kvsql_arena_strndup (self->arena, (const gchar *)pattern.bytes.data, pattern.bytes.size);
  return TRUE;
}

gboolean
kvsql_parser_sampled_rows (KvsqlParser *self, gint64 *out, GError **error)
{
  KvsqlSpan span;
  KvsqlValue limit;

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_LIMIT))
    return TRUE;
  span = self->token.span;
  if (self->token.kind != KVSQL_TOKEN_INTEGER)
    return kvsql_parser_fail_unexpected (self, "a number of rows", NULL, error);
  if (!kvsql_parser_literal (self, &limit, error))
    return FALSE;
  if (limit.type != KVSQL_TYPE_BIGINT || limit.integer == 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "the number of rows is at least 1");
  *out = limit.integer;
  return TRUE;
}
