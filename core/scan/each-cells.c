/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each-cells.c: the tuples of some cells, in the batch or kept, and those with the same key.
 */
#include "config.h"

#include "core/scan/each-cells.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/layout/each.h"
#include "core/layout/sequence.h"
#include "core/scan/undecodable-cells.h"

#define FIRST_KEPT 64
/* The deadline is looked at once for this number of tuples. */
#define TUPLES_PER_POLL 16

struct _KvsqlEachCells
{
  const KvsqlSchema *schema;
  const KvsqlCellLayout *layout;
  KvsqlUndecodableCells *undecodable;
  gsize max_bytes;
  KvsqlArena *arena; /* of decoded values */
  KvsqlSlot slots[KVSQL_MAX_SLOTS];

  KvsqlBatch *common;                  /* one row: what all tuples of a cell have */
  guint outside[KVSQL_MAX_ATTRIBUTES]; /* the attributes in @common */
  guint n_outside;
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES]; /* of @outside, in its order */
  guint keys[KVSQL_MAX_ATTRIBUTES];        /* KEY attributes of elements */
  guint n_keys;

  /* the tuples of the current cells: those after the first @room are in @kept */
  KvsqlBatch *out;
  guint room;
  guint n;
  KvsqlBatch *kept;
  guint moved;       /* of @kept */
  guint first_given; /* the tuple that decode() or move() gave first */
  gint64 *times;     /* by tuple */
  guint32 *order;    /* tuples by key */
  guint8 *is_lost;   /* by tuple: another one with its key counts */
  guint capacity;    /* of these arrays */
};

/* ---- making */

static void
find_outside (KvsqlEachCells *self, const KvsqlType *types)
{
  const KvsqlCellLayout *layout = self->layout;
  const KvsqlEach *each = layout->each;
  KvsqlAttributeSet held = { 0 };

  kvsql_cell_collect_held (
      layout, each->qualifier != NULL ? KVSQL_FIELD_QUALIFIER : KVSQL_FIELD_VALUE, &held);
  for (; each != NULL; each = each->qualifier)
    {
      kvsql_derived_collect_held (NULL, &each->before, 1, &held);
      kvsql_derived_collect_held (NULL, &each->after, 1, &held);
    }
  if (self->schema->timestamp_attribute >= 0)
    kvsql_attribute_set_add (&held, (guint)self->schema->timestamp_attribute);
  for (gint a = -1; (a = kvsql_attribute_set_next (&held, a)) >= 0;)
    if (types[a] != KVSQL_TYPE_NULL)
      self->outside[self->n_outside++] = (guint)a;
}

KvsqlEachCells *
kvsql_each_cells_new (const KvsqlSchema *schema, const KvsqlType *types,
                      KvsqlUndecodableCells *undecodable, gsize max_bytes)
{
  KvsqlEachCells *self = kvsql_new0 (KvsqlEachCells);
  const KvsqlRelation *relation = schema->relation;

  self->schema = schema;
  self->layout = &schema->cells[0];
  g_assert (self->layout->each != NULL && schema->n_cells == 1);
  self->undecodable = undecodable;
  self->max_bytes = max_bytes;
  self->arena = kvsql_arena_new ();
  find_outside (self, types);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key
        && kvsql_attribute_set_has (&self->layout->each->attributes, a))
      {
        g_assert (types[a] != KVSQL_TYPE_NULL);
        self->keys[self->n_keys++] = a;
      }
  self->common = kvsql_batch_new (types, relation->n_attributes, 1);
  self->kept = kvsql_batch_new (types, relation->n_attributes, FIRST_KEPT);
  return self;
}

void
kvsql_each_cells_free (KvsqlEachCells *self)
{
  if (self == NULL)
    return;
  kvsql_arena_free (self->arena);
  kvsql_batch_free (self->common);
  kvsql_batch_free (self->kept);
  g_free (self->times);
  g_free (self->order);
  g_free (self->is_lost);
  g_free (self);
}

gboolean
kvsql_each_cells_has_kept (const KvsqlEachCells *self)
{
  return self->moved < self->kept->n_rows;
}

