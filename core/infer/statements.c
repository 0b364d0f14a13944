/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.c: see statements.h.
 */
#include "config.h"

#include "core/infer/statements.h"

#include "core/infer/layout-text.h"
#include "core/infer/text-value.h"

/* So few rows may all be of one kind by chance. */
#define FEW_ROWS 10

/* One relation and its schema. */
typedef struct
{
  const KvsqlInferContext *context;
  const KvsqlInferCells *cells;
  const gchar *name;
  KvsqlInferNames names;
  GArray *keys, *others; /* of KvsqlInferAttribute */
  GString *row, *qualifier, *value, *options;
} Relation;

static void G_GNUC_PRINTF (2, 3) add_note (KvsqlInferredDefinition *self, const gchar *format, ...)
{
  va_list arguments;
  g_autofree gchar *note = NULL;

  va_start (arguments, format);
  note = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (!g_ptr_array_find_with_equal_func (self->notes, note, g_str_equal, NULL))
    g_ptr_array_add (self->notes, g_steal_pointer (&note));
}

/* ---- fields */

/* The names of columns are not free for other attributes. */
static void
reserve_names (Relation *self)
{
  const GPtrArray *columns = self->cells->family->columns;

  for (guint i = 0; i < columns->len && self->cells->kind == KVSQL_INFER_ATTRIBUTES; i++)
    {
      const KvsqlInferColumn *column = columns->pdata[i];
      g_autofree gchar *lower
          = g_ascii_strdown ((const gchar *)column->qualifier.data, (gssize)column->qualifier.size);

      g_hash_table_add (self->names.used, kvsql_arena_strdup (self->context->arena, lower));
    }
}

static void
append_listed_keys (const Relation *self, const gchar *element, GString *out)
{
  g_string_append_printf (out, "%s[", element);
  for (guint i = 0; i < self->keys->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            g_array_index (self->keys, KvsqlInferAttribute, i).name);
  g_string_append_c (out, ']');
}

static void
write_attributes (Relation *self)
{
  const GPtrArray *columns = self->cells->family->columns;
  g_autoptr (GString) values = g_string_new (NULL);

  for (guint i = 0; i < columns->len; i++)
    {
      const KvsqlInferColumn *column = columns->pdata[i];
      const KvsqlInferAttribute attribute
          = { kvsql_arena_strndup (self->context->arena, (const gchar *)column->qualifier.data,
                                   column->qualifier.size),
              self->cells->types[i].type, self->cells->types[i].remark };

      g_array_append_val (self->others, attribute);
    }
  append_listed_keys (self, "attr_name", self->qualifier);
  append_listed_keys (self, "attr_value", values);
  kvsql_infer_append_encoded (self->cells->encoding, values->str, self->value);
}

static void
write_map (Relation *self)
{
  const KvsqlInferCells *cells = self->cells;
  const KvsqlInferAttribute map
      = { kvsql_infer_take_name (&self->names, "m"),
          (KvsqlType)(KVSQL_TYPE_MAP + cells->types[0].type - 1), cells->types[0].remark };
  g_autofree gchar *key = g_strdup_printf ("map_key(%s)", map.name);
  g_autofree gchar *value = g_strdup_printf ("map_value(%s)", map.name);

  g_array_append_val (self->others, map);
  if (cells->prefix.size > 0)
    g_string_append_printf (self->qualifier,
                            "%s:", kvsql_infer_literal (self->context->arena, cells->prefix));
  g_string_append (self->qualifier, key);
  kvsql_infer_append_encoded (cells->encoding, value, self->value);
}

static void
write_one_column (Relation *self)
{
  const KvsqlInferCells *cells = self->cells;
  KvsqlInferAttribute attribute;

  g_string_append (self->qualifier,
                   kvsql_infer_literal (self->context->arena, cells->column->qualifier));
  if (cells->types == NULL)
    {
      kvsql_infer_append_layout (&cells->value, &self->names, self->others, self->value);
      return;
    }
  attribute = (KvsqlInferAttribute){
    kvsql_infer_take_name (
        &self->names, kvsql_arena_printf (self->context->arena, "c%u",
                                          kvsql_infer_phoenix_number (cells->column->qualifier))),
    cells->types[0].type, cells->types[0].remark
  };
  g_array_append_val (self->others, attribute);
  kvsql_infer_append_encoded (cells->encoding, attribute.name, self->value);
}

