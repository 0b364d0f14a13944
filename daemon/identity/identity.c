/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * identity.c: see identity.h.
 */
#include "config.h"

#include "daemon/identity/identity.h"

#include "core/catalog/rights.h"
#include "daemon/net/peer-name.h"

void
kvsqld_identity_clear (KvsqldIdentity *self)
{
  g_clear_pointer (&self->role, g_free);
  g_clear_pointer (&self->set_role, g_free);
  g_clear_pointer (&self->user, g_free);
}

gboolean
kvsqld_identity_is_complete (const KvsqldIdentity *self)
{
  return (self->auth != KVSQLD_AUTH_SCRAM && self->auth != KVSQLD_AUTH_CERT) || self->role != NULL;
}

/* ---- the session's role */

/* Whether @role, which has the name that the session knows, is still the role that it has had from
 * the beginning. */
static gboolean
is_same_role (KvsqldRoleMark *mark, const KvsqlRole *role)
{
  if (!mark->is_known)
    *mark = (KvsqldRoleMark){ .is_known = TRUE, .since = role->since };
  return mark->since == role->since;
}

static gboolean
fail_peer (GError **error, const gchar *user)
{
  kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                   "there is no role for system user \"%s\"", user);
  return kvsql_error_hint (error, "A role of that name with LOGIN admits it: CREATE USER.");
}

/* The role of the system user, whose name is looked up once. */
static const KvsqlRole *
find_peer_role (KvsqldIdentity *self, const KvsqlCatalog *catalog, GError **error)
{
  const KvsqlRole *role;

  if (self->role == NULL)
    self->role = kvsqld_user_name (self->user_id);
  role = self->role != NULL ? kvsql_catalog_find_role (catalog, self->role) : NULL;
  if (role != NULL && role->may_log_in && is_same_role (&self->role_mark, role))
    return role;
  fail_peer (error, self->role != NULL ? self->role : "unknown");
  return NULL;
}

static const KvsqlRole *
find_own_role (KvsqldIdentity *self, const KvsqlCatalog *catalog, GError **error)
{
  const KvsqlRole *role = kvsql_catalog_find_role (catalog, self->role);

  if (role != NULL && !is_same_role (&self->role_mark, role))
    role = NULL;
  else if (role != NULL && role->may_log_in)
    return role;
  if (!kvsql_catalog_check_known (catalog, error))
    return NULL;
  kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                   role != NULL ? "role \"%s\" is not permitted to log in any more"
                   : self->auth == KVSQLD_AUTH_CERT
                       ? "role \"%s\" of the certificate does not exist"
                       : "role \"%s\" does not exist any more",
                   self->role);
  return NULL;
}

static gboolean
refuse_admin (KvsqldAccess access, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, KVSQL_SPAN_NONE,
                   access == KVSQLD_ACCESS_ADMIN ? "permission denied to change roles"
                                                 : "permission denied");
  return kvsql_error_hint (error,
                           "Roles with SUPERUSER may, and root and the user of kvsqld over a "
                           "UNIX socket.");
}

/* The role of the session. TRUE with NULL: everything is allowed, or there was no log-in. */
static gboolean
find_session_role (KvsqldIdentity *self, const KvsqlCatalog *catalog, const KvsqlRole **out,
                   GError **error)
{
  *out = NULL;
  if (self->auth == KVSQLD_AUTH_SCRAM || self->auth == KVSQLD_AUTH_CERT)
    *out = find_own_role (self, catalog, error);
  else if (self->auth == KVSQLD_AUTH_PEER && catalog->roles != NULL)
    *out = self->is_operator ? find_own_role (self, catalog, error)
                             : find_peer_role (self, catalog, error);
  else
    return TRUE;
  return *out != NULL;
}

