/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-types.h: the types of what a store holds and returns: cells and rows, and ranges of them.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlCell
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  KvsqlSlice value;
  gint64 timestamp;
} KvsqlCell;

typedef struct
{
  KvsqlSlice key;
  guint first_cell; /* index into KvsqlRows.cells */
  guint n_cells;    /* >= 1 in a scan; 0 in a get of a row that does not exist */
} KvsqlRow;

/* A batch of whole rows. Every slice stays valid until the next call on its producer. */
typedef struct
{
  guint n_rows;
  KvsqlRow *rows;
  guint n_cells;
  KvsqlCell *cells;
} KvsqlRows;

/* Rows with start <= key < stop. An empty stop is the end of the table. */
typedef struct
{
  KvsqlSlice start;
  KvsqlSlice stop;
} KvsqlRowRange;

/* Whether the range has exactly one row key. */
static inline gboolean
kvsql_row_range_is_point (const KvsqlRowRange *self)
{
  return self->stop.size == self->start.size + 1 && self->stop.data[self->start.size] == 0
         && kvsql_slice_has_prefix (self->stop, self->start);
}

/* A column, or with @whole_family a whole family: @qualifier.data is then NULL. */
typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  gboolean whole_family;
} KvsqlColumn;

/* Timestamps with @min <= timestamp < @max. 0: no limit. */
typedef struct
{
  gint64 min;
  gint64 max;
} KvsqlTimeRange;

static inline gboolean
kvsql_time_range_has (const KvsqlTimeRange *self, gint64 timestamp)
{
  return timestamp >= self->min && (self->max == 0 || timestamp < self->max);
}

G_END_DECLS
