/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cmd-status.c: kvsqlctl status: which kvsqld answers, and how it is.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/report.h"
#include "client/ctl/width.h"
#include "client/ctl/writer.h"

static void
show_fact (const gchar *name, const gchar *text)
{
  g_autoptr (GString) printable = g_string_new (NULL);

  kvsqlctl_append_printable (printable, text, strlen (text));
  printf ("%-26s %s\n", name, printable->str);
}

/* What kvsqld says in more words, for people. FALSE if it can't. */
static gboolean
show_more (Kvsqlctl *ctl, const gchar *peer)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, "SHOW STATUS", NULL, NULL, NULL);

  if (result == NULL || kvsql_result_get_n_columns (result) != 2
      || kvsql_result_get_n_page_rows (result) == 0)
    return FALSE;
  show_fact ("connected to", peer);
  while (kvsql_result_next (result, NULL))
    {
      const gchar *name = kvsql_result_get_text (result, 0);
      const gchar *text = kvsql_result_get_text (result, 1);

      show_fact (name != NULL ? name : "", text != NULL ? text : "");
    }
  return TRUE;
}

static void
show (Kvsqlctl *ctl, const gchar *peer, const KvsqlServerInfo *info)
{
  const gchar *message = kvsql_server_info_get_message (info);
  g_autofree gchar *api = g_strdup_printf ("%d", kvsql_server_info_get_api_version (info));
  g_autofree gchar *epoch
      = g_strdup_printf ("%" G_GINT64_FORMAT, kvsql_server_info_get_epoch (info));
  const struct
  {
    const gchar *name;
    KvsqlColumnType type;
    const gchar *text;
  } facts[] = {
    { "connected_to", KVSQL_COLUMN_TYPE_STRING, peer },
    { "version", KVSQL_COLUMN_TYPE_STRING, kvsql_server_info_get_version (info) },
    { "api_version", KVSQL_COLUMN_TYPE_INT, api },
    { "store", KVSQL_COLUMN_TYPE_STRING, kvsql_server_info_get_store (info) },
    { "registry", KVSQL_COLUMN_TYPE_STRING, kvsql_server_info_get_registry (info) },
    { "epoch", KVSQL_COLUMN_TYPE_BIGINT, epoch },
    { "definitions_writable", KVSQL_COLUMN_TYPE_BOOLEAN,
      kvsql_server_info_get_definitions_writable (info) ? "true" : "false" },
    { "problem", KVSQL_COLUMN_TYPE_STRING, message },
  };
  KvsqlctlColumn columns[G_N_ELEMENTS (facts)];
  const gchar *texts[G_N_ELEMENTS (facts)];
  KvsqlctlWriter *writer;

  if (ctl->format == KVSQLCTL_FORMAT_TABLE || ctl->format == KVSQLCTL_FORMAT_VERTICAL)
    {
      for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
        if (facts[i].text != NULL)
          show_fact (facts[i].name, facts[i].text);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      columns[i] = (KvsqlctlColumn){ facts[i].name, facts[i].type };
      texts[i] = facts[i].text;
    }
  writer = kvsqlctl_writer_begin (ctl->format, stdout, FALSE, columns, G_N_ELEMENTS (facts));
  kvsqlctl_writer_row (writer, texts);
  kvsqlctl_writer_end (writer, TRUE);
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlServerInfo) info = NULL;
  g_autofree gchar *peer = NULL;

  if (argc != 0)
    return kvsqlctl_usage_error (&kvsqlctl_status, "unexpected argument \"%s\"", argv[0]);
  info = kvsql_connection_get_server_info (ctl->connection, NULL, &error);
  if (info == NULL)
    return kvsqlctl_report (ctl, error, NULL);
  peer = kvsql_connection_get_peer (ctl->connection);
  if ((ctl->format != KVSQLCTL_FORMAT_TABLE && ctl->format != KVSQLCTL_FORMAT_VERTICAL)
      || !show_more (ctl, peer))
    show (ctl, peer, info);
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_status = {
  .name = "status",
  .arguments = "",
  .summary = "Show which kvsqld answers, and how it is",
  .description
  = "Exits with 3 if no kvsqld answers. A problem that it knows of is shown, and is no failure.",
  .needs_connection = TRUE,
  .run = run
};
