/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-parser.c: arbitrary bytes as a statement and as a script. A statement that is parsed is
 * printed as text that is parsed to the same AST. Otherwise there is an error with a position
 * inside of the text.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include "tests/sql/ast-dump.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_error (const GError *error, gsize size)
{
  KvsqlSpan span = kvsql_error_get_span (error);

  g_assert_true (error->domain == KVSQL_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_true (span.offset < 0 || (gsize)span.offset + span.length <= size);
}

static void
check_statement (const KvsqlAstStatement *statement, KvsqlArena *arena)
{
  g_autoptr (GString) printed = g_string_new (NULL), again = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *before = ast_dump (statement), *after = NULL;
  KvsqlAstStatement *copy;

  kvsql_print_statement (statement, printed);
  if (printed->len > KVSQL_MAX_STATEMENT_BYTES)
    return;
  copy = kvsql_parser_parse (kvsql_slice (printed->str, printed->len), arena, &error);
  g_assert_no_error (error);
  after = ast_dump (copy);
  g_assert_cmpstr (before, ==, after);
  kvsql_print_statement (copy, again);
  g_assert_true (g_string_equal (printed, again));
}

static void
check_split (KvsqlSlice text)
{
  KvsqlSlice statement;
  gboolean is_complete;
  gsize offset = 0, before = 0;

  while (kvsql_sql_split (text, &offset, &statement, &is_complete))
    {
      g_assert_cmpuint (offset, >, before);
      g_assert_true (statement.data >= text.data
                     && statement.data + statement.size <= text.data + offset);
      before = offset;
    }
  g_assert_cmpuint (offset, ==, text.size);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice (data, size), arena, &error);

  g_assert_true ((statement == NULL) == (error != NULL));
  if (statement != NULL)
    check_statement (statement, arena);
  else
    check_error (error, size);
  check_split (kvsql_slice (data, size));
  return 0;
}
