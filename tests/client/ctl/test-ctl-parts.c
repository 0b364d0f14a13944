/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-ctl-parts.c: the text functions of kvsqlctl: scripts, widths, errors, rows.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/report.h"
#include "client/ctl/split.h"
#include "client/ctl/terminal/width.h"
#include "client/ctl/terminal/writer.h"
#include "client/error-private.h"

/* ---- scripts */

static void
test_split (void)
{
  static const struct
  {
    const gchar *script;
    const gchar *pieces; /* joined by "|"; an incomplete one ends with "…" */
  } cases[] = {
    { "a;b", "a|b…" },
    { " a ; b ; ", "a |b " },
    { ";;", "" },
    { "", "" },
    { "-- only; a comment", "" },
    { "a -- x;y\n;b;", "a -- x;y\n|b" },
    { "/* ; */ a /* ; */;", "a /* ; */" },
    { "'a;''b';c", "'a;''b'|c…" },
    { "\"a;\"\"b\";c", "\"a;\"\"b\"|c…" },
    { "`a;b`;c", "`a;b`|c…" },
    { "x'3b';c;", "x'3b'|c" },
    { "'it\\';b;", "'it\\'|b" }, /* a backslash has no special meaning */
    { "E'it\\';b';c;", "E'it\\';b'|c" },
    { "a e'x'';\\';' b;c", "a e'x'';\\';' b|c…" },
    { "date'\\';b;", "date'\\'|b" },
    { "E'open\\';b", "E'open\\';b…" },
    { "'open;", "'open;…" },
    { "a /* open ;", "a /* open ;…" },
    { "/* open ;", "" },
    { "a - - b; c-d;", "a - - b|c-d" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) pieces = g_string_new (NULL);
      gsize size = strlen (cases[i].script), at = 0;
      KvsqlctlPiece piece;

      while (kvsqlctl_split (cases[i].script, size, at, &piece))
        {
          g_string_append (pieces, pieces->len > 0 ? "|" : "");
          g_string_append_len (pieces, cases[i].script + piece.start,
                               (gssize)(piece.end - piece.start));
          g_string_append (pieces, piece.is_closed ? "" : "…");
          g_assert_cmpuint (piece.next, >, at);
          at = piece.next;
        }
      g_assert_cmpstr (pieces->str, ==, cases[i].pieces);
    }
}

/* For random bytes it terminates, and stays inside them. */
static void
test_split_random (void)
{
  static const gchar alphabet[] = "a;'\"`-/*\n \0";

  for (guint i = 0; i < 20000; i++)
    {
      gsize size = (gsize)g_test_rand_int_range (0, 24), at = 0;
      g_autofree gchar *text = g_malloc (MAX (size, 1));
      KvsqlctlPiece piece;

      for (gsize j = 0; j < size; j++)
        text[j] = alphabet[g_test_rand_int_range (0, sizeof alphabet)];
      while (kvsqlctl_split (text, size, at, &piece))
        {
          g_assert_cmpuint (piece.start, >=, at);
          g_assert_cmpuint (piece.end, >, piece.start);
          g_assert_cmpuint (piece.next, <=, size);
          at = piece.next;
        }
    }
}

static void
test_begins_with (void)
{
  g_assert_true (kvsqlctl_begins_with ("/* x */ -- y\n explain (calls) a", 31, "EXPLAIN"));
  g_assert_true (kvsqlctl_begins_with ("EXPLAIN", 7, "EXPLAIN"));
  g_assert_false (kvsqlctl_begins_with ("explained", 9, "EXPLAIN"));
  g_assert_false (kvsqlctl_begins_with ("EXP", 3, "EXPLAIN"));
  g_assert_false (kvsqlctl_begins_with ("", 0, "EXPLAIN"));
}

/* ---- text on a terminal */

static void
test_width (void)
{
  g_assert_cmpuint (kvsqlctl_width (""), ==, 0);
  g_assert_cmpuint (kvsqlctl_width ("abc"), ==, 3);
  g_assert_cmpuint (kvsqlctl_width ("h\xc3\xa9"), ==, 2);
  g_assert_cmpuint (kvsqlctl_width ("\xe6\x97\xa5\xe6\x9c\xac"), ==, 4); /* two wide characters */
  g_assert_cmpuint (kvsqlctl_width ("e\xcc\x81"), ==, 1);                /* a combining accent */
}

static void
test_printable (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  kvsqlctl_append_printable (out, "a\033[2J\n\t\xff\xc3\xa9\0b\xe2\x80\xae", 15);
  g_assert_cmpstr (out->str, ==, "a\\x1b[2J\\n\\t\\xff\xc3\xa9\\x00b\\xe2\\x80\\xae");
  g_string_truncate (out, 0);
  kvsqlctl_append_printable_lines (out, "a\nb\r", 4);
  g_assert_cmpstr (out->str, ==, "a\nb\\r");
}

