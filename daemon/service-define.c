/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-define.c: DEFINE and DROP.
 *
 * A change is decided on a snapshot and committed only if the registry is still at that epoch. If
 * somebody else was first it is decided again on the newer definitions, which is where a second
 * DEFINE of the same name learns that it lost.
 */
#include "config.h"

#include "core/exec/tuple-scan.h"
#include "daemon/service-private.h"

#define LONGEST_WAIT_US (5 * G_TIME_SPAN_SECOND)

#define MAX_ATTEMPTS 20

const gchar *
kvsqld_task_fold_name (KvsqldTask *task, const gchar *text, gboolean is_quoted)
{
  g_autofree gchar *key = kvsql_name_fold (text, is_quoted);

  return kvsql_arena_strdup (task->arena, key);
}

KvsqldPage *
kvsqld_change_definitions (KvsqldTask *task, KvsqldDecide decide, GError **error)
{
  KvsqldChange *changes = kvsql_arena_array (task->arena, KvsqldChange, KVSQLD_MAX_CHANGES);
  KvsqldAuthor author;

  kvsqld_task_make_author (task, &author);
  for (guint attempt = 0;; attempt++)
    {
      g_autoptr (KvsqldPage) page = kvsqld_page_new_empty (-1);
      g_autoptr (GError) local = NULL;
      guint n = 0;

      if (!decide (task, page, changes, &n, error))
        return NULL;
      if (n == 0
          || kvsqld_definitions_commit (task->service->definitions, task->catalog, changes, n,
                                        &author, &task->call, &local))
        return g_steal_pointer (&page);
      if (!g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT) || attempt == MAX_ATTEMPTS)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      kvsqld_task_pause (task);
      kvsqld_task_resume (task);
    }
}

/* ---- DEFINE RELATION */

gboolean
kvsqld_fold_default (KvsqldTask *task, KvsqlAttributeDefinition *attribute, GError **error)
{
  KvsqlAstExpr *folded = kvsql_expr_fold_default (attribute->default_value, task->arena, error);

  if (folded == NULL && attribute->default_value != NULL)
    return FALSE;
  attribute->default_value = folded;
  return TRUE;
}

