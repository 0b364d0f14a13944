/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-text.h: whether texts are JSON documents, and what they have in common.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

/* Larger documents are not read: they count if they begin and end as JSON does. */
#define KVSQL_INFER_MAX_DOCUMENT (64 << 10)

/* NULL: not all of @values are JSON objects or arrays, or there is none. Else a sentence for a
 * comment, in @arena: the members that objects have. Empty values do not count. */
const gchar *kvsql_infer_describe_json (KvsqlArena *arena, const KvsqlSlice *values, guint n);

G_END_DECLS
