/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-nfa.c: each kind of fragment accepts exactly the strings of its definition.
 */
#include "config.h"

#include "core/base/error.h"
#include "core/layout/automata/dfa.h"
#include "core/layout/automata/proof.h"

static gboolean
accepts (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, KvsqlSlice bytes)
{
  g_autoptr (GError) error = NULL;
  gboolean result = FALSE;

  g_assert_true (kvsql_proof_accepts (nfa, fragment, &bytes, 1, &result, &error));
  g_assert_no_error (error);
  return result;
}

#define assert_accepts(fragment, text)                                                             \
  g_assert_true (accepts (nfa, (fragment), KVSQL_SLICE_LITERAL (text)))
#define assert_rejects(fragment, text)                                                             \
  g_assert_false (accepts (nfa, (fragment), KVSQL_SLICE_LITERAL (text)))

static void
test_literal (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment text = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("a\0b"));
  KvsqlNfaFragment empty = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);
  KvsqlNfaFragment two = kvsql_nfa_any_bytes (nfa, 2);

  assert_accepts (text, "a\0b");
  assert_rejects (text, "a\0");
  assert_rejects (text, "a\0bb");
  assert_accepts (empty, "");
  assert_rejects (empty, "a");
  assert_accepts (two, "\0\xff");
  assert_rejects (two, "a");
  assert_rejects (two, "abc");
  assert_accepts (kvsql_nfa_any (nfa), "");
  assert_accepts (kvsql_nfa_any (nfa), "\0\xff-");
}

static void
test_combined (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment a = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("a"));
  KvsqlNfaFragment b = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("b"));
  KvsqlNfaFragment either = kvsql_nfa_alternative (nfa, a, b);
  KvsqlNfaFragment repeated = kvsql_nfa_repeat (nfa, either, 2, 4);
  KvsqlNfaFragment c = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("c"));
  KvsqlNfaFragment all = kvsql_nfa_sequence (nfa, repeated, c);

  assert_accepts (all, "abc");
  assert_accepts (all, "babac");
  assert_rejects (all, "ac");
  assert_rejects (all, "ababac");
  /* the parts are unchanged */
  assert_accepts (a, "a");
  assert_rejects (either, "ab");
  assert_accepts (repeated, "ab");
  assert_rejects (repeated, "abc");
}

static void
test_repeat (void)
{
  for (guint minimum = 0; minimum < 4; minimum++)
    for (gint maximum = -1; maximum < 5; maximum++)
      {
        g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
        KvsqlNfa *nfa = kvsql_nfa_new (arena);
        KvsqlNfaFragment part = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("aa"));
        KvsqlNfaFragment repeated;

        if (maximum >= 0 && minimum > (guint)maximum)
          continue;
        repeated = kvsql_nfa_repeat (nfa, part, minimum, maximum);
        for (guint n = 0; n <= 16; n++)
          {
            gboolean expected
                = n % 2 == 0 && n / 2 >= minimum && (maximum < 0 || n / 2 <= (guint)maximum);
            KvsqlSlice bytes = kvsql_slice ("aaaaaaaaaaaaaaaa", n);

            g_assert_true (accepts (nfa, repeated, bytes) == expected);
          }
      }
}

/* The definition, literally: v·separator contains the separator only at its end. */
static gboolean
is_unique_before (KvsqlSlice value, KvsqlSlice separator)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();

  g_byte_array_append (all, value.data, value.size);
  g_byte_array_append (all, separator.data, separator.size);
  for (gsize i = 0; i < value.size; i++)
    if (memcmp (all->data + i, separator.data, separator.size) == 0)
      return FALSE;
  return TRUE;
}

static void
test_any_without (void)
{
  static const gchar *const separators[]
      = { "-", "--", "---", "-a", "-a-", "aab", "-a-a-b", "a-a-a", "-a--a-", "xyz" };

  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlNfa *nfa = kvsql_nfa_new (arena);
      KvsqlSlice separator = kvsql_slice_from_text (separators[i]);
      KvsqlNfaFragment fragment = kvsql_nfa_any_without (nfa, separator);
      g_autoptr (GError) error = NULL;
      KvsqlDfa *dfa = kvsql_dfa_new (arena, nfa, fragment, "separator", &error);

      g_assert_no_error (error);
      for (guint n = 0; n <= 9; n++)
        for (guint number = 0; number < 1u << n; number++)
          {
            guint8 bytes[9];

            for (guint j = 0; j < n; j++)
              bytes[j] = (number >> j) & 1 ? '-' : 'a';
            g_assert_true (kvsql_dfa_matches (dfa, kvsql_slice (bytes, n))
                           == is_unique_before (kvsql_slice (bytes, n), separator));
          }
      assert_accepts (fragment, "\0\xff");
    }
}

static void
test_utf8 (void)
{
  static const guint8 interesting[]
      = { 'a',  0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
          0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff };
  const guint n_interesting = G_N_ELEMENTS (interesting);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment fragment = kvsql_nfa_utf8 (nfa);
  KvsqlDfa *dfa = kvsql_dfa_new (arena, nfa, fragment, "text", NULL);

  g_assert_nonnull (dfa);
  for (guint number = 0; number < n_interesting * n_interesting * n_interesting * n_interesting;
       number++)
    {
      guint8 bytes[4];

      for (guint j = 0, rest = number; j < 4; j++, rest /= n_interesting)
        bytes[j] = interesting[rest % n_interesting];
      for (guint n = 1; n <= 4; n++)
        g_assert_true (kvsql_dfa_matches (dfa, kvsql_slice (bytes, n))
                       == g_utf8_validate_len ((const gchar *)bytes, n, NULL));
    }
  assert_accepts (fragment, "");
  assert_accepts (fragment, "a\0é");
}

