/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * restore.c: RESTORE: defines a relation or schema as in a version of its history.
 *
 * The result is a new definition, with the same checks as any other. The stored data does not
 * change. An existing relation or schema then reads what is stored now. A dropped one is defined
 * again, like a new one. A dropped relation is restored with the schemas that it had at the end of
 * that version.
 */
#include "config.h"

#include "core/catalog/restore.h"
#include "core/catalog/compile-schema.h"
#include "core/catalog/proof-schema.h"
#include "core/schema/relation-options.h"
#include "core/sql/parser.h"
#include "core/engine/definitions-private.h"

typedef struct
{
  KvsqlDecision *decision;
  const KvsqlRestore *restore;
  gchar *name;        /* folded */
  GPtrArray *records; /* the part of the history that is needed */
} Restore;

static KvsqlArena *
arena_of (const Restore *self)
{
  return self->decision->execution->binder.arena;
}

/* ---- the history */

static const KvsqlDefinitionRecord *
find_latest (const Restore *self, KvsqlDefinitionKind kind, const gchar *name, gint64 version)
{
  const KvsqlDefinitionRecord *latest = NULL;

  for (guint i = 0; i < self->records->len; i++)
    {
      const KvsqlDefinitionRecord *record = self->records->pdata[i];

      if (record->kind == kind && record->epoch <= version && strcmp (record->name, name) == 0)
        latest = record;
    }
  return latest;
}

/* The last epoch in which a version of the relation was valid. */
static gint64
end_of (const Restore *self, const KvsqlDefinitionRecord *version)
{
  for (guint i = 0; i < self->records->len; i++)
    {
      const KvsqlDefinitionRecord *record = self->records->pdata[i];

      if (record->kind == version->kind && record->epoch > version->epoch
          && strcmp (record->name, version->name) == 0)
        return record->epoch - 1;
    }
  return G_MAXINT64;
}

static const KvsqlDefinitionRecord *
find_version (const Restore *self, GError **error)
{
  KvsqlDefinitionKind kind
      = self->restore->is_schema ? KVSQL_DEFINITION_SCHEMA : KVSQL_DEFINITION_RELATION;
  const gchar *what = self->restore->is_schema ? "schema" : "relation";
  const KvsqlDefinitionRecord *record
      = find_latest (self, kind, self->name, self->restore->version);
  const KvsqlDefinitionRecord *before;

  if (record == NULL || record->epoch != self->restore->version)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, self->restore->version_span,
                       "%s \"%s\" has no version %" G_GINT64_FORMAT, what, self->restore->name.text,
                       self->restore->version);
      kvsql_error_hint (error, "SHOW HISTORY FOR %s lists them.", self->restore->name.text);
      return NULL;
    }
  if (record->text != NULL)
    return record;
  before = find_latest (self, kind, self->name, self->restore->version - 1);
  kvsql_error_set (error, KVSQL_ERROR_INVALID, self->restore->version_span,
                   "in version %" G_GINT64_FORMAT " %s \"%s\" was dropped", record->epoch, what,
                   self->restore->name.text);
  if (before != NULL && before->text != NULL)
    kvsql_error_hint (error, "Before that it was version %" G_GINT64_FORMAT ".", before->epoch);
  return NULL;
}

/* Moves an error in an old text to the place where the user wrote the statement. */
static gboolean
move_error (const Restore *self, const GError *cause, GError **error)
{
  const gchar *detail = kvsql_error_get_detail (cause), *hint = kvsql_error_get_hint (cause);

  kvsql_error_set (error, cause->code, self->restore->name.span, "%s", cause->message);
  if (detail != NULL)
    kvsql_error_detail (error, "%s", detail);
  if (hint != NULL)
    kvsql_error_hint (error, "%s", hint);
  return FALSE;
}

/* The schema's definition, without a state; NULL: the text is none. */
static const KvsqlDefineSchema *
parse_schema (const Restore *self, const gchar *text)
{
  g_autofree gchar *plain = kvsql_definition_as_written (text);
  KvsqlAstStatement *statement = kvsql_parser_parse_definition (
      kvsql_slice_dup (arena_of (self), kvsql_slice_from_text (plain)), arena_of (self), NULL);

  return statement != NULL && statement->kind == KVSQL_STATEMENT_DEFINE_SCHEMA
             ? &statement->define_schema
             : NULL;
}

static gboolean
is_of (const KvsqlDefineSchema *schema, const gchar *relation)
{
  g_autofree gchar *folded = kvsql_name_fold (schema->relation.text, schema->relation.is_quoted);

  return strcmp (folded, relation) == 0;
}

/* ---- of an existing relation or schema */

/* A schema that had another layout may have had another table, too. */
static gboolean
check_tables (const Restore *self, const KvsqlCatalogEntry *entry, const KvsqlAlteration *altered,
              GError **error)
{
  const KvsqlExecution *execution = self->decision->execution;

  for (guint i = 0; i < altered->n_schemas; i++)
    if (strcmp (altered->schemas[i]->text, entry->schemas[i]->text) != 0
        && !kvsql_authority_check_tables (&execution->authority, execution->catalog,
                                          altered->schemas[i], self->restore->name.span, error))
      return FALSE;
  return TRUE;
}

