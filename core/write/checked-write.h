/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-write.h: writes of tuples that are decided by their anchors.
 *
 * For stores without atomic batches, where any number of daemons write and each may end in the
 * middle of a write. A write of a tuple has these steps:
 *
 *   1. the key is logged (write-log.h), and its anchor is read;
 *   2. a compare-and-set of the anchor decides the write: the anchor is pending, and says what is
 *      to be written and what was there before;
 *   3. the cells of the new tuple are put in all schemas, at the timestamp T of the write;
 *   4. the cells that only older tuples have are deleted, at T - 1;
 *   5. the anchor is not pending any more, and the key leaves the log.
 *
 * Steps 3 to 5 may be done by any daemon, any number of times: all cells have the timestamps of the
 * write. A writer that finds a pending anchor makes that write's work a part of its own (step 2),
 * so no writer waits for another one. What a dead daemon has left is found in the log.
 *
 * An UPDATE that changes the KEY is checked-move.h.
 *
 * tests/model/anchor.pml is the model: W () is kvsql_checked_read () and kvsql_checked_apply (), R
 * () is kvsql_checked_finish ().
 *
 * Threads: a writer belongs to one thread. Any number of writers may share a storage.
 */
#pragma once

#include "core/write/checked-change.h"

G_BEGIN_DECLS

/**
 * kvsql_checked_read:
 * @keys: (array length=n): tuples of which only the KEY matters
 * @out: (array length=n): lives in @arena
 *
 * Reads what is stored now. A key without an anchor was never written by this protocol: its tuple
 * is read from the primary schema.
 */
gboolean kvsql_checked_read (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                             KvsqlArena *arena, KvsqlCheckedTuple *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether no write has changed the anchor since @before was read. */
gboolean kvsql_checked_is_unchanged (const KvsqlCheckedWriter *self,
                                     const KvsqlCheckedTuple *before, gboolean *out_unchanged,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct _KvsqlTupleMap KvsqlTupleMap; /* core/scan/tuple-map.h */

/* Completes what is known of keys without an anchor: their tuples are those of @rows, read from the
 * primary schema. */
void kvsql_checked_adopt (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                          KvsqlTupleMap *rows, KvsqlArena *arena, KvsqlCheckedTuple *out);
/* Reads these rows and adopts them. */
gboolean kvsql_checked_adopt_stored (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys,
                                     guint n, KvsqlArena *arena, KvsqlCheckedTuple *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_checked_apply:
 *
 * Writes the changes whose keys are still as they were read. @is_applied is FALSE for the others:
 * their tuples are to be read again. Changes are not written as one. If one is rejected, none is
 * written.
 *
 * Errors: KVSQL_ERROR_UNKNOWN_OUTCOME: a change may have been decided, or was decided and is not in
 * all schemas yet. Then the caller leaves the keys in the log, and another daemon finishes
 * what was decided. Changes
 * with @is_applied are done.
 */
gboolean kvsql_checked_apply (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Finishes what was decided for these keys and may not be in all schemas: steps 3 to 5. *out_n: how
 * many keys had such a write. */
gboolean kvsql_checked_finish (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                               guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
