/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * undecodable-cells.c: finds the schema that a cell belongs to, or else why it does not fit.
 */
#include "config.h"

#include "core/scan/undecodable-cells.h"

#include "core/store/row-types.h"

#include "core/catalog/schema.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/layout/each.h"
#include "core/layout/map-cells.h"
#include "core/layout/sequence.h"
#include "core/scan/map-gather.h"
#include "core/scan/tuple-key.h"

#define MAX_SHOWN 60

struct _KvsqlUndecodableCells
{
  const KvsqlSchema *schema;
  KvsqlArena *arena;
  guint64 count;
  gchar *samples[KVSQL_MAX_SAMPLES];
  guint n_samples;
};

/* How far decoding a cell came, and where it failed. */
typedef enum
{
  AT_COLUMN,
  AT_ROW,
  AT_TABLE,
  AT_VALUE,
  AT_DERIVED,
  AT_END,
} Progress;

static const gchar *const reasons[] = {
  "the schema has no such column",
  "the row key does not fit ROW",
  "the name of the table does not fit TABLE",
  "the value does not fit VALUE",
  "what is derived does not follow from the rest",
};

KvsqlUndecodableCells *
kvsql_undecodable_cells_new (const KvsqlSchema *schema)
{
  KvsqlUndecodableCells *self = kvsql_new0 (KvsqlUndecodableCells);

  self->schema = schema;
  self->arena = kvsql_arena_new ();
  return self;
}

void
kvsql_undecodable_cells_free (KvsqlUndecodableCells *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_samples; i++)
    g_free (self->samples[i]);
  kvsql_arena_free (self->arena);
  g_free (self);
}

guint64
kvsql_undecodable_cells_get_count (const KvsqlUndecodableCells *self)
{
  return self->count;
}

const gchar *const *
kvsql_undecodable_cells_get_samples (const KvsqlUndecodableCells *self, guint *out_n)
{
  *out_n = self->n_samples;
  return (const gchar *const *)self->samples;
}

/* ---- decoding a cell under a layout */

/* Adds the key of the decoded tuple. FALSE: it is there already. */
static gboolean
add_key (const KvsqlRelation *relation, const KvsqlDecoder *decoder, GHashTable *keys)
{
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];
  KvsqlBuffer bytes = { 0 };
  GBytes *key;

  for (guint a = 0; a < relation->n_attributes; a++)
    tuple[a] = kvsql_vector_get (&decoder->batch->columns[a], decoder->row);
  kvsql_tuple_append_key (relation, tuple, &bytes);
  key = g_bytes_new (bytes.data, bytes.size);
  kvsql_buffer_clear (&bytes);
  return g_hash_table_add (keys, key);
}

/* Decodes all elements of a cell that several tuples share, one over the other. */
static Progress
read_each (const KvsqlCellLayout *layout, const KvsqlCell *cell, KvsqlDecoder *decoder)
{
  g_autoptr (GHashTable) keys
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  KvsqlEachWalk walk;
  KvsqlEachStep step;

  if (!kvsql_each_begin (layout->each, layout->fields, cell->qualifier, cell->value, decoder,
                         &walk))
    return AT_VALUE;
  while ((step = kvsql_each_next (&walk, decoder)) == KVSQL_EACH_ELEMENT && kvsql_interrupt_tick ())
    {
      if (layout->derived != NULL
          && !kvsql_derived_finish (layout->derived, layout->relation, decoder))
        return AT_DERIVED;
      if (!add_key (layout->relation, decoder, keys))
        return AT_VALUE;
    }
  return step == KVSQL_EACH_END ? AT_END : AT_VALUE;
}

static gboolean
has_column (const KvsqlSchema *schema, const KvsqlCellLayout *layout, const KvsqlCell *cell,
            KvsqlDecoder *decoder)
{
  if (layout->each != NULL && layout->each->qualifier != NULL) /* each qualifier may be a list */
    return kvsql_sequence_decode (layout->fields[KVSQL_FIELD_FAMILY], cell->family, decoder);
  return kvsql_cell_decode_column (layout, cell->family, cell->qualifier, decoder)
         && !(layout->is_others
              && kvsql_cell_layouts_have_name (schema->cells, schema->n_cells, cell->family,
                                               cell->qualifier, decoder));
}

