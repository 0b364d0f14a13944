/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * status.c: kvsqlctl status: shows which kvsqld answers, and its state.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/report.h"
#include "client/ctl/terminal/width.h"
#include "client/ctl/terminal/writer.h"
#include "client/ctl/usage.h"

typedef struct
{
  gchar *name;
  gchar *text;
} Fact;

static void
fact_clear (gpointer data)
{
  Fact *self = data;

  g_free (self->name);
  g_free (self->text);
}

static GArray *
facts_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (Fact));

  g_array_set_clear_func (self, fact_clear);
  return self;
}

static void
add_fact (GArray *facts, const gchar *name, const gchar *text)
{
  Fact fact = { g_strdup (name), g_strdup (text) };

  g_array_append_val (facts, fact);
}

static void
show_facts (const GArray *facts)
{
  gint width = 0;

  for (guint i = 0; i < facts->len; i++)
    width = MAX (width, (gint)strlen (g_array_index (facts, Fact, i).name));
  for (guint i = 0; i < facts->len; i++)
    {
      const Fact *fact = &g_array_index (facts, Fact, i);
      g_autoptr (GString) printable = g_string_new (NULL);

      kvsqlctl_append_printable (printable, fact->text, strlen (fact->text));
      printf ("%-*s  %s\n", width, fact->name, printable->str);
    }
}

/* Shows more facts for people. FALSE if kvsqld cannot give them. */
static gboolean
show_more (Kvsqlctl *ctl, const gchar *peer)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, "SHOW STATUS", NULL, NULL, NULL);
  g_autoptr (GArray) facts = facts_new ();

  if (result == NULL || kvsql_result_get_n_columns (result) != 2
      || kvsql_result_get_n_page_rows (result) == 0)
    return FALSE;
  add_fact (facts, "connected to", peer);
  while (kvsql_result_next (result, NULL))
    {
      const gchar *name = kvsql_result_get_text (result, 0);
      const gchar *text = kvsql_result_get_text (result, 1);

      add_fact (facts, name != NULL ? name : "", text != NULL ? text : "");
    }
  show_facts (facts);
  kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
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
      g_autoptr (GArray) told = facts_new ();

      for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
        if (facts[i].text != NULL)
          add_fact (told, facts[i].name, facts[i].text);
      show_facts (told);
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

const KvsqlctlCommand kvsqlctl_status
    = { .name = "status",
        .arguments = "",
        .summary = "Show which kvsqld answers, and how it is",
        .description = "Exits with 3 if no kvsqld answers. A problem that kvsqld reports is shown, "
                       "but is not a failure.",
        .needs_connection = TRUE,
        .run = run };
