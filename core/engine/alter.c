/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter.c: ALTER RELATION and COMMENT ON: they change definitions, not stored cells.
 */
#include "config.h"

#include "core/catalog/alter.h"
#include "core/engine/definitions-private.h"

void
kvsql_decision_add_alteration (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                               const KvsqlAlteration *altered)
{
  const KvsqlRelation *old = entry->relation, *new = altered->relation;
  g_autofree gchar *old_name = kvsql_name_fold (old->name, old->is_quoted);
  g_autofree gchar *new_name = kvsql_name_fold (new->name, new->is_quoted);

  if (strcmp (old_name, new_name) != 0)
    kvsql_decision_add (self, KVSQL_DEFINITION_RELATION, old->name, old->is_quoted, NULL);
  if (strcmp (old->text, new->text) != 0)
    kvsql_decision_add (self, KVSQL_DEFINITION_RELATION, new->name, new->is_quoted, new->text);
  kvsql_decision_follow_rights (self, entry, new, altered->is_rename);
  kvsql_decision_follow_statistics (self, old, new);
  for (guint i = 0; i < altered->n_schemas; i++)
    {
      const KvsqlSchema *schema = altered->schemas[i];
      if (strcmp (schema->text, entry->schemas[i]->text) != 0)
        kvsql_decision_add (self, KVSQL_DEFINITION_SCHEMA, schema->name, schema->is_quoted,
                            schema->text);
    }
}

static const KvsqlCatalogEntry *
entry_of_schema (const KvsqlCatalog *catalog, const KvsqlName *name)
{
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (catalog, name);
  KvsqlName relation = { .text = schema->relation->name, .is_quoted = schema->relation->is_quoted };

  return kvsql_catalog_lookup (catalog, &relation);
}

gboolean
kvsql_entry_check_n_schemas (const KvsqlCatalogEntry *entry, KvsqlSpan span, GError **error)
{
  if (entry->n_schemas <= KVSQL_MAX_SCHEMAS)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                          "relation \"%s\" has too many schemas to change at once",
                          entry->relation->name);
}

/* Views name their relations and attributes by text. */
static gboolean
check_views (const KvsqlDecision *self, const KvsqlCatalogEntry *entry, const KvsqlAlter *alter,
             GError **error)
{
  gboolean is_renamed = alter->what == KVSQL_ALTER_RENAME && alter->name.text == NULL;

  if (is_renamed && !kvsql_decision_reject_view (self, &alter->new_name, error))
    return FALSE;
  if (is_renamed)
    return kvsql_decision_check_readers (self, entry, NULL, alter->relation.span, error);
  return (alter->what != KVSQL_ALTER_RENAME && alter->what != KVSQL_ALTER_DROP)
         || kvsql_decision_check_readers (self, entry, &alter->name, alter->name.span, error);
}

/* What its cells are called. */
static const gchar *
get_label (const KvsqlRelation *relation, const KvsqlName *name)
{
  guint attribute;

  return kvsql_relation_find (relation, name, &attribute, NULL)
             ? relation->attributes[attribute].label
             : name->text;
}

gboolean
kvsql_decide_alter (KvsqlDecision *self, const KvsqlAlter *alter, GError **error)
{
  KvsqlAlter folded = *alter;
  g_autoptr (KvsqlAlteration) altered
      = kvsql_decision_number_altered (self, &folded, error)
                && kvsql_attribute_fold_default (&folded.attribute, self->execution->binder.arena,
                                                 error)
                && kvsql_decision_settle_alter (self, &folded, error)
            ? kvsql_alter_relation (self->execution->catalog, &folded, error)
            : NULL;
  const KvsqlCatalogEntry *entry;

  if (altered == NULL)
    return FALSE;
  entry = kvsql_catalog_lookup (self->execution->catalog, &alter->relation);
  if (!kvsql_entry_check_n_schemas (entry, alter->relation.span, error))
    return FALSE;
  if (!check_views (self, entry, alter, error)
      || !kvsql_decision_check_alter (self, alter, &folded, altered->relation, error))
    return FALSE;
  if (altered->leaves_cells)
    kvsql_result_page_warn (self->page,
                            "values stored under \"%s\" stay in the tables, and are seen again if "
                            "an attribute of that name is added",
                            get_label (entry->relation, &alter->name));
  kvsql_decision_add_alteration (self, entry, altered);
  if (alter->what != KVSQL_ALTER_ADD)
    return TRUE;
  kvsql_decision_note_type (self, &alter->attribute);
  return kvsql_decision_check_old_values (self, entry, altered, alter->attribute.span, error);
}

gboolean
kvsql_decide_comment (KvsqlDecision *self, const KvsqlComment *comment, GError **error)
{
  g_autoptr (KvsqlAlteration) altered
      = kvsql_alter_comment (self->execution->catalog, comment, error);
  const KvsqlCatalogEntry *entry;

  if (altered == NULL)
    return FALSE;
  entry = comment->is_schema ? entry_of_schema (self->execution->catalog, &comment->name)
                             : kvsql_catalog_lookup (self->execution->catalog, &comment->name);
  if (!kvsql_entry_check_n_schemas (entry, comment->name.span, error))
    return FALSE;
  kvsql_decision_add_alteration (self, entry, altered);
  return TRUE;
}
