/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.c: errors and warnings for people.
 */
#include "config.h"

#include "client/ctl/report-private.h"

#include <string.h>

#include "client/ctl/split.h"
#include "client/ctl/terminal/width.h"

/* The largest number of shown columns of the statement, and the smallest number of them before the
 * caret. */
#define SHOWN_COLUMNS 100
#define COLUMNS_BEFORE 60

#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* Nullable: for errors that are found where there is no context. */
static const Kvsqlctl *program;

/* Maps errors to exit statuses. */
static const guint8 exit_statuses[] = {
  [KVSQL_CLIENT_ERROR_INTERNAL] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_SYNTAX] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_INVALID] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_UNKNOWN_NAME] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_ALREADY_EXISTS] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_TYPE] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_VALUE] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_DEFINITION] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_CONFLICT] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_STORE] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_UNAVAILABLE] = KVSQLCTL_UNREACHABLE,
  [KVSQL_CLIENT_ERROR_DEADLINE] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_LIMIT] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_BAD_CURSOR] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_BAD_STATEMENT_ID] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_UNSUPPORTED] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_READ_ONLY] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_PROTOCOL] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_DUPLICATE_KEY] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_NOT_ALLOWED] = KVSQLCTL_FAILED,
  [KVSQL_CLIENT_ERROR_AUTHENTICATION] = KVSQLCTL_FAILED,
};
G_STATIC_ASSERT (G_N_ELEMENTS (exit_statuses) == KVSQL_CLIENT_ERROR_AUTHENTICATION + 1);

KvsqlctlStatus
kvsqlctl_status_of (const GError *error)
{
  if (error->domain == KVSQL_CLIENT_ERROR && error->code > 0
      && error->code < (gint)G_N_ELEMENTS (exit_statuses))
    return (KvsqlctlStatus)exit_statuses[error->code];
  return KVSQLCTL_FAILED;
}

/* ---- the line that the error is in */

/* Appends the line in its shown form: no control characters, no invalid UTF-8, and not too long. */
static void
draw_line (GString *out, const KvsqlctlSourceLine *line, gint length, gboolean colour)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) marked = g_string_new (NULL);
  g_autoptr (GString) after = g_string_new (NULL);
  g_autofree gchar *gutter = g_strdup_printf ("%4u | ", line->number);
  gsize marked_size = MIN ((gsize)MAX (length, 1), line->size - MIN (line->offset, line->size));
  gsize offset = MIN (line->offset, line->size);
  guint caret, carets;

  kvsqlctl_append_printable (before, line->start, offset);
  kvsqlctl_append_printable (marked, line->start + offset, marked_size);
  kvsqlctl_append_printable (after, line->start + offset + marked_size,
                             line->size - offset - marked_size);
  if (kvsqlctl_width (before->str) > COLUMNS_BEFORE)
    kvsqlctl_keep_end (before, COLUMNS_BEFORE);
  caret = kvsqlctl_width (before->str);
  kvsqlctl_keep_start (marked, SHOWN_COLUMNS - caret);
  carets = MAX (kvsqlctl_width (marked->str), 1);
  kvsqlctl_keep_start (after, SHOWN_COLUMNS - MIN (SHOWN_COLUMNS, caret + carets));

  g_string_append_printf (out, "%s%s%s%s\n", gutter, before->str, marked->str, after->str);
  g_string_append_printf (out, "%*s| %*s%s", (gint)strlen (gutter) - 2, "", (gint)caret, "",
                          colour ? RED : "");
  for (guint i = 0; i < carets; i++)
    g_string_append_c (out, '^');
  g_string_append_printf (out, "%s\n", colour ? PLAIN : "");
}

static void
draw_extra (GString *out, const gchar *label, const gchar *text, gboolean colour)
{
  g_autoptr (GString) printable = g_string_new (NULL);

  if (text == NULL)
    return;
  kvsqlctl_append_printable_lines (printable, text, strlen (text));
  g_string_append_printf (out, "%s%s:%s %s\n", colour ? BOLD : "", label, colour ? PLAIN : "",
                          printable->str);
}

/* GIO's text does not say what was cancelled. */
static const gchar *
cancelled_text (const KvsqlctlSource *source)
{
  /* Without a source it was the rest of a result, or a query of kvsqlctl itself. */
  return source == NULL || kvsqlctl_begins_with (source->text, source->size, "SELECT")
             ? "cancelled"
             : "cancelled; a write may or may not have happened";
}

static const gchar *
message_of (const GError *error, const KvsqlctlSource *source)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? cancelled_text (source)
                                                                   : error->message;
}

static KvsqlctlErrorText
get_text (const GError *error, const KvsqlctlSource *source)
{
  return (KvsqlctlErrorText){ .message = message_of (error, source),
                              .detail = kvsql_client_error_get_detail (error),
                              .hint = kvsql_client_error_get_hint (error),
                              .position = kvsql_client_error_get_position (error),
                              .length = kvsql_client_error_get_length (error) };
}

