/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stores.h: opens a store by its URL: `memory:`, `rocksdb:///dir`,
 * `hbase://host:port[,host:port]?framed=…&protocol=…`.
 *
 * To add a store, add its file and one line in the table of stores.c.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* Each opener gets the whole URL. An unreachable HBase is not an error here: calls fail until it is
 * back. */
KvsqlStore *kvsqld_store_open (const gchar *url, GError **error);
KvsqlStore *kvsqld_rocksdb_store_open (const gchar *url, GError **error);
KvsqlStore *kvsqld_hbase_store_open (const gchar *url, GError **error);

G_END_DECLS
