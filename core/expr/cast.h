/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cast.h: which type becomes which, and how.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

/* Without being asked, as PostgreSQL does it: INT to BIGINT to DECIMAL to FLOAT to DOUBLE, DATE to
 * TIMESTAMP. NULL becomes anything. */
gboolean kvsql_cast_is_implicit (KvsqlType from, KvsqlType to);
/* By CAST. */
gboolean kvsql_cast_is_possible (KvsqlType from, KvsqlType to);
/* By storing it (kvsql_value_convert(), and whole numbers as days or milliseconds). */
gboolean kvsql_cast_is_assignment (KvsqlType from, KvsqlType to);

/* CAST (value AS type); @value is not NULL and the cast possible. */
gboolean kvsql_cast_value (const KvsqlValue *value, KvsqlType type, KvsqlArena *arena,
                           KvsqlValue *out, GError **error);

/* The type that both become when they are compared or stand in branches of a CASE; FALSE if there
 * is none. */
gboolean kvsql_cast_common_type (KvsqlType a, KvsqlType b, KvsqlType *out);

/* An error unless a DATE (days) or TIMESTAMP (milliseconds) lies in the years 0001 to 9999. */
gboolean kvsql_cast_check_time (KvsqlType type, gint64 integer, GError **error);

G_END_DECLS
