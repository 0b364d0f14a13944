/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sort.h: sorts rows for ORDER BY, in bounded memory.
 *
 * The sort is stable.
 */
#pragma once

#include "core/exec/row-key.h"
#include "core/exec/row-source.h"

G_BEGIN_DECLS

typedef struct
{
  gsize memory_bytes;
  const gchar *directory; /* nullable: the system's directory of temporary files */
  guint64 disk_bytes;     /* of temporary files; 0: none, KVSQL_ERROR_LIMIT instead */
} KvsqlSortLimits;

/**
 * kvsql_sort_new:
 * @input: (transfer full)
 * @types: (array length=n_types): of its columns
 * @parts: (array length=n_parts): copied
 * @top: the most rows that the caller will ask for; G_MAXUINT64: all
 */
KvsqlRowSource *kvsql_sort_new (KvsqlRowSource *input, const KvsqlType *types, guint n_types,
                                const KvsqlKeyPart *parts, guint n_parts, guint64 top,
                                const KvsqlSortLimits *limits);

G_END_DECLS
