/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scalar.h: a value as bare bytes, in the encoding of HBase's Bytes class.
 *
 * STRING its UTF-8, BYTES itself, BOOLEAN ff or 00, INT and DATE (days) 4 bytes and BIGINT and
 * TIMESTAMP (milliseconds) 8 bytes big-endian two's complement, FLOAT and DOUBLE IEEE 754
 * big-endian, DECIMAL as decimal.h says.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* -1: varies. */
gssize kvsql_scalar_get_size (KvsqlType type);
/* IEEE 754, of FLOAT in the lower half; all NaNs are one. */
guint64 kvsql_scalar_get_real_bits (KvsqlType type, gdouble real);
/* @value is of @type and not NULL. */
void kvsql_scalar_encode (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out);

/**
 * kvsql_scalar_decode:
 * @is_strict: accept only the bytes that kvsql_scalar_encode() would write
 * @out: (out): bytes borrowed from @bytes where they can be
 */
gboolean kvsql_scalar_decode (KvsqlType type, KvsqlSlice bytes, gboolean is_strict,
                              KvsqlArena *arena, KvsqlValue *out);

/* Whether kvsql_scalar_decode() would succeed. */
gboolean kvsql_scalar_check (KvsqlType type, KvsqlSlice bytes, gboolean is_strict,
                             KvsqlArena *arena);

/* The same as decode, into row @row of @column. */
gboolean kvsql_scalar_decode_into (KvsqlType type, KvsqlSlice bytes, gboolean is_strict,
                                   KvsqlArena *arena, KvsqlVector *column, guint row);

/* The values of @interval as a first and a last one of @type (INT, BIGINT, DATE, TIMESTAMP); FALSE
 * if there are none. */
gboolean kvsql_scalar_clip (KvsqlType type, const KvsqlInterval *interval, gint64 *out_low,
                            gint64 *out_high);

void kvsql_scalar_constrain (KvsqlType type, const KvsqlConstraint *constraint,
                             const KvsqlConstrainer *constrainer, KvsqlFollow follow,
                             KvsqlPieces *out);

G_END_DECLS
