/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definition.h: relations and schemas for sampled cells.
 */
#pragma once

#include "core/infer/inferred-definition.h"

G_BEGIN_DECLS

/**
 * kvsql_infer_definitions:
 * @table: the layout of the field TABLE, a literal
 * @name: of the relation
 * @rows: at least one
 *
 * Returns: (transfer full) (element-type KvsqlInferredDefinition): a few, the shortest first; none
 *   if no layout was found. It is not known whether they are possible and how many cells fit.
 */
GPtrArray *kvsql_infer_definitions (const gchar *table, const gchar *name, const KvsqlRows *rows);

G_END_DECLS
