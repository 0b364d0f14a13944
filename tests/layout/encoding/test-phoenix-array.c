/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-phoenix-array.c: compares lists with bytes that were derived by hand, and with vectors from
 * Phoenix's own arrays (PhoenixArrayVectors.java). Bytes that are no array are not accepted.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/conversion.h"
#include "core/layout/encoding/phoenix-array.h"

#define LIST_OF(type) ((KvsqlType)(KVSQL_TYPE_LIST + (type)-1))

static KvsqlArena *arena;

typedef struct
{
  KvsqlPhoenixArray form;
  KvsqlValue *values;
  guint n;
  KvsqlSlice bytes;
} Vector;

static KvsqlSlice
from_hex (const gchar *text)
{
  gsize n = strlen (text) / 2;
  guint8 *bytes = kvsql_arena_alloc (arena, n + 1);

  for (gsize i = 0; i < n; i++)
    bytes[i] = g_ascii_xdigit_value (text[2 * i]) << 4 | g_ascii_xdigit_value (text[2 * i + 1]);
  return kvsql_slice (bytes, n);
}

/* @argument: of phoenix(…){…}; "-": none. */
static KvsqlPhoenixArray
make_form (KvsqlType type, const gchar *argument)
{
  g_auto (GStrv) parts = g_strsplit (argument, ",", -1);
  KvsqlPhoenixArray form;
  const KvsqlPhoenixArray *found;

  if (g_str_equal (argument, "-"))
    {
      g_assert_true (kvsql_phoenix_array_for_type (type, &form));
      return form;
    }
  found = kvsql_phoenix_array_find (parts[0]);
  g_assert_nonnull (found);
  g_assert_true (kvsql_phoenix_array_takes (found, type));
  form = *found;
  form.type = type;
  g_assert_cmpint (form.has_width, ==, parts[1] != NULL);
  if (form.has_width)
    form.size = (gsize)g_ascii_strtoull (parts[1], NULL, 10);
  return form;
}

static Vector
make_vector (const gchar *type_name, const gchar *argument, const gchar *json, const gchar *hex)
{
  Vector vector = { .bytes = from_hex (hex) };
  KvsqlType type;
  KvsqlSlice text;

  g_assert_true (kvsql_type_from_name (type_name, &type));
  g_test_message ("%s", json);
  g_assert_true (
      kvsql_collection_parse (LIST_OF (type), kvsql_slice_from_text (json), arena, &text, NULL));
  vector.form = make_form (type, argument);
  kvsql_list_split (LIST_OF (type), text, arena, &vector.values, &vector.n);
  return vector;
}

static KvsqlSlice
encoded (const KvsqlPhoenixArray *form, const KvsqlValue *values, guint n)
{
  KvsqlBuffer buffer = { 0 };
  KvsqlSlice result;
  guint element;

  g_assert_null (kvsql_phoenix_array_check (form, values, n, &element));
  /* places are counted from the start of the array */
  kvsql_buffer_append (&buffer, "before", strlen ("before"));
  kvsql_phoenix_array_append (form, values, n, &buffer);
  result = kvsql_slice_dup (arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return kvsql_slice (result.data + strlen ("before"), result.size - strlen ("before"));
}

static void
assert_bytes (KvsqlSlice got, KvsqlSlice expected)
{
  g_autofree gchar *a = kvsql_hex (got), *b = kvsql_hex (expected);

  g_assert_cmpstr (a, ==, b);
}

static void
check_vector (const Vector *self)
{
  KvsqlValue *values;
  guint n;

  assert_bytes (encoded (&self->form, self->values, self->n), self->bytes);
  g_assert_true (kvsql_phoenix_array_read (&self->form, self->bytes, arena, &values, &n));
  g_assert_cmpuint (n, ==, self->n);
  for (guint i = 0; i < n; i++)
    g_assert_true (kvsql_value_equal (&values[i], &self->values[i]));
}

/* ---- bytes */

/* clang-format off */
static const struct
{
  const gchar *type, *argument, *list, *bytes;
} by_hand[] = {
  /* nothing but the elements */
  { "INT", "-", "[1,-1]", "80000001" "7fffffff" },
  { "BOOLEAN", "-", "[true,false]", "01" "00" },
  { "INT", "smallint", "[1,-1]", "8001" "7fff" },
  { "INT", "unsigned_smallint", "[1,256]", "0001" "0100" },
  { "TIMESTAMP", "timestamp", "[\"1970-01-01T00:00:00.001Z\"]", "8000000000000001" "00000000" },
  { "STRING", "char,2", "[\"a\",\"ab\",\"\"]", "6120" "6162" "2020" },
  /* a 00 b 00 | 00 00 | offsets 0 and 2, less 32767 | 6: where the offsets start | 2 elements | version */
  { "STRING", "-", "[\"a\",\"b\"]", "6100" "6200" "0000" "80018003" "00000006" "00000002" "01" },
  /* two NULLs before a value: 00, ff - 1; both start before it */
  { "STRING", "-", "[\"a\",null,null,\"b\"]", "6100" "00fe" "6200" "0000" "8001800380038005" "00000008" "00000004" "01" },
  /* NULLs at the end have an offset only */
  { "STRING", "-", "[\"a\",null]", "6100" "0000" "80018003" "00000004" "00000002" "01" },
  { "STRING", "-", "[null]", "0000" "8001" "00000002" "00000001" "01" },
  { "DECIMAL", "-", "[null,\"1\",\"0\"]", "00ff" "c10200" "8000" "0000" "800180038006" "00000009" "00000003" "01" },
};
/* clang-format on */

static void
test_by_hand (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (by_hand); i++)
    {
      Vector vector
          = make_vector (by_hand[i].type, by_hand[i].argument, by_hand[i].list, by_hand[i].bytes);
      check_vector (&vector);
    }
}

