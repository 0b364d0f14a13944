/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-view.c: CREATE VIEW, as in PostgreSQL.
 *
 * VIEW, VIEWS and REPLACE are no keywords: they are common names.
 */
#include "config.h"

#include "core/sql/parser-private.h"

static gboolean
parse_or_replace (KvsqlParser *self, KvsqlCreateView *out, GError **error)
{
  static const gchar *const replace[] = { "REPLACE", NULL }, *const view[] = { "VIEW", NULL };

  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_OR))
    {
      if (!kvsql_parser_at_word (self, "REPLACE"))
        return kvsql_parser_fail_unexpected (self, "REPLACE", replace, error);
      kvsql_parser_advance (self);
      out->is_replacement = TRUE;
    }
  if (!kvsql_parser_at_word (self, "VIEW"))
    return kvsql_parser_fail_unexpected (self, "VIEW", view, error);
  kvsql_parser_advance (self);
  return TRUE;
}

/* (a, b): the names of its columns. */
static gboolean
parse_columns (KvsqlParser *self, KvsqlCreateView *out, GError **error)
{
  KvsqlSource columns = { 0 };

  if (!kvsql_parser_columns (self, &columns, error))
    return FALSE;
  out->columns = columns.columns;
  out->n_columns = columns.n_columns;
  for (guint i = 0; i < out->n_columns; i++)
    kvsql_parser_make_defined (&out->columns[i]);
  return TRUE;
}

static gboolean
reject_parameters (const KvsqlParser *self, const KvsqlCreateView *view, GError **error)
{
  if (self->n_parameters == 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, view->name.span,
                   "the query of a view cannot have parameters");
  return kvsql_error_hint (error, "Leave them out, and give conditions to the SELECT from the "
                                  "view.");
}

gboolean
kvsql_parser_view (KvsqlParser *self, KvsqlCreateView *out, GError **error)
{
  static const gchar *const words[] = { "SELECT", "VALUES", "WITH", NULL };
  gint32 start;

  if (!parse_or_replace (self, out, error)
      || !kvsql_parser_name (self, "the name of a view", &out->name, error)
      || !parse_columns (self, out, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AS, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  if (!kvsql_parser_at_query (self))
    return kvsql_parser_fail_unexpected (self, "SELECT, VALUES or WITH", words, error);
  start = self->token.span.offset;
  out->query = kvsql_arena_new0 (self->arena, KvsqlSelect);
  if (!kvsql_parser_query (self, out->query, error) || !reject_parameters (self, out, error))
    return FALSE;
  out->query_text = kvsql_slice_dup (
      self->arena, kvsql_lexer_get_text (&self->lexer, kvsql_parser_span_from (self, start)));
  out->height = self->tallest + 1;
  return TRUE;
}
