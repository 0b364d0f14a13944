/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * last-of-keys.h: of several tuples with one key in one write, the last counts.
 */
#pragma once

#include "core/exec/engine.h"

G_BEGIN_DECLS

/**
 * kvsql_last_of_keys:
 * @out: room for @n_tuples: those that count, in the order in which their keys came first
 * @out_locks: (out): of all keys, found on the way
 *
 * Returns: how many are left
 */
guint kvsql_last_of_keys (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                          guint n_tuples, const KvsqlValue **out, KvsqlKeyLocks *out_locks);

G_END_DECLS
