/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read.c: the contract of scans and gets.
 */
#include "config.h"

#include "tests/contract/kit.h"

#define N_RANDOM_SCANS 60
#define WIDE_ROW_CELLS 3000
#define LARGE_VALUE (1024 * 1024)

/* Every key of one to three of these bytes: zero bytes and FF at every position, and keys that are
 * prefixes of others. */
static const guint8 alphabet[] = { 0x00, 0x01, 'a', 0xff };

static gint
compare_slices (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_compare (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

static GArray *
binary_keys (KvsqlArena *arena)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  const guint n = G_N_ELEMENTS (alphabet);

  for (guint size = 1, count = n; size <= 3; size++, count *= n)
    for (guint number = 0; number < count; number++)
      {
        guint8 bytes[3];
        KvsqlSlice key;

        for (guint i = 0, rest = number; i < size; i++, rest /= n)
          bytes[i] = alphabet[rest % n];
        key = kvsql_slice_dup (arena, kvsql_slice (bytes, size));
        g_array_append_val (keys, key);
      }
  return keys;
}

/* Puts a cell in each row, in the order of @keys, and sorts @keys afterwards. */
static void
put_rows (ContractTable *table, GArray *keys)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));

  for (guint i = 0; i < keys->len; i++)
    {
      KvsqlMutation put = contract_put (table, "", "f:q", "v", 1);

      put.row = g_array_index (keys, KvsqlSlice, i);
      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  g_array_sort (keys, compare_slices);
}

static gchar *
rows_as_text (const KvsqlSlice *keys, guint n)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? " " : "");
      kvsql_append_readable (out, keys[i]);
      g_string_append (out, "{f:q=v@1}");
    }
  return g_string_free (out, FALSE);
}

static void
test_row_order (ContractTable *table)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) keys = binary_keys (arena);
  g_autofree gchar *expected = NULL;

  put_rows (table, keys);
  expected = rows_as_text ((const KvsqlSlice *)keys->data, keys->len);
  contract_assert_rows (table, expected);
}

static void
test_cell_order (ContractTable *table)
{
  KvsqlMutation binary = contract_put (table, "r", "f:", "zero", 1);

  binary.qualifier = S ("a\0b");
  contract_apply_all (
      table, contract_put (table, "r", "g:", "8", 1), contract_put (table, "r", "fa:", "6", 1),
      contract_put (table, "r", "f:\xff", "5", 1), contract_put (table, "r", "f:a", "2", 1),
      contract_put (table, "r", "f:ab", "4", 1), binary, contract_put (table, "r", "fa:a", "7", 1),
      contract_put (table, "r", "f:", "1", 1));
  contract_assert_rows (table, "r{f:=1@1 f:a=2@1 f:a\\x00b=zero@1 f:ab=4@1 f:\\xff=5@1 fa:=6@1 "
                               "fa:a=7@1 g:=8@1}");
}

/* Disjoint ascending ranges between keys of the table and neighbouring bytes. */
static guint
random_ranges (GRand *random, KvsqlArena *arena, const GArray *keys, KvsqlRowRange *ranges,
               guint n_wanted)
{
  KvsqlSlice bounds[16];
  guint n = 0;

  for (guint i = 0; i < n_wanted * 2; i++)
    {
      KvsqlSlice key
          = g_array_index (keys, KvsqlSlice, g_rand_int_range (random, 0, (gint32)keys->len));
      KvsqlBuffer near = { 0 };

      kvsql_buffer_append_slice (&near, key);
      if (g_rand_boolean (random))
        kvsql_buffer_append_byte (&near, alphabet[g_rand_int_range (random, 0, 4)]);
      bounds[i] = kvsql_slice_dup (arena, kvsql_buffer_slice (&near));
      kvsql_buffer_clear (&near);
    }
  qsort (bounds, n_wanted * 2, sizeof *bounds, compare_slices);
  for (guint i = 0; i < n_wanted; i++)
    if (!kvsql_slice_equal (bounds[2 * i], bounds[2 * i + 1]))
      ranges[n++] = (KvsqlRowRange){ bounds[2 * i], bounds[2 * i + 1] };
  if (n > 0 && g_rand_int_range (random, 0, 4) == 0)
    ranges[0].start = KVSQL_SLICE_EMPTY;
  if (n > 0 && g_rand_int_range (random, 0, 4) == 0)
    ranges[n - 1].stop = KVSQL_SLICE_EMPTY;
  return n;
}

