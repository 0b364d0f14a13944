/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assembler.c: assembles tuples from cells, in four ways.
 */
#include "config.h"

#include "core/scan/assembler.h"
#include "core/base/memory.h"
#include "core/layout/map-cells.h"
#include "core/layout/others-key.h"
#include "core/scan/each-cells.h"
#include "core/scan/map-gather.h"
#include "core/scan/undecodable-cells.h"
#include "core/scan/tuple-map.h"
#include "core/layout/decode-plan.h"
#include "core/layout/each.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"

#include <stdlib.h>

/* Most results are short: a batch begins small, and grows each time that it was full. */
#define FIRST_ROWS 16
#define GROWTH 4
/* Rows of one cell that are decoded together. Their fields fit into the processor's first-level
 * cache. */
#define BLOCK_ROWS 64

typedef enum
{
  BY_CELL,
  BY_ROW,
  GATHERED,
  EACH,
} Mode;

/* A cell layout, with data to recognise its column quickly. */
typedef struct
{
  const KvsqlCellLayout *layout;
  gboolean has_constant_column;
  KvsqlSlice family;
  KvsqlSlice qualifier;
  guint first_attribute; /* of @attributes of the assembler: those that are NULL without the cell */
  guint n_attributes;
} Column;

struct _KvsqlAssembler
{
  const KvsqlSchema *schema;
  Mode mode;
  KvsqlArena *constants; /* of the columns */
  KvsqlArena *arena;     /* of decoded values, until the batch is reset */
  Column *columns;
  guint n_columns;
  gboolean is_columnar; /* many cells can be decoded at a time */
  guint next_column;    /* the column to try first: cells come in the order of the columns */
  guint *attributes;    /* that are NULL if their cell is absent */
  gboolean table_has_attributes;
  KvsqlSlot slots[KVSQL_MAX_SLOTS];

  KvsqlBatch *batch;
  guint32 *row_of; /* by the tuple's number in the batch */
  guint32 *ordinal_of;
  KvsqlTimes *times_of;

  KvsqlSlice table;
  const KvsqlRows *rows;
  guint row;
  guint cell; /* within the row */
  guint32 ordinal;

  KvsqlBatch *scratch; /* one row; for GATHERED, or to decode names of tables */
  KvsqlTupleMap *map;
  KvsqlMapGather **entries; /* by column; nullable: for a map with a cell for each entry, if it is
                               wanted */
  KvsqlEachCells *each;     /* nullable: for cells that several tuples share */
  guint flushed;
  gboolean is_row_gathered;
  guint64 n_cells;
  KvsqlUndecodableCells *undecodable;
};

/* ---- making */

static int
compare_columns (const void *a, const void *b)
{
  const Column *x = a, *y = b;
  gint order = kvsql_slice_compare (x->family, y->family);

  return order != 0 ? order : kvsql_slice_compare (x->qualifier, y->qualifier);
}

static void
prepare_columns (KvsqlAssembler *self)
{
  const KvsqlSchema *schema = self->schema;
  guint n = 0;

  self->n_columns = schema->n_cells;
  self->columns = kvsql_arena_array (self->constants, Column, schema->n_cells);
  self->attributes = kvsql_arena_array (self->constants, guint, schema->relation->n_attributes);
  for (guint c = 0; c < schema->n_cells; c++)
    {
      Column *column = &self->columns[c];
      column->layout = &schema->cells[c];
      column->has_constant_column
          = kvsql_cell_get_column (column->layout, &column->family, &column->qualifier);
      column->first_attribute = n;
      for (gint a = -1; (a = kvsql_attribute_set_next (&column->layout->optional, a)) >= 0;)
        self->attributes[n++] = (guint)a;
      column->n_attributes = n - column->first_attribute;
      g_assert (n <= schema->relation->n_attributes); /* each is in one cell */
    }
  qsort (self->columns, self->n_columns, sizeof (Column), compare_columns);
}

/* Whether no other attributes than @attributes are read from the sequence. */
static gboolean
holds_only (const KvsqlSequence *sequence, const KvsqlAttributeSet *attributes)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      if (element->inner != NULL ? !holds_only (element->inner, attributes)
                                 : element->attribute >= 0 && !element->is_copy
                                       && !kvsql_attribute_set_has (attributes, element->attribute))
        return FALSE;
    }
  return TRUE;
}

