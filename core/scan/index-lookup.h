/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index-lookup.h: reads tuples of the primary for the entries of an index, some at a time, by key.
 *
 * The primary decides. If the tuple of an entry is gone, or has another value than the entry says,
 * the entry is dropped: it remains from an unfinished write, and the present values of the tuple
 * have an entry of their own. The order of the entries is kept.
 *
 * An index lookup belongs to one thread at a time.
 */
#pragma once

#include "core/scan/assembler.h"
#include "core/scan/run-counts.h"
#include "core/plan/access-path.h"

G_BEGIN_DECLS

typedef struct _KvsqlIndexLookup KvsqlIndexLookup;

/* @path: with a lookup_schema; must outlive the lookup. @wanted: attributes of the tuples. */
KvsqlIndexLookup *kvsql_index_lookup_new (KvsqlStore *store, const KvsqlAccessPath *path,
                                          const KvsqlAttributeSet *wanted);
void kvsql_index_lookup_free (KvsqlIndexLookup *self); /* accepts NULL */

/* As kvsql_table_scan_watch(); @counts must outlive the lookup. */
void kvsql_index_lookup_watch (KvsqlIndexLookup *self, guint64 max_rows, KvsqlRunCounts *counts);

/* The next entries, with all attributes that the index holds. They must stay valid until next() has
 * returned their end. */
void kvsql_index_lookup_set_entries (KvsqlIndexLookup *self, const KvsqlBatch *entries);

/* The tuples of the next entries, columns by attribute, valid until the next call. n_rows 0 is the
 * end of the entries. */
gboolean kvsql_index_lookup_next (KvsqlIndexLookup *self, const KvsqlCall *call,
                                  KvsqlBatch **out_batch, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The number of the entry of a tuple of the last batch. */
guint kvsql_index_lookup_get_entry (const KvsqlIndexLookup *self, guint tuple);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlIndexLookup, kvsql_index_lookup_free)

G_END_DECLS
