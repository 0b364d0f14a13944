/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lines.c: see lines.h.
 */
#include "config.h"

#include "core/infer/lines.h"

#include "core/base/interrupt.h"

/* A row of more cells is slow to read, and a relation has at most 256 attributes. */
#define MAX_LINES 128
/* What it takes to say the encoding of a column, which is said once, and a name, in each row. */
#define BITS_PER_LINE 6
#define BITS_PER_NAME 2
#define BITS_PER_CHARACTER 5
#define BITS_PER_BYTE 8.1
/* With fewer rows, no column is rare. */
#define MIN_ROWS_OF_RARE 50
/* Values that tell little about others. */
#define FEW_VALUES 3
/* With fewer rows, no column is frequent among ids. */
#define MIN_ROWS_OF_FREQUENT 4
/* Fewer columns with one prefix are not entries of a map. */
#define MIN_ENTRIES 4
/* Columns whose qualifiers are no texts, and the share of the rows that has each. */
#define MAX_UNNAMED 32
#define MIN_FILL 0.9

typedef struct
{
  const KvsqlInferFamily *family;
  const KvsqlInferLinesOptions *options;
  GArray *lines;   /* of KvsqlInferLine */
  GPtrArray *rest; /* (element-type KvsqlInferColumn): of which no line is made */
  gdouble bits;    /* of all rows of the family */
} Writer;

/* ---- one column */

static gboolean
has_empty_value (const KvsqlInferColumn *column)
{
  for (guint i = 0; i < column->values->len; i++)
    if (g_array_index (column->values, KvsqlSlice, i).size == 0)
      return TRUE;
  return FALSE;
}

static void
add_column (Writer *self, const KvsqlInferColumn *column)
{
  KvsqlInferLine line
      = { .kind = KVSQL_INFER_LINE_COLUMN, .family = self->family, .qualifier = column->qualifier };
  KvsqlArena *arena = self->options->arena;
  guint n;
  KvsqlSlice *values = kvsql_infer_choose_strings (column->values, arena, &n);

  line.encoding
      = kvsql_infer_best_encoding (values, n, self->family->has_phoenix_types, arena, &line.type);
  line.has_empty = line.type.type != KVSQL_TYPE_STRING && line.type.type != KVSQL_TYPE_BYTES
                   && has_empty_value (column);
  g_array_append_val (self->lines, line);
  self->bits += line.type.bits / n * column->values->len + BITS_PER_NAME * self->family->n_rows;
}

static gboolean
has_attribute (const KvsqlInferLayout *layout)
{
  for (guint i = 0; i < layout->n; i++)
    if (layout->pieces[i].kind == KVSQL_INFER_ATTRIBUTE)
      return TRUE;
  return FALSE;
}

/* A value without attributes would have to be in all rows, so it is an attribute as a whole. */
static void
add_only_column (Writer *self, const KvsqlInferLayout *layout)
{
  const KvsqlInferColumn *column = self->family->columns->pdata[0];
  const KvsqlInferLine line = { .kind = KVSQL_INFER_LINE_LAYOUT,
                                .family = self->family,
                                .qualifier = column->qualifier,
                                .layout = layout };

  if (layout == NULL || !has_attribute (layout))
    {
      add_column (self, column);
      return;
    }
  g_array_append_val (self->lines, line);
  self->bits += layout->bits * column->values->len;
}

static void
prepend_marker (Writer *self)
{
  const KvsqlInferFamily *family = self->family;
  KvsqlInferLine line = { .kind = KVSQL_INFER_LINE_MARKER,
                          .family = family,
                          .qualifier = family->marker,
                          .value = family->marker_value };

  if (!family->has_marker)
    return;
  /* a query that needs no other cell would miss rows without it */
  if (family->n_rows < self->options->n_rows)
    {
      line.kind = KVSQL_INFER_LINE_COLUMN;
      line.type.type = KVSQL_TYPE_BYTES;
    }
  g_array_prepend_val (self->lines, line);
}

