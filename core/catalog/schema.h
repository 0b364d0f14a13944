/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema.h: a checked, compiled schema of a relation.
 *
 * Immutable and reference-counted; any thread may use it.
 */
#pragma once

#include "core/layout/cell.h"

G_BEGIN_DECLS

/* What a schema is used for. */
typedef enum
{
  KVSQL_ROLE_ANY,
  KVSQL_ROLE_READ,   /* never written: somebody else does that */
  KVSQL_ROLE_WRITE,  /* never read, unless USING SCHEMA names it */
  KVSQL_ROLE_SHADOW, /* as WRITE; and a tuple that its layout cannot hold is left out there */
} KvsqlSchemaRole;

/* How far a schema is that was added to a relation with tuples. It is part of the definition, so
 * that every daemon knows: WITH (state = …). */
typedef enum
{
  KVSQL_STATE_READABLE,
  KVSQL_STATE_DELETING,   /* writes only remove what an old tuple left here: not every daemon writes
                           * to it yet */
  KVSQL_STATE_BUILDING,   /* written, but it may lack tuples */
  KVSQL_STATE_REBUILDING, /* the same; and its tables held cells of it before */
} KvsqlSchemaState;

typedef struct
{
  KvsqlSchemaRole role;
  KvsqlSchemaState state;
  gboolean fails_unparsable; /* a cell that fits no layout is an error */
  gboolean create_tables;    /* default TRUE */
  const gchar *compression;  /* nullable, as the next two */
  const gchar *bloom;
  const gchar *block_encoding;
  gint versions; /* 0: none given */
  gint ttl_seconds;
  KvsqlSlice *splits;
  guint n_splits;
  KvsqlSlice marker;       /* data NULL: none */
  KvsqlSlice marker_value; /* empty if none was given */
} KvsqlSchemaOptions;

typedef struct _KvsqlSchema KvsqlSchema;
struct _KvsqlSchema
{
  KvsqlArena *arena;
  KvsqlSchema *origin; /* nullable: it owns the arena, which is shared */
  KvsqlRelation *relation;
  const gchar *name;
  gboolean is_quoted;
  gboolean is_primary;
  const gchar *comment; /* nullable */
  const gchar *text;    /* canonical definition */
  KvsqlSchemaOptions options;

  KvsqlCellLayout *cells;
  guint n_cells;
  guint n_columns;                      /* of a batch that cells are decoded into */
  gint map_attribute;                   /* that has a cell for each entry; -1: none */
  gint timestamp_attribute;             /* that is the timestamp of the one cell; -1: none */
  KvsqlAttributeSet holds;              /* attributes that can be read from it */
  KvsqlAttributeSet address_attributes; /* in TABLE, ROW, FAMILY or QUALIFIER */
  gboolean is_addressed_by_key;         /* only KEY attributes there: a key tells every address */
  gboolean is_row_local;                /* all cells of a tuple lie in one row of one table */
  gboolean is_row_whole;                /* and no other tuple's cells do */
  gboolean has_constant_table;
  KvsqlSlice table;   /* if so */
  guint n_restricted; /* elements whose values may not contain their separator */
  guint n_demands;    /* elements that ask something else of their values */
  GPtrArray
      *neighbours; /* (element-type KvsqlSchema) of its catalog, that may use the same tables */
};

/**
 * kvsql_schema_new:
 *
 * Compiles a definition and proves it: every attribute can be read back, no field can be split in
 * two ways, the key is in the address, the cells of a tuple can be told apart. The error
 * points at the element, says why, and for an ambiguity shows two tuples that would collide.
 */
KvsqlSchema *kvsql_schema_new (const KvsqlDefineSchema *definition, KvsqlRelation *relation,
                               GError **error);
/* The same definition in another catalog, where it has other neighbours. */
KvsqlSchema *kvsql_schema_share (const KvsqlSchema *self);
/* While a catalog is being built: the two come to know each other, if a table may hold cells of
 * both. */
void kvsql_schema_add_neighbour (KvsqlSchema *self, KvsqlSchema *other);

/* It holds every tuple, as far as kvsql is told to see to that. */
static inline gboolean
kvsql_schema_is_filled (const KvsqlSchema *self)
{
  return self->options.state == KVSQL_STATE_READABLE;
}

/* The definition with another state. (transfer full) */
gchar *kvsql_schema_print_with_state (const KvsqlSchema *self, KvsqlSchemaState state);

/* For plans that are free to choose. */
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

/* Fails with an example if the two, being both written, could write the same cell. @span: what the
 * error points at. */
gboolean kvsql_schema_check_apart (const KvsqlSchema *self, const KvsqlSchema *other,
                                   KvsqlSpan span, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSchema, kvsql_schema_unref)

G_END_DECLS
