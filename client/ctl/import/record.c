/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record.c: see record.h.
 */
#include "config.h"

#include "client/ctl/import/record.h"

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
kvsqlctl_record_parse (KvsqlctlRecord *self, const KvsqlctlFileFormat *file_format,
                       const gchar *bytes, gsize size, gboolean is_end)
{
  g_array_set_size (self->fields, 0);
  g_string_truncate (self->unescaped, 0);
  self->size = self->place = 0;
  switch (file_format->format)
    {
    case KVSQLCTL_FORMAT_TSV:
      return kvsqlctl_record_parse_tsv (self, file_format, bytes, size, is_end);
    case KVSQLCTL_FORMAT_NDJSON:
      return kvsqlctl_record_parse_ndjson (self, bytes, size, is_end);
    default:
      return kvsqlctl_record_parse_csv (self, file_format, bytes, size, is_end);
    }
}
