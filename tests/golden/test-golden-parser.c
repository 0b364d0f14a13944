/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-golden-parser.c: golden syntax errors, and golden ASTs.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include "tests/golden/golden.h"
#include "tests/sql/ast-dump.h"

static gchar *
render_error (const gchar *input)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);

  if (kvsql_parser_parse (kvsql_slice_from_text (input), arena, &error) != NULL)
    return g_string_free (g_string_append (out, "no error"), FALSE);
  golden_append_error (out, input, error);
  return g_string_free (out, FALSE);
}

static gchar *
render_ast (const gchar *input)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (input), arena, &error);

  if (statement == NULL)
    return g_string_free (g_string_append (out, error->message), FALSE);
  kvsql_print_statement (statement, out);
  g_string_append_c (out, '\n');
  ast_dump_statement (statement, TRUE, out);
  return g_string_free (out, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  golden_register ("syntax-errors.case", "syntax-errors", render_error);
  golden_register ("ast.case", "ast", render_ast);
  return g_test_run ();
}
