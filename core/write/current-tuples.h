/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * current-tuples.h: the stored tuples that a write replaces, as they are now: read from the primary
 * schema, or from the anchors of a relation whose writes are checked.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/scan/tuple-map.h"
#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

/* Whether anchors decide the writes of the relation. On a store with atomic batches they do not. */
gboolean kvsql_entry_is_checked (const KvsqlCatalogEntry *entry,
                                 const KvsqlStoreCapabilities *capabilities);
/* KVSQL_ERROR_INVALID if such a relation, or one with blind writes, is written with a timestamp
 * that the statement names (0: none). */
gboolean kvsql_entry_check_timestamp (const KvsqlCatalogEntry *entry, const KvsqlStorage *storage,
                                      gint64 timestamp, GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  KvsqlTupleMap *map;         /* from the primary schema */
  KvsqlCheckedWriter writer;  /* of the following */
  KvsqlArena *arena;          /* of @checked */
  KvsqlCheckedTuple *checked; /* by the index of the key; NULL: the relation is not checked */
} KvsqlCurrentTuples;

/* @keys: tuples of which only the KEY matters; @wanted: the attributes that are needed. To be
 * cleared in any case. */
gboolean kvsql_current_tuples_read (KvsqlCurrentTuples *self, KvsqlStorage *storage,
                                    const KvsqlCatalogEntry *entry, const KvsqlValue *const *keys,
                                    guint n, const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_current_tuples_clear (KvsqlCurrentTuples *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlCurrentTuples, kvsql_current_tuples_clear)

/* The tuple of keys[index], which is @key, or NULL. Valid until clear. */
const KvsqlValue *kvsql_current_tuples_get (const KvsqlCurrentTuples *self, guint index,
                                            const KvsqlValue *key);
/**
 * kvsql_current_tuples_finish:
 *
 * For a statement that names the key, and does not change its tuple, because of what that is now:
 * if the write of the tuple is decided, but perhaps not in all schemas yet, it is finished first.
 * So no reader finds an older tuple after the statement's answer.
 */
gboolean kvsql_current_tuples_finish (const KvsqlCurrentTuples *self, guint index,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* NULL: the relation is not checked. */
const KvsqlCheckedTuple *kvsql_current_tuples_get_checked (const KvsqlCurrentTuples *self,
                                                           guint index);

G_END_DECLS
