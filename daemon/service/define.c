/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * define.c: DEFINE and DROP.
 *
 * A change is decided on a snapshot, and committed only if the registry still has that epoch. If
 * another commit came first, the change is decided again on the newer definitions. This is where a
 * second DEFINE of the same name fails.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "daemon/service/service-private.h"

#define LONGEST_WAIT_US (5 * G_TIME_SPAN_SECOND)

#define MAX_ATTEMPTS 20

const gchar *
kvsqld_context_fold_name (KvsqldContext *context, const gchar *text, gboolean is_quoted)
{
  g_autofree gchar *key = kvsql_name_fold (text, is_quoted);

  return kvsql_arena_strdup (context->arena, key);
}

const gchar *
kvsqld_context_fold_written (KvsqldContext *context, const KvsqlName *name)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (context->catalog, name);
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (context->catalog, name);

  if (name->is_double_quoted && entry != NULL)
    return kvsqld_context_fold_name (context, entry->relation->name, entry->relation->is_quoted);
  if (name->is_double_quoted && schema != NULL)
    return kvsqld_context_fold_name (context, schema->name, schema->is_quoted);
  return kvsqld_context_fold_name (context, name->text, name->is_quoted);
}

KvsqlResultPage *
kvsqld_change_definitions (KvsqldContext *context, KvsqldDecide decide, GError **error)
{
  KvsqldChange *changes = kvsql_arena_array (context->arena, KvsqldChange, KVSQLD_MAX_CHANGES);
  KvsqldAuthor author;

  kvsqld_context_make_author (context, &author);
  for (guint attempt = 0;; attempt++)
    {
      g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_empty (-1);
      g_autoptr (GError) local = NULL;
      guint n = 0;

      if (!decide (context, page, changes, &n, error) || !kvsql_interrupt_poll (error))
        return NULL;
      if (n == 0
          || kvsqld_definitions_commit (context->service->definitions, context->catalog, changes, n,
                                        &author, &context->call, &local))
        return g_steal_pointer (&page);
      if (!g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT) || attempt == MAX_ATTEMPTS)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      kvsqld_context_pause (context);
      kvsqld_context_resume (context);
    }
}

/* ---- DEFINE RELATION */

gboolean
kvsqld_fold_default (KvsqldContext *context, KvsqlAttributeDefinition *attribute, GError **error)
{
  KvsqlAstExpr *folded = kvsql_expr_fold_default (attribute->default_value, context->arena, error);

  if (folded == NULL && attribute->default_value != NULL)
    return FALSE;
  attribute->default_value = folded;
  return TRUE;
}

