/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix.h: a rule of Phoenix about the texts in a whole ROW; phoenix{…} around lists.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* Sets is_never_empty in the elements of @row, a compiled ROW. Phoenix reads an empty VARCHAR or
 * VARBINARY as NULL. For trailing NULLs in a key, Phoenix leaves out the separators before them,
 * and it ends a NULL in descending order with 00 instead of FF. Where the elements would write
 * other bytes for '', they get no form for it: otherwise the table could have two rows with the
 * same primary key. */
void kvsql_phoenix_forbid_empty (const KvsqlSequence *row);

/* The part of phoenix's compile() for an attribute that is a list. */
gboolean kvsql_phoenix_array_compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                      const KvsqlLayoutNode *node,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
