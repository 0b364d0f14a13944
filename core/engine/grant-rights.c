/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grant-rights.c: GRANT and REVOKE of rights on relations and sequences.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/definitions-private.h"

/* Of one object: its rights are read by each statement of an ordinary role. */
#define MAX_ITEMS 1000

/* What the rights are on. */
typedef struct
{
  const gchar *what;             /* "relation" */
  const gchar *name;             /* for messages */
  const gchar *key;              /* in the registry */
  KvsqlDefinitionKind kind;      /* of the entry with its rights */
  const KvsqlAcl *acl;           /* nullable */
  const KvsqlRelation *relation; /* nullable: it has no attributes */
  gboolean is_own;               /* the authority has its owner's rights */
  KvsqlSpan span;
} Object;

static Object
object_of_relation (const KvsqlDecision *self, const KvsqlCatalogEntry *entry, KvsqlSpan span)
{
  const KvsqlRelation *relation = entry->relation;

  return (Object){ .what = "relation",
                   .name = relation->name,
                   .key = kvsql_name_fold_in_arena (self->execution->binder.arena, relation->name,
                                                    relation->is_quoted),
                   .kind = KVSQL_DEFINITION_RIGHTS,
                   .acl = entry->acl,
                   .relation = relation,
                   .is_own = kvsql_authority_owns (&self->execution->authority, entry),
                   .span = span };
}

static Object
object_of_sequence (const KvsqlDecision *self, const KvsqlNumberSequence *sequence, KvsqlSpan span)
{
  return (Object){ .what = "sequence",
                   .name = sequence->name,
                   .key = sequence->name,
                   .kind = KVSQL_DEFINITION_SEQUENCE_RIGHTS,
                   .acl = sequence->acl,
                   .is_own = kvsql_authority_owns_sequence (&self->execution->authority, sequence),
                   .span = span };
}

/* The role that grants: the owner, or a role that has the option for @rights. *out: in the text of
 * the rights; NULL: an administrator */
static gboolean
find_grantor (const KvsqlDecision *self, const Object *object, const gchar *attribute, guint rights,
              const gchar **out)
{
  const KvsqlAuthority *authority = &self->execution->authority;

  *out = object->acl != NULL ? object->acl->owner : NULL;
  if (object->is_own)
    return TRUE;
  for (guint i = 0; object->acl != NULL && i < object->acl->items->len; i++)
    {
      const KvsqlAclItem *item = object->acl->items->pdata[i];

      if (item->grantee == NULL || (rights & ~item->options) != 0
          || !kvsql_authority_acts_as (authority, item->grantee)
          || (item->attribute != NULL && g_strcmp0 (item->attribute, attribute) != 0))
        continue;
      *out = item->grantee;
      return TRUE;
    }
  return FALSE;
}

