/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-collection.c: maps and lists, and the names of their types.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/base/conversion.h"

static KvsqlType
type_of (const gchar *name)
{
  KvsqlType type = KVSQL_TYPE_NULL;

  g_assert_true (kvsql_type_from_name (name, &type));
  return type;
}

static void
test_types (void)
{
  static const gchar *const wrong[]
      = { "MAP",      "MAP<INT>",        "MAP<INT, INT>",      "LIST<>",
          "LIST<INT", "LIST<LIST<INT>>", "MAP<STRING, INT> x", "LISTS<INT>" };
  KvsqlType type;

  for (type = KVSQL_TYPE_STRING; type < KVSQL_N_TYPES; type++)
    {
      KvsqlType same;

      if (!kvsql_type_is_known (type))
        continue;
      g_assert_true (kvsql_type_from_name (kvsql_type_get_name (type), &same));
      g_assert_cmpint (same, ==, type);
    }
  g_assert_cmpint (type_of ("map< text ,numeric>"), ==, type_of ("MAP<STRING, DECIMAL>"));
  g_assert_cmpint (kvsql_type_get_element (type_of ("LIST<DATE>")), ==, KVSQL_TYPE_DATE);
  g_assert_cmpint (kvsql_type_get_element (type_of ("MAP<STRING, INT>")), ==, KVSQL_TYPE_INT);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (kvsql_type_from_name (wrong[i], &type));
}

