/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fan-cells.h: attr_name[…] and attr_value[…], for one cell for each attribute that is not listed.
 */
#pragma once

#include "core/schema/attribute-set.h"
#include "core/sql/ast-definition.h"

G_BEGIN_DECLS

typedef struct _KvsqlAttribute KvsqlAttribute; /* core/schema/relation.h */
typedef struct _KvsqlRelation KvsqlRelation;

typedef struct
{
  const KvsqlRelation *relation;
  const KvsqlLayoutNode *name_node; /* the first attr_name and the first attr_value, or NULL */
  const KvsqlLayoutNode *value_node;
  KvsqlAttributeSet listed;
} KvsqlFanCells;

/* Notes what the layout has of attr_name and attr_value. All of them must list the same attributes.
 */
gboolean kvsql_fan_cells_find (KvsqlFanCells *self, const KvsqlLayoutSequence *layout,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* After all layouts of a cell: fails if only one of the two is used, or if no attribute is left. */
gboolean kvsql_fan_cells_check (const KvsqlFanCells *self,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the layout has one of them. */
gboolean kvsql_fan_cells_are_in (const KvsqlLayoutSequence *layout);
/* A copy of the layout for the cell of @attribute. */
KvsqlLayoutSequence kvsql_fan_cells_expand (const KvsqlLayoutSequence *layout,
                                            const KvsqlAttribute *attribute, KvsqlArena *arena);

G_END_DECLS
