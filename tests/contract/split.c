/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.c: the contract of dividing a range of rows into parts.
 */
#include "config.h"

#include "tests/contract/kit.h"
#include "tests/harness/assert.h"

#define N_ROWS 2000
#define N_WANTED 15

/* Rows k0000 … k1999, and one before and one after them. */
static void
put_rows (ContractTable *table)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));

  for (guint i = 0; i < N_ROWS; i++)
    {
      KvsqlMutation put
          = contract_put (table, kvsql_arena_printf (arena, "k%04u", i), "f:q", "value", 1);

      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  contract_apply_all (table, contract_put (table, "a", "f:q", "v", 1),
                      contract_put (table, "z", "f:q", "v", 1));
}

static guint
split (ContractTable *table, const KvsqlRowRange *range, guint n_wanted, KvsqlArena *arena,
       KvsqlSlice **out_keys)
{
  KvsqlCall call = contract_call ();
  g_autoptr (GError) error = NULL;
  guint n = 0;

  assert_done (kvsql_store_split_points (table->store, table->name, range, n_wanted, &call, arena,
                                         out_keys, &n, &error),
               error);
  g_assert_cmpuint (n, <=, n_wanted);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (
          kvsql_slice_compare ((*out_keys)[i], i > 0 ? (*out_keys)[i - 1] : range->start), >, 0);
      g_assert_true (range->stop.size == 0
                     || kvsql_slice_compare ((*out_keys)[i], range->stop) < 0);
    }
  return n;
}

static guint
count_rows (ContractTable *table, KvsqlSlice start, KvsqlSlice stop)
{
  const KvsqlRowRange range = { start, stop };
  const KvsqlScanSpec spec = { .ranges = &range, .n_ranges = 1, .keys_only = TRUE };
  g_autoptr (KvsqlScan) scan = contract_open_scan (table, &spec);
  KvsqlCall call = contract_call ();
  const KvsqlRows *rows;
  guint n = 0;

  do
    {
      g_assert_true (kvsql_scan_next (scan, &call, &rows, NULL));
      n += rows->n_rows;
    }
  while (rows->n_rows > 0);
  return n;
}

/* The largest part of the range. */
static guint
largest_part (ContractTable *table, const KvsqlRowRange *range, const KvsqlSlice *keys, guint n)
{
  guint largest = 0, sum = 0;

  for (guint i = 0; i <= n; i++)
    {
      guint rows
          = count_rows (table, i > 0 ? keys[i - 1] : range->start, i < n ? keys[i] : range->stop);

      largest = MAX (largest, rows);
      sum += rows;
    }
  g_assert_cmpuint (sum, ==, count_rows (table, range->start, range->stop));
  return largest;
}

/* Many keys that differ only in their last bytes: halving the key space would be useless. */
static void
test_even_parts (ContractTable *table)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  KvsqlSlice *keys;
  guint n;

  put_rows (table);
  n = split (table, &all, N_WANTED, arena, &keys);
  g_assert_cmpuint (n, >=, N_WANTED / 2);
  g_assert_cmpuint (largest_part (table, &all, keys, n), <=, 4 * N_ROWS / N_WANTED);
}

static void
test_within_range (ContractTable *table)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlRowRange range = { S ("k0500"), S ("k0600") };
  KvsqlSlice *keys;
  guint n;

  put_rows (table);
  n = split (table, &range, 3, arena, &keys);
  g_assert_cmpuint (n, >=, 1);
  g_assert_cmpuint (largest_part (table, &range, keys, n), <, 100);
}

static void
test_few_rows (ContractTable *table)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  KvsqlSlice *keys;

  g_assert_cmpuint (split (table, &all, N_WANTED, arena, &keys), ==, 0);
  contract_apply_all (table, contract_put (table, "m", "f:q", "v", 1));
  g_assert_cmpuint (split (table, &all, N_WANTED, arena, &keys), ==, 0);
  contract_apply_all (table, contract_put (table, "m\xff", "f:q", "v", 1),
                      contract_put (table, "n", "f:q", "v", 1));
  g_assert_cmpuint (split (table, &all, N_WANTED, arena, &keys), <=, 2);
}

/* Keys with zero bytes and FF, and keys that are prefixes of others. */
static void
test_binary_keys (ContractTable *table)
{
  static const KvsqlSlice rows[]
      = { { (const guint8 *)"\0", 1 },     { (const guint8 *)"\0\0", 2 },
          { (const guint8 *)"\0\0\0", 3 }, { (const guint8 *)"\xff", 1 },
          { (const guint8 *)"\xff\0", 2 }, { (const guint8 *)"\xff\xff", 2 } };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  KvsqlSlice *keys;
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      KvsqlMutation put = contract_put (table, "", "f:q", "v", 1);

      put.row = rows[i];
      contract_apply (table, &put, 1);
    }
  n = split (table, &all, 3, arena, &keys);
  g_assert_cmpuint (n, >=, 1);
  g_assert_cmpuint (largest_part (table, &all, keys, n), <, G_N_ELEMENTS (rows));
}

/* If the store divides a table into regions: with fewer parts than regions, and with more. */
static void
test_pieces (ContractTable *base)
{
  static const KvsqlSlice families[] = { { (const guint8 *)"f", 1 } };
  const KvsqlSlice splits[] = { S ("k0400"), S ("k0800"), S ("k1200"), S ("k1600") };
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *name = contract_table_name ("-pieces");
  ContractTable table = { base->store, kvsql_slice_from_text (name) };
  const KvsqlTableSpec spec = { .name = table.name,
                                .families = families,
                                .n_families = 1,
                                .splits = splits,
                                .n_splits = G_N_ELEMENTS (splits) };
  KvsqlCall call = contract_call ();
  KvsqlSlice *keys;
  guint n;

  g_assert_true (kvsql_store_ensure_table (table.store, &spec, &call, NULL, NULL));
  put_rows (&table);
  n = split (&table, &all, 1, arena, &keys);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (largest_part (&table, &all, keys, n), <=, 3 * N_ROWS / 4);
  n = split (&table, &all, N_WANTED, arena, &keys);
  g_assert_cmpuint (n, >=, N_WANTED / 2);
  g_assert_cmpuint (largest_part (&table, &all, keys, n), <=, 4 * N_ROWS / N_WANTED);
  contract_drop_table (table.store, table.name);
}

const ContractTest contract_split_tests[] = {
  { "/split/parts-are-about-even", test_even_parts },
  { "/split/keys-are-within-the-range", test_within_range },
  { "/split/few-rows", test_few_rows },
  { "/split/binary-keys", test_binary_keys },
  { "/split/table-in-pieces", test_pieces },
  { NULL },
};
