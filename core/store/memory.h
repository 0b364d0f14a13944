/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory.h: the reference implementation of store.h: everything in memory, nothing kept.
 *
 * Isolation: each batch of a scan sees the newest state, whole rows of it. Rows
 * come in order and none twice, whatever is written meanwhile. Deletes are not
 * remembered: a put below the timestamp of an earlier delete is visible.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

KvsqlStore *kvsql_memory_store_new (void);

G_END_DECLS
