/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-tsv.c: parses a row of TSV in PostgreSQL's text format.
 *
 * Backslash escapes: \b \f \n \r \t \v, \OOO octal, \xHH; before any other byte, also a delimiter
 * or line end, the backslash means that byte. \N is NULL.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/import/record.h"

typedef struct
{
  const gchar *bytes;
  gsize at;
  gsize end; /* of the row, without its line end */
} Tsv;

/* The next line end without a backslash before it, or G_MAXSIZE. */
static gsize
find_line_end (const gchar *bytes, gsize size)
{
  const gchar *at = bytes;
  const gchar *end;

  while ((end = memchr (at, '\n', size - (gsize)(at - bytes))) != NULL)
    {
      const gchar *before = end;

      while (before > at && before[-1] == '\\')
        before--;
      if ((end - before) % 2 == 0)
        return (gsize)(end - bytes);
      at = end + 1;
    }
  return G_MAXSIZE;
}

/* Reads up to @max digits of a base from @at. Returns their number. */
static guint
read_digits (const Tsv *self, gsize at, guint base, guint max, guint *out)
{
  guint n = 0;

  *out = 0;
  for (; n < max && at + n < self->end; n++)
    {
      gint digit = g_ascii_xdigit_value (self->bytes[at + n]);

      if (digit < 0 || (guint)digit >= base)
        break;
      *out = *out * base + (guint)digit;
    }
  return n;
}

/* Appends the meaning of the text after a backslash. */
static void
append_escape (Tsv *self, GString *out)
{
  static const gchar letters[] = "bfnrtv", bytes[] = "\b\f\n\r\t\v";
  gchar byte = self->bytes[self->at];
  const gchar *at = memchr (letters, byte, sizeof letters - 1);
  guint n, value;

  if (at != NULL)
    byte = bytes[at - letters];
  else if (byte == 'x' && (n = read_digits (self, self->at + 1, 16, 2, &value)) > 0)
    {
      byte = (gchar)value;
      self->at += n;
    }
  else if ((n = read_digits (self, self->at, 8, 3, &value)) > 0)
    {
      byte = (gchar)(value & 0xff);
      self->at += n - 1;
    }
  g_string_append_c (out, byte);
  self->at++;
}

static void
unescape (Tsv *self, KvsqlctlField *field, gsize end, GString *out)
{
  self->at = field->start;
  field->start = out->len;
  field->is_unescaped = TRUE;
  while (self->at < end)
    if (self->bytes[self->at] != '\\' || self->at + 1 >= end)
      g_string_append_c (out, self->bytes[self->at++]);
    else
      {
        self->at++;
        append_escape (self, out);
      }
  field->size = out->len - field->start;
}

/* The end of the field at @self->at. */
static gsize
find_field_end (const Tsv *self, gchar delimiter, gboolean *out_has_escapes)
{
  gsize at = self->at;

  for (; at < self->end && self->bytes[at] != delimiter; at++)
    if (self->bytes[at] == '\\')
      {
        *out_has_escapes = TRUE;
        at += at + 1 < self->end;
      }
  return at;
}

KvsqlctlRecordStatus
kvsqlctl_record_parse_tsv (KvsqlctlRecord *record, const KvsqlctlFileFormat *file_format,
                           const gchar *bytes, gsize size, gboolean is_end)
{
  gsize line = find_line_end (bytes, size), null_size = strlen (file_format->null);
  Tsv self = { .bytes = bytes, .end = line != G_MAXSIZE ? line : size };
  gsize end;

  if (line == G_MAXSIZE && !is_end)
    return KVSQLCTL_RECORD_MORE;
  record->size = line != G_MAXSIZE ? line + 1 : size;
  if (self.end > 0 && bytes[self.end - 1] == '\r')
    self.end--;
  do
    {
      KvsqlctlField field = { .start = self.at, .place = self.at };
      gboolean has_escapes = FALSE;

      end = find_field_end (&self, file_format->delimiter, &has_escapes);
      field.size = end - field.start;
      if (field.size == null_size
          && memcmp (bytes + field.start, file_format->null, null_size) == 0)
        field.kind = KVSQLCTL_FIELD_NULL;
      else if (has_escapes)
        unescape (&self, &field, end, record->unescaped);
      g_array_append_val (record->fields, field);
      self.at = end + 1;
    }
  while (end < self.end);
  /* pg_dump writes "\." after the rows, which is not a row. */
  return self.end == 0 || (self.end == 2 && memcmp (bytes, "\\.", 2) == 0) ? KVSQLCTL_RECORD_EMPTY
                                                                           : KVSQLCTL_RECORD_WHOLE;
}
