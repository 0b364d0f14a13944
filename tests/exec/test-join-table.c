/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-join-table.c: the chains of a join's table, and the end of its statement while they are
 * made.
 */
#include "config.h"

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "core/exec/join-table.h"

#define N_ROWS 1000

static const KvsqlType types[] = { KVSQL_TYPE_BIGINT };
static const KvsqlJoinTableKey key = { .other = KVSQL_TYPE_BIGINT, .is_exact = TRUE };

/* The numbers 0 to 9 in turn, and NULL in place of 9. */
static KvsqlJoinTable *
new_table (const KvsqlBatch **out_batch)
{
  KvsqlJoinTable *table = kvsql_join_table_new (types, 1, &key, 1);
  KvsqlBatch *batch = kvsql_batch_new (types, 1, N_ROWS);
  guint column = 0;
  guint32 rows[N_ROWS];

  for (guint i = 0; i < N_ROWS; i++)
    {
      rows[i] = i;
      batch->columns[0].integers[i] = i % 10;
      if (i % 10 == 9)
        kvsql_vector_set_null (&batch->columns[0], i);
    }
  batch->n_rows = N_ROWS;
  g_assert_true (kvsql_join_table_add (table, batch, &column, rows, N_ROWS));
  *out_batch = batch;
  return table;
}

static void
test_chains (void)
{
  g_autoptr (GError) error = NULL;
  const KvsqlBatch *batch;
  KvsqlJoinTable *table = new_table (&batch);
  const KvsqlVector *keys[] = { &batch->columns[0] };
  gboolean ok = kvsql_join_table_finish (table, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
  for (guint32 row = 0; row < 9; row++)
    {
      guint32 at = kvsql_join_table_first (table, keys, row);

      for (guint32 expected = row; expected < N_ROWS; expected += 10)
        {
          g_assert_cmpuint (at, ==, expected);
          at = kvsql_join_table_next (table, keys, row, at);
        }
      g_assert_cmpuint (at, ==, KVSQL_NO_ROW);
    }
  g_assert_cmpuint (kvsql_join_table_first (table, keys, 9), ==, KVSQL_NO_ROW);
  kvsql_join_table_free (table);
  kvsql_batch_free ((KvsqlBatch *)batch);
}

static gboolean
fail (gconstpointer data, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "over");
}

static void
test_interrupted (void)
{
  g_autoptr (GError) error = NULL;
  const KvsqlBatch *batch;
  KvsqlJoinTable *table = new_table (&batch);
  KvsqlInterrupt interrupt;
  gboolean ok;

  kvsql_interrupt_enter (&interrupt, fail, NULL);
  ok = kvsql_join_table_finish (table, &error);
  kvsql_interrupt_leave (&interrupt);
  g_assert_false (ok);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  kvsql_join_table_free (table);
  kvsql_batch_free ((KvsqlBatch *)batch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/join-table/chains", test_chains);
  g_test_add_func ("/join-table/interrupted", test_interrupted);
  return g_test_run ();
}
