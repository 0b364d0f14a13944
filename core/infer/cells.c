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

/* What it takes to say a qualifier: the search of layouts counts it by itself. */
#define BITS_PER_NAME 2
#define BITS_PER_CHARACTER 5
/* What one element around all columns saves. */
#define BITS_OF_ELEMENT 1

typedef struct
{
  const KvsqlInferFamily *family;
  KvsqlArena *arena;
  gboolean is_only; /* the table has no other family */
  KvsqlInferCells *out;
  guint n;
} Finder;

/* Takes the place of worse ones. */
static void
add_cells (Finder *self, const KvsqlInferCells *cells)
{
  guint at = self->n;

  while (at > 0 && self->out[at - 1].bits > cells->bits)
    at--;
  if (at == KVSQL_INFER_MAX_READINGS)
    return;
  self->n = MIN (self->n + 1, KVSQL_INFER_MAX_READINGS);
  for (guint i = self->n - 1; i > at; i--)
    self->out[i] = self->out[i - 1];
  self->out[at] = *cells;
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
    add_cells (self, &cells);
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
      add_cells (self, &cells);
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

static gboolean
is_possible (const Finder *self, KvsqlInferEncoding encoding)
{
  return self->family->has_phoenix_types || !kvsql_infer_is_of_phoenix (encoding);
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

      if (is_possible (self, cells.encoding)
          && type_columns (self, cells.encoding, types, &cells.bits)
          && needs_element (types, n, cells.encoding))
        add_cells (self, &cells);
    }
}

/* ---- an entry of a map for each column, or a tuple for each cell */

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
                                .prefix = kvsql_infer_common_prefix (qualifiers),
                                .types = type };

      if (!is_possible (self, cells.encoding)
          || !kvsql_infer_column_type (cells.encoding, strings, n, self->arena, type)
          || !needs_element (type, 1, cells.encoding))
        continue;
      cells.bits = cells_per_row * (type->bits / n + name_bits) + more_bits;
      add_cells (self, &cells);
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

        add_cells (self, &cells);
      }
}

/* ---- a line of CELLS for each column */

/* A map alone is another reading. */
static gboolean
is_only_map (const KvsqlInferLines *lines)
{
  return lines->n == 1 && lines->lines[0].kind == KVSQL_INFER_LINE_MAP
         && lines->n_other_columns == 0;
}

/* One element around all columns is simpler, so lines have to tell more. */
static void
read_lines (Finder *self, gboolean is_usual)
{
  const KvsqlInferLinesOptions options = { self->family->n_rows, self->is_only, self->arena };
  KvsqlInferCells cells = { .kind = KVSQL_INFER_LINES, .family = self->family };

  KvsqlInferLines lines;

  if (!kvsql_infer_lines_of_family (self->family, NULL, &options, &lines) || is_only_map (&lines))
    return;
  kvsql_infer_lines_join (&lines, 1, self->arena, &cells.lines);
  cells.bits = cells.lines.bits + BITS_OF_ELEMENT;
  if (is_usual || self->n == 0 || cells.bits < self->out[0].bits)
    add_cells (self, &cells);
}

gboolean
kvsql_infer_cells_have_family (const KvsqlInferCells *self, const KvsqlInferFamily *family)
{
  return self->kind == KVSQL_INFER_LINES ? kvsql_infer_lines_have_family (&self->lines, family)
                                         : self->family == family;
}

guint
kvsql_infer_read_cells (const KvsqlInferFamily *family, gboolean is_only, KvsqlArena *arena,
                        KvsqlInferCells *out)
{
  /* a reading that is shorter by less than that gives way to the usual one */
  const gdouble unusual = 1000;
  g_autoptr (GArray) qualifiers = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  Finder self = { family, arena, is_only, out, 0 };
  KvsqlInferQualifiers kind = kvsql_infer_family_qualifiers (family);

  kvsql_infer_collect_columns (family->columns, qualifiers, values);
  if (family->is_phoenix)
    {
      read_lines (&self, TRUE);
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
  /* the option marker needs a qualifier of some bytes */
  read_lines (&self, family->has_marker && family->marker.size == 0);
  return self.n;
}
