/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * thrift2.h: a client of HBase's Thrift2 service that is optimized for speed only: requests are
 * built by hand, replies are parsed in the receive buffer. It shares no code with kvsqld's store,
 * which is compared with it. Unframed; binary or compact.
 *
 * Every call returns a number, or -1 after saying why.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct Thrift2 Thrift2;

typedef struct
{
  const guint8 *data;
  gsize size;
} Thrift2Bytes;

typedef struct
{
  const gchar *qualifier;
  guint8 value[64];
  gsize size;
} Thrift2Cell;

typedef struct
{
  guint8 row[64];
  gsize row_size;
  Thrift2Cell cells[5]; /* of family "f" */
  guint n_cells;
} Thrift2Put;

typedef struct
{
  Thrift2Bytes start, stop, filter; /* no bytes: none */
  gint caching, limit;              /* 0: none */
} Thrift2Scan;

Thrift2 *thrift2_open (guint16 port, gboolean is_compact);
void thrift2_close (Thrift2 *self);

/* Read whole rows. They return the number of existing rows. */
gint64 thrift2_get (Thrift2 *self, const gchar *table, Thrift2Bytes row);
gint64 thrift2_get_multiple (Thrift2 *self, const gchar *table, const Thrift2Bytes *rows, guint n);

gint64 thrift2_put (Thrift2 *self, const gchar *table, const Thrift2Put *put);
/* checkAndMutate: the same put, if the row has no cell "f:absent". */
gint64 thrift2_check_and_put (Thrift2 *self, const gchar *table, const Thrift2Put *put);
gint64 thrift2_put_multiple (Thrift2 *self, const gchar *table, const Thrift2Put *puts, guint n);

/* The rows of a scan in one request. */
gint64 thrift2_scan_once (Thrift2 *self, const gchar *table, const Thrift2Scan *scan, gint n_rows);

/* The rows of a scan, page by page. */
gint64 thrift2_scan (Thrift2 *self, const gchar *table, const Thrift2Scan *scan, gint page_rows);

G_END_DECLS
