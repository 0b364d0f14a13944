/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * export.c: kvsqlctl export: writes the tuples of a relation, or the rows of a query, to a
 * file.
 *
 * Reads the options, asks kvsqld for the parts of the result, and calls client/ctl/export/run.c.
 * The state that an interrupted export needs to continue is stored by client/ctl/export/file.c.
 */
#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "client/ctl/execute.h"
#include "client/ctl/export/run.h"
#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/usage.h"

/* More parts than connections, so that all connections are busy almost to the end, and the
 * remaining time can be estimated from the finished parts. */
#define PARTS_PER_JOB 8
#define MAX_JOBS 64

static struct
{
  gchar *columns;
  gchar *where;
  gchar *query;
  gchar *output;
  KvsqlctlMarks marks;
  gint jobs;
  gint retry;
  gboolean restart;
  gboolean progress;
} given = { .jobs = 4, .retry = 60 };

static const GOptionEntry options[] = {
  { "columns", 'C', 0, G_OPTION_ARG_STRING, &given.columns, "Only these attributes, in this order",
    "NAME,…" },
  { "where", 'w', 0, G_OPTION_ARG_STRING, &given.where, "Only tuples for which this is true",
    "PREDICATE" },
  { "query", 'Q', 0, G_OPTION_ARG_STRING, &given.query, "The rows of this SELECT instead",
    "SELECT" },
  { "output", 'O', 0, G_OPTION_ARG_FILENAME, &given.output,
    "Write into FILE, which appears once it is whole", "FILE" },
  { "header", 'H', 0, G_OPTION_ARG_NONE, &given.marks.header,
    "Begin with a line of names (so it is for CSV and TSV)", NULL },
  { "no-header", 'N', 0, G_OPTION_ARG_NONE, &given.marks.no_header, "No line of names", NULL },
  { "delimiter", 'd', 0, G_OPTION_ARG_STRING, &given.marks.delimiter, "The delimiter of fields",
    "CHARACTER" },
  { "quote", 'q', 0, G_OPTION_ARG_STRING, &given.marks.quote, "The quote of CSV fields",
    "CHARACTER" },
  { "null", 'n', 0, G_OPTION_ARG_STRING, &given.marks.null,
    "The text of NULL: nothing in CSV, \\N in TSV", "TEXT" },
  { "jobs", 'j', 0, G_OPTION_ARG_INT, &given.jobs,
    "Connections that fetch at once, into a file (4)", "N" },
  { "retry", 'y', 0, G_OPTION_ARG_INT, &given.retry,
    "How long to repeat a request without an answer (60)", "SECONDS" },
  { "restart", 'R', 0, G_OPTION_ARG_NONE, &given.restart,
    "Begin again, whatever an interrupted export has written", NULL },
  { "progress", 'P', 0, G_OPTION_ARG_NONE, &given.progress,
    "Show progress even if stderr is not a terminal", NULL },
  { NULL },
};

typedef struct
{
  Kvsqlctl *ctl;
  KvsqlctlFileFormat file_format;
  const gchar *sql;
  KvsqlctlExportFile file;
} Export;

static void
export_clear (Export *self)
{
  kvsqlctl_export_file_clear (&self->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Export, export_clear)

/* ---- options */

static const gchar *
read_file_format (Export *self)
{
  KvsqlctlFormat format = self->ctl->format;
  const gchar *problem;

  if (format == KVSQLCTL_FORMAT_TABLE && !kvsqlctl_format_of_path (given.output, &format))
    format = KVSQLCTL_FORMAT_CSV;
  problem = kvsqlctl_file_format_read (&self->file_format, format, &given.marks);
  if (problem == NULL && format == KVSQLCTL_FORMAT_TSV && self->file_format.null[0] == '\0')
    problem = "an empty --null cannot be distinguished from the empty text in TSV";
  return problem;
}

/* Returns the statement; @out_hidden: the number of bytes in it before the user's text. */
static gchar *
make_statement (const gchar *relation, gint *out_hidden)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (relation);
  g_auto (GStrv) names = g_strsplit (given.columns != NULL ? given.columns : "", ",", -1);
  GString *sql = g_string_new ("SELECT ");

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree gchar *name = kvsqlctl_quote_name (g_strstrip (names[i]));

      g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "", name);
    }
  g_string_append_printf (sql, "%sFROM %s", names[0] != NULL ? " " : "* ", quoted);
  *out_hidden = (gint)sql->len;
  if (given.where != NULL)
    {
      g_string_append (sql, " WHERE ");
      *out_hidden = (gint)sql->len;
      g_string_append (sql, given.where);
    }
  return g_string_free (sql, FALSE);
}

