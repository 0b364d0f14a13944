/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role-limits.c: the limits of roles: connections, running statements, memory and rows.
 *
 * They are those of the role that has logged in: SET ROLE does not change them. None counts for
 * SUPERUSER, as in PostgreSQL.
 */
#include "config.h"

#include "daemon/service/service-private.h"

static gboolean
fail_connections (const KvsqlRole *role, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "too many connections for role \"%s\"", role->name);
  kvsql_error_sqlstate (error, "53300");
  return kvsql_error_hint (error, "Its CONNECTION LIMIT is %" G_GINT64_FORMAT ".",
                           role->limits[KVSQL_ROLE_LIMIT_CONNECTIONS]);
}

/* The session joins its role at its first statement. */
static gboolean
join (const KvsqldContext *self, const KvsqlRole *role, KvsqldRoleUsage **out, GError **error)
{
  KvsqldSession *session = self->request->session;
  gint64 limit = role->is_admin ? -1 : role->limits[KVSQL_ROLE_LIMIT_CONNECTIONS];

  *out = kvsqld_session_get_role_usage (session);
  if (*out != NULL && g_str_equal ((*out)->name, role->name))
    return TRUE;
  *out = kvsqld_role_usages_join (self->service->roles, role->name, limit);
  if (*out == NULL)
    return fail_connections (role, error);
  kvsqld_session_set_role_usage (session, *out);
  return TRUE;
}

/* The memory of a statement is counted for its role from here on. What a request had before is
 * counted, too. */
static void
count (KvsqldContext *self, KvsqldRoleUsage *usage)
{
  self->role_usage = usage;
  kvsql_count_add (&usage->n_running, 1);
  kvsql_account_join (self->account, usage->account);
}

static void
set_limits (KvsqldContext *self, const KvsqlRole *role)
{
  gint64 max_bytes, max_rows;

  for (guint i = 0; i < KVSQL_N_ROLE_LIMITS; i++)
    self->role_limits[i] = role->is_admin ? -1 : role->limits[i];
  max_bytes = self->role_limits[KVSQL_ROLE_LIMIT_MEMORY];
  max_rows = self->role_limits[KVSQL_ROLE_LIMIT_ROWS];
  self->usage.role = self->role_usage->name;
  self->usage.of_role = max_bytes >= 0 ? self->role_usage->account : NULL;
  self->usage.max_role_bytes = (gsize)MAX (max_bytes, 0);
  self->usage.n_of_role = &self->role_usage->n_running;
  self->usage.has_max_written = max_rows >= 0;
  self->usage.max_written = (guint64)MAX (max_rows, 0);
}

gboolean
kvsqld_context_join_role (KvsqldContext *self, GError **error)
{
  const KvsqlRole *role = self->authority.login;
  KvsqldRoleUsage *usage;

  if (role == NULL || self->request->session == NULL)
    return TRUE;
  if (!join (self, role, &usage, error))
    return FALSE;
  if (self->role_usage == NULL)
    count (self, usage);
  set_limits (self, role);
  return TRUE;
}

void
kvsqld_context_leave_role (KvsqldContext *self)
{
  if (self->role_usage != NULL)
    kvsql_count_add (&self->role_usage->n_running, -1);
}

/* ---- what is over a limit */

gboolean
kvsqld_context_check_role_statements (const KvsqldContext *self, GError **error)
{
  gint64 limit = self->role_usage != NULL ? self->role_limits[KVSQL_ROLE_LIMIT_STATEMENTS] : -1;

  if (limit < 0 || kvsql_count_get (&self->role_usage->n_running) <= limit)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "too many statements of role \"%s\" run already", self->role_usage->name);
  kvsql_error_sqlstate (error, "53400");
  return kvsql_error_hint (error,
                           "Its STATEMENT LIMIT is %" G_GINT64_FORMAT
                           ". Repeat it later; SHOW STATEMENTS says what runs.",
                           limit);
}

gboolean
kvsqld_context_check_role_rows (const KvsqldContext *self, guint64 n_rows, GError **error)
{
  gint64 limit = self->role_usage != NULL ? self->role_limits[KVSQL_ROLE_LIMIT_ROWS] : -1;

  if (limit < 0 || n_rows <= (guint64)limit)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the result has more than %" G_GINT64_FORMAT
                   " rows, the row limit of role \"%s\"",
                   limit, self->role_usage->name);
  kvsql_error_sqlstate (error, "53400");
  return kvsql_error_hint (error, "Use LIMIT, or narrow the predicate. A role with SUPERUSER may "
                                  "change the limit: ALTER ROLE … ROW LIMIT n.");
}
