/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.c: the contract of pushed-down selections: of cells by time, and of rows by value.
 */
#include "config.h"

#include "core/store/filter.h"
#include "tests/contract/kit.h"

static void
put_times (ContractTable *table)
{
  contract_apply_all (
      table, contract_put (table, "a", "f:q", "1", 10), contract_put (table, "b", "f:p", "2", 20),
      contract_put (table, "b", "f:q", "3", 30), contract_put (table, "c", "f:q", "4", 40),
      contract_put (table, "d", "f:q", "older", 15), contract_put (table, "d", "g:q", "5", 50));
  contract_apply_all (table, contract_put (table, "d", "f:q", "6", 60));
}

static const struct
{
  KvsqlTimeRange times;
  const gchar *expected;
} time_cases[] = {
  { { 1, 0 }, "a{f:q=1@10} b{f:p=2@20 f:q=3@30} c{f:q=4@40} d{f:q=6@60 g:q=5@50}" },
  { { 10, 0 }, "a{f:q=1@10} b{f:p=2@20 f:q=3@30} c{f:q=4@40} d{f:q=6@60 g:q=5@50}" },
  { { 11, 0 }, "b{f:p=2@20 f:q=3@30} c{f:q=4@40} d{f:q=6@60 g:q=5@50}" },
  { { 30, 0 }, "b{f:q=3@30} c{f:q=4@40} d{f:q=6@60 g:q=5@50}" },
  { { 51, 0 }, "d{f:q=6@60}" },
  { { 61, 0 }, "" },
  { { 0, 10 }, "" },
  { { 0, 16 }, "a{f:q=1@10}" }, /* the older version of "d" is not current */
  { { 20, 30 }, "b{f:p=2@20}" },
  { { 20, 31 }, "b{f:p=2@20 f:q=3@30}" },
  { { 11, 60 }, "b{f:p=2@20 f:q=3@30} c{f:q=4@40} d{g:q=5@50}" },
};

static void
check_times (ContractTable *table, gboolean with_max)
{
  put_times (table);
  for (guint i = 0; i < G_N_ELEMENTS (time_cases); i++)
    {
      KvsqlScanSpec spec = { .times = time_cases[i].times };
      g_autofree gchar *found = NULL;

      if ((spec.times.max > 0) != with_max)
        continue;
      found = contract_scan (table, &spec);
      g_assert_cmpstr (found, ==, time_cases[i].expected);
    }
}

static void
test_since (ContractTable *table)
{
  check_times (table, FALSE);
}

static void
test_until (ContractTable *table)
{
  check_times (table, TRUE);
}

/* The same cells in gets, reversed scans, and with columns. */
static void
test_since_elsewhere (ContractTable *table)
{
  const KvsqlRowRange rows[] = { { S ("a"), S ("a\0") }, { S ("b"), S ("b\0") } };
  const KvsqlColumn column = contract_column ("f:q");
  KvsqlScanSpec spec = { .ranges = rows, .n_ranges = 2, .times = { 20, 0 } };
  g_autofree gchar *single = NULL, *reversed = NULL, *columns = NULL;

  put_times (table);
  single = contract_scan (table, &spec);
  g_assert_cmpstr (single, ==, "b{f:p=2@20 f:q=3@30}");

  spec = (KvsqlScanSpec){ .times = { 40, 0 }, .columns = &column, .n_columns = 1 };
  columns = contract_scan (table, &spec);
  g_assert_cmpstr (columns, ==, "c{f:q=4@40} d{f:q=6@60}");

  if (!contract_has (table, KVSQL_STORE_REVERSE_SCAN))
    return;
  spec = (KvsqlScanSpec){ .times = { 30, 0 }, .is_reversed = TRUE, .row_limit = 2 };
  reversed = contract_scan (table, &spec);
  g_assert_true (g_str_has_prefix (reversed, "d{f:q=6@60 g:q=5@50} c{f:q=4@40}"));
}

