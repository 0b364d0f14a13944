/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.c: the HBase store: its opening, its end, and how it makes a request.
 *
 * The other files say what to ask; this one finds a connection to ask on. Nothing is sent
 * when a store is opened: an HBase that is away fails the calls until it is back.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

#include "daemon/stores/hbase/url.h"
#include "daemon/stores/stores.h"

#define CONNECT_TIMEOUT_US (5 * G_USEC_PER_SEC)
/* A request costs about as much time as a hundred rows of a scan. */
#define REQUEST_COST 100

KvsqlSlice
kvsqld_hbase_full_name (KvsqldHbaseStore *self, KvsqlSlice table, gchar **owned)
{
  gsize prefix;

  *owned = NULL;
  if (self->namespace_name == NULL)
    return table;
  prefix = strlen (self->namespace_name) + 1;
  *owned = g_malloc (prefix + table.size);
  memcpy (*owned, self->namespace_name, prefix - 1);
  (*owned)[prefix - 1] = ':';
  if (table.size > 0)
    memcpy (*owned + prefix, table.data, table.size);
  return kvsql_slice (*owned, prefix + table.size);
}

KvsqldT2Name
kvsqld_hbase_split_name (KvsqlSlice full_name)
{
  const guint8 *colon = full_name.size > 0 ? memchr (full_name.data, ':', full_name.size) : NULL;
  gsize prefix;

  if (colon == NULL)
    return (KvsqldT2Name){ KVSQL_SLICE_EMPTY, full_name };
  prefix = (gsize)(colon - full_name.data);
  return (KvsqldT2Name){ kvsql_slice (full_name.data, prefix),
                         kvsql_slice (colon + 1, full_name.size - prefix - 1) };
}

static gboolean
exchange_once (KvsqldHbaseStore *self, const KvsqldT2Method *method, const KvsqldT2Writer *request,
               gint *gateway, const KvsqlCall *call, KvsqldT2Reply *reply, GError **error)
{
  gint used = 0;
  KvsqldT2Connection *connection = kvsqld_t2_pool_take (self->pool, *gateway, call, &used, error);
  KvsqldT2Condition condition = KVSQLD_T2_GOOD;

  if (connection == NULL)
    return FALSE;
  if (!kvsqld_t2_connection_call (connection, method, request, call, reply, error))
    condition
        = g_cancellable_is_cancelled (call->cancellable) ? KVSQLD_T2_ABANDONED : KVSQLD_T2_BROKEN;
  kvsqld_t2_pool_give (self->pool, used, connection, condition);
  *gateway = used;
  return condition == KVSQLD_T2_GOOD;
}

gboolean
kvsqld_hbase_exchange (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                       const KvsqldT2Writer *request, gint *gateway, const KvsqlCall *call,
                       KvsqldT2Reply *reply, GError **error)
{
  static const KvsqlCall endless = { 0 };
  g_autoptr (GError) failure = NULL;
  gint first = *gateway;

  if (call == NULL)
    call = &endless;
  if (exchange_once (self, method, request, &first, call, reply, &failure))
    {
      *gateway = first;
      return TRUE;
    }
  if (*gateway != KVSQLD_T2_ANY_GATEWAY
      || !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  return exchange_once (self, method, request, gateway, call, reply, error);
}

gboolean
kvsqld_hbase_request (KvsqldHbaseStore *self, const KvsqldT2Method *method,
                      const KvsqldT2Writer *request, KvsqlSlice table, const KvsqlCall *call,
                      KvsqldT2Reply *reply, GError **error)
{
  gint gateway = KVSQLD_T2_ANY_GATEWAY;

  if (!kvsqld_hbase_exchange (self, method, request, &gateway, call, reply, error))
    return FALSE;
  return reply->status == KVSQLD_T2_OK || kvsqld_hbase_fail (reply, method, table, error);
}

static gboolean
ping (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };

  kvsqld_t2_writer_init (&request, self->transport);
  kvsqld_t2_write_plain (&request, &kvsqld_t2_list_namespaces);
  return kvsqld_hbase_request (self, &kvsqld_t2_list_namespaces, &request, KVSQL_SLICE_EMPTY, call,
                               &reply, error);
}

/* HBase acknowledges a write when it is in its log; there is nothing to flush on this side. */
static gboolean
flush (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  return TRUE;
}

static void
store_close (KvsqlStore *store)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;

  kvsqld_t2_pool_free (self->pool);
  g_free (self->namespace_name);
  g_free (self);
}

static const KvsqlStoreClass hbase_class = {
  .version = KVSQL_STORE_VERSION,
  .name = "hbase",
  .close = store_close,
  .ping = ping,
  .open_scan = kvsqld_hbase_open_scan,
  .scan_next = kvsqld_hbase_scan_next,
  .scan_close = kvsqld_hbase_scan_close,
  .multi_get = kvsqld_hbase_multi_get,
  .apply = kvsqld_hbase_apply,
  .check_and_apply = kvsqld_hbase_check_and_apply,
  .increment = kvsqld_hbase_increment,
  .list_tables = kvsqld_hbase_list_tables,
  .ensure_table = kvsqld_hbase_ensure_table,
  .drop_table = kvsqld_hbase_drop_table,
  .flush = flush,
};

KvsqlStore *
kvsqld_hbase_store_open (const gchar *url, GError **error)
{
  g_auto (KvsqldHbaseUrl) parsed = { 0 };
  KvsqldT2Settings settings;
  KvsqldHbaseStore *self;
  gsize request_limit;

  if (!kvsqld_hbase_url_parse (url, &parsed, error))
    return NULL;

  settings = (KvsqldT2Settings){
    .transport = parsed.transport,
    .connect_timeout_us = MIN (CONNECT_TIMEOUT_US, parsed.timeout_us),
    .reply_timeout_us = parsed.timeout_us,
  };
  self = g_new0 (KvsqldHbaseStore, 1);
  self->transport = parsed.transport;
  self->namespace_name = g_steal_pointer (&parsed.namespace_name);
  self->pool
      = kvsqld_t2_pool_new (g_steal_pointer (&parsed.endpoints), &settings, parsed.pool_size);
  request_limit
      = parsed.transport.is_framed ? KVSQLD_HBASE_MAX_FRAMED_REQUEST : KVSQLD_HBASE_MAX_KEY_VALUE;
  self->parent.klass = &hbase_class;
  self->parent.capabilities = (KvsqlStoreCapabilities){
    .flags = KVSQL_STORE_REVERSE_SCAN,
    .filters = KVSQL_FILTER_VALUES | KVSQL_FILTER_KEYS_ONLY,
    .max_row_bytes = KVSQLD_HBASE_MAX_WRITABLE_ROW,
    /* Row, column and the message around them take their part of the limit. */
    .max_value_bytes = request_limit - 3 * KVSQLD_HBASE_MAX_ROW,
    .request_cost = REQUEST_COST,
  };
  return &self->parent;
}
