/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-private.h: the rows of a relation of the catalogue, which content-*.c make.
 */
#pragma once

#include "daemon/postgres/catalogue/content.h"
#include "daemon/postgres/catalogue/facts.h"
#include "daemon/postgres/catalogue/objects.h"

G_BEGIN_DECLS

/* The owner of all objects (KvsqldPgRole has the others). */
#define KVSQLD_PG_OWNER 10
#define KVSQLD_PG_CLASS_OF_RELATIONS 1259
#define KVSQLD_PG_CLASS_OF_DEFAULTS 2604
#define KVSQLD_PG_CLASS_OF_NAMESPACES 2615
#define KVSQLD_PG_CLASS_OF_RULES 2618
#define KVSQLD_PG_MAX_COLUMNS 64

/* A row that is built up by the names of its columns. */
typedef struct
{
  const KvsqldPgTableFacts *table;
  const gchar *insert;
  KvsqlValue values[KVSQLD_PG_MAX_COLUMNS];
} KvsqldPgRow;

typedef struct
{
  KvsqldPgDatabase *database;
  const KvsqlCatalog *definitions;
  const KvsqldPgCatalogueSession *session;
  KvsqldPgObjects *objects; /* for fillers */
  KvsqlArena *arena;
  KvsqldPgRow row;
  GError *error; /* the first one; nothing is inserted after it */
} KvsqldPgContent;

/* Begins a row. Columns that are not set are NULL, or what PostgreSQL has there if they cannot
 * be. */
void kvsqld_pg_row_begin (KvsqldPgContent *self);
void kvsqld_pg_row_set_number (KvsqldPgContent *self, const gchar *column, gint64 number);
void kvsqld_pg_row_set_text (KvsqldPgContent *self, const gchar *column, const gchar *text);
void kvsqld_pg_row_set_character (KvsqldPgContent *self, const gchar *column, gchar character);
void kvsqld_pg_row_insert (KvsqldPgContent *self);

/* A row of pg_class, and one of pg_attribute, for the caller to complete and insert. */
void kvsqld_pg_row_begin_class (KvsqldPgContent *self, guint32 oid, const gchar *name,
                                guint32 schema, gchar kind, guint n_attributes);
void kvsqld_pg_row_begin_attribute (KvsqldPgContent *self, guint32 relation, guint number,
                                    const gchar *name, KvsqldPgColumnType type);

/* A row of pg_depend: @oid of the catalogue's relation @class needs the relation @on, or its
 * @attribute, which is 0 for the whole of it. @kind: deptype */
void kvsqld_pg_row_insert_dependency (KvsqldPgContent *self, guint32 class, guint32 oid, guint32 on,
                                      guint attribute, gchar kind);

/* In pg_attrdef. */
guint32 kvsqld_pg_number_of_default (const KvsqldPgRelation *relation, guint attribute);

/* Of a relation of the catalogue: its name alone, and its schema. */
const gchar *kvsqld_pg_name_without_schema (const KvsqldPgTableFacts *table);
guint32 kvsqld_pg_schema_of_table (const KvsqldPgTableFacts *table);

typedef struct
{
  const gchar *name; /* of a relation; NULL: the end of a list */
  void (*fill) (KvsqldPgContent *self);
} KvsqldPgFiller;

extern const KvsqldPgFiller kvsqld_pg_relation_fillers[];
extern const KvsqldPgFiller kvsqld_pg_right_fillers[];
extern const KvsqldPgFiller kvsqld_pg_view_fillers[];
extern const KvsqldPgFiller kvsqld_pg_sequence_fillers[];
extern const KvsqldPgFiller kvsqld_pg_type_fillers[];

G_END_DECLS