static Progress
read_fields (const KvsqlSchema *schema, const KvsqlCellLayout *layout, KvsqlSlice table,
             KvsqlSlice row, const KvsqlCell *cell, KvsqlDecoder *decoder)
{
  KvsqlSequence *const *fields = layout->fields;

  if (!has_column (schema, layout, cell, decoder))
    return AT_COLUMN;
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_ROW], row, decoder))
    return AT_ROW;
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_TABLE], table, decoder))
    return AT_TABLE;
  if (layout->each != NULL)
    return read_each (layout, cell, decoder);
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_VALUE], cell->value, decoder))
    return AT_VALUE;
  if (layout->derived != NULL && !kvsql_derived_finish (layout->derived, layout->relation, decoder))
    return AT_DERIVED;
  return AT_END;
}

/* What a cell that fits has. */
static gchar *
print_attributes (const KvsqlCellLayout *layout, const KvsqlBatch *batch)
{
  GString *out = g_string_new (NULL);
  const KvsqlRelation *relation = layout->relation;

  for (gint a = kvsql_attribute_set_next (&layout->attributes, -1); a >= 0;
       a = kvsql_attribute_set_next (&layout->attributes, a))
    {
      KvsqlValue value;

      /* the map is made of all cells of the row */
      if (a == layout->map_attribute || (guint)a >= relation->n_attributes)
        continue;
      value = kvsql_vector_get (&batch->columns[a], 0);
      g_string_append_printf (out, "%s%s = ", out->len > 0 ? ", " : "",
                              relation->attributes[a].name);
      kvsql_value_append_literal (&value, out);
    }
  return g_string_free (out, FALSE);
}

/* The furthest progress under any of some layouts of the schema. @out_attributes: (nullable): set
 * if the cell fits. */
static Progress
read_under (KvsqlUndecodableCells *self, const KvsqlSchema *schema, guint first, guint n,
            gboolean with_others, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell,
            gchar **out_attributes)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
  g_autoptr (KvsqlBatch) batch = NULL;
  KvsqlDecoder decoder = { .arena = self->arena, .slots = slots };
  Progress furthest = AT_COLUMN;

  g_assert (first + n <= schema->n_cells && schema->n_columns <= G_N_ELEMENTS (types));
  for (guint a = 0; a < schema->n_columns; a++)
    types[a] = schema->columns->attributes[a].type;
  decoder.batch = batch = kvsql_batch_new (types, schema->n_columns, 1);
  for (guint c = first; c < first + n && furthest < AT_END; c++)
    if (with_others || !schema->cells[c].is_others)
      {
        furthest
            = MAX (furthest, read_fields (schema, &schema->cells[c], table, row, cell, &decoder));
        if (furthest == AT_END && out_attributes != NULL)
          *out_attributes = print_attributes (&schema->cells[c], batch);
      }
  kvsql_arena_reset (self->arena);
  return furthest;
}

static Progress
read_cell (KvsqlUndecodableCells *self, const KvsqlSchema *schema, KvsqlSlice table, KvsqlSlice row,
           const KvsqlCell *cell)
{
  return read_under (self, schema, 0, schema->n_cells, TRUE, table, row, cell, NULL);
}

/* OTHERS of a neighbour would take every cell, and explains none. */
static gboolean
is_of_another (KvsqlUndecodableCells *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell)
{
  for (guint i = 0; i < self->schema->neighbours->len; i++)
    {
      const KvsqlSchema *other = self->schema->neighbours->pdata[i];

      if (read_under (self, other, 0, other->n_cells, FALSE, table, row, cell, NULL) == AT_END)
        return TRUE;
    }
  return FALSE;
}

KvsqlCellOwner
kvsql_undecodable_cells_find_owner (KvsqlUndecodableCells *self, KvsqlSlice table, KvsqlSlice row,
                                    const KvsqlCell *cell)
{
  Progress progress = read_cell (self, self->schema, table, row, cell);

  if (progress == AT_END)
    return KVSQL_CELL_OWN;
  if (is_of_another (self, table, row, cell))
    return KVSQL_CELL_OF_ANOTHER;
  return progress == AT_COLUMN ? KVSQL_CELL_UNKNOWN : KVSQL_CELL_UNDECODABLE;
}

