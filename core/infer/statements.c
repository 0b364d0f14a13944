/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.c: see statements.h.
 */
#include "config.h"

#include "core/infer/statements.h"

#include "core/infer/layout-text.h"
#include "core/infer/lines-text.h"
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
  GPtrArray *of_lines;   /* nullable: names of attributes, for each line of CELLS */
  GArray *keys, *others; /* of KvsqlInferAttribute */
  GString *row, *cells_text, *options;
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

  if (self->cells->kind == KVSQL_INFER_LINES)
    self->of_lines = kvsql_infer_take_line_names (&self->cells->lines, &self->names);
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
write_attributes (Relation *self, GString *qualifier, GString *value)
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
  append_listed_keys (self, "attr_name", qualifier);
  append_listed_keys (self, "attr_value", values);
  kvsql_infer_append_encoded (self->cells->encoding, values->str, value);
}

static void
write_map (Relation *self, GString *qualifier, GString *value)
{
  const KvsqlInferCells *cells = self->cells;
  const KvsqlInferAttribute map
      = { kvsql_infer_take_name (&self->names, "m"),
          (KvsqlType)(KVSQL_TYPE_MAP + cells->types[0].type - 1), cells->types[0].remark };
  g_autofree gchar *entry = g_strdup_printf ("map_value(%s)", map.name);

  g_array_append_val (self->others, map);
  if (cells->prefix.size > 0)
    g_string_append_printf (qualifier,
                            "%s:", kvsql_infer_literal (self->context->arena, cells->prefix));
  g_string_append_printf (qualifier, "map_key(%s)", map.name);
  kvsql_infer_append_encoded (cells->encoding, entry, value);
}

static void
write_fields (Relation *self, GString *qualifier, GString *value)
{
  const KvsqlInferCells *cells = self->cells;

  switch (cells->kind)
    {
    case KVSQL_INFER_ONE_COLUMN:
      g_string_append (qualifier,
                       kvsql_infer_literal (self->context->arena, cells->column->qualifier));
      kvsql_infer_append_layout (&cells->value, &self->names, self->others, value);
      break;
    case KVSQL_INFER_ATTRIBUTES:
      write_attributes (self, qualifier, value);
      break;
    case KVSQL_INFER_MAP:
      write_map (self, qualifier, value);
      break;
    default:
      kvsql_infer_append_layout (&cells->qualifier, &self->names, self->keys, qualifier);
      kvsql_infer_append_layout (&cells->value, &self->names, self->others, value);
    }
}

static void
write_cells (Relation *self)
{
  g_autoptr (GString) qualifier = g_string_new (NULL), value = g_string_new (NULL);

  if (self->cells->kind == KVSQL_INFER_LINES)
    {
      kvsql_infer_append_lines (&self->cells->lines, self->of_lines, &self->names, self->others,
                                self->cells_text);
      return;
    }
  write_fields (self, qualifier, value);
  g_string_printf (self->cells_text, "FAMILY %s, QUALIFIER %s, VALUE %s",
                   kvsql_infer_literal (self->context->arena, self->cells->family->family),
                   qualifier->str, value->str);
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
      "DEFINE PRIMARY SCHEMA %s_1 FOR %s { TABLE %s, ROW %s, %s } WITH (%s)", self->name,
      self->name, self->context->table, self->row->str, self->cells_text->str, self->options->str);
  g_ptr_array_add (out->relations, relation);
  add_remarks (self->keys, out);
  add_remarks (self->others, out);
  if (out->relations->len > 1)
    return;
  out->row = g_strdup (self->row->str);
  out->cells = g_strdup (self->cells_text->str);
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
  g_autoptr (GString) row_text = g_string_new (NULL), cells_text = g_string_new (NULL);
  g_autoptr (GString) options = g_string_new (NULL);
  KvsqlInferLayout row_copy = *row;
  KvsqlInferCells cells = *given;
  Relation self = { context,  &cells,     name,   { context->arena, used }, NULL, keys, others,
                    row_text, cells_text, options };

  share_time (&row_copy, &cells);
  reserve_names (&self);
  kvsql_infer_append_layout (&row_copy, &self.names, keys, row_text);
  write_cells (&self);
  write_options (&self);
  add_relation (&self, out);
  g_clear_pointer (&self.of_lines, g_ptr_array_unref);
}

/* ---- names of relations */

/* After the first one, with the family. The names of two families may differ in signs only that
 * are not in names of relations. */
static const gchar *
take_name (const KvsqlInferContext *context, const KvsqlInferCells *cells, gboolean is_first,
           GHashTable *used)
{
  KvsqlInferNames names = { context->arena, used };
  KvsqlSlice family = cells->family->family;
  g_autoptr (GString) name = g_string_new (context->name);

  if (!is_first)
    g_string_append_c (name, '_');
  for (gsize i = 0; i < family.size && !is_first; i++)
    g_string_append_c (name, g_ascii_isalnum ((gchar)family.data[i])
                                 ? g_ascii_tolower ((gchar)family.data[i])
                                 : '_');
  return kvsql_infer_take_name (&names, kvsql_arena_strdup (context->arena, name->str));
}

/* ---- cells that no relation has */