static void
write_cells (Relation *self)
{
  switch (self->cells->kind)
    {
    case KVSQL_INFER_ONE_COLUMN:
      write_one_column (self);
      break;
    case KVSQL_INFER_ATTRIBUTES:
      write_attributes (self);
      break;
    case KVSQL_INFER_MAP:
      write_map (self);
      break;
    default:
      kvsql_infer_append_layout (&self->cells->qualifier, &self->names, self->keys,
                                 self->qualifier);
      kvsql_infer_append_layout (&self->cells->value, &self->names, self->others, self->value);
    }
}

static void
write_options (Relation *self)
{
  const KvsqlInferFamily *family = self->cells->family;
  gboolean has_rows
      = self->cells->kind == KVSQL_INFER_ATTRIBUTES || self->cells->kind == KVSQL_INFER_MAP;

  g_string_append (self->options, "role = read");
  if (!family->has_marker || !has_rows)
    return;
  g_string_append_printf (self->options, ", marker = %s",
                          kvsql_infer_literal (self->context->arena, family->marker));
  if (family->marker_value.size > 0)
    g_string_append_printf (self->options, ", marker_value = %s",
                            kvsql_infer_literal (self->context->arena, family->marker_value));
}

/* ---- statements */

static void
append_attribute_list (const GArray *attributes, gboolean is_key, GString *out)
{
  for (guint i = 0; i < attributes->len; i++)
    {
      const KvsqlInferAttribute *attribute = &g_array_index (attributes, KvsqlInferAttribute, i);

      g_string_append_printf (out, "%s`%s` %s%s", out->str[out->len - 1] == '{' ? " " : ", ",
                              attribute->name, kvsql_type_get_name (attribute->type),
                              is_key ? " KEY" : "");
    }
}

static void
add_remarks (const GArray *attributes, KvsqlInferredDefinition *out)
{
  for (guint i = 0; i < attributes->len; i++)
    {
      const KvsqlInferAttribute *attribute = &g_array_index (attributes, KvsqlInferAttribute, i);

      if (attribute->remark != NULL)
        add_note (out, "%s: %s", attribute->name, attribute->remark);
    }
}

static void
add_relation (const Relation *self, KvsqlInferredDefinition *out)
{
  KvsqlInferredRelation *relation = g_new0 (KvsqlInferredRelation, 1);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "DEFINE RELATION %s {", self->name);
  append_attribute_list (self->keys, TRUE, text);
  append_attribute_list (self->others, FALSE, text);
  g_string_append (text, " }");
  relation->relation = g_string_free (g_steal_pointer (&text), FALSE);
  relation->schema = g_strdup_printf (
      "DEFINE PRIMARY SCHEMA %s_1 FOR %s { TABLE %s, ROW %s, FAMILY %s, QUALIFIER %s, VALUE %s } "
      "WITH (%s)",
      self->name, self->name, self->context->table, self->row->str,
      kvsql_infer_literal (self->context->arena, self->cells->family->family), self->qualifier->str,
      self->value->str, self->options->str);
  g_ptr_array_add (out->relations, relation);
  add_remarks (self->keys, out);
  add_remarks (self->others, out);
  if (out->relations->len > 1)
    return;
  out->row = g_strdup (self->row->str);
  out->qualifier = g_strdup (self->qualifier->str);
  out->value = g_strdup (self->value->str);
}

/* ---- a bucket in the row, and the offset in it in the qualifier: one attribute */

static void
share_time (KvsqlInferLayout *row, KvsqlInferCells *cells)
{
  for (guint i = 0; i < row->n; i++)
    if (row->pieces[i].bucket != 0 && cells->kind == KVSQL_INFER_EACH_CELL)
      for (guint q = 0; q < cells->qualifier.n; q++)
        if (cells->qualifier.pieces[q].bucket != 0)
          cells->qualifier.pieces[q].name = row->pieces[i].stem;
}

static void
write_relation (const KvsqlInferContext *context, const KvsqlInferLayout *row,
                const KvsqlInferCells *given, const gchar *name, KvsqlInferredDefinition *out)
{
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (KvsqlInferAttribute));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (KvsqlInferAttribute));
  g_autoptr (GString) row_text = g_string_new (NULL), qualifier = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL), options = g_string_new (NULL);
  KvsqlInferLayout row_copy = *row;
  KvsqlInferCells cells = *given;
  Relation self = { context,   &cells, name,   { context->arena, used }, keys, others, row_text,
                    qualifier, value,  options };

  share_time (&row_copy, &cells);
  reserve_names (&self);
  kvsql_infer_append_layout (&row_copy, &self.names, keys, row_text);
  write_cells (&self);
  write_options (&self);
  add_relation (&self, out);
}

/* ---- names of relations after the first one */

