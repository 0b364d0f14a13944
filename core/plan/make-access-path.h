/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * make-access-path.h: the access path of a predicate in one schema.
 */
#pragma once

#include "core/plan/access-path.h"

G_BEGIN_DECLS

/* @needed: the attributes of the query. Without one of them, the path is not usable. */
void kvsql_access_path_make (const KvsqlSchema *schema, const KvsqlDnf *dnf,
                             const KvsqlAttributeSet *needed,
                             const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                             KvsqlAccessPath *out);

G_END_DECLS
