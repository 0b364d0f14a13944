/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-key.h: the key of a tuple as bytes and as text.
 */
#pragma once

#include "core/base/slice.h"
#include "core/base/value.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */

/* Appends the values of the key attributes as bytes that are unique to this key. They are the keys
 * of stored anchors (core/anchor), too, so the format cannot change. */
void kvsql_tuple_append_key (const KvsqlRelation *relation, const KvsqlValue *tuple,
                             KvsqlBuffer *out);
/* The same bytes, in @arena. */
KvsqlSlice kvsql_tuple_make_key (const KvsqlRelation *relation, const KvsqlValue *tuple,
                                 KvsqlArena *arena);
/* As text: a = 1, b = 'x'. (transfer full) */
gchar *kvsql_tuple_print_key (const KvsqlRelation *relation, const KvsqlValue *tuple);

gboolean kvsql_tuple_has_same_key (const KvsqlRelation *relation, const KvsqlValue *a,
                                   const KvsqlValue *b);

/* KVSQL_ERROR_DUPLICATE_KEY: a tuple has the key of @tuple already. Returns: %FALSE */
gboolean kvsql_tuple_fail_duplicate (const KvsqlRelation *relation, const KvsqlValue *tuple,
                                     KvsqlSpan span, GError **error);

G_END_DECLS
