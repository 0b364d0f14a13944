/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * progress.c: see progress.h.
 */
#include "config.h"

#include "client/ctl/terminal/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/ctl/terminal/width.h"

#define TERMINAL_INTERVAL_US 200000
#define LINE_INTERVAL_US 5000000
#define BAR_WIDTH 20
#define MIN_WIDTH_FOR_BAR 90

struct _KvsqlctlProgress
{
  gchar *verb;
  guint64 total;
  guint64 rows_expected; /* 0: unknown */
  guint64 done_before;   /* by an earlier run */
  guint64 rows_before;   /* set by the first call, and @part_before too */
  gdouble part;          /* < 0: unknown */
  gdouble part_before;
  gboolean is_terminal;
  gboolean is_used;
  gboolean is_shown;
  gboolean is_begun;
  gint64 begun;
  gint64 drawn;
};

KvsqlctlProgress *
kvsqlctl_progress_new (const gchar *verb, guint64 total, guint64 done, gboolean with_lines,
                       gboolean with_bar)
{
  KvsqlctlProgress *self = g_new0 (KvsqlctlProgress, 1);

  self->verb = g_strdup (verb);
  self->total = total;
  self->done_before = done;
  self->part = -1;
  self->is_terminal = isatty (STDERR_FILENO);
  self->is_used = self->is_terminal ? with_bar : with_lines;
  self->begun = self->drawn = g_get_monotonic_time ();
  return self;
}

void
kvsqlctl_progress_free (KvsqlctlProgress *self)
{
  if (self == NULL)
    return;
  kvsqlctl_progress_hide (self);
  g_free (self->verb);
  g_free (self);
}

gboolean
kvsqlctl_progress_is_used (const KvsqlctlProgress *self)
{
  return self->is_used;
}

void
kvsqlctl_progress_expect_rows (KvsqlctlProgress *self, guint64 n_rows)
{
  self->rows_expected = n_rows;
}

void
kvsqlctl_progress_guess_part (KvsqlctlProgress *self, gdouble part)
{
  self->part = part;
}

/* ---- the text */

void
kvsqlctl_append_count (GString *out, guint64 count)
{
  g_autofree gchar *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  gsize length = strlen (digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append_c (out, ',');
      g_string_append_c (out, digits[i]);
    }
}

static void
append_size (GString *out, guint64 bytes)
{
  g_autofree gchar *text = g_format_size (bytes);

  g_string_append (out, text);
}

static void
append_time_left (GString *out, const gchar *about, gdouble seconds)
{
  guint64 left = seconds < 359999 ? (guint64)(seconds + 0.999) : 359999;

  g_string_append_printf (out, "  %s%u:%02u:%02u left", about, (guint)(left / 3600),
                          (guint)(left / 60 % 60), (guint)(left % 60));
}

static void
append_bar (GString *out, gdouble part)
{
  guint full = (guint)(part * BAR_WIDTH);

  g_string_append (out, "  [");
  for (guint i = 0; i < BAR_WIDTH; i++)
    g_string_append_c (out, i < full ? '#' : '-');
  g_string_append_c (out, ']');
}

/* The shown part, and the values from which the remaining time is computed. */
typedef struct
{
  const gchar *about;
  guint64 rows;     /* estimated total; 0: unknown */
  gdouble part;     /* < 0: unknown */
  gdouble now_done; /* of the part, done by this run */
} Measure;

static gdouble
part_of (guint64 done, guint64 total)
{
  return MIN ((gdouble)done / (gdouble)total, 1);
}

static Measure
choose_measure (const KvsqlctlProgress *self, guint64 done, guint64 n_rows)
{
  if (self->total > 0)
    return (Measure){ "", 0, part_of (done, self->total),
                      part_of (done - MIN (done, self->done_before), self->total) };
  if (self->part >= 0)
    return (Measure){ "about ", 0, self->part, self->part - self->part_before };
  /* An estimate that was exceeded is ignored. */
  if (self->rows_expected > 0 && n_rows <= self->rows_expected)
    return (Measure){ "about ", self->rows_expected, part_of (n_rows, self->rows_expected),
                      part_of (n_rows - MIN (n_rows, self->rows_before), self->rows_expected) };
  return (Measure){ "", 0, -1, 0 };
}

static void
append_rows (GString *out, const KvsqlctlProgress *self, const Measure *measure, guint64 n_rows,
             gdouble seconds)
{
  g_string_append (out, "  ");
  kvsqlctl_append_count (out, n_rows);
  if (measure->rows > 0)
    {
      g_string_append (out, " of about ");
      kvsqlctl_append_count (out, measure->rows);
    }
  g_string_append (out, " rows");
  if (seconds <= 0)
    return;
  g_string_append (out, "  ");
  kvsqlctl_append_count (out,
                         (guint64)((gdouble)(n_rows - MIN (n_rows, self->rows_before)) / seconds));
  g_string_append (out, " rows/s");
}

gchar *
kvsqlctl_progress_text (const KvsqlctlProgress *self, guint64 done, guint64 n_rows, gdouble seconds,
                        guint width)
{
  GString *out = g_string_new (self->verb);
  Measure measure = choose_measure (self, done, n_rows);

  if (measure.part >= 0)
    g_string_append_printf (out, " %s%3u%%", measure.about, (guint)(measure.part * 100));
  if (measure.part >= 0 && width >= MIN_WIDTH_FOR_BAR)
    append_bar (out, measure.part);
  g_string_append (out, "  ");
  append_size (out, done);
  if (self->total > 0)
    {
      g_string_append (out, " of ");
      append_size (out, self->total);
    }
  append_rows (out, self, &measure, n_rows, seconds);
  if (measure.now_done > 0 && measure.part < 1)
    append_time_left (out, measure.about, (1 - measure.part) / measure.now_done * seconds);
  if (width > 0)
    kvsqlctl_keep_start (out, width - 1);
  return g_string_free (out, FALSE);
}

/* ---- output */

static guint
terminal_width (void)
{
  struct winsize size = { 0 };

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void
kvsqlctl_progress_show (KvsqlctlProgress *self, guint64 done, guint64 n_rows)
{
  gint64 now = g_get_monotonic_time ();
  g_autofree gchar *text = NULL;

  if (!self->is_begun)
    {
      self->rows_before = n_rows;
      self->part_before = MAX (self->part, 0);
      self->is_begun = TRUE;
    }
  if (!self->is_used
      || now - self->drawn < (self->is_terminal ? TERMINAL_INTERVAL_US : LINE_INTERVAL_US))
    return;
  self->drawn = now;
  text = kvsqlctl_progress_text (self, done, n_rows, (gdouble)(now - self->begun) / 1e6,
                                 self->is_terminal ? terminal_width () : 0);
  fprintf (stderr, self->is_terminal ? "\r\033[K%s" : "%s\n", text);
  fflush (stderr);
  self->is_shown = self->is_terminal;
}

void
kvsqlctl_progress_hide (KvsqlctlProgress *self)
{
  if (!self->is_shown)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  self->is_shown = FALSE;
}
