/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage.c: see usage.h.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "client/ctl/report.h"
#include "client/ctl/suggest.h"
#include "client/ctl/usage.h"

static const KvsqlctlCommand *const *commands;
static const GOptionEntry *global_options;

void
kvsqlctl_set_usage (const KvsqlctlCommand *const *commands_of_program,
                    const GOptionEntry *options_of_program)
{
  commands = commands_of_program;
  global_options = options_of_program;
}

const KvsqlctlCommand *const *
kvsqlctl_get_commands (void)
{
  return commands;
}

const GOptionEntry *
kvsqlctl_get_global_options (void)
{
  return global_options;
}

const KvsqlctlCommand *
kvsqlctl_find_command (const gchar *name)
{
  for (guint i = 0; commands[i] != NULL; i++)
    if (strcmp (commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

/* ---- help */

static void
append_option (GString *out, const GOptionEntry *option)
{
  g_autofree gchar *left
      = g_strdup_printf ("-%c, --%s%s%s", option->short_name, option->long_name,
                         option->arg_description != NULL ? " " : "",
                         option->arg_description != NULL ? option->arg_description : "");

  g_string_append_printf (out, "  %s%*s %s\n", left, MAX (26 - (gint)g_utf8_strlen (left, -1), 0),
                          "", option->description);
}

static void
append_options (GString *out, const gchar *title, const GOptionEntry *entries)
{
  if (entries == NULL)
    return;
  g_string_append_printf (out, "\n%s:\n", title);
  for (; entries->long_name != NULL; entries++)
    append_option (out, entries);
}

static void
append_commands (GString *out)
{
  g_string_append (out, "\nCommands:\n");
  for (guint i = 0; commands[i] != NULL; i++)
    if (!commands[i]->is_hidden)
      g_string_append_printf (out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
}

gchar *
kvsqlctl_help_text (const KvsqlctlCommand *command)
{
  GString *out = g_string_new (NULL);

  if (command == NULL)
    {
      g_string_append (out, "Usage: kvsqlctl [OPTION…] COMMAND [ARGUMENT…]\n"
                            "Talks to kvsqld, which offers SQL over key-value stores.\n");
      append_commands (out);
    }
  else
    {
      g_string_append_printf (out, "Usage: kvsqlctl %s [OPTION…]%s%s\n%s.\n\n%s\n", command->name,
                              command->arguments[0] != '\0' ? " " : "", command->arguments,
                              command->summary, command->description);
      append_options (out, "Options", command->options);
    }
  append_options (out, command != NULL ? "Options of all commands" : "Options", global_options);
  g_string_append (
      out, "\nThe environment's KVSQL_URI is used where --connect is not given; else the UNIX\n"
           "socket " KVSQL_DEFAULT_SOCKET ".\n"
           "Exit status: 0 done, 1 failed, 2 wrong usage, 3 kvsqld not reachable.\n");
  return g_string_free (out, FALSE);
}

static KvsqlctlStatus
report_usage (const KvsqlctlCommand *command, const gchar *message, const gchar *hint)
{
  g_autofree gchar *help
      = g_strdup_printf ("Try \"kvsqlctl help%s%s\".", command != NULL ? " " : "",
                         command != NULL ? command->name : "");

  kvsqlctl_report_own (message, hint, help);
  return KVSQLCTL_USAGE;
}

KvsqlctlStatus
kvsqlctl_usage_failure (const KvsqlctlCommand *command, const GError *error)
{
  return report_usage (command, error->message, kvsql_client_error_get_hint (error));
}

KvsqlctlStatus
kvsqlctl_usage_error (const KvsqlctlCommand *command, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return report_usage (command, message, NULL);
}

KvsqlctlStatus
kvsqlctl_unknown_command (const gchar *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree gchar *suggestion = NULL;

  for (guint i = 0; commands[i] != NULL; i++)
    if (!commands[i]->is_hidden)
      g_ptr_array_add (names, (gpointer)commands[i]->name);
  suggestion = kvsqlctl_suggest_text (name, names);
  return kvsqlctl_usage_error (NULL, "unknown command \"%s\"%s", name,
                               suggestion[0] != '\0' ? suggestion
                                                     : "; \"exec\" is for SQL statements");
}

KvsqlctlStatus
kvsqlctl_unknown_verb (const KvsqlctlCommand *command, const gchar *word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree gchar *suggestion = NULL, *all = g_strjoinv (", ", (gchar **)command->verbs);

  for (guint i = 0; command->verbs[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer)command->verbs[i]);
  suggestion = kvsqlctl_suggest_text (word, names);
  return kvsqlctl_usage_error (
      command, "unknown command \"%s %s\"%s%s", command->name, word,
      suggestion[0] != '\0' ? suggestion : "; expected one of: ", suggestion[0] != '\0' ? "" : all);
}

gboolean
kvsqlctl_parse_time (const gchar *text, guint *out_ms)
{
  static const struct
  {
    const gchar *unit;
    gdouble ms;
  } units[] = { { "", 1000 }, { "s", 1000 }, { "ms", 1 }, { "m", 60000 }, { "h", 3600000 } };
  gchar *end = NULL;
  gdouble number = g_ascii_strtod (text, &end);

  for (guint i = 0; end != text && i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].unit) == 0 && isfinite (number) && number * units[i].ms >= 1
        && number * units[i].ms <= G_MAXINT32)
      {
        *out_ms = (guint)(number * units[i].ms);
        return TRUE;
      }
  return FALSE;
}
