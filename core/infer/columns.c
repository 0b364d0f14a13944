/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * columns.c: see columns.h.
 */
#include "config.h"

#include "core/infer/columns.h"

#include "core/base/hash.h"
#include "core/base/interrupt.h"

#define MAX_NAME_BYTES 60
/* Phoenix numbers the columns of tables from here on. */
#define PHOENIX_FIRST_COLUMN 11

static void
column_free (gpointer data)
{
  KvsqlInferColumn *self = data;

  g_array_unref (self->values);
  g_free (self);
}

static void
family_free (gpointer data)
{
  KvsqlInferFamily *self = data;

  g_ptr_array_unref (self->columns);
  g_free (self);
}

/* ---- markers */

static gboolean
have_one_value (const KvsqlInferColumn *column)
{
  const KvsqlSlice *first = &g_array_index (column->values, KvsqlSlice, 0);

  for (guint i = 1; i < column->values->len; i++)
    if (!kvsql_slice_equal (*first, g_array_index (column->values, KvsqlSlice, i)))
      return FALSE;
  return TRUE;
}

static gboolean
has_phoenix_marker (const KvsqlInferFamily *self)
{
  return self->has_marker
         && (kvsql_slice_equal (self->marker, KVSQL_SLICE_LITERAL ("\0\0\0\0"))
             || kvsql_slice_equal (self->marker, KVSQL_SLICE_LITERAL ("_0")));
}

/* Empty, or 'x' or 1 under a name that Phoenix uses. */
static gboolean
is_marker (const KvsqlInferFamily *self, const KvsqlInferColumn *column)
{
  static const KvsqlSlice names[] = { { (const guint8 *)"_0", 2 },
                                      { (const guint8 *)"\0\0\0\0", 4 },
                                      { (const guint8 *)"\0", 1 },
                                      { NULL, 0 } };
  KvsqlSlice value = g_array_index (column->values, KvsqlSlice, 0);

  if (column->values->len < self->n_rows || value.size > 1 || !have_one_value (column))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (kvsql_slice_equal (column->qualifier, names[i]))
      return TRUE;
  return value.size == 0;
}

static void
find_marker (KvsqlInferFamily *self)
{
  for (guint i = 0; i < self->columns->len && self->columns->len > 1; i++)
    {
      const KvsqlInferColumn *column = self->columns->pdata[i];

      if (!is_marker (self, column))
        continue;
      self->has_marker = TRUE;
      self->marker = column->qualifier;
      self->marker_value = g_array_index (column->values, KvsqlSlice, 0);
      g_ptr_array_remove_index (self->columns, i);
      return;
    }
}

/* ---- Phoenix's numbers of columns: 1 to 4 bytes; in 1 and 2 bytes, the first bit is inverted
 *
 * As QualifierEncodingScheme in org.apache.phoenix.schema.PTable has them. */

guint
kvsql_infer_phoenix_number (KvsqlSlice qualifier)
{
  guint number = 0;

  for (gsize i = 0; i < qualifier.size; i++)
    number = number << 8 | qualifier.data[i];
  return qualifier.size > 2 ? number : number - (1u << (8 * qualifier.size - 1));
}

static gboolean
is_phoenix_number (KvsqlSlice qualifier, gsize size)
{
  guint number;

  if (qualifier.size != size || size < 1 || size > 4)
    return FALSE;
  number = kvsql_infer_phoenix_number (qualifier);
  return number >= PHOENIX_FIRST_COLUMN && number < PHOENIX_FIRST_COLUMN + 1000;
}

static gboolean
has_phoenix_numbers (const KvsqlInferFamily *self)
{
  gsize size = 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      const KvsqlInferColumn *column = self->columns->pdata[i];

      size = i == 0 ? column->qualifier.size : size;
      if (!is_phoenix_number (column->qualifier, size))
        return FALSE;
    }
  return self->columns->len > 0;
}

/* The marker is in one of the families. Its qualifier has four bytes in all encodings of numbers.
 */
