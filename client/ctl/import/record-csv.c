/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-csv.c: parses a row of CSV, by RFC 4180.
 *
 * libcsv is not used: it reports neither the positions of fields nor whether they were quoted,
 * which are needed for error messages and for NULL, and it drops blanks around fields.
 *
 * A quote inside an unquoted field, and text after a closing quote, are errors. Then everything up
 * to the end of the line with the error is rejected, so that no part of a broken row is taken for a
 * row.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/import/record.h"

typedef struct
{
  KvsqlctlRecord *record;
  const KvsqlctlFileFormat *file_format;
  const gchar *bytes;
  gsize size;
  gboolean is_end;
  gsize at;
} Csv;

/* The length of the line end at this position; 0 if there is none. A CR that may be the first half
 * of one asks for more bytes. */
static gsize
line_end (const Csv *self, gboolean *out_more)
{
  const gchar *at = self->bytes + self->at;
  gsize left = self->size - self->at;

  if (left == 0)
    return 0;
  if (at[0] == '\n')
    return 1;
  if (at[0] != '\r')
    return 0;
  if (left == 1)
    {
      *out_more = !self->is_end;
      return self->is_end ? 1 : 0;
    }
  return at[1] == '\n' ? 2 : 0;
}

/* Rejects everything up to the next line end. */
static KvsqlctlRecordStatus
reject (Csv *self, gsize place, const gchar *problem, const gchar *hint)
{
  const gchar *end = memchr (self->bytes + place, '\n', self->size - place);

  if (end == NULL && !self->is_end)
    return KVSQLCTL_RECORD_MORE;
  self->record->size = end != NULL ? (gsize)(end - self->bytes) + 1 : self->size;
  return kvsqlctl_record_reject (self->record, place, problem, hint);
}

static KvsqlctlRecordStatus
parse_quoted (Csv *self, KvsqlctlField *field)
{
  GString *unescaped = self->record->unescaped;
  gsize from = ++self->at;

  field->start = from;
  for (;;)
    {
      const gchar *quote
          = memchr (self->bytes + self->at, self->file_format->quote, self->size - self->at);
      gsize at = quote != NULL ? (gsize)(quote - self->bytes) : self->size;

      self->record->place = from - 1;
      if (at + 1 >= self->size && !self->is_end)
        return KVSQLCTL_RECORD_MORE;
      if (quote == NULL)
        {
          self->record->size = self->size;
          return kvsqlctl_record_reject (self->record, from - 1, "this quote is never closed",
                                         "Write a quote within quotes twice.");
        }
      self->at = at + 1;
      if (self->at == self->size || self->bytes[self->at] != self->file_format->quote)
        break;
      if (!field->is_unescaped)
        field->start = unescaped->len;
      field->is_unescaped = TRUE;
      g_string_append_len (unescaped, self->bytes + from, (gssize)(self->at - from));
      from = ++self->at;
    }
  if (field->is_unescaped)
    g_string_append_len (unescaped, self->bytes + from, (gssize)(self->at - 1 - from));
  field->size = field->is_unescaped ? unescaped->len - field->start : self->at - 1 - from;
  return KVSQLCTL_RECORD_WHOLE;
}

static KvsqlctlRecordStatus
parse_plain (Csv *self, KvsqlctlField *field)
{
  const gchar *null = self->file_format->null;
  gchar delimiter = self->file_format->delimiter, quote = self->file_format->quote;

  while (self->at < self->size)
    {
      gchar byte = self->bytes[self->at];

      if (byte == delimiter || byte == '\n' || byte == '\r')
        break;
      if (byte == quote)
        return reject (self, self->at, "a quote inside a field that has none around it",
                       "Put quotes around the field, and write this one twice.");
      self->at++;
    }
  field->size = self->at - field->start;
  if (field->size == strlen (null) && memcmp (self->bytes + field->start, null, field->size) == 0)
    field->kind = KVSQLCTL_FIELD_NULL;
  return self->at < self->size || self->is_end ? KVSQLCTL_RECORD_WHOLE : KVSQLCTL_RECORD_MORE;
}

/* Parses the delimiter after a field; @out_is_last: the field ends the record. */
static KvsqlctlRecordStatus
parse_mark (Csv *self, gboolean *out_is_last)
{
  gboolean more = FALSE;
  gsize end = line_end (self, &more);

  if (more)
    return KVSQLCTL_RECORD_MORE;
  *out_is_last = end > 0 || self->at == self->size;
  if (!*out_is_last && self->bytes[self->at] != self->file_format->delimiter)
    return self->bytes[self->at] == '\r'
               ? reject (self, self->at, "a carriage return that ends no line",
                         "Put quotes around the field; lines end with LF or CR LF.")
               : reject (self, self->at, "text after the closing quote",
                         "Write a quote within quotes twice.");
  self->at += *out_is_last ? end : 1;
  return KVSQLCTL_RECORD_WHOLE;
}

KvsqlctlRecordStatus
kvsqlctl_record_parse_csv (KvsqlctlRecord *record, const KvsqlctlFileFormat *file_format,
                           const gchar *bytes, gsize size, gboolean is_end)
{
  Csv self = { record, file_format, bytes, size, is_end, 0 };
  gboolean is_last = FALSE;

  while (!is_last)
    {
      KvsqlctlField field = { .start = self.at, .place = self.at };
      gboolean is_quoted = self.at < size && bytes[self.at] == file_format->quote;
      KvsqlctlRecordStatus status
          = is_quoted ? parse_quoted (&self, &field) : parse_plain (&self, &field);

      if (status == KVSQLCTL_RECORD_WHOLE)
        status = parse_mark (&self, &is_last);
      if (status != KVSQLCTL_RECORD_WHOLE)
        return status;
      g_array_append_val (record->fields, field);
    }
  record->size = self.at;
  return bytes[0] == '\n' || bytes[0] == '\r' ? KVSQLCTL_RECORD_EMPTY : KVSQLCTL_RECORD_WHOLE;
}
