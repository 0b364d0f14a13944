/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-source.c: what all operators share: rows are given in slices of the size that is asked for.
 */
#include "config.h"

#include "core/exec/row-source.h"

/* Of one column of a part. */
#define PART_BYTES (1024 * 1024)

typedef struct _KvsqlDroppedInput KvsqlDroppedInput;
typedef struct _KvsqlRowParts KvsqlRowParts;

/* Rows that are given in parts. */
struct _KvsqlRowParts
{
  KvsqlRowSlice rest; /* the rows after the part */
  guint first;        /* the rows before it */
  KvsqlBatch view;    /* the part, in the batch of all rows */
};

/* The counts of inputs that were freed. */
struct _KvsqlDroppedInput
{
  KvsqlAssemblerCounts counts;
  GPtrArray *samples;
};

const KvsqlRowDemand kvsql_row_demand_all = { .max_rows = G_MAXUINT,
                                              .max_copied = G_MAXUINT,
                                              .max_in_total = G_MAXUINT64,
                                              .page_rows = G_MAXUINT,
                                              .page_bytes = G_MAXSIZE };

static void
dropped_free (KvsqlDroppedInput *self)
{
  g_ptr_array_unref (self->samples);
  g_free (self);
}

static void
parts_free (KvsqlRowParts *self)
{
  g_free (self->view.columns);
  g_free (self);
}

void
kvsql_row_source_free (KvsqlRowSource *self)
{
  if (self == NULL)
    return;
  /* first the input: threads that read for it may use what the operators above it own */
  kvsql_row_source_free (self->input);
  g_clear_pointer (&self->dropped, dropped_free);
  g_clear_pointer (&self->parts, parts_free);
  self->klass->free (self);
}

/* ---- parts of batches with large values */

