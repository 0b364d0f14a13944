/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shell.c: kvsqlctl shell: runs statements interactively.
 *
 * Lines are collected until a ';' ends the statement. A line that begins with a backslash is a
 * command of the shell itself. Ctrl-C drops the text that is being typed, or cancels the running
 * statement.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/commands/line.h"
#include "client/ctl/names.h"
#include "client/ctl/script.h"
#include "client/ctl/split.h"
#include "client/ctl/usage.h"

typedef struct
{
  Kvsqlctl *ctl;
  GString *text; /* of statements that are not complete yet */
  gboolean shows_time;
  gboolean wants_end;
  KvsqlctlStatus last_failure;
} Shell;

/* ---- statements */

/* Until end(), Ctrl-C cancels what runs. */
static void
begin (Shell *self)
{
  self->ctl->cancellable = g_cancellable_new ();
  kvsqlctl_interrupt_set_target (self->ctl->cancellable);
}

static void
end (Shell *self, KvsqlctlStatus status)
{
  kvsqlctl_interrupt_set_target (NULL);
  g_clear_object (&self->ctl->cancellable);
  if (status != KVSQLCTL_DONE)
    self->last_failure = status;
}

static void
run_piece (Shell *self, const KvsqlctlPiece *piece)
{
  /* The user sees a single statement, so its lines are counted from 1. */
  KvsqlctlSource source
      = { .text = self->text->str + piece->start, .size = piece->end - piece->start, .line = 1 };
  gint64 start = g_get_monotonic_time ();

  begin (self);
  end (self, kvsqlctl_execute (self->ctl, &source, NULL));
  if (self->shows_time)
    printf ("Time: %.1f ms\n", (gdouble)(g_get_monotonic_time () - start) / 1000);
  if (!kvsqlctl_begins_with (source.text, source.size, "SELECT"))
    kvsqlctl_line_forget_names ();
}

static void
run_whole (Shell *self, gboolean is_end)
{
  KvsqlctlPiece piece;
  gsize done = 0;

  while (kvsqlctl_split (self->text->str, self->text->len, done, &piece)
         && (piece.is_closed || is_end))
    {
      g_autofree gchar *statement
          = g_strndup (self->text->str + piece.start, piece.next - piece.start);

      kvsqlctl_line_remember (statement);
      run_piece (self, &piece);
      done = piece.next;
    }
  /* Blanks after the last statement would look like the start of another one. */
  if (!kvsqlctl_split (self->text->str, self->text->len, done, &piece) && !piece.is_in_text)
    done = self->text->len;
  g_string_erase (self->text, 0, (gssize)done);
}

/* ---- the shell's own commands */

static void
meta_quit (Shell *self, const gchar *argument)
{
  self->wants_end = TRUE;
}

static void
meta_describe (Shell *self, const gchar *argument)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (argument);
  g_autofree gchar *describe = g_strconcat ("DESCRIBE ", quoted, NULL);
  g_autofree gchar *schemas = g_strconcat ("SHOW SCHEMAS FOR ", quoted, NULL);
  g_auto (GStrv) names = NULL;

  if (*argument == '\0')
    {
      if (kvsqlctl_execute_text (self->ctl, "SHOW RELATIONS") == KVSQLCTL_DONE)
        kvsqlctl_execute_text (self->ctl, "SHOW SCHEMAS");
      return;
    }
  if (kvsqlctl_execute_text (self->ctl, describe) != KVSQLCTL_DONE)
    return;
  /* NULL: the name is that of a schema */
  names = kvsqlctl_query_names (self->ctl, schemas, NULL);
  if (names != NULL && names[0] != NULL)
    kvsqlctl_execute_text (self->ctl, schemas);
}

static void
meta_include (Shell *self, const gchar *argument)
{
  if (*argument == '\0')
    {
      puts ("\\i needs the name of a file with statements.");
      return;
    }
  begin (self);
  end (self, kvsqlctl_run_file (self->ctl, argument, NULL));
  kvsqlctl_line_forget_names ();
}

static void
meta_timing (Shell *self, const gchar *argument)
{
  self->shows_time = !self->shows_time;
  printf ("Timing is %s.\n", self->shows_time ? "on" : "off");
}

static void
meta_format (Shell *self, const gchar *argument)
{
  if (*argument != '\0' && !kvsqlctl_format_from_name (argument, &self->ctl->format))
    printf ("There is no format \"%s\": there are table, csv, tsv, json, ndjson and vertical.\n",
            argument);
  else
    printf ("Format is %s.\n", kvsqlctl_format_get_name (self->ctl->format));
}

static void meta_help (Shell *self, const gchar *argument);

static const struct
{
  const gchar *name;
  const gchar *argument;
  const gchar *summary;
  void (*run) (Shell *self, const gchar *argument);
} metas[] = {
  { "\\?", "", "show this text", meta_help },
  { "\\d", "[NAME]", "show all definitions, or a relation and its schemas, or a schema",
    meta_describe },
  { "\\i", "FILE", "run the statements of a file, up to the first that fails", meta_include },
  { "\\format", "[FORMAT]", "show results as table, csv, tsv, json, ndjson or vertical",
    meta_format },
  { "\\timing", "", "show how long statements take, or no longer", meta_timing },
  { "\\q", "", "leave (so do Ctrl-D, quit and exit)", meta_quit },
};

