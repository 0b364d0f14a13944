/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-fingerprint.c: shapes of statements, as numbers and as text.
 */
#include "config.h"

#include "core/sql/fingerprint.h"
#include "core/sql/normalize.h"
#include "core/sql/parser.h"
#include "core/sql/visit.h"

#include "tests/sql/random-statement.h"

#define N_RANDOM_STATEMENTS 20000
#define SEED G_GUINT64_CONSTANT (0x123456789abcdef)

static KvsqlAstStatement *
parse (KvsqlArena *arena, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (text), arena, &error);

  if (statement == NULL)
    g_error ("%s at %d in: %s", error->message, kvsql_error_get_span (error).offset, text);
  return statement;
}

static guint64
fingerprint (const KvsqlAstStatement *statement)
{
  return kvsql_statement_fingerprint (statement, SEED, NULL);
}

/* ---- one statement */

static void
assert_shape (const gchar *sql, const gchar *expected)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *text = kvsql_statement_normalize (parse (arena, sql), arena);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_text (void)
{
  assert_shape ("select a, 'x' from r where a = 5 and b in (1,2,3) limit 10",
                "SELECT a, $1 FROM r WHERE a = $2 AND b IN ($3, $4, $5, $6) LIMIT $7");
  assert_shape ("select * from r where a = :x or b = :x and c = -5",
                "SELECT * FROM r WHERE a = $1 OR b = $2 AND c = $3");
  assert_shape ("insert into r values (1, 'a', null), (2, 'b', true)",
                "INSERT INTO r VALUES ($1, $2, $3)");
  assert_shape ("insert into r (a, b) values ($2, $1) on conflict (a) do update set b = 'z'",
                "INSERT INTO r (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = $3");
  assert_shape ("update r set a = a + 1, m['k'] = 'secret' where k = x'00'",
                "UPDATE r SET a = a + $1, m = map_put(m, $2, $3) WHERE k = $4");
  assert_shape ("delete from r where a between 1 and 2", "DELETE FROM r WHERE a BETWEEN $1 AND $2");
  assert_shape ("select a, count(*) from r group by 1 order by 2 desc, 1",
                "SELECT a, count(*) FROM r GROUP BY 1 ORDER BY 2 DESC, 1");
  assert_shape ("select d + interval '1 day', date '2020-02-02' from r",
                "SELECT d + CAST($1 AS interval), CAST($2 AS date) FROM r");
  assert_shape ("select * from (values (1, 'a'), (2, 'b')) as v (x, y)",
                "SELECT * FROM (VALUES ($1, $2)) AS v (x, y)");
  assert_shape ("truncate r", "TRUNCATE r");
  assert_shape ("truncate table r continue identity restrict", "TRUNCATE r");
}

/* ---- pairs of statements */

static void
assert_pair (const gchar *a, const gchar *b, gboolean are_equal)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if ((fingerprint (parse (arena, a)) == fingerprint (parse (arena, b))) != are_equal)
    g_error ("these have %s: %s, and %s", are_equal ? "two shapes" : "one shape", a, b);
}

static void
test_equal (void)
{
  assert_pair ("select a from r where b = 1", "SELECT a FROM r WHERE b='x' -- comment", TRUE);
  assert_pair ("select a from r where b = 1", "select a from r where b = ?", TRUE);
  assert_pair ("select a from r where b = :n", "select a from r where b = $1", TRUE);
  assert_pair ("insert into r values (1)", "insert into r values (2), (3), (4)", TRUE);
  assert_pair ("select a from r where b in (1, 2, 3)", "select a from r where b in (1, 2, 3, 4)",
               TRUE);
  assert_pair ("select a from r limit 1", "select a from r limit 100", TRUE);
}

