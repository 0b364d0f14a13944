/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execute.c: runs one statement and shows its result.
 */
#include "config.h"

#include "client/ctl/execute.h"

#include <string.h>

#include "client/ctl/parameters.h"
#include "client/ctl/split.h"
#include "client/ctl/terminal/writer.h"

/* ---- results */

static void
show_affected (Kvsqlctl *ctl, gint64 affected)
{
  gboolean is_json = ctl->format == KVSQLCTL_FORMAT_JSON || ctl->format == KVSQLCTL_FORMAT_NDJSON;

  if (ctl->format == KVSQLCTL_FORMAT_CSV)
    return;
  if (affected >= 0)
    printf (is_json ? "{\"affected\": %" G_GINT64_FORMAT "}\n" : "OK, %" G_GINT64_FORMAT " %s\n",
            affected, affected == 1 ? "tuple" : "tuples");
  else
    printf ("%s\n", is_json ? "{}" : "OK");
}

/* Writes the rows of one page, which is complete in memory. */
static void
write_page (KvsqlResult *result, KvsqlctlWriter *writer, const gchar **texts)
{
  guint n_columns = kvsql_result_get_n_columns (result);

  for (guint left = kvsql_result_get_n_page_rows (result); left > 0; left--)
    {
      if (!kvsql_result_next (result, NULL))
        return;
      for (guint i = 0; i < n_columns; i++)
        texts[i] = kvsql_result_get_text (result, i);
      kvsqlctl_writer_row (writer, texts);
    }
}

static KvsqlctlStatus
show_rows (Kvsqlctl *ctl, KvsqlResult *result)
{
  guint n_columns = kvsql_result_get_n_columns (result);
  g_autofree KvsqlctlColumn *columns = g_new0 (KvsqlctlColumn, n_columns);
  g_autofree const gchar **texts = g_new0 (const gchar *, n_columns);
  g_autoptr (GError) error = NULL;
  KvsqlctlWriter *writer;

  for (guint i = 0; i < n_columns; i++)
    columns[i] = (KvsqlctlColumn){ kvsql_result_get_column_name (result, i),
                                   kvsql_result_get_column_type (result, i) };
  writer = kvsqlctl_writer_begin (ctl->format, stdout, ctl->colour_out, columns, n_columns);
  do
    write_page (result, writer, texts);
  while (!ferror (stdout) && kvsql_result_next_page (result, ctl->cancellable, &error));
  kvsqlctl_writer_end (writer, error == NULL);
  return error != NULL ? kvsqlctl_report (ctl, error, NULL) : KVSQLCTL_DONE;
}

static KvsqlctlStatus
show_plain (Kvsqlctl *ctl, KvsqlResult *result)
{
  g_autoptr (GError) error = NULL;

  while (kvsql_result_next (result, &error))
    {
      const gchar *text = kvsql_result_get_text (result, 0);

      puts (text != NULL ? text : "");
    }
  return error != NULL ? kvsqlctl_report (ctl, error, NULL) : KVSQLCTL_DONE;
}

KvsqlctlStatus
kvsqlctl_show_result (Kvsqlctl *ctl, KvsqlResult *result, gboolean is_plain)
{
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (kvsql_result_get_n_columns (result) == 0)
    show_affected (ctl, kvsql_result_get_affected (result));
  else if (is_plain && kvsql_result_get_n_columns (result) == 1
           && (ctl->format == KVSQLCTL_FORMAT_TABLE || ctl->format == KVSQLCTL_FORMAT_VERTICAL))
    status = show_plain (ctl, result);
  else
    status = show_rows (ctl, result);
  kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
  return status;
}

/* ---- statements */

static KvsqlResult *
run_with_values (Kvsqlctl *ctl, const gchar *sql, const gchar *const *values, GError **error)
{
  g_autoptr (KvsqlStatement) statement
      = kvsql_connection_prepare (ctl->connection, sql, ctl->cancellable, error);
  g_autoptr (KvsqlParams) params = NULL;

  if (statement == NULL)
    return NULL;
  params = kvsqlctl_params_of (statement, values, error);
  return params != NULL ? kvsql_statement_execute (statement, params, ctl->cancellable, error)
                        : NULL;
}

KvsqlctlStatus
kvsqlctl_execute (Kvsqlctl *ctl, const KvsqlctlSource *source, const gchar *const *values)
{
  g_autofree gchar *sql = g_strndup (source->text, source->size);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;
  gboolean is_plain;

  if (values != NULL && values[0] != NULL)
    result = run_with_values (ctl, sql, values, &error);
  else
    result = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, &error);
  if (result == NULL)
    return kvsqlctl_report (ctl, error, source);
  /* A plan or a definition is text, not a table with one column. */
  is_plain = kvsqlctl_begins_with (source->text, source->size, "EXPLAIN")
             || kvsqlctl_begins_with (source->text, source->size, "SHOW CREATE");
  return kvsqlctl_show_result (ctl, result, is_plain);
}

KvsqlctlStatus
kvsqlctl_execute_text (Kvsqlctl *ctl, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, &error);

  /* The statement is not the user's, so an error shows no position in it. */
  return result != NULL ? kvsqlctl_show_result (ctl, result, FALSE)
                        : kvsqlctl_report (ctl, error, NULL);
}

gchar *
kvsqlctl_quote_name (const gchar *name)
{
  g_autoptr (GString) quoted = g_string_new ("`");

  for (; *name != '\0'; name++)
    {
      if (*name == '`')
        g_string_append_c (quoted, '`');
      g_string_append_c (quoted, *name);
    }
  g_string_append_c (quoted, '`');
  return g_string_free (g_steal_pointer (&quoted), FALSE);
}
