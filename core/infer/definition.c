/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definition.c: see definition.h.
 */
#include "config.h"

#include "core/infer/definition.h"

#include "core/base/hash.h"
#include "core/infer/column-types.h"
#include "core/infer/layout-text.h"
#include "core/infer/pieces.h"
#include "core/infer/text-value.h"

/* So many strings tell a layout. */
#define MAX_STRINGS 300
/* More qualifiers are rather values than names. */
#define MAX_COLUMNS 64
#define MAX_NAME_BYTES 60

typedef struct
{
  KvsqlSlice qualifier;
  GArray *values; /* of KvsqlSlice */
} Column;

typedef struct
{
  const KvsqlRows *rows;
  KvsqlArena *arena;
  KvsqlInferredDefinition *out;
  KvsqlSlice family;  /* the one that is described */
  GPtrArray *columns; /* of Column, of that family */
  KvsqlInferNames names;
  GArray *keys, *others; /* of KvsqlInferAttribute */
  GString *row, *qualifier, *value;
} Inference;

void
kvsql_inferred_definition_free (KvsqlInferredDefinition *self)
{
  if (self == NULL)
    return;
  g_free (self->relation);
  g_free (self->schema);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static void G_GNUC_PRINTF (2, 3) add_note (Inference *self, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->out->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* ---- families and columns */

static void
column_free (gpointer data)
{
  Column *self = data;

  g_array_unref (self->values);
  g_free (self);
}

/* The family with the most cells. */
static void
choose_family (Inference *self)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  guint most = 0;

  for (guint i = 0; i < self->rows->n_cells; i++)
    {
      KvsqlSlice *family = &self->rows->cells[i].family;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, family)) + 1;

      g_hash_table_insert (counts, family, GUINT_TO_POINTER (n));
      if (n > most)
        {
          most = n;
          self->family = *family;
        }
    }
  if (g_hash_table_size (counts) > 1)
    {
      g_autofree gchar *family = kvsql_readable (self->family);

      add_note (self,
                "there are %u families: only the cells of \"%s\" are described, %u of the %u read",
                g_hash_table_size (counts), family, most, self->rows->n_cells);
    }
}

static void
collect_columns (Inference *self)
{
  g_autoptr (GHashTable) found = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);

  for (guint i = 0; i < self->rows->n_cells; i++)
    {
      const KvsqlCell *cell = &self->rows->cells[i];
      Column *column;

      if (!kvsql_slice_equal (cell->family, self->family))
        continue;
      column = g_hash_table_lookup (found, &cell->qualifier);
      if (column == NULL)
        {
          column = g_new0 (Column, 1);
          column->qualifier = cell->qualifier;
          column->values = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
          g_ptr_array_add (self->columns, column);
          g_hash_table_insert (found, &column->qualifier, column);
        }
      g_array_append_val (column->values, cell->value);
    }
}

static gboolean
is_name (KvsqlSlice bytes)
{
  if (bytes.size == 0 || bytes.size > MAX_NAME_BYTES || g_ascii_isdigit ((gchar)bytes.data[0]))
    return FALSE;
  for (gsize i = 0; i < bytes.size; i++)
    if (!g_ascii_isalnum ((gchar)bytes.data[i]) && bytes.data[i] != '_')
      return FALSE;
  return TRUE;
}

static gboolean
are_names (const Inference *self)
{
  if (self->columns->len > MAX_COLUMNS)
    return FALSE;
  for (guint i = 0; i < self->columns->len; i++)
    if (!is_name (((const Column *)self->columns->pdata[i])->qualifier))
      return FALSE;
  return TRUE;
}

/* ---- layouts of byte strings */

/* Every so many of them. */
static KvsqlSlice *
choose_strings (const Inference *self, const GArray *all, guint *out_n)
{
  guint n = MIN (all->len, MAX_STRINGS);
  KvsqlSlice *out = kvsql_arena_array (self->arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    out[i] = g_array_index (all, KvsqlSlice, (guint)((guint64)i * all->len / n));
  *out_n = n;
  return out;
}

/* @name: (nullable): of the attribute, if there is one only */
static gboolean
append_layout (Inference *self, const GArray *all, const gchar *name, GArray *attributes,
               GString *out)
{
  guint n;
  KvsqlSlice *strings = choose_strings (self, all, &n);
  KvsqlInferLayout layout;

  if (!kvsql_infer_layout (strings, n, self->arena, &layout))
    return FALSE;
  if (name != NULL && layout.n == 1 && layout.pieces[0].kind == KVSQL_INFER_ATTRIBUTE)
    layout.pieces[0].stem = name;
  kvsql_infer_append_layout (&layout, &self->names, attributes, out);
  return TRUE;
}

static gboolean
infer_row (Inference *self)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));

  for (guint i = 0; i < self->rows->n_rows; i++)
    g_array_append_val (keys, self->rows->rows[i].key);
  return append_layout (self, keys, NULL, self->keys, self->row);
}

/* ---- QUALIFIER and VALUE */

