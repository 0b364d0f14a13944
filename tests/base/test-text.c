/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-text.c: checks eight bytes at a time give the same results as checks byte by byte.
 */
#include "config.h"

#include "core/base/text.h"

static gboolean
is_plain (KvsqlSlice bytes, guint8 other)
{
  for (gsize i = 0; i < bytes.size; i++)
    if (bytes.data[i] == 0 || bytes.data[i] > 0x7f || bytes.data[i] == other)
      return FALSE;
  return TRUE;
}

/* Texts of each size, with each byte at each position, alone and with another one next to it. */
static void
test_plain (void)
{
  static const guint8 others[] = { 0x00, 0x01, 0x02, '-', '.', 0x7e, 0x7f, 0x80, 0x81, 0xff };
  static const guint8 fills[] = { 0x01, 'a', '.', 0x7f };

  for (gsize size = 0; size <= 20; size++)
    for (gsize at = 0; at <= size; at++)
      for (guint byte = 0; byte <= 0xff; byte++)
        for (guint o = 0; o < G_N_ELEMENTS (others); o++)
          for (guint f = 0; f < G_N_ELEMENTS (fills); f++)
            {
              g_autofree guint8 *exact = g_malloc (size);
              KvsqlSlice bytes = kvsql_slice (exact, size);

              for (gsize i = 0; i < size; i++)
                exact[i] = i == at ? (guint8)byte : fills[f];
              g_assert_cmpint (kvsql_text_is_plain (bytes, others[o]), ==,
                               is_plain (bytes, others[o]));
              g_assert_cmpint (kvsql_text_is_ascii (bytes), ==, is_plain (bytes, 0));
            }
}

static void
test_random (void)
{
  for (guint i = 0; i < 100000; i++)
    {
      gsize size = (gsize)g_test_rand_int_range (0, 40);
      g_autofree guint8 *exact = g_malloc (size);
      guint8 other = (guint8)g_test_rand_int_range (0, 256);
      gint most = g_test_rand_int_range (1, 256);
      KvsqlSlice bytes = kvsql_slice (exact, size);

      for (gsize b = 0; b < size; b++)
        exact[b] = (guint8)g_test_rand_int_range (g_test_rand_int_range (0, 8) > 0, most + 1);
      g_assert_cmpint (kvsql_text_is_plain (bytes, other), ==, is_plain (bytes, other));
      g_assert_cmpint (kvsql_text_is_ascii (bytes), ==, is_plain (bytes, 0));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/plain", test_plain);
  g_test_add_func ("/base/text/random", test_random);
  return g_test_run ();
}
