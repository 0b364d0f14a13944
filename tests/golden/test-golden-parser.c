/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-golden-parser.c: golden syntax errors, and golden ASTs.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include "tests/golden/golden.h"
#include "tests/sql/ast-dump.h"

static const gchar *
code_name (gint code)
{
  switch (code)
    {
    case KVSQL_ERROR_SYNTAX:
      return "SYNTAX";
    case KVSQL_ERROR_UNSUPPORTED:
      return "UNSUPPORTED";
    case KVSQL_ERROR_VALUE:
      return "VALUE";
    case KVSQL_ERROR_LIMIT:
      return "LIMIT";
    default:
      g_error ("code %d is none of the parser", code);
    }
}

/* The line of the error, with carets below what it points at. */
static void
append_place (GString *out, const gchar *text, KvsqlSpan span)
{
  const gchar *at = text + span.offset, *line = at, *end = at + span.length;
  glong n_carets;

  while (line > text && line[-1] != '\n')
    line--;
  for (const gchar *p = at; p < end; p++)
    if (*p == '\n')
      end = p;
  g_string_append_printf (out, "%.*s\n", (gint)strcspn (line, "\n"), line);
  for (; line < at; line = g_utf8_next_char (line))
    g_string_append_c (out, *line == '\t' ? '\t' : ' ');
  n_carets = g_utf8_strlen (at, end - at);
  for (glong i = 0; i < MAX (n_carets, 1); i++)
    g_string_append_c (out, '^');
  g_string_append_c (out, '\n');
}

static gchar *
render_error (const gchar *input)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);

  if (kvsql_parser_parse (kvsql_slice_from_text (input), arena, &error) != NULL)
    return g_string_free (g_string_append (out, "no error"), FALSE);
  append_place (out, input, kvsql_error_get_span (error));
  g_string_append_printf (out, "%s: %s\n", code_name (error->code), error->message);
  if (kvsql_error_get_hint (error) != NULL)
    g_string_append_printf (out, "hint: %s\n", kvsql_error_get_hint (error));
  return g_string_free (out, FALSE);
}

static gchar *
render_ast (const gchar *input)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);
  KvsqlStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (input), arena, &error);

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
