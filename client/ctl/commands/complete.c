/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * complete.c: kvsqlctl complete: candidates for the end of a command line.
 *
 * For the completion of shells: the arguments are the words after "kvsqlctl"; the last one is the
 * word that is being typed. Prints one candidate on each line.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/names.h"
#include "client/ctl/usage.h"

/* The user waits for the completion. */
#define TIMEOUT_MS 1000

static void
put (const gchar *candidate, const gchar *word)
{
  if (g_str_has_prefix (candidate, word))
    puts (candidate);
}

static void
put_options (const GOptionEntry *options, const gchar *word)
{
  for (; options != NULL && options->long_name != NULL; options++)
    {
      g_autofree gchar *name = g_strconcat ("--", options->long_name, NULL);

      put (name, word);
    }
}

static const GOptionEntry *
find_option (const GOptionEntry *options, const gchar *word)
{
  for (; options != NULL && options->long_name != NULL; options++)
    if ((g_str_has_prefix (word, "--") && strcmp (word + 2, options->long_name) == 0)
        || (word[0] == '-' && word[1] == options->short_name && word[2] == '\0'))
      return options;
  return NULL;
}

/* Returns the option of @word if it takes the next word as its value. */
static const GOptionEntry *
option_with_value (const KvsqlctlCommand *command, const gchar *word)
{
  const GOptionEntry *option = find_option (kvsqlctl_get_global_options (), word);

  if (option == NULL && command != NULL)
    option = find_option (command->options, word);
  return option != NULL && option->arg != G_OPTION_ARG_NONE ? option : NULL;
}

static void
put_names (const gchar *uri, gboolean with_schemas, const gchar *word)
{
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, NULL);
  Kvsqlctl ctl = { .connection = connection };

  if (connection == NULL)
    return;
  kvsql_connection_set_timeout (connection, TIMEOUT_MS);
  for (guint i = 0; i < (with_schemas ? 2 : 1); i++)
    {
      g_auto (GStrv) names
          = kvsqlctl_query_names (&ctl, i == 0 ? "SHOW RELATIONS" : "SHOW SCHEMAS", NULL);

      for (guint j = 0; names != NULL && names[j] != NULL; j++)
        put (names[j], word);
    }
}

static void
put_commands (const gchar *word)
{
  const KvsqlctlCommand *const *commands = kvsqlctl_get_commands ();

  for (guint i = 0; commands[i] != NULL; i++)
    if (!commands[i]->is_hidden)
      put (commands[i]->name, word);
}

static void
put_option_values (const KvsqlctlCommand *command, const GOptionEntry *option, const gchar *word)
{
  static const gchar *const advice[] = { "text", "json", "sql" };

  if (strcmp (option->long_name, "format") == 0 && command == &kvsqlctl_advise)
    for (guint i = 0; i < G_N_ELEMENTS (advice); i++)
      put (advice[i], word);
  else if (strcmp (option->long_name, "format") == 0)
    for (guint i = 0; i < KVSQLCTL_N_FORMATS; i++)
      put (kvsqlctl_format_get_name ((KvsqlctlFormat)i), word);
}

/* Prints candidates for the @n-th argument of a command, from 0. */
static void
put_arguments (const KvsqlctlCommand *command, guint n, const gchar *uri, const gchar *word)
{
  if (command == &kvsqlctl_help && n == 0)
    put_commands (word);
  else if (command->verbs != NULL && n == 0)
    for (guint i = 0; command->verbs[i] != NULL; i++)
      put (command->verbs[i], word);
  else if (command == &kvsqlctl_schema)
    put_names (uri, TRUE, word);
  else if ((command == &kvsqlctl_import || command == &kvsqlctl_export) && n == 0)
    put_names (uri, FALSE, word);
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  const KvsqlctlCommand *command = NULL;
  const GOptionEntry *waiting = NULL; /* the option whose value is next */
  const gchar *uri = NULL;
  const gchar *word = argc > 0 ? argv[argc - 1] : "";
  guint n_arguments = 0;

  for (gint i = 0; i + 1 < argc; i++)
    {
      if (waiting != NULL)
        {
          uri = strcmp (waiting->long_name, "connect") == 0 ? argv[i] : uri;
          waiting = NULL;
        }
      else if (argv[i][0] == '-')
        waiting = option_with_value (command, argv[i]);
      else if (command == NULL)
        {
          command = kvsqlctl_find_command (argv[i]);
          if (command == NULL)
            return KVSQLCTL_DONE;
        }
      else
        n_arguments++;
    }
  if (waiting != NULL)
    put_option_values (command, waiting, word);
  else if (word[0] == '-')
    {
      put_options (command != NULL ? command->options : NULL, word);
      put_options (kvsqlctl_get_global_options (), word);
    }
  else if (command == NULL)
    put_commands (word);
  else
    put_arguments (command, n_arguments, uri, word);
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_complete
    = { .name = "complete",
        .arguments = "WORD…",
        .summary = "Show candidates for the end of a command line",
        .description = "For the shell's completion.",
        .is_hidden = TRUE,
        .run = run };
