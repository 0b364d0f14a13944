/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * old-writes.h: waits until nothing is written, or read, by older definitions any more.
 *
 * Between two steps of a change of definitions all daemons have to know the first one. That is
 * certain when:
 *
 *   1. all daemons that the registry lists have acknowledged it, and none of their statements uses
 *      older definitions;
 *   2. every daemon that may use timestamps of the store is one of them. A daemon that has lost the
 *      registry may write by old definitions until its lease is over;
 *   3. the writes that were in the log then have left it. A checked write whose writer has ended,
 * or has given up a request, leaves the log when no request of it can arrive any more
 *      (late_request_s). An intent of a blind write leaves it when another daemon has written its
 *      cells;
 *   4. blind writes that needed no intent, as their cells are in one row, are not late any more.
 *
 * A store with atomic batches has one daemon, so 1 is enough there. No
 * daemon knows of a plain write that is late.
 *
 * tests/model/filling.pml is the model: Define () waits in this way.
 *
 * Threads: any.
 */
#pragma once

#include "core/write/storage.h"
#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqldDefinitions *definitions;
  KvsqlStorage *storage;
  gint64 epoch;        /* definitions before this epoch are old */
  guint64 relation_id; /* of the relation whose definitions change: KvsqlRelation.id */
  gint64 log_wait_us;  /* how long after the call's deadline it waits for 3 and 4 */
  gint64 late_us;      /* how long writes without an intent may be late; 0: there are none */
} KvsqldOldWrites;

/* @call: has a deadline. KVSQL_ERROR_UNAVAILABLE at that time says what is waited for. The caller
 * uses no definitions in the meantime. */
gboolean kvsqld_old_writes_await (const KvsqldOldWrites *self, const KvsqlCall *call,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
