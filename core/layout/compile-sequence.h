/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compile-sequence.h: makes sequences from the AST of a layout.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

typedef struct _KvsqlLayoutSequence KvsqlLayoutSequence; /* core/sql/ast-definition.h */

KvsqlSequence *kvsql_sequence_compile (KvsqlLayoutCompiler *compiler,
                                       const KvsqlLayoutSequence *layout, GError **error);
/* A part of a compiled sequence, with the same elements. */
KvsqlSequence *kvsql_sequence_cut (const KvsqlSequence *self, guint from, guint n,
                                   KvsqlArena *arena);

G_END_DECLS
