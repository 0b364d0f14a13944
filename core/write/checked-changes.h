/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-changes.h: changes of a statement, decided by anchors: logs the keys, writes, and takes
 * the keys from the log again.
 */
#pragma once

#include "core/write/tuple-change.h"

G_BEGIN_DECLS

/* As kvsql_changes_apply(), for changes with @before. */
gboolean kvsql_checked_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                      KvsqlChange *changes, guint n, const KvsqlCall *call,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
