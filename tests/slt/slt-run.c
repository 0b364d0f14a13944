/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slt-run.c: runs files of the suite and prints the results for tests/slt/run.
 *
 *   slt-run [OPTION]… NAME=FILE …
 *
 * For each file it prints a line `file` with its name and the counts of print_file(), then lines
 * `complaint` and `listed`, each with its number, and `example`. Fields are separated by tabs.
 */
#include "config.h"

#include "tests/slt/runner.h"

#include <locale.h>
#include <string.h>

static void
print_table (const gchar *what, GHashTable *table)
{
  GHashTableIter iterator;
  gpointer key, value;

  g_hash_table_iter_init (&iterator, table);
  while (g_hash_table_iter_next (&iterator, &key, &value))
    {
      g_strdelimit (key, "\n\t", ' ');
      g_print ("%s\t%u\t%s\n", what, GPOINTER_TO_UINT (value), (const gchar *)key);
    }
}

static void
print_file (const gchar *name, const SltTotals *totals, gint64 started)
{
  g_auto (GStrv) lines = g_strsplit (totals->examples->str, "\n", -1);

  g_print ("file\t%s\tstatements=%u\tqueries=%u\truns=%u\tpassed=%u\tdifferent=%u\trefused=%u\t"
           "listed=%u\tskipped=%u\tms=%" G_GINT64_FORMAT "\n",
           name, totals->n_statements, totals->n_queries, totals->n_runs, totals->n_passed,
           totals->n_different, totals->n_refused, totals->n_listed, totals->n_skipped,
           (g_get_monotonic_time () - started) / 1000);
  print_table ("complaint", totals->complaints);
  print_table ("listed", totals->listed);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_print ("example\t%s\n", lines[i]);
}

/* TRUE: only listed differences. */
static gboolean
run_argument (const gchar *argument, const SltOptions *options)
{
  g_auto (GStrv) halves = g_strsplit (argument, "=", 2);
  g_autoptr (GError) error = NULL;
  gint64 started = g_get_monotonic_time ();
  SltTotals totals;
  gboolean is_good;

  slt_totals_init (&totals);
  is_good = slt_run_file (halves[1] != NULL ? halves[1] : halves[0], halves[0], options, &totals,
                          &error)
            && slt_totals_are_good (&totals);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  else
    print_file (halves[0], &totals, started);
  slt_totals_clear (&totals);
  return is_good;
}

int
main (int argc, char **argv)
{
  g_autofree gchar *store = NULL, *database = NULL, *layouts = NULL, *differences = NULL;
  g_auto (GStrv) files = NULL, names = NULL;
  gint seed = 1, n_schemas = 0, n_examples = 3;
  gdouble percent = 100;
  gboolean is_shared = FALSE, is_good = TRUE;
  g_autoptr (GError) error = NULL;
  g_autoptr (SltDifferences) known = NULL;
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_STRING, &store, "memory, rocksdb or hbase", "STORE" },
    { "as", 0, 0, G_OPTION_ARG_STRING, &database, "the name for skipif and onlyif", "DATABASE" },
    { "layouts", 0, 0, G_OPTION_ARG_STRING, &layouts, "only these besides given", "A,B" },
    { "sample", 0, 0, G_OPTION_ARG_DOUBLE, &percent, "run so many of the queries", "PERCENT" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "which of them", "N" },
    { "schemas", 0, 0, G_OPTION_ARG_INT, &n_schemas, "each query on so many, in rotation", "N" },
    { "examples", 0, 0, G_OPTION_ARG_INT, &n_examples, "failures told a file", "N" },
    { "one-table", 0, 0, G_OPTION_ARG_NONE, &is_shared, "all schemas in one table", NULL },
    { "differences", 0, 0, G_OPTION_ARG_FILENAME, &differences, "differences meant", "FILE" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "NAME=FILE…" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  known = differences == NULL ? NULL : slt_differences_load (differences, &error);
  if (error != NULL)
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  names = layouts == NULL ? NULL : g_strsplit (layouts, ",", -1);
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      SltOptions options = { .store = g_strcmp0 (store, "memory") == 0 ? NULL : store,
                             .database = database != NULL ? database : "sqlite",
                             .layouts = (const gchar *const *)names,
                             .percent = percent,
                             .seed = (guint32)seed,
                             .n_schemas = (guint)n_schemas,
                             .n_examples = (guint)n_examples,
                             .is_shared = is_shared,
                             .differences = known };
      is_good = run_argument (files[i], &options) && is_good;
    }
  return is_good ? 0 : 1;
}