void
kvsqlctl_draw_problem (GString *out, const KvsqlctlErrorText *problem, const KvsqlctlSource *source,
                       gboolean colour)
{
  g_autoptr (GString) message = g_string_new (NULL);
  KvsqlctlSourceLine line = { .number = source != NULL ? source->line : 0 };
  gboolean has_line = source != NULL && problem->position >= 0
                      && _kvsqlctl_find_line (source, problem->position, &line);

  kvsqlctl_append_printable_lines (message, problem->message, strlen (problem->message));
  if (source != NULL && source->file != NULL)
    g_string_append_printf (out, "%s:%u: ", source->file, line.number);
  g_string_append_printf (out, "%serror:%s %s\n", colour ? RED : "", colour ? PLAIN : "",
                          message->str);
  if (has_line)
    draw_line (out, &line, problem->length, colour);
  draw_extra (out, "detail", problem->detail, colour);
  draw_extra (out, "hint", problem->hint, colour);
}

void
kvsqlctl_draw_error (GString *out, const GError *error, const KvsqlctlSource *source,
                     gboolean colour)
{
  KvsqlctlErrorText problem = get_text (error, source);

  kvsqlctl_draw_problem (out, &problem, source, colour);
}

/* JSON is no format of files, so it is always that of errors. */
static gboolean
is_json (const Kvsqlctl *ctl)
{
  return ctl != NULL
         && (ctl->format == KVSQLCTL_FORMAT_JSON
             || (ctl->format == KVSQLCTL_FORMAT_NDJSON && !ctl->is_file_format));
}

/* After what was written to stdout. */
static void
print (const GString *drawing)
{
  fflush (stdout);
  fputs (drawing->str, stderr);
}

void
kvsqlctl_report_for (const Kvsqlctl *ctl)
{
  program = ctl;
}

void
kvsqlctl_report_own (const gchar *message, const gchar *hint, const gchar *help)
{
  g_autoptr (GString) drawing = g_string_new (NULL);
  g_autofree gchar *valid = g_utf8_make_valid (message, -1); /* it may have a word of a user */
  const KvsqlctlErrorText problem
      = { .message = valid, .hint = hint != NULL ? hint : help, .position = -1 };

  if (is_json (program))
    _kvsqlctl_draw_problem_json (drawing, &problem, NULL, NULL, FALSE);
  else
    {
      g_string_append_printf (drawing, "kvsqlctl: %s\n", message);
      draw_extra (drawing, "hint", hint, FALSE);
      g_string_append_printf (drawing, "%s%s", help != NULL ? help : "", help != NULL ? "\n" : "");
    }
  print (drawing);
}

KvsqlctlStatus
kvsqlctl_fail (const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  kvsqlctl_report_own (message, NULL, NULL);
  return KVSQLCTL_FAILED;
}

KvsqlctlStatus
kvsqlctl_report_problem (const Kvsqlctl *ctl, const KvsqlctlErrorText *problem,
                         const KvsqlctlSource *source)
{
  g_autoptr (GString) drawing = g_string_new (NULL);

  if (is_json (ctl))
    _kvsqlctl_draw_problem_json (drawing, problem, NULL, source, FALSE);
  else
    kvsqlctl_draw_problem (drawing, problem, source, ctl->colour_error);
  print (drawing);
  return KVSQLCTL_FAILED;
}

KvsqlctlStatus
kvsqlctl_report (Kvsqlctl *ctl, const GError *error, const KvsqlctlSource *source)
{
  gboolean is_lost = kvsqlctl_status_of (error) == KVSQLCTL_UNREACHABLE && ctl->connection != NULL
                     && !kvsql_connection_is_open (ctl->connection);
  const gchar *more_hint = is_lost ? "Is kvsqld running? --connect or KVSQL_URI says where." : NULL;
  g_autoptr (GString) drawing = g_string_new (NULL);

  if (is_json (ctl))
    {
      KvsqlctlErrorText problem = get_text (error, source);

      problem.hint = problem.hint != NULL ? problem.hint : more_hint;
      _kvsqlctl_draw_problem_json (drawing, &problem, kvsql_client_error_get_sqlstate (error),
                                   source, kvsql_client_error_is_retryable (error));
    }
  else
    {
      kvsqlctl_draw_error (drawing, error, source, ctl->colour_error);
      draw_extra (drawing, "hint", more_hint, ctl->colour_error);
    }
  print (drawing);
  return kvsqlctl_status_of (error);
}

void
kvsqlctl_report_warnings (Kvsqlctl *ctl, const gchar *const *warnings)
{
  if (is_json (ctl))
    {
      fflush (stdout);
      _kvsqlctl_report_warnings_json (warnings);
      return;
    }
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      kvsqlctl_append_printable_lines (text, warnings[i], strlen (warnings[i]));
      fflush (stdout);
      if (g_str_has_prefix (text->str, "note: "))
        fprintf (stderr, "%s\n", text->str);
      else
        fprintf (stderr, "%swarning:%s %s\n", ctl->colour_error ? YELLOW : "",
                 ctl->colour_error ? PLAIN : "", text->str);
    }
}
