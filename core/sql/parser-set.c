/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-set.c: UNION, INTERSECT and EXCEPT.
 *
 * INTERSECT binds tighter than the others; all group from the left. The height of an operation
 * counts in that of the enclosing tree.
 */
#include "config.h"

#include "core/sql/parser-private.h"

static gboolean
is_bare (const KvsqlSelect *query)
{
  return query->n_order_by == 0 && query->limit == NULL && query->offset == NULL
         && !query->is_verified;
}

static gboolean
find_kind (const KvsqlParser *self, KvsqlSetKind *out)
{
  static const KvsqlKeyword keywords[] = { [KVSQL_SET_UNION] = KVSQL_KEYWORD_UNION,
                                           [KVSQL_SET_INTERSECT] = KVSQL_KEYWORD_INTERSECT,
                                           [KVSQL_SET_EXCEPT] = KVSQL_KEYWORD_EXCEPT };

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (kvsql_parser_at_keyword (self, keywords[i]))
      {
        *out = i;
        return TRUE;
      }
  return FALSE;
}

/* TABLE r is SELECT * FROM r. */
static gboolean
parse_table (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  KvsqlSelectItem *item = KVSQL_PARSER_ADD (self, out->items, out->n_items);

  item->span = self->token.span;
  kvsql_parser_advance (self);
  return kvsql_parser_name (self, "the name of a table", &out->from.relation, error)
         && kvsql_parser_use_with (self, &out->from, error);
}

/* A SELECT without the clauses after HAVING, VALUES, TABLE, or a query in parentheses. */
static gboolean
parse_primary (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  static const gchar *const words[] = { "SELECT", NULL };

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SELECT))
    return kvsql_parser_select_body (self, out, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_VALUES))
    return kvsql_parser_values (self, out, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TABLE))
    return parse_table (self, out, error);
  if (!kvsql_parser_at_symbol (self, '('))
    return kvsql_parser_fail_unexpected (self, "SELECT or \"(\"", words, error);
  if (!kvsql_parser_enter (self, KVSQL_PARSER_LEVEL, error))
    return FALSE;
  kvsql_parser_advance (self);
  if (!kvsql_parser_query (self, out, error) || !kvsql_parser_expect_symbol (self, ')', error))
    return FALSE;
  kvsql_parser_leave (self, KVSQL_PARSER_LEVEL);
  return TRUE;
}

/* Consumes the words of an operator. */
static KvsqlSetOperation *
take_operator (KvsqlParser *self, KvsqlSetKind kind)
{
  KvsqlSetOperation *set = kvsql_arena_new0 (self->arena, KvsqlSetOperation);
  gint32 start = self->token.span.offset;

  kvsql_parser_advance (self);
  set->kind = kind;
  set->is_all = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ALL);
  if (!set->is_all)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DISTINCT);
  set->span = kvsql_parser_span_from (self, start);
  return set;
}

/* Adds @right to the operation @left if both are one chain of UNION; else @left becomes the
 * operation of both. */
static gboolean
combine (KvsqlParser *self, KvsqlSelect *left, KvsqlSetOperation *set, KvsqlSelect *right,
         guint *inout_height, GError **error)
{
  gboolean is_chain = left->set != NULL && is_bare (left) && set->kind == KVSQL_SET_UNION
                      && left->set->kind == set->kind && left->set->is_all == set->is_all;

  if (is_chain)
    {
      *inout_height = MAX (*inout_height, self->tallest + 1);
      set = left->set;
    }
  else
    {
      *inout_height = MAX (*inout_height, self->tallest) + 1;
      *KVSQL_PARSER_ADD (self, set->operands, set->n_operands)
          = kvsql_arena_copy (self->arena, left, sizeof *left);
      *left = (KvsqlSelect){ .set = set };
    }
  if (*inout_height > KVSQL_MAX_DEPTH)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, set->span,
                            "query is nested more than %d levels deep", KVSQL_MAX_DEPTH);
  if (!kvsql_parser_check_items (self, "UNION", set->n_operands, error))
    return FALSE;
  *KVSQL_PARSER_ADD (self, set->operands, set->n_operands) = right;
  return TRUE;
}

/* @is_tight: operands of INTERSECT; else operands that INTERSECT has combined */
static gboolean
parse_chain (KvsqlParser *self, gboolean is_tight, KvsqlSelect *out, GError **error)
{
  guint outer = self->tallest, height;
  KvsqlSetKind kind;

  self->tallest = 0;
  if (!(is_tight ? parse_primary (self, out, error) : parse_chain (self, TRUE, out, error)))
    return FALSE;
  height = self->tallest;
  while (find_kind (self, &kind) && (kind == KVSQL_SET_INTERSECT) == is_tight)
    {
      KvsqlSelect *right = kvsql_arena_new0 (self->arena, KvsqlSelect);
      KvsqlSetOperation *set = take_operator (self, kind);

      self->tallest = 0;
      if (!(is_tight ? parse_primary (self, right, error) : parse_chain (self, TRUE, right, error))
          || !combine (self, out, set, right, &height, error))
        return FALSE;
    }
  self->tallest = MAX (outer, height);
  return TRUE;
}

/* The clauses of @inner, which was in parentheses, and those after it. */
static gboolean
merge_end (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  gboolean is_twice
      = (out->n_order_by > 0 && kvsql_parser_at_keyword (self, KVSQL_KEYWORD_ORDER))
        || (out->limit != NULL && kvsql_parser_at_keyword (self, KVSQL_KEYWORD_LIMIT))
        || (out->offset != NULL && kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OFFSET));

  if (!is_twice)
    return kvsql_parser_select_end (self, out, error);
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                          "%s is given twice for one query",
                          kvsql_keyword_get_text (self->token.keyword));
}

gboolean
kvsql_parser_query (KvsqlParser *self, KvsqlSelect *out, GError **error)
{
  const KvsqlWithQuery *with = self->with;
  KvsqlSetKind kind;

  if (!kvsql_parser_with (self, error) || !parse_chain (self, FALSE, out, error)
      || !merge_end (self, out, error))
    return FALSE;
  self->with = with;
  if (!find_kind (self, &kind))
    return TRUE;
  kvsql_parser_fail_unexpected (self, NULL, NULL, error);
  return kvsql_error_hint (error, "An operand with ORDER BY, LIMIT, OFFSET or WITH VERIFIED is "
                                  "written in parentheses.");
}
