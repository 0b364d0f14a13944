/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * file-format.c: see file-format.h.
 */
#include "config.h"

#include "client/ctl/terminal/file-format.h"

#include <string.h>

static const gchar *const format_names[KVSQLCTL_N_FORMATS] = {
  [KVSQLCTL_FORMAT_TABLE] = "table",   [KVSQLCTL_FORMAT_CSV] = "csv",
  [KVSQLCTL_FORMAT_TSV] = "tsv",       [KVSQLCTL_FORMAT_JSON] = "json",
  [KVSQLCTL_FORMAT_NDJSON] = "ndjson", [KVSQLCTL_FORMAT_VERTICAL] = "vertical",
};

const gchar *
kvsqlctl_format_get_name (KvsqlctlFormat format)
{
  return format_names[format];
}

gboolean
kvsqlctl_format_from_name (const gchar *name, KvsqlctlFormat *out)
{
  for (guint i = 0; i < KVSQLCTL_N_FORMATS; i++)
    if (strcmp (format_names[i], name) == 0)
      {
        *out = (KvsqlctlFormat)i;
        return TRUE;
      }
  return FALSE;
}

KvsqlctlFileFormat
kvsqlctl_file_format_default (KvsqlctlFormat format)
{
  switch (format)
    {
    case KVSQLCTL_FORMAT_TSV:
      return (KvsqlctlFileFormat){ format, '\t', '\0', "\\N", TRUE };
    case KVSQLCTL_FORMAT_NDJSON:
      return (KvsqlctlFileFormat){ format, '\0', '\0', "", FALSE };
    default:
      return (KvsqlctlFileFormat){ KVSQLCTL_FORMAT_CSV, ',', '"', "", TRUE };
    }
}

gboolean
kvsqlctl_format_of_path (const gchar *path, KvsqlctlFormat *out)
{
  static const struct
  {
    const gchar *end;
    KvsqlctlFormat format;
  } ends[] = { { ".csv", KVSQLCTL_FORMAT_CSV },
               { ".tsv", KVSQLCTL_FORMAT_TSV },
               { ".tab", KVSQLCTL_FORMAT_TSV },
               { ".ndjson", KVSQLCTL_FORMAT_NDJSON },
               { ".jsonl", KVSQLCTL_FORMAT_NDJSON } };
  gsize size = path != NULL ? strlen (path) : 0;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      gsize length = strlen (ends[i].end);

      if (size > length && g_ascii_strcasecmp (path + size - length, ends[i].end) == 0)
        {
          *out = ends[i].format;
          return TRUE;
        }
    }
  return FALSE;
}

/* Reads one byte that can separate or enclose fields. */
static gboolean
read_mark (const gchar *text, gchar *out)
{
  gchar mark = strcmp (text, "\\t") == 0 ? '\t' : text[0];

  if (mark == '\0' || (mark != '\t' && text[1] != '\0') || (guchar)mark >= 0x80 || mark == '\n'
      || mark == '\r' || mark == '\\')
    return FALSE;
  *out = mark;
  return TRUE;
}

static const gchar *
set_marks (KvsqlctlFileFormat *self, const gchar *delimiter, const gchar *quote, const gchar *null)
{
  if (self->format == KVSQLCTL_FORMAT_NDJSON
      && (delimiter != NULL || quote != NULL || null != NULL))
    return "NDJSON has no --delimiter, --quote or --null";
  if (self->format == KVSQLCTL_FORMAT_TSV && quote != NULL)
    return "TSV has no --quote";
  if (delimiter != NULL && !read_mark (delimiter, &self->delimiter))
    return "--delimiter is one character of ASCII, or \\t";
  if (quote != NULL && !read_mark (quote, &self->quote))
    return "--quote is one character of ASCII";
  if (self->delimiter == self->quote && self->format == KVSQLCTL_FORMAT_CSV)
    return "--delimiter and --quote are the same";
  if (self->format == KVSQLCTL_FORMAT_TSV && strchr ("bfnrtvxN.01234567", self->delimiter) != NULL)
    return "that --delimiter has a meaning after a backslash in TSV";
  if (null != NULL)
    self->null = null;
  if (strchr (self->null, self->delimiter) != NULL || strpbrk (self->null, "\r\n") != NULL
      || (self->quote != '\0' && strchr (self->null, self->quote) != NULL))
    return self->format == KVSQLCTL_FORMAT_NDJSON ? NULL
                                                  : "--null has a delimiter, quote or line end";
  return NULL;
}

const gchar *
kvsqlctl_file_format_read (KvsqlctlFileFormat *self, KvsqlctlFormat format,
                           const KvsqlctlMarks *marks)
{
  if (format != KVSQLCTL_FORMAT_CSV && format != KVSQLCTL_FORMAT_TSV
      && format != KVSQLCTL_FORMAT_NDJSON)
    return "only csv, tsv and ndjson are formats of files";
  *self = kvsqlctl_file_format_default (format);
  if (marks->header && marks->no_header)
    return "--header and --no-header together";
  if (marks->header && format == KVSQLCTL_FORMAT_NDJSON)
    return "NDJSON has no header";
  self->has_header = self->has_header && !marks->no_header;
  return set_marks (self, marks->delimiter, marks->quote, marks->null);
}

/* By RFC 4180; an empty field is NULL, "" is the empty text. */
static void
append_csv (const KvsqlctlFileFormat *self, GString *out, const gchar *text)
{
  const gchar marks[] = { self->delimiter, self->quote, '\r', '\n', '\0' };

  if (text == NULL)
    {
      g_string_append (out, self->null);
      return;
    }
  if (*text != '\0' && strcmp (text, self->null) != 0 && strpbrk (text, marks) == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, self->quote);
  for (; *text != '\0'; text++)
    {
      if (*text == self->quote)
        g_string_append_c (out, self->quote);
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, self->quote);
}

static void
append_tsv_byte (const KvsqlctlFileFormat *self, GString *out, gchar byte)
{
  static const gchar bytes[] = "\b\f\n\r\t\v\\", letters[] = "bfnrtv\\";
  const gchar *at = strchr (bytes, byte);

  if (at != NULL)
    {
      g_string_append_c (out, '\\');
      g_string_append_c (out, letters[at - bytes]);
      return;
    }
  if (byte == self->delimiter)
    g_string_append_c (out, '\\');
  g_string_append_c (out, byte);
}

static void
append_tsv (const KvsqlctlFileFormat *self, GString *out, const gchar *text)
{
  gsize start = out->len;

  if (text == NULL)
    {
      g_string_append (out, self->null);
      return;
    }
  for (; *text != '\0'; text++)
    append_tsv_byte (self, out, *text);
  /* A text that equals the form of NULL gets its first byte as an octal escape. */
  if (out->len > start && (strcmp (out->str + start, self->null) == 0))
    {
      g_autofree gchar *octal = g_strdup_printf ("\\%03o", (guchar)out->str[start]);

      g_string_erase (out, (gssize)start, 1);
      g_string_insert (out, (gssize)start, octal);
    }
}

void
kvsqlctl_file_format_append_row (const KvsqlctlFileFormat *self, GString *out,
                                 const gchar *const *texts, guint n_texts)
{
  for (guint i = 0; i < n_texts; i++)
    {
      if (i > 0)
        g_string_append_c (out, self->delimiter);
      if (self->format == KVSQLCTL_FORMAT_TSV)
        append_tsv (self, out, texts[i]);
      else
        append_csv (self, out, texts[i]);
    }
  g_string_append (out, self->format == KVSQLCTL_FORMAT_TSV ? "\n" : "\r\n");
}
