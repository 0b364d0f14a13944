/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory.h: the reference implementation of store.h. All data is in memory and lost at close.
 *
 * Isolation: each batch of a scan has whole rows of the newest state. Rows are in order, and none
 * appears twice, even under concurrent writes. Deletes are not remembered: a put below the
 * timestamp of an earlier delete is visible.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

KvsqlStore *kvsql_memory_store_new (void);

G_END_DECLS
