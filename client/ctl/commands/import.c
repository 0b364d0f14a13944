/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import.c: kvsqlctl import: inserts the rows of a file into a relation.
 *
 * Reads the options, opens the input, maps fields to attributes, and calls
 * client/ctl/import/run.c.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/ctl/import/dry.h"
#include "client/ctl/import/run.h"
#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/report.h"
#include "client/ctl/usage.h"

#define STATE_SUFFIX ".kvsql-import"
#define MAX_JOBS 64
#define MAX_BATCH 10000

static struct
{
  gchar *columns;
  KvsqlctlMarks marks;
  gint batch;
  gint jobs;
  gint retry;
  gchar *rejects;
  gint64 max_errors;
  gchar *state;
  gboolean restart;
  gboolean dry_run;
  gboolean progress;
} given = { .batch = 1000, .jobs = 4, .retry = 60, .max_errors = -2 };

static const GOptionEntry options[] = {
  { "columns", 'C', 0, G_OPTION_ARG_STRING, &given.columns,
    "The attribute of each field; - skips a field", "NAME,…" },
  { "header", 'H', 0, G_OPTION_ARG_NONE, &given.marks.header,
    "The first line names the attributes (so it is for CSV and TSV)", NULL },
  { "no-header", 'N', 0, G_OPTION_ARG_NONE, &given.marks.no_header, "The first line is a row",
    NULL },
  { "delimiter", 'd', 0, G_OPTION_ARG_STRING, &given.marks.delimiter, "The delimiter of fields",
    "CHARACTER" },
  { "quote", 'q', 0, G_OPTION_ARG_STRING, &given.marks.quote, "The quote of CSV fields",
    "CHARACTER" },
  { "null", 'n', 0, G_OPTION_ARG_STRING, &given.marks.null,
    "The text of NULL: nothing in CSV, \\N in TSV", "TEXT" },
  { "jobs", 'j', 0, G_OPTION_ARG_INT, &given.jobs, "Connections that send at once (4)", "N" },
  { "batch", 'b', 0, G_OPTION_ARG_INT, &given.batch, "Rows in a request (1000)", "N" },
  { "rejects", 'x', 0, G_OPTION_ARG_FILENAME, &given.rejects,
    "Keep the rows that are wrong in FILE, and go on", "FILE" },
  { "max-errors", 'm', 0, G_OPTION_ARG_INT64, &given.max_errors,
    "Stop after more wrong rows than this (0; with --rejects any)", "N" },
  { "state", 's', 0, G_OPTION_ARG_FILENAME, &given.state,
    "Remember in FILE how far it is (INPUT" STATE_SUFFIX ")", "FILE" },
  { "restart", 'R', 0, G_OPTION_ARG_NONE, &given.restart,
    "Begin again, whatever an interrupted import has done", NULL },
  { "retry", 'y', 0, G_OPTION_ARG_INT, &given.retry,
    "How long to repeat a request without an answer (60)", "SECONDS" },
  { "dry-run", 'D', 0, G_OPTION_ARG_NONE, &given.dry_run,
    "Show the key-values of the first rows, and write nothing", NULL },
  { "progress", 'P', 0, G_OPTION_ARG_NONE, &given.progress,
    "Show progress even if stderr is not a terminal", NULL },
  { NULL },
};

/* Everything that is open during the import. */
typedef struct
{
  Kvsqlctl *ctl;
  const gchar *name; /* of the input */
  const gchar *path; /* nullable: stdin */
  int descriptor;
  guint64 size;     /* 0 for a pipe */
  gboolean is_file; /* the import can be continued */
  gboolean has_reader;
  KvsqlctlFileFormat file_format;
  KvsqlctlReader reader;
  GBytes *header;
  KvsqlctlTarget *target;
  KvsqlctlRejects rejects;
  KvsqlctlState state;
} Input;

static void
input_clear (Input *self)
{
  if (self->has_reader)
    kvsqlctl_reader_clear (&self->reader);
  if (self->path != NULL && self->descriptor >= 0)
    close (self->descriptor);
  g_clear_pointer (&self->header, g_bytes_unref);
  kvsqlctl_target_free (self->target);
  kvsqlctl_rejects_close (&self->rejects);
  kvsqlctl_state_clear (&self->state);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Input, input_clear)

