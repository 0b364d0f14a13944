/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter.c: parses definitions, changes the ASTs, and checks them like new definitions.
 */
#include "config.h"

#include "core/catalog/alter-private.h"
#include "core/catalog/compile-schema.h"
#include "core/catalog/proof-schema.h"
#include "core/schema/relation-options.h"
#include "core/sql/map-names.h"
#include "core/sql/options.h"
#include "core/sql/parser.h"

typedef KvsqlDefinitionTrees Definitions;

void
_kvsql_definition_trees_clear (KvsqlDefinitionTrees *self)
{
  kvsql_arena_free (self->arena);
}

gboolean
_kvsql_definition_trees_read (KvsqlDefinitionTrees *self, const KvsqlCatalog *catalog,
                              const KvsqlCatalogEntry *entry, GError **error)
{
  KvsqlAstStatement *statement;

  self->arena = kvsql_arena_new ();
  self->catalog = catalog;
  self->entry = entry;
  statement = kvsql_parser_parse_definition (kvsql_slice_from_text (entry->relation->text),
                                             self->arena, error);
  if (statement == NULL)
    return FALSE;
  g_assert (statement->kind == KVSQL_STATEMENT_DEFINE_RELATION);
  self->relation = &statement->define_relation;
  /* an attribute has the same number in both */
  g_assert (self->relation->n_attributes == entry->relation->n_attributes);
  for (guint i = 0; i < entry->relation->n_attributes; i++)
    self->ids[i] = entry->relation->attributes[i].id;
  self->last_id = entry->relation->last_attribute_id;
  self->schemas = kvsql_arena_array (self->arena, KvsqlDefineSchema *, entry->n_schemas);
  for (guint i = 0; i < entry->n_schemas; i++)
    {
      statement = kvsql_parser_parse_definition (kvsql_slice_from_text (entry->schemas[i]->text),
                                                 self->arena, error);
      if (statement == NULL)
        return FALSE;
      g_assert (statement->kind == KVSQL_STATEMENT_DEFINE_SCHEMA);
      self->schemas[i] = &statement->define_schema;
    }
  return TRUE;
}

/* ---- compiling what came out */

static gboolean
is_of_entry (const KvsqlCatalogEntry *entry, const KvsqlSchema *schema)
{
  for (guint i = 0; i < entry->n_schemas; i++)
    if (entry->schemas[i] == schema)
      return TRUE;
  return FALSE;
}

/* Checks a new schema against the other new schemas of the relation, and those of other relations.
 */
static gboolean
check_disjoint (const Definitions *self, const KvsqlAlteration *alteration, guint index,
                GError **error)
{
  const KvsqlSchema *schema = alteration->schemas[index];

  for (guint i = 0; i < index; i++)
    if (!kvsql_schema_check_disjoint (schema, alteration->schemas[i], KVSQL_SPAN_NONE, error))
      return FALSE;
  for (guint i = 0; i < self->catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->catalog->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        if (!is_of_entry (self->entry, entry->schemas[j])
            && !kvsql_schema_check_disjoint (schema, entry->schemas[j], KVSQL_SPAN_NONE, error))
          return FALSE;
    }
  return TRUE;
}

/* Reports an error in a stored definition at a position of the statement. */
static void
fail_schema (const Definitions *self, guint index, KvsqlSpan span, const GError *cause,
             GError **error)
{
  const KvsqlSchema *schema = self->entry->schemas[index];
  const gchar *detail = kvsql_error_get_detail (cause), *hint = kvsql_error_get_hint (cause);

  if (schema->is_primary && self->way_out != NULL)
    hint = self->way_out;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span, "schema \"%s\" does not allow it: %s",
                   schema->name, cause->message);
  if (detail != NULL)
    kvsql_error_detail (error, "%s", detail);
  if (hint != NULL)
    kvsql_error_hint (error, "%s", hint);
}

