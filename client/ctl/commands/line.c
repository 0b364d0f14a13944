/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * line.c: interactive input with libedit.
 *
 * libedit edits one line at a time and has no user data, so the state is static.
 */
#include "config.h"

#include "client/ctl/commands/line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <editline/readline.h>

#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/names.h"

#define MAX_HISTORY 2000
#define COMPLETION_TIMEOUT_MS 2000

static const gchar *const keywords[] = { "ADD",          "ALL",
                                         "ALTER",        "ANALYZE",
                                         "AND",          "ANY",
                                         "ARRAY",        "AS",
                                         "ASC",          "ATTRIBUTE",
                                         "BACKFILL",     "BACKUP",
                                         "BETWEEN",      "BIGINT",
                                         "BOOLEAN",      "BOTH",
                                         "BY",           "BYTES",
                                         "CALIBRATE",    "CALLS",
                                         "CASCADE",      "CASE",
                                         "CAST",         "CELLS",
                                         "COLUMN",       "COMMENT",
                                         "CONCURRENTLY", "CONFLICT",
                                         "CONSTRAINT",   "CREATE",
                                         "CROSS",        "CUBE",
                                         "CURRENT_DATE", "CURRENT_TIMESTAMP",
                                         "DAEMONS",      "DATE",
                                         "DECIMAL",      "DEFAULT",
                                         "DEFINE",       "DELETE",
                                         "DESC",         "DESCRIBE",
                                         "DISTINCT",     "DO",
                                         "DOT",          "DOUBLE",
                                         "DROP",         "ELSE",
                                         "END",          "ESCAPE",
                                         "EXCEPT",       "EXISTS",
                                         "EXPLAIN",      "EXTRACT",
                                         "FALSE",        "FAMILY",
                                         "FILTER",       "FIRST",
                                         "FLOAT",        "FOR",
                                         "FORMAT",       "FROM",
                                         "FULL",         "GROUP",
                                         "GROUPING",     "HAVING",
                                         "HISTORY",      "IF",
                                         "ILIKE",        "IN",
                                         "INCLUDE",      "INDEX",
                                         "INNER",        "INSERT",
                                         "INT",          "INTERSECT",
                                         "INTO",         "IS",
                                         "JOIN",         "JSON",
                                         "JSONB",        "KEY",
                                         "KILL",         "LAST",
                                         "LEADING",      "LEFT",
                                         "LIKE",         "LIMIT",
                                         "MATERIALIZED", "NATURAL",
                                         "NOT",          "NOTHING",
                                         "NULL",         "NULLS",
                                         "OFFSET",       "ON",
                                         "OR",           "ORDER",
                                         "OUTER",        "OVERLAY",
                                         "PLACING",      "POSITION",
                                         "PRIMARY",      "QUALIFIER",
                                         "RELATION",     "RELATIONS",
                                         "RENAME",       "REPAIR",
                                         "RESTORE",      "RESTRICT",
                                         "RETURNING",    "RIGHT",
                                         "RLIKE",        "ROLLUP",
                                         "ROW",          "SCHEMA",
                                         "SCHEMAS",      "SELECT",
                                         "SESSION",      "SESSIONS",
                                         "SET",          "SETS",
                                         "SHOW",         "SOME",
                                         "STATEMENTS",   "STATUS",
                                         "STRING",       "SUBSTRING",
                                         "SYMMETRIC",    "TABLE",
                                         "TABLES",       "TEXT",
                                         "THEN",         "TIMESTAMP",
                                         "TO",           "TRAILING",
                                         "TRIM",         "TRUE",
                                         "TRUNCATE",     "UNION",
                                         "UNKNOWN",      "UPDATE",
                                         "USING",        "UUID",
                                         "VALUE",        "VALUES",
                                         "VERIFIED",     "VERIFY",
                                         "VERSION",      "WHEN",
                                         "WHERE",        "WITH",
                                         "WITHIN",       NULL };

static Kvsqlctl *asked;
static gchar *history_path; /* NULL: the history is not saved */
static GStrv names;         /* of relations and schemas; NULL: not queried yet */
static gboolean is_interactive;

gboolean
kvsqlctl_line_is_interactive (void)
{
  return is_interactive;
}

/* ---- completion */

