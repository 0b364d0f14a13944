/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix.h: a rule of Phoenix about the texts in a whole ROW.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* Sets is_never_empty in the elements of @row, a compiled ROW. Phoenix reads an empty VARCHAR or
 * VARBINARY as NULL. For trailing NULLs in a key, Phoenix leaves out the separators before them,
 * and it ends a NULL in descending order with 00 instead of FF. Where the elements would write
 * other bytes for '', they get no form for it: otherwise the table could have two rows with the
 * same primary key. */
void kvsql_phoenix_forbid_empty (const KvsqlSequence *row);

G_END_DECLS
