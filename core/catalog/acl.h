/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * acl.h: the owner of a relation or sequence, and the rights on it that roles were granted.
 *
 * It is stored as text: ALTER … OWNER TO and GRANT statements, in an entry of the registry. Roles
 * and attributes are named by their names in the registry (folded).
 *
 * Threads: reference-counted; immutable once it is in a catalog.
 */
#pragma once

#include "core/sql/right.h"

G_BEGIN_DECLS

/* Rights that one role gave to another. */
typedef struct
{
  gchar *grantee;   /* NULL: PUBLIC */
  gchar *grantor;   /* NULL: an administrator, of a relation without an owner */
  gchar *attribute; /* NULL: of the relation */
  guint rights;     /* KvsqlRight */
  guint options;    /* of the rights, those that the grantee may grant */
} KvsqlAclItem;

typedef struct
{
  gint ref_count;
  gboolean is_of_sequence;
  gchar *owner;     /* NULL: only administrators may do what an owner may */
  GPtrArray *items; /* (element-type KvsqlAclItem) */
} KvsqlAcl;

/* @owner: (nullable) */
KvsqlAcl *kvsql_acl_new (const gchar *owner);
KvsqlAcl *kvsql_acl_new_of_sequence (const gchar *owner);
KvsqlAcl *kvsql_acl_copy (const KvsqlAcl *self); /* NULL: a new one without an owner */
KvsqlAcl *kvsql_acl_ref (KvsqlAcl *self);
void kvsql_acl_unref (KvsqlAcl *self); /* accepts NULL */

/* ---- while it is not shared */

/* What the old owner has granted, the new one has. @owner: (nullable) */
void kvsql_acl_set_owner (KvsqlAcl *self, const gchar *owner);

/* Adds @rights. @grantee, @grantor, @attribute: as in the item */
void kvsql_acl_grant (KvsqlAcl *self, const gchar *grantee, const gchar *grantor,
                      const gchar *attribute, guint rights, gboolean has_option);

/**
 * kvsql_acl_revoke:
 * @only_option: the rights stay, and may not be granted any more
 * @is_cascade: also what the grantee has granted by them
 *
 * Takes away what @grantor gave. Rights on the relation are taken from its attributes, too.
 *
 * Returns: FALSE if the grantee has granted some of them, and not @is_cascade; then self is of no
 * use
 */
gboolean kvsql_acl_revoke (KvsqlAcl *self, const gchar *grantee, const gchar *grantor,
                           const gchar *attribute, guint rights, gboolean only_option,
                           gboolean is_cascade) G_GNUC_WARN_UNUSED_RESULT;

/* The attribute @old is called @new now; NULL: it was dropped, and so are its rights. */
void kvsql_acl_rename_attribute (KvsqlAcl *self, const gchar *old, const gchar *new);

/* Whether the role owns, was granted or has granted something. */
gboolean kvsql_acl_mentions (const KvsqlAcl *self, const gchar *role);
/* Removes what @role was granted and has granted. */
void kvsql_acl_forget (KvsqlAcl *self, const gchar *role);

/* ---- text */

/* @name: of the relation or sequence, folded. NULL: there is nothing to be stored. (transfer
 * full) */
gchar *kvsql_acl_print (const KvsqlAcl *self, const gchar *name);
/* NULL: the text is damaged. */
KvsqlAcl *kvsql_acl_parse (const gchar *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAcl, kvsql_acl_unref)

G_END_DECLS