/* @n texts of @size letters */
static void
check_long (guint n, gsize size, const gchar *sum)
{
  KvsqlPhoenixArray form = make_form (KVSQL_TYPE_STRING, "-");
  guint8 *letters = kvsql_arena_alloc (arena, size);
  KvsqlValue *values = kvsql_arena_array (arena, KvsqlValue, n);
  g_autofree gchar *got = NULL;
  Vector vector = { .form = form, .values = values, .n = n };

  memset (letters, 'a', size);
  for (guint i = 0; i < n; i++)
    values[i] = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice (letters, size) };
  vector.bytes = encoded (&form, values, n);
  got = g_compute_checksum_for_data (G_CHECKSUM_SHA256, vector.bytes.data, vector.bytes.size);
  g_assert_cmpstr (got, ==, sum);
  check_vector (&vector);
}

static gchar **
read_lines (void)
{
  static const gchar name[] = "phoenix-array-vectors.txt";
  g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "layout", "encoding", name, NULL);
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_free (path);
      path = g_test_build_filename (G_TEST_DIST, name, NULL);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    }
  g_strchomp (text);
  return g_strsplit (text, "\n", -1);
}

static void
test_vectors (void)
{
  g_auto (GStrv) lines = read_lines ();

  g_assert_cmpuint (g_strv_length (lines), >, 200);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], " ", -1);
      Vector vector;

      g_assert_cmpuint (g_strv_length (parts), ==, 4);
      if (g_str_equal (parts[0], "LONG"))
        {
          check_long ((guint)g_ascii_strtoull (parts[1], NULL, 10),
                      (gsize)g_ascii_strtoull (parts[2], NULL, 10), parts[3]);
          continue;
        }
      vector = make_vector (parts[0], parts[1], parts[2], parts[3]);
      check_vector (&vector);
    }
}

/* ---- other bytes */

static void
check_one_form (const KvsqlPhoenixArray *form, KvsqlSlice bytes)
{
  KvsqlValue *values;
  guint n;

  if (kvsql_phoenix_array_read (form, bytes, arena, &values, &n))
    assert_bytes (encoded (form, values, n), bytes);
}

/* Bytes that can be read are written again: each list has one form. */
static void
test_strict (void)
{
  static const guint8 interesting[] = { 0, 1, 2, 0x20, 0x7f, 0x80, 0x81, 0xfe, 0xff };
  g_auto (GStrv) lines = read_lines ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], " ", -1);
      Vector vector;
      guint8 *copy;

      if (g_str_equal (parts[0], "LONG") || strlen (parts[3]) > 600)
        continue;
      vector = make_vector (parts[0], parts[1], parts[2], parts[3]);
      copy = kvsql_arena_alloc (arena, vector.bytes.size + 1);
      memcpy (copy, vector.bytes.data, vector.bytes.size);
      copy[vector.bytes.size] = 0;
      for (gsize at = 0; at < vector.bytes.size; at++)
        {
          check_one_form (&vector.form, kvsql_slice (copy, at));
          check_one_form (&vector.form, kvsql_slice (copy + at, vector.bytes.size - at));
          for (guint b = 0; b < G_N_ELEMENTS (interesting); b++)
            {
              copy[at] = interesting[b];
              check_one_form (&vector.form, kvsql_slice (copy, vector.bytes.size));
            }
          copy[at] = vector.bytes.data[at];
        }
      check_one_form (&vector.form, kvsql_slice (copy, vector.bytes.size + 1));
    }
}