/* Commands for help in other shells. */
static gboolean
asks_for_help (const gchar *name)
{
  return strcmp (name, "\\help") == 0 || strcmp (name, "\\h") == 0;
}

static void
meta_help (Shell *self, const gchar *argument)
{
  puts ("A statement may go over several lines and ends with a semicolon.\n"
        "Tab completes, Ctrl-C drops the typed text or cancels the running statement.");
  for (guint i = 0; i < G_N_ELEMENTS (metas); i++)
    printf ("  %-8s %-10s %s\n", metas[i].name, metas[i].argument, metas[i].summary);
}

static void
run_meta (Shell *self, gchar *line)
{
  gchar *name = g_strstrip (line);
  gchar *argument = name + strcspn (name, " \t");

  kvsqlctl_line_remember (name);
  if (*argument != '\0')
    *argument++ = '\0';
  argument = g_strstrip (argument);
  /* Some users end every line with ';'. */
  if (g_str_has_suffix (argument, ";"))
    argument[strlen (argument) - 1] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (metas); i++)
    if (strcmp (asks_for_help (name) ? "\\?" : name, metas[i].name) == 0)
      {
        metas[i].run (self, argument);
        return;
      }
  printf ("There is no command \"%s\"; \\? shows the commands.\n", name);
}

/* ---- the loop */

static gboolean
is_word (const gchar *line, const gchar *word)
{
  g_autofree gchar *stripped = g_strstrip (g_strdup (line));

  if (g_str_has_suffix (stripped, ";"))
    stripped[strlen (stripped) - 1] = '\0';
  return g_ascii_strcasecmp (stripped, word) == 0;
}

/* After a forgotten quote everything would be text. */
static void
warn_of_open_text (Shell *self, const gchar *line)
{
  g_autofree gchar *stripped = g_strchomp (g_strdup (line));
  KvsqlctlPiece piece = { 0 };

  if (!kvsqlctl_line_is_interactive () || !g_str_has_suffix (stripped, ";"))
    return;
  kvsqlctl_split (self->text->str, self->text->len, 0, &piece);
  if (piece.is_in_text)
    puts ("This ; is inside quotes or a comment that is still open. Close it, or Ctrl-C drops the "
          "statement.");
}

static void
take_line (Shell *self, gchar *line)
{
  if (self->text->len == 0 && (is_word (line, "quit") || is_word (line, "exit")))
    self->wants_end = TRUE;
  else if (self->text->len == 0 && is_word (line, "help"))
    meta_help (self, "");
  else if (self->text->len == 0 && g_strchug (line)[0] == '\\')
    run_meta (self, line);
  else
    {
      g_string_append (self->text, line);
      g_string_append_c (self->text, '\n');
      run_whole (self, FALSE);
      warn_of_open_text (self, line);
    }
}

static void
greet (Kvsqlctl *ctl)
{
  g_autoptr (KvsqlServerInfo) info = kvsql_connection_get_server_info (ctl->connection, NULL, NULL);
  g_autofree gchar *peer = kvsql_connection_get_peer (ctl->connection);

  if (info == NULL || !kvsqlctl_line_is_interactive ())
    return;
  printf ("kvsqld %s at %s, store %s\n\\? shows help.\n", kvsql_server_info_get_version (info),
          peer, kvsql_server_info_get_store (info));
  if (kvsql_server_info_get_message (info) != NULL)
    printf ("It has a problem: %s\n", kvsql_server_info_get_message (info));
}

static void
run_shell (Shell *self)
{
  g_autofree gchar *line = NULL;
  KvsqlctlLine what;

  while (!self->wants_end)
    {
      what = kvsqlctl_line_read (self->text->len == 0 ? "kvsql> " : "  ...> ", &line);
      if (what == KVSQLCTL_LINE_END)
        break;
      if (what == KVSQLCTL_LINE_INTERRUPTED)
        g_string_truncate (self->text, 0);
      else
        take_line (self, line);
      fflush (stdout);
      g_clear_pointer (&line, g_free);
    }
  /* A script in a pipe may omit its last ';'; a user who leaves the shell has not finished the
   * statement. */
  if (!self->wants_end && kvsqlctl_line_is_interactive ())
    putchar ('\n');
  else if (!self->wants_end)
    run_whole (self, TRUE);
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  Shell shell = { .ctl = ctl };
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc != 0)
    return kvsqlctl_usage_error (&kvsqlctl_shell, "unexpected argument \"%s\"", argv[0]);
  if (!kvsql_connection_open (ctl->connection, NULL, &error))
    return kvsqlctl_report (ctl, error, NULL);

  shell.text = g_string_new (NULL);
  kvsqlctl_line_begin (ctl);
  greet (ctl);
  run_shell (&shell);
  if (!kvsqlctl_line_is_interactive ())
    status = shell.last_failure;
  kvsqlctl_line_end ();
  g_string_free (shell.text, TRUE);
  return status;
}

const KvsqlctlCommand kvsqlctl_shell
    = { .name = "shell",
        .arguments = "",
        .summary = "Talk to kvsqld, statement by statement",
        .description = "With line editing, completion, and a history in "
                       "$XDG_STATE_HOME/kvsql/history. A statement ends with\n"
                       "a semicolon; \\? shows the shell's own commands. From a pipe, it continues "
                       "after an error, and exits\n"
                       "with the status of the last one.",
        .needs_connection = TRUE,
        .run = run };
