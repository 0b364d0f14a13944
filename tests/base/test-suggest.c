/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-suggest.c: suggestions for misspelt words, and setting errors.
 */
#include "config.h"

#include "core/base/error.h"

static void
test_slips (void)
{
  static const gchar *const known[] = { "SELECT", "FROM", "WHERE", "INSERT" };
  static const struct
  {
    const gchar *word;
    const gchar *expected;
  } cases[] = {
    { "SELEC", "SELECT" },   /* a letter is missing */
    { "SSELECT", "SELECT" }, /* a letter too many */
    { "SALECT", "SELECT" },  /* changed */
    { "FORM", "FROM" },      /* swapped */
    { "WHREE", "WHERE" },    { "isnert", "INSERT" }, { "SELCET", "SELECT" },
    { "xyz", NULL },         { "", NULL },           { "S", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (kvsql_suggest (cases[i].word, known, G_N_ELEMENTS (known)), ==,
                     cases[i].expected);
}

/* The first error is the cause, so it is kept; the second one is a mistake of the caller. */
static void
test_first_error (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_error_set (&error, KVSQL_ERROR_TYPE, (KvsqlSpan){ 3, 4 }, "the cause"));
  g_test_expect_message ("kvsql-core", G_LOG_LEVEL_CRITICAL, "*kvsql_error_set*error*NULL*");
  g_assert_false (kvsql_error_set (&error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "the second"));
  g_test_assert_expected_messages ();
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_TYPE);
  g_assert_cmpstr (error->message, ==, "the cause");
  g_assert_cmpint (kvsql_error_get_span (error).offset, ==, 3);
  g_assert_false (kvsql_error_set (NULL, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "not wanted"));
}

/* At most half of the longer word differs. */
static void
test_short_words (void)
{
  static const gchar *const known[] = { "k", "v2" };

  g_assert_null (kvsql_suggest ("x", known, 2));
  g_assert_null (kvsql_suggest ("", known, 2));
  g_assert_null (kvsql_suggest ("xy", known, 2));
  g_assert_cmpstr (kvsql_suggest ("v3", known, 2), ==, "v2");
  g_assert_cmpstr (kvsql_suggest ("kk", known, 2), ==, "k");
  g_assert_cmpstr (kvsql_suggest ("v", known + 1, 1), ==, "v2");
}

static void
test_long_words (void)
{
  g_autofree gchar *long_word = g_strnfill (500, 'a');
  const gchar *const known[] = { long_word, "a" };

  g_assert_null (kvsql_suggest ("bbbb", known, 2));
  g_assert_null (kvsql_suggest (long_word, known + 1, 1));
}

static void
test_nearest_wins (void)
{
  static const gchar *const known[] = { "amounts", "amount" };

  g_assert_cmpstr (kvsql_suggest ("amuont", known, 2), ==, "amount");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/suggest/slips", test_slips);
  g_test_add_func ("/base/suggest/short-words", test_short_words);
  g_test_add_func ("/base/suggest/long-words", test_long_words);
  g_test_add_func ("/base/suggest/nearest-wins", test_nearest_wins);
  g_test_add_func ("/base/error/first-error", test_first_error);
  return g_test_run ();
}
