/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-deduplicate.c: of tuples with one key the last is written, at the place of the first.
 */
#include "config.h"

#include <math.h>

#include "core/write/deduplicate.h"
#include "core/schema/relation.h"
#include "core/sql/parser.h"

#define MOST_TUPLES 300
#define N_TRIES 300

static KvsqlRelation *
make_relation (KvsqlArena *arena)
{
  KvsqlAstStatement *statement = kvsql_parser_parse (
      KVSQL_SLICE_LITERAL ("DEFINE RELATION r { s STRING KEY, n BIGINT KEY, x DOUBLE KEY, "
                           "b BOOLEAN KEY, v INT }"),
      arena, NULL);

  g_assert_nonnull (statement);
  return kvsql_relation_new (&statement->define_relation, NULL);
}

static const KvsqlValue *
random_tuple (KvsqlArena *arena, gint n_keys)
{
  static const gchar *const texts[] = { "", "a", "b", "a longer one", "a longer onf" };
  static const gdouble reals[] = { 0.0, -0.0, 1.5, NAN };
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, 5);

  tuple[0].type = KVSQL_TYPE_STRING;
  tuple[0].bytes = kvsql_slice_from_text (texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))]);
  tuple[1].type = KVSQL_TYPE_BIGINT;
  tuple[1].integer = g_test_rand_int_range (0, n_keys);
  tuple[2].type = KVSQL_TYPE_DOUBLE;
  tuple[2].real = reals[g_test_rand_int_range (0, G_N_ELEMENTS (reals))];
  tuple[3].type = KVSQL_TYPE_BOOLEAN;
  tuple[3].boolean = g_test_rand_int_range (0, 2);
  tuple[4].type = KVSQL_TYPE_NULL;
  return tuple;
}

static gboolean
is_same_key (const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint i = 0; i < 4; i++)
    if (!kvsql_value_equal (&a[i], &b[i]))
      return FALSE;
  return TRUE;
}

/* The slow way. */
static guint
deduplicate_by_hand (const KvsqlValue *const *tuples, guint n_tuples, const KvsqlValue **out)
{
  guint n = 0;

  for (guint i = 0; i < n_tuples; i++)
    {
      guint at = 0;

      while (at < n && !is_same_key (out[at], tuples[i]))
        at++;
      out[at] = tuples[i];
      n = MAX (n, at + 1);
    }
  return n;
}

static void
check_tuples (const KvsqlRelation *relation, const KvsqlValue *const *tuples, guint n_tuples)
{
  const KvsqlValue *got[MOST_TUPLES], *expected[MOST_TUPLES];
  g_auto (KvsqlKeyLocks) locks = { 0 }, expected_locks = { 0 };
  guint n = kvsql_deduplicate_by_key (relation, tuples, n_tuples, got, &locks);

  g_assert_cmpuint (n, ==, deduplicate_by_hand (tuples, n_tuples, expected));
  for (guint i = 0; i < n; i++)
    g_assert_true (got[i] == expected[i]);
  kvsql_key_locks_add_tuples (&expected_locks, relation, tuples, n_tuples);
  g_assert_true (kvsql_key_locks_contain (&locks, &expected_locks));
  g_assert_true (kvsql_key_locks_contain (&expected_locks, &locks));
}

static void
test_random (void)
{
  for (guint try = 0; try < N_TRIES; try++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlRelation *relation = make_relation (arena);
      const KvsqlValue *tuples[MOST_TUPLES];
      guint n = try < 20 ? try % 4 : (guint)g_test_rand_int_range (0, MOST_TUPLES + 1);
      gint n_keys = try % 2 == 0 ? 3 : 1000;

      for (guint i = 0; i < n; i++)
        tuples[i] = random_tuple (arena, n_keys);
      check_tuples (relation, tuples, n);
      kvsql_relation_unref (relation);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/deduplicate/random", test_random);
  return g_test_run ();
}
