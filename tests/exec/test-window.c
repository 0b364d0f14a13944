/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-window.c: windows over many rows give what a simple computation gives, with memory for all
 * rows and with little; rows are given before the input is read.
 */
#include "config.h"

#include "core/exec/window.h"
#include "tests/exec/batch-source.h"
#include "tests/harness/assert.h"
#include "tests/size.h"

#include <string.h>

#define MIB ((gsize)1 << 20)

enum
{
  RESULT_NUMBER,
  RESULT_SUM,
  RESULT_LEAST,
  RESULT_LAG,
  RESULT_LAST,
  RESULT_SHARE,
  N_RESULTS,
  PARTITION = N_RESULTS,
  ORDER,
  NUMBER,
  TEXT,
  N_COLUMNS,
};

/* What is in the places of the results does not matter. */
static const KvsqlType types[N_COLUMNS] = {
  KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN,
  KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BIGINT,  KVSQL_TYPE_BIGINT,
  KVSQL_TYPE_BIGINT,  KVSQL_TYPE_STRING,
};

/* Partitions of all sizes up to @largest, with ties and NULLs in the numbers. */
static KvsqlBatch *
make_rows (guint n, guint largest, KvsqlArena *arena)
{
  KvsqlBatch *rows = kvsql_batch_new (types, N_COLUMNS, n);
  gint64 partition = 0, order = 0;
  guint left = 0;

  for (guint i = 0; i < n; i++)
    {
      KvsqlValue text = { .type = KVSQL_TYPE_STRING };

      if (left == 0)
        {
          left = (guint)g_test_rand_int_range (1, (gint)largest + 1);
          partition++;
          order = 0;
        }
      left--;
      order += g_test_rand_int_range (0, 3);
      text.bytes = kvsql_slice_from_text (kvsql_arena_printf (arena, "text %u", i));
      rows->columns[PARTITION].integers[i] = partition;
      rows->columns[ORDER].integers[i] = order;
      rows->columns[NUMBER].integers[i] = g_test_rand_int_range (-1000, 1000);
      if (i % 7 == 3)
        kvsql_vector_set_null (&rows->columns[NUMBER], i);
      kvsql_vector_set (&rows->columns[TEXT], i, &text);
    }
  rows->n_rows = n;
  return rows;
}

/* ---- the window */

typedef struct
{
  KvsqlSortKey partition, order;
  KvsqlWindowCall calls[N_RESULTS];
  KvsqlWindow window;
} Fixture;

static KvsqlWindowCall
make_call (KvsqlWindowFunction function, guint column, KvsqlType type, guint argument)
{
  return (KvsqlWindowCall){ .function = function,
                            .column = column,
                            .type = type,
                            .arguments = { argument },
                            .n_arguments = 1,
                            .frame = kvsql_frame_default };
}

static void
make_aggregate (KvsqlWindowCall *call, const gchar *name)
{
  call->aggregate = (KvsqlAggregate){ .function = kvsql_aggregate_find (name),
                                      .column = NUMBER,
                                      .argument = KVSQL_TYPE_BIGINT,
                                      .type = call->type };
}

static KvsqlValue
bigint (gint64 number)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