/* BY_ROW decodes all cells of a row into one tuple in place. A cell that turns out to be
 * undecodable has then been decoded in part, so it must not share attributes with other cells. */
static Mode
choose_mode (const KvsqlAssembler *self)
{
  if (self->schema->cells[0].each != NULL)
    return EACH;
  if (kvsql_schema_has_one_cell (self->schema))
    return BY_CELL;
  if (!self->schema->is_row_whole)
    return GATHERED;
  for (guint c = 0; c < self->n_columns; c++)
    if (!self->columns[c].has_constant_column
        || (self->columns[c].layout->derived != NULL
            && self->columns[c].layout->derived->last_field > KVSQL_FIELD_ROW)
        || !holds_only (self->columns[c].layout->fields[KVSQL_FIELD_VALUE],
                        &self->columns[c].layout->optional))
      return GATHERED;
  return BY_ROW;
}

/* Whether a tuple depends only on the bytes of a row key and of its cell's value. */
static gboolean
can_decode_blocks (const KvsqlAssembler *self)
{
  const Column *column = &self->columns[0];

  return self->mode == BY_CELL && column->has_constant_column && !self->table_has_attributes
         && column->layout->derived == NULL && self->schema->timestamp_attribute < 0
         && kvsql_decode_plan_is_columnar (column->layout->fields[KVSQL_FIELD_ROW]->plan)
         && kvsql_decode_plan_is_columnar (column->layout->fields[KVSQL_FIELD_VALUE]->plan);
}

KvsqlAssembler *
kvsql_assembler_new (const KvsqlSchema *schema, const KvsqlAttributeSet *wanted, gsize max_bytes)
{
  KvsqlAssembler *self = kvsql_new0 (KvsqlAssembler);
  const KvsqlRelation *relation = schema->relation;
  KvsqlType types[KVSQL_MAX_ATTRIBUTES], scratch_types[KVSQL_MAX_ATTRIBUTES];
  KvsqlAttributeSet needed; /* with the attributes that are needed to check derived values */

  self->schema = schema;
  self->undecodable = kvsql_undecodable_cells_new (schema);
  self->constants = kvsql_arena_new ();
  self->arena = kvsql_arena_new ();
  self->table_has_attributes = !schema->has_constant_table;
  prepare_columns (self);
  self->mode = choose_mode (self);
  self->is_columnar = can_decode_blocks (self);
  needed = *wanted;
  for (guint c = 0; c < schema->n_cells; c++)
    if (schema->cells[c].derived != NULL)
      kvsql_attribute_set_add_all (&needed, &schema->cells[c].derived->sources);
  if (self->mode == EACH) /* tuples of a cell are compared */
    kvsql_attribute_set_add_all (&needed, &relation->keys);
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      gboolean is_wanted = kvsql_attribute_set_has (&needed, a);
      types[a] = is_wanted ? relation->attributes[a].type : KVSQL_TYPE_NULL;
      scratch_types[a] = is_wanted || relation->attributes[a].is_key ? relation->attributes[a].type
                                                                     : KVSQL_TYPE_NULL;
    }
  for (guint a = relation->n_attributes; a < schema->n_columns; a++)
    scratch_types[a] = schema->columns->attributes[a].type;
  self->batch = kvsql_batch_new (types, relation->n_attributes, FIRST_ROWS);
  self->row_of = g_new (guint32, FIRST_ROWS);
  self->ordinal_of = g_new (guint32, FIRST_ROWS);
  self->times_of = g_new (KvsqlTimes, FIRST_ROWS);
  if (self->mode == GATHERED || self->table_has_attributes)
    self->scratch = kvsql_batch_new (scratch_types, schema->n_columns, 1);
  if (self->mode == GATHERED)
    self->map = kvsql_tuple_map_new (relation, max_bytes);
  if (self->mode == EACH)
    self->each = kvsql_each_cells_new (schema, types, self->undecodable, max_bytes);
  self->entries = kvsql_arena_array (self->constants, KvsqlMapGather *, self->n_columns);
  for (guint c = 0; c < self->n_columns; c++)
    {
      gint map = self->columns[c].layout->map_attribute;

      if (map >= 0 && kvsql_attribute_set_has (wanted, map))
        self->entries[c] = kvsql_map_gather_new (relation->attributes[map].type, max_bytes);
    }
  return self;
}

