/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * errors.h: what HBase's exceptions mean, told from their texts.
 *
 * Thrift2 has one exception for nearly everything, and its "may be retried" flag is wrong
 * for most writes, so the Java class names in the message decide.
 *
 * Threads: pure functions.
 */
#pragma once

#include "daemon/stores/hbase/t2-reply.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_HBASE_FINE, /* no error */
  KVSQLD_HBASE_OTHER,
  KVSQLD_HBASE_NO_TABLE,
  KVSQLD_HBASE_NO_FAMILY,
  KVSQLD_HBASE_NO_NAMESPACE,
  KVSQLD_HBASE_NO_SCANNER, /* expired, or another server's */
  KVSQLD_HBASE_TABLE_EXISTS,
  KVSQLD_HBASE_NAMESPACE_EXISTS,
  KVSQLD_HBASE_FAMILY_EXISTS,
  KVSQLD_HBASE_TABLE_DISABLED,
  KVSQLD_HBASE_NO_COUNTER, /* increment of a cell that isn't 8 bytes long */
  KVSQLD_HBASE_BUSY,       /* regions, master or time: later it may work */
} KvsqldHbaseTrouble;

/* @table is the name the request was made with, empty if none. */
KvsqldHbaseTrouble kvsqld_hbase_diagnose (const KvsqldT2Reply *reply, KvsqlSlice table);

/* The server may have refused the request for its filter, by not knowing its name. */
gboolean kvsqld_hbase_is_of_filter (const KvsqldT2Reply *reply);

/* Sets the error for it. Returns: %FALSE. */
gboolean kvsqld_hbase_fail (const KvsqldT2Reply *reply, const KvsqldT2Method *method,
                            KvsqlSlice table, GError **error);

/* The message without Java's stack trace, on one line, of bounded length. */
gchar *kvsqld_hbase_clean_message (KvsqlSlice message);

G_END_DECLS
