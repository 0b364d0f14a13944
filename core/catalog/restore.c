/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * restore.c: see restore.h.
 */
#include "config.h"

#include "core/catalog/restore.h"

#include "core/catalog/alter-private.h"
#include "core/schema/relation-options.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

/* Maps the attributes of the current definition to those of the old one. -1: unknown, or none. */
typedef struct
{
  const KvsqlDefineRelation *now, *then;
  gint to_then[KVSQL_MAX_ATTRIBUTES], to_now[KVSQL_MAX_ATTRIBUTES];
  const gchar *difference; /* for the message */
} Comparison;

static gint
find (const KvsqlDefineRelation *relation, const KvsqlName *name)
{
  for (guint i = 0; i < relation->n_attributes; i++)
    if (kvsql_name_means (name, relation->attributes[i].name.text,
                          relation->attributes[i].name.is_quoted))
      return (gint)i;
  return -1;
}

/* ---- layouts */

static gboolean
names_agree (Comparison *self, const KvsqlName *now, const KvsqlName *then)
{
  gint a = find (self->now, now), b = find (self->then, then);

  if ((a < 0) != (b < 0))
    return FALSE;
  if (a < 0)
    return kvsql_name_means (now, then->text, then->is_quoted);
  if (self->to_then[a] < 0 && self->to_now[b] < 0)
    {
      self->to_then[a] = b;
      self->to_now[b] = a;
    }
  return self->to_then[a] == b && self->to_now[b] == a;
}

static gboolean
arguments_agree (Comparison *self, const KvsqlLayoutArgument *now, const KvsqlLayoutArgument *then)
{
  if (now->kind != then->kind)
    return FALSE;
  return now->kind == KVSQL_ARGUMENT_NAME
             ? names_agree (self, &now->name, &then->name)
             : now->value.type == then->value.type && kvsql_value_equal (&now->value, &then->value);
}

static gboolean sequences_agree (Comparison *self, const KvsqlLayoutSequence *now,
                                 const KvsqlLayoutSequence *then);

static gboolean
nodes_agree (Comparison *self, const KvsqlLayoutNode *now, const KvsqlLayoutNode *then)
{
  if (now->kind != then->kind || now->n_arguments != then->n_arguments
      || now->n_listed != then->n_listed || now->has_list != then->has_list
      || now->has_inner != then->has_inner)
    return FALSE;
  if (now->kind == KVSQL_LAYOUT_CONSTANT)
    return kvsql_slice_equal (now->constant, then->constant);
  if (now->kind == KVSQL_LAYOUT_ATTRIBUTE)
    return names_agree (self, &now->name, &then->name);
  if (g_ascii_strcasecmp (now->name.text, then->name.text) != 0)
    return FALSE;
  for (guint i = 0; i < now->n_arguments; i++)
    if (!arguments_agree (self, &now->arguments[i], &then->arguments[i]))
      return FALSE;
  for (guint i = 0; i < now->n_listed; i++)
    if (!names_agree (self, &now->listed[i], &then->listed[i]))
      return FALSE;
  return !now->has_inner || sequences_agree (self, &now->inner, &then->inner);
}

static gboolean
sequences_agree (Comparison *self, const KvsqlLayoutSequence *now, const KvsqlLayoutSequence *then)
{
  if (now->n_nodes != then->n_nodes || now->is_list != then->is_list)
    return FALSE;
  for (guint i = 0; i < now->n_nodes; i++)
    if (!nodes_agree (self, &now->nodes[i], &then->nodes[i]))
      return FALSE;
  return TRUE;
}

/* ---- schemas */

static gboolean
lines_agree (Comparison *self, const KvsqlCellLine *now, const KvsqlCellLine *then)
{
  if ((now->others.text == NULL) != (then->others.text == NULL))
    return FALSE;
  if (now->others.text != NULL)
    return names_agree (self, &now->others, &then->others);
  return sequences_agree (self, &now->column, &then->column)
         && sequences_agree (self, &now->value, &then->value);
}

/* Compares the options that determine the cells. */
static gboolean
options_agree (Comparison *self, const KvsqlDefineSchema *now, const KvsqlDefineSchema *then)
{
  static const gchar *const names[] = { "marker", "marker_value", "role" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const KvsqlOption *a = kvsql_options_find (&now->options, names[i]);
      const KvsqlOption *b = kvsql_options_find (&then->options, names[i]);

      self->difference = names[i];
      if ((a == NULL) != (b == NULL)
          || (a != NULL
              && (a->value.type != b->value.type || !kvsql_value_equal (&a->value, &b->value))))
        return FALSE;
    }
  return TRUE;
}

