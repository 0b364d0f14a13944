/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scalar.h: a value as bare bytes, in the encoding of HBase's Bytes class.
 *
 * STRING: its UTF-8. BYTES: its own bytes. BOOLEAN: ff or 00. INT, DATE (days) and TIME
 * (milliseconds): 4 bytes big-endian two's complement; BIGINT and TIMESTAMP (milliseconds): 8
 * bytes. FLOAT and DOUBLE: IEEE 754 big-endian. DECIMAL: see decimal.h. UUID: its 16 bytes. JSON
 * and JSONB: their text.
 */
#pragma once

#include "core/base/vector.h"
#include "core/layout/ranges/byte-ranges.h"

G_BEGIN_DECLS

/* -1: variable. */
gssize kvsql_scalar_get_size (KvsqlType type);
/* The IEEE 754 bits, those of FLOAT in the lower half. All NaNs give the same bits. */
guint64 kvsql_scalar_get_real_bits (KvsqlType type, gdouble real);
/* @value is of @type and not NULL. */
void kvsql_scalar_encode (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out);

/**
 * kvsql_scalar_decode:
 * @is_strict: accept only bytes that kvsql_scalar_encode() would write
 * @out: (out): bytes are borrowed from @bytes where possible
 */
gboolean kvsql_scalar_decode (KvsqlType type, KvsqlSlice bytes, gboolean is_strict,
                              KvsqlArena *arena, KvsqlValue *out);

/* Whether kvsql_scalar_decode() would succeed. */
gboolean kvsql_scalar_check (KvsqlType type, KvsqlSlice bytes, gboolean is_strict,
                             KvsqlArena *arena);

/* The same as kvsql_scalar_decode(), into row @row of @column. */
gboolean kvsql_scalar_decode_into (KvsqlType type, KvsqlSlice bytes, gboolean is_strict,
                                   KvsqlArena *arena, KvsqlVector *column, guint row);

/* The first and the last value of @type (of KVSQL_CLASS_INTEGER) in @interval; FALSE if there
 * are none. */
gboolean kvsql_scalar_clip (KvsqlType type, const KvsqlInterval *interval, gint64 *out_low,
                            gint64 *out_high);

void kvsql_scalar_constrain (KvsqlType type, const KvsqlConstraint *constraint,
                             const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                             KvsqlByteRanges *out);

G_END_DECLS
