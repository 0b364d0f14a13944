/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-build.h: the text of arrays and objects that are built value by value, with PostgreSQL's
 * blanks.
 */
#pragma once

#include "core/base/json.h"
#include "core/base/value.h"

G_BEGIN_DECLS

/* ", " before all values but the first; a line for each array or object, as json_agg() has it, if
 * @has_lines. */
void kvsql_json_build_element (const KvsqlValue *value, guint index, gboolean has_lines,
                               GString *out);
/* key : value. Errors: 22023 if the key is NULL, an array or an object. */
gboolean kvsql_json_build_member (const KvsqlValue *key, const KvsqlValue *value, guint index,
                                  GString *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
