/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer.c: kvsqlctl infer: proposes a definition for a table that has none.
 */
#include "config.h"

#include <stdio.h>

#include "client/ctl/commands/dialogue.h"
#include "client/ctl/commands/hint.h"
#include "client/ctl/execute.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

static gint n_rows;
static gboolean shows_rows;
static gboolean is_interactive;
static gchar *hint;

static const GOptionEntry options[] = {
  { "rows", 'n', 0, G_OPTION_ARG_INT, &n_rows, "How many rows to read; 2000 if it is not given",
    "N" },
  { "check", 'c', 0, G_OPTION_ARG_NONE, &shows_rows,
    "Show the first rows, and what they are read as", NULL },
  { "hint", 'H', 0, G_OPTION_ARG_STRING, &hint,
    "What the key has, in order: names, with types where they are known", "NAME [TYPE], ..." },
  { "interactive", 'i', 0, G_OPTION_ARG_NONE, &is_interactive,
    "Ask which reading is right, for names, and whether to define it", NULL },
  { NULL },
};

/* ---- a script with comments */

static void
print_comments (const GPtrArray *texts)
{
  for (guint i = 0; i < texts->len; i++)
    printf ("-- %s\n", (const gchar *)texts->pdata[i]);
}

/* Of the first reading: what the definition does not say, and with --check the first rows. */
static void
print_notes (const KvsqlctlProposal *proposal)
{
  print_comments (proposal->notes);
  if (shows_rows)
    print_comments (proposal->cells);
}

/* A reading that is not the proposed one is one comment. */
static void
print_reading (const KvsqlctlReading *reading)
{
  printf ("-- %s%s%s:", reading->note, reading->fit != NULL ? "; " : "",
          reading->fit != NULL ? reading->fit : "");
  for (guint i = 0; i < reading->statements->len; i++)
    printf (" %s;", (const gchar *)reading->statements->pdata[i]);
  printf ("\n");
  print_comments (reading->undecodable);
}

static void
print_chosen (const KvsqlctlReading *reading)
{
  printf ("-- %s\n", reading->note);
  for (guint i = 0; i < reading->statements->len; i++)
    {
      if (i == 1 && reading->fit != NULL)
        printf ("-- %s\n", reading->fit);
      printf ("%s;\n", (const gchar *)reading->statements->pdata[i]);
    }
}

/* @renames: nullable */
static void
print_script (const KvsqlctlProposal *proposal, const KvsqlctlReading *chosen,
              const GPtrArray *renames)
{
  const GPtrArray *readings = proposal->readings;

  print_chosen (chosen);
  print_comments (chosen->undecodable);
  if (renames != NULL)
    kvsqlctl_print_statements (renames);
  for (guint i = 0; i < readings->len; i++)
    {
      if (readings->pdata[i] != chosen)
        print_reading (readings->pdata[i]);
      if (i == 0)
        print_notes (proposal);
    }
}

static void
report_keys (const KvsqlctlProposal *proposal)
{
  fprintf (stderr, "kvsqlctl: no reading has the key \"%s\"; the rows say:\n", hint);
  for (guint i = 0; i < proposal->readings->len; i++)
    {
      g_autofree gchar *key = kvsqlctl_reading_show_key (proposal->readings->pdata[i]);
      fprintf (stderr, "  %s\n", key);
    }
}

static KvsqlctlStatus
propose (const KvsqlctlProposal *proposal)
{
  g_autoptr (GPtrArray) renames = NULL;
  const KvsqlctlReading *chosen = proposal->readings->pdata[0];

  if (hint != NULL)
    chosen = kvsqlctl_hint_apply (hint, proposal, &renames);
  if (chosen == NULL)
    {
      report_keys (proposal);
      chosen = proposal->readings->pdata[0];
    }
  print_script (proposal, chosen, renames);
  return renames != NULL || hint == NULL ? KVSQLCTL_DONE : KVSQLCTL_FAILED;
}

/* The rows of SHOW CREATE TABLE, for programs. */
static KvsqlctlStatus
show_rows (Kvsqlctl *ctl, const gchar *table)
{
  g_autofree gchar *sql = kvsqlctl_proposal_statement (table, n_rows);

  return kvsqlctl_execute_text (ctl, sql);
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_auto (KvsqlctlProposal) proposal = { 0 };
  g_autoptr (GError) error = NULL;

  if (argc != 1)
    return kvsqlctl_usage_error (&kvsqlctl_infer, "expected the name of one table");
  if (n_rows < 0)
    return kvsqlctl_usage_error (&kvsqlctl_infer, "the number of rows is at least 1");
  if (is_interactive && hint != NULL)
    return kvsqlctl_usage_error (&kvsqlctl_infer, "--interactive asks for what --hint says");
  if (ctl->format != KVSQLCTL_FORMAT_TABLE)
    return is_interactive || hint != NULL
               ? kvsqlctl_usage_error (&kvsqlctl_infer, "--interactive and --hint print a script")
               : show_rows (ctl, argv[0]);
  if (!kvsqlctl_proposal_query (&proposal, ctl, argv[0], n_rows, &error))
    return kvsqlctl_report (ctl, error, NULL);
  return is_interactive ? kvsqlctl_dialogue_run (ctl, &proposal) : propose (&proposal);
}

const KvsqlctlCommand kvsqlctl_infer = {
  .name = "infer",
  .arguments = "TABLE",
  .summary = "Propose a definition for a table that has none",
  .description
  = "Reads some rows of a table of the store, and prints statements that define it, as a script\n"
    "with comments. Nothing is defined or written. Read it, give the attributes names, and run it\n"
    "with kvsqlctl exec. With --interactive it asks for what the rows cannot tell.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
