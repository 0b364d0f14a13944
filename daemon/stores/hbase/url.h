/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * url.h: the store's URL:
 *   hbase://HOST[:PORT][,HOST[:PORT]
 * …][?transport=socket|http|https|auto&framed=BOOL|auto&protocol=binary|compact|auto
 *      &tls_ca=FILE&tls_verify=full|ca|none&tls_cert=FILE&tls_key=FILE&path=/PATH&auth_file=FILE
 *      &namespace=NAME&pool=N&timeout_ms=N&idle_s=N]
 *
 * Threads: pure functions.
 */
#pragma once

#include "daemon/stores/hbase/pool.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *endpoints;        /* of KvsqldT2Endpoint*, at least one */
  KvsqldT2Transport transport; /* the first one to try */
  guint candidates;            /* see transport.h */
  KvsqldT2HttpOptions http;    /* without the login */
  gchar *auth_file;            /* nullable: file with the login */
  gboolean needs_http;         /* has an option that is valid only with HTTP */
  gboolean is_plain_http;      /* transport=http was given */
  gchar *namespace_name;       /* nullable: tables are named as they are */
  guint pool_size;
  gint64 timeout_us;
  gint64 idle_us;
  gint64 pause_us; /* how long a gateway waits before it repeats a request to HBase */
} KvsqldHbaseUrl;

/* FALSE with KVSQL_ERROR_INVALID, whose text names the fault. */
gboolean kvsqld_hbase_url_parse (const gchar *url, KvsqldHbaseUrl *out_url,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_hbase_url_clear (KvsqldHbaseUrl *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldHbaseUrl, kvsqld_hbase_url_clear)

G_END_DECLS