/* A row without a selected cell does not count, and many such rows may precede the next result. */
static void
test_since_far (ContractTable *table)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlScanSpec spec = { .times = { 5, 0 }, .batch_rows = 2 };
  g_autofree gchar *found = NULL;

  for (guint i = 0; i < 3000; i++)
    {
      KvsqlMutation put = contract_put (table, kvsql_arena_printf (arena, "%04u", i), "f:q", "v",
                                        i % 1000 == 999 ? 5 : 4);
      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  found = contract_scan (table, &spec);
  g_assert_cmpstr (found, ==, "0999{f:q=v@5} 1999{f:q=v@5} 2999{f:q=v@5}");
}

static void
test_times_refused (ContractTable *table)
{
  const KvsqlRowRange all = { S (""), S ("") };
  KvsqlScanSpec spec = { .table = table->name, .ranges = &all, .n_ranges = 1, .times = { 5, 5 } };
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsql_store_open_scan (table->store, &spec, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  if (contract_has (table, KVSQL_STORE_ONE_VERSION))
    return;
  g_clear_error (&error);
  spec.times.min = 0;
  g_assert_null (kvsql_store_open_scan (table->store, &spec, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNSUPPORTED);
}

/* ---- values */

#define N_FILTERED_ROWS 200
#define N_FILTERS 60
#define N_FILTER_COLUMNS 3

/* Values that are difficult for quoting, their neighbours, and the extreme bytes. */
static const KvsqlSlice words[] = {
  S (""),     S ("\0"),       S ("a"),   S ("a\0"),         S ("ab"),
  S ("'"),    S ("''"),       S ("a'b"), S ("', true) OR"), S ("binary:"),
  S ("\xff"), S ("\xff\xff"), S ("b"),   S ("\0\xff'"),     S ("%"),
  S ("\\"),   S ("\xc3\xa4"), S ("a b"), S ("(a AND b)"),   S ("\n"),
};

/* values[column] is the index of a word, or -1: no such cell */
typedef struct
{
  gint values[N_FILTER_COLUMNS];
} FilteredRow;

static KvsqlColumn
filter_column (guint column)
{
  static const gchar *const names[] = { "f:p", "f:q'", "g:" };

  return contract_column (names[column]);
}

static void
put_filtered_rows (ContractTable *table, FilteredRow *rows, GRand *random)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint r = 0; r < N_FILTERED_ROWS; r++)
    {
      const gchar *key = kvsql_arena_printf (arena, "%03u", r);
      KvsqlMutation put = contract_put (table, key, "f:always", "x", 7);

      g_array_append_val (puts, put);
      for (guint c = 0; c < N_FILTER_COLUMNS; c++)
        {
          KvsqlColumn column = filter_column (c);

          rows[r].values[c] = g_rand_int_range (random, -4, G_N_ELEMENTS (words));
          if (rows[r].values[c] < 0)
            continue;
          put = contract_put (table, key, "f:", "", 5);
          put.family = column.family;
          put.qualifier = column.qualifier;
          /* the older version must not be compared */
          put.value = words[(rows[r].values[c] + 1) % G_N_ELEMENTS (words)];
          g_array_append_val (puts, put);
          put.timestamp = 6;
          put.value = words[rows[r].values[c]];
          g_array_append_val (puts, put);
        }
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
}

static gint
compare_words (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_compare (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

static KvsqlFilterTerm
random_term (GRand *random, KvsqlArena *arena)
{
  guint n = g_rand_int_range (random, 1, 4), n_kept = 0;
  KvsqlRowRange *ranges = kvsql_arena_array (arena, KvsqlRowRange, n);
  KvsqlSlice bounds[6];
  KvsqlColumn column = filter_column (g_rand_int_range (random, 0, N_FILTER_COLUMNS));

  for (guint i = 0; i < 2 * n; i++)
    bounds[i] = words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))];
  qsort (bounds, 2 * n, sizeof *bounds, compare_words);
  for (guint i = 0; i < n; i++)
    {
      KvsqlBuffer after = { 0 };
      KvsqlRowRange range = { bounds[2 * i], bounds[2 * i + 1] };

      kvsql_buffer_append_slice (&after, range.start);
      kvsql_buffer_append_byte (&after, 0);
      if (g_rand_boolean (random) || kvsql_slice_equal (range.start, range.stop))
        range.stop = kvsql_slice_dup (arena, kvsql_buffer_slice (&after));
      kvsql_buffer_clear (&after);
      if (i + 1 == n && g_rand_boolean (random))
        range.stop = KVSQL_SLICE_EMPTY;
      if (n_kept == 0 || kvsql_slice_compare (ranges[n_kept - 1].stop, range.start) <= 0)
        ranges[n_kept++] = range;
    }
  return (KvsqlFilterTerm){ column.family, column.qualifier, ranges, n_kept };
}