/* clang-format off */
static const struct
{
  const gchar *type, *argument, *bytes;
} no_arrays[] = {
  { "INT", "-", "" },
  { "INT", "-", "800000" },
  { "INT", "-", "8000000180" },
  { "BOOLEAN", "-", "02" },
  { "DATE", "-", "8000000000000001" },                     /* not midnight */
  { "INT", "unsigned_int", "80000000" },                   /* below 0 in Java */
  { "FLOAT", "unsigned_float", "bf800000" },
  { "TIMESTAMP", "timestamp", "800000000000000100000001" }, /* a nanosecond */
  { "STRING", "char,2", "61c3" },
  { "STRING", "char,2", "6100" },
  { "STRING", "-", "" },
  { "STRING", "-", "01" },
  { "STRING", "-", "000000000000000001" },                  /* no element */
  { "STRING", "-", "0000" "00000002" "00000000" "01" },     /* no element */
  { "STRING", "-", "6100" "0000" "8001" "00000004" "00000001" "02" },             /* versions of cells */
  { "STRING", "-", "6100" "0000" "8001" "00000004" "00000001" "03" },
  { "STRING", "-", "6100" "0000" "8001" "00000005" "00000001" "01" },             /* offsets elsewhere */
  { "STRING", "-", "6100" "0000" "8001" "fffffffe" "00000001" "01" },
  { "STRING", "-", "6100" "0000" "8001" "00000004" "7fffffff" "01" },             /* more elements */
  { "STRING", "-", "6100" "0000" "8001" "00000004" "80000000" "01" },
  { "STRING", "-", "6100" "0000" "00000000" "00000004" "ffffffff" "01" },         /* needless 4 bytes */
  { "STRING", "-", "6100" "0000" "8002" "00000004" "00000001" "01" },             /* starts at 1 */
  { "STRING", "-", "6100" "0000" "8000" "00000004" "00000001" "01" },             /* starts at -1 */
  { "STRING", "-", "6100" "0000" "7fff" "00000004" "00000001" "01" },             /* starts at 65534 */
  { "STRING", "-", "6162" "0000" "8001" "00000004" "00000001" "01" },             /* no 00 after it */
  { "STRING", "-", "610000" "8001" "00000003" "00000001" "01" },                  /* one 00 at the end */
  { "STRING", "-", "6100" "6200" "0000" "80018001" "00000006" "00000002" "01" },  /* both at 0 */
  { "STRING", "-", "6100" "6200" "0000" "80018002" "00000006" "00000002" "01" },  /* an empty one */
  { "STRING", "-", "6100" "6200" "0000" "80018005" "00000006" "00000002" "01" },  /* of NULL and more */
  { "STRING", "-", "6100" "6200" "0000" "80038001" "00000006" "00000002" "01" },  /* backwards */
  { "STRING", "-", "6100" "00fd" "6200" "0000" "800180038005" "00000008" "00000003" "01" }, /* two NULLs are one */
  { "STRING", "-", "6100" "00ff" "0000" "80018003" "00000006" "00000002" "01" },  /* a NULL at the end is counted */
  { "STRING", "-", "610061" "00" "0000" "8001" "00000006" "00000001" "01" },      /* a zero byte in a text */
  { "STRING", "-", "c300" "0000" "8001" "00000004" "00000001" "01" },             /* not UTF-8 */
  { "DECIMAL", "-", "c10100" "0000" "8001" "00000005" "00000001" "01" },          /* a digit 0 */
};
/* clang-format on */

static void
test_no_arrays (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (no_arrays); i++)
    {
      KvsqlPhoenixArray form;
      KvsqlValue *values;
      KvsqlType type;
      guint n;

      g_assert_true (kvsql_type_from_name (no_arrays[i].type, &type));
      form = make_form (type, no_arrays[i].argument);
      g_test_message ("%s", no_arrays[i].bytes);
      g_assert_false (
          kvsql_phoenix_array_read (&form, from_hex (no_arrays[i].bytes), arena, &values, &n));
    }
}

/* As many elements as a list can have, and one more. */
static void
test_limit (void)
{
  KvsqlPhoenixArray form = make_form (KVSQL_TYPE_BOOLEAN, "-");
  gsize size = KVSQL_COLLECTION_MAX_ELEMENTS + 1;
  g_autofree guint8 *bytes = g_malloc0 (size);
  KvsqlValue *values;
  guint n;

  g_assert_true (
      kvsql_phoenix_array_read (&form, kvsql_slice (bytes, size - 1), arena, &values, &n));
  g_assert_cmpuint (n, ==, size - 1);
  g_assert_false (kvsql_phoenix_array_read (&form, kvsql_slice (bytes, size), arena, &values, &n));
}

