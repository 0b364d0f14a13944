/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * others-key.h: a column as the key of an entry in the map of OTHERS.
 *
 * The key is family:qualifier, as EXPLAIN prints a column: bytes that are not printable ASCII are
 * \xHH, with small letters, and a backslash is \\. A family contains no colon, so the first colon
 * ends it. Each column has exactly one key.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

/* In @arena. */
KvsqlSlice kvsql_others_key_print (KvsqlSlice family, KvsqlSlice qualifier, KvsqlArena *arena);

/* FALSE if it is not the key of a column. The bytes are in @arena. */
gboolean kvsql_others_key_parse (KvsqlSlice key, KvsqlArena *arena, KvsqlSlice *out_family,
                                 KvsqlSlice *out_qualifier);

G_END_DECLS