/* One right on the object or an attribute, to or from one role. */
static gboolean
change_right (KvsqlDecision *self, const Object *object, KvsqlAcl *acl,
              const KvsqlGrantStatement *grant, const KvsqlGrantedRight *right,
              const gchar *attribute, const gchar *grantee, GError **error)
{
  g_autofree gchar *named
      = grant->granted_by.text != NULL ? kvsql_role_fold_name (&grant->granted_by) : NULL;
  const gchar *grantor;

  if (!find_grantor (self, object, attribute, right->rights, &grantor))
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, object->span,
                            "permission denied for %s \"%s\"", object->what, object->name)
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
                                 "rights on %s \"%s\" were granted more than %d times",
                                 object->what, object->name, MAX_ITEMS)
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
change_right_of_all (KvsqlDecision *self, const Object *object, KvsqlAcl *acl,
                     const KvsqlGrantStatement *grant, const KvsqlGrantedRight *right,
                     const gchar *grantee, GError **error)
{
  if (right->n_attributes == 0)
    return change_right (self, object, acl, grant, right, NULL, grantee, error);
  for (guint i = 0; i < right->n_attributes; i++)
    {
      const KvsqlAttribute *attribute;
      g_autofree gchar *key = NULL;
      guint a;

      if (!kvsql_relation_find (object->relation, &right->attributes[i], &a, error))
        return FALSE;
      attribute = &object->relation->attributes[a];
      key = kvsql_name_fold (attribute->name, attribute->is_quoted);
      if (!change_right (self, object, acl, grant, right, key, grantee, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
change_grantee (KvsqlDecision *self, const Object *object, KvsqlAcl *acl,
                const KvsqlGrantStatement *grant, const KvsqlName *name, GError **error)
{
  const KvsqlRole *role
      = name->text != NULL ? kvsql_find_role (self->execution->catalog, name, error) : NULL;

  if (name->text != NULL && role == NULL)
    return FALSE;
  if (role == NULL && grant->has_option && !grant->is_revoke)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "grant options can only be granted to roles");
      return kvsql_error_sqlstate (error, "0LP01");
    }
  for (guint i = 0; i < grant->n_rights && kvsql_interrupt_tick (); i++)
    if (!change_right_of_all (self, object, acl, grant, &grant->rights[i],
                              role != NULL ? role->name : NULL, error))
      return FALSE;
  return kvsql_interrupt_poll (error);
}

/* Adds the changed rights, if they are other ones. *out_is_changed: whether they are */
static gboolean
change_object (KvsqlDecision *self, const Object *object, const KvsqlGrantStatement *grant,
               gboolean *out_is_changed, GError **error)
{
  g_autoptr (KvsqlAcl) acl = kvsql_acl_copy (object->acl);
  g_autofree gchar *before = NULL, *after = NULL;

  acl->is_of_sequence = object->relation == NULL;
  for (guint i = 0; i < grant->n_grantees; i++)
    if (!change_grantee (self, object, acl, grant, &grant->grantees[i], error))
      return FALSE;
  before = object->acl != NULL ? kvsql_acl_print (object->acl, object->key) : NULL;
  after = kvsql_acl_print (acl, object->key);
  *out_is_changed = g_strcmp0 (before, after) != 0;
  if (!*out_is_changed)
    return TRUE;
  for (guint i = 0; i < self->n_changes; i++)
    if (g_str_equal (self->changes[i].name, object->key))
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, object->span, "%s \"%s\" is named twice",
                              object->what, object->name);
  if (self->n_changes == KVSQL_MAX_DEFINITION_CHANGES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, object->span, "too many %ss at once",
                            object->what)
           || kvsql_error_hint (error, "Name some of them: ON a, b, c.");
  kvsql_decision_add_rights (self, object->kind, object->key, acl);
  return TRUE;
}

/* ---- named objects */

static gboolean
find_object (const KvsqlDecision *self, const KvsqlGrantStatement *grant, const KvsqlName *name,
             Object *out, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry;
  const KvsqlNumberSequence *sequence;
  g_autofree gchar *key = NULL;

  if (grant->object == KVSQL_GRANT_RELATIONS)
    {
      entry = kvsql_authority_lookup (&execution->authority, execution->catalog, name);
      if (entry == NULL)
        return kvsql_authority_fail_unknown (&execution->authority, execution->catalog, "relation",
                                             name, error);
      *out = object_of_relation (self, entry, name->span);
      return TRUE;
    }
  key = kvsql_name_fold (name->text, name->is_quoted);
  sequence = kvsql_authority_lookup_sequence (&execution->authority, execution->catalog, key);
  if (sequence == NULL)
    return kvsql_fail_unknown_sequence (key, name->span, error);
  *out = object_of_sequence (self, sequence, name->span);
  return TRUE;
}

static gboolean
change_named (KvsqlDecision *self, const KvsqlGrantStatement *grant, GError **error)
{
  for (guint i = 0; i < grant->n_objects; i++)
    {
      gboolean is_changed;
      Object object;

      if (!find_object (self, grant, &grant->objects[i], &object, error)
          || !change_object (self, &object, grant, &is_changed, error))
        return FALSE;
      if (!is_changed)
        kvsql_result_page_note (self->page, "nothing was changed: it is so already");
    }
  return TRUE;
}

/* ---- ON ALL TABLES, ON ALL SEQUENCES */

/* Whether the role may grant all these rights on the object: others are left out. */
static gboolean
may_grant (const KvsqlDecision *self, const Object *object, const KvsqlGrantStatement *grant)
{
  const gchar *grantor;

  for (guint i = 0; i < grant->n_rights; i++)
    if (!find_grantor (self, object, NULL, grant->rights[i].rights, &grantor))
      return FALSE;
  return TRUE;
}

static gboolean
change_each (KvsqlDecision *self, const Object *object, const KvsqlGrantStatement *grant,
             guint *inout_n, GError **error)
{
  gboolean is_changed;

  if (!may_grant (self, object, grant))
    return TRUE;
  if (!change_object (self, object, grant, &is_changed, error))
    return FALSE;
  *inout_n += is_changed;
  return TRUE;
}

static gboolean
change_all (KvsqlDecision *self, const KvsqlGrantStatement *grant, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  gboolean is_of_relations = grant->object == KVSQL_GRANT_RELATIONS;
  GHashTableIter iter;
  gpointer value;
  guint n = 0;

  for (guint i = 0; is_of_relations && i < catalog->entries->len; i++)
    {
      const Object object = object_of_relation (self, catalog->entries->pdata[i], grant->all_span);

      if (!change_each (self, &object, grant, &n, error))
        return FALSE;
    }
  g_hash_table_iter_init (&iter, catalog->sequences);
  while (!is_of_relations && g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Object object = object_of_sequence (self, value, grant->all_span);

      if (!change_each (self, &object, grant, &n, error))
        return FALSE;
    }
  kvsql_result_page_note (self->page, "the rights on %u %s%s were changed", n,
                          is_of_relations ? "relation" : "sequence", n == 1 ? "" : "s");
  return TRUE;
}

gboolean
kvsql_decide_rights (KvsqlDecision *self, const KvsqlGrantStatement *grant, GError **error)
{
  return grant->is_on_all ? change_all (self, grant, error) : change_named (self, grant, error);
}