static void
ask_names (void)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  guint timeout_ms = kvsql_connection_get_timeout (asked->connection);

  /* The user waits for the completion. */
  kvsql_connection_set_timeout (asked->connection, MIN (timeout_ms, COMPLETION_TIMEOUT_MS));
  for (guint i = 0; i < 2; i++)
    {
      g_auto (GStrv) some
          = kvsqlctl_query_names (asked, i == 0 ? "SHOW RELATIONS" : "SHOW SCHEMAS", NULL);

      if (some != NULL)
        g_strv_builder_addv (all, (const gchar **)some);
    }
  kvsql_connection_set_timeout (asked->connection, timeout_ms);
  names = g_strv_builder_end (all);
}

void
kvsqlctl_line_forget_names (void)
{
  g_clear_pointer (&names, g_strfreev);
}

/* Returns the keyword in the case of the typed letters. */
static char *
keyword_like (const gchar *keyword, const char *text)
{
  g_autofree gchar *lower = g_ascii_strdown (keyword, -1);

  return strdup (g_ascii_islower (text[0]) ? lower : keyword);
}

static char *
next_match (const char *text, int state)
{
  static guint at;
  guint n_keywords = G_N_ELEMENTS (keywords) - 1;
  gsize length = strlen (text);

  if (state == 0)
    at = 0;
  for (; at < n_keywords; at++)
    if (length > 0 && g_ascii_strncasecmp (keywords[at], text, length) == 0)
      return keyword_like (keywords[at++], text);
  for (; names != NULL && names[at - n_keywords] != NULL; at++)
    if (g_ascii_strncasecmp (names[at - n_keywords], text, length) == 0)
      return strdup (names[at++ - n_keywords]);
  return NULL;
}

static char **
complete (const char *text, int start, int end)
{
  rl_attempted_completion_over = 1; /* no file names */
  if (names == NULL)
    ask_names ();
  return rl_completion_matches (text, next_match);
}

/* ---- history */

static void
open_history (void)
{
  g_autofree gchar *folder = g_build_filename (g_get_user_state_dir (), "kvsql", NULL);
  int descriptor;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return;
  history_path = g_build_filename (folder, "history", NULL);
  /* Statements contain data: other users must not read them. */
  descriptor = open (history_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    close (descriptor);
  read_history (history_path);
}

/* Whether a text may follow PASSWORD. Names that contain the word count, too: a line too few is
 * better than a password in a file. */
static gboolean
may_have_password (const gchar *text)
{
  g_autofree gchar *lower = g_ascii_strdown (text, -1);
  const gchar *word = strstr (lower, "password");

  return word != NULL && strpbrk (word, "'$\"") != NULL;
}

void
kvsqlctl_line_remember (const gchar *text)
{
  g_autofree gchar *line = g_strdup (text);

  if (!is_interactive || *g_strstrip (line) == '\0' || may_have_password (line))
    return;
  /* A single line is easier to edit; but a comment would include what follows it. */
  if (strstr (line, "--") == NULL)
    g_strdelimit (line, "\n", ' ');
  add_history (line);
  if (history_path != NULL)
    write_history (history_path);
}

/* ---- lines */

void
kvsqlctl_line_begin (Kvsqlctl *ctl)
{
  asked = ctl;
  is_interactive = isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  if (!is_interactive)
    return;
  rl_readline_name = "kvsqlctl";
  rl_initialize ();
  rl_attempted_completion_function = complete;
  using_history ();
  stifle_history (MAX_HISTORY);
  open_history ();
  kvsqlctl_interrupt_catch ();
}

void
kvsqlctl_line_end (void)
{
  kvsqlctl_line_forget_names ();
  g_clear_pointer (&history_path, g_free);
}

static KvsqlctlLine
read_pipe (gchar **out)
{
  size_t capacity = 0;
  char *line = NULL;
  ssize_t n = getline (&line, &capacity, stdin);

  if (n > 0 && line[n - 1] == '\n')
    line[n - 1] = '\0';
  *out = n >= 0 ? g_strdup (line) : NULL;
  free (line);
  return n >= 0 ? KVSQLCTL_LINE_READ : KVSQLCTL_LINE_END;
}

KvsqlctlLine
kvsqlctl_line_read (const gchar *prompt, gchar **out)
{
  char *line;

  *out = NULL;
  if (!is_interactive)
    return read_pipe (out);
  kvsqlctl_interrupt_take ();
  line = readline (prompt);
  if (kvsqlctl_interrupt_take ())
    {
      free (line);
      putchar ('\n');
      return KVSQLCTL_LINE_INTERRUPTED;
    }
  *out = g_strdup (line);
  free (line);
  return *out != NULL ? KVSQLCTL_LINE_READ : KVSQLCTL_LINE_END;
}
