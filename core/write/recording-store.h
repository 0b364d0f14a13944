/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recording-store.h: a store that reads from another one, records all requests and writes nothing.
 *
 * A statement that writes is executed on it to find out which requests the statement makes
 * (EXPLAIN (CALLS)). The tag of a read (KvsqlCall) and of a mutation is the schema
 * (const KvsqlSchema *); reads without a tag are not recorded, except for those of anchors. The
 * store needs no tables. A request beyond the limits of KvsqlCalls fails, and so ends the
 * statement.
 *
 * For checked writes (checked-write.h) it has no atomic batches, as @inner, and records which
 * requests may be made at the same time. All compare-and-sets succeed, and what was put into an
 * anchor is found when the anchor is read again. For all other writes it has atomic batches, so the
 * requests are those of a writer that has no competitor.
 *
 * Threads: one.
 */
#pragma once

#include "core/plan/calls.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* @inner and @calls are borrowed. @has_log: for writes with a log, in steps */
KvsqlStore *kvsql_recording_store_new (KvsqlStore *inner, KvsqlCalls *calls, gboolean has_log);

G_END_DECLS
