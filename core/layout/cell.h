/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.h: the cells a tuple becomes under one schema.
 *
 * attr_name[…] and attr_value[…] make one cell for each attribute they do not list. Each of
 * these cells is a layout of its own, with the attribute's name as a constant and its value as a
 * bare attribute: below this point nothing knows about fan-out.
 *
 * map_key(m) and map_value(m) make one layout that stands for any number of cells (map-cells.h).
 */
#pragma once

#include "core/layout/derived.h"
#include "core/layout/map-cells.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlSequence *fields[KVSQL_N_FIELDS];
  KvsqlAttributeSet attributes;  /* that some field holds */
  const KvsqlRelation *relation; /* what it was compiled for; a map's entries add to it */
  gint fan_attribute; /* whose value this cell is for; -1: none. NULL there means no cell */
  gboolean is_map;    /* and the cell is for one entry of that value */
  gboolean is_marker; /* says only that the tuple exists */
  gboolean is_common[KVSQL_N_FIELDS]; /* the field is the same layout in all cells of the schema */
  KvsqlDerived *derived;              /* nullable: what is left to do when all fields are decoded */
} KvsqlCellLayout;

/**
 * kvsql_cell_layouts_compile:
 * @marker: (nullable): qualifier of the marker cell; data NULL for none
 * @marker_value: its value
 * @out_cells: (out) (array length=out_n_cells): in @arena, one or more
 *
 * Expands and compiles the fields of a schema. Checks what can be seen field by field; whether the
 * cells can be told apart is the definition proof's question.
 */
gboolean kvsql_cell_layouts_compile (const KvsqlDefineSchema *definition,
                                     const KvsqlRelation *relation, KvsqlSlice marker,
                                     KvsqlSlice marker_value, KvsqlArena *arena,
                                     KvsqlCellLayout **out_cells, guint *out_n_cells,
                                     GError **error);

/* How many columns a batch needs that cells of these layouts are decoded into. */
guint kvsql_cell_layouts_count_columns (const KvsqlCellLayout *cells, guint n_cells);

/* The attributes that the first @n_fields hold as wholes, by themselves. */
void kvsql_cell_collect_held (const KvsqlCellLayout *self, guint n_fields, KvsqlAttributeSet *out);

/* Bytes of a field that is the same in every cell of this layout; FALSE if it varies. */
gboolean kvsql_sequence_get_constant (const KvsqlSequence *self, KvsqlArena *arena,
                                      KvsqlSlice *out);

G_END_DECLS