void
kvsql_each_cells_reset (KvsqlEachCells *self)
{
  if (!kvsql_each_cells_has_kept (self))
    kvsql_arena_reset (self->arena);
}

gint64
kvsql_each_cells_get_time (const KvsqlEachCells *self, guint tuple)
{
  return self->times[self->first_given + tuple];
}

/* ---- tuples of the current cells */

static KvsqlBatch *
locate (const KvsqlEachCells *self, guint tuple, guint *out_row)
{
  *out_row = tuple < self->room ? self->out->n_rows + tuple : tuple - self->room;
  return tuple < self->room ? self->out : self->kept;
}

static gint
compare_keys (const KvsqlEachCells *self, guint a, guint b)
{
  guint row_a, row_b;
  const KvsqlBatch *batch_a = locate (self, a, &row_a), *batch_b = locate (self, b, &row_b);
  gint order = 0;

  for (guint i = 0; i < self->n_keys && order == 0; i++)
    {
      KvsqlValue x = kvsql_vector_get (&batch_a->columns[self->keys[i]], row_a);
      KvsqlValue y = kvsql_vector_get (&batch_b->columns[self->keys[i]], row_b);

      order = kvsql_value_compare (&x, &y);
    }
  return order;
}

/* By key; among equal keys, the tuple that counts is the last one. */
static gint
compare_tuples (const KvsqlEachCells *self, guint a, guint b)
{
  gint order = compare_keys (self, a, b);

  if (order == 0)
    order = (self->times[a] > self->times[b]) - (self->times[a] < self->times[b]);
  return order != 0 ? order : (a > b) - (a < b);
}

static gboolean
is_sorted (const KvsqlEachCells *self, guint first)
{
  gboolean is_ascending = TRUE, is_descending = TRUE;

  for (guint i = first + 1; i < self->n && (is_ascending || is_descending); i++)
    {
      gint order = compare_keys (self, i - 1, i);

      is_ascending = is_ascending && order < 0;
      is_descending = is_descending && order > 0;
    }
  return is_ascending || is_descending;
}

/* Heapsort: in place, and never slow. */
static void
sift_down (const KvsqlEachCells *self, guint at, guint n)
{
  guint32 moved = self->order[at];

  for (guint child = 2 * at + 1; child < n; child = 2 * at + 1)
    {
      if (child + 1 < n && compare_tuples (self, self->order[child], self->order[child + 1]) < 0)
        child++;
      if (compare_tuples (self, moved, self->order[child]) >= 0)
        break;
      self->order[at] = self->order[child];
      at = child;
    }
  self->order[at] = moved;
}

/* The tuples from @first on. */
static gboolean
sort (KvsqlEachCells *self, guint first, GError **error)
{
  guint n = self->n - first;

  for (guint i = 0; i < n; i++)
    self->order[i] = first + i;
  for (guint i = n / 2; i-- > 0;)
    sift_down (self, i, n);
  for (; n > 1; n--)
    {
      guint32 greatest = self->order[0];

      if (n % TUPLES_PER_POLL == 0 && !kvsql_interrupt_poll (error))
        return FALSE;
      self->order[0] = self->order[n - 1];
      self->order[n - 1] = greatest;
      sift_down (self, 0, n - 1);
    }
  return TRUE;
}

/* Whether two tuples from @first on have the same key. Most lists are sorted. */
static gboolean
find_duplicate (KvsqlEachCells *self, guint first, gboolean *out_found, GError **error)
{
  *out_found = FALSE;
  if (is_sorted (self, first))
    return TRUE;
  if (!sort (self, first, error))
    return FALSE;
  for (guint i = 1; i < self->n - first && !*out_found; i++)
    *out_found = compare_keys (self, self->order[i - 1], self->order[i]) == 0;
  return TRUE;
}

/* Rows that are not used may have NULLs of an element that could not be decoded. */
static void
clear_nulls (KvsqlBatch *batch, guint first)
{
  for (guint c = 0; c < batch->n_columns; c++)
    for (guint i = first; i < batch->capacity && batch->columns[c].has_nulls; i++)
      kvsql_vector_clear_null (&batch->columns[c], i);
}

