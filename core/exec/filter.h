/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.h: the rows that satisfy a predicate.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/predicate.h"

G_BEGIN_DECLS

/* @input: (transfer full); @predicate: must outlive the filter; @n_matched: (nullable): counts the
 * rows that satisfy it. Reads one batch of the input at a time. */
KvsqlRowSource *kvsql_filter_new (KvsqlRowSource *input, const KvsqlPredicate *predicate,
                                  guint64 *n_matched);

G_END_DECLS
