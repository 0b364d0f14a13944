/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * errors.h: the meaning of HBase's exceptions, recognized by their texts.
 *
 * Thrift2 has one exception for almost all errors, and its "may be retried" flag is wrong for most
 * writes. So the Java class names in the message decide.
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
  KVSQLD_HBASE_NO_SCANNER, /* expired, or of another server */
  KVSQLD_HBASE_TABLE_EXISTS,
  KVSQLD_HBASE_NAMESPACE_EXISTS,
  KVSQLD_HBASE_FAMILY_EXISTS,
  KVSQLD_HBASE_TABLE_DISABLED,
  KVSQLD_HBASE_NO_COUNTER, /* increment of a cell that is not 8 bytes long */
  KVSQLD_HBASE_BUSY,       /* regions, master or timeout: may succeed later */
} KvsqldHbaseErrorKind;

/* @table is the table's name in the request, empty if none. */
KvsqldHbaseErrorKind kvsqld_hbase_diagnose (const KvsqldT2Reply *reply, KvsqlSlice table);

/* Whether the server may have rejected the request because it does not know its filter. */
gboolean kvsqld_hbase_is_of_filter (const KvsqldT2Reply *reply);

/* FALSE, with KVSQL_ERROR_UNAVAILABLE, if the gateway answered that HBase did not answer. */
gboolean kvsqld_hbase_check_served (const KvsqldT2Reply *reply,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Sets the error for the reply. Returns: %FALSE. */
gboolean kvsqld_hbase_fail (const KvsqldT2Reply *reply, const KvsqldT2Method *method,
                            KvsqlSlice table, GError **error);

/* Sets the error for a family that the table lacks. Returns: %FALSE. */
gboolean kvsqld_hbase_fail_for_family (KvsqlSlice table, KvsqlSlice family, GError **error);

/* The message without Java's stack trace, on one line, of bounded length. */
gchar *kvsqld_hbase_clean_message (KvsqlSlice message);

G_END_DECLS
