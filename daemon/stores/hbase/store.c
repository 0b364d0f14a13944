/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.c: the HBase store: opening, closing and status.
 *
 * Opening a store sends nothing: if HBase is unreachable, calls fail until it is back.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

#include <errno.h>
#include <unistd.h>

#include "daemon/stores/hbase/login.h"
#include "daemon/stores/hbase/read-probe.h"
#include "daemon/stores/hbase/transport.h"
#include "daemon/stores/hbase/url.h"
#include "daemon/stores/stores.h"

#define CONNECT_TIMEOUT_US (5 * G_USEC_PER_SEC)
/* A request takes about as long as a hundred rows of a scan. */
#define REQUEST_COST 100

static gboolean
ping (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  KvsqldT2Where where = KVSQLD_T2_ANYWHERE;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_read_probe (&request);
  return kvsqld_hbase_round_trip (self, &kvsqld_t2_get, &request, &where, call, &reply, error)
         && kvsqld_hbase_check_served (&reply, error);
}

/* HBase acknowledges a write when it is in its log; there is nothing to flush on this side. */
static gboolean
flush (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  return TRUE;
}

static void
report_transport (KvsqldHbaseStore *self, KvsqlFactFunc func, gpointer data)
{
  KvsqldT2Transport transport;
  gboolean is_known = kvsqld_t2_pool_get_transport (self->pool, &transport);
  g_autofree gchar *text = kvsqld_t2_transport_print (transport);
  const KvsqlFact fact
      = { .name = "transport", .kind = KVSQL_FACT_TEXT, .text = is_known ? text : "not known yet" };

  func (&fact, data);
}

static void
report (KvsqlStore *store, KvsqlFactFunc func, gpointer data)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  const struct
  {
    const gchar *name;
    gint *number;
  } counters[] = {
    { "requests repeated", &self->counters.n_repeated },
    { "scans resumed", &self->counters.n_resumed },
    { "answers doubted", &self->counters.n_unverified },
    { "filters refused", &self->counters.n_filters_refused },
  };

  report_transport (self, func, data);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    {
      const KvsqlFact fact = { .name = counters[i].name,
                               .kind = KVSQL_FACT_COUNTER,
                               .number = g_atomic_int_get (counters[i].number) };
      func (&fact, data);
    }
  kvsqld_t2_pool_report (self->pool, func, data);
}

static gboolean
run_tasks (KvsqlStore *store, guint n, KvsqlStoreTask task, gpointer data, GError **error)
{
  guint n_done;

  return kvsqld_hbase_dispatcher_run (((KvsqldHbaseStore *)store)->dispatcher, n, task, data,
                                      &n_done, error);
}

static void
store_close (KvsqlStore *store)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;

  kvsqld_hbase_dispatcher_free (self->dispatcher);
  kvsqld_t2_pool_free (self->pool);
  kvsqld_t2_http_options_clear (&self->http);
  g_hash_table_unref (self->region_counts);
  g_mutex_clear (&self->regions_lock);
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
  .check_row = kvsqld_hbase_check_row,
  .check_and_apply = kvsqld_hbase_check_and_apply,
  .increment = kvsqld_hbase_increment,
  .run_tasks = run_tasks,
  .list_tables = kvsqld_hbase_list_tables,
  .describe_table = kvsqld_hbase_describe_table,
  .ensure_table = kvsqld_hbase_ensure_table,
  .drop_table = kvsqld_hbase_drop_table,
  .flush = flush,
  .split_points = kvsqld_hbase_split_points,
  .report = report,
};

/* libcurl would report it for each connection, long after the start. */
static gboolean
check_file (const gchar *name, const gchar *path, GError **error)
{
  return path == NULL || access (path, R_OK) == 0
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                             "%s \"%s\" of the store's URL cannot be read: %s", name, path,
                             g_strerror (errno));
}

static gboolean
check_files (const KvsqldT2HttpOptions *options, GError **error)
{
  return check_file ("tls_ca", options->ca_file, error)
         && check_file ("tls_cert", options->cert_file, error)
         && check_file ("tls_key", options->key_file, error);
}

KvsqlStore *
kvsqld_hbase_store_open (const gchar *url, GError **error)
{
  g_auto (KvsqldHbaseUrl) parsed = { 0 };
  KvsqldT2Settings settings;
  KvsqldHbaseStore *self;
  gsize request_limit;

  if (!kvsqld_hbase_url_parse (url, &parsed, error) || !check_files (&parsed.http, error)
      || (parsed.auth_file != NULL
          && !kvsqld_hbase_login_read (parsed.auth_file, &parsed.http.login, error)))
    return NULL;

  self = g_new0 (KvsqldHbaseStore, 1);
  self->http = parsed.http;
  parsed.http = (KvsqldT2HttpOptions){ 0 };
  settings = (KvsqldT2Settings){
    .http = &self->http,
    .transport = parsed.transport,
    .candidates = parsed.candidates,
    .connect_timeout_us = MIN (CONNECT_TIMEOUT_US, parsed.timeout_us),
    .reply_timeout_us = parsed.timeout_us,
    .idle_us = parsed.idle_us,
    .max_connections = parsed.pool_size,
  };
  self->namespace_name = g_steal_pointer (&parsed.namespace_name);
  self->timeout_us = parsed.timeout_us;
  self->pause_us = parsed.pause_us;
  self->dispatcher = kvsqld_hbase_dispatcher_new ();
  g_mutex_init (&self->regions_lock);
  self->region_counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->pool = kvsqld_t2_pool_new (g_steal_pointer (&parsed.endpoints), &settings);
  /* If the transport is unknown, a request that is too large for a framed server fails when it is
   * written. */
  request_limit
      = parsed.transport.is_framed ? KVSQLD_HBASE_MAX_FRAMED_REQUEST : KVSQLD_HBASE_MAX_KEY_VALUE;
  self->parent.klass = &hbase_class;
  self->parent.capabilities = (KvsqlStoreCapabilities){
    .flags = KVSQL_STORE_REVERSE_SCAN,
    .filters = KVSQL_FILTER_VALUES | KVSQL_FILTER_KEYS_ONLY,
    .max_row_bytes = KVSQLD_HBASE_MAX_WRITABLE_ROW,
    /* Row, column and the message around them take a part of the limit. */
    .max_value_bytes = request_limit - 3 * KVSQLD_HBASE_MAX_ROW,
    .costs = KVSQL_USUAL_STORE_COSTS (REQUEST_COST),
  };
  return &self->parent;
}
