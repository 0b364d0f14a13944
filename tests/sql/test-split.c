/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-split.c: splitting scripts into statements.
 */
#include "config.h"

#include "core/sql/parser.h"

/* The statements of @script joined by '|'. One without a final ';' ends with '?'. */
static gchar *
split_all (const gchar *script)
{
  gsize size = strlen (script), offset = 0;
  g_autofree gchar *copy = g_memdup2 (script, size);
  GString *out = g_string_new (NULL);
  KvsqlSlice statement;
  gboolean is_complete;

  while (kvsql_sql_split (kvsql_slice (copy, size), &offset, &statement, &is_complete))
    {
      g_assert_cmpuint (offset, <=, size);
      g_string_append (out, out->len > 0 ? "|" : "");
      g_string_append_len (out, (const gchar *)statement.data, statement.size);
      g_string_append (out, is_complete ? "" : "?");
    }
  g_assert_cmpuint (offset, ==, size);
  return g_string_free (out, FALSE);
}

static void
test_split (void)
{
  static const gchar *const cases[][2] = {
    { "", "" },
    { " \n\t ", "" },
    { "-- only a comment", "" },
    { "/* ; */ -- ;\n ;; ; ", "" },
    { "a", "a?" },
    { "a;", "a" },
    { "a;b", "a|b?" },
    { "a; b ;\n c\n;", "a|b|c" },
    { "a ';' b; c", "a ';' b|c?" },
    { "a 'it''s;' b; c;", "a 'it''s;' b|c" },
    { "a E'it\\';' b; c;", "a E'it\\';' b|c" },
    { "a e'x'';\\';' b; c;", "a e'x'';\\';' b|c" },
    { "E'\\\\'; b;", "E'\\\\'|b" },
    { "date'\\'; b;", "date'\\'|b" },
    { "a E'open\\'; b;", "a E'open\\'; b;?" },
    { "a \"x;\"\"y;\" b; c;", "a \"x;\"\"y;\" b|c" },
    { "a `;` b; c;", "a `;` b|c" },
    { "a `x``;` b; c;", "a `x``;` b|c" },
    { "a -- ';\n b; c;", "a -- ';\n b|c" },
    { "a /* '; */ b; c;", "a /* '; */ b|c" },
    { "a - b; c / d; e * f;", "a - b|c / d|e * f" },
    { "-- before\na;-- after\n", "a" },
    { "a; -- trailing", "a" },
    { "a 'open; b;", "a 'open; b;?" },
    { "a; 'open; b;", "a|'open; b;?" },
    { "a /* open; b;", "a /* open; b;?" },
    { "a; /* open; b;", "a|/* open; b;?" },
    { "a;; ;b;", "a|b" },
    { "a 'x' ';' ;b", "a 'x' ';'|b?" },
    { "a -", "a -?" },
    { "a /", "a /?" },
    { "a '", "a '?" },
    { "/**/a/***/;/*/*/b;", "a/***/|b" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *got = split_all (cases[i][0]);
      g_assert_cmpstr (got, ==, cases[i][1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sql/split", test_split);
  return g_test_run ();
}