static void
test_keep (void)
{
  g_autoptr (GString) start = g_string_new ("abcdef");
  g_autoptr (GString) end = g_string_new ("abcdef");
  g_autoptr (GString) wide = g_string_new ("\xe6\x97\xa5\xe6\x9c\xac\xe6\x97\xa5");

  kvsqlctl_keep_start (start, 6);
  g_assert_cmpstr (start->str, ==, "abcdef");
  kvsqlctl_keep_start (start, 4);
  g_assert_cmpstr (start->str, ==, "abc…");
  kvsqlctl_keep_end (end, 4);
  g_assert_cmpstr (end->str, ==, "…def");
  kvsqlctl_keep_start (wide, 4);
  g_assert_cmpuint (kvsqlctl_width (wide->str), <=, 4);
  kvsqlctl_keep_start (start, 0);
  g_assert_cmpstr (start->str, ==, "");
}

/* ---- errors */

static GError *
error_at (gint position, gint length)
{
  g_auto (KvsqlServerError) source = { .code = KVSQL_CLIENT_ERROR_SYNTAX,
                                       .message = g_strdup ("wrong"),
                                       .position = position,
                                       .length = length };
  GError *error = NULL;

  _kvsql_client_error_set_from_server (&error, &source);
  return error;
}

static gchar *
draw (const gchar *text, const gchar *file, gint hidden, gint position, gint length)
{
  KvsqlctlSource source = { text, strlen (text), file, 10, hidden };
  g_autoptr (GError) error = error_at (position, length);
  GString *out = g_string_new (NULL);

  kvsqlctl_draw_error (out, error, &source, FALSE);
  return g_string_free (out, FALSE);
}

static void
test_cancelled (void)
{
  static const struct
  {
    const gchar *text; /* NULL: not a statement of the user */
    const gchar *drawing;
  } cases[] = {
    { "DELETE FROM t", "error: cancelled; a write may or may not have happened\n" },
    { "-- x\nselect * FROM t", "error: cancelled\n" },
    { NULL, "error: cancelled\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "x");
      g_autoptr (GString) out = g_string_new (NULL);
      KvsqlctlSource source = { .text = cases[i].text, .line = 1 };

      source.size = source.text != NULL ? strlen (source.text) : 0;
      kvsqlctl_draw_error (out, error, source.text != NULL ? &source : NULL, FALSE);
      g_assert_cmpstr (out->str, ==, cases[i].drawing);
    }
}

static void
test_caret (void)
{
  static const struct
  {
    const gchar *text;
    gint position, length;
    const gchar *drawing;
  } cases[] = {
    { "SELECT x", 7, 1, "error: wrong\n  10 | SELECT x\n     |        ^\n" },
    { "SELECT\n\txy FROM", 8, 2, "error: wrong\n  11 | \\txy FROM\n     |   ^^\n" },
    { "h\xc3\xa9\xe6\x97\xa5 x", 7, 1,
      "error: wrong\n  10 | h\xc3\xa9\xe6\x97\xa5 x\n     |      ^\n" },
    { "SELECT", 6, 0, "error: wrong\n  10 | SELECT\n     |       ^\n" },
    { "a\nb\n", 4, 1, "error: wrong\n  12 | \n     | ^\n" },
    { "a \xff b", 4, 1, "error: wrong\n  10 | a \\xff b\n     |        ^\n" },
    { "abc\ndef", 1, 100, "error: wrong\n  10 | abc\n     |  ^^\n" },
    { "abc", 4, 1, "error: wrong\n" },
    { "abc", -1, 1, "error: wrong\n" },
    { "", 0, 0, "error: wrong\n  10 | \n     | ^\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *drawing = draw (cases[i].text, NULL, 0, cases[i].position, cases[i].length);

      g_assert_cmpstr (drawing, ==, cases[i].drawing);
    }
}

static void
test_caret_of_hidden_prefix (void)
{
  g_autofree gchar *drawing = draw ("SELECT x", NULL, 8, 15, 1);
  g_autofree gchar *in_prefix = draw ("SELECT x", NULL, 8, 3, 1);

  g_assert_cmpstr (drawing, ==, "error: wrong\n  10 | SELECT x\n     |        ^\n");
  g_assert_cmpstr (in_prefix, ==, "error: wrong\n");
}

static void
test_caret_in_long_line (void)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree gchar *drawing = NULL;
  g_auto (GStrv) lines = NULL;

  for (guint i = 0; i < 500; i++)
    g_string_append_c (line, (gchar)('a' + i % 26));
  drawing = draw (line->str, "f", 0, 300, 500);
  lines = g_strsplit (drawing, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "f:10: error: wrong");
  g_assert_cmpuint (kvsqlctl_width (lines[1]), <=, 107);
  g_assert_cmpuint (strlen (lines[2]), <=, 107);
  /* The character above the caret is the one at the position. */
  g_assert_cmpint (
      g_utf8_get_char (g_utf8_offset_to_pointer (lines[1], (glong)strcspn (lines[2], "^"))), ==,
      line->str[300]);
}

static void
test_exit_status (void)
{
  g_autoptr (GError) foreign = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "x");
  g_autoptr (GError) unreachable
      = g_error_new (KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE, "x");
  g_autoptr (GError) syntax = g_error_new (KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_SYNTAX, "x");

  g_assert_cmpint (kvsqlctl_status_of (foreign), ==, 1);
  g_assert_cmpint (kvsqlctl_status_of (unreachable), ==, 3);
  g_assert_cmpint (kvsqlctl_status_of (syntax), ==, 1);
}