KvsqlAlteration *
_kvsql_definition_trees_compile (const KvsqlDefinitionTrees *self, KvsqlSpan span, GError **error)
{
  g_autoptr (KvsqlAlteration) alteration = g_new0 (KvsqlAlteration, 1);

  if (kvsql_options_find (&self->relation->options, "id") != NULL)
    kvsql_relation_options_set_attribute_ids (&self->relation->options, self->ids,
                                              self->relation->n_attributes, self->last_id,
                                              self->arena);
  alteration->relation = kvsql_relation_new (self->relation, error);
  if (alteration->relation == NULL)
    return NULL;
  alteration->schemas = g_new0 (KvsqlSchema *, self->entry->n_schemas + 1);
  for (guint i = 0; i < self->entry->n_schemas; i++)
    {
      g_autoptr (GError) cause = NULL;
      KvsqlSchema *schema = kvsql_schema_new (self->schemas[i], alteration->relation, &cause);

      if (schema != NULL)
        {
          alteration->schemas[alteration->n_schemas++] = schema;
          check_disjoint (self, alteration, i, &cause);
        }
      if (cause != NULL)
        {
          fail_schema (self, i, span, cause, error);
          return NULL;
        }
    }
  g_assert (alteration->n_schemas == self->entry->n_schemas); /* in the same order */
  return g_steal_pointer (&alteration);
}

/* ---- looking into layouts */

/* Whether @name means the attribute. If so, it is set to @new_name (nullable: no change). */
static gboolean
rename (KvsqlName *name, const KvsqlAttribute *attribute, const KvsqlName *new_name)
{
  if (!kvsql_name_means (name, attribute->name, attribute->is_quoted))
    return FALSE;
  if (new_name != NULL)
    *name = *new_name;
  return TRUE;
}

static gboolean
rename_in_layout (KvsqlLayoutSequence *layout, const KvsqlAttribute *attribute,
                  const KvsqlName *new_name)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < layout->n_nodes; i++)
    {
      KvsqlLayoutNode *node = &layout->nodes[i];

      if (node->kind == KVSQL_LAYOUT_ATTRIBUTE)
        is_found |= rename (&node->name, attribute, new_name);
      for (guint j = 0; j < node->n_arguments; j++)
        if (node->arguments[j].kind == KVSQL_ARGUMENT_NAME)
          is_found |= rename (&node->arguments[j].name, attribute, new_name);
      for (guint j = 0; j < node->n_listed; j++)
        is_found |= rename (&node->listed[j], attribute, new_name);
      if (node->has_inner)
        is_found |= rename_in_layout (&node->inner, attribute, new_name);
    }
  return is_found;
}

/* Whether the layouts, OTHERS or TIMESTAMP name the attribute. */
static gboolean
rename_in_schema (KvsqlDefineSchema *schema, const KvsqlAttribute *attribute,
                  const KvsqlName *new_name)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < kvsql_define_schema_count_layouts (schema); i++)
    is_found |= rename_in_layout (kvsql_define_schema_get_layout (schema, i), attribute, new_name);
  for (guint i = 0; i < schema->n_lines; i++)
    if (schema->lines[i].others.text != NULL)
      is_found |= rename (&schema->lines[i].others, attribute, new_name);
  if (schema->timestamp.text != NULL)
    is_found |= rename (&schema->timestamp, attribute, new_name);
  return is_found;
}

gboolean
_kvsql_schema_is_fanned_out (const KvsqlSchema *schema, guint attribute)
{
  for (guint i = 0; i < schema->n_cells; i++)
    if (schema->cells[i].fan_attribute == (gint)attribute)
      return TRUE;
  return FALSE;
}

/* ---- constraints */

static void
add_constraints (Definitions *self, const KvsqlConstraintDefinition *added, guint n)
{
  KvsqlDefineRelation *relation = self->relation;

  for (guint i = 0; i < n; i++)
    KVSQL_ARENA_ADD (self->arena, relation->constraints, relation->n_constraints)[0] = added[i];
}

static void
remove_constraint (KvsqlDefineRelation *relation, guint index)
{
  memmove (&relation->constraints[index], &relation->constraints[index + 1],
           (relation->n_constraints - index - 1) * sizeof *relation->constraints);
  relation->n_constraints--;
}

typedef struct
{
  const KvsqlAttribute *attribute;
  const KvsqlName *new_name; /* nullable: no change */
  gboolean is_found;
} Renaming;

static gboolean
rename_mapped (KvsqlAstExpr *name, gpointer data, G_GNUC_UNUSED GError **error)
{
  Renaming *self = data;

  self->is_found |= rename (&name->name, self->attribute, self->new_name);
  return TRUE;
}

/* The same in what @constraint checks. It was accepted before, so it has nothing that cannot be
 * copied. */