/* ---- options */

/* Returns an error text; NULL if the options are valid. */
static const gchar *
read_file_format (Kvsqlctl *ctl, Input *self)
{
  KvsqlctlFormat format = ctl->format;

  if (format == KVSQLCTL_FORMAT_TABLE && !kvsqlctl_format_of_path (self->path, &format))
    return "missing --format: csv, tsv or ndjson";
  return kvsqlctl_file_format_read (&self->file_format, format, &given.marks);
}

static const gchar *
check_numbers (void)
{
  if (given.jobs < 1 || given.jobs > MAX_JOBS)
    return "--jobs is between 1 and 64";
  if (given.batch < 1 || given.batch > MAX_BATCH)
    return "--batch is between 1 and 10000";
  if (given.max_errors < -2)
    return "--max-errors is 0 or more";
  if (given.retry < 0 || given.retry > 86400)
    return "--retry is between 0 and 86400";
  return NULL;
}

/* ---- opening */

static gboolean
open_input (Input *self, GError **error)
{
  struct stat status;

  self->descriptor = self->path != NULL ? open (self->path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (self->descriptor < 0 || fstat (self->descriptor, &status) != 0)
    {
      gint code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "could not open \"%s\": %s%s",
                   self->name, g_strerror (code),
                   code == ENOENT ? "; the relation comes first: kvsqlctl import RELATION FILE"
                                  : "");
      return FALSE;
    }
  self->is_file = self->path != NULL && S_ISREG (status.st_mode);
  self->size = S_ISREG (status.st_mode) ? (guint64)status.st_size : 0;
  return TRUE;
}

static gboolean
reject_header (Input *self, gsize place, const gchar *message, GError **error)
{
  guint64 line, column;

  kvsqlctl_locate (self->reader.bytes, place, self->reader.line, &line, &column);
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
      "%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
      ": %s; the first line names the attributes, unless --no-header says that it is a row "
      "or --columns names them",
      self->name, line, column, message);
  return FALSE;
}

/* The whole line was read as one name: returns the delimiter that was probably meant. */
static const gchar *
guess_delimiter (const KvsqlctlRecord *record, const gchar *name)
{
  if (record->fields->len > 1)
    return "";
  return strchr (name, ';') != NULL    ? "; --delimiter ';' may be missing"
         : strchr (name, '\t') != NULL ? "; --format tsv may be missing"
         : strchr (name, '|') != NULL  ? "; --delimiter '|' may be missing"
         : strchr (name, ',') != NULL  ? "; --format csv may be missing"
                                       : "";
}

/* Takes the columns from the first line. */
static gboolean
choose_by_header (Input *self, GError **error)
{
  const KvsqlctlRecord *record = &self->reader.record;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;
  g_autofree gchar *message = NULL;
  g_autoptr (GError) cause = NULL;
  gint wrong = -1;

  for (guint i = 0; i < record->fields->len; i++)
    {
      const KvsqlctlField *field = &g_array_index (record->fields, KvsqlctlField, i);
      g_autofree gchar *name
          = g_strndup (kvsqlctl_record_get (record, self->reader.bytes, field), field->size);
      g_autofree gchar *valid = g_utf8_make_valid (name, -1);

      g_strv_builder_add (builder, valid);
    }
  names = g_strv_builder_end (builder);
  if (kvsqlctl_target_choose (self->target, (const gchar *const *)names, &wrong, &cause))
    return TRUE;
  message = g_strconcat (cause->message, guess_delimiter (record, names[0]), NULL);
  return reject_header (self,
                        wrong >= 0 ? g_array_index (record->fields, KvsqlctlField, wrong).place : 0,
                        message, error);
}

static gboolean
choose_by_option (Input *self, GError **error)
{
  g_auto (GStrv) names = given.columns != NULL ? g_strsplit (given.columns, ",", -1) : NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_strstrip (names[i]);
  self->target->takes_any_member = names != NULL;
  return kvsqlctl_target_choose (self->target, (const gchar *const *)names, NULL, error);
}

