/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * normalize.c: changes a copy of the statement, and prints it.
 */
#include "config.h"

#include "core/sql/normalize.h"

#include "core/sql/copy.h"
#include "core/sql/fingerprint.h"
#include "core/sql/printer.h"
#include "core/sql/visit.h"

typedef struct
{
  KvsqlArena *arena;
  GHashTable *kept; /* constants that stay */
  guint n;          /* parameters so far */
} Normalization;

static void
make_parameter (Normalization *self, KvsqlAstExpr *expr)
{
  self->n++;
  *expr = (KvsqlAstExpr){ .kind = KVSQL_AST_PARAMETER,
                          .span = expr->span,
                          .parameter = self->n - 1,
                          .name = { .span = KVSQL_SPAN_NONE,
                                    .text = kvsql_arena_printf (
                                        self->arena, KVSQL_AST_NUMBERED "%u", self->n) } };
}

/* The visitor goes on with the new list. */
static void
resize_list (Normalization *self, KvsqlAstExpr *in)
{
  guint length = kvsql_shape_list_length (in);
  KvsqlAstExpr **children;

  if (length == 0)
    return;
  children = kvsql_arena_array (self->arena, KvsqlAstExpr *, length + 1);
  children[0] = in->children[0];
  for (guint i = 1; i <= length; i++)
    {
      children[i] = kvsql_arena_new0 (self->arena, KvsqlAstExpr);
      children[i]->kind = KVSQL_AST_PARAMETER;
    }
  in->children = children;
  in->n_children = length + 1;
}

static void
change_expr (KvsqlAstExpr *expr, gpointer data)
{
  Normalization *self = data;

  if (expr->kind == KVSQL_AST_IN)
    resize_list (self, expr);
  if (expr->kind == KVSQL_AST_PARAMETER
      || (expr->kind == KVSQL_AST_LITERAL && !g_hash_table_contains (self->kept, expr)))
    make_parameter (self, expr);
}

static void
keep_ordinal (const Normalization *self, KvsqlAstExpr *expr)
{
  if (kvsql_shape_is_ordinal (expr))
    g_hash_table_add (self->kept, expr);
}

static void
change_select (KvsqlSelect *select, gpointer data)
{
  const Normalization *self = data;

  if (select->n_rows > 1)
    select->n_rows = 1;
  for (guint i = 0; i < select->n_distinct_on; i++)
    keep_ordinal (self, select->distinct_on[i]);
  for (guint i = 0; i < select->n_group_by; i++)
    keep_ordinal (self, select->group_by[i]);
  for (guint i = 0; i < select->n_order_by; i++)
    keep_ordinal (self, select->order_by[i].expr);
}

gchar *
kvsql_statement_normalize (const KvsqlAstStatement *statement, KvsqlArena *arena)
{
  g_autoptr (GHashTable) kept = g_hash_table_new (NULL, NULL);
  Normalization self = { .arena = arena, .kept = kept };
  const KvsqlAstVisitor visitor = { .select = change_select, .expr = change_expr, .data = &self };
  KvsqlAstStatement first = *statement;
  KvsqlAstStatement *copy;
  GString *text = g_string_new (NULL);

  /* a long list of rows is not worth a copy */
  if (first.kind == KVSQL_STATEMENT_INSERT && first.insert.n_rows > 1)
    first.insert.n_rows = 1;
  copy = (KvsqlAstStatement *)kvsql_statement_copy (&first, arena);
  kvsql_statement_visit (copy, &visitor);
  kvsql_print_statement (copy, text);
  return g_string_free (text, FALSE);
}