static gboolean
is_within (KvsqlSlice key, const KvsqlRowRange *ranges, guint n_ranges)
{
  for (guint i = 0; i < n_ranges; i++)
    if (kvsql_slice_compare (key, ranges[i].start) >= 0
        && (ranges[i].stop.size == 0 || kvsql_slice_compare (key, ranges[i].stop) < 0))
      return TRUE;
  return FALSE;
}

static gchar *
expected_rows (const GArray *keys, const KvsqlScanSpec *spec)
{
  g_autoptr (GArray) within = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));

  for (guint i = 0; i < keys->len; i++)
    {
      KvsqlSlice key = g_array_index (keys, KvsqlSlice, spec->is_reversed ? keys->len - 1 - i : i);

      if (is_within (key, spec->ranges, spec->n_ranges))
        g_array_append_val (within, key);
    }
  return rows_as_text ((const KvsqlSlice *)within->data, within->len);
}

static void
test_random_ranges (ContractTable *table)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) keys = binary_keys (arena);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  put_rows (table, keys);
  for (guint i = 0; i < N_RANDOM_SCANS; i++)
    {
      KvsqlRowRange ranges[8];
      KvsqlScanSpec spec
          = { .ranges = ranges, .batch_rows = (guint)g_rand_int_range (random, 0, 5) };
      g_autofree gchar *expected = NULL, *found = NULL;

      spec.n_ranges = random_ranges (random, arena, keys, ranges, 1 + i % 8);
      spec.is_reversed = contract_has (table, KVSQL_STORE_REVERSE_SCAN) && g_rand_boolean (random);
      expected = expected_rows (keys, &spec);
      found = contract_scan (table, &spec);
      g_assert_cmpstr (found, ==, expected);
    }
}

static void
put_letters (ContractTable *table)
{
  contract_apply_all (
      table, contract_put (table, "a", "f:q", "1", 1), contract_put (table, "b", "f:q", "2", 1),
      contract_put (table, "b\x01", "f:q", "3", 1), contract_put (table, "c", "f:q", "4", 1),
      contract_put (table, "d", "f:q", "5", 1));
}

