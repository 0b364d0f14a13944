/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * quotes.c: kvsqlctl quotes: finds statements in which double quotes no longer mean text.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/split.h"
#include "client/ctl/text-file.h"
#include "client/ctl/usage.h"

#define SHOWN_BYTES 100
#define MAX_TEXT (1 << 30) /* bytes */

/* The current file and the findings in it. */
typedef struct
{
  const gchar *name;
  const gchar *text;
  guint line;    /* line at @counted */
  gsize counted; /* position in @text up to which lines are counted */
  guint n_found;
} File;

/* Statements are visited in order, so that lines are counted once. */
static guint
line_of (File *self, gsize offset)
{
  for (; self->counted < offset; self->counted++)
    if (self->text[self->counted] == '\n')
      self->line++;
  return self->line;
}

/* The first line of the statement, cut to fit. */
static gchar *
dup_shown (const gchar *text, gsize size)
{
  const gchar *end = memchr (text, '\n', size);
  gsize length = end != NULL ? (gsize)(end - text) : size;
  g_autofree gchar *valid = g_utf8_make_valid (text, (gssize)MIN (length, SHOWN_BYTES));

  return g_strconcat (g_strchomp (valid), length > SHOWN_BYTES || end != NULL ? " …" : "", NULL);
}

/* Converts "it""s" to 'it"s'. */
static gchar *
dup_as_text (const gchar *word, gsize size)
{
  GString *out = g_string_new ("'");

  for (gsize i = 1; i + 1 < size; i++)
    {
      g_string_append_c (out, word[i]);
      if (word[i] == '"')
        i++; /* skip the second quote of a pair */
      else if (word[i] == '\'')
        g_string_append_c (out, '\'');
    }
  g_string_append_c (out, '\'');
  return g_string_free (out, FALSE);
}

static void
print_word (const gchar *word, gsize size)
{
  g_autofree gchar *text = dup_as_text (word, size);

  printf ("    %.*s is a name; as text it is %s\n", (gint)size, word, text);
}

static void
check_piece (File *self, const KvsqlctlPiece *piece)
{
  const gchar *text = self->text + piece->start;
  gsize size = piece->end - piece->start, at = 0, start;
  gboolean is_first = TRUE;

  if (kvsqlctl_is_definition (text, size))
    return;
  for (; kvsqlctl_find_double_quoted (text, size, &at, &start); is_first = FALSE)
    {
      if (is_first)
        {
          g_autofree gchar *shown = dup_shown (text, size);
          printf ("%s:%u: %s\n", self->name, line_of (self, piece->start), shown);
          self->n_found++;
        }
      print_word (text + start, at - start);
    }
}

/* Returns -1 if the file cannot be read. */
static gint
check_file (const gchar *name)
{
  g_autofree gchar *text = NULL;
  gsize size = 0, at = 0;
  KvsqlctlPiece piece;
  File file = { .name = strcmp (name, "-") == 0 ? "stdin" : name, .line = 1 };

  if (!kvsqlctl_read_text (name, MAX_TEXT, &text, &size))
    return -1;
  file.text = text;
  for (; kvsqlctl_split (text, size, at, &piece); at = piece.next)
    check_piece (&file, &piece);
  return (gint)file.n_found;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_quotes, "missing file name; - is the "
                                                   "standard input");
  for (gint i = 0; i < argc; i++)
    if (check_file (argv[i]) != 0)
      status = KVSQLCTL_FAILED;
  return status;
}

const KvsqlctlCommand kvsqlctl_quotes = {
  .name = "quotes",
  .arguments = "FILE…",
  .summary = "List statements in which \"…\" was text and is a name now",
  .description
  = "Reads statements from files (- is the standard input), runs none, and lists those that an\n"
    "update to kvsql 0.1.0 gives another meaning, each with its line and its double-quoted words.\n"
    "Definitions are not among them. Exit status: 0 there are none, 1 there are some, or a file\n"
    "could not be read.",
  .run = run
};
