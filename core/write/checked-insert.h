/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-insert.h: INSERT of tuples, decided by anchors. A stored tuple with the same KEY is
 * replaced.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

/**
 * kvsql_checked_insert:
 * @tuples: (array length=*n): with distinct keys, which the caller has locked
 * @n: (inout): how many there are. Afterwards: how many another daemon has changed at the same
 * time: they come first then, and are to be inserted again
 * @out_rejected: the one that a schema cannot hold; none is written then
 */
gboolean kvsql_checked_insert (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                               const KvsqlValue **tuples, guint *n, const KvsqlCall *call,
                               const KvsqlValue **out_rejected,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
