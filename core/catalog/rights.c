/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rights.c: see rights.h.
 */
#include "config.h"

#include "core/catalog/rights.h"

#include "core/expr/like.h"
#include "core/sql/printer.h"

const gchar *
kvsql_authority_get_name (const KvsqlAuthority *self)
{
  return self->role != NULL ? self->role->name : "PUBLIC";
}

static gboolean
acts_as (const KvsqlAuthority *self, const gchar *role)
{
  return self->role != NULL && role != NULL && g_hash_table_contains (self->role->acts_as, role);
}

gboolean
kvsql_authority_acts_as (const KvsqlAuthority *self, const gchar *role)
{
  return !self->is_limited || acts_as (self, role);
}

gboolean
kvsql_authority_owns (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry)
{
  return !self->is_limited || (entry->acl != NULL && acts_as (self, entry->acl->owner));
}

static gboolean
is_for (const KvsqlAuthority *self, const KvsqlAclItem *item)
{
  return item->grantee == NULL || acts_as (self, item->grantee);
}

static gboolean
is_of_attribute (const KvsqlAclItem *item, const KvsqlAttribute *attribute)
{
  g_autofree gchar *folded = kvsql_name_fold (attribute->name, attribute->is_quoted);

  return g_str_equal (item->attribute, folded);
}

guint
kvsql_authority_get_rights (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry)
{
  guint rights = 0;

  if (kvsql_authority_owns (self, entry))
    return KVSQL_RIGHTS_ALL;
  for (guint i = 0; entry->acl != NULL && i < entry->acl->items->len; i++)
    {
      const KvsqlAclItem *item = entry->acl->items->pdata[i];

      if (item->attribute == NULL && (item->rights & ~rights) != 0 && is_for (self, item))
        rights |= item->rights;
    }
  return rights;
}

guint
kvsql_authority_get_attribute_rights (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry,
                                      guint attribute)
{
  guint rights = kvsql_authority_get_rights (self, entry);

  for (guint i = 0; entry->acl != NULL && i < entry->acl->items->len; i++)
    {
      const KvsqlAclItem *item = entry->acl->items->pdata[i];

      if (item->attribute != NULL && (item->rights & ~rights) != 0 && is_for (self, item)
          && is_of_attribute (item, &entry->relation->attributes[attribute]))
        rights |= item->rights;
    }
  return rights;
}

guint
kvsql_authority_get_some_rights (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry)
{
  guint rights = kvsql_authority_get_rights (self, entry);

  for (guint i = 0; entry->acl != NULL && i < entry->acl->items->len; i++)
    {
      const KvsqlAclItem *item = entry->acl->items->pdata[i];

      if ((item->rights & ~rights) != 0 && is_for (self, item))
        rights |= item->rights;
    }
  return rights;
}

gboolean
kvsql_authority_sees (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry)
{
  return kvsql_authority_get_some_rights (self, entry) != 0;
}

/* ---- sequences */

gboolean
kvsql_authority_owns_sequence (const KvsqlAuthority *self, const KvsqlNumberSequence *sequence)
{
  return !self->is_limited || (sequence->acl != NULL && acts_as (self, sequence->acl->owner));
}

guint
kvsql_authority_get_sequence_rights (const KvsqlAuthority *self,
                                     const KvsqlNumberSequence *sequence)
{
  guint rights = 0;

  if (kvsql_authority_owns_sequence (self, sequence))
    return KVSQL_RIGHTS_OF_SEQUENCES;
  for (guint i = 0; sequence->acl != NULL && i < sequence->acl->items->len; i++)
    {
      const KvsqlAclItem *item = sequence->acl->items->pdata[i];

      if (is_for (self, item))
        rights |= item->rights;
    }
  return rights;
}

const KvsqlNumberSequence *
kvsql_authority_lookup_sequence (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                 const gchar *name)
{
  const KvsqlNumberSequence *sequence = kvsql_catalog_find_sequence (catalog, name);

  return sequence != NULL && kvsql_authority_get_sequence_rights (self, sequence) != 0 ? sequence
                                                                                       : NULL;
}

