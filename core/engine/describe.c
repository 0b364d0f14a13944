/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * describe.c: DESCRIBE: the attributes of a relation, or the layout of a schema.
 *
 * For a schema it shows the fields as in the definition, the elements of the row key with their
 * sizes, the order of the rows, and the results of the definition proof.
 */
#include "config.h"

#include "core/engine/describe.h"
#include "core/engine/show-tables.h"
#include "core/engine/show-views.h"
#include "core/layout/sequence.h"
#include "core/layout/element-classes.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"
#include "core/write/blind-write.h"

gchar *
kvsql_schema_field_text (const KvsqlSchema *schema, KvsqlField field)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (schema->text), arena, NULL);
  GString *text = g_string_new (NULL);

  if (statement != NULL)
    kvsql_print_layout (&statement->define_schema.fields[field], text);
  return g_string_free (text, FALSE);
}

/* The attributes that decide where the cells of a tuple are. */
static void
append_cell_key_attributes (const KvsqlCatalogEntry *entry, GString *out)
{
  const KvsqlRelation *relation = entry->relation;
  KvsqlAttributeSet used = { 0 };

  for (guint s = 0; s < entry->n_schemas; s++)
    kvsql_attribute_set_add_all (&used, &entry->schemas[s]->cell_key_attributes);
  for (gint a = kvsql_attribute_set_next (&used, -1); a >= 0;
       a = kvsql_attribute_set_next (&used, a))
    g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", relation->attributes[a].name);
}

static void
note_blind (const KvsqlCatalogEntry *entry, gboolean is_atomic, KvsqlResultPage *page)
{
  g_autoptr (GString) used = g_string_new (NULL);

  append_cell_key_attributes (entry, used);
  if (entry->n_schemas == 0)
    kvsql_result_page_note (page, "writes are blind: cell keys may depend on the KEY alone");
  else if (is_atomic)
    kvsql_result_page_note (page,
                            "writes are blind, as cell keys depend on %s alone; this store writes "
                            "all schemas of a tuple as one",
                            used->str);
  else if (kvsql_entry_needs_intents (entry))
    kvsql_result_page_note (page,
                            "writes are blind, as cell keys depend on %s alone: a tuple changes in "
                            "all its schemas, or in none, even if a daemon ends in the middle",
                            used->str);
  else
    kvsql_result_page_note (page,
                            "writes are blind, as cell keys depend on %s alone; all cells of a "
                            "tuple are in one row, which changes as one",
                            used->str);
}

/* What is promised about the schemas of a tuple, where the store does not write them as one. */
static void
add_write_mode (const KvsqlExecution *execution, const KvsqlCatalogEntry *entry,
                KvsqlResultPage *page)
{
  gboolean is_atomic
      = (kvsql_execution_get_store (execution)->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0;

  if (entry->relation->writes == KVSQL_WRITES_BLIND)
    note_blind (entry, is_atomic, page);
  else if (is_atomic)
    return;
  else if (entry->relation->writes == KVSQL_WRITES_CHECKED)
    kvsql_result_page_note (page, "writes are checked: a tuple changes in all its schemas, or in "
                                  "none, even if a daemon ends in the middle");
  else
    kvsql_result_page_note (page, "writes are plain: if a daemon ends in the middle of one, a "
                                  "tuple may have changed in some schemas only, until REPAIR "
                                  "SCHEMA");
}

static void
note_checks (const KvsqlRelation *relation, KvsqlResultPage *page)
{
  for (guint i = 0; i < relation->n_checks; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      kvsql_print_expression (relation->checks[i].expr, text);
      kvsql_result_page_note (page, "constraint %s: CHECK (%s)", relation->checks[i].name,
                              text->str);
    }
}

static void
note_hidden (const KvsqlRelation *relation, KvsqlResultPage *page)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_hidden)
      kvsql_result_page_note (page, "%s is hidden: * and INSERT without names leave it out",
                              relation->attributes[a].name);
}

