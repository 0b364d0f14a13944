/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grant.c: GRANT, REVOKE and ALTER RELATION … OWNER TO; what other changes of definitions do to
 * rights.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/definitions-private.h"

/* Of one relation: its rights are read by each statement of an ordinary role. */
#define MAX_ITEMS 1000

/* ---- changes */

/* @acl: nullable: there is nothing any more */
static void
add_rights (KvsqlDecision *self, const gchar *key, const KvsqlAcl *acl)
{
  KvsqlArena *arena = self->execution->binder.arena;
  g_autofree gchar *text = acl != NULL ? kvsql_acl_print (acl, key) : NULL;

  g_assert (self->n_changes < KVSQL_MAX_DEFINITION_CHANGES);
  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = KVSQL_DEFINITION_RIGHTS,
                                 .name = kvsql_arena_strdup (arena, key),
                                 .text = text != NULL ? kvsql_arena_strdup (arena, text) : NULL };
}

void
kvsql_decision_add_owner (KvsqlDecision *self, const KvsqlRelation *relation)
{
  const KvsqlRole *role = self->execution->authority.role;
  g_autofree gchar *key = kvsql_name_fold (relation->name, relation->is_quoted);
  g_autoptr (KvsqlAcl) acl = role != NULL ? kvsql_acl_new (role->name) : NULL;

  if (acl != NULL)
    add_rights (self, key, acl);
}

void
kvsql_decision_remove_rights (KvsqlDecision *self, const KvsqlCatalogEntry *entry)
{
  g_autofree gchar *key = kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);

  if (entry->acl != NULL)
    add_rights (self, key, NULL);
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
    add_rights (self, old_key, NULL);
  add_rights (self, new_key, acl);
}

/* ---- roles */

gboolean
kvsql_fail_unknown_role (const KvsqlName *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "role \"%s\" does not exist",
                   name->text);
  return kvsql_error_sqlstate (error, "42704");
}

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

static const KvsqlRole *
find_role (const KvsqlCatalog *catalog, const KvsqlName *name, GError **error)
{
  g_autofree gchar *folded = name->text != NULL ? kvsql_role_fold_name (name) : NULL;
  const KvsqlRole *role = folded != NULL ? kvsql_catalog_find_role (catalog, folded) : NULL;

  if (folded == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "this cannot be granted to PUBLIC");
      kvsql_error_hint (error, "Name the roles.");
    }
  else if (role == NULL)
    kvsql_fail_unknown_role (name, error);
  return role;
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
  const KvsqlRole *member = find_role (edits->catalog, name, error);

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
      const KvsqlRole *group = find_role (edits->catalog, &grant->objects[i], error);

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
    if (find_role (catalog,
                   i < statement->n_members ? &statement->members[i]
                                            : &statement->admins[i - statement->n_members],
                   error)
        == NULL)
      return FALSE;
  for (guint i = 0; i < statement->n_groups; i++)
    {
      const KvsqlRole *group = find_role (catalog, &statement->groups[i], error);
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
          const KvsqlRole *role = find_role (edits->catalog, &grant->grantees[g], error);

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

/* ---- rights on relations */

/* The role that grants: the owner, or a role that has the option for @rights. *out: in the text of
 * the rights; NULL: an administrator */
static gboolean
find_grantor (KvsqlDecision *self, const KvsqlCatalogEntry *entry, const gchar *attribute,
              guint rights, const gchar **out)
{
  const KvsqlAuthority *authority = &self->execution->authority;

  *out = entry->acl != NULL ? entry->acl->owner : NULL;
  if (kvsql_authority_owns (authority, entry))
    return TRUE;
  for (guint i = 0; entry->acl != NULL && i < entry->acl->items->len; i++)
    {
      const KvsqlAclItem *item = entry->acl->items->pdata[i];

      if (item->grantee == NULL || (rights & ~item->options) != 0
          || !kvsql_authority_acts_as (authority, item->grantee)
          || (item->attribute != NULL && g_strcmp0 (item->attribute, attribute) != 0))
        continue;
      *out = item->grantee;
      return TRUE;
    }
  return FALSE;
}

/* One right on the relation or an attribute, to or from one role. */
static gboolean
change_right (KvsqlDecision *self, const KvsqlCatalogEntry *entry, KvsqlAcl *acl,
              const KvsqlGrantStatement *grant, const KvsqlGrantedRight *right,
              const gchar *attribute, const gchar *grantee, const KvsqlName *object, GError **error)
{
  g_autofree gchar *named
      = grant->granted_by.text != NULL ? kvsql_role_fold_name (&grant->granted_by) : NULL;
  const gchar *grantor;

  if (!find_grantor (self, entry, attribute, right->rights, &grantor))
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, object->span,
                            "permission denied for relation \"%s\"", entry->relation->name)
           || kvsql_error_hint (error, "The owner may grant, and roles WITH GRANT OPTION.");
  if (named != NULL && self->execution->authority.is_limited && g_strcmp0 (named, grantor) != 0)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, grant->granted_by.span,
                            "grantor must be current user")
           || kvsql_error_sqlstate (error, "0LP01");
  if (named != NULL)
    grantor = named;
  if (!grant->is_revoke)
    {
      kvsql_acl_grant (acl, grantee, grantor, attribute, right->rights, grant->has_option);
      return acl->items->len <= MAX_ITEMS
             || kvsql_error_set (error, KVSQL_ERROR_LIMIT, object->span,
                                 "rights on relation \"%s\" were granted more than %d times",
                                 entry->relation->name, MAX_ITEMS)
             || kvsql_error_hint (error, "Grant them to roles that have others as members.");
    }
  if (kvsql_acl_revoke (acl, grantee, grantor, attribute, right->rights, grant->has_option,
                        grant->is_cascade))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, object->span, "dependent privileges exist");
  kvsql_error_sqlstate (error, "2BP01");
  return kvsql_error_hint (error, "Use CASCADE to revoke them too.");
}

