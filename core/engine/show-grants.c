/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-grants.c: SHOW GRANTS: owners, rights, memberships and patterns of tables.
 */
#include "config.h"

#include "core/engine/definitions-private.h"
#include "core/engine/show-roles.h"
#include "core/sql/printer.h"

typedef struct
{
  const KvsqlExecution *execution;
  const gchar *only; /* nullable: rows of this role */
  KvsqlResultPage *page;
} Rows;

/* What a role may see: what it, or PUBLIC, has or has granted, and all of relations that it
 * owns. */
static gboolean
is_shown (const Rows *self, const gchar *grantee, const gchar *grantor, gboolean is_owner)
{
  const KvsqlAuthority *authority = &self->execution->authority;

  if (self->only != NULL && g_strcmp0 (self->only, grantee) != 0)
    return FALSE;
  return is_owner || grantee == NULL || kvsql_authority_acts_as (authority, grantee)
         || (grantor != NULL && kvsql_authority_acts_as (authority, grantor));
}

static void
add_row (const Rows *self, const gchar *grantee, const gchar *right, const gchar *object,
         const gchar *option, const gchar *grantor)
{
  const gchar *row[] = { grantee != NULL ? grantee : "PUBLIC", right, object, option, grantor };

  kvsql_result_page_add_row (self->page, row);
}

/* @name: of the relation or sequence */
static void
add_item (const Rows *self, const gchar *object, gboolean is_owner, const KvsqlAclItem *item)
{
  if (!is_shown (self, item->grantee, item->grantor, is_owner))
    return;
  for (guint i = 0; i < KVSQL_N_RIGHTS; i++)
    {
      const gchar *name = kvsql_right_get_name ((KvsqlRight)(1u << i));
      g_autofree gchar *right = item->attribute != NULL
                                    ? g_strdup_printf ("%s (%s)", name, item->attribute)
                                    : g_strdup (name);

      if ((item->rights & (1u << i)) != 0)
        add_row (self, item->grantee, right, object,
                 (item->options & (1u << i)) != 0 ? "yes" : "no", item->grantor);
    }
}

static void
add_acl (const Rows *self, const gchar *object, gboolean is_owner, const KvsqlAcl *acl)
{
  if (acl->owner != NULL && (self->only == NULL || g_str_equal (self->only, acl->owner)))
    add_row (self, acl->owner, "OWNER", object, "yes", NULL);
  for (guint i = 0; i < acl->items->len; i++)
    add_item (self, object, is_owner, acl->items->pdata[i]);
}

static void
add_relation (const Rows *self, const KvsqlCatalogEntry *entry)
{
  const KvsqlAuthority *authority = &self->execution->authority;

  if (entry->acl != NULL && kvsql_authority_sees (authority, entry))
    add_acl (self, entry->relation->name, kvsql_authority_owns (authority, entry), entry->acl);
}

/* By name. */
static void
add_sequences (const Rows *self, const KvsqlCatalog *catalog)
{
  const KvsqlAuthority *authority = &self->execution->authority;
  g_autoptr (GPtrArray) sequences = kvsql_catalog_list_sequences (catalog);

  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];
      g_autofree gchar *shown = g_strdup_printf ("sequence %s", sequence->name);

      if (sequence->acl != NULL && kvsql_authority_get_sequence_rights (authority, sequence) != 0)
        add_acl (self, shown, kvsql_authority_owns_sequence (authority, sequence), sequence->acl);
    }
}

static gint
compare_roles (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const KvsqlRole *const *)a)->name, (*(const KvsqlRole *const *)b)->name);
}

GPtrArray *
kvsql_list_roles (const KvsqlCatalog *catalog)
{
  GPtrArray *roles = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer role;

  if (catalog->roles == NULL)
    return roles;
  g_hash_table_iter_init (&iter, catalog->roles);
  while (g_hash_table_iter_next (&iter, NULL, &role))
    g_ptr_array_add (roles, role);
  g_ptr_array_sort (roles, compare_roles);
  return roles;
}

static void
add_role (const Rows *self, const KvsqlRole *role)
{
  for (guint i = 0; i < role->members->len; i++)
    {
      const KvsqlRoleMember *member = role->members->pdata[i];

      if (is_shown (self, member->name, role->name, FALSE))
        add_row (self, member->name, "MEMBER", role->name, member->is_admin ? "yes" : "no", NULL);
    }
  for (guint i = 0; i < role->patterns->len; i++)
    if (is_shown (self, role->name, NULL, FALSE))
      add_row (self, role->name, "DEFINE", role->patterns->pdata[i], "no", NULL);
}

static gboolean
check_role (const KvsqlExecution *execution, const KvsqlName *name, const gchar *folded,
            GError **error)
{
  if (kvsql_catalog_find_role (execution->catalog, folded) == NULL)
    return kvsql_fail_unknown_role (name, error);
  return kvsql_authority_acts_as (&execution->authority, folded)
         || kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                             "permission denied for the rights of role \"%s\"", folded);
}

KvsqlResultPage *
kvsql_execute_show_grants (const KvsqlExecution *execution, const KvsqlShow *show, GError **error)
{
  static const gchar *const names[] = { "role", "right", "on", "grantable", "granted by" };
  const KvsqlCatalog *catalog = execution->catalog;
  g_autofree gchar *only
      = show->name.text != NULL && !show->is_on ? kvsql_role_fold_name (&show->name) : NULL;
  g_autoptr (GPtrArray) roles = NULL;
  Rows rows = { .execution = execution, .only = only };
  const KvsqlCatalogEntry *entry = NULL;

  if (!kvsql_catalog_check_known (catalog, error)
      || (only != NULL && !check_role (execution, &show->name, only, error)))
    return NULL;
  if (show->is_on && (entry = kvsql_catalog_find (catalog, &show->name, error)) == NULL)
    return NULL;
  rows.page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  if (entry != NULL)
    {
      add_relation (&rows, entry);
      return rows.page;
    }
  for (guint i = 0; i < catalog->entries->len; i++)
    add_relation (&rows, catalog->entries->pdata[i]);
  add_sequences (&rows, catalog);
  roles = kvsql_list_roles (catalog);
  for (guint i = 0; i < roles->len; i++)
    add_role (&rows, roles->pdata[i]);
  return rows.page;
}
