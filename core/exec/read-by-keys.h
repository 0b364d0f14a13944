/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-by-keys.h: stored tuples by their keys, for writes that have to know them.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/exec/engine.h"
#include "core/exec/tuple-map.h"
#include "core/plan/calls.h"

G_BEGIN_DECLS

/* The stored tuples with the keys of @tuples, with the attributes @wanted. @calls (nullable) gets
 * the requests. */
gboolean kvsql_read_by_keys (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                             const KvsqlValue *const *tuples, guint n_tuples,
                             const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                             KvsqlTupleMap *out, KvsqlCalls *calls, GError **error);

/* The same from the primary schema, which is right where other daemons write the others a moment
 * later. */
gboolean kvsql_read_primary_by_keys (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                                     const KvsqlValue *const *tuples, guint n_tuples,
                                     const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                                     KvsqlTupleMap *out, KvsqlCalls *calls, GError **error);

/* A tuple, by attribute, and the newest timestamp of its cells; valid during the call only. */
typedef void (*KvsqlTupleFunc) (const KvsqlValue *tuple, gint64 timestamp, gpointer data);

/**
 * kvsql_read_primary_again:
 * @tuples: whole, as they were read once
 *
 * Those that are still where they were in the primary schema, as they are now, each given to @func.
 * What was moved since need not be found.
 */
gboolean kvsql_read_primary_again (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                                   const KvsqlValue *const *tuples, guint n_tuples,
                                   const KvsqlCall *call, KvsqlTupleFunc func, gpointer data,
                                   GError **error);

G_END_DECLS
