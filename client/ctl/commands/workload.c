/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload.c: kvsqlctl workload: writes what a daemon has executed as a file for kvsqlctl advise.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/commands/capture.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

static gboolean since_reset;
static gchar *period;
static gchar *output;
static gchar *name;

static const GOptionEntry options[] = {
  { "since-reset", 'R', 0, G_OPTION_ARG_NONE, &since_reset,
    "What was executed since the last RESET STATEMENT STATISTICS (default)", NULL },
  { "for", 'F', 0, G_OPTION_ARG_STRING, &period,
    "What is executed from now on in this time, such as 60s", "TIME" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to this file", "FILE" },
  { "name", 'n', 0, G_OPTION_ARG_STRING, &name, "The name of the workload (captured)", "NAME" },
  { NULL },
};

static gboolean
write_file (const gchar *text, GError **error)
{
  if (output != NULL && strcmp (output, "-") != 0)
    return g_file_set_contents (output, text, -1, error);
  fputs (text, stdout);
  return TRUE;
}

static KvsqlctlStatus
capture (Kvsqlctl *ctl, gdouble seconds)
{
  g_auto (KvsqlctlCapture) captured = { 0 };
  g_autoptr (GError) error = NULL;

  if (!kvsqlctl_capture (ctl, name != NULL ? name : "captured", seconds, FALSE, &captured, &error)
      || !write_file (captured.text, &error))
    return kvsqlctl_report (ctl, error, NULL);
  if (captured.n_advised == 0)
    kvsqlctl_report_warnings (
        ctl, (const gchar *const[]){ "there is no statement that the advisor takes", NULL });
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  guint ms = 0;

  if (argc > 0 && strcmp (argv[0], "capture") != 0)
    return kvsqlctl_unknown_verb (&kvsqlctl_workload, argv[0]);
  if (argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_workload, "unexpected argument \"%s\"", argv[1]);
  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_workload, "missing verb; there is: capture");
  if (period != NULL && since_reset)
    return kvsqlctl_usage_error (&kvsqlctl_workload, "--for and --since-reset exclude each other");
  if (period != NULL && !kvsqlctl_parse_time (period, &ms))
    return kvsqlctl_usage_error (&kvsqlctl_workload, "\"%s\" is not a time such as 60s or 5m",
                                 period);
  return capture (ctl, ms / 1000.0);
}

const KvsqlctlCommand kvsqlctl_workload = {
  .name = "workload",
  .arguments = "capture",
  .verbs = (const gchar *const[]){ "capture", NULL },
  .summary = "Write what a daemon has executed as a file for kvsqlctl advise",
  .description
  = "capture: reads the statistics of statements, the relations that they name, and how large "
    "these\n"
    "are. What the advisor cannot take is a comment in the file, with the reason. Relations are\n"
    "read once, and ANALYZE is run for them.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
