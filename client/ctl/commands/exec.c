/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * exec.c: kvsqlctl exec: runs statements from arguments, files or the standard input.
 */
#include "config.h"

#include "client/ctl/script.h"

static gchar **files;
static gchar **values;

static const GOptionEntry options[] = {
  { "file", 'f', 0, G_OPTION_ARG_FILENAME_ARRAY, &files, "Read statements from FILE; - is stdin",
    "FILE" },
  { "param", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &values,
    "Value of the next ?, or of :NAME; \\N is NULL", "[NAME=]VALUE" },
  { NULL },
};

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc == 0 && files == NULL)
    return kvsqlctl_run_file (ctl, "-", (const gchar *const *)values);
  for (guint i = 0; status == KVSQLCTL_DONE && files != NULL && files[i] != NULL; i++)
    status = kvsqlctl_run_file (ctl, files[i], (const gchar *const *)values);
  for (gint i = 0; status == KVSQLCTL_DONE && i < argc; i++)
    status = kvsqlctl_run_text (ctl, argv[i], (const gchar *const *)values);
  return status;
}

const KvsqlctlCommand kvsqlctl_exec
    = { .name = "exec",
        .arguments = "[STATEMENT…]",
        .summary = "Run statements and show their results",
        .description
        = "Runs the files first, then the arguments; with neither, the standard input.\n"
          "Statements end with a semicolon. The first that fails ends it.",
        .options = options,
        .needs_connection = TRUE,
        .run = run };
