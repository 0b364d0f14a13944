/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ordered.h: values in the ascending form of HBase's OrderedBytes, byte for byte.
 *
 * Bytes sort as values do (for exceptions with BYTES see ordered.c). NULL (05) sorts before all
 * values. The form of a value is never a prefix of the form of another value:
 *
 *   STRING              34, UTF-8, 00               INT, DATE           2b, 4 bytes
 *   BYTES               37, 7 bits a byte           BIGINT, TIMESTAMP   2c, 8 bytes
 *   BOOLEAN             29, 80 or 81 (an int8)      FLOAT, DOUBLE       30, 4 bytes; 31, 8 bytes
 *   DECIMAL             07 to 23: ordered-decimal.c
 *
 * Numbers of a fixed size have their sign bit inverted; in negative reals, all bits are inverted.
 * -0 and 0 have different forms.
 */
#pragma once

#include "core/layout/ranges/byte-ranges.h"
#include "core/layout/automata/nfa.h"

G_BEGIN_DECLS

/* The limits of HBase's DECIMAL: it rounds more digits, and corrupts larger numbers. */
#define KVSQL_ORDERED_MAX_DIGITS 31
#define KVSQL_ORDERED_MAX_EXPONENT 351 /* of the base 100 */

/* The size of each value of @type except NULL; -1: variable. */
gssize kvsql_ordered_get_size (KvsqlType type);

/* @value is NULL or of @type. A number that does not fit gets the bytes that it would have, for use
 * as a bound. */
void kvsql_ordered_encode (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out);

/* The length of the value at the start of @bytes; -1: there is none. The value need not be
 * decodable. */
gssize kvsql_ordered_get_length (KvsqlType type, KvsqlSlice bytes);

/**
 * kvsql_ordered_decode:
 * @out: (out): NULL or a value of @type; its bytes are borrowed from @bytes where possible
 *
 * Accepts only bytes that kvsql_ordered_encode() would write.
 */
gboolean kvsql_ordered_decode (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena,
                               KvsqlValue *out);

/* The byte ranges of a constraint. NULL is included only if @can_be_null. */
void kvsql_ordered_constrain (KvsqlType type, gboolean can_be_null,
                              const KvsqlConstraint *constraint,
                              const KvsqlConstrainer *constrainer, KvsqlByteRanges *out);

KvsqlNfaFragment kvsql_ordered_automaton (KvsqlType type, gboolean can_be_null, KvsqlNfa *nfa);

/* DECIMAL: canonical text. */
void kvsql_ordered_decimal_append (KvsqlSlice text, KvsqlBuffer *out);
gboolean kvsql_ordered_decimal_fits (KvsqlSlice text);
gssize kvsql_ordered_decimal_get_length (KvsqlSlice bytes);
gboolean kvsql_ordered_decimal_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
