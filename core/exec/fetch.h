/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fetch.h: entries of an index to tuples of the primary, some at a time, by key.
 *
 * The primary decides. An entry whose tuple is gone, or has another value than the entry says, is
 * dropped: it is left over from a write, and where the tuple's present values belong there is an
 * entry of their own. The order of the entries is kept.
 *
 * A fetch belongs to one thread at a time.
 */
#pragma once

#include "core/exec/assembler.h"
#include "core/exec/run-counts.h"
#include "core/plan/candidate.h"

G_BEGIN_DECLS

typedef struct _KvsqlFetch KvsqlFetch;

/* @candidate: with a fetch_schema; must outlive it. @wanted: attributes of the tuples given out. */
KvsqlFetch *kvsql_fetch_new (KvsqlStore *store, const KvsqlCandidate *candidate,
                             const KvsqlAttributeSet *wanted);
void kvsql_fetch_free (KvsqlFetch *self); /* accepts NULL */

/* As kvsql_tuple_scan_watch(); @counts outlives it. */
void kvsql_fetch_watch (KvsqlFetch *self, guint64 max_rows, KvsqlRunCounts *counts);

/* The entries to go through next, with all attributes that the index holds; they must stay valid
 * until next() has come to their end. */
void kvsql_fetch_set_entries (KvsqlFetch *self, const KvsqlBatch *entries);

/* The tuples of the next entries, columns by attribute, valid until the next call; n_rows 0 is the
 * end of the entries. */
gboolean kvsql_fetch_next (KvsqlFetch *self, const KvsqlCall *call, KvsqlBatch **out_batch,
                           GError **error);

/* The entry that a tuple of the last batch came from. */
guint kvsql_fetch_get_entry (const KvsqlFetch *self, guint tuple);

/* Of the primary's cells. */
void kvsql_fetch_get_counts (const KvsqlFetch *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlFetch, kvsql_fetch_free)

G_END_DECLS
