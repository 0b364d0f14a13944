/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * writable.h: whether a daemon may write, by the number of the write protocol in the registry.
 *
 * The number belongs to the definitions that a statement uses, so a daemon acknowledges a new one
 * only when none of its statements goes by the one before. Two daemons that go by different numbers
 * never write at the same time:
 *
 *   1. A daemon that finds a smaller number than its own announces its own (protocol-change.h).
 *      From then on no daemon begins to write.
 *   2. When all daemons have acknowledged this, the number comes into use. Daemons that know it
 *      write again, the others only read.
 */
#pragma once

#include "daemon/registry/write-protocol.h"

G_BEGIN_DECLS

/* Whether the daemon knows the protocol, so that it may change definitions. FALSE:
 * KVSQL_ERROR_READ_ONLY */
gboolean kvsqld_protocol_check_known (const KvsqldWriteProtocol *self,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the protocol is in use since @epoch or before, too, so that the daemon may write tuples.
 * FALSE also with KVSQL_ERROR_UNAVAILABLE. */
gboolean kvsqld_protocol_check_in_use (const KvsqldWriteProtocol *self, gint64 epoch,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
