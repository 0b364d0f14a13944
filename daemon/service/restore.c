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
#include "core/sql/parser.h"
#include "daemon/service/service-private.h"

typedef struct
{
  KvsqldContext *context;
  const KvsqlRestore *restore;
  const gchar *name;  /* folded */
  GPtrArray *records; /* the part of the history that is needed */
} Restore;

/* ---- the history */

static const KvsqldRecord *
find_latest (const Restore *self, KvsqldEntryKind kind, const gchar *name, gint64 version)
{
  const KvsqldRecord *latest = NULL;

  for (guint i = 0; i < self->records->len; i++)
    {
      const KvsqldRecord *record = self->records->pdata[i];

      if (record->kind == kind && record->epoch <= version && strcmp (record->name, name) == 0)
        latest = record;
    }
  return latest;
}

/* The last epoch in which a version of the relation was valid. */
static gint64
end_of (const Restore *self, const KvsqldRecord *version)
{
  for (guint i = 0; i < self->records->len; i++)
    {
      const KvsqldRecord *record = self->records->pdata[i];

      if (record->kind == version->kind && record->epoch > version->epoch
          && strcmp (record->name, version->name) == 0)
        return record->epoch - 1;
    }
  return G_MAXINT64;
}

static const KvsqldRecord *
find_version (const Restore *self, GError **error)
{
  KvsqldEntryKind kind = self->restore->is_schema ? KVSQLD_ENTRY_SCHEMA : KVSQLD_ENTRY_RELATION;
  const gchar *what = self->restore->is_schema ? "schema" : "relation";
  const KvsqldRecord *record = find_latest (self, kind, self->name, self->restore->version);
  const KvsqldRecord *before;

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
  g_autofree gchar *plain = kvsql_definition_without_state (text);
  KvsqlAstStatement *statement = kvsql_parser_parse_definition (
      kvsql_slice_dup (self->context->arena, kvsql_slice_from_text (plain)), self->context->arena,
      NULL);

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

static gboolean
change_entry (const Restore *self, KvsqlResultPage *page, const KvsqlCatalogEntry *entry,
              const gchar *relation, const gchar *const *schemas, KvsqldChange *changes,
              guint *out_n, GError **error)
{
  g_autoptr (KvsqlAlteration) altered = NULL;

  if (!kvsqld_check_n_schemas (entry, self->restore->name.span, error))
    return FALSE;
  altered = kvsql_restore (self->context->catalog, entry, relation, schemas,
                           self->restore->name.span, error);
  if (altered == NULL)
    return FALSE;
  if (altered->leaves_cells)
    kvsql_result_page_warn (page,
                            "values of attributes that were not there then stay in the tables, and "
                            "are seen again if attributes of their names are added");
  kvsqld_collect_changes (self->context, entry, altered, changes, out_n);
  return kvsqld_check_old_values (self->context, page, entry, altered, self->restore->name.span,
                                  changes, out_n, error);
}

/* The relation and its schemas, as far as they existed. */
static gboolean
change_relation (const Restore *self, KvsqlResultPage *page, const KvsqlCatalogEntry *entry,
                 const KvsqldRecord *version, KvsqldChange *changes, guint *out_n, GError **error)
{
  const gchar **schemas
      = kvsql_arena_array (self->context->arena, const gchar *, entry->n_schemas + 1);

  for (guint i = 0; i < entry->n_schemas; i++)
    {
      const gchar *name = kvsqld_context_fold_name (self->context, entry->schemas[i]->name,
                                                    entry->schemas[i]->is_quoted);
      const KvsqldRecord *record
          = find_latest (self, KVSQLD_ENTRY_SCHEMA, name, end_of (self, version));
      const KvsqlDefineSchema *schema
          = record != NULL && record->text != NULL ? parse_schema (self, record->text) : NULL;

      schemas[i] = schema != NULL && is_of (schema, self->name) ? record->text : NULL;
    }
  return change_entry (self, page, entry, version->text, schemas, changes, out_n, error);
}

static gboolean
change_schema (const Restore *self, KvsqlResultPage *page, const KvsqlSchema *known,
               const KvsqldRecord *version, KvsqldChange *changes, guint *out_n, GError **error)
{
  KvsqlName name = { .text = known->relation->name,
                     .is_quoted = known->relation->is_quoted,
                     .span = KVSQL_SPAN_NONE };
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (self->context->catalog, &name);
  const KvsqlDefineSchema *schema = parse_schema (self, version->text);
  g_autofree gchar *folded = kvsql_name_fold (name.text, name.is_quoted);
  const gchar **schemas
      = kvsql_arena_array (self->context->arena, const gchar *, entry->n_schemas + 1);

  if (schema == NULL || !is_of (schema, folded))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->restore->name.span,
                            "schema \"%s\" was of another relation then, \"%s\"", known->name,
                            schema != NULL ? schema->relation.text : "?");
  for (guint i = 0; i < entry->n_schemas; i++)
    schemas[i] = entry->schemas[i] == known ? version->text : NULL;
  return change_entry (self, page, entry, entry->relation->text, schemas, changes, out_n, error);
}

