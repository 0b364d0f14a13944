/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * url.h: the store's URL:
 *   hbase://HOST[:PORT][,HOST[:PORT]
 * …][?framed=BOOL&protocol=binary|compact&namespace=NAME&pool=N&timeout_ms=N]
 *
 * Threads: pure functions.
 */
#pragma once

#include "daemon/stores/hbase/pool.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *endpoints; /* of KvsqldT2Endpoint*, at least one */
  KvsqldT2Transport transport;
  gchar *namespace_name; /* nullable: tables are named as they are */
  guint pool_size;
  gint64 timeout_us;
} KvsqldHbaseUrl;

/* FALSE with KVSQL_ERROR_INVALID that names what is wrong. */
gboolean kvsqld_hbase_url_parse (const gchar *url, KvsqldHbaseUrl *out_url, GError **error);
void kvsqld_hbase_url_clear (KvsqldHbaseUrl *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldHbaseUrl, kvsqld_hbase_url_clear)

G_END_DECLS
