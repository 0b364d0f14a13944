/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * acl.c: see acl.h.
 */
#include "config.h"

#include "core/catalog/acl.h"

#include "core/base/interrupt.h"
#include "core/catalog/role.h"
#include "core/schema/relation.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

static void
item_free (gpointer data)
{
  KvsqlAclItem *self = data;

  g_free (self->grantee);
  g_free (self->grantor);
  g_free (self->attribute);
  g_free (self);
}

static KvsqlAclItem *
item_new (const gchar *grantee, const gchar *grantor, const gchar *attribute)
{
  KvsqlAclItem *self = g_new0 (KvsqlAclItem, 1);

  self->grantee = g_strdup (grantee);
  self->grantor = g_strdup (grantor);
  self->attribute = g_strdup (attribute);
  return self;
}

KvsqlAcl *
kvsql_acl_new (const gchar *owner)
{
  KvsqlAcl *self = g_new0 (KvsqlAcl, 1);

  self->ref_count = 1;
  self->owner = g_strdup (owner);
  self->items = g_ptr_array_new_with_free_func (item_free);
  return self;
}

KvsqlAcl *
kvsql_acl_new_of_sequence (const gchar *owner)
{
  KvsqlAcl *self = kvsql_acl_new (owner);

  self->is_of_sequence = TRUE;
  return self;
}

KvsqlAcl *
kvsql_acl_copy (const KvsqlAcl *self)
{
  KvsqlAcl *copy = kvsql_acl_new (self == NULL ? NULL : self->owner);

  copy->is_of_sequence = self != NULL && self->is_of_sequence;
  for (guint i = 0; self != NULL && i < self->items->len; i++)
    {
      const KvsqlAclItem *item = self->items->pdata[i];
      KvsqlAclItem *own = item_new (item->grantee, item->grantor, item->attribute);

      own->rights = item->rights;
      own->options = item->options;
      g_ptr_array_add (copy->items, own);
    }
  return copy;
}

KvsqlAcl *
kvsql_acl_ref (KvsqlAcl *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
kvsql_acl_unref (KvsqlAcl *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_free (self->owner);
  g_ptr_array_unref (self->items);
  g_free (self);
}

/* ---- changes */

static KvsqlAclItem *
find_item (const KvsqlAcl *self, const gchar *grantee, const gchar *grantor, const gchar *attribute)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      KvsqlAclItem *item = self->items->pdata[i];

      if (g_strcmp0 (item->grantee, grantee) == 0 && g_strcmp0 (item->grantor, grantor) == 0
          && g_strcmp0 (item->attribute, attribute) == 0)
        return item;
    }
  return NULL;
}

static void
remove_empty (KvsqlAcl *self)
{
  for (guint i = self->items->len; i > 0; i--)
    if (((const KvsqlAclItem *)self->items->pdata[i - 1])->rights == 0)
      g_ptr_array_remove_index (self->items, i - 1);
}

void
kvsql_acl_grant (KvsqlAcl *self, const gchar *grantee, const gchar *grantor, const gchar *attribute,
                 guint rights, gboolean has_option)
{
  KvsqlAclItem *item = find_item (self, grantee, grantor, attribute);

  if (item == NULL)
    {
      item = item_new (grantee, grantor, attribute);
      g_ptr_array_add (self->items, item);
    }
  item->rights |= rights;
  item->options |= has_option ? rights : 0;
}

/* What @item may be based on: the options that its grantor has, of those in @known. */
static guint
get_base (const KvsqlAcl *self, const KvsqlAclItem *item, const guint *known)
{
  guint base = 0;

  if (item->grantor == NULL || g_strcmp0 (item->grantor, self->owner) == 0)
    return KVSQL_RIGHTS_ALL | KVSQL_RIGHTS_OF_SEQUENCES;
  for (guint i = 0; i < self->items->len; i++)
    {
      const KvsqlAclItem *other = self->items->pdata[i];

      if (g_strcmp0 (other->grantee, item->grantor) == 0
          && (other->attribute == NULL || g_strcmp0 (other->attribute, item->attribute) == 0))
        base |= known[i];
    }
  return base;
}

/* Options that lead back to the owner, for each item: those of roles that grant to each other do
 * not. */
