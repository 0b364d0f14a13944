/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encode.c: kvsqlctl encode: shows the key-values that a statement would write.
 *
 * With values for parameters the statement is prepared first, to get their types.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/calls.h"
#include "client/ctl/parameters.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

static gchar **values;

static const GOptionEntry options[] = {
  { "param", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &values,
    "Value of the next ?, or of :NAME; \\N is NULL", "[NAME=]VALUE" },
  { NULL },
};

static KvsqlResult *
ask (Kvsqlctl *ctl, const gchar *sql, GError **error)
{
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (KvsqlParams) params = NULL;

  if (values == NULL)
    return kvsql_connection_query (ctl->connection, sql, NULL, NULL, error);
  statement = kvsql_connection_prepare (ctl->connection, sql, NULL, error);
  if (statement == NULL)
    return NULL;
  params = kvsqlctl_params_of (statement, (const gchar *const *)values, error);
  return params != NULL ? kvsql_statement_execute (statement, params, NULL, error) : NULL;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  KvsqlctlSource source = { .line = 1, .hidden = strlen (KVSQLCTL_CALLS_PREFIX) };
  g_autofree gchar *sql = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  if (argc != 1)
    return kvsqlctl_usage_error (&kvsqlctl_encode, "missing statement; give one, in quotes");
  source.text = argv[0];
  source.size = strlen (argv[0]);
  sql = g_strconcat (KVSQLCTL_CALLS_PREFIX, argv[0], NULL);
  result = ask (ctl, sql, &error);
  if (result == NULL || !kvsqlctl_show_calls (ctl, result, &error))
    return kvsqlctl_report (ctl, error, &source);
  kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_encode = {
  .name = "encode",
  .arguments = "STATEMENT",
  .summary = "Show the key-values that a statement becomes, without doing it",
  .description
  = "For INSERT, DELETE and SELECT: each request to the store, with readable bytes. With --format\n"
    "json, as kvsqld describes them, in hex.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
