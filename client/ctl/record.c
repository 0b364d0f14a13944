/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record.c: one row of a file, whatever its format.
 */
#include "config.h"

#include "client/ctl/record.h"

void
kvsqlctl_record_init (KvsqlctlRecord *self)
{
  *self = (KvsqlctlRecord){ .fields = g_array_new (FALSE, FALSE, sizeof (KvsqlctlField)),
                            .unescaped = g_string_new (NULL) };
}

void
kvsqlctl_record_clear (KvsqlctlRecord *self)
{
  g_array_unref (self->fields);
  g_string_free (self->unescaped, TRUE);
}

KvsqlctlRecordStatus
kvsqlctl_record_refuse (KvsqlctlRecord *self, gsize place, const gchar *problem, const gchar *hint)
{
  self->place = place;
  self->problem = problem;
  self->hint = hint;
  return KVSQLCTL_RECORD_BAD;
}

KvsqlctlRecordStatus
kvsqlctl_record_parse (KvsqlctlRecord *self, const KvsqlctlDialect *dialect, const gchar *bytes,
                       gsize size, gboolean is_end)
{
  g_array_set_size (self->fields, 0);
  g_string_truncate (self->unescaped, 0);
  self->size = self->place = 0;
  switch (dialect->format)
    {
    case KVSQLCTL_FORMAT_TSV:
      return kvsqlctl_record_parse_tsv (self, dialect, bytes, size, is_end);
    case KVSQLCTL_FORMAT_NDJSON:
      return kvsqlctl_record_parse_ndjson (self, bytes, size, is_end);
    default:
      return kvsqlctl_record_parse_csv (self, dialect, bytes, size, is_end);
    }
}

const gchar *
kvsqlctl_record_get (const KvsqlctlRecord *self, const gchar *bytes, const KvsqlctlField *field)
{
  return field->is_unescaped ? self->unescaped->str + field->start : bytes + field->start;
}
