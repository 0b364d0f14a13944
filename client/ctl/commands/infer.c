/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer.c: kvsqlctl infer: proposes a definition for a table that has none.
 */
#include "config.h"

#include <stdio.h>

#include "client/ctl/execute.h"
#include "client/ctl/names.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

static gint n_rows;
static gboolean shows_rows;

static const GOptionEntry options[] = {
  { "rows", 'n', 0, G_OPTION_ARG_INT, &n_rows, "How many rows to read; 2000 if it is not given",
    "N" },
  { "check", 'c', 0, G_OPTION_ARG_NONE, &shows_rows,
    "Show the first rows, and what they are read as", NULL },
  { NULL },
};

/* As a script: each definition after what is known of it, then comments. */
static gboolean
print_script (KvsqlResult *result, GError **error)
{
  g_autoptr (GError) cause = NULL;

  while (kvsql_result_next (result, &cause))
    {
      const gchar *definition = kvsql_result_get_text (result, 0);
      const gchar *note = kvsql_result_get_text (result, 1);

      if (!shows_rows && g_strcmp0 (kvsql_result_get_text (result, 2), "row") == 0)
        continue;
      if (note != NULL && note[0] != '\0')
        printf ("-- %s\n", note);
      if (definition != NULL)
        printf ("%s;\n", definition);
    }
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autofree gchar *table = NULL, *sql = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  if (argc != 1)
    return kvsqlctl_usage_error (&kvsqlctl_infer, "expected the name of one table");
  if (n_rows < 0)
    return kvsqlctl_usage_error (&kvsqlctl_infer, "the number of rows is at least 1");
  table = kvsqlctl_quote_text (argv[0]);
  sql = n_rows > 0 ? g_strdup_printf ("SHOW CREATE TABLE %s LIMIT %d", table, n_rows)
                   : g_strdup_printf ("SHOW CREATE TABLE %s", table);
  if (ctl->format != KVSQLCTL_FORMAT_TABLE)
    return kvsqlctl_execute_text (ctl, sql);
  result = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, &error);
  if (result == NULL || !print_script (result, &error))
    return kvsqlctl_report (ctl, error, NULL);
  kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_infer = {
  .name = "infer",
  .arguments = "TABLE",
  .summary = "Propose a definition for a table that has none",
  .description
  = "Reads some rows of a table of the store, and prints statements that define it, as a script\n"
    "with comments. Nothing is defined or written. Read it, give the attributes names, and run it\n"
    "with kvsqlctl exec.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
