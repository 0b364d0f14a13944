/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cmd-export.c: kvsqlctl export: the tuples of a relation, or the rows of a query, into a file.
 *
 * Rows are written as their pages come, while the library fetches the next page. A second thread
 * would not help: writing a page takes about half the time that kvsqld takes to make one. What is
 * needed to go on after an interruption is kept by export-file.c.
 */
#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "client/ctl/execute.h"
#include "client/ctl/export-file.h"
#include "client/ctl/interrupt.h"
#include "client/ctl/progress.h"
#include "client/ctl/writer.h"

static struct
{
  gchar *columns;
  gchar *where;
  gchar *query;
  gchar *output;
  KvsqlctlMarks marks;
  gboolean restart;
  gboolean progress;
} given;

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
  { "delimiter", 'd', 0, G_OPTION_ARG_STRING, &given.marks.delimiter, "What parts fields",
    "CHARACTER" },
  { "quote", 'q', 0, G_OPTION_ARG_STRING, &given.marks.quote, "What encloses fields of CSV",
    "CHARACTER" },
  { "null", 'n', 0, G_OPTION_ARG_STRING, &given.marks.null,
    "What stands for NULL: nothing in CSV, \\N in TSV", "TEXT" },
  { "restart", 'R', 0, G_OPTION_ARG_NONE, &given.restart,
    "Begin again, whatever an interrupted export has written", NULL },
  { "progress", 'P', 0, G_OPTION_ARG_NONE, &given.progress,
    "Say how far it is also where stderr is no terminal", NULL },
  { NULL },
};

typedef struct
{
  Kvsqlctl *ctl;
  KvsqlctlDialect dialect;
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
read_dialect (Export *self)
{
  KvsqlctlFormat format = self->ctl->format;
  const gchar *problem;

  if (format == KVSQLCTL_FORMAT_TABLE && !kvsqlctl_dialect_of_name (given.output, &format))
    format = KVSQLCTL_FORMAT_CSV;
  problem = kvsqlctl_dialect_read (&self->dialect, format, &given.marks);
  if (problem == NULL && format == KVSQLCTL_FORMAT_TSV && self->dialect.null[0] == '\0')
    problem = "an empty --null could not be told from the empty text in TSV";
  return problem;
}

/* The statement; @out_hidden: what of it stands before the user's words. */
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

/* What must be the same for an export to be gone on with; free it. */
static gchar **
describe_options (Export *self, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add_many (builder, "statement", self->sql, NULL);
  return kvsqlctl_state_file_describe (builder, self->ctl, &self->dialect, error)
             ? g_strv_builder_end (builder)
             : NULL;
}

/* ---- rows */

/* Bytes are written as PostgreSQL does, \x00ff: that is read back, and by others too. */
static const gchar *
text_of (KvsqlResult *result, guint column, GString *hex)
{
  const gchar *text = kvsql_result_get_text (result, column);
  gsize size = text != NULL ? strlen (text) : 0;

  if (kvsql_result_get_column_type (result, column) != KVSQL_COLUMN_TYPE_BYTES || size < 3)
    return text;
  g_string_assign (hex, "\\x");
  g_string_append_len (hex, text + 2, (gssize)size - 3);
  return hex->str;
}

/* Behind what an interrupted export has written, there is a header already. */
static KvsqlctlWriter *
begin_rows (Export *self, KvsqlResult *result)
{
  KvsqlctlDialect dialect = self->dialect;
  KvsqlctlWriter *writer;
  guint n = kvsql_result_get_n_columns (result);
  g_autofree KvsqlctlColumn *columns = g_new0 (KvsqlctlColumn, n);

  for (guint i = 0; i < n; i++)
    {
      KvsqlColumnType type = kvsql_result_get_column_type (result, i);

      columns[i]
          = (KvsqlctlColumn){ kvsql_result_get_column_name (result, i),
                              type == KVSQL_COLUMN_TYPE_BYTES ? KVSQL_COLUMN_TYPE_STRING : type };
    }
  dialect.has_header = dialect.has_header && self->file.offset == 0;
  writer = kvsqlctl_writer_begin_dialect (&dialect, self->file.out, columns, n);
  writer->n_rows = self->file.n_rows;
  return writer;
}

/* Rows on their way out. */
typedef struct
{
  KvsqlResult *result;
  KvsqlctlWriter *writer;
  KvsqlctlProgress *progress;
  guint n_columns;
  const gchar **texts;
  GString **hex; /* of BYTES */
} Rows;

static void
write_page (Rows *self)
{
  for (guint left = kvsql_result_get_n_page_rows (self->result); left > 0; left--)
    {
      if (!kvsql_result_next (self->result, NULL))
        return;
      for (guint i = 0; i < self->n_columns; i++)
        self->texts[i] = text_of (self->result, i, self->hex[i]);
      kvsqlctl_writer_row (self->writer, self->texts);
    }
  kvsqlctl_progress_show (self->progress, (guint64)MAX (ftello (self->writer->out), 0),
                          self->writer->n_rows);
}

/* How many rows there will be, if kvsqld knows the relation well enough to tell; else 0. */
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

  if (kvsqlctl_progress_is_used (progress))
    kvsqlctl_progress_expect_rows (progress, estimate_rows (self));
  kvsqlctl_progress_show (progress, self->file.offset, self->file.n_rows);
  return progress;
}

