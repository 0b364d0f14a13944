/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adopt.c: kvsqlctl adopt: definitions for the tables of another program.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "client/ctl/adopt/hive-definitions.h"
#include "client/ctl/adopt/phoenix-definitions.h"
#include "client/ctl/adopt/shell-notes.h"
#include "client/ctl/execute.h"
#include "client/ctl/report.h"
#include "client/ctl/text-file.h"
#include "client/ctl/usage.h"

#define MAX_TEXT (64 << 20) /* of a file */

static gchar *pattern;
static gboolean applies, is_writable;

static const GOptionEntry options[] = {
  { "table", 't', 0, G_OPTION_ARG_STRING, &pattern,
    "Only tables with this name, in which * is any text", "PATTERN" },
  { "apply", 'a', 0, G_OPTION_ARG_NONE, &applies, "Run the statements instead of printing them",
    NULL },
  { "writable", 'w', 0, G_OPTION_ARG_NONE, &is_writable,
    "Define tables for writing, too, if the other program then finds what kvsql writes", NULL },
  { NULL },
};

static gboolean
is_wanted (const gchar *name)
{
  return pattern == NULL || g_pattern_match_simple (pattern, name);
}

/* Names of other programs may have any signs: none of them ends the comment. */
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

static gboolean
show (Kvsqlctl *ctl, const gchar *name, const KvsqlctlDefinition *definition, GError **error)
{
  if (applies)
    return apply (ctl, name, definition, error);
  print_script (name, definition);
  return TRUE;
}

static KvsqlctlStatus
fail_without_tables (const gchar *program)
{
  return kvsqlctl_fail ("%s has no table%s here", program, pattern == NULL ? "s" : " of that name");
}

/* ---- Phoenix */

/* Tables before the views of them. */
static gboolean
adopt_kind (Kvsqlctl *ctl, const GPtrArray *catalog, gint kind, guint *n, GError **error)
{
  for (guint i = 0; i < catalog->len; i++)
    {
      const KvsqlctlPhoenixTable *table = catalog->pdata[i];
      g_autofree gchar *name = kvsqlctl_phoenix_table_get_full_name (table);
      g_autoptr (KvsqlctlDefinition) definition = NULL;

      if (table->kind != kind || !is_wanted (name))
        continue;
      ++*n;
      definition = kvsqlctl_phoenix_define (catalog, table, is_writable);
      if (!show (ctl, name, definition, error))
        return FALSE;
    }
  return TRUE;
}

static KvsqlctlStatus
adopt_phoenix (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) catalog = NULL;
  guint n = 0;

  if (argc != 0)
    return kvsqlctl_usage_error (&kvsqlctl_adopt, "phoenix takes no arguments");
  catalog = kvsqlctl_phoenix_read_catalog (ctl, &error);
  if (catalog == NULL || !adopt_kind (ctl, catalog, KVSQLCTL_PHOENIX_TABLE, &n, &error)
      || !adopt_kind (ctl, catalog, KVSQLCTL_PHOENIX_VIEW, &n, &error))
    return kvsqlctl_report (ctl, error, NULL);
  return n > 0 ? KVSQLCTL_DONE : fail_without_tables ("Phoenix");
}

/* ---- files */

/* What is printed for one statement or table of a file. */
typedef struct
{
  gchar *name;
  KvsqlctlDefinition *definition;
} Adopted;

static void
free_adopted (gpointer data)
{
  Adopted *self = data;

  g_free (self->name);
  kvsqlctl_definition_free (self->definition);
  g_free (self);
}

static Adopted *
add_adopted (GPtrArray *out, gchar *name)
{
  Adopted *self = g_new0 (Adopted, 1);

  self->name = name;
  g_ptr_array_add (out, self);
  return self;
}

static void
report_error (const Kvsqlctl *ctl, const gchar *file, const gchar *text, gsize size,
              const KvsqlctlTextError *error)
{
  KvsqlctlSource source = { .text = text, .size = size, .file = file, .line = 1 };
  KvsqlctlErrorText problem
      = { error->message, NULL, error->hint, (gint)error->position, (gint)error->length };

  kvsqlctl_report_problem (ctl, &problem, &source);
}

/* Reads what is in a text to @out. FALSE: *error says what is wrong. @relations: (element-type
 * utf8): the names of those that are defined. */
typedef gboolean (*Reader) (const gchar *file, const gchar *text, gsize size, GHashTable *relations,
                            GPtrArray *out, KvsqlctlTextError *error);

static gboolean
read_file (Kvsqlctl *ctl, Reader reader, const gchar *path, GHashTable *relations, GPtrArray *out)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  const gchar *file = is_stdin ? "stdin" : path;
  g_auto (KvsqlctlTextError) problem = { 0 };
  g_autofree gchar *text = NULL;
  gsize size;

  if (!kvsqlctl_read_text (path, MAX_TEXT, &text, &size))
    return FALSE;
  if (reader (file, text, size, relations, out, &problem))
    return TRUE;
  report_error (ctl, file, text, size, &problem);
  return FALSE;
}

