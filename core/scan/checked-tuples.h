/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-tuples.h: reads what the anchors of keys say (core/anchor/anchor.h).
 *
 * For relations whose writes are checked. Nothing is written. Results live in the arena that a
 * function is given.
 */
#pragma once

#include "core/anchor/anchor.h"
#include "core/base/value.h"
#include "core/scan/run-counts.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */

/* What is stored for a key. */
typedef struct
{
  KvsqlSlice key;          /* tuple-key.h */
  KvsqlAnchor anchor;      /* of a tuple that was never written by anchors: T = 0, and its record */
  const KvsqlValue *tuple; /* the current one; NULL: there is none */
  gint64 newest;           /* no cell of the key is newer */
} KvsqlCheckedTuple;

/* The anchors of a relation. */
typedef struct
{
  KvsqlStore *store;
  const KvsqlRelation *relation;
  guint64 relation_id; /* of the anchors */
  const KvsqlCall *call;
  KvsqlReadCounts *counts; /* nullable: reads are added here */
} KvsqlAnchorSource;

/* The key of the row of an anchor. */
KvsqlSlice kvsql_checked_tuple_row (guint64 relation_id, KvsqlSlice key, KvsqlArena *arena);

/* Reads the record of a tuple; an error if it is damaged. */
gboolean kvsql_checked_tuple_read_record (const KvsqlRelation *relation, KvsqlSlice record,
                                          KvsqlArena *arena, const KvsqlValue **out,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_checked_tuples_read:
 * @keys: (array length=n)
 * @out: (array length=n): borrows @keys. Without an anchor: T = 0 and no tuple
 *
 * Reads the anchors of the keys in one request. A tuple that is moving (checked-settle.h) is at its
 * old key here, even if the move has been decided.
 */
gboolean kvsql_checked_tuples_read (const KvsqlAnchorSource *self, const KvsqlSlice *keys, guint n,
                                    KvsqlArena *arena, KvsqlCheckedTuple *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The two halves of it: gets the rows of the anchors, one for each key; reads them. */
gboolean kvsql_checked_tuples_get (const KvsqlAnchorSource *self, const KvsqlSlice *keys, guint n,
                                   KvsqlArena *arena, KvsqlRows *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_checked_tuples_decode (const KvsqlAnchorSource *self, const KvsqlSlice *keys,
                                      const KvsqlRows *rows, KvsqlArena *arena,
                                      KvsqlCheckedTuple *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
