/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index.h: schemas that lack attributes, as indexes of the primary.
 *
 * A schema that lacks attributes of a query can find the tuples. The missing attributes are then
 * looked up in the primary by key, batch by batch (core/exec/index-lookup.h).
 */
#pragma once

#include "core/plan/access-path.h"
#include "core/store/capabilities.h"

G_BEGIN_DECLS

/**
 * kvsql_access_path_make_index:
 * @primary: the primary schema of the same relation
 *
 * Makes the access path of a @schema that lacks attributes of @needed. If the attributes of @schema
 * determine the cell keys of the primary, @out becomes usable, with the attributes to look up and
 * the predicate to check before the lookup. Else @out stays unusable.
 */
void kvsql_access_path_make_index (const KvsqlSchema *schema, const KvsqlSchema *primary,
                                   const KvsqlDnf *dnf, const KvsqlPredicate *predicate,
                                   const KvsqlAttributeSet *needed,
                                   const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                                   KvsqlAccessPath *out);

G_END_DECLS
