/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * define.c: DEFINE and DROP.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/catalog/compile-schema.h"
#include "core/engine/definitions-private.h"
#include "core/schema/relation-options.h"

/* ---- DEFINE RELATION */

gboolean
kvsql_attribute_fold_default (KvsqlAttributeDefinition *attribute, KvsqlArena *arena,
                              GError **error)
{
  KvsqlAstExpr *folded = kvsql_expr_fold_default (attribute->default_value, arena, error);

  if (folded == NULL && attribute->default_value != NULL)
    return FALSE;
  attribute->default_value = folded;
  return TRUE;
}

void
kvsql_decision_note_type (KvsqlDecision *self, const KvsqlAttributeDefinition *attribute)
{
  if (kvsql_type_limit_is_wide (attribute->type_name.text))
    kvsql_result_page_note (self->page, "%s of attribute \"%s\" keeps milliseconds",
                            attribute->type_name.text, attribute->name.text);
}

/* The definition with every DEFAULT evaluated, as a copy because the statement may be shared. */
static gboolean
fold_defaults (KvsqlDecision *self, const KvsqlDefineRelation *written, KvsqlDefineRelation *out,
               GError **error)
{
  KvsqlArena *arena = self->execution->binder.arena;

  *out = *written;
  out->attributes = kvsql_arena_copy (arena, written->attributes,
                                      written->n_attributes * sizeof *written->attributes);
  if (!kvsql_decision_number_attributes (self, out, error))
    return FALSE;
  for (guint i = 0; i < out->n_attributes; i++)
    if (!kvsql_attribute_fold_default (&out->attributes[i], arena, error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_decision_add_relation (KvsqlDecision *self, const KvsqlDefineRelation *definition,
                             KvsqlRelation **out_relation, GError **error)
{
  const KvsqlCatalogEntry *known
      = kvsql_catalog_lookup (self->execution->catalog, &definition->name);
  g_autoptr (KvsqlRelation) relation = NULL;
  KvsqlDefineRelation folded;

  *out_relation = NULL;
  if (!kvsql_decision_reject_view (self, &definition->name, error))
    return FALSE;
  if (known != NULL && definition->if_not_exists)
    {
      kvsql_result_page_note (self->page, "relation \"%s\" exists already, nothing was done",
                              known->relation->name);
      return TRUE;
    }
  if (!fold_defaults (self, definition, &folded, error)
      || !kvsql_decision_settle_constraints (self, &folded, error)
      || !kvsql_relation_options_check_new (&folded.options, error))
    return FALSE;
  kvsql_relation_options_make_new (&folded.options, self->execution->binder.arena);
  relation = kvsql_relation_new (&folded, error);
  if (relation == NULL || !kvsql_decision_check_rules (self, definition, relation, error))
    return FALSE;
  if (known != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                            "relation \"%s\" exists already", known->relation->name)
           || kvsql_error_sqlstate (error, "42P07")
           || kvsql_error_hint (error, "Look at it with DESCRIBE %s, or use IF NOT EXISTS.",
                                known->relation->name);
  for (guint i = 0; i < definition->n_attributes; i++)
    kvsql_decision_note_type (self, &definition->attributes[i]);
  kvsql_decision_add (self, KVSQL_DEFINITION_RELATION, relation->name, relation->is_quoted,
                      relation->text);
  kvsql_decision_add_owner (self, relation);
  *out_relation = g_steal_pointer (&relation);
  return TRUE;
}

gboolean
kvsql_decide_define_relation (KvsqlDecision *self, const KvsqlDefineRelation *definition,
                              GError **error)
{
  g_autoptr (KvsqlRelation) relation = NULL;

  return kvsql_decision_add_relation (self, definition, &relation, error);
}

/* ---- DEFINE SCHEMA */

void
kvsql_decision_make_table (KvsqlDecision *self, const KvsqlSchema *schema)
{
  g_autoptr (GError) error = NULL;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlSequence *table = schema->cells[c].fields[KVSQL_FIELD_TABLE];
      const KvsqlSequence *family = schema->cells[c].fields[KVSQL_FIELD_FAMILY];

      if (table->is_constant && family->is_constant
          && !kvsql_storage_ensure_table (self->execution->storage, schema, table->constant,
                                          family->constant, self->execution->call, &error))
        {
          kvsql_result_page_warn (self->page, "the table of schema \"%s\" could not be %s now: %s",
                                  schema->name, schema->options.create_tables ? "made" : "used",
                                  error->message);
          return;
        }
    }
}

/* The other schemas were defined when the relation could have no tuples. If the primary has some
 * already, the other schemas have to be filled. */
static gboolean
reopen_others (KvsqlDecision *self, const KvsqlCatalogEntry *entry, const KvsqlSchema *primary,
               GError **error)
{
  KvsqlFilling filling = { .must_be_filled = TRUE, .has_tuples = TRUE };
  gboolean has_tuples;

  if (!primary->is_primary || entry->n_schemas == 0)
    return TRUE;
  if (!kvsql_schema_has_tuples (kvsql_execution_get_store (self->execution), primary,
                                self->execution->call, &has_tuples, error))
    return FALSE;
  for (guint i = 0; i < entry->n_schemas && has_tuples; i++)
    {
      const KvsqlSchema *other = entry->schemas[i];
      g_autofree gchar *text = NULL;

      if (!kvsql_schema_is_filled (other) || other->options.role != KVSQL_ROLE_ANY)
        continue;
      text = kvsql_schema_print_with_state (other, KVSQL_STATE_DELETING);
      kvsql_decision_warn_of_filling (self, other, &filling);
      kvsql_decision_add (self, KVSQL_DEFINITION_SCHEMA, other->name, other->is_quoted, text);
    }
  return TRUE;
}

/* Whether the new schema can be read only when all daemons know it: the relation is written without
 * it until then. */
static gboolean
must_be_known (const KvsqlDecision *self, const KvsqlCatalogEntry *entry, const KvsqlSchema *schema)
{
  const KvsqlStore *store = kvsql_execution_get_store (self->execution);

  return (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0 && entry->n_schemas > 0
         && entry->schemas[0]->is_primary && schema->options.role == KVSQL_ROLE_ANY
         && kvsql_schema_is_filled (schema);
}

gboolean
kvsql_decision_add_schema (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                           const KvsqlDefineSchema *definition, gboolean warns, GError **error)
{
  const KvsqlSchema *known
      = kvsql_catalog_lookup_schema (self->execution->catalog, &definition->name);
  g_autoptr (KvsqlSchema) schema = NULL;
  g_autofree gchar *text = NULL;
  KvsqlFilling filling;

  if (known != NULL && definition->if_not_exists)
    {
      kvsql_result_page_note (self->page, "schema \"%s\" exists already, nothing was done",
                              known->name);
      return TRUE;
    }
  schema = kvsql_schema_new (definition, entry->relation, error);
  if (schema == NULL)
    return FALSE;
  if (known != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                            "schema \"%s\" exists already", known->name)
           || kvsql_error_sqlstate (error, "42P07")
           || kvsql_error_hint (error, "Look at it with DESCRIBE %s, or use IF NOT EXISTS.",
                                known->name);
  /* before the store is asked for anything */
  if (!kvsql_authority_check_tables (&self->execution->authority, self->execution->catalog, schema,
                                     definition->name.span, error))
    return FALSE;
  if (entry->n_schemas == KVSQL_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, definition->name.span,
                            "relation \"%s\" has %d schemas already", entry->relation->name,
                            KVSQL_MAX_SCHEMAS);
  if (!kvsql_catalog_check_schema (self->execution->catalog, schema, definition, error)
      || !kvsql_schema_check_filling (self->execution->storage, entry, schema,
                                      self->execution->call, &filling, error))
    return FALSE;
  if (schema->n_restricted > 0)
    kvsql_result_page_warn (
        self->page, "values that contain their separator will be refused; DESCRIBE %s says which",
        schema->name);
  if (schema->n_demands > 0)
    kvsql_result_page_warn (self->page, "some times will be refused; DESCRIBE %s says which",
                            schema->name);
  if (schema->loss != NULL && schema->options.role != KVSQL_ROLE_READ)
    kvsql_result_page_warn (self->page, "a write drops %s", schema->loss);
  if (!schema->is_primary && (entry->n_schemas == 0 || !entry->schemas[0]->is_primary))
    kvsql_result_page_warn (
        self->page,
        "relation \"%s\" has no primary schema yet: it can be neither written nor "
        "read before DEFINE PRIMARY SCHEMA … FOR %s",
        entry->relation->name, entry->relation->name);
  kvsql_decision_make_table (self, schema);
  self->fills_at_once = !filling.must_be_filled && must_be_known (self, entry, schema);
  if (filling.must_be_filled || self->fills_at_once
      || (!kvsql_schema_is_filled (schema) && entry->n_schemas > 0))
    text = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  if (warns)
    kvsql_decision_warn_of_filling (self, schema, &filling);
  kvsql_decision_add (self, KVSQL_DEFINITION_SCHEMA, schema->name, schema->is_quoted,
                      text != NULL ? text : schema->text);
  return reopen_others (self, entry, schema, error);
}

gboolean
kvsql_decide_define_schema (KvsqlDecision *self, const KvsqlDefineSchema *definition,
                            GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_catalog_find (self->execution->catalog, &definition->relation, error);

  return entry != NULL && kvsql_decision_add_schema (self, entry, definition, TRUE, error);
}

/* ---- DROP */

/* Removes the schema, and the progress of filling it. */
static void
add_drop (KvsqlDecision *self, const KvsqlSchema *schema)
{
  g_autofree gchar *folded = kvsql_name_fold (schema->name, schema->is_quoted);

  kvsql_decision_add (self, KVSQL_DEFINITION_SCHEMA, schema->name, schema->is_quoted, NULL);
  if (g_hash_table_contains (self->execution->catalog->notes, folded))
    kvsql_decision_add (self, KVSQL_DEFINITION_BACKFILL, schema->name, schema->is_quoted, NULL);
}

static gboolean
decide_drop_relation (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry
      = kvsql_authority_lookup (&execution->authority, execution->catalog, &drop->name);

  if (entry == NULL && drop->if_exists)
    {
      if (!kvsql_catalog_check_known (self->execution->catalog, error))
        return FALSE;
      kvsql_result_page_note (self->page, "relation \"%s\" does not exist, nothing was done",
                              drop->name.text);
      return TRUE;
    }
  if (entry == NULL)
    return kvsql_catalog_find (self->execution->catalog, &drop->name, error) != NULL;
  if (entry->n_schemas > KVSQL_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, drop->name.span,
                            "relation \"%s\" has too many schemas to drop at once",
                            entry->relation->name);
  if (!kvsql_decision_drop_readers (self, entry, NULL, drop, error))
    return FALSE;
  for (guint i = 0; i < entry->n_schemas; i++)
    add_drop (self, entry->schemas[i]);
  if (!kvsql_decision_drop_owned_sequences (self, entry, error))
    return FALSE;
  kvsql_decision_add (self, KVSQL_DEFINITION_RELATION, entry->relation->name,
                      entry->relation->is_quoted, NULL);
  kvsql_decision_remove_rights (self, entry);
  kvsql_decision_remove_statistics (self, entry->relation);
  if (entry->n_schemas > 0)
    kvsql_result_page_warn (self->page,
                            "the definitions are gone; the tables and what they hold are kept");
  return TRUE;
}

static gboolean
decide_drop_schema (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  const KvsqlSchema *schema = kvsql_authority_lookup_schema (&self->execution->authority,
                                                             self->execution->catalog, &drop->name);
  KvsqlName relation = { .span = KVSQL_SPAN_NONE };
  const KvsqlCatalogEntry *entry;

  if (schema == NULL && drop->if_exists)
    {
      if (!kvsql_catalog_check_known (self->execution->catalog, error))
        return FALSE;
      kvsql_result_page_note (self->page, "schema \"%s\" does not exist, nothing was done",
                              drop->name.text);
      return TRUE;
    }
  if (schema == NULL)
    return kvsql_catalog_find_schema (self->execution->catalog, &drop->name, error) != NULL;
  relation.text = schema->relation->name;
  relation.is_quoted = schema->relation->is_quoted;
  entry = kvsql_catalog_lookup (self->execution->catalog, &relation);
  if (schema->is_primary && drop->is_index)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, drop->name.span,
                            "\"%s\" is no index: it is the primary schema of relation \"%s\"",
                            schema->name, schema->relation->name);
  if (schema->is_primary && entry->n_schemas > 1)
    return kvsql_error_set (
               error, KVSQL_ERROR_INVALID, drop->name.span,
               "schema \"%s\" is the primary of relation \"%s\", which has other schemas",
               schema->name, schema->relation->name)
           || kvsql_error_hint (error, "Drop the others first, or DROP RELATION %s.",
                                schema->relation->name);
  add_drop (self, schema);
  kvsql_result_page_warn (self->page,
                          "the definition is gone; the table and what it holds are kept");
  return TRUE;
}

gboolean
kvsql_decide_drop (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  return drop->is_schema ? decide_drop_schema (self, drop, error)
                         : decide_drop_relation (self, drop, error);
}
