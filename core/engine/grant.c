/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grant.c: GRANT and REVOKE of roles and of DEFINE, and ALTER RELATION … OWNER TO; what other
 * changes of definitions do to rights.
 */
#include "config.h"

#include "core/engine/definitions-private.h"

/* ---- changes */

void
kvsql_decision_add_owner (KvsqlDecision *self, const KvsqlRelation *relation)
{
  const KvsqlRole *role = self->execution->authority.role;
  g_autofree gchar *key = kvsql_name_fold (relation->name, relation->is_quoted);
  g_autoptr (KvsqlAcl) acl = role != NULL ? kvsql_acl_new (role->name) : NULL;

  if (acl != NULL)
    kvsql_decision_add_rights (self, KVSQL_DEFINITION_RIGHTS, key, acl);
}

void
kvsql_decision_remove_rights (KvsqlDecision *self, const KvsqlCatalogEntry *entry)
{
  g_autofree gchar *key = kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);

  if (entry->acl != NULL)
    kvsql_decision_add_rights (self, KVSQL_DEFINITION_RIGHTS, key, NULL);
}

static gboolean
has_attribute (const KvsqlRelation *relation, const gchar *key)
{
  gboolean found = FALSE;

  for (guint i = 0; i < relation->n_attributes && !found; i++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[i];
      g_autofree gchar *own = kvsql_name_fold (attribute->name, attribute->is_quoted);

      found = g_str_equal (own, key);
    }
  return found;
}

/* The attribute that @new has in place of one of @old, of the same number; NULL: none. */
static const KvsqlAttribute *
find_renamed (const KvsqlRelation *old, const KvsqlRelation *new, guint i)
{
  g_autofree gchar *own = NULL;

  if (old->n_attributes != new->n_attributes)
    return NULL;
  own = kvsql_name_fold (new->attributes[i].name, new->attributes[i].is_quoted);
  return has_attribute (old, own) ? NULL : &new->attributes[i];
}

static void
follow_attributes (KvsqlAcl *acl, const KvsqlRelation *old, const KvsqlRelation *new,
                   gboolean is_rename)
{
  for (guint i = 0; i < old->n_attributes; i++)
    {
      const KvsqlAttribute *attribute = &old->attributes[i];
      g_autofree gchar *key = kvsql_name_fold (attribute->name, attribute->is_quoted);
      const KvsqlAttribute *renamed
          = !is_rename || has_attribute (new, key) ? NULL : find_renamed (old, new, i);
      g_autofree gchar *new_key
          = renamed != NULL ? kvsql_name_fold (renamed->name, renamed->is_quoted) : NULL;

      if (!has_attribute (new, key))
        kvsql_acl_rename_attribute (acl, key, new_key);
    }
}

void
kvsql_decision_follow_rights (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                              const KvsqlRelation *new, gboolean is_rename)
{
  const KvsqlRelation *old = entry->relation;
  g_autofree gchar *old_key = kvsql_name_fold (old->name, old->is_quoted);
  g_autofree gchar *new_key = kvsql_name_fold (new->name, new->is_quoted);
  g_autofree gchar *before = NULL, *after = NULL;
  g_autoptr (KvsqlAcl) acl = NULL;

  if (entry->acl == NULL)
    return;
  acl = kvsql_acl_copy (entry->acl);
  follow_attributes (acl, old, new, is_rename);
  before = kvsql_acl_print (entry->acl, old_key);
  after = kvsql_acl_print (acl, new_key);
  if (g_strcmp0 (before, after) == 0)
    return;
  if (!g_str_equal (old_key, new_key))
    kvsql_decision_add_rights (self, KVSQL_DEFINITION_RIGHTS, old_key, NULL);
  kvsql_decision_add_rights (self, KVSQL_DEFINITION_RIGHTS, new_key, acl);
}

/* ---- roles */

/* The registry gets the verifier; its history does not. */
void
kvsql_decision_add_role (KvsqlDecision *self, const KvsqlRole *role)
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

/* Roles that a statement changes, each once. */
typedef struct
{
  const KvsqlCatalog *catalog;
  GPtrArray *roles;
} Edits;

