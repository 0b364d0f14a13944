/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-gather.h: gathers the entries of maps that have a cell for each entry, until their tuples are
 * complete.
 */
#pragma once

#include "core/base/collection.h"

G_BEGIN_DECLS

typedef struct _KvsqlMapGather KvsqlMapGather;

/* @type: of the maps. @max_bytes: of all entries together; 0: no limit. */
KvsqlMapGather *kvsql_map_gather_new (KvsqlType type, gsize max_bytes);
void kvsql_map_gather_free (KvsqlMapGather *self); /* accepts NULL */
void kvsql_map_gather_clear (KvsqlMapGather *self);

/* Adds an entry to the map of @tuple, which is identified by its pointer. Copies key and value.
 * Errors: %KVSQL_ERROR_LIMIT. */
gboolean kvsql_map_gather_add (KvsqlMapGather *self, gconstpointer tuple, KvsqlSlice key,
                               const KvsqlValue *value, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The map of @tuple, in @arena; NULL if there are no entries. */
void kvsql_map_gather_get (KvsqlMapGather *self, gconstpointer tuple, KvsqlArena *arena,
                           KvsqlValue *out);

G_END_DECLS
