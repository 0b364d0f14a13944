/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scan-position.c: see the header.
 */
#include "config.h"

#include "core/scan/scan-position.h"

KvsqlScanPosition
kvsql_scan_position_dup (const KvsqlScanPosition *self, KvsqlArena *arena)
{
  KvsqlScanPosition copy = *self;

  copy.table = kvsql_slice_dup (arena, self->table);
  copy.row = kvsql_slice_dup (arena, self->row);
  return copy;
}

KvsqlScanPart
kvsql_scan_part_dup (const KvsqlScanPart *self, KvsqlArena *arena)
{
  KvsqlScanPart copy = *self;

  copy.name = kvsql_slice_dup (arena, self->name);
  copy.rows.start = kvsql_slice_dup (arena, self->rows.start);
  copy.rows.stop = kvsql_slice_dup (arena, self->rows.stop);
  return copy;
}

/* ---- share */

/* The eight bytes after the first @n. */
static gdouble
number_after (KvsqlSlice row, gsize n)
{
  guint64 number = 0;

  for (gsize i = n; i < n + 8; i++)
    number = number << 8 | (i < row.size ? row.data[i] : 0);
  return (gdouble)number;
}

gdouble
kvsql_row_share (const KvsqlRowRange *bounds, KvsqlSlice row)
{
  gsize n = 0;
  gdouble low, high;

  while (n < bounds->start.size && n < bounds->stop.size
         && bounds->start.data[n] == bounds->stop.data[n])
    n++;
  low = number_after (bounds->start, n);
  high = number_after (bounds->stop, n);
  if (high <= low)
    return 0;
  return CLAMP ((number_after (row, n) - low) / (high - low), 0, 1);
}
