/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix.h: values as Apache Phoenix's data types write them, ascending.
 *
 *   INT, BIGINT        INTEGER, BIGINT: 4 and 8 bytes with the sign bit inverted
 *   DATE, TIMESTAMP    DATE, TIME: milliseconds as BIGINT; a DATE is its midnight
 *   FLOAT, DOUBLE      FLOAT, DOUBLE: IEEE 754 turned so that it sorts, plus 1
 *   BOOLEAN            BOOLEAN: 1 or 0
 *   STRING, BYTES      VARCHAR, VARBINARY: themselves
 *   DECIMAL            DECIMAL: phoenix-decimal.c
 */
#pragma once

#include "core/layout/sorted.h"

G_BEGIN_DECLS

/* What Phoenix's DECIMAL keeps: more digits it would round. */
#define KVSQL_PHOENIX_MAX_DIGITS 38
/* The number being 0.M * 100^E; Phoenix's own numbers stay within. */
#define KVSQL_PHOENIX_MIN_EXPONENT (-62)
#define KVSQL_PHOENIX_MAX_EXPONENT 61

/* FALSE: @type has no form of one size (STRING, BYTES, DECIMAL). */
gboolean kvsql_phoenix_get_form (KvsqlType type, KvsqlSortedForm *out);
/* Only the bytes that the form would write. */
gboolean kvsql_phoenix_read (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out);

/* DECIMAL: canonical text. Numbers that do not fit get bytes that sort where they would, for use as
 * bounds. */
void kvsql_phoenix_decimal_append (KvsqlSlice text, KvsqlBuffer *out);
gboolean kvsql_phoenix_decimal_fits (KvsqlSlice text);
gboolean kvsql_phoenix_decimal_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
