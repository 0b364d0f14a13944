/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * top.c: kvsqlctl top: shows the activity of a kvsqld periodically.
 *
 * All data comes from SHOW statements; rates are differences between two answers. A plain terminal
 * is sufficient: the screen is cleared and written again.
 */
#include "config.h"

#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/report.h"
#include "client/ctl/terminal/width.h"
#include "client/ctl/usage.h"

#define CLEAR "\033[H\033[2J"
#define DEFAULT_SECONDS 1.0

static gboolean is_once;
static gdouble seconds = DEFAULT_SECONDS;

static const GOptionEntry options[] = {
  { "once", '1', 0, G_OPTION_ARG_NONE, &is_once, "Show it once and end", NULL },
  { "delay", 'd', 0, G_OPTION_ARG_DOUBLE, &seconds, "Seconds between two looks", "SECONDS" },
  { NULL },
};

/* The facts of SHOW STATUS at one time. */
typedef struct
{
  GHashTable *facts; /* name -> text */
  GPtrArray *names;  /* in the order of the answer; owned by @facts */
  gint64 taken_us;
} Snapshot;

static void
snapshot_clear (Snapshot *self)
{
  g_clear_pointer (&self->facts, g_hash_table_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
}

/* (transfer full) */
static gchar *
print (const gchar *text)
{
  GString *out = g_string_new (NULL);

  if (text != NULL)
    kvsqlctl_append_printable (out, text, strlen (text));
  return g_string_free (out, FALSE);
}

static gboolean
snapshot_take (Kvsqlctl *ctl, Snapshot *out, GError **error)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, "SHOW STATUS", NULL, NULL, error);

  if (result == NULL)
    return FALSE;
  *out = (Snapshot){ .facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                     .names = g_ptr_array_new (),
                     .taken_us = g_get_monotonic_time () };
  while (kvsql_result_next (result, NULL))
    {
      gchar *name = print (kvsql_result_get_text (result, 0));

      if (g_hash_table_insert (out->facts, name, print (kvsql_result_get_text (result, 1))))
        g_ptr_array_add (out->names, name);
    }
  return TRUE;
}

static const gchar *
get (const Snapshot *self, const gchar *name)
{
  const gchar *text = g_hash_table_lookup (self->facts, name);

  return text != NULL ? text : "-";
}

/* Growth per second since @before; without an earlier snapshot, since the daemon began. */
static gdouble
get_rate (const Snapshot *before, const Snapshot *now, const gchar *name)
{
  gdouble value = g_ascii_strtod (get (now, name), NULL);

  if (before->facts == NULL)
    return value / MAX (g_ascii_strtod (get (now, "uptime"), NULL), 1);
  return (value - g_ascii_strtod (get (before, name), NULL)) * G_TIME_SPAN_SECOND
         / (gdouble)MAX (now->taken_us - before->taken_us, 1);
}

/* Mean of the growth, in milliseconds. */
static gdouble
get_mean_ms (const Snapshot *before, const Snapshot *now, const gchar *sum, const gchar *count)
{
  gdouble n = get_rate (before, now, count);

  return n > 0 ? get_rate (before, now, sum) / n / 1000 : 0;
}

/* ---- the screen */

static void
append_head (GString *out, Kvsqlctl *ctl, const Snapshot *before, const Snapshot *now)
{
  g_autofree gchar *peer = kvsql_connection_get_peer (ctl->connection);

  g_string_append_printf (out, "kvsqld %s at %s, up %s, memory %s MiB\n", get (now, "version"),
                          peer, get (now, "uptime"), get (now, "memory, MiB"));
  g_string_append_printf (out, "store %s (answers: %s), registry answers: %s, epoch %s\n",
                          get (now, "store"), get (now, "store answers"),
                          get (now, "registry answers"), get (now, "epoch of the definitions"));
  g_string_append_printf (
      out, "sessions %s, running %s, warm cursors %s, kept plans %s, prepared %s\n",
      get (now, "sessions"), get (now, "running statements"), get (now, "warm cursors"),
      get (now, "kept plans"), get (now, "prepared statements"));
  g_string_append_printf (
      out, "statements %.1f/s, errors %.1f/s, mean %.2f ms; rows given %.0f/s\n",
      get_rate (before, now, "statements"), get_rate (before, now, "failed statements"),
      get_mean_ms (before, now, "microseconds in statements", "statements"),
      get_rate (before, now, "rows given"));
  g_string_append_printf (
      out,
      "store calls %.1f/s, errors %.1f/s, mean %.2f ms; rows read %.0f/s, cells written %.0f/s\n",
      get_rate (before, now, "store calls"), get_rate (before, now, "failed store calls"),
      get_mean_ms (before, now, "microseconds in store calls", "store calls"),
      get_rate (before, now, "store rows read"), get_rate (before, now, "store cells written"));
}

/* The facts of a store about its gateways, unchanged. */
static void
append_gateways (GString *out, const Snapshot *now)
{
  gsize prefix = 0;

  for (guint i = 0; i < now->names->len; i++)
    {
      const gchar *name = now->names->pdata[i];
      const gchar *comma = strstr (name, ", ");
      const gchar *previous = i == 0 ? NULL : now->names->pdata[i - 1];

      if (!g_str_has_prefix (name, "gateway ") || comma == NULL)
        continue;
      if (prefix != (gsize)(comma - name) || previous == NULL
          || strncmp (previous, name, prefix) != 0)
        g_string_append_printf (out, "%s%.*s:", prefix > 0 ? "\n" : "", (int)(comma - name), name);
      prefix = (gsize)(comma - name);
      g_string_append_printf (out, " %s %s;", comma + 2, get (now, name));
    }
  if (prefix > 0)
    g_string_append_c (out, '\n');
}