static gboolean
write_pages (Export *self, Rows *rows, GError **error)
{
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (GError) cause = NULL;

      write_page (rows);
      if (!kvsqlctl_export_file_end_page (&self->file, rows->writer->n_rows,
                                          kvsql_result_get_cursor (rows->result), error))
        return FALSE;
      has_more = !kvsql_result_is_last_page (rows->result);
      if (has_more && kvsqlctl_interrupt_take ())
        g_set_error_literal (&cause, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted");
      else
        has_more = kvsql_result_next_page (rows->result, self->ctl->cancellable, &cause);
      if (cause == NULL)
        continue;
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_rows (Export *self, KvsqlResult *result, GError **error)
{
  g_autoptr (KvsqlctlProgress) progress = begin_progress (self);
  guint n = kvsql_result_get_n_columns (result);
  g_autofree const gchar **texts = g_new0 (const gchar *, n);
  g_autofree GString **hex = g_new0 (GString *, n);
  Rows rows = { result, begin_rows (self, result), progress, n, texts, hex };
  gboolean ok;

  for (guint i = 0; i < n; i++)
    hex[i] = g_string_new (NULL);
  ok = write_pages (self, &rows, error);
  kvsqlctl_writer_end (rows.writer, ok);
  for (guint i = 0; i < n; i++)
    g_string_free (hex[i], TRUE);
  return ok;
}

/* ---- running */

static KvsqlResult *
go_on (Export *self, GError **error)
{
  g_autoptr (KvsqlStatement) statement
      = kvsql_connection_prepare (self->ctl->connection, self->sql, self->ctl->cancellable, error);
  KvsqlResult *result = NULL;

  if (statement != NULL)
    result = kvsql_statement_resume (statement, self->file.cursor, self->ctl->cancellable, error);
  if (result != NULL)
    fprintf (stderr, "going on in \"%s\", with %" G_GUINT64_FORMAT " rows done\n", self->file.part,
             self->file.n_rows);
  return result;
}

/* What is to be done next, after an export that did not come to its end. */
static KvsqlctlStatus
say_interrupted (Export *self, const KvsqlctlSource *source, GError *error)
{
  gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (GError) interruption = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "interrupted");
  g_autoptr (GError) cause = NULL;
  KvsqlctlStatus status = kvsqlctl_report (self->ctl, is_cancelled ? interruption : error, source);

  if (self->file.path == NULL || self->file.n_rows == 0)
    return status;
  if (g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_BAD_CURSOR))
    fputs ("hint: --restart begins again.\n", stderr);
  else if (!ferror (self->file.out) && !kvsqlctl_export_file_save (&self->file, &cause))
    fprintf (stderr, "%s\n", cause->message);
  else if (self->file.n_saved > 0)
    fprintf (stderr,
             "%" G_GUINT64_FORMAT " rows are in \"%s\"; the same command goes on behind them.\n",
             self->file.n_saved, self->file.part);
  return status;
}

static void
say_done (const Export *self, guint64 rows_before, gdouble seconds)
{
  guint64 n = self->file.n_rows;

  printf ("OK, %" G_GUINT64_FORMAT " %s", n, n == 1 ? "tuple" : "tuples");
  if (rows_before > 0)
    printf (", %" G_GUINT64_FORMAT " of them now", n - rows_before);
  printf (" (%.1f s, %.0f rows/s)\n", seconds, (gdouble)(n - rows_before) / MAX (seconds, 1e-3));
}

static KvsqlctlStatus
run_statement (Export *self, const KvsqlctlSource *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;
  gint64 begun = g_get_monotonic_time ();
  guint64 rows_before = self->file.n_rows;

  result = self->file.cursor != NULL
               ? go_on (self, &error)
               : kvsql_connection_query (self->ctl->connection, self->sql, NULL,
                                         self->ctl->cancellable, &error);
  if (result == NULL)
    return say_interrupted (self, source, error);
  if (kvsql_result_get_n_columns (result) == 0)
    return kvsqlctl_usage_error (&kvsqlctl_export, "--query wants a statement that gives rows");
  if (!kvsqlctl_export_file_begin (&self->file, &error) || !write_rows (self, result, &error)
      || !kvsqlctl_export_file_finish (&self->file, &error))
    return say_interrupted (self, NULL, error);
  kvsqlctl_report_warnings (self->ctl, kvsql_result_get_warnings (result));
  if (self->file.path != NULL)
    say_done (self, rows_before, (gdouble)(g_get_monotonic_time () - begun) / 1e6);
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
    return kvsqlctl_usage_error (&kvsqlctl_export, "a relation is wanted, or --query");
  if (given.query != NULL && (given.columns != NULL || given.where != NULL))
    return kvsqlctl_usage_error (&kvsqlctl_export, "--query says itself which columns and rows");
  problem = read_dialect (&self);
  if (problem == NULL && given.restart && given.output == NULL)
    problem = "--restart is for --output: the standard output cannot be gone on with";
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
          "After an interruption, the same command goes on with its file.",
        .options = options,
        .needs_connection = TRUE,
        .run = run };
