/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * old-values.c: checks for values that an earlier attribute with the same label has left in the
 * tables. The label, which is in the cells, is the name, unless the attribute was renamed.
 *
 * ALTER RELATION … DROP leaves the attribute's cells in the store. If an attribute of that name is
 * added again, by ADD or RESTORE, it reads them. If it has the same type, that is wanted. If it has
 * another type, the bytes would have another meaning, and often still be decodable. Reading NULL
 * instead is not possible, because old and new cells look the same. So the addition fails while
 * there is such a cell. The history has the old type. A column that the relation never had belongs
 * to another program, and is adopted.
 */
#include "config.h"

#include "core/maintain/probe.h"
#include "core/sql/parser.h"
#include "core/engine/definitions-private.h"

typedef struct
{
  KvsqlDecision *decision;
  const KvsqlCatalogEntry *entry;
  const KvsqlAlteration *altered;
  KvsqlSpan span;
  GPtrArray *records; /* KvsqlDefinitionRecord; NULL: not read yet */
} Old;

/* ---- history */

typedef enum
{
  NEVER_THERE,
  THERE,
  NOT_KNOWN, /* older than the history */
} Past;

static const KvsqlAttribute *
find_labelled (const KvsqlRelation *relation, const gchar *label)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (strcmp (relation->attributes[a].label, label) == 0)
      return &relation->attributes[a];
  return NULL;
}

/* The type of the attribute in a definition. FALSE: it has no such attribute. */
static gboolean
find_type (const gchar *definition, const gchar *label, KvsqlType *out)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (definition), arena, NULL);
  g_autoptr (KvsqlRelation) relation
      = statement != NULL && statement->kind == KVSQL_STATEMENT_DEFINE_RELATION
            ? kvsql_relation_new (&statement->define_relation, NULL)
            : NULL;
  const KvsqlAttribute *attribute = relation != NULL ? find_labelled (relation, label) : NULL;

  if (attribute != NULL)
    *out = attribute->type;
  return attribute != NULL;
}

/* Finds the previous name of a relation, if the change of @epoch has renamed it. */
static void
add_older_names (const GPtrArray *records, gint64 epoch, GHashTable *names)
{
  for (guint i = 0; i < records->len; i++)
    {
      const KvsqlDefinitionRecord *record = records->pdata[i];

      if (record->kind == KVSQL_DEFINITION_RELATION && record->epoch == epoch
          && record->text == NULL)
        g_hash_table_add (names, g_strdup (record->name));
    }
}

/* Of the relations with that name, the newest one that had such an attribute. */
static Past
find_old_type (const Old *self, const gchar *label, KvsqlType *out_type)
{
  const KvsqlRelation *relation = self->entry->relation;
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const KvsqlDefinitionRecord *oldest = NULL;
  guint n = 0;

  g_hash_table_add (names, kvsql_name_fold (relation->name, relation->is_quoted));
  for (guint i = self->records->len; i-- > 0;)
    {
      const KvsqlDefinitionRecord *record = self->records->pdata[i];

      if (record->kind != KVSQL_DEFINITION_RELATION || !g_hash_table_contains (names, record->name))
        continue;
      oldest = record;
      n++;
      if (record->text == NULL)
        continue;
      if (find_type (record->text, label, out_type))
        return THERE;
      add_older_names (self->records, record->epoch, names);
    }
  return oldest == NULL || oldest->at_ms == 0 || n >= KVSQL_HISTORY_PER_NAME
                 || self->records->len >= KVSQL_HISTORY_TOTAL
             ? NOT_KNOWN
             : NEVER_THERE;
}

/* ---- cells */