/* One column: its value may have several attributes. */
static gboolean
infer_single_column (Inference *self)
{
  const Column *column = self->columns->pdata[0];
  const gchar *text = kvsql_arena_strndup (self->arena, (const gchar *)column->qualifier.data,
                                           column->qualifier.size);

  g_string_append (self->qualifier, kvsql_infer_literal (self->arena, column->qualifier));
  return append_layout (self, column->values, is_name (column->qualifier) ? text : NULL,
                        self->others, self->value);
}

static void
append_listed_keys (const Inference *self, const gchar *element, GString *out)
{
  g_string_append_printf (out, "%s[", element);
  for (guint i = 0; i < self->keys->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            g_array_index (self->keys, KvsqlInferAttribute, i).name);
  g_string_append_c (out, ']');
}

/* A schema has one encoding for all columns: as bytes, unless all are text. */
static KvsqlInferEncoding
choose_encoding (const Inference *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = self->columns->pdata[i];
      KvsqlType type = kvsql_infer_column_type (
          KVSQL_INFER_AS_BYTES, (const KvsqlSlice *)(gconstpointer)column->values->data,
          column->values->len);

      if (type != KVSQL_TYPE_STRING)
        return KVSQL_INFER_AS_BYTES;
    }
  return KVSQL_INFER_AS_TEXT;
}

static gboolean
infer_columns (Inference *self)
{
  KvsqlInferEncoding encoding = choose_encoding (self);

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = self->columns->pdata[i];
      g_autofree gchar *text = kvsql_readable (column->qualifier);
      const KvsqlInferAttribute attribute
          = { kvsql_arena_strdup (self->arena, text),
              kvsql_infer_column_type (encoding,
                                       (const KvsqlSlice *)(gconstpointer)column->values->data,
                                       column->values->len) };

      g_array_append_val (self->others, attribute);
    }
  append_listed_keys (self, "attr_name", self->qualifier);
  if (encoding == KVSQL_INFER_AS_TEXT)
    g_string_append (self->value, "text{");
  append_listed_keys (self, "attr_value", self->value);
  if (encoding == KVSQL_INFER_AS_TEXT)
    g_string_append_c (self->value, '}');
  return TRUE;
}

/* Many qualifiers: they are values. Each cell is a tuple. */
static gboolean
infer_cells (Inference *self)
{
  g_autoptr (GArray) qualifiers = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));

  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = self->columns->pdata[i];

      g_array_append_val (qualifiers, column->qualifier);
      g_array_append_vals (values, column->values->data, column->values->len);
    }
  return append_layout (self, qualifiers, NULL, self->keys, self->qualifier)
         && append_layout (self, values, NULL, self->others, self->value);
}

static gboolean
infer_cell (Inference *self)
{
  if (self->columns->len == 1)
    return infer_single_column (self);
  return are_names (self) ? infer_columns (self) : infer_cells (self);
}

/* The names of columns are not free for other attributes. */
static void
reserve_names (Inference *self)
{
  if (self->columns->len < 2 || !are_names (self))
    return;
  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = self->columns->pdata[i];
      g_autofree gchar *lower
          = g_ascii_strdown ((const gchar *)column->qualifier.data, (gssize)column->qualifier.size);

      g_hash_table_add (self->names.used, kvsql_arena_strdup (self->arena, lower));
    }
}

/* ---- the statements */

static void
append_attributes (const GArray *attributes, gboolean is_key, GString *out)
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
write_statements (Inference *self, const gchar *table, const gchar *name)
{
  g_autoptr (GString) relation = g_string_new (NULL);

  g_string_printf (relation, "DEFINE RELATION %s {", name);
  append_attributes (self->keys, TRUE, relation);
  append_attributes (self->others, FALSE, relation);
  g_string_append (relation, " }");
  self->out->relation = g_string_free (g_steal_pointer (&relation), FALSE);
  self->out->schema = g_strdup_printf (
      "DEFINE PRIMARY SCHEMA %s_1 FOR %s { TABLE %s, ROW %s, FAMILY %s, QUALIFIER %s, VALUE %s } "
      "WITH (role = read)",
      name, name, table, self->row->str, kvsql_infer_literal (self->arena, self->family),
      self->qualifier->str, self->value->str);
}

KvsqlInferredDefinition *
kvsql_infer_definition (const gchar *table, const gchar *name, const KvsqlRows *rows)
{
  g_autoptr (KvsqlInferredDefinition) out = g_new0 (KvsqlInferredDefinition, 1);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (column_free);
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (KvsqlInferAttribute));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (KvsqlInferAttribute));
  g_autoptr (GString) row = g_string_new (NULL), qualifier = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL);
  Inference self = { rows, arena,  out, KVSQL_SLICE_EMPTY, columns, { arena, used },
                     keys, others, row, qualifier,         value };

  out->notes = g_ptr_array_new_with_free_func (g_free);
  choose_family (&self);
  collect_columns (&self);
  reserve_names (&self);
  if (!infer_row (&self) || !infer_cell (&self))
    return NULL;
  write_statements (&self, table, name);
  return g_steal_pointer (&out);
}
