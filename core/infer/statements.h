/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.h: the statements that define one way to read a table.
 */
#pragma once

#include "core/infer/cells.h"
#include "core/infer/inferred-definition.h"

G_BEGIN_DECLS

/* What all statements of a table have in common. */
typedef struct
{
  const gchar *table; /* the layout of the field TABLE */
  const gchar *name;  /* of the first relation */
  const KvsqlRows *rows;
  const GPtrArray *families; /* (element-type KvsqlInferFamily) */
  KvsqlArena *arena;
} KvsqlInferContext;

/* @cells: those of each relation, at least one. (transfer full) */
KvsqlInferredDefinition *kvsql_infer_write_statements (const KvsqlInferContext *context,
                                                       const KvsqlInferLayout *row,
                                                       const KvsqlInferCells *const *cells,
                                                       guint n);

G_END_DECLS
