/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-record.c: rows of CSV, TSV and NDJSON.
 *
 * The first byte chooses the format, the delimiter and the text of NULL, the rest is a file. Each
 * record consumes some bytes, its fields are within them, and it is the same if later bytes are not
 * available yet. Fields of CSV and TSV round-trip.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "client/ctl/import/record.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_fields (const KvsqlctlRecord *record)
{
  for (guint i = 0; i < record->fields->len; i++)
    {
      const KvsqlctlField *field = &g_array_index (record->fields, KvsqlctlField, i);
      gsize limit = field->is_unescaped ? record->unescaped->len : record->size;

      g_assert_cmpuint (field->start, <=, limit);
      g_assert_cmpuint (field->size, <=, limit - field->start);
      g_assert_cmpuint (field->place, <=, record->size);
    }
}

/* The values, NULL for NULL. FALSE if one of them cannot be text. */
static gboolean
texts_of (const KvsqlctlRecord *record, const gchar *bytes, GPtrArray *out)
{
  for (guint i = 0; i < record->fields->len; i++)
    {
      const KvsqlctlField *field = &g_array_index (record->fields, KvsqlctlField, i);
      const gchar *text = kvsqlctl_record_get (record, bytes, field);

      if (memchr (text, '\0', field->size) != NULL)
        return FALSE;
      g_ptr_array_add (out,
                       field->kind == KVSQLCTL_FIELD_NULL ? NULL : g_strndup (text, field->size));
    }
  return TRUE;
}

static void
check_written (const KvsqlctlFileFormat *file_format, const GPtrArray *texts)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GPtrArray) again = g_ptr_array_new_with_free_func (g_free);
  KvsqlctlRecord record;
  KvsqlctlRecordStatus status;

  kvsqlctl_file_format_append_row (file_format, line, (const gchar *const *)texts->pdata,
                                   texts->len);
  kvsqlctl_record_init (&record);
  status = kvsqlctl_record_parse (&record, file_format, line->str, line->len, TRUE);
  g_assert_true (status == KVSQLCTL_RECORD_WHOLE || status == KVSQLCTL_RECORD_EMPTY);
  g_assert_cmpuint (record.size, ==, line->len);
  g_assert_true (texts_of (&record, line->str, again));
  g_assert_cmpuint (again->len, ==, texts->len);
  for (guint i = 0; i < texts->len; i++)
    g_assert_cmpstr (again->pdata[i], ==, texts->pdata[i]);
  kvsqlctl_record_clear (&record);
}

static gsize
check_record (const KvsqlctlFileFormat *file_format, const gchar *bytes, gsize size)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  KvsqlctlRecord record, again;
  KvsqlctlRecordStatus status, other;
  gsize taken;

  kvsqlctl_record_init (&record);
  kvsqlctl_record_init (&again);
  status = kvsqlctl_record_parse (&record, file_format, bytes, size, TRUE);
  taken = record.size;
  g_assert_cmpint (status, !=, KVSQLCTL_RECORD_MORE);
  g_assert_cmpuint (taken, >, 0);
  g_assert_cmpuint (taken, <=, size);
  if (status == KVSQLCTL_RECORD_BAD)
    g_assert_true (record.problem != NULL && record.place <= taken);
  else
    check_fields (&record);
  other = kvsqlctl_record_parse (&again, file_format, bytes, taken, FALSE);
  if (other != KVSQLCTL_RECORD_MORE)
    {
      g_assert_cmpint (other, ==, status);
      g_assert_cmpuint (again.size, ==, taken);
      g_assert_cmpuint (again.fields->len, ==, record.fields->len);
    }
  if (status == KVSQLCTL_RECORD_WHOLE && file_format->format != KVSQLCTL_FORMAT_NDJSON
      && texts_of (&record, bytes, texts))
    check_written (file_format, texts);
  kvsqlctl_record_clear (&record);
  kvsqlctl_record_clear (&again);
  return taken;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const KvsqlctlFormat formats[]
      = { KVSQLCTL_FORMAT_CSV, KVSQLCTL_FORMAT_TSV, KVSQLCTL_FORMAT_NDJSON };
  gchar bar[] = "|", null[] = "NULL";
  KvsqlctlMarks marks = { 0 };
  KvsqlctlFormat format;
  KvsqlctlFileFormat file_format;
  gchar *bytes;

  if (size == 0)
    return 0;
  format = formats[data[0] % 3];
  if (data[0] >= 128 && format != KVSQLCTL_FORMAT_NDJSON)
    marks = (KvsqlctlMarks){ .delimiter = bar, .null = null };
  g_assert_null (kvsqlctl_file_format_read (&file_format, format, &marks));
  /* A copy, so that a sanitizer finds reads beyond its end. */
  bytes = g_memdup2 (data + 1, size - 1);
  for (gsize at = 0; at < size - 1;)
    at += check_record (&file_format, bytes + at, size - 1 - at);
  g_free (bytes);
  return 0;
}
