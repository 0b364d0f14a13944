/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * deduplicate.h: of several tuples with one key in one write, the last wins.
 */
#pragma once

#include "core/write/storage.h"

G_BEGIN_DECLS

/**
 * kvsql_deduplicate_by_key:
 * @out: room for @n_tuples: the last tuple of each key, in the order in which the keys first appear
 * @out_locks: (out): the locks of all keys
 *
 * Returns: the number of tuples in @out
 */
guint kvsql_deduplicate_by_key (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                                guint n_tuples, const KvsqlValue **out, KvsqlKeyLocks *out_locks);

G_END_DECLS