static gboolean
rename_in_constraint (const Definitions *self, KvsqlConstraintDefinition *constraint,
                      const KvsqlAttribute *attribute, const KvsqlName *new_name)
{
  Renaming renaming = { .attribute = attribute, .new_name = new_name };

  constraint->expr
      = kvsql_ast_map_names (constraint->expr, rename_mapped, &renaming, self->arena, NULL);
  g_assert (constraint->expr != NULL);
  return renaming.is_found;
}

/* As in PostgreSQL, checks that use a dropped attribute are dropped with it. */
static void
drop_constraints_of (Definitions *self, const KvsqlAttribute *attribute)
{
  for (guint i = self->relation->n_constraints; i-- > 0;)
    if (rename_in_constraint (self, &self->relation->constraints[i], attribute, NULL))
      remove_constraint (self->relation, i);
}

static gboolean
alter_release (Definitions *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlRowCheck *check = kvsql_relation_find_check (self->entry->relation, &alter->name);

  if (check != NULL)
    {
      remove_constraint (self->relation, (guint)(check - self->entry->relation->checks));
      return TRUE;
    }
  return alter->if_exists
         || kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, alter->name.span,
                             "constraint \"%s\" of relation \"%s\" does not exist",
                             alter->name.text, self->entry->relation->name)
         || kvsql_error_hint (error, "DESCRIBE %s shows its constraints.",
                              self->entry->relation->name);
}

/* ---- ALTER RELATION */

/* Whether cells of an attribute that was renamed have the name of the new one. */
static gboolean
has_label (const KvsqlAttributeDefinition *attribute, const KvsqlAttributeDefinition *added)
{
  return attribute->label.type == KVSQL_TYPE_STRING && kvsql_value_is_null (&added->label)
         && kvsql_slice_equal (attribute->label.bytes, kvsql_slice_from_text (added->name.text));
}

static gboolean
alter_add (Definitions *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlAttributeDefinition *added = &alter->attribute;
  KvsqlDefineRelation *relation = self->relation;
  KvsqlAttributeDefinition *attributes
      = kvsql_arena_array (self->arena, KvsqlAttributeDefinition, relation->n_attributes + 1);

  if (added->is_key)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, added->span,
                            "attribute \"%s\" cannot become part of the key", added->name.text)
           || kvsql_error_hint (error,
                                "The key decides where tuples lie: DEFINE a new relation and "
                                "fill it with INSERT … SELECT.");
  if (added->is_not_null)
    return kvsql_error_set (
        error, KVSQL_ERROR_INVALID, added->span,
        "attribute \"%s\" cannot be NOT NULL: the tuples that are there have no "
        "value for it",
        added->name.text);
  for (guint i = 0; i < relation->n_attributes; i++)
    if (has_label (&relation->attributes[i], added))
      return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, added->name.span,
                              "the cells of attribute \"%s\" have the name \"%s\"",
                              relation->attributes[i].name.text, added->name.text)
             || kvsql_error_hint (error,
                                  "Give the new one another name there: ADD %s … LABEL "
                                  "'another'.",
                                  added->name.text);
  for (guint i = 0; i < relation->n_attributes; i++)
    if (kvsql_name_means (&added->name, relation->attributes[i].name.text,
                          relation->attributes[i].name.is_quoted))
      return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, added->name.span,
                              "attribute \"%s\" exists already in relation \"%s\"",
                              added->name.text, self->entry->relation->name)
             || kvsql_error_sqlstate (error, "42701");
  memcpy (attributes, relation->attributes, relation->n_attributes * sizeof *attributes);
  attributes[relation->n_attributes] = *added;
  self->ids[relation->n_attributes] = (guint16)++self->last_id;
  attributes[relation->n_attributes].constraints = NULL;
  attributes[relation->n_attributes].n_constraints = 0;
  relation->attributes = attributes;
  relation->n_attributes++;
  add_constraints (self, added->constraints, added->n_constraints);
  return TRUE;
}

