/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compile-schema.c: compiles DEFINE SCHEMA, with the checks that need no automaton.
 */
#include "config.h"

#include "core/catalog/compile-schema.h"

#include "core/catalog/blind-schema.h"
#include "core/catalog/each-schema.h"
#include "core/catalog/proof-schema.h"
#include "core/layout/decode-plan.h"
#include "core/layout/each.h"
#include "core/layout/element.h"
#include "core/layout/encode-plan.h"
#include "core/layout/fan-cells.h"
#include "core/sql/options.h"
#include "core/sql/printer.h"

static gboolean
check_keys (const KvsqlSchema *self, const KvsqlCellLayout *cell,
            const KvsqlDefineSchema *definition, GError **error)
{
  const KvsqlRelation *relation = self->relation;
  KvsqlAttributeSet cell_key = { 0 };

  kvsql_cell_collect_held (cell, KVSQL_FIELD_VALUE, &cell_key);
  if (cell->each != NULL) /* kvsql_schema_check_each() looks at VALUE */
    kvsql_cell_collect_held (cell, KVSQL_N_FIELDS, &cell_key);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key && !kvsql_attribute_set_has (&cell_key, a))
      {
        const gchar *name = relation->attributes[a].name;
        if (kvsql_attribute_set_has (&cell->attributes, a))
          kvsql_error_set (
              error, KVSQL_ERROR_DEFINITION,
              definition->n_lines > 0 ? cell->span : definition->fields[KVSQL_FIELD_VALUE].span,
              "KEY attribute \"%s\" is only in VALUE of schema \"%s\"", name, self->name);
        else
          kvsql_error_set (error, KVSQL_ERROR_DEFINITION, definition->name.span,
                           "KEY attribute \"%s\" is missing in schema \"%s\"", name, self->name);
        return kvsql_error_hint (error, "Put every KEY attribute into TABLE, ROW, FAMILY or "
                                        "QUALIFIER, so that two tuples never "
                                        "share a cell.");
      }
  return TRUE;
}

static gboolean
check_holds (const KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  if (!self->is_primary)
    return TRUE;
  for (guint a = 0; a < self->relation->n_attributes; a++)
    if (!kvsql_attribute_set_has (&self->holds, a))
      return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, definition->name.span,
                              "primary schema \"%s\" does not hold attribute \"%s\"", self->name,
                              self->relation->attributes[a].name)
             || kvsql_error_hint (error, "The primary schema holds every attribute; other schemas "
                                         "may leave out those that are not KEY.");
  return TRUE;
}

static gboolean
check_family (const KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  for (guint c = 0; c < self->n_cells; c++)
    {
      KvsqlSlice family = self->cells[c].fields[KVSQL_FIELD_FAMILY]->constant;
      KvsqlSpan span = definition->n_lines > 0 ? self->cells[c].span
                                               : definition->fields[KVSQL_FIELD_FAMILY].span;

      for (gsize i = 0; i < family.size; i++)
        if (family.data[i] == ':' || family.data[i] == '/' || family.data[i] < 0x20
            || (i == 0 && family.data[i] == '.'))
          return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                                  "a column family may not contain \":\", \"/\" or control "
                                  "characters, or begin with \".\"");
    }
  return TRUE;
}

/* Computes members for the planner and the writer. */
static void
derive_facts (KvsqlSchema *self)
{
  KvsqlAttributeSet row = { 0 };
  guint n = self->relation->n_attributes;

  g_assert (self->n_cells > 0);
  self->is_row_local = TRUE;
  self->columns = kvsql_cell_layouts_get_columns (self->cells, self->n_cells);
  self->n_columns = self->columns->n_attributes;
  g_assert (self->n_columns >= n && self->n_columns <= KVSQL_MAX_ATTRIBUTES);
  for (guint c = 0; c < self->n_cells; c++)
    {
      const KvsqlCellLayout *cell = &self->cells[c];
      kvsql_attribute_set_add_all (&self->holds, &cell->attributes);
      for (guint i = 0; cell->derived != NULL && i < cell->derived->n_composites; i++)
        self->n_demands += cell->derived->composites[i].n_parts == 1
                           && cell->derived->composites[i].parts[0]->demand != NULL;
      if (cell->fields[KVSQL_FIELD_VALUE]->loss != NULL)
        self->loss = cell->fields[KVSQL_FIELD_VALUE]->loss;
      for (guint field = 0; field < KVSQL_FIELD_VALUE; field++)
        kvsql_sequence_collect_attributes (cell->fields[field], &self->cell_key_attributes);
      if (cell->map_attribute >= 0)
        kvsql_attribute_set_add (&self->map_attributes, cell->map_attribute);
    }
  for (guint a = n; a < self->n_columns; a++)
    kvsql_attribute_set_remove (&self->cell_key_attributes, a);
  kvsql_attribute_set_add_all (&self->cell_key_attributes, &self->map_attributes);
  kvsql_cell_collect_held (&self->cells[0], KVSQL_FIELD_ROW + 1, &row);
  self->is_located_by_key
      = kvsql_attribute_set_contains (&self->relation->keys, &self->cell_key_attributes);
  self->has_constant_table = self->cells[0].fields[KVSQL_FIELD_TABLE]->is_constant;
  self->table = self->cells[0].fields[KVSQL_FIELD_TABLE]->constant;
  self->is_row_whole = kvsql_attribute_set_contains (&row, &self->relation->keys);
}

/* TIMESTAMP a: the attribute is the timestamp of the cell. This is only for schemas that are read:
 * a write would need a timestamp for each tuple, and a tuple older than an existing one would stay
 * invisible. */
