/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalog.h: all definitions at one epoch.
 *
 * A snapshot: immutable, reference-counted, shared by all threads. A change makes a new one.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlRelation *relation;
  KvsqlSchema **schemas; /* the primary first, if there is one */
  guint n_schemas;
} KvsqlCatalogEntry;

typedef struct
{
  gint64 epoch;
  GPtrArray *entries;  /* (element-type KvsqlCatalogEntry) by name */
  GPtrArray *troubles; /* (element-type utf8) definitions that could not be understood */
  GHashTable *notes;   /* folded name of a schema -> what whoever fills it has noted, opaque here */

  /* for looking up */
  GHashTable *relations; /* name in lower case -> GPtrArray of KvsqlCatalogEntry */
  GHashTable *schemas;   /* name in lower case -> GPtrArray of KvsqlSchema */
  GHashTable *tables;    /* KvsqlSchema -> GPtrArray of those with the same constant table */
  GPtrArray *open;       /* (element-type KvsqlSchema) whose table follows from attributes */
  /* for the next catalog; owned */
  GHashTable *relation_texts; /* definition -> KvsqlCatalogEntry */
  GHashTable *schema_texts;   /* definition -> KvsqlSchema */
} KvsqlCatalog;

KvsqlCatalog *kvsql_catalog_new (gint64 epoch);

/**
 * kvsql_catalog_add_definition:
 * @before: (nullable): another catalog: what stands there word for word is shared, not compiled and
 * proved again
 *
 * While a catalog is being built, before it is shared: adds one canonical definition (relations
 * before their schemas). What cannot be understood is noted in @troubles and left out, so that one
 * bad definition does not hide the others.
 */
void kvsql_catalog_add_definition (KvsqlCatalog *self, const KvsqlCatalog *before,
                                   const gchar *text);
KvsqlCatalog *kvsql_catalog_ref (KvsqlCatalog *self);
void kvsql_catalog_unref (KvsqlCatalog *self); /* accepts NULL */

/* KVSQL_ERROR_UNKNOWN_NAME with a suggestion. */
const KvsqlCatalogEntry *kvsql_catalog_find (const KvsqlCatalog *self, const KvsqlName *name,
                                             GError **error);
const KvsqlSchema *kvsql_catalog_find_schema (const KvsqlCatalog *self, const KvsqlName *name,
                                              GError **error);
/* Sets the error for a name that is neither, with a suggestion. Returns: %FALSE */
gboolean kvsql_catalog_find_nothing (const KvsqlCatalog *self, const KvsqlName *name,
                                     GError **error);
/* NULL without an error if there is none. */
const KvsqlCatalogEntry *kvsql_catalog_lookup (const KvsqlCatalog *self, const KvsqlName *name);
const KvsqlSchema *kvsql_catalog_lookup_schema (const KvsqlCatalog *self, const KvsqlName *name);

/* A new schema against all that are there: one primary a relation, and no cell that two schemas
 * could write. */
gboolean kvsql_catalog_check_schema (const KvsqlCatalog *self, const KvsqlSchema *schema,
                                     const KvsqlDefineSchema *definition, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCatalog, kvsql_catalog_unref)

G_END_DECLS
