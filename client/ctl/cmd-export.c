/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cmd-export.c: kvsqlctl export: the tuples of a relation, or the rows of a query, into a file.
 *
 * Rows are written as their pages come. The file gets its name once it is whole; until then it is
 * FILE.part.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "client/ctl/execute.h"
#include "client/ctl/interrupt.h"
#include "client/ctl/progress.h"
#include "client/ctl/writer.h"

#define PART_SUFFIX ".part"
#define BUFFER_BYTES (1024 * 1024)

static struct
{
  gchar *columns;
  gchar *where;
  gchar *query;
  gchar *output;
  gboolean header;
  gboolean no_header;
  gchar *delimiter;
  gchar *quote;
  gchar *null;
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
  { "header", 'H', 0, G_OPTION_ARG_NONE, &given.header,
    "Begin with a line of names (so it is for CSV and TSV)", NULL },
  { "no-header", 'N', 0, G_OPTION_ARG_NONE, &given.no_header, "No line of names", NULL },
  { "delimiter", 'd', 0, G_OPTION_ARG_STRING, &given.delimiter, "What parts fields", "CHARACTER" },
  { "quote", 'q', 0, G_OPTION_ARG_STRING, &given.quote, "What encloses fields of CSV",
    "CHARACTER" },
  { "null", 'n', 0, G_OPTION_ARG_STRING, &given.null,
    "What stands for NULL: nothing in CSV, \\N in TSV", "TEXT" },
  { "progress", 'P', 0, G_OPTION_ARG_NONE, &given.progress,
    "Say how far it is also where stderr is no terminal", NULL },
  { NULL },
};

typedef struct
{
  Kvsqlctl *ctl;
  KvsqlctlDialect dialect;
  FILE *out;
  gchar *part; /* NULL: stdout */
  gboolean is_whole;
} Export;

/* ---- options */

static const gchar *
read_dialect (Export *self)
{
  KvsqlctlFormat format = self->ctl->format;
  const gchar *problem;

  if (format == KVSQLCTL_FORMAT_TABLE && !kvsqlctl_dialect_of_name (given.output, &format))
    format = KVSQLCTL_FORMAT_CSV;
  if (format != KVSQLCTL_FORMAT_CSV && format != KVSQLCTL_FORMAT_TSV
      && format != KVSQLCTL_FORMAT_NDJSON)
    return "only csv, tsv and ndjson can be exported";
  self->dialect = kvsqlctl_dialect_default (format);
  problem = kvsqlctl_dialect_set (&self->dialect, given.delimiter, given.quote, given.null);
  if (problem == NULL && format == KVSQLCTL_FORMAT_TSV && self->dialect.null[0] == '\0')
    problem = "an empty --null could not be told from the empty text in TSV";
  if (problem == NULL && given.header && given.no_header)
    problem = "--header and --no-header together";
  if (problem == NULL && given.header && format == KVSQLCTL_FORMAT_NDJSON)
    problem = "NDJSON has no header";
  if (given.no_header)
    self->dialect.has_header = FALSE;
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

/* ---- the file */

static gboolean
refuse (const gchar *what, const gchar *path, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not %s \"%s\": %s", what,
               path, g_strerror (errno));
  return FALSE;
}

static gboolean
open_output (Export *self, GError **error)
{
  self->out = stdout;
  if (given.output != NULL)
    {
      self->part = g_strconcat (given.output, PART_SUFFIX, NULL);
      self->out = g_fopen (self->part, "we");
      if (self->out == NULL)
        return refuse ("open", self->part, error);
    }
  setvbuf (self->out, NULL, _IOFBF, BUFFER_BYTES);
  return TRUE;
}

/* All of it is safe before it gets its name. */
static gboolean
finish_output (Export *self, GError **error)
{
  gboolean ok = fflush (self->out) == 0 && !ferror (self->out);

  if (self->part == NULL)
    return ok || refuse ("write", "stdout", error);
  ok = ok && fsync (fileno (self->out)) == 0;
  ok = fclose (self->out) == 0 && ok;
  self->out = NULL;
  if (!ok)
    return refuse ("write", self->part, error);
  self->is_whole = g_rename (self->part, given.output) == 0;
  return self->is_whole || refuse ("write", given.output, error);
}

static void
export_clear (Export *self)
{
  if (self->part != NULL && self->out != NULL)
    fclose (self->out);
  if (self->part != NULL && !self->is_whole)
    g_unlink (self->part);
  g_free (self->part);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Export, export_clear)

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

