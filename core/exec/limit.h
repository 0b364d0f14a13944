/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * limit.h: OFFSET and LIMIT.
 */
#pragma once

#include "core/exec/row-source.h"

G_BEGIN_DECLS

/**
 * kvsql_limit_new:
 * @input: (transfer full)
 * @limit: the rows to give in all; G_MAXUINT64: all
 * @n_skip: the rows to skip first
 * @n_given: the rows that an earlier run has given; they count for @limit
 */
KvsqlRowSource *kvsql_limit_new (KvsqlRowSource *input, guint64 limit, guint64 n_skip,
                                 guint64 n_given);

/* The rows that are still to be skipped, and those that were given. */
guint64 kvsql_limit_get_n_skip (const KvsqlRowSource *self);
guint64 kvsql_limit_get_n_given (const KvsqlRowSource *self);
gboolean kvsql_limit_is_reached (const KvsqlRowSource *self);

G_END_DECLS