static KvsqlResultPage *
describe_relation (const KvsqlExecution *execution, const KvsqlCatalogEntry *entry)
{
  const KvsqlRelation *relation = entry->relation;
  static const gchar *const names[] = { "attribute", "type", "key", "null", "default", "comment" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[a];
      g_autoptr (GString) value = g_string_new (NULL);
      gboolean has_default
          = !kvsql_value_is_null (&attribute->default_value) || attribute->default_expr != NULL;

      if (attribute->default_expr != NULL)
        kvsql_print_expression (attribute->default_expr, value);
      else
        kvsql_value_append_literal (&attribute->default_value, value);
      const gchar *row[] = { attribute->name,
                             attribute->declared ?: kvsql_type_get_name (attribute->type),
                             attribute->is_key ? "KEY" : "",
                             attribute->is_not_null ? "NOT NULL" : "",
                             has_default ? value->str : NULL,
                             attribute->comment ?: "" };
      kvsql_result_page_add_row (page, row);
    }
  note_checks (relation, page);
  note_hidden (relation, page);
  add_write_mode (execution, entry, page);
  return page;
}

static void
append_restrictions (const KvsqlRelation *relation, const KvsqlSequence *sequence, GString *out)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      if (element->is_restricted)
        {
          g_string_append_printf (out, "%s%s must not contain \"", out->len > 0 ? "; " : "",
                                  relation->attributes[element->attribute].name);
          kvsql_append_readable (out, element->separator);
          g_string_append_c (out, '"');
        }
      if (element->demand != NULL && element->n_parts == 1)
        g_string_append_printf (out, "%s%s %s", out->len > 0 ? "; " : "",
                                relation->attributes[element->attribute].name, element->demand);
      if (element->inner != NULL)
        append_restrictions (relation, element->inner, out);
    }
}

/* ---- the row key, element by element */

static KvsqlAttributeSet
attributes_of (KvsqlElement *element)
{
  KvsqlSequence alone = { .elements = &element, .n_elements = 1 };
  KvsqlAttributeSet attributes = { 0 };

  kvsql_sequence_collect_attributes (&alone, &attributes);
  return attributes;
}

/* @offset: of the element in the key; -1: it varies */
static gchar *
describe_place (gssize offset, gssize size)
{
  if (offset < 0)
    return g_strdup ("  then");
  if (size < 0)
    return g_strdup_printf ("  from byte %" G_GSSIZE_FORMAT, offset);
  if (size == 1)
    return g_strdup_printf ("  byte %" G_GSSIZE_FORMAT, offset);
  return g_strdup_printf ("  bytes %" G_GSSIZE_FORMAT "-%" G_GSSIZE_FORMAT, offset,
                          offset + size - 1);
}

static void
append_end (const KvsqlElement *element, gboolean is_last, GString *out)
{
  if (element->fixed_size >= 0)
    g_string_append_printf (out, "%" G_GSSIZE_FORMAT " byte%s", element->fixed_size,
                            element->fixed_size == 1 ? "" : "s");
  else if (element->is_delimited)
    {
      g_string_append (out, "up to \"");
      kvsql_append_readable (out, element->separator);
      g_string_append_c (out, '"');
    }
  else
    g_string_append (out, is_last ? "to the end" : "tells where it ends");
}

/* Describes how a derived element or a part depends on its attributes. */
static void
append_role (const KvsqlElement *element, const KvsqlRelation *relation,
             const KvsqlAttributeSet *attributes, GString *out)
{
  if (element->is_derived)
    g_string_append (out, ", follows from ");
  else if (element->n_parts == 0)
    g_string_append (out, ", repeats a part of ");
  else
    g_string_append (out, element->n_parts == 1 ? ", determines " : ", holds a part of ");
  kvsql_relation_append_names (relation, attributes, out);
}

