/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-write.c: INSERT, UPDATE and DELETE.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* Operators first: what may follow an expression; then the clauses, in their order. */
static const gchar *const write_words[]
    = { "AND",   "OR",    "NOT",       "IS",     "IN",  "BETWEEN", "LIKE",  "RLIKE", "WHERE",
        "ORDER", "LIMIT", "RETURNING", "ESCAPE", "ASC", "DESC",    "USING", "NULLS", NULL };
static const gchar *const insert_words[] = { "ON", "USING", "RETURNING", NULL };

/* ---- what they share */

/* Whether the token is DEFAULT. If an operator follows, it is an attribute's name. */
static gboolean
at_default (const KvsqlParser *self)
{
  KvsqlToken next;

  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DEFAULT))
    return FALSE;
  next = kvsql_parser_peek (self);
  switch (next.keyword)
    {
    case KVSQL_KEYWORD_FROM:
    case KVSQL_KEYWORD_WHERE:
    case KVSQL_KEYWORD_ORDER:
    case KVSQL_KEYWORD_LIMIT:
    case KVSQL_KEYWORD_USING:
    case KVSQL_KEYWORD_RETURNING:
      return TRUE;
    default:
      return next.kind == KVSQL_TOKEN_END || next.symbol == ',' || next.symbol == ')'
             || next.symbol == ';';
    }
}

/* An expression, or DEFAULT, for which *@out is NULL. */
static gboolean
parse_value (KvsqlParser *self, KvsqlAstExpr **out, GError **error)
{
  if (at_default (self))
    {
      kvsql_parser_advance (self);
      *out = NULL;
      return TRUE;
    }
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

/* ['key'] = value, after the name. */
static gboolean
parse_entry (KvsqlParser *self, KvsqlAssignment *out, GError **error)
{
  KvsqlAstExpr *call = kvsql_parser_expr_new (self, KVSQL_AST_FUNCTION, out->name.span.offset);
  KvsqlAstExpr *map = kvsql_parser_expr_new (self, KVSQL_AST_NAME, out->name.span.offset);

  map->name = out->name;
  map->span = out->name.span;
  call->name = (KvsqlName){ .text = "map_put", .span = out->name.span };
  kvsql_parser_expr_add (self, call, map);
  kvsql_parser_advance (self);
  if (!kvsql_parser_expr_parse (self, call, KVSQL_PRECEDENCE_LOWEST, error)
      || !kvsql_parser_expect_symbol (self, ']', error)
      || !kvsql_parser_expect_symbol (self, '=', error))
    return FALSE;
  if (at_default (self))
    {
      kvsql_parser_fail_unexpected (self, "an expression", NULL, error);
      return kvsql_error_hint (error, "An attribute has a DEFAULT, the entry of a map has none.");
    }
  if (!kvsql_parser_expr_parse (self, call, KVSQL_PRECEDENCE_LOWEST, error))
    return FALSE;
  out->expr = kvsql_parser_expr_finish (self, call, error);
  out->is_entry = TRUE;
  return out->expr != NULL;
}

static gboolean
is_same_name (const KvsqlName *a, const KvsqlName *b)
{
  return a->is_quoted || b->is_quoted || a->is_double_quoted || b->is_double_quoted
             ? strcmp (a->text, b->text) == 0
             : g_ascii_strcasecmp (a->text, b->text) == 0;
}

/* Several assignments to entries of one map become nested calls of map_put(), so that the attribute
 * is assigned once. */
static gboolean
join_entries (KvsqlParser *self, KvsqlAssignment *assignments, guint *n, GError **error)
{
  KvsqlAssignment *last = &assignments[*n - 1];

  for (guint i = 0; last->is_entry && i + 1 < *n; i++)
    if (assignments[i].is_entry && is_same_name (&assignments[i].name, &last->name))
      {
        last->expr->children[0] = assignments[i].expr;
        assignments[i].expr = kvsql_parser_expr_finish (self, last->expr, error);
        *n -= 1;
        return assignments[i].expr != NULL;
      }
  return TRUE;
}

static gboolean
parse_assignment (KvsqlParser *self, KvsqlAssignment *out, GError **error)
{
  if (!kvsql_parser_name (self, "the name of an attribute", &out->name, error))
    return FALSE;
  if (kvsql_parser_at_symbol (self, '.'))
    {
      kvsql_parser_fail_unexpected (self, "\"=\"", NULL, error);
      return kvsql_error_hint (error, "SET takes an attribute's bare name.");
    }
  if (kvsql_parser_at_symbol (self, '['))
    return parse_entry (self, out, error);
  return kvsql_parser_expect_symbol (self, '=', error) && parse_value (self, &out->expr, error);
}

static gboolean
fail_row (KvsqlParser *self, guint n_names, guint n_values, KvsqlSpan span, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                          "%u attributes are assigned a row of %u values", n_names, n_values)
         || kvsql_error_sqlstate (error, "42601");
}

