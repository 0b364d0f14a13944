/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * writer.c: the formats that are written row by row: csv, tsv, json, ndjson, vertical.
 */
#include "config.h"

#include "client/ctl/terminal/writer.h"

#include <string.h>

#include "client/ctl/terminal/column-type.h"
#include "client/ctl/terminal/width.h"

static const KvsqlctlWriterClass *const classes[KVSQLCTL_N_FORMATS] = {
  [KVSQLCTL_FORMAT_TABLE] = &kvsqlctl_table_writer,
  [KVSQLCTL_FORMAT_CSV] = &kvsqlctl_csv_writer,
  [KVSQLCTL_FORMAT_TSV] = &kvsqlctl_tsv_writer,
  [KVSQLCTL_FORMAT_JSON] = &kvsqlctl_json_writer,
  [KVSQLCTL_FORMAT_NDJSON] = &kvsqlctl_ndjson_writer,
  [KVSQLCTL_FORMAT_VERTICAL] = &kvsqlctl_vertical_writer,
};

static KvsqlctlWriter *
begin (KvsqlctlFormat format, const KvsqlctlFileFormat *file_format, FILE *out, gboolean colour,
       const KvsqlctlColumn *columns, guint n_columns)
{
  KvsqlctlWriter *self = g_malloc0 (classes[format]->size);

  self->class = classes[format];
  self->out = out;
  self->file_format = *file_format;
  self->colour = colour;
  self->columns = g_memdup2 (columns, sizeof *columns * n_columns);
  self->n_columns = n_columns;
  self->titles = g_new0 (gchar *, n_columns + 1);
  for (guint i = 0; i < n_columns; i++)
    {
      GString *title = g_string_new (NULL);

      kvsqlctl_append_printable (title, columns[i].name, strlen (columns[i].name));
      self->titles[i] = g_string_free (title, FALSE);
    }
  self->class->begin (self);
  return self;
}

KvsqlctlWriter *
kvsqlctl_writer_begin (KvsqlctlFormat format, FILE *out, gboolean colour,
                       const KvsqlctlColumn *columns, guint n_columns)
{
  KvsqlctlFileFormat file_format = kvsqlctl_file_format_default (format);

  return begin (format, &file_format, out, colour, columns, n_columns);
}

KvsqlctlWriter *
kvsqlctl_writer_begin_file (const KvsqlctlFileFormat *file_format, FILE *out,
                            const KvsqlctlColumn *columns, guint n_columns)
{
  return begin (file_format->format, file_format, out, FALSE, columns, n_columns);
}

void
kvsqlctl_writer_row (KvsqlctlWriter *self, const gchar *const *texts)
{
  self->class->row (self, texts);
  self->n_rows++;
}

void
kvsqlctl_writer_end (KvsqlctlWriter *self, gboolean is_complete)
{
  self->class->end (self, is_complete);
  g_strfreev (self->titles);
  g_free (self->columns);
  g_free (self);
}

/* ---- csv and tsv */

typedef struct
{
  KvsqlctlWriter parent;
  GString *line;
} FieldsWriter;

static void
fields_row (KvsqlctlWriter *writer, const gchar *const *texts)
{
  FieldsWriter *self = (FieldsWriter *)writer;

  g_string_truncate (self->line, 0);
  kvsqlctl_file_format_append_row (&writer->file_format, self->line, texts, writer->n_columns);
  fwrite (self->line->str, 1, self->line->len, writer->out);
}

static void
fields_begin (KvsqlctlWriter *writer)
{
  g_autofree const gchar **names = g_new0 (const gchar *, writer->n_columns);

  ((FieldsWriter *)writer)->line = g_string_new (NULL);
  for (guint i = 0; i < writer->n_columns; i++)
    names[i] = writer->columns[i].name;
  if (writer->file_format.has_header)
    fields_row (writer, names);
}

static void
fields_end (KvsqlctlWriter *writer, gboolean is_complete)
{
  g_string_free (((FieldsWriter *)writer)->line, TRUE);
}

const KvsqlctlWriterClass kvsqlctl_csv_writer
    = { fields_begin, fields_row, fields_end, sizeof (FieldsWriter) };
const KvsqlctlWriterClass kvsqlctl_tsv_writer
    = { fields_begin, fields_row, fields_end, sizeof (FieldsWriter) };

/* ---- json and ndjson */

typedef struct
{
  KvsqlctlWriter parent;
  gboolean is_array;
  gchar **keys; /* with quotes and colon */
  GString *line;
} JsonWriter;

