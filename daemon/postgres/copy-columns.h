/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy-columns.h: the columns that an option of COPY names.
 */
#pragma once

#include "core/sql/ast-copy.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

/**
 * kvsqld_pg_copy_find_columns:
 * @listed: of an option
 * @out: as many as @columns: whether each of them is listed
 *
 * Fails with PostgreSQL's error if one of them is no column.
 */
gboolean kvsqld_pg_copy_find_columns (const KvsqlCopy *copy, const KvsqlCopyColumns *listed,
                                      const gchar *option, const KvsqlResultColumn *columns,
                                      guint n_columns, gboolean *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name of the relation; those of the listed attributes, in @arena. */
const gchar *kvsqld_pg_copy_get_relation (const KvsqlCopy *copy);
const gchar **kvsqld_pg_copy_get_attributes (const KvsqlCopy *copy, KvsqlArena *arena);

G_END_DECLS