/* Removes the tuples from @n on. */
static void
cut_back (KvsqlEachCells *self, guint n)
{
  self->n = n;
  clear_nulls (self->kept, n > self->room ? n - self->room : 0);
  if (n < self->room)
    clear_nulls (self->out, self->out->n_rows + n);
}

/* ---- one cell */

static gboolean
decode_common (KvsqlEachCells *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell,
               KvsqlEachWalk *out)
{
  KvsqlSequence *const *fields = self->layout->fields;
  KvsqlDecoder decoder = { .batch = self->common, .arena = self->arena, .slots = self->slots };
  gint timestamp = self->schema->timestamp_attribute;

  kvsql_batch_reset (self->common);
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_FAMILY], cell->family, &decoder)
      || !kvsql_sequence_decode (fields[KVSQL_FIELD_ROW], row, &decoder)
      || !kvsql_sequence_decode (fields[KVSQL_FIELD_TABLE], table, &decoder)
      || !kvsql_each_begin (self->layout->each, fields, cell->qualifier, cell->value, &decoder,
                            out))
    return FALSE;
  if (timestamp >= 0 && !kvsql_integer_fits (KVSQL_TYPE_TIMESTAMP, cell->timestamp))
    return FALSE;
  if (timestamp >= 0 && self->common->columns[timestamp].type != KVSQL_TYPE_NULL)
    self->common->columns[timestamp].integers[0] = cell->timestamp;
  for (guint i = 0; i < self->n_outside; i++)
    self->values[i] = kvsql_vector_get (&self->common->columns[self->outside[i]], 0);
  return TRUE;
}

static gboolean
grow_kept (KvsqlEachCells *self, GError **error)
{
  if (self->max_bytes > 0 && 2 * self->kept->block_size > self->max_bytes)
    return kvsql_error_set (
        error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
        "the tuples of one cell of schema \"%s\" need more than %" G_GSIZE_FORMAT " MiB",
        self->schema->name, self->max_bytes >> 20);
  kvsql_batch_reserve (self->kept, 2 * self->kept->capacity);
  return TRUE;
}

/* Room for one more tuple. */
static gboolean
reserve (KvsqlEachCells *self, GError **error)
{
  if (self->n == self->capacity)
    {
      self->capacity = MAX (2 * self->capacity, FIRST_KEPT);
      self->times = g_renew (gint64, self->times, self->capacity);
      self->order = g_renew (guint32, self->order, self->capacity);
      self->is_lost = g_renew (guint8, self->is_lost, self->capacity);
    }
  if (self->n < self->room)
    return TRUE;
  self->kept->n_rows = self->n - self->room; /* they are kept when it grows */
  return self->kept->n_rows < self->kept->capacity || grow_kept (self, error);
}

static KvsqlEachStep
decode_element (KvsqlEachCells *self, KvsqlEachWalk *walk)
{
  KvsqlDecoder decoder = { .arena = self->arena, .slots = self->slots };
  KvsqlEachStep step;

  decoder.batch = locate (self, self->n, &decoder.row);
  for (guint i = 0; i < self->n_outside; i++)
    kvsql_vector_set (&decoder.batch->columns[self->outside[i]], decoder.row, &self->values[i]);
  step = kvsql_each_next (walk, &decoder);
  if (step == KVSQL_EACH_ELEMENT && self->layout->derived != NULL
      && !kvsql_derived_finish (self->layout->derived, self->schema->relation, &decoder))
    return KVSQL_EACH_DAMAGED;
  return step;
}

/* Adds the tuples of a cell. *@out_fits: it could be decoded; else tuples may have been added. */
static gboolean
add_cell (KvsqlEachCells *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell,
          gboolean *out_fits, GError **error)
{
  guint first = self->n;
  KvsqlEachWalk walk;
  KvsqlEachStep step = KVSQL_EACH_DAMAGED;
  gboolean has_duplicate;

  *out_fits = FALSE;
  if (!decode_common (self, table, row, cell, &walk))
    return TRUE;
  for (;; self->n++)
    {
      if (!reserve (self, error)
          || (self->n % TUPLES_PER_POLL == 0 && !kvsql_interrupt_poll (error)))
        return FALSE;
      step = decode_element (self, &walk);
      if (step != KVSQL_EACH_ELEMENT)
        break;
      self->times[self->n] = cell->timestamp;
    }
  if (step == KVSQL_EACH_DAMAGED)
    return TRUE;
  if (!find_duplicate (self, first, &has_duplicate, error))
    return FALSE;
  *out_fits = !has_duplicate;
  return TRUE;
}

