/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encryption.h: the certificate of the daemon, whom it trusts, and which roles the certificates of
 * its clients name.
 *
 * Immutable, with a count of references: a connection keeps what was valid when it was accepted, so
 * that a new certificate ends no connection.
 *
 * Threads: any.
 */
#pragma once

#include "idl/wire/tls.h"

G_BEGIN_DECLS

typedef struct
{
  gatomicrefcount references;
  KvsqlTlsCredentials *credentials;
  GHashTable *roles; /* common name -> role */
} KvsqldEncryption;

/* Reads the files now. @roles: "NAME=ROLE" each; another common name is that of the role. Errors:
 * KVSQL_ERROR_INVALID. */
KvsqldEncryption *kvsqld_encryption_load (const KvsqlTlsFiles *files, gchar **roles,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with KVSQL_ERROR_INVALID if one of them is no "NAME=ROLE", or a name is there twice. */
gboolean kvsqld_encryption_check_roles (gchar **roles, GError **error) G_GNUC_WARN_UNUSED_RESULT;
KvsqldEncryption *kvsqld_encryption_ref (KvsqldEncryption *self); /* accepts NULL */
void kvsqld_encryption_unref (KvsqldEncryption *self);            /* accepts NULL */

/* The role of a verified certificate with that common name; borrowed from @self or @name. */
const gchar *kvsqld_encryption_get_role (const KvsqldEncryption *self, const gchar *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldEncryption, kvsqld_encryption_unref)

G_END_DECLS