static void
test_ranges (ContractTable *table)
{
  static const struct
  {
    KvsqlRowRange ranges[3];
    guint n_ranges;
    const gchar *expected;
  } cases[] = {
    { { { S (""), S ("") } }, 1, "a{f:q=1@1} b{f:q=2@1} b\\x01{f:q=3@1} c{f:q=4@1} d{f:q=5@1}" },
    { { { S ("c"), S ("") } }, 1, "c{f:q=4@1} d{f:q=5@1}" },
    { { { S (""), S ("b") } }, 1, "a{f:q=1@1}" },
    { { { S ("b"), S ("b\0") } }, 1, "b{f:q=2@1}" },
    { { { S ("b\0"), S ("c") } }, 1, "b\\x01{f:q=3@1}" },
    { { { S ("bb"), S ("bc") } }, 1, "" },
    { { { S ("e"), S ("") } }, 1, "" },
    { { { S (""), S ("b") }, { S ("b"), S ("b\0") }, { S ("d"), S ("") } },
      3,
      "a{f:q=1@1} b{f:q=2@1} d{f:q=5@1}" },
    { { { S ("0"), S ("1") }, { S ("aa"), S ("ab") }, { S ("c"), S ("c\0") } }, 3, "c{f:q=4@1}" },
    { { { S ("") } }, 0, "" },
  };

  put_letters (table);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlScanSpec spec = { .ranges = cases[i].ranges, .n_ranges = cases[i].n_ranges };
      g_autofree gchar *found = contract_scan (table, &spec);

      g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

static void
test_reversed (ContractTable *table)
{
  const KvsqlRowRange ranges[] = { { S (""), S ("b\x01") }, { S ("d"), S ("") } };
  KvsqlScanSpec spec = { .is_reversed = TRUE };
  g_autofree gchar *all = NULL, *some = NULL, *first = NULL;

  put_letters (table);
  contract_apply_all (table, contract_put (table, "b", "f:a", "x", 1),
                      contract_put (table, "b", "g:z", "y", 1));
  all = contract_scan (table, &spec);
  g_assert_cmpstr (all, ==,
                   "d{f:q=5@1} c{f:q=4@1} b\\x01{f:q=3@1} b{f:a=x@1 f:q=2@1 g:z=y@1} a{f:q=1@1}");

  spec.row_limit = 2;
  spec.batch_rows = 2;
  first = contract_scan (table, &spec);
  g_assert_true (g_str_has_prefix (first, "d{f:q=5@1} c{f:q=4@1}"));

  spec = (KvsqlScanSpec){ .is_reversed = TRUE, .ranges = ranges, .n_ranges = 2, .batch_rows = 1 };
  some = contract_scan (table, &spec);
  g_assert_cmpstr (some, ==, "d{f:q=5@1} b{f:a=x@1 f:q=2@1 g:z=y@1} a{f:q=1@1}");
}

static void
put_columns (ContractTable *table)
{
  contract_apply_all (
      table, contract_put (table, "r1", "f:", "1", 1), contract_put (table, "r1", "f:a", "2", 1),
      contract_put (table, "r1", "fa:a", "3", 1), contract_put (table, "r2", "f:ab", "4", 1),
      contract_put (table, "r3", "g:a", "5", 1), contract_put (table, "r3", "f:a", "6", 1));
}

static void
test_columns (ContractTable *table)
{
  const struct
  {
    KvsqlColumn columns[3];
    guint n_columns;
    const gchar *expected;
  } cases[] = {
    { { contract_column ("f:a") }, 1, "r1{f:a=2@1} r3{f:a=6@1}" },
    { { contract_column ("f:") }, 1, "r1{f:=1@1}" },
    { { contract_column ("f:zz") }, 1, "" },
    { { contract_family ("f") }, 1, "r1{f:=1@1 f:a=2@1} r2{f:ab=4@1} r3{f:a=6@1}" },
    { { contract_family ("fa") }, 1, "r1{fa:a=3@1}" },
    { { contract_family ("g"), contract_column ("f:"), contract_column ("f:ab") },
      3,
      "r1{f:=1@1} r2{f:ab=4@1} r3{g:a=5@1}" },
    { { contract_column ("f:a"), contract_column ("f:a"), contract_family ("fa") },
      3,
      "r1{f:a=2@1 fa:a=3@1} r3{f:a=6@1}" },
  };
  const KvsqlSlice keys[] = { S ("r1"), S ("r2"), S ("r3") };

  put_columns (table);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlScanSpec spec = { .columns = cases[i].columns, .n_columns = cases[i].n_columns };
      g_autofree gchar *found = contract_scan (table, &spec);

      g_assert_cmpstr (found, ==, cases[i].expected);
    }

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *found = contract_get (table, keys, 3, cases[i].columns, cases[i].n_columns);
      GString *expected = g_string_new (cases[i].expected);

      /* A get returns the rows without such a cell, too. */
      if (strstr (expected->str, "r1") == NULL)
        g_string_prepend (expected, expected->len > 0 ? "r1{} " : "r1{}");
      if (strstr (expected->str, "r2") == NULL)
        {
          const gchar *r3 = strstr (expected->str, " r3");

          g_string_insert (expected, r3 != NULL ? r3 - expected->str : -1, " r2{}");
        }
      if (strstr (expected->str, "r3") == NULL)
        g_string_append (expected, " r3{}");
      g_assert_cmpstr (found, ==, expected->str);
      g_string_free (expected, TRUE);
    }
}

/* Rejected rows do not count. */
static void
test_row_limit (ContractTable *table)
{
  const KvsqlColumn column = contract_column ("f:a");
  KvsqlScanSpec spec = { .row_limit = 2 };
  g_autofree gchar *rows = NULL, *filtered = NULL;

  put_columns (table);
  rows = contract_scan (table, &spec);
  g_assert_true (g_str_has_prefix (rows, "r1{f:=1@1 f:a=2@1 fa:a=3@1} r2{f:ab=4@1}"));
  spec.columns = &column;
  spec.n_columns = 1;
  filtered = contract_scan (table, &spec);
  g_assert_cmpstr (filtered, ==, "r1{f:a=2@1} r3{f:a=6@1}");
}