static void
find_phoenix (const GPtrArray *families)
{
  gboolean has_phoenix_types = FALSE, has_numbers = FALSE;

  for (guint i = 0; i < families->len; i++)
    if (has_phoenix_marker (families->pdata[i]))
      {
        has_phoenix_types = TRUE;
        has_numbers |= ((const KvsqlInferFamily *)families->pdata[i])->marker.size == 4;
      }
  for (guint i = 0; i < families->len; i++)
    {
      KvsqlInferFamily *family = families->pdata[i];

      family->has_phoenix_types = has_phoenix_types;
      family->is_phoenix = has_numbers && has_phoenix_numbers (family);
    }
}

/* ---- collecting */

typedef struct
{
  GPtrArray *families;
  GHashTable *by_name;   /* family -> KvsqlInferFamily */
  GHashTable *by_column; /* family and qualifier, joined -> KvsqlInferColumn */
  KvsqlArena *arena;
} Collector;

static KvsqlInferFamily *
find_family (Collector *self, const KvsqlCell *cell)
{
  KvsqlInferFamily *family = g_hash_table_lookup (self->by_name, &cell->family);

  if (family != NULL)
    return family;
  family = g_new0 (KvsqlInferFamily, 1);
  family->family = cell->family;
  family->columns = g_ptr_array_new_with_free_func (column_free);
  g_ptr_array_add (self->families, family);
  g_hash_table_insert (self->by_name, &family->family, family);
  return family;
}

static KvsqlInferColumn *
find_column (Collector *self, KvsqlInferFamily *family, const KvsqlCell *cell)
{
  const KvsqlSlice name = kvsql_slice_join (
      self->arena, kvsql_slice_join (self->arena, cell->family, kvsql_slice ("", 1)),
      cell->qualifier);
  KvsqlInferColumn *column = g_hash_table_lookup (self->by_column, &name);
  KvsqlSlice *key;

  if (column != NULL)
    return column;
  column = g_new0 (KvsqlInferColumn, 1);
  column->qualifier = cell->qualifier;
  column->values = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_ptr_array_add (family->columns, column);
  key = kvsql_arena_new0 (self->arena, KvsqlSlice);
  *key = name;
  g_hash_table_insert (self->by_column, key, column);
  return column;
}

static void
collect_row (Collector *self, const KvsqlRows *rows, const KvsqlRow *row)
{
  const KvsqlInferFamily *last = NULL;

  for (guint i = 0; i < row->n_cells && kvsql_interrupt_tick (); i++)
    {
      const KvsqlCell *cell = &rows->cells[row->first_cell + i];
      KvsqlInferFamily *family = find_family (self, cell);

      g_array_append_val (find_column (self, family, cell)->values, cell->value);
      family->n_cells++;
      /* cells are sorted by family */
      family->n_rows += family != last;
      last = family;
    }
}

static gint
compare_families (gconstpointer a, gconstpointer b)
{
  const KvsqlInferFamily *x = *(const KvsqlInferFamily *const *)a;
  const KvsqlInferFamily *y = *(const KvsqlInferFamily *const *)b;

  return x->n_cells != y->n_cells ? (x->n_cells < y->n_cells ? 1 : -1)
                                  : kvsql_slice_compare (x->family, y->family);
}

static gint
compare_columns (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_compare ((*(const KvsqlInferColumn *const *)a)->qualifier,
                              (*(const KvsqlInferColumn *const *)b)->qualifier);
}

GPtrArray *
kvsql_infer_families (const KvsqlRows *rows)
{
  g_autoptr (GPtrArray) families = g_ptr_array_new_with_free_func (family_free);
  g_autoptr (GHashTable) by_name = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  g_autoptr (GHashTable) by_column
      = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  Collector self = { families, by_name, by_column, arena };

  for (guint i = 0; i < rows->n_rows; i++)
    collect_row (&self, rows, &rows->rows[i]);
  g_ptr_array_sort (families, compare_families);
  for (guint i = 0; i < families->len; i++)
    {
      g_ptr_array_sort (((KvsqlInferFamily *)families->pdata[i])->columns, compare_columns);
      find_marker (families->pdata[i]);
    }
  find_phoenix (families);
  return g_steal_pointer (&families);
}

void
kvsql_infer_collect_columns (const GPtrArray *columns, GArray *qualifiers, GArray *values)
{
  for (guint i = 0; i < columns->len; i++)
    {
      const KvsqlInferColumn *column = columns->pdata[i];

      g_array_append_val (qualifiers, column->qualifier);
      g_array_append_vals (values, column->values->data, column->values->len);
    }
}

