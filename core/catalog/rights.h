/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rights.h: what a role may do.
 *
 * A role has its own rights, those of all roles of which it is a member, and those of PUBLIC. The
 * owner of a relation has all rights on it. A relation on which a role has no right does not exist
 * for it.
 *
 * Threads: all functions read a catalog, which is immutable.
 */
#pragma once

#include "core/catalog/catalog.h"

G_BEGIN_DECLS

/* For whom a statement is executed. Zeroed: without limits: an administrator, the daemon itself, or
 * any client while there are no roles. */
typedef struct _KvsqlAuthority
{
  gboolean is_limited;
  const KvsqlRole *role;  /* of the statement's catalog; NULL: if limited, it has what PUBLIC has */
  const KvsqlRole *login; /* nullable: that has logged in, whose limits count after SET ROLE, too */
} KvsqlAuthority;

/* The name of the role for messages. */
const gchar *kvsql_authority_get_name (const KvsqlAuthority *self);

/* Whether it may act as the role of that name, because that is itself, or it is a member. */
gboolean kvsql_authority_acts_as (const KvsqlAuthority *self, const gchar *role);
gboolean kvsql_authority_owns (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry);
/* Whether it has any right on the relation or on an attribute. TABLE 't': DEFINE */
gboolean kvsql_authority_sees (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry);
/* Its rights on the relation as a whole. */
guint kvsql_authority_get_rights (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry);
/* The same for one attribute: those of the relation included. */
guint kvsql_authority_get_attribute_rights (const KvsqlAuthority *self,
                                            const KvsqlCatalogEntry *entry, guint attribute);
/* Rights that it has on at least one attribute. */
guint kvsql_authority_get_some_rights (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry);

/* Whether it has DEFINE on tables of the store with this name; NULL: on all tables. */
gboolean kvsql_authority_may_define (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                     const KvsqlSlice *table);
/* Whether it can be a pattern of tables. */
gboolean kvsql_table_pattern_check (KvsqlSlice pattern, KvsqlSpan span,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether it has DEFINE on any pattern. */
gboolean kvsql_authority_may_define_some (const KvsqlAuthority *self, const KvsqlCatalog *catalog);

/**
 * kvsql_authority_check:
 * @attributes: (nullable): the ones that it is about; NULL: the relation as a whole
 * @span: of the name of the relation
 *
 * Returns: FALSE with KVSQL_ERROR_NOT_ALLOWED if it lacks the right on the relation, and on one of
 * the attributes
 */
gboolean kvsql_authority_check (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry,
                                KvsqlRight right, const KvsqlAttributeSet *attributes,
                                KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_authority_check_owner (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry,
                                      KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* DEFINE on all tables of the schema. */
gboolean kvsql_authority_check_tables (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                       const KvsqlSchema *schema, KvsqlSpan span,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- sequences */

gboolean kvsql_authority_owns_sequence (const KvsqlAuthority *self,
                                        const KvsqlNumberSequence *sequence);
guint kvsql_authority_get_sequence_rights (const KvsqlAuthority *self,
                                           const KvsqlNumberSequence *sequence);
/* Finds the sequence of that name in the registry, as far as it exists for the role. */
const KvsqlNumberSequence *kvsql_authority_lookup_sequence (const KvsqlAuthority *self,
                                                            const KvsqlCatalog *catalog,
                                                            const gchar *name);
/* FALSE with KVSQL_ERROR_NOT_ALLOWED if it has none of @rights on the sequence; if it has no right
 * at all, with the error of one that does not exist. @name: in the registry */
gboolean kvsql_authority_check_sequence (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                         const gchar *name, guint rights,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with KVSQL_ERROR_UNKNOWN_NAME: the sequence does not exist. */
gboolean kvsql_fail_unknown_sequence (const gchar *name, KvsqlSpan span, GError **error);

/* ---- what exists */

/* Finds the relation or schema of that name, as far as it exists for the role. NULL without an
 * error. */
const KvsqlCatalogEntry *kvsql_authority_lookup (const KvsqlAuthority *self,
                                                 const KvsqlCatalog *catalog,
                                                 const KvsqlName *name);
const KvsqlSchema *kvsql_authority_lookup_schema (const KvsqlAuthority *self,
                                                  const KvsqlCatalog *catalog,
                                                  const KvsqlName *name);
/* The relation of a schema in the catalog. */
const KvsqlCatalogEntry *kvsql_catalog_get_entry (const KvsqlCatalog *self,
                                                  const KvsqlSchema *schema);
/* FALSE with KVSQL_ERROR_UNKNOWN_NAME, as for a relation that does not exist. @kind: "relation" */
gboolean kvsql_authority_fail_unknown (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                       const gchar *kind, const KvsqlName *name, GError **error);

G_END_DECLS