static void
put_numbered (ContractTable *table, guint n)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < n; i++)
    {
      KvsqlMutation put
          = contract_put (table, kvsql_arena_printf (arena, "%06u", i), "f:q", "v", 1);

      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, n);
}

static void
test_batches (ContractTable *table)
{
  const guint n = 2500;
  const guint sizes[] = { 0, 1, 7, 1000, 5000 };

  put_numbered (table, n);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      KvsqlScanSpec spec = { .batch_rows = sizes[i], .row_limit = sizes[i] == 1 ? 50 : 0 };
      guint expected = sizes[i] == 1 ? 50 : n, seen = 0;
      g_autoptr (KvsqlScan) scan = contract_open_scan (table, &spec);
      KvsqlCall call = contract_call ();
      const KvsqlRows *rows = NULL;

      while (kvsql_scan_next (scan, &call, &rows, NULL) && rows->n_rows > 0)
        {
          g_assert_cmpuint (sizes[i] == 0 ? 0 : rows->n_rows, <=, sizes[i]);
          for (guint r = 0; r < rows->n_rows; r++, seen++)
            g_assert_cmpuint (contract_number_of (rows->rows[r].key), ==, seen);
        }
      g_assert_cmpuint (seen, >=, expected);
      g_assert_true (kvsql_scan_next (scan, &call, &rows, NULL));
      g_assert_cmpuint (rows->n_rows, ==, 0);
    }
}

static void
test_wide_row (ContractTable *table)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlScanSpec spec = { .batch_rows = 1 };
  const KvsqlColumn column = contract_column ("f:002900");
  const KvsqlSlice key = S ("wide");
  g_autoptr (KvsqlScan) scan = NULL;
  g_autofree gchar *one = NULL;
  const KvsqlRows *rows = NULL;
  KvsqlCall call = contract_call ();

  for (guint i = 0; i < WIDE_ROW_CELLS; i++)
    {
      const gchar *name = kvsql_arena_printf (arena, "f:%06u", i);
      KvsqlMutation put = contract_put (table, "wide", name, name, 1);

      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  contract_apply_all (table, contract_put (table, "x", "f:q", "v", 1));

  scan = contract_open_scan (table, &spec);
  g_assert_true (kvsql_scan_next (scan, &call, &rows, NULL));
  g_assert_cmpuint (rows->n_rows, ==, 1);
  g_assert_cmpuint (rows->rows[0].n_cells, ==, WIDE_ROW_CELLS);
  for (guint i = 0; i < WIDE_ROW_CELLS; i++)
    g_assert_cmpmem (rows->cells[i].value.data + 2, 6, rows->cells[i].qualifier.data, 6);
  g_assert_true (kvsql_scan_next (scan, &call, &rows, NULL));
  g_assert_cmpuint (rows->n_rows, ==, 1);
  one = contract_get (table, &key, 1, &column, 1);
  g_assert_cmpstr (one, ==, "wide{f:002900=f:002900@1}");
}

static void
test_wanted_cell_of_wide_row (ContractTable *table)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlColumn columns[]
      = { contract_column ("f:0400"), contract_column ("f:0100"), contract_family ("g") };
  KvsqlScanSpec spec = { .columns = columns, .n_columns = 3 };
  g_autofree gchar *forward = NULL, *backward = NULL;

  for (guint i = 0; i < 1000; i++)
    {
      const gchar *row = i % 2 == 0 ? "r1" : "r2";
      KvsqlMutation put
          = contract_put (table, row, kvsql_arena_printf (arena, "f:%04u", i), "v", 1);

      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  contract_apply_all (table, contract_put (table, "r2", "g:q", "w", 1),
                      contract_put (table, "r3", "f:0400", "x", 1));
  forward = contract_scan (table, &spec);
  g_assert_cmpstr (forward, ==, "r1{f:0100=v@1 f:0400=v@1} r2{g:q=w@1} r3{f:0400=x@1}");
  if (!contract_has (table, KVSQL_STORE_REVERSE_SCAN))
    return;
  spec.is_reversed = TRUE;
  backward = contract_scan (table, &spec);
  g_assert_cmpstr (backward, ==, "r3{f:0400=x@1} r2{g:q=w@1} r1{f:0100=v@1 f:0400=v@1}");
}

