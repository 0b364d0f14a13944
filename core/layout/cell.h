/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.h: the cells of a tuple in one schema.
 *
 * attr_name[…] and attr_value[…] make one cell for each attribute that they do not list. Each of
 * these cells has a layout of its own: the name of the attribute is a constant, and its value is a
 * bare attribute. So later stages know nothing about the fan-out.
 *
 * map_key(m) and map_value(m) make one layout for any number of cells (map-cells.h).
 */
#pragma once

#include "core/layout/derived.h"
#include "core/sql/field.h"

G_BEGIN_DECLS

typedef struct _KvsqlDefineSchema KvsqlDefineSchema; /* core/sql/ast-definition.h */

typedef struct
{
  KvsqlSequence *fields[KVSQL_N_FIELDS];
  KvsqlAttributeSet attributes;  /* that a field holds */
  const KvsqlRelation *relation; /* for which it was compiled; a map adds two attributes */
  gint fan_attribute; /* the attribute of this cell; -1: none. If its value is NULL, the cell is
                         absent */
  gboolean is_map;    /* the cell is for one entry of the map @fan_attribute */
  gboolean is_marker; /* the cell only shows that the tuple exists */
  gboolean is_common[KVSQL_N_FIELDS]; /* the field has the same layout in all cells of the schema */
  KvsqlDerived *derived; /* nullable: work that remains after all fields were decoded */
} KvsqlCellLayout;

/**
 * kvsql_cell_layouts_compile:
 * @marker: (nullable): qualifier of the marker cell; data NULL for none
 * @marker_value: its value
 * @out_cells: (out) (array length=out_n_cells): in @arena, one or more
 *
 * Expands and compiles the fields of a schema. Checks each field by itself. Whether the cells can
 * be distinguished is checked by the definition proof.
 */
gboolean kvsql_cell_layouts_compile (const KvsqlDefineSchema *definition,
                                     const KvsqlRelation *relation, KvsqlSlice marker,
                                     KvsqlSlice marker_value, KvsqlArena *arena,
                                     KvsqlCellLayout **out_cells, guint *out_n_cells,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The number of columns of a batch into which these cells are decoded. */
guint kvsql_cell_layouts_count_columns (const KvsqlCellLayout *cells, guint n_cells);

/* Adds the attributes that the first @n_fields hold completely. */
void kvsql_cell_collect_held (const KvsqlCellLayout *self, guint n_fields, KvsqlAttributeSet *out);

/* The column, if it is the same in all tuples; else FALSE. The bytes live as long as @self. */
gboolean kvsql_cell_get_column (const KvsqlCellLayout *self, KvsqlSlice *out_family,
                                KvsqlSlice *out_qualifier);

G_END_DECLS
