/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role.c: CREATE, ALTER and DROP ROLE, and SHOW ROLES.
 */
#include "config.h"

#include "core/engine/definitions-private.h"
#include "core/engine/show-roles.h"

/* Relations that the error of DROP ROLE names. */
#define MAX_DEPENDENT 10

static void
add_removal (KvsqlDecision *self, const gchar *name)
{
  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = KVSQL_DEFINITION_ROLE,
                                 .name = kvsql_arena_strdup (self->execution->binder.arena, name) };
}

static gboolean
check_name (const KvsqlName *name, const gchar *folded, GError **error)
{
  if (strlen (folded) > KVSQL_ROLE_MAX_NAME_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, name->span,
                            "the name of a role has more than %d bytes", KVSQL_ROLE_MAX_NAME_BYTES);
  if (folded[0] != '\0' && !g_str_has_prefix (folded, "pg_") && !g_str_equal (folded, "public"))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "role name \"%s\" is reserved",
                   name->text);
  return kvsql_error_sqlstate (error, "42939");
}

static gboolean
is_other_admin (const KvsqlCatalog *catalog, const gchar *name)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, catalog->roles);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const KvsqlRole *role = value;

      if (role->is_admin && role->may_log_in && !g_str_equal (role->name, name))
        return TRUE;
    }
  return FALSE;
}

/* Where no role administers, only the daemon's own user and root can change roles. */
static void
note_admin (KvsqlDecision *self, const KvsqlRole *before, const gchar *name)
{
  if (before->is_admin && before->may_log_in && !is_other_admin (self->execution->catalog, name))
    kvsql_result_page_warn (self->page,
                            "note: \"%s\" was the last SUPERUSER that may log in: now "
                            "only root and the user of kvsqld may change roles, over a "
                            "UNIX socket",
                            name);
}

static gboolean
decide_new (KvsqlDecision *self, const KvsqlRoleStatement *statement, const gchar *name,
            GError **error)
{
  g_autoptr (KvsqlRole) role = kvsql_role_new (name);

  if (!check_name (&statement->name, name, error) || !kvsql_role_apply (role, statement, error))
    return FALSE;
  /* no other commit has that epoch. As in PostgreSQL, the SYSID of a user does not count. */
  role->since = self->execution->catalog->epoch + 1;
  if (!kvsql_decision_join_groups (self, statement, role, error))
    return FALSE;
  if (role->has_password && !role->may_log_in)
    kvsql_result_page_warn (self->page, "note: role \"%s\" has a password, but not LOGIN", name);
  kvsql_decision_add_role (self, role);
  return TRUE;
}

static gboolean
decide_altered (KvsqlDecision *self, const KvsqlRole *old, const KvsqlRoleStatement *statement,
                GError **error)
{
  g_autoptr (KvsqlRole) role = kvsql_role_copy (old);

  if (!kvsql_role_apply (role, statement, error))
    return FALSE;
  if (!role->is_admin || !role->may_log_in)
    note_admin (self, old, old->name);
  kvsql_decision_add_role (self, role);
  return TRUE;
}

/* ---- DROP ROLE */

/* What depends on the role. */
typedef struct
{
  const gchar *role;
  GString *detail;
  guint n;
} Dependent;

static void
add_dependent (Dependent *self, const KvsqlAcl *acl, const gchar *what, const gchar *name)
{
  gboolean is_owner;

  if (acl == NULL || !kvsql_acl_mentions (acl, self->role))
    return;
  is_owner = g_strcmp0 (acl->owner, self->role) == 0;
  if (self->n++ < MAX_DEPENDENT)
    g_string_append_printf (self->detail, "%s%s %s %s", self->n > 1 ? "; " : "",
                            is_owner ? "owner of" : "rights on", what, name);
}

/* What it owns, and what it was granted, is not lost silently. */
static gboolean
check_unused (const KvsqlDecision *self, const KvsqlRoleStatement *statement, const gchar *name,
              GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autoptr (GPtrArray) sequences = kvsql_catalog_list_sequences (catalog);
  g_autoptr (GString) detail = g_string_new (NULL);
  Dependent dependent = { .role = name, .detail = detail };

  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      add_dependent (&dependent, entry->acl, "relation", entry->relation->name);
    }
  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];

      add_dependent (&dependent, sequence->acl, "sequence", sequence->name);
    }
  if (dependent.n == 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, statement->name.span,
                   "role \"%s\" cannot be dropped because some objects depend on it", name);
  kvsql_error_sqlstate (error, "2BP01");
  kvsql_error_detail (error, "%s%s", detail->str,
                      dependent.n > MAX_DEPENDENT ? "; and others" : "");
  return kvsql_error_hint (
      error, "REASSIGN OWNED BY it TO another role, and DROP OWNED BY it, which revokes its "
             "rights, too.");
}

