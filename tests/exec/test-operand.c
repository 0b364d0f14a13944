/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-operand.c: an operand of a set operation is opened for its first row, and closed at its end.
 */
#include "config.h"

#include "core/exec/operand.h"
#include "tests/exec/batch-source.h"

#define N_ROWS 10

typedef struct
{
  KvsqlBatch *batch;
  KvsqlRowSource *rows;
  guint n_opened, n_closed;
} Rows;

static KvsqlRowSource *
open_rows (gpointer data, guint operand)
{
  Rows *self = data;

  self->n_opened++;
  self->rows = batch_source_new (self->batch, 4);
  return self->rows;
}

static void
close_rows (gpointer data, guint operand)
{
  ((Rows *)data)->n_closed++;
}

/* Reads or skips all rows. */
static void
check (gboolean (*read) (KvsqlRowSource *, const KvsqlRowDemand *, const KvsqlCall *,
                         KvsqlRowSlice *, GError **))
{
  const KvsqlType type = KVSQL_TYPE_BIGINT;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) batch = kvsql_batch_new (&type, 1, N_ROWS);
  KvsqlExpr *column = kvsql_expr_column (arena, 0, type, "k", KVSQL_SPAN_NONE);
  KvsqlSelectPlan plan = { .n_items = 1 };
  KvsqlSetOperand operand = { .plan = &plan, .columns = &column };
  const KvsqlSetPlan set = { .operands = &operand, .n_operands = 1 };
  Rows rows = { .batch = batch };
  const KvsqlOperandOpener opener = { open_rows, close_rows, &rows };
  KvsqlRowSource *self = kvsql_operand_new (&set, 0, &opener, FALSE);
  g_autoptr (GError) error = NULL;
  KvsqlRowSlice slice = { 0 };
  guint n = 0;

  batch->n_rows = N_ROWS;
  g_assert_cmpuint (rows.n_opened, ==, 0);
  while (!slice.is_end)
    {
      g_assert_cmpuint (rows.n_closed, ==, 0);
      g_assert_true (read (self, &kvsql_row_demand_all, NULL, &slice, &error));
      g_assert_no_error (error);
      n += slice.n;
    }
  g_assert_cmpuint (n, ==, N_ROWS);
  g_assert_cmpuint (rows.n_opened, ==, 1);
  g_assert_cmpuint (rows.n_closed, ==, 1);
  kvsql_row_source_free (self);
  kvsql_row_source_free (rows.rows);
}

static void
test_read (void)
{
  check (kvsql_row_source_poll);
}

static void
test_skipped (void)
{
  check (kvsql_row_source_skip);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/operand/read", test_read);
  g_test_add_func ("/exec/operand/skipped", test_skipped);
  return g_test_run ();
}