static gboolean
change_right_of_all (KvsqlDecision *self, const KvsqlCatalogEntry *entry, KvsqlAcl *acl,
                     const KvsqlGrantStatement *grant, const KvsqlGrantedRight *right,
                     const gchar *grantee, const KvsqlName *object, GError **error)
{
  if (right->n_attributes == 0)
    return change_right (self, entry, acl, grant, right, NULL, grantee, object, error);
  for (guint i = 0; i < right->n_attributes; i++)
    {
      const KvsqlAttribute *attribute;
      g_autofree gchar *key = NULL;
      guint a;

      if (!kvsql_relation_find (entry->relation, &right->attributes[i], &a, error))
        return FALSE;
      attribute = &entry->relation->attributes[a];
      key = kvsql_name_fold (attribute->name, attribute->is_quoted);
      if (!change_right (self, entry, acl, grant, right, key, grantee, object, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
change_grantee (KvsqlDecision *self, const KvsqlCatalogEntry *entry, KvsqlAcl *acl,
                const KvsqlGrantStatement *grant, const KvsqlName *name, const KvsqlName *object,
                GError **error)
{
  const KvsqlRole *role
      = name->text != NULL ? find_role (self->execution->catalog, name, error) : NULL;

  if (name->text != NULL && role == NULL)
    return FALSE;
  if (role == NULL && grant->has_option && !grant->is_revoke)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "grant options can only be granted to roles");
      return kvsql_error_sqlstate (error, "0LP01");
    }
  for (guint i = 0; i < grant->n_rights && kvsql_interrupt_tick (); i++)
    if (!change_right_of_all (self, entry, acl, grant, &grant->rights[i],
                              role != NULL ? role->name : NULL, object, error))
      return FALSE;
  return kvsql_interrupt_poll (error);
}

static gboolean
change_relation (KvsqlDecision *self, const KvsqlGrantStatement *grant, const KvsqlName *object,
                 GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry
      = kvsql_authority_lookup (&execution->authority, execution->catalog, object);
  g_autoptr (KvsqlAcl) acl = NULL;
  g_autofree gchar *key = NULL, *before = NULL, *after = NULL;

  if (entry == NULL)
    return kvsql_authority_fail_unknown (&execution->authority, execution->catalog, "relation",
                                         object, error);
  acl = kvsql_acl_copy (entry->acl);
  for (guint i = 0; i < grant->n_grantees; i++)
    if (!change_grantee (self, entry, acl, grant, &grant->grantees[i], object, error))
      return FALSE;
  key = kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);
  before = entry->acl != NULL ? kvsql_acl_print (entry->acl, key) : NULL;
  after = kvsql_acl_print (acl, key);
  if (g_strcmp0 (before, after) == 0)
    {
      kvsql_result_page_note (self->page, "nothing was changed: it is so already");
      return TRUE;
    }
  for (guint i = 0; i < self->n_changes; i++)
    if (g_str_equal (self->changes[i].name, key))
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, object->span,
                              "relation \"%s\" is named twice", entry->relation->name);
  if (self->n_changes == KVSQL_MAX_DEFINITION_CHANGES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, object->span, "too many relations at once");
  add_rights (self, key, acl);
  return TRUE;
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
      break;
    }
  for (guint i = 0; i < grant->n_objects; i++)
    if (!change_relation (self, grant, &grant->objects[i], error))
      return FALSE;
  return TRUE;
}

/* ---- owners */

gboolean
kvsql_decide_owner (KvsqlDecision *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (execution->catalog, &alter->relation, error);
  const KvsqlRole *role
      = entry != NULL ? find_role (execution->catalog, &alter->new_name, error) : NULL;
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
  add_rights (self, key, acl);
  return TRUE;
}