static const KvsqlFilter *
random_filter (GRand *random, KvsqlArena *arena)
{
  KvsqlFilter *self = kvsql_arena_new0 (arena, KvsqlFilter);
  KvsqlFilterClause *clauses = kvsql_arena_array (arena, KvsqlFilterClause, 3);

  self->n_clauses = g_rand_int_range (random, 1, 4);
  for (guint c = 0; c < self->n_clauses; c++)
    {
      KvsqlFilterTerm *terms = kvsql_arena_array (arena, KvsqlFilterTerm, 2);

      clauses[c] = (KvsqlFilterClause){ terms, (guint)g_rand_int_range (random, 1, 3) };
      for (guint t = 0; t < clauses[c].n_terms; t++)
        terms[t] = random_term (random, arena);
    }
  self->clauses = clauses;
  return self;
}

/* A second implementation of the filter, on the rows that were put. */
static gboolean
passes_term (const FilteredRow *row, const KvsqlFilterTerm *term)
{
  guint c = 0;
  KvsqlSlice value;

  while (!kvsql_slice_equal (filter_column (c).family, term->family)
         || !kvsql_slice_equal (filter_column (c).qualifier, term->qualifier))
    c++;
  if (row->values[c] < 0)
    return FALSE;
  value = words[row->values[c]];
  for (guint i = 0; i < term->n_ranges; i++)
    if (kvsql_slice_compare (value, term->ranges[i].start) >= 0
        && (term->ranges[i].stop.size == 0
            || kvsql_slice_compare (value, term->ranges[i].stop) < 0))
      return TRUE;
  return FALSE;
}

static gboolean
passes (const FilteredRow *row, const KvsqlFilter *filter)
{
  for (guint c = 0; c < filter->n_clauses; c++)
    {
      gboolean passes_all = TRUE;

      for (guint t = 0; t < filter->clauses[c].n_terms; t++)
        passes_all = passes_all && passes_term (row, &filter->clauses[c].terms[t]);
      if (passes_all)
        return TRUE;
    }
  return FALSE;
}

/* Reads the families that the filter names. */
static void
set_columns (KvsqlScanSpec *spec, KvsqlColumn columns[2])
{
  static const gchar *const families[] = { "f", "g" };

  spec->columns = columns;
  spec->n_columns = 0;
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (kvsql_filter_names_family (spec->filter, kvsql_slice_from_text (families[i])))
      columns[spec->n_columns++] = contract_family (families[i]);
}

static guint
count_cells (const FilteredRow *row, const KvsqlScanSpec *spec)
{
  guint n = 0;

  for (guint i = 0; i < spec->n_columns; i++)
    {
      n += kvsql_slice_equal (spec->columns[i].family, S ("f")); /* f:always */
      for (guint c = 0; c < N_FILTER_COLUMNS; c++)
        n += row->values[c] >= 0
             && kvsql_slice_equal (filter_column (c).family, spec->columns[i].family);
    }
  return n;
}

/* Every row that passes must be returned, whole; other rows only if the store does not filter
 * exactly. */