static gboolean
schemas_agree (Comparison *self, const KvsqlDefineSchema *now, const KvsqlDefineSchema *then)
{
  static const gchar *const fields[] = {
    [KVSQL_FIELD_TABLE] = "TABLE",   [KVSQL_FIELD_ROW] = "ROW",
    [KVSQL_FIELD_FAMILY] = "FAMILY", [KVSQL_FIELD_QUALIFIER] = "QUALIFIER",
    [KVSQL_FIELD_VALUE] = "VALUE",
  };

  self->difference = "PRIMARY";
  if (now->is_primary != then->is_primary)
    return FALSE;
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      self->difference = fields[field];
      if (!sequences_agree (self, &now->fields[field], &then->fields[field]))
        return FALSE;
    }
  self->difference = "CELLS";
  if (now->n_lines != then->n_lines)
    return FALSE;
  for (guint i = 0; i < now->n_lines; i++)
    if (!lines_agree (self, &now->lines[i], &then->lines[i]))
      return FALSE;
  self->difference = "TIMESTAMP";
  if ((now->timestamp.text == NULL) != (then->timestamp.text == NULL)
      || (now->timestamp.text != NULL && !names_agree (self, &now->timestamp, &then->timestamp)))
    return FALSE;
  return options_agree (self, now, then);
}

static gboolean
fail_schema (const Comparison *self, const KvsqlSchema *schema, KvsqlSpan span, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                   "schema \"%s\" was another then: what was written since could not be read, as "
                   "%s differs",
                   schema->name, self->difference);
  return kvsql_error_hint (
      error, "To give up what was written there: DROP SCHEMA %s, and RESTORE it.", schema->name);
}

/* ---- attributes */

/* Maps attributes that no layout names, by their names. */
static void
match_others (Comparison *self)
{
  for (guint i = 0; i < self->now->n_attributes; i++)
    {
      gint other = find (self->then, &self->now->attributes[i].name);

      if (self->to_then[i] < 0 && other >= 0 && self->to_now[other] < 0)
        {
          self->to_then[i] = other;
          self->to_now[other] = (gint)i;
        }
    }
}

static gboolean
fail_attribute (const KvsqlAttributeDefinition *attribute, const gchar *why, KvsqlSpan span,
                GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span, "attribute \"%s\" %s",
                          attribute->name.text, why);
}

static gboolean
check_then (const Comparison *self, guint index, KvsqlSpan span, GError **error)
{
  const KvsqlAttributeDefinition *then = &self->then->attributes[index];
  const KvsqlAttributeDefinition *now
      = self->to_now[index] >= 0 ? &self->now->attributes[self->to_now[index]] : NULL;

  if (now == NULL && then->is_key)
    return fail_attribute (then, "was part of the key then, and is gone", span, error);
  if (now == NULL)
    return !then->is_not_null
           || fail_attribute (then,
                              "was NOT NULL then: the tuples that are there have no value "
                              "for it",
                              span, error);
  if (now->is_key != then->is_key)
    return fail_attribute (then, "is part of the key either now or then", span, error);
  if (then->is_not_null && !now->is_not_null)
    return fail_attribute (then, "was NOT NULL then, and may be NULL now", span, error);
  if (!kvsql_name_means (&now->type_name, then->type_name.text, FALSE))
    return fail_attribute (then, "had another type then", span, error);
  return TRUE;
}

/* Whether attr_name writes the same for both. */
static gboolean
has_same_label (const KvsqlAttributeDefinition *a, const KvsqlAttributeDefinition *b)
{
  KvsqlSlice labels[2];
  const KvsqlAttributeDefinition *both[] = { a, b };

  for (guint i = 0; i < 2; i++)
    labels[i] = both[i]->label.type == KVSQL_TYPE_STRING
                    ? both[i]->label.bytes
                    : kvsql_slice_from_text (both[i]->name.text);
  return kvsql_slice_equal (labels[0], labels[1]);
}

static gboolean
check_attributes (Comparison *self, const KvsqlCatalogEntry *entry, KvsqlSpan span, GError **error)
{
  match_others (self);
  for (guint i = 0; i < self->then->n_attributes; i++)
    if (!check_then (self, i, span, error))
      return FALSE;
  for (guint i = 0; i < self->now->n_attributes; i++)
    {
      const KvsqlAttributeDefinition *now = &self->now->attributes[i];

      if (self->to_then[i] < 0 && now->is_key)
        return fail_attribute (now, "is part of the key, and was not there then", span, error);
      for (guint j = 0; j < entry->n_schemas && self->to_then[i] >= 0; j++)
        if (_kvsql_schema_is_fanned_out (entry->schemas[j], i)
            && !has_same_label (now, &self->then->attributes[self->to_then[i]]))
          return fail_attribute (now, "had another name then, and cells carry its name", span,
                                 error);
    }
  return TRUE;
}

/* ---- the whole */

/* Sets the state of @then to that of @now. */
static void
keep_state (KvsqlArena *arena, const KvsqlDefineSchema *now, KvsqlDefineSchema *then)
{
  const KvsqlOption *state = now != NULL ? kvsql_options_find (&now->options, "state") : NULL;

  if (state != NULL)
    kvsql_options_set (&then->options, state, arena);
  else
    kvsql_options_remove (&then->options, "state", arena);
}

