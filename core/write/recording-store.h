/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recording-store.h: a store that reads from another one, records all requests and writes nothing.
 *
 * A statement that writes is executed on it to find out which requests the statement makes
 * (EXPLAIN (CALLS)). The tag of a read (KvsqlCall) and of a mutation is the schema
 * (const KvsqlSchema *); reads without a tag are not recorded. The store has atomic batches and
 * needs no tables, so the requests are those of a writer that has no competitor. A request beyond
 * the limits of KvsqlCalls fails, and so ends the statement.
 *
 * Threads: one.
 */
#pragma once

#include "core/plan/calls.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* @inner and @calls are borrowed. */
KvsqlStore *kvsql_recording_store_new (KvsqlStore *inner, KvsqlCalls *calls);

G_END_DECLS