/* (a, b) = (1, 2) is a = 1, b = 2. */
static gboolean
parse_row_assignment (KvsqlParser *self, KvsqlAssignment **out, guint *n, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlName *names = NULL;
  guint n_names = 0, n_values = 0;

  if (!kvsql_parser_names (self, &names, &n_names, error)
      || !kvsql_parser_expect_symbol (self, '=', error))
    return FALSE;
  (void)kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ROW);
  if (kvsql_parser_at_symbol (self, '(')
      && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_SELECT)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span,
                            "a subquery assigns to one attribute only")
           || kvsql_error_hint (error, "Use UPDATE … SET a = x.a, b = x.b FROM (SELECT …) AS x "
                                       "WHERE ….");
  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    {
      KvsqlAssignment *assignment;
      KvsqlAstExpr *value;

      if (!kvsql_parser_check_items (self, "SET", *n, error) || !parse_value (self, &value, error))
        return FALSE;
      if (n_values++ >= n_names)
        continue;
      assignment = KVSQL_PARSER_ADD (self, *out, *n);
      assignment->name = names[n_values - 1];
      assignment->expr = value;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return kvsql_parser_expect_symbol (self, ')', error)
         && (n_values == n_names
             || fail_row (self, n_names, n_values, kvsql_parser_span_from (self, start), error));
}

static gboolean
parse_assignments (KvsqlParser *self, KvsqlAssignment **out, guint *n, GError **error)
{
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SET, error))
    return FALSE;
  do
    {
      if (!kvsql_parser_check_items (self, "SET", *n, error))
        return FALSE;
      if (kvsql_parser_at_symbol (self, '(')
              ? !parse_row_assignment (self, out, n, error)
              : !parse_assignment (self, KVSQL_PARSER_ADD (self, *out, *n), error)
                    || !join_entries (self, *out, n, error))
        return FALSE;
    }
  while (kvsql_parser_accept_symbol (self, ','));
  return TRUE;
}

gboolean
kvsql_parser_names (KvsqlParser *self, KvsqlName **out, guint *n, GError **error)
{
  if (kvsql_parser_at_query (self) || !kvsql_parser_accept_symbol (self, '('))
    return TRUE;
  do
    if (!kvsql_parser_name (self, "the name of an attribute", KVSQL_PARSER_ADD (self, *out, *n),
                            error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (kvsql_parser_accept_symbol (self, ')'))
    return TRUE;
  return kvsql_parser_fail_unexpected (self, "\",\" or \")\"", NULL, error);
}

static gboolean
parse_using_timestamp (KvsqlParser *self, KvsqlAstExpr **out, GError **error)
{
  static const gchar *const words[] = { "TIMESTAMP", NULL };

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_USING))
    return TRUE;
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TIMESTAMP))
    return kvsql_parser_fail_unexpected (self, "TIMESTAMP", words, error);
  *out = kvsql_parser_expression (self, error);
  return *out != NULL;
}