void
kvsql_assembler_free (KvsqlAssembler *self)
{
  if (self == NULL)
    return;
  for (guint c = 0; c < self->n_columns; c++)
    kvsql_map_gather_free (self->entries[c]);
  kvsql_arena_free (self->constants);
  kvsql_arena_free (self->arena);
  kvsql_batch_free (self->batch);
  kvsql_batch_free (self->scratch);
  kvsql_tuple_map_free (self->map);
  kvsql_each_cells_free (self->each);
  kvsql_undecodable_cells_free (self->undecodable);
  g_free (self->row_of);
  g_free (self->ordinal_of);
  g_free (self->times_of);
  g_free (self);
}

KvsqlBatch *
kvsql_assembler_get_batch (KvsqlAssembler *self)
{
  return self->batch;
}

static void
grow_batch (KvsqlAssembler *self)
{
  guint capacity = MIN (self->batch->capacity * GROWTH, KVSQL_BATCH_ROWS);

  g_assert (self->batch->n_rows < capacity); /* the arrays by tuple keep what they have */
  kvsql_batch_reserve (self->batch, capacity);
  self->row_of = g_renew (guint32, self->row_of, capacity);
  self->ordinal_of = g_renew (guint32, self->ordinal_of, capacity);
  self->times_of = g_renew (KvsqlTimes, self->times_of, capacity);
}

void
kvsql_assembler_reset_batch (KvsqlAssembler *self)
{
  if (self->batch->n_rows == self->batch->capacity && self->batch->capacity < KVSQL_BATCH_ROWS)
    grow_batch (self);
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  if (self->each != NULL)
    kvsql_each_cells_reset (self->each);
  if (self->map != NULL && self->schema->is_row_local
      && self->flushed == kvsql_tuple_map_get_size (self->map))
    {
      kvsql_tuple_map_clear (self->map);
      for (guint c = 0; c < self->n_columns; c++)
        if (self->entries[c] != NULL)
          kvsql_map_gather_clear (self->entries[c]);
      self->flushed = 0;
    }
}

void
kvsql_assembler_get_counts (const KvsqlAssembler *self, KvsqlAssemblerCounts *out)
{
  *out = (KvsqlAssemblerCounts){ .cells = self->n_cells,
                                 .undecodable
                                 = kvsql_undecodable_cells_get_count (self->undecodable) };
  out->samples = kvsql_undecodable_cells_get_samples (self->undecodable, &out->n_samples);
}

gboolean
kvsql_assembler_accepts_table (KvsqlAssembler *self, KvsqlSlice table)
{
  KvsqlDecoder decoder = { .batch = self->scratch, .arena = self->arena };

  for (guint c = 0; c < self->n_columns; c++)
    if (kvsql_sequence_decode (self->columns[c].layout->fields[KVSQL_FIELD_TABLE], table, &decoder))
      return TRUE;
  return FALSE;
}

void
kvsql_assembler_set_rows (KvsqlAssembler *self, KvsqlSlice table, const KvsqlRows *rows)
{
  self->table = table;
  self->rows = rows;
  self->row = 0;
  self->cell = 0;
  self->ordinal = 0;
}

/* ---- cells */

/* A store gives the columns of one batch with the same pointers, so bytes need no comparison. */
static inline gboolean
is_same_name (KvsqlSlice a, KvsqlSlice b)
{
  return a.data == b.data && a.size == b.size;
}

static gboolean
decode_column (const Column *column, const KvsqlCell *cell, KvsqlDecoder *decoder)
{
  if (column->has_constant_column)
    return kvsql_slice_equal (cell->qualifier, column->qualifier)
           && kvsql_slice_equal (cell->family, column->family);
  return kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_FAMILY], cell->family, decoder)
         && kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_QUALIFIER], cell->qualifier,
                                   decoder);
}

static gboolean
decode_row_key (const KvsqlAssembler *self, const Column *column, KvsqlSlice row,
                KvsqlDecoder *decoder)
{
  return kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_ROW], row, decoder)
         && (!self->table_has_attributes
             || kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_TABLE], self->table,
                                       decoder));
}

/* Computes and checks the derived values, after all fields of a cell were decoded. */
static gboolean
finish_cell (const KvsqlAssembler *self, const Column *column, KvsqlDecoder *decoder)
{
  return column->layout->derived == NULL
         || kvsql_derived_finish (column->layout->derived, self->schema->relation, decoder);
}

