/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * source-line.c: the line of a statement that holds a position.
 */
#include "config.h"

#include "client/ctl/report-private.h"

gboolean
_kvsqlctl_find_line (const KvsqlctlSource *source, gint position, KvsqlctlSourceLine *out)
{
  gsize at, end;

  if (position < source->hidden || (gsize)(position - source->hidden) > source->size)
    return FALSE;
  at = (gsize)(position - source->hidden);
  out->number = source->line;
  out->start = source->text;
  for (gsize i = 0; i < at; i++)
    if (source->text[i] == '\n')
      {
        out->start = source->text + i + 1;
        out->number++;
      }
  out->offset = at - (gsize)(out->start - source->text);
  end = (gsize)(out->start - source->text);
  while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r')
    end++;
  out->size = end - (gsize)(out->start - source->text);
  return TRUE;
}