/* Writes of checked relations decide on anchors in any case. */
static gboolean
reject_with_verified (KvsqlParser *self, GError **error)
{
  if (!kvsql_parser_at_with_verified (self))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                   "WITH VERIFIED is a clause of SELECT");
  return kvsql_error_hint (error, "Leave it out: a statement that writes a relation with checked "
                                  "writes always decides on its current tuples.");
}

/* USING TIMESTAMP and RETURNING, in any order. */
static gboolean
parse_end_clauses (KvsqlParser *self, KvsqlAstExpr **timestamp, KvsqlSelectItem **returning,
                   guint *n_returning, GError **error)
{
  if (!reject_with_verified (self, error) || !parse_using_timestamp (self, timestamp, error))
    return FALSE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RETURNING)
      && (!kvsql_parser_returning (self, returning, n_returning, error)
          || (*timestamp == NULL && !parse_using_timestamp (self, timestamp, error))))
    return FALSE;
  return reject_with_verified (self, error);
}

/* ---- INSERT */

static gboolean
check_row (KvsqlParser *self, const KvsqlInsert *insert, guint n_values, KvsqlSpan span,
           GError **error)
{
  if (insert->n_rows > 1 && n_values != insert->n_values)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                            "VALUES has %u values in one row and %u in another", insert->n_values,
                            n_values);
  if (insert->n_attributes > 0 && n_values != insert->n_attributes)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span,
                            "INSERT names %u attribute%s but gives %u value%s",
                            insert->n_attributes, insert->n_attributes == 1 ? "" : "s", n_values,
                            n_values == 1 ? "" : "s");
  return TRUE;
}

static gboolean
parse_row (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlAstExpr **row = NULL;
  guint n_values = 0;

  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  do
    if (!parse_value (self, KVSQL_PARSER_ADD (self, row, n_values), error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  if (!kvsql_parser_accept_symbol (self, ')'))
    return kvsql_parser_fail_unexpected (self, "\",\" or \")\"", kvsql_parser_operator_words,
                                         error);
  *KVSQL_PARSER_ADD (self, out->rows, out->n_rows) = row;
  if (!check_row (self, out, n_values, kvsql_parser_span_from (self, start), error))
    return FALSE;
  out->n_values = n_values;
  return TRUE;
}

static gboolean
parse_rows (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  static const gchar *const words[] = { "VALUES", "SELECT", NULL };

  if (kvsql_parser_at_query (self) && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_VALUES))
    {
      out->select = kvsql_arena_new0 (self->arena, KvsqlSelect);
      return kvsql_parser_query (self, out->select, error);
    }
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_DEFAULT)
      && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_VALUES)
    {
      kvsql_parser_fail_unexpected (self, "VALUES", NULL, error);
      return kvsql_error_hint (error, "Write VALUES (DEFAULT, …).");
    }
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_VALUES))
    return kvsql_parser_fail_unexpected (
        self, out->n_attributes > 0 ? "VALUES or SELECT" : "\"(\", VALUES or SELECT", words, error);
  do
    if (!parse_row (self, out, error))
      return FALSE;
  while (kvsql_parser_accept_symbol (self, ','));
  self->expected_at_end
      = "\",\", ON CONFLICT, USING TIMESTAMP, RETURNING or the end of the statement";
  self->words_at_end = insert_words;
  return TRUE;
}