/* FALSE if the cell's timestamp is out of range for a TIMESTAMP. */
static gboolean
store_timestamp (const KvsqlAssembler *self, const KvsqlCell *cell)
{
  gint attribute = self->schema->timestamp_attribute;
  KvsqlVector *column;

  if (attribute < 0)
    return TRUE;
  column = &self->batch->columns[attribute];
  if (column->type != KVSQL_TYPE_NULL)
    column->integers[self->batch->n_rows] = cell->timestamp;
  return kvsql_integer_fits (KVSQL_TYPE_TIMESTAMP, cell->timestamp);
}

static void
add_tuple (KvsqlAssembler *self, KvsqlTimes times)
{
  self->times_of[self->batch->n_rows] = times;
  self->row_of[self->batch->n_rows] = self->row;
  self->ordinal_of[self->batch->n_rows] = self->ordinal++;
  self->batch->n_rows++;
}

static void
next_row (KvsqlAssembler *self)
{
  self->row++;
  self->cell = 0;
  self->ordinal = 0;
}

static inline KvsqlSlice
with_address (KvsqlSlice bytes)
{
  return bytes.size > 0 ? bytes : kvsql_slice ("", 0);
}

/* The next rows of one cell each, all of the one column, as many as the batch has room for. */
static guint
collect_block (const KvsqlAssembler *self, KvsqlSlice *keys, KvsqlSlice *values)
{
  const KvsqlRow *rows = self->rows->rows + self->row;
  guint n = MIN (self->rows->n_rows - self->row, self->batch->capacity - self->batch->n_rows);
  const KvsqlCell *first = &self->rows->cells[rows->first_cell];

  n = MIN (n, BLOCK_ROWS);
  if (self->cell > 0 || n == 0 || rows->n_cells == 0
      || !decode_column (&self->columns[0], first, NULL))
    return 0;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlCell *cell = &self->rows->cells[rows[i].first_cell];

      if (rows[i].n_cells != 1
          || !((is_same_name (cell->qualifier, first->qualifier)
                && is_same_name (cell->family, first->family))
               || decode_column (&self->columns[0], cell, NULL)))
        return i;
      keys[i] = with_address (rows[i].key);
      values[i] = with_address (cell->value);
    }
  return n;
}

static void
add_block (KvsqlAssembler *self, guint n)
{
  const KvsqlRow *rows = self->rows->rows + self->row;
  guint at = self->batch->n_rows;

  g_assert (n <= self->batch->capacity - at && n <= self->rows->n_rows - self->row);
  for (guint i = 0; i < n; i++)
    {
      gint64 timestamp = self->rows->cells[rows[i].first_cell].timestamp;

      self->times_of[at + i] = (KvsqlTimes){ timestamp, timestamp };
      self->row_of[at + i] = self->row + i;
      self->ordinal_of[at + i] = 0;
    }
  self->batch->n_rows += n;
  self->n_cells += n;
  self->row += n;
}

/* Returns the number of rows that have to be read one by one, because not all of them are
 * tuples. */
static guint
run_block (KvsqlAssembler *self)
{
  const KvsqlCellLayout *layout = self->columns[0].layout;
  KvsqlDecoder decoder = { .batch = self->batch, .row = self->batch->n_rows };
  KvsqlSlice keys[BLOCK_ROWS], values[BLOCK_ROWS];
  guint n = collect_block (self, keys, values);

  if (n == 0)
    return 1;
  if (!kvsql_decode_plan_run_many (layout->fields[KVSQL_FIELD_ROW]->plan, keys, n, &decoder)
      || !kvsql_decode_plan_run_many (layout->fields[KVSQL_FIELD_VALUE]->plan, values, n, &decoder))
    return n;
  add_block (self, n);
  return 0;
}

