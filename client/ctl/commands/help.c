/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * help.c: kvsqlctl help: help of the program or of one command.
 */
#include "config.h"

#include "client/ctl/usage.h"

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  const KvsqlctlCommand *command = argc > 0 ? kvsqlctl_find_command (argv[0]) : NULL;
  g_autofree gchar *text = NULL;

  if (argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_help, "unexpected argument \"%s\"", argv[1]);
  if (argc == 1 && command == NULL)
    return kvsqlctl_unknown_command (argv[0]);
  text = kvsqlctl_help_text (command);
  fputs (text, stdout);
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_help = { .name = "help",
                                        .arguments = "[COMMAND]",
                                        .summary = "Show this text, or that of a command",
                                        .description = "The same as --help.",
                                        .run = run };
