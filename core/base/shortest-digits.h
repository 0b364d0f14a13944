/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shortest-digits.h: the shortest decimal digits of a real number.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_SHORTEST_DIGITS_MAX 20

/**
 * kvsql_shortest_digits:
 * @value: finite, not negative
 * @is_float: the number is read back as a float
 * @n_least: digits that are searched for at least: 1 or 2. With 2, 2e-323 has the digits of the
 *   number itself, 2.0, and not those of the shortest text of the same number
 * @digits: (out) (array): without the point, without zeros at the end
 * @exponent: (out): the power of ten of the first digit
 *
 * Returns: the number of digits, the fewest that read back as the same number.
 */
guint kvsql_shortest_digits (gdouble value, gboolean is_float, guint n_least,
                             gchar digits[KVSQL_SHORTEST_DIGITS_MAX], gint *exponent);

G_END_DECLS
