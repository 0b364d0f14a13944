/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verified-tuples.h: compares tuples that a scan has found with their anchors (core/anchor), for
 * SELECT … WITH VERIFIED.
 *
 * A schema may have a tuple that is not current any more: a write is decided by the anchor of its
 * key, and the cells follow. What is returned here was current at some moment between the scan and
 * the end of the call:
 *
 * - The anchor has the current tuple, whole, also while its write is pending: it is decided.
 * - The anchor says that there is no tuple.
 * - A tuple that is moving to another key (core/write/checked-settle.h) is at its old key until the
 *   anchor of the new key decides the move. So that anchor is read, too, and the first one again:
 *   if it is still the same, the tuple had its old key when the other one was read. If the move is
 *   decided, the old key has no tuple. The scan may have passed the place of the new key before
 *   its cells were put. So until the move is finished (after the end of a daemon: by its recovery),
 *   a reader may find such a tuple at neither key. It never finds it at both, unless it is moved
 *   during the scan.
 * - A key without an anchor was never written by this protocol, and its tuple is that in the
 *   primary schema. Anchors are never removed. So if the scan has read the primary, and there is no
 *   anchor after that, the tuple was current then. Otherwise the primary is read now, and then the
 *   anchors again, as a first write may have been decided in between.
 *
 * A reader writes nothing, and finishes no write that it finds. So a tuple that was returned by its
 * anchor may be missed by the next reader, which looks where its cells are not yet put, until the
 * write is acknowledged or recovered.
 */
#pragma once

#include "core/scan/run-counts.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalogEntry KvsqlCatalogEntry; /* core/catalog/catalog.h */
typedef struct _KvsqlSchema KvsqlSchema;             /* core/catalog/schema.h */

typedef struct
{
  KvsqlStore *store;
  const KvsqlCatalogEntry *entry;   /* its relation has anchors */
  const KvsqlSchema *schema;        /* that was scanned */
  const KvsqlAttributeSet *scanned; /* the attributes that scanned tuples have; all of the KEY */
  KvsqlReadCounts *counts;          /* anchors that are read are added here */
} KvsqlVerifier;

/**
 * kvsql_verified_tuples_read:
 * @scanned: (array length=n): by attribute
 * @out: (array length=n): the current tuple of the same key, or NULL: there is none; lives as long
 *   as @arena and @scanned. It is scanned[i] itself, or it has all attributes.
 */
gboolean kvsql_verified_tuples_read (const KvsqlVerifier *self, const KvsqlCall *call,
                                     const KvsqlValue *const *scanned, guint n, KvsqlArena *arena,
                                     const KvsqlValue **out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