/* ---- rows */

static gchar *
write_rows (KvsqlctlFormat format, const KvsqlctlColumn *columns, guint n_columns,
            const gchar *const *texts, guint n_rows, gboolean is_complete)
{
  char *data = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&data, &size);
  KvsqlctlWriter *writer = kvsqlctl_writer_begin (format, out, FALSE, columns, n_columns);

  for (guint i = 0; i < n_rows; i++)
    kvsqlctl_writer_row (writer, texts + i * n_columns);
  kvsqlctl_writer_end (writer, is_complete);
  fclose (out);
  return data;
}

static const KvsqlctlColumn odd_columns[]
    = { { "t\n", KVSQL_COLUMN_TYPE_STRING }, { "n", KVSQL_COLUMN_TYPE_DOUBLE } };
static const gchar *const odd_texts[]
    = { "a,\"b\"\n\033", "NaN", "NULL", "-1.5", NULL, NULL, "", "1e+20" };

static void
test_writers (void)
{
  static const struct
  {
    KvsqlctlFormat format;
    const gchar *text;
  } cases[] = {
    { KVSQLCTL_FORMAT_TABLE, " t\\n         |     n\n-------------+-------\n"
                             " a,\"b\"\\n\\x1b |   NaN\n 'NULL'      |  -1.5\n"
                             " NULL        |  NULL\n             | 1e+20\n(4 rows)\n" },
    { KVSQLCTL_FORMAT_CSV,
      "\"t\n\",n\r\n\"a,\"\"b\"\"\n\033\",NaN\r\nNULL,-1.5\r\n,\r\n\"\",1e+20\r\n" },
    { KVSQLCTL_FORMAT_NDJSON, "{\"t\\n\": \"a,\\\"b\\\"\\n\\u001b\", \"n\": \"NaN\"}\n"
                              "{\"t\\n\": \"NULL\", \"n\": -1.5}\n{\"t\\n\": null, \"n\": null}\n"
                              "{\"t\\n\": \"\", \"n\": 1e+20}\n" },
    { KVSQLCTL_FORMAT_VERTICAL, "-- row 1 --\nt\\n: a,\"b\"\\n\\x1b\nn  : NaN\n"
                                "-- row 2 --\nt\\n: 'NULL'\nn  : -1.5\n"
                                "-- row 3 --\nt\\n: NULL\nn  : NULL\n"
                                "-- row 4 --\nt\\n: \nn  : 1e+20\n(4 rows)\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *text = write_rows (cases[i].format, odd_columns, 2, odd_texts, 4, TRUE);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* A truncated result does not look complete. */
static void
test_writers_after_error (void)
{
  g_autofree gchar *json = write_rows (KVSQLCTL_FORMAT_JSON, odd_columns, 2, odd_texts, 1, FALSE);
  g_autofree gchar *table = write_rows (KVSQLCTL_FORMAT_TABLE, odd_columns, 2, odd_texts, 1, FALSE);

  g_assert_false (g_str_has_suffix (json, "]\n"));
  g_assert_true (g_str_has_suffix (table, "(1 row, then an error)\n"));
}

static void
test_table_in_parts (void)
{
  static const KvsqlctlColumn column[] = { { "n", KVSQL_COLUMN_TYPE_INT } };
  g_autofree const gchar **texts = g_new (const gchar *, 2500);
  g_autofree gchar *table = NULL;
  g_auto (GStrv) lines = NULL;

  for (guint i = 0; i < 2500; i++)
    texts[i] = i < 1000 ? "1" : "123456";
  table = write_rows (KVSQLCTL_FORMAT_TABLE, column, 1, texts, 2500, TRUE);
  lines = g_strsplit (table, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 2504);
  g_assert_cmpstr (lines[2], ==, " 1");
  g_assert_cmpstr (lines[1002], ==, " 123456");
  g_assert_cmpstr (lines[2502], ==, "(2500 rows)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ctl/split/cuts-at-semicolons", test_split);
  g_test_add_func ("/ctl/split/random", test_split_random);
  g_test_add_func ("/ctl/split/first-word", test_begins_with);
  g_test_add_func ("/ctl/text/width", test_width);
  g_test_add_func ("/ctl/text/printable", test_printable);
  g_test_add_func ("/ctl/text/keep", test_keep);
  g_test_add_func ("/ctl/report/cancelled", test_cancelled);
  g_test_add_func ("/ctl/report/caret", test_caret);
  g_test_add_func ("/ctl/report/hidden-prefix", test_caret_of_hidden_prefix);
  g_test_add_func ("/ctl/report/long-line", test_caret_in_long_line);
  g_test_add_func ("/ctl/report/exit-status", test_exit_status);
  g_test_add_func ("/ctl/writer/odd-texts", test_writers);
  g_test_add_func ("/ctl/writer/after-error", test_writers_after_error);
  g_test_add_func ("/ctl/writer/table-in-parts", test_table_in_parts);
  return g_test_run ();
}
