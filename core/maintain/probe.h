/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * probe.h: examines the first cells in the tables of a schema.
 *
 * For DEFINE SCHEMA: which of the cells that exist already belong to the new schema? Nothing is
 * written. A table or family that does not exist counts as empty.
 */
#pragma once

#include "core/catalog/schema.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 max_rows;         /* stop after this many rows, or … */
  guint64 max_cells;        /* … this many cells; a row is always read to its end */
  gboolean has_all_columns; /* read also columns that the schema does not have */
  gboolean stops_at_own;    /* stop after the first row with a cell of the schema */
  gboolean is_outside;      /* reads the rows outside the key range of the schema, and outside those
                               of its neighbours that have a bound; only of a constant TABLE */
} KvsqlProbeLimits;

typedef struct
{
  guint64 n_rows; /* read */
  guint64 n_cells;
  guint64 n_own_rows; /* with at least one cell of the schema */
  guint64 n_own_cells;
  guint64 n_other_rows;  /* all their cells are of other schemas */
  guint64 n_undecodable; /* cells in a column of the schema that do not fit */
  gboolean has_more;     /* there are rows that were not read */
  gchar *sample; /* nullable: an undecodable cell with its value and the reason, or else a cell of
                    an unknown column */
  gboolean is_undecodable; /* @sample is undecodable */
} KvsqlProbe;

void kvsql_probe_clear (KvsqlProbe *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlProbe, kvsql_probe_clear)

/**
 * kvsql_probe_run:
 * @schema: schemas that may share its tables are its neighbours; they are known only after the
 *   schema was added to a catalog
 * @out: (out): zeros on failure
 */
gboolean kvsql_probe_run (KvsqlStore *store, const KvsqlSchema *schema,
                          const KvsqlProbeLimits *limits, const KvsqlCall *call, KvsqlProbe *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_probe_find_cell:
 * @layout: a number in schema->cells
 * @out_cell: (out) (nullable) (transfer full): a cell whose cell key fits @layout, as
 *   kvsql_undecodable_cells_print_cell() prints it; its value may be anything
 *
 * Reads rows until it finds one. If the column is a constant, reads only rows that have it.
 */
gboolean kvsql_probe_find_cell (KvsqlStore *store, const KvsqlSchema *schema, guint layout,
                                const KvsqlCall *call, gchar **out_cell,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
