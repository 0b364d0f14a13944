/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * main.c: kvsqlctl: finds the command, parses the options, and runs it.
 *
 * Global options may be before or after the command's name.
 */
#include "config.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "client/ctl/report.h"
#include "client/ctl/suggest.h"
#include "client/ctl/terminal/password.h"
#include "client/ctl/usage.h"

static const KvsqlctlCommand *const commands[] = {
  &kvsqlctl_exec,   &kvsqlctl_shell,    &kvsqlctl_explain,
  &kvsqlctl_encode, &kvsqlctl_import,   &kvsqlctl_export,
  &kvsqlctl_schema, &kvsqlctl_backup,   &kvsqlctl_calibrate,
  &kvsqlctl_status, &kvsqlctl_top,      &kvsqlctl_infer,
  &kvsqlctl_adopt,  &kvsqlctl_advise,   &kvsqlctl_workload,
  &kvsqlctl_user,   &kvsqlctl_quotes,   &kvsqlctl_version,
  &kvsqlctl_help,   &kvsqlctl_complete, NULL,
};

static gchar *uri;
static gchar *format_name;
static gchar *timeout_text;
static gboolean read_only;
static gboolean verified;
static gboolean show_help;
static gboolean show_version;

static Kvsqlctl ctl = { .format = KVSQLCTL_FORMAT_TABLE };

static const GOptionEntry global_options[] = {
  { "connect", 'c', 0, G_OPTION_ARG_STRING, &uri,
    "Where kvsqld is: kvsql://HOST:PORT, kvsqls://HOST:PORT with TLS, or kvsql+unix:///PATH",
    "URI" },
  { "format", 'o', 0, G_OPTION_ARG_STRING, &format_name,
    "How to show results: table, csv, tsv, json, ndjson, vertical", "FORMAT" },
  { "timeout", 't', 0, G_OPTION_ARG_STRING, &timeout_text,
    "How long one request may take, such as 30s or 500ms", "TIME" },
  { "read-only", 'r', 0, G_OPTION_ARG_NONE, &read_only, "Refuse everything that writes", NULL },
  { "verified", 'v', 0, G_OPTION_ARG_NONE, &verified,
    "Execute each SELECT WITH VERIFIED, so that what it returns is current", NULL },
  { "help", 'h', 0, G_OPTION_ARG_NONE, &show_help, "Show this text, or that of a command", NULL },
  { "version", 'V', 0, G_OPTION_ARG_NONE, &show_version, "Show the version of kvsqlctl", NULL },
  { NULL },
};

/* ---- options */

static void
add_names (GPtrArray *names, const GOptionEntry *entries)
{
  for (; entries != NULL && entries->long_name != NULL; entries++)
    g_ptr_array_add (names, g_strconcat ("--", entries->long_name, NULL));
}

static void
set_format (const KvsqlctlCommand *command, const gchar *name)
{
  ctl.is_file_format = command != NULL && command->has_file_format;
  if (name != NULL && !kvsqlctl_format_from_name (name, &ctl.format))
    ctl.format = KVSQLCTL_FORMAT_TABLE;
}

/* The format for an error about an option. GLib takes back what it has parsed before the error. */
static void
find_format (const KvsqlctlCommand *command, gint argc, gchar **argv)
{
  const gchar *name = format_name;

  for (gint i = 1; i < argc && name == NULL; i++)
    if (strcmp (argv[i], "-o") == 0 || strcmp (argv[i], "--format") == 0)
      name = i + 1 < argc ? argv[i + 1] : NULL;
    else if (g_str_has_prefix (argv[i], "--format="))
      name = argv[i] + strlen ("--format=");
    else if (g_str_has_prefix (argv[i], "-o"))
      name = argv[i] + strlen ("-o");
  set_format (command, name);
}

/* GLib's localized message for an unknown option ends with that option. */
static KvsqlctlStatus
bad_option (const KvsqlctlCommand *command, gint argc, gchar **argv, const GError *error)
{
  const gchar *option = strstr (error->message, " -");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *word = NULL, *suggestion = NULL;

  find_format (command, argc, argv);
  if (!g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || option == NULL)
    return kvsqlctl_usage_failure (command, error);
  word = g_strndup (option + 1, strcspn (option + 1, "="));
  add_names (names, command != NULL ? command->options : NULL);
  add_names (names, global_options);
  suggestion = kvsqlctl_suggest_text (word, names);
  return kvsqlctl_usage_error (command, "unknown option \"%s\"%s", word, suggestion);
}

static gboolean
parse (const GOptionEntry *own, gboolean is_strict, gint *argc, gchar ***argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group = g_option_group_new ("all", "", "", NULL, NULL);

  g_option_context_set_help_enabled (context, FALSE);
  /* Before the command's name, parsing stops at the first word. */
  g_option_context_set_strict_posix (context, is_strict);
  if (own != NULL)
    g_option_context_add_main_entries (context, own, NULL);
  g_option_group_add_entries (group, global_options);
  g_option_context_add_group (context, group);
  return g_option_context_parse (context, argc, argv, error);
}

static gboolean
has_colours (int descriptor)
{
  const gchar *terminal = g_getenv ("TERM");

  return isatty (descriptor) && g_getenv ("NO_COLOR") == NULL && g_strcmp0 (terminal, "dumb") != 0;
}

