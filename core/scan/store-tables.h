/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store-tables.h: the tables of the store, by their names there.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* @pattern: (nullable): of LIKE; NULL: all tables. @out: sorted; in @arena */
gboolean kvsql_find_store_tables (KvsqlStore *store, const gchar *pattern, const KvsqlCall *call,
                                  KvsqlArena *arena, KvsqlSlice **out, guint *out_n,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE with KVSQL_ERROR_UNKNOWN_NAME if @entry is TABLE 't' and the store has no such table. Some
 * stores have only cells, and would read nothing. TRUE if the store does not say. */
gboolean kvsql_check_store_table (const KvsqlCatalogEntry *entry, KvsqlStore *store,
                                  const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
