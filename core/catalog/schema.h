/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema.h: a checked, compiled schema of a relation.
 *
 * Immutable and reference-counted; any thread may use it.
 */
#pragma once

#include "core/catalog/options.h"
#include "core/layout/cell.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

typedef struct _KvsqlSchema KvsqlSchema;
struct _KvsqlSchema
{
  KvsqlArena *arena;
  KvsqlSchema *origin; /* nullable: owns the arena, which is shared */
  KvsqlRelation *relation;
  const gchar *name;
  gboolean is_quoted;
  gboolean is_primary;
  const gchar *comment; /* nullable */
  const gchar *text;    /* canonical definition */
  KvsqlSchemaOptions options;

  KvsqlCellLayout *cells;
  guint n_cells;
  gboolean has_lines;           /* of CELLS, in place of FAMILY, QUALIFIER and VALUE */
  const KvsqlRelation *columns; /* of a batch of decoded cells: those of the relation, then those
                                   of entries of maps */
  guint n_columns;
  KvsqlAttributeSet map_attributes; /* maps with a cell for each entry */
  gint timestamp_attribute; /* the attribute that is the timestamp of the only cell; -1: none */
  KvsqlAttributeSet holds;  /* attributes that can be read from the schema */
  KvsqlAttributeSet cell_key_attributes; /* in TABLE, ROW, FAMILY or QUALIFIER */
  gboolean is_located_by_key;            /* only KEY attributes: the key determines all cell keys */
  gboolean is_row_local;                 /* all cells of a tuple are in one row of one table */
  gboolean is_row_whole;                 /* and no cells of other tuples are */
  gboolean has_constant_table;
  KvsqlSlice table;   /* if has_constant_table */
  const gchar *loss;  /* nullable: what other programs have in its cells, and a write drops */
  guint n_restricted; /* elements whose values may not contain their separator */
  guint n_demands;    /* elements with another condition on their values */
  GPtrArray
      *neighbours; /* (element-type KvsqlSchema) in its catalog that may use the same tables */
};

/* A schema without a definition, for kvsql_schema_new() (compile-schema.h). */
KvsqlSchema *kvsql_schema_new_empty (KvsqlRelation *relation);
/* The same schema for another catalog, in which it has other neighbours. */
KvsqlSchema *kvsql_schema_share (const KvsqlSchema *self);
/* During the construction of a catalog: makes the two neighbours if a table may hold cells of both.
 */
void kvsql_schema_add_neighbour (KvsqlSchema *self, KvsqlSchema *other);

/* Whether a table of that name may have cells of this schema. */
gboolean kvsql_schema_may_use_table (const KvsqlSchema *self, KvsqlSlice table);

/* Whether it is written and filled, so that it holds every tuple that kvsql has written. */
static inline gboolean
kvsql_schema_is_filled (const KvsqlSchema *self)
{
  return self->options.state == KVSQL_STATE_READABLE;
}

/* The definition with another state, or as it is if the thread was interrupted: the caller calls
 * kvsql_interrupt_check() before it commits the result. (transfer full) */
gchar *kvsql_schema_print_with_state (const KvsqlSchema *self, KvsqlSchemaState state);

/* Whether a tuple is one cell. */
static inline gboolean
kvsql_schema_has_one_cell (const KvsqlSchema *self)
{
  return self->n_cells == 1 && self->cells[0].map_attribute < 0;
}

/* Whether all cells of a tuple lie in one row of the store, so that a scan can resume after a
 * tuple. */
static inline gboolean
kvsql_schema_has_tuple_rows (const KvsqlSchema *self)
{
  return self->is_row_local || kvsql_schema_has_one_cell (self);
}

/* Whether the planner may choose it. */
static inline gboolean
kvsql_schema_is_readable (const KvsqlSchema *self)
{
  if (!kvsql_schema_is_filled (self))
    return FALSE;
  return self->options.role == KVSQL_ROLE_ANY || self->options.role == KVSQL_ROLE_READ;
}

KvsqlSchema *kvsql_schema_ref (KvsqlSchema *self);
void kvsql_schema_unref (KvsqlSchema *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSchema, kvsql_schema_unref)

G_END_DECLS
