/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-intent.h: a blind write as bytes, for the log of writes.
 *
 *   T (8 bytes), then for each tuple: 01 (it is put) or 00 (it is deleted; then all are), its
 * record (tuple-record.h) with the size as varint. The record of a tuple that is deleted has the
 * KEY.
 *
 * Attributes have their lasting ids, so any daemon can make the cells of the write under the
 * schemas of its own definitions.
 */
#pragma once

#include "core/base/slice.h"
#include "core/base/value.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */

typedef struct
{
  const KvsqlValue *const *tuples; /* (array length=n), by attribute */
  guint n;
  gboolean is_delete; /* of all of them; only the KEY matters */
  gint64 timestamp;   /* T: cells are put at T, or deleted at T - 1 */
} KvsqlBlindWrite;

/* Appends the tuples from *inout_next on, but no more than about @max_bytes; one in any case.
 * *inout_next is then the next one. */
void kvsql_blind_intent_append (const KvsqlRelation *relation, const KvsqlBlindWrite *write,
                                gsize max_bytes, guint *inout_next, KvsqlBuffer *out);

/* Bytes of values point into @intent, or live in @arena, as all the rest. FALSE: these bytes are no
 * intent of the relation. */
gboolean kvsql_blind_intent_read (const KvsqlRelation *relation, KvsqlSlice intent,
                                  KvsqlArena *arena,
                                  KvsqlBlindWrite *out) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
