/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adopt.c: kvsqlctl adopt: definitions for the tables of another program, from its own catalogue.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "client/ctl/adopt/phoenix-definitions.h"
#include "client/ctl/execute.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

static gchar *pattern;
static gboolean applies, is_writable;

static const GOptionEntry options[] = {
  { "table", 't', 0, G_OPTION_ARG_STRING, &pattern,
    "Only tables with this name, in which * is any text", "PATTERN" },
  { "apply", 'a', 0, G_OPTION_ARG_NONE, &applies, "Run the statements instead of printing them",
    NULL },
  { "writable", 'w', 0, G_OPTION_ARG_NONE, &is_writable,
    "Define tables for writing, too, if Phoenix then finds what kvsql writes", NULL },
  { NULL },
};

static gboolean
is_wanted (const KvsqlctlPhoenixTable *table, const gchar *name)
{
  return (table->kind == KVSQLCTL_PHOENIX_TABLE || table->kind == KVSQLCTL_PHOENIX_VIEW)
         && (pattern == NULL || g_pattern_match_simple (pattern, name));
}

/* Names of the catalogue may have any signs: none of them ends the comment. */
static void
print_comment (const gchar *text)
{
  g_autofree gchar *line = g_strdup (text);

  for (gchar *at = line; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  printf ("-- %s\n", line);
}

static void
print_script (const gchar *name, const KvsqlctlDefinition *definition)
{
  print_comment (name);
  for (guint i = 0; i < definition->notes->len; i++)
    print_comment (definition->notes->pdata[i]);
  for (guint i = 0; i < definition->statements->len; i++)
    printf ("%s;\n", (const gchar *)definition->statements->pdata[i]);
  putchar ('\n');
}

static gboolean
apply (Kvsqlctl *ctl, const gchar *name, const KvsqlctlDefinition *definition, GError **error)
{
  for (guint i = 0; i < definition->notes->len; i++)
    fprintf (stderr, "%s: %s\n", name, (const gchar *)definition->notes->pdata[i]);
  for (guint i = 0; i < definition->statements->len; i++)
    {
      g_autoptr (KvsqlResult) result = kvsql_connection_query (
          ctl->connection, definition->statements->pdata[i], NULL, ctl->cancellable, error);

      if (result == NULL)
        {
          g_prefix_error (error, "%s: ", name);
          return FALSE;
        }
      kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
    }
  if (definition->statements->len > 0)
    printf ("%s: defined\n", name);
  return TRUE;
}

/* Tables before the views of them. */
static gboolean
adopt (Kvsqlctl *ctl, const GPtrArray *catalog, gint kind, guint *n, GError **error)
{
  for (guint i = 0; i < catalog->len; i++)
    {
      const KvsqlctlPhoenixTable *table = catalog->pdata[i];
      g_autofree gchar *name = kvsqlctl_phoenix_table_get_full_name (table);
      g_autoptr (KvsqlctlDefinition) definition = NULL;

      if (table->kind != kind || !is_wanted (table, name))
        continue;
      ++*n;
      definition = kvsqlctl_phoenix_define (catalog, table, is_writable);
      if (!applies)
        print_script (name, definition);
      else if (!apply (ctl, name, definition, error))
        return FALSE;
    }
  return TRUE;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) catalog = NULL;
  guint n = 0;

  if (argc != 1 || strcmp (argv[0], "phoenix") != 0)
    return kvsqlctl_usage_error (&kvsqlctl_adopt, "expected phoenix");
  catalog = kvsqlctl_phoenix_read_catalog (ctl, &error);
  if (catalog == NULL || !adopt (ctl, catalog, KVSQLCTL_PHOENIX_TABLE, &n, &error)
      || !adopt (ctl, catalog, KVSQLCTL_PHOENIX_VIEW, &n, &error))
    return kvsqlctl_report (ctl, error, NULL);
  if (n == 0)
    fputs (pattern == NULL ? "Phoenix has no tables here\n"
                           : "Phoenix has no table of that name here\n",
           stderr);
  return n > 0 ? KVSQLCTL_DONE : KVSQLCTL_FAILED;
}

const KvsqlctlCommand kvsqlctl_adopt = {
  .name = "adopt",
  .arguments = "phoenix",
  .summary = "Define the tables of Apache Phoenix, from its catalogue",
  .description
  = "Reads SYSTEM.CATALOG, and prints statements that define the tables of Phoenix, their views\n"
    "and global indexes, as a script with comments. The comments say what is not possible.\n"
    "Nothing is written to any table.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
