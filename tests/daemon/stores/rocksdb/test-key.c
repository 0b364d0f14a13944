/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-key.c: the order and the bytes of RocksDB keys.
 */
#include "config.h"

#include "daemon/stores/rocksdb/key-reader.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static KvsqlSlice
encoded (KvsqlArena *arena, guint32 table, KvsqlSlice row, KvsqlSlice family, KvsqlSlice qualifier)
{
  KvsqlBuffer key = { 0 };
  KvsqlSlice result;

  kvsqld_rocksdb_key_add_row (&key, table, row);
  kvsqld_rocksdb_key_add_column (&key, family, qualifier);
  result = kvsql_slice_dup (arena, kvsql_buffer_slice (&key));
  kvsql_buffer_clear (&key);
  return result;
}

static void
test_bytes (void)
{
  static const struct
  {
    guint32 table;
    KvsqlSlice row, family, qualifier;
    const gchar *hex;
  } cases[] = {
    { 1, S ("a"), S ("f"), S ("q"),
      "0000000161000166"
      "0071" },
    { 0x01020304, S ("a"), S ("f"), S (""),
      "0102030461000166"
      "00" },
    { 1, S ("\0"), S ("f"), S ("\0"),
      "0000000100ff00016600"
      "00" },
    { 1, S ("a\0\0\1"), S ("f"), S ("q"),
      "000000016100ff00ff01000166"
      "0071" },
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlSlice key
          = encoded (arena, cases[i].table, cases[i].row, cases[i].family, cases[i].qualifier);
      g_autofree gchar *hex = kvsql_hex (key);

      g_assert_cmpstr (hex, ==, cases[i].hex);
    }
}

/* All strings of up to three of these bytes. */
static GArray *
all_strings (KvsqlArena *arena, gboolean with_zero)
{
  static const guint8 alphabet[] = { 0x00, 0x01, 0x02, 0xfe, 0xff };
  GArray *strings = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  guint first = with_zero ? 0 : 1, n = G_N_ELEMENTS (alphabet) - first;

  for (guint size = 1, count = n; size <= 3; size++, count *= n)
    for (guint number = 0; number < count; number++)
      {
        guint8 bytes[3];
        KvsqlSlice string;

        for (guint i = 0, rest = number; i < size; i++, rest /= n)
          bytes[i] = alphabet[first + rest % n];
        string = kvsql_slice_dup (arena, kvsql_slice (bytes, size));
        g_array_append_val (strings, string);
      }
  return strings;
}

static gint
sign (gint number)
{
  return (number > 0) - (number < 0);
}

static void
test_order_of_rows (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) rows = all_strings (arena, TRUE);
  g_autofree KvsqlSlice *keys = g_new (KvsqlSlice, rows->len);

  /* The order of keys is that of the rows, whatever follows them. */
  for (guint i = 0; i < rows->len; i++)
    keys[i] = encoded (arena, 7, g_array_index (rows, KvsqlSlice, i),
                       i % 2 == 0 ? S ("\1") : S ("\xff\xff"), i % 3 == 0 ? S ("\xff") : S (""));
  for (guint i = 0; i < rows->len; i++)
    for (guint j = 0; j < rows->len; j++)
      if (i != j)
        g_assert_cmpint (sign (kvsql_slice_compare (g_array_index (rows, KvsqlSlice, i),
                                                    g_array_index (rows, KvsqlSlice, j))),
                         ==, sign (kvsql_slice_compare (keys[i], keys[j])));
}

static void
test_order_of_columns (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) families = all_strings (arena, FALSE);
  const KvsqlSlice qualifiers[] = { S (""), S ("\0"), S ("\1"), S ("\xff") };

  for (guint i = 0; i < families->len; i++)
    for (guint j = 0; j < families->len; j++)
      for (guint q = 0; q < G_N_ELEMENTS (qualifiers); q++)
        {
          KvsqlSlice left = g_array_index (families, KvsqlSlice, i);
          KvsqlSlice right = g_array_index (families, KvsqlSlice, j);
          guint other = (q + i + j) % G_N_ELEMENTS (qualifiers);
          gint order = kvsql_slice_compare (left, right);

          if (order == 0)
            order = kvsql_slice_compare (qualifiers[q], qualifiers[other]);
          g_assert_cmpint (
              sign (order), ==,
              sign (kvsql_slice_compare (encoded (arena, 1, S ("r"), left, qualifiers[q]),
                                         encoded (arena, 1, S ("r"), right, qualifiers[other]))));
        }
}

