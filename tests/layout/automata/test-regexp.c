/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-regexp.c: which regular expressions are accepted, where others are rejected, and what
 * matches.
 */
#include "config.h"

#include "core/base/error.h"
#include "core/layout/automata/dfa.h"
#include "core/layout/automata/regexp.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static KvsqlDfa *
compile (KvsqlArena *arena, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  KvsqlDfa *dfa = kvsql_dfa_new_regexp (arena, kvsql_slice_from_text (text), &error);

  g_assert_no_error (error);
  g_assert_nonnull (dfa);
  return dfa;
}

/* ---- rejected expressions */

static const struct
{
  const gchar *text;
  gint offset;
  const gchar *reason;
} rejected[] = {
  { "(a)\\1", 3, "back-references are not supported" },
  { "a(?=b)", 1, "look-around is not supported" },
  { "a(?!b)", 1, "look-around is not supported" },
  { "(?<=a)b", 0, "look-around is not supported" },
  { "(?<name>a)", 0, "named groups are not supported" },
  { "(?P<name>a)", 0, "named groups are not supported" },
  { "(?i)a", 0, "only (…) and (?:…) are supported" },
  { "a*?", 2, "lazy quantifiers are not supported" },
  { "a{2,3}?", 6, "lazy quantifiers are not supported" },
  { "a++", 2, "possessive quantifiers are not supported" },
  { "a**", 2, "a quantifier follows a quantifier" },
  { "a{2}{3}", 4, "a quantifier follows a quantifier" },
  { "ab\\b", 2, "assertions are not supported" },
  { "\\pL", 0, "unknown escape" },
  { "a\\", 1, "the backslash escapes nothing" },
  { "\\x4", 0, "\\x needs two hexadecimal digits" },
  { "[abc", 0, "\"[\" is never closed" },
  { "a[]", 1, "\"[\" is never closed" },
  { "a[b-", 1, "\"[\" is never closed" },
  { "[z-a]", 1, "the range is upside down" },
  { "[\\d-z]", 1, "a range needs a character at both ends" },
  { "[a-\\d]", 1, "a range needs a character at both ends" },
  { "[[:digit:]]", 1, "POSIX classes are not supported" },
  { "[é]", 1, "characters beyond ASCII are not allowed in brackets" },
  { "a(b", 1, "\"(\" is never closed" },
  { "ab)", 2, "\")\" closes nothing" },
  { "*a", 0, "nothing to repeat" },
  { "a|+", 2, "nothing to repeat" },
  { "(*ACCEPT)", 1, "nothing to repeat" },
  { "^*", 1, "nothing to repeat" },
  { "a{", 1, "\"{\" needs a number" },
  { "a{,3}", 1, "\"{\" needs a number" },
  { "a{2", 1, "\"{\" is never closed" },
  { "a{3,2}", 1, "the numbers in braces are upside down" },
  { "a{1001}", 1, "more than 1000 repetitions" },
  { "a{99999999999999999999}", 1, "more than 1000 repetitions" },
  { "a^b", 1, "\"^\" is allowed only at an end" },
  { "a$b", 1, "\"$\" is allowed only at an end" },
  { "(^a)", 1, "\"^\" is allowed only at an end" },
  { "(a$)", 2, "\"$\" is allowed only at an end" },
};

static void
test_rejected (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rejected); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      g_autofree gchar *offset = g_strdup_printf ("at offset %d", rejected[i].offset);

      g_test_message ("%s", rejected[i].text);
      g_assert_null (kvsql_regexp_parse (arena, kvsql_slice_from_text (rejected[i].text), &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEFINITION);
      g_assert_nonnull (strstr (error->message, rejected[i].reason));
      g_assert_true (g_str_has_suffix (error->message, offset));
    }
}

static void
assert_too_large (const gchar *text)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsql_dfa_new_regexp (arena, kvsql_slice_from_text (text), &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "regular expression \""));
}