/* ---- lists without a form */

/* clang-format off */
static const struct
{
  const gchar *type, *argument, *list, *what;
  guint element;
} faults[] = {
  { "INT", "-", "[]", "is empty, which", 0 },
  { "STRING", "-", "[]", "is empty, which", 0 },
  { "INT", "-", "[1,null]", "is NULL", 2 },
  { "STRING", "char,2", "[null]", "is NULL", 1 },
  { "STRING", "-", "[\"a\",\"\"]", "is empty and", 2 },
  { "DECIMAL", "-", "[\"123456789012345678901234567890123456789\"]", "38", 1 },
  { "INT", "tinyint", "[127,128]", "does not fit", 2 },
  { "INT", "tinyint", "[-129]", "does not fit", 1 },
  { "BIGINT", "unsigned_int", "[2147483648]", "does not fit", 1 },
  { "INT", "unsigned_int", "[0,-1]", "is below 0", 2 },
  { "FLOAT", "unsigned_float", "[-0.5]", "is below 0", 1 },
  { "TIMESTAMP", "unsigned_date", "[\"1969-12-31\"]", "is below 0", 1 },
  { "STRING", "char,2", "[\"abc\"]", "does not fit", 1 },
  { "STRING", "char,2", "[\"\xc3\xa9\"]", "is not ASCII", 1 },
  { "STRING", "char,2", "[\"a \"]", "ends in a blank", 1 },
  { "BYTES", "binary,2", "[\"x'00'\"]", "another size", 1 },
};
/* clang-format on */

static void
test_faults (void)
{
  KvsqlPhoenixArray texts = make_form (KVSQL_TYPE_STRING, "-");
  KvsqlValue zero = { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("\0a") };
  guint element;

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      Vector vector = make_vector (faults[i].type, faults[i].argument, faults[i].list, "");
      const KvsqlPhoenixFault *fault
          = kvsql_phoenix_array_check (&vector.form, vector.values, vector.n, &element);

      g_assert_nonnull (fault);
      g_test_message ("%s: %s", faults[i].list, fault->what);
      g_assert_nonnull (strstr (fault->what, faults[i].what));
      g_assert_cmpuint (element, ==, faults[i].element);
    }
  g_assert_nonnull (
      strstr (kvsql_phoenix_array_check (&texts, &zero, 1, &element)->what, "zero byte"));
}

static void
test_types (void)
{
  static const KvsqlType none[] = { KVSQL_TYPE_BYTES, KVSQL_TYPE_UUID, KVSQL_TYPE_INTERVAL };
  KvsqlPhoenixArray form;

  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_false (kvsql_phoenix_array_for_type (none[i], &form));
  g_assert_null (kvsql_phoenix_array_find ("integer"));
  g_assert_true (kvsql_phoenix_array_find ("SmallInt") == kvsql_phoenix_array_find ("smallint"));
  for (guint i = 0; kvsql_phoenix_array_list ()[i] != NULL; i++)
    g_assert_nonnull (kvsql_phoenix_array_find (kvsql_phoenix_array_list ()[i]));
  g_assert_false (
      kvsql_phoenix_array_takes (kvsql_phoenix_array_find ("timestamp"), KVSQL_TYPE_DATE));
  g_assert_false (
      kvsql_phoenix_array_takes (kvsql_phoenix_array_find ("tinyint"), KVSQL_TYPE_STRING));
}

int
main (int argc, char **argv)
{
  gint result;

  g_test_init (&argc, &argv, NULL);
  arena = kvsql_arena_new ();
  g_test_add_func ("/layout/phoenix-array/bytes-by-hand", test_by_hand);
  g_test_add_func ("/layout/phoenix-array/bytes-are-those-of-phoenix", test_vectors);
  g_test_add_func ("/layout/phoenix-array/one-list-one-form", test_strict);
  g_test_add_func ("/layout/phoenix-array/bytes-that-are-no-array", test_no_arrays);
  g_test_add_func ("/layout/phoenix-array/limit", test_limit);
  g_test_add_func ("/layout/phoenix-array/lists-without-a-form", test_faults);
  g_test_add_func ("/layout/phoenix-array/types", test_types);
  result = g_test_run ();
  kvsql_arena_free (arena);
  return result;
}
