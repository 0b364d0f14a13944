/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-names.c: see the header.
 */
#include "config.h"

#include "core/sql/map-names.h"

/* A name of a function or type. */
static void
drop_double_quotes (KvsqlName *name)
{
  name->is_quoted = name->is_quoted || name->is_double_quoted;
  name->is_double_quoted = FALSE;
}

static gboolean
check_node (const KvsqlAstExpr *self, GError **error)
{
  if (kvsql_ast_has_subquery (self) || self->kind == KVSQL_AST_EXISTS
      || self->kind == KVSQL_AST_SUBQUERY)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->span,
                            "a definition cannot have a subquery");
  if (self->has_over || self->kind == KVSQL_AST_WINDOW)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, self->span,
                            "a definition cannot have a window function");
  return self->kind != KVSQL_AST_PARAMETER
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, self->span,
                             "a definition cannot have parameters");
}

KvsqlAstExpr *
kvsql_ast_map_names (const KvsqlAstExpr *self, KvsqlNameMapper map, gpointer data,
                     KvsqlArena *arena, GError **error)
{
  KvsqlAstExpr *copy;

  if (!check_node (self, error))
    return NULL;
  copy = kvsql_arena_copy (arena, self, sizeof *self);
  if (copy->kind == KVSQL_AST_NAME)
    return map == NULL || map (copy, data, error) ? copy : NULL;
  if (copy->name.text != NULL)
    drop_double_quotes (&copy->name);
  if (copy->cast_type.text != NULL)
    drop_double_quotes (&copy->cast_type);
  copy->children = kvsql_arena_array (arena, KvsqlAstExpr *, copy->n_children);
  for (guint i = 0; i < copy->n_children; i++)
    {
      copy->children[i] = kvsql_ast_map_names (self->children[i], map, data, arena, error);
      if (copy->children[i] == NULL)
        return NULL;
    }
  return copy;
}