static gboolean
alter_drop (Definitions *self, guint attribute, const KvsqlAlter *alter, GError **error)
{
  KvsqlDefineRelation *relation = self->relation;

  if (self->entry->relation->attributes[attribute].is_key)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, alter->name.span,
                            "attribute \"%s\" is KEY and cannot be dropped", alter->name.text);
  for (guint i = 0; i < self->entry->n_schemas; i++)
    if (rename_in_schema (self->schemas[i], &self->entry->relation->attributes[attribute], NULL))
      return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, alter->name.span,
                              "attribute \"%s\" is in the layout of schema \"%s\"",
                              alter->name.text, self->entry->schemas[i]->name)
             || kvsql_error_hint (error,
                                  self->entry->schemas[i]->is_primary
                                      ? "Only what attr_value[…] gives a cell of its own "
                                        "can be dropped."
                                      : "DROP SCHEMA %s first.",
                                  self->entry->schemas[i]->name);
  drop_constraints_of (self, &self->entry->relation->attributes[attribute]);
  memmove (&relation->attributes[attribute], &relation->attributes[attribute + 1],
           (relation->n_attributes - attribute - 1) * sizeof *relation->attributes);
  memmove (&self->ids[attribute], &self->ids[attribute + 1],
           (relation->n_attributes - attribute - 1) * sizeof *self->ids);
  relation->n_attributes--;
  return TRUE;
}

static gboolean
alter_rename_attribute (Definitions *self, guint attribute, const KvsqlAlter *alter, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  KvsqlAttributeDefinition *renamed = &self->relation->attributes[attribute];

  for (guint i = 0; i < relation->n_attributes; i++)
    if (i != attribute
        && kvsql_name_means (&alter->new_name, relation->attributes[i].name,
                             relation->attributes[i].is_quoted))
      return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, alter->new_name.span,
                              "attribute \"%s\" exists already in relation \"%s\"",
                              alter->new_name.text, relation->name)
             || kvsql_error_sqlstate (error, "42701");
  for (guint i = 0; i < self->entry->n_schemas; i++)
    {
      /* its cells have the old name */
      if (_kvsql_schema_is_fanned_out (self->entry->schemas[i], attribute))
        renamed->label = (KvsqlValue){
          .type = KVSQL_TYPE_STRING,
          .bytes = kvsql_slice_from_text (self->entry->relation->attributes[attribute].label),
        };
      rename_in_schema (self->schemas[i], &self->entry->relation->attributes[attribute],
                        &alter->new_name);
    }
  for (guint i = 0; i < self->relation->n_constraints; i++)
    rename_in_constraint (self, &self->relation->constraints[i],
                          &self->entry->relation->attributes[attribute], &alter->new_name);
  renamed->name = alter->new_name;
  if (renamed->label.type == KVSQL_TYPE_STRING
      && kvsql_slice_equal (renamed->label.bytes, kvsql_slice_from_text (alter->new_name.text)))
    renamed->label = KVSQL_VALUE_NULL; /* its own name again */
  return TRUE;
}

static gboolean
alter_rename_relation (Definitions *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlCatalogEntry *other = kvsql_catalog_lookup (self->catalog, &alter->new_name);

  if (other != NULL && other != self->entry)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, alter->new_name.span,
                            "relation \"%s\" exists already", other->relation->name);
  self->relation->name = alter->new_name;
  for (guint i = 0; i < self->entry->n_schemas; i++)
    self->schemas[i]->relation = alter->new_name;
  return TRUE;
}

static gboolean
change (Definitions *self, const KvsqlAlter *alter, GError **error)
{
  guint attribute = 0;
  gboolean has_attribute = alter->what != KVSQL_ALTER_ADD && alter->what != KVSQL_ALTER_RELEASE
                           && alter->name.text != NULL;

  if (has_attribute
      && !kvsql_relation_find (self->entry->relation, &alter->name, &attribute, error))
    return FALSE;
  switch (alter->what)
    {
    case KVSQL_ALTER_ADD:
      self->way_out = "Only attr_value[…], with a cell for each attribute, has room for more: "
                      "define another relation, and fill it with INSERT … SELECT.";
      return alter_add (self, alter, error);
    case KVSQL_ALTER_DROP:
      return alter_drop (self, attribute, alter, error);
    case KVSQL_ALTER_RENAME:
      return has_attribute ? alter_rename_attribute (self, attribute, alter, error)
                           : alter_rename_relation (self, alter, error);
    case KVSQL_ALTER_SET_DEFAULT:
      self->relation->attributes[attribute].default_value = alter->attribute.default_value;
      return TRUE;
    case KVSQL_ALTER_CONSTRAIN:
      add_constraints (self, alter->attribute.constraints, alter->attribute.n_constraints);
      return TRUE;
    case KVSQL_ALTER_RELEASE:
      return alter_release (self, alter, error);
    case KVSQL_ALTER_OPTIONS: /* kvsql_alter_write_mode() */
    case KVSQL_ALTER_ADD_KEY: /* kvsql_alter_take_place() */
    case KVSQL_ALTER_OWNER:   /* no part of the definition */
      break;
    }
  g_return_val_if_reached (FALSE);
}

