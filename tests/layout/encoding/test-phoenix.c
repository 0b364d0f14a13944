/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-phoenix.c: compares Phoenix's data types with vectors from its own classes
 * (PhoenixVectors.java), and checks the order.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/layout/encoding/phoenix.h"
#include "core/layout/encoding/scalar.h"

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
  gsize n = g_str_equal (text, "-") ? 0 : strlen (text) / 2;
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
  g_assert_true (kvsql_type_from_name (parts[0], &vector.type));
  text = kvsql_slice_from_text (parts[1]);
  vector.value.type = vector.type;
  if (vector.type == KVSQL_TYPE_STRING || vector.type == KVSQL_TYPE_BYTES)
    vector.value.bytes = from_hex (parts[1]);
  else
    g_assert_true (kvsql_value_parse (vector.type, text, arena, &vector.value, NULL));
  g_array_append_val (vectors, vector);
}

static void
read_vectors (void)
{
  g_autofree gchar *path
      = g_test_build_filename (G_TEST_DIST, "layout", "encoding", "phoenix-vectors.txt", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_free (path);
      path = g_test_build_filename (G_TEST_DIST, "phoenix-vectors.txt", NULL);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    add_vector (lines[i]);
  g_assert_cmpuint (vectors->len, >, 900);
}

static KvsqlSlice
encoded (const Vector *vector)
{
  KvsqlBuffer buffer = { 0 };
  KvsqlSortedForm form;
  KvsqlSlice result;

  if (kvsql_phoenix_get_form (vector->type, &form))
    form.append (&form, &vector->value, &buffer);
  else if (vector->type == KVSQL_TYPE_DECIMAL)
    kvsql_phoenix_decimal_append (vector->value.bytes, &buffer);
  else
    kvsql_buffer_append_slice (&buffer, vector->value.bytes);
  result = kvsql_slice_dup (arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return result;
}

static gboolean
decoded (KvsqlType type, KvsqlSlice bytes, KvsqlValue *out)
{
  KvsqlSortedForm form;

  *out = (KvsqlValue){ .type = type };
  if (kvsql_phoenix_get_form (type, &form))
    return kvsql_phoenix_read (type, bytes, arena, out);
  if (type == KVSQL_TYPE_DECIMAL)
    return kvsql_phoenix_decimal_read (bytes, arena, &out->bytes);
  return kvsql_scalar_decode (type, bytes, TRUE, arena, out);
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
      g_assert_true (decoded (vector->type, vector->ascending, &back));
      g_assert_true (kvsql_value_equal (&back, &vector->value));
      /* the descending form is the complement: el-desc.c relies on it. The exception is a
       * descending BOOLEAN, where Phoenix swaps 0 and 1; there is no element for that. */
      if (vector->type == KVSQL_TYPE_BOOLEAN)
        continue;
      for (gsize j = 0; j < vector->ascending.size; j++)
        turned[j] ^= 0xff;
      assert_bytes (kvsql_slice (turned, vector->ascending.size), vector->descending);
    }
}

/* If nothing follows. A DECIMAL also sorts with 00 after it, since none of its bytes is below
 * 01. */
static void
test_order (void)
{
  for (guint i = 0; i < vectors->len; i++)
    for (guint j = 0; j < vectors->len; j++)
      {
        const Vector *a = &g_array_index (vectors, Vector, i);
        const Vector *b = &g_array_index (vectors, Vector, j);
        gint order, bytes = kvsql_slice_compare (a->ascending, b->ascending);

        if (a->value.type != b->value.type)
          continue;
        order = kvsql_value_compare (&a->value, &b->value);
        if (order == 0 && kvsql_type_get_class (a->type) == KVSQL_CLASS_REAL)
          continue; /* -0 and 0 */
        g_assert_cmpint (CLAMP (bytes, -1, 1), ==, CLAMP (order, -1, 1));
        g_assert_true (a->type != KVSQL_TYPE_DECIMAL
                       || memchr (a->ascending.data, 0, a->ascending.size) == NULL);
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
            if (decoded (vector->type, kvsql_slice (bytes, n), &other.value))
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
    { "12345678901234567890123456789012345678", TRUE },
    { "123456789012345678901234567890123456789", FALSE },
    { "-0.123456789012345678901234567890123456789", FALSE },
    { "12345678901234567890123456789012345678000000", TRUE },
    { "1e121", TRUE },
    { "1e122", FALSE },
    { "1e-126", TRUE },
    { "1e-127", FALSE },
    { "0", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlSlice text;
      g_assert_true (
          kvsql_decimal_parse (kvsql_slice_from_text (cases[i].text), arena, &text, NULL));
      g_assert_cmpint (kvsql_phoenix_decimal_fits (text), ==, cases[i].fits);
    }
}

static KvsqlSlice
decimal (const gchar *text)
{
  KvsqlSlice result;

  g_assert_true (kvsql_decimal_parse (kvsql_slice_from_text (text), arena, &result, NULL));
  return result;
}

/* A predicate may contain these numbers: their bytes sort in their place among those of other
 * numbers. */
static void
test_bounds_that_do_not_fit (void)
{
  static const gchar *const stored[] = { "-1e121",
                                         "-12.345678901234567890123456789012345678",
                                         "-1.2345678901234567890123456789012345679",
                                         "-1.2345678901234567890123456789012345678",
                                         "-1.234567890123456789012345678901234567",
                                         "-1e-126",
                                         "0",
                                         "1e-126",
                                         "1.234567890123456789012345678901234567",
                                         "1.2345678901234567890123456789012345678",
                                         "1.2345678901234567890123456789012345679",
                                         "1e121" };
  static const gchar *const bounds[]
      = { "-1e200", "-1e122", "-1e-127", "-1e-200", "1e-127", "1e200",
          /* the same 20 digits of base 100, and more digits */
          "-1.234567890123456789012345678901234567801", "1.234567890123456789012345678901234567801",
          "-1.23456789012345678901234567890123456780000000099",
          "1.23456789012345678901234567890123456780000000099",
          "-1.234567890123456789012345678901234567799", "1.234567890123456789012345678901234567799",
          "-12.345678901234567890123456789012345678123",
          "-1.2345678901234567890123456789012345670000001" };

  for (guint i = 0; i < G_N_ELEMENTS (stored); i++)
    for (guint j = 0; j < G_N_ELEMENTS (bounds); j++)
      {
        KvsqlSlice value = decimal (stored[i]), bound = decimal (bounds[j]);
        KvsqlBuffer a = { 0 }, b = { 0 };
        gint order = kvsql_decimal_compare (value, bound), bytes;

        g_assert_true (kvsql_phoenix_decimal_fits (value));
        g_assert_false (kvsql_phoenix_decimal_fits (bound));
        kvsql_phoenix_decimal_append (value, &a);
        kvsql_phoenix_decimal_append (bound, &b);
        bytes = kvsql_slice_compare (kvsql_buffer_slice (&a), kvsql_buffer_slice (&b));
        g_test_message ("%s %s", stored[i], bounds[j]);
        g_assert_cmpint (CLAMP (bytes, -1, 1), ==, CLAMP (order, -1, 1));
        kvsql_buffer_clear (&a);
        kvsql_buffer_clear (&b);
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
  g_test_add_func ("/layout/phoenix/bytes-are-those-of-phoenix", test_vectors);
  g_test_add_func ("/layout/phoenix/order", test_order);
  g_test_add_func ("/layout/phoenix/one-value-one-form", test_strict);
  g_test_add_func ("/layout/phoenix/decimals-that-do-not-fit", test_decimals_that_do_not_fit);
  g_test_add_func ("/layout/phoenix/bounds-that-do-not-fit", test_bounds_that_do_not_fit);
  result = g_test_run ();
  g_array_unref (vectors);
  kvsql_arena_free (arena);
  return result;
}
