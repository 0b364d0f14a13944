/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-names.h: the names that PostgreSQL gives to outputs without AS.
 *
 * The engine calls an expression by its text (docs/statements.md); PostgreSQL calls it "?column?",
 * or by its function, type or CASE. Clients and generated code know these names.
 */
#pragma once

#include "core/base/arena.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

/* The columns of the result of @sql with PostgreSQL's names; @columns itself, if they have them
 * already. Names are in @arena. */
const KvsqlResultColumn *kvsqld_pg_name_columns (KvsqlSlice sql, const KvsqlResultColumn *columns,
                                                 guint n_columns, KvsqlArena *arena);

G_END_DECLS