static gboolean
read_header (Input *self, GError **error)
{
  KvsqlctlRead read;

  do
    read = kvsqlctl_reader_next (&self->reader, error);
  while (read == KVSQLCTL_READ_NOTHING);
  switch (read)
    {
    case KVSQLCTL_READ_ERROR:
      return FALSE;
    case KVSQLCTL_READ_BAD:
      return reject_header (self, self->reader.record.place, self->reader.record.problem, error);
    case KVSQLCTL_READ_EMPTY:
      return reject_header (self, 0, "an empty line", error);
    case KVSQLCTL_READ_END:
      return choose_by_option (self, error);
    default:
      self->header = g_bytes_new (self->reader.bytes, self->reader.record.size);
      return given.columns != NULL ? choose_by_option (self, error)
                                   : choose_by_header (self, error);
    }
}

/* Maps fields to attributes. */
static gboolean
begin_reading (Input *self, GError **error)
{
  kvsqlctl_reader_init (&self->reader, self->descriptor, self->name, &self->file_format, 0, 1);
  self->has_reader = TRUE;
  return self->file_format.has_header ? read_header (self, error) : choose_by_option (self, error);
}

/* Options that must be the same to continue an import. Free it. */
static gchar **
describe_options (Input *self, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree gchar *columns = NULL;

  if (!kvsqlctl_state_file_describe (builder, self->ctl, &self->reader.file_format, error))
    return NULL;
  columns
      = given.columns != NULL ? g_strdup (given.columns) : g_strjoinv (",", self->target->names);
  g_strv_builder_add_many (builder, "relation", self->target->relation, "columns", columns, NULL);
  return g_strv_builder_end (builder);
}

/* Starts after the part that an interrupted import has done, or after the header. */
static gboolean
begin_after (Input *self, GError **error)
{
  guint64 begin = self->reader.offset + self->reader.record.size;

  if (self->state.offset <= begin)
    {
      self->state.offset = begin;
      self->state.line = self->reader.line + self->reader.n_lines;
      return TRUE;
    }
  if (lseek (self->descriptor, (off_t)self->state.offset, SEEK_SET) < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "could not read \"%s\": %s",
                   self->name, g_strerror (errno));
      return FALSE;
    }
  kvsqlctl_reader_clear (&self->reader);
  kvsqlctl_reader_init (&self->reader, self->descriptor, self->name, &self->file_format,
                        self->state.offset, self->state.line);
  fprintf (stderr,
           "continuing after line %" G_GUINT64_FORMAT ", with %" G_GUINT64_FORMAT " rows done\n",
           self->state.line - 1, self->state.n_rows);
  return TRUE;
}

static gboolean
open_state (Input *self, GError **error)
{
  g_auto (GStrv) options_now = describe_options (self, error);
  g_autofree gchar *path = NULL;

  if (options_now == NULL)
    return FALSE;
  if (self->is_file)
    path = given.state != NULL ? g_strdup (given.state)
                               : g_strconcat (self->path, STATE_SUFFIX, NULL);
  return kvsqlctl_state_open (&self->state, path, self->descriptor, given.rejects,
                              (const gchar *const *)options_now, given.restart, error)
         && kvsqlctl_rejects_open (&self->rejects, self->ctl, self->name, given.rejects,
                                   self->state.rejects_size, g_steal_pointer (&self->header), error)
         && begin_after (self, error);
}

/* ---- running */

static gboolean
import (Input *self, GError **error)
{
  g_autoptr (KvsqlctlProgress) progress
      = kvsqlctl_progress_new ("importing", self->size, self->state.offset, given.progress, TRUE);
  KvsqlctlImport run
      = { .ctl = self->ctl,
          .options
          = { (guint)given.jobs, (guint)given.batch, (guint)given.retry * 1000,
              given.max_errors != -2 ? given.max_errors : (given.rejects != NULL ? -1 : 0) },
          .target = self->target,
          .reader = &self->reader,
          .rejects = &self->rejects,
          .state = &self->state,
          .progress = progress };

  kvsqlctl_interrupt_catch ();
  return kvsqlctl_import_run (&run, error);
}

