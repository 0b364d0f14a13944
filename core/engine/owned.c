/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * owned.c: DROP OWNED and REASSIGN OWNED: what roles own, and what they were granted.
 *
 * Both are one commit, so they are bounded by its number of changes.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/definitions-private.h"
#include "core/engine/sequence-use.h"

typedef struct
{
  KvsqlDecision *decision;
  const KvsqlRoleStatement *statement;
  GHashTable *roles;       /* set of names: those after BY */
  const KvsqlRole *target; /* of REASSIGN */
} Owned;

static gboolean
fail_too_many (const Owned *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->statement->members[0].span,
                   "the roles own, or have rights on, too many objects for one statement");
  return kvsql_error_hint (error, "Name one role at a time, or DROP or ALTER some of its relations "
                                  "first.");
}

/* Whether another @n changes are possible. */
static gboolean
check_room (const Owned *self, guint n, GError **error)
{
  return n <= KVSQL_MAX_DEFINITION_CHANGES - self->decision->n_changes
         || fail_too_many (self, error);
}

static gboolean
is_owned (const Owned *self, const KvsqlAcl *acl)
{
  return acl != NULL && acl->owner != NULL && g_hash_table_contains (self->roles, acl->owner);
}

/* ---- roles */

static gboolean
find_roles (Owned *self, GError **error)
{
  const KvsqlExecution *execution = self->decision->execution;
  gboolean is_drop = self->statement->action == KVSQL_ROLE_DROP_OWNED;

  for (guint i = 0; i < self->statement->n_members; i++)
    {
      const KvsqlName *name = &self->statement->members[i];
      const KvsqlRole *role = kvsql_find_role (execution->catalog, name, error);

      if (role == NULL)
        return FALSE;
      if (!kvsql_authority_acts_as (&execution->authority, role->name))
        return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                                is_drop ? "permission denied to drop objects"
                                        : "permission denied to reassign objects")
               || kvsql_error_hint (error, "Only members of role \"%s\" may.", role->name);
      g_hash_table_add (self->roles, role->name);
    }
  return TRUE;
}

static gboolean
find_target (Owned *self, GError **error)
{
  const KvsqlExecution *execution = self->decision->execution;
  const KvsqlName *name = &self->statement->name;

  self->target = kvsql_find_role (execution->catalog, name, error);
  if (self->target == NULL)
    return FALSE;
  return kvsql_authority_acts_as (&execution->authority, self->target->name)
         || kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                             "permission denied to reassign objects")
         || kvsql_error_hint (error, "Only members of role \"%s\" may.", self->target->name);
}

/* ---- REASSIGN OWNED */

static gboolean
reassign (Owned *self, KvsqlDefinitionKind kind, const gchar *key, const KvsqlAcl *acl,
          GError **error)
{
  g_autoptr (KvsqlAcl) changed = NULL;

  if (!is_owned (self, acl))
    return TRUE;
  if (!check_room (self, 1, error))
    return FALSE;
  changed = kvsql_acl_copy (acl);
  kvsql_acl_set_owner (changed, self->target->name);
  kvsql_decision_add_rights (self->decision, kind, key, changed);
  return TRUE;
}

/* ---- DROP OWNED */

/* What the roles were granted and have granted. */
static gboolean
take_rights (Owned *self, KvsqlDefinitionKind kind, const gchar *key, const KvsqlAcl *acl,
             GError **error)
{
  g_autoptr (KvsqlAcl) changed = NULL;
  GHashTableIter iter;
  gpointer role;
  gboolean is_mentioned = FALSE;

  g_hash_table_iter_init (&iter, self->roles);
  while (acl != NULL && g_hash_table_iter_next (&iter, &role, NULL))
    is_mentioned = is_mentioned || kvsql_acl_mentions (acl, role);
  if (!is_mentioned)
    return TRUE;
  if (!check_room (self, 1, error))
    return FALSE;
  changed = kvsql_acl_copy (acl);
  g_hash_table_iter_init (&iter, self->roles);
  while (g_hash_table_iter_next (&iter, &role, NULL))
    kvsql_acl_forget (changed, role);
  kvsql_decision_add_rights (self->decision, kind, key, changed);
  return TRUE;
}

static gboolean
drop_relation (Owned *self, const KvsqlCatalogEntry *entry, GError **error)
{
  const KvsqlRelation *relation = entry->relation;
  const KvsqlDrop drop = { .is_cascade = self->statement->is_cascade,
                           .name = { .text = relation->name,
                                     .is_quoted = relation->is_quoted,
                                     .span = self->statement->members[0].span } };

  return check_room (self, kvsql_decision_count_drop (self->decision, entry), error)
         && kvsql_decide_drop (self->decision, &drop, error);
}

