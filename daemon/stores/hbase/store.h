/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.h: what the files of the HBase store share. Nobody outside this folder includes it.
 *
 * Threads: as core/store/store.h says; nothing here changes after the store was opened but the
 * pool and the counters.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/errors.h"
#include "daemon/stores/hbase/pool.h"
#include "daemon/stores/hbase/senders.h"

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

/* Kept as bits, so that it can be learnt while others read it. */
typedef enum
{
  KVSQLD_HBASE_TRANSPORT_KNOWN = 1 << 0,
  KVSQLD_HBASE_FRAMED = 1 << 1,
  KVSQLD_HBASE_COMPACT = 1 << 2,
} KvsqldHbaseTransport;

/* For kvsql_store_report(); atomic. */
typedef struct
{
  gint n_repeated;
  gint n_resumed;
  gint n_filters_refused; /* if there is one, none is sent any more */
} KvsqldHbaseCounters;

typedef struct
{
  KvsqlStore parent;
  KvsqldT2Pool *pool;
  KvsqldHbaseSenders *senders;
  gint n_writing;           /* calls of apply() that are under way; atomic */
  KvsqldT2HttpOptions http; /* the pool's connections refer to it */
  KvsqldHbaseCounters counters;
  gint64 timeout_us;     /* for one answer */
  gint transport;        /* atomic: a KvsqldHbaseTransport */
  gchar *namespace_name; /* nullable */
} KvsqldHbaseStore;

/* The table's whole name, NAMESPACE:NAME if the store has a namespace; @owned keeps it, free it
 * with g_free(). */
KvsqlSlice kvsqld_hbase_full_name (KvsqldHbaseStore *self, KvsqlSlice table, gchar **owned);
/* The parts of a whole name. */
KvsqldT2Name kvsqld_hbase_split_name (KvsqlSlice full_name);

/* exchange.c */

/* Makes sure that the gateways' transport is known; if it has to be found out, a gateway is asked.
 */
gboolean kvsqld_hbase_learn_transport (KvsqldHbaseStore *self, const KvsqlCall *call,
                                       GError **error);
/* What was learnt. */
gboolean kvsqld_hbase_is_framed (KvsqldHbaseStore *self);
/* Makes @request ready to be written, in the gateways' transport, which is learnt if need be. */
gboolean kvsqld_hbase_begin (KvsqldHbaseStore *self, KvsqldT2Writer *request, const KvsqlCall *call,
                             GError **error);

/**
 * kvsqld_hbase_exchange:
 * @where: (inout): the connection it must be, or %KVSQLD_T2_ANYWHERE; then the one it was
 *
 * One request and its answer, which may be an exception (@reply->status). If any will do, a
 * request is repeated, preferably by another gateway, while there is time and nothing can be
 * done twice by it.
 */
gboolean kvsqld_hbase_exchange (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                                const KvsqldT2Writer *request, KvsqldT2Where *where,
                                const KvsqlCall *call, KvsqldT2Reply *reply, GError **error);
/* The same over any gateway, and an exception is an error; @table is for its message. */
gboolean kvsqld_hbase_request (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                               const KvsqldT2Writer *request, KvsqlSlice table,
                               const KvsqlCall *call, KvsqldT2Reply *reply, GError **error);

/* A request whose answer is awaited later; it has a connection to itself until then. */
typedef struct
{
  KvsqldT2Connection *connection; /* NULL: nothing was asked */
  gint gateway;
  const KvsqldT2Method *method;
  const KvsqldT2Writer *request;
} KvsqldHbaseAhead;

/* Sends @request, which only reads and stays as it is until it was answered or dropped, on the
 * connection that it needs; or does nothing, if others may want that. Waits for nothing; whatever
 * goes wrong shows when the request is made in the common way. */
void kvsqld_hbase_ask_ahead (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                             const KvsqldT2Writer *request, const KvsqldT2Where *where,
                             KvsqldHbaseAhead *out_ahead);
/* The answer, as kvsqld_hbase_exchange() would have brought it. Nothing is asked ahead then. */
gboolean kvsqld_hbase_await_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead,
                                   const KvsqlCall *call, KvsqldT2Reply *reply, GError **error);
/* Nobody wants the answer any more. It is waited for a little, since the connection is good for
 * others after it; then that is closed. */
void kvsqld_hbase_drop_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead);

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

/* regions.c */
gboolean kvsqld_hbase_split_points (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                                    guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                    KvsqlSlice **out_keys, guint *out_n_keys, GError **error);

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