gboolean
kvsql_fail_unknown_sequence (const gchar *name, KvsqlSpan span, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, span, "sequence \"%s\" does not exist", name);
  return kvsql_error_sqlstate (error, "42P01");
}

gboolean
kvsql_authority_check_sequence (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                const gchar *name, guint rights, GError **error)
{
  const KvsqlNumberSequence *sequence = kvsql_catalog_find_sequence (catalog, name);
  guint own = sequence != NULL ? kvsql_authority_get_sequence_rights (self, sequence) : 0;

  if ((own & rights) != 0)
    return TRUE;
  if (own == 0)
    return kvsql_catalog_check_known (catalog, error)
           && kvsql_fail_unknown_sequence (name, KVSQL_SPAN_NONE, error);
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, KVSQL_SPAN_NONE,
                   "permission denied for sequence \"%s\"", name);
  return kvsql_error_hint (error, "Role \"%s\" needs %s%s on it.", kvsql_authority_get_name (self),
                           (rights & KVSQL_RIGHT_USAGE) != 0 ? "USAGE or " : "",
                           (rights & KVSQL_RIGHT_UPDATE) != 0 ? "UPDATE" : "SELECT");
}

/* ---- tables of the store */

gboolean
kvsql_table_pattern_check (KvsqlSlice pattern, KvsqlSpan span, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if (pattern.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "the pattern is empty")
           || kvsql_error_hint (error, "'%%' means all tables.");
  if (memchr (pattern.data, '\0', pattern.size) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "the pattern has a zero byte");
  return kvsql_like_compile (pattern, '\\', TRUE, arena, error) != NULL
         || kvsql_error_at (error, span);
}

static gboolean
matches (const gchar *pattern, const KvsqlSlice *table)
{
  g_autoptr (KvsqlArena) arena = NULL;
  const KvsqlLike *like;

  if (pattern[strspn (pattern, "%")] == '\0' && pattern[0] != '\0')
    return TRUE;
  if (table == NULL)
    return FALSE;
  arena = kvsql_arena_new ();
  like = kvsql_like_compile (kvsql_slice_from_text (pattern), '\\', TRUE, arena, NULL);
  return like != NULL && kvsql_like_matches (like, *table);
}

gboolean
kvsql_authority_may_define (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                            const KvsqlSlice *table)
{
  GHashTableIter iter;
  gpointer name;

  if (!self->is_limited || self->role == NULL)
    return !self->is_limited;
  g_hash_table_iter_init (&iter, self->role->acts_as);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      const KvsqlRole *role = kvsql_catalog_find_role (catalog, name);

      for (guint i = 0; role != NULL && i < role->patterns->len; i++)
        if (matches (role->patterns->pdata[i], table))
          return TRUE;
    }
  return FALSE;
}

gboolean
kvsql_authority_may_define_some (const KvsqlAuthority *self, const KvsqlCatalog *catalog)
{
  GHashTableIter iter;
  gpointer name;

  if (!self->is_limited || self->role == NULL)
    return !self->is_limited;
  g_hash_table_iter_init (&iter, self->role->acts_as);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      const KvsqlRole *role = kvsql_catalog_find_role (catalog, name);

      if (role != NULL && role->patterns->len > 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
kvsql_authority_check_tables (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                              const KvsqlSchema *schema, KvsqlSpan span, GError **error)
{
  const KvsqlSlice *table = schema->has_constant_table ? &schema->table : NULL;
  g_autofree gchar *readable = NULL;

  if (kvsql_authority_may_define (self, catalog, table))
    return TRUE;
  if (table == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, span,
                       "permission denied for tables whose names depend on a value");
      return kvsql_error_hint (error, "It needs DEFINE ON TABLES LIKE '%%'.");
    }
  readable = kvsql_readable (*table);
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, span,
                   "permission denied for the store's table \"%s\"", readable);
  return kvsql_error_hint (error, "Role \"%s\" needs DEFINE ON TABLES LIKE a pattern of that name.",
                           kvsql_authority_get_name (self));
}

