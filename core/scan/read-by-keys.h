/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-by-keys.h: reads stored tuples by their keys, for writes that have to know them.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/scan/tuple-map.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* Reads the stored tuples that have the keys of @tuples, with the attributes @wanted. */
gboolean kvsql_read_by_keys (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                             const KvsqlValue *const *tuples, guint n_tuples,
                             const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                             KvsqlTupleMap *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same from the primary schema, which is up to date where other daemons write the other schemas
 * a moment later. */
gboolean kvsql_read_primary_by_keys (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                                     const KvsqlValue *const *tuples, guint n_tuples,
                                     const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                                     KvsqlTupleMap *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @tuple: by attribute; @timestamp: the newest of its cells. Valid during the call only. */
typedef void (*KvsqlTupleFunc) (const KvsqlValue *tuple, gint64 timestamp, gpointer data);

/**
 * kvsql_read_primary_again:
 * @tuples: whole, as they were read before
 *
 * Calls @func for the present values of each tuple that still has its cell keys in the primary
 * schema. Tuples whose cell keys have changed may be missing.
 */
gboolean kvsql_read_primary_again (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                                   const KvsqlValue *const *tuples, guint n_tuples,
                                   const KvsqlCall *call, KvsqlTupleFunc func, gpointer data,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