static KvsqlctlWriter *
begin_rows (Export *self, KvsqlResult *result)
{
  guint n = kvsql_result_get_n_columns (result);
  g_autofree KvsqlctlColumn *columns = g_new0 (KvsqlctlColumn, n);

  for (guint i = 0; i < n; i++)
    {
      KvsqlColumnType type = kvsql_result_get_column_type (result, i);

      columns[i]
          = (KvsqlctlColumn){ kvsql_result_get_column_name (result, i),
                              type == KVSQL_COLUMN_TYPE_BYTES ? KVSQL_COLUMN_TYPE_STRING : type };
    }
  return kvsqlctl_writer_begin_dialect (&self->dialect, self->out, columns, n);
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

static gboolean
write_rows (Export *self, KvsqlResult *result, guint64 *out_n, GError **error)
{
  g_autoptr (KvsqlctlProgress) progress = kvsqlctl_progress_new (
      "exporting", 0, 0, given.progress, self->part != NULL || !isatty (STDOUT_FILENO));
  guint n = kvsql_result_get_n_columns (result);
  g_autofree const gchar **texts = g_new0 (const gchar *, n);
  g_autofree GString **hex = g_new0 (GString *, n);
  Rows rows = { result, begin_rows (self, result), progress, n, texts, hex };
  g_autoptr (GError) cause = NULL;

  for (guint i = 0; i < n; i++)
    hex[i] = g_string_new (NULL);
  do
    write_page (&rows);
  while (!ferror (self->out) && kvsql_result_next_page (result, self->ctl->cancellable, &cause));
  /* Ctrl-C may come while a row is written, and the thread that cancels may be late: what was
   * interrupted is not whole in any case. */
  if (kvsqlctl_interrupt_take () && cause == NULL)
    g_set_error_literal (&cause, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the export was interrupted");
  *out_n = rows.writer->n_rows;
  kvsqlctl_writer_end (rows.writer, cause == NULL);
  for (guint i = 0; i < n; i++)
    g_string_free (hex[i], TRUE);
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

static KvsqlctlStatus
run_statement (Export *self, const gchar *sql, const KvsqlctlSource *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;
  gint64 begun = g_get_monotonic_time ();
  gdouble seconds;
  guint64 n = 0;

  result
      = kvsql_connection_query (self->ctl->connection, sql, NULL, self->ctl->cancellable, &error);
  if (result == NULL)
    return kvsqlctl_report (self->ctl, error, source);
  if (kvsql_result_get_n_columns (result) == 0)
    return kvsqlctl_usage_error (&kvsqlctl_export, "--query wants a statement that gives rows");
  if (!open_output (self, &error) || !write_rows (self, result, &n, &error)
      || !finish_output (self, &error))
    return kvsqlctl_report (self->ctl, error, NULL);
  kvsqlctl_report_warnings (self->ctl, kvsql_result_get_warnings (result));
  seconds = (gdouble)(g_get_monotonic_time () - begun) / 1e6;
  if (self->part != NULL)
    printf ("OK, %" G_GUINT64_FORMAT " %s (%.1f s, %.0f rows/s)\n", n, n == 1 ? "tuple" : "tuples",
            seconds, (gdouble)n / MAX (seconds, 1e-3));
  return KVSQLCTL_DONE;
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
  if (problem != NULL)
    return kvsqlctl_usage_error (&kvsqlctl_export, "%s", problem);
  sql = given.query != NULL ? g_strdup (given.query) : make_statement (argv[0], &source.hidden);
  source.text = given.query != NULL ? given.query : (given.where != NULL ? given.where : "");
  source.size = strlen (source.text);
  ctl->cancellable = cancellable;
  kvsqlctl_interrupt_catch ();
  kvsqlctl_interrupt_set_target (cancellable);
  return run_statement (&self, sql, &source);
}

const KvsqlctlCommand kvsqlctl_export
    = { .name = "export",
        .arguments = "[RELATION]",
        .summary = "Write the tuples of a relation as CSV, TSV or NDJSON",
        .description
        = "Writes on the standard output, or into a file. --format says how, unless the file's "
          "name ends\n"
          "with .csv, .tsv or .ndjson; else it is CSV. kvsqlctl import reads it back unchanged.",
        .options = options,
        .needs_connection = TRUE,
        .run = run };