static void
check_filtered (ContractTable *table, const FilteredRow *rows, const KvsqlScanSpec *spec)
{
  gboolean must_drop = (table->store->capabilities.filters & KVSQL_FILTER_VALUES) != 0;
  g_autoptr (KvsqlScan) scan = contract_open_scan (table, spec);
  KvsqlCall call = contract_call ();
  const KvsqlRows *found = NULL;
  g_autoptr (GError) error = NULL;
  gboolean seen[N_FILTERED_ROWS] = { FALSE };

  for (;;)
    {
      gboolean ok = kvsql_scan_next (scan, &call, &found, &error);

      g_assert_no_error (error);
      g_assert_true (ok);
      if (found->n_rows == 0)
        break;
      for (guint i = 0; i < found->n_rows; i++)
        {
          guint r = contract_number_of (found->rows[i].key);

          g_assert_cmpuint (r, <, N_FILTERED_ROWS);
          g_assert_false (seen[r]);
          seen[r] = TRUE;
          g_assert_cmpuint (found->rows[i].n_cells, ==, count_cells (&rows[r], spec));
          g_assert_true (!must_drop || passes (&rows[r], spec->filter));
        }
    }
  for (guint r = 0; r < N_FILTERED_ROWS; r++)
    g_assert_true (seen[r] || !passes (&rows[r], spec->filter));
}

static void
test_values (ContractTable *table)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  FilteredRow rows[N_FILTERED_ROWS];

  put_filtered_rows (table, rows, random);
  for (guint i = 0; i < N_FILTERS; i++)
    {
      KvsqlScanSpec spec = { .filter = random_filter (random, arena) };
      KvsqlColumn columns[2];

      set_columns (&spec, columns);
      spec.batch_rows = (guint)g_rand_int_range (random, 0, 9);
      spec.is_reversed = contract_has (table, KVSQL_STORE_REVERSE_SCAN) && g_rand_boolean (random);
      check_filtered (table, rows, &spec);
    }
}

/* The same if only that column is read. */
static void
check_one_column (ContractTable *table, const FilteredRow *rows, KvsqlScanSpec *spec,
                  KvsqlColumn column, guint c)
{
  g_autoptr (KvsqlScan) scan = NULL;
  KvsqlCall call = contract_call ();
  const KvsqlRows *found = NULL;
  guint n_expected = 0, n_found = 0;

  spec->columns = &column;
  spec->n_columns = 1;
  scan = contract_open_scan (table, spec);
  for (guint r = 0; r < N_FILTERED_ROWS; r++)
    n_expected += rows[r].values[c] >= 0 && passes (&rows[r], spec->filter);
  while (kvsql_scan_next (scan, &call, &found, NULL) && found->n_rows > 0)
    for (guint i = 0; i < found->n_rows; i++)
      n_found += passes (&rows[contract_number_of (found->rows[i].key)], spec->filter);
  g_assert_cmpuint (n_found, ==, n_expected);
}

/* Each word: equal to it, and everything from it on. */
static void
test_each_value (ContractTable *table)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (12);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  FilteredRow rows[N_FILTERED_ROWS];

  put_filtered_rows (table, rows, random);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (words); i++)
    {
      KvsqlColumn column = filter_column (i % N_FILTER_COLUMNS);
      KvsqlRowRange range = { words[i / 2], KVSQL_SLICE_EMPTY };
      KvsqlFilterTerm term = { column.family, column.qualifier, &range, 1 };
      KvsqlFilterClause clause = { &term, 1 };
      KvsqlFilter filter = { &clause, 1 };
      guint8 *after = kvsql_arena_alloc0 (arena, words[i / 2].size + 1);
      KvsqlScanSpec spec = { .filter = &filter };
      KvsqlColumn columns[2];

      if (words[i / 2].size > 0)
        memcpy (after, words[i / 2].data, words[i / 2].size);
      if (i % 2 == 0)
        range.stop = kvsql_slice (after, words[i / 2].size + 1);
      set_columns (&spec, columns);
      check_filtered (table, rows, &spec);
      check_one_column (table, rows, &spec, column, i % N_FILTER_COLUMNS);
    }
}

