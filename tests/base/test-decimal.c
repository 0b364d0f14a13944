/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-decimal.c: canonical text, order, and HBase's bytes of exact decimal numbers.
 */
#include "config.h"

#include "core/base/decimal-sum.h"
#include "core/base/decimal.h"

static void
test_parse (void)
{
  static const struct
  {
    const gchar *text;
    const gchar *canonical; /* NULL: an error */
  } cases[] = {
    { "0", "0" },      { "-0.00", "0" }, { "+1.50", "1.5" }, { "007", "7" },
    { ".5", "0.5" },   { "5.", "5" },    { "1e3", "1000" },  { "-12.5e-3", "-0.0125" },
    { " 1 ", "1" },    { "", NULL },     { ".", NULL },      { "1e", NULL },
    { "1.2.3", NULL }, { "0x10", NULL }, { "--1", NULL },    { "1e99999999999", NULL },
    { "NaN", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      KvsqlSlice out;
      gboolean ok
          = kvsql_decimal_parse (kvsql_slice_from_text (cases[i].text), arena, &out, &error);

      g_assert_cmpint (ok, ==, cases[i].canonical != NULL);
      if (ok)
        g_assert_cmpmem (out.data, out.size, cases[i].canonical, strlen (cases[i].canonical));
      else
        g_assert_nonnull (error);
    }
}

static const gchar *const ascending[] = { "-1000",
                                          "-12.5",
                                          "-12.49",
                                          "-1",
                                          "-0.0001",
                                          "0",
                                          "0.0001",
                                          "0.1",
                                          "0.11",
                                          "1",
                                          "2",
                                          "10",
                                          "10.01",
                                          "123456789012345678901234567890",
                                          "123456789012345678901234567890.1" };

static void
test_compare (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (ascending); i++)
    for (guint j = 0; j < G_N_ELEMENTS (ascending); j++)
      {
        gint order = kvsql_decimal_compare (kvsql_slice_from_text (ascending[i]),
                                            kvsql_slice_from_text (ascending[j]));
        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > j) - (i < j));
      }
}

static void
test_bytes (void)
{
  static const struct
  {
    const gchar *text;
    const gchar
        *hex; /* scale, then the unscaled number, as Bytes.toBytes (BigDecimal) writes them */
  } cases[] = {
    { "0", "0000000000" },
    { "1", "0000000001" },
    { "-1", "00000000ff" },
    { "127", "000000007f" },
    { "128", "000000000080" },
    { "-128", "0000000080" },
    { "-129", "00000000ff7f" },
    { "12.5", "000000017d" },
    { "0.001", "0000000301" },
    { "999999999999999999", "000000000de0b6b3a763ffff" },
    { "-999999999999999999", "00000000f21f494c589c0001" },
    { "36028797018963967", "000000007fffffffffffff" },
    { "36028797018963968", "000000000080000000000000" },
    { "-36028797018963968", "0000000080000000000000" },
    { "9223372036854775807", "000000007fffffffffffffff" },
    { "-9223372036854775808", "000000008000000000000000" },
    { "9223372036854775808", "00000000008000000000000000" },
    { "-0.9223372036854775809", "00000013ff7fffffffffffffff" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autofree gchar *hex = NULL;
      KvsqlBuffer buffer = { 0 };
      KvsqlSlice back;

      kvsql_decimal_append_bytes (kvsql_slice_from_text (cases[i].text), &buffer);
      hex = kvsql_hex (kvsql_buffer_slice (&buffer));
      g_assert_cmpstr (hex, ==, cases[i].hex);
      g_assert_true (kvsql_decimal_from_bytes (kvsql_buffer_slice (&buffer), arena, &back));
      g_assert_cmpmem (back.data, back.size, cases[i].text, strlen (cases[i].text));
      kvsql_buffer_clear (&buffer);
    }
}

/* The same sum by additions of two numbers. */
static void
assert_sum (const gchar *const *values, guint n_values, guint n_times)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlDecimalSum) sum = kvsql_decimal_sum_new ();
  g_autoptr (KvsqlDecimalSum) half = kvsql_decimal_sum_new ();
  g_autoptr (GError) error = NULL;
  KvsqlSlice expected = KVSQL_SLICE_LITERAL ("0"), out;

  for (guint i = 0; i < n_times; i++)
    for (guint j = 0; j < n_values; j++)
      {
        KvsqlSlice value = kvsql_slice_from_text (values[j]);
        kvsql_decimal_sum_add (i % 2 == 0 ? sum : half, value);
        if (i % 3 == 0)
          {
            kvsql_decimal_sum_add (sum, value);
            kvsql_decimal_sum_subtract (sum, value);
          }
        g_assert_true (kvsql_decimal_add (expected, value, arena, &expected, &error));
      }
  kvsql_decimal_sum_merge (sum, half);
  g_assert_true (kvsql_decimal_sum_get (sum, arena, &out, &error));
  g_assert_cmpmem (out.data, out.size, expected.data, expected.size);
}

static void
test_sum (void)
{
  /* those of the first three fill 128 bits after some hundred values */
  static const gchar *const values[] = { "999999999999999999",
                                         "0.00000000000000001",
                                         "-0.5",
                                         "-12345678901234567890.123456789",
                                         "0.0000000000000000001",
                                         "17",
                                         "0",
                                         "-888888888888888888" };

  for (guint n = 1; n <= G_N_ELEMENTS (values); n++)
    assert_sum (values, n, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    assert_sum (values + i, 1, 1000);
}

static void
test_to_int64 (void)
{
  static const struct
  {
    const gchar *text;
    gint64 value;
    gboolean fits, is_exact;
  } cases[] = {
    { "2.5", 3, TRUE, FALSE },
    { "-2.5", -3, TRUE, FALSE },
    { "2.4", 2, TRUE, FALSE },
    { "7", 7, TRUE, TRUE },
    { "9223372036854775807", G_MAXINT64, TRUE, TRUE },
    { "9223372036854775807.5", 0, FALSE, FALSE },
    { "-9223372036854775808", G_MININT64, TRUE, TRUE },
    { "9223372036854775808", 0, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_exact = FALSE;
      gint64 value = 0;

      g_assert_cmpint (
          kvsql_decimal_to_int64 (kvsql_slice_from_text (cases[i].text), &value, &is_exact), ==,
          cases[i].fits);
      if (!cases[i].fits)
        continue;
      g_assert_cmpint (value, ==, cases[i].value);
      g_assert_cmpint (is_exact, ==, cases[i].is_exact);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/decimal/parse", test_parse);
  g_test_add_func ("/base/decimal/compare", test_compare);
  g_test_add_func ("/base/decimal/bytes", test_bytes);
  g_test_add_func ("/base/decimal/sum", test_sum);
  g_test_add_func ("/base/decimal/to-int64", test_to_int64);
  return g_test_run ();
}
