/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group-table.h: numbers keys in the order in which they first appear.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlGroupTable KvsqlGroupTable;

KvsqlGroupTable *kvsql_group_table_new (void);
void kvsql_group_table_free (KvsqlGroupTable *self); /* accepts NULL */

/* The number of @key, from 0. A new key is copied. */
guint32 kvsql_group_table_add (KvsqlGroupTable *self, KvsqlSlice key, gboolean *out_is_new);

/* The number of @key if the table has it. */
gboolean kvsql_group_table_find (const KvsqlGroupTable *self, KvsqlSlice key, guint32 *out);

guint32 kvsql_group_table_get_n (const KvsqlGroupTable *self);
gsize kvsql_group_table_get_size (const KvsqlGroupTable *self); /* bytes of memory */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlGroupTable, kvsql_group_table_free)

G_END_DECLS
