/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scan-position.h: where a scan resumes, and what it is restricted to.
 */
#pragma once

#include "core/store/row-types.h"

G_BEGIN_DECLS

/* The position after a tuple: a row of a table and how many of its tuples were read, or a number of
 * tuples. */
typedef struct
{
  gboolean has_row;
  KvsqlSlice table;
  KvsqlSlice row;
  guint32 n_done_in_row;
} KvsqlScanPosition;

/* Some rows of one of the tables. */
typedef struct
{
  gboolean is_part;   /* FALSE: all rows of all tables */
  guint32 table;      /* its number in the access path */
  KvsqlSlice name;    /* its name, to find it among open tables */
  KvsqlRowRange rows; /* an empty start means: from the first row */
} KvsqlScanPart;

/* Copies the position, with its bytes in @arena. */
KvsqlScanPosition kvsql_scan_position_dup (const KvsqlScanPosition *self, KvsqlArena *arena);
/* The same of a part. */
KvsqlScanPart kvsql_scan_part_dup (const KvsqlScanPart *self, KvsqlArena *arena);

/* Where @row lies between the first and the last row, 0 to 1, if rows are distributed evenly. */
gdouble kvsql_row_share (const KvsqlRowRange *bounds, KvsqlSlice row);

G_END_DECLS
