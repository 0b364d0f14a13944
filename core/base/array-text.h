/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * array-text.h: PostgreSQL's text of an array, {a,"b c",NULL}, as a list.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

/* Whether a text of a list begins as an array of PostgreSQL; JSON arrays do not. */
gboolean kvsql_array_text_is_one (KvsqlSlice text);

/* @type: a list. @out: its canonical text, in @arena. Arrays of arrays are not lists. Errors:
 * 22P02, and those of the elements. */
gboolean kvsql_array_text_parse (KvsqlType type, KvsqlSlice text, KvsqlArena *arena,
                                 KvsqlSlice *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
