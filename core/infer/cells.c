/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cells.c: see cells.h.
 */
#include "config.h"

#include "core/infer/cells.h"

#include "core/base/interrupt.h"
#include "core/infer/json-members.h"
#include "core/infer/pieces.h"
#include "core/infer/text-value.h"

/* So many strings tell a layout. */
#define MAX_STRINGS 300
#define MAX_PHOENIX_COLUMNS 32
/* What it takes to say a qualifier: the search of layouts counts it by itself. */
#define BITS_PER_NAME 2
#define BITS_PER_CHARACTER 5

typedef struct
{
  const KvsqlInferFamily *family;
  KvsqlArena *arena;
  KvsqlInferReading *out;
  guint n;
} Finder;

KvsqlSlice *
kvsql_infer_choose_strings (const GArray *all, KvsqlArena *arena, guint *out_n)
{
  guint n = MIN (all->len, MAX_STRINGS);
  KvsqlSlice *out = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    out[i] = g_array_index (all, KvsqlSlice, (guint)((guint64)i * all->len / n));
  *out_n = n;
  return out;
}

/* Takes the place of worse ones. */
static void
add_cells (Finder *self, const KvsqlInferCells *cells, guint n)
{
  KvsqlInferReading reading = { kvsql_arena_copy (self->arena, cells, n * sizeof *cells), n, 0 };
  guint at = self->n;

  for (guint i = 0; i < n; i++)
    reading.bits += cells[i].bits;
  while (at > 0 && self->out[at - 1].bits > reading.bits)
    at--;
  if (at == KVSQL_INFER_MAX_READINGS)
    return;
  self->n = MIN (self->n + 1, KVSQL_INFER_MAX_READINGS);
  for (guint i = self->n - 1; i > at; i--)
    self->out[i] = self->out[i - 1];
  self->out[at] = reading;
}

/* ---- one column */

/* As the column, which may be a keyword. */
static void
name_value (const Finder *self, const KvsqlInferColumn *column, KvsqlInferPiece *piece)
{
  piece->stem = kvsql_arena_strndup (self->arena, (const gchar *)column->qualifier.data,
                                     column->qualifier.size);
  piece->inner_before = kvsql_arena_printf (self->arena, "%s`", piece->inner_before);
  piece->inner_after = kvsql_arena_printf (self->arena, "`%s", piece->inner_after);
}

/* Of JSON documents. The text is read first: it is certain. */
static void
read_members (Finder *self, const KvsqlInferColumn *column, const KvsqlSlice *values, guint n)
{
  KvsqlInferCells cells = { .kind = KVSQL_INFER_ONE_COLUMN,
                            .family = self->family,
                            .column = column,
                            .bits = self->n > 0 ? self->out[0].bits + BITS_PER_NAME : 0 };

  if (kvsql_infer_json_members (self->arena, values, n, &cells.value))
    add_cells (self, &cells, 1);
}

static void
read_one_column (Finder *self, const KvsqlInferColumn *column)
{
  KvsqlInferLayout layouts[KVSQL_INFER_MAX_LAYOUTS];
  guint n, n_layouts;
  KvsqlSlice *values = kvsql_infer_choose_strings (column->values, self->arena, &n);

  n_layouts = kvsql_infer_layouts (values, n, self->arena, layouts);
  for (guint i = 0; i < n_layouts; i++)
    {
      KvsqlInferCells cells = { .kind = KVSQL_INFER_ONE_COLUMN,
                                .family = self->family,
                                .column = column,
                                .value = layouts[i],
                                .bits = layouts[i].bits };

      if (kvsql_infer_is_name (column->qualifier) && layouts[i].n == 1
          && layouts[i].pieces[0].kind == KVSQL_INFER_ATTRIBUTE)
        name_value (self, column, &cells.value.pieces[0]);
      add_cells (self, &cells, 1);
    }
  read_members (self, column, values, n);
}

/* ---- an attribute for each column */

/* A value that others use as a type: of the layout that encodes all columns. */
static gboolean
type_columns (Finder *self, KvsqlInferEncoding encoding, KvsqlInferColumnType *types, gdouble *bits)
{
  *bits = 0;
  for (guint i = 0; i < self->family->columns->len && kvsql_interrupt_tick (); i++)
    {
      const KvsqlInferColumn *column = self->family->columns->pdata[i];
      guint n;
      KvsqlSlice *values = kvsql_infer_choose_strings (column->values, self->arena, &n);

      if (!kvsql_infer_column_type (encoding, values, n, self->arena, &types[i]))
        return FALSE;
      *bits += types[i].bits / n * column->values->len / self->family->n_rows + BITS_PER_NAME;
    }
  return TRUE;
}

/* Without an element, the same is shorter. */
static gboolean
needs_element (const KvsqlInferColumnType *types, guint n, KvsqlInferEncoding encoding)
{
  if (encoding != KVSQL_INFER_AS_TEXT && encoding != KVSQL_INFER_AS_PHOENIX)
    return TRUE;
  for (guint i = 0; i < n; i++)
    if (types[i].type != KVSQL_TYPE_STRING && types[i].type != KVSQL_TYPE_BYTES)
      return TRUE;
  return FALSE;
}

static void
read_attributes (Finder *self)
{
  guint n = self->family->columns->len;

  for (guint encoding = 0; encoding < KVSQL_INFER_N_ENCODINGS; encoding++)
    {
      KvsqlInferColumnType *types = kvsql_arena_array (self->arena, KvsqlInferColumnType, n);
      KvsqlInferCells cells = { .kind = KVSQL_INFER_ATTRIBUTES,
                                .family = self->family,
                                .encoding = (KvsqlInferEncoding)encoding,
                                .types = types };

      if (type_columns (self, cells.encoding, types, &cells.bits)
          && needs_element (types, n, cells.encoding))
        add_cells (self, &cells, 1);
    }
}

