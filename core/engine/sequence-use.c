/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence-use.c: see sequence-use.h.
 */
#include "config.h"

#include "core/engine/sequence-use.h"

#include "core/catalog/sequence-default.h"
#include "core/sql/ast.h"

/* Whether the expression has nextval ('…') of the sequence. */
static gboolean
uses (const KvsqlAstExpr *expr, const gchar *name)
{
  g_autofree gchar *sequence = kvsql_expression_get_sequence (expr);
  gboolean is_used = g_strcmp0 (sequence, name) == 0;

  for (guint i = 0; i < expr->n_children && !is_used; i++)
    is_used = uses (expr->children[i], name);
  return is_used;
}

gboolean
kvsql_relation_uses_sequence (const KvsqlRelation *relation, const gchar *name)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].default_expr != NULL
        && uses (relation->attributes[a].default_expr, name))
      return TRUE;
  return FALSE;
}

static const gchar *
get_owner (const KvsqlAcl *acl)
{
  return acl != NULL ? acl->owner : NULL;
}

GPtrArray *
kvsql_catalog_list_sequences_of (const KvsqlCatalog *catalog, const KvsqlCatalogEntry *entry)
{
  GPtrArray *sequences = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, catalog->sequences);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const KvsqlNumberSequence *sequence = value;

      if (sequence->is_owned && g_strcmp0 (get_owner (sequence->acl), get_owner (entry->acl)) == 0
          && kvsql_relation_uses_sequence (entry->relation, sequence->name))
        g_ptr_array_add (sequences, value);
    }
  return sequences;
}

/* The right INSERT on a relation with such an attribute. */
static gboolean
may_insert (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
            const KvsqlNumberSequence *sequence)
{
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      if ((kvsql_authority_get_some_rights (self, entry) & KVSQL_RIGHT_INSERT) != 0
          && g_strcmp0 (get_owner (entry->acl), get_owner (sequence->acl)) == 0
          && kvsql_relation_uses_sequence (entry->relation, sequence->name))
        return TRUE;
    }
  return FALSE;
}

gboolean
kvsql_authority_may_use_sequence (const KvsqlAuthority *self, const KvsqlCatalog *catalog,
                                  const gchar *name, guint rights, GError **error)
{
  const KvsqlNumberSequence *sequence = kvsql_catalog_find_sequence (catalog, name);
  gboolean is_next = (rights & KVSQL_RIGHT_UPDATE) != 0 && (rights & KVSQL_RIGHT_USAGE) != 0;

  if (!self->is_limited
      || (is_next && sequence != NULL && sequence->is_identity
          && may_insert (self, catalog, sequence)))
    return TRUE;
  return kvsql_authority_check_sequence (self, catalog, name, rights, error);
}
