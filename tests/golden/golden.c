/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * golden.c: reads, registers and rewrites golden files.
 */
#include "config.h"

#include <string.h>

#include "core/base/error.h"
#include "tests/golden/golden.h"

typedef struct
{
  gchar *input;
  gchar *expected;
  GoldenRender render;
} Case;

static void
case_free (gpointer data)
{
  Case *self = data;

  g_free (self->input);
  g_free (self->expected);
  g_free (self);
}

static void
run_case (gconstpointer data)
{
  const Case *self = data;
  g_autofree gchar *got = self->render (self->input);

  g_strchomp (got);
  if (g_strcmp0 (got, self->expected) != 0)
    g_test_message ("input:\n%s\nexpected:\n%s\ngot:\n%s", self->input, self->expected, got);
  g_assert_cmpstr (got, ==, self->expected);
}

/* Splits @text at the lines that begin with @mark. The first part is the text before the first of
 * them. */
static gchar **
split_at_lines (const gchar *text, const gchar *mark)
{
  g_autofree gchar *with_newline = g_strconcat ("\n", text, NULL);
  g_autofree gchar *delimiter = g_strconcat ("\n", mark, NULL);

  return g_strsplit (with_newline, delimiter, -1);
}

/* @block: "name\ninput\n----\nexpected\n" */
static Case *
read_case (const gchar *file, const gchar *block, GoldenRender render, gchar **out_name)
{
  g_auto (GStrv) parts = split_at_lines (block, "----\n");
  gchar *input = strchr (parts[0] + 1, '\n');
  Case *self = g_new0 (Case, 1);

  if (input == NULL)
    g_error ("%s: case without input: %s", file, block);
  *out_name = g_strndup (parts[0] + 1, input - parts[0] - 1);
  self->input = g_strdup (input + 1);
  self->expected = g_strchomp (g_strdup (parts[1] != NULL ? parts[1] : ""));
  self->render = render;
  return self;
}

static void
append_updated (GString *out, const gchar *name, const Case *self)
{
  g_autofree gchar *got = self->render (self->input);

  g_string_append_printf (out, "== %s\n%s\n----\n%s\n\n", name, self->input, g_strchomp (got));
}

void
golden_register (const gchar *file, const gchar *prefix, GoldenRender render)
{
  gboolean is_update = g_strcmp0 (g_getenv ("KVSQL_UPDATE_GOLDEN"), "1") == 0;
  g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "golden", file, NULL);
  g_autofree gchar *contents = NULL;
  g_autoptr (GString) updated = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) blocks = NULL;

  if (!g_file_get_contents (path, &contents, NULL, &error))
    g_error ("%s", error->message);
  blocks = split_at_lines (contents, "== ");
  g_string_append_printf (updated, "%s\n", blocks[0] + (blocks[0][0] == '\n'));
  for (guint i = 1; blocks[i] != NULL; i++)
    {
      g_autofree gchar *name = NULL, *test_path = NULL;
      Case *self = read_case (file, blocks[i], render, &name);

      test_path = g_strdup_printf ("/golden/%s/%s", prefix, name);
      if (is_update)
        {
          append_updated (updated, name, self);
          case_free (self);
        }
      else
        g_test_add_data_func_full (test_path, self, run_case, case_free);
    }
  if (is_update && !g_file_set_contents (path, updated->str, -1, &error))
    g_error ("%s", error->message);
}

/* ---- errors */

static const gchar *
code_name (gint code)
{
  static const gchar *const names[] = { "",
                                        "INTERNAL",
                                        "SYNTAX",
                                        "INVALID",
                                        "UNKNOWN_NAME",
                                        "ALREADY_EXISTS",
                                        "TYPE",
                                        "VALUE",
                                        "DEFINITION",
                                        "CONFLICT",
                                        "STORE",
                                        "UNAVAILABLE",
                                        "DEADLINE",
                                        "UNKNOWN_OUTCOME",
                                        "LIMIT",
                                        "BAD_CURSOR",
                                        "BAD_STATEMENT_ID",
                                        "UNSUPPORTED",
                                        "READ_ONLY",
                                        "PROTOCOL",
                                        "DUPLICATE_KEY",
                                        "NOT_ALLOWED",
                                        "AUTHENTICATION" };

  g_assert_cmpint (code, <, G_N_ELEMENTS (names));
  return names[code];
}

/* The line of the error, with carets below its position. */
static void
append_place (GString *out, const gchar *text, KvsqlSpan span)
{
  const gchar *at = text + span.offset, *line = at, *end = at + span.length;
  glong n_carets;

  while (line > text && line[-1] != '\n')
    line--;
  for (const gchar *p = at; p < end; p++)
    if (*p == '\n')
      end = p;
  g_string_append_printf (out, "%.*s\n", (gint)strcspn (line, "\n"), line);
  for (; line < at; line = g_utf8_next_char (line))
    g_string_append_c (out, *line == '\t' ? '\t' : ' ');
  n_carets = g_utf8_strlen (at, end - at);
  for (glong i = 0; i < MAX (n_carets, 1); i++)
    g_string_append_c (out, '^');
  g_string_append_c (out, '\n');
}

void
golden_append_error (GString *out, const gchar *text, const GError *error)
{
  KvsqlSpan span = kvsql_error_get_span (error);

  if (span.offset >= 0)
    append_place (out, text, span);
  g_string_append_printf (out, "%s: %s\n", code_name (error->code), error->message);
  if (kvsql_error_get_detail (error) != NULL)
    g_string_append_printf (out, "detail: %s\n", kvsql_error_get_detail (error));
  if (kvsql_error_get_hint (error) != NULL)
    g_string_append_printf (out, "hint: %s\n", kvsql_error_get_hint (error));
}