/* ---- what qualifiers are */

KvsqlSlice
kvsql_infer_common_prefix (const GArray *qualifiers)
{
  KvsqlSlice prefix = g_array_index (qualifiers, KvsqlSlice, 0);

  for (guint i = 1; i < qualifiers->len; i++)
    {
      KvsqlSlice other = g_array_index (qualifiers, KvsqlSlice, i);
      gsize same = 0;

      while (same < prefix.size && same < other.size && prefix.data[same] == other.data[same])
        same++;
      prefix.size = same;
    }
  while (prefix.size > 0 && g_ascii_isalnum ((gchar)prefix.data[prefix.size - 1]))
    prefix.size--;
  return prefix;
}

gboolean
kvsql_infer_is_name (KvsqlSlice bytes)
{
  if (bytes.size == 0 || bytes.size > MAX_NAME_BYTES || g_ascii_isdigit ((gchar)bytes.data[0]))
    return FALSE;
  for (gsize i = 0; i < bytes.size; i++)
    if (!g_ascii_isalnum ((gchar)bytes.data[i]) && bytes.data[i] != '_')
      return FALSE;
  return TRUE;
}

gboolean
kvsql_infer_is_text (KvsqlSlice bytes)
{
  for (gsize i = 0; i < bytes.size; i++)
    if (bytes.data[i] < 0x20 || bytes.data[i] == 0x7f || bytes.data[i] == '`')
      return FALSE;
  return bytes.size > 0 && g_utf8_validate ((const gchar *)bytes.data, (gssize)bytes.size, NULL);
}

gboolean
kvsql_infer_has_letter (KvsqlSlice bytes)
{
  for (gsize i = 0; i < bytes.size; i++)
    if (g_ascii_isalpha ((gchar)bytes.data[i]) || bytes.data[i] >= 0x80)
      return TRUE;
  return FALSE;
}

/* The share of the rows that have a column, in the mean. */
static gdouble
mean_fill (const KvsqlInferFamily *self)
{
  return (gdouble)self->n_cells
         / ((gdouble)MAX (self->n_rows, 1) * (self->columns->len + self->has_marker));
}

gboolean
kvsql_infer_family_has_one_shape (const KvsqlInferFamily *self)
{
  guint64 first = 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      KvsqlSlice name = ((const KvsqlInferColumn *)self->columns->pdata[i])->qualifier;
      guint64 shape = 7;
      gboolean has_digit = FALSE;

      for (gsize b = 0; b < name.size; b++)
        if (g_ascii_isdigit ((gchar)name.data[b]))
          has_digit = TRUE;
        else
          shape = shape * 131 + name.data[b];
      if (!has_digit || (i > 0 && shape != first))
        return FALSE;
      first = shape;
    }
  return TRUE;
}

gboolean
kvsql_infer_family_has_texts (const KvsqlInferFamily *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (!kvsql_infer_is_text (((const KvsqlInferColumn *)self->columns->pdata[i])->qualifier))
      return FALSE;
  return self->columns->len > 0;
}

KvsqlInferQualifiers
kvsql_infer_family_qualifiers (const KvsqlInferFamily *self)
{
  guint n_names = 0, n_texts = 0, n_with_letters = 0, n = self->columns->len;
  gboolean is_frequent;

  for (guint i = 0; i < n; i++)
    {
      KvsqlSlice name = ((const KvsqlInferColumn *)self->columns->pdata[i])->qualifier;

      n_names += kvsql_infer_is_name (name);
      n_texts += kvsql_infer_is_text (name);
      n_with_letters += kvsql_infer_has_letter (name);
    }
  if (n_texts < n)
    return KVSQL_INFER_VALUES;
  /* a few rows do not tell columns that are rare from ids */
  is_frequent = mean_fill (self) >= (n <= 8 ? 0.05 : 0.15) || self->n_rows < 4;
  if (n <= KVSQL_INFER_MAX_COLUMNS && n_with_letters == n && is_frequent
      && (n_names == n || n <= 32)
      && (!kvsql_infer_family_has_one_shape (self) || n <= 4 || mean_fill (self) > 0.9))
    return KVSQL_INFER_NAMES;
  return n_with_letters > 0 ? KVSQL_INFER_IDS : KVSQL_INFER_VALUES;
}
