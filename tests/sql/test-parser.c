/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-parser.c: the parser's results for single constructs, its limits, and the keywords.
 */
#include "config.h"

#include <math.h>

#include "core/sql/lexer.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include "tests/sql/ast-dump.h"

static KvsqlAstStatement *
parse_size (KvsqlArena *arena, const gchar *text, gsize size)
{
  g_autoptr (GError) error = NULL;
  /* a copy of the exact size, so that a sanitizer sees every byte read beyond it */
  g_autofree gchar *copy = g_memdup2 (text, size);
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice (copy, size), arena, &error);

  if (statement == NULL)
    g_error ("%.*s: %s", (gint)MIN (size, 500), text, error->message);
  return statement;
}

static KvsqlAstStatement *
parse (KvsqlArena *arena, const gchar *text)
{
  return parse_size (arena, text, strlen (text));
}

static GError *
parse_wrong (const gchar *text, gsize size)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *copy = g_memdup2 (text, size);
  GError *error = NULL;

  g_assert_null (kvsql_parser_parse (kvsql_slice (copy, size), arena, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == KVSQL_ERROR);
  return error;
}

static void
assert_wrong (const gchar *text, gsize size, KvsqlErrorCode code, gint32 offset, gint32 length,
              const gchar *message)
{
  g_autoptr (GError) error = parse_wrong (text, size);
  KvsqlSpan span = kvsql_error_get_span (error);

  g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpint (error->code, ==, code);
  g_assert_cmpint (span.offset, ==, offset);
  g_assert_cmpint (span.length, ==, length);
}

/* ---- literals */

/* The first value of an INSERT. */
static KvsqlAstExpr *
parse_value (KvsqlArena *arena, const gchar *text)
{
  g_autofree gchar *statement = g_strdup_printf ("INSERT INTO r VALUES (%s)", text);

  return parse (arena, statement)->insert.rows[0][0];
}