/* Tuples are written as they are now: anchors stay. */
static gboolean
keep_ids (const Comparison *comparison, KvsqlDefinitionTrees *now, KvsqlDefineRelation *then,
          KvsqlSpan span, GError **error)
{
  guint16 ids[KVSQL_MAX_ATTRIBUTES];
  const KvsqlRelation *relation = now->entry->relation;
  const KvsqlWriteMode mode = kvsql_relation_options_get_mode (&then->options);
  const gchar *mode_then = kvsql_write_mode_get_name (mode);

  if (mode != relation->mode)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                            "writes of relation \"%s\" are %s, and were %s then", relation->name,
                            kvsql_write_mode_get_name (relation->mode), mode_then)
           || kvsql_error_hint (error, "ALTER RELATION %s WITH (writes = %s) first.",
                                relation->name, mode_then);
  for (guint i = 0; i < then->n_attributes; i++)
    ids[i] = comparison->to_now[i] >= 0 ? now->ids[comparison->to_now[i]] : (guint16)++now->last_id;
  memcpy (now->ids, ids, then->n_attributes * sizeof *ids);
  then->options = now->relation->options;
  return TRUE;
}

/* A text that only another program can have put into the history. */
static gboolean
check_size (const KvsqlDefineRelation *then, KvsqlSpan span, GError **error)
{
  return then->n_attributes <= KVSQL_MAX_ATTRIBUTES
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                             "relation \"%s\" had more than %d attributes then", then->name.text,
                             KVSQL_MAX_ATTRIBUTES);
}

static gboolean
compare (KvsqlDefinitionTrees *now, KvsqlDefineRelation *relation,
         KvsqlDefineSchema *const *schemas, gboolean *out_leaves_cells, KvsqlSpan span,
         GError **error)
{
  Comparison comparison = { .now = now->relation, .then = relation };

  memset (comparison.to_then, -1, sizeof comparison.to_then);
  memset (comparison.to_now, -1, sizeof comparison.to_now);
  for (guint i = 0; i < now->entry->n_schemas; i++)
    if (!schemas_agree (&comparison, now->schemas[i], schemas[i]))
      return fail_schema (&comparison, now->entry->schemas[i], span, error);
  *out_leaves_cells = FALSE;
  if (now->entry->n_schemas == 0)
    return keep_ids (&comparison, now, relation, span, error);
  if (!check_attributes (&comparison, now->entry, span, error))
    return FALSE;
  for (guint i = 0; i < now->relation->n_attributes; i++)
    *out_leaves_cells = *out_leaves_cells || comparison.to_then[i] < 0;
  return keep_ids (&comparison, now, relation, span, error);
}

KvsqlAlteration *
kvsql_restore (const KvsqlCatalog *catalog, const KvsqlCatalogEntry *entry, const gchar *relation,
               const gchar *const *schemas, KvsqlSpan span, GError **error)
{
  g_auto (KvsqlDefinitionTrees) trees = { 0 };
  KvsqlDefineSchema **then;
  KvsqlAstStatement *statement;
  KvsqlAlteration *alteration;
  gboolean leaves_cells;

  if (!_kvsql_definition_trees_read (&trees, catalog, entry, error))
    return NULL;
  then = kvsql_arena_array (trees.arena, KvsqlDefineSchema *, entry->n_schemas);
  for (guint i = 0; i < entry->n_schemas; i++)
    {
      then[i] = trees.schemas[i];
      if (schemas[i] == NULL)
        continue;
      statement
          = kvsql_parser_parse_definition (kvsql_slice_from_text (schemas[i]), trees.arena, error);
      if (statement == NULL)
        return NULL;
      then[i] = &statement->define_schema;
      keep_state (trees.arena, trees.schemas[i], then[i]);
    }
  statement = kvsql_parser_parse_definition (kvsql_slice_from_text (relation), trees.arena, error);
  if (statement == NULL || !check_size (&statement->define_relation, span, error)
      || !compare (&trees, &statement->define_relation, then, &leaves_cells, span, error))
    return NULL;
  trees.relation = &statement->define_relation;
  trees.schemas = then;
  alteration = _kvsql_definition_trees_compile (&trees, span, error);
  if (alteration != NULL)
    alteration->leaves_cells = leaves_cells;
  return alteration;
}

gchar *
kvsql_definition_as_written (const gchar *text)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (text), arena, NULL);
  GString *out = g_string_new (NULL);

  if (statement == NULL)
    return g_string_free (g_string_append (out, text), FALSE);
  if (statement->kind == KVSQL_STATEMENT_DEFINE_SCHEMA)
    keep_state (arena, NULL, &statement->define_schema);
  else
    kvsql_relation_options_make_written (&statement->define_relation.options, arena);
  kvsql_print_statement (statement, out);
  return g_string_free (out, FALSE);
}