static void
append_order (const KvsqlSequence *row, guint index, const KvsqlRelation *relation, GString *out)
{
  KvsqlByteOrder order = kvsql_sequence_byte_order (row, index);
  KvsqlAttributeSet attributes = attributes_of (row->elements[index]);

  if (kvsql_attribute_set_contains (&(KvsqlAttributeSet){ 0 }, &attributes))
    return;
  if (row->elements[index]->is_derived || row->elements[index]->is_part)
    {
      append_role (row->elements[index], relation, &attributes, out);
      return;
    }
  g_string_append (out, order.order == KVSQL_ORDER_NONE ? ", does not sort as " : ", sorts as ");
  kvsql_relation_append_names (relation, &attributes, out);
  if (order.order == KVSQL_ORDER_DESCENDING)
    g_string_append (out, ", descending");
}

static void
add_row_key (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (schema->text), arena, NULL);
  const KvsqlSequence *row_key = schema->cells[0].fields[KVSQL_FIELD_ROW];
  const KvsqlLayoutSequence *written;
  gssize offset = 0;

  if (statement == NULL)
    return;
  written = &statement->define_schema.fields[KVSQL_FIELD_ROW];
  for (guint i = 0; i < row_key->n_elements && i < written->n_nodes; i++)
    {
      const KvsqlElement *element = row_key->elements[i];
      g_autofree gchar *place = describe_place (offset, element->fixed_size);
      g_autoptr (GString) layout = g_string_new (NULL);
      g_autoptr (GString) note = g_string_new (NULL);

      kvsql_print_layout_node (&written->nodes[i], layout);
      append_end (element, i + 1 == row_key->n_elements, note);
      append_order (row_key, i, schema->relation, note);
      const gchar *row[] = { place, layout->str, note->str };
      kvsql_result_page_add_row (page, row);
      offset = offset < 0 || element->fixed_size < 0 ? -1 : offset + element->fixed_size;
    }
}

/* The attributes that rows are sorted by. */
static void
add_order (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  const KvsqlSequence *row_key = schema->cells[0].fields[KVSQL_FIELD_ROW];
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < row_key->n_elements; i++)
    {
      KvsqlByteOrder order = kvsql_sequence_byte_order (row_key, i);
      KvsqlAttributeSet attributes = attributes_of (row_key->elements[i]);

      if (row_key->elements[i]->klass == &kvsql_element_constant)
        continue;
      if (order.order == KVSQL_ORDER_NONE)
        break;
      g_string_append (names, names->len > 0 ? ", " : "");
      kvsql_relation_append_names (schema->relation, &attributes, names);
      g_string_append (names, order.order == KVSQL_ORDER_DESCENDING ? " DESC" : "");
      if (order.is_loose)
        break;
    }
  const gchar *row[] = { "ORDER", names->str,
                         names->len > 0 ? "rows of one table are sorted by this"
                                        : "rows are not sorted by any attribute" };
  kvsql_result_page_add_row (page, row);
}

static void
add_proof (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  gboolean is_restricted = schema->n_restricted + schema->n_demands > 0;
  const gchar *note = "every tuple can be read back, and no two share a cell";

  if (is_restricted)
    note = "tuples that break a restriction above are refused when written";
  else if (schema->cells[0].each != NULL)
    note = "every tuple can be read back, and no two share an element";
  const gchar *row[]
      = { "PROOF", is_restricted ? "recoverable, values restricted" : "recoverable", note };

  kvsql_result_page_add_row (page, row);
}

static void
add_missing (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  KvsqlAttributeSet missing = schema->relation->all;
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint a = 0; a < schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&schema->holds, a))
      kvsql_attribute_set_remove (&missing, a);
  kvsql_relation_append_names (schema->relation, &missing, names);
  if (names->len == 0)
    return;
  const gchar *row[] = { "INDEX", names->str, "not held here, read from the primary schema" };
  kvsql_result_page_add_row (page, row);
}

