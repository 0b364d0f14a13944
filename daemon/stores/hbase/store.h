/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.h: declarations that the files of the HBase store share; no file outside this folder
 * includes it.
 *
 * Threads: as in core/store/store.h. After the store was opened only the pool, the counters and
 * @region_counts change.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/errors.h"
#include "daemon/stores/hbase/pool.h"
#include "daemon/stores/hbase/dispatcher.h"

G_BEGIN_DECLS

/* Limits of HBase. */
#define KVSQLD_HBASE_MAX_ROW 32767
/* A row key is also a part of the key by which its region is looked up: TABLE,ROW,99999999999999.
 * This leaves room for a table name of 255 bytes, and for one more byte with which a scan may
 * continue. */
#define KVSQLD_HBASE_MAX_WRITABLE_ROW (KVSQLD_HBASE_MAX_ROW - 255 - 16 - 1)
#define KVSQLD_HBASE_MAX_KEY_VALUE ((gsize)10 << 20)
/* A framed server closes the connection without an error at 2 MiB. */
#define KVSQLD_HBASE_MAX_FRAMED_REQUEST (((gsize)2 << 20) - 4096)
#define KVSQLD_HBASE_MAX_REQUEST ((gsize)96 << 20)

/* Bits of an atomic integer, so that one thread can set them while others read. */
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
  gint n_unverified;      /* mutations with a condition whose answer had to be verified */
  gint n_filters_refused; /* if there is one, no more filters are sent */
} KvsqldHbaseCounters;

typedef struct
{
  KvsqlStore parent;
  KvsqldT2Pool *pool;
  KvsqldHbaseDispatcher *dispatcher;
  gint n_writing;           /* running calls of apply(); atomic */
  KvsqldT2HttpOptions http; /* the pool's connections refer to it */
  KvsqldHbaseCounters counters;
  gint64 timeout_us;     /* for one answer */
  gint64 pause_us;       /* how long a gateway waits before it repeats a request */
  gint transport;        /* atomic: a KvsqldHbaseTransport */
  gchar *namespace_name; /* nullable */
  GMutex regions_lock;   /* guards @region_counts */
  GHashTable *region_counts;
} KvsqldHbaseStore;

/* names.c */

/* The table's full name, NAMESPACE:NAME if the store has a namespace. @owned owns it; free it with
 * g_free(). */
KvsqlSlice kvsqld_hbase_full_name (KvsqldHbaseStore *self, KvsqlSlice table, gchar **owned);
/* Splits a full name. */
KvsqldT2Name kvsqld_hbase_split_name (KvsqlSlice full_name);

/* round-trip.c */

/* Makes sure that the gateways' transport is known; asks a gateway if necessary. */
gboolean kvsqld_hbase_learn_transport (KvsqldHbaseStore *self, const KvsqlCall *call,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The known transport. */
gboolean kvsqld_hbase_is_framed (KvsqldHbaseStore *self);
/* Initializes @request for the gateways' transport, which is detected if necessary. */
gboolean kvsqld_hbase_begin (KvsqldHbaseStore *self, KvsqldT2Writer *request, const KvsqlCall *call,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Sleeps, but not past the call's deadline or cancellation. */
void kvsqld_hbase_pause (gint64 pause_us, const KvsqlCall *call);

/**
 * kvsqld_hbase_round_trip:
 * @where: (inout): the required connection, or %KVSQLD_T2_ANYWHERE; afterwards the one that was
 * used
 *
 * Makes one request and reads its answer, which may be an exception (@reply->status). With
 * %KVSQLD_T2_ANYWHERE a request is repeated, preferably through another gateway, as long as there
 * is time and the repetition cannot do anything twice.
 */
gboolean kvsqld_hbase_round_trip (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                                  const KvsqldT2Writer *request, KvsqldT2Where *where,
                                  const KvsqlCall *call, KvsqldT2Reply *reply,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same through any gateway; an exception is an error. @table is for the error's text. */
gboolean kvsqld_hbase_request (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                               const KvsqldT2Writer *request, KvsqlSlice table,
                               const KvsqlCall *call, KvsqldT2Reply *reply,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A request whose answer is read later. Until then the connection is reserved for it. */
typedef struct
{
  KvsqldT2Connection *connection; /* NULL: nothing was asked */
  gint gateway;
  const KvsqldT2Method *method;
  const KvsqldT2Writer *request;
} KvsqldHbaseAhead;

/* Sends @request on its connection, or does nothing if others may need that. @request must only
 * read, and must not change until the answer was read or dropped. Does not wait. Errors are not
 * reported here; they occur again when the request is made in the normal way. */
void kvsqld_hbase_ask_ahead (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                             const KvsqldT2Writer *request, const KvsqldT2Where *where,
                             KvsqldHbaseAhead *out_ahead);
/* Reads the answer, with the result of kvsqld_hbase_round_trip(). @ahead is empty afterwards. */
gboolean kvsqld_hbase_await_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead,
                                   const KvsqlCall *call, KvsqldT2Reply *reply,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The answer is not needed any more. Waits for it a short time, because other requests can then use
 * the connection; if it does not arrive, the connection is closed. */
void kvsqld_hbase_drop_ahead (KvsqldHbaseStore *self, KvsqldHbaseAhead *ahead);

/* read.c */
KvsqlScan *kvsqld_hbase_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec,
                                   const KvsqlCall *call, GError **error);
gboolean kvsqld_hbase_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_hbase_scan_close (KvsqlScan *scan);
gboolean kvsqld_hbase_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys,
                                 guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                 const KvsqlCall *call, KvsqlArena *arena, KvsqlRows *out_rows,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* regions.c */
/* The first keys of the regions, ascending. */
gboolean kvsqld_hbase_list_regions (KvsqldHbaseStore *self, KvsqlSlice table, const KvsqlCall *call,
                                    KvsqlArena *arena, KvsqlSlice **out_starts, guint *out_n,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The number of the table's regions, as it was up to a minute ago; 0: it cannot be found out. */
guint kvsqld_hbase_count_regions (KvsqldHbaseStore *self, KvsqlSlice table, const KvsqlCall *call);
gboolean kvsqld_hbase_split_points (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                                    guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                    KvsqlSlice **out_keys, guint *out_n_keys,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* write.c */
gboolean kvsqld_hbase_apply (KvsqlStore *store, const KvsqlRowMutation *mutations, guint n_rows,
                             const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the mutations of a row fit into a request. */
gboolean kvsqld_hbase_check_row (KvsqlStore *store, const KvsqlRowMutation *mutation,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_hbase_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row,
                                 KvsqlSlice family, KvsqlSlice qualifier, gint64 amount,
                                 const KvsqlCall *call, gint64 *out_value,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* condition.c */
gboolean kvsqld_hbase_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                                       const KvsqlCellMutation *cells, guint n_cells,
                                       const KvsqlCall *call, gboolean *out_applied,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* tables.c */
gboolean kvsqld_hbase_describe_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                                      KvsqlArena *arena, KvsqlTableDescription *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *kvsqld_hbase_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call,
                                     GError **error);
gboolean kvsqld_hbase_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec,
                                    const KvsqlCall *call, gboolean *out_created,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_hbase_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