/* More consecutive rows than a batch contains may be rejected, and the limit counts the rows that
 * pass. */
static void
test_few_of_many (ContractTable *table)
{
  const KvsqlRowRange range = { S ("1"), S ("1\0") };
  const KvsqlFilterTerm term = { S ("f"), S ("q"), &range, 1 };
  const KvsqlFilterClause clause = { &term, 1 };
  const KvsqlFilter filter = { &clause, 1 };
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlColumn family = contract_family ("f");
  KvsqlScanSpec spec = { .filter = &filter, .columns = &family, .n_columns = 1, .batch_rows = 100 };
  g_autofree gchar *all = NULL, *first = NULL;
  gchar *large = kvsql_arena_alloc0 (arena, 4001);

  if ((table->store->capabilities.filters & KVSQL_FILTER_VALUES) == 0)
    return;
  memset (large, 'x', 4000);
  for (guint i = 0; i < 3000; i++)
    {
      const gchar *key = kvsql_arena_printf (arena, "%04u", i);
      KvsqlMutation put = contract_put (table, key, "f:q",
                                        i % 1000 == 999 ? "1"
                                        : i % 2 == 0    ? "0"
                                                        : large,
                                        5);
      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  all = contract_scan (table, &spec);
  g_assert_cmpstr (all, ==, "0999{f:q=1@5} 1999{f:q=1@5} 2999{f:q=1@5}");
  spec.row_limit = 2;
  first = contract_scan (table, &spec);
  g_assert_true (g_str_has_prefix (first, "0999{f:q=1@5} 1999{f:q=1@5}"));
}

static void
test_filter_refused (ContractTable *table)
{
  const KvsqlRowRange all = { S (""), S ("") };
  const KvsqlFilterTerm term = { S ("f"), S ("q"), &all, 1 };
  const KvsqlFilterClause clause = { &term, 1 };
  const KvsqlFilter filter = { &clause, 1 };
  const KvsqlColumn families[] = { contract_family ("f"), contract_family ("g") };
  KvsqlScanSpec spec = { .table = table->name, .ranges = &all, .n_ranges = 1, .filter = &filter };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsql_store_open_scan (table->store, &spec, NULL, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      spec.columns = families;
      spec.n_columns = 2;
    }
}

static void
test_keys_only (ContractTable *table)
{
  gboolean is_claimed = (table->store->capabilities.filters & KVSQL_FILTER_KEYS_ONLY) != 0;
  const KvsqlScanSpec spec = { .keys_only = TRUE };
  g_autofree gchar *found = NULL;

  contract_apply_all (table, contract_put (table, "a", "f:q", "1", 10),
                      contract_put (table, "a", "g:q", "2", 11),
                      contract_put (table, "b", "f:", "3", 12));
  found = contract_scan (table, &spec);
  g_assert_cmpstr (found, ==,
                   is_claimed ? "a{f:q=@10 g:q=@11} b{f:=@12}" : "a{f:q=1@10 g:q=2@11} b{f:=3@12}");
}

const ContractTest contract_filter_tests[] = {
  { "/filter/since-a-time", test_since },
  { "/filter/until-a-time", test_until, .needs = KVSQL_STORE_ONE_VERSION },
  { "/filter/since-a-time-by-rows-and-columns", test_since_elsewhere },
  { "/filter/since-a-time-far-apart", test_since_far },
  { "/filter/invalid-times", test_times_refused },
  { "/filter/values", test_values },
  { "/filter/each-value", test_each_value },
  { "/filter/few-of-many", test_few_of_many },
  { "/filter/families-not-in-the-filter", test_filter_refused },
  { "/filter/keys-only", test_keys_only },
  { NULL },
};
