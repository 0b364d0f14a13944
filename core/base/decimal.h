/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal.h: exact decimal numbers as canonical text.
 *
 * A DECIMAL value is text of the form -?digits(.digits)?, without redundant leading or trailing
 * zeros ("0", "-12.5", never "-0", "1.50" or "+1"), so equal numbers are equal bytes. It has at
 * most KVSQL_DECIMAL_MAX_DIGITS digits. Arithmetic uses integers with a scale.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_DECIMAL_MAX_DIGITS 1000

/* Parses digits, sign, point and exponent ("1e-3"). Returns canonical text in @arena. */
gboolean kvsql_decimal_parse (KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gint kvsql_decimal_compare (KvsqlSlice a, KvsqlSlice b); /* both canonical */
gdouble kvsql_decimal_to_double (KvsqlSlice self);
/* Rounds half away from zero; FALSE if it does not fit. @out_exact may be NULL. */
gboolean kvsql_decimal_to_int64 (KvsqlSlice self, gint64 *out, gboolean *out_exact);

KvsqlSlice kvsql_decimal_from_int64 (gint64 value, KvsqlArena *arena);

/* Arithmetic on canonical numbers. Sums, differences and products are exact, and fail beyond
 * KVSQL_DECIMAL_MAX_DIGITS. A quotient has as many digits as in PostgreSQL: at least 16 significant
 * ones, rounded half away from zero. A remainder has the sign of @a. */
gboolean kvsql_decimal_add (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_subtract (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_multiply (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_divide (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The square root of a / b, which is not negative, with as many digits after the point as a / b. */
gboolean kvsql_decimal_divide_root (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_modulo (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
KvsqlSlice kvsql_decimal_negate (KvsqlSlice self, KvsqlArena *arena);
/* Fails for a negative number. */
gboolean kvsql_decimal_sqrt (KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The results have as many digits as in PostgreSQL, rounded half away from zero; a smaller result
 * is 0. They fail for arguments without a result, and beyond KVSQL_DECIMAL_MAX_DIGITS. */
gboolean kvsql_decimal_exp (KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_ln (KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_log (KvsqlSlice base, KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decimal_power (KvsqlSlice base, KvsqlSlice exponent, KvsqlArena *arena,
                              KvsqlSlice *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef enum
{
  KVSQL_ROUND_HALF_UP, /* half away from zero */
  KVSQL_ROUND_TRUNCATE,
  KVSQL_ROUND_FLOOR,
  KVSQL_ROUND_CEILING,
} KvsqlRounding;

/* Rounds to @places digits after the point; before the point if negative. */
gboolean kvsql_decimal_round (KvsqlSlice self, gint64 places, KvsqlRounding rounding,
                              KvsqlArena *arena, KvsqlSlice *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* HBase's Bytes.toBytes(BigDecimal): scale as 4 bytes big-endian, then the unscaled
 * integer as minimal two's complement, big-endian. */
void kvsql_decimal_append_bytes (KvsqlSlice self, KvsqlBuffer *out);
gboolean kvsql_decimal_from_bytes (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
