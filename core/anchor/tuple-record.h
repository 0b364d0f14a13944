/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-record.h: a whole tuple as bytes, for anchors.
 *
 * A record names its attributes by KvsqlAttribute.id, so a later definition of the relation can
 * read it: attributes that were added since are NULL, those that were dropped are skipped.
 *
 *   01, then for each attribute that is not NULL, in the order of the definition: its id
 * (varint.h), its type (1 byte, KvsqlType), the size of its value (varint), its value (scalar.h)
 */
#pragma once

#include "core/base/slice.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

/* @tuple: by attribute */
void kvsql_tuple_record_append (const KvsqlRelation *relation, const KvsqlValue *tuple,
                                KvsqlBuffer *out);

/* Reads a record into @out, by attribute. Bytes of values point into @record or live in @arena.
 * FALSE: these bytes are no record of the relation. */
gboolean kvsql_tuple_record_read (const KvsqlRelation *relation, KvsqlSlice record,
                                  KvsqlArena *arena, KvsqlValue *out) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