/* ---- columns that are entries of a map */

/* Whether a line or the marker has such a name, too. */
static gboolean
is_prefix_of_line (const Writer *self, KvsqlSlice prefix)
{
  for (guint i = 0; i < self->lines->len; i++)
    if (kvsql_slice_has_prefix (g_array_index (self->lines, KvsqlInferLine, i).qualifier, prefix))
      return TRUE;
  return self->family->has_marker && self->family->marker.size > 0
         && kvsql_slice_has_prefix (self->family->marker, prefix);
}

static gdouble
bits_of_names (const GPtrArray *columns)
{
  gdouble bits = 0;

  for (guint i = 0; i < columns->len; i++)
    {
      const KvsqlInferColumn *column = columns->pdata[i];

      bits += BITS_PER_CHARACTER * (gdouble)column->qualifier.size * column->values->len;
    }
  return bits;
}

/* FALSE: the keys could not be distinguished from other columns. */
static gboolean
add_map (Writer *self, const GPtrArray *columns)
{
  g_autoptr (GArray) qualifiers = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  KvsqlInferLine line
      = { .kind = KVSQL_INFER_LINE_MAP, .family = self->family, .n_columns = columns->len };
  KvsqlSlice *strings;
  guint n;

  kvsql_infer_collect_columns (columns, qualifiers, values);
  line.qualifier = kvsql_infer_common_prefix (qualifiers);
  if (is_prefix_of_line (self, line.qualifier))
    return FALSE;
  line.has_no_empty = self->family->has_marker && line.qualifier.size == 0;
  strings = kvsql_infer_choose_strings (values, self->options->arena, &n);
  line.encoding = kvsql_infer_best_encoding (strings, n, self->family->has_phoenix_types,
                                             self->options->arena, &line.type);
  g_array_append_val (self->lines, line);
  self->bits += line.type.bits / n * values->len + bits_of_names (columns);
  return TRUE;
}

/* ---- which columns are lines */

/* Few values tell too little about the next ones. */
static gboolean
is_rare (const Writer *self, const KvsqlInferColumn *column)
{
  guint n_rows = self->family->n_rows;

  return self->options->may_have_others && n_rows >= MIN_ROWS_OF_RARE
         && column->values->len < MAX (FEW_VALUES, n_rows / 100);
}

static gboolean
is_frequent (const Writer *self, const KvsqlInferColumn *column)
{
  guint n_rows = self->family->n_rows;

  return self->lines->len < MAX_LINES && n_rows >= MIN_ROWS_OF_FREQUENT
         && column->values->len * 2 >= n_rows && kvsql_infer_has_letter (column->qualifier);
}

static void
add_named (Writer *self)
{
  const GPtrArray *columns = self->family->columns;

  for (guint i = 0; i < columns->len && kvsql_interrupt_tick (); i++)
    if (self->lines->len == MAX_LINES
        || (!self->family->is_phoenix && is_rare (self, columns->pdata[i])))
      g_ptr_array_add (self->rest, columns->pdata[i]);
    else
      add_column (self, columns->pdata[i]);
}

/* Names that most rows have are columns, and the others are ids. */
static gboolean
add_ids (Writer *self)
{
  const GPtrArray *columns = self->family->columns;
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  gboolean have_one_shape = kvsql_infer_family_has_one_shape (self->family);

  for (guint i = 0; i < columns->len && kvsql_interrupt_tick (); i++)
    if (!have_one_shape && is_frequent (self, columns->pdata[i]))
      add_column (self, columns->pdata[i]);
    else
      g_ptr_array_add (ids, columns->pdata[i]);
  if (ids->len == 0)
    return self->lines->len > 0;
  if (self->lines->len == 0 || ids->len >= MIN_ENTRIES)
    {
      if (add_map (self, ids))
        return TRUE;
      g_ptr_array_extend (self->rest, ids, NULL, NULL);
      return self->options->may_have_others && (self->lines->len > 0 || self->family->has_marker);
    }
  for (guint i = 0; i < ids->len; i++)
    add_column (self, ids->pdata[i]);
  return TRUE;
}

