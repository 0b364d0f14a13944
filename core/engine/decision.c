/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decision.c: collects the changes that a statement leads to, and finds the roles that it names.
 */
#include "config.h"

#include "core/engine/definitions-private.h"

void
kvsql_decision_add (KvsqlDecision *self, KvsqlDefinitionKind kind, const gchar *name,
                    gboolean is_quoted, const gchar *text)
{
  KvsqlArena *arena = self->execution->binder.arena;

  g_assert (self->n_changes < KVSQL_MAX_DEFINITION_CHANGES);
  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = kind,
                                 .name = kvsql_name_fold_in_arena (arena, name, is_quoted),
                                 .text = kvsql_arena_strdup (arena, text) };
}

void
kvsql_decision_add_rights (KvsqlDecision *self, KvsqlDefinitionKind kind, const gchar *key,
                           const KvsqlAcl *acl)
{
  KvsqlArena *arena = self->execution->binder.arena;
  g_autofree gchar *text = acl != NULL ? kvsql_acl_print (acl, key) : NULL;

  g_assert (self->n_changes < KVSQL_MAX_DEFINITION_CHANGES);
  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = kind,
                                 .name = kvsql_arena_strdup (arena, key),
                                 .text = text != NULL ? kvsql_arena_strdup (arena, text) : NULL };
}

gboolean
kvsql_fail_unknown_role (const KvsqlName *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "role \"%s\" does not exist",
                   name->text);
  return kvsql_error_sqlstate (error, "42704");
}

const KvsqlRole *
kvsql_find_role (const KvsqlCatalog *catalog, const KvsqlName *name, GError **error)
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
