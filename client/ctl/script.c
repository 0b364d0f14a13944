/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * script.c: see the header.
 */
#include "config.h"

#include "client/ctl/script.h"

#include "client/ctl/execute.h"
#include "client/ctl/split.h"

#include <errno.h>
#include <string.h>

/* kvsqld accepts at most 4 MB for a statement. */
#define MAX_STATEMENT_BYTES (8 * 1024 * 1024)
#define READ_BYTES 65536

typedef struct
{
  Kvsqlctl *ctl;
  const gchar *const *values; /* nullable */
  const gchar *name;          /* of the file; NULL: there is none */
  GString *text;              /* text that was not run yet */
  guint line;                 /* of its first byte; of the statement that runs */
} Script;

static KvsqlctlStatus
run_piece (Script *self, const KvsqlctlPiece *piece)
{
  KvsqlctlSource source = { .text = self->text->str + piece->start,
                            .size = piece->end - piece->start,
                            .file = self->name,
                            .line = self->line };

  return kvsqlctl_execute (self->ctl, &source, self->values);
}

/* Runs the complete statements; with @is_end also the last one without a ';'. */
static KvsqlctlStatus
run_whole (Script *self, gboolean is_end)
{
  KvsqlctlPiece piece;
  gsize done = 0;
  KvsqlctlStatus status = KVSQLCTL_DONE;

  while (status == KVSQLCTL_DONE && kvsqlctl_split (self->text->str, self->text->len, done, &piece)
         && (piece.is_closed || is_end))
    {
      self->line += kvsqlctl_count_lines (self->text->str + done, piece.start - done);
      status = run_piece (self, &piece);
      self->line += kvsqlctl_count_lines (self->text->str + piece.start, piece.next - piece.start);
      done = piece.next;
    }
  g_string_erase (self->text, 0, (gssize)done);
  return status;
}

KvsqlctlStatus
kvsqlctl_run_text (Kvsqlctl *ctl, const gchar *text, const gchar *const *values)
{
  Script script = { ctl, values, NULL, g_string_new (text), 1 };
  KvsqlctlStatus status = run_whole (&script, TRUE);

  g_string_free (script.text, TRUE);
  return status;
}

static KvsqlctlStatus
run_stream (Script *script, FILE *stream)
{
  g_autofree gchar *buffer = g_malloc (READ_BYTES);
  KvsqlctlStatus status = KVSQLCTL_DONE;
  gsize n;

  do
    {
      n = (gsize)read (fileno (stream), buffer, READ_BYTES);
      if (n == (gsize)-1)
        return kvsqlctl_fail ("could not read \"%s\": %s", script->name, g_strerror (errno));
      g_string_append_len (script->text, buffer, (gssize)n);
      status = run_whole (script, n == 0);
      if (status == KVSQLCTL_DONE && script->text->len > MAX_STATEMENT_BYTES)
        return kvsqlctl_fail ("%s:%u: a statement is longer than %d MB", script->name, script->line,
                              MAX_STATEMENT_BYTES / 1024 / 1024);
    }
  while (status == KVSQLCTL_DONE && n > 0);
  return status;
}

KvsqlctlStatus
kvsqlctl_run_file (Kvsqlctl *ctl, const gchar *path, const gchar *const *values)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  FILE *stream = is_stdin ? stdin : fopen (path, "re");
  Script script = { ctl, values, is_stdin ? "stdin" : path, NULL, 1 };
  KvsqlctlStatus status;

  if (stream == NULL)
    return kvsqlctl_fail ("could not open \"%s\": %s", path, g_strerror (errno));
  script.text = g_string_new (NULL);
  status = run_stream (&script, stream);
  g_string_free (script.text, TRUE);
  if (!is_stdin)
    fclose (stream);
  return status;
}
