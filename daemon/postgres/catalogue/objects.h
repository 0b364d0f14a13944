/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * objects.h: the definitions as PostgreSQL would have them: relations with their indexes, and
 * roles, each with a number.
 *
 * The primary schema of a relation is the index of its primary key. Other schemas are indexes of
 * the attributes in their row keys.
 *
 * Threads: any.
 */
#pragma once

#include "core/catalog/rights.h"

G_BEGIN_DECLS

/* Numbers of namespaces. */
#define KVSQLD_PG_CATALOG 11
#define KVSQLD_PG_PUBLIC 2200
#define KVSQLD_PG_INFORMATION_SCHEMA 13207

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
  const gchar *name;
  const KvsqlCatalogEntry *entry;
  KvsqldPgIndex *indexes;
  guint n_indexes;
} KvsqldPgRelation;

typedef struct
{
  guint32 oid;
  const KvsqlRole *role;
} KvsqldPgRole;

typedef struct
{
  KvsqldPgRelation *relations; /* by name */
  guint n_relations;
  KvsqldPgRole *roles; /* by name */
  guint n_roles;
  GHashTable *numbers; /* that are taken */
} KvsqldPgObjects;

/* Valid as long as @definitions and @arena. */
KvsqldPgObjects *kvsqld_pg_objects_new (const KvsqlCatalog *definitions,
                                        const KvsqlAuthority *authority, KvsqlArena *arena);
void kvsqld_pg_objects_free (KvsqldPgObjects *self); /* accepts NULL */

/* The type of an attribute in PostgreSQL. */
typedef struct
{
  guint32 oid;
  gint32 modifier; /* -1: none */
} KvsqldPgColumnType;

KvsqldPgColumnType kvsqld_pg_column_type_of (const KvsqlAttribute *attribute);
/* Its default as an expression; NULL: it has none. (transfer full) */
gchar *kvsqld_pg_default_of (const KvsqlAttribute *attribute);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPgObjects, kvsqld_pg_objects_free)

G_END_DECLS