static gboolean
run_by_cell (KvsqlAssembler *self, GError **error)
{
  const Column *column = &self->columns[0];
  KvsqlDecoder decoder = { .batch = self->batch, .arena = self->arena, .slots = self->slots };
  guint one_by_one = 0;

  while (self->row < self->rows->n_rows)
    {
      const KvsqlRow *row = &self->rows->rows[self->row];

      if (self->is_columnar && one_by_one == 0)
        {
          one_by_one = run_block (self);
          continue;
        }
      for (; self->cell < row->n_cells; self->cell++)
        {
          const KvsqlCell *cell = &self->rows->cells[row->first_cell + self->cell];
          if (self->batch->n_rows == self->batch->capacity)
            return TRUE;
          self->n_cells++;
          decoder.row = self->batch->n_rows;
          if (decode_column (column, cell, &decoder)
              && decode_row_key (self, column, row->key, &decoder)
              && kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_VALUE], cell->value,
                                        &decoder)
              && finish_cell (self, column, &decoder) && store_timestamp (self, cell))
            add_tuple (self, (KvsqlTimes){ cell->timestamp, cell->timestamp });
          else if (!kvsql_undecodable_cells_add (self->undecodable, self->table, row->key, cell,
                                                 error))
            return FALSE;
        }
      next_row (self);
      one_by_one -= self->is_columnar;
    }
  return TRUE;
}

/* The column of a cell, if there is one. Tries the column after the last one first. */
static const Column *
find_column (KvsqlAssembler *self, const KvsqlCell *cell, KvsqlDecoder *decoder)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      guint at = self->next_column + i < self->n_columns ? self->next_column + i
                                                         : self->next_column + i - self->n_columns;
      if (decode_column (&self->columns[at], cell, decoder))
        {
          self->next_column = at + 1 < self->n_columns ? at + 1 : 0;
          return &self->columns[at];
        }
    }
  return NULL;
}

/* No cell of the row can be decoded. */
static gboolean
add_undecodable_row (KvsqlAssembler *self, const KvsqlRow *row, GError **error)
{
  for (guint c = 0; c < row->n_cells; c++)
    if (!kvsql_undecodable_cells_add (self->undecodable, self->table, row->key,
                                      &self->rows->cells[row->first_cell + c], error))
      return FALSE;
  return TRUE;
}

/* The tuple in the next row of the batch has no such cell. */
static inline void
set_absent (KvsqlAssembler *self, const Column *column)
{
  for (guint i = 0; i < column->n_attributes; i++)
    {
      KvsqlVector *vector = &self->batch->columns[self->attributes[column->first_attribute + i]];

      if (vector->type != KVSQL_TYPE_NULL)
        kvsql_vector_set_null (vector, self->batch->n_rows);
    }
}

static gboolean
run_by_row (KvsqlAssembler *self, GError **error)
{
  KvsqlDecoder decoder = { .batch = self->batch, .arena = self->arena, .slots = self->slots };

  for (; self->row < self->rows->n_rows; next_row (self))
    {
      const KvsqlRow *row = &self->rows->rows[self->row];
      KvsqlAttributeSet seen = { 0 }; /* columns, of which there are not more than attributes */
      gboolean has_cell = FALSE;
      KvsqlTimes times = KVSQL_NO_TIMES;

      if (self->batch->n_rows == self->batch->capacity)
        return TRUE;
      self->n_cells += row->n_cells;
      decoder.row = self->batch->n_rows;
      if (!decode_row_key (self, &self->columns[0], row->key, &decoder)
          || !finish_cell (self, &self->columns[0], &decoder))
        {
          if (!add_undecodable_row (self, row, error))
            return FALSE;
          continue;
        }
      self->next_column = 0;
      for (guint c = 0; c < row->n_cells; c++)
        {
          const KvsqlCell *cell = &self->rows->cells[row->first_cell + c];
          const Column *column = find_column (self, cell, &decoder);
          if (column == NULL
              || !kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_VALUE], cell->value,
                                         &decoder))
            {
              if (!kvsql_undecodable_cells_add (self->undecodable, self->table, row->key, cell,
                                                error))
                return FALSE;
              continue;
            }
          has_cell = TRUE;
          kvsql_times_add (&times, cell->timestamp);
          kvsql_attribute_set_add (&seen, (guint)(column - self->columns));
        }
      if (!has_cell)
        continue;
      for (guint c = 0; c < self->n_columns; c++)
        if (!kvsql_attribute_set_has (&seen, c))
          set_absent (self, &self->columns[c]);
      add_tuple (self, times);
    }
  return TRUE;
}

/* ---- gathering */

