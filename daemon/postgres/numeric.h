/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * numeric.h: numbers in the binary format of PostgreSQL's numeric.
 *
 * The format is: the number of digits to base 10,000, the weight of the first digit, the sign, the
 * number of decimal places, each a 16-bit number; then the digits, 16 bits each.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

/* @text: a canonical DECIMAL (core/base/decimal.h) */
void kvsqld_pg_numeric_write (KvsqlSlice text, KvsqlBuffer *out);

/* Reads the format as text for kvsql_decimal_parse(), in @arena. Errors: %KVSQL_ERROR_VALUE, also
 * for NaN and infinity. */
gboolean kvsqld_pg_numeric_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