static guint *
find_known (const KvsqlAcl *self)
{
  guint *known = g_new0 (guint, self->items->len + 1);
  gboolean has_changed = TRUE;

  while (has_changed && kvsql_interrupt_tick ())
    {
      has_changed = FALSE;
      for (guint i = 0; i < self->items->len; i++)
        {
          const KvsqlAclItem *item = self->items->pdata[i];
          guint options = item->options & get_base (self, item, known);

          has_changed = has_changed || options != known[i];
          known[i] = options;
        }
    }
  return known;
}

/* The first item by which a role grants what it may not grant any more. */
static KvsqlAclItem *
find_baseless (const KvsqlAcl *self, guint *out_rights)
{
  g_autofree guint *known = find_known (self);

  for (guint i = 0; i < self->items->len && kvsql_interrupt_tick (); i++)
    {
      KvsqlAclItem *item = self->items->pdata[i];

      *out_rights = item->rights & ~get_base (self, item, known);
      if (*out_rights != 0)
        return item;
    }
  return NULL;
}

gboolean
kvsql_acl_revoke (KvsqlAcl *self, const gchar *grantee, const gchar *grantor,
                  const gchar *attribute, guint rights, gboolean only_option, gboolean is_cascade)
{
  KvsqlAclItem *item;
  guint lost;

  for (guint i = 0; i < self->items->len; i++)
    {
      item = self->items->pdata[i];
      if (g_strcmp0 (item->grantee, grantee) != 0 || g_strcmp0 (item->grantor, grantor) != 0
          || (attribute != NULL && g_strcmp0 (item->attribute, attribute) != 0))
        continue;
      item->options &= ~rights;
      item->rights &= only_option ? ~0u : ~rights;
    }
  remove_empty (self);
  while ((item = find_baseless (self, &lost)) != NULL)
    {
      if (!is_cascade)
        return FALSE;
      item->rights &= ~lost;
      item->options &= ~lost;
      remove_empty (self);
    }
  return TRUE;
}

void
kvsql_acl_set_owner (KvsqlAcl *self, const gchar *owner)
{
  g_autofree gchar *old = g_steal_pointer (&self->owner);

  self->owner = g_strdup (owner);
  /* what the owner has granted, the new one has */
  for (guint i = 0; i < self->items->len; i++)
    {
      KvsqlAclItem *item = self->items->pdata[i];

      if (g_strcmp0 (item->grantor, old) != 0)
        continue;
      g_free (item->grantor);
      item->grantor = g_strdup (owner);
    }
}

void
kvsql_acl_rename_attribute (KvsqlAcl *self, const gchar *old, const gchar *new)
{
  for (guint i = self->items->len; i > 0; i--)
    {
      KvsqlAclItem *item = self->items->pdata[i - 1];

      if (g_strcmp0 (item->attribute, old) != 0)
        continue;
      g_free (item->attribute);
      item->attribute = g_strdup (new);
      if (new == NULL)
        g_ptr_array_remove_index (self->items, i - 1);
    }
}

gboolean
kvsql_acl_mentions (const KvsqlAcl *self, const gchar *role)
{
  gboolean found = g_strcmp0 (self->owner, role) == 0;

  for (guint i = 0; i < self->items->len && !found; i++)
    {
      const KvsqlAclItem *item = self->items->pdata[i];

      found = g_strcmp0 (item->grantee, role) == 0 || g_strcmp0 (item->grantor, role) == 0;
    }
  return found;
}

void
kvsql_acl_forget (KvsqlAcl *self, const gchar *role)
{
  guint lost;
  KvsqlAclItem *item;

  for (guint i = self->items->len; i > 0; i--)
    {
      const KvsqlAclItem *one = self->items->pdata[i - 1];

      if (g_strcmp0 (one->grantee, role) == 0 || g_strcmp0 (one->grantor, role) == 0)
        g_ptr_array_remove_index (self->items, i - 1);
    }
  while ((item = find_baseless (self, &lost)) != NULL)
    {
      item->rights &= ~lost;
      item->options &= ~lost;
      remove_empty (self);
    }
}

/* ---- text */

static void
print_key (const gchar *key, GString *out)
{
  const KvsqlName name = kvsql_role_name_of_key (key);

  kvsql_print_name (&name, out);
}