/* The memory of a batch is valid until the next call on its scan. */
static void
test_slices_stay (ContractTable *table)
{
  const KvsqlScanSpec spec = { .batch_rows = 2 };
  g_autoptr (KvsqlScan) scan = NULL, other = NULL;
  const KvsqlRows *rows = NULL, *other_rows = NULL;
  KvsqlCall call = contract_call ();
  GString *text = g_string_new (NULL);

  put_letters (table);
  scan = contract_open_scan (table, &spec);
  other = contract_open_scan (table, NULL);
  g_assert_true (kvsql_scan_next (scan, &call, &rows, NULL));
  contract_apply_all (table, contract_put (table, "a", "f:q", "changed", 2),
                      contract_delete_row (table, "b", 2));
  g_assert_true (kvsql_scan_next (other, &call, &other_rows, NULL));
  contract_append_rows (text, rows);
  g_assert_cmpstr (text->str, ==, "a{f:q=1@1} b{f:q=2@1}");
  g_string_free (text, TRUE);
}

/* The caller may change all arguments of open_scan() after it has returned. */
static void
test_spec_is_copied (ContractTable *table)
{
  gchar start[] = "b", stop[] = "d", family[] = "f", qualifier[] = "q";
  g_autofree gchar *name = g_strndup ((const gchar *)table->name.data, table->name.size);
  KvsqlRowRange range = { S (""), S ("") };
  KvsqlColumn column = { kvsql_slice_from_text (family), kvsql_slice_from_text (qualifier), FALSE };
  KvsqlScanSpec spec = { .ranges = &range, .n_ranges = 1, .columns = &column, .n_columns = 1 };
  ContractTable same = { table->store, kvsql_slice_from_text (name) };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows = NULL;
  KvsqlCall call = contract_call ();

  put_letters (table);
  range = (KvsqlRowRange){ kvsql_slice_from_text (start), kvsql_slice_from_text (stop) };
  scan = contract_open_scan (&same, &spec);
  start[0] = stop[0] = family[0] = qualifier[0] = name[0] = 'z';
  memset (&range, 0, sizeof range);
  memset (&column, 0, sizeof column);
  memset (&spec, 0, sizeof spec);
  g_assert_true (kvsql_scan_next (scan, &call, &rows, NULL));
  g_assert_cmpuint (rows->n_rows, ==, 3);
}

static void
test_large_values (ContractTable *table)
{
  g_autofree gchar *large = g_malloc (LARGE_VALUE + 1);
  const KvsqlSlice keys[] = { S ("b"), S ("a") };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *batch = NULL;
  KvsqlRows rows = { 0 };
  KvsqlCall call = contract_call ();
  guint seen = 0;

  for (guint i = 0; i < LARGE_VALUE; i++)
    large[i] = (gchar)('a' + i % 23);
  large[LARGE_VALUE] = '\0';
  for (guint i = 0; i < 4; i++)
    {
      const gchar row[] = { (gchar)('a' + i), '\0' };

      contract_apply_all (table, contract_put (table, row, "f:q", large, 1));
    }

  scan = contract_open_scan (table, NULL);
  while (kvsql_scan_next (scan, &call, &batch, NULL) && batch->n_rows > 0)
    for (guint i = 0; i < batch->n_rows; i++, seen++)
      g_assert_cmpmem (batch->cells[i].value.data, batch->cells[i].value.size, large, LARGE_VALUE);
  g_assert_cmpuint (seen, ==, 4);
  g_assert_true (kvsql_store_multi_get (table->store, table->name, keys, 2, NULL, 0, &call, arena,
                                        &rows, NULL));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpmem (rows.cells[rows.rows[i].first_cell].value.data,
                     rows.cells[rows.rows[i].first_cell].value.size, large, LARGE_VALUE);
}

