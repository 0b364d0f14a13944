/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions-private.h: shared by the statements that change definitions.
 */
#pragma once

#include "core/catalog/alter.h"
#include "core/engine/definitions.h"
#include "core/maintain/filling.h"

G_BEGIN_DECLS

/* Adds a change of a relation or schema. @text: (nullable): NULL removes it; copied */
void kvsql_decision_add (KvsqlDecision *self, KvsqlDefinitionKind kind, const gchar *name,
                         gboolean is_quoted, const gchar *text);
/* Adds the differences between @altered and @entry. */
void kvsql_decision_add_alteration (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                    const KvsqlAlteration *altered);
/* A schema's table and family, if they are constants, are made now, so that reading before the
 * first write is no error. */
void kvsql_decision_make_table (KvsqlDecision *self, const KvsqlSchema *schema);
/* Warns if a new schema has to be filled. */
void kvsql_decision_warn_of_filling (KvsqlDecision *self, const KvsqlSchema *schema,
                                     const KvsqlFilling *filling);

/* Adds a new relation. @out_relation: (transfer full): NULL if it exists already, and IF NOT EXISTS
 * was given */
gboolean kvsql_decision_add_relation (KvsqlDecision *self, const KvsqlDefineRelation *definition,
                                      KvsqlRelation **out_relation,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Attributes that are SERIAL or GENERATED … AS IDENTITY get a type, a DEFAULT and a new sequence.
 * @inout: its attributes are changed in place */
gboolean kvsql_decision_number_attributes (KvsqlDecision *self, KvsqlDefineRelation *inout,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for ADD GENERATED … AS IDENTITY, which becomes a SET DEFAULT. */
gboolean kvsql_decision_number_altered (KvsqlDecision *self, KvsqlAlter *inout,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The sequences of the relation that have its owner, and that only it uses, are dropped with it. */
gboolean kvsql_decision_drop_owned_sequences (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Those that have the owner of their relation get its new one. */
gboolean kvsql_decision_set_sequence_owners (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                             const gchar *owner,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Adds the removal of a sequence and of the rights on it. */
void kvsql_decision_drop_sequence (KvsqlDecision *self, const KvsqlNumberSequence *sequence);
/* Adds the entry of a sequence. */
void kvsql_decision_add_sequence (KvsqlDecision *self, const KvsqlNumberSequence *sequence);
/* The greatest number of a type; 0: it is not one of whole numbers. */
gint64 kvsql_find_whole_maximum (const gchar *type);
/* OWNED BY names an attribute that there is. */
gboolean kvsql_decision_check_sequence_owner (const KvsqlDecision *self,
                                              const KvsqlSequenceOptions *options,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* CHECKs of attributes become those of the relation, and get names. UNIQUE and FOREIGN KEY go: with
 * an error, or with a warning. @inout: its arrays are replaced */
gboolean kvsql_decision_settle_constraints (KvsqlDecision *self, KvsqlDefineRelation *inout,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for the constraints that ALTER adds, which become those of inout->attribute. */
gboolean kvsql_decision_settle_alter (KvsqlDecision *self, KvsqlAlter *inout,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether what ALTER adds, as it is written, is valid for what the relation has become; and
 * whether the tuples that are there satisfy a new CHECK. */
gboolean kvsql_decision_check_alter (KvsqlDecision *self, const KvsqlAlter *written,
                                     const KvsqlAlter *settled, const KvsqlRelation *relation,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the DEFAULTs and CHECKs of a definition, as they are written, are valid for what it has
 * become. */
gboolean kvsql_decision_check_rules (KvsqlDecision *self, const KvsqlDefineRelation *written,
                                     const KvsqlRelation *relation,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Adds a new schema of @entry, and its tables. @warns: if it has to be filled */
gboolean kvsql_decision_add_schema (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                    const KvsqlDefineSchema *definition, gboolean warns,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the removal of all views that use @entry or @view, one of which is NULL. Without CASCADE
 * there must be none. */
gboolean kvsql_decision_drop_readers (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                      const KvsqlView *view, const KvsqlDrop *drop,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with an error if a view uses this attribute of @entry; NULL: uses @entry. */
gboolean kvsql_decision_check_readers (const KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                       const KvsqlName *attribute, KvsqlSpan span,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with an error if a view has this name, which a relation is to get. */
gboolean kvsql_decision_reject_view (const KvsqlDecision *self, const KvsqlName *name,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* One function for each kind of statement. */
gboolean kvsql_decide_create_table (KvsqlDecision *self, const KvsqlCreateTable *create,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_create_index (KvsqlDecision *self, const KvsqlCreateIndex *create,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_define_relation (KvsqlDecision *self, const KvsqlDefineRelation *definition,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_define_schema (KvsqlDecision *self, const KvsqlDefineSchema *definition,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_drop (KvsqlDecision *self, const KvsqlDrop *drop,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_alter (KvsqlDecision *self, const KvsqlAlter *alter,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_alter_options (KvsqlDecision *self, const KvsqlAlter *alter,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_create_sequence (KvsqlDecision *self, const KvsqlCreateSequence *create,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* DROP with one or several names. */
gboolean kvsql_decide_drops (KvsqlDecision *self, const KvsqlDrop *drop,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The changes that the removal of a relation is at most. */
guint kvsql_decision_count_drop (const KvsqlDecision *self, const KvsqlCatalogEntry *entry);
/* What several drops remove is removed once: a view may read several relations. */
void kvsql_decision_remove_duplicates (KvsqlDecision *self);
gboolean kvsql_decide_drop_sequence (KvsqlDecision *self, const KvsqlDrop *drop,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_comment (KvsqlDecision *self, const KvsqlComment *comment,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_create_view (KvsqlDecision *self, const KvsqlCreateView *create,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_drop_view (KvsqlDecision *self, const KvsqlDrop *drop,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_role (KvsqlDecision *self, const KvsqlRoleStatement *statement,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* DROP OWNED, REASSIGN OWNED */
gboolean kvsql_decide_owned (KvsqlDecision *self, const KvsqlRoleStatement *statement,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_restore (KvsqlDecision *self, const KvsqlRestore *restore,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

gboolean kvsql_decide_grant (KvsqlDecision *self, const KvsqlGrantStatement *grant,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Of rights on relations and sequences (grant-rights.c). */
gboolean kvsql_decide_rights (KvsqlDecision *self, const KvsqlGrantStatement *grant,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_decide_alter_sequence (KvsqlDecision *self, const KvsqlCreateSequence *alter,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* ALTER TABLE … ADD PRIMARY KEY: what does not allow the key is an error; pauses the writes. */
gboolean kvsql_decide_add_key (KvsqlDecision *self, const KvsqlAlter *alter,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* ALTER RELATION … OWNER TO */
gboolean kvsql_decide_owner (KvsqlDecision *self, const KvsqlAlter *alter,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- roles and rights (role.c, grant.c) */

gboolean kvsql_fail_unknown_role (const KvsqlName *name, GError **error);
/* NULL with an error, also for PUBLIC. */
const KvsqlRole *kvsql_find_role (const KvsqlCatalog *catalog, const KvsqlName *name,
                                  GError **error);
/* Adds the rights of that name in the registry. @kind: KVSQL_DEFINITION_RIGHTS or that of
 * sequences; @acl: nullable: there is nothing any more */
void kvsql_decision_add_rights (KvsqlDecision *self, KvsqlDefinitionKind kind, const gchar *key,
                                const KvsqlAcl *acl);
/* The registry gets the verifier; its history does not. */
void kvsql_decision_add_role (KvsqlDecision *self, const KvsqlRole *role);
/* The new role becomes a member of the roles after IN ROLE. Checks those after ROLE and ADMIN. */
gboolean kvsql_decision_join_groups (KvsqlDecision *self, const KvsqlRoleStatement *statement,
                                     const KvsqlRole *new,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A new relation belongs to the role that has defined it. */
void kvsql_decision_add_owner (KvsqlDecision *self, const KvsqlRelation *relation);
void kvsql_decision_remove_rights (KvsqlDecision *self, const KvsqlCatalogEntry *entry);
/* Rights follow the new names of the relation and, if @is_rename, of an attribute. */
void kvsql_decision_follow_rights (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                   const KvsqlRelation *new, gboolean is_rename);

/* Statistics follow the new name of the relation, or go with it. */
void kvsql_decision_remove_statistics (KvsqlDecision *self, const KvsqlRelation *relation);
void kvsql_decision_follow_statistics (KvsqlDecision *self, const KvsqlRelation *old,
                                       const KvsqlRelation *new);

/* Says so if the declared type has more digits of seconds than are kept. */
void kvsql_decision_note_type (KvsqlDecision *self, const KvsqlAttributeDefinition *attribute);
/* Replaces the attribute's DEFAULT by the literal that it evaluates to. */
gboolean kvsql_attribute_fold_default (KvsqlAttributeDefinition *attribute, KvsqlArena *arena,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A relation with more than KVSQL_MAX_SCHEMAS, of an earlier version, cannot be changed. */
gboolean kvsql_entry_check_n_schemas (const KvsqlCatalogEntry *entry, KvsqlSpan span,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Checks that no attribute added by @altered reads values of another type, which an earlier
 * attribute has left in the tables (old-values.c). Other schemas in which an attribute of that name
 * has left cells have to be filled again: this is added to the changes. @span: for the error */
gboolean kvsql_decision_check_old_values (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                          const KvsqlAlteration *altered, KvsqlSpan span,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