static void
edits_clear (Edits *self)
{
  g_clear_pointer (&self->roles, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Edits, edits_clear)

static KvsqlRole *
edit (Edits *self, const KvsqlRole *role)
{
  KvsqlRole *copy;

  for (guint i = 0; i < self->roles->len; i++)
    if (g_str_equal (((const KvsqlRole *)self->roles->pdata[i])->name, role->name))
      return self->roles->pdata[i];
  copy = kvsql_role_copy (role);
  g_ptr_array_add (self->roles, copy);
  return copy;
}

static gboolean
commit (const Edits *self, KvsqlDecision *decision, KvsqlSpan span, GError **error)
{
  guint n = 0;

  for (guint i = 0; i < self->roles->len; i++)
    {
      const KvsqlRole *new = self->roles->pdata[i];
      g_autofree gchar *before
          = kvsql_role_print (kvsql_catalog_find_role (self->catalog, new->name), TRUE);
      g_autofree gchar *after = kvsql_role_print (new, TRUE);

      if (g_str_equal (before, after))
        continue;
      if (decision->n_changes == KVSQL_MAX_DEFINITION_CHANGES)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, span, "too many roles at once");
      kvsql_decision_add_role (decision, new);
      n++;
    }
  if (n == 0)
    kvsql_result_page_note (decision->page, "nothing was changed: it is so already");
  return TRUE;
}

/* ---- membership */

static gboolean
check_may_grant_role (const KvsqlAuthority *authority, const KvsqlRole *group,
                      const KvsqlName *name, GError **error)
{
  gboolean may = !authority->is_limited;

  for (guint i = 0; i < group->members->len && !may && !group->is_admin; i++)
    {
      const KvsqlRoleMember *member = group->members->pdata[i];

      may = member->is_admin && kvsql_authority_acts_as (authority, member->name);
    }
  if (may)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                   group->is_admin ? "must be superuser to grant or revoke role \"%s\""
                                   : "must have admin option on role \"%s\"",
                   group->name);
  return FALSE;
}

static gboolean
check_not_circular (const KvsqlRole *group, const KvsqlRole *member, const KvsqlName *name,
                    GError **error)
{
  if (!g_hash_table_contains (group->acts_as, member->name))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "role \"%s\" is a member of role \"%s\"",
                   group->name, member->name);
  return kvsql_error_sqlstate (error, "0LP01");
}

static gboolean
decide_member (Edits *edits, const KvsqlGrantStatement *grant, const KvsqlRole *group,
               const KvsqlName *name, GError **error)
{
  const KvsqlRole *member = kvsql_find_role (edits->catalog, name, error);

  if (member == NULL)
    return FALSE;
  if (grant->is_revoke)
    {
      kvsql_role_remove_member (edit (edits, group), member->name, grant->has_option);
      return TRUE;
    }
  if (!check_not_circular (group, member, name, error))
    return FALSE;
  kvsql_role_add_member (edit (edits, group), member->name, grant->has_option);
  return TRUE;
}

static gboolean
decide_roles (KvsqlDecision *self, Edits *edits, const KvsqlGrantStatement *grant, GError **error)
{
  for (guint i = 0; i < grant->n_objects; i++)
    {
      const KvsqlRole *group = kvsql_find_role (edits->catalog, &grant->objects[i], error);

      if (group == NULL
          || !check_may_grant_role (&self->execution->authority, group, &grant->objects[i], error))
        return FALSE;
      for (guint g = 0; g < grant->n_grantees; g++)
        if (!decide_member (edits, grant, group, &grant->grantees[g], error))
          return FALSE;
    }
  return commit (edits, self, grant->objects[0].span, error);
}

/* Of two roles in one statement each may become a member of the other: CREATE ROLE x ROLE y IN ROLE
 * y. */
