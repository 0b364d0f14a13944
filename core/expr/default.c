/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * default.c: computes the DEFAULT of an attribute when it is defined, if it is always the same.
 *
 * A definition is stored as text that every daemon parses, so it holds such a value as a literal.
 */
#include "config.h"

#include "core/expr/binder.h"
#include "core/expr/function.h"
#include "core/sql/map-names.h"

/* now () is another time for each statement, and CURRENT_USER may be another one. */
static gboolean
note_changing (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **out,
               G_GNUC_UNUSED GError **error)
{
  static const gchar *const names[] = { "current_user", "current_role", "session_user" };
  gboolean *changes = binder->resolve_data;

  *out = NULL;
  if (expr->kind == KVSQL_AST_FUNCTION && kvsql_function_is_of_clock (expr->name.text))
    *changes = TRUE;
  for (guint i = 0; expr->kind == KVSQL_AST_FUNCTION && i < G_N_ELEMENTS (names); i++)
    *changes |= g_ascii_strcasecmp (expr->name.text, names[i]) == 0;
  return TRUE;
}

/* Converts to a type that literals have. */
static KvsqlValue
as_literal (const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlValue literal = *value;
  g_autoptr (GString) text = NULL;

  switch (value->type)
    {
    case KVSQL_TYPE_INT:
      literal.type = KVSQL_TYPE_BIGINT;
      return literal;
    case KVSQL_TYPE_FLOAT:
      literal.type = KVSQL_TYPE_DOUBLE;
      break;
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_INTERVAL:
    case KVSQL_TYPE_UUID:
    case KVSQL_TYPE_JSON:
    case KVSQL_TYPE_JSONB:
      break;
    default:
      if (kvsql_type_get_class (value->type) != KVSQL_CLASS_REAL
          && !kvsql_type_is_collection (value->type))
        return literal;
      break;
    }
  if (kvsql_type_get_class (literal.type) == KVSQL_CLASS_REAL && literal.real - literal.real == 0)
    return literal;
  /* times, collections, NaN and the infinities are written as text */
  text = g_string_new (NULL);
  kvsql_value_append_text (value, text);
  return (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                       .bytes = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len)) };
}

KvsqlAstExpr *
kvsql_expr_fold_default (KvsqlAstExpr *expr, KvsqlArena *arena, GError **error)
{
  gboolean changes = FALSE;
  KvsqlBinder binder
      = { .arena = arena, .resolve = note_changing, .resolve_data = &changes, .clause = "DEFAULT" };
  KvsqlAstExpr *literal;
  KvsqlExpr *bound;

  if (expr == NULL || expr->kind == KVSQL_AST_LITERAL)
    return expr;
  bound = kvsql_expr_bind (&binder, expr, error);
  if (bound == NULL)
    return NULL;
  if (changes || !kvsql_expr_is_constant (bound))
    return kvsql_ast_map_names (expr, NULL, NULL, arena, error);
  literal = kvsql_arena_new0 (arena, KvsqlAstExpr);
  literal->kind = KVSQL_AST_LITERAL;
  literal->span = expr->span;
  literal->op_span = literal->name.span = literal->cast_type.span = KVSQL_SPAN_NONE;
  literal->value = as_literal (&bound->value, arena);
  return literal;
}