static void
print_grant (const KvsqlAclItem *item, guint rights, gboolean has_option, gboolean is_of_sequence,
             const gchar *name, GString *out)
{
  const gchar *separator = "GRANT ";

  if (rights == 0)
    return;
  g_string_append (out, out->len > 0 ? ";\n" : "");
  for (guint i = 0; i < KVSQL_N_RIGHTS; i++)
    if ((rights & (1u << i)) != 0)
      {
        g_string_append_printf (out, "%s%s", separator,
                                kvsql_right_get_name ((KvsqlRight)(1u << i)));
        separator = ", ";
        if (item->attribute == NULL)
          continue;
        g_string_append (out, " (");
        print_key (item->attribute, out);
        g_string_append_c (out, ')');
      }
  g_string_append (out, is_of_sequence ? " ON SEQUENCE " : " ON ");
  print_key (name, out);
  g_string_append (out, " TO ");
  if (item->grantee == NULL)
    g_string_append (out, "PUBLIC");
  else
    print_key (item->grantee, out);
  g_string_append (out, has_option ? " WITH GRANT OPTION" : "");
  if (item->grantor == NULL)
    return;
  g_string_append (out, " GRANTED BY ");
  print_key (item->grantor, out);
}

/* One item as one or two GRANT statements. */
static void
print_item (const KvsqlAcl *self, const KvsqlAclItem *item, const gchar *name, GString *out)
{
  print_grant (item, item->rights & ~item->options, FALSE, self->is_of_sequence, name, out);
  print_grant (item, item->options, TRUE, self->is_of_sequence, name, out);
}

gchar *
kvsql_acl_print (const KvsqlAcl *self, const gchar *name)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (self->owner != NULL)
    {
      g_string_append (out, self->is_of_sequence ? "ALTER SEQUENCE " : "ALTER RELATION ");
      print_key (name, out);
      g_string_append (out, " OWNER TO ");
      print_key (self->owner, out);
    }
  for (guint i = 0; i < self->items->len; i++)
    print_item (self, self->items->pdata[i], name, out);
  return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

static void
take_grant (KvsqlAcl *self, const KvsqlGrantStatement *grant)
{
  g_autofree gchar *grantor
      = grant->granted_by.text != NULL ? kvsql_role_fold_name (&grant->granted_by) : NULL;

  for (guint g = 0; g < grant->n_grantees; g++)
    {
      g_autofree gchar *grantee
          = grant->grantees[g].text != NULL ? kvsql_role_fold_name (&grant->grantees[g]) : NULL;

      for (guint r = 0; r < grant->n_rights; r++)
        {
          const KvsqlGrantedRight *right = &grant->rights[r];

          if (right->n_attributes == 0)
            kvsql_acl_grant (self, grantee, grantor, NULL, right->rights, grant->has_option);
          for (guint a = 0; a < right->n_attributes; a++)
            {
              g_autofree gchar *attribute = kvsql_role_fold_name (&right->attributes[a]);

              kvsql_acl_grant (self, grantee, grantor, attribute, right->rights, grant->has_option);
            }
        }
    }
}

/* OWNER TO. FALSE: it is another statement. */
static gboolean
take_owner (KvsqlAcl *self, const KvsqlAstStatement *statement)
{
  const KvsqlName *owner;

  if (statement->kind == KVSQL_STATEMENT_ALTER && statement->alter.what == KVSQL_ALTER_OWNER)
    owner = &statement->alter.new_name;
  else if (statement->kind == KVSQL_STATEMENT_CREATE_SEQUENCE
           && statement->create_sequence.new_owner.text != NULL)
    owner = &statement->create_sequence.new_owner;
  else
    return FALSE;
  self->is_of_sequence = statement->kind == KVSQL_STATEMENT_CREATE_SEQUENCE;
  g_free (self->owner);
  self->owner = kvsql_role_fold_name (owner);
  return TRUE;
}

KvsqlAcl *
kvsql_acl_parse (const gchar *text)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlAcl) self = kvsql_acl_new (NULL);
  KvsqlSlice one;
  gsize at = 0;
  gboolean is_complete;

  while (kvsql_sql_split (kvsql_slice_from_text (text), &at, &one, &is_complete))
    {
      const KvsqlAstStatement *statement = kvsql_parser_parse (one, arena, NULL);

      if (statement == NULL)
        return NULL;
      if (take_owner (self, statement))
        continue;
      if (statement->kind != KVSQL_STATEMENT_GRANT || statement->grant.is_revoke
          || (statement->grant.object != KVSQL_GRANT_RELATIONS
              && statement->grant.object != KVSQL_GRANT_SEQUENCES))
        return NULL;
      self->is_of_sequence = statement->grant.object == KVSQL_GRANT_SEQUENCES;
      take_grant (self, &statement->grant);
    }
  return g_steal_pointer (&self);
}
