/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema.h: a checked, compiled schema of a relation.
 *
 * Immutable and reference-counted; any thread may use it.
 */
#pragma once

#include "core/layout/cell.h"

G_BEGIN_DECLS

/* The use of a schema. */
typedef enum
{
  KVSQL_ROLE_ANY,
  KVSQL_ROLE_READ,   /* never written by kvsql: another program writes it */
  KVSQL_ROLE_WRITE,  /* never read, unless USING SCHEMA names it */
  KVSQL_ROLE_SHADOW, /* as WRITE; tuples that its layout cannot hold are not written to it */
} KvsqlSchemaRole;

/* The state of a schema that was added to a relation with tuples. It is part of the definition, so
 * that every daemon knows it: WITH (state = …). */
typedef enum
{
  KVSQL_STATE_READABLE,
  KVSQL_STATE_DELETING,   /* writes only delete cells of old tuples, as not every daemon writes to
                           * the schema yet */
  KVSQL_STATE_BUILDING,   /* written, but it may lack tuples */
  KVSQL_STATE_REBUILDING, /* as BUILDING, and its tables may have old cells of it */
} KvsqlSchemaState;

typedef struct
{
  KvsqlSchemaRole role;
  KvsqlSchemaState state;
  gboolean fails_undecodable; /* a cell that fits no layout is an error */
  gboolean create_tables;     /* default TRUE */
  const gchar *compression;   /* nullable, as the next two */
  const gchar *bloom;
  const gchar *block_encoding;
  gint versions; /* 0: not given */
  gint ttl_seconds;
  KvsqlSlice *splits;
  guint n_splits;
  KvsqlSlice marker;       /* data NULL: none */
  KvsqlSlice marker_value; /* empty if not given */
} KvsqlSchemaOptions;

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
  guint n_columns;          /* of a batch of decoded cells */
  gint map_attribute;       /* the map with a cell for each entry; -1: none */
  gint timestamp_attribute; /* the attribute that is the timestamp of the only cell; -1: none */
  KvsqlAttributeSet holds;  /* attributes that can be read from the schema */
  KvsqlAttributeSet cell_key_attributes; /* in TABLE, ROW, FAMILY or QUALIFIER */
  gboolean is_located_by_key;            /* only KEY attributes: the key determines all cell keys */
  gboolean is_row_local;                 /* all cells of a tuple are in one row of one table */
  gboolean is_row_whole;                 /* and no cells of other tuples are */
  gboolean has_constant_table;
  KvsqlSlice table;   /* if has_constant_table */
  guint n_restricted; /* elements whose values may not contain their separator */
  guint n_demands;    /* elements with another condition on their values */
  GPtrArray
      *neighbours; /* (element-type KvsqlSchema) in its catalog that may use the same tables */
};

/**
 * kvsql_schema_new:
 *
 * Compiles a definition and proves it: every attribute can be read back, no field can be split in
 * two ways, every KEY attribute is in the cell keys, the cells of a tuple are distinct. The error
 * has the position of the element and the reason, and for an ambiguity an example of two tuples
 * that would collide.
 */
KvsqlSchema *kvsql_schema_new (const KvsqlDefineSchema *definition, KvsqlRelation *relation,
                               GError **error);
/* The same schema for another catalog, in which it has other neighbours. */
KvsqlSchema *kvsql_schema_share (const KvsqlSchema *self);
/* During the construction of a catalog: makes the two neighbours if a table may hold cells of both.
 */
void kvsql_schema_add_neighbour (KvsqlSchema *self, KvsqlSchema *other);

/* Whether it is written and filled, so that it holds every tuple that kvsql has written. */
static inline gboolean
kvsql_schema_is_filled (const KvsqlSchema *self)
{
  return self->options.state == KVSQL_STATE_READABLE;
}

/* The definition with another state, or as it is if the thread was interrupted: the caller calls
 * kvsql_interrupt_check() before it commits the result. (transfer full) */
gchar *kvsql_schema_print_with_state (const KvsqlSchema *self, KvsqlSchemaState state);

/* Whether all cells of a tuple lie in one row of the store, so that a scan can resume after a
 * tuple. */
static inline gboolean
kvsql_schema_has_tuple_rows (const KvsqlSchema *self)
{
  return self->is_row_local || (self->n_cells == 1 && self->map_attribute < 0);
}

/* Whether the planner may choose it. */
static inline gboolean
kvsql_schema_is_readable (const KvsqlSchema *self)
{
  if (!kvsql_schema_is_filled (self))
    return FALSE;
  return self->options.role == KVSQL_ROLE_ANY || self->options.role == KVSQL_ROLE_READ;
}

const gchar *kvsql_schema_role_get_name (KvsqlSchemaRole role); /* "read and write", "read", … */

KvsqlSchema *kvsql_schema_ref (KvsqlSchema *self);
void kvsql_schema_unref (KvsqlSchema *self); /* accepts NULL */

/* Fails with an example if both are written and could write the same cell. @span: the position of
 * the error. */
gboolean kvsql_schema_check_disjoint (const KvsqlSchema *self, const KvsqlSchema *other,
                                      KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSchema, kvsql_schema_unref)

G_END_DECLS
