/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-operators.c: what all operators share (slices, skipping, positions, counts), with a source
 * of numbers.
 */
#include "config.h"

#include "core/exec/limit.h"
#include "core/exec/sort.h"
#include "tests/harness/assert.h"

/* Gives 0, 1, … n - 1. The position after a number is one in a row of that number. */
typedef struct
{
  KvsqlRowSource base;
  guint n;
  guint next;
  guint batch_rows;
  guint n_polls_without_rows; /* before each batch */
  guint n_idle;
  KvsqlBatch *batch;
} Numbers;

static gboolean
numbers_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
              KvsqlRowSlice *out, GError **error)
{
  Numbers *self = (Numbers *)source;

  kvsql_batch_reset (self->batch);
  if (self->n_idle++ < self->n_polls_without_rows)
    {
      out->batch = self->batch;
      return TRUE;
    }
  self->n_idle = 0;
  for (; self->batch->n_rows < self->batch_rows && self->next < self->n; self->next++)
    {
      const KvsqlValue value = { .type = KVSQL_TYPE_BIGINT, .integer = self->next };
      kvsql_vector_set (&self->batch->columns[0], self->batch->n_rows++, &value);
    }
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static gboolean
numbers_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  const Numbers *self = (const Numbers *)source;

  for (guint i = 0; i < n; i++)
    out[i] = (KvsqlScanPosition){ .has_row = TRUE,
                                  .n_done_in_row = self->next - self->batch->n_rows + first + i };
  return TRUE;
}

static void
numbers_add_counts (const KvsqlRowSource *source, KvsqlAssemblerCounts *inout)
{
  const KvsqlAssemblerCounts counts = { .cells = ((const Numbers *)source)->next };

  kvsql_assembler_counts_add (inout, &counts);
}

static void
numbers_free (KvsqlRowSource *source)
{
  kvsql_batch_free (((Numbers *)source)->batch);
  g_free (source);
}

static const KvsqlRowSourceClass numbers_class = { .next = numbers_next,
                                                   .free = numbers_free,
                                                   .get_positions = numbers_get_positions,
                                                   .add_counts = numbers_add_counts };

static KvsqlRowSource *
numbers_new (guint n, guint batch_rows, guint n_polls_without_rows)
{
  const KvsqlType type = KVSQL_TYPE_BIGINT;
  Numbers *self = g_new0 (Numbers, 1);

  self->base.klass = &numbers_class;
  self->n = n;
  self->batch_rows = batch_rows;
  self->n_polls_without_rows = n_polls_without_rows;
  self->batch = kvsql_batch_new (&type, 1, batch_rows);
  return &self->base;
}

/* The next rows have to be @n numbers from @first on, and their positions. */
static void
expect_next (KvsqlRowSource *source, guint max_rows, guint first, guint n)
{
  KvsqlRowDemand demand = kvsql_row_demand_all;
  g_autoptr (GError) error = NULL;
  KvsqlScanPosition position;
  KvsqlRowSlice slice;

  demand.max_rows = max_rows;
  assert_done (kvsql_row_source_next (source, &demand, NULL, &slice, &error), error);
  g_assert_cmpuint (slice.n, ==, n);
  g_assert_true (slice.is_end == (n == 0));
  for (guint i = 0; i < n; i++)
    {
      guint column = slice.columns == NULL ? 0 : slice.columns[0];
      KvsqlValue value = kvsql_vector_get (&slice.batch->columns[column], slice.rows[i]);

      g_assert_cmpint (value.integer, ==, first + i);
      g_assert_true (kvsql_row_source_get_positions (source, i, 1, &position));
      g_assert_cmpuint (position.n_done_in_row, ==, first + i);
    }
}

static void
test_slices (void)
{
  g_autoptr (KvsqlRowSource) source = numbers_new (10, 4, 2);
  g_autoptr (GError) error = NULL;
  KvsqlRowSlice slice;
  gboolean any;

  assert_done (kvsql_row_source_poll (source, &kvsql_row_demand_all, NULL, &slice, &error), error);
  g_assert_true (slice.n == 0 && !slice.is_end);
  expect_next (source, 3, 0, 3);
  g_assert_false (kvsql_row_source_is_drained (source));
  expect_next (source, 3, 3, 1);
  g_assert_true (kvsql_row_source_is_drained (source));
  assert_done (kvsql_row_source_peek (source, NULL, &any, &error), error);
  g_assert_true (any);
  expect_next (source, 1, 4, 1);
  expect_next (source, 100, 5, 3);
  expect_next (source, 100, 8, 2);
  assert_done (kvsql_row_source_peek (source, NULL, &any, &error), error);
  g_assert_false (any);
  expect_next (source, 100, 0, 0);
}

/* OFFSET crosses batches, LIMIT ends within one. */
static void
test_limit (void)
{
  static const guint columns[] = { 0 };
  KvsqlRowSource *numbers = numbers_new (100, 4, 1);
  g_autoptr (KvsqlRowSource) source = kvsql_limit_new (numbers, 7, 10, 2);

  kvsql_row_source_choose_columns (numbers, columns);
  expect_next (source, 3, 10, 2);
  expect_next (source, 2, 12, 2);
  g_assert_cmpuint (kvsql_limit_get_n_given (source), ==, 6);
  g_assert_cmpuint (kvsql_limit_get_n_skip (source), ==, 0);
  g_assert_false (kvsql_limit_is_reached (source));
  expect_next (source, 100, 14, 1);
  g_assert_true (kvsql_limit_is_reached (source));
  expect_next (source, 100, 0, 0);
}

static void
test_offset_beyond_end (void)
{
  g_autoptr (KvsqlRowSource) source = kvsql_limit_new (numbers_new (10, 4, 0), G_MAXUINT64, 11, 0);

  expect_next (source, 100, 0, 0);
  g_assert_cmpuint (kvsql_limit_get_n_skip (source), ==, 1);
}

/* A sort frees its input, and still knows what it has read. */
static void
test_counts_of_a_dropped_input (void)
{
  const KvsqlType type = KVSQL_TYPE_BIGINT;
  const KvsqlKeyPart part = { .column = 0, .is_descending = TRUE };
  const KvsqlSortLimits limits = { .memory_bytes = 1 << 20 };
  g_autoptr (KvsqlRowSource) source
      = kvsql_sort_new (numbers_new (10, 4, 1), &type, 1, &part, 1, G_MAXUINT64, &limits);
  KvsqlAssemblerCounts counts = { 0 };
  const KvsqlBatch *batch;
  KvsqlScanPosition position;
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_row_source_next_batch (source, NULL, &batch, &error), error);
  g_assert_cmpuint (batch->n_rows, ==, 10);
  g_assert_cmpint (batch->columns[0].integers[0], ==, 9);
  g_assert_null (source->input);
  g_assert_false (kvsql_row_source_get_positions (source, 0, 1, &position));
  kvsql_row_source_add_counts (source, &counts);
  g_assert_cmpuint (counts.cells, ==, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/operators/slices", test_slices);
  g_test_add_func ("/exec/operators/limit", test_limit);
  g_test_add_func ("/exec/operators/offset-beyond-end", test_offset_beyond_end);
  g_test_add_func ("/exec/operators/counts-of-a-dropped-input", test_counts_of_a_dropped_input);
  return g_test_run ();
}
