/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory.h: the reference implementation of store.h: everything in memory, nothing kept.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

KvsqlStore *kvsql_memory_store_new (void);

G_END_DECLS