static gpointer
data_from (const KvsqlVector *column, guint row)
{
  if (column->data == NULL)
    return NULL;
  switch (kvsql_type_get_class (column->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      return column->booleans + row;
    case KVSQL_CLASS_INTEGER:
      return column->integers + row;
    case KVSQL_CLASS_REAL:
      return column->reals + row;
    case KVSQL_CLASS_SLICE:
      return column->slices + row;
    default:
      return column->data;
    }
}

/* Nulls are bits, so a part of a batch with nulls has whole bytes of them. */
static guint
get_unit (const KvsqlBatch *batch)
{
  for (guint i = 0; i < batch->n_columns; i++)
    if (batch->columns[i].has_nulls)
      return 8;
  return 1;
}

static gboolean
has_rest (const KvsqlRowSource *self)
{
  return self->parts != NULL && self->parts->rest.n > 0;
}

/* The next part becomes what is left. */
static void
begin_part (KvsqlRowSource *self)
{
  KvsqlRowParts *parts = self->parts;
  const KvsqlBatch *batch = parts->rest.batch;
  guint first = batch->n_rows - parts->rest.n, unit = get_unit (batch);
  guint n = kvsql_row_slice_count_fitting (&parts->rest, batch->n_columns, PART_BYTES);

  n = MIN (MAX (n / unit, 1) * unit, parts->rest.n);
  parts->view.columns = g_renew (KvsqlVector, parts->view.columns, batch->n_columns);
  parts->view.n_columns = batch->n_columns;
  parts->view.n_rows = parts->view.capacity = n;
  for (guint i = 0; i < batch->n_columns; i++)
    {
      parts->view.columns[i] = batch->columns[i];
      parts->view.columns[i].data = data_from (&batch->columns[i], first);
      if (batch->columns[i].has_nulls)
        parts->view.columns[i].nulls += first / 8;
    }
  parts->first = first;
  parts->rest.n -= n;
  parts->rest.rows += n;
  self->left = parts->rest;
  self->left.batch = &parts->view;
  self->left.rows = kvsql_row_numbers ();
  self->left.n = n;
  self->left.is_end = self->left.is_end && parts->rest.n == 0;
  self->n_given = 0;
}

static void
split (KvsqlRowSource *self)
{
  const KvsqlBatch *batch = self->left.batch;

  if (self->parts != NULL)
    self->parts->first = 0;
  if (self->left.n < 2
      || kvsql_row_slice_count_fitting (&self->left, batch->n_columns, PART_BYTES) == self->left.n)
    return;
  g_assert (self->left.n == batch->n_rows && self->left.columns == NULL
            && self->left.rows == kvsql_row_numbers () && self->left.chunk == NULL);
  if (self->parts == NULL)
    self->parts = g_new0 (KvsqlRowParts, 1);
  self->parts->rest = self->left;
  begin_part (self);
}

/* ---- rows */

/* Gives @n of the rows that are left. */
static void
take (KvsqlRowSource *self, guint n, KvsqlRowSlice *out)
{
  g_assert (n <= self->left.n);
  *out = self->left;
  out->n = n;
  if (self->columns != NULL)
    out->columns = self->columns;
  self->n_before = self->n_given;
  self->n_given += n;
  self->left.n -= n;
  if (self->n_given_in_total != NULL)
    *self->n_given_in_total += n;
  if (n > 0)
    self->left.rows += n;
  if (self->n_before > 0 || self->left.n > 0)
    out->chunk = NULL;
}

static gboolean
fill (KvsqlRowSource *self, const KvsqlRowDemand *demand, const KvsqlCall *call, GError **error)
{
  if (self->left.n > 0 || self->left.is_end)
    return TRUE;
  if (has_rest (self))
    {
      begin_part (self);
      return TRUE;
    }
  self->left = (KvsqlRowSlice){ 0 };
  self->n_given = 0;
  if (!self->klass->next (self, demand, call, &self->left, error))
    return FALSE;
  g_assert (self->left.n == 0 || self->left.batch != NULL);
  if (self->klass->shares_values)
    split (self);
  return TRUE;
}

gboolean
kvsql_row_source_poll (KvsqlRowSource *self, const KvsqlRowDemand *demand, const KvsqlCall *call,
                       KvsqlRowSlice *out, GError **error)
{
  guint n;

  if (!fill (self, demand, call, error))
    return FALSE;
  n = MIN (self->left.n, demand->max_rows);
  if (self->left.chunk == NULL || self->n_given > 0 || n < self->left.n)
    n = MIN (n, demand->max_copied);
  take (self, n, out);
  return TRUE;
}

void
kvsql_row_source_keep (KvsqlRowSource *self, guint n, KvsqlRowSlice *inout)
{
  guint n_back = inout->n - n;

  g_assert (n <= inout->n && inout->n <= self->n_given);
  if (n_back == 0)
    return;
  self->left.rows = inout->rows + n;
  self->left.n += n_back;
  self->n_given -= n_back;
  if (self->n_given_in_total != NULL)
    *self->n_given_in_total -= n_back;
  inout->n = n;
  inout->chunk = NULL;
}

gboolean
kvsql_row_source_next (KvsqlRowSource *self, const KvsqlRowDemand *demand, const KvsqlCall *call,
                       KvsqlRowSlice *out, GError **error)
{
  do
    if (!kvsql_row_source_poll (self, demand, call, out, error))
      return FALSE;
  while (out->n == 0 && !out->is_end);
  return TRUE;
}

gboolean
kvsql_row_source_next_batch (KvsqlRowSource *self, const KvsqlCall *call,
                             const KvsqlBatch **out_batch, GError **error)
{
  KvsqlRowSlice slice;

  if (!kvsql_row_source_next (self, &kvsql_row_demand_all, call, &slice, error))
    return FALSE;
  g_assert (slice.n == slice.batch->n_rows && slice.columns == NULL);
  *out_batch = slice.batch;
  return TRUE;
}

gboolean
kvsql_row_source_skip_read (KvsqlRowSource *self, const KvsqlRowDemand *demand,
                            const KvsqlCall *call, KvsqlRowSlice *out, GError **error)
{
  if (!fill (self, demand, call, error))
    return FALSE;
  take (self, MIN (self->left.n, demand->max_rows), out);
  return TRUE;
}

gboolean
kvsql_row_source_skip (KvsqlRowSource *self, const KvsqlRowDemand *demand, const KvsqlCall *call,
                       KvsqlRowSlice *out, GError **error)
{
  if (self->left.n == 0 && !has_rest (self) && !self->left.is_end && self->klass->skip != NULL)
    {
      *out = (KvsqlRowSlice){ 0 };
      if (!self->klass->skip (self, demand, call, out, error))
        return FALSE;
      self->n_before = 0;
      if (self->parts != NULL)
        self->parts->first = 0;
      self->n_given = out->n;
      if (self->n_given_in_total != NULL)
        *self->n_given_in_total += out->n;
      return TRUE;
    }
  return kvsql_row_source_skip_read (self, demand, call, out, error);
}

gboolean
kvsql_row_source_peek (KvsqlRowSource *self, const KvsqlCall *call, gboolean *out_any,
                       GError **error)
{
  while (self->left.n == 0 && !self->left.is_end)
    if (!fill (self, &kvsql_row_demand_all, call, error))
      return FALSE;
  *out_any = self->left.n > 0;
  return TRUE;
}

gboolean
kvsql_row_source_get_positions (KvsqlRowSource *self, guint first, guint n, KvsqlScanPosition *out)
{
  if (self->parts != NULL)
    first += self->parts->first;
  return self->klass->get_positions != NULL
         && self->klass->get_positions (self, self->n_before + first, n, out);
}

void
kvsql_row_source_choose_columns (KvsqlRowSource *self, const guint *columns)
{
  self->columns = columns;
}

gboolean
kvsql_row_source_is_drained (const KvsqlRowSource *self)
{
  return self->left.n == 0 && !has_rest (self)
         && (self->input == NULL || kvsql_row_source_is_drained (self->input));
}

void
kvsql_row_source_reset (KvsqlRowSource *self)
{
  self->left = (KvsqlRowSlice){ 0 };
  self->n_before = self->n_given = 0;
  g_clear_pointer (&self->parts, parts_free);
}

/* ---- counts */

void
kvsql_row_source_add_counts (const KvsqlRowSource *self, KvsqlAssemblerCounts *inout)
{
  if (self->klass->add_counts != NULL)
    self->klass->add_counts (self, inout);
  if (self->dropped != NULL)
    kvsql_assembler_counts_add (inout, &self->dropped->counts);
  if (self->input != NULL)
    kvsql_row_source_add_counts (self->input, inout);
}

void
kvsql_row_source_drop_input (KvsqlRowSource *self)
{
  KvsqlDroppedInput *dropped = g_new0 (KvsqlDroppedInput, 1);
  KvsqlAssemblerCounts *counts = &dropped->counts;

  g_assert (self->dropped == NULL);
  kvsql_row_source_add_counts (self->input, counts);
  dropped->samples = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < counts->n_samples; i++)
    g_ptr_array_add (dropped->samples, g_strdup (counts->samples[i]));
  counts->samples = (const gchar *const *)dropped->samples->pdata;
  self->dropped = dropped;
  g_clear_pointer (&self->input, kvsql_row_source_free);
}