static void
test_longest_row (ContractTable *table)
{
  gsize size = MIN (table->store->capabilities.max_row_bytes, 65535);
  g_autofree guint8 *bytes = g_malloc (size);
  KvsqlSlice key = { bytes, size };
  KvsqlMutation put = contract_put (table, "", "f:q", "v", 1);
  g_autofree gchar *readable = NULL, *expected = NULL, *found = NULL;

  for (gsize i = 0; i < size; i++)
    bytes[i] = i % 3 == 0 ? 0x00 : 'k';
  put.row = key;
  contract_apply (table, &put, 1);
  readable = kvsql_readable (key);
  expected = g_strdup_printf ("%s{f:q=v@1}", readable);
  contract_assert_rows (table, expected);
  found = contract_get (table, &key, 1, NULL, 0);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_multi_get (ContractTable *table)
{
  const KvsqlSlice keys[]
      = { S ("d"), S ("nope"), S ("a"), S ("d"), S ("b\x01"), S ("b\0"), S ("b") };
  g_autofree gchar *found = NULL, *none = NULL;

  put_letters (table);
  found = contract_get (table, keys, G_N_ELEMENTS (keys), NULL, 0);
  g_assert_cmpstr (found, ==,
                   "d{f:q=5@1} nope{} a{f:q=1@1} d{f:q=5@1} b\\x01{f:q=3@1} b\\x00{} b{f:q=2@1}");
  none = contract_get (table, keys, 0, NULL, 0);
  g_assert_cmpstr (none, ==, "");
}

static void
test_get_many_cells (ContractTable *table)
{
  const KvsqlSlice keys[] = { S ("r3"), S ("r1") };
  const KvsqlColumn columns[]
      = { contract_column ("g:a"), contract_column ("f:a"), contract_column ("f:") };
  g_autofree gchar *all = NULL, *some = NULL;

  put_columns (table);
  all = contract_get (table, keys, 2, NULL, 0);
  g_assert_cmpstr (all, ==, "r3{f:a=6@1 g:a=5@1} r1{f:=1@1 f:a=2@1 fa:a=3@1}");
  some = contract_get (table, keys, 2, columns, 3);
  g_assert_cmpstr (some, ==, "r3{f:a=6@1 g:a=5@1} r1{f:=1@1 f:a=2@1}");
}

static void
test_impossible_keys (ContractTable *table)
{
  gsize size = table->store->capabilities.max_row_bytes + 1;
  g_autofree guint8 *bytes = g_malloc0 (size);
  const KvsqlSlice keys[] = { S (""), S ("a"), { bytes, size }, S ("c") };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCall call = contract_call ();
  KvsqlRows rows = { 0 };

  put_letters (table);
  g_assert_true (kvsql_store_multi_get (table->store, table->name, keys, 4, NULL, 0, &call, arena,
                                        &rows, NULL));
  g_assert_cmpuint (rows.n_rows, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpuint (rows.rows[i].n_cells, ==, i % 2);
      g_assert_true (kvsql_slice_equal (rows.rows[i].key, keys[i]));
    }
}

const ContractTest contract_read_tests[] = {
  { "/read/rows-come-in-byte-order", test_row_order },
  { "/read/cells-come-by-family-then-qualifier", test_cell_order },
  { "/read/ranges", test_ranges },
  { "/read/random-ranges-of-binary-keys", test_random_ranges },
  { "/read/reversed", test_reversed, .needs = KVSQL_STORE_REVERSE_SCAN },
  { "/read/columns", test_columns },
  { "/read/row-limit", test_row_limit },
  { "/read/batches", test_batches },
  { "/read/a-wide-row-is-whole", test_wide_row },
  { "/read/wanted-cells-of-wide-rows", test_wanted_cell_of_wide_row },
  { "/read/slices-stay-until-the-next-call", test_slices_stay },
  { "/read/spec-is-copied", test_spec_is_copied },
  { "/read/large-values", test_large_values },
  { "/read/longest-row-key", test_longest_row },
  { "/read/multi-get", test_multi_get },
  { "/read/multi-get-of-many-cells", test_get_many_cells },
  { "/read/multi-get-of-impossible-keys", test_impossible_keys },
  { NULL },
};
