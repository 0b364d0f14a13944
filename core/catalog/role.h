/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role.h: roles: who may log in, and who administers.
 *
 * A role is stored as canonical text, CREATE ROLE name …, as other definitions are. Its password is
 * stored as a verifier only (core/scram).
 *
 * Threads: a table of roles belongs to a catalog, and is immutable once the catalog is shared.
 */
#pragma once

#include "core/scram/scram.h"
#include "core/base/value.h"
#include "core/sql/role-limit.h"

G_BEGIN_DECLS

typedef struct _KvsqlName KvsqlName;                   /* core/sql/ast-definition.h */
typedef struct _KvsqlRoleStatement KvsqlRoleStatement; /* core/sql/ast-role.h */

#define KVSQL_ROLE_MAX_NAME_BYTES 63 /* as in PostgreSQL */
#define KVSQL_ROLE_ALWAYS G_MAXINT64

/* A member of a role, which has the rights of that role. */
typedef struct
{
  gchar *name;
  gboolean is_admin; /* WITH ADMIN OPTION: may grant the membership */
} KvsqlRoleMember;

typedef struct
{
  gchar *name;  /* as a client writes it to log in */
  gint64 since; /* a number that no other role of that name had, from CREATE ROLE on: SYSID. 0: an
                   earlier build has made it */
  gboolean may_log_in;
  gboolean is_admin;
  gboolean has_password;
  KvsqlScramVerifier verifier;        /* if it has a password */
  gint64 until_ms;                    /* the password counts until then */
  gint64 limits[KVSQL_N_ROLE_LIMITS]; /* -1: none; do not count for @is_admin */
  GPtrArray *members;                 /* (element-type KvsqlRoleMember) */
  GPtrArray *patterns;                /* (element-type utf8): DEFINE ON TABLES LIKE */
  /* of a role in a catalog */
  GHashTable *acts_as; /* set of names: its own, and those of the roles whose rights it has */
  guint number;        /* among all roles of the catalog */
} KvsqlRole;

void kvsql_role_free (gpointer self);

/* A name in the registry: as it is, or in lower case if it was written without quotes. (transfer
 * full) */
gchar *kvsql_role_fold_name (const KvsqlName *name);

/* The name as it has to be written for such a name in the registry. */
KvsqlName kvsql_role_name_of_key (const gchar *key);

/* A new role of that name, without rights. */
KvsqlRole *kvsql_role_new (const gchar *name);
KvsqlRole *kvsql_role_copy (const KvsqlRole *self);
/* Changes what the options say. A password in clear text becomes a verifier. FALSE with an error
 * that does not contain the password. */
gboolean kvsql_role_apply (KvsqlRole *self, const KvsqlRoleStatement *options,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

const KvsqlRoleMember *kvsql_role_find_member (const KvsqlRole *self, const gchar *name);
/* A member stays one; the option is added. */
void kvsql_role_add_member (KvsqlRole *self, const gchar *name, gboolean is_admin);
/* FALSE: it was none. */
gboolean kvsql_role_remove_member (KvsqlRole *self, const gchar *name, gboolean only_option);
void kvsql_role_add_pattern (KvsqlRole *self, const gchar *pattern);
gboolean kvsql_role_remove_pattern (KvsqlRole *self, const gchar *pattern);

/* The canonical definition. @shows_verifier: else the password is '…' and SYSID is left out, for
 * display and history.
 * (transfer full) */
gchar *kvsql_role_print (const KvsqlRole *self, gboolean shows_verifier);
/* NULL with an error that does not contain the text. */
KvsqlRole *kvsql_role_parse (const gchar *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlRole, kvsql_role_free)

G_END_DECLS
