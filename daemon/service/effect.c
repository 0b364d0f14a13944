/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * effect.c: who may execute a statement.
 */
#include "config.h"

#include "core/engine/rights.h"
#include "daemon/service/service-private.h"

gboolean
kvsqld_context_may_execute (const KvsqldContext *self, const KvsqlAstStatement *statement,
                            GError **error)
{
  const KvsqldDefinitions *definitions = self->service->definitions;
  KvsqldEffect effect = kvsqld_statement_get_effect (statement);

  if (self->request->is_read_only && effect != KVSQLD_CHANGES_NOTHING)
    return kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, statement->span,
                            "the request is read-only, and this statement writes");
  if (effect == KVSQLD_CHANGES_DEFINITIONS)
    return kvsqld_definitions_may_change (definitions, self->catalog, error);
  return effect != KVSQLD_CHANGES_TUPLES
         || kvsqld_definitions_may_write (definitions, self->catalog, error);
}

/* ---- rights */

static gboolean
has_limits (const KvsqlRoleStatement *statement)
{
  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    if (statement->limit_spans[i].offset >= 0)
      return TRUE;
  return FALSE;
}

/* ALTER ROLE of itself that changes its password only, as \password of psql does. */
static gboolean
is_own_password (const KvsqldIdentity *identity, const KvsqlRoleStatement *statement)
{
  g_autofree gchar *name
      = statement->action == KVSQL_ROLE_ALTER ? kvsql_role_fold_name (&statement->name) : NULL;

  return identity != NULL && name != NULL && statement->password_span.offset >= 0
         && statement->log_in == KVSQL_ROLE_UNSAID && statement->admin == KVSQL_ROLE_UNSAID
         && statement->until_span.offset < 0 && !has_limits (statement)
         && g_strcmp0 (name, identity->role) == 0;
}

static KvsqldAccess
get_access (const KvsqldContext *self, const KvsqlAstStatement *statement)
{
  gboolean has_roles = self->catalog->roles != NULL;

  if (statement == NULL)
    return KVSQLD_ACCESS_USE;
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_ROLE:
      /* members of the roles may drop and reassign what these own */
      if (has_roles
          && (statement->role.action == KVSQL_ROLE_DROP_OWNED
              || statement->role.action == KVSQL_ROLE_REASSIGN_OWNED))
        return KVSQLD_ACCESS_USE;
      return is_own_password (self->request->identity, &statement->role) ? KVSQLD_ACCESS_ITSELF
                                                                         : KVSQLD_ACCESS_ADMIN;
    case KVSQL_STATEMENT_GRANT: /* with roles, it depends on what is granted */
      return has_roles ? KVSQLD_ACCESS_USE : KVSQLD_ACCESS_ADMIN;
    case KVSQL_STATEMENT_SET_ROLE:
      return KVSQLD_ACCESS_ITSELF;
    case KVSQL_STATEMENT_KILL: /* with roles, that of its own sessions */
      return has_roles ? KVSQLD_ACCESS_USE : KVSQLD_ACCESS_OPERATE;
    case KVSQL_STATEMENT_BACKUP:
    case KVSQL_STATEMENT_CALIBRATE:
      return KVSQLD_ACCESS_OPERATE;
    default:
      return KVSQLD_ACCESS_USE;
    }
}

/* Names a role of a catalog. No two catalogs have the same serial. */
static guint64
get_key (const KvsqldContext *self)
{
  const KvsqlRole *role = self->authority.role;

  return (guint64)self->catalog->serial << 32 | (role != NULL ? role->number + 1 : 0);
}

/* The role that was the last to execute a statement that is kept. */
static guint64 *
get_allowed (const KvsqldContext *self, const KvsqlAstStatement *statement)
{
  if (self->kept != NULL && self->kept->statement == statement)
    return &self->kept->allowed;
  if (self->parsed != NULL && self->parsed->statement == statement)
    return &self->parsed->allowed;
  return NULL;
}

/* The rights of an ordinary role. What was found out about a kept statement counts as long as the
 * definitions do not change. */
static gboolean
check_rights (KvsqldContext *self, const KvsqlAstStatement *statement, GError **error)
{
  guint64 *allowed = get_allowed (self, statement);
  guint64 key = get_key (self);
  KvsqlExecution execution;

  if (allowed != NULL && __atomic_load_n (allowed, __ATOMIC_RELAXED) == key)
    return TRUE;
  execution = kvsqld_context_get_execution (self);
  if (!kvsql_execution_check_rights (&execution, statement, &self->checks_attributes, error))
    return FALSE;
  if (allowed != NULL && !self->checks_attributes)
    __atomic_store_n (allowed, key, __ATOMIC_RELAXED);
  return TRUE;
}

/* The role that has logged in, for display, and for others who may see and end the session; and its
 * first statement, for the audit log. */
static void
note_session (const KvsqldContext *self)
{
  const KvsqlRole *role = self->authority.login;
  KvsqldSession *session = self->request->session;

  if (session == NULL)
    return;
  if (role != NULL)
    kvsqld_session_set_role (session, role->name);
  if (kvsqld_session_note_use (session))
    kvsqld_context_audit_session (self);
}

gboolean
kvsqld_context_is_allowed (KvsqldContext *self, const KvsqlAstStatement *statement, GError **error)
{
  if (!kvsqld_identity_check (self->request->identity, self->catalog, get_access (self, statement),
                              &self->authority, error))
    return statement != NULL && kvsql_error_at (error, statement->span);
  self->checks_attributes = FALSE;
  if (!kvsqld_context_join_role (self, error))
    return FALSE;
  note_session (self);
  return statement == NULL || !self->authority.is_limited || check_rights (self, statement, error);
}