static gboolean
is_dropped (const Owned *self, KvsqlDefinitionKind kind, const gchar *key)
{
  for (guint i = 0; i < self->decision->n_changes; i++)
    {
      const KvsqlDefinitionChange *change = &self->decision->changes[i];

      if (change->kind == kind && change->text == NULL && g_str_equal (change->name, key))
        return TRUE;
    }
  return FALSE;
}

/* A sequence that the relations which are dropped have left. */
static gboolean
drop_sequence (Owned *self, const KvsqlNumberSequence *sequence, GError **error)
{
  const KvsqlCatalog *catalog = self->decision->execution->catalog;

  if (is_dropped (self, KVSQL_DEFINITION_SEQUENCE, sequence->name))
    return TRUE;
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      if (is_owned (self, entry->acl)
          || !kvsql_relation_uses_sequence (entry->relation, sequence->name))
        continue;
      kvsql_error_set (error, KVSQL_ERROR_INVALID, self->statement->members[0].span,
                       "a DEFAULT of relation \"%s\" uses sequence \"%s\"", entry->relation->name,
                       sequence->name);
      kvsql_error_sqlstate (error, "2BP01");
      return kvsql_error_hint (error,
                               "Use ALTER TABLE … ALTER COLUMN … DROP DEFAULT or REASSIGN OWNED "
                               "first.");
    }
  if (!check_room (self, 2, error))
    return FALSE;
  kvsql_decision_drop_sequence (self->decision, sequence);
  return TRUE;
}

/* DEFINE ON TABLES, which roles were granted. */
static gboolean
drop_patterns (Owned *self, GError **error)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->roles);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      const KvsqlRole *role = kvsql_catalog_find_role (self->decision->execution->catalog, name);
      g_autoptr (KvsqlRole) changed = NULL;

      if (role->patterns->len == 0)
        continue;
      if (!check_room (self, 1, error))
        return FALSE;
      changed = kvsql_role_copy (role);
      g_ptr_array_set_size (changed->patterns, 0);
      kvsql_decision_add_role (self->decision, changed);
    }
  return TRUE;
}

/* ---- both */

static gboolean
decide_relations (Owned *self, GError **error)
{
  const KvsqlCatalog *catalog = self->decision->execution->catalog;
  gboolean is_drop = self->statement->action == KVSQL_ROLE_DROP_OWNED;

  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];
      g_autofree gchar *key = kvsql_name_fold (entry->relation->name, entry->relation->is_quoted);

      if (!kvsql_interrupt_poll (error)
          || !(!is_drop ? reassign (self, KVSQL_DEFINITION_RIGHTS, key, entry->acl, error)
               : is_owned (self, entry->acl)
                   ? drop_relation (self, entry, error)
                   : take_rights (self, KVSQL_DEFINITION_RIGHTS, key, entry->acl, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
decide_sequences (Owned *self, GError **error)
{
  const KvsqlDefinitionKind kind = KVSQL_DEFINITION_SEQUENCE_RIGHTS;
  gboolean is_drop = self->statement->action == KVSQL_ROLE_DROP_OWNED;
  g_autoptr (GPtrArray) sequences
      = kvsql_catalog_list_sequences (self->decision->execution->catalog);

  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];

      if (!kvsql_interrupt_poll (error)
          || !(!is_drop ? reassign (self, kind, sequence->name, sequence->acl, error)
               : is_owned (self, sequence->acl)
                   ? drop_sequence (self, sequence, error)
                   : take_rights (self, kind, sequence->name, sequence->acl, error)))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_decide_owned (KvsqlDecision *self, const KvsqlRoleStatement *statement, GError **error)
{
  g_autoptr (GHashTable) roles = g_hash_table_new (g_str_hash, g_str_equal);
  Owned owned = { .decision = self, .statement = statement, .roles = roles };
  gboolean is_drop = statement->action == KVSQL_ROLE_DROP_OWNED;

  if (!find_roles (&owned, error) || (!is_drop && !find_target (&owned, error))
      || !decide_relations (&owned, error) || !decide_sequences (&owned, error)
      || (is_drop && !drop_patterns (&owned, error)))
    return FALSE;
  kvsql_decision_remove_duplicates (self);
  if (self->n_changes == 0)
    kvsql_result_page_note (self->page, "nothing was changed: there is nothing");
  return TRUE;
}