/* How many cells a tuple has. (transfer full) */
static gchar *
describe_cells (const KvsqlSchema *schema)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = schema->n_cells;

  for (guint c = 0; c < schema->n_cells; c++)
    n -= schema->cells[c].map_attribute >= 0;
  if (schema->cells[0].each != NULL)
    g_string_append (text, "a cell for several tuples");
  else if (kvsql_attribute_set_is_empty (&schema->map_attributes))
    g_string_append_printf (text, "%u cell%s a tuple at most", n, n == 1 ? "" : "s");
  else
    {
      /* FAMILY, QUALIFIER and VALUE have no other cells than a marker */
      if (n > 1 || (n == 1 && !schema->cells[schema->n_cells - 1].is_marker))
        g_string_append_printf (text, "%u cell%s, and ", n, n == 1 ? "" : "s");
      g_string_append (text, "a cell for each entry of ");
      kvsql_relation_append_names (schema->relation, &schema->map_attributes, text);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* FAMILY, QUALIFIER and VALUE, or the lines of CELLS. */
static void
add_lines (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (schema->text), arena, NULL);
  const KvsqlDefineSchema *definition;

  if (statement == NULL)
    return;
  definition = &statement->define_schema;
  for (guint i = 0; i < definition->n_lines; i++)
    {
      g_autoptr (GString) line = g_string_new (NULL), note = g_string_new (NULL);

      kvsql_print_cell_line (&definition->lines[i], line);
      for (guint c = 0; c < schema->n_cells; c++)
        if (schema->cells[c].line == i)
          for (guint field = KVSQL_FIELD_FAMILY; field < KVSQL_N_FIELDS; field++)
            append_restrictions (schema->cells[c].relation, schema->cells[c].fields[field], note);
      kvsql_result_page_add_row (page, (const gchar *[]){ "CELL", line->str, note->str });
    }
}

static KvsqlResultPage *
describe_schema (const KvsqlExecution *execution, const KvsqlSchema *schema)
{
  static const gchar *const names[] = { "part", "layout", "note" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  g_autofree gchar *cells = describe_cells (schema);
  g_autofree gchar *state = kvsql_execution_describe_state (execution, schema);
  const gchar *head[]
      = { schema->is_primary ? "PRIMARY" : "SCHEMA", schema->relation->name, cells };

  kvsql_result_page_add_row (page, head);
  kvsql_result_page_add_row (page, (const gchar *[]){ "STATE", state, "" });
  if (schema->comment != NULL)
    kvsql_result_page_add_row (page, (const gchar *[]){ "COMMENT", schema->comment, "" });
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      if (field >= KVSQL_FIELD_FAMILY && schema->has_lines)
        continue;
      g_autofree gchar *layout = kvsql_schema_field_text (schema, field);
      g_autoptr (GString) note = g_string_new (NULL);

      append_restrictions (schema->cells[0].relation, schema->cells[0].fields[field], note);
      const gchar *row[] = { kvsql_field_get_name (field), layout, note->str };
      kvsql_result_page_add_row (page, row);
      if (field == KVSQL_FIELD_ROW)
        add_row_key (page, schema);
    }
  add_lines (page, schema);
  if (schema->timestamp_attribute >= 0)
    kvsql_result_page_add_row (
        page, (const gchar *[]){ "TIMESTAMP",
                                 schema->relation->attributes[schema->timestamp_attribute].name,
                                 "is the timestamp of the cell" });
  add_order (page, schema);
  add_missing (page, schema);
  add_proof (page, schema);
  kvsql_describe_sharing (page, schema);
  return page;
}

KvsqlResultPage *
kvsql_execute_describe (const KvsqlExecution *execution, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (execution->catalog, name);
  const KvsqlView *view = kvsql_catalog_lookup_view (execution->catalog, name);
  const KvsqlSchema *schema;

  if (entry == NULL && view != NULL)
    return kvsql_execute_describe_view (execution, view, error);
  if (name->is_store_table)
    return kvsql_execute_describe_table (execution, name, error);
  if (entry != NULL)
    return describe_relation (execution, entry);
  schema = kvsql_catalog_lookup_schema (execution->catalog, name);
  if (schema != NULL)
    return describe_schema (execution, schema);
  kvsql_catalog_fail_unknown (execution->catalog, name, error);
  return NULL;
}
