/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * identity.h: who a connection is, and what that allows.
 *
 * A connection over a UNIX socket is the role with the name of its system user, or the operator:
 * root or the user of kvsqld. One that has logged in is its role. While there are no roles, every
 * connection that its listener admits may do everything but change roles.
 *
 * On a listener with auth=cert the connection is the role that its certificate names.
 *
 * Threads: an identity belongs to the thread of its connection.
 */
#pragma once

#include "daemon/net/listen.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalog KvsqlCatalog;     /* core/catalog/catalog.h */
typedef struct _KvsqlAuthority KvsqlAuthority; /* core/catalog/rights.h */

/* Which of the roles, that had one name at different times. */
typedef struct
{
  gboolean is_known;
  gint64 since; /* KvsqlRole.since */
} KvsqldRoleMark;

typedef struct
{
  KvsqldAuth auth;      /* of the listener */
  gboolean is_operator; /* over a UNIX socket */
  gint64 user_id;       /* of the system; -1: not known, or over TCP */
  gchar *role;          /* nullable: has logged in, or that of a certificate, or of a system user */
  KvsqldRoleMark role_mark; /* of @role, from the first statement or the log-in on */
  gchar *set_role;          /* nullable: of SET ROLE: it acts as this role */
  KvsqldRoleMark set_role_mark;
  gchar *user; /* nullable: the name that the client gave, which says nothing of rights */
} KvsqldIdentity;

typedef enum
{
  KVSQLD_ACCESS_ITSELF,  /* SET ROLE, and its own password: for the role that has logged in */
  KVSQLD_ACCESS_USE,     /* statements of every role, as far as it has rights */
  KVSQLD_ACCESS_OPERATE, /* what touches other clients or files: while there are no roles, all may
                          */
  KVSQLD_ACCESS_ADMIN,   /* changes of roles */
} KvsqldAccess;

void kvsqld_identity_clear (KvsqldIdentity *self);

/* Whether requests are answered before a log-in: the listener does not ask for one, or it was
 * successful. */
gboolean kvsqld_identity_is_complete (const KvsqldIdentity *self);

/**
 * kvsqld_identity_check:
 * @self: (nullable): NULL: the daemon itself
 * @out: (out caller-allocates): whose rights count; valid as long as @catalog
 *
 * To be called for each statement, because roles change. May look up a system user, so the main
 * thread must not call it.
 *
 * Returns: FALSE with KVSQL_ERROR_AUTHENTICATION if the role does not exist any more (another one
 * of its name may), or there is none for the system user; with KVSQL_ERROR_NOT_ALLOWED if it may
 * not do that
 */
gboolean kvsqld_identity_check (KvsqldIdentity *self, const KvsqlCatalog *catalog,
                                KvsqldAccess access, KvsqlAuthority *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* SET ROLE: the next statements have the rights of @role only; NULL: those of the session's role
 * again. @authority: of the session's role. FALSE with KVSQL_ERROR_NOT_ALLOWED if it is not a
 * member of that role, or KVSQL_ERROR_UNKNOWN_NAME. */
gboolean kvsqld_identity_set_role (KvsqldIdentity *self, const KvsqlCatalog *catalog,
                                   const KvsqlAuthority *authority, const gchar *role,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Makes a peer of a UNIX socket the role that its client asks for: the one of its system user, or
 * any role if it is the operator. With a certificate it has to ask for that one's role. FALSE with
 * KVSQL_ERROR_AUTHENTICATION. */
gboolean kvsqld_identity_assume (KvsqldIdentity *self, const KvsqlCatalog *catalog,
                                 const gchar *role, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For display: "alice", "root"; NULL: not known. (transfer full) */
gchar *kvsqld_identity_describe (const KvsqldIdentity *self);

G_END_DECLS