/* The definition with every DEFAULT evaluated, as a copy because the statement may be shared. */
static gboolean
fold_defaults (KvsqldContext *context, const KvsqlDefineRelation *written, KvsqlDefineRelation *out,
               GError **error)
{
  *out = *written;
  out->attributes = kvsql_arena_copy (context->arena, written->attributes,
                                      written->n_attributes * sizeof *written->attributes);
  for (guint i = 0; i < out->n_attributes; i++)
    if (!kvsqld_fold_default (context, &out->attributes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
decide_relation (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes, guint *out_n,
                 GError **error)
{
  const KvsqlDefineRelation *definition = &context->statement->define_relation;
  const KvsqlCatalogEntry *known = kvsql_catalog_lookup (context->catalog, &definition->name);
  g_autoptr (KvsqlRelation) relation = NULL;
  KvsqlDefineRelation folded;

  if (known != NULL && definition->if_not_exists)
    {
      kvsql_result_page_note (page, "relation \"%s\" exists already, nothing was done",
                              known->relation->name);
      return TRUE;
    }
  if (!fold_defaults (context, definition, &folded, error))
    return FALSE;
  relation = kvsql_relation_new (&folded, error);
  if (relation == NULL)
    return FALSE;
  if (known != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                            "relation \"%s\" exists already", known->relation->name)
           || kvsql_error_hint (error, "Look at it with DESCRIBE %s, or use IF NOT EXISTS.",
                                known->relation->name);
  changes[0] = (KvsqldChange){ .kind = KVSQLD_ENTRY_RELATION,
                               .name = kvsqld_context_fold_name (context, relation->name,
                                                                 relation->is_quoted),
                               .text = kvsql_arena_strdup (context->arena, relation->text) };
  *out_n = 1;
  return TRUE;
}

KvsqlResultPage *
kvsqld_run_define_relation (KvsqldContext *context, GError **error)
{
  return kvsqld_change_definitions (context, decide_relation, error);
}

/* ---- DEFINE SCHEMA */

/* Makes tables whose names are known now, so that reading before the first write is no error. */
void
kvsqld_make_table (KvsqldContext *context, KvsqlResultPage *page, const KvsqlSchema *schema)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      KvsqlSlice table, family;
      if (kvsql_sequence_get_constant (schema->cells[c].fields[KVSQL_FIELD_TABLE], arena, &table)
          && kvsql_sequence_get_constant (schema->cells[c].fields[KVSQL_FIELD_FAMILY], arena,
                                          &family)
          && !kvsql_engine_ensure_table (context->service->engine, schema, table, family,
                                         &context->call, &error))
        {
          kvsql_result_page_warn (page, "the table of schema \"%s\" could not be made now: %s",
                                  schema->name, error->message);
          return;
        }
    }
}

/* The other schemas were defined when the relation could have no tuples. If the primary has some
 * already, the other schemas have to be filled. */
static gboolean
reopen_others (KvsqldContext *context, const KvsqlCatalogEntry *entry, const KvsqlSchema *primary,
               KvsqlResultPage *page, KvsqldChange *changes, guint *n, GError **error)
{
  KvsqlFilling filling = { .must_be_filled = TRUE, .has_tuples = TRUE };
  gboolean has_tuples;

  if (!primary->is_primary || entry->n_schemas == 0)
    return TRUE;
  if (!kvsql_schema_has_tuples (context->service->store, primary, &context->call, &has_tuples,
                                error))
    return FALSE;
  for (guint i = 0; i < entry->n_schemas && has_tuples; i++)
    {
      const KvsqlSchema *other = entry->schemas[i];
      g_autofree gchar *text = NULL;

      if (!kvsql_schema_is_filled (other) || other->options.role != KVSQL_ROLE_ANY)
        continue;
      text = kvsql_schema_print_with_state (other, KVSQL_STATE_DELETING);
      kvsqld_warn_of_filling (page, other, &filling);
      changes[(*n)++] = (KvsqldChange){ .kind = KVSQLD_ENTRY_SCHEMA,
                                        .name = kvsqld_context_fold_name (context, other->name,
                                                                          other->is_quoted),
                                        .text = kvsql_arena_strdup (context->arena, text) };
    }
  return TRUE;
}

gboolean
kvsqld_decide_schema (KvsqldContext *context, const KvsqlDefineSchema *definition,
                      KvsqlResultPage *page, KvsqldChange *changes, guint *out_n, GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_catalog_find (context->catalog, &definition->relation, error);
  const KvsqlSchema *known = kvsql_catalog_lookup_schema (context->catalog, &definition->name);
  g_autoptr (KvsqlSchema) schema = NULL;
  g_autofree gchar *text = NULL;
  KvsqlFilling filling;

  if (entry == NULL)
    return FALSE;
  if (known != NULL && definition->if_not_exists)
    {
      kvsql_result_page_note (page, "schema \"%s\" exists already, nothing was done", known->name);
      return TRUE;
    }
  schema = kvsql_schema_new (definition, entry->relation, error);
  if (schema == NULL)
    return FALSE;
  if (known != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                            "schema \"%s\" exists already", known->name)
           || kvsql_error_hint (error, "Look at it with DESCRIBE %s, or use IF NOT EXISTS.",
                                known->name);
  if (entry->n_schemas == KVSQLD_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, definition->name.span,
                            "relation \"%s\" has %d schemas already", entry->relation->name,
                            KVSQLD_MAX_SCHEMAS);
  if (!kvsql_catalog_check_schema (context->catalog, schema, definition, error)
      || !kvsql_schema_check_filling (context->service->engine, entry, schema, &context->call,
                                      &filling, error))
    return FALSE;
  if (schema->n_restricted > 0)
    kvsql_result_page_warn (
        page, "values that contain their separator will be refused; DESCRIBE %s says which",
        schema->name);
  if (schema->n_demands > 0)
    kvsql_result_page_warn (page, "some times will be refused; DESCRIBE %s says which",
                            schema->name);
  if (!schema->is_primary && (entry->n_schemas == 0 || !entry->schemas[0]->is_primary))
    kvsql_result_page_warn (
        page,
        "relation \"%s\" has no primary schema yet: it can be neither written nor "
        "read before DEFINE PRIMARY SCHEMA … FOR %s",
        entry->relation->name, entry->relation->name);
  kvsqld_make_table (context, page, schema);
  if (filling.must_be_filled || (!kvsql_schema_is_filled (schema) && entry->n_schemas > 0))
    text = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  kvsqld_warn_of_filling (page, schema, &filling);
  changes[0]
      = (KvsqldChange){ .kind = KVSQLD_ENTRY_SCHEMA,
                        .name = kvsqld_context_fold_name (context, schema->name, schema->is_quoted),
                        .text
                        = kvsql_arena_strdup (context->arena, text != NULL ? text : schema->text) };
  *out_n = 1;
  return reopen_others (context, entry, schema, page, changes, out_n, error);
}

static gboolean
decide_statement (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes,
                  guint *out_n, GError **error)
{
  return kvsqld_decide_schema (context, &context->statement->define_schema, page, changes, out_n,
                               error);
}

void
kvsqld_begin_writing (KvsqldContext *context, const KvsqlName *name, KvsqlResultPage *page)
{
  const gchar *folded = kvsqld_context_fold_written (context, name);
  KvsqlCall call = context->call;
  g_autoptr (GError) error = NULL;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_WAIT_US);
  kvsqld_context_pause (context);
  if (!kvsqld_backfill_begin (context->service->definitions, context->service->engine, folded,
                              &call, &error))
    kvsql_result_page_warn (page, "schema \"%s\" is not written yet: %s", name->text,
                            error->message);
  kvsqld_context_resume (context);
}