static void
test_round_trip (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) rows = all_strings (arena, TRUE);

  for (guint i = 0; i < rows->len; i++)
    {
      KvsqlSlice row = g_array_index (rows, KvsqlSlice, i);
      KvsqlSlice key = encoded (arena, 9, row, S ("fam"), S ("q\0\1"));
      g_autofree guint8 *copy = g_malloc (key.size);
      gsize row_size, row_end;

      g_assert_true (kvsqld_rocksdb_key_read_row (key, copy, &row_size, &row_end));
      g_assert_cmpmem (copy, row_size, row.data, row.size);
      g_assert_cmpuint (kvsqld_rocksdb_key_find_row (key), ==, row_end);
      g_assert_cmpmem (key.data + row_end, key.size - row_end, "fam\0q\0\1", 7);
    }
}

/* Byte by byte, as described in daemon/stores/rocksdb/key.h. */
static void
check_row_bytes (KvsqlSlice key, KvsqlSlice row)
{
  const guint8 *at = key.data;

  for (guint i = 0; i < KVSQLD_ROCKSDB_TABLE_BYTES; i++)
    g_assert_cmpuint (*at++, ==, i == KVSQLD_ROCKSDB_TABLE_BYTES - 1 ? 9 : 0);
  for (gsize i = 0; i < row.size; i++)
    {
      g_assert_cmpuint (*at++, ==, row.data[i]);
      if (row.data[i] == 0)
        g_assert_cmpuint (*at++, ==, 0xff);
    }
  g_assert_cmpuint (*at++, ==, 0);
  g_assert_cmpuint (*at++, ==, 1);
  g_assert_cmpuint (key.size - (gsize)(at - key.data), ==, 2);
}

/* Zero bytes before, in and after the words that are processed at once. */
static void
test_long_rows (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < 20000; i++)
    {
      guint8 bytes[40];
      gsize size = (gsize)g_test_rand_int_range (1, sizeof bytes), row_size, row_end;
      gint share = g_test_rand_int_range (0, 5);
      g_autofree guint8 *copy = NULL;
      KvsqlSlice key;

      for (gsize b = 0; b < size; b++)
        bytes[b]
            = g_test_rand_int_range (0, 4) < share ? (guint8)g_test_rand_int_range (0, 3) : 0xaa;
      key = encoded (arena, 9, kvsql_slice (bytes, size), S ("f"), S (""));
      check_row_bytes (key, kvsql_slice (bytes, size));
      copy = g_malloc (key.size);
      g_assert_true (kvsqld_rocksdb_key_read_row (key, copy, &row_size, &row_end));
      g_assert_cmpmem (copy, row_size, bytes, size);
      g_assert_cmpuint (key.size - row_end, ==, 2);
      g_assert_cmpuint (kvsqld_rocksdb_key_find_row (key), ==, row_end);
    }
}

/* Changes a row that shares bytes with the one before: every other time only its end, in which no
 * byte is zero; otherwise anywhere, with other lengths and other zero bytes. */
static gsize
change_row (guint8 *bytes, gsize size, gsize most)
{
  gsize from = (gsize)g_test_rand_int_range (0, (gint32)size + 1);

  if (g_test_rand_bit ())
    {
      for (gsize i = MAX (from, size - MIN (size, 8)); i < size; i++)
        bytes[i] = (guint8)g_test_rand_int_range (1, 256);
      return size;
    }
  if (g_test_rand_int_range (0, 4) == 0)
    size = (gsize)g_test_rand_int_range (1, (gint32)most);
  for (gsize i = from; i < most; i++)
    bytes[i] = (guint8)g_test_rand_int_range (0, g_test_rand_bit () ? 2 : 256);
  return size;
}

/* The row of a key of the same shape is found without decoding the key, and the reader can be moved
 * to the state that it would have after decoding it. */
static void
check_same_shape (KvsqldRocksdbKeyReader *reader, KvsqlSlice key, KvsqlSlice row)
{
  g_autofree guint8 *written = g_malloc (row.size);

  g_assert_cmpuint (reader->end.row, ==, row.size);
  kvsqld_rocksdb_key_reader_write_same_shape (reader, key, written);
  g_assert_cmpmem (written, row.size, row.data, row.size);
  if (!g_test_rand_bit ())
    return;
  kvsqld_rocksdb_key_reader_go_to_same_shape (reader, kvsql_slice (written, row.size));
  g_assert_cmpuint (kvsqld_rocksdb_key_reader_compare (reader, key), ==, key.size);
}

