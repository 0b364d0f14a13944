/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-hive-text.c: compares the texts of Hive with vectors that Java wrote (HiveVectors.java), and
 * reads texts of other releases.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/conversion.h"
#include "core/layout/encoding/hive-text.h"

static KvsqlArena *arena;

/* The value of a line, the scale of a DECIMAL, and the text. */
static KvsqlValue
read_line (gchar **parts, guint *out_scale, const gchar **out_text)
{
  KvsqlValue value = { 0 };

  *out_scale = 0;
  g_assert_true (kvsql_type_from_name (parts[0], &value.type));
  if (value.type == KVSQL_TYPE_DECIMAL)
    {
      *out_scale = (guint)g_ascii_strtoull (parts[1], NULL, 10);
      g_assert_true (
          kvsql_value_parse (value.type, kvsql_slice_from_text (parts[2]), arena, &value, NULL));
      *out_text = parts[3];
    }
  else if (value.type == KVSQL_TYPE_TIMESTAMP)
    {
      value.integer = g_ascii_strtoll (parts[1], NULL, 10);
      *out_text = parts[2];
    }
  else
    {
      guint64 bits = g_ascii_strtoull (parts[1], NULL, 16);
      guint32 low = (guint32)bits;
      gfloat single;

      memcpy (&single, &low, sizeof single);
      memcpy (&value.real, &bits, sizeof value.real);
      value.real = value.type == KVSQL_TYPE_FLOAT ? (gdouble)single : value.real;
      *out_text = parts[2];
    }
  return value;
}

static gboolean
is_same (const KvsqlValue *a, const KvsqlValue *b)
{
  if (a->type != b->type)
    return FALSE;
  if (a->type == KVSQL_TYPE_DECIMAL)
    return kvsql_slice_equal (a->bytes, b->bytes);
  if (a->type == KVSQL_TYPE_TIMESTAMP)
    return a->integer == b->integer;
  return isnan (a->real) ? isnan (b->real)
                         : a->real == b->real && signbit (a->real) == signbit (b->real);
}

/* Java before 19 has more digits than needed in some reals. */
static void
compare_texts (const KvsqlValue *value, const gchar *ours, const gchar *others, guint *n_longer)
{
  gboolean is_real = value->type == KVSQL_TYPE_FLOAT || value->type == KVSQL_TYPE_DOUBLE;

  if (is_real && strlen (ours) < strlen (others))
    ++*n_longer;
  else
    g_assert_cmpstr (ours, ==, others);
}

static void
test_vectors (void)
{
  g_autofree gchar *path
      = g_test_build_filename (G_TEST_DIST, "layout", "encoding", "hive-vectors.txt", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0, n_longer = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++, n++)
    {
      gboolean is_decimal = g_str_has_prefix (lines[i], "DECIMAL");
      g_auto (GStrv) parts = g_strsplit (lines[i], " ", is_decimal ? 4 : 3);
      g_autoptr (GString) ours = g_string_new (NULL);
      const gchar *others;
      guint scale;
      KvsqlValue value = read_line (parts, &scale, &others), back;

      g_assert_true (kvsql_hive_append_text (&value, scale, ours));
      compare_texts (&value, ours->str, others, &n_longer);
      g_assert_true (
          kvsql_hive_parse_text (value.type, scale, kvsql_slice_from_text (others), arena, &back));
      g_assert_true (is_same (&value, &back));
      g_assert_true (kvsql_hive_parse_text (value.type, scale, kvsql_slice (ours->str, ours->len),
                                            arena, &back));
      g_assert_true (is_same (&value, &back));
    }
  g_assert_cmpuint (n, >, 500);
  g_assert_cmpuint (n_longer, <, 20);
}

/* @value: NULL: the text is none of a value */
static const struct
{
  KvsqlType type;
  guint scale;
  const gchar *text;
  const gchar *value;
} texts[] = {
  { KVSQL_TYPE_DOUBLE, 0, "1", "1" },
  { KVSQL_TYPE_DOUBLE, 0, "1e3", "1000" },
  { KVSQL_TYPE_DOUBLE, 0, "+1.50E+03", "1500" },
  { KVSQL_TYPE_DOUBLE, 0, "", NULL },
  { KVSQL_TYPE_DOUBLE, 0, " 1.0", NULL },
  { KVSQL_TYPE_DOUBLE, 0, "1.0f", NULL },
  { KVSQL_TYPE_DOUBLE, 0, "0x1p3", NULL },
  { KVSQL_TYPE_DOUBLE, 0, "\\N", NULL },
  { KVSQL_TYPE_FLOAT, 0, "NULL", NULL },
  { KVSQL_TYPE_DECIMAL, 2, "12.5", "12.5" },
  { KVSQL_TYPE_DECIMAL, 2, "12", "12" },
  { KVSQL_TYPE_DECIMAL, 2, "012.500", "12.5" },
  { KVSQL_TYPE_DECIMAL, 2, "12.505", NULL },
  { KVSQL_TYPE_DECIMAL, 2, "12.", NULL },
  { KVSQL_TYPE_DECIMAL, 2, ".5", NULL },
  { KVSQL_TYPE_DECIMAL, 2, "-", NULL },
  { KVSQL_TYPE_DECIMAL, 2, "1.2.3", NULL },
  { KVSQL_TYPE_DECIMAL, 2, "1e2", NULL },
  { KVSQL_TYPE_DECIMAL, 2, "", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00.0", "2024-02-29T12:00:00Z" },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00.120000000", "2024-02-29T12:00:00.12Z" },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00.1200001", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00.1200000000", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00.", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00.-1", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:00Z", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29T12:00:00", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-30 12:00:00", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 24:00:00", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:60:00", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00:60", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "0000-01-01 00:00:00", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-29 12:00", NULL },
  { KVSQL_TYPE_TIMESTAMP, 0, "2024-02-2x 12:00:00", NULL },
};

static void
test_texts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      KvsqlValue value, expected;

      g_test_message ("%s", texts[i].text);
      g_assert_cmpint (kvsql_hive_parse_text (texts[i].type, texts[i].scale,
                                              kvsql_slice_from_text (texts[i].text), arena, &value),
                       ==, texts[i].value != NULL);
      if (texts[i].value == NULL)
        continue;
      g_assert_true (kvsql_value_parse (texts[i].type, kvsql_slice_from_text (texts[i].value),
                                        arena, &expected, NULL));
      g_assert_true (is_same (&value, &expected));
    }
}

static void
test_no_form (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlValue value;

  g_assert_true (
      kvsql_value_parse (KVSQL_TYPE_DECIMAL, kvsql_slice_from_text ("0.125"), arena, &value, NULL));
  g_assert_false (kvsql_hive_append_text (&value, 2, text));
  g_assert_cmpuint (text->len, ==, 0);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  arena = kvsql_arena_new ();
  g_test_add_func ("/layout/hive-text/vectors", test_vectors);
  g_test_add_func ("/layout/hive-text/texts", test_texts);
  g_test_add_func ("/layout/hive-text/no-form", test_no_form);
  status = g_test_run ();
  kvsql_arena_free (arena);
  return status;
}