/* The first cell of the attribute in any schema. */
static gboolean
find_cell (const Old *self, guint attribute, gchar **out_cell, GError **error)
{
  KvsqlStore *store = kvsql_execution_get_store (self->decision->execution);

  *out_cell = NULL;
  for (guint s = 0; s < self->altered->n_schemas && *out_cell == NULL; s++)
    {
      const KvsqlSchema *schema = self->altered->schemas[s];

      for (guint c = 0; c < schema->n_cells && *out_cell == NULL; c++)
        if (schema->cells[c].fan_attribute == (gint)attribute
            && !kvsql_probe_find_cell (store, schema, c, self->decision->execution->call, out_cell,
                                       error))
          {
            g_prefix_error (error, "could not tell whether values of attribute \"%s\" are stored: ",
                            self->altered->relation->attributes[attribute].name);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
refuse (const Old *self, const KvsqlAttribute *attribute, const gchar *old_type, const gchar *cell,
        GError **error)
{
  const gchar *relation = self->entry->relation->name, *name = attribute->name;

  if (old_type != NULL)
    kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->span,
                     "attribute \"%s\" was of type %s, and a value of it is still stored", name,
                     old_type);
  else
    kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->span,
                     "attribute \"%s\" may have been of another type, and a value of it is stored: "
                     "the history does not reach back so far",
                     name);
  kvsql_error_detail (error, "In %s. It would be read as %s.", cell,
                      kvsql_type_get_name (attribute->type));
  if (old_type != NULL)
    return kvsql_error_hint (error,
                             "Use another name; or ADD %s %s, remove the values with UPDATE %s SET "
                             "%s = NULL, and DROP %s again.",
                             name, old_type, relation, name, name);
  return kvsql_error_hint (error,
                           "Use another name; or DROP RELATION %s, which keeps the tables, and "
                           "DEFINE it with the attribute.",
                           relation);
}

/* ---- */

static gboolean
has_own_cell (const KvsqlSchema *schema, guint attribute)
{
  for (guint c = 0; c < schema->n_cells; c++)
    if (schema->cells[c].fan_attribute == (gint)attribute)
      return TRUE;
  return FALSE;
}

static gboolean
read_history (Old *self, GError **error)
{
  if (self->records == NULL)
    self->records = kvsql_execution_list_history (self->decision->execution, NULL, error);
  return self->records != NULL;
}

/* TRUE with *out_is_back if old values are visible again. */
static gboolean
check_attribute (Old *self, guint attribute, gboolean *out_is_back, GError **error)
{
  const KvsqlAttribute *added = &self->altered->relation->attributes[attribute];
  g_autofree gchar *cell = NULL;
  KvsqlType old_type;
  Past past;

  *out_is_back = FALSE;
  if (find_labelled (self->entry->relation, added->label) != NULL || self->altered->n_schemas == 0)
    return TRUE;
  if (!read_history (self, error))
    return FALSE;
  past = find_old_type (self, added->label, &old_type);
  if (past == NEVER_THERE)
    return TRUE;
  if (!find_cell (self, attribute, &cell, error))
    return FALSE;
  *out_is_back = cell != NULL;
  if (cell == NULL || (past == THERE && old_type == added->type))
    return TRUE;
  return refuse (self, added, past == THERE ? kvsql_type_get_name (old_type) : NULL, cell, error);
}

/* The change of a schema, if there is one already. */
static KvsqlDefinitionChange *
find_change (KvsqlDecision *self, const KvsqlSchema *schema)
{
  g_autofree gchar *name = kvsql_name_fold (schema->name, schema->is_quoted);

  for (guint i = 0; i < self->n_changes; i++)
    if (self->changes[i].kind == KVSQL_DEFINITION_SCHEMA
        && strcmp (self->changes[i].name, name) == 0)
      return &self->changes[i];
  return NULL;
}

/* An index entry that was moved or deleted in the meantime has left the unknown cell in the
 * store. */
static void
reopen (const Old *self, guint attribute)
{
  for (guint s = 0; s < self->altered->n_schemas; s++)
    {
      const KvsqlSchema *schema = self->altered->schemas[s];
      KvsqlDefinitionChange *known = find_change (self->decision, schema);
      g_autofree gchar *text = NULL;

      if (schema->is_primary || schema->options.role != KVSQL_ROLE_ANY
          || !kvsql_schema_is_filled (schema) || !has_own_cell (schema, attribute))
        continue;
      text = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
      if (known != NULL)
        known->text = kvsql_arena_strdup (self->decision->execution->binder.arena, text);
      else
        kvsql_decision_add (self->decision, KVSQL_DEFINITION_SCHEMA, schema->name,
                            schema->is_quoted, text);
      kvsql_result_page_warn (self->decision->page,
                              "schema \"%s\" is written, and will be read when BACKFILL SCHEMA %s "
                              "has deleted the cells that it had before",
                              schema->name, schema->name);
    }
}

gboolean
kvsql_decision_check_old_values (KvsqlDecision *decision, const KvsqlCatalogEntry *entry,
                                 const KvsqlAlteration *altered, KvsqlSpan span, GError **error)
{
  Old self = { .decision = decision, .entry = entry, .altered = altered, .span = span };
  g_autoptr (GPtrArray) records = NULL;
  gboolean ok = TRUE;

  for (guint a = 0; a < altered->relation->n_attributes && ok; a++)
    {
      gboolean is_back;

      ok = check_attribute (&self, a, &is_back, error);
      if (!ok || !is_back)
        continue;
      kvsql_result_page_warn (decision->page,
                              "values that were stored under \"%s\" are seen again, also those of "
                              "tuples that were deleted meanwhile",
                              altered->relation->attributes[a].label);
      reopen (&self, a);
    }
  records = self.records;
  return ok;
}