/* Options that must be the same to continue an export. Free it. */
static gchar **
describe_options (Export *self, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add_many (builder, "statement", self->sql, NULL);
  return kvsqlctl_state_file_describe (builder, self->ctl, &self->file_format, error)
             ? g_strv_builder_end (builder)
             : NULL;
}

/* ---- running */

/* The expected number of rows, if kvsqld has statistics of the relation; else 0. */
static guint64
estimate_rows (Export *self)
{
  g_autofree gchar *plan = kvsql_connection_explain (
      self->ctl->connection, self->sql, NULL, KVSQL_EXPLAIN_JSON, self->ctl->cancellable, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;
  JsonObject *object;

  if (plan == NULL || !json_parser_load_from_data (parser, plan, -1, NULL))
    return 0;
  root = json_parser_get_root (parser);
  object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  return object != NULL
             ? (guint64)json_object_get_double_member_with_default (object, "answer_rows", 0)
             : 0;
}

static KvsqlctlProgress *
begin_progress (Export *self)
{
  KvsqlctlProgress *progress = kvsqlctl_progress_new (
      "exporting", 0, 0, given.progress, self->file.path != NULL || !isatty (STDOUT_FILENO));

  /* with several parts, the finished ones give a better estimate */
  if (kvsqlctl_progress_is_used (progress) && self->file.n_parts == 1)
    kvsqlctl_progress_expect_rows (progress, estimate_rows (self));
  return progress;
}

/* The standard output gets the rows in order: there is one part. */
static gboolean
choose_parts (Export *self, GError **error)
{
  g_autoptr (GPtrArray) cursors = NULL;
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (GError) cause = NULL;

  if (self->file.path != NULL)
    {
      statement = kvsql_connection_prepare (self->ctl->connection, self->sql,
                                            self->ctl->cancellable, error);
      if (statement == NULL)
        return FALSE;
      cursors = kvsql_statement_partition (statement, NULL, (guint)given.jobs * PARTS_PER_JOB,
                                           self->ctl->cancellable, &cause);
    }
  /* A kvsqld that is older than this program cannot partition. */
  if (cause != NULL && !g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNSUPPORTED))
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  if (cursors == NULL)
    cursors = g_ptr_array_new ();
  kvsqlctl_export_file_set_parts (&self->file, cursors);
  return TRUE;
}

/* Tells the user how to continue an export that has not finished. */
static KvsqlctlStatus
report_interrupted (Export *self, const KvsqlctlSource *source, GError *error)
{
  gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (GError) interruption = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "interrupted");
  g_autoptr (GError) cause = NULL;
  guint64 n_bytes, n_rows = 0;
  gdouble part;
  KvsqlctlStatus status = kvsqlctl_report (self->ctl, is_cancelled ? interruption : error, source);

  if (self->file.path != NULL)
    kvsqlctl_export_file_get_done (&self->file, &n_bytes, &n_rows, &part);
  if (n_rows == 0)
    return status;
  if (g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_BAD_CURSOR))
    {
      fputs ("hint: --restart begins again.\n", stderr);
      return status;
    }
  if (!kvsqlctl_export_file_save (&self->file, &cause)
      && !g_error_matches (error, cause->domain, cause->code))
    fprintf (stderr, "%s\n", cause->message);
  if (self->file.n_saved > 0)
    fprintf (stderr,
             "%" G_GUINT64_FORMAT " rows are in \"%s\"; the same command continues after them.\n",
             self->file.n_saved, self->file.part_path);
  return status;
}

static void
report_done (const Export *self, guint64 rows_before, gdouble seconds)
{
  guint64 n = self->file.head_rows;

  printf ("OK, %" G_GUINT64_FORMAT " %s", n, n == 1 ? "tuple" : "tuples");
  if (rows_before > 0)
    printf (", %" G_GUINT64_FORMAT " of them now", n - rows_before);
  printf (" (%.1f s, %.0f rows/s)\n", seconds, (gdouble)(n - rows_before) / MAX (seconds, 1e-3));
}

