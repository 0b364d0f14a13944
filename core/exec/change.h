/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * change.h: tuples that become others: what differs is written, to every schema.
 */
#pragma once

#include "core/exec/mutations.h"
#include "core/exec/read-by-keys.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlValue *old; /* as read under the lock of its key, whole; NULL: there was none */
  const KvsqlValue *new; /* NULL: it goes */
  gboolean is_applied;   /* out */
} KvsqlChange;

/**
 * kvsql_changes_apply:
 * @timestamp: of the puts, what goes is deleted at @timestamp - 1; 0: the clock's
 * @calls: (nullable): gets the requests, and nothing is written
 *
 * Writes the cells in which old and new tuples differ. The keys of both are locked by the caller,
 * and no two changes have a key in common.
 *
 * A store with atomic batches applies all changes as one. Another store may be written by other
 * daemons, too: there each change is a compare-and-set on one of the cells that it changes in the
 * primary schema, and @is_applied is FALSE where another was faster: that tuple has to be read
 * again. The other schemas follow.
 */
gboolean kvsql_changes_apply (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                              KvsqlChange *changes, guint n_changes, gint64 timestamp,
                              const KvsqlCall *call, KvsqlCalls *calls, GError **error);

/**
 * kvsql_change_prepare:
 *
 * For stores without atomic batches, before anything is read or written: every schema takes the
 * tuple, and the tables that it goes to exist. Does nothing for others.
 */
gboolean kvsql_change_prepare (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                               const KvsqlValue *new_tuple, const KvsqlCall *call, GError **error);

G_END_DECLS
