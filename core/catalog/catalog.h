/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalog.h: all definitions at one epoch.
 *
 * A catalog is a snapshot: immutable, reference-counted, shared by all threads. A change creates a
 * new one.
 */
#pragma once

#include "core/catalog/acl.h"
#include "core/catalog/number-sequence.h"
#include "core/catalog/role.h"
#include "core/catalog/schema.h"
#include "core/catalog/statistics.h"
#include "core/catalog/view.h"
#include "core/store/costs.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalogEntry
{
  KvsqlRelation *relation;
  KvsqlSchema **schemas; /* the primary first, if there is one */
  guint n_schemas;
  KvsqlAcl *acl;           /* nullable: its owner, and rights on it */
  gboolean is_store_table; /* TABLE 't': not a definition (store-table.h) */
} KvsqlCatalogEntry;

/* Whether all schemas are written and filled. */
static inline gboolean
kvsql_entry_is_filled (const KvsqlCatalogEntry *self)
{
  for (guint i = 0; i < self->n_schemas; i++)
    if (!kvsql_schema_is_filled (self->schemas[i]))
      return FALSE;
  return TRUE;
}

typedef struct _KvsqlCatalog
{
  gint64 epoch;
  GHashTable *numbers;            /* of relations: those that are taken */
  guint write_protocol;           /* the number of the registry's write protocol; 0: it has none */
  gboolean is_protocol_announced; /* and it is not in use yet */
  GPtrArray *entries;             /* (element-type KvsqlCatalogEntry) by name */
  GPtrArray *load_errors;         /* (element-type utf8) definitions with errors */
  GHashTable *notes; /* folded name of a schema -> opaque data of the BACKFILL that fills it */

  guint serial;      /* no two catalogs of this process have the same */
  GHashTable *roles; /* name -> KvsqlRole; NULL: there are none, so there are no rights, either */

  GPtrArray *views;       /* (element-type KvsqlView) by name */
  GHashTable *sequences;  /* name -> KvsqlNumberSequence */
  GHashTable *statistics; /* a set of statistics.h */
  GHashTable *costs;      /* name of a kind of store -> KvsqlStoreCosts */

  /* for lookups */
  GHashTable *relations;      /* name in lower case -> GPtrArray of KvsqlCatalogEntry */
  GHashTable *view_names;     /* name in lower case -> GPtrArray of KvsqlView */
  GHashTable *schemas;        /* name in lower case -> GPtrArray of KvsqlSchema */
  GHashTable *tables;         /* KvsqlSchema -> GPtrArray of those with the same constant table */
  GPtrArray *variable_tables; /* (element-type KvsqlSchema) whose table depends on attributes */
  /* for the next catalog; owned */
  GHashTable *relation_texts; /* definition -> KvsqlCatalogEntry */
  GHashTable *schema_texts;   /* definition -> KvsqlSchema */
  GHashTable *acl_texts;      /* definition -> KvsqlAcl */
  /* see store-table.h */
  GMutex store_tables_lock;
  GHashTable *store_tables; /* "TABLE 't'" -> KvsqlCatalog of that relation alone */
} KvsqlCatalog;

KvsqlCatalog *kvsql_catalog_new (gint64 epoch);

/**
 * kvsql_catalog_add_definition:
 * @before: (nullable): another catalog; definitions with the same text are shared with it, and not
 * compiled and proved again
 *
 * While a catalog is being built, before it is shared: adds one canonical definition (relations
 * before their schemas). Definitions with errors are recorded in @load_errors and skipped, so that
 * one bad definition does not hide the others.
 */
void kvsql_catalog_add_definition (KvsqlCatalog *self, const KvsqlCatalog *before,
                                   const gchar *text);
/* The same for a role. One that cannot be read is recorded, too, and there are roles then: a
 * damaged entry must not open the daemon. */
void kvsql_catalog_add_role (KvsqlCatalog *self, const gchar *name, const gchar *text);
/* The owner of a relation and the rights on it, after all relations. If they cannot be read, no
 * role has any. */
void kvsql_catalog_add_acl (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *relation,
                            const gchar *text);
/* What ANALYZE found out about a relation, after all relations. What cannot be read is recorded,
 * and then nothing is known. */
void kvsql_catalog_add_statistics (KvsqlCatalog *self, const KvsqlCatalog *before,
                                   const gchar *relation, const gchar *text);