static void
test_reader (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_auto (KvsqldRocksdbKeyReader) reader = { 0 };
  guint8 bytes[40] = { 0 };
  gsize size = 12;
  guint n_same_shape = 0;
  KvsqlSlice last = KVSQL_SLICE_EMPTY;

  /* enough for about 2,200 of one shape */
  for (guint i = 0; i < 40000; i++)
    {
      g_autofree guint8 *exact = NULL;
      KvsqlSlice key;
      gsize n_same, expected = 0;

      size = change_row (bytes, size, sizeof bytes);
      key = encoded (arena, 9, kvsql_slice (bytes, size), S ("f"), i % 3 > 0 ? S ("") : S ("name"));
      exact = g_memdup2 (key.data, key.size);
      while (expected < MIN (key.size, last.size) && key.data[expected] == last.data[expected])
        expected++;
      n_same = kvsqld_rocksdb_key_reader_compare (&reader, kvsql_slice (exact, key.size));
      g_assert_cmpuint (n_same, ==, expected);
      if (kvsqld_rocksdb_key_reader_has_same_shape (&reader, kvsql_slice (exact, key.size)))
        {
          n_same_shape++;
          check_same_shape (&reader, kvsql_slice (exact, key.size), kvsql_slice (bytes, size));
          n_same = kvsqld_rocksdb_key_reader_compare (&reader, kvsql_slice (exact, key.size));
        }
      g_assert_true (
          kvsqld_rocksdb_key_reader_read (&reader, kvsql_slice (exact, key.size), n_same));
      g_assert_cmpmem (reader.row.data, reader.end.row, bytes, size);
      g_assert_cmpuint (reader.end.key, ==, kvsqld_rocksdb_key_find_row (key));
      last = key;
    }
  g_assert_cmpuint (n_same_shape, >, 1000);
}

/* What has another shape: another column, another size, a zero byte in the differing part, another
 * prefix. */
static void
test_reader_same_shape (void)
{
  static const struct
  {
    KvsqlSlice key;
    gboolean has_same_shape;
  } cases[] = {
    { S ("\0\0\0\1abcdefgh\0\xffij\0\1f\0q"), TRUE },
    { S ("\0\0\0\1abcdefgh\0\xffkk\0\1f\0q"), TRUE },
    { S ("\0\0\0\1abcdefgh\0\xffij\0\1f\0r"), FALSE },
    { S ("\0\0\0\1abcdefgh\0\xffij\0\1f\0qq"), FALSE },
    { S ("\0\0\0\1abcdefgh\0\xffijk\0\1f\0q"), FALSE },
    { S ("\0\0\0\1abcdefgh\0\xff\0\xff\0\1f\0q"), FALSE },
    { S ("\0\0\0\1abcdefgh\0\xffi\0\0\1f\0q"), FALSE },
    { S ("\0\0\0\1abcdefgh\0\1ij\0\1f\0q"), FALSE },
    { S ("\0\0\0\1bbcdefgh\0\xffij\0\1f\0q"), FALSE },
    { S ("\0\0\0\2abcdefgh\0\xffij\0\1f\0q"), FALSE },
    { S (""), FALSE },
  };
  g_auto (KvsqldRocksdbKeyReader) reader = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_false (kvsqld_rocksdb_key_reader_has_same_shape (&reader, cases[i].key));
  g_assert_true (kvsqld_rocksdb_key_reader_read (&reader, cases[0].key, 0));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (kvsqld_rocksdb_key_reader_has_same_shape (&reader, cases[i].key), ==,
                     cases[i].has_same_shape);
}