static const gchar *
name_of (const KvsqlInferContext *context, const KvsqlInferCells *cells, gboolean has_family,
         gboolean has_column)
{
  g_autoptr (GString) name = g_string_new (context->name);

  if (has_family)
    {
      g_string_append_c (name, '_');
      for (gsize i = 0; i < cells->family->family.size; i++)
        {
          gchar c = (gchar)cells->family->family.data[i];

          g_string_append_c (name, g_ascii_isalnum (c) ? g_ascii_tolower (c) : '_');
        }
    }
  if (has_column)
    g_string_append_printf (name, "_c%u", kvsql_infer_phoenix_number (cells->column->qualifier));
  return kvsql_arena_strdup (context->arena, name->str);
}

/* ---- cells that no relation has */

static void
leave_out (const KvsqlInferContext *context, const KvsqlInferReading *const *families,
           guint n_families, KvsqlInferredDefinition *out)
{
  for (guint i = 0; i < context->families->len; i++)
    {
      const KvsqlInferFamily *family = context->families->pdata[i];
      KvsqlColumn column = { .family = family->family, .whole_family = TRUE };

      for (guint f = 0; f < n_families; f++)
        if (families[f]->cells[0].family == family)
          column.whole_family = FALSE;
      if (!column.whole_family && !family->has_marker)
        continue;
      column.qualifier = column.whole_family ? KVSQL_SLICE_EMPTY : family->marker;
      g_array_append_val (out->left_out, column);
    }
}

/* ---- notes about the whole table */

static void
note_families (const KvsqlInferContext *context, guint n_described, KvsqlInferredDefinition *out)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (context->families->len < 2)
    return;
  for (guint i = 0; i < context->families->len; i++)
    {
      const KvsqlInferFamily *family = context->families->pdata[i];
      g_autofree gchar *readable = kvsql_readable (family->family);

      g_string_append_printf (names, "%s\"%s\" (%u cells%s)", i > 0 ? ", " : "", readable,
                              family->n_cells, i < n_described ? "" : ", not described");
    }
  add_note (out, "%u families, each with a relation of its own, as a schema has one family: %s",
            context->families->len, names->str);
}

static void
note_kind (const KvsqlInferCells *cells, guint n_columns, KvsqlInferredDefinition *out)
{
  const KvsqlInferFamily *family = cells->family;

  if (family->is_phoenix)
    {
      add_note (out,
                "a table of Apache Phoenix with numbers for columns: their names are in Phoenix's "
                "catalogue, which \"kvsqlctl adopt phoenix\" reads; here %s",
                n_columns > 0 ? "each column has a relation of its own, without rows where it is "
                                "NULL"
                              : "each cell is a tuple with the number of its column");
      return;
    }
  if (cells->kind == KVSQL_INFER_MAP)
    add_note (out, "%u qualifiers look like ids: they are the keys of a map", family->columns->len);
  if (cells->kind == KVSQL_INFER_EACH_CELL)
    add_note (out, "%u qualifiers look like values: each cell is a tuple", family->columns->len);
  if (family->has_marker)
    {
      g_autofree gchar *marker = kvsql_readable (family->marker);

      add_note (out, "the cell \"%s\" is in each row and says only that it exists", marker);
    }
}

KvsqlInferredDefinition *
kvsql_infer_write_statements (const KvsqlInferContext *context, const KvsqlInferLayout *row,
                              const KvsqlInferReading *const *families, guint n_families)
{
  KvsqlInferredDefinition *out = g_new0 (KvsqlInferredDefinition, 1);

  out->relations = kvsql_inferred_relations_new ();
  out->notes = g_ptr_array_new_with_free_func (g_free);
  out->left_out = g_array_new (FALSE, FALSE, sizeof (KvsqlColumn));
  leave_out (context, families, n_families, out);
  out->bits = row->bits;
  if (context->rows->n_rows < FEW_ROWS)
    add_note (out, "few rows: they do not tell much");
  note_families (context, n_families, out);
  for (guint f = 0; f < n_families; f++)
    {
      out->bits += families[f]->bits;
      note_kind (&families[f]->cells[0],
                 families[f]->cells[0].kind == KVSQL_INFER_ONE_COLUMN ? families[f]->n : 0, out);
      for (guint i = 0; i < families[f]->n; i++)
        {
          const KvsqlInferCells *cells = &families[f]->cells[i];
          gboolean is_numbered = cells->kind == KVSQL_INFER_ONE_COLUMN && cells->types != NULL;

          write_relation (context, row, cells, name_of (context, cells, f > 0, is_numbered), out);
        }
    }
  return out;
}