gboolean
kvsql_undecodable_cells_has_address (KvsqlUndecodableCells *self, guint layout, KvsqlSlice table,
                                     KvsqlSlice row, const KvsqlCell *cell)
{
  return read_under (self, self->schema, layout, 1, TRUE, table, row, cell, NULL) >= AT_VALUE;
}

gchar *
kvsql_undecodable_cells_print_attributes (KvsqlUndecodableCells *self, KvsqlSlice table,
                                          KvsqlSlice row, const KvsqlCell *cell)
{
  gchar *attributes = NULL;

  read_under (self, self->schema, 0, self->schema->n_cells, TRUE, table, row, cell, &attributes);
  return attributes;
}

/* ---- samples */

static void
append_shown (GString *out, const gchar *what, KvsqlSlice bytes)
{
  g_string_append_printf (out, "%s \"", what);
  kvsql_append_readable (out, kvsql_slice (bytes.data, MIN (bytes.size, MAX_SHOWN)));
  g_string_append (out, bytes.size > MAX_SHOWN ? "…\"" : "\"");
}

/* Without the reason. */
static GString *
describe_cell (KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell, gboolean has_value)
{
  GString *text = g_string_new (NULL);

  append_shown (text, "table", table);
  append_shown (text, ", row", row);
  g_string_append (text, ", column \"");
  kvsql_append_readable (text, kvsql_slice (cell->family.data, MIN (cell->family.size, MAX_SHOWN)));
  g_string_append_c (text, ':');
  kvsql_append_readable (text,
                         kvsql_slice (cell->qualifier.data, MIN (cell->qualifier.size, MAX_SHOWN)));
  g_string_append_c (text, '"');
  if (has_value)
    append_shown (text, ", value", cell->value);
  return text;
}

gchar *
kvsql_undecodable_cells_print_cell (KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell)
{
  return g_string_free (describe_cell (table, row, cell, TRUE), FALSE);
}

static gchar *
describe (KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell, gboolean has_value,
          Progress progress)
{
  GString *text = describe_cell (table, row, cell, has_value);

  g_assert (progress < G_N_ELEMENTS (reasons)); /* a cell that fits has no reason */
  g_string_append_printf (text, ": %s", reasons[progress]);
  return g_string_free (text, FALSE);
}

gchar *
kvsql_undecodable_cells_describe (KvsqlUndecodableCells *self, KvsqlSlice table, KvsqlSlice row,
                                  const KvsqlCell *cell)
{
  Progress progress = read_cell (self, self->schema, table, row, cell);

  return describe (table, row, cell, TRUE, progress == AT_END ? AT_VALUE : progress);
}

static gboolean
fail (const KvsqlUndecodableCells *self, const gchar *sample, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "a cell fits no layout of schema \"%s\"", self->schema->name);
  kvsql_error_detail (error, "It is in %s.", sample);
  return kvsql_error_hint (
      error, "The schema says undecodable = fail. With skip, such cells are counted and skipped.");
}

gboolean
kvsql_undecodable_cells_add (KvsqlUndecodableCells *self, KvsqlSlice table, KvsqlSlice row,
                             const KvsqlCell *cell, GError **error)
{
  Progress progress;

  if (is_of_another (self, table, row, cell))
    return TRUE;
  self->count++;
  if (self->n_samples == KVSQL_MAX_SAMPLES && !self->schema->options.fails_undecodable)
    return TRUE;
  progress = read_cell (self, self->schema, table, row, cell);
  if (progress == AT_END) /* the cell fits, but not with the rest of its row */
    progress = AT_VALUE;
  if (self->schema->options.fails_undecodable)
    {
      g_autofree gchar *sample = describe (table, row, cell, FALSE, progress);
      return fail (self, sample, error);
    }
  self->samples[self->n_samples++] = describe (table, row, cell, FALSE, progress);
  return TRUE;
}