static void
test_bounds (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *long_text = g_strnfill (KVSQL_REGEXP_MAX_TEXT + 1, 'a');
  g_autofree gchar *deep_text = g_strnfill (KVSQL_REGEXP_MAX_DEPTH + 1, '(');
  g_autoptr (GError) error = NULL;

  assert_too_large (long_text);
  assert_too_large (".{1000}.{1000}.{1000}.{1000}.{1000}");
  assert_too_large ("(a{1000}){1000}");
  assert_too_large ("((((((a{1000}){1000}){1000}){1000}){1000}){1000}){1000}");
  assert_too_large ("(a|b)*a(a|b){20}"); /* 2^20 states */
  g_assert_null (kvsql_regexp_parse (arena, kvsql_slice_from_text (deep_text), &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEFINITION);
  g_assert_cmpuint (kvsql_dfa_get_max_length (compile (arena, "a{1000}")), ==, 1000);
}

static void
test_matches_nothing (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsql_dfa_new_regexp (arena, kvsql_slice_from_text ("a[^\\x00-\\xff]"), &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEFINITION);
  g_assert_cmpstr (error->message, ==,
                   "regular expression \"a[^\\\\x00-\\\\xff]\" matches nothing");
}

/* ---- matches */

static void
test_bytes (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  g_assert_true (kvsql_dfa_matches (compile (arena, "."), KVSQL_SLICE_LITERAL ("\n")));
  g_assert_true (kvsql_dfa_matches (compile (arena, "."), KVSQL_SLICE_LITERAL ("\0")));
  g_assert_true (kvsql_dfa_matches (compile (arena, "\\xff"), KVSQL_SLICE_LITERAL ("\xff")));
  g_assert_true (kvsql_dfa_matches (compile (arena, "é{2}"), KVSQL_SLICE_LITERAL ("éé")));
  g_assert_false (kvsql_dfa_matches (compile (arena, "é{2}"), KVSQL_SLICE_LITERAL ("é")));
  g_assert_true (kvsql_dfa_matches (compile (arena, ""), KVSQL_SLICE_EMPTY));
  g_assert_false (kvsql_dfa_matches (compile (arena, ""), KVSQL_SLICE_LITERAL ("a")));
}

/* Passes each single byte to the fuzz target, which compares with GRegex. */
static void
test_named_sets (void)
{
  static const gchar *const names[] = { "\\d", "\\D", "\\w", "\\W", "\\s",      "\\S",
                                        "\\t", "\\n", "\\r", "\\f", "[\\s\\d]", "[^\\w]" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint byte = 0; byte < 128; byte++)
      {
        g_autoptr (GString) input = g_string_new (names[i]);

        g_string_append_c (input, '\0');
        g_string_append_c (input, (gchar)byte);
        LLVMFuzzerTestOneInput ((const guint8 *)input->str, input->len);
      }
}

static const struct
{
  const gchar *text;
  gsize min_length;
  gsize max_length;
  const gchar *prefix;
} shapes[] = {
  { "[0-9]{4}-[01][0-9]-[0-3][0-9]", 10, 10, "" },
  { "20[0-9]{2}", 4, 4, "20" },
  { "abc|abd", 3, 3, "ab" },
  { "abc|ab", 2, 3, "ab" },
  { "ab*", 1, KVSQL_DFA_UNBOUNDED, "a" },
  { "(ab)+", 2, KVSQL_DFA_UNBOUNDED, "ab" },
  { "a{3}", 3, 3, "aaa" },
  { "a?|bcd", 0, 3, "" },
  { "", 0, 0, "" },
  { "x(a[^\\x00-\\xff])?", 1, 1, "x" }, /* a part that matches nothing does not count */
};

static void
test_shape (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      const KvsqlDfa *dfa = compile (arena, shapes[i].text);

      g_test_message ("%s", shapes[i].text);
      g_assert_cmpuint (kvsql_dfa_get_min_length (dfa), ==, shapes[i].min_length);
      g_assert_cmpuint (kvsql_dfa_get_max_length (dfa), ==, shapes[i].max_length);
      g_assert_true (kvsql_slice_equal (kvsql_dfa_get_constant_prefix (dfa),
                                        kvsql_slice_from_text (shapes[i].prefix)));
    }
}

static void
test_scan (void)
{
  static const gsize expected[] = { 3, 6, 9 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlDfa *dfa = compile (arena, "(a|b)*abb");
  KvsqlDfaScan scan;
  gsize length;

  kvsql_dfa_scan_start (&scan, dfa, KVSQL_SLICE_LITERAL ("abbabbabb-abb"));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_true (kvsql_dfa_scan_next (&scan, &length));
      g_assert_cmpuint (length, ==, expected[i]);
    }
  g_assert_false (kvsql_dfa_scan_next (&scan, &length));
  g_assert_false (kvsql_dfa_scan_next (&scan, &length));
}

