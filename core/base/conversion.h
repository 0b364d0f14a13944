/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * conversion.h: the value of a text, and a value as another type.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

/**
 * kvsql_value_parse:
 * @text: UTF-8
 *
 * Parses the text form of @type, as written by kvsql_value_append_text(), and other forms that
 * PostgreSQL's input functions accept (blanks around numbers, 't', 'yes', 'NaN' …; a time zone of a
 * TIMESTAMP: Z or ±hh[:mm]). Never returns NULL.
 */
gboolean kvsql_value_parse (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_value_convert:
 *
 * Converts @value to @type as an assignment does: if only the representation changes, or by
 * PostgreSQL's assignment rules for numbers (fractions are rounded half away from zero; overflow is
 * an error). A STRING converts to every type by parsing. NULL stays NULL.
 */
gboolean kvsql_value_convert (const KvsqlValue *value, KvsqlType type, KvsqlArena *arena,
                              KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
