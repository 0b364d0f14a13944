/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cast.h: conversions between types.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

/* Implicit conversions are those of PostgreSQL: INT to BIGINT to DECIMAL to FLOAT to DOUBLE, DATE
 * to TIMESTAMP. NULL converts to every type. */
gboolean kvsql_cast_is_implicit (KvsqlType from, KvsqlType to);
/* Whether CAST can convert. */
gboolean kvsql_cast_is_possible (KvsqlType from, KvsqlType to);
/* Whether an assignment converts (kvsql_value_convert(), and whole numbers as days or
 * milliseconds). */
gboolean kvsql_cast_is_assignment (KvsqlType from, KvsqlType to);

/* CAST (value AS type); @value is not NULL and the cast possible. */
gboolean kvsql_cast_value (const KvsqlValue *value, KvsqlType type, KvsqlArena *arena,
                           KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The common type for a comparison, or for branches of a CASE. FALSE if there is none. */
gboolean kvsql_cast_common_type (KvsqlType a, KvsqlType b, KvsqlType *out);

/* An error unless values of the type have an equality, or an order if @needs_order: JSON has
 * neither, as in PostgreSQL. */
gboolean kvsql_cast_check_comparable (KvsqlType type, gboolean needs_order, KvsqlSpan span,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
#define KVSQL_CAST_JSON_HINT                                                                       \
  "JSON is text: CAST it to JSONB, or take a part of it as text with ->>."

/* An error unless @type, a kvsql_type_is_time(), has this number of days or milliseconds. */
gboolean kvsql_cast_check_time (KvsqlType type, gint64 integer,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
