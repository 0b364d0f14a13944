/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-match.c: INTERSECT and EXCEPT [ALL] of random rows give what counting gives, with all rows
 * in memory and with rows in temporary files.
 */
#include "config.h"

#include "core/exec/match.h"
#include "tests/exec/batch-source.h"
#include "tests/size.h"

#define MIB ((gsize)1 << 20)

static const KvsqlType types[] = { KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING };

/* Row i of value v is (v, "v % 7"); value 0 has a NULL. */
static KvsqlBatch *
make_rows (guint n, guint n_values, KvsqlArena *arena)
{
  KvsqlBatch *rows = kvsql_batch_new (types, G_N_ELEMENTS (types), MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      gint64 v = g_test_rand_int_range (0, (gint32)n_values);
      KvsqlValue number = { .type = v == 0 ? KVSQL_TYPE_NULL : KVSQL_TYPE_BIGINT, .integer = v };
      g_autofree gchar *text = g_strdup_printf ("%" G_GINT64_FORMAT, v % 7);
      KvsqlValue string = { .type = KVSQL_TYPE_STRING,
                            .bytes = kvsql_slice_dup (arena, kvsql_slice_from_text (text)) };

      kvsql_vector_set (&rows->columns[0], i, &number);
      kvsql_vector_set (&rows->columns[1], i, &string);
    }
  rows->n_rows = n;
  return rows;
}

static guint
value_of (const KvsqlBatch *batch, guint row)
{
  KvsqlValue value = kvsql_vector_get (&batch->columns[0], row);

  return value.type == KVSQL_TYPE_NULL ? 0 : (guint)value.integer;
}

/* (transfer full): how often each value occurs */
static guint *
count_values (const KvsqlBatch *rows, guint n_values)
{
  guint *counts = g_new0 (guint, n_values);

  for (guint i = 0; i < rows->n_rows; i++)
    counts[value_of (rows, i)]++;
  return counts;
}

static guint
expected_count (const KvsqlMatching *matching, guint n, guint n_other)
{
  if (matching->is_all)
    return matching->keeps_matches ? MIN (n, n_other) : n - MIN (n, n_other);
  return (n_other > 0) == matching->keeps_matches ? n : 0;
}

static void
check (guint n, guint n_other, guint n_values, gsize memory_bytes)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) rows = make_rows (n, n_values, arena);
  g_autoptr (KvsqlBatch) other = make_rows (n_other, n_values, arena);
  g_autofree guint *counts = count_values (rows, n_values);
  g_autofree guint *other_counts = count_values (other, n_values);
  const KvsqlSortLimits limits = { .memory_bytes = memory_bytes, .disk_bytes = 100 * MIB };

  for (guint kind = 0; kind < 4; kind++)
    {
      const KvsqlMatching matching = { .types = types,
                                       .n_columns = G_N_ELEMENTS (types),
                                       .keeps_matches = kind % 2 == 0,
                                       .is_all = kind >= 2 };
      g_autoptr (KvsqlRowSource) match = kvsql_match_new (
          batch_source_new (rows, 100), batch_source_new (other, 100), &matching, &limits);
      g_autofree guint *got = g_new0 (guint, n_values);
      g_autoptr (GError) error = NULL;
      KvsqlRowSlice slice;

      do
        {
          g_assert_true (
              kvsql_row_source_next (match, &kvsql_row_demand_all, NULL, &slice, &error));
          g_assert_no_error (error);
          for (guint i = 0; i < slice.n; i++)
            got[value_of (slice.batch, slice.rows[i])]++;
        }
      while (slice.n > 0);
      for (guint v = 0; v < n_values; v++)
        g_assert_cmpuint (got[v], ==, expected_count (&matching, counts[v], other_counts[v]));
    }
}

static void
test_in_memory (void)
{
  check (0, 0, 10, MIB);
  check (0, 500, 10, MIB);
  check (500, 0, 10, MIB);
  check (1000, 1000, 20, MIB);
  check (1000, 1000, 3000, MIB);
  check (5000, 300, 300, 64 * MIB);
}

static void
test_spilled (void)
{
  for (guint i = 0; i < test_size (20, 4); i++)
    {
      check (3000, 3000, 3000, 20000);
      check (3000, 5000, 50, 1);
      check (100, 5000, 5000, 40000);
      check (5000, 400, 5000, 1);
      check (0, 3000, 3000, 1);
    }
}

static void
test_limit (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) rows = make_rows (3000, 3000, arena);
  const KvsqlSortLimits limits = { .memory_bytes = 20000 };
  const KvsqlMatching matching = { .types = types, .n_columns = G_N_ELEMENTS (types) };
  g_autoptr (KvsqlRowSource) match = kvsql_match_new (
      batch_source_new (rows, 100), batch_source_new (rows, 100), &matching, &limits);
  g_autoptr (GError) error = NULL;
  KvsqlRowSlice slice;

  g_assert_false (kvsql_row_source_next (match, &kvsql_row_demand_all, NULL, &slice, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "EXCEPT needs more than 0 MiB");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/match/in-memory", test_in_memory);
  g_test_add_func ("/exec/match/spilled", test_spilled);
  g_test_add_func ("/exec/match/limit", test_limit);
  return g_test_run ();
}
