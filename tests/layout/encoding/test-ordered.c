/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-ordered.c: compares OrderedBytes with vectors from HBase's own class (OrderedVectors.java),
 * and checks the order.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/layout/encoding/ordered.h"

typedef struct
{
  KvsqlType type;
  KvsqlValue value;
  KvsqlSlice ascending;
  KvsqlSlice descending;
} Vector;

static KvsqlArena *arena;
static GArray *vectors;

static KvsqlSlice
from_hex (const gchar *text)
{
  gsize n = strlen (text) / 2;
  guint8 *bytes = kvsql_arena_alloc (arena, n + 1);

  for (gsize i = 0; i < n; i++)
    bytes[i] = g_ascii_xdigit_value (text[2 * i]) << 4 | g_ascii_xdigit_value (text[2 * i + 1]);
  return kvsql_slice (bytes, n);
}

static void
add_vector (const gchar *line)
{
  g_auto (GStrv) parts = g_strsplit (line, " ", -1);
  Vector vector = { 0 };
  KvsqlSlice text;

  g_assert_cmpuint (g_strv_length (parts), ==, 4);
  vector.ascending = from_hex (parts[2]);
  vector.descending = from_hex (parts[3]);
  if (g_str_equal (parts[0], "NULL"))
    vector.type = KVSQL_TYPE_INT;
  else
    {
      g_assert_true (kvsql_type_from_name (parts[0], &vector.type));
      text = g_str_equal (parts[1], "-") ? KVSQL_SLICE_EMPTY : kvsql_slice_from_text (parts[1]);
      vector.value.type = vector.type;
      if (vector.type == KVSQL_TYPE_STRING || vector.type == KVSQL_TYPE_BYTES)
        vector.value.bytes = g_str_equal (parts[1], "-") ? text : from_hex (parts[1]);
      else
        g_assert_true (kvsql_value_parse (vector.type, text, arena, &vector.value, NULL));
    }
  g_array_append_val (vectors, vector);
}

static void
read_vectors (void)
{
  g_autofree gchar *path
      = g_test_build_filename (G_TEST_DIST, "layout", "encoding", "ordered-vectors.txt", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_free (path);
      path = g_test_build_filename (G_TEST_DIST, "ordered-vectors.txt", NULL);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    add_vector (lines[i]);
  g_assert_cmpuint (vectors->len, >, 1000);
}

static KvsqlSlice
encoded (const Vector *vector)
{
  KvsqlBuffer buffer = { 0 };
  KvsqlSlice result;

  kvsql_ordered_encode (vector->type, &vector->value, &buffer);
  result = kvsql_slice_dup (arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return result;
}

static void
assert_bytes (KvsqlSlice got, KvsqlSlice expected)
{
  g_autofree gchar *a = kvsql_hex (got), *b = kvsql_hex (expected);

  g_assert_cmpstr (a, ==, b);
}

static void
test_vectors (void)
{
  for (guint i = 0; i < vectors->len; i++)
    {
      const Vector *vector = &g_array_index (vectors, Vector, i);
      guint8 *turned = kvsql_arena_copy (arena, vector->ascending.data, vector->ascending.size);
      KvsqlValue back;

      assert_bytes (encoded (vector), vector->ascending);
      g_assert_true (kvsql_ordered_decode (vector->type, vector->ascending, arena, &back));
      g_assert_true (kvsql_value_equal (&back, &vector->value));
      g_assert_cmpint (kvsql_ordered_get_length (vector->type, vector->ascending), ==,
                       vector->ascending.size);
      /* the descending form is the complement for all types: el-desc.c relies on it */
      for (gsize j = 0; j < vector->ascending.size; j++)
        turned[j] ^= 0xff;
      assert_bytes (kvsql_slice (turned, vector->ascending.size), vector->descending);
    }
}

/* All types except BYTES, whose form does not sort as values do: 01 is 37 80 40, and 00 00 is 37 80
 * 80 00. */
static void
test_order (void)
{
  for (guint i = 0; i < vectors->len; i++)
    for (guint j = 0; j < vectors->len; j++)
      {
        const Vector *a = &g_array_index (vectors, Vector, i);
        const Vector *b = &g_array_index (vectors, Vector, j);
        gint order, bytes = kvsql_slice_compare (a->ascending, b->ascending);

        if (a->value.type != b->value.type || kvsql_value_is_null (&a->value)
            || a->type == KVSQL_TYPE_BYTES)
          continue;
        order = kvsql_value_compare (&a->value, &b->value);
        if (order == 0 && kvsql_type_get_class (a->type) == KVSQL_CLASS_REAL)
          continue; /* -0 and 0 */
        g_assert_cmpint (CLAMP (bytes, -1, 1), ==, CLAMP (order, -1, 1));
        g_assert_true (order == 0 || !kvsql_slice_has_prefix (b->ascending, a->ascending));
      }
}

/* Bytes that can be decoded are encoded to the same bytes: each value has one form (-0 is different
 * from 0). */
static void
test_strict (void)
{
  static const guint8 interesting[]
      = { 0, 1, 2, 3, 5, 0x7f, 0x80, 0x81, 0xc6, 0xc7, 0xc8, 0xf0, 0xf1, 0xff };

  for (guint i = 0; i < vectors->len; i++)
    {
      const Vector *vector = &g_array_index (vectors, Vector, i);
      gsize size = vector->ascending.size;

      for (gsize at = 0; at < size && size < 40; at++)
        for (guint b = 0; b < G_N_ELEMENTS (interesting) + 2; b++)
          {
            guint8 *bytes = kvsql_arena_alloc (arena, size + 1);
            gsize n = b == G_N_ELEMENTS (interesting) ? at : size;
            Vector other = { .type = vector->type };

            memcpy (bytes, vector->ascending.data, size);
            bytes[size] = 0;
            if (b < G_N_ELEMENTS (interesting))
              bytes[at] = interesting[b];
            else if (b > G_N_ELEMENTS (interesting))
              n = size + 1;
            if (kvsql_ordered_decode (vector->type, kvsql_slice (bytes, n), arena, &other.value))
              assert_bytes (encoded (&other), kvsql_slice (bytes, n));
          }
    }
}

static void
test_decimals_that_do_not_fit (void)
{
  static const struct
  {
    const gchar *text;
    gboolean fits;
  } cases[] = {
    { "1234567890123456789012345678901", TRUE },
    { "12345678901234567890123456789012", FALSE },
    { "-0.12345678901234567890123456789012", FALSE },
    { "12345678901234567890123456789012000000", FALSE },
    { "1e701", TRUE },
    { "1e702", FALSE },
    { "1e-1000", TRUE },
    { "0", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlSlice text;
      g_assert_true (
          kvsql_decimal_parse (kvsql_slice_from_text (cases[i].text), arena, &text, NULL));
      g_assert_cmpint (kvsql_ordered_decimal_fits (text), ==, cases[i].fits);
    }
}

int
main (int argc, char **argv)
{
  gint result;

  g_test_init (&argc, &argv, NULL);
  arena = kvsql_arena_new ();
  vectors = g_array_new (FALSE, FALSE, sizeof (Vector));
  read_vectors ();
  g_test_add_func ("/layout/ordered/bytes-are-those-of-hbase", test_vectors);
  g_test_add_func ("/layout/ordered/order", test_order);
  g_test_add_func ("/layout/ordered/one-value-one-form", test_strict);
  g_test_add_func ("/layout/ordered/decimals-that-do-not-fit", test_decimals_that_do_not_fit);
  result = g_test_run ();
  g_array_unref (vectors);
  kvsql_arena_free (arena);
  return result;
}