/* Columns without names, such as numbers: nearly all rows have all of them, and they hold different
 * things. Of one thing, they would rather be times. */
static gboolean
add_unnamed (Writer *self)
{
  const GPtrArray *columns = self->family->columns;
  gboolean are_different = FALSE;

  if (columns->len > MAX_UNNAMED || self->family->n_rows < MIN_ROWS_OF_FREQUENT
      || self->family->n_cells < MIN_FILL * columns->len * self->family->n_rows)
    return FALSE;
  for (guint i = 0; i < columns->len && kvsql_interrupt_tick (); i++)
    {
      const KvsqlInferLine *lines;

      add_column (self, columns->pdata[i]);
      lines = (const KvsqlInferLine *)self->lines->data;
      are_different
          |= lines[i].encoding != lines[0].encoding || lines[i].type.type != lines[0].type.type;
    }
  return are_different;
}

static gboolean
add_columns (Writer *self, const KvsqlInferLayout *layout)
{
  const KvsqlInferFamily *family = self->family;

  if (!family->is_phoenix && family->columns->len == 1 && !family->has_marker)
    add_only_column (self, layout);
  else if (family->is_phoenix || kvsql_infer_family_qualifiers (family) == KVSQL_INFER_NAMES)
    add_named (self);
  else if (kvsql_infer_family_has_texts (family))
    return add_ids (self);
  else
    return add_unnamed (self);
  return TRUE;
}

static void
add_rest (Writer *self)
{
  for (guint i = 0; i < self->rest->len; i++)
    {
      const KvsqlInferColumn *column = self->rest->pdata[i];

      for (guint v = 0; v < column->values->len; v++)
        self->bits
            += BITS_PER_BYTE * (gdouble)g_array_index (column->values, KvsqlSlice, v).size + 8;
    }
  self->bits += bits_of_names (self->rest);
}

gboolean
kvsql_infer_lines_of_family (const KvsqlInferFamily *family, const KvsqlInferLayout *layout,
                             const KvsqlInferLinesOptions *options, KvsqlInferLines *out)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (KvsqlInferLine));
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  Writer self = { family, options, lines, rest, 0 };

  if (!add_columns (&self, layout))
    return FALSE;
  add_rest (&self);
  prepend_marker (&self);
  *out = (KvsqlInferLines){
    .lines = kvsql_arena_copy (options->arena, lines->data, lines->len * sizeof (KvsqlInferLine)),
    .n = lines->len,
    .n_other_columns = rest->len,
    .bits = (self.bits + BITS_PER_LINE * (gdouble)lines->len) / family->n_rows,
  };
  return TRUE;
}

/* ---- several families */

void
kvsql_infer_lines_join (const KvsqlInferLines *families, guint n, KvsqlArena *arena,
                        KvsqlInferLines *out)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (KvsqlInferLine));

  *out = (KvsqlInferLines){ .n = 0 };
  for (guint i = 0; i < n; i++)
    {
      g_array_append_vals (lines, families[i].lines, families[i].n);
      out->n_other_columns += families[i].n_other_columns;
      out->bits += families[i].bits;
    }
  out->n = MIN (lines->len, MAX_LINES);
  for (guint i = out->n; i < lines->len; i++)
    out->n_other_columns += MAX (g_array_index (lines, KvsqlInferLine, i).n_columns, 1);
  out->lines = kvsql_arena_copy (arena, lines->data, out->n * sizeof (KvsqlInferLine));
}

gboolean
kvsql_infer_lines_have_family (const KvsqlInferLines *self, const KvsqlInferFamily *family)
{
  for (guint i = 0; i < self->n; i++)
    if (self->lines[i].family == family)
      return TRUE;
  return FALSE;
}
