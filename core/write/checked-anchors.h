/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-anchors.h: reads and replaces anchors in the store. For the files of checked writes; all
 * others include checked-write.h.
 *
 * Results live in the arena that a function is given.
 */
#pragma once

#include "core/scan/checked-tuples.h"
#include "core/write/checked-clears.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalogEntry KvsqlCatalogEntry; /* core/catalog/catalog.h */

/* A daemon's writes of a relation. */
typedef struct
{
  KvsqlStorage *storage;
  const KvsqlCatalogEntry *entry;
  guint64 relation_id; /* of its anchors */
  const KvsqlCall *call;
  KvsqlCheckedClears *clears; /* what the caller does after the answer; NULL: it is done at once */
} KvsqlCheckedWriter;

/* For statements. @clears: nullable */
KvsqlCheckedWriter kvsql_checked_writer (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                         const KvsqlCall *call, KvsqlCheckedClears *clears);

/* The key of a tuple as the log and anchors have it (tuple-key.h). */
KvsqlSlice kvsql_checked_key (const KvsqlCheckedWriter *self, const KvsqlValue *tuple,
                              KvsqlArena *arena);
KvsqlSlice _kvsql_checked_record (const KvsqlCheckedWriter *self, const KvsqlValue *tuple,
                                  KvsqlArena *arena);
gboolean _kvsql_checked_read_record (const KvsqlCheckedWriter *self, KvsqlSlice record,
                                     KvsqlArena *arena, const KvsqlValue **out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The bytes of the anchor's state; empty: there is no anchor. */
KvsqlSlice _kvsql_checked_state (const KvsqlAnchor *anchor, KvsqlArena *arena);

/* @out: (array length=n): borrows @keys */
gboolean _kvsql_checked_read_anchors (const KvsqlCheckedWriter *self, const KvsqlSlice *keys,
                                      guint n, KvsqlArena *arena, KvsqlCheckedTuple *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The timestamp of the next version of an anchor. 0: error */
gint64 _kvsql_checked_timestamp (const KvsqlCheckedWriter *self, KvsqlSlice key, gint64 newest,
                                 GError **error);

/* The puts of a loaded version, which has no condition. @out: (array fixed-size=2) */
void _kvsql_checked_put_loaded (const KvsqlCheckedWriter *self, KvsqlSlice key,
                                const KvsqlAnchor *anchor, KvsqlArena *arena, KvsqlMutation *out);
/* Deletes the payload of a load whose version was never current. */
void _kvsql_checked_add_load_delete (const KvsqlCheckedWriter *self, KvsqlSlice key,
                                     gint64 timestamp, KvsqlArena *arena, KvsqlMutation *out);

/* Replaces the anchor of a key, if its state is still @before (empty: if there is none). */
gboolean _kvsql_checked_replace (const KvsqlCheckedWriter *self, KvsqlSlice key, KvsqlSlice before,
                                 const KvsqlAnchor *anchor, gboolean *out_replaced,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Makes the anchor of a finished DELETE not pending any more, if it is still this one. It may have
 * been removed (dead-anchors.h): without a condition, the request would bring a part of it back.
 * Does nothing if that fails, as kvsql_checked_clears_run(). */
void _kvsql_checked_clear_dead (const KvsqlCheckedWriter *self, KvsqlSlice key,
                                const KvsqlAnchor *anchor);

/* Adds what makes the anchor of a finished write not pending any more. */
void _kvsql_checked_add_clear (const KvsqlCheckedWriter *self, KvsqlSlice key,
                               const KvsqlAnchor *anchor, KvsqlCheckedClears *clears);

G_END_DECLS
