/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.h: what the files of the HBase store share. Nobody outside this folder includes it.
 *
 * Threads: as core/store/store.h says; nothing here changes after the store was opened but the
 * pool.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/errors.h"
#include "daemon/stores/hbase/pool.h"

G_BEGIN_DECLS

/* HBase's own limits. */
#define KVSQLD_HBASE_MAX_ROW 32767
/* A row key is also a part of the key by which its region is looked up: TABLE,ROW,99999999999999.
 * This leaves room for a table name of 255 bytes, and for a byte more that a scan may go on at. */
#define KVSQLD_HBASE_MAX_WRITABLE_ROW (KVSQLD_HBASE_MAX_ROW - 255 - 16 - 1)
#define KVSQLD_HBASE_MAX_KEY_VALUE ((gsize)10 << 20)
/* A framed server closes the connection without a word at 2 MiB. */
#define KVSQLD_HBASE_MAX_FRAMED_REQUEST (((gsize)2 << 20) - 4096)
#define KVSQLD_HBASE_MAX_REQUEST ((gsize)96 << 20)

typedef struct
{
  KvsqlStore parent;
  KvsqldT2Pool *pool;
  KvsqldT2Transport transport;
  gchar *namespace_name; /* nullable */
} KvsqldHbaseStore;

/* The table's whole name, NAMESPACE:NAME if the store has a namespace; @owned keeps it, free it
 * with g_free(). */
KvsqlSlice kvsqld_hbase_full_name (KvsqldHbaseStore *self, KvsqlSlice table, gchar **owned);
/* The parts of a whole name. */
KvsqldT2Name kvsqld_hbase_split_name (KvsqlSlice full_name);

/**
 * kvsqld_hbase_exchange:
 * @gateway: (inout): the gateway it must be, or %KVSQLD_T2_ANY_GATEWAY; then the one it was
 *
 * One request and its answer, which may be an exception (@reply->status). With any gateway, a
 * request of which nothing was done is tried once more on another connection.
 */
gboolean kvsqld_hbase_exchange (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                                const KvsqldT2Writer *request, gint *gateway, const KvsqlCall *call,
                                KvsqldT2Reply *reply, GError **error);
/* The same over any gateway, and an exception is an error; @table is for its message. */
gboolean kvsqld_hbase_request (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                               const KvsqldT2Writer *request, KvsqlSlice table,
                               const KvsqlCall *call, KvsqldT2Reply *reply, GError **error);

/* read.c */
KvsqlScan *kvsqld_hbase_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec,
                                   const KvsqlCall *call, GError **error);
gboolean kvsqld_hbase_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                                 GError **error);
void kvsqld_hbase_scan_close (KvsqlScan *scan);
gboolean kvsqld_hbase_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys,
                                 guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                 const KvsqlCall *call, KvsqlArena *arena, KvsqlRows *out_rows,
                                 GError **error);

/* write.c */
gboolean kvsqld_hbase_apply (KvsqlStore *store, const KvsqlMutation *mutations, guint n_mutations,
                             const KvsqlCall *call, GError **error);
gboolean kvsqld_hbase_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                                       const KvsqlMutation *mutations, guint n_mutations,
                                       const KvsqlCall *call, gboolean *out_applied,
                                       GError **error);
gboolean kvsqld_hbase_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row,
                                 KvsqlSlice family, KvsqlSlice qualifier, gint64 amount,
                                 const KvsqlCall *call, gint64 *out_value, GError **error);

/* tables.c */
GPtrArray *kvsqld_hbase_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call,
                                     GError **error);
gboolean kvsqld_hbase_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec,
                                    const KvsqlCall *call, gboolean *out_created, GError **error);
gboolean kvsqld_hbase_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                                  GError **error);

G_END_DECLS