/* @index: of the column, that of a map */
static gboolean
gather_entry (KvsqlAssembler *self, guint index, const KvsqlValue *tuple, GError **error)
{
  const KvsqlCellLayout *layout = self->columns[index].layout;
  const KvsqlVector *columns = &self->scratch->columns[layout->first_column];
  KvsqlValue value = kvsql_vector_get (&columns[KVSQL_MAP_VALUE], 0);
  KvsqlSlice key = columns[KVSQL_MAP_KEY].slices[0];

  if (layout->is_others)
    key = kvsql_others_key_print (columns[KVSQL_MAP_FAMILY].slices[0], key, self->arena);
  return kvsql_map_gather_add (self->entries[index], tuple, key, &value, error);
}

static gboolean
has_column (const KvsqlAssembler *self, const Column *column, const KvsqlCell *cell,
            KvsqlDecoder *decoder)
{
  if (column->has_constant_column)
    return decode_column (column, cell, decoder);
  return kvsql_cell_decode_column (column->layout, cell->family, cell->qualifier, decoder)
         && (!column->layout->is_others
             || !kvsql_cell_layouts_have_name (self->schema->cells, self->schema->n_cells,
                                               cell->family, cell->qualifier, decoder));
}

/* Adds a cell to the tuple that it is of. */
static gboolean
add_to_tuple (KvsqlAssembler *self, guint index, const KvsqlCell *cell, GError **error)
{
  const Column *column = &self->columns[index];
  guint n_attributes = self->schema->relation->n_attributes;
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES];
  KvsqlValue *tuple;

  g_assert (n_attributes > 0); /* a relation has a KEY */
  for (guint a = 0; a < n_attributes; a++)
    values[a] = kvsql_attribute_set_has (&column->layout->attributes, a)
                        && (gint)a != column->layout->map_attribute
                    ? kvsql_vector_get (&self->scratch->columns[a], 0)
                    : KVSQL_VALUE_NULL;
  tuple = kvsql_tuple_map_obtain (self->map, values, error);
  if (tuple == NULL)
    return FALSE;
  kvsql_tuple_map_add_time (self->map, tuple, cell->timestamp);
  for (guint a = 0; a < n_attributes; a++)
    if (!kvsql_value_is_null (&values[a]) && !self->schema->relation->attributes[a].is_key)
      kvsql_tuple_map_set (self->map, tuple, a, &values[a]);
  return self->entries[index] == NULL || gather_entry (self, index, tuple, error);
}

static gboolean
gather_cell (KvsqlAssembler *self, const KvsqlRow *row, const KvsqlCell *cell, GError **error)
{
  KvsqlDecoder decoder = { .batch = self->scratch, .arena = self->arena, .slots = self->slots };

  self->n_cells++;
  for (guint i = 0; i < self->n_columns; i++)
    {
      const Column *column = &self->columns[i];

      if (has_column (self, column, cell, &decoder)
          && decode_row_key (self, column, row->key, &decoder)
          && (self->table_has_attributes
              || kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_TABLE], self->table,
                                        &decoder))
          && kvsql_sequence_decode (column->layout->fields[KVSQL_FIELD_VALUE], cell->value,
                                    &decoder)
          && finish_cell (self, column, &decoder))
        return add_to_tuple (self, i, cell, error);
    }
  return kvsql_undecodable_cells_add (self->undecodable, self->table, row->key, cell, error);
}

gboolean
kvsql_assembler_flush (KvsqlAssembler *self)
{
  guint n = self->map == NULL ? 0 : kvsql_tuple_map_get_size (self->map);

  for (; self->flushed < n && self->batch->n_rows < self->batch->capacity; self->flushed++)
    {
      KvsqlValue *tuple = kvsql_tuple_map_get (self->map, self->flushed);

      for (guint c = 0; c < self->n_columns; c++)
        if (self->entries[c] != NULL)
          kvsql_map_gather_get (self->entries[c], tuple, self->arena,
                                &tuple[self->columns[c].layout->map_attribute]);
      for (guint a = 0; a < self->batch->n_columns; a++)
        if (self->batch->columns[a].type != KVSQL_TYPE_NULL)
          kvsql_vector_set (&self->batch->columns[a], self->batch->n_rows, &tuple[a]);
      add_tuple (self, kvsql_tuple_map_get_times (self->map, tuple));
    }
  return self->flushed < n;
}

