/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kit.c: binds and evaluates expressions from text.
 */
#include "config.h"

#include "tests/expr/kit.h"

#include "core/schema/relation.h"
#include "core/sql/parser.h"

#define RELATION                                                                                   \
  "DEFINE RELATION r { k INT KEY, o BOOLEAN, i INT, j INT, l BIGINT, m BIGINT, f FLOAT, "          \
  "d DOUBLE, e DOUBLE, n DECIMAL, p DECIMAL, s STRING, t STRING, b BYTES, y DATE, z TIMESTAMP, h " \
  "MAP<STRING, INT>, g LIST<STRING> }"

void
kit_open (Kit *self)
{
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement;

  self->arena = kvsql_arena_new ();
  statement = kvsql_parser_parse (KVSQL_SLICE_LITERAL (RELATION), self->arena, &error);
  g_assert_no_error (error);
  self->relation = kvsql_relation_new (&statement->define_relation, &error);
  g_assert_no_error (error);
  self->binder = (KvsqlBinder){ .relation = self->relation,
                                .arena = self->arena,
                                .now = G_GINT64_CONSTANT (1709210096789) };
}

void
kit_close (Kit *self)
{
  kvsql_relation_unref (self->relation);
  kvsql_arena_free (self->arena);
}

KvsqlExpr *
kit_bind (Kit *self, const gchar *text, GError **error)
{
  const gchar *statement_text = kvsql_arena_printf (self->arena, "SELECT %s FROM r", text);
  KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (statement_text), self->arena, error);

  if (statement == NULL)
    return NULL;
  g_assert_cmpuint (statement->select.n_items, ==, 1);
  return kvsql_expr_bind (&self->binder, statement->select.items[0].expr, error);
}

gchar *
kit_answer (Kit *self, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlExpr *expr = kit_bind (self, text, &error);
  KvsqlValue value;
  GString *out;

  if (expr != NULL && kvsql_expr_evaluate (expr, NULL, self->arena, &value, &error))
    {
      out = g_string_new (kvsql_type_get_name (expr->type));
      g_string_append_c (out, ' ');
      kvsql_value_append_text (&value, out);
    }
  else
    {
      KvsqlSpan span = kvsql_error_get_span (error);
      out = g_string_new ("error: ");
      g_string_append (out, error->message);
      if (span.offset >= 0)
        g_string_append_printf (out, " @ %.*s", span.length, text + span.offset - 7);
    }
  return g_string_free (out, FALSE);
}
