/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-runner.c: see the header.
 */
#include "config.h"

#include "core/plan/subquery-runner.h"

KvsqlAstExpr *
kvsql_subquery_make_cast (KvsqlAstExpr *literal, KvsqlOutputType type, KvsqlArena *arena)
{
  KvsqlAstExpr *cast = kvsql_arena_new0 (arena, KvsqlAstExpr);
  const gchar *name = type.has_zone ? "TIMESTAMPTZ" : kvsql_type_get_name (type.type);

  cast->kind = KVSQL_AST_CAST;
  cast->span = literal->span;
  cast->cast_type = (KvsqlName){ literal->span, name, FALSE };
  cast->children = kvsql_arena_array (arena, KvsqlAstExpr *, 1);
  cast->children[0] = literal;
  cast->n_children = 1;
  return cast;
}

KvsqlAstExpr *
kvsql_subquery_make_literal (const KvsqlValue *value, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *literal = kvsql_arena_new0 (arena, KvsqlAstExpr);
  g_autoptr (GString) text = NULL;

  literal->kind = KVSQL_AST_LITERAL;
  literal->span = span;
  literal->value = kvsql_value_dup (value, arena);
  switch (value->type)
    {
    case KVSQL_TYPE_INT:
      literal->value.type = KVSQL_TYPE_BIGINT;
      return literal;
    case KVSQL_TYPE_FLOAT:
      literal->value.type = KVSQL_TYPE_DOUBLE;
      return literal;
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_INTERVAL:
      break;
    default:
      return literal;
    }
  /* a text literal would take any type */
  text = g_string_new (NULL);
  kvsql_value_append_text (value, text);
  literal->value = (KvsqlValue){ .type = KVSQL_TYPE_STRING };
  literal->value.bytes = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
  return kvsql_subquery_make_cast (literal, (KvsqlOutputType){ value->type, FALSE }, arena);
}
