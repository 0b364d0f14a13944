/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * undecodable-cells.h: counts cells that a scan reads and that fit no cell layout of its schema.
 *
 * They are no error, because tables are shared with other writers. A cell of another schema is
 * skipped silently. A cell that fits no schema is counted, and a few are described in samples. Only
 * a schema WITH (undecodable = fail) makes the statement fail.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_MAX_SAMPLES 3

typedef struct _KvsqlCell KvsqlCell;     /* core/store/row-types.h */
typedef struct _KvsqlSchema KvsqlSchema; /* core/catalog/schema.h */
typedef struct _KvsqlUndecodableCells KvsqlUndecodableCells;

/* @schema and its neighbours must outlive it. */
KvsqlUndecodableCells *kvsql_undecodable_cells_new (const KvsqlSchema *schema);
void kvsql_undecodable_cells_free (KvsqlUndecodableCells *self); /* accepts NULL */

/* FALSE if the statement has to fail. */
gboolean kvsql_undecodable_cells_add (KvsqlUndecodableCells *self, KvsqlSlice table, KvsqlSlice row,
                                      const KvsqlCell *cell,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The schema that a cell belongs to. */
typedef enum
{
  KVSQL_CELL_OWN,         /* the schema could have written it */
  KVSQL_CELL_OF_ANOTHER,  /* a neighbour could have */
  KVSQL_CELL_UNDECODABLE, /* the schema has such a column, but the cell does not fit */
  KVSQL_CELL_UNKNOWN,     /* no schema has such a column */
} KvsqlCellOwner;

KvsqlCellOwner kvsql_undecodable_cells_find_owner (KvsqlUndecodableCells *self, KvsqlSlice table,
                                                   KvsqlSlice row, const KvsqlCell *cell);
/* Whether the cell key fits @layout, a number in schema->cells. The value may be anything. */
gboolean kvsql_undecodable_cells_has_address (KvsqlUndecodableCells *self, guint layout,
                                              KvsqlSlice table, KvsqlSlice row,
                                              const KvsqlCell *cell);
/* table "…", row "…", column "…", value "…" (transfer full) */
gchar *kvsql_undecodable_cells_print_cell (KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell);
/* Describes an undecodable cell like a sample, with its value. (transfer full) */
gchar *kvsql_undecodable_cells_describe (KvsqlUndecodableCells *self, KvsqlSlice table,
                                         KvsqlSlice row, const KvsqlCell *cell);

/* The attributes that the cell holds under the schema, as a = 1, b = 'x'; NULL: it does not fit.
 * (transfer full) */
gchar *kvsql_undecodable_cells_print_attributes (KvsqlUndecodableCells *self, KvsqlSlice table,
                                                 KvsqlSlice row, const KvsqlCell *cell);

guint64 kvsql_undecodable_cells_get_count (const KvsqlUndecodableCells *self);
/* The first undecodable cells, each as: table "…", row "…", column "…": reason. */
const gchar *const *kvsql_undecodable_cells_get_samples (const KvsqlUndecodableCells *self,
                                                         guint *out_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlUndecodableCells, kvsql_undecodable_cells_free)

G_END_DECLS
