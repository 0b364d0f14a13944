/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-probe.c: reads one row that does not exist from hbase:meta.
 *
 * Every HBase has that table, and no other table can be read without it: the gateway needs HBase's
 * ZooKeeper to find it, and a region server to read it. "Access denied" is an answer, too.
 */
#include "config.h"

#include "daemon/stores/hbase/read-probe.h"

#include "daemon/stores/hbase/errors.h"

#define TABLE KVSQL_SLICE_LITERAL ("hbase:meta")
#define ROW KVSQL_SLICE_LITERAL ("kvsql")

void
kvsqld_t2_write_read_probe (KvsqldT2Writer *writer)
{
  kvsqld_t2_write_get (writer, TABLE, ROW, NULL, 0, NULL, KVSQL_SLICE_EMPTY);
}

gboolean
kvsqld_t2_read_probe (KvsqldT2Connection *connection, gint64 limit_us, const KvsqlCall *call,
                      GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };

  kvsqld_t2_writer_init (&request, kvsqld_t2_connection_get_transport (connection));
  kvsqld_t2_write_read_probe (&request);
  return kvsqld_t2_connection_call (connection, &kvsqld_t2_get, &request, limit_us, call, &reply,
                                    error)
         && kvsqld_hbase_check_served (&reply, error);
}
