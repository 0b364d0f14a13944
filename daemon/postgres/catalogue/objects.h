/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * objects.h: the definitions as PostgreSQL would have them: relations with their indexes, views,
 * sequences and roles, each with a number.
 *
 * The primary schema of a relation is the index of its primary key. Other schemas are indexes of
 * the attributes in their row keys.
 *
 * Threads: any.
 */
#pragma once

#include "core/catalog/rights.h"
#include "daemon/postgres/catalogue/functions.h"

G_BEGIN_DECLS

/* Numbers of namespaces. */
#define KVSQLD_PG_CATALOG 11
#define KVSQLD_PG_PUBLIC 2200
#define KVSQLD_PG_INFORMATION_SCHEMA 13207

/* The type of the rows of a relation or view. */
typedef struct
{
  guint32 oid;
  guint32 array; /* of the type of arrays of it */
} KvsqldPgRowType;

typedef struct
{
  guint32 oid;
  guint32 constraint_oid; /* if it is primary */
  const gchar *name;
  const gchar *comment; /* nullable */
  gboolean is_primary;
  gboolean is_valid;
  guint *attributes; /* of the relation */
  guint n_attributes;
} KvsqldPgIndex;

typedef struct
{
  guint32 oid;
  KvsqldPgRowType row_type;
  const gchar *name;
  const KvsqlCatalogEntry *entry;
  KvsqldPgIndex *indexes;
  guint n_indexes;
  guint32 *check_oids; /* of each CHECK of the relation */
} KvsqldPgRelation;

typedef struct
{
  guint32 oid;
  guint32 rule_oid; /* in pg_rewrite */
  KvsqldPgRowType row_type;
  const gchar *name;
  const KvsqlView *view;
} KvsqldPgView;

typedef struct
{
  guint32 oid;
  const KvsqlNumberSequence *sequence;
  /* It is dropped with this relation. NULL: with none. */
  const KvsqldPgRelation *owner;
  guint attribute; /* whose DEFAULT it is */
} KvsqldPgSequence;

typedef struct
{
  guint32 oid;
  const KvsqlRole *role;
} KvsqldPgRole;

typedef struct
{
  KvsqldPgRelation *relations; /* by name */
  guint n_relations;
  KvsqldPgView *views; /* by name */
  guint n_views;
  KvsqldPgSequence *sequences; /* by name */
  guint n_sequences;
  KvsqldPgRole *roles; /* by name */
  guint n_roles;
  KvsqldPgRowType *row_types; /* of the relations of the catalogue (facts.h) */
  GHashTable *numbers;        /* that are taken */
} KvsqldPgObjects;

/* Those that exist for the session. Valid as long as @definitions and @arena. */
KvsqldPgObjects *kvsqld_pg_objects_new (const KvsqlCatalog *definitions,
                                        const KvsqldPgCatalogueSession *session, KvsqlArena *arena);
/* A number that no other object has. @kind: such as "relation " */
guint32 kvsqld_pg_objects_choose_number (KvsqldPgObjects *self, const gchar *kind,
                                         const gchar *name);
void kvsqld_pg_objects_free (KvsqldPgObjects *self); /* accepts NULL */

/* The type of an attribute or result in PostgreSQL. */
KvsqldPgColumnType kvsqld_pg_column_type_of (KvsqlType type, const KvsqlTypeLimit *limit);
/* The default of an attribute as an expression; NULL: it has none. (transfer full) */
gchar *kvsqld_pg_default_of (const KvsqlAttribute *attribute);
/* Whether it is GENERATED … AS IDENTITY: PostgreSQL has no default for it. */
gboolean kvsqld_pg_is_identity (const KvsqlCatalog *definitions, const KvsqlAttribute *attribute);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPgObjects, kvsqld_pg_objects_free)

G_END_DECLS
