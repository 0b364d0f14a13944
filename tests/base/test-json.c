/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-json.c: the reader of JSON, the canonical text and the order of JSONB, with PostgreSQL's
 * answers; and what hostile texts cost.
 */
#include "config.h"

#include "core/base/json.h"

static gchar *
canonical (const gchar *text, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice out;

  return kvsql_jsonb_parse (kvsql_slice_from_text (text), arena, &out, error)
             ? g_strndup ((const gchar *)out.data, out.size)
             : NULL;
}

static void
test_canonical (void)
{
  static const struct
  {
    const gchar *text, *jsonb;
  } cases[] = {
    { " { \"b\" : 2 , \"aa\":[ ] , \"a\":1 } ", "{\"a\": 1, \"b\": 2, \"aa\": []}" },
    { "{\"a\":1,\"b\":0,\"a\":{\"x\":null}}", "{\"a\": {\"x\": null}, \"b\": 0}" },
    { "{\"\":1,\"\\u0061\":2,\"a\":3}", "{\"\": 1, \"a\": 3}" },
    { "[1.50, -0, -0.0, 0e5, 1e5, 1E-5, 15e-1, 1.5e1, 1.50e1, 12.345e2]",
      "[1.50, 0, 0.0, 0, 100000, 0.00001, 1.5, 15, 15.0, 1234.5]" },
    { "123456789012345678901234567890.12345678901234567890",
      "123456789012345678901234567890.12345678901234567890" },
    { "\"\\u00e9\\ud83d\\ude04\\/\\b\\f\\n\\r\\t\\\"\\\\\\u0001\"",
      "\"é😄/\\b\\f\\n\\r\\t\\\"\\\\\\u0001\"" },
    { "[[],{},[[{}]]]", "[[], {}, [[{}]]]" },
    { "null", "null" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gchar *got = canonical (cases[i].text, &error), *again = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (got, ==, cases[i].jsonb);
      again = canonical (got, &error);
      g_assert_cmpstr (again, ==, got);
    }
}

static void
test_errors (void)
{
  static const struct
  {
    const gchar *text, *message, *detail, *sqlstate;
  } cases[] = {
    { "", "the input string ended unexpectedly", "It is at character 1 of the text.", "22P02" },
    { "[1,]", "token \"]\" is invalid", "It is at character 4 of the text.", "22P02" },
    { "{\"é\":1,x", "expected a string, but found \"x\"", "It is at character 8 of the text.",
      "22P02" },
    { "{\"a\" 1}", "expected \":\", but found \"1\"", "It is at character 6 of the text.",
      "22P02" },
    { "[1 2]", "expected \",\" or \"]\", but found \"2\"", "It is at character 4 of the text.",
      "22P02" },
    { "{\"a\":1 2}", "expected \",\" or \"}\", but found \"2\"",
      "It is at character 8 of the text.", "22P02" },
    { "1 x", "expected the end of the input, but found \"x\"", "It is at character 3 of the text.",
      "22P02" },
    { "01", "token \"01\" is invalid", "It is at character 1 of the text.", "22P02" },
    { "tru", "token \"tru\" is invalid", "It is at character 1 of the text.", "22P02" },
    { "\"\\q\"", "an escape sequence is invalid", "It is at character 2 of the text.", "22P02" },
    { "\"\t\"", "a control character in a string must be escaped",
      "It is at character 2 of the text.", "22P02" },
    { "\"\\u12\"", "\"\\u\" must be followed by four hexadecimal digits",
      "It is at character 2 of the text.", "22P02" },
    { "\"\\u0000\"", "\\u0000 cannot be converted to text", "It is at character 2 of the text.",
      "22P05" },
    { "\"\\ude04\"", "a low surrogate must follow a high surrogate",
      "It is at character 2 of the text.", "22P05" },
    { "1e131072", "value overflows numeric format", NULL, "22003" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gchar *got = canonical (cases[i].text, &error);
      const gchar *message;

      g_assert_null (got);
      g_assert_nonnull (error);
      message = error->message;
      if (g_str_has_prefix (message, "invalid input syntax for type json: "))
        message += strlen ("invalid input syntax for type json: ");
      g_assert_cmpstr (message, ==, cases[i].message);
      g_assert_cmpstr (kvsql_error_get_detail (error), ==, cases[i].detail);
      g_assert_cmpstr (kvsql_error_get_sqlstate (error), ==, cases[i].sqlstate);
    }
}

/* JSON keeps escapes that JSONB refuses. */
static void
test_check (void)
{
  static const gchar *const right[]
      = { "\"\\u0000\"", "\"\\ude04\"", "1e999999", " [ ] ", "{\"a\":1,\"a\":2}" };
  static const gchar *const wrong[]
      = { "", "[", "nul", "{a:1}", "\"\x01\"", "'a'", "\xff", "1\xc3" };

  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    g_assert_true (kvsql_json_check (kvsql_slice_from_text (right[i]), NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (kvsql_json_check (kvsql_slice_from_text (wrong[i]), NULL));
  g_assert_false (kvsql_json_check (kvsql_slice ("1\0", 2), NULL));
}

static void
test_order (void)
{
  /* ascending */
  static const gchar *const texts[] = { "[]",
                                        "null",
                                        "\"\"",
                                        "\"a\"",
                                        "\"aa\"",
                                        "\"b\"",
                                        "\"é\"",
                                        "-100",
                                        "-99.5",
                                        "-1.5",
                                        "-1",
                                        "-0.001",
                                        "0",
                                        "0.0009",
                                        "0.001",
                                        "1",
                                        "1.5",
                                        "9",
                                        "10",
                                        "99.9",
                                        "100",
                                        "1000000",
                                        "false",
                                        "true",
                                        "[null]",
                                        "[\"a\"]",
                                        "[1]",
                                        "[[]]",
                                        "[{}]",
                                        "[1, 1]",
                                        "[1, 2]",
                                        "[[], []]",
                                        "{}",
                                        "{\"a\": 1}",
                                        "{\"a\": []}",
                                        "{\"b\": 1}",
                                        "{\"a\": 1, \"b\": 0}" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
      {
        gint order = kvsql_jsonb_compare (kvsql_slice_from_text (texts[i]),
                                          kvsql_slice_from_text (texts[k]));
        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > k) - (i < k));
      }
  g_assert_cmpint (kvsql_jsonb_compare (KVSQL_SLICE_LITERAL ("[1.00, 0.0, 100]"),
                                        KVSQL_SLICE_LITERAL ("[1, 0, 100.0]")),
                   ==, 0);
}

static gchar *
repeated (const gchar *text, guint n)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (all, text);
  return g_string_free (all, FALSE);
}

static void
test_hostile (void)
{
  static const gchar *const parts[] = { "[", "{\"a\":", "[[", "[{\"a\":[" };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *open = repeated ("[", KVSQL_JSON_MAX_DEPTH);
  g_autofree gchar *close = repeated ("]", KVSQL_JSON_MAX_DEPTH);
  g_autofree gchar *deepest = g_strconcat (open, close, NULL);
  g_autofree gchar *big = repeated ("1e131071,", 1000), *array = g_strconcat ("[", big, "1]", NULL);
  g_autofree gchar *got = canonical (deepest, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (got, ==, deepest);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree gchar *text = repeated (parts[i], 1000000);

      g_assert_false (kvsql_json_check (kvsql_slice_from_text (text), &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
      g_assert_cmpstr (kvsql_error_get_sqlstate (error), ==, "54001");
      g_clear_error (&error);
    }
  /* 9 KB that would be 131 MB */
  g_assert_null (canonical (array, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

/* Changes texts at random: the reader never fails otherwise than with an error, what it accepts has
 * one canonical text, and check() and read() agree unless an escape cannot be text. */
static void
test_random (void)
{
  static const gchar *const seeds[]
      = { "{\"a\":[1,2.50,{\"b\":null}],\"cc\":\"x\\u00e9\\n\",\"d\":{\"a\":true,\"a\":false}}",
          "[-1.5e-3,\"\\ud83d\\ude04\",[],{},[[[\"é\"]]],0]", " \"a\\\\b\" ",
          "{\"\":{\"\":[null]}}" };
  static const gchar bytes[] = "{}[]\",:\\u0123e+-.tfn \x01\xc3\xa9/";
  guint n_right = 0;

  for (guint i = 0; i < 40000; i++)
    {
      g_autoptr (GString) text
          = g_string_new (seeds[g_test_rand_int_range (0, G_N_ELEMENTS (seeds))]);
      g_autoptr (GError) error = NULL, check_error = NULL;
      g_autofree gchar *first = NULL, *second = NULL;
      gboolean is_right;

      for (gint k = g_test_rand_int_range (0, 4); k > 0; k--)
        {
          gint at = g_test_rand_int_range (0, (gint)text->len);
          gchar byte = bytes[g_test_rand_int_range (0, sizeof bytes - 1)];

          if (g_test_rand_bit ())
            text->str[at] = byte;
          else if (g_test_rand_bit ())
            g_string_insert_c (text, at, byte);
          else
            g_string_erase (text, at, 1);
        }
      is_right = kvsql_json_check (kvsql_slice (text->str, text->len), &check_error);
      first = canonical (text->str, &error);
      if (first == NULL)
        {
          g_assert_nonnull (error);
          g_assert_true (!is_right || g_str_equal (kvsql_error_get_sqlstate (error), "22P05")
                         || g_str_equal (kvsql_error_get_sqlstate (error), "22003")
                         || error->code == KVSQL_ERROR_LIMIT);
          continue;
        }
      n_right++;
      g_assert_true (is_right);
      second = canonical (first, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (first, ==, second);
      g_assert_cmpint (
          kvsql_jsonb_compare (kvsql_slice_from_text (first), kvsql_slice_from_text (second)), ==,
          0);
    }
  g_assert_cmpuint (n_right, >, 10000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/canonical", test_canonical);
  g_test_add_func ("/json/errors", test_errors);
  g_test_add_func ("/json/check", test_check);
  g_test_add_func ("/json/order", test_order);
  g_test_add_func ("/json/hostile", test_hostile);
  g_test_add_func ("/json/random", test_random);
  return g_test_run ();
}