/* Without a terminal, the connection fails with a hint where the password may be. */
static gboolean
ask_password (KvsqlConnection *connection, GError **error)
{
  g_autofree gchar *password = NULL;

  if (!kvsql_connection_needs_password (connection) || !kvsqlctl_password_can_ask ())
    return TRUE;
  password = kvsqlctl_password_read ("Password: ", error);
  if (password == NULL)
    return FALSE;
  kvsql_connection_set_password (connection, password);
  kvsqlctl_password_wipe (password);
  return TRUE;
}

/* Applies the options that can be invalid. */
static gboolean
apply_options (const KvsqlctlCommand *command, GError **error)
{
  guint timeout_ms = KVSQL_DEFAULT_TIMEOUT_MS;
  KvsqlctlFormat format;

  set_format (command, format_name);
  if (format_name != NULL && !kvsqlctl_format_from_name (format_name, &format))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "there is no format \"%s\": there are table, csv, tsv, json, ndjson and vertical",
                 format_name);
  else if (timeout_text != NULL && !kvsqlctl_parse_time (timeout_text, &timeout_ms))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "\"%s\" is not a time such as 30s or 500ms", timeout_text);
  else if (command->needs_connection || (command->connects != NULL && command->connects ()))
    ctl.connection = kvsql_connection_new (uri, error);
  if (error != NULL && *error != NULL)
    return FALSE;
  if (ctl.connection != NULL && !ask_password (ctl.connection, error))
    return FALSE;
  ctl.is_read_only = read_only;
  ctl.is_verified = verified;
  if (ctl.connection != NULL)
    {
      kvsql_connection_set_timeout (ctl.connection, timeout_ms);
      kvsql_connection_set_read_only (ctl.connection, read_only);
      kvsql_connection_set_verified_reads (ctl.connection, verified);
    }
  return TRUE;
}

static KvsqlctlStatus
print_help (const KvsqlctlCommand *command)
{
  g_autofree gchar *text = kvsqlctl_help_text (command);

  fputs (text, stdout);
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
print_version (void)
{
  puts (PACKAGE_STRING);
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
run_command (const KvsqlctlCommand *command, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  KvsqlctlStatus status;

  /* The words to be completed are not options of the completer. */
  if (command == &kvsqlctl_complete)
    return command->run (&ctl, argc - 1, argv + 1);
  if (!parse (command->options, FALSE, &argc, &argv, &error))
    return bad_option (command, argc, argv, error);
  if (show_version)
    return print_version ();
  if (show_help)
    return print_help (command);
  if (!apply_options (command, &error))
    return kvsqlctl_usage_failure (command, error);
  /* GOption leaves a "--" in place. */
  if (argc > 1 && strcmp (argv[1], "--") == 0)
    {
      argc--;
      argv++;
    }
  status = command->run (&ctl, argc - 1, argv + 1);
  g_clear_object (&ctl.connection);
  return status;
}

static KvsqlctlStatus
dispatch (gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  const KvsqlctlCommand *command;

  if (!parse (NULL, TRUE, &argc, &argv, &error))
    return bad_option (NULL, argc, argv, error);
  set_format (NULL, format_name);
  if (argc < 2 && show_version)
    return print_version ();
  if (argc < 2 && show_help)
    return print_help (NULL);
  /* Without a command on a terminal: start the shell. */
  if (argc < 2 && isatty (STDIN_FILENO) && isatty (STDOUT_FILENO))
    return run_command (&kvsqlctl_shell, 1, argv);
  if (argc < 2)
    return kvsqlctl_usage_error (NULL, "missing command");
  command = kvsqlctl_find_command (argv[1]);
  if (command == NULL)
    return kvsqlctl_unknown_command (argv[1]);
  return run_command (command, argc - 1, argv + 1);
}

/* A warning of libkvsql looks like those of kvsqld. */
static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if ((level & G_LOG_LEVEL_MASK) != G_LOG_LEVEL_WARNING)
    return g_log_writer_default (level, fields, n_fields, data);
  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      kvsqlctl_report_warnings (&ctl, (const gchar *const[]){ fields[i].value, NULL });
  return G_LOG_WRITER_HANDLED;
}

int
main (int argc, char **argv)
{
  KvsqlctlStatus status;

  /* Statements are UTF-8; the output too, even if the terminal of a plain C locale cannot show
   * it. */
  setlocale (LC_ALL, "");
  if (strcmp (nl_langinfo (CODESET), "UTF-8") != 0)
    setlocale (LC_CTYPE, "C.UTF-8");
  g_set_prgname ("kvsqlctl");
  g_log_set_writer_func (write_log, NULL, NULL);
  /* GSocket ignores SIGPIPE when it is first used, and does not need that later. A pipe without a
   * reader should end this program like any other. */
  g_type_class_unref (g_type_class_ref (G_TYPE_SOCKET));
  signal (SIGPIPE, SIG_DFL);
  kvsqlctl_set_usage (commands, global_options);
  ctl.colour_out = has_colours (STDOUT_FILENO);
  ctl.colour_error = has_colours (STDERR_FILENO);
  kvsqlctl_report_for (&ctl);
  status = dispatch (argc, argv);
  if ((fflush (stdout) != 0 || ferror (stdout)) && status == KVSQLCTL_DONE)
    status = kvsqlctl_fail ("could not write the output");
  return (int)status;
}