/* What CALIBRATE has measured of a kind of store. What cannot be read is recorded. */
void kvsql_catalog_add_costs (KvsqlCatalog *self, const gchar *store, const gchar *text);
/* NULL: the costs of this kind of store were not measured. */
const KvsqlStoreCosts *kvsql_catalog_find_costs (const KvsqlCatalog *self, const gchar *store);
/* After the last role: finds out which roles have the rights of which others. */
void kvsql_catalog_complete_roles (KvsqlCatalog *self);
/* The relation with this name in the registry. */
const KvsqlCatalogEntry *kvsql_catalog_find_key (const KvsqlCatalog *self, const gchar *key);
/* The same for a sequence. One that cannot be read is recorded, and does not exist then. */
void kvsql_catalog_add_sequence (KvsqlCatalog *self, const gchar *name, const gchar *text);
/* The owner of a sequence and the rights on it, after all sequences. */
void kvsql_catalog_add_sequence_acl (KvsqlCatalog *self, const gchar *name, const gchar *text);
/* By name. (element-type KvsqlNumberSequence) (transfer container) */
GPtrArray *kvsql_catalog_list_sequences (const KvsqlCatalog *self);
/* NULL: there is none of this name, which is one in the registry. */
const KvsqlNumberSequence *kvsql_catalog_find_sequence (const KvsqlCatalog *self,
                                                        const gchar *name);
/* The sequence that is in the place of a relation. NULL: there is none, or a relation has this
 * name. */
const KvsqlNumberSequence *kvsql_catalog_lookup_sequence (const KvsqlCatalog *self,
                                                          const KvsqlName *name);
/* NULL: there is none of this name. */
const KvsqlRole *kvsql_catalog_find_role (const KvsqlCatalog *self, const gchar *name);
/* The same for a view, after all relations. What its query names is not looked at. */
void kvsql_catalog_add_view (KvsqlCatalog *self, const KvsqlCatalog *before, const gchar *text);
KvsqlCatalog *kvsql_catalog_ref (KvsqlCatalog *self);
void kvsql_catalog_unref (KvsqlCatalog *self); /* accepts NULL */

/* FALSE with KVSQL_ERROR_UNAVAILABLE for the catalog with epoch -1, of a daemon that has not read
 * its registry yet: a name that is missing there may be defined. */
gboolean kvsql_catalog_check_known (const KvsqlCatalog *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* KVSQL_ERROR_UNKNOWN_NAME with a suggestion, or the error of kvsql_catalog_check_known(). */
const KvsqlCatalogEntry *kvsql_catalog_find (const KvsqlCatalog *self, const KvsqlName *name,
                                             GError **error);
const KvsqlSchema *kvsql_catalog_find_schema (const KvsqlCatalog *self, const KvsqlName *name,
                                              GError **error);
/* Sets the same errors for a name that is neither a relation nor a schema. Returns: %FALSE */
gboolean kvsql_catalog_fail_unknown (const KvsqlCatalog *self, const KvsqlName *name,
                                     GError **error);
/* NULL without an error if there is none. */
const KvsqlCatalogEntry *kvsql_catalog_lookup (const KvsqlCatalog *self, const KvsqlName *name);
/* The same for a view. */
const KvsqlView *kvsql_catalog_lookup_view (const KvsqlCatalog *self, const KvsqlName *name);
/* The relation whose anchors have this id; NULL: there is none. */
const KvsqlCatalogEntry *kvsql_catalog_find_id (const KvsqlCatalog *self, guint64 id);
const KvsqlSchema *kvsql_catalog_lookup_schema (const KvsqlCatalog *self, const KvsqlName *name);
/* The key in the registry of the relation or schema that @name refers to. If it no longer exists,
 * the key of an unquoted definition, unless the name is in back-quotes. (transfer full) */
gchar *kvsql_catalog_fold_name (const KvsqlCatalog *self, const KvsqlName *name);

/* Checks a new schema against the existing ones: one primary for each relation, and no cell that
 * two schemas could write. */
gboolean kvsql_catalog_check_schema (const KvsqlCatalog *self, const KvsqlSchema *schema,
                                     const KvsqlDefineSchema *definition,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlCatalog, kvsql_catalog_unref)

G_END_DECLS
