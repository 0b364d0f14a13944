/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trace.h: finds out from a row whether a request was applied whose answer is unverified.
 *
 * Threads: pure functions.
 */
#pragma once

#include "daemon/stores/hbase/t2-reply.h"
#include "daemon/stores/hbase/t2-requests.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_TRACE_FOUND,   /* it was applied */
  KVSQLD_TRACE_NONE,    /* not applied at the time of the read */
  KVSQLD_TRACE_COVERED, /* others have written since: it may have been applied and dropped */
} KvsqldTrace;

/**
 * kvsqld_hbase_trace:
 * @row: the mutations of the request with @check, whose mark is not 0
 * @history: the answer to kvsqld_t2_write_get_history() since kvsqld_hbase_trace_since(), with
 * types
 */
KvsqldTrace kvsqld_hbase_trace (const KvsqlCheck *check, const KvsqlRowMutation *row,
                                const KvsqldT2Reply *history);

/* The earliest timestamp that is needed. */
gint64 kvsqld_hbase_trace_since (const KvsqlCheck *check);

G_END_DECLS
