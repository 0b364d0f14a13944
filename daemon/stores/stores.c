/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stores.c: see stores.h.
 */
#include "config.h"

#include "daemon/stores/stores.h"

#include "core/store/memory.h"

static KvsqlStore *
open_memory (const gchar *url, GError **error)
{
  if (strcmp (url, "memory:") == 0)
    return kvsql_memory_store_new ();
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "store URL \"%s\" is not valid",
                   url);
  kvsql_error_hint (error, "The store in memory has no options: write \"memory:\" only.");
  return NULL;
}

static const struct
{
  const gchar *scheme; /* lower case */
  KvsqlStore *(*open) (const gchar *url, GError **error);
} stores[] = {
  { "memory", open_memory },
  { "rocksdb", kvsqld_rocksdb_store_open },
  { "hbase", kvsqld_hbase_store_open },
};

KvsqlStore *
kvsqld_store_open (const gchar *url, GError **error)
{
  g_autofree gchar *scheme = g_uri_parse_scheme (url);

  for (guint i = 0; scheme != NULL && i < G_N_ELEMENTS (stores); i++)
    if (strcmp (scheme, stores[i].scheme) == 0)
      return stores[i].open (url, error);
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "store URL \"%s\" is not known",
                   url);
  kvsql_error_hint (error, "Use memory:, rocksdb:///directory or hbase://host:port[,host:port].");
  return NULL;
}
