/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-text.h: reals, decimal numbers and times as text of Apache Hive and Java.
 *
 * Whole numbers, truth values and dates are the same text in Hive and here.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

#define KVSQL_HIVE_MAX_SCALE 38

/* FLOAT, DOUBLE: Java's toString: 1.0, 1.5E10. TIMESTAMP: 2024-02-29 12:00:00.5. DECIMAL: with
 * @scale digits after the point. FALSE: it has more of them, and nothing is appended. */
gboolean kvsql_hive_append_text (const KvsqlValue *value, guint scale, GString *out);
/* Also other forms of the same value: those of other releases of Java and Hive. Times of less than
 * a millisecond have no value. */
gboolean kvsql_hive_parse_text (KvsqlType type, guint scale, KvsqlSlice text, KvsqlArena *arena,
                                KvsqlValue *out) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
