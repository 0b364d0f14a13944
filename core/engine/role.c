/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role.c: CREATE, ALTER and DROP ROLE, and SHOW ROLES.
 */
#include "config.h"

#include "core/engine/definitions-private.h"
#include "core/engine/show-roles.h"

static gboolean
fail_unknown (const KvsqlName *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "role \"%s\" does not exist",
                   name->text);
  return kvsql_error_sqlstate (error, "42704");
}

/* The registry gets the verifier; its history does not. */
static void
add_change (KvsqlDecision *self, const KvsqlRole *role)
{
  KvsqlArena *arena = self->execution->binder.arena;
  g_autofree gchar *text = kvsql_role_print (role, TRUE);
  g_autofree gchar *shown = kvsql_role_print (role, FALSE);

  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = KVSQL_DEFINITION_ROLE,
                                 .name = kvsql_arena_strdup (arena, role->name),
                                 .text = kvsql_arena_strdup (arena, text),
                                 .history_text = kvsql_arena_strdup (arena, shown) };
}

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
  if (role->has_password && !role->may_log_in)
    kvsql_result_page_warn (self->page, "note: role \"%s\" has a password, but not LOGIN", name);
  add_change (self, role);
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
  add_change (self, role);
  return TRUE;
}

gboolean
kvsql_decide_role (KvsqlDecision *self, const KvsqlRoleStatement *statement, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autofree gchar *name = kvsql_role_fold_name (&statement->name);
  const KvsqlRole *old = kvsql_catalog_find_role (catalog, name);

  if (!kvsql_catalog_check_known (catalog, error))
    return FALSE;
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
    return fail_unknown (&statement->name, error);
  if (statement->action == KVSQL_ROLE_ALTER)
    return decide_altered (self, old, statement, error);
  note_admin (self, old, name);
  add_removal (self, name);
  return TRUE;
}

/* ---- SHOW ROLES */

static gint
compare_roles (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const KvsqlRole *const *)a)->name, (*(const KvsqlRole *const *)b)->name);
}

KvsqlResultPage *
kvsql_execute_show_roles (const KvsqlExecution *execution, GError **error)
{
  static const gchar *const names[] = { "role", "login", "superuser", "password", "valid until" };
  g_autoptr (GPtrArray) roles = g_ptr_array_new ();
  KvsqlResultPage *page;
  GHashTableIter iter;
  gpointer role;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return NULL;
  if (execution->catalog->roles != NULL)
    {
      g_hash_table_iter_init (&iter, execution->catalog->roles);
      while (g_hash_table_iter_next (&iter, NULL, &role))
        g_ptr_array_add (roles, role);
    }
  g_ptr_array_sort (roles, compare_roles);
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < roles->len; i++)
    {
      const KvsqlRole *shown = roles->pdata[i];
      g_autofree gchar *until
          = shown->until_ms != KVSQL_ROLE_ALWAYS ? kvsql_time_text (shown->until_ms) : NULL;
      const gchar *row[]
          = { shown->name, shown->may_log_in ? "yes" : "no", shown->is_admin ? "yes" : "no",
              shown->has_password ? "yes" : "no", until };

      kvsql_result_page_add_row (page, row);
    }
  return page;
}
