/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter.c: ALTER RELATION and COMMENT ON: they change definitions, not stored cells.
 */
#include "config.h"

#include "core/catalog/alter.h"
#include "daemon/service/service-private.h"

static void
add_change (KvsqldContext *context, KvsqldEntryKind kind, const gchar *name, const gchar *text,
            KvsqldChange *changes, guint *n)
{
  changes[(*n)++] = (KvsqldChange){ .kind = kind,
                                    .name = name,
                                    .text = kvsql_arena_strdup (context->arena, text) };
}

void
kvsqld_collect_changes (KvsqldContext *context, const KvsqlCatalogEntry *entry,
                        const KvsqlAlteration *altered, KvsqldChange *changes, guint *out_n)
{
  const KvsqlRelation *old = entry->relation, *new = altered->relation;
  const gchar *old_name = kvsqld_context_fold_name (context, old->name, old->is_quoted);
  const gchar *new_name = kvsqld_context_fold_name (context, new->name, new->is_quoted);

  if (strcmp (old_name, new_name) != 0)
    add_change (context, KVSQLD_ENTRY_RELATION, old_name, NULL, changes, out_n);
  if (strcmp (old->text, new->text) != 0)
    add_change (context, KVSQLD_ENTRY_RELATION, new_name, new->text, changes, out_n);
  for (guint i = 0; i < altered->n_schemas; i++)
    {
      const KvsqlSchema *schema = altered->schemas[i];
      if (strcmp (schema->text, entry->schemas[i]->text) != 0)
        add_change (context, KVSQLD_ENTRY_SCHEMA,
                    kvsqld_context_fold_name (context, schema->name, schema->is_quoted),
                    schema->text, changes, out_n);
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
kvsqld_check_n_schemas (const KvsqlCatalogEntry *entry, KvsqlSpan span, GError **error)
{
  if (entry->n_schemas <= KVSQLD_MAX_SCHEMAS)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                          "relation \"%s\" has too many schemas to change at once",
                          entry->relation->name);
}

static gboolean
decide_alter (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes, guint *out_n,
              GError **error)
{
  KvsqlAlter folded = context->statement->alter;
  const KvsqlAlter *alter = &folded;
  g_autoptr (KvsqlAlteration) altered = kvsqld_fold_default (context, &folded.attribute, error)
                                            ? kvsql_alter_relation (context->catalog, alter, error)
                                            : NULL;
  const KvsqlCatalogEntry *entry;

  if (altered == NULL)
    return FALSE;
  entry = kvsql_catalog_lookup (context->catalog, &alter->relation);
  if (!kvsqld_check_n_schemas (entry, alter->relation.span, error))
    return FALSE;
  if (altered->leaves_cells)
    kvsql_result_page_warn (page,
                            "values stored under \"%s\" stay in the tables, and are seen again if "
                            "an attribute of that name is added",
                            alter->name.text);
  kvsqld_collect_changes (context, entry, altered, changes, out_n);
  return alter->what != KVSQL_ALTER_ADD
         || kvsqld_check_old_values (context, page, entry, altered, alter->attribute.span, changes,
                                     out_n, error);
}

KvsqlResultPage *
kvsqld_run_alter (KvsqldContext *context, GError **error)
{
  const KvsqlAlter *alter = &context->statement->alter;
  KvsqlResultPage *page = kvsqld_change_definitions (context, decide_alter, error);

  if (page != NULL && alter->what == KVSQL_ALTER_ADD)
    kvsqld_begin_writing_all (context, &alter->relation, page);
  return page;
}

static gboolean
decide_comment (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes, guint *out_n,
                GError **error)
{
  const KvsqlComment *comment = &context->statement->comment;
  g_autoptr (KvsqlAlteration) altered = kvsql_alter_comment (context->catalog, comment, error);
  const KvsqlCatalogEntry *entry;

  if (altered == NULL)
    return FALSE;
  entry = comment->is_schema ? entry_of_schema (context->catalog, &comment->name)
                             : kvsql_catalog_lookup (context->catalog, &comment->name);
  if (!kvsqld_check_n_schemas (entry, comment->name.span, error))
    return FALSE;
  kvsqld_collect_changes (context, entry, altered, changes, out_n);
  return TRUE;
}

KvsqlResultPage *
kvsqld_run_comment (KvsqldContext *context, GError **error)
{
  return kvsqld_change_definitions (context, decide_comment, error);
}
