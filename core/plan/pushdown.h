/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pushdown.h: filters and time ranges that the store evaluates, in addition to rows and columns.
 *
 * Pushdown only saves work. The engine checks each row that the store returns as if nothing had
 * been pushed down, so the result is the same without it.
 */
#pragma once

#include "core/plan/access-path.h"
#include "core/store/capabilities.h"

G_BEGIN_DECLS

/* Sets the filter, the time range and keys_only of @self from the constraints that its ranges do
 * not decide. */
void kvsql_access_path_push_down (KvsqlAccessPath *self, const KvsqlDnf *dnf,
                                  const KvsqlAttributeSet *needed,
                                  const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena);

/* The same for a statement that needs only tuples with a cell of @timestamp or older. */
void kvsql_access_path_push_down_until (KvsqlAccessPath *self, gint64 timestamp,
                                        const KvsqlStoreCapabilities *capabilities,
                                        KvsqlArena *arena);

G_END_DECLS