static void
set_up (Fixture *self)
{
  KvsqlWindowCall *calls = self->calls;

  memset (self, 0, sizeof *self);
  self->partition.column = PARTITION;
  self->order.column = ORDER;
  calls[0] = make_call (KVSQL_WINDOW_ROW_NUMBER, RESULT_NUMBER, KVSQL_TYPE_BIGINT, 0);
  calls[1] = make_call (KVSQL_WINDOW_AGGREGATE, RESULT_SUM, KVSQL_TYPE_DECIMAL, NUMBER);
  make_aggregate (&calls[1], "sum");
  calls[1].frame = (KvsqlFrame){ .mode = KVSQL_FRAME_ROWS,
                                 .start = KVSQL_BOUND_PRECEDING,
                                 .end = KVSQL_BOUND_FOLLOWING,
                                 .exclusion = KVSQL_EXCLUDE_TIES,
                                 .start_offset = bigint (40),
                                 .end_offset = bigint (3000) };
  calls[2] = make_call (KVSQL_WINDOW_AGGREGATE, RESULT_LEAST, KVSQL_TYPE_BIGINT, NUMBER);
  make_aggregate (&calls[2], "min");
  calls[2].frame = (KvsqlFrame){ .mode = KVSQL_FRAME_RANGE,
                                 .start = KVSQL_BOUND_PRECEDING,
                                 .end = KVSQL_BOUND_CURRENT,
                                 .start_offset = bigint (5) };
  calls[3] = make_call (KVSQL_WINDOW_LAG, RESULT_LAG, KVSQL_TYPE_STRING, TEXT);
  calls[4] = make_call (KVSQL_WINDOW_LAST_VALUE, RESULT_LAST, KVSQL_TYPE_STRING, TEXT);
  calls[4].frame.end = KVSQL_BOUND_LAST;
  calls[5] = make_call (KVSQL_WINDOW_CUME_DIST, RESULT_SHARE, KVSQL_TYPE_DOUBLE, 0);
  self->window = (KvsqlWindow){ .partition = &self->partition,
                                .n_partition = 1,
                                .order = &self->order,
                                .n_order = 1,
                                .calls = calls,
                                .n_calls = N_RESULTS };
}

/* ---- the simple computation */

typedef struct
{
  const KvsqlBatch *rows;
  guint row, start, end; /* of the partition */
} Place;

static gint64
integer_at (const Place *self, guint column, guint row)
{
  return self->rows->columns[column].integers[row];
}

static gboolean
is_peer (const Place *self, guint row)
{
  return integer_at (self, ORDER, row) == integer_at (self, ORDER, self->row);
}

static void
check_sum (const Place *self, const KvsqlValue *got)
{
  g_autofree gchar *expected = NULL;
  gint64 sum = 0;
  gboolean has_value = FALSE;

  for (guint i = self->start; i < self->end; i++)
    if (i + 40 >= self->row && i <= self->row + 3000 && (i == self->row || !is_peer (self, i))
        && !kvsql_vector_is_null (&self->rows->columns[NUMBER], i))
      {
        sum += integer_at (self, NUMBER, i);
        has_value = TRUE;
      }
  g_assert_true (kvsql_value_is_null (got) == !has_value);
  expected = g_strdup_printf ("%" G_GINT64_FORMAT, sum);
  if (has_value)
    g_assert_true (kvsql_slice_equal (got->bytes, kvsql_slice_from_text (expected)));
}

static void
check_least (const Place *self, const KvsqlValue *got)
{
  gint64 least = G_MAXINT64;

  for (guint i = self->start; i < self->end; i++)
    if (integer_at (self, ORDER, i) >= integer_at (self, ORDER, self->row) - 5
        && integer_at (self, ORDER, i) <= integer_at (self, ORDER, self->row)
        && !kvsql_vector_is_null (&self->rows->columns[NUMBER], i))
      least = MIN (least, integer_at (self, NUMBER, i));
  g_assert_true (kvsql_value_is_null (got) == (least == G_MAXINT64));
  if (least != G_MAXINT64)
    g_assert_cmpint (got->integer, ==, least);
}

static void
check_text (const Place *self, const KvsqlValue *got, guint row)
{
  KvsqlValue expected = kvsql_vector_get (&self->rows->columns[TEXT], row);

  g_assert_true (kvsql_value_equal (got, &expected));
}

static void
check_row (const Place *self, const KvsqlBatch *got)
{
  KvsqlValue results[N_RESULTS];
  guint peers_end = self->row;

  for (guint i = 0; i < N_RESULTS; i++)
    results[i] = kvsql_vector_get (&got->columns[i], self->row);
  g_assert_cmpint (results[RESULT_NUMBER].integer, ==, self->row - self->start + 1);
  check_sum (self, &results[RESULT_SUM]);
  check_least (self, &results[RESULT_LEAST]);
  g_assert_true (kvsql_value_is_null (&results[RESULT_LAG]) == (self->row == self->start));
  if (self->row > self->start)
    check_text (self, &results[RESULT_LAG], self->row - 1);
  check_text (self, &results[RESULT_LAST], self->end - 1);
  while (peers_end < self->end && is_peer (self, peers_end))
    peers_end++;
  g_assert_cmpfloat (results[RESULT_SHARE].real, ==,
                     (gdouble)(peers_end - self->start) / (self->end - self->start));
  g_assert_true (kvsql_slice_equal (got->columns[TEXT].slices[self->row],
                                    self->rows->columns[TEXT].slices[self->row]));
}