static void
test_canonical (void)
{
  static const struct
  {
    const gchar *type, *text, *canonical; /* NULL: an error */
  } cases[] = {
    { "LIST<INT>", "{1, 2,NULL}", "[1,2,null]" },
    { "LIST<STRING>", " {a, \"b c\" ,\"NULL\",null,\"q\\\"\", x y } ",
      "[\"a\",\"b c\",\"NULL\",null,\"q\\\"\",\"x y\"]" },
    { "LIST<UUID>", "{A0EEBC999C0B4EF8BB6D6BB9BD380A11}",
      "[\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"]" },
    { "LIST<INT>", "{}", "[]" },
    { "LIST<INT>", "{1,}", NULL },
    { "LIST<INT>", "{,1}", NULL },
    { "LIST<INT>", "{1", NULL },
    { "LIST<INT>", "{1}}", NULL },
    { "LIST<INT>", "{{1},{2}}", NULL },
    { "LIST<STRING>", "{\"a\"b}", NULL },
    { "LIST<STRING>", "{a\"b\"}", NULL },
    { "LIST<INT>", "{x}", NULL },
    { "MAP<STRING, INT>", " { \"b\" : 2, \"a\":1 } ", "{\"a\":1,\"b\":2}" },
    { "MAP<STRING, INT>", "{}", "{}" },
    { "MAP<STRING, INT>", "{\"a\":1,\"a\":2}", NULL },
    { "MAP<STRING, INT>", "{\"a\":1,\"\\u0061\":1}", NULL },
    { "MAP<STRING, INT>", "{\"a\\\"\":1,\"b\":null,\"a\":2,\"c\":3}",
      "{\"a\":2,\"a\\\"\":1,\"b\":null,\"c\":3}" },
    { "MAP<STRING, INT>", "{\"a\":null}", "{\"a\":null}" },
    { "MAP<STRING, INT>", "{\"a\":\"7\"}", "{\"a\":7}" },
    { "MAP<STRING, INT>", "{\"a\":1.5}", NULL },
    { "MAP<STRING, INT>", "{\"a\":2147483648}", NULL },
    { "MAP<STRING, INT>", "{\"a\":true}", NULL },
    { "MAP<STRING, INT>", "{\"a\":{\"b\":1}}", NULL },
    { "MAP<STRING, INT>", "[1]", NULL },
    { "MAP<STRING, INT>", "", NULL },
    { "MAP<STRING, INT>", "{\"a\":1", NULL },
    { "MAP<STRING, INT>", "1{}", NULL },
    { "MAP<STRING, INT>", "null {\"a\":1}", NULL },
    { "MAP<STRING, INT>", "{}{}", NULL },
    { "MAP<STRING, STRING>", "{\"q\\\"\":\"\\u0041\\n\"}", "{\"q\\\"\":\"A\\u000a\"}" },
    { "MAP<STRING, BYTES>", "{\"a\":\"x'00FF'\"}", "{\"a\":\"x'00ff'\"}" },
    { "LIST<DECIMAL>", "[1.50, \"2.0\"]", "[\"1.5\",\"2\"]" },
    { "LIST<DOUBLE>", "[1, 0.5, \"NaN\"]", "[1,0.5,\"NaN\"]" },
    { "LIST<DOUBLE>", "[-0.0, 0.0, -0e5, 1e22]", "[-0.0,0,-0.0,1e+22]" },
    { "LIST<BOOLEAN>", "[true,\"f\"]", "[true,false]" },
    { "LIST<DATE>", "[\"2024-02-29\"]", "[\"2024-02-29\"]" },
    { "LIST<DATE>", "[\"2023-02-29\"]", NULL },
    { "LIST<STRING>", "[1]", NULL },
    { "LIST<STRING>", "[\"[{\",\"\\\\\"]", "[\"[{\",\"\\\\\"]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      KvsqlSlice out, again;
      KvsqlType type = type_of (cases[i].type);
      KvsqlValue value = { .bytes = KVSQL_SLICE_EMPTY };
      gboolean ok
          = kvsql_value_parse (type, kvsql_slice_from_text (cases[i].text), arena, &value, &error);

      out = value.bytes;
      if (ok != (cases[i].canonical != NULL))
        g_error ("%s %s: %s", cases[i].type, cases[i].text, ok ? "accepted" : error->message);
      if (!ok)
        continue;
      g_assert_cmpmem (out.data, out.size, cases[i].canonical, strlen (cases[i].canonical));
      g_assert_true (kvsql_collection_parse (type, out, arena, &again, &error));
      g_assert_true (kvsql_slice_equal (out, again));
    }
}

/* A megabyte of brackets is rejected without recursion. */
static void
test_deep (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *deep = g_strnfill (1024 * 1024, '[');
  KvsqlValue value;
  KvsqlSlice out;

  g_assert_false (kvsql_collection_parse (type_of ("LIST<INT>"), kvsql_slice_from_text (deep),
                                          arena, &out, NULL));
  g_assert_false (
      kvsql_value_parse_json (KVSQL_TYPE_INT, kvsql_slice_from_text (deep), arena, &value));
}

static void
test_elements (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlType map = type_of ("MAP<STRING, INT>"), list = type_of ("LIST<DATE>");
  KvsqlSlice text = KVSQL_SLICE_LITERAL ("{\"a\":7,\"b\":null}"),
             days = KVSQL_SLICE_LITERAL ("[\"1970-01-02\",null]");
  KvsqlValue value;

  kvsql_map_get (map, text, KVSQL_SLICE_LITERAL ("a"), arena, &value);
  g_assert_true (value.type == KVSQL_TYPE_INT && value.integer == 7);
  kvsql_map_get (map, text, KVSQL_SLICE_LITERAL ("b"), arena, &value);
  g_assert_true (kvsql_value_is_null (&value));
  kvsql_map_get (map, text, KVSQL_SLICE_LITERAL ("c"), arena, &value);
  g_assert_true (kvsql_value_is_null (&value));
  kvsql_map_get (map, KVSQL_SLICE_LITERAL ("{\"\":5}"), KVSQL_SLICE_EMPTY, arena, &value);
  g_assert_true (value.type == KVSQL_TYPE_INT && value.integer == 5);
  kvsql_map_get (map, text, KVSQL_SLICE_LITERAL ("a\0"), arena, &value);
  g_assert_true (kvsql_value_is_null (&value));
  kvsql_list_get (list, days, 1, arena, &value);
  g_assert_true (value.type == KVSQL_TYPE_DATE && value.integer == 1);
  for (gint64 index = -1; index <= 4; index += index == 0 ? 2 : 1)
    {
      kvsql_list_get (list, days, index, arena, &value);
      g_assert_cmpint (kvsql_value_is_null (&value), ==, index != 1);
    }
  g_assert_cmpint (kvsql_collection_get_size (map, text), ==, 2);
  g_assert_false (
      kvsql_value_parse_json (KVSQL_TYPE_INT, KVSQL_SLICE_LITERAL ("1{}"), arena, &value));
  g_assert_true (
      kvsql_value_parse_json (KVSQL_TYPE_INT, KVSQL_SLICE_LITERAL (" 1 "), arena, &value));
  g_assert_cmpint (kvsql_collection_get_size (list, KVSQL_SLICE_LITERAL ("[]")), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/collection/types", test_types);
  g_test_add_func ("/base/collection/canonical", test_canonical);
  g_test_add_func ("/base/collection/deep", test_deep);
  g_test_add_func ("/base/collection/elements", test_elements);
  return g_test_run ();
}
