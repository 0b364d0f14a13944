/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ordered.h: values in HBase's OrderedBytes, byte for byte, ascending.
 *
 * Bytes sort as values do (BYTES nearly: see ordered.c), NULL (05) before all of them, and no form
 * of a value begins another:
 *
 *   STRING              34, UTF-8, 00               INT, DATE           2b, 4 bytes
 *   BYTES               37, 7 bits a byte           BIGINT, TIMESTAMP   2c, 8 bytes
 *   BOOLEAN             29, 80 or 81 (an int8)      FLOAT, DOUBLE       30, 4 bytes; 31, 8 bytes
 *   DECIMAL             07 to 23: ordered-decimal.c
 *
 * Fixed numbers have their sign bit inverted; negative reals all bits. -0 stays apart from 0.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* What HBase's DECIMAL keeps: more digits it would round, larger numbers it would garble. */
#define KVSQL_ORDERED_MAX_DIGITS 31
#define KVSQL_ORDERED_MAX_EXPONENT 351 /* of 100 */

/* Of every value of @type that is not NULL; -1: varies. */
gssize kvsql_ordered_get_size (KvsqlType type);

/* @value is NULL or of @type. Numbers that do not fit get the bytes they would have, for use as
 * bounds. */
void kvsql_ordered_encode (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out);

/* Length of the value that @bytes begin with; -1: there is none. It may still not decode. */
gssize kvsql_ordered_get_length (KvsqlType type, KvsqlSlice bytes);

/**
 * kvsql_ordered_decode:
 * @out: (out): NULL or a value of @type; its bytes are borrowed from @bytes where they can be
 *
 * Only the bytes that kvsql_ordered_encode() would write.
 */
gboolean kvsql_ordered_decode (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena,
                               KvsqlValue *out);

/* Ranges of values; NULL only if @can_be_null. */
void kvsql_ordered_constrain (KvsqlType type, gboolean can_be_null,
                              const KvsqlConstraint *constraint,
                              const KvsqlConstrainer *constrainer, KvsqlPieces *out);

KvsqlNfaFragment kvsql_ordered_automaton (KvsqlType type, gboolean can_be_null, KvsqlNfa *nfa);

/* DECIMAL: canonical text. */
void kvsql_ordered_decimal_append (KvsqlSlice text, KvsqlBuffer *out);
gboolean kvsql_ordered_decimal_fits (KvsqlSlice text);
gssize kvsql_ordered_decimal_get_length (KvsqlSlice bytes);
gboolean kvsql_ordered_decimal_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