static gboolean
leave_groups (KvsqlDecision *self, const gchar *name, GError **error)
{
  g_autoptr (GPtrArray) roles = kvsql_list_roles (self->execution->catalog);

  for (guint i = 0; i < roles->len; i++)
    {
      const KvsqlRole *group = roles->pdata[i];
      g_autoptr (KvsqlRole) copy = NULL;

      if (kvsql_role_find_member (group, name) == NULL)
        continue;
      if (self->n_changes == KVSQL_MAX_DEFINITION_CHANGES)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "role \"%s\" is a member of too many roles", name)
               || kvsql_error_hint (error, "REVOKE some memberships first.");
      copy = kvsql_role_copy (group);
      kvsql_role_remove_member (copy, name, FALSE);
      kvsql_decision_add_role (self, copy);
    }
  return TRUE;
}

gboolean
kvsql_decide_role (KvsqlDecision *self, const KvsqlRoleStatement *statement, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autofree gchar *name = NULL;
  const KvsqlRole *old;

  if (!kvsql_catalog_check_known (catalog, error))
    return FALSE;
  if (statement->action == KVSQL_ROLE_DROP_OWNED || statement->action == KVSQL_ROLE_REASSIGN_OWNED)
    return kvsql_decide_owned (self, statement, error);
  name = kvsql_role_fold_name (&statement->name);
  old = kvsql_catalog_find_role (catalog, name);
  if (statement->action == KVSQL_ROLE_CREATE)
    {
      if (old == NULL)
        return decide_new (self, statement, name, error);
      kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, statement->name.span,
                       "role \"%s\" already exists", statement->name.text);
      return kvsql_error_sqlstate (error, "42710");
    }
  if (old == NULL && statement->if_exists)
    {
      kvsql_result_page_warn (self->page, "note: role \"%s\" does not exist, skipping",
                              statement->name.text);
      return TRUE;
    }
  if (old == NULL)
    return kvsql_fail_unknown_role (&statement->name, error);
  if (statement->action == KVSQL_ROLE_ALTER)
    return decide_altered (self, old, statement, error);
  note_admin (self, old, name);
  add_removal (self, name);
  return check_unused (self, statement, name, error) && leave_groups (self, name, error);
}

/* ---- SHOW ROLES */

/* 64MB, or a number of bytes that is no multiple of a unit. (transfer full) (nullable) */
static gchar *
print_limit (const KvsqlRole *role, KvsqlRoleLimit limit)
{
  static const gchar *const units[] = { "B", "kB", "MB", "GB", "TB" };
  gint64 n = role->limits[limit];
  guint unit = 0;

  if (n < 0)
    return NULL;
  if (limit != KVSQL_ROLE_LIMIT_MEMORY)
    return g_strdup_printf ("%" G_GINT64_FORMAT, n);
  for (; unit + 1 < G_N_ELEMENTS (units) && n % 1024 == 0; unit++)
    n /= 1024;
  return g_strdup_printf ("%" G_GINT64_FORMAT "%s", n, units[unit]);
}

/* The roles of which it is a member. */
static gchar *
list_groups (const GPtrArray *roles, const gchar *name)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < roles->len; i++)
    {
      const KvsqlRole *group = roles->pdata[i];

      if (kvsql_role_find_member (group, name) != NULL)
        g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", group->name);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

KvsqlResultPage *
kvsql_execute_show_roles (const KvsqlExecution *execution, GError **error)
{
  static const gchar *const names[] = { "role",
                                        "login",
                                        "superuser",
                                        "password",
                                        "valid until",
                                        "connection limit",
                                        "statement limit",
                                        "memory limit",
                                        "row limit",
                                        "member of" };
  g_autoptr (GPtrArray) roles = NULL;
  KvsqlResultPage *page;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return NULL;
  roles = kvsql_list_roles (execution->catalog);
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < roles->len; i++)
    {
      const KvsqlRole *shown = roles->pdata[i];
      g_autofree gchar *until
          = shown->until_ms != KVSQL_ROLE_ALWAYS ? kvsql_time_text (shown->until_ms) : NULL;
      g_autofree gchar *connections = print_limit (shown, KVSQL_ROLE_LIMIT_CONNECTIONS);
      g_autofree gchar *statements = print_limit (shown, KVSQL_ROLE_LIMIT_STATEMENTS);
      g_autofree gchar *memory = print_limit (shown, KVSQL_ROLE_LIMIT_MEMORY);
      g_autofree gchar *rows = print_limit (shown, KVSQL_ROLE_LIMIT_ROWS);
      g_autofree gchar *groups = list_groups (roles, shown->name);
      const gchar *row[] = { shown->name,
                             shown->may_log_in ? "yes" : "no",
                             shown->is_admin ? "yes" : "no",
                             shown->has_password ? "yes" : "no",
                             until,
                             connections,
                             statements,
                             memory,
                             rows,
                             groups };

      kvsql_result_page_add_row (page, row);
    }
  return page;
}