/* The position of errors of a schema: the name that ALTER changes. */
static KvsqlSpan
span_of (const KvsqlAlter *alter)
{
  if (alter->what == KVSQL_ALTER_ADD)
    return alter->attribute.span;
  return alter->name.text != NULL ? alter->name.span : alter->relation.span;
}

KvsqlAlteration *
kvsql_alter_relation (const KvsqlCatalog *catalog, const KvsqlAlter *alter, GError **error)
{
  g_auto (KvsqlDefinitionTrees) definitions = { 0 };
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (catalog, &alter->relation, error);
  KvsqlAlteration *alteration;

  if (entry == NULL || !_kvsql_definition_trees_read (&definitions, catalog, entry, error)
      || !change (&definitions, alter, error))
    return NULL;
  alteration = _kvsql_definition_trees_compile (&definitions, span_of (alter), error);
  if (alteration != NULL)
    {
      alteration->leaves_cells = alter->what == KVSQL_ALTER_DROP && entry->n_schemas > 0;
      alteration->is_rename = alter->what == KVSQL_ALTER_RENAME;
    }
  return alteration;
}

KvsqlAlteration *
kvsql_alter_write_mode (const KvsqlCatalog *catalog, const KvsqlName *relation, KvsqlWriteMode mode,
                        GError **error)
{
  g_auto (KvsqlDefinitionTrees) definitions = { 0 };
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (catalog, relation, error);

  if (entry == NULL || !_kvsql_definition_trees_read (&definitions, catalog, entry, error))
    return NULL;
  kvsql_relation_options_set_mode (&definitions.relation->options, mode, definitions.arena);
  return _kvsql_definition_trees_compile (&definitions, relation->span, error);
}

KvsqlAlteration *
kvsql_alter_take_place (const KvsqlCatalog *catalog, const KvsqlName *copy,
                        const KvsqlName *relation, const KvsqlName *schema, GError **error)
{
  g_auto (KvsqlDefinitionTrees) definitions = { 0 };
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (catalog, copy, error);
  const KvsqlCatalogEntry *former = kvsql_catalog_find (catalog, relation, error);

  if (entry == NULL || former == NULL
      || !_kvsql_definition_trees_read (&definitions, catalog, entry, error))
    return NULL;
  definitions.relation->name = *relation;
  definitions.schemas[0]->relation = *relation;
  definitions.schemas[0]->name = *schema;
  if (former->schemas[0]->comment != NULL)
    definitions.schemas[0]->comment
        = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                        .bytes = kvsql_slice_from_text (former->schemas[0]->comment) };
  return _kvsql_definition_trees_compile (&definitions, relation->span, error);
}

/* ---- COMMENT ON */

KvsqlAlteration *
kvsql_alter_comment (const KvsqlCatalog *catalog, const KvsqlComment *comment, GError **error)
{
  g_auto (KvsqlDefinitionTrees) definitions = { 0 };
  const KvsqlSchema *schema = NULL;
  KvsqlName relation = comment->name;
  const KvsqlCatalogEntry *entry;
  guint attribute = 0;

  if (comment->is_schema)
    {
      schema = kvsql_catalog_find_schema (catalog, &comment->name, error);
      if (schema == NULL)
        return NULL;
      relation.text = schema->relation->name;
      relation.is_quoted = schema->relation->is_quoted;
    }
  entry = kvsql_catalog_find (catalog, &relation, error);
  if (entry == NULL || !_kvsql_definition_trees_read (&definitions, catalog, entry, error)
      || (comment->attribute.text != NULL
          && !kvsql_relation_find (entry->relation, &comment->attribute, &attribute, error)))
    return NULL;
  if (comment->attribute.text != NULL)
    definitions.relation->attributes[attribute].comment = comment->text;
  else if (schema == NULL)
    definitions.relation->comment = comment->text;
  for (guint i = 0; i < entry->n_schemas; i++)
    if (entry->schemas[i] == schema)
      definitions.schemas[i]->comment = comment->text;
  return _kvsql_definition_trees_compile (&definitions, comment->name.span, error);
}

void
kvsql_alteration_free (KvsqlAlteration *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_schemas; i++)
    kvsql_schema_unref (self->schemas[i]);
  g_free (self->schemas);
  kvsql_relation_unref (self->relation);
  g_free (self);
}