static gboolean
parse_on_conflict (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  static const gchar *const words[] = { "NOTHING", "UPDATE", NULL };
  gint32 start = self->token.span.offset;

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ON))
    return TRUE;
  if (kvsql_parser_at_word (self, "DUPLICATE"))
    {
      kvsql_parser_fail_unexpected (self, "CONFLICT", NULL, error);
      return kvsql_error_hint (error, "Write ON CONFLICT DO UPDATE SET a = excluded.a.");
    }
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_CONFLICT, error)
      || !kvsql_parser_names (self, &out->conflict_attributes, &out->n_conflict_attributes, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_DO, error))
    return FALSE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NOTHING))
    {
      out->on_conflict = KVSQL_CONFLICT_NOTHING;
      out->conflict_span = kvsql_parser_span_from (self, start);
      self->expected_at_end = NULL;
      return TRUE;
    }
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_UPDATE))
    return kvsql_parser_fail_unexpected (self, "NOTHING or UPDATE", words, error);
  out->on_conflict = KVSQL_CONFLICT_UPDATE;
  out->conflict_span = kvsql_parser_span_from (self, start);
  self->expected_at_end = NULL;
  self->words_at_end = write_words;
  return parse_assignments (self, &out->assignments, &out->n_assignments, error)
         && kvsql_parser_clause (self, KVSQL_KEYWORD_WHERE, &out->conflict_where, error);
}

gboolean
kvsql_parser_insert (KvsqlParser *self, KvsqlInsert *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_INTO, error)
      || !kvsql_parser_written_relation (self, &out->relation, error)
      || !kvsql_parser_names (self, &out->attributes, &out->n_attributes, error)
      || !parse_rows (self, out, error) || !parse_on_conflict (self, out, error))
    return FALSE;
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_USING)
      || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_RETURNING))
    {
      self->expected_at_end = NULL;
      self->words_at_end = write_words;
    }
  return parse_end_clauses (self, &out->using_timestamp, &out->returning, &out->n_returning, error);
}

/* ---- UPDATE, DELETE */

/* A tuple that has several partners is written once, so there is no order of rows. */
static gboolean
reject_order_and_limit (KvsqlParser *self, const KvsqlSelect *from, const gchar *statement,
                        GError **error)
{
  gboolean is_order = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ORDER);

  if (from == NULL || (!is_order && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_LIMIT)))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->token.span, "%s cannot have %s", statement,
                   is_order ? "ORDER BY" : "LIMIT");
  return kvsql_error_hint (error, "Choose the tuples with a subquery: WHERE k IN (SELECT … LIMIT "
                                  "n).");
}

gboolean
kvsql_parser_update (KvsqlParser *self, KvsqlUpdate *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_one_relation (self, &out->relation, &out->alias, error)
      || !parse_assignments (self, &out->assignments, &out->n_assignments, error)
      || !kvsql_parser_read_relations (self, KVSQL_KEYWORD_FROM, &out->relation, &out->alias,
                                       &out->from, error)
      || !kvsql_parser_clause (self, KVSQL_KEYWORD_WHERE, &out->where, error)
      || !reject_order_and_limit (self, out->from, "UPDATE … FROM", error)
      || !kvsql_parser_order_by (self, &out->order_by, &out->n_order_by, error)
      || !kvsql_parser_clause (self, KVSQL_KEYWORD_LIMIT, &out->limit, error))
    return FALSE;
  self->words_at_end = write_words;
  return parse_end_clauses (self, &out->using_timestamp, &out->returning, &out->n_returning, error);
}

gboolean
kvsql_parser_delete (KvsqlParser *self, KvsqlDelete *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_FROM, error)
      || !kvsql_parser_one_relation (self, &out->relation, &out->alias, error)
      || !kvsql_parser_read_relations (self, KVSQL_KEYWORD_USING, &out->relation, &out->alias,
                                       &out->from, error)
      || !kvsql_parser_clause (self, KVSQL_KEYWORD_WHERE, &out->where, error)
      || !reject_order_and_limit (self, out->from, "DELETE … USING", error)
      || !kvsql_parser_order_by (self, &out->order_by, &out->n_order_by, error)
      || !kvsql_parser_clause (self, KVSQL_KEYWORD_LIMIT, &out->limit, error))
    return FALSE;
  self->words_at_end = write_words;
  return parse_end_clauses (self, &out->using_timestamp, &out->returning, &out->n_returning, error);
}