/* ---- checks */

static gboolean
has_on_all (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry, KvsqlRight right,
            const KvsqlAttributeSet *attributes)
{
  gint a = kvsql_attribute_set_next (attributes, -1);

  if (a < 0) /* no attribute is read: the right on some attribute is enough, as in PostgreSQL */
    return (kvsql_authority_get_some_rights (self, entry) & right) != 0;
  for (; a >= 0; a = kvsql_attribute_set_next (attributes, a))
    if ((kvsql_authority_get_attribute_rights (self, entry, (guint)a) & right) == 0)
      return FALSE;
  return TRUE;
}

gboolean
kvsql_authority_check (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry, KvsqlRight right,
                       const KvsqlAttributeSet *attributes, KvsqlSpan span, GError **error)
{
  if ((kvsql_authority_get_rights (self, entry) & right) != 0
      || (attributes != NULL && has_on_all (self, entry, right, attributes)))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, span, "permission denied for relation \"%s\"",
                   entry->relation->name);
  return kvsql_error_hint (error,
                           attributes != NULL
                               ? "Role \"%s\" needs %s on it, or on all attributes that this is "
                                 "about."
                               : "Role \"%s\" needs %s on it.",
                           kvsql_authority_get_name (self), kvsql_right_get_name (right));
}

gboolean
kvsql_authority_check_owner (const KvsqlAuthority *self, const KvsqlCatalogEntry *entry,
                             KvsqlSpan span, GError **error)
{
  return kvsql_authority_owns (self, entry)
         || kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, span,
                             "must be owner of relation \"%s\"", entry->relation->name);
}

/* ---- what exists */

const KvsqlCatalogEntry *
kvsql_catalog_get_entry (const KvsqlCatalog *self, const KvsqlSchema *schema)
{
  g_autofree gchar *key = kvsql_name_fold (schema->relation->name, schema->relation->is_quoted);

  return kvsql_catalog_find_key (self, key);
}

const KvsqlCatalogEntry *
kvsql_authority_lookup (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                        const KvsqlName *name)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, name);

  return entry != NULL && kvsql_authority_sees (self, entry) ? entry : NULL;
}

const KvsqlSchema *
kvsql_authority_lookup_schema (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                               const KvsqlName *name)
{
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (catalog, name);
  const KvsqlCatalogEntry *entry
      = schema != NULL && self->is_limited ? kvsql_catalog_get_entry (catalog, schema) : NULL;

  return schema != NULL
                 && (!self->is_limited || (entry != NULL && kvsql_authority_sees (self, entry)))
             ? schema
             : NULL;
}

gboolean
kvsql_authority_fail_unknown (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                              const gchar *kind, const KvsqlName *name, GError **error)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  gboolean is_schema = g_str_has_suffix (kind, "schema");
  gboolean is_relation = g_str_has_prefix (kind, "relation");
  const gchar *near;

  if (!kvsql_catalog_check_known (catalog, error))
    return FALSE;
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      if (!kvsql_authority_sees (self, entry))
        continue;
      if (is_relation)
        g_ptr_array_add (known, (gpointer)entry->relation->name);
      for (guint s = 0; is_schema && s < entry->n_schemas; s++)
        g_ptr_array_add (known, (gpointer)entry->schemas[s]->name);
    }
  near = kvsql_suggest (name->text, (const gchar *const *)known->pdata, known->len);
  if (is_relation && is_schema)
    kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                     "there is no relation, schema or view \"%s\"", name->text);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "%s \"%s\" does not exist", kind,
                     name->text);
  if (is_relation)
    kvsql_error_sqlstate (error, "42P01");
  return near != NULL && kvsql_error_hint (error, "Did you mean \"%s\"?", near);
}
