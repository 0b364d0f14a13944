/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sort.h: rows in the order of ORDER BY, in bounded memory.
 *
 * Rows with equal keys keep the order in which they came.
 */
#pragma once

#include "core/exec/row-key.h"
#include "core/exec/step.h"

G_BEGIN_DECLS

typedef struct
{
  gsize memory_bytes;
  const gchar *directory; /* nullable: the system's for temporary files */
  guint64 disk_bytes;     /* of temporary files; 0: none, an error instead */
} KvsqlSortLimits;

/**
 * kvsql_sort_new:
 * @input: (transfer full)
 * @types: (array length=n_types): of its columns
 * @parts: must outlive the step
 * @top: how many rows will be asked for at most; G_MAXUINT64: all
 */
KvsqlStep *kvsql_sort_new (KvsqlStep *input, const KvsqlType *types, guint n_types,
                           const KvsqlKeyPart *parts, guint n_parts, guint64 top,
                           const KvsqlSortLimits *limits);

G_END_DECLS