/* ---- of a dropped relation or schema */

static gboolean
define_schema (const Restore *self, KvsqlResultPage *page, const KvsqldRecord *version,
               KvsqldChange *changes, guint *out_n, GError **error)
{
  const KvsqlDefineSchema *schema = parse_schema (self, version->text);
  g_autoptr (GError) cause = NULL;

  if (schema == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->restore->name.span,
                            "version %" G_GINT64_FORMAT " cannot be understood any more",
                            version->epoch);
  return kvsqld_decide_schema (self->context, schema, page, changes, out_n, &cause)
         || move_error (self, cause, error);
}

/* The schemas of the relation at @epoch; the primary first. */
static GPtrArray *
list_schemas (const Restore *self, gint64 epoch)
{
  GPtrArray *schemas = g_ptr_array_new ();

  for (guint i = 0; i < self->records->len; i++)
    {
      const KvsqldRecord *record = self->records->pdata[i];
      const KvsqlDefineSchema *schema;

      if (record->kind != KVSQLD_ENTRY_SCHEMA || record->text == NULL
          || find_latest (self, KVSQLD_ENTRY_SCHEMA, record->name, epoch) != record)
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
  const KvsqlCatalog *catalog = self->context->catalog;

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
add_schema (const Restore *self, KvsqlResultPage *page, KvsqlCatalogEntry *entry,
            const KvsqlDefineSchema *definition, KvsqldChange *changes, guint *n, GError **error)
{
  KvsqldContext *context = self->context;
  KvsqlSchema *schema;
  KvsqlFilling filling;
  g_autofree gchar *text = NULL;

  if (kvsql_catalog_lookup_schema (context->catalog, &definition->name) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, KVSQL_SPAN_NONE,
                            "schema \"%s\" exists already, of another relation",
                            definition->name.text);
  schema = kvsql_schema_new (definition, entry->relation, error);
  if (schema == NULL)
    return FALSE;
  entry->schemas[entry->n_schemas] = schema;
  if (!check_apart (self, entry, schema, error)
      || !kvsql_schema_check_filling (context->service->engine, entry, schema, &context->call,
                                      &filling, error))
    {
      kvsql_schema_unref (schema);
      return FALSE;
    }
  entry->n_schemas++;
  kvsqld_make_table (context, page, schema);
  if (filling.must_be_filled)
    text = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  kvsqld_warn_of_filling (page, schema, &filling);
  changes[(*n)++] = (KvsqldChange){
    .kind = KVSQLD_ENTRY_SCHEMA,
    .name = kvsqld_context_fold_name (context, schema->name, schema->is_quoted),
    .text = kvsql_arena_strdup (context->arena, text != NULL ? text : schema->text),
  };
  return TRUE;
}

static gboolean
define_schemas (const Restore *self, KvsqlResultPage *page, KvsqlRelation *relation, gint64 epoch,
                KvsqldChange *changes, guint *n, GError **error)
{
  g_autoptr (GPtrArray) schemas = list_schemas (self, epoch);
  KvsqlCatalogEntry entry = { .relation = relation };
  gboolean ok = TRUE;

  if (schemas->len > KVSQLD_MAX_SCHEMAS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "relation \"%s\" had too many schemas to restore at once",
                            relation->name);
  entry.schemas = kvsql_arena_array (self->context->arena, KvsqlSchema *, schemas->len);
  for (guint i = 0; i < schemas->len && ok; i++)
    ok = add_schema (self, page, &entry, schemas->pdata[i], changes, n, error);
  for (guint i = 0; i < entry.n_schemas; i++)
    kvsql_schema_unref (entry.schemas[i]);
  return ok;
}

static gboolean
define_relation (const Restore *self, KvsqlResultPage *page, const KvsqldRecord *version,
                 KvsqldChange *changes, guint *out_n, GError **error)
{
  g_autoptr (GError) cause = NULL;
  KvsqlAstStatement *statement = kvsql_parser_parse_definition (
      kvsql_slice_from_text (version->text), self->context->arena, &cause);
  g_autoptr (KvsqlRelation) relation
      = statement != NULL ? kvsql_relation_new (&statement->define_relation, &cause) : NULL;

  if (relation == NULL)
    return move_error (self, cause, error);
  changes[(*out_n)++] = (KvsqldChange){
    .kind = KVSQLD_ENTRY_RELATION,
    .name = self->name,
    .text = kvsql_arena_strdup (self->context->arena, relation->text),
  };
  return define_schemas (self, page, relation, end_of (self, version), changes, out_n, &cause)
         || move_error (self, cause, error);
}

/* ---- the statement */

static gboolean
decide (Restore *self, KvsqlResultPage *page, KvsqldChange *changes, guint *out_n, GError **error)
{
  const KvsqlName *name = &self->restore->name;
  const KvsqlCatalog *catalog = self->context->catalog;
  const KvsqldRecord *version = find_version (self, error);
  const KvsqlSchema *schema
      = self->restore->is_schema ? kvsql_catalog_lookup_schema (catalog, name) : NULL;
  const KvsqlCatalogEntry *entry
      = self->restore->is_schema ? NULL : kvsql_catalog_lookup (catalog, name);
  gboolean ok;

  if (version == NULL)
    return FALSE;
  if (schema != NULL)
    ok = change_schema (self, page, schema, version, changes, out_n, error);
  else if (entry != NULL)
    ok = change_relation (self, page, entry, version, changes, out_n, error);
  else if (self->restore->is_schema)
    ok = define_schema (self, page, version, changes, out_n, error);
  else
    ok = define_relation (self, page, version, changes, out_n, error);
  if (ok && *out_n == 0)
    kvsql_result_page_note (page,
                            "\"%s\" is as it was in version %" G_GINT64_FORMAT ", nothing was done",
                            name->text, version->epoch);
  return ok;
}

static gboolean
decide_restore (KvsqldContext *context, KvsqlResultPage *page, KvsqldChange *changes, guint *out_n,
                GError **error)
{
  const KvsqlRestore *restore = &context->statement->restore;
  Restore self = { .context = context, .restore = restore };
  g_autoptr (GPtrArray) records = NULL;

  self.name = kvsqld_context_fold_written (context, &restore->name);
  records = kvsqld_definitions_list_history (
      context->service->definitions, restore->is_schema ? self.name : NULL, &context->call, error);
  self.records = records;
  return records != NULL && decide (&self, page, changes, out_n, error);
}

KvsqlResultPage *
kvsqld_run_restore (KvsqldContext *context, GError **error)
{
  const KvsqlRestore *restore = &context->statement->restore;
  KvsqlResultPage *page = kvsqld_change_definitions (context, decide_restore, error);

  if (page != NULL && restore->is_schema)
    kvsqld_begin_writing (context, &restore->name, page);
  else if (page != NULL)
    kvsqld_begin_writing_all (context, &restore->name, page);
  return page;
}
