/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema.c: kvsqlctl schema: shows relations and schemas and their definitions.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/names.h"
#include "client/ctl/schema/verbs.h"
#include "client/ctl/usage.h"

static KvsqlctlSchemaTest test = { .n_tuples = 1000 };

static KvsqlctlSchemaImport import;

static const GOptionEntry options[] = {
  { "tuples", 'n', 0, G_OPTION_ARG_INT, &test.n_tuples, "test: how many tuples", "N" },
  { "seed", 's', 0, G_OPTION_ARG_INT, &test.seed, "test: begin the random numbers here", "N" },
  { "vectors", 'w', 0, G_OPTION_ARG_FILENAME, &test.vectors,
    "test: write tuples and their cells to a file, as JSON", "FILE" },
  { "dry-run", 'D', 0, G_OPTION_ARG_NONE, &import.dry_run, "import: only show what would be done",
    NULL },
  { "keep-different", 'k', 0, G_OPTION_ARG_NONE, &import.keep_different,
    "import: keep existing definitions that differ", NULL },
  { NULL },
};

static KvsqlctlStatus
list (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autofree gchar *quoted = argc > 0 ? kvsqlctl_quote_name (argv[0]) : NULL;
  g_autofree gchar *sql = g_strconcat ("SHOW SCHEMAS", quoted != NULL ? " FOR " : "", quoted, NULL);
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_schema,
                                 "too many arguments; expected at most one relation");
  /* Programs get one result; a terminal shows both. */
  if (argc == 0
      && (ctl->format == KVSQLCTL_FORMAT_TABLE || ctl->format == KVSQLCTL_FORMAT_VERTICAL))
    {
      puts ("Relations:");
      status = kvsqlctl_execute_text (ctl, "SHOW RELATIONS");
      if (status == KVSQLCTL_DONE)
        puts ("\nSchemas:");
    }
  return status == KVSQLCTL_DONE ? kvsqlctl_execute_text (ctl, sql) : status;
}

static KvsqlctlStatus
show (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "missing name of a relation or schema");
  for (gint i = 0; status == KVSQLCTL_DONE && i < argc; i++)
    {
      g_autofree gchar *quoted = kvsqlctl_quote_name (argv[i]);
      g_autofree gchar *sql = g_strconcat ("DESCRIBE ", quoted, NULL);

      if (i > 0 && ctl->format == KVSQLCTL_FORMAT_TABLE)
        putchar ('\n');
      status = kvsqlctl_execute_text (ctl, sql);
    }
  return status;
}

static KvsqlctlStatus
export_definitions (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) all = argc == 0 ? kvsqlctl_query_names (ctl, "SHOW RELATIONS", &error) : NULL;
  gchar **names = argc == 0 ? all : argv;

  for (guint i = 0; names != NULL && names[i] != NULL && error == NULL; i++)
    {
      g_auto (GStrv) definitions = kvsqlctl_query_definitions (ctl, names[i], &error);

      for (guint j = 0; definitions != NULL && definitions[j] != NULL; j++)
        puts (definitions[j]);
    }
  return error != NULL ? kvsqlctl_report (ctl, error, NULL) : KVSQLCTL_DONE;
}

static KvsqlctlStatus
import_file (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  if (argc != 1)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "missing file; - is the standard input");
  if (ctl->is_read_only && !import.dry_run)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "--read-only leaves only --dry-run");
  return kvsqlctl_schema_import (ctl, argv[0], &import);
}

/* Checks the named schemas, or all. */
static KvsqlctlStatus
check (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) all = argc == 0 ? kvsqlctl_query_names (ctl, "SHOW SCHEMAS", &error) : NULL;
  gchar **names = argc == 0 ? all : argv;
  KvsqlctlStatus status = KVSQLCTL_DONE;

  for (guint i = 0; names != NULL && names[i] != NULL && status == KVSQLCTL_DONE; i++)
    {
      if (i > 0 && ctl->format == KVSQLCTL_FORMAT_TABLE)
        putchar ('\n');
      status = kvsqlctl_schema_check (ctl, names[i]);
    }
  return error != NULL ? kvsqlctl_report (ctl, error, NULL) : status;
}

static KvsqlctlStatus
test_schemas (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "missing name of a schema");
  if (test.n_tuples < 1)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "--tuples needs a number above 0");
  if (test.vectors != NULL && argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "--vectors is for one schema");
  for (gint i = 0; status == KVSQLCTL_DONE && i < argc; i++)
    status = kvsqlctl_schema_test (ctl, argv[i], &test);
  return status;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  static const struct
  {
    const gchar *name;
    KvsqlctlStatus (*run) (Kvsqlctl *ctl, gint argc, gchar **argv);
  } verbs[] = { { "list", list },
                { "show", show },
                { "check", check },
                { "test", test_schemas },
                { "export", export_definitions },
                { "import", import_file } };

  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_schema,
                                 "missing command: list, show, check, test, export or import");
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[0], verbs[i].name) == 0)
      return verbs[i].run (ctl, argc - 1, argv + 1);
  return kvsqlctl_unknown_verb (&kvsqlctl_schema, argv[0]);
}

const KvsqlctlCommand kvsqlctl_schema
    = { .name = "schema",
        .arguments = "list [RELATION] | show NAME… | check [SCHEMA…] | test SCHEMA… | "
                     "export [RELATION…] | import FILE",
        .verbs
        = (const gchar *const[]){ "list", "show", "check", "test", "export", "import", NULL },
        .summary = "Show definitions, draw them, test them, or write them as a script",
        .description
        = "list    the relations and their schemas\n"
          "show    the attributes of a relation, or the layout of a schema\n"
          "check   a picture of each schema's row key, and what was proved about the schema\n"
          "test    random tuples through a schema and back, without writing any\n"
          "export  the statements that define all relations or those named\n"
          "import  such a file, all or nothing; equal existing definitions are skipped",
        .options = options,
        .needs_connection = TRUE,
        .run = run };
