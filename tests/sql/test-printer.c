/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-printer.c: printed statements are parsed to the same AST.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include "tests/sql/ast-dump.h"
#include "tests/sql/random-statement.h"

#define N_RANDOM_STATEMENTS 3000

static KvsqlAstStatement *
parse (KvsqlArena *arena, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (text), arena, &error);

  if (statement == NULL)
    g_error ("%s at %d in: %s", error->message, kvsql_error_get_span (error).offset, text);
  return statement;
}

static void
assert_round_trip (const gchar *text)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) printed = g_string_new (NULL), again = g_string_new (NULL);
  KvsqlAstStatement *statement = parse (arena, text), *copy;
  g_autofree gchar *before = ast_dump (statement), *after = NULL;

  kvsql_print_statement (statement, printed);
  copy = parse (arena, printed->str);
  after = ast_dump (copy);
  kvsql_print_statement (copy, again);
  if (g_strcmp0 (before, after) != 0)
    g_test_message ("was: %s\nprinted: %s", text, printed->str);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpstr (printed->str, ==, again->str);
}

static void
test_statement (gconstpointer text)
{
  assert_round_trip (text);
}

static void
test_random (void)
{
  /* GLib's seed, which it prints, and which --seed sets */
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < N_RANDOM_STATEMENTS; i++)
    {
      g_autofree gchar *text = random_statement (random);
      assert_round_trip (text);
    }
}

static void
assert_prints (const gchar *text, const gchar *expected)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) printed = g_string_new (NULL);

  kvsql_print_statement (parse (arena, text), printed);
  g_assert_cmpstr (printed->str, ==, expected);
}

static void
test_canonical (void)
{
  assert_prints ("select a,`b`, \"x\"\"y'z\" from r where a=1 and(b=2)or not(c=3);",
                 "SELECT a, `b`, \"x\"\"y'z\" FROM r WHERE a = 1 AND b = 2 OR NOT c = 3");
  assert_prints (
      "select (a+b)*c, a+(b*c), a-(b-c), (a-b)-c, -(5), - 5, 1.50, 2.0 from r",
      "SELECT (a + b) * c, a + b * c, a - (b - c), a - b - c, -(5), -5, 1.5, 2.0 FROM r");
  assert_prints ("select x\"AB\", true, null, DATE '2024-01-01', 0.1e1, 1 != 2 from r",
                 "SELECT x'ab', TRUE, NULL, CAST('2024-01-01' AS DATE), 1e0, 1 <> 2 FROM r");
  assert_prints ("define relation r(a int default 1 not null primary key, `b` string null)",
                 "DEFINE RELATION r { a int KEY NOT NULL DEFAULT 1, `b` string }");
  assert_prints (
      "define schema s for r{value v, row hash(2){a,b}:x'0A':\"it's\", family \"f\", table 't'}"
      "with(role=read,x=\"y\")",
      "DEFINE SCHEMA s FOR r { TABLE 't', ROW hash(2){a, b}:x'0a':'it''s', FAMILY 'f', "
      "VALUE v } WITH (role = read, x = 'y')");
  assert_prints ("explain(analyze,format json,calls)delete from r",
                 "EXPLAIN ANALYZE (FORMAT JSON, CALLS) DELETE FROM r");
}

/* A name that was not parsed, as that of a definition. */
static void
test_names (void)
{
  static const struct
  {
    KvsqlName name;
    const gchar *printed;
  } cases[] = {
    { { .text = "a" }, "a" },           { { .text = "a", .is_quoted = TRUE }, "`a`" },
    { { .text = "key" }, "key" },       { { .text = "order" }, "`order`" },
    { { .text = "Order" }, "`Order`" }, { { .text = "a b" }, "`a b`" },
    { { .text = "a`b" }, "`a``b`" },    { { .text = "1a" }, "`1a`" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      kvsql_print_name (&cases[i].name, out);
      g_assert_cmpstr (out->str, ==, cases[i].printed);
    }
}

static gchar **
read_statements (void)
{
  g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "sql", "statements.txt", NULL);
  g_autofree gchar *contents = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &contents, NULL, &error))
    g_error ("%s", error->message);
  return g_strsplit (contents, "\n", -1);
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) lines = NULL;

  g_test_init (&argc, &argv, NULL);
  lines = read_statements ();
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '#' && lines[i][0] != '\0')
      {
        g_autofree gchar *path = g_strdup_printf ("/sql/printer/round-trip/line-%u", i + 1);
        g_test_add_data_func (path, lines[i], test_statement);
      }
  g_test_add_func ("/sql/printer/random", test_random);
  g_test_add_func ("/sql/printer/canonical", test_canonical);
  g_test_add_func ("/sql/printer/names", test_names);
  return g_test_run ();
}