/* After an invalid key it continues as if that had not been read. */
static void
test_reader_damaged (void)
{
  g_auto (KvsqldRocksdbKeyReader) reader = { 0 };
  const KvsqlSlice good = S ("\0\0\0\1abcdefgh\0\xffij\0\1f\0q"),
                   bad = S ("\0\0\0\1abcdefgh\0\xffij\0\2f\0q");

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (kvsqld_rocksdb_key_reader_read (
          &reader, good, kvsqld_rocksdb_key_reader_compare (&reader, good)));
      g_assert_cmpmem (reader.row.data, reader.end.row, "abcdefgh\0ij", 11);
      g_assert_false (kvsqld_rocksdb_key_reader_read (
          &reader, bad, kvsqld_rocksdb_key_reader_compare (&reader, bad)));
      g_assert_false (kvsqld_rocksdb_key_reader_read (&reader, S ("\0\0"), 0));
    }
}

static void
test_pass_row (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlBuffer after_row = { 0 };

  kvsqld_rocksdb_key_add_row (&after_row, 1, S ("r"));
  kvsqld_rocksdb_key_skip_row (&after_row);
  g_assert_cmpint (kvsql_slice_compare (encoded (arena, 1, S ("r"), S ("\xff"), S ("\xff")),
                                        kvsql_buffer_slice (&after_row)),
                   <, 0);
  g_assert_cmpint (kvsql_slice_compare (encoded (arena, 1, S ("r\0"), S ("\1"), S ("")),
                                        kvsql_buffer_slice (&after_row)),
                   >, 0);
  kvsql_buffer_clear (&after_row);
}

static void
test_damaged (void)
{
  static const KvsqlSlice keys[] = {
    S (""),
    S ("\0\0\0"),
    S ("\0\0\0\1"),
    S ("\0\0\0\1abc"),
    S ("\0\0\0\1abc\0"),
    S ("\0\0\0\1abc\0\2f\0"),
    S ("\0\0\0\1abc\0\xff"),
    S ("\0\0\0\1abc\0\xff\0"),
    S ("\0\0\0\1abcdefghijkl\0"),
    S ("\0\0\0\1abcdefghijkl\0\2"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree guint8 *exact = g_memdup2 (keys[i].data, keys[i].size);
      g_autofree guint8 *copy = g_malloc (keys[i].size + 1);
      gsize row_size, row_end;

      g_assert_false (kvsqld_rocksdb_key_read_row (kvsql_slice (exact, keys[i].size), copy,
                                                   &row_size, &row_end));
      g_assert_cmpuint (kvsqld_rocksdb_key_find_row (kvsql_slice (exact, keys[i].size)), ==, 0);
    }
}

/* Random bytes: both functions that find the end of a row agree. */
static void
test_any_bytes (void)
{
  static const guint8 alphabet[] = { 0x00, 0x00, 0xff, 0xff, 0x01, 0x02, 0x7f, 0x80, 0xaa, 0xfe };

  for (guint i = 0; i < 50000; i++)
    {
      gsize size = (gsize)g_test_rand_int_range (0, 48), row_size, row_end = 0;
      g_autofree guint8 *exact = g_malloc (size), *copy = g_malloc (size + 1);
      gint kinds = g_test_rand_int_range (3, G_N_ELEMENTS (alphabet) + 1);
      KvsqlSlice key = kvsql_slice (exact, size);

      for (gsize b = 0; b < size; b++)
        exact[b] = b > 0 && exact[b - 1] == 0 && g_test_rand_int_range (0, 8) > 0
                       ? 0xff
                       : alphabet[g_test_rand_int_range (0, kinds)];
      if (!kvsqld_rocksdb_key_read_row (key, copy, &row_size, &row_end))
        row_end = 0;
      g_assert_cmpuint (kvsqld_rocksdb_key_find_row (key), ==, row_end);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rocksdb/key/bytes", test_bytes);
  g_test_add_func ("/rocksdb/key/order-of-rows", test_order_of_rows);
  g_test_add_func ("/rocksdb/key/order-of-columns", test_order_of_columns);
  g_test_add_func ("/rocksdb/key/round-trip", test_round_trip);
  g_test_add_func ("/rocksdb/key/long-rows", test_long_rows);
  g_test_add_func ("/rocksdb/key/reader", test_reader);
  g_test_add_func ("/rocksdb/key/reader/same-shape", test_reader_same_shape);
  g_test_add_func ("/rocksdb/key/reader/damaged", test_reader_damaged);
  g_test_add_func ("/rocksdb/key/after-a-row", test_pass_row);
  g_test_add_func ("/rocksdb/key/damaged", test_damaged);
  g_test_add_func ("/rocksdb/key/any-bytes", test_any_bytes);
  return g_test_run ();
}