static void
test_integers (void)
{
  static const struct
  {
    const gchar *text;
    gint64 value;
  } cases[] = {
    { "0", 0 },
    { "-0", 0 },
    { "007", 7 },
    { "- 5", -5 },
    { "9223372036854775807", G_MAXINT64 },
    { "-9223372036854775808", G_MININT64 },
    { "000000000000000000000000000009223372036854775807", G_MAXINT64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlAstExpr *expr = parse_value (arena, cases[i].text);
      g_assert_cmpint (expr->kind, ==, KVSQL_AST_LITERAL);
      g_assert_cmpint (expr->value.type, ==, KVSQL_TYPE_BIGINT);
      g_assert_cmpint (expr->value.integer, ==, cases[i].value);
    }
}

static void
test_decimals (void)
{
  static const gchar *const cases[][2] = {
    { "9223372036854775808", "9223372036854775808" },
    { "-9223372036854775809", "-9223372036854775809" },
    { "1.50", "1.5" },
    { "-1.50", "-1.5" },
    { "1.0", "1" },
    { ".5", "0.5" },
    { "5.", "5" },
    { "-0.0", "0" },
    { "0.10000000000000000000000000000000000001", "0.10000000000000000000000000000000000001" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlAstExpr *expr = parse_value (arena, cases[i][0]);
      g_assert_cmpint (expr->value.type, ==, KVSQL_TYPE_DECIMAL);
      g_assert_cmpmem (expr->value.bytes.data, expr->value.bytes.size, cases[i][1],
                       strlen (cases[i][1]));
    }
}

static void
test_doubles (void)
{
  static const struct
  {
    const gchar *text;
    gdouble value;
  } cases[] = {
    { "1e5", 1e5 },
    { "-1E-5", -1e-5 },
    { "1.5e+3", 1500 },
    { "0e0", 0 },
    { "0.000e999", 0 },
    { "1.7976931348623157e308", G_MAXDOUBLE },
    { "4.9406564584124654e-324", 4.9406564584124654e-324 },
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlAstExpr *expr = parse_value (arena, cases[i].text);
      g_assert_cmpint (expr->value.type, ==, KVSQL_TYPE_DOUBLE);
      g_assert_true (expr->value.real == cases[i].value);
    }
  g_assert_true (signbit (parse_value (arena, "-0e0")->value.real));
}

static void
test_strings (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstExpr *expr = parse_value (arena, "'it''s \"so\"'");
  static const gchar with_nul[] = "INSERT INTO r VALUES ('a\0b')";

  g_assert_cmpint (expr->value.type, ==, KVSQL_TYPE_STRING);
  g_assert_cmpmem (expr->value.bytes.data, expr->value.bytes.size, "it's \"so\"", 9);
  expr = parse_value (arena, "x'00fF'");
  g_assert_cmpint (expr->value.type, ==, KVSQL_TYPE_BYTES);
  g_assert_cmpmem (expr->value.bytes.data, expr->value.bytes.size, "\x00\xff", 2);
  expr = parse_size (arena, with_nul, sizeof with_nul - 1)->insert.rows[0][0];
  g_assert_cmpmem (expr->value.bytes.data, expr->value.bytes.size, "a\0b", 3);
}

/* ---- names */

static void
test_names (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSelect *select = &parse (arena, "SELECT K2, `K``2` FROM Key")->select;

  g_assert_cmpstr (select->items[0].expr->name.text, ==, "K2");
  g_assert_false (select->items[0].expr->name.is_quoted);
  g_assert_cmpstr (select->items[1].expr->name.text, ==, "K`2");
  g_assert_true (select->items[1].expr->name.is_quoted);
  g_assert_cmpstr (select->from.relation.text, ==, "Key");
}

/* Text in definitions, a name in every other statement. In EXPLAIN, as in the explained statement.
 */
static void
test_double_quotes (void)
{
  static const gchar query[] = "SELECT \"it's \"\"so\"\"\" FROM \"from\"",
                     definition[]
                     = "DEFINE RELATION r { a STRING KEY DEFAULT \"it's \"\"so\"\"\" }";
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_autofree gchar *text = g_strconcat (i == 0 ? "" : "EXPLAIN ", query, NULL);
      g_autofree gchar *defining = g_strconcat (i == 0 ? "" : "EXPLAIN ", definition, NULL);
      KvsqlAstStatement *statement = parse (arena, text);
      const KvsqlAstExpr *expr;

      statement = i == 0 ? statement : statement->explain.statement;
      expr = statement->select.items[0].expr;
      g_assert_cmpint (expr->kind, ==, KVSQL_AST_NAME);
      g_assert_cmpstr (expr->name.text, ==, "it's \"so\"");
      g_assert_true (expr->name.is_double_quoted);
      g_assert_false (expr->name.is_quoted);
      g_assert_cmpstr (statement->select.from.relation.text, ==, "from");
      statement = parse (arena, defining);
      statement = i == 0 ? statement : statement->explain.statement;
      expr = statement->define_relation.attributes[0].default_value;
      g_assert_cmpint (expr->value.type, ==, KVSQL_TYPE_STRING);
      g_assert_cmpmem (expr->value.bytes.data, expr->value.bytes.size, "it's \"so\"", 9);
    }
}

/* Every word that is not reserved can be a name in every place of a name. */
static void
test_keywords_as_names (void)
{
  static const gchar *const statements[] = {
    "SELECT %1$s, %1$s + 1, f(%1$s), %1$s AS %1$s FROM %1$s USING SCHEMA %1$s WHERE %1$s = 1 AND a "
    "> %1$s GROUP BY %1$s HAVING %1$s ORDER BY %1$s DESC, %1$s LIMIT 1",
    "INSERT INTO %1$s (%1$s, a, %1$s) VALUES (1, 2, 3)",
    "DELETE FROM %1$s WHERE %1$s = 1 ORDER BY %1$s",
    "UPDATE %1$s AS %1$s SET %1$s = 1, a = %1$s + 1 WHERE %1$s.%1$s = 1 RETURNING %1$s AS %1$s",
    "ALTER RELATION %1$s RENAME ATTRIBUTE %1$s TO %1$s",
    "ALTER RELATION %1$s ADD ATTRIBUTE %1$s INT",
    "COMMENT ON ATTRIBUTE %1$s.%1$s IS 'x'",
    "ANALYZE %1$s",
    "BACKFILL SCHEMA %1$s",
    "VERIFY SCHEMA %1$s LIMIT 1",
    "REPAIR SCHEMA %1$s",
    "DEFINE RELATION %1$s { %1$s INT KEY, a STRING, %1$s STRING DEFAULT 1 }",
    "DEFINE SCHEMA %1$s FOR %1$s { TABLE %1$s, ROW %1$s:'-':%1$s:size{%1$s}:hash(2){%1$s, %1$s}, "
    "FAMILY %1$s, QUALIFIER %1$s, VALUE %1$s, TIMESTAMP %1$s } WITH (%1$s = %1$s)",
    "DROP RELATION IF EXISTS %1$s",
    "DROP SCHEMA %1$s",
    "DESCRIBE %1$s",
    "SHOW CREATE %1$s",
    "SHOW SCHEMAS FOR %1$s",
  };

  for (KvsqlKeyword keyword = 0; keyword < KVSQL_N_KEYWORDS; keyword++)
    for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
      {
        g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
        g_autofree gchar *word = g_ascii_strdown (kvsql_keyword_get_text (keyword), -1);
        g_autofree gchar *quoted = g_strdup_printf ("`%s`", word);
        g_auto (GStrv) parts = g_strsplit (statements[i], "%1$s", -1);
        g_autofree gchar *bare_text = g_strjoinv (word, parts);
        g_autofree gchar *quoted_text = g_strjoinv (quoted, parts);

        if (kvsql_keyword_is_reserved (keyword))
          g_error_free (parse_wrong (bare_text, strlen (bare_text)));
        else
          parse (arena, bare_text);
        /* names of options cannot be quoted */
        if (strstr (statements[i], "WITH") == NULL)
          parse (arena, quoted_text);
      }
}

static void
test_keyword_table (void)
{
  for (KvsqlKeyword keyword = 0; keyword < KVSQL_N_KEYWORDS; keyword++)
    {
      const gchar *text = kvsql_keyword_get_text (keyword);
      g_autofree gchar *lower = g_ascii_strdown (text, -1);
      g_assert_cmpint (kvsql_keyword_find (text, strlen (text)), ==, keyword);
      g_assert_cmpint (kvsql_keyword_find (lower, strlen (lower)), ==, keyword);
      g_assert_cmpint (kvsql_keyword_find (text, strlen (text) - 1), !=, keyword);
      if (keyword > 0)
        g_assert_cmpstr (kvsql_keyword_get_text (keyword - 1), <, text);
    }
}

/* ---- what the contract of ast.h promises */

static void
test_parameters (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *statement
      = parse (arena, "EXPLAIN DELETE FROM r WHERE a = :x AND b = :y AND c=:X");
  KvsqlAstStatement *positional = parse (arena, "SELECT ? FROM r WHERE a = ? LIMIT ?");

  g_assert_cmpuint (statement->n_parameters, ==, 2);
  g_assert_cmpstr (statement->parameter_names[0], ==, "x");
  g_assert_cmpstr (statement->parameter_names[1], ==, "y");
  g_assert_cmpuint (statement->explain.statement->n_parameters, ==, 2);
  g_assert_cmpuint (positional->n_parameters, ==, 3);
  g_assert_null (positional->parameter_names[2]);
  g_assert_cmpuint (positional->select.limit->parameter, ==, 2);
}

static void
test_schema_defaults (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlDefineSchema *schema
      = &parse (arena, "DEFINE SCHEMA s FOR r { FAMILY 'f', ROW a, TABLE 't' }")->define_schema;

  g_assert_false (schema->has_field[KVSQL_FIELD_VALUE]);
  g_assert_cmpuint (schema->fields[KVSQL_FIELD_VALUE].n_nodes, ==, 1);
  g_assert_cmpint (schema->fields[KVSQL_FIELD_VALUE].nodes[0].kind, ==, KVSQL_LAYOUT_CONSTANT);
  g_assert_cmpuint (schema->fields[KVSQL_FIELD_VALUE].nodes[0].constant.size, ==, 0);
  g_assert_null (schema->timestamp.text);
}

static void
test_spans (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *statement
      = parse (arena, "  SELECT (a + b) * cc FROM r WHERE x NOT  IN (1, 2) ; ");
  KvsqlAstExpr *product = statement->select.items[0].expr, *in = statement->select.where;

  g_assert_cmpint (statement->span.offset, ==, 2);
  g_assert_cmpint (statement->span.length, ==, 49);
  g_assert_cmpint (product->span.offset, ==, 9);
  g_assert_cmpint (product->span.length, ==, 12);
  g_assert_cmpint (product->op_span.offset, ==, 17);
  g_assert_cmpint (product->op_span.length, ==, 1);
  g_assert_cmpint (in->op_span.offset, ==, 37);
  g_assert_cmpint (in->op_span.length, ==, 7);
}

static void
test_definition_only (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlSlice definition = KVSQL_SLICE_LITERAL ("DEFINE RELATION r { a INT KEY }");
  KvsqlSlice query = KVSQL_SLICE_LITERAL ("SELECT a FROM r");

  g_assert_nonnull (kvsql_parser_parse_definition (definition, arena, &error));
  g_assert_no_error (error);
  g_assert_null (kvsql_parser_parse_definition (query, arena, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_SYNTAX);
}

/* ---- limits */

static gchar *
repeat (const gchar *before, const gchar *piece, guint n, const gchar *after)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, piece);
  g_string_append (text, after);
  return g_string_free (text, FALSE);
}