static void
test_different (void)
{
  static const gchar *const statements[] = {
    "select a from r where b = 1",
    "select a from r where b > 1",
    "select a from r where b = 1 or b = 1",
    "select a from r where b = 1 and b = 1",
    "select a from r where not b = 1",
    "select a from r where c = 1",
    "select a from s where b = 1",
    "select a from r as s where b = 1",
    "select a as b from r where b = 1",
    "select distinct a from r where b = 1",
    "select a, a from r where b = 1",
    "select * from r where b = 1",
    "select r.* from r where b = 1",
    "select s.* from r, s where b = 1",
    "select r.* from r, s where b = 1",
    "select a from r where b = 1 limit 1",
    "select a from r where b = 1 offset 1",
    "select a from r where b = 1 limit 1 offset 1",
    "select a from r where b = 1 order by 1",
    "select a from r where b = 1 order by 1 desc",
    "select a from r where b = 1 order by a",
    "select a from r where b in (1)",
    "select a from r where b in (1, 2)",
    "select a from r where b in (1, 2, 3)",
    "select a from r where b not in (1, 2, 3)",
    "select a from r where b in (1, c, 3)",
    "select a from r where b in (select 1)",
    "select a from r where b is null",
    "select a from r where b is not null",
    "select a from r where b is true",
    "select a from r where b is false",
    "select a from r where b between 1 and 2",
    "select a from r, s where b = 1",
    "select a from r join s using (b)",
    "select a from r left join s using (b)",
    "select a from r union select a from r",
    "select a from r union all select a from r",
    "select a from r intersect select a from r",
    "select cast (a as int) from r",
    "select cast (a as bigint) from r",
    "select upper (a) from r",
    "select count (a) from r",
    "select count (distinct a) from r",
    "select \"a\" from r where b = 1",
    "select `a` from r where b = 1",
    "select a from r using schema s where b = 1",
    "update r set a = 1",
    "update r set b = 1",
    "update r set a = 1 where b = 1",
    "update r set a = 1, b = 1",
    "update r set a = default",
    "delete from r",
    "truncate r",
    "delete from r where b = 1",
    "delete from r where b = 1 limit 1",
    "delete from r where b = 1 returning a",
    "insert into r values (1)",
    "insert into r values (1, 2)",
    "insert into r values (default)",
    "insert into r (a) values (1)",
    "insert into r values (1) on conflict do nothing",
    "insert into r select 1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    for (guint j = 0; j < i; j++)
      assert_pair (statements[i], statements[j], FALSE);
}

static void
test_others (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  g_assert_cmpuint (fingerprint (parse (arena, "show status")), ==, 0);
  g_assert_cmpuint (fingerprint (parse (arena, "explain select 1")), ==, 0);
  g_assert_cmpuint (fingerprint (parse (arena, "create role x password 'y'")), ==, 0);
}

/* Each use of a query of WITH is a copy in the tree, so small texts may be large statements. */
static void
test_large (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) sql = g_string_new ("WITH w0 AS (SELECT 1 AS a)");
  gboolean is_whole;

  for (guint i = 1; i <= 14; i++)
    g_string_append_printf (sql, ", w%u AS (SELECT x.a FROM w%u AS x, w%u AS y)", i, i - 1, i - 1);
  g_string_append (sql, " SELECT * FROM w14");
  kvsql_statement_fingerprint (parse (arena, sql->str), SEED, &is_whole);
  g_assert_false (is_whole);
  kvsql_statement_fingerprint (parse (arena, "select a from r"), SEED, &is_whole);
  g_assert_true (is_whole);
}

/* ---- random statements */

static void
find_literal (KvsqlAstExpr *expr, gpointer data)
{
  if (expr->kind == KVSQL_AST_LITERAL && !kvsql_shape_is_ordinal (expr))
    g_error ("a literal is left in: %s", (const gchar *)data);
}

/* Fingerprints and texts are in one-to-one correspondence. */
static void
assert_corresponds (GHashTable *texts, GHashTable *fingerprints, guint64 number, const gchar *text,
                    const gchar *sql)
{
  const gchar *other = g_hash_table_lookup (texts, &number);
  const guint64 *other_number = g_hash_table_lookup (fingerprints, text);

  if (other != NULL && !g_str_equal (other, text))
    g_error ("one fingerprint for: %s, and: %s (%s)", text, other, sql);
  if (other_number != NULL && *other_number != number)
    g_error ("two fingerprints for: %s (%s)", text, sql);
  if (other != NULL)
    return;
  g_hash_table_insert (texts, g_memdup2 (&number, sizeof number), g_strdup (text));
  g_hash_table_insert (fingerprints, g_strdup (text), g_memdup2 (&number, sizeof number));
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (GHashTable) texts
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (GHashTable) fingerprints
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n_shapes = 0;

  for (guint i = 0; i < N_RANDOM_STATEMENTS; i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autofree gchar *sql = random_statement (random), *text = NULL, *again = NULL;
      KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, NULL);
      guint64 number = statement != NULL ? fingerprint (statement) : 0;
      KvsqlAstStatement *shape;
      KvsqlAstVisitor finder = { .expr = find_literal };

      if (number == 0)
        continue;
      text = kvsql_statement_normalize (statement, arena);
      g_assert_cmpuint (fingerprint (statement), ==, number); /* it was not changed */
      shape = parse (arena, text);
      again = kvsql_statement_normalize (shape, arena);
      g_assert_cmpstr (again, ==, text);
      g_assert_cmpuint (fingerprint (shape), ==, number);
      finder.data = text;
      kvsql_statement_visit (shape, &finder);
      assert_corresponds (texts, fingerprints, number, text, sql);
      n_shapes++;
    }
  g_assert_cmpuint (n_shapes, >, N_RANDOM_STATEMENTS / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sql/fingerprint/text", test_text);
  g_test_add_func ("/sql/fingerprint/equal", test_equal);
  g_test_add_func ("/sql/fingerprint/different", test_different);
  g_test_add_func ("/sql/fingerprint/others", test_others);
  g_test_add_func ("/sql/fingerprint/large", test_large);
  g_test_add_func ("/sql/fingerprint/random", test_random);
  return g_test_run ();
}
