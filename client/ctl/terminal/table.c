/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table.c: shows rows in aligned columns.
 *
 *    k1 | v2
 *   ----+-----
 *    a1 | 100
 *   (1 row)
 *
 * Rows are collected until their widths are known. After each thousand rows they are drawn; later
 * columns are never narrower than earlier ones.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/terminal/column-type.h"
#include "client/ctl/terminal/width.h"
#include "client/ctl/terminal/writer.h"

#define ROWS_AT_ONCE 1000
/* A wider cell exceeds its column, instead of making the column as wide. */
#define MAX_WIDTH 200

typedef struct
{
  KvsqlctlWriter parent;
  guint *widths;
  GPtrArray *cells; /* gchar, NULL for NULL; n_columns for each row */
  gboolean has_header;
} TableWriter;

static void
table_begin (KvsqlctlWriter *writer)
{
  TableWriter *self = (TableWriter *)writer;

  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->widths = g_new0 (guint, writer->n_columns);
  for (guint i = 0; i < writer->n_columns; i++)
    self->widths[i] = kvsqlctl_width (writer->titles[i]);
}

static void
put_spaces (FILE *out, guint n)
{
  fprintf (out, "%*s", (gint)n, "");
}

static void
put_cell (TableWriter *self, guint column, const gchar *text)
{
  KvsqlctlWriter *writer = &self->parent;
  const gchar *shown = text != NULL ? text : "NULL";
  guint width = kvsqlctl_width (shown);
  guint padding = self->widths[column] - MIN (width, self->widths[column]);
  gboolean is_right = kvsqlctl_is_number (writer->columns[column].type);
  gboolean is_last = column + 1 == writer->n_columns;
  gboolean is_dim = text == NULL && writer->colour;

  putc (' ', writer->out);
  if (is_right)
    put_spaces (writer->out, padding);
  fprintf (writer->out, "%s%s%s", is_dim ? "\033[2m" : "", shown, is_dim ? "\033[0m" : "");
  if (!is_right && !is_last)
    put_spaces (writer->out, padding);
  fputs (is_last ? "\n" : " |", writer->out);
}

static void
put_header (TableWriter *self)
{
  KvsqlctlWriter *writer = &self->parent;

  for (guint i = 0; i < writer->n_columns; i++)
    {
      const gchar *name = writer->titles[i];
      guint padding = self->widths[i] - MIN (kvsqlctl_width (name), self->widths[i]);
      gboolean is_right = kvsqlctl_is_number (writer->columns[i].type);
      gboolean is_last = i + 1 == writer->n_columns;

      putc (' ', writer->out);
      put_spaces (writer->out, is_right ? padding : 0);
      fprintf (writer->out, "%s%s%s", writer->colour ? "\033[1m" : "", name,
               writer->colour ? "\033[0m" : "");
      put_spaces (writer->out, is_right || is_last ? 0 : padding);
      fputs (is_last ? "\n" : " |", writer->out);
    }
  for (guint i = 0; i < writer->n_columns; i++)
    {
      for (guint j = 0; j < self->widths[i] + 2; j++)
        putc ('-', writer->out);
      putc (i + 1 < writer->n_columns ? '+' : '\n', writer->out);
    }
}

static void
draw (TableWriter *self)
{
  guint n_columns = self->parent.n_columns;

  for (guint i = 0; i < self->cells->len; i++)
    {
      const gchar *text = g_ptr_array_index (self->cells, i);
      guint width = text != NULL ? kvsqlctl_width (text) : 4;

      self->widths[i % n_columns] = MAX (self->widths[i % n_columns], MIN (width, MAX_WIDTH));
    }
  if (!self->has_header)
    put_header (self);
  self->has_header = TRUE;
  for (guint i = 0; i < self->cells->len; i++)
    put_cell (self, i % n_columns, g_ptr_array_index (self->cells, i));
  g_ptr_array_set_size (self->cells, 0);
}

static void
table_row (KvsqlctlWriter *writer, const gchar *const *texts)
{
  TableWriter *self = (TableWriter *)writer;

  for (guint i = 0; i < writer->n_columns; i++)
    {
      GString *text = NULL;

      if (texts[i] != NULL)
        {
          text = g_string_new (NULL);
          /* The text NULL is distinguished from a NULL, which is shown as NULL. */
          if (g_str_equal (texts[i], "NULL"))
            g_string_append (text, "'NULL'");
          else
            kvsqlctl_append_printable (text, texts[i], strlen (texts[i]));
        }
      g_ptr_array_add (self->cells, text != NULL ? g_string_free (text, FALSE) : NULL);
    }
  if (self->cells->len >= ROWS_AT_ONCE * writer->n_columns)
    draw (self);
}

static void
table_end (KvsqlctlWriter *writer, gboolean is_complete)
{
  TableWriter *self = (TableWriter *)writer;

  if (self->cells->len > 0 || !self->has_header)
    draw (self);
  fprintf (writer->out, "(%" G_GUINT64_FORMAT " row%s%s)\n", writer->n_rows,
           writer->n_rows == 1 ? "" : "s", is_complete ? "" : ", then an error");
  g_ptr_array_unref (self->cells);
  g_free (self->widths);
}

const KvsqlctlWriterClass kvsqlctl_table_writer
    = { table_begin, table_row, table_end, sizeof (TableWriter) };