/* The role of SET ROLE, if the session may still act as it. */
static gboolean
find_set_role (KvsqldIdentity *self, const KvsqlCatalog *catalog, KvsqlAuthority *authority,
               GError **error)
{
  const KvsqlRole *role = kvsql_catalog_find_role (catalog, self->set_role);

  if (role != NULL && !is_same_role (&self->set_role_mark, role))
    role = NULL;
  if (role == NULL || !kvsql_authority_acts_as (authority, self->set_role))
    {
      if (!kvsql_catalog_check_known (catalog, error))
        return FALSE;
      kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, KVSQL_SPAN_NONE,
                       role == NULL ? "role \"%s\" does not exist any more"
                                    : "permission denied to act as role \"%s\"",
                       self->set_role);
      return kvsql_error_hint (error, "RESET ROLE acts as the role that has logged in again.");
    }
  authority->is_limited = !role->is_admin;
  authority->role = role;
  return TRUE;
}

gboolean
kvsqld_identity_check (KvsqldIdentity *self, const KvsqlCatalog *catalog, KvsqldAccess access,
                       KvsqlAuthority *out, GError **error)
{
  gboolean is_root = self == NULL || (self->is_operator && self->role == NULL);
  gboolean is_known = catalog->epoch >= 0;

  *out = (KvsqlAuthority){ 0 };
  if (!is_root && !find_session_role (self, catalog, &out->role, error))
    return FALSE;
  out->login = out->role;
  /* before the roles are known, no role has rights */
  out->is_limited = !is_root && (catalog->roles != NULL || !is_known)
                    && (out->role == NULL || !out->role->is_admin);
  if (access == KVSQLD_ACCESS_ITSELF)
    return TRUE;
  if (self != NULL && self->set_role != NULL && !find_set_role (self, catalog, out, error))
    return FALSE;
  if (access == KVSQLD_ACCESS_USE || (is_root && !out->is_limited)
      || (out->role != NULL && out->role->is_admin))
    return TRUE;
  if (!is_known && !kvsql_catalog_check_known (catalog, error))
    return FALSE;
  return (access == KVSQLD_ACCESS_OPERATE && catalog->roles == NULL)
         || refuse_admin (access, error);
}

gboolean
kvsqld_identity_set_role (KvsqldIdentity *self, const KvsqlCatalog *catalog,
                          const KvsqlAuthority *authority, const gchar *role, GError **error)
{
  if (role != NULL && kvsql_catalog_find_role (catalog, role) == NULL)
    {
      if (!kvsql_catalog_check_known (catalog, error))
        return FALSE;
      kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                       "role \"%s\" does not exist", role);
      return kvsql_error_sqlstate (error, "42704");
    }
  if (role != NULL && !kvsql_authority_acts_as (authority, role))
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, KVSQL_SPAN_NONE,
                            "permission denied to set role \"%s\"", role);
  g_free (self->set_role);
  self->set_role = g_strdup (role);
  self->set_role_mark = (KvsqldRoleMark){ 0 };
  return TRUE;
}

gboolean
kvsqld_identity_assume (KvsqldIdentity *self, const KvsqlCatalog *catalog, const gchar *role,
                        GError **error)
{
  if (self->auth == KVSQLD_AUTH_CERT)
    return g_strcmp0 (self->role, role) == 0
               ? find_own_role (self, catalog, error) != NULL
               : kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                                  "certificate authentication failed for user \"%s\"", role);
  if (self->auth != KVSQLD_AUTH_PEER || catalog->roles == NULL)
    return TRUE;
  if (self->is_operator)
    {
      if (kvsql_catalog_find_role (catalog, role) != NULL)
        self->role = g_strdup (role);
      return self->role == NULL || find_own_role (self, catalog, error) != NULL;
    }
  if (find_peer_role (self, catalog, error) == NULL)
    return FALSE;
  return g_str_equal (self->role, role)
         || kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                             "Peer authentication failed for user \"%s\"", role);
}

gchar *
kvsqld_identity_describe (const KvsqldIdentity *self)
{
  return self->role != NULL ? g_strdup (self->role) : kvsqld_user_name (self->user_id);
}