/* @n pieces are accepted, @n + 1 are an error, 100,000 are an error and not a crash. */
static void
assert_depth (const gchar *before, const gchar *piece, const gchar *after, const gchar *closing,
              guint n)
{
  guint counts[] = { n, n + 1, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autofree gchar *opened = repeat (before, piece, counts[i], after);
      g_autofree gchar *text = repeat (opened, closing, counts[i], "");
      g_autofree gchar *statement
          = g_strconcat (text, g_str_has_prefix (text, "DEFINE") ? ", FAMILY 'f' }" : "", NULL);

      if (i == 0)
        {
          g_autofree gchar *dumped = ast_dump (parse (arena, statement)), *again = NULL;
          g_autoptr (GString) printed = g_string_new (NULL);
          kvsql_print_statement (parse (arena, statement), printed);
          again = ast_dump (parse (arena, printed->str));
          g_assert_cmpstr (dumped, ==, again);
        }
      else
        {
          g_autoptr (GError) error = parse_wrong (statement, strlen (statement));
          g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
          g_assert_cmpint (kvsql_error_get_span (error).offset, >, 0);
        }
    }
}

static void
test_depth (void)
{
  assert_depth ("SELECT a FROM r WHERE ", "(", "a", ")", 2 * KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE ", "NOT ", "a", "", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE ", "- ", "a", "", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE ", "+ ", "a", "", 2 * KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE ", "f(", "a", ")", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE ", "m[", "a", "]", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE a", "", "", " + 1", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE a", "", "", " || a", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE a", "", "", "['k']", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE a", "", "", " IS NULL", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE a", "", "", " = 1 IS NULL", (KVSQL_MAX_DEPTH - 1) / 2);
  assert_depth ("SELECT a FROM r WHERE ", "CASE WHEN ", "a", " THEN 1 END", KVSQL_MAX_DEPTH - 1);
  assert_depth ("SELECT a FROM r WHERE ", "a IN (", "a", ")", KVSQL_MAX_DEPTH - 1);
  assert_depth ("DEFINE SCHEMA s FOR r { TABLE 't', ROW ", "hex{", "a", "}", KVSQL_MAX_DEPTH - 1);
}