/* ---- the same tuple in several cells */

static void
move_tuple (KvsqlEachCells *self, guint from, guint to)
{
  guint from_row, to_row;
  const KvsqlBatch *source = locate (self, from, &from_row);
  KvsqlBatch *target = locate (self, to, &to_row);

  for (guint c = 0; c < target->n_columns; c++)
    {
      KvsqlVector *column = &target->columns[c];
      KvsqlValue value;

      if (column->type == KVSQL_TYPE_NULL)
        continue;
      value = kvsql_vector_get (&source->columns[c], from_row);
      if (column->has_nulls)
        kvsql_vector_clear_null (column, to_row);
      kvsql_vector_set (column, to_row, &value);
    }
  self->times[to] = self->times[from];
}

/* Removes tuples of which another cell has one that counts. */
static gboolean
remove_duplicates (KvsqlEachCells *self, GError **error)
{
  guint n = 0;

  if (is_sorted (self, 0))
    return TRUE;
  if (!sort (self, 0, error))
    return FALSE;
  memset (self->is_lost, 0, self->n);
  for (guint i = 1; i < self->n; i++)
    self->is_lost[self->order[i - 1]]
        = compare_keys (self, self->order[i - 1], self->order[i]) == 0;
  for (guint i = 0; i < self->n; i++)
    {
      if (self->is_lost[i])
        continue;
      if (i != n)
        move_tuple (self, i, n);
      n++;
    }
  cut_back (self, n);
  return TRUE;
}

/* ---- all cells of a row */

static gboolean
add_cells (KvsqlEachCells *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cells,
           guint n_cells, GError **error)
{
  guint n_fitting = 0;

  for (guint c = 0; c < n_cells; c++)
    {
      guint first = self->n;
      gboolean fits;

      if (!add_cell (self, table, row, &cells[c], &fits, error))
        return FALSE;
      n_fitting += fits != FALSE;
      if (fits)
        continue;
      cut_back (self, first);
      if (!kvsql_undecodable_cells_add (self->undecodable, table, row, &cells[c], error))
        return FALSE;
    }
  return n_fitting < 2 || self->layout->each->qualifier == NULL || remove_duplicates (self, error);
}

gboolean
kvsql_each_cells_decode (KvsqlEachCells *self, KvsqlSlice table, KvsqlSlice row,
                         const KvsqlCell *cells, guint n_cells, KvsqlBatch *out, guint *out_n,
                         GError **error)
{
  gboolean ok;

  g_assert (!kvsql_each_cells_has_kept (self));
  kvsql_batch_reset (self->kept);
  self->moved = self->n = self->first_given = 0;
  self->out = out;
  self->room = out->capacity - out->n_rows;
  ok = add_cells (self, table, row, cells, n_cells, error);
  if (!ok)
    cut_back (self, 0);
  *out_n = MIN (self->n, self->room);
  self->kept->n_rows = self->n - *out_n;
  return ok;
}

guint
kvsql_each_cells_move (KvsqlEachCells *self, KvsqlBatch *out)
{
  guint n = MIN (self->kept->n_rows - self->moved, out->capacity - out->n_rows);

  for (guint c = 0; c < out->n_columns; c++)
    for (guint i = 0; i < n && out->columns[c].type != KVSQL_TYPE_NULL; i++)
      {
        KvsqlValue value = kvsql_vector_get (&self->kept->columns[c], self->moved + i);

        kvsql_vector_set (&out->columns[c], out->n_rows + i, &value);
      }
  self->first_given = self->room + self->moved;
  self->moved += n;
  return n;
}
