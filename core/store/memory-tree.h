/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory-tree.h: tables, rows and cells as trees, shared by the files of the store in memory.
 *
 * Threads: the caller holds the store's lock.
 */
#pragma once

#include "core/store/rows.h"

G_BEGIN_DECLS

/* Each of these structs begins with its key, so that one or two slices can be the key of a lookup
 * in its tree. */
typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  gint64 timestamp;
  KvsqlSlice value;
  guint8 bytes[];
} KvsqlMemoryCell;

typedef struct
{
  KvsqlSlice key;
  GTree *cells;
  guint8 bytes[];
} KvsqlMemoryRow;

typedef struct
{
  KvsqlSlice name;
  GTree *rows;
  guint8 bytes[];
} KvsqlMemoryTable;

typedef struct
{
  KvsqlStore base;
  GRWLock lock; /* of @tables and everything in it */
  GTree *tables;
} KvsqlMemoryStore;

/* The order of tables and rows. @a and @b: KvsqlSlice. */
gint kvsql_memory_compare_keys (gconstpointer a, gconstpointer b, gpointer user_data);
GTree *kvsql_memory_tables_new (void);

/* These return NULL if there is none. */
KvsqlMemoryTable *kvsql_memory_find_table (GTree *tables, KvsqlSlice name);
KvsqlMemoryRow *kvsql_memory_find_row (GTree *tables, KvsqlSlice table_name, KvsqlSlice key);
KvsqlMemoryCell *kvsql_memory_find_cell (GTree *tables, KvsqlSlice table_name, KvsqlSlice key,
                                         KvsqlSlice family, KvsqlSlice qualifier);
/* Returns the table, which is created if it does not exist. */
KvsqlMemoryTable *kvsql_memory_make_table (GTree *tables, KvsqlSlice name);
void kvsql_memory_apply (GTree *tables, const KvsqlRowMutation *rows, guint n_rows);

/* Adds a copy of the row's cells in @columns and @times (nullable). FALSE, without adding a row, if
 * there are none. */
gboolean kvsql_memory_copy_row (KvsqlRowsBuilder *out, const KvsqlMemoryRow *row,
                                const KvsqlColumn *columns, guint n_columns,
                                const KvsqlTimeRange *times);

/* memory-scan.c */
KvsqlScan *kvsql_memory_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec,
                                   const KvsqlCall *call, GError **error);
gboolean kvsql_memory_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_memory_scan_close (KvsqlScan *scan);
gboolean kvsql_memory_split_points (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                                    guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                    KvsqlSlice **out_keys, guint *out_n_keys,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
