/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-sum.h: sums of many DECIMAL values, without text for the intermediate sums.
 */
#pragma once

#include "core/base/decimal.h"

G_BEGIN_DECLS

typedef struct _KvsqlDecimalSum KvsqlDecimalSum;

KvsqlDecimalSum *kvsql_decimal_sum_new (void);
void kvsql_decimal_sum_free (KvsqlDecimalSum *self);                  /* accepts NULL */
void kvsql_decimal_sum_add (KvsqlDecimalSum *self, KvsqlSlice value); /* canonical */
/* Removes a value that was added. The sum keeps the digits after the point of all that were. */
void kvsql_decimal_sum_subtract (KvsqlDecimalSum *self, KvsqlSlice value);
void kvsql_decimal_sum_merge (KvsqlDecimalSum *self, const KvsqlDecimalSum *from);
/* Fails if the sum has too many digits. */
gboolean kvsql_decimal_sum_get (const KvsqlDecimalSum *self, KvsqlArena *arena, KvsqlSlice *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @sum / @count with as many digits as a quotient has in PostgreSQL, rounded half away from zero.
 */
gboolean kvsql_decimal_average (KvsqlSlice sum, gint64 count, KvsqlArena *arena, KvsqlSlice *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for a sum. The sum, and so its average, has as many digits after the point as the
 * values, even if they are zeros in the sum. */
gboolean kvsql_decimal_sum_get_average (const KvsqlDecimalSum *self, gint64 count,
                                        KvsqlArena *arena, KvsqlSlice *out,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlDecimalSum, kvsql_decimal_sum_free)

G_END_DECLS
