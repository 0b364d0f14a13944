/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix.h: values in the ascending form of Apache Phoenix's data types.
 *
 *   INT, BIGINT        INTEGER, BIGINT: 4 and 8 bytes with the sign bit inverted
 *   DATE, TIMESTAMP    DATE, TIME: milliseconds as BIGINT; a DATE is its midnight
 *   FLOAT, DOUBLE      FLOAT, DOUBLE: IEEE 754 changed to a sortable form, plus 1
 *   BOOLEAN            BOOLEAN: 1 or 0
 *   STRING, BYTES      VARCHAR, VARBINARY: their own bytes
 *   DECIMAL            DECIMAL: phoenix-decimal.c
 */
#pragma once

#include "core/layout/encoding/sorted.h"

G_BEGIN_DECLS

/* The limit of Phoenix's DECIMAL: it rounds more digits. */
#define KVSQL_PHOENIX_MAX_DIGITS 38
/* For a number 0.M * 100^E. Numbers that Phoenix writes are within these limits. */
#define KVSQL_PHOENIX_MIN_EXPONENT (-62)
#define KVSQL_PHOENIX_MAX_EXPONENT 61

/* FALSE if the form of @type has no fixed size (STRING, BYTES, DECIMAL). */
gboolean kvsql_phoenix_get_form (KvsqlType type, KvsqlSortedForm *out);
/* Accepts only bytes that the form would write. */
gboolean kvsql_phoenix_read (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out);

/* DECIMAL, from canonical text. A number that does not fit gets bytes that sort in its place, for
 * use as a bound. */
void kvsql_phoenix_decimal_append (KvsqlSlice text, KvsqlBuffer *out);
gboolean kvsql_phoenix_decimal_fits (KvsqlSlice text);
gboolean kvsql_phoenix_decimal_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
