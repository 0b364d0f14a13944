/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.h: the cells a tuple becomes under one schema.
 *
 * attr_name[…] and attr_value[…] make one cell for each attribute they do not list. Each of
 * these cells is a layout of its own, with the attribute's name as a constant and its value as a
 * bare attribute: below this point nothing knows about fan-out.
 */
#pragma once

#include "core/layout/derived.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlSequence *fields[KVSQL_N_FIELDS];
  KvsqlAttributeSet attributes; /* that some field holds */
  gint fan_attribute; /* whose value this cell is for; -1: none. NULL there means no cell */
  gboolean is_marker; /* says only that the tuple exists */
  gboolean is_common[KVSQL_N_FIELDS]; /* the field is the same layout in all cells of the schema */
  KvsqlDerived *derived;              /* nullable: what is left to do when all fields are decoded */
} KvsqlCellLayout;

/**
 * kvsql_cell_layouts_compile:
 * @marker: (nullable): qualifier of the marker cell; data NULL for none
 * @out_cells: (out) (array length=out_n_cells): in @arena, one or more
 *
 * Expands and compiles the fields of a schema. Checks what can be seen field by field; whether the
 * cells can be told apart is the definition proof's question.
 */
gboolean kvsql_cell_layouts_compile (const KvsqlDefineSchema *definition,
                                     const KvsqlRelation *relation, KvsqlSlice marker,
                                     KvsqlArena *arena, KvsqlCellLayout **out_cells,
                                     guint *out_n_cells, GError **error);

/* The attributes that the first @n_fields hold as wholes, by themselves. */
void kvsql_cell_collect_held (const KvsqlCellLayout *self, guint n_fields, KvsqlAttributeSet *out);

/* Bytes of a field that is the same in every cell of this layout; FALSE if it varies. */
gboolean kvsql_sequence_get_constant (const KvsqlSequence *self, KvsqlArena *arena,
                                      KvsqlSlice *out);

G_END_DECLS
