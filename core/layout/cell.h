/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.h: the cells of a tuple in one schema.
 *
 * A schema is one line or several: FAMILY, QUALIFIER and VALUE are one line, and CELLS lists them.
 * All lines have the same TABLE and ROW. A line is a cell, or several:
 *
 * - attr_name[…] and attr_value[…] make one cell for each attribute that they do not list. Each of
 *   these cells has a layout of its own: the name of the attribute is a constant, and its value is
 *   a bare attribute. So later stages know nothing about the fan-out.
 * - map_key(m) and map_value(m) make one layout for any number of cells (map-cells.h).
 * - OTHERS = m makes one for all cells that no other line names.
 * - each{…} makes one for a cell that several tuples share (each.h).
 */
#pragma once

#include "core/layout/derived.h"
#include "core/sql/field.h"

G_BEGIN_DECLS

typedef struct _KvsqlDefineSchema KvsqlDefineSchema; /* core/sql/ast-definition.h */
typedef struct _KvsqlEach KvsqlEach;                 /* each.h */

typedef struct
{
  KvsqlSequence *fields[KVSQL_N_FIELDS];
  KvsqlAttributeSet attributes;  /* that a field holds */
  const KvsqlRelation *relation; /* for which it was compiled; maps add attributes */
  guint line;                    /* of CELLS */
  KvsqlSpan span;                /* of its line; that of QUALIFIER without CELLS */
  KvsqlAttributeSet optional;    /* if all of them are NULL, the cell is absent; none: never */
  KvsqlAttributeSet own;         /* @optional, and what not every cell of the schema holds */
  gint fan_attribute; /* of attr_name: the attribute whose name is in the cell key; -1: none */
  gint map_attribute; /* the map for one entry of which the cell is; -1: none */
  guint first_column; /* of an entry: the first attribute that the map adds */
  gboolean is_others; /* the map has all cells that no other layout of the schema names */
  gboolean is_marker; /* the cell only shows that the tuple exists */
  gboolean is_common[KVSQL_N_FIELDS]; /* the field has the same layout in all cells of the schema */
  KvsqlDerived *derived; /* nullable: work that remains after all fields were decoded */
  KvsqlEach *each;       /* nullable: the cell holds several tuples; VALUE is that of one */
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

/* The columns of a batch into which these cells are decoded, as a relation. */
const KvsqlRelation *kvsql_cell_layouts_get_columns (const KvsqlCellLayout *cells, guint n_cells);

/* Whether a tuple has no such cell. */
gboolean kvsql_cell_is_absent (const KvsqlCellLayout *self, const KvsqlValue *tuple);
/* Whether all tuples have the cell. */
gboolean kvsql_cell_is_certain (const KvsqlCellLayout *self);

/* Whether family and qualifier are those of the layout. Decodes them. That of OTHERS takes all: the
 * caller asks kvsql_cell_layouts_have_name() first. */
gboolean kvsql_cell_decode_column (const KvsqlCellLayout *self, KvsqlSlice family,
                                   KvsqlSlice qualifier, KvsqlDecoder *decoder);
/* Whether a layout other than that of OTHERS has the column. */
gboolean kvsql_cell_layouts_have_name (const KvsqlCellLayout *cells, guint n_cells,
                                       KvsqlSlice family, KvsqlSlice qualifier,
                                       KvsqlDecoder *decoder);

/* Adds the attributes that the first @n_fields hold completely. */
void kvsql_cell_collect_held (const KvsqlCellLayout *self, guint n_fields, KvsqlAttributeSet *out);

/* The column, if it is the same in all tuples; else FALSE. The bytes live as long as @self. */
gboolean kvsql_cell_get_column (const KvsqlCellLayout *self, KvsqlSlice *out_family,
                                KvsqlSlice *out_qualifier);

G_END_DECLS