static gboolean
bind_timestamp (KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  const KvsqlName *name = &definition->timestamp;
  const KvsqlAttribute *attribute;
  guint a;

  if (name->text == NULL)
    return TRUE;
  if (!kvsql_relation_find (self->relation, name, &a, error))
    return FALSE;
  attribute = &self->relation->attributes[a];
  if (attribute->type != KVSQL_TYPE_TIMESTAMP || attribute->is_key)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, name->span,
                            "the timestamp of cells can be an attribute of type TIMESTAMP that is "
                            "not KEY, and \"%s\" is %s%s",
                            attribute->name, kvsql_type_get_name (attribute->type),
                            attribute->is_key ? " KEY" : "");
  if (!kvsql_schema_has_one_cell (self))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, name->span,
                            "tuples of schema \"%s\" are several cells, which may have several "
                            "timestamps",
                            self->name);
  if (kvsql_attribute_set_has (&self->cells[0].attributes, a))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, name->span,
                            "attribute \"%s\" is in the layout already", attribute->name);
  if (self->options.role != KVSQL_ROLE_READ)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, name->span,
                       "a schema with a TIMESTAMP attribute can only be read");
      return kvsql_error_hint (error, "Define it WITH (role = read). All cells of a write have one "
                                      "timestamp, and newer cells and deletes hide older ones.");
    }
  self->timestamp_attribute = a;
  kvsql_attribute_set_add (&self->cells[0].attributes, a);
  return TRUE;
}

/* The tuple of an anchor does not expire. */
static gboolean
check_expiry (const KvsqlSchema *self, const KvsqlDefineSchema *definition, GError **error)
{
  const KvsqlOption *ttl = kvsql_options_find (&definition->options, "ttl");

  if (ttl == NULL || self->options.role == KVSQL_ROLE_READ
      || self->relation->mode != KVSQL_WRITES_CHECKED)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, ttl->span,
                   "tuples of relation \"%s\" cannot expire: its writes are checked",
                   self->relation->name);
  return kvsql_error_hint (error, "Leave ttl out, or DEFINE the relation WITH (writes = plain).");
}

static void
keep_text (KvsqlSchema *self, const KvsqlDefineSchema *definition)
{
  KvsqlAstStatement statement = { .kind = KVSQL_STATEMENT_DEFINE_SCHEMA };
  g_autoptr (GString) text = g_string_new (NULL);

  statement.define_schema = *definition;
  statement.define_schema.if_not_exists = FALSE;
  kvsql_print_statement (&statement, text);
  self->text = kvsql_arena_strdup (self->arena, text->str);
}

static void
make_each_plans (KvsqlSchema *self, const KvsqlEach *each)
{
  if (each == NULL)
    return;
  make_each_plans (self, each->qualifier);
  kvsql_decode_plan_make (each->before, self->arena);
  kvsql_decode_plan_make (each->inner, self->arena);
  kvsql_decode_plan_make (each->after, self->arena);
}

KvsqlSchema *
kvsql_schema_new (const KvsqlDefineSchema *definition, KvsqlRelation *relation, GError **error)
{
  g_autoptr (KvsqlSchema) self = kvsql_schema_new_empty (relation);

  self->name = kvsql_arena_strdup (self->arena, definition->name.text);
  self->is_quoted = definition->name.is_quoted;
  self->is_primary = definition->is_primary;
  self->comment = kvsql_comment_dup (&definition->comment, self->arena);
  self->timestamp_attribute = -1;
  self->has_lines = definition->n_lines > 0;
  if (!kvsql_schema_options_read (definition, self->arena, &self->options, error)
      || !kvsql_cell_layouts_compile (definition, relation, self->options.marker,
                                      self->options.marker_value, self->arena, &self->cells,
                                      &self->n_cells, error)
      || !bind_timestamp (self, definition, error) || !check_expiry (self, definition, error))
    return NULL;
  derive_facts (self);
  /* in TABLE or ROW they spread a tuple over several rows */
  if (kvsql_fan_cells_are_in (&definition->fields[KVSQL_FIELD_TABLE])
      || kvsql_fan_cells_are_in (&definition->fields[KVSQL_FIELD_ROW]))
    self->is_row_local = self->is_row_whole = FALSE;
  if (kvsql_fan_cells_are_in (&definition->fields[KVSQL_FIELD_TABLE]))
    self->has_constant_table = FALSE;
  for (guint c = 0; c < self->n_cells; c++)
    if (!check_keys (self, &self->cells[c], definition, error))
      return NULL;
  if (!kvsql_schema_check_each (self, error) || !kvsql_schema_check_blind (self, definition, error)
      || !check_holds (self, definition, error) || !check_family (self, definition, error)
      || !kvsql_schema_prove (self, definition, error) || !kvsql_schema_prove_each (self, error))
    return NULL;
  for (guint c = 0; c < self->n_cells; c++)
    for (guint field = 0; field < KVSQL_N_FIELDS; field++)
      {
        kvsql_decode_plan_make (self->cells[c].fields[field], self->arena);
        kvsql_encode_plan_make (self->cells[c].fields[field], self->arena);
      }
  make_each_plans (self, self->cells[0].each);
  g_assert (kvsql_attribute_set_contains (&self->holds, &relation->keys));
  g_assert (!self->is_primary || kvsql_attribute_set_contains (&self->holds, &relation->all));
  keep_text (self, definition);
  return g_steal_pointer (&self);
}