static void
test_length_prefixed (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment one = kvsql_nfa_length_prefixed (nfa, 1, 0, G_MAXUINT64);
  KvsqlNfaFragment short_one = kvsql_nfa_length_prefixed (nfa, 1, 0, 2);
  KvsqlNfaFragment three = kvsql_nfa_length_prefixed (nfa, 3, KVSQL_NFA_NO_MARK, 0x1ffff);
  guint8 bytes[256] = { 255 };

  assert_accepts (one, "\0");
  assert_accepts (one, "\002ab");
  assert_rejects (one, "");
  assert_rejects (one, "\002a");
  assert_rejects (one, "\002abc");
  g_assert_true (accepts (nfa, one, kvsql_slice (bytes, 256)));
  g_assert_false (accepts (nfa, one, kvsql_slice (bytes, 255)));
  assert_accepts (short_one, "\002ab");
  assert_rejects (short_one, "\003abc");
  assert_accepts (three, "\0\0\002ab");
  assert_rejects (three, "\0\0\002a");
  assert_accepts (three, "\001\0\0a"); /* a long value: any length is accepted */
  assert_rejects (three, "\002\0\0a"); /* above the maximum length */
  g_assert_true (kvsql_nfa_check (nfa, NULL));
}

static void
test_fields (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment table = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("t"));
  KvsqlNfaFragment fragment = kvsql_nfa_sequence (nfa, table, kvsql_nfa_end_of_field (nfa));
  KvsqlSlice fields[] = { KVSQL_SLICE_LITERAL ("t"), KVSQL_SLICE_LITERAL ("row") };
  KvsqlSlice one_field[] = { KVSQL_SLICE_LITERAL ("trow") };
  gboolean result;

  fragment = kvsql_nfa_sequence (nfa, fragment, kvsql_nfa_any (nfa));
  g_assert_true (kvsql_proof_accepts (nfa, fragment, fields, 2, &result, NULL));
  g_assert_true (result);
  g_assert_true (kvsql_proof_accepts (nfa, fragment, one_field, 1, &result, NULL));
  g_assert_false (result);
}

static void
test_too_large (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment fragment = kvsql_nfa_any_bytes (nfa, G_MAXUINT);
  g_autoptr (GError) error = NULL;
  KvsqlProofAmbiguity *ambiguity;

  /* Building continues without effect. */
  fragment = kvsql_nfa_mark (nfa, kvsql_nfa_repeat (nfa, fragment, 3, 1000000), 7);
  fragment = kvsql_nfa_sequence (nfa, fragment, kvsql_nfa_length_prefixed (nfa, 4, 8, G_MAXUINT64));
  fragment = kvsql_nfa_alternative (nfa, fragment,
                                    kvsql_nfa_any_without (nfa, KVSQL_SLICE_LITERAL ("--")));
  fragment = kvsql_nfa_sequence (nfa, fragment, kvsql_nfa_utf8 (nfa));
  g_assert_false (kvsql_nfa_check (nfa, NULL));
  g_assert_false (kvsql_proof_ambiguity (arena, nfa, fragment, &ambiguity, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

/* Whatever is built when the last node is used, nothing is written beyond the nodes. */
static void
test_too_large_everywhere (void)
{
  for (guint n_left = 0; n_left < 40; n_left++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlNfa *nfa = kvsql_nfa_new (arena);
      KvsqlNfaFragment fragment = kvsql_nfa_any_bytes (nfa, KVSQL_NFA_MAX_NODES - 2 - n_left);
      KvsqlNfaFragment marked;

      g_assert_true (kvsql_nfa_check (nfa, NULL));
      marked = kvsql_nfa_mark (nfa, kvsql_nfa_any_without (nfa, KVSQL_SLICE_LITERAL ("-a-")), 1);
      fragment = kvsql_nfa_sequence (nfa, fragment, marked);
      fragment = kvsql_nfa_alternative (nfa, fragment, kvsql_nfa_end_of_field (nfa));
      fragment
          = kvsql_nfa_sequence (nfa, fragment, kvsql_nfa_repeat (nfa, kvsql_nfa_any (nfa), 1, 3));
      fragment = kvsql_nfa_sequence (nfa, fragment, kvsql_nfa_utf8 (nfa));
      fragment
          = kvsql_nfa_sequence (nfa, fragment, kvsql_nfa_length_prefixed (nfa, 2, 1, G_MAXUINT64));
      g_assert_false (kvsql_nfa_check (nfa, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/nfa/literal-and-any", test_literal);
  g_test_add_func ("/layout/nfa/combined", test_combined);
  g_test_add_func ("/layout/nfa/repeat", test_repeat);
  g_test_add_func ("/layout/nfa/any-without/is-its-definition", test_any_without);
  g_test_add_func ("/layout/nfa/utf8/agrees-with-glib", test_utf8);
  g_test_add_func ("/layout/nfa/length-prefixed", test_length_prefixed);
  g_test_add_func ("/layout/nfa/fields", test_fields);
  g_test_add_func ("/layout/nfa/too-large/is-an-error", test_too_large);
  g_test_add_func ("/layout/nfa/too-large/at-any-point", test_too_large_everywhere);
  return g_test_run ();
}
