/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-members.h: the members of JSON documents as attributes.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

/* A layout json('$.name'){…}:…:json('$'){…} with the members that documents have in common. FALSE:
 * not all of @values are JSON objects, or they have nothing in common. Sets no bits. */
gboolean kvsql_infer_json_members (KvsqlArena *arena, const KvsqlSlice *values, guint n,
                                   KvsqlInferLayout *out);

G_END_DECLS