static guint
height (const KvsqlAstExpr *expr)
{
  guint highest = 0;

  for (guint i = 0; i < expr->n_children; i++)
    {
      guint child = height (expr->children[i]);
      highest = MAX (highest, child);
    }
  return highest + 1;
}

/* A condition of many terms is not a deep tree, and keeps its order. */
static void
test_long_chains (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *text = repeat ("DELETE FROM r WHERE a = 0", " OR a = 1 AND b = 2", 50000, "");
  KvsqlAstExpr *where = parse (arena, text)->delete_.where, *first = where;

  g_assert_cmpuint (height (where), <, 25);
  while (first->op == KVSQL_OP_OR)
    first = first->children[0];
  g_assert_cmpint (first->children[1]->value.integer, ==, 0);
}

static void
test_statement_size (void)
{
  gsize size = KVSQL_MAX_STATEMENT_BYTES + 1;
  g_autofree gchar *text = g_malloc (size);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  memset (text, ' ', size);
  memcpy (text, "SHOW STATUS", 11);
  parse_size (arena, text, size - 1);
  assert_wrong (text, size, KVSQL_ERROR_LIMIT, -1, 0,
                "statement of 4194305 bytes is longer than 4194304 bytes");
}

static void
test_parameter_count (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *most
      = repeat ("SELECT a FROM r WHERE a IN (?", ",?", KVSQL_MAX_PARAMETERS - 1, ")");
  g_autofree gchar *more
      = repeat ("SELECT a FROM r WHERE a IN (?", ",?", KVSQL_MAX_PARAMETERS, ")");

  g_assert_cmpuint (parse (arena, most)->n_parameters, ==, KVSQL_MAX_PARAMETERS);
  assert_wrong (more, strlen (more), KVSQL_ERROR_LIMIT, 28 + 2 * KVSQL_MAX_PARAMETERS, 1,
                "statement has more than 65535 parameters");
}