static gboolean
export_all (Export *self, KvsqlctlExport *export, GError **error)
{
  g_autoptr (KvsqlctlProgress) progress = begin_progress (self);

  export->progress = progress;
  return kvsqlctl_export_file_begin (&self->file, error) && kvsqlctl_export_run (export, error)
         && kvsqlctl_export_file_finish (&self->file, error);
}

static KvsqlctlStatus
run_statement (Export *self, const KvsqlctlSource *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  KvsqlctlExport export = { .ctl = self->ctl,
                            .sql = self->sql,
                            .file_format = &self->file_format,
                            .n_jobs = self->file.path != NULL ? (guint)given.jobs : 1,
                            .retry_ms = (guint)given.retry * 1000,
                            .file = &self->file,
                            .warnings = warnings };
  gint64 begun = g_get_monotonic_time ();
  guint64 rows_before = self->file.n_saved;

  if (self->file.is_resumed)
    fprintf (stderr, "continuing \"%s\", with %" G_GUINT64_FORMAT " rows done\n",
             self->file.part_path, rows_before);
  else if (!choose_parts (self, &error))
    return report_interrupted (self, source, error);
  if (!export_all (self, &export, &error))
    return export.gives_no_rows ? kvsqlctl_usage_error (
               &kvsqlctl_export, "--query needs a statement that returns rows")
                                : report_interrupted (self, source, error);
  g_ptr_array_add (warnings, NULL);
  kvsqlctl_report_warnings (self->ctl, (const gchar *const *)warnings->pdata);
  if (self->file.path != NULL)
    report_done (self, rows_before, (gdouble)(g_get_monotonic_time () - begun) / 1e6);
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
open_and_run (Export *self, const KvsqlctlSource *source)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) options_now = NULL;

  if (given.output != NULL)
    options_now = describe_options (self, &error);
  if ((given.output != NULL && options_now == NULL)
      || !kvsqlctl_export_file_open (&self->file, given.output, (const gchar *const *)options_now,
                                     given.restart, &error))
    return kvsqlctl_report (self->ctl, error, NULL);
  return run_statement (self, source);
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_auto (Export) self = { .ctl = ctl };
  KvsqlctlSource source = { .line = 1 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree gchar *sql = NULL;
  const gchar *problem;

  if ((given.query != NULL) == (argc == 1) || argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_export, "missing relation or --query");
  if (given.query != NULL && (given.columns != NULL || given.where != NULL))
    return kvsqlctl_usage_error (&kvsqlctl_export, "--query says itself which columns and rows");
  problem = read_file_format (&self);
  if (problem == NULL && (given.jobs < 1 || given.jobs > MAX_JOBS))
    problem = "--jobs is between 1 and 64";
  if (problem == NULL && (given.retry < 0 || given.retry > 86400))
    problem = "--retry is between 0 and 86400";
  if (problem == NULL && given.restart && given.output == NULL)
    problem = "--restart is for --output: an export to the standard output cannot be continued";
  if (problem != NULL)
    return kvsqlctl_usage_error (&kvsqlctl_export, "%s", problem);
  sql = given.query != NULL ? g_strdup (given.query) : make_statement (argv[0], &source.hidden);
  self.sql = sql;
  source.text = given.query != NULL ? given.query : (given.where != NULL ? given.where : "");
  source.size = strlen (source.text);
  ctl->cancellable = cancellable;
  kvsqlctl_interrupt_catch ();
  kvsqlctl_interrupt_set_target (cancellable);
  return open_and_run (&self, &source);
}

const KvsqlctlCommand kvsqlctl_export
    = { .name = "export",
        .arguments = "[RELATION]",
        .summary = "Write the tuples of a relation as CSV, TSV or NDJSON",
        .description
        = "Writes on the standard output, or into a file. --format says how, unless the file's "
          "name ends\n"
          "with .csv, .tsv or .ndjson; else it is CSV. kvsqlctl import reads it back unchanged.\n"
          "After an interruption, the same command continues its file.",
        .options = options,
        .needs_connection = TRUE,
        .has_file_format = TRUE,
        .run = run };