static gboolean
append_statements (GString *out, Kvsqlctl *ctl, GError **error)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, "SHOW STATEMENTS", NULL, NULL, error);

  if (result == NULL)
    return FALSE;
  g_string_append_printf (out, "\n%10s %8s %9s %8s %9s %9s  %s\n", "statement", "session", "ms",
                          "calls", "rows", "KiB", "text");
  while (kvsql_result_next (result, NULL))
    {
      const gchar *text = kvsql_result_get_text (result, 8);
      gint64 bytes = g_ascii_strtoll (kvsql_result_get_text (result, 6), NULL, 10);

      g_string_append_printf (out, "%10s %8s %9s %8s %9s %9" G_GINT64_FORMAT "  ",
                              kvsql_result_get_text (result, 0), kvsql_result_get_text (result, 1),
                              kvsql_result_get_text (result, 2), kvsql_result_get_text (result, 4),
                              kvsql_result_get_text (result, 5), bytes / 1024);
      if (text != NULL)
        kvsqlctl_append_printable (out, text, strlen (text));
      g_string_append_c (out, '\n');
    }
  return TRUE;
}

static gboolean
append_sessions (GString *out, Kvsqlctl *ctl, GError **error)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, "SHOW SESSIONS", NULL, NULL, error);

  if (result == NULL)
    return FALSE;
  g_string_append_printf (out, "\n%8s %-8s %11s %8s  %-20s  %s\n", "session", "state", "statements",
                          "errors", "since", "client");
  while (kvsql_result_next (result, NULL))
    {
      const gchar *client = kvsql_result_get_text (result, 2);
      const gchar *peer = kvsql_result_get_text (result, 1);

      g_string_append_printf (out, "%8s %-8s %11s %8s  %-20s  ", kvsql_result_get_text (result, 0),
                              kvsql_result_get_text (result, 4), kvsql_result_get_text (result, 6),
                              kvsql_result_get_text (result, 7), kvsql_result_get_text (result, 3));
      client = client != NULL ? client : "unnamed";
      kvsqlctl_append_printable (out, client, strlen (client));
      g_string_append_printf (out, " (%s)\n", peer);
    }
  return TRUE;
}

/* On a terminal: at most as many lines as it has, each cut to its width. */
static void
put_screen (const GString *screen)
{
  struct winsize size = { 0 };
  g_auto (GStrv) lines = g_strsplit (screen->str, "\n", -1);
  gboolean is_terminal = isatty (STDOUT_FILENO) && ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  guint rows = is_terminal && size.ws_row > 2 ? size.ws_row - 1u : G_MAXUINT;
  guint columns = is_terminal && size.ws_col > 20 ? size.ws_col : G_MAXINT;

  if (!is_once)
    fputs (CLEAR, stdout);
  for (guint i = 0; lines[i] != NULL && i < rows && (lines[i][0] != '\0' || lines[i + 1] != NULL);
       i++)
    {
      g_autoptr (GString) line = g_string_new (lines[i]);

      kvsqlctl_keep_start (line, columns);
      puts (line->str);
    }
  fflush (stdout);
}

/* ---- repetition */

/* Waits for a key that ends the program. FALSE: the time is over. */
static gboolean
wait_for_quit (void)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  gchar key = 0;

  if (poll (&input, 1, (int)(seconds * 1000)) <= 0)
    return kvsqlctl_interrupt_take ();
  return read (STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q';
}

static gboolean
show_once (Kvsqlctl *ctl, Snapshot *before, GError **error)
{
  g_autoptr (GString) screen = g_string_new (NULL);
  Snapshot now;

  if (!snapshot_take (ctl, &now, error))
    return FALSE;
  append_head (screen, ctl, before, &now);
  append_gateways (screen, &now);
  snapshot_clear (before);
  *before = now;
  if (!append_statements (screen, ctl, error) || !append_sessions (screen, ctl, error))
    return FALSE;
  put_screen (screen);
  return TRUE;
}

static gboolean
show_until_quit (Kvsqlctl *ctl, GError **error)
{
  Snapshot before = { 0 };
  gboolean ok;

  do
    ok = show_once (ctl, &before, error);
  while (ok && !is_once && !wait_for_quit ());
  snapshot_clear (&before);
  return ok;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  struct termios usual, raw;
  gboolean is_terminal, ok;

  if (argc != 0)
    return kvsqlctl_usage_error (&kvsqlctl_top, "unexpected argument \"%s\"", argv[0]);
  if (seconds < 0.1 || seconds > 3600)
    return kvsqlctl_usage_error (&kvsqlctl_top, "--delay is from 0.1 to 3600 seconds");
  is_terminal = !is_once && tcgetattr (STDIN_FILENO, &usual) == 0;
  if (is_terminal)
    {
      raw = usual;
      raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
      tcsetattr (STDIN_FILENO, TCSADRAIN, &raw);
    }
  kvsqlctl_interrupt_catch ();
  ok = show_until_quit (ctl, &error);
  if (is_terminal)
    tcsetattr (STDIN_FILENO, TCSADRAIN, &usual);
  return ok ? KVSQLCTL_DONE : kvsqlctl_report (ctl, error, NULL);
}

const KvsqlctlCommand kvsqlctl_top = {
  .name = "top",
  .arguments = "",
  .summary = "Show what a kvsqld does, live",
  .description
  = "Sessions, running statements, rates and gateways, updated each second; q ends it.",
  .options = options,
  .needs_connection = TRUE,
  .run = run,
};