/* ---- bytes that are no text */

static void
test_bad_bytes (void)
{
#define WRONG(text, offset, length, message)                                                       \
  assert_wrong (text, sizeof text - 1, KVSQL_ERROR_SYNTAX, offset, length, message)
  WRONG ("SELECT '\xff' FROM r", 8, 1, "invalid UTF-8: byte 0xff");
  WRONG ("SELECT a FROM r -- \xc3", 19, 1, "invalid UTF-8: byte 0xc3");
  WRONG ("SELECT '\xc0\x80' FROM r", 8, 1, "invalid UTF-8: byte 0xc0");
  WRONG ("SELECT '\xed\xa0\x80' FROM r", 8, 1, "invalid UTF-8: byte 0xed");
  WRONG ("SELECT 'a\0\xff' FROM r", 10, 1, "invalid UTF-8: byte 0xff");
  WRONG ("SELECT a\0 FROM r", 8, 1, "unexpected byte 0x00");
  WRONG ("SELECT `a\0` FROM r", 7, 4, "NUL byte in a back-quoted name");
  WRONG ("SELECT a\001 FROM r", 8, 1, "unexpected byte 0x01");
  WRONG ("", 0, 0, "empty statement");
  WRONG (" /* nothing */ ;", 15, 1, "empty statement");
#undef WRONG
}

/* Every prefix of a statement is an error or another statement, but not a crash. */
static void
test_every_prefix (void)
{
  static const gchar text[]
      = "EXPLAIN (FORMAT JSON, CALLS) SELECT DISTINCT a AS x, count(*), `b``c`, x'00ff' FROM r "
        "USING "
        "SCHEMA s WHERE a IN (SELECT b FROM c AS d) AND a NOT BETWEEN -1 AND 1e5 OR b LIKE 'x''y' "
        "ESCAPE \"!\" AND CASE WHEN a "
        "THEN "
        ":b ELSE CAST(m['k'] AS INT) END IS NOT NULL GROUP BY a HAVING b ORDER BY c DESC LIMIT 1.5 "
        "OFFSET 2 /* the end */;";

  for (gsize size = 0; size < sizeof text; size++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      g_autofree gchar *copy = g_memdup2 (text, size);
      KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice (copy, size), arena, &error);

      g_assert_true ((statement == NULL) == (error != NULL));
      if (error != NULL)
        g_assert_cmpint (kvsql_error_get_span (error).offset, <=, size);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sql/parser/literals/integers", test_integers);
  g_test_add_func ("/sql/parser/literals/decimals", test_decimals);
  g_test_add_func ("/sql/parser/literals/doubles", test_doubles);
  g_test_add_func ("/sql/parser/literals/strings", test_strings);
  g_test_add_func ("/sql/parser/names", test_names);
  g_test_add_func ("/sql/parser/double-quotes", test_double_quotes);
  g_test_add_func ("/sql/parser/keywords/as-names", test_keywords_as_names);
  g_test_add_func ("/sql/parser/keywords/table", test_keyword_table);
  g_test_add_func ("/sql/parser/parameters", test_parameters);
  g_test_add_func ("/sql/parser/schema-defaults", test_schema_defaults);
  g_test_add_func ("/sql/parser/spans", test_spans);
  g_test_add_func ("/sql/parser/definition-only", test_definition_only);
  g_test_add_func ("/sql/parser/limits/depth", test_depth);
  g_test_add_func ("/sql/parser/limits/long-chains", test_long_chains);
  g_test_add_func ("/sql/parser/limits/statement-size", test_statement_size);
  g_test_add_func ("/sql/parser/limits/parameters", test_parameter_count);
  g_test_add_func ("/sql/parser/bad-bytes", test_bad_bytes);
  g_test_add_func ("/sql/parser/every-prefix", test_every_prefix);
  return g_test_run ();
}