/* All files are read before anything is defined. @program: for messages */
static KvsqlctlStatus
adopt_files (Kvsqlctl *ctl, Reader reader, const gchar *program, gint argc, gchar **argv)
{
  g_autoptr (GPtrArray) adopted = g_ptr_array_new_with_free_func (free_adopted);
  g_autoptr (GHashTable) relations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;

  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_adopt, "missing file with %s; - is the standard input",
                                 program);
  for (gint i = 0; i < argc; i++)
    if (!read_file (ctl, reader, argv[i], relations, adopted))
      return KVSQLCTL_FAILED;
  for (guint i = 0; i < adopted->len; i++)
    {
      const Adopted *one = adopted->pdata[i];

      if (!show (ctl, one->name, one->definition, &error))
        return kvsqlctl_report (ctl, error, NULL);
    }
  return adopted->len > 0 ? KVSQLCTL_DONE : fail_without_tables (program);
}

/* ---- Hive */

static void
skip_statement (const KvsqlctlHiveTable *table, const gchar *file, GPtrArray *out)
{
  Adopted *self = add_adopted (out, g_strdup_printf ("%s, line %u", file, table->line));

  self->definition = kvsqlctl_definition_new ();
  kvsqlctl_definition_note (self->definition, "skipped: %s", table->skipped);
}

/* @relations: (element-type utf8): the names of those that are defined. FALSE: *error says why. */
static gboolean
define_hive (const KvsqlctlHiveTable *table, GHashTable *relations, GPtrArray *out,
             KvsqlctlTextError *error)
{
  g_autofree gchar *name = kvsqlctl_hive_table_get_full_name (table);
  g_autofree gchar *relation = kvsqlctl_hive_get_relation (table);
  Adopted *self;

  if (!is_wanted (name) && !is_wanted (table->name))
    return TRUE;
  self = add_adopted (out, g_steal_pointer (&name));
  if (!table->is_in_hbase)
    {
      self->definition = kvsqlctl_definition_new ();
      kvsqlctl_definition_note (self->definition, "skipped: it is not in HBase");
      return TRUE;
    }
  self->definition = kvsqlctl_hive_define (table, is_writable, error);
  if (self->definition == NULL)
    return FALSE;
  if (self->definition->statements->len > 0
      && !g_hash_table_add (relations, g_steal_pointer (&relation)))
    {
      g_ptr_array_set_size (self->definition->statements, 0);
      kvsqlctl_definition_note (self->definition,
                                "not possible: a table with the same name is above");
    }
  return TRUE;
}

static gboolean
read_tables (const gchar *file, const gchar *text, gsize size, GHashTable *relations,
             GPtrArray *out, KvsqlctlTextError *error)
{
  g_autoptr (GPtrArray) tables = kvsqlctl_hive_ddl_parse (text, size, error);

  for (guint i = 0; tables != NULL && i < tables->len; i++)
    {
      const KvsqlctlHiveTable *table = tables->pdata[i];

      if (table->skipped != NULL)
        skip_statement (table, file, out);
      else if (!define_hive (table, relations, out, error))
        return FALSE;
    }
  return tables != NULL;
}

static KvsqlctlStatus
adopt_hive (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  return adopt_files (ctl, read_tables, "the DDL of Hive", argc, argv);
}

/* ---- the HBase shell */

static gboolean
read_descriptions (const gchar *file, const gchar *text, gsize size, GHashTable *relations,
                   GPtrArray *out, KvsqlctlTextError *error)
{
  g_autoptr (GPtrArray) tables = kvsqlctl_shell_tables_parse (text, size, error);

  for (guint i = 0; tables != NULL && i < tables->len; i++)
    {
      const KvsqlctlShellTable *table = tables->pdata[i];

      if (is_wanted (table->name))
        add_adopted (out, g_strdup (table->name))->definition = kvsqlctl_shell_describe (table);
    }
  return tables != NULL;
}

static KvsqlctlStatus
adopt_describe (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  if (applies || is_writable)
    return kvsqlctl_usage_error (&kvsqlctl_adopt,
                                 "describe defines nothing; kvsqlctl infer reads the rows");
  return adopt_files (ctl, read_descriptions, "the output of describe", argc, argv);
}

/* ---- the command */

static const struct
{
  const gchar *name;
  KvsqlctlStatus (*run) (Kvsqlctl *ctl, gint argc, gchar **argv);
} programs[]
    = { { "phoenix", adopt_phoenix }, { "hive", adopt_hive }, { "describe", adopt_describe } };

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  if (argc == 0)
    return kvsqlctl_usage_error (&kvsqlctl_adopt, "expected phoenix, hive or describe");
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    if (strcmp (argv[0], programs[i].name) == 0)
      return programs[i].run (ctl, argc - 1, argv + 1);
  return kvsqlctl_unknown_verb (&kvsqlctl_adopt, argv[0]);
}

const KvsqlctlCommand kvsqlctl_adopt = {
  .name = "adopt",
  .arguments = "phoenix | hive FILE… | describe FILE…",
  .verbs = (const gchar *const[]){ "phoenix", "hive", "describe", NULL },
  .summary = "Define the tables of Apache Phoenix or Hive",
  .description
  = "Prints statements that define the tables of another program, as a script with comments. The\n"
    "comments say what is not possible. Nothing is written to any table.\n"
    "phoenix: tables, views and global indexes, from Phoenix's catalogue, SYSTEM.CATALOG.\n"
    "hive: tables in HBase, from the text of SHOW CREATE TABLE in files; - is the standard input.\n"
    "describe: what describe of the HBase shell says of a table, and what it means for kvsql.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
