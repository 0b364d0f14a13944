/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-others-key.c: columns as keys of a map, and back.
 */
#include "config.h"

#include "core/layout/others-key.h"

static const struct
{
  const gchar *family, *qualifier, *key;
} cases[] = {
  { "info", "nick", "info:nick" },
  { "f", "", "f:" },
  { "f", "a:b:", "f:a:b:" },
  { "f", "\x80\x0b", "f:\\x80\\x0b" },
  { "f", "a\\x41", "f:a\\\\x41" },
  { "\xc3\xa9", " ", "\\xc3\\xa9: " },
  { "f", "\x7f\x1f~", "f:\\x7f\\x1f~" },
};

static void
test_columns (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlSlice family, qualifier;
      KvsqlSlice key = kvsql_others_key_print (kvsql_slice_from_text (cases[i].family),
                                               kvsql_slice_from_text (cases[i].qualifier), arena);

      g_assert_true (kvsql_slice_equal (key, kvsql_slice_from_text (cases[i].key)));
      g_assert_true (kvsql_others_key_parse (key, arena, &family, &qualifier));
      g_assert_true (kvsql_slice_equal (family, kvsql_slice_from_text (cases[i].family)));
      g_assert_true (kvsql_slice_equal (qualifier, kvsql_slice_from_text (cases[i].qualifier)));
    }
}

/* Another text would be another key for the same column, or for none. */
static void
test_refused (void)
{
  static const gchar *const keys[]
      = { "",        "f",       ":",       ":q",      "f:\\",   "f:\\x",      "f:\\x4",
          "f:\\x41", "f:\\xAB", "f:\\xgg", "f:\\y00", "f:\x01", "f:\xc3\xa9", "f\\:q" };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice family, qualifier;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (kvsql_others_key_parse (kvsql_slice_from_text (keys[i]), arena, &family, &qualifier))
      g_error ("\"%s\" is a key", keys[i]);
  g_assert_false (
      kvsql_others_key_parse (KVSQL_SLICE_LITERAL ("f:\0"), arena, &family, &qualifier));
}

/* What can be parsed is printed as it was, for any bytes. */
static void
test_random (void)
{
  static const gchar letters[] = "\\\\\\xx08af:::q\x01\x80";
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  guint n_parsed = 0;

  for (guint i = 0; i < 100000; i++)
    {
      guint8 bytes[8];
      gsize size = (gsize)g_test_rand_int_range (0, sizeof bytes + 1);
      KvsqlSlice key = kvsql_slice (bytes, size), family, qualifier;

      for (gsize b = 0; b < size; b++)
        bytes[b] = (guint8)letters[g_test_rand_int_range (0, sizeof letters - 1)];
      if (kvsql_others_key_parse (key, arena, &family, &qualifier)
          && memchr (family.data, ':', family.size) == NULL)
        {
          n_parsed++;
          g_assert_true (
              kvsql_slice_equal (kvsql_others_key_print (family, qualifier, arena), key));
        }
      kvsql_arena_reset (arena);
    }
  g_assert_cmpuint (n_parsed, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/others-key/columns", test_columns);
  g_test_add_func ("/layout/others-key/refused", test_refused);
  g_test_add_func ("/layout/others-key/random", test_random);
  return g_test_run ();
}