/* ---- slices */

const guint32 *
kvsql_row_numbers (void)
{
  static guint32 numbers[KVSQL_ROW_NUMBERS];
  static gsize is_filled;

  if (g_once_init_enter (&is_filled))
    {
      for (guint i = 0; i < KVSQL_ROW_NUMBERS; i++)
        numbers[i] = i;
      g_once_init_leave (&is_filled, TRUE);
    }
  return numbers;
}

/* Nearly always all do, and are consecutive. */
static gboolean
all_fit (const KvsqlVector *from, const guint32 *rows, guint n, gsize max_bytes)
{
  const KvsqlSlice *slices = from->slices + rows[0];
  gsize size = 0;

  if (from->has_nulls || rows[n - 1] - rows[0] != n - 1)
    return FALSE;
  for (guint i = 0; i < n; i++)
    size += slices[i].size;
  return size <= max_bytes;
}

/* The number of values, one at least, that have at most @max_bytes. */
static guint
count_fitting (const KvsqlVector *from, const guint32 *rows, guint n, gsize max_bytes)
{
  gsize size = 0;

  if (n < 2 || all_fit (from, rows, n, max_bytes))
    return n;
  for (guint i = 0; i < n; i++)
    {
      if (!from->has_nulls || !kvsql_vector_is_null (from, rows[i]))
        size += from->slices[rows[i]].size;
      if (size > max_bytes)
        return MAX (i, 1);
    }
  return n;
}

guint
kvsql_row_slice_count_fitting (const KvsqlRowSlice *self, guint n_columns, gsize max_bytes)
{
  guint n = self->n;

  for (guint i = 0; i < n_columns; i++)
    {
      guint column = self->columns == NULL ? i : self->columns[i];
      const KvsqlVector *from = &self->batch->columns[column];

      if (kvsql_type_get_class (from->type) == KVSQL_CLASS_SLICE && from->data != NULL)
        n = count_fitting (from, self->rows, n, max_bytes);
    }
  return n;
}

void
kvsql_row_slice_set_batch (KvsqlRowSlice *self, const KvsqlBatch *batch)
{
  g_assert (batch->n_rows <= KVSQL_ROW_NUMBERS);
  self->batch = batch;
  self->rows = kvsql_row_numbers ();
  self->n = batch->n_rows;
  self->is_end = batch->n_rows == 0;
}
