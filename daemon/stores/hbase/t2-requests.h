/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-requests.h: the calls of HBase's Thrift2 service that the store makes, as messages.
 *
 * There are a constant and a function for each: the constant describes the result, the function
 * writes a complete message with a number of its own. Nothing is checked here.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/t2-reply.h"
#include "daemon/stores/hbase/t2-writer.h"

G_BEGIN_DECLS

extern const KvsqldT2Method kvsqld_t2_get_server_type;
extern const KvsqldT2Method kvsqld_t2_get;
extern const KvsqldT2Method kvsqld_t2_get_multiple;
extern const KvsqldT2Method kvsqld_t2_open_scanner;
extern const KvsqldT2Method kvsqld_t2_get_scanner_rows;
extern const KvsqldT2Method kvsqld_t2_get_scanner_results;
extern const KvsqldT2Method kvsqld_t2_close_scanner;
extern const KvsqldT2Method kvsqld_t2_put;
extern const KvsqldT2Method kvsqld_t2_put_multiple;
extern const KvsqldT2Method kvsqld_t2_delete_single;
extern const KvsqldT2Method kvsqld_t2_delete_multiple;
extern const KvsqldT2Method kvsqld_t2_mutate_row;
extern const KvsqldT2Method kvsqld_t2_check_and_mutate;
extern const KvsqldT2Method kvsqld_t2_increment;
extern const KvsqldT2Method kvsqld_t2_get_table_names;
extern const KvsqldT2Method kvsqld_t2_get_table_descriptor;
extern const KvsqldT2Method kvsqld_t2_get_regions;
extern const KvsqldT2Method kvsqld_t2_create_table;
extern const KvsqldT2Method kvsqld_t2_add_column_family;
extern const KvsqldT2Method kvsqld_t2_disable_table;
extern const KvsqldT2Method kvsqld_t2_delete_table;
extern const KvsqldT2Method kvsqld_t2_create_namespace;

typedef struct
{
  KvsqlSlice start; /* empty: from the first row (reversed: from the last) */
  KvsqlSlice stop;  /* empty: to the end */
  const KvsqlColumn *columns;
  guint n_columns;
  KvsqlTimeRange times;
  KvsqlSlice filter;       /* in HBase's filter language; empty: none */
  KvsqlSlice range_filter; /* serialized, and then @filter has no effect; empty: none */
  guint limit; /* the largest number of rows, and rows per fetch of the region server; 0: unknown */
  gboolean is_reversed;
} KvsqldT2Scan;

/* Options of a column family; -1: HBase's default. */
typedef struct
{
  gint compression;    /* TCompressionAlgorithm */
  gint bloom;          /* TBloomFilterType */
  gint block_encoding; /* TDataBlockEncoding */
  gint versions;
  gint ttl_seconds;
  gint64 delete_grace_ms; /* hbase.hstore.time.to.purge.deletes */
} KvsqldT2Family;

/* Methods without arguments. */
void kvsqld_t2_write_plain (KvsqldT2Writer *writer, const KvsqldT2Method *method);

void kvsqld_t2_write_get (KvsqldT2Writer *writer, KvsqlSlice table, KvsqlSlice key,
                          const KvsqlColumn *columns, guint n_columns, const KvsqlTimeRange *times,
                          KvsqlSlice filter);
/* All that HBase still has of the row's families since @since: each version, and the delete
 * markers. HBase rejects this with columns. */
void kvsqld_t2_write_get_history (KvsqldT2Writer *writer, KvsqlSlice table, KvsqlSlice key,
                                  const KvsqlColumn *families, guint n_families, gint64 since);
void kvsqld_t2_write_get_multiple (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlSlice *keys,
                                   guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                   const KvsqlTimeRange *times, KvsqlSlice filter);
void kvsqld_t2_write_open_scanner (KvsqldT2Writer *writer, KvsqlSlice table,
                                   const KvsqldT2Scan *scan);
void kvsqld_t2_write_get_scanner_rows (KvsqldT2Writer *writer, gint32 scanner, guint n_rows);
void kvsqld_t2_write_close_scanner (KvsqldT2Writer *writer, gint32 scanner);
/* Opens a scanner, reads up to scan->limit rows and closes it, in one call. */
void kvsqld_t2_write_get_scanner_results (KvsqldT2Writer *writer, KvsqlSlice table,
                                          const KvsqldT2Scan *scan);

/* A row with puts only. The call for many rows could do it too, but costs the gateway half as much
 * again. */
void kvsqld_t2_write_put (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlRowMutation *row);
void kvsqld_t2_write_put_multiple (KvsqldT2Writer *writer, KvsqlSlice table,
                                   const KvsqlRowMutation *const *rows, guint n_rows);
/* A row with deletes of cells only, or with deletes of the row only. */
void kvsqld_t2_write_delete (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlRowMutation *row);
void kvsqld_t2_write_delete_multiple (KvsqldT2Writer *writer, KvsqlSlice table,
                                      const KvsqlRowMutation *const *rows, guint n_rows);
void kvsqld_t2_write_mutate_row (KvsqldT2Writer *writer, KvsqlSlice table,
                                 const KvsqlRowMutation *row);
/* An empty @expected means a cell that is absent or empty. */
void kvsqld_t2_write_check_and_mutate (KvsqldT2Writer *writer, const KvsqlCheck *check,
                                       KvsqlSlice table, KvsqlSlice expected,
                                       const KvsqlRowMutation *row);
void kvsqld_t2_write_increment (KvsqldT2Writer *writer, KvsqlSlice table, KvsqlSlice row,
                                KvsqlSlice family, KvsqlSlice qualifier, gint64 amount);

/* Every table of every namespace except HBase's own. */
void kvsqld_t2_write_get_table_names (KvsqldT2Writer *writer);
void kvsqld_t2_write_get_regions (KvsqldT2Writer *writer, KvsqlSlice table);
/* Methods whose only argument is a table's name. */
void kvsqld_t2_write_table_call (KvsqldT2Writer *writer, const KvsqldT2Method *method,
                                 const KvsqldT2Name *table);
/* Split keys only with unframed transports. */
void kvsqld_t2_write_create_table (KvsqldT2Writer *writer, const KvsqldT2Name *table,
                                   const KvsqlTableSpec *spec, const KvsqldT2Family *family);
void kvsqld_t2_write_add_column_family (KvsqldT2Writer *writer, const KvsqldT2Name *table,
                                        KvsqlSlice name, const KvsqldT2Family *family);
void kvsqld_t2_write_create_namespace (KvsqldT2Writer *writer, KvsqlSlice name);

G_END_DECLS