static gboolean
gather_row (KvsqlAssembler *self, GError **error)
{
  const KvsqlRow *row = &self->rows->rows[self->row];

  for (guint c = 0; c < row->n_cells; c++)
    if (!gather_cell (self, row, &self->rows->cells[row->first_cell + c], error))
      return FALSE;
  return TRUE;
}

static gboolean
run_gathered (KvsqlAssembler *self, GError **error)
{
  while (self->row < self->rows->n_rows)
    {
      if (!self->is_row_gathered && !gather_row (self, error))
        return FALSE;
      self->is_row_gathered = TRUE;
      /* tuples that never leave their row are complete now */
      if (self->schema->is_row_local && kvsql_assembler_flush (self))
        return TRUE;
      self->is_row_gathered = FALSE;
      if (!self->schema->is_row_local)
        kvsql_arena_reset (self->arena);
      next_row (self);
    }
  return TRUE;
}

/* ---- several tuples in a cell */

/* Decodes the next cell of the row; all of them if QUALIFIER repeats, since they may hold the same
 * tuples. */
static gboolean
decode_each (KvsqlAssembler *self, const KvsqlRow *row, guint *out_n, GError **error)
{
  const KvsqlCell *cells = &self->rows->cells[row->first_cell + self->cell];
  guint n_cells = self->schema->cells[0].each->qualifier != NULL ? row->n_cells : 1;

  self->n_cells += n_cells;
  self->cell += n_cells;
  return kvsql_each_cells_decode (self->each, self->table, row->key, cells, n_cells, self->batch,
                                  out_n, error);
}

static gboolean
run_each (KvsqlAssembler *self, GError **error)
{
  while (self->row < self->rows->n_rows)
    {
      const KvsqlRow *row = &self->rows->rows[self->row];
      guint n;

      if (self->batch->n_rows == self->batch->capacity)
        return TRUE;
      if (kvsql_each_cells_has_kept (self->each))
        n = kvsql_each_cells_move (self->each, self->batch);
      else if (self->cell == row->n_cells)
        {
          next_row (self);
          continue;
        }
      else if (!decode_each (self, row, &n, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          gint64 time = kvsql_each_cells_get_time (self->each, i);

          add_tuple (self, (KvsqlTimes){ time, time });
        }
    }
  return TRUE;
}

gboolean
kvsql_assembler_run (KvsqlAssembler *self, gboolean *out_rows_done, GError **error)
{
  switch (self->mode)
    {
    case BY_CELL:
      if (!run_by_cell (self, error))
        return FALSE;
      break;
    case BY_ROW:
      if (!run_by_row (self, error))
        return FALSE;
      break;
    case GATHERED:
      if (!run_gathered (self, error))
        return FALSE;
      break;
    case EACH:
      if (!run_each (self, error))
        return FALSE;
      break;
    }
  g_assert (self->row <= self->rows->n_rows && self->batch->n_rows <= self->batch->capacity);
  /* the batch is full, or this would be called with it again and again */
  g_assert (self->row == self->rows->n_rows || self->batch->n_rows == self->batch->capacity);
  *out_rows_done = self->row == self->rows->n_rows;
  return TRUE;
}

void
kvsql_assembler_drop (KvsqlAssembler *self, guint n)
{
  g_assert (n <= self->batch->n_rows); /* before the batch is compacted */
  memmove (self->row_of, self->row_of + n, (self->batch->n_rows - n) * sizeof *self->row_of);
  memmove (self->ordinal_of, self->ordinal_of + n,
           (self->batch->n_rows - n) * sizeof *self->ordinal_of);
  memmove (self->times_of, self->times_of + n, (self->batch->n_rows - n) * sizeof *self->times_of);
}

gint64
kvsql_assembler_get_oldest (const KvsqlAssembler *self, guint tuple)
{
  return self->times_of[tuple].oldest;
}

gboolean
kvsql_assembler_get_origin (const KvsqlAssembler *self, guint tuple, KvsqlSlice *out_row,
                            guint32 *out_ordinal)
{
  if (self->mode == GATHERED && !self->schema->is_row_local)
    return FALSE;
  *out_row = self->rows->rows[self->row_of[tuple]].key;
  *out_ordinal = self->ordinal_of[tuple];
  return TRUE;
}

gint64
kvsql_assembler_get_newest (const KvsqlAssembler *self, guint tuple)
{
  return self->times_of[tuple].newest;
}