static void
report_done (const Input *self, gdouble seconds, guint64 rows_before)
{
  guint64 n = self->state.n_rows - rows_before;

  printf ("OK, %" G_GUINT64_FORMAT " %s", self->state.n_rows,
          self->state.n_rows == 1 ? "tuple" : "tuples");
  if (rows_before > 0)
    printf (", %" G_GUINT64_FORMAT " of them now", n);
  if (self->state.n_rejected > 0)
    printf (", %" G_GUINT64_FORMAT " row%s refused", self->state.n_rejected,
            self->state.n_rejected == 1 ? "" : "s");
  printf (" (%.1f s, %.0f rows/s)\n", seconds, (gdouble)n / MAX (seconds, 1e-3));
}

/* Tells the user how to continue an import that has not finished. */
static void
report_interrupted (Input *self)
{
  g_autoptr (GError) error = NULL;

  if (self->state.n_rows + self->state.n_rejected == 0)
    {
      fputs ("Some of the first rows may be in the relation.\n", stderr);
      return;
    }
  fprintf (stderr, "%" G_GUINT64_FORMAT " row%s in the relation", self->state.n_rows,
           self->state.n_rows == 1 ? " is" : "s are");
  if (self->state.file.path != NULL && kvsqlctl_state_save (&self->state, &self->rejects, &error))
    fprintf (stderr, "; the same command continues after line %" G_GUINT64_FORMAT ".\n",
             self->state.line - 1);
  else
    fprintf (stderr, " at least.%s%s\n", error != NULL ? " " : "",
             error != NULL ? error->message : "");
}

static KvsqlctlStatus
run_input (Input *self)
{
  g_autoptr (GError) error = NULL;
  gint64 begun = g_get_monotonic_time ();
  guint64 rows_before;

  if (!open_state (self, &error))
    return kvsqlctl_report (self->ctl, error, NULL);
  rows_before = self->state.n_rows;
  if (!import (self, &error))
    {
      KvsqlctlStatus status = kvsqlctl_report (self->ctl, error, NULL);

      if (g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT)
          && given.rejects == NULL)
        fputs ("hint: --rejects FILE writes invalid rows to FILE and continues.\n", stderr);
      report_interrupted (self);
      return status;
    }
  kvsqlctl_state_remove (&self->state);
  report_done (self, (gdouble)(g_get_monotonic_time () - begun) / 1e6, rows_before);
  return self->state.n_rejected > 0 ? KVSQLCTL_FAILED : KVSQLCTL_DONE;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_auto (Input) input = { .ctl = ctl, .descriptor = -1, .rejects = { .descriptor = -1 } };
  g_autoptr (GError) error = NULL;
  const gchar *problem;

  if (argc < 1 || argc > 2)
    return kvsqlctl_usage_error (&kvsqlctl_import, "missing relation or file");
  input.path = argc == 2 && strcmp (argv[1], "-") != 0 ? argv[1] : NULL;
  input.name = input.path != NULL ? input.path : "stdin";
  /* An error about a missing file is more useful than one about its name. */
  if (!open_input (&input, &error))
    return kvsqlctl_report (ctl, error, NULL);
  problem = check_numbers ();
  if (problem == NULL)
    problem = read_file_format (ctl, &input);
  if (problem == NULL && given.state != NULL && input.path == NULL)
    problem = "--state is for a file: an import from the standard input cannot be continued";
  if (problem == NULL && ctl->is_read_only && !given.dry_run)
    problem = "--read-only leaves only --dry-run";
  if (problem != NULL)
    return kvsqlctl_usage_error (&kvsqlctl_import, "%s", problem);
  input.target = kvsqlctl_target_new (ctl, argv[0], &error);
  if (input.target == NULL || !begin_reading (&input, &error))
    return kvsqlctl_report (ctl, error, NULL);
  return given.dry_run ? kvsqlctl_import_dry (ctl, input.target, &input.reader)
                       : run_input (&input);
}

const KvsqlctlCommand kvsqlctl_import = {
  .name = "import",
  .arguments = "RELATION [FILE]",
  .summary = "Insert the rows of a CSV, TSV or NDJSON file into a relation",
  .description
  = "Reads FILE, or the standard input. --format gives its format, unless its name ends "
    "with\n"
    ".csv, .tsv, .ndjson or .jsonl. A row replaces the tuple with its key. After an interruption "
    "the same\n"
    "command continues where it was.",
  .options = options,
  .needs_connection = TRUE,
  .has_file_format = TRUE,
  .run = run
};