/* ---- an entry of a map for each column, or a tuple for each cell */

static void
collect (const KvsqlInferFamily *family, GArray *qualifiers, GArray *values)
{
  for (guint i = 0; i < family->columns->len; i++)
    {
      const KvsqlInferColumn *column = family->columns->pdata[i];

      g_array_append_val (qualifiers, column->qualifier);
      g_array_append_vals (values, column->values->data, column->values->len);
    }
}

/* What all have in common, up to a sign that is no letter or digit. */
static KvsqlSlice
common_prefix (const GArray *qualifiers)
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

static void
read_map (Finder *self, const GArray *qualifiers, const GArray *values, gdouble more_bits)
{
  gdouble cells_per_row = (gdouble)values->len / self->family->n_rows;
  gdouble name_bits = 0;
  guint n;
  KvsqlSlice *strings = kvsql_infer_choose_strings (values, self->arena, &n);

  for (guint i = 0; i < qualifiers->len; i++)
    name_bits += BITS_PER_CHARACTER * (gdouble)g_array_index (qualifiers, KvsqlSlice, i).size
                 / qualifiers->len;
  for (guint encoding = 0; encoding < KVSQL_INFER_N_ENCODINGS; encoding++)
    {
      KvsqlInferColumnType *type = kvsql_arena_new0 (self->arena, KvsqlInferColumnType);
      KvsqlInferCells cells = { .kind = KVSQL_INFER_MAP,
                                .family = self->family,
                                .encoding = (KvsqlInferEncoding)encoding,
                                .prefix = common_prefix (qualifiers),
                                .types = type };

      if (!kvsql_infer_column_type (cells.encoding, strings, n, self->arena, type)
          || !needs_element (type, 1, cells.encoding))
        continue;
      cells.bits = cells_per_row * (type->bits / n + name_bits) + more_bits;
      add_cells (self, &cells, 1);
    }
}

static void
read_each_cell (Finder *self, const GArray *qualifiers, const GArray *values, gdouble more_bits)
{
  gdouble cells_per_row = (gdouble)values->len / self->family->n_rows;
  KvsqlInferLayout of_names[KVSQL_INFER_MAX_LAYOUTS], of_values[KVSQL_INFER_MAX_LAYOUTS];
  guint n, n_of_names, n_of_values;
  KvsqlSlice *strings = kvsql_infer_choose_strings (qualifiers, self->arena, &n);

  n_of_names = kvsql_infer_layouts (strings, n, self->arena, of_names);
  strings = kvsql_infer_choose_strings (values, self->arena, &n);
  n_of_values = kvsql_infer_layouts (strings, n, self->arena, of_values);
  for (guint i = 0; i < n_of_names; i++)
    for (guint j = 0; j < MIN (n_of_values, 2); j++)
      {
        const KvsqlInferCells cells
            = { .kind = KVSQL_INFER_EACH_CELL,
                .family = self->family,
                .qualifier = of_names[i],
                .value = of_values[j],
                .bits = cells_per_row * (of_names[i].bits + of_values[j].bits) + more_bits };

        add_cells (self, &cells, 1);
      }
}

/* ---- Phoenix's numbers of columns: a schema for each */

static void
read_phoenix (Finder *self)
{
  const GPtrArray *columns = self->family->columns;
  guint n = MIN (columns->len, MAX_PHOENIX_COLUMNS);
  KvsqlInferCells *all = kvsql_arena_array (self->arena, KvsqlInferCells, n);

  for (guint i = 0; i < n; i++)
    {
      const KvsqlInferColumn *column = columns->pdata[i];
      KvsqlInferColumnType *type = kvsql_arena_new0 (self->arena, KvsqlInferColumnType);
      guint n_values;
      KvsqlSlice *values = kvsql_infer_choose_strings (column->values, self->arena, &n_values);

      if (!kvsql_infer_column_type (KVSQL_INFER_AS_PHOENIX, values, n_values, self->arena, type))
        return;
      all[i] = (KvsqlInferCells){ .kind = KVSQL_INFER_ONE_COLUMN,
                                  .family = self->family,
                                  .column = column,
                                  .encoding = KVSQL_INFER_AS_PHOENIX,
                                  .types = type };
    }
  add_cells (self, all, n);
}

guint
kvsql_infer_read_cells (const KvsqlInferFamily *family, KvsqlArena *arena, KvsqlInferReading *out)
{
  /* a reading that is shorter by less than that gives way to the usual one */
  const gdouble unusual = 1000;
  g_autoptr (GArray) qualifiers = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  Finder self = { family, arena, out, 0 };
  KvsqlInferQualifiers kind = kvsql_infer_family_qualifiers (family);

  collect (family, qualifiers, values);
  if (family->is_phoenix)
    {
      read_phoenix (&self);
      read_each_cell (&self, qualifiers, values, unusual);
      return self.n;
    }
  if (family->columns->len == 1 && !family->has_marker)
    {
      read_one_column (&self, family->columns->pdata[0]);
      return self.n;
    }
  if (kind == KVSQL_INFER_NAMES)
    read_attributes (&self);
  if (kind != KVSQL_INFER_VALUES)
    read_map (&self, qualifiers, values, kind == KVSQL_INFER_IDS ? 0 : unusual);
  if (kind != KVSQL_INFER_NAMES)
    read_each_cell (&self, qualifiers, values, kind == KVSQL_INFER_VALUES ? 0 : unusual);
  return self.n;
}
