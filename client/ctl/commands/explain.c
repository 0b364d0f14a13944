/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: kvsqlctl explain: shows how a statement would run.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/parameters.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

static gboolean analyze;
static gchar **values;

static const GOptionEntry options[] = {
  { "analyze", 'a', 0, G_OPTION_ARG_NONE, &analyze, "Run the statement too, and show what it cost",
    NULL },
  { "param", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &values,
    "Value of the next ?, or of :NAME; \\N is NULL", "[NAME=]VALUE" },
  { NULL },
};

static gchar *
explain (Kvsqlctl *ctl, const gchar *sql, GError **error)
{
  gboolean is_json = ctl->format == KVSQLCTL_FORMAT_JSON || ctl->format == KVSQLCTL_FORMAT_NDJSON;
  KvsqlExplainFlags flags
      = (is_json ? KVSQL_EXPLAIN_JSON : KVSQL_EXPLAIN_TEXT) | (analyze ? KVSQL_EXPLAIN_ANALYZE : 0);
  g_autoptr (KvsqlParams) params = NULL;

  if (values != NULL)
    {
      g_autoptr (KvsqlStatement) statement
          = kvsql_connection_prepare (ctl->connection, sql, NULL, error);

      if (statement == NULL)
        return NULL;
      params = kvsqlctl_params_of (statement, (const gchar *const *)values, error);
      if (params == NULL)
        return NULL;
    }
  return kvsql_connection_explain (ctl->connection, sql, params, flags, NULL, error);
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *plan = NULL;
  KvsqlctlSource source = { .line = 1 };

  if (argc != 1)
    return kvsqlctl_usage_error (&kvsqlctl_explain, "missing statement; give one, in quotes");
  source.text = argv[0];
  source.size = strlen (argv[0]);
  plan = explain (ctl, argv[0], &error);
  if (plan == NULL)
    return kvsqlctl_report (ctl, error, &source);
  fputs (plan, stdout);
  if (!g_str_has_suffix (plan, "\n"))
    putchar ('\n');
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_explain = {
  .name = "explain",
  .arguments = "STATEMENT",
  .summary = "Show how a statement would run",
  .description
  = "Shows the candidate schemas, the key ranges and why one was chosen. With --format json,\n"
    "as JSON for programs.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
