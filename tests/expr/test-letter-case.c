/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-letter-case.c: upper and lower case, letters and digits are those of the C library's UTF-8
 * locale, which PostgreSQL's default collation uses.
 */
#include "config.h"

#include "core/expr/letter-case.h"

#include <locale.h>
#include <wctype.h>

/* The C library may know a newer Unicode than GLib, or an older one. */
#define MAX_DIFFERENCES 100

static void
test_all (void)
{
  locale_t utf8 = newlocale (LC_CTYPE_MASK, "C.UTF-8", NULL);
  guint n_differences = 0;

  if (utf8 == NULL)
    {
      g_test_skip ("there is no locale C.UTF-8");
      return;
    }
  for (gunichar letter = 1; letter < 0x20000; letter++)
    {
      gunichar upper = towupper_l (letter, utf8), lower = towlower_l (letter, utf8);

      if (!g_unichar_validate (letter)
          || (upper == kvsql_letter_to_upper (letter) && lower == kvsql_letter_to_lower (letter)))
        continue;
      n_differences++;
      g_test_message ("U+%04X: %04X and %04X, not %04X and %04X", letter,
                      kvsql_letter_to_upper (letter), kvsql_letter_to_lower (letter), upper, lower);
      /* characters that both have had for long */
      g_assert_cmpuint (letter, >, 0x2fff);
    }
  freelocale (utf8);
  g_assert_cmpuint (n_differences, <, MAX_DIFFERENCES);
}

/* GLib does not know which combining marks, such as vowel signs, are alphabetic. */
static void
test_words (void)
{
  locale_t utf8 = newlocale (LC_CTYPE_MASK, "C.UTF-8", NULL);

  if (utf8 == NULL)
    {
      g_test_skip ("there is no locale C.UTF-8");
      return;
    }
  for (gunichar letter = 1; letter <= 0x2fff; letter++)
    if (!g_unichar_ismark (letter)
        && kvsql_letter_is_in_word (letter) != (iswalnum_l (letter, utf8) != 0))
      g_error ("U+%04X", letter);
  freelocale (utf8);
}

static void
test_some (void)
{
  static const gunichar pairs[][2]
      = { { 'a', 'A' },       { 0xf1, 0xd1 },     { 0x3c9, 0x3a9 },   { 0x44f, 0x42f },
          { 0x2170, 0x2160 }, { 0x217f, 0x216f }, { 0x24d0, 0x24b6 }, { 0x24e9, 0x24cf } };
  static const gunichar fixed[] = { '0', ' ', 0xdf, 0x2180, 0x24ea, 0x65e5 };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_assert_cmphex (kvsql_letter_to_upper (pairs[i][0]), ==, pairs[i][1]);
      g_assert_cmphex (kvsql_letter_to_upper (pairs[i][1]), ==, pairs[i][1]);
      g_assert_cmphex (kvsql_letter_to_lower (pairs[i][1]), ==, pairs[i][0]);
      g_assert_cmphex (kvsql_letter_to_lower (pairs[i][0]), ==, pairs[i][0]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    {
      g_assert_cmphex (kvsql_letter_to_upper (fixed[i]), ==, fixed[i]);
      g_assert_cmphex (kvsql_letter_to_lower (fixed[i]), ==, fixed[i]);
    }
  g_assert_true (kvsql_letter_is_in_word (0x345));
  g_assert_false (kvsql_letter_is_in_word (0x301));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expr/letter-case/some", test_some);
  g_test_add_func ("/expr/letter-case/as-the-c-library", test_all);
  g_test_add_func ("/expr/letter-case/words", test_words);
  return g_test_run ();
}
