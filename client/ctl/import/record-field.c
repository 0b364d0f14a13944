/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-field.c: the bytes of a field, and what is wrong with one.
 */
#include "config.h"

#include "client/ctl/import/record.h"

const gchar *
kvsqlctl_record_get (const KvsqlctlRecord *self, const gchar *bytes, const KvsqlctlField *field)
{
  return field->is_unescaped ? self->unescaped->str + field->start : bytes + field->start;
}

KvsqlctlRecordStatus
kvsqlctl_record_reject (KvsqlctlRecord *self, gsize place, const gchar *problem, const gchar *hint)
{
  self->place = place;
  self->problem = problem;
  self->hint = hint;
  return KVSQLCTL_RECORD_BAD;
}