static void
test_may_begin (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlDfa *dfa = compile (arena, "[0-9]{4}-[01][0-9]");

  g_assert_true (kvsql_dfa_may_begin (dfa, KVSQL_SLICE_EMPTY));
  g_assert_true (kvsql_dfa_may_begin (dfa, KVSQL_SLICE_LITERAL ("2014-0")));
  g_assert_true (kvsql_dfa_may_begin (dfa, KVSQL_SLICE_LITERAL ("2014-01")));
  g_assert_false (kvsql_dfa_may_begin (dfa, KVSQL_SLICE_LITERAL ("2014-2")));
  g_assert_false (kvsql_dfa_may_begin (dfa, KVSQL_SLICE_LITERAL ("2014-011")));
}

/* ---- random expressions, valid and invalid, compared with GRegex */

static void
append_random_expression (GString *out, GRand *rand, guint depth)
{
  static const gchar *const atoms[]
      = { "a",   "b",   "-",   ".",     "[ab]", "[^a]", "[a-c-]", "\\d",
          "\\w", "\\s", "\\-", "\\x61", "[]]",  "[^]]", "[\\w]",  "[\\-a]",
          "",    "]",   "}",   ",",     "1",    "^",    "$",      "\\D" };
  static const gchar *const quantifiers[]
      = { "*", "+", "?", "{2}", "{0}", "{1,2}", "{0,}", "{", "{2", "??" };
  guint n = g_rand_int_range (rand, 0, 4);

  for (guint i = 0; i < n; i++)
    {
      if (depth > 0 && g_rand_int_range (rand, 0, 3) == 0)
        {
          g_string_append (out, g_rand_boolean (rand) ? "(" : "(?:");
          append_random_expression (out, rand, depth - 1);
          g_string_append_c (out, ')');
        }
      else
        g_string_append (out, atoms[g_rand_int_range (rand, 0, G_N_ELEMENTS (atoms))]);
      if (g_rand_int_range (rand, 0, 3) == 0)
        g_string_append (out, quantifiers[g_rand_int_range (rand, 0, G_N_ELEMENTS (quantifiers))]);
      if (g_rand_int_range (rand, 0, 4) == 0)
        g_string_append_c (out, '|');
    }
}

static gboolean
is_accepted (const gchar *expression)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  return kvsql_regexp_parse (arena, kvsql_slice_from_text (expression), NULL) != NULL;
}

static void
test_random (void)
{
  static const gchar letters[] = "aab-]1 \n";
  const guint32 seed = 20161;
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  const guint n_rounds = g_test_slow () ? 300000 : 20000;
  guint n_accepted = 0;

  for (guint i = 0; i < n_rounds; i++)
    {
      g_autoptr (GString) input = g_string_new (NULL);
      guint n_letters = g_rand_int_range (rand, 0, 8);

      append_random_expression (input, rand, 3);
      n_accepted += is_accepted (input->str);
      g_string_append_c (input, '\0');
      for (guint j = 0; j < n_letters; j++)
        g_string_append_c (input, letters[g_rand_int_range (rand, 0, sizeof letters - 1)]);
      LLVMFuzzerTestOneInput ((const guint8 *)input->str, input->len);
    }
  g_test_message ("seed %u: %u expressions, %u of them accepted", seed, n_rounds, n_accepted);
  g_assert_cmpuint (n_accepted, >, n_rounds / 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/regexp/rejected/names-reason-and-offset", test_rejected);
  g_test_add_func ("/layout/regexp/bounds", test_bounds);
  g_test_add_func ("/layout/regexp/matches-nothing", test_matches_nothing);
  g_test_add_func ("/layout/regexp/works-on-bytes", test_bytes);
  g_test_add_func ("/layout/regexp/named-sets-agree-with-gregex", test_named_sets);
  g_test_add_func ("/layout/regexp/lengths-and-prefix", test_shape);
  g_test_add_func ("/layout/regexp/scan-finds-all-ends", test_scan);
  g_test_add_func ("/layout/regexp/may-begin", test_may_begin);
  g_test_add_func ("/layout/regexp/agrees-with-gregex", test_random);
  return g_test_run ();
}
