/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-cells.h: map_key(m) and map_value(m), for one cell for each entry of a map.
 *
 * The cell is compiled for a relation with two more attributes after its own: the key of an entry,
 * a STRING, and its value, of the element type of the map. For the elements, these are ordinary
 * attributes. For each entry in turn, an encoder puts the key and the value after the values of the
 * tuple. A decoder has a column for each of the two.
 */
#pragma once

#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

G_BEGIN_DECLS

/* The number of attributes that entries of a map add, and their offsets after the attributes of the
 * relation. */
#define KVSQL_MAP_COLUMNS 2
#define KVSQL_MAP_KEY 0
#define KVSQL_MAP_VALUE 1

typedef struct
{
  const KvsqlRelation *relation;
  gint attribute;                  /* the map; -1: none */
  const KvsqlLayoutNode *key_node; /* the first map_key and map_value, or NULL */
  const KvsqlLayoutNode *value_node;
} KvsqlMapCells;

/* Searches all fields for map_key and map_value. Fails if only one of them is used, if their
 * attribute is not a map, or if there are two maps. */
gboolean kvsql_map_cells_find (const KvsqlDefineSchema *definition, const KvsqlRelation *relation,
                               KvsqlMapCells *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @relation with the two attributes; valid as long as @arena and @relation. Do not call
 * kvsql_relation_ref() on it. */
const KvsqlRelation *kvsql_map_cells_relation (const KvsqlMapCells *self, KvsqlArena *arena);
/* A copy of the layout with these attributes in place of map_key and map_value. */
KvsqlLayoutSequence kvsql_map_cells_expand (const KvsqlMapCells *self,
                                            const KvsqlLayoutSequence *layout, KvsqlArena *arena);

G_END_DECLS
