/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-key-space.c: the numbers of keys have the order of the keys, and digits count as digits.
 */
#include "config.h"

#include "core/store/key-space.h"

#include <stdlib.h>

#define N_ROUNDS 20000
#define N_KEYS 8

#define S(text) KVSQL_SLICE_LITERAL (text)

static void
assert_progress (const gchar *low, const gchar *high, const gchar *key, gdouble expected)
{
  gdouble done = kvsql_key_get_progress (kvsql_slice_from_text (low), kvsql_slice_from_text (high),
                                         kvsql_slice_from_text (key));

  g_assert_cmpfloat_with_epsilon (done, expected, 0.01);
}

static void
test_progress (void)
{
  assert_progress ("c0000000-a", "c0000999-a", "c0000016-a", 0.016);
  assert_progress ("c0000000-a", "c0000999-a", "c0000500-a", 0.5);
  assert_progress ("00a0", "ffe0", "80b7", 0.5);
  assert_progress ("00A0", "FFE0", "C000", 0.75);
  assert_progress ("a", "b", "a\x80", 0.5);
  assert_progress ("00", "99", "4:", 50 / 99.0); /* after all keys that begin with 49 */
  assert_progress ("00", "99", "4/", 40 / 99.0);
  assert_progress ("k", "m", "a", 0);
  assert_progress ("k", "m", "m", 1);
}

static void
assert_middle (const gchar *low, const gchar *high, const gchar *expected)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice at
      = kvsql_key_get_middle (kvsql_slice_from_text (low), kvsql_slice_from_text (high), arena);
  g_autofree gchar *text = g_strndup ((const gchar *)at.data, at.size);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_middle (void)
{
  assert_middle ("k0000", "k1999", "k09");
  assert_middle ("k0000-x", "k9999-x", "k4");
  assert_middle ("k0009", "k0010", "k0009\x80");
  assert_middle ("00ff", "ff00", "7");
  assert_middle ("a", "b", "a\x80");
  assert_middle ("same", "same!", "same\x10");
}

/* A key of few different bytes, so that keys have common prefixes. */
static KvsqlSlice
some_key (KvsqlArena *arena)
{
  static const gchar *const letters[] = { "019", "09af", "0AF", "/0:9", "az" };
  const gchar *from = letters[g_test_rand_int_range (0, G_N_ELEMENTS (letters))];
  gsize size = (gsize)g_test_rand_int_range (0, 12);
  guint8 *bytes = kvsql_arena_alloc (arena, size + 1);

  for (gsize i = 0; i < size; i++)
    bytes[i] = g_test_rand_int_range (0, 20) == 0
                   ? (guint8)g_test_rand_int_range (0, 256)
                   : (guint8)from[(gsize)g_test_rand_int_range (0, (gint)strlen (from))];
  return kvsql_slice (bytes, size);
}

static int
compare (const void *a, const void *b)
{
  return kvsql_slice_compare (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

static void
test_order (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlSlice keys[N_KEYS], low, high, middle;
      gdouble before = 0;

      for (guint i = 0; i < N_KEYS; i++)
        keys[i] = some_key (arena);
      qsort (keys, N_KEYS, sizeof *keys, compare);
      low = keys[0];
      high = keys[N_KEYS - 1];
      for (guint i = 0; i < N_KEYS; i++)
        {
          gdouble done = kvsql_key_get_progress (low, high, keys[i]);

          g_assert_cmpfloat (done, >=, before);
          g_assert_cmpfloat (done, <=, 1);
          before = done;
        }
      if (kvsql_slice_equal (low, high))
        continue;
      middle = kvsql_key_get_middle (low, high, arena);
      g_assert_cmpint (kvsql_slice_compare (middle, low), >, 0);
      g_assert_cmpint (kvsql_slice_compare (middle, high), <=, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/key-space/progress", test_progress);
  g_test_add_func ("/key-space/middle", test_middle);
  g_test_add_func ("/key-space/order", test_order);
  return g_test_run ();
}
