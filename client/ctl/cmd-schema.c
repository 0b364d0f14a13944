/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cmd-schema.c: kvsqlctl schema: what is defined, and how it was written.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/names.h"
#include "client/ctl/schema-verbs.h"

static KvsqlctlSchemaTest test = { .n_tuples = 1000 };

static KvsqlctlSchemaImport import;

static const GOptionEntry options[] = {
  { "tuples", 'n', 0, G_OPTION_ARG_INT, &test.n_tuples, "test: how many tuples", "N" },
  { "seed", 's', 0, G_OPTION_ARG_INT, &test.seed, "test: begin the random numbers here", "N" },
  { "vectors", 'w', 0, G_OPTION_ARG_FILENAME, &test.vectors,
    "test: write tuples and their cells to a file, as JSON", "FILE" },
  { "dry-run", 'D', 0, G_OPTION_ARG_NONE, &import.dry_run, "import: only say what would be done",
    NULL },
  { "keep-different", 'k', 0, G_OPTION_ARG_NONE, &import.keep_different,
    "import: leave what is defined otherwise as it is", NULL },
  { NULL },
};

static KvsqlctlStatus
list (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autofree gchar *quoted = argc > 0 ? kvsqlctl_quote_name (argv[0]) : NULL;
  g_autofree gchar *sql = g_strconcat ("SHOW SCHEMAS", quoted != NULL ? " FOR " : "", quoted, NULL);
  KvsqlctlStatus status = KVSQLCTL_DONE;

  if (argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "one relation is wanted at most");
  /* Programs get one result; people see both. */
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
    return kvsqlctl_usage_error (&kvsqlctl_schema, "the name of a relation or schema is wanted");
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
    return kvsqlctl_usage_error (&kvsqlctl_schema, "one file is wanted, or - for standard input");
  if (ctl->is_read_only && !import.dry_run)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "--read-only leaves only --dry-run");
  return kvsqlctl_schema_import (ctl, argv[0], &import);
}

/* The schemas that are named, or all. */
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
    return kvsqlctl_usage_error (&kvsqlctl_schema, "the name of a schema is wanted");
  if (test.n_tuples < 1)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "--tuples wants a number above 0");
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

  for (guint i = 0; argc > 0 && i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[0], verbs[i].name) == 0)
      return verbs[i].run (ctl, argc - 1, argv + 1);
  if (argc > 0)
    return kvsqlctl_usage_error (&kvsqlctl_schema, "there is no \"schema %s\"", argv[0]);
  return kvsqlctl_usage_error (&kvsqlctl_schema,
                               "list, show, check, test, export or import is wanted");
}

const KvsqlctlCommand kvsqlctl_schema
    = { .name = "schema",
        .arguments = "list [RELATION] | show NAME… | check [SCHEMA…] | test SCHEMA… | "
                     "export [RELATION…] | import FILE",
        .summary = "Show what is defined, draw it, try it, or write it as a script",
        .description
        = "list    the relations and their schemas\n"
          "show    the attributes of a relation, or the layout of a schema\n"
          "check   a picture of each schema's row key, and what was proved of the schema\n"
          "test    random tuples through a schema and back, without writing any\n"
          "export  the statements that define all relations or those named\n"
          "import  such a file: all of it or nothing; what is there and equal is passed over",
        .options = options,
        .needs_connection = TRUE,
        .run = run };