/* The definition with every DEFAULT computed; the statement may be shared. */
static gboolean
fold_defaults (KvsqldTask *task, const KvsqlDefineRelation *written, KvsqlDefineRelation *out,
               GError **error)
{
  *out = *written;
  out->attributes = kvsql_arena_copy (task->arena, written->attributes,
                                      written->n_attributes * sizeof *written->attributes);
  for (guint i = 0; i < out->n_attributes; i++)
    if (!kvsqld_fold_default (task, &out->attributes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
decide_relation (KvsqldTask *task, KvsqldPage *page, KvsqldChange *changes, guint *out_n,
                 GError **error)
{
  const KvsqlDefineRelation *definition = &task->statement->define_relation;
  const KvsqlCatalogEntry *known = kvsql_catalog_lookup (task->catalog, &definition->name);
  g_autoptr (KvsqlRelation) relation = NULL;
  KvsqlDefineRelation folded;

  if (known != NULL && definition->if_not_exists)
    {
      kvsqld_page_note (page, "relation \"%s\" exists already, nothing was done",
                        known->relation->name);
      return TRUE;
    }
  if (!fold_defaults (task, definition, &folded, error))
    return FALSE;
  relation = kvsql_relation_new (&folded, error);
  if (relation == NULL)
    return FALSE;
  if (known != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                            "relation \"%s\" exists already", known->relation->name)
           || kvsql_error_hint (error, "Look at it with DESCRIBE %s, or use IF NOT EXISTS.",
                                known->relation->name);
  changes[0]
      = (KvsqldChange){ .kind = KVSQLD_ENTRY_RELATION,
                        .name = kvsqld_task_fold_name (task, relation->name, relation->is_quoted),
                        .text = kvsql_arena_strdup (task->arena, relation->text) };
  *out_n = 1;
  return TRUE;
}

KvsqldPage *
kvsqld_run_define_relation (KvsqldTask *task, GError **error)
{
  return kvsqld_change_definitions (task, decide_relation, error);
}

/* ---- DEFINE SCHEMA */

/* Tables whose names are known are made now, so that reading before the first write is no error. */
void
kvsqld_make_table (KvsqldTask *task, KvsqldPage *page, const KvsqlSchema *schema)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;

  for (guint c = 0; c < schema->n_cells && error == NULL; c++)
    {
      KvsqlSlice table, family;
      if (kvsql_sequence_get_constant (schema->cells[c].fields[KVSQL_FIELD_TABLE], arena, &table)
          && kvsql_sequence_get_constant (schema->cells[c].fields[KVSQL_FIELD_FAMILY], arena,
                                          &family))
        kvsql_engine_ensure_table (task->service->engine, schema, table, family, &task->call,
                                   &error);
    }
  if (error != NULL)
    kvsqld_page_warn (page, "the table of schema \"%s\" could not be made now: %s", schema->name,
                      error->message);
}

gboolean
kvsqld_must_be_filled (KvsqldTask *task, const KvsqlCatalogEntry *entry, const KvsqlSchema *schema,
                       gboolean *out, GError **error)
{
  KvsqlConstraint none[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlBox box = { .constraints = none };
  KvsqlBoxes everything = { .boxes = &box, .n_boxes = 1 };
  g_autoptr (KvsqlTupleScan) scan = NULL;
  KvsqlCandidate candidate;
  KvsqlBatch *batch;

  /* nobody reads it as if it held everything, or somebody else fills it */
  *out = FALSE;
  if (entry->n_schemas == 0 || schema->is_primary || schema->options.role != KVSQL_ROLE_ANY
      || !kvsql_schema_is_filled (schema))
    return TRUE;
  kvsql_candidate_make (entry->schemas[0], &everything, &entry->relation->keys,
                        &task->service->store->capabilities, task->arena, &candidate);
  scan = kvsql_tuple_scan_new (task->service->store, &candidate, &entry->relation->keys, NULL, 1,
                               task->limits.sort_bytes);
  kvsql_tuple_scan_allow_missing_tables (scan);
  if (!kvsql_tuple_scan_next (scan, &task->call, &batch, error))
    {
      g_prefix_error (error,
                      "could not tell whether relation \"%s\" is empty: ", entry->relation->name);
      return FALSE;
    }
  *out = batch->n_rows > 0;
  return TRUE;
}

gboolean
kvsqld_decide_schema (KvsqldTask *task, const KvsqlDefineSchema *definition, KvsqldPage *page,
                      KvsqldChange *changes, guint *out_n, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (task->catalog, &definition->relation, error);
  const KvsqlSchema *known = kvsql_catalog_lookup_schema (task->catalog, &definition->name);
  g_autoptr (KvsqlSchema) schema = NULL;
  g_autofree gchar *text = NULL;
  gboolean is_filled_later;

  if (entry == NULL)
    return FALSE;
  if (known != NULL && definition->if_not_exists)
    {
      kvsqld_page_note (page, "schema \"%s\" exists already, nothing was done", known->name);
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
  if (!kvsql_catalog_check_schema (task->catalog, schema, definition, error)
      || !kvsqld_must_be_filled (task, entry, schema, &is_filled_later, error))
    return FALSE;
  if (schema->n_restricted > 0)
    kvsqld_page_warn (page,
                      "values that contain their separator will be refused; DESCRIBE %s says which",
                      schema->name);
  if (schema->n_demands > 0)
    kvsqld_page_warn (page, "some times will be refused; DESCRIBE %s says which", schema->name);
  if (!schema->is_primary && (entry->n_schemas == 0 || !entry->schemas[0]->is_primary))
    kvsqld_page_warn (page,
                      "relation \"%s\" has no primary schema yet: it can be neither written nor "
                      "read before DEFINE PRIMARY SCHEMA … FOR %s",
                      entry->relation->name, entry->relation->name);
  kvsqld_make_table (task, page, schema);
  if (is_filled_later || (!kvsql_schema_is_filled (schema) && entry->n_schemas > 0))
    text = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  if (is_filled_later)
    kvsqld_page_warn (page,
                      "relation \"%s\" has tuples already: schema \"%s\" is written, and "
                      "will be read when BACKFILL SCHEMA %s has filled it",
                      entry->relation->name, schema->name, schema->name);
  changes[0]
      = (KvsqldChange){ .kind = KVSQLD_ENTRY_SCHEMA,
                        .name = kvsqld_task_fold_name (task, schema->name, schema->is_quoted),
                        .text
                        = kvsql_arena_strdup (task->arena, text != NULL ? text : schema->text) };
  *out_n = 1;
  return TRUE;
}

static gboolean
decide_statement (KvsqldTask *task, KvsqldPage *page, KvsqldChange *changes, guint *out_n,
                  GError **error)
{
  return kvsqld_decide_schema (task, &task->statement->define_schema, page, changes, out_n, error);
}

void
kvsqld_begin_writing (KvsqldTask *task, const KvsqlName *name, KvsqldPage *page)
{
  const gchar *folded = kvsqld_task_fold_name (task, name->text, name->is_quoted);
  KvsqlCall call = task->call;
  g_autoptr (GError) error = NULL;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_WAIT_US);
  kvsqld_task_pause (task);
  if (!kvsqld_backfill_begin (task->service->definitions, task->service->engine, folded, &call,
                              &error))
    kvsqld_page_warn (page, "schema \"%s\" is not written yet: %s", name->text, error->message);
  kvsqld_task_resume (task);
}

KvsqldPage *
kvsqld_run_define_schema (KvsqldTask *task, GError **error)
{
  KvsqldPage *page = kvsqld_change_definitions (task, decide_statement, error);

  if (page != NULL)
    kvsqld_begin_writing (task, &task->statement->define_schema.name, page);
  return page;
}

/* ---- DROP */

/* The schema, and how far it was filled. */
static void
add_drop (KvsqldTask *task, const KvsqlSchema *schema, KvsqldChange *changes, guint *n)
{
  const gchar *name = kvsqld_task_fold_name (task, schema->name, schema->is_quoted);

  changes[(*n)++] = (KvsqldChange){ .kind = KVSQLD_ENTRY_SCHEMA, .name = name };
  if (g_hash_table_contains (task->catalog->notes, name))
    changes[(*n)++] = (KvsqldChange){ .kind = KVSQLD_ENTRY_BACKFILL, .name = name };
}

static gboolean
decide_drop_relation (KvsqldTask *task, KvsqldPage *page, KvsqldChange *changes, guint *out_n,
                      GError **error)
{
  const KvsqlDrop *drop = &task->statement->drop;
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (task->catalog, &drop->name);

  if (entry == NULL && drop->if_exists)
    {
      kvsqld_page_note (page, "relation \"%s\" does not exist, nothing was done", drop->name.text);
      return TRUE;
    }
  if (entry == NULL)
    return kvsql_catalog_find (task->catalog, &drop->name, error) != NULL;
  if (entry->n_schemas > KVSQLD_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, drop->name.span,
                            "relation \"%s\" has too many schemas to drop at once",
                            entry->relation->name);
  for (guint i = 0; i < entry->n_schemas; i++)
    add_drop (task, entry->schemas[i], changes, out_n);
  changes[(*out_n)++]
      = (KvsqldChange){ .kind = KVSQLD_ENTRY_RELATION,
                        .name = kvsqld_task_fold_name (task, entry->relation->name,
                                                       entry->relation->is_quoted) };
  if (entry->n_schemas > 0)
    kvsqld_page_warn (page, "the definitions are gone; the tables and what they hold are kept");
  return TRUE;
}

static gboolean
decide_drop_schema (KvsqldTask *task, KvsqldPage *page, KvsqldChange *changes, guint *out_n,
                    GError **error)
{
  const KvsqlDrop *drop = &task->statement->drop;
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (task->catalog, &drop->name);
  KvsqlName relation = { .span = KVSQL_SPAN_NONE };
  const KvsqlCatalogEntry *entry;

  if (schema == NULL && drop->if_exists)
    {
      kvsqld_page_note (page, "schema \"%s\" does not exist, nothing was done", drop->name.text);
      return TRUE;
    }
  if (schema == NULL)
    return kvsql_catalog_find_schema (task->catalog, &drop->name, error) != NULL;
  relation.text = schema->relation->name;
  relation.is_quoted = schema->relation->is_quoted;
  entry = kvsql_catalog_lookup (task->catalog, &relation);
  if (schema->is_primary && entry->n_schemas > 1)
    return kvsql_error_set (
               error, KVSQL_ERROR_INVALID, drop->name.span,
               "schema \"%s\" is the primary of relation \"%s\", which has other schemas",
               schema->name, schema->relation->name)
           || kvsql_error_hint (error, "Drop the others first, or DROP RELATION %s.",
                                schema->relation->name);
  add_drop (task, schema, changes, out_n);
  kvsqld_page_warn (page, "the definition is gone; the table and what it holds are kept");
  return TRUE;
}

KvsqldPage *
kvsqld_run_drop (KvsqldTask *task, GError **error)
{
  return kvsqld_change_definitions (
      task, task->statement->drop.is_schema ? decide_drop_schema : decide_drop_relation, error);
}