static gboolean
change_entry (const Restore *self, const KvsqlCatalogEntry *entry, const gchar *relation,
              const gchar *const *schemas, GError **error)
{
  g_autoptr (KvsqlAlteration) altered = NULL;

  if (!kvsql_entry_check_n_schemas (entry, self->restore->name.span, error))
    return FALSE;
  altered = kvsql_restore (self->decision->execution->catalog, entry, relation, schemas,
                           self->restore->name.span, error);
  if (altered == NULL)
    return FALSE;
  if (!check_tables (self, entry, altered, error))
    return FALSE;
  if (altered->leaves_cells)
    kvsql_result_page_warn (self->decision->page,
                            "values of attributes that were not there then stay in the tables, and "
                            "are seen again if attributes of their names are added");
  kvsql_decision_add_alteration (self->decision, entry, altered);
  return kvsql_decision_check_old_values (self->decision, entry, altered, self->restore->name.span,
                                          error);
}

/* The relation and its schemas, as far as they existed. */
static gboolean
change_relation (const Restore *self, const KvsqlCatalogEntry *entry,
                 const KvsqlDefinitionRecord *version, GError **error)
{
  const gchar **schemas = kvsql_arena_array (arena_of (self), const gchar *, entry->n_schemas + 1);

  for (guint i = 0; i < entry->n_schemas; i++)
    {
      g_autofree gchar *name
          = kvsql_name_fold (entry->schemas[i]->name, entry->schemas[i]->is_quoted);
      const KvsqlDefinitionRecord *record
          = find_latest (self, KVSQL_DEFINITION_SCHEMA, name, end_of (self, version));
      const KvsqlDefineSchema *schema
          = record != NULL && record->text != NULL ? parse_schema (self, record->text) : NULL;

      schemas[i] = schema != NULL && is_of (schema, self->name) ? record->text : NULL;
    }
  return change_entry (self, entry, version->text, schemas, error);
}

static gboolean
change_schema (const Restore *self, const KvsqlSchema *known, const KvsqlDefinitionRecord *version,
               GError **error)
{
  KvsqlName name = { .text = known->relation->name,
                     .is_quoted = known->relation->is_quoted,
                     .span = KVSQL_SPAN_NONE };
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (self->decision->execution->catalog, &name);
  const KvsqlDefineSchema *schema = parse_schema (self, version->text);
  g_autofree gchar *folded = kvsql_name_fold (name.text, name.is_quoted);
  const gchar **schemas = kvsql_arena_array (arena_of (self), const gchar *, entry->n_schemas + 1);

  if (schema == NULL || !is_of (schema, folded))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->restore->name.span,
                            "schema \"%s\" was of another relation then, \"%s\"", known->name,
                            schema != NULL ? schema->relation.text : "?");
  for (guint i = 0; i < entry->n_schemas; i++)
    schemas[i] = entry->schemas[i] == known ? version->text : NULL;
  return change_entry (self, entry, entry->relation->text, schemas, error);
}

/* ---- of a dropped relation or schema */

static gboolean
define_schema (const Restore *self, const KvsqlDefinitionRecord *version, GError **error)
{
  const KvsqlDefineSchema *schema = parse_schema (self, version->text);
  g_autoptr (GError) cause = NULL;

  if (schema == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->restore->name.span,
                            "version %" G_GINT64_FORMAT " cannot be understood any more",
                            version->epoch);
  return kvsql_decide_define_schema (self->decision, schema, &cause)
         || move_error (self, cause, error);
}

/* The schemas of the relation at @epoch; the primary first. */
static GPtrArray *
list_schemas (const Restore *self, gint64 epoch)
{
  GPtrArray *schemas = g_ptr_array_new ();

  for (guint i = 0; i < self->records->len; i++)
    {
      const KvsqlDefinitionRecord *record = self->records->pdata[i];
      const KvsqlDefineSchema *schema;

      if (record->kind != KVSQL_DEFINITION_SCHEMA || record->text == NULL
          || find_latest (self, KVSQL_DEFINITION_SCHEMA, record->name, epoch) != record)
        continue;
      schema = parse_schema (self, record->text);
      if (schema != NULL && is_of (schema, self->name))
        g_ptr_array_insert (schemas, schema->is_primary ? 0 : -1, (gpointer)schema);
    }
  return schemas;
}

static gboolean
check_apart (const Restore *self, const KvsqlCatalogEntry *entry, const KvsqlSchema *schema,
             GError **error)
{
  const KvsqlCatalog *catalog = self->decision->execution->catalog;

  for (guint i = 0; i < entry->n_schemas; i++)
    if (!kvsql_schema_check_disjoint (schema, entry->schemas[i], KVSQL_SPAN_NONE, error))
      return FALSE;
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *other = catalog->entries->pdata[i];

      for (guint j = 0; j < other->n_schemas; j++)
        if (!kvsql_schema_check_disjoint (schema, other->schemas[j], KVSQL_SPAN_NONE, error))
          return FALSE;
    }
  return TRUE;
}