void
kvsqld_begin_writing_all (KvsqldContext *context, const KvsqlName *relation, KvsqlResultPage *page)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (context->service->definitions);
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, relation);

  for (guint i = 0; entry != NULL && i < entry->n_schemas; i++)
    {
      KvsqlName name = { .text = entry->schemas[i]->name,
                         .is_quoted = entry->schemas[i]->is_quoted,
                         .span = KVSQL_SPAN_NONE };

      if (entry->schemas[i]->options.state == KVSQL_STATE_DELETING)
        kvsqld_begin_writing (context, &name, page);
    }
}

KvsqlResultPage *
kvsqld_run_define_schema (KvsqldContext *context, GError **error)
{
  const KvsqlDefineSchema *definition = &context->statement->define_schema;
  gboolean is_new = kvsql_catalog_lookup_schema (context->catalog, &definition->name) == NULL;
  KvsqlResultPage *page = kvsqld_change_definitions (context, decide_statement, error);

  if (page != NULL && definition->is_primary)
    kvsqld_begin_writing_all (context, &definition->relation, page);
  else if (page != NULL)
    kvsqld_begin_writing (context, &definition->name, page);
  if (page != NULL && is_new)
    kvsqld_report_rows (context, &definition->name, page);
  return page;
}

/* ---- DROP */

/* Removes the schema, and the progress of filling it. */
static void
add_drop (KvsqldContext *context, const KvsqlSchema *schema, KvsqldChange *changes, guint *n)
{
  const gchar *name = kvsqld_context_fold_name (context, schema->name, schema->is_quoted);

  changes[(*n)++] = (KvsqldChange){ .kind = KVSQLD_ENTRY_SCHEMA, .name = name };
  if (g_hash_table_contains (context->catalog->notes, name))
    changes[(*n)++] = (KvsqldChange){ .kind = KVSQLD_ENTRY_BACKFILL, .name = name };
}

static gboolean
decide_drop_relation (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes,
                      guint *out_n, GError **error)
{
  const KvsqlDrop *drop = &context->statement->drop;
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (context->catalog, &drop->name);

  if (entry == NULL && drop->if_exists)
    {
      if (!kvsql_catalog_check_known (context->catalog, error))
        return FALSE;
      kvsql_result_page_note (page, "relation \"%s\" does not exist, nothing was done",
                              drop->name.text);
      return TRUE;
    }
  if (entry == NULL)
    return kvsql_catalog_find (context->catalog, &drop->name, error) != NULL;
  if (entry->n_schemas > KVSQLD_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, drop->name.span,
                            "relation \"%s\" has too many schemas to drop at once",
                            entry->relation->name);
  for (guint i = 0; i < entry->n_schemas; i++)
    add_drop (context, entry->schemas[i], changes, out_n);
  changes[(*out_n)++]
      = (KvsqldChange){ .kind = KVSQLD_ENTRY_RELATION,
                        .name = kvsqld_context_fold_name (context, entry->relation->name,
                                                          entry->relation->is_quoted) };
  if (entry->n_schemas > 0)
    kvsql_result_page_warn (page,
                            "the definitions are gone; the tables and what they hold are kept");
  return TRUE;
}

static gboolean
decide_drop_schema (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes,
                    guint *out_n, GError **error)
{
  const KvsqlDrop *drop = &context->statement->drop;
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (context->catalog, &drop->name);
  KvsqlName relation = { .span = KVSQL_SPAN_NONE };
  const KvsqlCatalogEntry *entry;

  if (schema == NULL && drop->if_exists)
    {
      if (!kvsql_catalog_check_known (context->catalog, error))
        return FALSE;
      kvsql_result_page_note (page, "schema \"%s\" does not exist, nothing was done",
                              drop->name.text);
      return TRUE;
    }
  if (schema == NULL)
    return kvsql_catalog_find_schema (context->catalog, &drop->name, error) != NULL;
  relation.text = schema->relation->name;
  relation.is_quoted = schema->relation->is_quoted;
  entry = kvsql_catalog_lookup (context->catalog, &relation);
  if (schema->is_primary && entry->n_schemas > 1)
    return kvsql_error_set (
               error, KVSQL_ERROR_INVALID, drop->name.span,
               "schema \"%s\" is the primary of relation \"%s\", which has other schemas",
               schema->name, schema->relation->name)
           || kvsql_error_hint (error, "Drop the others first, or DROP RELATION %s.",
                                schema->relation->name);
  add_drop (context, schema, changes, out_n);
  kvsql_result_page_warn (page, "the definition is gone; the table and what it holds are kept");
  return TRUE;
}

KvsqlResultPage *
kvsqld_run_drop (KvsqldContext *context, GError **error)
{
  return kvsqld_change_definitions (
      context, context->statement->drop.is_schema ? decide_drop_schema : decide_drop_relation,
      error);
}
