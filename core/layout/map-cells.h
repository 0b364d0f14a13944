/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-cells.h: map_key(m) and map_value(m): one cell for each entry of a map.
 *
 * The cell is compiled for a relation that has two attributes more: behind its own ones, the key of
 * an entry, a STRING, and its value, of the map's element type. To the elements these are
 * attributes like any other. Who encodes puts them behind the tuple, one entry after the other; who
 * decodes has a column for each.
 */
#pragma once

#include "core/schema/relation.h"

G_BEGIN_DECLS

/* How many attributes the entries of a map add, and which is which behind the relation's own. */
#define KVSQL_MAP_COLUMNS 2
#define KVSQL_MAP_KEY 0
#define KVSQL_MAP_VALUE 1

typedef struct
{
  const KvsqlRelation *relation;
  gint attribute;                  /* the map; -1: there is none */
  const KvsqlLayoutNode *key_node; /* the first of each, or NULL */
  const KvsqlLayoutNode *value_node;
} KvsqlMapCells;

/* Looks for them in all fields. Fails if one stands without the other, for something that is no
 * map, or for two maps. */
gboolean kvsql_map_cells_find (const KvsqlDefineSchema *definition, const KvsqlRelation *relation,
                               KvsqlMapCells *out, GError **error);
/* @relation with the two attributes, as long as @arena and @relation live. Not for
 * kvsql_relation_ref(). */
const KvsqlRelation *kvsql_map_cells_relation (const KvsqlMapCells *self, KvsqlArena *arena);
/* A copy of the layout in which they are those attributes. */
KvsqlLayoutSequence kvsql_map_cells_expand (const KvsqlMapCells *self,
                                            const KvsqlLayoutSequence *layout, KvsqlArena *arena);

G_END_DECLS