gboolean
kvsql_decision_join_groups (KvsqlDecision *self, const KvsqlRoleStatement *statement,
                            const KvsqlRole *new, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;

  for (guint i = 0; i < statement->n_members + statement->n_admins; i++)
    if (kvsql_find_role (catalog,
                         i < statement->n_members ? &statement->members[i]
                                                  : &statement->admins[i - statement->n_members],
                         error)
        == NULL)
      return FALSE;
  for (guint i = 0; i < statement->n_groups; i++)
    {
      const KvsqlRole *group = kvsql_find_role (catalog, &statement->groups[i], error);
      g_autoptr (KvsqlRole) copy = NULL;

      if (group == NULL)
        return FALSE;
      for (guint m = 0; m < new->members->len; m++)
        {
          const KvsqlRole *member = kvsql_catalog_find_role (
              catalog, ((const KvsqlRoleMember *)new->members->pdata[m])->name);

          if (!check_not_circular (group, member, &statement->groups[i], error))
            return FALSE;
        }
      if (self->n_changes + 1 >= KVSQL_MAX_DEFINITION_CHANGES)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, statement->groups[i].span,
                                "too many roles at once");
      copy = kvsql_role_copy (group);
      kvsql_role_add_member (copy, new->name, FALSE);
      kvsql_decision_add_role (self, copy);
    }
  return TRUE;
}

/* ---- DEFINE ON TABLES */

static gboolean
decide_tables (KvsqlDecision *self, Edits *edits, const KvsqlGrantStatement *grant, GError **error)
{
  KvsqlSpan span = grant->grantees[0].span;

  if (self->execution->authority.is_limited)
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, span,
                            "permission denied to grant or revoke DEFINE")
           || kvsql_error_hint (error, "Roles with SUPERUSER may.");
  if (grant->has_option)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span,
                            "DEFINE cannot be granted WITH GRANT OPTION");
  for (guint i = 0; i < grant->n_patterns; i++)
    {
      const KvsqlSlice bytes = grant->patterns[i].bytes;
      g_autofree gchar *pattern = g_strndup ((const gchar *)bytes.data, bytes.size);

      if (!kvsql_table_pattern_check (bytes, span, error))
        return FALSE;
      for (guint g = 0; g < grant->n_grantees; g++)
        {
          const KvsqlRole *role = kvsql_find_role (edits->catalog, &grant->grantees[g], error);

          if (role == NULL)
            return FALSE;
          if (!grant->is_revoke)
            kvsql_role_add_pattern (edit (edits, role), pattern);
          else if (!kvsql_role_remove_pattern (edit (edits, role), pattern))
            kvsql_result_page_note (self->page, "role \"%s\" had no DEFINE on exactly '%s'",
                                    role->name, pattern);
        }
    }
  return commit (edits, self, span, error);
}

gboolean
kvsql_decide_grant (KvsqlDecision *self, const KvsqlGrantStatement *grant, GError **error)
{
  g_auto (Edits) edits = { .catalog = self->execution->catalog,
                           .roles = g_ptr_array_new_with_free_func (kvsql_role_free) };

  if (!kvsql_catalog_check_known (self->execution->catalog, error))
    return FALSE;
  switch (grant->object)
    {
    case KVSQL_GRANT_ROLES:
      return decide_roles (self, &edits, grant, error);
    case KVSQL_GRANT_TABLES:
      return decide_tables (self, &edits, grant, error);
    case KVSQL_GRANT_RELATIONS:
    case KVSQL_GRANT_SEQUENCES:
      return kvsql_decide_rights (self, grant, error);
    }
  g_assert_not_reached ();
}

/* ---- owners */

gboolean
kvsql_decide_owner (KvsqlDecision *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (execution->catalog, &alter->relation, error);
  const KvsqlRole *role
      = entry != NULL ? kvsql_find_role (execution->catalog, &alter->new_name, error) : NULL;
  g_autofree gchar *key = NULL;
  g_autoptr (KvsqlAcl) acl = NULL;

  if (role == NULL)
    return FALSE;
  if (!kvsql_authority_acts_as (&execution->authority, role->name))
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, alter->new_name.span,
                            "must be member of role \"%s\"", role->name);
  if (entry->acl != NULL && g_strcmp0 (entry->acl->owner, role->name) == 0)
    return TRUE;
  key = kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);
  acl = kvsql_acl_copy (entry->acl);
  kvsql_acl_set_owner (acl, role->name);
  if (!kvsql_decision_set_sequence_owners (self, entry, role->name, error))
    return FALSE;
  kvsql_decision_add_rights (self, KVSQL_DEFINITION_RIGHTS, key, acl);
  return TRUE;
}
