/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-cells.h: map_key(m) and map_value(m), for one cell for each entry of a map; and OTHERS, a map
 * of all cells that no line of CELLS names.
 *
 * The cell is compiled for a relation with more attributes after its own: for each map the key of
 * an entry, a STRING, and its value, of the element type of the map. For the elements, these are
 * ordinary attributes. For each entry in turn, an encoder puts the key and the value after the
 * values of the tuple. A decoder has a column for each of the two.
 *
 * An entry of OTHERS has its qualifier in place of a key, and one more column, its family: the key
 * is made of both (others-key.h). All three are BYTES.
 */
#pragma once

#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

G_BEGIN_DECLS

/* The attributes that entries of a map add, as offsets after its first one. */
#define KVSQL_MAP_KEY 0
#define KVSQL_MAP_VALUE 1
#define KVSQL_MAP_FAMILY 2 /* only of OTHERS */

typedef struct
{
  const KvsqlRelation *relation;
  gint attribute; /* the map; -1: none */
  KvsqlSpan span;
  const KvsqlLayoutNode *key_node; /* the first map_key and map_value, or NULL */
  const KvsqlLayoutNode *value_node;
  gboolean is_others;
  guint first_column; /* the first attribute that its entries add */
} KvsqlMapCells;

/* Searches the layouts of a cell for map_key and map_value. Fails if only one of them is used, if
 * their attribute is not a map, or if there are two maps.
 * @layouts: (array length=KVSQL_N_FIELDS) */
gboolean kvsql_map_cells_find (const KvsqlLayoutSequence *layouts, const KvsqlRelation *relation,
                               KvsqlMapCells *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* OTHERS = name */
gboolean kvsql_map_cells_find_others (const KvsqlName *name, const KvsqlRelation *relation,
                                      KvsqlMapCells *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_map_cells_add_columns:
 * @maps: (array length=n): all maps of a schema; their first_column is set
 *
 * Returns: @relation with the attributes of all entries; valid as long as @arena and @relation. Do
 *   not call kvsql_relation_ref() on it. @relation itself if @n is 0; %NULL if there are too many
 */
const KvsqlRelation *kvsql_map_cells_add_columns (KvsqlMapCells *const *maps, guint n,
                                                  const KvsqlRelation *relation, KvsqlArena *arena,
                                                  GError **error);

/* A copy of the layout with these attributes in place of map_key and map_value. */
KvsqlLayoutSequence kvsql_map_cells_expand (const KvsqlMapCells *self,
                                            const KvsqlLayoutSequence *layout, KvsqlArena *arena);
/* FAMILY, QUALIFIER or VALUE of OTHERS. */
KvsqlLayoutSequence kvsql_map_cells_others_layout (const KvsqlMapCells *self, KvsqlField field,
                                                   KvsqlArena *arena);

/* Whether the bytes can be the key of an entry: UTF-8 without NUL. */
gboolean kvsql_map_cells_is_key (KvsqlSlice key);

G_END_DECLS