/* Adds one schema to @entry, which is not in the catalog yet. */
static gboolean
add_schema (const Restore *self, KvsqlCatalogEntry *entry, const KvsqlDefineSchema *definition,
            GError **error)
{
  KvsqlDecision *decision = self->decision;
  KvsqlSchema *schema;
  KvsqlFilling filling;
  g_autofree gchar *text = NULL;

  if (kvsql_catalog_lookup_schema (decision->execution->catalog, &definition->name) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, KVSQL_SPAN_NONE,
                            "schema \"%s\" exists already, of another relation",
                            definition->name.text);
  schema = kvsql_schema_new (definition, entry->relation, error);
  if (schema == NULL)
    return FALSE;
  entry->schemas[entry->n_schemas] = schema;
  if (!check_apart (self, entry, schema, error)
      || !kvsql_schema_check_filling (decision->execution->storage, entry, schema,
                                      decision->execution->call, &filling, error))
    {
      kvsql_schema_unref (schema);
      return FALSE;
    }
  entry->n_schemas++;
  kvsql_decision_make_table (decision, schema);
  if (filling.must_be_filled)
    text = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  kvsql_decision_warn_of_filling (decision, schema, &filling);
  kvsql_decision_add (decision, KVSQL_DEFINITION_SCHEMA, schema->name, schema->is_quoted,
                      text != NULL ? text : schema->text);
  return TRUE;
}

static gboolean
define_schemas (const Restore *self, KvsqlRelation *relation, gint64 epoch, GError **error)
{
  g_autoptr (GPtrArray) schemas = list_schemas (self, epoch);
  KvsqlCatalogEntry entry = { .relation = relation };
  gboolean ok = TRUE;

  if (schemas->len > KVSQL_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "relation \"%s\" had too many schemas to restore at once",
                            relation->name);
  entry.schemas = kvsql_arena_array (arena_of (self), KvsqlSchema *, schemas->len);
  for (guint i = 0; i < schemas->len && ok; i++)
    ok = add_schema (self, &entry, schemas->pdata[i], error);
  for (guint i = 0; i < entry.n_schemas; i++)
    kvsql_schema_unref (entry.schemas[i]);
  return ok;
}

static gboolean
define_relation (const Restore *self, const KvsqlDefinitionRecord *version, GError **error)
{
  g_autoptr (GError) cause = NULL;
  KvsqlAstStatement *statement = kvsql_parser_parse_definition (
      kvsql_slice_from_text (version->text), arena_of (self), &cause);
  g_autoptr (KvsqlRelation) relation = NULL;

  if (statement != NULL)
    {
      /* what anchors say may be older than what another definition has written in the meantime */
      kvsql_relation_options_renew (&statement->define_relation.options, arena_of (self));
      relation = kvsql_relation_new (&statement->define_relation, &cause);
    }
  if (relation == NULL)
    return move_error (self, cause, error);
  kvsql_decision_add (self->decision, KVSQL_DEFINITION_RELATION, relation->name,
                      relation->is_quoted, relation->text);
  kvsql_decision_add_owner (self->decision, relation);
  return define_schemas (self, relation, end_of (self, version), &cause)
         || move_error (self, cause, error);
}

/* ---- the statement */

static gboolean
decide (Restore *self, GError **error)
{
  const KvsqlName *name = &self->restore->name;
  const KvsqlCatalog *catalog = self->decision->execution->catalog;
  const KvsqlDefinitionRecord *version = find_version (self, error);
  const KvsqlSchema *schema
      = self->restore->is_schema ? kvsql_catalog_lookup_schema (catalog, name) : NULL;
  const KvsqlCatalogEntry *entry
      = self->restore->is_schema ? NULL : kvsql_catalog_lookup (catalog, name);
  gboolean ok;

  if (version == NULL
      || (!self->restore->is_schema && !kvsql_decision_reject_view (self->decision, name, error)))
    return FALSE;
  if (schema != NULL)
    ok = change_schema (self, schema, version, error);
  else if (entry != NULL)
    ok = change_relation (self, entry, version, error);
  else if (self->restore->is_schema)
    ok = define_schema (self, version, error);
  else
    ok = define_relation (self, version, error);
  if (ok && self->decision->n_changes == 0)
    kvsql_result_page_note (self->decision->page,
                            "\"%s\" is as it was in version %" G_GINT64_FORMAT ", nothing was done",
                            name->text, version->epoch);
  return ok;
}

gboolean
kvsql_decide_restore (KvsqlDecision *decision, const KvsqlRestore *restore, GError **error)
{
  const KvsqlExecution *execution = decision->execution;
  g_autofree gchar *name = kvsql_catalog_fold_name (execution->catalog, &restore->name);
  g_autoptr (GPtrArray) records
      = kvsql_execution_list_history (execution, restore->is_schema ? name : NULL, error);
  Restore self = { .decision = decision, .restore = restore, .name = name, .records = records };

  return records != NULL && decide (&self, error);
}