void
kvsqlctl_append_json_string (GString *out, const gchar *text)
{
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_printf (out, "\\%c", *text);
      else if (*text == '\n')
        g_string_append (out, "\\n");
      else if ((guchar)*text < 0x20 || *text == 0x7f)
        g_string_append_printf (out, "\\u%04x", (guchar)*text);
      else
        g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

/* Two columns may have the same name, two members of an object may not. */
static gchar *
unique_key (GHashTable *seen, const gchar *name)
{
  g_autoptr (GString) key = g_string_new (NULL);
  g_autofree gchar *candidate = g_strdup (name);

  for (guint n = 2; !g_hash_table_add (seen, g_strdup (candidate)); n++)
    {
      g_free (candidate);
      candidate = g_strdup_printf ("%s_%u", name, n);
    }
  kvsqlctl_append_json_string (key, candidate);
  g_string_append (key, ": ");
  return g_string_free (g_steal_pointer (&key), FALSE);
}

static void
json_begin_lines (KvsqlctlWriter *writer)
{
  JsonWriter *self = (JsonWriter *)writer;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->line = g_string_new (NULL);
  self->keys = g_new0 (gchar *, writer->n_columns + 1);
  for (guint i = 0; i < writer->n_columns; i++)
    self->keys[i] = unique_key (seen, writer->columns[i].name);
}

static void
json_begin_array (KvsqlctlWriter *writer)
{
  ((JsonWriter *)writer)->is_array = TRUE;
  json_begin_lines (writer);
  putc ('[', writer->out);
}

/* Objects and arrays of JSON are written as they are. Other values are written as a text that has
 * JSON, which tells the null of JSON from NULL, and so is a text of several lines. */
static gboolean
is_nested_json (const gchar *text)
{
  return (*text == '{' || *text == '[') && strpbrk (text, "\n\r") == NULL;
}

static void
append_json_value (GString *out, KvsqlColumnType type, const gchar *text)
{
  gsize size;

  if (text == NULL)
    {
      g_string_append (out, "null");
      return;
    }
  size = strlen (text);
  if (type == KVSQL_COLUMN_TYPE_BOOLEAN || type == KVSQL_COLUMN_TYPE_MAP
      || type == KVSQL_COLUMN_TYPE_LIST
      || ((type == KVSQL_COLUMN_TYPE_JSON || type == KVSQL_COLUMN_TYPE_JSONB)
          && is_nested_json (text))
      /* NaN and Infinity are not numbers in JSON. */
      || (kvsqlctl_is_number (type) && g_ascii_isdigit (text[size - 1])))
    g_string_append (out, text);
  else if (type == KVSQL_COLUMN_TYPE_BYTES && size >= 3)
    g_string_append_printf (out, "\"%.*s\"", (gint)size - 3, text + 2);
  else
    kvsqlctl_append_json_string (out, text);
}

static void
json_row (KvsqlctlWriter *writer, const gchar *const *texts)
{
  JsonWriter *self = (JsonWriter *)writer;

  g_string_assign (self->line, "{");
  for (guint i = 0; i < writer->n_columns; i++)
    {
      g_string_append (self->line, i > 0 ? ", " : "");
      g_string_append (self->line, self->keys[i]);
      append_json_value (self->line, writer->columns[i].type, texts[i]);
    }
  g_string_append_c (self->line, '}');
  if (self->is_array)
    fputs (writer->n_rows > 0 ? ",\n " : "\n ", writer->out);
  fwrite (self->line->str, 1, self->line->len, writer->out);
  if (!self->is_array)
    putc ('\n', writer->out);
}

static void
json_end (KvsqlctlWriter *writer, gboolean is_complete)
{
  JsonWriter *self = (JsonWriter *)writer;

  /* A truncated result must not look complete: without its closing bracket it is not valid JSON. */
  if (self->is_array && is_complete)
    fputs (writer->n_rows > 0 ? "\n]\n" : "]\n", writer->out);
  else if (self->is_array)
    putc ('\n', writer->out);
  g_string_free (self->line, TRUE);
  g_strfreev (self->keys);
}

const KvsqlctlWriterClass kvsqlctl_json_writer
    = { json_begin_array, json_row, json_end, sizeof (JsonWriter) };
const KvsqlctlWriterClass kvsqlctl_ndjson_writer
    = { json_begin_lines, json_row, json_end, sizeof (JsonWriter) };

/* ---- vertical: a line for each value */

typedef struct
{
  KvsqlctlWriter parent;
  guint name_width;
} VerticalWriter;

static void
vertical_begin (KvsqlctlWriter *writer)
{
  VerticalWriter *self = (VerticalWriter *)writer;

  for (guint i = 0; i < writer->n_columns; i++)
    self->name_width = MAX (self->name_width, kvsqlctl_width (writer->titles[i]));
}

static void
vertical_row (KvsqlctlWriter *writer, const gchar *const *texts)
{
  VerticalWriter *self = (VerticalWriter *)writer;

  fprintf (writer->out, "-- row %" G_GUINT64_FORMAT " --\n", writer->n_rows + 1);
  for (guint i = 0; i < writer->n_columns; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      gint padding = (gint)(self->name_width - kvsqlctl_width (writer->titles[i]));

      if (texts[i] == NULL)
        g_string_append (text, writer->colour ? "\033[2mNULL\033[0m" : "NULL");
      else if (g_str_equal (texts[i], "NULL"))
        g_string_append (text, "'NULL'");
      else
        kvsqlctl_append_printable (text, texts[i], strlen (texts[i]));
      fprintf (writer->out, "%s%*s: %s\n", writer->titles[i], padding, "", text->str);
    }
}

static void
vertical_end (KvsqlctlWriter *writer, gboolean is_complete)
{
  fprintf (writer->out, "(%" G_GUINT64_FORMAT " row%s%s)\n", writer->n_rows,
           writer->n_rows == 1 ? "" : "s", is_complete ? "" : ", then an error");
}

const KvsqlctlWriterClass kvsqlctl_vertical_writer
    = { vertical_begin, vertical_row, vertical_end, sizeof (VerticalWriter) };