static void
check (const KvsqlBatch *rows, const KvsqlBatch *got)
{
  Place place = { .rows = rows };

  g_assert_cmpuint (got->n_rows, ==, rows->n_rows);
  for (guint i = 0; i < rows->n_rows; i++)
    {
      place.row = i;
      if (i == place.end)
        {
          place.start = i;
          while (place.end < rows->n_rows
                 && integer_at (&place, PARTITION, place.end) == integer_at (&place, PARTITION, i))
            place.end++;
        }
      check_row (&place, got);
    }
}

/* ---- tests */

static void
run (guint n, guint largest, guint batch_rows, const KvsqlSortLimits *limits)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) rows = make_rows (n, largest, arena);
  g_autoptr (KvsqlBatch) got = NULL;
  g_autoptr (GError) error = NULL;
  Fixture fixture;

  set_up (&fixture);
  got = batch_of_source (kvsql_window_new (batch_source_new (rows, batch_rows), types, N_COLUMNS,
                                           &fixture.window, limits),
                         arena, &error);
  g_assert_no_error (error);
  check (rows, got);
}

static void
test_in_memory (void)
{
  const KvsqlSortLimits limits = { .memory_bytes = 64 * MIB };

  run (0, 1, 100, &limits);
  run (1, 1, 1, &limits);
  run (test_size (6000, 2000), 3, 1000, &limits);
  run (test_size (6000, 2000), 40, 7, &limits);
  run (test_size (6000, 2000), 3000, 1024, &limits);
  run (KVSQL_BATCH_ROWS, 4000, KVSQL_BATCH_ROWS, &limits);
}

static void
test_in_a_file (void)
{
  const KvsqlSortLimits limits = { .memory_bytes = 1, .disk_bytes = 64 * MIB };

  run (test_size (20000, 8000), 9000, 1000, &limits);
  run (test_size (20000, 8000), 50, 333, &limits);
}

static void
test_without_a_file (void)
{
  const KvsqlSortLimits limits = { .memory_bytes = 1 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) rows = make_rows (20000, 1, arena);
  g_autoptr (GError) error = NULL;
  Fixture fixture;

  set_up (&fixture);
  memset (rows->columns[PARTITION].integers, 0, 20000 * sizeof (gint64));
  g_assert_null (batch_of_source (
      kvsql_window_new (batch_source_new (rows, 1000), types, N_COLUMNS, &fixture.window, &limits),
      arena, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "a window needs more than"));
}

/* Numbers of rows, and frames that end with the current row, need no more rows than those that are
 * given. */
static void
test_reads_no_further (void)
{
  const KvsqlSortLimits limits = { .memory_bytes = 64 * MIB };
  const KvsqlCall call = { 0 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) rows = make_rows (20000, 1, arena);
  g_autoptr (KvsqlRowSource) window = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlRowSource *input = batch_source_new (rows, 512);
  guint64 n_read = 0;
  const KvsqlBatch *batch;
  Fixture fixture;

  set_up (&fixture);
  memset (rows->columns[PARTITION].integers, 0, 20000 * sizeof (gint64));
  fixture.calls[1].frame.end = KVSQL_BOUND_CURRENT;
  fixture.calls[1].frame.exclusion = KVSQL_EXCLUDE_ROW;
  fixture.window.n_calls = 2;
  input->n_given_in_total = &n_read;
  window = kvsql_window_new (input, types, N_COLUMNS, &fixture.window, &limits);
  g_assert_true (kvsql_row_source_next_batch (window, &call, &batch, &error));
  g_assert_cmpuint (batch->n_rows, ==, KVSQL_BATCH_ROWS);
  g_assert_cmpuint (n_read, ==, KVSQL_BATCH_ROWS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/in-memory", test_in_memory);
  g_test_add_func ("/window/in-a-file", test_in_a_file);
  g_test_add_func ("/window/without-a-file", test_without_a_file);
  g_test_add_func ("/window/reads-no-further", test_reads_no_further);
  return g_test_run ();
}