static gboolean
is_described (const KvsqlInferFamily *family, const KvsqlInferCells *const *cells, guint n)
{
  for (guint i = 0; i < n; i++)
    if (kvsql_infer_cells_have_family (cells[i], family))
      return TRUE;
  return FALSE;
}

static gboolean
has_others (const KvsqlInferCells *const *cells, guint n)
{
  for (guint i = 0; i < n; i++)
    if (cells[i]->lines.n_other_columns > 0)
      return TRUE;
  return FALSE;
}

static void
leave_out (const KvsqlInferContext *context, const KvsqlInferCells *const *cells, guint n,
           KvsqlInferredDefinition *out)
{
  for (guint i = 0; i < context->families->len; i++)
    {
      const KvsqlInferFamily *family = context->families->pdata[i];
      KvsqlColumn column = { .family = family->family };

      column.whole_family = !is_described (family, cells, n);
      if (!column.whole_family && !family->has_marker)
        continue;
      column.qualifier = column.whole_family ? KVSQL_SLICE_EMPTY : family->marker;
      g_array_append_val (out->left_out, column);
    }
}

/* ---- notes about the whole table */

static void
note_families (const KvsqlInferContext *context, const KvsqlInferCells *const *cells, guint n,
               KvsqlInferredDefinition *out)
{
  const gchar *missing = has_others (cells, n) ? "in OTHERS" : "not described";
  g_autoptr (GString) names = g_string_new (NULL);

  if (context->families->len < 2)
    return;
  for (guint i = 0; i < context->families->len; i++)
    {
      const KvsqlInferFamily *family = context->families->pdata[i];
      g_autofree gchar *readable = kvsql_readable (family->family);

      g_string_append_printf (names, "%s\"%s\" (%u cells%s%s)", i > 0 ? ", " : "", readable,
                              family->n_cells, is_described (family, cells, n) ? "" : ", ",
                              is_described (family, cells, n) ? "" : missing);
    }
  add_note (out, "%u families in %u relation%s: %s", context->families->len, n, n == 1 ? "" : "s",
            names->str);
}

static void
note_lines (const KvsqlInferLines *lines, KvsqlInferredDefinition *out)
{
  for (guint i = 0; i < lines->n; i++)
    if (lines->lines[i].kind == KVSQL_INFER_LINE_MAP)
      {
        g_autofree gchar *family = kvsql_readable (lines->lines[i].family->family);

        add_note (out, "%u qualifiers of family \"%s\" look like ids: they are the keys of a map",
                  lines->lines[i].n_columns, family);
      }
  if (lines->n_other_columns > 0)
    add_note (out, "OTHERS has the cells of %u more column%s", lines->n_other_columns,
              lines->n_other_columns == 1 ? "" : "s");
}

static void
note_marker (const KvsqlInferContext *context, const KvsqlInferFamily *family,
             KvsqlInferredDefinition *out)
{
  g_autofree gchar *marker = kvsql_readable (family->marker);

  if (family->has_marker && family->n_rows == context->rows->n_rows)
    add_note (out, "the cell \"%s\" is in each row and says only that it exists", marker);
  else if (family->has_marker)
    {
      g_autofree gchar *name = kvsql_readable (family->family);

      add_note (out,
                "the cell \"%s\" is in each row with cells of family \"%s\" and says only that "
                "it exists",
                marker, name);
    }
}

static void
note_kind (const KvsqlInferContext *context, const KvsqlInferCells *cells,
           KvsqlInferredDefinition *out)
{
  const KvsqlInferFamily *family = cells->family;

  if (family->is_phoenix)
    add_note (out, "a table of Apache Phoenix with numbers for columns: their names are in "
                   "Phoenix's catalogue, which kvsqlctl adopt phoenix reads");
  if (cells->kind == KVSQL_INFER_MAP)
    add_note (out, "%u qualifiers look like ids: they are the keys of a map", family->columns->len);
  if (cells->kind == KVSQL_INFER_EACH_CELL && !family->is_phoenix)
    add_note (out, "%u qualifiers look like values: each cell is a tuple", family->columns->len);
  if (cells->kind == KVSQL_INFER_LINES)
    note_lines (&cells->lines, out);
  for (guint i = 0; i < context->families->len; i++)
    if (kvsql_infer_cells_have_family (cells, context->families->pdata[i]))
      note_marker (context, context->families->pdata[i], out);
}

KvsqlInferredDefinition *
kvsql_infer_write_statements (const KvsqlInferContext *context, const KvsqlInferLayout *row,
                              const KvsqlInferCells *const *cells, guint n)
{
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  KvsqlInferredDefinition *out = g_new0 (KvsqlInferredDefinition, 1);

  out->relations = kvsql_inferred_relations_new ();
  out->notes = g_ptr_array_new_with_free_func (g_free);
  out->left_out = g_array_new (FALSE, FALSE, sizeof (KvsqlColumn));
  leave_out (context, cells, n, out);
  out->bits = row->bits;
  if (context->rows->n_rows < FEW_ROWS)
    add_note (out, "few rows: they do not tell much");
  note_families (context, cells, n, out);
  for (guint i = 0; i < n; i++)
    {
      out->bits += cells[i]->bits;
      note_kind (context, cells[i], out);
      write_relation (context, row, cells[i], take_name (context, cells[i], i == 0, used), out);
    }
  return out;
}
